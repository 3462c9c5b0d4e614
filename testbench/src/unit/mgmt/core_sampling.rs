//! `core_sampling` under test.
//!
//! Stimulus: cores of several speeds, which last for a while; for a while the slower of the sampled
//! cores keeps up with the faster one, at a distance of 5 % or just less; periods end at any time, when
//! the sampled cores are exactly 5 % apart, or just less, or when a counter is full; accesses of the
//! sampled cores, of others and of CPU cores with their numbers.
//!
//! Functional coverage: how far the sampled cores are apart, with each decision before; counters at
//! their limit and where a period ends; how each core comes to be sampled; accesses by tile.
//!
//! Example waveform: two cores that are 5 % apart, and less; rotation.

use cotenant_golden::mgmt::core_sampling::{
    caching_helps, ByCore, ByTile, CoreSampling as Model, In, Params,
};

use crate::unit::llc::shared::{near_limit, DISTANCE};
use crate::unit::prelude::*;

/// The unit [`core_sampling`](cotenant_golden::mgmt::core_sampling).
#[derive(Debug, Clone, Copy)]
pub struct CoreSampling;

impl Interface for CoreSampling {
    const NAME: &'static str = "core_sampling";
    const SUMMARY: &'static str =
        "whether caching helps a GPU, by two cores that cache differently";
    const PLACE: Place = Place::Cache;
    type Model = Model;

    /// Table 2: "20-bit counter per core", "2 5-bit registers" in each tile.
    fn named_in_paper(flop: &str) -> Option<&'static str> {
        let mut named = ["count[", "pol1_id[", "pol2_id["].iter();
        named
            .any(|name| flop.starts_with(name))
            .then_some("TAP, table 2")
    }

    fn probe(_: &Params, register: &str, at: &[usize]) -> Probe {
        Probe::Value(match register {
            "retired[]" => format!("count[{}]", at[0]),
            "pol1[]" => format!("pol1_id[{}]", at[0]),
            "pol2[]" => format!("pol2_id[{}]", at[0]),
            "insensitive" => "insensitive_register".into(),
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
    /// Instructions that each core retires, cut to their width; missing ones none.
    pub retired: Vec<u8>,
    /// What the slower of the sampled cores retires instead.
    #[serde(default)]
    pub slower: Slower,
    /// The period ends.
    pub period: When,
    /// The next one is sampled.
    pub sample: bool,
    /// Cores are assigned.
    pub choose: bool,
    /// Which ones: the first modulo their number, the second counted from it, another one; any codes
    /// where none are assigned.
    pub cores: [u8; 2],
    /// The tiles that a GPU core accesses.
    pub gpu: u64,
    /// The accessing core, by tile; missing ones are Core-POL1.
    pub access: Vec<Core>,
}

/// When a period ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum When {
    /// Not in this cycle.
    #[default]
    Never,
    /// If the sampled cores are 5 % apart.
    Exact,
    /// If they are apart, but not by 5 %, and by 5 % with one instruction less of the slower one; or by
    /// 5 %, and not with one less of the faster one, whose counter is full.
    Close,
    /// If a sampled core's counter is full.
    Full,
    /// In this cycle.
    Now,
}

/// How the slower of the sampled cores keeps up with the faster one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Slower {
    /// Not at all.
    #[default]
    Free,
    /// As near as it can.
    Equal,
    /// As near as caching still makes a difference: 5 %, rounded up.
    JustApart,
    /// As far as it makes none any more.
    JustLess,
}

impl Slower {
    /// What the slower core should have retired beside so many instructions of the faster one.
    fn aim(self, faster: u64) -> u64 {
        match self {
            Self::Free => 0,
            Self::Equal => faster,
            Self::JustApart => faster - faster.div_ceil(20),
            Self::JustLess => faster - faster.saturating_sub(1) / 20,
        }
    }
}

/// A core that accesses a tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Core {
    /// Core-POL1.
    #[default]
    Pol1,
    /// Core-POL2.
    Pol2,
    /// That with this number, cut to its width; there need not be one.
    Any(u8),
}

