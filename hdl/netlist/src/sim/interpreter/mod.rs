//! The bytecode interpreter, which runs every design on every machine.

mod compile;

use super::words::Run;

pub(super) use compile::compile;

/// What an instruction does; `d`, `a`, `b`, `c` are words of the memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
enum Code {
    /// d = a
    Copy,
    And,
    Or,
    Xor,
    Add,
    /// d = (a + b) & ones(x)
    AddTrim,
    Sub,
    /// d = (a - b) & ones(x)
    SubTrim,
    Mul,
    MulHigh,
    Eq,
    Less,
    /// d = if a { b } else { c }
    Select,
    /// d = a << x
    Shl,
    /// d = a >> x
    Shr,
    ShlBy,
    ShrBy,
    /// d = (a >> x) & ones(y)
    Field,
    /// d = a | b << x
    OrShl,
    /// d = c & (a == b)
    AndEq,
    Popcount,
    /// d = the word at a of the run c
    Table,
    /// the word at a of the run c = b
    StoreAt,
    /// to d if a is zero
    Unless,
    /// to d
    Jump,
    Return,
}

/// One instruction of 20 bytes.
#[derive(Clone, Copy, Debug)]
struct Instruction {
    code: Code,
    x: u8,
    y: u8,
    d: u32,
    a: u32,
    b: u32,
    c: u32,
}

/// Bytecode over a memory of a fixed number of words.
#[derive(Debug)]
pub(super) struct Program {
    instructions: Vec<Instruction>,
    runs: Vec<Run>,
    /// Words of the memory, constants and temporaries included.
    words: usize,
    /// Values of words that the program only reads.
    constants: Vec<(u32, u64)>,
}

impl Program {
    /// Words of the memory that [`Program::run`] needs.
    pub fn words(&self) -> usize {
        self.words
    }

    /// Number of instructions.
    pub fn len(&self) -> usize {
        self.instructions.len()
    }

    /// Writes the constants.
    pub fn prepare(&self, memory: &mut [u64]) {
        for &(at, value) in &self.constants {
            memory[at as usize] = value;
        }
    }

    /// Runs it once.
    ///
    /// # Panics
    /// If the memory is smaller than [`Program::words`].
    pub fn run(&self, memory: &mut [u64]) {
        assert!(memory.len() >= self.words, "memory of another program");
        let m = memory.as_mut_ptr();
        let mut pc = 0;
        // SAFETY: `compile` has checked that every operand is below
        // `self.words`, that table accesses stay below it, that every jump
        // lands on an instruction, and that the last one is a return or jump;
        // the memory is at least that large, as asserted above.
        unsafe {
            loop {
                let i = self.instructions.get_unchecked(pc);
                pc += 1;
                let at = |w: u32| *m.add(w as usize);
                let value = match i.code {
                    Code::Copy => at(i.a),
                    Code::And => at(i.a) & at(i.b),
                    Code::Or => at(i.a) | at(i.b),
                    Code::Xor => at(i.a) ^ at(i.b),
                    Code::Add => at(i.a).wrapping_add(at(i.b)),
                    Code::AddTrim => at(i.a).wrapping_add(at(i.b)) & u64::MAX >> (64 - i.x),
                    Code::Sub => at(i.a).wrapping_sub(at(i.b)),
                    Code::SubTrim => at(i.a).wrapping_sub(at(i.b)) & u64::MAX >> (64 - i.x),
                    Code::Mul => at(i.a).wrapping_mul(at(i.b)),
                    Code::MulHigh => ((u128::from(at(i.a)) * u128::from(at(i.b))) >> 64) as u64,
                    Code::Eq => u64::from(at(i.a) == at(i.b)),
                    Code::Less => u64::from(at(i.a) < at(i.b)),
                    Code::Select => {
                        let (b, c) = (at(i.b), at(i.c));
                        if at(i.a) != 0 {
                            b
                        } else {
                            c
                        }
                    }
                    Code::Shl => at(i.a) << (i.x & 63),
                    Code::Shr => at(i.a) >> (i.x & 63),
                    Code::ShlBy => at(i.a) << (at(i.b) & 63),
                    Code::ShrBy => at(i.a) >> (at(i.b) & 63),
                    Code::Field => at(i.a) >> (i.x & 63) & u64::MAX >> (64 - i.y),
                    Code::OrShl => at(i.a) | at(i.b) << (i.x & 63),
                    Code::AndEq => at(i.c) & u64::from(at(i.a) == at(i.b)),
                    Code::Popcount => u64::from(at(i.a).count_ones()),
                    Code::Table => {
                        let run = self.runs.get_unchecked(i.c as usize);
                        *m.add(run.at(at(i.a)))
                    }
                    Code::StoreAt => {
                        let run = self.runs.get_unchecked(i.c as usize);
                        *m.add(run.at(at(i.a))) = at(i.b);
                        continue;
                    }
                    Code::Unless => {
                        if at(i.a) == 0 {
                            pc = i.d as usize;
                        }
                        continue;
                    }
                    Code::Jump => {
                        pc = i.d as usize;
                        continue;
                    }
                    Code::Return => return,
                };
                *m.add(i.d as usize) = value;
            }
        }
    }
}
