//! Rationale: a golden model knows of a pipeline only how long it takes. So netlists get stages that
//! the RTL does not have; the golden model gets a number that is as much higher, and both agree
//! again, in outputs, registers and RAMs. With any other number they do not. `llc_monitor` gets them
//! between a bank's ports and its directory, where the tags are read; `gdcu` in front of its counters
//! and, apart from that, behind its read port's address; `milg` between an interval's end and its
//! divider.

use std::cell::Cell;
use std::marker::PhantomData;

use cotenant::unit::llc::{Gdcu, LlcMonitor};
use cotenant::unit::sm::Milg;
use cotenant::verify::interface::{
    InOf, Interface, Memory, OutOf, Packer, ParamsOf, Place, Port, StateField, StateOf, WordPacker,
};
use cotenant::verify::lockstep::{Lockstep, Report};
use cotenant::verify::stimulus::{stream, Drive, Knobs, Mix, Pace, Profile, Random};
use cotenant_golden::llc::counter_matrix::READ_LATENCY;
use cotenant_golden::llc::llc_monitor::REQUEST_LATENCY;
use cotenant_golden::llc::{gdcu, llc_monitor};
use cotenant_golden::rules::Rules;
use cotenant_golden::sm::milg::{self, LATENCY as LIMIT_LATENCY};
use cotenant_golden::{Model, ParamError, Violation};
use cotenant_netlist::graph::{NodeId, Op};
use cotenant_netlist::sim::Engine;
use cotenant_netlist::{Netlist, Reg};
use cotenant_units::table::{self, ParameterSet};

use crate::common::SEED;

/// In the name of a flop that the RTL does not have, behind that of the one that takes its value.
const NEW: &str = "_stage_";

/// The netlist with one more stage in front of flops; and of what the first of them takes, whatever
/// else takes it.
fn one_more_stage(netlist: &Netlist, flops: &[String], everywhere: bool) -> Netlist {
    let mut later = netlist.clone();
    let taken: Vec<usize> = flops
        .iter()
        .map(|name| {
            let reg = later.regs.iter().position(|reg| reg.name == *name);
            reg.unwrap_or_else(|| panic!("no flop {name}"))
        })
        .collect();
    // The new flops, with what the old ones took, in front of them.
    let first = later.regs.len();
    let new: Vec<Reg> = taken.iter().map(|&reg| later.regs[reg].clone()).collect();
    let q: Vec<NodeId> = (first..)
        .zip(&new)
        .map(|(at, reg)| later.graph.raw(Op::Reg(at as u32), reg.width))
        .collect();
    if everywhere {
        let (taken, delayed) = (new[0].d, q[0]);
        later = later.rewritten(|_, old, new| if old == taken { delayed } else { new });
    }
    for (&reg, &q) in taken.iter().zip(&q) {
        let Reg {
            width, init, reset, ..
        } = later.regs[reg].clone();
        let init = later.graph.constant(init, width);
        later.regs[reg].d = q;
        later.regs[reg].next = later.graph.mux(reset, init, q);
    }
    for ((reg, q), flop) in new.into_iter().zip(q).zip(flops) {
        let name = format!("{flop}{NEW}{first}");
        later.regs.push(Reg { name, q, ..reg });
    }
    later
}

thread_local! {
    /// The latencies of the models below, which are made from parameters alone: of the pipeline, and
    /// of the read port.
    static LATENCY: Cell<[usize; 2]> = const { Cell::new([0; 2]) };
}

/// A unit whose golden model is told its latencies.
trait Retimable: Interface + Drive<World = ()> {
    fn told(params: ParamsOf<Self>, latency: [usize; 2]) -> Result<Self::Model, ParamError>;
}

impl Retimable for LlcMonitor {
    fn told(
        params: llc_monitor::Params,
        [requests, _]: [usize; 2],
    ) -> Result<llc_monitor::LlcMonitor, ParamError> {
        llc_monitor::LlcMonitor::with_latency(params, requests)
    }
}

impl Retimable for Gdcu {
    fn told(params: gdcu::Params, [stages, read]: [usize; 2]) -> Result<gdcu::Gdcu, ParamError> {
        gdcu::Gdcu::with_read_latency(gdcu::Params { stages, ..params }, read)
    }
}

impl Retimable for Milg {
    fn told(params: milg::Params, [limits, _]: [usize; 2]) -> Result<milg::Milg, ParamError> {
        milg::Milg::with_latency(params, limits)
    }
}

/// The golden model, unchanged but for the numbers.
#[derive(Debug, Clone)]
struct Later<U: Retimable>(U::Model);

impl<U: Retimable> Model for Later<U> {
    type Params = ParamsOf<U>;
    type In = InOf<U>;
    type Out = OutOf<U>;
    type State = StateOf<U>;

    fn new(params: Self::Params) -> Result<Self, ParamError> {
        U::told(params, LATENCY.get()).map(Self)
    }

    fn params(&self) -> &Self::Params {
        self.0.params()
    }

