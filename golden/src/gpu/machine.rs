//! The whole GPU: SMs, memory system, and the kernels that run on them.
//!
//! A cycle: memory first, so that its replies can be taken; then thread blocks come to SMs that
//! have room for them; then each SM in the order of its number.
//!
//! ASSUMPTION: an SM takes at most one block of a kernel in a cycle. SMs are served in rotation
//! from the one after the last that took a block; on an SM, kernels in rotation from the one after
//! the last that came to it. What a block has left is free in the next cycle.
//! ASSUMPTION: a kernel that restarts does so when all its blocks have ended.

mod check;
mod launch;

use serde::{Deserialize, Serialize};

use super::config::Config;
use super::memory::{self, MemorySystem, Reply, Request, Watcher};
use super::sm::{self, Divided, MemoryIssue, Port, Sm};
use super::{Gpu, KernelActivity, Reached};
use crate::llc::cache::{Counts, Geometry, MAX_LINE};
use crate::model::ParamError;
use crate::workload::SECTOR;
use launch::Kernel;

pub use check::Imbalance;
pub use launch::{Launch, MachineError};

/// The last cycle there is.
const END: u64 = u64::MAX - 1;

/// What a kernel has done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct KernelStats {
    /// On all SMs.
    pub sm: sm::Stats,
    /// Behind them.
    pub memory: memory::Stats,
    /// How often its grid has ended and started again.
    pub laps: u64,
}

/// The model.
pub struct Machine {
    memory: MemorySystem,
    sms: Vec<Sm>,
    /// By SM, the next cycle in which it must be looked at.
    next: Vec<u64>,
    kernels: Vec<Kernel>,
    /// KIDs of kernels of which no block comes any more.
    finished: u64,
    /// The next cycle in which a block may come.
    distribute: u64,
    next_sm: usize,
    /// By SM, the kernel that is first there.
    next_kernel: Vec<usize>,
    cycle: u64,
    every_cycle: bool,
    /// Kernels come to an SM in the order of their launches, not in turn.
    in_order: bool,
    stopped: bool,
    activity: Vec<KernelActivity>,
}

/// An SM's side of the memory.
struct SmPort<'a> {
    memory: &'a mut MemorySystem,
    sm: usize,
}

impl Port for SmPort<'_> {
    #[inline]
    fn accepts(&self) -> bool {
        self.memory.accepts(self.sm)
    }

    fn push(&mut self, request: Request) {
        self.memory.push(request);
    }

    #[inline]
    fn reply(&mut self, cycle: u64) -> Option<Reply> {
        self.memory.reply(self.sm, cycle)
    }
}

impl Machine {
    /// A machine at cycle 0. `geometry` is the L2's.
    ///
    /// # Errors
    /// [`MachineError`] when a number is impossible, or a kernel cannot run.
    pub fn new(
        config: &Config,
        geometry: Geometry,
        launches: Vec<Launch>,
    ) -> Result<Self, MachineError> {
        config.check(&geometry)?;
        // A sector is what a line is fetched by.
        ParamError::range("llc.line", geometry.line, SECTOR, MAX_LINE)?;
        let mut programs = vec![None; geometry.kernels];
        let mut kernels = vec![];
        for launch in launches {
            let kernel = Kernel::new(config, &geometry, launch)?;
            let kid = kernel.launch.kernel;
            let program = &mut programs[usize::from(kid)];
            if program.is_some() {
                return Err(MachineError::Twice { kernel: kid });
            }
            *program = Some(kernel.launch.program.clone());
            kernels.push(kernel);
        }
        let count = config.sm.count;
        let sms = 0..count as u16;
        let sm = |number| Sm::new(number, config, geometry.line, programs.clone());
        Ok(Self {
            memory: MemorySystem::new(config, geometry)?,
            sms: sms.map(sm).collect(),
            next: vec![0; count],
            distribute: 0,
            next_sm: 0,
            next_kernel: vec![0; count],
            kernels,
            finished: 0,
            cycle: 0,
            every_cycle: false,
            in_order: false,
            stopped: false,
            activity: vec![KernelActivity::default(); geometry.kernels],
        })
    }

    /// Steps every cycle, also those in which nothing can happen; the result is the same.
    #[must_use]
    pub fn every_cycle(mut self) -> Self {
        self.every_cycle = true;
        self
    }

    /// Has each SM ask the kernels for blocks in the order of their launches, for one block in a cycle:
    /// the first takes what it can, others what it leaves.
    #[must_use]
    pub fn in_order(mut self) -> Self {
        self.in_order = true;
        self
    }

    /// From now on each SM holds at most so many blocks of a kernel, by SM; blocks that are there stay
    /// to their end. Nothing happens if there is no such kernel.
    pub fn set_blocks_per_sm(&mut self, kernel: u8, most: impl Fn(usize) -> u32) {
        let found = self.kernels.iter_mut().find(|k| k.launch.kernel == kernel);
        for (sm, place) in found
            .into_iter()
            .flat_map(|k| k.most.iter_mut().enumerate())
        {
            *place = most(sm);
        }
        self.distribute = self.cycle;
    }

