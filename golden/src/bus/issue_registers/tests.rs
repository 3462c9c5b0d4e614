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
    fn read(&mut self, s_axi_araddr: u16) -> (u32, u8) {
        self.step(read(s_axi_araddr));
        for _ in 1..6 {
            assert!(!self.step(IDLE).s_axi_rvalid);
        }
        let out = self.step(TAKE);
        assert!(out.s_axi_rvalid);
        (out.s_axi_rdata, out.s_axi_rresp)
    }

    /// The response to a write, which comes six cycles after address and data.
    fn write(&mut self, s_axi_awaddr: u16, s_axi_wdata: u32) -> u8 {
        self.step(write(s_axi_awaddr, s_axi_wdata));
        for _ in 1..6 {
            assert!(!self.step(IDLE).s_axi_bvalid);
        }
        let out = self.step(axi4_lite::In {
            s_axi_bready: true,
            ..IDLE
        });
        assert!(out.s_axi_bvalid);
        out.s_axi_bresp
    }
}

const IDLE: axi4_lite::In = axi4_lite::In {
    s_axi_awvalid: false,
    s_axi_awaddr: 0,
    s_axi_awprot: 0,
    s_axi_wvalid: false,
    s_axi_wdata: 0,
    s_axi_wstrb: 0,
    s_axi_bready: false,
    s_axi_arvalid: false,
    s_axi_araddr: 0,
    s_axi_arprot: 0,
    s_axi_rready: false,
};
const TAKE: axi4_lite::In = axi4_lite::In {
    s_axi_bready: true,
    s_axi_rready: true,
    ..IDLE
};

fn read(s_axi_araddr: u16) -> axi4_lite::In {
    axi4_lite::In {
        s_axi_arvalid: true,
        s_axi_araddr,
        ..IDLE
    }
}

fn write(s_axi_awaddr: u16, s_axi_wdata: u32) -> axi4_lite::In {
    axi4_lite::In {
        s_axi_awvalid: true,
        s_axi_awaddr,
        s_axi_wvalid: true,
        s_axi_wdata,
        s_axi_wstrb: 15,
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
    for (release, version, geometry) in [
        (Release::Double, 0x0001_0000, 0x1f02),
        (Release::Hold, 0x0001_0001, 0x5b02),
        (Release::PlusOne, 0x0001_0001, 0x5f02),
    ] {
        let paper = Params {
            release,
            cap: true,
            lag: 1,
            ..Params::paper(2)
        };
        let mut bench = Bench::new(paper);
        assert_eq!(bench.read(0x004), (version, 0));
        assert_eq!(bench.read(0x00c), (geometry, 0));
    }
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
        s_axi_wstrb: 7,
        ..write(0x140, 1)
    });
    (1..6).for_each(|_| assert!(!bench.step(IDLE).s_axi_bvalid));
    assert_eq!(bench.step(TAKE).s_axi_bresp, SLVERR);
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
            s_axi_wvalid: false,
            ..write(0x140, 7)
        },
        axi4_lite::In {
            s_axi_awvalid: false,
            ..write(0x140, 7)
        },
    ];
    for order in [[0, 1], [1, 0]] {
        let mut bench = Bench::new(PARAMS);
        let [first, second] = order.map(|half| halves[half]);
        bench.step(first);
        for _ in 0..9 {
            let out = bench.step(IDLE);
            assert_eq!(
                (out.s_axi_awready, out.s_axi_wready),
                (order[0] == 1, order[0] == 0)
            );
        }
        bench.step(second);
        (1..6).for_each(|_| assert!(!bench.step(IDLE).s_axi_bvalid));
        assert!(bench.step(TAKE).s_axi_bvalid);
        assert_eq!(bench.read(0x140), (7, 0));
    }
}

#[test]
fn those_that_wait_take_turns_and_after_reset_the_read_is_first() {
    let mut bench = Bench::new(PARAMS);
    let both = axi4_lite::In {
        s_axi_arvalid: true,
        s_axi_araddr: 0x140,
        s_axi_bready: true,
        s_axi_rready: true,
        ..write(0x140, 9)
    };
    let mut responses = vec![];
    for cycle in 0..40 {
        let out = bench.step(both);
        if out.s_axi_rvalid {
            responses.push((cycle, 'r', out.s_axi_rdata));
        }
        if out.s_axi_bvalid {
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
    assert_eq!(
        (out.s_axi_rvalid, out.s_axi_rdata, out.s_axi_arready),
        (true, 2, true)
    );
    assert_eq!(bench.write(0x140, 3), 0);
    for _ in 0..20 {
        let out = bench.step(IDLE);
        assert_eq!(
            (out.s_axi_rvalid, out.s_axi_rdata, out.s_axi_arready),
            (true, 2, false)
        );
    }
    bench.step(TAKE);
    for _ in 0..5 {
        let out = bench.step(IDLE);
        assert_eq!((out.s_axi_rvalid, out.s_axi_rdata), (false, 0));
    }
    let out = bench.step(TAKE);
    assert_eq!((out.s_axi_rvalid, out.s_axi_rdata), (true, 0x434f_544e));
}

#[test]
fn a_reset_forgets_what_was_taken() {
    let mut bench = Bench::new(PARAMS);
    for cycles in 1..8 {
        bench.step(axi4_lite::In {
            s_axi_arvalid: true,
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
            assert!(
                !out.s_axi_rvalid
                    && !out.s_axi_bvalid
                    && out.s_axi_awready
                    && out.s_axi_wready
                    && out.s_axi_arready
            );
        }
        assert_eq!(bench.read(0x140), (1 << 31 | 127, 0), "{cycles}");
    }
}
