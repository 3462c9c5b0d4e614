//! Fault simulation: many faults at once, in the same stimulus as in lockstep and judged as there.
//!
//! The sound design runs in lockstep with its golden model, once for all faults. A faulty design
//! that is in the same state is followed for 64 cycles at once ([`Sliced`]): only the nodes that the
//! fault changes are computed. Where its outputs or next state differ it is looked at cycle by cycle.
//! What lockstep compares may not differ: the fault is caught, in the cycle and at the name that
//! lockstep would report. If only flops or words of RAMs differ that lockstep does not compare, or
//! not yet, they are kept with the fault until it is caught or they agree again.

mod compare;
mod sound;
#[cfg(test)]
mod tests;

use std::ops::Range;

use cotenant_netlist::blast::{Leaf, RamPort, Root};
use cotenant_netlist::fault::{Fault, Sliced};
use cotenant_netlist::Netlist;
use cotenant_units::table::ParameterSet;

use super::campaign::{GLANCE, ROUND};
use super::Outcome;
use crate::error::{Error, Result};
use crate::verify::lockstep::{Flow, WHOLE};
use crate::verify::stimulus::Drive;
use compare::{Compared, Words};
use sound::{number, row, AnySound, Block, Sound};

/// A fault that is being followed.
#[derive(Debug)]
struct Follow {
    /// Its number, for whoever asked.
    number: usize,
    fault: Fault,
    /// Bits of flops and read data that differ before the next cycle.
    differ: Vec<Leaf>,
    /// Words of RAMs that differ.
    words: Words,
}

/// Follows faults of a unit.
#[derive(Debug)]
pub(super) struct Screen<'a> {
    unit: &'static str,
    /// The sound design, as it starts.
    sound: fn(&ParameterSet, &Netlist) -> Result<Box<dyn AnySound>>,
    set: &'a ParameterSet,
    netlist: &'a Netlist,
    seed: u64,
    cycles: u64,
    compared: Compared,
    sliced: Sliced<'a>,
    roots: Vec<(Root, u64)>,
}

impl<'a> Screen<'a> {
    /// None if the unit's interface compares something that faults cannot be followed to.
    ///
    /// # Errors
    /// [`Error::Parameter`], [`Error::Golden`].
    pub fn new<U: Drive>(
        set: &'a ParameterSet,
        netlist: &'a Netlist,
        seed: u64,
        cycles: u64,
    ) -> Result<Option<Self>> {
        let compared = Compared::new(U::form(&U::params(set)?), netlist);
        Ok(compared.map(|compared| Self {
            unit: U::NAME,
            sound: Sound::<U>::boxed,
            set,
            netlist,
            seed,
            cycles,
            compared,
            sliced: Sliced::new(netlist),
            roots: Vec::new(),
        }))
    }

    /// Runs numbered faults through these rounds. `each` gets those that are caught as they are, and
    /// says whether to go on; the result are the numbers of the others. None if the sound design is
    /// not what the golden model says, so that nothing can be said of a fault.
    ///
    /// # Errors
    /// What keeps the unit from being built or run.
    pub fn run(
        &mut self,
        faults: impl IntoIterator<Item = (usize, Fault)>,
        rounds: Range<u64>,
        each: &mut dyn FnMut(Option<(usize, Outcome)>) -> Flow,
    ) -> Result<Option<Vec<usize>>> {
        let mut open: Vec<Follow> = faults
            .into_iter()
            .map(|(number, fault)| Follow {
                number,
                fault,
                differ: Vec::new(),
                words: Words::new(),
            })
            .collect();
        let mut sound = (self.sound)(self.set, self.netlist)?;
        let before = rounds.start * ROUND;
        for round in rounds {
            let seed = self.seed.wrapping_add(round);
            let cycles = ROUND.min(self.cycles - round * ROUND);
            let parts = sound.round(round, seed, cycles)?;
            for (index, cycles) in parts.into_iter().enumerate() {
                let loaded = (round, index) != (0, 0);
                let mut resumed = Vec::new();
                if loaded {
                    resumed = sound.load(index);
                }
                let mut left = cycles;
                let mut glance = (!loaded).then(|| cycles.min(GLANCE));
                let mut starts = true;
                while left > 0 || starts {
                    let netlist = self.netlist;
                    if !sound.advance(left, netlist, &mut self.sliced)? {
                        return Ok(None);
                    }
                    let block = sound.block();
                    left = match block.lanes {
                        0 => 0,
                        lanes => left - lanes as u64,
                    };
                    let looks = looks(block, left == 0, glance);
                    glance = glance.filter(|end| *end > block.first + block.lanes as u64);
                    let mut kept = Vec::with_capacity(open.len());
                    for mut follow in open {
                        let caught = match starts {
                            true => self.start(&mut follow, block, loaded, &resumed),
                            false => None,
                        };
                        let caught = match caught {
                            None => self.follow(&mut follow, block, looks)?,
                            caught => caught,
                        };
                        let Some((cycle, field)) = caught else {
                            kept.push(follow);
                            continue;
                        };
                        let cycle = before + cycle;
                        let number = follow.number;
                        if each(Some((number, Outcome::Caught { cycle, field }))) == Flow::Stop {
                            return Ok(Some(Vec::new()));
                        }
                    }
                    open = kept;
                    if open.is_empty() {
                        return Ok(Some(Vec::new()));
                    }
                    if each(None) == Flow::Stop {
                        return Ok(Some(Vec::new()));
                    }
                    starts = false;
                }
            }
        }
        Ok(Some(open.iter().map(|follow| follow.number).collect()))
    }

