//! Header texts, time and window of a dump.

use std::path::Path;
use std::str::FromStr;

pub use vcd::TimescaleUnit;

use crate::error::{Error, Result};

/// File formats.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Format {
    /// Value change dump, text (IEEE 1364-2005, section 18).
    #[default]
    Vcd,
    /// GTKWave's compressed format. It has no comments; they are in the viewers' files only.
    Fst,
}

impl Format {
    /// All formats.
    pub const ALL: [Format; 2] = [Format::Vcd, Format::Fst];

    /// Its name, and the extension of its files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Format::Vcd => "vcd",
            Format::Fst => "fst",
        }
    }

    /// The format of a file with this name; VCD unless it ends in `.fst`.
    #[must_use]
    pub fn of(path: &Path) -> Self {
        let fst = path.extension().is_some_and(|end| end == "fst");
        if fst {
            Format::Fst
        } else {
            Format::Vcd
        }
    }
}

impl FromStr for Format {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let found = Format::ALL.into_iter().find(|format| format.name() == text);
        found.ok_or_else(|| Error::Setting {
            setting: "format",
            found: format!("{text:?}"),
            expected: "vcd or fst",
        })
    }
}

/// Cycles to write: `from <= cycle < to`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Window {
    /// First cycle written.
    pub from: u64,
    /// First cycle after it that is not.
    pub to: u64,
}

impl Window {
    /// All cycles.
    pub const ALL: Window = Window {
        from: 0,
        to: u64::MAX,
    };

    /// Whether `cycle` is written.
    #[must_use]
    pub fn contains(&self, cycle: u64) -> bool {
        (self.from..self.to).contains(&cycle)
    }
}

impl Default for Window {
    fn default() -> Self {
        Self::ALL
    }
}

/// What a dump shows for cycles that were not sampled, between others that were.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Gap {
    /// All signals, clock included, are x: not sampled.
    #[default]
    Unknown,
    /// All signals keep their values and the clock stands low: nothing happened (models that jump
    /// to the next event).
    Hold,
}

/// Header texts, time and window of a dump.
///
/// The default is 1 ns, 10 units per cycle, all cycles, no texts. Nothing comes from the machine or
/// the day: equal samples and options give equal bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// Time units in the `$timescale`: 1, 10 or 100.
    pub timescale: u32,
    /// The unit.
    pub unit: TimescaleUnit,
    /// Time units per cycle, even and at least 2. Cycle `c` lasts from `c * period` to
    /// `(c + 1) * period`; the generated clock is high in its first half, so its rising edge begins
    /// the cycle, and sampled values hold from that edge to the next.
    pub period: u64,
    /// Format of a [`crate::WaveFile`].
    pub format: Format,
    /// Cycles to write.
    pub window: Window,
    /// How cycles without a sample are shown.
    pub gap: Gap,
    /// Text of `$version`; none if empty.
    pub version: String,
    /// Texts of `$comment`, in this order.
    pub comments: Vec<String>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            timescale: 1,
            unit: TimescaleUnit::NS,
            period: 10,
            format: Format::default(),
            window: Window::ALL,
            gap: Gap::default(),
            version: String::new(),
            comments: Vec::new(),
        }
    }
}

impl Options {
    /// The default.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the time unit: 1, 10 or 100 of `unit`.
    #[must_use]
    pub fn timescale(mut self, timescale: u32, unit: TimescaleUnit) -> Self {
        (self.timescale, self.unit) = (timescale, unit);
        self
    }

    /// Sets the time units per cycle, even and at least 2.
    #[must_use]
    pub fn period(mut self, period: u64) -> Self {
        self.period = period;
        self
    }

    /// Sets the format of a file.
    #[must_use]
    pub fn format(mut self, format: Format) -> Self {
        self.format = format;
        self
    }

    /// Writes only `from <= cycle < to`.
    #[must_use]
    pub fn window(mut self, window: Window) -> Self {
        self.window = window;
        self
    }

    /// Sets how cycles without a sample are shown.
    #[must_use]
    pub fn gap(mut self, gap: Gap) -> Self {
        self.gap = gap;
        self
    }

    /// Sets the text of `$version`, customarily the program that writes.
    #[must_use]
    pub fn version(mut self, text: impl Into<String>) -> Self {
        self.version = text.into();
        self
    }

    /// Adds a `$comment`, for instance the seed and the parameters.
    #[must_use]
    pub fn comment(mut self, text: impl Into<String>) -> Self {
        self.comments.push(text.into());
        self
    }

    pub(crate) fn check(&self) -> Result<()> {
        let wrong = |setting, found, expected| {
            Err(Error::Setting {
                setting,
                found,
                expected,
            })
        };
        if ![1, 10, 100].contains(&self.timescale) {
            return wrong("timescale", self.timescale.to_string(), "1, 10 or 100");
        }
        if self.period < 2 || self.period % 2 != 0 {
            return wrong(
                "period",
                self.period.to_string(),
                "an even number of time units",
            );
        }
        if self.window.from >= self.window.to {
            let found = format!("{} to {}", self.window.from, self.window.to);
            return wrong("window", found, "its first cycle before its end");
        }
        Ok(())
    }
}
