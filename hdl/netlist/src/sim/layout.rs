//! Memory layout of a simulator, the same for every engine.
//!
//! One flat array of 64-bit words: inputs, outputs, flops, read-data
//! registers, RAM words. A value of `width` bits takes `ceil(width / 64)`
//! words, low word first; bits beyond the width are zero, always.

use super::error::{nearest, SimError};
use crate::Netlist;
use num_bigint::BigUint;
use std::collections::HashMap;
use std::ops::Range;

/// Most words of 64 bits that a design may have.
const LIMIT: u128 = 1 << 27;

/// Words of 64 bits that `width` bits take.
pub(super) fn words(width: usize) -> usize {
    width.div_ceil(64)
}

/// Mask of the top word of a value.
pub(super) fn top_mask(width: usize) -> u64 {
    u64::MAX >> ((64 - width % 64) % 64)
}

/// Where a value lies; cheap to copy, good for all simulators of one design.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Slot {
    pub(super) offset: u32,
    pub(super) width: u32,
}

impl Slot {
    /// Index of the low word.
    pub fn offset(self) -> usize {
        self.offset as usize
    }

    /// Width in bits.
    pub fn width(self) -> usize {
        self.width as usize
    }

    /// Number of words.
    pub fn words(self) -> usize {
        words(self.width())
    }

    /// Indices of its words.
    pub fn range(self) -> Range<usize> {
        self.offset()..self.offset() + self.words()
    }

    pub(super) fn top_mask(self) -> u64 {
        top_mask(self.width())
    }
}

/// Where a RAM's words lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RamLayout {
    /// First word of word 0.
    pub(super) offset: u32,
    pub(super) address_width: u32,
    pub(super) width: u32,
}

impl RamLayout {
    /// Number of its words.
    pub fn depth(self) -> usize {
        1 << self.address_width
    }

    /// Width of a word in bits.
    pub fn width(self) -> usize {
        self.width as usize
    }

    /// Its words, that of address 0 first.
    pub fn slots(self) -> impl Iterator<Item = Slot> {
        (0..self.depth()).map(move |index| self.word(index))
    }

    /// Words of 64 bits from one RAM word to the next.
    pub(super) fn stride(self) -> usize {
        words(self.width as usize)
    }

    pub(super) fn word(self, index: usize) -> Slot {
        Slot {
            offset: self.offset + (index * self.stride()) as u32,
            width: self.width,
        }
    }
}

/// Names with their slots, in the order of the netlist.
#[derive(Clone, Debug, Default)]
struct Table {
    slots: Vec<(String, Slot)>,
    known: HashMap<String, usize>,
}

impl Table {
    fn push(&mut self, name: &str, slot: Slot) {
        self.known
            .entry(name.to_owned())
            .or_insert(self.slots.len());
        self.slots.push((name.to_owned(), slot));
    }

    fn get(&self, name: &str) -> Option<Slot> {
        self.known.get(name).map(|&i| self.slots[i].1)
    }

    fn find(&self, kind: &'static str, name: &str) -> Result<Slot, SimError> {
        self.get(name).ok_or_else(|| SimError::UnknownName {
            kind,
            name: name.to_owned(),
            nearest: nearest(name, self.slots.iter().map(|s| s.0.as_str())),
        })
    }

    fn iter(&self) -> impl Iterator<Item = (&str, Slot)> {
        self.slots.iter().map(|(name, slot)| (name.as_str(), *slot))
    }
}

/// Names, widths and places of a design's inputs, outputs, state and signals.
#[derive(Clone, Debug)]
pub struct Layout {
    inputs: Table,
    outputs: Table,
    state: Table,
    signals: Table,
    flops: usize,
    rams: Vec<(String, RamLayout)>,
    init: Vec<(Slot, BigUint)>,
    state_start: usize,
    ram_start: usize,
    words: usize,
}

