//! The L2 cache: write-back, write-allocate, allocation on miss.
//!
//! The golden cache decides what is a hit and which way is replaced: always the LRU one, as its
//! replacement bits are what GDC and PLOB count. This module adds what takes time: which sectors
//! are there, on their way or dirty, MSHRs, miss queues, write-backs.
//!
//! A bank takes at most one lookup per cycle. The first request of its queue waits, without being
//! looked up, while it needs what is not there: an MSHR, a place to merge, entries of the miss
//! queue for its fetch and for a write-back, or room for replies.
//!
//! - ASSUMPTION: a line that is evicted while its fill is on its way: the fill answers those that
//!   wait for it and is not stored. Asked for again meanwhile, it is fetched again.
//! - ASSUMPTION: a store writes whole sectors, so none is fetched unless [`WriteMiss::Fetch`] says
//!   so; only dirty sectors are written back. A store is answered after the hit latency, hit or
//!   miss, and takes no place to merge.
//! - ASSUMPTION: a load that hits a line of which it lacks sectors fetches those, in the line's
//!   MSHR if it has one, and takes a place to merge there.
//! - ASSUMPTION: a reply to a load that waited leaves in the cycle of the fill, but not before
//!   the hit latency is over.

mod bank;
mod inspect;
mod mshr;

use super::dram::{Purpose, Transfer};
use super::stats::{Stats, Waits};
use super::Request;
use crate::gpu::config::{Config, WriteMiss};
use crate::gpu::Reached;
use crate::llc::cache::{Cache, Counts, Fast, Geometry};
use crate::model::ParamError;
use crate::workload::{Access, Op};
use bank::{Bank, Line, Wait, ASLEEP};
use mshr::{Waiter, NO_LINE, NO_MSHR};

/// A request with where it goes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Routed {
    pub(super) request: Request,
    /// The line's address as the cache sees it.
    pub(super) address: u64,
    pub(super) bank: u16,
}

/// A request that was looked up.
#[derive(Debug, Clone, Copy)]
pub(super) struct LookedUp {
    pub(super) request: Request,
    /// It needs no fill: the reply leaves after the hit latency.
    pub(super) answered: bool,
    /// The watcher wants to go on.
    pub(super) more: bool,
}

/// An observer of the lookups, which decides whether to continue.
pub(crate) type Watcher<'a> = dyn FnMut(Reached<'_>) -> bool + 'a;

/// All banks.
#[derive(Debug)]
pub(super) struct L2 {
    geometry: Geometry,
    cache: Fast,
    /// `ways` per set.
    lines: Vec<Line>,
    banks: Vec<Bank>,
    /// By bank, the cycle from which on its first request may be looked up: that of its arrival,
    /// or [`ASLEEP`].
    due: Vec<u64>,
    hit_latency: u64,
    miss_queue: usize,
    write_miss: WriteMiss,
    line_shift: u32,
    /// Bits of a line's number that choose the partition.
    partition_shift: u32,
    sector_bytes: u32,
}

impl L2 {
    pub(super) fn new(config: &Config, geometry: Geometry) -> Result<Self, ParamError> {
        Ok(Self {
            cache: Fast::new(geometry)?,
            lines: vec![Line::absent(0); geometry.sets * geometry.ways],
            banks: (0..geometry.banks).map(|_| Bank::new(config)).collect(),
            due: vec![ASLEEP; geometry.banks],
            hit_latency: config.l2.hit_latency.into(),
            miss_queue: config.l2.miss_queue,
            write_miss: config.l2.write_miss,
            line_shift: geometry.line.trailing_zeros(),
            partition_shift: config.l2.partitions.trailing_zeros(),
            sector_bytes: (geometry.line / u64::from(geometry.sectors())) as u32,
            geometry,
        })
    }

    /// A request reaches its bank's queue in a cycle.
    #[inline]
    pub(super) fn arrive(&mut self, cycle: u64, routed: Routed) {
        let index = usize::from(routed.bank);
        let queue = &mut self.banks[index].queue;
        queue.push_back((cycle, routed));
        if queue.len() == 1 {
            self.due[index] = cycle;
        }
    }

