//! Coalescing of a warp instruction's lanes into accesses to lines.

use super::error::Fault;
use super::traceg::{Instruction, Sink};
use super::Options;
use crate::workload::coalesce::parts;
use crate::workload::{Access, Op};

/// The accesses of one warp instruction: one per distinct line, in the order in which the lanes
/// first touch them, with all sectors that any lane touches.
#[derive(Debug)]
pub(super) struct Coalescer {
    line: u64,
    kernel: u8,
    accesses: Vec<Access>,
    taken: usize,
}

impl Coalescer {
    /// Of accesses of a kernel.
    pub(super) fn new(options: Options, kernel: u8) -> Self {
        Self {
            line: options.line,
            kernel,
            accesses: Vec::new(),
            taken: 0,
        }
    }

    /// The next access of the instruction.
    pub(super) fn take(&mut self) -> Option<Access> {
        let access = self.accesses.get(self.taken).copied();
        match access {
            Some(_) => self.taken += 1,
            None => self.clear(),
        }
        access
    }

    /// Forgets the instruction.
    fn clear(&mut self) {
        self.accesses.clear();
        self.taken = 0;
    }

    /// A lane's touch of `width` bytes, at least one, from `address`; beyond the line it goes on
    /// in the next ones. The address space does not wrap.
    fn touch(&mut self, op: Op, address: u64, width: u64) {
        let line = self.line;
        parts(address, width, line, |first, sectors| {
            // Neighbouring lanes mostly touch the line touched last.
            let same = |access: &&mut Access| (access.address ^ first) & !(line - 1) == 0;
            match self.accesses.iter_mut().rev().find(same) {
                Some(access) => access.sectors |= sectors,
                None => self.accesses.push(Access {
                    address: first,
                    sectors,
                    kernel: self.kernel,
                    op,
                    cycle: None,
                }),
            }
        });
    }
}

impl Sink for Coalescer {
    fn instruction(&mut self, instruction: &Instruction<'_>) -> Result<(), Box<Fault>> {
        self.clear();
        if let Some(touch) = &instruction.touch {
            let lanes = (0..32).filter(|lane| touch.lanes >> lane & 1 == 1);
            for lane in lanes {
                self.touch(touch.op, touch.addresses[lane], touch.bytes);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    //! Rationale: one line, several, back to an earlier one, straddling one border and several,
    //! lines shorter than a sector, the end of the address space.
    use super::*;

    fn coalesced(line: u64, width: u64, addresses: &[u64]) -> Vec<(u64, u32)> {
        let mut coalescer = Coalescer::new(Options { line, kernels: 1 }, 0);
        for &address in addresses {
            coalescer.touch(Op::Read, address, width);
        }
        std::iter::from_fn(|| coalescer.take())
            .map(|a| (a.address, a.sectors))
            .collect()
    }

    #[test]
    fn by_hand() {
        let warp: Vec<_> = (0..32).map(|lane| 0x1000 + 4 * lane).collect();
        assert_eq!(coalesced(128, 4, &warp), [(0x1000, 0b1111)]);
        assert_eq!(coalesced(64, 4, &warp), [(0x1000, 0b11), (0x1040, 0b11)]);
        assert_eq!(
            coalesced(128, 4, &[0x100, 0x000, 0x160]),
            [(0x100, 0b1001), (0x000, 0b0001)]
        );
        assert_eq!(coalesced(128, 4, &[0x7e]), [(0x7e, 0b1000), (0x80, 0b0001)]);
        assert_eq!(coalesced(16, 16, &[0x8]), [(0x8, 1), (0x10, 1)]);
        assert_eq!(
            coalesced(32, 128, &[0x0]),
            [(0x0, 1), (0x20, 1), (0x40, 1), (0x60, 1)]
        );
        assert_eq!(coalesced(128, 8, &[u64::MAX - 1]), [(u64::MAX - 1, 0b1000)]);
        assert_eq!(coalesced(1024, 4, &[1020]), [(1020, 1 << 31)]);
        assert_eq!(coalesced(1, 2, &[u64::MAX]), [(u64::MAX, 1)]);
    }
}
