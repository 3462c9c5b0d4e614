//! The design in operations on words of 64 bits, for every engine to run.
//!
//! Nets of any width become words here ([`mod@lower`]), so that the engines see
//! nothing else. Words are hash-consed; the constructors simplify with the
//! help of what is known about each word: the bits that may be set.

mod lower;
mod pack;
mod simplify;
mod table;

pub(super) use lower::lower;
pub(super) use table::Run;

use std::collections::HashMap;
use table::Choices;

/// Index of a word; operands come before their users.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Word(pub u32);

impl Word {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a word holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum WordOp {
    Const(u64),
    /// A word of the memory as it was before the edge.
    Load(u32),
    And(Word, Word),
    Or(Word, Word),
    Xor(Word, Word),
    Add(Word, Word),
    Sub(Word, Word),
    Mul(Word, Word),
    /// High half of the product.
    MulHigh(Word, Word),
    /// 1 if equal, else 0.
    Eq(Word, Word),
    /// 1 if less, unsigned, else 0.
    Less(Word, Word),
    /// The second if the first, which is 0 or 1, is 1, else the third.
    Select(Word, Word, Word),
    /// By less than 64.
    Shl(Word, u8),
    /// By less than 64.
    Shr(Word, u8),
    /// By the second modulo 64.
    ShlBy(Word, Word),
    /// By the second modulo 64.
    ShrBy(Word, Word),
    Popcount(Word),
    /// The word of the memory at `run`, chosen by the word modulo the length.
    Table(Run, Word),
}

impl WordOp {
    /// Calls `f` for each operand.
    pub fn operands(self, mut f: impl FnMut(Word)) {
        use WordOp::*;
        match self {
            Const(_) | Load(_) => {}
            Shl(a, _) | Shr(a, _) | Popcount(a) | Table(_, a) => f(a),
            And(a, b)
            | Or(a, b)
            | Xor(a, b)
            | Add(a, b)
            | Sub(a, b)
            | Mul(a, b)
            | MulHigh(a, b)
            | Eq(a, b)
            | Less(a, b)
            | ShlBy(a, b)
            | ShrBy(a, b) => {
                f(a);
                f(b);
            }
            Select(a, b, c) => {
                f(a);
                f(b);
                f(c);
            }
        }
    }

    /// Calls `f` for each word of the memory that it reads by itself.
    pub fn loads(self, mut f: impl FnMut(u32)) {
        match self {
            WordOp::Load(slot) => f(slot),
            WordOp::Table(run, _) => run.slots().for_each(f),
            _ => {}
        }
    }
}

/// All bits below `n`, at most 64.
pub(super) fn ones(n: usize) -> u64 {
    match n {
        0 => 0,
        1..=63 => (1 << n) - 1,
        _ => u64::MAX,
    }
}

/// All bits up to the highest one of `may`.
fn below_top(may: u64) -> u64 {
    ones(64 - may.leading_zeros() as usize)
}

/// Hash-consed words.
#[derive(Debug, Default)]
pub(super) struct Words {
    ops: Vec<WordOp>,
    may: Vec<u64>,
    known: HashMap<WordOp, Word>,
    /// Bits that may be set in each word of the memory.
    masks: Vec<u64>,
    /// Words that are one of several choices, decided by a selector.
    choices: HashMap<Word, Choices>,
    /// Words that choose from a run of the memory, not yet worth a table.
    runs: HashMap<Word, (Run, Word)>,
}

impl Words {
    /// No word yet, over a memory with these bits.
    pub fn new(masks: Vec<u64>) -> Words {
        Words {
            masks,
            ..Words::default()
        }
    }

    pub fn len(&self) -> usize {
        self.ops.len()
    }

    pub fn op(&self, word: Word) -> WordOp {
        self.ops[word.index()]
    }

    /// The bits that may be set; also an upper bound of the value.
    pub fn may(&self, word: Word) -> u64 {
        self.may[word.index()]
    }

    /// The value of a constant.
    pub fn value(&self, word: Word) -> Option<u64> {
        match self.op(word) {
            WordOp::Const(value) => Some(value),
            _ => None,
        }
    }

    /// Whether it is 0 or 1.
    pub fn is_flag(&self, word: Word) -> bool {
        self.may(word) <= 1
    }

    fn raw(&mut self, op: WordOp) -> Word {
        if let Some(&word) = self.known.get(&op) {
            return word;
        }
        let may = self.may_of(op);
        if may == 0 && op != WordOp::Const(0) {
            return self.constant(0);
        }
        let word = Word(self.ops.len() as u32);
        self.ops.push(op);
        self.may.push(may);
        self.known.insert(op, word);
        word
    }

    fn may_of(&self, op: WordOp) -> u64 {
        use WordOp::*;
        let may = |w: Word| self.may(w);
        match op {
            Const(v) => v,
            Load(slot) => self.mask(slot),
            And(a, b) => may(a) & may(b),
            Or(a, b) | Xor(a, b) | Select(_, a, b) => may(a) | may(b),
            Add(a, b) => match may(a).checked_add(may(b)) {
                Some(most) => below_top(most),
                None => u64::MAX,
            },
            Sub(..) | MulHigh(..) | ShlBy(..) => u64::MAX,
            Mul(a, b) => match may(a).checked_mul(may(b)) {
                Some(most) => below_top(most),
                None => u64::MAX,
            },
            Eq(..) | Less(..) => 1,
            Shl(a, by) => may(a) << by,
            Shr(a, by) => may(a) >> by,
            ShrBy(a, _) => below_top(may(a)),
            Popcount(a) => below_top(u64::from(may(a).count_ones())),
            Table(run, _) => run.slots().map(|s| self.mask(s)).fold(0, |a, b| a | b),
        }
    }

    /// RAM words are beyond the masks.
    fn mask(&self, slot: u32) -> u64 {
        self.masks.get(slot as usize).copied().unwrap_or(u64::MAX)
    }
}
