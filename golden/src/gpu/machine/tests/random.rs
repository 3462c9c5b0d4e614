//! Rationale: properties that hold for any programs on any machine. Programs come from a hash of
//! the place, over few lines, so that hits, merges, sector misses and all failures occur.

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::*;
use crate::gpu::config::{Config, Fill, Index, Order, Policy, WriteMiss};
use crate::gpu::machine::KernelStats;
use crate::workload::program::{Addresses, Memory};

/// What of a machine is drawn.
#[derive(Debug, Clone)]
pub(super) struct Drawn {
    pub config: Config,
    /// The L2's.
    pub geometry: Geometry,
    pub launches: Vec<(u64, Launch)>,
    controlled: u64,
}

/// A program of about `steps` instructions per warp.
fn program(seed: u64, blocks: u64, warps: u32, steps: u64) -> Arc<dyn Program> {
    let grid = Grid {
        registers: 16,
        shared_memory: 64,
        ..grid(blocks, warps)
    };
    script(grid, move |place| {
        let of = |warp: u64| {
            let salt = [place.block, warp, place.step, place.lap];
            let state = salt.iter().fold(seed, |all, n| {
                all.wrapping_mul(0x9e37_79b9).wrapping_add(*n)
            });
            Pcg64Mcg::seed_from_u64(state)
        };
        // Barriers are met by all warps of a block alike.
        let mut common = of(u64::MAX);
        if place.step >= steps {
            return Instruction::Exit;
        }
        if common.random_ratio(1, 12) {
            return Instruction::Barrier;
        }
        let mut own = of(place.warp.into());
        let op = if own.random_ratio(1, 4) { Write } else { Read };
        let base = own.random_range(0..48u64) * 128 + own.random_range(0..4u64) * 32;
        let addresses = match own.random_range(0..8) {
            0..=2 => return compute(own.random_range(1..4), own.random_range(1..80)),
            3 => return Instruction::Wait,
            4 => Addresses::Each(std::array::from_fn(|_| own.random_range(0..48u64) * 128)),
            5 => Addresses::Strided {
                base,
                stride: own.random_range(0..200u64),
            },
            _ => Addresses::Strided { base, stride: 4 },
        };
        Instruction::Memory(Memory {
            op,
            bytes: 4,
            lanes: own.random_range(1..=u32::MAX),
            addresses,
        })
    })
}

pub(super) fn drawn() -> impl Strategy<Value = Drawn> {
    let sm = (
        1..4usize,
        prop::sample::select(vec![1usize, 2, 4]),
        prop::sample::select(vec![Policy::Gto, Policy::Lrr]),
        1..5usize,
    );
    let options = (
        prop::sample::select(vec![Order::Rotating, Order::Fixed]),
        prop::sample::select(vec![Fill::Sectors, Fill::Lines]),
        prop::sample::select(vec![Index::Bits, Index::Xor, Index::Slices]),
        prop::sample::select(vec![WriteMiss::Validate, WriteMiss::Fetch]),
    );
    let l1d = (
        prop::sample::select(vec![1usize, 2, 8]),
        1..5usize,
        prop::sample::select(vec![Index::Bits, Index::Xor]),
        1..20u32,
        (1..9usize, 1..4usize, 1..5usize),
    );
    let kernel = (
        any::<u64>(),
        1..7u64,
        1..5u32,
        1..30u64,
        any::<bool>(),
        1..8u64,
        0..400u64,
    );
    let kernels = prop::collection::vec(kernel, 1..=3);
    let controlled = prop_oneof![Just(0u64), 0..8u64];
    (sm, l1d, options, kernels, controlled).prop_map(
        |(sm, l1d, (order, fill, l2_index, write_miss), kernels, controlled)| {
            let mut config = config();
            (
                config.sm.count,
                config.sm.schedulers,
                config.sm.policy,
                config.sm.lsu_queue,
            ) = sm;
            (config.sm.order, config.l2.index) = (order, l2_index);
            config.l2.write_miss = write_miss;
            let (sets, ways, index, hit_latency, (mshrs, merges, queue)) = l1d;
            config.l1d = crate::gpu::config::L1d {
                sets,
                ways,
                line: None,
                index,
                fill,
                hit_latency,
                mshrs,
                mshr_merges: merges,
                miss_queue: queue,
            };
            let launches = kernels.into_iter().zip(0..).map(|(drawn, kid)| {
                let (seed, blocks, warps, steps, restart, sms, start) = drawn;
                let mut launch = launch(kid, program(seed, blocks, warps, steps));
                // At least one that exists.
                launch.sms = sms | 1 << (seed % config.sm.count as u64);
                (launch.restart, launch.start) = (restart, start);
                (steps, launch)
            });
            Drawn {
                launches: launches.collect(),
                config,
                geometry: GEOMETRY,
                controlled,
            }
        },
    )
}

