//! Flattens typed modules into one expression graph; statements become expressions.

use super::resolve::{resolve, Drivers};
use crate::error::Error;
use crate::graph::{ones, Graph, NodeId, Op};
use crate::ir::{assigned, BinaryOp, Body, Expr, ExprKind, Module, NetId, NetKind, Stmt, UnaryOp};
use crate::netlist::{Input, Netlist, Output, Ram, Reg, Signal};
use num_bigint::BigUint;
use std::collections::HashMap;
use std::rc::Rc;

/// A net of the flat design.
pub(super) type FlatId = u32;

/// A net's name and width, for messages and [`Netlist::signals`].
pub(super) struct FlatNet {
    pub name: String,
    pub width: usize,
    pub variants: Option<Rc<Vec<String>>>,
}

struct FlatReg {
    name: String,
    width: usize,
    init: BigUint,
    d: FlatId,
    reset: FlatId,
    clock: FlatId,
}

struct FlatRam {
    name: String,
    address_width: usize,
    width: usize,
    read_address: FlatId,
    write_enable: FlatId,
    write_address: FlatId,
    write_data: FlatId,
    clock: FlatId,
}

#[derive(Default)]
struct Flat {
    graph: Graph,
    nets: Vec<FlatNet>,
    drivers: Drivers,
    clocks: HashMap<FlatId, FlatId>,
    regs: Vec<FlatReg>,
    rams: Vec<FlatRam>,
}

/// Flattens a design below its top module into a graph that is empty.
pub(super) fn flatten(top: Rc<Module>, graph: Graph) -> Result<Netlist, Error> {
    let mut flat = Flat {
        graph,
        ..Flat::default()
    };
    let mut ports = HashMap::new();
    let mut inputs = vec![];
    let mut clock: Option<(String, FlatId)> = None;
    for (_, net) in top.ids() {
        if !matches!(net.kind, NetKind::Input | NetKind::Output) {
            continue;
        }
        let id = flat.net(net.name.clone(), net.width, net.variants.clone());
        ports.insert(net.name.clone(), id);
        if net.kind != NetKind::Input {
            if net.clock {
                return Err(Error::Unsupported {
                    block: String::new(),
                    what: format!("the clock '{}' as an output of the top block", net.name),
                    instead: "take the clock from where the block has it from".into(),
                });
            }
            continue;
        }
        if net.clock {
            if let Some((first, _)) = clock.replace((net.name.clone(), id)) {
                return Err(Error::Unsupported {
                    block: String::new(),
                    what: format!("two clocks, '{first}' and '{}'", net.name),
                    instead: "use one clock".into(),
                });
            }
        } else {
            let node = flat.graph.raw(Op::Input(inputs.len() as u32), net.width);
            flat.drivers.insert(id, node);
            inputs.push(Input {
                name: net.name.clone(),
                width: net.width,
            });
        }
    }
    flat.module(&top, "", &ports)?;
    flat.check_clocks(clock.as_ref().map(|c| c.1))?;

    let Flat {
        graph,
        nets,
        drivers,
        regs,
        rams,
        ..
    } = flat;
    let (mut graph, values) = resolve(graph, &nets, &drivers)?;
    let value = |id: FlatId| values[&id];
    let regs = regs
        .into_iter()
        .enumerate()
        .map(|(i, r)| {
            let q = graph.raw(Op::Reg(i as u32), r.width);
            let (d, reset) = (value(r.d), value(r.reset));
            let init = graph.constant(r.init.clone(), r.width);
            let next = graph.mux(reset, init, d);
            Reg {
                name: r.name,
                width: r.width,
                init: r.init,
                q,
                d,
                reset,
                next,
            }
        })
        .collect();
    let rams = rams
        .into_iter()
        .enumerate()
        .map(|(i, r)| Ram {
            data: graph.raw(Op::RamData(i as u32), r.width),
            name: r.name,
            address_width: r.address_width,
            width: r.width,
            read_address: value(r.read_address),
            write_enable: value(r.write_enable),
            write_address: value(r.write_address),
            write_data: value(r.write_data),
        })
        .collect();
    let outputs = top
        .ids()
        .filter(|(_, n)| n.kind == NetKind::Output)
        .map(|(_, n)| Output {
            name: n.name.clone(),
            node: value(ports[&n.name]),
        })
        .collect();
    let mut signals: Vec<Signal> = nets
        .into_iter()
        .enumerate()
        .filter_map(|(id, net)| {
            let node = *values.get(&(id as FlatId))?;
            Some(Signal {
                name: net.name,
                node,
                variants: net.variants,
            })
        })
        .collect();
    signals.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(Netlist {
        module: top,
        graph,
        inputs,
        outputs,
        regs,
        rams,
        signals,
        warnings: vec![],
        clock: clock.map(|c| c.0),
    })
}

