//! The register file of units behind a bus: its port's registers and what they hold, and functional
//! coverage of what is read and written, what is refused, and what a reset ends.

use cotenant_golden::bus::{Access, ANSWER};
use cotenant_registers::{Map, Register};

use crate::unit::prelude::*;

/// Instance of the register port in a register file.
const PORT: &str = "registers.port";

/// Whether a flop holds what the golden model looks up in the description once more whenever it
/// needs it.
pub(crate) fn decoded(flop: &str) -> bool {
    let flop = flop
        .strip_prefix(PORT)
        .and_then(|flop| flop.strip_prefix('.'));
    matches!(
        flop,
        Some("hit_register" | "row_register" | "column_register")
    )
}

/// Flops of a register port, one per cycle of a transfer after the first.
const PHASES: [&str; ANSWER as usize] = ["looking", "reading", "sampling", "answering"];

/// Registers of a register file's transfer.
pub(crate) fn transfer(access: &Access, each: &mut (impl EachRegister + ?Sized)) {
    let phases = (1..).zip(PHASES);
    let phases = phases.map(|(at, phase)| (phase, 1, phase, u64::from(access.phase == at)));
    for (name, width, flop, value) in phases.chain([
        ("write", 1, "write_register", access.write.into()),
        ("write_data", 32, "data_register", access.write_data.into()),
        ("read_data", 32, "read_register", access.read_data.into()),
        ("error", 1, "error_register", access.error.into()),
    ]) {
        let flop = format_args!("port.{flop}");
        each(format_args!("access.{name}"), width, flop, value);
    }
}

/// Value of a flop of the register port.
pub(crate) fn of_port(name: &str, terms: &mut Terms<'_>) -> Term {
    terms.flop(&format!("registers.port.{name}"))
}

/// A transfer is on its way.
pub(crate) fn on_its_way(terms: &mut Terms<'_>) -> Term {
    let phases = PHASES.map(|phase| of_port(phase, terms));
    terms.any(phases)
}

/// What the register port's flops hold, for registers that are described by `map`.
pub(crate) fn port(map: &Map, terms: &mut Terms<'_>) -> Vec<Term> {
    let phases = PHASES.map(|phase| of_port(phase, terms));
    let answering = phases[3];
    let [hit, row, column, write, error, read] = [
        "hit_register",
        "row_register",
        "column_register",
        "write_register",
        "error_register",
        "read_register",
    ]
    .map(|name| of_port(name, terms));
    // A transfer is in one cycle, and leads to one register, to a row and column that it has.
    let mut all = terms.all_disjoint(&phases);
    let hits = terms.bits(hit, map.decoded);
    all.extend(terms.all_disjoint(&hits));
    for (&hit, register) in hits.iter().zip(&map.registers) {
        let row = terms.below(row, register.rows);
        let column = terms.below(column, register.columns);
        let there = terms.all([row, column]);
        all.push(terms.implies(hit, there));
        if !register.is_written() {
            let written = terms.all([hit, write]);
            all.push(terms.not(written));
        }
    }
    // There is an answer in the last, of an error without data, and so of a write.
    let (none, silent) = (terms.is(hit, 0), terms.is(read, 0));
    all.push(terms.implies(error, answering));
    all.push(terms.any([answering, silent]));
    let no_data = terms.any([error, write]);
    all.push(terms.implies(no_data, silent));
    let nowhere = terms.all([answering, none]);
    all.push(terms.implies(nowhere, error));
    all
}

