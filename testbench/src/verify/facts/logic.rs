//! What formulas are made of, whoever proves them.

/// A value of so many bits in a [`Logic`], by its number there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Term(pub u32);

/// Makes values of fixed widths. Operands have the same width unless said otherwise.
pub trait Logic: std::fmt::Debug {
    /// Width of a value in bits.
    fn width(&self, value: Term) -> usize;
    /// Significant bits of a value that is known to be a constant.
    fn constant_bits(&self, value: Term) -> Option<usize>;
    /// A number that fits the width.
    fn number(&mut self, number: u64, width: usize) -> Term;
    /// All ones.
    fn ones(&mut self, width: usize) -> Term;
    /// `width` bits from bit `low` up.
    fn slice(&mut self, value: Term, low: usize, width: usize) -> Term;
    /// Values one after the other, the first in the low bits.
    fn cat(&mut self, values: Vec<Term>) -> Term;
    /// The same number in so many bits: zeros are added, high bits dropped.
    fn resize(&mut self, value: Term, width: usize) -> Term;
    /// Bitwise not.
    fn not(&mut self, value: Term) -> Term;
    /// Bitwise and.
    fn and(&mut self, a: Term, b: Term) -> Term;
    /// Bitwise or.
    fn or(&mut self, a: Term, b: Term) -> Term;
    /// Sum modulo two to the width.
    fn add(&mut self, a: Term, b: Term) -> Term;
    /// One bit: they are equal.
    fn eq(&mut self, a: Term, b: Term) -> Term;
    /// One bit: the first is less, unsigned.
    fn less(&mut self, a: Term, b: Term) -> Term;
    /// The second if the first (one bit) is set, else the third.
    fn mux(&mut self, condition: Term, one: Term, other: Term) -> Term;
}
