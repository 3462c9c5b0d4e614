//! A GPU whose SMs do nothing but keep requests in flight.
//!
//! Each SM runs one kernel, issues its instructions in order, one request (a line) a cycle, and
//! has at most so many requests in flight; so how often a kernel accesses the L2 follows from how
//! long its accesses take, as in the GDC paper, section IV-B: "AGG1 experiences long memory
//! latencies and VMA and DADD short hit latencies".
//!
//! A request reaches its bank `crossbar` cycles after it is issued, waits in order while the bank
//! takes another one (one a cycle), is looked up, and is answered `hit` cycles later. A miss is
//! filled by memory, which takes `memory` cycles and moves `bandwidth` bytes a cycle; a request
//! that hits a line on its way waits for it.
//!
//! ASSUMPTION: no L1D, no MSHR limit, no write-back traffic; a store is answered like a load.
//! Requests that reach a bank in the same cycle queue in the order of their SMs.

mod memory;

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

use serde::{Deserialize, Serialize};

use super::{Gpu, KernelActivity, Reached};
use crate::llc::cache::{Cache, Counts, Fast, Geometry, Stack};
use crate::model::ParamError;
use crate::workload::kernel::{Instruction, Kernel};
use crate::workload::{Access, SECTOR};
use memory::Memory;

/// The longest latency of a part, far beyond any that there is; sums of them do not overflow.
pub const MAX_LATENCY: u64 = 1 << 32;

/// Latencies in cycles, bandwidth in bytes a cycle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Timing {
    /// From an SM to a bank.
    pub crossbar: u64,
    /// From a bank's lookup to the answer, of a hit.
    pub hit: u64,
    /// From a miss to the fill, without waiting.
    pub memory: u64,
    /// What memory moves in a cycle.
    pub bandwidth: u64,
}

/// A kernel on its SM.
#[derive(Debug, Clone)]
pub struct Running {
    /// The kernel.
    pub kernel: Kernel,
    /// Requests that it may have in flight, at least 1.
    pub in_flight: u32,
    /// The cycle in which it starts.
    pub start: u64,
}

/// An SM.
#[derive(Debug, Clone)]
struct Sm {
    running: Running,
    /// What is still to be issued of the present instruction: the next byte, and bytes left.
    instruction: Instruction,
    /// The present instruction may not be issued before.
    ready: u64,
    in_flight: u32,
}

/// A request on its way to a bank.
#[derive(Debug, Clone, Copy)]
struct Request {
    issued: u64,
    access: Access,
}

/// The model.
#[derive(Debug)]
pub struct Bounded {
    timing: Timing,
    cache: Fast,
    sms: Vec<Sm>,
    /// By bank, with the cycle of arrival; in order.
    queues: Vec<VecDeque<(u64, Request)>>,
    /// Answers on their way: cycle, SM, cycle of issue.
    answers: BinaryHeap<Reverse<(u64, usize, u64)>>,
    memory: Memory,
    cycle: u64,
    activity: Vec<KernelActivity>,
    /// Step every cycle, even if nothing can happen in it.
    every_cycle: bool,
}

impl Bounded {
    /// A GPU with one SM for each kernel; the kernel of SM `k` has the KID `k`.
    ///
    /// # Errors
    /// [`ParamError`] for an impossible cache, other than its number of kernels, no request in
    /// flight, a latency above [`MAX_LATENCY`], or no bandwidth.
    pub fn new(
        geometry: Geometry,
        timing: Timing,
        kernels: Vec<Running>,
    ) -> Result<Self, ParamError> {
        ParamError::range(
            "kernels",
            kernels.len() as u64,
            geometry.kernels as u64,
            geometry.kernels as u64,
        )?;
        ParamError::range("crossbar", timing.crossbar, 0, MAX_LATENCY)?;
        ParamError::range("hit", timing.hit, 0, MAX_LATENCY)?;
        ParamError::range("memory", timing.memory, 0, MAX_LATENCY)?;
        ParamError::range("bandwidth", timing.bandwidth, 1, 1 << 20)?;
        let mut sms = vec![];
        for mut running in kernels {
            ParamError::range("in_flight", running.in_flight.into(), 1, 1 << 16)?;
            let instruction = running.kernel.next();
            sms.push(Sm {
                ready: running.start + u64::from(instruction.compute),
                running,
                instruction,
                in_flight: 0,
            });
        }
        Ok(Self {
            cache: Fast::new(geometry)?,
            queues: vec![VecDeque::new(); geometry.banks],
            answers: BinaryHeap::new(),
            memory: Memory::new(timing.memory, timing.bandwidth),
            cycle: 0,
            activity: vec![KernelActivity::default(); sms.len()],
            every_cycle: false,
            timing,
            sms,
        })
    }

    /// Steps every cycle, also those in which nothing can happen; the result is the same.
    #[must_use]
    pub fn every_cycle(mut self) -> Self {
        self.every_cycle = true;
        self
    }

