//! `xsratio` under test.
//!
//! Stimulus: accesses of applications, now and then mostly of one; periods end at any time and with
//! each ratio next to the threshold; few accesses, any number of them, and counters near their limit.
//!
//! Functional coverage: accesses of each application at each place of its counter, and in the cycle in
//! which a period opens; who leads; ratios at their edges; periods that end during a division.
//!
//! Example waveform: a ratio, from the accesses to XSRATIO, and one that is not above the threshold.
//!
//! Facts: the most accesses follow from the counters; what the divider holds matters while it divides,
//! and can still lead above the threshold; its remainder has no more bits than were divided.

use cotenant_golden::mgmt::xsratio::{In, Params, State, Xsratio as Model};

use crate::unit::llc::shared::{near_limit, DISTANCE};
use crate::unit::prelude::*;

/// The unit [`xsratio`](cotenant_golden::mgmt::xsratio).
#[derive(Debug, Clone, Copy)]
pub struct Xsratio;

impl Interface for Xsratio {
    const NAME: &'static str = "xsratio";
    const SUMMARY: &'static str = "how much more often a GPU accesses the cache than CPUs do";
    const PLACE: Place = Place::Cache;
    type Model = Model;

    /// The model knows how long a division takes, not its steps.
    fn working(flop: &str) -> bool {
        matches!(flop, "divisor" | "remainder" | "shift")
    }

    /// The divider has as many bits of the quotient as it has made steps.
    fn resumed(params: &Params, state: &State) -> Vec<(String, u128)> {
        let [gpu, cpu] = state.dividing;
        let (left, bits) = (state.left, params.cnt_w as u64);
        if left == 0 {
            return Vec::new();
        }
        let made = bits - left;
        let (used, unused) = (gpu >> left, gpu << made & ones(params.cnt_w));
        let (quotient, remainder) = match cpu {
            0 => ((1 << made) - 1, used),
            _ => (used / cpu, used % cpu),
        };
        let flops = [
            ("divisor", cpu),
            ("remainder", remainder),
            ("shift", unused | quotient),
        ];
        flops
            .into_iter()
            .map(|(flop, value)| (flop.into(), value.into()))
            .collect()
    }

    fn probe(_: &Params, register: &str, at: &[usize]) -> Probe {
        Probe::Value(match register {
            "accesses[]" => format!("count[{}]", at[0]),
            "gpu[]" => format!("of_gpu[{}]", at[0]),
            "xsratio" => "xsratio_register".into(),
            "done" => "done_register".into(),
            _ => subscripted(register, at),
        })
    }

    fn computed(params: &Params) -> Vec<StateField> {
        let most = |name: &str| StateField::value(name, params.cnt_w, name);
        vec![most("most_gpu"), most("most_cpu")]
    }

    fn pack_computed(_: &Params, state: &State, words: &mut Packer<'_>) {
        state.most().into_iter().for_each(|most| words.value(most));
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
    /// The accessing application, modulo their number; of a bubble any code.
    pub app: u8,
    /// The period ends.
    pub period: When,
    /// The applications that are of the GPU in the next one.
    pub gpu: u64,
}

/// When a period ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum When {
    /// Not in this cycle.
    #[default]
    Never,
    /// If the ratio is the threshold, one more, the largest or beyond, and no division is under way.
    Edge,
    /// In the last cycle of a division, which it drops.
    Last,
    /// If no division is under way.
    Idle,
    /// In this cycle.
    Now,
}

