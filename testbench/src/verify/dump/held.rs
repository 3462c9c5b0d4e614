//! Compares a dump with a golden model.

use std::collections::VecDeque;
use std::path::Path;

use cotenant_units::table::ParameterSet;
use wellen::Hierarchy;

use super::bits::Bits;
use super::covered::{Covered, Golden};
use super::map::Level;
use super::open::open;
use super::sample::{edges, Next, Sampled, Sampling};
use super::signals::Wiring;
use super::wave::{Cycle, Film};
use super::{Error, Given, Map, Mismatch, Moment, Report, Result};
use crate::verify::coverage::Cover;
use crate::verify::interface::Form;
use crate::verify::lockstep::Flow;
use crate::verify::waves::Request;

/// Output that says whether the others count.
const READY: &str = "ready";
/// Cycles between two calls of a watcher.
const WATCH: u64 = 4096;

/// What unknown bits of an input are taken for, to see whether they matter.
const FILLS: [u64; 4] = [0, u64::MAX, 0x9e37_79b9_7f4a_7c15, !0x9e37_79b9_7f4a_7c15];

/// Cycles of inputs that are kept for the report of a difference.
const BEFORE: usize = 4;

/// How a dump is compared.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// Cycles that differ, after which comparison stops; at least 1.
    pub mismatches: usize,
    /// Whether the dump's inputs are measured.
    pub coverage: bool,
    /// Waves of the dump's ports beside the golden model.
    pub wave: Option<Request>,
}

impl Default for Options {
    /// Up to the first difference, without coverage and waves.
    fn default() -> Self {
        Self {
            mismatches: 1,
            coverage: false,
            wave: None,
        }
    }
}

/// Compares a dump with the golden model, up to the first difference unless `options` say more;
/// `watch` is told from time to time how many cycles are done.
///
/// # Errors
/// What keeps it from being compared: see [`Error`].
pub fn check<U: Cover>(
    set: &ParameterSet,
    map: &Map,
    path: &Path,
    options: &Options,
    watch: &mut dyn FnMut(u64) -> Flow,
) -> Result<Report> {
    map.is_for(U::NAME, set.name)?;
    let params = U::params(set)?;
    let golden = Box::new(Covered::<U>::new(&params, options.coverage)?);
    check_with(U::form(&params), golden, (set, map, path), options, watch)
}

fn check_with(
    form: Form,
    golden: Box<dyn Golden>,
    (set, map, path): (&ParameterSet, &Map, &Path),
    options: &Options,
    watch: &mut dyn FnMut(u64) -> Flow,
) -> Result<Report> {
    let mut wave = open(path)?;
    let wiring = Wiring::new(
        map,
        wave.hierarchy(),
        form.unit,
        &form.inputs,
        &form.outputs,
    )?;
    let unwatched = form.outputs.iter().zip(&wiring.outputs);
    let ignored = unwatched.filter(|(_, wire)| wire.is_ignored());
    let report = Report {
        unit: form.unit,
        set: set.name.into(),
        path: path.into(),
        cycles: 0,
        compared: 0,
        skipped: 0,
        unknown: 0,
        first_reset: None,
        ignored: ignored.map(|(port, _)| port.name).collect(),
        mismatch: None,
        before: vec![],
        more: vec![],
        coverage: None,
        wave: None,
    };
    let sampling = Sampling {
        clock: wiring.clock.clone(),
        edge: map.text.clock.edge,
        offsets: map.text.sample,
        window: map.text.time,
    };
    let film = match &options.wave {
        Some(request) => {
            let note = format!("{} {} in {}", form.unit, set.name, path.display());
            Some(Film::new(&form, &wiring, request, note)?)
        }
        None => None,
    };
    let (signals, widths) = (wiring.signals.clone(), wiring.widths.clone());
    let mut held = Held {
        golden,
        phase: match wiring.reset {
            Some(_) => Phase::Before,
            None => Phase::Running,
        },
        input_words: form.input_row(),
        output_words: form.output_row(),
        form,
        wiring,
        unit_of_time: unit_of_time(wave.hierarchy()),
        mismatches: options.mismatches.max(1),
        seen: 0,
        before: VecDeque::new(),
        film,
        report,
    };
    let mut give = |sampled: &Sampled<'_>| {
        let cycles = held.report.cycles;
        if cycles % WATCH == 0 && watch(cycles) == Flow::Stop {
            return Err(Error::Interrupted);
        }
        held.sample(sampled)
    };
    let ended = edges(&mut wave, path, &signals, &widths, &sampling, &mut give);
    let mut report = held.report;
    if let Some(film) = held.film {
        // What was recorded is kept, however the run ended.
        let reason = ended.as_ref().err().map(Error::to_string);
        report.wave = film.finish(reason.as_deref())?;
    }
    ended?;
    report.coverage = held.golden.coverage();
    if report.compared > 0 {
        return Ok(report);
    }
    let (path, window) = (path.into(), map.text.time.text());
    Err(match &map.text.reset {
        Some(_) if report.skipped < report.cycles => Error::NotReady {
            path,
            cycles: report.cycles,
            window,
        },
        Some(reset) if report.cycles > 0 => Error::NoReset {
            path,
            signal: reset.signal.clone(),
            active: reset.active.name(),
            cycles: report.cycles,
            window,
        },
        _ => Error::NoEdge {
            path,
            signal: map.text.clock.signal.clone(),
            edge: map.text.clock.edge.name(),
            window,
        },
    })
}

