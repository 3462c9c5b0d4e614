//! Reads vectors, line by line.

use std::io::{BufRead, Read};

use super::{Column, Header, Sums, Trailer, BAR, MAGIC, MAX_WIDTH, VERSION};

/// Longest line, in bytes, so that a file of something else does not fill the memory.
const MAX_LINE: u64 = 1 << 20;

/// Why vectors cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum VectorsError {
    /// The text is not as it should be.
    #[error("{line}:{column}: {problem}")]
    Format {
        /// Line, from 1.
        line: u64,
        /// Byte in the line, from 1.
        column: usize,
        /// What was expected, and what is there.
        problem: String,
    },
    /// The bytes cannot be read.
    #[error("cannot be read: {0}")]
    Io(#[from] std::io::Error),
}

type Result<T> = std::result::Result<T, VectorsError>;

/// Reads vectors cycle by cycle; what it holds does not grow.
pub struct Reader<R: BufRead> {
    from: R,
    header: Header,
    trailer: Option<Trailer>,
    sums: Sums,
    /// The line read last, without its line feed, and its number.
    line: Vec<u8>,
    number: u64,
    /// It is the line after the header, which is not parsed yet.
    at_hand: bool,
    /// The header's lines behind `# `, from the second on.
    head: Vec<String>,
    inputs: Vec<u64>,
    outputs: Vec<u64>,
}

impl<R: BufRead> Reader<R> {
    /// Reads the header.
    ///
    /// # Errors
    /// [`VectorsError`] with the place and what was expected there.
    pub fn new(from: R) -> Result<Self> {
        let mut reader = Self {
            from,
            header: Header::new(0),
            trailer: None,
            sums: Sums::default(),
            line: vec![],
            number: 0,
            at_hand: false,
            head: vec![],
            inputs: vec![],
            outputs: vec![],
        };
        reader.read_header()?;
        Ok(reader)
    }

    /// What stands in front of the cycles.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The values of the inputs in the cycle read last: each port from a new word.
    pub fn inputs(&self) -> &[u64] {
        &self.inputs
    }

    /// The values of the outputs in the cycle read last: each port from a new word.
    pub fn outputs(&self) -> &[u64] {
        &self.outputs
    }

    /// Line of the cycle read last, from 1.
    pub fn line(&self) -> u64 {
        self.number
    }

    /// Byte in the line at which an output's value starts, from 1.
    pub fn column_of_output(&self, output: usize) -> usize {
        let bytes = |columns: &[Column]| columns.iter().map(|c| c.digits() + 1).sum::<usize>();
        let inputs = bytes(&self.header.inputs).saturating_sub(1);
        inputs + BAR.len() + bytes(&self.header.outputs[..output]) + 1
    }

    /// Line and column, both from 1, at which the value of a line of the header stands: of the
    /// first that starts with `key`, a word or more.
    pub fn place_of(&self, key: &str) -> Option<(u64, usize)> {
        let value = |line: &String| line.strip_prefix(key)?.strip_prefix(' ').map(|_| ());
        let index = self.head.iter().position(|line| value(line).is_some())?;
        Some((index as u64 + 2, key.len() + 4))
    }

    /// What the text says of itself, after the last cycle.
    pub fn trailer(&self) -> Option<&Trailer> {
        self.trailer.as_ref()
    }

    /// What the trailer should be, by the cycles read so far.
    pub fn found(&self) -> Trailer {
        self.sums.trailer()
    }

    /// Reads a cycle; `false` after the last, when the trailer has been read. The trailer's hashes
    /// are left to the caller to compare.
    ///
    /// # Errors
    /// [`VectorsError`] with the place and what was expected there.
    pub fn advance(&mut self) -> Result<bool> {
        if self.trailer.is_some() {
            return Ok(false);
        }
        if !std::mem::take(&mut self.at_hand) {
            self.next_line("the line of a cycle or '# cycles N'")?;
        }
        if self.line.first() == Some(&b'#') {
            self.read_trailer()?;
            return Ok(false);
        }
        self.read_cycle()?;
        Ok(true)
    }

