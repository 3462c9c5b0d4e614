//! `managed_llc`: TAP's management of a cache that a GPU and CPUs share, as one piece of hardware.
//!
//! Source: TAP, sections 3 and 5.3, tables 2 and 4. The directory has the lines. As a period ends, its
//! accesses become XSRATIO, what two sampled cores have retired becomes the word that caching helps or
//! not, both become masks, and with these the hits that each application's monitor has seen become
//! quotas. Software says which policy the directory follows (LRU; quotas; RRIP), whether it is that of
//! TAP, with masks and ratio, or without (UCP; DRRIP), and may give quotas and masks itself.
//!
//! It is made of the models of these units, which the policies of [`policy`](super::policy) check.
//!
//! Timing: an access at cycle t changes its set at the end of t + 1 and is reported at t + 2; it belongs
//! to the period in which it is reported. One that is reported in the cycle of `period` belongs to the
//! period that begins, as do instructions that retire in that cycle. With `period` at t the masks are
//! new at t + [`Params::masks_latency`], and the quotas at the latest [`ucp::Params::bound`] cycles
//! later; until then the old ones hold. A read given at t is answered at t + 1.
//!
//! ASSUMPTION: a monitor's period ends when its decision begins, with new masks; so what a decision
//! reads does not change under it. Each access is in one period of the monitors, too.
//! ASSUMPTION: a period that ends before the ratio of the one before is there drops that ratio; one that
//! ends later lets a decision go on, until the next one begins.
//! ASSUMPTION: there is one core sampling for all applications of the GPU; who runs on its cores is of
//! the GPU as `gpu` says in the cycle of the access.
//! ASSUMPTION: a tile of the cache has every (tiles)-th set, so that low bits of a set name it.
//! ASSUMPTION: masks given by software that would leave each application one way leave all unmasked.
//! Quotas given by software hold as they are.
//! ASSUMPTION: without TAP an application's hits are not divided, and there are no masks but those that
//! software gives. Sampled cores keep their policies.
//! ASSUMPTION: invalidations are not told to monitors and counters.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::core_sampling::{self, ByCore, ByTile, CoreSampling, MAX_CORES, MAX_TILES};
use super::managed_directory::{self, ManagedDirectory};
use super::tap::{self, Tap, RATE_W};
use super::ucp::{self, Ucp};
use super::umon::{self, Umon};
use super::xsratio::{self, Xsratio};
use super::{ByApplication, MAX_APPLICATIONS};
use crate::delay::Delayed;
use crate::llc::counter_matrix::{self, Answer, CounterMatrix, Kinds, READ_LATENCY};
use crate::llc::{clog2, id_w, pos_w};
use crate::model::{limit, Model, ParamError, Part, Violation};
use crate::ports::{Parameters, Ports, Registers};
use crate::rules::*;
use crate::Inline;

