//! Rationale: people write these files by hand. Each thing that can be wrong in one is broken in
//! turn; the answer must name line, key, what is there and what may be.
use super::*;
use crate::gpu::Gpu;
use crate::llc::cache::Counts;

fn text() -> &'static str {
    Scenario::text("gdc-figure-3").unwrap()
}

/// The error of the text with one thing replaced, and the line it is on.
fn broken(from: &str, to: &str) -> (String, usize) {
    let at = text().find(from).unwrap_or_else(|| panic!("{from}"));
    let line = 1 + text()[..at].matches('\n').count();
    let error = Scenario::from_toml(&text().replacen(from, to, 1));
    (error.unwrap_err().to_string(), line)
}

#[test]
fn figure_3_is_the_papers() {
    let scenario = Scenario::named("gdc-figure-3").unwrap();
    let capacity = scenario.geometry.capacity();
    assert_eq!(capacity, 512 << 10);
    let touched = |kid: usize| {
        let program = scenario.kernels[kid].spec.build(0, &scenario.geometry);
        program.unwrap().extent().end
    };
    assert_eq!(touched(0), capacity / 4);
    // Three vectors of whole warps.
    assert_eq!(touched(1), capacity / 2 / 768 * 768);
    let said = scenario.kernels[0].parameters();
    assert_eq!(said, "blocks-per-sm = 1, footprint = \"25 %\"");
    assert_eq!(scenario.kernels[3].parameters(), "chains = 48, sets = 5");
    assert_eq!(scenario.under_test, 0);
    let paper = scenario.paper.unwrap();
    // Rounded shares.
    assert!((paper.gdc.iter().sum::<f64>() - 100.0).abs() < 0.2);
}

#[test]
fn every_error_has_its_line_and_key() {
    for (from, to, expected) in [
        (
            "\"xavier\"",
            "\"savier\"",
            "platform is \"savier\" (did you mean \"xavier\"?), expected xavier, maxwell, maxwell-fit, tx2, fpga-small",
        ),
        (
            "accesses = 1_000_000",
            "accesses = 0",
            "accesses is 0, expected 1 to",
        ),
        (
            "period = 100_000",
            "period = 0",
            "period is 0, expected 1 to",
        ),
        (
            "under-test = \"VMA\"",
            "under-test = \"MM\"",
            "under-test is \"MM\", expected VMA, DADD, AGG1, AGG2",
        ),
        (
            "under-test = \"VMA\"",
            "under-test = \"vma\"",
            "under-test is \"vma\" (did you mean \"VMA\"?), expected VMA, DADD, AGG1, AGG2",
        ),
        (
            "\"25 %\"",
            "\"a lot\"",
            "kernel.footprint: \"a lot\" is no size, expected a part of the cache",
        ),
        (
            "\"25 %\"",
            "\"12 B\"",
            "kernel.footprint is 12, expected 512",
        ),
        (
            "blocks-per-sm = 1 ",
            "blocks-per-sm = 0 ",
            "kernel.blocks-per-sm is 0, expected 1 or more",
        ),
        (
            "blocks-per-sm = 1 ",
            "sms = [4] ",
            "kernel.sms is [.., 4, ..], expected a list of SMs, 0 to 3",
        ),
        (
            "blocks-per-sm = 1 ",
            "sms = [] ",
            "kernel.sms is empty, expected a list of SMs, 0 to 3",
        ),
        (
            "blocks-per-sm = 1 ",
            "threads = 100 ",
            "kernel.threads is 100, expected a multiple of",
        ),
        (
            "chains = 14 ",
            "chains = 0 ",
            "kernel.chains is 0, expected 1 to",
        ),
        (
            "chains = 14 ",
            "chain = 14 ",
            "kernel.chain: unknown field `chain` (did you mean \"chains\"?), expected one of",
        ),
        (
            "blocks-per-sm = 1 ",
            "block-per-sm = 1 ",
            "kernel.block-per-sm: unknown field `block-per-sm` (did you mean \"blocks-per-sm\"?), expected",
        ),
        (
            "sets = 5 ",
            "sets = 257 ",
            "kernel.sets is 257, expected 1 to 256",
        ),
        (
            "name = \"DADD\"",
            "name = \"VMA\"",
            "kernel.name is \"VMA\", expected a name that no other kernel has",
        ),
        (
            "loop = \"vma\"",
            "loop = \"mma\"",
            "kernel.loop is \"mma\" (did you mean \"vma\"?), expected vma, ladd, dadd",
        ),
        (
            "seed = 1",
            "seeds = 1",
            "seeds: unknown field `seeds` (did you mean \"seed\"?), expected one of",
        ),
        (
            "seed = 1",
            "seed = \"one\"",
            "seed: invalid type: string \"one\", expected a whole number, 0 or more",
        ),
        ("seed = 1", "seed = ", "seed: "),
        (
            "seed = 1",
            "seed = -1",
            "seed: invalid value: integer `-1`, expected a whole number, 0 or more",
        ),
        (
            "period = 100_000",
            "period = 5_000_000_000",
            "period is 5000000000, expected 1 to 4294967296",
        ),
        (
            "chains = 14 ",
            "chains = 3.5 ",
            "kernel.chains: invalid type: floating point `3.5`, expected a whole number",
        ),
        (
            "name = \"VMA\"",
            "name = \"\"",
            "kernel.name is \"\", expected 1 to 24 printable characters",
        ),
        (
            "\"25 %\"",
            "25",
            "kernel.footprint: invalid type: integer `25`, expected text in quotes",
        ),
    ] {
        let (error, line) = broken(from, to);
        assert!(
            error.starts_with(&format!("line {line}: {expected}")),
            "{to}: {error}"
        );
    }
}

