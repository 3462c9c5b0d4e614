//! A checked hierarchy, flattened: every signal has an identifier and words in a sample.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

use vcd::IdCode;

use crate::error::{Error, Result};
use crate::look::Colour;
use crate::name::{distinct, identifier, subscript};
use crate::scope::{Item, Kind, Look, Scope, ScopeKind, Signal, ValueNames};

/// One signal of a [`Layout`], or one element of an array.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SignalId(pub(crate) u32);

impl SignalId {
    /// Position in the order of declaration, from 0. Generated clocks are not counted.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Where a signal's value is, and how its changes end in the file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Slot {
    /// First word in a sample.
    pub word: u32,
    /// Bits.
    pub width: u32,
    /// ` ID\n`: what follows the digits of a vector; a scalar leaves out the blank.
    tail: [u8; 8],
    tail_len: u8,
}

impl Slot {
    pub fn words(&self) -> Range<usize> {
        let first = self.word as usize;
        first..first + limbs(self.width)
    }

    pub fn tail(&self) -> &[u8] {
        &self.tail[..self.tail_len as usize]
    }

    /// Whether `limb` fits as the signal's last, which may be cut short.
    #[inline]
    pub fn holds_on_top(&self, limb: u64) -> bool {
        let bits = self.width % 64;
        bits == 0 || limb >> bits == 0
    }
}

/// 64-bit limbs of a value of `width` bits.
pub(crate) fn limbs(width: u32) -> usize {
    width.div_ceil(64) as usize
}

/// A line of the header.
#[derive(Debug, Clone)]
pub(crate) enum Declaration {
    Open {
        kind: ScopeKind,
        name: String,
        colour: Option<Colour>,
        folded: bool,
    },
    Close,
    Variable(Variable),
}

/// A variable of the header.
#[derive(Debug, Clone)]
pub(crate) struct Variable {
    pub kind: Kind,
    pub width: u32,
    pub name: String,
    /// `None` for the generated clock.
    pub signal: Option<u32>,
    pub look: Look,
    /// Of `Inner::named`.
    pub values: Option<usize>,
}

/// Named values of a signal or an array.
#[derive(Debug, Clone)]
pub(crate) struct Named {
    pub path: String,
    pub kind: Kind,
    pub width: u32,
    pub names: ValueNames,
}

#[derive(Debug, Clone)]
pub(crate) struct Inner {
    pub declarations: Vec<Declaration>,
    slots: Vec<Slot>,
    /// The signals that are written, in order.
    pub written: Vec<(u32, Slot)>,
    pub paths: Vec<String>,
    /// Signals and arrays by path; an array is a range of more than one.
    by_path: HashMap<String, Range<u32>>,
    pub named: Vec<Named>,
    words: usize,
    pub has_clock: bool,
}

/// A checked hierarchy. Cheap to clone; samples, writers and rings share it.
///
/// Names are written so that GTKWave and wellen read them back: `[` and `]` become parentheses
/// and all but `A-Z a-z 0-9 _ $ ( )` becomes `_`, also `$` in front and in `$end`; if two names of
/// a scope become equal so, the later one gets `_1` (`_2`...) appended. Elements of an array are
/// distinct signals `name(0)`, `name(1)`..., or `name(0)(0)`... with more dimensions: readers take
/// `name[0]` for a bit of a vector.
///
/// ```
/// use cotenant_waveforms::{Layout, Scope, Signal};
/// let layout = Layout::new(
///     Scope::module("gdcu")
///         .signal(Signal::clock("clock"))
///         .signal(Signal::wire("access_valid", 1))
///         .signal(Signal::reg("count", 21).array([2, 2])),
/// )?;
/// assert_eq!(layout.len(), 5);
/// let id = layout.find("gdcu.count[1][0]")?;
/// assert_eq!(layout.path(id), Some("gdcu.count(1)(0)"));
/// # Ok::<(), cotenant_waveforms::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Layout(Arc<Inner>);

impl Layout {
    /// Checks and flattens a hierarchy.
    ///
    /// # Errors
    /// [`Error::Text`] for an empty name, [`Error::Duplicate`] for a name twice in a scope,
    /// [`Error::Shape`] for a width or shape that the kind does not have, [`Error::NamedValue`] for a
    /// value name whose number does not fit.
    pub fn new(top: Scope) -> Result<Self> {
        let mut builder = Builder::new();
        builder.scope(top, None)?;
        Ok(Layout(Arc::new(builder.inner)))
    }

