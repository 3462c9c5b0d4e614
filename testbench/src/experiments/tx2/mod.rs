//! `tx2-stride` and `tx2-copy`: what a kernel on the other SM, and the copy engine, do to a kernel on
//! Jetson TX2, and whose lines they push out meanwhile.
//!
//! Source: TX2, section III, figures 3 to 6. The models are in
//! [`addr::tx2`](cotenant_golden::addr::tx2). The paper could measure times only; here the monitor's
//! matrices and the exact shares of the misses stand beside them, and the monitor's netlist runs in
//! lockstep on the same accesses.

mod text;

use std::sync::Mutex;

use cotenant_golden::addr::tx2::{interference, Hop, Interference, Kernel, Tx2Config, Tx2Row};
use cotenant_golden::workload::Access;
use serde::Serialize;

use super::curves::curves;
use super::replay::live::Live;
use super::replay::LockstepCount;
use super::statement::Statement;
use super::{Attachment, Error, Setting};

/// All that is measured.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// Version of this document.
    pub schema: u32,
    /// The experiment's name.
    pub experiment: &'static str,
    /// Whether all runs came to their end.
    pub complete: bool,
    /// By kernel and what is beside it.
    pub rows: Vec<Tx2Row>,
    /// What the paper says of them.
    pub statements: Vec<Statement>,
    /// The monitor's hardware during all runs; none without a run, or if there is none.
    pub lockstep: Option<LockstepCount>,
    /// Where hardware and golden model differ first.
    #[serde(skip)]
    pub mismatch: Option<String>,
}

/// Strides, of elements of one and of four bytes.
///
/// # Errors
/// [`Error`].
pub fn stride(setting: &Setting<'_>) -> Result<Report, Error> {
    let kernel = |it: &Interference| matches!(it, Interference::Kernel { .. });
    run("tx2-stride", setting, kernel, strides)
}

/// Copies of 1 to 16384 lines.
///
/// # Errors
/// [`Error`].
pub fn copy(setting: &Setting<'_>) -> Result<Report, Error> {
    let copy = |it: &Interference| matches!(it, Interference::Copy { .. });
    run("tx2-copy", setting, copy, copies)
}

/// What the hardware has come to in all runs.
#[derive(Default)]
struct Found {
    lockstep: Option<LockstepCount>,
    mismatch: Option<String>,
    failed: Option<super::replay::Error>,
}

impl Found {
    fn add(&mut self, live: Live) {
        let (count, mismatch) = live.finish();
        let sum = self.lockstep.get_or_insert(LockstepCount {
            cycles: 0,
            mismatches: 0,
            ..count
        });
        sum.cycles += count.cycles;
        sum.mismatches += count.mismatches;
        if let (Some(mismatch), None) = (mismatch, &self.mismatch) {
            self.mismatch = Some(mismatch.to_string());
        }
    }
}

/// The hardware beside one run, which is added to all when the run ends.
struct Beside<'a> {
    live: Option<Live>,
    found: &'a Mutex<Found>,
}

impl Beside<'_> {
    fn see(&mut self, access: &Access) {
        if let Some(live) = &mut self.live {
            if let Err(error) = live.access(access) {
                self.live = None;
                lock(self.found).failed.get_or_insert(error);
            }
        }
    }
}

impl Drop for Beside<'_> {
    fn drop(&mut self) {
        if let Some(live) = self.live.take() {
            lock(self.found).add(live);
        }
    }
}

fn lock(found: &Mutex<Found>) -> std::sync::MutexGuard<'_, Found> {
    found
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
}

