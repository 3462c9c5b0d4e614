//! Runs a comparison.

use super::report::{
    Comparison, PeriodReport, Periods, PolicyReport, Unit, POLICIES_SCHEMA as SCHEMA,
};
use crate::experiments::replay::Error;
use cotenant_golden::addr::mapping::Mapping;
use cotenant_golden::llc::cache::Geometry;
use cotenant_golden::mgmt::policy::{Config, Kind, SharedCache};
use cotenant_golden::workload::trace::{Options, Source, Trace, TraceError};
use cotenant_golden::workload::Access;

/// Accesses between two looks at the watcher.
const CHUNK: usize = 1 << 16;

/// The length of a period in cycles. ASSUMPTION: with a CPI of 2 as many as a core's 20-bit counter
/// of instructions holds (TAP, section 3.1.3).
pub const PERIOD_CYCLES: u64 = 1 << 21;

/// Its length in accesses, of a trace without cycles. ASSUMPTION: as many as an application makes in
/// [`PERIOD_CYCLES`] that accesses the cache a little more than 60 times per 1000 cycles, as the
/// paper's most memory-intensive CPU applications do (TAP, section 3.2).
pub const PERIOD_ACCESSES: u64 = 1 << 17;

/// What to compare.
#[derive(Debug, Clone)]
pub struct CompareRequest {
    /// The traces, interleaved access by access.
    pub sources: Vec<Source>,
    /// The cache.
    pub geometry: Geometry,
    /// Which set an address is in, if not by its bits.
    pub mapping: Option<Mapping>,
    /// The policies, beside LRU.
    pub policies: Vec<Kind>,
    /// What they are made with.
    pub config: Config,
    /// The length of a period; as said at [`PERIOD_CYCLES`] and [`PERIOD_ACCESSES`] if `None`.
    pub period: Option<u64>,
    /// What it is counted in; cycles if the first access has one, if `None`.
    pub unit: Option<Unit>,
    /// Caching helps the GPU's kernel, in all periods; estimated in each if `None`.
    pub caching_helps: Option<bool>,
}

/// A cache of each policy, and the periods so far.
struct Side {
    policy: Kind,
    cache: SharedCache,
    periods: Vec<PeriodReport>,
}

/// When periods end.
///
/// ASSUMPTION: the first one begins with the first access. A period of cycles without accesses ends
/// without a decision. Sources of a trace may disagree about the time: a cycle before the period's
/// first counts in it.
struct Clock {
    periods: Periods,
    /// Where the running period begins, once there is an access.
    from: Option<u64>,
}

impl Clock {
    /// An access comes: where the running period began, if the access is the first behind its end.
    fn ends(&mut self, access: &Access, number: u64) -> Result<Option<u64>, Error> {
        let now = match self.periods.unit {
            Unit::Accesses => number,
            Unit::Cycles => access.cycle.ok_or(Error::NoCycle { access: number })?,
        };
        let from = *self.from.get_or_insert(now);
        let gone = now.saturating_sub(from) / self.periods.length;
        if gone == 0 {
            return Ok(None);
        }
        self.from = Some(from + gone * self.periods.length);
        self.periods.ended += 1;
        Ok(Some(from))
    }
}

/// The accesses of a request, and all their addresses if a policy needs them beforehand.
struct Stream {
    trace: Trace,
    /// Those that were read already.
    read: std::vec::IntoIter<Access>,
    addresses: Vec<u64>,
}

impl Stream {
    fn open(request: &CompareRequest, watch: &mut dyn FnMut(u64) -> bool) -> Result<Self, Error> {
        let options = Options {
            line: request.geometry.line,
            kernels: request.geometry.kernels,
        };
        let mut trace = Trace::open(&request.sources, options)?.mapped(request.mapping.clone());
        let mut read = Vec::new();
        if request.policies.iter().any(|kind| kind.needs_future()) {
            while watch(0) {
                let before = read.len();
                for access in trace.by_ref().take(CHUNK) {
                    read.push(access?);
                }
                if read.len() == before {
                    break;
                }
            }
        }
        Ok(Self {
            addresses: read.iter().map(|access: &Access| access.address).collect(),
            trace,
            read: read.into_iter(),
        })
    }
}

