//! Writes vectors, line by line.

use std::io::{Result, Write};

use super::{Column, Header, Sums, Trailer, BAR};
use crate::sim::Sim;

/// Writes vectors cycle by cycle; what it holds does not grow.
pub struct Writer<W: Write> {
    to: W,
    inputs: Vec<Column>,
    outputs: Vec<Column>,
    sums: Sums,
    line: Vec<u8>,
}

impl<W: Write> Writer<W> {
    /// Writes the header.
    ///
    /// # Errors
    /// What `to` says.
    pub fn new(mut to: W, header: &Header) -> Result<Self> {
        to.write_all(header.lines().as_bytes())?;
        Ok(Self {
            to,
            inputs: header.inputs.clone(),
            outputs: header.outputs.clone(),
            sums: Sums::default(),
            line: vec![],
        })
    }

    /// One cycle: the values of the ports in the header's order, low words first.
    ///
    /// # Errors
    /// What the writer below says.
    pub fn push<'a>(
        &mut self,
        inputs: impl IntoIterator<Item = &'a [u64]>,
        outputs: impl IntoIterator<Item = &'a [u64]>,
    ) -> Result<()> {
        self.line.clear();
        values(&self.inputs, inputs, &mut self.line);
        let middle = self.bar();
        values(&self.outputs, outputs, &mut self.line);
        self.close(middle)
    }

    /// One cycle: rows in which each port starts a new word.
    ///
    /// # Errors
    /// What the writer below says.
    pub fn push_rows(&mut self, inputs: &[u64], outputs: &[u64]) -> Result<()> {
        self.line.clear();
        values(&self.inputs, parts(&self.inputs, inputs), &mut self.line);
        let middle = self.bar();
        values(&self.outputs, parts(&self.outputs, outputs), &mut self.line);
        self.close(middle)
    }

    /// Goes over to the outputs; where the inputs end.
    fn bar(&mut self) -> usize {
        let middle = self.line.len();
        self.line.extend_from_slice(BAR);
        middle
    }

    fn close(&mut self, middle: usize) -> Result<()> {
        let (inputs, outputs) = (&self.line[..middle], &self.line[middle + BAR.len()..]);
        self.sums.add(inputs, outputs);
        self.line.push(b'\n');
        self.to.write_all(&self.line)
    }

    /// The cycle that a simulator has just evaluated or stepped: the inputs that it was given, and
    /// the outputs before the edge. The header's ports are those of the simulated design, in their
    /// order.
    ///
    /// # Errors
    /// What the writer below says.
    pub fn record(&mut self, sim: &Sim) -> Result<()> {
        let layout = sim.layout();
        self.push(
            layout.inputs().map(|(_, slot)| sim.get_words(slot)),
            layout.outputs().map(|(_, slot)| sim.get_words(slot)),
        )
    }

    /// Writes the trailer; gives back what it wrote to.
    ///
    /// # Errors
    /// What the writer below says.
    pub fn finish(mut self) -> Result<(W, Trailer)> {
        let trailer = self.sums.trailer();
        for (key, value) in trailer.lines() {
            writeln!(self.to, "# {key} {value}")?;
        }
        self.to.flush()?;
        Ok((self.to, trailer))
    }
}

/// Each column's words of a row.
fn parts<'a>(columns: &'a [Column], row: &'a [u64]) -> impl Iterator<Item = &'a [u64]> {
    columns.iter().scan(row, |rest, column| {
        let (part, behind) = rest.split_at(column.words());
        *rest = behind;
        Some(part)
    })
}

fn values<'a>(columns: &[Column], values: impl IntoIterator<Item = &'a [u64]>, line: &mut Vec<u8>) {
    let start = line.len();
    for (column, words) in columns.iter().zip(values) {
        if line.len() > start {
            line.push(b' ');
        }
        let top = column.digits() - 1;
        for digit in (0..=top).rev() {
            let mut value = words[digit / 16] >> (digit % 16 * 4) & 15;
            if digit == top {
                // Bits beyond the port.
                value &= 15 >> (4 * column.digits() - column.width);
            }
            line.push(b"0123456789abcdef"[value as usize]);
        }
    }
}
