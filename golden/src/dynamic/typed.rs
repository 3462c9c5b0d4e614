//! A golden model behind words.

use std::any::Any;

use crate::model::{Model, ParamError, Violation};
use crate::ports::{Formula, Packer, Parameter, Parameters, Port, Ports, Unpacker};

use super::settings::Settings;

/// What is known of a unit before there is a model of it.
pub(super) struct Kind {
    pub parameters: fn() -> Vec<Parameter>,
    pub make: fn(&Settings) -> Result<Box<dyn Erased>, ParamError>,
}

impl Kind {
    pub const fn of<M>() -> Self
    where
        M: Model + Clone + Send + Sync + 'static,
        M::Params: Send + Sync,
        M::In: Ports<M::Params>,
        M::Out: Ports<M::Params>,
    {
        Self {
            parameters: M::Params::described,
            make: |settings| {
                let params = M::Params::named(|name| settings.value(name), |error| error)?;
                Ok(Box::new(Typed {
                    model: M::new(params)?,
                }))
            },
        }
    }
}

/// A model without its types.
pub(super) trait Erased: Send + Sync {
    fn inputs(&self) -> Vec<Port>;
    fn outputs(&self) -> Vec<Port>;
    /// Those of the inputs, and those of the outputs.
    fn formulas(&self) -> (Vec<Formula>, Vec<Formula>);
    fn legal(&self, inputs: &[u64]) -> Result<(), Violation>;
    /// Rows are as long as the ports need.
    fn step(&mut self, inputs: &[u64], outputs: &mut [u64]) -> Result<(), Violation>;
    fn reset(&mut self);
    fn state(&self) -> serde_json::Result<serde_json::Value>;
    fn copy(&self) -> Box<dyn Erased>;
    fn any(&self) -> &dyn Any;
    /// Goes on as a copy of `other`, if that is of the same type.
    fn become_copy(&mut self, other: &dyn Erased) -> bool;
}

/// The model in the box, if it is of this type.
pub(super) fn typed<M: 'static>(model: &dyn Erased) -> Option<&M> {
    let typed = model.any().downcast_ref::<Typed<M>>();
    typed.map(|typed| &typed.model)
}

#[derive(Clone)]
struct Typed<M> {
    model: M,
}

impl<M> Erased for Typed<M>
where
    M: Model + Clone + Send + Sync + 'static,
    M::In: Ports<M::Params>,
    M::Out: Ports<M::Params>,
{
    fn inputs(&self) -> Vec<Port> {
        M::In::ports(self.model.params())
    }

    fn outputs(&self) -> Vec<Port> {
        M::Out::ports(self.model.params())
    }

    fn formulas(&self) -> (Vec<Formula>, Vec<Formula>) {
        let params = self.model.params();
        (M::In::formulas(params), M::Out::formulas(params))
    }

    fn legal(&self, inputs: &[u64]) -> Result<(), Violation> {
        let input = M::In::unpack(self.model.params(), &mut Unpacker::new(inputs))?;
        self.model.assume(&input)
    }

    fn step(&mut self, inputs: &[u64], outputs: &mut [u64]) -> Result<(), Violation> {
        let input = M::In::unpack(self.model.params(), &mut Unpacker::new(inputs))?;
        let out = self.model.step(&input);
        out.pack(self.model.params(), &mut Packer::new(outputs));
        Ok(())
    }

    fn reset(&mut self) {
        self.model.reset();
    }

    fn state(&self) -> serde_json::Result<serde_json::Value> {
        serde_json::to_value(self.model.state())
    }

    fn copy(&self) -> Box<dyn Erased> {
        Box::new(self.clone())
    }

    fn any(&self) -> &dyn Any {
        self
    }

    fn become_copy(&mut self, other: &dyn Erased) -> bool {
        match other.any().downcast_ref::<Self>() {
            Some(other) => {
                self.clone_from(other);
                true
            }
            None => false,
        }
    }
}
