//! What a fault changes, in 64 cycles at once: parallel-pattern single-fault propagation
//! (Waicukauski et al., 1985) on the netlist's graph.
//!
//! Each bit of each node is a word with a bit per cycle. The sound design is computed once for its
//! states and inputs in 64 cycles; a fault costs only the nodes that it changes in one of them. From
//! the same state a faulty design either has the same outputs and next state, or the cycle is known
//! in which it has not. There it is followed cycle by cycle: the bits of flops that differ are given
//! with the fault, and one lane is looked at.

mod operation;
mod queue;

use super::{apply, Fault, NoSuchPlace};
use crate::blast::{Leaf, RamPort, Root};
use crate::graph::{NodeId, Op};
use crate::Netlist;
use operation::{all, compute, compute_faulty, compute_off_by_one, Operands};
pub(super) use queue::Queue;

/// No node in use.
const NONE: u32 = u32::MAX;

/// A design in 64 cycles.
#[derive(Clone, Debug)]
pub struct Sliced<'a> {
    netlist: &'a Netlist,
    /// The operations in use, operands first; operands are numbers in this order.
    ops: Vec<Op>,
    /// Number of a node of the netlist.
    rank: Vec<u32>,
    /// Numbers of the inputs, flops and read-data registers that are in use.
    leaves: [Vec<u32>; 3],
    /// First word of each, and the end of the last.
    at: Vec<u32>,
    users: Lists,
    roots: Lists,
    /// All roots, which `roots` counts.
    places: Vec<Place>,
    good: Vec<u64>,
    bad: Vec<u64>,
    /// Nodes that differ: those with the number of this propagation.
    differs: Vec<u32>,
    propagation: u32,
    queue: Queue,
    /// Nodes with roots that differ.
    shown: Vec<u32>,
}

/// Where a node leaves the logic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Output(usize),
    Next(usize),
    Ram(usize, RamPort),
}

impl Place {
    pub(super) fn bit(self, bit: usize) -> Root {
        match self {
            Place::Output(output) => Root::Output(output, bit),
            Place::Next(reg) => Root::Next(reg, bit),
            Place::Ram(ram, port) => Root::Ram(ram, port, bit),
        }
    }
}

/// A list of numbers for each number.
#[derive(Clone, Debug)]
pub(super) struct Lists {
    starts: Vec<u32>,
    pub items: Vec<u32>,
}

impl Lists {
    pub fn new(count: usize, pairs: &[(u32, u32)]) -> Self {
        let mut starts = vec![0; count + 1];
        for (of, _) in pairs {
            starts[*of as usize + 1] += 1;
        }
        for i in 0..count {
            starts[i + 1] += starts[i];
        }
        let mut next = starts.clone();
        let mut items = vec![0; pairs.len()];
        for (of, item) in pairs {
            let at = &mut next[*of as usize];
            items[*at as usize] = *item;
            *at += 1;
        }
        Self { starts, items }
    }

    pub fn range(&self, of: u32) -> std::ops::Range<usize> {
        self.starts[of as usize] as usize..self.starts[of as usize + 1] as usize
    }
}

/// Words of the nodes below some node.
struct Lower<'b> {
    at: &'b [u32],
    good: &'b [u64],
    bad: &'b [u64],
    differs: &'b [u32],
    propagation: u32,
}

impl Operands for Lower<'_> {
    #[inline]
    fn of(&self, node: NodeId) -> &[u64] {
        let words = self.at[node.index()] as usize..self.at[node.index() + 1] as usize;
        match self.differs[node.index()] == self.propagation {
            true => &self.bad[words],
            false => &self.good[words],
        }
    }
}

