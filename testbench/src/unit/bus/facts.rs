//! Invariants of the register port of all units behind a bus.

use cotenant_netlist::graph::NodeId;
use cotenant_registers::{Map, Register};

use crate::verify::fault::Terms;

/// Flops of the register port, one per cycle of a transfer.
pub(in crate::unit) const PHASES: [&str; 4] = ["looking", "reading", "sampling", "answering"];

/// Value of a flop of the register port.
pub(in crate::unit) fn of_port(name: &str, terms: &mut Terms<'_>) -> NodeId {
    terms.flop(&format!("registers.port.{name}"))
}

/// A transfer is on its way.
pub(in crate::unit) fn on_its_way(terms: &mut Terms<'_>) -> NodeId {
    let phases = PHASES.map(|phase| of_port(phase, terms));
    terms.any(phases)
}

/// What the register port's flops hold, for registers that are described by `map`.
pub(in crate::unit) fn port(map: &Map, terms: &mut Terms<'_>) -> Vec<NodeId> {
    let phases = PHASES.map(|phase| of_port(phase, terms));
    let answering = phases[3];
    let [hit, row, column, write, error, read] = [
        "hit_register",
        "row_register",
        "column_register",
        "write_register",
        "error_register",
        "read_register",
    ]
    .map(|name| of_port(name, terms));
    let mut all = Vec::new();
    // A transfer is in one cycle, and leads to one register, to a row and column that it has.
    for (number, &phase) in phases.iter().enumerate() {
        for &other in &phases[..number] {
            all.push(terms.disjoint(phase, other));
        }
    }
    let hits: Vec<NodeId> = (0..map.registers.len())
        .map(|at| terms.bit(hit, at))
        .collect();
    for (number, (&hit, register)) in hits.iter().zip(&map.registers).enumerate() {
        for &other in &hits[..number] {
            all.push(terms.disjoint(hit, other));
        }
        let row = terms.below(row, register.rows);
        let column = terms.below(column, register.columns);
        let there = terms.all([row, column]);
        all.push(terms.implies(hit, there));
        if !register.is_written() {
            let written = terms.all([hit, write]);
            all.push(terms.not(written));
        }
    }
    // There is an answer in the last, of an error without data, and so of a write.
    let (none, silent) = (terms.is(hit, 0), terms.is(read, 0));
    all.push(terms.implies(error, answering));
    all.push(terms.any([answering, silent]));
    let no_data = terms.any([error, write]);
    all.push(terms.implies(no_data, silent));
    let nowhere = terms.all([answering, none]);
    all.push(terms.implies(nowhere, error));
    all
}

/// When a flop that holds where a transfer leads matters: while it is on its way, and which row
/// and column, if it leads to a register that has several.
pub(in crate::unit) fn matters(map: &Map, flop: &str, terms: &mut Terms<'_>) -> Option<NodeId> {
    let several = |register: &Register| match flop {
        "registers.port.row_register" => register.rows > 1,
        _ => register.columns > 1,
    };
    match flop {
        "registers.port.hit_register" => Some(on_its_way(terms)),
        "registers.port.row_register" | "registers.port.column_register" => {
            let hit = of_port("hit_register", terms);
            let registers = map.registers.iter().enumerate();
            let hits: Vec<NodeId> = registers
                .filter(|(_, register)| several(register))
                .map(|(at, _)| terms.bit(hit, at))
                .collect();
            let there = terms.any(hits);
            let way = on_its_way(terms);
            Some(terms.all([way, there]))
        }
        _ => None,
    }
}
