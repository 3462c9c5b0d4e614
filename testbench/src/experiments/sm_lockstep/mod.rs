//! `sm-lockstep`: the netlist of `mem_issue` in every SM of the GPU of Dai et al. (HPCA 2018), for pairs and
//! sets of three of its kernels.
//!
//! Machine, kernels, thread blocks and issue policies are those of [`sm_pairs`](super::sm_pairs), with
//! Warped-Slicer profiled online. In each SM and each cycle the netlist and its golden model get the
//! same inputs, all outputs and registers are compared, and their common grant decides what issues.
//! At the end the kernels must have done what they do with the golden model alone, whose SMs sleep
//! through cycles in which nothing happens.
//!
//! Fixed before the first run: the workloads ([`workloads`]), the policies ([`POLICIES`]) and the window.

mod plot;
mod text;

use cotenant_golden::presets::Preset;
use cotenant_golden::schemes::run::{Counts, Given, Group, Variant, Window};
use cotenant_golden::schemes::{Issue, Scheme};
use cotenant_golden::sm::mem_issue::{Limiter, Priority};
use cotenant_netlist::sim::Engine;
use cotenant_netlist::Netlist;
use cotenant_units::table::{self, ParameterSet};
use serde::{Deserialize, Serialize};

use super::issue_control::{IssueControl, Log, Period, Seen, Span};
use super::runs::{self, Asked, Kept, Subject};
use super::sm_pairs::plan::{self, ws, Workload};
use super::sm_pairs::runs::window;
use super::{Attachment, Error, Setting};
use crate::unit::sm::MemIssue;
use crate::verify::interface::Interface;

/// Pairs: the first ones of `sm-pairs`, of which six are those that the paper looks at one by one.
pub const PAIRS: usize = 12;
/// Sets of three: the first ones of `sm-triples`.
pub const TRIPLES: usize = 4;
/// The policies whose unit is `mem_issue` without a choice of limits by hand.
pub const POLICIES: [Issue; 4] = [Issue::Rbmi, Issue::Qbmi, Issue::Dmil, Issue::QbmiDmil];
/// Cycles that are counted, unless said, after a tenth more. ASSUMPTION: a quarter of the paper's 2,000,000,
/// as hardware in 16 SMs takes five times as long as golden models.
pub const CYCLES: u64 = 500_000;
/// Stretches of time of a run for the pictures, warm-up included.
const STRETCHES: u64 = 110;

/// The kernels that run, pairs first.
pub fn workloads(seed: u64) -> Vec<Workload> {
    let pairs = plan::pairs(seed).workloads.into_iter().take(PAIRS);
    let triples = plan::triples(seed).workloads.into_iter().take(TRIPLES);
    pairs.chain(triples).collect()
}

/// The unit's parameter set for one of the [`POLICIES`], as the table names it.
pub fn set_name(issue: Issue, kernels: usize) -> Option<String> {
    let unit = issue.unit(kernels).filter(|_| POLICIES.contains(&issue))?;
    let limiter = match unit.limiter {
        Limiter::Smil => "smil",
        Limiter::Milg => "milg",
    };
    let priority = match unit.priority {
        Priority::Rbmi => "rbmi",
        Priority::Qbmi => "qbmi",
    };
    Some(format!("{kernels}-{limiter}-{priority}"))
}

/// A kernel's limit and quota in all SMs.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Kernel {
    /// Its mean limit in each stretch of time, over the cycles in which it had one; empty if it never had.
    pub limit: Vec<Option<f64>>,
    /// Its mean quota in each stretch of time; empty without quotas.
    pub quota: Vec<Option<f64>>,
    /// Cycles of SMs in which it had a limit, as a share.
    pub limited: f64,
    /// Its mean limit over all of them.
    pub mean_limit: Option<f64>,
    /// Its mean quota.
    pub mean_quota: Option<f64>,
}

/// A run that was done.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Line {
    /// The kernels, by their names in table 2.
    pub workload: Vec<String>,
    /// The policy.
    pub issue: Issue,
    /// The unit's parameter set.
    pub unit: String,
    /// SMs with hardware.
    pub sms: usize,
    /// Cycles compared, over all SMs.
    pub compared: u64,
    /// What was wrong first; null if nothing was.
    pub mismatch: Option<String>,
    /// What each kernel did in the window; none of a run with a mismatch.
    pub counts: Vec<Counts>,
    /// Limits and quotas, by kernel.
    pub kernels: Vec<Kernel>,
}

