//! Random designs out of lists of instructions, so that they shrink.

use cotenant_netlist::graph::{ones, Graph, NodeId, Op};
use cotenant_netlist::hdl::*;
use cotenant_netlist::{elaborate, Input, Netlist, Output, Ram, Reg, Signal};
use num_bigint::BigUint;
use proptest::prelude::*;

/// Something to start from: the fields that matter are replaced.
#[derive(Default, LogicBlock)]
struct Nothing {
    pub a: Signal0,
    pub b: Signal1,
}
type Signal0 = cotenant_netlist::hdl::Signal<In, Bit>;
type Signal1 = cotenant_netlist::hdl::Signal<Out, Bit>;

impl Logic for Nothing {
    #[hdl_gen]
    fn update(&mut self) {
        self.b.next = self.a.val();
    }
}

/// A design without anything in it.
pub fn empty() -> Netlist {
    let mut block = Nothing::default();
    block.connect_all();
    let mut netlist = elaborate(&block, "nothing").unwrap();
    netlist.graph = Graph::default();
    netlist.inputs.clear();
    netlist.outputs.clear();
    netlist.signals.clear();
    netlist
}

/// A node made of earlier ones.
#[derive(Clone, Debug)]
pub struct Instruction {
    kind: u8,
    /// Whether the graph may simplify it.
    raw: bool,
    a: u16,
    b: u16,
    c: u16,
    width: usize,
}

/// What a random design is made from.
#[derive(Clone, Debug)]
pub struct Recipe {
    inputs: Vec<usize>,
    /// Width, initial value, and which node is next; kind of next.
    regs: Vec<(usize, u64, u16, u8)>,
    /// How many regs come as arrays of this many equal ones: width, log.
    arrays: Vec<(usize, u32, u16)>,
    /// Address width, word width, ports.
    rams: Vec<(usize, usize, [u16; 4])>,
    instructions: Vec<Instruction>,
    outputs: Vec<u16>,
}

fn width() -> impl Strategy<Value = usize> {
    prop_oneof![
        4 => 1..=8usize,
        2 => 9..=40usize,
        2 => prop_oneof![Just(63usize), Just(64), Just(65), Just(127), Just(128), Just(129)],
        1 => 1..=200usize,
    ]
}

prop_compose! {
    fn instruction()(
        kind in any::<u8>(), raw in prop::bool::weighted(0.3),
        a in any::<u16>(), b in any::<u16>(), c in any::<u16>(), width in width(),
    ) -> Instruction {
        Instruction { kind, raw, a, b, c, width }
    }
}

prop_compose! {
    pub fn recipe()(
        inputs in prop::collection::vec(width(), 1..5),
        regs in prop::collection::vec((width(), any::<u64>(), any::<u16>(), any::<u8>()), 0..12),
        arrays in prop::collection::vec((width(), 1..5u32, any::<u16>()), 0..3),
        rams in prop::collection::vec((1..6usize, width(), any::<[u16; 4]>()), 0..3),
        instructions in prop::collection::vec(instruction(), 1..40),
        outputs in prop::collection::vec(any::<u16>(), 1..8),
    ) -> Recipe {
        Recipe { inputs, regs, arrays, rams, instructions, outputs }
    }
}

struct Maker {
    graph: Graph,
    nodes: Vec<NodeId>,
    /// Arrays of flops, by node.
    arrays: Vec<Vec<NodeId>>,
}

impl Maker {
    /// An earlier node.
    fn any(&self, pick: u16) -> NodeId {
        // Prefer late ones: deep designs.
        let n = self.nodes.len();
        let back = (usize::from(pick) % n).min(usize::from(pick / 7) % n);
        self.nodes[n - 1 - back]
    }

    fn sized(&mut self, pick: u16, width: usize) -> NodeId {
        let node = self.any(pick);
        self.graph.resize(node, width)
    }

    fn flag(&mut self, pick: u16) -> NodeId {
        let node = self.any(pick);
        let bit = usize::from(pick / 3) % self.graph.width(node);
        self.graph.slice(node, bit, 1)
    }

    fn number(&mut self, value: usize, width: usize) -> NodeId {
        self.graph.constant(value as u64, width)
    }

