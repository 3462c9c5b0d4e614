//! The netlist against rust-hdl's own `update()`, as for all units.
//!
//! Rationale: random addresses hit nothing, so most are taken from the description; the rest are
//! random, as all other inputs are, legal or not. The units themselves run at their smallest sets,
//! which hold every block; register files also with kernels that are no power of two, and with
//! quotas of two words.

use crate::agree::{any_value, compare_block, Restarts, Seen};
use cotenant_registers::Map;
use cotenant_units::bus::{self, BudgetFlags, BudgetScan, IssueRegisters, LlcRegisters};
use cotenant_units::bus::{LlcMonitorApb, LlcMonitorAxi, MemIssueApb, MemIssueAxi};
use cotenant_units::bus::{ManagedLlcApb, ManagedLlcAxi, ManagedRegisters};
use cotenant_units::unit::Unit;
use num_bigint::BigUint;
use proptest::prelude::Rng;
use proptest::test_runner::TestRng;

/// An address: mostly of the description, sometimes next to it, else any.
fn address(map: &Map, rng: &mut TestRng) -> BigUint {
    let at = rng.next_u32() as usize % map.registers.len();
    let register = &map.registers[at];
    let (row, column) = (rng.next_u32() as usize, rng.next_u32() as usize);
    let address = register.address(row % (register.rows + 1), column % (register.columns + 1));
    match rng.next_u32() % 16 {
        0 => (rng.next_u32() % (1 << map.width)).into(),
        1 => (address | (1 + rng.next_u32() % 3)).into(),
        _ => address.into(),
    }
}

fn agree<U: Unit + Default + 'static>(
    map: Option<&Map>,
    cycles: usize,
    restarts: Restarts,
) -> Seen {
    let mut block = Box::<U>::default();
    block.connect_all();
    let netlist = cotenant_netlist::elaborate(&*block, "block").unwrap();
    let name = netlist.module().name.clone();
    let draw = |rng: &mut TestRng, input: &str, width: usize, bias: u32| match (input, map) {
        ("address" | "paddr" | "s_axi_awaddr" | "s_axi_araddr", Some(map)) => address(map, rng),
        ("strobe" | "pstrb" | "s_axi_wstrb", _) if rng.next_u32() % 8 > 0 => 15u8.into(),
        // Small ones are legal more often.
        ("write_data" | "pwdata" | "s_axi_wdata", _) if rng.next_u32() % 2 == 0 => {
            (rng.next_u32() % 8).into()
        }
        // Else most transfers are given up.
        ("select", _) if rng.next_u32() % 16 > 0 => 1u8.into(),
        ("penable" | "psel", _) if rng.next_u32() % 8 > 0 => 1u8.into(),
        _ => any_value(rng, input, width, bias),
    };
    let seen = compare_block(block, &netlist, cycles, restarts, &draw);
    seen.unwrap_or_else(|found| panic!("{name}: {found:?}"))
}

#[test]
fn bridges_timer_and_budgets() {
    let both = [Restarts::Now, Restarts::First];
    for restarts in both {
        agree::<bus::Apb4>(None, 1000, restarts);
        agree::<bus::Axi4Lite>(None, 3000, restarts);
        agree::<bus::PeriodTimer>(None, 3000, restarts);
        agree::<BudgetScan!(1, 32)>(None, 2000, restarts);
        agree::<BudgetScan!(3, 5)>(None, 3000, restarts);
        agree::<BudgetFlags!(3)>(None, 2000, restarts);
    }
}

