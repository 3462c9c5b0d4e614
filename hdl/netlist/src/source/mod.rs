//! Reads Rust sources: hazards that rust-hdl's AST hides, and documentation.
//!
//! `#[hdl_gen]` turns the text of `update()` into an AST and drops what it
//! does not understand. The elaborator sees that AST only; [`check`] reads the
//! Rust source and finds where the two differ. It complements running
//! `update()` against the netlist, which finds a difference only if a
//! stimulus shows it.
//!
//! | rule | in `update()` or beside it | what the AST has |
//! |---|---|---|
//! | `inclusive-range` | `for i in 0..=3` | 0, 1, 2 |
//! | `loop-bound` | `0..self.n.val().index()`, a function of this file that is not `const` | the value while elaborating |
//! | `loop-pattern` | `for mut i in`, `for i @ _ in` | a loop variable named `mut i` |
//! | `shadowed-field` | a loop variable named as a field of Self | one name for both |
//! | `hidden-cast` | `bits_of(a, b)`, `Bits::<4>::add(a, b)`, a `bits` of your own | a cast of `a` |
//! | `signed` | `Signed`, `to_signed_bits`, `signed_cast`, ... | no width |
//! | `method-lookalike` | arguments of `val`, `into`, `index`, `to_bits`, `all`, `any`, `xor`; methods of these names, or `get_bit`, `get_bits`, `replace_bit`, of your own on bits, signals, integers and hardware values | rust-hdl's method, without arguments |
//! | `value-accessor` | `reset_value_x(a)`: `set_value_x` or `get_value_x` anywhere in a method's name | an access to field `x` |
//! | `match-guard` | `A if c =>` | `A =>` |
//! | `match-binding` | `x =>`, `x @ 3 =>`, `LIMIT =>`, an imported `Idle =>` | the bare name |
//! | `wildcard-not-last` | `_ =>` before other arms | a default, whatever its place |
//! | `conditional-compilation` | `#[cfg(..)]` on a statement or arm | always there |
//! | `foreign-attribute` | another attribute macro below `#[hdl_gen]` | `update()` before it |
//! | `macro-effect` | assignment, `&mut`, `return` or a call that changes `self` in `assert!`, `println!`, `comment!` | a comment |
//! | `macro-lookalike` | a `comment!`, `assert!` or `println!` of your own that expands to something; `dff_setup!` or `clock!` on something else than `self` | a comment; the same on `self` |
//! | `link-lookalike` | `Type::joined(..)`, `Type::linkage(..)` | `join` or `link` of that type |
//! | `unknown-name` | const generics, constants of a module or a type, imported, renamed or module-qualified enum values, fields with `_`, casts in subscripts | the bare text |
//! | `nested-field` | `.next.a.b =`, `.val().a.b` | one name |
//! | `plain-state` | assignment to what is no `.next` | one name |
//! | `hidden-field` | a field with `_` in a LogicStruct or LogicInterface, a signal with `_` in a LogicBlock | nothing |
//! | `self-suffix` | `self.myself.x` | `myx` |
//! | `overflowing-literal` | `0xFFFF_FFFF` where `overflowing_literals` is allowed | -1 |
//! | `index-arithmetic` | `a.val().index() + 1`, unless `a` is a `Constant` | a sum of `a`'s width |
//! | `lost-width` | `(i.to_bits::<2>() + 3) >> 1` on loop variables | a sum that does not wrap |
//! | `missing-hdl-gen` | `impl Logic` with an `update()` and no `hdl()` | nothing |
//! | `outside-logic` | `#[hdl_gen]` on another function | nothing |
//! | `hand-written-hdl` | `update()` and `hdl()` by hand, unless by [`primitive`](crate::primitive) or a wrapper that calls another block's | whatever `hdl()` says |
//! | `hand-written-block` | `impl Block` for a block with `#[hdl_gen]` | fields as `accept` names them |
//! | `hand-written-synth` | `impl Synth` | the encoding it says |
//! | `inherent-shadow` | an inherent `update`, `update_all`, `connect`, `connect_all` or `has_changed` of a block | the trait's |
//! | `operator-overload` | `impl Add`, `PartialEq`, ... for an enum or struct that signals carry | the operator on its bits |
//! | `conversion` | `impl From` or `Into` with such a type or `Bits`, where some `update()` has `.into()` | nothing |
//! | `refused-unit` | what `#[unit]` refuses: `let` without a type, an element assigned twice, ... | nothing |
//! | `unreadable` | a file that is no Rust, a function with `#[hdl_gen]` that only a macro's arguments complete | |
//!
//! What the macro itself refuses is no rule: `let`, `if let`, `return`,
//! `while`, closures, or-patterns, ranges and tuples in `match`, `&&` chains
//! with `let`, `if` as a value, labelled blocks.
//!
//! Seen are all modules of a file, function bodies, and bodies and arguments
//! of macros, in which `$name` is taken for a name and a repetition for one
//! turn. Not seen are other files (a struct or a lookalike declared there),
//! examples in documentation comments, types of expressions, and functions
//! that procedural macros make.
//!
//! ```
//! let source = "
//!     impl Logic for Counter {
//!         #[hdl_gen]
//!         fn update(&mut self) {
//!             for i in 0..=3 { self.lane[i].next = self.data.val(); }
//!         }
//!     }";
//! let findings = cotenant_netlist::source::check(source, "counter.rs");
//! assert!(findings[0].to_string().starts_with("counter.rs:5:23: inclusive-range: `0..=3`;"));
//! ```

