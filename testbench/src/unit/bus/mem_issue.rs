//! `mem_issue_apb` and `mem_issue_axi`.
//!
//! Stimulus: an SM that asks as that of a [`mem_issue`](crate::unit::sm::mem_issue::stimulus) does,
//! and software.
//!
//! Functional coverage: transfers; limits that are set, against what is in flight; what a snapshot
//! captures, and what has changed since as it is read.
//!
//! Example waveform: a limit is set, holds, and is read back; static limits and round-robin.
//!
//! Facts: those of the unit.

use std::marker::PhantomData;

use cotenant_golden::bus::issue_registers::{self, IssueRegisters};
use cotenant_golden::bus::mem_issue::{In, MemIssueBus as Model, State};
use cotenant_golden::rules::verilog::{self, Expression};
use cotenant_golden::sm::mem_issue::{self as issue, Limiter, Params};
use cotenant_registers::Map;

use super::bridge::{self, Bus, Spoken, Watch, Watched};
use super::registers::{decoded, matters, of_port, port, transfer, Registers};
use super::stimulus::{Master, Transaction as Transfers};
use crate::unit::prelude::*;
use crate::unit::sm::mem_issue::stimulus as sm;
use crate::unit::sm::MemIssue;

/// The units [`mem_issue_apb`](cotenant_golden::bus::MemIssueApb) and
/// [`mem_issue_axi`](cotenant_golden::bus::MemIssueAxi).
#[derive(Debug, Clone, Copy)]
pub struct MemIssueBus<B>(PhantomData<B>);

/// Where the unit's flops are.
const UNIT: &str = "issue.";

/// The register file's registers.
fn registers(
    params: &Params,
    state: &issue_registers::State,
    each: &mut (impl EachRegister + ?Sized),
) {
    let kernels = params.kernels;
    transfer(&state.access, each);
    let sequence = state.sequence.into();
    each(
        format_args!("sequence"),
        8,
        format_args!("sequence"),
        sequence,
    );
    for (name, kernels_of) in [
        ("active", state.active),
        ("allow", state.allow),
        ("unlimited", state.unlimited),
    ] {
        each(
            format_args!("{name}"),
            kernels,
            format_args!("{name}_then"),
            kernels_of,
        );
    }
    for (name, width, values) in [
        ("in_flight", params.count_w, &state.in_flight),
        ("limit", params.count_w, &state.limit),
        ("quota", params.qbmi().quota_w(), &state.quota),
    ] {
        for (k, &value) in values.iter().enumerate() {
            each(
                format_args!("{name}[{k}]"),
                width,
                format_args!("{name}_then[{k}]"),
                value,
            );
        }
    }
}

impl<B: Bus> Interface for MemIssueBus<B> {
    const NAME: &'static str = B::MEM_ISSUE[0];
    const SUMMARY: &'static str = B::MEM_ISSUE[1];
    const PLACE: Place = Place::Sm;
    type Model = Model<B>;

    fn named_in_paper(flop: &str) -> Option<&'static str> {
        flop.strip_prefix(UNIT).and_then(MemIssue::named_in_paper)
    }

    fn working(flop: &str) -> bool {
        decoded(flop) || flop.strip_prefix(UNIT).is_some_and(MemIssue::working)
    }

    fn resumed(params: &Params, state: &State<B::State>) -> Vec<(String, u128)> {
        let flops = MemIssue::resumed(params, &state.issue).into_iter();
        flops
            .map(|(flop, value)| (format!("{UNIT}{flop}"), value))
            .collect()
    }

    fn codes(name: &str) -> Option<ValueNames> {
        MemIssue::codes(name)
    }

    fn legal(params: &Params, name: &dyn Fn(&str) -> String) -> Vec<Expression> {
        let ports = [Self::inputs(params), Self::outputs(params)].concat();
        verilog::legal(&issue::MemIssue::rules(params), &ports, name)
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
            listed(|each| registers(params, state, each)),
        ));
        all.extend(below("issue", MemIssue::state(params)));
        all
    }

    fn pack_state(params: &Params, state: &State<B::State>, words: &mut Packer<'_>) {
        bridge::pack::<B>(&state.bus, words);
        let each = &mut |_: Arguments<'_>, _, _: Arguments<'_>, value: u64| words.value(value);
        registers(params, &state.registers, each);
        MemIssue::pack_state(params, &state.issue, words);
    }
}

