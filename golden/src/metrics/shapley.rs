//! Shapley values: each player's share of the worth of a coalition.

use serde::{Deserialize, Serialize};

use super::Row;
use crate::model::ParamError;

/// Most players: the worth of each of 2^16 coalitions is a moment's work.
pub const MAX_PLAYERS: usize = 16;

/// What each player adds to the worth of the whole, averaged over all orders in which they may
/// join: the only division that gives out all of it, treats like players alike, gives nothing to
/// one who adds nothing, and is additive.
///
/// Source: Shapley, "A Value for n-Person Games" (1953). The players are co-runners, and a
/// coalition is worth the misses that the kernel under test has beyond those it has alone.
///
/// ```
/// use cotenant_golden::metrics::Shapley;
/// // Two co-runners that only together push a line out: a mask's bit is a player.
/// let shapley = Shapley::of(2, |coalition| if coalition == 0b11 { 100 } else { 0 })?;
/// assert_eq!(shapley.values, [50.0, 50.0]);
/// assert_eq!(shapley.shares(), Some(vec![0.5, 0.5]));
/// # Ok::<(), cotenant_golden::ParamError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Shapley {
    /// One value per player. They come to the worth of all players together.
    pub values: Vec<f64>,
}

impl Shapley {
    /// Of `players` players, where `worth` gives a coalition's worth, its mask's bit i being
    /// player i; the empty one's is taken from all others.
    ///
    /// # Errors
    /// [`ParamError`] for more than [`MAX_PLAYERS`].
    pub fn of(players: usize, worth: impl Fn(u64) -> i64) -> Result<Self, ParamError> {
        ParamError::range("players", players as u64, 0, MAX_PLAYERS as u64)?;
        let worths: Vec<i64> = (0..1u64 << players).map(worth).collect();
        // Of all orders, those in which just this coalition of `before` comes first.
        let factorial = |n: usize| (1..=n).map(|n| n as f64).product::<f64>();
        let weight = |before: usize| {
            factorial(before) * factorial(players - 1 - before) / factorial(players)
        };
        let value = |player: usize| {
            // Whole numbers are summed by the size of the coalition, so that like players get
            // like values to the last bit.
            let mut added = vec![0i128; players];
            for without in (0..worths.len()).filter(|mask| mask >> player & 1 == 0) {
                let gain = i128::from(worths[without | 1 << player]) - i128::from(worths[without]);
                added[without.count_ones() as usize] += gain;
            }
            let terms = added.iter().enumerate();
            terms
                .map(|(before, &sum)| sum as f64 * weight(before))
                .sum()
        };
        Ok(Self {
            values: (0..players).map(value).collect(),
        })
    }

    /// The values as fractions, to be compared with GDC's and PLOB's; `None` if no kernel caused
    /// misses.
    ///
    /// ASSUMPTION: a co-runner whose value is negative has saved misses (it brought in lines, or
    /// slowed others down). It is to blame for none: its share is 0, and the shares of those who
    /// did harm come to 1. So shares always lie where a monitor's can, and their distance
    /// ([`wbd`](super::wbd)) has the same range. The values themselves stay as they are.
    pub fn shares(&self) -> Row {
        let harm = || self.values.iter().map(|value| value.max(0.0));
        let sum: f64 = harm().sum();
        (sum > 0.0).then(|| harm().map(|value| value / sum).collect())
    }
}

#[cfg(test)]
mod tests {
    //! Rationale: the axioms that define the value, on games drawn at random; games whose values
    //! are known by hand; the division by marginal contributions in one order only, which is a
    //! likely mistake, fails the same checks.
    use super::*;
    use proptest::prelude::*;

    /// Worths by mask; nothing is worth nothing.
    fn game(players: usize) -> impl Strategy<Value = (usize, Vec<i64>)> {
        prop::collection::vec(-1000i64..1000, 1 << players).prop_map(move |mut worths| {
            worths[0] = 0;
            (players, worths)
        })
    }

