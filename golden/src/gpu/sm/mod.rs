//! A streaming multiprocessor: warps of thread blocks, their schedulers, the load/store unit and
//! the L1D.
//!
//! Source: Dai et al., "Accelerate GPU Concurrent Kernel Execution by Mitigating Memory Pipeline
//! Stalls" (HPCA 2018), section 2.1 and table 1; names as in GPGPU-Sim.
//!
//! A cycle, in this order:
//!
//! 1. Replies of the L2 fill the L1D, and hits that are due respond. An instruction with its last
//!    response is complete; a warp that waited for it goes on in this cycle.
//! 2. Warps wake up whose last instruction's latency is over. Wait, barrier and exit act now.
//! 3. The request at the head of the load/store unit is tried ([`Failure`] says why it may be
//!    refused); it is tried again in the next cycle.
//! 4. The miss queue hands a request to the crossbar, if that takes one.
//! 5. Each scheduler issues an instruction, one of all of them to the load/store unit, which
//!    tries its first request in the next cycle.
//!
//! ASSUMPTION: Wait, Barrier and Exit take no issue slot. Wait takes no time once the loads are
//! there; a warp goes on in the cycle after the last one has come to its barrier.
//! ASSUMPTION: the schedulers choose in rotation, the one after the last that issued to the
//! load/store unit first ([`Order::Fixed`]: always the first). The first whose pick is a load or store has the unit, if there is room;
//! the others pick among their other warps. With a [`MemoryIssue`] the kernel is that unit's
//! choice: the first scheduler with a ready load or store of it issues it; unless the unit leaves the
//! choice to the schedulers, among kernels below their limits.
//! ASSUMPTION: a new block's warps go to the schedulers in rotation, past those that are full.
//! ASSUMPTION: a block gives back what it holds of the SM when its warps have ended and its loads
//! and stores are answered.
//!
//! An SM sleeps through cycles in which it would do nothing but fail again; what it would have
//! counted is made up for, and its [`MemoryIssue`] is told of them at once, if it allows that.

mod block;
mod check;
mod coalesce;
mod divide;
mod issue;
mod issue_control;
mod l1d;
mod ldst_unit;
mod mshr;
mod quotas;
mod scheduler;
mod split;
mod stats;

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

use super::config::{Config, Order};
use super::memory::{Reply, Request};
use super::Bits;
use crate::model::ParamError;
use crate::workload::program::Program;
use block::Blocks;
use coalesce::Parts;
use issue::{Grant, Near, Warp, WHEEL};
use ldst_unit::{LdstUnit, Tried};
use quotas::Quotas;
use scheduler::Scheduler;

pub use block::{Occupancy, Resource, Resources};
pub use check::Sum;
pub use divide::Divided;
pub use issue_control::{MemoryIssue, OwnOrder};
pub use stats::{Failure, Failures, Slots, Stats};

/// An SM's port of the crossbar.
pub(super) trait Port {
    /// Whether it takes a request in this cycle.
    fn accepts(&self) -> bool;

    /// Takes a request.
    fn push(&mut self, request: Request);

    /// The next reply that is due.
    fn reply(&mut self, cycle: u64) -> Option<Reply>;
}

/// An SM. Kernels are known by their KIDs. What each cycle looks at comes first.
#[repr(C)]
pub(super) struct Sm {
    /// All cycles before this one are counted.
    counted: u64,
    near: Near,
    /// By cycle modulo [`WHEEL`] and by scheduler, the places of the warps that wake up then.
    wheel: Box<[u64]>,
    schedulers: Vec<Scheduler>,
    /// The scheduler that chooses first.
    turn: usize,
    /// Whether that changes.
    rotates: bool,
    slots: Slots,
    stats: Vec<Stats>,
    stopped: bool,
    issue_control: Option<Box<IssueControl>>,
    quotas: Option<Box<Quotas>>,
    /// Warps put off by more than the wheel has slots, with their cycles.
    far: BinaryHeap<Reverse<(u64, u16)>>,
    lsu: LdstUnit,
    warps: Vec<Warp>,
    /// By warp, the requests of its next memory instruction.
    requests: Vec<Parts>,
    programs: Vec<Option<Arc<dyn Program>>>,
    blocks: Blocks,
    vacant: Vec<u16>,
    /// The scheduler that the next warp goes to.
    next_scheduler: usize,
    /// Thread blocks that have ended since the machine last looked, by kernel.
    ended: Vec<u8>,
}

