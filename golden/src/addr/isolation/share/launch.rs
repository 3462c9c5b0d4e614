//! What persistent blocks cost each launch of a kernel.
//!
//! Source: Fractional GPUs, section III-B, steps 2 to 4, for what is done at a launch; section V-B for
//! what it costs: "The implementation of compute isolation has a fixed overhead per kernel which
//! becomes relatively large for small kernels". The paper gives no number.
//!
//! An application runs alone on all SMs, once with the hardware's block scheduler and once with
//! persistent blocks, so that nothing differs but where blocks come from. Beside the applications there
//! is a kernel of empty blocks: with one per slot it shows what a launch costs by itself, with more of
//! them what each further block does.

use rayon::prelude::*;
use serde::Serialize;

use super::application::{App, Kernel};
use super::engine::{Engine, Ran, Tenant};
use super::partition::{self, Part, Technique};
use super::{Configuration, IsolationError};

/// Threads of an empty block.
const THREADS: u64 = 256;
/// Empty blocks of a slot in the kernel of more of them.
const MORE: u64 = 9;

/// What runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Work {
    /// An application.
    Application(App),
    /// A kernel of blocks that do nothing, so many of them per slot.
    Empty(u64),
}

impl Work {
    /// The applications of table I, then one empty block per slot, and nine of them.
    pub fn all() -> Vec<Self> {
        let applications = App::TABLE_1.into_iter().map(Self::Application);
        applications.chain([1, MORE].map(Self::Empty)).collect()
    }

    fn kernels(self, configuration: &Configuration) -> Vec<Kernel> {
        match self {
            Self::Application(app) => app.kernels(),
            Self::Empty(per_slot) => {
                let slots = configuration.gpu.sms * (configuration.gpu.threads / THREADS);
                vec![Kernel::empty(THREADS, per_slot * slots)]
            }
        }
    }
}

/// Times of an application with both ways to give out its blocks.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LaunchCost {
    /// The GPU, by its memory.
    pub gpu: String,
    /// What ran.
    pub work: Work,
    /// Kernels that were launched.
    pub launches: u64,
    /// Blocks of all kernels.
    pub blocks: u64,
    /// Cycles of all kernels with the hardware's scheduler.
    pub scheduled: u64,
    /// Cycles of all kernels with persistent blocks.
    pub persistent: u64,
    /// Nanoseconds that persistent blocks add to each launch.
    pub ns_per_launch: f64,
    /// What they add, in per cent of the time with the hardware's scheduler; none if that is 0.
    pub percent: Option<f64>,
}

/// Measures each work on the whole GPU of a configuration; how the configuration divides it does
/// not matter. The seed draws irregular addresses.
///
/// # Errors
/// [`IsolationError`] for numbers out of range.
pub fn launch_costs(
    configuration: &Configuration,
    works: &[Work],
    seed: u64,
) -> Result<Vec<LaunchCost>, IsolationError> {
    configuration.check()?;
    let cost = |work: &Work| {
        let kernels = work.kernels(configuration);
        let cycles = |technique| -> Result<u64, IsolationError> {
            Ok(alone(configuration, technique, &kernels, seed)?.cycles)
        };
        let (scheduled, persistent) = (cycles(Technique::Whole)?, cycles(Technique::Cp)?);
        let launches = kernels.len() as u64;
        let added = persistent as f64 - scheduled as f64;
        let ns = added * 1000.0 / configuration.memory.clock_mhz as f64;
        Ok(LaunchCost {
            gpu: configuration.gpu.memory.clone(),
            work: *work,
            launches,
            blocks: kernels.iter().map(|it| it.blocks).sum(),
            scheduled,
            persistent,
            ns_per_launch: ns / launches as f64,
            percent: (scheduled > 0).then(|| 100.0 * added / scheduled as f64),
        })
    };
    works.par_iter().map(cost).collect()
}

/// Kernels that have all SMs.
fn alone(
    configuration: &Configuration,
    technique: Technique,
    kernels: &[Kernel],
    seed: u64,
) -> Result<Ran, IsolationError> {
    let part = Part {
        technique,
        parts: 1,
        number: 0,
    };
    let (gpu, mapping) = (&configuration.gpu, &configuration.mapping);
    let tenant = |pages| Tenant::new(kernels.to_vec(), part, pages, seed);
    let pages = partition::pages(mapping, &[(part, kernels)])?;
    let tenants = pages.into_iter().map(tenant).collect();
    Ok(Engine::new(gpu, &configuration.memory, mapping, tenants)?.run())
}

#[cfg(test)]
mod tests {
    //! Rationale: of empty blocks the cost is known by hand; of a small and a large application the
    //! share of the time must differ as the paper says, and the accesses must be the same.
    use super::*;

    #[test]
    fn empty_blocks_cost_what_the_queue_takes() {
        for name in ["gtx1080", "v100"] {
            let it = Configuration::named(name, Technique::Cp, 2).unwrap();
            let hit = it.memory.hit_latency;
            let slots = it.gpu.sms * 8;
            let works = [Work::Empty(1), Work::Empty(9)];
            let costs = launch_costs(&it, &works, 1).unwrap();
            assert!(costs
                .iter()
                .all(|cost| cost.scheduled == 0 && cost.percent.is_none()));
            assert_eq!([costs[0].blocks, costs[1].blocks], [slots, 9 * slots]);
            // Three trips and a meeting, and the first index; the slots come one cycle after the
            // other. Then a trip for each further index and for finding that there are no more,
            // or as long as the other slots take for theirs.
            let first = 3 * hit + (slots - 1) + hit + (slots - 1);
            let round = hit.max(slots);
            let once = first + round;
            assert_eq!(costs[0].persistent, once, "{name}");
            assert_eq!(costs[1].persistent, first + 9 * round, "{name}");
            let ns = once as f64 * 1000.0 / it.memory.clock_mhz as f64;
            assert!((costs[0].ns_per_launch - ns).abs() < 1e-9);
        }
    }

    #[test]
    fn small_kernels_lose_most() {
        let it = Configuration::named("gtx1080", Technique::Cp, 2).unwrap();
        let works = [App::Sn, App::Mm].map(Work::Application);
        let costs = launch_costs(&it, &works, 1).unwrap();
        assert_eq!(
            (costs[0].launches, costs[1].launches),
            (App::Sn.kernels().len() as u64, 1)
        );
        let [small, large] = [0, 1].map(|at| costs[at].percent.unwrap());
        assert!(small > 10.0 * large.abs(), "{small} {large}");
        assert!(costs[0].ns_per_launch > 0.0);
        let accesses = |technique| {
            let ran = alone(&it, technique, &App::Sn.kernels(), 1).unwrap();
            ran.hits + ran.fetches
        };
        assert_eq!(accesses(Technique::Whole), accesses(Technique::Cp));
        let wrong = Configuration { parts: 0, ..it };
        assert!(launch_costs(&wrong, &works, 1).is_err());
    }
}