    /// Gives each kernel, by KID, so many warp instructions (at least 1) on each SM, before the first
    /// cycle; one that has none left issues nothing until all that have blocks there have none left.
    ///
    /// Source: Dai et al. (HPCA 2018), section 4, SMK-(P+W).
    ///
    /// # Errors
    /// [`MachineError`] when a number is 0, there is none for a kernel, or the machine has run.
    pub fn with_warp_quotas(&mut self, quotas: &[u64]) -> Result<(), MachineError> {
        self.not_started("warp instruction quotas")?;
        let kernels = self.activity.len() as u64;
        ParamError::range("quotas", quotas.len() as u64, 1, kernels)?;
        for &quota in quotas {
            ParamError::range("quota", quota, 1, u64::MAX)?;
        }
        self.sms.iter_mut().for_each(|sm| sm.set_quotas(quotas));
        Ok(())
    }

    /// Divides a resource of each L1D among the first `kernels` KIDs, before the first cycle.
    ///
    /// # Errors
    /// [`MachineError`] when there is not enough of it for each, or the machine has run.
    pub fn with_divided(&mut self, what: Divided, kernels: usize) -> Result<(), MachineError> {
        self.not_started("a division of the L1D")?;
        let known = self.activity.len() as u64;
        ParamError::range("kernels", kernels as u64, 1, known)?;
        for sm in &mut self.sms {
            sm.divide(what, kernels)?;
        }
        Ok(())
    }

    fn not_started(&self, what: &'static str) -> Result<(), MachineError> {
        match self.cycle {
            0 => Ok(()),
            cycle => Err(MachineError::Started { what, cycle }),
        }
    }

    /// Puts a unit between the schedulers and the load/store unit of an SM, before the first
    /// cycle. Cycles are not skipped any more.
    ///
    /// # Errors
    /// [`MachineError`] when there is no such SM, or the machine has run.
    pub fn with_issue_control(
        &mut self,
        sm: usize,
        unit: Box<dyn MemoryIssue>,
    ) -> Result<(), MachineError> {
        self.not_started("mem_issue")?;
        let sms = self.sms.len();
        let place = self.sms.get_mut(sm);
        place
            .ok_or(MachineError::UnknownSm { sm, sms })?
            .set_issue_control(unit);
        Ok(())
    }

    /// From now on no block comes to an SM and no warp issues; what is in flight goes on.
    pub fn stop_launching(&mut self) {
        self.stopped = true;
        for (sm, next) in self.sms.iter_mut().zip(&mut self.next) {
            sm.stop(self.cycle);
            *next = self.cycle;
        }
    }

