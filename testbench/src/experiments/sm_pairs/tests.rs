//! Rationale: hours of runs must not be lost, a subset must be the beginning of the whole, and metrics
//! must be those of what was counted. Cycles are few; the numbers mean nothing here.

use super::*;
use crate::experiments::impatient::Impatient;
use crate::experiments::Watch;
use cotenant_golden::schemes::run::Variant;
use cotenant_golden::schemes::Issue;
use plan::{pairs, smk, ws, SPATIAL};
use runs::What;

/// A few schemes, for speed.
fn plan() -> Plan {
    Plan {
        schemes: vec![(
            Variant::PAPER,
            vec![
                SPATIAL,
                smk(Issue::Quotas),
                smk(Issue::Qbmi),
                smk(Issue::Dmil),
            ],
        )],
        ..pairs(7)
    }
}

fn short<'a>(watch: &'a dyn Watch, workloads: u64) -> Setting<'a> {
    Setting {
        cycles: Some(1000),
        workloads: Some(workloads),
        watch,
        ..Setting::new(7)
    }
}

#[test]
fn a_stopped_run_goes_on_and_a_larger_one_adds_to_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("measured.jsonl");
    let of = |watch: &Impatient, workloads| {
        let setting = Setting {
            journal: Some(&path),
            ..short(watch, workloads)
        };
        run(&plan(), CYCLES, &setting).unwrap()
    };
    let stopped = of(&Impatient::new(60), 2);
    assert!(!stopped.complete && stopped.workloads[0] < 2);
    assert!(!stopped.runs.is_empty());
    assert!(stopped.text().contains("Interrupted: "));
    let rest = Impatient::new(u64::MAX);
    let two = of(&rest, 2);
    assert!(two.complete);
    assert_eq!(two.workloads, [2, 78]);
    // What is known is not measured again; all that is announced comes.
    let [expected, advanced] = rest.steps();
    let all = 1100 * two.runs.len() as u64;
    assert!(
        expected == advanced && 0 < expected && expected < all,
        "{expected} {advanced}"
    );
    let nothing = Impatient::new(u64::MAX);
    assert_eq!(of(&nothing, 2), two);
    assert_eq!(nothing.steps(), [0, 0]);
    let three = of(&Impatient::new(u64::MAX), 3);
    assert_eq!(three.workloads, [3, 78]);
    assert!(two.runs.iter().all(|line| three.runs.contains(line)));
    // Without a journal it is the same.
    assert_eq!(
        run(&plan(), CYCLES, &short(&Impatient::new(u64::MAX), 3)).unwrap(),
        three
    );
}

#[test]
fn metrics_are_those_of_what_was_counted() {
    let report = run(&plan(), CYCLES, &short(&Impatient::new(u64::MAX), 2)).unwrap();
    let instructions = |kernels: &[&str], what| -> Vec<f64> {
        let found = report
            .runs
            .iter()
            .find(|line| line.case.kernels == kernels && line.case.what == what);
        found
            .unwrap()
            .counts
            .iter()
            .map(|it| it.instructions as f64)
            .collect()
    };
    // pf+bp and bp+hs are C+C, the first two.
    let speedups = [["pf", "bp"], ["bp", "hs"]].map(|pair| {
        let shared = instructions(&pair, What::Scheme(SPATIAL));
        let alone = pair.map(|kernel| instructions(&[kernel], What::Alone)[0]);
        shared[0] / alone[0] + shared[1] / alone[1]
    });
    let mean = (speedups[0] * speedups[1]).sqrt();
    let group = &report.groups[0];
    assert_eq!(
        (group.class.as_str(), group.scheme.as_str(), group.workloads),
        ("C+C", "Spatial", 2)
    );
    let found = group.weighted_speedup.unwrap().mean;
    assert!((found - mean).abs() < 1e-9, "{found} {mean}");
    let row = report
        .numbers
        .iter()
        .find(|row| row.what == "Spatial: weighted speedup")
        .unwrap();
    assert!((row.ours - mean).abs() < 1e-9 && row.paper == 1.13);
    assert!((row.deviation - 100.0 * (mean / 1.13 - 1.0)).abs() < 1e-9);
    // SMK's policies are compared with its quotas.
    let gains: Vec<_> = report
        .gains
        .iter()
        .map(|it| (it.scheme.as_str(), it.over.as_str()))
        .collect();
    assert_eq!(
        gains,
        [("SMK-(P+QBMI)", "SMK-(P+W)"), ("SMK-(P+DMIL)", "SMK-(P+W)")]
    );
    let picture = &report.attachments().unwrap()[0];
    assert!(picture.name == "sm-pairs.svg" && !picture.text.contains("NaN"));
    assert!(picture.text.contains("C+C"));
}

#[test]
fn the_warm_up_of_the_runs_gives_the_mean_and_another_one_is_judged() {
    let mut report = run(&plan(), CYCLES, &short(&Impatient::new(u64::MAX), 2)).unwrap();
    let means = report.groups.iter().filter(|group| group.class == "all");
    for (mean, row) in means.zip(&report.warm_ups) {
        assert_eq!(mean.scheme, row.scheme);
        let mean = mean.weighted_speedup.unwrap().mean;
        assert!((row.weighted_speedup[1] - mean).abs() < 1e-9, "{row:?}");
    }
    for (later, verdict) in [(1.009, "long enough"), (0.989, "too short")] {
        for row in &mut report.warm_ups {
            row.weighted_speedup[2] = row.weighted_speedup[1];
        }
        report.warm_ups[1].weighted_speedup[2] *= later;
        let text = report.text();
        assert!(
            text.contains(&format!("that of the runs is {verdict}.")),
            "{text}"
        );
    }
}

/// Online curves, all machines, static limits: that all of it can be run.
#[test]
fn every_scheme_runs() {
    let nobody = Impatient::new(u64::MAX);
    let all = pairs(7);
    let setting = Setting {
        cycles: Some(100),
        ..short(&nobody, 1)
    };
    let report = run(&all, CYCLES, &setting).unwrap();
    assert!(report.complete);
    let schemes: usize = all.schemes.iter().map(|(_, schemes)| schemes.len()).sum();
    let together = report
        .runs
        .iter()
        .filter(|it| matches!(it.case.what, What::Scheme(_)));
    assert_eq!(together.count(), schemes);
    let profiles = report
        .runs
        .iter()
        .filter(|it| it.case.what == What::Profile);
    assert_eq!(profiles.count(), 4);
    assert_eq!(report.steady.len(), 11);
    assert_eq!(report.warm_ups.len(), schemes);

    let few = Plan {
        schemes: vec![(
            Variant::PAPER,
            [0, 1, 24].map(|a| ws(Issue::Smil([a, 1, 0]))).to_vec(),
        )],
        ..plan::limits()
    };
    let report = run(&few, CYCLES, &setting).unwrap();
    assert!(report.complete);
    let picture = &report.attachments().unwrap()[0];
    assert!(picture.name == "sm-limits.svg" && picture.text.contains("pf+bp: "));
    assert!(
        report.text().contains("best without limits"),
        "{}",
        report.text()
    );
}
