//! `managed_directory`: tags and replacement bits of a cache that applications share, under a policy
//! that can be changed while it runs.
//!
//! Source: TAP, sections 3.1, 3.3 and 3.4. The policies are LRU; quotas, by which UCP and TAP-UCP
//! partition; and RRIP with set duelling, as DRRIP has it and, with an RRIP-Mask, TAP-RRIP: "the
//! hitting GPGPU block will not be promoted and GPGPU blocks will be replaced first". Of sampled cores
//! section 3.1.1 says that they are for ever Core-POL1, which uses "the LRU insertion policy or LLC
//! bypassing", and Core-POL2, which uses "the MRU insertion policy".
//!
//! A set is its ways in LRU order, each with the line that is or was in it. What an access does:
//! 1. A line with its tag is hit: it becomes the most recently used one, and its owner is the
//!    accessing application. Under RRIP its prediction becomes 0, unless it is not promoted.
//! 2. Else a way is filled: an invalid one; of a full set the least recently used one, under quotas
//!    that of whom they say, under RRIP the first one of those predicted furthest away.
//!    It becomes the most recently used one. Under RRIP it begins as set duelling says.
//!
//! Timing: an access at cycle t changes its set at the end of t + 1, under the policy, quotas and masks
//! of that cycle, and is reported at t + 2. After reset all sets are cleared, one per cycle, and
//! accesses are ignored until then.
//!
//! ASSUMPTION: a change of the policy moves no line. The order of last uses is kept under each policy.
//! Without RRIP a used line gets the prediction 0, others keep theirs, and the duel stands still.
//! ASSUMPTION: an invalid way is filled first, the lowest in the order; under RRIP that with the lowest
//! number. Which line quotas replace is said in [`quota_victim`](super::quota_victim), which one
//! RRIP in [`rrip`](super::rrip), how it begins in [`drrip`].
//! ASSUMPTION: under RRIP a line that Core-POL1 brings begins with 2^n - 1, one that Core-POL2 brings
//! with 0, also in leader sets; their hits promote, and their misses count in the duel. Under quotas
//! Core-POL1 leaves the cache as it is when it misses. Under LRU both are as others.
//! ASSUMPTION: an invalidated way moves to the LRU position. That is no access: it is not reported, and
//! does not count in the duel.

use std::cmp::Reverse;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::drrip::{self, Drrip};
use super::{ByApplication, MAX_APPLICATIONS};
use crate::delay::Delayed;
use crate::llc::{clog2, id_w, pos_w, MAX_WAYS};
use crate::model::{limit, Model, ParamError, Part, Violation};
use crate::ports::{Parameters, Ports, Registers};
use crate::rules::*;
use crate::Inline;

/// Parameters of [`ManagedDirectory`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Parameters)]
pub struct Params {
    /// Ways of a set, 2 to [`MAX_WAYS`].
    #[range(2..=MAX_WAYS)]
    pub ways: usize,
    /// Sets, a power of two.
    #[range(4..=1 << 24)]
    pub sets: usize,
    /// Number of applications, 2 to [`MAX_APPLICATIONS`].
    #[range(2..=MAX_APPLICATIONS.min(p.sets / 2))]
    pub applications: usize,
    /// Leader sets of each policy and application, a power of two.
    #[range(1..=p.sets / (2 * p.applications))]
    pub leaders: usize,
    /// Bits of a tag, 1 to 64.
    #[range(1..=64)]
    pub tag_w: usize,
    /// Bits of a prediction, 1 to 8.
    #[range(1..=8)]
    pub rrpv_w: usize,
    /// Bits of a policy selector, 2 to 16.
    #[range(2..=16)]
    pub psel_w: usize,
    /// What the shift register of draws begins with.
    #[range(1..=limit(31) as usize)]
    pub seed: usize,
}

impl Params {
    /// Those of the duel.
    pub fn drrip(&self) -> drrip::Params {
        drrip::Params {
            sets: self.sets,
            applications: self.applications,
            leaders: self.leaders,
            psel_w: self.psel_w,
            seed: self.seed,
        }
    }