#[test]
fn what_is_missing_or_too_much_is_named() {
    let (error, line) = broken("loop = \"dadd\"", "# loop = \"dadd\"");
    // The table that lacks it.
    let head = format!(
        "line {}: kernel.loop is not there, expected vma, ",
        line - 2
    );
    assert!(error.starts_with(&head), "{error}");
    let (error, _) = broken("loop = \"vma\"", "loop = \"vma\"\nsets = 3");
    assert!(
        error.contains("kernel.sets: unknown field `sets`, expected one of `footprint`"),
        "{error}"
    );
    let (error, _) = broken("gdc = [22.3, ", "gdc = [");
    assert!(
        error.contains("paper is 3 and 4 shares, expected 4 by gdc and by plob"),
        "{error}"
    );
    let traced = "loop = \"trace\"\nfile = \"gone.traceg\"\n# ";
    let (error, at) = broken("loop = \"agg1\"\nfootprint = \"400 %\"", traced);
    let expected = format!(
        "line {}: kernel.chains: unknown field `chains`, expected `file`",
        at + 3
    );
    assert!(error.starts_with(&expected), "{error}");
    let without = text().replace("loop = \"agg1\"\nfootprint = \"400 %\"", traced);
    let without = without.replace("chains = 14", "# chains = 14");
    let error = Scenario::from_toml(&without).unwrap_err().to_string();
    let expected = format!(
        "line {}: kernel.file: gone.traceg: cannot be opened",
        at + 1
    );
    assert!(error.starts_with(&expected), "{error}");
    for (table, line, expected) in [
        (
            "[machine.l2]\nmshrs = 0",
            1,
            "machine.l2.mshrs is 0, expected 1 to",
        ),
        (
            "[machine.l2]\nmshr = 3",
            1,
            "machine.l2.mshr: unknown field `mshr` (did you mean \"mshrs\"?)",
        ),
        (
            "[machine]\nclock-mhz = \"fast\"",
            1,
            "machine.clock-mhz: invalid type: string \"fast\", expected a whole number",
        ),
        (
            "[machine.l3]\nways = 3",
            0,
            "machine.l3: unknown field `l3`",
        ),
        (
            "[machine.sm]\npolicy = \"old\"",
            1,
            "machine.sm.policy: unknown variant `old`, expected `gto` or `lrr`",
        ),
        ("[machine.sm]\nthreads = 128", 0, "kernel: "),
    ] {
        let (error, at) = broken("[paper]", &format!("{table}\n[paper]"));
        assert!(error.contains(expected), "{error}");
        if line == 1 {
            assert!(
                error.starts_with(&format!("line {}: ", at + line)),
                "{error}"
            );
        }
    }
    let fits = text().replace("[paper]", "[machine.l2]\nmshrs = 7\n[paper]");
    let changed = Scenario::from_toml(&fits).unwrap();
    assert_eq!(changed.machine.l2.mshrs, 7);
    let mut machine = changed.machine;
    machine.l2.mshrs = Scenario::named("gdc-figure-3").unwrap().machine.l2.mshrs;
    assert_eq!(machine, Scenario::named("gdc-figure-3").unwrap().machine);
    let (error, _) = broken("gdc = [22.3", "gdc = [nan");
    assert!(
        error.contains("paper is NaN, expected shares in percent, 0 to 100"),
        "{error}"
    );
    let one_table = format!(
        "{}[kernel]\nname = \"A\"\n",
        &text()[..text().find("[[kernel]]").unwrap()]
    );
    let error = Scenario::from_toml(&one_table).unwrap_err().to_string();
    assert!(
        error.contains("expected a list; kernels are [[kernel]] tables"),
        "{error}"
    );
    let (error, _) = broken("title = ", "# title = ");
    assert!(error.contains("missing field `title`"), "{error}");
    let unknown = Scenario::named("gdc-figure-4").unwrap_err().to_string();
    let known: Vec<&str> = names().chain(mix::names()).collect();
    assert_eq!(
        unknown,
        format!(
            "no scenario \"gdc-figure-4\" (did you mean \"gdc-figure-3\"?), expected one of: {}",
            known.join(", ")
        )
    );
}

