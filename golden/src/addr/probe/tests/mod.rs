//! Rationale: tables are drawn from a seed, with any change of basis between the module's functions
//! and those of banks and sets, few or many rows, and any number of ways; both algorithms must
//! find them, also when readings are wrong in either direction, and also from a part of the memory
//! that is no power of two. What is found goes to text and back. `broken` has memories that are
//! not as assumed: each must be refused.

mod broken;

use proptest::prelude::*;
use rand::{RngCore, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::*;
use crate::addr::mapping::{Field, Lists, Mapping, Table};
use crate::addr::memory::{Config, Memory, Noise};

/// Wrong readings in both directions, fewer than the settings allow for.
const NOISE: Noise = Noise {
    seed: 11,
    jitter: 20,
    slow_ppm: 20_000,
    slow_cycles: 300,
    fast_ppm: 20_000,
};

fn lists(functions: &[u64]) -> Lists {
    let bits = |it: &u64| (0..64).filter(|bit| it >> bit & 1 == 1).collect();
    functions.iter().map(bits).collect()
}

/// Independent functions of the bits from `low` to `high`, `first` being the first of them.
fn functions(
    random: &mut Pcg64Mcg,
    first: &[u64],
    count: usize,
    (low, high): (u32, u32),
) -> Vec<u64> {
    let mut all = first.to_vec();
    while all.len() < count {
        all.push(random.next_u64() >> (64 - high) >> low << low);
        if gf2::rank(&all) < all.len() {
            all.pop();
        }
    }
    all
}

/// Functions of the same span.
fn mixed(random: &mut Pcg64Mcg, functions: &[u64]) -> Vec<u64> {
    let mut mixed = vec![];
    while mixed.len() < functions.len() {
        let mask = random.next_u64();
        let chosen = functions
            .iter()
            .enumerate()
            .filter(|(place, _)| mask >> place & 1 == 1);
        mixed.push(chosen.fold(0, |sum, (_, it)| sum ^ it));
        if gf2::rank(&mixed) < mixed.len() {
            mixed.pop();
        }
    }
    mixed
}

/// A memory drawn from a seed: 2 to 4 modules, 8 to 32 banks, 32 to 128 sets of 2 to 8 ways.
fn drawn(seed: u64, noise: Noise) -> (Mapping, Config) {
    let mut random = Pcg64Mcg::seed_from_u64(seed);
    let mut number =
        |least: u64, most: u64| (least + random.next_u64() % (most - least + 1)) as usize;
    let (width, line) = (number(20, 34) as u32, number(6, 8) as u32);
    let (modules, banks, sets) = (number(1, 2), number(3, 5), number(5, 7));
    let (ways, rows) = (number(2, 8), number(2, 9));
    let module = functions(&mut random, &[], modules, (line, width));
    let bank = functions(&mut random, &module, banks, (line, width));
    let set = functions(&mut random, &module, sets, (line, width));
    let common = gf2::intersection(&bank, &set).len();
    let row = functions(&mut random, &[], rows, (0, width));
    let mapping = Mapping::new(Table {
        name: "drawn".into(),
        title: format!("seed {seed}"),
        width,
        line: 1 << line,
        sector: 32,
        page: 4096,
        modules: 1 << common,
        banks: 1 << banks,
        sets: 1 << sets,
        bijective: vec![],
        module: None,
        bank: lists(&mixed(&mut random, &bank)),
        set: lists(&mixed(&mut random, &set)),
        row: Some(lists(&row)),
        column: None,
        tag: None,
    });
    let config = Config {
        ways,
        noise,
        ..Config::named("gtx1080").unwrap()
    };
    (mapping.unwrap(), config)
}

fn recovered(seed: u64, noise: Noise) -> Result<(), TestCaseError> {
    let (mapping, config) = drawn(seed, noise);
    let mut memory = Memory::new(&config, &mapping, 0..1 << mapping.table().width).unwrap();
    let settings = Settings {
        seed,
        ..Settings::default()
    };
    let report = probe(&mut memory, &settings, &mut |_| {}).unwrap();
    prop_assert!(report.compare(&mapping).equal(), "{:?}", report);
    prop_assert_eq!(report.ways, config.ways);
    prop_assert!(report.error() < 4.0 * settings.error, "{}", report.error());
    // All bits from the step on, and so the functions themselves.
    let span = gf2::same_span(&report.module(), mapping.functions(Field::Module));
    prop_assert!(span);
    let found = report.mapping("found", "by its access times").unwrap();
    let again = Mapping::from_toml(&found.to_toml()).unwrap();
    prop_assert_eq!(&found, &again);
    prop_assert!(report.compare(&again).equal());
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 0, ..ProptestConfig::with_cases(12) })]

    #[test]
    fn drawn_mappings_are_recovered(seed: u64) {
        recovered(seed, Noise::default())?;
    }

    #[test]
    fn drawn_mappings_are_recovered_with_noise(seed: u64) {
        recovered(seed, Noise { seed, ..NOISE })?;
    }
}

