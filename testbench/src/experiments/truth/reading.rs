//! What software learns from the counters, by reading period and counter width.
//!
//! Each bank's monitor has counters of its own that saturate on their own; a snapshot copies and
//! clears them, and the read port sums the banks (`llc_monitor`). A counter that saturates reads
//! its limit: the smaller of its limit and the events of its period, as tests of the golden units
//! show. So the events of short periods, recorded once, give the reading of every longer period
//! and every width.

use cotenant_golden::gpu::Reached;
use cotenant_golden::llc::cache::Geometry;
use cotenant_golden::metrics::{wbd, Contention, Row};
use serde::{Deserialize, Serialize};

/// Cycles of the periods that are recorded; others are multiples.
const BASE: u64 = 1_000;
/// Read periods, in cycles; section III of the GDC paper: "a dozen thousand or even a hundred
/// thousand cycles".
pub const PERIODS: [u64; 6] = [1_000, 3_000, 12_000, 30_000, 100_000, 300_000];
/// Widths of a counter in bits. 18 and 21 cannot saturate in periods of 12,000 and 100,000 cycles,
/// whatever comes.
pub const WIDTHS: [u32; 8] = [6, 8, 10, 12, 14, 16, 18, 21];

/// Whole periods that a run must hold for its readings to be compared with it: one that is most of
/// the run agrees with it whatever happens.
pub const WHOLE: usize = 4;

/// Demotions of the lines of one kernel, by bank and aggressor; what its row needs.
#[derive(Debug, Clone)]
pub struct Recorder {
    victim: u8,
    kernels: usize,
    banks: usize,
    /// `[period][bank * kernels + aggressor]`.
    periods: Vec<Vec<u32>>,
}

impl Recorder {
    /// Of the row of a victim.
    pub fn new(geometry: &Geometry, victim: usize) -> Self {
        Self {
            victim: victim as u8,
            kernels: geometry.kernels,
            banks: geometry.banks,
            periods: vec![],
        }
    }

    /// An access.
    pub fn access(&mut self, reached: &Reached<'_>) {
        let period = (reached.cycle / BASE) as usize;
        if period >= self.periods.len() {
            let none = vec![0; self.banks * self.kernels];
            self.periods.resize(period + 1, none);
        }
        // A miss has the position behind the last.
        let pushed = usize::from(reached.outcome.hit_pos);
        let owners = reached.before.owner.iter().enumerate().take(pushed);
        let lines = owners.filter(|(position, &owner)| {
            reached.before.valid >> position & 1 == 1 && owner == self.victim
        });
        let counter = reached.bank * self.kernels + usize::from(reached.access.kernel);
        self.periods[period][counter] += lines.count() as u32;
    }

    /// The counters of each period of so many cycles, a multiple of [`BASE`].
    fn counters(&self, period: u64) -> impl Iterator<Item = Vec<u64>> + '_ {
        self.periods.chunks((period / BASE) as usize).map(|parts| {
            let mut sum = vec![0; self.banks * self.kernels];
            for part in parts {
                for (sum, count) in sum.iter_mut().zip(part) {
                    *sum += u64::from(*count);
                }
            }
            sum
        })
    }
}

/// What readings of one period say, over all workloads.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Period {
    /// Cycles between two readings.
    pub cycles: u64,
    /// Readings of whole periods with an event, of workloads that hold at least [`WHOLE`] periods.
    pub readings: u64,
    /// Distance (wbd) of a single reading's shares from those of the whole run: the mean over all
    /// readings.
    pub mean: Option<f64>,
    /// The largest.
    pub largest: Option<f64>,
    /// Bits of the largest counter.
    pub bits: u32,
    /// Sums of all readings, by width of the counters.
    pub widths: Vec<Width>,
}

/// Sums of all readings of counters of a width, beside the undivided counts.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Width {
    /// Bits of a counter.
    pub bits: u32,
    /// Workloads in which the sums are the undivided counts.
    pub exact: usize,
    /// The largest distance (wbd) of the sums' shares from those of the undivided counts.
    pub largest: Option<f64>,
}