fn join(path: &str, name: &str) -> String {
    if path.is_empty() {
        name.into()
    } else {
        format!("{path}.{name}")
    }
}

impl Flat {
    fn net(&mut self, name: String, width: usize, variants: Option<Rc<Vec<String>>>) -> FlatId {
        self.nets.push(FlatNet {
            name,
            width,
            variants,
        });
        self.nets.len() as FlatId - 1
    }

    /// Flattens one instance; `ports` are the parent's nets that it is tied to.
    fn module(
        &mut self,
        m: &Module,
        path: &str,
        ports: &HashMap<String, FlatId>,
    ) -> Result<(), Error> {
        let ids: Vec<FlatId> = m
            .nets
            .iter()
            .map(|n| match (n.kind, ports.get(&n.name)) {
                (NetKind::Input | NetKind::Output, Some(&id)) => id,
                _ => self.net(join(path, &n.name), n.width, n.variants.clone()),
            })
            .collect();
        for (to, from) in &m.clocks {
            self.clocks.insert(ids[to.index()], ids[from.index()]);
        }
        let mut is_assigned = vec![false; m.nets.len()];
        assigned(&m.body, &mut |id| is_assigned[id.index()] = true);
        for (id, net) in m.ids() {
            let undriven = match net.kind {
                NetKind::Output | NetKind::ChildInput if net.clock => !m.clocks.contains_key(&id),
                NetKind::Output | NetKind::ChildInput => !is_assigned[id.index()],
                _ => false,
            };
            if undriven {
                return Err(Error::Undriven {
                    block: path.into(),
                    signal: net.name.clone(),
                });
            }
        }
        let mut frame = Frame {
            m,
            path,
            ids: &ids,
            graph: &mut self.graph,
            values: vec![None; m.nets.len()],
            is_assigned,
        };
        frame.run(&m.body)?;
        let values = frame.finish()?;
        for (id, node) in values {
            self.drivers.insert(ids[id.index()], node);
        }
        for child in &m.children {
            let name = join(path, &child.name);
            let port = |p: &str| ids[child.port(p).index()];
            match &child.body {
                Body::Module(inner) => {
                    let ports = child
                        .ports
                        .iter()
                        .map(|(p, n)| (p.clone(), ids[n.index()]))
                        .collect();
                    self.module(inner, &name, &ports)?;
                }
                Body::Reg { width, init } => {
                    let q = self.graph.raw(Op::Reg(self.regs.len() as u32), *width);
                    self.drivers.insert(port("q"), q);
                    self.regs.push(FlatReg {
                        name,
                        width: *width,
                        init: init.clone(),
                        d: port("d"),
                        reset: port("reset"),
                        clock: port("clock"),
                    });
                }
                Body::Ram {
                    address_width,
                    width,
                } => {
                    let data = self.graph.raw(Op::RamData(self.rams.len() as u32), *width);
                    self.drivers.insert(port("read_data"), data);
                    self.rams.push(FlatRam {
                        name,
                        address_width: *address_width,
                        width: *width,
                        read_address: port("read_address"),
                        write_enable: port("write_enable"),
                        write_address: port("write_address"),
                        write_data: port("write_data"),
                        clock: port("clock"),
                    });
                }
            }
        }
        Ok(())
    }

    /// Every flop and RAM runs on the one clock input.
    fn check_clocks(&self, clock: Option<FlatId>) -> Result<(), Error> {
        let regs = self.regs.iter().map(|r| (&r.name, r.clock));
        let rams = self.rams.iter().map(|r| (&r.name, r.clock));
        for (name, mut id) in regs.chain(rams) {
            while let Some(&from) = self.clocks.get(&id) {
                id = from;
            }
            if Some(id) != clock {
                return Err(Error::Undriven {
                    block: name.clone(),
                    signal: "clock".into(),
                });
            }
        }
        Ok(())
    }
}

/// A net's value so far, and which of its bits have one.
#[derive(Clone)]
struct Value {
    node: NodeId,
    /// `None`: all of them.
    defined: Option<BigUint>,
}

/// One instance while its statements run.
struct Frame<'a> {
    m: &'a Module,
    path: &'a str,
    ids: &'a [FlatId],
    graph: &'a mut Graph,
    values: Vec<Option<Value>>,
    is_assigned: Vec<bool>,
}

