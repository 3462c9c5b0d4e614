//! The network that is mapped to look-up tables: gates, carry chains and flops of a netlist.

use super::architecture::Architecture;
use super::balance::balance;
use super::chains::{Chain, ChainUse};
use super::control::{Controls, FlopBit};
use super::replace::Replaced;
use super::sums;
use crate::blast::{trivial_and, Gates, Leaf, Lit, RamPort, Root};
use crate::graph::{Graph, NodeId, Op};
use crate::Netlist;
use std::collections::{HashMap, HashSet};

/// What a variable is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Zero.
    Constant,
    /// From outside the logic.
    Leaf(Leaf),
    /// Conjunction.
    And(Lit, Lit),
    /// Sum bit of a carry chain.
    Sum(usize, usize),
    /// Carry out of a chain.
    CarryOut(usize),
}

/// Why a signal is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Sink {
    /// An output of the design or a port of a RAM.
    Root(Root),
    /// Input of a flop's bit, by [`Network::flops`].
    D(usize),
    Enable(usize),
    Reset(usize),
    /// Input of a bit of a chain: `A`, `B` or, where the LUT has both, the
    /// exclusive or.
    ChainA(usize, usize),
    ChainB(usize, usize),
    Propagate(usize, usize),
    CarryIn(usize),
}

/// The logic of a netlist as an architecture wants it.
#[derive(Debug, Default)]
pub(crate) struct Network {
    /// By variable; operands before their users.
    pub kinds: Vec<Kind>,
    pub chains: Vec<Chain>,
    /// Bits of flops that the outputs depend on, with their controls.
    pub flops: Vec<(Leaf, FlopBit)>,
    /// RAMs that the outputs depend on.
    pub rams: Vec<usize>,
    /// Bits of flops that are gone, and what stands for them.
    pub replaced: Replaced,
    /// The signals needed.
    pub sinks: Vec<(Sink, Lit)>,
    /// Bits that a chain needs of its length: for sums and for carries.
    pub chain_use: Vec<ChainUse>,
    known: HashMap<[Lit; 2], Lit>,
    leaves: HashMap<Leaf, Lit>,
    lut_inputs: usize,
}

impl Gates for Network {
    fn and(&mut self, a: Lit, b: Lit) -> Lit {
        if let Some(lit) = trivial_and(a, b).or_else(|| self.absorbed(a, b)) {
            return lit;
        }
        let pair = [a.min(b), a.max(b)];
        if let Some(&lit) = self.known.get(&pair) {
            return lit;
        }
        let lit = self.variable(Kind::And(pair[0], pair[1]));
        self.known.insert(pair, lit);
        lit
    }

    /// A multiplexer that only adds to one of its inputs is no multiplexer.
    fn mux(&mut self, c: Lit, a: Lit, b: Lit) -> Lit {
        for (c, a, b) in [(c, a, b), (!c, b, a)] {
            // a = b & rest, or a = b | rest.
            let inverted = a.is_inverted();
            let base = if inverted { !b } else { b };
            if let Kind::And(x, y) = self.kinds[a.variable()] {
                if x == base || y == base {
                    let rest = if x == base { y } else { x };
                    let kept = self.and(c, !rest);
                    let both = self.and(base, !kept);
                    return if inverted { !both } else { both };
                }
            }
        }
        if a == b {
            return a;
        }
        let (x, y) = (self.and(c, a), self.and(!c, b));
        self.or(x, y)
    }
}

impl Network {
    /// The logic of a netlist that is left once constant, equal and unused
    /// flops are gone.
    pub fn new(netlist: &Netlist, architecture: Architecture) -> Network {
        let mut replaced = Replaced::default();
        loop {
            let mut network = Network::build(netlist, architecture, &replaced);
            let found = network.replaceable();
            if found.is_empty() {
                network.replaced = replaced;
                network.finish(architecture);
                return balance(network);
            }
            replaced.extend(found);
        }
    }