/// Parameters of [`ManagedLlc`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Parameters)]
pub struct Params {
    /// Ways of a set, 2 to 32.
    #[range(2..=32)]
    pub ways: usize,
    /// Sets, a power of two.
    #[range(4..=1 << 24)]
    pub sets: usize,
    /// Number of applications, 2 to [`MAX_APPLICATIONS`], not more than there are ways.
    #[range(2..=MAX_APPLICATIONS.min(p.ways).min(p.sets / 2))]
    pub applications: usize,
    /// Leader sets of each policy and application, a power of two.
    #[range(1..=p.sets / (2 * p.applications))]
    pub leaders: usize,
    /// Sets that are monitored, a power of two from 2 to `sets`.
    #[range(2..=p.sets)]
    pub sampled: usize,
    /// GPU cores, 2 to [`MAX_CORES`].
    #[range(2..=MAX_CORES)]
    pub cores: usize,
    /// Tiles of the cache, a power of two up to [`MAX_TILES`].
    #[range(1..=MAX_TILES.min(p.sets))]
    pub tiles: usize,
    /// Bits of a tag, 1 to 64.
    #[range(1..=64)]
    pub tag_w: usize,
    /// Bits of a prediction, 1 to 8.
    #[range(1..=8)]
    pub rrpv_w: usize,
    /// Bits of a policy selector, 2 to 16.
    #[range(2..=16)]
    pub psel_w: usize,
    /// What the shift register of draws begins with.
    #[range(1..=limit(31) as usize)]
    pub seed: usize,
    /// Bits of XSRATIO, 2 to 16.
    #[range(2..=16)]
    pub xs_w: usize,
    /// Bits of a counter of accesses, from `xs_w` to 32.
    #[range(p.xs_w..=32)]
    pub cnt_w: usize,
    /// T_xs, the largest ratio that is none; below the largest one.
    #[range(1..=limit(p.xs_w) as usize - 1)]
    pub t_xs: usize,
    /// Bits of a core's id, enough for all cores, at most 8.
    #[range(id_w(p.cores)..=8)]
    pub id_w: usize,
    /// Bits of the instructions that a core retires in a cycle, 1 to 8.
    #[range(1..=8)]
    pub retired_w: usize,
    /// Bits of a counter of instructions, from `retired_w` to 32.
    #[range(p.retired_w..=32)]
    pub instr_w: usize,
    /// 1: sampled cores rotate; 0: they do not.
    #[range(0..=1)]
    pub rotate: usize,
}

impl Params {
    /// Those of the directory.
    pub fn directory(&self) -> managed_directory::Params {
        managed_directory::Params {
            ways: self.ways,
            sets: self.sets,
            applications: self.applications,
            leaders: self.leaders,
            tag_w: self.tag_w,
            rrpv_w: self.rrpv_w,
            psel_w: self.psel_w,
            seed: self.seed,
        }
    }

    /// Those of an application's monitor.
    pub fn monitor(&self) -> umon::Params {
        umon::Params {
            ways: self.ways,
            sets: self.sets,
            sampled: self.sampled,
            tag_w: self.tag_w,
            cnt_w: self.cnt_w,
        }
    }

    /// Those of who gives out the ways.
    pub fn ucp(&self) -> ucp::Params {
        ucp::Params {
            ways: self.ways,
            applications: self.applications,
            cnt_w: self.cnt_w,
            xs_w: self.xs_w,
        }
    }

    /// Those of the ratio.
    pub fn xsratio(&self) -> xsratio::Params {
        xsratio::Params {
            applications: self.applications,
            xs_w: self.xs_w,
            cnt_w: self.cnt_w,
            t_xs: self.t_xs,
        }
    }

    /// Those of core sampling.
    pub fn sampling(&self) -> core_sampling::Params {
        core_sampling::Params {
            cores: self.cores,
            tiles: self.tiles,
            id_w: self.id_w,
            retired_w: self.retired_w,
            cnt_w: self.instr_w,
            rotate: self.rotate,
        }
    }

    /// Those of the masks.
    pub fn tap(&self) -> tap::Params {
        tap::Params {
            applications: self.applications,
            xs_w: self.xs_w,
            cnt_w: self.cnt_w,
        }
    }

    /// Those of the counters of evictions, by owner and evictor.
    pub fn evictions(&self) -> counter_matrix::Params {
        counter_matrix::Params {
            kernels: self.applications,
            inc_w: 1,
            cnt_w: self.cnt_w,
        }
    }

    /// Those of the counters of hits and misses.
    pub fn accesses(&self) -> Kinds {
        Kinds {
            kinds: 2,
            kernels: self.applications,
            cnt_w: self.cnt_w,
        }
    }

    /// Cycles from the end of a period to its masks.
    pub fn masks_latency(&self) -> usize {
        self.xsratio().latency() + 1
    }
}

