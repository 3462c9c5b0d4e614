//! `pivot`: which kernel a miss is charged to, as a whole.
//!
//! Source: the exact attribution of LRU. Where [`blame`](super::blame) goes through every order in
//! which the co-runners may join the victim, this draws one: the co-runner whose lines complete the
//! ways in it is charged the whole contention miss. All orders being as likely, what it is charged
//! over many misses is on average its Shapley-Shubik index, for any number of kernels. An own miss
//! is charged to the victim.
//!
//! The bits of an order leave a shift register with linear feedback, x^31 + x^28 + 1, one after the
//! other: for each kernel, kernel 0 first, a [key](key_bits), lowest bit first, and then a mask of as
//! many bits as a KID has. Kernels join by their keys, the lowest first; of equal keys the one comes
//! first whose KID, XORed with the mask, is the lower. The victim has a key as well, which is not
//! looked at. The register moves on by these bits only where an order is drawn: at a contention miss.
//!
//! ASSUMPTION: how long a key is. Which of two kernels with equal keys is first is fair, that of
//! three is not quite: three are equal in one of 2^14 draws, or of 2^16.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{id_w, pos_w, MAX_WAYS};
use crate::model::{Model, ParamError, Part, Violation};
use crate::ports::{Parameters, Ports, Registers};
use crate::rules::*;

/// The most kernels: as many as the exact pass tells apart.
pub const MAX_KERNELS: usize = super::exact::MAX_KERNELS;

/// Bits of a kernel's key: seven for up to four kernels, so that an order has at most 30 bits, which
/// are independent of each other; else eight, since keys of seven bits would be made of the fourth
/// key before alone: a bit is the sum of those 28 and 31 before it.
pub fn key_bits(kernels: usize) -> usize {
    match kernels {
        ..=4 => 7,
        _ => 8,
    }
}

/// What the shift register holds after reset.
pub const SEED: u32 = 0x2545_f491;

/// Parameters of [`Pivot`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Parameters)]
pub struct Params {
    /// Ways of the cache, 1 to [`MAX_WAYS`].
    #[range(1..=MAX_WAYS)]
    pub ways: usize,
    /// Number of kernels, 2 to [`MAX_KERNELS`].
    #[range(2..=MAX_KERNELS)]
    pub kernels: usize,
}

/// Input ports.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, Ports)]
pub struct In {
    /// Synchronous reset.
    pub reset: bool,
    /// There is an access this cycle.
    pub access_valid: bool,
    /// The accessing kernel, the victim.
    #[port(id_w(p.kernels))]
    pub access_kid: u8,
    /// It has used the line before, and since then fewer than `ways` others.
    pub access_again: bool,
    /// How many lines of each kernel were used since then.
    #[port([pos_w(p.ways); p.kernels])]
    pub above: Vec<u8>,
}

/// Output ports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, Ports)]
pub struct Out {
    /// The access misses.
    pub miss: bool,
    /// It is a contention miss.
    pub contention: bool,
    /// The kernel that is charged, as a mask; 0 if the access hits.
    #[port([1; p.kernels])]
    pub charged: u64,
    /// The same as a KID; 0 if the access hits.
    #[port(id_w(p.kernels))]
    pub charged_kid: u8,
}

/// Registers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, Registers)]
pub struct State {
    /// The shift register; the highest bit leaves first. Reset: [`SEED`].
    #[register(31)]
    pub lfsr: u32,
}

/// The bit that leaves the shift register.
fn shift(lfsr: &mut u32) -> bool {
    let bit = |n: u32| *lfsr >> n & 1;
    let (leaves, enters) = (bit(30), bit(30) ^ bit(27));
    *lfsr = (*lfsr << 1 | enters) & 0x7fff_ffff;
    leaves == 1
}

/// The next bits that leave it, as a number, the first one lowest.
fn number(lfsr: &mut u32, bits: usize) -> u8 {
    (0..bits).fold(0, |number, n| number | u8::from(shift(lfsr)) << n)
}

