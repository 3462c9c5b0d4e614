//! Seeded faults: what a checker must catch.
//!
//! A fault changes one place of a netlist. [`candidates`] lists every place,
//! [`sample`] picks some of every kind by a seed, [`Netlist::with_fault`]
//! builds the faulty design. A checker that compares a faulty design with a
//! model and sees no difference either drives it too little or compares too
//! little, unless the fault provably changes nothing.

use crate::graph::{ones, Graph, NodeId, Op};
use crate::Netlist;
use num_bigint::BigUint;
use std::fmt;

/// One changed place.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Fault {
    /// A bit of a flop always takes this value, reset included.
    StuckBit {
        /// Index in [`Netlist::regs`].
        reg: usize,
        /// The bit.
        bit: usize,
        /// What it is stuck at.
        value: bool,
    },
    /// A bit of an input is cut off and reads this value.
    StuckInput {
        /// Index in [`Netlist::inputs`].
        input: usize,
        /// The bit.
        bit: usize,
        /// What it reads.
        value: bool,
    },
    /// The two operands of a comparison, difference or shift, or the two
    /// values of a multiplexer, change places.
    SwappedOperands {
        /// The operation.
        node: NodeId,
    },
    /// A sum, difference or constant operand is one too large.
    OffByOne {
        /// The operation.
        node: NodeId,
    },
    /// Another operation than meant: and for or, sum for difference, the
    /// inverse of a comparison.
    WrongOperation {
        /// The operation.
        node: NodeId,
    },
    /// A flop keeps its value unless it is reset.
    LostWrite {
        /// Index in [`Netlist::regs`].
        reg: usize,
    },
    /// A flop ignores reset.
    MissingReset {
        /// Index in [`Netlist::regs`].
        reg: usize,
    },
}

impl Fault {
    /// The kind, as reports group it.
    pub fn kind(&self) -> &'static str {
        match self {
            Fault::StuckBit { .. } => "stuck bit",
            Fault::StuckInput { .. } => "stuck input",
            Fault::SwappedOperands { .. } => "swapped operands",
            Fault::OffByOne { .. } => "off by one",
            Fault::WrongOperation { .. } => "wrong operation",
            Fault::LostWrite { .. } => "lost write",
            Fault::MissingReset { .. } => "missing reset",
        }
    }
}

/// A fault with the names of the netlist that it is in.
pub struct Described<'a>(pub &'a Netlist, pub &'a Fault);

impl fmt::Display for Described<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Described(netlist, fault) = self;
        write!(f, "{}: ", fault.kind())?;
        match **fault {
            Fault::StuckBit { reg, bit, value } => {
                write!(f, "{}[{bit}] at {}", netlist.regs[reg].name, u8::from(value))
            }
            Fault::StuckInput { input, bit, value } => {
                write!(f, "{}[{bit}] at {}", netlist.inputs[input].name, u8::from(value))
            }
            Fault::LostWrite { reg } | Fault::MissingReset { reg } => {
                write!(f, "{}", netlist.regs[reg].name)
            }
            Fault::SwappedOperands { node }
            | Fault::OffByOne { node }
            | Fault::WrongOperation { node } => {
                let op = format!("{:?}", netlist.graph.op(node));
                let op = op.split('(').next().unwrap_or_default();
                match netlist.signals.iter().find(|s| s.node == node) {
                    Some(signal) => write!(f, "{op} of {}", signal.name),
                    None => write!(f, "{op}, node {}", node.0),
                }
            }
        }
    }
}

/// Every place that a fault can be in, in a fixed order.
pub fn candidates(netlist: &Netlist) -> Vec<Fault> {
    let mut faults = vec![];
    for (reg, r) in netlist.regs.iter().enumerate() {
        faults.push(Fault::LostWrite { reg });
        if netlist.graph.value(r.reset).is_none() {
            faults.push(Fault::MissingReset { reg });
        }
        for bit in 0..r.width {
            faults.extend([false, true].map(|value| Fault::StuckBit { reg, bit, value }));
        }
    }
    for (input, i) in netlist.inputs.iter().enumerate() {
        for bit in 0..i.width {
            faults.extend([false, true].map(|value| Fault::StuckInput { input, bit, value }));
        }
    }
    for node in netlist.live() {
        match netlist.graph.op(node) {
            Op::Mux(..) => faults.push(Fault::SwappedOperands { node }),
            Op::Less(..) => {
                faults.push(Fault::SwappedOperands { node });
                faults.push(Fault::WrongOperation { node });
            }
            Op::Sub(..) => {
                faults.extend([
                    Fault::SwappedOperands { node },
                    Fault::OffByOne { node },
                    Fault::WrongOperation { node },
                ]);
            }
            Op::Add(..) => {
                faults.extend([Fault::OffByOne { node }, Fault::WrongOperation { node }]);
            }
            Op::And(..) | Op::Or(..) => faults.push(Fault::WrongOperation { node }),
            Op::Eq(a, b) => {
                faults.push(Fault::WrongOperation { node });
                if netlist.graph.value(*a).or(netlist.graph.value(*b)).is_some() {
                    faults.push(Fault::OffByOne { node });
                }
            }
            Op::Shl(a, b) | Op::Shr(a, b)
                if netlist.graph.width(*a) == netlist.graph.width(*b) =>
            {
                faults.push(Fault::SwappedOperands { node });
            }
            _ => {}
        }
    }
    faults
}

