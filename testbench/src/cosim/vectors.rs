//! Vectors: inputs of a run, and the golden model's answers.

use std::path::Path;

use cotenant_golden::Model;
use cotenant_netlist::sim::Engine;
use cotenant_netlist::verilog::{Design, Direction, VectorWriter};
use cotenant_netlist::Netlist;
use cotenant_units::table::ParameterSet;

use super::error::{Error, Result};
use super::manifest::VectorEntry;
use crate::lockstep::{Flow, Lockstep, Report};
use crate::stimulus::{stream, Drive, Knobs, Mix, Odds, Pace, Profile, Random, Source};
use crate::unit::{Packer, Port};

/// Fewest cycles of vectors: reset, and one to see what it did.
pub const MIN_CYCLES: u64 = RESET_CYCLES + 1;
/// Most cycles of vectors: Verilog testbenches hold them in memory.
pub const MAX_CYCLES: u64 = 10_000_000;
/// Cycles of reset in front. Nothing is compared in the first, in which flops are still unknown.
const RESET_CYCLES: u64 = 2;
/// Cycles between two calls of the watcher.
const WATCH: u64 = 4096;

/// Which vectors a testbench plays.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Vectors {
    /// Cycles, those of the reset in front included.
    pub cycles: u64,
    /// Seed of the stimulus.
    pub seed: u64,
    /// What the stimulus is made of.
    pub mix: Mix,
}

impl Default for Vectors {
    /// 10,000 cycles of all profiles, seed 0x9e37.
    fn default() -> Self {
        Self {
            cycles: 10_000,
            seed: 0x9e37,
            mix: Mix::default(),
        }
    }
}

impl Vectors {
    /// So many cycles, the rest as it is.
    #[must_use]
    pub fn cycles(mut self, cycles: u64) -> Self {
        self.cycles = cycles;
        self
    }

    /// With this seed.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// With this mix of profiles.
    #[must_use]
    pub fn mix(mut self, mix: impl Into<Mix>) -> Self {
        self.mix = mix.into();
        self
    }

    /// # Errors
    /// [`Error::Cycles`].
    pub(super) fn check(&self) -> Result<()> {
        match self.cycles {
            MIN_CYCLES..=MAX_CYCLES => Ok(()),
            cycles => Err(Error::Cycles { cycles }),
        }
    }
}

/// Ports of one direction in the design's order, as ranges of a row of packed words.
struct Row {
    words: Vec<u64>,
    ranges: Vec<std::ops::Range<usize>>,
}

impl Row {
    fn new(
        unit: &'static str,
        design: &Design,
        direction: Direction,
        ports: &[Port],
    ) -> Result<Self> {
        let mut at = 0;
        let places: Vec<_> = ports
            .iter()
            .map(|port| {
                at += port.words();
                (port.name, at - port.words()..at)
            })
            .collect();
        let of_design = design.ports.iter();
        let ranges = of_design
            .filter(|port| port.direction == direction && !port.clock)
            .map(|port| {
                let place = places.iter().find(|(name, _)| *name == port.name);
                place
                    .map(|(_, range)| range.clone())
                    .ok_or_else(|| Error::Port {
                        unit,
                        port: port.name.clone(),
                    })
            });
        Ok(Self {
            ranges: ranges.collect::<Result<_>>()?,
            words: vec![0; at],
        })
    }

    fn values(&self) -> impl Iterator<Item = &[u64]> {
        self.ranges.iter().map(|range| &self.words[range.clone()])
    }
}

/// Runs netlist and golden model in lockstep and writes what both say into `folder`.
///
/// # Errors
/// [`Error::Mismatch`] if they do not say the same, [`Error::Interrupted`], [`Error::Io`].
pub(super) fn write<U: Drive>(
    set: &ParameterSet,
    netlist: &Netlist,
    design: &Design,
    folder: &Path,
    vectors: &Vectors,
    watch: &mut dyn FnMut(u64) -> Flow,
) -> Result<VectorEntry> {
    let mut lockstep = Lockstep::<U>::with_netlist(set, netlist, Engine::default())?;
    let params = lockstep.params().clone();
    let mut golden = U::model(&params)?;
    let mut inputs = Row::new(U::NAME, design, Direction::Input, &U::inputs(&params))?;
    let mut outputs = Row::new(U::NAME, design, Direction::Output, &U::outputs(&params))?;
    let mut writer = VectorWriter::create(design, folder)?;

    let resets = U::inputs(&params).iter().any(|port| port.name == "reset");
    let reset_cycles = if resets { RESET_CYCLES } else { 0 };
    let mut reset = Reset::<U>::new(&params, vectors.seed);
    let mut stimulus = stream::<U>(&params, vectors.mix.clone(), vectors.seed);
    let mut input = U::idle(&params);
    for cycle in 0..vectors.cycles {
        if cycle % WATCH == 0 && watch(cycle) == Flow::Stop {
            return Err(Error::Interrupted);
        }
        if cycle < reset_cycles {
            reset.input(&params, &golden, &mut input);
        } else {
            stimulus.input(&params, &golden, &mut input);
        }
        if let Some(mismatch) = lockstep.step(&input)? {
            return Err(Error::Mismatch(Box::new(Report {
                unit: U::NAME,
                set: set.name.into(),
                engine: lockstep.engine(),
                profile: Some(vectors.mix.name()),
                seed: Some(vectors.seed),
                cycles: cycle + 1,
                interrupted: false,
                mismatch: Some(mismatch),
                coverage: None,
            })));
        }
        U::pack_in(&params, &input, &mut Packer::new(&mut inputs.words));
        let out = golden.step(&input);
        U::pack_out(&params, &out, &mut Packer::new(&mut outputs.words));
        let written = writer.push(inputs.values(), outputs.values());
        written.map_err(Error::io("write vectors in", folder))?;
    }
    writer.finish()?;
    Ok(VectorEntry {
        cycles: vectors.cycles,
        reset_cycles,
        seed: format!("{:#x}", vectors.seed),
        profile: vectors.mix.name(),
    })
}

/// Reset in every cycle, and anything on the other ports.
struct Reset<U: Drive> {
    knobs: Knobs,
    pace: Pace,
    random: Random,
    transaction: U::Transaction,
}

impl<U: Drive> Reset<U> {
    fn new(params: &crate::unit::ParamsOf<U>, seed: u64) -> Self {
        // Other numbers than the stream's.
        let mut random = Random::new(!seed);
        Self {
            knobs: Knobs {
                reset: Odds::ALWAYS,
                ..Profile::Uniform.knobs()
            },
            pace: Pace::new(U::kernels(params), &mut random),
            random,
            transaction: U::nothing(params),
        }
    }

    fn input(
        &mut self,
        params: &crate::unit::ParamsOf<U>,
        golden: &U::Model,
        input: &mut crate::unit::InOf<U>,
    ) {
        let Self {
            knobs,
            pace,
            random,
            transaction,
        } = self;
        U::draw(params, knobs, pace, random, transaction);
        U::resolve(params, golden, transaction, input);
    }
}
