//! Rationale: a comparison that finds nothing may be comparing nothing. So the netlist is broken
//! in an output, a flop and a latch that is not compared, and the golden model is made to lie
//! in an output and in a register; each must be reported with unit, cycle, field, both values and
//! seed, at the very cycle, and the waveform must show it there. Then the connection of the two
//! sides is broken: ports and flops that one of them lacks.

use std::path::Path;

use cotenant::unit::llc;
use cotenant::verify::interface::{Interface, Packer, Place, Port, StateField};
use cotenant::verify::lockstep::{Lockstep, Mismatch, Report};
use cotenant::verify::stimulus::{stream, Drive, Inputs, Knobs, Mix, Pace, Profile, Random};
use cotenant::Error;
use cotenant_golden::llc::lru_stack::{In, LruStack, Out, Params, State};
use cotenant_golden::rules::Rules;
use cotenant_golden::{Model, ParamError, Violation};
use cotenant_netlist::fault::Fault;
use cotenant_netlist::sim::Engine;
use cotenant_netlist::Netlist;
use cotenant_units::table::{self, ParameterSet};
use wellen::simple::Waveform;
use wellen::SignalValueRef;

const SEED: u64 = 0x9e37;

fn set<U: Interface>(name: &str) -> ParameterSet {
    table::set(U::NAME, name).unwrap()
}

/// Runs a netlist against the golden model, with a waveform in `folder`.
fn run<U: Drive>(set: &ParameterSet, netlist: &Netlist, folder: &Path) -> Report {
    let lockstep = Lockstep::<U>::with_netlist(set, netlist, Engine::default()).unwrap();
    let mut lockstep = lockstep.wave(folder.join(format!("{}.vcd", U::NAME)));
    let stimulus = stream::<U>(lockstep.params(), Mix::default(), SEED);
    lockstep.run(stimulus, 10_000).unwrap()
}

/// With a bit of a flop that never changes.
fn stuck(netlist: &Netlist, flop: &str, bit: usize, value: bool) -> Netlist {
    let reg = netlist.regs.iter().position(|reg| reg.name == flop);
    let reg = reg.unwrap();
    netlist
        .with_fault(&Fault::StuckBit { reg, bit, value })
        .unwrap()
}

fn mismatch(report: &Report) -> &Mismatch {
    report.mismatch.as_ref().expect("the fault is not seen")
}

/// A waveform read back.
struct Wave(Waveform);

/// Time units per cycle.
const PERIOD: u64 = 10;

impl Wave {
    fn of(mismatch: &Mismatch) -> Self {
        let mut wave = wellen::simple::read(mismatch.wave.as_ref().unwrap()).unwrap();
        let signals: Vec<_> = wave.hierarchy().signals().collect();
        wave.load_signals(&signals);
        Self(wave)
    }

    /// Value of a signal in a cycle; `None` if the cycle is not shown.
    fn at(&self, path: &str, cycle: u64) -> Option<u64> {
        let times = self.0.time_table();
        let time = cycle * PERIOD;
        // The last time is the end of the last cycle.
        if time < times[0] || time >= times[times.len() - 1] {
            return None;
        }
        let index = times.partition_point(|entry| *entry <= time) - 1;
        let hierarchy = self.0.hierarchy();
        let path = path.replace('[', "(").replace(']', ")");
        let mut names: Vec<&str> = path.split('.').collect();
        let name = names.pop().unwrap();
        let variable = hierarchy.lookup_var(&names, name);
        let variable = &hierarchy[variable.unwrap_or_else(|| panic!("no variable {path}"))];
        let signal = self.0.get_signal(variable.signal_ref()).unwrap();
        let offset = signal.get_offset(index as u32).unwrap();
        match signal.get_value_at(&offset, offset.elements - 1) {
            SignalValueRef::BitVec(bits) => u64::from_str_radix(&bits.bit_string(), 2).ok(),
            other => panic!("{other:?}"),
        }
    }

    /// The marker is up in the mismatch's cycle and not before, and some cycles follow.
    fn marks(&self, unit: &str, cycle: u64) {
        let marker = |cycle| self.at(&format!("{unit}.mismatch"), cycle);
        assert_eq!(marker(cycle), Some(1));
        for before in cycle.saturating_sub(200)..cycle {
            assert_eq!(marker(before), Some(0), "cycle {before}");
        }
        assert!(marker(cycle + 8).is_some(), "eight cycles after");
        assert_eq!(marker(cycle + 9), None);
    }
}

