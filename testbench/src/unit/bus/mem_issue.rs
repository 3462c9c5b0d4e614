//! `mem_issue_apb` and `mem_issue_axi` under test.

pub(in crate::unit) mod coverage;
pub(in crate::unit) mod facts;
mod scene;
pub mod stimulus;

use std::marker::PhantomData;

use cotenant_golden::bus::mem_issue::{In, MemIssueBus as Model, Out, State};
use cotenant_golden::rules::verilog::{self, Expression};
use cotenant_golden::sm::mem_issue::{self, Params};
use cotenant_golden::Model as _;
use cotenant_units::table::ParameterSet;
use cotenant_waveforms::ValueNames;

use super::{access, below, decoded, pack_access, Bus};
use crate::error::Result;
use crate::unit::sm::MemIssue;
use crate::verify::interface::{Interface, Packer, Place, Port, StateField};

/// The units [`mem_issue_apb`](cotenant_golden::bus::MemIssueApb) and
/// [`mem_issue_axi`](cotenant_golden::bus::MemIssueAxi).
#[derive(Debug, Clone, Copy)]
pub struct MemIssueBus<B>(PhantomData<B>);

/// What the instance of the unit is called.
const INSTANCE: &str = "issue";

/// A flop's name within the unit.
fn within(flop: &str) -> Option<&str> {
    flop.strip_prefix(INSTANCE)?.strip_prefix('.')
}

/// The register file's registers.
fn registers(params: &Params) -> Vec<StateField> {
    let kernels = params.kernels;
    let mut fields = access();
    fields.push(StateField::value("sequence", 8, "sequence"));
    for name in ["active", "allow", "unlimited"] {
        fields.push(StateField::value(name, kernels, format!("{name}_then")));
    }
    for (name, width) in [
        ("in_flight", params.count_w),
        ("limit", params.count_w),
        ("quota", params.qbmi().quota_w()),
    ] {
        fields.extend((0..kernels).map(|k| {
            let (name, flop) = (format!("{name}[{k}]"), format!("{name}_then[{k}]"));
            StateField::value(name, width, flop)
        }));
    }
    fields
}

impl<B: Bus> Interface for MemIssueBus<B> {
    const NAME: &'static str = B::MEM_ISSUE;
    const SUMMARY: &'static str = B::MEM_ISSUE_SUMMARY;
    const PLACE: Place = Place::Sm;
    type Model = Model<B>;

    fn named_in_paper(flop: &str) -> bool {
        within(flop).is_some_and(MemIssue::named_in_paper)
    }

    fn working(flop: &str) -> bool {
        decoded(flop) || within(flop).is_some_and(MemIssue::working)
    }

    fn codes(name: &str) -> Option<ValueNames> {
        MemIssue::codes(name)
    }

    fn legal(params: &Params, name: &dyn Fn(&str) -> String) -> Vec<Expression> {
        let ports = [Self::inputs(params), Self::outputs(params)].concat();
        verilog::legal(&mem_issue::MemIssue::rules(params), &ports, name)
    }

    fn params(set: &ParameterSet) -> Result<Params> {
        MemIssue::params(set)
    }

    fn inputs(params: &Params) -> Vec<Port> {
        let ports = MemIssue::inputs(params).into_iter();
        let mut ports: Vec<Port> = ports
            .filter(|port| !port.name.starts_with("set_"))
            .collect();
        ports.extend(B::input_ports());
        ports
    }

    fn outputs(params: &Params) -> Vec<Port> {
        let mut ports = MemIssue::outputs(params);
        ports.extend(B::output_ports());
        ports
    }

    fn state(params: &Params) -> Vec<StateField> {
        let mut fields: Vec<StateField> = below("bus", B::state()).collect();
        fields.extend(below("registers", registers(params)));
        fields.extend(below(INSTANCE, MemIssue::state(params)));
        fields
    }

    fn pack_in(_: &Params, input: &In<B::In>, words: &mut Packer<'_>) {
        words.value(input.reset);
        words.value(input.launch);
        words.value(input.exit);
        words.value(input.want);
        words.value(input.lsu_ready);
        words.value(input.complete);
        words.value(input.request_valid);
        words.value(input.request_first);
        words.value(input.fail_valid);
        words.value(input.lsu_kid);
        B::pack_in(&input.bus, words);
    }

    fn pack_out(params: &Params, out: &Out<B::Out>, words: &mut Packer<'_>) {
        MemIssue::pack_out(params, &out.issue, words);
        B::pack_out(&out.bus, words);
    }

    fn pack_state(params: &Params, state: &State<B::State>, words: &mut Packer<'_>) {
        B::pack_state(&state.bus, words);
        let registers = &state.registers;
        pack_access(&registers.access, words);
        words.value(registers.sequence);
        words.value(registers.active);
        words.value(registers.allow);
        words.value(registers.unlimited);
        for values in [&registers.in_flight, &registers.limit, &registers.quota] {
            values.iter().for_each(|&value| words.value(value));
        }
        MemIssue::pack_state(params, &state.issue, words);
    }
}
