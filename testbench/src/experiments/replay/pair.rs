//! A unit's netlist and golden model in lockstep on inputs from the trace.

use crate::error::Result;
use crate::verify::dut::{Difference, Dut};
use crate::verify::interface::{ContentsOf, InOf, Interface, OutOf, Packer, ParamsOf};
use cotenant_golden::Model;
use cotenant_netlist::sim::{Engine, State};
use cotenant_netlist::Netlist;
use cotenant_units::table::ParameterSet;
use std::sync::Arc;

/// One instance, or the one that many instances share the code of.
pub(super) struct Pair<U: Interface> {
    pub set: ParameterSet,
    pub params: ParamsOf<U>,
    pub dut: Dut,
    pub model: U::Model,
    /// Packed, as the wave shows them.
    pub words: Words,
}

/// A cycle of both sides in packed form.
#[derive(Clone, Default)]
pub(super) struct Words {
    pub input: Vec<u64>,
    /// The golden model's outputs.
    pub output: Vec<u64>,
    /// The golden model's registers during the cycle.
    pub before: Vec<u64>,
    /// The golden model's registers after the edge.
    pub after: Vec<u64>,
    /// The netlist's state during the cycle.
    pub dut_before: Vec<u64>,
}

impl<U: Interface> Pair<U> {
    pub fn new(set: &ParameterSet, netlist: &Netlist, engine: Engine) -> Result<Self> {
        let params = U::params(set)?;
        let dut = Dut::new(Arc::new(U::form(&params)), netlist, engine)?;
        let state = vec![0; dut.fields().len()];
        let words = Words {
            input: dut.form().input_row(),
            output: dut.form().output_row(),
            before: state.clone(),
            after: state,
            dut_before: dut.sim().state_words().to_vec(),
        };
        let mut pair = Pair {
            set: set.clone(),
            model: U::model(&params)?,
            params,
            dut,
            words,
        };
        pair.pack_state();
        Ok(pair)
    }

    /// The netlist's state, to be kept while another instance runs.
    pub fn state(&self) -> State {
        self.dut.sim().save()
    }

    /// The golden registers as those after the last edge.
    pub fn pack_state(&mut self) {
        U::pack_state(
            &self.params,
            self.model.state(),
            &mut Packer::new(&mut self.words.after),
        );
    }

    /// One cycle; what the golden model puts out, and the first difference.
    pub fn step(&mut self, input: &InOf<U>) -> (OutOf<U>, Option<Difference>) {
        let words = &mut self.words;
        words.before.copy_from_slice(&words.after);
        words
            .dut_before
            .copy_from_slice(self.dut.sim().state_words());
        U::pack_in(&self.params, input, &mut Packer::new(&mut words.input));
        self.dut.drive(&words.input);
        self.dut.sim_mut().step();
        let out = self.model.step(input);
        U::pack_out(&self.params, &out, &mut Packer::new(&mut words.output));
        U::pack_state(
            &self.params,
            self.model.state(),
            &mut Packer::new(&mut words.after),
        );
        if self.dut.agrees(&words.output, &words.after) {
            return (out, self.written_difference());
        }
        let output = self.dut.output_difference(&words.output);
        (
            out,
            output.or_else(|| self.dut.state_difference(&words.after)),
        )
    }

    /// The first word that the golden model has written at the last edge and that differs.
    fn written_difference(&mut self) -> Option<Difference> {
        if !self.dut.has_memory() {
            return None;
        }
        let Pair {
            params, dut, model, ..
        } = self;
        let state = model.state();
        let contents = ContentsOf::<U> { params, state };
        let mut difference = None;
        U::written(params, model, &mut |word| {
            if difference.is_none() {
                difference = dut.word_difference(&contents, word);
            }
        });
        difference
    }

    /// The first word of all RAMs that differs.
    pub fn memory_difference(&mut self) -> Option<Difference> {
        let (params, state) = (&self.params, self.model.state());
        self.dut
            .memory_difference(&ContentsOf::<U> { params, state })
    }
}
