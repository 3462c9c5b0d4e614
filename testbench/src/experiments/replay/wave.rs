//! Waveforms of a replay: the access, the LRU stack of its set and the counters of the banks, of
//! netlist and golden model.
//!
//! A cycle of the wave is an access. `llc_monitor` has taken it and shows what
//! became of it later; single units show the set accessed in that cycle, and a
//! bank that is not accessed keeps its values. Of a run with timing a cycle of
//! the wave is one of the GPU, and the hardware is all there is to see.

use super::error::Error;
use super::hardware::{Hardware, Kind};
use super::pair::{Pair, Words};
use crate::verify::interface::Interface;
use crate::verify::waves::hierarchy::{Cycle, Sides};
use crate::verify::waves::look;
use crate::verify::waves::recorder::Recorder;
use crate::verify::waves::Request;
use cotenant_golden::llc::cache::Outcome;
use cotenant_golden::workload::{Access, Op};
use cotenant_waveforms::{Fill, Radix, Scope, Signal};
use std::path::PathBuf;

/// A wave file while the replay runs.
pub(crate) struct Wave {
    recorder: Recorder,
    views: Views,
    /// The outermost scope.
    top: &'static str,
    /// A mismatch has been marked.
    marked: bool,
}

/// The hardware's part.
enum Views {
    Monitor(View),
    Units { stack: View, banks: Vec<View> },
}

impl Views {
    fn new(kind: &Kind) -> Views {
        match kind {
            Kind::Monitor(monitor) => {
                Views::Monitor(View::new("llc_monitor", "llc_monitor", &monitor.pair))
            }
            Kind::Units(units) => Views::Units {
                stack: View::new("lru_stack", "lru_stack of set", &units.stack),
                banks: (units.banks.iter().enumerate())
                    .map(|(n, bank)| {
                        View::new(
                            &format!("gdcu_bank{n}"),
                            &format!("gdcu of bank {n}"),
                            &bank.pair,
                        )
                    })
                    .collect(),
            },
        }
    }

    fn all(&self) -> impl Iterator<Item = &View> {
        let (first, rest) = match self {
            Views::Monitor(view) => (view, &[][..]),
            Views::Units { stack, banks } => (stack, &banks[..]),
        };
        std::iter::once(first).chain(rest)
    }

    fn fill(&self, out: &mut Fill<'_>, kind: &Kind) {
        match (self, kind) {
            (Views::Monitor(view), Kind::Monitor(monitor)) => view.fill(out, &monitor.pair),
            (Views::Units { stack, banks }, Kind::Units(units)) => {
                stack.fill(out, &units.stack);
                for (view, bank) in banks.iter().zip(&units.banks) {
                    view.fill(out, &bank.pair);
                }
            }
            // Made from the same hardware.
            _ => unreachable!("the wave is of other hardware"),
        }
    }

    /// What a cycle is.
    fn comment(&self) -> &'static str {
        match self {
            Views::Monitor(_) => {
                "A cycle is an access of the trace; llc_monitor reports it four cycles later."
            }
            Views::Units { .. } => {
                "A cycle is an access of the trace; lru_stack is that of the accessed set."
            }
        }
    }
}

impl Wave {
    pub fn create(request: &Request, hardware: &Hardware) -> Result<Wave, Error> {
        let decimal = |name: &str, width| Signal::wire(name, width).radix(Radix::Decimal);
        let access = Scope::module("access")
            .signal(decimal("number", 64))
            .signal(decimal("kernel", 8))
            .signal(Signal::wire("op", 1).named("Op", [(0, "Read"), (1, "Write")]))
            .signal(Signal::wire("address", 64).radix(Radix::Hexadecimal))
            .signal(decimal("set", 32))
            .signal(decimal("way", 8))
            .signal(Signal::wire("hit", 1))
            .signal(decimal("hit_pos", 8))
            .signal(Signal::wire("evicts", 1))
            .signal(Signal::wire("sector_miss", 1));
        let views = Views::new(&hardware.kind);
        let comment = views.comment();
        let top = top("replay").scope(access);
        Self::with(request, top, ("replay", comment), views)
    }

    /// A wave of a run with timing.
    pub fn timed(request: &Request, hardware: &Hardware) -> Result<Wave, Error> {
        let top = top("run").signal(Signal::wire("cycle", 64).radix(Radix::Decimal).pinned());
        let comment = "A cycle is one of the GPU; llc_monitor reports an access four cycles later.";
        let views = Views::new(&hardware.kind);
        Self::with(request, top, ("run", comment), views)
    }