impl CoreSampling {
    /// The slower of the sampled cores, if both are there, and what it should retire.
    fn keeps_up(
        params: &Params,
        model: &Model,
        how: Slower,
        drawn: impl Fn(usize) -> u8,
    ) -> Option<(usize, u64)> {
        let (state, [first, second]) = (model.state(), model.compared());
        let [mut slow, mut fast] = [state.pol1[0], state.pol2[0]].map(usize::from);
        if first > second {
            (slow, fast) = (fast, slow);
        }
        if how == Slower::Free || slow.max(fast) >= params.cores {
            return None;
        }
        let faster = first.max(second) + u64::from(drawn(fast));
        let aim = how.aim(faster.min(ones(params.cnt_w)));
        Some((slow, aim.saturating_sub(first.min(second))))
    }
}

impl Drive for CoreSampling {
    type Transaction = Transaction;
    type World = ();
    const PROFILES: &'static [Profile] = &[
        Profile::Uniform,
        Profile::Skewed,
        Profile::Bursts,
        Profile::Saturation,
        Profile::Idle,
        Profile::Storms,
    ];
    const FAR_STARTS: u64 = 288;

    fn kernels(params: &Params) -> usize {
        params.cores
    }

    fn world(_: &Params) {}

    fn idle(params: &Params) -> In {
        In {
            retired: ByCore::from_fn(params.cores, |_| 0),
            sample: true,
            access_core: ByTile::from_fn(params.tiles, |_| 0),
            ..In::default()
        }
    }

    fn resolve(params: &Params, model: &Model, (): &mut (), what: &Transaction, input: &mut In) {
        let apart = Apart::of(model.compared());
        let period = match what.period {
            When::Never => false,
            When::Exact => apart == Apart::Exactly,
            When::Close => {
                let [a, b] = model.compared();
                let (more, fewer) = (a.max(b), a.min(b));
                let less = apart == Apart::Less && caching_helps(more, fewer - 1) == Some(true);
                less || more == ones(params.cnt_w) && just_apart([a, b])
            }
            When::Full => model.compared().contains(&ones(params.cnt_w)),
            When::Now => true,
        };
        let cores = params.cores;
        let most = ones(params.retired_w) as u8;
        let codes = ones(params.id_w) as u8;
        let first = usize::from(what.cores[0]) % cores;
        let second = (first + 1 + usize::from(what.cores[1]) % (cores - 1)) % cores;
        let [pol1, pol2] = match what.choose {
            true => [first as u8, second as u8],
            // Not looked at.
            false => what.cores.map(|code| code & codes),
        };
        let state = model.state();
        let drawn = |core: usize| what.retired.get(core).map_or(0, |&n| n & most);
        let slower = Self::keeps_up(params, model, what.slower, drawn);
        let retired = ByCore::from_fn(cores, |core| match slower {
            Some((slow, retires)) if slow == core => retires.min(most.into()) as u8,
            _ => drawn(core),
        });
        *input = In {
            reset: what.reset,
            retired,
            period,
            sample: what.sample,
            choose: what.choose,
            choose_pol1: pol1,
            choose_pol2: pol2,
            access_gpu: what.gpu & ones(params.tiles),
            access_core: ByTile::from_fn(params.tiles, |tile| {
                match what.access.get(tile).copied().unwrap_or_default() {
                    Core::Pol1 => state.pol1[tile],
                    Core::Pol2 => state.pol2[tile],
                    Core::Any(core) => core & codes,
                }
            }),
        };
    }

    fn draw(
        params: &Params,
        knobs: &Knobs,
        pace: &mut Pace,
        random: &mut Random,
        transaction: &mut Transaction,
    ) {
        transaction.reset = random.chance(knobs.reset);
        let most = ones(params.retired_w) as u8;
        let working = random.chance(knobs.access);
        transaction.retired.clear();
        for core in 0..params.cores as u8 {
            let bits = random.bits();
            transaction.retired.push(match pace.character(core) & 7 {
                _ if !working => 0,
                0 => 0,
                1 => most,
                // Few, so that it is slower than others.
                2 => u8::from(bits & 7 == 0),
                _ => bits as u8,
            });
        }
        let era = pace.character(0) >> 8;
        transaction.slower = match era & 7 {
            0..=3 => Slower::Free,
            4 => Slower::Equal,
            5 => Slower::JustLess,
            _ => Slower::JustApart,
        };
        transaction.period = match random.below(16) {
            // Few other periods are long enough for a full counter.
            0..=7 if era & 8 == 0 => When::Full,
            0..=5 => When::Exact,
            6 | 7 => When::Close,
            _ if random.chance(knobs.snapshot) => When::Now,
            _ => When::Never,
        };
        let bits = random.bits();
        transaction.sample = bits & 7 != 0;
        transaction.choose = bits >> 3 & 7 == 0;
        transaction.cores = [(bits >> 8) as u8, (bits >> 16) as u8];
        transaction.gpu = (bits >> 24 | bits >> 40) & 0xffff;
        transaction.access.clear();
        for _ in 0..params.tiles {
            let bits = random.bits();
            transaction.access.push(match bits & 3 {
                0 => Core::Pol1,
                1 => Core::Pol2,
                _ => Core::Any((bits >> 8) as u8),
            });
        }
    }

    /// Any two cores are sampled. Counters near their limit; or two that are about 5 % apart; or
    /// that far apart and a power of two more, which one wrong bit of a counter makes less. Others
    /// are 0. After any decision.
    fn far(params: &Params, random: &mut Random) -> Option<Model> {
        let mut model = Model::new(params.clone()).ok()?;
        let limit = ones(params.cnt_w);
        model.preset_decision(
            random.chance(Odds::one_in(2)),
            random.chance(Odds::one_in(2)),
        );
        let pol1 = random.below(params.cores);
        let pol2 = (pol1 + 1 + random.below(params.cores - 1)) % params.cores;
        model.preset_sampled([pol1, pol2]);
        match random.below(3) {
            0 => near_limit(
                (params.cores, 1),
                params.cnt_w,
                DISTANCE,
                random,
                |core, _, count| model.preset(core, count),
            ),
            apart => {
                let mut most = match random.chance(Odds::one_in(4)) {
                    true => limit,
                    false => random.bits() & limit,
                };
                if apart == 1 && random.chance(Odds::one_in(2)) {
                    most -= most % 20;
                }
                let less = match apart {
                    1 if most % 20 == 0 => {
                        // No other start ends a period that is not sampled after such a decision:
                        // its end takes the decision back.
                        if random.chance(Odds::one_in(2)) {
                            model.preset_decision(false, true);
                        }
                        most - most / 20
                    }
                    1 => (most - most / 20 + random.below(3) as u64).saturating_sub(1),
                    _ => {
                        let bits = random.bits();
                        let within = bits % (most / 20 + 1);
                        // A power of two apart, or twenty times as many are one.
                        let magnitude = random.below(params.cnt_w);
                        let more = match bits >> 63 {
                            0 => 1_u64 << magnitude,
                            _ => (1_u64 << (magnitude + 5)) / 20 + 1,
                        };
                        most.saturating_sub(within + more)
                    }
                };
                let faster = random.chance(Odds::one_in(2));
                let [more, fewer] = if faster { [pol1, pol2] } else { [pol2, pol1] };
                model.preset(more, most);
                model.preset(fewer, less);
            }
        }
        Some(model)
    }
}

