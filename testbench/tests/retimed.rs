//! Rationale: a golden model knows of a pipeline only how long it takes. So the netlist of
//! `llc_monitor` gets stages that the RTL does not have, between a bank's ports and its directory,
//! where the tags are read; the golden model gets a number that is as much higher, and both agree
//! again, in outputs, registers and RAMs. With any other number they do not.

use std::cell::Cell;

use cotenant::unit::llc::LlcMonitor;
use cotenant::verify::interface::{Interface, Memory, Packer, Place, Port, StateField, WordPacker};
use cotenant::verify::lockstep::{Lockstep, Report};
use cotenant::verify::stimulus::{stream, Drive, Knobs, Mix, Pace, Profile, Random};
use cotenant_golden::llc::llc_monitor::{self, In, Out, Params, State, REQUEST_LATENCY};
use cotenant_golden::rules::Rules;
use cotenant_golden::{Model, ParamError, Violation};
use cotenant_netlist::graph::{NodeId, Op};
use cotenant_netlist::sim::Engine;
use cotenant_netlist::{Netlist, Reg};
use cotenant_units::table::{self, ParameterSet};

mod common;
use common::SEED;

/// What a request to a bank's directory is made of.
const REQUEST: [&str; 7] = ["access", "invalidate", "clear", "set", "tag", "kid", "way"];

/// The netlist with one more stage in front of the directory of each bank.
fn one_more_stage(netlist: &Netlist, banks: usize) -> Netlist {
    let mut later = netlist.clone();
    for bank in 0..banks {
        let directory = format!("bank[{bank}].directory.");
        let taken = REQUEST.map(|part| {
            let name = format!("{directory}compare.{part}_register");
            let reg = later.regs.iter().position(|reg| reg.name == name);
            reg.unwrap_or_else(|| panic!("no flop {name}"))
        });
        // The new flops, with what the old ones took, in front of them.
        let first = later.regs.len();
        let new: Vec<Reg> = taken.iter().map(|&reg| later.regs[reg].clone()).collect();
        let q: Vec<NodeId> = (first..)
            .zip(&new)
            .map(|(at, reg)| later.graph.raw(Op::Reg(at as u32), reg.width))
            .collect();
        // The set goes to the tags, too, where their words and what is written are addressed.
        let (set, delayed) = (new[3].d, q[3]);
        later = later.rewritten(|_, old, new| if old == set { delayed } else { new });
        for (&reg, &q) in taken.iter().zip(&q) {
            let Reg {
                width, init, reset, ..
            } = later.regs[reg].clone();
            let init = later.graph.constant(init, width);
            later.regs[reg].d = q;
            later.regs[reg].next = later.graph.mux(reset, init, q);
        }
        for ((reg, q), part) in new.into_iter().zip(q).zip(REQUEST) {
            let name = format!("{directory}stage[{first}].{part}");
            later.regs.push(Reg { name, q, ..reg });
        }
    }
    later
}

thread_local! {
    /// The latency of the models below, which are made from parameters alone.
    static LATENCY: Cell<usize> = const { Cell::new(REQUEST_LATENCY) };
}

/// The golden model, unchanged but for the number.
#[derive(Debug, Clone)]
struct Later(llc_monitor::LlcMonitor);

impl Model for Later {
    type Params = Params;
    type In = In;
    type Out = Out;
    type State = State;

    fn new(params: Params) -> Result<Self, ParamError> {
        llc_monitor::LlcMonitor::with_latency(params, LATENCY.get()).map(Self)
    }

    fn params(&self) -> &Params {
        self.0.params()
    }

    fn reset(&mut self) {
        self.0.reset();
    }

    fn step(&mut self, input: &In) -> Out {
        self.0.step(input)
    }

    fn state(&self) -> &State {
        self.0.state()
    }

    fn rules(params: &Params) -> Rules<In, State> {
        llc_monitor::LlcMonitor::rules(params)
    }

    fn assume(&self, input: &In) -> Result<(), Violation> {
        self.0.assume(input)
    }
}