impl Iterator for Stream {
    type Item = Result<Access, TraceError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.read.next().map(Ok).or_else(|| self.trace.next())
    }
}

/// Replays a trace under LRU and the policies of the request. `watch` is told the accesses done from
/// time to time and returns whether to go on; stopping is no error, the report says
/// `complete: false`.
///
/// Memory does not grow with the trace, but for one entry per period, and for `opt`, which needs all
/// accesses beforehand.
///
/// # Errors
/// [`Error`].
pub fn compare(
    request: &CompareRequest,
    watch: &mut dyn FnMut(u64) -> bool,
) -> Result<Comparison, Error> {
    let CompareRequest {
        geometry, config, ..
    } = request;
    geometry.check()?;
    let mut kinds = vec![Kind::Lru];
    for &kind in &request.policies {
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    // Whether there are all policies is known before a trace is read.
    let make = |policy: Kind, future: &[u64]| {
        let failed = |reason| Error::Policy { policy, reason };
        let made = policy.policy(geometry, config, future).map_err(failed)?;
        let cache = SharedCache::new(*geometry, made).map_err(failed)?;
        Ok::<Side, Error>(Side {
            policy,
            cache,
            periods: Vec::new(),
        })
    };
    for &kind in &kinds {
        make(kind, &[])?;
    }
    let mut stream = Stream::open(request, watch)?;
    let sides = kinds.iter().map(|&kind| make(kind, &stream.addresses));
    let mut sides: Vec<Side> = sides.collect::<Result<_, _>>()?;
    stream.addresses = Vec::new();

    let mut clock = None;
    let mut done = 0u64;
    let mut complete = true;
    loop {
        if !watch(done) {
            complete = false;
            break;
        }
        let before = done;
        for access in stream.by_ref().take(CHUNK) {
            let access = access?;
            let clock = clock.get_or_insert_with(|| begin(request, access.cycle.is_some()));
            if let Some(from) = clock.ends(&access, done)? {
                end(&mut sides, from, request.caching_helps);
            }
            for side in &mut sides {
                side.cache.access(access.kernel, access.address)?;
            }
            done += 1;
        }
        if done == before {
            break;
        }
    }
    if complete && done == 0 {
        return Err(Error::no_access(&request.sources, stream.trace.skipped()));
    }
    let clock = clock.unwrap_or_else(|| begin(request, false));
    // What was decided last, not what would be at the end of a part of a period.
    let decisions: Vec<_> = sides.iter().map(|side| side.cache.decision()).collect();
    if let Some(from) = clock.from {
        end(&mut sides, from, request.caching_helps);
    }
    let misses = |side: &Side| side.cache.counts().iter().map(|it| it.misses).sum::<u64>();
    let of_lru = sides.first().map_or(0, misses);
    let policies = sides.into_iter().zip(decisions).map(|(side, decision)| {
        let (misses, kernels) = (misses(&side), side.cache.counts().to_vec());
        PolicyReport {
            policy: side.policy,
            accesses: done,
            hits: done - misses,
            misses,
            misses_of_lru: (of_lru > 0).then(|| misses as f64 / of_lru as f64),
            kernels,
            occupancy: side.cache.occupancy(),
            decision,
            periods: side.periods,
        }
    });
    Ok(Comparison {
        schema: SCHEMA,
        policies: policies.collect(),
        gpu: config.gpu,
        period: clock.periods,
        skipped: stream.trace.skipped(),
        geometry: *geometry,
        complete,
    })
}

/// Periods of a trace whose accesses have cycles or not.
fn begin(request: &CompareRequest, has_cycles: bool) -> Clock {
    let unit = request.unit.unwrap_or(match has_cycles {
        true => Unit::Cycles,
        false => Unit::Accesses,
    });
    let length = request.period.unwrap_or(match unit {
        Unit::Cycles => PERIOD_CYCLES,
        Unit::Accesses => PERIOD_ACCESSES,
    });
    Clock {
        periods: Periods {
            length: length.max(1),
            unit,
            ended: 0,
        },
        from: None,
    }
}

fn end(sides: &mut [Side], from: u64, caching_helps: Option<bool>) {
    for side in sides {
        let period = side.cache.end_period(caching_helps);
        side.periods.push(PeriodReport { from, period });
    }
}
