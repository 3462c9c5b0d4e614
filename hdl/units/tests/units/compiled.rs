//! The units as compiled rust-hdl blocks.
//!
//! Programs build units from their descriptions, for any parameters. A block is compiled for each
//! of its parameter sets, which takes long, so there are few: every value of what chooses between
//! circuits (stages, limiter, priority), widths that are powers of two and others that are not.

use cotenant_units::table::{self, ParameterSet};
use cotenant_units::unit::Unit;

/// A block that is compiled.
#[derive(Debug)]
pub struct Compiled {
    /// The unit.
    pub unit: &'static str,
    values: &'static [usize],
    make: fn() -> Box<dyn Unit>,
}

impl Compiled {
    /// Its parameter set.
    ///
    /// # Panics
    /// If the unit has no such set, which a test of the units finds.
    pub fn set(&self) -> ParameterSet {
        let names = table::parameters(self.unit).expect("a unit of the table");
        let pairs = names.iter().zip(self.values);
        let pairs: Vec<String> = pairs
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        table::set(self.unit, &pairs.join(",")).expect("a legal set")
    }

    /// The block, its signals connected.
    pub fn block(&self) -> Box<dyn Unit> {
        (self.make)()
    }
}

fn make<U: Unit + Default + 'static>() -> Box<dyn Unit> {
    let mut unit = Box::<U>::default();
    unit.connect_all();
    unit
}

macro_rules! blocks {
    ($($name:ident: $area:ident::$block:ident { $($($value:literal),+);+ $(;)? })*) => {
        use cotenant_units::{$($area::$block),*};

        /// All of them.
        pub const BLOCKS: &[Compiled] = &[$($(Compiled {
            unit: stringify!($name),
            values: &[$($value),+],
            make: make::<$block!($($value),+)>,
        }),+),*];
    };
}

cotenant_units::units!(blocks);
