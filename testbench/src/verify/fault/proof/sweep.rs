//! What a fault changes and is equal all the same, from the fault to the roots: what is equal where the
//! logic comes together again need not be looked at behind it, and the solver need not find by itself
//! what it is simple to ask for on the way (SAT sweeping, after Kuehlmann and Krohm).

use std::collections::{HashMap, HashSet};
use std::time::Instant;

use cotenant_netlist::blast::Lit as Bit;
use cotenant_netlist::fault::{Beside, Changed};
use cotenant_netlist::graph::NodeId;

use super::question::Question;

/// After how many conflicts a bit counts as one that can differ.
const CONFLICTS: u64 = 300;

/// Tells the question which changed nodes cannot differ where something is that it asks for, as far as time
/// allows; whether it has come upon a state in which that is so, which ends it.
pub(super) fn sweep(question: &mut Question<'_>, beside: &Beside<'_>, until: Instant) -> bool {
    let nodes: HashMap<NodeId, &Changed> =
        beside.changed().iter().map(|it| (it.node, it)).collect();
    let mut equal: HashSet<[Bit; 2]> = HashSet::new();
    for changed in beside.changed() {
        let open: Vec<_> = bits(changed).filter(|bit| !equal.contains(bit)).collect();
        let all_equal = |node: &NodeId| bits(nodes[node]).all(|bit| equal.contains(&bit));
        let operands = changed.operands.as_ref();
        let same = operands.is_some_and(|operands| operands.iter().all(all_equal));
        for bit in open {
            if !same {
                if !changed.selects || Instant::now() >= until {
                    break;
                }
                match question.never_differ(bit, CONFLICTS) {
                    Some(false) => return true,
                    Some(true) => {}
                    None => break,
                }
            }
            question.equal(bit[0], bit[1]);
            equal.insert(bit);
        }
    }
    false
}

/// The bits of a node that are not one gate in both designs, those of the sound one not inverted.
fn bits(changed: &Changed) -> impl Iterator<Item = [Bit; 2]> + use<'_> {
    let both = changed.good.iter().zip(&changed.bad);
    let both = both.filter(|(good, bad)| good != bad);
    both.map(|(&good, &bad)| match good.is_inverted() {
        true => [!good, !bad],
        false => [good, bad],
    })
}
