//! `drrip`: which insertion policy an access follows, as a duel between sets decides for each
//! application.
//!
//! Source: TAP, section 3.4 and table 3: "RRIP dedicates few sets of the cache to each of the
//! competing policies. A saturating counter, called a Policy Selector (PSEL), keeps track of which
//! policy incurs fewer cache misses and decides the winning policy. Other non-dedicated cache sets
//! follow the decision made by PSEL." And of TAP-RRIP: "When the value of the RRIP-Mask register is
//! 1, regardless of the policy decided by PSEL, the policy for the GPGPU application will be set to
//! BRRIP", "the hitting GPGPU block will not be promoted and GPGPU blocks will be replaced first".
//!
//! SRRIP inserts a line with a long interval. BRRIP inserts it with a distant one, but with 13 of 256
//! draws with a long one: 5 %. A draw is the highest eight bits of a shift register with linear
//! feedback, x^31 + x^28 + 1, which moves on by eight bits at each miss that inserts as BRRIP.
//!
//! A miss of an application in a leader set of its own counts against that set's policy: one of SRRIP
//! counts PSEL up, one of BRRIP down. From the middle up BRRIP has won.
//!
//! ASSUMPTION: each application has as many leader sets for each policy as `leaders` says, by
//! complement-select: the sets are divided in as many runs of sets that follow each other, and in run
//! *r* the set at *r* XOR *a* leads for SRRIP and application *a*, the one at the complement of that
//! for BRRIP. A set is the leader of one application at most, and of one policy.
//! ASSUMPTION: misses of others in an application's leader set do not count, and others follow their
//! own PSEL there.
//! ASSUMPTION: PSEL begins with 2^(w - 1), in the middle.
//! ASSUMPTION: the mask does nothing in the application's leader sets, or PSEL would compare other
//! policies than it decides between: they insert as they lead, hits promote, and lines are not
//! replaced before others.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::MAX_APPLICATIONS;
use crate::llc::{clog2, id_w};
use crate::model::{limit, Model, ParamError, Part, Violation};
use crate::ports::{Parameters, Ports, Registers};
use crate::rules::*;
use crate::Inline;

/// Bits of the shift register.
const LFSR_W: usize = 31;

/// Bits of a draw, and below which one BRRIP inserts with a long interval.
pub const DRAW_W: usize = 8;
/// See [`DRAW_W`].
pub const LONG_BELOW: u8 = 13;

/// Parameters of [`Drrip`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Parameters)]
pub struct Params {
    /// Sets of the cache, a power of two.
    #[range(2..=1 << 24)]
    pub sets: usize,
    /// Number of applications, 1 to [`MAX_APPLICATIONS`].
    #[range(1..=MAX_APPLICATIONS.min(p.sets / 2))]
    pub applications: usize,
    /// Leader sets of each policy and application, a power of two.
    #[range(1..=p.sets / (2 * p.applications))]
    pub leaders: usize,
    /// Bits of a policy selector, 2 to 16.
    #[range(2..=16)]
    pub psel_w: usize,
    /// What the shift register begins with.
    #[range(1..=limit(LFSR_W) as usize)]
    pub seed: usize,
}

/// A policy of insertion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Policy {
    /// A long interval.
    Srrip,
    /// Mostly a distant one.
    Brrip,
}

impl Params {
    /// Sets of a run, of which each application has one leader for each policy.
    fn run(&self) -> usize {
        self.sets / self.leaders
    }

    /// Where in run `number` the leaders of an application are, in the order of policies.
    fn places(&self, number: usize, app: usize) -> [usize; 2] {
        let last = self.run() - 1;
        let place = (number & last) ^ app;
        [place, last - place]
    }

    /// A leader set, by its number among those of the same application and policy.
    pub fn leader(&self, policy: Policy, app: usize, number: usize) -> u32 {
        let place = self.places(number, app)[policy as usize];
        (number * self.run() + place) as u32
    }

    /// Whose leader a set is, and with which policy.
    pub fn led(&self, set: u32) -> Option<(usize, Policy)> {
        let (number, place) = (set as usize / self.run(), set as usize % self.run());
        let of = |app: usize| {
            let [srrip, brrip] = self.places(number, app);
            match place {
                _ if place == srrip => Some((app, Policy::Srrip)),
                _ if place == brrip => Some((app, Policy::Brrip)),
                _ => None,
            }
        };
        (0..self.applications).find_map(of)
    }

    /// What PSEL begins with, and the least with which BRRIP has won.
    pub fn middle(&self) -> u16 {
        1 << (self.psel_w - 1)
    }
}

/// Input ports.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, Ports)]
pub struct In {
    /// Synchronous reset.
    pub reset: bool,
    /// There is an access this cycle.
    pub access_valid: bool,
    /// It hits.
    pub access_hit: bool,
    /// Its set.
    #[port(clog2(p.sets))]
    pub access_set: u32,
    /// The accessing application.
    #[port(id_w(p.applications))]
    pub access_app: u8,
    /// The RRIP-Mask of each application; 0 of those that are none of the GPU.
    #[port([1; p.applications])]
    pub rrip_mask: u64,
}

