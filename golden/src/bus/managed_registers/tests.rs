//! Rationale: addresses and numbers are those of the contract, written down here by hand, not looked up:
//! another description fails. Behind APB4, whose bridge adds nothing; what the unit does with what it is
//! told has tests of its own.

use crate::bus::apb4;
use crate::bus::managed_llc::{In, Out};
use crate::bus::ManagedLlcApb;
use crate::mgmt::managed_llc::{self, Params};
use crate::Model;

const PARAMS: Params = Params {
    ways: 4,
    sets: 8,
    applications: 2,
    leaders: 1,
    sampled: 4,
    cores: 3,
    tiles: 2,
    tag_w: 8,
    rrpv_w: 2,
    psel_w: 5,
    seed: 1,
    xs_w: 3,
    cnt_w: 6,
    t_xs: 2,
    id_w: 4,
    retired_w: 2,
    instr_w: 6,
    rotate: 1,
};

const STATUS: u16 = 0x018;
const CONTROL: u16 = 0x01c;
const PERIOD: u16 = 0x020;
const POLICY: u16 = 0x024;
const GPU: u16 = 0x028;
const CORES: u16 = 0x02c;
const STREAM_ACCESSES: u16 = 0x030;
const UCP_MASK_GIVEN: u16 = 0x038;
const RRIP_MASK_GIVEN: u16 = 0x03c;
const QUOTA_GIVEN: u16 = 0x040;
const QUOTA: u16 = 0x080;
const PSEL: u16 = 0x0c0;
const UCP_MASK: u16 = 0x100;
const RRIP_MASK: u16 = 0x104;
const IRQ_STATUS: u16 = 0x118;
const IRQ_ENABLE: u16 = 0x11c;
const HITS: u16 = 0x140;
const MISSES: u16 = 0x180;
const HITS_LIVE: u16 = 0x1c0;
const EVICTIONS: u16 = 0x400;
const EVICTIONS_LIVE: u16 = 0x800;

/// Bits of POLICY.
const QUOTAS: u32 = 1 << 5;
const MASKS: u32 = 1 << 6;

struct Bench {
    model: ManagedLlcApb,
    last: Out<apb4::Out>,
}

impl Bench {
    /// The sets are cleared.
    fn new() -> Self {
        let mut model = ManagedLlcApb::new(PARAMS).unwrap();
        let last = model.step(&In::idle(&PARAMS));
        let mut bench = Self { model, last };
        bench.idle(PARAMS.sets);
        bench
    }

    fn cache(&mut self, set: impl FnOnce(&mut In<apb4::In>)) {
        let mut input = In::idle(&PARAMS);
        set(&mut input);
        self.model.assume(&input).unwrap();
        self.last = self.model.step(&input);
    }

    fn idle(&mut self, cycles: usize) {
        for _ in 0..cycles {
            self.cache(|_| {});
        }
    }

    /// A transfer of six cycles: what was read, or that it failed.
    fn transfer(&mut self, paddr: u16, data: Option<u32>) -> Result<u32, ()> {
        for cycle in 0..6 {
            self.cache(|input| {
                input.bus = apb4::In {
                    psel: true,
                    penable: cycle > 0,
                    pwrite: data.is_some(),
                    paddr,
                    pwdata: data.unwrap_or(0),
                    pstrb: if data.is_some() { 15 } else { 0 },
                    ..apb4::In::default()
                };
            });
            assert_eq!(self.last.bus.pready, cycle == 5);
        }
        match self.last.bus.pslverr {
            true => Err(()),
            false => Ok(self.last.bus.prdata),
        }
    }

    fn read(&mut self, address: u16) -> u32 {
        self.transfer(address, None).unwrap()
    }

    fn write(&mut self, address: u16, data: u32) -> Result<(), ()> {
        self.transfer(address, Some(data))
            .map(|read| assert_eq!(read, 0))
    }

    fn access(&mut self, app: u8, tag: u64) {
        self.cache(|input| {
            input.access_valid = true;
            input.access_app = app;
            input.access_tag = tag;
        });
    }

    /// What the unit is told now.
    fn told(&self) -> managed_llc::In {
        self.model.ports(&In::idle(&PARAMS))
    }
}