/// By what the kernels are put in order: their keys, and the numbers that decide between equal ones.
pub fn keys(lfsr: &mut u32, kernels: usize) -> Vec<(u8, u8)> {
    let bits = key_bits(kernels);
    let keys: Vec<u8> = (0..kernels).map(|_| number(lfsr, bits)).collect();
    let mask = number(lfsr, id_w(kernels));
    let among_equals = (0..).map(|kid: u8| kid ^ mask);
    keys.into_iter().zip(among_equals).collect()
}

/// The kernels in the order in which they join; the shift register moves on.
pub fn order(lfsr: &mut u32, kernels: usize) -> Vec<usize> {
    let keys = keys(lfsr, kernels);
    let mut order: Vec<usize> = (0..kernels).collect();
    order.sort_by_key(|&kernel| keys[kernel]);
    order
}

/// What an access is, but for who is charged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A hit.
    Hit,
    /// The victim misses alone, too.
    Own,
    /// It misses because of the co-runners.
    Contention,
}

/// What an access by `victim` is.
pub fn kind(ways: usize, victim: usize, again: bool, above: &[u8]) -> Kind {
    let all: usize = above.iter().map(|&lines| usize::from(lines)).sum();
    if !again || usize::from(above[victim]) >= ways {
        Kind::Own
    } else if all >= ways {
        Kind::Contention
    } else {
        Kind::Hit
    }
}

/// Who completes the ways if the co-runners join the victim in this order, and how many of them have
/// joined before; none if all together do not.
pub fn pivot(ways: usize, victim: usize, above: &[u8], order: &[usize]) -> Option<(usize, usize)> {
    let mut reached = usize::from(above[victim]);
    let co_runners = order.iter().filter(|&&kernel| kernel != victim);
    for (place, &kernel) in co_runners.enumerate() {
        reached += usize::from(above[kernel]);
        if reached >= ways {
            return Some((kernel, place));
        }
    }
    None
}

/// The model.
#[derive(Debug, Clone)]
pub struct Pivot {
    params: Params,
    state: State,
    rules: Arc<Rules<In, State>>,
}

impl Model for Pivot {
    type Params = Params;
    type In = In;
    type Out = Out;
    type State = State;

    fn new(params: Params) -> Result<Self, ParamError> {
        params.check_ranges()?;
        Ok(Self {
            rules: Arc::new(Self::rules(&params)),
            params,
            state: State { lfsr: SEED },
        })
    }

    fn params(&self) -> &Params {
        &self.params
    }

    fn reset(&mut self) {
        self.state.lfsr = SEED;
    }

    fn step(&mut self, input: &In) -> Out {
        let Params { ways, kernels } = self.params;
        let victim = usize::from(input.access_kid);
        let mut charged = None;
        let mut contention = false;
        if input.access_valid && victim < kernels {
            match kind(ways, victim, input.access_again, &input.above) {
                Kind::Hit => {}
                Kind::Own => charged = Some(victim),
                Kind::Contention => {
                    contention = true;
                    let order = order(&mut self.state.lfsr, kernels);
                    let found = pivot(ways, victim, &input.above, &order);
                    charged = found.map(|(kernel, _)| kernel);
                }
            }
        }
        if input.reset {
            self.reset();
        }
        Out {
            miss: charged.is_some(),
            contention,
            charged: charged.map_or(0, |kernel| 1 << kernel),
            charged_kid: charged.unwrap_or(0) as u8,
        }
    }

    fn state(&self) -> &State {
        &self.state
    }

    fn rules(p: &Params) -> Rules<In, State> {
        Rules::new()
            .legal(
                "known_victim",
                "An access is by a kernel that there is.",
                input!(access_valid).implies(input!(access_kid).below(p.kernels)),
            )
            .legal(
                "lines_of_one_set",
                "No kernel has more lines above the one accessed than there are ways.",
                each(0..p.kernels, |kernel| input!(above[kernel]).at_most(p.ways)),
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

impl Part for Pivot {
    fn registers(&mut self) -> &mut State {
        &mut self.state
    }
}

#[cfg(test)]
mod tests;
