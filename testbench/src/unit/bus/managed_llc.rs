//! `managed_llc_apb` and `managed_llc_axi`.
//!
//! Stimulus: caches and cores as those of [`managed_llc`](crate::unit::mgmt::managed_llc), and software.
//!
//! Functional coverage: transfers; which policy holds; quotas and cores that are given, and when; who
//! ends periods; causes of the interrupt; counters that are read.
//!
//! Example waveform: software gives quotas, which hold together, ends a period, and reads who has
//! replaced whose lines; the smallest set.
//!
//! Facts: those of the unit, what software has been let set, and when a counter is read.

mod coverage;
mod far;

use std::marker::PhantomData;

use cotenant_golden::bus::managed_llc::{In, ManagedLlcBus as Model, State};
use cotenant_golden::bus::managed_registers::{self, Interrupts, ManagedRegisters, Policy};
use cotenant_golden::mgmt::managed_llc::{self as managed, Params};
use cotenant_golden::rules::verilog::{self, Expression};
use cotenant_registers::Map;

use super::bridge::{self, Bus, Spoken};
use super::registers::{decoded, matters, of_port, port, transfer};
use super::stimulus::{Master, Transaction as Transfers};
use crate::unit::llc::shared;
use crate::unit::mgmt::managed_llc::stimulus as cache;
use crate::unit::mgmt::ManagedLlc;
use crate::unit::prelude::*;

/// The units [`managed_llc_apb`](cotenant_golden::bus::ManagedLlcApb) and
/// [`managed_llc_axi`](cotenant_golden::bus::ManagedLlcAxi).
#[derive(Debug, Clone, Copy)]
pub struct ManagedLlcBus<B>(PhantomData<B>);

/// Where the unit's flops are.
const UNIT: &str = "managed.";

/// The register file's registers.
fn registers(
    params: &Params,
    state: &managed_registers::State,
    each: &mut (impl EachRegister + ?Sized),
) {
    let Params {
        ways, applications, ..
    } = *params;
    let Policy {
        policy,
        aware,
        sample,
        detect,
        quotas,
        masks,
    } = state.policy;
    let bits = [aware, sample, detect, quotas, masks];
    let bits = (2..).zip(bits).map(|(at, bit)| u64::from(bit) << at);
    let policy = bits.fold(policy.into(), |policy: u64, bit| policy | bit);
    let both = |it: Interrupts| u64::from(it.period) | u64::from(it.decided) << 1;
    transfer(&state.access, each);
    for (name, width, flop, value) in [
        ("period", 32, "timer.period_register", state.period.into()),
        ("left", 32, "timer.left", state.left.into()),
        ("timer_ends", 1, "timer.expiring", state.timer_ends().into()),
        ("policy", 7, "policy_register", policy),
        ("gpu", applications, "gpu_register", state.gpu),
        (
            "cores[0]",
            params.id_w,
            "pol1_register",
            state.cores[0].into(),
        ),
        (
            "cores[1]",
            params.id_w,
            "pol2_register",
            state.cores[1].into(),
        ),
        ("choosing", 1, "choosing", state.choosing.into()),
        (
            "stream_accesses",
            params.cnt_w,
            "accesses_register",
            state.stream_accesses,
        ),
        ("stream_rate", 8, "rate_register", state.stream_rate.into()),
        (
            "ucp_mask",
            applications,
            "ucp_mask_register",
            state.ucp_mask,
        ),
        (
            "rrip_mask",
            applications,
            "rrip_mask_register",
            state.rrip_mask,
        ),
        ("status", 2, "irq_status", both(state.status)),
        ("enable", 2, "irq_enable", both(state.enable)),
        ("irq", 1, "irq_register", state.irq.into()),
    ] {
        each(format_args!("{name}"), width, format_args!("{flop}"), value);
    }
    let width = cotenant_golden::llc::pos_w(ways);
    for (name, quotas) in [("prepared", &state.prepared), ("given", &state.given)] {
        for (i, &quota) in quotas.iter().enumerate() {
            each(
                format_args!("{name}[{i}]"),
                width,
                format_args!("{name}[{i}]"),
                quota,
            );
        }
    }
}

/// Below the unit's path.
fn inside<T>(all: Vec<(String, T)>) -> Vec<(String, T)> {
    let named = |(flop, value)| (format!("{UNIT}{flop}"), value);
    all.into_iter().map(named).collect()
}

