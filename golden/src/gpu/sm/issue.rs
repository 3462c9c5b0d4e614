//! Warps: their next instruction, wake-up and issue.

use std::cmp::Reverse;
use std::sync::Arc;

use super::ldst_unit::Issued;
use super::{Blocks, Sm};
use crate::gpu::Bits;
use crate::workload::program::{Instruction, Place, Program};
use crate::workload::Op;

/// Slots of the wheel of warps that are put off: less than so many cycles.
pub(super) const WHEEL: u64 = WORDS as u64 * BITS;

/// Words with a bit for each slot, and their bits.
const WORDS: usize = 4;
const BITS: u64 = u64::BITS as u64;

/// Slots of the wheel with any warp in them, one bit each.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Near([u64; WORDS]);

impl Near {
    #[inline]
    fn word(at: u64) -> (usize, u64) {
        let slot = at % WHEEL;
        ((slot / BITS) as usize, 1 << (slot % BITS))
    }

    #[inline]
    fn insert(&mut self, at: u64) {
        let (word, bit) = Self::word(at);
        self.0[word] |= bit;
    }

    /// Whether a cycle's slot was among them.
    #[inline]
    fn remove(&mut self, at: u64) -> bool {
        let (word, bit) = Self::word(at);
        let was = self.0[word] & bit != 0;
        self.0[word] &= !bit;
        was
    }

    /// The first cycle from `from` on that has a slot among them; `u64::MAX` if there is none.
    #[inline]
    pub(super) fn first(&self, from: u64) -> u64 {
        let (word, bit) = Self::word(from);
        let mut mask = self.0[word] & bit.wrapping_neg();
        let mut base = from - from % BITS;
        for step in 1..=WORDS {
            if mask != 0 {
                break;
            }
            base += BITS;
            mask = self.0[(word + step) % WORDS];
        }
        match mask {
            0 => u64::MAX,
            mask => base + u64::from(mask.trailing_zeros()),
        }
    }
}

/// The memory instruction that may issue in a cycle.
#[derive(Debug, Clone, Copy)]
pub(super) enum Grant {
    /// That of any of these kernels, as the schedulers come to it.
    Any(u64),
    /// That of one kernel, before all else; or none.
    One(Option<u8>),
}

/// What a warp does next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Next {
    Compute,
    /// A load or store, whose requests are kept with the warp.
    Memory(Op),
    Wait,
    Barrier,
    #[default]
    Exit,
}

/// A warp of a block.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Warp {
    kernel: u8,
    scheduler: u8,
    place: u8,
    next: Next,
    /// It waits for its loads or at a barrier.
    blocked: bool,
    block: u16,
    /// Its number in the block.
    index: u32,
    /// Loads in flight.
    loads: u32,
    step: u64,
}

impl Sm {
    /// A warp of a new block; there is room for it.
    pub(super) fn add_warp(&mut self, kernel: u8, block: u16, index: u32, cycle: u64) {
        let Some(slot) = self.vacant.pop() else {
            return;
        };
        while !self.schedulers[self.next_scheduler].has_room() {
            self.next_scheduler = (self.next_scheduler + 1) % self.schedulers.len();
        }
        let number = self.next_scheduler;
        self.next_scheduler = (number + 1) % self.schedulers.len();
        if self.schedulers[number].is_full() {
            let count = self.schedulers.len();
            let wheel = self.wheel.iter_mut().skip(number).step_by(count);
            let scheduler = &mut self.schedulers[number];
            scheduler.close_up(wheel);
            for (place, warp) in scheduler.places() {
                self.warps[warp].place = place as u8;
            }
        }
        let place = self.schedulers[number].add(slot.into(), kernel) as u8;
        self.blocks.get_mut(block).warps.push(slot);
        self.warps[usize::from(slot)] = Warp {
            kernel,
            scheduler: number as u8,
            place,
            block,
            index,
            ..Warp::default()
        };
        self.fetch(slot.into());
        self.put_off(slot.into(), cycle, cycle);
    }