impl Kept for Line {
    fn run(&self) -> String {
        name(&self.workload, self.issue)
    }
}

/// All that ran.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// Version of this document.
    pub schema: u32,
    /// The experiment's name.
    pub experiment: &'static str,
    /// The seed.
    pub seed: u64,
    /// The window of a run.
    pub window: Window,
    /// Hash of the preset's fitted numbers.
    pub preset: String,
    /// Whether all runs that were asked for came to their end.
    pub complete: bool,
    /// By workload and policy.
    pub runs: Vec<Line>,
}

/// What decides the results.
#[derive(Debug, Serialize)]
struct Parameters {
    cycles: u64,
    preset: Preset,
    /// Parameter sets with the digests of their netlists.
    hardware: Vec<[String; 2]>,
}

/// A run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Case {
    /// The kernels.
    pub workload: Workload,
    /// The policy.
    pub issue: Issue,
}

/// `bp+sv under WS-QBMI`.
fn name(workload: &[impl AsRef<str>], issue: Issue) -> String {
    let names: Vec<&str> = workload.iter().map(AsRef::as_ref).collect();
    format!("{} under {}", names.join("+"), ws(issue))
}

/// All runs of so many workloads.
fn cases(seed: u64, first: Option<u64>) -> Vec<Case> {
    let all = workloads(seed).into_iter();
    let some = all.take(first.map_or(usize::MAX, |first| first as usize));
    let of = |workload: Workload| {
        POLICIES.map(|issue| Case {
            workload: workload.clone(),
            issue,
        })
    };
    some.flat_map(of).collect()
}

/// Runs all workloads under all policies.
///
/// # Errors
/// [`Error`].
pub fn run(setting: &Setting<'_>) -> Result<Report, Error> {
    let cycles = setting.cycles.unwrap_or(CYCLES).max(STRETCHES);
    let preset = Preset::named(cotenant_golden::calibration::fit::NAME)?;
    let all = cases(setting.seed, None);
    let mut hardware: Vec<[String; 2]> = vec![];
    for case in &all {
        let set = case.set()?;
        let name = set.name.to_owned();
        if hardware.iter().all(|known| known[0] != name) {
            hardware.push([name, MemIssue::netlist(&set)?.digest()]);
        }
    }
    let parameters = Parameters {
        cycles,
        preset: preset.clone(),
        hardware,
    };
    let subject = Subject::new("sm-lockstep", setting.seed, parameters);
    let names: Vec<String> = all.iter().map(Case::name).collect();
    let journal = runs::Runs::open(setting, &subject, &names)?;
    let window = window(cycles);
    let steps = |_: &Case| 2 * (window.warm_up + window.measured);
    let watch = |cycles| setting.watch.advance(cycles);
    let measure = |case: &Case| case.run(setting.seed, cycles, setting.engine, &Ok, &watch);
    let asked = cases(setting.seed, setting.workloads);
    let done = journal.all(Asked::OfThePart, &asked, Case::name, steps, measure)?;
    Ok(Report {
        schema: 1,
        experiment: "sm-lockstep",
        seed: setting.seed,
        window,
        preset: preset.fitted.map(|fitted| fitted.hash).unwrap_or_default(),
        complete: done.iter().all(Option::is_some),
        runs: done.into_iter().flatten().collect(),
    })
}

impl Case {
    /// Of a line.
    pub fn of(line: &Line, seed: u64) -> Option<Self> {
        let all = cases(seed, None).into_iter();
        all.into_iter().find(|case| case.name() == line.run())
    }

    fn name(&self) -> String {
        name(&self.workload, self.issue)
    }

    fn set(&self) -> Result<ParameterSet, Error> {
        let name = set_name(self.issue, self.workload.len()).unwrap_or_default();
        Ok(table::set(MemIssue::NAME, &name).map_err(crate::Error::from)?)
    }

