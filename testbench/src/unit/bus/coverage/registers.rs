//! Coverage of the register accesses, of their errors, and of resets during a transfer.

use cotenant_golden::bus::{Access, ANSWER};
use cotenant_registers::Map;

use crate::verify::coverage::{Axis, Cross};

/// Sorts the transfers of a register file.
#[derive(Debug, Clone)]
pub(in crate::unit) struct Registers {
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
        // The two registers with values that are refused.
        let refuses = ["MAP", "SET_LIMIT"];
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
            self.resets.hit(&[access.phase.into()]);
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
                self.accesses.hit(&[number, is]);
            }
        }
        if access.error {
            self.errors.hit(&[match place {
                None if access.address & 3 != 0 => 2 + write,
                None => write,
                Some(place) if !place.register.is_written() => 4,
                Some(_) if access.strobe != 15 => 5,
                Some(_) => 6,
            }]);
        }
    }

    pub fn crosses(&self) -> [&Cross; 3] {
        [&self.accesses, &self.errors, &self.resets]
    }
}
