//! Functional coverage of `managed_directory`: what accesses find under each policy, whose lines go and
//! why; masks; the set of the access before; changes of the policy; invalidations; the sweep.

use cotenant_golden::mgmt::drrip::Policy as Duellist;
use cotenant_golden::mgmt::managed_directory::{
    held, Access, Found, In, Line as Held, ManagedDirectory as Model, Params, Policy,
};

use super::{due, ManagedDirectory};
use crate::unit::prelude::*;

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
