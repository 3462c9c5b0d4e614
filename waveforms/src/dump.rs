//! Writing a value change dump to any stream.

use std::io::Write;

use vcd::Writer as VcdWriter;

use crate::digits::{push_binary, push_decimal};
use crate::error::{Error, Result};
use crate::layout::{Declaration, Layout, Variable};
use crate::options::Options;
use crate::sample::Sample;
use crate::timeline::{Follows, Timeline};

/// Bytes gathered before they go to the stream.
const BUFFER: usize = 1 << 16;

/// A value change dump on a stream. Only changes are written.
///
/// Files are better written with [`crate::WaveFile`], which leaves no half-written one behind.
#[derive(Debug)]
pub struct Dump<W: Write> {
    stream: W,
    layout: Layout,
    options: Options,
    buffer: Vec<u8>,
    /// Words of the last sample written.
    shown: Box<[u64]>,
    timeline: Timeline,
    clock: Option<Vec<u8>>,
    bytes: u64,
    /// A write failed: how much of it arrived is unknown, so nothing may follow.
    failed: bool,
}

impl<W: Write> Dump<W> {
    /// Writes the header.
    ///
    /// # Errors
    /// [`Error::Setting`] for options out of range, [`Error::Write`].
    pub fn new(mut stream: W, layout: &Layout, options: &Options) -> Result<Self> {
        options.check()?;
        write_header(&mut stream, layout, options).map_err(Error::Write)?;
        let clock_code = Layout::clock_code().to_string().into_bytes();
        Ok(Dump {
            stream,
            layout: layout.clone(),
            options: options.clone(),
            buffer: Vec::with_capacity(BUFFER + BUFFER / 4),
            shown: vec![0; layout.words()].into(),
            timeline: Timeline::new(options),
            clock: layout.has_clock().then_some(clock_code),
            bytes: 0,
            failed: false,
        })
    }

    /// Whether `cycle` is in the window; sampling others can be spared.
    #[must_use]
    pub fn wants(&self, cycle: u64) -> bool {
        self.options.window.contains(cycle)
    }

    /// Last cycle written.
    #[must_use]
    pub fn last_cycle(&self) -> Option<u64> {
        self.timeline.ends().map(|(_, last)| last)
    }

    pub(crate) fn timeline(&self) -> &Timeline {
        &self.timeline
    }