mod blocks;
mod docs;
mod expr;
mod finding;
mod kernel;
mod read;
mod scope;
mod tokens;

pub use docs::{docs, BlockDocs, StructDocs};
pub use finding::{Finding, Rule, SourceError};

use std::path::{Path, PathBuf};

/// Finds the hazards in a Rust source, in the order of their places.
///
/// `file` is only the name in the findings. Never panics; a text that is no
/// Rust is a finding, too.
pub fn check(rust_source: &str, file: &str) -> Vec<Finding> {
    let found = read::apart(|| {
        let source = scope::Source::read(rust_source, &["hdl_gen"]);
        let mut report = kernel::Report {
            file,
            findings: vec![],
        };
        blocks::check(&source, &mut report);
        report.findings
    });
    let mut findings = found.unwrap_or_else(|| {
        let found = "the parser gave up".into();
        vec![Finding {
            file: file.into(),
            line: 1,
            column: 1,
            rule: Rule::Unreadable,
            found,
        }]
    });
    findings.sort_by_key(|f| (f.line, f.column, f.rule));
    findings.dedup();
    findings
}

/// [`check`] for a file.
///
/// # Errors
/// [`SourceError::Read`] if it cannot be read or is no UTF-8.
pub fn check_file(path: impl AsRef<Path>) -> Result<Vec<Finding>, SourceError> {
    let path = path.as_ref();
    let text = std::fs::read_to_string(path).map_err(|e| unread(path, e))?;
    Ok(check(&text, &path.display().to_string()))
}

/// [`check`] for each `.rs` file below a folder, by name; folders that are
/// hidden or named `target` are left out, links to folders not followed.
///
/// # Errors
/// [`SourceError::Read`] for the first file or folder that cannot be read.
pub fn check_dir(path: impl AsRef<Path>) -> Result<Vec<Finding>, SourceError> {
    let mut files = vec![];
    rust_files(path.as_ref(), &mut files)?;
    files.sort();
    let mut findings = vec![];
    for file in files {
        findings.extend(check_file(file)?);
    }
    Ok(findings)
}

fn rust_files(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), SourceError> {
    for entry in std::fs::read_dir(folder).map_err(|e| unread(folder, e))? {
        let entry = entry.map_err(|e| unread(folder, e))?;
        let (path, name) = (entry.path(), entry.file_name());
        let kind = entry.file_type().map_err(|e| unread(&path, e))?;
        if kind.is_dir() {
            if name != "target" && !name.to_string_lossy().starts_with('.') {
                rust_files(&path, files)?;
            }
        } else if path.extension().is_some_and(|e| e == "rs") {
            files.push(path);
        }
    }
    Ok(())
}

fn unread(path: &Path, source: std::io::Error) -> SourceError {
    SourceError::Read {
        path: path.into(),
        source,
    }
}
