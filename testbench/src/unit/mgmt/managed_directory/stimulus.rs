//! Stimulus of `managed_directory`: most accesses go to one set for a while, many to that of the access
//! before, some to leader sets; policy, quotas and masks last for a while.

use cotenant_golden::llc::pos_w;
use cotenant_golden::mgmt::drrip::Policy as Duellist;
use cotenant_golden::mgmt::managed_directory::{
    In, Line as Held, ManagedDirectory as Model, Params, State,
};
use cotenant_golden::mgmt::ByApplication;

use super::ManagedDirectory;
use crate::unit::prelude::*;

/// What happens in a cycle.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Transaction {
    /// Reset, if at all.
    pub reset: Reset,
    /// There is an access.
    pub valid: bool,
    /// It invalidates its line.
    pub invalidate: bool,
    /// The application, modulo their number; also on the port of a bubble.
    pub app: u8,
    /// The accessing core.
    pub core: Core,
    /// Its set.
    pub set: Set,
    /// Its line.
    pub line: Line,
    /// The policy's code, modulo 4.
    pub policy: u8,
    /// Quotas, cut to their width; missing ones are 0.
    pub quotas: Vec<u8>,
    /// The RRIP-Masks.
    pub mask: u64,
}

/// When a reset comes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Reset {
    /// Not in this cycle.
    #[default]
    No,
    /// Unless the sets are being cleared.
    Cleared,
    /// While they are.
    Clearing,
}

/// The core of an access.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Core {
    /// One that is not sampled.
    #[default]
    Follower,
    /// Core-POL1.
    Pol1,
    /// Core-POL2.
    Pol2,
}

/// The set of an access.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Set {
    /// That of the access before, if there is one on its way; else the first.
    Same,
    /// Any, modulo their number.
    Any(u32),
    /// A leader set of an application, modulo their number.
    Leader(u8, Duellist, u32),
}

impl Default for Set {
    fn default() -> Self {
        Self::Any(0)
    }
}

/// The line of an access.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Line {
    /// That of the access before, if there is one on its way; else as `Tag(0)`.
    Same,
    /// The n-th valid one from MRU, modulo their number; else as `Tag`.
    Nth(u8),
    /// That with this tag, cut to its width.
    Tag(u64),
}

impl Default for Line {
    fn default() -> Self {
        Self::Tag(0)
    }
}

/// Quotas that add up to the ways: all else goes to one application.
fn shares(params: &Params, bits: u64) -> Vec<u8> {
    let Params {
        ways, applications, ..
    } = *params;
    let mut left = ways;
    let mut shares: Vec<u8> = (0..applications)
        .map(|app| {
            let most = left.saturating_sub(applications - 1 - app);
            let share = (bits >> (4 * app) & 15) as usize * ways / 24 + 1;
            let share = share.min(most.max(1)).min(left);
            left -= share;
            share as u8
        })
        .collect();
    shares[(bits >> 60) as usize % applications] += left as u8;
    shares
}

impl Transaction {
    /// What the ports carry in a state.
    pub(crate) fn present(&self, params: &Params, state: &State) -> In {
        let before = state.in_flight.iter().flatten().next();
        let app = usize::from(self.app) % params.applications;
        let set = match self.set {
            Set::Same => before.map_or(0, |access| access.set),
            Set::Any(set) => set % params.sets as u32,
            Set::Leader(app, policy, number) => {
                let app = usize::from(app) % params.applications;
                let number = number as usize % params.leaders;
                params.drrip().leader(policy, app, number)
            }
        };
        let lines = || state.sets[set as usize].iter().filter(|line| line.valid);
        let tag = match self.line {
            Line::Same => before.map_or(0, |access| access.tag),
            Line::Nth(nth) => lines()
                .nth(usize::from(nth) % lines().count().max(1))
                .map_or(nth.into(), |line| line.tag),
            Line::Tag(tag) => tag,
        };
        let quota = |app: usize| {
            let quota = self.quotas.get(app).map_or(0, |&quota| u64::from(quota));
            quota & ones(pos_w(params.ways))
        };
        In {
            reset: match self.reset {
                Reset::No => false,
                Reset::Cleared => !state.sweeping,
                Reset::Clearing => state.sweeping,
            },
            access_valid: self.valid,
            access_invalidate: self.invalidate,
            access_set: set,
            access_tag: tag & ones(params.tag_w),
            access_app: app as u8,
            access_pol1: self.core == Core::Pol1,
            access_pol2: self.core == Core::Pol2,
            policy: self.policy % 4,
            quota: ByApplication::from_fn(params.applications, quota),
            rrip_mask: self.mask & ones(params.applications),
        }
    }
}

