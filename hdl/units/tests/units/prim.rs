//! Rationale: everything else stands on these; the flop and the RAM are the
//! only blocks whose `update()` is not what gets elaborated.

use cotenant_netlist::hdl::*;
use cotenant_units::drive::Driver;
use cotenant_units::prim::{Ram, Reg};

#[test]
fn a_flop_starts_and_resets_to_its_init() {
    let mut reg = Driver::new(Reg::<Bits<4>>::new(9.into()), |r| Some(&mut r.clock)).unwrap();
    let mut cycle = |reset: bool, d: u64| {
        let set = |r: &mut Reg<Bits<4>>| {
            r.reset.next = reset;
            r.d.next = d.into();
        };
        reg.cycle(set, |r| r.q.val().to_u64()).unwrap()
    };
    assert_eq!(cycle(false, 3), 9);
    assert_eq!(cycle(false, 5), 3);
    assert_eq!(cycle(true, 7), 5);
    assert_eq!(cycle(false, 0), 9);
    assert_eq!(cycle(false, 0), 0);
}

#[test]
fn a_ram_reads_one_cycle_later_and_gives_the_old_word_while_writing() {
    let mut ram = Driver::new(Ram::<Bits<8>, 2>::default(), |r| Some(&mut r.clock)).unwrap();
    let mut cycle = |read: u64, write: Option<(u64, u64)>| {
        let set = |r: &mut Ram<Bits<8>, 2>| {
            r.read_address.next = read.into();
            r.write_enable.next = write.is_some();
            let (address, data) = write.unwrap_or((read, 0xff));
            r.write_address.next = address.into();
            r.write_data.next = data.into();
        };
        ram.cycle(set, |r| r.read_data.val().to_u64()).unwrap()
    };
    assert_eq!(cycle(1, Some((1, 0xa1))), 0);
    assert_eq!(cycle(1, Some((2, 0xa2))), 0, "the old word of address 1");
    assert_eq!(cycle(2, None), 0xa1);
    assert_eq!(cycle(3, None), 0xa2);
    assert_eq!(cycle(3, None), 0, "never written");
}
