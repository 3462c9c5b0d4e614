//! Formulas over the ports and flops of a unit.

use std::collections::HashMap;

use super::logic::{Logic, Term};
use crate::verify::interface::Port;

/// Builds formulas: values of ports and flops, and operations on them.
///
/// A formula is a term of one bit. Names that the unit does not have make the whole proof fail.
#[derive(Debug)]
pub struct Terms<'a> {
    logic: &'a mut dyn Logic,
    ports: HashMap<&'static str, (Port, Term)>,
    flops: HashMap<String, Term>,
    /// In front of the names of flops: empty, or with a dot at its end.
    path: String,
    missing: Vec<String>,
}

impl<'a> Terms<'a> {
    /// Over these ports and flops, whose values are terms of `logic`.
    pub fn new(
        logic: &'a mut dyn Logic,
        ports: impl IntoIterator<Item = (Port, Term)>,
        flops: impl IntoIterator<Item = (String, Term)>,
    ) -> Self {
        let ports = ports.into_iter();
        Self {
            logic,
            ports: ports
                .map(|(port, term)| (port.name, (port, term)))
                .collect(),
            flops: flops.into_iter().collect(),
            path: String::new(),
            missing: Vec::new(),
        }
    }

    /// Speaks of a part of the unit, whose flops are below `path`, with a dot at its end.
    pub fn within<T>(&mut self, path: &str, speak: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.path.len();
        self.path += path;
        let said = speak(self);
        self.path.truncate(outer);
        said
    }

    /// Speaks of a flop, if it is one of the part below `path`, by its name there.
    pub fn flop_within<T>(
        &mut self,
        path: &str,
        flop: &str,
        speak: impl FnOnce(&str, &mut Self) -> Option<T>,
    ) -> Option<T> {
        let flop = flop.strip_prefix(path)?;
        self.within(path, |terms| speak(flop, terms))
    }

    /// Names that were asked for and are not there.
    pub fn missing(&self) -> &[String] {
        &self.missing
    }

    /// Notes that something is not there.
    pub fn lack(&mut self, what: impl Into<String>) {
        self.missing.push(what.into());
    }

    fn lacking(&mut self, name: String) -> Term {
        self.lack(name);
        self.constant(false)
    }

    /// Whether there is such a port.
    pub(super) fn has_port(&self, name: &str) -> bool {
        self.ports.contains_key(name)
    }

    /// Value of a port.
    pub fn port(&mut self, name: &'static str) -> Term {
        match self.ports.get(name) {
            Some((_, node)) => *node,
            None => self.lacking(name.into()),
        }
    }

    /// An element of a packed port.
    pub fn element(&mut self, name: &'static str, index: usize) -> Term {
        match self.ports.get(name) {
            Some((port, node)) if index < port.elements => {
                let width = port.element_width;
                self.logic.slice(*node, index * width, width)
            }
            _ => self.lacking(format!("{name}[{index}]")),
        }
    }

    /// Value of a flop, by its name in the hardware.
    pub fn flop(&mut self, name: &str) -> Term {
        let name = format!("{}{name}", self.path);
        match self.flops.get(&name) {
            Some(node) => *node,
            None => self.lacking(name),
        }
    }

    /// What a port, input or output, had in the cycle before; 0 at power-up.
    pub fn before(&mut self, port: &str) -> Term {
        let name = format!("before {port}");
        match self.flops.get(&name) {
            Some(node) => *node,
            None => self.lacking(name),
        }
    }

