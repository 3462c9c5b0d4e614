//! Buses: the names of units behind them, the registers of their bridges and what these hold; what
//! happens on a bus; transfers of one's own, cycle by cycle.

use cotenant_golden::bus::apb4::{self, Apb4};
use cotenant_golden::bus::axi4_lite::{self, Axi4Lite};
use cotenant_golden::bus::Bridge;
use cotenant_golden::llc::{llc_counters, llc_monitor};
use cotenant_golden::mgmt::managed_llc;
use cotenant_golden::ports::{Ports, Registers};
use cotenant_golden::sm::mem_issue;

use super::registers::{of_port, on_its_way};
use super::stimulus::Master;
use crate::scenes::Row;
use crate::unit::prelude::*;

/// A bus that units are built with.
pub trait Bus:
    Bridge<
    In: Ports<llc_monitor::Params>
            + Ports<llc_counters::Params>
            + Ports<mem_issue::Params>
            + Ports<managed_llc::Params>,
    Out: Ports<llc_monitor::Params>
             + Ports<llc_counters::Params>
             + Ports<mem_issue::Params>
             + Ports<managed_llc::Params>,
    State: Registers<()>,
>
{
    /// `llc_monitor` behind it, and what that does, in a line.
    const LLC_MONITOR: [&'static str; 2];
    /// `llc_counters` behind it, likewise.
    const LLC_COUNTERS: [&'static str; 2];
    /// `mem_issue` behind it, likewise.
    const MEM_ISSUE: [&'static str; 2];
    /// `managed_llc` behind it, likewise.
    const MANAGED_LLC: [&'static str; 2];

    /// The bridge's flop for one of its registers, by the golden model's name.
    fn flop(register: &str) -> &str {
        register
    }

    /// What a master keeps to from a cycle to the next.
    fn protocol(terms: &mut Terms<'_>) -> Vec<Term>;

    /// What the bridge's flops hold in every state that can be reached.
    fn invariants(_terms: &mut Terms<'_>) -> Vec<Term> {
        Vec::new()
    }
}

impl Bus for Apb4 {
    const LLC_MONITOR: [&'static str; 2] = [
        "llc_monitor_apb",
        "`llc_monitor` with registers, contention budgets and an interrupt behind APB4",
    ];
    const LLC_COUNTERS: [&'static str; 2] = [
        "llc_counters_apb",
        "`llc_counters` with registers, budgets and an interrupt behind APB4",
    ];
    const MEM_ISSUE: [&'static str; 2] =
        ["mem_issue_apb", "`mem_issue` with registers behind APB4"];
    const MANAGED_LLC: [&'static str; 2] = [
        "managed_llc_apb",
        "`managed_llc` with registers, a timer of periods and an interrupt behind APB4",
    ];

    /// An access begins a cycle after its setup, which is one cycle, and stands until it has been
    /// answered.
    fn protocol(terms: &mut Terms<'_>) -> Vec<Term> {
        let [reset, select, enable, ready] =
            ["reset", "psel", "penable", "pready"].map(|port| terms.before(port));
        let answered = terms.all([enable, ready]);
        let over = terms.any([reset, answered]);
        let goes_on = terms.not(over);
        let asked = terms.all([select, goes_on]);
        let accesses = ["psel", "penable"].map(|port| terms.port(port));
        let accesses = terms.all(accesses);
        let stands = terms.unchanged(&["paddr", "pprot", "pwrite", "pwdata", "pstrb"]);
        vec![terms.equal(accesses, asked), terms.implies(asked, stands)]
    }
}

impl Bus for Axi4Lite {
    const LLC_MONITOR: [&'static str; 2] = [
        "llc_monitor_axi",
        "`llc_monitor` with registers, contention budgets and an interrupt behind AXI4-Lite",
    ];
    const LLC_COUNTERS: [&'static str; 2] = [
        "llc_counters_axi",
        "`llc_counters` with registers, budgets and an interrupt behind AXI4-Lite",
    ];
    const MEM_ISSUE: [&'static str; 2] = [
        "mem_issue_axi",
        "`mem_issue` with registers behind AXI4-Lite",
    ];
    const MANAGED_LLC: [&'static str; 2] = [
        "managed_llc_axi",
        "`managed_llc` with registers, a timer of periods and an interrupt behind AXI4-Lite",
    ];

    /// What is valid stays so, and what it is, until it has been taken.
    fn protocol(terms: &mut Terms<'_>) -> Vec<Term> {
        let mut channel = |valid: &'static str, ready, carried: &[&'static str]| {
            let [reset, was, taken] = ["reset", valid, ready].map(|port| terms.before(port));
            let over = terms.any([reset, taken]);
            let waits = terms.not(over);
            let waits = terms.all([was, waits]);
            let valid = terms.port(valid);
            let same = terms.unchanged(carried);
            let stands = terms.all([valid, same]);
            terms.implies(waits, stands)
        };
        vec![
            channel(
                "s_axi_awvalid",
                "s_axi_awready",
                &["s_axi_awaddr", "s_axi_awprot"],
            ),
            channel(
                "s_axi_wvalid",
                "s_axi_wready",
                &["s_axi_wdata", "s_axi_wstrb"],
            ),
            channel(
                "s_axi_arvalid",
                "s_axi_arready",
                &["s_axi_araddr", "s_axi_arprot"],
            ),
        ]
    }

    fn flop(register: &str) -> &str {
        match register {
            "write_address_taken" => "aw_taken",
            "write_address" => "aw_address",
            "write_data_taken" => "w_taken",
            "write_data" => "w_data",
            "write_strobe" => "w_strobe",
            "read_address_taken" => "ar_taken",
            "read_address" => "ar_address",
            "write_done" => "b_valid",
            "write_error" => "b_error",
            "read_done" => "r_valid",
            "read_error" => "r_error",
            "read_data" => "r_data",
            same => same,
        }
    }

    fn invariants(terms: &mut Terms<'_>) -> Vec<Term> {
        let [busy, writing] = terms.flops(["bus.busy", "bus.writing"]);
        let [address, data, read_address] =
            terms.flops(["bus.aw_taken", "bus.w_taken", "bus.ar_taken"]);
        let [written, write_error] = terms.flops(["bus.b_valid", "bus.b_error"]);
        let [read, read_error, read_data] =
            terms.flops(["bus.r_valid", "bus.r_error", "bus.r_data"]);
        let mut all = Vec::new();
        // Without a response there is no error and no data, and with an error no data.
        let silent = terms.is(read_data, 0);
        all.push(terms.implies(write_error, written));
        all.push(terms.implies(read_error, read));
        all.push(terms.any([read, silent]));
        all.push(terms.implies(read_error, silent));
        // The register file has what the bridge has asked for, and still has it taken.
        let way = on_its_way(terms);
        all.push(terms.equal(way, busy));
        let write = of_port("write_register", terms);
        let same = terms.equal(write, writing);
        all.push(terms.implies(busy, same));
        let no_response = terms.not(written);
        let asked = terms.all([address, data, no_response]);
        let write_waits = terms.all([busy, writing]);
        all.push(terms.implies(write_waits, asked));
        let no_response = terms.not(read);
        let asked = terms.all([read_address, no_response]);
        let reading = terms.not(writing);
        let read_waits = terms.all([busy, reading]);
        all.push(terms.implies(read_waits, asked));
        all
    }
}

/// The bridge's registers.
pub(crate) fn registers<B: Bus>() -> Vec<StateField> {
    fields::<B::State, _>(&(), |name, _| Some(Probe::Value(B::flop(name).into())))
}

/// Their values.
pub(crate) fn pack<B: Bus>(state: &B::State, words: &mut Packer<'_>) {
    state.each(&(), &mut |_, _, value| words.value(value));
}

/// A bus whose transfers are sorted.
pub trait Watched: Master {
    /// Sorts them.
    type Watcher: Watch<Self>;
}

/// Sorts the cycles of a bus.
pub trait Watch<B: Master>: Clone + std::fmt::Debug + Default {
    /// Looks at a cycle: the inputs, and the bridge before its edge.
    fn sample(&mut self, state: &B::State, input: &B::In);

    /// Forgets the cycles before.
    fn restart(&mut self);

    /// What has been seen so far.
    fn crosses(&self) -> Vec<&Cross>;
}

/// Kinds of a transfer.
const KIND: [&str; 2] = ["read", "write"];

impl Watched for Apb4 {
    type Watcher = ApbWatcher;
}

/// Sorts what APB accesses begin after.
#[derive(Debug, Clone)]
pub struct ApbWatcher {
    accesses: Cross,
    /// What was in the cycle before.
    before: usize,
}

impl Default for ApbWatcher {
    fn default() -> Self {
        let after = ["a pause", "a read", "a write"];
        Self {
            accesses: Cross::named("bus accesses")
                .axis("access", KIND)
                .axis("after", after),
            before: 0,
        }
    }
}

impl Watch<Apb4> for ApbWatcher {
    fn sample(&mut self, _: &apb4::State, input: &apb4::In) {
        let kind = usize::from(input.pwrite);
        if input.psel && !input.penable {
            self.accesses.hit((kind, self.before));
        }
        self.before = if input.psel { 1 + kind } else { 0 };
    }

    fn restart(&mut self) {
        self.before = 0;
    }

    fn crosses(&self) -> Vec<&Cross> {
        vec![&self.accesses]
    }
}

impl Watched for Axi4Lite {
    type Watcher = AxiWatcher;
}

/// Sorts the order of channels, turns and responses.
#[derive(Debug, Clone)]
pub struct AxiWatcher {
    writes: Cross,
    turns: Cross,
    responses: Cross,
    /// A response of a write, or read, was there in the cycle before and stayed.
    held: [bool; 2],
}

impl Default for AxiWatcher {
    fn default() -> Self {
        let order = ["address first", "data first", "both at once"];
        let during = ["nothing", "a read", "a write's response"];
        let writes = [Axis::new("write", order), Axis::new("during", during)];
        let turns = [Axis::new("begins", KIND), Axis::flag("other waits")];
        let taken = ["at once", "later"];
        let responses = [
            Axis::new("response of", KIND),
            Axis::new("accepted", taken),
            Axis::flag("next waits"),
        ];
        Self {
            writes: Cross::new("bus writes", writes),
            turns: Cross::new("bus arbitration", turns),
            responses: Cross::new("bus responses", responses).without(
                "the next transfer is accepted once there is a response",
                |at| at[1] == 0 && at[2] == 1,
            ),
            held: [false; 2],
        }
    }
}

impl Watch<Axi4Lite> for AxiWatcher {
    fn sample(&mut self, state: &axi4_lite::State, input: &axi4_lite::In) {
        let address = input.s_axi_awvalid && !state.write_address_taken;
        let data = input.s_axi_wvalid && !state.write_data_taken;
        let order = match (address, data) {
            (true, true) => Some(2),
            (true, false) => state.write_data_taken.then_some(1),
            (false, true) => state.write_address_taken.then_some(0),
            (false, false) => None,
        };
        let transfer = state.transfer();
        if let Some(order) = order {
            let during = match transfer {
                Some(false) => 1,
                _ if state.write_done => 2,
                _ => 0,
            };
            self.writes.hit((order, during));
        }
        let waits = [
            state.read_address_taken,
            state.write_address_taken && state.write_data_taken,
        ];
        if let Some(write) = transfer.filter(|_| !state.busy) {
            let other = match write {
                true => waits[0] && !state.read_done,
                false => waits[1] && !state.write_done,
            };
            self.turns.hit((write, other));
        }
        let responses = [
            (state.read_done, input.s_axi_rready),
            (state.write_done, input.s_axi_bready),
        ];
        for (kind, (there, taken)) in responses.into_iter().enumerate() {
            if there && taken {
                let held = usize::from(self.held[kind]);
                self.responses.hit((kind, held, waits[kind]));
            }
            self.held[kind] = there && !taken;
        }
    }

    fn restart(&mut self) {
        self.held = [false; 2];
    }

    fn crosses(&self) -> Vec<&Cross> {
        vec![&self.writes, &self.turns, &self.responses]
    }
}

/// A bus as its timing diagram shows it.
pub(crate) trait Spoken: Watched {
    /// Where the data of a read is, in its last cycle.
    const READ: &'static str;
    /// What is 1 in the last cycle of a write, and of one that is an error.
    const WRITTEN: &'static str;
    /// Which value of which port tells of an error of a write in its last cycle.
    const REFUSED: (&'static str, u64);

    /// A write on an idle bus, until its response is taken.
    fn write(address: u16, data: u32) -> Vec<Self::In>;
    /// A read on an idle bus, until its response is taken.
    fn read(address: u16) -> Vec<Self::In>;
    /// The ports to look at.
    fn rows() -> Vec<Row>;
}

/// Setup, the cycle in which the transfer is taken, and four more.
const APB_CYCLES: usize = 6;

fn apb(transfer: apb4::In) -> Vec<apb4::In> {
    let cycle = |number| apb4::In {
        psel: true,
        penable: number > 0,
        ..transfer
    };
    (0..APB_CYCLES).map(cycle).collect()
}

impl Spoken for Apb4 {
    const READ: &'static str = "prdata";
    const WRITTEN: &'static str = "pready";
    const REFUSED: (&'static str, u64) = ("pslverr", 1);

    fn write(paddr: u16, pwdata: u32) -> Vec<apb4::In> {
        apb(apb4::In {
            pwrite: true,
            paddr,
            pwdata,
            pstrb: 15,
            ..apb4::In::default()
        })
    }

    fn read(paddr: u16) -> Vec<apb4::In> {
        apb(apb4::In {
            paddr,
            ..apb4::In::default()
        })
    }

    fn rows() -> Vec<Row> {
        vec![
            row("psel"),
            row("penable"),
            row("pwrite").when("psel"),
            row("paddr").hex().when("psel"),
            row("pwdata").hex().when("pwrite"),
            row("pready"),
            row("prdata").hex().when("pready"),
            row("pslverr").when("pready"),
        ]
    }
}

/// The cycle in which address and data are taken, five in which the register file is asked, and
/// that of the response.
const AXI_CYCLES: usize = 7;

fn axi(first: axi4_lite::In) -> Vec<axi4_lite::In> {
    let cycle = |number| match number {
        0 => first,
        _ => axi4_lite::In {
            s_axi_bready: true,
            s_axi_rready: true,
            ..axi4_lite::In::default()
        },
    };
    (0..AXI_CYCLES).map(cycle).collect()
}

impl Spoken for Axi4Lite {
    const READ: &'static str = "s_axi_rdata";
    const WRITTEN: &'static str = "s_axi_bvalid";
    const REFUSED: (&'static str, u64) = ("s_axi_bresp", axi4_lite::SLVERR as u64);

    fn write(s_axi_awaddr: u16, s_axi_wdata: u32) -> Vec<axi4_lite::In> {
        axi(axi4_lite::In {
            s_axi_awvalid: true,
            s_axi_awaddr,
            s_axi_wvalid: true,
            s_axi_wdata,
            s_axi_wstrb: 15,
            ..axi4_lite::In::default()
        })
    }

    fn read(s_axi_araddr: u16) -> Vec<axi4_lite::In> {
        axi(axi4_lite::In {
            s_axi_arvalid: true,
            s_axi_araddr,
            ..axi4_lite::In::default()
        })
    }

    fn rows() -> Vec<Row> {
        vec![
            row("s_axi_awvalid"),
            row("s_axi_awaddr").hex().when("s_axi_awvalid"),
            row("s_axi_wvalid"),
            row("s_axi_wdata").hex().when("s_axi_wvalid"),
            row("s_axi_bvalid"),
            row("s_axi_bresp").binary().when("s_axi_bvalid"),
            row("s_axi_arvalid"),
            row("s_axi_araddr").hex().when("s_axi_arvalid"),
            row("s_axi_rvalid"),
            row("s_axi_rdata").hex().when("s_axi_rvalid"),
        ]
    }
}