/// Input ports.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, Ports)]
pub struct In {
    /// Synchronous reset.
    pub reset: bool,
    /// There is an access this cycle.
    pub access_valid: bool,
    /// It does not access the line, but invalidates it, if there is one.
    pub access_invalidate: bool,
    /// Its set.
    #[port(clog2(p.sets))]
    pub access_set: u32,
    /// Its tag.
    #[port(p.tag_w)]
    pub access_tag: u64,
    /// The accessing application.
    #[port(id_w(p.applications))]
    pub access_app: u8,
    /// The accessing core, if the application is of the GPU.
    #[port(p.id_w)]
    pub access_core: u8,
    /// Instructions that each core of the GPU retires in this cycle.
    #[port([p.retired_w; p.cores])]
    pub retired: ByCore,
    /// A period ends.
    pub period: bool,
    /// The policy: 0 LRU, 1 quotas, 2 and 3 RRIP.
    #[port(2)]
    pub policy: u8,
    /// It is that of TAP: masks and ratio count.
    pub aware: bool,
    /// The applications that are of the GPU.
    #[port([1; p.applications])]
    pub gpu: u64,
    /// The period that begins is sampled; looked at with `period`.
    pub sample: bool,
    /// With `period`: the cores that are named become the sampled ones.
    pub choose: bool,
    /// The core that becomes Core-POL1.
    #[port(p.id_w)]
    pub choose_pol1: u8,
    /// The core that becomes Core-POL2.
    #[port(p.id_w)]
    pub choose_pol2: u8,
    /// TAP-S: streaming applications are looked for; looked at with `period`, as the next two.
    pub detect: bool,
    /// The fewest accesses of a streaming application in a period.
    #[port(p.cnt_w)]
    pub stream_accesses: u64,
    /// The fewest misses in 256 accesses of a streaming application.
    #[port(RATE_W)]
    pub stream_rate: u64,
    /// Quotas are those that software gives.
    pub quota_override: bool,
    /// The ways of each application then.
    #[port([pos_w(p.ways); p.applications])]
    pub quota_given: ByApplication,
    /// Masks are those that software gives.
    pub mask_override: bool,
    /// The applications that get one way only then.
    #[port([1; p.applications])]
    pub ucp_mask_given: u64,
    /// The RRIP-Masks then.
    #[port([1; p.applications])]
    pub rrip_mask_given: u64,
    /// What to read: 0 evictions, 1 hits and misses.
    pub read_matrix: bool,
    /// Row to read: the owner of evicted lines; of accesses 0 hits, 1 misses. Unknown ones read 0.
    #[port(id_w(p.applications))]
    pub read_row: u8,
    /// Column to read: the application that evicted, or accessed. Unknown ones read 0.
    #[port(id_w(p.applications))]
    pub read_app: u8,
    /// Read the counter as it is now, before this cycle's increment, not as the last period left it.
    pub read_live: bool,
}

impl In {
    /// The inputs of an idle cycle.
    pub fn idle(params: &Params) -> Self {
        Self {
            retired: ByCore::from_fn(params.cores, |_| 0),
            quota_given: ByApplication::from_fn(params.applications, |_| 0),
            ..Self::default()
        }
    }
}

