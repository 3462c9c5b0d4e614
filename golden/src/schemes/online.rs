//! Warped-Slicer's curves, profiled while all kernels run.
//!
//! Source: Dai et al. (HPCA 2018), section 2.5: "running different numbers of TBs on SMs (1 TB on one SM,
//! 2 TBs on a second SM and so on), where each SM is allocated to execute TBs from one kernel and time
//! sharing of SMs is applied if the total number of possible TB configurations from all co-running
//! kernels is more than the number of SMs. The dynamic approach considers the interference among
//! co-running kernels across SMs and uses the scaling factor and the weight factor to offset the imbalance
//! problem in the L2 cache and memory accesses".
//!
//! ASSUMPTION: SMs are divided as in spatial multitasking. With s SMs for a kernel of which an SM holds m
//! blocks there are ceil(m / s) slices of time; in slice t SM i of the kernel has i * slices + t + 1
//! blocks, so that from slice to slice blocks only come. Each slice runs [`WARM_UP`] cycles and is then
//! measured for [`SAMPLE`].
//! ASSUMPTION: the paper gives no formula for its two factors, which are of Xu et al. (ISCA 2016). An SM
//! with few blocks finds memory busier than it would if all SMs had as few. So performance is multiplied by
//! 1 + weight * (scaling - 1): the scaling factor is the mean of the blocks on all SMs over those of this
//! one, as if memory's bandwidth were divided by blocks; the weight factor is the share of cycles in which
//! this SM's load/store unit is stalled, since others do not feel it.

use crate::gpu::machine::{Machine, MachineError};

use super::partition::{spatial, Curve};

/// Cycles of a slice before it is measured.
pub const WARM_UP: u64 = 20_000;
/// Cycles of a slice that are measured.
pub const SAMPLE: u64 = 5_000;

/// Instructions per million cycles that stand for so many, corrected by both factors.
fn corrected(instructions: u64, stalls: u64, cycles: u64, blocks: u32, mean: f64) -> u64 {
    let per_cycle = |count: u64| count as f64 / cycles as f64;
    let (scaling, weight) = (mean / f64::from(blocks), per_cycle(stalls));
    (1e6 * per_cycle(instructions) * (1.0 + weight * (scaling - 1.0))).round() as u64
}

/// The blocks that SM number `index` of a kernel's `sms` has in a slice, of at most `most`.
fn blocks(index: usize, slice: usize, sms: usize, most: u32) -> u32 {
    let slices = (most as usize).div_ceil(sms);
    ((index * slices + slice.min(slices - 1) + 1) as u32).min(most)
}

/// Runs the kernels of a machine that has not begun, KIDs 0, 1, ..., and profiles them; `most` blocks of
/// each fit an SM. `length` are the cycles of a slice before it is measured, and those that are.
///
/// # Errors
/// [`MachineError`] when there are fewer SMs than kernels.
pub fn profile(
    machine: &mut Machine,
    sms: usize,
    most: &[u32],
    length: [u64; 2],
) -> Result<Vec<Curve>, MachineError> {
    let kernels = most.len();
    crate::model::ParamError::range("sms", sms as u64, kernels as u64, 64)?;
    let own: Vec<Vec<usize>> = spatial(sms, kernels)
        .into_iter()
        .map(|mask| (0..sms).filter(|sm| mask >> sm & 1 == 1).collect())
        .collect();
    let mut curves: Vec<Curve> = most.iter().map(|&most| vec![0; most as usize]).collect();
    let slices = own.iter().zip(most);
    let slices = slices.map(|(own, &most)| (most as usize).div_ceil(own.len()));
    let [warm_up, sample] = length;
    let mut end = 0;
    for slice in 0..slices.max().unwrap_or(0) {
        let held = |kernel: usize, sm: usize| match own[kernel].iter().position(|&own| own == sm) {
            Some(index) => blocks(index, slice, own[kernel].len(), most[kernel]),
            None => 0,
        };
        for kernel in 0..kernels {
            machine.set_blocks_per_sm(kernel as u8, |sm| held(kernel, sm));
        }
        let all = (0..kernels).flat_map(|kernel| own[kernel].iter().map(move |&sm| (kernel, sm)));
        let sum: u32 = all.clone().map(|(kernel, sm)| held(kernel, sm)).sum();
        let mean = f64::from(sum) / sms as f64;
        run(machine, &mut end, warm_up);
        let before: Vec<_> = all
            .clone()
            .map(|(kernel, sm)| machine.sm_stats(sm, kernel))
            .collect();
        run(machine, &mut end, sample);
        for ((kernel, sm), before) in all.zip(before) {
            let now = machine.sm_stats(sm, kernel);
            let blocks = held(kernel, sm);
            let place = &mut curves[kernel][blocks as usize - 1];
            // Where several SMs have as many blocks, the first one is asked, in the first slice.
            if *place == 0 {
                *place = corrected(
                    now.instructions() - before.instructions(),
                    now.failures.total() - before.failures.total(),
                    sample,
                    blocks,
                    mean,
                );
            }
        }
    }
    Ok(curves)
}

fn run(machine: &mut Machine, end: &mut u64, cycles: u64) {
    *end += cycles;
    if cycles > 0 {
        machine.run_unwatched(*end - 1);
    }
}

#[cfg(test)]
mod tests {
    //! Rationale: every number of blocks must be seen once, blocks must not have to leave, and the
    //! factors are worked out by hand.
    use super::*;

    #[test]
    fn every_number_of_blocks_is_seen_and_none_leaves() {
        for (sms, most) in [(8, 12), (8, 16), (5, 16), (8, 6), (8, 8), (16, 7)] {
            let slices = (most as usize).div_ceil(sms);
            let mut seen = vec![false; most as usize];
            for index in 0..sms {
                let held: Vec<u32> = (0..slices + 1)
                    .map(|slice| blocks(index, slice, sms, most))
                    .collect();
                assert!(held.windows(2).all(|pair| pair[0] <= pair[1]), "{held:?}");
                held.iter().for_each(|&held| seen[held as usize - 1] = true);
            }
            assert!(seen.iter().all(|&seen| seen), "{sms} {most}");
        }
        // Two slices: 1 then 2 blocks on the first SM.
        assert_eq!([0, 1].map(|slice| blocks(0, slice, 8, 16)), [1, 2]);
        assert_eq!([0, 1].map(|slice| blocks(7, slice, 8, 16)), [15, 16]);
    }

    #[test]
    fn factors_by_hand() {
        // Never stalled: as measured. Half stalled with 2 of a mean of 4 blocks: 1 + 0.5 * (2 - 1).
        assert_eq!(corrected(500, 0, 1000, 2, 4.0), 500_000);
        assert_eq!(corrected(500, 500, 1000, 2, 4.0), 750_000);
        assert_eq!(corrected(500, 1000, 1000, 8, 4.0), 250_000);
    }
}
