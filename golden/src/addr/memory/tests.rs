//! Rationale: times are summed by hand for each way a read can go (hit, miss, missing sector of a
//! present line, pair in one row, in two banks, in one bank); LRU is compared with its definition;
//! the path of a lone read and that of competing ones must agree; the five cases of figure 8 have
//! the order that the paper reports, with their knee at the number of MSHRs.
use proptest::prelude::*;

use super::*;
use crate::addr::gf2;

fn quiet() -> Config {
    let noise = Noise::default();
    Config {
        noise,
        ..Config::named("gtx1080").unwrap()
    }
}

fn gtx() -> (Mapping, Memory) {
    let memory = Memory::of(&quiet()).unwrap();
    (Mapping::named("gtx1080").unwrap(), memory)
}

/// Differences of lines that change no value of the functions.
fn same(mapping: &Mapping, fields: &[Field]) -> Vec<u64> {
    let functions: Vec<u64> = fields
        .iter()
        .flat_map(|it| mapping.functions(*it).to_vec())
        .collect();
    gf2::kernel(&functions, (1 << 33) - 128)
}

#[test]
fn lone_reads_by_hand() {
    let (_, mut memory) = gtx();
    // Of the memory 19, 62 and 1 cycles, 1251 of them for 1607 of the GPU, begun ones included.
    let cycles = [19, 62, 1].map(|it| quiet().gpu_cycles(it));
    assert_eq!(cycles, [25, 80, 2]);
    let miss = 216 + 201 + 25 + 25 + 25 + 2;
    assert_eq!(memory.read(0), miss);
    assert_eq!(memory.read(0), 216);
    assert_eq!(memory.read(31), 216, "the same sector");
    // Another sector is another access, to the open row.
    assert_eq!(memory.read(32), 216 + 201 + 25 + 2);
    assert_eq!(memory.read(0), 216);
    memory.clear();
    assert_eq!(memory.read(0), miss);
}

#[test]
fn pairs_have_two_modes() {
    let (mapping, mut memory) = gtx();
    let alone = memory.read(0);
    // In another module: as alone, a cycle later.
    assert_eq!(memory.read_pair(0, 1 << 10), alone + 1);
    // In one bank and row, and one sector twice.
    assert_eq!(
        memory.read_pair(0, 64),
        alone + 2,
        "after the first one's burst"
    );
    assert_eq!(
        memory.read_pair(0, 0),
        alone,
        "the second waits for the first one's"
    );
    for other in same(&mapping, &[Field::Bank]) {
        let row = mapping.map(other).row.unwrap();
        let time = memory.read_pair(0, other);
        match row {
            0 => assert!(time <= 520, "{other:#x}: {time}"),
            // The first row's time, then precharge and activation of the second.
            _ => assert_eq!(time, alone + 80 + 25),
        }
    }
}

#[test]
fn an_open_row_goes_before_an_older_request() {
    let (mapping, _) = gtx();
    let other_row = same(&mapping, &[Field::Bank]).into_iter().max().unwrap();
    // To the row that the first opens, and to another one a cycle earlier.
    let addresses = [(0, 0), (other_row, 1), (64, 2)];
    let end = |thread| {
        let (_, mut memory) = gtx();
        let threads = addresses.map(|(address, start)| Thread {
            addresses: vec![address],
            start,
            reads: 1,
        });
        memory.run(&threads, Some(thread))
    };
    let (_, mut memory) = gtx();
    let alone = memory.read(0);
    assert_eq!([0, 1, 2].map(end), [alone, alone + 80 + 25, alone + 2]);
}

#[test]
fn preset_has_the_times_of_figure_4() {
    let mut memory = Memory::of(&Config::named("gtx1080").unwrap()).unwrap();
    let (mut typical, mut slow, mut sum) = (0, 0, 0);
    for pair in 0..4000u64 {
        let address = |it: u64| it.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 31;
        let time = memory.read_pair(address(2 * pair), address(2 * pair + 1));
        typical += u64::from((495..=520).contains(&time));
        slow += u64::from(time > 552);
        sum += time;
    }
    // One in 128 is in the bank of the other.
    assert!((15..60).contains(&slow), "{slow}");
    assert!(typical + slow >= 3950, "{typical} {slow}");
    let threshold = 1.1 * sum as f64 / 4000.0;
    assert!((545.0..560.0).contains(&threshold), "{threshold}");
}

