//! The logic of faulty designs beside that of the sound one, in one and-inverter graph: what a
//! prover is asked about.
//!
//! The sound logic is blasted once. A fault adds the gates of the nodes that it changes, and equal
//! gates are one gate; so of many faults it is known at once that they change nothing.

use std::collections::{BTreeMap, BTreeSet};

use super::sliced::{places, Lists, Place, Queue};
use super::{apply, Fault, NoSuchPlace};
use crate::blast::{Aig, Gates, Leaf, Lit, Root};
use crate::graph::{Graph, NodeId, Op};
use crate::Netlist;

/// A bit of a root in both designs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The bit.
    pub root: Root,
    /// Without the fault.
    pub good: Lit,
    /// With the fault.
    pub bad: Lit,
}

/// A node that has other bits in the faulty design.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changed {
    /// The node, in the graph of the netlist.
    pub node: NodeId,
    /// Those of its operands that have other bits, too: where they are equal in both designs, so is the
    /// node. None of the node that the fault is in and of flops with values of their own.
    pub operands: Option<Vec<NodeId>>,
    /// Of a node that the fault does not reach, the flops because of which it has other bits: where all
    /// of them have the sound design's values, so has the node.
    pub flops: Option<BTreeSet<usize>>,
    /// A difference may end here, unlike in a sum or a comparison of what differs: it is the node that the
    /// fault is in, a flop with a value of its own, or one that may select another operand.
    pub selects: bool,
    /// Its bits in the sound design.
    pub good: Vec<Lit>,
    /// Its bits in the faulty design.
    pub bad: Vec<Lit>,
}

/// A sound design, and faulty ones beside it.
#[derive(Clone, Debug)]
pub struct Beside<'a> {
    netlist: &'a Netlist,
    /// That of the netlist and what faults add to it.
    graph: Graph,
    aig: Aig,
    /// Bits of each node, of the sound design unless changed.
    bits: Vec<Vec<Lit>>,
    /// Place of a node among those in use.
    order: Vec<NodeId>,
    rank: Vec<u32>,
    users: Lists,
    places: Vec<(Place, NodeId)>,
    roots: Lists,
    queue: Queue,
    /// Values of their own that flops can have.
    shadows: Vec<(usize, Vec<Lit>)>,
    /// Nodes that have other bits because of the last fault or of the free flops.
    changed: Vec<Changed>,
    gates: usize,
}

const NONE: u32 = u32::MAX;

impl<'a> Beside<'a> {
    /// A design; `formulas` are further nodes of its graph, `free` are flops that can have values of
    /// their own in a faulty design: leaves [`Leaf::Reg`] that count on from those of the netlist.
    pub fn new(netlist: &'a Netlist, formulas: &[NodeId], free: &[usize]) -> Self {
        let graph = netlist.graph.clone();
        let flops = netlist
            .regs
            .iter()
            .flat_map(|reg| [reg.q, reg.d, reg.reset]);
        let inputs = (0..graph.len() as u32).map(NodeId);
        let inputs = inputs.filter(|node| matches!(graph.op(*node), Op::Input(_)));
        let wanted = netlist.roots().into_iter().chain(flops).chain(inputs);
        let order = graph.order(wanted.chain(formulas.iter().copied()));
        let mut aig = Aig::default();
        let inputs = netlist.inputs.iter().enumerate();
        let inputs: Vec<_> = inputs
            .map(|(i, input)| aig.add_leaves(input.width, |bit| Leaf::Input(i, bit)))
            .collect();
        let regs = netlist.regs.iter().enumerate();
        let regs: Vec<_> = regs
            .map(|(i, reg)| aig.add_leaves(reg.width, |bit| Leaf::Reg(i, bit)))
            .collect();
        let rams = netlist.rams.iter().enumerate();
        let rams: Vec<_> = rams
            .map(|(i, ram)| aig.add_leaves(ram.width, |bit| Leaf::RamData(i, bit)))
            .collect();
        let shadows = free.iter().enumerate().map(|(i, &flop)| {
            let shadow = netlist.regs.len() + i;
            let width = netlist.regs[flop].width;
            (flop, aig.add_leaves(width, |bit| Leaf::Reg(shadow, bit)))
        });
        let shadows = shadows.collect();
        let mut bits = vec![vec![]; graph.len()];
        let (mut rank, mut pairs) = (vec![NONE; graph.len()], Vec::new());
        for (number, &node) in (0..).zip(&order) {
            rank[node.index()] = number;
            bits[node.index()] = match *graph.op(node) {
                Op::Input(i) => inputs[i as usize].clone(),
                Op::Reg(i) => regs[i as usize].clone(),
                Op::RamData(i) => rams[i as usize].clone(),
                _ => aig.node(&graph, node, &bits),
            };
            let mut operands = graph.op(node).operands();
            operands.sort_unstable();
            operands.dedup();
            pairs.extend(
                operands
                    .iter()
                    .map(|operand| (rank[operand.index()], number)),
            );
        }
        let places = places(netlist);
        let rooted = (0..).zip(&places);
        let rooted: Vec<_> = rooted
            .map(|(i, (_, node))| (rank[node.index()], i))
            .collect();
        Self {
            netlist,
            users: Lists::new(order.len(), &pairs),
            roots: Lists::new(order.len(), &rooted),
            queue: Queue::new(order.len()),
            gates: aig.gates.len(),
            places,
            graph,
            aig,
            bits,
            order,
            rank,
            shadows,
            changed: Vec::new(),
        }
    }