#[test]
fn a_broken_output_is_seen_at_its_cycle() {
    let folder = tempfile::tempdir().unwrap();
    let set = set::<llc::LruStack>("figure-2");
    let mut netlist = llc::LruStack::netlist(&set).unwrap();
    let output = netlist
        .outputs
        .iter()
        .position(|output| output.name == "victim_way")
        .unwrap();
    // The victim's number with its bits swapped.
    let node = netlist.outputs[output].node;
    let (low, high) = (
        netlist.graph.slice(node, 0, 1),
        netlist.graph.slice(node, 1, 1),
    );
    netlist.outputs[output].node = netlist.graph.cat(vec![high, low]);

    let report = run::<llc::LruStack>(&set, &netlist, folder.path());
    let found = mismatch(&report);
    assert_eq!(found.field, "victim_way");
    assert!(
        [(1, 2), (2, 1)].contains(&(found.dut, found.golden)),
        "{report}"
    );
    assert_eq!(report.cycles, found.cycle + 1, "stopped at once");
    let file = folder.path().join("lru_stack.vcd");
    let expected = format!(
        "lru_stack 4x4: cycle {}: victim_way: dut {}, golden {} (seed 0x9e37, wave {})",
        found.cycle,
        found.dut,
        found.golden,
        file.display()
    );
    assert_eq!(report.to_string(), expected);

    let wave = Wave::of(found);
    wave.marks("lru_stack", found.cycle);
    assert_eq!(
        wave.at("lru_stack.dut.victim_way", found.cycle),
        Some(found.dut)
    );
    assert_eq!(
        wave.at("lru_stack.golden.victim_way", found.cycle),
        Some(found.golden)
    );
    // The comment says it, too, for whoever has but the file.
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(text.contains(&format!("cycle {}: victim_way", found.cycle)));
}

/// At its limit a counter would read as all ones with its mark lost, too.
#[test]
fn a_lost_mark_of_a_counter_that_is_loaded_beyond_its_limit_is_seen() {
    let set = set::<llc::CounterMatrix>("4x4x16");
    let netlist = llc::CounterMatrix::netlist(&set).unwrap();
    let lost = stuck(&netlist, "read_row[0]", 16, false);
    let params = llc::CounterMatrix::params(&set).unwrap();
    let read = llc::CounterMatrix::cycle(&params, |input| {
        input.read_aggressor = 1;
        input.read_live = true;
    });
    let found = [netlist, lost].map(|netlist| {
        let lockstep =
            Lockstep::<llc::CounterMatrix>::with_netlist(&set, &netlist, Engine::Interpreter);
        let mut lockstep = lockstep.unwrap();
        let mut model = lockstep.model().clone();
        model.preset(0, 1, u64::MAX);
        lockstep.load(model);
        let steps = [0; 3].map(|_| lockstep.step(&read).unwrap());
        let found = steps.into_iter().flatten().next();
        found.map(|found| (found.field, found.dut, found.golden))
    });
    let ones = u64::from(u16::MAX);
    assert_eq!(found, [None, Some(("read_count".into(), 0, ones))]);
}

#[test]
fn a_stuck_flop_is_seen_before_it_reaches_an_output() {
    let folder = tempfile::tempdir().unwrap();
    let set = set::<llc::Gdcu>("figure-2");
    let netlist = llc::Gdcu::netlist(&set).unwrap();
    let netlist = stuck(&netlist, "matrix.count[2][1]", 3, true);
    let report = run::<llc::Gdcu>(&set, &netlist, folder.path());
    let found = mismatch(&report);
    assert_eq!(
        (found.cycle, &found.field[..]),
        (0, "count[2][1]"),
        "{report}"
    );
    assert_eq!(found.dut, found.golden | 8);
    let wave = Wave::of(found);
    wave.marks("gdcu", found.cycle);
    let dut = wave.at("gdcu.dut.matrix.count[2][1]", found.cycle);
    assert_eq!(dut, Some(found.dut));
    let golden = wave.at("gdcu.golden.matrix.count[2][1]", found.cycle);
    assert_eq!(golden, Some(found.golden));
}