    /// Runs on until nothing is in flight or `reached` returns `false`, after
    /// [`stop_launching`](Self::stop_launching) or with kernels that end.
    pub fn drain(&mut self, reached: &mut dyn FnMut(Reached<'_>) -> bool) {
        while self.in_flight() > 0 {
            let more = self.step(Some(reached));
            let next = self.next_cycle();
            // Nothing comes any more of what is still in flight: check() says what is wrong.
            let ended = !more || next > END || self.in_flight() == 0;
            self.cycle = if ended { self.cycle + 1 } else { next };
            if ended {
                break;
            }
        }
        self.account();
    }

    /// Memory instructions, requests and write-backs that are not done.
    pub fn in_flight(&self) -> u64 {
        let sms = self.sms.iter().map(|sm| sm.in_flight());
        sms.sum::<u64>() + self.memory.in_flight()
    }

    /// Whether all kernels have ended; never with one that restarts.
    pub fn is_finished(&self) -> bool {
        let ended = |kernel: &Kernel| kernel.ended == kernel.blocks && !kernel.launch.restart;
        self.kernels.iter().all(ended)
    }

    /// What the kernel with this KID has done; nothing if there is none.
    pub fn stats(&self, kernel: usize) -> KernelStats {
        let mut sum = sm::Stats::default();
        (0..self.sms.len()).for_each(|sm| sum += &self.sm_stats(sm, kernel));
        KernelStats {
            sm: sum,
            memory: match kernel < self.activity.len() {
                true => *self.memory.stats(kernel),
                false => memory::Stats::default(),
            },
            laps: self.laps(kernel),
        }
    }

    /// What a kernel has done on an SM; nothing if there is none.
    pub fn sm_stats(&self, sm: usize, kernel: usize) -> sm::Stats {
        let sm = self.sms.get(sm).filter(|_| kernel < self.activity.len());
        sm.map_or_else(sm::Stats::default, |sm| *sm.stats(kernel))
    }

    /// What became of an SM's issue slots.
    pub fn slots(&self, sm: usize) -> sm::Slots {
        self.sms
            .get(sm)
            .map_or_else(sm::Slots::default, |sm| *sm.slots())
    }

    /// A kernel's blocks on an SM.
    pub fn resident(&self, sm: usize, kernel: usize) -> u32 {
        let sm = self.sms.get(sm).filter(|_| kernel < self.activity.len());
        sm.map_or(0, |sm| sm.resident(kernel))
    }

    /// What lies behind the SMs.
    pub fn memory(&self) -> &MemorySystem {
        &self.memory
    }

    fn laps(&self, kid: usize) -> u64 {
        let kernel = |kernel: &&Kernel| usize::from(kernel.launch.kernel) == kid;
        self.kernels
            .iter()
            .find(kernel)
            .map_or(0, |kernel| kernel.lap)
    }

    /// [`run_to`](Gpu::run_to) with nobody to see the accesses, which takes less time.
    pub fn run_unwatched(&mut self, cycle: u64) {
        self.run(cycle, None);
    }

    fn run(&mut self, cycle: u64, mut reached: Option<&mut Watcher<'_>>) {
        let end = cycle.min(END);
        while self.cycle <= end {
            if !self.step(reached.as_deref_mut()) {
                self.cycle += 1;
                break;
            }
            self.cycle = self.next_cycle().min(end + 1);
        }
        self.account();
    }

    /// The present cycle; `false` if `reached` has seen enough.
    fn step(&mut self, reached: Option<&mut Watcher<'_>>) -> bool {
        let cycle = self.cycle;
        let more = self.memory.pass(cycle, reached);
        if self.distribute <= cycle && !self.stopped {
            self.distribute_blocks(cycle);
        }
        for number in 0..self.sms.len() {
            let due = self.next[number] <= cycle
                || self.memory.next_reply(number) <= cycle
                || self.sms[number].wants_port() && self.memory.accepts(number);
            if due || self.every_cycle {
                let mut port = SmPort {
                    memory: &mut self.memory,
                    sm: number,
                };
                self.next[number] = self.sms[number].tick(cycle, self.finished, &mut port);
                while let Some(kid) = self.sms[number].take_ended() {
                    self.block_ended(kid, cycle);
                }
            }
        }
        more
    }

    /// The cycle after the present one in which anything can happen.
    fn next_cycle(&self) -> u64 {
        let next = self.cycle + 1;
        let soonest = self.next.iter().copied().min().unwrap_or(u64::MAX);
        if self.every_cycle || soonest <= next {
            return next;
        }
        let blocks = if self.stopped {
            u64::MAX
        } else {
            self.distribute
        };
        let soonest = soonest.min(blocks).min(self.memory.next_event(self.cycle));
        soonest.max(next)
    }

    /// A block of a kernel has ended: there is room, and perhaps a lap is over.
    fn block_ended(&mut self, kid: u8, cycle: u64) {
        self.distribute = cycle + 1;
        let kernel = self.kernels.iter_mut().find(|k| k.launch.kernel == kid);
        if let Some(kernel) = kernel {
            kernel.block_ended();
        }
    }

    /// Blocks come to SMs that have room.
    fn distribute_blocks(&mut self, cycle: u64) {
        let count = self.sms.len();
        let kernels = self.kernels.len();
        let mut came = false;
        let first = self.next_sm;
        for number in (first..count).chain(0..first) {
            let turn = match self.in_order {
                true => 0,
                false => self.next_kernel[number],
            };
            for index in (turn..kernels).chain(0..turn) {
                let kernel = &mut self.kernels[index];
                let kid = kernel.launch.kernel;
                let sm = &mut self.sms[number];
                if kernel.wants(number, sm.resident(kid.into()), cycle)
                    && sm.add_block(kid, kernel.given, kernel.lap, cycle)
                {
                    came = true;
                    self.finished |= u64::from(kernel.block_given()) << kid;
                    self.next[number] = cycle;
                    self.next_sm = if number + 1 == count { 0 } else { number + 1 };
                    self.next_kernel[number] = if index + 1 == kernels { 0 } else { index + 1 };
                    if self.in_order {
                        break;
                    }
                }
            }
        }
        let starts = self.kernels.iter().map(|kernel| kernel.launch.start);
        let starts = starts.filter(|start| *start > cycle).min();
        let next = if came { cycle + 1 } else { u64::MAX };
        self.distribute = next.min(starts.unwrap_or(u64::MAX));
    }

    /// Brings all counts up to the present cycle.
    fn account(&mut self) {
        for sm in &mut self.sms {
            sm.count_up_to(self.cycle);
        }
        for kid in 0..self.activity.len() {
            let KernelStats { sm, memory, laps } = self.stats(kid);
            self.activity[kid] = KernelActivity {
                instructions: sm.memory,
                requests: memory.accesses,
                merged: memory.merged,
                latency: sm.reply_latency,
                answered: sm.replies,
                laps,
            };
        }
    }
}

impl Gpu for Machine {
    fn geometry(&self) -> &Geometry {
        self.memory.geometry()
    }

    fn cycle(&self) -> u64 {
        self.cycle
    }

    fn run_to(&mut self, cycle: u64, reached: &mut dyn FnMut(Reached<'_>) -> bool) {
        self.run(cycle, Some(reached));
    }

    fn counts(&self) -> Counts {
        self.memory.counts()
    }

    fn activity(&self) -> &[KernelActivity] {
        &self.activity
    }
}

#[cfg(test)]
mod tests;
