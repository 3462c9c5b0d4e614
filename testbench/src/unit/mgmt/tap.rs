//! `tap` under test.
//!
//! Stimulus: accesses and misses, also of any magnitude before; periods with numbers of accesses and
//! thresholds around what makes an application stream, or with one bit of each alone; decisions with any applications of the GPU, mostly one.
//!
//! Functional coverage: each application next to both thresholds; misses at the counter's limit and
//! where a period opens; masks of each application by what they follow from.
//!
//! Example waveform: a GPU that caching does not help, and a CPU application that begins to stream.
//!
//! Facts: none but the rules.

use cotenant_golden::mgmt::tap::{streams, In, Params, Tap as Model, RATE_W};
use cotenant_golden::mgmt::ByApplication;

use crate::unit::llc::shared::{near_limit, DISTANCE};
use crate::unit::prelude::*;

/// The unit [`tap`](cotenant_golden::mgmt::tap).
#[derive(Debug, Clone, Copy)]
pub struct Tap;

impl Interface for Tap {
    const NAME: &'static str = "tap";
    const SUMMARY: &'static str = "the masks and the ratio that UCP and RRIP follow under TAP";
    const PLACE: Place = Place::Cache;
    type Model = Model;

    fn probe(_: &Params, register: &str, at: &[usize]) -> Probe {
        Probe::Value(match register {
            "streaming[]" => format!("streaming_register[{}]", at[0]),
            "ucp_mask[]" => format!("ucp_mask_register[{}]", at[0]),
            "rrip_mask[]" => format!("rrip_mask_register[{}]", at[0]),
            "xsratio" => "xsratio_register".into(),
            "start" => "start_register".into(),
            _ => subscripted(register, at),
        })
    }

    from_golden!();
}

/// What happens in a cycle.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Transaction {
    /// Reset.
    pub reset: bool,
    /// There is an access.
    pub valid: bool,
    /// It hits.
    pub hit: bool,
    /// The accessing application, modulo their number; of a bubble any code.
    pub app: u8,
    /// The period ends.
    pub period: bool,
    /// TAP-S.
    pub detect: bool,
    /// The fewest accesses of a streaming application, cut to their width; at least 1 where a period
    /// ends.
    pub fewest: u64,
    /// In place of that, as many as the misses of this application, modulo their number, come to with
    /// the rate.
    pub fewest_of: Option<u8>,
    /// The fewest misses in 256 accesses.
    pub rate: u8,
    /// Accesses of each application; missing ones none.
    pub accesses: Vec<Accesses>,
    /// The applications of the GPU.
    pub gpu: u64,
    /// Those that caching does not help.
    pub insensitive: u64,
    /// The ratio, cut to its width; at least 1 where it is new.
    pub xsratio: u16,
    /// It is new.
    pub decides: bool,
}

/// Accesses of an application in the period that ends, as they are told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Accesses {
    /// None.
    #[default]
    None,
    /// As many as the fewest with which it streams, and so many more, or less.
    Fewest(i8),
    /// As many as its misses come to with the rate, and so many more, or less.
    Rate(i8),
    /// So many.
    Any(u64),
}

