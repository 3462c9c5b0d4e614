//! The values of all signals in one cycle.

use bitvec::field::BitField;
use bitvec::order::Lsb0;
use bitvec::slice::BitSlice;
use bitvec::store::BitStore;

use crate::error::{Error, Result};
use crate::layout::{Layout, SignalId, Slot};
use crate::scope::Scope;

/// Something that has waveforms: a golden model, a simulated netlist, a checker.
pub trait Source {
    /// Its hierarchy; the same at every call.
    fn scope(&self) -> Scope;

    /// Puts one value per signal, in the order of declaration in [`Source::scope`].
    fn sample(&self, out: &mut Fill<'_>);
}

/// The values of all signals of a layout in one cycle, all 0 at first.
///
/// Values stay until they are changed, so a cycle may set only what it knows to have changed.
#[derive(Debug, Clone)]
pub struct Sample {
    layout: Layout,
    words: Box<[u64]>,
}

impl Sample {
    /// All zero.
    #[must_use]
    pub fn new(layout: &Layout) -> Self {
        Sample {
            layout: layout.clone(),
            words: vec![0; layout.words()].into(),
        }
    }

    /// The layout it belongs to.
    #[must_use]
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Fills all signals in the order of declaration.
    ///
    /// # Errors
    /// [`Error::TooWide`] with the first value that does not fit, [`Error::Count`] if not exactly
    /// one value per signal was put.
    pub fn fill(&mut self, values: impl FnOnce(&mut Fill<'_>)) -> Result<()> {
        fill(&self.layout, &mut self.words, values)
    }

    /// Sets a signal of up to 64 bits; a wider one is zero-extended.
    ///
    /// # Errors
    /// [`Error::TooWide`], [`Error::Foreign`]; the old value stays, also in the setters below.
    pub fn set(&mut self, id: SignalId, value: u64) -> Result<()> {
        self.set_limbs(id, &[value])
    }

    /// Sets a signal of any width from 64-bit limbs, least significant first. Missing limbs are 0.
    ///
    /// # Errors
    /// [`Error::TooWide`], [`Error::Foreign`].
    pub fn set_limbs(&mut self, id: SignalId, limbs: &[u64]) -> Result<()> {
        let slot = slot(&self.layout, id)?;
        if store(slot, &mut self.words[slot.words()], limbs) {
            Ok(())
        } else {
            Err(too_wide(&self.layout, id, limbs))
        }
    }

    /// Sets a signal of any width from bits, least significant first. Missing bits are 0.
    ///
    /// # Errors
    /// [`Error::TooWide`], [`Error::Foreign`].
    pub fn set_bits<T: BitStore>(&mut self, id: SignalId, bits: &BitSlice<T, Lsb0>) -> Result<()> {
        let slot = slot(&self.layout, id)?;
        if store_bits(slot, &mut self.words[slot.words()], bits) {
            Ok(())
        } else {
            Err(too_wide(&self.layout, id, &limbs_of(bits)))
        }
    }

    /// Value of a signal as limbs, least significant first.
    ///
    /// # Errors
    /// [`Error::Foreign`].
    pub fn get(&self, id: SignalId) -> Result<&[u64]> {
        Ok(&self.words[slot(&self.layout, id)?.words()])
    }

    pub(crate) fn words(&self) -> &[u64] {
        &self.words
    }
}

fn slot(layout: &Layout, id: SignalId) -> Result<&Slot> {
    layout
        .slots()
        .get(id.index())
        .ok_or(Error::Foreign { what: "signal" })
}

/// Copies `limbs` to `words`, zero-extended; false, and nothing done, if bits do not fit.
fn store(slot: &Slot, words: &mut [u64], limbs: &[u64]) -> bool {
    let kept = limbs.len().min(words.len());
    let (low, high) = limbs.split_at(kept);
    let top_fits = low.len() < words.len() || low.last().is_none_or(|top| slot.holds_on_top(*top));
    if !top_fits || high.iter().any(|limb| *limb != 0) {
        return false;
    }
    words[..kept].copy_from_slice(low);
    words[kept..].fill(0);
    true
}

/// [`store`] of bits, least significant first.
fn store_bits<T: BitStore>(slot: &Slot, words: &mut [u64], bits: &BitSlice<T, Lsb0>) -> bool {
    let (low, high) = bits.split_at(bits.len().min(slot.width as usize));
    if high.any() {
        return false;
    }
    words.fill(0);
    for (word, chunk) in words.iter_mut().zip(low.chunks(64)) {
        *word = chunk.load_le();
    }
    true
}

fn limbs_of<T: BitStore>(bits: &BitSlice<T, Lsb0>) -> Vec<u64> {
    bits.chunks(64).map(|chunk| chunk.load_le()).collect()
}

fn too_wide(layout: &Layout, id: SignalId, limbs: &[u64]) -> Error {
    let digits: String = limbs
        .iter()
        .rev()
        .map(|limb| format!("{limb:016x}"))
        .collect();
    let value = match digits.trim_start_matches('0') {
        "" => "0".into(),
        digits => digits.into(),
    };
    let signal = layout.path(id).unwrap_or_default().into();
    Error::TooWide {
        signal,
        width: layout.width(id).unwrap_or_default(),
        value,
    }
}

/// Takes the values of one cycle in the order of declaration.
///
/// Nothing is allocated and nothing fails at a `put`; the first fault is kept and reported where
/// filling ends ([`Sample::fill`], [`crate::Ring::push_with`]).
#[derive(Debug)]
pub struct Fill<'a> {
    layout: &'a Layout,
    slots: &'a [Slot],
    words: &'a mut [u64],
    put: usize,
    fault: Option<Error>,
}

impl Fill<'_> {
    /// Puts a value of up to 64 bits; a wider signal is zero-extended.
    #[inline]
    pub fn put(&mut self, value: u64) {
        match self.slots.get(self.put) {
            Some(slot) if slot.width <= 64 && slot.holds_on_top(value) => {
                self.words[slot.word as usize] = value;
                self.put += 1;
            }
            _ => self.put_limbs(&[value]),
        }
    }

