//! The truth of each workload, and how far each method is from it.

use std::collections::BTreeMap;

use cotenant_golden::metrics::{wbd, Coalitions, Row};
use cotenant_golden::workload::random::Workload;
use serde::{Deserialize, Serialize};

use super::method::{shown, HARDWARE};
use super::sampling::Sampling;
use super::{Measured, Method, Over, Rows, FLOOR, METHODS};
use crate::experiments::statistics::{all_pairs, compare, Compared, Mean, Pair};

/// The truth by one kind of coalitions, and the distance of every method from it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Truth {
    /// Extra misses that each co-runner costs; negative if it saves some.
    pub values: Vec<f64>,
    /// What all of them together cost.
    pub extra: i64,
    /// Over the co-runners; null if none costs anything.
    pub co_runners: Option<Distances>,
    /// Over all kernels: misses that the KUA has alone are its own.
    pub kernels: Option<Distances>,
}

/// True shares, and the distances of the methods' shares from them.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Distances {
    /// The true shares.
    pub shares: Vec<f64>,
    /// By the method's name.
    pub distance: BTreeMap<String, f64>,
}

impl Truth {
    fn new(coalitions: &Coalitions, rows: &Rows) -> Self {
        let kua = coalitions.kernel;
        let shapley = coalitions.shapley();
        let distances = |over: Over, shares: Row| {
            let shares = shares?;
            let distance = |method: Method| {
                let said = rows.shares(method, kua, over);
                let said = said.or_else(|| rows.shares(Method::Equal, kua, over))?;
                Some((method.name(), wbd(&said, &shares)?))
            };
            Some(Distances {
                distance: shown().into_iter().filter_map(distance).collect(),
                shares,
            })
        };
        // As in the shares over the co-runners, who saves misses has none.
        let mut misses: Vec<f64> = shapley.values.iter().map(|value| value.max(0.0)).collect();
        misses.insert(kua, coalitions.misses[0] as f64);
        let sum: f64 = misses.iter().sum();
        let of_all = (sum > 0.0).then(|| misses.iter().map(|part| part / sum).collect());
        Self {
            extra: coalitions.extra_of_all(),
            co_runners: distances(Over::CoRunners, shapley.shares()),
            kernels: distances(Over::Kernels, of_all),
            values: shapley.values,
        }
    }

    /// What is compared, if the workload is judged.
    pub fn judged(&self, over: Over) -> Option<&Distances> {
        let distances = match over {
            Over::CoRunners => &self.co_runners,
            Over::Kernels => &self.kernels,
        };
        distances.as_ref().filter(|_| self.extra >= FLOOR)
    }
}

/// What came of a workload.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Outcome {
    /// The seed that drew it.
    pub drawn_by: u64,
    /// As it was drawn.
    #[serde(flatten)]
    pub workload: Workload,
    /// What was counted.
    pub measured: Measured,
    /// With the same streams.
    pub streams: Truth,
    /// With the kernels run again; null if there is none.
    pub timed: Option<Truth>,
}

impl Outcome {
    /// Of a workload, from what was counted.
    pub fn new(drawn_by: u64, workload: &Workload, measured: Measured) -> Self {
        let truth = |coalitions: &Coalitions| Truth::new(coalitions, &measured.rows);
        Self {
            drawn_by,
            workload: workload.clone(),
            streams: truth(&measured.streams),
            timed: measured.timed.as_ref().map(truth),
            measured,
        }
    }

    /// The truth of one kind.
    pub fn truth(&self, by: By) -> Option<&Truth> {
        match by {
            By::Streams => Some(&self.streams),
            By::Timed => self.timed.as_ref(),
        }
    }

    /// Whether exact attribution of all sets has charged just what the coalitions of the same
    /// streams say, of each single miss and of all together, to the last sixth of a miss.
    pub fn line_level_is_exact(&self) -> bool {
        if self.measured.lines.differ > 0 {
            return false;
        }
        let rows = &self.measured.rows;
        let Coalitions { kernel, misses, .. } = &self.measured.streams;
        let mut parts: Vec<f64> = self.streams.values.clone();
        parts.insert(*kernel, misses[0] as f64);
        let parts = parts
            .iter()
            .map(|misses| (misses * rows.unit as f64).round() as u64);
        parts.eq(rows.exact.iter().copied())
    }
}

/// How coalitions are measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum By {
    /// The same streams, with some kernels left out.
    Streams,
    /// The kernels run again, without some of them.
    Timed,
}

/// A method among all, over the judged workloads.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Rank {
    /// Its name.
    pub method: String,
    /// Its distance.
    #[serde(flatten)]
    pub distance: Mean,
    /// Workloads in which it has counted nothing, and stands with equal shares.
    pub silent: usize,
    /// Workloads in which its largest share is that of a co-runner who costs most; null for equal
    /// shares, which name nobody.
    pub culprit: Option<usize>,
}

