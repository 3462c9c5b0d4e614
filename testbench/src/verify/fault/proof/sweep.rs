//! Which bits of the logic that a fault changes are equal all the same, from the fault to the roots: what
//! is equal where the logic comes together again need not be looked at behind it, and the solver need not
//! find by itself what it is simple to ask for on the way (SAT sweeping, after Kuehlmann and Krohm).

use std::collections::{HashMap, HashSet};
use std::time::Instant;

use cotenant_netlist::blast::Lit as Bit;
use cotenant_netlist::fault::{Beside, Changed};
use cotenant_netlist::graph::NodeId;

use super::question::Question;

/// After how many conflicts a bit counts as one that can differ.
const CONFLICTS: u64 = 1000;

/// A bit in both designs, not inverted in the sound one.
pub(super) type Both = [Bit; 2];

/// The bits of changed nodes that cannot differ if all holds that the question supposes, which is told
/// them; as far as time allows.
pub(super) fn equal(
    question: &mut Question<'_>,
    beside: &Beside<'_>,
    until: Instant,
) -> HashSet<Both> {
    let nodes: HashMap<NodeId, &Changed> =
        beside.changed().iter().map(|it| (it.node, it)).collect();
    let (mut equal, mut differ) = (HashSet::new(), HashSet::new());
    for changed in beside.changed() {
        let mut open: Vec<Both> = bits(changed).filter(|bit| !equal.contains(bit)).collect();
        let all_equal = |node: &NodeId| bits(nodes[node]).all(|bit| equal.contains(&bit));
        let operands = changed.operands.as_ref();
        if operands.is_some_and(|operands| operands.iter().all(all_equal)) {
            tell(question, &mut equal, open);
            continue;
        }
        open.retain(|bit| !differ.contains(bit));
        if !changed.selects {
            continue;
        }
        while !open.is_empty() && Instant::now() < until {
            match question.never_differ(&open, CONFLICTS) {
                Some(true) => tell(question, &mut equal, std::mem::take(&mut open)),
                Some(false) => {
                    let values = question.values();
                    let value = |bit: Bit| values[bit.variable()] ^ bit.is_inverted();
                    let shown = beside.changed().iter().flat_map(bits);
                    differ.extend(shown.filter(|&[good, bad]| value(good) != value(bad)));
                    let before = open.len();
                    open.retain(|bit| !differ.contains(bit));
                    debug_assert!(open.len() < before, "a counterexample without a difference");
                    if open.len() == before {
                        break;
                    }
                }
                None => break,
            }
        }
    }
    equal
}

/// The bits of a node that are not one gate in both designs.
fn bits(changed: &Changed) -> impl Iterator<Item = Both> + use<'_> {
    let both = changed.good.iter().zip(&changed.bad);
    both.map(|(&good, &bad)| both_ways(good, bad))
        .filter(|[good, bad]| good != bad)
}

/// A bit in both designs, which is equal if its inverse is.
pub(super) fn both_ways(good: Bit, bad: Bit) -> Both {
    match good.is_inverted() {
        true => [!good, !bad],
        false => [good, bad],
    }
}

fn tell(question: &mut Question<'_>, equal: &mut HashSet<Both>, bits: Vec<Both>) {
    for [good, bad] in &bits {
        question.equal(*good, *bad);
    }
    equal.extend(bits);
}
