//! Sources of a run's inputs.

use std::borrow::Borrow;

use super::pace::Pace;
use super::profile::{Knobs, Mix, Profile};
use super::random::Random;
use super::segment::Segment;
use super::Drive;
use crate::verify::interface::{InOf, ParamsOf};

/// Gives the inputs of one cycle after the other.
pub trait Source<U: Drive> {
    /// Writes the inputs of the next cycle; `false` if there is none.
    fn input(&mut self, params: &ParamsOf<U>, model: &U::Model, input: &mut InOf<U>) -> bool;

    /// Name of the profile or mix that it follows.
    fn profile(&self) -> Option<String> {
        None
    }

    /// The seed it is drawn from.
    fn seed(&self) -> Option<u64> {
        None
    }
}

impl<U: Drive, S: Source<U> + ?Sized> Source<U> for &mut S {
    fn input(&mut self, params: &ParamsOf<U>, model: &U::Model, input: &mut InOf<U>) -> bool {
        (**self).input(params, model, input)
    }

    fn profile(&self) -> Option<String> {
        (**self).profile()
    }

    fn seed(&self) -> Option<u64> {
        (**self).seed()
    }
}

/// Transactions from any iterator, for instance a run of a [`strategy`](super::strategy).
#[derive(Debug, Clone)]
pub struct Transactions<U: Drive, I> {
    transactions: I,
    /// Made by the first of them.
    world: Option<U::World>,
}

impl<U: Drive, I: Iterator> Transactions<U, I>
where
    I::Item: Borrow<U::Transaction>,
{
    /// For a unit that nothing has happened to.
    pub fn new(transactions: impl IntoIterator<IntoIter = I>) -> Self {
        Self {
            transactions: transactions.into_iter(),
            world: None,
        }
    }
}

impl<U: Drive, I: Iterator> Source<U> for Transactions<U, I>
where
    I::Item: Borrow<U::Transaction>,
{
    fn input(&mut self, params: &ParamsOf<U>, model: &U::Model, input: &mut InOf<U>) -> bool {
        let world = self.world.get_or_insert_with(|| U::world(params));
        let next = self.transactions.next();
        if let Some(transaction) = &next {
            U::resolve(params, model, world, transaction.borrow(), input);
        }
        next.is_some()
    }
}

/// Inputs from any iterator, for instance of a recorded trace.
#[derive(Debug, Clone)]
pub struct Inputs<I>(pub I);

impl<U: Drive, I: Iterator<Item = InOf<U>>> Source<U> for Inputs<I> {
    fn input(&mut self, _: &ParamsOf<U>, _: &U::Model, input: &mut InOf<U>) -> bool {
        match self.0.next() {
            Some(next) => {
                *input = next;
                true
            }
            None => false,
        }
    }
}

/// Endless seeded transactions of a mix; made by [`stream`].
#[derive(Debug, Clone)]
pub struct Stream<U: Drive> {
    params: ParamsOf<U>,
    name: String,
    seed: u64,
    profiles: Vec<Profile>,
    knobs: Knobs,
    /// Cycles left of the present profile.
    left: usize,
    pace: Pace,
    random: Random,
    transaction: U::Transaction,
    world: U::World,
}

/// Cycles that a profile of a mix is followed for: the fewest, and how many more there may be.
const STRETCH: (usize, usize) = (32, 992);

/// Endless transactions of a mix: the same for the same unit, parameters, mix and seed, on every
/// machine. Profiles that mean nothing to the unit are left out; if none is left, all of the
/// unit's are used.
pub fn stream<U: Drive>(params: &ParamsOf<U>, mix: impl Into<Mix>, seed: u64) -> Stream<U> {
    let mix = mix.into();
    let known = mix.profiles().iter().copied();
    let mut profiles: Vec<Profile> = known.filter(|p| U::PROFILES.contains(p)).collect();
    if profiles.is_empty() {
        profiles = U::PROFILES.to_vec();
    }
    let mut random = Random::new(seed);
    Stream {
        params: params.clone(),
        name: mix.name(),
        seed,
        knobs: Profile::Uniform.knobs(),
        profiles,
        left: 0,
        pace: Pace::new(U::kernels(params), &mut random),
        random,
        transaction: U::nothing(params),
        world: U::world(params),
    }
}

