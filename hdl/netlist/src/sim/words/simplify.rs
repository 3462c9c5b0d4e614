//! Constructors of word operations, which fold constants and drop masks and operands that cannot
//! change the result.

use super::{ones, Word, WordOp, Words};
use WordOp::*;

impl Words {
    pub fn constant(&mut self, value: u64) -> Word {
        self.raw(Const(value))
    }

    pub fn load(&mut self, slot: u32) -> Word {
        self.raw(Load(slot))
    }

    /// Constants come second, else the lower index first.
    fn ordered(&self, a: Word, b: Word) -> (Word, Word) {
        match (self.value(a), self.value(b)) {
            (Some(_), None) => (b, a),
            (None, Some(_)) => (a, b),
            _ => (a.min(b), a.max(b)),
        }
    }

    pub fn and(&mut self, a: Word, b: Word) -> Word {
        let (a, b) = self.ordered(a, b);
        if a == b {
            return a;
        }
        let Some(mask) = self.value(b) else {
            if self.may(a) & self.may(b) == 0 || self.opposite(a, b) {
                return self.constant(0);
            }
            return self.raw(And(a, b));
        };
        let a = self.without(a, !mask);
        if let Some(value) = self.value(a) {
            return self.constant(value & mask);
        }
        let may = self.may(a);
        if may & !mask == 0 {
            return a;
        }
        if may & mask == 0 {
            return self.constant(0);
        }
        match self.op(a) {
            And(x, y) => {
                if let Some(inner) = self.value(y) {
                    let both = self.constant(inner & mask);
                    return self.and(x, both);
                }
            }
            // Bits above the mask do not reach those below.
            Add(x, y) if (mask & mask.wrapping_add(1)) == 0 => {
                let (u, v) = (self.unmasked(x, mask), self.unmasked(y, mask));
                if (u, v) != (x, y) {
                    let sum = self.add(u, v);
                    return self.and(sum, b);
                }
            }
            Sub(x, y) if (mask & mask.wrapping_add(1)) == 0 => {
                let (u, v) = (self.unmasked(x, mask), self.unmasked(y, mask));
                if (u, v) != (x, y) {
                    let difference = self.sub(u, v);
                    return self.and(difference, b);
                }
            }
            _ => {}
        }
        let mask = self.constant(mask & may);
        self.raw(And(a, mask))
    }

    /// The word without those operands that only matter to bits in `ignored`.
    fn without(&self, mut word: Word, ignored: u64) -> Word {
        while let Or(x, y) | Xor(x, y) = self.op(word) {
            word = match (self.may(x) & !ignored, self.may(y) & !ignored) {
                (0, _) => y,
                (_, 0) => x,
                _ => break,
            };
        }
        word
    }

    /// The word without a mask that keeps at least these low bits.
    fn unmasked(&self, word: Word, low: u64) -> Word {
        if let And(inner, mask) = self.op(word) {
            if self.value(mask).is_some_and(|m| m & low == low) {
                return inner;
            }
        }
        word
    }

    /// Flags of which one is the negation of the other.
    fn opposite(&self, a: Word, b: Word) -> bool {
        self.negated(a) == Some(b) || self.negated(b) == Some(a)
    }

    /// The flag that this flag negates.
    pub fn negated(&self, word: Word) -> Option<Word> {
        match self.op(word) {
            Xor(flag, one) if self.value(one) == Some(1) && self.is_flag(flag) => Some(flag),
            _ => None,
        }
    }

    pub fn or(&mut self, a: Word, b: Word) -> Word {
        let (a, b) = self.ordered(a, b);
        if a == b {
            return a;
        }
        if let Some(bits) = self.value(b) {
            if let Some(value) = self.value(a) {
                return self.constant(value | bits);
            }
            if bits == 0 {
                return a;
            }
            if self.may(a) & !bits == 0 {
                return b;
            }
        }
        if self.is_flag(a) && self.is_flag(b) && self.opposite(a, b) {
            return self.constant(1);
        }
        if let (And(x, m), And(y, n)) = (self.op(a), self.op(b)) {
            if let (true, Some(m), Some(n)) = (x == y, self.value(m), self.value(n)) {
                let both = self.constant(m | n);
                return self.and(x, both);
            }
        }
        if let Some(word) = self.joined_choices(a, b) {
            return word;
        }
        self.raw(Or(a, b))
    }

