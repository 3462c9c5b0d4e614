//! Statements in Verilog's terms, with the signals that each reads and assigns.

use super::value::{index_width, Kind, Value};
use crate::graph::ones;
use crate::ir::{self, BinaryOp, ExprKind, Module, NetId, Stmt};
use num_bigint::BigUint;
use std::collections::HashMap;

/// A statement.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Code {
    Comment(String),
    /// Assigns the bits from `low`.
    Set {
        net: NetId,
        low: usize,
        value: Value,
    },
    /// Assigns the bit at a computed position, which is always inside.
    SetBit {
        net: NetId,
        at: Value,
        value: Value,
    },
    If {
        test: Value,
        then: Vec<Code>,
        otherwise: Vec<Code>,
    },
    Case {
        on: Value,
        arms: Vec<Arm>,
        default: Vec<Code>,
    },
}

/// An arm of a [`Code::Case`].
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Arm {
    pub value: BigUint,
    /// The pattern as written.
    pub label: String,
    pub body: Vec<Code>,
}

/// An expression of the block in Verilog's terms.
pub(super) fn lower_expr(e: &ir::Expr) -> Value {
    match &e.kind {
        ExprKind::Net(id) => Value::net(*id, e.width),
        ExprKind::Const(v) => Value::constant(v.clone(), e.width),
        ExprKind::Unary(op, a) => lower_expr(a).reduce(*op),
        ExprKind::Binary(BinaryOp::Mul, a, b) => Value::binary(
            BinaryOp::Mul,
            lower_expr(a).resized(e.width),
            lower_expr(b).resized(e.width),
        ),
        ExprKind::Binary(op, a, b) => Value::binary(*op, lower_expr(a), lower_expr(b)),
        ExprKind::Slice(a, low) => lower_expr(a).slice(*low, e.width),
        ExprKind::Extend(a) => lower_expr(a).resized(e.width),
        ExprKind::Bit(a, at) => Value::bit(lower_expr(a), lower_expr(at)),
        ExprKind::ReplaceBit(a, at, by) => {
            Value::replace_bit(lower_expr(a), lower_expr(at), lower_expr(by))
        }
    }
}

/// Statements in Verilog's terms; what never runs is gone.
pub(super) fn lower(module: &Module, body: &[Stmt]) -> Vec<Code> {
    let mut out = vec![];
    for stmt in body {
        lower_into(module, stmt, &mut out);
    }
    out
}

fn lower_into(module: &Module, stmt: &Stmt, out: &mut Vec<Code>) {
    match stmt {
        Stmt::Comment(text) => out.push(Code::Comment(text.clone())),
        Stmt::Assign(net, value) => match replaced_bit(*net, value) {
            Some((at, by)) => {
                set_bit(
                    *net,
                    module.net(*net).width,
                    lower_expr(at),
                    lower_expr(by),
                    out,
                );
            }
            None => push_set(*net, lower_expr(value), out),
        },
        Stmt::AssignSlice(net, low, value) => {
            out.push(Code::Set {
                net: *net,
                low: *low,
                value: lower_expr(value),
            });
        }
        Stmt::If(test, then, otherwise) => {
            let test = lower_expr(test);
            let (then, otherwise) = (lower(module, then), lower(module, otherwise));
            push_if(test, then, otherwise, out);
        }
        Stmt::Case(on, arms, default) => {
            let lowered = |a: &ir::Arm| Arm {
                value: a.value.clone(),
                label: a.label.clone(),
                body: lower(module, &a.body),
            };
            let arms = arms.iter().map(lowered).collect();
            push_case(lower_expr(on), arms, lower(module, default), out);
        }
    }
}

/// `x = x` is left out.
fn push_set(net: NetId, value: Value, out: &mut Vec<Code>) {
    if value.as_net() != Some(net) {
        out.push(Code::Set { net, low: 0, value });
    }
}

/// `net = net with a bit replaced`.
fn replaced_bit(net: NetId, value: &ir::Expr) -> Option<(&ir::Expr, &ir::Expr)> {
    match &value.kind {
        ExprKind::ReplaceBit(of, at, by) if of.kind == ExprKind::Net(net) => Some((at, by)),
        _ => None,
    }
}

fn set_bit(net: NetId, width: usize, at: Value, value: Value, out: &mut Vec<Code>) {
    if let Some(k) = at.as_const() {
        if let Some(low) = usize::try_from(k).ok().filter(|k| *k < width) {
            out.push(Code::Set { net, low, value });
        }
        return;
    }
    let at = at.trimmed();
    let natural = index_width(width);
    if width == 1 {
        let first = Value::binary(BinaryOp::Eq, at.clone(), Value::constant(0u8, at.width));
        return push_if(first, vec![Code::Set { net, low: 0, value }], vec![], out);
    }
    if at.width < natural || width == 1 << natural && at.width == natural {
        return out.push(Code::SetBit {
            net,
            at: at.resized(natural),
            value,
        });
    }
    let inside = Value::binary(BinaryOp::Lt, at.clone(), Value::constant(width, at.width));
    let set = Code::SetBit {
        net,
        at: at.slice(0, natural),
        value,
    };
    push_if(inside, vec![set], vec![], out);
}

