//! Errors of simulation.

/// What goes wrong when a simulator is built or addressed by name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SimError {
    /// No input, output, flop, RAM or signal has this name.
    #[error("no {kind} is called '{name}'{}", hint(.nearest))]
    UnknownName {
        /// What was looked for: `input`, `output`, `state`, `signal`.
        kind: &'static str,
        /// The name as given.
        name: String,
        /// The most similar name of that kind.
        nearest: Option<String>,
    },
    /// A value of another width than its place.
    #[error("'{name}' has {expected} bits, the value has {found}")]
    Width {
        /// The name as given.
        name: String,
        /// Width of the place.
        expected: usize,
        /// Width of the value; of an integer, as many bits as it needs.
        found: usize,
    },
    /// A RAM word beyond the end.
    #[error("'{name}' has {depth} words, there is no word {index}")]
    Index {
        /// Name of the RAM.
        name: String,
        /// Number of words.
        depth: usize,
        /// The word asked for.
        index: usize,
    },
    /// A saved state that belongs to another design.
    #[error("the state has {found} words, this design has {expected}")]
    State {
        /// Words of this design's state.
        expected: usize,
        /// Words given.
        found: usize,
    },
    /// More state than can be addressed.
    #[error("the design needs {words} words of 64 bits, at most {limit} can be simulated")]
    TooLarge {
        /// Words needed.
        words: u128,
        /// The limit.
        limit: u128,
    },
    /// A graph that elaboration has not finished, or whose widths disagree.
    #[error("node {node} of the graph cannot be simulated: {reason}")]
    Malformed {
        /// Index of the node.
        node: u32,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// The compiler does not support this machine.
    #[error("no native code for this machine: {reason}; use the interpreter")]
    Host {
        /// The compiler's words.
        reason: String,
    },
    /// The compiler failed on this design.
    #[error("native code generation failed: {reason}; use the interpreter")]
    Codegen {
        /// The compiler's words.
        reason: String,
    },
}

fn hint(nearest: &Option<String>) -> String {
    nearest
        .as_ref()
        .map_or(String::new(), |n| format!("; did you mean '{n}'?"))
}

/// The name with the fewest edits to `name`.
pub(super) fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<String> {
    known
        .min_by_key(|known| strsim::levenshtein(name, known))
        .map(str::to_owned)
}
