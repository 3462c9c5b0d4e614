//! Atomic writing of a file.

use std::io::Write;
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::{beside, Error, Result};

/// A file being written, beside its place. Dropped before [`finish`](File::finish), it is gone.
#[derive(Debug)]
pub struct File {
    place: PathBuf,
    beside: NamedTempFile,
}

impl File {
    /// Starts one that will be at `place`; folders above it are created.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn new(place: &Path) -> Result<Self> {
        Ok(Self {
            place: place.into(),
            beside: beside(place, 0o666, |builder, parent| builder.tempfile_in(parent))?,
        })
    }

    /// Writes a text as a whole file.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn write_text(place: &Path, text: &str) -> Result<()> {
        let mut file = Self::new(place)?;
        file.write_all(text.as_bytes())
            .map_err(Error::io("write", place))?;
        file.finish()
    }

    /// Puts it in its place, instead of the file that may be there.
    ///
    /// # Errors
    /// [`Error::Io`]; then what was there still is.
    pub fn finish(self) -> Result<()> {
        let persisted = self.beside.persist(&self.place);
        persisted.map_err(|error| Error::io("create", &self.place)(error.error))?;
        Ok(())
    }
}

impl Write for File {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.beside.write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.beside.flush()
    }
}

#[cfg(test)]
mod tests {
    //! Rationale: a reader sees the old file or the new one, and nothing stays beside.
    use super::*;

    fn entries(folder: &Path) -> usize {
        std::fs::read_dir(folder).unwrap().count()
    }

    #[test]
    fn the_old_one_stays_until_the_new_one_is_whole() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("deep/x.txt");
        File::write_text(&place, "old").unwrap();
        let mut file = File::new(&place).unwrap();
        file.write_all(b"new").unwrap();
        assert_eq!(std::fs::read_to_string(&place).unwrap(), "old");
        drop(file);
        assert_eq!(entries(place.parent().unwrap()), 1);
        assert_eq!(std::fs::read_to_string(&place).unwrap(), "old");
        File::write_text(&place, "new").unwrap();
        assert_eq!(std::fs::read_to_string(&place).unwrap(), "new");
        assert_eq!(entries(place.parent().unwrap()), 1);
    }

    #[test]
    fn a_folder_at_its_place_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("x");
        std::fs::create_dir_all(place.join("y")).unwrap();
        let error = File::write_text(&place, "text").unwrap_err().to_string();
        assert!(error.starts_with("cannot create"), "{error}");
        assert_eq!(entries(folder.path()), 1);
    }
}
