//! The rules of the source check and the texts of its findings.

use std::fmt;
use std::path::PathBuf;

/// A hazard at one place of a Rust source.
///
/// Displays as `file:line:column: rule: what was found; why it is wrong; what
/// to write instead`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct Finding {
    /// The file, as given to the check.
    pub file: String,
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// Which rule was broken.
    pub rule: Rule,
    /// What stands there.
    pub found: String,
}

impl Finding {
    /// Why it is wrong.
    pub fn why(&self) -> &'static str {
        self.rule.why()
    }

    /// What to write instead.
    pub fn instead(&self) -> &'static str {
        self.rule.instead()
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Finding {
            file,
            line,
            column,
            rule,
            found,
        } = self;
        write!(
            f,
            "{file}:{line}:{column}: {rule}: {found}; {}; {}",
            self.why(),
            self.instead()
        )
    }
}

/// Why a file or folder could not be checked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SourceError {
    /// The file or folder cannot be read, or is no UTF-8.
    #[error("{}: cannot be read: {source}", .path.display())]
    Read {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
}

macro_rules! rules {
    ($($rule:ident $name:literal: $why:literal, $instead:literal;)*) => {
        /// What can be wrong; the table in [`source`](crate::source) explains each.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Rule {
            $(#[doc = concat!("`", $name, "`: ", $why, ".")] $rule,)*
        }

        impl Rule {
            /// All rules, in the order of the table.
            pub const ALL: &'static [Rule] = &[$(Rule::$rule),*];

            /// The name in findings and in the table.
            pub fn name(self) -> &'static str {
                match self { $(Rule::$rule => $name),* }
            }

            /// Why it is wrong.
            pub fn why(self) -> &'static str {
                match self { $(Rule::$rule => $why),* }
            }

            /// What to write instead.
            pub fn instead(self) -> &'static str {
                match self { $(Rule::$rule => $instead),* }
            }
        }
    };
}

rules! {
    InclusiveRange "inclusive-range":
        "hdl() drops the `=` and loses the last turn", "write the bound one higher: `0..4`, `0..(N + 1)`";
    LoopBound "loop-bound":
        "hdl() takes the value that the bound has while elaborating, update() the one of the moment", "loop to a literal, const generic or constant and use `if` inside";
    LoopPattern "loop-pattern":
        "the pattern's text becomes the name of the loop variable", "use a plain name";
    ShadowedField "shadowed-field":
        "hdl() drops `self.`, so field and loop variable are one name", "rename the loop variable";
    HiddenCast "hidden-cast":
        "every call whose text starts with `bits`, `Bits` or `bit_cast` becomes a cast of its first argument", "use only `bit_cast::<M, N>(x)`, `bits::<N>(x)` and `Bits::<N>::from(x)`, and operators or a child block for the rest";
    Signed "signed":
        "hdl() drops the width of a signed value", "use Bits and write the sign extension out";
    MethodLookalike "method-lookalike":
        "hdl() goes by the method's name: the arguments or the body of this one are ignored", "call rust-hdl's own method, and write the rest with operators";
    ValueAccessor "value-accessor":
        "hdl() turns every method with `set_value_X` or `get_value_X` in its name into an access to field X", "write `.next.field = value` or `.val().field`";
    MatchGuard "match-guard":
        "hdl() drops the guard: the arm is taken always", "put the condition in an `if` inside the arm";
    MatchBinding "match-binding":
        "hdl() has the bare name: no binding, no value of a constant, no `@`", "match qualified enum values, literals and `_`";
    WildcardNotLast "wildcard-not-last":
        "Rust takes the first arm that fits, a `case` its default only when no other fits", "put `_` last";
    ConditionalCompilation "conditional-compilation":
        "hdl() has it always, whatever the condition says", "put `#[cfg]` on the whole block or use a const generic";
    ForeignAttribute "foreign-attribute":
        "hdl() was made before this attribute changes update()", "put it above `#[hdl_gen]`, or drop it";
    MacroEffect "macro-effect":
        "hdl() keeps only a comment of it, update() executes it", "put it in a statement of its own";
    MacroLookalike "macro-lookalike":
        "hdl() goes by the macro's name and does not expand it", "rename the macro, and use `self` as the first argument of rust-hdl's own";
    LinkLookalike "link-lookalike":
        "hdl() takes every call with `::join` or `::link` in it for the interface connection of that name", "call `Type::join(&mut self.a, &mut self.b)` or `Type::link(..)` alone, and rename others";
    UnknownName "unknown-name":
        "hdl() has the bare text and no value", "use a `Constant` field, a loop variable, or `Enum::Value` with the enum's own name";
    NestedField "nested-field":
        "hdl() finds the position of a struct's direct fields only", "assign the inner struct to a Local and take its field";
    PlainState "plain-state":
        "state outside of signals does not exist in hardware", "assign to `.next` of a signal";
    HiddenField "hidden-field":
        "rust-hdl leaves out fields whose name starts with `_`: Rust carries and compares it, the hardware has no such bits", "rename it, or move it out of the value";
    SelfSuffix "self-suffix":
        "hdl() drops every `self.`, also that in the end of a name", "rename the field";
    OverflowingLiteral "overflowing-literal":
        "hdl() takes it for an i32 and makes it negative", "add the suffix `u64`";
    IndexArithmetic "index-arithmetic":
        "hdl() drops `.index()`: Rust computes with 64 bits, the hardware with the signal's width", "compute in a Local that is wide enough";
    LostWidth "lost-width":
        "hdl() drops the width of `to_bits`: Rust wraps, the elaborator does not", "compute with integers before `to_bits`: `((i + 1) >> 1).to_bits::<N>()`";
    MissingHdlGen "missing-hdl-gen":
        "without `#[hdl_gen]` the block has no hardware", "add `#[hdl_gen]`";
    OutsideLogic "outside-logic":
        "only `update` of `impl Logic` is simulated and elaborated", "move it to `impl Logic for` the block";
    HandWrittenHdl "hand-written-hdl":
        "nothing ties a hand-written hdl() to update()", "use `#[hdl_gen]`, or build from `primitive::reg` and `primitive::ram`";
    HandWrittenBlock "hand-written-block":
        "names and order of the fields in the hardware are then what `accept` says", "derive LogicBlock";
    HandWrittenSynth "hand-written-synth":
        "nothing ties the encoding in hardware to the value in Rust", "derive LogicState or LogicStruct";
    InherentShadow "inherent-shadow":
        "Rust calls the inherent method, hdl() describes the trait's", "rename the inherent method";
    OperatorOverload "operator-overload":
        "hdl() has the plain operator on the bits, whatever this does", "derive PartialEq, and write arithmetic on Bits";
    Conversion "conversion":
        "hdl() drops `.into()`: the bits stay, whatever this does", "use rust-hdl's own conversions, or `match` in update()";
    RefusedUnit "refused-unit":
        "`#[unit]` makes no block of it", "docs/unit-form.md says how a unit is written";
    Unreadable "unreadable":
        "a source that cannot be parsed is not checked", "make it plain Rust that `syn` can parse";
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
