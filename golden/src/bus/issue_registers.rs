//! `issue_registers`: the registers of a [`mem_issue`].
//!
//! A snapshot captures the unit's outputs of one cycle, that of the write's answer. A limit is
//! written in that cycle, and in force from the next one on, as with the unit's own port.
//!
//! ASSUMPTION: writing a limit of 0, with which a kernel would wait for ever, is an error, and so
//! is a limit that does not fit its register.

use cotenant_registers::{IssueParams, Map, Place};
use serde::{Deserialize, Serialize};

use super::access::{Access, Outcome};
use super::lookup::{field, identity, reached, word};
use super::{Request, ANSWER};
use crate::model::{limit, ParamError};
use crate::sm::mem_issue::{self, Limiter, Params};
use crate::sm::milg::Release;
use crate::sm::ByKernel;

/// What `UNIT` reads.
const UNIT: u64 = 2;

/// Registers; all reset to 0.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct State {
    /// The transfer of the bus.
    pub access: Access,
    /// Snapshots taken, modulo 256.
    pub sequence: u8,
    /// The active kernels at the last snapshot.
    pub active: u64,
    /// The kernels below their limit.
    pub allow: u64,
    /// The kernels without a limit.
    pub unlimited: u64,
    /// Instructions in flight.
    pub in_flight: Vec<u64>,
    /// Their limits.
    pub limit: Vec<u64>,
    /// The quotas.
    pub quota: Vec<u64>,
}

impl State {
    /// Takes a snapshot of the unit's outputs.
    pub(super) fn capture(&mut self, issue: &mem_issue::Out) {
        self.sequence = self.sequence.wrapping_add(1);
        self.active = issue.active;
        self.allow = issue.allow;
        self.unlimited = issue.unlimited;
        self.in_flight.copy_from_slice(&issue.in_flight);
        self.limit.copy_from_slice(&issue.limit);
        self.quota.copy_from_slice(&issue.quota);
    }
}

/// A write of a limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Set {
    /// A limit is written.
    pub valid: bool,
    /// The kernel.
    pub kid: u8,
    /// The limit.
    pub limit: u64,
    /// The limit is removed.
    pub unlimited: bool,
}

/// The model; its registers are kept outside, in a [`State`].
#[derive(Debug, Clone)]
pub struct IssueRegisters {
    params: Params,
    map: Map,
}

impl IssueRegisters {
    /// For a unit of these parameters.
    ///
    /// # Errors
    /// [`ParamError`] if the register space has no room for it.
    pub fn new(params: &Params) -> Result<Self, ParamError> {
        let map = cotenant_registers::mem_issue(&IssueParams {
            kernels: params.kernels,
            limiter: params.limiter as usize,
            priority: params.priority as usize,
            fail_w: params.fail_w,
            release: params.release as usize,
            cap: params.cap.into(),
            lag: params.lag,
            count_w: params.count_w,
            interval_w: params.interval_w,
            limit_w: params.limit_w,
            quota_w: params.qbmi().quota_w(),
        });
        let map = map.map_err(|refused| ParamError::NoRoom {
            why: refused.to_string(),
        })?;
        let params = params.clone();
        Ok(Self { params, map })
    }

    /// The registers after reset.
    pub fn registers(&self) -> State {
        let none = vec![0; self.params.kernels];
        State {
            in_flight: none.clone(),
            limit: none.clone(),
            quota: none,
            ..State::default()
        }
    }

    /// The address map.
    pub fn map(&self) -> &Map {
        &self.map
    }

    fn written(&self, state: &State) -> Option<Place<'_>> {
        let writes = state.access.writes();
        writes.then(|| reached(&self.map, &state.access))?
    }

    /// The limit that is written in this cycle.
    pub fn set(&self, state: &State) -> Set {
        let written = self.written(state);
        let Some(place) = written.filter(|place| place.register.name == "SET_LIMIT") else {
            return Set::default();
        };
        let data = state.access.write_data;
        Set {
            valid: true,
            kid: place.row as u8,
            limit: u64::from(field(&place, "VALUE", data)) & limit(self.params.limit_w),
            unlimited: field(&place, "UNLIMITED", data) == 1,
        }
    }

    /// The clock edge, with the unit's outputs of this cycle.
    pub fn step(&self, state: &mut State, request: &Request, issue: &mem_issue::Out) {
        let answers = state.access.is_at(ANSWER - 1);
        let outcome = answers.then(|| self.outcome(state, issue));
        let control = self
            .written(state)
            .filter(|place| place.register.name == "CONTROL");
        if control.is_some_and(|place| field(&place, "SNAPSHOT", state.access.write_data) == 1) {
            state.capture(issue);
        }
        state.access.step(request, false, outcome);
    }

    /// The result of an access that is answered in the next cycle.
    fn outcome(&self, state: &State, issue: &mem_issue::Out) -> Outcome {
        let Some(place) = reached(&self.map, &state.access) else {
            return Outcome::Error;
        };
        let data = state.access.write_data;
        match place.register.name {
            _ if !state.access.write => {
                let value = |name: &str| self.value(state, issue, &place, name);
                Outcome::Read(word(&place, value))
            }
            "SET_LIMIT" if field(&place, "UNLIMITED", data) == 0 => {
                let value = u64::from(field(&place, "VALUE", data));
                match (1..=limit(self.params.limit_w)).contains(&value) {
                    true => Outcome::Write,
                    false => Outcome::Error,
                }
            }
            _ => Outcome::Write,
        }
    }

    /// The value of a register's field in this cycle.
    fn value(&self, state: &State, issue: &mem_issue::Out, place: &Place<'_>, name: &str) -> u64 {
        let kernel = place.row;
        let of = |values: &ByKernel| values[kernel];
        match (place.register.name, name) {
            ("STATUS", _) => state.sequence.into(),
            ("ACTIVE", _) => state.active,
            ("ALLOW", _) => state.allow,
            ("UNLIMITED", _) => state.unlimited,
            ("IN_FLIGHT", _) => state.in_flight[kernel],
            ("LIMIT", _) => state.limit[kernel],
            ("QUOTA", _) => state.quota[kernel],
            ("QUOTA_HIGH", _) => state.quota[kernel] >> 32,
            ("SET_LIMIT", "VALUE") => of(&issue.limit),
            ("SET_LIMIT", _) => issue.unlimited >> kernel & 1,
            ("CONTROL", _) => 0,
            (register, name) => self.parameter(register, name),
        }
    }

    /// The registers that show parameters.
    fn parameter(&self, register: &str, name: &str) -> u64 {
        let params = &self.params;
        let value = match name {
            "KERNELS" => params.kernels,
            "LIMITER" => usize::from(params.limiter == Limiter::Milg),
            "PRIORITY" => params.priority as usize,
            "RELEASE" => params.release as usize & 1,
            "RELEASE_HIGH" => params.release as usize >> 1,
            "MINOR" => usize::from(matches!(params.release, Release::Hold | Release::PlusOne)),
            "CAP" => params.cap.into(),
            "LAG" => params.lag,
            "COUNT_W" => params.count_w,
            "LIMIT_W" => params.limit_w,
            "INTERVAL_W" => params.interval_w,
            "FAIL_W" => params.fail_w,
            "QUOTA_W" => params.qbmi().quota_w(),
            _ => return identity(register, name, UNIT),
        };
        value as u64
    }
}

#[cfg(test)]
mod tests;
