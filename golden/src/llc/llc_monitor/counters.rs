//! The counting units of `llc_monitor`: `gdcu`, `plob` and the access counters, per bank; with them
//! `sce` and `attribution`, where they are.

use super::lines::Found;
use super::state::{Accesses, Bank, InFlight, Request, Set};
use super::{In, Matrix, Params};
use crate::delay::Delayed;
use crate::llc::attribution::{self, Attribution};
use crate::llc::counter_matrix::{self, CounterMatrix};
use crate::llc::gdcu::{self, Gdcu};
use crate::llc::plob::{self, Plob};
use crate::llc::sce::{self, Sce};
use crate::llc::shadow_stack::Line;
use crate::model::{Model, ParamError, Part};

/// The units that count what the accesses of a bank do. They work on each bank's registers in
/// turn.
#[derive(Debug, Clone)]
pub(super) struct Counters {
    gdcu: Gdcu,
    plob: Plob,
    accesses: CounterMatrix,
    sce: Option<Sce>,
    sampler: Option<Attribution>,
    // Their ports; here so that no step allocates them.
    gdcu_in: gdcu::In,
    plob_in: plob::In,
    accesses_in: counter_matrix::In,
    sce_in: sce::In,
}

impl Counters {
    pub fn new(params: &Params) -> Result<Self, ParamError> {
        let Params { ways, .. } = *params;
        Ok(Self {
            gdcu: Gdcu::new(params.gdcu())?,
            plob: Plob::new(params.plob())?,
            accesses: CounterMatrix::with_rows(
                2,
                counter_matrix::Params {
                    kernels: params.kernels,
                    inc_w: 1,
                    cnt_w: params.cnt_w,
                },
            )?,
            gdcu_in: gdcu::In {
                stack_owner: vec![0; ways],
                ..gdcu::In::default()
            },
            plob_in: plob::In::default(),
            accesses_in: counter_matrix::In {
                inc: vec![0; 2],
                ..counter_matrix::In::default()
            },
            sce: params.sce().map(Sce::new).transpose()?,
            sampler: params.attribution().map(Attribution::new).transpose()?,
            sce_in: sce::In {
                stack_owner: vec![0; ways],
                ..sce::In::default()
            },
        })
    }

    /// A bank with these sets, and the registers of the units after reset.
    pub fn bank(&self, stages: usize, sets: Vec<Set>) -> Bank {
        Bank {
            gdcu: self.gdcu.state().clone(),
            plob: self.plob.state().clone(),
            accesses: Accesses {
                matrix: self.accesses.state().clone(),
                in_flight: Delayed::new(stages, InFlight::default()),
            },
            sce: self.sce.as_ref().map(|sce| sce.state().clone()),
            sampler: self.sampler.as_ref().map(|sampler| sampler.state().clone()),
            sets,
            ..Bank::default()
        }
    }

    /// Resets the counters of a bank.
    pub fn reset(&mut self, bank: &mut Bank) {
        self.gdcu.on(&mut bank.gdcu, Gdcu::reset);
        self.plob.on(&mut bank.plob, Plob::reset);
        let accesses = &mut bank.accesses;
        self.accesses.on(&mut accesses.matrix, CounterMatrix::reset);
        accesses.in_flight.clear(&InFlight::default());
        if let Some((sce, state)) = self.sce.as_mut().zip(bank.sce.as_mut()) {
            sce.on(state, Sce::reset);
        }
        if let Some((sampler, state)) = self.sampler.as_mut().zip(bank.sampler.as_mut()) {
            sampler.on(state, Attribution::reset);
        }
    }

    /// A cycle of a bank's sampled sets: the request that the bank takes. Gives the word of the
    /// stacks that it wrote.
    pub fn sample(&mut self, bank: &mut Bank, taken: &Request, input: &In) -> Option<usize> {
        let (sampler, state) = self.sampler.as_mut().zip(bank.sampler.as_mut())?;
        let event = |matrix: &Matrix| matrix.event();
        let matrix = Matrix::ALL.get(usize::from(input.read_matrix));
        let port = attribution::In {
            reset: input.reset,
            access_valid: taken.access,
            access_set: taken.set,
            access_tag: taken.tag,
            access_kid: taken.kid,
            snapshot: input.snapshot,
            read_from: matrix.and_then(event).map_or(0, |event| event as u8 + 1),
            read_victim: input.read_victim,
            read_aggressor: input.read_aggressor,
            read_live: input.read_live,
        };
        sampler.on(state, |sampler| {
            sampler.step(&port);
            sampler.written()
        })
    }

    /// Puts lines into a stack of a bank's sampled sets; see [`Attribution::preset_stack`].
    pub fn preset_stack(
        &mut self,
        bank: &mut Bank,
        stack: usize,
        lines: impl IntoIterator<Item = Option<Line>>,
    ) {
        if let Some((sampler, state)) = self.sampler.as_mut().zip(bank.sampler.as_mut()) {
            sampler.on(state, |sampler| sampler.preset_stack(stack, lines));
        }
    }