/// The unit between schedulers and load/store unit, and what it is to be told.
struct IssueControl {
    unit: Box<dyn MemoryIssue>,
    /// By kernel, instructions that are complete and not reported.
    complete: Vec<u32>,
    /// Those that have any.
    completing: u64,
    /// Kernels that have started since the last cycle.
    launch: u64,
    /// Kernels that have started and not ended.
    active: u64,
    /// What the unit has said after its last cycle.
    rests: Option<u64>,
}

impl Sm {
    /// An empty SM in front of an L2 with lines of `line` bytes.
    pub(super) fn new(
        number: u16,
        config: &Config,
        line: u64,
        programs: Vec<Option<Arc<dyn Program>>>,
    ) -> Self {
        let sm = &config.sm;
        let kernels = programs.len();
        let room = sm.warps / sm.schedulers as u32;
        Self {
            warps: vec![Warp::default(); sm.warps as usize],
            requests: vec![Parts::NONE; sm.warps as usize],
            vacant: (0..sm.warps as u16).rev().collect(),
            blocks: Blocks::new(sm, kernels),
            schedulers: vec![Scheduler::new(sm.policy, room, kernels); sm.schedulers],
            lsu: LdstUnit::new(number, config, line, kernels),
            wheel: vec![0; WHEEL as usize * sm.schedulers].into(),
            near: Near::default(),
            far: BinaryHeap::new(),
            turn: 0,
            rotates: sm.order == Order::Rotating,
            next_scheduler: 0,
            stopped: false,
            issue_control: None,
            quotas: None,
            stats: vec![Stats::default(); kernels],
            slots: Slots::default(),
            counted: 0,
            ended: vec![],
            programs,
        }
    }

    pub(super) fn set_issue_control(&mut self, unit: Box<dyn MemoryIssue>) {
        self.issue_control = Some(Box::new(IssueControl {
            unit,
            complete: vec![0; self.programs.len()],
            completing: 0,
            launch: 0,
            active: 0,
            rests: None,
        }));
    }

    pub(super) fn set_quotas(&mut self, quotas: &[u64]) {
        self.quotas = Some(Box::new(Quotas::new(quotas)));
    }

    pub(super) fn divide(&mut self, what: Divided, kernels: usize) -> Result<(), ParamError> {
        self.lsu.divide(what, kernels)
    }

    pub(super) fn stats(&self, kernel: usize) -> &Stats {
        &self.stats[kernel]
    }

    pub(super) fn slots(&self) -> &Slots {
        &self.slots
    }

    /// Memory instructions in flight.
    pub(super) fn in_flight(&self) -> u64 {
        self.lsu.in_flight()
    }

    /// Blocks of a kernel that are here.
    pub(super) fn resident(&self, kernel: usize) -> u32 {
        self.blocks.resident(kernel)
    }

    /// Whether a request waits for the crossbar.
    pub(super) fn wants_port(&self) -> bool {
        self.lsu.wants_port()
    }

    /// The kernel of a block that has ended, once for each.
    pub(super) fn take_ended(&mut self) -> Option<u8> {
        self.ended.pop()
    }

    /// Issues nothing from this cycle on.
    pub(super) fn stop(&mut self, cycle: u64) {
        self.count_up_to(cycle);
        self.stopped = true;
    }

    /// A thread block comes at the beginning of a cycle, if there is room for it.
    pub(super) fn add_block(&mut self, kernel: u8, number: u64, lap: u64, cycle: u64) -> bool {
        let Some(program) = &self.programs[usize::from(kernel)] else {
            return false;
        };
        let grid = program.grid();
        if !self.blocks.fits(&grid) {
            return false;
        }
        self.count_up_to(cycle);
        let Some(slot) = self.blocks.add(kernel, &grid, number, lap) else {
            return false;
        };
        self.stats[usize::from(kernel)].blocks_started += 1;
        if let Some(quotas) = &mut self.quotas {
            quotas.comes(kernel);
        }
        if let Some(control) = &mut self.issue_control {
            control.launch |= !control.active & 1 << kernel;
            control.active |= 1 << kernel;
        }
        for index in 0..grid.warps() {
            self.add_warp(kernel, slot, index, cycle);
        }
        true
    }

