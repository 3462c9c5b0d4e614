//! The in-order load/store unit with the L1D behind it.
//!
//! Source: Dai et al. (HPCA 2018), section 2.1: a miss takes a line slot, an MSHR and a miss-queue
//! entry; "if any of the required resources is not available, a *reservation failure* occurs and
//! the memory pipeline is stalled. The allocated MSHR is reserved until the data is fetched [...]
//! while the miss queue entry is released once the miss request is sent to the L2 cache"; table 1:
//! allocate-on-miss, LRU, write-evict no-write-allocate. Order of the checks and names as in
//! GPGPU-Sim.
//!
//! A load whose sectors are all in the cache hits and takes nothing. One whose other sectors are
//! all on their way is merged: it waits at their MSHRs. Any other is a miss: it reserves a line
//! (unless its line is there: a sector miss), takes an MSHR and fetches the sectors that are
//! neither here nor on their way.
//!
//! With [`Fill::Lines`](config::Fill) a load asks for all sectors of its line: there are no sector
//! misses then, and a line is there or not.
//!
//! A store puts its line out of the cache and goes to the L2; it needs a miss-queue entry only.
//!
//! Where the L1D's line is longer than the L2's, a miss or a store sends a request for each line of
//! the L2 that has one of its sectors, in rising order. It is one access all the same: counted
//! once, in one cycle, with one MSHR. As in GPGPU-Sim's sectored L1D, each request has its own
//! entry in the miss queue and its own reply, which makes its sectors valid; who waits goes on when
//! all sectors that it lacked are there.
//!
//! ASSUMPTION: the requests of an access enter the miss queue in one cycle, and not before there is
//! room for all ([`Failure::MissQueue`]). GPGPU-Sim has an access, and an MSHR, for each sector,
//! which its L1D takes one after the other, one per cycle and bank.
//!
//! ASSUMPTION: a store to a line with sectors on their way fails ([`Failure::RwPending`]): the
//! fill would bring what the store has made old. A load to a line with a *store* in flight does
//! not fail: the store has put the line out, and the load's fetch follows it through the same
//! queues to the same bank.

mod account;

use std::collections::VecDeque;

use super::coalesce::{Part, Parts};
use super::divide::{Divided, Entries, Ways};
use super::l1d::L1d;
use super::mshr::{Mshrs, NONE};
use super::split::Split;
use super::stats::{Failure, Stats};
use crate::gpu::config;
use crate::gpu::memory::{Reply, Request};
use crate::model::ParamError;
use crate::workload::{Op, SECTOR};

/// In a request's mark: it is a store, and the rest is its instruction; else the rest is an MSHR.
const STORE: u32 = 1 << 31;

/// A memory instruction from issue to its last response.
#[derive(Debug, Clone, Copy)]
pub(super) struct Flying {
    pub warp: u16,
    pub block: u16,
    pub kernel: u8,
    pub op: Op,
    /// The entry is free.
    vacant: bool,
    /// All its requests are accepted.
    sent: bool,
    /// Responses to come, of accepted requests; a load that waits at several MSHRs has several.
    unanswered: u16,
    pub issued: u64,
}

/// A memory instruction as it comes to the unit.
#[derive(Debug, Clone, Copy)]
pub(super) struct Issued {
    pub warp: u16,
    pub block: u16,
    pub kernel: u8,
    pub op: Op,
}

/// An instruction with requests to be accepted.
#[derive(Debug, Clone)]
struct Waiting {
    instruction: u32,
    next: usize,
    parts: Parts,
}

/// What the request at the head does in a cycle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tried {
    /// There is none.
    Nothing,
    /// It is accepted; whether it is its instruction's first.
    Accepted { kernel: u8, first: bool },
    /// It is refused.
    Refused { kernel: u8 },
}

/// The unit. What each cycle looks at comes first: with 16 SMs, cache lines are what counts.
#[derive(Debug, Clone)]
#[repr(C)]
pub(super) struct LdstUnit {
    /// Instructions in `queue`, a ring that begins at `head`.
    waiting: usize,
    head: usize,
    queue: Vec<Waiting>,
    /// Why the head was refused, until something changes that it may need.
    refused: Option<Failure>,
    sm: u16,
    /// Hits on their way, in order: when they are due, and the instruction.
    hits: VecDeque<(u64, u32)>,
    /// Instructions that have their last response, to be taken by the SM.
    pub done: Vec<u32>,
    miss_queue: VecDeque<Request>,
    miss_queue_len: usize,
    flying: Vec<Flying>,
    vacant: Vec<u32>,
    /// Bytes of a line of the L1D.
    line: u64,
    /// Sectors that a load fetches beside those that it touches.
    whole: u32,
    split: Split,
    hit_latency: u64,
    l1d: L1d,
    mshrs: Mshrs,
    /// Where they are divided among kernels.
    ways: Option<Box<Ways>>,
    entries: Option<Box<Entries>>,
    /// Stores' requests whose acknowledgement is to come.
    unacknowledged: u64,
    /// By kernel, requests to the L2 beyond the first one of a miss or store.
    further: Vec<u64>,
}

