//! Thread-block partitions, as functions of what blocks take and how fast kernels are with how many.

use crate::gpu::config;
use crate::gpu::sm::Resources;
use crate::workload::program::Grid;

/// Performance of a kernel by its thread blocks on an SM, from one block on; any unit.
pub type Curve = Vec<u64>;

/// Spatial multitasking: the SMs of each kernel, as masks.
///
/// ASSUMPTION: as many for each; what is left over goes to the first kernels.
pub fn spatial(sms: usize, kernels: usize) -> Vec<u64> {
    let first = |kernel: usize| kernel * (sms / kernels) + kernel.min(sms % kernels);
    let below = |sm: usize| u64::MAX.checked_shr(64 - sm as u32).unwrap_or(0);
    (0..kernels)
        .map(|kernel| below(first(kernel + 1)) & !below(first(kernel)))
        .collect()
}

/// Whether an SM holds so many blocks of each kernel.
pub fn fits(sm: &config::Sm, grids: &[Grid], blocks: &[u32]) -> bool {
    let mut left = Resources::of(sm);
    grids.iter().zip(blocks).all(|(grid, &blocks)| {
        let takes = Resources::for_block(grid);
        (0..blocks).all(|_| {
            let fits = left.covers(&takes);
            if fits {
                left.take(&takes);
            }
            fits
        })
    })
}

/// SMK-P: dominant resource fairness. A kernel's dominant share is its largest share of any of an SM's
/// resources; a block at a time is given to the kernel whose dominant share is the lowest, as long as
/// one fits.
///
/// Source: Dai et al. (HPCA 2018), section 1, on SMK: "'Dominant Resource Fairness (DRF)' to fairly
/// allocate static resources (including registers, shared memory, number of active threads and number of
/// TBs) among kernels".
///
/// ASSUMPTION: of equal shares the first kernel is given the block; one whose block does not fit takes
/// no further part, and the others go on.
pub fn drf(sm: &config::Sm, grids: &[Grid]) -> Vec<u32> {
    let has = Resources::of(sm);
    let share = |kernel: usize| has.dominant_share(&Resources::for_block(&grids[kernel]));
    let mut blocks = vec![0; grids.len()];
    let mut open: Vec<usize> = (0..grids.len()).collect();
    while let Some(&kernel) = open.iter().min_by(|&&a, &&b| {
        let held = |kernel: usize| f64::from(blocks[kernel]) * share(kernel);
        held(a).total_cmp(&held(b))
    }) {
        blocks[kernel] += 1;
        if !fits(sm, grids, &blocks) {
            blocks[kernel] -= 1;
            open.retain(|&other| other != kernel);
        }
    }
    blocks
}

/// Warped-Slicer's sweet spot: the blocks of each kernel, at least one, that fit an SM together and
/// with which the kernel that suffers most suffers least.
///
/// Source: Dai et al. (HPCA 2018), section 2.5: "the TB combination, where the performance degradation of
/// each kernel is minimized while meeting the resource constraint".
///
/// ASSUMPTION: performance is a share of the curve's best; combinations are compared by the lowest share
/// of a kernel, then by the second lowest, and so on; of equal ones the first has it, with the fewest
/// blocks of the first kernels. None where not even one block of each fits, or a kernel has no curve.
pub fn sweet_spot(sm: &config::Sm, grids: &[Grid], curves: &[Curve]) -> Option<Vec<u32>> {
    if curves.len() != grids.len() || curves.iter().any(Vec::is_empty) {
        return None;
    }
    let mut best: Option<(Vec<f64>, Vec<u32>)> = None;
    let mut blocks = vec![1; grids.len()];
    loop {
        if fits(sm, grids, &blocks) {
            let mut shares = shares(curves, &blocks);
            shares.sort_by(f64::total_cmp);
            if best.as_ref().is_none_or(|(most, _)| shares > *most) {
                best = Some((shares, blocks.clone()));
            }
        }
        // The next combination, the last kernel's blocks going first.
        let Some(next) = (0..blocks.len()).rfind(|&k| (blocks[k] as usize) < curves[k].len())
        else {
            return best.map(|(_, blocks)| blocks);
        };
        blocks[next] += 1;
        blocks[next + 1..].fill(1);
    }
}