    /// The logic, with what the last fault has added.
    pub fn aig(&self) -> &Aig {
        &self.aig
    }

    /// Gates of the sound design; those behind them are the last fault's.
    pub fn sound_gates(&self) -> usize {
        self.gates
    }

    /// The bits of a node of the sound design or of a formula.
    pub fn bits(&self, node: NodeId) -> &[Lit] {
        &self.bits[node.index()]
    }

    /// The value of its own that a flop can have.
    pub fn shadow(&self, flop: usize) -> Option<&[Lit]> {
        let found = self.shadows.iter().find(|(other, _)| *other == flop);
        found.map(|(_, bits)| &bits[..])
    }

    /// All nodes that have other bits because of the last fault or of the free flops; operands come before
    /// what reads them.
    pub fn changed(&self) -> &[Changed] {
        &self.changed
    }

    /// All bits of roots whose logic is not the same gate with a fault, if the flops `free` have
    /// values of their own. What the fault before has added is dropped.
    ///
    /// # Errors
    /// [`NoSuchPlace`], as [`Netlist::with_fault`].
    pub fn fault(&mut self, fault: &Fault, free: &[usize]) -> Result<Vec<Pair>, NoSuchPlace> {
        if !apply::fits(self.netlist, fault) {
            return Err(NoSuchPlace(*fault));
        }
        self.aig.shorten(self.gates);
        let mut sound: Vec<(NodeId, Vec<Lit>)> = Vec::new();
        for &flop in free {
            if let Some(bits) = self.shadow(flop).map(<[Lit]>::to_vec) {
                self.change(self.netlist.regs[flop].q, bits, &mut sound);
            }
        }
        let site = apply::changed(self.netlist, fault);
        if let Some(node) = site {
            if self.rank[node.index()] != NONE {
                self.queue.add(self.rank[node.index()]);
            }
        }
        while let Some(number) = self.queue.take() {
            let node = self.order[number as usize];
            let bits = match site == Some(node) {
                true => self.instead(fault, node),
                false => self.aig.node(&self.graph, node, &self.bits),
            };
            if bits != self.bits[node.index()] {
                self.change(node, bits, &mut sound);
            }
        }
        self.changed = self.describe(site, &sound);
        let pairs = self.pairs(fault, &sound);
        for (node, bits) in sound {
            self.bits[node.index()] = bits;
        }
        Ok(pairs)
    }

