//! One run of a kernel beside an interferer.

use std::sync::Arc;

use super::interference::{Copy, Interference, Listing1, THREADS};
use super::watch::{Matrices, Watch};
use super::{Kernel, Tx2Config, Tx2Error, COPY_ENGINE, INTERFERER, KERNEL};
use crate::gpu::machine::Launch;
use crate::gpu::{Gpu, Machine};
use crate::model::ParamError;
use crate::workload::program::arithmetic::{Element, Operation};
use crate::workload::program::elementwise::{self, Elementwise};
use crate::workload::program::matrix::{self, Multiply};
use crate::workload::program::Program;
use crate::workload::Access;

/// Cycles after which it is looked whether a run has ended.
const LOOK: u64 = 16;
/// Rows and columns of gemm's tiles, so that a block has as many threads as the interferer's.
const TILE: u32 = 32;
/// Where the interferer's memory begins.
const OTHER: u64 = 1 << 32;

/// What a run has come to.
#[derive(Debug)]
pub(super) struct Ran {
    /// Cycles of a run of the kernel.
    pub cycles: f64,
    pub matrices: Matrices,
}

fn program(kernel: Kernel, footprint: u64) -> Result<Arc<dyn Program>, ParamError> {
    Ok(match kernel {
        Kernel::Vadd => Arc::new(Elementwise::new(elementwise::Params {
            operation: Operation::Add,
            element: Element::Float,
            elements: elementwise::Params::elements_of(Operation::Add, Element::Float, footprint),
            threads: THREADS as u32,
            blocks: Some(1),
            times: 1,
            base: 0,
        })?),
        Kernel::Gemm => Arc::new(Multiply::mm(matrix::Params {
            element: Element::Float,
            rows: matrix::rows_of(Multiply::matrices(false), Element::Float, TILE, footprint),
            tile: TILE,
            base: 0,
        })?),
    })
}

/// A launch that starts again when it ends, on one SM.
fn launch(program: Arc<dyn Program>, kernel: usize, sm: usize) -> Launch {
    Launch {
        program,
        kernel: kernel as u8,
        sms: 1 << sm,
        blocks_per_sm: Some(1),
        start: 0,
        restart: true,
    }
}

pub(super) fn run(
    config: &Tx2Config,
    kernel: Kernel,
    interference: Option<Interference>,
    observe: &mut dyn FnMut(&Access),
) -> Result<Ran, Tx2Error> {
    let geometry = config.preset.llc;
    let mut machine = config.preset.machine.clone();
    // The copy engine's port.
    let engine = machine.sm.count;
    machine.sm.count += 1;
    let mut launches = vec![launch(program(kernel, config.footprint)?, KERNEL, 0)];
    match interference {
        Some(Interference::Kernel { stride, bytes, hop }) => {
            let n = config.array / u64::from(bytes);
            let program = Listing1 {
                stride,
                bytes,
                hop,
                n,
                base: OTHER,
            };
            launches.push(launch(Arc::new(program), INTERFERER, 1));
        }
        Some(Interference::Copy { lines }) => {
            let gap = config.copy_gap_ns;
            let program = Copy::new(&config.preset.machine, geometry.line, lines, gap, OTHER);
            launches.push(launch(Arc::new(program), COPY_ENGINE, engine));
        }
        None => {}
    }
    let mut machine = Machine::new(&machine, geometry, launches)?;
    let mut watch = Watch::new(&geometry)?;
    let mut to_lap = |asked: u64, watch: &mut Watch| loop {
        let laps = machine.stats(KERNEL).laps;
        if laps >= asked {
            return Ok(machine.cycle());
        }
        if machine.cycle() >= config.limit {
            return Err(Tx2Error::Limit {
                kernel,
                interference,
                laps,
                asked,
                limit: config.limit,
            });
        }
        let next = machine.cycle() + LOOK;
        machine.run_to(next, &mut |reached| {
            watch.see(&reached);
            observe(reached.access);
            true
        });
    };
    let start = to_lap(config.warm, &mut watch)?;
    let before = watch.totals();
    let (mut laps, mut end) = (0, start);
    while end - start < config.cycles {
        laps += 1;
        end = to_lap(config.warm + laps, &mut watch)?;
    }
    Ok(Ran {
        cycles: (end - start) as f64 / laps.max(1) as f64,
        matrices: watch.totals().since(&before),
    })
}