    fn reset(&mut self) {
        self.0.reset();
    }

    fn step(&mut self, input: &Self::In) -> Self::Out {
        self.0.step(input)
    }

    fn state(&self) -> &Self::State {
        self.0.state()
    }

    fn rules(params: &Self::Params) -> Rules<Self::In, Self::State> {
        U::Model::rules(params)
    }

    fn assume(&self, input: &Self::In) -> Result<(), Violation> {
        self.0.assume(input)
    }
}

/// The unit with that model.
#[derive(Debug)]
struct Retimed<U>(PhantomData<U>);

impl<U> Clone for Retimed<U> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<U> Copy for Retimed<U> {}

impl<U: Retimable> Interface for Retimed<U> {
    const NAME: &'static str = U::NAME;
    const SUMMARY: &'static str = U::SUMMARY;
    const PLACE: Place = U::PLACE;
    type Model = Later<U>;

    /// A new flop as that behind it.
    fn working(flop: &str) -> bool {
        flop.split(NEW).next().is_some_and(U::working)
    }

    fn params(set: &ParameterSet) -> cotenant::Result<ParamsOf<U>> {
        U::params(set)
    }

    fn inputs(params: &ParamsOf<U>) -> Vec<Port> {
        U::inputs(params)
    }

    fn outputs(params: &ParamsOf<U>) -> Vec<Port> {
        U::outputs(params)
    }

    fn state(params: &ParamsOf<U>) -> Vec<StateField> {
        U::state(params)
    }

    fn pack_in(params: &ParamsOf<U>, input: &InOf<U>, words: &mut Packer<'_>) {
        U::pack_in(params, input, words);
    }

    fn pack_out(params: &ParamsOf<U>, out: &OutOf<U>, words: &mut Packer<'_>) {
        U::pack_out(params, out, words);
    }

    fn pack_state(params: &ParamsOf<U>, state: &StateOf<U>, words: &mut Packer<'_>) {
        U::pack_state(params, state, words);
    }

    fn memories(params: &ParamsOf<U>) -> Vec<Memory> {
        U::memories(params)
    }

    fn written(params: &ParamsOf<U>, model: &Later<U>, each: &mut dyn FnMut((usize, usize))) {
        U::written(params, &model.0, each);
    }

    fn pack_word(
        params: &ParamsOf<U>,
        state: &StateOf<U>,
        word: (usize, usize),
        packer: &mut WordPacker<'_>,
    ) {
        U::pack_word(params, state, word, packer);
    }
}

impl<U: Retimable> Drive for Retimed<U> {
    type Transaction = U::Transaction;
    type World = ();
    const PROFILES: &'static [Profile] = U::PROFILES;

    fn kernels(params: &ParamsOf<U>) -> usize {
        U::kernels(params)
    }

    fn world(_: &ParamsOf<U>) {}

    fn idle(params: &ParamsOf<U>) -> InOf<U> {
        U::idle(params)
    }

    fn nothing(params: &ParamsOf<U>) -> Self::Transaction {
        U::nothing(params)
    }

    fn resolve(
        params: &ParamsOf<U>,
        model: &Later<U>,
        world: &mut (),
        transaction: &Self::Transaction,
        input: &mut InOf<U>,
    ) {
        U::resolve(params, &model.0, world, transaction, input);
    }

    fn draw(
        params: &ParamsOf<U>,
        knobs: &Knobs,
        pace: &mut Pace,
        random: &mut Random,
        transaction: &mut Self::Transaction,
    ) {
        U::draw(params, knobs, pace, random, transaction);
    }
}

/// A run of a netlist against the model with these latencies.
fn run<U: Retimable>(set: &ParameterSet, netlist: &Netlist, latency: [usize; 2]) -> Report {
    LATENCY.set(latency);
    let lockstep = Lockstep::<Retimed<U>>::with_netlist(set, netlist, Engine::default());
    let mut lockstep = lockstep.unwrap();
    let stimulus = stream::<Retimed<U>>(lockstep.params(), Mix::default(), SEED);
    lockstep.run(stimulus, 50_000).unwrap()
}

/// The netlist agrees with the model with these latencies, and not with others.
fn takes<U: Retimable>(
    set: &ParameterSet,
    netlist: &Netlist,
    latency: [usize; 2],
    others: &[[usize; 2]],
) {
    let report = run::<U>(set, netlist, latency);
    assert!(report.passed(), "{}, {latency:?}: {report}", set.name);
    for &other in others {
        let report = run::<U>(set, netlist, other);
        assert!(!report.passed(), "{}: {other:?}, not {latency:?}", set.name);
    }
}

