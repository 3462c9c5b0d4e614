//! Functional coverage of `managed_llc` behind a bus: which policy holds; quotas and cores that are
//! given, and when; who ends periods; causes of the interrupt; counters that are read.

use cotenant_golden::bus::managed_llc::{In, ManagedLlcBus as Model, State};
use cotenant_golden::bus::managed_registers::{Interrupts, ManagedRegisters};
use cotenant_golden::bus::ANSWER;
use cotenant_golden::mgmt::managed_llc::Params;

use super::ManagedLlcBus;
use crate::unit::bus::bridge::{Watch, Watched};
use crate::unit::bus::registers::Registers;
use crate::unit::prelude::*;

/// Sorts what software does and sees.
#[derive(Debug, Clone)]
pub struct Collector<B: Watched> {
    bus: B::Watcher,
    registers: Registers,
    policies: Cross,
    quotas: Cross,
    cores: Cross,
    periods: Cross,
    chosen: Cross,
    interrupts: Cross,
    counters: Cross,
    shown: Cross,
    status: Interrupts,
}

const POLICIES: [&str; 4] = ["LRU", "quotas", "RRIP (2)", "RRIP (3)"];
/// What comes of quotas that software lets hold.
const QUOTAS: [&str; 4] = [
    "taken over, others than held",
    "taken over, the same",
    "refused, one is 0",
    "refused, by their sum",
];
/// What has been written when cores are named.
const CORES: [&str; 3] = ["none wait", "others wait", "the period ends"];
const BY: [&str; 3] = ["software", "the timer", "both"];
/// What happens to a bit of IRQ_STATUS.
const STATUS: [&str; 4] = [
    "is set, enabled",
    "is set, not enabled",
    "is cleared",
    "is cleared as it happens",
];
const COUNTERS: [&str; 3] = ["evictions", "hits", "misses"];
/// Registers that show the unit's state.
const SHOWN: [&str; 4] = ["QUOTA", "UCP_MASK", "RRIP_MASK", "STREAMING"];

impl<B: Watched> Cover for ManagedLlcBus<B> {
    type Collector = Collector<B>;

    fn collector(params: &Params) -> Collector<B> {
        let registers = ManagedRegisters::new(params).expect("a unit's parameters are legal");
        // All ways are given to all as one each.
        let fixed = params.ways == params.applications;
        Collector {
            bus: B::Watcher::default(),
            registers: Registers::new(registers.map()),
            policies: Cross::named("policies of accesses")
                .axis("policy", POLICIES)
                .flag("TAP")
                .flag("masks are given"),
            quotas: Cross::new("given quotas", [Axis::new("are", QUOTAS)])
                .without("all have one way", move |at| fixed && at[0] == 3),
            cores: Cross::new("named cores", [Axis::new("when", CORES)]),
            periods: Cross::new("ends of periods", [Axis::new("by", BY)]),
            chosen: Cross::named("cores that become the sampled ones")
                .flag("the timer ends the period"),
            interrupts: Cross::named("interrupts")
                .axis("of", ["period", "decided"])
                .axis("bit", STATUS),
            counters: Cross::named("counters")
                .axis("of", COUNTERS)
                .flag("running")
                .flag("a period ends"),
            shown: Cross::named("what is shown")
                .axis("register", SHOWN)
                .flag("is 0")
                .without("each application has a way", |at| at[0] == 0 && at[1] == 1),
            status: Interrupts::default(),
        }
    }
}

impl<B: Watched> Collector<B> {
    fn interrupt(&mut self, model: &Model<B>, state: &State<B::State>) {
        let registers = &state.registers;
        let bits = |of: Interrupts| [of.period, of.decided];
        let (before, now) = (bits(self.status), bits(registers.status));
        for (number, enabled) in bits(registers.enable).into_iter().enumerate() {
            match (before[number], now[number]) {
                (false, true) => self.interrupts.hit((number, usize::from(!enabled))),
                (true, false) => self.interrupts.hit((number, 2)),
                _ => {}
            }
        }
        self.status = registers.status;
        let access = &registers.access;
        let place = model.registers().map().at(access.address.into());
        let clears = place.is_some_and(|place| place.register.name == "IRQ_STATUS");
        if clears && access.phase == ANSWER && access.write && !access.error {
            let happens = [
                model.registers().controls(registers).period,
                state.managed.shares.done,
            ];
            for (number, happens) in happens.into_iter().enumerate() {
                if access.write_data >> number & 1 == 1 && happens {
                    self.interrupts.hit((number, 3));
                }
            }
        }
    }

