//! `llc_monitor_apb` and `llc_monitor_axi`.
//!
//! Stimulus: a cache that asks as that of an [`llc_monitor`](crate::unit::llc::llc_monitor::stimulus)
//! does, and software.
//!
//! Example waveform: a budget is given, exceeded, and software is called; the smallest set.
//!
//! Facts: those of the monitor, and what the scan and the timer hold.

pub(super) mod coverage;

use std::marker::PhantomData;

use cotenant_golden::bus::llc_monitor::{In, LlcMonitorBus as Model, State};
use cotenant_golden::bus::llc_registers::{self, LlcRegisters};
use cotenant_golden::llc::llc_monitor::{self as monitor, Matrix, Params, READ_LATENCY};
use cotenant_golden::rules::verilog::{self, Expression};
use cotenant_registers::Map;

use super::bridge::{self, Bus, Spoken};
use super::registers::{decoded, matters, port, transfer};
use super::stimulus::{Master, Transaction as Transfers};
use crate::unit::llc::llc_monitor::{each_written, rams, stimulus as cache};
use crate::unit::llc::shadow_stack::any_stack;
use crate::unit::llc::shared::{near_limit, DISTANCE};
use crate::unit::llc::LlcMonitor;
use crate::unit::prelude::*;
use crate::verify::stimulus::{stream, Source};

/// The units [`llc_monitor_apb`](cotenant_golden::bus::LlcMonitorApb) and
/// [`llc_monitor_axi`](cotenant_golden::bus::LlcMonitorAxi).
#[derive(Debug, Clone, Copy)]
pub struct LlcMonitorBus<B>(PhantomData<B>);

/// The register file's registers.
pub(super) fn registers(
    kernels: usize,
    state: &llc_registers::State,
    each: &mut (impl EachRegister + ?Sized),
) {
    let kid_w = id_w(kernels);
    let pair_w = 1 + 2 * kid_w;
    let (scan, enable) = (&state.scan, &state.enable);
    let enable = [enable.demotion, enable.eviction, enable.period].map(u64::from);
    let enable = enable[0] | enable[1] << 1 | enable[2] << 2;
    transfer(&state.access, each);
    for (name, width, flop, value) in [
        ("period", 32, "timer.period_register", state.period.into()),
        ("left", 32, "timer.left", state.left.into()),
        ("timer_ends", 1, "timer.expiring", state.timer_ends().into()),
        (
            "period_ended",
            1,
            "period_passed",
            state.period_ended.into(),
        ),
        ("enable", 3, "irq_enable", enable),
        ("irq", 1, "irq_register", state.irq.into()),
        ("sweeping", 1, "scan.sweep", state.sweeping.into()),
        ("sweep", pair_w, "scan.sweep_pair", state.sweep.into()),
        ("scan.matrix", 1, "scan.slot_matrix", scan.matrix.into()),
        ("scan.victim", kid_w, "scan.slot_victim", scan.victim.into()),
        (
            "scan.aggressor",
            kid_w,
            "scan.slot_aggressor",
            scan.aggressor.into(),
        ),
        ("closing", 1, "scan.closing", (state.closing > 0).into()),
    ] {
        each(format_args!("{name}"), width, format_args!("{flop}"), value);
    }
    for (kind, flop, rows) in [
        ("over", "flags", &state.over),
        ("mask", "masks", &state.mask),
    ] {
        for (budget, rows) in ["demotions", "evictions"].into_iter().zip(rows) {
            for (victim, &row) in rows.iter().enumerate() {
                let flop = format_args!("{budget}.{flop}[{victim}]");
                let name = format_args!("{kind}.{budget}[{victim}]");
                each(name, kernels, flop, row);
            }
        }
    }
}

/// Flops of the scan's pipeline: of a pair on its way, with whether there is one.
pub(super) const SCANNED: [(&str, &str); 3] = [
    ("registers.scan.asked_pair", "registers.scan.asked"),
    ("registers.scan.compared_pair", "registers.scan.compared"),
    ("registers.scan.above_pair", "registers.scan.above"),
];

/// Where the scan's round after a period ends; it matters during that round.
pub(super) const CLOSING_PAIR: &str = "registers.scan.closing_pair";

