//! `drrip` under test.
//!
//! Stimulus: most accesses go to leader sets of the accessing application, for a while mostly to those
//! of one policy; others to leader sets of any application or to any set; masks last for a while.
//!
//! Functional coverage: each application in sets that it leads, that another one leads, and that
//! nobody does; the policies of table 3; selectors at their ends and around the middle; draws next to
//! the threshold.
//!
//! Example waveform: a follower that changes its policy, and the RRIP-Mask.

use cotenant_golden::llc::clog2;
use cotenant_golden::mgmt::drrip::{Drrip as Model, In, Params, Policy, LONG_BELOW};

use crate::unit::prelude::*;

/// The unit [`drrip`](cotenant_golden::mgmt::drrip).
#[derive(Debug, Clone, Copy)]
pub struct Drrip;

impl Interface for Drrip {
    const NAME: &'static str = "drrip";
    const SUMMARY: &'static str = "insertion policy of each application by set duelling";
    const PLACE: Place = Place::Bank;
    type Model = Model;

    fn probe(_: &Params, register: &str, at: &[usize]) -> Probe {
        Probe::Value(match register {
            "psel[]" => format!("selector[{}]", at[0]),
            _ => subscripted(register, at),
        })
    }

    from_golden!();
}

/// What happens in a cycle.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Transaction {
    /// Reset.
    pub reset: bool,
    /// There is an access.
    pub valid: bool,
    /// It hits.
    pub hit: bool,
    /// The accessing application, modulo their number; also on the port of a bubble.
    pub app: u8,
    /// Its set.
    pub set: Set,
    /// The masks.
    pub mask: u64,
}

/// The set of an access.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Set {
    /// A leader set.
    Leader {
        /// Of which application, counted from the accessing one.
        ahead: u8,
        /// Of which policy.
        policy: Policy,
        /// Which one, modulo their number.
        number: u32,
    },
    /// Any, modulo their number.
    Any(u32),
}

impl Default for Transaction {
    fn default() -> Self {
        Self {
            reset: false,
            valid: false,
            hit: false,
            app: 0,
            set: Set::Any(0),
            mask: 0,
        }
    }
}

impl Drive for Drrip {
    type Transaction = Transaction;
    type World = ();
    const PROFILES: &'static [Profile] = &[
        Profile::Uniform,
        Profile::Skewed,
        Profile::PingPong,
        Profile::Bursts,
        Profile::Hits,
        Profile::Misses,
        Profile::Saturation,
        Profile::Idle,
        Profile::Storms,
    ];

    fn kernels(params: &Params) -> usize {
        params.applications
    }

    fn world(_: &Params) {}

    fn idle(_: &Params) -> In {
        In::default()
    }

    fn resolve(params: &Params, _: &Model, (): &mut (), what: &Transaction, input: &mut In) {
        let app = usize::from(what.app) % params.applications;
        *input = In {
            reset: what.reset,
            access_valid: what.valid,
            access_hit: what.hit,
            access_set: match what.set {
                Set::Leader {
                    ahead,
                    policy,
                    number,
                } => {
                    let leader = (app + usize::from(ahead)) % params.applications;
                    params.leader(policy, leader, number as usize % params.leaders)
                }
                Set::Any(set) => set & ones(clog2(params.sets)) as u32,
            },
            access_app: app as u8,
            rrip_mask: what.mask & ones(params.applications),
        };
    }

    fn draw(
        params: &Params,
        knobs: &Knobs,
        pace: &mut Pace,
        random: &mut Random,
        transaction: &mut Transaction,
    ) {
        let app = pace.kid(knobs.kernels, random);
        let bits = random.bits();
        // One policy misses more for a while, or both as often.
        let often = [Policy::Srrip, Policy::Brrip][(pace.character(app) & 1) as usize];
        let policy = match (bits & 7, pace.character(app) >> 1 & 1) {
            (0, _) | (1..=3, 1) => [Policy::Brrip, Policy::Srrip][often as usize],
            _ => often,
        };
        let leader = Set::Leader {
            ahead: match bits >> 9 & 7 {
                0 => random.below(params.applications) as u8,
                _ => 0,
            },
            policy,
            number: random.below(params.leaders) as u32,
        };
        let any = Set::Any((bits >> 16) as u32);
        *transaction = Transaction {
            reset: random.chance(knobs.reset),
            valid: random.chance(knobs.access),
            hit: random.chance(knobs.hit),
            app,
            set: if bits >> 3 & 3 == 0 { any } else { leader },
            mask: match bits >> 5 & 7 {
                0 => random.bits(),
                _ => pace.character(u8::MAX),
            },
        };
    }

    /// Selectors at one of their ends or in the middle, and any draw next.
    fn far(params: &Params, random: &mut Random) -> Option<Model> {
        let mut model = Model::new(params.clone()).ok()?;
        let most = ones(params.psel_w) as u16;
        for app in 0..params.applications {
            let near = random.below(4) as u16;
            model.preset(
                app,
                match random.below(3) {
                    0 => near.min(most),
                    1 => most - near.min(most),
                    _ => params.middle() - near.min(2) + 1,
                },
            );
        }
        model.preset_lfsr(random.bits() as u32);
        Some(model)
    }
}