    /// How a fault's state differs where an episode starts, and whether that is seen.
    fn start(
        &self,
        follow: &mut Follow,
        block: &Block,
        loaded: bool,
        resumed: &[(String, u128)],
    ) -> Option<(u64, String)> {
        follow.differ.clear();
        follow.words.clear();
        if let Fault::StuckBit { reg, bit, value } = follow.fault {
            let flop = &self.netlist.regs[reg];
            let differs = flop.init.bit(bit as u64) != value;
            // What a state is loaded into holds that state, up to the first edge.
            let given = || {
                resumed.iter().any(|(name, _)| *name == flop.name)
                    || self.compared.loads(Leaf::Reg(reg, 0))
            };
            if differs && !(loaded && given()) {
                follow.differ.push(Leaf::Reg(reg, bit));
            }
        }
        let now = (0, false);
        let seen = self
            .compared
            .state(&follow.differ, self.netlist, &self.sliced, now);
        seen.map(|name| (block.first, name.to_owned()))
    }

    /// Through a block; when and where the fault is seen.
    fn follow(
        &mut self,
        follow: &mut Follow,
        block: &Block,
        looks: u64,
    ) -> Result<Option<(u64, String)>> {
        let mut events = None;
        let mut lane = 0;
        while lane < block.lanes {
            if follow.differ.is_empty() {
                let events = match events {
                    Some(events) => events,
                    None => *events.insert(self.events(&follow.fault, block)?),
                };
                let mut lanes = events;
                if !follow.words.is_empty() {
                    lanes |= self.touched(&follow.words) | looks;
                }
                lanes &= block.mask() & u64::MAX << lane;
                if lanes == 0 {
                    break;
                }
                lane = lanes.trailing_zeros() as usize;
            }
            let caught = self.cycle(follow, block, lane, looks)?;
            if caught.is_some() {
                return Ok(caught);
            }
            lane += 1;
        }
        Ok(None)
    }

    /// Lanes in which a design that is in the same state does something else.
    fn events(&mut self, fault: &Fault, block: &Block) -> Result<u64> {
        self.propagate(fault, &[], block.mask())?;
        let mut events = 0;
        for &(root, lanes) in &self.roots {
            events |= match root {
                Root::Ram(ram, RamPort::WriteAddress | RamPort::WriteData, _) => {
                    let enable = self.netlist.rams[ram].write_enable;
                    lanes & self.sliced.value(enable)[0]
                }
                _ => lanes,
            };
        }
        Ok(events)
    }

    fn propagate(&mut self, fault: &Fault, differ: &[Leaf], mask: u64) -> Result<()> {
        let done = self.sliced.propagate(fault, differ, mask, &mut self.roots);
        done.map_err(|source| Error::Fault {
            unit: self.unit,
            source,
        })
    }

    /// Lanes in which one of these words is read or written.
    fn touched(&self, words: &Words) -> u64 {
        let at = |node, address: usize| {
            let bits = self.sliced.value(node).iter().enumerate();
            bits.fold(u64::MAX, |same, (bit, lanes)| {
                same & match address >> bit & 1 {
                    0 => !lanes,
                    _ => *lanes,
                }
            })
        };
        words.keys().fold(0, |touched, &(ram, address)| {
            let ram = &self.netlist.rams[ram];
            let written = self.sliced.value(ram.write_enable)[0] & at(ram.write_address, address);
            touched | written | at(ram.read_address, address)
        })
    }