impl<'a> Sliced<'a> {
    /// A design, with everything at zero.
    pub fn new(netlist: &'a Netlist) -> Self {
        let graph = &netlist.graph;
        // A fault may need a flop's value, what it takes without reset, and when it is reset.
        let flops = netlist
            .regs
            .iter()
            .flat_map(|reg| [reg.q, reg.d, reg.reset]);
        let order = graph.order(netlist.roots().into_iter().chain(flops));
        let mut rank = vec![NONE; graph.len()];
        for (number, node) in (0..).zip(&order) {
            rank[node.index()] = number;
        }
        let number = |node: NodeId| NodeId(rank[node.index()]);
        let ops: Vec<Op> = order
            .iter()
            .map(|&n| renumbered(graph.op(n), number))
            .collect();
        let counts = [netlist.inputs.len(), netlist.regs.len(), netlist.rams.len()];
        let mut leaves = counts.map(|count| vec![NONE; count]);
        for (number, op) in (0..).zip(&ops) {
            match *op {
                Op::Input(input) => leaves[0][input as usize] = number,
                Op::Reg(reg) => leaves[1][reg as usize] = number,
                Op::RamData(ram) => leaves[2][ram as usize] = number,
                _ => {}
            }
        }
        let mut at = vec![0];
        let mut pairs = Vec::new();
        for (user, &node) in (0..).zip(&order) {
            at.push(at[user as usize] + graph.width(node) as u32);
            let mut operands = ops[user as usize].operands();
            operands.sort_unstable();
            operands.dedup();
            pairs.extend(operands.into_iter().map(|operand| (operand.0, user)));
        }
        let places = places(netlist);
        let rooted = (0..).zip(&places);
        let rooted: Vec<_> = rooted.map(|(i, (_, node))| (number(*node).0, i)).collect();
        let words = at[order.len()] as usize;
        let mut sliced = Self {
            netlist,
            users: Lists::new(order.len(), &pairs),
            roots: Lists::new(order.len(), &rooted),
            places: places.into_iter().map(|(place, _)| place).collect(),
            good: vec![0; words],
            bad: vec![0; words],
            differs: vec![0; order.len()],
            propagation: 0,
            queue: Queue::new(order.len()),
            shown: Vec::new(),
            leaves,
            ops,
            rank,
            at,
        };
        sliced.evaluate();
        sliced
    }

    /// Words of the input, flop or read-data register that a bit is of, to be set before
    /// [`evaluate`](Self::evaluate): a word per bit. None if nothing reads it.
    pub fn leaf(&mut self, leaf: Leaf) -> Option<&mut [u64]> {
        let number = self.number(leaf)?;
        let words = self.words(number);
        Some(&mut self.good[words])
    }

    fn number(&self, leaf: Leaf) -> Option<u32> {
        let number = match leaf {
            Leaf::Input(input, _) => self.leaves[0][input],
            Leaf::Reg(reg, _) => self.leaves[1][reg],
            Leaf::RamData(ram, _) => self.leaves[2][ram],
        };
        (number != NONE).then_some(number)
    }

    /// Computes the sound design from its leaves.
    pub fn evaluate(&mut self) {
        self.propagation += 1;
        for (number, op) in self.ops.iter().enumerate() {
            let (lower, rest) = self.good.split_at_mut(self.at[number] as usize);
            let operands = Lower {
                at: &self.at,
                good: lower,
                bad: &[],
                differs: &self.differs,
                propagation: self.propagation,
            };
            let width = (self.at[number + 1] - self.at[number]) as usize;
            compute(op, &operands, &mut rest[..width]);
        }
    }

    /// What a node is in the sound design; of a node in use.
    pub fn value(&self, node: NodeId) -> &[u64] {
        &self.good[self.words(self.rank[node.index()])]
    }

    fn words(&self, number: u32) -> std::ops::Range<usize> {
        self.at[number as usize] as usize..self.at[number as usize + 1] as usize
    }

    /// What differs with a fault, if the state differs in the bits of `leaves`, in the lanes of `mask`:
    /// bits of roots, with the lanes that they differ in.
    ///
    /// # Errors
    /// [`NoSuchPlace`], as [`Netlist::with_fault`].
    pub fn propagate(
        &mut self,
        fault: &Fault,
        leaves: &[Leaf],
        mask: u64,
        roots: &mut Vec<(Root, u64)>,
    ) -> Result<(), NoSuchPlace> {
        if !apply::fits(self.netlist, fault) {
            return Err(NoSuchPlace(*fault));
        }
        roots.clear();
        self.shown.clear();
        self.propagation += 1;
        for &leaf in leaves {
            let (Leaf::Input(_, bit) | Leaf::Reg(_, bit) | Leaf::RamData(_, bit)) = leaf;
            if let Some(number) = self.number(leaf) {
                self.turn(number, bit, mask);
            }
        }
        let site = self.site(fault, mask);
        while let Some(number) = self.queue.take() {
            let (fault, constant) = match site {
                Some((node, constant)) if node == number => (Some(fault), constant),
                _ => (None, None),
            };
            self.compute(number, fault, constant, mask);
        }
        let changed = changed_root(fault);
        for &number in &self.shown {
            let words = self.at[number as usize] as usize..self.at[number as usize + 1] as usize;
            let pairs = self.good[words.clone()].iter().zip(&self.bad[words]);
            let places = self.roots.range(number);
            let places = self.roots.items[places]
                .iter()
                .map(|i| self.places[*i as usize]);
            for place in places.filter(|place| Some(*place) != changed) {
                let bits = pairs.clone().map(|(good, bad)| good ^ bad).enumerate();
                let bits = bits.filter(|(_, lanes)| *lanes != 0);
                roots.extend(bits.map(|(bit, lanes)| (place.bit(bit), lanes)));
            }
        }
        if let Some(place) = changed {
            for (bit, lanes) in self.at_root(fault).into_iter().enumerate() {
                if lanes & mask != 0 {
                    roots.push((place.bit(bit), lanes & mask));
                }
            }
        }
        Ok(())
    }

