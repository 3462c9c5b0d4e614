//! Symbolic execution of statements: the value of a net as one expression.

use super::code::{is_full, Code};
use super::value::{Kind, Value};
use crate::graph::ones;
use crate::ir::{BinaryOp, Net, NetId};
use num_bigint::BigUint;
use std::collections::BTreeMap;

/// Expressions beyond this size read worse than the statements do.
const MAX_SIZE: usize = 400;

/// How much of a branch may become an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Branches {
    /// What needs no `?:`, such as counting and setting bits.
    Masked,
    /// Everything, whatever the size.
    All,
}

/// What the statements leave in `net`; `None` if that is no single
/// expression, or some bit keeps an old value.
pub(super) fn result(body: &[Code], net: NetId, nets: &[Net], branches: Branches) -> Option<Value> {
    let mut run = Run {
        nets,
        branches,
        env: BTreeMap::new(),
    };
    let targets: Vec<NetId> = body.iter().flat_map(Code::targets).collect();
    targets.iter().for_each(|id| {
        run.env.insert(*id, run.nothing(*id));
    });
    run.body(body)?;
    let state = run.env.remove(&net)?;
    (state.defined == ones(state.value.width)).then_some(state.value)
}

#[derive(Clone, PartialEq)]
struct State {
    value: Value,
    defined: BigUint,
}

struct Run<'a> {
    nets: &'a [Net],
    branches: Branches,
    env: BTreeMap<NetId, State>,
}

impl Run<'_> {
    fn nothing(&self, id: NetId) -> State {
        let value = Value::constant(0u8, self.nets[id.index()].width);
        State {
            value,
            defined: BigUint::default(),
        }
    }

    /// An expression in terms of nets that the statements do not assign.
    fn value(&self, value: &Value) -> Option<Value> {
        let mut known = true;
        value.visit(&mut |v| {
            if let Kind::Net { id, low, .. } = v.kind {
                if let Some(state) = self.env.get(&id) {
                    let bits = ones(v.width) << low;
                    known &= &bits & &state.defined == bits;
                }
            }
        });
        if !known {
            return None;
        }
        let out = value.substituted(&|id| self.env.get(&id).map(|s| s.value.clone()));
        (self.branches == Branches::All || out.size() <= MAX_SIZE).then_some(out)
    }

    fn body(&mut self, body: &[Code]) -> Option<()> {
        body.iter().try_for_each(|code| self.code(code))
    }

    fn code(&mut self, code: &Code) -> Option<()> {
        match code {
            Code::Comment(_) => Some(()),
            Code::Set { net, low, value } => {
                let value = self.value(value)?;
                let state = self.env.get_mut(net)?;
                state.defined |= ones(value.width) << *low;
                state.value = overlaid(&state.value, *low, value);
                Some(())
            }
            Code::SetBit { net, at, value } => {
                let (at, value) = (self.value(at)?, self.value(value)?);
                let all = self.branches == Branches::All || at.as_const().is_some();
                let state = self.env.get_mut(net)?;
                if !all || state.defined != ones(state.value.width) {
                    return None;
                }
                state.value = Value::replace_bit(state.value.clone(), at, value);
                Some(())
            }
            Code::If {
                test,
                then,
                otherwise,
            } => {
                let test = self.value(test)?;
                let then = self.alternative(then)?;
                self.body(otherwise)?;
                self.merge(&test, then)
            }
            Code::Case { on, arms, default } => {
                let on = self.value(on)?;
                let mut outcomes = vec![];
                for arm in arms {
                    outcomes.push(self.alternative(&arm.body)?);
                }
                // A full case has no default; its last arm takes the rest.
                let full = is_full(&on, arms);
                match outcomes.pop() {
                    Some(last) if full => self.env = last,
                    Some(last) => {
                        outcomes.push(last);
                        self.body(default)?;
                    }
                    None => self.body(default)?,
                }
                for (arm, outcome) in arms.iter().zip(outcomes).rev() {
                    let value = Value::constant(arm.value.clone(), on.width);
                    let test = Value::binary(BinaryOp::Eq, on.clone(), value);
                    self.merge(&test, outcome)?;
                }
                Some(())
            }
        }
    }

    /// What a branch would leave.
    fn alternative(&mut self, body: &[Code]) -> Option<BTreeMap<NetId, State>> {
        let before = self.env.clone();
        self.body(body)?;
        Some(std::mem::replace(&mut self.env, before))
    }

    /// Takes `then` where `test` holds.
    fn merge(&mut self, test: &Value, then: BTreeMap<NetId, State>) -> Option<()> {
        for (id, a) in then {
            let b = self.env.get(&id)?;
            if a == *b {
                continue;
            }
            let value = match self.branches {
                Branches::All => Value::choose(test.clone(), a.value, b.value.clone()),
                Branches::Masked => masked(test, &a.value, &b.value)?,
            };
            let defined = &a.defined & &b.defined;
            self.env.insert(id, State { value, defined });
        }
        Some(())
    }
}

/// `of` with its bits from `low` replaced.
fn overlaid(of: &Value, low: usize, by: Value) -> Value {
    let end = low + by.width;
    let mut parts = vec![];
    if low > 0 {
        parts.push(of.slice(0, low));
    }
    parts.push(by);
    if end < of.width {
        parts.push(of.slice(end, of.width - end));
    }
    Value::concat(parts)
}

/// `value` where `test` holds, else zero.
fn gated(test: &Value, value: &Value) -> Value {
    match &value.kind {
        Kind::Const(v) => {
            let bit = |i: usize| {
                if v.bit(i as u64) {
                    test.clone()
                } else {
                    Value::constant(0u8, 1)
                }
            };
            Value::concat((0..value.width).map(bit).collect())
        }
        Kind::Concat(parts) => Value::concat(parts.iter().map(|p| gated(test, p)).collect()),
        _ => {
            let mask = Value::concat(vec![test.clone(); value.width]);
            Value::binary(BinaryOp::And, mask, value.clone())
        }
    }
}

/// `test ? a : b` without `?:`: an increment, something or-ed on, or bits set
/// where `b` has zeros.
fn masked(test: &Value, a: &Value, b: &Value) -> Option<Value> {
    if let Kind::Binary(BinaryOp::Or, x, more) = &a.kind {
        if **x == *b {
            return Some(Value::binary(BinaryOp::Or, b.clone(), gated(test, more)));
        }
    }
    if b.is_zero() && a.width > 1 {
        return Some(gated(test, a));
    }
    if let Kind::Binary(BinaryOp::Add, x, one) = &a.kind {
        if **x == *b && one.as_const().is_some_and(|v| *v == BigUint::from(1u8)) {
            return Some(Value::binary(
                BinaryOp::Add,
                b.clone(),
                test.clone().resized(b.width),
            ));
        }
    }
    if b.is_zero() && a.as_const().is_some_and(|v| *v == BigUint::from(1u8)) {
        return Some(test.clone().resized(b.width));
    }
    let mut parts = vec![];
    for low in 0..a.width {
        let (x, y) = (a.slice(low, 1), b.slice(low, 1));
        parts.push(match (x.as_const(), y.as_const()) {
            _ if x == y => x,
            (Some(v), Some(_)) if v.bits() > 0 => test.clone(),
            (Some(_), Some(_)) => test.clone().not(),
            _ => return None,
        });
    }
    Some(Value::concat(parts))
}
