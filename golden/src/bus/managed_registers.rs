//! `managed_registers`: the registers of a [`managed_llc`].
//!
//! Software chooses the policy, says which applications are of the GPU, lets periods end, and may give
//! quotas and masks itself. It prepares quotas one by one; they hold together from the write of `POLICY`
//! that says so, which is refused if they are not legal.
//!
//! ASSUMPTION: quotas are legal if each is at least 1 and all add up to the ways: TAP, section 3.2, gives
//! every application one way at least and all of them away.
//! ASSUMPTION: software cannot know when a period begins, with which sampled cores change; so the cores
//! that it names wait for it. Those that are named in the cycle in which one ends wait for the next.

use cotenant_registers::{ManagedParams, Map, Place};
use serde::{Deserialize, Serialize};

use super::access::{Access, Outcome};
use super::lookup::{field, identity, reached, word};
use super::{Request, ANSWER};
use crate::llc::clog2;
use crate::mgmt::managed_llc::{self, Params};
use crate::mgmt::ByApplication;
use crate::model::{limit, ParamError};

/// What `UNIT` reads.
const UNIT: u64 = 3;

/// In which cycle of a transfer a counter is asked for; it is there in the next, when registers are read.
const ADDRESS: u8 = ANSWER - 2;

/// What software has chosen; all 0 after reset.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Policy {
    /// LRU, quotas or RRIP.
    pub policy: u8,
    /// It is that of TAP.
    pub aware: bool,
    /// Periods are sampled.
    pub sample: bool,
    /// TAP-S.
    pub detect: bool,
    /// Quotas are given.
    pub quotas: bool,
    /// Masks are given.
    pub masks: bool,
}

/// What can ask for an interrupt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Interrupts {
    /// A period has ended.
    pub period: bool,
    /// Quotas have been computed.
    pub decided: bool,
}

/// Registers; all reset to 0, but for `stream_accesses`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct State {
    /// The transfer of the bus.
    pub access: Access,
    /// Cycles of a period, 0 for none.
    pub period: u32,
    /// How many cycles from now it ends, this one counted; 0 for none.
    pub left: u32,
    /// What is in force.
    pub policy: Policy,
    /// The applications of the GPU.
    pub gpu: u64,
    /// The cores that were named last.
    pub cores: [u8; 2],
    /// They wait for the period's end.
    pub choosing: bool,
    /// The fewest accesses of a streaming application. Reset: 1.
    pub stream_accesses: u64,
    /// The fewest misses of 256 accesses.
    pub stream_rate: u8,
    /// Those that get one way, by software.
    pub ucp_mask: u64,
    /// The RRIP-Masks, by software.
    pub rrip_mask: u64,
    /// Quotas that are being prepared.
    pub prepared: Vec<u64>,
    /// Quotas that hold if they are given.
    pub given: Vec<u64>,
    /// What has happened and was not cleared.
    pub status: Interrupts,
    /// What of it asks for an interrupt.
    pub enable: Interrupts,
    /// The interrupt.
    pub irq: bool,
}

impl State {
    /// The timer ends the period in this cycle.
    pub fn timer_ends(&self) -> bool {
        self.left == 1
    }

    /// Forgets what is on its way.
    pub(super) fn quiet(&mut self) {
        self.access = Access::default();
    }
}

/// What software wants of the unit in a cycle, apart from what registers hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Controls {
    /// The period ends.
    pub period: bool,
    /// The counter that is read is one of hits or misses.
    pub matrix: bool,
    /// Its row.
    pub row: u8,
    /// Its column.
    pub app: u8,
    /// It is a running one.
    pub live: bool,
}

/// The model; its registers are kept outside, in a [`State`].
#[derive(Debug, Clone)]
pub struct ManagedRegisters {
    params: Params,
    map: Map,
}

/// Where the counter is that a register shows: of hits or misses, row, column, running.
fn counter(place: &Place<'_>) -> Option<Controls> {
    let (name, live) = match place.register.name.strip_suffix("_LIVE") {
        Some(name) => (name, true),
        None => (place.register.name, false),
    };
    let (matrix, row, app) = match name {
        "EVICTIONS" => (false, place.row, place.column),
        "HITS" => (true, 0, place.row),
        "MISSES" => (true, 1, place.row),
        _ => return None,
    };
    Some(Controls {
        period: false,
        matrix,
        row: row as u8,
        app: app as u8,
        live,
    })
}

