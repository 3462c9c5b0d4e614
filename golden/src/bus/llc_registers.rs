//! `llc_registers`: the registers of an [`llc_monitor`], or of an [`llc_counters`], its budgets and its
//! interrupt.
//!
//! A budget limits the demotions, or evictions, that one kernel causes to another in a period.
//! Beside the [register port](super) there are:
//!
//! - After reset a sweep sets the limits, one per cycle, to all ones: no limit.
//! - From then on a scan goes through the pairs of victim and aggressor, first the demotions, then
//!   the evictions, repeatedly, one pair per cycle. A running counter read at s that is above its
//!   limit, or has saturated and has a limit, sets the pair's bit at the end of s + 3. The scan pauses in a cycle in which the bus
//!   addresses a counter or a limit, or writes a limit.
//! - A snapshot copies the running counters to those of the last period. The next round of the scan
//!   over all pairs reads those; another snapshot restarts this round. So the final counts of a
//!   period are compared with the limits if the next period lasts at least one round. The pair that
//!   is read in the cycle of a snapshot still belongs to the period that ends.
//! - A timer ends the period after a programmed number of cycles.
//!
//! The interrupt follows the status by one cycle.
//!
//! ASSUMPTION: where a bank's counter has saturated, its events are more than it can hold, however
//! many are counted: the budget counts as exceeded, unless the limit is all ones, which stands for
//! none. ASSUMPTION: any other limit above what a counter of one bank can hold is refused, since
//! whether more events exceeded it would not be known. So a pair is marked if and only if it is
//! above its limit.
//! ASSUMPTION: a bit that is set and cleared in the same cycle is set. A snapshot changes neither
//! the bits nor the next pair.

mod scan;
mod state;

use scan::NO_LIMIT;

pub use scan::{Slot, MARK_LATENCY};
pub use state::{Interrupts, Pair, State};

use cotenant_registers::{LlcParams, Map, Place};

use super::access::Outcome;
use super::lookup::{field, identity, reached, word};
use super::{Request, ANSWER};
use crate::delay::Delayed;
use crate::llc::attribution::Mode;
use crate::llc::counter_matrix::Answer;
use crate::llc::llc_counters;
use crate::llc::llc_monitor::{self, Matrix, Params};
use crate::llc::{clog2, id_w};
use crate::model::{limit, ParamError};

/// The first cycle of an access after the one in which it is taken: counters are addressed.
const ADDRESS: u8 = 1;

/// Outputs of the registers to the monitor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Controls {
    /// Invalidate all lines.
    pub flush: bool,
    /// End the period.
    pub snapshot: bool,
    /// Write the entry of a requester.
    pub map_valid: bool,
    /// The requester whose entry is written or read.
    pub map_requester: u16,
    /// Its kernel.
    pub map_kid: u8,
    /// Read the running counters.
    pub read_live: bool,
    /// The counter to read.
    pub read: Pair,
}

/// What the registers are shown in a cycle by what counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seen {
    /// Requests are accepted.
    pub ready: bool,
    /// The counter that was asked for.
    pub read: Answer,
    /// Victims with a counter of demotions, or evictions, that saturated in the last period.
    pub overflow: [u64; 2],
    /// Kinds of other counters that did.
    pub overflow_access: u64,
    /// Snapshots taken, modulo 256.
    pub sequence_number: u8,
    /// The kernel of the requester that is looked up.
    pub mapped_kid: u8,
}

impl From<&llc_monitor::Out> for Seen {
    fn from(out: &llc_monitor::Out) -> Self {
        Self {
            ready: out.ready,
            read: Answer {
                count: out.read_count,
                overflow: out.read_overflow,
            },
            overflow: [out.overflow_gdc, out.overflow_ike],
            overflow_access: out.overflow_access,
            sequence_number: out.sequence_number,
            mapped_kid: out.mapped_kid,
        }
    }
}

impl From<&llc_counters::Out> for Seen {
    /// Without a directory there is nothing to wait for.
    fn from(out: &llc_counters::Out) -> Self {
        Self {
            ready: true,
            read: Answer {
                count: out.read_count,
                overflow: out.read_overflow,
            },
            overflow: [out.overflow_gdc, out.overflow_ike],
            overflow_access: out.overflow_access,
            sequence_number: out.sequence_number,
            mapped_kid: out.mapped_kid,
        }
    }
}

