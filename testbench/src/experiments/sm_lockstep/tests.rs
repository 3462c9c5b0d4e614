//! Rationale: hardware that does something else is named with its SM, also if it only lets another kernel
//! issue; the parameter sets are those of the golden models; every SM has its hardware in every cycle;
//! limits and quotas are there where the policy has them.

use super::*;
use crate::experiments::impatient::Impatient;
use cotenant_netlist::fault::Fault;

const SHORT: u64 = 20_000;

fn case(workload: &[&'static str], issue: Issue) -> Case {
    Case {
        workload: workload.to_vec(),
        issue,
    }
}

fn line(case: &Case, change: &dyn Fn(Netlist) -> Result<Netlist, Error>) -> Line {
    let line = case.run(7, SHORT, Engine::default(), change, &|_| true);
    line.unwrap().unwrap()
}

#[test]
fn parameter_sets_are_those_of_the_golden_models() {
    for issue in POLICIES {
        for kernels in [2, 3] {
            let name = set_name(issue, kernels).unwrap();
            let set = table::set(MemIssue::NAME, &name).unwrap();
            let params = MemIssue::params(&set).unwrap();
            assert_eq!(Some(params), issue.unit(kernels), "{name}");
        }
    }
    assert_eq!(set_name(Issue::Free, 2), None);
}

#[test]
fn twelve_pairs_and_four_sets_of_three() {
    let all = cases(0x9e37, None);
    assert_eq!(all.len(), 16 * POLICIES.len());
    let of = |kernels| {
        all.iter()
            .filter(move |case| case.workload.len() == kernels)
    };
    assert_eq!((of(2).count(), of(3).count()), (48, 16));
    assert_eq!(cases(0x9e37, Some(2)), all[..8]);
    assert_eq!(all[8].name(), "bp+sv under WS-RBMI");
}

#[test]
fn hardware_in_all_sms_does_what_golden_models_do() {
    let cases = [
        case(&["bp", "ks"], Issue::Dmil),
        case(&["bp", "sv"], Issue::Qbmi),
        case(&["sv", "ks", "bp"], Issue::QbmiDmil),
        case(&["pf", "bp"], Issue::Rbmi),
    ];
    let lines: Vec<Line> = cases.iter().map(|case| line(case, &Ok)).collect();
    for line in &lines {
        assert_eq!(line.mismatch, None, "{line:?}");
        assert_eq!((line.sms, line.compared), (16, 16 * (SHORT + SHORT / 10)));
        assert!(line.counts.iter().all(|counts| counts.instructions > 0));
    }
    // ks is held back, as soon as 1024 of its requests have come.
    let ks = &lines[0].kernels[1];
    assert!(ks.limited > 0.3 && ks.mean_limit.unwrap() < 64.0, "{ks:?}");
    assert!(ks.limit.len() == STRETCHES as usize && ks.limit[109].is_some());
    assert!(ks.quota.is_empty() && ks.mean_quota.is_none());
    let sv = &lines[1].kernels[1];
    assert!(sv.limited == 0.0 && sv.mean_quota.unwrap() > 1.0, "{sv:?}");
    assert_eq!(sv.quota.len(), STRETCHES as usize);
    assert!(lines[2].kernels.iter().all(|it| it.mean_quota.is_some()));
    assert!(lines[3]
        .kernels
        .iter()
        .all(|it| it.mean_limit.is_none() && it.quota.is_empty()));
}

#[test]
fn faulty_hardware_is_named() {
    let change = |netlist: Netlist| {
        let reg = netlist
            .regs
            .iter()
            .position(|reg| reg.name == "active_register");
        let fault = Fault::StuckBit {
            reg: reg.unwrap(),
            bit: 1,
            value: false,
        };
        Ok(netlist.with_fault(&fault).unwrap())
    };
    let faulty = line(&case(&["bp", "sv"], Issue::Dmil), &change);
    let mismatch = faulty.mismatch.clone().unwrap();
    assert!(mismatch.starts_with("SM 0: cycle "), "{mismatch}");
    let report = Report {
        schema: 1,
        experiment: "sm-lockstep",
        seed: 7,
        window: window(SHORT),
        preset: String::new(),
        complete: true,
        runs: vec![faulty],
    };
    let said = report.mismatch().unwrap();
    assert!(
        said.contains("bp+sv under WS-DMIL: mem_issue 2-milg-rbmi: SM 0"),
        "{said}"
    );
    assert!(report.text().contains("MISMATCH"));
    let none = Report {
        complete: false,
        runs: vec![],
        ..report
    };
    assert!(none
        .text()
        .ends_with("0 cycles of SMs compared, as no run came to its end; interrupted.\n"));
}

#[test]
fn an_interrupted_run_goes_on() {
    let journal = tempfile::NamedTempFile::new().unwrap();
    // A run asks some 25 times.
    let soon = Impatient::new(60);
    let setting = |watch| Setting {
        cycles: Some(10_000),
        workloads: Some(1),
        journal: Some(journal.path()),
        watch,
        ..Setting::new(7)
    };
    std::fs::remove_file(journal.path()).unwrap();
    let some = run(&setting(&soon)).unwrap();
    assert!(!some.complete && some.runs.len() < POLICIES.len());
    let never = Impatient::new(u64::MAX);
    let all = run(&setting(&never)).unwrap();
    assert!(all.complete && all.runs.len() == POLICIES.len());
    assert!(!some.runs.is_empty() && some.runs.iter().all(|line| all.runs.contains(line)));
    let pictures = all.attachments().unwrap();
    assert_eq!(pictures[0].name, "sm-lockstep-limits.svg");
    assert!(pictures
        .iter()
        .all(|it| it.text.contains("\npf\n") && !it.text.contains("NaN")));
    assert!(all.text().contains("no mismatch"));
}
