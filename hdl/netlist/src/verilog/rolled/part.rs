//! A line of Verilog as text with numbers in it: lines that differ in their numbers only are
//! iterations of a loop.

use crate::verilog::print::number;
use num_bigint::BigUint;

/// A loop variable.
pub(super) type Variable = usize;

/// A number that depends on loop variables: a base and a factor for each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Affine {
    pub base: i64,
    /// In the order of the variables; no factor is 0.
    pub terms: Vec<(Variable, i64)>,
}

impl Affine {
    pub fn constant(base: i64) -> Affine {
        Affine {
            base,
            terms: vec![],
        }
    }

    /// The constant by which the other one is larger, if there is one.
    pub fn step_to(&self, other: &Affine) -> Option<i64> {
        (self.terms == other.terms).then(|| other.base - self.base)
    }

    /// `factor` times the distance of a variable from `low` added.
    pub fn plus(&self, factor: i64, variable: Variable, low: i64) -> Affine {
        let mut out = self.clone();
        if factor != 0 {
            out.base -= factor * low;
            out.terms.push((variable, factor));
            out.terms.sort_unstable();
        }
        out
    }

    pub fn is_constant(&self) -> bool {
        self.terms.is_empty()
    }

    /// With values for variables.
    pub fn at(&self, values: &[(Variable, i64)]) -> Affine {
        let mut out = Affine::constant(self.base);
        for &(variable, factor) in &self.terms {
            match values.iter().find(|(known, _)| *known == variable) {
                Some((_, value)) => out.base += factor * value,
                None => out.terms.push((variable, factor)),
            }
        }
        out
    }

    /// With another variable in place of one.
    pub fn renamed(&self, from: Variable, to: Variable) -> Affine {
        let mut out = self.clone();
        for term in &mut out.terms {
            if term.0 == from {
                term.0 = to;
            }
        }
        out.terms.sort_unstable();
        out
    }

    pub fn text(&self, name: &dyn Fn(Variable) -> String) -> String {
        let mut out = String::new();
        for &(variable, factor) in &self.terms {
            let term = match factor.abs() {
                1 => name(variable),
                many => format!("{many} * {}", name(variable)),
            };
            out = match (out.is_empty(), factor < 0) {
                (true, false) => term,
                (true, true) => format!("-{term}"),
                (false, false) => format!("{out} + {term}"),
                (false, true) => format!("{out} - {term}"),
            };
        }
        match (out.is_empty(), self.base) {
            (true, base) => base.to_string(),
            (false, 0) => out,
            (false, base) if base < 0 => format!("{out} - {}", -base),
            (false, base) => format!("{out} + {base}"),
        }
    }
}

/// A piece of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Text(String),
    /// A number without a width: an index or a distance.
    Int(Affine),
    /// A constant of a width.
    Sized(usize, Affine),
    /// A constant whose low bits are ones: so many.
    Ones(usize, Affine),
    /// A constant with one bit set: which.
    OneHot(usize, Affine),
    /// Bits from a position.
    Range(Affine, usize),
    /// An element of a family.
    Element(usize, Vec<Affine>),
}

/// What stands for an element of a family until it is known how that is declared.
pub(super) fn marker(family: usize, index: &[i64]) -> String {
    let index: Vec<String> = index.iter().map(ToString::to_string).collect();
    format!("\u{1}{family}:{}\u{2}", index.join(","))
}

/// A line's parts.
pub(super) fn parts(line: &str) -> Vec<Part> {
    let mut out: Vec<Part> = vec![];
    let mut rest = line;
    while let Some(first) = rest.chars().next() {
        let (part, length) = match first {
            '\u{1}' => element(rest),
            '[' => range(rest),
            c if c.is_ascii_digit() => numeral(rest),
            c if c.is_ascii_alphabetic() || c == '_' || c == '$' => {
                let word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '$';
                let length = rest.find(|c| !word(c)).unwrap_or(rest.len());
                (Part::Text(rest[..length].into()), length)
            }
            c => (Part::Text(c.into()), c.len_utf8()),
        };
        rest = &rest[length..];
        match (out.last_mut(), part) {
            (Some(Part::Text(before)), Part::Text(more)) => before.push_str(&more),
            (_, part) => out.push(part),
        }
    }
    out
}

