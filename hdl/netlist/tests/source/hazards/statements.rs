//! Match, macros and connections.

use super::*;

mod in_match {
    use super::*;
    #[allow(dead_code)]
    #[derive(Clone, Copy, Debug, PartialEq, LogicState)]
    enum Mode {
        Idle,
        Run,
    }
    #[derive(LogicBlock, Default)]
    struct Guarded {
        pub mode: Signal<In, Mode>,
        pub enable: Signal<In, Bit>,
        pub on: Signal<Out, Bit>,
    }
    impl Logic for Guarded {
        #[hdl_gen]
        fn update(&mut self) {
            self.on.next = false;
            match self.mode.val() {
                Mode::Idle if self.enable.val() => self.on.next = true,
                _ => {}
            }
        }
    }
    #[test]
    fn the_guard_is_gone() {
        let mut block = Guarded::default();
        settle(&mut block);
        assert!(!block.on.val());
        assert!(!ast(&block).contains("enable"), "{}", ast(&block));
    }

    #[derive(LogicBlock, Default)]
    struct Bound {
        pub mode: Signal<In, Mode>,
        pub on: Signal<Out, Bit>,
    }
    impl Logic for Bound {
        #[hdl_gen]
        fn update(&mut self) {
            match self.mode.val() {
                running @ Mode::Run => self.on.next = true,
                _ => self.on.next = false,
            }
        }
    }
    #[test]
    fn a_binding_hides_the_value() {
        let ast = ast(&Bound::default());
        assert!(
            ast.contains(r#"condition: "running""#) && !ast.contains("Run"),
            "{ast}"
        );
    }

    #[derive(LogicBlock, Default)]
    struct Early {
        pub mode: Signal<In, Mode>,
        pub on: Signal<Out, Bit>,
    }
    impl Logic for Early {
        #[hdl_gen]
        fn update(&mut self) {
            match self.mode.val() {
                _ => self.on.next = false,
                Mode::Idle => self.on.next = true,
            }
        }
    }
    #[test]
    fn an_early_wildcard_takes_all() {
        let mut block = Early::default();
        settle(&mut block);
        assert!(!block.on.val());
        let ast = ast(&block);
        assert!(
            ast.find(r#""default""#) < ast.find(r#""Mode$Idle""#),
            "{ast}"
        );
    }

    #[derive(LogicBlock, Default)]
    struct Unlisted {
        pub mode: Signal<In, Mode>,
        pub on: Signal<Out, Bit>,
    }
    impl Logic for Unlisted {
        #[hdl_gen]
        fn update(&mut self) {
            self.on.next = false;
            match self.mode.val() {
                #[cfg(any())]
                Mode::Idle => self.on.next = true,
                _ => {}
            }
            #[cfg(any())]
            if true {
                self.on.next = true;
            }
        }
    }
    #[test]
    fn what_is_not_compiled_is_in_the_ast() {
        let mut block = Unlisted::default();
        settle(&mut block);
        assert!(!block.on.val());
        let ast = ast(&block);
        assert!(ast.contains("Mode$Idle") && ast.contains("If("), "{ast}");
    }
}

mod macro_effect {
    use super::*;
    #[derive(LogicBlock, Default)]
    struct Busy {
        pub on: Signal<Out, Bit>,
    }
    impl Logic for Busy {
        #[hdl_gen]
        fn update(&mut self) {
            self.on.next = false;
            assert!({
                self.on.next = true;
                true
            });
        }
    }
    #[test]
    fn an_assertion_is_a_comment() {
        let mut block = Busy::default();
        settle(&mut block);
        assert!(block.on.val());
        assert_eq!(
            ast(&block).matches("Assignment").count(),
            1,
            "{}",
            ast(&block)
        );
    }
}

mod macro_lookalike {
    use super::*;
    macro_rules! comment {
        ($this:ident) => {
            $this.on.next = true
        };
    }
    #[derive(LogicBlock, Default)]
    struct Busy {
        pub on: Signal<Out, Bit>,
    }
    impl Logic for Busy {
        #[hdl_gen]
        fn update(&mut self) {
            self.on.next = false;
            comment!(self);
        }
    }
    #[test]
    fn a_macro_named_comment_is_a_comment() {
        let mut block = Busy::default();
        settle(&mut block);
        assert!(block.on.val());
        assert_eq!(
            ast(&block).matches("Assignment").count(),
            1,
            "{}",
            ast(&block)
        );
    }
}

mod link_lookalike {
    use super::*;
    trait Joins: Sized {
        fn joins_never(&mut self, _other: &mut Self) {}
    }
    impl Joins for Signal<In, Bits<4>> {}
    #[derive(LogicBlock, Default)]
    struct Apart {
        pub a: Signal<In, Bits<4>>,
        pub b: Signal<In, Bits<4>>,
    }
    impl Logic for Apart {
        #[hdl_gen]
        fn update(&mut self) {
            Signal::<In, Bits<4>>::joins_never(&mut self.a, &mut self.b);
        }
    }
    #[test]
    fn a_call_becomes_a_connection() {
        let ast = ast(&Apart::default());
        assert!(
            ast.contains("Link(") && ast.contains(r#"other_name: "b""#),
            "{ast}"
        );
    }
}

// The file has each of its hazards once, in this order, and no more.
#[test]
fn the_check_finds_them_all_here() {
    let expected = [
        Rule::MatchGuard,
        Rule::MatchBinding,
        Rule::WildcardNotLast,
        Rule::ConditionalCompilation,
        Rule::ConditionalCompilation,
        Rule::MacroEffect,
        Rule::MacroLookalike,
        Rule::LinkLookalike,
    ];
    assert_eq!(rules(include_str!("statements.rs")), expected);
}
