//! The guide `docs/from-rust-hdl.md` and its examples.
//!
//! Rationale: code in a guide that nothing compiles is wrong after the next change. So each piece
//! of it stands in an example, word by word; the examples run here, their Verilog passes its own
//! testbench and assertions in Icarus; and bugs that are planted in block, netlist and Verilog are
//! caught by whom the guide says.

#[allow(missing_docs, dead_code)]
#[path = "../examples/fifo.rs"]
mod fifo;
#[allow(missing_docs, dead_code)]
#[path = "../examples/round_robin.rs"]
mod round_robin;

use cotenant_netlist::hdl::*;
use cotenant_netlist::vectors::Header;
use cotenant_netlist::{elaborate, fault, verilog, Netlist};
use fifo::lockstep::{lockstep, stimulus, Mismatch};
use fifo::{Fifo, Queue};
use std::fs::read_to_string;
use std::path::Path;
use std::process::Command;

const SOURCES: [&str; 3] = [
    include_str!("../examples/fifo.rs"),
    include_str!("../examples/round_robin.rs"),
    include_str!("../examples/lockstep/mod.rs"),
];

/// The Rust of a page, piece by piece.
fn pieces(page: &str) -> impl Iterator<Item = &str> {
    let pieces = page.split("```rust\n").skip(1);
    pieces.map(|rest| rest.split("```").next().unwrap_or_default())
}

/// Pieces that are in no example.
fn strangers(page: &str) -> Vec<&str> {
    let known = |piece: &&str| SOURCES.iter().any(|source| source.contains(*piece));
    pieces(page).filter(|piece| !known(piece)).collect()
}

#[test]
fn the_guide_shows_the_examples() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/from-rust-hdl.md");
    let page = read_to_string(page).expect("the guide");
    assert!(pieces(&page).count() > 8);
    assert_eq!(strangers(&page), <[&str; 0]>::default());
    let changed = page.replace("self.stored.q.val() + 1", "self.stored.q.val() + 2");
    assert_eq!(strangers(&changed).len(), 1);
}

fn built(full_at: u64) -> (Fifo<8>, Netlist) {
    let mut fifo = Fifo::<8>::with_full_at(full_at);
    fifo.connect_all();
    let netlist = elaborate(&fifo, "fifo").expect("it elaborates");
    (fifo, netlist)
}

#[test]
fn a_bug_in_the_block_differs_from_the_model() {
    let (mut fifo, netlist) = built(5);
    let inputs = stimulus(&netlist, 1000, 2);
    let error = lockstep(&mut fifo, &netlist, Queue::default(), &inputs).expect_err("a bug");
    let mismatch = error.downcast::<Mismatch>().expect("a difference");
    assert_eq!((&mismatch.output[..], mismatch.other), ("full", "model"));
}

#[test]
fn a_fault_in_the_netlist_differs_from_update() {
    let (_, netlist) = built(4);
    let inputs = stimulus(&netlist, 1000, 2);
    for fault in fault::at_outputs(&netlist) {
        let (mut fifo, _) = built(4);
        let faulty = netlist.with_fault(&fault).expect("a place");
        let error = lockstep(&mut fifo, &faulty, Queue::default(), &inputs).expect_err("a fault");
        let mismatch = error.downcast::<Mismatch>().expect("a difference");
        assert_eq!(mismatch.other, "update()");
    }
}

/// What Icarus prints of an exported folder.
fn simulated(folder: &Path, top: &str) -> String {
    let command = format!("iverilog -g2012 -s {top}_tb -s {top}_watch -o tb *.v *.sv && vvp -n tb");
    let ran = Command::new("sh")
        .args(["-c", &command])
        .current_dir(folder)
        .output()
        .expect("Icarus runs");
    let errors = String::from_utf8_lossy(&ran.stderr);
    assert!(errors.is_empty(), "{errors}");
    String::from_utf8_lossy(&ran.stdout).into_owned()
}

/// Writes the Verilog of another netlist in place of an example's.
fn replace(folder: &Path, top: &str, netlist: &Netlist) {
    let mut options = verilog::Options::default();
    options.top = Some(top.into());
    // Of a fault, the modules know nothing; the graph does.
    let design = verilog::flat(netlist, &options, "Planted.").expect("a design");
    design.write_to(folder).expect("files are written");
}

/// Files name the license of the block that was exported, not that of this crate; without one, none.
#[test]
fn files_name_the_license_of_the_block() {
    let netlist = built(5).1;
    let texts = |license: Option<&str>| -> Vec<String> {
        let mut options = verilog::Options::default();
        options.readable = true;
        options.license = license.map(String::from);
        let design = verilog::export(&netlist, &options).expect("a design");
        let header = Header::of(&design);
        let flat = verilog::flat(&netlist, &options, "").expect("a design");
        let modules = design.modules.iter().chain(&flat.modules);
        let mut texts: Vec<String> = modules.map(|file| file.text.clone()).collect();
        texts.push(verilog::testbench(&netlist, &design, &header).expect("a testbench"));
        texts.push(verilog::verilator_main(&netlist, &design, &header).expect("a testbench"));
        texts
    };
    let lines = |text: &String| text.matches("SPDX-License-Identifier:").count();
    let own = texts(Some("CERN-OHL-P-2.0"));
    // The block, once more as one module, and two testbenches.
    assert_eq!(own.iter().map(lines).collect::<Vec<_>>(), [1; 4]);
    let named = "// SPDX-License-Identifier: CERN-OHL-P-2.0\n";
    assert!(own.iter().all(|text| text.contains(named)));
    let none = texts(None);
    assert!(none.iter().all(|text| lines(text) == 0));
    // Nothing else differs.
    assert!(own
        .iter()
        .zip(&none)
        .all(|(own, none)| own.replace(named, "") == *none));
}

#[test]
fn the_fifo_runs_and_its_verilog_is_checked() {
    let folder = tempfile::tempdir().expect("a folder");
    fifo::run(folder.path()).expect("the example runs");
    let says = simulated(folder.path(), "fifo");
    assert!(says.contains("PASS 10000 cycles"), "{says}");
    assert!(!says.contains("ERROR"), "{says}");

    replace(folder.path(), "fifo", &built(5).1);
    let says = simulated(folder.path(), "fifo");
    assert!(says.contains("FAIL"), "{says}");
    assert!(says.contains("full with"), "{says}");
}

#[test]
fn the_arbiter_runs_and_its_verilog_is_checked() {
    let folder = tempfile::tempdir().expect("a folder");
    round_robin::run(folder.path()).expect("the example runs");
    let says = simulated(folder.path(), "round_robin");
    assert!(says.contains("PASS 10000 cycles"), "{says}");
    assert!(!says.contains("ERROR"), "{says}");

    let mut arbiter = round_robin::RoundRobin::default();
    arbiter.connect_all();
    let netlist = elaborate(&arbiter, "round_robin").expect("it elaborates");
    let stuck_at_1 =
        |fault: &&fault::Fault| matches!(fault, fault::Fault::StuckOutput { value: true, .. });
    let faults = fault::at_outputs(&netlist);
    let fault = faults.iter().find(stuck_at_1).expect("an output");
    replace(
        folder.path(),
        "round_robin",
        &netlist.with_fault(fault).expect("a place"),
    );
    let says = simulated(folder.path(), "round_robin");
    assert!(says.contains("FAIL"), "{says}");
    assert!(says.contains("granted without request"), "{says}");
}
