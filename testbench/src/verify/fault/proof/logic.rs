//! The netlist's side of [`Terms`].

use cotenant_netlist::graph::{ones, Graph, NodeId, Op};
use cotenant_netlist::Netlist;

use crate::verify::facts::{Logic, Term, Terms};
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

/// Terms over a netlist's ports and flops at a moment.
pub(super) fn over<'a>(netlist: &'a mut Netlist, ports: &[Port], moment: Moment) -> Terms<'a> {
    let Netlist {
        graph,
        inputs,
        regs,
        ..
    } = netlist;
    let (mut missing, mut known) = (Vec::new(), Vec::new());
    for port in ports {
        let found = (0..).zip(inputs.iter()).find(|(_, i)| i.name == port.name);
        match found.filter(|(_, input)| input.width == port.width()) {
            Some((index, input)) => {
                let node = graph.raw(Op::Input(index), input.width);
                known.push((*port, node.into()));
            }
            None => missing.push(port.name),
        }
    }
    let mut flops = Vec::new();
    for reg in regs.iter() {
        let value = match moment {
            Moment::Now => reg.q,
            Moment::Next => reg.next,
            Moment::Start => graph.constant(reg.init.clone(), reg.width),
        };
        flops.push((reg.name.clone(), value.into()));
    }
    let mut terms = Terms::new(graph, known, flops);
    missing.into_iter().for_each(|name| terms.lack(name));
    terms
}

impl From<NodeId> for Term {
    fn from(node: NodeId) -> Self {
        Self(node.0)
    }
}

impl From<Term> for NodeId {
    fn from(term: Term) -> Self {
        Self(term.0)
    }
}

impl Logic for Graph {
    fn width(&self, value: Term) -> usize {
        self.width(value.into())
    }

    fn constant_bits(&self, value: Term) -> Option<usize> {
        self.value(value.into())
            .map(|number| number.bits() as usize)
    }

    fn number(&mut self, number: u64, width: usize) -> Term {
        self.constant(number, width).into()
    }

    fn ones(&mut self, width: usize) -> Term {
        self.constant(ones(width), width).into()
    }

    fn slice(&mut self, value: Term, low: usize, width: usize) -> Term {
        self.slice(value.into(), low, width).into()
    }

    fn cat(&mut self, values: Vec<Term>) -> Term {
        self.cat(values.into_iter().map(NodeId::from).collect())
            .into()
    }

    fn resize(&mut self, value: Term, width: usize) -> Term {
        self.resize(value.into(), width).into()
    }

    fn not(&mut self, value: Term) -> Term {
        self.not(value.into()).into()
    }

    fn and(&mut self, a: Term, b: Term) -> Term {
        self.and(a.into(), b.into()).into()
    }

    fn or(&mut self, a: Term, b: Term) -> Term {
        self.or(a.into(), b.into()).into()
    }

    fn add(&mut self, a: Term, b: Term) -> Term {
        self.add(a.into(), b.into()).into()
    }

    fn eq(&mut self, a: Term, b: Term) -> Term {
        self.eq(a.into(), b.into()).into()
    }

    fn less(&mut self, a: Term, b: Term) -> Term {
        self.less(a.into(), b.into()).into()
    }

    fn mux(&mut self, condition: Term, one: Term, other: Term) -> Term {
        self.mux(condition.into(), one.into(), other.into()).into()
    }
}
