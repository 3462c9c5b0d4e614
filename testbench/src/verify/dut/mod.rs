//! The design under test: a simulation of the netlist, with ports in the order of the golden model.

mod differ;
mod memory;

use std::collections::BTreeSet;
use std::sync::Arc;

use cotenant_netlist::sim::{Engine, Sim, Slot};
use cotenant_netlist::Netlist;

use crate::error::{Error, Result};
use differ::unlike;
pub(crate) use differ::Difference;
use memory::{of_a_ram, Rams};

use crate::verify::interface::{Contents, Form, Port, Probe, StateField};

/// A port's place in the simulator and in a row of packed words.
#[derive(Debug, Clone)]
struct Wire {
    port: Port,
    slot: Slot,
    /// First word within the row.
    at: usize,
}

/// Fields side by side whose words are side by side in the simulator's state, too: most are, and they
/// are compared in one go.
#[derive(Debug, Clone, Copy)]
struct Run {
    word: u32,
    field: u32,
    length: u32,
}

impl Run {
    fn new(word: u32, field: u32) -> Self {
        let length = 1;
        Self {
            word,
            field,
            length,
        }
    }

    /// Whether the field is the next one.
    fn goes_on(self, word: u32, field: u32) -> bool {
        (word, field) == (self.word + self.length, self.field + self.length)
    }

    /// The bits in which the words differ from those of the golden model.
    #[inline]
    fn differing(self, words: &[u64], state: &[u64]) -> u64 {
        let length = self.length as usize;
        let dut = &words[self.word as usize..][..length];
        let golden = &state[self.field as usize..][..length];
        let pairs = dut.iter().zip(golden);
        pairs.fold(0, |bits, (dut, golden)| bits | (dut ^ golden))
    }

    /// Each field with its word.
    fn each(self) -> impl Iterator<Item = (u32, u32)> {
        (0..self.length).map(move |at| (self.field + at, self.word + at))
    }
}

/// Counters side by side, with the word in which a bit of each says that it has passed its limit.
#[derive(Debug, Clone, Copy)]
struct Limited {
    run: Run,
    passed: u32,
    /// That of the first counter; the next ones follow.
    bit: u32,
    limit: u64,
}

impl Limited {
    fn goes_on(&self, next: &Self) -> bool {
        self.run.goes_on(next.run.word, next.run.field)
            && (self.passed, self.limit) == (next.passed, next.limit)
            && self.bit + self.run.length == next.bit
    }

    /// Each counter as the golden model has it, with its field.
    #[inline]
    fn each<'a>(&self, words: &'a [u64]) -> impl Iterator<Item = (u32, u64)> + use<'a> {
        let Self {
            run,
            passed,
            bit,
            limit,
        } = *self;
        let passed = words[passed as usize] >> bit;
        run.each().zip(0..).map(move |((field, word), at)| {
            let passed = passed >> at & 1;
            (field, words[word as usize] | passed.wrapping_neg() & limit)
        })
    }

    /// Fields of the counters that have passed their limit.
    fn beyond(self, words: &[u64]) -> impl Iterator<Item = u32> + use<'_> {
        let bits = words[self.passed as usize] >> self.bit;
        let passed = self.run.each().zip(0..);
        passed
            .filter(move |(_, at)| bits >> at & 1 == 1)
            .map(|((field, _), _)| field)
    }

    /// The bits in which the counters differ from those of the golden model.
    #[inline]
    fn differing(&self, words: &[u64], state: &[u64]) -> u64 {
        let ones = u64::MAX >> (64 - self.run.length);
        if words[self.passed as usize] >> self.bit & ones == 0 {
            return self.run.differing(words, state);
        }
        let counters = self.each(words);
        counters.fold(0, |bits, (field, count)| {
            bits | (count ^ state[field as usize])
        })
    }
}

/// Words of the simulator's state that hold a register which is late.
#[derive(Debug, Clone)]
struct Late {
    value: u32,
    newer: u32,
    flags: Vec<u32>,
    field: u32,
}

impl Late {
    /// The register as the golden model has it.
    #[inline]
    fn value(&self, words: &[u64]) -> u64 {
        let late = self.flags.iter().any(|&flag| words[flag as usize] & 1 == 1);
        words[if late { self.newer } else { self.value } as usize]
    }
}

/// The design under test.
#[derive(Debug, Clone)]
pub(crate) struct Dut {
    form: Arc<Form>,
    sim: Sim,
    inputs: Vec<Wire>,
    outputs: Vec<Wire>,
    /// The flop of each field.
    flops: Vec<Slot>,
    /// Where the simulator's state holds fields as they are.
    values: Vec<Run>,
    /// Counters that stay at their limit in the golden model alone.
    limited: Vec<Limited>,
    /// Registers that the netlist has a cycle later.
    late: Vec<Late>,
    rams: Rams,
}