/// A cycle.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Transaction {
    /// What the SM asks. Limits that would be set on the unit's own ports are not looked at.
    pub sm: sm::Transaction,
    /// What software asks.
    pub bus: Transfers,
}

/// Software, and the LSU.
#[derive(Debug, Clone)]
pub struct World<M> {
    master: M,
    lsu: sm::World,
}

impl<B: Master> Drive for MemIssueBus<B> {
    type Transaction = Transaction;
    type World = World<B::Master>;
    const PROFILES: &'static [Profile] = MemIssue::PROFILES;
    const FAR_STARTS: u64 = MemIssue::FAR_STARTS;

    fn kernels(params: &Params) -> usize {
        params.kernels
    }

    fn world(params: &Params) -> Self::World {
        World {
            master: B::Master::default(),
            lsu: MemIssue::world(params),
        }
    }

    fn resolve(
        params: &Params,
        model: &Model<B>,
        world: &mut Self::World,
        transaction: &Transaction,
        input: &mut In<B::In>,
    ) {
        let state = model.state();
        let World { master, lsu } = world;
        let mut ports = issue::In::default();
        sm::resolve(params, &state.issue, lsu, &transaction.sm, &mut ports);
        let (map, answer) = (model.registers().map(), state.registers.access.answer());
        let asked = transaction.bus.asked::<B>(master, map, params.kernels);
        let bus = B::drive(master, &state.bus, answer, asked, &transaction.bus);
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
        MemIssue::draw(params, knobs, pace, random, &mut transaction.sm);
        transaction.bus = Transfers::draw(knobs, random);
    }

    fn far_cycles(params: &Params) -> (u64, u64) {
        MemIssue::far_cycles(params)
    }

    /// That of the unit without a bus, with registers after reset, but for the number of snapshots
    /// taken.
    fn far(params: &Params, random: &mut Random) -> Option<Model<B>> {
        let mut model = Model::<B>::new(params.clone()).ok()?;
        model.load(MemIssue::far(params, random)?.state());
        model.preset_sequence(random.bits() as u8);
        Some(model)
    }
}

/// Sorts transfers, limits and snapshots.
#[derive(Debug, Clone)]
pub struct Collector<B: Watched> {
    bus: B::Watcher,
    registers: Registers,
    limits: Cross,
    snapshots: Cross,
    reads: Cross,
}

/// What a limit is set to.
const LIMIT: [&str; 4] = [
    "none",
    "above the number in flight",
    "equal to the number in flight",
    "below the number in flight",
];
/// What a kernel is as a snapshot is taken.
const KERNEL: [&str; 3] = ["not active", "active", "active and at its limit"];
/// Registers that a snapshot captures, and what has happened to what they show.
const READ: [&str; 3] = ["ACTIVE", "IN_FLIGHT", "LIMIT"];

impl<B: Watched> Cover for MemIssueBus<B> {
    type Collector = Collector<B>;

    fn collector(params: &Params) -> Collector<B> {
        let model = Model::<B>::new(params.clone()).expect("a unit's parameters are legal");
        let kernel = || Axis::numbers("kernel", params.kernels);
        let milg = params.limiter == Limiter::Milg;
        Collector {
            bus: B::Watcher::default(),
            registers: Registers::new(model.registers().map()),
            limits: Cross::new("limits", [kernel(), Axis::new("set to", LIMIT)])
                .without("the unit computes its limits", move |_| milg),
            snapshots: Cross::new("snapshots", [kernel(), Axis::new("is", KERNEL)]),
            reads: Cross::named("reads")
                .axis("register", READ)
                .flag("changed since the snapshot"),
        }
    }
}

