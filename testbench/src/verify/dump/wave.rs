//! Waves of a dump's ports beside the golden model.
//!
//! `dut` has the ports as the dump does, in its scope `unknown` a mask of the bits that are X or Z
//! there, or not in the dump at all (they are 0 in the port's own signal); `golden` the golden model's
//! ports and registers. The cycles before the first reset are not there: what the golden model would
//! do in them is unknown.

use std::path::PathBuf;

use cotenant_waveforms::{Fill, Scope, Signal};

use super::bits::Bits;
use super::sample::Sampled;
use super::signals::Wiring;
use super::Result;
use crate::verify::interface::Form;
use crate::verify::waves::hierarchy::{golden_registers, places, side, Place, DUT, GOLDEN};
use crate::verify::waves::recorder::{Recorder, AFTER};
use crate::verify::waves::{look, Request};

/// A wave that grows with the comparison.
pub(super) struct Film {
    unit: &'static str,
    recorder: Recorder,
    inputs: Vec<Place>,
    outputs: Vec<Place>,
    registers: Vec<Place>,
    /// The golden model's registers in this cycle.
    row: Vec<u64>,
    has_reset: bool,
    /// Cycles that are still to be shown behind the last one that is compared.
    after: u64,
}

/// A cycle that was compared.
pub(super) struct Cycle<'a> {
    pub number: u64,
    pub sampled: &'a Sampled<'a>,
    /// What the golden model was given, and what it said.
    pub input: &'a [u64],
    pub output: &'a [u64],
    pub differs: bool,
}

impl Film {
    /// Of the ports that the map does not leave out.
    ///
    /// # Errors
    /// As [`Recorder::new`].
    pub fn new(form: &Form, wiring: &Wiring, request: &Request, note: String) -> Result<Self> {
        let has_reset = form.has_reset();
        let mut top = Scope::module(form.unit);
        if has_reset {
            top.push_signal(Signal::clock("clock").pinned());
            top.push_signal(Signal::wire("reset", 1).pinned());
        }
        top.push_signal(look::mismatch());
        let mut unknown = Scope::module("unknown").folded();
        for port in form.inputs.iter().chain(&form.outputs) {
            let mask = Signal::wire(port.name, port.width() as u32);
            unknown.push_signal(mask.radix(cotenant_waveforms::Radix::Binary));
        }
        let mut masks = Scope::module("");
        masks.push_scope(unknown);
        top.push_scope(side(form, DUT, masks));
        let mut registers = vec![];
        let tree = golden_registers(form, &form.state).scope("", &mut registers);
        top.push_scope(side(form, GOLDEN, tree));
        let mut options = request.options("check --vcd");
        options.comments.push(note);
        let ignored = form.outputs.iter().zip(&wiring.outputs);
        let ignored: Vec<&str> = ignored
            .filter(|(_, wire)| wire.is_ignored())
            .map(|(port, _)| port.name)
            .collect();
        if !ignored.is_empty() {
            let ignored = ignored.join(", ");
            options.comments.push(format!("not in the dump: {ignored}"));
        }
        Ok(Self {
            unit: form.unit,
            recorder: Recorder::new(request, top, options).map_err(crate::Error::from)?,
            inputs: places(&form.inputs),
            outputs: places(&form.outputs),
            registers,
            row: vec![0; form.state.len()],
            has_reset,
            after: AFTER + 1,
        })
    }

    /// Whether it needs one more cycle behind the last that is compared.
    pub fn goes_on(&mut self) -> bool {
        self.after = self.after.saturating_sub(1);
        self.after > 0
    }

    /// The registers of a cycle that is to be shown, before its edge; nothing if it is not.
    pub fn registers(&mut self, number: u64) -> Option<&mut [u64]> {
        self.recorder.wants(number).then_some(&mut self.row[..])
    }

    /// Records a cycle, if it is wanted.
    ///
    /// # Errors
    /// As [`Recorder::record`].
    pub fn show(&mut self, form: &Form, wiring: &Wiring, cycle: &Cycle<'_>) -> Result<()> {
        let Cycle {
            sampled,
            input,
            output,
            ..
        } = *cycle;
        // Of the inputs only the reset has no wire, of the outputs those that are not looked at.
        let inputs = form.inputs.iter().zip(&wiring.inputs).map(|(port, wire)| {
            let value = wire.value(port.width(), sampled.inputs);
            value.unwrap_or_else(|| Bits::zero(port.width()))
        });
        let outputs = form.outputs.iter().zip(&wiring.outputs);
        let outputs = outputs.map(|(port, wire)| {
            let value = wire.value(port.width(), sampled.outputs);
            value.unwrap_or_else(|| Bits::unknown(port.width()))
        });
        let (inputs, outputs): (Vec<Bits>, Vec<Bits>) = (inputs.collect(), outputs.collect());
        let put = |out: &mut Fill<'_>, places: &[Place], words: &[u64]| {
            places.iter().for_each(|place| place.put(out, words));
        };
        let filled = |out: &mut Fill<'_>| {
            if self.has_reset {
                out.put_bool(input[0] != 0);
            }
            out.put_bool(cycle.differs);
            put(out, &self.inputs, input);
            outputs.iter().for_each(|bits| out.put_limbs(bits.words()));
            for bits in inputs.iter().chain(&outputs) {
                out.put_limbs(bits.unknown_words());
            }
            put(out, &self.inputs, input);
            put(out, &self.outputs, output);
            put(out, &self.registers, &self.row);
        };
        let recorded = self.recorder.record(cycle.number, filled);
        Ok(recorded.map_err(crate::Error::from)?)
    }

    /// Marks a mismatch of a port.
    pub fn mark(&mut self, cycle: u64, port: &str, text: String) {
        let port = port.split('[').next().unwrap_or(port);
        let unit = self.unit;
        let paths = [DUT, GOLDEN].map(|side| format!("{unit}.{side}.{port}"));
        self.recorder.mark(cycle, paths);
        self.recorder.note(text);
    }

    /// As [`Recorder::finish`].
    pub fn finish(self, reason: Option<&str>) -> Result<Option<PathBuf>> {
        Ok(self.recorder.finish(reason).map_err(crate::Error::from)?)
    }
}