    fn add(&mut self, i: &Instruction) -> NodeId {
        let a = self.any(i.a);
        let width = self.graph.width(a);
        let b = self.sized(i.b, width);
        let (g, raw) = (&mut self.graph, i.raw);
        match i.kind % 30 {
            0 if raw => g.raw(Op::Not(a), width),
            0 => g.not(a),
            1 if raw => g.raw(Op::And(a, b), width),
            1 => g.and(a, b),
            2 if raw => g.raw(Op::Or(a, b), width),
            2 => g.or(a, b),
            3 if raw => g.raw(Op::Xor(a, b), width),
            3 => g.xor(a, b),
            4 | 5 if raw => g.raw(Op::Add(a, b), width),
            4 | 5 => g.add(a, b),
            6 if raw => g.raw(Op::Sub(a, b), width),
            6 => g.sub(a, b),
            7 if raw => g.raw(Op::Mul(a, b), width),
            7 => g.mul(a, b),
            8 if raw => g.raw(Op::Eq(a, b), 1),
            8 => g.eq(a, b),
            9 if raw => g.raw(Op::Less(a, b), 1),
            9 => g.less(a, b),
            10 | 11 => {
                let by = self.any(i.b);
                let by = self.graph.resize(by, 1 + usize::from(i.c) % 9);
                match (i.kind % 30, raw) {
                    (10, true) => self.graph.raw(Op::Shl(a, by), width),
                    (10, false) => self.graph.shl(a, by),
                    (_, true) => self.graph.raw(Op::Shr(a, by), width),
                    (_, false) => self.graph.shr(a, by),
                }
            }
            12 => {
                let by = self.any(i.b);
                self.graph.shl(a, by)
            }
            13..=15 => {
                let c = self.flag(i.c);
                if raw {
                    self.graph.raw(Op::Mux(c, a, b), width)
                } else {
                    self.graph.mux(c, a, b)
                }
            }
            16 | 17 => {
                let low = usize::from(i.b) % width;
                let take = 1 + usize::from(i.c) % (width - low);
                if raw {
                    g.raw(Op::Slice(a, low as u32), take)
                } else {
                    g.slice(a, low, take)
                }
            }
            18 | 19 => {
                let parts = vec![self.any(i.a), self.any(i.b), self.any(i.c)];
                let total: usize = parts.iter().map(|&p| self.graph.width(p)).sum();
                match (total > 200, raw) {
                    (true, _) => a,
                    (_, true) => self.graph.raw(Op::Cat(parts), total),
                    (_, false) => self.graph.cat(parts),
                }
            }
            20 if raw => g.raw(Op::Parity(a), 1),
            20 => g.parity(a),
            21 => g.constant(ones(i.width) ^ BigUint::from(i.b), i.width),
            22 => self.sized(i.a, i.width),
            23 => self.count(a, i),
            24 | 25 => self.lanes(i),
            26 => self.decoder(a, i),
            27 | 28 => self.read_port(i),
            _ => {
                // Compared with a constant.
                let k = self.graph.constant(i.c, width);
                if raw {
                    self.graph.less(k, a)
                } else {
                    self.graph.eq(a, k)
                }
            }
        }
    }

    /// Counts bits, as a chain or as a tree.
    fn count(&mut self, a: NodeId, i: &Instruction) -> NodeId {
        let width = 1 + usize::from(i.b) % 9;
        let from = self.graph.width(a);
        let mut sums: Vec<NodeId> = (0..from.min(70))
            .map(|bit| {
                let bit = (bit * (1 + usize::from(i.c) % 3)) % from;
                let bit = self.graph.slice(a, bit, 1);
                self.graph.resize(bit, width)
            })
            .collect();
        while sums.len() > 1 {
            let (x, y) = (sums.remove(0), sums.remove(0));
            let sum = self.graph.add(x, y);
            if i.raw {
                sums.insert(0, sum)
            } else {
                sums.push(sum)
            }
        }
        sums[0]
    }

    /// The same on every bit of vectors.
    fn lanes(&mut self, i: &Instruction) -> NodeId {
        let count = 2 + usize::from(i.c) % 20;
        let field = 1 + usize::from(i.c / 20) % 3;
        let (a, b) = (self.sized(i.a, count), self.sized(i.b, count * field));
        let common = self.flag(i.a);
        let parts = (0..count)
            .map(|k| {
                let bit = self.graph.slice(a, k, 1);
                let owner = self.graph.slice(b, k * field, field);
                let value = self.number(usize::from(i.a) & ((1 << field) - 1), field);
                let same = self.graph.eq(owner, value);
                let both = self.graph.and(bit, same);
                match i.kind % 3 {
                    0 => both,
                    1 => self.graph.xor(both, common),
                    _ => self.graph.or(common, both),
                }
            })
            .collect();
        self.graph.cat(parts)
    }

    /// A value compared with successive constants.
    fn decoder(&mut self, a: NodeId, i: &Instruction) -> NodeId {
        let width = self.graph.width(a).min(1 + usize::from(i.b) % 6);
        let x = self.graph.slice(a, 0, width);
        let parts = (0..1usize << width)
            .map(|k| {
                let k = self.number(k, width);
                match i.c % 3 {
                    0 => self.graph.eq(x, k),
                    1 => self.graph.less(k, x),
                    _ => self.graph.less(x, k),
                }
            })
            .collect();
        self.graph.cat(parts)
    }

