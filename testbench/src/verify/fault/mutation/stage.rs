//! The stages that fault places go through until each is decided.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::Sender;
use std::time::Instant;

use cotenant_netlist::fault::Fault;
use cotenant_netlist::Netlist;
use cotenant_units::table::ParameterSet;
use serde::{Deserialize, Serialize};

use super::journal::Decided;
use super::run::Settings;
use crate::error::Result;
use crate::verify::fault::any::AnyFaulty;
use crate::verify::fault::campaign::ROUND;
use crate::verify::fault::proof::{Cones, Failed, Prover};
use crate::verify::fault::{Campaign, Outcome};
use crate::verify::lockstep::Flow;

/// What is done with all places that are open, in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Stage {
    /// Fault simulation, from reset and from states far away.
    Glance,
    /// Proofs by the logic that a fault changes.
    Cones,
    /// The same proofs by abc, where the solver has not answered.
    Prover,
    /// Fault simulation with further seeds.
    Long,
    /// The comparison from reset on.
    FromReset,
}

impl Stage {
    pub const ALL: [Self; 5] = [
        Self::Glance,
        Self::Cones,
        Self::Prover,
        Self::Long,
        Self::FromReset,
    ];
}

/// What a worker has found about a place.
#[derive(Debug)]
pub(super) enum Found {
    Decided(Decided),
    /// Open, and why there is no proof so far.
    Open(usize, Option<String>),
}

/// What a worker has to do.
#[derive(Debug)]
pub(super) struct Work<'a> {
    pub unit: &'static dyn AnyFaulty,
    pub set: &'a ParameterSet,
    pub settings: &'a Settings,
    pub faults: &'a [Fault],
    pub open: &'a [usize],
    pub reasons: &'a BTreeMap<usize, Option<String>>,
    /// Which part of so many is its own, where places are not taken one by one.
    pub share: (usize, usize),
    pub next: &'a AtomicUsize,
    pub stop: &'a AtomicBool,
    pub to: Sender<Result<Found>>,
}

/// The time since something was told about.
#[derive(Debug)]
struct Watch(Instant);

impl Watch {
    fn microseconds(&mut self) -> u64 {
        let now = Instant::now();
        let spent = now.duration_since(std::mem::replace(&mut self.0, now));
        spent.as_micros() as u64
    }
}

