//! The thirteen benchmarks of Dai et al. (HPCA 2018), table 2, as the public sources of their
//! suites have them: which kernel, which arrays, and the index expression of each global memory
//! instruction ([`listed`](super::listed)). They are facts of the sources named, in our words.
//!
//! | name | kernel | file | decided by |
//! | --- | --- | --- | --- |
//! | cp | `cuda_cutoff_potential_lattice6overlap` | Parboil `cutcp/src/cuda/cutoff6overlap.cu` | the only large kernel; 128 threads, 4 KB of shared memory |
//! | hs | `calculate_temp` | Rodinia `cuda/hotspot/hotspot.cu` | 256 threads, 3 arrays of 16 by 16 floats |
//! | dc | `compress` | CUDA samples `dxtc/dxtc.cu` | 64 threads |
//! | pf | `dynproc_kernel` | Rodinia `cuda/pathfinder/pathfinder.cu` | 2 KB of shared memory: 2 arrays of 256 integers |
//! | bp | `bpnn_layerforward_CUDA` | Rodinia `cuda/backprop/backprop_cuda_kernel.cu` | 1088 B of shared memory: 16 and 16 by 16 floats; the other kernel has none |
//! | bs | `Kernel` | Rodinia `cuda/bfs/kernel.cu` | 512 threads |
//! | st | `naive_kernel` | Parboil `stencil/src/cuda_base/kernels.cu` | 16 warps: a row of 512 less one; no shared memory |
//! | 3m | `mm3_kernel1` | PolyBench/GPU `CUDA/3MM/3mm.cu` | all three are alike |
//! | sv | `spmv_jds` | Parboil `spmv/src/cuda/jds_kernels.cu` | 192 threads: 1536 of Fermi among 8 blocks |
//! | cd | `cuda_compute_flux` | Rodinia `cuda/cfd/euler3d.cu` | all registers; the others are small |
//! | s2 | `larger_sad_calc_8` | Parboil `sad/src/cuda/larger_sads.cu` | 32 by 4 threads; the second of three |
//! | ks | `invert_mapping` | Rodinia `cuda/kmeans/kmeans_cuda_kernel.cu` | 17 requests an instruction; the other reads textures |
//! | ax | `atax_kernel1` | PolyBench/GPU `CUDA/ATAX/atax.cu` | 11 requests an instruction; the other has 1 |
//!
//! Registers, threads and shared memory of a block are those that table 2's occupancies say
//! ([`table2`](super::table2)); the threads agree with the sources but for cd, whose file has 192 where the table
//! has 64.
//!
//! Arithmetic is counted from the sources as PTX has it, which is what GPGPU-Sim 3.2.2 runs:
//! an address computed anew is a multiply-add and two instructions for its array, one in a loop an
//! addition, a loop an addition, a comparison and a branch. ASSUMPTION: these counts are ours; no
//! PTX was compiled. Table 2's `Cinst/Minst` and `Req/Minst` are compared with what comes out.
//!
//! Inputs are those that the suites' run scripts have by default. What the sources do not say
//! is [`Numbers`]: what an instruction takes, and how far indices that are data are spread.

mod parboil;
mod polybench;
mod rodinia;
mod sdk;

use super::listed::{Array, Listed, Numbers, Source};
use super::table2::Benchmark;
use crate::model::ParamError;

/// The source of a benchmark of table 2.
pub fn source(benchmark: &Benchmark) -> Source {
    match benchmark.name {
        "cp" => parboil::cutcp(),
        "hs" => rodinia::hotspot(),
        "dc" => sdk::dxtc(),
        "pf" => rodinia::pathfinder(),
        "bp" => rodinia::backprop(),
        "bs" => rodinia::bfs(),
        "st" => parboil::stencil(),
        "3m" => polybench::mm3(),
        "sv" => parboil::spmv(),
        "cd" => rodinia::cfd(),
        "s2" => parboil::sad(),
        "ks" => rodinia::kmeans(),
        _ => polybench::atax(),
    }
}

/// Whether a benchmark has indices that are data, so that [`Numbers::spread`] matters.
pub fn is_spread(benchmark: &Benchmark) -> bool {
    matches!(benchmark.name, "sv" | "cd")
}

/// The kernel of a benchmark, its arrays from `base` on; `seed` draws indices that are data.
///
/// # Errors
/// [`ParamError`] for numbers outside of their ranges or a base that is not aligned.
pub fn kernel(
    benchmark: &Benchmark,
    numbers: Numbers,
    seed: u64,
    base: u64,
) -> Result<Listed, ParamError> {
    let room = [benchmark.registers, benchmark.shared_memory];
    Listed::new(source(benchmark), numbers, room, seed, base)
}

/// So many floats or integers of 32 bits.
fn words(elements: u64) -> Array {
    Array { bytes: 4, elements }
}

#[cfg(test)]
mod tests;