impl<B: Bus> Interface for ManagedLlcBus<B> {
    const NAME: &'static str = B::MANAGED_LLC[0];
    const SUMMARY: &'static str = B::MANAGED_LLC[1];
    const PLACE: Place = Place::Cache;
    type Model = Model<B>;

    fn named_in_paper(flop: &str) -> Option<&'static str> {
        flop.strip_prefix(UNIT).and_then(ManagedLlc::named_in_paper)
    }

    fn working(flop: &str) -> bool {
        decoded(flop) || flop.strip_prefix(UNIT).is_some_and(ManagedLlc::working)
    }

    fn resumed(params: &Params, state: &State<B::State>) -> Vec<(String, u128)> {
        inside(ManagedLlc::resumed(params, &state.managed))
    }

    fn codes(name: &str) -> Option<ValueNames> {
        ManagedLlc::codes(name)
    }

    fn legal(params: &Params, name: &dyn Fn(&str) -> String) -> Vec<Expression> {
        let ports = [Self::inputs(params), Self::outputs(params)].concat();
        verilog::legal(&managed::ManagedLlc::rules(params), &ports, name)
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
            listed(|each| registers(params, file, each)),
        ));
        all.extend(below("managed", ManagedLlc::state(params)));
        all
    }

    fn pack_state(params: &Params, state: &State<B::State>, words: &mut Packer<'_>) {
        bridge::pack::<B>(&state.bus, words);
        let each = &mut |_: Arguments<'_>, _, _: Arguments<'_>, value: u64| words.value(value);
        registers(params, &state.registers, each);
        ManagedLlc::pack_state(params, &state.managed, words);
    }

    fn computed(params: &Params) -> Vec<StateField> {
        below("managed", ManagedLlc::computed(params)).collect()
    }

    fn pack_computed(params: &Params, state: &State<B::State>, words: &mut Packer<'_>) {
        ManagedLlc::pack_computed(params, &state.managed, words);
    }

    fn memories(params: &Params) -> Vec<Memory> {
        let below = |memory: Memory| Memory {
            ram: format!("{UNIT}{}", memory.ram),
            ..memory
        };
        ManagedLlc::memories(params)
            .into_iter()
            .map(below)
            .collect()
    }

    fn written(params: &Params, model: &Model<B>, each: &mut dyn FnMut((usize, usize))) {
        ManagedLlc::written(params, model.managed(), each);
    }

    fn pack_word(
        params: &Params,
        state: &State<B::State>,
        word: (usize, usize),
        packer: &mut WordPacker<'_>,
    ) {
        ManagedLlc::pack_word(params, &state.managed, word, packer);
    }

    fn word_read(params: &Params, state: &State<B::State>, ram: usize) -> usize {
        ManagedLlc::word_read(params, &state.managed, ram)
    }
}

/// A cycle.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Transaction {
    /// What caches and cores do. What software would do on ports of the unit's own is not looked at.
    pub cache: cache::Transaction,
    /// What software asks.
    pub bus: Transfers,
    /// While UCP decides it clears causes of the interrupt instead.
    pub clears: bool,
    /// Reset, if a transfer is on its way: with many sets other resets are rare.
    pub drops: bool,
}

impl<B: Master> Drive for ManagedLlcBus<B> {
    type Transaction = Transaction;
    type World = B::Master;
    const PROFILES: &'static [Profile] = ManagedLlc::PROFILES;
    const FAR_STARTS: u64 = ManagedLlc::FAR_STARTS;

    fn kernels(params: &Params) -> usize {
        params.applications
    }

    fn world(_: &Params) -> B::Master {
        B::Master::default()
    }

    fn idle(params: &Params) -> In<B::In> {
        In::idle(params)
    }