/// Output ports; all but `psel` combinational.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Ports)]
pub struct Out {
    /// The application inserts as BRRIP in this set, not as SRRIP.
    pub brrip: bool,
    /// A miss inserts its line with a distant interval.
    pub insert_distant: bool,
    /// A hit predicts that its line is used again soon.
    pub promote: bool,
    /// The applications whose lines are replaced before others in this set.
    #[port([1; p.applications])]
    pub preferred: u64,
    /// The policy selectors.
    #[port([p.psel_w; p.applications])]
    pub psel: Inline<u16, MAX_APPLICATIONS>,
}

/// Registers.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, Registers)]
pub struct State {
    /// The policy selectors. Reset: in the middle.
    #[register([p.psel_w; p.applications])]
    pub psel: Vec<u16>,
    /// The shift register; the highest bit leaves first. Reset: the seed.
    #[register(LFSR_W)]
    pub lfsr: u32,
}

impl State {
    /// The next draw.
    pub fn draw(&self) -> u8 {
        (self.lfsr >> (LFSR_W - DRAW_W)) as u8
    }
}

/// The bits that leave the shift register one after the other, each the sum of those 31 and 28
/// places before it.
fn move_on(lfsr: &mut u32) {
    for _ in 0..DRAW_W {
        let bit = |n: u32| *lfsr >> n & 1;
        let enters = bit(30) ^ bit(27);
        *lfsr = (*lfsr << 1 | enters) & limit(LFSR_W) as u32;
    }
}

/// The model.
#[derive(Debug, Clone)]
pub struct Drrip {
    params: Params,
    state: State,
    rules: Arc<Rules<In, State>>,
}

impl Drrip {
    /// The policy that an application leads the set with, if it does.
    pub fn leads(params: &Params, input: &In) -> Option<Policy> {
        let (app, policy) = params.led(input.access_set)?;
        (app == usize::from(input.access_app)).then_some(policy)
    }

    /// Sets a policy selector, at most to its limit.
    ///
    /// For runs that start close to its ends, which take hundreds of misses to reach.
    pub fn preset(&mut self, app: usize, psel: u16) {
        if let Some(selector) = self.state.psel.get_mut(app) {
            *selector = psel.min(limit(self.params.psel_w) as u16);
        }
    }

    /// Lets the shift register go on from a value that is not 0.
    pub fn preset_lfsr(&mut self, lfsr: u32) {
        self.state.lfsr = (lfsr & limit(LFSR_W) as u32).max(1);
    }

    fn miss(&mut self, input: &In, policy: Policy) {
        let most = limit(self.params.psel_w) as u16;
        let app = usize::from(input.access_app);
        if let Some(psel) = self.state.psel.get_mut(app) {
            match Self::leads(&self.params, input) {
                Some(Policy::Srrip) => *psel = most.min(psel.saturating_add(1)),
                Some(Policy::Brrip) => *psel = psel.saturating_sub(1),
                None => {}
            }
        }
        if policy == Policy::Brrip {
            move_on(&mut self.state.lfsr);
        }
    }
}

impl Model for Drrip {
    type Params = Params;
    type In = In;
    type Out = Out;
    type State = State;

    fn legal(params: &Params) -> Result<(), ParamError> {
        params.check_ranges()?;
        let Params { sets, leaders, .. } = *params;
        ParamError::power_of_two("sets", sets as u64, "set is a field of address bits")?;
        ParamError::power_of_two("leaders", leaders as u64, "sets of a run are as many")
    }

    fn new(params: Params) -> Result<Self, ParamError> {
        Self::legal(&params)?;
        let mut model = Self {
            rules: Arc::new(Self::rules(&params)),
            state: State {
                psel: vec![0; params.applications],
                lfsr: 0,
            },
            params,
        };
        model.reset();
        Ok(model)
    }

    fn params(&self) -> &Params {
        &self.params
    }

    fn reset(&mut self) {
        self.state.psel.fill(self.params.middle());
        self.state.lfsr = self.params.seed as u32;
    }

    fn step(&mut self, input: &In) -> Out {
        let app = usize::from(input.access_app);
        let leads = Self::leads(&self.params, input);
        let masked =
            leads.is_none() && input.rrip_mask.checked_shr(app as u32).unwrap_or(0) & 1 == 1;
        let winner = match self.state.psel.get(app) {
            Some(&psel) if psel >= self.params.middle() => Policy::Brrip,
            _ => Policy::Srrip,
        };
        let follows = if masked { Policy::Brrip } else { winner };
        let policy = leads.unwrap_or(follows);
        let leader = self.params.led(input.access_set);
        let spared = leader.map_or(0, |(app, _)| 1 << app);
        let out = Out {
            brrip: policy == Policy::Brrip,
            insert_distant: policy == Policy::Brrip && self.state.draw() >= LONG_BELOW,
            promote: !masked,
            preferred: input.rrip_mask & !spared,
            psel: Inline::copied(&self.state.psel),
        };
        if input.reset {
            self.reset();
        } else if input.access_valid && !input.access_hit {
            self.miss(input, policy);
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
            .invariant(
                "lfsr_runs",
                "The shift register never holds 0, which it would never leave.",
                register!(lfsr).at_least(1usize),
            )
    }

    fn assume(&self, input: &In) -> Result<(), Violation> {
        self.rules.check(&self.params, input, &self.state)
    }
}

impl Part for Drrip {
    fn registers(&mut self) -> &mut State {
        &mut self.state
    }
}

#[cfg(test)]
mod tests;
