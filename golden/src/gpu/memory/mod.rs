//! The memory system behind the SMs: crossbar, L2, DRAM.
//!
//! ```text
//!  SM ─push─► port ═crossbar═► bank's queue ─lookup─► hit ──────────────────► port ═crossbar═► reply─► SM
//!                                             └─miss─► miss queue ─► channel ─► fill ─┘
//! ```
//!
//! | module | holds |
//! | --- | --- |
//! | `crossbar` | one direction of the crossbar |
//! | `cycle` | what happens in a cycle |
//! | `l2` | banks: lookups, MSHRs, write-backs |
//! | `dram` | a channel of memory |
//! | `stats` | [`Stats`]: what each kernel's requests did |
//! | `check` | the sums that must add up |
//!
//! Partition p has the banks b with b mod partitions = p, a port of the crossbar each way, and a
//! channel of memory. As a bank is a set's lowest bits, neighbouring lines are in different
//! partitions. The cache and its observers see line addresses after [`Index`]; memory
//! sees the real ones, without the bits that choose the partition.
//!
//! # A cycle
//! [`tick`](MemorySystem::tick) does, in this order: the crossbar grants replies, then requests;
//! fills and hits whose time has come become replies; each channel takes one request of its
//! banks' miss queues, in turn, and issues its commands; each bank looks up a request. What one
//! of them hands on, the next ones see in the next cycle. The SMs come after that: they take what
//! is due with [`reply`](MemorySystem::reply) and hand over requests with
//! [`push`](MemorySystem::push). A request of one flit pushed in cycle t, with a crossbar of
//! latency x, is looked up at t + x; the reply of a hit, of n flits, is there at
//! t + x + hit latency + x + n - 1.
//!
//! ASSUMPTION: an SM's port holds two packets, so that it is never idle for want of the next one.
//! ASSUMPTION: when a partition's port for replies is slower than its banks, replies queue up in as
//! many places as a receiver of the crossbar has and in the pipelines, one per cycle of the hit
//! latency and bank; then the banks wait.
//! ASSUMPTION: what is between the L2 and memory's pins delays what comes back, all at once.

mod check;
mod crossbar;
mod cycle;
mod dram;
mod l2;
mod stats;

use std::collections::VecDeque;

use super::config::{Config, Index};
use super::Reached;
use crate::llc::cache::{Counts, Geometry};
use crate::model::ParamError;
use crate::workload::Op;
use crossbar::Switch;
use dram::{Channel, Clock, Returning};
use l2::{Routed, L2};

pub(in crate::gpu) use l2::Watcher;

pub use check::Imbalance;
pub use stats::{ChannelStats, Stats, Waits};

/// Packets that an SM's port holds.
const PORT: usize = 2;

/// What an SM asks of the L2: sectors of one line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Request {
    /// The SM, from 0.
    pub sm: u16,
    /// The kernel's KID.
    pub kernel: u8,
    /// Load or store. A store moves its sectors with the request and is acknowledged.
    pub op: Op,
    /// The line's first byte.
    pub line: u64,
    /// The sectors, bit 0 being the lowest address; at least one.
    pub sectors: u32,
    /// The SM's own mark, which the reply carries.
    pub mark: u32,
    /// The cycle in which the SM handed it over.
    pub issued: u64,
}

/// The answer to a request: its sectors, or that they are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reply {
    /// The request.
    pub request: Request,
}

/// Everything behind the SMs.
#[derive(Debug)]
pub struct MemorySystem {
    index: Index,
    flit: u64,
    header: u64,
    sector_bytes: u64,
    /// Replies of a partition that may be in its pipelines or wait at its port.
    reply_places: usize,
    dram_latency: u64,
    clock: Clock,
    requests: Switch<Routed>,
    replies: Switch<Request>,
    l2: L2,
    partitions: Vec<Partition>,
    /// By SM, with the cycle of arrival, in order.
    arrived: Vec<VecDeque<(u64, Request)>>,
    stats: Vec<Stats>,
    pushed: u64,
    replied: u64,
    /// Write-backs and stores' fetches that are done.
    unasked: u64,
}

