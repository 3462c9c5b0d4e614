//! What the modules of a design have in common, and the reset of the top module.

use super::header::Header;
use super::names::Scope;
use crate::ir::{Module, NetId, NetKind};

/// How all modules of a design are printed.
pub(super) struct Style<'a> {
    pub head: &'a Header,
    /// Flops reset without a clock edge.
    pub asynchronous: bool,
    /// The module's reset is active low: that of the top module.
    pub active_low: bool,
    /// The module of RAMs that are no arrays of their own.
    pub ram: &'a str,
}

/// A reset port that is active low.
pub(super) struct ResetLow {
    pub net: NetId,
    /// What the module calls the reset.
    pub inside: String,
    /// The line that makes it.
    pub inverter: String,
}

/// The port by which blocks are reset.
fn reset_port(module: &Module) -> Option<NetId> {
    let mut ids = module.ids();
    let found = ids.find(|(_, n)| n.kind == NetKind::Input && n.name == RESET && n.width == 1);
    found.map(|(id, _)| id)
}

/// What blocks call their reset.
pub(super) const RESET: &str = "reset";

impl Style<'_> {
    /// What the source says of the reset, of the one that there is.
    pub fn reset_comment(&self, text: &str) -> String {
        let kind = match (self.asynchronous, self.active_low) {
            (false, false) => return text.into(),
            (false, true) => "Synchronous, active low",
            (true, false) => "Asynchronous, active high",
            (true, true) => "Asynchronous, active low",
        };
        text.replacen("Synchronous, active high", kind, 1)
    }

    /// Renames the reset port if it is active low.
    pub fn reset_low(
        &self,
        module: &Module,
        ports: &mut [(NetId, String)],
        scope: &mut Scope,
    ) -> Option<ResetLow> {
        let net = reset_port(module).filter(|_| self.active_low)?;
        let (_, port) = ports.iter_mut().find(|(id, _)| *id == net)?;
        let outside = scope.claim(&format!("{port}_n"));
        let inside = std::mem::replace(port, outside.clone());
        let inverter = format!("  wire {inside} = ~{outside};");
        Some(ResetLow {
            net,
            inside,
            inverter,
        })
    }
}
