//! Who is above a budget, or may be, what comes of it, when; what the bus does to the scan; who ends periods,
//! and what the scan does then; which counters are read as a period ends, and how full they were as marks of
//! an overflow are read.

use cotenant_golden::bus::llc_monitor::{In, LlcMonitorBus as Model};
use cotenant_golden::bus::llc_registers::{Interrupts, LlcRegisters, State};
use cotenant_golden::bus::ANSWER;
use cotenant_golden::llc::counter_matrix::{self, Answer};
use cotenant_golden::llc::llc_monitor::{Bank, Params};

use cotenant_registers::{Map, Register};

use super::LlcMonitorBus;
use crate::unit::bus::bridge::{Watch, Watched};
use crate::unit::bus::registers::Registers;
use crate::unit::prelude::*;

/// Sorts transfers, budgets, interrupts and periods.
#[derive(Debug, Clone)]
pub struct Collector<B: Watched> {
    bus: B::Watcher,
    registers: Registers,
    limits: Cross,
    budgets: Cross,
    flags: Cross,
    excesses: Cross,
    saturations: Cross,
    rounds: Cross,
    interrupts: Cross,
    scan: Cross,
    snapshots: Cross,
    timer: Cross,
    counters: Cross,
    marks: Cross,
    /// What asked for an interrupt in the cycle before.
    status: Interrupts,
    periods: Periods,
}

/// Who was above a limit in which period.
#[derive(Debug, Clone, Default)]
struct Periods {
    /// The running one, and that in which what is known begins.
    now: u64,
    first: u64,
    /// The scan of the last three cycles: it was of the period that had ended, and which one ran.
    scans: [(bool, u64); 3],
    /// By matrix, victim and aggressor: the last one in which the running count was above.
    above: [Vec<Vec<u64>>; 2],
}

/// The matrices with budgets.
const MATRIX: [&str; 2] = ["demotions", "evictions"];
/// What happens to a pair's bit.
const FLAGS: [&str; 4] = ["set", "set again", "set as it is cleared", "cleared"];
/// What a count is of that is above its limit.
const EXCESSES: [&str; 3] = [
    "the running period",
    "the period that ended, found before",
    "the period that ended, not found before",
];
/// What the limit is with which a saturated counter is compared.
const SATURATIONS: [&str; 3] = [
    "below the count",
    "not below it: exceeded because saturated",
    "all ones: none",
];
/// What happens to the round of a period that ended.
const ROUNDS: [&str; 4] = ["begins", "restarts", "restarts in its last slot", "ends"];
/// What happens to a bit of the status.
const STATUS: [&str; 3] = ["set and enabled", "set and not enabled", "cleared"];
/// What the bus does to the scan.
const BUS: [&str; 5] = [
    "nothing",
    "reads a counter",
    "reads a limit",
    "is about to write a limit",
    "writes a limit",
];
/// Registers that show counters, where they are, without `_LIVE`.
const COUNTERS: [&str; 9] = [
    "GDC",
    "IKE",
    "HITS",
    "MISSES",
    "SCE",
    "SHARES",
    "SAMPLED_TAKEN",
    "SAMPLED_DROPPED",
    "SAMPLED_SHARED",
];

/// Where the counters of the last period are that a mark is of, as it is read.
const MARKED: [&str; 3] = ["below their maximum", "at it, none beyond", "beyond it"];

/// A matrix of counters of the last period: counts by row, and who has passed the limit.
pub type Matrix<'a> = (&'a [Vec<u64>], &'a [u64]);

/// Rows of counters of the last period that have a mark in common.
pub struct Marked<'a> {
    /// The register that shows them.
    pub register: &'static str,
    /// The rows, in each bank.
    pub rows: Vec<Matrix<'a>>,
}

impl<'a> Marked<'a> {
    /// A row of its matrix in each bank.
    pub fn row(
        register: &'static str,
        row: usize,
        banks: impl Iterator<Item = Matrix<'a>>,
    ) -> Self {
        let rows = banks.map(|(counts, passed)| (&counts[row..=row], &passed[row..=row]));
        Self {
            register,
            rows: rows.collect(),
        }
    }