/// Whether a flop of the register file is one that the golden model has no counterpart of. The limit
/// register shows what the RAM read, which is undefined while it is swept. What the scan has on its
/// way shows in the flags.
pub(super) fn works_in_registers(flop: &str) -> bool {
    let scanned = |(pair, valid): &(&str, &str)| flop == *pair || flop == *valid;
    decoded(flop)
        || flop == "registers.scan.limit_register"
        || flop == CLOSING_PAIR
        || SCANNED.iter().any(scanned)
}

/// The matrix that is read is one that there is a register for.
pub(super) fn known_matrix(codes: impl Iterator<Item = u8>, terms: &mut Terms<'_>) -> Term {
    let matrix = terms.flop("read_matrix_register");
    let codes: Vec<Term> = codes.map(|code| terms.is(matrix, code.into())).collect();
    terms.any(codes)
}

/// What the register file's flops and the bridge's hold.
pub(super) fn registers_hold<B: Bus>(map: Option<&Map>, terms: &mut Terms<'_>) -> Vec<Term> {
    let mut all = map.map_or(vec![], |map| port(map, terms));
    all.extend(B::invariants(terms));
    let mut flop = |name: &str| terms.flop(&format!("registers.{name}"));
    // The timer's flop says that its last cycle is this one.
    let (left, expiring) = (flop("timer.left"), flop("timer.expiring"));
    let (sweeping, at) = (flop("scan.sweep"), flop("scan.sweep_pair"));
    let last = terms.is(left, 1);
    all.push(terms.equal(last, expiring));
    let idle = terms.is(at, 0);
    all.push(terms.any([sweeping, idle]));
    all
}

/// When a flop of the register file's scan matters.
pub(super) fn scan_matters(flop: &str, terms: &mut Terms<'_>) -> Option<Term> {
    if let Some((_, valid)) = SCANNED.iter().find(|(pair, _)| *pair == flop) {
        return Some(terms.flop(valid));
    }
    match flop {
        CLOSING_PAIR => Some(terms.flop("registers.scan.closing")),
        // It is compared with a counter, or read by the bus two cycles after it was asked for.
        "registers.scan.limit_register" => {
            let compared = terms.flop("registers.scan.compared");
            let sampled = terms.flop("registers.port.sampling");
            Some(terms.any([compared, sampled]))
        }
        _ => None,
    }
}

/// The limits of a far state: of half of the pairs as much as a counter counts, so that of one
/// alone only its saturation tells, or none. Told matrix, victim, aggressor and limit.
pub(super) fn any_limits(
    (kernels, cnt_w): (usize, usize),
    random: &mut Random,
    mut limit: impl FnMut(Matrix, usize, usize, u32),
) {
    for matrix in [Matrix::Gdc, Matrix::Ike] {
        for pair in 0..kernels * kernels {
            if random.chance(Odds::one_in(2)) {
                let most = (ones(cnt_w) as u32).saturating_sub(random.below(2) as u32);
                let most = match random.chance(Odds::one_in(3)) {
                    true => u32::MAX,
                    false => most,
                };
                limit(matrix, pair / kernels, pair % kernels, most);
            }
        }
    }
}

/// Width of a limit.
pub(super) const LIMIT_W: usize = 32;

impl<B: Bus> Interface for LlcMonitorBus<B> {
    const NAME: &'static str = B::LLC_MONITOR[0];
    const SUMMARY: &'static str = B::LLC_MONITOR[1];
    const PLACE: Place = Place::Banks;
    type Model = Model<B>;

    fn working(flop: &str) -> bool {
        works_in_registers(flop)
            || flop
                .strip_prefix("monitor.")
                .is_some_and(LlcMonitor::working)
    }

    /// Far states have no pair of the scan on its way, but may be in its round after a period.
    fn resumed(params: &Params, state: &State<B::State>) -> Vec<(String, u128)> {
        let monitor = LlcMonitor::resumed(params, &state.monitor).into_iter();
        let monitor = monitor.map(|(flop, value)| (format!("monitor.{flop}"), value));
        let until = state.registers.closing_until(params.kernels);
        let until = until.index(params.kernels) as u128;
        monitor.chain([(CLOSING_PAIR.into(), until)]).collect()
    }

    fn codes(name: &str) -> Option<ValueNames> {
        LlcMonitor::codes(name)
    }

    fn legal(params: &Params, name: &dyn Fn(&str) -> String) -> Vec<Expression> {
        let ports = [Self::inputs(params), Self::outputs(params)].concat();
        verilog::legal(&monitor::LlcMonitor::rules(params), &ports, name)
    }

    from_golden!(but state);

