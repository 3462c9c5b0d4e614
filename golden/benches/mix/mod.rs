//! What the benchmarks of the cache replay.

use cotenant_golden::workload::{Access, Op};

/// Table I's cache.
pub const SETS: usize = 256;
/// Its ways.
pub const WAYS: usize = 16;
/// Its lines in bytes.
pub const LINE: u64 = 128;
/// Accesses of the mix.
pub const ACCESSES: usize = 10_000_000;

/// Four kernels as in figure 3: two that reuse (25 % and 50 % of the cache), one that streams
/// through all sets, one that streams through few.
pub fn mix() -> Vec<Access> {
    let lines = (SETS * WAYS) as u64;
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let mut stream = [0u64; 2];
    let mut access = || {
        // xorshift64*: the mix is the same on every machine.
        state ^= state >> 12;
        state ^= state << 25;
        state ^= state >> 27;
        let random = state.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 16;
        let (kernel, line) = match random % 16 {
            0..=5 => (0, (random >> 8) % (lines / 4)),
            6..=11 => (1, (1 << 20) + (random >> 8) % (lines / 2)),
            12 | 13 => {
                stream[0] += 1;
                (2, (2 << 20) + stream[0] % (1 << 18))
            }
            _ => {
                stream[1] += 1;
                (
                    3,
                    (3 << 20) + stream[1] % 4 + (stream[1] / 4 % 1024) * SETS as u64,
                )
            }
        };
        Access::at(kernel, Op::Read, line * LINE + (random >> 40) % LINE, LINE)
    };
    (0..ACCESSES).map(|_| access()).collect()
}
