//! `tap-lockstep`: the netlist of `managed_directory` as the L3 of running CPUs and a GPU.
//!
//! Source: TAP, sections 3.1 to 3.4, and the first 16 workloads of table 7 with one CPU application;
//! platform and applications are those of [`tap_speedup`](super::tap_speedup). Each workload runs under
//! each policy that the unit has. The unit hears every access to the L3, in the order in which the
//! platform looks them up, with quotas and RRIP-Mask as the platform's policy has decided them. It is in
//! lockstep with its own golden model, and says of each access the same as the platform's own cache,
//! whose policies are written apart: hit or miss, the way, the owner of what was replaced.
//!
//! In 2^21 cycles most workloads do not fill an L3 of 8 MB, and then no policy replaces a line. So all
//! of them run beside one with a 16th of its sets, too, which is full soon.
//!
//! ASSUMPTION: one directory stands for the four tiles, as set duelling is of all sets. It takes one
//! access per cycle, without the pauses in between: nothing in it depends on time.

use cotenant_golden::hetero::workloads::{Set, Workload};
use cotenant_golden::hetero::{Config, Machine, Seen};
use cotenant_golden::mgmt::managed_directory::{In, Out, Params};
use cotenant_golden::mgmt::policy::{Config as Knobs, Core, Decision, Kind, Outcome};
use cotenant_golden::mgmt::ByApplication;
use cotenant_units::table::{self, ParameterSet};
use serde::Serialize;

use super::table::table;
use super::{Attachment, Error, Setting};
use crate::unit::mgmt::ManagedDirectory;
use crate::verify::interface::Interface;
use crate::verify::lockstep::Lockstep;

/// Workloads: the first ones, of which types A to E take turns.
pub const WORKLOADS: usize = 16;

/// The policies of the platform that the unit has, with the unit's code of each.
pub const POLICIES: [(Kind, u8); 5] = [
    (Kind::Lru, 0),
    (Kind::Ucp, 1),
    (Kind::TapUcp, 1),
    (Kind::Drrip, 2),
    (Kind::TapRrip, 2),
];

/// Cycles of the GPU in each run, unless said.
pub const CYCLES: u64 = 1 << 21;

/// Periods of a run; the last does not end in it.
const PERIODS: u64 = 3;

/// Cycles of the GPU between two looks at who watches.
const CHUNK: u64 = 1 << 12;

/// The L3s, by what their number of sets is divided by.
const PARTS: [usize; 2] = [1, 16];

/// Bits of an address, without those within a line of 64 bytes; a tag is what the set leaves of them.
const LINE_W: u32 = 58;

/// What a workload did under a policy.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Line {
    /// Sets of the L3.
    pub sets: usize,
    /// The workload's name.
    pub workload: String,
    /// The policy.
    pub policy: &'static str,
    /// Accesses that the unit heard.
    pub accesses: u64,
    /// Of them, hits of the unit.
    pub hits: u64,
    /// Valid lines that it replaced.
    pub evictions: u64,
    /// Periods that ended.
    pub periods: usize,
}

/// All that ran.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// Version of this document.
    pub schema: u32,
    /// The seed.
    pub seed: u64,
    /// Cycles of the GPU in each run.
    pub cycles: u64,
    /// The unit's parameter sets.
    pub hardware: Vec<String>,
    /// Whether all workloads came to their end.
    pub complete: bool,
    /// Cycles compared between netlist and golden model.
    pub compared: u64,
    /// The first difference, of the netlist or from the platform.
    pub mismatch: Option<String>,
    /// By L3, workload and policy.
    pub runs: Vec<Line>,
}

/// The unit's parameters beside a platform's L3, as the table names them.
///
/// # Errors
/// [`Error::Unit`] when there is no such set.
pub fn parameters(config: &Config, applications: usize) -> Result<ParameterSet, Error> {
    let knobs = Knobs::new(applications - 1);
    let tag_w = LINE_W - config.l3.sets.ilog2();
    let text = format!(
        "WAYS={},SETS={},APPLICATIONS={applications},LEADERS={},TAG_W={tag_w},RRPV_W={},PSEL_W={},SEED={}",
        config.l3.ways, config.l3.sets, knobs.leaders, knobs.rrpv_w, knobs.psel_w, knobs.seed
    );
    let set = table::set(ManagedDirectory::NAME, &text);
    Ok(set.map_err(crate::Error::from)?)
}