/// What each partition has beside its banks.
#[derive(Debug)]
struct Partition {
    channel: Channel,
    /// What the channel has served, on its way back.
    returning: Returning,
    /// Replies that will be ready in a later cycle, in order.
    answers: VecDeque<(u64, Request)>,
    /// Its bank whose miss queue is next.
    turn: usize,
    /// Nothing before becomes a reply.
    answers_at: u64,
    /// Nothing before becomes a reply or leaves a miss queue.
    quiet_until: u64,
}

impl MemorySystem {
    /// A memory system with nothing in it.
    ///
    /// # Errors
    /// [`ParamError`] for numbers that make none: see [`Config::check`].
    pub fn new(config: &Config, geometry: Geometry) -> Result<Self, ParamError> {
        config.check(&geometry)?;
        let (sms, partitions) = (config.sm.count, config.l2.partitions);
        let latency = config.crossbar.latency.into();
        let queue = config.crossbar.queue;
        let partition = || Partition {
            channel: Channel::new(&config.dram, geometry.line),
            returning: Returning::new(),
            answers: VecDeque::new(),
            turn: 0,
            answers_at: u64::MAX,
            quiet_until: u64::MAX,
        };
        Ok(Self {
            index: config.l2.index,
            flit: config.crossbar.flit,
            header: config.crossbar.header,
            sector_bytes: geometry.line / u64::from(geometry.sectors()),
            reply_places: queue + geometry.banks / partitions * config.l2.hit_latency as usize,
            dram_latency: config.dram.latency.into(),
            clock: Clock::new(config.clock_mhz, config.dram.clock_mhz),
            requests: Switch::new(sms, partitions, latency, queue as u64),
            replies: Switch::new(partitions, sms, latency, queue as u64),
            l2: L2::new(config, geometry)?,
            partitions: (0..partitions).map(|_| partition()).collect(),
            arrived: vec![VecDeque::new(); sms],
            stats: vec![Stats::default(); geometry.kernels],
            pushed: 0,
            replied: 0,
            unasked: 0,
        })
    }

    /// The L2's dimensions.
    pub fn geometry(&self) -> &Geometry {
        self.l2.geometry()
    }

    /// Whether an SM's port takes a request in this cycle.
    #[inline]
    pub fn accepts(&self, sm: usize) -> bool {
        self.requests.waiting(sm) < PORT
    }

    /// Hands a request over, in the cycle after whose [`tick`](Self::tick) it is called, when the
    /// port [`accepts`](Self::accepts) it.
    ///
    /// # Panics
    /// If there is no such SM or kernel.
    #[inline]
    pub fn push(&mut self, request: Request) {
        let geometry = self.l2.geometry();
        let address = self.index.permuted(request.line, geometry);
        let bank = geometry.bank_of(geometry.set_of(address));
        let flits = self.flits(&request, Op::Write);
        let stats = &mut self.stats[usize::from(request.kernel)];
        match request.op {
            Op::Read => stats.reads += 1,
            Op::Write => stats.writes += 1,
        }
        stats.request_flits += u64::from(flits);
        self.pushed += 1;
        let routed = Routed {
            request,
            address,
            bank: bank as u16,
        };
        let partition = bank & (self.partitions.len() - 1);
        self.requests
            .push(usize::from(request.sm), partition, flits, routed);
    }

