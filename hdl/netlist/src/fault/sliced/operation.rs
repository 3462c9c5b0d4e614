//! What an operation computes, bit by bit for 64 cycles at once.

use crate::fault::Fault;
use crate::graph::{NodeId, Op};

/// Words of an operand, a word per bit.
pub(super) trait Operands {
    fn of(&self, node: NodeId) -> &[u64];
}

/// Computes a node; `out` has a word per bit of it.
pub(super) fn compute(op: &Op, operands: &impl Operands, out: &mut [u64]) {
    let of = |node: &NodeId| operands.of(*node);
    let bitwise = |a: &NodeId, b: &NodeId, out: &mut [u64], f: fn(u64, u64) -> u64| {
        for ((out, a), b) in out.iter_mut().zip(of(a)).zip(of(b)) {
            *out = f(*a, *b);
        }
    };
    match op {
        Op::Const(value) => {
            for (bit, out) in out.iter_mut().enumerate() {
                *out = all(value.bit(bit as u64));
            }
        }
        Op::Not(a) => out.iter_mut().zip(of(a)).for_each(|(out, a)| *out = !a),
        Op::And(a, b) => bitwise(a, b, out, |a, b| a & b),
        Op::Or(a, b) => bitwise(a, b, out, |a, b| a | b),
        Op::Xor(a, b) => bitwise(a, b, out, |a, b| a ^ b),
        Op::Add(a, b) => add(of(a), of(b), 0, 0, out),
        Op::Sub(a, b) => add(of(a), of(b), u64::MAX, u64::MAX, out),
        Op::Mul(a, b) => product(of(a), of(b), out),
        Op::Eq(a, b) => out[0] = equal(of(a), of(b)),
        Op::Less(a, b) => out[0] = less(of(a), of(b)),
        Op::Shl(a, by) => shift(of(a), of(by), true, out),
        Op::Shr(a, by) => shift(of(a), of(by), false, out),
        Op::Mux(c, a, b) => {
            let c = of(c)[0];
            for ((out, a), b) in out.iter_mut().zip(of(a)).zip(of(b)) {
                *out = b ^ (c & (a ^ b));
            }
        }
        Op::Slice(a, low) => {
            let low = *low as usize;
            out.copy_from_slice(&of(a)[low..low + out.len()]);
        }
        Op::Cat(parts) => {
            let mut rest = out;
            for part in parts {
                let words = of(part);
                let (low, high) = rest.split_at_mut(words.len());
                low.copy_from_slice(words);
                rest = high;
            }
        }
        Op::Parity(a) => out[0] = of(a).iter().fold(0, |odd, a| odd ^ a),
        // Leaves are set from outside.
        Op::Input(_) | Op::Reg(_) | Op::RamData(_) | Op::Leaf(_) => {}
    }
}

/// Computes a node that has this fault.
pub(super) fn compute_faulty(op: &Op, fault: &Fault, operands: &impl Operands, out: &mut [u64]) {
    match *fault {
        Fault::StuckNet { bit, value, .. } => {
            compute(op, operands, out);
            out[bit] = all(value);
        }
        Fault::SwappedOperands { .. } => {
            let swapped = match *op {
                Op::Mux(c, a, b) => Op::Mux(c, b, a),
                Op::Less(a, b) => Op::Less(b, a),
                Op::Sub(a, b) => Op::Sub(b, a),
                Op::Shl(a, b) => Op::Shl(b, a),
                Op::Shr(a, b) => Op::Shr(b, a),
                ref other => other.clone(),
            };
            compute(&swapped, operands, out);
        }
        Fault::WrongOperation { .. } => match *op {
            Op::And(a, b) => compute(&Op::Or(a, b), operands, out),
            Op::Or(a, b) => compute(&Op::And(a, b), operands, out),
            Op::Xor(a, b) => compute(&Op::Or(a, b), operands, out),
            Op::Add(a, b) => compute(&Op::Sub(a, b), operands, out),
            Op::Sub(a, b) => compute(&Op::Add(a, b), operands, out),
            Op::Not(a) => out.copy_from_slice(operands.of(a)),
            ref other => {
                compute(other, operands, out);
                out.iter_mut().for_each(|out| *out = !*out);
            }
        },
        _ => compute(op, operands, out),
    }
}

/// Computes a node whose sum, or whose constant operand, is one too large; the operand is the first
/// or the second.
pub(super) fn compute_off_by_one(
    op: &Op,
    constant: Option<usize>,
    operands: &impl Operands,
    out: &mut [u64],
) {
    match (op, constant) {
        (Op::Eq(a, b) | Op::Less(a, b), Some(which)) => {
            let mut words = [a, b].map(|node| operands.of(*node).to_vec());
            increment(&mut words[which]);
            let [a, b] = &words;
            out[0] = match op {
                Op::Eq(..) => equal(a, b),
                _ => less(a, b),
            };
        }
        _ => {
            compute(op, operands, out);
            increment(out);
        }
    }
}

/// All lanes.
pub(super) fn all(value: bool) -> u64 {
    if value {
        u64::MAX
    } else {
        0
    }
}

fn increment(words: &mut [u64]) {
    let mut carry = u64::MAX;
    for word in words {
        let sum = *word ^ carry;
        carry &= *word;
        *word = sum;
    }
}

/// `a + (b ^ invert) + carry`.
fn add(a: &[u64], b: &[u64], invert: u64, mut carry: u64, out: &mut [u64]) {
    for ((out, &a), &b) in out.iter_mut().zip(a).zip(b) {
        let b = b ^ invert;
        let half = a ^ b;
        *out = half ^ carry;
        carry = (a & b) | (half & carry);
    }
}

fn equal(a: &[u64], b: &[u64]) -> u64 {
    !a.iter().zip(b).fold(0, |differ, (a, b)| differ | (a ^ b))
}

fn less(a: &[u64], b: &[u64]) -> u64 {
    let bits = a.iter().zip(b);
    bits.fold(0, |borrow, (a, b)| (!a & (b | borrow)) | (b & borrow))
}

fn product(a: &[u64], b: &[u64], out: &mut [u64]) {
    out.fill(0);
    for (shift, &bit) in b.iter().enumerate() {
        let mut carry = 0;
        for (out, &a) in out.iter_mut().skip(shift).zip(a) {
            let a = a & bit;
            let half = a ^ *out;
            let sum = half ^ carry;
            carry = (a & *out) | (half & carry);
            *out = sum;
        }
    }
}

fn shift(a: &[u64], by: &[u64], left: bool, out: &mut [u64]) {
    out.copy_from_slice(a);
    let width = out.len();
    let mut far = 0;
    for (stage, &bit) in by.iter().enumerate() {
        let distance = match stage < usize::BITS as usize {
            true => 1usize << stage,
            false => usize::MAX,
        };
        if distance >= width {
            far |= bit;
        } else if left {
            for i in (0..width).rev() {
                let moved = i.checked_sub(distance).map_or(0, |from| out[from]);
                out[i] ^= bit & (out[i] ^ moved);
            }
        } else {
            for i in 0..width {
                let moved = out.get(i + distance).copied().unwrap_or(0);
                out[i] ^= bit & (out[i] ^ moved);
            }
        }
    }
    out.iter_mut().for_each(|out| *out &= !far);
}
