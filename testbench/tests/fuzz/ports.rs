//! The register ports, with arbitrary signals at every input, and a manager that then keeps to the
//! protocol again.

use std::panic::{catch_unwind, AssertUnwindSafe};

use cotenant::unit::bus::{LlcMonitorApb, LlcMonitorAxi, MemIssueApb, MemIssueAxi};
use cotenant::unit::bus::{ManagedLlcApb, ManagedLlcAxi};
use cotenant::verify::interface::{unpack_in, ParamsOf, Port};
use cotenant::verify::stimulus::Drive;
use cotenant_golden::Model;
use cotenant_netlist::fault::{candidates, Described};
use cotenant_netlist::sim::{Engine, Sim};
use cotenant_netlist::Netlist;
use cotenant_units::table;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;

use super::runs;

/// Cycles that a response may take, budgets' sweeps included.
const PATIENCE: usize = 4000;
/// Cycles of nonsense.
const CYCLES: usize = 160;

/// How a cycle is driven: which ports get noise, and the noise.
#[derive(Debug, Clone)]
struct Cycle {
    /// Bits say which ports get noise; the others stay as they are.
    noisy: u32,
    noise: u64,
}

fn cycles() -> impl Strategy<Value = Vec<Cycle>> {
    let cycle = (any::<u32>(), any::<u64>()).prop_map(|(noisy, noise)| Cycle { noisy, noise });
    vec(cycle, 0..CYCLES)
}

/// A netlist by the names of its ports.
struct Dut {
    sim: Sim,
    ports: Vec<Port>,
    words: Vec<Vec<u64>>,
}

impl Dut {
    fn new(netlist: &Netlist, ports: Vec<Port>) -> Self {
        let words = ports.iter().map(|port| vec![0; port.words()]).collect();
        let sim = Sim::with_engine(netlist, Engine::Interpreter).unwrap();
        Self { sim, ports, words }
    }

    fn drive(&mut self, name: &str, value: u64) {
        let at = self.ports.iter().position(|port| port.name == name);
        let at = at.unwrap_or_else(|| panic!("no port {name}"));
        self.words[at].fill(0);
        self.words[at][0] = value;
    }

    /// Sets the inputs; the outputs are there.
    fn settle(&mut self) {
        for (port, words) in self.ports.iter().zip(&self.words) {
            let slot = self.sim.layout().input(port.name).unwrap();
            self.sim.set_words(slot, words);
        }
        self.sim.eval();
    }

    fn high(&self, name: &str) -> bool {
        self.sim.output(name).unwrap() == 1
    }

    /// Goes on until a handshake, at most so long; whether it came.
    fn until(&mut self, done: impl Fn(&Self) -> bool) -> bool {
        for _ in 0..PATIENCE {
            self.settle();
            let done = done(self);
            self.sim.step();
            if done {
                return true;
            }
        }
        false
    }
}

/// What a manager knows about its bus.
trait Manager {
    /// The port that is asked for a transfer.
    fn is_of(ports: &[Port]) -> bool
    where
        Self: Sized;

    /// A cycle has happened, whose values are settled.
    fn saw(&mut self, dut: &Dut, reset: bool);

    /// Ends what is begun, then reads and writes; else what has not been answered.
    fn resume(&mut self, dut: &mut Dut, address: u64) -> Result<(), &'static str>;
}

/// APB4: there is nothing to remember, an access may be dropped.
#[derive(Default)]
struct Apb;

impl Manager for Apb {
    fn is_of(ports: &[Port]) -> bool {
        ports.iter().any(|port| port.name == "psel")
    }

    fn saw(&mut self, _: &Dut, _: bool) {}

    fn resume(&mut self, dut: &mut Dut, address: u64) -> Result<(), &'static str> {
        for write in [0, 1, 0] {
            for (name, value) in [("psel", 0), ("penable", 0)] {
                dut.drive(name, value);
            }
            dut.settle();
            dut.sim.step();
            let setup = [
                ("psel", 1),
                ("pwrite", write),
                ("paddr", address),
                ("pwdata", 1),
                ("pstrb", 15),
            ];
            for (name, value) in setup {
                dut.drive(name, value);
            }
            dut.settle();
            dut.sim.step();
            dut.drive("penable", 1);
            if !dut.until(|dut| dut.high("pready")) {
                return Err("pready");
            }
        }
        Ok(())
    }
}