/// Factor and name of the dump's unit of time.
fn unit_of_time(hierarchy: &Hierarchy) -> Option<(u64, String)> {
    use wellen::TimescaleUnit as Unit;
    let scale = hierarchy.timescale()?;
    let name = match scale.unit {
        Unit::Seconds => "s",
        Unit::MilliSeconds => "ms",
        Unit::MicroSeconds => "us",
        Unit::NanoSeconds => "ns",
        Unit::PicoSeconds => "ps",
        Unit::FemtoSeconds => "fs",
        _ => return None,
    };
    Some((scale.factor.into(), name.into()))
}

/// Where a run is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// No reset yet: the flops are unknown.
    Before,
    /// The first reset lasts: flops are known, inputs perhaps not yet.
    FirstReset,
    Running,
}

struct Held {
    form: Form,
    golden: Box<dyn Golden>,
    phase: Phase,
    wiring: Wiring,
    input_words: Vec<u64>,
    output_words: Vec<u64>,
    unit_of_time: Option<(u64, String)>,
    /// Cycles that may still differ.
    mismatches: usize,
    /// Edges of the clock, with those that are only shown.
    seen: u64,
    /// The inputs of the last cycles.
    before: VecDeque<(u64, Vec<u64>)>,
    film: Option<Film>,
    report: Report,
}

impl Held {
    /// `#105 (1050 ns)`.
    fn when(&self, time: u64) -> String {
        match &self.unit_of_time {
            Some((factor, unit)) => {
                format!(
                    "#{time} ({} {unit})",
                    u128::from(time) * u128::from(*factor)
                )
            }
            None => format!("#{time}"),
        }
    }