    /// These ports have what they had in the cycle before.
    pub fn unchanged(&mut self, ports: &[&'static str]) -> Term {
        let same: Vec<Term> = (ports.iter())
            .map(|&name| {
                let [then, now] = [self.before(name), self.port(name)];
                self.equal(then, now)
            })
            .collect();
        self.all(same)
    }

    /// The word of a RAM that is spoken of, by the RAM's name in the hardware.
    pub fn ram(&mut self, name: &str) -> Term {
        self.flop(name)
    }

    /// From now on names of RAMs stand for these words: [`ram`](Self::ram).
    pub fn speak_of_words(&mut self, words: impl IntoIterator<Item = (String, Term)>) {
        self.flops.extend(words);
    }

    /// Values of several flops.
    pub fn flops<const N: usize>(&mut self, names: [&str; N]) -> [Term; N] {
        names.map(|name| self.flop(name))
    }

    /// Of each two of these values of the same width, none has a bit in common with the other.
    pub fn all_disjoint(&mut self, values: &[Term]) -> Vec<Term> {
        let pairs = (0..values.len()).flat_map(|a| (0..a).map(move |b| (values[a], values[b])));
        pairs.map(|(a, b)| self.disjoint(a, b)).collect()
    }

    /// The bits of a value, the lowest first.
    pub fn bits(&mut self, value: Term, count: usize) -> Vec<Term> {
        (0..count).map(|bit| self.bit(value, bit)).collect()
    }

    /// Bits of a value, from this one up.
    pub fn slice(&mut self, value: Term, low: usize, width: usize) -> Term {
        self.logic.slice(value, low, width)
    }

    /// The value of these bits, the lowest first.
    pub fn word(&mut self, bits: Vec<Term>) -> Term {
        self.logic.cat(bits)
    }

    /// True or false.
    pub fn constant(&mut self, value: bool) -> Term {
        self.logic.number(value.into(), 1)
    }

    /// A number, as wide as it has to be.
    pub fn number(&mut self, number: u64) -> Term {
        let width = u64::BITS - number.max(1).leading_zeros();
        self.logic.number(number, width as usize)
    }

    /// Both, as wide as the wider one.
    fn alike(&mut self, a: Term, b: Term) -> [Term; 2] {
        let width = self.logic.width(a).max(self.logic.width(b));
        [a, b].map(|value| self.logic.resize(value, width))
    }

    /// Two values of any widths are equal.
    pub fn same(&mut self, a: Term, b: Term) -> Term {
        let [a, b] = self.alike(a, b);
        self.logic.eq(a, b)
    }

    /// A value is less than another of any width. A bound that the other value has too few bits to
    /// reach gives a constant.
    pub fn lower(&mut self, a: Term, b: Term) -> Term {
        if self.out_of_reach(b, a) {
            return self.constant(true);
        }
        if self.out_of_reach(a, b) {
            return self.constant(false);
        }
        let [a, b] = self.alike(a, b);
        self.logic.less(a, b)
    }

    /// Whether it is a number with more significant bits than a value has.
    fn out_of_reach(&self, number: Term, value: Term) -> bool {
        let bits = self.logic.constant_bits(number);
        bits.is_some_and(|bits| bits > self.logic.width(value))
    }

    /// The sum, of as many bits as it may need.
    pub fn sum(&mut self, values: impl IntoIterator<Item = Term>) -> Term {
        let mut sum = self.number(0);
        for value in values {
            let width = 1 + self.logic.width(sum).max(self.logic.width(value));
            let [a, b] = [sum, value].map(|value| self.logic.resize(value, width));
            sum = self.logic.add(a, b);
        }
        sum
    }

    /// A value, or all ones if it has passed its limit.
    pub fn limited(&mut self, value: Term, passed: Term) -> Term {
        let width = self.logic.width(value);
        let limit = self.logic.ones(width);
        self.logic.mux(passed, limit, value)
    }

    /// The first value if the condition holds, else the second one of the same width.
    pub fn either(&mut self, condition: Term, one: Term, other: Term) -> Term {
        if self.logic.width(one) != self.logic.width(other) {
            return self.lacking("a choice of equal widths".into());
        }
        self.logic.mux(condition, one, other)
    }

    /// All of them.
    pub fn all(&mut self, formulas: impl IntoIterator<Item = Term>) -> Term {
        let mut all = self.constant(true);
        for formula in formulas {
            all = self.logic.and(all, formula);
        }
        all
    }

    /// At least one of them.
    pub fn any(&mut self, formulas: impl IntoIterator<Item = Term>) -> Term {
        let mut any = self.constant(false);
        for formula in formulas {
            any = self.logic.or(any, formula);
        }
        any
    }

    /// Not so.
    pub fn not(&mut self, formula: Term) -> Term {
        self.logic.not(formula)
    }

    /// The second, if the first.
    pub fn implies(&mut self, premise: Term, conclusion: Term) -> Term {
        let not = self.logic.not(premise);
        self.logic.or(not, conclusion)
    }

    /// Two values of the same width are equal.
    pub fn equal(&mut self, a: Term, b: Term) -> Term {
        if self.logic.width(a) != self.logic.width(b) {
            return self.lacking("a comparison of equal widths".into());
        }
        self.logic.eq(a, b)
    }

    /// A value is this number.
    pub fn is(&mut self, value: Term, number: usize) -> Term {
        let width = self.logic.width(value);
        if width < usize::BITS as usize && number >> width != 0 {
            return self.constant(false);
        }
        let number = self.logic.number(number as u64, width);
        self.logic.eq(value, number)
    }

    /// A value is not 0.
    pub fn some(&mut self, value: Term) -> Term {
        let none = self.is(value, 0);
        self.not(none)
    }

    /// A value is less than this number.
    pub fn below(&mut self, value: Term, bound: usize) -> Term {
        let width = self.logic.width(value);
        if width < usize::BITS as usize && bound >> width != 0 {
            return self.constant(true);
        }
        let bound = self.logic.number(bound as u64, width);
        self.logic.less(value, bound)
    }

    /// The lowest bits of a value, up to this one, are 0.
    pub fn even(&mut self, value: Term, bit: usize) -> Term {
        let bits: Vec<Term> = (0..=bit).map(|bit| self.bit(value, bit)).collect();
        let some = self.any(bits);
        self.not(some)
    }

    /// A value is less than another of the same width.
    pub fn less(&mut self, a: Term, b: Term) -> Term {
        if self.logic.width(a) != self.logic.width(b) {
            return self.lacking("a comparison of equal widths".into());
        }
        self.logic.less(a, b)
    }

    /// Two values of the same width have no bit in common.
    pub fn disjoint(&mut self, a: Term, b: Term) -> Term {
        if self.logic.width(a) != self.logic.width(b) {
            return self.lacking("a comparison of equal widths".into());
        }
        let common = self.logic.and(a, b);
        self.is(common, 0)
    }

    /// A bit of a value.
    pub fn bit(&mut self, value: Term, bit: usize) -> Term {
        if bit >= self.logic.width(value) {
            return self.lacking(format!("bit {bit}"));
        }
        self.logic.slice(value, bit, 1)
    }
}