impl LdstUnit {
    /// A unit for so many kernels, in front of an L2 with lines of `l2_line` bytes.
    pub(super) fn new(sm: u16, config: &config::Config, l2_line: u64, kernels: usize) -> Self {
        let line = config.l1d.line_bytes(l2_line);
        let empty = Waiting {
            instruction: 0,
            next: 0,
            parts: Parts::NONE,
        };
        let whole = match config.l1d.fill {
            config::Fill::Sectors => 0,
            config::Fill::Lines => u32::MAX >> (32 - (line / SECTOR).clamp(1, 32)),
        };
        Self {
            sm,
            line,
            whole,
            split: Split::new(line, l2_line),
            hit_latency: config.l1d.hit_latency.max(1).into(),
            queue: vec![empty; config.sm.lsu_queue],
            head: 0,
            waiting: 0,
            l1d: L1d::new(&config.l1d, line),
            mshrs: Mshrs::new(config.l1d.mshrs, config.l1d.mshr_merges),
            miss_queue: VecDeque::with_capacity(config.l1d.miss_queue),
            miss_queue_len: config.l1d.miss_queue,
            hits: VecDeque::new(),
            flying: vec![],
            vacant: vec![],
            ways: None,
            entries: None,
            unacknowledged: 0,
            further: vec![0; kernels],
            refused: None,
            done: vec![],
        }
    }

    /// Divides a resource among so many kernels.
    pub(super) fn divide(&mut self, what: Divided, kernels: usize) -> Result<(), ParamError> {
        match what {
            Divided::Ways => self.ways = Some(Box::new(Ways::new(&self.l1d, kernels)?)),
            Divided::MissEntries => {
                let [mshrs, queue] = [self.mshrs.len(), self.miss_queue_len];
                self.entries = Some(Box::new(Entries::new(mshrs, queue, kernels)?));
            }
        }
        Ok(())
    }

    /// Whether an instruction may be issued.
    pub(super) fn has_room(&self) -> bool {
        self.waiting < self.queue.len()
    }

    /// Whether a request waits for the crossbar.
    pub(super) fn wants_port(&self) -> bool {
        !self.miss_queue.is_empty()
    }

    /// The cycle after `cycle` in which something happens without a reply or a port: the head's
    /// next try, unless it is bound to fail, or a hit's response.
    pub(super) fn next_event(&self, cycle: u64) -> u64 {
        if self.waiting > 0 && self.refused.is_none() || !self.done.is_empty() {
            return cycle + 1;
        }
        self.hits.front().map_or(u64::MAX, |(due, _)| *due)
    }

    /// The kernel whose request is bound to fail until something changes, and why.
    pub(super) fn stall(&self) -> Option<(u8, Failure)> {
        let head = &self.queue[self.head];
        self.refused
            .map(|failure| (self.flying(head.instruction).kernel, failure))
    }

    pub(super) fn flying(&self, instruction: u32) -> &Flying {
        &self.flying[instruction as usize]
    }

    /// The instruction is known no longer.
    pub(super) fn forget(&mut self, instruction: u32) {
        self.flying[instruction as usize].vacant = true;
        self.vacant.push(instruction);
    }

    /// Bytes of a line of the L1D.
    #[inline]
    pub(super) fn line(&self) -> u64 {
        self.line
    }

    /// An instruction enters the queue with its requests, if it [`has_room`](Self::has_room).
    pub(super) fn issue(&mut self, issued: Issued, requests: &Parts, cycle: u64) {
        let Issued {
            warp,
            block,
            kernel,
            op,
        } = issued;
        let flying = Flying {
            warp,
            block,
            kernel,
            op,
            vacant: false,
            sent: false,
            unanswered: 0,
            issued: cycle,
        };
        let instruction = match self.vacant.pop() {
            Some(instruction) => {
                self.flying[instruction as usize] = flying;
                instruction
            }
            None => {
                self.flying.push(flying);
                self.flying.len() as u32 - 1
            }
        };
        let mut place = self.head + self.waiting;
        if place >= self.queue.len() {
            place -= self.queue.len();
        }
        let waiting = &mut self.queue[place];
        waiting.instruction = instruction;
        waiting.next = 0;
        waiting.parts.copy_from(requests);
        if requests.as_slice().is_empty() {
            // No lane takes part; there is nothing to wait for.
            self.done.push(instruction);
        } else {
            self.waiting += 1;
        }
    }

