//! `ucp`: which application gets how many ways, by UCP's lookahead as TAP uses it.
//!
//! Source: TAP, section 3.3 and appendix A, algorithm 1. In each round every application names its
//! maximum marginal utility over all numbers of ways that are left, and the fewest ways that have
//! it; the application with the highest wins and gets these ways, until none is left.
//!
//! The hits of an application with each number of ways come from its [`umon`](super::umon), through
//! the read port of the last period: the unit asks for one counter per cycle, of all applications at
//! once, and takes that of one of them.
//!
//! Timing: a round with b ways to give asks for the b counters above what the first application has,
//! then for those of the second, and so on, one per cycle; [`ROUND_LATENCY`] cycles later the next
//! round begins. A start at cycle t is shown in `busy` at t + 1; when no way is left the quotas are
//! taken over, one cycle later. [`Params::bound`] is the most cycles from a start to new quotas.
//!
//! ASSUMPTION: each application begins with one way, and ways - applications are given out:
//! algorithm 1 taken literally leaves an application whose UCP-Mask is set without any way, section
//! 3.3 says that it gets one.
//! ASSUMPTION: where no application has any utility, one way is given.
//! ASSUMPTION: of equal utilities the application with the lower id wins.
//! ASSUMPTION: counters divided by XSRATIO are fractions, not truncated, so that they can be compared
//! without a divider.
//! ASSUMPTION: XSRATIO and UCP-Mask are given for each application, since there may be several of the
//! GPU (section 3.1.4); of those of a CPU they are 1 and 0.
//! ASSUMPTION: a start before the decision is there drops what is under way, in its last cycle too.
//! ASSUMPTION: until the first decision all have as many ways; what is left over goes to the lower
//! ids.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{ByApplication, MAX_APPLICATIONS};
use crate::llc::pos_w;
use crate::model::{Model, ParamError, Part, Violation};
use crate::ports::{Parameters, Ports, Registers};
use crate::rules::*;

/// Parameters of [`Ucp`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Parameters)]
pub struct Params {
    /// Ways of the cache, 2 to 32.
    #[range(2..=32)]
    pub ways: usize,
    /// Applications, 2 to [`MAX_APPLICATIONS`], not more than there are ways.
    #[range(2..=p.ways.min(MAX_APPLICATIONS))]
    pub applications: usize,
    /// Width of a counter in bits, 1 to 64.
    #[range(1..=64)]
    pub cnt_w: usize,
    /// Width of XSRATIO in bits, 1 to 16.
    #[range(1..=16)]
    pub xs_w: usize,
}

impl Params {
    /// Ways that are given out.
    pub fn given_out(&self) -> usize {
        self.ways - self.applications
    }

    /// Cycles of a round with so many ways to give.
    pub fn round(&self, balance: usize) -> usize {
        self.applications * balance + ROUND_LATENCY
    }

    /// The most cycles from a start to new quotas: those where each round gives one way.
    pub fn bound(&self) -> usize {
        let rounds: usize = (1..=self.given_out()).map(|b| self.round(b)).sum();
        rounds + 2
    }

    /// The ways of an application until the first decision.
    pub fn share(&self, application: usize) -> u64 {
        let Params {
            ways, applications, ..
        } = *self;
        (ways / applications + usize::from(application < ways % applications)) as u64
    }

    fn new_round(&self) -> Round {
        Round {
            cycle: 0,
            hits: vec![Vec::new(); self.applications],
        }
    }
}

/// Cycles of a round after it has asked for all counters: the last answer, its comparison, and the
/// decision.
pub const ROUND_LATENCY: usize = 3;

/// Input ports.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, Ports)]
pub struct In {
    /// Synchronous reset.
    pub reset: bool,
    /// Decide by the counters of the period that ends in this cycle.
    pub start: bool,
    /// The applications that get one way only.
    #[port([1; p.applications])]
    pub ucp_mask: u64,
    /// By what the counters of each are divided, at least 1.
    #[port([p.xs_w; p.applications])]
    pub xsratio: ByApplication,
    /// The counter of each application that was asked for in the cycle before.
    #[port([p.cnt_w; p.applications])]
    pub read_count: ByApplication,
}

/// Output ports, all registered but `read_position`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, Ports)]
pub struct Out {
    /// The counter that is asked for; 0 where none is.
    #[port(pos_w(p.ways))]
    pub read_position: u8,
    /// A decision is under way.
    pub busy: bool,
    /// The quotas are new in this cycle.
    pub done: bool,
    /// The ways of each application.
    #[port([pos_w(p.ways); p.applications])]
    pub quota: ByApplication,
}