    /// Which of [`MARKED`] they are, if the most that a counter holds is this.
    fn level(&self, most: u64) -> usize {
        let any = |of: &dyn Fn(&Matrix<'a>) -> bool| self.rows.iter().any(of);
        let full = any(&|(counts, _)| counts.iter().flatten().any(|&count| count == most));
        match any(&|(_, passed)| passed.iter().any(|&row| row > 0)) {
            true => 2,
            false => full.into(),
        }
    }
}

/// The parameter set has it.
fn has(register: &Register) -> bool {
    register.rows > 0
}

/// What becomes of the timer.
const TIMER: [&str; 5] = [
    "ends a period of one cycle",
    "ends a longer period",
    "is set before it ends",
    "is set as it ends",
    "is stopped",
];

impl<B: Watched> Cover for LlcMonitorBus<B> {
    type Collector = Collector<B>;

    fn collector(params: &Params) -> Collector<B> {
        let model = Model::<B>::new(params.clone()).expect("a unit's parameters are legal");
        Collector::new(model.registers().map(), params.kernels)
    }
}

impl<B: Watched> Collector<B> {
    /// For registers that are described by this map.
    pub fn new(map: &Map, kernels: usize) -> Self {
        let matrix = || Axis::new("of", MATRIX);
        let pair = [
            matrix(),
            Axis::numbers("victim", kernels),
            Axis::numbers("aggressor", kernels),
        ];
        let counters = COUNTERS.iter().copied();
        let counters = counters.filter(|name| map.find(name).is_some_and(has));
        // One mark is of all accesses to sampled sets.
        let marks = counters
            .clone()
            .take_while(|name| *name != "SAMPLED_DROPPED");
        Self {
            bus: B::Watcher::default(),
            registers: Registers::new(map),
            limits: Cross::named("limits")
                .axis("access", ["read", "write"])
                .flag("waits for the sweep"),
            budgets: Cross::new("budgets", pair),
            flags: Cross::new("flags", [matrix(), Axis::new("bit is", FLAGS)]),
            excesses: Cross::new("excesses", [matrix(), Axis::new("in", EXCESSES)]),
            saturations: Cross::new(
                "saturations",
                [matrix(), Axis::new("limit is", SATURATIONS)],
            ),
            rounds: Cross::new("rounds", [Axis::new("round", ROUNDS)]),
            interrupts: Cross::named("interrupts")
                .axis("of", ["demotion", "eviction", "period"])
                .axis("bit", STATUS),
            scan: Cross::new("scan", [matrix(), Axis::new("bus", BUS)]),
            snapshots: Cross::named("snapshots").axis("by", ["software", "the timer", "both"]),
            timer: Cross::new("timer", [Axis::new("timer", TIMER)]),
            counters: Cross::named("counters")
                .axis("of", counters)
                .flag("running")
                .flag("period ends"),
            marks: Cross::named("marks")
                .axis("of", marks)
                .axis("counters are", MARKED),
            status: Interrupts::default(),
            periods: Periods {
                above: [(); 2].map(|()| vec![vec![0; kernels]; kernels]),
                ..Periods::default()
            },
        }
    }
}

impl Periods {
    /// From here on.
    fn restart(&mut self) {
        self.now += 1;
        self.first = self.now;
        self.scans = Default::default();
    }

    /// What a count above its limit is of, if that is known, of a pair that was read three cycles ago.
    fn excess(&mut self, [matrix, victim, aggressor]: [usize; 3]) -> Option<usize> {
        let (closing, now) = self.scans[2];
        let found = &mut self.above[matrix][victim][aggressor];
        if !closing {
            *found = now;
            return Some(0);
        }
        // Of a period that has not been seen from its begin it is not known what was found.
        (now > self.first + 1).then(|| if *found == now - 1 { 1 } else { 2 })
    }

    /// Passes a cycle.
    fn step(&mut self, state: &State, snapshot: bool) {
        self.scans.rotate_right(1);
        self.scans[0] = (state.closing > 0, self.now);
        self.now += u64::from(snapshot);
    }
}

impl<B: Watched> Collector<B> {
    fn interrupt(&mut self, state: &State) {
        let now = state.status();
        let bits = |of: &Interrupts| [of.demotion, of.eviction, of.period];
        let before = bits(&self.status);
        let enabled = bits(&state.enable);
        for (number, bit) in bits(&now).into_iter().enumerate() {
            match (before[number], bit) {
                (false, true) => self.interrupts.hit((number, !enabled[number])),
                (true, false) => self.interrupts.hit((number, 2)),
                _ => {}
            }
        }
        self.status = now;
    }
}

/// A cycle of the bus and of the register file, before the edge.
pub struct Cycle<'a, B: Watched> {
    pub reset: bool,
    pub bus: (&'a B::State, &'a B::In),
    pub file: &'a LlcRegisters,
    pub registers: &'a State,
    /// What the read port answers.
    pub read: Answer,
    /// What there are marks of, and the most that a counter holds.
    pub marked: (&'a dyn Fn() -> Vec<Marked<'a>>, u64),
}

