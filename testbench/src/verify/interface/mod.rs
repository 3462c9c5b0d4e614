//! Ports and registers of a unit, by names that netlist and golden model share.

use std::fmt;

use crate::error::Error;
pub(crate) use crate::error::Result;
use cotenant_golden::dynamic;
use cotenant_golden::ports::{Parameters, Registers};
use cotenant_golden::rules::verilog::{self, Expression};
use cotenant_golden::{Model, ParamError};
use serde::Serialize;

mod form;
#[cfg(feature = "lockstep")]
mod hardware;
mod memory;
mod unpack;

pub use cotenant_golden::ports::{Packer, Port};
pub(crate) use form::Typed;
pub use form::{AnyModel, Form, RESET_CYCLES};
#[cfg(feature = "lockstep")]
pub use hardware::parameter;
#[cfg(feature = "lockstep")]
pub(crate) use hardware::{Contents, ContentsOf};
pub use memory::{Memory, WordPacker};
pub use unpack::unpack_in;

/// A register of the golden model, and where the netlist keeps it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StateField {
    /// The golden model's name: `count[2][1]`.
    pub name: String,
    /// Width in bits, 1 to 64.
    pub width: usize,
    /// The netlist's flop.
    pub probe: Probe,
}

impl StateField {
    /// A register that both sides hold as it is.
    pub fn value(name: impl Into<String>, width: usize, flop: impl Into<String>) -> Self {
        let (name, probe) = (name.into(), Probe::Value(flop.into()));
        Self { name, width, probe }
    }

    /// A counter that the netlist goes on with modulo its range, and a flop of which a bit says
    /// that it has passed its limit; the golden model's stays at the limit.
    pub fn limited(
        name: impl Into<String>,
        width: usize,
        flop: impl Into<String>,
        (passed, bit): (impl Into<String>, usize),
    ) -> Self {
        let (name, flop, passed) = (name.into(), flop.into(), passed.into());
        let probe = Probe::Limited { flop, passed, bit };
        Self { name, width, probe }
    }

    /// The same register of a part of a larger unit: `gdcu.count[2][1]`.
    #[must_use]
    pub fn below(self, path: &str) -> Self {
        Self {
            name: format!("{path}.{}", self.name),
            probe: self.probe.below(path),
            ..self
        }
    }
}

/// How a golden register is read from the netlist.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Probe {
    /// The value of a flop: `matrix.count[2][1]`.
    Value(String),
    /// The value of a flop, or the limit if a bit of another one is set; see
    /// [`StateField::limited`].
    Limited {
        /// The counter.
        flop: String,
        /// The flop with the bit.
        passed: String,
        /// Which bit.
        bit: usize,
    },
    /// The value of a flop, or of another one while at least one of some single-bit flops is set:
    /// of a register that the netlist brings up to date a cycle late.
    Late {
        /// What it was.
        flop: String,
        /// What it is while a flag is set.
        newer: String,
        /// The flags.
        flags: Vec<String>,
    },
}

impl Probe {
    /// The same of a part of a larger unit.
    #[must_use]
    pub fn below(self, path: &str) -> Self {
        let below = |flop: String| format!("{path}.{flop}");
        match self {
            Self::Value(flop) => Self::Value(below(flop)),
            Self::Limited { flop, passed, bit } => Self::Limited {
                flop: below(flop),
                passed: below(passed),
                bit,
            },
            Self::Late { flop, newer, flags } => Self::Late {
                flop: below(flop),
                newer: below(newer),
                flags: flags.into_iter().map(below).collect(),
            },
        }
    }

    /// Names of all flops that are looked at.
    pub fn flops(&self) -> impl Iterator<Item = &str> {
        let others = match self {
            Self::Limited { passed, .. } => vec![passed.as_str()],
            Self::Late { newer, flags, .. } => {
                let flags = flags.iter().map(String::as_str);
                flags.chain([newer.as_str()]).collect()
            }
            Self::Value(_) => Vec::new(),
        };
        std::iter::once(self.flop()).chain(others)
    }

    /// Name of the flop.
    pub fn flop(&self) -> &str {
        match self {
            Self::Value(flop) | Self::Limited { flop, .. } | Self::Late { flop, .. } => flop,
        }
    }
}

/// What there is one instance of a unit for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Place {
    /// It is a part of others.
    Part,
    /// A set of the last-level cache.
    Set,
    /// A bank of the last-level cache.
    Bank,
    /// As many banks as its parameter `BANKS` says.
    Banks,
    /// The last-level cache as a whole.
    Cache,
    /// An application that shares the last-level cache.
    Application,
    /// A kernel on an SM.
    Kernel,
    /// An SM.
    Sm,
}

