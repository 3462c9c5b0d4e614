//! In which order policies stand, beside the paper's.
//!
//! A platform that is not the paper's gives other numbers; which policy is better than which one is
//! what a conclusion rests on.

use serde::Serialize;

use super::Gain;

/// The policies that the paper gives a number for, the best one first.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Order {
    /// The paper's; those with the same number together.
    pub paper: Vec<Vec<&'static str>>,
    /// Ours, by the mean.
    pub ours: Vec<&'static str>,
    /// Pairs of policies whose numbers differ in the paper.
    pub pairs: usize,
    /// Those of them that stand in the same order here.
    pub same: usize,
}

/// None where the paper gives fewer than two numbers, or all the same.
pub(super) fn order(gains: &[Gain]) -> Option<Order> {
    let mut known: Vec<(f64, &Gain)> = gains
        .iter()
        .filter_map(|gain| Some((gain.paper?, gain)))
        .collect();
    let (mut pairs, mut same) = (0, 0);
    for (at, (paper, gain)) in known.iter().enumerate() {
        for (other_paper, other) in &known[at + 1..] {
            if paper != other_paper {
                pairs += 1;
                let ours = gain.all.mean.total_cmp(&other.all.mean);
                same += usize::from(ours == paper.total_cmp(other_paper));
            }
        }
    }
    known.sort_by(|a, b| b.1.all.mean.total_cmp(&a.1.all.mean));
    let ours = known.iter().map(|(_, gain)| gain.policy).collect();
    known.sort_by(|a, b| b.0.total_cmp(&a.0));
    let groups = known.chunk_by(|a, b| a.0 == b.0);
    let names = |group: &[(f64, &Gain)]| group.iter().map(|(_, gain)| gain.policy).collect();
    (pairs > 0).then(|| Order {
        paper: groups.map(names).collect(),
        ours,
        pairs,
        same,
    })
}

#[cfg(test)]
mod tests {
    use super::super::Mean;
    use super::*;

    fn gain(policy: &'static str, ours: f64, paper: Option<f64>) -> Gain {
        Gain {
            policy,
            all: Mean {
                mean: ours,
                interval: [ours, ours],
            },
            by_type: [None; 5],
            range: [0.0, 0.0],
            slower: 0,
            paper,
            paper_by_type: [None; 5],
        }
    }

    #[test]
    fn pairs_that_the_paper_tells_apart_are_counted() {
        let gains = [
            gain("a", 0.1, Some(0.3)),
            gain("b", 0.2, Some(0.1)),
            gain("of nobody", 0.9, None),
            gain("c", -0.1, Some(0.1)),
            gain("d", -0.2, Some(-0.1)),
        ];
        let order = order(&gains).unwrap();
        assert_eq!(order.paper, [vec!["a"], vec!["b", "c"], vec!["d"]]);
        assert_eq!(order.ours, ["b", "a", "c", "d"]);
        // All but b before a; b and c are equal in the paper.
        assert_eq!((order.same, order.pairs), (4, 5));
    }

    #[test]
    fn one_number_has_no_order() {
        assert_eq!(order(&[]), None);
        assert_eq!(
            order(&[gain("a", 0.1, Some(0.1)), gain("b", 0.1, None)]),
            None
        );
        let equal = [gain("a", 0.1, Some(0.1)), gain("b", 0.2, Some(0.1))];
        assert_eq!(order(&equal), None);
    }
}
