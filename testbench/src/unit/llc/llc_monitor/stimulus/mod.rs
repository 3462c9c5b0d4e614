//! `llc_monitor`: requests of all kinds to a few sets at a time, and what happens to the whole
//! unit meanwhile.
//!
//! Requests of successive cycles meet in a set most of the time, since that is where a pipeline
//! goes wrong; sets further away are reached over time. A flush or reset is followed by a sweep of
//! as many cycles as there are sets, so they are the rarer the more sets there are.

mod draw;
mod resolve;
mod transaction;

use cotenant_golden::llc::llc_monitor::{In, LlcMonitor as Model, Matrix, Params, READ_LATENCY};

use crate::unit::llc::shadow_stack::any_stack;
use crate::unit::llc::shared::{near_limit, DISTANCE};
use crate::unit::llc::LlcMonitor;
use crate::verify::stimulus::{stream, Drive, Knobs, Pace, Profile, Random, Source};

use crate::unit::prelude::*;
pub(crate) use resolve::resolve;
pub use transaction::{Access, Entry, Map, Place, Request, Requester, Target, Transaction, When};

/// Cycles after a sweep in which the sets of a far state fill.
pub(crate) const FILL: usize = 256;

impl Drive for LlcMonitor {
    type Transaction = Transaction;
    type World = ();
    const PROFILES: &'static [Profile] = &Profile::ALL;

    fn kernels(params: &Params) -> usize {
        params.kernels
    }

    fn world(_: &Params) {}

    fn idle(params: &Params) -> In {
        In::idle(params)
    }

    fn resolve(
        params: &Params,
        model: &Model,
        (): &mut (),
        transaction: &Transaction,
        input: &mut In,
    ) {
        resolve(params, (model.state(), model.sampled()), transaction, input);
    }

    fn draw(
        params: &Params,
        knobs: &Knobs,
        pace: &mut Pace,
        random: &mut Random,
        transaction: &mut Transaction,
    ) {
        draw::draw(params, knobs, pace, random, transaction);
    }

    /// Swept and partly filled sets, and counters near their limit.
    fn far(params: &Params, random: &mut Random) -> Option<Model> {
        let mut model = Model::new(params.clone()).ok()?;
        let mut input = In::idle(params);
        let mut misses = stream::<Self>(params, Profile::Misses, random.bits());
        for _ in 0..params.sets + FILL {
            misses.input(params, &model, &mut input);
            model.step(&input);
        }
        // The read port and the samplers have nothing under way.
        for _ in 0..quiet_after(params) {
            model.step(&In {
                read_matrix: NOTHING,
                ..In::idle(params)
            });
        }
        for bank in 0..params.banks {
            for matrix in Matrix::of(params) {
                let distance = match matrix {
                    // An access evicts at most one line, and most evict none.
                    Matrix::Ike => 1,
                    _ => DISTANCE,
                };
                let preset = |row, kernel, count| {
                    model.preset(bank, matrix, row, kernel, near(params, matrix, count));
                };
                near_limit(matrix.shape(params), params.cnt_w, distance, random, preset);
            }
            if let Some(sampler) = params.attribution() {
                for stack in 0..sampler.sampled {
                    model.preset_stack(bank, stack, any_stack(&sampler.shadow(), random));
                }
            }
        }
        model.start_sampling();
        Some(model)
    }
}

/// A count near its limit: of shares by so many misses, which are six sixths each or one.
pub(crate) fn near(params: &Params, matrix: Matrix, count: u64) -> u64 {
    match (matrix, ones(params.cnt_w).checked_sub(count)) {
        (Matrix::Shares, Some(left)) => {
            count.saturating_sub(left * u64::from(params.mode.unit() - 1))
        }
        _ => count,
    }
}

/// A code of `read_matrix` that reads 0 unless shares at eviction are counted.
pub(crate) const NOTHING: u8 = 3;

/// Cycles without requests after which nothing is on its way to the counters and the read port, as
/// far as a model cannot be begun with it: an answer, an eviction, the search of a stack.
pub(crate) fn quiet_after(params: &Params) -> usize {
    let sampler = params.attribution();
    // Those that wait are looked up one after the other.
    let sampler = sampler.map_or(0, |sampler| {
        (sampler.queue + 1) * (sampler.shadow().rows() + 2)
    });
    let sce = params
        .sce()
        .map_or(0, |sce| params.request_latency() + sce.stages);
    READ_LATENCY.max(sampler).max(sce)
}
