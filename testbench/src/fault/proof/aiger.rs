//! The binary AIGER format (Biere, FMV report 07/1), as provers read it.

use cotenant_netlist::blast::{Aig, Leaf, Lit, Root};

/// A combinational file with the leaves as inputs and the netlist's outputs as outputs.
pub(super) fn write(aig: &Aig) -> Vec<u8> {
    let (inputs, gates) = (aig.leaves.len(), aig.gates.len());
    let outputs: Vec<Lit> = outputs(aig).collect();
    let header = format!(
        "aig {} {inputs} 0 {} {gates}\n",
        inputs + gates,
        outputs.len()
    );
    let mut file = header.into_bytes();
    for output in outputs {
        file.extend(format!("{}\n", number(output)).into_bytes());
    }
    for (gate, operands) in (inputs + 1..).zip(&aig.gates) {
        let left = 2 * gate as u32;
        let [a, b] = operands.map(number);
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

fn number(lit: Lit) -> u32 {
    2 * lit.variable() as u32 + u32::from(lit.is_inverted())
}

/// Seven bits a byte, low first; the high bit says that more follow.
fn delta(mut value: u32, file: &mut Vec<u8>) {
    while value > 0x7f {
        file.push(value as u8 | 0x80);
        value >>= 7;
    }
    file.push(value as u8);
}
