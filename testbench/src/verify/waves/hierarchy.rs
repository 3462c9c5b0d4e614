//! The scopes of a unit: the signals of netlist and golden model in the same order, under the names
//! of the RTL.
//!
//! Both have the ports, and below them the registers in the netlist's hierarchy; those that only
//! the netlist has come last. `nets`, if wanted, holds what else there is in the netlist.

use std::collections::BTreeSet;

use cotenant_netlist::sim::{Sim, Slot};
use cotenant_units::table::ParameterSet;
use cotenant_waveforms::{Fill, Scope, Signal};

use super::look;
use super::tree::Tree;
use crate::verify::dut::{Difference, Dut};
use crate::verify::interface::{Form, Port, StateField};

/// A cycle of both sides.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cycle<'a> {
    /// Inputs, packed.
    pub input: &'a [u64],
    /// The netlist, whose outputs are those of the cycle.
    pub sim: &'a Sim,
    /// The netlist's state words during the cycle.
    pub dut_state: &'a [u64],
    /// The golden model's outputs, packed.
    pub output: &'a [u64],
    /// The golden model's registers during the cycle.
    pub state: &'a [u64],
    /// The netlist's inner signals, if the hierarchy has them.
    pub nets: &'a [u64],
}

/// Where a signal's value is in a row of words.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place {
    first: usize,
    words: usize,
    width: usize,
}

impl Place {
    fn of(first: usize, width: usize) -> Self {
        let words = width.div_ceil(64);
        Self {
            first,
            words,
            width,
        }
    }

    /// Puts the value of a row.
    pub fn put(self, out: &mut Fill<'_>, words: &[u64]) {
        match self.width {
            // A model that is wrong may hold more than there is room for.
            1..=63 => out.put(words[self.first] & (u64::MAX >> (64 - self.width))),
            _ => out.put_limbs(&words[self.first..self.first + self.words]),
        }
    }
}

/// Where ports are in a row in which each starts a new word.
pub(crate) fn places(ports: &[Port]) -> Vec<Place> {
    let mut at = 0;
    let place = |port: &Port| {
        let place = Place::of(at, port.width());
        at += place.words;
        place
    };
    ports.iter().map(place).collect()
}

/// The golden model's registers under the names of the netlist's, and where they are in a row of
/// [`pack_state`](crate::verify::interface::Interface::pack_state).
pub(crate) fn golden_registers(form: &Form, fields: &[StateField]) -> Tree<Place> {
    let mut tree = Tree::default();
    for (index, field) in fields.iter().enumerate() {
        let register = look::register(form, field, field.width);
        tree.insert(register, Place::of(index, field.width));
    }
    tree
}

/// The scope of netlist or golden model: ports, and what is in a scope of registers.
pub(crate) fn side(form: &Form, name: &str, registers: Scope) -> Scope {
    let golden = name == GOLDEN;
    let of = |ports: &[Port], group: &str| -> Vec<Signal> {
        let ports = ports.iter().map(|port| look::port(form, port, group));
        // Both sides have the same inputs: once is enough to look at.
        match golden && group == "inputs" {
            true => ports.map(Signal::folded).collect(),
            false => ports.collect(),
        }
    };
    let colour = if golden { look::GOLDEN } else { look::DUT };
    let mut scope = Scope::module(name)
        .colour(colour)
        .signals(of(&form.inputs, "inputs"))
        .signals(of(&form.outputs, "outputs"));
    scope.items.extend(registers.items);
    scope
}

/// Name of the golden model's scope.
pub(crate) const GOLDEN: &str = "golden";
/// Name of the scope of what is checked.
pub(crate) const DUT: &str = "dut";

/// The scopes of a unit, and where their values are.
#[derive(Debug)]
pub(crate) struct Sides {
    dut: Scope,
    golden: Scope,
    nets: Option<Scope>,
    parameters: Scope,
    inputs: Vec<Place>,
    dut_outputs: Vec<Slot>,
    outputs: Vec<Place>,
    /// In the netlist's state, in the wave's order.
    dut_registers: Vec<Place>,
    /// In the golden model's, likewise.
    registers: Vec<Place>,
    dut_nets: Vec<Place>,
    values: Vec<u64>,
    /// Names of differences, and of the signals that show them.
    fields: Vec<(String, String)>,
    has_reset: bool,
}

