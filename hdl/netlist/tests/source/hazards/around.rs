//! What stands around `update()`.

use super::*;

#[derive(LogicBlock, Default)]
struct Plain {
    pub on: Signal<Out, Bit>,
}
impl Logic for Plain {
    fn update(&mut self) {
        self.on.next = true;
    }
}
#[test]
fn without_the_attribute_there_is_nothing() {
    assert_eq!(ast(&Plain::default()), "Empty");
}

#[derive(LogicBlock, Default)]
struct Elsewhere {
    pub on: Signal<Out, Bit>,
}
impl Elsewhere {
    #[hdl_gen]
    fn update(&mut self) {
        self.on.next = true;
    }
}
impl Logic for Elsewhere {
    fn update(&mut self) {}
}
#[test]
fn outside_of_logic_nobody_asks_for_it() {
    assert_eq!(ast(&Elsewhere::default()), "Empty");
}

#[derive(LogicBlock, Default)]
struct Shadowed {
    pub on: Signal<Out, Bit>,
}
impl Shadowed {
    fn update(&mut self) {
        self.on.next = true;
    }
}
impl Logic for Shadowed {
    #[hdl_gen]
    fn update(&mut self) {
        self.on.next = false;
    }
}
#[test]
fn rust_calls_the_inherent_update() {
    let mut block = Shadowed::default();
    block.update_all();
    assert!(block.on.val());
    assert!(ast(&block).contains("val: 0"), "{}", ast(&block));
}

#[derive(LogicBlock, Default)]
struct ByHand {
    pub on: Signal<Out, Bit>,
}
impl Logic for ByHand {
    fn update(&mut self) {
        self.on.next = true;
    }
    fn hdl(&self) -> Verilog {
        let (on, off) = ("on$next".to_string(), false.into());
        Verilog::Combinatorial(vec![ast::VerilogStatement::Assignment(
            ast::VerilogExpression::Signal(on),
            ast::VerilogExpression::Literal(off),
        )])
    }
}
#[test]
fn a_hand_written_hdl_says_anything() {
    let mut block = ByHand::default();
    block.update_all();
    assert!(block.on.val());
    assert!(ast(&block).contains("val: 0"), "{}", ast(&block));
}

#[derive(Clone, Copy, Debug, LogicState)]
enum Colour {
    Red,
    Green,
}
impl PartialEq for Colour {
    fn eq(&self, _: &Colour) -> bool {
        true
    }
}
impl From<Colour> for Bits<3> {
    fn from(colour: Colour) -> Self {
        match colour {
            Colour::Red => 1.into(),
            Colour::Green => 2.into(),
        }
    }
}
#[derive(LogicBlock, Default)]
struct Painted {
    pub colour: Signal<In, Colour>,
    pub green: Signal<Out, Bit>,
    pub one_hot: Signal<Out, Bits<3>>,
}
impl Logic for Painted {
    #[hdl_gen]
    fn update(&mut self) {
        self.green.next = self.colour.val() == Colour::Green;
        self.one_hot.next = self.colour.val().into();
    }
}
#[test]
fn own_comparisons_and_conversions_are_gone() {
    let mut block = Painted::default();
    settle(&mut block);
    assert_eq!((block.green.val(), block.one_hot.val()), (true, bits(1)));
    let ast = ast(&block);
    assert!(
        ast.contains(r#"Binary(Signal("colour"), Eq, Signal("Colour$Green"))"#),
        "{ast}"
    );
    assert!(
        ast.contains(r#"Signal("one_hot$next"), Signal("colour")"#),
        "{ast}"
    );
}

// The file has each of its hazards once, in this order, and no more.
#[test]
fn the_check_finds_them_all_here() {
    let expected = [
        Rule::MissingHdlGen,
        Rule::OutsideLogic,
        Rule::InherentShadow,
        Rule::HandWrittenHdl,
        Rule::OperatorOverload,
        Rule::Conversion,
    ];
    assert_eq!(rules(include_str!("around.rs")), expected);
}
