//! Rationale: a dump is somebody else's, and so is the map; what is in them can be wrong in every
//! way, and a check that compared nothing must not pass. The example of docs/check-vcd.md is taken
//! from there and run in Icarus and in Verilator: right, with a fault, and with each thing wrong
//! that the page speaks of. Our own Verilog passes in every unit, and with a fault in it the first
//! mismatch is the one that the self-checking testbench prints, which shares no code with this.
#![allow(missing_docs)]

// Each test uses a part of it.
#[allow(dead_code)]
#[path = "cosim/mutants.rs"]
mod mutants;

use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;

use cotenant::unit::UNITS;
use mutants::MUTANTS;
use tempfile::TempDir;

const PAGE: &str = include_str!("../../docs/check-vcd.md");

/// The page's code in a language, block by block.
fn blocks(language: &str) -> Vec<&'static str> {
    let start = format!("\n```{language}\n");
    let parts = PAGE.split(&start[..]).skip(1);
    parts
        .map(|part| part.split("\n```\n").next().unwrap())
        .collect()
}

/// A command of the page.
fn line(start: &str) -> &'static str {
    PAGE.lines().find(|line| line.starts_with(start)).unwrap()
}

/// Runs a command in a folder: exit code, stdout, stderr.
fn shell(folder: &Path, command: &str) -> (i32, String, String) {
    let command = command.replace("cotenant ", concat!(env!("CARGO_BIN_EXE_cotenant"), " "));
    let output = Command::new("sh")
        .current_dir(folder)
        .args(["-c", &command])
        .output();
    let output = output.expect("there is a shell");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (
        output.status.code().unwrap(),
        text(output.stdout),
        text(output.stderr),
    )
}

/// The page's files in a folder.
fn example() -> TempDir {
    let work = tempfile::tempdir().unwrap();
    for text in [blocks("verilog"), blocks("toml"), blocks("cpp")].concat() {
        let name = text
            .split(['/', '#', ' ', '\n'])
            .find(|word| word.contains('.'));
        std::fs::write(work.path().join(name.unwrap()), format!("{text}\n")).unwrap();
    }
    work
}

fn edit(folder: &Path, name: &str, from: &str, to: &str) {
    let path = folder.join(name);
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.contains(from), "{from}");
    std::fs::write(&path, text.replace(from, to)).unwrap();
}

/// Simulates with changes to a file and checks the dump.
fn simulated(file: &str, from: &str, to: &str) -> (i32, String, String) {
    let work = example();
    edit(work.path(), file, from, to);
    let (code, out, err) = shell(work.path(), line("iverilog "));
    assert_eq!(code, 0, "{out}{err}");
    check(work.path())
}

fn check(folder: &Path) -> (i32, String, String) {
    let command = "cotenant check lru_stack --set small --vcd my_stack.vcd --map map.toml";
    assert!(PAGE.contains(command));
    shell(folder, command)
}

/// The page's dump.
fn dump() -> &'static [u8] {
    static DUMP: OnceLock<Vec<u8>> = OnceLock::new();
    DUMP.get_or_init(|| {
        let work = example();
        assert_eq!(shell(work.path(), line("iverilog ")).0, 0);
        std::fs::read(work.path().join("my_stack.vcd")).unwrap()
    })
}

/// Checks the page's dump with changes to the map.
fn mapped(from: &str, to: &str) -> (i32, String, String) {
    let work = example();
    std::fs::write(work.path().join("my_stack.vcd"), dump()).unwrap();
    edit(work.path(), "map.toml", from, to);
    check(work.path())
}

#[test]
fn the_example_passes_and_prints_what_the_page_shows() {
    let (code, out, err) = mapped("# map.toml", "");
    assert_eq!((code, &err[..]), (0, ""));
    assert_eq!(out.trim_end(), blocks("text")[0]);
}

#[test]
fn a_fault_is_found_where_the_page_says() {
    let (code, out, err) = simulated("my_stack.v", "slot_0[1] <= req[0];", ";");
    assert_eq!((code, &err[..]), (1, ""));
    assert_eq!(out.trim_end(), blocks("text")[1]);
}