    fn resolve(
        params: &Params,
        model: &Model<B>,
        master: &mut B::Master,
        transaction: &Transaction,
        input: &mut In<B::In>,
    ) {
        let state = model.state();
        let mut ports = managed::In::idle(params);
        cache::resolve(params, &state.managed, &transaction.cache, &mut ports);
        ports.reset |= transaction.drops && state.registers.access.phase > 0;
        let (map, answer) = (model.registers().map(), state.registers.access.answer());
        let mut transfers = transaction.bus;
        if transaction.clears && state.managed.shares.round.is_some() {
            transfers.transfer = Transfers::write(IRQ_STATUS, 3).transfer;
        }
        let asked = transfers.asked::<B>(master, map, params.applications);
        let bus = B::drive(master, &state.bus, answer, asked, &transfers);
        *input = In::new(&ports, bus);
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
        ManagedLlc::draw(params, knobs, pace, random, &mut transaction.cache);
        transaction.bus = Transfers::draw(knobs, random);
        let bits = random.bits();
        transaction.clears = bits & 15 == 0;
        transaction.drops = bits >> 4 & ((1 << 14) - 1) == 0;
    }

    /// That of the unit without a bus, and registers that software has set.
    fn far(params: &Params, random: &mut Random) -> Option<Model<B>> {
        let mut model = Model::<B>::new(params.clone()).ok()?;
        let inside = ManagedLlc::far(params, random)?;
        model.with_managed(|it| *it = inside);
        let reset = model.registers().registers();
        let registers = far::registers(params, &model.state().managed, reset, random.bits());
        model.load(registers);
        Some(model)
    }
}

/// Where registers are.
const CONTROL: u16 = 0x01c;
const POLICY: u16 = 0x024;
const QUOTA_GIVEN: u16 = 0x040;
const IRQ_STATUS: u16 = 0x118;
const IRQ_ENABLE: u16 = 0x11c;
const EVICTIONS_0_1: u16 = 0x404;

/// Quotas, and software gives them.
const GIVEN_QUOTAS: u32 = 1 | 1 << 5;

impl<Bus: Spoken> Teach for ManagedLlcBus<Bus> {
    const SETS: &'static [&'static str] = &["4x8x2x1x4x2b1w3c4t2"];

    fn scene(params: &Params) -> Scene<Self> {
        let idle = || Self::idle(params);
        let on_the_bus = |transfer: Vec<Bus::In>| {
            let cycles = transfer.into_iter().map(|bus| In { bus, ..idle() });
            cycles.collect::<Vec<In<Bus::In>>>()
        };
        let write = |address, data| on_the_bus(Bus::write(address, data));
        let access = |access_app, access_tag| In {
            access_valid: true,
            access_app,
            access_tag,
            ..idle()
        };
        let reset = In {
            reset: true,
            ..idle()
        };
        let (refused, by) = Bus::REFUSED;
        Scene::new("quotas that software gives")
            .group("bus", Bus::rows())
            .rows(
                "access",
                "ready, access_valid, access_app when access_valid, access_tag hex when access_valid",
            )
            .rows(
                "report",
                "done_valid, done_app when done_valid, done_hit when done_valid, done_evict when \
                 done_valid, done_owner when done_valid",
            )
            .rows(
                "quotas, prepared and given",
                "registers.prepared[*], registers.given[*]",
            )
            .rows("interrupt", "irq")
            .cycle("Reset.", reset)
            .cycles("The sets are cleared.", (0..params.sets).map(|_| idle()))
            .folded()
            .sees("ready", false)
            .then("ready", true)
            .cycles("Three ways for application 0:", write(QUOTA_GIVEN, 3))
            .then("registers.prepared[*]", [3, 0])
            .cycles(
                "these are not all ways, so that they cannot hold.",
                write(POLICY, GIVEN_QUOTAS),
            )
            .sees(refused, by)
            .then("registers.given[*]", [0, 0])
            .cycles("One way for application 1.", write(QUOTA_GIVEN + 4, 1))
            .then("registers.prepared[*]", [3, 1])
            .cycles("Now both hold.", write(POLICY, GIVEN_QUOTAS))
            .sees(Bus::WRITTEN, true)
            .then("registers.given[*]", [3, 1])
            .cycles("An end of a period is to raise `irq`.", write(IRQ_ENABLE, 1))
            .sees("irq", false)
            .cycles(
                "Application 0 fills the set,",
                (0xa..0xe).map(|tag| access(0, tag)),
            )
            .cycle("and application 1 needs a way.", access(1, 0x1))
            .sees("ready", true)
            .cycles(
                "Application 0 has more than its three: the line that it has not used for longest goes.",
                [idle(), idle()],
            )
            .sees("done_evict", true)
            .sees("done_owner", 0)
            .cycles("Software ends the period,", write(CONTROL, 1))
            .cycles(
                "and reads: application 1 has replaced one line of application 0.",
                on_the_bus(Bus::read(EVICTIONS_0_1)),
            )
            .sees(Bus::READ, 1)
            .cycle("The interrupt stays until it is cleared.", idle())
            .sees("irq", true)
    }
}

