//! `managed_directory` under test.
//!
//! Stimulus: most accesses go to one set for a while, many to that of the access before, some to leader
//! sets; policy, quotas and masks last for a while, and change between an access and its set now and
//! then.
//!
//! Functional coverage: what each core's accesses find under each policy, where, and whose lines go;
//! why quotas and RRIP choose a victim; hits of masked applications; the set of the access before;
//! changes of the policy; invalidations; the sweep.
//!
//! Example waveform: a line of another application goes by quotas, then one by predictions.
//!
//! Facts: when what is kept of an access and of what was written matters.

use cotenant_golden::llc::pos_w;
use cotenant_golden::mgmt::drrip::Policy as Duellist;
use cotenant_golden::mgmt::managed_directory::{
    held, Access, Found, In, Line as Held, ManagedDirectory as Model, Params, Policy, State,
};
use cotenant_golden::mgmt::ByApplication;

use crate::unit::prelude::*;

/// The unit [`managed_directory`](cotenant_golden::mgmt::managed_directory).
#[derive(Debug, Clone, Copy)]
pub struct ManagedDirectory;

impl Interface for ManagedDirectory {
    const NAME: &'static str = "managed_directory";
    const SUMMARY: &'static str =
        "tags and owners of a cache under LRU, quotas or RRIP by a register";
    const PLACE: Place = Place::Bank;
    type Model = Model;

    fn working(flop: &str) -> bool {
        let beside = ["lookup_", "written_"];
        let pipeline = beside.iter().any(|name| flop.starts_with(name));
        pipeline || flop == "forward" || flop == "stale"
    }

    fn resumed(_: &Params, state: &State) -> Vec<(String, u128)> {
        let Some(access) = due(state) else {
            return Vec::new();
        };
        [
            ("valid", 1),
            ("invalidate", access.invalidate.into()),
            ("set", access.set.into()),
            ("tag", access.tag.into()),
            ("app", access.app.into()),
            ("pol1", access.pol1.into()),
            ("pol2", access.pol2.into()),
        ]
        .map(|(name, value)| (format!("lookup_{name}"), value))
        .into()
    }

    fn probe(_: &Params, register: &str, at: &[usize]) -> Probe {
        Probe::Value(match (register, register.strip_prefix("done_")) {
            ("drrip.psel[]", _) => format!("drrip.selector[{}]", at[0]),
            (_, Some(told)) => format!("{told}_register"),
            _ => subscripted(register, at),
        })
    }

    from_golden!();

    /// Ways, owners and valid bits by position and predictions by way, then the tags by way.
    fn memories(params: &Params) -> Vec<Memory> {
        let Params { ways, sets, .. } = *params;
        let parts = [
            Port::packed("way", ways, id_w(ways)),
            Port::packed("owner", ways, id_w(params.applications)),
            Port::packed("rrpv", ways, params.rrpv_w),
            Port::packed("valid", ways, 1),
        ];
        let tags = |way| Memory::values(format!("tag[{way}]"), sets, params.tag_w);
        std::iter::once(Memory::parts("replacement", sets, parts))
            .chain((0..ways).map(tags))
            .collect()
    }

    fn written(params: &Params, model: &Model, each: &mut dyn FnMut((usize, usize))) {
        let Some((set, tags)) = model.written() else {
            return;
        };
        each((0, set));
        for way in (0..params.ways).filter(|way| tags >> way & 1 == 1) {
            each((1 + way, set));
        }
    }

    fn pack_word(
        params: &Params,
        state: &State,
        (ram, word): (usize, usize),
        packer: &mut WordPacker<'_>,
    ) {
        let set = &state.sets[word];
        let in_way = |way: usize| set.iter().find(|line| usize::from(line.way) == way);
        match ram.checked_sub(1) {
            None => {
                packer.elements(id_w(params.ways), set.iter().map(|line| line.way));
                let owners = set.iter().map(|line| line.owner);
                packer.elements(id_w(params.applications), owners);
                let predictions = (0..params.ways).map(|way| in_way(way).map_or(0, |at| at.rrpv));
                packer.elements(params.rrpv_w, predictions);
                packer.elements(1, set.iter().map(|line| line.valid));
            }
            Some(way) => packer.value(params.tag_w, in_way(way).map_or(0, |line| line.tag)),
        }
    }

    fn word_read(_: &Params, state: &State, _: usize) -> usize {
        due(state).map_or(0, |access| access.set as usize)
    }
}

