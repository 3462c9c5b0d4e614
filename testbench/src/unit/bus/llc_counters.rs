//! `llc_counters_apb` and `llc_counters_axi`.
//!
//! Stimulus: a cache that tells what [`llc_counters`](crate::unit::llc::llc_counters) is told, and
//! software.
//!
//! Functional coverage: that of the registers of `llc_monitor`, which are these.
//!
//! Example waveform: software maps a requester, the cache tells of an access, software reads it; the
//! smallest set.
//!
//! Facts: those of the counters, and what the register file holds.

use std::marker::PhantomData;

use cotenant_golden::bus::llc_counters::{In, LlcCountersBus as Model, State};
use cotenant_golden::bus::llc_registers::LlcRegisters;
use cotenant_golden::llc::llc_counters::{self as counters, Bank, Params};
use cotenant_golden::llc::llc_monitor::Matrix;
use cotenant_golden::rules::verilog::{self, Expression};

use super::bridge::{self, Bus, Spoken, Watched};
use super::llc_monitor::coverage::{last, Collector, Cycle, Marked};
use super::llc_monitor::{
    any_limits, end_period, known_matrix, registers, registers_hold, scan_matters,
    works_in_registers, CLOSING_PAIR, LIMIT_W,
};
use super::registers::matters;
use super::stimulus::{Master, Transaction as Transfers};
use crate::unit::llc::llc_counters::{preset_near_limits, Transaction as Told};
use crate::unit::llc::LlcCounters;
use crate::unit::prelude::*;

/// The units [`llc_counters_apb`](cotenant_golden::bus::LlcCountersApb) and
/// [`llc_counters_axi`](cotenant_golden::bus::LlcCountersAxi).
#[derive(Debug, Clone, Copy)]
pub struct LlcCountersBus<B>(PhantomData<B>);

impl<B: Bus> Interface for LlcCountersBus<B> {
    const NAME: &'static str = B::LLC_COUNTERS[0];
    const SUMMARY: &'static str = B::LLC_COUNTERS[1];
    const PLACE: Place = Place::Banks;
    type Model = Model<B>;

    fn working(flop: &str) -> bool {
        works_in_registers(flop)
            || flop
                .strip_prefix("counters.")
                .is_some_and(LlcCounters::working)
    }

    /// Far states have no pair of the scan on its way, but may be in its round after a period.
    fn resumed(params: &Params, state: &State<B::State>) -> Vec<(String, u128)> {
        let counters = LlcCounters::resumed(params, &state.counters).into_iter();
        let counters = counters.map(|(flop, value)| (format!("counters.{flop}"), value));
        let until = state.registers.closing_until(params.kernels);
        let until = until.index(params.kernels) as u128;
        counters.chain([(CLOSING_PAIR.into(), until)]).collect()
    }

    fn codes(name: &str) -> Option<ValueNames> {
        LlcCounters::codes(name)
    }

    fn legal(params: &Params, name: &dyn Fn(&str) -> String) -> Vec<Expression> {
        let ports = [Self::inputs(params), Self::outputs(params)].concat();
        verilog::legal(&counters::LlcCounters::rules(params), &ports, name)
    }

    from_golden!(but state);

    fn state(params: &Params) -> Vec<StateField> {
        // Without a model there is no netlist.
        let Ok(model) = Self::model(params) else {
            return Vec::new();
        };
        let file = &model.state().registers;
        let mut all: Vec<StateField> = below("bus", bridge::registers::<B>()).collect();
        all.extend(below(
            "registers",
            listed(|each| registers(params.kernels, file, each)),
        ));
        all.extend(below("counters", LlcCounters::state(params)));
        all
    }

    fn pack_state(params: &Params, state: &State<B::State>, words: &mut Packer<'_>) {
        bridge::pack::<B>(&state.bus, words);
        let each = &mut |_: Arguments<'_>, _, _: Arguments<'_>, value: u64| words.value(value);
        registers(params.kernels, &state.registers, each);
        LlcCounters::pack_state(params, &state.counters, words);
    }

    /// The limits.
    fn memories(params: &Params) -> Vec<Memory> {
        let words = 2 << (2 * id_w(params.kernels));
        vec![Memory::values("registers.scan.limits", words, LIMIT_W)]
    }

    fn written(_: &Params, model: &Model<B>, each: &mut dyn FnMut((usize, usize))) {
        if let Some(word) = model.limit_written() {
            each((0, word));
        }
    }

