//! Description of a block: name, parameters, source and documentation.
//!
//! rust-hdl's AST knows the names of instances but not of blocks. A block that
//! carries an [`About`] field tells the elaborator who it is; the Verilog
//! export names the module after it and quotes its documentation.
//!
//! ```
//! use cotenant_netlist::hdl::*;
//! use cotenant_netlist::About;
//!
//! /// Inverts.
//! #[derive(LogicBlock)]
//! struct Inverter<const W: usize> {
//!     /// The bits to invert.
//!     pub data: Signal<In, Bits<W>>,
//!     /// The inverted bits.
//!     pub inverted: Signal<Out, Bits<W>>,
//!     about: About,
//! }
//! impl<const W: usize> Default for Inverter<W> {
//!     fn default() -> Self {
//!         let about = About::new("inverter")
//!             .parameter("WIDTH", W)
//!             .citing("any textbook")
//!             .documented_in(include_str!("about.rs"));
//!         Inverter { data: Default::default(), inverted: Default::default(), about }
//!     }
//! }
//! impl<const W: usize> Logic for Inverter<W> {
//!     #[hdl_gen]
//!     fn update(&mut self) {
//!         self.inverted.next = !self.data.val();
//!     }
//! }
//! let netlist = cotenant_netlist::elaborate(&Inverter::<4>::default(), "inverter")?;
//! assert_eq!(netlist.module().name, "inverter_width4");
//! # Ok::<(), cotenant_netlist::Error>(())
//! ```

use crate::hdl::{Block, Logic, Probe, Verilog};
use serde::{Deserialize, Serialize};

/// Marks the text of an [`About`] field in rust-hdl's own interface.
const MARK: &str = "// cotenant:about ";

/// The longest name of a module, without a prefix.
const LONGEST: usize = 100;
/// Where parameters end in front of a hash.
const SHORT: usize = 40;

/// FNV-1a, 64 bits.
fn hash(bytes: &[u8]) -> u64 {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, step)
}

/// Identity of a block, held as an ordinary field; it adds no hardware.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct About {
    /// Name of the block, the same as its file's stem.
    pub block: String,
    /// Parameters in declaration order, with their values.
    pub parameters: Vec<(String, u64)>,
    /// Paper, section, figure or equation that the block implements.
    pub source: String,
    /// Rust source text with the block's documentation comments.
    pub documentation: String,
    /// Signals that are deliberately not read.
    pub unused: Vec<String>,
}

impl About {
    /// A block of this name, without parameters.
    pub fn new(block: &str) -> Self {
        About {
            block: block.into(),
            ..About::default()
        }
    }

    /// Adds a parameter; it becomes part of the Verilog module's name.
    pub fn parameter(mut self, name: &str, value: usize) -> Self {
        self.parameters.push((name.into(), value as u64));
        self
    }

    /// Adds parameters.
    pub fn parameters(self, pairs: &[(&str, usize)]) -> Self {
        let all = pairs.iter();
        all.fold(self, |about, (name, value)| about.parameter(name, *value))
    }

    /// Names the paper and section that the block implements.
    pub fn citing(mut self, source: &str) -> Self {
        self.source = source.into();
        self
    }

    /// Gives the Rust source in which the block is declared (`include_str!`);
    /// the documentation of its fields becomes the comments of the ports.
    pub fn documented_in(mut self, rust_source: &str) -> Self {
        self.documentation = rust_source.into();
        self
    }

    /// Adds Rust source with documentation that [`documented_in`](Self::documented_in) gives not.
    pub fn and_in(mut self, rust_source: &str) -> Self {
        self.documentation.push_str(rust_source);
        self
    }

    /// Declares that `signal` is never read (a field's name, or that of an input
    /// bit range left over), and that this is meant.
    pub fn unused(mut self, signal: &str) -> Self {
        self.unused.push(signal.into());
        self
    }

    /// Block name and parameters as one identifier: `gdcu_ways16_kernels4`. Where that would be too
    /// long for a file's name, those behind the first ones are a hash of all.
    pub fn module_name(&self) -> String {
        let word = |(parameter, value): &(String, u64)| {
            format!("_{}{value}", parameter.to_lowercase().replace('_', ""))
        };
        let words: Vec<String> = self.parameters.iter().map(word).collect();
        let name = self.block.clone() + &words.concat();
        if name.len() <= LONGEST {
            return name;
        }
        let mut short = self.block.clone();
        for word in words {
            if short.len() + word.len() > SHORT {
                break;
            }
            short += &word;
        }
        format!("{short}_h{:016x}", hash(name.as_bytes()))
    }

    /// Reads the identity back from a block's `hdl()`, if it is one.
    pub(crate) fn from_hdl(hdl: &Verilog) -> Option<About> {
        match hdl {
            Verilog::Custom(text) => serde_json::from_str(text.strip_prefix(MARK)?).ok(),
            _ => None,
        }
    }
}

impl Logic for About {
    fn update(&mut self) {}
    fn hdl(&self) -> Verilog {
        let json = serde_json::to_string(self).expect("strings and numbers serialise");
        Verilog::Custom(format!("{MARK}{json}"))
    }
}

impl Block for About {
    fn connect_all(&mut self) {}
    fn update_all(&mut self) {}
    fn has_changed(&self) -> bool {
        false
    }
    fn accept(&self, name: &str, probe: &mut dyn Probe) {
        probe.visit_start_scope(name, self);
        probe.visit_end_scope(name, self);
    }
}

#[cfg(test)]
mod tests {
    //! Rationale: two units with other parameters must not be one module, however long their names are.
    use super::*;

    #[test]
    fn long_names_end_with_a_hash() {
        let about = |last: usize| {
            let about = About::new("xor_hash").parameter("ADDRESS_W", 33);
            (0..15)
                .fold(about, |about, n| {
                    about.parameter(&format!("MASK_{n}"), 1 << 30)
                })
                .parameter("MASK_15", last)
        };
        let (one, other) = (about(1).module_name(), about(2).module_name());
        assert!(
            one.starts_with("xor_hash_addressw33_mask01073741824_h"),
            "{one}"
        );
        assert!(one.len() <= LONGEST && one != other, "{one}, {other}");
        let short = About::new("gdcu")
            .parameter("WAYS", 16)
            .parameter("KERNELS", 4);
        assert_eq!(short.module_name(), "gdcu_ways16_kernels4");
    }
}
