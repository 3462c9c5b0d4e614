//! Fault campaign: each fault in lockstep with the golden model.

use std::fmt;
use std::ops::Range;

use cotenant_netlist::fault::{sample, Described, Fault};
use cotenant_netlist::sim::{Engine, SimError};
use cotenant_netlist::Netlist;
use cotenant_units::table::ParameterSet;

use super::any::{any, AnyFaulty};
use super::proof::{Cones, Failed, NoProof, Prover};
use super::report::{Outcome, Report, Verdict};
use super::Facts;
use crate::error::{Error, Result};
use crate::verify::interface::ParamsOf;
use crate::verify::lockstep::{Lockstep, Mismatch};
use crate::verify::stimulus::{episodes, stream, Drive, Episode, Mix, Stream};

/// Cycles from reset and from states far away that share a seed; then the next seed follows.
pub(super) const ROUND: u64 = 8192;
/// Cycles that the interpreter runs before a faulty netlist is worth compiling.
pub(super) const GLANCE: u64 = 256;

/// Runs `count` faults of every kind, chosen by `seed`, for up to `cycles` cycles each, against
/// the mix of all profiles, drawn from `seed` and the numbers after it.
///
/// # Errors
/// What keeps the unit from being built or run. A fault that is not caught is no error.
pub fn campaign<U: Drive + Facts>(
    set: &ParameterSet,
    count: usize,
    seed: u64,
    cycles: u64,
) -> Result<Report> {
    let mut campaign = Campaign::new::<U>(set, seed, cycles)?;
    let faults = sample(campaign.netlist(), count, seed);
    campaign.run(&faults)
}

fn caught(before: u64, mismatch: Mismatch) -> Outcome {
    Outcome::Caught {
        cycle: before + mismatch.cycle,
        field: mismatch.field,
    }
}

/// A unit to put faults into.
#[derive(Debug)]
pub struct Campaign {
    unit: &'static dyn AnyFaulty,
    set: ParameterSet,
    netlist: Netlist,
    rounds: Box<dyn AnyRounds>,
    seed: u64,
    cycles: u64,
}

impl Campaign {
    /// A unit, and the seed of the stimulus that each fault gets for up to `cycles` cycles.
    ///
    /// # Errors
    /// As [`campaign`].
    pub fn new<U: Drive + Facts>(set: &ParameterSet, seed: u64, cycles: u64) -> Result<Self> {
        any::<U>().campaign(set, seed, cycles)
    }

    pub(super) fn of(
        unit: &'static dyn AnyFaulty,
        rounds: Box<dyn AnyRounds>,
        (set, seed, cycles): (&ParameterSet, u64, u64),
    ) -> Result<Self> {
        Ok(Self {
            netlist: unit.netlist(set)?,
            unit,
            set: set.clone(),
            rounds,
            seed,
            cycles,
        })
    }

    /// The netlist without a fault.
    pub fn netlist(&self) -> &Netlist {
        &self.netlist
    }

    /// Runs these faults, and tries to prove those equivalent that are not caught soon.
    ///
    /// # Errors
    /// As [`campaign`].
    pub fn run(&mut self, faults: &[Fault]) -> Result<Report> {
        let netlist = self.netlist.clone();
        let mut prover = self.unit.prover(&self.set, &netlist)?;
        let mut verdicts = Vec::with_capacity(faults.len());
        for fault in faults {
            verdicts.push(Verdict {
                description: Described(&netlist, fault).to_string(),
                kind: fault.kind(),
                outcome: self.outcome(fault, None, &mut prover)?,
            });
        }
        Ok(Report {
            unit: self.unit.name(),
            set: self.set.name.into(),
            seed: self.seed,
            cycles: self.cycles,
            faults: verdicts,
        })
    }

    /// What becomes of a fault; what `cones` prove abc is not asked about.
    pub(super) fn outcome(
        &mut self,
        fault: &Fault,
        cones: Option<&mut Cones<'_>>,
        prover: &mut Prover<'_>,
    ) -> Result<Outcome> {
        let rounds = self.cycles.div_ceil(ROUND);
        // What cannot be caught is proven more quickly than run for long; what can be, but is not
        // soon, may cost the prover all of its patience.
        let first = rounds.div_ceil(4);
        if let Some(caught) = self.catch(fault, 0..first)? {
            return Ok(caught);
        }
        let proof = match cones.map(|cones| cones.prove(fault, prover)) {
            Some(Ok(proof)) => Ok(proof),
            Some(Err(Failed::Shown(reason))) => Err(reason),
            Some(Err(Failed::Unknown)) | None => prover.prove(fault),
        };
        let reason = match proof {
            Ok(proof) => return Ok(Outcome::Equivalent { proof }),
            Err(reason) => reason,
        };
        if let Some(caught) = self.catch(fault, first..rounds)? {
            return Ok(caught);
        }
        Ok(self.last_resort(fault, prover, reason))
    }

