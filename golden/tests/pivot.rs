//! What `pivot` charges over many contention misses, against the exact index of each of them.
//!
//! Rationale: an order drawn for each miss gives each co-runner its index on average, and how far a
//! count may be from the sum of the indices follows from the indices: a co-runner that is charged
//! with chance p has variance p (1 - p). Counts are held to that, one by one, in the mean of their
//! squares, and added up over all workloads, where a bias would show. The same is refuted of orders
//! that are not drawn, or not well. `cargo test -p cotenant-golden --test all pivot:: -- --nocapture`
//! prints the distances that docs/attribution.md has.

use cotenant_golden::llc::exact::{shapley_shubik, MAX_KERNELS};
use cotenant_golden::llc::pivot::{keys, kind, order, pivot, Kind, SEED};
use cotenant_golden::metrics::wbd;
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;

const WAYS: u8 = 16;

/// Different contention misses of a workload.
const GAMES: usize = 128;

/// Bounds are so many standard deviations: beyond them is one of 1.7 million normal numbers.
const DEVIATIONS: f64 = 5.0;

/// One victim's contention misses, and who was charged.
struct Charges {
    /// By kernel, how many misses it was charged, the sum of its indices, and the variance.
    counted: Vec<f64>,
    expected: Vec<f64>,
    variance: Vec<f64>,
}

impl Charges {
    fn misses(&self) -> f64 {
        self.counted.iter().sum()
    }

    /// The distance of the shares, and the root of its mean square by the variances.
    fn distance(&self) -> (f64, f64) {
        let share = |counts: &[f64]| -> Vec<f64> {
            counts.iter().map(|count| count / self.misses()).collect()
        };
        let distance = wbd(&share(&self.counted), &share(&self.expected)).unwrap();
        let variance: f64 = self.variance.iter().sum();
        (distance, variance.sqrt() / self.misses())
    }

    fn difference(&self, kernel: usize) -> f64 {
        self.counted[kernel] - self.expected[kernel]
    }
}

/// A contention miss: lines of all kernels above the line, and each one's index.
struct Game {
    above: Vec<u8>,
    index: Vec<f64>,
}

/// One of a victim beside co-runners that have up to so many lines each.
fn game(victim: usize, most: &[u8], random: &mut Pcg64Mcg) -> Game {
    loop {
        let mut lines = |&most: &u8| random.random_range(0..=most);
        let above: Vec<u8> = most.iter().map(&mut lines).collect();
        if kind(WAYS.into(), victim, true, &above) != Kind::Contention {
            continue;
        }
        let mut others = above.clone();
        let quota = WAYS - others.remove(victim);
        let mut orders = vec![0; others.len()];
        shapley_shubik(&others, quota, &mut orders);
        orders.insert(victim, 0);
        let whole: u64 = orders.iter().sum();
        let index = orders.iter().map(|&part| part as f64 / whole as f64);
        return Game {
            index: index.collect(),
            above,
        };
    }
}

/// A workload: a victim and what its co-runners bring are drawn first, then what its misses are, and
/// `order` draws who joins when.
fn charge(
    kernels: usize,
    misses: usize,
    random: &mut Pcg64Mcg,
    mut order: impl FnMut() -> Vec<usize>,
) -> Charges {
    let victim = random.random_range(0..kernels);
    let most = loop {
        let mut most: Vec<u8> = (0..kernels)
            .map(|_| random.random_range(1..=WAYS))
            .collect();
        most[victim] = 0;
        // All co-runners together can bring the ways.
        if most.iter().map(|&most| u32::from(most)).sum::<u32>() >= WAYS.into() {
            most[victim] = WAYS / 2;
            break most;
        }
    };
    let games: Vec<Game> = (0..GAMES).map(|_| game(victim, &most, random)).collect();
    let zeros = || vec![0.0; kernels];
    let mut charges = Charges {
        counted: zeros(),
        expected: zeros(),
        variance: zeros(),
    };
    for _ in 0..misses {
        let Game { above, index } = &games[random.random_range(0..GAMES)];
        for (kernel, chance) in index.iter().enumerate() {
            charges.expected[kernel] += chance;
            charges.variance[kernel] += chance * (1.0 - chance);
        }
        let (kernel, _) = pivot(WAYS.into(), victim, above, &order()).unwrap();
        charges.counted[kernel] += 1.0;
    }
    charges
}

/// So many workloads, each with the orders that follow those of the one before.
fn workloads(
    kernels: usize,
    number: usize,
    misses: usize,
    mut order: impl FnMut() -> Vec<usize>,
) -> Vec<Charges> {
    let mut random = Pcg64Mcg::seed_from_u64(kernels as u64);
    let workload = |_| charge(kernels, misses, &mut random, &mut order);
    (0..number).map(workload).collect()
}

