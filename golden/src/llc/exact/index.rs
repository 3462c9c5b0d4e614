//! The Shapley-Shubik index of a weighted game: who of the co-runners caused one contention miss.

use crate::llc::MAX_WAYS;
use crate::metrics::MAX_PLAYERS;

/// `n!` for every number of players.
pub(super) const FACTORIAL: [u64; MAX_PLAYERS + 1] = {
    let mut table = [1; MAX_PLAYERS + 1];
    let mut n = 1;
    while n < table.len() {
        table[n] = n as u64 * table[n - 1];
        n += 1;
    }
    table
};

/// Coalitions by size and by weight, of those whose weight is below the quota.
type Losing = [[u32; MAX_WAYS]; MAX_PLAYERS + 1];

/// How often each player is the one who brings the quota: of the `n!` orders in which the `n`
/// players may join, those in which the weights before it are below `quota` and, with its own, are
/// not. Zero for all where even all together stay below.
///
/// `weights[j]` is the number of lines of co-runner j above the line that is accessed, and `quota`
/// what the victim's own lines leave of the ways. Orders are not gone through: coalitions below the
/// quota are counted by size and weight, in `n * n * quota` steps for each player.
///
/// ```
/// use cotenant_golden::llc::exact::shapley_shubik;
/// let mut orders = [0; 3];
/// // The first reaches 4 with either of the others, who reach it not without it.
/// shapley_shubik(&[3, 1, 2], 4, &mut orders);
/// assert_eq!(orders, [4, 1, 1]);
/// ```
///
/// # Panics
/// For more than [`MAX_PLAYERS`] players, a quota of 0 or above [`MAX_WAYS`], or slices of
/// different lengths.
pub fn shapley_shubik(weights: &[u8], quota: u8, orders: &mut [u64]) {
    assert_eq!(weights.len(), orders.len());
    assert!((1..=MAX_WAYS).contains(&usize::from(quota)));
    orders.fill(0);
    // A player without weight never brings the quota, and the others' shares are the same without.
    let mut players = [(0, 0u8); MAX_PLAYERS];
    let mut active = 0;
    for (player, &weight) in weights.iter().enumerate() {
        if weight > 0 {
            players[active] = (player, weight.min(quota));
            active += 1;
        }
    }
    let players = &players[..active];
    let all: u32 = players.iter().map(|&(_, weight)| u32::from(weight)).sum();
    if all < quota.into() {
        return;
    }
    let whole = FACTORIAL[weights.len()];
    if active <= 3 {
        let weight = |at: usize| players.get(at).map_or(0, |&(_, weight)| u32::from(weight));
        let sixths = sixths([weight(0), weight(1), weight(2)], quota.into());
        for (&(player, _), sixths) in players.iter().zip(sixths) {
            // A share of one or two players is a whole or a half.
            orders[player] = whole * sixths / 6;
        }
        return;
    }
    let losing = losing(players, quota);
    for &(player, weight) in players {
        orders[player] = pivots(&losing, active, weight, quota) * (whole / FACTORIAL[active]);
    }
}

/// Of the six orders of three players, those in which each brings the quota, which all together
/// reach: from the comparisons of one and of two of them with the quota.
fn sixths([a, b, c]: [u32; 3], quota: u32) -> [u64; 3] {
    let wins = |weight: u32| u64::from(weight >= quota);
    let alone = [a, b, c].map(wins);
    // The pair without each.
    let pair = [b + c, a + c, a + b].map(wins);
    let share = |i: usize, j: usize, k: usize| {
        // First, in two orders; second, after j or after k; last, in two.
        let second = (pair[k] & !alone[j]) + (pair[j] & !alone[k]);
        2 * alone[i] + second + 2 * (1 - pair[i])
    };
    [share(0, 1, 2), share(1, 0, 2), share(2, 0, 1)]
}

/// How many coalitions of each size have each weight below the quota.
fn losing(players: &[(usize, u8)], quota: u8) -> Losing {
    let mut losing = [[0; MAX_WAYS]; MAX_PLAYERS + 1];
    losing[0][0] = 1;
    let quota = usize::from(quota);
    for (before, &(_, weight)) in players.iter().enumerate() {
        let weight = usize::from(weight);
        for size in (0..=before).rev() {
            let (smaller, larger) = losing.split_at_mut(size + 1);
            let joined = larger[0][..quota].iter_mut().skip(weight);
            for (with, &without) in joined.zip(&smaller[size]) {
                *with += without;
            }
        }
    }
    losing
}

/// Orders of `active` players in which a player of this weight brings the quota.
fn pivots(losing: &Losing, active: usize, weight: u8, quota: u8) -> u64 {
    let (weight, quota) = (usize::from(weight), usize::from(quota));
    // The coalitions of one size less, without this player.
    let mut fewer = [0; MAX_WAYS];
    let mut orders = 0;
    for size in 0..active {
        let mut without = losing[size];
        for (all, &with) in without[..quota].iter_mut().skip(weight).zip(&fewer) {
            *all -= with;
        }
        let pivotal: u32 = without[quota - weight..quota].iter().sum();
        orders += u64::from(pivotal) * FACTORIAL[size] * FACTORIAL[active - 1 - size];
        fewer = without;
    }
    orders
}

