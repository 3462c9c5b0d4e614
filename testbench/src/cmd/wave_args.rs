//! The waveform options that several subcommands share.

use std::path::Path;

use cotenant_waveforms::{Format, Pattern, Window};
use miette::{miette, Result};

use super::args::some_cycles;
use crate::verify::waves::{Request, Span, BEFORE};

/// What is shown of a run if a file is named and nothing else is said, and of what length a run may be for that.
pub const WHOLE_RUN: Window = Window {
    from: 0,
    to: 100_000,
};

/// Selection of waves
#[derive(Debug, Clone, Default, clap::Args)]
#[command(next_help_heading = "Waves")]
pub struct WaveArgs {
    /// Cycles to show, from A to B - 1; either may be omitted
    #[arg(long, value_name = "A..B", value_parser = window, conflicts_with_all = ["last", "on_mismatch"])]
    pub window: Option<Window>,
    /// Show the last N cycles before the end, Ctrl-C or a mismatch; k and M as in 10k
    #[arg(long, value_name = "N", value_parser = some_cycles)]
    pub last: Option<u64>,
    /// Write waves only of a mismatch: --last cycles before it [default: 200] and a few after
    #[arg(long)]
    pub on_mismatch: bool,
    /// Show only these signals, as 'dut.victim_*' or 'golden', beside clock, reset and mismatch
    #[arg(long, value_name = "PATTERN")]
    pub signals: Vec<Pattern>,
    /// Format of the waves: vcd or fst [default: by the file's name]
    #[arg(long, value_name = "FORMAT")]
    pub wave_format: Option<Format>,
}

impl WaveArgs {
    /// The first of these options that was given, for an error.
    pub fn given(&self) -> Option<&'static str> {
        [
            ("--window", self.window.is_some()),
            ("--last", self.last.is_some()),
            ("--on-mismatch", self.on_mismatch),
            ("--signals", !self.signals.is_empty()),
            ("--wave-format", self.wave_format.is_some()),
        ]
        .into_iter()
        .find_map(|(name, given)| given.then_some(name))
    }

    /// Which cycles, if it is said.
    pub fn span(&self) -> Option<Span> {
        match (self.window, self.last, self.on_mismatch) {
            (Some(window), ..) => Some(Span::Window(window)),
            (None, last, true) => Some(Span::Mismatch {
                before: last.unwrap_or(BEFORE),
            }),
            (None, Some(cycles), false) => Some(Span::Last(cycles)),
            (None, None, false) => None,
        }
    }

    /// The extension of a file that gets its name from the program.
    pub fn extension(&self) -> &'static str {
        self.wave_format.unwrap_or_default().name()
    }

    /// A request for a file, with the options' signals.
    ///
    /// # Errors
    /// A file whose name says no format, or another than the option.
    pub fn request(&self, path: &Path, span: Span) -> Result<Request> {
        let named = Format::ALL
            .into_iter()
            .any(|format| path.extension().is_some_and(|end| end == format.name()));
        if !named {
            return Err(miette!(
                "{}: expected a name that ends in .vcd or .fst",
                path.display()
            ));
        }
        if let Some(format) = self
            .wave_format
            .filter(|format| *format != Format::of(path))
        {
            return Err(miette!(
                "--wave-format {name} and {}: expected a name that ends in .{name}",
                path.display(),
                name = format.name()
            ));
        }
        Ok(Request::new(path, span).signals(self.signals.iter().cloned()))
    }
}

/// Says that there are no waves if they were to begin behind the run's end.
pub fn say_if_late(from: u64, cycles: u64) {
    if cycles <= from {
        eprintln!(
            "note: no waves: they were to begin in cycle {from}, and the run ended in cycle {cycles}; expected \
             an earlier --window A..B, or --last N"
        );
    }
}

/// Says that the run had more cycles than are in the waves, though nobody asked for a part of it.
pub fn say_if_cut(window: Window, cycles: u64) {
    if window == WHOLE_RUN && cycles > window.to {
        eprintln!(
            "note: the waves have the first {} of {cycles} cycles; for others there are --window A..B and --last N",
            window.to
        );
    }
}

fn window(text: &str) -> Result<Window, String> {
    let expected =
        || format!("\"{text}\" is no window, expected A..B with A before B, as 1000..2000");
    let (from, to) = text.split_once("..").ok_or_else(expected)?;
    let end = |text: &str, open: u64| match text {
        "" => Ok(open),
        _ => text.parse().map_err(|_| expected()),
    };
    let window = Window {
        from: end(from, 0)?,
        to: end(to, u64::MAX)?,
    };
    if window.from < window.to {
        Ok(window)
    } else {
        Err(expected())
    }
}

#[cfg(test)]
mod tests {
    //! Rationale: every combination that means something, and those that do not, as clap sees them.
    use super::*;
    use clap::Parser;

    #[derive(Debug, Parser)]
    struct Cli {
        #[command(flatten)]
        waves: WaveArgs,
    }

    fn parse(args: &[&str]) -> Result<WaveArgs, String> {
        let parsed = Cli::try_parse_from([&["cotenant"], args].concat());
        parsed
            .map(|cli| cli.waves)
            .map_err(|error| error.to_string())
    }

    #[test]
    fn spans() {
        let span = |args: &[&str]| parse(args).unwrap().span();
        assert_eq!(span(&[]), None);
        let window = |from, to| Some(Span::Window(Window { from, to }));
        assert_eq!(span(&["--window", "10..20"]), window(10, 20));
        assert_eq!(span(&["--window", "..20"]), window(0, 20));
        assert_eq!(span(&["--window", "10.."]), window(10, u64::MAX));
        assert_eq!(span(&["--last", "2k"]), Some(Span::Last(2000)));
        let mismatch = |before| Some(Span::Mismatch { before });
        assert_eq!(span(&["--on-mismatch"]), mismatch(BEFORE));
        assert_eq!(span(&["--last", "50", "--on-mismatch"]), mismatch(50));
    }

    #[test]
    fn nonsense_is_refused() {
        for (args, words) in [
            (
                &["--window", "1..2", "--last", "5"][..],
                "cannot be used with",
            ),
            (
                &["--window", "1..2", "--on-mismatch"],
                "cannot be used with",
            ),
            (&["--window", "9..3"], "expected A..B with A before B"),
            (&["--window", "9"], "expected A..B with A before B"),
            (&["--last", "0"], "at least one cycle"),
            (&["--last", "x"], "expected a number of cycles"),
            (&["--signals", "a..b"], "expected names with a dot between"),
            (&["--signals", "{a"], "is no pattern"),
            (&["--wave-format", "lxt"], "expected vcd or fst"),
        ] {
            let error = parse(args).unwrap_err();
            assert!(error.contains(words), "{args:?}: {error}");
        }
    }

    #[test]
    fn a_name_that_says_another_format_is_refused() {
        let args = parse(&["--wave-format", "fst"]).unwrap();
        let error = args.request(Path::new("w.vcd"), Span::Last(1)).unwrap_err();
        assert_eq!(
            error.to_string(),
            "--wave-format fst and w.vcd: expected a name that ends in .fst"
        );
        assert!(args.request(Path::new("w.fst"), Span::Last(1)).is_ok());
        for name in ["w.foo", "w", "vcd"] {
            let error = WaveArgs::default().request(Path::new(name), Span::Last(1));
            let said = format!("{name}: expected a name that ends in .vcd or .fst");
            assert_eq!(error.unwrap_err().to_string(), said);
        }
    }
}