/// The model; its registers are kept outside, in a [`State`].
#[derive(Debug, Clone)]
pub struct LlcRegisters {
    params: Params,
    map: Map,
}

/// The counter that a register shows, and whether it is a running one.
fn counter(place: &Place<'_>) -> Option<(Pair, bool)> {
    let (matrix, row) = match place.register.name {
        "GDC" | "GDC_LIVE" => (Matrix::Gdc, None),
        "IKE" | "IKE_LIVE" => (Matrix::Ike, None),
        "HITS" | "HITS_LIVE" => (Matrix::Accesses, Some(0)),
        "MISSES" | "MISSES_LIVE" => (Matrix::Accesses, Some(1)),
        "SCE" | "SCE_LIVE" => (Matrix::Sce, None),
        "SHARES" | "SHARES_LIVE" => (Matrix::Shares, None),
        "SAMPLED_TAKEN" | "SAMPLED_TAKEN_LIVE" => (Matrix::Taken, None),
        "SAMPLED_DROPPED" | "SAMPLED_DROPPED_LIVE" => (Matrix::Dropped, None),
        "SAMPLED_SHARED" | "SAMPLED_SHARED_LIVE" => (Matrix::SharedLines, None),
        _ => return None,
    };
    let (row, column) = match row {
        None => (place.row, place.column),
        Some(outcome) => (outcome, place.row),
    };
    let pair = Pair {
        matrix: matrix.code(),
        victim: row as u8,
        aggressor: column as u8,
    };
    Some((pair, place.register.name.ends_with("_LIVE")))
}

/// The pair to whose limit a register belongs.
fn budget(place: &Place<'_>) -> Option<Pair> {
    let matrix = match place.register.name {
        "DEMOTION_LIMIT" => Matrix::Gdc,
        "EVICTION_LIMIT" => Matrix::Ike,
        _ => return None,
    };
    Some(Pair {
        matrix: matrix.code(),
        victim: place.row as u8,
        aggressor: place.column as u8,
    })
}

/// Bits of aggressors, by matrix and victim.
fn flags<'a>(place: &Place<'_>, of: &'a mut [Vec<u64>; 2]) -> &'a mut u64 {
    let matrix = usize::from(place.register.name.starts_with("EVICTION"));
    &mut of[matrix][place.row]
}

impl LlcRegisters {
    /// For a monitor of these parameters.
    ///
    /// # Errors
    /// [`ParamError`] if the register space has no room for it.
    pub fn new(params: &Params) -> Result<Self, ParamError> {
        let map = cotenant_registers::llc_monitor(&LlcParams {
            ways: params.ways,
            kernels: params.kernels,
            sets: params.sets,
            banks: params.banks,
            tag_w: params.tag_w,
            cnt_w: params.cnt_w,
            stages: params.stages,
            requesters: params.requesters,
            sce: params.sce,
            sampled: params.sampled,
            mode: params.mode as usize,
        });
        let map = map.map_err(|refused| ParamError::NoRoom {
            why: refused.to_string(),
        })?;
        let params = params.clone();
        Ok(Self { params, map })
    }