/// Parameters of a unit's golden model.
pub type ParamsOf<U> = <<U as Interface>::Model as Model>::Params;
/// Inputs of a unit in a cycle.
pub type InOf<U> = <<U as Interface>::Model as Model>::In;
/// Outputs of a unit in a cycle.
pub type OutOf<U> = <<U as Interface>::Model as Model>::Out;
/// Registers of a unit's golden model.
pub type StateOf<U> = <<U as Interface>::Model as Model>::State;

/// A unit's golden model, and what connects its types with the netlist's ports and flops.
///
/// The three `pack` functions write in the order of [`inputs`](Interface::inputs),
/// [`outputs`](Interface::outputs) and [`state`](Interface::state), and allocate nothing. A unit
/// with RAMs says in [`memories`](Interface::memories) and the three functions below it what is
/// in them.
pub trait Interface: Copy + std::fmt::Debug + 'static {
    /// Name of the block.
    const NAME: &'static str;
    /// What it does, in a line.
    const SUMMARY: &'static str;
    /// What there is one instance for.
    const PLACE: Place;
    /// The golden model.
    type Model: Model + Clone + 'static;

    /// Where the paper names the flop as it says what the hardware costs; nowhere unless said.
    fn named_in_paper(_flop: &str) -> Option<&'static str> {
        None
    }

    /// Whether a flop holds a step of a computation that the golden model does not go through
    /// step by step, so that it is not compared, but what comes of it is; none unless said.
    ///
    /// A model whose state is loaded must not be in a computation, but for what [`Self::resumed`]
    /// knows of it.
    fn working(_flop: &str) -> bool {
        false
    }

    /// What `working` flops hold where the netlist goes on from a state of the golden model, by
    /// name; others hold what they do after power-on.
    fn resumed(_params: &ParamsOf<Self>, _state: &StateOf<Self>) -> Vec<(String, u128)> {
        Vec::new()
    }

    /// Names of the values of a port, register or parameter that carries a code, for waves; none
    /// unless said. Registers are asked for by the golden model's name, without path and
    /// subscripts.
    fn codes(_name: &str) -> Option<ValueNames> {
        None
    }

    /// Where the netlist keeps a register of the golden model, `count[][]` with its subscripts; at
    /// the same name unless said.
    fn probe(_params: &ParamsOf<Self>, register: &str, at: &[usize]) -> Probe {
        Probe::Value(subscripted(register, at))
    }

    /// Whether a register is compared; its name is that in its struct. All are unless said.
    fn compared(_params: &ParamsOf<Self>, _register: &str, _at: &[usize]) -> bool {
        true
    }

    /// Registers that the netlist has besides, and that follow from those of the golden model; none
    /// unless said. They are behind the others in [`state`](Interface::state).
    fn computed(_params: &ParamsOf<Self>) -> Vec<StateField> {
        Vec::new()
    }

    /// Their values.
    fn pack_computed(_params: &ParamsOf<Self>, _state: &StateOf<Self>, _words: &mut Packer<'_>) {}

    /// The golden model's parameters of a parameter set.
    ///
    /// # Errors
    /// [`Error::Parameter`] if the set is another unit's.
    #[cfg(feature = "lockstep")]
    fn params(set: &hardware::ParameterSet) -> Result<ParamsOf<Self>> {
        hardware::params::<Self>(set)
    }

    /// The golden model's parameters as a text says: `16x4x21`, `WAYS=16,KERNELS=4,CNT_W=21`, or both.
    ///
    /// # Errors
    /// [`Error::Unit`] if it cannot be read, [`Error::Golden`] for a value out of range.
    fn read(text: &str) -> Result<ParamsOf<Self>> {
        let settings = dynamic::unit(Self::NAME)?.settings(text)?;
        let value = |name| {
            let mut values = settings.values().iter();
            let found = values.find(|(known, _)| *known == name);
            found
                .map(|(_, value)| *value)
                .ok_or_else(|| lacks::<Self>(&settings, name))
        };
        let params = ParamsOf::<Self>::named(value, golden_refuses::<Self>)?;
        // What a model checks beyond ranges, too.
        Self::model(&params)?;
        Ok(params)
    }

    /// Input ports, `reset` included, the clock not.
    fn inputs(params: &ParamsOf<Self>) -> Vec<Port>;

    /// Output ports.
    fn outputs(params: &ParamsOf<Self>) -> Vec<Port>;

    /// Registers, one word each.
    fn state(params: &ParamsOf<Self>) -> Vec<StateField>;

    /// The input ports' values.
    fn pack_in(params: &ParamsOf<Self>, input: &InOf<Self>, words: &mut Packer<'_>);

    /// The output ports' values.
    fn pack_out(params: &ParamsOf<Self>, out: &OutOf<Self>, words: &mut Packer<'_>);

    /// The registers' values.
    fn pack_state(params: &ParamsOf<Self>, state: &StateOf<Self>, words: &mut Packer<'_>);

    /// RAMs; none unless said.
    ///
    /// Words are addressed as a pair below: the RAM's number in this list, and the word's in it.
    fn memories(_params: &ParamsOf<Self>) -> Vec<Memory> {
        Vec::new()
    }

    /// Gives `each` the words that the model has written at the last edge.
    fn written(
        _params: &ParamsOf<Self>,
        _model: &Self::Model,
        _each: &mut dyn FnMut((usize, usize)),
    ) {
    }

    /// The values of a RAM's word, in the order of its parts.
    fn pack_word(
        _params: &ParamsOf<Self>,
        _state: &StateOf<Self>,
        _word: (usize, usize),
        _packer: &mut WordPacker<'_>,
    ) {
    }

    /// The word that a RAM's read-data register has been read from, for a netlist that is put
    /// into a state; it gets what the word holds now.
    fn word_read(_params: &ParamsOf<Self>, _state: &StateOf<Self>, _ram: usize) -> usize {
        0
    }

    /// What inputs are legal, as Verilog over the unit's ports, which are called as `name` says.
    fn legal(params: &ParamsOf<Self>, name: &dyn Fn(&str) -> String) -> Vec<Expression> {
        let ports = [Self::inputs(params), Self::outputs(params)].concat();
        verilog::legal(&Self::Model::rules(params), &ports, name)
    }

    /// A golden model in its reset state.
    ///
    /// # Errors
    /// [`Error::Golden`].
    fn model(params: &ParamsOf<Self>) -> Result<Self::Model> {
        Self::Model::new(params.clone()).map_err(golden_refuses::<Self>)
    }

    /// What there is of it, without its types.
    fn form(params: &ParamsOf<Self>) -> Form {
        Form {
            unit: Self::NAME,
            inputs: Self::inputs(params),
            outputs: Self::outputs(params),
            state: Self::state(params),
            memories: Self::memories(params),
            working: Self::working,
            codes: Self::codes,
        }
    }

    /// A golden model in its reset state, without its types.
    ///
    /// # Errors
    /// As [`model`](Interface::model).
    fn any_model(params: &ParamsOf<Self>) -> Result<Box<dyn AnyModel>> {
        Ok(Box::new(Typed::<Self>::new(params)?))
    }

    /// The elaborated block of a parameter set.
    ///
    /// # Errors
    /// [`Error::Table`], [`Error::Elaborate`].
    #[cfg(feature = "lockstep")]
    fn netlist(set: &hardware::ParameterSet) -> Result<hardware::Netlist> {
        hardware::netlist::<Self>(set)
    }
}

/// The golden model refuses parameters.
fn golden_refuses<U: Interface>(source: ParamError) -> Error {
    Error::Golden {
        unit: U::NAME,
        source,
    }
}

/// Parameters of another unit.
fn lacks<U: Interface>(set: impl fmt::Display, parameter: &'static str) -> Error {
    Error::Parameter {
        unit: U::NAME,
        set: set.to_string(),
        parameter,
    }
}

/// Names of the values of a port, register or parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValueNames {
    /// Name of the code: `limiter`.
    pub name: String,
    /// Number and name of each value.
    pub values: Vec<(u64, String)>,
}

/// `count[][]` at 2 and 1 as `count[2][1]`.
pub(crate) fn subscripted(name: &str, at: &[usize]) -> String {
    let mut at = at.iter();
    let mut parts = name.split("[]");
    let first = parts.next().unwrap_or_default().to_string();
    parts.fold(first, |name, part| {
        let subscript = at.next().copied().unwrap_or_default();
        format!("{name}[{subscript}]{part}")
    })
}

/// What an [`Interface`] takes from the derives on its golden model's structs: all, or all but the
/// registers.
macro_rules! from_golden {
    () => {
        $crate::verify::interface::from_golden!(but state);

        fn state(params: &ParamsOf<Self>) -> Vec<StateField> {
            let mut fields = $crate::verify::interface::registers_of::<Self>(params);
            fields.extend(Self::computed(params));
            fields
        }

        fn pack_state(params: &ParamsOf<Self>, state: &StateOf<Self>, words: &mut Packer<'_>) {
            cotenant_golden::ports::Registers::each(state, params, &mut |name, at, value| {
                if Self::compared(params, name, at) {
                    words.value(value);
                }
            });
            Self::pack_computed(params, state, words);
        }
    };
    (but state) => {
        fn inputs(params: &ParamsOf<Self>) -> Vec<Port> {
            <InOf<Self> as cotenant_golden::ports::Ports<_>>::ports(params)
        }

        fn outputs(params: &ParamsOf<Self>) -> Vec<Port> {
            <OutOf<Self> as cotenant_golden::ports::Ports<_>>::ports(params)
        }

        fn pack_in(params: &ParamsOf<Self>, input: &InOf<Self>, words: &mut Packer<'_>) {
            cotenant_golden::ports::Ports::pack(input, params, words);
        }

        fn pack_out(params: &ParamsOf<Self>, out: &OutOf<Self>, words: &mut Packer<'_>) {
            cotenant_golden::ports::Ports::pack(out, params, words);
        }
    };
}
pub(crate) use from_golden;

/// The registers of a golden model that are compared, and where the netlist has them.
pub(crate) fn registers_of<U: Interface>(params: &ParamsOf<U>) -> Vec<StateField>
where
    StateOf<U>: Registers<ParamsOf<U>>,
{
    fields::<StateOf<U>, _>(params, |name, at| {
        let inner = name.rsplit('.').next().unwrap_or(name);
        U::compared(params, inner, at).then(|| U::probe(params, name, at))
    })
}

/// The registers of a struct for which there is a probe.
pub(crate) fn fields<R: Registers<P>, P>(
    params: &P,
    probe: impl Fn(&str, &[usize]) -> Option<Probe>,
) -> Vec<StateField> {
    let mut fields = Vec::new();
    R::registers(params, &mut |name, at, width| {
        if let Some(probe) = probe(name, at) {
            let name = subscripted(name, at);
            fields.push(StateField { name, width, probe });
        }
    });
    fields
}

/// Takes registers that are written by hand, one after the other: the golden model's name, the width
/// in bits, the netlist's flop, the value.
pub(crate) trait EachRegister:
    FnMut(fmt::Arguments<'_>, usize, fmt::Arguments<'_>, u64)
{
}
impl<F: FnMut(fmt::Arguments<'_>, usize, fmt::Arguments<'_>, u64) + ?Sized> EachRegister for F {}

/// What was [taken](EachRegister), without the values.
pub(crate) fn listed(
    registers: impl FnOnce(&mut dyn FnMut(fmt::Arguments<'_>, usize, fmt::Arguments<'_>, u64)),
) -> Vec<StateField> {
    let mut fields = Vec::new();
    registers(&mut |name, width, flop, _| {
        fields.push(StateField::value(name.to_string(), width, flop.to_string()));
    });
    fields
}

/// A part's registers, as those of a whole.
pub(crate) fn below(path: &str, fields: Vec<StateField>) -> impl Iterator<Item = StateField> + '_ {
    fields.into_iter().map(move |field| field.below(path))
}

/// The names of an enumeration's codes, which count from 0.
pub(crate) fn names_of_codes<T>(name: &str) -> ValueNames
where
    T: TryFrom<usize> + std::fmt::Debug,
{
    let values =
        (0..).map_while(|code| Some((code as u64, format!("{:?}", T::try_from(code).ok()?))));
    ValueNames {
        name: name.into(),
        values: values.collect(),
    }
}

#[cfg(test)]
mod tests {
    //! Rationale: elements that straddle a word are the one hard case of packing: widths that
    //! divide 64, widths that do not, a width of 64, and more than two words.
    use super::*;

    #[test]
    fn packed_elements_are_read_back_at_every_width() {
        for width in 1..=64usize {
            for elements in [1, 2, 3, 63, 64, 65] {
                let port = Port::packed("port", elements, width);
                let value =
                    |i: usize| 0x9e37_79b9_7f4a_7c15u64.wrapping_mul(i as u64 + 1) >> (64 - width);
                let mut words = vec![0; port.words()];
                let mut packer = Packer::new(&mut words);
                packer.elements(width, (0..elements).map(value));
                assert_eq!(packer.written(), port.words(), "width {width}");
                for i in 0..elements {
                    assert_eq!(
                        port.element(&words, i),
                        value(i),
                        "width {width}, element {i}"
                    );
                }
            }
        }
    }

    #[test]
    fn names_of_elements() {
        assert_eq!(Port::value("victim_way", 4).element_name(0), "victim_way");
        assert_eq!(
            Port::packed("stack_way", 4, 2).element_name(3),
            "stack_way[3]"
        );
    }
}
