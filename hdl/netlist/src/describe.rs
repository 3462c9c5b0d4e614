//! A block as the elaborator reads it, without the block: what `#[unit]` makes for any
//! parameters, at run time.

use crate::hdl::{AtomKind, Verilog};
use crate::primitive;
use crate::About;
use num_bigint::BigUint;

/// A signal or constant.
#[derive(Clone, Debug)]
pub struct Field {
    /// Its name; elements of arrays end in `$0`, `$1`, ...
    pub name: String,
    /// What it is.
    pub kind: AtomKind,
    /// Width in bits.
    pub width: usize,
    /// It is a clock.
    pub clock: bool,
    /// A constant's value.
    pub value: BigUint,
}

/// A block with its fields and children.
#[derive(Clone, Debug)]
pub struct Description {
    /// Name of the instance.
    pub name: String,
    /// Signals and constants in order.
    pub fields: Vec<Field>,
    /// What it does.
    pub hdl: Verilog,
    /// The blocks inside, in order.
    pub children: Vec<Description>,
}

impl Description {
    /// Without fields.
    pub fn new(name: impl Into<String>, hdl: Verilog) -> Self {
        Description {
            name: name.into(),
            fields: vec![],
            hdl,
            children: vec![],
        }
    }

    /// Adds a signal.
    pub fn signal(&mut self, name: impl Into<String>, kind: AtomKind, width: usize, clock: bool) {
        self.fields.push(Field {
            name: name.into(),
            kind,
            width,
            clock,
            value: BigUint::ZERO,
        });
    }

    /// Adds a constant.
    pub fn constant(&mut self, name: impl Into<String>, width: usize, value: BigUint) {
        self.fields.push(Field {
            name: name.into(),
            kind: AtomKind::Constant,
            width,
            clock: false,
            value,
        });
    }

    /// Adds a flop.
    pub fn reg(&mut self, name: impl Into<String>, width: usize, init: BigUint) {
        let mut reg = Description::new(name, primitive::reg_of(width, &init));
        reg.signal("clock", AtomKind::InputParameter, 1, true);
        reg.signal("reset", AtomKind::InputParameter, 1, false);
        reg.signal("d", AtomKind::InputParameter, width, false);
        reg.signal("q", AtomKind::OutputParameter, width, false);
        self.children.push(reg);
    }

    /// Adds a RAM.
    pub fn ram(&mut self, name: impl Into<String>, width: usize, address: usize) {
        let mut ram = Description::new(name, primitive::ram());
        ram.signal("clock", AtomKind::InputParameter, 1, true);
        ram.signal("read_address", AtomKind::InputParameter, address, false);
        ram.signal("read_data", AtomKind::OutputParameter, width, false);
        ram.signal("write_enable", AtomKind::InputParameter, 1, false);
        ram.signal("write_address", AtomKind::InputParameter, address, false);
        ram.signal("write_data", AtomKind::InputParameter, width, false);
        self.children.push(ram);
    }

    /// Adds a block inside.
    pub fn child(&mut self, child: Description) {
        self.children.push(child);
    }

    /// Says who it is.
    pub fn about(&mut self, about: About) {
        use crate::hdl::Logic;
        self.children.push(Description::new("about", about.hdl()));
    }
}

/// As many ones.
pub fn ones(width: usize) -> BigUint {
    crate::graph::ones(width)
}
