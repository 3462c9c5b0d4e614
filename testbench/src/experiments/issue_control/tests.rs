//! Rationale: the issue control must compare (a fault in an output, in a register that shows late
//! and in one that never shows at the ports are each seen), must stop granting then, must refuse an
//! SM that breaks the unit's assumptions, and its log must be what went through it: counted here a
//! second time, over periods that divide the run and over ones that do not.
use super::*;
use crate::verify::interface::Interface;
use cotenant_golden::sm::lsu::{Draw, Latency, Lsu, Params};
use cotenant_golden::sm::mem_issue::{MemIssue as Golden, Params as Unit};
use cotenant_golden::Model;
use cotenant_netlist::fault::Fault;
use cotenant_units::table;

const EVERY: u64 = 1000;

fn set(name: &str) -> ParameterSet {
    table::set("mem_issue", name).unwrap()
}

/// Two kernels that always want to issue, and an LSU with few MSHRs.
struct World {
    lsu: Lsu,
    cycle: u64,
    granted: [u64; 2],
    refused: [u64; 2],
}

impl World {
    fn new() -> Self {
        let lsu = Lsu::new(Params {
            kernels: 2,
            depth: 8,
            mshrs: 16,
            hit_latency: 28,
            miss_latency: Latency { min: 1, max: 400 },
        });
        Self {
            lsu: lsu.unwrap(),
            cycle: 0,
            granted: [0; 2],
            refused: [0; 2],
        }
    }

    /// A cycle with whatever unit there is.
    fn step(&mut self, unit: &mut impl FnMut(&In) -> Out) {
        let hit = self.cycle % 4 == 0;
        let latency = 200 + (self.cycle * 7 % 100) as u32;
        let offer = self.lsu.offer(&Draw { hit, latency });
        let input = In {
            launch: if self.cycle == 0 { 0b11 } else { 0 },
            want: 0b11,
            lsu_ready: offer.lsu_ready,
            complete: offer.complete,
            request_valid: offer.request_valid,
            request_first: offer.request_first,
            fail_valid: offer.fail_valid,
            lsu_kid: offer.lsu_kid,
            ..In::default()
        };
        self.refused[usize::from(offer.lsu_kid)] += u64::from(offer.fail_valid);
        let out = unit(&input);
        if out.grant_valid {
            self.granted[usize::from(out.grant_kid)] += 1;
            let requests = [2, 17][usize::from(out.grant_kid)];
            self.lsu.issue(out.grant_kid, requests).unwrap();
        }
        self.cycle += 1;
    }

    fn run(&mut self, cycles: u64, unit: &mut impl FnMut(&In) -> Out) {
        for _ in 0..cycles {
            self.step(unit);
        }
    }
}

/// Runs with a fault in a register, and what ended it.
fn broken(fault: impl Fn(usize) -> Fault, register: &str) -> (Ended, World) {
    let set = set("2-milg-qbmi");
    let netlist = MemIssue::netlist(&set).unwrap();
    let reg = netlist.regs.iter().position(|reg| reg.name == register);
    let netlist = netlist.with_fault(&fault(reg.expect(register))).unwrap();
    let (mut control, log) =
        IssueControl::with_netlist(&set, &netlist, Engine::Jit, EVERY).unwrap();
    let mut world = World::new();
    while !log.ended() {
        world.step(&mut |input| control.cycle(input));
        assert!(world.cycle < 200_000, "{register}: not seen");
    }
    let granted = world.granted;
    world.run(1000, &mut |input| control.cycle(input));
    assert_eq!(world.granted, granted, "nothing is granted any more");
    (log.take_end().unwrap(), world)
}

#[test]
fn a_loop_runs_as_with_the_golden_model_alone() {
    for (name, every) in [("2-milg-qbmi", EVERY), ("2-milg-rbmi", 999)] {
        let set = set(name);
        let cycles = 100_000;
        let (mut control, log) = IssueControl::new(&set, every).unwrap();
        let mut with = World::new();
        with.run(cycles, &mut |input| control.cycle(input));
        assert!(log.take_end().is_none());
        assert_eq!(log.cycles(), cycles / every * every);
        drop(control);
        assert_eq!(log.cycles(), cycles);

        let mut alone = Golden::new(MemIssue::params(&set).unwrap()).unwrap();
        let mut world = World::new();
        world.run(cycles, &mut |input| Model::step(&mut alone, input));
        assert_eq!((with.granted, with.refused), (world.granted, world.refused));

        let periods = log.periods();
        let sum = |of: fn(&Seen) -> u64| {
            [0, 1].map(|k| periods.iter().map(|p| of(&p.kernels[k])).sum::<u64>())
        };
        assert_eq!(sum(|seen| seen.grants), with.granted);
        assert_eq!(sum(|seen| seen.failures), with.refused);
        assert!(with.refused[1] > 10_000, "there is something to limit");
        // The loop is closed: limits appear and hold.
        let limited = |seen: &Seen| seen.limit.cycles > 0 && seen.limit.min >= 1;
        assert!(periods.iter().any(|period| limited(&period.kernels[1])));
        let free = world_without_a_limit();
        assert!(free.refused[1] > with.refused[1]);
    }
}

fn world_without_a_limit() -> World {
    let unit = Golden::new(Unit {
        limiter: cotenant_golden::sm::mem_issue::Limiter::Smil,
        ..Unit::paper(2)
    });
    let mut world = World::new();
    let mut unit = unit.unwrap();
    world.run(100_000, &mut |input| Model::step(&mut unit, input));
    world
}

#[test]
fn faults_are_seen_and_end_it() {
    let lost = |reg| Fault::LostWrite { reg };
    for register in ["milg[1].limit_register", "milg[1].failures"] {
        let (end, world) = broken(lost, register);
        let Ended::Mismatch(mismatch) = end else {
            panic!("{end}");
        };
        assert!(mismatch.field.starts_with("milg[1].") || mismatch.field.starts_with("limit"));
        assert!(mismatch.dut != mismatch.golden);
        assert!(mismatch.cycle <= world.cycle);
    }
    let (end, _) = broken(lost, "active_register");
    assert!(end.to_string().contains("active"), "{end}");
}

#[test]
fn an_sm_that_breaks_an_assumption_ends_it() {
    let (mut control, log) = IssueControl::new(&set("2-milg-qbmi"), EVERY).unwrap();
    let nothing_in_flight = In {
        complete: 0b10,
        ..In::default()
    };
    control.cycle(&In::default());
    assert!(!log.ended());
    control.cycle(&nothing_in_flight);
    let end = log.take_end().unwrap();
    assert!(end
        .to_string()
        .contains("complete[1] is high while nothing is in flight"));
    assert_eq!(log.cycles(), 1);
}