impl Drawn {
    pub(super) fn machine(&self) -> Machine {
        let launches = self.launches.iter().map(|(_, launch)| launch.clone());
        self.with(launches.collect())
    }

    pub(super) fn with(&self, launches: Vec<Launch>) -> Machine {
        let mut machine = Machine::new(&self.config, self.geometry, launches).unwrap();
        for sm in 0..self.config.sm.count {
            if self.controlled >> sm & 1 == 1 {
                let params = Params {
                    interval_w: 4,
                    fail_w: 6,
                    ..Params::paper(3)
                };
                machine
                    .with_issue_control(sm, Box::new(MemIssue::new(params).unwrap()))
                    .unwrap();
            }
        }
        machine
    }
}

/// A lookup in the L2: cycle, bank, address, kernel, hit.
pub(super) type Lookup = (u64, usize, u64, u8, bool);

pub(super) fn record(machine: &mut Machine, cycle: u64) -> Vec<Lookup> {
    let mut seen = vec![];
    machine.run_to(cycle, &mut |r| {
        seen.push((
            r.cycle,
            r.bank,
            r.access.address,
            r.access.kernel,
            r.outcome.hit,
        ));
        true
    });
    seen
}

/// All that a machine tells.
pub(super) fn all(machine: &Machine) -> (Vec<KernelStats>, Vec<sm::Slots>, Counts, u64) {
    let kernels = (0..GEOMETRY.kernels).map(|kernel| machine.stats(kernel));
    let slots = (0..machine.sms.len()).map(|sm| machine.slots(sm));
    (
        kernels.collect(),
        slots.collect(),
        machine.counts(),
        machine.cycle(),
    )
}

/// All that is asked for is answered, and adds up, at any moment and at the end.
pub(super) fn loses_nothing(drawn: &Drawn, cycles: u64) -> Result<(), TestCaseError> {
    let mut machine = drawn.machine();
    for cycle in (0..cycles).step_by(61) {
        machine.run_to(cycle, &mut |_| true);
        prop_assert_eq!(machine.check(), Ok(()));
    }
    machine.stop_launching();
    machine.drain(&mut |_| true);
    prop_assert_eq!(machine.in_flight(), 0);
    prop_assert_eq!(machine.check(), Ok(()));
    // An access of the L1D is a request for each of the L2's lines that it needs.
    let line = drawn.geometry.line;
    let most = drawn.config.l1d.line_bytes(line) / line;
    for kernel in 0..GEOMETRY.kernels {
        let KernelStats { sm, memory, .. } = machine.stats(kernel);
        prop_assert_eq!(sm.memory, sm.completed);
        prop_assert_eq!((sm.sent, memory.accesses), (sm.replies, sm.replies));
        prop_assert_eq!(sm.loads, sm.hits + sm.merged + sm.misses);
        let accesses = sm.misses + sm.stores;
        prop_assert!((accesses..=most * accesses).contains(&sm.sent));
    }
    Ok(())
}

