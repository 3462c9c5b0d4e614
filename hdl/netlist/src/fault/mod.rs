//! Seeded faults, which a checker must detect.
//!
//! A fault changes one place of a netlist. [`candidates`] lists every place, [`sample`] picks some
//! of every kind by a seed, [`at_outputs`] lists what shows at one bit of one port, [`Netlist::with_fault`](crate::Netlist::with_fault) builds the faulty
//! design. A checker that compares a faulty design with a model and sees no difference either
//! drives it too little or compares too little, unless the fault provably changes nothing.
//!
//! ```
//! use cotenant_netlist::fault::{sample, Described};
//! use cotenant_netlist::hdl::*;
//! use cotenant_netlist::{elaborate, sim::Sim};
//!
//! #[derive(Default, LogicBlock)]
//! struct Adder {
//!     pub a: Signal<In, Bits<8>>,
//!     pub b: Signal<In, Bits<8>>,
//!     pub sum: Signal<Out, Bits<8>>,
//! }
//!
//! impl Logic for Adder {
//!     #[hdl_gen]
//!     fn update(&mut self) {
//!         self.sum.next = self.a.val() + self.b.val();
//!     }
//! }
//!
//! let mut adder = Adder::default();
//! adder.connect_all();
//! let adder = elaborate(&adder, "adder")?;
//! for fault in sample(&adder, 3, 1) {
//!     println!("{}", Described(&adder, &fault));
//!     let faulty = Sim::new(&adder.with_fault(&fault)?)?;
//!     // Drive it, and see whether the difference shows.
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod apply;
mod beside;
mod describe;
mod find;
mod sample;
mod sliced;

pub use beside::{Beside, Changed, Pair};
pub use describe::Described;
pub use find::find;
pub use sample::{at_outputs, candidates, sample};
pub use sliced::Sliced;

use crate::graph::NodeId;

/// One changed place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Fault {
    /// A bit of a flop always has this value, at power-up and after reset,
    /// too.
    StuckBit {
        /// Index in [`Netlist::regs`](crate::Netlist::regs).
        reg: usize,
        /// The bit.
        bit: usize,
        /// What it is stuck at.
        value: bool,
    },
    /// A bit of an input is cut off and reads this value.
    StuckInput {
        /// Index in [`Netlist::inputs`](crate::Netlist::inputs).
        input: usize,
        /// The bit.
        bit: usize,
        /// What it reads.
        value: bool,
    },
    /// A bit of an output always shows this value; what reads it inside is not affected.
    StuckOutput {
        /// Index in [`Netlist::outputs`](crate::Netlist::outputs).
        output: usize,
        /// The bit.
        bit: usize,
        /// What it shows.
        value: bool,
    },
    /// A bit of what an operation computes always has this value.
    StuckNet {
        /// The operation.
        node: NodeId,
        /// The bit.
        bit: usize,
        /// What it is stuck at.
        value: bool,
    },
    /// A bit of a RAM's words is written as this value.
    StuckRamBit {
        /// Index in [`Netlist::rams`](crate::Netlist::rams).
        ram: usize,
        /// The bit.
        bit: usize,
        /// What it is written as.
        value: bool,
    },
    /// The two operands of a comparison, difference or shift, or the two
    /// values of a multiplexer, change places.
    SwappedOperands {
        /// The operation.
        node: NodeId,
    },
    /// A sum or difference, or the constant that something is compared with,
    /// is one too large.
    OffByOne {
        /// The operation.
        node: NodeId,
    },
    /// Another operation than meant: and for or, or for and, or for exclusive
    /// or, sum for difference, difference for sum, the inverse of a
    /// comparison, a lost inversion.
    WrongOperation {
        /// The operation.
        node: NodeId,
    },
    /// A flop keeps its value unless it is reset.
    LostWrite {
        /// Index in [`Netlist::regs`](crate::Netlist::regs).
        reg: usize,
    },
    /// A RAM is never written.
    LostRamWrite {
        /// Index in [`Netlist::rams`](crate::Netlist::rams).
        ram: usize,
    },
    /// A flop ignores reset; at power-up it still has its initial value.
    MissingReset {
        /// Index in [`Netlist::regs`](crate::Netlist::regs).
        reg: usize,
    },
}

/// What faults do, as reports group them.
pub const KINDS: [&str; 8] = [
    "stuck bit",
    "stuck input",
    "stuck net",
    "swapped operands",
    "off by one",
    "wrong operation",
    "lost write",
    "missing reset",
];

/// What faults of [`at_outputs`] do.
const STUCK_OUTPUT: &str = "stuck output";

impl Fault {
    /// One of [`KINDS`]; `stuck output` of those that [`at_outputs`] lists.
    pub fn kind(&self) -> &'static str {
        let kind = match self {
            Fault::StuckOutput { .. } => return STUCK_OUTPUT,
            Fault::StuckBit { .. } | Fault::StuckRamBit { .. } => 0,
            Fault::StuckInput { .. } => 1,
            Fault::StuckNet { .. } => 2,
            Fault::SwappedOperands { .. } => 3,
            Fault::OffByOne { .. } => 4,
            Fault::WrongOperation { .. } => 5,
            Fault::LostWrite { .. } | Fault::LostRamWrite { .. } => 6,
            Fault::MissingReset { .. } => 7,
        };
        KINDS[kind]
    }
}

/// A fault that the netlist has no place for: it was made for another one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the netlist has no place for {0:?}: take one of its candidates")]
pub struct NoSuchPlace(pub Fault);

/// Words that [`Described`] says of no fault of the netlist.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the netlist has no fault '{0}': expected one as reports word it, for instance \
     'stuck bit: bit 0 of NAME at 1', 'lost write: NAME' or 'missing reset: NAME' of a flop"
)]
pub struct UnknownFault(pub String);