    /// A bank's sampled sets take accesses from the coming cycle on.
    pub fn start_sampling(&mut self, bank: &mut Bank) {
        if let Some((sampler, state)) = self.sampler.as_mut().zip(bank.sampler.as_mut()) {
            sampler.on(state, Attribution::start);
        }
    }

    /// The sets that are sampled, in ascending order.
    pub fn sampled(&self) -> &[usize] {
        self.sampler.as_ref().map_or(&[], Attribution::sampled)
    }

    /// A cycle of a bank's counters: what the request that is due, if it is an access, found in its
    /// set, which it has not changed yet.
    pub fn step(&mut self, bank: &mut Bank, due: &Request, found: Option<&Found>, input: &In) {
        let (snapshot, kid) = (input.snapshot, due.kid);
        let (read_victim, read_aggressor) = (input.read_victim, input.read_aggressor);
        let read_live = input.read_live;

        let port = &mut self.gdcu_in;
        (port.snapshot, port.access_kid) = (snapshot, kid);
        (port.read_victim, port.read_aggressor) = (read_victim, read_aggressor);
        port.read_live = read_live;
        port.access_valid = found.is_some();
        if let Some(found) = found {
            port.access_pos = found.position as u8;
            let stack = &bank.sets[due.set as usize].stack;
            port.stack_owner.copy_from_slice(&stack.owner);
            port.stack_valid = stack.valid;
        }
        self.gdcu.on(&mut bank.gdcu, |gdcu| gdcu.step(port));

        let port = &mut self.plob_in;
        (port.snapshot, port.access_kid) = (snapshot, kid);
        (port.read_victim, port.read_aggressor) = (read_victim, read_aggressor);
        port.read_live = read_live;
        port.access_valid = found.is_some();
        if let Some(found) = found {
            port.access_hit = found.hit;
            (port.victim_valid, port.victim_owner) = (found.valid, found.owner);
        }
        self.plob.on(&mut bank.plob, |plob| plob.step(port));

        let Accesses { matrix, in_flight } = &mut bank.accesses;
        let hit = found.is_some_and(|found| found.hit);
        let valid = found.is_some();
        let kid = if valid { kid } else { 0 };
        let due = in_flight.pass(InFlight { valid, kid, hit });
        let port = &mut self.accesses_in;
        (port.snapshot, port.inc_valid, port.inc_kid) = (snapshot, due.valid, due.kid);
        (port.read_victim, port.read_aggressor) = (read_victim, read_aggressor);
        port.read_live = read_live;
        port.inc[0] = due.hit.into();
        port.inc[1] = (!due.hit).into();
        self.accesses.on(matrix, |accesses| accesses.step(port));

        if let Some((sce, state)) = self.sce.as_mut().zip(bank.sce.as_mut()) {
            let port = &mut self.sce_in;
            (port.snapshot, port.access_kid) = (snapshot, kid);
            (port.read_victim, port.read_aggressor) = (read_victim, read_aggressor);
            port.read_live = read_live;
            port.access_valid = found.is_some();
            if let Some(found) = found {
                port.access_hit = found.hit;
                port.stack_owner.copy_from_slice(&self.gdcu_in.stack_owner);
                port.stack_valid = self.gdcu_in.stack_valid;
            }
            sce.on(state, |sce| sce.step(port));
        }
    }

    /// Sets a counter of a bank; see [`super::LlcMonitor::preset`].
    pub fn preset(
        &mut self,
        bank: &mut Bank,
        matrix: Matrix,
        (row, kernel): (usize, usize),
        count: u64,
    ) {
        match matrix {
            Matrix::Gdc => self
                .gdcu
                .on(&mut bank.gdcu, |unit| unit.preset(row, kernel, count)),
            Matrix::Ike => self
                .plob
                .on(&mut bank.plob, |unit| unit.preset(row, kernel, count)),
            Matrix::Accesses => self.accesses.on(&mut bank.accesses.matrix, |unit| {
                unit.preset(row, kernel, count)
            }),
            Matrix::Sce => {
                if let Some((sce, state)) = self.sce.as_mut().zip(bank.sce.as_mut()) {
                    sce.on(state, |unit| unit.preset(row, kernel, count));
                }
            }
            Matrix::Shares | Matrix::Taken | Matrix::Dropped | Matrix::SharedLines => {
                if let Some((sampler, state)) = self.sampler.as_mut().zip(bank.sampler.as_mut()) {
                    sampler.on(state, |unit| match matrix.event() {
                        Some(event) => unit.preset_events(event, count),
                        None => unit.preset(row, kernel, count),
                    });
                }
            }
        }
    }
}
