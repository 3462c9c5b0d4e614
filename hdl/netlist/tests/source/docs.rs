//! Documentation comments of blocks.

use cotenant_netlist::source::{docs, BlockDocs};

const SOURCE: &str = r#"
//! `adder`: adds.
//!
//!  * indented

use x::y;

/// A model.
struct Model {
    /// Not a port.
    a: u8,
}

/// Adds `W` bits.
///
/// Derived: none.
#[derive(Clone, Debug, LogicBlock)]
pub struct Adder<const W: usize> {
    /// First summand;
    /// W bits.
    pub a: Signal<In, Bits<W>>,
    /** Second summand. */
    pub b: Signal<In, Bits<W>>,
    #[doc = "The sum."]
    #[doc = concat!("not ", "text")]
    pub sum: Signal<Out, Bits<W>>,
    // No documentation.
    carry: Signal<Local, Bit>,
}

mod bus {
    /**
     * A bus.
     */
    #[derive(LogicInterface)]
    pub struct Bus { pub valid: Signal<In, Bit> }
}

/// Takes away.
#[derive(LogicBlock)]
pub struct Subtract_Er { pub a: Signal<In, Bit> }
"#;

fn names(docs: &BlockDocs) -> Vec<&str> {
    docs.structs.iter().map(|s| s.name.as_str()).collect()
}

// Every form of a documentation comment, with and without one, on blocks and
// on structs that are none.
#[test]
fn comments_of_file_struct_and_fields() {
    let docs = docs(SOURCE, "");
    assert_eq!(docs.module, "`adder`: adds.\n\n * indented");
    assert_eq!(names(&docs), ["Adder", "Subtract_Er", "Bus"]);
    let adder = &docs.structs[0];
    assert_eq!(adder.doc, "Adds `W` bits.\n\nDerived: none.");
    let fields = [
        ("a", "First summand;\nW bits."),
        ("b", "Second summand."),
        ("sum", "The sum."),
        ("carry", ""),
    ];
    assert_eq!(
        adder.fields,
        fields.map(|(n, d)| (n.to_string(), d.to_string()))
    );
    assert_eq!(docs.structs[2].doc, "A bus.");
}

// The exporter has a block's name and its ports, not its struct: both lead to
// the struct, and neither invents one.
#[test]
fn the_struct_of_a_block() {
    for hint in ["Subtract_Er", "SubtractEr", "subtract_er"] {
        let docs = docs(SOURCE, hint);
        assert_eq!(names(&docs), ["Subtract_Er", "Adder", "Bus"], "{hint}");
        assert_eq!(docs.with_fields(&["a"]).unwrap().name, "Subtract_Er");
        assert_eq!(docs.with_fields(&["a", "b"]).unwrap().name, "Adder");
    }
    let docs = docs(SOURCE, "unknown");
    assert_eq!(docs.with_fields(&["a"]).unwrap().name, "Adder");
    assert_eq!(docs.with_fields(&["a", "x"]), None);
    assert_eq!(docs.with_fields::<&str>(&[]).unwrap().name, "Adder");
    assert_eq!(docs.structs[0].field("sum"), Some("The sum."));
    assert_eq!(docs.structs[0].field("x"), None);
}

// A block can be declared by a macro.
#[test]
fn structs_in_macros() {
    let docs = docs(
        "macro_rules! m { ($name:ident, $($p:ident),*) => {
            /// Made.
            #[derive(LogicBlock)]
            pub struct $name { /** In. */ pub data: X, $(pub $p: Y),* }
        }; }
        declare! { #[derive(LogicBlock)] struct B { /** Out. */ q: X } }",
        "",
    );
    assert_eq!(
        docs.with_fields(&["data", "p"]).unwrap().field("data"),
        Some("In.")
    );
    assert_eq!(docs.with_fields(&["q"]).unwrap().name, "B");
}

// No Rust, no documentation.
#[test]
fn unreadable_sources_have_none() {
    for text in ["", "fn (", "\"", "//! lost\nstruct {", "\u{0}"] {
        assert_eq!(docs(text, "x"), BlockDocs::default(), "{text}");
    }
}

// What a unit really says of itself.
#[test]
fn the_identity_block_of_this_crate() {
    let docs = docs(include_str!("../../src/about.rs"), "");
    assert!(
        docs.module.starts_with("Description of a block: name"),
        "{}",
        docs.module
    );
    assert!(docs.structs.is_empty());
}