#[test]
fn gtx1080_is_recovered() {
    let gtx = Mapping::named("gtx1080").unwrap();
    let mut memory = Memory::of(&Config::named("gtx1080").unwrap()).unwrap();
    let mut told: Vec<Progress> = vec![];
    let report = probe(&mut memory, &Settings::default(), &mut |it| told.push(*it)).unwrap();
    assert!(report.compare(&gtx).equal());
    assert_eq!((report.ways, report.module().len()), (16, 3));
    // Figure 4: the threshold that the paper names.
    assert!(
        (548.0..556.0).contains(&report.bank.threshold),
        "{}",
        report.bank.threshold
    );
    // Bits 5 to 32, of which 7 and 10 functions are found.
    assert_eq!(report.bank.observable, (1 << 33) - 32);
    let rank = |step| {
        told.iter()
            .filter(|it| it.step == step)
            .map(|it| it.rank)
            .max()
    };
    assert_eq!(rank(Step::Pairs), Some(28 - 7));
    let steps = [Step::Threshold, Step::EvictionSet, Step::Pairs, Step::Check];
    assert!(steps
        .iter()
        .all(|step| told.iter().any(|it| it.step == *step)));
    let found = report.mapping("found", "GTX 1080").unwrap();
    assert_eq!((found.table().line, found.table().sector), (128, 32));
    assert_eq!(found.colours(4096), gtx.colours(4096));
    let costs = [report.bank.cost, report.set.cost].map(|cost| cost.accesses);
    assert!(costs[0] < 50_000 && costs[1] < 10_000_000, "{costs:?}");
    // With wrong readings, too.
    let noisy = Config {
        noise: NOISE,
        ..Config::named("gtx1080").unwrap()
    };
    let mut memory = Memory::of(&noisy).unwrap();
    let report = probe(&mut memory, &Settings::default(), &mut |_| {}).unwrap();
    assert!(report.compare(&gtx).equal());
}

#[test]
fn v100_is_recovered() {
    // No function of the module is one of the bank. Rows are not known; any will do.
    let mut table = Mapping::named("v100").unwrap().table().clone();
    table.row = Some((18..34).map(|bit| vec![bit]).collect());
    let v100 = Mapping::new(table).unwrap();
    let config = Config::named("gtx1080").unwrap();
    let mut memory = Memory::new(&config, &v100, 0..1 << 34).unwrap();
    let report = probe(&mut memory, &Settings::default(), &mut |_| {}).unwrap();
    assert!(report.compare(&v100).equal());
    let module = v100.functions(Field::Module);
    assert!(gf2::same_span(&report.module(), module));
    let found = report.mapping("found", "V100").unwrap();
    assert_eq!(found.colours(4096), v100.colours(4096));
}

#[test]
fn a_part_of_the_memory_shows_a_part_of_the_bits() {
    let gtx = Mapping::named("gtx1080").unwrap();
    // 304 MB from an odd place on: bits up to 27, and 28, since the middle is a multiple of it.
    let range = 0x0c00_1000..0x1f00_3000;
    let config = Config::named("gtx1080").unwrap();
    let mut memory = Memory::new(&config, &gtx, range.clone()).unwrap();
    let settings = Settings {
        step: 256,
        ..Settings::default()
    };
    let report = probe(&mut memory, &settings, &mut |_| {}).unwrap();
    assert_eq!(report.bank.observable, (1 << 29) - 256);
    let same = report.compare(&gtx);
    assert!(same.bank && same.set && same.module, "{same:?}");
    // Function 3 of sets uses bit 7 as well, which is below the step.
    let set = gtx.functions(Field::Set);
    assert!(!gf2::same_span(&report.set.functions, set));
    assert!(report.set.agrees(set));
    assert!(!report.set.agrees(&set[1..]));
}

#[test]
fn more_noise_than_stated_is_seen() {
    let (mapping, config) = drawn(
        4,
        Noise {
            slow_ppm: 200_000,
            fast_ppm: 200_000,
            ..NOISE
        },
    );
    let mut memory = Memory::new(&config, &mapping, 0..1 << mapping.table().width).unwrap();
    let error = banks(&mut memory, &Settings::default(), &mut |_| {}).unwrap_err();
    assert!(matches!(error, ProbeError::TooNoisy { .. }), "{error}");
    // It is found when the noise is stated.
    let settings = Settings {
        flips: 0.25,
        ..Settings::default()
    };
    let found = banks(&mut memory, &settings, &mut |_| {}).unwrap();
    assert!(found.agrees(mapping.functions(Field::Bank)));
    assert!(
        (0.05..0.25).contains(&found.contradictions),
        "{}",
        found.contradictions
    );
}

#[test]
fn settings_are_checked() {
    let (mapping, config) = drawn(4, Noise::default());
    let usual = Settings::default();
    for (settings, expected) in [
        (
            Settings { step: 48, ..usual },
            "step is 48, expected a power of two",
        ),
        (
            Settings {
                flips: 0.5,
                ..usual
            },
            "flips is 0.5, expected 0 to less than 0.4",
        ),
        (
            Settings {
                error: 0.0,
                ..usual
            },
            "error is 0, expected more than 0 and less than 1",
        ),
        (
            Settings {
                primaries: 0,
                ..usual
            },
            "primaries is 0, expected 1 or more",
        ),
    ] {
        let mut memory = Memory::new(&config, &mapping, 0..1 << 20).unwrap();
        let error = probe(&mut memory, &settings, &mut |_| {}).unwrap_err();
        assert_eq!(error.to_string(), expected);
    }
    let mut memory = Memory::new(&config, &mapping, 4..60).unwrap();
    let error = probe(&mut memory, &usual, &mut |_| {}).unwrap_err();
    assert_eq!(
        error.to_string(),
        "an allocation of 56 bytes, expected two steps of 32 bytes or more"
    );
}