impl Layout {
    /// Lays out a design.
    ///
    /// # Errors
    /// [`SimError::TooLarge`].
    pub fn new(netlist: &Netlist) -> Result<Layout, SimError> {
        let mut at = 0u128;
        let mut take = |width: usize, count: u128| -> Result<u32, SimError> {
            let from = at;
            at += words(width) as u128 * count;
            if at > LIMIT {
                return Err(SimError::TooLarge {
                    words: at,
                    limit: LIMIT,
                });
            }
            Ok(from as u32)
        };
        let mut one = |width: usize| -> Result<Slot, SimError> {
            Ok(Slot {
                offset: take(width, 1)?,
                width: width as u32,
            })
        };
        let (mut inputs, mut outputs, mut state) = <(Table, Table, Table)>::default();
        for input in &netlist.inputs {
            inputs.push(&input.name, one(input.width)?);
        }
        for output in &netlist.outputs {
            outputs.push(&output.name, one(netlist.graph.width(output.node))?);
        }
        let mut init = Vec::new();
        for reg in &netlist.regs {
            let slot = one(reg.width)?;
            state.push(&reg.name, slot);
            init.push((slot, reg.init.clone()));
        }
        for ram in &netlist.rams {
            state.push(&format!("{}.read_data", ram.name), one(ram.width)?);
        }
        let state_start = inputs
            .iter()
            .chain(outputs.iter())
            .map(|(_, s)| s.words())
            .sum();
        let ram_start = one(0)?.offset();
        let mut rams = Vec::new();
        for ram in &netlist.rams {
            let depth = 1u128
                .checked_shl(ram.address_width as u32)
                .unwrap_or(u128::MAX >> 8);
            let offset = take(ram.width, depth.min(u128::MAX >> 32))?;
            let (address_width, width) = (ram.address_width as u32, ram.width as u32);
            rams.push((
                ram.name.clone(),
                RamLayout {
                    offset,
                    address_width,
                    width,
                },
            ));
        }
        let words = take(0, 1)? as usize;
        let mut signals = Table::default();
        let mut offset = 0usize;
        for signal in &netlist.signals {
            let width = netlist.graph.width(signal.node);
            signals.push(
                &signal.name,
                Slot {
                    offset: offset as u32,
                    width: width as u32,
                },
            );
            offset += self::words(width);
            if offset as u128 > LIMIT {
                return Err(SimError::TooLarge {
                    words: offset as u128,
                    limit: LIMIT,
                });
            }
        }
        let flops = netlist.regs.len();
        Ok(Layout {
            inputs,
            outputs,
            state,
            signals,
            flops,
            rams,
            init,
            state_start,
            ram_start,
            words,
        })
    }

    /// Where an input lies.
    ///
    /// # Errors
    /// [`SimError::UnknownName`] with the nearest name.
    pub fn input(&self, name: &str) -> Result<Slot, SimError> {
        self.inputs.find("input", name)
    }

    /// Where an output lies.
    ///
    /// # Errors
    /// [`SimError::UnknownName`] with the nearest name.
    pub fn output(&self, name: &str) -> Result<Slot, SimError> {
        self.outputs.find("output", name)
    }

    /// Where a flop (`matrix.count[3][2]`), a RAM's read-data register
    /// (`tags.read_data`) or a RAM word (`tags[17]`) lies.
    ///
    /// # Errors
    /// [`SimError::UnknownName`] with the nearest name, [`SimError::Index`].
    pub fn state(&self, name: &str) -> Result<Slot, SimError> {
        if let Some(slot) = self.state.get(name) {
            return Ok(slot);
        }
        if let Some((ram, index)) = word_of(name) {
            if let Some((_, ram)) = self.rams.iter().find(|r| r.0 == ram) {
                if index < ram.depth() {
                    return Ok(ram.word(index));
                }
                let name = name[..name.rfind('[').unwrap_or(0)].to_owned();
                return Err(SimError::Index {
                    name,
                    depth: ram.depth(),
                    index,
                });
            }
        }
        let known = self.state.iter().map(|s| s.0);
        let nearest = nearest(name, known.chain(self.rams.iter().map(|r| r.0.as_str())));
        Err(SimError::UnknownName {
            kind: "state",
            name: name.to_owned(),
            nearest,
        })
    }

    /// Where a signal lies in what [`Observer::observe`](super::Observer::observe) returns.
    ///
    /// # Errors
    /// [`SimError::UnknownName`] with the nearest name.
    pub fn signal(&self, name: &str) -> Result<Slot, SimError> {
        self.signals.find("signal", name)
    }

    /// Inputs in the order of the netlist.
    pub fn inputs(&self) -> impl Iterator<Item = (&str, Slot)> {
        self.inputs.iter()
    }

    /// Outputs in the order of the netlist.
    pub fn outputs(&self) -> impl Iterator<Item = (&str, Slot)> {
        self.outputs.iter()
    }