#[test]
fn a_latch_that_is_not_compared_shows_in_a_counter() {
    let folder = tempfile::tempdir().unwrap();
    let set = set::<llc::Gdcu>("figure-2");
    let netlist = llc::Gdcu::netlist(&set).unwrap();
    let reg = netlist
        .regs
        .iter()
        .position(|reg| reg.name == "lane[0][3]")
        .unwrap();
    let netlist = netlist.with_fault(&Fault::LostWrite { reg }).unwrap();
    let report = run::<llc::Gdcu>(&set, &netlist, folder.path());
    let found = mismatch(&report);
    assert!(found.field.starts_with("count[3]["), "{report}");
    assert_eq!(found.dut, 0);
    Wave::of(found).marks("gdcu", found.cycle);
}

/// A mismatch late in a run: the waveform shows the cycles before it, and only some hundred.
#[test]
fn a_late_mismatch_is_shown_with_what_came_before() {
    let folder = tempfile::tempdir().unwrap();
    let set = set::<llc::LruStack>("figure-2");
    for lie in [Lie::Output, Lie::Register] {
        // Around the cycles at which the past is thrown away.
        for from in [511, 512, 513, 5000] {
            LIE.set((from, lie));
            let netlist = llc::LruStack::netlist(&set).unwrap();
            let report = run::<Lying>(&set, &netlist, folder.path());
            let found = mismatch(&report);
            let (cycle, field) = match lie {
                Lie::Output => (from, "victim_way"),
                Lie::Register => (from + 1, "owner[1]"),
            };
            assert_eq!((found.cycle, &found.field[..]), (cycle, field), "{report}");
            let wave = Wave::of(found);
            wave.marks("lru_stack", found.cycle);
            let first = wave.0.time_table()[0] / PERIOD;
            assert_eq!(found.cycle - first, 200);
        }
    }
}

/// How the golden model below lies.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Lie {
    Output,
    Register,
}

thread_local! {
    /// From which cycle on, and how. Models are made from parameters alone.
    static LIE: std::cell::Cell<(u64, Lie)> = const { std::cell::Cell::new((0, Lie::Output)) };
}

/// A golden model that is right for some cycles.
#[derive(Debug, Clone)]
struct Liar {
    honest: LruStack,
    told: State,
    cycle: u64,
    from: u64,
    lie: Lie,
}

impl Model for Liar {
    type Params = Params;
    type In = In;
    type Out = Out;
    type State = State;

    fn new(params: Params) -> Result<Self, ParamError> {
        let honest = LruStack::new(params)?;
        let (from, lie) = LIE.get();
        Ok(Self {
            told: honest.state().clone(),
            honest,
            cycle: 0,
            from,
            lie,
        })
    }

    fn params(&self) -> &Params {
        self.honest.params()
    }

    fn reset(&mut self) {
        self.honest.reset();
    }

    fn step(&mut self, input: &In) -> Out {
        let mut out = self.honest.step(input);
        self.told = self.honest.state().clone();
        if self.cycle >= self.from {
            match self.lie {
                Lie::Output => out.victim_way ^= 1,
                Lie::Register => self.told.owner[1] ^= 2,
            }
        }
        self.cycle += 1;
        out
    }

    fn state(&self) -> &State {
        &self.told
    }

    fn rules(params: &Params) -> Rules<In, State> {
        LruStack::rules(params)
    }

    fn assume(&self, input: &In) -> Result<(), Violation> {
        self.honest.assume(input)
    }
}

/// `lru_stack` with the golden model that lies.
#[derive(Debug, Clone, Copy)]
struct Lying;

impl Interface for Lying {
    const NAME: &'static str = llc::LruStack::NAME;
    const SUMMARY: &'static str = llc::LruStack::SUMMARY;
    const PLACE: Place = llc::LruStack::PLACE;
    type Model = Liar;

    fn params(set: &ParameterSet) -> cotenant::Result<Params> {
        llc::LruStack::params(set)
    }

    fn inputs(params: &Params) -> Vec<Port> {
        llc::LruStack::inputs(params)
    }

    fn outputs(params: &Params) -> Vec<Port> {
        llc::LruStack::outputs(params)
    }

    fn state(params: &Params) -> Vec<StateField> {
        llc::LruStack::state(params)
    }

    fn pack_in(params: &Params, input: &In, words: &mut Packer<'_>) {
        llc::LruStack::pack_in(params, input, words);
    }

    fn pack_out(params: &Params, out: &Out, words: &mut Packer<'_>) {
        llc::LruStack::pack_out(params, out, words);
    }