/// What is wrong with the counts, if they are not those of orders that are all as likely and do not
/// depend on each other.
fn refuted(all: &[Charges]) -> Option<&'static str> {
    let kernels = all[0].counted.len();
    let number = all.len() as f64;
    let mut squares = 0.0;
    for charges in all {
        let mut square = 0.0;
        let mut free = 0.0;
        for kernel in 0..kernels {
            let (difference, variance) = (charges.difference(kernel), charges.variance[kernel]);
            if difference.abs() > DEVIATIONS * variance.sqrt() {
                return Some("one count");
            }
            if variance > 0.0 {
                square += difference * difference / variance;
                free += 1.0;
            }
        }
        squares += square / f64::max(free, 1.0);
    }
    // A square of a standard normal number has mean 1 and variance 2; those of one workload depend
    // on each other, so that their mean may vary as much as one.
    let beyond = squares / number - 1.0;
    if beyond.abs() > DEVIATIONS * (2.0 / number).sqrt() {
        return Some("the mean of the squares");
    }
    for kernel in 0..kernels {
        let difference: f64 = all.iter().map(|charges| charges.difference(kernel)).sum();
        let variance: f64 = all.iter().map(|charges| charges.variance[kernel]).sum();
        if difference.abs() > DEVIATIONS * variance.sqrt() {
            return Some("the sum of a kernel's counts");
        }
    }
    None
}

#[test]
fn charges_come_to_the_exact_index() {
    println!("kernels, contention misses, mean distance, and what it is expected to be below");
    for kernels in [3, 4, 8, MAX_KERNELS] {
        for (number, misses) in [(1_000, 500), (256, 4_000), (32, 64_000)] {
            let mut lfsr = SEED;
            let all = workloads(kernels, number, misses, || order(&mut lfsr, kernels));
            assert_eq!(refuted(&all), None, "{kernels} kernels, {misses} misses");
            // The mean of a distance is at most the root of its mean square, and so is its standard
            // deviation.
            let mut mean = 0.0;
            let (mut expected, mut variance) = (0.0, 0.0);
            for (distance, root) in all.iter().map(Charges::distance) {
                mean += distance / number as f64;
                expected += root / number as f64;
                variance += (root / number as f64).powi(2);
            }
            println!("{kernels:2} {misses:6} {mean:.4} {expected:.4}");
            assert!(mean < expected + DEVIATIONS * variance.sqrt());
        }
    }
}

#[test]
fn the_only_co_runner_is_charged_for_all() {
    let mut lfsr = SEED;
    for charges in workloads(2, 8, 1000, || order(&mut lfsr, 2)) {
        assert_eq!(charges.counted, charges.expected);
    }
}

#[test]
fn orders_that_are_not_drawn_well_are_refuted() {
    let found = |kernels: usize, next: &mut dyn FnMut() -> Vec<usize>| {
        refuted(&workloads(kernels, 1_000, 500, next))
    };
    for kernels in [3, 4, 8] {
        let sorted = |key: &dyn Fn(usize) -> u8| {
            let mut order: Vec<usize> = (0..kernels).collect();
            order.sort_by_key(|&kernel| key(kernel));
            order
        };
        let mut by_kid = || (0..kernels).collect();
        assert!(found(kernels, &mut by_kid).is_some(), "the order of KIDs");
        let mut the_same = || order(&mut SEED.clone(), kernels);
        assert!(found(kernels, &mut the_same).is_some(), "always one order");
        let mut lfsr = SEED;
        let mut two_bits = || {
            let keys = keys(&mut lfsr, kernels);
            sorted(&|kernel| keys[kernel].0 >> 5)
        };
        assert!(found(kernels, &mut two_bits).is_some(), "two bits, no mask");
        let mut lfsr = SEED;
        let mut turn = || {
            let first = keys(&mut lfsr, kernels)[0].0;
            sorted(&|kernel| ((kernel + usize::from(first)) % kernels) as u8)
        };
        let wrong = found(kernels, &mut turn);
        // With two co-runners a turn is an order like any other but for the victim's place.
        assert!(wrong.is_some() || kernels == 3, "turned only");
    }
}

/// Keys of seven bits for eight kernels, where those four apart depend on each other: a bias that
/// takes 64,000 misses to be seen.
#[test]
fn keys_that_depend_on_each_other_are_refuted() {
    let kernels = 8;
    let mut lfsr = SEED;
    let mut number = |bits: u32| {
        (0..bits).fold(0, |number, n| {
            let (leaves, enters) = (lfsr >> 30 & 1, (lfsr >> 30 ^ lfsr >> 27) & 1);
            lfsr = (lfsr << 1 | enters) & 0x7fff_ffff;
            number | leaves << n
        })
    };
    let mut seven_bits = || {
        let keys: Vec<u32> = (0..kernels).map(|_| number(7)).collect();
        let mask = number(3);
        let mut order: Vec<usize> = (0..kernels).collect();
        order.sort_by_key(|&kernel| (keys[kernel], kernel as u32 ^ mask));
        order
    };
    assert!(refuted(&workloads(kernels, 32, 64_000, &mut seven_bits)).is_some());
}