// Every key of a file, misspelt, of a wrong type, and twice; found, not listed.
#[test]
fn every_key_is_checked() {
    let machine = "\n[machine]\nclock-mhz = 1377\n[machine.crossbar]\nlatency = 60\nqueue = 8\n";
    let whole = format!("{}{machine}", text());
    Scenario::from_toml(&whole).unwrap();
    let lines: Vec<&str> = whole.lines().collect();
    let mut keys = 0;
    for (index, line) in lines.iter().enumerate() {
        let Some((key, value)) = line.split_once(" = ") else {
            continue;
        };
        keys += 1;
        let key = key.trim();
        let broken = |with: String| {
            let mut changed = lines.clone();
            changed[index] = &with;
            Scenario::from_toml(&changed.join("\n"))
                .unwrap_err()
                .to_string()
        };
        // Where it is: the table is said, too.
        let place = format!("line {}: ", index + 1);
        let misspelt = broken(format!("{key}x = {value}"));
        assert!(misspelt.starts_with(&place), "{misspelt}");
        assert!(
            misspelt.contains(&format!("unknown field `{key}x` (did you mean \"{key}\"?)")),
            "{misspelt}"
        );
        let mistyped = broken(format!("{key} = {{}}"));
        assert!(mistyped.starts_with(&place), "{mistyped}");
        assert!(
            mistyped.contains(&format!("{key}: ")) && mistyped.contains("expected "),
            "{mistyped}"
        );
        for theirs in ["u64", "u32", "f64", "struct", "enum"] {
            assert!(!mistyped.contains(theirs), "{mistyped}");
        }
        let twice = broken(format!("{line}\n{line}"));
        assert!(
            twice.contains("duplicate key") && twice.contains(key),
            "{twice}"
        );
        assert!(
            twice.starts_with(&format!("line {}: ", index + 2)),
            "{twice}"
        );
    }
    assert!(keys > 23, "{keys}");
}