/// The access that is at its set in this cycle.
fn due(state: &State) -> Option<Access> {
    state.in_flight.due().copied().flatten()
}

/// What happens in a cycle.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Transaction {
    /// Reset, if at all.
    pub reset: Reset,
    /// There is an access.
    pub valid: bool,
    /// It invalidates its line.
    pub invalidate: bool,
    /// The application, modulo their number; also on the port of a bubble.
    pub app: u8,
    /// The accessing core.
    pub core: Core,
    /// Its set.
    pub set: Set,
    /// Its line.
    pub line: Line,
    /// The policy's code, modulo 4.
    pub policy: u8,
    /// Quotas, cut to their width; missing ones are 0.
    pub quotas: Vec<u8>,
    /// The RRIP-Masks.
    pub mask: u64,
}

/// When a reset comes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Reset {
    /// Not in this cycle.
    #[default]
    No,
    /// Unless the sets are being cleared.
    Cleared,
    /// While they are.
    Clearing,
}

/// The core of an access.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Core {
    /// One that is not sampled.
    #[default]
    Follower,
    /// Core-POL1.
    Pol1,
    /// Core-POL2.
    Pol2,
}

/// The set of an access.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Set {
    /// That of the access before, if there is one on its way; else the first.
    Same,
    /// Any, modulo their number.
    Any(u32),
    /// A leader set of an application, modulo their number.
    Leader(u8, Duellist, u32),
}

impl Default for Set {
    fn default() -> Self {
        Self::Any(0)
    }
}

/// The line of an access.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Line {
    /// That of the access before, if there is one on its way; else as `Tag(0)`.
    Same,
    /// The n-th valid one from MRU, modulo their number; else as `Tag`.
    Nth(u8),
    /// That with this tag, cut to its width.
    Tag(u64),
}

impl Default for Line {
    fn default() -> Self {
        Self::Tag(0)
    }
}

/// Quotas that add up to the ways: all else goes to one application.
fn shares(params: &Params, bits: u64) -> Vec<u8> {
    let Params {
        ways, applications, ..
    } = *params;
    let mut left = ways;
    let mut shares: Vec<u8> = (0..applications)
        .map(|app| {
            let most = left.saturating_sub(applications - 1 - app);
            let share = (bits >> (4 * app) & 15) as usize * ways / 24 + 1;
            let share = share.min(most.max(1)).min(left);
            left -= share;
            share as u8
        })
        .collect();
    shares[(bits >> 60) as usize % applications] += left as u8;
    shares
}

impl Drive for ManagedDirectory {
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
    const FAR_STARTS: u64 = 96;

    fn kernels(params: &Params) -> usize {
        params.applications
    }

    fn world(_: &Params) {}

    fn idle(params: &Params) -> In {
        In {
            quota: ByApplication::from_fn(params.applications, |_| 0),
            ..In::default()
        }
    }

