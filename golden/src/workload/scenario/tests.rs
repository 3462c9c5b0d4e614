//! Rationale: people write these files by hand. Each thing that can be wrong in one is broken in
//! turn; the answer must name line, key, what is there and what may be.
use super::*;
use crate::gpu::Gpu;

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
    let footprints: Vec<u64> = scenario.kernels.iter().map(|k| k.footprint).collect();
    assert_eq!(footprints[..2], [capacity / 4, capacity / 2]);
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
            "platform is \"savier\", expected xavier",
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
            "\"25 %\"",
            "\"a lot\"",
            "kernel.footprint is \"a lot\", expected a part of the cache",
        ),
        (
            "\"25 %\"",
            "\"12 B\"",
            "kernel.footprint is 12, expected 512",
        ),
        (
            "in-flight = 32 ",
            "in-flight = 0 ",
            "kernel.in-flight is 0, expected 1 to 65536",
        ),
        (
            "sets = 16 ",
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
            "loop: unknown variant `mma`, expected one of `vma`",
        ),
        (
            "seed = 1",
            "seeds = 1",
            "seeds: unknown field `seeds`, expected one of",
        ),
        (
            "seed = 1",
            "seed = \"one\"",
            "seed: invalid type: string \"one\", expected u64",
        ),
        ("seed = 1", "seed = ", "seed: "),
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
    let (error, line) = broken("sets = 16 ", "# sets = 16 ");
    // The table that lacks it.
    assert_eq!(error, format!("line {}: kernel.sets of agg2 is not there, expected 1 to 256, how many sets it touches", line - 4));
    let (error, _) = broken("loop = \"vma\"", "loop = \"vma\"\nsets = 3");
    assert!(
        error.contains("kernel.sets is 3, expected none: vma goes through all sets"),
        "{error}"
    );
    let (error, _) = broken("gdc = [22.3, ", "gdc = [");
    assert!(
        error.contains("paper is 3 and 4 shares, expected 4 by gdc and by plob"),
        "{error}"
    );
    let (error, _) = broken(
        "[paper]",
        "[timing]\ncrossbar = 1\nhit = 1\nmemory = 1\nbandwidth = 0\n[paper]",
    );
    assert!(error.contains("timing.bandwidth is 0"), "{error}");
    let (error, _) = broken("title = ", "# title = ");
    assert!(error.contains("missing field `title`"), "{error}");
    let unknown = Scenario::named("gdc-figure-4").unwrap_err().to_string();
    assert_eq!(
        unknown,
        "no scenario \"gdc-figure-4\", expected one of: gdc-figure-3, or a file"
    );
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