    /// Nodes with the bits that they have in the sound design, in the order of the logic.
    fn describe(&self, site: Option<NodeId>, sound: &[(NodeId, Vec<Lit>)]) -> Vec<Changed> {
        let differs: BTreeSet<NodeId> = sound.iter().map(|(node, _)| *node).collect();
        let mut by_flops: BTreeMap<NodeId, BTreeSet<usize>> = BTreeMap::new();
        let mut changed = Vec::new();
        for (node, good) in sound {
            let op = self.graph.op(*node);
            let flop = match *op {
                Op::Reg(flop) => Some(flop as usize),
                _ => None,
            };
            let of_fault = site == Some(*node);
            let operands = op.operands().into_iter();
            let operands: Vec<NodeId> = operands.filter(|it| differs.contains(it)).collect();
            let flops = match flop {
                _ if of_fault => None,
                Some(flop) => Some(BTreeSet::from([flop])),
                None => {
                    let flops = operands.iter().map(|operand| by_flops.get(operand));
                    let flops = flops.collect::<Option<Vec<_>>>();
                    flops.map(|flops| flops.into_iter().flatten().copied().collect())
                }
            };
            by_flops.extend(flops.iter().map(|flops| (*node, flops.clone())));
            let own = of_fault || flop.is_some();
            changed.push(Changed {
                node: *node,
                operands: (!own).then_some(operands),
                flops,
                selects: own || matches!(op, Op::And(..) | Op::Or(..) | Op::Mux(..)),
                good: good.clone(),
                bad: self.bits[node.index()].clone(),
            });
        }
        changed
    }

    /// The bits of the node that a fault is in which it makes other ones, without it and with it, of what
    /// the node reads in the sound design: as long as they are equal, the fault changes nothing. None of
    /// a fault that is in no node but in a flop, a RAM or an output. What the fault before has added is
    /// dropped.
    pub fn site(&mut self, fault: &Fault) -> Vec<[Lit; 2]> {
        self.aig.shorten(self.gates);
        let node = apply::changed(self.netlist, fault);
        let node = node.filter(|_| apply::fits(self.netlist, fault));
        let Some(node) = node.filter(|node| self.rank[node.index()] != NONE) else {
            return Vec::new();
        };
        let bad = self.instead(fault, node);
        let good = self.bits[node.index()].iter();
        let both = good.zip(bad).map(|(&good, bad)| [good, bad]);
        both.filter(|[good, bad]| good != bad).collect()
    }

    /// A node has other bits than in the sound design.
    fn change(&mut self, node: NodeId, bits: Vec<Lit>, sound: &mut Vec<(NodeId, Vec<Lit>)>) {
        sound.push((node, std::mem::replace(&mut self.bits[node.index()], bits)));
        for i in self.users.range(self.rank[node.index()]) {
            self.queue.add(self.users.items[i]);
        }
    }

    /// The bits of what takes the place of a node, whose operands have theirs.
    fn instead(&mut self, fault: &Fault, node: NodeId) -> Vec<Lit> {
        let leaf = matches!(self.graph.op(node), Op::Input(_));
        let present = match leaf {
            true => self.bits[node.index()].clone(),
            false => self.aig.node(&self.graph, node, &self.bits),
        };
        let sound = std::mem::replace(&mut self.bits[node.index()], present);
        let by = apply::instead(&mut self.graph, fault, node);
        let bits = self.computed(by, self.rank[node.index()]);
        self.bits[node.index()] = sound;
        bits
    }

    /// The bits of a node, of which those up to `known` in the order have theirs.
    fn computed(&mut self, node: NodeId, known: u32) -> Vec<Lit> {
        self.rank.resize(self.graph.len(), NONE);
        self.bits.resize(self.graph.len(), vec![]);
        let mut open = vec![(node, false)];
        let mut order: Vec<NodeId> = Vec::new();
        while let Some((node, done)) = open.pop() {
            let rank = self.rank[node.index()];
            if done {
                order.push(node);
            } else if rank == NONE || rank > known {
                open.push((node, true));
                let operands = self.graph.op(node).operands();
                open.extend(operands.into_iter().map(|operand| (operand, false)));
            }
        }
        let mut kept = Vec::new();
        for node in order {
            let bits = self.aig.node(&self.graph, node, &self.bits);
            kept.push((node, std::mem::replace(&mut self.bits[node.index()], bits)));
        }
        let computed = self.bits[node.index()].clone();
        // The first that was kept of a node is the sound one.
        for (node, bits) in kept.into_iter().rev() {
            self.bits[node.index()] = bits;
        }
        computed
    }

