//! The choice: the machine with the least sum of errors, and for it each kernel's own numbers.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::free::{candidates, Open, Trial, BUSES};
use super::solo::{Solo, Window};
use crate::presets::Preset;
use crate::workload::program::listed::Numbers;
use crate::workload::program::suites::is_spread;
use crate::workload::program::table2::{Benchmark, BENCHMARKS};

/// The preset's name.
pub const NAME: &str = "maxwell-fit";

/// The window of a fit's runs. ASSUMPTION: 200,000 cycles after 50,000; the report is measured in one
/// of twice as many ([`compare::WINDOW`](super::compare::WINDOW)).
pub const WINDOW: Window = Window {
    warm_up: 50_000,
    measured: 200_000,
};

/// Accesses of the L1D by 1000 cycles alone: figures 6(a) and 6(b), "around 130".
pub fn accesses(benchmark: &Benchmark) -> Option<f64> {
    matches!(benchmark.name, "bp" | "sv").then_some(130.0)
}

/// A run and what came of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// What was run.
    pub trial: Trial,
    /// What came of it.
    pub solo: Solo,
}

/// How far a run is from the paper's numbers of its kernel: each one's deviation as a share of it,
/// at most 1, summed. Rates of failures below 0.5 an access count as shares of that: less than one
/// failure in two accesses stalls nothing.
///
/// What is fitted are table 2's rates of misses and failures, figure 6's accesses, and for kernels
/// with indices that are data requests per instruction, since they say how far they are spread.
pub fn error(benchmark: &Benchmark, solo: &Solo) -> f64 {
    let off =
        |ours: f64, paper: f64, least: f64| ((ours - paper).abs() / paper.max(least)).min(1.0);
    let misses = off(solo.miss_rate, f64::from(benchmark.misses) / 100.0, 0.05);
    let failures = off(
        solo.failure_rate,
        f64::from(benchmark.failures) / 100.0,
        0.5,
    );
    let accesses = accesses(benchmark).map_or(0.0, |paper| off(solo.accesses, paper, 1.0));
    let requests = match is_spread(benchmark) {
        true => off(solo.requests, benchmark.requests.into(), 1.0),
        false => 0.0,
    };
    misses + failures + accesses + requests
}

/// What a fit has chosen, as it stands in the preset.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Fitted {
    /// Draws indices that are data.
    pub seed: u64,
    /// Cycles of each run before what was counted.
    pub warm_up: u64,
    /// Cycles of each run that were counted.
    pub measured: u64,
    /// Of what was chosen: [`digest`](Self::digest).
    pub hash: String,
    /// By kernel.
    pub kernels: BTreeMap<String, Numbers>,
}

impl Fitted {
    /// The hash that belongs to the numbers and a machine: FNV-1a of 64 bits over them as text. It is
    /// there to see that somebody has changed one, not to keep them from it.
    pub fn digest(&self, open: Open) -> String {
        let Open { bus, miss_queue } = open;
        let mut text = format!("{bus} {miss_queue}");
        text += &format!(" {} {} {}", self.seed, self.warm_up, self.measured);
        for (name, Numbers { latency, spread }) in &self.kernels {
            text += &format!(" {name} {latency} {spread}");
        }
        let fold = |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        format!("{:016x}", text.bytes().fold(0xcbf2_9ce4_8422_2325, fold))
    }

    /// The numbers of a kernel.
    pub fn numbers(&self, benchmark: &Benchmark) -> Option<Numbers> {
        self.kernels.get(benchmark.name).copied()
    }
}

/// What a machine has against it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Judged {
    /// The machine.
    pub open: Open,
    /// The sum of the kernels' errors.
    pub error: f64,
    /// The most that a compute-intensive kernel gains in instructions per cycle with the widest bus
    /// and nothing else changed, as a share.
    pub gain: f64,
}

/// Above this gain a kernel is bound by memory: a tenth, as within which numbers are reached.
pub const MOST_GAIN: f64 = 0.1;

/// What a fit has chosen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Fit {
    /// The best machine.
    pub open: Open,
    /// All machines.
    pub machines: Vec<Judged>,
    /// The rest.
    pub fitted: Fitted,
}

/// The best of the runs of a kernel on a machine, and its error; the first of equals. None if one
/// of its runs is missing.
pub fn best<'a>(lines: &'a [Line], open: Open, benchmark: &Benchmark) -> Option<(&'a Line, f64)> {
    let mut best = None;
    for numbers in candidates(benchmark) {
        let trial = Trial::of(open, benchmark, numbers);
        let line = lines.iter().find(|line| line.trial == trial)?;
        let error = error(benchmark, &line.solo);
        if best.is_none_or(|(_, least)| error < least) {
            best = Some((line, error));
        }
    }
    best
}

/// Whether MSHRs are the commonest reason of failures (section 4.3), over all kernels: none is left,
/// or the line's takes no further request.
pub fn mshrs_are_commonest<'a>(runs: impl Iterator<Item = &'a Solo>) -> bool {
    let (mut mshrs, mut lines, mut queue) = (0, 0, 0);
    for Solo { failures, .. } in runs {
        mshrs += failures.mshr_entry + failures.mshr_merge;
        lines += failures.line_alloc;
        queue += failures.miss_queue;
    }
    mshrs > lines.max(queue)
}