    /// A transfer that is answered.
    fn answered(&mut self, model: &Model<B>, state: &State<B::State>, ends: bool) {
        let registers = &state.registers;
        let access = &registers.access;
        let Some(place) = model.registers().map().at(access.address.into()) else {
            return;
        };
        let gives = access.write_data >> 5 & 1 == 1;
        match (place.register.name, access.write) {
            ("POLICY", true) if gives && access.strobe == 15 => {
                let none = registers.prepared.contains(&0);
                self.quotas.hit(match (access.error, none) {
                    (false, _) => usize::from(registers.prepared == registers.given),
                    (true, true) => 2,
                    (true, false) => 3,
                });
            }
            ("CORES", true) if !access.error => self.cores.hit(match (ends, registers.choosing) {
                (true, _) => 2,
                (false, waits) => usize::from(waits),
            }),
            (name, false) => {
                let register = SHOWN.iter().position(|shown| *shown == name);
                if let Some(register) = register {
                    self.shown.hit((register, access.read_data == 0));
                }
            }
            _ => {}
        }
    }
}

impl<B: Watched> Collect<ManagedLlcBus<B>> for Collector<B> {
    fn sample(&mut self, model: &Model<B>, input: &In<B::In>) {
        let state = model.state();
        self.bus.sample(&state.bus, &input.bus);
        let (file, registers) = (model.registers(), &state.registers);
        self.registers
            .sample(file.map(), &registers.access, input.reset);
        if input.reset {
            Collect::<ManagedLlcBus<B>>::restart(self, model.params());
            return;
        }
        let policy = registers.policy;
        if input.access_valid && !input.access_invalidate {
            self.policies
                .hit((usize::from(policy.policy), policy.aware, policy.masks));
        }
        let ends = file.controls(registers).period;
        if ends {
            let access = &registers.access;
            let by_software = access.phase == ANSWER && access.write && access.write_data & 1 == 1;
            let commands = file.map().at(access.address.into());
            let commands = commands.is_some_and(|place| place.register.name == "CONTROL");
            let by = match (
                by_software && commands && !access.error,
                registers.timer_ends(),
            ) {
                (_, false) => 0,
                (false, true) => 1,
                (true, true) => 2,
            };
            self.periods.hit(by);
            if registers.choosing {
                self.chosen.hit(usize::from(registers.timer_ends()));
            }
        }
        // Where it is asked for, two cycles before the answer.
        if registers.access.phase == ANSWER - 2 && !registers.access.write {
            let place = file.map().at(registers.access.address.into());
            let name = place.map_or("", |place| place.register.name);
            let (name, live) = match name.strip_suffix("_LIVE") {
                Some(name) => (name, true),
                None => (name, false),
            };
            let counter = COUNTERS.iter().position(|it| name.eq_ignore_ascii_case(it));
            if let Some(counter) = counter {
                self.counters.hit((counter, live, ends));
            }
        }
        self.interrupt(model, state);
        if registers.access.phase == ANSWER {
            self.answered(model, state, ends);
        }
    }

    fn restart(&mut self, _: &Params) {
        self.bus.restart();
        self.status = Interrupts::default();
    }
}

impl<B: Watched> Crosses for Collector<B> {
    fn crosses(&self) -> Vec<&Cross> {
        let mut crosses = self.bus.crosses();
        crosses.extend(self.registers.crosses());
        crosses.extend([
            &self.policies,
            &self.quotas,
            &self.cores,
            &self.periods,
            &self.chosen,
            &self.interrupts,
            &self.counters,
            &self.shown,
        ]);
        crosses
    }
}
