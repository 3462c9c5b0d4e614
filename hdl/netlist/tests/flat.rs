//! Flat Verilog of a netlist's graph, and designs without one of their parts.
//!
//! Rationale: what checks the Verilog is shown faulty units, so the text of a faulty unit must be
//! the faulty netlist and nothing else. Yosys and abc prove it, of each unit, without a fault and
//! with one, of another kind in each; and they tell the faulty text from the right netlist. A unit without a part is a
//! design of its own, whose text is proven, too: what was put out by the part comes from outside.

use cotenant_netlist::equivalence::{prove, Verdict};
use cotenant_netlist::fault::{sample, Described, KINDS};
use cotenant_netlist::verilog::{self, Design, Options};
use cotenant_netlist::Netlist;
use cotenant_units::table;

fn unit(name: &str) -> Netlist {
    let small = table::set(name, "small").unwrap();
    table::netlist(name, &small).unwrap().unwrap()
}

fn judged(netlist: &Netlist, design: &Design) -> Verdict {
    let folder = tempfile::tempdir().unwrap();
    let files = design.write_to(folder.path()).unwrap();
    prove(netlist, design, &files, folder.path()).unwrap_or_else(|e| panic!("{}: {e}", design.top))
}

fn flat(netlist: &Netlist) -> Design {
    let design = verilog::flat(netlist, &Options::default(), "").unwrap();
    assert_eq!(design.modules.len(), 1);
    design
}

fn equal(netlist: &Netlist, design: &Design, what: &str) {
    let verdict = judged(netlist, design);
    let equal = matches!(verdict, Verdict::Equal { bits } if bits > 0);
    assert!(equal, "{what}: {verdict:?}");
}

#[test]
fn flat_text_is_the_netlist() {
    for name in table::units() {
        let netlist = unit(name);
        equal(&netlist, &flat(&netlist), name);
    }
}

#[test]
fn the_text_of_a_faulty_unit_is_the_faulty_netlist_and_not_the_right_one() {
    for (at, name) in table::units().into_iter().enumerate() {
        let netlist = unit(name);
        let mut faults = sample(&netlist, KINDS.len(), 1);
        // Of each unit another kind first.
        let first = at % faults.len();
        faults.rotate_left(first);
        let seen = faults.iter().any(|fault| {
            let faulty = netlist.with_fault(fault).unwrap();
            let (words, text) = (Described(&netlist, fault), flat(&faulty));
            equal(&faulty, &text, &format!("{name}: {words}"));
            // A fault may be without effect; then the next is tried.
            matches!(judged(&netlist, &text), Verdict::Different { .. })
        });
        assert!(seen, "{name}");
    }
}

#[test]
fn a_unit_without_a_part_takes_what_that_put_out_from_outside() {
    let whole = unit("llc_monitor_apb");
    let rest = whole.without("monitor").unwrap();
    let inputs: Vec<&str> = rest.inputs.iter().map(|i| i.name.as_str()).collect();
    assert!(inputs.contains(&"monitor.read_count"), "{inputs:?}");
    let outputs: Vec<&str> = rest.outputs.iter().map(|o| o.name.as_str()).collect();
    assert!(outputs.contains(&"monitor.snapshot"), "{outputs:?}");
    assert!(!outputs.contains(&"monitor.clock"), "{outputs:?}");
    assert!(rest.regs.iter().all(|r| !r.name.starts_with("monitor.")));
    assert!(rest.regs.len() < whole.regs.len());
    let design = verilog::export(&rest, &Options::default()).unwrap();
    let ports: Vec<&str> = design.ports.iter().map(|p| p.verilog.as_str()).collect();
    assert!(ports.contains(&"monitor_read_count"), "{ports:?}");
    equal(&rest, &design, "hierarchical");
    equal(&rest, &flat(&rest), "flat");
    let error = whole.without("issue").unwrap_err().to_string();
    assert!(error.contains("no instance 'issue'"), "{error}");
    assert!(error.contains("monitor"), "{error}");
}