/// What never runs or does nothing is left out.
pub(super) fn push_if(test: Value, then: Vec<Code>, otherwise: Vec<Code>, out: &mut Vec<Code>) {
    if let Some(v) = test.as_const() {
        out.extend(if v.bits() > 0 { then } else { otherwise });
    } else if !has_effect(&then) && !has_effect(&otherwise) {
    } else if has_effect(&then) {
        out.push(Code::If {
            test,
            then,
            otherwise,
        });
    } else {
        out.push(Code::If {
            test: test.not(),
            then: otherwise,
            otherwise: vec![],
        });
    }
}

/// Arms that cannot match are left out; a full case has no default.
pub(super) fn push_case(on: Value, arms: Vec<Arm>, mut default: Vec<Code>, out: &mut Vec<Code>) {
    let on = on.trimmed();
    let mut kept: Vec<Arm> = vec![];
    for arm in arms {
        let reachable = arm.value.bits() as usize <= on.width;
        if reachable && kept.iter().all(|k| k.value != arm.value) {
            kept.push(arm);
        }
    }
    if is_full(&on, &kept) {
        default.clear();
    }
    if let Some(v) = on.as_const() {
        let chosen = kept.into_iter().find(|arm| arm.value == *v);
        return out.extend(chosen.map_or(default, |arm| arm.body));
    }
    if !has_effect(&default) && kept.iter().all(|arm| !has_effect(&arm.body)) {
        return;
    }
    // Matching on a bool reads better as a condition.
    if on.width == 1 {
        let mut branch = |bit: bool| {
            let at = kept.iter().position(|arm| (arm.value.bits() > 0) == bit);
            at.map_or_else(|| default.clone(), |at| kept.remove(at).body)
        };
        let (then, otherwise) = (branch(true), branch(false));
        return push_if(on, then, otherwise, out);
    }
    if kept.is_empty() {
        return out.extend(default);
    }
    out.push(Code::Case {
        on,
        arms: kept,
        default,
    });
}

/// The arms cover every value: the default never runs.
pub(super) fn is_full(on: &Value, arms: &[Arm]) -> bool {
    on.width < usize::BITS as usize && arms.len() == 1 << on.width
}

/// Some statement is no comment.
pub(super) fn has_effect(body: &[Code]) -> bool {
    body.iter().any(|c| !matches!(c, Code::Comment(_)))
}

impl Code {
    /// The bodies nested directly inside.
    pub fn bodies(&self) -> Vec<&Vec<Code>> {
        match self {
            Code::If {
                then, otherwise, ..
            } => vec![then, otherwise],
            Code::Case { arms, default, .. } => {
                arms.iter().map(|a| &a.body).chain([default]).collect()
            }
            _ => vec![],
        }
    }

    fn bodies_mut(&mut self) -> Vec<&mut Vec<Code>> {
        match self {
            Code::If {
                then, otherwise, ..
            } => vec![then, otherwise],
            Code::Case { arms, default, .. } => arms
                .iter_mut()
                .map(|a| &mut a.body)
                .chain([default])
                .collect(),
            _ => vec![],
        }
    }

    /// The expressions of this statement itself.
    fn values(&self) -> Vec<&Value> {
        match self {
            Code::Comment(_) => vec![],
            Code::Set { value, .. } => vec![value],
            Code::SetBit { at, value, .. } => vec![at, value],
            Code::If { test, .. } => vec![test],
            Code::Case { on, .. } => vec![on],
        }
    }

    fn values_mut(&mut self) -> Vec<&mut Value> {
        match self {
            Code::Comment(_) => vec![],
            Code::Set { value, .. } => vec![value],
            Code::SetBit { at, value, .. } => vec![at, value],
            Code::If { test, .. } => vec![test],
            Code::Case { on, .. } => vec![on],
        }
    }

    /// The net that this statement itself assigns.
    fn target(&self) -> Option<NetId> {
        match self {
            Code::Set { net, .. } | Code::SetBit { net, .. } => Some(*net),
            _ => None,
        }
    }

    /// Calls `f` for each expression, nested ones included.
    pub fn each_value(&self, f: &mut dyn FnMut(&Value)) {
        self.values().into_iter().for_each(&mut *f);
        self.bodies()
            .into_iter()
            .flatten()
            .for_each(|c| c.each_value(f));
    }

    /// Calls `f` for each net read.
    pub fn reads(&self, f: &mut dyn FnMut(NetId)) {
        self.each_value(&mut |v| v.nets(f));
    }

    /// The nets assigned, each once, in order.
    pub fn targets(&self) -> Vec<NetId> {
        let mut out = vec![];
        self.each_target(&mut |net| {
            if !out.contains(&net) {
                out.push(net);
            }
        });
        out
    }

    /// Bits of each target that are assigned on some path.
    pub fn written(&self, width: &dyn Fn(NetId) -> usize) -> HashMap<NetId, BigUint> {
        let mut out: HashMap<NetId, BigUint> = HashMap::new();
        self.note_written(width, &mut out);
        out
    }

