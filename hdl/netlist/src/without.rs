//! Removes an instance from a design; its outputs become inputs, and its inputs outputs.

use crate::error::Error;
use crate::ir::{Body, NetKind};
use crate::Netlist;

/// Why a part cannot be left out.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WithoutError {
    /// No instance of the top block has that name.
    #[error("there is no instance '{instance}' in the top block: expected one of {known}")]
    Unknown {
        /// The name.
        instance: String,
        /// The instances that there are.
        known: String,
    },
    /// What is left is no design.
    #[error(transparent)]
    Rest(#[from] Error),
}

impl Netlist {
    /// The design without an instance of the top block: what `monitor` put out as `ready` is an
    /// input `monitor.ready`, which may be anything in any cycle. So what holds of the rest holds
    /// with whatever stands there. What the instance was given is put out, but for the clock.
    ///
    /// # Errors
    /// [`WithoutError::Unknown`] if there is no such instance.
    pub fn without(&self, instance: &str) -> Result<Netlist, WithoutError> {
        let mut top = self.module().clone();
        let block = |body: &Body| match body {
            Body::Module(inner) => Some(inner.clone()),
            _ => None,
        };
        let found = top
            .children
            .iter()
            .position(|child| child.name == instance && block(&child.body).is_some());
        let Some(at) = found else {
            let blocks = top
                .children
                .iter()
                .filter(|child| block(&child.body).is_some());
            let known: Vec<&str> = blocks.map(|child| child.name.as_str()).collect();
            return Err(WithoutError::Unknown {
                instance: instance.into(),
                known: known.join(", "),
            });
        };
        let child = top.children.remove(at);
        for (port, net) in &child.ports {
            let inner = block(&child.body).expect("a block, as searched for");
            let output = inner
                .ids()
                .any(|(_, net)| net.name == *port && net.kind == NetKind::Output);
            top.nets[net.index()].kind = match output {
                true => NetKind::Input,
                false if port == "clock" => NetKind::Local,
                false => NetKind::Output,
            };
        }
        Ok(Netlist::from_module(top)?)
    }
}
