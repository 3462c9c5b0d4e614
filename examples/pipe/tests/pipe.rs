//! A Verilog design in Icarus Verilog beside the golden model: the simulator is a process of its own, and
//! each cycle's inputs and outputs go through its standard input and output.

use std::error::Error;
use std::fs;
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use cotenant::registry::{Drawn, Stimulus};
use cotenant_golden::dynamic;
use cotenant_golden::ports::Port;

/// Cycles behind the directed part.
const CYCLES: u64 = 10_000;

/// What plays a design: it reads a line of inputs, writes a line of outputs and gives an edge of the
/// clock, until its standard input ends. Numbers are hexadecimal, in the order of the ports.
fn harness(module: &str, inputs: &[Port], outputs: &[Port]) -> String {
    let declared = |kind: &str, ports: &[Port]| -> String {
        let declare = |port: &Port| format!("  {kind} [{}:0] {};\n", port.width() - 1, port.name);
        ports.iter().map(declare).collect()
    };
    let names = |ports: &[Port]| {
        let names: Vec<&str> = ports.iter().map(|port| port.name).collect();
        names.join(", ")
    };
    let connected: String = inputs
        .iter()
        .chain(outputs)
        .map(|port| format!(", .{0}({0})", port.name))
        .collect();
    let number = |ports: &[Port]| vec!["%h"; ports.len()].join(" ");
    format!(
        "module harness;
  localparam STDIN = 32'h8000_0000, STDOUT = 32'h8000_0001;
  reg clock = 0;
{}{}  {module} dut(.clock(clock){connected});
  initial begin
    while ($fscanf(STDIN, \"{}\", {}) == {}) begin
      #1 $display(\"{}\", {});
      $fflush(STDOUT);
      clock = 1;
      #1 clock = 0;
    end
    $finish;
  end
endmodule
",
        declared("reg", inputs),
        declared("wire", outputs),
        number(inputs),
        names(inputs),
        inputs.len(),
        number(outputs),
        names(outputs),
    )
}

/// A simulation that is running.
struct Simulator {
    process: Child,
    inputs: ChildStdin,
    outputs: BufReader<ChildStdout>,
    line: String,
}

/// Runs a command that has to succeed.
fn run(command: &mut Command) -> Result<(), Box<dyn Error>> {
    let output = command.output().map_err(|error| {
        let program = command.get_program().to_string_lossy().into_owned();
        io::Error::new(error.kind(), format!("{program}: {error}"))
    })?;
    match output.status.success() {
        true => Ok(()),
        false => Err(String::from_utf8_lossy(&output.stderr).into()),
    }
}

impl Simulator {
    fn new(source: &Path, build: &Path, harness: &str) -> Result<Self, Box<dyn Error>> {
        fs::create_dir_all(build)?;
        let (text, program) = (build.join("harness.v"), build.join("harness.vvp"));
        fs::write(&text, harness)?;
        let include = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scoreboard");
        run(Command::new("iverilog")
            .arg("-I")
            .arg(include)
            .args(["-s", "harness", "-o"])
            .args([&program, &text, source]))?;
        let mut process = Command::new("vvp")
            .arg("-n")
            .arg(program)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let (inputs, outputs) = (process.stdin.take(), process.stdout.take());
        Ok(Self {
            process,
            inputs: inputs.ok_or("no standard input")?,
            outputs: BufReader::new(outputs.ok_or("no standard output")?),
            line: String::new(),
        })
    }

    /// A cycle: the outputs for these inputs, before the edge; `None` where they are unknown.
    fn cycle(&mut self, inputs: &[u64]) -> Result<Vec<Option<u64>>, Box<dyn Error>> {
        let words: Vec<String> = inputs.iter().map(|word| format!("{word:x}")).collect();
        writeln!(self.inputs, "{}", words.join(" "))?;
        self.line.clear();
        if self.outputs.read_line(&mut self.line)? == 0 {
            return Err("the simulation has ended".into());
        }
        let words = self.line.split_whitespace();
        Ok(words
            .map(|word| u64::from_str_radix(word, 16).ok())
            .collect())
    }
}

impl Drop for Simulator {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The first cycle and port in which the design in a file is not the golden model.
fn difference(file: &str) -> Result<Option<(u64, &'static str)>, Box<dyn Error>> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    let build = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(file.replace('/', "_"));
    let mut model = dynamic::unit("lru_stack")?.model("2x2")?;
    let harness = harness("my_lru", model.inputs(), model.outputs());
    let mut design = Simulator::new(&source, &build, &harness)?;

    let drawn = Drawn {
        directed: 20_000,
        ..Drawn::default()
    };
    let stimulus = Stimulus::new(&model, &drawn, &mut |_| true)?;
    let mut stimulus = stimulus.ok_or("nobody stops it")?;
    let mut outputs = model.output_row();
    for cycle in 0..stimulus.directed() + CYCLES {
        let inputs = stimulus.next(&model)?.to_vec();
        let seen = design.cycle(&inputs)?;
        model.step(&inputs, &mut outputs)?;
        let mut ports = model.outputs().iter().zip(outputs.iter().zip(seen));
        let wrong = ports.find(|(_, (&expected, seen))| *seen != Some(expected));
        // The flops are unknown in the first cycle, which is the reset.
        if let Some((port, _)) = wrong.filter(|_| cycle > 0) {
            return Ok(Some((cycle, port.name)));
        }
    }
    Ok(None)
}

#[test]
fn my_lru_is_the_golden_model() {
    assert_eq!(difference("../scoreboard/my_lru.v").unwrap(), None);
}

#[test]
fn a_mistake_is_found() {
    let found = difference("mistake.v").unwrap();
    assert!(
        matches!(found, Some((_, "stack_owner" | "victim_owner"))),
        "{found:?}"
    );
}

/// What does not compile is said in the simulator's words.
#[test]
fn what_the_compiler_says_is_passed_on() {
    let error = difference("../scoreboard/run").unwrap_err().to_string();
    assert!(error.contains("syntax error"), "{error}");
}