/// AXI4-Lite: addresses and data that were taken, and responses that are still to come.
#[derive(Default)]
struct Axi {
    addresses: usize,
    data: usize,
    written: usize,
    reads: usize,
    answered: usize,
}

impl Axi {
    fn handshake(dut: &Dut, valid: (&str, bool), ready: (&str, bool)) -> bool {
        let value = |(name, output): (&str, bool)| match output {
            true => dut.high(name),
            false => {
                let at = dut.ports.iter().position(|port| port.name == name).unwrap();
                dut.words[at][0] & 1 == 1
            }
        };
        value(valid) && value(ready)
    }
}

impl Manager for Axi {
    fn is_of(ports: &[Port]) -> bool {
        ports.iter().any(|port| port.name == "s_axi_awvalid")
    }

    fn saw(&mut self, dut: &Dut, reset: bool) {
        if reset {
            *self = Self::default();
            return;
        }
        let (input, output) = (|name| (name, false), |name| (name, true));
        let add = |count: &mut usize, valid, ready| {
            *count += usize::from(Self::handshake(dut, valid, ready))
        };
        add(
            &mut self.addresses,
            input("s_axi_awvalid"),
            output("s_axi_awready"),
        );
        add(
            &mut self.data,
            input("s_axi_wvalid"),
            output("s_axi_wready"),
        );
        add(
            &mut self.written,
            output("s_axi_bvalid"),
            input("s_axi_bready"),
        );
        add(
            &mut self.reads,
            input("s_axi_arvalid"),
            output("s_axi_arready"),
        );
        add(
            &mut self.answered,
            output("s_axi_rvalid"),
            input("s_axi_rready"),
        );
    }

    fn resume(&mut self, dut: &mut Dut, address: u64) -> Result<(), &'static str> {
        for (name, value) in [
            ("s_axi_awaddr", address),
            ("s_axi_araddr", address),
            ("s_axi_wdata", 1),
            ("s_axi_wstrb", 15),
        ] {
            dut.drive(name, value);
        }
        for name in ["s_axi_bready", "s_axi_rready"] {
            dut.drive(name, 1);
        }
        // One more write and one more read than were begun; what has its half gets the other.
        let (writes, reads) = (self.addresses.max(self.data) + 1, self.reads + 1);
        for _ in 0..PATIENCE {
            let wanted = [
                ("s_axi_awvalid", self.addresses < writes),
                ("s_axi_wvalid", self.data < writes),
                ("s_axi_arvalid", self.reads < reads),
            ];
            for (name, high) in wanted {
                dut.drive(name, high.into());
            }
            if self.written == writes && self.answered == reads {
                return Ok(());
            }
            dut.settle();
            self.saw(dut, false);
            dut.sim.step();
        }
        Err(match self.written < writes {
            true => "s_axi_bvalid",
            false => "s_axi_rvalid",
        })
    }
}

