//! Writing vectors.

use super::super::{Design, Direction, Error};
use super::Packing;
use crate::sim::Sim;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// Writes vectors cycle by cycle; what it holds does not grow.
pub struct VectorWriter<W: Write> {
    inputs: Column<W>,
    outputs: Column<W>,
    cycles: u64,
    /// Where the files go in the end.
    places: Vec<(PathBuf, PathBuf)>,
}

struct Column<W> {
    to: W,
    packing: Packing,
    word: Vec<u64>,
    line: Vec<u8>,
}

impl<W: Write> Column<W> {
    fn new(to: W, packing: Packing) -> Self {
        let word = vec![0; packing.width.div_ceil(64)];
        Column {
            to,
            packing,
            word,
            line: vec![],
        }
    }

    fn write<'a>(&mut self, values: impl Iterator<Item = &'a [u64]>) -> std::io::Result<()> {
        self.word.fill(0);
        for ((_, low, width), value) in self.packing.fields.iter().zip(values) {
            for (i, &part) in value.iter().enumerate().take(width.div_ceil(64)) {
                let bits = (width - 64 * i).min(64);
                let part = if bits == 64 {
                    part
                } else {
                    part & ((1 << bits) - 1)
                };
                let at = low + 64 * i;
                self.word[at / 64] |= part << (at % 64);
                if at % 64 + bits > 64 {
                    self.word[at / 64 + 1] |= part >> (64 - at % 64);
                }
            }
        }
        self.line.clear();
        for digit in (0..self.packing.digits()).rev() {
            let value = (self.word[digit / 16] >> (digit % 16 * 4)) & 15;
            self.line.push(b"0123456789abcdef"[value as usize]);
        }
        self.line.push(b'\n');
        self.to.write_all(&self.line)
    }
}

impl<W: Write> VectorWriter<W> {
    /// Vectors of a design to anything that takes bytes.
    pub fn new(design: &Design, stimulus: W, expected: W) -> Self {
        VectorWriter {
            inputs: Column::new(stimulus, Packing::of(design, Direction::Input)),
            outputs: Column::new(expected, Packing::of(design, Direction::Output)),
            cycles: 0,
            places: vec![],
        }
    }

    /// One cycle: the values of the ports in their order, low words first.
    ///
    /// # Errors
    /// What the writer says.
    pub fn push<'a>(
        &mut self,
        inputs: impl IntoIterator<Item = &'a [u64]>,
        outputs: impl IntoIterator<Item = &'a [u64]>,
    ) -> std::io::Result<()> {
        self.inputs.write(inputs.into_iter())?;
        self.outputs.write(outputs.into_iter())?;
        self.cycles += 1;
        Ok(())
    }

    /// The cycle that a simulator has just evaluated or stepped: the inputs
    /// that it was given, and the outputs before the edge.
    ///
    /// # Errors
    /// What the writer says.
    pub fn record(&mut self, sim: &Sim) -> std::io::Result<()> {
        let layout = sim.layout();
        self.push(
            layout.inputs().map(|(_, slot)| sim.get_words(slot)),
            layout.outputs().map(|(_, slot)| sim.get_words(slot)),
        )
    }

    /// Cycles so far.
    pub fn cycles(&self) -> u64 {
        self.cycles
    }
}

impl VectorWriter<BufWriter<File>> {
    /// Vectors in `TOP_stimulus.hex` and `TOP_expected.hex` of a folder; the
    /// files appear there with [`finish`](Self::finish).
    ///
    /// # Errors
    /// [`Error::Write`] with the file that could not be made.
    pub fn create(design: &Design, folder: impl AsRef<Path>) -> Result<Self, Error> {
        let folder = folder.as_ref();
        let mut places = vec![];
        let mut open = |kind: &str| {
            let place = folder.join(format!("{}_{kind}.hex", design.top));
            let beside = folder.join(format!(
                "{}_{kind}.hex.{}.part",
                design.top,
                std::process::id()
            ));
            let file = File::create(&beside).map_err(|source| Error::Write {
                path: beside.clone(),
                source,
            })?;
            places.push((beside, place));
            Ok::<_, Error>(BufWriter::new(file))
        };
        let (stimulus, expected) = (open("stimulus")?, open("expected")?);
        Ok(VectorWriter {
            places,
            ..VectorWriter::new(design, stimulus, expected)
        })
    }

    /// Puts the files in place and returns how many cycles they hold.
    ///
    /// # Errors
    /// [`Error::Write`] with the file that could not be written.
    pub fn finish(mut self) -> Result<u64, Error> {
        for (column, (beside, place)) in [&mut self.inputs.to, &mut self.outputs.to]
            .into_iter()
            .zip(&self.places)
        {
            column
                .flush()
                .and_then(|()| std::fs::rename(beside, place))
                .map_err(|source| Error::Write {
                    path: place.clone(),
                    source,
                })?;
        }
        Ok(self.cycles)
    }
}