impl Frame<'_> {
    fn run(&mut self, body: &[Stmt]) -> Result<(), Error> {
        for stmt in body {
            match stmt {
                Stmt::Assign(id, value) => {
                    let node = self.expr(value)?;
                    self.values[id.index()] = Some(Value {
                        node,
                        defined: None,
                    });
                }
                Stmt::AssignSlice(id, low, value) => {
                    let node = self.expr(value)?;
                    self.assign_slice(*id, *low, node);
                }
                Stmt::If(test, then, otherwise) => {
                    let test = self.expr(test)?;
                    self.branch(test, &[then, otherwise])?;
                }
                Stmt::Case(on, arms, default) => self.case(on, arms, default)?,
                Stmt::Comment(_) => {}
            }
        }
        Ok(())
    }

    fn assign_slice(&mut self, id: NetId, low: usize, node: NodeId) {
        let width = self.m.net(id).width;
        let old = self.values[id.index()]
            .take()
            .unwrap_or_else(|| self.nothing(width));
        let added = ones(self.graph.width(node)) << low;
        let defined = old.defined.map(|d| d | added).filter(|d| *d != ones(width));
        let node = self.replaced(old.node, low, node);
        self.values[id.index()] = Some(Value { node, defined });
    }

    fn nothing(&mut self, width: usize) -> Value {
        Value {
            node: self.graph.constant(0u8, width),
            defined: Some(BigUint::default()),
        }
    }

    /// `of` with its bits from `low` replaced.
    fn replaced(&mut self, of: NodeId, low: usize, by: NodeId) -> NodeId {
        let (width, end) = (self.graph.width(of), low + self.graph.width(by));
        let mut parts = vec![];
        if low > 0 {
            parts.push(self.graph.slice(of, 0, low));
        }
        parts.push(by);
        if end < width {
            parts.push(self.graph.slice(of, end, width - end));
        }
        self.graph.cat(parts)
    }

    fn touched(bodies: &[&Vec<Stmt>]) -> Vec<NetId> {
        let mut touched = vec![];
        bodies
            .iter()
            .for_each(|body| assigned(body, &mut |id| touched.push(id)));
        touched.sort();
        touched.dedup();
        touched
    }

    /// Runs a branch from the same start as its siblings and takes what the
    /// touched nets have become.
    fn alternative(
        &mut self,
        body: &[Stmt],
        touched: &[NetId],
    ) -> Result<Vec<Option<Value>>, Error> {
        let before: Vec<_> = touched
            .iter()
            .map(|id| self.values[id.index()].clone())
            .collect();
        self.run(body)?;
        Ok(touched
            .iter()
            .zip(before)
            .map(|(id, old)| std::mem::replace(&mut self.values[id.index()], old))
            .collect())
    }

    fn branch(&mut self, test: NodeId, bodies: &[&Vec<Stmt>; 2]) -> Result<(), Error> {
        let touched = Self::touched(bodies);
        let then = self.alternative(bodies[0], &touched)?;
        let otherwise = self.alternative(bodies[1], &touched)?;
        for ((id, a), b) in touched.iter().zip(then).zip(otherwise) {
            self.values[id.index()] = self.merged(test, *id, a, b);
        }
        Ok(())
    }

    fn case(
        &mut self,
        on: &Expr,
        arms: &[crate::ir::Arm],
        default: &Vec<Stmt>,
    ) -> Result<(), Error> {
        let width = on.width;
        let on = self.expr(on)?;
        let mut bodies: Vec<&Vec<Stmt>> = arms.iter().map(|arm| &arm.body).collect();
        bodies.push(default);
        let touched = Self::touched(&bodies);
        let mut outcomes = vec![];
        for arm in arms {
            outcomes.push(self.alternative(&arm.body, &touched)?);
        }
        let mut result = self.alternative(default, &touched)?;
        for (arm, outcome) in arms.iter().zip(outcomes).rev() {
            let value = self.graph.constant(arm.value.clone(), width);
            let chosen = self.graph.eq(on, value);
            result = touched
                .iter()
                .zip(outcome)
                .zip(result)
                .map(|((id, a), b)| self.merged(chosen, *id, a, b))
                .collect();
        }
        for (id, value) in touched.iter().zip(result) {
            self.values[id.index()] = value;
        }
        Ok(())
    }

    fn merged(
        &mut self,
        c: NodeId,
        id: NetId,
        a: Option<Value>,
        b: Option<Value>,
    ) -> Option<Value> {
        let width = self.m.net(id).width;
        let a = a.unwrap_or_else(|| self.nothing(width));
        let b = b.unwrap_or_else(|| self.nothing(width));
        let defined = match (a.defined, b.defined) {
            (None, None) => None,
            (Some(d), None) | (None, Some(d)) => Some(d),
            (Some(x), Some(y)) => Some(x & y),
        };
        Some(Value {
            node: self.graph.mux(c, a.node, b.node),
            defined,
        })
    }

    /// All values, or the first latch.
    fn finish(self) -> Result<Vec<(NetId, NodeId)>, Error> {
        let mut done = vec![];
        for ((id, net), value) in self.m.ids().zip(self.values) {
            let Some(value) = value else { continue };
            if let Some(defined) = value.defined {
                let missing = ones(net.width) ^ &defined;
                let bits = if defined.bits() == 0 || net.width == 1 {
                    String::new()
                } else {
                    format!(" (bits {missing:#x})")
                };
                return Err(Error::Latch {
                    block: self.path.into(),
                    signal: net.name.clone(),
                    missing: bits,
                });
            }
            done.push((id, value.node));
        }
        Ok(done)
    }

    fn read(&mut self, id: NetId, bits: Option<(usize, usize)>) -> Result<NodeId, Error> {
        let net = self.m.net(id);
        if !self.is_assigned[id.index()] {
            if net.kind == NetKind::Local {
                return Err(Error::Undriven {
                    block: self.path.into(),
                    signal: net.name.clone(),
                });
            }
            return Ok(self.graph.raw(Op::Leaf(self.ids[id.index()]), net.width));
        }
        let needed = bits.map_or_else(|| ones(net.width), |(low, width)| ones(width) << low);
        match &self.values[id.index()] {
            Some(v) if v.defined.as_ref().is_none_or(|d| (d & &needed) == needed) => Ok(v.node),
            _ => Err(Error::ReadBeforeAssignment {
                block: self.path.into(),
                signal: net.name.clone(),
            }),
        }
    }

    fn expr(&mut self, e: &Expr) -> Result<NodeId, Error> {
        Ok(match &e.kind {
            ExprKind::Net(id) => self.read(*id, None)?,
            ExprKind::Const(value) => self.graph.constant(value.clone(), e.width),
            ExprKind::Unary(op, a) => {
                let a = self.expr(a)?;
                self.unary(*op, a)
            }
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.expr(a)?, self.expr(b)?);
                self.binary(*op, a, b, e.width)
            }
            ExprKind::Slice(a, low) => {
                let node = match &a.kind {
                    ExprKind::Net(id) => self.read(*id, Some((*low, e.width)))?,
                    _ => self.expr(a)?,
                };
                self.graph.slice(node, *low, e.width)
            }
            ExprKind::Extend(a) => {
                let a = self.expr(a)?;
                self.graph.resize(a, e.width)
            }
            ExprKind::Bit(a, at) => {
                let (a, at) = (self.expr(a)?, self.expr(at)?);
                let shifted = self.graph.shr(a, at);
                self.graph.slice(shifted, 0, 1)
            }
            ExprKind::ReplaceBit(a, at, value) => {
                let (a, at, value) = (self.expr(a)?, self.expr(at)?, self.expr(value)?);
                self.replace_bit(a, at, value)
            }
        })
    }

    fn unary(&mut self, op: UnaryOp, a: NodeId) -> NodeId {
        let width = self.graph.width(a);
        match op {
            UnaryOp::Not => self.graph.not(a),
            UnaryOp::All => {
                let all = self.graph.constant(ones(width), width);
                self.graph.eq(a, all)
            }
            UnaryOp::Any => {
                let none = self.graph.constant(0u8, width);
                let empty = self.graph.eq(a, none);
                self.graph.not(empty)
            }
            UnaryOp::Parity => self.graph.parity(a),
        }
    }

    fn binary(&mut self, op: BinaryOp, a: NodeId, b: NodeId, width: usize) -> NodeId {
        let g = &mut *self.graph;
        match op {
            BinaryOp::And => g.and(a, b),
            BinaryOp::Or => g.or(a, b),
            BinaryOp::Xor => g.xor(a, b),
            BinaryOp::Add => g.add(a, b),
            BinaryOp::Sub => g.sub(a, b),
            BinaryOp::Mul => {
                let (a, b) = (g.resize(a, width), g.resize(b, width));
                g.mul(a, b)
            }
            BinaryOp::Shl => g.shl(a, b),
            BinaryOp::Shr => g.shr(a, b),
            BinaryOp::Eq => g.eq(a, b),
            BinaryOp::Ne => {
                let equal = g.eq(a, b);
                g.not(equal)
            }
            BinaryOp::Lt => g.less(a, b),
            BinaryOp::Gt => g.less(b, a),
            BinaryOp::Le => {
                let greater = g.less(b, a);
                g.not(greater)
            }
            BinaryOp::Ge => {
                let less = g.less(a, b);
                g.not(less)
            }
        }
    }

    fn replace_bit(&mut self, a: NodeId, at: NodeId, value: NodeId) -> NodeId {
        let width = self.graph.width(a);
        if let Some(k) = self.graph.value(at) {
            // A position that folds to a constant here may be past the end.
            return match usize::try_from(k) {
                Ok(k) if k < width => self.replaced(a, k, value),
                _ => a,
            };
        }
        let g = &mut *self.graph;
        let one = g.constant(1u8, width);
        let mask = g.shl(one, at);
        let others = g.not(mask);
        let kept = g.and(a, others);
        let wide = g.resize(value, width);
        let placed = g.shl(wide, at);
        g.or(kept, placed)
    }
}
