//! A whole GPU with several applications, event by event.
//!
//! A block takes its turn: it issues the loads of a step, one line per cycle through the port of its
//! SM, waits for all of them, computes, and goes on; after its stores the block's slot takes the
//! next block of the kernel. When all blocks have ended, the next kernel is launched after a gap.
//!
//! Persistent blocks begin and take their work as `queue` says (Fractional GPUs, section III-B).
//! ASSUMPTION: the hardware's own block scheduler takes no time. ASSUMPTION: an SM gives its issue
//! slots to blocks in turn, [`QUANTUM`] cycles each. ASSUMPTION: no limit of the crossbar beyond the
//! SM's port.

mod parts;
mod queue;

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::application::Array;
use super::partition::Gpu;
use super::IsolationError;
use crate::addr::mapping::Mapping;
use crate::addr::memory::traffic::{Consequences, Traffic};
use crate::addr::memory::Config;
pub(super) use parts::Tenant;
use parts::{Event, Slot, Sm};

/// Cycles for which a block has its SM's issue slots before the next one's turn.
pub const QUANTUM: u64 = 64;

/// What a run has come to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Ran {
    /// Cycles of the first application.
    pub cycles: u64,
    /// Hits of all applications.
    pub hits: u64,
    /// Lines fetched by all.
    pub fetches: u64,
}

pub(super) struct Engine {
    launch: u64,
    gpu: Gpu,
    memory: Traffic,
    tenants: Vec<Tenant>,
    slots: Vec<Slot>,
    spare: Vec<usize>,
    sms: Vec<Sm>,
    /// By request, the slot that waits for it.
    waits: Vec<usize>,
    free: Vec<usize>,
    then: Consequences,
    heap: BinaryHeap<Reverse<(u64, u64, Event)>>,
    planned: u64,
}

impl Engine {
    pub(super) fn new(
        gpu: &Gpu,
        memory: &Config,
        mapping: &Mapping,
        tenants: Vec<Tenant>,
    ) -> Result<Self, IsolationError> {
        Ok(Self {
            launch: gpu.launch_ns * memory.clock_mhz / 1000,
            memory: Traffic::new(memory, mapping)?,
            tenants,
            slots: vec![],
            spare: vec![],
            sms: (0..gpu.sms).map(|_| Sm::default()).collect(),
            waits: vec![],
            free: vec![],
            then: Consequences::default(),
            heap: BinaryHeap::new(),
            planned: 0,
            gpu: gpu.clone(),
        })
    }

    /// Runs until the first application has ended; the others start again when they end.
    pub(super) fn run(mut self) -> Ran {
        for tenant in 0..self.tenants.len() {
            self.plan(self.launch, Event::Launch(tenant));
        }
        while let Some(Reverse((now, _, event))) = self.heap.pop() {
            match event {
                Event::Memory(event) => self.memory.event(now, event, &mut self.then),
                Event::Launch(tenant) => self.launch(now, tenant),
                Event::Take(slot) => {
                    if self.take(now, slot) {
                        break;
                    }
                }
                Event::Ready(slot) => self.ready(now, slot),
                Event::Turn(sm) => self.turn(now, sm),
            }
            self.follow();
        }
        let lookups = self.memory.lookups();
        Ran {
            cycles: self.tenants[0].cycles,
            hits: lookups.hits,
            fetches: lookups.fetches,
        }
    }

    fn plan(&mut self, at: u64, event: Event) {
        self.planned += 1;
        self.heap.push(Reverse((at, self.planned, event)));
    }

    /// What the memory has to say.
    fn follow(&mut self) {
        let mut then = std::mem::take(&mut self.then);
        for (at, event) in then.events.drain(..) {
            self.plan(at, Event::Memory(event));
        }
        for (at, request) in then.answered.drain(..) {
            let number = self.waits[request];
            self.free.push(request);
            let slot = &mut self.slots[number];
            slot.ready = slot.ready.max(at);
            slot.pending -= 1;
            if slot.pending == 0 {
                let ready = slot.ready;
                self.plan(ready, Event::Ready(number));
            }
        }
        // Keeps what was allocated.
        self.then = then;
    }

