//! Golden models without their types: chosen by name, driven with words.
//!
//! For programs in which the unit is known at run time only, above all those in other languages:
//! the C interface, the SystemVerilog checkers and the Python module stand on this one.
//!
//! | item | is |
//! | --- | --- |
//! | [`units`], [`unit()`] | what models there are |
//! | [`Unit`] | name, parameters with their ranges, ports as formulas |
//! | [`AnyModel`] | a model: ports, cycles, what is legal, registers, copies of its state |
//! | [`Settings`] | values of a unit's parameters, from text |
//!
//! Inputs and outputs of a cycle are rows of 64-bit words. Each port starts a new word, in the
//! order of the ports; element 0 of a packed port is in the low bits.
//!
//! ```
//! use cotenant_golden::dynamic;
//!
//! let mut model = dynamic::unit("lru_stack")?.model("2x2")?;
//! // reset, access_valid, access_hit, access_way, access_kid, invalidate_valid, invalidate_way, flush
//! let miss = [0, 1, 0, 0, 1, 0, 0, 0];
//! model.legal(&miss)?;
//! let mut outputs = model.output_row();
//! model.step(&miss, &mut outputs)?;
//! assert_eq!(model.outputs()[0].name, "hit_pos");
//! assert_eq!(outputs[0], 2); // a miss
//! assert_eq!(model.register("owner[0]"), Some(1));
//! # Ok::<(), dynamic::Error>(())
//! ```

mod error;
mod model;
mod nearest;
mod registry;
mod settings;
mod typed;

pub use error::Error;
pub use model::AnyModel;
pub use registry::{unit, units, Unit};
pub use settings::{Settings, Usual};
