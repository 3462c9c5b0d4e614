//! Rationale: as for the registers of `llc_monitor`. Behind AXI4-Lite, so that this bridge's order
//! and cycles are held to what the protocol and the contract say, too.

use crate::bus::axi4_lite::{self, SLVERR};
use crate::bus::mem_issue::In;
use crate::bus::MemIssueAxi;
use crate::sm::mem_issue::{self, Limiter, Params, Priority};
use crate::sm::milg::Release;
use crate::Model;

const PARAMS: Params = Params {
    kernels: 3,
    limiter: Limiter::Smil,
    priority: Priority::Rbmi,
    count_w: 7,
    fail_w: 12,
    interval_w: 10,
    limit_w: 5,
    release: Release::Unlimited,
    cap: false,
    lag: 0,
};

struct Bench {
    model: MemIssueAxi,
}

impl Bench {
    fn new(params: Params) -> Self {
        Self {
            model: MemIssueAxi::new(params).unwrap(),
        }
    }

    fn step(&mut self, bus: axi4_lite::In) -> axi4_lite::Out {
        self.both(mem_issue::In::default(), bus)
    }

    fn idle(&mut self, cycles: usize) {
        for _ in 0..cycles {
            self.step(IDLE);
        }
    }

    fn both(&mut self, sm: mem_issue::In, bus: axi4_lite::In) -> axi4_lite::Out {
        let input = In::new(&sm, bus);
        self.model.assume(&input).unwrap();
        self.model.step(&input).bus
    }

    /// The data and response of a read, which come six cycles after its address.
    fn read(&mut self, araddr: u16) -> (u32, u8) {
        self.step(read(araddr));
        for _ in 1..6 {
            assert!(!self.step(IDLE).rvalid);
        }
        let out = self.step(TAKE);
        assert!(out.rvalid);
        (out.rdata, out.rresp)
    }

    /// The response to a write, which comes six cycles after address and data.
    fn write(&mut self, awaddr: u16, wdata: u32) -> u8 {
        self.step(write(awaddr, wdata));
        for _ in 1..6 {
            assert!(!self.step(IDLE).bvalid);
        }
        let out = self.step(axi4_lite::In {
            bready: true,
            ..IDLE
        });
        assert!(out.bvalid);
        out.bresp
    }
}

const IDLE: axi4_lite::In = axi4_lite::In {
    awvalid: false,
    awaddr: 0,
    wvalid: false,
    wdata: 0,
    wstrb: 0,
    bready: false,
    arvalid: false,
    araddr: 0,
    rready: false,
};
const TAKE: axi4_lite::In = axi4_lite::In {
    bready: true,
    rready: true,
    ..IDLE
};

fn read(araddr: u16) -> axi4_lite::In {
    axi4_lite::In {
        arvalid: true,
        araddr,
        ..IDLE
    }
}

fn write(awaddr: u16, wdata: u32) -> axi4_lite::In {
    axi4_lite::In {
        awvalid: true,
        awaddr,
        wvalid: true,
        wdata,
        wstrb: 15,
        ..IDLE
    }
}

#[test]
fn what_is_always_the_same() {
    let mut bench = Bench::new(PARAMS);
    for (address, value) in [
        (0x000, 0x434f_544e),
        (0x004, 0x0001_0000),
        (0x008, 2),
        (0x00c, 3),
        (0x010, 12 << 24 | 10 << 16 | 5 << 8 | 7),
        (0x018, 0),
        (0x01c, 0),
    ] {
        assert_eq!(bench.read(address), (value, 0), "{address:#x}");
    }
    let paper = Params {
        release: Release::Double,
        cap: true,
        lag: 1,
        ..Params::paper(2)
    };
    assert_eq!(Bench::new(paper).read(0x00c), (0x1f02, 0));
}

#[test]
fn every_register_reads_as_it_is_described_after_reset() {
    for (params, registers) in [(PARAMS, 11 + 4 * 3), (Params::paper(2), 11 + 4 * 2)] {
        let mut bench = Bench::new(params);
        let map = bench.model.registers().map().clone();
        let mut read = 0;
        for address in (0..1 << 14).step_by(4) {
            let Some(place) = map.at(address) else {
                continue;
            };
            let value = place.register.reset(place.row);
            assert_eq!(bench.read(address as u16), (value, 0), "{address:#x}");
            read += 1;
        }
        assert_eq!(read, registers);
    }
}

#[test]
fn errors_are_answered_and_do_nothing() {
    let mut bench = Bench::new(PARAMS);
    for address in [0x02c, 0x04c, 0x100, 0x14c, 0x141] {
        assert_eq!(bench.read(address), (0, SLVERR), "{address:#x}");
        assert_eq!(bench.write(address, 1), SLVERR, "{address:#x}");
    }
    // Read-only; no limit at all; one of six bits; a part of a word.
    assert_eq!(bench.write(0x020, 1), SLVERR);
    assert_eq!(bench.write(0x140, 0), SLVERR);
    assert_eq!(bench.write(0x140, 32), SLVERR);
    bench.step(axi4_lite::In {
        wstrb: 7,
        ..write(0x140, 1)
    });
    (1..6).for_each(|_| assert!(!bench.step(IDLE).bvalid));
    assert_eq!(bench.step(TAKE).bresp, SLVERR);
    assert_eq!(bench.read(0x140), (1 << 31 | 127, 0));
    let mut milg = Bench::new(Params::paper(2));
    assert_eq!(milg.write(0x140, 1), SLVERR, "MILG makes its limits");
}

