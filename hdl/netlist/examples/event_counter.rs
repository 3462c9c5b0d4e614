//! A block of one's own in the form of a unit: counts the rising edges of signals, up to a limit.
//!
//! `cargo run -p cotenant-netlist --example event_counter` elaborates it for parameters of compile
//! time and of run time, simulates it, and prints its Verilog. The form is explained in
//! `docs/unit-form.md`.

use cotenant_netlist::hdl::*;
use cotenant_netlist::sim::Sim;
use cotenant_netlist::{elaborate, elaborate_description, same_description, unit, verilog};

#[unit(file = "event_counter.rs")]
mod rising_edge {
    /// Rising edges of `SIGNALS` signals.
    pub struct RisingEdge<
        /// Number of signals.
        #[range(1..=64)] const SIGNALS: usize,
    > {
        /// Rising edge active.
        pub clock: In<Clock>,
        /// Synchronous, active high: the levels of the cycle before are 0.
        pub reset: In<Bit>,
        /// One bit per signal.
        pub level: In<Bits<SIGNALS>>,
        /// One bit per signal: it is 1 and was 0 in the cycle before; combinational from `level`.
        pub rising: Out<Bits<SIGNALS>>,
        before: Reg<Bits<SIGNALS>>,
    }

    fn update(&mut self) {
        self.before.next = self.level;
        self.rising.next = self.level & !self.before;
    }
}

#[unit(file = "event_counter.rs")]
mod event_counter {
    /// One counter per signal, which stops at `LIMIT`.
    pub struct EventCounter<
        /// Number of signals.
        #[range(1..=64)] const SIGNALS: usize,
        /// Bits of a counter.
        #[range(1..=32)] const WIDTH: usize,
        /// Where a counter stops.
        #[range(1..=(1 << WIDTH) - 1)] const LIMIT: usize = { (1 << WIDTH) - 1 },
    > {
        /// Rising edge active.
        pub clock: In<Clock>,
        /// Synchronous, active high: all counters to 0.
        pub reset: In<Bit>,
        /// One bit per signal, whose rising edges are counted.
        pub level: In<Bits<SIGNALS>>,
        /// Sets all counters to 0 instead of counting; active high.
        pub clear: In<Bit>,
        /// Edges before this cycle since the last `clear`, the first signal's lowest; at most
        /// LIMIT, 0 after reset.
        pub counts: Out<[Bits<WIDTH>; SIGNALS]>,
        /// One bit per signal: its counter has stopped; 0 after reset.
        pub stopped: Out<Bits<SIGNALS>>,
        edges: RisingEdge<SIGNALS>,
        counter: [Reg<Bits<WIDTH>>; SIGNALS],
        #[value(LIMIT)]
        limit: Constant<Bits<WIDTH>>,
    }

    fn update(&mut self) {
        comment!("Which signals rise.");
        self.edges.next = RisingEdge { level };

        comment!("One counter per signal.");
        for signal in 0..SIGNALS {
            let full: Bit = self.counter[signal] == self.limit;
            if self.clear {
                self.counter[signal].next = 0;
            } else if self.edges.rising[signal] & !full {
                self.counter[signal].next = self.counter[signal] + 1;
            }
            self.counts[signal].next = self.counter[signal];
            self.stopped[signal].next = full;
        }
    }
}

/// Any parameters; LIMIT may be left to its default.
pub type AnyEventCounter = EventCounter!(@any);

/// Elaborates, simulates and exports the event counter.
pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Parameters of compile time: a block, whose update() is Rust.
    let mut block = <EventCounter!(2, 4, 9)>::default();
    block.connect_all();
    let netlist = elaborate(&block, "event_counter")?;

    // The same parameters at run time: a description, without the block.
    let definition = AnyEventCounter::DEFINITION;
    let given = definition.named(&[("SIGNALS", 2), ("WIDTH", 4), ("LIMIT", 9)])?;
    let description = definition.describe("event_counter", &given)?;
    same_description(&block, &description)?;
    let described = elaborate_description(&description, "event_counter")?;
    assert_eq!(described.digest(), netlist.digest());

    // What a user may ask for, and what is refused.
    for parameter in definition.parameters {
        println!("{}: {}", parameter.name, parameter.doc);
    }
    if let Err(error) = definition.check(&[2, 4, 16]) {
        println!("refused: {error}");
    }

    // Three edges of the second signal.
    let mut sim = Sim::new(&described)?;
    for level in [0b10, 0b00, 0b10, 0b00, 0b10] {
        sim.set_input("level", level)?;
        sim.step();
    }
    sim.eval();
    println!("counts: {:#010b}", sim.output("counts")?);

    for file in verilog::export(&described, &verilog::Options::default())?.modules {
        println!("// {}\n{}", file.file_name, file.text);
    }
    Ok(())
}