/// Runs all workloads beside each L3.
///
/// # Errors
/// [`Error`].
pub fn run(setting: &Setting<'_>) -> Result<Report, Error> {
    let runs = PARTS.len() * WORKLOADS * POLICIES.len();
    setting.watch.expect(runs as u64);
    let [whole, parts @ ..] = PARTS;
    let mut report = run_part(whole, setting)?;
    for part in parts {
        if report.mismatch.is_none() && report.complete {
            report.add(run_part(part, setting)?);
        }
    }
    Ok(report)
}

fn run_part(part: usize, setting: &Setting<'_>) -> Result<Report, Error> {
    let mut config = Config::tap();
    config.l3.sets /= part;
    let set = parameters(&config, 2)?;
    let netlist = ManagedDirectory::netlist(&set)?;
    let unit = Lockstep::with_netlist(&set, &netlist, setting.engine)?;
    run_with(&config, unit, setting)
}

/// All workloads, with a platform and hardware of one's own.
///
/// # Errors
/// As [`run`].
pub fn run_with(
    config: &Config,
    unit: Lockstep<ManagedDirectory>,
    setting: &Setting<'_>,
) -> Result<Report, Error> {
    let cycles = setting.cycles.unwrap_or(CYCLES).max(PERIODS);
    let mut config = config.clone();
    config.sampling.period = config.sampling.period.min(cycles / PERIODS);
    let workloads = Set::OneCpu.workloads(setting.seed).into_iter();
    let workloads: Vec<Workload> = workloads.take(WORKLOADS).collect();
    let hardware = text_of(unit.params());
    let mut beside = Beside {
        unit,
        mismatch: None,
    };
    let mut runs = vec![];
    let mut stopped = false;
    'all: for workload in &workloads {
        for (kind, code) in POLICIES {
            let Some(line) = beside.one(&config, workload, (kind, code), cycles, setting)? else {
                stopped = true;
                break 'all;
            };
            runs.push(line);
            if beside.mismatch.is_some() {
                break 'all;
            }
            setting.watch.advance(1);
        }
    }
    Ok(Report {
        schema: 2,
        seed: setting.seed,
        cycles,
        hardware: vec![hardware],
        complete: !stopped,
        compared: beside.unit.cycle(),
        mismatch: beside.mismatch,
        runs,
    })
}

fn text_of(params: &Params) -> String {
    let Params {
        ways,
        sets,
        applications,
        leaders,
        ..
    } = *params;
    format!(
        "{} {ways}x{sets}x{applications}x{leaders}",
        ManagedDirectory::NAME
    )
}

/// The unit, and what differed first.
struct Beside {
    unit: Lockstep<ManagedDirectory>,
    mismatch: Option<String>,
}

/// The unit's inputs that a policy's decision sets, and what is expected of accesses that it has.
struct Told {
    input: In,
    quotas: bool,
    aware: bool,
    /// What the platform says of the accesses of which the unit has not.
    expected: std::collections::VecDeque<(u64, Outcome)>,
}

impl Told {
    /// A decision is taken.
    fn decide(&mut self, decision: &Decision, gpu: usize) {
        if let (true, Some(quotas)) = (self.quotas, &decision.quotas) {
            self.input.quota = ByApplication::from_fn(quotas.len(), |app| quotas[app]);
        }
        let masked = decision.xsratio.is_some_and(|ratio| ratio > 1)
            || decision.caching_helps.is_some_and(|helps| !helps);
        self.input.rrip_mask = u64::from(masked && !self.quotas) << gpu;
    }
}