    /// The prediction of a distant interval, 2^n - 1.
    pub fn distant(&self) -> u8 {
        limit(self.rrpv_w) as u8
    }

    /// A set that is cleared: its ways in order, none with a line.
    fn cleared(&self) -> Vec<Line> {
        let way = |way| Line {
            way: way as u8,
            ..Line::default()
        };
        (0..self.ways).map(way).collect()
    }
}

/// A policy of replacement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Policy {
    /// The least recently used line.
    Lru,
    /// That of an application above its quota, or the application's own.
    Quotas,
    /// The one that is predicted to be used last.
    Rrip,
}

impl Policy {
    /// All of them, by their first code.
    pub const ALL: [Self; 3] = [Self::Lru, Self::Quotas, Self::Rrip];

    /// The policy of a code.
    pub fn of(code: u8) -> Self {
        Self::ALL[usize::from(code.min(2))]
    }
}

/// Input ports.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, Ports)]
pub struct In {
    /// Synchronous reset.
    pub reset: bool,
    /// There is an access this cycle.
    pub access_valid: bool,
    /// It does not access the line, but invalidates it, if there is one.
    pub access_invalidate: bool,
    /// Its set.
    #[port(clog2(p.sets))]
    pub access_set: u32,
    /// Its tag.
    #[port(p.tag_w)]
    pub access_tag: u64,
    /// The accessing application.
    #[port(id_w(p.applications))]
    pub access_app: u8,
    /// It is one of Core-POL1.
    pub access_pol1: bool,
    /// It is one of Core-POL2.
    pub access_pol2: bool,
    /// The policy: 0 LRU, 1 quotas, 2 and 3 RRIP.
    #[port(2)]
    pub policy: u8,
    /// The ways of each application.
    #[port([pos_w(p.ways); p.applications])]
    pub quota: ByApplication,
    /// The RRIP-Mask of each application.
    #[port([1; p.applications])]
    pub rrip_mask: u64,
}

/// Output ports, all registered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Ports)]
pub struct Out {
    /// Accesses are taken.
    pub ready: bool,
    /// An access was done, of which the next ports tell.
    pub done_valid: bool,
    /// Whose.
    #[port(id_w(p.applications))]
    pub done_app: u8,
    /// It hit.
    pub done_hit: bool,
    /// It filled a way.
    pub done_fill: bool,
    /// The way that it hit or filled; 0 if none.
    #[port(id_w(p.ways))]
    pub done_way: u8,
    /// It replaced a valid line.
    pub done_evict: bool,
    /// Who owned the line hit or replaced; 0 if there was none.
    #[port(id_w(p.applications))]
    pub done_owner: u8,
    /// The policy selectors.
    #[port([p.psel_w; p.applications])]
    pub psel: Inline<u16, MAX_APPLICATIONS>,
}

/// A way of a set, and the line that is or was in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Line {
    /// The way.
    pub way: u8,
    /// The line is there.
    pub valid: bool,
    /// Its tag.
    pub tag: u64,
    /// The application that used it last.
    pub owner: u8,
    /// The prediction when it is used again, 0 soon to 2^n - 1 not for long.
    pub rrpv: u8,
}

/// An access on its way to its set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Access {
    /// The line is invalidated.
    pub invalidate: bool,
    /// The set.
    pub set: u32,
    /// The tag.
    pub tag: u64,
    /// The application.
    pub app: u8,
    /// It is one of Core-POL1.
    pub pol1: bool,
    /// It is one of Core-POL2.
    pub pol2: bool,
}

