//! Stimulus of `managed_llc`: accesses as to `managed_directory`, by cores of the GPU; periods end mostly
//! when nothing is under way.

use cotenant_golden::mgmt::core_sampling::ByCore;
use cotenant_golden::mgmt::managed_llc::{In, ManagedLlc as Model, Params, State};
use cotenant_golden::mgmt::tap::RATE_W;

use super::super::managed_directory::stimulus::{Core, Transaction as Access};
use super::super::ManagedDirectory;
use super::{far, ManagedLlc};
use crate::unit::llc::shared::LIVE;
use crate::unit::prelude::*;

/// What happens in a cycle.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Transaction {
    /// What the directory is given: its quotas and masks are those that software gives.
    pub access: Access,
    /// The access is to this sampled set and to that line of its application's stack, counted from
    /// MRU, each modulo how many there are.
    pub stacked: Option<(u32, u8)>,
    /// The number of a core that is not sampled, cut to its width; there need not be one.
    pub core: u8,
    /// Instructions that cores retire, eight bits each, repeated and cut to their width.
    pub retired: u64,
    /// Core-POL1 retires nothing.
    pub stalls: bool,
    /// The period ends.
    pub period: When,
    /// The policy is that of TAP.
    pub aware: bool,
    /// The applications of the GPU.
    pub gpu: u64,
    /// The next period is sampled.
    pub sample: bool,
    /// Cores are assigned.
    pub choose: bool,
    /// Which ones: the first modulo their number, the second counted from it, another one.
    pub cores: [u8; 2],
    /// TAP-S.
    pub detect: bool,
    /// The fewest accesses of a streaming application, cut to their width, at least 1.
    pub fewest: Threshold,
    /// The fewest misses in 256 accesses, cut to their width.
    pub rate: Threshold,
    /// Quotas are given.
    pub gives_quotas: bool,
    /// Masks are given.
    pub gives_masks: bool,
    /// Those of UCP then.
    pub ucp_mask: u64,
    /// What is read: matrix, row and application; any code.
    pub read: (bool, u8, u8),
    /// The running counters are read, not the last period's.
    pub live: bool,
    /// Reset also so.
    pub clears: Clears,
}

/// When a reset comes that the directory's own stimulus has not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Clears {
    /// Not in this cycle.
    #[default]
    Never,
    /// Unless the sets are being cleared.
    Sets,
    /// While monitors are being cleared.
    Monitors,
    /// While a monitor has more hits or misses than a run from reset comes to.
    Counters,
}

impl Clears {
    /// Whether the unit is reset in this state.
    fn now(self, params: &Params, state: &State) -> bool {
        let mut monitors = state.monitor.iter();
        match self {
            Self::Never => false,
            Self::Sets => !state.directory.sweeping,
            Self::Monitors => monitors.any(|it| it.sweeping),
            Self::Counters => monitors
                .flat_map(|it| it.count.iter().chain(&it.shadow))
                .any(|count| count >> (params.cnt_w / 2) > 0),
        }
    }
}

/// What makes an application stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Threshold {
    /// So many.
    Any(u64),
    /// As many as this application, modulo their number, has had in the period, and so many more, or
    /// less.
    Of(u8, i8),
}

impl Default for Threshold {
    fn default() -> Self {
        Self::Any(0)
    }
}

impl Threshold {
    /// The number, cut to `width` bits, with what each application has had.
    fn number(self, width: usize, applications: usize, had: impl Fn(usize) -> u64) -> u64 {
        match self {
            Self::Any(number) => number & ones(width),
            Self::Of(application, off) => had(usize::from(application) % applications)
                .saturating_add_signed(off.into())
                .min(ones(width)),
        }
    }
}

/// When a period ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum When {
    /// Not in this cycle.
    #[default]
    Never,
    /// If nothing is under way.
    Idle,
    /// If UCP decides.
    Deciding,
    /// In any case.
    Any,
}

/// What follows from the end of a period and is still under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum UnderWay {
    /// Nothing.
    Nothing,
    /// The ratio is computed.
    Ratio,
    /// Masks follow, and UCP starts.
    Masks,
    /// UCP decides.
    Shares,
}

impl UnderWay {
    pub fn of(state: &State) -> Self {
        match state {
            _ if state.gpu_ratio.left > 0 => Self::Ratio,
            _ if state.gpu_ratio.done || state.masks.start => Self::Masks,
            _ if state.shares.round.is_some() => Self::Shares,
            _ => Self::Nothing,
        }
    }
}

impl Drive for ManagedLlc {
    type Transaction = Transaction;
    type World = ();
    const PROFILES: &'static [Profile] = ManagedDirectory::PROFILES;
    const FAR_STARTS: u64 = 96;

    fn kernels(params: &Params) -> usize {
        params.applications
    }

    fn world(_: &Params) {}

    fn idle(params: &Params) -> In {
        In {
            stream_accesses: 1,
            ..In::idle(params)
        }
    }

    fn resolve(params: &Params, model: &Model, (): &mut (), what: &Transaction, input: &mut In) {
        resolve(params, model.state(), what, input);
    }