impl Drive for Tap {
    type Transaction = Transaction;
    type World = ();
    const PROFILES: &'static [Profile] = &[
        Profile::Uniform,
        Profile::Skewed,
        Profile::Bursts,
        Profile::Hits,
        Profile::Misses,
        Profile::Saturation,
        Profile::Idle,
        Profile::Storms,
    ];
    const FAR_STARTS: u64 = 320;

    fn kernels(params: &Params) -> usize {
        params.applications
    }

    fn world(_: &Params) {}

    fn idle(params: &Params) -> In {
        In {
            accesses: ByApplication::from_fn(params.applications, |_| 0),
            stream_accesses: 1,
            xsratio: 1,
            ..In::default()
        }
    }

    fn resolve(params: &Params, model: &Model, (): &mut (), what: &Transaction, input: &mut In) {
        let Params { applications, .. } = *params;
        let state = model.state();
        let limit = ones(params.cnt_w);
        let rate = u64::from(what.rate);
        let of_rate = |i: usize| ((state.misses[i] << RATE_W) / rate.max(1)).min(limit);
        let fewest = match what.fewest_of {
            Some(app) => of_rate(usize::from(app) % applications),
            None => what.fewest & limit,
        };
        let fewest = match fewest {
            0 if what.period => 1,
            fewest => fewest,
        };
        let near = |number: u64, off: i8| number.saturating_add_signed(off.into()).min(limit);
        *input = In {
            reset: what.reset,
            access_valid: what.valid,
            access_hit: what.hit,
            access_app: match what.valid {
                true => what.app % applications as u8,
                false => what.app & ones(id_w(applications)) as u8,
            },
            period: what.period,
            accesses: ByApplication::from_fn(params.applications, |i| {
                match what.accesses.get(i).copied().unwrap_or_default() {
                    Accesses::None => 0,
                    Accesses::Fewest(off) => near(fewest, off),
                    Accesses::Rate(off) => near(of_rate(i), off),
                    Accesses::Any(accesses) => accesses & limit,
                }
            }),
            detect: what.detect,
            stream_accesses: fewest,
            stream_rate: rate,
            gpu: what.gpu & ones(applications),
            insensitive: what.insensitive & ones(applications),
            xsratio: match u64::from(what.xsratio) & ones(params.xs_w) {
                0 if what.decides => 1,
                ratio => ratio,
            },
            xsratio_done: what.decides,
        };
    }

    fn draw(
        params: &Params,
        knobs: &Knobs,
        pace: &mut Pace,
        random: &mut Random,
        transaction: &mut Transaction,
    ) {
        let bits = random.bits();
        transaction.reset = random.chance(knobs.reset);
        transaction.valid = random.chance(knobs.access);
        transaction.hit = random.chance(knobs.hit);
        transaction.app = pace.kid(knobs.kernels, random);
        if bits & 15 == 0 {
            transaction.app = (bits >> 8) as u8;
        }
        // For a while all do alike, so that all of CPUs stream, or none; and periods are short or long.
        let (alike, short) = (
            pace.character(u8::MAX) & 3,
            pace.character(u8::MAX) >> 2 & 1,
        );
        transaction.period = random.chance(knobs.snapshot) || short == 1 && bits >> 4 & 15 == 0;
        transaction.detect = bits >> 16 & 3 != 0;
        transaction.fewest = match bits >> 20 & 3 {
            1.. if alike == 1 => 1,
            0 => random.bits(),
            _ => 1 + random.below(8) as u64,
        };
        transaction.fewest_of = (bits >> 24 & 3 == 0).then_some((bits >> 26) as u8);
        transaction.rate = match bits >> 22 & 3 {
            0 | 1 => random.bits() as u8,
            // So that misses come to whole numbers of accesses.
            _ => 1 << random.below(8),
        };
        transaction.accesses.clear();
        for _ in 0..params.applications {
            let bits = random.bits();
            let off = (bits >> 8 & 3) as i8 - 1;
            transaction.accesses.push(match (alike, bits & 7) {
                (1, _) => Accesses::Rate(off.min(0)),
                (_, 0 | 1) => Accesses::Rate(off),
                (2, 2..) | (_, 2) => Accesses::None,
                (_, 3 | 4) => Accesses::Fewest(off),
                // Alone, each bit of a product counts.
                (_, 5) => Accesses::Any(1 << random.below(params.cnt_w)),
                _ => Accesses::Any(bits >> 16 >> (bits >> 10 & 31)),
            });
        }
        let bits = random.bits();
        transaction.gpu = match bits & 7 {
            0 => bits >> 32,
            1 => u64::MAX,
            2 => 0,
            _ => 1 << ((pace.character(u8::MAX) >> 8) % params.applications as u64),
        };
        transaction.insensitive = match bits >> 3 & 3 {
            0 => bits >> 48,
            1 => 0,
            _ => u64::MAX,
        };
        transaction.xsratio = match bits >> 5 & 3 {
            0 => random.bits() as u16,
            1 => random.below(4) as u16,
            _ => 1,
        };
        transaction.decides = bits >> 7 & 7 == 0;
    }

    /// Counters of misses near their limit, or of any magnitude.
    fn far(params: &Params, random: &mut Random) -> Option<Model> {
        let mut model = Model::new(params.clone()).ok()?;
        near_limit(
            (params.applications, 1),
            params.cnt_w,
            DISTANCE,
            random,
            |application, _, count| model.preset(application, count),
        );
        for application in 0..params.applications {
            if random.chance(Odds::one_in(4)) {
                let count = random.bits() & ones(params.cnt_w);
                let magnitude = random.below(params.cnt_w) + 1;
                model.preset(application, count >> random.below(magnitude));
            }
        }
        Some(model)
    }
}

