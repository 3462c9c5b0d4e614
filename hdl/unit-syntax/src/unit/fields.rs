//! Fields of a unit: signals, constants, flops, RAMs and parts, by how their types are written.

use crate::formula::{last, unbraced};
use proc_macro2::{Ident, Span};
use quote::quote;
use syn::spanned::Spanned;
use syn::{Attribute, Error, Expr, GenericArgument, Result};

/// What a value is.
#[derive(Clone)]
pub enum Value {
    Bit,
    Clock,
    Bits(Expr),
    /// Elements side by side, the first lowest.
    Packed(Box<Value>, Expr),
}

impl Value {
    /// An element of a packed vector whose elements are vectors themselves.
    pub fn element(&self) -> Option<&Value> {
        match self {
            Value::Packed(element, _) if !matches!(**element, Value::Bit) => Some(element),
            _ => None,
        }
    }
}

/// What a field is.
#[derive(Clone)]
pub enum Kind {
    /// Its direction is `In`, `Out` or `Local`.
    Signal(Ident, Value),
    Constant(Value),
    Reg(Value),
    /// Words and bits of an address.
    Ram(Value, Box<Expr>),
    /// Another unit.
    Part(syn::Path, Vec<Argument>),
}

/// An argument of a part: its parameter, if named.
#[derive(Clone)]
pub struct Argument {
    pub name: Option<Ident>,
    pub value: Expr,
}

/// A field.
#[derive(Clone)]
pub struct Field {
    pub attrs: Vec<Attribute>,
    pub vis: syn::Visibility,
    pub name: Ident,
    pub kind: Kind,
    /// Lengths of the arrays around, outermost first.
    pub lengths: Vec<Expr>,
    /// `#[reset(..)]` of a flop, `#[value(..)]` of a constant, `#[given(..)]` of a part.
    pub init: Option<Expr>,
}

/// Refuses a name that rust-hdl would not keep: of `self.itself.val()` it drops both `self.`.
pub fn check_name(name: &Ident) -> Result<()> {
    if name.to_string().ends_with("self") {
        let what = "rust-hdl drops `self.` also at the end of a name; \
                    choose a name that does not end in `self`";
        return Err(Error::new(name.span(), what));
    }
    Ok(())
}

impl Field {
    pub fn new(field: syn::Field) -> Result<Field> {
        let Some(name) = field.ident.clone() else {
            return Err(Error::new(field.span(), "fields have names"));
        };
        check_name(&name)?;
        let (kind, lengths) = kind(&field.ty)?;
        let mut attrs = field.attrs;
        let init = match kind {
            Kind::Reg(_) => take(&mut attrs, "reset")?,
            Kind::Constant(_) => take(&mut attrs, "value")?,
            Kind::Part(..) => take(&mut attrs, "given")?,
            _ => None,
        };
        if matches!(kind, Kind::Constant(_)) && init.is_none() {
            return Err(Error::new(name.span(), "a constant has a #[value(..)]"));
        }
        let vis = field.vis;
        Ok(Field {
            attrs,
            vis,
            name,
            kind,
            lengths,
            init,
        })
    }

    pub fn direction_is(&self, direction: &str) -> bool {
        matches!(&self.kind, Kind::Signal(d, _) if d == direction)
    }

    pub fn is_port(&self) -> bool {
        self.direction_is("In") || self.direction_is("Out")
    }

    pub fn is_clock(&self) -> bool {
        matches!(&self.kind, Kind::Signal(d, Value::Clock) if d == "In")
    }
}

/// Takes the attribute `#[name(..)]` out of a list.
pub fn take(attrs: &mut Vec<Attribute>, name: &str) -> Result<Option<Expr>> {
    match attrs.iter().position(|a| a.path().is_ident(name)) {
        Some(at) => attrs.remove(at).parse_args().map(Some),
        None => Ok(None),
    }
}