impl<B: Watched> Collector<B> {
    /// Looks at a cycle.
    pub fn cycle(&mut self, cycle: &Cycle<'_, B>) {
        let (registers, read) = (cycle.registers, cycle.read);
        self.bus.sample(cycle.bus.0, cycle.bus.1);
        let map = cycle.file.map();
        self.registers.sample(map, &registers.access, cycle.reset);
        self.interrupt(registers);
        if cycle.reset {
            self.forget();
            return;
        }
        let access = &registers.access;
        let controls = cycle.file.controls(registers);
        let place = map.at(access.address.into());
        let name = place
            .filter(|_| access.phase > 0)
            .map_or("", |place| place.register.name);
        let writes = access.phase == 4 && access.write && !access.error;
        let limit = name.ends_with("_LIMIT");
        let of = name.trim_end_matches("_LIVE");
        let there = || {
            let there = COUNTERS.iter().copied();
            there.filter(|name| map.find(name).is_some_and(has))
        };
        let kind = there().position(|name| name == of);
        let counts = kind.is_some() && !access.write;

        let bus = match access.phase {
            1 if limit && access.write && access.strobe == 15 => 3,
            1 if limit && !access.write => 2,
            1 if counts => 1,
            4 if limit && writes => 4,
            _ => 0,
        };
        if !registers.sweeping {
            self.scan.hit((registers.scan.matrix, bus));
        }
        if bus == 2 || bus == 3 {
            self.limits.hit((bus - 2, registers.sweeping));
        }
        if access.phase == 1 && !access.write {
            if let Some(kind) = kind {
                let live = usize::from(name.ends_with("_LIVE"));
                self.counters.hit((kind, live, controls.snapshot));
            }
        }

        if access.phase + 1 == ANSWER && !access.write && !access.error {
            let (all, most) = cycle.marked;
            let shows = |marked: &Marked<'_>| match name {
                "OVERFLOW_GDC" => marked.register == "GDC",
                "OVERFLOW_IKE" => marked.register == "IKE",
                "OVERFLOW_ACCESS" => !["GDC", "IKE"].contains(&marked.register),
                _ => false,
            };
            if name.starts_with("OVERFLOW") {
                for marked in all().iter().filter(|marked| shows(marked)) {
                    let mut there = there();
                    let kind = there.position(|name| name == marked.register);
                    self.marks
                        .hit((kind.expect("it has a register"), marked.level(most)));
                }
            }
        }

        let compared = registers.asked.due_or_default();
        if let Some(compared) = compared.filter(|_| read.overflow) {
            let limit = match compared.limit {
                u32::MAX => 2,
                limit if read.count > u64::from(limit) => 0,
                _ => 1,
            };
            self.saturations.hit((compared.pair.matrix, limit));
        }

        let cleared = |matrix: usize, victim: usize| match place {
            Some(place) if writes && place.row == victim => {
                let names = ["DEMOTION_OVER", "EVICTION_OVER"];
                let this = name == names[matrix];
                if this {
                    access.write_data.into()
                } else {
                    0
                }
            }
            _ => 0u64,
        };
        if let Some(pair) = registers.above.due_or_default() {
            let at = [pair.matrix, pair.victim, pair.aggressor].map(usize::from);
            self.budgets.hit(at);
            if let Some(excess) = self.periods.excess(at) {
                self.excesses.hit((at[0], excess));
            }
            let bit = 1 << pair.aggressor;
            let is = match registers.over[at[0]][at[1]] & bit {
                _ if cleared(at[0], at[1]) & bit != 0 => 2,
                0 => 0,
                _ => 1,
            };
            self.flags.hit((at[0], is));
        }
        for (matrix, rows) in registers.over.iter().enumerate() {
            let clears = |(victim, row): (usize, &u64)| row & cleared(matrix, victim) != 0;
            if writes && rows.iter().enumerate().any(clears) {
                self.flags.hit((matrix, 3));
            }
        }

