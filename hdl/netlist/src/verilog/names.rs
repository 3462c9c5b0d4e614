//! Makes Verilog identifiers of Rust paths, unique within their scope.

use super::reserved::is_reserved;
use std::collections::HashSet;

/// Longest module name: it is also a file's name.
const MODULE_NAME: usize = 120;

/// `count[3][2].q` as an identifier: `count_3_2_q`.
///
/// Other characters than letters, digits and `_` become `_`, and runs of `_`
/// one: Verilator mangles double ones.
pub(super) fn identifier(path: &str) -> String {
    let mut out = String::new();
    for c in path.strip_prefix("r#").unwrap_or(path).chars() {
        let c = if c.is_ascii_alphanumeric() { c } else { '_' };
        if c != '_' || !out.ends_with('_') {
            out.push(c);
        }
    }
    let trimmed = out.trim_end_matches('_');
    match trimmed.chars().next() {
        None => "unnamed".into(),
        Some(c) if c.is_ascii_digit() => format!("n{trimmed}"),
        _ => trimmed.into(),
    }
}

/// `State::WaitForData` as a constant's name: `WAIT_FOR_DATA`.
pub(super) fn constant_name(label: &str) -> String {
    let last = label.rsplit("::").next().unwrap_or(label);
    let mut out = String::new();
    let mut before = '_';
    for c in last.chars() {
        if c.is_ascii_uppercase() && (before.is_ascii_lowercase() || before.is_ascii_digit()) {
            out.push('_');
        }
        out.push(c.to_ascii_uppercase());
        before = c;
    }
    identifier(&out)
}

/// Identifiers taken so far; they differ by more than upper and lower case.
#[derive(Clone, Debug, Default)]
pub(super) struct Scope {
    taken: HashSet<String>,
}

impl Scope {
    /// The wanted identifier, with a `_` if it is reserved, with a number if
    /// it is taken.
    pub fn claim(&mut self, wanted: &str) -> String {
        let base = if is_reserved(wanted) {
            format!("{wanted}_")
        } else {
            wanted.to_string()
        };
        let mut name = base.clone();
        let mut number = 2;
        while !self.taken.insert(name.to_ascii_lowercase()) {
            name = format!("{}_{number}", base.trim_end_matches('_'));
            number += 1;
        }
        name
    }

    /// The same for a module's name.
    pub fn claim_module(&mut self, wanted: &str) -> String {
        let mut wanted = identifier(wanted);
        wanted.truncate(MODULE_NAME);
        self.claim(&wanted)
    }

    /// Marks a name as taken.
    pub fn reserve(&mut self, name: &str) {
        self.taken.insert(name.to_ascii_lowercase());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // Shapes of Rust paths, each list of reserved words, collisions that
    // arise only after renaming.
    #[test]
    fn identifiers() {
        assert_eq!(identifier("count[3][2].q"), "count_3_2_q");
        assert_eq!(identifier("r#type"), "type");
        assert_eq!(identifier("a__b"), "a_b");
        assert_eq!(identifier("größe"), "gr_e");
        assert_eq!(identifier("_"), "unnamed");
        assert_eq!(constant_name("State::WaitForData"), "WAIT_FOR_DATA");
        assert_eq!(constant_name("IDLE"), "IDLE");
    }

    #[test]
    fn reserved_words_get_an_underscore() {
        for word in [
            "reg", "logic", "unique0", "set", "name", "final", "eval", "errno", "NULL", "Reg",
            "vl_x",
        ] {
            assert_eq!(Scope::default().claim(word), format!("{word}_"));
        }
        assert_eq!(Scope::default().claim("clock"), "clock");
    }

    #[test]
    fn names_stay_apart() {
        let mut scope = Scope::default();
        assert_eq!(scope.claim("set_"), "set_");
        assert_eq!(scope.claim("set"), "set_2");
        assert_eq!(scope.claim("a_2"), "a_2");
        assert_eq!(scope.claim("a"), "a");
        assert_eq!(scope.claim("A"), "A_3");
        assert!(Scope::default().claim_module(&"x".repeat(500)).len() <= MODULE_NAME);
    }
}
