//! All units, one line per unit.

/// Calls a macro with all units: `units!(each)` is `each! { popcnt: llc::Popcnt { 2; 4 } .. }`. A
/// unit has its name, its area and type, and the few parameter sets of which blocks are compiled for
/// tests: every value of what chooses between circuits (stages, limiter, priority), powers of two
/// and others.
///
/// Whatever there is for each unit is made from here: the table of parameter sets, compiled blocks,
/// the testbench's registry and its tests.
#[macro_export]
macro_rules! units {
    ($each:ident) => {
        $each! {
            popcnt: llc::Popcnt { 2; 12; 32 }
            kid_demux: llc::KidDemux { 4; 5 }
            demotion: llc::Demotion { 2; 12; 32 }
            counter_matrix: llc::CounterMatrix { 2, 2, 21; 3, 2, 32; 5, 4, 16 }
            gdcu: llc::Gdcu { 2, 2, 21, 1; 3, 3, 16, 0; 4, 4, 21, 2; 6, 3, 21, 3 }
            lru_stack: llc::LruStack { 4, 4; 12, 5 }
            plob: llc::Plob { 2, 21, 1; 3, 16, 0; 5, 32, 2 }
            sce: llc::Sce { 2, 2, 21, 1; 3, 3, 16, 0; 4, 4, 21, 2; 6, 3, 21, 3 }
            blame: llc::Blame { 2, 2; 3, 3; 4, 4 }
            pivot: llc::Pivot { 2, 2; 3, 3; 4, 4; 8, 5 }
            shadow_stack: llc::ShadowStack { 2, 2, 2, 36, 1; 3, 3, 4, 3, 2; 4, 4, 2, 5, 8 }
            attribution: llc::Attribution {
                2, 2, 4, 4, 36, 12, 1, 24; 3, 3, 16, 4, 7, 3, 2, 8, 3, 0; 4, 4, 8, 3, 5, 5, 4, 3;
                3, 5, 8, 3, 5, 5, 4, 3, 0, 1;
            }
            llc_monitor: llc::LlcMonitor {
                2, 2, 16, 1, 36, 21, 1, 2, 0, 0; 3, 3, 2, 2, 5, 8, 2, 5, 0, 0;
                5, 3, 8, 1, 7, 9, 0, 2, 0, 0; 2, 2, 16, 1, 36, 21, 1, 2, 1, 4, 0;
                3, 3, 4, 2, 5, 8, 2, 2, 0, 3, 0; 3, 5, 2, 1, 5, 8, 0, 2, 1, 0, 0;
                3, 5, 4, 1, 5, 8, 1, 2, 0, 3, 1; 3, 2, 4, 2, 5, 8, 1, 2, 1, 0, 0, 1;
            }
            llc_counters: llc::LlcCounters { 2, 2, 1, 21, 1, 2; 3, 3, 2, 8, 0, 2; 5, 3, 1, 9, 2, 5 }
            umon: mgmt::Umon { 2, 128, 64, 31, 21; 3, 32, 32, 31, 21; 4, 16, 4, 1, 2 }
            ucp: mgmt::Ucp { 4, 2, 21, 10; 5, 3, 4, 3; 2, 2, 1, 1 }
            managed_directory: mgmt::ManagedDirectory { 2, 4, 2, 1, 31, 2, 10, 0x2545_f491; 4, 16, 3, 2, 5, 2, 3, 7; 3, 32, 5, 1, 4, 3, 4, 1 }
            managed_llc: mgmt::ManagedLlc {
                4, 8, 2, 1, 4, 2, 1, 31, 2, 10, 0x2545_f491, 3, 4, 2, 5, 2, 20, 0;
                5, 16, 3, 2, 8, 3, 2, 5, 3, 3, 7, 4, 6, 3, 2, 1, 6, 1;
            }
            quota_victim: mgmt::QuotaVictim { 2, 2; 4, 3; 12, 5 }
            rrip: mgmt::Rrip { 2, 1; 4, 2; 5, 3 }
            drrip: mgmt::Drrip { 4, 2, 1, 2, 1; 16, 1, 1, 3, 7; 64, 3, 8, 4, 0x2545_f491; 1024, 2, 32, 10, 0x2545_f491 }
            core_sampling: mgmt::CoreSampling { 2, 1, 1, 1, 2, 0; 3, 2, 2, 2, 4, 1; 6, 4, 5, 2, 20, 0 }
            xsratio: mgmt::Xsratio { 2, 2, 2, 1; 3, 4, 6, 2; 2, 10, 21, 10 }
            tap: mgmt::Tap { 2, 3, 4; 3, 4, 6; 5, 10, 21 }
            xor_hash: addr::XorHash { 4, 2, 6, 11; 7, 3, 0x55, 0x0f, 0x7f; 1, 1, 1 }
            address_map: addr::AddressMap {
                8, 2, 1, 3, 2, 1, 1, 0xe0, 0x44, 0x88, 0x10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                0x44, 0x88, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x44;
                9, 3, 2, 2, 1, 2, 2, 0x1e0, 0x28, 0x50, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                0x08, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                0x28, 0x110, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x20, 0x40;
            }
            milg: sm::Milg { 7, 12, 10, 0; 7, 12, 10, 1; 2, 4, 2, 0; 3, 6, 3, 1; 3, 6, 3, 2; 3, 6, 3, 3 }
            smil: sm::Smil { 2, 2; 10, 5 }
            quota_unit: sm::QuotaUnit { 2, 4; 3, 8 }
            rbmi: sm::Rbmi { 2; 5 }
            qbmi: sm::Qbmi { 2, 10, 1, 0; 2, 10, 0, 1; 2, 2, 0, 0; 3, 3, 1, 2 }
            mem_issue: sm::MemIssue {
                2, 1, 1, 12, 0, 0, 0, 7, 10, 5; 2, 0, 0, 4, 0, 0, 0, 2, 2, 2;
                3, 1, 0, 6, 1, 0, 0, 3, 4, 3; 5, 0, 1, 6, 0, 1, 1, 3, 4, 3;
            }
            llc_monitor_apb: bus::LlcMonitorApb {
                2, 2, 16, 1, 36, 21, 1, 2, 0, 0; 3, 3, 2, 2, 5, 8, 2, 5, 0, 0;
                2, 2, 16, 1, 36, 21, 1, 2, 1, 4;
            }
            llc_monitor_axi: bus::LlcMonitorAxi {
                2, 2, 16, 1, 36, 21, 1, 2, 0, 0; 3, 3, 2, 2, 5, 8, 2, 5, 0, 0;
                2, 2, 16, 1, 36, 21, 1, 2, 1, 4;
            }
            llc_counters_apb: bus::LlcCountersApb { 2, 2, 1, 21, 1, 2; 3, 3, 2, 8, 2, 5 }
            llc_counters_axi: bus::LlcCountersAxi { 2, 2, 1, 21, 1, 2; 3, 3, 2, 8, 2, 5 }
            mem_issue_apb: bus::MemIssueApb { 2, 1, 1, 4, 0, 0, 0, 2, 2, 2; 3, 0, 0, 6, 0, 0, 0, 3, 4, 3 }
            mem_issue_axi: bus::MemIssueAxi { 2, 1, 1, 4, 0, 0, 0, 2, 2, 2; 3, 0, 0, 6, 0, 0, 0, 3, 4, 3 }
            managed_llc_apb: bus::ManagedLlcApb {
                4, 8, 2, 1, 4, 2, 1, 31, 2, 10, 0x2545_f491, 3, 4, 2, 5, 2, 20, 0;
                5, 16, 3, 2, 8, 3, 2, 5, 3, 3, 7, 4, 6, 3, 2, 1, 6, 1;
            }
            managed_llc_axi: bus::ManagedLlcAxi {
                4, 8, 2, 1, 4, 2, 1, 31, 2, 10, 0x2545_f491, 3, 4, 2, 5, 2, 20, 0;
                5, 16, 3, 2, 8, 3, 2, 5, 3, 3, 7, 4, 6, 3, 2, 1, 6, 1;
            }
        }
    };
}
