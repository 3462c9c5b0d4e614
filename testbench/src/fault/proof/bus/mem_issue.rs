//! `mem_issue_apb` and `mem_issue_axi`: those of the unit.

use cotenant_golden::bus::issue_registers::IssueRegisters;
use cotenant_golden::sm::mem_issue::Params;
use cotenant_netlist::graph::NodeId;

use super::{matters, port, Known};
use crate::fault::proof::sm::mem_issue;
use crate::fault::proof::{Facts, Terms};
use crate::unit::bus::MemIssueBus;

/// Where the unit's flops are.
const UNIT: &str = "issue.";

impl<B: Known> Facts for MemIssueBus<B> {
    fn assumptions(params: &Params, terms: &mut Terms<'_>) -> Vec<NodeId> {
        mem_issue::requests(UNIT, params, terms)
    }

    fn invariants(params: &Params, terms: &mut Terms<'_>) -> Vec<NodeId> {
        let mut all = match IssueRegisters::new(params) {
            Ok(registers) => port(registers.map(), terms),
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