/// How far the sampled cores are apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Apart {
    /// None has retired anything.
    Nothing,
    Equal,
    /// By less than 5 %.
    Less,
    Exactly,
    More,
}

impl Apart {
    fn of([a, b]: [u64; 2]) -> Self {
        let (most, delta) = (a.max(b), a.abs_diff(b));
        match 20 * delta {
            _ if most == 0 => Self::Nothing,
            0 => Self::Equal,
            scaled if scaled < most => Self::Less,
            scaled if scaled == most => Self::Exactly,
            _ => Self::More,
        }
    }
}

/// They are 5 % or more apart, and would not be with one instruction less of the faster one.
fn just_apart([a, b]: [u64; 2]) -> bool {
    let (more, fewer) = (a.max(b), a.min(b));
    more > fewer
        && caching_helps(more, fewer) == Some(true)
        && caching_helps(more - 1, fewer) == Some(false)
}

const APART: [&str; 5] = ["nothing", "equal", "less than 5 %", "5 %", "more"];
/// Where a counter goes.
const COUNTERS: [&str; 5] = [
    "stays",
    "counts",
    "reaches the limit",
    "passes the limit",
    "is at the limit",
];
/// How the sampled cores of a period follow from those of the one before.
const NEXT: [&str; 3] = ["stays", "rotates", "is assigned"];
/// Who accesses a tile.
const ACCESSES: [&str; 5] = [
    "a CPU core",
    "a CPU core with the number of a sampled one",
    "Core-POL1",
    "Core-POL2",
    "a follower",
];

