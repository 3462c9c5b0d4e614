//! Miss status holding registers of the L1D: outstanding sectors and the instructions waiting for
//! them. Where the L2's lines are shorter than the L1D's, a register's sectors come one after the
//! other.

/// No register.
pub(super) const NONE: u16 = u16::MAX;

/// A register.
#[derive(Debug, Clone, Copy)]
struct Mshr {
    /// The cache's place of the line.
    place: u32,
    /// The sectors that have not come; none if the register is free.
    sectors: u32,
    /// Another one of the same line.
    next: u16,
    waiters: u16,
}

/// An instruction that waits at a register.
#[derive(Debug, Clone, Copy, Default)]
struct Waiter {
    instruction: u32,
    /// What it waits for of the register's sectors.
    sectors: u32,
}

/// The registers of an L1D.
#[derive(Debug, Clone)]
pub(super) struct Mshrs {
    registers: Vec<Mshr>,
    free: Vec<u16>,
    merges: usize,
    /// By register, `merges` of each.
    waiters: Vec<Waiter>,
}

impl Mshrs {
    pub(super) fn new(count: usize, merges: usize) -> Self {
        let free = Mshr {
            place: 0,
            sectors: 0,
            next: NONE,
            waiters: 0,
        };
        Self {
            registers: vec![free; count],
            free: (0..count as u16).rev().collect(),
            merges,
            waiters: vec![Waiter::default(); count * merges],
        }
    }

    pub(super) fn len(&self) -> usize {
        self.registers.len()
    }

    pub(super) fn in_use(&self) -> usize {
        self.registers.len() - self.free.len()
    }

    pub(super) fn is_full(&self) -> bool {
        self.free.is_empty()
    }

    /// Instructions that wait, one counted for each register it waits at.
    pub(super) fn waiting(&self) -> u64 {
        let used = self.registers.iter().filter(|mshr| mshr.sectors != 0);
        used.map(|mshr| u64::from(mshr.waiters)).sum()
    }

    /// The registers of a line, from its first.
    pub(super) fn chain(&self, first: u16) -> impl Iterator<Item = u16> + '_ {
        let existing = |register: u16| (register != NONE).then_some(register);
        std::iter::successors(existing(first), move |&register| {
            existing(self.registers[usize::from(register)].next)
        })
    }

    /// The sectors on their way of all registers in use.
    pub(super) fn outstanding(&self) -> impl Iterator<Item = u32> + '_ {
        let sectors = self.registers.iter().map(|mshr| mshr.sectors);
        sectors.filter(|sectors| *sectors != 0)
    }

    pub(super) fn sectors(&self, register: u16) -> u32 {
        self.registers[usize::from(register)].sectors
    }

    /// Whether each of the line's registers that brings one of `sectors` takes another waiter.
    pub(super) fn can_merge(&self, first: u16, sectors: u32) -> bool {
        self.chain(first).all(|register| {
            let mshr = &self.registers[usize::from(register)];
            mshr.sectors & sectors == 0 || usize::from(mshr.waiters) < self.merges
        })
    }

    /// Waits for `sectors` on their way; how many registers bring them. Only if they
    /// [`can_merge`](Self::can_merge).
    pub(super) fn merge(&mut self, first: u16, sectors: u32, instruction: u32) -> u16 {
        let (mut register, mut joined) = (first, 0);
        while register != NONE {
            let mshr = &self.registers[usize::from(register)];
            let next = mshr.next;
            let own = mshr.sectors & sectors;
            if own != 0 {
                self.wait(register, instruction, own);
                joined += 1;
            }
            register = next;
        }
        joined
    }

    fn wait(&mut self, register: u16, instruction: u32, sectors: u32) {
        let mshr = &mut self.registers[usize::from(register)];
        let place = usize::from(register) * self.merges + usize::from(mshr.waiters);
        self.waiters[place] = Waiter {
            instruction,
            sectors,
        };
        mshr.waiters += 1;
    }

    /// Takes a register, with a first waiter, in front of the line's others; only if there is one.
    pub(super) fn allocate(
        &mut self,
        place: u32,
        sectors: u32,
        next: u16,
        instruction: u32,
    ) -> Option<u16> {
        let register = self.free.pop()?;
        self.registers[usize::from(register)] = Mshr {
            place,
            sectors,
            next,
            waiters: 0,
        };
        self.wait(register, instruction, sectors);
        Some(register)
    }

    /// Sectors of a register have come; with its last ones it is free and is taken out of the
    /// line's, whose first is `first`. Calls `answer` for each instruction that waits there no
    /// longer, in order.
    pub(super) fn fill(
        &mut self,
        register: u16,
        sectors: u32,
        first: &mut u16,
        mut answer: impl FnMut(u32),
    ) {
        let index = usize::from(register);
        let start = index * self.merges;
        let Mshr {
            sectors: coming,
            next,
            waiters,
            ..
        } = self.registers[index];
        let waiting = start..start + usize::from(waiters);
        self.registers[index].sectors = coming & !sectors;
        if coming & !sectors != 0 {
            // Those that wait for others close up.
            let mut kept = 0;
            for place in waiting {
                let mut waiter = self.waiters[place];
                waiter.sectors &= !sectors;
                if waiter.sectors == 0 {
                    answer(waiter.instruction);
                } else {
                    self.waiters[start + usize::from(kept)] = waiter;
                    kept += 1;
                }
            }
            self.registers[index].waiters = kept;
            return;
        }
        let before = self
            .chain(*first)
            .find(|&before| self.registers[usize::from(before)].next == register);
        match before {
            Some(before) => self.registers[usize::from(before)].next = next,
            None => *first = next,
        }
        self.free.push(register);
        self.waiters[waiting]
            .iter()
            .for_each(|waiter| answer(waiter.instruction));
    }

    /// The cache's place of a register's line.
    pub(super) fn place(&self, register: u16) -> u32 {
        self.registers[usize::from(register)].place
    }
}