    fn state(params: &Params) -> Vec<StateField> {
        // Without a model there is no netlist.
        let Ok(model) = Self::model(params) else {
            return Vec::new();
        };
        let state = &model.state().registers;
        let mut all: Vec<StateField> = below("bus", bridge::registers::<B>()).collect();
        all.extend(below(
            "registers",
            listed(|each| registers(params.kernels, state, each)),
        ));
        all.extend(below("monitor", LlcMonitor::state(params)));
        all
    }

    fn pack_state(params: &Params, state: &State<B::State>, words: &mut Packer<'_>) {
        bridge::pack::<B>(&state.bus, words);
        let each = &mut |_: Arguments<'_>, _, _: Arguments<'_>, value: u64| words.value(value);
        registers(params.kernels, &state.registers, each);
        LlcMonitor::pack_state(params, &state.monitor, words);
    }

    /// Those of the monitor, then the limits.
    fn memories(params: &Params) -> Vec<Memory> {
        let monitor = LlcMonitor::memories(params).into_iter();
        let mut memories: Vec<Memory> = monitor
            .map(|memory| Memory {
                ram: format!("monitor.{}", memory.ram),
                ..memory
            })
            .collect();
        let words = 2 << (2 * id_w(params.kernels));
        memories.push(Memory::values("registers.scan.limits", words, LIMIT_W));
        memories
    }

    fn written(params: &Params, model: &Model<B>, each: &mut dyn FnMut((usize, usize))) {
        let banks = &model.state().monitor.banks;
        each_written(params, banks, model.written(), model.stacked(), each);
        if let Some(word) = model.limit_written() {
            each((llc_monitor_rams(params), word));
        }
    }

    fn pack_word(
        params: &Params,
        state: &State<B::State>,
        (ram, word): (usize, usize),
        packer: &mut WordPacker<'_>,
    ) {
        match ram == llc_monitor_rams(params) {
            true => packer.value(LIMIT_W, state.registers.limits[word]),
            false => LlcMonitor::pack_word(params, &state.monitor, (ram, word), packer),
        }
    }

    fn word_read(params: &Params, state: &State<B::State>, ram: usize) -> usize {
        match ram == llc_monitor_rams(params) {
            // Far states have read nothing.
            true => 0,
            false => LlcMonitor::word_read(params, &state.monitor, ram),
        }
    }
}

/// RAMs of a monitor.
fn llc_monitor_rams(params: &Params) -> usize {
    params.banks * rams(params)
}

/// A cycle.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Transaction {
    /// What the cache asks. What software would do on ports of the monitor's own is not looked at.
    pub cache: cache::Transaction,
    /// What software asks.
    pub bus: Transfers,
}

/// Software, and the ports of the cache.
#[derive(Debug, Clone)]
pub struct World<M> {
    master: M,
    ports: monitor::In,
}

/// Counters near their limit, in stacks that many accesses have left.
fn preset_near_limits<B: Bus>(params: &Params, model: &mut Model<B>, random: &mut Random) {
    for bank in 0..params.banks {
        for matrix in Matrix::of(params) {
            let preset = |row, kernel, count| {
                let count = cache::near(params, matrix, count);
                model.preset(bank, matrix, row, kernel, count);
            };
            near_limit(matrix.shape(params), params.cnt_w, DISTANCE, random, preset);
        }
        if let Some(sampler) = params.attribution() {
            for stack in 0..sampler.sampled {
                model.preset_stack(bank, stack, any_stack(&sampler.shadow(), random));
            }
        }
    }
}

/// Cycles in which a write to a register is over on any bus.
const WRITTEN: usize = 16;

/// Software ends the period: what the counters were is that of the last one.
pub(super) fn end_period<U: Drive>(
    params: &ParamsOf<U>,
    model: &mut U::Model,
    transaction: impl Fn(Transfers) -> U::Transaction,
) {
    let (mut world, mut input) = (U::world(params), U::idle(params));
    for cycle in 0..WRITTEN {
        let bus = match cycle {
            0 => Transfers::write(CONTROL, 1),
            _ => Transfers::default(),
        };
        U::resolve(params, model, &mut world, &transaction(bus), &mut input);
        model.step(&input);
    }
}

impl<B: Master> Drive for LlcMonitorBus<B> {
    type Transaction = Transaction;
    type World = World<B::Master>;
    const PROFILES: &'static [Profile] = LlcMonitor::PROFILES;
    const FAR_STARTS: u64 = 128;