    /// One cycle, later than the one before; those between them may be left out if
    /// [`next_event`](Self::next_event) says that nothing happens in them. `reached` is called
    /// for each lookup, in order of banks, and returns whether to go on. Returns false when it
    /// has seen enough; the cycle is completed nevertheless.
    pub fn tick(&mut self, cycle: u64, reached: &mut dyn FnMut(Reached<'_>) -> bool) -> bool {
        self.pass(cycle, Some(reached))
    }

    /// [`tick`](Self::tick) with or without somebody to see the lookups.
    pub(in crate::gpu) fn pass(&mut self, cycle: u64, reached: Option<&mut Watcher<'_>>) -> bool {
        self.cross(cycle);
        let dram = self.clock.dram(cycle);
        for index in 0..self.partitions.len() {
            let partition = &self.partitions[index];
            if partition.quiet_until <= cycle || partition.channel.next() <= dram {
                if partition.answers_at <= cycle {
                    self.answer(index, cycle);
                }
                self.access_memory(index, cycle, dram);
            }
        }
        self.look_up(cycle, reached)
    }

    /// The next reply that is due for an SM by a cycle. A port passes one flit per cycle, so that
    /// an SM that asks each cycle gets one at most.
    #[inline]
    pub fn reply(&mut self, sm: usize, cycle: u64) -> Option<Reply> {
        let arrived = &mut self.arrived[sm];
        match arrived.front() {
            Some(&(due, _)) if due <= cycle => {}
            _ => return None,
        }
        let (_, request) = arrived.pop_front()?;
        self.replies.release(sm);
        self.replied += 1;
        let stats = &mut self.stats[usize::from(request.kernel)];
        stats.replies += 1;
        stats.latency += cycle - request.issued;
        Some(Reply { request })
    }

    /// The cycle in which the next reply for an SM is due, `u64::MAX` if none is on the
    /// crossbar's way to it yet. An SM that sleeps looks at it after each tick.
    #[inline]
    pub fn next_reply(&self, sm: usize) -> u64 {
        self.arrived[sm].front().map_or(u64::MAX, |(due, _)| *due)
    }

    /// The earliest cycle after `cycle`, the last one ticked, in which [`tick`](Self::tick) or
    /// [`reply`](Self::reply) can do anything; `u64::MAX` if nothing is in flight. Going there
    /// has the same result as stepping there.
    pub fn next_event(&self, cycle: u64) -> u64 {
        let next = cycle + 1;
        let mut soonest = self.replies.next(cycle).min(self.requests.next(cycle));
        for sm in 0..self.arrived.len() {
            soonest = soonest.min(self.next_reply(sm));
        }
        if soonest <= next {
            return next;
        }
        for bank in 0..self.l2.geometry().banks {
            soonest = soonest.min(self.l2.next(bank, cycle));
            let partition = &self.partitions[bank & (self.partitions.len() - 1)];
            if self.l2.has_miss(bank) && partition.channel.has_room() {
                return next;
            }
        }
        for partition in &self.partitions {
            soonest = soonest
                .min(self.clock.gpu(partition.channel.next()))
                .min(
                    partition
                        .returning
                        .front()
                        .map_or(u64::MAX, |(due, _)| *due),
                )
                .min(partition.answers.front().map_or(u64::MAX, |(due, _)| *due));
        }
        soonest.max(next)
    }

    /// Requests pushed and not yet replied, and write-backs and stores' fetches not yet done.
    pub fn in_flight(&self) -> u64 {
        let unasked = |stats: &Stats| stats.write_backs + stats.store_fetches;
        self.pushed - self.replied + self.stats.iter().map(unasked).sum::<u64>() - self.unasked
    }

    /// What the golden cache has counted: GDC, PLOB, hits and misses.
    pub fn counts(&self) -> Counts {
        self.l2.counts()
    }

    /// What a kernel's requests did.
    ///
    /// # Panics
    /// If there is no such kernel.
    pub fn stats(&self, kernel: usize) -> &Stats {
        &self.stats[kernel]
    }

    /// What the channel of a partition did.
    ///
    /// # Panics
    /// If there is no such partition.
    pub fn channel(&self, partition: usize) -> &ChannelStats {
        self.partitions[partition].channel.stats()
    }
}

#[cfg(test)]
mod tests;
