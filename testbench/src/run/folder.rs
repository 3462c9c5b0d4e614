//! The folder of a run, which appears whole or not at all.

use std::path::{Path, PathBuf};

use tempfile::TempDir;

/// The file by which a folder is known to be a run's.
const REPORT: &str = "report.json";

/// Why there is no folder.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FolderError {
    /// Something else is at its place.
    #[error("{path} is there and is no folder of a run (it has no {REPORT}); give another --out")]
    InTheWay {
        /// The place.
        path: PathBuf,
    },
    /// It cannot be written.
    #[error("cannot {action} {path}: {source}")]
    Io {
        /// What was tried.
        action: &'static str,
        /// With what.
        path: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
}

fn io(action: &'static str, path: &Path) -> impl FnOnce(std::io::Error) -> FolderError {
    let path = path.into();
    move |source| FolderError::Io {
        action,
        path,
        source,
    }
}

/// A folder being filled, beside its place.
#[derive(Debug)]
pub struct Folder {
    place: PathBuf,
    beside: TempDir,
}

impl Folder {
    /// Starts one that will be at `place`; folders above it are created.
    ///
    /// # Errors
    /// [`FolderError`].
    pub fn new(place: &Path) -> Result<Self, FolderError> {
        replaceable(place)?;
        let parent = match place.parent() {
            Some(parent) if parent != Path::new("") => parent,
            _ => Path::new("."),
        };
        std::fs::create_dir_all(parent).map_err(io("create", parent))?;
        let name = place.file_name().unwrap_or_default().to_string_lossy();
        let beside = tempfile::Builder::new()
            .prefix(&format!(".{name}."))
            .suffix(".part")
            .tempdir_in(parent)
            .map_err(io("create a folder in", parent))?;
        Ok(Self {
            place: place.into(),
            beside,
        })
    }

    /// Where to put a file.
    pub fn path(&self, file: &str) -> PathBuf {
        self.beside.path().join(file)
    }

    /// Writes a file.
    ///
    /// # Errors
    /// [`FolderError::Io`].
    pub fn write(&self, file: &str, text: &str) -> Result<(), FolderError> {
        let path = self.path(file);
        std::fs::write(&path, text).map_err(io("write", &path))
    }

    /// Puts it in its place, instead of the run that may be there.
    ///
    /// # Errors
    /// [`FolderError`]; then what was there still is.
    pub fn finish(self) -> Result<PathBuf, FolderError> {
        let Self { place, beside } = self;
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            // Temporary folders are their owner's alone; a report is for all.
            let mode = std::fs::Permissions::from_mode(0o755);
            std::fs::set_permissions(beside.path(), mode)
                .map_err(io("make readable", beside.path()))?;
        }
        let old = replaceable(&place)?.then(|| beside.path().with_extension("old"));
        if let Some(old) = &old {
            std::fs::rename(&place, old).map_err(io("move away", &place))?;
        }
        if let Err(source) = std::fs::rename(beside.path(), &place) {
            if let Some(old) = &old {
                std::fs::rename(old, &place).map_err(io("move back", old))?;
            }
            return Err(io("create", &place)(source));
        }
        // It has moved: nothing is left to be removed.
        let _ = beside.keep();
        if let Some(old) = &old {
            std::fs::remove_dir_all(old).map_err(io("remove", old))?;
        }
        Ok(place)
    }
}

/// Whether there is a run at a place; an error if there is something else.
fn replaceable(place: &Path) -> Result<bool, FolderError> {
    if !place.exists() {
        return Ok(false);
    }
    let empty = std::fs::read_dir(place).is_ok_and(|mut entries| entries.next().is_none());
    if place.join(REPORT).is_file() || empty {
        return Ok(true);
    }
    Err(FolderError::InTheWay { path: place.into() })
}