    /// One cycle of a bank that is [`due`](Self::due): looks up its first request, if it lacks
    /// nothing.
    #[inline]
    pub(super) fn look_up(
        &mut self,
        index: usize,
        cycle: u64,
        replies_full: bool,
        stats: &mut [Stats],
        reached: Option<&mut Watcher<'_>>,
    ) -> Option<LookedUp> {
        let bank = &self.banks[index];
        let &(_, routed) = bank.queue.front()?;
        let lacks = match replies_full {
            true => Some(Wait::Reply),
            false => self.lacks(bank, &routed),
        };
        let bank = &mut self.banks[index];
        let kernel = &mut stats[usize::from(routed.request.kernel)];
        if lacks != bank.blocked.map(|(wait, _)| wait) {
            if let Some((wait, since)) = bank.blocked {
                *wait.of(&mut kernel.waits) += cycle - since;
            }
            bank.blocked = lacks.map(|wait| (wait, cycle));
        }
        if let Some(wait) = lacks {
            if wait != Wait::Reply {
                self.due[index] = ASLEEP;
            }
            return None;
        }
        bank.queue.pop_front();
        self.due[index] = match bank.queue.front() {
            Some(&(arrival, _)) => arrival,
            None => ASLEEP,
        };
        self.access(index, cycle, &routed, stats, reached)
    }

    /// What a request lacks to be looked up.
    #[inline]
    fn lacks(&self, bank: &Bank, routed: &Routed) -> Option<Wait> {
        let probe = self.cache.probe(routed.address);
        let line = &self.lines[probe.set * self.geometry.ways + probe.way];
        let asked = routed.request.sectors;
        let load = routed.request.op == Op::Read;
        // `wait`: it needs the line's MSHR.
        let (fetch, wait, write_back) = if probe.hit {
            let absent = asked & !(line.present | line.pending) != 0;
            (load && absent, load && asked & !line.present != 0, false)
        } else {
            let fetch = load || self.write_miss == WriteMiss::Fetch;
            (fetch, fetch, line.dirty != 0)
        };
        let mshr = (probe.hit && line.mshr != NO_MSHR).then_some(line.mshr);
        let entries = usize::from(fetch) + usize::from(write_back);
        if wait && mshr.is_none() && !bank.mshrs.any_free() {
            return Some(Wait::Mshr);
        }
        if wait && mshr.is_some_and(|mshr| !bank.mshrs.can_merge(mshr)) {
            return Some(Wait::Merge);
        }
        (bank.misses.len() + entries > self.miss_queue).then_some(Wait::MissQueue)
    }

    /// The lookup of a request that lacks nothing.
    #[inline]
    fn access(
        &mut self,
        index: usize,
        cycle: u64,
        routed: &Routed,
        stats: &mut [Stats],
        reached: Option<&mut Watcher<'_>>,
    ) -> Option<LookedUp> {
        let request = routed.request;
        let access = Access {
            address: routed.address,
            sectors: request.sectors,
            kernel: request.kernel,
            op: request.op,
            cycle: Some(cycle),
        };
        let watched = reached.is_some();
        let before = watched.then(|| self.cache.stack(self.geometry.set_of(access.address)));
        let store_fetches = request.op == Op::Write
            && self.write_miss == WriteMiss::Fetch
            && !self.cache.probe(access.address).hit;
        let brings = match store_fetches {
            true => self.geometry.sector_mask(),
            false => request.sectors,
        };
        // The kernel is one of the cache's: it was checked when the request came.
        let outcome = self
            .cache
            .access(&Access {
                sectors: brings,
                ..access
            })
            .ok()?;
        let place = outcome.set as usize * self.geometry.ways + usize::from(outcome.way);
        if !outcome.hit {
            self.evict(index, place, request.line >> self.line_shift, stats);
        }
        let line = &mut self.lines[place];
        let asked = request.sectors;
        let absent = asked & !(line.present | line.pending);
        let kernel = &mut stats[usize::from(request.kernel)];
        kernel.accesses += 1;
        // What it waits for, and what is fetched.
        let (mut need, mut fetch) = (0, 0);
        match request.op {
            Op::Write => {
                line.present |= asked;
                line.pending &= !asked;
                line.dirty |= asked;
                line.writer = request.kernel;
                if store_fetches {
                    fetch = brings;
                    line.pending = fetch & !asked;
                }
            }
            Op::Read => {
                need = asked & !line.present;
                fetch = absent;
                line.pending |= absent;
            }
        }
        if !outcome.hit {
            kernel.misses += 1;
        } else if need != 0 && absent == 0 {
            kernel.merged += 1;
        } else {
            kernel.hits += 1;
            kernel.sector_misses += u64::from(absent != 0);
        }
        if need | fetch != 0 {
            let bank = &mut self.banks[index];
            let mshr = match line.mshr {
                NO_MSHR => bank.mshrs.allocate(place as u32)?,
                mshr => mshr,
            };
            line.mshr = mshr;
            if need != 0 {
                let waiter = Waiter {
                    request,
                    need,
                    ready: cycle + self.hit_latency,
                };
                bank.mshrs.wait(mshr, waiter);
            }
            if fetch != 0 {
                kernel.fetches += 1;
                kernel.store_fetches += u64::from(store_fetches);
                bank.mshrs.fetch(mshr);
                bank.misses.push_back(Transfer {
                    line: line.number >> self.partition_shift,
                    sectors: fetch,
                    bytes: fetch.count_ones() * self.sector_bytes,
                    bank: index as u16,
                    kernel: request.kernel,
                    purpose: match store_fetches {
                        true => Purpose::StoreFetch { mshr },
                        false => Purpose::Fetch { mshr },
                    },
                });
            }
        }
        let more = reached.zip(before).is_none_or(|(reached, before)| {
            reached(Reached {
                cycle,
                bank: index,
                access: &access,
                before: &before,
                outcome: &outcome,
            })
        });
        Some(LookedUp {
            request,
            answered: need == 0,
            more,
        })
    }