    fn sample(&mut self, sampled: &Sampled<'_>) -> Result<Next> {
        if sampled.lost {
            // A clock may be unknown while nothing counts.
            return match self.phase {
                Phase::Before => Ok(Next::More),
                _ => Err(self.unknown(sampled.time, "clock", &self.wiring.clock.name, "x".into())),
            };
        }
        self.seen += 1;
        if self.mismatches > 0 {
            self.report.cycles = self.seen;
        }
        let reset = self.reset(sampled)?;
        if self.phase == Phase::Before {
            self.report.skipped += 1;
            if reset {
                self.phase = Phase::FirstReset;
                self.report.first_reset = Some(self.when(sampled.time));
                self.step_in_reset()?;
            }
            return Ok(Next::More);
        }
        if self.phase == Phase::FirstReset && !reset {
            self.phase = Phase::Running;
        }
        match (self.input(sampled, reset), self.phase) {
            (Ok(()), _) => {}
            // What else is on the ports does not matter yet.
            (Err(Error::Unknown { .. } | Error::Assumption { .. }), Phase::FirstReset) => {
                self.report.skipped += 1;
                self.step_in_reset()?;
                return Ok(Next::More);
            }
            // It is over but for the waves.
            (Err(_), _) if self.mismatches == 0 => return Ok(Next::Enough),
            (Err(error), _) => return Err(error),
        }
        let number = self.seen - 1;
        let row = self.film.as_mut().and_then(|film| film.registers(number));
        let shown = row.is_some();
        if let Some(row) = row {
            self.golden.registers(row);
        }
        self.golden.step(&mut self.output_words);
        let ready = self.ready();
        self.report.compared += u64::from(ready && self.mismatches > 0);
        self.remember();
        let mismatch = self.difference(sampled, ready);
        if let (Some(film), true) = (&mut self.film, shown) {
            let cycle = Cycle {
                number,
                sampled,
                input: &self.input_words,
                output: &self.output_words,
                differs: mismatch.is_some(),
            };
            film.show(&self.form, &self.wiring, &cycle)?;
        }
        if self.mismatches == 0 {
            return Ok(self.next());
        }
        let Some(mismatch) = mismatch else {
            return Ok(Next::More);
        };
        if self.report.mismatch.is_some() {
            self.report.more.push(mismatch);
        } else {
            if let Some(film) = &mut self.film {
                film.mark(number, &mismatch.port, mismatch.to_string());
            }
            self.report.mismatch = Some(mismatch);
            self.report.before = self.given();
        }
        self.mismatches -= 1;
        Ok(self.next())
    }

    /// Whether there are cycles to compare, or to show behind those.
    fn next(&mut self) -> Next {
        let shows = |film: &mut Film| film.goes_on();
        match self.mismatches > 0 || self.film.as_mut().is_some_and(shows) {
            true => Next::More,
            false => Next::Enough,
        }
    }

    /// Keeps the inputs of this cycle, in place of the oldest.
    fn remember(&mut self) {
        let mut row = match self.before.len() {
            BEFORE => self.before.pop_front().map_or(vec![], |(_, row)| row),
            _ => vec![],
        };
        row.clone_from(&self.input_words);
        self.before.push_back((self.report.cycles - 1, row));
    }

    /// The inputs of the last cycles by port.
    fn given(&self) -> Vec<Given> {
        let of = |(cycle, row): &(u64, Vec<u64>)| {
            let mut at = 0;
            let inputs = self.form.inputs.iter().map(|port| {
                let words = at..at + port.words();
                at = words.end;
                let bits = Bits::from_words(port.width(), &row[words]);
                (port.name, bits.show(0, port.width()))
            });
            Given {
                cycle: *cycle,
                inputs: inputs.collect(),
            }
        };
        self.before.iter().map(of).collect()
    }

    /// Whether the unit is being reset.
    fn reset(&self, sampled: &Sampled<'_>) -> Result<bool> {
        let Some((part, active)) = &self.wiring.reset else {
            return Ok(false);
        };
        match part.value(sampled.inputs).bit() {
            Some(bit) => Ok(bit == (*active == Level::High)),
            None if self.phase == Phase::Before => Ok(false),
            None => Err(self.unknown(sampled.time, "reset", &part.name, "0bx".into())),
        }
    }

    /// The golden model through a cycle of reset, with zeros on the other ports.
    fn step_in_reset(&mut self) -> Result<()> {
        self.input_words.fill(0);
        self.form.reset(&mut self.input_words);
        self.golden.take(&self.input_words)?;
        self.golden.step(&mut self.output_words);
        Ok(())
    }

