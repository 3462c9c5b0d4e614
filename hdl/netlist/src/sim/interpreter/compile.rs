//! Compiles a plan to bytecode: allocates temporaries and fuses instructions.

use super::{Code, Instruction, Program};
use crate::sim::plan::{Plan, Step};
use crate::sim::words::{Run, Word, WordOp};
use std::collections::HashMap;

/// Compiles a plan over a memory of which `first` words are the design's.
pub(in crate::sim) fn compile(plan: &Plan, first: usize) -> Program {
    let mut compiler = Compiler::new(plan, first);
    compiler.survey(&plan.steps);
    compiler.fuse(&plan.steps);
    // Again, now that some words are computed later than planned.
    compiler.uses.iter_mut().for_each(|u| u.count = 0);
    compiler.position = 0;
    compiler.survey(&plan.steps);
    compiler.position = 0;
    compiler.steps(&plan.steps);
    compiler.emit(Code::Return, 0, [0; 3]);
    compiler.finish()
}

/// How often and where a word is used.
#[derive(Clone, Copy, Default)]
struct Use {
    count: u32,
    /// Position of the last use.
    last: u32,
    /// Stretch of code without stores or jumps that computes it.
    stretch: u32,
    /// The one word that uses it computes it, too.
    fused: bool,
    /// The operand that is computed along with it.
    inner: Option<Word>,
}

struct Compiler<'a> {
    plan: &'a Plan,
    /// Words of the memory that are the design's.
    first: u32,
    uses: Vec<Use>,
    places: Vec<Option<u32>>,
    constants: HashMap<u64, u32>,
    runs: HashMap<Run, u32>,
    free: Vec<u32>,
    next: u32,
    position: u32,
    stretch: u32,
    program: Program,
}