impl<B: Watched> Collect<MemIssueBus<B>> for Collector<B> {
    fn sample(&mut self, model: &Model<B>, input: &In<B::In>) {
        let state = model.state();
        self.bus.sample(&state.bus, &input.bus);
        let map = model.registers().map();
        let (registers, reset) = (&state.registers, input.reset);
        self.registers.sample(map, &registers.access, reset);
        if reset {
            Collect::<MemIssueBus<B>>::restart(self, model.params());
            return;
        }
        let access = &registers.access;
        let issue = &state.issue;
        let kernels = 0..model.params().kernels;
        let set = model.registers().set(registers);
        if set.valid {
            let in_flight = issue.in_flight(set.kid.into());
            let to = match () {
                () if set.unlimited => 0,
                () if set.limit > in_flight => 1,
                () if set.limit == in_flight => 2,
                () => 3,
            };
            self.limits.hit((set.kid, to));
        }
        let place = map.at(access.address.into());
        let Some(place) = place.filter(|_| !access.error) else {
            return;
        };
        match (access.phase, access.write, place.register.name) {
            (4, true, "CONTROL") if access.write_data & 1 == 1 => {
                for kernel in kernels {
                    let is = match issue.active >> kernel & 1 {
                        0 => 0,
                        _ if issue.allows(kernel) => 1,
                        _ => 2,
                    };
                    self.snapshots.hit((kernel, is));
                }
            }
            (3, false, name) => {
                let kernel = place.row;
                let changed = match name {
                    "ACTIVE" => registers.active != issue.active,
                    "IN_FLIGHT" => registers.in_flight[kernel] != issue.in_flight(kernel),
                    "LIMIT" => registers.limit[kernel] != issue.limit(kernel),
                    _ => return,
                };
                let number = READ.iter().position(|read| *read == name);
                if let Some(number) = number {
                    self.reads.hit((number, changed));
                }
            }
            _ => {}
        }
    }

    fn restart(&mut self, _: &Params) {
        self.bus.restart();
    }
}

impl<B: Watched> Crosses for Collector<B> {
    fn crosses(&self) -> Vec<&Cross> {
        let mut crosses = self.bus.crosses();
        crosses.extend(self.registers.crosses());
        crosses.extend([&self.limits, &self.snapshots, &self.reads]);
        crosses
    }
}

/// Where the registers of the scene are.
const CONTROL: u16 = 0x01c;
const IN_FLIGHT_1: u16 = 0x044;
const SET_LIMIT_1: u16 = 0x144;

/// Kernels by their bits.
const K0: u64 = 0b01;
const K1: u64 = 0b10;

