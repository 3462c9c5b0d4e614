//! All units, by name.

use super::error::Error;
use super::model::AnyModel;
use super::nearest::nearest;
use super::settings::{Optional, Reader, Settings, Usual};
use super::typed::Kind;
use crate::ports::Parameter;

/// A unit of which there is a golden model.
pub struct Unit {
    name: &'static str,
    platform: &'static str,
    optional: &'static [Optional],
    kind: Kind,
}

impl std::fmt::Debug for Unit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Unit").field(&self.name).finish()
    }
}

impl Unit {
    /// Its name, which is that of its Verilog module.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Parameters that it can have: those of the platform that its paper measures, or small ones.
    pub fn platform(&self) -> &'static str {
        self.platform
    }

    /// Its parameters with their ranges, in the order in which numbers are read.
    pub fn parameters(&self) -> Vec<Parameter> {
        (self.kind.parameters)()
    }

    /// The value that one of them has unless given.
    pub fn usual(&self, parameter: &str) -> Option<Usual> {
        let found = self.optional.iter().find(|o| o.is_of(parameter));
        found.map(|optional| optional.usual)
    }

    /// Values of its parameters: `4x4x21`, `WAYS=4,KERNELS=4,CNT_W=21`, or both.
    ///
    /// # Errors
    /// [`Error::Text`]. Whether the unit can have these values only [`model`](Unit::model) tells.
    pub fn settings(&self, text: &str) -> Result<Settings, Error> {
        let names: Vec<&str> = self.parameters().iter().map(|one| one.name).collect();
        let reader = Reader {
            unit: self.name,
            names: &names,
            optional: self.optional,
            by_numbers: !BY_NAME.contains(&self.name),
        };
        reader.read(text)
    }

    /// A model in its reset state, with [these parameters](Unit::settings).
    ///
    /// # Errors
    /// [`Error::Text`], [`Error::Parameter`].
    pub fn model(&'static self, parameters: &str) -> Result<AnyModel, Error> {
        let settings = self.settings(parameters)?;
        let made = (self.kind.make)(&settings);
        let made = made.map_err(|problem| Error::Parameter {
            unit: self.name,
            problem,
        })?;
        Ok(AnyModel::new(self, settings, made))
    }
}

const fn usually(name: &'static str, value: usize) -> Optional {
    Optional {
        name,
        usual: Usual::Value(value),
        letter: None,
        flags: "",
    }
}

const fn like(name: &'static str, other: &'static str) -> Optional {
    Optional {
        usual: Usual::Like(other),
        ..usually(name, 0)
    }
}

impl Optional {
    const fn letter(self, letter: char) -> Self {
        Self {
            letter: Some(letter),
            ..self
        }
    }

    const fn flags(self, flags: &'static str) -> Self {
        Self { flags, ..self }
    }
}

const STAGES: Optional = usually("STAGES", 1).letter('s');

const MONITOR: &[Optional] = &[
    usually("TAG_W", 36),
    usually("CNT_W", 21),
    STAGES,
    like("REQUESTERS", "KERNELS"),
    usually("SCE", 0),
    usually("SAMPLED", 0),
    usually("MODE", 0),
    usually("RAM_STAGES", 0).letter('r'),
];

const COUNTERS: &[Optional] = &[usually("CNT_W", 21), STAGES, like("REQUESTERS", "KERNELS")];

const ISSUE: &[Optional] = &[
    usually("LIMITER", 1),
    usually("PRIORITY", 1),
    usually("FAIL_W", 12),
    usually("RELEASE", 0),
    usually("CAP", 0),
    usually("LAG", 0),
    usually("COUNT_W", 7),
    usually("INTERVAL_W", 10),
    usually("LIMIT_W", 5),
];

const MANAGED: &[Optional] = &[
    usually("TILES", 4).letter('b'),
    usually("TAG_W", 31),
    usually("RRPV_W", 2).letter('r'),
    usually("PSEL_W", 10).letter('p'),
    usually("SEED", 0x2545_f491),
    usually("XS_W", 10).letter('w'),
    usually("CNT_W", 21).letter('c'),
    usually("T_XS", 10).letter('t'),
    usually("ID_W", 5).letter('i'),
    usually("RETIRED_W", 2).letter('n'),
    usually("INSTR_W", 20),
    usually("ROTATE", 0),
];

/// Units whose sets are named otherwise, so that numbers would be misread.
const BY_NAME: &[&str] = &[
    "counter_matrix",
    "xor_hash",
    "address_map",
    "mem_issue",
    "mem_issue_apb",
    "mem_issue_axi",
];

/// Eight sets in two modules, 256 addresses.
const SMALL_MAP: &str = "ADDRESS_W=8,OFFSET_W=2,SECTOR_W=1,SET_W=3,BANK_W=2,MODULE_W=1,COLOUR_W=1,\
                         TAG=0xe0,SET_0=0x44,SET_1=0x88,SET_2=0x10,BANK_0=0x44,BANK_1=0x88,\
                         MODULE_0=0x44";

macro_rules! units {
    ($($name:ident: $area:ident::$unit:ident, $usual:expr $(, $optional:expr)?;)*) => {
        static UNITS: &[Unit] = &[$(Unit {
            name: stringify!($name),
            platform: $usual,
            optional: units!(@optional $($optional)?),
            kind: Kind::of::<units!(@model $area $name $unit)>(),
        }),*];
    };
    (@optional) => { &[] };
    (@optional $optional:expr) => { $optional };
    // With a type for each bus, which share their file.
    (@model bus $name:ident $unit:ident) => { crate::bus::$unit };
    (@model $area:ident $name:ident $unit:ident) => { crate::$area::$name::$unit };
}

