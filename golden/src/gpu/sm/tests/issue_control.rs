//! Rationale: an SM must give its issue control unit inputs that the unit's assumptions allow, in
//! each cycle; the unit's limits must hold, and only the kernel that it grants may issue.

use std::sync::Mutex;

use super::*;
use crate::sm::mem_issue::{In, Limiter, MemIssue, Out, Params, Priority};
use crate::Model;

/// Writes down each cycle of a unit.
struct Watched {
    unit: MemIssue,
    seen: Arc<Mutex<Vec<(In, Out)>>>,
}

impl MemoryIssue for Watched {
    fn step(&mut self, input: &In) -> Out {
        self.unit.assume(input).unwrap();
        let out = Model::step(&mut self.unit, input);
        self.seen.lock().unwrap().push((*input, out));
        out
    }
}

/// Two kernels of loads, one with one request per instruction, one with eight, behind this unit.
fn watched(params: Params, limit: Option<u64>, cycles: u64) -> (Bench, Vec<(In, Out)>) {
    let loads = |stride: u64, far: u64| {
        script(grid(1, 8), move |place| {
            let warp = u64::from(place.warp);
            let base = far + (warp + place.step * 8) * 128;
            match place.step % 3 {
                2 => Instruction::Wait,
                _ => lanes(Read, 8, base, stride),
            }
        })
    };
    let mut config = config();
    config.sm.schedulers = 4;
    config.l1d.sets = 16;
    let programs = [loads(4, 0), loads(128, 1 << 40)];
    let known = programs.iter().cloned().map(Some).collect();
    let mut sm = Sm::new(0, &config, 128, known);
    let seen = Arc::new(Mutex::new(vec![]));
    let mut unit = MemIssue::new(params).unwrap();
    if let Some(limit) = limit {
        for kid in 0..2 {
            let set = In {
                set_valid: true,
                set_kid: kid,
                set_limit: limit,
                ..In::default()
            };
            Model::step(&mut unit, &set);
        }
    }
    sm.set_issue_control(Box::new(Watched {
        unit,
        seen: seen.clone(),
    }));
    for kernel in 0..2 {
        assert!(sm.add_block(kernel, 0, 0, 0));
    }
    let mut bench = Bench {
        sm,
        ..Bench::new(&config, &[])
    };
    for _ in 0..cycles {
        bench.tick();
    }
    let seen = seen.lock().unwrap().clone();
    (bench, seen)
}

fn smil() -> Params {
    Params {
        limiter: Limiter::Smil,
        priority: Priority::Rbmi,
        ..Params::paper(2)
    }
}

#[test]
fn what_it_is_told_is_what_happens() {
    let (bench, seen) = watched(Params::paper(2), None, 3000);
    assert_eq!(seen.len(), 3000);
    assert_eq!((seen[0].0.launch, seen[0].0.exit), (0b11, 0));
    assert!(seen[1..].iter().all(|(input, _)| input.launch == 0));
    for kernel in 0..2u8 {
        let count = |holds: fn(&In, u8) -> bool| {
            seen.iter()
                .filter(|(input, _)| holds(input, kernel))
                .count() as u64
        };
        let stats = bench.sm.stats(kernel.into());
        assert_eq!(
            count(|i, k| i.request_valid && i.lsu_kid == k),
            stats.requests()
        );
        assert_eq!(
            count(|i, k| i.fail_valid && i.lsu_kid == k),
            stats.failures.total()
        );
        let granted = seen
            .iter()
            .filter(|(_, o)| o.grant >> kernel & 1 == 1)
            .count();
        assert_eq!(granted as u64, stats.memory);
        let complete = count(|i, k| i.complete >> k & 1 == 1);
        assert!(complete <= stats.completed && complete + 8 >= stats.completed);
        // The unit's own count of what is in flight is ours, but for what is to be reported.
        let in_flight = seen.last().unwrap().1.in_flight[usize::from(kernel)];
        assert!(in_flight.abs_diff(stats.memory - complete) <= 2);
        assert!(
            stats.requests() > 300 && stats.failures.total() > 100,
            "{stats:?}"
        );
    }
}

#[test]
fn a_static_limit_is_never_exceeded() {
    for limit in [1, 2, 4] {
        let (bench, seen) = watched(smil(), Some(limit), 2000);
        let most = seen
            .iter()
            .map(|(_, out)| out.in_flight[0].max(out.in_flight[1]))
            .max();
        assert_eq!(most, Some(limit));
        for kernel in 0..2 {
            let stats = bench.sm.stats(kernel);
            assert!(stats.memory - stats.completed <= limit);
        }
    }
    // Without one there is more: the limits above were what held it back.
    let (_, seen) = watched(smil(), None, 2000);
    assert!(seen
        .iter()
        .any(|(_, out)| out.in_flight.iter().any(|n| *n > 4)));
}

/// A unit that grants only kernel 1.
struct Only1;

impl MemoryIssue for Only1 {
    fn step(&mut self, input: &In) -> Out {
        let grant_valid = input.lsu_ready && input.want & 0b10 != 0;
        Out {
            grant_valid,
            grant_kid: 1,
            grant: u64::from(grant_valid) << 1,
            ..Out::default()
        }
    }
}

#[test]
fn only_what_is_granted_issues() {
    let program = |count| same(grid(1, 4), &vec![one(Write, 0); count]);
    let programs = [program(5), program(9)];
    let mut bench = Bench::new(&config(), &programs);
    bench.sm.set_issue_control(Box::new(Only1));
    bench.issues(300);
    assert_eq!(
        (bench.sm.stats(0).memory, bench.sm.stats(1).memory),
        (0, 36)
    );
}

#[test]
fn a_kernel_exits_when_no_block_of_it_comes_any_more() {
    let seen = Arc::new(Mutex::new(vec![]));
    let program = same(grid(2, 1), &[compute(1, 5)]);
    let mut sm = Sm::new(0, &config(), 128, vec![Some(program)]);
    let unit = MemIssue::new(Params::paper(1)).unwrap();
    sm.set_issue_control(Box::new(Watched {
        unit,
        seen: seen.clone(),
    }));
    let mut port = Bench::new(&config(), &[]).port;
    assert!(sm.add_block(0, 0, 0, 0));
    for cycle in 0..20 {
        if cycle == 10 {
            assert!(sm.add_block(0, 1, 0, cycle));
        }
        sm.tick(cycle, u64::from(cycle >= 10), &mut port);
    }
    let seen = seen.lock().unwrap();
    let at = |bit: fn(&In) -> u64| {
        let cycles = seen
            .iter()
            .enumerate()
            .filter(|(_, (input, _))| bit(input) != 0);
        cycles.map(|(cycle, _)| cycle).collect::<Vec<_>>()
    };
    // The first block ends in 5, but another comes.
    assert_eq!((at(|i| i.launch), at(|i| i.exit)), (vec![0], vec![15]));
}