/// Registers, which reset to 0 but where it says otherwise, and memories, which do not.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, Registers)]
pub struct State {
    /// The sets are being cleared. Reset: 1.
    pub sweeping: bool,
    /// The next one.
    #[register(clog2(p.sets))]
    pub sweep_set: u32,
    /// The accesses that have not reached their sets; [`ACCESS_LATENCY`].
    #[register(skip)]
    pub in_flight: Delayed<Option<Access>>,
    /// What the last access did, as the ports of the same names tell.
    pub done_valid: bool,
    /// See [`Out::done_app`].
    #[register(id_w(p.applications))]
    pub done_app: u8,
    /// See [`Out::done_hit`].
    pub done_hit: bool,
    /// See [`Out::done_fill`].
    pub done_fill: bool,
    /// See [`Out::done_way`].
    #[register(id_w(p.ways))]
    pub done_way: u8,
    /// See [`Out::done_evict`].
    pub done_evict: bool,
    /// See [`Out::done_owner`].
    #[register(id_w(p.applications))]
    pub done_owner: u8,
    /// The duel.
    #[register(nested(p.drrip()))]
    pub drrip: drrip::State,
    /// The memories: the ways of each set from MRU to LRU.
    #[register(skip)]
    pub sets: Vec<Vec<Line>>,
}

/// Cycles from an access to the one in which it changes its set.
pub const ACCESS_LATENCY: usize = 1;

/// What an access finds, and what becomes of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Found {
    /// Its line.
    Line,
    /// A way without a line, which it fills.
    Room,
    /// A line that it replaces.
    Victim,
    /// Nothing, and it leaves the set as it is.
    Nothing,
}

/// Where a line is in a set.
pub fn position(set: &[Line], tag: u64) -> Option<usize> {
    set.iter().position(|line| line.valid && line.tag == tag)
}

/// Lines of an application.
pub fn held(set: &[Line], app: u8) -> u64 {
    let its = |line: &&Line| line.valid && line.owner == app;
    set.iter().filter(its).count() as u64
}

/// The least recently used way of those that `may` be it.
fn lowest(set: &[Line], may: impl Fn(&Line) -> bool) -> Option<usize> {
    set.iter().rposition(may)
}

/// Which line of a full set an application replaces under quotas.
fn by_quotas(set: &[Line], app: u8, quota: &[u64]) -> usize {
    let quota_of = |app: u8| quota.get(usize::from(app)).copied().unwrap_or(0);
    let own = lowest(set, |line| line.owner == app);
    let above = lowest(set, |line| held(set, line.owner) > quota_of(line.owner));
    let at_quota = held(set, app) >= quota_of(app);
    let wanted = if at_quota { [own, above] } else { [above, own] };
    let last = set.len() - 1;
    wanted.into_iter().flatten().next().unwrap_or(last)
}

/// Which line of a full set RRIP replaces: of those that are predicted furthest away one that is
/// preferred, if there is one; of several the one in the first way.
fn by_prediction(set: &[Line], preferred: u64) -> usize {
    let furthest = set.iter().map(|line| line.rrpv).max();
    let candidates = (0..set.len()).filter(|&at| Some(set[at].rrpv) == furthest);
    let rank = |at: &usize| {
        let Line { owner, way, .. } = set[*at];
        (Reverse(preferred >> owner & 1), way)
    };
    candidates.min_by_key(rank).unwrap_or(0)
}

/// The model.
#[derive(Debug, Clone)]
pub struct ManagedDirectory {
    params: Params,
    state: State,
    // It works on the registers in `state`.
    drrip: Drrip,
    rules: Arc<Rules<In, State>>,
    written: Option<(usize, u64)>,
}

impl ManagedDirectory {
    /// The set that was written at the last edge, and the ways whose tags were.
    pub fn written(&self) -> Option<(usize, u64)> {
        self.written
    }

    /// Puts lines into a set, from MRU to LRU; ways without one follow.
    ///
    /// For runs that start with sets that many accesses have left. Lines in a way that there is not,
    /// or that has one already, are left out.
    pub fn preset(&mut self, set: usize, lines: impl IntoIterator<Item = Line>) {
        let mut left = self.params.cleared();
        let mut ways = Vec::new();
        for line in lines {
            if let Some(at) = left.iter().position(|free| free.way == line.way) {
                left.remove(at);
                ways.push(line);
            }
        }
        ways.sort_by_key(|line| !line.valid);
        ways.append(&mut left);
        if let Some(set) = self.state.sets.get_mut(set) {
            *set = ways;
        }
    }

