//! Which waveforms to write.

use std::path::PathBuf;

use cotenant_waveforms::{Format, Layout, Options, Pattern, Result, Scope, Window};

/// Cycles shown before a mismatch, unless said.
pub const BEFORE: u64 = 200;

/// Which cycles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Span {
    /// These.
    Window(Window),
    /// The last so many before the end, however it ends.
    Last(u64),
    /// So many before a mismatch and a few after it; no file without one.
    Mismatch {
        /// Cycles before it.
        before: u64,
    },
}

/// A wave to write. Files for the viewers GTKWave and Surfer, and of the names of values, are
/// written beside it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Request {
    /// The file; FST if it ends in `.fst`, else VCD.
    pub path: PathBuf,
    /// The cycles.
    pub span: Span,
    /// The signals; all if there is no pattern.
    pub signals: Vec<Pattern>,
}

impl Request {
    /// Of some cycles.
    pub fn new(path: impl Into<PathBuf>, span: Span) -> Self {
        Self {
            path: path.into(),
            span,
            signals: Vec::new(),
        }
    }

    /// Of the cycles in a window.
    pub fn window(path: impl Into<PathBuf>, window: Window) -> Self {
        Self::new(path, Span::Window(window))
    }

    /// Of the cycles around a mismatch.
    pub fn on_mismatch(path: impl Into<PathBuf>) -> Self {
        Self::new(path, Span::Mismatch { before: BEFORE })
    }

    /// Of these signals.
    #[must_use]
    pub fn signals(mut self, patterns: impl IntoIterator<Item = Pattern>) -> Self {
        self.signals = patterns.into_iter().collect();
        self
    }

    /// A hierarchy, checked, of which the chosen signals are written.
    ///
    /// # Errors
    /// As [`Layout::new`] and [`Layout::select`].
    pub fn layout(&self, top: Scope) -> Result<Layout> {
        Layout::new(top)?.select(&self.signals)
    }

    /// How the file is written.
    pub(crate) fn options(&self, command: &str) -> Options {
        let version = format!("cotenant {} {command}", env!("CARGO_PKG_VERSION"));
        let window = match self.span {
            Span::Window(window) => window,
            Span::Last(_) | Span::Mismatch { .. } => Window::ALL,
        };
        Options::new()
            .version(version)
            .format(Format::of(&self.path))
            .window(window)
    }
}
