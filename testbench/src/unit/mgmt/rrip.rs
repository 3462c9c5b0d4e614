//! `rrip` under test.
//!
//! Stimulus: sets with RRPVs of all kinds: any, all alike, only low ones, all 0 but one; full or with
//! invalid ways; preferred lines of all kinds. Functional coverage: victims by way and by why they
//! are chosen, how long the set ages for them, how many lines could be replaced and how many of these
//! are preferred; hits on lines of each age, with and without promotion. Example waveform: a set that
//! fills, ages and replaces.

use cotenant_golden::mgmt::rrip::{search, In, Params, Rrip as Model};

use crate::unit::prelude::*;

/// The unit [`rrip`](cotenant_golden::mgmt::rrip).
#[derive(Debug, Clone, Copy)]
pub struct Rrip;

impl Interface for Rrip {
    const NAME: &'static str = "rrip";
    const SUMMARY: &'static str = "victim and re-reference predictions of a cache set";
    const PLACE: Place = Place::Bank;
    type Model = Model;

    from_golden!();
}

/// What the set is like, and what is asked.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Transaction {
    /// RRPV of each way's line, cut to its width; missing ones are 0.
    pub rrpv: Vec<u8>,
    /// The ways with a valid line.
    pub lines: u64,
    /// The ways with a preferred one.
    pub preferred: u64,
    /// There is an access.
    pub valid: bool,
    /// It hits, if there is a valid line.
    pub hit: bool,
    /// Which valid line it hits, counted around; of a miss what `access_way` carries, cut to its
    /// width.
    pub nth: u8,
    /// A hit promotes.
    pub promote: bool,
    /// A miss inserts with the highest RRPV.
    pub distant: bool,
}

/// The n-th way of a mask that is not 0, counted around.
fn nth_way(mask: u64, nth: u8) -> Option<u8> {
    let ways = (0..64).filter(|way| mask >> way & 1 == 1);
    let count = mask.count_ones() as usize;
    ways.cycle()
        .nth(usize::from(nth) % count.max(1))
        .filter(|_| count > 0)
}

/// RRPVs of a set.
fn rrpvs(highest: u8, rrpv: &mut [u8], random: &mut Random) {
    let bound = usize::from(highest) + 1;
    let level = random.below(bound);
    match random.below(4) {
        // All 0 but for one line, if for any.
        0 => {
            rrpv.fill(0);
            rrpv[random.below(rrpv.len())] = [0, 1, level][random.below(3)] as u8;
        }
        1 => rrpv.fill(level as u8),
        2 => rrpv.fill_with(|| random.below(level + 1) as u8),
        _ => rrpv.fill_with(|| random.below(bound) as u8),
    }
}

impl Drive for Rrip {
    type Transaction = Transaction;
    type World = ();
    const PROFILES: &'static [Profile] = &[
        Profile::Uniform,
        Profile::InvalidWays,
        Profile::Hits,
        Profile::Misses,
        Profile::Saturation,
        Profile::Idle,
    ];

    fn world(_: &Params) {}

    fn idle(params: &Params) -> In {
        In {
            rrpv: vec![0; params.ways],
            ..In::default()
        }
    }

    fn resolve(params: &Params, _: &Model, (): &mut (), what: &Transaction, input: &mut In) {
        for (way, rrpv) in input.rrpv.iter_mut().enumerate() {
            *rrpv = what
                .rrpv
                .get(way)
                .map_or(0, |&rrpv| rrpv & params.distant());
        }
        input.valid = what.lines & ones(params.ways);
        input.preferred = what.preferred & ones(params.ways);
        input.access_valid = what.valid;
        let hit = nth_way(input.valid, what.nth).filter(|_| what.hit);
        input.access_hit = hit.is_some();
        input.access_way = hit.unwrap_or(what.nth & ones(id_w(params.ways)) as u8);
        input.promote = what.promote;
        input.insert_distant = what.distant;
    }

    fn draw(
        params: &Params,
        knobs: &Knobs,
        _: &mut Pace,
        random: &mut Random,
        transaction: &mut Transaction,
    ) {
        let ways = params.ways;
        transaction.rrpv.resize(ways, 0);
        rrpvs(params.distant(), &mut transaction.rrpv, random);
        transaction.lines = match random.below(4) {
            0 => knobs.valid(ways, random),
            // But for one way, so that each is the first to be filled.
            1 if random.below(4) == 0 => !(1 << random.below(ways)),
            _ => u64::MAX,
        };
        let bits = random.bits();
        transaction.preferred = match random.below(8) {
            0 => 0,
            1 => u64::MAX,
            2 | 3 => 1 << random.below(ways),
            4 => bits & random.bits() & random.bits(),
            _ => bits,
        };
        transaction.valid = random.chance(knobs.access);
        transaction.hit = random.chance(knobs.hit);
        transaction.nth = random.below(ways) as u8;
        transaction.promote = random.below(2) == 0;
        transaction.distant = random.below(2) == 0;
    }
}

