//! Introduces names for expressions that Verilog can slice or index only by name.

use super::code::{has_effect, Code};
use super::value::{Kind, Value};
use crate::ir::{BinaryOp, Net, NetId, NetKind};
use std::collections::{HashMap, HashSet};

/// Nets made for parts of expressions.
#[derive(Default)]
pub(super) struct Hoist {
    /// Expressions over settled nets, each assigned once for the module.
    known: HashMap<Value, NetId>,
    /// In the order of need: net and what it stands for.
    pub wires: Vec<(NetId, Value)>,
}

impl Hoist {
    /// The expression with names in place; new ones are called after `target`.
    pub fn value(&mut self, value: Value, target: &str, nets: &mut Vec<Net>) -> Value {
        let mut local = Local {
            settled: true,
            unsettled: &HashSet::new(),
            before: vec![],
        };
        self.plain(value, target, nets, &mut local)
    }

    /// Statements with names in place; those that depend on a value in the
    /// middle of the block are assigned there. Returns the nets so assigned.
    pub fn body(
        &mut self,
        body: Vec<Code>,
        targets: &[NetId],
        nets: &mut Vec<Net>,
    ) -> (Vec<Code>, Vec<NetId>) {
        let mut unsettled: HashSet<NetId> = targets.iter().copied().collect();
        let mut made = vec![];
        let body = self.statements(body, &mut unsettled, nets, &mut made);
        // A name that is assigned in one branch only still needs a value in
        // the others.
        let defaults = made.iter().map(|&net| {
            let value = Value::constant(0u8, nets[net.index()].width);
            Code::Set { net, low: 0, value }
        });
        let body = defaults.chain(body).collect();
        (body, made)
    }

    fn statements(
        &mut self,
        body: Vec<Code>,
        unsettled: &mut HashSet<NetId>,
        nets: &mut Vec<Net>,
        made: &mut Vec<NetId>,
    ) -> Vec<Code> {
        let mut out = vec![];
        for code in body {
            let target = code
                .targets()
                .first()
                .map_or(String::new(), |t| nets[t.index()].name.clone());
            let mut before = vec![];
            let snapshot = unsettled.clone();
            let mut local = Local {
                settled: false,
                unsettled: &snapshot,
                before: vec![],
            };
            let mut plain = |value: Value, nets: &mut Vec<Net>| {
                let value = self.plain(value, &target, nets, &mut local);
                before.append(&mut local.before);
                value
            };
            let code = match code {
                Code::Comment(_) => code,
                Code::Set { net, low, value } => Code::Set {
                    net,
                    low,
                    value: plain(value, nets),
                },
                Code::SetBit { net, at, value } => Code::SetBit {
                    net,
                    at: plain(at, nets),
                    value: plain(value, nets),
                },
                Code::If {
                    test,
                    then,
                    otherwise,
                } => {
                    let test = plain(test, nets);
                    let then = self.statements(then, unsettled, nets, made);
                    let otherwise = self.statements(otherwise, unsettled, nets, made);
                    Code::If {
                        test,
                        then,
                        otherwise,
                    }
                }
                Code::Case {
                    on,
                    mut arms,
                    default,
                } => {
                    let on = plain(on, nets);
                    for arm in &mut arms {
                        let body = std::mem::take(&mut arm.body);
                        arm.body = self.statements(body, unsettled, nets, made);
                    }
                    let default = self.statements(default, unsettled, nets, made);
                    Code::Case { on, arms, default }
                }
            };
            for (net, value) in before {
                unsettled.insert(net);
                made.push(net);
                out.push(Code::Set { net, low: 0, value });
            }
            out.push(code);
        }
        if !has_effect(&out) {
            out.retain(|c| matches!(c, Code::Comment(_)));
        }
        out
    }

    fn plain(
        &mut self,
        value: Value,
        target: &str,
        nets: &mut Vec<Net>,
        local: &mut Local,
    ) -> Value {
        if value.is_plain() {
            return value;
        }
        let width = value.width;
        let mut go = |v: Box<Value>| self.plain(*v, target, nets, local);
        match value.kind {
            Kind::Cut(of, low) => {
                let of = go(of);
                self.named(of, target, nets, local).slice(low, width)
            }
            Kind::Bit(of, at) => {
                let (of, at) = (go(of), go(at));
                let of = if of.as_net().is_some() {
                    of
                } else {
                    self.named(of, target, nets, local)
                };
                Value::new(1, Kind::Bit(of.into(), at.into()))
            }
            Kind::Not(a) => Value::new(width, Kind::Not(go(a).into())),
            Kind::Reduce(op, a) => Value::new(width, Kind::Reduce(op, go(a).into())),
            Kind::Binary(op, a, b) => {
                let (a, b) = (go(a), go(b));
                Value::new(width, Kind::Binary(op, a.into(), b.into()))
            }
            Kind::If(c, a, b) => {
                let (c, a, b) = (go(c), go(a), go(b));
                Value::new(width, Kind::If(c.into(), a.into(), b.into()))
            }
            Kind::Concat(parts) => Value::concat(parts.into_iter().map(|p| go(p.into())).collect()),
            leaf => Value::new(width, leaf),
        }
    }

    /// A net that has this value.
    fn named(
        &mut self,
        value: Value,
        target: &str,
        nets: &mut Vec<Net>,
        local: &mut Local,
    ) -> Value {
        let width = value.width;
        let mut settled = true;
        value.nets(&mut |id| settled &= local.settled || !local.unsettled.contains(&id));
        local
            .before
            .iter()
            .for_each(|(net, _)| settled &= !value.reads(*net));
        if let Some(net) = self.known.get(&value).filter(|_| settled) {
            return Value::net(*net, width);
        }
        let suffix = match value.kind {
            Kind::Binary(BinaryOp::Add, ..) => "sum",
            Kind::Binary(BinaryOp::Sub, ..) => "difference",
            Kind::Binary(BinaryOp::Mul, ..) => "product",
            Kind::Binary(BinaryOp::Shl | BinaryOp::Shr, ..) => "shifted",
            _ => "bits",
        };
        let name = if target.is_empty() {
            suffix.to_string()
        } else {
            format!("{target}_{suffix}")
        };
        nets.push(Net {
            name,
            width,
            kind: NetKind::Local,
            clock: false,
            variants: None,
        });
        let net = NetId(nets.len() as u32 - 1);
        if settled {
            self.known.insert(value.clone(), net);
            self.wires.push((net, value));
        } else {
            local.before.push((net, value));
        }
        Value::net(net, width)
    }
}

struct Local<'a> {
    /// All nets have their final values.
    settled: bool,
    unsettled: &'a HashSet<NetId>,
    /// Nets to assign before the statement.
    before: Vec<(NetId, Value)>,
}