impl<B: Bus> Facts for ManagedLlcBus<B> {
    fn assumptions(params: &Params, terms: &mut Terms<'_>) -> Vec<Term> {
        terms.within(UNIT, |terms| ManagedLlc::assumptions(params, terms))
    }

    fn protocol(_: &Params, terms: &mut Terms<'_>) -> Vec<Term> {
        B::protocol(terms)
    }

    fn invariants(params: &Params, terms: &mut Terms<'_>) -> Vec<Term> {
        let mut all = match ManagedRegisters::new(params) {
            Ok(registers) => {
                let mut all = port(registers.map(), terms);
                all.extend(set(registers.map(), params, terms));
                all
            }
            Err(_) => vec![],
        };
        all.extend(B::invariants(terms));
        all.extend(terms.within(UNIT, |terms| ManagedLlc::invariants(params, terms)));
        all
    }

    fn words(
        params: &Params,
        ram: &str,
        question: Words,
        terms: &mut Terms<'_>,
    ) -> Option<Vec<Term>> {
        let unit = |ram: &str, terms: &mut _| ManagedLlc::words(params, ram, question, terms);
        terms.flop_within(UNIT, ram, unit)
    }

    fn matters(params: &Params, flop: &str, terms: &mut Terms<'_>) -> Option<Term> {
        let registers = ManagedRegisters::new(params).ok()?;
        if flop.strip_prefix(UNIT).is_some_and(of_counters) {
            return Some(takes_a_counter(registers.map(), terms));
        }
        let step = flop.strip_prefix("managed.shares.");
        if let Some(step @ ("answering" | "comparing")) = step {
            return Some(step_matters(step, terms));
        }
        let unit = |flop: &str, terms: &mut _| ManagedLlc::matters(params, flop, terms);
        matters(registers.map(), of_application, flop, terms)
            .or_else(|| terms.flop_within(UNIT, flop, unit))
    }

    fn matters_alone(params: &Params, flop: &str, terms: &mut Terms<'_>) -> Option<Term> {
        let unit = |flop: &str, terms: &mut _| ManagedLlc::matters_alone(params, flop, terms);
        terms.flop_within(UNIT, flop, unit)
    }
}

/// When what is in a step of UCP matters: if more follows, or it is the last, or a transfer is about
/// to see that UCP is busy.
fn step_matters(step: &str, terms: &mut Terms<'_>) -> Term {
    let last = format!("{step}_last");
    // A round that is decided is followed by another one.
    let follows: &[&str] = match step {
        "answering" => &["asking", "deciding", &last],
        _ => &["asking", "answering", &last],
    };
    let follows = follows.iter();
    let mut all: Vec<Term> = follows
        .map(|flop| terms.flop(&format!("managed.shares.{flop}")))
        .collect();
    if step == "answering" {
        all.push(of_port("reading", terms));
    }
    all.push(of_port("sampling", terms));
    terms.any(all)
}

/// Whether a register has a row for each application that is found by comparison.
fn of_application(register: &str) -> bool {
    ["QUOTA_GIVEN", "QUOTA", "PSEL"].contains(&register)
}

/// Whether a flop of the unit holds a counter that is read, or which one.
fn of_counters(flop: &str) -> bool {
    let of = |matrix| flop.strip_prefix(matrix).is_some_and(shared::working);
    flop == "read_from" || of("evictions.") || of("accesses.")
}

/// A transfer takes a counter from the unit.
fn takes_a_counter(map: &Map, terms: &mut Terms<'_>) -> Term {
    let [sampling, hit] = ["sampling", "hit_register"].map(|name| of_port(name, terms));
    let registers = map.registers.iter().enumerate();
    // Those of the last period, and the running ones.
    let counters = registers.filter(|(_, register)| {
        let of_period = register.name.trim_end_matches("_LIVE");
        ["EVICTIONS", "HITS", "MISSES"].contains(&of_period)
    });
    let hits: Vec<Term> = counters.map(|(at, _)| terms.bit(hit, at)).collect();
    let some = terms.any(hits);
    terms.all([sampling, some])
}