/// All methods by one kind of truth.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Judgement {
    /// How coalitions are measured.
    pub by: By,
    /// What is divided.
    pub over: Over,
    /// Workloads that are judged.
    pub workloads: usize,
    /// By method, in the order in which they are shown; empty without workloads.
    pub methods: Vec<Rank>,
    /// Every pair of [`METHODS`] once, and the hardware's with their golden models', by the place
    /// of a method in `methods`.
    pub pairs: Vec<Pair>,
}

impl Judgement {
    fn of(workloads: &[Outcome], by: By, over: Over) -> Self {
        let shown = shown();
        let judged = |outcome: &'_ Outcome| -> Option<Vec<f64>> {
            let Distances { distance, .. } = outcome.truth(by)?.judged(over)?;
            shown
                .iter()
                .map(|method| distance.get(&method.name()).copied())
                .collect()
        };
        let (judged, distances): (Vec<&Outcome>, Vec<Vec<f64>>) = workloads
            .iter()
            .filter_map(|outcome| Some((outcome, judged(outcome)?)))
            .unzip();
        let Compared { means, pairs } = compare(&distances, &pairs()).unwrap_or(Compared {
            means: vec![],
            pairs: vec![],
        });
        let rank = |(method, distance): (Method, Mean)| {
            let shares = |outcome: &&&Outcome| {
                let Measured { rows, streams, .. } = &outcome.measured;
                rows.shares(method, streams.kernel, over)
            };
            let names = |outcome: &&&Outcome| {
                let truth = outcome.truth(by).and_then(|truth| truth.judged(over));
                culprit(
                    shares(outcome).as_deref(),
                    truth.map(|truth| &truth.shares[..]),
                )
            };
            Rank {
                method: method.name(),
                distance,
                silent: judged
                    .iter()
                    .filter(|outcome| shares(outcome).is_none())
                    .count(),
                culprit: (method != Method::Equal)
                    .then(|| judged.iter().filter(|outcome| names(outcome)).count()),
            }
        };
        Self {
            by,
            over,
            workloads: judged.len(),
            methods: shown.iter().copied().zip(means).map(rank).collect(),
            pairs,
        }
    }

    /// A pair of methods, in either order; the lead is the first's.
    pub fn pair(&self, a: Method, b: Method) -> Option<Pair> {
        let wanted = [place(a)?, place(b)?];
        self.pairs.iter().find_map(|pair| {
            let [first, second] = pair.methods;
            if pair.methods == wanted {
                return Some(*pair);
            }
            ([second, first] == wanted).then(|| pair.exchanged())
        })
    }

    /// A method.
    pub fn rank(&self, method: Method) -> Option<&Rank> {
        self.methods
            .iter()
            .find(|rank| rank.method == method.name())
    }
}

/// The place of a method among those shown.
fn place(method: Method) -> Option<usize> {
    shown().iter().position(|its| *its == method)
}

/// The pairs that are compared.
fn pairs() -> Vec<[usize; 2]> {
    let among = all_pairs(METHODS.len()).map(|pair| pair.map(|method| METHODS[method]));
    let places = |[a, b]: [Method; 2]| Some([place(a)?, place(b)?]);
    among.chain(HARDWARE).filter_map(places).collect()
}

/// Whether the largest of a method's shares is that of a kernel with the largest true one.
fn culprit(shares: Option<&[f64]>, truth: Option<&[f64]>) -> bool {
    /// Shares are quotients of whole numbers far below 2^50, and rounded.
    const ROUNDED: f64 = 1e-12;
    let (Some(shares), Some(truth)) = (shares, truth) else {
        return false;
    };
    let most = |row: &[f64]| row.iter().copied().fold(0.0, f64::max);
    let (named, worst) = (most(shares), most(truth));
    let mut pairs = shares.iter().zip(truth);
    pairs.any(|(share, truth)| *share == named && *truth >= worst - ROUNDED)
}

/// Contention misses of one kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Contention {
    /// Co-runners in the smallest coalition that causes such a miss.
    pub needed: u32,
    /// Co-runners each of whom, left out alone, would have kept the line.
    pub indispensable: u32,
    /// How many there are.
    pub misses: u64,
}

impl Contention {
    fn of(workloads: &[Outcome]) -> Vec<Self> {
        let mut misses = BTreeMap::new();
        for outcome in workloads {
            let Measured { lines, streams, .. } = &outcome.measured;
            for (game, count) in lines.contention(streams.others.len()) {
                *misses.entry(game).or_default() += count;
            }
        }
        let kinds = misses.into_iter();
        kinds
            .map(|(game, misses)| Self {
                needed: game.needed,
                indispensable: game.indispensable,
                misses,
            })
            .collect()
    }
}