/// The most that one of the `best` runs of a machine that is compute-intensive gains from the widest
/// bus; none if its run with that is missing.
fn gain(lines: &[Line], best: &[&Line], open: Open) -> Option<f64> {
    let wide = Open {
        bus: BUSES.into_iter().max()?,
        ..open
    };
    let mut most = 0.0f64;
    for (benchmark, line) in BENCHMARKS.iter().zip(best) {
        if !benchmark.memory_intensive {
            let trial = Trial::of(wide, benchmark, line.trial.numbers());
            let with = lines.iter().find(|line| line.trial == trial)?;
            most = most.max(with.solo.ipc / line.solo.ipc.max(1e-9) - 1.0);
        }
    }
    Some(most)
}

impl Fit {
    /// The choice among the runs of all kernels; none if one is missing. To the sum of the kernels'
    /// errors comes 1 if MSHRs are not the commonest reason of failures.
    ///
    /// A machine on which a kernel of type C is bound by memory is not chosen: table 2 calls it
    /// compute-intensive, and bp's performance grows with its blocks up to the last (figure 3(a)).
    pub fn choose(lines: &[Line], seed: u64, window: Window) -> Option<Self> {
        let mut machines = vec![];
        let mut chosen: Option<(Open, f64, Vec<&Line>)> = None;
        for open in Open::all() {
            let best = BENCHMARKS.iter().map(|b| best(lines, open, b));
            let best: Vec<(&Line, f64)> = best.collect::<Option<_>>()?;
            let (runs, of_kernels): (Vec<&Line>, Vec<f64>) = best.into_iter().unzip();
            let commonest = mshrs_are_commonest(runs.iter().map(|line| &line.solo));
            let sum = of_kernels.iter().sum::<f64>() + if commonest { 0.0 } else { 1.0 };
            let gain = gain(lines, &runs, open)?;
            machines.push(Judged {
                open,
                error: sum,
                gain,
            });
            if gain > MOST_GAIN {
                continue;
            }
            if chosen.as_ref().is_none_or(|(_, least, _)| sum < *least) {
                chosen = Some((open, sum, runs));
            }
        }
        let (open, _, runs) = chosen?;
        let kernels = runs
            .into_iter()
            .map(|line| (line.trial.kernel.clone(), line.trial.numbers()));
        let mut fitted = Fitted {
            seed,
            warm_up: window.warm_up,
            measured: window.measured,
            hash: String::new(),
            kernels: kernels.collect(),
        };
        fitted.hash = fitted.digest(open);
        Some(Self {
            open,
            machines,
            fitted,
        })
    }

    /// The preset as a text: that of `maxwell` with what is different, and why.
    pub fn text(&self) -> String {
        let maxwell = Preset::text("maxwell").unwrap_or_default();
        let mut text = String::new();
        let mut table = "";
        let mut skip = true;
        for line in maxwell.lines() {
            if let Some(name) = line.strip_prefix('[') {
                table = name.trim_end_matches(']');
                skip = false;
            }
            let reading = line.starts_with("# Table 1 says \"924MHz");
            match (table, line.split(' ').next().unwrap_or_default()) {
                _ if reading => skip = true,
                ("machine.dram", "bus") => {
                    text += &format!("bus = {:<9} # fitted\n", self.open.bus)
                }
                ("machine.l1d", "miss-queue") => {
                    text += &format!("miss-queue = {:<3} # fitted\n", self.open.miss_queue);
                }
                ("machine.sm", "policy") => {
                    text += line;
                    text += "\norder = \"fixed\"       # GPGPU-Sim 3.2.2, shader_core_ctx::issue\n";
                }
                ("machine.l2", "index") => {
                    text += "index = \"slices\"  # GPGPU-Sim 3.2.2, gpgpu_mem_addr_mapping\n";
                    text += "write-miss = \"fetch\" # GPGPU-Sim 3.2.2, data_cache::wr_miss_wa\n";
                }
                ("machine.l1d", "index") => {
                    text +=
                        "index = \"fermi\"  # GPGPU-Sim 3.2.2, the hash of cache_config::set_index";
                    text += "\nfill = \"lines\"   # GPGPU-Sim 3.2.2, gpu-cache.cc\n";
                }
                _ if skip => {}
                _ => {
                    text += line;
                    text += "\n";
                }
            }
        }
        let Fitted {
            seed,
            warm_up,
            measured,
            hash,
            kernels,
        } = &self.fitted;
        let kernels: String = kernels
            .iter()
            .map(|(name, Numbers { latency, spread })| {
                format!("{name} = {{ latency = {latency}, spread = {spread} }}\n")
            })
            .collect();
        format!(
            "{HEADER}\nname = \"{NAME}\"\ntitle = \"{TITLE}\"\n\n{}\n\
             # Kernels: cycles of an instruction, and the spread of indices that are data.\n\
             [fitted]\nseed = {seed}\nwarm-up = {warm_up}\nmeasured = {measured}\nhash = \"{hash}\"\n\n\
             [fitted.kernels]\n{kernels}",
            text.trim_end().to_owned() + "\n",
        )
    }
}

/// What stands first in the preset.
const HEADER: &str = "\
# The GPU of the paper on QBMI and DMIL (Dai et al., \"Accelerate GPU Concurrent Kernel Execution by
# Mitigating Memory Pipeline Stalls\", HPCA 2018), with what its tables leave open fitted on single
# kernels alone. Written by `cotenant calibrate`: change nothing by hand. The rest is preset maxwell,
# whose comments say where each number is from.
";

const TITLE: &str = "maxwell with whole-line fills, fitted on the single kernels of table 2";

#[cfg(test)]
mod tests;