    /// What the warp does at its step.
    fn fetch(&mut self, slot: usize) {
        let warp = &mut self.warps[slot];
        let instruction = instruction(&self.programs, &self.blocks, warp);
        let scheduler = &mut self.schedulers[usize::from(warp.scheduler)];
        let (mut memory, mut special) = (false, false);
        // By reference: an instruction with an address for each lane is large.
        warp.next = match &instruction {
            &Instruction::Compute { count, latency } => {
                let place = scheduler.warp(warp.place.into());
                place.remaining = count.max(1);
                place.latency = latency.max(1);
                Next::Compute
            }
            Instruction::Memory(access) => {
                memory = true;
                self.requests[slot].coalesce(access, self.lsu.line());
                Next::Memory(access.op)
            }
            other => {
                special = true;
                match other {
                    Instruction::Wait => Next::Wait,
                    Instruction::Barrier => Next::Barrier,
                    _ => Next::Exit,
                }
            }
        };
        let bit = 1 << warp.place;
        scheduler.memory = scheduler.memory & !bit | if memory { bit } else { 0 };
        scheduler.special = scheduler.special & !bit | if special { bit } else { 0 };
    }

    /// The warp wakes up at cycle `at`, now being `cycle`.
    fn put_off(&mut self, slot: usize, at: u64, cycle: u64) {
        let warp = &self.warps[slot];
        let (scheduler, place) = (warp.scheduler.into(), warp.place.into());
        self.put_off_place(scheduler, place, slot, at, cycle);
    }

    #[inline]
    fn put_off_place(&mut self, scheduler: usize, place: u32, slot: usize, at: u64, cycle: u64) {
        if at - cycle < WHEEL {
            let turn = at % WHEEL;
            self.wheel[turn as usize * self.schedulers.len() + scheduler] |= 1 << place;
            self.near.insert(at);
        } else {
            self.far.push(Reverse((at, slot as u16)));
        }
    }

    /// The warps whose time has come.
    pub(super) fn wake(&mut self, cycle: u64) {
        while let Some(&Reverse((at, slot))) = self.far.peek() {
            if at > cycle {
                break;
            }
            self.far.pop();
            self.put_off(slot.into(), cycle, cycle);
        }
        if !self.near.remove(cycle) {
            return;
        }
        let first = (cycle % WHEEL) as usize * self.schedulers.len();
        for number in 0..self.schedulers.len() {
            let scheduler = &mut self.schedulers[number];
            let woken = std::mem::take(&mut self.wheel[first + number]);
            let special = woken & scheduler.special;
            scheduler.ready |= woken & !special;
            for place in Bits(special) {
                let slot = self.schedulers[number].warp(place).number;
                self.arrive(slot.into(), cycle);
            }
        }
    }

    /// The warp comes to its wait, barrier or exit.
    fn arrive(&mut self, slot: usize, cycle: u64) {
        let warp = &mut self.warps[slot];
        let block = warp.block;
        match warp.next {
            Next::Wait if warp.loads == 0 => self.go_on(slot, cycle),
            Next::Wait => warp.blocked = true,
            Next::Barrier => {
                warp.blocked = true;
                self.blocks.get_mut(block).at_barrier += 1;
                self.release(block, cycle);
            }
            Next::Exit => {
                self.blocks.get_mut(block).alive -= 1;
                self.release(block, cycle);
                self.end(block);
            }
            Next::Compute | Next::Memory(_) => {}
        }
    }

    /// The warp's wait is over.
    fn go_on(&mut self, slot: usize, cycle: u64) {
        let warp = &mut self.warps[slot];
        warp.blocked = false;
        warp.step += 1;
        self.fetch(slot);
        let warp = &self.warps[slot];
        match warp.next {
            // One that follows another takes a cycle, so that a program of nothing else passes.
            Next::Wait => self.put_off(slot, cycle + 1, cycle),
            Next::Barrier | Next::Exit => self.arrive(slot, cycle),
            Next::Compute | Next::Memory(_) => {
                self.schedulers[usize::from(warp.scheduler)].ready |= 1 << warp.place;
            }
        }
    }

