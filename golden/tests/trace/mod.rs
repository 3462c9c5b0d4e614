//! Trace readers: what they accept, what they say about the rest, and that nothing breaks them.
//!
//! Rationale: traces come from other people's tools, cut off, edited by hand, of the wrong kind.
//! Each format is tried with all that it allows and with one fault of each kind, whose message
//! must name file, line, column, what stands there, what was expected and what to do. Then random
//! bytes, random edits of good traces, and cut-off compressed ones: an error is fine, a panic is
//! not.

use std::io::Read;

use cotenant_golden::workload::trace::{Format, Options, Reader, Source, Trace, TraceError};
use cotenant_golden::workload::{Access, Op};

mod compression;
mod csv;
mod din;
mod fuzz;
mod sources;
mod traceg;

const OPTIONS: Options = Options {
    line: 128,
    kernels: 4,
};

fn reader(name: &str, bytes: &[u8], kernel: Option<u8>) -> Result<Reader, TraceError> {
    Reader::new(
        name,
        std::io::Cursor::new(bytes.to_vec()),
        kernel,
        None,
        OPTIONS,
    )
}

fn read(name: &str, text: &str) -> Vec<Access> {
    reader(name, text.as_bytes(), None)
        .unwrap()
        .collect::<Result<_, _>>()
        .unwrap()
}

fn brief(accesses: &[Access]) -> Vec<(u8, Op, u64, u32)> {
    accesses
        .iter()
        .map(|a| (a.kernel, a.op, a.address, a.sectors))
        .collect()
}

/// The error of a text that must have one, and how many accesses came before it.
fn error(name: &str, text: &str) -> (usize, String) {
    let mut read = 0;
    for access in reader(name, text.as_bytes(), None).unwrap() {
        match access {
            Ok(_) => read += 1,
            Err(error) => return (read, error.to_string()),
        }
    }
    panic!("no error in {text:?}");
}

fn message(name: &str, text: &str) -> String {
    error(name, text).1
}

#[test]
fn a_line_without_end_is_refused_not_stored() {
    struct Unreachable;
    impl std::io::Read for Unreachable {
        fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
            Err(std::io::Error::other("read far beyond the longest line"))
        }
    }
    let endless = std::io::repeat(b'1').take(2 << 20).chain(Unreachable);
    let mut reader = Reader::new("a.csv", endless, None, None, OPTIONS).unwrap();
    let message = reader.next().unwrap().unwrap_err().to_string();
    assert!(message.starts_with("a.csv:1:1: found \"1111"), "{message}");
    assert!(
        message.contains("expected a line of at most 1048576 bytes"),
        "{message}"
    );
    assert!(reader.next().is_none());
}