impl Dut {
    /// Compiles a netlist and finds the golden model's ports and registers in it.
    ///
    /// # Errors
    /// [`Error::Simulate`], [`Error::Interface`]: what one side has and the other has not.
    pub fn new(form: Arc<Form>, netlist: &Netlist, engine: Engine) -> Result<Self> {
        let unit = form.unit;
        let failed = |source| Error::Simulate { unit, source };
        let sim = Sim::with_engine(netlist, engine).map_err(failed)?;
        let layout = sim.layout();
        let found: Vec<(&str, Slot)> = layout.inputs().collect();
        let inputs = wires(unit, "input", &form.inputs, &found)?;
        let found: Vec<(&str, Slot)> = layout.outputs().collect();
        let outputs = wires(unit, "output", &form.outputs, &found)?;
        let (mut flops, mut values) = (Vec::new(), Vec::<Run>::new());
        let (mut limited, mut late) = (Vec::<Limited>::new(), Vec::new());
        let start = layout.state_range().start;
        let word_of = |flop: &str| {
            let slot = layout.state(flop).map_err(failed)?;
            Ok((slot.offset() - start) as u32)
        };
        for (index, field) in (0..).zip(&form.state) {
            let slot = layout.state(field.probe.flop()).map_err(failed)?;
            flops.push(slot);
            match &field.probe {
                Probe::Value(_) if slot.width() == field.width => {
                    let word = (slot.offset() - start) as u32;
                    match values.last_mut() {
                        Some(run) if run.goes_on(word, index) => run.length += 1,
                        _ => values.push(Run::new(word, index)),
                    }
                }
                Probe::Limited { passed, bit, .. } if slot.width() == field.width => {
                    let passed = layout.state(passed).map_err(failed)?;
                    let next = Limited {
                        run: Run::new((slot.offset() - start) as u32, index),
                        passed: (passed.offset() - start + bit / 64) as u32,
                        bit: (bit % 64) as u32,
                        limit: u64::MAX >> (64 - field.width),
                    };
                    match limited.last_mut() {
                        Some(counters) if counters.goes_on(&next) => counters.run.length += 1,
                        _ => limited.push(next),
                    }
                }
                Probe::Late { newer, flags, .. } if slot.width() == field.width => {
                    late.push(Late {
                        value: (slot.offset() - start) as u32,
                        newer: word_of(newer)?,
                        flags: flags
                            .iter()
                            .map(|flag| word_of(flag))
                            .collect::<Result<_>>()?,
                        field: index,
                    });
                }
                Probe::Value(_) | Probe::Limited { .. } | Probe::Late { .. } => {
                    let problem = format!(
                        "{} bits in the netlist, {} in the golden model",
                        slot.width(),
                        field.width
                    );
                    return Err(unlike(unit, "register", &field.name, problem));
                }
            }
        }
        let compared: BTreeSet<&str> = form.state.iter().map(|f| f.probe.flop()).collect();
        if let Some((name, _)) = layout.registers().find(|(name, _)| {
            !compared.contains(name) && !(form.working)(name) && !of_a_ram(name, layout)
        }) {
            let problem = "the golden model has nothing to compare it with".into();
            return Err(unlike(unit, "register", name, problem));
        }
        let rams = Rams::new(&form, layout)?;
        Ok(Self {
            form,
            sim,
            inputs,
            outputs,
            flops,
            values,
            limited,
            late,
            rams,
        })
    }

    pub fn sim(&self) -> &Sim {
        &self.sim
    }

    pub fn sim_mut(&mut self) -> &mut Sim {
        &mut self.sim
    }

    /// What the golden model has.
    pub fn form(&self) -> &Form {
        &self.form
    }

    /// Its registers.
    pub fn fields(&self) -> &[StateField] {
        &self.form.state
    }

    /// Puts packed values on the input ports.
    #[inline]
    pub fn drive(&mut self, words: &[u64]) {
        for wire in &self.inputs {
            if wire.port.width() <= 64 {
                self.sim.set(wire.slot, words[wire.at]);
            } else {
                self.sim.set_words(wire.slot, &words[wire.at..]);
            }
        }
    }

    /// Gives the flops the golden model's values, and those that it does not have what is given
    /// for them by name, else what they hold after power-on.
    pub fn load(&mut self, state: &[u64], others: &[(String, u128)]) {
        self.sim.power_on();
        for (&slot, &value) in self.flops.iter().zip(state) {
            self.sim.set(slot, value);
        }
        // What a counter holds that has just passed its limit; at the limit it would look alike with
        // its mark lost.
        let words = self.sim.state_words();
        let beyond = self.limited.iter().flat_map(|it| it.beyond(words));
        for field in beyond.collect::<Vec<_>>() {
            self.sim.set(self.flops[field as usize], 0);
        }
        // Behind them, since a flop that is late may have to hold something else.
        for (flop, value) in others {
            // A netlist of one's own may have none of that name.
            if let Ok(slot) = self.sim.layout().state(flop) {
                let words = [*value as u64, (*value >> 64) as u64];
                self.sim.set_words(slot, &words);
            }
        }
    }

    /// Gives the RAMs the golden model's words.
    pub fn load_memory(&mut self, contents: &dyn Contents) {
        self.rams.load(&mut self.sim, contents);
    }

