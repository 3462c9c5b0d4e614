//! A checked hierarchy, flattened: every signal has an identifier and words in a sample.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

use vcd::IdCode;

use crate::builder::build;
use crate::error::{Error, Result};
use crate::look::Colour;
use crate::name::identifier;
use crate::scope::{Kind, Look, Scope, ScopeKind, ValueNames};

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
    /// Of the signal of this number.
    pub fn new(signal: u32, word: u32, width: u32) -> Self {
        let text = format!(" {}\n", Layout::code(signal));
        let mut tail = [0; 8];
        tail[..text.len()].copy_from_slice(text.as_bytes());
        Slot {
            word,
            width,
            tail,
            tail_len: text.len() as u8,
        }
    }

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
    pub slots: Vec<Slot>,
    /// The signals that are written, in order.
    pub written: Vec<(u32, Slot)>,
    pub paths: Vec<String>,
    /// Signals and arrays by path; an array is a range of more than one.
    pub by_path: HashMap<String, Range<u32>>,
    pub named: Vec<Named>,
    pub words: usize,
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
    /// [`Error::Shape`] for a width or shape that the kind does not have, [`Error::NamedValue`] for
    /// a value name whose number does not fit.
    pub fn new(top: Scope) -> Result<Self> {
        build(top).map(Layout::of)
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

    /// Signals and arrays that are written and have named values: path, kind, width, names.
    pub fn named(&self) -> impl Iterator<Item = (&str, Kind, u32, &ValueNames)> + '_ {
        let declarations = self.0.declarations.iter();
        let written: HashSet<usize> = declarations
            .filter_map(|declaration| match declaration {
                Declaration::Variable(variable) => variable.values,
                _ => None,
            })
            .collect();
        let named = self.0.named.iter().enumerate();
        named.filter_map(move |(index, named)| {
            let Named {
                path,
                kind,
                width,
                names,
            } = named;
            (written.contains(&index)).then_some((path.as_str(), *kind, *width, names))
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
