//! Rationale: where a unit is small enough nothing is left to chance. The combinational units see
//! every input; the stack and the small limiters see every legal input in every state that they can
//! be in, found by breadth-first search over the golden model, with the netlist's flops set by
//! name. Quotas are computed of every ratio that there is and held to their definition.

use std::collections::{HashSet, VecDeque};

use cotenant::unit::{llc, sm};
use cotenant::verify::interface::{InOf, Interface, ParamsOf};
use cotenant::verify::lockstep::Lockstep;
use cotenant_golden::llc::{blame, demotion, kid_demux, lru_stack, pivot, popcnt};
use cotenant_golden::sm::{milg, quota_unit, rbmi, smil, ByKernel};
use cotenant_golden::Model;
use cotenant_netlist::sim::Engine;
use cotenant_units::table;

#[test]
fn popcnt_sees_every_vector_up_to_16_bits() {
    let mut vectors = 0u64;
    for set in table::sets("popcnt").unwrap() {
        let mut lockstep = Lockstep::<llc::Popcnt>::new(&set).unwrap();
        let width = lockstep.params().width;
        if width > 16 {
            continue;
        }
        for data in 0..1u64 << width {
            let found = lockstep.step(&popcnt::In { data }).unwrap();
            assert_eq!(found, None, "popcnt {}: {data:#b}", set.name);
            vectors += 1;
        }
    }
    println!("popcnt: {vectors} vectors");
    assert!(vectors > 1 << 16);
}

#[test]
fn kid_demux_sees_every_input() {
    let mut vectors = 0u64;
    for set in table::sets("kid_demux").unwrap() {
        let mut lockstep = Lockstep::<llc::KidDemux>::new(&set).unwrap();
        for select in 0..lockstep.params().kernels as u8 {
            for enable in [false, true] {
                let found = lockstep.step(&kid_demux::In { enable, select }).unwrap();
                assert_eq!(found, None, "kid_demux {}: {enable} {select}", set.name);
                vectors += 1;
            }
        }
    }
    println!("kid_demux: {vectors} vectors");
}

#[test]
fn blame_sees_every_game_up_to_16_ways() {
    let mut games = 0u64;
    for set in table::sets("blame").unwrap() {
        let lockstep = Lockstep::<llc::Blame>::new(&set).unwrap();
        let blame::Params { ways, kernels } = *lockstep.params();
        if ways > 16 {
            continue;
        }
        let mut lockstep = lockstep.check_assumptions(false);
        let codes = ways + 1;
        for game in 0..codes.pow(kernels as u32) {
            let lines = |kernel: usize| (game / codes.pow(kernel as u32) % codes) as u8;
            for access_kid in 0..kernels as u8 {
                for access_again in [false, true] {
                    let input = blame::In {
                        access_valid: true,
                        access_kid,
                        access_again,
                        above: (0..kernels).map(lines).collect(),
                    };
                    let found = lockstep.step(&input).unwrap();
                    assert_eq!(found, None, "blame {}: {input:?}", set.name);
                    games += 1;
                }
            }
        }
    }
    println!("blame: {games} games");
    assert!(games > 8 * 17u64.pow(4));
}

/// Models of `pivot` whose next orders are all that there are.
fn every_order(params: &pivot::Params) -> Vec<pivot::Pivot> {
    let mut model = pivot::Pivot::new(params.clone()).unwrap();
    let next = pivot::In {
        access_valid: true,
        access_again: true,
        above: [vec![0], vec![params.ways as u8; params.kernels - 1]].concat(),
        ..pivot::In::default()
    };
    let orders: usize = (1..=params.kernels).product();
    let mut known = HashSet::new();
    let mut models = Vec::new();
    while models.len() < orders {
        let mut lfsr = model.state().lfsr;
        if known.insert(pivot::order(&mut lfsr, params.kernels)) {
            models.push(model.clone());
        }
        assert!(model.step(&next).contention);
    }
    models
}