/// Output ports; registered but `quota`, `ucp_mask` and `rrip_mask`, which follow the overrides.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Ports)]
pub struct Out {
    /// Accesses are taken.
    pub ready: bool,
    /// An access was done, of which the next ports tell.
    pub done_valid: bool,
    /// Whose.
    #[port(id_w(p.applications))]
    pub done_app: u8,
    /// It hit.
    pub done_hit: bool,
    /// It filled a way.
    pub done_fill: bool,
    /// The way that it hit or filled; 0 if none.
    #[port(id_w(p.ways))]
    pub done_way: u8,
    /// It replaced a valid line.
    pub done_evict: bool,
    /// Who owned the line hit or replaced; 0 if there was none.
    #[port(id_w(p.applications))]
    pub done_owner: u8,
    /// The policy selectors.
    #[port([p.psel_w; p.applications])]
    pub psel: Inline<u16, MAX_APPLICATIONS>,
    /// What follows from the end of a period is still being found out.
    pub busy: bool,
    /// Quotas of a period are new in this cycle.
    pub decided: bool,
    /// The ways of each application, as they hold.
    #[port([pos_w(p.ways); p.applications])]
    pub quota: ByApplication,
    /// The applications that get one way only in a decision that begins now.
    #[port([1; p.applications])]
    pub ucp_mask: u64,
    /// The RRIP-Mask of each application, as it holds.
    #[port([1; p.applications])]
    pub rrip_mask: u64,
    /// The newest ratio.
    #[port(p.xs_w)]
    pub xsratio: u64,
    /// Caching does not help the GPU.
    pub insensitive: bool,
    /// The applications that streamed in the last period.
    #[port([1; p.applications])]
    pub streaming: u64,
    /// The counter addressed in the cycle before, of the last period or the running one.
    #[port(p.cnt_w)]
    pub read_count: u64,
    /// That counter has saturated in its period: there were more events.
    pub read_overflow: bool,
    /// Owners of whose counters of evictions at least one saturated in the last period.
    #[port([1; p.applications])]
    pub overflow_evictions: u64,
    /// Bit 0: a counter of hits saturated in the last period; bit 1: one of misses.
    #[port([1; 2])]
    pub overflow_accesses: u64,
    /// Periods ended since reset, modulo 256.
    #[port(8)]
    pub sequence_number: u8,
}

/// Registers and memories: those of the parts.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, Registers)]
pub struct State {
    /// The lines.
    #[register(nested(p.directory()))]
    pub directory: managed_directory::State,
    /// What hits each application would have, by itself.
    #[register([nested(p.monitor()); p.applications])]
    pub monitor: Vec<umon::State>,
    /// The accesses of the period and their ratio.
    #[register(nested(p.xsratio()))]
    pub gpu_ratio: xsratio::State,
    /// The instructions of the period and the sampled cores.
    #[register(nested(p.sampling()))]
    pub sampler: core_sampling::State,
    /// The masks.
    #[register(nested(p.tap()))]
    pub masks: tap::State,
    /// The quotas.
    #[register(nested(p.ucp()))]
    pub shares: ucp::State,
    /// Evictions, `count[owner][evictor]`.
    #[register(nested(p.evictions()))]
    pub evictions: counter_matrix::State,
    /// Row 0 counts hits, row 1 misses, by application.
    #[register(nested(p.accesses()))]
    pub accesses: counter_matrix::State,
    /// What was asked for in the cycles before; [`READ_LATENCY`].
    #[register(skip)]
    pub answers: Delayed<Answer>,
}

/// The parts, which work on the registers in [`State`].
#[derive(Debug, Clone)]
struct Parts {
    directory: ManagedDirectory,
    monitor: Vec<Umon>,
    gpu_ratio: Xsratio,
    sampler: CoreSampling,
    masks: Tap,
    shares: Ucp,
    evictions: CounterMatrix,
    accesses: CounterMatrix,
}

/// The model.
#[derive(Debug, Clone)]
pub struct ManagedLlc {
    params: Params,
    rules: Arc<Rules<In, State>>,
    state: State,
    parts: Parts,
}

impl ManagedLlc {
    /// Lets the directory `act`, to find or come to a state.
    pub fn with_directory<R>(&mut self, act: impl FnOnce(&mut ManagedDirectory) -> R) -> R {
        self.parts.directory.on(&mut self.state.directory, act)
    }

    /// The same of each application's monitor; its number comes first.
    pub fn with_monitors(&mut self, mut act: impl FnMut(usize, &mut Umon)) {
        let monitors = self.parts.monitor.iter_mut().zip(&mut self.state.monitor);
        for (application, (monitor, registers)) in monitors.enumerate() {
            monitor.on(registers, |monitor| act(application, monitor));
        }
    }

    /// The same of the ratio.
    pub fn with_ratio<R>(&mut self, act: impl FnOnce(&mut Xsratio) -> R) -> R {
        self.parts.gpu_ratio.on(&mut self.state.gpu_ratio, act)
    }

