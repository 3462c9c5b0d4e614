//! The binary AIGER format (Biere, FMV report 07/1), as provers read it.

use cotenant_netlist::blast::{Aig, Leaf, Lit, Root};

/// A combinational file with the leaves as inputs and the netlist's outputs as outputs.
pub(super) fn write(aig: &Aig) -> Vec<u8> {
    file(aig, 0, outputs(aig).collect(), number)
}

/// A file with the netlist's flops as latches, which start as `starts` says of a flop's bit. There
/// is no RAM.
pub(super) fn sequential(aig: &Aig, starts: impl Fn(usize, usize) -> bool) -> Vec<u8> {
    // Latches start at 0: one that starts at 1 is there inverted.
    let inverted = |leaf: &Leaf| matches!(*leaf, Leaf::Reg(flop, bit) if starts(flop, bit));
    let mut turned = vec![false];
    turned.extend(aig.leaves.iter().map(inverted));
    let as_latch = |lit: Lit| {
        let turned = turned.get(lit.variable()).copied().unwrap_or(false);
        number(lit) ^ u32::from(turned)
    };
    let next = aig.roots.iter().filter_map(|(root, lit)| match *root {
        Root::Next(flop, bit) if starts(flop, bit) => Some(!*lit),
        Root::Next(..) => Some(*lit),
        _ => None,
    });
    let next: Vec<Lit> = next.collect();
    file(
        aig,
        next.len(),
        next.into_iter().chain(outputs(aig)).collect(),
        as_latch,
    )
}

/// A file in which the last leaves are latches; `lines` are what they take next, then the outputs.
fn file(aig: &Aig, latches: usize, lines: Vec<Lit>, number: impl Fn(Lit) -> u32) -> Vec<u8> {
    let (leaves, gates) = (aig.leaves.len(), aig.gates.len());
    let header = format!(
        "aig {} {} {latches} {} {gates}\n",
        leaves + gates,
        leaves - latches,
        lines.len() - latches
    );
    let mut file = header.into_bytes();
    for line in lines {
        file.extend(format!("{}\n", number(line)).into_bytes());
    }
    for (gate, operands) in (leaves + 1..).zip(&aig.gates) {
        let left = 2 * gate as u32;
        let [a, b] = operands.map(&number);
        let (high, low) = (a.max(b), a.min(b));
        delta(left - high, &mut file);
        delta(high - low, &mut file);
    }
    file
}

/// The netlist's outputs, bit by bit.
pub(super) fn outputs(aig: &Aig) -> impl Iterator<Item = Lit> + '_ {
    let output = |(root, lit): &(Root, Lit)| matches!(root, Root::Output(..)).then_some(*lit);
    aig.roots.iter().filter_map(output)
}

/// Values of the leaves as abc writes them: a digit each, then a comment.
pub(super) fn read_values(aig: &Aig, text: &str) -> Vec<(Leaf, bool)> {
    let digits = text.split('#').next().unwrap_or_default();
    let digits = digits.chars().filter(|c| matches!(c, '0' | '1'));
    aig.leaves
        .iter()
        .copied()
        .zip(digits.map(|c| c == '1'))
        .collect()
}

/// Values of the inputs in so many cycles, as abc writes them: the latches' values at power-up, then
/// a digit per input and cycle. Latches that it has added or removed do not matter.
pub(super) fn read_sequence(aig: &Aig, cycles: usize, text: &str) -> Vec<Vec<(Leaf, bool)>> {
    let is_input = |leaf: &&Leaf| !matches!(leaf, Leaf::Reg(..));
    let inputs: Vec<Leaf> = aig.leaves.iter().filter(is_input).copied().collect();
    let digits = text.split('#').next().unwrap_or_default();
    let digits = digits.chars().filter(|c| matches!(c, '0' | '1'));
    let digits: Vec<bool> = digits.map(|c| c == '1').collect();
    let latches = digits.len().saturating_sub(cycles * inputs.len());
    let cycles = digits[latches..].chunks(inputs.len().max(1));
    cycles
        .map(|values| inputs.iter().copied().zip(values.iter().copied()).collect())
        .collect()
}

fn number(lit: Lit) -> u32 {
    2 * lit.variable() as u32 + u32::from(lit.is_inverted())
}

/// Seven bits per byte, low first; the high bit says that more follow.
fn delta(mut value: u32, file: &mut Vec<u8>) {
    while value > 0x7f {
        file.push(value as u8 | 0x80);
        value >>= 7;
    }
    file.push(value as u8);
}