/// Nonsense, then protocol: what has not been answered, or panicked.
fn survives<U: Drive, M: Manager + Default>(
    params: &ParamsOf<U>,
    netlist: &Netlist,
    cycles: &[Cycle],
) -> Result<(), String> {
    let mut dut = Dut::new(netlist, U::inputs(params));
    assert!(M::is_of(&dut.ports));
    let (mut manager, mut model) = (M::default(), U::model(params).unwrap());
    for cycle in cycles {
        let mut noise = cycle.noise;
        for (at, port) in dut.ports.iter().enumerate() {
            // A reset now and then, so that most of what is begun is not forgotten.
            let rare = port.name == "reset" && cycle.noise & 0xf000_0000 != 0;
            if cycle.noisy >> (at % 32) & 1 == 0 || rare {
                continue;
            }
            for (number, word) in dut.words[at].iter_mut().enumerate() {
                noise = noise.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29) ^ 0x5bd1;
                let left = port.width() - 64 * number;
                *word = noise & (u64::MAX >> (64 - left.min(64)));
            }
        }
        if cycle.noise & 0xf000_0000 != 0 {
            dut.drive("reset", 0);
        }
        let input = unpack_in::<U>(&dut.ports, &dut.words.concat()).unwrap();
        let step = catch_unwind(AssertUnwindSafe(|| model.step(&input)));
        step.map_err(|_| format!("the golden model panics at {input:?}"))?;
        dut.settle();
        manager.saw(
            &dut,
            dut.words[dut.ports.iter().position(|p| p.name == "reset").unwrap()][0] == 1,
        );
        dut.sim.step();
    }
    // The manager keeps to the protocol, and all else is idle.
    let bus = |name: &str| name.starts_with(['p', 'a', 'w', 'b', 'r']) && is_bus(name);
    let names: Vec<&'static str> = dut.ports.iter().map(|port| port.name).collect();
    for name in names.into_iter().filter(|name| !bus(name)) {
        dut.drive(name, 0);
    }
    for address in [0, 4, 0x7ffc] {
        let resumed = manager.resume(&mut dut, address);
        resumed.map_err(|signal| format!("no {signal} within {PATIENCE} cycles"))?;
    }
    Ok(())
}

fn is_bus(name: &str) -> bool {
    const BUS: [&str; 15] = [
        "psel",
        "penable",
        "pwrite",
        "paddr",
        "pwdata",
        "pstrb",
        "s_axi_awvalid",
        "s_axi_awaddr",
        "s_axi_wvalid",
        "s_axi_wdata",
        "s_axi_wstrb",
        "s_axi_bready",
        "s_axi_arvalid",
        "s_axi_araddr",
        "s_axi_rready",
    ];
    BUS.contains(&name)
}

fn fuzz<U: Drive, M: Manager + Default>(few: u32) {
    let set = table::set(U::NAME, "small").unwrap();
    let (params, netlist) = (U::params(&set).unwrap(), U::netlist(&set).unwrap());
    let result = TestRunner::new(runs(few)).run(&cycles(), |cycles| {
        let survived = survives::<U, M>(&params, &netlist, &cycles);
        prop_assert!(survived.is_ok(), "{}: {}", U::NAME, survived.unwrap_err());
        Ok(())
    });
    if let Err(error) = result {
        panic!("{error}");
    }
}

#[test]
fn llc_monitor_behind_apb() {
    fuzz::<LlcMonitorApb, Apb>(30);
}

#[test]
fn llc_monitor_behind_axi() {
    fuzz::<LlcMonitorAxi, Axi>(30);
}

#[test]
fn mem_issue_behind_apb() {
    fuzz::<MemIssueApb, Apb>(30);
}

#[test]
fn mem_issue_behind_axi() {
    fuzz::<MemIssueAxi, Axi>(30);
}

#[test]
fn managed_llc_behind_apb() {
    fuzz::<ManagedLlcApb, Apb>(30);
}

#[test]
fn managed_llc_behind_axi() {
    fuzz::<ManagedLlcAxi, Axi>(30);
}

/// A bus that hangs is found: each fault that keeps an answer from coming.
#[test]
fn a_bus_that_hangs_is_found() {
    fn hangs<U: Drive, M: Manager + Default>(fault: &str) {
        let set = table::set(U::NAME, "small").unwrap();
        let (params, netlist) = (U::params(&set).unwrap(), U::netlist(&set).unwrap());
        assert_eq!(survives::<U, M>(&params, &netlist, &[]), Ok(()));
        let found = candidates(&netlist);
        let found = found
            .iter()
            .find(|one| Described(&netlist, one).to_string() == fault);
        let faulty = netlist
            .with_fault(found.unwrap_or_else(|| panic!("no {fault}")))
            .unwrap();
        let hung = survives::<U, M>(&params, &faulty, &[]).unwrap_err();
        assert!(hung.starts_with("no "), "{hung}");
    }
    hangs::<MemIssueApb, Apb>("stuck input: bit 0 of psel at 0");
    hangs::<MemIssueAxi, Axi>("stuck input: bit 0 of s_axi_arvalid at 0");
}
