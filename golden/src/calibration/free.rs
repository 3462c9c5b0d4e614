//! What neither the paper nor the sources say: a few numbers with bounds, and the runs that decide
//! them.

use serde::{Deserialize, Serialize};

use super::solo::{solo, Solo, Window};
use crate::gpu::config::{Fill, Index, Order, WriteMiss};
use crate::gpu::machine::MachineError;
use crate::presets::{Preset, PresetError};
use crate::workload::program::listed::Numbers;
use crate::workload::program::suites::is_spread;
use crate::workload::program::table2::{Benchmark, BENCHMARKS};

/// Bytes per cycle of a channel's data bus, three readings of table 1's "924MHz, BW: 48bytes/cycle":
/// - 12: the width of all buses of GTX480, 384 bits, over 16 channels; preset `maxwell`;
/// - 32: GTX480's in GPGPU-Sim 3.2.2, two chips of 4 bytes that move four times per cycle;
/// - 48: three such chips, as the table's words.
pub const BUSES: [u64; 3] = [12, 32, 48];

/// Requests that an L1D's miss queue holds. GTX480 has 8, with 32 MSHRs; the paper has 128 MSHRs, as
/// "more such resources are provisioned" (section 2.4), and does not say how many of these.
pub const MISS_QUEUES: [usize; 3] = [8, 32, 128];

/// Cycles of an instruction, one number for each kernel. GPGPU-Sim 3.2.2 has 4 for simple
/// arithmetic and up to 145, behind a pipeline of some ten stages, and issues what is independent
/// one after the other.
pub const LATENCIES: [u32; 10] = [1, 2, 4, 6, 8, 12, 16, 24, 32, 48];

/// Elements over which indices that are data are spread, for the two kernels that have such.
pub const SPREADS: [u32; 6] = [128, 256, 384, 512, 1024, 4096];

/// What is open about the machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Open {
    /// Bytes per cycle of a channel's data bus, one of [`BUSES`].
    pub bus: u64,
    /// Requests that an L1D's miss queue holds, one of [`MISS_QUEUES`].
    pub miss_queue: usize,
}

impl Open {
    /// All that there are, in the order in which equals are preferred.
    pub fn all() -> Vec<Self> {
        let of = |bus| MISS_QUEUES.map(|miss_queue| Self { bus, miss_queue });
        BUSES.into_iter().flat_map(of).collect()
    }

    /// Preset `maxwell` with these, and with what is known of GPGPU-Sim 3.2.2: whole-line fills, also
    /// of the L2 by stores, a fixed order of schedulers, its hash of the L1D's sets, channels by
    /// address bits.
    ///
    /// # Errors
    /// [`PresetError`] if there is no such preset.
    pub fn machine(self) -> Result<Preset, PresetError> {
        let mut preset = Preset::named("maxwell")?;
        let machine = &mut preset.machine;
        machine.sm.order = Order::Fixed;
        machine.l1d.fill = Fill::Lines;
        machine.l1d.index = Index::Fermi;
        machine.l2.index = Index::Slices;
        machine.l2.write_miss = WriteMiss::Fetch;
        machine.l1d.miss_queue = self.miss_queue;
        machine.dram.bus = self.bus;
        Ok(preset)
    }
}

/// Why a run cannot be done.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// There is no such preset.
    #[error(transparent)]
    Preset(#[from] PresetError),
    /// The kernel does not run on it.
    #[error(transparent)]
    Machine(#[from] MachineError),
    /// A record of a run is of a kernel that there is not.
    #[error("kernel \"{0}\" of a record is none of table 2")]
    Kernel(String),
}

/// A run of a kernel alone.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Trial {
    /// On which machine.
    pub open: Open,
    /// Its name in table 2.
    pub kernel: String,
    /// One of [`LATENCIES`].
    pub latency: u32,
    /// One of [`SPREADS`], or 1.
    pub spread: u32,
    /// Thread blocks on an SM; as many as fit if none.
    pub blocks: Option<u32>,
}

impl Trial {
    /// A run with as many blocks as fit.
    pub fn of(open: Open, benchmark: &Benchmark, numbers: Numbers) -> Self {
        let Numbers { latency, spread } = numbers;
        Self {
            open,
            kernel: benchmark.name.into(),
            latency,
            spread,
            blocks: None,
        }
    }

    /// The kernel's numbers.
    pub fn numbers(&self) -> Numbers {
        Numbers {
            latency: self.latency,
            spread: self.spread,
        }
    }

    /// Does it.
    ///
    /// # Errors
    /// [`Error`].
    pub fn run(&self, seed: u64, window: Window) -> Result<Solo, Error> {
        let unknown = || Error::Kernel(self.kernel.clone());
        let benchmark = Benchmark::named(&self.kernel).ok_or_else(unknown)?;
        let preset = self.open.machine()?;
        let place = (&preset.machine, preset.llc);
        let numbers = self.numbers();
        let window = window.of(benchmark);
        Ok(solo(place, benchmark, numbers, seed, self.blocks, window)?)
    }
}

/// The numbers that a kernel may have.
pub fn candidates(benchmark: &Benchmark) -> Vec<Numbers> {
    let spreads = match is_spread(benchmark) {
        true => &SPREADS[..],
        false => &[1],
    };
    let of = |&spread| LATENCIES.map(move |latency| Numbers { latency, spread });
    spreads.iter().flat_map(of).collect()
}

/// All runs of a fit of these kernels, in their order.
pub fn trials(kernels: &[&Benchmark]) -> Vec<Trial> {
    let of_machine = |open| {
        kernels.iter().flat_map(move |benchmark| {
            let numbers = candidates(benchmark).into_iter();
            numbers.map(move |numbers| Trial::of(open, benchmark, numbers))
        })
    };
    Open::all().into_iter().flat_map(of_machine).collect()
}

/// All benchmarks.
pub fn all() -> Vec<&'static Benchmark> {
    BENCHMARKS.iter().collect()
}
