//! `blame`: what part of a miss each kernel has caused.
//!
//! Source: the exact attribution of LRU. An access of kernel v finds `d_j` lines of each kernel j
//! above the line that it uses again. It is v's *own* miss if v alone would have missed: at its
//! first use of the line, or if `d_v` comes to the ways. Else, if all kernels' lines together come
//! to the ways, it is a *contention miss*: co-runners join one after the other, in every order, and
//! in each order the one whose lines complete the ways has caused it. A kernel's part is the part of
//! the orders in which it is that one, its Shapley-Shubik index.
//!
//! With up to three co-runners there are up to six orders, so a part is a whole number of sixths.
//! Combinational.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{id_w, pos_w, MAX_WAYS};
use crate::model::{Model, ParamError, Violation};
use crate::ports::{Parameters, Ports, Registers};
use crate::rules::*;

/// The parts in which a miss is divided.
pub const SIXTHS: u8 = 6;

/// The most kernels whose parts are whole numbers of sixths.
pub const MAX_KERNELS: usize = 4;

/// Parameters of [`Blame`].
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
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, Ports)]
pub struct Out {
    /// The access misses.
    pub miss: bool,
    /// It is a contention miss.
    pub contention: bool,
    /// Each kernel's part of the miss, in sixths; zeros if it hits.
    #[port([3; p.kernels])]
    pub sixths: Vec<u8>,
}

/// No registers.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, Registers)]
pub struct State {}

/// Every order in which so many may join.
fn orders(players: &[usize]) -> Vec<Vec<usize>> {
    let Some((&last, rest)) = players.split_last() else {
        return vec![vec![]];
    };
    let insert = |order: Vec<usize>| {
        (0..=order.len()).map(move |at| {
            let mut order = order.clone();
            order.insert(at, last);
            order
        })
    };
    orders(rest).into_iter().flat_map(insert).collect()
}

/// Each kernel's part of an access by `victim`, in sixths, and whether it is a contention miss.
pub fn parts(ways: usize, victim: usize, again: bool, above: &[u8]) -> (Vec<u8>, bool) {
    let mut parts = vec![0; above.len()];
    let lines = |kernel: usize| usize::from(above[kernel]);
    if !again || lines(victim) >= ways {
        parts[victim] = SIXTHS;
        return (parts, false);
    }
    let others: Vec<usize> = (0..above.len()).filter(|&j| j != victim).collect();
    let orders = orders(&others);
    let each = SIXTHS / orders.len() as u8;
    for order in orders {
        let mut reached = lines(victim);
        let completes = order.into_iter().find(|&joined| {
            reached += lines(joined);
            reached >= ways
        });
        if let Some(aggressor) = completes {
            parts[aggressor] += each;
        }
    }
    let contention = parts.iter().any(|&part| part > 0);
    (parts, contention)
}

/// The model.
#[derive(Debug, Clone)]
pub struct Blame {
    params: Params,
    state: State,
    rules: Arc<Rules<In, State>>,
}

impl Model for Blame {
    type Params = Params;
    type In = In;
    type Out = Out;
    type State = State;

    fn new(params: Params) -> Result<Self, ParamError> {
        params.check_ranges()?;
        Ok(Self {
            rules: Arc::new(Self::rules(&params)),
            params,
            state: State {},
        })
    }

    fn params(&self) -> &Params {
        &self.params
    }

    fn reset(&mut self) {}

    fn step(&mut self, input: &In) -> Out {
        let mut out = Out {
            sixths: vec![0; self.params.kernels],
            ..Out::default()
        };
        if input.access_valid && usize::from(input.access_kid) < self.params.kernels {
            let In {
                access_kid,
                access_again,
                above,
                ..
            } = input;
            let victim = usize::from(*access_kid);
            (out.sixths, out.contention) = parts(self.params.ways, victim, *access_again, above);
            out.miss = out.sixths.iter().any(|&part| part > 0);
        }
        out
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
    }

    fn assume(&self, input: &In) -> Result<(), Violation> {
        self.rules.check(&self.params, input, &self.state)
    }
}

#[cfg(test)]
mod tests {
    //! Rationale: the parts by hand where one, two or all three co-runners are needed; the first
    //! use, an own miss and a hit; and, for all small games, the index of
    //! [`exact`](crate::llc::exact), which counts coalitions where this model goes through orders.
    use super::*;
    use crate::llc::exact::shapley_shubik;

    fn of(ways: usize, victim: usize, above: &[u8]) -> (Vec<u8>, bool) {
        parts(ways, victim, true, above)
    }