// What a scenario's head tells people to look at must be there to be seen.
#[test]
fn scenarios_show_what_they_say() {
    let played = |scenario: &Scenario| {
        let mut gpu = scenario.gpu().unwrap();
        let mut left = scenario.accesses;
        gpu.run_to(u64::MAX - 1, &mut |_| {
            left -= 1;
            left > 0
        });
        gpu.counts()
    };
    let run = |name: &str| played(&Scenario::named(name).unwrap());
    let rate = |counts: &Counts, kid: usize| {
        counts.kernels[kid].hits as f64 / counts.kernels[kid].accesses as f64
    };
    let share = |row: &[u64], kid: usize| row[kid] as f64 / row.iter().sum::<u64>() as f64;

    let (figure_3, alone) = (run("gdc-figure-3"), run("vma-alone"));
    assert!(rate(&alone, 0) > rate(&figure_3, 0) + 0.02);
    assert_eq!(alone.evictions, 0);

    let fit = run("both-fit");
    assert!(fit.gdc.iter().flatten().all(|&n| n > 100_000), "{fit:?}");
    // No line is missed twice.
    let missed: Vec<u64> = fit.kernels.iter().map(|kernel| kernel.misses).collect();
    assert!(fit.evictions == 0 && missed == fit.occupancy, "{fit:?}");

    let mut scenario = Scenario::named("stream-beside-reuse").unwrap();
    let stream = played(&scenario);
    assert!(
        rate(&stream, 0) < 0.01 && rate(&stream, 1) == 0.0,
        "{stream:?}"
    );
    scenario.kernels[1].blocks_per_sm = Some(1);
    let limited = played(&scenario);
    assert!(rate(&limited, 0) > 0.99, "{limited:?}");

    let small = run("small-cache");
    assert_eq!(rate(&small, 2), 0.0);
    assert!(
        share(&small.ike[0], 2) > 2.0 * share(&small.gdc[0], 2),
        "{small:?}"
    );

    let six = run("six-kernels");
    let rates: Vec<f64> = (0..6).map(|kid| rate(&six, kid)).collect();
    assert!(rates[2] > 0.9, "{rates:?}");
    assert!((0..6).all(|kid| kid == 2 || rates[kid] < 0.01), "{rates:?}");
    assert_eq!(six.ike[0][2], 0);
    assert_eq!(six.gdc[0].iter().max(), Some(&six.gdc[0][2]));
}

#[test]
fn every_scenario_is_read_and_says_what_to_look_at() {
    let mut titles = std::collections::BTreeSet::new();
    for name in names() {
        let scenario = Scenario::named(name).unwrap();
        assert!(titles.insert(scenario.title), "{name}");
        let text = Scenario::text(name).unwrap();
        assert!(text.starts_with("# "), "{name}");
        if scenario.paper.is_none() {
            assert!(text.contains("# Look at: "), "{name}");
        }
    }
}

#[test]
fn the_seed_and_nothing_else_decides() {
    let first = |seed: u64| {
        let scenario = Scenario {
            seed,
            ..Scenario::named("gdc-figure-3").unwrap()
        };
        let mut gpu = scenario.gpu().unwrap();
        let mut seen = vec![];
        gpu.run_to(20_000, &mut |r| {
            seen.push((r.cycle, r.access.address));
            true
        });
        seen
    };
    assert_eq!(first(1), first(1));
    assert_ne!(first(1), first(2));
}

#[test]
fn sizes() {
    let bytes = |text| Size::parse(text).map(|size| size.bytes(1000));
    for (text, expected) in [
        ("25 %", Some(250)),
        ("0.5%", Some(5)),
        ("7 B", Some(7)),
        ("2KiB", Some(2048)),
        ("1 GiB", Some(1 << 30)),
        ("", None),
        ("%", None),
        ("25", None),
        ("-1 B", None),
        ("0 %", None),
        ("0 B", None),
        ("1 KB", None),
        ("9999999 GiB", None),
        ("1..2 B", None),
    ] {
        assert_eq!(bytes(text), expected, "{text}");
    }
}

/// Rationale: what a kernel does alone is compared with what it does in company, so nothing but
/// the company may differ: not its data's place, nor its start.
#[test]
fn who_is_not_there_leaves_the_others_as_they_are() {
    let scenario = Scenario::named("gdc-figure-3").unwrap();
    let firsts = |present: u64| {
        let mut firsts = [None; 4];
        let mut gpu = scenario.gpu_of(present).unwrap();
        gpu.run_to(50_000, &mut |reached| {
            let first = &mut firsts[usize::from(reached.access.kernel)];
            first.get_or_insert(reached.access.address);
            true
        });
        firsts
    };
    let all = firsts(u64::MAX);
    assert!(all.iter().all(Option::is_some));
    for present in 0..16u64 {
        let there = |kid: usize| present >> kid & 1 == 1;
        let expected: Vec<_> = (0..4).map(|kid| all[kid].filter(|_| there(kid))).collect();
        assert_eq!(firsts(present)[..], expected, "{present:#b}");
    }
}
