//! Logic over the ports and flops of a netlist.

use std::collections::HashMap;

use cotenant_netlist::graph::{Graph, NodeId, Op};
use cotenant_netlist::Netlist;

use crate::verify::interface::Port;

/// The moment that a formula speaks of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Moment {
    /// A cycle.
    Now,
    /// The cycle after it; ports are those of the cycle.
    Next,
    /// Power-up.
    Start,
}

/// Builds formulas: values of ports and flops, and operations on them.
///
/// A formula is a node of one bit. Names that the netlist does not have make the whole proof
/// fail.
#[derive(Debug)]
pub struct Terms<'a> {
    graph: &'a mut Graph,
    ports: HashMap<&'static str, (Port, NodeId)>,
    flops: HashMap<String, NodeId>,
    /// In front of the names of flops: empty, or with a dot at its end.
    path: String,
    missing: Vec<String>,
}

impl<'a> Terms<'a> {
    pub(super) fn new(netlist: &'a mut Netlist, ports: &[Port], moment: Moment) -> Self {
        let Netlist {
            graph,
            inputs,
            regs,
            ..
        } = netlist;
        let (mut missing, mut known) = (Vec::new(), HashMap::new());
        for port in ports {
            let found = (0..).zip(inputs.iter()).find(|(_, i)| i.name == port.name);
            match found.filter(|(_, input)| input.width == port.width()) {
                Some((index, input)) => {
                    let node = graph.raw(Op::Input(index), input.width);
                    known.insert(port.name, (*port, node));
                }
                None => missing.push(port.name.to_owned()),
            }
        }
        let mut flops = HashMap::new();
        for reg in regs.iter() {
            let value = match moment {
                Moment::Now => reg.q,
                Moment::Next => reg.next,
                Moment::Start => graph.constant(reg.init.clone(), reg.width),
            };
            flops.insert(reg.name.clone(), value);
        }
        Self {
            graph,
            ports: known,
            flops,
            path: String::new(),
            missing,
        }
    }

    /// Speaks of a part of the unit, whose flops are below `path`, with a dot at its end.
    pub fn within<T>(&mut self, path: &str, speak: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.path.len();
        self.path += path;
        let said = speak(self);
        self.path.truncate(outer);
        said
    }

    /// Speaks of a flop, if it is one of the part below `path`, by its name there.
    pub fn flop_within<T>(
        &mut self,
        path: &str,
        flop: &str,
        speak: impl FnOnce(&str, &mut Self) -> Option<T>,
    ) -> Option<T> {
        let flop = flop.strip_prefix(path)?;
        self.within(path, |terms| speak(flop, terms))
    }

    /// Names that were asked for and are not there.
    pub(super) fn missing(&self) -> &[String] {
        &self.missing
    }

    fn lacking(&mut self, name: String) -> NodeId {
        self.missing.push(name);
        self.constant(false)
    }

    /// Whether there is such a port.
    pub(super) fn has_port(&self, name: &str) -> bool {
        self.ports.contains_key(name)
    }

    /// Value of a port.
    pub fn port(&mut self, name: &'static str) -> NodeId {
        match self.ports.get(name) {
            Some((_, node)) => *node,
            None => self.lacking(name.into()),
        }
    }

    /// An element of a packed port.
    pub fn element(&mut self, name: &'static str, index: usize) -> NodeId {
        match self.ports.get(name) {
            Some((port, node)) if index < port.elements => {
                let width = port.element_width;
                self.graph.slice(*node, index * width, width)
            }
            _ => self.lacking(format!("{name}[{index}]")),
        }
    }

    /// Value of a flop, by its name in the netlist.
    pub fn flop(&mut self, name: &str) -> NodeId {
        let name = format!("{}{name}", self.path);
        match self.flops.get(&name) {
            Some(node) => *node,
            None => self.lacking(name),
        }
    }

    /// Values of several flops.
    pub fn flops<const N: usize>(&mut self, names: [&str; N]) -> [NodeId; N] {
        names.map(|name| self.flop(name))
    }

    /// Of each two of these values of the same width, none has a bit in common with the other.
    pub fn all_disjoint(&mut self, values: &[NodeId]) -> Vec<NodeId> {
        let pairs = (0..values.len()).flat_map(|a| (0..a).map(move |b| (values[a], values[b])));
        pairs.map(|(a, b)| self.disjoint(a, b)).collect()
    }

    /// The bits of a value, the lowest first.
    pub fn bits(&mut self, value: NodeId, count: usize) -> Vec<NodeId> {
        (0..count).map(|bit| self.bit(value, bit)).collect()
    }

    /// The value of these bits, the lowest first.
    pub fn word(&mut self, bits: Vec<NodeId>) -> NodeId {
        self.graph.cat(bits)
    }

    /// True or false.
    pub fn constant(&mut self, value: bool) -> NodeId {
        self.graph.constant(u8::from(value), 1)
    }

    /// A number, as wide as it has to be.
    pub fn number(&mut self, number: u64) -> NodeId {
        let width = u64::BITS - number.max(1).leading_zeros();
        self.graph.constant(number, width as usize)
    }

