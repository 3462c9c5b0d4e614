//! `llc_monitor`: requests of all kinds to a few sets at a time, and what happens to the whole
//! unit meanwhile.
//!
//! Requests of successive cycles meet in a set most of the time, since that is where a pipeline
//! goes wrong; sets further away are reached over time. A flush or reset is followed by a sweep of
//! as many cycles as there are sets, so they are the rarer the more sets there are.

mod draw;
mod resolve;
mod transaction;

use cotenant_golden::llc::llc_monitor::{In, LlcMonitor as Model, Matrix, Params};

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
        resolve(params, model.state(), transaction, input);
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
        // The read port has nothing under way.
        for _ in 0..2 {
            model.step(&In {
                read_matrix: 3,
                ..In::idle(params)
            });
        }
        for bank in 0..params.banks {
            for matrix in Matrix::ALL {
                let (rows, distance) = match matrix {
                    Matrix::Gdc => (params.kernels, DISTANCE),
                    // An access evicts at most one line, and most evict none.
                    Matrix::Ike => (params.kernels, 1),
                    Matrix::Accesses => (2, DISTANCE),
                };
                let preset = |row, kernel, count| model.preset(bank, matrix, row, kernel, count);
                let shape = (rows, params.kernels);
                near_limit(shape, params.cnt_w, distance, random, preset);
            }
        }
        Some(model)
    }
}