#[test]
fn an_unknown_output_is_a_mismatch() {
    let (code, out, _) = simulated("my_stack.v", "slot_1 <= 3'b001", "slot_1 <= 3'bz01");
    assert_eq!(code, 1);
    let said = "cycle 2 at #25 (25 ns): stack_valid[1]";
    // The first cycle of reset with known inputs is number 3.
    let said = said.replace("cycle 2 at #25 (25 ns)", "cycle 3 at #35 (35 ns)");
    assert!(
        out.contains(&said) && out.contains("dut 0bx, golden 0x0"),
        "{out}"
    );
}

#[test]
fn an_unknown_input_is_an_error_after_reset_only() {
    let (code, _, err) = simulated("my_stack_tb.v", "    {req, inv} = 0;\n", "");
    assert_eq!(code, 2);
    let said = "my_stack.vcd: cycle 3 at #35 (35 ns): access_valid is unknown: \
                my_stack_tb.dut.req[3] is 0bx";
    assert!(err.contains(said), "{err}");
    // The reset itself, and the clock.
    let (code, _, err) = simulated(
        "my_stack_tb.v",
        "repeat (1000)",
        "repeat (1000) #7 rst_n = 1'bx; repeat (9)",
    );
    assert_eq!(code, 2);
    assert!(
        err.contains("reset is unknown: my_stack_tb.dut.rst_n is 0bx"),
        "{err}"
    );
    let (code, _, err) = simulated(
        "my_stack_tb.v",
        "repeat (1000)",
        "#20 force clk = 1'bx; #9 repeat (0)",
    );
    assert_eq!(code, 2);
    assert!(
        err.contains("clock is unknown: my_stack_tb.dut.clk is x"),
        "{err}"
    );
}

#[test]
fn illegal_inputs_are_no_mismatch() {
    let (code, out, err) = simulated("my_stack_tb.v", "req[2] = 0;", ";");
    assert_eq!((code, &out[..]), (2, ""));
    for said in [
        "the inputs break an assumption of lru_stack: access_way is ",
        "expected a hit to name a valid one",
        "mapped to my_stack_tb.dut.req[1]",
        "no mismatch",
    ] {
        assert!(err.contains(said), "{said}: {err}");
    }
}

#[test]
fn without_a_reset_nothing_passes() {
    for (time, said) in [
        ("start = 200", "my_stack_tb.dut.rst_n is low at none of 983 clock edges, or never leaves it from #200 on"),
        ("end = 20", "or never leaves it until #20"),
        ("start = 101\nend = 104", "my_stack_tb.dut.clk has no rising edge from #101 until #104"),
    ] {
        let (code, out, err) = mapped("[ports]", &format!("[time]\n{time}\n[ports]"));
        assert_eq!((code, &out[..]), (2, ""), "{time}");
        assert!(err.contains("nothing compared: ") && err.contains(said), "{time}: {err}");
    }
    // Not from the start, and not to the end.
    let (code, out, _) = mapped("[ports]", "[time]\nstart = 20\nend = 100\n[ports]");
    assert_eq!(code, 0);
    let said = "7 cycles compared; comparison starts with the first reset, seen at #25 (25 ns): 1 cycle skipped";
    assert!(out.contains(said), "{out}");
}

