//! Atomic writing of a dump to a file.

use std::fs::File;
use std::ops::Range;
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::dump::Dump;
use crate::error::{Error, Result};
use crate::fst::Fst;
use crate::layout::Layout;
use crate::options::{Format, Options};
use crate::sample::Sample;
use crate::timeline::Timeline;

/// A waveform file being written.
///
/// The bytes go to a hidden `.NAME.*.partial` in the same folder, which is renamed to the path at
/// [`WaveFile::finish`] and removed when dropped without it. A process that is killed leaves it.
#[derive(Debug)]
pub struct WaveFile {
    writer: Writer,
    layout: Layout,
    path: PathBuf,
}

#[derive(Debug)]
enum Writer {
    Vcd(Box<Dump<NamedTempFile>>),
    Fst(Box<Fst<NamedTempFile>>),
}

impl Writer {
    fn timeline(&self) -> &Timeline {
        match self {
            Writer::Vcd(dump) => dump.timeline(),
            Writer::Fst(fst) => fst.timeline(),
        }
    }
}

impl WaveFile {
    /// Creates the partial file and writes the header. An existing file at `path` stays as it is
    /// until this one is finished.
    ///
    /// # Errors
    /// [`Error::Setting`], [`Error::Io`].
    pub fn create(path: impl Into<PathBuf>, layout: &Layout, options: &Options) -> Result<Self> {
        let path = path.into();
        options.check()?;
        let partial = partial_beside(&path)?;
        let writer = match options.format {
            Format::Vcd => {
                Dump::new(partial, layout, options).map(|dump| Writer::Vcd(Box::new(dump)))
            }
            Format::Fst => Fst::new(partial, layout, options).map(|fst| Writer::Fst(Box::new(fst))),
        };
        Ok(WaveFile {
            writer: writer.map_err(|error| at(error, &path))?,
            layout: layout.clone(),
            path,
        })
    }

    /// The path it will have.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether `cycle` is in the window; sampling others can be spared.
    #[must_use]
    pub fn wants(&self, cycle: u64) -> bool {
        match &self.writer {
            Writer::Vcd(dump) => dump.wants(cycle),
            Writer::Fst(fst) => fst.wants(cycle),
        }
    }

    /// Last cycle written.
    #[must_use]
    pub fn last_cycle(&self) -> Option<u64> {
        self.writer.timeline().ends().map(|(_, last)| last)
    }

    /// From the first cycle written to before the end; `None` if there is none.
    #[must_use]
    pub fn cycles(&self) -> Option<Range<u64>> {
        let ends = self.writer.timeline().ends();
        ends.map(|(first, last)| first..last + 1)
    }

    /// Bytes of value changes so far, the header not counted; 0 for FST, which is compressed later.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        match &self.writer {
            Writer::Vcd(dump) => dump.bytes(),
            Writer::Fst(_) => 0,
        }
    }

    /// Writes what changed since the last cycle; nothing for a cycle out of the window.
    ///
    /// # Errors
    /// As [`Dump::sample`], but [`Error::Io`] for a failed write.
    pub fn sample(&mut self, cycle: u64, sample: &Sample) -> Result<()> {
        if !self.layout.same(sample.layout()) {
            return Err(Error::Foreign { what: "sample" });
        }
        self.sample_words(cycle, sample.words())
    }

    pub(crate) fn sample_words(&mut self, cycle: u64, words: &[u64]) -> Result<()> {
        match &mut self.writer {
            Writer::Vcd(dump) => dump.sample_words(cycle, words),
            Writer::Fst(fst) => fst.sample_words(cycle, words),
        }
        .map_err(|error| at(error, &self.path))
    }

    /// Ends the last cycle and gives the file its name, replacing any file there. Returns the path.
    ///
    /// # Errors
    /// [`Error::Io`]; the partial file is removed then.
    pub fn finish(self) -> Result<PathBuf> {
        self.persist(None)
    }

    /// [`WaveFile::finish`] for a run that was cut short, by Ctrl-C for instance: the cycles so far
    /// are whole and readable, and a `$comment` at the end of a VCD file holds the `reason`.
    ///
    /// # Errors
    /// [`Error::Io`]; the partial file is removed then.
    pub fn finish_readable(self, reason: &str) -> Result<PathBuf> {
        self.persist(Some(reason))
    }

    fn persist(self, reason: Option<&str>) -> Result<PathBuf> {
        let WaveFile { writer, path, .. } = self;
        let partial = match writer {
            Writer::Vcd(mut dump) => reason
                .map_or(Ok(()), |reason| dump.comment(reason))
                .and_then(|()| dump.finish())
                .map(|()| dump.into_stream()),
            Writer::Fst(fst) => fst.finish(),
        };
        match partial.map_err(|error| at(error, &path))?.persist(&path) {
            Ok(_) => Ok(path),
            Err(error) => Err(Error::Io {
                action: "rename to",
                path,
                source: error.error,
            }),
        }
    }
}

/// Names the file in an error of the stream.
fn at(error: Error, path: &Path) -> Error {
    match error {
        Error::Write(source) => Error::Io {
            action: "write",
            path: path.into(),
            source,
        },
        other => other,
    }
}

/// A partial file in the folder of `path`, with the permissions that a new file there gets.
pub(crate) fn partial_beside(path: &Path) -> Result<NamedTempFile> {
    let failed = |source| Error::Io {
        action: "create",
        path: path.into(),
        source,
    };
    let Some(name) = path.file_name() else {
        return Err(failed(std::io::Error::other("the path names no file")));
    };
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut prefix = std::ffi::OsString::from(".");
    prefix.push(name);
    prefix.push(".");
    tempfile::Builder::new()
        .prefix(&prefix)
        .suffix(".partial")
        .make_in(folder, |partial| {
            File::options().write(true).create_new(true).open(partial)
        })
        .map_err(failed)
}