#[test]
fn pivot_sees_every_small_game_in_every_order() {
    let mut games = 0u64;
    for set in table::sets("pivot").unwrap() {
        let lockstep = Lockstep::<llc::Pivot>::new(&set).unwrap();
        let params = lockstep.params().clone();
        let pivot::Params { ways, kernels } = params;
        let codes = ways + 1;
        if codes.saturating_pow(kernels as u32) > 1000 {
            continue;
        }
        let mut lockstep = lockstep.check_assumptions(false);
        for model in every_order(&params) {
            for game in 0..codes.pow(kernels as u32) {
                let lines = |kernel: usize| (game / codes.pow(kernel as u32) % codes) as u8;
                for access_kid in 0..kernels as u8 {
                    for access_again in [false, true] {
                        let input = pivot::In {
                            reset: false,
                            access_valid: true,
                            access_kid,
                            access_again,
                            above: (0..kernels).map(lines).collect(),
                        };
                        lockstep.load(model.clone());
                        let found = lockstep.step(&input).unwrap();
                        assert_eq!(found, None, "pivot {}: {input:?}", set.name);
                        games += 1;
                    }
                }
            }
        }
    }
    println!("pivot: {games} games");
    assert!(games > 24 * 8 * 5u64.pow(4));
}

#[test]
fn demotion_sees_every_input_up_to_16_ways() {
    let mut vectors = 0u64;
    for set in table::sets("demotion").unwrap() {
        let lockstep = Lockstep::<llc::Demotion>::new(&set).unwrap();
        let ways = lockstep.params().ways;
        if ways > 16 {
            continue;
        }
        let mut lockstep = lockstep.check_assumptions(false);
        for stack_valid in 0..1u64 << ways {
            for access_pos in 0..=ways as u8 {
                for access_valid in [false, true] {
                    let input = demotion::In {
                        access_valid,
                        access_pos,
                        stack_valid,
                    };
                    let found = lockstep.step(&input).unwrap();
                    assert_eq!(found, None, "demotion {}: {input:?}", set.name);
                    vectors += 1;
                }
            }
        }
    }
    println!("demotion: {vectors} vectors");
    assert!(vectors > (2 * 17) << 16);
}

/// Every request, alone and together with every other, for every way and kernel.
///
/// What a request does not look at is not multiplied out where `all` is false: then a port that
/// carries no request carries 0, and a reset or a flush is met by one access of each kind.
fn inputs(params: &lru_stack::Params, all: bool) -> Vec<lru_stack::In> {
    let (ways, kernels) = (params.ways as u8, params.kernels as u8);
    let mut inputs = Vec::new();
    for flags in 0..32u8 {
        let flag = |bit: u8| flags >> bit & 1 == 1;
        let (reset, flush) = (flag(0), flag(4));
        let (access_valid, access_hit, invalidate_valid) = (flag(1), flag(2), flag(3));
        let few = |count: u8, used: bool| if all || used { count } else { 1 };
        let undisturbed = !reset && !flush;
        for access_way in 0..few(ways, access_hit && undisturbed) {
            for access_kid in 0..few(kernels, access_valid && undisturbed) {
                for invalidate_way in 0..few(ways, invalidate_valid && undisturbed) {
                    inputs.push(lru_stack::In {
                        reset,
                        access_valid,
                        access_hit,
                        access_way,
                        access_kid,
                        invalidate_valid,
                        invalidate_way,
                        flush,
                    });
                }
            }
        }
    }
    inputs
}

/// What a search has gone through.
#[derive(Debug, Default, PartialEq)]
struct Searched {
    states: usize,
    vectors: u64,
    mismatch: Option<String>,
}

