//! Rationale: addresses, numbers and cycles are those of the contract, written down here by hand,
//! not looked up: another description or another cycle fails. Behind APB, whose bridge adds
//! nothing; the monitor's own behaviour has its own tests.

use crate::bus::apb4;
use crate::bus::llc_monitor;
use crate::bus::LlcMonitorApb;
use crate::llc::attribution::Mode;
use crate::llc::llc_monitor::{self as monitor, Params};
use crate::Model;

mod axi;
mod budgets;
mod periods;

type In = llc_monitor::In<apb4::In>;
type Out = llc_monitor::Out<apb4::Out>;

const PARAMS: Params = Params {
    ways: 4,
    kernels: 2,
    sets: 8,
    banks: 2,
    tag_w: 12,
    cnt_w: 10,
    stages: 1,
    requesters: 3,
    sce: 0,
    sampled: 0,
    mode: Mode::Sixths,
    ram_stages: 0,
};

/// Limits that the sweep sets: matrix, victim and aggressor are a bit each.
const LIMITS: usize = 8;

struct Bench {
    model: LlcMonitorApb,
    cycles: u64,
}

impl Bench {
    /// Just out of reset.
    fn new() -> Self {
        Self::of(PARAMS)
    }

    /// The same, of two kernels and other parameters.
    fn of(params: Params) -> Self {
        let model = LlcMonitorApb::new(params).unwrap();
        Self { model, cycles: 0 }
    }

    /// Both sweeps are over.
    fn ready() -> Self {
        Self::of(PARAMS).swept()
    }

    fn swept(mut self) -> Self {
        self.idle(LIMITS.max(self.model.params().sets));
        self
    }

    fn step(&mut self, bus: apb4::In) -> Out {
        let mut input = In::idle(self.model.params());
        input.bus = bus;
        self.drive(&input)
    }

    fn drive(&mut self, input: &In) -> Out {
        self.model.assume(input).unwrap();
        self.cycles += 1;
        self.model.step(input)
    }

    fn idle(&mut self, cycles: usize) {
        for _ in 0..cycles {
            self.step(apb4::In::default());
        }
    }

    /// An access; the answer, and in which cycle after the first with `penable` it came.
    fn transfer(&mut self, transfer: apb4::In) -> (apb4::Out, u64) {
        let setup = apb4::In {
            psel: true,
            ..transfer
        };
        assert_eq!(self.step(setup).bus, apb4::Out::default());
        for cycle in 0..100 {
            let access = apb4::In {
                penable: true,
                ..setup
            };
            let out = self.step(access).bus;
            if out.pready {
                return (out, cycle);
            }
            assert_eq!(out, apb4::Out::default(), "nothing before the answer");
        }
        panic!("no answer in 100 cycles");
    }

    fn read(&mut self, paddr: u16) -> u32 {
        let (out, cycles) = self.transfer(apb4::In {
            paddr,
            ..apb4::In::default()
        });
        assert_eq!((out.pslverr, cycles), (false, 4), "{paddr:#x}");
        out.prdata
    }

    fn write(&mut self, paddr: u16, pwdata: u32) {
        let (out, cycles) = self.transfer(write(paddr, pwdata, 15));
        assert_eq!(
            (out.pslverr, out.prdata, cycles),
            (false, 0, 4),
            "{paddr:#x}"
        );
    }

    fn refused(&mut self, transfer: apb4::In) {
        let (out, cycles) = self.transfer(transfer);
        assert_eq!(
            (out.pslverr, out.prdata, cycles),
            (true, 0, 4),
            "{transfer:?}"
        );
    }

    /// A requester's access to a line of bank 0, set 3.
    fn access(&mut self, requester: u16, tag: u64) -> Out {
        self.access_beside(Some((requester, tag)), apb4::In::default())
    }

    /// That, if there is one, while this is on the bus.
    fn access_beside(&mut self, access: Option<(u16, u64)>, bus: apb4::In) -> Out {
        let mut input = In::idle(&PARAMS);
        let (requester, tag) = access.unwrap_or_default();
        let ports = monitor::In {
            access_valid: access.is_some().into(),
            request_set: vec![3, 0],
            access_tag: vec![tag, 0],
            access_requester: vec![requester, 0],
            ..monitor::In::idle(&PARAMS)
        };
        input.set_cache(&ports);
        input.bus = bus;
        self.drive(&input)
    }

    /// K0 and K1 push each other's lines down, K1 so many times.
    fn demote(&mut self, times: usize) {
        self.access(0, 0xa);
        for _ in 0..times {
            self.access(1, 0xb);
            self.access(0, 0xa);
        }
        self.idle(5);
    }

    fn irq(&mut self) -> bool {
        self.step(apb4::In::default()).irq
    }
}

fn write(paddr: u16, pwdata: u32, pstrb: u8) -> apb4::In {
    apb4::In {
        pwrite: true,
        paddr,
        pwdata,
        pstrb,
        ..apb4::In::default()
    }
}

fn read(paddr: u16) -> apb4::In {
    apb4::In {
        paddr,
        ..apb4::In::default()
    }
}

#[test]
fn what_is_always_the_same() {
    let mut bench = Bench::ready();
    for (address, value) in [
        (0x000, 0x434f_544e),
        (0x004, 0x0001_0000),
        (0x008, 1),
        (0x00c, 3 << 24 | 2 << 16 | 2 << 8 | 4),
        (0x010, 11 << 24 | 10 << 16 | 12 << 8 | 3),
        (0x014, 1),
        (0x018, 1),
        (0x01c, 0),
    ] {
        assert_eq!(bench.read(address), value, "{address:#x}");
    }
}

