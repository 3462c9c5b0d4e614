//! A unit without its types, so that what works with any unit is compiled once and not once per
//! unit: its ports and registers as data, its golden model behind rows of words.

use cotenant_golden::{Model, Violation};

use super::{unpack_in, InOf, Interface, Memory, Packer, ParamsOf, Port, StateField, ValueNames};
use crate::error::Result;

/// Cycles of reset in front of a run: nothing is to be compared in the first, in which flops are
/// still unknown.
pub const RESET_CYCLES: u64 = 2;

/// Ports, registers and RAMs of a unit with given parameters; made by [`Interface::form`].
#[derive(Debug, Clone)]
pub struct Form {
    /// Name of the unit.
    pub unit: &'static str,
    /// See [`Interface::inputs`].
    pub inputs: Vec<Port>,
    /// See [`Interface::outputs`].
    pub outputs: Vec<Port>,
    /// See [`Interface::state`].
    pub state: Vec<StateField>,
    /// See [`Interface::memories`].
    pub memories: Vec<Memory>,
    /// See [`Interface::working`].
    pub working: fn(&str) -> bool,
    /// See [`Interface::codes`].
    pub codes: fn(&str) -> Option<ValueNames>,
}

impl Form {
    /// Whether there is a reset, and so a clock.
    pub fn has_reset(&self) -> bool {
        self.inputs.iter().any(|port| port.name == "reset")
    }

    /// Cycles of reset in front of a run: none where there is nothing to reset.
    pub fn reset_cycles(&self) -> u64 {
        match self.has_reset() {
            true => RESET_CYCLES,
            false => 0,
        }
    }

    /// A row for the inputs, all 0, in which each port starts a new word.
    pub fn input_row(&self) -> Vec<u64> {
        row(&self.inputs)
    }

    /// Such a row for the outputs.
    pub fn output_row(&self) -> Vec<u64> {
        row(&self.outputs)
    }

    /// Sets the reset in a row of inputs.
    pub fn reset(&self, row: &mut [u64]) {
        let mut at = 0;
        for port in &self.inputs {
            if port.name == "reset" {
                row[at] = 1;
            }
            at += port.words();
        }
    }
}

fn row(ports: &[Port]) -> Vec<u64> {
    vec![0; ports.iter().map(Port::words).sum()]
}

/// A golden model without its types; made by [`Interface::any_model`].
pub trait AnyModel {
    /// Takes a row of inputs as those of the next cycle.
    ///
    /// # Errors
    /// [`Error::Interface`](crate::Error::Interface) if ports and the model's fields do not fit.
    fn take(&mut self, inputs: &[u64]) -> Result<()>;

    /// Whether they are legal.
    ///
    /// # Errors
    /// What they violate.
    fn assume(&self) -> std::result::Result<(), Violation>;

    /// Goes through the cycle and writes a row of outputs.
    fn step(&mut self, outputs: &mut [u64]);

    /// Writes a row of the registers as they are now, a word each, as [`Form::state`] has them.
    fn registers(&self, row: &mut [u64]);

    /// Whether a cycle does the same with each of these rows of inputs, and all are legal: what differs
    /// among them is ignored in it. Of a row of outputs the words count that `watched` has.
    ///
    /// # Errors
    /// As [`take`](AnyModel::take).
    fn same(&self, rows: &[Vec<u64>], watched: &[bool]) -> Result<bool>;
}

/// A golden model, its parameters and the inputs of a cycle.
pub(crate) struct Typed<U: Interface> {
    pub params: ParamsOf<U>,
    pub model: U::Model,
    pub inputs: Vec<Port>,
    pub input: InOf<U>,
}

impl<U: Interface> Typed<U> {
    /// # Errors
    /// As [`Interface::model`].
    pub fn new(params: &ParamsOf<U>) -> Result<Self> {
        Ok(Self {
            params: params.clone(),
            model: U::model(params)?,
            inputs: U::inputs(params),
            input: InOf::<U>::default(),
        })
    }
}

impl<U: Interface> AnyModel for Typed<U> {
    fn take(&mut self, inputs: &[u64]) -> Result<()> {
        self.input = unpack_in::<U>(&self.inputs, inputs)?;
        Ok(())
    }

    fn assume(&self) -> std::result::Result<(), Violation> {
        self.model.assume(&self.input)
    }

    fn step(&mut self, outputs: &mut [u64]) {
        let out = self.model.step(&self.input);
        U::pack_out(&self.params, &out, &mut Packer::new(outputs));
    }

    fn registers(&self, row: &mut [u64]) {
        U::pack_state(&self.params, self.model.state(), &mut Packer::new(row));
    }

    fn same(&self, rows: &[Vec<u64>], watched: &[bool]) -> Result<bool> {
        let mut first = None;
        for row in rows {
            let input = unpack_in::<U>(&self.inputs, row)?;
            if self.model.assume(&input).is_err() {
                return Ok(false);
            }
            let mut model = self.model.clone();
            let out = model.step(&input);
            let mut outputs = vec![0; watched.len()];
            U::pack_out(&self.params, &out, &mut Packer::new(&mut outputs));
            for (word, watched) in outputs.iter_mut().zip(watched) {
                *word *= u64::from(*watched);
            }
            let (before, after) = first.get_or_insert_with(|| (outputs.clone(), model.clone()));
            if *before != outputs || after.state() != model.state() {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
