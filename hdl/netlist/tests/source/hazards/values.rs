//! Names and widths.

use super::*;

mod names {
    use super::*;
    const LIMIT: u64 = 3;
    #[derive(LogicBlock, Default)]
    struct Limited {
        pub a: Signal<In, Bits<4>>,
        pub over: Signal<Out, Bit>,
    }
    impl Logic for Limited {
        #[hdl_gen]
        fn update(&mut self) {
            self.over.next = self.a.val() > LIMIT;
        }
    }
    #[test]
    fn a_constant_is_a_name() {
        let ast = ast(&Limited::default());
        assert!(ast.contains(r#"Signal("LIMIT")"#), "{ast}");
    }

    #[derive(LogicBlock, Default)]
    struct Counts {
        pub a: Signal<In, Bits<4>>,
        _seen: Bits<4>,
    }
    impl Logic for Counts {
        #[hdl_gen]
        fn update(&mut self) {
            self._seen = self.a.val();
        }
    }
    #[test]
    fn plain_state_is_a_name() {
        let ast = ast(&Counts::default());
        assert!(ast.contains(r#"Assignment(Signal("_seen")"#), "{ast}");
    }

    #[derive(LogicBlock, Default)]
    struct Child {
        pub data: Signal<In, Bits<4>>,
    }
    impl Logic for Child {
        #[hdl_gen]
        fn update(&mut self) {}
    }
    #[derive(LogicBlock, Default)]
    struct Parent {
        pub a: Signal<In, Bits<4>>,
        itself: Child,
    }
    impl Logic for Parent {
        #[hdl_gen]
        fn update(&mut self) {
            self.itself.data.next = self.a.val();
        }
    }
    #[test]
    fn a_name_that_ends_in_self_is_cut() {
        let ast = ast(&Parent::default());
        assert!(ast.contains(r#"Signal("itdata$next")"#), "{ast}");
    }

    #[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
    struct Inner {
        low: Bits<2>,
        high: Bits<2>,
    }
    #[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
    struct Outer {
        inner: Inner,
    }
    #[derive(LogicBlock, Default)]
    struct Nested {
        pub a: Signal<In, Outer>,
        pub high: Signal<Out, Bits<2>>,
    }
    impl Logic for Nested {
        #[hdl_gen]
        fn update(&mut self) {
            self.high.next = self.a.val().inner.high;
        }
    }
    #[test]
    fn a_nested_field_is_a_name() {
        let ast = ast(&Nested::default());
        assert!(ast.contains(r#"Signal("a$val()$inner$high")"#), "{ast}");
    }
}

mod hidden_field {
    use super::*;
    #[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
    struct Tagged {
        value: Bits<4>,
        _tag: Bits<4>,
    }
    #[derive(LogicBlock, Default)]
    struct Equal {
        pub a: Signal<In, Tagged>,
        pub b: Signal<In, Tagged>,
        pub equal: Signal<Out, Bit>,
    }
    impl Logic for Equal {
        #[hdl_gen]
        fn update(&mut self) {
            self.equal.next = self.a.val() == self.b.val();
        }
    }
    #[test]
    fn the_hardware_does_not_compare_it() {
        let mut block = Equal::default();
        block.a.next._tag = 1.into();
        settle(&mut block);
        assert!(!block.equal.val());
        assert_eq!(Tagged::BITS, 4);
    }
}

mod widths {
    use super::*;
    #[derive(LogicBlock, Default)]
    struct Full {
        pub a: Signal<In, Bits<32>>,
        pub full: Signal<Out, Bit>,
    }
    impl Logic for Full {
        #[hdl_gen]
        fn update(&mut self) {
            self.full.next = self.a.val() == 0xFFFF_FFFF;
        }
    }
    #[test]
    fn a_large_literal_is_negative() {
        let mut block = Full::default();
        block.a.next = bits(0xFFFF_FFFF);
        settle(&mut block);
        assert!(block.full.val());
        assert!(ast(&block).contains("val: -1"), "{}", ast(&block));
    }

    #[derive(LogicBlock, Default)]
    struct Next {
        pub a: Signal<In, Bits<4>>,
        pub b: Signal<In, Bits<4>>,
        pub zero: Signal<Out, Bit>,
        pub wraps: Signal<Out, Bit>,
    }
    impl Logic for Next {
        #[hdl_gen]
        fn update(&mut self) {
            self.zero.next = self.a.val().index() + self.b.val().index() == 0;
            self.wraps.next = self.a.val() + self.b.val() == 0;
        }
    }
    #[test]
    fn sums_of_indices_and_of_bits_look_alike() {
        let mut block = Next::default();
        block.a.next = 15.into();
        block.b.next = 1.into();
        settle(&mut block);
        assert!(!block.zero.val() && block.wraps.val());
        let ast = ast(&block);
        let sum = r#"Binary(Signal("a"), Add, Signal("b"))"#;
        assert_eq!(ast.matches(sum).count(), 2, "{ast}");
    }

    #[derive(LogicBlock, Default)]
    struct Half {
        pub half: Signal<Out, Bits<2>>,
    }
    impl Logic for Half {
        #[hdl_gen]
        fn update(&mut self) {
            for i in 1..2usize {
                self.half.next = (i.to_bits::<2>() + 3) >> 1;
            }
        }
    }
    #[test]
    fn a_loop_variable_forgets_its_width() {
        let mut block = Half::default();
        settle(&mut block);
        // (1 + 3) mod 4 / 2; without the width it is 2.
        assert_eq!(block.half.val(), 0);
        assert!(
            ast(&block).contains(r#"Binary(Signal("i"), Add, Literal"#),
            "{}",
            ast(&block)
        );
    }
}

// The file has each of its hazards once, in this order, and no more.
#[test]
fn the_check_finds_them_all_here() {
    let expected = [
        Rule::UnknownName,
        Rule::PlainState,
        Rule::SelfSuffix,
        Rule::NestedField,
        Rule::HiddenField,
        Rule::OverflowingLiteral,
        Rule::IndexArithmetic,
        Rule::LostWidth,
    ];
    assert_eq!(rules(include_str!("values.rs")), expected);
}
