//! Registers that software has set in states that a run from reset does not come to: a policy of any
//! kind, with quotas that are given in some; a timer that is about to end a long period, or none; what
//! makes an application stream, about what one has done.

use cotenant_golden::bus::managed_registers::{Policy, State};
use cotenant_golden::llc::clog2;
use cotenant_golden::mgmt::managed_llc::{self as managed, Params};
use cotenant_golden::mgmt::tap::RATE_W;

use crate::unit::prelude::*;

/// Registers beside a unit in this state, from those after reset and these random bits.
pub(super) fn registers(
    params: &Params,
    managed: &managed::State,
    reset: State,
    bits: u64,
) -> State {
    let all = ones(params.applications);
    let random = &mut Random::new(bits);
    let mut registers = reset;
    registers.policy = Policy {
        policy: (bits & 3) as u8,
        aware: bits >> 2 & 1 == 1,
        sample: bits >> 3 & 1 == 1,
        detect: bits >> 4 & 1 == 1,
        quotas: random.below(4) == 0,
        masks: bits >> 5 & 3 == 0,
    };
    if registers.policy.quotas {
        registers.given = any_quotas(params, random);
    }
    registers.prepared = quotas_to_be_summed(params, random);
    registers.gpu = bits >> 8 & all;
    (registers.ucp_mask, registers.rrip_mask) = (bits >> 24 & all, bits >> 40 & all);
    if bits >> 56 & 1 == 1 {
        registers.period = 1 << 31 | bits as u32;
        registers.left = 1 + (bits >> 57) as u32;
    }
    set_thresholds(params, managed, &mut registers, random);
    registers
}

/// What makes an application stream: one more than an application has done, as much, or one less.
fn set_thresholds(
    params: &Params,
    managed: &managed::State,
    registers: &mut State,
    random: &mut Random,
) {
    let of = random.below(params.applications);
    let (accesses, misses) = (managed.gpu_ratio.accesses[of], managed.masks.misses[of]);
    let about =
        |number: u64, random: &mut Random| (number + random.below(3) as u64).saturating_sub(1);
    if random.below(2) == 0 {
        registers.stream_accesses = about(accesses, random).clamp(1, ones(params.cnt_w));
    }
    if random.below(2) == 0 {
        let rate = about((misses << RATE_W) / accesses.max(1), random);
        registers.stream_rate = rate.min(ones(RATE_W)) as u8;
        // Before it does more.
        if registers.left > 0 && random.below(2) == 0 {
            registers.left = 1 + random.below(4) as u32;
        }
    }
}

/// Quotas of all ways, one at least for each application.
fn any_quotas(params: &Params, random: &mut Random) -> Vec<u64> {
    quotas_of(params, params.ways, 1, random)
}

/// The same, or quotas of which one bit of the sum makes them wrong.
fn quotas_to_be_summed(params: &Params, random: &mut Random) -> Vec<u64> {
    let bits = clog2(params.ways + 1) + clog2(params.applications);
    let most = params.applications * ones(clog2(params.ways + 1)) as usize;
    let total = params.ways + (1 << random.below(bits));
    match total <= most {
        true => quotas_of(params, total, 0, random),
        false => any_quotas(params, random),
    }
}

/// Quotas that add up to this, none below the fewest.
fn quotas_of(params: &Params, total: usize, fewest: u64, random: &mut Random) -> Vec<u64> {
    let most = ones(clog2(params.ways + 1));
    let mut quotas = vec![fewest; params.applications];
    while quotas.iter().sum::<u64>() < total as u64 {
        let quota = &mut quotas[random.below(params.applications)];
        *quota = most.min(*quota + 1);
    }
    quotas
}