#[test]
fn noise_is_what_it_says() {
    let noisy = Noise {
        seed: 5,
        jitter: 7,
        slow_ppm: 200_000,
        slow_cycles: 100,
        fast_ppm: 300_000,
    };
    let config = Config {
        noise: noisy,
        ..quiet()
    };
    let (mapping, mut plain) = gtx();
    let mut memory = Memory::of(&config).unwrap();
    let other = 1 << 18 | 1 << 19;
    let conflict = same(&mapping, &[Field::Bank])[3];
    let (apart, near) = (plain.read_pair(0, other), plain.read_pair(0, conflict));
    let times: Vec<u64> = (0..2000).map(|_| memory.read_pair(0, conflict)).collect();
    let fast = times.iter().filter(|time| **time < near).count();
    let slow = times.iter().filter(|time| **time > near + 7).count();
    assert!((400..700).contains(&fast), "{fast}");
    assert!((200..340).contains(&slow), "{slow}");
    assert!(times
        .iter()
        .all(|time| (apart - 2..=near + 107).contains(time)));
    let again: Vec<u64> = {
        let mut memory = Memory::of(&config).unwrap();
        (0..2000).map(|_| memory.read_pair(0, conflict)).collect()
    };
    assert_eq!(times, again);
}

#[test]
fn seventeen_lines_evict_the_first() {
    let (mapping, mut memory) = gtx();
    let same = same(&mapping, &[Field::Set]);
    let lines: Vec<u64> = same.iter().chain(&[same[0] ^ same[1]]).copied().collect();
    for (count, hit) in [(15, true), (16, false), (17, false)] {
        memory.clear();
        memory.read(0);
        memory.chase(&lines[..count]);
        assert_eq!(memory.read(0) == 216, hit, "{count}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn cache_is_lru(ways in 1usize..5, reads in proptest::collection::vec((0u64..8, 0u32..2), 1..60)) {
        let mut cache = Cache::new(1, ways);
        let mut by_age: Vec<(u64, Vec<u32>)> = vec![];
        for (tag, sector) in reads {
            let old = by_age.iter().position(|line| line.0 == tag).map(|at| by_age.remove(at));
            let mut line = old.unwrap_or((tag, vec![]));
            let hit = line.1.contains(&sector);
            prop_assert_eq!(cache.read(0, tag, sector), hit);
            if !hit {
                cache.fill(0, tag, sector);
                line.1.push(sector);
            }
            by_age.push(line);
            if by_age.len() > ways {
                by_age.remove(0);
            }
        }
    }

    #[test]
    fn places_are_those_of_the_mapping(address in 0u64..1 << 33) {
        let (mapping, memory) = gtx();
        let (place, there) = (memory.map.place(address), mapping.map(address));
        prop_assert_eq!(place.set as u64, there.set);
        prop_assert_eq!(place.bank as u64, there.bank);
        prop_assert_eq!(place.module as u64, there.module);
        prop_assert_eq!(Some(place.row), there.row);
        prop_assert_eq!(place.line << 7 | u64::from(place.sector) << 5, address >> 5 << 5);
    }

    #[test]
    fn lone_reads_are_as_competing_ones(addresses in proptest::collection::vec(0u64..1 << 12, 1..40), high in 0u32..22) {
        let (_, mut one) = gtx();
        let (_, mut other) = gtx();
        let addresses: Vec<u64> = addresses.iter().map(|it| it << high).collect();
        one.clear();
        let times: u64 = addresses.iter().map(|it| one.read(*it)).sum();
        let reads = addresses.len() as u64;
        other.clear();
        prop_assert_eq!(other.contend(&[addresses], reads), times as f64 / reads as f64);
    }
}

/// Cycles of a read of the first of so many threads, the others at a distance from it.
fn figure_8(threads: u64, distance: u64) -> f64 {
    let (mapping, mut memory) = gtx();
    // Lines in one set and one bank, as many for each thread as a set does not hold.
    let same = same(&mapping, &[Field::Set, Field::Bank]);
    let line = |number: u64| {
        same.iter()
            .enumerate()
            .fold(0, |sum, (bit, it)| sum ^ ((number >> bit & 1) * it))
    };
    let thread = |number: u64| {
        let at = if number == 0 { 0 } else { distance };
        (0..20)
            .map(|place| at ^ line(20 * number + place))
            .collect()
    };
    memory.contend(&(0..threads).map(thread).collect::<Vec<_>>(), 200)
}

#[test]
fn five_cases_of_figure_8() {
    let (mapping, _) = gtx();
    // The lowest difference that changes what it should and keeps what it should.
    let apart = |change: &[Field], keep: &[Field]| {
        let keep = same(&mapping, keep);
        let changed = |it: &u64, field| gf2::apply(mapping.functions(field), *it) != 0;
        let found = keep
            .into_iter()
            .find(|it| change.iter().all(|field| changed(it, *field)));
        found.unwrap()
    };
    let dcsb = apart(&[Field::Set], &[Field::Bank]);
    let scdb = apart(&[Field::Bank], &[Field::Set]);
    let dcdb = apart(&[Field::Set, Field::Bank], &[Field::Module]);
    let dm = apart(&[Field::Module], &[]);
    let alone = figure_8(1, 0);
    let slowdown = |distance| figure_8(50, distance) / alone;
    assert!(slowdown(0) > 10.0, "{}", slowdown(0));
    assert!(slowdown(dcsb) > 0.8 * slowdown(0), "{}", slowdown(dcsb));
    assert!((slowdown(dm) - 1.0).abs() < 0.01, "{}", slowdown(dm));
    // The others fill a bank of their own, and all MSHRs of the module.
    for other in [scdb, dcdb] {
        assert!(
            (1.5..slowdown(0)).contains(&slowdown(other)),
            "{}",
            slowdown(other)
        );
        assert!(figure_8(15, other) < 1.05 * alone);
        assert!(figure_8(20, other) > 1.2 * alone);
    }
}

#[test]
fn rows_of_a_memory_are_for_mappings_without() {
    let text = include_str!("../../../memories/v100.toml");
    let rows = |rows| Config::from_toml(&text.replacen("[19, 33]", rows, 1));
    let v100 = rows("[19, 33]").unwrap();
    assert_eq!(v100.named_mapping().unwrap().map(1 << 19).row, Some(1));
    let mut memory = Memory::of(&Config {
        noise: Noise::default(),
        ..v100
    })
    .unwrap();
    assert_eq!((memory.read(0), memory.read(0)), (374, 193));
    let error = rows("[33, 19]").unwrap_err().to_string();
    assert_eq!(error, "memory \"v100\": rows[1] is 19, expected 33 to 63");
    let beyond = rows("[19, 34]").unwrap().named_mapping().unwrap_err();
    let error = beyond.to_string();
    assert!(
        error.starts_with("memory \"v100\": rows: functions.row"),
        "{error}"
    );
    // GTX 1080 has rows of its own, which stay.
    let gtx = Config {
        rows: Some([20, 32]),
        ..quiet()
    };
    assert_eq!(
        gtx.named_mapping().unwrap(),
        quiet().named_mapping().unwrap()
    );
}

#[test]
fn errors_name_what_is_wrong() {
    let text = include_str!("../../../memories/gtx1080.toml");
    let broken = |from: &str, to: &str| {
        assert!(text.contains(from));
        Config::from_toml(&text.replacen(from, to, 1))
            .unwrap_err()
            .to_string()
    };
    assert_eq!(
        broken("ways = 16", "ways = 0"),
        "memory \"gtx1080\": ways is 0, expected 1 to 64"
    );
    assert!(broken("mshrs = 16", "mshr = 16").contains("mshr"));
    assert!(broken("jitter = 20", "jitter = -1").contains("line"));
    let error = Config::named("gtx").unwrap_err().to_string();
    assert_eq!(error, "no memory \"gtx\", expected one of: gtx1080, v100");
    for name in names() {
        let config = Config::named(name).unwrap();
        assert_eq!(config.name, name);
        assert_eq!(
            Config::from_toml(&toml::to_string(&config).unwrap()).unwrap(),
            config
        );
    }
    let (mapping, _) = gtx();
    let mut table = mapping.table().clone();
    let beyond = Memory::new(&quiet(), &mapping, 0..(1 << 33) + 1)
        .unwrap_err()
        .to_string();
    assert!(
        beyond.contains("0x200000001, expected a range within 0x0 to 0x200000000"),
        "{beyond}"
    );
    table.row = None;
    table.bijective.clear();
    let without = Mapping::new(table).unwrap();
    let error = Memory::new(&quiet(), &without, 0..4096)
        .unwrap_err()
        .to_string();
    assert!(error.contains("has no functions.row"), "{error}");
}