    /// A place's line makes way for another one.
    #[inline]
    fn evict(&mut self, index: usize, place: usize, number: u64, stats: &mut [Stats]) {
        let line = &mut self.lines[place];
        let bank = &mut self.banks[index];
        if line.dirty != 0 {
            stats[usize::from(line.writer)].write_backs += 1;
            bank.misses.push_back(Transfer {
                line: line.number >> self.partition_shift,
                sectors: line.dirty,
                bytes: line.dirty.count_ones() * self.sector_bytes,
                bank: index as u16,
                kernel: line.writer,
                purpose: Purpose::WriteBack,
            });
        }
        if line.mshr != NO_MSHR {
            bank.mshrs.orphan(line.mshr);
        }
        *line = Line::absent(number);
    }

    /// Sectors have come from memory: `answer` is told each request that waits no longer and the
    /// first cycle in which its reply may leave.
    #[inline]
    pub(super) fn fill(
        &mut self,
        transfer: &Transfer,
        mshr: u16,
        mut answer: impl FnMut(Request, u64),
    ) {
        let index = usize::from(transfer.bank);
        // It frees an MSHR or places to merge; a fetch or write-back is needed as before.
        self.wake(index, |wait| wait != Wait::MissQueue);
        let bank = &mut self.banks[index];
        let sectors = transfer.sectors;
        let reply = |waiter: Waiter| answer(waiter.request, waiter.ready);
        let (place, done) = bank.mshrs.fill(mshr, sectors, reply);
        if place != NO_LINE {
            let line = &mut self.lines[place as usize];
            // What was stored meanwhile is no longer pending, and stays.
            line.pending &= !sectors;
            line.present |= sectors;
            if done {
                line.mshr = NO_MSHR;
            }
        }
    }

    /// The first entry of a bank's miss queue, which leaves it.
    #[inline]
    pub(super) fn next_miss(&mut self, index: usize) -> Option<Transfer> {
        let miss = self.banks[index].misses.pop_front()?;
        self.wake(index, |wait| wait == Wait::MissQueue);
        Some(miss)
    }

    /// Lets a bank try again if it waits for something.
    #[inline]
    fn wake(&mut self, index: usize, something: impl Fn(Wait) -> bool) {
        if let Some((wait, since)) = self.banks[index].blocked {
            if something(wait) {
                self.due[index] = since;
            }
        }
    }

    /// Whether something waits in a bank's miss queue.
    #[inline]
    pub(super) fn has_miss(&self, index: usize) -> bool {
        !self.banks[index].misses.is_empty()
    }

    /// The first cycle after `cycle` in which a bank can look a request up by itself.
    pub(super) fn next(&self, index: usize, cycle: u64) -> u64 {
        match self.banks[index].blocked {
            None => self.due[index].max(cycle + 1),
            Some(_) => u64::MAX,
        }
    }

    /// The cycle from which on a bank may look its first request up.
    #[inline]
    pub(super) fn due(&self, index: usize) -> u64 {
        self.due[index]
    }

    /// From a lookup to the reply of a hit.
    pub(super) fn hit_latency(&self) -> u64 {
        self.hit_latency
    }

    pub(super) fn geometry(&self) -> &Geometry {
        &self.geometry
    }

    pub(super) fn counts(&self) -> Counts {
        self.cache.counts()
    }
}