#[test]
fn what_follows_from_the_parameters() {
    let mut bench = Bench::new();
    for (address, value) in [
        (0x000, 0x434f_544e),
        (0x004, 0x0001_0000),
        (0x008, 3),
        (0x00c, 4 | 2 << 8 | 3 << 16 | 3 << 24),
        (0x010, 6 | 5 << 6 | 3 << 11 | 2 << 16),
        (0x014, 2 << 8 | 1 << 16 | 1 << 24),
        (STATUS, 1),
        (STREAM_ACCESSES, 1),
        (PSEL, 16),
        (PSEL + 4, 16),
        (QUOTA, 2),
        (QUOTA + 4, 2),
        (0x10c, 1),
    ] {
        assert_eq!(bench.read(address), value, "{address:#x}");
        if address != STREAM_ACCESSES {
            assert_eq!(bench.write(address, 0), Err(()), "{address:#x}");
        }
    }
    for unmapped in [
        0x120,
        QUOTA + 8,
        EVICTIONS + 8,
        EVICTIONS + 0x80,
        0x1f00,
        0x002,
    ] {
        assert_eq!(bench.transfer(unmapped, None), Err(()), "{unmapped:#x}");
    }
}

/// TAP, section 3.2: each application has a way at least, and all ways are given away.
#[test]
fn quotas_hold_together_or_not_at_all() {
    let mut bench = Bench::new();
    assert_eq!(bench.write(QUOTA_GIVEN, 3), Ok(()));
    assert_eq!(bench.write(POLICY, 1 | QUOTAS), Err(()), "3 and 0");
    assert_eq!(bench.read(POLICY), 0, "an error changes nothing");
    assert_eq!(bench.write(QUOTA_GIVEN + 4, 2), Ok(()));
    assert_eq!(bench.write(POLICY, QUOTAS), Err(()), "3 and 2");
    assert_eq!(bench.write(QUOTA_GIVEN + 4, 1), Ok(()));
    assert_eq!(bench.read(QUOTA), 2, "they are not in force yet");
    assert_eq!(bench.write(POLICY, 1 | QUOTAS), Ok(()));
    assert_eq!([bench.read(QUOTA), bench.read(QUOTA + 4)], [3, 1]);
    // Others that are prepared change nothing before they are taken over, legal or not.
    assert_eq!(bench.write(QUOTA_GIVEN, 0), Ok(()));
    assert_eq!(bench.write(QUOTA_GIVEN + 4, 4), Ok(()));
    assert_eq!(bench.write(POLICY, QUOTAS), Err(()), "0 and 4");
    assert_eq!([bench.read(QUOTA), bench.read(QUOTA + 4)], [3, 1]);
    // What UCP says holds again.
    assert_eq!(bench.write(POLICY, 1), Ok(()));
    assert_eq!([bench.read(QUOTA), bench.read(QUOTA + 4)], [2, 2]);
}

#[test]
fn masks_are_those_that_software_gives() {
    let mut bench = Bench::new();
    assert_eq!(bench.write(UCP_MASK_GIVEN, 0b10), Ok(()));
    assert_eq!(bench.write(RRIP_MASK_GIVEN, 0xffff_fffd), Ok(()));
    assert_eq!(bench.read(RRIP_MASK_GIVEN), 0b01, "a bit per application");
    assert_eq!([bench.read(UCP_MASK), bench.read(RRIP_MASK)], [0, 0]);
    assert_eq!(bench.write(POLICY, MASKS), Ok(()));
    assert_eq!([bench.read(UCP_MASK), bench.read(RRIP_MASK)], [0b10, 0b01]);
    assert_eq!(bench.write(UCP_MASK_GIVEN, 0b11), Ok(()));
    assert_eq!(bench.read(UCP_MASK), 0, "not all of them");
}

#[test]
fn the_policy_reaches_the_unit() {
    let mut bench = Bench::new();
    assert_eq!(bench.write(GPU, 0b10), Ok(()));
    assert_eq!(bench.write(POLICY, 0xffff_ff9e), Ok(()));
    assert_eq!(bench.read(POLICY), 0x1e);
    let told = bench.told();
    assert_eq!((told.policy, told.gpu), (2, 0b10));
    assert!(told.aware && told.sample && told.detect);
    assert!(!told.quota_override && !told.mask_override);
}

