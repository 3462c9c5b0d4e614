//! The sound design in lockstep with its golden model, 64 cycles at a time.

use cotenant_golden::Model;
use cotenant_netlist::blast::Leaf;
use cotenant_netlist::fault::Sliced;
use cotenant_netlist::sim::{RamLayout, Slot};
use cotenant_netlist::Netlist;
use cotenant_units::table::ParameterSet;

use crate::error::Result;
use crate::verify::interface::InOf;
use crate::verify::lockstep::{Bench, Lockstep};
use crate::verify::stimulus::{episodes, stream, Drive, Episode, Mix, Source, Stream};

/// Cycles in a block.
pub(super) const LANES: usize = 64;

/// A RAM word that is written: in which lane, at which address, what.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Write {
    pub lane: usize,
    pub address: usize,
    pub word: Vec<u64>,
}

/// Up to 64 cycles of the sound design.
#[derive(Debug, Clone, Default)]
pub(super) struct Block {
    /// Number of the first cycle since the run began.
    pub first: u64,
    /// How many there are.
    pub lanes: usize,
    /// Of each lane the words that the golden model has written at its end, as the unit's interface
    /// numbers them.
    pub written: Vec<Vec<(usize, usize)>>,
    /// What the design writes to each RAM, lane after lane.
    pub writes: Vec<Vec<Write>>,
    /// The words of each RAM before the first cycle.
    images: Vec<Vec<u64>>,
}

impl Block {
    /// A bit for each lane.
    pub fn mask(&self) -> u64 {
        u64::MAX >> (LANES - self.lanes.max(1))
    }

    /// What a RAM's word holds before the edge of a lane.
    pub fn word(&self, ram: usize, address: usize, lane: usize, words: usize) -> &[u64] {
        let before = self.writes[ram].iter().rev();
        let last = before
            .skip_while(|write| write.lane >= lane)
            .find(|write| write.address == address);
        match last {
            Some(write) => &write.word,
            None => &self.images[ram][address * words..(address + 1) * words],
        }
    }
}

/// Where the simulator keeps what a block is made of.
#[derive(Debug)]
struct Places {
    leaves: Vec<(Leaf, Slot)>,
    rams: Vec<RamLayout>,
    state: usize,
}

/// The sound design, its golden model and its stimulus, without the unit's types.
pub(super) trait AnySound {
    /// Begins a round, which has a number and a seed: the cycles of its episodes.
    fn round(&mut self, round: u64, seed: u64, cycles: u64) -> Result<Vec<u64>>;

    /// Puts both sides to the start of an episode; what flops that the golden model does not have
    /// then hold.
    fn load(&mut self, episode: usize) -> Vec<(String, u128)>;

    /// Runs up to `cycles`, 64 at most, and puts them into `sliced`. Less if the stimulus ends;
    /// false if the sound design is not what the golden model says.
    fn advance(&mut self, cycles: u64, netlist: &Netlist, sliced: &mut Sliced<'_>) -> Result<bool>;

    /// The cycles run last.
    fn block(&self) -> &Block;
}

pub(super) struct Sound<U: Drive> {
    lockstep: Lockstep<U>,
    stimulus: Stream<U>,
    episodes: Vec<Episode<U::Model>>,
    input: InOf<U>,
    film: Film,
}

impl<U: Drive> Sound<U> {
    /// A unit in its reset state, before the first round.
    pub fn boxed(set: &ParameterSet, netlist: &Netlist) -> Result<Box<dyn AnySound>> {
        let lockstep = Lockstep::<U>::new(set)?;
        let params = lockstep.params();
        Ok(Box::new(Self {
            stimulus: stream::<U>(params, Mix::default(), 0),
            episodes: Vec::new(),
            input: U::idle(params),
            film: Film::new(lockstep.bench(), netlist),
            lockstep,
        }))
    }
}

impl<U: Drive> AnySound for Sound<U> {
    fn round(&mut self, round: u64, seed: u64, cycles: u64) -> Result<Vec<u64>> {
        let params = self.lockstep.params();
        self.stimulus = Stream::round(params, seed, round);
        self.episodes = episodes::<U>(params, seed, cycles)?;
        Ok(self.episodes.iter().map(|part| part.cycles).collect())
    }

    fn load(&mut self, episode: usize) -> Vec<(String, u128)> {
        self.lockstep.load(self.episodes[episode].model.clone());
        U::resumed(self.lockstep.params(), self.lockstep.model().state())
    }

    fn advance(&mut self, cycles: u64, netlist: &Netlist, sliced: &mut Sliced<'_>) -> Result<bool> {
        let Self {
            lockstep,
            stimulus,
            input,
            film,
            ..
        } = self;
        film.begin(lockstep.bench());
        while film.block.lanes < LANES.min(cycles as usize) {
            if !stimulus.input(lockstep.params(), lockstep.model(), input) {
                break;
            }
            film.keep(lockstep.bench(), false);
            if lockstep.step(input)?.is_some() {
                return Ok(false);
            }
            film.keep(lockstep.bench(), true);
            let written = &mut film.block.written[film.block.lanes];
            U::written(lockstep.params(), lockstep.model(), &mut |word| {
                written.push(word);
            });
            film.block.lanes += 1;
        }
        film.slice(sliced);
        film.writes(netlist, sliced);
        Ok(true)
    }

