//! Rationale: the memory system is judged by what an SM sees of it (when which reply comes), by
//! what the cache's watcher sees, and by its own accounts. Latencies and orders are computed by
//! hand in [`latency`] and [`dram`]; bounds are both reached and kept in [`bandwidth`]; random
//! traffic in [`traffic`] goes through configurations that make each resource scarce.
mod bandwidth;
mod dram;
mod latency;
mod lookups;
mod sums;
mod traffic;

use super::*;
use crate::gpu::config::{Crossbar, Dram, L1d, Policy, Sm, WriteMiss, L2 as L2Config};
use crate::llc::cache::{Outcome, Stack};
use crate::workload::Access;

/// 4 sets of 2 ways in 2 banks and 2 partitions; numbers that tell themselves apart in a sum.
fn config() -> Config {
    Config {
        clock_mhz: 1000,
        sm: Sm {
            count: 2,
            schedulers: 1,
            policy: Policy::Gto,
            order: Default::default(),
            threads: 1024,
            warps: 32,
            blocks: 8,
            registers: 1 << 16,
            shared_memory: 1 << 14,
            lsu_queue: 4,
        },
        l1d: L1d {
            sets: 4,
            ways: 2,
            line: None,
            index: Index::Bits,
            fill: Default::default(),
            hit_latency: 1,
            mshrs: 4,
            mshr_merges: 2,
            miss_queue: 4,
        },
        crossbar: Crossbar {
            flit: 32,
            header: 8,
            latency: 10,
            queue: 4,
        },
        l2: L2Config {
            partitions: 2,
            index: Index::Bits,
            write_miss: Default::default(),
            hit_latency: 100,
            mshrs: 4,
            mshr_merges: 4,
            miss_queue: 4,
        },
        dram: Dram {
            clock_mhz: 1000,
            banks: 2,
            row: 256,
            bus: 16,
            queue: 8,
            t_rp: 5,
            t_rcd: 7,
            t_ras: 30,
            t_cl: 11,
            latency: 1000,
        },
    }
}

fn geometry() -> Geometry {
    Geometry {
        sets: 4,
        ways: 2,
        line: 128,
        kernels: 2,
        banks: 2,
    }
}

/// A request of kernel 0 on SM 0, for the sectors of a line by its number.
fn request(op: Op, line: u64, sectors: u32) -> Request {
    Request {
        sm: 0,
        kernel: 0,
        op,
        line: line * 128,
        sectors,
        mark: 0,
        issued: 0,
    }
}

fn read(line: u64, sectors: u32) -> Request {
    request(Op::Read, line, sectors)
}

fn write(line: u64, sectors: u32) -> Request {
    request(Op::Write, line, sectors)
}

/// A lookup as the cache's watcher sees it.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Seen {
    cycle: u64,
    bank: usize,
    access: Access,
    before: Stack,
    outcome: Outcome,
}

/// What a run showed.
#[derive(Debug, Default, PartialEq)]
struct Log {
    /// Cycle of the reply, and the request.
    replies: Vec<(u64, Request)>,
    lookups: Vec<Seen>,
}

/// Drives a memory system with requests, each not before its `issued`; an SM's in their order.
struct Driver {
    memory: MemorySystem,
    /// By SM.
    waiting: Vec<VecDeque<Request>>,
    cycle: u64,
    every_cycle: bool,
    log: Log,
}

impl Driver {
    fn new(config: &Config, geometry: Geometry) -> Self {
        Self {
            memory: MemorySystem::new(config, geometry).unwrap(),
            waiting: vec![VecDeque::new(); config.sm.count],
            cycle: 0,
            every_cycle: false,
            log: Log::default(),
        }
    }

    /// Adds requests; each gets its place in the order as mark.
    fn with(mut self, requests: impl IntoIterator<Item = Request>) -> Self {
        for (mark, request) in (0..).zip(requests) {
            self.waiting[usize::from(request.sm)].push_back(Request { mark, ..request });
        }
        self
    }

    fn step(&mut self) {
        let cycle = self.cycle;
        let lookups = &mut self.log.lookups;
        self.memory.tick(cycle, &mut |r| {
            lookups.push(Seen {
                cycle: r.cycle,
                bank: r.bank,
                access: *r.access,
                before: *r.before,
                outcome: *r.outcome,
            });
            true
        });
        let mut next = u64::MAX;
        for (sm, waiting) in self.waiting.iter_mut().enumerate() {
            while let Some(reply) = self.memory.reply(sm, cycle) {
                self.log.replies.push((cycle, reply.request));
            }
            if let Some(request) = waiting.front().copied() {
                if request.issued <= cycle && self.memory.accepts(sm) {
                    waiting.pop_front();
                    let issued = cycle;
                    self.memory.push(Request { issued, ..request });
                }
            }
            if let Some(request) = waiting.front() {
                if self.memory.accepts(sm) {
                    next = next.min(request.issued.max(cycle + 1));
                }
            }
        }
        let event = next.min(self.memory.next_event(cycle));
        self.cycle = match event {
            // Nothing more will happen.
            u64::MAX => cycle + 1,
            _ if self.every_cycle => cycle + 1,
            _ => event,
        };
    }

    /// Until a cycle, inclusive.
    fn run_to(&mut self, cycle: u64) {
        while self.cycle <= cycle {
            self.step();
        }
    }

    fn busy(&self) -> bool {
        self.memory.in_flight() > 0 || self.waiting.iter().any(|waiting| !waiting.is_empty())
    }

    /// Until nothing is in flight.
    fn drain(&mut self) -> &Log {
        while self.busy() {
            self.step();
            assert!(self.cycle < 10_000_000, "it does not come to an end");
        }
        self.memory.check().unwrap();
        &self.log
    }
}

/// Cycles of the replies, in the order of the requests' marks.
fn reply_cycles(config: &Config, requests: impl IntoIterator<Item = Request>) -> Vec<u64> {
    let mut driver = Driver::new(config, geometry()).with(requests);
    let mut replies = driver.drain().replies.clone();
    replies.sort_by_key(|(_, request)| request.mark);
    replies.into_iter().map(|(cycle, _)| cycle).collect()
}