    fn with(
        request: &Request,
        mut top: Scope,
        (command, comment): (&'static str, &str),
        views: Views,
    ) -> Result<Wave, Error> {
        for view in views.all() {
            let mut scope = Scope::module(&view.scope);
            view.sides.declare(&mut scope);
            top.push_scope(scope);
        }
        let options = request.options(command).comment(comment);
        Ok(Wave {
            recorder: Recorder::new(request, top, options)?,
            views,
            top: command,
            marked: false,
        })
    }

    /// A cycle of a run with timing.
    pub fn cycle(&mut self, cycle: u64, hardware: &Hardware) -> Result<(), Error> {
        if self.wants(cycle, hardware) {
            self.record(cycle, hardware, |out| out.put(cycle))?;
        }
        Ok(())
    }

    /// An access of a replay.
    pub fn sample(
        &mut self,
        number: u64,
        access: &Access,
        outcome: &Outcome,
        hardware: &Hardware,
    ) -> Result<(), Error> {
        if !self.wants(number, hardware) {
            return Ok(());
        }
        self.record(number, hardware, |out| {
            out.put(number);
            out.put(access.kernel.into());
            out.put_bool(access.op == Op::Write);
            out.put(access.address);
            out.put(outcome.set.into());
            out.put(outcome.way.into());
            out.put_bool(outcome.hit);
            out.put(outcome.hit_pos.into());
            out.put_bool(!outcome.hit && outcome.victim_valid);
            out.put_bool(outcome.sector_miss);
        })
    }

    /// Whether a cycle is to be recorded. Hardware that has stopped after a mismatch has nothing
    /// more to show.
    fn wants(&mut self, cycle: u64, hardware: &Hardware) -> bool {
        !hardware.stopped() && self.recorder.wants(cycle)
    }

    fn record(
        &mut self,
        cycle: u64,
        hardware: &Hardware,
        access: impl FnOnce(&mut Fill<'_>),
    ) -> Result<(), Error> {
        self.mark(cycle, hardware);
        let views = &self.views;
        self.recorder.record(cycle, |out| {
            out.put_bool(views.all().any(|view| view.reset(&hardware.kind)));
            out.put_bool(hardware.mismatch().is_some());
            access(out);
            views.fill(out, &hardware.kind);
        })?;
        Ok(())
    }

    /// Marks the first mismatch.
    fn mark(&mut self, cycle: u64, hardware: &Hardware) {
        if let (Some(mismatch), false) = (hardware.mismatch(), self.marked) {
            self.marked = true;
            let unit = &mismatch.unit;
            let view = self.views.all().find(|view| view.is(unit));
            let paths = view.and_then(|view| {
                let sides = view.sides.showing(&mismatch.field)?;
                Some(sides.map(|path| format!("{}.{}.{path}", self.top, view.scope)))
            });
            self.recorder.mark(cycle, paths.into_iter().flatten());
            self.recorder.note(mismatch.to_string());
        }
    }

    /// The file, if there is one. The sums are compared only at the end, so that a mismatch may
    /// belong to no cycle; it is marked at the last.
    pub fn finish(mut self, complete: bool, hardware: &Hardware) -> Result<Option<PathBuf>, Error> {
        if let Some(last) = self.recorder.last_cycle() {
            self.mark(last, hardware);
        }
        let reason = (!complete).then_some("interrupted");
        Ok(self.recorder.finish(reason)?)
    }
}

/// The outermost scope.
fn top(name: &str) -> Scope {
    Scope::module(name)
        .signal(Signal::clock("clock").pinned())
        .signal(Signal::wire("reset", 1).pinned())
        .signal(look::mismatch())
}

/// A unit's scope.
struct View {
    scope: String,
    /// How mismatches in it begin.
    unit: String,
    sides: Sides,
}

impl View {
    fn new<U: Interface>(scope: &str, unit: &str, pair: &Pair<U>) -> View {
        View {
            scope: scope.into(),
            unit: unit.into(),
            sides: Sides::new(&pair.set, &pair.dut, false),
        }
    }

    /// Whether a mismatch of this name is in it; `lru_stack` shows all sets.
    fn is(&self, unit: &str) -> bool {
        let rest = unit.strip_prefix(&self.unit);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
    }

    fn fill<U: Interface>(&self, out: &mut Fill<'_>, pair: &Pair<U>) {
        self.sides.fill(out, &values(pair));
    }

    fn reset(&self, kind: &Kind) -> bool {
        match kind {
            Kind::Monitor(monitor) => self.sides.reset(&values(&monitor.pair)),
            Kind::Units(units) => self.sides.reset(&values(&units.stack)),
        }
    }
}

fn values<U: Interface>(pair: &Pair<U>) -> Cycle<'_> {
    let Words {
        input,
        output,
        before,
        dut_before,
        ..
    } = &pair.words;
    Cycle {
        input,
        sim: pair.dut.sim(),
        dut_state: dut_before,
        output,
        state: before,
        nets: &[],
    }
}
