//! Rationale: the nearest rule must be the one whose runs are nearest, and only told apart where it is
//! so in most of them; limits of the rules must reach the SMs. Cycles are few, so that numbers mean
//! nothing here.

use super::*;

/// Runs whose miss rates of ks are the paper's and `off` by release more.
fn report(off: [f64; 4]) -> Report {
    let solo = |miss_rate| Solo {
        ipc: 1.0,
        accesses: 1.0,
        miss_rate,
        failure_rate: 0.0,
        requests: 1.0,
        stall: 0.0,
        failures: Default::default(),
    };
    let runs = pairs().flat_map(|pair| {
        let run = move |(seed, release): (u64, Option<Release>)| Run {
            pair: pair.name(),
            release,
            seed,
            kernels: [
                solo(0.0),
                solo(
                    PAPER
                        + release.map_or(0.4, |release| off[release as usize])
                        + 0.001 * seed as f64,
                ),
            ],
            drift: 0.05,
        };
        (0..SEEDS).flat_map(move |seed| schemes().map(move |scheme| run((seed, scheme))))
    });
    Report::of(Measured {
        seed: 1,
        window: WINDOW,
        complete: true,
        runs: runs.collect(),
    })
}

#[test]
fn the_nearest_rule_is_named() {
    let text = report([0.3, 0.1, 0.2, 0.1]).text();
    let line = |start: &str| {
        text.lines()
            .find(|line| line.starts_with(start))
            .unwrap()
            .to_owned()
    };
    assert!(line("| double ").contains("| nearest"), "{text}");
    assert!(line("| unlimited ").contains("| farther"), "{text}");
    assert!(
        line("| hold ").contains("| 0.100 (0.100 to 0.100) |"),
        "{text}"
    );
    assert!(line("| plus-one ").contains("not told apart"), "{text}");
    assert!(
        line("| bp+ks | 6, 6   | DMIL   | plus-one").contains("| 0.62 (0.62 to 0.62) | 0.52 "),
        "{text}"
    );
    let last = report([0.3, 0.2, 0.2, 0.1]).text();
    assert!(last
        .lines()
        .any(|line| line.starts_with("| plus-one ") && line.contains("| nearest")));
}

#[test]
fn rules_make_runs_that_differ() {
    let window = Window {
        warm_up: 0,
        measured: 60_000,
    };
    let run = |release| simulate("bp+ks", release, (7, 0), window).unwrap().kernels;
    let [qbmi, unlimited, hold] = [None, Some(Release::Unlimited), Some(Release::Hold)].map(run);
    assert_ne!(qbmi, unlimited);
    assert_ne!(unlimited, hold);
    assert!(simulate("bp+sv", None, (7, 0), window).is_err());
}

#[test]
fn what_is_interrupted_says_so() {
    let mut from = report([0.1; 4]).from;
    from.runs.truncate(3);
    from.complete = false;
    let report = Report::of(from);
    assert!(report.compared.is_none());
    assert!(report.text().contains("Interrupted: 3 runs were done."));
}