    /// A bit of a leaf differs.
    fn turn(&mut self, number: u32, bit: usize, lanes: u64) {
        let words = self.words(number);
        if self.differs[number as usize] != self.propagation {
            self.bad[words.clone()].copy_from_slice(&self.good[words.clone()]);
            self.mark(number);
        }
        self.bad[words.start + bit] ^= lanes;
    }

    /// A node differs: what uses it is to be computed.
    fn mark(&mut self, number: u32) {
        self.differs[number as usize] = self.propagation;
        for i in self.users.range(number) {
            self.queue.add(self.users.items[i]);
        }
        if !self.roots.range(number).is_empty() {
            self.shown.push(number);
        }
    }

    /// The operation that has the fault, which is to be computed, and which operand of it is a
    /// constant. A stuck input differs at once.
    fn site(&mut self, fault: &Fault, mask: u64) -> Option<(u32, Option<usize>)> {
        match *fault {
            Fault::StuckInput { input, bit, value } => {
                if let Some(number) = self.number(Leaf::Input(input, bit)) {
                    let word = self.good[self.words(number)][bit];
                    let lanes = (word ^ all(value)) & mask;
                    if lanes != 0 {
                        self.turn(number, bit, lanes);
                    }
                }
                None
            }
            Fault::StuckNet { node, .. }
            | Fault::SwappedOperands { node }
            | Fault::OffByOne { node }
            | Fault::WrongOperation { node } => {
                let number = self.rank[node.index()];
                if number == NONE {
                    return None;
                }
                self.queue.add(number);
                let graph = &self.netlist.graph;
                let constant = match *graph.op(node) {
                    Op::Eq(a, b) | Op::Less(a, b) => {
                        [a, b].iter().position(|&one| graph.value(one).is_some())
                    }
                    _ => None,
                };
                Some((number, constant))
            }
            _ => None,
        }
    }

    fn compute(&mut self, number: u32, fault: Option<&Fault>, constant: Option<usize>, mask: u64) {
        let words = self.words(number);
        let (lower, rest) = self.bad.split_at_mut(words.start);
        let out = &mut rest[..words.len()];
        let operands = Lower {
            at: &self.at,
            good: &self.good[..words.start],
            bad: lower,
            differs: &self.differs,
            propagation: self.propagation,
        };
        let op = &self.ops[number as usize];
        match fault {
            None => compute(op, &operands, out),
            Some(Fault::OffByOne { .. }) => compute_off_by_one(op, constant, &operands, out),
            Some(fault) => compute_faulty(op, fault, &operands, out),
        }
        let mut differ = 0;
        for (bad, good) in out.iter_mut().zip(&self.good[words]) {
            let lanes = (*bad ^ good) & mask;
            differ |= lanes;
            *bad = good ^ lanes;
        }
        if differ != 0 {
            self.mark(number);
        }
    }

    /// With the fault or without it.
    fn present(&self, node: NodeId) -> &[u64] {
        let number = self.rank[node.index()];
        let words = self.words(number);
        match self.differs[number as usize] == self.propagation {
            true => &self.bad[words],
            false => &self.good[words],
        }
    }