impl<'a> Compiler<'a> {
    fn new(plan: &'a Plan, first: usize) -> Compiler<'a> {
        let n = plan.words.len();
        Compiler {
            plan,
            first: first as u32,
            uses: vec![Use::default(); n],
            places: vec![None; n],
            constants: HashMap::new(),
            runs: HashMap::new(),
            free: Vec::new(),
            next: first as u32,
            position: 0,
            stretch: 0,
            program: Program {
                instructions: Vec::new(),
                runs: Vec::new(),
                words: first,
                constants: Vec::new(),
            },
        }
    }

    /// Whether a word is computed by an instruction, not read in place.
    fn computed(&self, word: Word) -> bool {
        match self.plan.words.op(word) {
            WordOp::Const(_) => false,
            WordOp::Load(_) => self.plan.early.contains(&word),
            _ => true,
        }
    }

    /// What the instruction that computes a word reads: of the operand that
    /// is computed along with it, its operands, first.
    fn operands(&self, word: Word) -> Vec<Word> {
        let inner = self.uses[word.index()].inner;
        let mut operands = Vec::new();
        if let Some(inner) = inner {
            self.plan.words.op(inner).operands(|o| operands.push(o));
        }
        self.plan.words.op(word).operands(|o| {
            if Some(o) != inner {
                operands.push(o);
            }
        });
        operands
    }

    fn used(&mut self, word: Word, position: u32) {
        let used = &mut self.uses[word.index()];
        used.count += 1;
        used.last = position;
    }

    /// Counts the uses.
    fn survey(&mut self, steps: &[Step]) {
        for step in steps {
            self.position += 1;
            let position = self.position;
            match step {
                Step::Compute(word) => {
                    self.uses[word.index()].stretch = self.stretch;
                    if !self.uses[word.index()].fused {
                        self.operands(*word)
                            .into_iter()
                            .for_each(|o| self.used(o, position));
                    }
                }
                Step::Store(_, word) => {
                    self.stretch += 1;
                    self.used(*word, position);
                }
                Step::StoreAt(_, index, word) => {
                    self.stretch += 1;
                    self.used(*index, position);
                    self.used(*word, position);
                }
                Step::If {
                    flag,
                    then,
                    otherwise,
                } => {
                    self.used(*flag, position);
                    for arm in [then, otherwise] {
                        self.stretch += 1;
                        self.survey(arm);
                    }
                    self.stretch += 1;
                }
            }
        }
    }

    /// Marks words that are computed by the one instruction that uses them.
    fn fuse(&mut self, steps: &[Step]) {
        for step in steps {
            match step {
                Step::Compute(word) => {
                    let inner = self.inner(*word);
                    self.uses[word.index()].inner = inner;
                    if let Some(inner) = inner {
                        self.uses[inner.index()].fused = true;
                    }
                }
                Step::If {
                    then, otherwise, ..
                } => {
                    self.fuse(then);
                    self.fuse(otherwise);
                }
                Step::Store(..) | Step::StoreAt(..) => {}
            }
        }
    }

    /// The operand that is computed along with this word.
    fn inner(&self, word: Word) -> Option<Word> {
        let words = &self.plan.words;
        let alone = |o: Word| {
            let (own, other) = (self.uses[word.index()], self.uses[o.index()]);
            // No chains: the inner one is computed by one instruction, too.
            let simple = other.inner.is_none() && !other.fused;
            self.computed(o) && simple && other.count == 1 && other.stretch == own.stretch
        };
        match words.op(word) {
            WordOp::And(a, b) => match (words.op(a), words.value(b)) {
                (WordOp::Shr(..) | WordOp::Add(..) | WordOp::Sub(..), Some(mask))
                    if mask & mask.wrapping_add(1) == 0 && alone(a) =>
                {
                    Some(a)
                }
                (_, Some(_)) => None,
                _ => [a, b]
                    .into_iter()
                    .find(|&o| matches!(words.op(o), WordOp::Eq(..)) && alone(o)),
            },
            WordOp::Or(a, b) => [a, b]
                .into_iter()
                .find(|&o| matches!(words.op(o), WordOp::Shl(..)) && alone(o)),
            _ => None,
        }
    }

    fn emit(&mut self, code: Code, d: u32, [a, b, c]: [u32; 3]) -> usize {
        self.program.instructions.push(Instruction {
            code,
            x: 0,
            y: 0,
            d,
            a,
            b,
            c,
        });
        self.program.instructions.len() - 1
    }

    fn place(&mut self, word: Word) -> u32 {
        if let Some(place) = self.places[word.index()] {
            return place;
        }
        match self.plan.words.op(word) {
            WordOp::Load(slot) => slot,
            WordOp::Const(value) => {
                let next = &mut self.next;
                *self.constants.entry(value).or_insert_with(|| {
                    *next += 1;
                    *next - 1
                })
            }
            _ => unreachable!("operands are computed before their users"),
        }
    }

    fn run(&mut self, run: Run) -> u32 {
        let next = self.runs.len() as u32;
        *self.runs.entry(run).or_insert_with(|| {
            self.program.runs.push(run);
            next
        })
    }

    fn steps(&mut self, steps: &[Step]) {
        for (i, step) in steps.iter().enumerate() {
            match step {
                Step::Compute(word) if self.uses[word.index()].fused => self.advance(&[]),
                Step::Compute(word) => {
                    // Straight into the register, if that comes next.
                    let target = match steps.get(i + 1) {
                        Some(Step::Store(slot, stored))
                            if stored == word && self.uses[word.index()].count == 1 =>
                        {
                            Some(*slot)
                        }
                        _ => None,
                    };
                    self.compute(*word, target);
                }
                Step::Store(slot, word) => {
                    let from = self.place(*word);
                    if from != *slot {
                        self.emit(Code::Copy, *slot, [from, 0, 0]);
                    }
                    self.advance(&[*word]);
                }
                Step::StoreAt(run, index, word) => {
                    let (index_at, word_at) = (self.place(*index), self.place(*word));
                    let run = self.run(*run);
                    self.emit(Code::StoreAt, 0, [index_at, word_at, run]);
                    self.advance(&[*index, *word]);
                }
                Step::If {
                    flag,
                    then,
                    otherwise,
                } => {
                    let flag_at = self.place(*flag);
                    let unless = self.emit(Code::Unless, 0, [flag_at, 0, 0]);
                    self.advance(&[*flag]);
                    self.steps(then);
                    let jump = (!otherwise.is_empty()).then(|| self.emit(Code::Jump, 0, [0; 3]));
                    self.program.instructions[unless].d = self.program.len() as u32;
                    self.steps(otherwise);
                    if let Some(jump) = jump {
                        self.program.instructions[jump].d = self.program.len() as u32;
                    }
                }
            }
        }
    }

    /// Goes on to the next step and frees what was used for the last time.
    fn advance(&mut self, operands: &[Word]) {
        self.position += 1;
        for (i, &word) in operands.iter().enumerate() {
            let last = self.uses[word.index()].last <= self.position;
            if last && self.computed(word) && !operands[..i].contains(&word) {
                if let Some(place) = self.places[word.index()].filter(|&p| p >= self.first) {
                    self.free.push(place);
                }
            }
        }
    }

    fn compute(&mut self, word: Word, target: Option<u32>) {
        let words = &self.plan.words;
        let inner = self.uses[word.index()].inner;
        let operands = self.operands(word);
        let at: Vec<u32> = operands.iter().map(|&o| self.place(o)).collect();
        self.advance(&operands);
        let d = match target {
            Some(slot) => slot,
            None => self.free.pop().unwrap_or_else(|| {
                self.next += 1;
                self.next - 1
            }),
        };
        self.places[word.index()] = Some(d);
        let arg = |k: usize| at.get(k).copied().unwrap_or(0);
        let (mut x, mut y, mut args) = (0, 0, [arg(0), arg(1), arg(2)]);
        let trim = |word| match words.op(word) {
            WordOp::And(_, mask) => words.value(mask).map_or(64, |m| m.trailing_ones() as u8),
            _ => 64,
        };
        let code = match (words.op(word), inner.map(|o| words.op(o))) {
            (WordOp::And(..), Some(WordOp::Shr(_, by))) => {
                (x, y) = (by, trim(word));
                Code::Field
            }
            (WordOp::And(..), Some(WordOp::Add(..))) => {
                x = trim(word);
                Code::AddTrim
            }
            (WordOp::And(..), Some(WordOp::Sub(..))) => {
                x = trim(word);
                Code::SubTrim
            }
            (WordOp::And(..), Some(_)) => Code::AndEq,
            (WordOp::Or(..), Some(WordOp::Shl(_, by))) => {
                x = by;
                args = [arg(1), arg(0), 0];
                Code::OrShl
            }
            (op, _) => match op {
                WordOp::Const(_) => Code::Copy,
                WordOp::Load(slot) => {
                    args[0] = slot;
                    Code::Copy
                }
                WordOp::And(..) => Code::And,
                WordOp::Or(..) => Code::Or,
                WordOp::Xor(..) => Code::Xor,
                WordOp::Add(..) => Code::Add,
                WordOp::Sub(..) => Code::Sub,
                WordOp::Mul(..) => Code::Mul,
                WordOp::MulHigh(..) => Code::MulHigh,
                WordOp::Eq(..) => Code::Eq,
                WordOp::Less(..) => Code::Less,
                WordOp::Select(..) => Code::Select,
                WordOp::Shl(_, by) => {
                    x = by;
                    Code::Shl
                }
                WordOp::Shr(_, by) => {
                    x = by;
                    Code::Shr
                }
                WordOp::ShlBy(..) => Code::ShlBy,
                WordOp::ShrBy(..) => Code::ShrBy,
                WordOp::Popcount(_) => Code::Popcount,
                WordOp::Table(run, _) => {
                    args[2] = self.run(run);
                    Code::Table
                }
            },
        };
        let i = self.emit(code, d, args);
        let instruction = &mut self.program.instructions[i];
        (instruction.x, instruction.y) = (x, y);
    }

    fn finish(mut self) -> Program {
        // Instructions without operands name word 0.
        self.program.words = self.next.max(1) as usize;
        self.program.constants = self.constants.iter().map(|(v, at)| (*at, *v)).collect();
        let words = self.program.words;
        let n = self.program.len() as u32;
        // What the unchecked accesses of `run` rely on.
        for i in &self.program.instructions {
            let jump = matches!(i.code, Code::Unless | Code::Jump);
            let run = matches!(i.code, Code::Table | Code::StoreAt);
            assert!(if jump {
                i.d < n
            } else {
                (i.d as usize) < words
            });
            assert!((i.a as usize) < words && (i.b as usize) < words);
            assert!(if run {
                (i.c as usize) < self.program.runs.len()
            } else {
                (i.c as usize) < words
            });
        }
        assert!(self.program.runs.iter().all(|r| r.end() <= words));
        self.program
    }
}