/// What a type is, with the lengths of the arrays around it.
pub fn kind(ty: &syn::Type) -> Result<(Kind, Vec<Expr>)> {
    let path = match ty {
        syn::Type::Array(a) => {
            let (kind, inner) = kind(&a.elem)?;
            return Ok((kind, std::iter::once(a.len.clone()).chain(inner).collect()));
        }
        syn::Type::Path(t) => &t.path,
        _ => {
            let what = "In, Out, Local, Constant, Reg, Ram, a unit, or an array of them";
            return Err(Error::new(ty.span(), what));
        }
    };
    let args = arguments(path);
    let value_at = |at: usize| value(type_argument(&args, at, ty.span())?);
    let name = last(path);
    let kind = match name.to_string().as_str() {
        "In" | "Out" | "Local" => Kind::Signal(name.clone(), value_at(0)?),
        "Signal" => match type_argument(&args, 0, ty.span())? {
            syn::Type::Path(direction) => Kind::Signal(last(&direction.path).clone(), value_at(1)?),
            other => return Err(Error::new(other.span(), "In, Out or Local")),
        },
        "Constant" => Kind::Constant(value_at(0)?),
        "Reg" => Kind::Reg(value_at(0)?),
        "Ram" => match args.get(1) {
            Some(address) => Kind::Ram(value_at(0)?, Box::new(argument(address)?.value)),
            None => return Err(Error::new(ty.span(), "how many address bits?")),
        },
        _ => {
            let mut path = path.clone();
            let arguments = args.into_iter().map(argument).collect::<Result<_>>()?;
            if let Some(segment) = path.segments.last_mut() {
                segment.arguments = syn::PathArguments::None;
            }
            Kind::Part(path, arguments)
        }
    };
    Ok((kind, vec![]))
}

/// What a type of values is.
pub fn value(ty: &syn::Type) -> Result<Value> {
    let what = || {
        Error::new(
            ty.span(),
            "Bit, Clock, Bits<N>, or an array of Bit or Bits<N>",
        )
    };
    match ty {
        syn::Type::Path(t) => {
            let args = arguments(&t.path);
            match (last(&t.path).to_string().as_str(), &args[..]) {
                ("Bit", []) => Ok(Value::Bit),
                ("Clock", []) => Ok(Value::Clock),
                ("Bits", [n]) => Ok(Value::Bits(argument(n)?.value)),
                _ => Err(what()),
            }
        }
        syn::Type::Array(a) => Ok(Value::Packed(Box::new(value(&a.elem)?), a.len.clone())),
        _ => Err(what()),
    }
}

fn arguments(path: &syn::Path) -> Vec<&GenericArgument> {
    match path.segments.last().map(|s| &s.arguments) {
        Some(syn::PathArguments::AngleBracketed(a)) => a.args.iter().collect(),
        _ => vec![],
    }
}

fn type_argument<'a>(args: &[&'a GenericArgument], at: usize, span: Span) -> Result<&'a syn::Type> {
    match args.get(at) {
        Some(GenericArgument::Type(t)) => Ok(t),
        _ => Err(Error::new(span, "what type of value?")),
    }
}

/// `WAYS`, `{ WAYS + 1 }`, `16`, or one of these after `WAYS =`.
fn argument(argument: &GenericArgument) -> Result<Argument> {
    use GenericArgument as A;
    let (name, value) = match argument {
        A::Type(syn::Type::Path(t)) if t.path.get_ident().is_some() => {
            (None, syn::parse2(quote!(#t))?)
        }
        A::Const(e) => (None, unbraced(e)?.clone()),
        A::AssocType(a) => {
            let ty = &a.ty;
            (Some(a.ident.clone()), syn::parse2(quote!(#ty))?)
        }
        A::AssocConst(a) => (Some(a.ident.clone()), unbraced(&a.value)?.clone()),
        other => return Err(Error::new(other.span(), "a number of bits or elements")),
    };
    Ok(Argument { name, value })
}