/// Where a number of accesses is.
const ACCESSES: [&str; 4] = ["none", "too few", "the fewest", "more"];
/// Where a miss rate is.
const RATES: [&str; 3] = ["too low", "the lowest", "higher"];
/// Where a counter goes.
const COUNTERS: [&str; 3] = ["counts", "reaches the limit", "is at the limit"];
/// What CPU applications do.
const CPUS: [&str; 4] = [
    "none streams",
    "some stream",
    "all stream",
    "there are none",
];
/// A ratio.
const RATIOS: [&str; 3] = ["1", "2", "more"];

collector! {
    /// Sorts periods, misses and decisions.
    pub struct Collector {
        crosses { streams, counters, openings, masks, ratios, everyone }
        params: Params,
    }
}

impl Cover for Tap {
    type Collector = Collector;

    fn collector(params: &Params) -> Collector {
        let (one_bit, two) = (params.cnt_w == 1, params.applications == 2);
        Collector {
            params: params.clone(),
            streams: Cross::named("periods end")
                .numbers("application", params.applications)
                .axis("accesses", ACCESSES)
                .axis("miss rate", RATES)
                .flag("detect")
                .without("nothing is a rate of none", |at| at[1] == 0 && at[2] == 0)
                .without("accesses have one bit", move |at| {
                    one_bit && (at[1] == 1 || at[1] == 3)
                }),
            counters: Cross::named("misses")
                .numbers("application", params.applications)
                .axis("its counter", COUNTERS)
                .without("counters have one bit", move |at| one_bit && at[1] == 0),
            openings: Cross::named("openings of periods")
                .numbers("application", params.applications)
                .axis("access", ["hit", "miss"]),
            masks: Cross::named("decisions")
                .numbers("application", params.applications)
                .axis("is", ["of a CPU", "of the GPU"])
                .flag("insensitive")
                .flag("streams")
                .axis("of CPU applications", CPUS)
                .without("there is one", |at| at[1] == 0 && at[4] == 3)
                .without("it is one of them", |at| {
                    at[1] == 0 && at[3] == 1 && at[4] == 0
                })
                .without("there are two applications", move |at| {
                    two && at[1] == 1 && at[4] == 1
                }),
            ratios: Cross::named("ratios")
                .axis("ratio", RATIOS)
                .axis("of CPU applications", CPUS)
                .flag("some application of the GPU is insensitive")
                .without("there are two applications", move |at| {
                    two && at[1] == 1 && at[2] == 1
                }),
            everyone: Cross::named("masked applications")
                .axis(
                    "one way only",
                    ["none", "some", "all but one", "all, so none"],
                )
                .without("some of two are all but one", move |at| two && at[0] == 1),
        }
    }
}

impl Collect<Tap> for Collector {
    fn sample(&mut self, model: &Model, input: &In) {
        if input.reset {
            return;
        }
        let state = model.state();
        let applications = self.params.applications;
        let missed = input.access_valid && !input.access_hit;
        let app = usize::from(input.access_app);
        if input.period {
            for (i, (&accesses, &misses)) in input.accesses.iter().zip(&state.misses).enumerate() {
                let many = match accesses {
                    0 => 0,
                    _ if accesses < input.stream_accesses => 1,
                    _ if accesses == input.stream_accesses => 2,
                    _ => 3,
                };
                let (ours, least) = (misses << RATE_W, accesses * input.stream_rate);
                let rate = match ours {
                    _ if ours < least => 0,
                    _ if ours == least => 1,
                    _ => 2,
                };
                debug_assert_eq!(many >= 2 && rate >= 1, streams(input, accesses, misses));
                self.streams.hit((i, many, rate, input.detect));
            }
            if input.access_valid {
                self.openings.hit((app, usize::from(missed)));
            }
        } else if missed {
            let class = match ones(self.params.cnt_w) - state.misses[app] {
                0 => 2,
                1 => 1,
                _ => 0,
            };
            self.counters.hit((app, class));
        }
        if input.xsratio_done {
            let cpu = ones(applications) & !input.gpu;
            let (streaming, active) = (state.streaming & cpu, state.active & cpu);
            let cpus = match streaming {
                _ if cpu == 0 => 3,
                0 => 0,
                _ if active & !streaming == 0 => 2,
                _ => 1,
            };
            let bit = |mask: u64, i: usize| (mask >> i & 1) as usize;
            for i in 0..applications {
                self.masks.hit((
                    i,
                    bit(input.gpu, i),
                    bit(input.insensitive, i),
                    bit(state.streaming, i),
                    cpus,
                ));
            }
            let ratio = (input.xsratio.min(3) - 1) as usize;
            let insensitive = input.insensitive & input.gpu;
            self.ratios.hit((ratio, cpus, insensitive != 0));
            let masked = streaming | if cpus == 2 { 0 } else { insensitive };
            self.everyone.hit(match masked.count_ones() as usize {
                0 => 0,
                count if count == applications => 3,
                count if count + 1 == applications => 2,
                _ => 1,
            });
        }
    }
}