    fn kernels(params: &Params) -> usize {
        params.kernels
    }

    fn world(params: &Params) -> Self::World {
        World {
            master: B::Master::default(),
            ports: monitor::In::idle(params),
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
        let World { master, ports } = world;
        let monitor = (&state.monitor, model.sampled());
        cache::resolve(params, monitor, &transaction.cache, ports);
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
        LlcMonitor::draw(params, knobs, pace, random, &mut transaction.cache);
        transaction.bus = Transfers::draw(knobs, random);
    }

    /// Swept and partly filled sets, counters near their limit, of three states in four also those of the last period,
    /// and budgets that only a saturated one exceeds; no transfer is on its way.
    fn far(params: &Params, random: &mut Random) -> Option<Model<B>> {
        let mut model = Model::<B>::new(params.clone()).ok()?;
        let mut input = Self::idle(params);
        let mut misses = stream::<Self>(params, Profile::Misses, random.bits());
        for _ in 0..params.sets + cache::FILL {
            misses.input(params, &model, &mut input);
            model.step(&input);
        }
        // What is on its way in other counters may reach them near their limit.
        if params.sce > 0 || params.sampled > 0 {
            model.quiet(cache::quiet_after(params));
        }
        for period in 0..=u32::from(random.chance(Odds::all_but_one_in(4))) {
            if period > 0 {
                end_period::<Self>(params, &mut model, |bus| Transaction {
                    bus,
                    ..Transaction::default()
                });
            }
            preset_near_limits(params, &mut model, random);
        }
        model.start_sampling();
        let shape = (params.kernels, params.cnt_w);
        any_limits(shape, random, |matrix, victim, aggressor, limit| {
            model.preset_limit(matrix, victim, aggressor, limit);
        });
        model.quiet(READ_LATENCY);
        Some(model)
    }
}

/// Where the registers of the scene are.
const CONTROL: u16 = 0x01c;
const IRQ_STATUS: u16 = 0x024;
const IRQ_ENABLE: u16 = 0x028;
const DEMOTION_OVER_0: u16 = 0x080;
const DEMOTION_MASK_0: u16 = 0x100;
const GDC_0_1: u16 = 0x804;
const DEMOTION_LIMIT_0_1: u16 = 0x2804;

/// K1, as an aggressor's bit.
const K1: u32 = 0b10;

/// The set that is accessed, and the tags of two lines of it.
const SET: u32 = 5;
const A: u64 = 0xa;
const B: u64 = 0xb;

impl<Bus: Spoken> Teach for LlcMonitorBus<Bus> {
    const SETS: &'static [&'static str] = &["2x2x16x1"];

