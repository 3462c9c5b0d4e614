//! Constant propagation through a block's statements.
//!
//! Linters and synthesis tools do the same and then stumble over comparisons
//! that are constant and branches that never run.

use super::code::{push_case, push_if, Arm, Code};
use super::value::{Kind, Value};
use crate::graph::ones;
use crate::ir::NetId;
use num_bigint::BigUint;
use std::collections::HashMap;

/// The statements of a whole block with constants in place of the nets that
/// hold them, and without branches that never run.
pub(super) fn propagate(body: Vec<Code>) -> Vec<Code> {
    Walk {
        known: HashMap::new(),
    }
    .body(body)
}

struct Walk {
    /// Bits that are constant at this point.
    known: HashMap<NetId, Bits>,
}

/// Known bits of a value: which, and what they are.
#[derive(Clone, Debug, Default, PartialEq)]
struct Bits {
    mask: BigUint,
    value: BigUint,
}

impl Bits {
    fn within(&self, low: usize, width: usize) -> Bits {
        let window = ones(width);
        Bits {
            mask: (&self.mask >> low) & &window,
            value: (&self.value >> low) & window,
        }
    }

    fn replace(&mut self, low: usize, width: usize, by: Bits) {
        let hole = ones(width) << low;
        let (mask, value) = (&self.mask & &hole, &self.value & &hole);
        self.mask = (&self.mask ^ mask) | (by.mask << low);
        self.value = (&self.value ^ value) | (by.value << low);
    }
}

impl Walk {
    fn value(&self, value: &Value) -> Value {
        value.rewritten(&|id, low, width| {
            let bits = self.known.get(&id)?.within(low, width);
            (bits.mask == ones(width)).then(|| Value::constant(bits.value, width))
        })
    }

    fn bits(&self, value: &Value) -> Bits {
        match &value.kind {
            Kind::Const(v) => Bits {
                mask: ones(value.width),
                value: v.clone(),
            },
            Kind::Net { id, low, .. } => self
                .known
                .get(id)
                .map(|b| b.within(*low, value.width))
                .unwrap_or_default(),
            Kind::Concat(parts) => {
                let (mut low, mut bits) = (0, Bits::default());
                for part in parts {
                    bits.replace(low, part.width, self.bits(part));
                    low += part.width;
                }
                bits
            }
            _ => Bits::default(),
        }
    }

    fn body(&mut self, body: Vec<Code>) -> Vec<Code> {
        let mut out = vec![];
        for code in body {
            self.code(code, &mut out);
        }
        out
    }

    fn code(&mut self, code: Code, out: &mut Vec<Code>) {
        match code {
            Code::Comment(_) => out.push(code),
            Code::Set { net, low, value } => {
                let value = self.value(&value);
                let bits = self.bits(&value);
                self.known
                    .entry(net)
                    .or_default()
                    .replace(low, value.width, bits);
                out.push(Code::Set { net, low, value });
            }
            Code::SetBit { net, at, value } => {
                let (at, value) = (self.value(&at), self.value(&value));
                match at.as_const().and_then(|k| usize::try_from(k).ok()) {
                    Some(low) => self.code(Code::Set { net, low, value }, out),
                    None => {
                        self.known.remove(&net);
                        out.push(Code::SetBit { net, at, value });
                    }
                }
            }
            Code::If {
                test,
                then,
                otherwise,
            } => {
                let test = self.value(&test);
                if let Some(v) = test.as_const() {
                    let taken = if v.bits() > 0 { then } else { otherwise };
                    return out.extend(self.body(taken));
                }
                let (mut a, mut b) = (self.branch(), self.branch());
                let (then, otherwise) = (a.body(then), b.body(otherwise));
                self.known = common(vec![a.known, b.known]);
                push_if(test, then, otherwise, out);
            }
            Code::Case { on, arms, default } => {
                let on = self.value(&on);
                if let Some(v) = on.as_const() {
                    let taken = arms
                        .into_iter()
                        .find(|a| a.value == *v)
                        .map_or(default, |a| a.body);
                    return out.extend(self.body(taken));
                }
                let mut ends = vec![];
                let mut run = |body: Vec<Code>| {
                    let mut branch = self.branch();
                    let body = branch.body(body);
                    ends.push(branch.known);
                    body
                };
                let arms = arms
                    .into_iter()
                    .map(|a| Arm {
                        body: run(a.body),
                        ..a
                    })
                    .collect();
                let default = run(default);
                self.known = common(ends);
                push_case(on, arms, default, out);
            }
        }
    }

    fn branch(&self) -> Walk {
        Walk {
            known: self.known.clone(),
        }
    }
}

/// What all ways through agree on.
fn common(ends: Vec<HashMap<NetId, Bits>>) -> HashMap<NetId, Bits> {
    let mut ends = ends.into_iter();
    let mut known = ends.next().unwrap_or_default();
    for end in ends {
        known.retain(|id, bits| {
            let Some(other) = end.get(id) else {
                return false;
            };
            let both = &bits.mask & &other.mask;
            let differ = &both & (&bits.value ^ &other.value);
            bits.mask = both ^ differ;
            bits.value &= &bits.mask;
            bits.mask.bits() > 0
        });
    }
    known
}
