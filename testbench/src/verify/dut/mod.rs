//! The design under test: a simulation of the netlist, with ports in the order of the golden model.

mod differ;
mod memory;

use std::collections::BTreeSet;

use cotenant_netlist::sim::{Engine, Sim, Slot};
use cotenant_netlist::{Netlist, Reg};

use crate::error::{Error, Result};
use differ::unlike;
pub(crate) use differ::Difference;
use memory::{of_a_ram, Rams};

use crate::verify::interface::{Interface, ParamsOf, Port, Probe, StateField, StateOf};

/// A port's place in the simulator and in a row of packed words.
#[derive(Debug, Clone)]
struct Wire {
    port: Port,
    slot: Slot,
    /// First word within the row.
    at: usize,
}

/// Words of the simulator's state that hold a counter and that it has passed its limit.
#[derive(Debug, Clone, Copy)]
struct Limited {
    count: u32,
    passed: u32,
    bit: u32,
    limit: u64,
    field: u32,
}

impl Limited {
    /// The counter as the golden model has it.
    #[inline]
    fn value(self, words: &[u64]) -> u64 {
        let passed = words[self.passed as usize] >> self.bit & 1;
        words[self.count as usize] | passed.wrapping_neg() & self.limit
    }
}

/// The design under test.
#[derive(Debug, Clone)]
pub(crate) struct Dut {
    sim: Sim,
    inputs: Vec<Wire>,
    outputs: Vec<Wire>,
    fields: Vec<StateField>,
    /// The flop of each field.
    flops: Vec<Slot>,
    /// Word of the simulator's state that holds a field.
    values: Vec<(u32, u32)>,
    /// Counters that stay at their limit in the golden model alone.
    limited: Vec<Limited>,
    rams: Rams,
}

impl Dut {
    /// Compiles a netlist and finds the golden model's ports and registers in it.
    ///
    /// # Errors
    /// [`Error::Simulate`], [`Error::Interface`]: what one side has and the other has not.
    pub fn new<U: Interface>(
        params: &ParamsOf<U>,
        netlist: &Netlist,
        engine: Engine,
    ) -> Result<Self> {
        let failed = |source| Error::Simulate {
            unit: U::NAME,
            source,
        };
        let sim = Sim::with_engine(netlist, engine).map_err(failed)?;
        let layout = sim.layout();
        let found: Vec<(&str, Slot)> = layout.inputs().collect();
        let inputs = wires::<U>("input", U::inputs(params), &found)?;
        let found: Vec<(&str, Slot)> = layout.outputs().collect();
        let outputs = wires::<U>("output", U::outputs(params), &found)?;
        let fields = U::state(params);
        let (mut flops, mut values) = (Vec::new(), Vec::new());
        let mut limited = Vec::new();
        let start = layout.state_range().start;
        for (index, field) in (0..).zip(&fields) {
            let slot = layout.state(field.probe.flop()).map_err(failed)?;
            flops.push(slot);
            match &field.probe {
                Probe::Value(_) if slot.width() == field.width => {
                    values.push(((slot.offset() - start) as u32, index));
                }
                Probe::Limited { passed, bit, .. } if slot.width() == field.width => {
                    let passed = layout.state(passed).map_err(failed)?;
                    limited.push(Limited {
                        count: (slot.offset() - start) as u32,
                        passed: (passed.offset() - start + bit / 64) as u32,
                        bit: (bit % 64) as u32,
                        limit: u64::MAX >> (64 - field.width),
                        field: index,
                    });
                }
                Probe::Value(_) | Probe::Limited { .. } => {
                    let problem = format!(
                        "{} bits in the netlist, {} in the golden model",
                        slot.width(),
                        field.width
                    );
                    return Err(unlike::<U>("register", &field.name, problem));
                }
            }
        }
        let compared: BTreeSet<&str> = fields.iter().map(|f| f.probe.flop()).collect();
        if let Some((name, _)) = layout.registers().find(|(name, _)| {
            !compared.contains(name) && !U::working(name) && !of_a_ram(name, layout)
        }) {
            let problem = "the golden model has nothing to compare it with".into();
            return Err(unlike::<U>("register", name, problem));
        }
        let rams = Rams::new::<U>(params, layout)?;
        Ok(Self {
            sim,
            inputs,
            outputs,
            fields,
            flops,
            values,
            limited,
            rams,
        })
    }

    pub fn sim(&self) -> &Sim {
        &self.sim
    }