impl Beside {
    /// A run; none if it was stopped.
    fn one(
        &mut self,
        config: &Config,
        workload: &Workload,
        (kind, code): (Kind, u8),
        cycles: u64,
        setting: &Setting<'_>,
    ) -> Result<Option<Line>, Error> {
        let mut machine = Machine::new(config, workload, kind, setting.seed)?;
        machine.watch();
        let mut line = Line {
            sets: config.l3.sets,
            workload: workload.name.clone(),
            policy: kind.name(),
            accesses: 0,
            hits: 0,
            evictions: 0,
            periods: 0,
        };
        let mut told = Told {
            input: In {
                policy: code,
                quota: ByApplication::from_fn(workload.names().count(), |_| 0),
                ..In::default()
            },
            quotas: code == 1,
            aware: matches!(kind, Kind::TapUcp | Kind::TapRrip),
            expected: Default::default(),
        };
        let reset = In {
            reset: true,
            ..told.input.clone()
        };
        self.step(&reset, &mut told, &mut line)?;
        while !self.step(&told.input.clone(), &mut told, &mut line)?.ready {}
        told.decide(&machine.decision_in(0), workload.cpus.len());
        let mut period = 0;
        let mut done = 0;
        while done < cycles && self.mismatch.is_none() {
            if !setting.watch.advance(0) {
                return Ok(None);
            }
            let some = CHUNK.min(cycles - done);
            machine.run(some);
            done += some;
            let all: Vec<Seen> = machine.seen().collect();
            for seen in &all {
                if seen.period != period {
                    // What is on its way still meets the decision before.
                    self.settle(&mut told, &mut line)?;
                    period = seen.period;
                    told.decide(&machine.decision_in(period), workload.cpus.len());
                }
                self.access(config, seen, &mut told, &mut line)?;
            }
        }
        self.settle(&mut told, &mut line)?;
        machine
            .check()
            .map_err(cotenant_golden::hetero::Error::from)?;
        line.periods = machine.periods().len();
        let counts = machine.cache().counts();
        let hits: u64 = counts.iter().map(|it| it.hits).sum();
        if self.mismatch.is_none() && line.hits != hits {
            let what = format!("{} hits of the unit, {hits} of the platform", line.hits);
            self.mismatch = Some(said(&line, &what));
        }
        Ok(Some(line))
    }

    fn access(
        &mut self,
        config: &Config,
        seen: &Seen,
        told: &mut Told,
        line: &mut Line,
    ) -> Result<(), Error> {
        let geometry = config.geometry(told.input.quota.len());
        let input = In {
            access_valid: true,
            access_set: geometry.set_of(seen.address) as u32,
            access_tag: geometry.tag_of(seen.address),
            access_app: seen.app,
            access_pol1: told.aware && seen.sampled == Core::Pol1,
            access_pol2: told.aware && seen.sampled == Core::Pol2,
            ..told.input.clone()
        };
        told.expected.push_back((seen.number, seen.outcome));
        line.accesses += 1;
        self.step(&input, told, line)?;
        Ok(())
    }

    /// Nothing is asked until all has been answered.
    fn settle(&mut self, told: &mut Told, line: &mut Line) -> Result<(), Error> {
        while !told.expected.is_empty() && self.mismatch.is_none() {
            self.step(&told.input.clone(), told, line)?;
        }
        Ok(())
    }

    /// A cycle, and what the unit says of an access.
    fn step(&mut self, input: &In, told: &mut Told, line: &mut Line) -> Result<Out, Error> {
        let (out, mismatch) = self.unit.step_with_outputs(input)?;
        if let (None, Some(mismatch)) = (&self.mismatch, mismatch) {
            let what = format!(
                "cycle {}: {} of the netlist is {}, expected {}",
                mismatch.cycle, mismatch.field, mismatch.dut, mismatch.golden
            );
            self.mismatch = Some(said(line, &what));
        }
        if !out.done_valid {
            return Ok(out);
        }
        let Some((number, expected)) = told.expected.pop_front() else {
            return Ok(out);
        };
        line.hits += u64::from(out.done_hit);
        line.evictions += u64::from(out.done_evict);
        let filled = out.done_hit || out.done_fill;
        let found = (
            out.done_hit,
            filled.then_some(usize::from(out.done_way)),
            out.done_evict.then_some(usize::from(out.done_owner)),
        );
        let wanted = (expected.hit, expected.way, expected.evicted);
        if self.mismatch.is_none() && found != wanted {
            let what = format!(
                "access {number}: hit, way and evicted owner are {found:?}, expected {wanted:?}"
            );
            self.mismatch = Some(said(line, &what));
        }
        Ok(out)
    }
}

fn said(line: &Line, what: &str) -> String {
    format!(
        "{} under {}, L3 of {} sets: {what}",
        line.workload, line.policy, line.sets
    )
}

impl Report {
    /// With what ran after it.
    fn add(&mut self, later: Report) {
        self.hardware.extend(later.hardware);
        self.complete &= later.complete;
        self.compared += later.compared;
        self.mismatch = self.mismatch.take().or(later.mismatch);
        self.runs.extend(later.runs);
    }

