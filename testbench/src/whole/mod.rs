//! Atomic writing of files and folders: written beside their place, then renamed; and files that
//! long work adds to.

mod file;
mod folder;
mod journal;
mod lock;

use std::path::{Path, PathBuf};

pub use file::File;
pub use folder::{Folder, Kind};
pub use journal::{Claim, Journal};

/// Result with this module's [`Error`].
pub type Result<T> = std::result::Result<T, Error>;

/// Why a file or folder is not at its place. What was there still is.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Something else is at its place.
    #[error("{} is in the way ({what}): remove it, or name another folder with --out", path.display())]
    InTheWay {
        /// The file or folder.
        path: PathBuf,
        /// What it is.
        what: String,
    },
    /// What is given as a record is something else.
    #[error("{} is no record: expected results of earlier work, as measured.jsonl of a folder of results", path.display())]
    NoRecord {
        /// The file.
        path: PathBuf,
    },
    /// A record of other work is at its place.
    #[error("{} holds results of other work ({what}): give the same settings, or use another folder or record", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
        /// What it differs in.
        what: String,
    },
    /// An operation failed.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// What was tried.
        action: &'static str,
        /// With what.
        path: PathBuf,
        /// The cause.
        source: std::io::Error,
    },
}

impl Error {
    /// For `map_err` after an operation on a file or folder.
    pub(crate) fn io(
        action: &'static str,
        path: impl Into<PathBuf>,
    ) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.into();
        move |source| Self::Io {
            action,
            path,
            source,
        }
    }
}

/// The folder that a path is in, created if it is not there.
fn parent(place: &Path) -> Result<&Path> {
    let parent = match place.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    };
    std::fs::create_dir_all(parent).map_err(Error::io("create", parent))?;
    Ok(parent)
}

/// Makes something beside a place, named after it, so that remains can be told should the machine
/// stop in between. Temporary files are their owner's alone; with `mode`, the umask decides.
fn beside<T>(
    place: &Path,
    mode: u32,
    make: impl FnOnce(&tempfile::Builder<'_, '_>, &Path) -> std::io::Result<T>,
) -> Result<T> {
    let parent = parent(place)?;
    let name = place.file_name().unwrap_or_default().to_string_lossy();
    let prefix = format!(".{name}.");
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix).suffix(".part");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(std::fs::Permissions::from_mode(mode));
    }
    #[cfg(not(unix))]
    let _ = mode;
    make(&builder, parent).map_err(Error::io("write in", parent))
}
