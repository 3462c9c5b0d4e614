//! Waves of a replay: the access, the stack of its set and the counters of
//! the banks, netlist and golden model beside each other.
//!
//! A cycle of the wave is an access. `lru_stack` shows the set accessed in
//! that cycle; a bank that is not accessed keeps its values.

use super::hardware::Hardware;
use super::pair::{Pair, Words};
use super::run::{Error, WaveRequest};
use crate::unit::Interface;
use cotenant_golden::llc::cache::Outcome;
use cotenant_golden::workload::{Access, Op};
use cotenant_netlist::sim::Slot;
use cotenant_waveforms::{Fill, Layout, Options, Sample, Scope, Signal, WaveFile, Window};
use std::path::PathBuf;

/// A wave file while the replay runs.
pub(super) struct Wave {
    file: WaveFile,
    window: Window,
    sample: Sample,
    stack: View,
    banks: Vec<View>,
}

impl Wave {
    pub fn create(request: &WaveRequest, hardware: &Hardware) -> Result<Wave, Error> {
        let stack = View::new(&hardware.stack);
        let banks: Vec<View> = hardware.banks.iter().map(|bank| View::new(&bank.pair)).collect();
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
        let mut top = Scope::module("replay")
            .signal(Signal::clock("clock"))
            .signal(Signal::wire("mismatch", 1))
            .scope(access)
            .scope(stack.scope("lru_stack"));
        for (number, bank) in banks.iter().enumerate() {
            top.push_scope(bank.scope(&format!("gdcu_bank{number}")));
        }
        let layout = Layout::new(top)?;
        let options = Options::new()
            .version(concat!("cotenant ", env!("CARGO_PKG_VERSION"), " replay"))
            .comment("A cycle is an access of the trace; lru_stack is that of the accessed set.")
            .window(request.window);
        let file = WaveFile::create(&request.path, &layout, &options)?;
        Ok(Wave { file, window: request.window, sample: Sample::new(&layout), stack, banks })
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
        let Wave { sample, stack, banks, .. } = self;
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
            stack.fill(out, &hardware.stack);
            for (view, bank) in banks.iter().zip(&hardware.banks) {
                view.fill(out, &bank.pair);
            }
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
    /// Width of each input and output, inputs first.
    inputs: Vec<(String, usize)>,
    outputs: Vec<(String, usize, Slot)>,
    registers: Vec<(String, usize, std::ops::Range<usize>)>,
    golden: Vec<(String, usize)>,
}

impl View {
    fn new<U: Interface>(pair: &Pair<U>) -> View {
        let layout = pair.dut.sim().layout();
        let slot = |name: &str| layout.output(name).ok();
        let start = layout.state_range().start;
        let at = |slot: Slot| slot.range().start - start..slot.range().end - start;
        View {
            inputs: U::inputs(&pair.params).iter().map(|p| (p.name.into(), p.width())).collect(),
            outputs: U::outputs(&pair.params)
                .iter()
                .filter_map(|p| Some((p.name.into(), p.width(), slot(p.name)?)))
                .collect(),
            registers: layout
                .registers()
                .map(|(name, slot)| (name.replace('.', "_"), slot.width(), at(slot)))
                .collect(),
            golden: U::state(&pair.params)
                .into_iter()
                .map(|f| (f.name.replace('.', "_"), f.width))
                .collect(),
        }
    }

    fn scope(&self, name: &str) -> Scope {
        let side = |side: &str, registers: Vec<Signal>| {
            Scope::module(side)
                .signals(self.inputs.iter().map(|(n, w)| Signal::wire(n.clone(), *w as u32)))
                .signals(self.outputs.iter().map(|(n, w, _)| Signal::wire(n.clone(), *w as u32)))
                .scope(Scope::module("state").signals(registers))
        };
        let dut = self.registers.iter().map(|(n, w, _)| Signal::reg(n.clone(), *w as u32));
        let golden = self.golden.iter().map(|(n, w)| Signal::reg(n.clone(), *w as u32));
        Scope::module(name).scope(side("dut", dut.collect())).scope(side("golden", golden.collect()))
    }

    fn fill<U: Interface>(&self, out: &mut Fill<'_>, pair: &Pair<U>) {
        let Words { input, output, before, dut_before, .. } = &pair.words;
        let packed = |out: &mut Fill<'_>, words: &[u64], widths: &mut dyn Iterator<Item = usize>| {
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
        for (_, _, range) in &self.registers {
            out.put_limbs(&dut_before[range.clone()]);
        }
        packed(out, input, &mut self.inputs.iter().map(|p| p.1));
        packed(out, output, &mut self.outputs.iter().map(|p| p.1));
        out.put_all(before.iter().copied());
    }
}
