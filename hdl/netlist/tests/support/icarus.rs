//! Verilog in Icarus: vectors in, values out.

use num_bigint::BigUint;
use std::fmt::Write;
use std::process::Command;

/// A port of a module under test.
#[derive(Clone)]
pub struct Pin {
    /// Its name in Verilog.
    pub name: String,
    /// Width in bits.
    pub width: usize,
}

/// A module with the inputs to give it.
pub struct Bench {
    /// Name of the module.
    pub module: String,
    /// The clock, if there is one.
    pub clock: Option<String>,
    /// Data inputs.
    pub inputs: Vec<Pin>,
    /// Outputs.
    pub outputs: Vec<Pin>,
    /// Values of the inputs, cycle by cycle.
    pub vectors: Vec<Vec<BigUint>>,
    /// Statements that set the state at the start; `dut` is the module.
    pub power_up: String,
}

impl Bench {
    /// A test bench called `tb_{index}` that writes the outputs as bits, one
    /// line per cycle, just before each rising edge.
    fn verilog(&self, index: usize) -> String {
        let width: usize = self.inputs.iter().map(|p| p.width).sum::<usize>().max(1);
        let cycles = self.vectors.len();
        let mut out = String::new();
        let mut ports: Vec<String> = vec![];
        let _ = writeln!(out, "module tb_{index};\n  reg clk = 0; integer i, file;");
        let _ = writeln!(
            out,
            "  reg [{}:0] vectors [0:{}];\n  reg [{}:0] now;",
            width - 1,
            cycles - 1,
            width - 1
        );
        let mut low = 0;
        for pin in &self.inputs {
            ports.push(format!(".{}(now[{low} +: {}])", pin.name, pin.width));
            low += pin.width;
        }
        if let Some(clock) = &self.clock {
            ports.push(format!(".{clock}(clk)"));
        }
        for (k, pin) in self.outputs.iter().enumerate() {
            let _ = writeln!(out, "  wire [{}:0] out_{k};", pin.width - 1);
            ports.push(format!(".{}(out_{k})", pin.name));
        }
        let _ = writeln!(out, "  {} dut ({});", self.module, ports.join(", "));
        let formats = vec!["%b"; self.outputs.len()].join(" ");
        let names: Vec<String> = (0..self.outputs.len())
            .map(|k| format!("out_{k}"))
            .collect();
        let _ = writeln!(
            out,
            "  initial begin\n    $readmemh(\"in_{index}.hex\", vectors);"
        );
        let _ = writeln!(out, "    file = $fopen(\"out_{index}.txt\", \"w\");");
        // After the always blocks have begun to wait.
        let _ = writeln!(out, "    #1;\n{}", self.power_up);
        let _ = writeln!(out, "    for (i = 0; i < {cycles}; i = i + 1) begin");
        let _ = writeln!(out, "      clk = 0; now = vectors[i]; #1;");
        let _ = writeln!(
            out,
            "      $fdisplay(file, \"{formats}\", {});",
            names.join(", ")
        );
        let _ = writeln!(
            out,
            "      clk = 1; #1;\n    end\n    $fclose(file);\n  end\nendmodule"
        );
        out
    }

    fn stimulus(&self) -> String {
        let line = |values: &Vec<BigUint>| {
            let mut low = 0;
            let mut word = BigUint::ZERO;
            for (value, pin) in values.iter().zip(&self.inputs) {
                word |= value << low;
                low += pin.width;
            }
            format!("{word:x}\n")
        };
        self.vectors.iter().map(line).collect()
    }
}

/// Runs many modules in one go; for each the outputs as bits (`x` where
/// unknown), cycle by cycle. An error is what the compiler says.
pub fn run(source: &str, benches: &[Bench]) -> Result<Vec<Vec<Vec<String>>>, String> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut text = source.to_string();
    for (i, bench) in benches.iter().enumerate() {
        text += &bench.verilog(i);
        std::fs::write(folder.path().join(format!("in_{i}.hex")), bench.stimulus())
            .expect("written");
    }
    std::fs::write(folder.path().join("all.v"), text).expect("written");
    let mut compile = Command::new("iverilog");
    compile
        .current_dir(folder.path())
        .args(["-g2005", "-o", "all.vvp"]);
    for i in 0..benches.len() {
        compile.args(["-s", &format!("tb_{i}")]);
    }
    let compiled = compile
        .arg("all.v")
        .output()
        .expect("iverilog is installed");
    if !compiled.status.success() {
        return Err(String::from_utf8_lossy(&compiled.stderr).into_owned());
    }
    let ran = Command::new("vvp")
        .current_dir(folder.path())
        .args(["-n", "all.vvp"])
        .output();
    let ran = ran.expect("vvp is installed");
    if !ran.status.success() {
        return Err(String::from_utf8_lossy(&ran.stdout).into_owned());
    }
    let read = |i| std::fs::read_to_string(folder.path().join(format!("out_{i}.txt")));
    let answers = |text: String| {
        text.lines()
            .map(|l| l.split_whitespace().map(String::from).collect())
            .collect()
    };
    (0..benches.len())
        .map(|i| read(i).map(answers).map_err(|e| e.to_string()))
        .collect()
}

/// A value as Icarus prints it.
pub fn printed(value: &BigUint, width: usize) -> String {
    format!("{:0>width$}", value.to_str_radix(2))
}