/// All states of a unit, each with every one of the inputs that is legal in it, up to the first
/// mismatch. So many cycles without input follow, after which what flops that are not compared hold
/// has shown.
fn search<U: Interface>(
    mut lockstep: Lockstep<U>,
    inputs: &[InOf<U>],
    settling: usize,
) -> Searched {
    let params = lockstep.params().clone();
    // With what is on its way, too, which no register holds.
    let key = |model: &U::Model| format!("{:?}", model.state());
    let first = U::model(&params).unwrap();
    let mut known = HashSet::from([key(&first)]);
    let mut open = VecDeque::from([first]);
    let mut searched = Searched::default();
    'all: while let Some(model) = open.pop_front() {
        for input in inputs {
            if model.assume(input).is_err() {
                continue;
            }
            lockstep.load(model.clone());
            searched.vectors += 1;
            let mut found = lockstep.step(input).unwrap();
            let next = lockstep.model();
            if known.insert(key(next)) {
                open.push_back(next.clone());
            }
            for _ in 0..settling {
                let idle = InOf::<U>::default();
                found = found.or_else(|| lockstep.step(&idle).unwrap());
            }
            if let Some(found) = found {
                let state = model.state();
                searched.mismatch = Some(format!("{state:?}, {input:?}: {found:?}"));
                break 'all;
            }
        }
    }
    searched.states = known.len();
    searched
}

/// All states of a unit with a parameter set; how many there are.
fn every_state<U: Interface>(name: &str, inputs: impl Fn(&ParamsOf<U>) -> Vec<InOf<U>>) -> usize {
    every_state_settling::<U>(name, inputs, 0)
}

fn every_state_settling<U: Interface>(
    name: &str,
    inputs: impl Fn(&ParamsOf<U>) -> Vec<InOf<U>>,
    settling: usize,
) -> usize {
    let set = table::set(U::NAME, name).unwrap();
    let lockstep = Lockstep::<U>::new(&set).unwrap();
    let inputs = inputs(lockstep.params());
    let searched = search(lockstep.check_assumptions(false), &inputs, settling);
    assert_eq!(searched.mismatch, None, "{} {name}", U::NAME);
    println!(
        "{} {name}: {} states, {} vectors",
        U::NAME,
        searched.states,
        searched.vectors
    );
    searched.states
}

#[test]
fn lru_stack_in_every_state() {
    // By hand: from reset the ways are in order with owner 0; a miss brings way 1 up with any
    // owner, and from there both orders, both owners each, and 0 to 2 valid ways are reached.
    let stack = |set, all| every_state::<llc::LruStack>(set, |params| inputs(params, all));
    assert_eq!(stack("2x2", true), 24);
    stack("3x3", true);
    stack("2x4", true);
    stack("4x2", false);
    stack("4x4", false);
}

#[test]
fn a_search_finds_what_is_wrong_in_one_state_only() {
    let set = table::set("lru_stack", "3x3").unwrap();
    let mut netlist = llc::LruStack::netlist(&set).unwrap();
    let graph = &mut netlist.graph;
    // `victim_valid` is lost when the way at LRU is way 2, owned by kernel 1 of 3.
    let at = |name: &str| netlist.regs.iter().find(|reg| reg.name == name).unwrap().q;
    let (way, owner) = (at("way[2]"), at("owner[2]"));
    let (two, one) = (graph.constant(2u8, 2), graph.constant(1u8, 2));
    let (way, owner) = (graph.eq(way, two), graph.eq(owner, one));
    let wrong = graph.and(way, owner);
    let right = graph.not(wrong);
    let output = netlist
        .outputs
        .iter_mut()
        .find(|output| output.name == "victim_valid")
        .unwrap();
    output.node = graph.and(output.node, right);
    let lockstep =
        Lockstep::<llc::LruStack>::with_netlist(&set, &netlist, Engine::default()).unwrap();
    let inputs = inputs(lockstep.params(), false);
    let searched = search(lockstep.check_assumptions(false), &inputs, 0);
    let mismatch = searched.mismatch.expect("not found");
    assert!(mismatch.contains("victim_valid"), "{mismatch}");
    assert!(mismatch.contains("valid: 7"), "{mismatch}");
}

/// The bits of a number as flags.
fn flags<const N: usize>(number: usize) -> [bool; N] {
    std::array::from_fn(|bit| number >> bit & 1 == 1)
}

#[test]
fn milg_in_every_state() {
    let inputs = |_: &milg::Params| -> Vec<milg::In> {
        let each = (0..64).map(flags);
        each.map(|[reset, launch, issue, complete, request, fail]| milg::In {
            reset,
            launch,
            issue,
            complete,
            request,
            fail,
        })
        .collect()
    };
    for set in ["2x4x2", "2x4x2d", "2x4x2h", "2x4x2p"] {
        // A limit shows after at most two cycles and the quotient's two bits.
        let states = every_state_settling::<sm::Milg>(set, inputs, 4);
        assert!(states > 1000, "{set}: {states}");
    }
}