    #[test]
    fn by_hand_for_four_kernels() {
        assert_eq!(
            of(4, 0, &[3, 1, 0, 0]),
            (vec![0, 6, 0, 0], true),
            "one has lines"
        );
        assert_eq!(
            of(4, 0, &[0, 4, 4, 0]),
            (vec![0, 3, 3, 0], true),
            "either is enough"
        );
        assert_eq!(
            of(4, 0, &[1, 1, 2, 0]),
            (vec![0, 3, 3, 0], true),
            "both are needed"
        );
        assert_eq!(
            of(4, 0, &[1, 1, 1, 1]),
            (vec![0, 2, 2, 2], true),
            "all are needed"
        );
        assert_eq!(
            of(4, 3, &[3, 1, 2, 0]),
            (vec![4, 1, 1, 0], true),
            "K0 and another one"
        );
        assert_eq!(
            of(4, 1, &[4, 3, 1, 1]),
            (vec![2, 0, 2, 2], true),
            "any is enough"
        );
        assert_eq!(of(4, 2, &[1, 1, 1, 0]), (vec![0; 4], false), "a hit");
        assert_eq!(
            of(4, 2, &[4, 4, 4, 4]),
            (vec![0, 0, 6, 0], false),
            "alone it misses, too"
        );
        let first = parts(4, 1, false, &[4, 0, 4, 4]);
        assert_eq!(first, (vec![0, 6, 0, 0], false), "the first use");
    }

    #[test]
    fn fewer_kernels_have_whole_misses_and_halves() {
        assert_eq!(of(2, 1, &[1, 1]), (vec![6, 0], true));
        assert_eq!(of(3, 0, &[0, 2, 1]), (vec![0, 3, 3], true));
        assert_eq!(of(3, 0, &[1, 2, 1]), (vec![0, 6, 0], true));
    }

    #[test]
    fn all_small_games_have_the_index_of_the_exact_pass() {
        let mut games = 0;
        for kernels in 2..=4u32 {
            for ways in 1..=5u8 {
                let codes = u32::from(ways) + 1;
                for game in 0..codes.pow(kernels) {
                    let above: Vec<u8> = (0..kernels)
                        .map(|kernel| (game / codes.pow(kernel) % codes) as u8)
                        .collect();
                    let (own, others) = above.split_first().unwrap();
                    if *own >= ways {
                        continue;
                    }
                    let mut orders = vec![0; others.len()];
                    shapley_shubik(others, ways - own, &mut orders);
                    let whole: u64 = (1..=others.len() as u64).product();
                    let expected: Vec<u8> = std::iter::once(0)
                        .chain(orders.iter().map(|&part| (6 * part / whole) as u8))
                        .collect();
                    let (parts, contention) = of(ways.into(), 0, &above);
                    assert_eq!(parts, expected, "{above:?} of {ways}");
                    let all: u32 = above.iter().map(|&lines| u32::from(lines)).sum();
                    assert_eq!(contention, all >= ways.into());
                    games += 1;
                }
            }
        }
        assert!(games > 1000);
    }

    #[test]
    fn without_an_access_nobody_is_blamed() {
        let mut blame = Blame::new(Params {
            ways: 4,
            kernels: 3,
        })
        .unwrap();
        let access = In {
            access_valid: true,
            access_kid: 1,
            access_again: false,
            above: vec![0; 3],
        };
        let out = blame.step(&access);
        assert_eq!(
            (out.miss, out.contention, out.sixths),
            (true, false, vec![0, 6, 0])
        );
        let out = blame.step(&In {
            access_valid: false,
            ..access
        });
        assert_eq!(
            (out.miss, out.contention, out.sixths),
            (false, false, vec![0; 3])
        );
    }

    #[test]
    fn illegal_parameters_and_inputs_are_named() {
        for (ways, kernels) in [(0, 2), (65, 2), (4, 1), (4, 5)] {
            assert!(Blame::new(Params { ways, kernels }).is_err());
        }
        let blame = Blame::new(Params {
            ways: 5,
            kernels: 3,
        })
        .unwrap();
        let input = In {
            access_valid: true,
            access_kid: 2,
            access_again: true,
            above: vec![5, 0, 5],
        };
        assert!(blame.assume(&input).is_ok());
        let at_fault = |input: In| blame.assume(&input).unwrap_err().field().to_string();
        let unknown = In {
            access_kid: 3,
            ..input.clone()
        };
        assert_eq!(at_fault(unknown), "access_kid");
        let too_many = In {
            above: vec![5, 6, 0],
            ..input
        };
        assert_eq!(at_fault(too_many), "above[1]");
    }
}
