//! Input of the trace readers: decompression, look-ahead, lines of bounded length.

use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::{Path, PathBuf};

use super::error::{Fault, Malformed, TraceError};

/// Bytes that are looked at before a format is chosen.
const LOOK_AHEAD: u64 = 4096;

/// The longest line: memory must not grow with what is no trace at all. The longest real ones
/// are kernel names, of some thousand bytes.
pub(super) const MAX_LINE_LENGTH: usize = 1 << 20;

/// Bytes seen already, then how reading them ended, then the rest.
struct LookedAhead<R> {
    seen: Cursor<Vec<u8>>,
    ended: Option<io::Error>,
    rest: R,
}

impl<R: Read> LookedAhead<R> {
    /// Reads up to `length` bytes ahead. An error there is kept for a later read of that position.
    fn new(mut rest: R, length: u64) -> Self {
        let mut seen = Vec::new();
        let ended = (&mut rest).take(length).read_to_end(&mut seen).err();
        Self {
            seen: Cursor::new(seen),
            ended,
            rest,
        }
    }
}

impl<R: Read> Read for LookedAhead<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.seen.read(buffer)? {
            0 if !buffer.is_empty() => match self.ended.take() {
                Some(error) => Err(error),
                None => self.rest.read(buffer),
            },
            length => Ok(length),
        }
    }
}

/// The plain text of what may be compressed, by its first bytes.
fn decompressed(
    file: &Path,
    input: impl Read + Send + 'static,
) -> Result<Box<dyn Read + Send>, TraceError> {
    let input = LookedAhead::new(input, 6);
    let unsupported = |method, command| {
        Err(TraceError::Compression {
            file: file.to_owned(),
            method,
            command,
        })
    };
    match input.seen.get_ref().as_slice() {
        [0x1f, 0x8b, ..] => Ok(Box::new(flate2::read::MultiGzDecoder::new(input))),
        // The magic number of a frame, and those of frames to be skipped.
        [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => {
            let decoder = zstd::Decoder::new(input).map_err(|source| TraceError::Read {
                file: file.to_owned(),
                line: 1,
                source,
            })?;
            Ok(Box::new(decoder))
        }
        [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => unsupported("xz", "xz -d FILE"),
        [b'B', b'Z', b'h', b'1'..=b'9', ..] => unsupported("bzip2", "bzip2 -d FILE"),
        _ => Ok(Box::new(input)),
    }
}

/// The lines of a trace.
pub(super) struct Lines {
    file: PathBuf,
    reader: BufReader<LookedAhead<Box<dyn Read + Send>>>,
    line: Vec<u8>,
    number: u64,
}

impl Lines {
    pub(super) fn new(
        file: PathBuf,
        input: impl Read + Send + 'static,
    ) -> Result<Self, TraceError> {
        let text = LookedAhead::new(decompressed(&file, input)?, LOOK_AHEAD);
        let reader = BufReader::with_capacity(1 << 16, text);
        Ok(Self {
            file,
            reader,
            line: Vec::new(),
            number: 0,
        })
    }

    /// The beginning of the text; only before the first line is read.
    pub(super) fn beginning(&self) -> &[u8] {
        self.reader.get_ref().seen.get_ref()
    }

    pub(super) fn file(&self) -> &Path {
        &self.file
    }

    /// The next line, without its end; `None` after the last.
    pub(super) fn next(&mut self) -> Result<Option<&[u8]>, TraceError> {
        self.line.clear();
        self.number += 1;
        let mut bounded = (&mut self.reader).take(MAX_LINE_LENGTH as u64 + 1);
        if let Err(source) = bounded.read_until(b'\n', &mut self.line) {
            return Err(TraceError::Read {
                file: self.file.clone(),
                line: self.number,
                source,
            });
        }
        if self.line.is_empty() {
            return Ok(None);
        }
        if self.line.len() > MAX_LINE_LENGTH {
            let expected = format!("a line of at most {MAX_LINE_LENGTH} bytes");
            let help = "check that the file is a trace";
            let fault = Fault::new(0, &self.line, expected, help);
            return Err(self.locate(*fault));
        }
        if self.line.last() == Some(&b'\n') {
            self.line.pop();
        }
        if self.line.last() == Some(&b'\r') {
            self.line.pop();
        }
        let mut line = self.line.as_slice();
        if self.number == 1 {
            // A byte order mark, as spreadsheets write it.
            line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
        }
        Ok(Some(line))
    }

    /// The error for a fault in the line read last, or at the end of the file.
    #[cold]
    pub(super) fn locate(&self, fault: Fault) -> TraceError {
        let Fault {
            column,
            found,
            expected,
            help,
        } = fault;
        let (file, line) = (self.file.clone(), self.number);
        TraceError::Malformed(Box::new(Malformed {
            file,
            line,
            column,
            found,
            expected,
            help,
        }))
    }
}