    fn draw(
        params: &Params,
        knobs: &Knobs,
        pace: &mut Pace,
        random: &mut Random,
        transaction: &mut Transaction,
    ) {
        let directory = params.directory();
        ManagedDirectory::draw(&directory, knobs, pace, random, &mut transaction.access);
        let (bits, kept, also) = (random.bits(), pace.character(2), pace.character(3));
        let turn = |at: u64, mask: u64| bits >> at & mask == 0;
        // Of one set for a while; hits at the last positions are rare otherwise, with many ways.
        transaction.stacked =
            (also >> 62 == 0 && bits & 1 == 0).then_some(((also >> 48) as u32, (bits >> 32) as u8));
        transaction.core = (bits >> 56) as u8;
        transaction.retired = random.bits();
        transaction.stalls = kept & 3 == 0 && bits & 1 == 0;
        transaction.period = match random.chance(knobs.snapshot) || turn(1, 63) {
            false => When::Never,
            true if turn(7, 15) => When::Any,
            true if turn(7, 3) => When::Deciding,
            true => When::Idle,
        };
        transaction.aware = kept >> 2 & 3 != 0;
        transaction.sample = kept >> 4 & 7 != 0;
        transaction.gpu = match turn(11, 31) {
            true => bits >> 40,
            // Mostly that of one application.
            false if kept >> 7 & 3 != 0 => 1 << ((kept >> 9) as usize % params.applications),
            false => kept >> 9,
        };
        transaction.choose = turn(16, 15);
        transaction.cores = [(bits >> 24) as u8, (bits >> 32) as u8];
        transaction.detect = also & 1 == 0;
        transaction.fewest = match also >> 2 & 1 {
            0 => Threshold::Any(1 << (also >> 3 & 7)),
            _ => Threshold::Any(also >> 16),
        };
        transaction.rate = Threshold::Any(also >> 6);
        // Both sides of what an application has done.
        let off = |at: u64| (bits >> at & 3) as i8 - 1;
        if turn(21, 3) {
            transaction.fewest = Threshold::Of((bits >> 56) as u8, off(23));
        }
        if turn(25, 1) {
            transaction.rate = Threshold::Of((bits >> 57) as u8, off(26));
        }
        transaction.gives_quotas = also >> 14 & 3 == 0;
        transaction.gives_masks = also >> 40 & 3 == 0;
        transaction.ucp_mask = match turn(20, 7) {
            true => bits >> 40,
            false => also >> 42,
        };
        let read = random.bits();
        transaction.read = (read & 1 == 1, (read >> 8) as u8, (read >> 16) as u8);
        transaction.live = random.chance(LIVE);
        // With many sets the directory's own resets are rare, and each takes a cycle per set.
        transaction.clears = match turn(48, 63) {
            true if also >> 60 & 3 == 0 => Clears::Counters,
            true => Clears::Monitors,
            false if turn(42, (1 << 14) - 1) => Clears::Sets,
            false => Clears::Never,
        };
    }

    /// Long enough for the first round of UCP, which reads each counter that an application may gain; at
    /// most for a reset, a period after it, and the decision at its end.
    fn far_cycles(params: &Params) -> (u64, u64) {
        let read = params.applications * (params.ways - params.applications);
        (read as u64 + 16, 512)
    }

    fn far(params: &Params, random: &mut Random) -> Option<Model> {
        far::state(params, random)
    }
}

/// What happens in a cycle, of a unit in this state.
pub(crate) fn resolve(params: &Params, state: &State, what: &Transaction, input: &mut In) {
    let access = what.access.present(&params.directory(), &state.directory);
    let sampling = &state.sampler;
    let id = ones(params.id_w) as u8;
    let cores = params.cores as u8;
    let all = ones(params.applications);
    let under_way = UnderWay::of(state);
    let pol1 = what.cores[0] % cores;
    let retires = |core: usize| match what.stalls && sampling.pol1[0] == core as u8 {
        true => 0,
        false => (what.retired >> (core % 8 * 8) & ones(params.retired_w)) as u8,
    };
    let accesses = |application: usize| state.gpu_ratio.accesses[application];
    let rate =
        |application| (state.masks.misses[application] << RATE_W) / accesses(application).max(1);
    let sampled = what.stacked.map(|(set, line)| {
        let stacks = &state.monitor[usize::from(access.access_app)].stacks;
        let set = set as usize % stacks.len();
        let tag = stacks[set].get(usize::from(line) % stacks[set].len().max(1));
        let set = set * params.sets / stacks.len();
        (set as u32, tag.map_or(access.access_tag, |&tag| tag))
    });
    let (set, tag) = sampled.unwrap_or((access.access_set, access.access_tag));
    *input = In {
        reset: access.reset || what.clears.now(params, state),
        access_valid: access.access_valid,
        access_invalidate: access.access_invalidate,
        access_set: set,
        access_tag: tag,
        access_app: access.access_app,
        access_core: match what.access.core {
            Core::Pol1 => sampling.pol1[0],
            Core::Pol2 => sampling.pol2[0],
            Core::Follower => what.core & id,
        },
        retired: ByCore::from_fn(params.cores, retires),
        period: match what.period {
            When::Never => false,
            When::Idle => under_way == UnderWay::Nothing,
            When::Deciding => under_way == UnderWay::Shares,
            When::Any => true,
        },
        policy: access.policy,
        aware: what.aware,
        gpu: what.gpu & all,
        sample: what.sample,
        choose: what.choose,
        choose_pol1: pol1,
        choose_pol2: (pol1 + 1 + what.cores[1] % (cores - 1)) % cores,
        detect: what.detect,
        stream_accesses: what
            .fewest
            .number(params.cnt_w, params.applications, accesses)
            .max(1),
        stream_rate: what.rate.number(RATE_W, params.applications, rate),
        quota_override: what.gives_quotas,
        quota_given: access.quota,
        mask_override: what.gives_masks,
        ucp_mask_given: what.ucp_mask & all,
        rrip_mask_given: access.rrip_mask,
        read_matrix: what.read.0,
        read_row: what.read.1 & ones(id_w(params.applications)) as u8,
        read_app: what.read.2 & ones(id_w(params.applications)) as u8,
        read_live: what.live,
    };
}
