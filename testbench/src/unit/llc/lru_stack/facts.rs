//! `lru_stack`: the stack is a permutation, valid lines on top.

use cotenant_golden::llc::lru_stack::Params;
use cotenant_netlist::graph::NodeId;

use crate::unit::llc::LruStack;
use crate::verify::fault::{Facts, Terms};

fn flops(name: &str, ways: usize, terms: &mut Terms<'_>) -> Vec<NodeId> {
    (0..ways)
        .map(|i| terms.flop(&format!("{name}[{i}]")))
        .collect()
}

impl Facts for LruStack {
    fn assumptions(params: &Params, terms: &mut Terms<'_>) -> Vec<NodeId> {
        let Params { ways, kernels } = *params;
        let mut all = Vec::new();
        for (port, bound) in [
            ("access_way", ways),
            ("invalidate_way", ways),
            ("access_kid", kernels),
        ] {
            let value = terms.port(port);
            all.push(terms.below(value, bound));
        }
        let hit = ["access_valid", "access_hit"].map(|port| terms.port(port));
        let hit = terms.all(hit);
        let named = terms.port("access_way");
        let (way, valid) = (flops("way", ways, terms), flops("valid", ways, terms));
        for (way, valid) in way.into_iter().zip(valid) {
            let here = terms.equal(way, named);
            let hit = terms.all([hit, here]);
            all.push(terms.implies(hit, valid));
        }
        all
    }

    fn invariants(params: &Params, terms: &mut Terms<'_>) -> Vec<NodeId> {
        let Params { ways, kernels } = *params;
        let (way, owner) = (flops("way", ways, terms), flops("owner", ways, terms));
        let valid = flops("valid", ways, terms);
        let mut all = Vec::new();
        for i in 0..ways {
            all.push(terms.below(way[i], ways));
            all.push(terms.below(owner[i], kernels));
            for j in 0..i {
                let equal = terms.equal(way[i], way[j]);
                all.push(terms.not(equal));
            }
            if i > 0 {
                all.push(terms.implies(valid[i], valid[i - 1]));
            }
            // Follows from the rest, but only by counting, which provers do badly.
            let here: Vec<NodeId> = way.iter().map(|&way| terms.is(way, i)).collect();
            all.push(terms.any(here));
        }
        all
    }
}