    pub fn xor(&mut self, a: Word, b: Word) -> Word {
        let (a, b) = self.ordered(a, b);
        if a == b {
            return self.constant(0);
        }
        if let Some(bits) = self.value(b) {
            if let Some(value) = self.value(a) {
                return self.constant(value ^ bits);
            }
            if bits == 0 {
                return a;
            }
            if let Xor(x, y) = self.op(a) {
                if let Some(inner) = self.value(y) {
                    let both = self.constant(inner ^ bits);
                    return self.xor(x, both);
                }
            }
        }
        self.raw(Xor(a, b))
    }

    pub fn not(&mut self, word: Word, mask: u64) -> Word {
        let mask = self.constant(mask);
        self.xor(word, mask)
    }

    pub fn add(&mut self, a: Word, b: Word) -> Word {
        let (a, b) = self.ordered(a, b);
        if let Some(y) = self.value(b) {
            if let Some(x) = self.value(a) {
                return self.constant(x.wrapping_add(y));
            }
            if y == 0 {
                return a;
            }
        }
        self.raw(Add(a, b))
    }

    pub fn sub(&mut self, a: Word, b: Word) -> Word {
        if a == b {
            return self.constant(0);
        }
        if let Some(y) = self.value(b) {
            if let Some(x) = self.value(a) {
                return self.constant(x.wrapping_sub(y));
            }
            if y == 0 {
                return a;
            }
        }
        self.raw(Sub(a, b))
    }

    pub fn mul(&mut self, a: Word, b: Word) -> Word {
        let (a, b) = self.ordered(a, b);
        if let Some(y) = self.value(b) {
            if let Some(x) = self.value(a) {
                return self.constant(x.wrapping_mul(y));
            }
            if y == 0 {
                return b;
            }
            if y.is_power_of_two() {
                return self.shl(a, y.trailing_zeros() as usize);
            }
        }
        self.raw(Mul(a, b))
    }

    pub fn mul_high(&mut self, a: Word, b: Word) -> Word {
        let (a, b) = self.ordered(a, b);
        if self.may(a).checked_mul(self.may(b)).is_some() {
            return self.constant(0);
        }
        self.raw(MulHigh(a, b))
    }

    pub fn eq(&mut self, a: Word, b: Word) -> Word {
        let (a, b) = self.ordered(a, b);
        if a == b {
            return self.constant(1);
        }
        let Some(value) = self.value(b) else {
            return self.raw(Eq(a, b));
        };
        if let Some(x) = self.value(a) {
            return self.constant(u64::from(x == value));
        }
        if value & !self.may(a) != 0 {
            return self.constant(0);
        }
        if self.is_flag(a) {
            return if value == 1 { a } else { self.not(a, 1) };
        }
        match self.op(a) {
            Xor(x, y) => {
                if let Some(flipped) = self.value(y) {
                    let value = self.constant(value ^ flipped);
                    return self.eq(x, value);
                }
            }
            // Comparing a field in place saves its shift.
            And(x, y) => {
                if let (Shr(x, by), Some(mask)) = (self.op(x), self.value(y)) {
                    let in_place = mask << by;
                    if in_place < 1 << 31 {
                        let mask = self.constant(in_place);
                        let field = self.and(x, mask);
                        let value = self.constant(value << by);
                        return self.eq(field, value);
                    }
                }
            }
            Shr(x, by) if self.may(x) < 1 << 31 && self.may(x) & ones(by.into()) == 0 => {
                let value = self.constant(value << by);
                return self.eq(x, value);
            }
            _ => {}
        }
        self.raw(Eq(a, b))
    }

    pub fn less(&mut self, a: Word, b: Word) -> Word {
        if a == b || self.value(b) == Some(0) || self.value(a).is_some_and(|x| x >= self.may(b)) {
            return self.constant(0);
        }
        if self.value(b).is_some_and(|y| self.may(a) < y) {
            return self.constant(1);
        }
        if let (Some(x), Some(y)) = (self.value(a), self.value(b)) {
            return self.constant(u64::from(x < y));
        }
        self.raw(Less(a, b))
    }

