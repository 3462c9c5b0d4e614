//! Rationale: AXI4-Lite accepts a transfer while another one waits. Software that is not told what
//! waits behind the sweep of the limits sees a read of STATUS that takes as long as the sweep.

use super::*;
use crate::bus::axi4_lite;
use crate::bus::LlcMonitorAxi;

/// Sixteen kernels: the sweep takes 512 cycles.
fn model() -> LlcMonitorAxi {
    LlcMonitorAxi::new(Params {
        kernels: 16,
        requesters: 15,
        ..PARAMS
    })
    .unwrap()
}

/// The cycles after a reset in which the responses of a write and of a read come, if they are
/// accepted at once; address and data are offered in the first cycle until they are taken.
fn answered(write: u16, read: u16) -> (u64, u64) {
    let mut model = model();
    let mut offers = (true, true, true);
    let mut came = (None, None);
    for cycle in 0..1_000 {
        let mut input = llc_monitor::In::idle(model.params());
        input.bus = axi4_lite::In {
            s_axi_awvalid: offers.0,
            s_axi_awaddr: write,
            s_axi_awprot: 0,
            s_axi_wvalid: offers.1,
            s_axi_wdata: 0,
            s_axi_wstrb: 15,
            s_axi_bready: true,
            // One cycle behind, so that the write goes first.
            s_axi_arvalid: offers.2 && cycle > 0,
            s_axi_araddr: read,
            s_axi_arprot: 0,
            s_axi_rready: true,
        };
        let out = model.step(&input).bus;
        offers.0 &= !out.s_axi_awready;
        offers.1 &= !out.s_axi_wready;
        offers.2 &= cycle == 0 || !out.s_axi_arready;
        if out.s_axi_bvalid {
            came.0.get_or_insert(cycle);
        }
        if out.s_axi_rvalid {
            came.1.get_or_insert(cycle);
        }
    }
    (came.0.unwrap(), came.1.unwrap())
}

const SWEEP: u64 = 512;

#[test]
fn what_comes_behind_a_limit_waits_for_the_sweep_too() {
    let (mask, status, limit) = (0x100, 0x018, 0x2800);
    let (first, behind) = answered(mask, status);
    assert_eq!((first, behind), (6, 11), "nothing waits");
    let (first, behind) = answered(limit, status);
    assert_eq!((first, behind), (SWEEP + 4, SWEEP + 9));
}
