//! All units, one line per unit.

/// Calls a macro with all units: `units!(each)` is `each! { popcnt: llc::Popcnt { 2; 4 } .. }`. A
/// unit has its name, its area and type, and the parameter sets of which blocks are compiled for
/// tests: those with an alias, and some odd ones.
///
/// Whatever there is for each unit is made from here: the table of parameter sets, compiled blocks,
/// the testbench's registry and its tests.
#[macro_export]
macro_rules! units {
    ($each:ident) => {
        $each! {
            popcnt: llc::Popcnt { 2; 4; 16; 32; 3; 12 }
            kid_demux: llc::KidDemux { 2; 4; 8; 3; 5 }
            demotion: llc::Demotion { 2; 4; 16; 32; 3; 12 }
            counter_matrix: llc::CounterMatrix { 2, 2, 21; 4, 3, 21; 4, 5, 21; 8, 6, 21; 5, 4, 16; 3, 2, 32 }
            gdcu: llc::Gdcu {
                2, 2, 21, 1; 4, 4, 21, 1; 16, 4, 21, 1; 32, 8, 21, 1;
                3, 3, 16, 0; 12, 5, 24, 1; 4, 4, 21, 2; 6, 3, 21, 3;
            }
            lru_stack: llc::LruStack { 2, 2; 4, 4; 16, 4; 32, 8; 3, 3; 12, 5 }
            plob: llc::Plob { 2, 21, 1; 4, 21, 1; 8, 21, 1; 3, 16, 0; 5, 32, 2 }
            llc_monitor: llc::LlcMonitor {
                2, 2, 16, 1, 36, 21, 1, 2; 4, 4, 64, 1, 36, 21, 1, 4; 16, 4, 64, 4, 36, 21, 1, 4;
                16, 8, 64, 2, 36, 21, 1, 8; 3, 3, 2, 2, 5, 8, 2, 5; 5, 3, 8, 1, 7, 9, 0, 2;
            }
            umon: mgmt::Umon { 2, 128, 64, 31, 21; 3, 32, 32, 31, 21; 32, 4096, 32, 31, 21; 4, 16, 4, 1, 2 }
            milg: sm::Milg {
                7, 12, 10, 0; 7, 17, 10, 0; 2, 4, 2, 0; 7, 20, 10, 0;
                7, 12, 10, 1; 7, 17, 10, 1; 2, 4, 2, 1; 3, 6, 3, 0; 3, 6, 3, 1;
            }
            smil: sm::Smil { 7, 5; 7, 7; 2, 2; 10, 5; 3, 2 }
            quota_unit: sm::QuotaUnit { 2, 32; 3, 32; 2, 4; 8, 32; 3, 8; 5, 8 }
            rbmi: sm::Rbmi { 2; 3; 5; 8 }
            qbmi: sm::Qbmi { 2, 10, 0; 3, 10, 0; 2, 2, 0; 8, 10, 0; 2, 10, 1; 2, 2, 1; 3, 3, 0; 3, 3, 1 }
            mem_issue: sm::MemIssue {
                2, 1, 1, 12, 0, 0, 7, 10, 5; 3, 1, 1, 12, 0, 0, 7, 10, 5; 2, 1, 1, 4, 0, 0, 2, 2, 2;
                8, 1, 1, 12, 0, 0, 7, 10, 5; 2, 0, 0, 12, 0, 0, 7, 10, 5; 2, 1, 0, 12, 0, 0, 7, 10, 5;
                3, 0, 1, 12, 0, 0, 7, 10, 5; 3, 1, 1, 12, 1, 1, 7, 10, 5; 2, 1, 1, 17, 0, 0, 7, 10, 5;
            }
            llc_monitor_apb: bus::LlcMonitorApb { 2, 2, 16, 1, 36, 21, 1, 2; 4, 4, 64, 1, 36, 21, 1, 4 }
            llc_monitor_axi: bus::LlcMonitorAxi { 2, 2, 16, 1, 36, 21, 1, 2; 4, 4, 64, 1, 36, 21, 1, 4 }
            mem_issue_apb: bus::MemIssueApb { 2, 1, 1, 4, 0, 0, 2, 2, 2; 3, 1, 1, 12, 0, 0, 7, 10, 5 }
            mem_issue_axi: bus::MemIssueAxi { 2, 1, 1, 4, 0, 0, 2, 2, 2; 3, 1, 1, 12, 0, 0, 7, 10, 5 }
        }
    };
}