    fn resolve(params: &Params, model: &Model, (): &mut (), what: &Transaction, input: &mut In) {
        let state = model.state();
        let before = state.in_flight.iter().flatten().next();
        let app = usize::from(what.app) % params.applications;
        let set = match what.set {
            Set::Same => before.map_or(0, |access| access.set),
            Set::Any(set) => set % params.sets as u32,
            Set::Leader(app, policy, number) => {
                let app = usize::from(app) % params.applications;
                let number = number as usize % params.leaders;
                params.drrip().leader(policy, app, number)
            }
        };
        let lines = || state.sets[set as usize].iter().filter(|line| line.valid);
        let tag = match what.line {
            Line::Same => before.map_or(0, |access| access.tag),
            Line::Nth(nth) => lines()
                .nth(usize::from(nth) % lines().count().max(1))
                .map_or(nth.into(), |line| line.tag),
            Line::Tag(tag) => tag,
        };
        let quota = |app: usize| {
            let quota = what.quotas.get(app).map_or(0, |&quota| u64::from(quota));
            quota & ones(pos_w(params.ways))
        };
        *input = In {
            reset: match what.reset {
                Reset::No => false,
                Reset::Cleared => !state.sweeping,
                Reset::Clearing => state.sweeping,
            },
            access_valid: what.valid,
            access_invalidate: what.invalidate,
            access_set: set,
            access_tag: tag & ones(params.tag_w),
            access_app: app as u8,
            access_pol1: what.core == Core::Pol1,
            access_pol2: what.core == Core::Pol2,
            policy: what.policy % 4,
            quota: ByApplication::from_fn(params.applications, quota),
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
        let (bits, kept) = (random.bits(), pace.character(0));
        // After each reset the sets are cleared.
        transaction.reset = match random.chance(knobs.reset) {
            true if random.below(2 * params.sets) == 0 => Reset::Cleared,
            true if random.below(params.sets.max(16)) == 0 => Reset::Clearing,
            _ => Reset::No,
        };
        transaction.valid = random.chance(knobs.access);
        transaction.invalidate = random.chance(knobs.invalidate) || bits & 31 == 0;
        transaction.app = pace.kid(knobs.kernels, random);
        transaction.core = match bits >> 5 & 15 {
            0 | 1 => Core::Pol1,
            2 | 3 => Core::Pol2,
            _ => Core::Follower,
        };
        let number = (bits >> 32) as u32;
        transaction.set = match bits >> 9 & 15 {
            0..=3 => Set::Same,
            4 => Set::Any(number),
            5 => {
                let duellist = [Duellist::Srrip, Duellist::Brrip][(bits >> 13 & 1) as usize];
                Set::Leader(transaction.app, duellist, number)
            }
            // Those of one policy for a while, so that a selector comes to its end.
            side if side & 1 == 0 && kept >> 40 & 3 == 0 => {
                let duellist = [Duellist::Srrip, Duellist::Brrip][(kept >> 42 & 1) as usize];
                Set::Leader(transaction.app, duellist, number)
            }
            // One for a while, so that it fills up.
            _ => Set::Any(kept as u32),
        };
        transaction.line = match bits >> 14 & 7 {
            0 => Line::Same,
            _ if random.chance(knobs.hit) => Line::Nth(knobs.nth(params.ways, random)),
            _ => Line::Tag(random.bits()),
        };
        let turn = |chance: u64, mask: u64| bits >> chance & mask == 0;
        transaction.policy = match turn(17, 15) {
            true => (bits >> 21) as u8,
            false => (kept >> 32) as u8,
        };
        transaction.mask = match turn(23, 7) {
            true => bits >> 48,
            false => kept >> 34,
        };
        transaction.quotas = match random.below(16) {
            // Any codes.
            0 => (0..params.applications)
                .map(|_| random.bits() as u8)
                .collect(),
            // Little for each.
            1 => (0..params.applications)
                .map(|_| random.below(2) as u8)
                .collect(),
            // Nobody is above it.
            2 => vec![params.ways as u8; params.applications],
            3 => shares(params, random.bits()),
            _ => shares(params, pace.character(1)),
        };
    }

    /// Full sets, and selectors near their ends.
    fn far(params: &Params, random: &mut Random) -> Option<Model> {
        let mut model = Model::new(params.clone()).ok()?;
        let few = 1 + random.below(params.applications);
        for set in 0..params.sets {
            let first = random.below(params.ways);
            let line = |way: usize, random: &mut Random| Held {
                way: ((first + way) % params.ways) as u8,
                valid: true,
                // Different ones, as far as there are.
                tag: (way as u64) & ones(params.tag_w),
                owner: (random.below(few) + first) as u8 % params.applications as u8,
                rrpv: (random.bits() & ones(params.rrpv_w)) as u8,
            };
            let tags = 1u64.checked_shl(params.tag_w as u32).unwrap_or(u64::MAX);
            let lines = (params.ways as u64).min(tags) as usize;
            let lines: Vec<Held> = (0..lines).map(|way| line(way, random)).collect();
            model.preset(set, lines);
        }
        let most = ones(params.psel_w) as u16;
        for app in 0..params.applications {
            let near = (random.below(3) as u16).min(most);
            let psel = [near, most - near][random.below(2)];
            model.preset_duel(|drrip| drrip.preset(app, psel));
        }
        let lfsr = random.bits() as u32;
        model.preset_duel(|drrip| drrip.preset_lfsr(lfsr));
        model.start();
        Some(model)
    }
}

const POLICIES: [&str; 3] = ["LRU", "quotas", "RRIP"];
const CORES: [&str; 3] = ["not sampled", "Core-POL1", "Core-POL2"];
/// What an access finds.
const FOUND: [&str; 4] = ["its line", "an invalid way", "a victim", "nothing to fill"];
/// What the access before has done to the set.
const BEFORE: [&str; 4] = ["hit", "filled a way", "invalidated", "left it"];
/// Why quotas choose a victim.
const QUOTAS: [&str; 4] = [
    "own, at the quota",
    "another's, above its quota",
    "own, none above",
    "any, none above",
];
/// Why RRIP does.
const INTERVALS: [&str; 3] = [
    "preferred",
    "others, since preferred ones are nearer",
    "none is preferred",
];

/// What a set is to the accessing application.
const ROLES: [&str; 3] = ["it does not lead", "leads for SRRIP", "leads for BRRIP"];

collector! {
    /// Sorts accesses and what becomes of them.
    pub struct Collector {
        crosses {
            accesses, evictions, positions, fills, quotas, intervals, masked, misses, selectors,
            again, changes, invalidations, port
        }
        params: Params,
        at: Positions,
        /// The access in the cycle before, and what it has done.
        before: Option<(Access, usize)>,
        /// The policy of the last access.
        policy: Option<usize>,
    }
}

impl Collector {
    /// Sorts the access that is at its set.
    fn access(&mut self, model: &Model, input: &In, access: &Access) {
        let policy = Policy::of(input.policy);
        let row = policy as usize;
        let (found, at) = model.find(access, input);
        let set = &model.state().sets[access.set as usize];
        let hit = found == Found::Line;
        let core = usize::from(access.pol1) + 2 * usize::from(access.pol2);
        let full = set.iter().all(|line| line.valid);
        if let Some((before, did)) = self.before.take() {
            if before.set == access.set {
                self.again.hit((
                    did,
                    usize::from(before.tag != access.tag),
                    usize::from(!hit),
                ));
            }
        }
        let did = match found {
            Found::Line if access.invalidate => 2,
            Found::Line => 0,
            Found::Room | Found::Victim => 1,
            Found::Nothing => 3,
        };
        self.before = Some((*access, did));
        if access.invalidate {
            let at = if hit { at } else { self.params.ways };
            self.invalidations.hit((self.at.class(at), full));
            return;
        }
        self.accesses.hit((row, core, found as usize));
        if let Some(before) = self.policy.replace(row) {
            self.changes.hit((before, row));
        }
        let lines = set.iter().filter(|line| line.valid).count();
        match found {
            Found::Line => self.positions.hit((row, self.at.class(at), 0)),
            Found::Room => {
                let class = match lines {
                    0 => 0,
                    last if last == self.params.ways - 1 => 2,
                    _ => 1,
                };
                self.fills.hit((row, class));
            }
            Found::Victim => {
                self.positions.hit((row, self.at.class(at), 1));
                let owner = usize::from(set[at].owner);
                self.evictions.hit((row, usize::from(access.app), owner));
            }
            Found::Nothing => {}
        }
        if policy == Policy::Quotas && found == Found::Victim {
            self.quotas.hit([why(set, at, access.app, input)]);
        }
        if policy == Policy::Rrip {
            self.rrip(model, input, access, (found, at));
        }
    }

