//! Locks of files. They go with the process that holds them, however it ends, also on another machine
//! where the file system is NFS (version 4) or another one that passes them on.

use std::fs::{File, OpenOptions};
use std::path::Path;

use super::{Error, Result};

/// Opens a file, which is created, and locks it until it is closed. None if `wait` is not set and
/// somebody else holds it.
///
/// # Errors
/// [`Error::Io`].
pub fn locked(path: &Path, wait: bool) -> Result<Option<File>> {
    super::parent(path)?;
    loop {
        let mut options = OpenOptions::new();
        let opened = options.read(true).append(true).create(true).open(path);
        let file = opened.map_err(Error::io("open", path))?;
        if !lock(&file, wait).map_err(Error::io("lock", path))? {
            return Ok(None);
        }
        // Somebody may have put another file at its place in between.
        if same(&file, path) {
            return Ok(Some(file));
        }
    }
}

#[cfg(unix)]
fn lock(file: &File, wait: bool) -> std::io::Result<bool> {
    use rustix::fs::{flock, FlockOperation};
    let operation = match wait {
        true => FlockOperation::LockExclusive,
        false => FlockOperation::NonBlockingLockExclusive,
    };
    match rustix::io::retry_on_intr(|| flock(file, operation)) {
        Err(rustix::io::Errno::WOULDBLOCK) => Ok(false),
        locked => Ok(locked.map(|()| true)?),
    }
}

#[cfg(unix)]
fn same(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let of = |data: std::io::Result<std::fs::Metadata>| data.map(|it| (it.dev(), it.ino())).ok();
    of(file.metadata()) == of(std::fs::metadata(path))
}

/// Elsewhere a folder is used by one process.
#[cfg(not(unix))]
fn lock(_: &File, _: bool) -> std::io::Result<bool> {
    Ok(true)
}

#[cfg(not(unix))]
fn same(_: &File, _: &Path) -> bool {
    true
}