#[test]
fn smil_in_every_state() {
    let inputs = |params: &smil::Params| -> Vec<smil::In> {
        let limits = 0..1u64 << params.limit_w;
        let each = limits.flat_map(|set_limit| (0..32).map(move |n| (set_limit, flags(n))));
        each.map(
            |(set_limit, [reset, set_valid, set_unlimited, issue, complete])| smil::In {
                reset,
                set_valid,
                set_limit,
                set_unlimited,
                issue,
                complete,
            },
        )
        .collect()
    };
    // By hand: any of 0 to 3 in flight under limits of 1, 2, 3 or none.
    assert_eq!(every_state::<sm::Smil>("2x2", inputs), 16);
    // Of 3 bits limits of 1 to 3 can be set.
    assert_eq!(every_state::<sm::Smil>("3x2", inputs), 32);
}

#[test]
fn rbmi_in_every_state() {
    for set in table::sets("rbmi").unwrap() {
        let kernels = set.params[0].1;
        if kernels > 8 {
            continue;
        }
        let states = every_state::<sm::Rbmi>(set.name, |params| {
            let ready = 0..1u64 << params.kernels;
            let each = ready.flat_map(|ready| (0..4).map(move |n| (ready, flags(n))));
            each.map(|(ready, [reset, accept])| rbmi::In {
                reset,
                ready,
                accept,
            })
            .collect()
        });
        assert_eq!(states, kernels);
    }
}

/// Quotas by definition: the least common multiple over the ratio.
fn quotas(ratios: &[u64]) -> Vec<u64> {
    let divides = |multiple: &u64| ratios.iter().all(|ratio| multiple % ratio == 0);
    let multiples = (1..).map(|n| n * ratios[0]);
    let least = multiples.into_iter().find(divides).unwrap();
    ratios.iter().map(|ratio| least / ratio).collect()
}

/// All ratios of all kernels of a set, one computation after the other.
fn every_ratio(set: &str) -> u64 {
    let set = table::set("quota_unit", set).unwrap();
    let lockstep = Lockstep::<sm::QuotaUnit>::new(&set).unwrap();
    let mut lockstep = lockstep.check_assumptions(false);
    let params = lockstep.params().clone();
    let (kernels, most) = (params.kernels, params.ratio_max);
    let mut step = |input: &quota_unit::In| {
        assert_eq!(lockstep.step(input).unwrap(), None, "{input:?}");
        lockstep.model().state().clone()
    };
    let mut computed = 0;
    for code in 0..most.pow(kernels as u32) {
        let digits = (0..kernels).map(|kernel| 1 + code / most.pow(kernel as u32) % most);
        let ratios: Vec<u64> = digits.collect();
        let ratio = ByKernel::try_from(&ratios[..]).unwrap();
        let idle = quota_unit::In {
            ratio,
            ..Default::default()
        };
        let mut state = step(&quota_unit::In {
            start: true,
            active: (1 << kernels) - 1,
            ..idle
        });
        let mut cycles = 1;
        while !state.done {
            state = step(&idle);
            cycles += 1;
        }
        assert_eq!(cycles, params.latency(), "{ratios:?}");
        assert_eq!(state.quota, quotas(&ratios), "{ratios:?}");
        computed += 1;
    }
    println!("quota_unit {}: {computed} sets of ratios", set.name);
    computed
}

#[test]
fn quotas_of_every_ratio() {
    assert_eq!(every_ratio("2x32"), 1024);
    assert_eq!(every_ratio("3x32"), 32_768);
    assert_eq!(every_ratio("2x4"), 16);
    // The paper's table 2: bp with sv, with ks, and sv, ks and ax together.
    assert_eq!(quotas(&[2, 3]), [3, 2]);
    assert_eq!(quotas(&[2, 17]), [17, 2]);
    assert_eq!(quotas(&[3, 17, 11]), [187, 33, 51]);
}