    /// Does it, with the netlist as `change` makes it: for faults. None if it was stopped.
    ///
    /// # Errors
    /// [`Error`].
    pub fn run(
        &self,
        seed: u64,
        cycles: u64,
        engine: Engine,
        change: &dyn Fn(Netlist) -> Result<Netlist, Error>,
        watch: &dyn Fn(u64) -> bool,
    ) -> Result<Option<Line>, Error> {
        let window = window(cycles);
        let set = self.set()?;
        let netlist = change(MemIssue::netlist(&set)?)?;
        let group = Group::new(Variant::PAPER, &self.workload, seed)?;
        let curves = group.profile()?;
        let given = Given {
            curves: &curves,
            alone: &[],
        };
        let scheme: Scheme = ws(self.issue);
        let every = (window.warm_up + window.measured).div_ceil(STRETCHES);
        let mut logs: Vec<Log> = vec![];
        let mut units = vec![];
        for _ in 0..group.sms() {
            let (unit, log) = IssueControl::with_netlist(&set, &netlist, engine, every)?;
            units.push(unit.leaving_order(self.issue.leaves_order()));
            logs.push(log);
        }
        units.reverse();
        let mut unit = |_| -> Box<dyn cotenant_golden::gpu::sm::MemoryIssue> {
            Box::new(units.pop().expect("one for each SM"))
        };
        let ended = || logs.iter().any(Log::ended);
        let go_on = |cycles| watch(cycles) && !ended();
        let with = group.together_with(scheme, given, window, &mut unit, &go_on)?;
        let mut mismatch = None;
        for (sm, log) in logs.iter().enumerate() {
            if let Some(wrong) = log.take_end() {
                mismatch.get_or_insert(format!("SM {sm}: {wrong}"));
            }
        }
        let mut counts = vec![];
        if mismatch.is_none() {
            let Some(with) = with else {
                return Ok(None);
            };
            let Some(golden) = group.together(scheme, given, window, watch)? else {
                return Ok(None);
            };
            if with != golden {
                let what = "the kernels do something else with golden models alone";
                mismatch = Some(format!("{what}: {with:?}, expected {golden:?}"));
            }
            counts = with;
        }
        let periods: Vec<Vec<Period>> = logs.iter().map(Log::periods).collect();
        let kernels = 0..self.workload.len();
        Ok(Some(Line {
            workload: self.workload.iter().map(|&name| name.to_owned()).collect(),
            issue: self.issue,
            unit: set.name.to_owned(),
            sms: logs.len(),
            compared: logs.iter().map(Log::cycles).sum(),
            mismatch,
            counts,
            kernels: kernels
                .map(|kernel| self.kernel(kernel, &periods))
                .collect(),
        }))
    }

    /// What the units of all SMs say of a kernel.
    fn kernel(&self, kernel: usize, periods: &[Vec<Period>]) -> Kernel {
        let stretches = periods.iter().map(Vec::len).min().unwrap_or(0);
        let quotas = matches!(self.issue, Issue::Qbmi | Issue::QbmiDmil);
        let at = |stretch: usize| {
            let seen = periods.iter().map(|of| of[stretch].kernels[kernel]);
            seen.reduce(Seen::and).unwrap_or_default()
        };
        let each: Vec<Seen> = (0..stretches).map(at).collect();
        let all = each.iter().copied().reduce(Seen::and).unwrap_or_default();
        let mean = |span: &Span| span.mean().map(hundredths);
        let of_quotas = |seen: &Seen| quotas.then(|| mean(&seen.quota)).flatten();
        // Each kernel is counted in every cycle.
        let cycles = all.in_flight.cycles.max(1);
        Kernel {
            limit: match all.limit.cycles {
                0 => vec![],
                _ => each.iter().map(|seen| mean(&seen.limit)).collect(),
            },
            quota: match quotas {
                true => each.iter().map(of_quotas).collect(),
                false => vec![],
            },
            limited: all.limit.cycles as f64 / cycles as f64,
            mean_limit: mean(&all.limit),
            mean_quota: of_quotas(&all),
        }
    }
}

/// As many digits as a picture shows.
fn hundredths(value: f64) -> f64 {
    (100.0 * value).round() / 100.0
}

impl Report {
    /// The first mismatch, with its run and SM.
    pub fn mismatch(&self) -> Option<String> {
        let found = |line: &Line| {
            let wrong = line.mismatch.as_ref()?;
            Some(format!(
                "{}: {} {}: {wrong}",
                line.run(),
                MemIssue::NAME,
                line.unit
            ))
        };
        self.runs.iter().find_map(found)
    }

    /// Limits over time with DMIL, and quotas over time with QBMI.
    ///
    /// # Errors
    /// [`Error::Picture`].
    pub fn attachments(&self) -> Result<Vec<Attachment>, Error> {
        let picture = |name: &str, text| Attachment {
            name: format!("sm-lockstep-{name}.svg"),
            text,
        };
        Ok(vec![
            picture("limits", plot::limits(self)?),
            picture("quotas", plot::quotas(self)?),
        ])
    }
}

#[cfg(test)]
mod tests;