    /// Reads the next line, of whatever kind.
    fn next_line(&mut self, expected: &str) -> Result<()> {
        self.line.clear();
        self.number += 1;
        let from = (&mut self.from)
            .take(MAX_LINE)
            .read_until(b'\n', &mut self.line);
        from?;
        if self.line.pop() == Some(b'\n') {
            return Ok(());
        }
        let problem = match self.line.len() {
            0 => format!("expected {expected}, found the end of the file"),
            _ => format!("expected {expected}, found a line without an end"),
        };
        self.fail(self.line.len() + 1, problem)
    }

    fn fail<T>(&self, column: usize, problem: impl Into<String>) -> Result<T> {
        Err(VectorsError::Format {
            line: self.number,
            column,
            problem: problem.into(),
        })
    }

    fn read_header(&mut self) -> Result<()> {
        let magic = format!("# {MAGIC} ");
        self.next_line(&format!("'{magic}{VERSION}'"))?;
        let Some(version) = self.line.strip_prefix(magic.as_bytes()) else {
            return self.fail(
                1,
                format!("expected '{magic}{VERSION}': these are no vectors"),
            );
        };
        if version != VERSION.to_string().as_bytes() {
            let version = String::from_utf8_lossy(version).into_owned();
            let problem = format!("expected version {VERSION}, found '{version}'");
            return self.fail(magic.len() + 1, problem);
        }
        let mut compare_from = None;
        loop {
            self.next_line("a line of the header or of a cycle")?;
            if self.line.first() != Some(&b'#') {
                break;
            }
            let (key, value) = self.key_and_value()?;
            self.head.push(format!("{key} {value}"));
            let at = key.len() + 4;
            match key.as_str() {
                "input" | "output" => {
                    let column = self.port(at, &value)?;
                    let Header {
                        inputs, outputs, ..
                    } = &mut self.header;
                    if key == "input" { inputs } else { outputs }.push(column);
                }
                "compare-from" => match value.parse() {
                    Ok(cycle) => compare_from = Some(cycle),
                    Err(_) => return self.fail(at, "expected the number of a cycle"),
                },
                // No cycle in between.
                "cycles" => break,
                _ => self.header.facts.push((key, value)),
            }
        }
        let Some(compare_from) = compare_from else {
            return self.fail(1, "expected '# compare-from CYCLE' in the header above");
        };
        if self.header.outputs.is_empty() {
            return self.fail(
                1,
                "expected '# output NAME WIDTH ELEMENTS' in the header above",
            );
        }
        self.at_hand = true;
        self.header.compare_from = compare_from;
        let words = |columns: &[Column]| vec![0; columns.iter().map(Column::words).sum()];
        self.inputs = words(&self.header.inputs);
        self.outputs = words(&self.header.outputs);
        Ok(())
    }

    /// `# KEY VALUE`.
    fn key_and_value(&self) -> Result<(String, String)> {
        let Ok(line) = std::str::from_utf8(&self.line) else {
            return self.fail(1, "expected UTF-8");
        };
        let pair = line
            .strip_prefix("# ")
            .and_then(|text| text.split_once(' '));
        match pair {
            Some((key, value)) if !key.is_empty() => Ok((key.into(), value.into())),
            _ => self.fail(1, "expected '# KEY VALUE'"),
        }
    }

    /// `NAME WIDTH ELEMENTS`, at this column of the line.
    fn port(&self, at: usize, text: &str) -> Result<Column> {
        let words: Vec<&str> = text.split(' ').collect();
        let [name, width, elements] = words[..] else {
            return self.fail(at, "expected NAME WIDTH ELEMENTS");
        };
        let Header {
            inputs, outputs, ..
        } = &self.header;
        if inputs.iter().chain(outputs).any(|known| known.name == name) {
            return self.fail(at, format!("expected another port than '{name}' again"));
        }
        let at = at + name.len() + 1;
        let Some(width) = number(width, MAX_WIDTH) else {
            return self.fail(at, format!("expected a width of 1 to {MAX_WIDTH} bits"));
        };
        let at = at + words[1].len() + 1;
        match number(elements, width).filter(|elements| width % elements == 0) {
            Some(elements) => Ok(Column::new(name, width, elements)),
            None => self.fail(
                at,
                format!("expected a number of elements that divides {width} bits"),
            ),
        }
    }