    /// Sorts an access under RRIP.
    fn rrip(&mut self, model: &Model, input: &In, access: &Access, (found, at): (Found, usize)) {
        let set = &model.state().sets[access.set as usize];
        let led = self.params.drrip().led(access.set);
        let own = led.filter(|&(app, _)| app == usize::from(access.app));
        let core = usize::from(access.pol1) + 2 * usize::from(access.pol2);
        if found == Found::Victim {
            let preferred = model.preferred(access, input);
            let is_preferred = |line: &Held| preferred >> line.owner & 1 == 1;
            let why = match set.iter().any(is_preferred) {
                true => usize::from(!is_preferred(&set[at])),
                false => 2,
            };
            let aged = set[at].rrpv < self.params.distant();
            self.intervals.hit((why, usize::from(aged)));
        }
        if found == Found::Line {
            let masked = input.rrip_mask >> access.app & 1 == 1;
            self.masked.hit((core, masked, own.is_some()));
        } else {
            let way = match own {
                None => 0,
                Some((_, Duellist::Srrip)) => 1,
                Some((_, Duellist::Brrip)) => 2,
            };
            let app = usize::from(access.app);
            self.misses.hit((app, way));
            let psel = model.state().drrip.psel[app];
            let class = match u64::from(psel) {
                0 => 0,
                most if most == ones(self.params.psel_w) => 2,
                _ => 1,
            };
            self.selectors.hit((class, way));
        }
    }
}

/// The row of [`QUOTAS`] of a victim.
fn why(set: &[Held], at: usize, app: u8, input: &In) -> usize {
    let above = |line: &Held| held(set, line.owner) > input.quota[usize::from(line.owner)];
    let own = held(set, app);
    match set[at].owner == app {
        true if own >= input.quota[usize::from(app)] => 0,
        true => 2,
        false if above(&set[at]) => 1,
        false => 3,
    }
}

impl Cover for ManagedDirectory {
    type Collector = Collector;

