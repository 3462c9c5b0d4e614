//! Waves of a replay: the access, the stack of its set and the counters of
//! the banks, netlist and golden model beside each other.
//!
//! A cycle of the wave is an access. `llc_monitor` has taken it and shows what
//! became of it later; single units show the set accessed in that cycle, and a
//! bank that is not accessed keeps its values. Of a run with timing a cycle of
//! the wave is one of the GPU, and the hardware is all there is to see.

use super::hardware::{Hardware, Kind};
use super::pair::{Pair, Words};
use super::run::{Error, WaveRequest};
use crate::lockstep::tree::Tree;
use crate::unit::Interface;
use cotenant_golden::llc::cache::Outcome;
use cotenant_golden::workload::{Access, Op};
use cotenant_netlist::sim::Slot;
use cotenant_waveforms::{Fill, Layout, Options, Sample, Scope, Signal, WaveFile, Window};
use std::ops::Range;
use std::path::PathBuf;

/// A wave file while the replay runs.
pub(crate) struct Wave {
    file: WaveFile,
    window: Window,
    sample: Sample,
    views: Views,
}

/// The hardware's part.
enum Views {
    Monitor(View),
    Units { stack: View, banks: Vec<View> },
}

impl Views {
    fn new(kind: &Kind) -> Views {
        match kind {
            Kind::Monitor(monitor) => Views::Monitor(View::new("llc_monitor", &monitor.pair)),
            Kind::Units(units) => Views::Units {
                stack: View::new("lru_stack", &units.stack),
                banks: (units.banks.iter().enumerate())
                    .map(|(n, bank)| View::new(&format!("gdcu_bank{n}"), &bank.pair))
                    .collect(),
            },
        }
    }

    fn scopes(&self) -> Vec<Scope> {
        match self {
            Views::Monitor(view) => vec![view.scope.clone()],
            Views::Units { stack, banks } => std::iter::once(stack)
                .chain(banks)
                .map(|view| view.scope.clone())
                .collect(),
        }
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
                "A cycle is an access of the trace; llc_monitor reports it three cycles later."
            }
            Views::Units { .. } => {
                "A cycle is an access of the trace; lru_stack is that of the accessed set."
            }
        }
    }
}

impl Wave {
    pub fn create(request: &WaveRequest, hardware: &Hardware) -> Result<Wave, Error> {
        let views = Views::new(&hardware.kind);
        let access = Scope::module("access")
            .signal(Signal::wire("number", 64))
            .signal(Signal::wire("kernel", 8))
            .signal(Signal::wire("op", 1).named("Op", [(0, "Read"), (1, "Write")]))
            .signal(Signal::wire("address", 64))
            .signal(Signal::wire("set", 32))
            .signal(Signal::wire("way", 8))
            .signal(Signal::wire("hit", 1))
            .signal(Signal::wire("hit_pos", 8))
            .signal(Signal::wire("evicts", 1))
            .signal(Signal::wire("sector_miss", 1));
        let top = Scope::module("replay")
            .signal(Signal::clock("clock"))
            .signal(Signal::wire("mismatch", 1))
            .scope(access);
        let options = Options::new()
            .version(concat!("cotenant ", env!("CARGO_PKG_VERSION"), " replay"))
            .comment(views.comment());
        Self::with(request, top, options, views)
    }

    /// A wave of a run with timing.
    pub fn timed(request: &WaveRequest, hardware: &Hardware) -> Result<Wave, Error> {
        let top = Scope::module("run")
            .signal(Signal::clock("clock"))
            .signal(Signal::wire("mismatch", 1))
            .signal(Signal::wire("cycle", 64));
        let options = Options::new()
            .version(concat!("cotenant ", env!("CARGO_PKG_VERSION"), " run"))
            .comment(
                "A cycle is one of the GPU; llc_monitor reports an access three cycles later.",
            );
        Self::with(request, top, options, Views::new(&hardware.kind))
    }

    fn with(
        request: &WaveRequest,
        mut top: Scope,
        options: Options,
        views: Views,
    ) -> Result<Wave, Error> {
        for scope in views.scopes() {
            top.push_scope(scope);
        }
        let layout = Layout::new(top)?;
        let options = options.window(request.window);
        let file = WaveFile::create(&request.path, &layout, &options)?;
        Ok(Wave {
            file,
            window: request.window,
            sample: Sample::new(&layout),
            views,
        })
    }