impl Drive for Xsratio {
    type Transaction = Transaction;
    type World = ();
    const PROFILES: &'static [Profile] = &[
        Profile::Uniform,
        Profile::Skewed,
        Profile::PingPong,
        Profile::Bursts,
        Profile::Saturation,
        Profile::Idle,
        Profile::Storms,
    ];
    const FAR_STARTS: u64 = 480;

    /// Long enough for a division.
    fn far_cycles(params: &Params) -> (u64, u64) {
        let division = params.cnt_w as u64;
        (division + 8, 4 * division)
    }

    fn kernels(params: &Params) -> usize {
        params.applications
    }

    fn world(_: &Params) {}

    fn idle(_: &Params) -> In {
        In::default()
    }

    fn resolve(params: &Params, model: &Model, (): &mut (), what: &Transaction, input: &mut In) {
        let state = model.state();
        let [gpu, cpu] = state.most();
        let ratio = gpu.checked_div(cpu);
        let (largest, threshold) = (ones(params.xs_w), params.t_xs as u64);
        let edge = |ratio: u64| ratio == threshold || ratio == threshold + 1 || ratio >= largest;
        *input = In {
            reset: what.reset,
            access_valid: what.valid,
            access_app: match what.valid {
                true => what.app % params.applications as u8,
                false => what.app & ones(id_w(params.applications)) as u8,
            },
            period: match what.period {
                When::Never => false,
                When::Edge => state.left == 0 && ratio.is_some_and(edge),
                When::Last => state.left == 1,
                When::Idle => state.left == 0,
                When::Now => true,
            },
            gpu: what.gpu & ones(params.applications),
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
        *transaction = Transaction {
            reset: random.chance(knobs.reset),
            valid: random.chance(knobs.access),
            app: pace.kid(knobs.kernels, random),
            period: match bits & 15 {
                0..=2 => When::Edge,
                3 => When::Last,
                4 | 5 if random.chance(knobs.snapshot) => When::Idle,
                6 if random.chance(Odds::one_in(16)) => When::Idle,
                _ if random.chance(knobs.snapshot) => When::Now,
                _ => When::Never,
            },
            gpu: match bits >> 8 & 3 {
                0 => bits >> 32,
                1 => pace.character(u8::MAX),
                _ => 1 << (pace.character(u8::MAX) % params.applications as u64),
            },
        };
        if bits >> 16 & 15 == 0 {
            transaction.app = random.bits() as u8;
        }
    }

    /// Counters near their limit, of any magnitude, or with a ratio near an edge: that of an
    /// application of the GPU by those of CPUs.
    fn far(params: &Params, random: &mut Random) -> Option<Model> {
        let mut model = Model::new(params.clone()).ok()?;
        let (largest, threshold) = (ones(params.xs_w), params.t_xs as u64);
        let gpu_application = random.below(params.applications);
        if random.chance(Odds::one_in(2)) {
            model.preset_ratio(threshold + random.below((largest - threshold) as usize + 1) as u64);
        }
        match random.below(6) {
            0..=2 => {
                let of_gpu = random.bits();
                near_limit(
                    (params.applications, 1),
                    params.cnt_w,
                    DISTANCE,
                    random,
                    |application, _, count| {
                        model.preset(application, count, of_gpu >> application & 1 == 1);
                    },
                );
            }
            3 => {
                let (cpu, gpu) = any_magnitude(params, random);
                for application in 0..params.applications {
                    model.preset(application, cpu, false);
                }
                model.preset(gpu_application, gpu, true);
                // Their ratio is being computed.
                model.step(&In {
                    period: true,
                    gpu: random.bits() & ones(params.applications),
                    ..In::default()
                });
            }
            _ => {
                let edges = [
                    0,
                    1,
                    2,
                    threshold,
                    threshold + 1,
                    largest - 1,
                    largest,
                    largest + 1,
                ];
                let ratio = edges[random.below(edges.len())];
                let most = (ones(params.cnt_w) / ratio.max(1)).min(1 << random.below(10));
                let cpu = random.below(most as usize + 1) as u64;
                for application in 0..params.applications {
                    model.preset(application, cpu, false);
                }
                let more = random.below(cpu as usize + 2) as u64;
                let count = (ratio * cpu + more).saturating_sub(1);
                model.preset(gpu_application, count, true);
            }
        }
        Some(model)
    }
}

