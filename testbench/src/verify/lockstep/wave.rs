//! Waveforms of a lockstep run, recorded during the run or by replaying it.

use cotenant_netlist::sim::{Observer, State};
use cotenant_units::table::ParameterSet;
use cotenant_waveforms::{Radix, Scope, Signal, Window};

use super::record::{Record, Row};
use crate::error::{Error, Result};
use crate::verify::dut::Dut;
use crate::verify::waves::hierarchy::{Cycle, Sides};
use crate::verify::waves::recorder::Recorder;
use crate::verify::waves::{look, Request, Span};

/// A copy of the netlist whose inner signals are recorded beside the golden model's.
#[derive(Debug)]
pub(super) struct Camera {
    unit: &'static str,
    dut: Dut,
    observer: Observer,
    sides: Sides,
    recorder: Recorder,
    captions: Option<Captions>,
    /// Cycle that the copy has come to.
    next: Option<u64>,
}

/// A text for each cycle of a run, as characters in a signal.
#[derive(Debug, Clone)]
pub(crate) struct Captions {
    /// The last cycle of each, and its characters.
    texts: Vec<(u64, Vec<u64>)>,
    width: u32,
}

impl Captions {
    /// Texts with the last cycle of each, in order.
    pub fn new<'a>(texts: impl IntoIterator<Item = (u64, &'a str)>) -> Self {
        let characters = |text: &str| -> Vec<u8> {
            let ascii = |c: char| u8::try_from(c).ok().filter(u8::is_ascii).unwrap_or(b'?');
            text.chars().map(ascii).rev().collect()
        };
        let words = |bytes: Vec<u8>| -> Vec<u64> {
            let word = |bytes: &[u8]| {
                bytes
                    .iter()
                    .rfold(0, |word, &byte| word << 8 | u64::from(byte))
            };
            bytes.chunks(8).map(word).collect()
        };
        let texts: Vec<(u64, Vec<u8>)> = texts
            .into_iter()
            .map(|(last, text)| (last, characters(text)))
            .collect();
        let longest = texts.iter().map(|(_, text)| text.len()).max();
        Self {
            width: 8 * longest.unwrap_or(0).max(1) as u32,
            texts: texts
                .into_iter()
                .map(|(last, text)| (last, words(text)))
                .collect(),
        }
    }

    fn signal(&self) -> Signal {
        Signal::reg("step", self.width).radix(Radix::Text).pinned()
    }

    fn at(&self, cycle: u64) -> &[u64] {
        let found = self.texts.iter().find(|(last, _)| cycle <= *last);
        found.map_or(&[], |(_, text)| text)
    }
}

impl Camera {
    /// # Errors
    /// As [`Recorder::new`].
    pub fn new(
        set: &ParameterSet,
        dut: &Dut,
        request: &Request,
        comments: &[String],
        captions: Option<Captions>,
    ) -> Result<Self> {
        let (sides, top) = scopes(set, dut, captions.as_ref());
        let mut options = request.options("lockstep");
        options.comments.extend_from_slice(comments);
        Ok(Self {
            unit: dut.form().unit,
            dut: dut.clone(),
            observer: dut.sim().observer(),
            sides,
            recorder: Recorder::new(request, top, options)?,
            captions,
            next: None,
        })
    }

    /// Whether a camera could be made: what it shows is known before the run.
    ///
    /// # Errors
    /// [`Error::Wave`] for signals that do not exist.
    pub fn check(set: &ParameterSet, dut: &Dut, request: &Request) -> Result<()> {
        request.layout(scopes(set, dut, None).1)?;
        Ok(())
    }

    /// Whether a cycle is to be shown.
    #[inline]
    pub fn wants(&self, cycle: u64) -> bool {
        self.recorder.wants(cycle)
    }

    /// Whether the copy is elsewhere than at the start of `cycle`, and has to be put there.
    pub fn lost(&self, cycle: u64) -> bool {
        self.next != Some(cycle)
    }