/// A machine whose kernels were launched once and have come to their end.
pub(super) fn ended(drawn: &Drawn) -> Result<Machine, TestCaseError> {
    let once = drawn.launches.iter().map(|(_, launch)| Launch {
        restart: false,
        ..launch.clone()
    });
    let mut machine = drawn.with(once.collect());
    while !machine.is_finished() {
        machine.run_to(machine.cycle() + 999, &mut |_| true);
        prop_assert!(machine.cycle() < 3_000_000, "hangs");
    }
    prop_assert_eq!(machine.check(), Ok(()));
    Ok(machine)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn jumping_is_stepping(drawn in drawn(), cycles in 1..3000u64) {
        let (mut jumping, mut stepping) = (drawn.machine(), drawn.machine().every_cycle());
        let mut again = drawn.machine();
        prop_assert_eq!(record(&mut jumping, cycles), record(&mut stepping, cycles));
        prop_assert_eq!(all(&jumping), all(&stepping));
        // In several runs, as in one.
        (0..cycles).step_by(97).for_each(|cycle| again.run_to(cycle, &mut |_| true));
        again.run_to(cycles, &mut |_| true);
        prop_assert_eq!(all(&jumping), all(&again));
        let mut unwatched = drawn.machine();
        unwatched.run_unwatched(cycles);
        prop_assert_eq!(all(&jumping), all(&unwatched));
        for machine in [&mut jumping, &mut stepping] {
            machine.stop_launching();
            machine.drain(&mut |_| true);
        }
        prop_assert_eq!(all(&jumping).0, all(&stepping).0);
    }

    #[test]
    fn nothing_is_lost(drawn in drawn(), cycles in 1..2000u64) {
        loses_nothing(&drawn, cycles)?;
    }

    /// Kernels that end issue what their programs say, wherever and whenever they run.
    #[test]
    fn all_of_a_kernel_is_done(drawn in drawn()) {
        let machine = ended(&drawn)?;
        for (steps, Launch { program, kernel, .. }) in &drawn.launches {
            let (mut arithmetic, mut memory) = (0, 0);
            let grid = program.grid();
            for (block, warp) in (0..grid.blocks).flat_map(|b| (0..grid.warps()).map(move |w| (b, w))) {
                for step in 0..*steps {
                    let place = crate::workload::program::Place { block, warp, step, lap: 0 };
                    match program.instruction(&place) {
                        Instruction::Compute { count, .. } => arithmetic += u64::from(count),
                        Instruction::Memory(_) => memory += 1,
                        _ => {}
                    }
                }
            }
            let stats = machine.stats((*kernel).into()).sm;
            prop_assert_eq!((stats.compute, stats.memory), (arithmetic, memory));
            prop_assert_eq!(stats.blocks_ended, grid.blocks);
        }
    }

    /// A kernel's id is a name: with other ids, the same happens to other names.
    #[test]
    fn ids_are_names(mut drawn in drawn(), cycles in 1..2000u64) {
        // mem_issue breaks ties by them.
        drawn.controlled = 0;
        let permuted = [2u8, 0, 1];
        let launches = drawn.launches.iter().map(|(_, launch)| {
            Launch { kernel: permuted[usize::from(launch.kernel)], ..launch.clone() }
        });
        let (mut one, mut other) = (drawn.machine(), drawn.with(launches.collect()));
        let mut seen = record(&mut one, cycles);
        seen.iter_mut().for_each(|lookup| lookup.3 = permuted[usize::from(lookup.3)]);
        prop_assert_eq!(seen, record(&mut other, cycles));
        for kernel in 0..GEOMETRY.kernels {
            let to = usize::from(permuted[kernel]);
            prop_assert_eq!(one.stats(kernel), other.stats(to));
            for (victim, &victim_to) in permuted.iter().enumerate() {
                let (ours, theirs) = (one.counts(), other.counts());
                let of = usize::from(victim_to);
                prop_assert_eq!(ours.gdc[victim][kernel], theirs.gdc[of][to]);
                prop_assert_eq!(ours.ike[victim][kernel], theirs.ike[of][to]);
            }
        }
    }
}

/// The random runs must be worth something: over some of them, everything occurs.
#[test]
fn everything_occurs() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let mut sum = sm::Stats::default();
    for _ in 0..24 {
        let mut machine = drawn().new_tree(&mut runner).unwrap().current().machine();
        machine.run_to(3000, &mut |_| true);
        (0..3).for_each(|kernel| sum += &machine.stats(kernel).sm);
    }
    let sm::Stats {
        hits,
        merged,
        sector_misses,
        write_evictions,
        failures,
        ..
    } = sum;
    let sm::Failures {
        line_alloc,
        miss_queue,
        mshr_entry,
        mshr_merge,
        rw_pending,
    } = failures;
    for count in [
        hits,
        merged,
        sector_misses,
        write_evictions,
        line_alloc,
        miss_queue,
        mshr_entry,
        mshr_merge,
        rw_pending,
    ] {
        assert!(count > 20, "{sum:?}");
    }
}