    fn scene(params: &Params) -> Scene<Self> {
        let idle = || Self::idle(params);
        let access = |requester: u16, tag| {
            let mut input = idle();
            let cache = monitor::In {
                access_valid: 1,
                request_set: vec![SET],
                access_tag: vec![tag],
                access_requester: vec![requester],
                ..monitor::In::idle(params)
            };
            input.set_cache(&cache);
            input
        };
        let on_the_bus = |transfer: Vec<Bus::In>| {
            let cycles = transfer.into_iter().map(|bus| {
                let mut input = idle();
                input.bus = bus;
                input
            });
            cycles.collect::<Vec<In<Bus::In>>>()
        };
        let write = |address, data| on_the_bus(Bus::write(address, data));
        let read = |address| on_the_bus(Bus::read(address));
        let mut reset = idle();
        let asked = monitor::In {
            reset: true,
            ..monitor::In::idle(params)
        };
        reset.set_cache(&asked);
        // An access is in the counters five cycles later.
        let counted = 5;
        // All eight pairs are read in that many cycles; a bit follows by four, `irq` by one more.
        let scanned = (0..counted as usize + 8 + 4 + 1).map(|_| idle());
        let closed = (0..8 + 4).map(|_| idle());
        Scene::new("a contention budget")
            .group("bus", Bus::rows())
            .rows(
                "accesses (SM 0 runs K0, SM 1 runs K1)",
                "ready, access_valid, access_tag hex when access_valid, access_requester when \
                 access_valid",
            )
            .rows(
                "demotions of K0's lines, by K0 and K1",
                "monitor.bank[0].gdcu.count[0][*], registers.over.demotions[0] binary, \
                 registers.mask.demotions[0] binary, registers.closing, irq",
            )
            .cycle("Reset.", reset)
            .then("ready", false)
            .cycles(
                "Two sweeps: the 16 sets are cleared, the 8 limits are set to all ones, no limit.",
                (0..params.sets).map(|_| idle()),
            )
            .folded()
            .sees("registers.sweeping", false)
            .sees("ready", false)
            .then("ready", true)
            .cycles(
                "Software gives K1 a budget: one demotion of K0's lines in a period.",
                write(DEMOTION_LIMIT_0_1, 1),
            )
            .sees(Bus::WRITTEN, true)
            .cycles("It enables the flag of K1", write(DEMOTION_MASK_0, K1))
            .then("registers.mask.demotions[0]", 0b10)
            .cycles("and the interrupt.", write(IRQ_ENABLE, 1))
            .then("registers.enable", 0b001)
            .cycles(
                "K0 and K1 alternately access lines a and b of the same set of two ways: each access but the first demotes the other's line.",
                [access(0, A), access(1, B), access(0, A), access(1, B)],
            )
            .sees("monitor.bank[0].gdcu.count[0][*]", [0, 0])
            .after(counted - 2, "monitor.bank[0].gdcu.count[0][*]", [0, 1])
            .after(counted, "monitor.bank[0].gdcu.count[0][*]", [0, 2])
            .cycles(
                "The second demotion exceeds the limit. The scan finds it and raises the interrupt.",
                scanned,
            )
            .folded()
            .sees("registers.over.demotions[0]", 0b10)
            .sees("irq", true)
            .cycles("Software reads the cause: demotions.", read(IRQ_STATUS))
            .sees(Bus::READ, 0b001)
            .cycles("Who? K1.", read(DEMOTION_OVER_0))
            .sees(Bus::READ, 0b10)
            .cycles("Software ends the period,", write(CONTROL, 1))
            .then("monitor.bank[0].gdcu.count[0][*]", [0, 0])
            .then("registers.closing", true)
            .then("irq", true)
            .cycles(
                "lets the scan compare the final counts of the period,",
                closed,
            )
            .folded()
            .sees("registers.closing", false)
            .sees("registers.over.demotions[0]", 0b10)
            .cycles("and clears the flag, which is not set again.", write(DEMOTION_OVER_0, K1))
            .then("registers.over.demotions[0]", 0)
            .cycles("The period had two demotions of K0's lines by K1.", read(GDC_0_1))
            .sees(Bus::READ, 2)
            .sees("irq", false)
            .cycle("No flag is set any more.", idle())
            .sees("registers.over.demotions[0]", 0)
    }
}

impl<B: Bus> Facts for LlcMonitorBus<B> {
    fn assumptions(params: &Params, terms: &mut Terms<'_>) -> Vec<Term> {
        terms.within("monitor.", |terms| LlcMonitor::assumptions(params, terms))
    }

    fn protocol(_: &Params, terms: &mut Terms<'_>) -> Vec<Term> {
        B::protocol(terms)
    }

    fn invariants(params: &Params, terms: &mut Terms<'_>) -> Vec<Term> {
        let file = LlcRegisters::new(params).ok();
        let mut all = registers_hold::<B>(file.as_ref().map(LlcRegisters::map), terms);
        all.extend(terms.within("monitor.", |terms| {
            let mut all = LlcMonitor::invariants(params, terms);
            let shares = Matrix::Shares.code()..=Matrix::SharedLines.code();
            let codes = (0..=Matrix::Accesses.code())
                .chain(params.sce().map(|_| Matrix::Sce.code()))
                .chain(shares.filter(|_| params.attribution().is_some()));
            all.push(known_matrix(codes, terms));
            all
        }));
        all
    }

    fn matters(params: &Params, flop: &str, terms: &mut Terms<'_>) -> Option<Term> {
        if let Some(matters) = scan_matters(flop, terms) {
            return Some(matters);
        }
        let monitor = |flop: &str, terms: &mut _| LlcMonitor::matters(params, flop, terms);
        let registers = LlcRegisters::new(params).ok()?;
        matters(registers.map(), |_| false, flop, terms)
            .or_else(|| terms.flop_within("monitor.", flop, monitor))
    }

    fn matters_alone(params: &Params, flop: &str, terms: &mut Terms<'_>) -> Option<Term> {
        let monitor = |flop: &str, terms: &mut _| LlcMonitor::matters_alone(params, flop, terms);
        terms.flop_within("monitor.", flop, monitor)
    }
}
