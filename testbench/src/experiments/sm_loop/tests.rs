//! Rationale: the figure rests on four things. The blocks that it says are there. Netlist and
//! golden model agree while a limit of theirs throttles the SM, and where they do not it says so
//! and stops. What an SM counts is what its unit was told. The limits hold, and matter.
use super::simulate::{agree, simulate};
use super::*;
use crate::experiments::issue_control::{Log, Seen};
use crate::experiments::Watch;
use cotenant_golden::gpu::machine::Machine;
use cotenant_golden::gpu::sm::Stats;
use cotenant_golden::gpu::Gpu;
use cotenant_golden::presets::Preset;
use cotenant_netlist::fault::Fault;

const SEED: u64 = 0x9e37;
const SHORT: u64 = 20_000;

fn short(seed: u64) -> Setting<'static> {
    Setting {
        cycles: Some(SHORT),
        ..Setting::new(seed)
    }
}

fn lost_writes(register: &str) -> impl Fn(Netlist) -> Result<Netlist, Error> + '_ {
    move |netlist| {
        let reg = netlist.regs.iter().position(|reg| reg.name == register);
        let fault = Fault::LostWrite { reg: reg.unwrap() };
        Ok(netlist.with_fault(&fault).unwrap())
    }
}

#[test]
fn the_blocks_are_there() {
    let preset = Preset::named(PRESET).unwrap();
    let resident = |kernels: &[(&'static str, Option<u32>)]| {
        let launches = simulate::launches(kernels, SEED).unwrap();
        let mut machine = Machine::new(&preset.machine, preset.llc, launches).unwrap();
        machine.run_to(200, &mut |_| true);
        let of = |sm| (0..kernels.len()).map(move |kernel| (sm, kernel));
        let all = (0..preset.machine.sm.count).flat_map(of);
        let all: Vec<u32> = all.map(|(sm, k)| machine.resident(sm, k)).collect();
        let (first, rest) = all.split_at(kernels.len());
        assert!(rest.chunks(kernels.len()).all(|blocks| blocks == first));
        first.to_vec()
    };
    for pair in PAIRS {
        let limits = pair.blocks.into_iter().map(Some);
        let kernels: Vec<_> = pair.kernels.into_iter().zip(limits).collect();
        assert_eq!(resident(&kernels), pair.blocks, "{}", pair.name());
        let alone = pair.kernels.map(|name| resident(&[(name, None)])[0]);
        if pair.partition.contains("half") {
            assert_eq!(alone.map(|blocks| blocks / 2), pair.blocks);
        }
    }
    // What then fits of sv beside a block of ax.
    let kernels = [("sv", None), ("ax", Some(1))];
    assert_eq!(resident(&kernels), [14, 1]);
}

#[test]
fn limits_hold_and_matter_in_lockstep() {
    let report = run(&short(SEED)).unwrap();
    assert!(report.complete);
    assert_eq!(report.mismatch(), None);
    let sms = (PAIRS.len() * LOCKSTEP) as u64;
    assert_eq!(report.lockstep_cycles, sms * SHORT);

    let mut bound = 0;
    for outcome in &report.pairs {
        for kernel in 0..2 {
            let seen = |moment: &Moment| moment.kernels[kernel].seen.unwrap();
            for two in outcome.with.moments.windows(2) {
                let (before, now) = (seen(&two[0]), seen(&two[1]));
                if now.limit.cycles < two[1].cycles {
                    continue;
                }
                let most = now.limit.max.max(before.in_flight.max);
                assert!(now.in_flight.max <= most, "{now:?} after {before:?}");
                bound += u64::from(now.in_flight.max == now.limit.max);
            }
        }
        assert!(outcome
            .without
            .moments
            .iter()
            .all(|m| m.kernels[0].seen.is_none()));
    }
    assert!(bound > 100, "limits are reached: {bound}");

    // ks is what DMIL is for: it stalls the unit less, and bp issues more.
    let outcome = report
        .pairs
        .iter()
        .find(|o| o.pair.name() == "bp+ks")
        .unwrap();
    let failures = |run: &Run| run.kernels.iter().map(|k| k.failures.total()).sum::<u64>();
    assert!(failures(&outcome.with) < failures(&outcome.without));
    assert!(outcome.with.kernels[0].ipc > outcome.without.kernels[0].ipc);

    // The same seed, the same bytes; another, others.
    let bytes = |report: &Report| {
        let pictures = report.attachments().unwrap();
        let json = serde_json::to_string(report).unwrap();
        (json, report.text(), pictures)
    };
    let again = run(&short(SEED)).unwrap();
    assert!(bytes(&report) == bytes(&again));
    assert_eq!(bytes(&report).2.len(), PAIRS.len());
    assert_ne!(report.pairs, run(&short(SEED + 1)).unwrap().pairs);
}

#[test]
fn a_fault_stops_the_run_and_is_said_at_the_top() {
    let report = run_with(&short(SEED), &lost_writes("milg[1].limit_register")).unwrap();
    let mismatch = report.mismatch().unwrap();
    // The SM whose interval ends first.
    assert!(mismatch.starts_with("bp+sv: SM "), "{mismatch}");
    assert!(
        mismatch.contains(": mem_issue 2-milg-qbmi: cycle "),
        "{mismatch}"
    );
    assert!(mismatch.contains("limit"), "{mismatch}");
    assert!(!report.complete);
    let run = &report.pairs[0].with;
    assert!(!run.complete && run.cycles < SHORT);
    assert!(report.pairs[0].without.complete);
    let text = report.text();
    assert!(text.find("MISMATCH").unwrap() < text.find("| pair").unwrap());
}

#[test]
fn an_sm_that_tells_its_unit_otherwise_is_found_out() {
    let jobs = jobs(SHORT, Engine::default(), &Ok).unwrap();
    let controlled = jobs[0].controlled.as_ref().unwrap();
    let (mut control, log) = controlled.lockstep.lock().unwrap().remove(0);
    let input = cotenant_golden::sm::mem_issue::In {
        launch: 0b11,
        want: 0b01,
        lsu_ready: true,
        ..Default::default()
    };
    // Nobody is active in the first cycle, kernel 0 is granted in the second.
    control.cycle(&input);
    assert_eq!(control.cycle(&input).grant, 0b01);
    drop(control);
    let stats = |memory| Stats {
        memory,
        ..Stats::default()
    };
    let check = |memory, log: &Log| agree(3, &[stats(memory), stats(0)], log);
    assert!(check(1, &log).is_ok());
    let error = check(2, &log).unwrap_err().to_string();
    let expected = "SM 3, kernel 0: 2 memory instructions issued, but mem_issue was told 1";
    assert_eq!(error, expected);
    assert_eq!(
        log.periods()[0].kernels[0],
        Seen {
            grants: 1,
            ..log.periods()[0].kernels[0]
        }
    );
}

/// Stops at once.
#[derive(Debug)]
struct Impatient;

impl Watch for Impatient {
    fn expect(&self, _: u64) {}

    fn advance(&self, _: u64) -> bool {
        false
    }
}

#[test]
fn what_is_interrupted_shows_what_there_is() {
    let setting = Setting {
        watch: &Impatient,
        ..short(SEED)
    };
    let report = run(&setting).unwrap();
    assert!(!report.complete && report.mismatch().is_none());
    assert!(report.text().contains("Interrupted"));
    // Runs of different length are not compared.
    assert_eq!(report.pairs[0].together_with, Together::default());
    assert_eq!(report.attachments().unwrap().len(), PAIRS.len());
    // One job that is watched by somebody patient is not.
    let jobs = jobs(SHORT, Engine::default(), &Ok).unwrap();
    let run = simulate(&jobs[0], SHORT, &short(SEED)).unwrap();
    assert!(run.complete && run.lockstep.len() == LOCKSTEP);
}