    /// The same of core sampling.
    pub fn with_sampling<R>(&mut self, act: impl FnOnce(&mut CoreSampling) -> R) -> R {
        self.parts.sampler.on(&mut self.state.sampler, act)
    }

    /// The same of the masks.
    pub fn with_masks<R>(&mut self, act: impl FnOnce(&mut Tap) -> R) -> R {
        self.parts.masks.on(&mut self.state.masks, act)
    }

    /// The same of the quotas.
    pub fn with_shares<R>(&mut self, act: impl FnOnce(&mut Ucp) -> R) -> R {
        self.parts.shares.on(&mut self.state.shares, act)
    }

    /// The same of the counters of evictions.
    pub fn with_evictions<R>(&mut self, act: impl FnOnce(&mut CounterMatrix) -> R) -> R {
        self.parts.evictions.on(&mut self.state.evictions, act)
    }

    /// The same of the counters of hits and misses.
    pub fn with_accesses<R>(&mut self, act: impl FnOnce(&mut CounterMatrix) -> R) -> R {
        self.parts.accesses.on(&mut self.state.accesses, act)
    }

    /// The set that was written at the last edge, and the ways whose tags were.
    pub fn written(&self) -> Option<(usize, u64)> {
        self.parts.directory.written()
    }

    /// The stack of each application that was written at the last edge.
    pub fn stacked(&self) -> impl Iterator<Item = Option<usize>> + '_ {
        self.parts.monitor.iter().map(Umon::written)
    }

    /// The masks as they hold: who gets one way only, and the RRIP-Masks.
    fn masks(&self, input: &In) -> (u64, u64) {
        let all = limit(self.params.applications);
        match (input.mask_override, input.aware) {
            (true, _) if input.ucp_mask_given == all => (0, input.rrip_mask_given),
            (true, _) => (input.ucp_mask_given, input.rrip_mask_given),
            (false, true) => (self.state.masks.ucp_mask, self.state.masks.rrip_mask),
            (false, false) => (0, 0),
        }
    }

    /// The quotas as they hold.
    fn quota(&self, input: &In) -> ByApplication {
        match input.quota_override {
            true => input.quota_given,
            false => ByApplication::copied(&self.state.shares.quota),
        }
    }

    /// Which sampled core makes the access; the other parts of core sampling pass the cycle.
    fn sample(&mut self, input: &In) -> [bool; 2] {
        let Params { tiles, .. } = self.params;
        let tile = input.access_set as usize % tiles;
        let by_gpu = input.gpu >> input.access_app & 1;
        let asked = core_sampling::In {
            reset: input.reset,
            retired: input.retired,
            period: input.period,
            sample: input.sample,
            choose: input.choose,
            choose_pol1: input.choose_pol1,
            choose_pol2: input.choose_pol2,
            access_gpu: by_gpu << tile,
            access_core: ByTile::from_fn(tiles, |_| input.access_core),
        };
        let out = self.with_sampling(|sampling| sampling.step(&asked));
        [out.pol1, out.pol2].map(|tiles| tiles >> tile & 1 == 1)
    }

    /// The directory passes a cycle; what it did is told.
    fn access(
        &mut self,
        input: &In,
        [access_pol1, access_pol2]: [bool; 2],
    ) -> managed_directory::Out {
        let asked = managed_directory::In {
            reset: input.reset,
            access_valid: input.access_valid,
            access_invalidate: input.access_invalidate,
            access_set: input.access_set,
            access_tag: input.access_tag,
            access_app: input.access_app,
            access_pol1,
            access_pol2,
            policy: input.policy,
            quota: self.quota(input),
            rrip_mask: self.masks(input).1,
        };
        self.with_directory(|directory| directory.step(&asked))
    }

    /// The counters pass a cycle, with what an access did.
    fn count(&mut self, input: &In, done: &managed_directory::Out) {
        let one = |rows: usize, at: u8| {
            (0..rows)
                .map(|row| u32::from(row == usize::from(at)))
                .collect()
        };
        let of = |inc_valid, inc| counter_matrix::In {
            reset: input.reset,
            inc_valid,
            inc_kid: done.done_app,
            inc,
            snapshot: input.period,
            ..counter_matrix::In::default()
        };
        let at = (input.read_row.into(), input.read_app.into());
        let matrix = match input.read_matrix {
            false => &self.state.evictions,
            true => &self.state.accesses,
        };
        let answer = matrix.at(at, input.read_live);
        self.state.answers.pass(answer);
        if input.reset {
            self.state.answers.clear(&Answer::default());
        }
        let evictions = of(
            done.done_evict,
            one(self.params.applications, done.done_owner),
        );
        self.with_evictions(|matrix| matrix.step(&evictions));
        let accesses = of(done.done_valid, one(2, (!done.done_hit).into()));
        self.with_accesses(|matrix| matrix.step(&accesses));
    }

    /// The ratio, the masks and the quotas pass a cycle.
    fn decide(&mut self, input: &In, done: &managed_directory::Out, insensitive: bool) -> Decision {
        let Params { applications, .. } = self.params;
        let (ucp_mask, _) = self.masks(input);
        let asked = xsratio::In {
            reset: input.reset,
            access_valid: done.done_valid,
            access_app: done.done_app,
            period: input.period,
            gpu: input.gpu,
        };
        let ratio = self.with_ratio(|xsratio| xsratio.step(&asked));
        let asked = tap::In {
            reset: input.reset,
            access_valid: done.done_valid,
            access_hit: done.done_hit,
            access_app: done.done_app,
            period: input.period,
            accesses: ratio.accesses,
            detect: input.detect,
            stream_accesses: input.stream_accesses,
            stream_rate: input.stream_rate,
            gpu: input.gpu,
            insensitive: if insensitive { limit(applications) } else { 0 },
            xsratio: ratio.xsratio,
            xsratio_done: ratio.done,
        };
        let masks = self.with_masks(|tap| tap.step(&asked));
        let one = ByApplication::from_fn(applications, |_| 1);
        let hits = |monitor: &umon::State| monitor.answers.due_or_default();
        let asked = ucp::In {
            reset: input.reset,
            start: masks.start,
            ucp_mask,
            xsratio: if input.aware { masks.ratio } else { one },
            read_count: ByApplication::from_fn(applications, |app| hits(&self.state.monitor[app])),
        };
        let shares = self.with_shares(|ucp| ucp.step(&asked));
        Decision {
            ratio,
            masks,
            shares,
        }
    }

    /// The monitors pass a cycle.
    fn monitor(&mut self, input: &In, taken: bool, decision: &Decision) {
        let (snapshot, read_position) = (decision.masks.start, decision.shares.read_position);
        self.with_monitors(|application, monitor| {
            monitor.step(&umon::In {
                reset: input.reset,
                access_valid: taken && usize::from(input.access_app) == application,
                access_set: input.access_set,
                access_tag: input.access_tag,
                snapshot,
                read_position,
                read_live: false,
            });
        });
    }
}

