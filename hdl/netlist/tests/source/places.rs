//! Where in a file or folder hazards are found, and how they are shown.

use cotenant_netlist::source::{check, check_dir, check_file, Finding, Rule, SourceError};
use std::error::Error;

const HAZARD: &str = "impl Logic for U { #[hdl_gen] fn update(&mut self) { for i in 0..=3 {} } }";

fn rules(source: &str) -> Vec<Rule> {
    check(source, "unit.rs").iter().map(|f| f.rule).collect()
}

// A person must find the place: lines and columns count from 1, columns in
// characters, whatever stands before; and learn all three things.
#[test]
fn a_finding_names_place_cause_and_remedy() {
    let source = "// é\nimpl Logic for U {\n  #[hdl_gen]\n  fn update(&mut self) {\n\
                  \tcomment!(\"é\"); for i in 0..=3 {}\n  }\n}\n";
    let [finding] = &check(source, "src/unit.rs")[..] else {
        panic!("one finding")
    };
    let Finding {
        file,
        line,
        column,
        rule,
        found,
        ..
    } = finding;
    assert_eq!(
        (file.as_str(), *line, *column, *rule),
        ("src/unit.rs", 5, 27, Rule::InclusiveRange)
    );
    assert_eq!(found, "`0..=3`");
    assert_eq!(
        finding.to_string(),
        "src/unit.rs:5:27: inclusive-range: `0..=3`; hdl() drops the `=` and loses the last turn; \
         write the bound one higher: `0..4`, `0..(N + 1)`"
    );
    assert!(finding.why().contains("drops the `=`") && finding.instead().contains("0..4"));
}

// What `#[unit]` refuses is where rustc shows it.
#[test]
fn a_refused_unit_is_shown_at_its_line() {
    let source = "#[unit]\nmod u {\n  struct U {\n    pub a: In<Bit>,\n  }\n  \
                  fn update(&mut self) {\n    let é = self.a;\n  }\n}\n";
    let [finding] = &check(source, "u.rs")[..] else {
        panic!("one finding")
    };
    assert_eq!(
        finding.to_string(),
        "u.rs:7:9: refused-unit: a wire has a name and a type: `let sum: Bits<W> = ..`; \
         `#[unit]` makes no block of it; docs/unit-form.md says how a unit is written"
    );
}

// Several findings come in the order of the text, and each once.
#[test]
fn in_the_order_of_the_text() {
    let source =
        "impl Logic for U { fn hdl(&self) -> Verilog { x() } fn update(&mut self) { y() } }
        impl Logic for V { #[hdl_gen] fn update(&mut self) {
            for i in 0..=self.n { for j in 0..=3 {} } } }
        impl Synth for X {}";
    let expected = [
        Rule::HandWrittenHdl,
        Rule::LoopBound,
        Rule::InclusiveRange,
        Rule::InclusiveRange,
        Rule::HandWrittenSynth,
    ];
    let mut found = rules(source);
    // Bound and limits stand side by side.
    found[1..3].sort_by_key(|r| *r != Rule::LoopBound);
    assert_eq!(found, expected);
}

// Each kind of place that an impl can stand in.
#[test]
fn modules_functions_and_macros() {
    let places = [
        ("file", "@"),
        ("module", "mod a { pub mod b { @ } }"),
        ("test module", "#[cfg(test)] mod tests { use super::*; @ }"),
        ("function", "fn f() { let x = 3; @ }"),
        ("closure", "fn f() { let g = || { @ }; }"),
        ("method", "impl A { fn f(&self) { if x { @ } } }"),
        ("trait", "trait A { fn f(&self) { @ } }"),
        ("constant", "const A: u8 = { @ 3 };"),
        ("second hdl_gen path", "mod a { use hdl::hdl_gen; @ }"),
        (
            "macro body",
            "macro_rules! m { ($a:ident) => { struct $a; @ }; }",
        ),
        (
            "second arm",
            "macro_rules! m { () => {}; ($($a:ident),+ $(,)?) => { $(struct $a;)+ @ }; }",
        ),
        (
            "nested macro",
            "macro_rules! m { () => { macro_rules! n { () => { @ } } } }",
        ),
        ("macro argument", "declare! { struct A; @ }"),
        (
            "macro of its own syntax",
            "declare! { name = A, width: 3 => { @ } }",
        ),
        ("macro in a function", "fn f() { quick! { |x| { @ } } }"),
    ];
    for (place, around) in places {
        assert_eq!(
            rules(&around.replace('@', HAZARD)),
            [Rule::InclusiveRange],
            "{place}"
        );
    }
}

