//! Blocks that read what they have assigned before, as `x = a; if (c) x = b; x = x | d;`, written so
//! that they do not: `x = (c ? b : a) | d;`.
//!
//! A simulator that schedules whole arrays would start the blocks of all elements for each value on
//! the way, so such blocks could not share an array, and would be no loop.

use crate::ir::NetId;
use crate::verilog::code::Code;
use crate::verilog::value::Value;
use std::collections::HashSet;

/// The largest expression that this makes, in operators and names.
const LARGEST: usize = 16;

/// The statements of a block that assign `net`, without reads of it; `None` if that would be hard to
/// read, or not the same.
pub(super) fn direct(body: &[Code], net: NetId, width: usize) -> Option<Vec<Code>> {
    let Some(last) = body.iter().rposition(|code| reads(code, net)) else {
        return Some(body.to_vec());
    };
    let (before, rest) = body.split_at(last + 1);
    let value = before
        .iter()
        .try_fold(None, |value, code| after(code, net, width, value))??;
    // What other statements assign may change on the way.
    let assigned: HashSet<NetId> = body.iter().flat_map(Code::targets).collect();
    let mut changes = false;
    value.nets(&mut |id| changes |= assigned.contains(&id));
    if changes || value.size() > LARGEST {
        return None;
    }
    let others = before.iter().cloned();
    let mut out: Vec<Code> = others
        .flat_map(|code| code.without(&|id| id == net))
        .collect();
    if out.iter().any(|code| reads(code, net)) {
        return None;
    }
    out.push(Code::Set { net, low: 0, value });
    out.extend_from_slice(rest);
    Some(out)
}

fn reads(code: &Code, net: NetId) -> bool {
    let mut found = false;
    code.reads(&mut |id| found |= id == net);
    found
}

/// The value of `net` after a statement, from that before it; `None` if this cannot say.
fn after(code: &Code, net: NetId, width: usize, before: Option<Value>) -> Option<Option<Value>> {
    let now = |value: &Value| match value.reads(net) {
        true => {
            let before = before.as_ref()?;
            Some(value.substituted(&|id| (id == net).then(|| before.clone())))
        }
        false => Some(value.clone()),
    };
    match code {
        Code::Set {
            net: to,
            low,
            value,
        } if *to == net => match *low == 0 && value.width == width {
            true => now(value).map(Some),
            false => None,
        },
        Code::If {
            test,
            then,
            otherwise,
        } if code.targets().contains(&net) => {
            let branch = |body: &[Code]| {
                body.iter()
                    .try_fold(before.clone(), |value, code| after(code, net, width, value))
            };
            let (then, otherwise) = (branch(then)?, branch(otherwise)?);
            Some(Some(Value::choose(now(test)?, then?, otherwise?)))
        }
        _ if code.targets().contains(&net) => None,
        _ => Some(before),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::BinaryOp;

    const X: NetId = NetId(0);

    fn net(id: u32) -> Value {
        Value::net(NetId(id), 8)
    }

    fn set(to: NetId, value: Value) -> Code {
        Code::Set {
            net: to,
            low: 0,
            value,
        }
    }

    fn when(then: Vec<Code>) -> Code {
        Code::If {
            test: Value::net(NetId(9), 1),
            then,
            otherwise: vec![],
        }
    }

    fn or(a: Value, b: Value) -> Value {
        Value::binary(BinaryOp::Or, a, b)
    }

    #[test]
    fn a_value_on_the_way_is_an_expression() {
        let other = NetId(5);
        let body = [
            set(X, net(1)),
            set(other, net(2)),
            when(vec![set(X, net(3)), set(other, net(4))]),
            set(X, or(net(0), net(6))),
            when(vec![set(X, net(7))]),
        ];
        let chosen = Value::choose(Value::net(NetId(9), 1), net(3), net(1));
        let expected = [
            set(other, net(2)),
            when(vec![set(other, net(4))]),
            set(X, or(chosen, net(6))),
            when(vec![set(X, net(7))]),
        ];
        assert_eq!(direct(&body, X, 8).unwrap(), expected);
    }

    // What another statement has assigned, what is read before it is assigned, and what is large
    // stay as they are.
    #[test]
    fn what_it_cannot_say_stays() {
        let of_another = [
            set(NetId(5), net(2)),
            set(X, net(5)),
            set(X, or(net(0), net(6))),
        ];
        assert_eq!(direct(&of_another, X, 8), None);
        let read_first = [set(X, or(net(0), net(6)))];
        assert_eq!(direct(&read_first, X, 8), None);
        let read_by_another = [
            set(X, net(1)),
            set(NetId(5), net(0)),
            set(X, or(net(0), net(6))),
        ];
        assert_eq!(direct(&read_by_another, X, 8), None);
        let mut large = vec![set(X, net(1))];
        large.extend((2..2 + LARGEST as u32).map(|n| set(X, or(net(0), net(n)))));
        assert_eq!(direct(&large, X, 8), None);
        assert!(direct(&large[..3], X, 8).is_some());
    }
}
