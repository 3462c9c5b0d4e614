//! From a rust-hdl block to a netlist.
//!
//! The block's AST is walked ([`hierarchy`]), typed ([`typed`]) and flattened
//! into an expression graph ([`flatten`]). What could not be built as meant is
//! refused on the way.

mod flatten;
mod hierarchy;
mod infer;
mod resolve;
mod scope;
mod statements;
mod subscript;
mod typed;
mod widgets;

pub(crate) use statements::read_bits;

use crate::describe::Description;
use crate::error::{Error, Warning};
use crate::graph::Graph;
use crate::hdl::Block;
use crate::ir::Module;
use crate::netlist::Netlist;
use std::rc::Rc;

/// Elaborates a block; `name` is what the top module is called if the block
/// carries no [`crate::About`].
///
/// # Errors
/// Whatever the netlist cannot express exactly, and whatever is most probably
/// a mistake: see [`Error`].
pub fn elaborate(block: &dyn Block, name: &str) -> Result<Netlist, Error> {
    let Some(top) = hierarchy::walk(block, name) else {
        return Err(Error::Unsupported {
            block: name.into(),
            what: "a bare signal or interface".into(),
            instead: "elaborate a struct that derives LogicBlock".into(),
        });
    };
    build(&top, name)
}

/// Elaborates what `#[unit]` says of a block, without the block.
///
/// # Errors
/// As [`elaborate`].
pub fn elaborate_description(top: &Description, name: &str) -> Result<Netlist, Error> {
    build(&hierarchy::described(top), name)
}

/// Where a block and its description differ, if they do.
pub fn same_description(block: &dyn Block, description: &Description) -> Result<(), String> {
    match hierarchy::walk(block, &description.name) {
        Some(walked) => hierarchy::same(&walked, &hierarchy::described(description), ""),
        None => Err("no block".into()),
    }
}

fn build(top: &hierarchy::Instance, name: &str) -> Result<Netlist, Error> {
    let mut typer = typed::Typer::default();
    let module = typer.module(top, "").map_err(|e| named(e, name))?;
    let mut netlist = flatten::flatten(module, Graph::default()).map_err(|e| named(e, name))?;
    netlist.warnings = typer.warnings;
    for warning in &mut netlist.warnings {
        let Warning::Unread { block, .. } = warning;
        *block = below(name, block);
    }
    netlist.warnings.sort();
    Ok(netlist)
}

impl Netlist {
    /// Netlist of a block in its typed form; for designs that are generated
    /// rather than written.
    ///
    /// Widths and ports must be consistent, as [`crate::ir`] says.
    ///
    /// # Errors
    /// Latches, loops and undriven signals, as [`elaborate`] finds them.
    pub fn from_module(module: Module) -> Result<Netlist, Error> {
        flatten::flatten(Rc::new(module), Graph::default())
    }

    /// The same design with its multiplexers as written
    /// ([`Graph::literal`]), for what estimates area.
    ///
    /// # Errors
    /// None, if this netlist was elaborated: it has passed the same checks.
    pub fn literal(&self) -> Result<Netlist, Error> {
        flatten::flatten(self.module.clone(), Graph::literal())
    }
}

/// A path relative to the top block, with the top block's name.
fn below(top: &str, path: &str) -> String {
    match path {
        "" => top.to_string(),
        at if at.starts_with(" (at") => format!("{top}{at}"),
        below => format!("{top}.{below}"),
    }
}

/// Paths are relative to the top block; its own errors get its name.
fn named(error: Error, top: &str) -> Error {
    let mut error = error;
    use Error::*;
    match &mut error {
        Latch { block, .. }
        | ReadBeforeAssignment { block, .. }
        | TwoDrivers { block, .. }
        | Undriven { block, .. }
        | UnknownName { block, .. }
        | DynamicArrayIndex { block, .. }
        | Width { block, .. }
        | DoesNotFit { block, .. }
        | OutOfRange { block, .. }
        | Unsupported { block, .. } => {
            *block = below(top, block);
        }
        CombinationalLoop { cycle } => {
            cycle
                .iter_mut()
                .for_each(|signal| *signal = format!("{top}.{signal}"));
        }
    }
    error
}