#[test]
fn a_limit_is_in_force_at_once() {
    let mut bench = Bench::new(PARAMS);
    assert_eq!(bench.write(0x144, 31), 0);
    assert_eq!(bench.read(0x144), (31, 0));
    assert_eq!(bench.model.state().issue.limit(1), 31);
    assert_eq!(bench.write(0x144, 1 << 31 | 5), 0);
    assert_eq!(bench.read(0x144), (1 << 31 | 127, 0));
}

#[test]
fn a_snapshot_is_of_one_cycle() {
    let mut bench = Bench::new(PARAMS);
    let launch = mem_issue::In {
        launch: 0b101,
        ..mem_issue::In::default()
    };
    bench.both(launch, IDLE);
    let wants = mem_issue::In {
        want: 0b100,
        lsu_ready: true,
        ..mem_issue::In::default()
    };
    bench.write(0x148, 2);
    // One is issued per cycle up to the limit, and the snapshot is in the sixth cycle.
    bench.both(wants, write(0x01c, 1));
    bench.idle(5);
    bench.step(TAKE);
    bench.both(wants, IDLE);
    let registers = [0x018, 0x020, 0x024, 0x028, 0x048, 0x088, 0x0c8];
    let values = registers.map(|address| bench.read(address).0);
    assert_eq!(values, [1 << 8, 0b101, 0b111, 0b011, 1, 2, 0]);
    assert_eq!(bench.model.state().issue.in_flight(2), 2);
}

#[test]
fn address_and_data_come_in_any_order() {
    let halves = [
        axi4_lite::In {
            wvalid: false,
            ..write(0x140, 7)
        },
        axi4_lite::In {
            awvalid: false,
            ..write(0x140, 7)
        },
    ];
    for order in [[0, 1], [1, 0]] {
        let mut bench = Bench::new(PARAMS);
        let [first, second] = order.map(|half| halves[half]);
        bench.step(first);
        for _ in 0..9 {
            let out = bench.step(IDLE);
            assert_eq!((out.awready, out.wready), (order[0] == 1, order[0] == 0));
        }
        bench.step(second);
        (1..6).for_each(|_| assert!(!bench.step(IDLE).bvalid));
        assert!(bench.step(TAKE).bvalid);
        assert_eq!(bench.read(0x140), (7, 0));
    }
}

#[test]
fn those_that_wait_take_turns_and_after_reset_the_read_is_first() {
    let mut bench = Bench::new(PARAMS);
    let both = axi4_lite::In {
        arvalid: true,
        araddr: 0x140,
        bready: true,
        rready: true,
        ..write(0x140, 9)
    };
    let mut responses = vec![];
    for cycle in 0..40 {
        let out = bench.step(both);
        if out.rvalid {
            responses.push((cycle, 'r', out.rdata));
        }
        if out.bvalid {
            responses.push((cycle, 'w', 0));
        }
    }
    let old = 1 << 31 | 127;
    // Five cycles each.
    assert_eq!(responses[0], (6, 'r', old));
    let kinds: Vec<char> = responses.iter().map(|(_, kind, _)| *kind).collect();
    assert_eq!(kinds, ['r', 'w', 'r', 'w', 'r', 'w', 'r']);
    let cycles: Vec<u32> = responses.iter().map(|(cycle, ..)| *cycle).collect();
    assert_eq!(cycles, [6, 11, 16, 21, 26, 31, 36]);
    assert_eq!(responses[2].2, 9);
}

#[test]
fn a_response_is_held_and_keeps_the_next_of_its_kind_waiting() {
    let mut bench = Bench::new(PARAMS);
    bench.step(read(0x008));
    bench.idle(5);
    // Another read is taken, but not begun; a write passes it.
    let out = bench.step(read(0x000));
    assert_eq!((out.rvalid, out.rdata, out.arready), (true, 2, true));
    assert_eq!(bench.write(0x140, 3), 0);
    for _ in 0..20 {
        let out = bench.step(IDLE);
        assert_eq!((out.rvalid, out.rdata, out.arready), (true, 2, false));
    }
    bench.step(TAKE);
    for _ in 0..5 {
        let out = bench.step(IDLE);
        assert_eq!((out.rvalid, out.rdata), (false, 0));
    }
    let out = bench.step(TAKE);
    assert_eq!((out.rvalid, out.rdata), (true, 0x434f_544e));
}

#[test]
fn a_reset_forgets_what_was_taken() {
    let mut bench = Bench::new(PARAMS);
    for cycles in 1..8 {
        bench.step(axi4_lite::In {
            arvalid: true,
            ..write(0x140, 4)
        });
        bench.idle(cycles - 1);
        let reset = mem_issue::In {
            reset: true,
            ..mem_issue::In::default()
        };
        bench.both(reset, IDLE);
        for _ in 0..20 {
            let out = bench.step(IDLE);
            assert!(!out.rvalid && !out.bvalid && out.awready && out.wready && out.arready);
        }
        assert_eq!(bench.read(0x140), (1 << 31 | 127, 0), "{cycles}");
    }
}