#[test]
fn a_wrong_map_is_answered() {
    for (from, to, said) in [
        ("dut.clk", "dut.clock", "map.toml: clock.signal: the dump has no signal 'my_stack_tb.dut.clock'; the nearest is 'my_stack_tb.dut.clk'"),
        ("\"my_stack_tb.dut.req[3]\"", "\"req[3]\"", "map.toml: ports.access_valid: the dump has no signal 'req[3]'; the nearest is 'my_stack_tb.req'"),
        ("dut.clk\"", "dut.inv\"", "map.toml: clock.signal: my_stack_tb.dut.inv has 2 bits, expected 1"),
        ("dut.req[1]\"", "dut.req[2:1]\"", "map.toml: ports.access_way: my_stack_tb.dut.req[2:1] has 2 bits, expected 1"),
        ("\"my_stack_tb.dut.slot_0[0]\", ", "", "map.toml: ports.stack_way: my_stack_tb.dut.slot_1[0] has 1 bits, expected 2 (2 x 1, element 0"),
        ("dut.req[3]", "dut.req[4]", "map.toml: ports.access_valid: 'my_stack_tb.dut.req[4]': expected bits of my_stack_tb.dut.req[3:0]"),
        ("dut.req[3]", "dut.req[0:3]", "expected bits of my_stack_tb.dut.req[3:0]"),
        ("dut.req[3]", "dut.req[x]", "expected NAME[BIT] or NAME[MSB:LSB]"),
        ("flush = { constant = 0 }\n", "", "map.toml: ports.flush: missing: expected the signal of this 1 bit port, or { constant = 0 }"),
        ("hit_pos = { ignore = true }\n", "", "map.toml: ports.hit_pos: missing: expected the signal of this 2 bit port, or { ignore = true }"),
        ("flush", "flash", "map.toml: ports.flash: lru_stack has no such port; the nearest is 'flush'"),
        ("{ constant = 0 }", "{ ignore = true }", "ports.flush: an input cannot be ignored"),
        ("{ constant = 0 }", "{ constant = 2 }", "ports.flush: expected a constant of 1 bits"),
        ("{ ignore = true }", "{ constant = 2 }", "ports.hit_pos: expected \"SIGNAL\""),
        ("{ ignore = true }", "{ ignore = false }", "ports.hit_pos: expected \"SIGNAL\""),
        ("{ constant = 0 }", "[1]", "ports.flush[0]: expected the name of a signal"),
        ("{ constant = 0 }", "[]", "ports.flush: expected \"SIGNAL\""),
        ("[ports]", "[ports]\nreset = \"a\"", "ports.reset: expected the reset in [reset]"),
        ("[reset]\nsignal = \"my_stack_tb.dut.rst_n\"\nactive = \"low\"\n", "", "map.toml: reset: expected [reset] with signal and active"),
        ("\"low\"", "\"lo\"", "unknown variant `lo`, expected `high` or `low`"),
        ("\"rising\"", "\"up\"", "unknown variant `up`, expected `rising` or `falling`"),
        ("edge", "egde", "unknown field `egde`, expected `signal` or `edge`"),
        ("[clock]", "[clock", "map.toml: TOML parse error at line 5"),
        ("unit = \"lru_stack\"", "unit = \"gdcu\"", "map.toml: unit: the map is for gdcu, expected lru_stack"),
        ("2x2", "4x4", "map.toml: set: the map is for 4x4, expected 2x2"),
    ] {
        let (code, out, err) = mapped(from, to);
        assert_eq!((code, &out[..]), (2, ""), "{from} -> {to}: {out}");
        assert!(err.contains(said), "{from} -> {to}: {err}");
    }
    let mut all = blocks("toml")[0].to_owned();
    for port in [
        "stack_way",
        "stack_owner",
        "stack_valid",
        "victim_way",
        "victim_owner",
        "victim_valid",
    ] {
        let start = all.find(&format!("\n{port} = ")).unwrap();
        let end = start + 1 + all[start + 1..].find('\n').unwrap_or(all.len() - start - 1);
        all.replace_range(start..end, &format!("\n{port} = {{ ignore = true }}"));
    }
    let (code, _, err) = mapped(blocks("toml")[0], &all);
    assert_eq!(code, 2);
    assert!(err.contains("ports: all outputs are ignored"), "{err}");
    // Right, but not what it is: the other edge, the other level.
    for (from, to) in [("rising", "falling"), ("\"low\"", "\"high\"")] {
        assert_ne!(mapped(from, to).0, 0, "{to}");
    }
}

#[test]
fn what_is_no_dump_is_an_error_and_no_panic() {
    let good = String::from_utf8(dump().to_vec()).unwrap();
    let body = good.find("$enddefinitions").unwrap();
    let cases = [
        String::new(),
        "hello\n".into(),
        good[..body].into(),
        good.replace("$var reg 4", "$var reg four"),
        good.replacen("\nb", "\nbq", 40),
        good.replace("\nb1", "\nb111111111111"),
        good.replacen("\n#1", "\n#x", 3),
        good.replace("\n1", "\nq"),
    ];
    for (i, text) in cases.iter().enumerate() {
        let work = example();
        std::fs::write(work.path().join("my_stack.vcd"), text).unwrap();
        let (code, out, err) = check(work.path());
        assert_eq!(code, 2, "case {i}: {out}{err}");
        assert!(
            !err.contains("panicked") && err.contains("my_stack.vcd"),
            "case {i}: {err}"
        );
    }
    let (code, _, err) = check(example().path());
    assert_eq!(code, 2);
    assert!(err.contains("cannot read my_stack.vcd"), "{err}");
}

