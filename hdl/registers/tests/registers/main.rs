//! Descriptions and what is written from them.

mod description;
mod generated;
mod header;
mod peakrdl;
mod tools;

use cotenant_registers::{IssueParams, LlcParams, ManagedParams, Map};

/// llc_monitor: small, odd, and as large as the space allows.
fn llc_params() -> Vec<LlcParams> {
    let set = |ways, kernels, banks, cnt_w, requesters| LlcParams {
        ways,
        kernels,
        sets: 64,
        banks,
        tag_w: 36,
        cnt_w,
        stages: 1,
        requesters,
        sce: 0,
        sampled: 0,
        mode: 0,
    };
    let with = |sce, sampled| LlcParams {
        sce,
        sampled,
        ..set(16, 4, 4, 21, 4)
    };
    vec![
        set(2, 1, 1, 21, 1),
        set(2, 2, 1, 21, 2),
        set(3, 3, 2, 16, 5),
        set(16, 4, 4, 21, 4),
        set(64, 16, 64, 26, 255),
        with(1, 0),
        with(0, 16),
        with(1, 64),
        LlcParams {
            mode: 1,
            kernels: 6,
            ..with(0, 16)
        },
        // llc_counters.
        LlcParams {
            sets: 1,
            tag_w: 0,
            ..set(16, 4, 4, 21, 4)
        },
    ]
}

/// mem_issue: each limiter, quotas below and above a word.
fn issue_params() -> Vec<IssueParams> {
    let set = |kernels, limiter, quota_w| IssueParams {
        kernels,
        limiter,
        priority: 1,
        fail_w: 12,
        release: 0,
        cap: 0,
        lag: 0,
        count_w: 7,
        interval_w: 10,
        limit_w: 5,
        quota_w,
    };
    vec![set(2, 0, 7), set(3, 1, 11), set(8, 1, 36), set(16, 0, 64)]
}

/// managed_llc: small, odd, and as large as it can be.
fn managed_params() -> Vec<ManagedParams> {
    let set = |ways, sets, applications, cores, cnt_w| ManagedParams {
        ways,
        sets,
        applications,
        leaders: 1,
        sampled: 4,
        cores,
        tiles: 2,
        psel_w: 10,
        xs_w: 3,
        cnt_w,
        t_xs: 2,
        rotate: 0,
    };
    vec![
        set(4, 8, 2, 2, 4),
        set(5, 32, 3, 7, 21),
        set(8, 64, 8, 6, 21),
        ManagedParams {
            leaders: 1 << 19,
            sampled: 1 << 24,
            tiles: 16,
            psel_w: 16,
            xs_w: 16,
            t_xs: (1 << 16) - 2,
            rotate: 1,
            ..set(32, 1 << 24, 16, 32, 32)
        },
    ]
}

fn maps() -> Vec<Map> {
    let llc = llc_params()
        .into_iter()
        .map(|p| cotenant_registers::llc_monitor(&p).unwrap());
    let issue = issue_params()
        .into_iter()
        .map(|p| cotenant_registers::mem_issue(&p).unwrap());
    let managed = managed_params()
        .into_iter()
        .map(|p| cotenant_registers::managed_llc(&p).unwrap());
    llc.chain(issue).chain(managed).collect()
}

/// How many kernels or applications the registers are for.
fn kernels(map: &Map) -> Option<usize> {
    let mut parameters = map.parameters.iter();
    let found = parameters.find(|(name, _)| matches!(*name, "KERNELS" | "APPLICATIONS"));
    found.map(|(_, value)| *value)
}
