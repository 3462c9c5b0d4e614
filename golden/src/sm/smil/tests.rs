//! Rationale: a limit may be set while fewer, as many and more instructions are in flight, and
//! together with an issue; counting is as in `milg`.
use super::*;

const PARAMS: Params = Params {
    count_w: 7,
    limit_w: 5,
};

const IDLE: In = In {
    reset: false,
    set_valid: false,
    set_limit: 0,
    set_unlimited: false,
    issue: false,
    complete: false,
};
const ISSUE: In = In {
    issue: true,
    ..IDLE
};
const COMPLETE: In = In {
    complete: true,
    ..IDLE
};

fn set(set_limit: u64) -> In {
    In {
        set_valid: true,
        set_limit,
        ..IDLE
    }
}

fn step(model: &mut Smil, input: In) -> Out {
    model.assume(&input).unwrap();
    model.step(&input)
}

#[test]
fn a_limit_is_in_force_from_the_next_cycle_on() {
    let mut smil = Smil::new(PARAMS).unwrap();
    step(&mut smil, ISSUE);
    // Still allowed in the cycle in which the limit comes.
    let out = step(
        &mut smil,
        In {
            issue: true,
            ..set(1)
        },
    );
    assert!(out.allow && out.unlimited);
    let out = step(&mut smil, COMPLETE);
    assert_eq!((out.in_flight, out.limit, out.unlimited), (2, 1, false));
    assert!(!out.allow, "more than the limit");
    assert!(!step(&mut smil, COMPLETE).allow, "as many");
    assert!(step(&mut smil, set(24)).allow, "fewer");
    for _ in 0..24 {
        assert!(step(&mut smil, ISSUE).allow);
    }
    assert!(!step(&mut smil, IDLE).allow);
    let lift = In {
        set_unlimited: true,
        ..set(3)
    };
    step(&mut smil, lift);
    let out = step(&mut smil, IDLE);
    assert_eq!((out.allow, out.limit, out.unlimited), (true, 127, true));
}

#[test]
fn without_a_limit_the_count_stays_exact() {
    let mut smil = Smil::new(PARAMS).unwrap();
    for in_flight in 0..127 {
        assert_eq!(step(&mut smil, ISSUE).in_flight, in_flight);
    }
    assert!(!step(&mut smil, IDLE).allow);
    step(
        &mut smil,
        In {
            reset: true,
            ..COMPLETE
        },
    );
    assert_eq!(smil.state(), Smil::new(PARAMS).unwrap().state());
}

#[test]
fn illegal_inputs_and_parameters_are_named() {
    let smil = Smil::new(PARAMS).unwrap();
    for (input, message) in [
        (set(0), "set_limit is 0, expected at least 1"),
        (set(32), "set_limit is 32, expected at most 31"),
        (
            COMPLETE,
            "complete is high while nothing is in flight, expected it low then",
        ),
    ] {
        assert_eq!(smil.assume(&input).unwrap_err().to_string(), message);
    }
    let lift = In {
        set_unlimited: true,
        ..set(0)
    };
    assert_eq!(smil.assume(&lift), Ok(()));
    for (count_w, limit_w, message) in [
        (0, 1, "count_w is 0, expected 1 to 32"),
        (33, 1, "count_w is 33, expected 1 to 32"),
        (7, 8, "limit_w is 8, expected 1 to 7"),
        (7, 0, "limit_w is 0, expected 1 to 7"),
    ] {
        let error = Smil::new(Params { count_w, limit_w }).unwrap_err();
        assert_eq!(error.to_string(), message);
    }
}