    /// What becomes of a fault that was not seen and not proven so far, for this reason.
    pub(super) fn last_resort(
        &self,
        fault: &Fault,
        prover: &mut Prover<'_>,
        reason: String,
    ) -> Outcome {
        // It takes long, so that only what nothing was seen of is worth it.
        if self.cycles == 0 {
            return Outcome::Survived { reason };
        }
        match prover.prove_from_reset(fault) {
            Ok(proof) => Outcome::Equivalent { proof },
            Err(NoProof::Shown { output, inputs }) => Outcome::Missed { output, inputs },
            Err(NoProof::Unknown(why)) => Outcome::Survived {
                reason: format!("{reason}; from reset on: {why}"),
            },
        }
    }

    /// Whether the lockstep sees a fault in these rounds, and where.
    pub(super) fn catch(&mut self, fault: &Fault, rounds: Range<u64>) -> Result<Option<Outcome>> {
        if rounds.is_empty() {
            return Ok(None);
        }
        let faulty = self
            .netlist
            .with_fault(fault)
            .map_err(|source| Error::Fault {
                unit: self.unit.name(),
                source,
            })?;
        if rounds.start == 0 {
            if let Some(mismatch) = self.rounds.glance(&faulty)? {
                return Ok(Some(caught(0, mismatch)));
            }
        }
        let before = rounds.start * ROUND;
        let mismatch = self.rounds.run(&faulty, rounds)?;
        Ok(mismatch.map(|mismatch| caught(before, mismatch)))
    }
}

/// The rounds that each fault goes through, without the unit's types.
pub(super) trait AnyRounds {
    /// The first cycles without the code generator, which takes longer than most faults live.
    fn glance(&mut self, faulty: &Netlist) -> Result<Option<Mismatch>>;

    /// These rounds.
    fn run(&mut self, faulty: &Netlist, rounds: Range<u64>) -> Result<Option<Mismatch>>;
}

impl fmt::Debug for dyn AnyRounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("rounds")
    }
}

pub(super) struct Rounds<U: Drive> {
    set: ParameterSet,
    params: ParamsOf<U>,
    /// Where each round so far starts, and for how long.
    starts: Vec<Vec<Episode<U::Model>>>,
    seed: u64,
    cycles: u64,
    engine: Engine,
}

impl<U: Drive> AnyRounds for Rounds<U> {
    fn glance(&mut self, faulty: &Netlist) -> Result<Option<Mismatch>> {
        let first = self.round(0)?.first().map_or(0, |episode| episode.cycles);
        let mut lockstep = Lockstep::<U>::with_netlist(&self.set, faulty, Engine::Interpreter)?;
        let mut stimulus = stream::<U>(&self.params, Mix::default(), self.seed);
        let report = lockstep.run(&mut stimulus, first.min(GLANCE))?;
        Ok(report.mismatch)
    }

    fn run(&mut self, faulty: &Netlist, rounds: Range<u64>) -> Result<Option<Mismatch>> {
        let mut lockstep = self.lockstep(faulty)?;
        for round in rounds {
            let seed = self.seed.wrapping_add(round);
            let mut stimulus = Stream::<U>::round(&self.params, seed, round);
            for (index, episode) in self.round(round)?.iter().enumerate() {
                // The very first one starts from power-up, as the netlist does it.
                if (round, index) != (0, 0) {
                    lockstep.load(episode.model.clone());
                }
                let report = lockstep.run(&mut stimulus, episode.cycles)?;
                if report.mismatch.is_some() {
                    return Ok(report.mismatch);
                }
            }
        }
        Ok(None)
    }
}

impl<U: Drive> Rounds<U> {
    pub fn new(set: &ParameterSet, seed: u64, cycles: u64) -> Result<Self> {
        Ok(Self {
            params: U::params(set)?,
            set: set.clone(),
            starts: Vec::new(),
            seed,
            cycles,
            engine: Engine::default(),
        })
    }

    /// Most faults do not live to see the later ones.
    fn round(&mut self, round: u64) -> Result<&[Episode<U::Model>]> {
        let index = round as usize;
        while self.starts.len() <= index {
            let done = self.starts.len() as u64;
            let cycles = ROUND.min(self.cycles - done * ROUND);
            let seed = self.seed.wrapping_add(done);
            self.starts.push(episodes::<U>(&self.params, seed, cycles)?);
        }
        Ok(&self.starts[index])
    }

    fn lockstep(&mut self, netlist: &Netlist) -> Result<Lockstep<U>> {
        match Lockstep::with_netlist(&self.set, netlist, self.engine) {
            // No code generator for this machine.
            Err(Error::Simulate {
                source: SimError::Host { .. },
                ..
            }) if self.engine != Engine::Interpreter => {
                self.engine = Engine::Interpreter;
                self.lockstep(netlist)
            }
            other => other,
        }
    }
}
