//! States of `managed_llc` that a run from reset takes too long to come to.

use cotenant_golden::llc::counter_matrix;
use cotenant_golden::mgmt::core_sampling;
use cotenant_golden::mgmt::managed_llc::{ManagedLlc as Model, Params};
use cotenant_golden::mgmt::tap::RATE_W;

use super::super::{CoreSampling, ManagedDirectory, Tap, Umon, Xsratio};
use super::stimulus::{resolve, Threshold, Transaction, When};
use super::ManagedLlc;
use crate::unit::llc::shared::{near_limit, DISTANCE};
use crate::unit::prelude::*;

/// Full sets and stacks; selectors and counters near their ends; applications about to stream. In half
/// of the states UCP begins soon, mostly with hits of any magnitude: from reset on there are never
/// many.
pub(super) fn state(params: &Params, random: &mut Random) -> Option<Model> {
    let mut model = Model::new(params.clone()).ok()?;
    let directory = ManagedDirectory::far(&params.directory(), random)?;
    model.with_directory(|it| *it = directory);
    // Of one magnitude, so that the last bits decide, or each of its own.
    let magnitude = random.below(64);
    let alike = random.chance(Odds::one_in(2));
    model.with_monitors(|_, it| {
        if let Some(monitor) = Umon::far(&params.monitor(), random) {
            *it = monitor;
        }
        if random.chance(Odds::one_in(2)) {
            for position in 0..params.monitor().counters() {
                let shift = match alike {
                    true => magnitude,
                    false => random.below(64),
                };
                it.preset(position, random.bits() >> shift & ones(params.cnt_w));
            }
        }
    });
    let ratio = Xsratio::far(&params.xsratio(), random)?;
    model.with_ratio(|it| *it = ratio);
    let sampling: core_sampling::CoreSampling = CoreSampling::far(&params.sampling(), random)?;
    model.with_sampling(|it| *it = sampling);
    let masks = Tap::far(&params.tap(), random)?;
    model.with_masks(|it| *it = masks);
    // Of the last period, then of the running one.
    preset_near_limits(params, random, &mut model);
    let ends = counter_matrix::In {
        snapshot: true,
        ..Default::default()
    };
    model.with_evictions(|it| it.step(&ends));
    model.with_accesses(|it| it.step(&ends));
    preset_near_limits(params, random, &mut model);
    if random.chance(Odds::one_in(2)) {
        preset_near_streaming(params, random, &mut model);
    }
    if random.chance(Odds::one_in(2)) {
        // The end of a period would clear these, which are to stay near their limit.
        let evictions = model.with_evictions(|it| it.clone());
        let accesses = model.with_accesses(|it| it.clone());
        end_period(params, random, &mut model);
        model.with_evictions(|it| *it = evictions);
        model.with_accesses(|it| *it = accesses);
    }
    Some(model)
}

/// Applications with any number of accesses, of which so many missed that they just stream at some rate
/// or just do not.
fn preset_near_streaming(params: &Params, random: &mut Random, model: &mut Model) {
    let (rate, gpu) = (random.bits() & ones(RATE_W), random.bits());
    for application in 0..params.applications {
        let mut accesses = random.bits() >> random.below(64) & ones(params.cnt_w);
        if random.chance(Odds::one_in(2)) {
            // Few bits, so that a single partial product decides.
            accesses &= random.bits() & random.bits();
        }
        let misses = ((accesses * rate) >> RATE_W) + random.below(2) as u64;
        model.with_ratio(|it| it.preset(application, accesses, gpu >> application & 1 == 1));
        model.with_masks(|it| it.preset(application, misses.min(accesses)));
    }
}

/// The end of a period, up to the masks that follow.
fn end_period(params: &Params, random: &mut Random, model: &mut Model) {
    let mut happens = Transaction {
        period: When::Any,
        aware: true,
        gpu: random.bits(),
        detect: random.chance(Odds::one_in(2)),
        rate: Threshold::Of(random.bits() as u8, 0),
        ..Transaction::default()
    };
    for _ in 0..params.masks_latency() {
        let mut input = ManagedLlc::idle(params);
        resolve(params, model.state(), &happens, &mut input);
        model.step(&input);
        happens.period = When::Never;
    }
}

/// Counters of evictions, hits and misses near their limit.
fn preset_near_limits(params: &Params, random: &mut Random, model: &mut Model) {
    let applications = params.applications;
    let mut near = |rows, preset: &mut dyn FnMut(usize, usize, u64)| {
        near_limit((rows, applications), params.cnt_w, DISTANCE, random, preset);
    };
    near(applications, &mut |row, app, count| {
        model.with_evictions(|it| it.preset(row, app, count));
    });
    near(2, &mut |row, app, count| {
        model.with_accesses(|it| it.preset(row, app, count));
    });
}
