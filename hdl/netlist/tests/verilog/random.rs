//! Random designs: random statements, nested conditions, reused
//! locals, slices, computed bits, flops, RAMs and instances.
//!
//! Whatever the export does to statements - giving each use of a local its
//! name, splitting blocks, moving flops' updates, turning branches into
//! expressions, pushing slices to the leaves - has to keep their meaning, and
//! these designs reach combinations that no unit has. Each is linted by three
//! tools, proven equal to its netlist by Yosys and abc, and its test bench
//! plays in Icarus, where an X shows.

use super::tools::export;
use crate::support::stimulus::Random;
use cotenant_netlist::equivalence::Verdict;
use cotenant_netlist::ir::{
    Arm, BinaryOp, Body, Child, Expr, ExprKind, Module, Net, NetId, NetKind, Stmt, UnaryOp,
};
use cotenant_netlist::{About, Netlist};
use std::rc::Rc;

/// What an expression may read.
#[derive(Clone, Copy, PartialEq)]
enum Reach {
    /// Inputs, flops and locals: nothing that depends on a child's inputs.
    Early,
    /// Everything.
    All,
}

struct Maker<'a> {
    random: &'a mut Random,
    module: Module,
    early: Vec<NetId>,
    late: Vec<NetId>,
    /// Targets, and what their values may read.
    targets: Vec<(NetId, Reach)>,
}

impl Maker<'_> {
    fn net(&mut self, name: String, width: usize, kind: NetKind, clock: bool) -> NetId {
        self.module.nets.push(Net {
            name,
            width,
            kind,
            clock,
            variants: None,
        });
        NetId(self.module.nets.len() as u32 - 1)
    }

    fn width(&mut self) -> usize {
        match self.random.below(8) {
            0 => 1,
            1 => 33 + self.random.below(50) as usize,
            2 => 16,
            _ => 1 + self.random.below(9) as usize,
        }
    }

    fn leaf(&mut self, width: usize, reach: Reach) -> Expr {
        let nets: Vec<NetId> = match reach {
            Reach::Early => self.early.clone(),
            Reach::All => self.early.iter().chain(&self.late).copied().collect(),
        };
        if nets.is_empty() || self.random.below(6) == 0 {
            return Expr::constant(self.random.value(width), width);
        }
        let id = nets[self.random.below(nets.len() as u64) as usize];
        let have = self.module.net(id).width;
        let e = Expr::net(id, have);
        if have > width && self.random.below(2) == 0 {
            let low = self.random.below((have - width + 1) as u64) as usize;
            return e.slice(low, width);
        }
        e.resized(width)
    }

    fn expr(&mut self, width: usize, depth: usize, reach: Reach) -> Expr {
        if depth == 0 {
            return self.leaf(width, reach);
        }
        let any = self.width();
        let kind = match self.random.below(12) {
            0 => ExprKind::Unary(UnaryOp::Not, self.boxed(width, depth, reach)),
            1 | 2 => {
                let ops = [
                    BinaryOp::And,
                    BinaryOp::Or,
                    BinaryOp::Xor,
                    BinaryOp::Add,
                    BinaryOp::Sub,
                ];
                let op = ops[self.random.below(5) as usize];
                ExprKind::Binary(
                    op,
                    self.boxed(width, depth, reach),
                    self.boxed(width, depth, reach),
                )
            }
            3 => {
                let op = if self.random.below(2) == 0 {
                    BinaryOp::Shl
                } else {
                    BinaryOp::Shr
                };
                ExprKind::Binary(
                    op,
                    self.boxed(width, depth, reach),
                    self.boxed(any, 1, reach),
                )
            }
            4 => {
                let whole = width + self.random.below(6) as usize;
                let low = self.random.below((whole - width + 1) as u64) as usize;
                return self.expr(whole, depth - 1, reach).slice(low, width);
            }
            5 if width > 1 => {
                let narrow = 1 + self.random.below(width as u64 - 1) as usize;
                return self.expr(narrow, depth - 1, reach).resized(width);
            }
            6 => {
                let at = self.boxed(1 + any % 5, 1, reach);
                ExprKind::ReplaceBit(
                    self.boxed(width, depth, reach),
                    at,
                    self.boxed(1, depth, reach),
                )
            }
            7 if width == 32 => ExprKind::Binary(
                BinaryOp::Mul,
                self.boxed(16, depth, reach),
                self.boxed(16, depth, reach),
            ),
            8 if width == 1 => {
                let ops = [UnaryOp::All, UnaryOp::Any, UnaryOp::Parity];
                ExprKind::Unary(
                    ops[self.random.below(3) as usize],
                    self.boxed(any, depth, reach),
                )
            }
            9 | 10 if width == 1 => {
                use BinaryOp::*;
                let op = [Eq, Ne, Lt, Le, Gt, Ge][self.random.below(6) as usize];
                ExprKind::Binary(
                    op,
                    self.boxed(any, depth, reach),
                    self.boxed(any, depth, reach),
                )
            }
            11 if width == 1 => {
                let at = self.random.below(7) as usize + 1;
                ExprKind::Bit(self.boxed(any, depth, reach), self.boxed(at, 1, reach))
            }
            _ => return self.leaf(width, reach),
        };
        Expr { width, kind }
    }

    fn boxed(&mut self, width: usize, depth: usize, reach: Reach) -> Box<Expr> {
        Box::new(self.expr(width, depth - 1, reach))
    }

    fn assignment(&mut self, target: NetId, reach: Reach) -> Stmt {
        let width = self.module.net(target).width;
        match self.random.below(5) {
            0 => {
                let part = 1 + self.random.below(width as u64) as usize;
                let low = self.random.below((width - part + 1) as u64) as usize;
                Stmt::AssignSlice(target, low, self.expr(part, 2, reach))
            }
            1 if self.module.net(target).kind != NetKind::ChildInput => {
                let at = self.random.below(7) as usize + 1;
                let replaced = ExprKind::ReplaceBit(
                    Expr::net(target, width).into(),
                    self.boxed(at, 2, reach),
                    self.boxed(1, 2, reach),
                );
                Stmt::Assign(
                    target,
                    Expr {
                        width,
                        kind: replaced,
                    },
                )
            }
            _ => Stmt::Assign(target, self.expr(width, 3, reach)),
        }
    }

    /// Statements on some of the targets; conditions read no more than any of
    /// the targets may.
    fn statements(&mut self, targets: &[(NetId, Reach)], count: u64, depth: usize) -> Vec<Stmt> {
        let mut out = vec![];
        for _ in 0..count {
            let from = self.random.below(targets.len() as u64) as usize;
            let few: Vec<(NetId, Reach)> = targets
                .iter()
                .cycle()
                .skip(from)
                .take(1 + self.random.below(3) as usize)
                .copied()
                .collect();
            let reach = if few.iter().any(|t| t.1 == Reach::Early) {
                Reach::Early
            } else {
                Reach::All
            };
            match self.random.below(if depth == 0 { 4 } else { 7 }) {
                4 | 5 => {
                    let test = self.expr(1, 2, reach);
                    let count = 1 + self.random.below(3);
                    let then = self.statements(&few, count, depth - 1);
                    let count = self.random.below(3);
                    let otherwise = self.statements(&few, count, depth - 1);
                    out.push(Stmt::If(test, then, otherwise));
                }
                6 => {
                    let width = 1 + self.random.below(4) as usize;
                    let on = self.expr(width, 2, reach);
                    let mut arms: Vec<Arm> = vec![];
                    for _ in 0..self.random.below(5) {
                        let value = self.random.bits(width);
                        if arms.iter().all(|a| a.value != value) {
                            let body = self.statements(&few, 1, depth - 1);
                            arms.push(Arm {
                                label: value.to_string(),
                                value,
                                body,
                            });
                        }
                    }
                    let count = self.random.below(3);
                    let default = self.statements(&few, count, depth - 1);
                    out.push(Stmt::Case(on, arms, default));
                }
                _ => {
                    let (target, reach) = few[0];
                    out.push(self.assignment(target, reach));
                }
            }
        }
        out
    }
}