    /// If all of the block's warps are at a barrier, they go on in the next cycle.
    fn release(&mut self, slot: u16, cycle: u64) {
        let block = self.blocks.get_mut(slot);
        if block.at_barrier == 0 || block.at_barrier < block.alive {
            return;
        }
        block.at_barrier = 0;
        let warps = std::mem::take(&mut block.warps);
        for &warp in &warps {
            let warp = usize::from(warp);
            let state = &mut self.warps[warp];
            if state.next == Next::Barrier && state.blocked {
                state.blocked = false;
                state.step += 1;
                self.fetch(warp);
                self.put_off(warp, cycle + 1, cycle);
            }
        }
        self.blocks.get_mut(slot).warps = warps;
    }

    /// The block goes if nothing of it is left.
    fn end(&mut self, slot: u16) {
        let block = self.blocks.get_mut(slot);
        if block.alive > 0 || block.in_flight > 0 {
            return;
        }
        let kernel = block.kernel;
        let warps = std::mem::take(&mut block.warps);
        for &slot in &warps {
            let warp = &self.warps[usize::from(slot)];
            self.schedulers[usize::from(warp.scheduler)].remove(warp.place.into(), kernel);
        }
        self.vacant.extend(warps.iter().rev());
        self.blocks.get_mut(slot).warps = warps;
        self.blocks.remove(slot);
        self.stats[usize::from(kernel)].blocks_ended += 1;
        self.ended.push(kernel);
        if let Some(quotas) = &mut self.quotas {
            if self.blocks.resident(kernel.into()) == 0 {
                quotas.goes(kernel);
            }
        }
    }

    /// The instructions that have their last response.
    pub(super) fn complete(&mut self, cycle: u64) {
        if self.lsu.done.is_empty() {
            return;
        }
        let mut done = std::mem::take(&mut self.lsu.done);
        for instruction in done.drain(..) {
            let flying = *self.lsu.flying(instruction);
            self.lsu.forget(instruction);
            let kernel = usize::from(flying.kernel);
            let stats = &mut self.stats[kernel];
            stats.completed += 1;
            stats.latency += cycle - flying.issued;
            if let Some(control) = &mut self.issue_control {
                control.complete[kernel] += 1;
                control.completing |= 1 << kernel;
            }
            let slot = usize::from(flying.warp);
            if flying.op == Op::Read {
                let warp = &mut self.warps[slot];
                warp.loads -= 1;
                if warp.loads == 0 && warp.blocked && warp.next == Next::Wait {
                    self.go_on(slot, cycle);
                }
            }
            // Only now, so that the block does not go before this one is counted.
            self.blocks.get_mut(flying.block).in_flight -= 1;
            self.end(flying.block);
        }
        self.lsu.done = done;
    }

    /// The kernel of the memory instruction that issues in this cycle, if the schedulers may take one of
    /// `kernels`.
    pub(super) fn choose(&self, kernels: u64) -> Option<u8> {
        let count = self.schedulers.len();
        let closed = self.closed();
        if self.stopped || !self.lsu.has_room() {
            return None;
        }
        (self.turn..count).chain(0..self.turn).find_map(|number| {
            let scheduler = &self.schedulers[number];
            if scheduler.ready & scheduler.memory == 0 {
                return None;
            }
            let ready = scheduler.ready & !scheduler.of(closed);
            let place = scheduler.pick(ready & (!scheduler.memory | scheduler.of(kernels)))?;
            (scheduler.memory >> place & 1 == 1).then(|| scheduler.kernel(place))
        })
    }

    /// Kernels that have used up their quota.
    #[inline]
    fn closed(&self) -> u64 {
        self.quotas.as_ref().map_or(0, |quotas| quotas.closed())
    }