    /// One cycle; when and where the fault is seen.
    fn cycle(
        &mut self,
        follow: &mut Follow,
        block: &Block,
        lane: usize,
        looks: u64,
    ) -> Result<Option<(u64, String)>> {
        self.propagate(&follow.fault, &follow.differ, 1 << lane)?;
        let cycle = block.first + lane as u64;
        if let Some(output) = self.compared.output(&self.roots) {
            return Ok(Some((cycle, output)));
        }
        follow.differ.clear();
        for &(root, _) in &self.roots {
            if let Root::Next(reg, bit) = root {
                follow.differ.push(Leaf::Reg(reg, bit));
            }
        }
        for ram in 0..self.netlist.rams.len() {
            self.edge(follow, block, ram, lane);
        }
        let after = (lane, true);
        let seen = self
            .compared
            .state(&follow.differ, self.netlist, &self.sliced, after);
        if let Some(name) = seen {
            return Ok(Some((cycle + 1, name.to_owned())));
        }
        if follow.words.is_empty() {
            return Ok(None);
        }
        let written = self.compared.written(&follow.words, &block.written[lane]);
        let seen = written.or_else(|| match looks >> lane & 1 {
            1 => self.compared.whole(&follow.words),
            _ => None,
        });
        Ok(seen.map(|name| (cycle + 1, name)))
    }

    /// A RAM at the edge of a lane.
    fn edge(&self, follow: &mut Follow, block: &Block, number_of: usize, lane: usize) {
        let ram = &self.netlist.rams[number_of];
        let flipped = |port: RamPort| {
            let roots = self.roots.iter().filter_map(move |(root, _)| match root {
                Root::Ram(other, at, bit) if (*other, *at) == (number_of, port) => Some(*bit),
                _ => None,
            });
            roots
        };
        let ports = self.roots.iter();
        let mut ports =
            ports.filter(|(root, _)| matches!(root, Root::Ram(other, ..) if *other == number_of));
        let differ = ports.next().is_some();
        let kept = follow.words.range((number_of, 0)..(number_of + 1, 0));
        if !differ && kept.count() == 0 {
            return;
        }
        let address = |node, port| {
            let good = number(self.sliced.value(node), lane);
            let bad = flipped(port).fold(good, |bad, bit| bad ^ 1 << bit);
            [good, bad]
        };
        let words = ram.width.div_ceil(64);
        let differs = |follow: &Follow, address: usize| -> Vec<u64> {
            let known = follow.words.get(&(number_of, address));
            known.cloned().unwrap_or_else(|| vec![0; words])
        };
        let [good, bad] = address(ram.read_address, RamPort::ReadAddress);
        let mut read = differs(follow, bad);
        if good != bad {
            let pair = [good, bad].map(|address| block.word(number_of, address, lane, words));
            let pair = pair[0].iter().zip(pair[1]);
            read.iter_mut()
                .zip(pair)
                .for_each(|(flips, (a, b))| *flips ^= a ^ b);
        }
        let bits = (0..ram.width).filter(|bit| read[bit / 64] >> (bit % 64) & 1 == 1);
        follow
            .differ
            .extend(bits.map(|bit| Leaf::RamData(number_of, bit)));

        let enable = number(self.sliced.value(ram.write_enable), lane) == 1;
        let enables = [
            enable,
            enable ^ (flipped(RamPort::WriteEnable).count() == 1),
        ];
        let addresses = address(ram.write_address, RamPort::WriteAddress);
        let data = row(self.sliced.value(ram.write_data), lane);
        let mut wrong = data.clone();
        flipped(RamPort::WriteData).for_each(|bit| wrong[bit / 64] ^= 1 << (bit % 64));
        let mut after = Vec::new();
        for side in [0, 1].into_iter().filter(|side| enables[*side]) {
            let at = addresses[side];
            let before = block.word(number_of, at, lane, words);
            let flips = differs(follow, at);
            let before_bad: Vec<u64> = before.iter().zip(&flips).map(|(a, b)| a ^ b).collect();
            let good = match enables[0] && addresses[0] == at {
                true => &data[..],
                false => before,
            };
            let bad = match enables[1] && addresses[1] == at {
                true => &wrong,
                false => &before_bad,
            };
            let flips: Vec<u64> = good.iter().zip(bad).map(|(a, b)| a ^ b).collect();
            after.push((at, flips));
        }
        for (at, flips) in after {
            match flips.iter().all(|word| *word == 0) {
                true => follow.words.remove(&(number_of, at)),
                false => follow.words.insert((number_of, at), flips),
            };
        }
    }
}

/// Lanes after which lockstep compares whole RAMs: now and then, where a run ends, and where its
/// first glance does.
fn looks(block: &Block, ends: bool, glance: Option<u64>) -> u64 {
    let lanes = (0..block.lanes).filter(|&lane| {
        let after = block.first + lane as u64 + 1;
        after % WHOLE == 0 || Some(after) == glance || (ends && lane + 1 == block.lanes)
    });
    lanes.fold(0, |looks, lane| looks | 1 << lane)
}