impl ManagedRegisters {
    /// For a unit of these parameters.
    ///
    /// # Errors
    /// [`ParamError`] if the register space has no room for it.
    pub fn new(params: &Params) -> Result<Self, ParamError> {
        let map = cotenant_registers::managed_llc(&ManagedParams {
            ways: params.ways,
            sets: params.sets,
            applications: params.applications,
            leaders: params.leaders,
            sampled: params.sampled,
            cores: params.cores,
            tiles: params.tiles,
            psel_w: params.psel_w,
            xs_w: params.xs_w,
            cnt_w: params.cnt_w,
            t_xs: params.t_xs,
            rotate: params.rotate,
        });
        let map = map.map_err(|refused| ParamError::NoRoom {
            why: refused.to_string(),
        })?;
        let params = params.clone();
        Ok(Self { params, map })
    }

    /// The registers after reset.
    pub fn registers(&self) -> State {
        let none = vec![0; self.params.applications];
        State {
            prepared: none.clone(),
            given: none,
            stream_accesses: 1,
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

    /// What software wants in this cycle.
    pub fn controls(&self, state: &State) -> Controls {
        let asks = state.access.is_at(ADDRESS);
        let place = asks.then(|| reached(&self.map, &state.access)).flatten();
        let read = place.and_then(|place| counter(&place)).unwrap_or_default();
        let commanded = self.written(state).is_some_and(|place| {
            place.register.name == "CONTROL"
                && field(&place, "PERIOD", state.access.write_data) == 1
        });
        Controls {
            period: state.timer_ends() || commanded,
            ..read
        }
    }

    /// The unit's ports that software sets, as registers hold them.
    pub fn set(&self, state: &State, ports: &mut managed_llc::In) {
        let Policy {
            policy,
            aware,
            sample,
            detect,
            quotas,
            masks,
        } = state.policy;
        ports.policy = policy;
        ports.aware = aware;
        ports.sample = sample;
        ports.detect = detect;
        ports.gpu = state.gpu;
        ports.choose = state.choosing;
        [ports.choose_pol1, ports.choose_pol2] = state.cores;
        ports.stream_accesses = state.stream_accesses;
        ports.stream_rate = state.stream_rate.into();
        ports.quota_override = quotas;
        ports.quota_given = ByApplication::copied(&state.given);
        ports.mask_override = masks;
        ports.ucp_mask_given = state.ucp_mask;
        ports.rrip_mask_given = state.rrip_mask;
        let controls = self.controls(state);
        ports.period = controls.period;
        ports.read_matrix = controls.matrix;
        ports.read_row = controls.row;
        ports.read_app = controls.app;
        ports.read_live = controls.live;
    }

    /// The clock edge, with what the unit shows in this cycle.
    pub fn step(&self, state: &mut State, request: &Request, seen: &managed_llc::Out) {
        let answers = state.access.is_at(ANSWER - 1);
        let outcome = answers.then(|| self.outcome(state, seen));
        let ends = self.controls(state).period;
        let Interrupts { period, decided } = state.enable;
        state.irq = state.status.period && period || state.status.decided && decided;
        state.left = match state.left {
            1 => state.period,
            left => left.saturating_sub(1),
        };
        // The period that ends takes the cores that were named before.
        state.choosing &= !ends;
        if let Some(place) = self.written(state) {
            self.write(state, &place);
        }
        state.status.period |= ends;
        state.status.decided |= seen.decided;
        state.access.step(request, false, outcome);
    }

    /// The quotas that are prepared are legal.
    fn legal(&self, quotas: &[u64]) -> bool {
        quotas.iter().all(|&ways| ways > 0) && quotas.iter().sum::<u64>() == self.params.ways as u64
    }

    /// The result of an access that is answered in the next cycle.
    fn outcome(&self, state: &State, seen: &managed_llc::Out) -> Outcome {
        let Some(place) = reached(&self.map, &state.access) else {
            return Outcome::Error;
        };
        if !state.access.write {
            let value = |name: &str| self.value(state, seen, &place, name);
            return Outcome::Read(word(&place, value));
        }
        let data = state.access.write_data;
        let of = |name| field(&place, name, data);
        let legal = match place.register.name {
            "POLICY" => of("QUOTAS") == 0 || self.legal(&state.prepared),
            "CORES" => {
                let cores = self.params.cores as u32;
                of("POL1") < cores && of("POL2") < cores && of("POL1") != of("POL2")
            }
            "STREAM_ACCESSES" => (1..=limit(self.params.cnt_w)).contains(&data.into()),
            _ => true,
        };
        match legal {
            true => Outcome::Write,
            false => Outcome::Error,
        }
    }

    /// What a write does at the end of the cycle of its answer.
    fn write(&self, state: &mut State, place: &Place<'_>) {
        let data = state.access.write_data;
        let of = |name| field(place, name, data);
        let applications = || u64::from(of("APPLICATIONS"));
        match place.register.name {
            "PERIOD" => (state.period, state.left) = (data, data),
            "POLICY" => {
                state.policy = Policy {
                    policy: of("POLICY") as u8,
                    aware: of("AWARE") == 1,
                    sample: of("SAMPLE") == 1,
                    detect: of("DETECT") == 1,
                    quotas: of("QUOTAS") == 1,
                    masks: of("MASKS") == 1,
                };
                if state.policy.quotas {
                    state.given.clone_from(&state.prepared);
                }
            }
            "GPU" => state.gpu = applications(),
            "CORES" => {
                state.cores = [of("POL1") as u8, of("POL2") as u8];
                state.choosing = true;
            }
            "STREAM_ACCESSES" => state.stream_accesses = data.into(),
            "STREAM_RATE" => state.stream_rate = of("MISSES") as u8,
            "UCP_MASK_GIVEN" => state.ucp_mask = applications(),
            "RRIP_MASK_GIVEN" => state.rrip_mask = applications(),
            "QUOTA_GIVEN" => state.prepared[place.row] = of("WAYS").into(),
            "IRQ_STATUS" => {
                state.status.period &= of("PERIOD") == 0;
                state.status.decided &= of("DECIDED") == 0;
            }
            "IRQ_ENABLE" => {
                state.enable = Interrupts {
                    period: of("PERIOD") == 1,
                    decided: of("DECIDED") == 1,
                };
            }
            // CONTROL is no register.
            _ => {}
        }
    }

    /// The value of a register's field in this cycle.
    fn value(&self, state: &State, seen: &managed_llc::Out, place: &Place<'_>, name: &str) -> u64 {
        let app = place.row;
        let Policy {
            policy,
            aware,
            sample,
            detect,
            quotas,
            masks,
        } = state.policy;
        match (place.register.name, name) {
            ("STATUS", "READY") => seen.ready.into(),
            ("STATUS", "BUSY") => seen.busy.into(),
            ("STATUS", "INSENSITIVE") => seen.insensitive.into(),
            ("STATUS", "CHOOSING") => state.choosing.into(),
            ("STATUS", _) => seen.sequence_number.into(),
            ("CONTROL", _) => 0,
            ("PERIOD", _) => state.period.into(),
            ("POLICY", "POLICY") => policy.into(),
            ("POLICY", "AWARE") => aware.into(),
            ("POLICY", "SAMPLE") => sample.into(),
            ("POLICY", "DETECT") => detect.into(),
            ("POLICY", "QUOTAS") => quotas.into(),
            ("POLICY", _) => masks.into(),
            ("GPU", _) => state.gpu,
            ("CORES", "POL1") => state.cores[0].into(),
            ("CORES", _) => state.cores[1].into(),
            ("STREAM_ACCESSES", _) => state.stream_accesses,
            ("STREAM_RATE", _) => state.stream_rate.into(),
            ("UCP_MASK_GIVEN", _) => state.ucp_mask,
            ("RRIP_MASK_GIVEN", _) => state.rrip_mask,
            ("QUOTA_GIVEN", _) => state.prepared[app],
            ("QUOTA", _) => seen.quota[app],
            ("PSEL", _) => seen.psel[app].into(),
            ("UCP_MASK", _) => seen.ucp_mask,
            ("RRIP_MASK", _) => seen.rrip_mask,
            ("STREAMING", _) => seen.streaming,
            ("XSRATIO", _) => seen.xsratio,
            ("OVERFLOW_EVICTIONS", _) => seen.overflow_evictions,
            ("OVERFLOW_ACCESSES", "HITS") => seen.overflow_accesses & 1,
            ("OVERFLOW_ACCESSES", _) => seen.overflow_accesses >> 1,
            ("IRQ_STATUS", "PERIOD") => state.status.period.into(),
            ("IRQ_STATUS", _) => state.status.decided.into(),
            ("IRQ_ENABLE", "PERIOD") => state.enable.period.into(),
            ("IRQ_ENABLE", _) => state.enable.decided.into(),
            _ if counter(place).is_some() => seen.read_count,
            (register, name) => self.parameter(register, name),
        }
    }

    /// The registers that show parameters.
    fn parameter(&self, register: &str, name: &str) -> u64 {
        let params = &self.params;
        let value = match name {
            "WAYS" => params.ways,
            "APPLICATIONS" => params.applications,
            "CORES" => params.cores,
            "SET_W" => clog2(params.sets),
            "CNT_W" => params.cnt_w,
            "PSEL_W" => params.psel_w,
            "XS_W" => params.xs_w,
            "T_XS" => params.t_xs,
            "LEADER_W" => clog2(params.leaders),
            "SAMPLED_W" => clog2(params.sampled),
            "TILE_W" => clog2(params.tiles),
            "ROTATE" => params.rotate,
            _ => return identity(register, name, UNIT),
        };
        value as u64
    }
}

#[cfg(test)]
mod tests;
