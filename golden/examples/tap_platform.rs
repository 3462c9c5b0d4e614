//! Measures the platform of the TAP paper: curves of types, speedups of workloads, decisions of a policy.
//!
//! `cargo run -p cotenant-golden --release --example tap_platform -- curves`

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::time::Instant;

use cotenant_golden::hetero::speedup::{compare, geometric_mean, measure};
use cotenant_golden::hetero::types::Group;
use cotenant_golden::hetero::workloads::{Set, Workload};
use cotenant_golden::hetero::{curve, Config, Error, Machine, Run, Type, WORKLOADS_SEED};
use cotenant_golden::mgmt::policy::Kind;
use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;

/// Seed of the runs.
const SEED: u64 = 1;

fn curves() -> Result<(), Error> {
    let config = Config::tap();
    let run = Run {
        seed: SEED,
        warm_up: 4 << 20,
        measured: 1 << 20,
    };
    let mut random = Pcg64Mcg::seed_from_u64(SEED);
    let gpus = Type::ALL.map(|kind| Workload::of_gpu(kind.drawn(kind.to_string(), &mut random)));
    let cpus =
        Group::ALL.map(|group| Workload::of_cpu(group.drawn(group.name().into(), &mut random)));
    let ways = [1, 2, 4, 8, 16, 32];
    println!("MPKI/CPI by ways {ways:?}");
    for workload in gpus.iter().chain(&cpus) {
        let points = curve(&config, workload, &ways, &run)?;
        print!("{:10}", workload.name);
        for point in points {
            print!(" {:6.1}/{:5.2}", point.mpki, point.cpi);
        }
        println!();
    }
    Ok(())
}

/// All applications of the workloads, each alone.
fn pool() -> Result<(), Error> {
    let config = Config::tap();
    let run = Run {
        seed: SEED,
        warm_up: 8 << 20,
        measured: 2 << 20,
    };
    let all = Set::ALL.map(|set| set.workloads(WORKLOADS_SEED));
    let cpus = all
        .iter()
        .flatten()
        .flat_map(|it| it.cpus.iter().cloned().map(Workload::of_cpu));
    let gpus = all
        .iter()
        .flatten()
        .filter_map(|it| it.gpu.clone().map(Workload::of_gpu));
    let alone: BTreeMap<String, Workload> = cpus
        .chain(gpus)
        .map(|workload| (workload.name.clone(), workload))
        .collect();
    for (name, workload) in alone {
        print!("{name:12}");
        for point in curve(&config, &workload, &[1, 8, 16, 32], &run)? {
            print!(" {:6.1}/{:5.2}", point.mpki, point.cpi);
        }
        println!();
    }
    Ok(())
}

fn speedups(set: Set, every: usize, periods: u64, kinds: &[Kind]) -> Result<(), Error> {
    let config = Config::tap();
    let run = Run {
        seed: SEED,
        warm_up: 4 * config.sampling.period,
        measured: periods * config.sampling.period,
    };
    let mut all = vec![Vec::new(); kinds.len()];
    for workload in set.workloads(WORKLOADS_SEED).iter().step_by(every) {
        let start = Instant::now();
        let baseline = measure(&config, workload, Kind::Lru, &run)?;
        let took = start.elapsed().as_secs_f64();
        let names: Vec<&str> = workload.names().collect();
        print!("{:12} {:24}", workload.name, names.join("+"));
        let cores = baseline
            .iter()
            .map(|_| 1)
            .rev()
            .skip(1)
            .chain([config.gpu.cores]);
        for (stats, cores) in baseline.iter().zip(cores) {
            print!(
                " [{:.2} {:.1} {:.0}]",
                stats.ipc(),
                stats.mpki(),
                stats.rpkc(cores)
            );
        }
        let accesses: u64 = baseline.iter().map(|it| it.accesses).sum();
        print!(" {:.1}M {took:.1}s", accesses as f64 / 1e6);
        for (&kind, all) in kinds.iter().zip(&mut all) {
            let result = compare(
                workload,
                &baseline,
                &measure(&config, workload, kind, &run)?,
            );
            let each: Vec<String> = result
                .applications
                .iter()
                .map(|it| format!("{:.3}", it.speedup()))
                .collect();
            print!("  {kind} {:.3} ({})", result.speedup, each.join(" "));
            all.push(result.speedup);
        }
        println!();
    }
    for (kind, all) in kinds.iter().zip(all) {
        println!(
            "{kind}: {:.4} of {}",
            geometric_mean(all.iter().copied()),
            all.len()
        );
    }
    Ok(())
}

fn decisions(set: Set, number: usize, periods: u64, kind: Kind) -> Result<(), Error> {
    let config = Config::tap();
    let workloads = set.workloads(WORKLOADS_SEED);
    let Some(workload) = workloads.get(number - 1) else {
        return Ok(());
    };
    println!("{workload:?}");
    let mut machine = Machine::new(&config, workload, kind, SEED)?;
    machine.run(periods * config.sampling.period + 1);
    machine.check()?;
    for period in machine.periods() {
        let counts = period.kernels.iter().map(|it| (it.accesses, it.misses));
        println!("{:?} {:?}", counts.collect::<Vec<_>>(), period.decision);
    }
    println!("lines owned {:?}", machine.cache().occupancy());
    Ok(())
}

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let result = match &args[..] {
        ["curves"] => curves(),
        ["pool"] => pool(),
        ["speedups", set, every, periods, kinds @ ..] => {
            let set = Set::ALL.into_iter().find(|it| it.name() == *set);
            let kinds: Result<Vec<Kind>, _> = kinds.iter().map(|it| it.parse()).collect();
            match (set, every.parse(), periods.parse(), kinds) {
                (Some(set), Ok(every), Ok(periods), Ok(kinds)) if every > 0 => {
                    speedups(set, every, periods, &kinds)
                }
                _ => return usage(),
            }
        }
        ["decisions", set, number, periods, kind] => {
            let set = Set::ALL.into_iter().find(|it| it.name() == *set);
            match (set, number.parse(), periods.parse(), kind.parse()) {
                (Some(set), Ok(number), Ok(periods), Ok(kind)) if number > 0 => {
                    decisions(set, number, periods, kind)
                }
                _ => return usage(),
            }
        }
        _ => return usage(),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

fn usage() -> ExitCode {
    eprintln!("curves | pool | speedups 1-cpu|2-cpu|4-cpu|stream-cpu EVERY PERIODS POLICY... | decisions SET NUMBER PERIODS POLICY");
    ExitCode::from(2)
}
