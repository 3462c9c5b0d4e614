//! Waves of a replay: the access, the stack of its set and the counters of
//! the banks, netlist and golden model beside each other.
//!
//! A cycle of the wave is an access. `lru_stack` shows the set accessed in
//! that cycle; a bank that is not accessed keeps its values.

use super::hardware::Hardware;
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
pub(super) struct Wave {
    file: WaveFile,
    window: Window,
    sample: Sample,
    stack: View,
    banks: Vec<View>,
}

impl Wave {
    pub fn create(request: &WaveRequest, hardware: &Hardware) -> Result<Wave, Error> {
        let stack = View::new("lru_stack", &hardware.stack);
        let banks = hardware.banks.iter().enumerate();
        let banks: Vec<View> = banks
            .map(|(n, bank)| View::new(&format!("gdcu_bank{n}"), &bank.pair))
            .collect();
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
            .scope(stack.scope.clone());
        for bank in &banks {
            top.push_scope(bank.scope.clone());
        }
        let layout = Layout::new(top)?;
        let options = Options::new()
            .version(concat!("cotenant ", env!("CARGO_PKG_VERSION"), " replay"))
            .comment("A cycle is an access of the trace; lru_stack is that of the accessed set.")
            .window(request.window);
        let file = WaveFile::create(&request.path, &layout, &options)?;
        Ok(Wave {
            file,
            window: request.window,
            sample: Sample::new(&layout),
            stack,
            banks,
        })
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
        let Wave {
            sample,
            stack,
            banks,
            ..
        } = self;
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