    /// As Markdown.
    pub fn text(&self) -> String {
        let share =
            |part: u64, all: u64| format!("{:.2} %", 100.0 * part as f64 / all.max(1) as f64);
        let mut out = table(
            &format!(
                "{} beside the L3: what it says of each access is what the platform says",
                self.hardware.join(" and ")
            ),
            &[
                "sets",
                "workload",
                "policy",
                "accesses",
                "hits",
                "evictions",
                "periods",
            ],
            self.runs.iter().map(|run| {
                vec![
                    run.sets.to_string(),
                    run.workload.clone(),
                    run.policy.into(),
                    run.accesses.to_string(),
                    share(run.hits, run.accesses),
                    run.evictions.to_string(),
                    run.periods.to_string(),
                ]
            }),
        );
        let replacing = self.runs.iter().filter(|run| run.evictions > 0).count();
        out += &format!(
            "\nValid lines were replaced in {replacing} of {} runs. {} cycles compared with the golden model, ",
            self.runs.len(),
            self.compared
        );
        out += match &self.mismatch {
            Some(_) => "and a MISMATCH: ",
            None => "no mismatch",
        };
        out += self.mismatch.as_deref().unwrap_or_default();
        if !self.complete {
            out += "; interrupted";
        }
        out + "\n"
    }

    /// There is no picture of it.
    ///
    /// # Errors
    /// None.
    pub fn attachments(&self) -> Result<Vec<Attachment>, Error> {
        Ok(vec![])
    }
}

#[cfg(test)]
mod tests {
    //! Rationale: the unit says the same as the platform's cache in every access, under every policy,
    //! with lines replaced and decisions taken; a fault of the netlist, and a platform whose cache does
    //! something else, are both found and named.
    use super::*;
    use cotenant_netlist::fault::Fault;

    /// A small L3, so that its sets are soon full.
    fn small() -> Config {
        let mut config = Config::tap();
        (config.l3.sets, config.l3.ways) = (256, 8);
        config
    }

    fn setting() -> Setting<'static> {
        Setting {
            cycles: Some(150_000),
            ..Setting::new(7)
        }
    }

    fn set() -> ParameterSet {
        table::set(
            ManagedDirectory::NAME,
            "WAYS=8,SETS=256,APPLICATIONS=2,LEADERS=32,TAG_W=50",
        )
        .unwrap()
    }

    #[test]
    fn the_unit_is_the_cache_of_the_platform() {
        let unit = Lockstep::new(&set()).unwrap();
        let report = run_with(&small(), unit, &setting()).unwrap();
        assert_eq!(report.mismatch, None);
        assert!(report.complete && report.runs.len() == WORKLOADS * POLICIES.len());
        assert!(report
            .runs
            .iter()
            .all(|run| run.periods == 2 && run.accesses > 0));
        let evictions = |policy: &str| -> u64 {
            let runs = report.runs.iter().filter(|run| run.policy == policy);
            runs.map(|run| run.evictions).sum()
        };
        for (kind, _) in POLICIES {
            assert!(evictions(kind.name()) > 10_000, "{kind}");
        }
        // Policies differ, or they were not heard.
        let hits = |policy: &str| -> u64 {
            let runs = report.runs.iter().filter(|run| run.policy == policy);
            runs.map(|run| run.hits).sum()
        };
        let all: std::collections::BTreeSet<u64> =
            POLICIES.iter().map(|(kind, _)| hits(kind.name())).collect();
        assert_eq!(all.len(), POLICIES.len(), "{all:?}");
        assert!(report.text().contains("no mismatch"));
    }

    #[test]
    fn a_faulty_netlist_is_named() {
        let netlist = ManagedDirectory::netlist(&set()).unwrap();
        let flop = netlist.regs.iter().position(|reg| reg.name == "forward");
        let fault = Fault::StuckBit {
            reg: flop.unwrap(),
            bit: 0,
            value: false,
        };
        let faulty = netlist.with_fault(&fault).unwrap();
        let unit = Lockstep::with_netlist(&set(), &faulty, Default::default()).unwrap();
        let report = run_with(&small(), unit, &setting()).unwrap();
        let mismatch = report.mismatch.clone().unwrap();
        assert!(mismatch.contains("of the netlist is"), "{mismatch}");
        assert!(report.text().contains("MISMATCH"));
    }

    /// One with other leader sets decides otherwise.
    #[test]
    fn another_cache_is_named() {
        let other = table::set(
            ManagedDirectory::NAME,
            "WAYS=8,SETS=256,APPLICATIONS=2,LEADERS=16,TAG_W=50",
        );
        let unit = Lockstep::new(&other.unwrap()).unwrap();
        let report = run_with(&small(), unit, &setting()).unwrap();
        let mismatch = report.mismatch.unwrap();
        assert!(
            mismatch.contains("under drrip, L3 of 256 sets: access"),
            "{mismatch}"
        );
    }
}
