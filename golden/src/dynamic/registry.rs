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
        flag: false,
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

    const fn flag(self, letter: char) -> Self {
        Self {
            flag: true,
            ..self.letter(letter)
        }
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
    ($($name:ident: $model:path, $usual:expr $(, $optional:expr)?;)*) => {
        static UNITS: &[Unit] = &[$(Unit {
            name: stringify!($name),
            platform: $usual,
            optional: units!(@optional $($optional)?),
            kind: Kind::of::<$model>(),
        }),*];
    };
    (@optional) => { &[] };
    (@optional $optional:expr) => { $optional };
}

units! {
    popcnt: crate::llc::popcnt::Popcnt, "16";
    kid_demux: crate::llc::kid_demux::KidDemux, "4";
    demotion: crate::llc::demotion::Demotion, "16";
    counter_matrix: crate::llc::counter_matrix::CounterMatrix, "KERNELS=4,INC_W=5,CNT_W=21";
    gdcu: crate::llc::gdcu::Gdcu, "16x4x21", &[STAGES];
    lru_stack: crate::llc::lru_stack::LruStack, "16x4";
    plob: crate::llc::plob::Plob, "4x21", &[STAGES];
    sce: crate::llc::sce::Sce, "16x4x21", &[STAGES];
    blame: crate::llc::blame::Blame, "16x4";
    pivot: crate::llc::pivot::Pivot, "16x4";
    shadow_stack: crate::llc::shadow_stack::ShadowStack, "16x4x16",
        &[usually("TAG_W", 12), usually("LANES", 1).letter('l')];
    attribution: crate::llc::attribution::Attribution, "16x4x256x16", &[
        usually("TAG_W", 36),
        usually("PARTIAL_W", 12),
        usually("LANES", 1).letter('l'),
        usually("CNT_W", 24),
        usually("QUEUE", 0).letter('q'),
        usually("MODE", 0).flag('p'),
    ];
    llc_monitor: crate::llc::llc_monitor::LlcMonitor, "16x4x64x4", MONITOR;
    llc_counters: crate::llc::llc_counters::LlcCounters, "16x4x4", COUNTERS;
    umon: crate::mgmt::umon::Umon, "32x4096x32", &[usually("TAG_W", 31), usually("CNT_W", 21)];
    ucp: crate::mgmt::ucp::Ucp, "32x2", &[usually("CNT_W", 21), usually("XS_W", 10)];
    quota_victim: crate::mgmt::quota_victim::QuotaVictim, "32x2";
    rrip: crate::mgmt::rrip::Rrip, "32", &[usually("RRPV_W", 2).letter('r')];
    drrip: crate::mgmt::drrip::Drrip, "4096x5x32",
        &[usually("PSEL_W", 10).letter('p'), usually("SEED", 0x2545_f491)];
    core_sampling: crate::mgmt::core_sampling::CoreSampling, "6x4", &[
        usually("ID_W", 5).letter('i'),
        usually("RETIRED_W", 2).letter('n'),
        usually("CNT_W", 20).letter('c'),
        usually("ROTATE", 0).flag('r'),
    ];
    xsratio: crate::mgmt::xsratio::Xsratio, "2", &[
        usually("XS_W", 10).letter('w'),
        usually("CNT_W", 21).letter('c'),
        usually("T_XS", 10).letter('t'),
    ];
    tap: crate::mgmt::tap::Tap, "2",
        &[usually("XS_W", 10).letter('w'), usually("CNT_W", 21).letter('c')];
    xor_hash: crate::addr::xor_hash::XorHash, "ADDRESS_W=4,INDEX_W=2,MASK_0=6,MASK_1=11",
        &[usually("MASK_*", 0)];
    address_map: crate::addr::address_map::AddressMap, SMALL_MAP, &[
        usually("SET_*", 0),
        usually("BANK_*", 0),
        usually("MODULE_*", 0),
        usually("COLOUR_*", 0),
    ];
    milg: crate::sm::milg::Milg, "7x12x10", &[usually("RELEASE", 0).flag('d')];
    smil: crate::sm::smil::Smil, "7x5";
    quota_unit: crate::sm::quota_unit::QuotaUnit, "2x32";
    rbmi: crate::sm::rbmi::Rbmi, "2";
    qbmi: crate::sm::qbmi::Qbmi, "2x10", &[usually("CAP", 0).flag('c'), usually("LAG", 0).letter('l')];
    mem_issue: crate::sm::mem_issue::MemIssue, "KERNELS=2", ISSUE;
    llc_monitor_apb: crate::bus::LlcMonitorApb, "16x4x64x4", MONITOR;
    llc_monitor_axi: crate::bus::LlcMonitorAxi, "16x4x64x4", MONITOR;
    llc_counters_apb: crate::bus::LlcCountersApb, "16x4x4", COUNTERS;
    llc_counters_axi: crate::bus::LlcCountersAxi, "16x4x4", COUNTERS;
    mem_issue_apb: crate::bus::MemIssueApb, "KERNELS=2", ISSUE;
    mem_issue_axi: crate::bus::MemIssueAxi, "KERNELS=2", ISSUE;
}

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