/// The shares of a row of counts, as software computes them.
fn shares(row: Vec<u64>) -> Row {
    let counts = cotenant_golden::llc::cache::Counts {
        gdc: vec![row],
        ..Default::default()
    };
    Contention::of(&counts).share_gdc.pop().flatten()
}

/// The banks' counters of each aggressor summed, each at most `limit`.
fn read(counters: &[u64], kernels: usize, limit: u64) -> Vec<u64> {
    let mut row = vec![0; kernels];
    for (index, count) in counters.iter().enumerate() {
        row[index % kernels] += count.min(&limit);
    }
    row
}

/// What readings of one workload with one period say. Distances are in billionths, since whole
/// numbers come out of a file as they went in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Readings {
    whole: Vec<u64>,
    /// Single readings that have a distance from the whole.
    single: u64,
    /// Their distances, summed.
    distances: u64,
    /// The largest of them.
    largest: u64,
    most: u64,
    /// The sums, by width; null where they are the whole.
    sums: Vec<Option<Vec<u64>>>,
}

/// Parts of 1 in which distances are kept.
const PARTS: f64 = 1e9;

impl Recorder {
    /// What its readings say, by period.
    pub fn readings(&self) -> Vec<Readings> {
        PERIODS.map(|period| readings(self, period)).into()
    }
}

fn readings(recorder: &Recorder, period: u64) -> Readings {
    let kernels = recorder.kernels;
    let mut whole = vec![0; kernels];
    for counters in recorder.counters(period) {
        add(&mut whole, &read(&counters, kernels, u64::MAX));
    }
    let of_all = shares(whole.clone());
    let mut sums = vec![vec![0; kernels]; WIDTHS.len()];
    let mut readings = Readings {
        whole,
        single: 0,
        distances: 0,
        largest: 0,
        most: 0,
        sums: vec![],
    };
    let whole_periods = recorder.periods.len() / (period / BASE) as usize;
    for (number, counters) in recorder.counters(period).enumerate() {
        let row = shares(read(&counters, kernels, u64::MAX));
        let distance = row.zip(of_all.as_deref()).and_then(|(a, b)| wbd(&a, b));
        if let Some(distance) =
            distance.filter(|_| whole_periods >= WHOLE && number < whole_periods)
        {
            let parts = (distance * PARTS).round() as u64;
            readings.single += 1;
            readings.distances += parts;
            readings.largest = readings.largest.max(parts);
        }
        readings.most = counters.iter().copied().fold(readings.most, u64::max);
        for (sum, bits) in sums.iter_mut().zip(WIDTHS) {
            add(sum, &read(&counters, kernels, (1 << bits) - 1));
        }
    }
    let sums = sums
        .into_iter()
        .map(|sum| (sum != readings.whole).then_some(sum));
    readings.sums = sums.collect();
    readings
}

fn add(sum: &mut [u64], row: &[u64]) {
    for (sum, count) in sum.iter_mut().zip(row) {
        *sum += count;
    }
}

/// The table over all workloads, of each the readings by period; one row per period.
pub fn periods(workloads: &[Vec<Readings>]) -> Vec<Period> {
    let period = |(place, cycles): (usize, u64)| {
        let all = || {
            workloads
                .iter()
                .filter_map(move |periods| periods.get(place))
        };
        let count: u64 = all().map(|readings| readings.single).sum();
        let distances: u64 = all().map(|readings| readings.distances).sum();
        let largest = all().filter(|readings| readings.single > 0);
        let largest = largest.map(|readings| readings.largest).max();
        let most = all().map(|readings| readings.most).max().unwrap_or(0);
        let width = |(index, bits): (usize, u32)| {
            let lost = || all().filter_map(move |r| Some((r.sums[index].as_ref()?, &r.whole)));
            let distance = |(sum, whole): (&Vec<u64>, &Vec<u64>)| {
                wbd(&shares(sum.clone())?, &shares(whole.clone())?)
            };
            let exact = all().count() - lost().count();
            // What loses nothing has no distance.
            let none = (exact > 0).then_some(0.0);
            Width {
                bits,
                exact,
                largest: lost().filter_map(distance).chain(none).reduce(f64::max),
            }
        };
        Period {
            cycles,
            readings: count,
            mean: (count > 0).then(|| distances as f64 / PARTS / count as f64),
            largest: largest.map(|parts| parts as f64 / PARTS),
            bits: u64::BITS - most.leading_zeros(),
            widths: WIDTHS.into_iter().enumerate().map(width).collect(),
        }
    };
    PERIODS.into_iter().enumerate().map(period).collect()
}