    fn values(players: usize, worths: &[i64]) -> Vec<f64> {
        let shapley = Shapley::of(players, |mask| worths[mask as usize]);
        shapley.unwrap().values
    }

    fn efficient(values: &[f64], worths: &[i64]) -> bool {
        let whole = worths[worths.len() - 1] as f64;
        (values.iter().sum::<f64>() - whole).abs() < 1e-6
    }

    /// Worths with players 0 and 1 exchanged.
    fn exchanged(worths: &[i64]) -> Vec<i64> {
        let swap = |mask: usize| mask & !3 | (mask & 1) << 1 | mask >> 1 & 1;
        (0..worths.len()).map(|mask| worths[swap(mask)]).collect()
    }

    fn symmetric(of: impl Fn(&[i64]) -> Vec<f64>, worths: &[i64]) -> bool {
        let mut there = of(&exchanged(worths));
        there.swap(0, 1);
        there == of(worths)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn the_axioms((players, worths) in (2usize..6).prop_flat_map(game), k in 0usize..5) {
            let value = |worths: &[i64]| values(players, worths);
            prop_assert!(efficient(&value(&worths), &worths));
            prop_assert!(symmetric(value, &worths));
            // A dummy, who adds the same wherever he joins.
            let dummy = k % players;
            let own = worths[1 << dummy];
            let joined = |mask: usize| {
                let others = mask & !(1 << dummy);
                worths[others] + if mask == others { 0 } else { own }
            };
            let game: Vec<i64> = (0..worths.len()).map(joined).collect();
            prop_assert!((value(&game)[dummy] - own as f64).abs() < 1e-6);
            // Additivity: a game played twice.
            let twice: Vec<i64> = worths.iter().map(|worth| 2 * worth).collect();
            for (double, single) in value(&twice).iter().zip(value(&worths)) {
                prop_assert!((double - 2.0 * single).abs() < 1e-6);
            }
        }
    }

    #[test]
    fn by_hand() {
        // The glove game: one left glove, two right ones; a pair is worth 6.
        let gloves = |mask: u64| if mask & 1 == 1 && mask > 1 { 6 } else { 0 };
        assert_eq!(Shapley::of(3, gloves).unwrap().values, [4.0, 1.0, 1.0]);
        // Where there is one player, he is all of it; where there is none, there is nothing.
        assert_eq!(
            Shapley::of(1, |mask| 7 * mask as i64).unwrap().values,
            [7.0]
        );
        assert_eq!(Shapley::of(0, |_| 0).unwrap().shares(), None);
        assert!(Shapley::of(MAX_PLAYERS + 1, |_| 0).is_err());
    }

    #[test]
    fn who_saves_misses_has_no_share() {
        let worths = [0, 30, -10, 20, 10, 40, 0, 30];
        let shapley = Shapley::of(3, |mask| worths[mask as usize]).unwrap();
        for (value, expected) in shapley.values.iter().zip([30.0, -10.0, 10.0]) {
            assert!((value - expected).abs() < 1e-9, "{shapley:?}");
        }
        let shares = shapley.shares().unwrap();
        assert_eq!(shares[1], 0.0);
        assert!((shares[0] - 0.75).abs() < 1e-9 && (shares[2] - 0.25).abs() < 1e-9);
        let none = Shapley::of(2, |mask| -(mask as i64)).unwrap();
        assert_eq!(none.shares(), None);
    }

    #[test]
    fn one_order_is_not_enough() {
        let gloves = [0, 0, 0, 6, 0, 6, 0, 6];
        let in_order = |worths: &[i64]| -> Vec<f64> {
            let joined = |player: usize| (1 << (player + 1)) - 1;
            let gain = |player: usize| worths[joined(player)] - worths[joined(player) >> 1];
            (0..3).map(|player| gain(player) as f64).collect()
        };
        assert!(efficient(&in_order(&gloves), &gloves));
        assert!(!symmetric(in_order, &gloves));
    }
}
