//! Sums of several operands, found in the graph.
//!
//! A chain or tree of additions without other use is one sum. More than two
//! operands are reduced by full adders before one carry chain adds the last
//! two, as Yosys does (`alumacc`, `maccmap`).

use crate::blast::{Gates, Lit};
use crate::graph::{Graph, NodeId, Op};
use crate::Netlist;
use num_bigint::BigUint;

/// How often each node is used by others or leaves the design.
pub(crate) fn uses(netlist: &Netlist) -> Vec<u32> {
    let mut uses = vec![0; netlist.graph.len()];
    for node in netlist.live() {
        for operand in netlist.graph.op(node).operands() {
            uses[operand.index()] += 1;
        }
    }
    for root in netlist.roots() {
        uses[root.index()] += 1;
    }
    uses
}

/// Condition and number of `if condition { number + 1 } else { number }` that is more than the next
/// value of one flop: in the text it is the number plus the condition, a carry into a chain.
pub(crate) fn counted_up(graph: &Graph, uses: &[u32], node: NodeId) -> Option<(NodeId, NodeId)> {
    let Op::Mux(condition, more, number) = *graph.op(node) else {
        return None;
    };
    let Op::Add(a, b) = *graph.op(more) else {
        return None;
    };
    let one = |n: NodeId| graph.value(n).is_some_and(|v| *v == BigUint::from(1u8));
    let next = a == number && one(b) || b == number && one(a);
    (next && uses[node.index()] > 1).then_some((condition, number))
}

/// How far down [`most`] looks.
const DEPTH: usize = 10;

/// The largest value that a node can have, as far as widths tell.
fn most(graph: &Graph, node: NodeId, depth: usize) -> BigUint {
    let all = crate::graph::ones(graph.width(node));
    let Some(depth) = depth.checked_sub(1) else {
        return all;
    };
    match graph.op(node) {
        Op::Const(value) => value.clone(),
        Op::Add(a, b) => (most(graph, *a, depth) + most(graph, *b, depth)).min(all),
        Op::Cat(parts) => {
            let mut low = 0;
            let mut sum = BigUint::ZERO;
            for &part in parts {
                sum += most(graph, part, depth) << low;
                low += graph.width(part);
            }
            sum
        }
        _ => all,
    }
}

/// The operands of the sum that ends in `node`.
pub(crate) fn operands(graph: &Graph, uses: &[u32], node: NodeId) -> Vec<NodeId> {
    let mut found = vec![];
    let mut stack = vec![node];
    while let Some(at) = stack.pop() {
        match inner(graph, at) {
            Some(add) if at == node || (uses[at.index()] == 1 && uses[add.index()] == 1) => {
                if let Op::Add(a, b) = graph.op(add) {
                    stack.extend([*b, *a]);
                }
            }
            _ => found.push(at),
        }
    }
    found
}

/// The addition behind a node, if there it is whole: zero extended, if at
/// all, and without a carry that gets lost.
fn inner(graph: &Graph, node: NodeId) -> Option<NodeId> {
    match graph.op(node) {
        Op::Add(..) => Some(node),
        Op::Cat(parts) => {
            let (&low, high) = parts.split_first()?;
            let zero = |n: &NodeId| graph.value(*n).is_some_and(|v| v.bits() == 0);
            let Op::Add(a, b) = graph.op(low) else {
                return None;
            };
            let largest = most(graph, *a, DEPTH) + most(graph, *b, DEPTH);
            let fits = largest < BigUint::from(1u8) << graph.width(low);
            (fits && high.iter().all(zero)).then_some(low)
        }
        _ => None,
    }
}

/// Bits of equal weight, for each weight; at most two of each are left.
pub(crate) fn reduce(gates: &mut impl Gates, operands: &[Vec<Lit>], width: usize) -> [Vec<Lit>; 2] {
    let mut columns: Vec<Vec<Lit>> = (0..width)
        .map(|at| {
            let bits = operands.iter().filter_map(|bits| bits.get(at).copied());
            bits.filter(|bit| *bit != Lit::FALSE).collect()
        })
        .collect();
    while columns.iter().any(|column| column.len() > 2) {
        let mut next = vec![vec![]; width];
        for at in 0..width {
            let mut rest = columns[at].as_slice();
            while let [a, b, c, more @ ..] = rest {
                let half = gates.xor(*a, *b);
                next[at].push(gates.xor(half, *c));
                let (both, passed) = (gates.and(*a, *b), gates.and(half, *c));
                if at + 1 < width {
                    let carry = gates.or(both, passed);
                    next[at + 1].push(carry);
                }
                rest = more;
            }
            next[at].extend(rest);
        }
        columns = next;
    }
    [0, 1].map(|row| {
        let bit = |column: &Vec<Lit>| column.get(row).copied().unwrap_or(Lit::FALSE);
        columns.iter().map(bit).collect()
    })
}