    /// A response to a request of the instruction.
    fn respond(&mut self, instruction: u32) {
        let flying = &mut self.flying[instruction as usize];
        flying.unanswered -= 1;
        if flying.sent && flying.unanswered == 0 {
            self.done.push(instruction);
        }
    }

    /// The hits that are due.
    pub(super) fn respond_hits(&mut self, cycle: u64) {
        while let Some(&(due, instruction)) = self.hits.front() {
            if due > cycle {
                break;
            }
            self.hits.pop_front();
            self.respond(instruction);
        }
    }

    /// A reply from the L2.
    pub(super) fn reply(&mut self, reply: &Reply, cycle: u64, stats: &mut [Stats]) {
        let request = &reply.request;
        let stats = &mut stats[usize::from(request.kernel)];
        stats.replies += 1;
        stats.reply_latency += cycle - request.issued;
        self.refused = None;
        if request.mark & STORE != 0 {
            self.unacknowledged -= 1;
            self.respond(request.mark & !STORE);
            return;
        }
        let register = request.mark as u16;
        let place = self.mshrs.place(register) as usize;
        let line = self.l1d.line_mut(place);
        let (flying, done) = (&mut self.flying, &mut self.done);
        let sectors = self.split.joined(Part {
            line: request.line,
            sectors: request.sectors,
        });
        let first = &mut line.mshr;
        let in_use = self.mshrs.in_use();
        self.mshrs.fill(register, sectors, first, |instruction| {
            let waiter = &mut flying[instruction as usize];
            waiter.unanswered -= 1;
            if waiter.sent && waiter.unanswered == 0 {
                done.push(instruction);
            }
        });
        line.pending &= !sectors;
        line.valid |= sectors;
        if let Some(entries) = self
            .entries
            .as_mut()
            .filter(|_| self.mshrs.in_use() < in_use)
        {
            entries.free_mshr(request.kernel);
        }
    }

    /// The head's next request tries.
    pub(super) fn try_head(&mut self, cycle: u64, stats: &mut [Stats]) -> Tried {
        if self.waiting == 0 {
            return Tried::Nothing;
        }
        let Waiting {
            instruction,
            next,
            ref parts,
        } = self.queue[self.head];
        let Flying { kernel, op, .. } = *self.flying(instruction);
        let stats = &mut stats[usize::from(kernel)];
        if let Some(failure) = self.refused {
            stats.failures.add(failure, 1);
            return Tried::Refused { kernel };
        }
        let len = parts.as_slice().len();
        let part = parts.as_slice()[next];
        let request = Request {
            sm: self.sm,
            kernel,
            op,
            line: part.line,
            sectors: part.sectors,
            mark: 0,
            issued: cycle,
        };
        let accepted = match op {
            Op::Read => {
                let sectors = request.sectors | self.whole;
                let request = Request { sectors, ..request };
                self.load(instruction, request, stats)
            }
            Op::Write => self.store(instruction, request, stats),
        };
        match accepted {
            Err(failure) => {
                stats.failures.add(failure, 1);
                self.refused = Some(failure);
                Tried::Refused { kernel }
            }
            Ok(responses) => {
                let flying = &mut self.flying[instruction as usize];
                flying.unanswered += responses;
                self.queue[self.head].next += 1;
                if next + 1 == len {
                    flying.sent = true;
                    self.waiting -= 1;
                    self.head += 1;
                    if self.head == self.queue.len() {
                        self.head = 0;
                    }
                }
                let first = next == 0;
                Tried::Accepted { kernel, first }
            }
        }
    }

    /// A load's request; to how many responses it leads.
    fn load(&mut self, id: u32, request: Request, stats: &mut Stats) -> Result<u16, Failure> {
        let found = self.l1d.find(request.line);
        let (missing, coming, first) = match found {
            Some(place) => {
                let line = self.l1d.line(place);
                let missing = request.sectors & !line.valid;
                (missing & !line.pending, missing & line.pending, line.mshr)
            }
            None => (request.sectors, 0, NONE),
        };
        let joined = if missing == 0 {
            if coming == 0 {
                stats.hits += 1;
                self.hits.push_back((request.issued + self.hit_latency, id));
                1
            } else if self.mshrs.can_merge(first, coming) {
                stats.merged += 1;
                self.mshrs.merge(first, coming, id)
            } else {
                return Err(Failure::MshrMerge);
            }
        } else {
            return self.miss(id, found, missing, coming, request, stats);
        };
        stats.loads += 1;
        self.monitor(&request);
        if let Some(place) = found {
            self.l1d.touch(place);
        }
        Ok(joined)
    }