/// A register that the model does not know, or reads from elsewhere, would not.
#[test]
fn every_register_reads_as_it_is_described_after_reset() {
    let map = Bench::ready().model.registers().map().clone();
    let mut read = 0;
    for address in (0..1 << 14).step_by(4) {
        let Some(place) = map
            .at(address)
            .filter(|place| place.register.name != "STATUS")
        else {
            continue;
        };
        let value = Bench::ready().read(address as u16);
        assert_eq!(value, place.register.reset(place.row), "{address:#x}");
        read += 1;
    }
    // 14 alone without STATUS, 4 rows of 2 flags, 4 requesters, 6 matrices of 4, 4 rows of 2
    // counters.
    assert_eq!(read, 13 + 4 * 2 + 4 + 6 * 4 + 4 * 2);
}

#[test]
fn errors_are_answered_and_do_nothing() {
    let mut bench = Bench::ready();
    for transfer in [
        read(0x038),
        read(0x3fff & !3),
        read(0x088),
        read(0x410),
        read(0x808),
        read(0x880),
        read(0x026),
        write(0x02a, 7, 15),
        write(0x038, 7, 15),
        write(0x018, 1, 15),
        write(0x800, 1, 15),
        write(0x2000, 1, 15),
        write(0x028, 7, 0b0111),
        write(0x01c, 1, 0),
        write(0x400, 2, 15),
        write(0x400, 0xff, 15),
    ] {
        bench.refused(transfer);
    }
    assert_eq!([0x028, 0x018, 0x400].map(|at| bench.read(at)), [0, 1, 0]);
    // Bits that nothing names are ignored.
    bench.write(0x028, u32::MAX);
    bench.write(0x400, 0xffff_ff01);
    assert_eq!([0x028, 0x400].map(|at| bench.read(at)), [7, 1]);
}

#[test]
fn the_answer_waits_for_the_sweep_of_limits_alone() {
    // The setup is in cycle `begins`, so the limit would be addressed in the second after; it is in
    // cycle 8 at the soonest, the first after the sweep.
    for (address, begins, expected) in [
        (0x2800, 0, 10),
        (0x2c44, 4, 6),
        (0x2800, 5, 5),
        (0x2800, 6, 4),
        (0x100, 0, 4),
        // Not mapped, so an error.
        (0x2808, 0, 4),
    ] {
        let mut bench = Bench::new();
        bench.idle(begins);
        let (out, cycles) = bench.transfer(read(address));
        let error = address == 0x2808;
        assert_eq!(out.pslverr, error);
        let value = if address < 0x2800 || error {
            0
        } else {
            u32::MAX
        };
        assert_eq!(out.prdata, value, "{address:#x}");
        assert_eq!(cycles, expected, "{address:#x} after {begins}");
    }
}

#[test]
fn status_is_ready_after_both_sweeps_and_not_during_a_flush() {
    let mut bench = Bench::new();
    assert_eq!(bench.read(0x018), 0);
    let mut bench = Bench::ready();
    assert_eq!(bench.read(0x018), 1);
    bench.write(0x01c, 2);
    assert!(!bench.step(apb4::In::default()).ready);
    assert_eq!(bench.read(0x018), 0, "sets are cleared");
    bench.idle(PARAMS.sets);
    assert_eq!(bench.read(0x018), 1);
}

#[test]
fn counters_of_the_last_period_and_of_the_running_one() {
    let mut bench = Bench::ready();
    bench.demote(3);
    // K0 missed once and hit 3 times, K1 missed once and hit twice.
    let counters = |bench: &mut Bench, at: [u16; 6]| at.map(|at| bench.read(at));
    let live = [0x1804, 0x1840, 0x2000, 0x2004, 0x2040, 0x2044];
    let last = [0x804, 0x840, 0x1000, 0x1004, 0x1040, 0x1044];
    assert_eq!(counters(&mut bench, live), [3, 3, 3, 2, 1, 1]);
    assert_eq!(counters(&mut bench, last), [0; 6]);
    bench.write(0x01c, 1);
    assert_eq!(counters(&mut bench, live), [0; 6]);
    assert_eq!(counters(&mut bench, last), [3, 3, 3, 2, 1, 1]);
}

#[test]
fn the_requester_table() {
    let mut bench = Bench::ready();
    let table = |bench: &mut Bench| [0x400, 0x404, 0x408, 0x40c].map(|at| bench.read(at));
    assert_eq!(table(&mut bench), [0, 1, 1, 1]);
    bench.write(0x404, 0);
    bench.write(0x40c, 0);
    assert_eq!(table(&mut bench), [0, 0, 1, 0]);
}

#[test]
fn a_transfer_that_is_given_up_does_nothing() {
    // In the cycle of the answer it is too late.
    for (cycles, value) in [(1, 0), (2, 0), (3, 0), (4, 7)] {
        let mut bench = Bench::ready();
        let transfer = apb4::In {
            psel: true,
            penable: true,
            ..write(0x028, 7, 15)
        };
        for _ in 0..cycles {
            bench.step(transfer);
        }
        bench.idle(6);
        assert_eq!(bench.read(0x028), value, "{cycles}");
    }
}

#[test]
fn what_there_is_no_room_for_is_refused() {
    for params in [
        Params {
            kernels: 17,
            ..PARAMS
        },
        Params {
            requesters: 256,
            ..PARAMS
        },
        Params {
            cnt_w: 32,
            ..PARAMS
        },
    ] {
        let error = LlcMonitorApb::new(params).unwrap_err().to_string();
        assert!(error.contains("expected"), "{error}");
    }
}