    fn collector(params: &Params) -> Collector {
        let Params {
            ways, applications, ..
        } = *params;
        let at = Positions::new(ways);
        let [lru, miss] = [ways - 1, ways].map(|position| at.class(position));
        let (two, one_bit) = (ways == 2, params.rrpv_w == 1);
        Collector {
            params: params.clone(),
            at,
            accesses: Cross::named("accesses")
                .axis("policy", POLICIES)
                .axis("core", CORES)
                .axis("finds", FOUND)
                .without("Core-POL1 fills nothing under quotas", |at| {
                    at[0] == 1 && at[1] == 1 && (at[2] == 1 || at[2] == 2)
                })
                .without("others fill a way", |at| {
                    at[2] == 3 && (at[0] != 1 || at[1] != 1)
                }),
            evictions: Cross::named("evictions")
                .axis("policy", POLICIES)
                .numbers("application", applications)
                .numbers("owner", applications),
            positions: Cross::named("positions")
                .axis("policy", POLICIES)
                .by(at.axis("line"))
                .axis("is", ["hit", "replaced"])
                .without("a line has a position", move |at| at[1] == miss)
                .without("LRU replaces that at LRU", move |at| {
                    at[0] == 0 && at[1] != lru && at[2] == 1
                }),
            fills: Cross::named("fills")
                .axis("policy", POLICIES)
                .axis("invalid ways", ["all", "some", "the last"])
                .without("there are two ways", move |at| two && at[1] == 1),
            quotas: Cross::named("victims of quotas").axis("it is", QUOTAS),
            intervals: Cross::named("victims of RRIP")
                .axis("it is", INTERVALS)
                .axis("lines", ["stay as they are", "age"])
                .without("of one bit all are as near, if they age", move |at| {
                    one_bit && at[0] == 1 && at[1] == 1
                }),
            masked: Cross::named("hits under RRIP")
                .axis("core", CORES)
                .flag("RRIP-Mask")
                .flag("leads the set"),
            misses: Cross::named("misses under RRIP")
                .numbers("application", applications)
                .axis("set", ROLES),
            selectors: Cross::named("selectors")
                .axis("PSEL", ["0", "between", "the limit"])
                .axis("miss in a set that", ROLES),
            again: Cross::named("the set of the access before")
                .axis("which", BEFORE)
                .axis("tag", ["the same", "another"])
                .axis("access", ["hit", "miss"])
                .without("the line is there", |at| {
                    at[0] < 2 && at[1] == 0 && at[2] == 1
                })
                .without("the line is not there", |at| {
                    at[0] >= 2 && at[1] == 0 && at[2] == 0
                }),
            changes: Cross::named("policies")
                .axis("before", POLICIES)
                .axis("now", POLICIES),
            invalidations: Cross::named("invalidations")
                .by(at.axis("line"))
                .axis("set", ["has invalid ways", "is full"])
                .without("a full set has a line at LRU", move |at| {
                    at[0] == lru && at[1] == 0
                }),
            port: Cross::named("port")
                .axis("access", ["none", "access", "invalidation"])
                .flag("ready"),
            before: None,
            policy: None,
        }
    }
}

impl Collect<ManagedDirectory> for Collector {
    fn sample(&mut self, model: &Model, input: &In) {
        if input.reset {
            (self.before, self.policy) = (None, None);
            return;
        }
        let state = model.state();
        let port = match (input.access_valid, input.access_invalidate) {
            (false, _) => 0,
            (true, invalidate) => 1 + usize::from(invalidate),
        };
        self.port.hit((port, !state.sweeping));
        match due(state) {
            Some(access) => self.access(model, input, &access),
            None => self.before = None,
        }
    }

    fn restart(&mut self, _: &Params) {
        (self.before, self.policy) = (None, None);
    }
}

impl Teach for ManagedDirectory {
    const SETS: &'static [&'static str] = &["4x16x3x2"];

