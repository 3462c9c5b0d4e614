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

#[test]
fn a_tag_counts_as_it_is_after_its_comparison() {
    let mut rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let mut bench = Bench::new::<LlcTags!(WAYS, 2, 2)>();
    let mut tags = [[0; WAYS]; 2];
    let mut before: Request = (false, 0, 0);
    let mut expected = 0;
    // What has been written of the set of a request: as it was read, as it was compared.
    let mut seen = [[0; 2]; 2];
    let mut written_before = 0;
    for cycle in 0..4000 {
        let mut bits = |count: u32| u64::from(rng.next_u32() % (1 << count));
        let request: Request = (bits(2) > 0, bits(1) as usize, bits(2));
        let (ways, set, tag) = (bits(3) & bits(3), bits(1) as usize, bits(2));
        let reset = bits(6) == 0;
        let (access, compare_set, compare_tag) = before;
        let out = bench.cycle(&[
            ("reset", reset.into()),
            ("request_set", request.1 as u128),
            ("compare_access", access.into()),
            ("compare_set", compare_set as u128),
            ("compare_tag", compare_tag.into()),
            ("write_ways", ways.into()),
            ("write_set", set as u128),
            ("write_tag", tag.into()),
        ]);
        assert_eq!(out.get("matched"), expected, "cycle {cycle}");
        for (way, of_way) in tags[set].iter_mut().enumerate() {
            if ways >> way & 1 == 1 {
                *of_way = tag;
            }
        }
        expected = matches(&tags, before);
        let late = if set == compare_set { ways } else { 0 };
        seen[usize::from(written_before & 1 == 1)][usize::from(late & 1 == 1)] += 1;
        written_before = if set == request.1 { ways } else { 0 };
        before = request;
        if reset {
            (expected, before.0, written_before) = (0, false, 0);
        }
    }
    assert!(
        seen.as_flattened().iter().all(|&times| times > 50),
        "{seen:?}"
    );
}