    /// Puts the copy to the start of a cycle.
    ///
    /// # Errors
    /// [`Error::Simulate`] for another design's state.
    pub fn place(&mut self, cycle: u64, state: &State) -> Result<()> {
        let unit = self.unit;
        let failed = |source| Error::Simulate { unit, source };
        self.dut.sim_mut().restore(state).map_err(failed)?;
        self.next = Some(cycle);
        Ok(())
    }

    /// The netlist was put into another state.
    pub fn lose(&mut self) {
        self.next = None;
    }

    /// Runs the copy through a cycle and records it, if it is wanted.
    ///
    /// # Errors
    /// As [`Recorder::record`].
    pub fn show(&mut self, cycle: u64, row: &Row<'_>, differs: bool) -> Result<()> {
        self.dut.drive(row.input);
        if self.recorder.wants(cycle) {
            self.dut.sim_mut().eval();
            // Of RAMs no row knows; where they differ first is known.
            let differs = differs || !self.dut.agrees(row.output, row.state);
            let sim = self.dut.sim();
            let values = Cycle {
                input: row.input,
                sim,
                dut_state: sim.state_words(),
                output: row.output,
                state: row.state,
                nets: self.observer.observe(sim),
            };
            let (sides, captions) = (&self.sides, &self.captions);
            self.recorder.record(cycle, |out| {
                if sides.has_reset() {
                    out.put_bool(sides.reset(&values));
                }
                out.put_bool(differs);
                if let Some(captions) = captions {
                    out.put_limbs(captions.at(cycle));
                }
                sides.fill(out, &values);
            })?;
        }
        self.dut.sim_mut().step();
        self.next = Some(cycle + 1);
        Ok(())
    }

    /// Says where a mismatch is.
    pub fn mark(&mut self, seen: &Seen) {
        let paths = self.sides.showing(&seen.field).into_iter().flatten();
        let unit = self.unit;
        self.recorder
            .mark(seen.cycle, paths.map(|path| format!("{unit}.{path}")));
    }

    /// As [`Recorder::note`].
    pub fn note(&mut self, seen: &Seen) {
        self.recorder.note(&seen.text);
    }

    /// As [`Recorder::finish`].
    pub fn finish(self, reason: Option<&str>) -> Result<Option<std::path::PathBuf>> {
        Ok(self.recorder.finish(reason)?)
    }
}

/// All scopes of a unit, and the outermost.
fn scopes(set: &ParameterSet, dut: &Dut, captions: Option<&Captions>) -> (Sides, Scope) {
    let sides = Sides::new(set, dut, true);
    let mut top = Scope::module(dut.form().unit);
    if sides.has_reset() {
        top.push_signal(Signal::clock("clock").pinned());
        top.push_signal(Signal::wire("reset", 1).pinned());
    }
    top.push_signal(look::mismatch());
    if let Some(captions) = captions {
        top.push_signal(captions.signal());
    }
    sides.declare(&mut top);
    (sides, top)
}

/// A mismatch, as waves have it.
#[derive(Debug, Clone)]
pub(super) struct Seen {
    pub cycle: u64,
    pub field: String,
    pub text: String,
}

/// Writes the cycles of a record from `first`, or as far as it goes back, to before `end`.
pub(super) fn develop(
    (set, dut): (&ParameterSet, &Dut),
    record: &Record,
    request: &Request,
    (first, end): (u64, u64),
    seen: Option<&Seen>,
    (comments, reason): (&[String], Option<&str>),
    captions: Option<Captions>,
) -> Result<Option<std::path::PathBuf>> {
    let Some(start) = record.start(first).filter(|start| *start < end) else {
        // Nothing has run yet, so there is nothing to show.
        return Ok(None);
    };
    let window = Window {
        from: first,
        to: end,
    };
    let request = Request {
        span: Span::Window(window),
        ..request.clone()
    };
    let mut camera = Camera::new(set, dut, &request, comments, captions)?;
    if let Some(seen) = seen {
        camera.mark(seen);
    }
    for cycle in start..end {
        if let Some(state) = record.state(cycle) {
            camera.place(cycle, state)?;
        }
        let differs = seen.is_some_and(|seen| seen.cycle == cycle);
        camera.show(cycle, &record.row(cycle), differs)?;
    }
    camera.finish(reason)
}
