//! Opens a dump.

use std::fs::File;
use std::io::{BufReader, Seek};
use std::panic::{catch_unwind, set_hook, take_hook, AssertUnwindSafe};
use std::path::Path;
use std::sync::Once;

use flate2::bufread::MultiGzDecoder;
use wellen::stream::StreamingWaveform;
use wellen::LoadOptions;

use super::{Error, Result};

/// An opened dump.
pub(super) type Wave = StreamingWaveform<BufReader<File>>;

/// Opens a dump and reads its head.
///
/// # Errors
/// [`Error::Io`], [`Error::Dump`].
pub(super) fn open(path: &Path) -> Result<Wave> {
    let io = |source| Error::Io {
        path: path.into(),
        source,
    };
    // The reader takes it for granted that the file is there.
    let mut file = File::open(path).map_err(io)?;
    if path.extension().is_some_and(|end| end == "gz") {
        file = unpacked(file).map_err(io)?;
    }
    let file = BufReader::new(file);
    let options = LoadOptions {
        multi_thread: false,
        ..LoadOptions::default()
    };
    match guarded(|| wellen::stream::read(file, &options)) {
        Ok(Ok(wave)) => Ok(wave),
        Ok(Err(error)) => Err(broken(path, error.to_string())),
        Err(problem) => Err(broken(path, problem)),
    }
}

/// A compressed dump as a file without a name: the reader goes back and forth in it.
fn unpacked(packed: File) -> std::io::Result<File> {
    let mut whole = tempfile::tempfile()?;
    std::io::copy(&mut MultiGzDecoder::new(BufReader::new(packed)), &mut whole)?;
    whole.rewind()?;
    Ok(whole)
}

pub(super) fn broken(path: &Path, problem: String) -> Error {
    Error::Dump {
        path: path.into(),
        problem,
    }
}

thread_local! {
    static GUARDED: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

/// Runs the reader, which panics at some of what is no dump; then what it said is the error.
pub(super) fn guarded<T>(read: impl FnOnce() -> T) -> std::result::Result<T, String> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let before = take_hook();
        set_hook(Box::new(move |info| {
            if !GUARDED.get() {
                before(info);
            }
        }));
    });
    let outer = GUARDED.replace(true);
    let result = catch_unwind(AssertUnwindSafe(read));
    GUARDED.set(outer);
    result.map_err(|panic| match panic.downcast::<String>() {
        Ok(text) => *text,
        Err(panic) => match panic.downcast::<&str>() {
            Ok(text) => text.to_string(),
            Err(_) => "the reader gives up".into(),
        },
    })
}
