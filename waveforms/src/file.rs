//! Writing a dump to a file that appears only when it is whole.

use std::fs::File;
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::dump::Dump;
use crate::error::{Error, Result};
use crate::layout::Layout;
use crate::options::Options;
use crate::sample::Sample;

/// A waveform file being written.
///
/// The bytes go to a hidden `.NAME.*.partial` in the same folder, which is renamed to the path at
/// [`WaveFile::finish`] and removed when dropped without it. A process that is killed leaves it.
#[derive(Debug)]
pub struct WaveFile {
    dump: Dump<NamedTempFile>,
    path: PathBuf,
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
        let dump = Dump::new(partial, layout, options).map_err(|error| at(error, &path))?;
        Ok(WaveFile { dump, path })
    }

    /// The path it will have.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether `cycle` is in the window; sampling others can be spared.
    #[must_use]
    pub fn wants(&self, cycle: u64) -> bool {
        self.dump.wants(cycle)
    }

    /// Last cycle written.
    #[must_use]
    pub fn last_cycle(&self) -> Option<u64> {
        self.dump.last_cycle()
    }

    /// Bytes of value changes so far, the header not counted.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.dump.bytes()
    }

    /// Writes what changed since the last cycle; nothing for a cycle out of the window.
    ///
    /// # Errors
    /// As [`Dump::sample`], but [`Error::Io`] for a failed write.
    pub fn sample(&mut self, cycle: u64, sample: &Sample) -> Result<()> {
        self.dump
            .sample(cycle, sample)
            .map_err(|error| at(error, &self.path))
    }

    pub(crate) fn sample_words(&mut self, cycle: u64, words: &[u64]) -> Result<()> {
        self.dump
            .sample_words(cycle, words)
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
    /// are whole and readable, and a `$comment` at the end holds the `reason`.
    ///
    /// # Errors
    /// [`Error::Io`]; the partial file is removed then.
    pub fn finish_readable(self, reason: &str) -> Result<PathBuf> {
        self.persist(Some(reason))
    }

    fn persist(self, reason: Option<&str>) -> Result<PathBuf> {
        let WaveFile { mut dump, path } = self;
        if let Some(reason) = reason {
            dump.comment(reason).map_err(|error| at(error, &path))?;
        }
        dump.finish().map_err(|error| at(error, &path))?;
        match dump.into_stream().persist(&path) {
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