// In a macro, `$name` is a name and a repetition is one turn; what stands for
// an argument is no constant, and fields are known.
#[test]
fn macro_arguments_are_names() {
    let body = |statements: &str| {
        format!(
            "macro_rules! unit {{ ($name:ident, $n:expr, [$($port:ident: $w:literal),*]) => {{
                #[derive(LogicBlock)] pub struct $name {{ $(pub $port: Signal<In, Bits<$w>>,)* i: X }}
                impl $crate::hdl::Logic for $name {{ #[hdl_gen] fn update(&mut self) {{ {statements} }} }}
            }}; }}"
        )
    };
    let clean = "for k in 0..$n { $(self.$port.next = self.row[$n].val();)* self.o.next = $n; }
        match self.m.val() { $state => {} _ => {} }";
    assert_eq!(rules(&body(clean)), []);
    assert_eq!(
        rules(&body("for i in 0..$n { self.o.next = 0.into(); }")),
        [Rule::ShadowedField]
    );
    assert_eq!(rules(&body("self.o.next = N;")), [Rule::UnknownName]);
}

// The struct may stand in another module of the file, or not in it at all.
#[test]
fn the_struct_of_an_update() {
    let update = "impl Logic for U { #[hdl_gen] fn update(&mut self) { for i in 0..3 {} } }";
    let with = "struct U { i: u8 }";
    let without = "struct U { j: u8 }";
    assert_eq!(rules(&format!("{with} {update}")), [Rule::ShadowedField]);
    assert_eq!(
        rules(&format!("{with} mod a {{ {update} }}")),
        [Rule::ShadowedField]
    );
    assert_eq!(
        rules(&format!("{update} mod a {{ {with} }}")),
        [Rule::ShadowedField]
    );
    assert_eq!(rules(update), []);
    // The nearest of the same name counts; of two far ones, none.
    assert_eq!(rules(&format!("{with} mod a {{ {without} {update} }}")), []);
    assert_eq!(
        rules(&format!(
            "mod a {{ {with} }} mod b {{ {without} }} {update}"
        )),
        []
    );
}

// What cannot be parsed must not pass as clean.
#[test]
fn unreadable_sources_are_findings() {
    for (text, line) in [("fn f() {\n let x = ;\n}", 2), ("\n\"", 2), ("fn f( {", 1)] {
        let findings = check(text, "x.rs");
        assert_eq!(findings.len(), 1, "{text}");
        assert_eq!(
            (findings[0].rule, findings[0].line),
            (Rule::Unreadable, line),
            "{text}"
        );
    }
    let deep = format!("const X: u8 = {}1{};", "(".repeat(5000), ")".repeat(5000));
    assert_eq!(rules(&deep), [Rule::Unreadable]);
    assert_eq!(rules(""), []);
}

// Folders: all Rust files by name, at any depth, but no build products; the
// errors name the file.
#[test]
fn files_and_folders() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &[u8]| {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        path
    };
    write("b.rs", HAZARD.as_bytes());
    write("a/deep/c.rs", HAZARD.as_bytes());
    write("clean.rs", b"fn f() {}");
    for ignored in ["notes.txt", "target/debug/x.rs", ".git/x.rs"] {
        write(ignored, HAZARD.as_bytes());
    }
    let files: Vec<String> = check_dir(&folder)
        .unwrap()
        .into_iter()
        .map(|f| f.file)
        .collect();
    let expected = ["a/deep/c.rs", "b.rs"].map(|f| folder.path().join(f).display().to_string());
    assert_eq!(files, expected);

    let missing = folder.path().join("missing.rs");
    let error = check_file(&missing).unwrap_err();
    assert!(matches!(&error, SourceError::Read { path, .. } if *path == missing));
    assert!(
        error.to_string().contains("missing.rs: cannot be read"),
        "{error}"
    );
    assert!(error.source().is_some());
    assert!(check_dir(&missing).is_err());
    let binary = write("binary.rs", &[0xff, 0xfe]);
    assert!(check_file(binary).is_err());
}
