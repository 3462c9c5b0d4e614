//! Rationale: each rule of the order in which a victim is looked for, by hand, with lines of which
//! another rule would choose another one; hits with and without promotion; both insertions. Then, for
//! all small sets, a victim that is found without ageing: of valid lines the one with the highest
//! prediction, preferred ones first, the lowest way among equals. And a set that is used like a
//! cache: a scan does not push out what is used again.
use super::*;

fn rrip(ways: usize, rrpv_w: usize) -> Rrip {
    Rrip::new(Params { ways, rrpv_w }).unwrap()
}

/// A miss in a full set.
fn miss(rrpv: &[u8]) -> In {
    In {
        rrpv: rrpv.into(),
        valid: limit(rrpv.len()),
        access_valid: true,
        ..In::default()
    }
}

/// Way, eviction, ageings and what the set is afterwards.
fn replaced(input: &In) -> (u8, bool, u8, Vec<u8>) {
    let out = rrip(input.rrpv.len(), 2).step(input);
    let after = out.next_rrpv.to_vec();
    (out.victim_way, out.victim_valid, out.ageings, after)
}

#[test]
fn the_first_distant_line_is_replaced() {
    let found = replaced(&miss(&[0, 3, 2, 3]));
    assert_eq!(found, (1, true, 0, vec![0, 2, 2, 3]), "SRRIP inserts 2");
    let bimodal = In {
        insert_distant: true,
        ..miss(&[0, 3, 2, 3])
    };
    assert_eq!(replaced(&bimodal), (1, true, 0, vec![0, 3, 2, 3]));
}

#[test]
fn without_a_distant_line_all_age_until_there_is_one() {
    assert_eq!(
        replaced(&miss(&[0, 1, 2, 2])),
        (2, true, 1, vec![1, 2, 2, 3])
    );
    assert_eq!(
        replaced(&miss(&[0, 1, 1, 0])),
        (1, true, 2, vec![2, 2, 3, 2])
    );
    assert_eq!(
        replaced(&miss(&[0, 0, 0, 0])),
        (0, true, 3, vec![2, 3, 3, 3])
    );
}

#[test]
fn an_invalid_way_is_filled_first_and_nothing_ages() {
    let input = In {
        valid: 0b1001,
        preferred: 0b1001,
        ..miss(&[3, 0, 3, 1])
    };
    assert_eq!(replaced(&input), (1, false, 0, vec![3, 2, 3, 1]));
}

#[test]
fn preferred_lines_go_first_among_those_that_can_be_replaced() {
    let input = |preferred| In {
        preferred,
        ..miss(&[2, 2, 1, 2])
    };
    assert_eq!(replaced(&input(0b1100)).0, 3, "way 2 is younger");
    assert_eq!(replaced(&input(0b1010)).0, 1, "the first of them");
    assert_eq!(replaced(&input(0b0100)).0, 0, "none that is as old");
    assert_eq!(replaced(&input(0b0000)).0, 0);
}

#[test]
fn a_hit_sets_its_line_to_0_if_it_promotes() {
    let hit = |promote| In {
        access_hit: true,
        access_way: 2,
        promote,
        insert_distant: true,
        ..miss(&[1, 0, 2, 1])
    };
    let out = rrip(4, 2).step(&hit(true));
    assert_eq!(out.next_rrpv, [1, 0, 0, 1]);
    assert_eq!(
        (out.victim_way, out.ageings),
        (2, 1),
        "what a miss would do"
    );
    assert_eq!(rrip(4, 2).step(&hit(false)).next_rrpv, [1, 0, 2, 1]);
    let bubble = In {
        access_valid: false,
        ..hit(true)
    };
    assert_eq!(rrip(4, 2).step(&bubble).next_rrpv, [1, 0, 2, 1]);
}

#[test]
fn with_one_bit_srrip_inserts_what_a_hit_leaves() {
    let out = rrip(2, 1).step(&miss(&[0, 0]));
    assert_eq!((out.victim_way, out.ageings), (0, 1));
    assert_eq!(out.next_rrpv, [0, 1]);
}

#[test]
fn in_all_small_sets_the_victim_is_the_oldest_line() {
    for rrpv_w in 1..=3 {
        for ways in 2..=3u32 {
            let codes = 1u32 << rrpv_w;
            let mut unit = rrip(ways as usize, rrpv_w);
            for set in 0..codes.pow(ways) {
                let rrpv: Vec<u8> = (0..ways)
                    .map(|way| (set / codes.pow(way) % codes) as u8)
                    .collect();
                for preferred in 0..1u64 << ways {
                    let out = unit.step(&In {
                        preferred,
                        ..miss(&rrpv)
                    });
                    let order = |&way: &usize| (rrpv[way], preferred >> way & 1, !way);
                    let oldest = (0..rrpv.len()).max_by_key(order).unwrap();
                    assert_eq!(usize::from(out.victim_way), oldest, "{rrpv:?}");
                    assert_eq!(out.ageings, codes as u8 - 1 - rrpv[oldest]);
                }
            }
        }
    }
}

#[test]
fn a_scan_leaves_what_is_used_again() {
    let mut unit = rrip(4, 2);
    let (mut tags, mut rrpv, mut valid) = ([0; 4], vec![0; 4], 0);
    let mut access = |tag: u32| {
        let hit = (0..4).find(|&way| valid >> way & 1 == 1 && tags[way] == tag);
        let out = unit.step(&In {
            rrpv: rrpv.clone(),
            valid,
            access_valid: true,
            access_hit: hit.is_some(),
            access_way: hit.unwrap_or(0) as u8,
            promote: true,
            ..In::default()
        });
        rrpv = out.next_rrpv.to_vec();
        if hit.is_none() {
            tags[usize::from(out.victim_way)] = tag;
            valid |= 1 << out.victim_way;
        }
        hit.is_some()
    };
    assert_eq!([1, 2, 1, 2].map(&mut access), [false, false, true, true]);
    // LRU would lose both lines to a scan of four.
    (10..14).for_each(|tag| assert!(!access(tag)));
    assert_eq!([1, 2].map(access), [true, true]);
}

#[test]
fn illegal_parameters_and_inputs_are_named() {
    for (ways, rrpv_w) in [(1, 2), (65, 2), (4, 0), (4, 9)] {
        assert!(Rrip::new(Params { ways, rrpv_w }).is_err());
    }
    let unit = rrip(3, 2);
    let hit = In {
        access_hit: true,
        access_way: 2,
        ..miss(&[1, 2, 3])
    };
    assert!(unit.assume(&hit).is_ok());
    let at_fault = |input: In| unit.assume(&input).unwrap_err().field().to_string();
    let invalid = In {
        valid: 0b011,
        ..hit.clone()
    };
    assert_eq!(at_fault(invalid), "access_way");
    let unknown = In {
        access_way: 3,
        ..hit.clone()
    };
    assert_eq!(at_fault(unknown), "access_way");
    let wide = In {
        rrpv: vec![1, 4, 0],
        ..hit
    };
    assert_eq!(at_fault(wide), "rrpv[1]");
}

#[test]
fn inputs_that_fit_no_port_do_not_panic() {
    let mut unit = rrip(3, 2);
    let input = In {
        rrpv: vec![255],
        access_hit: true,
        access_way: 200,
        promote: true,
        ..miss(&[0, 0, 0])
    };
    assert_eq!(unit.step(&input).next_rrpv, [3, 0, 0]);
}