    fn scene(params: &Params) -> Scene<Self> {
        let base = |policy: Policy| In {
            policy: policy as u8,
            quota: ByApplication::from_fn(params.applications, |app| [2, 1, 1][app]),
            rrip_mask: 0b100,
            ..In::default()
        };
        let access = |policy, access_app, access_tag| In {
            access_valid: true,
            // Nobody leads it.
            access_set: 3,
            access_tag,
            access_app,
            ..base(policy)
        };
        let idle = || base(Policy::Lru);
        let reset = In {
            reset: true,
            ..idle()
        };
        let sweep = (0..params.sets).map(|_| idle());
        Scene::new("one set under three policies")
            .group(
                "access",
                [
                    row("ready"),
                    row("access_valid"),
                    row("access_app").when("access_valid"),
                    row("access_set").when("access_valid"),
                    row("access_tag").hex().when("access_valid"),
                ],
            )
            .group(
                "configuration",
                [row("policy"), row("quota"), row("rrip_mask").binary()],
            )
            .group(
                "its set, a cycle later, by position",
                [
                    row("lookup_valid"),
                    row("stack_way").when("lookup_valid"),
                    row("stack_owner").when("lookup_valid"),
                    row("stack_valid").binary().when("lookup_valid"),
                ],
            )
            .group(
                "report",
                [
                    row("done_valid"),
                    row("done_app").when("done_valid"),
                    row("done_hit").when("done_valid"),
                    row("done_way").when("done_valid"),
                    row("done_evict").when("done_valid"),
                    row("done_owner").when("done_valid"),
                ],
            )
            .step(Step::new("Reset.", reset).then("ready", 0))
            .step(
                Step::over("The sets are cleared.", sweep)
                    .folded()
                    .sees("ready", 0)
                    .then("ready", 1),
            )
            .step(
                Step::new("Application 0 brings line a.", access(Policy::Lru, 0, 0xa))
                    .then("stack_valid", 0)
                    .after(2, "done_way", 3),
            )
            .step(
                Step::new(
                    "Application 1 brings b, without a pause: the set is forwarded.",
                    access(Policy::Lru, 1, 0xb),
                )
                .then("stack_valid", 0b0001)
                .after(2, "done_way", 2),
            )
            .step(
                Step::new("And c.", access(Policy::Lru, 1, 0xc)).after(2, "done_way", 1),
            )
            .step(
                Step::new("Application 2 brings d. The set is full.", access(Policy::Lru, 2, 0xd))
                    .after(2, "done_evict", 0),
            )
            .step(
                Step::new(
                    "Quotas of two, one and one lines. Application 0 is below its own: b goes, the \
                     older line of application 1, which is above, though a is at LRU.",
                    access(Policy::Quotas, 0, 0xe),
                )
                .then("stack_owner", 0b00_01_01_10)
                .after(2, "done_evict", 1),
            )
            .step(
                Step::new(
                    "Application 2 is at its quota, and replaces its own line d.",
                    access(Policy::Quotas, 2, 0xf),
                ),
            )
            .step(
                Step::new(
                    "The configuration of this cycle counts for f.",
                    base(Policy::Quotas),
                )
                .sees("done_owner", 1)
                .then("done_owner", 2),
            )
            .step(
                Step::new("Application 1 hits c, which goes to the top.", access(Policy::Rrip, 1, 0xc)),
            )
            .step(
                Step::new(
                    "Under RRIP all lines have been used so far: they age, and that of application \
                     2, whose mask is set, goes first.",
                    access(Policy::Rrip, 0, 0x9),
                )
                .after(2, "done_owner", 2),
            )
            .step(Step::over(
                "The last access is on its way.",
                [base(Policy::Rrip), base(Policy::Rrip), idle()],
            ))
    }
}

impl Facts for ManagedDirectory {
    fn invariants(params: &Params, terms: &mut Terms<'_>) -> Vec<Term> {
        let mut all = rules::invariants::<Self>(params, terms);
        // While the sets are being cleared no access reaches one.
        let [sweeping, access] = terms.flops(["sweeping", "lookup_valid"]);
        all.push(terms.disjoint(sweeping, access));
        let [app, pol1, pol2] = terms.flops(["lookup_app", "lookup_pol1", "lookup_pol2"]);
        all.push(terms.below(app, params.applications));
        all.push(terms.disjoint(pol1, pol2));
        // A tag is written with its set.
        let [forward, stale] = terms.flops(["forward", "stale"]);
        let none = terms.is(stale, 0);
        all.push(terms.any([forward, none]));
        all
    }

    // What was written is forwarded to an access only.
    fn matters(_: &Params, flop: &str, terms: &mut Terms<'_>) -> Option<Term> {
        let [access, forward] = terms.flops(["lookup_valid", "forward"]);
        match flop {
            "lookup_valid" => None,
            "forward" | "stale" => Some(access),
            "written_word" | "written_tag" => Some(terms.all([access, forward])),
            _ if flop.starts_with("lookup_") => Some(access),
            _ => None,
        }
    }
}
