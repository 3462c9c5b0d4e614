//! Facts about units behind a bus; the same stems as the units.

mod llc_monitor;
mod mem_issue;

use cotenant_netlist::graph::NodeId;

use super::Terms;

/// Flops of the register port, one a cycle of a transfer.
const PHASES: [&str; 4] = ["looking", "reading", "sampling", "answering"];

/// What the register port's flops hold.
fn port(terms: &mut Terms<'_>) -> Vec<NodeId> {
    let mut flop = |name: &str| terms.flop(&format!("registers.port.{name}"));
    let phases = PHASES.map(&mut flop);
    let [hit, write, error, read] = [
        "hit_register",
        "write_register",
        "error_register",
        "read_register",
    ]
    .map(flop);
    let mut all = Vec::new();
    // A transfer is in one cycle.
    for (number, &phase) in phases.iter().enumerate() {
        for &other in &phases[..number] {
            all.push(terms.disjoint(phase, other));
        }
    }
    // There is an answer in the last, of an error without data, and so of a write.
    let (none, silent) = (terms.is(hit, 0), terms.is(read, 0));
    let answering = phases[3];
    all.push(terms.implies(error, answering));
    all.push(terms.any([answering, silent]));
    let no_data = terms.any([error, write]);
    all.push(terms.implies(no_data, silent));
    let nowhere = terms.all([answering, none]);
    all.push(terms.implies(nowhere, error));
    all
}

/// When a flop that holds where a transfer leads matters: while it is on its way.
fn matters(flop: &str, terms: &mut Terms<'_>) -> Option<NodeId> {
    let decoded = ["hit_register", "row_register", "column_register"];
    let name = flop.strip_prefix("registers.port.")?;
    decoded.contains(&name).then(|| {
        let phases = PHASES.map(|phase| terms.flop(&format!("registers.port.{phase}")));
        terms.any(phases)
    })
}
