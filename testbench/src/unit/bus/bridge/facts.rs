//! Invariants of the bridges' flops.

use cotenant_golden::bus::apb4::Apb4;
use cotenant_golden::bus::axi4_lite::Axi4Lite;
use cotenant_netlist::graph::NodeId;

use crate::unit::bus::facts::{of_port, on_its_way};
use crate::unit::bus::Bus;
use crate::verify::fault::Terms;

/// A bus about whose bridge something is known.
pub trait Known: Bus {
    /// What holds in every state that can be reached.
    fn bridge(terms: &mut Terms<'_>) -> Vec<NodeId>;
}

impl Known for Apb4 {
    fn bridge(_: &mut Terms<'_>) -> Vec<NodeId> {
        Vec::new()
    }
}

impl Known for Axi4Lite {
    fn bridge(terms: &mut Terms<'_>) -> Vec<NodeId> {
        let mut flop = |name: &str| terms.flop(&format!("bus.{name}"));
        let [busy, writing] = ["busy", "writing"].map(&mut flop);
        let [address, data, read_address] = ["aw_taken", "w_taken", "ar_taken"].map(&mut flop);
        let [written, write_error] = ["b_valid", "b_error"].map(&mut flop);
        let [read, read_error, read_data] = ["r_valid", "r_error", "r_data"].map(flop);
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