    fn build(netlist: &Netlist, architecture: Architecture, replaced: &Replaced) -> Network {
        let mut network = Network {
            lut_inputs: architecture.lut_inputs(),
            ..Network::default()
        };
        network.kinds.push(Kind::Constant);
        let graph = &netlist.graph;
        let uses = sums::uses(netlist);
        let mut bits: Vec<Vec<Lit>> = vec![vec![]; graph.len()];
        let mut order = netlist.live();
        // `d` and `reset` are parts of a flop's next value, but not always
        // nodes of it.
        let parts = netlist
            .regs
            .iter()
            .flat_map(|reg| [reg.d, reg.reset, reg.q]);
        order = graph.order(order.into_iter().chain(parts));
        for node in order {
            bits[node.index()] = network.node_bits(graph, node, &bits, &uses, replaced);
        }
        let controls = Controls::new(netlist);
        network.reach(netlist, &controls, &bits);
        network
    }

    fn node_bits(
        &mut self,
        graph: &Graph,
        node: NodeId,
        bits: &[Vec<Lit>],
        uses: &[u32],
        replaced: &Replaced,
    ) -> Vec<Lit> {
        let width = graph.width(node);
        let leaf: &dyn Fn(usize) -> Leaf = match graph.op(node) {
            Op::Input(i) => &move |bit| Leaf::Input(*i as usize, bit),
            Op::Reg(i) => &move |bit| Leaf::Reg(*i as usize, bit),
            Op::RamData(i) => &move |bit| Leaf::RamData(*i as usize, bit),
            Op::Add(..) => {
                let operands = sums::operands(graph, uses, node);
                let operands = operands.iter().map(|n| bits[n.index()].clone()).collect();
                return self.sum_of(operands, width);
            }
            Op::Mux(..) => {
                let Some((condition, number)) = sums::counted_up(graph, uses, node) else {
                    return self.node(graph, node, bits);
                };
                let number = bits[number.index()].clone();
                let nothing = vec![Lit::FALSE; width];
                return self.chain(&number, &nothing, bits[condition.index()][0]).0;
            }
            Op::Sub(a, b) => {
                let inverse: Vec<Lit> = bits[b.index()].iter().map(|&lit| !lit).collect();
                return self.chain(&bits[a.index()], &inverse, Lit::TRUE).0;
            }
            Op::Less(a, b) => {
                let (a, b) = (&bits[a.index()], &bits[b.index()]);
                let inverse: Vec<Lit> = b.iter().map(|&lit| !lit).collect();
                // With a constant it is a function of one operand, which one
                // LUT may hold (`cmp2lut.v`).
                let constant = |lits: &[Lit]| lits.iter().all(|lit| lit.variable() == 0);
                let small = a.len() <= self.lut_inputs;
                let carry = match small && (constant(a) || constant(b)) {
                    true => self.sum(a, &inverse, Lit::TRUE).1,
                    false => self.chain(a, &inverse, Lit::TRUE).1,
                };
                return vec![!carry];
            }
            _ => return self.node(graph, node, bits),
        };
        (0..width)
            .map(|bit| match replaced.resolve(leaf(bit)) {
                Err(true) => Lit::TRUE,
                Err(false) => Lit::FALSE,
                Ok(leaf) => self.leaf(leaf),
            })
            .collect()
    }

    /// The variable of a bit from outside.
    fn leaf(&mut self, leaf: Leaf) -> Lit {
        if let Some(&known) = self.leaves.get(&leaf) {
            return known;
        }
        let lit = self.variable(Kind::Leaf(leaf));
        self.leaves.insert(leaf, lit);
        lit
    }

    /// A new variable.
    pub fn variable(&mut self, kind: Kind) -> Lit {
        self.kinds.push(kind);
        Lit::positive(self.kinds.len() - 1)
    }

    /// Rules that look one gate further.
    fn absorbed(&mut self, a: Lit, b: Lit) -> Option<Lit> {
        for (x, y) in [(a, b), (b, a)] {
            let Kind::And(p, q) = self.kinds[y.variable()] else {
                continue;
            };
            if !y.is_inverted() {
                if x == p || x == q {
                    return Some(y);
                }
                if x == !p || x == !q {
                    return Some(Lit::FALSE);
                }
            } else {
                if x == !p || x == !q {
                    return Some(x);
                }
                if x == p {
                    return Some(self.and(x, !q));
                }
                if x == q {
                    return Some(self.and(x, !p));
                }
            }
        }
        let (Kind::And(p, q), Kind::And(r, s)) =
            (self.kinds[a.variable()], self.kinds[b.variable()])
        else {
            return None;
        };
        let clash = |x: Lit, y: Lit| x == !y;
        match (a.is_inverted(), b.is_inverted()) {
            (false, false) if clash(p, r) || clash(p, s) || clash(q, r) || clash(q, s) => {
                Some(Lit::FALSE)
            }
            // !(p & q) & !(p & !q) is !p.
            (true, true) if p == r && clash(q, s) || p == s && clash(q, r) => Some(!p),
            (true, true) if q == r && clash(p, s) || q == s && clash(p, r) => Some(!q),
            _ => None,
        }
    }

