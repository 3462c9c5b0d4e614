//! Rationale: a formula is evaluated, blamed and printed by three readers, each of which has a
//! case for each kind of formula; each kind is here once. That the printed text means the same as
//! the evaluated one is shown where Verilog can be run: by the proofs, whose assumptions come from
//! here.

use super::*;
use crate::ports::Port;

struct In {
    valid: bool,
    refused: bool,
    kid: u8,
    mask: u64,
    owner: Vec<u8>,
}

struct State {
    limit: u64,
    way: Vec<u8>,
    count: Vec<Vec<u64>>,
}

fn state() -> State {
    State {
        limit: 5,
        way: vec![2, 0, 1],
        count: vec![vec![1, 2], vec![3, 4]],
    }
}

fn input() -> In {
    In {
        valid: true,
        refused: false,
        kid: 2,
        mask: 0b011,
        owner: vec![0, 2, 7],
    }
}

fn rules() -> Rules<In, State> {
    Rules::new()
        .legal(
            "kernel",
            "A request is of a kernel.",
            input!(valid).implies(input!(kid).below(3usize)),
        )
        .legal(
            "one",
            "It is accepted or refused.",
            input!(valid).and(input!(refused)).not(),
        )
        .legal(
            "limit",
            "Requests are below the limit.",
            input!(valid).only_while(register!(limit as limit).at_least(1usize), "the limit is 0"),
        )
        .legal(
            "lines",
            "A line is valid.",
            each(0..3, |i| {
                let hit = input!(kid)
                    .is(register!(way[i] as stack_way))
                    .and(input!(refused));
                hit.implies(valid_line(input!(mask[i]), input!(kid)))
            }),
        )
        .legal(
            "owners",
            "The owners of valid lines are kernels.",
            each(0..3, |i| {
                input!(mask[i]).implies(input!(owner[i]).at_most(2usize))
            }),
        )
        .legal(
            "few",
            "Few are valid, or none is.",
            ones((0..3).map(|i| input!(mask[i])))
                .plus(1usize)
                .below(register!(limit as limit))
                .or(input!(mask).is(0usize)),
        )
        .invariant(
            "counted",
            "Counters of a row are in order.",
            register!(count[0][1]).at_most(register!(count[1][0])),
        )
}

fn told(change: impl FnOnce(&mut In, &mut State)) -> String {
    let (mut input, mut state) = (input(), state());
    change(&mut input, &mut state);
    let violation = rules().violation(&input, &state);
    violation.map_or("legal".into(), |violation| violation.to_string())
}

#[test]
fn violations_name_port_value_and_expectation() {
    assert_eq!(told(|_, _| {}), "legal");
    assert_eq!(told(|i, _| i.kid = 3), "kid is 3, expected at most 2");
    assert_eq!(told(|i, _| (i.valid, i.kid) = (false, 3)), "legal");
    assert_eq!(
        told(|i, _| i.refused = true),
        "valid and refused are both high, expected at most one of them"
    );
    assert_eq!(
        told(|_, s| s.limit = 0),
        "valid is high while the limit is 0, expected it low then"
    );
    assert_eq!(
        told(|i, _| (i.valid, i.refused, i.kid) = (false, true, 1)),
        "kid is 1, which holds no valid line, expected a hit to name a valid one"
    );
    assert_eq!(
        told(|i, _| i.owner[1] = 3),
        "owner[1] is 3, expected at most 2"
    );
    assert_eq!(told(|i, _| i.owner[2] = 3), "legal", "it is not valid");
    assert_eq!(
        told(|_, s| s.limit = 3),
        "mask[0] is 1, which breaks a rule: Few are valid, or none is."
    );
    assert_eq!(told(|i, s| (i.mask, s.limit) = (0, 1)), "legal");
}

#[test]
fn invariants_are_of_the_state() {
    let broken = |state: &State| {
        rules()
            .broken_invariant(&input(), state)
            .map(|rule| rule.name)
    };
    assert_eq!(broken(&state()), None);
    let mut other = state();
    other.count[0][1] = 4;
    assert_eq!(broken(&other), Some("counted"));
}

#[test]
fn rules_are_printed_over_ports() {
    let ports = [
        Port::value("limit", 3),
        Port::value("valid", 1),
        Port::value("refused", 1),
        Port::value("kid", 2),
        Port::packed("mask", 3, 1),
        Port::packed("owner", 3, 4),
        Port::packed("stack_way", 3, 2),
    ];
    let name = |port: &str| match port {
        "valid" => "valid_".into(),
        port => port.into(),
    };
    let printed = verilog::legal(&rules(), &ports, name);
    let of = |name: &str| {
        let found = printed.iter().find(|rule| rule.name == name);
        &found.expect("it is printed").verilog[..]
    };
    assert_eq!(of("kernel"), "(!(valid_ != 0) || (kid < 3))");
    assert_eq!(of("one"), "!((valid_ != 0) && (refused != 0))");
    assert_eq!(of("limit"), "(!(valid_ != 0) || (1 <= limit))");
    let first = "((!((kid == stack_way[1:0]) && (refused != 0)) || (mask[0] != 0)) && ";
    assert!(of("lines").starts_with(first), "{}", of("lines"));
    assert!(of("owners").contains("(!(mask[2] != 0) || (owner[11:8] <= 2))"));
    assert_eq!(
        of("few"),
        "(((65'd0 + (7'd0 + (mask[0] != 0) + (mask[1] != 0) + (mask[2] != 0)) + 1) < limit) \
         || (mask == 0))"
    );
    let without_mask = ports.map(|port| match port.name {
        "mask" => Port::value("other", 1),
        _ => port,
    });
    let printed = verilog::legal(&rules(), &without_mask, name);
    let names: Vec<&str> = printed.iter().map(|rule| rule.name).collect();
    assert_eq!(
        names,
        ["kernel", "one", "limit"],
        "the others speak of the mask"
    );
}
