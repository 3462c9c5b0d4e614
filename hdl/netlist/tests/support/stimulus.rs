//! Seeded inputs.

use cotenant_netlist::graph::ones;
use cotenant_netlist::Netlist;
use num_bigint::BigUint;

/// Small generator with 64 bits of state (xorshift, then a multiplication).
pub struct Random(u64);

impl Random {
    /// From any seed.
    pub fn new(seed: u64) -> Self {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// 64 bits.
    pub fn word(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// Less than `bound`.
    pub fn below(&mut self, bound: u64) -> u64 {
        (self.word() >> 33) % bound
    }

    /// This many bits, all of them equally likely.
    pub fn bits(&mut self, width: usize) -> BigUint {
        let words: Vec<u32> = (0..width.div_ceil(32))
            .map(|_| (self.word() >> 32) as u32)
            .collect();
        BigUint::new(words) & ones(width)
    }

    /// This many bits, with a liking for the ends of the range.
    pub fn value(&mut self, width: usize) -> BigUint {
        match self.below(8) {
            0 => BigUint::from(self.below(4)) & ones(width),
            1 => ones(width) - (BigUint::from(self.below(4)) & ones(width)),
            2 => BigUint::from(1u8) << self.below(width as u64),
            3 => ones(width) ^ (BigUint::from(1u8) << self.below(width as u64)),
            4 => self.bits(width) & self.bits(width) & self.bits(width),
            _ => self.bits(width),
        }
    }
}

/// Inputs of `cycles` cycles: every input at random, now and then equal to its
/// neighbour of the same width; `reset` in one cycle of eight.
pub fn random(netlist: &Netlist, cycles: usize, seed: u64) -> Vec<Vec<BigUint>> {
    let mut random = Random::new(seed);
    let mut out: Vec<Vec<BigUint>> = vec![];
    for cycle in 0..cycles {
        let mut values: Vec<BigUint> = vec![];
        for (i, input) in netlist.inputs.iter().enumerate() {
            let neighbour = i
                .checked_sub(1)
                .filter(|k| netlist.inputs[*k].width == input.width);
            let value = match neighbour {
                _ if input.name == "reset" => {
                    u8::from(cycle == 1 || (cycle > 1 && random.below(8) == 0)).into()
                }
                Some(k) if random.below(6) == 0 => values[k].clone(),
                _ => random.value(input.width),
            };
            values.push(value);
        }
        out.push(values);
    }
    out
}