collector! {
    /// Sorts periods, counters and accesses.
    pub struct Collector {
        crosses { compared, full, counters, openings, sampled, switches, accesses }
        params: Params,
    }
}

impl Cover for CoreSampling {
    type Collector = Collector;

    fn collector(params: &Params) -> Collector {
        let limit = ones(params.cnt_w);
        let one_bit = params.retired_w == 1;
        let fixed = params.rotate == 0;
        let all_sampled = params.cores == 2 && params.id_w == 1;
        Collector {
            params: params.clone(),
            compared: Cross::named("periods end")
                .axis("the sampled cores are apart by", APART)
                .axis("more has retired", ["POL1", "POL2"])
                .flag("sampled")
                .flag("insensitive before")
                .without("none has retired more", |at| at[0] < 2 && at[1] == 1)
                .without("counters are too small", move |at| {
                    at[0] == 2 && limit < 21 || at[0] == 3 && limit < 20
                }),
            full: Cross::named("periods end with a full counter")
                .axis("more has retired", ["POL1", "POL2"])
                .flag("5 % apart because of the last instruction")
                .without("counters are too small", move |at| limit < 21 && at[1] == 1),
            counters: Cross::named("counters")
                .numbers("core", params.cores)
                .axis("its counter", COUNTERS)
                .without("a core retires one instruction at most", move |at| {
                    one_bit && at[1] == 3
                })
                .without("counters have one bit", move |at| limit == 1 && at[1] == 1),
            openings: Cross::named("openings of periods")
                .numbers("core", params.cores)
                .flag("retires an instruction"),
            sampled: Cross::named("sampled cores")
                .numbers("core", params.cores)
                .axis("was", ["POL1", "POL2"])
                .axis("that core", NEXT)
                .without("cores do not rotate", move |at| fixed && at[2] == 1),
            switches: Cross::named("sampling")
                .flag("the period is sampled")
                .flag("the next one is"),
            accesses: Cross::named("accesses")
                .numbers("tile", params.tiles)
                .axis("of", ACCESSES)
                .flag("sampled")
                .without("all numbers are those of sampled cores", move |at| {
                    all_sampled && (at[1] == 0 || at[1] == 4)
                }),
        }
    }
}

impl Collector {
    fn counter(&self, count: u64, retired: u64) -> usize {
        match ones(self.params.cnt_w) - count {
            0 => 4,
            _ if retired == 0 => 0,
            left if retired < left => 1,
            left if retired == left => 2,
            _ => 3,
        }
    }
}