impl Work<'_> {
    /// Decides what a stage can decide.
    pub fn run(&self, stage: Stage) {
        let done = match stage {
            Stage::Glance => self.simulate(0..self.first()),
            Stage::Cones => self.cones(),
            Stage::Prover => self.prover(),
            Stage::Long => self.simulate(self.first()..self.settings.cycles.div_ceil(ROUND)),
            Stage::FromReset => self.compare_from_reset(),
        };
        if let Err(error) = done {
            self.tell(Err(error));
        }
    }

    /// Rounds of simulation before the prover.
    fn first(&self) -> u64 {
        self.settings.first.div_ceil(ROUND)
    }

    fn tell(&self, found: Result<Found>) {
        // Nobody listens any more once the run has failed.
        let _ = self.to.send(found);
    }

    fn decided(&self, place: usize, outcome: Outcome, watch: &mut Watch) {
        let microseconds = watch.microseconds();
        self.tell(Ok(Found::Decided(Decided {
            place,
            microseconds,
            outcome,
        })));
    }

    fn reason(&self, place: usize) -> Option<String> {
        self.reasons.get(&place).cloned().flatten()
    }

    /// The next place that nobody has taken.
    fn take(&self) -> Option<usize> {
        if self.stop.load(Ordering::Relaxed) {
            return None;
        }
        let next = self.next.fetch_add(1, Ordering::Relaxed);
        self.open.get(next).copied()
    }

    fn simulate(&self, rounds: std::ops::Range<u64>) -> Result<()> {
        let mut watch = Watch(Instant::now());
        let (job, jobs) = self.share;
        let own: Vec<usize> = self.open.iter().skip(job).step_by(jobs).copied().collect();
        let rounds = rounds.start..rounds.end.min(self.settings.cycles.div_ceil(ROUND));
        let mut left = own.clone();
        if !rounds.is_empty() {
            let netlist = self.unit.netlist(self.set)?;
            let (seed, cycles) = (self.settings.seed, self.settings.cycles);
            let screen = self.unit.screen(self.set, &netlist, seed, cycles)?;
            let mut each = |found: Option<(usize, Outcome)>| {
                if let Some((place, outcome)) = found {
                    self.decided(place, outcome, &mut watch);
                }
                match self.stop.load(Ordering::Relaxed) {
                    true => Flow::Stop,
                    false => Flow::Continue,
                }
            };
            let faults = own.iter().map(|&place| (place, self.faults[place]));
            let screened = match screen {
                Some(mut screen) => screen.run(faults, rounds.clone(), &mut each)?,
                None => None,
            };
            left = match screened {
                Some(left) => left,
                None => self.one_by_one(&own, rounds, &mut watch)?,
            };
        }
        let reason = |place| self.reason(place);
        left.iter()
            .for_each(|&place| self.tell(Ok(Found::Open(place, reason(place)))));
        Ok(())
    }

    /// Where faults cannot be followed: a netlist of its own for each.
    fn one_by_one(
        &self,
        own: &[usize],
        rounds: std::ops::Range<u64>,
        watch: &mut Watch,
    ) -> Result<Vec<usize>> {
        let mut campaign = self.campaign()?;
        let mut left = Vec::new();
        for &place in own {
            if self.stop.load(Ordering::Relaxed) {
                break;
            }
            match campaign.catch(&self.faults[place], rounds.clone())? {
                Some(outcome) => self.decided(place, outcome, watch),
                None => left.push(place),
            }
        }
        Ok(left)
    }

    fn campaign(&self) -> Result<Campaign> {
        let Settings { seed, cycles, .. } = *self.settings;
        self.unit.campaign(self.set, seed, cycles)
    }

    fn patient<'a>(&self, netlist: &'a Netlist) -> Result<Prover<'a>> {
        let mut prover = self.unit.prover(self.set, netlist)?;
        prover.set_patience(self.settings.patience);
        Ok(prover)
    }

    fn cones(&self) -> Result<()> {
        let mut watch = Watch(Instant::now());
        let netlist = self.unit.netlist(self.set)?;
        let mut prover = self.patient(&netlist)?;
        let formulas = prover.formulas();
        let mut cones = formulas.as_ref().map(Cones::new);
        while let Some(place) = self.take() {
            let proof = match &mut cones {
                Ok(cones) => cones.prove(&self.faults[place], &mut prover),
                Err(_) => Err(Failed::Unknown),
            };
            match proof {
                Ok(proof) => self.decided(place, Outcome::Equivalent { proof }, &mut watch),
                Err(Failed::Shown(reason)) => self.tell(Ok(Found::Open(place, Some(reason)))),
                Err(Failed::Unknown) => self.tell(Ok(Found::Open(place, None))),
            }
        }
        Ok(())
    }

    fn prover(&self) -> Result<()> {
        let mut watch = Watch(Instant::now());
        let netlist = self.unit.netlist(self.set)?;
        let mut prover = self.patient(&netlist)?;
        while let Some(place) = self.take() {
            let known = self.reason(place);
            if known.is_some() {
                self.tell(Ok(Found::Open(place, known)));
                continue;
            }
            match prover.prove(&self.faults[place]) {
                Ok(proof) => self.decided(place, Outcome::Equivalent { proof }, &mut watch),
                Err(reason) => self.tell(Ok(Found::Open(place, Some(reason)))),
            }
        }
        Ok(())
    }

    fn compare_from_reset(&self) -> Result<()> {
        let mut watch = Watch(Instant::now());
        let campaign = self.campaign()?;
        let netlist = campaign.netlist().clone();
        let mut prover = self.patient(&netlist)?;
        while let Some(place) = self.take() {
            let reason = self.reason(place).unwrap_or_default();
            let outcome = campaign.last_resort(&self.faults[place], &mut prover, reason);
            self.decided(place, outcome, &mut watch);
        }
        Ok(())
    }
}