/// What a set is to the accessing application.
const ROLES: [&str; 4] = [
    "leads for SRRIP",
    "leads for BRRIP",
    "another one leads",
    "follows",
];
const POLICIES: [&str; 2] = ["SRRIP", "BRRIP"];
/// Where a selector is.
const PSEL: [&str; 6] = [
    "0",
    "SRRIP",
    "last SRRIP",
    "first BRRIP",
    "BRRIP",
    "the limit",
];

collector! {
    /// Sorts accesses.
    pub struct Collector {
        crosses { accesses, policies, selectors, draws, victims }
        params: Params,
    }
}

impl Cover for Drrip {
    type Collector = Collector;

    fn collector(params: &Params) -> Collector {
        let Params {
            sets,
            applications,
            leaders,
            psel_w,
            ..
        } = *params;
        let alone = applications == 1;
        let all_lead = 2 * applications * leaders == sets;
        let absent = move |role: usize| alone && role == 2 || all_lead && role == 3;
        Collector {
            params: params.clone(),
            accesses: Cross::named("accesses")
                .numbers("application", applications)
                .axis("set", ROLES)
                .axis("access", ["none", "hit", "miss"])
                .flag("RRIP-Mask")
                .without("there is no such set", move |at| absent(at[1])),
            policies: Cross::named("policies")
                .axis("PSEL", POLICIES)
                .axis("set", ROLES)
                .flag("RRIP-Mask")
                .axis("inserts", ["a long interval", "a distant one"])
                .without("there is no such set", move |at| absent(at[1]))
                .without("SRRIP inserts with a long interval", |at| {
                    at[3] == 1 && (at[1] == 0 || at[1] >= 2 && at[0] == 0 && at[2] == 0)
                }),
            selectors: Cross::named("selectors")
                .axis("PSEL", PSEL)
                .axis("miss in a leader set of", POLICIES)
                .without("two bits are 0, 1, 2 or 3", move |at| {
                    psel_w == 2 && (at[0] == 1 || at[0] == 4)
                }),
            draws: Cross::named("draws")
                .axis("draw", ["0 to 11", "12", "13", "14 to 255"])
                .axis("set", ROLES)
                .without("SRRIP does not draw", |at| at[1] == 0)
                .without("there is no such set", move |at| absent(at[1])),
            victims: Cross::named("victims")
                .numbers("masked application", applications)
                .axis(
                    "the set",
                    ["leads for it", "leads for another one", "leads for none"],
                )
                .without("there is no other one", move |at| alone && at[1] == 1)
                .without("all sets lead", move |at| all_lead && at[1] == 2),
        }
    }
}

impl Collector {
    fn role(&self, input: &In) -> usize {
        match self.params.led(input.access_set) {
            Some((app, policy)) if app == usize::from(input.access_app) => policy as usize,
            Some(_) => 2,
            None => 3,
        }
    }

    fn selector(&self, psel: u16) -> usize {
        let middle = self.params.middle();
        match psel {
            0 => 0,
            _ if psel < middle - 1 => 1,
            _ if psel < middle => 2,
            _ if u64::from(psel) == ones(self.params.psel_w) => 5,
            _ if psel == middle => 3,
            _ => 4,
        }
    }
}

