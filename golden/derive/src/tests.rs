//! Rationale: a mistake in an attribute is a person's, who must be led to the place of it, not to
//! the derive. What the derives make of correct structs is tested where it can be compiled, in
//! `golden/tests/derive.rs`.

use proc_macro2::TokenStream;
use syn::{DeriveInput, Result};

use crate::structs::Struct;
use crate::{parameters, ports, registers};

/// Message of the error, and the text of the line in which it is.
fn error(source: &str, implement: impl Fn(&Struct<'_>) -> Result<TokenStream>) -> (String, String) {
    let item: DeriveInput = syn::parse_str(source).unwrap();
    let made = Struct::new(&item).and_then(|item| implement(&item));
    let error = made.expect_err("it is wrong");
    let start = error.span().start();
    let line = source.lines().nth(start.line - 1).unwrap();
    (error.to_string(), line[start.column..].into())
}

#[test]
fn a_port_without_a_width_is_told_at_its_type() {
    let source = "struct In {\n    reset: bool,\n    kid: u8,\n}";
    let (message, at) = error(source, ports::implement);
    assert_eq!(message, "expected its width above it: #[port(width)]");
    assert_eq!(at, "u8,");
}

#[test]
fn a_wrong_shape_is_told_where_it_is() {
    for (shape, message, at) in [
        ("[1, 2]", "expected [shape; number of elements]", "[1, 2]"),
        (
            "[[1; 2]; 3]",
            "a port has elements, but no rows of them",
            "2",
        ),
        (
            "skip",
            "expected a port: `width`, `[width; n]` or `nested`",
            "kid",
        ),
        ("1, when = p.on", "a port is always there", "p.on"),
        (
            "1, if = p.on",
            "expected identifier, found keyword `if`",
            "if",
        ),
        ("1, unless = p.on", "expected `when = condition`", "unless"),
    ] {
        let source = format!("struct In {{\n    #[port({shape})]\n    kid: u8,\n}}");
        let (told, place) = error(&source, ports::implement);
        assert_eq!(told, message, "{shape}");
        assert!(place.starts_with(at), "{shape}: {place}");
    }
}

#[test]
fn a_second_attribute_is_told_at_the_second() {
    let source = "struct State {\n    #[register(1)]\n    #[register(2)]\n    kid: u8,\n}";
    let (message, at) = error(source, registers::implement);
    assert_eq!(message, "there is a #[register] already");
    assert_eq!(at, "#[register(2)]");
}

#[test]
fn a_range_has_both_ends() {
    for range in ["1..", "..=4", "1..4", "4"] {
        let source = format!("struct Params {{\n    #[range({range})]\n    ways: usize,\n}}");
        let (message, at) = error(&source, parameters::implement);
        assert_eq!(message, "expected #[range(min..=max)]", "{range}");
        assert_eq!(at, format!("{range})]"));
    }
}

#[test]
fn only_structs_with_named_fields_have_ports() {
    let (message, at) = error("enum In { One }", ports::implement);
    assert_eq!((&message[..], &at[..]), ("expected a struct", "In { One }"));
    let (message, at) = error("struct In(bool);", ports::implement);
    assert_eq!(
        (&message[..], &at[..]),
        ("expected fields with names", "(bool);")
    );
}

#[test]
fn parameters_that_are_listed_are_some() {
    let source = "#[ports()]\nstruct In {}";
    let (message, at) = error(source, ports::implement);
    assert_eq!(message, "expected a type of parameters");
    assert_eq!(at, "#[ports()]");
}

#[test]
fn formulas_are_read_as_they_are_called_outside() {
    for (formula, text) in [
        ("p.ways", "WAYS"),
        ("id_w(p.ways)", "id_w(WAYS)"),
        ("p.requester_w()", "requester_w()"),
        ("p.qbmi().quota_w()", "qbmi().quota_w()"),
        ("64 - clog2(p.banks)", "64 - clog2(BANKS)"),
        ("p.sets / (2 * p.applications)", "SETS / (2 * APPLICATIONS)"),
        ("1 << 20", "1 << 20"),
        ("super::Matrix::code_w(p)", "code_w(p)"),
        ("limit(p.xs_w) as usize - 1", "limit(XS_W) - 1"),
        ("MAX.min(p.sets / 2)", "MAX.min(SETS / 2)"),
        ("f(p.a, p.b)", "f(A, B)"),
    ] {
        assert_eq!(crate::formula::text(formula.parse().unwrap()), text);
    }
}