    fn read_cycle(&mut self) -> Result<()> {
        let line = std::mem::take(&mut self.line);
        let (mut inputs, mut outputs) = (
            std::mem::take(&mut self.inputs),
            std::mem::take(&mut self.outputs),
        );
        let place = Place {
            line: &line,
            number: self.number,
        };
        let middle = place.values(0, &self.header.inputs, &mut inputs)?;
        let right = place.literal(middle, BAR)?;
        let end = place.values(right, &self.header.outputs, &mut outputs)?;
        if end < line.len() {
            return place.fail(end, "the end of the line");
        }
        self.sums.add(&line[..middle], &line[right..]);
        (self.inputs, self.outputs) = (inputs, outputs);
        self.line = line;
        Ok(())
    }

    fn read_trailer(&mut self) -> Result<()> {
        let mut trailer = Trailer::default();
        for (i, (expected, _)) in trailer.clone().lines().into_iter().enumerate() {
            if i > 0 {
                self.next_line(&format!("'# {expected} ...'"))?;
            }
            let (key, value) = self.key_and_value()?;
            if key != expected {
                return self.fail(3, format!("expected '{expected}', found '{key}'"));
            }
            let at = key.len() + 4;
            let is_hash = value.len() == 64
                && value
                    .bytes()
                    .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
            match i {
                0 if value == self.sums.cycles.to_string() => trailer.cycles = self.sums.cycles,
                0 => {
                    let found = self.sums.cycles;
                    return self.fail(
                        at,
                        format!("expected {found}, the number of cycles above, found {value}"),
                    );
                }
                _ if !is_hash => {
                    return self.fail(at, "expected 64 hex digits in lower case");
                }
                1 => trailer.stimulus = value,
                _ => trailer.expected = value,
            }
        }
        let mut more = [0];
        if self.from.read(&mut more)? > 0 {
            self.number += 1;
            return self.fail(1, "expected the end of the file after the trailer");
        }
        self.trailer = Some(trailer);
        Ok(())
    }
}

fn number(text: &str, max: usize) -> Option<usize> {
    text.parse().ok().filter(|value| (1..=max).contains(value))
}

/// A line of a cycle.
struct Place<'a> {
    line: &'a [u8],
    number: u64,
}

impl Place<'_> {
    fn fail<T>(&self, at: usize, expected: &str) -> Result<T> {
        let found = match self.line.get(at) {
            Some(byte) => format!("'{}'", byte.escape_ascii()),
            None => "the end of the line".into(),
        };
        Err(VectorsError::Format {
            line: self.number,
            column: at + 1,
            problem: format!("expected {expected}, found {found}"),
        })
    }

    fn literal(&self, at: usize, text: &[u8]) -> Result<usize> {
        match (0..text.len()).find(|&i| self.line.get(at + i) != Some(&text[i])) {
            Some(i) => self.fail(at + i, &format!("'{}'", char::from(text[i]))),
            None => Ok(at + text.len()),
        }
    }

    /// The values of all columns into a row; where they end.
    fn values(&self, mut at: usize, columns: &[Column], row: &mut [u64]) -> Result<usize> {
        row.fill(0);
        let mut word = 0;
        for (i, column) in columns.iter().enumerate() {
            if i > 0 {
                at = self.literal(at, b" ")?;
            }
            self.value(at, column, &mut row[word..word + column.words()])?;
            at += column.digits();
            word += column.words();
        }
        Ok(at)
    }

    fn value(&self, at: usize, column: &Column, words: &mut [u64]) -> Result<()> {
        let digits = column.digits();
        for i in 0..digits {
            let value = match self.line.get(at + i) {
                Some(byte @ b'0'..=b'9') => byte - b'0',
                Some(byte @ b'a'..=b'f') => byte - b'a' + 10,
                _ => {
                    let name = &column.name;
                    return self.fail(at + i, &format!("{digits} hex digits of '{name}'"));
                }
            };
            let digit = digits - 1 - i;
            if i == 0 && u32::from(value) > 15 >> (4 * digits - column.width) {
                let Column { name, width, .. } = column;
                return self.fail(at, &format!("at most {width} bits of '{name}'"));
            }
            words[digit / 16] |= u64::from(value) << (digit % 16 * 4);
        }
        Ok(())
    }
}