/// A random block; `depth` levels of instances below it.
fn module(random: &mut Random, depth: usize, name: &str) -> Module {
    let about = About::new(name);
    let mut m = Maker {
        random,
        module: Module {
            name: name.into(),
            about: Some(about),
            ..Module::default()
        },
        early: vec![],
        late: vec![],
        targets: vec![],
    };
    let clock = m.net("clock".into(), 1, NetKind::Input, true);
    let reset = m.net("reset".into(), 1, NetKind::Input, false);
    for i in 0..2 + m.random.below(3) {
        let width = m.width();
        let id = m.net(format!("in_{i}"), width, NetKind::Input, false);
        m.early.push(id);
    }
    let mut locals = vec![];
    for i in 0..1 + m.random.below(4) {
        let width = m.width();
        locals.push(m.net(format!("temp[{i}]"), width, NetKind::Local, false));
    }
    let mut outputs = vec![];
    for i in 0..1 + m.random.below(3) {
        let width = m.width();
        outputs.push(m.net(format!("out_{i}"), width, NetKind::Output, false));
    }
    let mut body = vec![];
    let mut ds = vec![];
    for i in 0..m.random.below(4) {
        let (width, name) = (m.width(), format!("state[{i}]"));
        let port = |m: &mut Maker, port: &str, width, kind, clock| {
            (
                port.to_string(),
                m.net(format!("{name}.{port}"), width, kind, clock),
            )
        };
        let ports = vec![
            port(&mut m, "clock", 1, NetKind::ChildInput, true),
            port(&mut m, "reset", 1, NetKind::ChildInput, false),
            port(&mut m, "d", width, NetKind::ChildInput, false),
            port(&mut m, "q", width, NetKind::ChildOutput, false),
        ];
        m.module.clocks.insert(ports[0].1, clock);
        body.push(Stmt::Assign(ports[1].1, Expr::net(reset, 1)));
        body.push(Stmt::Assign(ports[2].1, Expr::net(ports[3].1, width)));
        ds.push((ports[2].1, Reach::All));
        m.early.push(ports[3].1);
        let init = m.random.bits(width);
        m.module.children.push(Child {
            name,
            ports,
            body: Body::Reg { width, init },
        });
    }
    let mut children = vec![];
    for i in 0..if depth > 0 { m.random.below(3) } else { 0 } {
        let inner = Rc::new(module(m.random, depth - 1, &format!("{name}_{i}")));
        for k in 0..1 + m.random.below(2) {
            children.push((format!("unit_{i}[{k}]"), inner.clone()));
        }
    }
    let mut late = vec![];
    for (name, inner) in children {
        let mut ports = vec![];
        for (_, net) in inner.ids() {
            let kind = match net.kind {
                NetKind::Input => NetKind::ChildInput,
                NetKind::Output => NetKind::ChildOutput,
                _ => continue,
            };
            let id = m.net(format!("{name}.{}", net.name), net.width, kind, net.clock);
            ports.push((net.name.clone(), id));
            match kind {
                _ if net.clock => {
                    m.module.clocks.insert(id, clock);
                }
                NetKind::ChildInput if net.name == "reset" => {
                    body.push(Stmt::Assign(id, Expr::net(reset, 1)));
                }
                NetKind::ChildInput => {
                    let value = m.leaf(net.width, Reach::Early);
                    body.push(Stmt::Assign(id, value));
                    m.targets.push((id, Reach::Early));
                }
                _ => late.push(id),
            }
        }
        m.module.children.push(Child {
            name,
            ports,
            body: Body::Module(inner),
        });
    }
    // Every target has a value before anything conditional happens.
    for &id in &locals {
        let width = m.module.net(id).width;
        let value = m.expr(width, 2, Reach::Early);
        body.push(Stmt::Assign(id, value));
        m.early.push(id);
        m.targets.push((id, Reach::Early));
    }
    m.late = late;
    for &id in &outputs {
        let width = m.module.net(id).width;
        let value = m.expr(width, 2, Reach::All);
        body.push(Stmt::Assign(id, value));
        m.targets.push((id, Reach::All));
    }
    m.late.extend(outputs);
    m.targets.extend(ds);
    let targets = m.targets.clone();
    let count = 3 + m.random.below(10);
    body.extend(m.statements(&targets, count, 2));
    m.module.body = body;
    // What a random block leaves unread is meant.
    let names = m.module.nets.iter().map(|n| n.name.clone()).collect();
    if let Some(about) = &mut m.module.about {
        about.unused = names;
    }
    m.module
}

