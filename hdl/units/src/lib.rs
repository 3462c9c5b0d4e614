//! The units as synthesizable rust-hdl blocks.
//!
//! | unit | what it does |
//! |---|---|
//! | [`popcnt`](llc::Popcnt) | counts the set bits of a vector |
//! | [`kid_demux`](llc::KidDemux) | drives the lane of one kernel |
//! | [`demotion`](llc::Demotion) | which LRU stack positions an access demotes |
//! | [`counter_matrix`](llc::CounterMatrix) | counters per pair of victim and aggressor, with snapshots |
//! | [`gdcu`](llc::Gdcu) | counts the demotions that each kernel causes to each other |
//! | [`lru_stack`](llc::LruStack) | replacement bits of one cache set |
//! | [`plob`](llc::Plob) | counts the evictions that each kernel causes to each other |
//! | [`llc_monitor`](llc::LlcMonitor) | the counters beside a cache, with tags and replacement bits |
//! | [`milg`](sm::Milg) | limits a kernel's memory instructions in flight, dynamically |
//! | [`smil`](sm::Smil) | the same with a limit that software sets |
//! | [`quota_unit`](sm::QuotaUnit) | memory instructions per kernel for equally many requests |
//! | [`rbmi`](sm::Rbmi) | whose memory instruction is next: round-robin |
//! | [`qbmi`](sm::Qbmi) | whose memory instruction is next: by quota |
//! | [`mem_issue`](sm::MemIssue) | limits and priority of one SM together |
//! | [`llc_monitor_apb`](bus::LlcMonitorApb) | `llc_monitor` behind APB4, with budgets and an interrupt |
//! | [`llc_monitor_axi`](bus::LlcMonitorAxi) | the same behind AXI4-Lite |
//! | [`mem_issue_apb`](bus::MemIssueApb) | `mem_issue` behind APB4 |
//! | [`mem_issue_axi`](bus::MemIssueAxi) | the same behind AXI4-Lite |
//!
//! A unit is generic in its parameters and in the widths that follow from
//! them; the macro of the same name derives the latter, for example
//! `gdcu!(16, 4, 21, 1)`. [`prim`] holds the flop and the RAM that
//! they are made of. [`table`] lists the parameter sets that are built, and
//! builds them by name; [`drive`] runs a block on rust-hdl's own `update()`.
//!
//! All sequential units have one `clock` and a synchronous, active-high
//! `reset` that resets every flop. Packed vectors hold element 0 in the low
//! bits.

pub use cotenant_netlist::prim;
pub use cotenant_unit::unit;

pub mod bus;
pub mod drive;
pub mod llc;
pub mod sm;
pub mod table;
pub mod unit;