/// Rounds in which kernels are as in a run from reset: those of the 400,000 cycles that a fault runs
/// for unless said.
#[cfg(feature = "lockstep")]
const AS_FROM_RESET: u64 = 49;

impl<U: Drive> Stream<U> {
    /// The transactions of a round, of those that begin anew with a seed each. What characterises
    /// kernels lasts for several thousand cycles, about as long as a round: late ones begin where it
    /// is another, or no round would ever come there.
    #[cfg(feature = "lockstep")]
    pub(crate) fn round(params: &ParamsOf<U>, seed: u64, round: u64) -> Self {
        let mut stream = stream::<U>(params, Mix::default(), seed);
        if round >= AS_FROM_RESET {
            stream.pace.at_stretch_of(seed);
        }
        stream
    }

    /// The transactions of a segment, for a unit whose world has come to `world`.
    pub(crate) fn segment(params: &ParamsOf<U>, segment: &Segment, world: U::World) -> Self {
        let mut stream = stream::<U>(params, segment.profile, segment.seed);
        stream.pace.turn_over(&mut stream.random);
        stream.pace.at_stretch_of(segment.seed);
        Self {
            knobs: segment.knobs(),
            left: usize::MAX,
            world,
            ..stream
        }
    }

    /// Where it has brought the unit's world.
    pub(crate) fn into_world(self) -> U::World {
        self.world
    }

    /// Goes on in this world.
    pub(crate) fn set_world(&mut self, world: U::World) {
        self.world = world;
    }

    /// The next transaction, in a buffer that is used again.
    #[inline]
    pub fn advance(&mut self) -> &U::Transaction {
        if self.left == 0 {
            let which = self.random.below(self.profiles.len());
            self.knobs = self.profiles[which].knobs();
            self.left = STRETCH.0 + self.random.below(STRETCH.1);
            self.pace.turn_over(&mut self.random);
        }
        self.left -= 1;
        U::draw(
            &self.params,
            &self.knobs,
            &mut self.pace,
            &mut self.random,
            &mut self.transaction,
        );
        &self.transaction
    }
}

impl<U: Drive> Iterator for Stream<U> {
    type Item = U::Transaction;

    fn next(&mut self) -> Option<U::Transaction> {
        Some(self.advance().clone())
    }
}

impl<U: Drive> Source<U> for Stream<U> {
    #[inline]
    fn input(&mut self, params: &ParamsOf<U>, model: &U::Model, input: &mut InOf<U>) -> bool {
        self.advance();
        U::resolve(params, model, &mut self.world, &self.transaction, input);
        true
    }

    fn profile(&self) -> Option<String> {
        Some(self.name.clone())
    }

    fn seed(&self) -> Option<u64> {
        Some(self.seed)
    }
}

#[cfg(test)]
mod tests {
    //! Rationale: what lasts longer than a round is the same in all of them unless a round begins
    //! elsewhere, and then nothing of a unit is seen that needs other kernels.
    use std::collections::BTreeSet;

    use super::*;
    use crate::unit::mgmt::Ucp;
    use crate::verify::interface::Interface;

    #[test]
    fn late_rounds_have_other_kernels() {
        let set = cotenant_units::table::set(Ucp::NAME, "small").unwrap();
        let params = Ucp::params(&set).unwrap();
        let kinds = |rounds: std::ops::Range<u64>| {
            let kinds: BTreeSet<u64> = rounds
                .map(|round| {
                    Stream::<Ucp>::round(&params, 7 + round, round)
                        .pace
                        .character(0)
                })
                .collect();
            kinds.len()
        };
        assert_eq!(kinds(0..AS_FROM_RESET), 1);
        assert_eq!(kinds(AS_FROM_RESET..AS_FROM_RESET + 64), 64);
    }
}
