//! A platform whose L3 is watched: every access in the cycle in which its tile begins it, with the
//! replacement bits of its set, as hardware beside the cache hears it.
//!
//! The L3's policy is LRU, the baseline: what the platform's own [`SharedCache`] does is done once
//! more by the cache that hands out replacement bits and counts demotions, and both must come to the
//! same ([`check`](Observed::check)).
//!
//! ASSUMPTION: requests are looked up in their order, and begin in that order in each tile. Tiles do
//! not wait for each other; of several accesses in a cycle that which was asked for first comes first.
//! ASSUMPTION: all accesses are reads of a whole line; the platform has no others.
//!
//! [`SharedCache`]: crate::mgmt::policy::SharedCache

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::config::Config;
use super::machine::{Error, Imbalance, Machine, Stats};
use super::seen::Seen;
use super::workloads::Workload;
use crate::gpu::{Gpu, KernelActivity, Reached};
use crate::llc::cache::{Cache, Counts, Fast, Geometry};
use crate::mgmt::policy::Kind;
use crate::workload::{Access, Op};

/// Cycles of the L3 that the platform runs ahead of who watches, at most.
const AHEAD: u64 = 1 << 10;

/// The platform, and the cache as a monitor sees it.
#[derive(Debug)]
pub struct Observed {
    pub(super) machine: Machine,
    cache: Fast,
    /// Asked for, and not handed out yet.
    pub(super) pending: BinaryHeap<Reverse<Seen>>,
    cycle: u64,
    /// Ticks of a cycle of the L3.
    tick: u64,
    sectors: u32,
    activity: Vec<KernelActivity>,
}

impl Observed {
    /// A platform at its start, its caches empty; `seed` draws all accesses.
    ///
    /// # Errors
    /// [`Error`] as of [`Machine::new`].
    pub fn new(config: &Config, workload: &Workload, seed: u64) -> Result<Self, Error> {
        let mut machine = Machine::new(config, workload, Kind::Lru, seed)?;
        machine.watch();
        let geometry = *machine.cache().geometry();
        Ok(Self {
            tick: machine.l3_cycle(),
            machine,
            cache: Fast::new(geometry)?,
            pending: BinaryHeap::new(),
            cycle: 0,
            sectors: geometry.sectors(),
            activity: vec![KernelActivity::default(); geometry.kernels],
        })
    }

    /// What each application has done, CPUs first.
    pub fn stats(&self) -> Vec<Stats> {
        self.machine.stats()
    }

    /// Hands out what has been asked for, the last accesses of a run.
    pub fn drain(&mut self, reached: &mut dyn FnMut(Reached<'_>) -> bool) {
        self.pending.extend(self.machine.seen().map(Reverse));
        while let Some(Reverse(seen)) = self.pending.pop() {
            self.cycle = self.cycle.max(seen.cycle + 1);
            self.hand_out(&seen, reached);
        }
    }

    /// Whether no request is lost, and both caches have come to the same; after
    /// [`drain`](Observed::drain).
    ///
    /// # Errors
    /// The first [`Imbalance`].
    pub fn check(&self) -> Result<(), Imbalance> {
        self.machine.check()?;
        let (watched, own) = (self.cache.counts().kernels, self.machine.cache().counts());
        for (watched, own) in watched.iter().zip(own) {
            for (what, count, expected) in [
                ("accesses watched", watched.accesses, own.accesses),
                ("misses watched", watched.misses, own.misses),
            ] {
                if count != expected {
                    return Err(Imbalance {
                        place: format!("application {}", own.kid),
                        what,
                        count,
                        other: "of the platform's own L3",
                        expected,
                    });
                }
            }
        }
        Ok(())
    }

    fn hand_out(&mut self, seen: &Seen, reached: &mut dyn FnMut(Reached<'_>) -> bool) -> bool {
        let access = Access {
            address: seen.address,
            sectors: self.sectors,
            kernel: seen.app,
            op: Op::Read,
            cycle: Some(seen.cycle),
        };
        // The platform has given the application its number.
        let Ok((before, outcome)) = self.cache.observe(&access) else {
            return true;
        };
        self.activity[usize::from(seen.app)].requests += 1;
        reached(Reached {
            cycle: seen.cycle,
            bank: self.cache.geometry().bank_of(outcome.set as usize),
            access: &access,
            before: &before,
            outcome: &outcome,
        })
    }
}

impl Gpu for Observed {
    fn geometry(&self) -> &Geometry {
        self.cache.geometry()
    }

    fn cycle(&self) -> u64 {
        self.cycle
    }

    fn run_to(&mut self, cycle: u64, reached: &mut dyn FnMut(Reached<'_>) -> bool) {
        let mut stopped = None;
        while self.cycle <= cycle && stopped.is_none() {
            let end = (self.cycle + AHEAD).min(cycle + 1);
            // A request of a later time reaches its tile later still.
            self.machine.run_until(end * self.tick);
            self.pending.extend(self.machine.seen().map(Reverse));
            let within = |seen: &Seen, stopped: Option<u64>| {
                seen.cycle < end && stopped.is_none_or(|cycle| seen.cycle == cycle)
            };
            while let Some(Reverse(seen)) = self.pending.peek().copied() {
                if !within(&seen, stopped) {
                    break;
                }
                self.pending.pop();
                if !self.hand_out(&seen, reached) {
                    stopped = Some(seen.cycle);
                }
            }
            self.cycle = stopped.map_or(end, |cycle| cycle + 1);
        }
        let stats = self.machine.stats();
        for (activity, stats) in self.activity.iter_mut().zip(stats) {
            activity.instructions = stats.instructions;
        }
    }

    fn counts(&self) -> Counts {
        self.cache.counts()
    }

    fn activity(&self) -> &[KernelActivity] {
        &self.activity
    }
}