    /// Reads an array of flops: a chain, an and-or sum, with and without enable.
    fn read_port(&mut self, i: &Instruction) -> NodeId {
        if self.arrays.is_empty() {
            return self.any(i.a);
        }
        let array = self.arrays[usize::from(i.b) % self.arrays.len()].clone();
        let bits = array.len().trailing_zeros() as usize;
        let select = self.sized(i.a, bits);
        let enable = self.flag(i.c);
        let width = self.graph.width(array[0]);
        let mut read = self.number(0, width);
        for (k, &q) in array.iter().enumerate() {
            let k = self.number(k, bits);
            let same = self.graph.eq(select, k);
            let here = if i.kind % 2 == 0 {
                same
            } else {
                self.graph.and(enable, same)
            };
            let value = if i.c % 3 == 0 {
                q
            } else {
                self.graph.or(read, q)
            };
            read = self.graph.mux(here, value, read);
        }
        read
    }
}

impl Recipe {
    pub fn netlist(&self) -> Netlist {
        let mut netlist = empty();
        let mut m = Maker {
            graph: Graph::default(),
            nodes: Vec::new(),
            arrays: Vec::new(),
        };
        for (k, &width) in self.inputs.iter().enumerate() {
            netlist.inputs.push(Input {
                name: format!("in{k}"),
                width,
            });
            m.nodes.push(m.graph.raw(Op::Input(k as u32), width));
        }
        // Name, width, initial value, next.
        let mut regs: Vec<(String, usize, u64)> = Vec::new();
        for (n, &(width, log, _)) in self.arrays.iter().enumerate() {
            let at = regs.len();
            regs.extend((0..1 << log).map(|k| (format!("array{n}[{k}]"), width, k as u64)));
            let nodes: Vec<NodeId> = (at..regs.len())
                .map(|k| m.graph.raw(Op::Reg(k as u32), width))
                .collect();
            m.nodes.extend(&nodes);
            m.arrays.push(nodes);
        }
        let arrays_end = regs.len();
        for (k, reg) in self.regs.iter().enumerate() {
            m.nodes.push(m.graph.raw(Op::Reg(regs.len() as u32), reg.0));
            regs.push((format!("reg{k}"), reg.0, reg.1));
        }
        for (k, ram) in self.rams.iter().enumerate() {
            m.nodes.push(m.graph.raw(Op::RamData(k as u32), ram.1));
        }
        for instruction in &self.instructions {
            let node = m.add(instruction);
            m.nodes.push(node);
        }
        let reset = m.flag(0);
        let mut next = Vec::new();
        for (&(width, log, pick), array) in self.arrays.iter().zip(m.arrays.clone()) {
            // A write port.
            let (data, enable) = (m.sized(pick, width), m.flag(pick / 5));
            let select = m.sized(pick / 3, log as usize);
            for (k, q) in array.into_iter().enumerate() {
                let k = m.number(k, log as usize);
                let same = m.graph.eq(select, k);
                let here = m.graph.and(enable, same);
                next.push(m.graph.mux(here, data, q));
            }
        }
        for (k, &(width, _, pick, kind)) in self.regs.iter().enumerate() {
            let q = m.graph.raw(Op::Reg((arrays_end + k) as u32), width);
            let data = m.sized(pick, width);
            let enable = m.flag(u16::from(kind / 4));
            next.push(match kind % 4 {
                0 => data,
                1 => m.graph.mux(enable, data, q),
                2 => m.graph.mux(enable, q, data),
                // A shift register.
                _ => {
                    let previous = m.nodes[(arrays_end + k) % m.nodes.len()];
                    let previous = m.graph.resize(previous, width);
                    m.graph.mux(enable, previous, q)
                }
            });
        }
        for (k, ((name, width, init), d)) in regs.into_iter().zip(next).enumerate() {
            let init = BigUint::from(init) & ones(width);
            let q = m.graph.raw(Op::Reg(k as u32), width);
            let value = m.graph.constant(init.clone(), width);
            let after = m.graph.mux(reset, value, d);
            netlist.regs.push(Reg {
                name,
                width,
                init,
                q,
                d,
                reset,
                next: after,
            });
        }
        for (k, &(address_width, width, ports)) in self.rams.iter().enumerate() {
            netlist.rams.push(Ram {
                name: format!("ram{k}"),
                address_width,
                width,
                data: m.graph.raw(Op::RamData(k as u32), width),
                read_address: m.sized(ports[0], address_width),
                write_enable: m.flag(ports[1]),
                write_address: m.sized(ports[2], address_width),
                write_data: m.sized(ports[3], width),
            });
        }
        for (k, &pick) in self.outputs.iter().enumerate() {
            netlist.outputs.push(Output {
                name: format!("out{k}"),
                node: m.any(pick),
            });
        }
        for (k, &node) in m.nodes.iter().enumerate() {
            netlist.signals.push(Signal {
                name: format!("n{k:04}"),
                node,
                variants: None,
            });
        }
        netlist.graph = m.graph;
        netlist
    }
}