#[cfg(test)]
mod tests {
    //! Rationale: the golden monitor unit itself, with narrow counters and snapshots, must read
    //! what is computed here from the events; a limit that is one too high must be seen.
    use super::*;
    use cotenant_golden::gpu::Gpu;
    use cotenant_golden::llc::gdcu::{Gdcu, In, Params};
    use cotenant_golden::workload::scenario::Scenario;
    use cotenant_golden::Model;

    /// Per width, the sums that one `gdcu` per bank reads, and what is computed with a limit that
    /// is `off` too high.
    fn both(period: u64, bits: u32, off: u64) -> [Vec<u64>; 2] {
        let mut scenario = Scenario::named("gdc-figure-3").unwrap();
        scenario.accesses = 6_000;
        let geometry = scenario.geometry;
        let mut recorder = Recorder::new(&geometry, 0);
        let params = Params {
            ways: geometry.ways,
            kernels: geometry.kernels,
            cnt_w: bits as usize,
            stages: 0,
        };
        let mut units = vec![Gdcu::new(params).unwrap(); geometry.banks];
        let mut sum = vec![0; geometry.kernels];
        let mut gpu = scenario.gpu().unwrap();
        let idle = In {
            stack_owner: vec![0; geometry.ways],
            ..In::default()
        };
        let snapshot = In {
            snapshot: true,
            ..idle.clone()
        };
        for end in (period..=20 * period).step_by(period as usize) {
            gpu.run_to(end - 1, &mut |reached| {
                recorder.access(&reached);
                units[reached.bank].step(&In {
                    access_valid: true,
                    access_pos: reached.outcome.hit_pos,
                    access_kid: reached.access.kernel,
                    stack_owner: reached.before.owner.to_vec(),
                    stack_valid: reached.before.valid,
                    ..idle.clone()
                });
                true
            });
            for unit in &mut units {
                unit.step(&snapshot);
                add(&mut sum, &unit.state().shadow[0]);
            }
        }
        let mut computed = vec![0; geometry.kernels];
        for counters in recorder.counters(period) {
            let row = read(&counters, geometry.kernels, (1 << bits) - 1 + off);
            add(&mut computed, &row);
        }
        [sum, computed]
    }

    #[test]
    fn computed_readings_are_the_units() {
        for (period, bits) in [(1_000, 5), (1_000, 8), (3_000, 8), (3_000, 30)] {
            let [units, computed] = both(period, bits, 0);
            assert_eq!(units, computed, "{period} cycles, {bits} bits");
            assert!(units.iter().sum::<u64>() > 0);
        }
        let [units, computed] = both(1_000, 5, 1);
        assert_ne!(units, computed);
    }

    #[test]
    fn wide_counters_lose_nothing_and_the_whole_run_is_one_reading() {
        let scenario = Scenario::named("gdc-figure-3").unwrap();
        let mut recorder = Recorder::new(&scenario.geometry, 0);
        let mut gpu = scenario.gpu().unwrap();
        gpu.run_to(49_999, &mut |reached| {
            recorder.access(&reached);
            true
        });
        let table = periods(&[recorder.readings()]);
        for period in &table {
            let widest = &period.widths[WIDTHS.len() - 1];
            assert_eq!((widest.exact, widest.largest), (1, Some(0.0)));
            // What does not saturate is exact, what does is not.
            for width in &period.widths {
                assert_eq!(width.exact == 1, width.bits >= period.bits, "{period:?}");
            }
        }
        // 50 periods of 1,000 cycles and 4 of 12,000 are in the run, not of 30,000.
        let readings_of = |index: usize| (table[index].readings, table[index].largest);
        assert!(table[0].readings > 40 && table[0].largest > Some(0.0));
        assert_eq!(readings_of(2).0, 4);
        assert_eq!(readings_of(3), (0, None));
        // The counts are the golden cache's.
        assert_eq!(readings(&recorder, BASE).whole, gpu.counts().gdc[0]);
    }
}