    /// Gives the golden model the inputs sampled.
    fn input(&mut self, sampled: &Sampled<'_>, reset: bool) -> Result<()> {
        let mut row = std::mem::take(&mut self.input_words);
        let unknown = self.row(sampled, reset, FILLS[0], &mut row);
        self.input_words = row;
        if let Some((port, signal, value)) = unknown {
            let rows = FILLS.map(|fill| {
                let mut row = self.input_words.clone();
                self.row(sampled, reset, fill, &mut row);
                row
            });
            if !self.golden.same(&rows, &self.watched())? {
                return Err(self.unknown(sampled.time, port, &signal, value));
            }
            self.report.unknown += 1;
        }
        self.golden.take(&self.input_words)?;
        self.golden.assume().map_err(|violation| {
            let name = violation.field().name;
            let mut ports = self.form.inputs.iter();
            let port = ports.position(|port| port.name == name);
            let signals = port.map_or(String::new(), |port| self.wiring.inputs[port].names());
            Error::Assumption {
                at: self.moment(sampled.time),
                unit: self.form.unit,
                violation,
                signals,
            }
        })
    }

    /// The inputs of a cycle as a row, unknown bits as `fill` has them; the first port that has such, its
    /// signal and value.
    fn row(
        &self,
        sampled: &Sampled<'_>,
        reset: bool,
        fill: u64,
        row: &mut [u64],
    ) -> Option<(&'static str, String, String)> {
        let (mut at, mut unknown) = (0, None);
        for (port, wire) in self.form.inputs.iter().zip(&self.wiring.inputs) {
            let words = at..at + port.words();
            at = words.end;
            let Some(bits) = wire.value(port.width(), sampled.inputs) else {
                // The reset, which has a section of its own.
                row[words].fill(reset.into());
                continue;
            };
            if bits.is_known() {
                row[words].copy_from_slice(bits.words());
                continue;
            }
            unknown.get_or_insert_with(|| (port.name, wire.names(), bits.show(0, port.width())));
            let of = |word: usize| fill.rotate_left((words.start + word) as u32);
            row[words.clone()].copy_from_slice(&bits.filled(of));
        }
        unknown
    }

    /// Of a row of outputs the words that are compared.
    fn watched(&self) -> Vec<bool> {
        let ports = self.form.outputs.iter().zip(&self.wiring.outputs);
        ports
            .flat_map(|(port, wire)| std::iter::repeat_n(!wire.is_ignored(), port.words()))
            .collect()
    }

    fn moment(&self, time: u64) -> Box<Moment> {
        Box::new(Moment {
            path: self.report.path.clone(),
            cycle: self.report.cycles.saturating_sub(1),
            time: self.when(time),
        })
    }

    fn unknown(&self, time: u64, port: &str, signal: &str, value: String) -> Error {
        Error::Unknown {
            at: self.moment(time),
            port: port.into(),
            signal: signal.into(),
            value,
        }
    }

    /// Whether all outputs count: a unit with RAM has an output that says so, since it is unknown
    /// what its RAM holds until it is initialised.
    fn ready(&self) -> bool {
        let mut at = 0;
        let words = self.form.outputs.iter().map(|port| {
            at += port.words();
            (port.name, self.output_words[at - port.words()])
        });
        let mut ready = words.filter(|(name, _)| *name == READY);
        ready.next().is_none_or(|(_, word)| word != 0)
    }

    /// The first output that is not the golden model's.
    fn difference(&self, sampled: &Sampled<'_>, ready: bool) -> Option<Mismatch> {
        let mut at = 0;
        for (port, wire) in self.form.outputs.iter().zip(&self.wiring.outputs) {
            let words = at..at + port.words();
            at = words.end;
            let Some(dut) = wire.value(port.width(), sampled.outputs) else {
                continue;
            };
            if !ready && port.name != READY {
                continue;
            }
            let golden = Bits::from_words(port.width(), &self.output_words[words]);
            if dut == golden {
                continue;
            }
            let shown = |element: usize| {
                let low = element * port.element_width;
                let show = |bits: &Bits| bits.show(low, port.element_width);
                (element, show(&dut), show(&golden))
            };
            let mut elements = (0..port.elements).map(shown);
            let (element, dut, golden) = elements.find(|(_, dut, golden)| dut != golden)?;
            return Some(Mismatch {
                cycle: self.report.cycles - 1,
                time: sampled.time,
                when: self.when(sampled.time),
                port: port.element_name(element),
                signal: wire.names(),
                dut,
                golden,
            });
        }
        None
    }
}
