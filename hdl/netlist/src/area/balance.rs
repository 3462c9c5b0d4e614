//! Balances conjunctions, so that depth does not depend on how they were written.
//!
//! Source: the classical `balance` of and-inverter graphs, as in abc.

use super::network::{Kind, Network};
use crate::blast::{Gates, Lit};

/// Rebuilds a network with each conjunction of several operands as a tree of
/// least depth.
pub(crate) fn balance(network: Network) -> Network {
    let users = network.users();
    // Gates that are parts of a larger conjunction only.
    let mut inner = vec![false; users.len()];
    for (variable, kind) in network.kinds.iter().enumerate() {
        if let (true, Kind::And(a, b)) = (users[variable] > 0, *kind) {
            for lit in [a, b] {
                inner[lit.variable()] |= !lit.is_inverted() && users[lit.variable()] == 1;
            }
        }
    }
    let mut old = network;
    let mut new = Network::default();
    let mut place: Vec<Lit> = vec![];
    let mut levels: Vec<u32> = vec![];
    for variable in 0..old.kinds.len() {
        let lit = match old.kinds[variable] {
            Kind::Constant => {
                new.kinds.push(Kind::Constant);
                Lit::FALSE
            }
            Kind::And(..) if users[variable] == 0 || inner[variable] => Lit::FALSE,
            Kind::And(..) => {
                let operands = conjunction(&old, &users, variable);
                let operands = operands.iter().map(|lit| moved(&place, *lit)).collect();
                tree(&mut new, &mut levels, operands)
            }
            kind => new.variable(kind),
        };
        place.push(lit);
    }
    let to = |lit: &mut Lit| *lit = moved(&place, *lit);
    for chain in &mut old.chains {
        chain.a.iter_mut().chain(&mut chain.b).for_each(to);
        to(&mut chain.carry);
        chain.first = place[chain.first].variable();
    }
    for (_, flop) in &mut old.flops {
        to(&mut flop.d);
        to(&mut flop.enable);
        to(&mut flop.reset);
    }
    old.sinks.iter_mut().for_each(|(_, lit)| to(lit));
    old.rebuilt_on(new)
}

fn moved(place: &[Lit], lit: Lit) -> Lit {
    let to = place[lit.variable()];
    if lit.is_inverted() {
        !to
    } else {
        to
    }
}

/// The operands of a conjunction through those of its gates that have no
/// other user.
fn conjunction(network: &Network, users: &[u32], variable: usize) -> Vec<Lit> {
    let mut operands = vec![];
    let mut stack = vec![Lit::positive(variable)];
    while let Some(lit) = stack.pop() {
        let inside = lit.variable() == variable || users[lit.variable()] == 1;
        match network.kinds[lit.variable()] {
            Kind::And(a, b) if inside && !lit.is_inverted() => stack.extend([b, a]),
            _ => operands.push(lit),
        }
    }
    operands
}

/// Joins the two shallowest until one is left; gates that are there already
/// go first.
fn tree(network: &mut Network, levels: &mut Vec<u32>, mut operands: Vec<Lit>) -> Lit {
    let level = |levels: &[u32], lit: Lit| levels.get(lit.variable()).copied().unwrap_or(0);
    while operands.len() > 1 {
        operands.sort_by_key(|lit| level(levels, *lit));
        let first = operands[0];
        let second = level(levels, operands[1]);
        let same = |lit: &Lit| level(levels, *lit) == second;
        let others = operands[1..].iter().take_while(|lit| same(lit));
        let known = others
            .into_iter()
            .position(|lit| network.is_known(first, *lit));
        let at = 1 + known.unwrap_or(0);
        let joined = network.and(first, operands[at]);
        let deeper = 1 + level(levels, first).max(second);
        if joined.variable() >= levels.len() {
            levels.resize(joined.variable() + 1, 0);
            levels[joined.variable()] = deeper;
        }
        operands.remove(at);
        operands[0] = joined;
    }
    operands.first().copied().unwrap_or(Lit::TRUE)
}