    fn pack_word(
        _: &Params,
        state: &State<B::State>,
        (_, word): (usize, usize),
        packer: &mut WordPacker<'_>,
    ) {
        packer.value(LIMIT_W, state.registers.limits[word]);
    }

    /// Far states have read nothing.
    fn word_read(_: &Params, _: &State<B::State>, _: usize) -> usize {
        0
    }
}

/// A cycle.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Transaction {
    /// What the cache tells. What software would do on ports of the counters' own is not looked at.
    pub cache: Told,
    /// What software asks.
    pub bus: Transfers,
}

/// Software, and the ports of the cache.
#[derive(Debug, Clone)]
pub struct World<M> {
    master: M,
    ports: counters::In,
    /// What resolves the cache's ports needs a model, and looks at nothing in it.
    model: counters::LlcCounters,
}

impl<B: Master> Drive for LlcCountersBus<B> {
    type Transaction = Transaction;
    type World = World<B::Master>;
    const PROFILES: &'static [Profile] = LlcCounters::PROFILES;
    const FAR_STARTS: u64 = 128;

    fn kernels(params: &Params) -> usize {
        params.kernels
    }

    fn world(params: &Params) -> Self::World {
        World {
            master: B::Master::default(),
            ports: counters::In::idle(params),
            model: counters::LlcCounters::new(params.clone())
                .expect("a unit's parameters are legal"),
        }
    }

    fn idle(params: &Params) -> In<B::In> {
        In::idle(params)
    }

    fn resolve(
        params: &Params,
        model: &Model<B>,
        world: &mut Self::World,
        transaction: &Transaction,
        input: &mut In<B::In>,
    ) {
        let state = model.state();
        let World {
            master,
            ports,
            model: cache,
        } = world;
        LlcCounters::resolve(params, cache, &mut (), &transaction.cache, ports);
        input.set_cache(ports);
        let (map, answer) = (model.registers().map(), state.registers.access.answer());
        let asked = transaction.bus.asked::<B>(master, map, params.kernels);
        input.bus = B::drive(master, &state.bus, answer, asked, &transaction.bus);
        if ports.reset {
            *master = B::Master::default();
        }
    }

    fn draw(
        params: &Params,
        knobs: &Knobs,
        pace: &mut Pace,
        random: &mut Random,
        transaction: &mut Transaction,
    ) {
        LlcCounters::draw(params, knobs, pace, random, &mut transaction.cache);
        transaction.bus = Transfers::draw(knobs, random);
    }

    /// Counters near their limit, of three states in four also those of the last period, and budgets that only
    /// a saturated one exceeds; no transfer is on its way.
    fn far(params: &Params, random: &mut Random) -> Option<Model<B>> {
        let mut model = Model::<B>::new(params.clone()).ok()?;
        model.swept();
        for period in 0..=u32::from(random.chance(Odds::all_but_one_in(4))) {
            if period > 0 {
                end_period::<Self>(params, &mut model, |bus| Transaction {
                    bus,
                    ..Transaction::default()
                });
            }
            preset_near_limits(params, random, |bank, matrix, row, kernel, count| {
                model.preset(bank, matrix, row, kernel, count);
            });
        }
        let shape = (params.kernels, params.cnt_w);
        any_limits(shape, random, |matrix, victim, aggressor, limit| {
            model.preset_limit(matrix, victim, aggressor, limit);
        });
        Some(model)
    }
}

impl<B: Watched> Cover for LlcCountersBus<B> {
    type Collector = Collector<B>;

    fn collector(params: &Params) -> Collector<B> {
        let model = Model::<B>::new(params.clone()).expect("a unit's parameters are legal");
        Collector::new(model.registers().map(), params.kernels)
    }
}

impl<B: Watched> Collect<LlcCountersBus<B>> for Collector<B> {
    fn sample(&mut self, model: &Model<B>, input: &In<B::In>) {
        let state = model.state();
        self.cycle(&Cycle {
            reset: input.reset,
            bus: (&state.bus, &input.bus),
            file: model.registers(),
            registers: &state.registers,
            read: state.counters.answers.due_or_default(),
            marked: (&|| marked(&state.counters.bank), ones(model.params().cnt_w)),
        });
    }

    fn restart(&mut self, _: &Params) {
        self.forget();
    }
}

