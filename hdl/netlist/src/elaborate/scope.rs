//! Resolves names inside a block: signals, constants, loop variables and enum values.

use super::hierarchy::readable;
use super::subscript::{self, Failure};
use super::widgets::Widgets;
use crate::error::Error;
use crate::ir::{Module, NetId};
use num_bigint::BigUint;
use std::collections::HashMap;

/// What a name stands for.
#[derive(Clone, Debug)]
pub(super) enum Symbol {
    Net(NetId),
    Const(usize, BigUint),
    Loop(i128),
}

/// A block while its statements are typed.
pub(super) struct Scope {
    pub path: String,
    pub module: Module,
    pub names: HashMap<String, Symbol>,
    pub loops: Vec<(String, i128)>,
    /// Nesting of conditions; clocks may only be copied at depth 0.
    pub depth: usize,
    pub widgets: Widgets,
}

impl Scope {
    /// The block's path, with the loop variables' values.
    pub fn here(&self) -> String {
        if self.loops.is_empty() {
            return self.path.clone();
        }
        let values: Vec<String> = self
            .loops
            .iter()
            .map(|(n, v)| format!("{n} = {v}"))
            .collect();
        format!("{} (at {})", self.path, values.join(", "))
    }

    pub fn unsupported<T>(&self, what: impl Into<String>, instead: &str) -> Result<T, Error> {
        Err(Error::Unsupported {
            block: self.here(),
            what: what.into(),
            instead: instead.into(),
        })
    }

    /// Resolves a name as the AST spells it.
    pub fn symbol(&self, spelled: &str) -> Result<Symbol, Error> {
        let name = self.canonical(spelled)?;
        let looped = self.loops.iter().rev().find(|l| l.0 == name);
        match (looped, self.names.get(&name)) {
            (Some(_), Some(_)) => self.unsupported(
                format!("'{name}' as both loop variable and field"),
                "`self.` is invisible in the AST; rename the loop variable",
            ),
            (Some((_, value)), None) => Ok(Symbol::Loop(*value)),
            (None, Some(symbol)) => Ok(symbol.clone()),
            (None, None) => Err(self.unknown(&name)),
        }
    }

    fn unknown(&self, name: &str) -> Error {
        let hint = if name.contains('$') && name.ends_with(|c: char| c.is_ascii_digit()) {
            ": is the subscript out of range?"
        } else if name
            .chars()
            .all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_')
        {
            ": const generics and Rust constants are invisible in the AST; use a Constant field or a loop bound"
        } else {
            ": not a signal, Constant, enum value or loop variable of this block"
        };
        Error::UnknownName {
            block: self.here(),
            name: readable(name),
            hint: hint.into(),
        }
    }

    /// `self.count[2 * i].q.next` as `count$4$q`.
    fn canonical(&self, spelled: &str) -> Result<String, Error> {
        // rustc breaks the text of long tokens over lines.
        let spelled: &str = &spelled.split_whitespace().collect::<String>();
        let trimmed = spelled
            .strip_suffix("$next")
            .unwrap_or(spelled)
            .trim_start_matches('.');
        let mut name = trimmed
            .replace('.', "$")
            .replace("::", "$")
            .replace("$val()", "");
        let name_is_dynamic = trimmed.contains("$val()");
        while let Some(open) = name.find('[') {
            let Some(close) = matching(&name[open..]).map(|n| open + n) else {
                return self.unsupported(format!("subscript '{name}'"), "balance the brackets");
            };
            let inside = name[open + 1..close].replace("$index()", "");
            let value = |word: &str| self.integer_named(word);
            let at = subscript::evaluate(&inside, &value).map_err(|failure| match failure {
                Failure::Unknown(_) if name_is_dynamic => Error::DynamicArrayIndex {
                    block: self.here(),
                    signal: trimmed.into(),
                },
                Failure::Unknown(word) => self.unknown(&word),
                Failure::Malformed(text) => Error::Unsupported {
                    block: self.here(),
                    what: format!("subscript '{text}' of '{trimmed}'"),
                    instead: "use integers, loop variables, + - * / % and parentheses".into(),
                },
            })?;
            name = format!("{}${at}{}", &name[..open], &name[close + 1..]);
        }
        Ok(name)
    }

    /// Value of a loop variable or constant in a subscript.
    fn integer_named(&self, word: &str) -> Option<i128> {
        if let Some((_, value)) = self.loops.iter().rev().find(|l| l.0 == word) {
            return Some(*value);
        }
        match self.names.get(word) {
            Some(Symbol::Const(_, value)) => i128::try_from(value).ok(),
            _ => None,
        }
    }
}

/// Position of the bracket that closes the first one of `text`.
fn matching(text: &str) -> Option<usize> {
    let mut depth = 0usize;
    for (at, c) in text.char_indices() {
        match c {
            '[' => depth += 1,
            ']' => {
                depth -= 1;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}