#[cfg(test)]
mod tests {
    //! Rationale: the index by its definition, over all coalitions, for all small games and random
    //! large ones; and the axioms that make it the only fair one. Each check refutes divisions that
    //! are likely mistakes: all to one player, by weight, equal parts, and one order only.
    use super::*;
    use proptest::prelude::*;

    /// By the definition: every coalition that a player turns from losing to winning.
    fn by_definition(weights: &[u8], quota: u8) -> Vec<u64> {
        let n = weights.len();
        let of = |mask: usize| -> u32 {
            let members = weights
                .iter()
                .enumerate()
                .filter(|(j, _)| mask >> j & 1 == 1);
            members.map(|(_, &weight)| u32::from(weight)).sum()
        };
        let quota = u32::from(quota);
        let orders = |player: usize| {
            let before = (0..1usize << n).filter(|mask| mask >> player & 1 == 0);
            let pivotal =
                before.filter(|&mask| of(mask) < quota && of(mask | 1 << player) >= quota);
            pivotal
                .map(|mask| mask.count_ones() as usize)
                .map(|size| FACTORIAL[size] * FACTORIAL[n - 1 - size])
                .sum()
        };
        (0..n).map(orders).collect()
    }

    fn index(weights: &[u8], quota: u8) -> Vec<u64> {
        let mut orders = vec![7; weights.len()];
        shapley_shubik(weights, quota, &mut orders);
        orders
    }

    /// The first axiom that a division breaks, in one game.
    fn broken(
        divide: &dyn Fn(&[u8], u8) -> Vec<u64>,
        weights: &[u8],
        quota: u8,
    ) -> Option<&'static str> {
        let orders = divide(weights, quota);
        let sum: u32 = weights.iter().map(|&weight| u32::from(weight)).sum();
        let whole = match sum >= quota.into() {
            true => FACTORIAL[weights.len()],
            false => 0,
        };
        if orders.iter().sum::<u64>() != whole {
            return Some("efficiency");
        }
        for (i, (&weight, &share)) in weights.iter().zip(&orders).enumerate() {
            // One who turns no coalition: its weight never matters.
            let matters = by_definition(weights, quota)[i] > 0;
            if share > 0 && !matters {
                return Some("null player");
            }
            for (&other, &its) in weights.iter().zip(&orders) {
                if weight == other && share != its {
                    return Some("symmetry");
                }
            }
        }
        None
    }

    fn last_pusher(weights: &[u8], _: u8) -> Vec<u64> {
        let mut orders = vec![0; weights.len()];
        *orders.last_mut().unwrap() = FACTORIAL[weights.len()];
        orders
    }

    fn equal_parts(weights: &[u8], _: u8) -> Vec<u64> {
        let players = weights.len();
        vec![FACTORIAL[players - 1]; players]
    }

    fn one_order(weights: &[u8], quota: u8) -> Vec<u64> {
        let mut before = 0;
        let pivot = weights.iter().map(|&weight| {
            let lost = before < u32::from(quota);
            before += u32::from(weight);
            let won = before >= u32::from(quota);
            u64::from(lost && won) * FACTORIAL[weights.len()]
        });
        pivot.collect()
    }

    fn one_lost(weights: &[u8], quota: u8) -> Vec<u64> {
        let mut orders = index(weights, quota);
        orders[0] = orders[0].saturating_sub(1);
        orders
    }

    #[test]
    fn all_small_games() {
        for players in 1..=4usize {
            for game in 0..7usize.pow(players as u32) {
                let weight = |player: usize| (game / 7usize.pow(player as u32) % 7) as u8;
                let weights: Vec<u8> = (0..players).map(weight).collect();
                for quota in 1..=9 {
                    let expected = by_definition(&weights, quota);
                    assert_eq!(index(&weights, quota), expected, "{weights:?} {quota}");
                    assert_eq!(broken(&index, &weights, quota), None);
                }
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]
        #[test]
        fn random_games(
            weights in prop::collection::vec(prop_oneof![2 => 0u8..8, 1 => 0u8..=64], 1..11),
            quota in 1u8..=64,
        ) {
            prop_assert_eq!(index(&weights, quota), by_definition(&weights, quota));
            prop_assert_eq!(broken(&index, &weights, quota), None);
        }
    }

    #[test]
    fn fifteen_players() {
        for seed in 0..4u8 {
            let weights: Vec<u8> = (0..15u8).map(|j| (j * 7 + seed * 5) % 11).collect();
            let quota = 13 + 17 * seed;
            assert_eq!(index(&weights, quota), by_definition(&weights, quota));
        }
        // The most there may be of everything.
        assert_eq!(index(&[64; 15], 64), [FACTORIAL[14]; 15]);
        assert_eq!(index(&[4; 16], 64), [FACTORIAL[15]; 16]);
    }

    #[test]
    fn wrong_divisions_are_refuted() {
        let game = (&[3u8, 3, 1, 0][..], 4);
        assert_eq!(broken(&index, game.0, game.1), None);
        assert_eq!(broken(&last_pusher, game.0, game.1), Some("null player"));
        assert_eq!(broken(&equal_parts, game.0, game.1), Some("null player"));
        assert_eq!(broken(&one_order, game.0, game.1), Some("symmetry"));
        assert_eq!(broken(&one_lost, game.0, game.1), Some("efficiency"));
        // By weight, nothing but the definition refutes.
        let by_weight = [3u64, 2, 1].map(|weight| weight * 6 / 6);
        assert_ne!(index(&[3, 2, 1], 4), by_weight);
    }
}