/// Calls a macro with all units: `models!(each)` is `each! { popcnt: llc::Popcnt, "16"; .. }`: name,
/// area and type of a unit, parameters that it can have, and behind another comma what
/// [`Unit::usual`](crate::dynamic::Unit::usual) says.
#[macro_export]
macro_rules! models {
    ($each:ident) => {
        $each! {
            popcnt: llc::Popcnt, "16";
            kid_demux: llc::KidDemux, "4";
            demotion: llc::Demotion, "16";
            counter_matrix: llc::CounterMatrix, "KERNELS=4,INC_W=5,CNT_W=21";
            gdcu: llc::Gdcu, "16x4x21", &[STAGES];
            lru_stack: llc::LruStack, "16x4";
            plob: llc::Plob, "4x21", &[STAGES];
            sce: llc::Sce, "16x4x21", &[STAGES];
            blame: llc::Blame, "16x4";
            pivot: llc::Pivot, "16x4";
            shadow_stack: llc::ShadowStack, "16x4x16",
                &[usually("TAG_W", 12), usually("LANES", 1).letter('l')];
            attribution: llc::Attribution, "16x4x256x16", &[
                usually("TAG_W", 36),
                usually("PARTIAL_W", 12),
                usually("LANES", 1).letter('l'),
                usually("CNT_W", 24),
                usually("QUEUE", 0).letter('q'),
                usually("MODE", 0).flags("p"),
            ];
            llc_monitor: llc::LlcMonitor, "16x4x64x4", MONITOR;
            llc_counters: llc::LlcCounters, "16x4x4", COUNTERS;
            umon: mgmt::Umon, "32x4096x32", &[usually("TAG_W", 31), usually("CNT_W", 21)];
            ucp: mgmt::Ucp, "32x2", &[usually("CNT_W", 21), usually("XS_W", 10)];
            managed_directory: mgmt::ManagedDirectory, "32x1024x2x32", &[
                usually("TAG_W", 31),
                usually("RRPV_W", 2).letter('r'),
                usually("PSEL_W", 10).letter('p'),
                usually("SEED", 0x2545_f491),
            ];
            managed_llc: mgmt::ManagedLlc, "32x4096x2x32x32x6", MANAGED;
            quota_victim: mgmt::QuotaVictim, "32x2";
            rrip: mgmt::Rrip, "32", &[usually("RRPV_W", 2).letter('r')];
            drrip: mgmt::Drrip, "4096x5x32",
                &[usually("PSEL_W", 10).letter('p'), usually("SEED", 0x2545_f491)];
            core_sampling: mgmt::CoreSampling, "6x4", &[
                usually("ID_W", 5).letter('i'),
                usually("RETIRED_W", 2).letter('n'),
                usually("CNT_W", 20).letter('c'),
                usually("ROTATE", 0).flags("r"),
            ];
            xsratio: mgmt::Xsratio, "2", &[
                usually("XS_W", 10).letter('w'),
                usually("CNT_W", 21).letter('c'),
                usually("T_XS", 10).letter('t'),
            ];
            tap: mgmt::Tap, "2",
                &[usually("XS_W", 10).letter('w'), usually("CNT_W", 21).letter('c')];
            xor_hash: addr::XorHash, "ADDRESS_W=4,INDEX_W=2,MASK_0=6,MASK_1=11",
                &[usually("MASK_*", 0)];
            address_map: addr::AddressMap, SMALL_MAP, &[
                usually("SET_*", 0),
                usually("BANK_*", 0),
                usually("MODULE_*", 0),
                usually("COLOUR_*", 0),
            ];
            milg: sm::Milg, "7x12x10", &[usually("RELEASE", 0).flags("dhp")];
            smil: sm::Smil, "7x5";
            quota_unit: sm::QuotaUnit, "2x32";
            rbmi: sm::Rbmi, "2";
            qbmi: sm::Qbmi, "2x10", &[usually("CAP", 0).flags("c"), usually("LAG", 0).letter('l')];
            mem_issue: sm::MemIssue, "KERNELS=2", ISSUE;
            llc_monitor_apb: bus::LlcMonitorApb, "16x4x64x4", MONITOR;
            llc_monitor_axi: bus::LlcMonitorAxi, "16x4x64x4", MONITOR;
            llc_counters_apb: bus::LlcCountersApb, "16x4x4", COUNTERS;
            llc_counters_axi: bus::LlcCountersAxi, "16x4x4", COUNTERS;
            mem_issue_apb: bus::MemIssueApb, "KERNELS=2", ISSUE;
            mem_issue_axi: bus::MemIssueAxi, "KERNELS=2", ISSUE;
            managed_llc_apb: bus::ManagedLlcApb, "32x4096x2x32x32x6", MANAGED;
            managed_llc_axi: bus::ManagedLlcAxi, "32x4096x2x32x32x6", MANAGED;
        }
    };
}

models!(units);

/// All units.
pub fn units() -> &'static [Unit] {
    UNITS
}

/// The unit of this name.
///
/// # Errors
/// [`Error::UnknownUnit`] with the nearest name.
pub fn unit(name: &str) -> Result<&'static Unit, Error> {
    let found = UNITS.iter().find(|unit| unit.name == name);
    found.ok_or_else(|| Error::UnknownUnit {
        unit: name.into(),
        nearest: nearest(name, UNITS.iter().map(|unit| unit.name)),
    })
}
