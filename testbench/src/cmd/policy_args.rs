//! Options of `cotenant replay` that compare policies of the cache.

use super::args::cycles;
use crate::experiments::replay::{CompareRequest, Unit};
use clap::builder::PossibleValue;
use clap::ValueEnum;
use cotenant_golden::addr::mapping::Mapping;
use cotenant_golden::llc::cache::Geometry;
use cotenant_golden::mgmt::policy::{Config, Kind};
use cotenant_golden::workload::trace::Source;
use miette::{miette, Result};

/// A policy as clap knows it.
#[derive(Debug, Clone, Copy)]
struct Named(Kind);

const NAMED: [Named; Kind::ALL.len()] = {
    let mut all = [Named(Kind::Lru); Kind::ALL.len()];
    let mut i = 0;
    while i < all.len() {
        all[i] = Named(Kind::ALL[i]);
        i += 1;
    }
    all
};

impl ValueEnum for Named {
    fn value_variants<'a>() -> &'a [Self] {
        &NAMED
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.0.name()).help(self.0.summary()))
    }
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Answer {
    /// Caching helps the GPU's kernel
    Yes,
    /// It does not
    No,
    /// Found in each period: at least one in twenty of its accesses would hit with all ways
    Estimate,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Counted {
    /// Cycles of the trace
    Cycles,
    /// Accesses of all kernels
    Accesses,
}

/// Which policies are compared, and how.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Policies")]
pub(super) struct PolicyArgs {
    /// Replay the trace through caches of these policies and LRU, side by side, without hardware;
    /// several with commas
    #[arg(
        long = "policy",
        value_name = "NAME",
        value_enum,
        value_delimiter = ',',
        conflicts_with_all = ["vcd", "engine"]
    )]
    policies: Vec<Named>,
    /// Kernel of the GPU; the others are the CPUs' [default: the last]
    #[arg(long, value_name = "K", requires = "policies")]
    gpu: Option<usize>,
    /// Length of a period, at whose end policies decide [default: 2097152 cycles, or 131072
    /// accesses of a trace without cycles]
    #[arg(
        long,
        value_name = "N",
        value_parser = cycles,
        requires = "policies"
    )]
    period: Option<u64>,
    /// What periods are counted in [default: cycles if the trace's first access has one]
    #[arg(long, value_name = "UNIT", value_enum, requires = "policies")]
    period_in: Option<Counted>,
    /// Whether caching helps the GPU's kernel, as TAP's core sampling would find out
    #[arg(
        long,
        value_name = "ANSWER",
        value_enum,
        default_value = "estimate",
        requires = "policies"
    )]
    gpu_friendly: Answer,
    /// Ways of each kernel under `static`, as 8,4,4 [default: one half for the GPU, one for all others]
    #[arg(long, value_name = "N,N", value_delimiter = ',', requires = "policies")]
    partition: Option<Vec<u64>>,
}

impl PolicyArgs {
    /// What to compare, if policies are given.
    ///
    /// # Errors
    /// Options that contradict each other, or the cache.
    pub(super) fn request(
        &self,
        sources: Vec<Source>,
        geometry: Geometry,
        mapping: Option<Mapping>,
    ) -> Result<Option<CompareRequest>> {
        let policies: Vec<Kind> = self.policies.iter().map(|named| named.0).collect();
        if policies.is_empty() {
            return Ok(None);
        }
        if self.period == Some(0) {
            return Err(miette!("--period is 0, expected at least 1"));
        }
        let last = geometry.kernels.saturating_sub(1);
        let gpu = self.gpu.unwrap_or(last);
        if gpu > last {
            return Err(miette!(
                "--gpu is {gpu}, expected 0 to {last}; raise the number of kernels or choose another"
            ));
        }
        if self.partition.is_some() && !policies.contains(&Kind::Static) {
            return Err(miette!(
                "--partition is for the policy static: add it to --policy"
            ));
        }
        Ok(Some(CompareRequest {
            sources,
            geometry,
            mapping,
            policies,
            config: Config {
                partition: self.partition.clone(),
                ..Config::new(gpu)
            },
            period: self.period,
            unit: self.period_in.map(|unit| match unit {
                Counted::Cycles => Unit::Cycles,
                Counted::Accesses => Unit::Accesses,
            }),
            caching_helps: match self.gpu_friendly {
                Answer::Yes => Some(true),
                Answer::No => Some(false),
                Answer::Estimate => None,
            },
        }))
    }
}