    /// A cycle of a run with timing.
    pub fn cycle(&mut self, cycle: u64, hardware: &Hardware) -> Result<(), Error> {
        if !self.window.contains(cycle) {
            return Ok(());
        }
        let Wave { sample, views, .. } = self;
        sample.fill(|out| {
            out.put_bool(hardware.mismatch().is_some());
            out.put(cycle);
            views.fill(out, &hardware.kind);
        })?;
        self.file.sample(cycle, &self.sample)?;
        Ok(())
    }

    pub fn sample(
        &mut self,
        number: u64,
        access: &Access,
        outcome: &Outcome,
        hardware: &Hardware,
    ) -> Result<(), Error> {
        if !self.window.contains(number) {
            return Ok(());
        }
        let Wave { sample, views, .. } = self;
        sample.fill(|out| {
            out.put_bool(hardware.mismatch().is_some());
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
            views.fill(out, &hardware.kind);
        })?;
        self.file.sample(number, &self.sample)?;
        Ok(())
    }

    pub fn finish(self, complete: bool) -> Result<PathBuf, Error> {
        Ok(match complete {
            true => self.file.finish()?,
            false => self.file.finish_readable("interrupted")?,
        })
    }
}

/// A unit's ports and registers, of the netlist and of the golden model.
struct View {
    inputs: Vec<(String, usize)>,
    outputs: Vec<(String, usize, Slot)>,
    /// Where the registers are in the netlist's state, in the wave's order.
    registers: Vec<Range<usize>>,
    /// Which of the golden model's registers comes next in the wave.
    golden: Vec<usize>,
    scope: Scope,
}

impl View {
    fn new<U: Interface>(name: &str, pair: &Pair<U>) -> View {
        let layout = pair.dut.sim().layout();
        let start = layout.state_range().start;
        let inputs: Vec<_> = U::inputs(&pair.params)
            .iter()
            .map(|p| (p.name.to_string(), p.width()))
            .collect();
        let outputs: Vec<_> = U::outputs(&pair.params)
            .iter()
            .filter_map(|p| Some((p.name.to_string(), p.width(), layout.output(p.name).ok()?)))
            .collect();
        let mut dut = Tree::default();
        for (name, slot) in layout.registers() {
            let range = slot.range();
            dut.insert(name, slot.width(), range.start - start..range.end - start);
        }
        let mut golden = Tree::default();
        for (index, field) in U::state(&pair.params).into_iter().enumerate() {
            golden.insert(&field.name, field.width, index);
        }
        let (mut registers, mut fields) = (vec![], vec![]);
        let side = |side: &str, state: Scope| {
            Scope::module(side)
                .signals(
                    inputs
                        .iter()
                        .map(|(n, w)| Signal::wire(n.clone(), *w as u32)),
                )
                .signals(
                    outputs
                        .iter()
                        .map(|(n, w, _)| Signal::wire(n.clone(), *w as u32)),
                )
                .scope(state)
        };
        let scope = Scope::module(name)
            .scope(side("dut", dut.scope("state", &mut registers)))
            .scope(side("golden", golden.scope("state", &mut fields)));
        View {
            inputs,
            outputs,
            registers,
            golden: fields,
            scope,
        }
    }

    fn fill<U: Interface>(&self, out: &mut Fill<'_>, pair: &Pair<U>) {
        let Words {
            input,
            output,
            before,
            dut_before,
            ..
        } = &pair.words;
        let packed =
            |out: &mut Fill<'_>, words: &[u64], widths: &mut dyn Iterator<Item = usize>| {
                let mut at = 0;
                for width in widths {
                    let limbs = width.div_ceil(64);
                    out.put_limbs(&words[at..at + limbs]);
                    at += limbs;
                }
            };
        packed(out, input, &mut self.inputs.iter().map(|p| p.1));
        for (_, _, slot) in &self.outputs {
            out.put_limbs(pair.dut.sim().get_words(*slot));
        }
        for range in &self.registers {
            out.put_limbs(&dut_before[range.clone()]);
        }
        packed(out, input, &mut self.inputs.iter().map(|p| p.1));
        packed(out, output, &mut self.outputs.iter().map(|p| p.1));
        out.put_all(self.golden.iter().map(|&index| before[index]));
    }
}
