//! Steps per second of the sequential unit models, as a lockstep run drives them.
//!
//! Rationale: lockstep over 10 million cycles must wait for the netlist, not for the model.

use std::hint::black_box;

use cotenant_golden::llc::attribution::Mode;
use cotenant_golden::llc::{gdcu, llc_monitor, lru_stack};
use cotenant_golden::Model;
use criterion::{Criterion, Throughput};

const WAYS: usize = 16;
const KERNELS: usize = 4;
const CYCLES: usize = 1000;

fn units(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("units");
    group.throughput(Throughput::Elements(CYCLES as u64));

    let params = gdcu::Params {
        ways: WAYS,
        kernels: KERNELS,
        cnt_w: 21,
        stages: 1,
    };
    let mut model = gdcu::Gdcu::new(params).expect("legal parameters");
    let inputs: Vec<_> = (0..CYCLES)
        .map(|n| gdcu::In {
            access_valid: true,
            access_pos: (n * 7 % (WAYS + 1)) as u8,
            access_kid: (n % KERNELS) as u8,
            stack_owner: (0..WAYS)
                .map(|position| ((n + position * 3) % KERNELS) as u8)
                .collect(),
            stack_valid: 0xffff,
            snapshot: n == CYCLES - 1,
            ..gdcu::In::default()
        })
        .collect();
    group.bench_function("gdcu 16x4x21", |b| {
        b.iter(|| {
            inputs
                .iter()
                .map(|input| black_box(model.step(input)).overflow)
                .sum::<u64>()
        })
    });

    let params = lru_stack::Params {
        ways: WAYS,
        kernels: KERNELS,
    };
    let mut model = lru_stack::LruStack::new(params).expect("legal parameters");
    let inputs: Vec<_> = (0..CYCLES)
        .map(|n| lru_stack::In {
            access_valid: true,
            access_hit: n > WAYS && n % 3 != 0,
            access_way: (n * 7 % WAYS) as u8,
            access_kid: (n % KERNELS) as u8,
            ..lru_stack::In::default()
        })
        .collect();
    group.bench_function("lru_stack 16x4", |b| {
        b.iter(|| {
            inputs
                .iter()
                .map(|input| u64::from(black_box(model.step(input)).hit_pos))
                .sum::<u64>()
        })
    });

    let params = llc_monitor::Params {
        ways: WAYS,
        kernels: KERNELS,
        sets: 64,
        banks: 4,
        tag_w: 36,
        cnt_w: 21,
        stages: 1,
        requesters: KERNELS,
        sce: 0,
        sampled: 0,
        mode: Mode::Sixths,
        ram_stages: 0,
    };
    let mut model = llc_monitor::LlcMonitor::new(params.clone()).expect("legal parameters");
    let inputs: Vec<_> = (0..CYCLES)
        .map(|n| {
            let at = |bank: usize, step: usize, of: usize| (n + bank) * step % of;
            llc_monitor::In {
                access_valid: 0b1111,
                // About as many lines as there are ways: hits in all positions, and misses.
                request_set: (0..4).map(|bank| at(bank, 5, 64) as u32).collect(),
                access_tag: (0..4).map(|bank| at(bank, 11, 18) as u64).collect(),
                access_requester: (0..4).map(|bank| at(bank, 1, KERNELS) as u16).collect(),
                snapshot: n == CYCLES - 1,
                ..llc_monitor::In::idle(&params)
            }
        })
        .collect();
    group.bench_function("llc_monitor 16x4x64x4", |b| {
        b.iter(|| {
            inputs
                .iter()
                .map(|input| black_box(model.step(input)).done_hit)
                .sum::<u64>()
        })
    });
    group.finish();
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    units(&mut criterion);
    criterion.final_summary();
}