/// What a write that is answered without an error sets is legal, and so is what was set: cores that
/// there are, two of them, quotas of all ways, and one access at least. The timer's flop says that its
/// last cycle is this one.
fn set(map: &Map, params: &Params, terms: &mut Terms<'_>) -> Vec<Term> {
    let [answering, hit, write, error, data] = [
        "answering",
        "hit_register",
        "write_register",
        "error_register",
        "data_register",
    ]
    .map(|name| of_port(name, terms));
    let right = terms.not(error);
    let writes = terms.all([answering, write, right]);
    let to = |name: &str, terms: &mut Terms<'_>| {
        let at = map
            .registers
            .iter()
            .position(|register| register.name == name)?;
        let hit = terms.bit(hit, at);
        Some(terms.all([writes, hit]))
    };
    let field = |low: usize, width: usize, terms: &mut Terms<'_>| {
        let bits = (low..low + width).map(|bit| terms.bit(data, bit)).collect();
        terms.word(bits)
    };
    let some = |value: Term, width: usize, terms: &mut Terms<'_>| {
        let bits: Vec<Term> = (0..width).map(|bit| terms.bit(value, bit)).collect();
        terms.any(bits)
    };
    let mut all = vec![];
    let [pol1, pol2, choosing, accesses, left, expiring] = terms.flops([
        "registers.pol1_register",
        "registers.pol2_register",
        "registers.choosing",
        "registers.accesses_register",
        "registers.timer.left",
        "registers.timer.expiring",
    ]);
    let legal = |pol1: Term, pol2: Term, terms: &mut Terms<'_>| {
        let there = [pol1, pol2].map(|core| terms.below(core, params.cores));
        let same = terms.same(pol1, pol2);
        let two = terms.not(same);
        terms.all([there[0], there[1], two])
    };
    all.extend([pol1, pol2].map(|core| terms.below(core, params.cores)));
    let chosen = legal(pol1, pol2, terms);
    all.push(terms.implies(choosing, chosen));
    let (low, high) = (field(0, 8, terms), field(8, 8, terms));
    let asked = legal(low, high, terms);
    if let Some(written) = to("CORES", terms) {
        all.push(terms.implies(written, asked));
    }
    all.push(some(accesses, params.cnt_w, terms));
    let asked = some(data, params.cnt_w, terms);
    if let Some(written) = to("STREAM_ACCESSES", terms) {
        all.push(terms.implies(written, asked));
    }
    let written = to("POLICY", terms);
    all.extend(quotas(map, params, written, data, terms));
    let last = terms.is(left, 1);
    all.push(terms.equal(last, expiring));
    all
}

/// Quotas that software gives, by a write to POLICY that is answered without an error: those that hold
/// are all ways, and one for each application at least. None are given after reset.
fn quotas(
    map: &Map,
    params: &Params,
    written: Option<Term>,
    data: Term,
    terms: &mut Terms<'_>,
) -> Vec<Term> {
    let quotas = |flop: &str, terms: &mut Terms<'_>| {
        let quotas = 0..params.applications;
        let quotas = quotas.map(|i| terms.flop(&format!("registers.{flop}[{i}]")));
        quotas.collect::<Vec<Term>>()
    };
    let legal = |quotas: &[Term], terms: &mut Terms<'_>| {
        let mut all: Vec<Term> = quotas.iter().map(|&quota| terms.some(quota)).collect();
        let sum = terms.sum(quotas.iter().copied());
        all.push(terms.is(sum, params.ways));
        terms.all(all)
    };
    let given = quotas("given", terms);
    let nothing: Vec<Term> = given.iter().map(|&quota| terms.is(quota, 0)).collect();
    let nothing = terms.all(nothing);
    let right = legal(&given, terms);
    let mut all = vec![terms.any([nothing, right])];
    let field = map.find("POLICY").and_then(|policy| policy.field("QUOTAS"));
    if let (Some(written), Some(field)) = (written, field) {
        let policy = terms.flop("registers.policy_register");
        let hold = terms.bit(policy, field.lsb);
        all.push(terms.implies(hold, right));
        let gives = terms.bit(data, field.lsb);
        let written = terms.all([written, gives]);
        let prepared = quotas("prepared", terms);
        let right = legal(&prepared, terms);
        all.push(terms.implies(written, right));
    }
    all
}