fn element(text: &str) -> (Part, usize) {
    let end = text.find('\u{2}').unwrap_or(text.len());
    let (family, index) = text[1..end].split_once(':').unwrap_or_default();
    let index = index.split(',');
    let index = index.map(|i| Affine::constant(i.parse().unwrap_or_default()));
    (
        Part::Element(family.parse().unwrap_or_default(), index.collect()),
        end + 1,
    )
}

/// `[7:4]`.
fn range(text: &str) -> (Part, usize) {
    let found = || {
        let end = text.find(']')?;
        let (high, low) = text[1..end].split_once(':')?;
        let (high, low): (i64, i64) = (high.parse().ok()?, low.parse().ok()?);
        let width = usize::try_from(high - low + 1).ok()?;
        Some((Part::Range(Affine::constant(low), width), end + 1))
    };
    found().unwrap_or_else(|| (Part::Text("[".into()), 1))
}

/// `3`, `4'd3`, or `16` in front of what is repeated.
fn numeral(text: &str) -> (Part, usize) {
    let end = text
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(text.len());
    let as_it_is = |length: usize| (Part::Text(text[..length].into()), length);
    let rest = &text[end..];
    if rest.starts_with('{') {
        return as_it_is(end);
    }
    let Some(sized) = rest.strip_prefix('\'') else {
        let number = text[..end].parse().map(Affine::constant);
        return number.map_or_else(|_| as_it_is(end), |n| (Part::Int(n), end));
    };
    let digits = sized.get(1..).unwrap_or_default();
    let count = digits
        .find(|c: char| !c.is_ascii_hexdigit())
        .unwrap_or(digits.len());
    let length = end + 2 + count;
    let radix = match sized.chars().next() {
        Some('b') => 2,
        Some('d') => 10,
        _ => 16,
    };
    let value = i64::from_str_radix(&digits[..count], radix);
    match (text[..end].parse(), value) {
        (Ok(width), Ok(value)) => (Part::Sized(width, Affine::constant(value)), length),
        _ => as_it_is(length),
    }
}

/// How elements and variables are printed.
pub(super) trait Names {
    fn variable(&self, variable: Variable) -> String;
    fn element(&self, family: usize, index: &[Affine]) -> String;
}

/// A line as it is printed.
pub(super) fn text(parts: &[Part], names: &dyn Names) -> String {
    let variable = |v| names.variable(v);
    let constant = |width: usize, value: i64| {
        number(
            &BigUint::from(u64::try_from(value).unwrap_or_default()),
            width,
        )
    };
    let mut out = String::new();
    for part in parts {
        let text = match part {
            Part::Text(text) => text.clone(),
            Part::Int(value) => value.text(&variable),
            Part::Sized(width, value) if value.is_constant() => constant(*width, value.base),
            Part::Sized(width, value) => format!("{}[{}:0]", value.text(&variable), width - 1),
            Part::Ones(width, count) => {
                format!("~({{{width}{{1'b1}}}} << {})", distance(count, &variable))
            }
            Part::OneHot(width, at) => {
                format!("({} << {})", constant(*width, 1), distance(at, &variable))
            }
            Part::Range(low, width) if low.is_constant() => {
                format!("[{}:{}]", low.base + *width as i64 - 1, low.base)
            }
            Part::Range(low, width) => format!("[{} +: {width}]", low.text(&variable)),
            Part::Element(family, index) => names.element(*family, index),
        };
        out.push_str(&text);
    }
    out
}

fn distance(of: &Affine, variable: &dyn Fn(Variable) -> String) -> String {
    match (of.terms.as_slice(), of.base) {
        ([(only, 1)], 0) => variable(*only),
        _ => format!("({})", of.text(variable)),
    }
}