impl Drive for ManagedDirectory {
    type Transaction = Transaction;
    type World = ();
    const PROFILES: &'static [Profile] = &[
        Profile::Uniform,
        Profile::Skewed,
        Profile::PingPong,
        Profile::Bursts,
        Profile::Hits,
        Profile::Misses,
        Profile::Saturation,
        Profile::Idle,
        Profile::Storms,
    ];
    const FAR_STARTS: u64 = 96;

    fn kernels(params: &Params) -> usize {
        params.applications
    }

    fn world(_: &Params) {}

    fn idle(params: &Params) -> In {
        In {
            quota: ByApplication::from_fn(params.applications, |_| 0),
            ..In::default()
        }
    }

    fn resolve(params: &Params, model: &Model, (): &mut (), what: &Transaction, input: &mut In) {
        *input = what.present(params, model.state());
    }

    fn draw(
        params: &Params,
        knobs: &Knobs,
        pace: &mut Pace,
        random: &mut Random,
        transaction: &mut Transaction,
    ) {
        let (bits, kept) = (random.bits(), pace.character(0));
        // After each reset the sets are cleared.
        transaction.reset = match random.chance(knobs.reset) {
            true if random.below(2 * params.sets) == 0 => Reset::Cleared,
            true if random.below(params.sets.max(16)) == 0 => Reset::Clearing,
            _ => Reset::No,
        };
        transaction.valid = random.chance(knobs.access);
        transaction.invalidate = random.chance(knobs.invalidate) || bits & 31 == 0;
        transaction.app = pace.kid(knobs.kernels, random);
        transaction.core = match bits >> 5 & 15 {
            0 | 1 => Core::Pol1,
            2 | 3 => Core::Pol2,
            _ => Core::Follower,
        };
        let number = (bits >> 32) as u32;
        transaction.set = match bits >> 9 & 15 {
            0..=3 => Set::Same,
            4 => Set::Any(number),
            5 => {
                let duellist = [Duellist::Srrip, Duellist::Brrip][(bits >> 13 & 1) as usize];
                Set::Leader(transaction.app, duellist, number)
            }
            // Those of one policy for a while, so that a selector comes to its end.
            side if side & 1 == 0 && kept >> 40 & 3 == 0 => {
                let duellist = [Duellist::Srrip, Duellist::Brrip][(kept >> 42 & 1) as usize];
                Set::Leader(transaction.app, duellist, number)
            }
            // One for a while, so that it fills up.
            _ => Set::Any(kept as u32),
        };
        transaction.line = match bits >> 14 & 7 {
            0 => Line::Same,
            _ if random.chance(knobs.hit) => Line::Nth(knobs.nth(params.ways, random)),
            _ => Line::Tag(random.bits()),
        };
        let turn = |chance: u64, mask: u64| bits >> chance & mask == 0;
        transaction.policy = match turn(17, 15) {
            true => (bits >> 21) as u8,
            false => (kept >> 32) as u8,
        };
        transaction.mask = match turn(23, 7) {
            true => bits >> 48,
            false => kept >> 34,
        };
        transaction.quotas = match random.below(16) {
            // Any codes.
            0 => (0..params.applications)
                .map(|_| random.bits() as u8)
                .collect(),
            // Little for each.
            1 => (0..params.applications)
                .map(|_| random.below(2) as u8)
                .collect(),
            // Nobody is above it.
            2 => vec![params.ways as u8; params.applications],
            3 => shares(params, random.bits()),
            _ => shares(params, pace.character(1)),
        };
    }

    /// Full sets, and selectors near their ends.
    fn far(params: &Params, random: &mut Random) -> Option<Model> {
        let mut model = Model::new(params.clone()).ok()?;
        let few = 1 + random.below(params.applications);
        for set in 0..params.sets {
            let first = random.below(params.ways);
            let line = |way: usize, random: &mut Random| Held {
                way: ((first + way) % params.ways) as u8,
                valid: true,
                // Different ones, as far as there are.
                tag: (way as u64) & ones(params.tag_w),
                owner: (random.below(few) + first) as u8 % params.applications as u8,
                rrpv: (random.bits() & ones(params.rrpv_w)) as u8,
            };
            let tags = 1u64.checked_shl(params.tag_w as u32).unwrap_or(u64::MAX);
            let lines = (params.ways as u64).min(tags) as usize;
            let lines: Vec<Held> = (0..lines).map(|way| line(way, random)).collect();
            model.preset(set, lines);
        }
        let most = ones(params.psel_w) as u16;
        for app in 0..params.applications {
            let near = (random.below(3) as u16).min(most);
            let psel = [near, most - near][random.below(2)];
            model.preset_duel(|drrip| drrip.preset(app, psel));
        }
        let lfsr = random.bits() as u32;
        model.preset_duel(|drrip| drrip.preset_lfsr(lfsr));
        model.start();
        Some(model)
    }
}