/// Accesses of a CPU's application and of one of the GPU: a power of two and little more or up to twice
/// as many, and either about as many times more as the threshold says, or any number; or none, and a
/// power of two.
fn any_magnitude(params: &Params, random: &mut Random) -> (u64, u64) {
    let power = 1
        << match random.chance(Odds::one_in(2)) {
            true => random.below(params.cnt_w),
            // Few quotients by the largest are above the threshold.
            false => params.cnt_w - 1 - random.below(params.cnt_w.min(5)),
        };
    let cpu = match random.below(8) {
        0 => return (0, power),
        1..=4 => power + random.below(4) as u64,
        _ => power + random.bits() % power,
    };
    let gpu = match random.chance(Odds::one_in(2)) {
        true => {
            let ratio = params.t_xs + random.below(4);
            ratio as u64 * cpu + random.bits() % cpu
        }
        false => random.bits() >> random.below(64),
    };
    let most = ones(params.cnt_w);
    (cpu.min(most), gpu & most)
}

/// Whose access it is.
const KINDS: [&str; 2] = ["a CPU", "the GPU"];
/// Where a counter goes.
const COUNTERS: [&str; 3] = ["counts", "reaches the limit", "is at the limit"];
/// Where an application is among those of its kind.
const LEADS: [&str; 2] = ["has most", "has less"];
/// A ratio.
const RATIOS: [&str; 10] = [
    "of nothing",
    "by nothing",
    "0",
    "1 or more",
    "the threshold",
    "the threshold, and a rest",
    "one more",
    "above that",
    "the largest",
    "beyond",
];
/// What a division does as a period ends.
const PROGRESS: [&str; 4] = ["there is none", "begins", "goes on", "ends"];

collector! {
    /// Sorts accesses, periods and ratios.
    pub struct Collector {
        crosses { counters, leads, openings, ratios, periods }
        params: Params,
    }
}

impl Cover for Xsratio {
    type Collector = Collector;

    fn collector(params: &Params) -> Collector {
        let (largest, threshold) = (ones(params.xs_w) as usize, params.t_xs);
        let (as_wide, two_steps) = (params.cnt_w == params.xs_w, params.cnt_w == 2);
        let no_rest = 2 * threshold as u64 + 1 > ones(params.cnt_w);
        Collector {
            params: params.clone(),
            counters: Cross::named("counters")
                .numbers("application", params.applications)
                .axis("of", KINDS)
                .axis("its counter", COUNTERS),
            leads: Cross::named("applications of a kind")
                .axis("of", KINDS)
                .axis("the accessing one", LEADS),
            openings: Cross::named("openings of periods")
                .numbers("application", params.applications)
                .axis("of", KINDS),
            ratios: Cross::named("ratios")
                .axis("ratio", RATIOS)
                .axis("before it was", ["1", "more"])
                .without("counters do not reach that far", move |at| {
                    no_rest && at[0] == 5
                })
                .without("nothing is between 1 and the threshold", move |at| {
                    threshold == 1 && at[0] == 3
                })
                .without("one more is the largest", move |at| {
                    threshold + 1 == largest && at[0] == 6
                })
                .without("nothing is between one more and the largest", move |at| {
                    threshold + 2 >= largest && at[0] == 7
                })
                .without("counters are as wide as ratios", move |at| {
                    as_wide && at[0] == 9
                }),
            periods: Cross::named("periods end")
                .axis("a division", PROGRESS)
                .flag("an access")
                .without("a division takes two cycles", move |at| {
                    two_steps && at[0] == 2
                }),
        }
    }
}

impl Collector {
    fn ratio(&self, [gpu, cpu]: [u64; 2]) -> usize {
        let (largest, threshold) = (ones(self.params.xs_w), self.params.t_xs as u64);
        match gpu.checked_div(cpu) {
            None if gpu == 0 => 0,
            None => 1,
            Some(0) => 2,
            Some(ratio) if ratio < threshold => 3,
            Some(ratio) if ratio == threshold => 4 + usize::from(gpu > threshold * cpu),
            Some(ratio) if ratio > largest => 9,
            Some(ratio) if ratio == largest => 8,
            Some(ratio) if ratio == threshold + 1 => 6,
            Some(_) => 7,
        }
    }
}

