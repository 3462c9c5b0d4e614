//! Kernels of table 2 under a scheme, or alone, and what was counted.
//!
//! ASSUMPTION: SMK's warp instruction quotas are what a kernel alone issues on an SM in [`EPOCH`] cycles:
//! the paper says only that they come from "profiling each one in isolation".

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::online::{self, profile};
use super::partition::{drf, fits, spatial, sweet_spot, Curve};
use super::{Issue, Partition, Scheme};
use crate::calibration::fit::NAME;
use crate::gpu::config::Policy;
use crate::gpu::machine::{Imbalance, Launch, Machine, MachineError};
use crate::gpu::sm::{Divided, MemoryIssue, Occupancy, OwnOrder, Stats};
use crate::presets::{Preset, PresetError};
use crate::sm::mem_issue::{In, MemIssue};
use crate::workload::program::suites;
use crate::workload::program::table2::{Benchmark, BENCHMARKS};
use crate::workload::program::{Grid, Program};
use crate::{Model, ParamError};

/// Cycles whose instructions, alone on an SM, are a kernel's quota.
pub const EPOCH: u64 = 1000;

/// Stretches of time into which what is measured is divided.
pub const PERIODS: u64 = 10;

/// From the first address of a kernel to that of the next one of table 2.
const RANGE: u64 = 1 << 40;

/// Why kernels cannot be run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// There is no such preset.
    #[error(transparent)]
    Preset(#[from] PresetError),
    /// There is no such machine, or a kernel does not run on it.
    #[error(transparent)]
    Machine(#[from] MachineError),
    /// A kernel that preset `maxwell-fit` has not.
    #[error("kernel \"{0}\" is none of table 2's: expected one of {names}", names = names())]
    Kernel(String),
    /// Warped-Slicer without curves, or blocks that do not fit an SM together.
    #[error("no thread blocks for {0}: expected a curve for each kernel where they come from curves, and a block of each kernel and room for all on an SM")]
    Blocks(Scheme),
    /// The machine's counts do not add up: an error of the model.
    #[error("the GPU's counts do not add up: {0}")]
    Imbalance(#[from] Imbalance),
}

impl From<ParamError> for Error {
    fn from(error: ParamError) -> Self {
        Self::Machine(error.into())
    }
}

fn names() -> String {
    BENCHMARKS.map(|benchmark| benchmark.name).join(", ")
}

/// A machine of the evaluation: preset `maxwell-fit` with another scheduler or L1D.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Variant {
    /// How warp schedulers pick.
    pub policy: Policy,
    /// KB of an L1D: 24, 48 or 96.
    pub l1d: u32,
}

impl Variant {
    /// Table 1.
    pub const PAPER: Self = Self {
        policy: Policy::Gto,
        l1d: 24,
    };

    /// The platform.
    ///
    /// ASSUMPTION: 48 KB are twice the sets, 96 KB also twice the ways; section 4.3 gives sizes only.
    ///
    /// # Errors
    /// [`Error`] for another size.
    pub fn preset(self) -> Result<Preset, Error> {
        let mut preset = Preset::named(NAME)?;
        preset.machine.sm.policy = self.policy;
        let (name, value, known) = ("l1d", self.l1d.into(), vec![24, 48, 96]);
        (preset.machine.l1d.sets, preset.machine.l1d.ways) = match self.l1d {
            24 => (32, 6),
            48 => (64, 6),
            96 => (64, 12),
            _ => return Err(ParamError::NotOneOf { name, value, known }.into()),
        };
        Ok(preset)
    }
}

/// How long a run is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Window {
    /// Cycles before what is counted.
    pub warm_up: u64,
    /// Cycles that are counted, a multiple of [`PERIODS`].
    pub measured: u64,
}

/// What a kernel has done in the window, on all SMs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Counts {
    /// Warp instructions.
    pub instructions: u64,
    /// Requests to the L1D that it took, loads and stores.
    pub accesses: u64,
    /// Of them, those that did not hit, as table 2 counts them
    /// ([`miss_rate`](crate::calibration::solo::Solo::miss_rate)).
    pub misses: u64,
    /// Reservation failures: cycles in which it stalled a load/store unit.
    pub failures: u64,
    /// Warp instructions of the warm-up, then of each tenth of the window.
    pub by_period: Vec<u64>,
}

/// Kernels of table 2 on a machine, KIDs in their order.
#[derive(Debug)]
pub struct Group {
    preset: Preset,
    kernels: Vec<&'static Benchmark>,
    programs: Vec<Arc<dyn Program>>,
}

/// What a scheme is given that others have measured.
#[derive(Debug, Clone, Copy, Default)]
pub struct Given<'a> {
    /// Curves of the kernels, for Warped-Slicer.
    pub curves: &'a [Curve],
    /// Each kernel's warp instructions per cycle of the GPU alone, for SMK's quotas.
    pub alone: &'a [f64],
}