    /// Both, as wide as the wider one.
    fn alike(&mut self, a: NodeId, b: NodeId) -> [NodeId; 2] {
        let width = self.graph.width(a).max(self.graph.width(b));
        [a, b].map(|value| self.graph.resize(value, width))
    }

    /// Two values of any widths are equal.
    pub fn same(&mut self, a: NodeId, b: NodeId) -> NodeId {
        let [a, b] = self.alike(a, b);
        self.graph.eq(a, b)
    }

    /// A value is less than another of any width. A bound that the other value has too few bits to
    /// reach gives a constant.
    pub fn lower(&mut self, a: NodeId, b: NodeId) -> NodeId {
        if self.out_of_reach(b, a) {
            return self.constant(true);
        }
        if self.out_of_reach(a, b) {
            return self.constant(false);
        }
        let [a, b] = self.alike(a, b);
        self.graph.less(a, b)
    }

    /// Whether it is a number with more significant bits than a value has.
    fn out_of_reach(&self, number: NodeId, value: NodeId) -> bool {
        match self.graph.op(number) {
            Op::Const(number) => number.bits() as usize > self.graph.width(value),
            _ => false,
        }
    }

    /// The sum, of as many bits as it may need.
    pub fn sum(&mut self, values: impl IntoIterator<Item = NodeId>) -> NodeId {
        let mut sum = self.number(0);
        for value in values {
            let width = 1 + self.graph.width(sum).max(self.graph.width(value));
            let [a, b] = [sum, value].map(|value| self.graph.resize(value, width));
            sum = self.graph.add(a, b);
        }
        sum
    }

    /// A value, or all ones if it has passed its limit.
    pub fn limited(&mut self, value: NodeId, passed: NodeId) -> NodeId {
        let width = self.graph.width(value);
        let limit = self
            .graph
            .constant(cotenant_netlist::graph::ones(width), width);
        self.graph.mux(passed, limit, value)
    }

    /// The first value if the condition holds, else the second one of the same width.
    pub fn either(&mut self, condition: NodeId, one: NodeId, other: NodeId) -> NodeId {
        if self.graph.width(one) != self.graph.width(other) {
            return self.lacking("a choice of equal widths".into());
        }
        self.graph.mux(condition, one, other)
    }

    /// All of them.
    pub fn all(&mut self, formulas: impl IntoIterator<Item = NodeId>) -> NodeId {
        let mut all = self.constant(true);
        for formula in formulas {
            all = self.graph.and(all, formula);
        }
        all
    }

    /// At least one of them.
    pub fn any(&mut self, formulas: impl IntoIterator<Item = NodeId>) -> NodeId {
        let mut any = self.constant(false);
        for formula in formulas {
            any = self.graph.or(any, formula);
        }
        any
    }

    /// Not so.
    pub fn not(&mut self, formula: NodeId) -> NodeId {
        self.graph.not(formula)
    }

    /// The second, if the first.
    pub fn implies(&mut self, premise: NodeId, conclusion: NodeId) -> NodeId {
        let not = self.graph.not(premise);
        self.graph.or(not, conclusion)
    }

    /// Two values of the same width are equal.
    pub fn equal(&mut self, a: NodeId, b: NodeId) -> NodeId {
        if self.graph.width(a) != self.graph.width(b) {
            return self.lacking("a comparison of equal widths".into());
        }
        self.graph.eq(a, b)
    }

    /// A value is this number.
    pub fn is(&mut self, value: NodeId, number: usize) -> NodeId {
        let width = self.graph.width(value);
        if width < usize::BITS as usize && number >> width != 0 {
            return self.constant(false);
        }
        let number = self.graph.constant(number, width);
        self.graph.eq(value, number)
    }

    /// A value is less than this number.
    pub fn below(&mut self, value: NodeId, bound: usize) -> NodeId {
        let width = self.graph.width(value);
        if width < usize::BITS as usize && bound >> width != 0 {
            return self.constant(true);
        }
        let bound = self.graph.constant(bound, width);
        self.graph.less(value, bound)
    }

    /// The lowest bits of a value, up to this one, are 0.
    pub fn even(&mut self, value: NodeId, bit: usize) -> NodeId {
        let bits: Vec<NodeId> = (0..=bit).map(|bit| self.bit(value, bit)).collect();
        let some = self.any(bits);
        self.not(some)
    }

    /// A value is less than another of the same width.
    pub fn less(&mut self, a: NodeId, b: NodeId) -> NodeId {
        if self.graph.width(a) != self.graph.width(b) {
            return self.lacking("a comparison of equal widths".into());
        }
        self.graph.less(a, b)
    }

    /// Two values of the same width have no bit in common.
    pub fn disjoint(&mut self, a: NodeId, b: NodeId) -> NodeId {
        if self.graph.width(a) != self.graph.width(b) {
            return self.lacking("a comparison of equal widths".into());
        }
        let common = self.graph.and(a, b);
        self.is(common, 0)
    }

    /// A bit of a value.
    pub fn bit(&mut self, value: NodeId, bit: usize) -> NodeId {
        if bit >= self.graph.width(value) {
            return self.lacking(format!("bit {bit}"));
        }
        self.graph.slice(value, bit, 1)
    }
}
