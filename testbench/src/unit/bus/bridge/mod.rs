//! The bus protocols: their ports and the registers of their bridges.

pub(in crate::unit) mod facts;

use cotenant_golden::bus::apb4::{self, Apb4};
use cotenant_golden::bus::axi4_lite::{self, Axi4Lite};
use cotenant_golden::bus::{Bridge, ADDRESS_W};

use crate::verify::interface::{Packer, Port, StateField};

/// A bus that units are built with.
pub trait Bus: Bridge {
    /// `llc_monitor` behind it.
    const LLC_MONITOR: &'static str;
    /// What that does, in a line.
    const LLC_MONITOR_SUMMARY: &'static str;
    /// `mem_issue` behind it.
    const MEM_ISSUE: &'static str;
    /// What that does, in a line.
    const MEM_ISSUE_SUMMARY: &'static str;

    /// Input ports.
    fn input_ports() -> Vec<Port>;
    /// Output ports.
    fn output_ports() -> Vec<Port>;
    /// The bridge's registers.
    fn state() -> Vec<StateField>;
    /// The input ports' values.
    fn pack_in(input: &Self::In, words: &mut Packer<'_>);
    /// The output ports' values.
    fn pack_out(out: &Self::Out, words: &mut Packer<'_>);
    /// The registers' values.
    fn pack_state(state: &Self::State, words: &mut Packer<'_>);
}

impl Bus for Apb4 {
    const LLC_MONITOR: &'static str = "llc_monitor_apb";
    const LLC_MONITOR_SUMMARY: &'static str =
        "`llc_monitor` with registers, contention budgets and an interrupt behind APB4";
    const MEM_ISSUE: &'static str = "mem_issue_apb";
    const MEM_ISSUE_SUMMARY: &'static str = "`mem_issue` with registers behind APB4";

    fn input_ports() -> Vec<Port> {
        vec![
            Port::value("psel", 1),
            Port::value("penable", 1),
            Port::value("pwrite", 1),
            Port::value("paddr", ADDRESS_W),
            Port::value("pwdata", 32),
            Port::value("pstrb", 4),
        ]
    }

    fn output_ports() -> Vec<Port> {
        vec![
            Port::value("pready", 1),
            Port::value("prdata", 32),
            Port::value("pslverr", 1),
        ]
    }

    fn state() -> Vec<StateField> {
        vec![]
    }

    fn pack_in(input: &apb4::In, words: &mut Packer<'_>) {
        words.value(input.psel);
        words.value(input.penable);
        words.value(input.pwrite);
        words.value(input.paddr);
        words.value(input.pwdata);
        words.value(input.pstrb);
    }

    fn pack_out(out: &apb4::Out, words: &mut Packer<'_>) {
        words.value(out.pready);
        words.value(out.prdata);
        words.value(out.pslverr);
    }

    fn pack_state(_: &apb4::State, _: &mut Packer<'_>) {}
}

impl Bus for Axi4Lite {
    const LLC_MONITOR: &'static str = "llc_monitor_axi";
    const LLC_MONITOR_SUMMARY: &'static str =
        "`llc_monitor` with registers, contention budgets and an interrupt behind AXI4-Lite";
    const MEM_ISSUE: &'static str = "mem_issue_axi";
    const MEM_ISSUE_SUMMARY: &'static str = "`mem_issue` with registers behind AXI4-Lite";

    fn input_ports() -> Vec<Port> {
        vec![
            Port::value("awvalid", 1),
            Port::value("awaddr", ADDRESS_W),
            Port::value("wvalid", 1),
            Port::value("wdata", 32),
            Port::value("wstrb", 4),
            Port::value("bready", 1),
            Port::value("arvalid", 1),
            Port::value("araddr", ADDRESS_W),
            Port::value("rready", 1),
        ]
    }

    fn output_ports() -> Vec<Port> {
        vec![
            Port::value("awready", 1),
            Port::value("wready", 1),
            Port::value("bvalid", 1),
            Port::value("bresp", 2),
            Port::value("arready", 1),
            Port::value("rvalid", 1),
            Port::value("rdata", 32),
            Port::value("rresp", 2),
        ]
    }

    fn state() -> Vec<StateField> {
        [
            ("write_address_taken", 1, "aw_taken"),
            ("write_address", ADDRESS_W, "aw_address"),
            ("write_data_taken", 1, "w_taken"),
            ("write_data", 32, "w_data"),
            ("write_strobe", 4, "w_strobe"),
            ("read_address_taken", 1, "ar_taken"),
            ("read_address", ADDRESS_W, "ar_address"),
            ("busy", 1, "busy"),
            ("writing", 1, "writing"),
            ("write_done", 1, "b_valid"),
            ("write_error", 1, "b_error"),
            ("read_done", 1, "r_valid"),
            ("read_error", 1, "r_error"),
            ("read_data", 32, "r_data"),
        ]
        .into_iter()
        .map(|(name, width, flop)| StateField::value(name, width, flop))
        .collect()
    }

    fn pack_in(input: &axi4_lite::In, words: &mut Packer<'_>) {
        words.value(input.awvalid);
        words.value(input.awaddr);
        words.value(input.wvalid);
        words.value(input.wdata);
        words.value(input.wstrb);
        words.value(input.bready);
        words.value(input.arvalid);
        words.value(input.araddr);
        words.value(input.rready);
    }

    fn pack_out(out: &axi4_lite::Out, words: &mut Packer<'_>) {
        words.value(out.awready);
        words.value(out.wready);
        words.value(out.bvalid);
        words.value(out.bresp);
        words.value(out.arready);
        words.value(out.rvalid);
        words.value(out.rdata);
        words.value(out.rresp);
    }

    fn pack_state(state: &axi4_lite::State, words: &mut Packer<'_>) {
        words.value(state.write_address_taken);
        words.value(state.write_address);
        words.value(state.write_data_taken);
        words.value(state.write_data);
        words.value(state.write_strobe);
        words.value(state.read_address_taken);
        words.value(state.read_address);
        words.value(state.busy);
        words.value(state.writing);
        words.value(state.write_done);
        words.value(state.write_error);
        words.value(state.read_done);
        words.value(state.read_error);
        words.value(state.read_data);
    }
}