/// Registers. What a round has seen so far is not here.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, Registers)]
pub struct State {
    /// The ways of each application. Reset: as [`Params::share`] says.
    #[register([pos_w(p.ways); p.applications])]
    pub quota: Vec<u64>,
    /// They were taken over at the last edge. Reset: 0.
    pub done: bool,
    /// The ways that each application has in the decision under way. Reset: 1.
    #[register([pos_w(p.ways); p.applications])]
    pub allocation: Vec<u64>,
    /// The ways that are left. Reset: all but one per application.
    #[register(pos_w(p.ways))]
    pub balance: u64,
    /// The applications that get one way only, as of the start. Reset: none.
    #[register([1; p.applications])]
    pub mask: u64,
    /// By what the counters of each are divided, as of the start. Reset: 1.
    #[register([p.xs_w; p.applications])]
    pub ratio: Vec<u64>,
    /// The round under way.
    #[register(skip)]
    pub round: Option<Round>,
}

/// A round, in which each application names its utility.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Round {
    /// Cycles since it began.
    pub cycle: usize,
    /// The counters of each application above what it has, as far as they are known.
    pub hits: Vec<Vec<u64>>,
}

/// What an application would gain: so many hits more by so many ways more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Utility {
    /// Hits, as counted.
    pub hits: u128,
    /// What they are divided by, beside the ways.
    pub ratio: u64,
    /// Ways.
    pub ways: u64,
}

impl Utility {
    /// Per way it is more than the other.
    pub fn exceeds(&self, other: &Self) -> bool {
        let divisor = |utility: &Self| u128::from(utility.ratio) * u128::from(utility.ways);
        self.hits * divisor(other) > other.hits * divisor(self)
    }
}

/// The maximum marginal utility of an application with these counters above what it has, by the
/// fewest ways that have it; none without counters. Algorithm 1's `get_max_mu`.
pub fn max_mu(hits: &[u64], ratio: u64) -> Option<Utility> {
    let mut sum = 0;
    let mut max: Option<Utility> = None;
    for (ways, &hits) in (1..).zip(hits) {
        sum += u128::from(hits);
        let mu = Utility {
            hits: sum,
            ratio,
            ways,
        };
        if max.is_none_or(|max| mu.exceeds(&max)) {
            max = Some(mu);
        }
    }
    max
}

/// Who wins a round, and with what: of several the first.
pub fn winner(mus: impl IntoIterator<Item = Option<Utility>>) -> Option<(usize, Utility)> {
    let mut winner: Option<(usize, Utility)> = None;
    for (application, mu) in mus.into_iter().enumerate() {
        if let Some(mu) = mu {
            if winner.is_none_or(|(_, best)| mu.exceeds(&best)) {
                winner = Some((application, mu));
            }
        }
    }
    winner
}

/// The model.
#[derive(Debug, Clone)]
pub struct Ucp {
    params: Params,
    state: State,
    rules: Arc<Rules<In, State>>,
}

impl Ucp {
    fn begin(&mut self) {
        let state = &mut self.state;
        state.allocation.fill(1);
        state.balance = self.params.given_out() as u64;
        state.round = Some(self.params.new_round());
    }

    /// The counters that the round has asked for up to a cycle: how many, of all its applications.
    fn asked(&self) -> usize {
        self.params.applications * self.state.balance as usize
    }

    /// The application and the position that are asked for in a cycle of the round.
    fn question(&self, cycle: usize) -> Option<(usize, u64)> {
        let balance = self.state.balance as usize;
        (cycle < self.asked()).then(|| {
            let application = cycle / balance;
            let above = (cycle % balance) as u64;
            (application, self.state.allocation[application] + above)
        })
    }

    /// The application and the position whose counter is taken in this cycle, if one is.
    pub fn answered(&self) -> Option<(usize, u64)> {
        let cycle = self.state.round.as_ref()?.cycle;
        self.question(cycle.checked_sub(1)?)
    }

    /// The utility that each application has named, none of those that get one way only: of a round
    /// that has asked for all counters.
    pub fn utilities(&self) -> Vec<Option<Utility>> {
        let State { mask, ratio, .. } = &self.state;
        let of = |(application, hits): (usize, &Vec<u64>)| match mask >> application & 1 {
            1 => None,
            _ => max_mu(hits, ratio[application]),
        };
        let round = self.state.round.iter();
        round
            .flat_map(|round| round.hits.iter().enumerate().map(of))
            .collect()
    }