impl Collect<CoreSampling> for Collector {
    fn sample(&mut self, model: &Model, input: &In) {
        if input.reset {
            return;
        }
        let state = model.state();
        for tile in 0..self.params.tiles {
            let core = input.access_core[tile];
            let (pol1, pol2) = (core == state.pol1[tile], core == state.pol2[tile]);
            let access = match input.access_gpu >> tile & 1 {
                0 => usize::from(pol1 || pol2),
                _ if pol1 => 2,
                _ if pol2 => 3,
                _ => 4,
            };
            self.accesses.hit((tile, access, state.sampling));
        }
        if !input.period {
            for (core, &count) in state.retired.iter().enumerate() {
                let class = self.counter(count, input.retired[core].into());
                self.counters.hit((core, class));
            }
            return;
        }
        let [pol1, pol2] = model.compared();
        let apart = Apart::of([pol1, pol2]) as usize;
        let more = usize::from(pol2 > pol1);
        self.compared
            .hit((apart, more, state.sampling, state.insensitive));
        if pol1 != pol2 && pol1.max(pol2) == ones(self.params.cnt_w) {
            self.full.hit((more, just_apart([pol1, pol2])));
        }
        for (core, &retired) in input.retired.iter().enumerate() {
            self.openings.hit((core, retired > 0));
        }
        let next = match (input.choose, state.sampling && self.params.rotate == 1) {
            (true, _) => 2,
            (false, true) => 1,
            (false, false) => 0,
        };
        for (policy, ids) in [&state.pol1, &state.pol2].into_iter().enumerate() {
            self.sampled.hit((usize::from(ids[0]), policy, next));
        }
        self.switches.hit((state.sampling, input.sample));
    }
}

impl Teach for CoreSampling {
    const SETS: &'static [&'static str] = &["3x2r"];

    fn scene(params: &Params) -> Scene<Self> {
        let idle = || Self::idle(params);
        let retire = |cores: [u8; 3]| In {
            retired: ByCore::from_fn(params.cores, |core| cores[core]),
            ..idle()
        };
        let period = || In {
            period: true,
            ..idle()
        };
        let reset = In {
            reset: true,
            ..idle()
        };
        let access = In {
            access_gpu: 0b11,
            access_core: ByTile::from_fn(params.tiles, |tile| [2, 1][tile]),
            ..idle()
        };
        Scene::new("cores 5 % apart, and less")
            .group(
                "the cores",
                [row("retired"), row("count[*]"), row("period"), row("sample")],
            )
            .group("the decision", [row("insensitive")])
            .group(
                "the tiles",
                [
                    row("pol1_id[*]"),
                    row("pol2_id[*]"),
                    row("access_gpu").binary(),
                    row("access_core"),
                    row("pol1").binary(),
                    row("pol2").binary(),
                ],
            )
            .step(
                Step::new("Reset: cores 0 and 1 are sampled.", reset)
                    .then("count[*]", [0, 0, 0])
                    .then("pol1_id[*]", [0, 0])
                    .then("pol2_id[*]", [1, 1])
                    .then("insensitive", 0),
            )
            .step(
                Step::over(
                    "Core 0 retires two instructions per cycle, core 1 once one less.",
                    (0..10).map(|cycle| retire([2, 2 - u8::from(cycle == 4), 1])),
                )
                .folded()
                .then("count[*]", [20, 19, 10]),
            )
            .step(
                Step::new(
                    "The period ends. 20 times 1 is not less than 20: caching helps. The next two \
                     cores are sampled.",
                    period(),
                )
                .then("insensitive", 0)
                .then("count[*]", [0, 0, 0])
                .then("pol1_id[*]", [1, 1])
                .then("pol2_id[*]", [2, 2]),
            )
            .step(
                Step::new(
                    "Core 2 accesses tile 0 and inserts at MRU, core 1 tile 1 and inserts at LRU.",
                    access,
                )
                .sees("pol1", 0b10)
                .sees("pol2", 0b01),
            )
            .step(
                Step::over(
                    "Cores 1 and 2 retire two instructions per cycle, core 2 a last one.",
                    (0..11).map(|cycle| match cycle {
                        10 => retire([0, 0, 1]),
                        _ => retire([0, 2, 2]),
                    }),
                )
                .folded()
                .then("count[*]", [0, 20, 21]),
            )
            .step(
                Step::new(
                    "20 times 1 is less than 21: caching does not help. Instructions of this cycle are \
                     the next period's.",
                    In {
                        period: true,
                        ..retire([2, 1, 0])
                    },
                )
                .then("insensitive", 1)
                .then("count[*]", [2, 1, 0])
                .then("pol1_id[*]", [2, 2])
                .then("pol2_id[*]", [0, 0]),
            )
            .step(Step::new("The decision stays for a period.", idle()).sees("insensitive", 1))
    }
}

impl Facts for CoreSampling {}