    /// Counts cycles that were slept through.
    pub(super) fn count_up_to(&mut self, cycle: u64) {
        let cycles = cycle - self.counted;
        if cycles == 0 {
            return;
        }
        self.counted = cycle;
        let stall = self.lsu.stall();
        if let Some(control) = &mut self.issue_control {
            control.unit.rest(cycles, stall.map(|(kernel, _)| kernel));
        }
        if let Some((kernel, failure)) = stall {
            self.stats[usize::from(kernel)]
                .failures
                .add(failure, cycles);
        }
        let refused = self.schedulers.iter().filter(|s| s.ready != 0).count() as u64;
        let refused = if self.stopped { 0 } else { refused };
        self.slots.refused += cycles * refused;
        self.slots.idle += cycles * (self.schedulers.len() as u64 - refused);
    }

    /// A cycle. `finished` are the kernels of which no block comes any more. Returns the next
    /// cycle in which something happens without a reply or a port that was not free.
    pub(super) fn tick(&mut self, cycle: u64, finished: u64, port: &mut impl Port) -> u64 {
        self.count_up_to(cycle);
        self.counted = cycle + 1;
        while let Some(reply) = port.reply(cycle) {
            self.lsu.reply(&reply, cycle, &mut self.stats);
        }
        self.lsu.respond_hits(cycle);
        self.complete(cycle);
        self.wake(cycle);
        let tried = self.lsu.try_head(cycle, &mut self.stats);
        if self.lsu.wants_port() && port.accepts() {
            if let Some(request) = self.lsu.send(cycle, &mut self.stats) {
                port.push(request);
            }
        }
        let (grant, rests, told) = match self.issue_control.take() {
            None => (Grant::Any(u64::MAX), None, false),
            Some(mut control) => {
                let grant = self.step_issue_control(&mut control, tried, finished);
                let rests = control.rests;
                let news = control.launch | control.active & finished | control.completing;
                self.issue_control = Some(control);
                (grant, rests, rests.is_none() || news != 0)
            }
        };
        let more = self.issue(cycle, grant, rests.unwrap_or(u64::MAX));
        let next = cycle + 1;
        if more || told || (self.lsu.wants_port() && port.accepts()) {
            return next;
        }
        let soon = self.near.first(next);
        let far = self.far.peek().map_or(u64::MAX, |Reverse((at, _))| *at);
        soon.min(far).min(self.lsu.next_event(cycle))
    }

    /// A cycle of the unit; the kernels whose memory instruction may issue.
    fn step_issue_control(
        &mut self,
        control: &mut IssueControl,
        tried: Tried,
        finished: u64,
    ) -> Grant {
        let mut want = 0;
        if !self.stopped {
            want = self.schedulers.iter().fold(0, |all, s| all | s.wanting());
        }
        let lsu_ready = self.lsu.has_room();
        // Nothing that the unit has to see in a cycle of its own.
        let quiet = control.launch | control.active & finished | control.completing == 0
            && (want == 0 || !lsu_ready);
        if quiet && control.rests.is_some() && !matches!(tried, Tried::Accepted { .. }) {
            let refused = match tried {
                Tried::Refused { kernel } => Some(kernel),
                _ => None,
            };
            control.unit.rest(1, refused);
            return Grant::One(None);
        }
        let allowed = control.unit.schedulers_choose();
        let chosen = allowed.map(|kernels| self.choose(kernels));
        let mut input = crate::sm::mem_issue::In {
            launch: std::mem::take(&mut control.launch),
            want,
            lsu_ready,
            ..Default::default()
        };
        input.complete = control.completing;
        for kernel in Bits(control.completing) {
            let left = &mut control.complete[kernel as usize];
            *left -= 1;
            control.completing &= !(u64::from(*left == 0) << kernel);
        }
        for kernel in Bits(control.active & finished) {
            if self.blocks.resident(kernel as usize) == 0 {
                input.exit |= 1 << kernel;
            }
        }
        control.active &= !input.exit;
        if let Some(chosen) = chosen {
            input.want &= chosen.map_or(0, |kernel| 1 << kernel);
        }
        match tried {
            Tried::Nothing => {}
            Tried::Accepted { kernel, first } => {
                input.request_valid = true;
                input.request_first = first;
                input.lsu_kid = kernel;
            }
            Tried::Refused { kernel } => {
                input.fail_valid = true;
                input.lsu_kid = kernel;
            }
        }
        let wanted = |kernel: &u8| input.lsu_ready && input.want >> (kernel % 64) & 1 == 1;
        let granted = control.unit.grant(&input).filter(wanted);
        control.rests = control.unit.rests();
        match allowed {
            // The one that its schedulers come to first, in their order.
            Some(kernels) if granted.is_some() => Grant::Any(kernels),
            _ => Grant::One(granted),
        }
    }
}

#[cfg(test)]
pub(super) mod tests;