/// What the ratio, the masks and the quotas are in a cycle.
struct Decision {
    ratio: xsratio::Out,
    masks: tap::Out,
    shares: ucp::Out,
}

impl Model for ManagedLlc {
    type Params = Params;
    type In = In;
    type Out = Out;
    type State = State;

    fn legal(params: &Params) -> Result<(), ParamError> {
        params.check_ranges()?;
        ParamError::power_of_two(
            "tiles",
            params.tiles as u64,
            "tile is a field of address bits",
        )?;
        ManagedDirectory::legal(&params.directory())?;
        Umon::legal(&params.monitor())
    }

    fn new(params: Params) -> Result<Self, ParamError> {
        Self::legal(&params)?;
        let accesses = counter_matrix::Params {
            kernels: params.applications,
            ..params.evictions()
        };
        let parts = Parts {
            directory: ManagedDirectory::new(params.directory())?,
            monitor: vec![Umon::new(params.monitor())?; params.applications],
            gpu_ratio: Xsratio::new(params.xsratio())?,
            sampler: CoreSampling::new(params.sampling())?,
            masks: Tap::new(params.tap())?,
            shares: Ucp::new(params.ucp())?,
            evictions: CounterMatrix::new(params.evictions())?,
            accesses: CounterMatrix::with_rows(2, accesses)?,
        };
        let state = State {
            directory: parts.directory.state().clone(),
            monitor: parts.monitor.iter().map(|it| it.state().clone()).collect(),
            gpu_ratio: parts.gpu_ratio.state().clone(),
            sampler: parts.sampler.state().clone(),
            masks: parts.masks.state().clone(),
            shares: parts.shares.state().clone(),
            evictions: parts.evictions.state().clone(),
            accesses: parts.accesses.state().clone(),
            answers: Delayed::new(READ_LATENCY, Answer::default()),
        };
        Ok(Self {
            rules: Arc::new(Self::rules(&params)),
            params,
            state,
            parts,
        })
    }

