//! Loops and calls.

use super::*;

mod inclusive_range {
    use super::*;
    #[derive(LogicBlock, Default)]
    struct Last {
        pub last: Signal<Out, Bits<4>>,
    }
    impl Logic for Last {
        #[hdl_gen]
        fn update(&mut self) {
            for i in 0..=3usize {
                self.last.next = i.to_bits::<4>();
            }
        }
    }
    #[test]
    fn the_last_turn_is_missing() {
        let mut block = Last::default();
        settle(&mut block);
        assert_eq!(block.last.val(), 3);
        assert!(
            ast(&block).contains("to: VerilogLiteral { val: 3,"),
            "{}",
            ast(&block)
        );
    }
}

mod loop_bound {
    use super::*;
    #[derive(LogicBlock, Default)]
    struct Last {
        pub turns: Signal<In, Bits<4>>,
        pub last: Signal<Out, Bits<4>>,
    }
    impl Logic for Last {
        #[hdl_gen]
        fn update(&mut self) {
            self.last.next = 0.into();
            for i in 0..self.turns.val().index() {
                self.last.next = i.to_bits::<4>();
            }
        }
    }
    #[test]
    fn the_bound_is_that_of_the_moment() {
        let mut block = Last::default();
        assert!(
            ast(&block).contains("to: VerilogLiteral { val: 0,"),
            "{}",
            ast(&block)
        );
        block.turns.next = 9.into();
        settle(&mut block);
        assert_eq!(block.last.val(), 8);
    }
}

mod loop_pattern {
    use super::*;
    #[derive(LogicBlock, Default)]
    struct Lanes {
        pub lane: [Signal<Out, Bit>; 2],
    }
    impl Logic for Lanes {
        #[hdl_gen]
        fn update(&mut self) {
            for mut i in 0..2 {
                self.lane[i].next = true;
            }
        }
    }
    #[test]
    fn the_variable_has_another_name() {
        let ast = ast(&Lanes::default());
        assert!(
            ast.contains(r#"index: "mut i""#) && ast.contains("lane[i]"),
            "{ast}"
        );
    }
}

mod shadowed_field {
    use super::*;
    #[derive(LogicBlock, Default)]
    struct Pass {
        pub i: Signal<In, Bits<4>>,
        pub o: Signal<Out, Bits<4>>,
    }
    impl Logic for Pass {
        #[hdl_gen]
        fn update(&mut self) {
            for i in 0..1 {
                self.o.next = self.i.val();
            }
        }
    }
    #[test]
    fn field_and_variable_are_one_name() {
        let ast = ast(&Pass::default());
        assert!(
            ast.contains(r#"index: "i""#) && ast.contains(r#", Signal("i"))"#),
            "{ast}"
        );
    }
}

mod hidden_cast {
    use super::*;
    use std::ops::Add;
    #[derive(LogicBlock, Default)]
    struct Sum {
        pub a: Signal<In, Bits<4>>,
        pub b: Signal<In, Bits<4>>,
        pub sum: Signal<Out, Bits<4>>,
        pub own: Signal<Out, Bits<4>>,
    }
    fn bits_inverted(x: Bits<4>) -> Bits<4> {
        !x
    }
    impl Logic for Sum {
        #[hdl_gen]
        fn update(&mut self) {
            self.sum.next = Bits::<4>::add(self.a.val(), self.b.val());
            self.own.next = bits_inverted(self.a.val());
        }
    }
    #[test]
    fn a_call_becomes_its_first_argument() {
        let mut block = Sum::default();
        block.a.next = 3.into();
        block.b.next = 4.into();
        settle(&mut block);
        assert_eq!((block.sum.val(), block.own.val()), (bits(7), bits(12)));
        let ast = ast(&block);
        assert_eq!(ast.matches(r#"Cast(Signal("a"), 4)"#).count(), 2, "{ast}");
        assert!(!ast.contains(r#""b""#), "{ast}");
    }
}

mod signed {
    use super::*;
    #[derive(LogicBlock, Default)]
    struct Wide {
        pub a: Signal<In, Signed<4>>,
        pub wide: Signal<Out, Signed<8>>,
    }
    impl Logic for Wide {
        #[hdl_gen]
        fn update(&mut self) {
            self.wide.next = signed_bit_cast::<8, 4>(self.a.val());
        }
    }
    #[test]
    fn the_width_is_gone() {
        let ast = ast(&Wide::default());
        assert!(ast.contains(r#"Signed(Signal("a")))"#), "{ast}");
    }
}

mod method_lookalike {
    use super::*;
    trait Among {
        fn any(self, wanted: impl Fn(usize) -> bool) -> bool;
    }
    impl Among for bool {
        fn any(self, wanted: impl Fn(usize) -> bool) -> bool {
            wanted(usize::from(self))
        }
    }
    #[derive(LogicBlock, Default)]
    struct Zero {
        pub a: Signal<In, Bit>,
        pub zero: Signal<Out, Bit>,
    }
    impl Logic for Zero {
        #[hdl_gen]
        fn update(&mut self) {
            self.zero.next = self.a.val().any(|x| x == 0);
        }
    }
    #[test]
    fn the_argument_is_gone() {
        let mut block = Zero::default();
        settle(&mut block);
        assert!(block.zero.val());
        assert!(
            ast(&block).contains(r#"Unary(Any, Signal("a"))"#),
            "{}",
            ast(&block)
        );
    }
}

mod value_accessor {
    use super::*;
    #[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
    struct Pair {
        high: Bits<4>,
        low: Bits<4>,
    }
    impl Pair {
        fn reset_value_low(&mut self, high: Bits<4>) {
            self.high = high;
        }
    }
    #[derive(LogicBlock, Default)]
    struct Resets {
        pub pair: Signal<Out, Pair>,
    }
    impl Logic for Resets {
        #[hdl_gen]
        fn update(&mut self) {
            self.pair.next.low = 0.into();
            self.pair.next.high = 0.into();
            self.pair.next.reset_value_low(5.into());
        }
    }
    #[test]
    fn a_method_becomes_an_assignment_to_the_field_in_its_name() {
        let mut block = Resets::default();
        settle(&mut block);
        assert_eq!(
            block.pair.val(),
            Pair {
                high: bits(5),
                low: bits(0)
            }
        );
        let ast = ast(&block);
        let at = ast.find("val: 5").expect("the value is there");
        // `low` is the upper half.
        assert!(
            ast[..at]
                .rsplit("offset")
                .next()
                .is_some_and(|s| s.contains("val: 4")),
            "{ast}"
        );
    }
}

// The file has each of its hazards once, in this order, and no more.
#[test]
fn the_check_finds_them_all_here() {
    let expected = [
        Rule::InclusiveRange,
        Rule::LoopBound,
        Rule::LoopPattern,
        Rule::ShadowedField,
        Rule::HiddenCast,
        Rule::HiddenCast,
        Rule::Signed,
        Rule::Signed,
        Rule::Signed,
        Rule::MethodLookalike,
        Rule::MethodLookalike,
        Rule::ValueAccessor,
    ];
    assert_eq!(rules(include_str!("loops_and_calls.rs")), expected);
}