        let (ends, sets) = (registers.timer_ends(), writes && name == "PERIOD");
        let by_software = writes && name == "CONTROL" && access.write_data & 1 == 1;
        match (by_software, ends) {
            (false, false) => {}
            (true, false) => self.snapshots.hit(0),
            (false, true) => self.snapshots.hit(1),
            (true, true) => self.snapshots.hit(2),
        }
        let (last, waits) = (registers.closing == 1, bus > 0 || registers.sweeping);
        match (controls.snapshot, registers.closing) {
            (true, 0) => self.rounds.hit(0),
            (true, _) => self.rounds.hit(if last && !waits { 2 } else { 1 }),
            (false, _) if last && !waits => self.rounds.hit(3),
            _ => {}
        }
        self.periods.step(registers, controls.snapshot);
        match (sets, ends) {
            (true, _) if access.write_data == 0 && registers.period > 0 => self.timer.hit(4),
            (true, true) => self.timer.hit(3),
            (true, false) if registers.period > 0 => self.timer.hit(2),
            (false, true) => self.timer.hit(registers.period > 1),
            _ => {}
        }
    }

    /// Forgets the cycles before.
    pub fn forget(&mut self) {
        self.bus.restart();
        self.status = Interrupts::default();
        self.periods.restart();
    }
}

impl<B: Watched> Collect<LlcMonitorBus<B>> for Collector<B> {
    fn sample(&mut self, model: &Model<B>, input: &In<B::In>) {
        let state = model.state();
        self.cycle(&Cycle {
            reset: input.reset,
            bus: (&state.bus, &input.bus),
            file: model.registers(),
            registers: &state.registers,
            read: state.monitor.answers.due_or_default(),
            marked: (&|| marked(&state.monitor.banks), ones(model.params().cnt_w)),
        });
    }

    fn restart(&mut self, _: &Params) {
        self.forget();
    }
}

/// What a monitor's marks are of.
fn marked(banks: &[Bank]) -> Vec<Marked<'_>> {
    let victims = banks.first().map_or(0, |bank| bank.gdcu.count.len());
    let all = |register, matrix: fn(&Bank) -> Option<Matrix<'_>>| Marked {
        register,
        rows: banks.iter().filter_map(matrix).collect(),
    };
    let mut marked = vec![];
    for row in 0..victims {
        let demotions = banks.iter().map(|bank| &bank.gdcu);
        let demotions = demotions.map(|of| (&of.shadow[..], &of.last_passed[..]));
        let evictions = banks.iter().map(|bank| &bank.plob);
        let evictions = evictions.map(|of| (&of.shadow[..], &of.last_passed[..]));
        marked.push(Marked::row("GDC", row, demotions));
        marked.push(Marked::row("IKE", row, evictions));
    }
    for (row, register) in ["HITS", "MISSES"].into_iter().enumerate() {
        let accesses = banks.iter().map(|bank| last(&bank.accesses.matrix));
        marked.push(Marked::row(register, row, accesses));
    }
    marked.push(all("SCE", |bank| Some(last(&bank.sce.as_ref()?.matrix))));
    marked.push(all("SHARES", |bank| {
        Some(last(&bank.sampler.as_ref()?.shares))
    }));
    marked.push(all("SAMPLED_TAKEN", |bank| {
        Some(last(&bank.sampler.as_ref()?.events))
    }));
    marked.retain(|marked| !marked.rows.is_empty());
    marked
}

/// The last period of a matrix.
pub fn last(matrix: &counter_matrix::State) -> Matrix<'_> {
    (&matrix.shadow, &matrix.last_passed)
}

impl<B: Watched> Crosses for Collector<B> {
    fn crosses(&self) -> Vec<&Cross> {
        let mut crosses = self.bus.crosses();
        crosses.extend(self.registers.crosses());
        crosses.extend([
            &self.limits,
            &self.budgets,
            &self.flags,
            &self.excesses,
            &self.saturations,
            &self.rounds,
            &self.interrupts,
            &self.scan,
            &self.snapshots,
            &self.timer,
            &self.counters,
            &self.marks,
        ]);
        crosses
    }
}
