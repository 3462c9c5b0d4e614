//! Compiles as Rust, but the AST lacks what makes it mean this: each is found
//! by the source check, and by running `update()` beside the netlist.

use crate::support::agree::lockstep;
use crate::support::ports::Ports;
use crate::support::{stimulus, I, O};
use cotenant_netlist::hdl::*;
use cotenant_netlist::{elaborate, source};

/// The macro drops the `=`.
#[derive(LogicBlock, Default)]
struct InclusiveLoop {
    a: I<Bits<8>>,
    o: O<Bits<8>>,
}
impl Logic for InclusiveLoop {
    #[hdl_gen]
    fn update(&mut self) {
        self.o.next = 0.into();
        for i in 0..=3 {
            if self.a.val().get_bit(i) {
                self.o.next = self.o.val() + 1;
            }
        }
    }
}
ports!(InclusiveLoop { a });

fn bits_inverted(x: Bits<8>) -> Bits<8> {
    !x
}

/// Anything called `bits..` is taken for a cast.
#[derive(LogicBlock, Default)]
struct HiddenFunction {
    a: I<Bits<8>>,
    o: O<Bits<8>>,
}
impl Logic for HiddenFunction {
    #[hdl_gen]
    fn update(&mut self) {
        self.o.next = bits_inverted(self.a.val());
    }
}
ports!(HiddenFunction { a });

/// `.index()` makes it a sum of 64 bits, and leaves no trace.
#[derive(LogicBlock, Default)]
struct IndexSum {
    a: I<Bits<4>>,
    o: O<Bit>,
}
impl Logic for IndexSum {
    #[hdl_gen]
    fn update(&mut self) {
        match self.a.val().index() + 1 {
            0 => self.o.next = true,
            _ => self.o.next = false,
        }
    }
}
ports!(IndexSum { a });

/// The macro drops the guard.
#[derive(LogicBlock, Default)]
struct GuardedArm {
    a: I<Bits<4>>,
    b: I<Bit>,
    o: O<Bit>,
}
impl Logic for GuardedArm {
    #[hdl_gen]
    fn update(&mut self) {
        match self.a.val().index() {
            3 if self.b.val() => self.o.next = true,
            _ => self.o.next = false,
        }
    }
}
ports!(GuardedArm { a, b });

// What the AST cannot show, two checks find: reading the source names the
// rule, and random inputs show the difference.
#[test]
fn what_the_ast_hides_is_found_by_reading_and_by_running() {
    fn found<B: Ports + Default>() -> bool {
        let mut block = B::default();
        block.connect_all();
        let netlist = elaborate(&block, "top").expect("the AST looks legal");
        let inputs = stimulus::random(&netlist, 200, 1);
        lockstep(&mut block, &netlist, &inputs).is_err()
    }
    assert!(found::<InclusiveLoop>());
    assert!(found::<HiddenFunction>());
    assert!(found::<IndexSum>());
    assert!(found::<GuardedArm>());
    let findings = source::check(include_str!("hidden.rs"), "hidden.rs");
    let rules: Vec<&str> = findings.iter().map(|f| f.rule.name()).collect();
    let expected = [
        "inclusive-range",
        "hidden-cast",
        "index-arithmetic",
        "match-guard",
    ];
    assert_eq!(rules, expected, "{findings:#?}");
}