impl Group {
    /// Kernels by name. A kernel has the same addresses in each group.
    ///
    /// # Errors
    /// [`Error`] for a name that table 2 has not, or a machine that there is not.
    pub fn new(variant: Variant, names: &[impl AsRef<str>], seed: u64) -> Result<Self, Error> {
        let preset = variant.preset()?;
        let mut group = Self {
            preset,
            kernels: vec![],
            programs: vec![],
        };
        for name in names.iter().map(AsRef::as_ref) {
            let place = BENCHMARKS.iter().position(|it| it.name == name);
            let unknown = || Error::Kernel(name.to_owned());
            let place = place.ok_or_else(unknown)?;
            let benchmark = &BENCHMARKS[place];
            let fitted = group.preset.fitted.as_ref();
            let numbers = fitted.and_then(|fitted| fitted.numbers(benchmark));
            let numbers = numbers.ok_or_else(unknown)?;
            let base = place as u64 * RANGE;
            let program = suites::kernel(benchmark, numbers, seed, base)?;
            group.kernels.push(benchmark);
            group.programs.push(Arc::new(program));
        }
        Ok(group)
    }

    /// SMs of the machine.
    pub fn sms(&self) -> usize {
        self.preset.machine.sm.count
    }

    /// Whether each kernel is memory-intensive, in their order.
    pub fn memory_intensive(&self) -> impl Iterator<Item = bool> + '_ {
        self.kernels.iter().map(|it| it.memory_intensive)
    }

    fn grids(&self) -> Vec<Grid> {
        self.programs.iter().map(|it| it.grid()).collect()
    }

    /// Blocks of each kernel that an SM holds when it is alone there.
    pub fn most(&self) -> Vec<u32> {
        let of = |grid: &Grid| Occupancy::of(&self.preset.machine.sm, grid).blocks;
        self.grids().iter().map(of).collect()
    }

    fn machine(&self, sms: &[u64], blocks: Option<&[u32]>) -> Result<Machine, MachineError> {
        let launch = |(kernel, program): (usize, &Arc<dyn Program>)| Launch {
            program: program.clone(),
            kernel: kernel as u8,
            sms: sms.get(kernel).copied().unwrap_or(u64::MAX),
            blocks_per_sm: blocks.map(|blocks| blocks[kernel]),
            start: 0,
            restart: true,
        };
        let launches = self.programs.iter().enumerate().map(launch).collect();
        Machine::new(&self.preset.machine, self.preset.llc, launches)
    }

    /// The first kernel alone, as many blocks as said, or as fit. None if `watch`, which is told of
    /// cycles, has stopped it; so in all other runs.
    ///
    /// # Errors
    /// [`Error`] for blocks or a machine that cannot be; so in all other runs.
    pub fn alone(
        &self,
        blocks: Option<u32>,
        window: Window,
        watch: &dyn Fn(u64) -> bool,
    ) -> Result<Option<Vec<Counts>>, Error> {
        let blocks = blocks.map(|blocks| vec![blocks; self.kernels.len()]);
        let machine = self.machine(&[], blocks.as_deref())?;
        self.measure(machine, window, watch)
    }

    /// Warped-Slicer's curves, profiled online.
    ///
    /// # Errors
    /// [`Error`].
    pub fn profile(&self) -> Result<Vec<Curve>, Error> {
        let mut machine = self.machine(&[], None)?;
        let length = [online::WARM_UP, online::SAMPLE];
        Ok(profile(&mut machine, self.sms(), &self.most(), length)?)
    }

    /// The thread blocks on an SM by a partition; none where it does not say how many, or where
    /// not even one block of each fits.
    pub fn blocks(&self, partition: Partition, curves: &[Curve]) -> Option<Vec<u32>> {
        let sm = &self.preset.machine.sm;
        match partition {
            Partition::Spatial | Partition::LeftOver => None,
            Partition::Offline | Partition::Online => sweet_spot(sm, &self.grids(), curves),
            Partition::Drf => Some(drf(sm, &self.grids())),
            Partition::Fixed(blocks) => {
                let grids = self.grids();
                let blocks: Vec<u32> = blocks.iter().map(|&n| n.into()).take(grids.len()).collect();
                let all = blocks.len() == grids.len() && !blocks.contains(&0);
                (all && fits(sm, &grids, &blocks)).then_some(blocks)
            }
        }
    }

    /// The kernels together.
    ///
    /// # Errors
    /// [`Error`].
    pub fn together(
        &self,
        scheme: Scheme,
        given: Given<'_>,
        window: Window,
        watch: &dyn Fn(u64) -> bool,
    ) -> Result<Option<Vec<Counts>>, Error> {
        self.measure(self.under(scheme, given)?, window, watch)
    }

    /// The same with the unit of the issue policy as the caller makes it for each SM, for instance with
    /// its hardware beside it.
    ///
    /// # Errors
    /// [`Error`].
    pub fn together_with(
        &self,
        scheme: Scheme,
        given: Given<'_>,
        window: Window,
        unit: &mut dyn FnMut(usize) -> Box<dyn MemoryIssue>,
        watch: &dyn Fn(u64) -> bool,
    ) -> Result<Option<Vec<Counts>>, Error> {
        let mut machine = self.under(scheme, given)?;
        for sm in 0..self.sms() {
            machine.with_issue_control(sm, unit(sm))?;
        }
        self.measure(machine, window, watch)
    }

    /// A machine with the kernels under a scheme, at cycle 0.
    ///
    /// # Errors
    /// [`Error`].
    pub fn under(&self, scheme: Scheme, given: Given<'_>) -> Result<Machine, Error> {
        let count = self.kernels.len();
        let masks = match scheme.partition {
            Partition::Spatial => spatial(self.sms(), count),
            _ => vec![],
        };
        let blocks = self.blocks(scheme.partition, given.curves);
        let counted = !matches!(scheme.partition, Partition::Spatial | Partition::LeftOver);
        if counted && blocks.is_none() {
            return Err(Error::Blocks(scheme));
        }
        let mut machine = self.machine(&masks, blocks.as_deref())?;
        if scheme.partition == Partition::LeftOver {
            machine = machine.in_order();
        }
        match scheme.issue {
            Issue::Free => {}
            Issue::Ucp => machine.with_divided(Divided::Ways, count)?,
            Issue::MissEntries => machine.with_divided(Divided::MissEntries, count)?,
            Issue::Quotas => {
                let quota = |ipc: &f64| (ipc * EPOCH as f64 / self.sms() as f64).round() as u64;
                let quotas = given.alone.iter().map(|ipc| quota(ipc).max(1));
                machine.with_warp_quotas(&quotas.collect::<Vec<_>>())?;
            }
            issue => {
                for sm in 0..self.sms() {
                    if let Some(unit) = control(issue, count)? {
                        machine.with_issue_control(sm, unit)?;
                    }
                }
            }
        }
        Ok(machine)
    }

    fn measure(
        &self,
        mut machine: Machine,
        Window { warm_up, measured }: Window,
        watch: &dyn Fn(u64) -> bool,
    ) -> Result<Option<Vec<Counts>>, Error> {
        let stats = |machine: &Machine| -> Vec<Stats> {
            let kernels = 0..self.kernels.len();
            kernels.map(|kernel| machine.stats(kernel).sm).collect()
        };
        let mut ends = vec![0, warm_up];
        ends.extend((1..=PERIODS).map(|period| warm_up + measured * period / PERIODS));
        let mut moments = vec![stats(&machine)];
        for end in ends.windows(2) {
            if end[1] > end[0] {
                machine.run_unwatched(end[1] - 1);
            }
            moments.push(stats(&machine));
            if !watch(end[1] - end[0]) {
                return Ok(None);
            }
        }
        machine.check()?;
        let counts = (0..self.kernels.len()).map(|kernel| {
            let at = |moment: usize| moments[moment][kernel];
            let (first, last) = (at(1), at(ends.len() - 1));
            let hits = |stats: &Stats| stats.hits + stats.write_evictions;
            let accesses = last.requests() - first.requests();
            let by_period =
                (1..ends.len()).map(|end| at(end).instructions() - at(end - 1).instructions());
            Counts {
                instructions: last.instructions() - first.instructions(),
                accesses,
                misses: accesses - (hits(&last) - hits(&first)),
                failures: last.failures.total() - first.failures.total(),
                by_period: by_period.collect(),
            }
        });
        Ok(Some(counts.collect()))
    }
}

/// The unit of an issue policy, in front of so many kernels.
fn control(issue: Issue, kernels: usize) -> Result<Option<Box<dyn MemoryIssue>>, ParamError> {
    let Some(params) = issue.unit(kernels) else {
        return Ok(None);
    };
    let mut unit = MemIssue::new(params)?;
    if let Issue::Smil(limits) = issue {
        let limited = limits.iter().take(kernels).enumerate();
        for (kernel, &limit) in limited.filter(|(_, limit)| **limit > 0) {
            Model::step(
                &mut unit,
                &In {
                    set_valid: true,
                    set_kid: kernel as u8,
                    set_limit: limit.into(),
                    ..In::default()
                },
            );
        }
    }
    Ok(Some(match issue.leaves_order() {
        true => Box::new(OwnOrder(unit)),
        false => Box::new(unit),
    }))
}

#[cfg(test)]
mod tests;