    /// For counters without a directory: those of a monitor of one set without tags.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn of_counters(params: &llc_counters::Params) -> Result<Self, ParamError> {
        Self::new(&Params {
            ways: params.ways,
            kernels: params.kernels,
            sets: 1,
            banks: params.banks,
            tag_w: 0,
            cnt_w: params.cnt_w,
            stages: params.stages,
            requesters: params.requesters,
            sce: 0,
            sampled: 0,
            mode: Mode::Sixths,
            ram_stages: 0,
        })
    }

    /// The address map.
    pub fn map(&self) -> &Map {
        &self.map
    }

    /// The registers after reset, before the sweep has set the limits.
    pub fn registers(&self) -> State {
        let mut state = State {
            limits: vec![0; 2 << (2 * id_w(self.params.kernels))],
            ..State::default()
        };
        self.reset(&mut state);
        state
    }

    /// Resets every register; the limits keep their values.
    pub fn reset(&self, state: &mut State) {
        let none = vec![0; self.params.kernels];
        *state = State {
            limits: std::mem::take(&mut state.limits),
            sweeping: true,
            asked: Delayed::new(llc_monitor::READ_LATENCY, None),
            above: Delayed::new(MARK_LATENCY, None),
            over: [none.clone(), none.clone()],
            mask: [none.clone(), none],
            ..State::default()
        };
    }

    /// The register addressed by the access that is in this cycle of its transfer.
    fn at(&self, state: &State, cycle: u8) -> Option<Place<'_>> {
        let access = &state.access;
        access.is_at(cycle).then(|| reached(&self.map, access))?
    }

    /// The register that is written in this cycle.
    fn written(&self, state: &State) -> Option<Place<'_>> {
        let writes = state.access.writes();
        writes.then(|| self.at(state, ANSWER))?
    }

    /// The monitor's inputs of this cycle.
    pub fn controls(&self, state: &State) -> Controls {
        let addressed = self.at(state, ADDRESS).and_then(|place| counter(&place));
        let (read, read_live) = addressed.unwrap_or((state.scan, state.closing == 0));
        let mut controls = Controls {
            snapshot: state.timer_ends(),
            read_live,
            read,
            ..Controls::default()
        };
        if state.access.phase == 0 {
            return controls;
        }
        if let Some(place) = self.map.at(state.access.address.into()) {
            let data = |name| field(&place, name, state.access.write_data);
            let writes = state.access.writes();
            match place.register.name {
                "CONTROL" if writes => {
                    controls.flush = data("FLUSH") == 1;
                    controls.snapshot |= self.takes_snapshot(&place, state.access.write_data);
                }
                "MAP" => {
                    controls.map_valid = writes;
                    controls.map_requester = place.row as u16;
                    controls.map_kid =
                        (data("KID") & limit(id_w(self.params.kernels)) as u32) as u8;
                }
                _ => {}
            }
        }
        controls
    }

    /// Writes the limit that is written at the end of this cycle, if there is one, also in that of
    /// a reset; gives where it is.
    pub fn write_limit(&self, state: &mut State) -> Option<usize> {
        let (at, limit) = match state.sweeping {
            true => (state.sweep as usize, NO_LIMIT),
            false => {
                let pair = budget(&self.written(state)?)?;
                (pair.index(self.params.kernels), state.access.write_data)
            }
        };
        state.limits[at] = limit;
        Some(at)
    }

    /// The clock edge, with what the monitor shows in this cycle; the limits are
    /// [written](Self::write_limit) before.
    pub fn step(&self, state: &mut State, request: &Request, seen: &Seen) {
        let answers = state.access.is_at(ANSWER - 1);
        let outcome = answers.then(|| self.outcome(state, seen));
        let addressed = self.at(state, ADDRESS);
        let limit = addressed.is_some_and(|place| budget(&place).is_some());
        let counts = addressed.is_some_and(|place| counter(&place).is_some());
        let waits = limit && state.sweeping;
        let written = self.written(state);
        let writes_limit = written.and_then(|place| budget(&place)).is_some();
        let slot = !(state.sweeping || limit || counts || writes_limit);
        let (data, period_ends) = (state.access.write_data, state.timer_ends());
        let snapshot =
            period_ends || written.is_some_and(|place| self.takes_snapshot(&place, data));

        state.irq = state.interrupts();
        state.count_down();
        if let Some(place) = written {
            self.write(state, &place, data);
        }
        state.period_ended |= period_ends;
        state.scan(slot, self.params.kernels, seen.read);
        if snapshot {
            state.close(self.params.kernels);
        }
        if state.sweeping {
            state.sweep += 1;
            if state.sweep as usize == state.limits.len() {
                (state.sweeping, state.sweep) = (false, 0);
            }
        }
        state.access.step(request, waits, outcome);
    }

    /// Whether this is a limit: none, or one that a counter of a bank can hold.
    fn accepts(&self, written: u32) -> bool {
        written == NO_LIMIT || u64::from(written) <= limit(self.params.cnt_w)
    }

    /// Whether a write of this value takes a snapshot.
    fn takes_snapshot(&self, place: &Place<'_>, data: u32) -> bool {
        place.register.name == "CONTROL" && field(place, "SNAPSHOT", data) == 1
    }

    /// The result of an access that is answered in the next cycle.
    fn outcome(&self, state: &State, seen: &Seen) -> Outcome {
        let Some(place) = reached(&self.map, &state.access) else {
            return Outcome::Error;
        };
        if !state.access.write {
            let value = |name: &str| self.value(state, seen, &place, name);
            return Outcome::Read(word(&place, value));
        }
        let kid = field(&place, "KID", state.access.write_data) as usize;
        match place.register.name {
            "MAP" if kid >= self.params.kernels => Outcome::Error,
            _ if budget(&place).is_some() && !self.accepts(state.access.write_data) => {
                Outcome::Error
            }
            _ => Outcome::Write,
        }
    }

    /// The value of a register's field in this cycle.
    fn value(&self, state: &State, seen: &Seen, place: &Place<'_>, name: &str) -> u64 {
        let row = place.row;
        match (place.register.name, name) {
            ("STATUS", "READY") => (seen.ready && !state.sweeping).into(),
            ("STATUS", "SEQUENCE") => seen.sequence_number.into(),
            ("PERIOD", _) => state.period.into(),
            ("IRQ_STATUS", name) => state.status().has(name).into(),
            ("IRQ_ENABLE", name) => state.enable.has(name).into(),
            ("OVERFLOW_GDC", _) => seen.overflow[0],
            ("OVERFLOW_IKE", _) => seen.overflow[1],
            ("OVERFLOW_ACCESS", "HITS") => seen.overflow_access & 1,
            ("OVERFLOW_ACCESS", "MISSES") => seen.overflow_access >> 1 & 1,
            ("OVERFLOW_ACCESS", "SCE") => seen.overflow_access >> 2 & 1,
            ("OVERFLOW_ACCESS", "SHARES") => seen.overflow_access >> 3 & 1,
            ("OVERFLOW_ACCESS", _) => seen.overflow_access >> 4,
            ("DEMOTION_OVER", _) => state.over[0][row],
            ("EVICTION_OVER", _) => state.over[1][row],
            ("DEMOTION_MASK", _) => state.mask[0][row],
            ("EVICTION_MASK", _) => state.mask[1][row],
            ("MAP", _) => seen.mapped_kid.into(),
            ("CONTROL", _) => 0,
            (register, _) => match budget(place) {
                Some(pair) => state.limits[pair.index(self.params.kernels)].into(),
                None if counter(place).is_some() => seen.read.count,
                None => self.parameter(register, name),
            },
        }
    }

    /// The registers that show parameters.
    fn parameter(&self, register: &str, name: &str) -> u64 {
        let value = match name {
            "WAYS" => self.params.ways,
            "KERNELS" => self.params.kernels,
            "BANKS" => self.params.banks,
            "REQUESTERS" => self.params.requesters,
            "SET_W" => clog2(self.params.sets),
            "TAG_W" => self.params.tag_w,
            "CNT_W" => self.params.cnt_w,
            "TOTAL_W" => self.params.total_w(),
            "STAGES" => self.params.stages,
            "SCE" => self.params.sce,
            "SAMPLED" => self.params.sampled,
            "MODE" => self.params.mode as usize,
            "MINOR" => match self.params.mode {
                Mode::Sixths => usize::from(self.params.sce > 0 || self.params.sampled > 0),
                Mode::Pivot => 2,
            },
            _ => return identity(register, name, UNIT),
        };
        value as u64
    }

    /// What a write does at the end of the cycle of its answer.
    fn write(&self, state: &mut State, place: &Place<'_>, data: u32) {
        let whole = u64::from(data) & limit(self.params.kernels);
        match place.register.name {
            "PERIOD" => state.restart(data),
            "IRQ_STATUS" => state.period_ended &= field(place, "PERIOD", data) == 0,
            "IRQ_ENABLE" => state.enable = Interrupts::from(|name| field(place, name, data) == 1),
            "DEMOTION_OVER" | "EVICTION_OVER" => *flags(place, &mut state.over) &= !whole,
            "DEMOTION_MASK" | "EVICTION_MASK" => *flags(place, &mut state.mask) = whole,
            // Limits are in a memory; everything else is no register.
            _ => {}
        }
    }
}

/// What `UNIT` reads.
const UNIT: u64 = 1;

#[cfg(test)]
mod tests;