    /// Flops in the order of the netlist, then the RAMs' read-data registers.
    pub fn registers(&self) -> impl Iterator<Item = (&str, Slot)> {
        self.state.iter()
    }

    /// Signals in the order of the netlist; offsets as in [`Layout::signal`].
    pub fn signals(&self) -> impl Iterator<Item = (&str, Slot)> {
        self.signals.iter()
    }

    /// Flops alone, in the order of the netlist.
    pub fn flops(&self) -> impl Iterator<Item = (&str, Slot)> {
        self.state.iter().take(self.flops)
    }

    /// Names and depths of the RAMs.
    pub fn rams(&self) -> impl Iterator<Item = (&str, usize)> {
        self.rams
            .iter()
            .map(|(name, ram)| (name.as_str(), ram.depth()))
    }

    /// Where a RAM's words lie; its read-data register is a [`state`](Layout::state).
    ///
    /// # Errors
    /// [`SimError::UnknownName`] with the nearest name.
    pub fn ram(&self, name: &str) -> Result<RamLayout, SimError> {
        let found = self.rams.iter().find(|(known, _)| known == name);
        found.map(|(_, ram)| *ram).ok_or_else(|| {
            let known = self.rams.iter().map(|(name, _)| name.as_str());
            SimError::UnknownName {
                kind: "RAM",
                name: name.to_owned(),
                nearest: nearest(name, known),
            }
        })
    }

    /// Words in all.
    pub fn words(&self) -> usize {
        self.words
    }

    /// The part of the memory that is state: what a flop or a RAM holds.
    pub fn state_range(&self) -> Range<usize> {
        self.state_start..self.words
    }

    /// Everything but RAM words.
    pub(super) fn registers_end(&self) -> usize {
        self.ram_start
    }

    pub(super) fn input_at(&self, k: usize) -> Option<Slot> {
        self.inputs.slots.get(k).map(|s| s.1)
    }

    pub(super) fn output_at(&self, k: usize) -> Slot {
        self.outputs.slots[k].1
    }

    pub(super) fn flop_at(&self, k: usize) -> Option<Slot> {
        self.state.slots[..self.flops].get(k).map(|s| s.1)
    }

    pub(super) fn read_data_at(&self, k: usize) -> Option<Slot> {
        self.state.slots.get(self.flops + k).map(|s| s.1)
    }

    pub(super) fn ram_at(&self, k: usize) -> RamLayout {
        self.rams[k].1
    }

    pub(super) fn signal_words(&self) -> usize {
        self.signals.iter().map(|(_, s)| s.words()).sum()
    }

    /// For each word before the RAMs, the bits that belong to a value.
    pub(super) fn masks(&self) -> Vec<u64> {
        let mut masks = vec![u64::MAX; self.ram_start];
        for (_, slot) in self.inputs().chain(self.outputs()).chain(self.registers()) {
            if let Some(top) = slot.range().last() {
                masks[top] = slot.top_mask();
            }
        }
        masks
    }

    /// Flops at their power-up value, everything else zero.
    pub(super) fn power_on(&self, memory: &mut [u64]) {
        memory[..self.words].fill(0);
        for (slot, value) in &self.init {
            for (word, digit) in memory[slot.range()].iter_mut().zip(value.iter_u64_digits()) {
                *word = digit;
            }
            if let Some(top) = slot.range().last() {
                memory[top] &= slot.top_mask();
            }
        }
    }

    /// Clears the bits of a state that belong to no value.
    pub(super) fn clean_state(&self, memory: &mut [u64]) {
        for (_, slot) in self.registers() {
            if let Some(top) = slot.range().last() {
                memory[top] &= slot.top_mask();
            }
        }
        for (_, ram) in &self.rams {
            let (stride, mask) = (ram.stride(), top_mask(ram.width as usize));
            if mask != u64::MAX {
                let from = ram.offset as usize;
                let words = &mut memory[from..from + ram.depth() * stride];
                words
                    .iter_mut()
                    .skip(stride - 1)
                    .step_by(stride)
                    .for_each(|w| *w &= mask);
            }
        }
    }
}

/// `tags[17]` as `tags` and 17.
fn word_of(name: &str) -> Option<(&str, usize)> {
    let (ram, index) = name.strip_suffix(']')?.rsplit_once('[')?;
    Some((ram, index.parse().ok()?))
}
