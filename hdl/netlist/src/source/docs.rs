//! Extracts the documentation comments of blocks and their fields.

use super::read::apart;
use super::scope::Source;
use super::tokens::derives;
use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, PoisonError};

/// Documentation found in a Rust source.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct BlockDocs {
    /// The file's own, `//!`.
    pub module: String,
    /// Its blocks and interfaces: the hinted one first, then as declared.
    pub structs: Vec<StructDocs>,
}

/// Documentation of a struct that derives `LogicBlock` or `LogicInterface`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct StructDocs {
    /// The struct's name.
    pub name: String,
    /// The struct's own comment.
    pub doc: String,
    /// Fields in declaration order and their comments, empty if there is none.
    pub fields: Vec<(String, String)>,
}

impl BlockDocs {
    /// The first struct that has all these fields.
    pub fn with_fields<S: AsRef<str>>(&self, names: &[S]) -> Option<&StructDocs> {
        self.structs
            .iter()
            .find(|s| names.iter().all(|n| s.field(n.as_ref()).is_some()))
    }
}

impl StructDocs {
    /// The comment of a field; `None` if there is no such field.
    pub fn field(&self, name: &str) -> Option<&str> {
        self.fields
            .iter()
            .find(|f| f.0 == name)
            .map(|f| f.1.as_str())
    }
}

/// Extracts the documentation of the blocks in a Rust source.
///
/// `hint` is the name of the struct wanted, or of its file or module: case and
/// underscores do not matter, so `lru_stack` finds `LruStack`. Never panics; a
/// text that is no Rust has no documentation.
///
/// ```
/// let source = "
///     //! `inverter`: inverts.
///     /// Inverts `W` bits.
///     #[derive(LogicBlock)]
///     pub struct Inverter<const W: usize> {
///         /// The bits to invert.
///         pub data: Signal<In, Bits<W>>,
///         pub inverted: Signal<Out, Bits<W>>,
///     }";
/// let docs = cotenant_netlist::source::docs(source, "inverter");
/// let inverter = docs.with_fields(&["data", "inverted"]).unwrap();
/// assert_eq!(inverter.field("data"), Some("The bits to invert."));
/// assert_eq!(inverter.field("inverted"), Some(""));
/// ```
pub fn docs(rust_source: &str, hint: &str) -> BlockDocs {
    let mut found = remembered(rust_source);
    // Stable: false sorts before true.
    found.structs.sort_by_key(|s| plain(&s.name) != plain(hint));
    found
}

/// What a text was found to say. Each block of a design names the text that describes it, and many
/// blocks have one text: it is parsed once.
fn remembered(rust_source: &str) -> BlockDocs {
    static READ: LazyLock<Mutex<HashMap<String, BlockDocs>>> = LazyLock::new(Mutex::default);
    let table = || READ.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(found) = table().get(rust_source) {
        return found.clone();
    }
    let found = apart(|| read(rust_source)).unwrap_or_default();
    table().insert(rust_source.into(), found.clone());
    found
}

fn read(rust_source: &str) -> BlockDocs {
    let source = Source::read(rust_source, &["LogicBlock", "LogicInterface"]);
    let structs = source
        .scopes
        .iter()
        .flat_map(|scope| &scope.structs)
        .filter(|s| derives(&s.attrs, "LogicBlock") || derives(&s.attrs, "LogicInterface"))
        .map(|s| StructDocs {
            name: s.ident.to_string(),
            doc: comment(&s.attrs),
            fields: s
                .fields
                .iter()
                .filter_map(|f| Some((f.ident.as_ref()?.to_string(), comment(&f.attrs))))
                .collect(),
        })
        .collect();
    BlockDocs {
        module: comment(&source.attributes),
        structs,
    }
}

fn plain(name: &str) -> String {
    name.chars()
        .filter(|c| *c != '_')
        .flat_map(char::to_lowercase)
        .collect()
}

/// The text of `///`, `//!`, `/** */` and `#[doc = ".."]`, without the spaces
/// and stars that only set it off.
fn comment(attributes: &[syn::Attribute]) -> String {
    let mut lines: Vec<String> = vec![];
    for attribute in attributes.iter().filter(|a| a.path().is_ident("doc")) {
        let syn::Meta::NameValue(meta) = &attribute.meta else {
            continue;
        };
        let syn::Expr::Lit(syn::ExprLit {
            lit: syn::Lit::Str(text),
            ..
        }) = &meta.value
        else {
            continue;
        };
        let text = text.value();
        if text.contains('\n') {
            let starred = |l: &str| l.trim_start().strip_prefix('*').map(str::to_string);
            lines.extend(
                text.lines()
                    .map(|l| starred(l).unwrap_or_else(|| l.to_string())),
            );
        } else {
            lines.push(text);
        }
    }
    let trimmed = |l: &String| l.strip_prefix(' ').unwrap_or(l).trim_end().to_string();
    lines
        .iter()
        .map(trimmed)
        .collect::<Vec<_>>()
        .join("\n")
        .trim()
        .to_string()
}
