//! Rationale: the least error wins, on the machine and for each kernel; a missing run is seen; the
//! preset that is committed is what a fit makes, which some kernels' runs show again.

use super::*;
use crate::calibration::free::{trials, LATENCIES};
use crate::gpu::sm::Failures;

const WINDOW_OF_TEST: Window = Window {
    warm_up: 1,
    measured: 2,
};

/// All runs of a fit, off by 0.1 for each latency beside `latency`, and by `machine` more on
/// others than the second one.
fn lines(latency: u32) -> Vec<Line> {
    let all: Vec<&Benchmark> = BENCHMARKS.iter().collect();
    let line = |trial: Trial| {
        let benchmark = Benchmark::named(&trial.kernel).unwrap();
        let place = |of| LATENCIES.iter().position(|&one| one == of).unwrap();
        let mut off = 0.05 * place(trial.latency).abs_diff(place(latency)) as f64;
        off += if trial.open == Open::all()[1] {
            0.0
        } else {
            0.01
        };
        let solo = Solo {
            ipc: 1.0,
            accesses: accesses(benchmark).unwrap_or(1.0),
            miss_rate: f64::from(benchmark.misses) / 100.0 * (1.0 - off),
            failure_rate: f64::from(benchmark.failures) / 100.0,
            requests: f64::from(benchmark.requests) + f64::from(trial.spread) / 1e4,
            stall: 0.0,
            failures: Failures::default(),
        };
        Line { trial, solo }
    };
    trials(&all).into_iter().map(line).collect()
}

#[test]
fn the_least_error_wins() {
    let mut lines = lines(6);
    let fit = Fit::choose(&lines, 9, WINDOW_OF_TEST).unwrap();
    assert_eq!(fit.open, Open::all()[1]);
    assert_eq!(fit.machines.len(), Open::all().len());
    assert_eq!(fit.fitted.kernels.len(), 13);
    assert!(fit
        .fitted
        .kernels
        .values()
        .all(|numbers| numbers.latency == 6));
    // The least spread, where there is one.
    assert_eq!(fit.fitted.kernels["sv"].spread, 128);
    assert_eq!(fit.fitted.kernels["bp"].spread, 1);
    let last = lines.pop().unwrap();
    assert_eq!(Fit::choose(&lines, 9, WINDOW_OF_TEST), None);
    lines.insert(0, last);
    assert_eq!(Fit::choose(&lines, 9, WINDOW_OF_TEST), Some(fit));
}

#[test]
fn a_machine_whose_memory_binds_a_compute_intensive_kernel_is_not_chosen() {
    // bp runs so much faster with the bus of 48; the best machine has one of 12.
    let chosen = |gain: f64, kernel: &str| {
        let mut lines = lines(6);
        for line in &mut lines {
            if line.trial.kernel == kernel && line.trial.open.bus == 48 {
                line.solo.ipc += gain;
            }
        }
        let fit = Fit::choose(&lines, 9, WINDOW_OF_TEST).unwrap();
        assert!(fit.machines[1].gain <= gain + 1e-9);
        fit.open
    };
    assert_eq!(chosen(0.09, "bp"), Open::all()[1]);
    assert_eq!(chosen(0.11, "bp").bus, 48);
    assert_eq!(chosen(0.11, "sv"), Open::all()[1]);
}

#[test]
fn a_number_that_is_changed_has_another_hash() {
    let fit = Fit::choose(&lines(6), 9, WINDOW_OF_TEST).unwrap();
    let digest = |change: &dyn Fn(&mut Fitted)| {
        let mut fitted = fit.fitted.clone();
        change(&mut fitted);
        fitted.digest(fit.open)
    };
    assert_eq!(digest(&|_| ()), fit.fitted.hash);
    assert_ne!(digest(&|f| f.seed = 10), fit.fitted.hash);
    assert_ne!(
        digest(&|f| f.kernels.get_mut("ks").unwrap().latency = 7),
        fit.fitted.hash
    );
    let other = Open {
        bus: 31,
        ..fit.open
    };
    assert_ne!(fit.fitted.digest(other), fit.fitted.hash);
}

#[test]
fn what_is_written_is_read_as_the_same() {
    let fit = Fit::choose(&lines(6), 9, WINDOW_OF_TEST).unwrap();
    let preset = Preset::from_toml(&fit.text()).unwrap();
    let mut machine = fit.open.machine().unwrap();
    (machine.name, machine.title) = (preset.name.clone(), preset.title.clone());
    machine.fitted = Some(fit.fitted.clone());
    assert_eq!(preset, machine);
    assert_eq!(preset.name, NAME);
}

/// Of a preset that was fitted.
fn committed() -> (Open, Fitted) {
    let preset = Preset::named(NAME).unwrap();
    let open = Open {
        bus: preset.machine.dram.bus,
        miss_queue: preset.machine.l1d.miss_queue,
    };
    (open, preset.fitted.unwrap())
}

#[test]
fn the_committed_preset_is_as_it_was_written() {
    let (open, fitted) = committed();
    assert_eq!(fitted.hash, fitted.digest(open));
    let fit = Fit {
        open,
        machines: vec![],
        fitted,
    };
    assert_eq!(Preset::text(NAME).unwrap(), fit.text());
}

/// Three kernels that take little time: one that streams, one with hits, one that stalls.
#[test]
fn runs_of_some_kernels_choose_what_is_committed() {
    let (open, fitted) = committed();
    let window = Window {
        warm_up: fitted.warm_up,
        measured: fitted.measured,
    };
    for name in ["dc", "ks", "ax"] {
        let benchmark = Benchmark::named(name).unwrap();
        let line = |numbers| {
            let trial = Trial::of(open, benchmark, numbers);
            let solo = trial.run(fitted.seed, window).unwrap();
            Line { trial, solo }
        };
        let lines: Vec<Line> = candidates(benchmark).into_iter().map(line).collect();
        let (best, _) = best(&lines, open, benchmark).unwrap();
        let chosen = fitted.numbers(benchmark).unwrap();
        assert_eq!(best.trial.numbers(), chosen, "{name}");
    }
}
