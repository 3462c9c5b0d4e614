//! Errors of elaboration.

/// A block that cannot be elaborated: where, what, and what to write instead.
///
/// `block` is the path of the instance below the top block, `signal` the
/// Rust path of the field inside it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A signal keeps its old value on some path: an unintended latch.
    #[error("{block}: '{signal}' is not assigned on every path{missing}: it would be a latch; assign a default first")]
    Latch {
        /// Path of the block.
        block: String,
        /// The signal.
        signal: String,
        /// Empty, or the bits that some path leaves out.
        missing: String,
    },
    /// A local or output is read while some path has not assigned it yet.
    #[error("{block}: '{signal}' is read before it is assigned on every path: assign it first")]
    ReadBeforeAssignment {
        /// Path of the block.
        block: String,
        /// The signal.
        signal: String,
    },
    /// A signal depends on itself within one cycle.
    #[error("combinational loop: {}: break it with a flop", .cycle.join(" <- "))]
    CombinationalLoop {
        /// The signals of the cycle, each driven by the next.
        cycle: Vec<String>,
    },
    /// A signal that something else drives is assigned, too.
    #[error("{block}: '{signal}' has two drivers: {drivers}")]
    TwoDrivers {
        /// Path of the block.
        block: String,
        /// The signal.
        signal: String,
        /// What drives it.
        drivers: String,
    },
    /// A child's input, an output or a clock without a driver.
    #[error("{block}: '{signal}' is never driven: assign it in update()")]
    Undriven {
        /// Path of the block.
        block: String,
        /// The signal.
        signal: String,
    },
    /// A name in `update()` that is no signal, constant, enum value or loop variable.
    #[error("{block}: unknown name '{name}'{hint}")]
    UnknownName {
        /// Path of the block.
        block: String,
        /// The name as the AST has it.
        name: String,
        /// What it may be, and what to write.
        hint: String,
    },
    /// An array of signals indexed by a signal's value.
    #[error("{block}: '{signal}' is an array of signals indexed by a signal: compare with the loop variable of a `for` instead")]
    DynamicArrayIndex {
        /// Path of the block.
        block: String,
        /// The subscripted name.
        signal: String,
    },
    /// Two widths that must agree do not.
    #[error("{block}: {what}: {found} bits where {expected} are expected")]
    Width {
        /// Path of the block.
        block: String,
        /// The expression or port.
        what: String,
        /// Width that the place needs.
        expected: usize,
        /// Width that it got.
        found: usize,
    },
    /// An integer that its place cannot hold.
    #[error("{block}: {value} does not fit into {width} bits")]
    DoesNotFit {
        /// Path of the block.
        block: String,
        /// The integer.
        value: String,
        /// Width of its place.
        width: usize,
    },
    /// A constant bit position outside its signal.
    #[error("{block}: bit {index} of {what}, which has {width} bits")]
    OutOfRange {
        /// Path of the block.
        block: String,
        /// The sliced or indexed expression.
        what: String,
        /// The position.
        index: String,
        /// Width of the expression.
        width: usize,
    },
    /// A construct outside the subset.
    #[error("{block}: {what} is not supported: {instead}")]
    Unsupported {
        /// Path of the block.
        block: String,
        /// The construct.
        what: String,
        /// What to write instead.
        instead: String,
    },
}

/// Something that is probably not meant, but harmless.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Warning {
    /// This signal, or these bits of it, are never read.
    Unread {
        /// Path of the block.
        block: String,
        /// The signal.
        signal: String,
        /// `None` for the whole signal, else the unread bits as `[high:low]`.
        bits: Option<String>,
    },
}

impl std::fmt::Display for Warning {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Warning::Unread {
            block,
            signal,
            bits,
        } = self;
        let bits = bits.as_deref().unwrap_or("");
        write!(f, "{block}: '{signal}'{bits} is never read: use it, drop it, or say About::unused(\"{signal}\")")
    }
}