    pub(crate) fn inner(&self) -> &Inner {
        &self.0
    }

    pub(crate) fn of(inner: Inner) -> Layout {
        Layout(Arc::new(inner))
    }

    /// Signals, each array element counted, generated clocks not.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.slots.len()
    }

    /// No signals.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.slots.is_empty()
    }

    /// 64-bit words of a sample.
    #[must_use]
    pub fn words(&self) -> usize {
        self.0.words
    }

    /// All signals in the order of declaration, with path and width.
    pub fn signals(&self) -> impl Iterator<Item = (SignalId, &str, u32)> + '_ {
        let all = self.0.slots.iter().zip(&self.0.paths).enumerate();
        all.map(|(index, (slot, path))| (SignalId(index as u32), path.as_str(), slot.width))
    }

    /// A signal or array element by its path, dots between names; brackets are taken for
    /// parentheses.
    ///
    /// # Errors
    /// [`Error::NoSignal`], also for an array of several elements.
    pub fn find(&self, path: &str) -> Result<SignalId> {
        let found = self.range(path)?;
        if found.len() == 1 {
            Ok(SignalId(found.start))
        } else {
            Err(Error::NoSignal { path: path.into() })
        }
    }

    /// The elements of an array by its path, last index fastest; a plain signal gives itself.
    ///
    /// # Errors
    /// [`Error::NoSignal`].
    pub fn array(&self, path: &str) -> Result<impl ExactSizeIterator<Item = SignalId>> {
        Ok(self.range(path)?.map(SignalId))
    }

    fn range(&self, path: &str) -> Result<Range<u32>> {
        let written: Vec<String> = path.split('.').map(identifier).collect();
        let found = self.0.by_path.get(&written.join("."));
        found
            .cloned()
            .ok_or_else(|| Error::NoSignal { path: path.into() })
    }

    /// Path of a signal as written, dots between names; `None` for another layout's signal.
    #[must_use]
    pub fn path(&self, id: SignalId) -> Option<&str> {
        self.0.paths.get(id.index()).map(String::as_str)
    }

    /// Width of a signal in bits; `None` for another layout's signal.
    #[must_use]
    pub fn width(&self, id: SignalId) -> Option<u32> {
        self.0.slots.get(id.index()).map(|slot| slot.width)
    }

    /// Signals and arrays with named values: path, kind, width, names.
    pub fn named(&self) -> impl Iterator<Item = (&str, Kind, u32, &ValueNames)> + '_ {
        let named = self.0.named.iter();
        named.map(|named| {
            let Named {
                path,
                kind,
                width,
                names,
            } = named;
            (path.as_str(), *kind, *width, names)
        })
    }

    /// Whether some scope shows the generated clock.
    #[must_use]
    pub fn has_clock(&self) -> bool {
        self.0.has_clock
    }

    pub(crate) fn same(&self, other: &Layout) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    pub(crate) fn slots(&self) -> &[Slot] {
        &self.0.slots
    }

    /// The signals that are written, with their slots.
    pub(crate) fn written(&self) -> &[(u32, Slot)] {
        &self.0.written
    }

    pub(crate) fn declarations(&self) -> &[Declaration] {
        &self.0.declarations
    }

    /// Code of the clock in the file.
    pub(crate) fn clock_code() -> IdCode {
        IdCode::FIRST
    }

    /// Code of a signal in the file.
    pub(crate) fn code(signal: u32) -> IdCode {
        // Codes are words of printable characters; the one that reads `$end` is left out.
        let code = IdCode::from(u64::from(signal) + 1);
        match "$end".parse::<IdCode>() {
            Ok(end) if code >= end => code.next(),
            _ => code,
        }
    }
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
        let text = format!(" {}\n", Layout::code(index));
        let mut tail = [0; 8];
        tail[..text.len()].copy_from_slice(text.as_bytes());
        let slot = Slot {
            word,
            width,
            tail,
            tail_len: text.len() as u8,
        };
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
