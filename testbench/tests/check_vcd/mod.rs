//! Rationale: a dump is somebody else's, and so is the map; what is in them can be wrong in every
//! way, and a check that compared nothing must not pass. The example of docs/check-vcd.md is taken
//! from there and run in Icarus and in Verilator: right, with a fault, and with each thing wrong
//! that the page speaks of. Our own Verilog passes in every unit, and with a fault in it the first
//! mismatch is the one that the self-checking testbench prints, which shares no code with this.
#![allow(missing_docs)]

mod asked;
mod exported;
mod refused;

use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;

use tempfile::TempDir;

const PAGE: &str = include_str!("../../../docs/check-vcd.md");

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
    let command = "cotenant check lru_stack --config small --vcd my_stack.vcd --map map.toml";
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
fn the_help_shows_the_pages_command() {
    let (code, out, _) = shell(Path::new("."), "cotenant check --help");
    let command = line("cotenant check lru_stack --config small --vcd my_stack.vcd");
    assert!(code == 0 && out.contains(command), "{out}");
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
fn dumps_of_verilator() {
    let work = example();
    let run = |command: &str| {
        let (code, out, err) = shell(work.path(), command);
        assert_eq!(code, 0, "{command}: {out}{err}");
        out
    };
    let compile = format!(
        "{} -MAKEFLAGS 'OPT_FAST=-O0 OPT_GLOBAL=-O0'",
        line("verilator ")
    );
    let map = line("sed 's/my_stack_tb.dut/TOP");
    run(&compile);
    run(line("obj_dir/"));
    run(map);
    let checked = line("cotenant check lru_stack --config small --vcd my_stack.vcd --map map.toml");
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
