//! `llc_monitor_apb` and `llc_monitor_axi`: invariants of the monitor, the scan and the timer.

use cotenant_golden::bus::llc_registers::LlcRegisters;
use cotenant_golden::llc::llc_monitor::Params;
use cotenant_netlist::graph::NodeId;

use crate::unit::bus::bridge::facts::Known;
use crate::unit::bus::facts::{matters, port};
use crate::unit::bus::LlcMonitorBus;
use crate::unit::llc::llc_monitor::facts as llc_monitor;
use crate::unit::llc::LlcMonitor;
use crate::verify::fault::{rules, Facts, Terms};

impl<B: Known> Facts for LlcMonitorBus<B> {
    fn assumptions(params: &Params, terms: &mut Terms<'_>) -> Vec<NodeId> {
        rules::assumptions::<LlcMonitor>("monitor.", params, terms)
    }

    fn invariants(params: &Params, terms: &mut Terms<'_>) -> Vec<NodeId> {
        let mut all = match LlcRegisters::new(params) {
            Ok(registers) => port(registers.map(), terms),
            Err(_) => vec![],
        };
        all.extend(B::bridge(terms));
        all.extend(llc_monitor::registers("monitor.", params, terms));
        let mut flop = |name: &str| terms.flop(&format!("registers.{name}"));
        // The timer's flop says that its last cycle is this one.
        let (left, expiring) = (flop("timer.left"), flop("timer.expiring"));
        let (sweeping, at) = (flop("scan.sweep"), flop("scan.sweep_pair"));
        let last = terms.is(left, 1);
        all.push(terms.equal(last, expiring));
        let idle = terms.is(at, 0);
        all.push(terms.any([sweeping, idle]));
        all
    }

    fn matters(params: &Params, flop: &str, terms: &mut Terms<'_>) -> Option<NodeId> {
        match flop {
            // It is compared with a counter, or read by the bus two cycles after it was asked for.
            "registers.scan.limit_register" => {
                let compared = terms.flop("registers.scan.compared");
                let sampled = terms.flop("registers.port.sampling");
                Some(terms.any([compared, sampled]))
            }
            _ => matters(LlcRegisters::new(params).ok()?.map(), flop, terms),
        }
    }

    fn matters_alone(params: &Params, flop: &str, terms: &mut Terms<'_>) -> Option<NodeId> {
        llc_monitor::matters_alone("monitor.", params, flop, terms)
    }
}