/// What the hardware of one [`Sampling`] did in all workloads.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Hardware {
    /// Cycles compared.
    pub cycles: u64,
    /// Workloads in which netlist and golden model differ.
    pub mismatches: usize,
    /// Accesses to sampled sets that were taken.
    pub taken: u64,
    /// Those that were dropped.
    pub dropped: u64,
    /// Workloads in which some were dropped.
    pub dropping: usize,
    /// The largest part that was dropped in a workload.
    pub most: f64,
    /// Workloads in which it counts just what the golden pass does of these sets.
    pub equal: usize,
}

impl Hardware {
    fn of(workloads: &[Outcome]) -> BTreeMap<Sampling, Self> {
        let mut all: BTreeMap<Sampling, Self> = BTreeMap::new();
        for outcome in workloads {
            let rows = &outcome.measured.rows;
            for (sampling, beside) in &outcome.measured.hardware {
                let sum = all.entry(*sampling).or_default();
                sum.cycles += beside.cycles;
                sum.mismatches += usize::from(beside.mismatch.is_some());
                sum.taken += beside.taken;
                sum.dropped += beside.dropped;
                sum.dropping += usize::from(beside.dropped > 0);
                let came = (beside.taken + beside.dropped).max(1);
                sum.most = sum.most.max(beside.dropped as f64 / came as f64);
                sum.equal +=
                    usize::from(rows.netlist.get(sampling) == rows.sampled.get(&sampling.sets));
            }
        }
        all
    }
}

/// What came of all workloads.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Standing {
    /// Workloads that came to their end.
    pub measured: usize,
    /// Of them, those in which exact attribution of all sets has charged just what the coalitions
    /// of the same streams say, of each single miss, to the last sixth.
    pub line_level_exact: usize,
    /// Contention misses of all KUAs, by who they depend on.
    pub contention: Vec<Contention>,
    /// The hardware beside.
    pub hardware: BTreeMap<Sampling, Hardware>,
    /// Workloads whose KUA does not make as many accesses without company.
    pub never_timed: usize,
    /// Extra misses from which on a workload is judged.
    pub floor: i64,
    /// Resamples of the bootstrap.
    pub resamples: usize,
    /// The bootstrap's seed.
    pub resampled_by: u64,
    /// Level of the intervals.
    pub level: f64,
    /// By both kinds of truth, over the co-runners and over all kernels.
    pub judgements: Vec<Judgement>,
}

impl Standing {
    /// Of these workloads.
    pub fn of(workloads: &[Outcome]) -> Self {
        let kinds = [By::Streams, By::Timed];
        let kinds = kinds.into_iter().flat_map(|by| {
            let over = [Over::CoRunners, Over::Kernels];
            over.map(|over| Judgement::of(workloads, by, over))
        });
        let count = |of: fn(&&Outcome) -> bool| workloads.iter().filter(of).count();
        Self {
            measured: workloads.len(),
            line_level_exact: count(|outcome| outcome.line_level_is_exact()),
            contention: Contention::of(workloads),
            hardware: Hardware::of(workloads),
            never_timed: count(|outcome| outcome.timed.is_none()),
            floor: FLOOR,
            resamples: crate::experiments::statistics::RESAMPLES,
            resampled_by: crate::experiments::statistics::SEED,
            level: crate::experiments::statistics::LEVEL,
            judgements: kinds.collect(),
        }
    }

    /// One judgement.
    pub fn judgement(&self, by: By, over: Over) -> Option<&Judgement> {
        let mut all = self.judgements.iter();
        all.find(|judgement| (judgement.by, judgement.over) == (by, over))
    }
}

#[cfg(test)]
mod tests {
    //! Rationale: a culprit may be one of several who cost the same; a workload below the floor, or
    //! a method without events, must not move the others; charges that are a sixth off are seen.
    use super::*;
    use crate::experiments::truth::{Beside, Lines};
    use cotenant_golden::workload::random::workloads;
    use cotenant_golden::ParamError;

    #[test]
    fn culprits() {
        let truth = Some(&[0.5, 0.5, 0.0][..]);
        assert!(culprit(Some(&[0.2, 0.7, 0.1]), truth));
        assert!(!culprit(Some(&[0.2, 0.3, 0.5]), truth));
        assert!(culprit(Some(&[0.4, 0.2, 0.4]), truth));
        assert!(!culprit(None, truth));
        assert!(!culprit(truth, None));
    }

