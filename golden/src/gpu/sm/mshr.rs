//! Miss status holding registers of the L1D: outstanding sectors and the instructions waiting for
//! them.

/// No register.
pub(super) const NONE: u16 = u16::MAX;

/// A register.
#[derive(Debug, Clone, Copy)]
struct Mshr {
    /// The cache's place of the line.
    place: u32,
    /// The sectors; none if the register is free.
    sectors: u32,
    /// Another one of the same line.
    next: u16,
    waiters: u16,
}

/// The registers of an L1D.
#[derive(Debug, Clone)]
pub(super) struct Mshrs {
    registers: Vec<Mshr>,
    free: Vec<u16>,
    merges: usize,
    /// By register and waiter, the instruction.
    waiters: Vec<u32>,
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
            waiters: vec![0; count * merges],
        }
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
            if mshr.sectors & sectors != 0 {
                self.wait(register, instruction);
                joined += 1;
            }
            register = next;
        }
        joined
    }

    fn wait(&mut self, register: u16, instruction: u32) {
        let mshr = &mut self.registers[usize::from(register)];
        self.waiters[usize::from(register) * self.merges + usize::from(mshr.waiters)] = instruction;
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
        self.wait(register, instruction);
        Some(register)
    }

    /// The sectors have come: frees the register and takes it out of the line's, whose first is
    /// `first`. Calls `answer` for each waiter, in order.
    pub(super) fn fill(
        &mut self,
        register: u16,
        first: &mut u16,
        mut answer: impl FnMut(u32),
    ) -> u32 {
        let index = usize::from(register);
        let Mshr {
            sectors,
            next,
            waiters,
            ..
        } = self.registers[index];
        let before = self
            .chain(*first)
            .find(|&before| self.registers[usize::from(before)].next == register);
        match before {
            Some(before) => self.registers[usize::from(before)].next = next,
            None => *first = next,
        }
        self.registers[index].sectors = 0;
        self.free.push(register);
        let start = index * self.merges;
        let waiters = start..start + usize::from(waiters);
        self.waiters[waiters].iter().for_each(|&i| answer(i));
        sectors
    }

    /// The cache's place of a register's line.
    pub(super) fn place(&self, register: u16) -> u32 {
        self.registers[usize::from(register)].place
    }
}