    /// From the outputs backwards: flops, RAMs and signals that matter.
    fn reach(&mut self, netlist: &Netlist, controls: &Controls, bits: &[Vec<Lit>]) {
        let mut seen = vec![];
        let mut stack: Vec<Lit> = vec![];
        for (i, output) in netlist.outputs.iter().enumerate() {
            for (bit, &lit) in bits[output.node.index()].iter().enumerate() {
                self.sinks.push((Sink::Root(Root::Output(i, bit)), lit));
                stack.push(lit);
            }
        }
        let mut rams = HashSet::new();
        while let Some(lit) = stack.pop() {
            seen.resize(self.kinds.len(), false);
            let variable = lit.variable();
            if std::mem::replace(&mut seen[variable], true) {
                continue;
            }
            match self.kinds[variable] {
                Kind::Constant | Kind::Leaf(Leaf::Input(..)) => {}
                Kind::And(a, b) => stack.extend([a, b]),
                Kind::Sum(chain, bit) => {
                    let Chain { a, b, carry, .. } = &self.chains[chain];
                    stack.extend(a[..=bit].iter().chain(&b[..=bit]).chain([carry]));
                }
                Kind::CarryOut(chain) => {
                    let Chain { a, b, carry, .. } = &self.chains[chain];
                    stack.extend(a.iter().chain(b).chain([carry]));
                }
                Kind::Leaf(leaf @ Leaf::Reg(index, bit)) => {
                    let flop = controls.flop(self, bits, netlist, (index, bit));
                    self.flops.push((leaf, flop));
                    stack.extend([flop.d, flop.enable, flop.reset]);
                }
                Kind::Leaf(Leaf::RamData(index, _)) => {
                    if rams.insert(index) {
                        self.rams.push(index);
                        let ram = &netlist.rams[index];
                        for (port, node) in [
                            (RamPort::ReadAddress, ram.read_address),
                            (RamPort::WriteEnable, ram.write_enable),
                            (RamPort::WriteAddress, ram.write_address),
                            (RamPort::WriteData, ram.write_data),
                        ] {
                            for (bit, &lit) in bits[node.index()].iter().enumerate() {
                                self.sinks
                                    .push((Sink::Root(Root::Ram(index, port, bit)), lit));
                                stack.push(lit);
                            }
                        }
                    }
                }
            }
        }
        self.flops.sort_by_key(|(leaf, _)| match leaf {
            Leaf::Reg(index, bit) => (*index, *bit),
            _ => (0, 0),
        });
        self.rams.sort_unstable();
    }

    /// Adds what the architecture's flops and chains need as signals.
    fn finish(&mut self, architecture: Architecture) {
        for index in 0..self.flops.len() {
            let mut flop = self.flops[index].1;
            if architecture.enable_gates_reset() {
                flop.enable = self.or(flop.enable, flop.reset);
                self.flops[index].1 = flop;
            }
            self.sinks.extend([
                (Sink::D(index), flop.d),
                (Sink::Enable(index), flop.enable),
                (Sink::Reset(index), flop.reset),
            ]);
        }
        self.use_chains(architecture);
    }

    /// What it holds, on the gates of another.
    pub fn rebuilt_on(self, gates: Network) -> Network {
        let Network { kinds, known, .. } = gates;
        Network {
            kinds,
            known,
            ..self
        }
    }

    /// The conjunction is a gate already.
    pub fn is_known(&self, a: Lit, b: Lit) -> bool {
        self.known.contains_key(&[a.min(b), a.max(b)])
    }

    /// How often each variable is used by what the sinks need.
    pub fn users(&self) -> Vec<u32> {
        let mut users = vec![0; self.kinds.len()];
        for (_, lit) in &self.sinks {
            users[lit.variable()] += 1;
        }
        for variable in (0..self.kinds.len()).rev() {
            if let (true, Kind::And(a, b)) = (users[variable] > 0, self.kinds[variable]) {
                users[a.variable()] += 1;
                users[b.variable()] += 1;
            }
        }
        users
    }
}