#[test]
fn arguments_and_json() {
    let work = example();
    std::fs::write(work.path().join("my_stack.vcd"), dump()).unwrap();
    let dump = "--vcd my_stack.vcd --map map.toml";
    let (code, out, _) = shell(
        work.path(),
        &format!("cotenant check lru_stack --set small {dump} --json"),
    );
    let json: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(
        (code, &json["passed"], &json["skipped"]),
        (0, &true.into(), &3.into())
    );
    assert_eq!(
        (&json["cycles"], &json["compared"]),
        (&1003.into(), &1000.into())
    );
    for (arguments, said) in [
        (format!("--set all {dump}"), "a dump is of one set"),
        ("--vcd my_stack.vcd".into(), "--map"),
        ("--map map.toml".into(), "--vcd"),
        (format!("{dump} --cycles 3"), "cannot be used with"),
        ("--map-template --json".into(), "cannot be used with"),
        (dump.into(), "the map is for 2x2, expected 16x4"),
        (
            "--set small --vcd my_stack.vcd --map no.toml".into(),
            "cannot read no.toml",
        ),
    ] {
        let (code, out, err) = shell(
            work.path(),
            &format!("cotenant check lru_stack {arguments}"),
        );
        assert_eq!((code, &out[..]), (2, ""), "{arguments}");
        assert!(err.contains(said), "{arguments}: {err}");
    }
}

#[test]
fn dumps_of_verilator() {
    let work = example();
    let run = |command: &str| {
        let (code, out, err) = shell(work.path(), command);
        assert_eq!(code, 0, "{command}: {out}{err}");
        out
    };
    let compile = format!("{} -MAKEFLAGS OPT_FAST=-O0", line("verilator "));
    let map = line("sed 's/my_stack_tb.dut/TOP");
    run(&compile);
    run(line("obj_dir/"));
    run(map);
    let checked = line("cotenant check lru_stack --set small --vcd my_stack.vcd --map map.toml");
    let checked = checked.replace("map.toml", "verilator.toml");
    assert!(PAGE.contains(&checked));
    assert!(run(&checked).contains("no mismatch\n  999 cycles compared"));
    // Inputs that change with the edge.
    edit(
        work.path(),
        "main.cpp",
        "if (dut.clk == 0)",
        "if (dut.clk == 1)",
    );
    run(&compile);
    run(line("obj_dir/"));
    assert_ne!(shell(work.path(), &checked).0, 0);
    edit(
        work.path(),
        "verilator.toml",
        "[ports]",
        "[sample]\ninputs = 1\n[ports]",
    );
    assert!(run(&checked).contains("no mismatch\n  999 cycles compared"));
}

