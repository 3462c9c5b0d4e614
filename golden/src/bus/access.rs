//! One bus transfer during its cycles in a register file.

use serde::{Deserialize, Serialize};

use super::{Answer, Request, ANSWER};

/// A transfer on its way through a register file; see [the register port](super).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Access {
    /// Cycles since the transfer was taken, 0 if there is none. Reset: 0, as all of it.
    pub phase: u8,
    /// It is a write. This and the next three are what the port carried when there was no transfer
    /// on its way for the last time.
    pub write: bool,
    /// Its address.
    pub address: u16,
    /// Its data.
    pub write_data: u32,
    /// Write strobes, one bit per byte.
    pub strobe: u8,
    /// What was read, in the cycle of the answer; else 0.
    pub read_data: u32,
    /// The transfer was an error, in the cycle of the answer; else 0.
    pub error: bool,
}

/// What a transfer came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    /// What a read is answered.
    Read(u32),
    /// A write that is to be done.
    Write,
    /// Neither.
    Error,
}

impl Access {
    /// What the bridge is answered in this cycle.
    pub fn answer(&self) -> Answer {
        Answer {
            done: self.phase == ANSWER,
            error: self.error,
            read_data: self.read_data,
        }
    }

    /// It is so many cycles after the first.
    pub(super) fn is_at(&self, cycle: u8) -> bool {
        self.phase == cycle
    }

    /// A write that is done in this cycle.
    pub(super) fn writes(&self) -> bool {
        self.is_at(ANSWER) && self.write && !self.error
    }

    /// Passes the clock edge; a transfer that `waits` stays where it is. The `outcome` is that of
    /// one that is answered in the next cycle.
    pub(super) fn step(&mut self, request: &Request, waits: bool, outcome: Option<Outcome>) {
        match self.phase {
            0 => {
                self.phase = request.select.into();
                (self.write, self.address) = (request.write, request.address);
                (self.write_data, self.strobe) = (request.write_data, request.strobe);
            }
            ANSWER => (self.phase, self.read_data, self.error) = (0, 0, false),
            _ if !request.select => self.phase = 0,
            _ if waits => {}
            _ => {
                self.phase += 1;
                match outcome {
                    Some(Outcome::Read(data)) => self.read_data = data,
                    Some(Outcome::Error) => self.error = true,
                    Some(Outcome::Write) | None => {}
                }
            }
        }
    }
}
