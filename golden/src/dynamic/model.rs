//! A model without its types.

use std::fmt;

use serde_json::Value;

use super::error::Error;
use super::registry::Unit;
use super::settings::Settings;
use super::typed::{typed, Erased};
use crate::model::Model;
use crate::ports::{Formula, Port};

/// A golden model without its types; made by [`Unit::model`].
///
/// A clone goes on from the same state on its own, so it serves as a saved state too; see
/// [`restore`](AnyModel::restore).
pub struct AnyModel {
    unit: &'static Unit,
    settings: Settings,
    inputs: Vec<Port>,
    outputs: Vec<Port>,
    model: Box<dyn Erased>,
}

impl fmt::Debug for AnyModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// `gdcu WAYS=4,KERNELS=4,CNT_W=21,STAGES=1`.
impl fmt::Display for AnyModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.unit.name(), self.settings)
    }
}

impl Clone for AnyModel {
    fn clone(&self) -> Self {
        Self {
            unit: self.unit,
            settings: self.settings.clone(),
            inputs: self.inputs.clone(),
            outputs: self.outputs.clone(),
            model: self.model.copy(),
        }
    }
}

fn words(ports: &[Port]) -> usize {
    ports.iter().map(Port::words).sum()
}

fn as_long(what: &'static str, given: usize, ports: &[Port]) -> Result<(), Error> {
    let expected = words(ports);
    match given == expected {
        true => Ok(()),
        false => Err(Error::Words {
            what,
            given,
            expected,
        }),
    }
}

impl AnyModel {
    pub(super) fn new(unit: &'static Unit, settings: Settings, model: Box<dyn Erased>) -> Self {
        Self {
            unit,
            settings,
            inputs: model.inputs(),
            outputs: model.outputs(),
            model,
        }
    }

    /// What it is a model of.
    pub fn unit(&self) -> &'static Unit {
        self.unit
    }

    /// The model with its types, if it is one of these.
    pub fn typed<M: Model + 'static>(&self) -> Option<&M> {
        typed(&*self.model)
    }

    /// Its parameters.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Input ports; the clock is none of them.
    pub fn inputs(&self) -> &[Port] {
        &self.inputs
    }

    /// Output ports.
    pub fn outputs(&self) -> &[Port] {
        &self.outputs
    }

    /// Widths of inputs and outputs as formulas over the parameters.
    pub fn formulas(&self) -> (Vec<Formula>, Vec<Formula>) {
        self.model.formulas()
    }

    /// Whether there is a reset, and so a clock; without, the outputs follow from the inputs alone.
    pub fn is_clocked(&self) -> bool {
        self.inputs.iter().any(|port| port.name == "reset")
    }

    /// A row for the inputs, all 0.
    pub fn input_row(&self) -> Vec<u64> {
        vec![0; words(&self.inputs)]
    }

    /// A row for the outputs.
    pub fn output_row(&self) -> Vec<u64> {
        vec![0; words(&self.outputs)]
    }

    /// Whether the unit may be driven with these inputs in its present state.
    ///
    /// # Errors
    /// [`Error::Words`]; [`Error::Input`] with the reason.
    pub fn legal(&self, inputs: &[u64]) -> Result<(), Error> {
        as_long("inputs", inputs.len(), &self.inputs)?;
        Ok(self.model.legal(inputs)?)
    }

    /// One clock cycle: gives the outputs seen during the cycle, then passes the clock edge.
    ///
    /// Inputs that fit their ports but are not [legal](AnyModel::legal) are taken; what they do is
    /// unspecified.
    ///
    /// # Errors
    /// [`Error::Words`]; [`Error::Input`] if a value does not fit its port. Nothing has happened
    /// then.
    pub fn step(&mut self, inputs: &[u64], outputs: &mut [u64]) -> Result<(), Error> {
        as_long("inputs", inputs.len(), &self.inputs)?;
        as_long("outputs", outputs.len(), &self.outputs)?;
        Ok(self.model.step(inputs, outputs)?)
    }

    /// Puts every register back to its reset value.
    pub fn reset(&mut self) {
        self.model.reset();
    }

    /// The registers as they are before the next clock edge, by name. Masks are numbers.
    pub fn state(&self) -> Value {
        // Structs of numbers, flags and sequences have a form in JSON.
        self.model.state().unwrap_or(Value::Null)
    }

    /// The value of one register: `sequence_number`, `count[2][1]`, `gdcu.count[2][1]`; a flag is 0
    /// or 1. `None` if there is none of this name.
    pub fn register(&self, name: &str) -> Option<u64> {
        let state = self.state();
        let mut at = &state;
        for part in name.split('.') {
            let (field, subscripts) = part.split_at(part.find('[').unwrap_or(part.len()));
            at = at.get(field)?;
            if subscripts.is_empty() {
                continue;
            }
            let inner = subscripts.strip_prefix('[')?.strip_suffix(']')?;
            for subscript in inner.split("][") {
                at = at.get(subscript.parse::<usize>().ok()?)?;
            }
        }
        at.as_u64().or_else(|| at.as_bool().map(u64::from))
    }

    /// Goes on from the state of another model of the same unit with the same parameters.
    ///
    /// # Errors
    /// [`Error::OtherState`] if it is none.
    pub fn restore(&mut self, state: &Self) -> Result<(), Error> {
        let same = std::ptr::eq(self.unit, state.unit) && self.settings == state.settings;
        if same && self.model.become_copy(&*state.model) {
            return Ok(());
        }
        Err(Error::OtherState {
            given: state.to_string(),
            expected: self.to_string(),
        })
    }
}
