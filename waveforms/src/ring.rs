//! The last cycles of a run, kept in memory and written on request.

use std::ops::Range;
use std::path::PathBuf;

use crate::error::{Error, Result};
use crate::file::WaveFile;
use crate::layout::Layout;
use crate::options::Options;
use crate::sample::{fill, Sample};

/// The samples of the last cycles, in one buffer of fixed size: nothing is allocated or formatted
/// per cycle, so it can record all the time and be written when an error occurs.
#[derive(Debug)]
pub struct Ring {
    layout: Layout,
    /// Samples one after another, `layout.words()` each.
    words: Box<[u64]>,
    cycles: Box<[u64]>,
    /// Place of the next sample.
    next: usize,
    len: usize,
}

impl Ring {
    /// Room for the last `cycles` samples, at least 1.
    ///
    /// # Errors
    /// [`Error::Setting`] for 0 cycles, [`Error::Memory`] if there is not so much memory.
    pub fn new(layout: &Layout, cycles: usize) -> Result<Self> {
        if cycles == 0 {
            let found = "0 cycles".into();
            return Err(Error::Setting {
                setting: "ring",
                found,
                expected: "at least 1 cycle",
            });
        }
        let too_large = || Error::Memory {
            cycles,
            words: layout.words(),
        };
        let words = cycles.checked_mul(layout.words()).ok_or_else(too_large)?;
        Ok(Ring {
            layout: layout.clone(),
            words: zeroed(words).ok_or_else(too_large)?,
            cycles: zeroed(cycles).ok_or_else(too_large)?,
            next: 0,
            len: 0,
        })
    }

    /// Room for as many cycles as fit `bytes` (at least 1).
    ///
    /// # Errors
    /// [`Error::Memory`] if there is not so much memory.
    pub fn with_memory(layout: &Layout, bytes: usize) -> Result<Self> {
        let cycle = (layout.words() + 1) * size_of::<u64>();
        Self::new(layout, (bytes / cycle).max(1))
    }

    /// Cycles there is room for.
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.cycles.len()
    }

    /// Cycles held.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Nothing held.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Memory of the buffers, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        (self.words.len() + self.cycles.len()) * size_of::<u64>()
    }

    /// Last cycle held.
    #[must_use]
    pub fn last_cycle(&self) -> Option<u64> {
        let place = self.next.checked_sub(1).unwrap_or(self.capacity() - 1);
        (self.len > 0).then(|| self.cycles[place])
    }

    /// From the first cycle held to behind the last; `None` if there is none.
    #[must_use]
    pub fn cycles(&self) -> Option<Range<u64>> {
        let first = self.samples().next().map(|(cycle, _)| cycle);
        first
            .zip(self.last_cycle())
            .map(|(first, last)| first..last + 1)
    }

    /// Forgets all, for instance at the start of another run.
    pub fn clear(&mut self) {
        (self.next, self.len) = (0, 0);
    }

    /// Keeps a sample, in place of the oldest if full.
    ///
    /// # Errors
    /// [`Error::Foreign`] for a sample of another layout, [`Error::Order`] if the cycle is not
    /// after the last one.
    pub fn push(&mut self, cycle: u64, sample: &Sample) -> Result<()> {
        if !self.layout.same(sample.layout()) {
            return Err(Error::Foreign { what: "sample" });
        }
        self.check_order(cycle)?;
        self.place().copy_from_slice(sample.words());
        self.keep(cycle);
        Ok(())
    }

    /// Keeps a sample filled in place, in the order of declaration; saves the copy of
    /// [`Ring::push`]. A sample with a fault is not kept, and costs the oldest if the ring is full.
    ///
    /// # Errors
    /// [`Error::TooWide`], [`Error::Count`], [`Error::Order`].
    pub fn push_with(
        &mut self,
        cycle: u64,
        values: impl FnOnce(&mut crate::Fill<'_>),
    ) -> Result<()> {
        self.check_order(cycle)?;
        let layout = self.layout.clone();
        let full = self.len == self.capacity();
        let filled = fill(&layout, self.place(), values);
        if filled.is_ok() {
            self.keep(cycle);
        } else if full {
            self.len -= 1;
        }
        filled
    }

    fn check_order(&self, cycle: u64) -> Result<()> {
        match self.last_cycle() {
            Some(last) if cycle <= last => Err(Error::Order { cycle, last }),
            _ => Ok(()),
        }
    }

    /// Words of the next sample.
    fn place(&mut self) -> &mut [u64] {
        let words = self.layout.words();
        &mut self.words[self.next * words..][..words]
    }

    fn keep(&mut self, cycle: u64) {
        self.cycles[self.next] = cycle;
        self.next = (self.next + 1) % self.capacity();
        self.len = (self.len + 1).min(self.capacity());
    }

    /// The cycles held and their words, oldest first.
    fn samples(&self) -> impl Iterator<Item = (u64, &[u64])> + '_ {
        let words = self.layout.words();
        let capacity = self.capacity();
        let oldest = self.next + capacity - self.len;
        (0..self.len).map(move |index| {
            let place = (oldest + index) % capacity;
            (self.cycles[place], &self.words[place * words..][..words])
        })
    }

    /// Writes the cycles held to a file, whole or not at all; those out of the options' window are
    /// left out. The ring stays as it is. Returns the path.
    ///
    /// # Errors
    /// [`Error::Setting`], [`Error::Time`], [`Error::Io`].
    pub fn write(&self, path: impl Into<PathBuf>, options: &Options) -> Result<PathBuf> {
        let mut file = WaveFile::create(path, &self.layout, options)?;
        for (cycle, words) in self.samples() {
            file.sample_words(cycle, words)?;
        }
        file.finish()
    }
}

/// `len` zeros, or `None` if there is not so much memory.
fn zeroed(len: usize) -> Option<Box<[u64]>> {
    let mut words = Vec::new();
    words.try_reserve_exact(len).ok()?;
    words.resize(len, 0);
    Some(words.into())
}