fn run(
    experiment: &'static str,
    setting: &Setting<'_>,
    chosen: fn(&Interference) -> bool,
    said: fn(&[Tx2Row]) -> Vec<Statement>,
) -> Result<Report, Error> {
    let mut config = Tx2Config::figures()?;
    config.interference.retain(chosen);
    let runs = config.kernels.len() * (config.interference.len() + 1);
    setting.watch.expect(runs as u64);
    let found = Mutex::new(Found::default());
    let mut last = 0;
    let rows = interference(
        &config,
        &|| {
            let live = Live::new(&config.preset.llc, setting.engine);
            let live = live.unwrap_or_else(|error| {
                lock(&found).failed.get_or_insert(error);
                None
            });
            let mut beside = Beside {
                live,
                found: &found,
            };
            Box::new(move |access: &Access| beside.see(access))
        },
        &mut |done, _| {
            let more = done - std::mem::replace(&mut last, done);
            setting.watch.advance(more)
        },
    )?;
    let complete = rows.len() == runs;
    let found = found
        .into_inner()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    if let Some(error) = found.failed {
        return Err(error.into());
    }
    Ok(Report {
        schema: 1,
        experiment,
        complete,
        statements: if complete { said(&rows) } else { vec![] },
        rows,
        lockstep: found.lockstep,
        mismatch: found.mismatch,
    })
}

/// Slowdowns of a kernel by stride, of elements of so many bytes, by a reading of listing 1.
fn by_stride(rows: &[Tx2Row], kernel: Kernel, of_bytes: u8, of_hop: Hop) -> Vec<(u64, f64)> {
    let of = rows.iter().filter(|row| row.kernel == kernel);
    let stride = |row: &Tx2Row| match row.interference {
        Some(Interference::Kernel { stride, bytes, hop }) => {
            ((bytes, hop) == (of_bytes.into(), of_hop)).then_some((stride, row.slowdown))
        }
        _ => None,
    };
    of.filter_map(stride).collect()
}

/// Slowdowns of a kernel by copied lines.
fn by_lines(rows: &[Tx2Row], kernel: Kernel) -> Vec<(u64, f64)> {
    let of = rows.iter().filter(|row| row.kernel == kernel);
    let lines = |row: &Tx2Row| match row.interference {
        Some(Interference::Copy { lines }) => Some((lines, row.slowdown)),
        _ => None,
    };
    of.filter_map(lines).collect()
}

/// Whether the second of two points is not below the first. ASSUMPTION: by 2 % it may be, since runs of the
/// kernel are whole.
fn rises(pair: &&[(u64, f64)]) -> bool {
    pair[1].1 >= 0.98 * pair[0].1
}

/// Where the slowdown is highest, and what it is there.
fn peak(points: &[(u64, f64)]) -> (u64, f64) {
    let higher = |a: &(u64, f64), b: &(u64, f64)| a.1.total_cmp(&b.1);
    points
        .iter()
        .copied()
        .max_by(higher)
        .unwrap_or((0, f64::NAN))
}

fn at(points: &[(u64, f64)], x: u64) -> f64 {
    let found = points.iter().find(|point| point.0 == x);
    found.map_or(f64::NAN, |point| point.1)
}

fn end(points: &[(u64, f64)]) -> f64 {
    points.last().map_or(f64::NAN, |point| point.1)
}

/// Figures 3 and 4; listing 1 as it is printed.
fn strides(rows: &[Tx2Row]) -> Vec<Statement> {
    let vadd = by_stride(rows, Kernel::Vadd, 1, Hop::Block);
    let gemm = by_stride(rows, Kernel::Gemm, 1, Hop::Block);
    let words = by_stride(rows, Kernel::Vadd, 4, Hop::Block);
    let ((place, high), (words_place, words_high)) = (peak(&vadd), peak(&words));
    let (_, gemm_high) = peak(&gemm);
    let mut rising = vadd.windows(2).filter(|pair| pair[1].0 <= 32);
    let rises = |pair: &[(u64, f64)]| rises(&pair);
    let listed = "as printed, a pass of all threads adds 1024 new bytes of each array, whatever the stride; \
                  with the other reading, where threads hop by blockDim x stride, the slowdown rises to about \
                  the line size and falls beyond";
    let slow = "an SM takes one line of 32 bytes per cycle from the crossbar, and the model's memory nearly \
                keeps up with both SMs";
    vec![
        Statement::new(
            "vadd is slowed down the more, the longer the stride, up to the line size of 32 bytes",
            format!("highest at stride {place}"),
            place == 32 && rising.all(rises),
        )
        .because(listed),
        Statement::number("there by 6 times", high, 6.0).because(slow),
        Statement::new(
            "beyond it falls",
            format!("{:.2} at the longest stride", end(&vadd)),
            end(&vadd) < high,
        ),
        Statement::number("to about 2", end(&vadd), 2.0).because(listed),
        Statement::number("gemm is slowed down by about 3 times", gemm_high, 3.0).because(slow),
        Statement::number("and hardly (1) at the longest stride", end(&gemm), 1.0),
        Statement::new(
            "elements of four bytes have their peak at stride 8, where the line size is",
            format!("highest at stride {words_place}, {words_high:.2}"),
            words_place == 8,
        ),
    ]
}