impl Teach for Tap {
    const SETS: &'static [&'static str] = &["3w4c6"];

    fn scene(params: &Params) -> Scene<Self> {
        let idle = || In {
            stream_accesses: 2,
            stream_rate: 192,
            detect: true,
            ..Self::idle(params)
        };
        let access = |access_app, access_hit| In {
            access_valid: true,
            access_app,
            access_hit,
            ..idle()
        };
        let period = |accesses: [u64; 3]| In {
            period: true,
            accesses: ByApplication::from_fn(params.applications, |i| accesses[i]),
            ..idle()
        };
        let decide = |xsratio, insensitive: bool| In {
            gpu: 0b100,
            insensitive: u64::from(insensitive) << 2,
            xsratio,
            xsratio_done: true,
            ..idle()
        };
        let reset = In {
            reset: true,
            ..idle()
        };
        Scene::new("a GPU beside two applications, one of which streams")
            .group(
                "misses",
                [
                    row("access_valid"),
                    row("access_app").when("access_valid"),
                    row("access_hit").when("access_valid"),
                    row("misses[*]"),
                ],
            )
            .group(
                "streaming",
                [
                    row("period"),
                    row("accesses").when("period"),
                    row("streaming").binary(),
                ],
            )
            .group(
                "what was found out",
                [
                    row("xsratio_done"),
                    row("gpu").binary().when("xsratio_done"),
                    row("insensitive").binary().when("xsratio_done"),
                    row("xsratio").when("xsratio_done"),
                ],
            )
            .group(
                "for UCP and RRIP",
                [
                    row("start"),
                    row("ucp_mask").binary(),
                    row("ratio"),
                    row("rrip_mask").binary(),
                ],
            )
            .step(
                Step::new("Reset: no masks.", reset)
                    .then("ucp_mask", 0)
                    .then("rrip_mask", 0)
                    .then("ratio", [1, 1, 1]),
            )
            .step(
                Step::over(
                    "Application 0 misses twice, application 1 once, and hits.",
                    [access(0, false), access(0, false), access(1, false), access(1, true)],
                )
                .then("misses[*]", [2, 1, 0]),
            )
            .step(
                Step::new(
                    "The period ends. Two accesses of application 0, of which three quarters and more \
                     miss: it streams.",
                    period([2, 2, 40]),
                )
                .then("misses[*]", [0, 0, 0])
                .then("streaming", 0b001),
            )
            .step(
                Step::new(
                    "The ratio of the period is 9, and caching helps application 2, of the GPU.",
                    decide(9, false),
                )
                .then("start", 1)
                .then("ratio", [1, 1, 9]),
            )
            .step(
                Step::new(
                    "Its hits are divided and its lines are inserted as by BRRIP. The streaming one \
                     gets one way.",
                    idle(),
                )
                .sees("ucp_mask", 0b001)
                .sees("rrip_mask", 0b100)
                .then("start", 0),
            )
            .step(
                Step::new("Caching does not help it: both masks.", decide(1, true))
                    .then("ucp_mask", 0b101)
                    .then("rrip_mask", 0b100)
                    .then("ratio", [1, 1, 1]),
            )
            .step(
                Step::new(
                    "In the next period application 0 alone makes accesses beside the GPU's.",
                    access(0, false),
                )
                .then("misses[*]", [1, 0, 0]),
            )
            .step(Step::new("It misses always.", access(0, false)).then("misses[*]", [2, 0, 0]))
            .step(Step::new("It streams.", period([2, 0, 40])).then("streaming", 0b001))
            .step(
                Step::new(
                    "All applications of CPUs that do anything stream: masks of the GPU are reset.",
                    decide(9, true),
                )
                .then("ucp_mask", 0b001)
                .then("rrip_mask", 0)
                .then("ratio", [1, 1, 9]),
            )
            .step(Step::new("They stay until the next ratio.", idle()).sees("start", 1))
    }
}

impl Facts for Tap {}
