//! The units as compiled rust-hdl blocks, for tests.
//!
//! Programs build units from their descriptions, for any parameters. A block is compiled for each
//! of its parameter sets, so only what needs rust-hdl's own `update()` has some: those of each
//! alias and some odd ones.

use cotenant_units::bus::{LlcMonitorApb, LlcMonitorAxi, MemIssueApb, MemIssueAxi};
use cotenant_units::llc::{
    CounterMatrix, Demotion, Gdcu, KidDemux, LlcMonitor, LruStack, Plob, Popcnt,
};
use cotenant_units::sm::{MemIssue, Milg, Qbmi, QuotaUnit, Rbmi, Smil};
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
    ($($unit:literal: $block:ident { $($($value:literal),+);+ $(;)? })*) => {
        /// All of them.
        pub const BLOCKS: &[Compiled] = &[$($(Compiled {
            unit: $unit,
            values: &[$($value),+],
            make: make::<$block!($($value),+)>,
        }),+),*];
    };
}

blocks! {
    "popcnt": Popcnt { 2; 4; 16; 32; 3; 12 }
    "kid_demux": KidDemux { 2; 4; 8; 3; 5 }
    "demotion": Demotion { 2; 4; 16; 32; 3; 12 }
    "counter_matrix": CounterMatrix { 2, 2, 21; 4, 3, 21; 4, 5, 21; 8, 6, 21; 5, 4, 16; 3, 2, 32 }
    "gdcu": Gdcu {
        2, 2, 21, 1; 4, 4, 21, 1; 16, 4, 21, 1; 32, 8, 21, 1;
        3, 3, 16, 0; 12, 5, 24, 1; 4, 4, 21, 2; 6, 3, 21, 3;
    }
    "lru_stack": LruStack { 2, 2; 4, 4; 16, 4; 32, 8; 3, 3; 12, 5 }
    "plob": Plob { 2, 21, 1; 4, 21, 1; 8, 21, 1; 3, 16, 0; 5, 32, 2 }
    "llc_monitor": LlcMonitor {
        2, 2, 16, 1, 36, 21, 1, 2; 4, 4, 64, 1, 36, 21, 1, 4; 16, 4, 64, 4, 36, 21, 1, 4;
        16, 8, 64, 2, 36, 21, 1, 8; 3, 3, 2, 2, 5, 8, 2, 5; 5, 3, 8, 1, 7, 9, 0, 2;
    }
    "milg": Milg {
        7, 12, 10, 0; 7, 17, 10, 0; 2, 4, 2, 0; 7, 20, 10, 0;
        7, 12, 10, 1; 7, 17, 10, 1; 2, 4, 2, 1; 3, 6, 3, 0; 3, 6, 3, 1;
    }
    "smil": Smil { 7, 5; 7, 7; 2, 2; 10, 5; 3, 2 }
    "quota_unit": QuotaUnit { 2, 32; 3, 32; 2, 4; 8, 32; 3, 8; 5, 8 }
    "rbmi": Rbmi { 2; 3; 5; 8 }
    "qbmi": Qbmi { 2, 10, 0; 3, 10, 0; 2, 2, 0; 8, 10, 0; 2, 10, 1; 2, 2, 1; 3, 3, 0; 3, 3, 1 }
    "mem_issue": MemIssue {
        2, 1, 1, 12, 0, 0, 7, 10, 5; 3, 1, 1, 12, 0, 0, 7, 10, 5; 2, 1, 1, 4, 0, 0, 2, 2, 2;
        8, 1, 1, 12, 0, 0, 7, 10, 5; 2, 0, 0, 12, 0, 0, 7, 10, 5; 2, 1, 0, 12, 0, 0, 7, 10, 5;
        3, 0, 1, 12, 0, 0, 7, 10, 5; 3, 1, 1, 12, 1, 1, 7, 10, 5; 2, 1, 1, 17, 0, 0, 7, 10, 5;
    }
    "llc_monitor_apb": LlcMonitorApb { 2, 2, 16, 1, 36, 21, 1, 2; 4, 4, 64, 1, 36, 21, 1, 4 }
    "llc_monitor_axi": LlcMonitorAxi { 2, 2, 16, 1, 36, 21, 1, 2; 4, 4, 64, 1, 36, 21, 1, 4 }
    "mem_issue_apb": MemIssueApb { 2, 1, 1, 4, 0, 0, 2, 2, 2; 3, 1, 1, 12, 0, 0, 7, 10, 5 }
    "mem_issue_axi": MemIssueAxi { 2, 1, 1, 4, 0, 0, 2, 2, 2; 3, 1, 1, 12, 0, 0, 7, 10, 5 }
}
