//! Valid files, damaged.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{select, Index};

/// What a parser might trip over.
const PIECES: [&[u8]; 36] = [
    b"",
    b"\0",
    b"\n",
    b"\r\n",
    b" ",
    b"\t",
    b",",
    b"=",
    b"-",
    b"#",
    b"\"",
    b"'",
    b"[",
    b"]",
    b"{",
    b"}",
    b"0",
    b"1",
    b"-1",
    b"9",
    b"65",
    b"4294967296",
    b"18446744073709551615",
    b"18446744073709551616",
    b"0x",
    b"1e308",
    b"inf",
    b"nan",
    b"x",
    b"z",
    b"\xff",
    b"\xc3",
    b"\xef\xbb\xbf",
    b"$end",
    b"9999999999999999999999999999",
    b".",
];

/// A change of a text.
#[derive(Debug, Clone)]
pub enum Edit {
    /// A piece stands in the place of so many bytes.
    Piece(Index, usize, &'static [u8]),
    /// A number is another one.
    Number(Index, u64),
    /// A line is there twice.
    Twice(Index),
    /// A line is gone.
    Lost(Index),
    /// Two lines change places.
    Swapped(Index, Index),
    /// The rest is missing.
    Cut(Index),
}

fn edit() -> impl Strategy<Value = Edit> {
    let numbers = prop_oneof![
        0u64..70,
        select(vec![
            u64::MAX,
            u64::MAX - 1,
            1 << 63,
            1 << 32,
            (1 << 32) - 1,
            1 << 31,
            1 << 16
        ]),
        any::<u64>(),
    ];
    prop_oneof![
        4 => (any::<Index>(), 0usize..6, select(PIECES.to_vec())).prop_map(|(at, of, by)| Edit::Piece(at, of, by)),
        4 => (any::<Index>(), numbers).prop_map(|(which, to)| Edit::Number(which, to)),
        1 => any::<Index>().prop_map(Edit::Twice),
        1 => any::<Index>().prop_map(Edit::Lost),
        1 => (any::<Index>(), any::<Index>()).prop_map(|(a, b)| Edit::Swapped(a, b)),
        1 => any::<Index>().prop_map(Edit::Cut),
    ]
}

impl Edit {
    fn apply(&self, bytes: &mut Vec<u8>) {
        let mut lines = |change: &dyn Fn(&mut Vec<&[u8]>)| {
            let before = bytes.clone();
            let mut lines: Vec<&[u8]> = before.split_inclusive(|byte| *byte == b'\n').collect();
            if !lines.is_empty() {
                change(&mut lines);
                *bytes = lines.concat();
            }
        };
        match self {
            Self::Piece(at, of, by) => {
                let from = at.index(bytes.len() + 1);
                let to = (from + of).min(bytes.len());
                bytes.splice(from..to, by.iter().copied());
            }
            Self::Number(which, to) => number(bytes, *which, *to),
            Self::Twice(at) => lines(&|lines| {
                let at = at.index(lines.len());
                lines.insert(at, lines[at]);
            }),
            Self::Lost(at) => lines(&|lines| {
                let at = at.index(lines.len());
                lines.remove(at);
            }),
            Self::Swapped(a, b) => lines(&|lines| {
                let count = lines.len();
                lines.swap(a.index(count), b.index(count));
            }),
            Self::Cut(at) => bytes.truncate(at.index(bytes.len() + 1)),
        }
    }
}

/// Replaces a run of digits.
fn number(bytes: &mut Vec<u8>, which: Index, to: u64) {
    let digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let starts: Vec<usize> = (0..bytes.len())
        .filter(|&at| digit(at) && (at == 0 || !digit(at - 1)))
        .collect();
    if !starts.is_empty() {
        let start = starts[which.index(starts.len())];
        let end = (start..).find(|&at| !digit(at)).unwrap_or(start);
        bytes.splice(start..end, to.to_string().into_bytes());
    }
}

/// One of these texts with a few edits, or bytes that were never one.
pub fn damaged(good: Vec<Vec<u8>>) -> impl Strategy<Value = Vec<u8>> {
    let edited = (select(good), vec(edit(), 1..6)).prop_map(|(mut bytes, edits)| {
        edits.iter().for_each(|edit| edit.apply(&mut bytes));
        bytes
    });
    prop_oneof![
        8 => edited,
        1 => vec(any::<u8>(), 0..300),
        1 => vec(select(PIECES.to_vec()), 0..40).prop_map(|pieces| pieces.concat()),
    ]
}
