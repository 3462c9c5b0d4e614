//! Rationale: leader sets by counting, for all small caches: as many as there should be, none of two
//! applications or policies; and of TAP's cache by hand. Each way in which PSEL can change, and its
//! ends; what followers, leaders and masked applications do, as table 3 has it. Draws are compared
//! with the recurrence of their bits, and counted: 5 % of them are long.
use super::*;

fn params(sets: usize, applications: usize, leaders: usize) -> Params {
    Params {
        sets,
        applications,
        leaders,
        psel_w: 10,
        seed: 0x2545_f491,
    }
}

fn drrip() -> Drrip {
    Drrip::new(params(64, 2, 4)).unwrap()
}

fn miss(access_set: u32, access_app: u8) -> In {
    In {
        access_valid: true,
        access_set,
        access_app,
        ..In::default()
    }
}

/// A set that nobody leads.
fn follower(params: &Params) -> u32 {
    let sets = 0..params.sets as u32;
    sets.clone().find(|&set| params.led(set).is_none()).unwrap()
}

#[test]
fn every_application_has_its_leader_sets_for_itself() {
    for sets in [2, 4, 8, 16, 32, 64, 128] {
        for applications in 1..=MAX_APPLICATIONS.min(sets / 2) {
            for leaders in [1, 2, 4, 8, 16, 32] {
                let params = params(sets, applications, leaders);
                if Drrip::legal(&params).is_err() {
                    continue;
                }
                let mut count = vec![[0; 2]; applications];
                for set in 0..sets as u32 {
                    if let Some((app, policy)) = params.led(set) {
                        count[app][policy as usize] += 1;
                    }
                }
                assert_eq!(count, vec![[leaders; 2]; applications], "{params:?}");
                for (app, policy) in (0..applications)
                    .flat_map(|app| [Policy::Srrip, Policy::Brrip].map(|policy| (app, policy)))
                {
                    for number in 0..leaders {
                        let set = params.leader(policy, app, number);
                        assert_eq!(params.led(set), Some((app, policy)), "{params:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn leaders_of_a_cache_of_4096_sets() {
    let params = params(4096, 5, 32);
    // Runs of 128 sets: in the first one the first five and the last five lead.
    for app in 0..5 {
        assert_eq!(params.led(app), Some((app as usize, Policy::Srrip)));
        assert_eq!(params.led(127 - app), Some((app as usize, Policy::Brrip)));
    }
    assert_eq!((params.led(5), params.led(122)), (None, None));
    // In the last one, number 31, application 0 leads those at 31 and 96.
    let last = 31 * 128;
    assert_eq!(params.led(last + 31), Some((0, Policy::Srrip)));
    assert_eq!(params.led(last + 96), Some((0, Policy::Brrip)));
    assert_eq!(params.led(last), None);
}

#[test]
fn misses_in_leader_sets_of_the_application_itself_count() {
    let mut unit = drrip();
    let params = unit.params().clone();
    let srrip = |app, number| params.leader(Policy::Srrip, app, number);
    let brrip = |app, number| params.leader(Policy::Brrip, app, number);
    unit.step(&miss(srrip(1, 0), 1));
    assert_eq!(unit.state().psel, [512, 513]);
    unit.step(&miss(brrip(0, 3), 0));
    assert_eq!(unit.state().psel, [511, 513]);
    let none = [
        miss(srrip(1, 2), 0),
        miss(follower(&params), 1),
        In {
            access_hit: true,
            ..miss(srrip(1, 2), 1)
        },
        In {
            access_valid: false,
            ..miss(brrip(0, 1), 0)
        },
    ];
    for input in none {
        unit.step(&input);
        assert_eq!(unit.state().psel, [511, 513], "{input:?}");
    }
}

#[test]
fn selectors_stay_at_their_ends() {
    let mut unit = drrip();
    let params = unit.params().clone();
    for (policy, ends) in [(Policy::Srrip, 1023), (Policy::Brrip, 0)] {
        let set = params.leader(policy, 0, 1);
        for _ in 0..1100 {
            unit.step(&miss(set, 0));
        }
        assert_eq!(unit.state().psel, [ends, 512]);
    }
    unit.preset(1, 5000);
    assert_eq!(unit.state().psel, [0, 1023]);
}

#[test]
fn a_follower_does_as_the_selector_of_its_application_says() {
    let mut unit = drrip();
    let set = follower(unit.params());
    for (psel, brrip) in [(0, false), (511, false), (512, true), (1023, true)] {
        unit.preset(1, psel);
        unit.preset(0, 1023 - psel);
        assert_eq!(unit.step(&miss(set, 1)).brrip, brrip, "PSEL is {psel}");
    }
    // So does an application in another one's leader sets.
    unit.preset(1, 0);
    let set = unit.params().leader(Policy::Brrip, 0, 0);
    assert!(!unit.step(&miss(set, 1)).brrip);
    assert!(unit.step(&miss(set, 0)).brrip);
}

/// TAP's table 3, of the GPGPU application, here number 1.
#[test]
fn policies_are_those_of_table_3() {
    let table = [
        (Policy::Srrip, 0, Policy::Srrip),
        (Policy::Brrip, 0, Policy::Brrip),
        (Policy::Srrip, 1, Policy::Brrip),
        (Policy::Brrip, 1, Policy::Brrip),
    ];
    for (decision, mask, policy) in table {
        let mut unit = drrip();
        unit.preset(1, [0, 1023][decision as usize]);
        unit.preset(0, 0);
        let input = In {
            rrip_mask: mask << 1,
            ..miss(follower(unit.params()), 1)
        };
        let out = unit.step(&input);
        assert_eq!(out.brrip, policy == Policy::Brrip);
        assert_eq!((out.promote, out.preferred), (mask == 0, mask << 1));
        let cpu = unit.step(&In {
            access_app: 0,
            ..input
        });
        assert_eq!(
            (cpu.brrip, cpu.promote),
            (false, true),
            "the mask is another's"
        );
    }
}

#[test]
fn the_mask_does_nothing_in_leader_sets_of_its_application() {
    for policy in [Policy::Srrip, Policy::Brrip] {
        let mut unit = drrip();
        let set = unit.params().leader(policy, 1, 2);
        let input = In {
            rrip_mask: 0b10,
            ..miss(set, 1)
        };
        let out = unit.step(&input);
        assert_eq!(out.brrip, policy == Policy::Brrip);
        assert_eq!((out.promote, out.preferred), (true, 0));
        assert_ne!(unit.state().psel[1], 512, "it goes on counting");
        // In another's leader set the mask holds.
        let other = unit.params().leader(policy, 0, 2);
        let out = unit.step(&In {
            access_set: other,
            ..input
        });
        assert_eq!((out.brrip, out.promote, out.preferred), (true, false, 0b10));
    }
}

#[test]
fn draws_are_eight_bits_of_the_recurrence_each() {
    let mut unit = drrip();
    let seed = unit.params().seed;
    let mut bits: Vec<bool> = (0..31).rev().map(|n| seed >> n & 1 == 1).collect();
    for n in 31..8 * 2000 + 31 {
        bits.push(bits[n - 31] ^ bits[n - 28]);
    }
    let set = unit.params().leader(Policy::Brrip, 0, 0);
    for draw in 0..2000 {
        let expected = bits[8 * draw..8 * draw + 8]
            .iter()
            .fold(0, |number, &bit| number << 1 | u8::from(bit));
        assert_eq!(unit.state().draw(), expected);
        assert_eq!(unit.step(&miss(set, 0)).insert_distant, expected >= 13);
    }
}

#[test]
fn one_in_twenty_lines_is_inserted_with_a_long_interval() {
    let mut unit = drrip();
    let set = unit.params().leader(Policy::Brrip, 0, 0);
    let draws = 1 << 20;
    let long = (0..draws)
        .filter(|_| !unit.step(&miss(set, 0)).insert_distant)
        .count();
    // 13 of 256, within four standard deviations.
    let expected = draws * 13 / 256;
    assert!(long.abs_diff(expected) < 900, "{long}, expected {expected}");
}

#[test]
fn only_misses_that_insert_as_brrip_draw() {
    let mut unit = drrip();
    let params = unit.params().clone();
    let srrip = params.leader(Policy::Srrip, 0, 0);
    let brrip = params.leader(Policy::Brrip, 0, 0);
    let before = unit.state().lfsr;
    unit.step(&miss(srrip, 0));
    unit.step(&In {
        access_hit: true,
        ..miss(brrip, 0)
    });
    assert_eq!(unit.state().lfsr, before);
    unit.step(&miss(brrip, 0));
    assert_ne!(unit.state().lfsr, before);
    unit.step(&In {
        reset: true,
        ..miss(brrip, 0)
    });
    assert_eq!((unit.state().lfsr, unit.state().psel[0]), (before, 512));
}

#[test]
fn illegal_parameters_and_inputs_are_named() {
    for (sets, applications, leaders) in
        [(3, 1, 1), (64, 0, 1), (64, 17, 1), (64, 5, 8), (64, 1, 3)]
    {
        assert!(Drrip::new(params(sets, applications, leaders)).is_err());
    }
    for (psel_w, seed) in [(1, 1), (17, 1), (10, 0), (10, 1 << 31)] {
        let params = Params {
            psel_w,
            seed,
            ..params(64, 2, 4)
        };
        assert!(Drrip::new(params).is_err());
    }
    let unit = Drrip::new(params(64, 3, 4)).unwrap();
    assert!(unit.assume(&miss(63, 2)).is_ok());
    let at_fault = |input: In| unit.assume(&input).unwrap_err().field().to_string();
    assert_eq!(at_fault(miss(0, 3)), "access_app");
    assert_eq!(at_fault(miss(64, 0)), "access_set");
    // What is illegal does not panic.
    let mut unit = unit;
    unit.step(&miss(u32::MAX, 200));
}