/// Each kernel's performance with so many blocks, at least one, as a share of its best.
pub fn shares(curves: &[Curve], blocks: &[u32]) -> Vec<f64> {
    let share = |(curve, &blocks): (&Curve, &u32)| {
        let most = curve.iter().copied().max().unwrap_or(0).max(1);
        curve[blocks as usize - 1] as f64 / most as f64
    };
    curves.iter().zip(blocks).map(share).collect()
}

#[cfg(test)]
mod tests {
    //! Rationale: each rule worked out by hand on small numbers; one that took another's rule would
    //! give other blocks.
    use super::*;
    use crate::presets::Preset;

    fn sm(threads: u32, registers: u32) -> config::Sm {
        let maxwell = Preset::named("maxwell").unwrap();
        config::Sm {
            threads,
            registers,
            ..maxwell.machine.sm
        }
    }

    fn grid(threads: u32, registers: u32) -> Grid {
        Grid {
            blocks: 100,
            threads,
            registers,
            shared_memory: 0,
        }
    }

    #[test]
    fn sms_are_divided_evenly() {
        assert_eq!(spatial(16, 2), [0x00ff, 0xff00]);
        assert_eq!(spatial(16, 3), [0x003f, 0x07c0, 0xf800]);
        assert_eq!(spatial(64, 1), [u64::MAX]);
    }

    #[test]
    fn dominant_shares_by_hand() {
        // Ghodsi et al. (NSDI 2011), figure 2 with threads for memory: of 9 CPUs and 18 GB user A takes
        // 1 and 4, user B 3 and 1; A runs 3 tasks, B 2. Here of 18 * 64 threads and 9 * 2048 registers
        // A takes 4 * 64 threads of 8 registers (2048), B 64 threads of 96 (3 * 2048).
        let has = sm(18 * 64, 9 * 2048);
        let grids = [grid(256, 8), grid(64, 96)];
        assert_eq!(drf(&has, &grids), [3, 2]);
        // In the other order B is the first of equals, which changes nothing.
        assert_eq!(drf(&has, &[grids[1], grids[0]]), [2, 3]);
        // Room that is left goes to whom it suffices.
        assert_eq!(drf(&sm(1024, 65536), &[grid(512, 1), grid(192, 1)]), [1, 2]);
    }

    #[test]
    fn the_sweet_spot_by_hand() {
        let has = sm(640, 65536);
        let grids = [grid(128, 1), grid(128, 1)];
        // Five blocks; kernel 0 grows linearly, kernel 1 is best with 2 and then falls.
        let linear = vec![10, 20, 30, 40, 50];
        let falls = vec![80, 100, 60, 50, 40];
        let curves = [linear.clone(), falls];
        // (3, 2): 0.6 and 1.0. (4, 1): 0.8 and 0.8, whose lowest is higher.
        assert_eq!(sweet_spot(&has, &grids, &curves), Some(vec![4, 1]));
        assert_eq!(shares(&curves, &[4, 1]), [0.8, 0.8]);
        // With half as much at one block: 0.5 against 0.6.
        let curves = [linear.clone(), vec![50, 100, 60, 50, 40]];
        assert_eq!(sweet_spot(&has, &grids, &curves), Some(vec![3, 2]));
        // Equal lowest shares: the second lowest decides.
        let curves = [vec![50, 50, 50, 50, 100], vec![10, 40, 50, 50, 50]];
        assert_eq!(sweet_spot(&has, &grids, &curves), Some(vec![1, 3]));
        // No curve, and nothing fits.
        assert_eq!(sweet_spot(&has, &grids, &curves[..1]), None);
        assert_eq!(sweet_spot(&has, &grids, &[vec![], vec![1]]), None);
        assert_eq!(sweet_spot(&sm(128, 65536), &grids, &curves), None);
    }

    #[test]
    fn blocks_fit_together_or_not() {
        let has = sm(640, 1 << 16);
        let grids = [grid(128, 1), grid(256, 1)];
        assert!(fits(&has, &grids, &[3, 1]) && fits(&has, &grids, &[1, 2]));
        assert!(!fits(&has, &grids, &[4, 1]) && !fits(&has, &grids, &[2, 2]));
    }
}
