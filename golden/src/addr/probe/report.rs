//! What a probe found.

use serde::Serialize;

use super::setup::Cost;
use crate::addr::gf2;
use crate::addr::mapping::{Claim, Fault, Field, Lists, Mapping, Table};

/// The functions of an index, up to a change of basis.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Found {
    /// As masks over address bits, in reduced echelon form.
    pub functions: Vec<u64>,
    /// The address bits on which they are known.
    pub observable: u64,
    /// The time in cycles from which on a reading is slow.
    pub threshold: f64,
    /// Pairs of addresses that they come from.
    pub pairs: u64,
    /// How probable it is, at most, that they are wrong.
    pub error: f64,
    /// The rate of readings that contradicted the decision they were made for.
    pub contradictions: f64,
    /// What was asked of the memory.
    pub cost: Cost,
}

impl Found {
    /// Whether functions are the same, as far as can be observed.
    pub fn agrees(&self, functions: &[u64]) -> bool {
        gf2::same_span(&self.functions, &self.seen(functions))
    }

    /// What can be observed of functions.
    fn seen(&self, functions: &[u64]) -> Vec<u64> {
        functions.iter().map(|it| it & self.observable).collect()
    }
}

/// What both algorithms found.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// Functions of the bank.
    pub bank: Found,
    /// Functions of the set.
    pub set: Found,
    /// Ways of a set.
    pub ways: usize,
    /// Bytes between addresses that were read.
    pub step: u64,
}

/// Whether a report and a mapping say the same on the bits that can be observed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Comparison {
    /// Of banks.
    pub bank: bool,
    /// Of sets.
    pub set: bool,
    /// Of what banks and sets have in common.
    pub module: bool,
}

impl Comparison {
    /// Whether all is equal.
    pub fn equal(&self) -> bool {
        self.bank && self.set && self.module
    }
}

impl Report {
    /// Functions that banks and sets have in common: those of the module (section IV-D).
    pub fn module(&self) -> Vec<u64> {
        gf2::intersection(&self.bank.functions, &self.set.functions)
    }

    /// How probable it is, at most, that something is wrong.
    pub fn error(&self) -> f64 {
        self.bank.error + self.set.error
    }

    /// The report beside a mapping, up to a change of basis.
    pub fn compare(&self, mapping: &Mapping) -> Comparison {
        let bank = mapping.functions(Field::Bank);
        let set = mapping.functions(Field::Set);
        let module = gf2::intersection(&self.bank.seen(bank), &self.set.seen(set));
        Comparison {
            bank: self.bank.agrees(bank),
            set: self.set.agrees(set),
            module: gf2::same_span(&self.module(), &module),
        }
    }

    /// The mapping that was found: addresses of as many bits as were observed, the module's
    /// functions as the lowest of both indices, and the rest in any basis. Rows and columns are
    /// not known. The line is as long as sets use no bit of it (appendix B).
    ///
    /// # Errors
    /// [`Fault`] if a mapping cannot be as was found, as with a line of more than 1024 bytes.
    pub fn mapping(&self, name: &str, title: &str) -> Result<Mapping, Fault> {
        let module = self.module();
        let index = |found: &Found| {
            let mut span = gf2::span(&module);
            let rest = found.functions.iter().rev().filter(|it| span.insert(**it));
            let rest: Vec<u64> = rest.copied().collect();
            [&module[..], &rest].concat()
        };
        let (bank, set) = (index(&self.bank), index(&self.set));
        let low = set.iter().map(|it| it.trailing_zeros()).min();
        let line = 1 << low.unwrap_or(self.step.ilog2()).min(63);
        let observed = self.bank.observable | self.set.observable;
        Mapping::new(Table {
            name: name.into(),
            title: title.into(),
            width: 64 - observed.leading_zeros(),
            line,
            sector: self.step.min(line),
            page: line.max(4096),
            modules: 1 << module.len(),
            banks: 1 << bank.len(),
            sets: 1 << set.len(),
            bijective: vec![Claim::Set],
            module: Some(lists(&module)),
            bank: lists(&bank),
            set: lists(&set),
            row: None,
            column: None,
            tag: None,
        })
    }
}

/// Masks as lists of address bits.
fn lists(functions: &[u64]) -> Lists {
    let bits = |it: &u64| (0..64).filter(|bit| it >> bit & 1 == 1).collect();
    functions.iter().map(bits).collect()
}