/// Figures 5 and 6.
fn copies(rows: &[Tx2Row]) -> Vec<Statement> {
    let (vadd, gemm) = (by_lines(rows, Kernel::Vadd), by_lines(rows, Kernel::Gemm));
    let (one, all) = (at(&vadd, 1), end(&vadd));
    vec![
        // What is reached of the 0.2 is what counts.
        Statement::number("vadd: 0.2 more than alone at one line", one - 1.0, 0.2).because(
            "a line per call is hardly any traffic; what else the driver does is not modelled",
        ),
        Statement::number("vadd: 2.4 times at the whole cache", all, 2.4)
            .because("the memory is not busy enough: as with strides, both fit into its bandwidth"),
        Statement::new(
            "the more lines, the slower",
            format!("{one:.2} to {all:.2}"),
            vadd.windows(2).all(|pair| rises(&pair)) && all > one,
        ),
        Statement::number("gemm is hardly affected: 1 at most", peak(&gemm).1, 1.0)
            .because("gemm's tiles are pushed out of the LLC"),
    ]
}

impl Report {
    /// The picture.
    ///
    /// # Errors
    /// [`Error::Picture`].
    pub fn attachments(&self) -> Result<Vec<Attachment>, Error> {
        if !self.complete {
            return Ok(vec![]);
        }
        let powers = |points: Vec<(u64, f64)>| -> Vec<(f64, f64)> {
            points
                .iter()
                .map(|&(x, y)| ((x as f64).log2(), y))
                .collect()
        };
        // What its text says, at the first or the highest and at the last point.
        let paper = |kernel: &str, points: [(f64, f64); 2]| {
            (format!("{kernel}, the paper"), points.to_vec())
        };
        let (title, x, mut all) = match self.experiment {
            "tx2-copy" => (
                "A kernel beside the copy engine (TX2)",
                "copied lines, power of two",
                vec![
                    (
                        "vadd".to_owned(),
                        powers(by_lines(&self.rows, Kernel::Vadd)),
                    ),
                    (
                        "gemm".to_owned(),
                        powers(by_lines(&self.rows, Kernel::Gemm)),
                    ),
                ],
            ),
            _ => (
                "A kernel beside listing 1 (TX2)",
                "stride in elements, power of two",
                [
                    ("vadd", Kernel::Vadd, 1, Hop::Block),
                    ("vadd, hop x stride", Kernel::Vadd, 1, Hop::BlockStride),
                    ("vadd, 4 bytes", Kernel::Vadd, 4, Hop::Block),
                    ("gemm", Kernel::Gemm, 1, Hop::Block),
                    ("gemm, hop x stride", Kernel::Gemm, 1, Hop::BlockStride),
                ]
                .map(|(name, kernel, bytes, hop)| {
                    let points = by_stride(&self.rows, kernel, bytes, hop);
                    (name.to_owned(), powers(points))
                })
                .to_vec(),
            ),
        };
        all.extend(match self.experiment {
            "tx2-copy" => [
                paper("vadd", [(0.0, 1.2), (14.0, 2.4)]),
                paper("gemm", [(0.0, 1.0), (14.0, 1.0)]),
            ],
            _ => [
                paper("vadd", [(5.0, 6.0), (9.0, 2.0)]),
                paper("gemm", [(5.0, 3.0), (9.0, 1.0)]),
            ],
        });
        let text = curves(title, [x, "slowdown"], &all)?;
        let name = format!("{}.svg", self.experiment);
        Ok(vec![Attachment { name, text }])
    }
}
