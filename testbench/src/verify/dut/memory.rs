//! Compares the netlist's RAMs with the golden model's.

use cotenant_netlist::sim::{Layout, Sim, Slot};

use super::differ::{unlike, Difference};
use crate::error::Result;
use crate::verify::interface::{Interface, Memory, ParamsOf, StateOf, WordPacker};

/// A RAM.
#[derive(Debug, Clone)]
struct Ram {
    memory: Memory,
    words: Vec<Slot>,
    read_data: Slot,
}

/// All RAMs, in the order of the golden model.
#[derive(Debug, Clone)]
pub(super) struct Rams {
    rams: Vec<Ram>,
    /// Flops of a RAM's own.
    hidden: Vec<Slot>,
    /// A golden word.
    golden: Vec<u64>,
}

impl Rams {
    /// Finds the golden model's RAMs in the netlist.
    ///
    /// # Errors
    /// [`Error::Interface`](crate::Error::Interface): what one side has and the other has not.
    pub fn new<U: Interface>(params: &ParamsOf<U>, layout: &Layout) -> Result<Self> {
        let mut rams = Vec::new();
        for memory in U::memories(params) {
            let problem = |problem| unlike::<U>("RAM", &memory.ram, problem);
            let found = layout
                .ram(&memory.ram)
                .map_err(|error| problem(error.to_string()))?;
            let read_data = layout
                .state(&format!("{}.read_data", memory.ram))
                .map_err(|error| problem(error.to_string()))?;
            if (found.depth(), found.width()) != (memory.words, memory.width()) {
                return Err(problem(format!(
                    "{} words of {} bits in the netlist, {} of {} in the golden model",
                    found.depth(),
                    found.width(),
                    memory.words,
                    memory.width()
                )));
            }
            rams.push(Ram {
                words: found.slots().collect(),
                read_data,
                memory,
            });
        }
        let described = |name: &str| rams.iter().any(|ram| ram.memory.ram == name);
        if let Some((name, _)) = layout.rams().find(|(name, _)| !described(name)) {
            let problem = "the golden model has nothing to compare it with".into();
            return Err(unlike::<U>("RAM", name, problem));
        }
        let width = rams.iter().map(|ram| ram.read_data.words()).max();
        Ok(Self {
            hidden: layout
                .flops()
                .filter(|(name, _)| of_a_ram(name, layout))
                .map(|(_, slot)| slot)
                .collect(),
            golden: vec![0; width.unwrap_or(0)],
            rams,
        })
    }

    /// There is none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.rams.is_empty()
    }

    /// The golden model's word, in the first words of `self.golden`.
    #[inline]
    fn pack<U: Interface>(
        &mut self,
        params: &ParamsOf<U>,
        state: &StateOf<U>,
        (ram, word): (usize, usize),
    ) -> usize {
        let width = self.rams[ram].read_data.words();
        let mut packer = WordPacker::new(&mut self.golden[..width]);
        U::pack_word(params, state, (ram, word), &mut packer);
        debug_assert_eq!(packer.written(), self.rams[ram].memory.width());
        width
    }

    /// Gives the RAMs the golden model's words, and their read-data registers the words that it
    /// takes them to have read.
    pub fn load<U: Interface>(&mut self, sim: &mut Sim, params: &ParamsOf<U>, state: &StateOf<U>) {
        for ram in 0..self.rams.len() {
            for word in 0..self.rams[ram].words.len() {
                let width = self.pack::<U>(params, state, (ram, word));
                sim.set_words(self.rams[ram].words[word], &self.golden[..width]);
            }
            let read = U::word_read(params, state, ram) % self.rams[ram].words.len();
            let width = self.pack::<U>(params, state, (ram, read));
            sim.set_words(self.rams[ram].read_data, &self.golden[..width]);
        }
        self.hidden.iter().for_each(|&slot| sim.set(slot, 0));
    }

    /// How a word differs.
    #[inline]
    pub fn difference<U: Interface>(
        &mut self,
        sim: &Sim,
        params: &ParamsOf<U>,
        state: &StateOf<U>,
        (ram, word): (usize, usize),
    ) -> Option<Difference> {
        let dut = sim.get_words(self.rams[ram].words[word]);
        // Most words agree and are short.
        if let [dut] = dut {
            let mut golden = [0];
            let mut packer = WordPacker::new(&mut golden);
            U::pack_word(params, state, (ram, word), &mut packer);
            debug_assert_eq!(packer.written(), self.rams[ram].memory.width());
            if golden == [*dut] {
                return None;
            }
        }
        let width = self.pack::<U>(params, state, (ram, word));
        let golden = &self.golden[..width];
        if dut == golden {
            return None;
        }
        let memory = &self.rams[ram].memory;
        let (field, dut, golden) = memory.difference(word, dut, golden)?;
        Some(Difference { field, dut, golden })
    }

    /// The first word that differs, of all.
    pub fn first_difference<U: Interface>(
        &mut self,
        sim: &Sim,
        params: &ParamsOf<U>,
        state: &StateOf<U>,
    ) -> Option<Difference> {
        (0..self.rams.len()).find_map(|ram| {
            (0..self.rams[ram].words.len())
                .find_map(|word| self.difference::<U>(sim, params, state, (ram, word)))
        })
    }
}

/// Whether a register is a RAM's own (`tags.read_data`, `tags.collision`): what it holds may be
/// undefined, so it is not compared.
pub(super) fn of_a_ram(register: &str, layout: &Layout) -> bool {
    register
        .rsplit_once('.')
        .is_some_and(|(path, _)| layout.ram(path).is_ok())
}