    fn params(&self) -> &Params {
        &self.params
    }

    fn reset(&mut self) {
        self.with_directory(Model::reset);
        self.with_monitors(|_, monitor| monitor.reset());
        self.with_ratio(Model::reset);
        self.with_sampling(Model::reset);
        self.with_masks(Model::reset);
        self.with_shares(Model::reset);
        self.with_evictions(Model::reset);
        self.with_accesses(Model::reset);
        self.state.answers.clear(&Answer::default());
    }

    fn step(&mut self, input: &In) -> Out {
        let (ucp_mask, rrip_mask) = self.masks(input);
        let quota = self.quota(input);
        let State {
            directory,
            sampler,
            evictions,
            accesses,
            answers,
            ..
        } = &self.state;
        let (answer, insensitive) = (answers.due_or_default(), sampler.insensitive);
        let marks = (evictions.overflow(), accesses.overflow());
        let sequence_number = evictions.sequence_number;
        let taken = input.access_valid && !input.access_invalidate && !directory.sweeping;
        let sampled = self.sample(input);
        let done = self.access(input, sampled);
        self.count(input, &done);
        let decision = self.decide(input, &done, insensitive);
        self.monitor(input, taken, &decision);
        let Decision {
            ratio,
            masks,
            shares,
        } = decision;
        Out {
            ready: done.ready,
            done_valid: done.done_valid,
            done_app: done.done_app,
            done_hit: done.done_hit,
            done_fill: done.done_fill,
            done_way: done.done_way,
            done_evict: done.done_evict,
            done_owner: done.done_owner,
            psel: done.psel,
            busy: ratio.busy || ratio.done || masks.start || shares.busy,
            decided: shares.done,
            quota,
            ucp_mask,
            rrip_mask,
            xsratio: ratio.xsratio,
            insensitive,
            streaming: masks.streaming,
            read_count: answer.count,
            read_overflow: answer.overflow,
            overflow_evictions: marks.0,
            overflow_accesses: marks.1,
            sequence_number,
        }
    }

    fn state(&self) -> &State {
        &self.state
    }

    fn rules(p: &Params) -> Rules<In, State> {
        Rules::new()
            .legal(
                "known_application",
                "The application is one that there is, whether there is an access or not.",
                input!(access_app).below(p.applications),
            )
            .legal(
                "known_cores",
                "Cores that are assigned are two different ones that there are.",
                input!(choose).implies(all([
                    input!(choose_pol1).below(p.cores),
                    input!(choose_pol2).below(p.cores),
                    input!(choose_pol1).is(input!(choose_pol2)).not(),
                ])),
            )
            .legal(
                "some_accesses",
                "Without an access nothing streams.",
                input!(period).implies(input!(stream_accesses).at_least(1usize)),
            )
    }

    fn assume(&self, input: &In) -> Result<(), Violation> {
        self.rules.check(&self.params, input, &self.state)
    }
}

impl Part for ManagedLlc {
    fn registers(&mut self) -> &mut State {
        &mut self.state
    }
}

#[cfg(test)]
mod tests;
