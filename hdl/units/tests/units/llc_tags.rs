//! The tags of a bank, alone.
//!
//! Rationale: a tag that is written as it is read, as it is compared, or both, counts as it is
//! after that. Two sets, three ways and tags of two bits make all of them frequent, and the writes
//! are any, also such as the directory never makes. The model is the tags as an array.

use crate::bench::Bench;
use cotenant_units::llc::LlcTags;
use proptest::prelude::Rng;
use proptest::test_runner::{RngAlgorithm, TestRng};

const WAYS: usize = 3;

/// A request: whether it is an access, set and tag.
type Request = (bool, usize, u64);

fn matches(tags: &[[u64; WAYS]; 2], (access, set, tag): Request) -> u64 {
    let ways = tags[set].iter().enumerate();
    ways.map(|(way, &of_way)| u64::from(access && of_way == tag) << way)
        .sum()
}

/// Plays any requests and writes to tags whose RAMs have so many registers behind them.
fn play(mut bench: Bench, ram_stages: usize) {
    let mut rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let mut tags = [[0; WAYS]; 2];
    // Those whose tags have been read, the youngest first; the last one is compared.
    let mut read: Vec<Request> = vec![(false, 0, 0); 1 + ram_stages];
    let mut expected = 0;
    // How often way 0 of a request's set was written in some of the cycles from its reading to its
    // comparison: a bit per cycle, the last one lowest.
    let mut seen = vec![0; 4 << ram_stages];
    let mut written = vec![0usize; 1 + ram_stages];
    for cycle in 0..8000 {
        let mut bits = |count: u32| u64::from(rng.next_u32() % (1 << count));
        let request: Request = (bits(2) > 0, bits(1) as usize, bits(2));
        let (ways, set, tag) = (bits(3), bits(1) as usize, bits(2));
        let reset = bits(6) == 0;
        let compared = read[ram_stages];
        let (access, compare_set, compare_tag) = compared;
        let mut inputs = vec![
            ("reset", reset.into()),
            ("request_set", request.1 as u128),
            ("compare_access", access.into()),
            ("compare_set", compare_set as u128),
            ("compare_tag", compare_tag.into()),
            ("write_ways", ways.into()),
            ("write_set", set as u128),
            ("write_tag", tag.into()),
        ];
        if ram_stages > 0 {
            inputs.push(("read_set[0]", read[0].1 as u128));
        }
        let out = bench.cycle(&inputs);
        assert_eq!(out.get("matched"), expected, "cycle {cycle}");
        for (way, of_way) in tags[set].iter_mut().enumerate() {
            if ways >> way & 1 == 1 {
                *of_way = tag;
            }
        }
        expected = matches(&tags, compared);
        let now = |of_set: usize| usize::from(set == of_set && ways & 1 == 1);
        for (written, (_, set, _)) in written.iter_mut().zip(&read) {
            *written = 2 * *written + now(*set);
        }
        seen[written[ram_stages]] += 1;
        written.rotate_right(1);
        written[0] = now(request.1);
        read.rotate_right(1);
        read[0] = request;
        if reset {
            expected = 0;
            // What is forwarded is forgotten, and with it the requests.
            read.iter_mut().for_each(|read| read.0 = false);
            written.fill(0);
        }
    }
    assert!(seen.iter().all(|&times| times > 50), "{seen:?}");
}

#[test]
fn a_tag_counts_as_it_is_after_its_comparison() {
    play(Bench::new::<LlcTags!(WAYS, 2, 2)>(), 0);
}

#[test]
fn also_with_registers_behind_the_rams() {
    play(Bench::new::<LlcTags!(WAYS, 2, 2, 1)>(), 1);
}