#[test]
fn register_files() {
    let llc = |ways, kernels, sets, banks, requesters, [sce, sampled]: [usize; 2]| {
        cotenant_registers::llc_monitor(&cotenant_registers::LlcParams {
            ways,
            kernels,
            sets,
            banks,
            tag_w: 36,
            cnt_w: 21,
            stages: 1,
            requesters,
            sce,
            sampled,
            mode: 0,
        })
        .unwrap()
    };
    let seen = agree::<LlcRegisters!(2, 2, 16, 1, 36, 21, 1, 2)>(
        Some(&llc(2, 2, 16, 1, 2, [0, 0])),
        4000,
        Restarts::First,
    );
    // Else hardly anything was accessed.
    assert!(seen["read_data"].len() > 20, "{:?}", seen["read_data"]);
    for flag in ["error", "flush", "snapshot", "map_valid", "irq"] {
        assert_eq!(seen[flag].len(), 2, "{flag}");
    }
    let map = llc(3, 3, 2, 2, 5, [0, 0]);
    agree::<LlcRegisters!(3, 3, 2, 2, 36, 21, 1, 5)>(Some(&map), 2000, Restarts::Now);
    let map = llc(2, 2, 16, 1, 2, [1, 4]);
    agree::<LlcRegisters!(2, 2, 16, 1, 36, 21, 1, 2, 1, 4)>(Some(&map), 4000, Restarts::First);
    let map = llc(3, 3, 8, 2, 5, [0, 3]);
    agree::<LlcRegisters!(3, 3, 8, 2, 36, 21, 1, 5, 0, 3)>(Some(&map), 2000, Restarts::Now);

    let issue = |kernels, limiter, quota_w| {
        cotenant_registers::mem_issue(&cotenant_registers::IssueParams {
            kernels,
            limiter,
            priority: 0,
            fail_w: 12,
            release: 0,
            cap: 0,
            lag: 0,
            count_w: 7,
            interval_w: 10,
            limit_w: 5,
            quota_w,
        })
        .unwrap()
    };
    let map = issue(3, 0, cotenant_units::sm::credit_width(3, 10));
    let seen =
        agree::<IssueRegisters!(3, 0, 0, 12, 0, 0, 0, 7, 10, 5)>(Some(&map), 3000, Restarts::First);
    assert!(seen["read_data"].len() > 20, "{:?}", seen["read_data"]);
    assert_eq!(seen["set_valid"].len(), 2);
    let map = issue(8, 1, cotenant_units::sm::credit_width(8, 10));
    assert!(map.at(0x100).is_some(), "a quota of two words");
    agree::<IssueRegisters!(8, 1, 0, 12, 0, 0, 0, 7, 10, 5)>(Some(&map), 1000, Restarts::First);

    let set = cotenant_units::table::set("managed_llc_apb", "three").unwrap();
    let map = bus::registers("managed_llc_apb", &set).unwrap().unwrap();
    let seen = agree::<ManagedRegisters!(4, 16, 3, 2, 4, 3, 2, 10, 4, 6, 2, 5, 1)>(
        Some(&map),
        3000,
        Restarts::First,
    );
    assert!(seen["read_data"].len() > 20, "{:?}", seen["read_data"]);
    assert!(seen["gpu"].len() > 4, "{:?}", seen["gpu"]);
}

#[test]
fn units() {
    let set = cotenant_units::table::set("llc_monitor_apb", "small").unwrap();
    let map = bus::registers("llc_monitor_apb", &set).unwrap().unwrap();
    agree::<LlcMonitorApb!(2, 2, 16, 1, 36, 21, 1, 2)>(Some(&map), 400, Restarts::First);
    agree::<LlcMonitorAxi!(2, 2, 16, 1, 36, 21, 1, 2)>(Some(&map), 400, Restarts::First);
    let set = cotenant_units::table::set("mem_issue_apb", "small").unwrap();
    let map = bus::registers("mem_issue_apb", &set).unwrap().unwrap();
    agree::<MemIssueApb!(2, 1, 1, 4, 0, 0, 0, 2, 2, 2)>(Some(&map), 400, Restarts::First);
    agree::<MemIssueAxi!(2, 1, 1, 4, 0, 0, 0, 2, 2, 2)>(Some(&map), 400, Restarts::First);
    let set = cotenant_units::table::set("managed_llc_apb", "small").unwrap();
    let map = bus::registers("managed_llc_apb", &set).unwrap().unwrap();
    agree::<
        ManagedLlcApb!(
            4,
            8,
            2,
            1,
            4,
            2,
            1,
            31,
            2,
            10,
            0x2545_f491,
            3,
            4,
            2,
            5,
            2,
            20,
            0
        ),
    >(Some(&map), 400, Restarts::First);
    agree::<
        ManagedLlcAxi!(
            4,
            8,
            2,
            1,
            4,
            2,
            1,
            31,
            2,
            10,
            0x2545_f491,
            3,
            4,
            2,
            5,
            2,
            20,
            0
        ),
    >(Some(&map), 400, Restarts::First);
}