    /// Lanes in which the bits of the root differ that the fault changes.
    fn at_root(&self, fault: &Fault) -> Vec<u64> {
        let forced = |node: NodeId, bit: usize, value: bool| {
            let mut words = self.present(node).to_vec();
            words[bit] = all(value);
            (node, words)
        };
        let (node, bad) = match *fault {
            Fault::StuckBit { reg, bit, value } => forced(self.netlist.regs[reg].next, bit, value),
            Fault::StuckOutput { output, bit, value } => {
                forced(self.netlist.outputs[output].node, bit, value)
            }
            Fault::StuckRamBit { ram, bit, value } => {
                forced(self.netlist.rams[ram].write_data, bit, value)
            }
            Fault::LostRamWrite { ram } => forced(self.netlist.rams[ram].write_enable, 0, false),
            Fault::MissingReset { reg } => {
                let reg = &self.netlist.regs[reg];
                (reg.next, self.present(reg.d).to_vec())
            }
            Fault::LostWrite { reg: number } => {
                let reg = &self.netlist.regs[number];
                let reset = self.present(reg.reset)[0];
                let init = (0..).map(|bit| all(reg.init.bit(bit)));
                let kept = self.present(reg.q).iter().zip(init);
                let kept = kept.map(|(held, init)| held ^ (reset & (held ^ init)));
                (reg.next, kept.collect())
            }
            _ => return Vec::new(),
        };
        let good = self.value(node).iter();
        good.zip(bad).map(|(good, bad)| good ^ bad).collect()
    }
}

/// The root that is another one with a fault, whatever the logic computes.
fn changed_root(fault: &Fault) -> Option<Place> {
    Some(match *fault {
        Fault::StuckBit { reg, .. } | Fault::LostWrite { reg } | Fault::MissingReset { reg } => {
            Place::Next(reg)
        }
        Fault::StuckOutput { output, .. } => Place::Output(output),
        Fault::StuckRamBit { ram, .. } => Place::Ram(ram, RamPort::WriteData),
        Fault::LostRamWrite { ram } => Place::Ram(ram, RamPort::WriteEnable),
        _ => return None,
    })
}

/// All roots and their nodes.
pub(super) fn places(netlist: &Netlist) -> Vec<(Place, NodeId)> {
    let outputs = netlist.outputs.iter().enumerate();
    let mut places: Vec<_> = outputs.map(|(i, o)| (Place::Output(i), o.node)).collect();
    let regs = netlist.regs.iter().enumerate();
    places.extend(regs.map(|(i, reg)| (Place::Next(i), reg.next)));
    for (i, ram) in netlist.rams.iter().enumerate() {
        places.extend([
            (Place::Ram(i, RamPort::ReadAddress), ram.read_address),
            (Place::Ram(i, RamPort::WriteEnable), ram.write_enable),
            (Place::Ram(i, RamPort::WriteAddress), ram.write_address),
            (Place::Ram(i, RamPort::WriteData), ram.write_data),
        ]);
    }
    places
}

/// The same operation of other nodes.
fn renumbered(op: &Op, number: impl Fn(NodeId) -> NodeId) -> Op {
    match op {
        Op::Not(a) => Op::Not(number(*a)),
        Op::And(a, b) => Op::And(number(*a), number(*b)),
        Op::Or(a, b) => Op::Or(number(*a), number(*b)),
        Op::Xor(a, b) => Op::Xor(number(*a), number(*b)),
        Op::Add(a, b) => Op::Add(number(*a), number(*b)),
        Op::Sub(a, b) => Op::Sub(number(*a), number(*b)),
        Op::Mul(a, b) => Op::Mul(number(*a), number(*b)),
        Op::Eq(a, b) => Op::Eq(number(*a), number(*b)),
        Op::Less(a, b) => Op::Less(number(*a), number(*b)),
        Op::Shl(a, b) => Op::Shl(number(*a), number(*b)),
        Op::Shr(a, b) => Op::Shr(number(*a), number(*b)),
        Op::Mux(c, a, b) => Op::Mux(number(*c), number(*a), number(*b)),
        Op::Slice(a, low) => Op::Slice(number(*a), *low),
        Op::Cat(parts) => Op::Cat(parts.iter().map(|part| number(*part)).collect()),
        Op::Parity(a) => Op::Parity(number(*a)),
        leaf @ (Op::Const(_) | Op::Input(_) | Op::Reg(_) | Op::RamData(_) | Op::Leaf(_)) => {
            leaf.clone()
        }
    }
}