    pub fn select(&mut self, c: Word, a: Word, b: Word) -> Word {
        if let Some(c) = self.value(c) {
            return if c == 0 { b } else { a };
        }
        if a == b {
            return a;
        }
        if let Some(flag) = self.negated(c) {
            return self.select(flag, b, a);
        }
        if self.is_flag(a) && self.is_flag(b) {
            match (self.value(a), self.value(b)) {
                (Some(_), Some(v)) => return if v == 0 { c } else { self.not(c, 1) },
                (None, Some(0)) => return self.and(c, a),
                (Some(1), None) => return self.or(c, b),
                (None, Some(_)) => {
                    let n = self.not(c, 1);
                    return self.or(n, a);
                }
                (Some(_), None) => {
                    let n = self.not(c, 1);
                    return self.and(n, b);
                }
                (None, None) => {}
            }
        }
        if let Select(same, x, _) = self.op(a) {
            if same == c {
                return self.select(c, x, b);
            }
        }
        if let Select(same, _, y) = self.op(b) {
            if same == c {
                return self.select(c, a, y);
            }
        }
        // `if c { p |= q }`: chains of these become sums that need no order.
        if let Or(x, y) = self.op(a) {
            for (kept, added) in [(x, y), (y, x)] {
                if kept == b {
                    let zero = self.constant(0);
                    let added = self.select(c, added, zero);
                    return self.or(kept, added);
                }
            }
        }
        self.chosen(c, a, b)
    }

    pub(super) fn raw_select(&mut self, c: Word, a: Word, b: Word) -> Word {
        self.raw(Select(c, a, b))
    }

    /// Shifts of 64 and more give zero.
    pub fn shl(&mut self, a: Word, by: usize) -> Word {
        if by == 0 {
            return a;
        }
        if by >= 64 {
            return self.constant(0);
        }
        let moved = self.may(a) << by;
        match self.op(a) {
            Const(v) => return self.constant(v << by),
            Shl(x, inner) => return self.shl(x, by + inner as usize),
            // Moving a field up undoes the move down, at least in part.
            Shr(x, down) => {
                let (down, mask) = (down as usize, self.constant(moved));
                let word = if down >= by {
                    self.shr(x, down - by)
                } else {
                    self.shl(x, by - down)
                };
                return self.and(word, mask);
            }
            And(x, m) => {
                if let (Shr(x, down), true) = (self.op(x), self.value(m).is_some()) {
                    let (down, mask) = (down as usize, self.constant(moved));
                    let word = if down >= by {
                        self.shr(x, down - by)
                    } else {
                        self.shl(x, by - down)
                    };
                    return self.and(word, mask);
                }
            }
            _ => {}
        }
        self.raw(Shl(a, by as u8))
    }

    /// Shifts of 64 and more give zero.
    pub fn shr(&mut self, a: Word, by: usize) -> Word {
        if by == 0 {
            return a;
        }
        if by >= 64 || self.may(a) >> by == 0 {
            return self.constant(0);
        }
        let a = self.without(a, ones(by));
        match self.op(a) {
            Const(v) => return self.constant(v >> by),
            Shr(x, inner) => return self.shr(x, by + inner as usize),
            And(x, m) => {
                if let Some(mask) = self.value(m) {
                    let (x, mask) = (self.shr(x, by), self.constant(mask >> by));
                    return self.and(x, mask);
                }
            }
            Shl(x, up) => {
                let up = up as usize;
                let kept = self.constant(self.may(a) >> by);
                let word = if up >= by {
                    self.shl(x, up - by)
                } else {
                    self.shr(x, by - up)
                };
                return self.and(word, kept);
            }
            _ => {}
        }
        self.raw(Shr(a, by as u8))
    }

    /// A shift whose operand keeps its mask, since others need it as it is.
    pub(super) fn plain_shr(&mut self, a: Word, by: usize) -> Word {
        if self.may(a) >> by == 0 {
            self.constant(0)
        } else {
            self.raw(Shr(a, by as u8))
        }
    }

    /// By the amount modulo 64.
    pub fn shl_by(&mut self, a: Word, by: Word) -> Word {
        match self.value(by) {
            Some(by) => self.shl(a, by as usize & 63),
            None => self.raw(ShlBy(a, by)),
        }
    }

    /// By the amount modulo 64.
    pub fn shr_by(&mut self, a: Word, by: Word) -> Word {
        match self.value(by) {
            Some(by) => self.shr(a, by as usize & 63),
            None => self.raw(ShrBy(a, by)),
        }
    }

    pub fn popcount(&mut self, a: Word) -> Word {
        if let Some(value) = self.value(a) {
            return self.constant(u64::from(value.count_ones()));
        }
        if self.is_flag(a) {
            return a;
        }
        self.raw(Popcount(a))
    }

    /// `width` bits from `low`, at most 64 in all.
    pub fn field(&mut self, a: Word, low: usize, width: usize) -> Word {
        let (moved, mask) = (self.shr(a, low), self.constant(ones(width)));
        self.and(moved, mask)
    }
}