    fn note_written(&self, width: &dyn Fn(NetId) -> usize, out: &mut HashMap<NetId, BigUint>) {
        match self {
            Code::Set { net, low, value } => {
                *out.entry(*net).or_default() |= ones(value.width) << *low;
            }
            Code::SetBit { net, .. } => *out.entry(*net).or_default() |= ones(width(*net)),
            _ => {}
        }
        self.bodies()
            .into_iter()
            .flatten()
            .for_each(|c| c.note_written(width, out));
    }

    fn each_target(&self, f: &mut dyn FnMut(NetId)) {
        self.target().into_iter().for_each(&mut *f);
        self.bodies()
            .into_iter()
            .flatten()
            .for_each(|c| c.each_target(f));
    }

    /// Replaces nets in expressions, and renames targets.
    pub fn rename(&mut self, f: &dyn Fn(NetId) -> Option<NetId>, width: &dyn Fn(NetId) -> usize) {
        for value in self.values_mut() {
            *value = value.substituted(&|id| f(id).map(|new| Value::net(new, width(new))));
        }
        if let Code::Set { net, .. } | Code::SetBit { net, .. } = self {
            *net = f(*net).unwrap_or(*net);
        }
        self.bodies_mut()
            .into_iter()
            .flatten()
            .for_each(|c| c.rename(f, width));
    }

    /// Replaces nets in expressions by values.
    pub fn substitute(&mut self, f: &dyn Fn(NetId) -> Option<Value>) {
        for value in self.values_mut() {
            *value = value.substituted(f);
        }
        self.bodies_mut()
            .into_iter()
            .flatten()
            .for_each(|c| c.substitute(f));
    }

    /// Both are conditions on the same thing.
    pub fn same_test(&self, other: &Code) -> bool {
        matches!((self, other), (Code::If { test: a, .. }, Code::If { test: b, .. }) if a == b)
    }

    /// Takes over the branches of a condition on the same thing.
    pub fn absorb(&mut self, other: Code) {
        let (
            Code::If {
                then, otherwise, ..
            },
            Code::If {
                then: more,
                otherwise: rest,
                ..
            },
        ) = (self, other)
        else {
            return;
        };
        for (body, added) in [(then, more), (otherwise, rest)] {
            match (&mut body[..], &added[..]) {
                ([first @ Code::If { .. }], [second]) if first.same_test(second) => {
                    added.into_iter().for_each(|c| first.absorb(c));
                }
                _ => body.extend(added),
            }
        }
    }

    /// Without assignments to these nets, and without what then has no
    /// effect or never runs.
    pub fn without(self, gone: &dyn Fn(NetId) -> bool) -> Vec<Code> {
        let strip = |body: Vec<Code>| -> Vec<Code> {
            body.into_iter().flat_map(|c| c.without(gone)).collect()
        };
        let mut out = vec![];
        match self {
            Code::Set { net, .. } | Code::SetBit { net, .. } if gone(net) => {}
            Code::If {
                test,
                then,
                otherwise,
            } => push_if(test, strip(then), strip(otherwise), &mut out),
            Code::Case { on, arms, default } => {
                let arms = arms
                    .into_iter()
                    .map(|a| Arm {
                        body: strip(a.body),
                        ..a
                    })
                    .collect();
                push_case(on, arms, strip(default), &mut out);
            }
            other => out.push(other),
        }
        out
    }
}

/// What a statement does to one net, bit by bit.
pub(super) struct Effect {
    /// Bits assigned on every path.
    pub assigned: BigUint,
    /// Bits that some path reads before it has assigned them.
    pub read: BigUint,
}

impl Effect {
    /// Of statements that run one after the other.
    pub fn of(body: &[Code], net: NetId, width: usize) -> Effect {
        let mut effect = Effect {
            assigned: BigUint::default(),
            read: BigUint::default(),
        };
        body.iter().for_each(|c| effect.then(c, net, width));
        effect
    }

    fn reading(&mut self, value: &Value, net: NetId) {
        value.visit(&mut |v| {
            if let Kind::Net { id, low, .. } = v.kind {
                if id == net {
                    let bits = ones(v.width) << low;
                    self.read |= &bits ^ (&bits & &self.assigned);
                }
            }
        });
    }

    fn then(&mut self, code: &Code, net: NetId, width: usize) {
        code.values().into_iter().for_each(|v| self.reading(v, net));
        match code {
            Code::Set {
                net: to,
                low,
                value,
            } if *to == net => {
                self.assigned |= ones(value.width) << *low;
            }
            Code::If { .. } | Code::Case { .. } => {
                let mut common = ones(width);
                for body in code.bodies() {
                    let mut path = Effect {
                        assigned: self.assigned.clone(),
                        read: BigUint::default(),
                    };
                    body.iter().for_each(|c| path.then(c, net, width));
                    self.read |= path.read;
                    // The default of a full case is empty and never runs.
                    let never = matches!(code, Code::Case { on, arms, default }
                        if std::ptr::eq(body, default) && is_full(on, arms));
                    if !never {
                        common &= path.assigned;
                    }
                }
                self.assigned |= common;
            }
            _ => {}
        }
    }
}