    /// A load of sectors that are neither here nor on their way.
    fn miss(
        &mut self,
        id: u32,
        found: Option<usize>,
        missing: u32,
        coming: u32,
        request: Request,
        stats: &mut Stats,
    ) -> Result<u16, Failure> {
        let place = found.or_else(|| match &self.ways {
            None => self.l1d.victim(request.line),
            Some(ways) => self.l1d.victim_of(request.kernel, request.line, ways),
        });
        let place = place.ok_or(Failure::LineAlloc)?;
        if !self.has_entries(request.kernel, missing) {
            return Err(Failure::MissQueue);
        }
        let first = found.map_or(NONE, |place| self.l1d.line(place).mshr);
        let divided = self.entries.as_ref();
        if self.mshrs.is_full() || divided.is_some_and(|of| !of.has_mshr(request.kernel)) {
            return Err(Failure::MshrEntry);
        }
        if !self.mshrs.can_merge(first, coming) {
            return Err(Failure::MshrMerge);
        }
        let joined = self.mshrs.merge(first, coming, id);
        let register = self
            .mshrs
            .allocate(place as u32, missing, first, id)
            .ok_or(Failure::MshrEntry)?;
        if found.is_none() {
            self.l1d.replace(place, request.line, request.kernel);
        }
        let line = self.l1d.line_mut(place);
        line.pending |= missing;
        line.mshr = register;
        self.l1d.touch(place);
        if let Some(entries) = &mut self.entries {
            entries.take_mshr(request.kernel);
        }
        self.monitor(&request);
        self.queue_requests(Request {
            sectors: missing,
            mark: register.into(),
            ..request
        });
        stats.loads += 1;
        stats.misses += 1;
        stats.sector_misses += u64::from(found.is_some());
        Ok(joined + 1)
    }

    /// A store's request.
    fn store(&mut self, id: u32, request: Request, stats: &mut Stats) -> Result<u16, Failure> {
        let found = self.l1d.find(request.line);
        if found.is_some_and(|place| self.l1d.line(place).pending != 0) {
            return Err(Failure::RwPending);
        }
        if !self.has_entries(request.kernel, request.sectors) {
            return Err(Failure::MissQueue);
        }
        if let Some(place) = found {
            self.l1d.invalidate(place);
            stats.write_evictions += 1;
        }
        let mark = STORE | id;
        let requests = self.queue_requests(Request { mark, ..request });
        self.unacknowledged += u64::from(requests);
        stats.stores += 1;
        Ok(requests)
    }

    /// A load is accepted.
    #[inline]
    fn monitor(&mut self, request: &Request) {
        if let Some(ways) = &mut self.ways {
            ways.access(request.kernel, self.l1d.set_of(request.line), request.line);
        }
    }

    /// Whether the miss queue takes a kernel's requests for these sectors of a line.
    #[inline]
    fn has_entries(&self, kernel: u8, sectors: u32) -> bool {
        let requests = self.split.count(sectors);
        let divided = self.entries.as_ref();
        self.miss_queue.len() + requests <= self.miss_queue_len
            && divided.is_none_or(|of| of.has_room(kernel, requests))
    }

    /// Puts what asks for sectors of a line of the L1D into the miss queue, if it
    /// [`has_entries`](Self::has_entries); how many requests that makes.
    #[inline]
    fn queue_requests(&mut self, request: Request) -> u16 {
        let mut requests = 0;
        let Request { line, sectors, .. } = request;
        for Part { line, sectors } in self.split.parts(Part { line, sectors }) {
            self.miss_queue.push_back(Request {
                line,
                sectors,
                ..request
            });
            requests += 1;
        }
        if let Some(entries) = &mut self.entries {
            entries.queue(request.kernel, requests);
        }
        self.further[usize::from(request.kernel)] += u64::from(requests - 1);
        requests
    }

    /// The request that goes to the crossbar, which takes it.
    pub(super) fn send(&mut self, cycle: u64, stats: &mut [Stats]) -> Option<Request> {
        let request = self.miss_queue.pop_front()?;
        stats[usize::from(request.kernel)].sent += 1;
        if let Some(entries) = &mut self.entries {
            entries.send(request.kernel);
        }
        if self.refused == Some(Failure::MissQueue) {
            self.refused = None;
        }
        Some(Request {
            issued: cycle,
            ..request
        })
    }
}