/// An export of a unit, a map for its dump, and what its self-checking testbench prints.
fn exported(unit: &str, set: &str, change: impl FnOnce(&Path)) -> (TempDir, String, String) {
    let work = tempfile::tempdir().unwrap();
    let folder = work.path();
    let run = |command: &str| {
        let (code, out, err) = shell(folder, command);
        assert_eq!(code, 0, "{command}: {err}");
        out
    };
    let export = "export --testbench --cycles 2000 --out rtl";
    run(&format!("cotenant {export} {unit} --set {set}"));
    let manifest = std::fs::read_to_string(folder.join("rtl/export.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
    let top = manifest["top"].as_str().unwrap();
    change(&folder.join("rtl"));
    shell(folder, "make -C rtl waves");
    let log = std::fs::read_to_string(folder.join("rtl/build/waves.log")).unwrap();
    let template = format!("cotenant check {unit} --set {set} --map-template");
    let map = run(&template).replace("\"tb.", &format!("\"{top}_tb."));
    std::fs::write(folder.join("map.toml"), map).unwrap();
    let check = format!("check {unit} --set {set} --vcd rtl/build/{top}.vcd --map map.toml");
    (work, format!("cotenant {check}"), log)
}

#[test]
fn our_own_verilog_passes_in_every_unit() {
    for unit in UNITS.iter().map(|unit| unit.name()) {
        for set in ["small", "figure-2"] {
            let (work, check, log) = exported(unit, set, |_| {});
            let (code, out, err) = shell(work.path(), &check);
            assert_eq!(code, 0, "{unit} {set}: {out}{err}");
            // As many as the testbench compared, but for those before a RAM is ready.
            let resets = out.contains("first reset");
            let compared = 2000 - u64::from(resets);
            assert!(
                out.contains(&format!("\n  {compared} cycles compared")),
                "{unit} {set}: {out}"
            );
            assert!(log.contains("PASS 2000 cycles, "), "{unit} {set}: {log}");
        }
    }
}

#[test]
fn a_mutant_fails_at_the_cycle_that_the_testbench_names() {
    for mutant in &MUTANTS {
        let unit = mutant.unit;
        let (work, check, log) = exported(unit, "figure-2", |folder| mutant.apply(folder));
        // cycle 12: stack_way: got 1, expected 0
        let first = log.lines().find(|line| line.starts_with("cycle ")).unwrap();
        let (cycle, rest) = first.split_once(": ").unwrap();
        let port = rest.split(':').next().unwrap();
        let (code, out, err) = shell(work.path(), &check);
        assert_eq!(code, 1, "{unit}: {out}{err}");
        assert!(
            out.contains(&format!(": {cycle} at #")),
            "{unit}: {first} but {out}"
        );
        assert!(
            out.contains(&format!("): {port}")),
            "{unit}: {first} but {out}"
        );
    }
}

#[test]
fn the_pages_commands_for_our_own_verilog_work() {
    let work = tempfile::tempdir().unwrap();
    let commands = blocks("sh").into_iter().last().unwrap();
    let (code, out, err) = shell(work.path(), &format!("set -e\n{commands}"));
    assert_eq!(code, 0, "{out}{err}");
    assert!(out.contains("1999 cycles compared"), "{out}");
}

/// Bits one by one, ascending ranges, several bits of a list at a time, a unit without a reset.
#[test]
fn signals_of_any_declaration() {
    let work = tempfile::tempdir().unwrap();
    let vcd = "\
$timescale 10 ns $end
$scope module t $end
$var wire 1 ! clk $end
$var wire 4 \" d [0:3] $end
$var wire 1 # c [2] $end
$var wire 1 $ c [1] $end
$var wire 1 % c [0] $end
$var real 64 & r $end
$var wire 1 ' twice $end
$var wire 1 ( twice $end
$upscope $end
$enddefinitions $end
#0
0!
b0111 \"
0#
1$
1%
#5
1!
#10
0!
b1000 \"
0$
#15
1!
";
    let map = |data: &str, count: &str| {
        let clock = "[clock]\nsignal = \"t.clk\"\n";
        let map = format!("{clock}[ports]\ndata = {data}\ncount = {count}\n");
        std::fs::write(work.path().join("m"), map).unwrap();
        std::fs::write(work.path().join("v"), vcd).unwrap();
        shell(
            work.path(),
            "cotenant check popcnt --set figure-2 --vcd v --map m",
        )
    };
    let bits = r#"["t.c[0]", "t.c[1]", "t.c[2]"]"#;
    for data in [
        r#""t.d""#,
        r#""t.d[0:3]""#,
        r#"["t.d[3]", "t.d[2]", "t.d[1]", "t.d[0]"]"#,
        r#"["t.d[2:3]", "t.d[0:1]"]"#,
    ] {
        let (code, out, err) = map(data, bits);
        assert_eq!((code, &err[..]), (0, ""), "{data}: {out}");
        assert_eq!(out, "popcnt 4: v: no mismatch\n  2 cycles compared\n");
    }
    assert_eq!(map(r#""t.d""#, r#""t.c""#).0, 0, "the reader puts them together");
    let (code, out, _) = map(r#"["t.d[0]", "t.d[0]", "t.d[1]", "t.d[1]"]"#, bits);
    assert_eq!(code, 1);
    assert!(
        out.contains("cycle 0 at #5 (50 ns): count (t.c[0], t.c[1], t.c[2]): dut 0x3, golden 0x2"),
        "{out}"
    );
    for (data, count, said) in [
        (r#""t.d[3:0]""#, bits, "expected bits of t.d[0:3]"),
        (
            r#""t.d""#,
            r#""t.twice""#,
            "'t.twice' is several signals in the dump",
        ),
        (r#""t.r""#, bits, "'t.r' is no signal of bits"),
    ] {
        let (code, _, err) = map(data, count);
        assert_eq!(code, 2, "{data}");
        assert!(err.contains(said), "{data}: {err}");
    }
}