    /// Each scheduler issues what it can, of memory instructions what is granted. Whether anything can
    /// issue in the next cycle without waking up, of memory instructions those of `next` kernels.
    #[inline]
    pub(super) fn issue(&mut self, cycle: u64, grant: Grant, next: u64) -> bool {
        let count = self.schedulers.len();
        if self.stopped {
            self.slots.idle += count as u64;
            return false;
        }
        let mut number = self.turn;
        // The load/store unit takes an instruction from any warp in this mask.
        let (mut room, kernels, mut granted) = match grant {
            Grant::Any(kernels) => (self.lsu.has_room(), kernels, None),
            Grant::One(granted) => (false, 0, granted),
        };
        for _ in 0..count {
            let scheduler = &self.schedulers[number];
            if scheduler.ready == 0 {
                self.slots.idle += 1;
            } else {
                let ready = scheduler.ready & !scheduler.of(self.closed());
                let memory = ready & scheduler.memory;
                let own = granted.map_or(0, |kernel| scheduler.owned[usize::from(kernel)]);
                let among = match memory & own {
                    0 if room && memory != 0 => ready & (!memory | scheduler.of(kernels)),
                    0 => ready & !memory,
                    own => own,
                };
                match scheduler.pick(among) {
                    Some(place) if memory >> place & 1 == 1 => {
                        self.issue_memory(number, place, cycle);
                        (room, granted) = (false, None);
                        if self.rotates {
                            self.turn = if number + 1 == count { 0 } else { number + 1 };
                        }
                    }
                    Some(place) => self.issue_compute(number, place, cycle),
                    None => self.slots.refused += 1,
                }
            }
            number = if number + 1 == count { 0 } else { number + 1 };
        }
        let next = if self.lsu.has_room() { next } else { 0 };
        let closed = self.closed();
        self.schedulers
            .iter()
            .any(|s| s.ready != 0 && s.ready & !s.of(closed) & (!s.memory | s.of(next)) != 0)
    }

    #[inline]
    fn issue_compute(&mut self, number: usize, place: u32, cycle: u64) {
        let scheduler = &mut self.schedulers[number];
        scheduler.issue(place);
        let warp = scheduler.warp(place);
        let slot = usize::from(warp.number);
        let at = cycle + u64::from(warp.latency);
        warp.remaining -= 1;
        self.slots.issued += 1;
        self.stats[usize::from(warp.kernel)].compute += 1;
        if let Some(quotas) = &mut self.quotas {
            quotas.issued(warp.kernel);
        }
        if warp.remaining == 0 {
            self.warps[slot].step += 1;
            self.fetch(slot);
        }
        self.put_off_place(number, place, slot, at, cycle);
    }

    fn issue_memory(&mut self, number: usize, place: u32, cycle: u64) {
        let scheduler = &mut self.schedulers[number];
        scheduler.issue(place);
        let slot = usize::from(scheduler.warp(place).number);
        let warp = &mut self.warps[slot];
        let Next::Memory(op) = warp.next else {
            return;
        };
        self.slots.issued += 1;
        self.stats[usize::from(warp.kernel)].memory += 1;
        if let Some(quotas) = &mut self.quotas {
            quotas.issued(warp.kernel);
        }
        warp.loads += u32::from(op == Op::Read);
        warp.step += 1;
        self.blocks.get_mut(warp.block).in_flight += 1;
        let issued = Issued {
            warp: slot as u16,
            block: warp.block,
            kernel: warp.kernel,
            op,
        };
        self.lsu.issue(issued, &self.requests[slot], cycle);
        self.fetch(slot);
        self.put_off(slot, cycle + 1, cycle);
    }
}

/// The instruction at the warp's step.
fn instruction(programs: &[Option<Arc<dyn Program>>], blocks: &Blocks, warp: &Warp) -> Instruction {
    let block = blocks.get(warp.block);
    let place = Place {
        block: block.number,
        warp: warp.index,
        step: warp.step,
        lap: block.lap,
    };
    match &programs[usize::from(warp.kernel)] {
        Some(program) => program.instruction(&place),
        None => Instruction::Exit,
    }
}

#[cfg(test)]
mod tests {
    //! Rationale: a slot that is not found when its cycle comes is a warp that never wakes up.
    use super::*;

    #[test]
    fn the_first_slot_is_found_wherever_it_is() {
        for now in [0, 1, 63, 64, 200, 255, 256, 1000] {
            assert_eq!(Near::default().first(now), u64::MAX);
            for ahead in 0..WHEEL {
                let mut near = Near::default();
                near.insert(now + ahead);
                assert_eq!(near.first(now), now + ahead, "{now} {ahead}");
                near.insert(now + WHEEL - 1);
                assert_eq!(near.first(now), now + ahead, "{now} {ahead}");
                assert!(near.remove(now + ahead) && !near.remove(now + ahead));
            }
        }
    }
}