    pub fn sim_mut(&mut self) -> &mut Sim {
        &mut self.sim
    }

    pub fn fields(&self) -> &[StateField] {
        &self.fields
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
        for (flop, value) in others {
            // A netlist of one's own may have none of that name.
            if let Ok(slot) = self.sim.layout().state(flop) {
                let words = [*value as u64, (*value >> 64) as u64];
                self.sim.set_words(slot, &words);
            }
        }
        for (&slot, &value) in self.flops.iter().zip(state) {
            // Beyond a limit any value will do.
            self.sim.set(slot, value);
        }
    }

    /// Gives the RAMs the golden model's words.
    pub fn load_memory<U: Interface>(&mut self, params: &ParamsOf<U>, state: &StateOf<U>) {
        self.rams.load::<U>(&mut self.sim, params, state);
    }

    /// There are RAMs.
    #[inline]
    pub fn has_memory(&self) -> bool {
        !self.rams.is_empty()
    }

    /// How a word of a RAM differs.
    #[inline]
    pub fn word_difference<U: Interface>(
        &mut self,
        params: &ParamsOf<U>,
        state: &StateOf<U>,
        word: (usize, usize),
    ) -> Option<Difference> {
        self.rams.difference::<U>(&self.sim, params, state, word)
    }

    /// The first word of all RAMs that differs.
    pub fn memory_difference<U: Interface>(
        &mut self,
        params: &ParamsOf<U>,
        state: &StateOf<U>,
    ) -> Option<Difference> {
        self.rams.first_difference::<U>(&self.sim, params, state)
    }

    /// Whether outputs and registers are those of the golden model.
    #[inline]
    pub fn agrees(&self, outputs: &[u64], state: &[u64]) -> bool {
        self.agrees_in_state(state) && self.agrees_in_outputs(outputs)
    }

    #[inline]
    pub fn agrees_in_outputs(&self, words: &[u64]) -> bool {
        self.outputs.iter().all(|wire| {
            let golden = &words[wire.at..wire.at + wire.port.words()];
            self.sim.get_words(wire.slot) == golden
        })
    }

    #[inline]
    pub fn agrees_in_state(&self, state: &[u64]) -> bool {
        let words = self.sim.state_words();
        // Without one branch per register: they agree in all but one cycle.
        let differing = self.values.iter().fold(0, |bits, &(at, field)| {
            bits | (words[at as usize] ^ state[field as usize])
        });
        let differing = self.limited.iter().fold(differing, |bits, counter| {
            bits | (counter.value(words) ^ state[counter.field as usize])
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
        let values = self
            .values
            .iter()
            .map(|&(at, field)| (field, words[at as usize]));
        let limited = self.limited.iter();
        let limited = limited.map(|counter| (counter.field, counter.value(words)));
        let differing = values
            .chain(limited)
            .filter(|&(field, dut)| dut != state[field as usize]);
        let (field, dut) = differing.min_by_key(|&(field, _)| field)?;
        Some(Difference {
            field: self.fields[field as usize].name.clone(),
            dut,
            golden: state[field as usize],
        })
    }
}

/// The flops of a netlist, without those of its RAMs, that no register of the golden model is
/// compared with; of a RAM only the words are.
pub(crate) fn not_compared<'a, U: Interface>(
    params: &ParamsOf<U>,
    netlist: &'a Netlist,
) -> Vec<&'a Reg> {
    let fields = U::state(params);
    let compared: BTreeSet<&str> = fields.iter().flat_map(|f| f.probe.flops()).collect();
    let flops = netlist.regs.iter();
    flops
        .filter(|reg| !compared.contains(reg.name.as_str()))
        .collect()
}

/// Pairs the golden model's ports with the netlist's.
fn wires<U: Interface>(
    kind: &'static str,
    ports: Vec<Port>,
    found: &[(&str, Slot)],
) -> Result<Vec<Wire>> {
    let mut at = 0;
    let mut wires = Vec::new();
    for port in ports {
        let Some((_, slot)) = found.iter().find(|(name, _)| *name == port.name) else {
            let problem = "the netlist has none of this name".into();
            return Err(unlike::<U>(kind, port.name, problem));
        };
        if slot.width() != port.width() {
            let problem = format!(
                "{} bits in the netlist, {} in the golden model",
                slot.width(),
                port.width()
            );
            return Err(unlike::<U>(kind, port.name, problem));
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
            Err(unlike::<U>(kind, name, problem))
        }
        None => Ok(wires),
    }
}
