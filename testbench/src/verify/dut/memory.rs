//! Compares the netlist's RAMs with the golden model's.

use cotenant_netlist::sim::{Layout, Sim, Slot};

use super::differ::{unlike, Difference};
use crate::error::Result;
use crate::verify::interface::{Contents, Form, Memory, WordPacker};

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
    pub fn new(form: &Form, layout: &Layout) -> Result<Self> {
        let mut rams = Vec::new();
        for memory in form.memories.iter().cloned() {
            let problem = |problem| unlike(form.unit, "RAM", &memory.ram, problem);
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
            return Err(unlike(form.unit, "RAM", name, problem));
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
    fn pack(&mut self, contents: &dyn Contents, (ram, word): (usize, usize)) -> usize {
        let width = self.rams[ram].read_data.words();
        let mut packer = WordPacker::new(&mut self.golden[..width]);
        contents.pack((ram, word), &mut packer);
        debug_assert_eq!(packer.written(), self.rams[ram].memory.width());
        width
    }

    /// Gives the RAMs the golden model's words, and their read-data registers the words that it
    /// takes them to have read.
    pub fn load(&mut self, sim: &mut Sim, contents: &dyn Contents) {
        for ram in 0..self.rams.len() {
            for word in 0..self.rams[ram].words.len() {
                let width = self.pack(contents, (ram, word));
                sim.set_words(self.rams[ram].words[word], &self.golden[..width]);
            }
            let read = contents.read(ram) % self.rams[ram].words.len();
            let width = self.pack(contents, (ram, read));
            sim.set_words(self.rams[ram].read_data, &self.golden[..width]);
        }
        self.hidden.iter().for_each(|&slot| sim.set(slot, 0));
    }

    /// Whether a word is the golden model's.
    #[inline]
    pub fn agrees(
        &mut self,
        sim: &Sim,
        contents: &dyn Contents,
        (ram, word): (usize, usize),
    ) -> bool {
        let dut = sim.get_words(self.rams[ram].words[word]);
        // Most words are short.
        if let [dut] = dut {
            let mut golden = [0];
            let mut packer = WordPacker::new(&mut golden);
            contents.pack((ram, word), &mut packer);
            debug_assert_eq!(packer.written(), self.rams[ram].memory.width());
            return golden == [*dut];
        }
        let width = self.pack(contents, (ram, word));
        *dut == self.golden[..width]
    }

    /// How a word differs.
    pub fn difference(
        &mut self,
        sim: &Sim,
        contents: &dyn Contents,
        (ram, word): (usize, usize),
    ) -> Option<Difference> {
        let width = self.pack(contents, (ram, word));
        let memory = &self.rams[ram].memory;
        let dut = sim.get_words(self.rams[ram].words[word]);
        let (field, dut, golden) = memory.difference(word, dut, &self.golden[..width])?;
        Some(Difference { field, dut, golden })
    }

    /// The first word that differs, of all.
    pub fn first_difference(&mut self, sim: &Sim, contents: &dyn Contents) -> Option<Difference> {
        (0..self.rams.len()).find_map(|ram| {
            let mut words = 0..self.rams[ram].words.len();
            let word = words.find(|&word| !self.agrees(sim, contents, (ram, word)))?;
            self.difference(sim, contents, (ram, word))
        })
    }
}

/// Whether a register is a RAM's own (`tags.read_data`, `tags.collision`): what it holds may be
/// undefined, so it is not compared.
pub(super) fn of_a_ram(register: &str, layout: &Layout) -> bool {
    register
        .rsplit_once('.')
        .is_some_and(|(path, _)| layout.rams().any(|(known, _)| known == path))
}
