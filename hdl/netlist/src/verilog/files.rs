//! Writes the exported modules to a folder, one file per module.

use super::{Design, Error};
use std::path::{Path, PathBuf};

impl Design {
    /// Writes one file per module into `folder`, creating it if need be.
    ///
    /// Each file is written beside its place and then renamed, so that nobody
    /// sees half a file.
    ///
    /// # Errors
    /// [`Error::Write`] with the file that could not be written.
    pub fn write_to(&self, folder: impl AsRef<Path>) -> Result<Vec<PathBuf>, Error> {
        let folder = folder.as_ref();
        std::fs::create_dir_all(folder).map_err(|source| Error::Write {
            path: folder.into(),
            source,
        })?;
        let mut paths = vec![];
        for file in &self.modules {
            let path = folder.join(&file.file_name);
            replace(&path, file.text.as_bytes())?;
            paths.push(path);
        }
        Ok(paths)
    }
}

/// Writes a file beside its place and renames it.
pub(crate) fn replace(path: &Path, contents: &[u8]) -> Result<(), Error> {
    let mut beside = path.as_os_str().to_owned();
    beside.push(format!(".{}.part", std::process::id()));
    let beside = PathBuf::from(beside);
    let written = std::fs::write(&beside, contents).and_then(|()| std::fs::rename(&beside, path));
    written.map_err(|source| {
        // What is left of a failed write is of no use; that it cannot be
        // removed either says nothing new.
        let _ = std::fs::remove_file(&beside);
        Error::Write {
            path: path.into(),
            source,
        }
    })
}