    /// The round is in its last cycle.
    pub fn decides(&self) -> bool {
        let balance = self.state.balance as usize;
        let round = self.state.round.as_ref();
        balance > 0 && round.is_some_and(|round| round.cycle + 1 == self.params.round(balance))
    }

    /// A cycle of a decision under way.
    fn work(&mut self, input: &In) {
        if self.state.balance == 0 {
            let state = &mut self.state;
            state.quota.copy_from_slice(&state.allocation);
            state.done = true;
            state.round = None;
            return;
        }
        if self.decides() {
            if let Some((application, won)) = winner(self.utilities()) {
                self.state.allocation[application] += won.ways;
                self.state.balance -= won.ways;
            }
            self.state.round = Some(self.params.new_round());
            return;
        }
        let answered = self.answered();
        if let Some(round) = &mut self.state.round {
            if let Some((application, _)) = answered {
                round.hits[application].push(input.read_count[application]);
            }
            round.cycle += 1;
        }
    }
}

impl Model for Ucp {
    type Params = Params;
    type In = In;
    type Out = Out;
    type State = State;

    fn new(params: Params) -> Result<Self, ParamError> {
        params.check_ranges()?;
        let mut model = Self {
            rules: Arc::new(Self::rules(&params)),
            params,
            state: State::default(),
        };
        model.reset();
        Ok(model)
    }

    fn params(&self) -> &Params {
        &self.params
    }

    fn reset(&mut self) {
        let p = &self.params;
        self.state = State {
            quota: (0..p.applications).map(|i| p.share(i)).collect(),
            done: false,
            allocation: vec![1; p.applications],
            balance: p.given_out() as u64,
            mask: 0,
            ratio: vec![1; p.applications],
            round: None,
        };
    }

    fn step(&mut self, input: &In) -> Out {
        let cycle = self.state.round.as_ref().map(|round| round.cycle);
        let question = cycle.and_then(|cycle| self.question(cycle));
        let out = Out {
            read_position: question.map_or(0, |(_, position)| position as u8),
            busy: cycle.is_some(),
            done: self.state.done,
            quota: ByApplication::copied(&self.state.quota),
        };
        if input.reset {
            self.reset();
            return out;
        }
        self.state.done = false;
        if input.start {
            self.state.mask = input.ucp_mask;
            self.state.ratio.copy_from_slice(&input.xsratio);
            self.begin();
        } else if self.state.round.is_some() {
            self.work(input);
        }
        out
    }

    fn state(&self) -> &State {
        &self.state
    }

    fn rules(p: &Params) -> Rules<In, State> {
        let applications = 0..p.applications;
        let quotas = (1..p.applications).fold(register!(quota[0] as quota), |sum, i| {
            sum.plus(register!(quota[i] as quota))
        });
        let allocated = applications.clone().fold(register!(balance), |sum, i| {
            sum.plus(register!(allocation[i]))
        });
        Rules::new()
            .legal(
                "some_application",
                "There is an application that may get more than one way.",
                input!(start).implies(any(applications.clone().map(|i| input!(ucp_mask[i]).not()))),
            )
            .legal(
                "known_ratios",
                "Counters are divided by at least 1.",
                input!(start).implies(each(applications.clone(), |i| {
                    input!(xsratio[i]).at_least(1usize)
                })),
            )
            .invariant(
                "some_application",
                "There is an application that may get more than one way.",
                any(applications.clone().map(|i| register!(mask[i]).not())),
            )
            .invariant(
                "known_ratios",
                "Counters are divided by at least 1.",
                each(applications.clone(), |i| {
                    register!(ratio[i]).at_least(1usize)
                }),
            )
            .invariant(
                "all_ways",
                "Quotas are all ways, and so is what is allocated with what is left.",
                quotas.is(p.ways).and(allocated.is(p.ways)),
            )
            .invariant(
                "a_way_each",
                "Each application has at least one way, and no more than are given out beside it.",
                each(applications, |i| {
                    let most = p.given_out() + 1;
                    let quota = || register!(quota[i] as quota);
                    let allocation = || register!(allocation[i]);
                    let quotas = quota().at_least(1usize).and(quota().at_most(most));
                    let allocated = allocation().at_least(1usize);
                    quotas.and(allocated.and(allocation().at_most(most)))
                }),
            )
    }

    fn assume(&self, input: &In) -> Result<(), Violation> {
        self.rules.check(&self.params, input, &self.state)
    }
}

impl Part for Ucp {
    fn registers(&mut self) -> &mut State {
        &mut self.state
    }
}

#[cfg(test)]
mod tests;