    /// There are RAMs.
    #[inline]
    pub fn has_memory(&self) -> bool {
        !self.rams.is_empty()
    }

    /// Whether a word of a RAM is the golden model's.
    #[inline]
    pub fn agrees_in_word(&mut self, contents: &dyn Contents, word: (usize, usize)) -> bool {
        self.rams.agrees(&self.sim, contents, word)
    }

    /// How a word of a RAM differs.
    pub fn word_difference(
        &mut self,
        contents: &dyn Contents,
        word: (usize, usize),
    ) -> Option<Difference> {
        self.rams.difference(&self.sim, contents, word)
    }

    /// The first word of all RAMs that differs.
    pub fn memory_difference(&mut self, contents: &dyn Contents) -> Option<Difference> {
        self.rams.first_difference(&self.sim, contents)
    }

    /// Whether outputs and registers are those of the golden model.
    #[inline]
    pub fn agrees(&self, outputs: &[u64], state: &[u64]) -> bool {
        self.agrees_in_state(state) && self.agrees_in_outputs(outputs)
    }

    #[inline]
    pub fn agrees_in_outputs(&self, words: &[u64]) -> bool {
        // Without a branch per port, as below.
        let differing = self.outputs.iter().fold(0, |bits, wire| {
            let dut = self.sim.get_words(wire.slot);
            let pairs = dut.iter().zip(&words[wire.at..]);
            pairs.fold(bits, |bits, (dut, golden)| bits | (dut ^ golden))
        });
        differing == 0
    }

    #[inline]
    pub fn agrees_in_state(&self, state: &[u64]) -> bool {
        let words = self.sim.state_words();
        // Without one branch per register: they agree in all but one cycle.
        let values = self.values.iter();
        let differing = values.fold(0, |bits, run| bits | run.differing(words, state));
        let limited = self.limited.iter();
        let differing = limited.fold(differing, |bits, counters| {
            bits | counters.differing(words, state)
        });
        let differing = self.late.iter().fold(differing, |bits, register| {
            bits | (register.value(words) ^ state[register.field as usize])
        });
        differing == 0
    }

    /// The first output that differs.
    pub fn output_difference(&self, words: &[u64]) -> Option<Difference> {
        self.outputs.iter().find_map(|wire| {
            let golden = &words[wire.at..wire.at + wire.port.words()];
            let dut = self.sim.get_words(wire.slot);
            let elements = 0..wire.port.elements;
            let first = elements
                .map(|i| (i, wire.port.element(dut, i), wire.port.element(golden, i)))
                .find(|(_, dut, golden)| dut != golden);
            let difference = first.map(|(i, dut, golden)| Difference {
                field: wire.port.element_name(i),
                dut,
                golden,
            });
            // Bits beyond the port, which only a golden model can have.
            let beyond = || Difference {
                field: wire.port.name.into(),
                dut: dut[dut.len() - 1],
                golden: golden[golden.len() - 1],
            };
            difference.or_else(|| (dut != golden).then(beyond))
        })
    }

    /// The first register that differs.
    pub fn state_difference(&self, state: &[u64]) -> Option<Difference> {
        let words = self.sim.state_words();
        let values = self.values.iter().flat_map(|run| run.each());
        let values = values.map(|(field, word)| (field, words[word as usize]));
        let limited = self.limited.iter();
        let limited = limited.flat_map(|counters| counters.each(words));
        let late = self.late.iter();
        let late = late.map(|register| (register.field, register.value(words)));
        let differing = values
            .chain(limited)
            .chain(late)
            .filter(|&(field, dut)| dut != state[field as usize]);
        let (field, dut) = differing.min_by_key(|&(field, _)| field)?;
        Some(Difference {
            field: self.fields()[field as usize].name.clone(),
            dut,
            golden: state[field as usize],
        })
    }
}

/// Pairs the golden model's ports with the netlist's.
fn wires(
    unit: &'static str,
    kind: &'static str,
    ports: &[Port],
    found: &[(&str, Slot)],
) -> Result<Vec<Wire>> {
    let mut at = 0;
    let mut wires = Vec::new();
    for &port in ports {
        let Some((_, slot)) = found.iter().find(|(name, _)| *name == port.name) else {
            let problem = "the netlist has none of this name".into();
            return Err(unlike(unit, kind, port.name, problem));
        };
        if slot.width() != port.width() {
            let problem = format!(
                "{} bits in the netlist, {} in the golden model",
                slot.width(),
                port.width()
            );
            return Err(unlike(unit, kind, port.name, problem));
        }
        wires.push(Wire {
            port,
            slot: *slot,
            at,
        });
        at += port.words();
    }
    let missing = found
        .iter()
        .find(|(name, _)| !wires.iter().any(|wire: &Wire| wire.port.name == *name));
    match missing {
        Some((name, _)) => {
            let problem = "the golden model has none of this name".into();
            Err(unlike(unit, kind, name, problem))
        }
        None => Ok(wires),
    }
}