    /// Lets the duel come to a state, as [`Drrip::preset`] and [`Drrip::preset_lfsr`] do.
    pub fn preset_duel(&mut self, act: impl FnOnce(&mut Drrip)) {
        let Self { state, drrip, .. } = self;
        drrip.on(&mut state.drrip, act);
    }

    /// Accesses are taken from the coming cycle on.
    pub fn start(&mut self) {
        self.state.sweeping = false;
        self.state.sweep_set = 0;
    }

    /// What the duel says about the access that is at its set.
    fn duel(&mut self, access: &Access, access_hit: bool, input: &In) -> drrip::Out {
        let Self { state, drrip, .. } = self;
        let asked = drrip::In {
            reset: false,
            access_valid: true,
            access_hit,
            access_set: access.set,
            access_app: access.app,
            rrip_mask: input.rrip_mask,
        };
        drrip.on(&mut state.drrip, |drrip| drrip.step(&asked))
    }

    /// What an access finds in its set, and where: its position in the LRU order.
    pub fn find(&self, access: &Access, input: &In) -> (Found, usize) {
        let set = &self.state.sets[access.set as usize];
        let policy = Policy::of(input.policy);
        if let Some(at) = position(set, access.tag) {
            return (Found::Line, at);
        }
        if access.invalidate || policy == Policy::Quotas && access.pol1 {
            return (Found::Nothing, 0);
        }
        let free = |line: &Line| !line.valid;
        let room = match policy {
            Policy::Rrip => {
                let ways = (0..set.len()).filter(|&at| free(&set[at]));
                ways.min_by_key(|&at| set[at].way)
            }
            _ => lowest(set, free),
        };
        let victim = || match policy {
            Policy::Lru => set.len() - 1,
            Policy::Quotas => by_quotas(set, access.app, &input.quota),
            Policy::Rrip => by_prediction(set, self.preferred(access, input)),
        };
        room.map_or_else(|| (Found::Victim, victim()), |at| (Found::Room, at))
    }

    /// The applications whose lines are replaced before others.
    pub fn preferred(&self, access: &Access, input: &In) -> u64 {
        // Not those of whom the set leads for.
        let leader = self.drrip.params().led(access.set);
        input.rrip_mask & !leader.map_or(0, |(app, _)| 1 << app)
    }

    /// An access reaches its set.
    fn access(&mut self, access: &Access, input: &In) {
        let (found, at) = self.find(access, input);
        let distant = self.params.distant();
        let index = access.set as usize;
        let (hit, full) = (found == Found::Line, found == Found::Victim);
        if access.invalidate {
            if hit {
                let set = &mut self.state.sets[index];
                set[at].valid = false;
                set[at..].rotate_left(1);
                self.written = Some((index, 0));
            }
            return;
        }
        let rrip = Policy::of(input.policy) == Policy::Rrip;
        let said = rrip.then(|| self.duel(access, hit, input));
        let state = &mut self.state;
        let set = &mut state.sets[index];
        state.done_valid = true;
        state.done_app = access.app;
        state.done_hit = hit;
        state.done_fill = matches!(found, Found::Room | Found::Victim);
        state.done_evict = full;
        if found == Found::Nothing {
            return;
        }
        if rrip && full {
            let ageings = distant - set[at].rrpv;
            set.iter_mut().for_each(|line| line.rrpv += ageings);
        }
        let line = &mut set[at];
        state.done_way = line.way;
        state.done_owner = if hit || full { line.owner } else { 0 };
        line.rrpv = match said {
            None => 0,
            Some(said) if hit => match said.promote || access.pol1 || access.pol2 {
                true => 0,
                false => line.rrpv,
            },
            Some(_) if access.pol2 => 0,
            Some(said) => match said.insert_distant || access.pol1 {
                true => distant,
                false => distant - 1,
            },
        };
        (line.tag, line.owner, line.valid) = (access.tag, access.app, true);
        self.written = Some((index, u64::from(!hit) << line.way));
        set[..=at].rotate_right(1);
    }
}

impl Model for ManagedDirectory {
    type Params = Params;
    type In = In;
    type Out = Out;
    type State = State;

