//! What TAP's policies know of the GPU's application: whether caching helps it, and XSRATIO.
//!
//! Source: TAP, sections 3.1 and 3.2.
//!
//! Core sampling compares two cores, which a stream of accesses does not have. So a period's end
//! may be told ([`Ended::caching_helps`]); where it is not, the bit is estimated.
//!
//! ASSUMPTION: the estimate compares misses instead of instructions: those of a core that bypasses
//! the cache, which are all accesses, and those with all ways, by the application's monitor.
//! Caching helps if they differ by at least 5 % (Threshold alpha) of the larger one, that is if at
//! least one in twenty accesses would hit; without accesses the bit stays as it was, and it begins
//! set. An application that has hits but does not need them (type D) cannot be told from one that
//! needs them (type C) by its accesses: section 2.2 says so.
//! ASSUMPTION: a sampled core ([`Core`](super::Core)) follows its policy in leader sets too, and
//! moves their selectors as all do; its hits always promote. An access of a plain stream does not
//! tell its core: there nothing is sampled.
//! ASSUMPTION: XSRATIO is the quotient, rounded down, where it exceeds 10 before rounding; at most
//! 1023; 1023 if no CPU accesses, 1 if nobody does.

use super::monitor::Monitor;
use super::Ended;

/// T_xs.
pub const THRESHOLD: u64 = 10;
/// The largest XSRATIO, of 10 bits.
pub const MOST: u64 = 1023;

/// XSRATIO, by the accesses of the GPU's application and of the CPUs' with most.
pub fn xsratio(gpu: u64, cpu: u64) -> u64 {
    if u128::from(gpu) <= u128::from(THRESHOLD) * u128::from(cpu) {
        return 1;
    }
    gpu.checked_div(cpu).map_or(MOST, |ratio| ratio.min(MOST))
}

/// Whether caching helps an application, by its monitor; `None` without accesses.
pub fn helps(monitor: &Monitor) -> Option<bool> {
    let hits: u64 = monitor.hits().iter().sum();
    let (bypassing, cached) = (hits + monitor.misses(), monitor.misses());
    let differ = 20 * u128::from(bypassing - cached) >= u128::from(bypassing);
    (bypassing > 0).then_some(differ)
}

/// The findings that a policy acts on: both in the paper. One alone, or none, shows what the other is
/// worth; with none the sampled cores still fill their own way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ActsOn {
    /// Whether caching helps (section 3.1).
    pub core_sampling: bool,
    /// XSRATIO (section 3.2).
    pub xsratio: bool,
}

impl Default for ActsOn {
    fn default() -> Self {
        Self {
            core_sampling: true,
            xsratio: true,
        }
    }
}

/// What TAP has found out about the GPU's application.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tap {
    /// The GPU's application.
    pub gpu: usize,
    /// The CPUs' applications that stream are looked for (TAP-S, section 5.3).
    pub streams: bool,
    /// XSRATIO.
    pub xsratio: u64,
    /// Caching helps.
    pub caching_helps: bool,
    /// What the policy acts on.
    pub acts_on: ActsOn,
}

impl Tap {
    /// Before the first period's end.
    pub fn new(gpu: usize, streams: bool) -> Self {
        Self {
            gpu,
            streams,
            xsratio: 1,
            caching_helps: true,
            acts_on: ActsOn::default(),
        }
    }

    /// The same for a policy that acts on these findings.
    pub fn acting_on(self, acts_on: ActsOn) -> Self {
        Self { acts_on, ..self }
    }

    /// Caching does not help the GPU's application, and the policy acts on that.
    pub fn masked(&self) -> bool {
        self.acts_on.core_sampling && !self.caching_helps
    }

    /// XSRATIO, or 1 if the policy does not act on it.
    pub fn ratio(&self) -> u64 {
        if self.acts_on.xsratio {
            self.xsratio
        } else {
            1
        }
    }

    /// A period has ended; `monitor` is that of the GPU's application.
    pub fn end_period(&mut self, ended: &Ended<'_>, monitor: &Monitor) {
        let accesses = |app: usize| ended.kernels[app].accesses;
        let cpus = (0..ended.kernels.len()).filter(|&app| app != self.gpu);
        self.xsratio = xsratio(accesses(self.gpu), cpus.map(accesses).max().unwrap_or(0));
        let told = ended.caching_helps.or_else(|| helps(monitor));
        self.caching_helps = told.unwrap_or(self.caching_helps);
    }
}