    /// A kernel's blocks come to its slots.
    fn launch(&mut self, now: u64, number: usize) {
        let hit = self.memory.hit_latency();
        let tenant = &mut self.tenants[number];
        let sms = tenant.part.slots(&self.gpu, &tenant.kernels[tenant.kernel]);
        (tenant.given, tenant.running, tenant.launched) = (0, sms.len(), now);
        let begin = match tenant.part.technique.persistent() {
            true => tenant.queue.begin(now, sms.len() as u64, hit),
            false => now,
        };
        for sm in sms {
            let slot = Slot {
                tenant: number,
                sm,
                block: 0,
                step: 0,
                pending: 0,
                ready: 0,
            };
            let place = match self.spare.pop() {
                Some(place) => {
                    self.slots[place] = slot;
                    place
                }
                None => {
                    self.slots.push(slot);
                    self.slots.len() - 1
                }
            };
            self.ask(begin, place);
        }
    }

    /// A slot without a block asks for the next one: of the queue, or of the hardware's scheduler.
    fn ask(&mut self, now: u64, place: usize) {
        let tenant = &mut self.tenants[self.slots[place].tenant];
        let given = match tenant.part.technique.persistent() {
            true => tenant.queue.pop(now, self.memory.hit_latency()),
            false => now,
        };
        self.plan(given, Event::Take(place));
    }

    /// The next block of a slot, if there is one; whether the first application has ended.
    fn take(&mut self, now: u64, place: usize) -> bool {
        let number = self.slots[place].tenant;
        let tenant = &mut self.tenants[number];
        let kernels = tenant.kernels.len();
        if tenant.given < tenant.kernels[tenant.kernel].blocks {
            let slot = &mut self.slots[place];
            (slot.block, slot.step) = (tenant.given, 0);
            tenant.given += 1;
            self.issue(now, place);
            return false;
        }
        self.spare.push(place);
        tenant.running -= 1;
        if tenant.running > 0 {
            return false;
        }
        tenant.cycles += now - tenant.launched;
        tenant.kernel = (tenant.kernel + 1) % kernels;
        if number == 0 && tenant.kernel == 0 {
            return true;
        }
        if tenant.total_time {
            tenant.cycles += self.launch;
        }
        self.plan(now + self.launch, Event::Launch(number));
        false
    }

    /// The loads of a step, or the stores at the end.
    fn issue(&mut self, now: u64, place: usize) {
        let Slot {
            tenant: number,
            sm,
            block,
            step,
            ..
        } = self.slots[place];
        let tenant = &self.tenants[number];
        let kernel = &tenant.kernels[tenant.kernel];
        let (arrays, step, steps): (&[Array], u64, u64) = match step < kernel.steps {
            true => (&kernel.loads, step, kernel.steps),
            false => (&kernel.stores, 0, 1),
        };
        let mut at = now.max(self.sms[sm].port);
        let mut pending = 0;
        for array in arrays {
            for index in 0..array.count {
                let offset = array.offset(block, step, steps, index, tenant.seed);
                let address = tenant.pages.address(offset);
                let request = self.free.pop().unwrap_or(self.waits.len());
                if request == self.waits.len() {
                    self.waits.push(place);
                }
                self.waits[request] = place;
                at += 1;
                pending += 1;
                self.memory.request(at, request, address, &mut self.then);
            }
        }
        self.sms[sm].port = at;
        let slot = &mut self.slots[place];
        (slot.pending, slot.ready) = (pending, now);
        if pending == 0 {
            self.plan(now, Event::Ready(place));
        }
    }

    /// A slot's requests are answered.
    fn ready(&mut self, now: u64, place: usize) {
        let slot = self.slots[place];
        let tenant = &self.tenants[slot.tenant];
        let kernel = &tenant.kernels[tenant.kernel];
        let (steps, compute) = (kernel.steps, kernel.compute);
        if slot.step == steps {
            return self.ask(now, place);
        }
        if compute == 0 {
            self.slots[place].step += 1;
            return self.issue(now, place);
        }
        let sm = &mut self.sms[slot.sm];
        sm.computing.push_back((place, compute));
        if sm.computing.len() == 1 {
            self.plan(now + compute.min(QUANTUM), Event::Turn(slot.sm));
        }
    }

    /// The next slot's turn to compute.
    fn turn(&mut self, now: u64, number: usize) {
        let sm = &mut self.sms[number];
        let Some((place, left)) = sm.computing.pop_front() else {
            return;
        };
        if left > QUANTUM {
            sm.computing.push_back((place, left - QUANTUM));
        }
        if let Some((_, next)) = sm.computing.front() {
            let turn = now + (*next).min(QUANTUM);
            self.plan(turn, Event::Turn(number));
        }
        if left <= QUANTUM {
            self.slots[place].step += 1;
            self.issue(now, place);
        }
    }
}
