//! A FIFO as a plain rust-hdl block, from `update()` to checked Verilog.
//!
//! `cargo run -p cotenant-netlist --example fifo` compares it with a queue, shows that a planted
//! bug is caught, and writes Verilog, testbench and assertions into `out/fifo` or the folder that
//! is given. `docs/from-rust-hdl.md` goes through it.

pub mod lockstep;

use cotenant_netlist::hdl::*;
use cotenant_netlist::prim::Reg;
use cotenant_netlist::{elaborate, About};
use lockstep::{export, stimulus, Model, Ports};
use std::collections::VecDeque;
use std::error::Error;
use std::path::Path;

/// A FIFO of four words. A word that is written can be read from the next cycle on.
#[derive(LogicBlock)]
pub struct Fifo<const WIDTH: usize> {
    /// Rising edge active.
    pub clock: Signal<In, Clock>,
    /// Synchronous, active high: no words.
    pub reset: Signal<In, Bit>,
    /// Stores `data_in`, unless `full`; active high.
    pub write: Signal<In, Bit>,
    /// The word to store.
    pub data_in: Signal<In, Bits<WIDTH>>,
    /// Removes the oldest word, unless `empty`; active high.
    pub read: Signal<In, Bit>,
    /// The oldest word, 0 if `empty`; combinational from flops.
    pub data_out: Signal<Out, Bits<WIDTH>>,
    /// No word is stored; 1 after reset.
    pub empty: Signal<Out, Bit>,
    /// Four words are stored; 0 after reset.
    pub full: Signal<Out, Bit>,
    words: [Reg<Bits<WIDTH>>; 4],
    oldest: Reg<Bits<2>>,
    stored: Reg<Bits<3>>,
    full_at: Constant<Bits<3>>,
    free: Signal<Local, Bits<2>>,
    stores: Signal<Local, Bit>,
    removes: Signal<Local, Bit>,
    about: About,
}

impl<const WIDTH: usize> Fifo<WIDTH> {
    /// A FIFO that is full with this many words: 4, or fewer.
    pub fn with_full_at(words: u64) -> Self {
        Fifo {
            clock: Default::default(),
            reset: Default::default(),
            write: Default::default(),
            data_in: Default::default(),
            read: Default::default(),
            data_out: Default::default(),
            empty: Default::default(),
            full: Default::default(),
            words: Default::default(),
            oldest: Default::default(),
            stored: Default::default(),
            full_at: Constant::new(words.to_bits()),
            free: Default::default(),
            stores: Default::default(),
            removes: Default::default(),
            about: About::new("fifo")
                .parameter("WIDTH", WIDTH)
                .documented_in(include_str!("fifo.rs")),
        }
    }
}

impl<const WIDTH: usize> Default for Fifo<WIDTH> {
    fn default() -> Self {
        Self::with_full_at(4)
    }
}

impl<const WIDTH: usize> Logic for Fifo<WIDTH> {
    #[hdl_gen]
    fn update(&mut self) {
        self.oldest.clock.next = self.clock.val();
        self.oldest.reset.next = self.reset.val();
        self.stored.clock.next = self.clock.val();
        self.stored.reset.next = self.reset.val();

        self.empty.next = self.stored.q.val() == 0;
        self.full.next = self.stored.q.val() == self.full_at.val();
        self.stores.next = self.write.val() & !self.full.val();
        self.removes.next = self.read.val() & !self.empty.val();

        comment!("The first free word follows those that are stored.");
        self.free.next = self.oldest.q.val() + bit_cast::<2, 3>(self.stored.q.val());
        self.data_out.next = 0.into();
        for i in 0..4 {
            self.words[i].clock.next = self.clock.val();
            self.words[i].reset.next = self.reset.val();
            self.words[i].d.next = self.words[i].q.val();
            if self.stores.val() & (self.free.val() == i.to_bits::<2>()) {
                self.words[i].d.next = self.data_in.val();
            }
            if !self.empty.val() & (self.oldest.q.val() == i.to_bits::<2>()) {
                self.data_out.next = self.words[i].q.val();
            }
        }

        self.oldest.d.next = self.oldest.q.val();
        if self.removes.val() {
            self.oldest.d.next = self.oldest.q.val() + 1;
        }
        self.stored.d.next = self.stored.q.val();
        if self.stores.val() & !self.removes.val() {
            self.stored.d.next = self.stored.q.val() + 1;
        }
        if self.removes.val() & !self.stores.val() {
            self.stored.d.next = self.stored.q.val() - 1;
        }
    }
}