    fn pack_state(params: &Params, state: &State, words: &mut Packer<'_>) {
        llc::LruStack::pack_state(params, state, words);
    }
}

impl Drive for Lying {
    type Transaction = <llc::LruStack as Drive>::Transaction;
    type World = ();
    const PROFILES: &'static [Profile] = llc::LruStack::PROFILES;

    fn kernels(params: &Params) -> usize {
        llc::LruStack::kernels(params)
    }

    fn world(_: &Params) {}

    fn idle(params: &Params) -> In {
        llc::LruStack::idle(params)
    }

    fn nothing(params: &Params) -> Self::Transaction {
        llc::LruStack::nothing(params)
    }

    fn resolve(
        params: &Params,
        model: &Liar,
        world: &mut (),
        transaction: &Self::Transaction,
        input: &mut In,
    ) {
        llc::LruStack::resolve(params, &model.honest, world, transaction, input);
    }

    fn draw(
        params: &Params,
        knobs: &Knobs,
        pace: &mut Pace,
        random: &mut Random,
        transaction: &mut Self::Transaction,
    ) {
        llc::LruStack::draw(params, knobs, pace, random, transaction);
    }
}

fn refusal<U: Drive>(set: &ParameterSet, netlist: &Netlist) -> String {
    let refused = Lockstep::<U>::with_netlist(set, netlist, Engine::default());
    refused.err().expect("it is accepted").to_string()
}

#[test]
fn two_sides_that_do_not_fit_are_refused() {
    let set = set::<llc::LruStack>("figure-2");
    let netlist = llc::LruStack::netlist(&set).unwrap();

    let mut other = netlist.clone();
    other.outputs.retain(|output| output.name != "victim_way");
    let refused = refusal::<llc::LruStack>(&set, &other);
    assert_eq!(
        refused,
        "lru_stack: output 'victim_way': the netlist has none of this name"
    );

    let mut other = netlist.clone();
    let extra = other.outputs[0].clone();
    other.outputs.push(cotenant_netlist::Output {
        name: "debug".into(),
        ..extra
    });
    let refused = refusal::<llc::LruStack>(&set, &other);
    assert_eq!(
        refused,
        "lru_stack: output 'debug': the golden model has none of this name"
    );

    let mut other = netlist.clone();
    other.regs[0].name = "age[0]".into();
    let refused = refusal::<llc::LruStack>(&set, &other);
    assert!(refused.contains("'way[0]'"), "{refused}");

    // A register more than the golden model has.
    let mut other = netlist.clone();
    let extra = other.regs[0].clone();
    other.regs.push(cotenant_netlist::Reg {
        name: "age".into(),
        ..extra
    });
    let refused = refusal::<llc::LruStack>(&set, &other);
    let expected = "lru_stack: register 'age': the golden model has nothing to compare it with";
    assert_eq!(refused, expected);

    let other = llc::LruStack::netlist(&table::set("lru_stack", "4x8").unwrap()).unwrap();
    let refused = refusal::<llc::LruStack>(&set, &other);
    let expected = "lru_stack: input 'access_kid': 3 bits in the netlist, 2 in the golden model";
    assert_eq!(refused, expected);
}

#[test]
fn an_illegal_stimulus_is_not_the_units_fault() {
    let set = set::<llc::LruStack>("figure-2");
    let lockstep = Lockstep::<llc::LruStack>::new(&set).unwrap();
    let illegal = In {
        access_valid: true,
        access_hit: true,
        access_way: 2,
        ..In::default()
    };
    let run = [In::default(), illegal].into_iter();
    let refused = lockstep.check_assumptions(true).run(Inputs(run), 10);
    let error = refused.unwrap_err();
    assert!(
        matches!(error, Error::Assumption { cycle: 1, .. }),
        "{error}"
    );
    assert!(error.to_string().contains("access_way is 2"), "{error}");
}

#[test]
fn an_unwritable_waveform_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "").unwrap();
    LIE.set((10, Lie::Output));
    let set = set::<Lying>("figure-2");
    let mut lockstep = Lockstep::<Lying>::new(&set)
        .unwrap()
        .wave(file.join("lru_stack.vcd"));
    let stimulus = stream::<Lying>(lockstep.params(), Mix::default(), SEED);
    let error = lockstep.run(stimulus, 100).unwrap_err();
    assert!(error.to_string().contains("cannot create"), "{error}");
}