/// About `count` faults, of every kind that there is, chosen by `seed`.
pub fn sample(netlist: &Netlist, count: usize, seed: u64) -> Vec<Fault> {
    let mut by_kind: Vec<(&str, Vec<Fault>)> = vec![];
    for fault in candidates(netlist) {
        match by_kind.iter_mut().find(|(kind, _)| *kind == fault.kind()) {
            Some((_, faults)) => faults.push(fault),
            None => by_kind.push((fault.kind(), vec![fault])),
        }
    }
    let mut random = SplitMix(seed);
    for (_, faults) in &mut by_kind {
        for last in (1..faults.len()).rev() {
            faults.swap(last, random.below(last + 1));
        }
    }
    let mut chosen = vec![];
    let mut round = 0;
    while chosen.len() < count {
        let before = chosen.len();
        for (_, faults) in &by_kind {
            chosen.extend(faults.get(round).cloned());
        }
        if chosen.len() == before {
            break;
        }
        round += 1;
    }
    chosen.truncate(count);
    chosen
}

/// SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
struct SplitMix(u64);

impl SplitMix {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }
}

impl Netlist {
    /// The design with one fault. Names, ports and state are the same.
    pub fn with_fault(&self, fault: &Fault) -> Netlist {
        match *fault {
            Fault::StuckBit { reg, bit, value } => {
                let mut faulty = self.clone();
                let r = &mut faulty.regs[reg];
                r.next = forced(&mut faulty.graph, r.next, bit, value);
                faulty
            }
            Fault::LostWrite { reg } => {
                let mut faulty = self.clone();
                let r = &mut faulty.regs[reg];
                let init = faulty.graph.constant(r.init.clone(), r.width);
                r.d = r.q;
                r.next = faulty.graph.mux(r.reset, init, r.q);
                faulty
            }
            Fault::MissingReset { reg } => {
                let mut faulty = self.clone();
                let r = &mut faulty.regs[reg];
                r.next = r.d;
                r.reset = faulty.graph.constant(0u8, 1);
                faulty
            }
            Fault::StuckInput { input, bit, value } => {
                self.rewritten(|graph, old, new| match *graph.op(old) {
                    Op::Input(i) if i as usize == input => forced(graph, new, bit, value),
                    _ => new,
                })
            }
            Fault::SwappedOperands { node } => {
                self.rewritten(|graph, old, new| if old == node { swapped(graph, new) } else { new })
            }
            Fault::OffByOne { node } => {
                self.rewritten(|graph, old, new| if old == node { off_by_one(graph, new) } else { new })
            }
            Fault::WrongOperation { node } => {
                self.rewritten(|graph, old, new| if old == node { wrong(graph, new) } else { new })
            }
        }
    }

    /// Rebuilds the live nodes, passing each old node and its rebuilt form
    /// through `change`.
    fn rewritten(&self, mut change: impl FnMut(&mut Graph, NodeId, NodeId) -> NodeId) -> Netlist {
        let mut out = self.clone();
        let mut map: Vec<NodeId> = (0..self.graph.len() as u32).map(NodeId).collect();
        // Everything that keeps a node: roots, names, and a flop's parts.
        let kept = self.signals.iter().map(|s| s.node);
        let kept = kept.chain(self.regs.iter().flat_map(|r| [r.d, r.reset]));
        for node in self.graph.order(self.roots().into_iter().chain(kept)) {
            let operands: Vec<NodeId> =
                self.graph.op(node).operands().iter().map(|n| map[n.index()]).collect();
            // Untouched parts stay the very same nodes.
            let same = operands == self.graph.op(node).operands();
            let rebuilt = if same { node } else { out.graph.rebuilt(node, &operands) };
            map[node.index()] = change(&mut out.graph, node, rebuilt);
        }
        let at = |n: NodeId| map[n.index()];
        out.outputs.iter_mut().for_each(|o| o.node = at(o.node));
        out.signals.iter_mut().for_each(|s| s.node = at(s.node));
        for r in &mut out.regs {
            (r.d, r.reset, r.next) = (at(r.d), at(r.reset), at(r.next));
        }
        for r in &mut out.rams {
            r.read_address = at(r.read_address);
            r.write_enable = at(r.write_enable);
            r.write_address = at(r.write_address);
            r.write_data = at(r.write_data);
        }
        out
    }
}

fn forced(graph: &mut Graph, node: NodeId, bit: usize, value: bool) -> NodeId {
    let width = graph.width(node);
    let mask = BigUint::from(1u8) << bit;
    if value {
        let mask = graph.constant(mask, width);
        graph.or(node, mask)
    } else {
        let mask = graph.constant(ones(width) ^ mask, width);
        graph.and(node, mask)
    }
}

fn swapped(graph: &mut Graph, node: NodeId) -> NodeId {
    match *graph.op(node) {
        Op::Mux(c, a, b) => graph.mux(c, b, a),
        Op::Less(a, b) => graph.less(b, a),
        Op::Sub(a, b) => graph.sub(b, a),
        Op::Shl(a, b) => graph.shl(b, a),
        Op::Shr(a, b) => graph.shr(b, a),
        _ => node,
    }
}

fn off_by_one(graph: &mut Graph, node: NodeId) -> NodeId {
    match *graph.op(node) {
        Op::Eq(a, b) => {
            let (constant, other) = if graph.value(a).is_some() { (a, b) } else { (b, a) };
            let one = graph.constant(1u8, graph.width(constant));
            let next = graph.add(constant, one);
            graph.eq(next, other)
        }
        _ => {
            let one = graph.constant(1u8, graph.width(node));
            graph.add(node, one)
        }
    }
}

fn wrong(graph: &mut Graph, node: NodeId) -> NodeId {
    match *graph.op(node) {
        Op::And(a, b) => graph.or(a, b),
        Op::Or(a, b) => graph.and(a, b),
        Op::Add(a, b) => graph.sub(a, b),
        Op::Sub(a, b) => graph.add(a, b),
        _ if graph.width(node) == 1 => graph.not(node),
        _ => node,
    }
}