    /// Requests that were issued and not answered yet.
    pub fn in_flight(&self) -> u64 {
        self.sms.iter().map(|sm| u64::from(sm.in_flight)).sum()
    }

    fn answer(&mut self) {
        while let Some(&Reverse((due, sm, issued))) = self.answers.peek() {
            if due > self.cycle {
                break;
            }
            self.answers.pop();
            self.sms[sm].in_flight -= 1;
            self.activity[sm].answered += 1;
            self.activity[sm].latency += due - issued;
        }
    }

    /// Each SM issues a request if it may.
    fn issue(&mut self) {
        let geometry = *self.cache.geometry();
        for (kernel, sm) in self.sms.iter_mut().enumerate() {
            if sm.in_flight >= sm.running.in_flight || sm.ready > self.cycle {
                continue;
            }
            let instruction = &mut sm.instruction;
            let offset = instruction.address % geometry.line;
            let bytes = instruction.bytes.min(geometry.line - offset);
            let sectors = (offset / SECTOR)..(offset + bytes).div_ceil(SECTOR);
            let access = Access {
                address: instruction.address,
                sectors: sectors.fold(0, |mask, sector| mask | 1 << sector),
                kernel: kernel as u8,
                op: instruction.op,
                cycle: Some(self.cycle),
            };
            instruction.address += bytes;
            instruction.bytes -= bytes;
            if instruction.bytes == 0 {
                let activity = &mut self.activity[kernel];
                activity.instructions += 1;
                *instruction = sm.running.kernel.next();
                activity.laps = sm.running.kernel.laps();
                sm.ready = self.cycle + 1 + u64::from(instruction.compute);
            }
            sm.in_flight += 1;
            let bank = geometry.bank_of(geometry.set_of(access.address));
            let request = Request {
                issued: self.cycle,
                access,
            };
            self.queues[bank].push_back((self.cycle + self.timing.crossbar, request));
        }
    }

    /// Each bank takes a request; `false` if `reached` has seen enough.
    fn look_up(&mut self, reached: &mut dyn FnMut(Reached<'_>) -> bool) -> bool {
        let mut more = true;
        for bank in 0..self.queues.len() {
            let due = |(arrival, _): &(u64, Request)| *arrival <= self.cycle;
            if !self.queues[bank].front().is_some_and(due) {
                continue;
            }
            let Some((_, request)) = self.queues[bank].pop_front() else {
                continue;
            };
            let access = Access {
                cycle: Some(self.cycle),
                ..request.access
            };
            let geometry = *self.cache.geometry();
            let before: Stack = self.cache.stack(geometry.set_of(access.address));
            let Ok(outcome) = self.cache.access(&access) else {
                // Its kernel is its SM's number, and there are as many of both.
                continue;
            };
            let kernel = usize::from(access.kernel);
            let line = access.address / geometry.line;
            let answer = self.cycle + self.timing.hit;
            let sectors = u64::from(access.sectors.count_ones());
            let answer = if outcome.hit {
                match self.memory.due(line, self.cycle) {
                    Some(fill) => {
                        self.activity[kernel].merged += 1;
                        answer.max(fill)
                    }
                    None if outcome.sector_miss => {
                        self.memory.fetch(line, sectors * SECTOR, self.cycle)
                    }
                    None => answer,
                }
            } else {
                self.memory.fetch(line, sectors * SECTOR, self.cycle)
            };
            self.activity[kernel].requests += 1;
            self.answers.push(Reverse((answer, kernel, request.issued)));
            more &= reached(Reached {
                cycle: self.cycle,
                bank,
                access: &access,
                before: &before,
                outcome: &outcome,
            });
        }
        more
    }

    /// The next cycle in which something can happen.
    fn next_cycle(&self) -> u64 {
        let next = self.cycle + 1;
        if self.every_cycle {
            return next;
        }
        let arrivals = self
            .queues
            .iter()
            .filter_map(|queue| queue.front())
            .map(|(arrival, _)| *arrival);
        let answers = self.answers.peek().map(|Reverse((due, ..))| *due);
        let issues = self
            .sms
            .iter()
            .filter(|sm| sm.in_flight < sm.running.in_flight)
            .map(|sm| sm.ready);
        let soonest = arrivals.chain(answers).chain(issues).min();
        soonest.unwrap_or(u64::MAX).max(next)
    }
}

impl Gpu for Bounded {
    fn geometry(&self) -> &Geometry {
        self.cache.geometry()
    }

    fn cycle(&self) -> u64 {
        self.cycle
    }

    fn run_to(&mut self, cycle: u64, reached: &mut dyn FnMut(Reached<'_>) -> bool) {
        while self.cycle <= cycle {
            self.answer();
            let more = self.look_up(reached);
            self.issue();
            self.cycle = self.next_cycle().min(cycle + 1);
            if !more {
                break;
            }
        }
    }

    fn counts(&self) -> Counts {
        self.cache.counts()
    }

    fn activity(&self) -> &[KernelActivity] {
        &self.activity
    }
}

#[cfg(test)]
mod tests;
