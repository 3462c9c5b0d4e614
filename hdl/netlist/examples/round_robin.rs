//! A round-robin arbiter as a plain rust-hdl block, from `update()` to checked Verilog.
//!
//! `cargo run -p cotenant-netlist --example round_robin` compares it with a model, lets faults of
//! the netlist be caught, and writes Verilog, testbench and assertions into `out/round_robin` or
//! the folder that is given. `docs/from-rust-hdl.md` goes through it.

pub mod lockstep;

use cotenant_netlist::fault::{sample, Described};
use cotenant_netlist::hdl::*;
use cotenant_netlist::prim::Reg;
use cotenant_netlist::{elaborate, About};
use lockstep::{export, stimulus, Model, Ports};
use std::error::Error;
use std::path::Path;

/// Grants one of four requests per cycle; whoever was granted last comes last.
#[derive(LogicBlock)]
pub struct RoundRobin {
    /// Rising edge active.
    pub clock: Signal<In, Clock>,
    /// Synchronous, active high: the turn is requester 0's.
    pub reset: Signal<In, Bit>,
    /// One bit per requester.
    pub request: Signal<In, Bits<4>>,
    /// One bit per requester, at most one of them 1: combinational from `request`.
    pub grant: Signal<Out, Bits<4>>,
    last: Reg<Bits<4>>,
    behind: Signal<Local, Bits<4>>,
    candidates: Signal<Local, Bits<4>>,
    about: About,
}

impl Default for RoundRobin {
    fn default() -> Self {
        RoundRobin {
            clock: Default::default(),
            reset: Default::default(),
            request: Default::default(),
            grant: Default::default(),
            last: Default::default(),
            behind: Default::default(),
            candidates: Default::default(),
            about: About::new("round_robin").documented_in(include_str!("round_robin.rs")),
        }
    }
}

impl Logic for RoundRobin {
    #[hdl_gen]
    fn update(&mut self) {
        self.last.clock.next = self.clock.val();
        self.last.reset.next = self.reset.val();

        comment!("Requests behind the last grant, or else all of them.");
        self.behind.next = self.request.val() & !(self.last.q.val() | (self.last.q.val() - 1));
        self.candidates.next = self.request.val();
        if self.behind.val().any() {
            self.candidates.next = self.behind.val();
        }
        comment!("The lowest.");
        self.grant.next = self.candidates.val() & (!self.candidates.val() + 1);

        self.last.d.next = self.last.q.val();
        if self.request.val().any() {
            self.last.d.next = self.grant.val();
        }
    }
}

impl Ports for RoundRobin {
    fn set_clock(&mut self, high: bool) {
        self.clock.next = high.into();
    }

    fn set_inputs(&mut self, values: &[u64]) {
        self.reset.next = values[0] == 1;
        self.request.next = values[1].to_bits();
    }

    fn outputs(&self) -> Vec<u64> {
        vec![self.grant.val().to_u64()]
    }
}

/// Asks the requesters one after the other, as one would at a table.
#[derive(Default)]
pub struct Turns {
    /// Who is asked first.
    first: usize,
}

impl Model for Turns {
    fn cycle(&mut self, inputs: &[u64]) -> Vec<u64> {
        let &[reset, request] = inputs else {
            panic!("an arbiter has two inputs");
        };
        let mut order = (0..4).map(|turn| (self.first + turn) % 4);
        let granted = order.find(|requester| request >> requester & 1 == 1);
        if let Some(granted) = granted {
            self.first = (granted + 1) % 4;
        }
        if reset == 1 {
            self.first = 0;
        }
        vec![granted.map_or(0, |granted| 1 << granted)]
    }
}

/// What must hold whatever the order is.
pub const ASSERTIONS: &str = "\
module round_robin_assert (
    input wire clock,
    input wire [3:0] request, grant
);
  // Before the first edge, flops are unknown.
  reg started = 0;

  always @(posedge clock) begin
    started <= 1;
    if (started) begin
      assert ((grant & ~request) == 0) else $error(\"granted without request\");
      assert ((grant & (grant - 4'd1)) == 0) else $error(\"granted twice\");
      assert (request == 0 || grant != 0) else $error(\"nobody granted\");
    end
  end
endmodule

// Icarus has no `bind`; there, this module is a second top beside the testbench.
`ifdef __ICARUS__
module round_robin_watch;
  round_robin_assert assertions (
      round_robin_tb.clock, round_robin_tb.request, round_robin_tb.grant
  );
endmodule
`else
bind round_robin round_robin_assert assertions (.*);
`endif
";

/// Checks the arbiter, lets faults be caught, and exports into the folder.
pub fn run(folder: &Path) -> Result<(), Box<dyn Error>> {
    let mut arbiter = RoundRobin::default();
    arbiter.connect_all();
    let netlist = elaborate(&arbiter, "round_robin")?;
    let inputs = stimulus(&netlist, 10_000, 1);
    lockstep::lockstep(&mut arbiter, &netlist, Turns::default(), &inputs)?;
    println!("round_robin: {} cycles in step, seed 1", inputs.len());

    // Would a wrong netlist be seen? Each of these has one changed place.
    for fault in sample(&netlist, 12, 1) {
        let mut arbiter = RoundRobin::default();
        arbiter.connect_all();
        let faulty = netlist.with_fault(&fault)?;
        let fault = Described(&netlist, &fault);
        match lockstep::lockstep(&mut arbiter, &faulty, Turns::default(), &inputs) {
            Ok(()) => return Err(format!("{fault}: not seen").into()),
            Err(mismatch) => println!("{fault}: {mismatch}"),
        }
    }

    export(&netlist, "round_robin", &inputs, ASSERTIONS, folder)?;
    println!("Verilog, testbench and assertions: {}", folder.display());
    Ok(())
}

/// Into the folder that is given, or `out/round_robin`.
pub fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1);
    run(Path::new(folder.as_deref().unwrap_or("out/round_robin")))
}