impl Sides {
    /// Of a unit with a parameter set; with the netlist's inner signals if wanted.
    pub fn new(set: &ParameterSet, dut: &Dut, nets: bool) -> Self {
        let layout = dut.sim().layout();
        let form = dut.form();
        let (inputs, outputs) = (&form.inputs, &form.outputs);
        let mut fields = Vec::new();
        let mut dut_tree = Tree::default();
        let start = layout.state_range().start;
        let mut compared = BTreeSet::new();
        for field in dut.fields() {
            let flop = field.probe.flop();
            compared.insert(flop);
            fields.push((field.name.clone(), flop.to_owned()));
            // The netlist was searched for them when it was built.
            if let Ok(slot) = layout.state(flop) {
                dut_tree.insert(
                    look::register(form, field, slot.width()),
                    Place::of(slot.offset() - start, slot.width()),
                );
            }
        }
        for (name, slot) in layout.registers() {
            if !compared.contains(name) {
                dut_tree.insert(
                    look::hidden(name, slot.width()),
                    Place::of(slot.offset() - start, slot.width()),
                );
            }
        }
        let (mut dut_registers, mut registers) = (Vec::new(), Vec::new());
        let dut_scope = side(form, DUT, dut_tree.scope("", &mut dut_registers));
        let golden_tree = golden_registers(form, dut.fields());
        let golden_scope = side(form, GOLDEN, golden_tree.scope("", &mut registers));
        fields.extend(inputs.iter().chain(outputs).flat_map(|port| {
            (0..port.elements).map(|i| (port.element_name(i), port.name.to_owned()))
        }));
        let mut parameters = Scope::module("parameters").folded();
        for (name, _) in &set.params {
            parameters.push_signal(look::parameter(form, name));
        }
        let mut dut_nets = Vec::new();
        let nets = nets.then(|| inner(dut, &mut dut_nets));
        Self {
            dut: dut_scope,
            golden: golden_scope,
            nets,
            parameters,
            dut_outputs: outputs
                .iter()
                .filter_map(|port| layout.output(port.name).ok())
                .collect(),
            has_reset: inputs.first().is_some_and(|port| port.name == "reset"),
            inputs: places(inputs),
            outputs: places(outputs),
            dut_registers,
            registers,
            dut_nets,
            values: set.params.iter().map(|(_, value)| *value as u64).collect(),
            fields,
        }
    }

    /// Whether there is a reset, and so a clock.
    pub fn has_reset(&self) -> bool {
        self.has_reset
    }

    /// The reset.
    pub fn reset(&self, cycle: &Cycle<'_>) -> bool {
        self.has_reset && cycle.input[0] != 0
    }

    /// Adds its scopes.
    pub fn declare(&self, scope: &mut Scope) {
        scope.push_scope(self.dut.clone());
        scope.push_scope(self.golden.clone());
        if !self.values.is_empty() {
            scope.push_scope(self.parameters.clone());
        }
        self.nets
            .iter()
            .for_each(|nets| scope.push_scope(nets.clone()));
    }

    /// One value per signal, in the order of declaration.
    pub fn fill(&self, out: &mut Fill<'_>, cycle: &Cycle<'_>) {
        let all = |out: &mut Fill<'_>, places: &[Place], words: &[u64]| {
            places.iter().for_each(|place| place.put(out, words));
        };
        all(out, &self.inputs, cycle.input);
        for slot in &self.dut_outputs {
            out.put_limbs(cycle.sim.get_words(*slot));
        }
        all(out, &self.dut_registers, cycle.dut_state);
        all(out, &self.inputs, cycle.input);
        all(out, &self.outputs, cycle.output);
        all(out, &self.registers, cycle.state);
        out.put_all(self.values.iter().copied());
        all(out, &self.dut_nets, cycle.nets);
    }

    /// Paths, in a unit's scope, of the signals in which a difference is: the netlist's, then the
    /// golden model's. RAM words are in no wave.
    pub fn showing(&self, field: &str) -> Option<[String; 2]> {
        let (_, path) = self.fields.iter().find(|(name, _)| name == field)?;
        Some([DUT, GOLDEN].map(|side| format!("{side}.{path}")))
    }
}

/// The netlist's signals that are neither ports nor registers.
fn inner(dut: &Dut, order: &mut Vec<Place>) -> Scope {
    let layout = dut.sim().layout();
    let ports = layout.inputs().chain(layout.outputs());
    let shown: BTreeSet<&str> = ports
        .chain(layout.registers())
        .map(|(name, _)| name)
        .collect();
    let mut tree = Tree::default();
    for (name, slot) in layout.signals() {
        // What comes out of a flop's block is the register.
        let register = name.strip_suffix(".q").unwrap_or(name);
        if !shown.contains(name) && !shown.contains(register) {
            tree.insert(
                look::net(name, slot.width()),
                Place::of(slot.offset(), slot.width()),
            );
        }
    }
    tree.scope("nets", order).folded()
}

/// A difference as a text, as reports have it.
pub(crate) fn describe(difference: &Difference) -> String {
    let Difference { field, dut, golden } = difference;
    format!("{field}: dut {dut}, golden {golden}")
}