impl Collect<Xsratio> for Collector {
    fn sample(&mut self, model: &Model, input: &In) {
        if input.reset {
            return;
        }
        let state = model.state();
        let app = usize::from(input.access_app);
        let of_gpu = |gpu: u64| (gpu >> app & 1) as usize;
        if state.left == 1 && !input.period {
            let before = usize::from(state.xsratio > 1);
            self.ratios.hit((self.ratio(state.dividing), before));
        }
        if input.period {
            let progress = match state.left {
                0 => 0,
                1 => 3,
                left if left == self.params.cnt_w as u64 => 1,
                _ => 2,
            };
            self.periods.hit((progress, input.access_valid));
            if input.access_valid {
                self.openings.hit((app, of_gpu(input.gpu)));
            }
        } else if input.access_valid {
            let kind = of_gpu(state.gpu);
            let count = state.accesses[app];
            let class = match ones(self.params.cnt_w) - count {
                0 => 2,
                1 => 1,
                _ => 0,
            };
            self.counters.hit((app, kind, class));
            let [gpu, cpu] = state.most();
            let most = [cpu, gpu][kind];
            self.leads.hit((kind, usize::from(count < most)));
        }
    }
}

impl Teach for Xsratio {
    const SETS: &'static [&'static str] = &["3w4c6t2"];

    fn scene(params: &Params) -> Scene<Self> {
        let idle = In::default;
        let access = |access_app| In {
            access_valid: true,
            access_app,
            ..idle()
        };
        let period = || In {
            period: true,
            gpu: 0b100,
            ..idle()
        };
        let reset = In {
            reset: true,
            ..idle()
        };
        let divides = || (0..params.cnt_w).map(|_| idle());
        Scene::new("seven accesses by two, and six by three")
            .group(
                "accesses",
                [
                    row("access_valid"),
                    row("access_app").when("access_valid"),
                    row("period"),
                    row("gpu").binary().when("period"),
                    row("count[*]"),
                    row("most_gpu"),
                    row("most_cpu"),
                ],
            )
            .group(
                "the division",
                [
                    row("busy"),
                    row("left").when("busy"),
                    row("divisor").when("busy"),
                    row("shift").binary().when("busy"),
                    row("remainder").when("busy"),
                ],
            )
            .group("the ratio", [row("done"), row("xsratio")])
            .step(
                Step::new("Reset: the ratio is 1.", reset)
                    .then("xsratio", 1)
                    .then("busy", 0),
            )
            .step(
                Step::new("From this period on application 2 is of the GPU.", period())
                    .then("busy", 1),
            )
            .step(
                Step::over("There was no access: the ratio is 1.", divides())
                    .folded()
                    .then("done", 1)
                    .then("xsratio", 1),
            )
            .step(
                Step::over(
                    "Application 0 makes one access, application 1 two: the latter counts.",
                    [access(0), access(1), access(1)],
                )
                .then("count[*]", [1, 2, 0])
                .then("most_cpu", 2),
            )
            .step(
                Step::over("That of the GPU makes seven.", (0..7).map(|_| access(2)))
                    .folded()
                    .then("most_gpu", 7),
            )
            .step(
                Step::new(
                    "The period ends: 7 by 2. The access of this cycle is the next period's.",
                    In {
                        period: true,
                        gpu: 0b100,
                        ..access(1)
                    },
                )
                .then("count[*]", [0, 1, 0])
                .then("divisor", 2)
                .then("shift", 0b000111)
                .then("left", 6),
            )
            .step(
                Step::over("Bit by bit the quotient comes from the right.", divides())
                    .then("done", 1)
                    .then("xsratio", 3),
            )
            .step(
                Step::over(
                    "Two accesses more of application 1 and six of the GPU.",
                    (0..8).map(|cycle| access(if cycle < 2 { 1 } else { 2 })),
                )
                .folded()
                .then("most_cpu", 3)
                .then("most_gpu", 6),
            )
            .step(
                Step::new("6 by 3 is 2, the threshold, and not above it.", period())
                    .then("divisor", 3),
            )
            .step(
                Step::over("Again a cycle for each bit.", divides())
                    .folded()
                    .then("done", 1)
                    .then("xsratio", 1),
            )
            .step(Step::new("It stays until the next one.", idle()).sees("xsratio", 1))
    }
}