impl<Bus: Spoken> Teach for MemIssueBus<Bus> {
    const SETS: &'static [&'static str] = &["2-smil-rbmi"];

    fn scene(params: &Params) -> Scene<Self> {
        let cycle = |sm: issue::In, bus: Bus::In| In::new(&sm, bus);
        let asks = |sm: issue::In| cycle(sm, Bus::In::default());
        let wants = |want| issue::In {
            want,
            lsu_ready: true,
            ..issue::In::default()
        };
        let on_the_bus = |transfer: Vec<Bus::In>| {
            let cycles = transfer
                .into_iter()
                .map(|bus| cycle(issue::In::default(), bus));
            cycles.collect::<Vec<In<Bus::In>>>()
        };
        let write = |address, data| on_the_bus(Bus::write(address, data));
        let all = u64::MAX >> (64 - params.count_w);
        let (refused, by) = Bus::REFUSED;
        Scene::new("a limit set by software")
            .group("bus", Bus::rows())
            .rows("memory instructions wanted, K0 lowest", "want, lsu_ready")
            .rows(
                "grant",
                "grant_valid, grant_kid kernel when grant_valid",
            )
            .rows(
                "limiters of K0 and K1",
                "in_flight, limit, unlimited, allow",
            )
            .cycle(
                "Reset.",
                asks(issue::In {
                    reset: true,
                    ..issue::In::default()
                }),
            )
            .then("active", 0b00)
            .cycle(
                "K0 and K1 are launched, without limits.",
                asks(issue::In {
                    launch: K0 | K1,
                    ..issue::In::default()
                }),
            )
            .then("active", 0b11)
            .then("unlimited", 0b11)
            .cycles(
                "Software limits K1 to one instruction in flight.",
                write(SET_LIMIT_1, 1),
            )
            .then("limit", [all, 1])
            .then("unlimited", K0)
            .cycle("K1 issues it,", asks(wants(K1)))
            .sees("grant_kid", 1)
            .then("in_flight", [0, 1])
            .then("allow", K0)
            .cycle("and cannot issue another one.", asks(wants(K1)))
            .sees("grant_valid", false)
            .cycle("K0 may.", asks(wants(K0 | K1)))
            .sees("grant_kid", 0)
            .cycles(
                "A snapshot captures the number in flight of each kernel.",
                write(CONTROL, 1),
            )
            .then("registers.in_flight[*]", [1, 1])
            .then("registers.sequence", 1)
            .cycles("K1 has one.", on_the_bus(Bus::read(IN_FLIGHT_1)))
            .sees(Bus::READ, 1)
            .cycles(
                "A limit of 0 would stop K1 for ever: the write is refused, and the old limit stays.",
                write(SET_LIMIT_1, 0),
            )
            .sees(refused, by)
            .then("limit", [all, 1])
            .cycles("Software removes the limit.", write(SET_LIMIT_1, 1 << 31))
            .then("unlimited", K0 | K1)
            .cycle("K1 issues again.", asks(wants(K1)))
            .sees("grant_kid", 1)
            .cycle("It has two in flight.", asks(issue::In::default()))
            .sees("in_flight", [1, 2])
    }
}

impl<B: Bus> Facts for MemIssueBus<B> {
    fn assumptions(params: &Params, terms: &mut Terms<'_>) -> Vec<Term> {
        terms.within(UNIT, |terms| MemIssue::assumptions(params, terms))
    }

    fn protocol(_: &Params, terms: &mut Terms<'_>) -> Vec<Term> {
        B::protocol(terms)
    }

    fn invariants(params: &Params, terms: &mut Terms<'_>) -> Vec<Term> {
        let mut all = match IssueRegisters::new(params) {
            Ok(registers) => {
                let mut all = port(registers.map(), terms);
                all.extend(settable(registers.map(), params, terms));
                all
            }
            Err(_) => vec![],
        };
        all.extend(B::invariants(terms));
        all.extend(terms.within(UNIT, |terms| MemIssue::invariants(params, terms)));
        all
    }

    fn matters(params: &Params, flop: &str, terms: &mut Terms<'_>) -> Option<Term> {
        let registers = IssueRegisters::new(params).ok()?;
        let unit = |flop: &str, terms: &mut _| MemIssue::matters(params, flop, terms);
        matters(registers.map(), of_kernel, flop, terms)
            .or_else(|| terms.flop_within(UNIT, flop, unit))
    }
}

/// Whether a register has a row for each kernel that is found by comparison.
fn of_kernel(register: &str) -> bool {
    ["IN_FLIGHT", "LIMIT", "QUOTA", "QUOTA_HIGH", "SET_LIMIT"].contains(&register)
}

/// A limit that is set is none or not 0; else the answer is an error.
fn settable(map: &Map, params: &Params, terms: &mut Terms<'_>) -> Option<Term> {
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
    let bits: Vec<Term> = (0..params.limit_w)
        .map(|bit| terms.bit(data, bit))
        .collect();
    let some = terms.any(bits);
    let legal = terms.any([unlimited, some]);
    Some(terms.implies(set, legal))
}