    /// Puts a one-bit value.
    #[inline]
    pub fn put_bool(&mut self, value: bool) {
        self.put(u64::from(value));
    }

    /// Puts one value each for the next signals, for instance the elements of an array.
    pub fn put_all<V: Into<u64>>(&mut self, values: impl IntoIterator<Item = V>) {
        for value in values {
            self.put(value.into());
        }
    }

    /// Puts a value of any width as 64-bit limbs, least significant first. Missing limbs are 0.
    pub fn put_limbs(&mut self, limbs: &[u64]) {
        if let Some(slot) = self.slots.get(self.put) {
            if !store(slot, &mut self.words[slot.words()], limbs) && self.fault.is_none() {
                self.fault = Some(too_wide(self.layout, SignalId(self.put as u32), limbs));
            }
        }
        self.put += 1;
    }

    /// Puts a value of any width as bits, least significant first. Missing bits are 0.
    pub fn put_bits<T: BitStore>(&mut self, bits: &BitSlice<T, Lsb0>) {
        if let Some(slot) = self.slots.get(self.put) {
            if !store_bits(slot, &mut self.words[slot.words()], bits) && self.fault.is_none() {
                let limbs = limbs_of(bits);
                self.fault = Some(too_wide(self.layout, SignalId(self.put as u32), &limbs));
            }
        }
        self.put += 1;
    }

    /// Values put so far.
    #[must_use]
    pub fn count(&self) -> usize {
        self.put
    }
}

/// Runs `values` over `words` and reports its first fault.
pub(crate) fn fill(
    layout: &Layout,
    words: &mut [u64],
    values: impl FnOnce(&mut Fill<'_>),
) -> Result<()> {
    let mut fill = Fill {
        layout,
        slots: layout.slots(),
        words,
        put: 0,
        fault: None,
    };
    values(&mut fill);
    match fill.fault {
        Some(fault) => Err(fault),
        None if fill.put != layout.len() => Err(Error::Count {
            found: fill.put,
            expected: layout.len(),
        }),
        None => Ok(()),
    }
}