    /// Bytes of value changes written so far, the header not counted.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes + self.buffer.len() as u64
    }

    /// Writes what changed since the last cycle; nothing for a cycle out of the window.
    ///
    /// # Errors
    /// [`Error::Foreign`] for a sample of another layout, [`Error::Order`] if the cycle is not
    /// after the last one, [`Error::Time`] beyond 64-bit time, [`Error::Write`].
    pub fn sample(&mut self, cycle: u64, sample: &Sample) -> Result<()> {
        if !self.layout.same(sample.layout()) {
            return Err(Error::Foreign { what: "sample" });
        }
        self.sample_words(cycle, sample.words())
    }

    /// [`Dump::sample`] of words that are known to be of this layout.
    pub(crate) fn sample_words(&mut self, cycle: u64, words: &[u64]) -> Result<()> {
        if !self.wants(cycle) {
            return Ok(());
        }
        let (time, follows) = self.timeline.take(cycle)?;
        match follows {
            Follows::Nothing => self.all(time, "$dumpvars\n", words),
            Follows::Unknown(from) => {
                self.unknown(from);
                self.all(time, "$dumpon\n", words);
            }
            Follows::Cycle => self.changes(time, words),
        }
        if let Some(clock) = &self.clock {
            push_time(&mut self.buffer, time + self.options.period / 2);
            push_scalar(&mut self.buffer, b'0', clock);
        }
        self.shown.copy_from_slice(words);
        if self.buffer.len() >= BUFFER {
            self.drain()?;
        }
        Ok(())
    }

    /// All values, in a `command ... $end` section.
    fn all(&mut self, time: u64, command: &str, words: &[u64]) {
        let buffer = &mut self.buffer;
        push_time(buffer, time);
        buffer.extend_from_slice(command.as_bytes());
        if let Some(clock) = &self.clock {
            push_scalar(buffer, b'1', clock);
        }
        for (_, slot) in self.layout.written() {
            push_value(buffer, slot.width, &words[slot.words()], slot.tail());
        }
        buffer.extend_from_slice(b"$end\n");
    }

    /// All values x, until the next [`Dump::all`].
    fn unknown(&mut self, time: u64) {
        let buffer = &mut self.buffer;
        push_time(buffer, time);
        buffer.extend_from_slice(b"$dumpoff\n");
        if let Some(clock) = &self.clock {
            push_scalar(buffer, b'x', clock);
        }
        for (_, slot) in self.layout.written() {
            let tail = slot.tail();
            if slot.width == 1 {
                buffer.push(b'x');
                buffer.extend_from_slice(&tail[1..]);
            } else {
                buffer.extend_from_slice(b"bx");
                buffer.extend_from_slice(tail);
            }
        }
        buffer.extend_from_slice(b"$end\n");
    }

    /// The values that differ from those shown.
    fn changes(&mut self, time: u64, words: &[u64]) {
        let buffer = &mut self.buffer;
        let before = buffer.len();
        push_time(buffer, time);
        let stamped = buffer.len();
        if let Some(clock) = &self.clock {
            push_scalar(buffer, b'1', clock);
        }
        for (_, slot) in self.layout.written() {
            let first = slot.word as usize;
            // Most signals are one limb, and most of them are quiet.
            let changed = if slot.width <= 64 {
                words[first] != self.shown[first]
            } else {
                words[slot.words()] != self.shown[slot.words()]
            };
            if changed {
                push_value(buffer, slot.width, &words[slot.words()], slot.tail());
            }
        }
        // A time at which nothing happens is left out.
        if buffer.len() == stamped {
            buffer.truncate(before);
        }
    }

    fn drain(&mut self) -> Result<()> {
        let buffer = std::mem::take(&mut self.buffer);
        self.attempt(|stream| stream.write_all(&buffer))?;
        self.bytes += buffer.len() as u64;
        self.buffer = buffer;
        self.buffer.clear();
        Ok(())
    }

    /// Writes, unless an earlier write failed.
    fn attempt(&mut self, write: impl FnOnce(&mut W) -> std::io::Result<()>) -> Result<()> {
        if self.failed {
            return Err(Error::Write(std::io::Error::other(
                "an earlier write failed",
            )));
        }
        let done = write(&mut self.stream);
        self.failed = done.is_err();
        done.map_err(Error::Write)
    }

    /// Adds a `$comment` between cycles.
    ///
    /// # Errors
    /// [`Error::Write`].
    pub fn comment(&mut self, text: &str) -> Result<()> {
        self.drain()?;
        self.attempt(|stream| VcdWriter::new(stream).comment(&printable(text)))
    }

    /// Writes the end of the last cycle and flushes the stream.
    ///
    /// # Errors
    /// [`Error::Write`].
    pub fn finish(&mut self) -> Result<()> {
        push_time(&mut self.buffer, self.timeline.end());
        self.drain()?;
        self.attempt(W::flush)
    }

    /// The stream, as far as it was written ([`Dump::finish`] first).
    #[must_use]
    pub fn into_stream(self) -> W {
        self.stream
    }
}

fn write_header(
    stream: &mut impl Write,
    layout: &Layout,
    options: &Options,
) -> std::io::Result<()> {
    // One write a header: `vcd::Writer` makes several of every line.
    let mut header = Vec::new();
    let mut vcd = VcdWriter::new(&mut header);
    if !options.version.is_empty() {
        vcd.version(&printable(&options.version))?;
    }
    for comment in &options.comments {
        vcd.comment(&printable(comment))?;
    }
    vcd.timescale(options.timescale, options.unit)?;
    for declaration in layout.declarations() {
        match declaration {
            Declaration::Open { kind, name, .. } => vcd.scope_def((*kind).into(), name)?,
            Declaration::Close => vcd.upscope()?,
            Declaration::Variable(variable) => {
                let Variable {
                    kind,
                    width,
                    name,
                    signal,
                    ..
                } = variable;
                let code = signal.map_or(Layout::clock_code(), Layout::code);
                vcd.var_def((*kind).into(), *width, code, name, None)?;
            }
        }
    }
    vcd.enddefinitions()?;
    stream.write_all(&header)
}

/// Text that cannot end its command early: `$end` is written `$ end`.
fn printable(text: &str) -> String {
    text.replace("$end", "$ end")
}

fn push_time(buffer: &mut Vec<u8>, time: u64) {
    buffer.push(b'#');
    push_decimal(buffer, time);
    buffer.push(b'\n');
}

fn push_scalar(buffer: &mut Vec<u8>, digit: u8, code: &[u8]) {
    buffer.push(digit);
    buffer.extend_from_slice(code);
    buffer.push(b'\n');
}

#[inline]
fn push_value(buffer: &mut Vec<u8>, width: u32, limbs: &[u64], tail: &[u8]) {
    if width == 1 {
        buffer.push(b'0' + (limbs[0] & 1) as u8);
        buffer.extend_from_slice(&tail[1..]);
    } else {
        buffer.push(b'b');
        push_binary(buffer, limbs);
        buffer.extend_from_slice(tail);
    }
}