    /// One co-runner costs three of four extra misses, beside 100 that the KUA has alone.
    fn outcome(scale: u64, gdc: [u64; 3], plob: [u64; 3]) -> Outcome {
        let misses = |present: u64| {
            Ok::<_, ParamError>(scale * (100 + (present >> 1 & 1) * 300 + (present >> 2) * 100))
        };
        let rows = Rows {
            gdc: gdc.to_vec(),
            plob: plob.to_vec(),
            sce: vec![0; 3],
            unit: 2,
            sampled: [8, 16, 32, 64]
                .map(|sets| (sets, vec![2, 6, 2]))
                .into_iter()
                .collect(),
            exact: [200, 600, 200].map(|parts| scale * parts).to_vec(),
            netlist: [8, 16, 32, 64]
                .map(|sets| (Sampling::of(sets), vec![2, 6, 2]))
                .into_iter()
                .collect(),
        };
        let measured = Measured {
            accesses: 1000 * scale,
            rows,
            streams: Coalitions::of(3, 0, misses).unwrap(),
            timed: None,
            lines: Lines {
                missed: [(0b1100, 6), (0b1111, 2)].into(),
                differ: 0,
            },
            hardware: [(Sampling::of(8), Beside::default())].into(),
        };
        Outcome::new(7, &workloads(7)[0], measured)
    }

    fn judge(outcomes: &[Outcome], over: Over) -> Judgement {
        Judgement::of(outcomes, By::Streams, over)
    }

    #[test]
    fn the_nearer_one_is_seen() {
        let one = [outcome(2, [0, 3, 1], [9, 0, 1])];
        let judged = judge(&one, Over::CoRunners);
        let mean = |method| judged.rank(method).unwrap().distance.mean;
        assert_eq!((mean(Method::Gdc), mean(Method::All)), (0.0, 0.0));
        assert_eq!(mean(Method::Plob), 1.125f64.sqrt());
        let pair = judged.pair(Method::Gdc, Method::Plob).unwrap();
        assert_eq!((pair.nearer, pair.lead.mean), ([1, 0], 1.125f64.sqrt()));
        let turned = judged.pair(Method::Plob, Method::Gdc).unwrap();
        assert_eq!((turned.nearer, turned.lead.mean), ([0, 1], -pair.lead.mean));
        // With itself: 100 of 500 misses are its own.
        let judged = judge(&one, Over::Kernels);
        let mean = |method| judged.rank(method).unwrap().distance.mean;
        assert!((mean(Method::All), mean(Method::Sampled(8))) == (0.0, 0.0));
        assert!((mean(Method::Gdc) - (0.04f64 + 0.0225 + 0.0025).sqrt()).abs() < 1e-12);
    }

    #[test]
    fn below_the_floor_nothing_is_judged_and_the_silent_stand_with_equal_shares() {
        let small = outcome(1, [0, 3, 1], [0, 3, 1]);
        assert!(small.streams.extra < FLOOR);
        let judged = judge(
            &[small.clone(), outcome(2, [1, 0, 0], [0, 1, 0])],
            Over::CoRunners,
        );
        assert_eq!(judged.workloads, 1);
        let rank = |method| judged.rank(method).unwrap();
        assert_eq!(
            (rank(Method::Gdc).silent, rank(Method::Plob).silent),
            (1, 0)
        );
        assert_eq!(rank(Method::Gdc).distance, rank(Method::Equal).distance);
        assert_eq!(
            (rank(Method::Equal).culprit, rank(Method::Plob).culprit),
            (None, Some(1))
        );
        assert_eq!(judge(&[small], Over::Kernels).methods, []);
    }

    #[test]
    fn a_sixth_too_much_is_seen() {
        let mut outcome = outcome(1, [0; 3], [0; 3]);
        assert!(outcome.line_level_is_exact());
        outcome.measured.rows.exact[1] += 1;
        assert!(!outcome.line_level_is_exact());
        outcome.measured.rows.exact[1] -= 1;
        outcome.measured.lines.differ = 1;
        assert!(!outcome.line_level_is_exact());
    }

    #[test]
    fn what_hardware_drops_and_where_it_differs_is_summed() {
        let mut outcomes = [outcome(1, [0; 3], [0; 3]), outcome(2, [0; 3], [0; 3])];
        let beside = Beside {
            taken: 30,
            dropped: 10,
            mismatch: Some("x".into()),
            ..Beside::default()
        };
        outcomes[1]
            .measured
            .hardware
            .insert(Sampling::of(8), beside);
        outcomes[1]
            .measured
            .rows
            .netlist
            .insert(Sampling::of(8), vec![1, 6, 2]);
        let standing = Standing::of(&outcomes);
        let found = &standing.hardware[&Sampling::of(8)];
        assert_eq!((found.mismatches, found.equal, found.dropping), (1, 1, 1));
        assert_eq!((found.taken, found.dropped, found.most), (30, 10, 0.25));
        let [kind] = standing.contention[..] else {
            panic!("one kind of contention misses")
        };
        assert_eq!((kind.needed, kind.indispensable, kind.misses), (1, 1, 12));
    }
}