/// `llc_monitor` with that model.
#[derive(Debug, Clone, Copy)]
struct Retimed;

impl Interface for Retimed {
    const NAME: &'static str = LlcMonitor::NAME;
    const SUMMARY: &'static str = LlcMonitor::SUMMARY;
    const PLACE: Place = LlcMonitor::PLACE;
    type Model = Later;

    fn working(flop: &str) -> bool {
        LlcMonitor::working(flop)
    }

    fn params(set: &ParameterSet) -> cotenant::Result<Params> {
        LlcMonitor::params(set)
    }

    fn inputs(params: &Params) -> Vec<Port> {
        LlcMonitor::inputs(params)
    }

    fn outputs(params: &Params) -> Vec<Port> {
        LlcMonitor::outputs(params)
    }

    fn state(params: &Params) -> Vec<StateField> {
        LlcMonitor::state(params)
    }

    fn pack_in(params: &Params, input: &In, words: &mut Packer<'_>) {
        LlcMonitor::pack_in(params, input, words);
    }

    fn pack_out(params: &Params, out: &Out, words: &mut Packer<'_>) {
        LlcMonitor::pack_out(params, out, words);
    }

    fn pack_state(params: &Params, state: &State, words: &mut Packer<'_>) {
        LlcMonitor::pack_state(params, state, words);
    }

    fn memories(params: &Params) -> Vec<Memory> {
        LlcMonitor::memories(params)
    }

    fn written(params: &Params, model: &Later, each: &mut dyn FnMut((usize, usize))) {
        LlcMonitor::written(params, &model.0, each);
    }

    fn pack_word(
        params: &Params,
        state: &State,
        word: (usize, usize),
        packer: &mut WordPacker<'_>,
    ) {
        LlcMonitor::pack_word(params, state, word, packer);
    }
}

impl Drive for Retimed {
    type Transaction = <LlcMonitor as Drive>::Transaction;
    type World = ();
    const PROFILES: &'static [Profile] = LlcMonitor::PROFILES;

    fn kernels(params: &Params) -> usize {
        LlcMonitor::kernels(params)
    }

    fn world(_: &Params) {}

    fn idle(params: &Params) -> In {
        LlcMonitor::idle(params)
    }

    fn nothing(params: &Params) -> Self::Transaction {
        LlcMonitor::nothing(params)
    }

    fn resolve(
        params: &Params,
        model: &Later,
        world: &mut (),
        transaction: &Self::Transaction,
        input: &mut In,
    ) {
        LlcMonitor::resolve(params, &model.0, world, transaction, input);
    }

    fn draw(
        params: &Params,
        knobs: &Knobs,
        pace: &mut Pace,
        random: &mut Random,
        transaction: &mut Self::Transaction,
    ) {
        LlcMonitor::draw(params, knobs, pace, random, transaction);
    }
}

/// A run of a netlist against the model with this latency.
fn run(set: &ParameterSet, netlist: &Netlist, latency: usize) -> Report {
    LATENCY.set(latency);
    let lockstep = Lockstep::<Retimed>::with_netlist(set, netlist, Engine::default());
    let mut lockstep = lockstep.unwrap();
    let stimulus = stream::<Retimed>(lockstep.params(), Mix::default(), SEED);
    lockstep.run(stimulus, 50_000).unwrap()
}

#[test]
fn one_more_stage_is_one_more_cycle_of_latency() {
    for name in ["small", "table-1"] {
        let set = table::set(LlcMonitor::NAME, name).unwrap();
        let banks = LlcMonitor::params(&set).unwrap().banks;
        let mut netlist = LlcMonitor::netlist(&set).unwrap();
        for more in 0..3 {
            let latency = REQUEST_LATENCY + more;
            let report = run(&set, &netlist, latency);
            assert!(report.passed(), "{name}, {more} more stages: {report}");
            for other in [latency - 1, latency + 1] {
                let report = run(&set, &netlist, other);
                assert!(
                    !report.passed(),
                    "{name}, {more} more stages: {other} cycles"
                );
            }
            netlist = one_more_stage(&netlist, banks);
        }
    }
}