impl Collect<Drrip> for Collector {
    fn sample(&mut self, model: &Model, input: &In) {
        if input.reset {
            return;
        }
        let (role, state) = (self.role(input), model.state());
        let app = usize::from(input.access_app);
        let masked = input.rrip_mask >> app & 1 == 1;
        let access = match (input.access_valid, input.access_hit) {
            (false, _) => 0,
            (true, true) => 1,
            (true, false) => 2,
        };
        self.accesses.hit((app, role, access, masked));
        for masked in (0..self.params.applications).filter(|app| input.rrip_mask >> app & 1 == 1) {
            let leader = match self.params.led(input.access_set) {
                Some((leader, _)) => usize::from(leader != masked),
                None => 2,
            };
            self.victims.hit((masked, leader));
        }
        if access < 2 {
            return;
        }
        let out = model.clone().step(input);
        let winner = state.psel[app] >= self.params.middle();
        self.policies.hit((
            usize::from(winner),
            role,
            usize::from(masked),
            usize::from(out.insert_distant),
        ));
        if role < 2 {
            self.selectors.hit((self.selector(state.psel[app]), role));
        }
        if out.brrip {
            let draw = match state.draw() {
                draw if draw < LONG_BELOW - 1 => 0,
                draw if draw < LONG_BELOW => 1,
                LONG_BELOW => 2,
                _ => 3,
            };
            self.draws.hit((draw, role));
        }
    }
}

impl Teach for Drrip {
    const SETS: &'static [&'static str] = &["64x3x8p4"];

    fn scene(params: &Params) -> Scene<Self> {
        let idle = In::default;
        let miss = |access_app, access_set| In {
            access_valid: true,
            access_app,
            access_set,
            ..idle()
        };
        let leader = |policy, app: u8| params.leader(policy, app.into(), 0);
        let gpu = |access_hit| In {
            access_hit,
            rrip_mask: 0b100,
            ..miss(2, 3)
        };
        let reset = In {
            reset: true,
            ..idle()
        };
        Scene::new("a duel that SRRIP wins, and the RRIP-Mask of application 2")
            .group(
                "access",
                [
                    row("access_valid"),
                    row("access_hit").when("access_valid"),
                    row("access_app").when("access_valid"),
                    row("access_set").when("access_valid"),
                    row("rrip_mask").binary(),
                ],
            )
            .group("policy selectors", [row("psel")])
            .rows(
                "policy",
                "brrip when access_valid, insert_distant when access_valid, promote when access_valid",
            )
            .rows("preferred victims", "preferred binary when access_valid")
            .step(
                Step::new("Reset: selectors of four bits are in the middle.", reset)
                    .then("psel", [8, 8, 8]),
            )
            .step(
                Step::new(
                    "Nobody leads set 3. Application 0 follows BRRIP, and the line is inserted with a \
                     distant interval.",
                    miss(0, 3),
                )
                .sees("brrip", true)
                .sees("insert_distant", true)
                .then("psel", [8, 8, 8]),
            )
            .step(
                Step::new(
                    "A miss in its leader set of BRRIP counts against that policy.",
                    miss(0, leader(Policy::Brrip, 0)),
                )
                .then("psel", [7, 8, 8]),
            )
            .step(
                Step::new("From now on it follows SRRIP in set 3.", miss(0, 3))
                    .sees("brrip", false)
                    .sees("insert_distant", false),
            )
            .step(
                Step::new("Application 1 still follows BRRIP there.", miss(1, 3))
                    .sees("brrip", true),
            )
            .step(
                Step::new(
                    "It misses in a leader set of application 0, which does not count.",
                    miss(1, leader(Policy::Srrip, 0)),
                )
                .then("psel", [7, 8, 8]),
            )
            .step(
                Step::new(
                    "In its own one of SRRIP it inserts as SRRIP, and the miss counts.",
                    miss(1, leader(Policy::Srrip, 1)),
                )
                .sees("brrip", false)
                .then("psel", [7, 9, 8]),
            )
            .step(
                Step::new(
                    "Application 2 has its mask set: its hits do not promote, and its lines are \
                     preferred victims.",
                    gpu(true),
                )
                .sees("promote", false)
                .sees("preferred", 0b100),
            )
            .step(
                Step::new(
                    "In its leader set of SRRIP the mask does nothing.",
                    In {
                        access_set: leader(Policy::Srrip, 2),
                        ..gpu(false)
                    },
                )
                .sees("brrip", false)
                .sees("promote", true)
                .sees("preferred", 0)
                .then("psel", [7, 9, 9]),
            )
            .step(Step::new("No access.", idle()).sees("psel", [7, 9, 9]))
    }
}

impl Facts for Drrip {}