    fn pairs(&mut self, fault: &Fault, sound: &[(NodeId, Vec<Lit>)]) -> Vec<Pair> {
        let mut pairs = Vec::new();
        let instead = apply::root_instead(self.netlist, &mut self.graph, fault);
        let mut add = |place: Place, good: &[Lit], bad: &[Lit]| {
            for (bit, (&good, &bad)) in good.iter().zip(bad).enumerate() {
                if good != bad {
                    let root = place.bit(bit);
                    pairs.push(Pair { root, good, bad });
                }
            }
        };
        for (node, good) in sound {
            for i in self.roots.range(self.rank[node.index()]) {
                let place = self.places[self.roots.items[i] as usize].0;
                if instead.is_none_or(|(changed, _)| changed != place) {
                    add(place, good, &self.bits[node.index()]);
                }
            }
        }
        if let Some((place, by)) = instead {
            let bad = self.computed(by, NONE - 1);
            let node = self.places.iter().find(|(other, _)| *other == place);
            if let Some((_, node)) = node {
                let good = sound.iter().find(|(changed, _)| changed == node);
                let good = good.map_or(&self.bits[node.index()], |(_, bits)| bits);
                add(place, good, &bad);
            }
        }
        pairs
    }

    /// Whether a RAM is written, in the sound design.
    pub fn write_enable(&self, ram: usize) -> Lit {
        self.bits[self.netlist.rams[ram].write_enable.index()][0]
    }

    /// The bits of flops that an output or a port of a RAM depends on, now or in a later cycle, in
    /// the sound design and in every design with one fault; of the nodes' operands, not of their
    /// values.
    pub fn observed(&self) -> Vec<Vec<bool>> {
        let mut observed: Vec<Vec<bool>> = self
            .netlist
            .regs
            .iter()
            .map(|reg| vec![false; reg.width])
            .collect();
        let mut seen: Vec<Vec<bool>> = vec![vec![]; self.order.len()];
        let shown = |place: &&(Place, NodeId)| !matches!(place.0, Place::Next(_));
        let mut open: Vec<(NodeId, usize)> = Vec::new();
        let whole = |node: NodeId| (0..self.graph.width(node)).map(move |bit| (node, bit));
        for (_, node) in self.places.iter().filter(shown) {
            open.extend(whole(*node));
        }
        while let Some((node, bit)) = open.pop() {
            let seen = &mut seen[self.rank[node.index()] as usize];
            seen.resize(self.graph.width(node), false);
            if std::mem::replace(&mut seen[bit], true) {
                continue;
            }
            match self.graph.op(node) {
                Op::Reg(reg) => {
                    let flop = &self.netlist.regs[*reg as usize];
                    observed[*reg as usize][bit] = true;
                    // A fault may take the reset away.
                    open.extend([(flop.next, bit), (flop.d, bit), (flop.reset, 0)]);
                }
                Op::Not(a) => open.push((*a, bit)),
                Op::And(a, b) | Op::Or(a, b) | Op::Xor(a, b) => open.extend([(*a, bit), (*b, bit)]),
                Op::Add(a, b) | Op::Sub(a, b) | Op::Mul(a, b) => {
                    open.extend((0..=bit).flat_map(|bit| [(*a, bit), (*b, bit)]));
                }
                Op::Mux(c, a, b) => open.extend([(*c, 0), (*a, bit), (*b, bit)]),
                Op::Slice(a, low) => open.push((*a, *low as usize + bit)),
                Op::Cat(parts) => {
                    let mut low = 0;
                    for part in parts {
                        let width = self.graph.width(*part);
                        if (low..low + width).contains(&bit) {
                            open.push((*part, bit - low));
                        }
                        low += width;
                    }
                }
                op => open.extend(op.operands().into_iter().flat_map(whole)),
            }
        }
        observed
    }
}
