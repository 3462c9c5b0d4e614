//! Checks a hierarchy and flattens it.

use std::collections::{HashMap, HashSet};

use crate::error::{Error, Result};
use crate::layout::{limbs, Declaration, Inner, Named, Slot, Variable};
use crate::name::{distinct, identifier, subscript};
use crate::scope::{Item, Scope, Signal, ValueNames};

/// The contents of a layout.
///
/// # Errors
/// As [`crate::Layout::new`].
pub(crate) fn build(top: Scope) -> Result<Inner> {
    let mut builder = Builder::new();
    builder.scope(top, None)?;
    Ok(builder.inner)
}

struct Builder {
    inner: Inner,
}

impl Builder {
    fn new() -> Self {
        Builder {
            inner: Inner {
                declarations: Vec::new(),
                slots: Vec::new(),
                written: Vec::new(),
                paths: Vec::new(),
                by_path: HashMap::new(),
                named: Vec::new(),
                words: 0,
                has_clock: false,
            },
        }
    }

    /// Adds `scope`, to be written under `written` (path of the parent and name in it).
    fn scope(&mut self, scope: Scope, written: Option<(&str, String)>) -> Result<()> {
        let (path, name) = match written {
            Some((parent, name)) => (format!("{parent}.{name}"), name),
            None => {
                let name = checked("top", &scope.name)?;
                (name.clone(), name)
            }
        };
        self.inner.declarations.push(Declaration::Open {
            kind: scope.kind,
            name,
            colour: scope.colour,
            folded: scope.folded,
        });
        let mut given = HashSet::new();
        let mut taken = HashSet::new();
        for item in scope.items {
            let raw = match &item {
                Item::Scope(child) => &child.name,
                Item::Signal(signal) => &signal.name,
            };
            if !given.insert(raw.clone()) {
                return Err(Error::Duplicate {
                    scope: path,
                    name: raw.clone(),
                });
            }
            let name = distinct(checked(&path, raw)?, &mut taken);
            match item {
                Item::Scope(child) => self.scope(child, Some((&path, name)))?,
                Item::Signal(signal) => self.signal(signal, &path, name, &mut taken)?,
            }
        }
        self.inner.declarations.push(Declaration::Close);
        Ok(())
    }

    fn signal(
        &mut self,
        signal: Signal,
        scope: &str,
        name: String,
        taken: &mut HashSet<String>,
    ) -> Result<()> {
        let path = format!("{scope}.{name}");
        check_shape(&signal, &path)?;
        let Signal {
            width,
            kind,
            shape,
            values,
            clock,
            look,
            ..
        } = signal;
        let mut variable = Variable {
            kind,
            width,
            name,
            signal: None,
            look,
            values: None,
        };
        if clock {
            self.inner.has_clock = true;
            self.inner
                .declarations
                .push(Declaration::Variable(variable));
            return Ok(());
        }
        if let Some(names) = values {
            check_values(&names, width, &path)?;
            variable.values = Some(self.inner.named.len());
            self.inner.named.push(Named {
                path: path.clone(),
                kind,
                width,
                names,
            });
        }
        let first = self.inner.slots.len() as u32;
        if shape.is_empty() {
            self.variable(variable, path.clone())?;
        } else {
            let mut indices = vec![0; shape.len()];
            loop {
                let name = distinct(format!("{}{}", variable.name, subscript(&indices)), taken);
                let element_path = format!("{scope}.{name}");
                let element = Variable {
                    name,
                    ..variable.clone()
                };
                self.variable(element, element_path)?;
                if !advance(&mut indices, &shape) {
                    break;
                }
            }
        }
        let range = first..self.inner.slots.len() as u32;
        self.inner.by_path.insert(path, range);
        Ok(())
    }