#[test]
fn one_more_stage_of_llc_monitor_is_one_more_cycle_of_latency() {
    // What a request to a bank's directory is made of; the set first, since it goes to the tags,
    // too, where their words and what is written are addressed.
    const REQUEST: [&str; 7] = ["set", "access", "invalidate", "clear", "tag", "kid", "way"];
    for name in ["small", "table-1"] {
        let set = table::set(LlcMonitor::NAME, name).unwrap();
        let banks = LlcMonitor::params(&set).unwrap().banks;
        let mut netlist = LlcMonitor::netlist(&set).unwrap();
        for more in 0..3 {
            let latency = REQUEST_LATENCY + more;
            let others = [[latency - 1, 0], [latency + 1, 0]];
            takes::<LlcMonitor>(&set, &netlist, [latency, 0], &others);
            for bank in 0..banks {
                let flop = |part| format!("bank[{bank}].directory.compare.{part}_register");
                netlist = one_more_stage(&netlist, &REQUEST.map(flop), true);
            }
        }
    }
}

#[test]
fn one_more_stage_of_gdcu_is_one_more_cycle_of_latency() {
    for name in ["4x4x21", "12x5x21"] {
        let set = table::set(Gdcu::NAME, name).unwrap();
        let gdcu::Params {
            kernels, stages, ..
        } = Gdcu::params(&set).unwrap();
        let takes = |netlist: &Netlist, [stages, read]: [usize; 2]| {
            let mut others = vec![[stages - 1, read], [stages + 1, read], [stages, read + 1]];
            // A read is answered in the next cycle at the earliest.
            others.extend((read > 1).then(|| [stages, read - 1]));
            takes::<Gdcu>(&set, netlist, [stages, read], &others);
        };
        let netlist = Gdcu::netlist(&set).unwrap();
        takes(&netlist, [stages, READ_LATENCY]);

        let mut access = vec!["valid[0]".into(), "kid[0]".into()];
        access.extend((0..kernels).map(|victim| format!("lane[0][{victim}]")));
        let netlist = one_more_stage(&netlist, &access, false);
        takes(&netlist, [stages + 1, READ_LATENCY]);

        let mut read = vec!["matrix.read_from".into()];
        read.extend((0..kernels).map(|victim| format!("matrix.read_row[{victim}]")));
        let netlist = one_more_stage(&netlist, &read, false);
        takes(&netlist, [stages + 1, READ_LATENCY + 1]);
    }
}

/// A flop that the RTL does not have, and its value.
fn new_flop(netlist: &mut Netlist, behind: &str) -> (usize, NodeId) {
    let reg = flop(netlist, behind).clone();
    let at = netlist.regs.len();
    let q = netlist.graph.raw(Op::Reg(at as u32), reg.width);
    let name = format!("{behind}{NEW}{at}");
    netlist.regs.push(Reg { name, q, ..reg });
    (at, q)
}

fn flop<'a>(netlist: &'a Netlist, name: &str) -> &'a Reg {
    let found = netlist.regs.iter().find(|reg| reg.name == name);
    found.unwrap_or_else(|| panic!("no flop {name}"))
}

/// A MILG whose divider, or release, begins a cycle later. What says that an interval has ended, and
/// its peak, wait in a stage; a launch drops them there as it does elsewhere.
fn later_division(netlist: &Netlist) -> Netlist {
    let mut later = netlist.clone();
    let (closed, peak) = (flop(&later, "closed").clone(), flop(&later, "peak").clone());
    let Op::Mux(_, _, high) = *later.graph.op(peak.d) else {
        panic!("the peak is the count, as an interval begins, or else that up to this cycle");
    };
    let launch = later.inputs.iter().position(|input| input.name == "launch");
    let launch = later.graph.raw(Op::Input(launch.unwrap() as u32), 1);
    let (closed_at, closed_q) = new_flop(&mut later, "closed");
    let (high_at, high_q) = new_flop(&mut later, "shift");
    let mut later = later.rewritten(|_, old, new| match old {
        old if old == closed.q => closed_q,
        old if old == high => high_q,
        _ => new,
    });
    let no_launch = later.graph.not(launch);
    let waits = later.graph.and(closed.q, no_launch);
    for (at, d) in [(closed_at, waits), (high_at, high)] {
        let Reg {
            width, init, reset, ..
        } = later.regs[at].clone();
        let init = later.graph.constant(init, width);
        later.regs[at].d = d;
        later.regs[at].next = later.graph.mux(reset, init, d);
    }
    // The peak itself is not late.
    let own = later.regs.iter_mut().find(|reg| reg.name == peak.name);
    *own.unwrap() = peak;
    later
}

#[test]
fn one_more_stage_of_milg_is_one_more_cycle_of_latency() {
    for name in ["3x6x3", "3x6x3d", "3x6x3h", "3x6x3p"] {
        let set = table::set(Milg::NAME, name).unwrap();
        let mut netlist = Milg::netlist(&set).unwrap();
        for latency in [LIMIT_LATENCY, LIMIT_LATENCY + 1] {
            let others = [[latency - 1, 0], [latency + 1, 0]];
            takes::<Milg>(&set, &netlist, [latency, 0], &others);
            netlist = later_division(&netlist);
        }
    }
}