    fn legal(params: &Params) -> Result<(), ParamError> {
        params.check_ranges()?;
        Drrip::legal(&params.drrip())
    }

    fn new(params: Params) -> Result<Self, ParamError> {
        Self::legal(&params)?;
        let drrip = Drrip::new(params.drrip())?;
        let state = State {
            sweeping: true,
            in_flight: Delayed::new(ACCESS_LATENCY, None),
            drrip: drrip.state().clone(),
            // Memories hold 0 until they are cleared.
            sets: vec![vec![Line::default(); params.ways]; params.sets],
            ..State::default()
        };
        Ok(Self {
            rules: Arc::new(Self::rules(&params)),
            params,
            state,
            drrip,
            written: None,
        })
    }

    fn params(&self) -> &Params {
        &self.params
    }

    fn reset(&mut self) {
        let Self { state, drrip, .. } = self;
        state.in_flight.clear(&None);
        drrip.on(&mut state.drrip, Model::reset);
        *state = State {
            sweeping: true,
            in_flight: std::mem::take(&mut state.in_flight),
            drrip: std::mem::take(&mut state.drrip),
            sets: std::mem::take(&mut state.sets),
            ..State::default()
        };
    }

    fn step(&mut self, input: &In) -> Out {
        let state = &mut self.state;
        let out = Out {
            ready: !state.sweeping,
            done_valid: state.done_valid,
            done_app: state.done_app,
            done_hit: state.done_hit,
            done_fill: state.done_fill,
            done_way: state.done_way,
            done_evict: state.done_evict,
            done_owner: state.done_owner,
            psel: Inline::copied(&state.drrip.psel),
        };
        (state.done_valid, state.done_hit, state.done_fill) = (false, false, false);
        (state.done_app, state.done_way, state.done_owner) = (0, 0, 0);
        state.done_evict = false;
        // The memories know no reset.
        self.written = None;
        if state.sweeping {
            let set = state.sweep_set as usize;
            state.sets[set] = self.params.cleared();
            self.written = Some((set, limit(self.params.ways)));
        } else if let Some(access) = state.in_flight.due().copied().flatten() {
            self.access(&access, input);
        }
        if input.reset {
            self.reset();
            return out;
        }
        let state = &mut self.state;
        let accepted = input.access_valid && !state.sweeping;
        state.in_flight.pass(accepted.then_some(Access {
            invalidate: input.access_invalidate,
            set: input.access_set,
            tag: input.access_tag,
            app: input.access_app,
            pol1: input.access_pol1,
            pol2: input.access_pol2,
        }));
        if state.sweeping {
            state.sweep_set = (state.sweep_set + 1) % self.params.sets as u32;
            state.sweeping = state.sweep_set != 0;
        }
        out
    }

    fn state(&self) -> &State {
        &self.state
    }

    fn rules(p: &Params) -> Rules<In, State> {
        Rules::new()
            .legal(
                "known_application",
                "The application is one that there is, whether there is an access or not.",
                input!(access_app).below(p.applications),
            )
            .legal(
                "one_core",
                "An access is of one sampled core at most.",
                input!(access_pol1).implies(input!(access_pol2).is(0usize)),
            )
            .invariant(
                "cleared_from_the_first",
                "The next clearing begins with the first set.",
                any([register!(sweeping).into(), register!(sweep_set).is(0usize)]),
            )
            .invariant(
                "filled_on_a_miss",
                "A hit fills nothing, and who replaces a line fills its way.",
                all([
                    register!(done_hit).implies(register!(done_valid)),
                    register!(done_hit).implies(register!(done_fill).is(0usize)),
                    register!(done_fill).implies(register!(done_valid)),
                    register!(done_evict).implies(register!(done_fill)),
                ]),
            )
    }

    fn assume(&self, input: &In) -> Result<(), Violation> {
        self.rules.check(&self.params, input, &self.state)
    }
}

impl Part for ManagedDirectory {
    fn registers(&mut self) -> &mut State {
        &mut self.state
    }
}

#[cfg(test)]
mod tests;
