//! Layouts for viewers beside a wave: what to show first, in which order, digits and colours.
//!
//! [`write_beside`] writes, beside `x.vcd` or `x.fst`, `x.gtkw` for GTKWave, `x.sucl` for Surfer,
//! and the files of named values that the former refers to. All names in them are relative, so
//! that the folder can be moved. What they show follows the [`Layout`]: groups, digits and colours
//! are given with its signals and scopes ([`crate::Look`]), the cycles with a [`View`].
//!
//! ```
//! use cotenant_waveforms::{viewer, Colour, Layout, Options, Ring, Scope, Signal};
//!
//! let side = |name: &str| Scope::module(name).signal(Signal::wire("count", 8).group("outputs"));
//! let top = Scope::module("top")
//!     .signal(Signal::clock("clock"))
//!     .signal(Signal::wire("mismatch", 1).colour(Colour::Red).pinned())
//!     .scope(side("dut").colour(Colour::Green))
//!     .scope(side("golden").colour(Colour::Yellow));
//! let layout = Layout::new(top)?;
//! let mut ring = Ring::new(&layout, 100)?;
//! for cycle in 0..120 {
//!     ring.push_with(cycle, |out| out.put_all([u64::from(cycle == 110), cycle, cycle]))?;
//! }
//! let folder = tempfile::tempdir()?;
//! let options = Options::new();
//! let cycles = ring.cycles().unwrap_or_default();
//! let wave = ring.write(folder.path().join("run.vcd"), &options)?;
//! let view = viewer::View::new(&options, cycles).mark(110).first(["top.dut.count"]);
//! let files = viewer::write_beside(&wave, &layout, &view)?;
//! assert!(files.iter().any(|file| file.ends_with("run.gtkw")));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod gtkwave;
mod surfer;
mod tree;

use std::ops::Range;
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};
use crate::layout::Layout;
use crate::options::Options;
use crate::translation::write_whole;

pub use gtkwave::gtkwave;
pub use surfer::surfer;

/// Cycles that a window shows at most, so that values can be read.
const READABLE: u64 = 32;

/// What a viewer shows when a wave is opened.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct View {
    /// Time units per cycle.
    pub period: u64,
    /// Cycles in the wave.
    pub cycles: Range<u64>,
    /// A cycle to mark, that of a mismatch for instance.
    pub marked: Option<u64>,
    /// Paths of signals to show before all others; those not in the wave are left out.
    pub first: Vec<String>,
    /// Texts that say what the wave is.
    pub comments: Vec<String>,
}

impl View {
    /// Of a wave written with these options.
    #[must_use]
    pub fn new(options: &Options, cycles: Range<u64>) -> Self {
        View {
            period: options.period,
            cycles,
            marked: None,
            first: Vec::new(),
            comments: options.comments.clone(),
        }
    }

    /// Puts a marker at the start of a cycle and shows the cycles around it.
    #[must_use]
    pub fn mark(mut self, cycle: u64) -> Self {
        self.marked = Some(cycle);
        self
    }

    /// Shows these signals before all others.
    #[must_use]
    pub fn first<P: Into<String>>(mut self, paths: impl IntoIterator<Item = P>) -> Self {
        self.first.extend(paths.into_iter().map(Into::into));
        self
    }

    /// The cycles to show at first: all, if they can be read, else those around the mark.
    fn shown(&self) -> Range<u64> {
        let Range { start, end } = self.cycles;
        if end.saturating_sub(start) <= READABLE {
            return start..end.max(start + 1);
        }
        let wanted = self.marked.map_or(start, |cycle| {
            // More of what led to it than of what came of it.
            cycle.saturating_sub(READABLE * 3 / 4)
        });
        let first = wanted.clamp(start, end - READABLE);
        first..first + READABLE
    }
}

/// Writes the viewers' files beside a wave, each whole or not at all. Returns their paths.
///
/// # Errors
/// [`Error::Io`]; [`Error::Text`] as [`Layout::write_translations`], or if the wave's path names no
/// file.
pub fn write_beside(wave: &Path, layout: &Layout, view: &View) -> Result<Vec<PathBuf>> {
    let (Some(name), Some(folder)) = (wave.file_name(), wave.parent()) else {
        return Err(Error::Text {
            what: "path of the wave".into(),
            text: wave.display().to_string(),
            expected: "the name of a file",
        });
    };
    let name = name.to_string_lossy();
    let translations = layout.write_translations(folder)?;
    let mut files: Vec<PathBuf> = translations.into_iter().map(|(_, path)| path).collect();
    files.sort();
    files.dedup();
    for (extension, text) in [
        ("gtkw", gtkwave(&name, layout, view)),
        ("sucl", surfer(&name, layout, view)),
    ] {
        let path = wave.with_extension(extension);
        write_whole(&path, &text)?;
        files.push(path);
    }
    Ok(files)
}

/// A line of a text that may not end it.
fn one_line(text: &str) -> String {
    text.replace(['\n', '\r'], " ")
}
