//! An in-order core of the GPU with its warps.
//!
//! Source: TAP, table 4: "in-order", "switch to the next ready thread"; figure 2: the ideal CPI is
//! 2. A warp issues the instructions up to and with its next memory instruction, then the next
//! ready warp does, the one that has waited longest. A warp whose memory instructions on the way
//! are as many as its application allows waits until one of them is done. With enough other warps
//! the core does not notice; that is what types D and E are.
//!
//! ASSUMPTION: an instruction but a memory instruction's does not wait for the one before.
//! ASSUMPTION: lines are allocated in the L1D at the miss; an access to a line on its way waits for
//! it without an MSHR.

use std::collections::VecDeque;

use super::application::{Application, Gpu};
use super::clock::{Clocks, Time};
use super::config::Config;
use super::event::{Event, Events};
use super::private::Private;
use super::stream::Stream;
use super::uncore::{Request, Uncore};
use crate::mgmt::policy::Core;

#[derive(Debug, Clone, Copy, Default)]
struct Warp {
    /// Memory instructions on the way.
    loads: u32,
    waits: bool,
    /// When its last hit is done.
    ready: Time,
}

/// A memory instruction on the way.
#[derive(Debug, Clone, Copy)]
struct Instruction {
    warp: u16,
    lines: u32,
}

/// A core with its warps.
#[derive(Debug, Clone)]
pub(super) struct GpuCore {
    number: u16,
    app: u8,
    stream: Stream,
    on: Gpu,
    l1d: Private,
    hit: Time,
    /// Ticks of an instruction.
    issue: Time,
    mshrs: usize,

    warps: Vec<Warp>,
    ready: VecDeque<u16>,
    /// The warp that issues, and how many instructions.
    issuing: Option<(u16, u64)>,
    instructions: u64,
    on_the_way: Vec<Instruction>,
    /// Unused entries of it.
    unused: Vec<u32>,
    /// Lines on the way, or that wait for an MSHR.
    lines: Vec<u64>,
    /// The memory instructions that need each.
    needed_by: Vec<Vec<u32>>,
    waiting: VecDeque<u64>,
    in_flight: usize,
    pub(super) sent: u64,
    pub(super) replied: u64,
}

impl GpuCore {
    /// Core `index` of the GPU; its number on the platform is that of the CPU cores more.
    pub(super) fn new(
        config: &Config,
        clocks: &Clocks,
        index: usize,
        app: usize,
        application: &Application<Gpu>,
        seed: u64,
    ) -> Self {
        let gpu = &config.gpu;
        let line = config.l3.line;
        let number = config.cpu.cores + index;
        let share = gpu.cores as u64;
        let Application { memory, parts, .. } = application;
        let warps = application.on.warps;
        Self {
            number: number as u16,
            app: app as u8,
            stream: Stream::new(seed, number, share, line, *memory, parts),
            on: application.on,
            l1d: Private::new(&gpu.l1d, line),
            hit: gpu.l1d.latency * clocks.gpu,
            issue: gpu.issue_cycles * clocks.gpu,
            mshrs: gpu.mshrs,
            warps: vec![Warp::default(); warps],
            ready: (0..warps as u16).collect(),
            issuing: None,
            instructions: 0,
            on_the_way: Vec::new(),
            unused: Vec::new(),
            lines: Vec::new(),
            needed_by: Vec::new(),
            waiting: VecDeque::new(),
            in_flight: 0,
            sent: 0,
            replied: 0,
        }
    }

    /// Instructions retired.
    pub(super) fn instructions(&self) -> u64 {
        self.instructions
    }

    /// Lines in MSHRs.
    pub(super) fn in_flight(&self) -> u64 {
        self.in_flight as u64
    }

    /// The next ready warp issues, if none does.
    pub(super) fn start(&mut self, now: Time, events: &mut Events) {
        if self.issuing.is_some() {
            return;
        }
        let Some(warp) = self.ready.pop_front() else {
            return;
        };
        let instructions = self.stream.gap();
        self.issuing = Some((warp, instructions));
        let from = now.max(self.warps[usize::from(warp)].ready);
        let core = self.number;
        events.add(from + instructions * self.issue, Event::Gpu { core });
    }

    /// The warp that issues has come to its memory instruction.
    pub(super) fn memory(
        &mut self,
        now: Time,
        sampled: Core,
        shared: &mut Uncore,
        to: &mut Events,
    ) {
        let Some((warp, instructions)) = self.issuing.take() else {
            return;
        };
        self.instructions += instructions;
        let number = self.unused.pop().unwrap_or_else(|| {
            self.on_the_way.push(Instruction { warp, lines: 0 });
            self.on_the_way.len() as u32 - 1
        });
        let mut lines = 0;
        for _ in 0..self.on.lines {
            let (_, line) = self.stream.access();
            if let Some(entry) = self.lines.iter().position(|&it| it == line) {
                self.needed_by[entry].push(number);
                lines += 1;
            } else if !self.l1d.access(line) {
                self.lines.push(line);
                self.needed_by.push(vec![number]);
                self.waiting.push_back(line);
                lines += 1;
            }
        }
        self.send(now, sampled, shared, to);
        let state = &mut self.warps[usize::from(warp)];
        if lines == 0 {
            self.unused.push(number);
            state.ready = now + self.hit;
        } else {
            self.on_the_way[number as usize] = Instruction { warp, lines };
            state.loads += 1;
        }
        state.waits = state.loads >= self.on.loads;
        if !state.waits {
            self.ready.push_back(warp);
        }
        self.start(now, to);
    }

    /// Sends what waits, as far as there are MSHRs.
    fn send(&mut self, now: Time, sampled: Core, shared: &mut Uncore, to: &mut Events) {
        while self.in_flight < self.mshrs {
            let Some(line) = self.waiting.pop_front() else {
                return;
            };
            self.in_flight += 1;
            self.sent += 1;
            let request = Request {
                app: self.app,
                core: self.number,
                sampled,
                line,
            };
            shared.request(now + self.hit, &request, to);
        }
    }

    /// A line arrives.
    pub(super) fn reply(
        &mut self,
        now: Time,
        line: u64,
        sampled: Core,
        shared: &mut Uncore,
        to: &mut Events,
    ) {
        self.in_flight -= 1;
        self.replied += 1;
        self.send(now, sampled, shared, to);
        let Some(entry) = self.lines.iter().position(|&it| it == line) else {
            return;
        };
        self.lines.swap_remove(entry);
        for number in self.needed_by.swap_remove(entry) {
            let instruction = &mut self.on_the_way[number as usize];
            instruction.lines -= 1;
            if instruction.lines > 0 {
                continue;
            }
            let warp = instruction.warp;
            self.unused.push(number);
            let state = &mut self.warps[usize::from(warp)];
            state.loads -= 1;
            if std::mem::take(&mut state.waits) {
                self.ready.push_back(warp);
            }
        }
        self.start(now, to);
    }
}