    fn variable(&mut self, variable: Variable, path: String) -> Result<()> {
        let inner = &mut self.inner;
        let width = variable.width;
        let word = match u32::try_from(inner.words) {
            Ok(word) if inner.slots.len() < MAX_SIGNALS => word,
            _ => {
                return Err(Error::Shape {
                    signal: path,
                    found: format!("{} signals before it", inner.slots.len()),
                    expected: "fewer than 2^26 signals and 2^32 words in all",
                })
            }
        };
        let index = inner.slots.len() as u32;
        let slot = Slot::new(index, word, width);
        inner.slots.push(slot);
        inner.words += limbs(width);
        inner.by_path.insert(path.clone(), index..index + 1);
        inner.paths.push(path);
        inner.written.push((index, slot));
        inner.declarations.push(Declaration::Variable(Variable {
            signal: Some(index),
            ..variable
        }));
        Ok(())
    }
}

fn checked(scope: &str, raw: &str) -> Result<String> {
    if raw.is_empty() {
        return Err(Error::Text {
            what: format!("name in scope {scope}"),
            text: raw.into(),
            expected: "at least one character",
        });
    }
    Ok(identifier(raw))
}

/// Steps `indices` through `shape`, last index fastest; false after the last element.
fn advance(indices: &mut [usize], shape: &[usize]) -> bool {
    for (index, size) in indices.iter_mut().zip(shape).rev() {
        *index += 1;
        if *index < *size {
            return true;
        }
        *index = 0;
    }
    false
}

/// Largest width, array and hierarchy: bounds that keep a wrong size from filling the memory. Codes
/// of fewer than 2^26 signals are at most four characters, so `$end` is the only one to avoid.
const MAX_WIDTH: u32 = 1 << 20;
const MAX_ELEMENTS: usize = 1 << 20;
const MAX_SIGNALS: usize = 1 << 26;

fn check_shape(signal: &Signal, path: &str) -> Result<()> {
    let wrong = |found: String, expected| Error::Shape {
        signal: path.into(),
        found,
        expected,
    };
    let width = signal.width;
    if width == 0 || width > MAX_WIDTH {
        return Err(wrong(format!("width {width}"), "a width of 1 to 2^20 bits"));
    }
    if signal
        .kind
        .fixed_width()
        .is_some_and(|fixed| fixed != width)
    {
        return Err(wrong(
            format!("width {width}"),
            "32 bits for integer, 64 for time",
        ));
    }
    let elements = signal
        .shape
        .iter()
        .try_fold(1usize, |all, size| all.checked_mul(*size));
    if !matches!(elements, Some(1..=MAX_ELEMENTS)) {
        return Err(wrong(
            format!("shape {:?}", signal.shape),
            "1 to 2^20 elements",
        ));
    }
    if signal.clock && (width != 1 || !signal.shape.is_empty()) {
        return Err(wrong(
            "a vector or array as generated clock".into(),
            "one bit",
        ));
    }
    Ok(())
}

fn check_values(names: &ValueNames, width: u32, path: &str) -> Result<()> {
    for (value, _) in &names.values {
        if width < 64 && value >> width != 0 {
            return Err(Error::NamedValue {
                signal: path.into(),
                width,
                value: *value,
            });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::Layout;
    use vcd::IdCode;

    // Rationale: readers end a declaration at `$end` even if that is an identifier, and the first
    // signal that would get it comes after some 10^7 others: too many for a whole file in a test.
    #[test]
    fn no_code_ends_the_declaration() {
        let end = "$end".parse::<IdCode>().unwrap();
        let last = (0..MAX_SIGNALS as u32)
            .rev()
            .find(|signal| Layout::code(*signal) < end)
            .unwrap();
        let around: Vec<String> = (last - 2..last + 4)
            .map(|signal| Layout::code(signal).to_string())
            .collect();
        assert_eq!(around, ["!end", "\"end", "#end", "%end", "&end", "'end"]);
        assert_eq!(Layout::code(MAX_SIGNALS as u32 - 1).to_string().len(), 4);
        assert_ne!(Layout::code(0), Layout::clock_code());
    }
}