    fn block(&self) -> &Block {
        &self.film.block
    }
}

/// What is kept of the cycles of a block.
struct Film {
    places: Places,
    /// Of each word of each leaf its values in the lanes.
    rows: Vec<[u64; LANES]>,
    block: Block,
}

impl Film {
    fn new(bench: &Bench, netlist: &Netlist) -> Self {
        let layout = bench.dut().sim().layout();
        let inputs = layout.inputs().enumerate();
        let inputs = inputs.map(|(i, (_, slot))| (Leaf::Input(i, 0), slot));
        let flops = netlist.regs.len();
        let registers = layout.registers().enumerate();
        let registers = registers.map(|(i, (_, slot))| match i.checked_sub(flops) {
            None => (Leaf::Reg(i, 0), slot),
            Some(ram) => (Leaf::RamData(ram, 0), slot),
        });
        let leaves: Vec<_> = inputs.chain(registers).collect();
        let words = leaves.iter().map(|(_, slot)| slot.words()).sum();
        let rams = netlist.rams.iter();
        let rams = rams.filter_map(|ram| layout.ram(&ram.name).ok()).collect();
        let state = layout.state_range().start;
        Self {
            places: Places {
                leaves,
                rams,
                state,
            },
            rows: vec![[0; LANES]; words],
            block: Block::default(),
        }
    }

    fn begin(&mut self, bench: &Bench) {
        self.block.first = bench.cycle();
        self.block.lanes = 0;
        self.block.written.resize(LANES, Vec::new());
        self.block.written.iter_mut().for_each(Vec::clear);
        let state = bench.dut().sim().state_words();
        self.block.images.clear();
        for ram in &self.places.rams {
            let (mut slots, words) = (ram.slots(), ram.width().div_ceil(64));
            let first = slots.next().map_or(0, Slot::offset) - self.places.state;
            let image = &state[first..first + ram.depth() * words];
            self.block.images.push(image.to_vec());
        }
    }

    /// Keeps the registers as they are before the edge of a lane, or the inputs that they met.
    fn keep(&mut self, bench: &Bench, inputs: bool) {
        let (sim, lane) = (bench.dut().sim(), self.block.lanes);
        let mut at = 0;
        for &(leaf, slot) in &self.places.leaves {
            if matches!(leaf, Leaf::Input(..)) == inputs {
                for (row, word) in self.rows[at..].iter_mut().zip(sim.get_words(slot)) {
                    row[lane] = *word;
                }
            }
            at += slot.words();
        }
    }

    /// A word per bit instead of one per cycle.
    fn slice(&mut self, sliced: &mut Sliced<'_>) {
        let mut at = 0;
        for &(leaf, slot) in &self.places.leaves {
            let rows = &mut self.rows[at..at + slot.words()];
            at += slot.words();
            let Some(bits) = sliced.leaf(leaf) else {
                continue;
            };
            for (bits, row) in bits.chunks_mut(64).zip(rows) {
                row[self.block.lanes..].fill(0);
                match bits {
                    [bit] => *bit = (0..).zip(&*row).fold(0, |b, (i, word)| b | (word & 1) << i),
                    _ => {
                        let mut turned = *row;
                        transpose(&mut turned);
                        bits.copy_from_slice(&turned[..bits.len()]);
                    }
                }
            }
        }
        sliced.evaluate();
    }

    /// What the design writes to RAMs in this block.
    fn writes(&mut self, netlist: &Netlist, sliced: &Sliced<'_>) {
        self.block.writes.resize(netlist.rams.len(), Vec::new());
        let mask = self.block.mask();
        for (ram, writes) in netlist.rams.iter().zip(&mut self.block.writes) {
            writes.clear();
            let mut enabled = sliced.value(ram.write_enable)[0] & mask;
            while enabled != 0 {
                let lane = enabled.trailing_zeros() as usize;
                enabled &= enabled - 1;
                writes.push(Write {
                    lane,
                    address: number(sliced.value(ram.write_address), lane),
                    word: row(sliced.value(ram.write_data), lane),
                });
            }
        }
    }
}

/// The value of a lane, of up to 64 bits.
pub(super) fn number(bits: &[u64], lane: usize) -> usize {
    let bits = bits.iter().enumerate();
    bits.fold(0, |number, (bit, word)| {
        number | ((word >> lane & 1) as usize) << bit
    })
}

/// The value of a lane.
pub(super) fn row(bits: &[u64], lane: usize) -> Vec<u64> {
    let chunks = bits.chunks(64);
    chunks.map(|chunk| number(chunk, lane) as u64).collect()
}

/// Bit `i` of word `j` becomes bit `j` of word `i` (Warren, Hacker's Delight, 7-3).
fn transpose(words: &mut [u64; LANES]) {
    let (mut distance, mut mask) = (32, u64::MAX >> 32);
    while distance != 0 {
        let mut k = 0;
        while k < LANES {
            let swapped = (words[k] >> distance ^ words[k + distance]) & mask;
            words[k] ^= swapped << distance;
            words[k + distance] ^= swapped;
            k = (k + distance + 1) & !distance;
        }
        distance >>= 1;
        mask ^= mask << distance;
    }
}

#[cfg(test)]
mod tests {
    //! Rationale: lanes and bits that change places wrongly would make all verdicts wrong.
    use super::*;

    #[test]
    fn rows_become_columns() {
        let mut words = [0; LANES];
        for (i, word) in words.iter_mut().enumerate() {
            *word = 0x9e37_79b9_7f4a_7c15u64.wrapping_mul(i as u64 + 1);
        }
        let before = words;
        transpose(&mut words);
        for (i, word) in words.iter().enumerate() {
            for (j, row) in before.iter().enumerate() {
                assert_eq!(word >> j & 1, row >> i & 1, "{i}, {j}");
            }
        }
        assert_eq!(number(&words[..20], 3) as u64, before[3] & 0xf_ffff);
        assert_eq!(row(&words, 9), [before[9]]);
    }
}