impl<const WIDTH: usize> Ports for Fifo<WIDTH> {
    fn set_clock(&mut self, high: bool) {
        self.clock.next = high.into();
    }

    fn set_inputs(&mut self, values: &[u64]) {
        self.reset.next = values[0] == 1;
        self.write.next = values[1] == 1;
        self.data_in.next = values[2].to_bits();
        self.read.next = values[3] == 1;
    }

    fn outputs(&self) -> Vec<u64> {
        let flags = [self.empty.val(), self.full.val()];
        let data_out = [self.data_out.val().to_u64()];
        data_out.into_iter().chain(flags.map(u64::from)).collect()
    }
}

/// What a FIFO should do, without a look at how the block does it.
#[derive(Default)]
pub struct Queue(VecDeque<u64>);

impl Model for Queue {
    fn cycle(&mut self, inputs: &[u64]) -> Vec<u64> {
        let &[reset, write, data_in, read] = inputs else {
            panic!("a FIFO has four inputs");
        };
        let (empty, full) = (self.0.is_empty(), self.0.len() == 4);
        let data_out = self.0.front().copied().unwrap_or_default();
        if read == 1 {
            self.0.pop_front();
        }
        if write == 1 && !full {
            self.0.push_back(data_in);
        }
        if reset == 1 {
            self.0.clear();
        }
        vec![data_out, empty.into(), full.into()]
    }
}

/// What any simulator checks that reads SystemVerilog: the flags, by counting from outside.
pub const ASSERTIONS: &str = "\
module fifo_assert (
    input wire clock, reset, write, read, empty, full
);
  integer stored;

  always @(posedge clock) begin
    if (reset) stored <= 0;
    else begin
      stored <= stored + 32'(write && !full) - 32'(read && !empty);
      assert (empty == (stored == 0)) else $error(\"empty with %0d words\", stored);
      assert (full == (stored == 4)) else $error(\"full with %0d words\", stored);
    end
  end
endmodule

// Icarus has no `bind`; there, this module is a second top beside the testbench.
`ifdef __ICARUS__
module fifo_watch;
  fifo_assert assertions (
      fifo_tb.clock, fifo_tb.reset, fifo_tb.write, fifo_tb.read, fifo_tb.empty, fifo_tb.full
  );
endmodule
`else
bind fifo fifo_assert assertions (.*);
`endif
";

/// Checks the FIFO, shows a planted bug, and exports into the folder.
pub fn run(folder: &Path) -> Result<(), Box<dyn Error>> {
    let mut fifo = Fifo::<8>::default();
    fifo.connect_all();
    let netlist = elaborate(&fifo, "fifo")?;
    for warning in &netlist.warnings {
        println!("warning: {warning}");
    }

    let inputs = stimulus(&netlist, 10_000, 1);
    lockstep::lockstep(&mut fifo, &netlist, Queue::default(), &inputs)?;
    println!("fifo: {} cycles in step, seed 1", inputs.len());

    // A planted bug: full one word too late, so that the fifth overwrites the first.
    let mut late = Fifo::<8>::with_full_at(5);
    late.connect_all();
    let wrong = elaborate(&late, "fifo")?;
    match lockstep::lockstep(&mut late, &wrong, Queue::default(), &inputs) {
        Ok(()) => return Err("the planted bug was not seen".into()),
        Err(mismatch) => println!("planted bug: {mismatch}"),
    }

    export(&netlist, "fifo", &inputs, ASSERTIONS, folder)?;
    println!("Verilog, testbench and assertions: {}", folder.display());
    Ok(())
}

/// Into the folder that is given, or `out/fifo`.
pub fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1);
    run(Path::new(folder.as_deref().unwrap_or("out/fifo")))
}