fn check(seed: u64) {
    let mut random = Random::new(seed);
    let module = module(&mut random, 2, "generated");
    let netlist = match Netlist::from_module(module) {
        Ok(netlist) => netlist,
        Err(e) => panic!("seed {seed}: {e}"),
    };
    for readable in [false, true] {
        survives(&netlist, seed, readable);
    }
}

pub fn survives(netlist: &Netlist, seed: u64, readable: bool) {
    let exported = export(netlist, readable);
    let complaints = exported.complaints();
    assert!(
        complaints.is_empty(),
        "seed {seed}: {complaints}\n{}",
        exported.text()
    );
    exported.write_bench(netlist, 60, seed);
    let said = exported.icarus();
    assert!(
        said.contains("PASS 60 cycles"),
        "seed {seed}: {said}\n{}",
        exported.text()
    );
    match exported.prove(netlist) {
        Ok(Verdict::Equal { .. }) => {}
        other => panic!("seed {seed}: {other:?}\n{}", exported.text()),
    }
}

/// `COTENANT_SEEDS=FROM..TO` runs others.
#[test]
fn random_designs_survive_the_tools() {
    let seeds = std::env::var("COTENANT_SEEDS").ok().and_then(|text| {
        let (from, to) = text.split_once("..")?;
        Some(from.parse().ok()?..to.parse().ok()?)
    });
    // Most of the time goes into tools that use one core.
    let seeds = std::sync::Mutex::new(seeds.unwrap_or(0..8u64));
    let next = || seeds.lock().expect("a range does not panic").next();
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(|| {
                while let Some(seed) = next() {
                    check(seed);
                }
            });
        }
    });
}

#[test]
fn the_generator_is_deterministic() {
    let text = |seed| format!("{:?}", module(&mut Random::new(seed), 1, "generated"));
    assert_eq!(text(3), text(3));
    assert_ne!(text(3), text(4));
}
