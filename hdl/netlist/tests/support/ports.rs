//! Driving and reading rust-hdl blocks by name.

use cotenant_netlist::hdl::*;
use num_bigint::BigUint;

/// A type whose value can be set from its bits.
pub trait Encode: Synth {
    /// From the bits; the caller has taken care that they fit.
    fn decode(bits: &BigUint) -> Self;
}

impl<const N: usize> Encode for Bits<N> {
    fn decode(bits: &BigUint) -> Self {
        bits.clone().into()
    }
}

impl Encode for bool {
    fn decode(bits: &BigUint) -> Self {
        bits.bit(0)
    }
}

impl Encode for Clock {
    fn decode(bits: &BigUint) -> Self {
        bits.bit(0).into()
    }
}

/// The bits of any rust-hdl value, as its literal prints them.
pub fn bits_of(literal: &VerilogLiteral) -> BigUint {
    let text = format!("{literal:x}");
    let digits = text.split_once("'h").expect("a sized literal").1;
    BigUint::parse_bytes(digits.as_bytes(), 16).expect("hex digits")
}

/// An input, or an array of them.
pub trait Port {
    /// Sets the input called `rest` below this one; the empty name is itself.
    fn poke(&mut self, rest: &str, value: &BigUint) -> bool;
}

impl<T: Encode> Port for Signal<In, T> {
    fn poke(&mut self, rest: &str, value: &BigUint) -> bool {
        self.next = T::decode(value);
        rest.is_empty()
    }
}

impl<P: Port, const N: usize> Port for [P; N] {
    fn poke(&mut self, rest: &str, value: &BigUint) -> bool {
        let Some((index, rest)) = rest.strip_prefix('[').and_then(|r| r.split_once(']')) else {
            return false;
        };
        index
            .parse()
            .ok()
            .and_then(|i: usize| self.get_mut(i))
            .is_some_and(|p| p.poke(rest, value))
    }
}

/// A block whose inputs can be set by name.
pub trait Ports: Block {
    /// Sets an input; `false` if there is none of this name.
    fn poke(&mut self, name: &str, value: &BigUint) -> bool;
}

/// `name` without the field `field` in front, if that is how it begins.
pub fn below<'a>(name: &'a str, field: &str) -> Option<&'a str> {
    let rest = name.strip_prefix(field)?;
    let ends = rest.is_empty() || rest.starts_with('[') || rest.starts_with('.');
    ends.then(|| rest.strip_prefix('.').unwrap_or(rest))
}

/// Declares a block: inputs with their types, other fields, `update()`.
///
/// `update()` must come whole from the caller, or its `self` is another one.
#[allow(unused_macros)]
macro_rules! block {
    (
        $(#[$meta:meta])*
        $name:ident { $($input:ident : $input_ty:ty),* $(; $($field:ident : $ty:ty),*)? $(,)? }
        $($update:tt)*
    ) => {
        $(#[$meta])*
        #[derive(LogicBlock, Default)]
        struct $name { $($input: $input_ty,)* $($($field: $ty,)*)? }
        impl Logic for $name {
            $($update)*
        }
        ports!($name { $($input),* });
    };
}

/// Makes the named fields of a block settable by name.
#[allow(unused_macros)]
macro_rules! ports {
    ($name:ty { $($input:ident),* $(,)? }) => {
        impl crate::support::ports::Ports for $name {
            #[allow(unused_variables)]
            fn poke(&mut self, name: &str, value: &num_bigint::BigUint) -> bool {
                $(
                    if let Some(rest) = crate::support::ports::below(name, stringify!($input)) {
                        return crate::support::ports::Port::poke(&mut self.$input, rest, value);
                    }
                )*
                false
            }
        }
    };
}

/// Names and values of every signal below a block, clocks left out.
pub fn signals(block: &dyn Block) -> Vec<(String, BigUint)> {
    let mut reader = Reader {
        path: vec![],
        names: true,
        out: vec![],
    };
    block.accept("top", &mut reader);
    reader.out
}

/// The values alone, in the same order; does not build the names again.
pub fn values(block: &dyn Block) -> Vec<BigUint> {
    let mut reader = Reader {
        path: vec![],
        names: false,
        out: vec![],
    };
    block.accept("top", &mut reader);
    reader.out.into_iter().map(|s| s.1).collect()
}

struct Reader {
    path: Vec<String>,
    names: bool,
    out: Vec<(String, BigUint)>,
}

impl Reader {
    /// `rows$1$cells$0.q` as the netlist has it: `rows[1].cells[0].q`.
    fn name(&self, atom: &str) -> String {
        let mut out = String::new();
        let parts = self.path.iter().skip(1).map(String::as_str).chain([atom]);
        for (i, word) in parts.flat_map(|p| p.split('$')).enumerate() {
            if word.bytes().all(|b| b.is_ascii_digit()) {
                out += &format!("[{word}]");
            } else {
                out += if i > 0 { "." } else { "" };
                out += word;
            }
        }
        out
    }
}

impl Probe for Reader {
    fn visit_start_scope(&mut self, name: &str, _: &dyn Block) {
        self.path.push(name.into());
    }
    fn visit_end_scope(&mut self, _: &str, _: &dyn Block) {
        self.path.pop();
    }
    fn visit_start_namespace(&mut self, name: &str, _: &dyn Block) {
        self.path.push(name.into());
    }
    fn visit_end_namespace(&mut self, _: &str, _: &dyn Block) {
        self.path.pop();
    }
    fn visit_atom(&mut self, name: &str, atom: &dyn Atom) {
        if atom.kind() == AtomKind::Constant || atom.descriptor().name == "clock" {
            return;
        }
        let name = if self.names {
            self.name(name)
        } else {
            String::new()
        };
        self.out.push((name, bits_of(&atom.verilog())));
    }
}