impl Facts for Xsratio {
    fn invariants(params: &Params, terms: &mut Terms<'_>) -> Vec<Term> {
        let mut all = rules::invariants::<Self>(params, terms);
        // The most accesses of a kind are those of an application of that kind.
        let [most_gpu, most_cpu] = terms.flops(["most_gpu", "most_cpu"]);
        let mut leaders = vec![terms.is(most_gpu, 0)];
        let mut cpu_leaders = vec![terms.is(most_cpu, 0)];
        for i in 0..params.applications {
            let [count, of_gpu] = terms.flops([&format!("count[{i}]"), &format!("of_gpu[{i}]")]);
            let of_cpu = terms.not(of_gpu);
            for (kind, most, leaders) in [
                (of_gpu, most_gpu, &mut leaders),
                (of_cpu, most_cpu, &mut cpu_leaders),
            ] {
                let passed = terms.less(most, count);
                let ahead = terms.all([kind, passed]);
                all.push(terms.not(ahead));
                let equal = terms.equal(count, most);
                leaders.push(terms.all([kind, equal]));
            }
        }
        all.push(terms.any(leaders));
        all.push(terms.any(cpu_leaders));
        // The remainder is below the divisor, if there is one, while the divider divides.
        let [left, divisor, remainder] = terms.flops(["left", "divisor", "remainder"]);
        let idle = terms.is(left, 0);
        let nothing = terms.is(divisor, 0);
        let smaller = terms.less(remainder, divisor);
        all.push(terms.any([idle, nothing, smaller]));
        // It is of as many bits of the dividend as have been divided.
        for bit in 0..params.cnt_w {
            let early = terms.below(left, params.cnt_w - bit);
            let late = terms.not(early);
            let set = terms.bit(remainder, bit);
            let both = terms.all([late, set]);
            all.push(terms.not(both));
        }
        // The quotient by a large divisor has only so many bits; all before them are 0.
        let large = large(params, terms);
        let last = last_bits(params);
        let shift = terms.flop("shift");
        for bit in 0..params.cnt_w {
            let made = terms.below(left, params.cnt_w - bit);
            let so_far = terms.below(left, last.saturating_sub(bit));
            let first = terms.not(so_far);
            let set = terms.bit(shift, bit);
            let busy = terms.not(idle);
            let wrong = terms.all([busy, large, made, first, set]);
            all.push(terms.not(wrong));
        }
        all
    }

    /// The divider while it divides; with a large divisor, whose quotients are all below the threshold,
    /// neither the last bits of the quotient nor what remains meanwhile.
    fn matters(params: &Params, flop: &str, terms: &mut Terms<'_>) -> Option<Term> {
        if !matches!(flop, "divisor" | "remainder" | "shift") {
            return None;
        }
        let left = terms.flop("left");
        let idle = terms.is(left, 0);
        let busy = terms.not(idle);
        if flop == "divisor" {
            return Some(busy);
        }
        let (large, last) = (large(params, terms), last_bits(params));
        let mut unless_last = |bit: usize| {
            let late = terms.below(left, last.saturating_sub(bit));
            let both = terms.all([large, late]);
            let neither = terms.not(both);
            terms.all([busy, neither])
        };
        Some(match flop {
            "remainder" => unless_last(0),
            _ => {
                let bits = (0..params.cnt_w).map(unless_last).collect();
                terms.word(bits)
            }
        })
    }
}

/// Bits of a quotient that is below the threshold whatever they are.
fn last_bits(params: &Params) -> usize {
    params.t_xs.ilog2() as usize
}

/// The divisor is so large that no quotient by it has more bits than these.
fn large(params: &Params, terms: &mut Terms<'_>) -> Term {
    let divisor = terms.flop("divisor");
    let high = params.cnt_w - last_bits(params)..params.cnt_w;
    let bits: Vec<Term> = high.map(|bit| terms.bit(divisor, bit)).collect();
    terms.any(bits)
}