/// When a flop that holds where a transfer leads matters: while it is on its way, and of its row
/// and column the bits that the rows and columns of that register have; all bits of the row where the
/// unit compares it as a `whole` with the numbers of rows, by the register's name.
pub(crate) fn matters(
    map: &Map,
    whole: fn(&str) -> bool,
    flop: &str,
    terms: &mut Terms<'_>,
) -> Option<Term> {
    let row = flop == "registers.port.row_register";
    let several = |register: &Register| match row {
        true => register.rows,
        false => register.columns,
    };
    match flop {
        "registers.port.hit_register" => Some(on_its_way(terms)),
        "registers.port.row_register" | "registers.port.column_register" => {
            let (hit, way) = (of_port("hit_register", terms), on_its_way(terms));
            let bits = (0..u8::BITS).map(|bit| {
                let registers = map.registers.iter().take(map.decoded).enumerate();
                let hits: Vec<Term> = registers
                    .filter(|(_, register)| {
                        several(register) > 1 << bit || (row && whole(register.name))
                    })
                    .map(|(at, _)| terms.bit(hit, at))
                    .collect();
                let there = terms.any(hits);
                terms.all([way, there])
            });
            let bits = bits.collect();
            Some(terms.word(bits))
        }
        _ => None,
    }
}

/// Sorts the transfers of a register file.
#[derive(Debug, Clone)]
pub(crate) struct Registers {
    /// The registers that the parameter set has.
    names: Vec<&'static str>,
    accesses: Cross,
    errors: Cross,
    resets: Cross,
}

/// What comes of an access.
const ACCESS: [&str; 3] = ["read", "written", "not written"];
/// Why there is an error.
const ERROR: [&str; 7] = [
    "read of an unmapped address",
    "write of an unmapped address",
    "unaligned read",
    "unaligned write",
    "read-only register",
    "write of part of a word",
    "value",
];

impl Registers {
    pub fn new(map: &Map) -> Self {
        let there = map.registers.iter().filter(|register| register.rows > 0);
        let names: Vec<&str> = there.map(|register| register.name).collect();
        let accesses = [
            Axis::new("register", names.iter().copied()),
            Axis::new("is", ACCESS),
        ];
        let writable: Vec<bool> = names
            .iter()
            .map(|name| map.find(name).is_some_and(|register| register.is_written()))
            .collect();
        // The registers with values that are refused.
        let refuses = [
            "MAP",
            "DEMOTION_LIMIT",
            "EVICTION_LIMIT",
            "SET_LIMIT",
            "POLICY",
            "CORES",
            "STREAM_ACCESSES",
        ];
        let refuses = refuses.iter().any(|name| {
            let register = map.find(name);
            register.is_some_and(|register| register.is_written())
        });
        let phases = (0..=ANSWER).map(|phase| match phase {
            0 => "none".to_string(),
            phase => format!("in cycle t + {phase}"),
        });
        Self {
            names,
            accesses: Cross::new("registers", accesses)
                .without("the register is read-only", move |at| {
                    at[1] == 1 && !writable[at[0]]
                }),
            errors: Cross::new("errors", [Axis::new("error", ERROR)])
                .without("the register accepts any value", move |at| {
                    at[0] == 6 && !refuses
                }),
            resets: Cross::new("resets", [Axis::new("transfer", phases)]),
        }
    }

    /// Looks at a cycle.
    pub fn sample(&mut self, map: &Map, access: &Access, reset: bool) {
        if reset {
            self.resets.hit(access.phase);
        }
        if access.phase != ANSWER {
            return;
        }
        let write = usize::from(access.write);
        let place = map.at(access.address.into());
        if let Some(place) = place {
            let number = self
                .names
                .iter()
                .position(|name| *name == place.register.name);
            if let Some(number) = number {
                let is = write + usize::from(access.error);
                self.accesses.hit((number, is));
            }
        }
        if access.error {
            self.errors.hit(match place {
                None if access.address & 3 != 0 => 2 + write,
                None => write,
                Some(place) if !place.register.is_written() => 4,
                Some(_) if access.strobe != 15 => 5,
                Some(_) => 6,
            });
        }
    }

    pub fn crosses(&self) -> [&Cross; 3] {
        [&self.accesses, &self.errors, &self.resets]
    }
}