/// What the marks are of.
fn marked(banks: &[Bank]) -> Vec<Marked<'_>> {
    let victims = banks.first().map_or(0, |bank| bank.gdcu.count.len());
    let mut marked = vec![];
    for row in 0..victims {
        let demotions = banks.iter().map(|bank| last(&bank.gdcu));
        let evictions = banks.iter().map(|bank| last(&bank.plob));
        marked.push(Marked::row("GDC", row, demotions));
        marked.push(Marked::row("IKE", row, evictions));
    }
    for (row, register) in ["HITS", "MISSES"].into_iter().enumerate() {
        let accesses = banks.iter().map(|bank| last(&bank.accesses));
        marked.push(Marked::row(register, row, accesses));
    }
    marked
}

/// Where the registers of the scene are.
const CONTROL: u16 = 0x01c;
const MAP_1: u16 = 0x404;
const GDC_1_0: u16 = 0x840;

impl<Bus: Spoken> Teach for LlcCountersBus<Bus> {
    const SETS: &'static [&'static str] = &["2x2x1"];

    fn scene(params: &Params) -> Scene<Self> {
        let idle = || Self::idle(params);
        let on_the_bus = |transfer: Vec<Bus::In>| {
            let cycles = transfer.into_iter().map(|bus| {
                let mut input = idle();
                input.bus = bus;
                input
            });
            cycles.collect::<Vec<In<Bus::In>>>()
        };
        let mut reset = idle();
        reset.reset = true;
        let mut access = idle();
        access.access_valid = 1;
        access.access_requester = vec![1];
        access.demoted = vec![1, 1];
        access.line_owner = vec![1, 0];
        // An access is in the counters two cycles later.
        let counted = 2;
        Scene::new("from a cache's access to software")
            .group("bus", Bus::rows())
            .group("limits are in force", [row("ready")])
            .rows(
                "what the cache tells",
                "access_valid, access_requester when access_valid, access_kid kernel when \
                 access_valid, demoted binary when access_valid, line_owner when access_valid",
            )
            .rows(
                "demotions of K1's lines, by K0 and K1",
                "counters.bank[0].gdcu.count[1][*]",
            )
            .cycle("Reset.", reset)
            .cycles(
                "The eight limits are set to all ones, no limit.",
                (0..8).map(|_| idle()),
            )
            .folded()
            .sees("ready", false)
            .then("ready", true)
            .cycles(
                "Software says that requester 1 runs K0.",
                on_the_bus(Bus::write(MAP_1, 0)),
            )
            .sees(Bus::WRITTEN, true)
            .cycle(
                "Requester 1 accesses: both lines of the set move towards eviction, one of K1 and one \
                 of K0's own.",
                access,
            )
            .sees("access_kid", [0])
            .after(counted, "counters.bank[0].gdcu.count[1][*]", [1, 0])
            .cycles(
                "Software ends the period,",
                on_the_bus(Bus::write(CONTROL, 1)),
            )
            .then("counters.bank[0].gdcu.count[1][*]", [0, 0])
            .cycles(
                "and reads: K0 has demoted one line of K1.",
                on_the_bus(Bus::read(GDC_1_0)),
            )
            .sees(Bus::READ, 1)
            .cycle("No further transfer.", idle())
            .sees("irq", false)
    }
}

impl<B: Bus> Facts for LlcCountersBus<B> {
    fn assumptions(params: &Params, terms: &mut Terms<'_>) -> Vec<Term> {
        terms.within("counters.", |terms| LlcCounters::assumptions(params, terms))
    }

    fn protocol(_: &Params, terms: &mut Terms<'_>) -> Vec<Term> {
        B::protocol(terms)
    }

    fn invariants(params: &Params, terms: &mut Terms<'_>) -> Vec<Term> {
        let file = LlcRegisters::of_counters(params).ok();
        let mut all = registers_hold::<B>(file.as_ref().map(LlcRegisters::map), terms);
        all.extend(terms.within("counters.", |terms| {
            let mut all = LlcCounters::invariants(params, terms);
            all.push(known_matrix(0..=Matrix::Accesses.code(), terms));
            all
        }));
        all
    }

    fn matters(params: &Params, flop: &str, terms: &mut Terms<'_>) -> Option<Term> {
        if let Some(matters) = scan_matters(flop, terms) {
            return Some(matters);
        }
        let counters = |flop: &str, terms: &mut _| LlcCounters::matters(params, flop, terms);
        let registers = LlcRegisters::of_counters(params).ok()?;
        matters(registers.map(), |_| false, flop, terms)
            .or_else(|| terms.flop_within("counters.", flop, counters))
    }

    fn matters_alone(params: &Params, flop: &str, terms: &mut Terms<'_>) -> Option<Term> {
        let counters = |flop: &str, terms: &mut _| LlcCounters::matters_alone(params, flop, terms);
        terms.flop_within("counters.", flop, counters)
    }
}