/// Ways up to which each is a class of its own.
const EACH_WAY: usize = 8;
/// Why a line goes.
const VICTIMS: [&str; 3] = ["invalid way", "preferred line", "other line"];
/// RRPVs, or differences of them.
const AGES: [&str; 4] = ["0", "1", "more", "the highest"];
/// How many of the lines can be replaced.
const REPLACEABLE: [&str; 3] = ["one", "some", "all"];
/// Which are preferred.
const PREFERRED: [&str; 4] = ["none", "younger ones", "one of them", "several of them"];

fn way_axis(ways: usize) -> Axis {
    match ways {
        0..=EACH_WAY => Axis::numbers("way", ways),
        _ => Axis::new("way", ["first", "lower half", "upper half", "last"]),
    }
}

fn way_class(way: usize, ways: usize) -> usize {
    match way {
        _ if ways <= EACH_WAY => way,
        0 => 0,
        _ if way == ways - 1 => 3,
        _ => 1 + usize::from(way >= ways / 2),
    }
}

fn age_class(age: u8, highest: u8) -> usize {
    match age {
        0 => 0,
        _ if age == highest => 3,
        1 => 1,
        _ => 2,
    }
}

collector! {
    /// Sorts accesses.
    pub struct Collector {
        crosses { accesses, victims, choices, fills, hits }
        params: Params,
    }
}

impl Cover for Rrip {
    type Collector = Collector;

    fn collector(params: &Params) -> Collector {
        let Params { ways, rrpv_w } = *params;
        // With so few bits some classes of ages are the same.
        let missing = move |age: usize| rrpv_w == 1 && matches!(age, 1 | 2);
        let victims = Cross::named("victims")
            .by(way_axis(ways))
            .axis("victim", VICTIMS)
            .axis("ageings", AGES)
            .without("a bit has two values", move |at| missing(at[2]))
            .without("a set with an invalid way does not age", |at| {
                at[1] == 0 && at[2] > 0
            })
            .without(
                "all lines are alike: a preferred one goes, or the first",
                |at| at[0] > 0 && at[1] == 2 && at[2] == 3,
            );
        let choices = Cross::named("choices")
            .axis("replaceable", REPLACEABLE)
            .axis("preferred", PREFERRED)
            .without("one of two is one, two are all", move |at| {
                ways == 2 && at[0] == 1
            })
            .without("there is but one", |at| at[0] == 0 && at[1] == 3)
            .without("no line is younger", |at| at[0] == 2 && at[1] == 1);
        let fills = Cross::named("fills")
            .axis("victim", VICTIMS)
            .axis("inserts", ["a long interval", "a distant one"]);
        let hits = Cross::named("hits")
            .by(way_axis(ways))
            .axis("RRPV", AGES)
            .flag("promotes")
            .without("a bit has two values", move |at| missing(at[1]));
        Collector {
            params: params.clone(),
            accesses: Cross::named("accesses")
                .axis("access", ["none", "hit", "miss"])
                .axis("ways", Valid::NAMES)
                .without("there is no line to hit", |at| at == [1, 0]),
            victims,
            choices,
            fills,
            hits,
        }
    }
}

impl Collector {
    fn miss(&mut self, input: &In) {
        let (ways, highest) = (self.params.ways, self.params.distant());
        let mut aged = input.rrpv.clone();
        let victim = search(&mut aged, highest, input.valid, input.preferred);
        let preferred = |way: usize| input.preferred >> way & 1 == 1;
        let kind = match victim.valid {
            false => 0,
            true => 1 + usize::from(!preferred(victim.way)),
        };
        let ageings = age_class(victim.ageings, highest);
        self.victims
            .hit((way_class(victim.way, ways), kind, ageings));
        self.fills.hit((kind, input.insert_distant));
        if victim.valid {
            let replaceable: Vec<usize> = (0..ways).filter(|&way| aged[way] == highest).collect();
            let count = match replaceable.len() {
                1 => 0,
                all if all == ways => 2,
                _ => 1,
            };
            let first = match replaceable.iter().filter(|&&way| preferred(way)).count() {
                0 => usize::from(input.preferred != 0),
                1 => 2,
                _ => 3,
            };
            self.choices.hit((count, first));
        }
    }
}

