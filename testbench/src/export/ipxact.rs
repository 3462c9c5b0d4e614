//! The export of a unit behind a bus as a component of IP-XACT.

use cotenant_registers::{ip_xact, BusInterface, Component, ComponentPort, Map};

use super::manifest::Manifest;

/// A bus, by the names of Arm's definition of it.
struct Bus {
    /// How units behind it end.
    suffix: &'static str,
    /// The definition.
    definition: &'static str,
    /// The interface.
    name: &'static str,
    /// What stands before the signals in the names of ports.
    prefix: &'static str,
    /// Clock and reset, which is active low.
    clock: &'static str,
    reset: &'static str,
    signals: &'static [&'static str],
}

const BUSES: [Bus; 2] = [
    Bus {
        suffix: "_apb",
        definition: "APB4",
        name: "s_apb",
        prefix: "",
        clock: "PCLK",
        reset: "PRESETn",
        signals: &[
            "PADDR", "PPROT", "PSEL", "PENABLE", "PWRITE", "PWDATA", "PSTRB", "PREADY", "PRDATA",
            "PSLVERR",
        ],
    },
    Bus {
        suffix: "_axi",
        definition: "AXI4Lite",
        name: "s_axi",
        prefix: "s_axi_",
        clock: "ACLK",
        reset: "ARESETn",
        signals: &[
            "AWADDR", "AWPROT", "AWVALID", "AWREADY", "WDATA", "WSTRB", "WVALID", "WREADY",
            "BRESP", "BVALID", "BREADY", "ARADDR", "ARPROT", "ARVALID", "ARREADY", "RDATA",
            "RRESP", "RVALID", "RREADY",
        ],
    },
];

/// The component's file, which is so many folders below the sources; none if it is behind no bus.
pub(super) fn component(manifest: &Manifest, map: &Map, depth: usize) -> Option<String> {
    let bus = BUSES
        .iter()
        .find(|bus| manifest.unit.ends_with(bus.suffix))?;
    let ports = manifest.ports.iter().map(|port| ComponentPort {
        name: &port.verilog,
        input: port.direction == "input",
        width: port.width,
    });
    let signals = bus.signals.iter().filter_map(|&signal| {
        let name = format!("{}{}", bus.prefix, signal.to_lowercase());
        let port = manifest.ports.iter().find(|port| port.name == name)?;
        Some((signal.to_owned(), port.verilog.as_str()))
    });
    let clock = manifest.ports.iter().find(|port| port.clock);
    let clock = clock.map(|port| (bus.clock.to_owned(), port.verilog.as_str()));
    // Only an active low reset is the bus's.
    let reset = manifest.ports.iter().find(|port| port.active_low);
    let reset = reset.map(|port| (bus.reset.to_owned(), port.verilog.as_str()));
    let sources = manifest.sources.iter();
    Some(ip_xact(
        map,
        &Component {
            module: &manifest.top,
            version: env!("CARGO_PKG_VERSION"),
            ports: ports.collect(),
            bus: BusInterface {
                name: bus.name,
                definition: bus.definition,
                signals: clock.into_iter().chain(reset).chain(signals).collect(),
            },
            sources: sources
                .map(|file| format!("{}{file}", "../".repeat(depth)))
                .collect(),
        },
    ))
}