#[test]
fn cores_wait_for_the_end_of_the_period() {
    let mut bench = Bench::new();
    for wrong in [0x0000, 0x0101, 0x0300, 0x0003, 0xff00] {
        assert_eq!(bench.write(CORES, wrong), Err(()), "{wrong:#x}");
    }
    assert_eq!(bench.read(STATUS), 1, "nothing is chosen");
    assert_eq!(bench.write(CORES, 0x0201), Ok(()));
    assert_eq!(bench.read(CORES), 0x0201);
    assert_eq!(bench.read(STATUS), 1 | 1 << 3);
    let told = bench.told();
    assert!(told.choose);
    assert_eq!((told.choose_pol1, told.choose_pol2), (1, 2));
    assert_eq!(bench.write(CONTROL, 1), Ok(()));
    let sampler = &bench.model.state().managed.sampler;
    assert_eq!((sampler.pol1[0], sampler.pol2[0]), (1, 2));
    assert!(!bench.told().choose);
}

#[test]
fn a_streaming_application_has_one_access_at_least() {
    let mut bench = Bench::new();
    assert_eq!(bench.write(STREAM_ACCESSES, 0), Err(()));
    assert_eq!(bench.write(STREAM_ACCESSES, 64), Err(()), "6 bits");
    assert_eq!(bench.write(STREAM_ACCESSES, 1 << 31), Err(()));
    assert_eq!(bench.write(STREAM_ACCESSES, 63), Ok(()));
    assert_eq!(bench.told().stream_accesses, 63);
}

#[test]
fn counters_are_read_by_application() {
    let mut bench = Bench::new();
    // Application 0 fills the set, application 1 replaces two lines and hits one of them.
    for tag in 0..4 {
        bench.access(0, tag);
    }
    for tag in [8, 9, 8] {
        bench.access(1, tag);
    }
    bench.idle(3);
    assert_eq!(bench.read(EVICTIONS_LIVE + 4), 2, "of 0 by 1");
    assert_eq!(bench.read(EVICTIONS_LIVE + 0x40), 0, "of 1 by 0");
    assert_eq!(bench.read(HITS_LIVE + 4), 1);
    assert_eq!(bench.read(EVICTIONS + 4), 0, "the period has not ended");
    assert_eq!(bench.write(CONTROL, 1), Ok(()));
    assert_eq!(bench.read(STATUS) >> 8, 1);
    assert_eq!(bench.read(EVICTIONS + 4), 2);
    assert_eq!([bench.read(HITS), bench.read(HITS + 4)], [0, 1]);
    assert_eq!([bench.read(MISSES), bench.read(MISSES + 4)], [4, 2]);
    assert_eq!(bench.read(HITS_LIVE + 4), 0);
}

#[test]
fn software_is_called_as_a_period_ends_and_as_quotas_are_there() {
    let mut bench = Bench::new();
    assert_eq!(bench.write(IRQ_ENABLE, 0b10), Ok(()));
    assert_eq!(bench.write(PERIOD, 1000), Ok(()));
    // The write is done in the last cycle of its transfer.
    bench.idle(999);
    assert_eq!(bench.model.state().managed.evictions.sequence_number, 0);
    bench.idle(1);
    assert_eq!(bench.model.state().managed.evictions.sequence_number, 1);
    let decided = (0..PARAMS.masks_latency() + PARAMS.ucp().bound() + 3).any(|_| {
        bench.idle(1);
        bench.last.irq
    });
    assert!(decided);
    assert_eq!(bench.read(IRQ_STATUS), 0b11);
    assert_eq!(bench.write(IRQ_STATUS, 0b10), Ok(()));
    assert_eq!(bench.read(IRQ_STATUS), 0b01);
    assert!(!bench.last.irq);
    assert_eq!(bench.write(IRQ_ENABLE, 0b01), Ok(()));
    bench.idle(2);
    assert!(bench.last.irq);
    assert_eq!(bench.write(PERIOD, 0), Ok(()));
    assert_eq!(bench.write(IRQ_STATUS, 0b01), Ok(()));
    bench.idle(2000);
    assert!(!bench.last.irq, "no timer, no period");
}
