//! Parses the contents of `#[port(..)]` and `#[register(..)]`.

use syn::parse::{Parse, ParseStream};
use syn::spanned::Spanned;
use syn::{Error, Expr, Field, Ident, Result, Token};

use crate::structs::{attribute, is_one_of};

/// A field's shape.
pub struct Shape {
    /// The numbers of elements, the outermost first.
    pub lengths: Vec<Expr>,
    /// What the elements are.
    pub element: Element,
    /// The field is an `Option`, and there when this is so.
    pub when: Option<Expr>,
}

/// What an element is.
pub enum Element {
    /// A value of so many bits.
    Value(Expr),
    /// A struct with the same derive, and its parameters if they are other ones.
    Nested(Option<Expr>),
    /// Nothing of its own.
    Skipped,
}

/// `shape` or `shape, when = condition`.
struct Attribute {
    shape: Expr,
    when: Option<Expr>,
}

impl Parse for Attribute {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let shape = input.parse()?;
        if input.is_empty() {
            return Ok(Self { shape, when: None });
        }
        input.parse::<Token![,]>()?;
        let key: Ident = input.parse()?;
        if key != "when" {
            return Err(Error::new(key.span(), "expected `when = condition`"));
        }
        input.parse::<Token![=]>()?;
        let when = Some(input.parse()?);
        Ok(Self { shape, when })
    }
}

impl Shape {
    /// The shape that the attribute `name` gives a field; a `bool` needs none.
    pub fn of(field: &Field, name: &str) -> Result<Self> {
        let Some(attribute) = attribute(&field.attrs, name)? else {
            return match is_one_of(&field.ty, &["bool"]) {
                true => Ok(Self {
                    lengths: Vec::new(),
                    element: Element::Value(syn::parse_quote!(1)),
                    when: None,
                }),
                false => {
                    let problem = format!("expected its width above it: #[{name}(width)]");
                    Err(Error::new(field.ty.span(), problem))
                }
            };
        };
        let Attribute { mut shape, when } = attribute.parse_args()?;
        let mut lengths = Vec::new();
        while let Expr::Repeat(array) = shape {
            lengths.push(*array.len);
            shape = *array.expr;
        }
        if let Expr::Array(list) = &shape {
            let problem = "expected [shape; number of elements]";
            return Err(Error::new(list.span(), problem));
        }
        Ok(Self {
            lengths,
            element: Element::of(shape),
            when,
        })
    }

    /// Whether the field is a number that holds a mask.
    pub fn is_mask(&self, field: &Field) -> bool {
        self.lengths.len() == 1 && is_one_of(&field.ty, &["u8", "u16", "u32", "u64"])
    }
}

impl Element {
    fn of(shape: Expr) -> Self {
        match &shape {
            Expr::Path(path) if path.path.is_ident("nested") => Self::Nested(None),
            Expr::Path(path) if path.path.is_ident("skip") => Self::Skipped,
            Expr::Call(call) => match (&*call.func, call.args.first()) {
                (Expr::Path(path), Some(params))
                    if path.path.is_ident("nested") && call.args.len() == 1 =>
                {
                    Self::Nested(Some(params.clone()))
                }
                _ => Self::Value(shape),
            },
            _ => Self::Value(shape),
        }
    }
}