impl Collect<Rrip> for Collector {
    fn sample(&mut self, _: &Model, input: &In) {
        let Params { ways, .. } = self.params;
        let kind = match (input.access_valid, input.access_hit) {
            (false, _) => 0,
            (true, true) => 1,
            (true, false) => 2,
        };
        self.accesses
            .hit((kind, Valid::of(input.valid, ways) as usize));
        match kind {
            1 => {
                let way = usize::from(input.access_way);
                let age = age_class(input.rrpv[way], self.params.distant());
                self.hits.hit((way_class(way, ways), age, input.promote));
            }
            2 => self.miss(input),
            _ => {}
        }
    }
}

impl Teach for Rrip {
    const SETS: &'static [&'static str] = &["4"];

    fn scene(_: &Params) -> Scene<Self> {
        let set = |valid: u64, rrpv: [u8; 4]| In {
            rrpv: rrpv.into(),
            valid,
            access_valid: true,
            promote: true,
            ..In::default()
        };
        let full = |rrpv| set(0b1111, rrpv);
        let hit = |access_way, rrpv| In {
            access_hit: true,
            access_way,
            ..full(rrpv)
        };
        let miss = |caption, input: In, way: u64, ageings: u64, next: [u64; 4]| {
            Step::new(caption, input)
                .sees("victim_way", way)
                .sees("ageings", ageings)
                .sees("next_rrpv", next)
        };
        Scene::new("a set of four ways, each cycle with the RRPVs that the one before has left")
            .group(
                "the set, way 0 first",
                [
                    row("rrpv"),
                    row("valid").binary(),
                    row("preferred").binary(),
                ],
            )
            .group(
                "access",
                [
                    row("access_valid"),
                    row("access_hit").when("access_valid"),
                    row("access_way").when("access_hit"),
                    row("promote").when("access_hit"),
                    row("insert_distant").when("access_valid"),
                ],
            )
            .rows(
                "victim, and the RRPVs after the access",
                "victim_way, victim_valid, ageings, next_rrpv",
            )
            .step(miss(
                "A miss fills the first invalid way, way 2, as SRRIP with 2; the others do not age.",
                set(0b0011, [2, 2, 0, 0]),
                2,
                0,
                [2, 2, 2, 0],
            ))
            .step(miss(
                "So does the next one, as BRRIP with 3.",
                In {
                    insert_distant: true,
                    ..set(0b0111, [2, 2, 2, 0])
                },
                3,
                0,
                [2, 2, 2, 3],
            ))
            .cycle("A hit of way 1 sets its RRPV to 0.", hit(1, [2, 2, 2, 3]))
            .sees("next_rrpv", [2, 0, 2, 3])
            .step(miss(
                "A miss replaces the line with 3, in way 3.",
                full([2, 0, 2, 3]),
                3,
                0,
                [2, 0, 2, 2],
            ))
            .step(miss(
                "No line has 3: all age by one, and the first of those that have it then goes.",
                full([2, 0, 2, 2]),
                0,
                1,
                [2, 1, 3, 3],
            ))
            .step(miss(
                "Ways 2 and 3 could go. Way 3 is preferred, and goes first; way 0 is, too, but is younger.",
                In {
                    preferred: 0b1001,
                    ..full([2, 1, 3, 3])
                },
                3,
                0,
                [2, 1, 3, 2],
            ))
            .cycle(
                "A hit of way 2 that does not promote: nothing changes.",
                In {
                    promote: false,
                    ..hit(2, [2, 1, 3, 2])
                },
            )
            .sees("next_rrpv", [2, 1, 3, 2])
            .cycle(
                "No access. What a miss would replace is told all the same.",
                In {
                    access_valid: false,
                    ..full([2, 1, 3, 2])
                },
            )
            .sees("victim_way", 2)
            .sees("next_rrpv", [2, 1, 3, 2])
    }
}

impl Facts for Rrip {}
