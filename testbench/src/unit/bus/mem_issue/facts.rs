//! `mem_issue_apb` and `mem_issue_axi`: invariants of the unit.

use cotenant_golden::bus::issue_registers::IssueRegisters;
use cotenant_golden::sm::mem_issue::{Limiter, Params};
use cotenant_netlist::graph::NodeId;
use cotenant_registers::Map;

use crate::unit::bus::bridge::facts::Known;
use crate::unit::bus::facts::{matters, of_port, port};
use crate::unit::bus::MemIssueBus;
use crate::unit::sm::mem_issue;
use crate::unit::sm::MemIssue;
use crate::verify::fault::{rules, Facts, Terms};

/// Where the unit's flops are.
const UNIT: &str = "issue.";

impl<B: Known> Facts for MemIssueBus<B> {
    fn assumptions(params: &Params, terms: &mut Terms<'_>) -> Vec<NodeId> {
        rules::assumptions::<MemIssue>(UNIT, params, terms)
    }

    fn invariants(params: &Params, terms: &mut Terms<'_>) -> Vec<NodeId> {
        let mut all = match IssueRegisters::new(params) {
            Ok(registers) => {
                let mut all = port(registers.map(), terms);
                all.extend(settable(registers.map(), params, terms));
                all
            }
            Err(_) => vec![],
        };
        all.extend(B::bridge(terms));
        all.extend(mem_issue::registers(UNIT, params, terms));
        all
    }

    fn matters(params: &Params, flop: &str, terms: &mut Terms<'_>) -> Option<NodeId> {
        let registers = IssueRegisters::new(params).ok()?;
        matters(registers.map(), flop, terms)
            .or_else(|| mem_issue::matters(UNIT, params, flop, terms))
    }
}

/// A limit that is set is none or not 0; else the answer is an error.
fn settable(map: &Map, params: &Params, terms: &mut Terms<'_>) -> Option<NodeId> {
    let named = |register: &cotenant_registers::Register| register.name == "SET_LIMIT";
    let at = map.registers.iter().position(named)?;
    if params.limiter != Limiter::Smil {
        return None;
    }
    let [answering, hit, write, error, data] = [
        "answering",
        "hit_register",
        "write_register",
        "error_register",
        "data_register",
    ]
    .map(|name| of_port(name, terms));
    let (hit, right, unlimited) = (terms.bit(hit, at), terms.not(error), terms.bit(data, 31));
    let set = terms.all([answering, hit, write, right]);
    let bits: Vec<NodeId> = (0..params.limit_w)
        .map(|bit| terms.bit(data, bit))
        .collect();
    let some = terms.any(bits);
    let legal = terms.any([unlimited, some]);
    Some(terms.implies(set, legal))
}
