//! What loops assign on the way: random designs hardly have it in many elements alike.

use super::random::survives;
use super::tools::export;
use crate::support::{I, L, O};
use cotenant_netlist::elaborate;
use cotenant_netlist::hdl::*;

/// Each row is chosen, then changed twice.
#[derive(LogicBlock, Default)]
struct OnTheWay {
    again: I<Bit>,
    used: I<Bits<4>>,
    mask: I<Bits<5>>,
    read: I<Bits<20>>,
    kept: I<Bits<20>>,
    row: [L<Bits<5>>; 4],
    o: [O<Bits<5>>; 4],
}

impl Logic for OnTheWay {
    #[hdl_gen]
    fn update(&mut self) {
        for i in 0..4 {
            self.row[i].next = self.read.val().get_bits::<5>(5 * i);
            if self.again.val() {
                self.row[i].next = self.kept.val().get_bits::<5>(5 * i);
            }
            self.row[i].next = self.row[i].val() | self.mask.val();
            if self.used.val().get_bit(i) {
                self.row[i].next = 0.into();
            }
            self.o[i].next = self.row[i].val();
        }
    }
}

#[test]
fn a_value_on_the_way_is_in_a_loop() {
    let netlist = elaborate(&OnTheWay::default(), "on_the_way").expect("is legal");
    let text = export(&netlist, true).text();
    let line = "row[i] = (again ? kept[5 * i +: 5] : read[5 * i +: 5]) | mask;";
    assert!(text.contains(line), "{text}");
    for readable in [false, true] {
        survives(&netlist, 1, readable);
    }
}
