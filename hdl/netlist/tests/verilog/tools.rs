//! Exported designs in the hands of the tools.

use crate::support::stimulus;
use cotenant_netlist::equivalence::{self, Verdict};
use cotenant_netlist::sim::Sim;
use cotenant_netlist::vectors::{Header, Writer};
use cotenant_netlist::verilog::{self, Design, Options};
use cotenant_netlist::Netlist;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Runs a tool in a folder; its exit code and what it says.
pub fn run(folder: &Path, tool: &str, arguments: &[&str]) -> (bool, String) {
    let out = Command::new(tool)
        .current_dir(folder)
        .args(arguments)
        .output();
    let out = out.unwrap_or_else(|e| panic!("{tool}: {e}"));
    let said = String::from_utf8_lossy(&out.stdout) + String::from_utf8_lossy(&out.stderr);
    (out.status.success(), said.into_owned())
}

/// A block that reads an array runs whenever any word of it changes.
const ENTIRE_ARRAY: &str = "-Wno-sensitivity-entire-array";

/// A design in a folder of its own.
pub struct Exported {
    pub folder: tempfile::TempDir,
    pub design: Design,
    pub files: Vec<PathBuf>,
}

/// Exports a netlist, unrolled or with loops and arrays.
pub fn export(netlist: &Netlist, readable: bool) -> Exported {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut options = Options::default();
    options.readable = readable;
    let design = verilog::export(netlist, &options).expect("exported");
    let files = design.write_to(folder.path()).expect("written");
    Exported {
        folder,
        design,
        files,
    }
}

impl Exported {
    /// All modules as one text.
    pub fn text(&self) -> String {
        self.design
            .modules
            .iter()
            .map(|m| m.text.as_str())
            .collect()
    }

    fn names(&self) -> Vec<&str> {
        self.design
            .modules
            .iter()
            .map(|m| m.file_name.as_str())
            .collect()
    }

    /// What the linters say; nothing if the text is clean.
    pub fn complaints(&self) -> String {
        let top = self.design.top.as_str();
        let read = format!(
            "read_verilog {}; hierarchy -check -top {top}; proc; check -assert",
            self.names().join(" ")
        );
        let mut said = String::new();
        let mut tool = |name: &str, options: &[&str], files: &[&str]| {
            let arguments: Vec<&str> = options.iter().chain(files).copied().collect();
            let (success, text) = run(self.folder.path(), name, &arguments);
            if !success || !text.trim().is_empty() {
                said.push_str(&format!("{name}: {text}\n"));
            }
        };
        tool(
            "verilator",
            &["--lint-only", "-Wall", "--top-module", top],
            &self.names(),
        );
        tool(
            "iverilog",
            &["-g2005", "-Wall", ENTIRE_ARRAY, "-t", "null", "-s", top],
            &self.names(),
        );
        tool("yosys", &["-q", "-p", &read], &[]);
        said
    }

    /// Yosys and abc compare the files with the netlist.
    pub fn prove(&self, netlist: &Netlist) -> Result<Verdict, equivalence::Error> {
        equivalence::prove(netlist, &self.design, &self.files, self.folder.path())
    }

    /// Writes vectors of random inputs, as our own simulator answers them,
    /// and both test benches.
    pub fn write_bench(&self, netlist: &Netlist, cycles: usize, seed: u64) {
        let folder = self.folder.path();
        let top = &self.design.top;
        let header = Header::of(&self.design);
        let file = std::fs::File::create(folder.join(format!("{top}.vec"))).expect("created");
        let mut writer = Writer::new(std::io::BufWriter::new(file), &header).expect("written");
        let mut sim = Sim::new(netlist).expect("simulates");
        let slots: Vec<_> = sim.layout().inputs().map(|(_, slot)| slot).collect();
        for inputs in stimulus::random(netlist, cycles, seed) {
            for (slot, value) in slots.iter().zip(inputs) {
                sim.set_words(*slot, &value.to_u64_digits());
            }
            sim.step();
            writer.record(&sim).expect("written");
        }
        writer.finish().expect("finished");
        let bench = verilog::testbench(netlist, &self.design, &header).expect("a test bench");
        std::fs::write(folder.join(format!("{top}_tb.v")), bench).expect("written");
        let main = verilog::verilator_main(netlist, &self.design, &header).expect("a main program");
        std::fs::write(folder.join(format!("{top}_main.cpp")), main).expect("written");
    }

    /// What the test bench prints in Icarus.
    pub fn icarus(&self) -> String {
        let bench = format!("{}_tb", self.design.top);
        let file = format!("{bench}.v");
        let mut arguments = vec!["-g2005", "-Wall", ENTIRE_ARRAY];
        arguments.extend(["-s", &bench, "-o", "bench", &file]);
        arguments.extend(self.names());
        let (success, said) = run(self.folder.path(), "iverilog", &arguments);
        assert!(success && said.is_empty(), "iverilog: {said}");
        run(self.folder.path(), "vvp", &["-n", "bench"]).1
    }
}
