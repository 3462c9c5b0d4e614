//! `#[derive(Registers)]`: names, widths and values of a model's registers.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{Field, GenericArgument, Ident, PathArguments, Result, Type};

use crate::shape::{Element, Shape};
use crate::structs::Struct;

pub fn implement(item: &Struct<'_>) -> Result<TokenStream> {
    let (mut list, mut values) = (Vec::new(), Vec::new());
    for &(name, field) in &item.fields {
        if let Some(register) = Register::of(name, field)? {
            list.push(register.list);
            values.push(register.values);
        }
    }
    item.implement_for("Registers", "registers", |params| {
        quote! {
            fn registers(p: &#params, each: &mut dyn FnMut(&str, &[usize], usize)) {
                let _ = (p, &each);
                #(#list)*
            }

            #[inline]
            fn each(&self, p: &#params, each: &mut impl FnMut(&'static str, &[usize], u64)) {
                let _ = (p, &each);
                #(#values)*
            }
        }
    })
}

/// What a field comes to in each of the trait's functions.
struct Register {
    list: TokenStream,
    values: TokenStream,
}

impl Register {
    fn of(name: &Ident, field: &Field) -> Result<Option<Self>> {
        let shape = Shape::of(field, "register")?;
        let depth = shape.lengths.len();
        let text = format!("{name}{}", "[]".repeat(depth));
        let at: Vec<_> = (0..depth).map(|i| format_ident!("at_{i}")).collect();
        let (mut list, mut values) = match &shape.element {
            Element::Skipped => return Ok(None),
            Element::Value(width) => (
                quote!(each(#text, &[#(#at),*], #width);),
                match shape.is_mask(field) {
                    // A register for each bit.
                    true => quote!(each(#text, &[at_0], u64::from(*value) >> at_0 & 1);),
                    false => quote!(each(#text, &[#(#at),*], u64::from(*value));),
                },
            ),
            Element::Nested(params) => {
                let params = params.as_ref().map_or(quote!(p), |params| quote!(&#params));
                let depth = depth + usize::from(shape.when.is_some());
                let ty = inner(&field.ty, depth);
                let registers = quote!(::cotenant_golden::ports::Registers);
                (
                    quote! {
                        <#ty as #registers<_>>::registers(#params, &mut |name, inner, width| {
                            let mut all = vec![#(#at),*];
                            all.extend_from_slice(inner);
                            each(&format!("{}.{}", #text, name), &all, width)
                        });
                    },
                    quote! {
                        #registers::each(value, #params, &mut |name: &'static str, inner: &[usize], value: u64| {
                            ::cotenant_golden::ports::joined(&[#(#at),*], inner, |at| {
                                each(name, at, value)
                            });
                        });
                    },
                )
            }
        };
        for (level, (at, length)) in at.iter().zip(&shape.lengths).enumerate().rev() {
            list = quote!(for #at in 0..#length { #list });
            values = match (level, shape.is_mask(field)) {
                (0, true) => quote!(for #at in 0..#length { #values }),
                _ => quote!(for (#at, value) in value.iter().enumerate() { #values }),
            };
        }
        let mut field = quote!(let value = &self.#name;);
        if let Some(when) = &shape.when {
            list = quote!(if #when { #list });
            values = quote!(if let Some(value) = value { #values });
            field = quote!(let value = self.#name.as_ref(););
        }
        Ok(Some(Self {
            list,
            values: quote!({ #field #values }),
        }))
    }
}

/// The type inside so many sequences or options.
fn inner(ty: &Type, depth: usize) -> Type {
    let arguments = match ty {
        Type::Path(path) => path.path.segments.last().map(|last| &last.arguments),
        Type::Array(array) if depth > 0 => return inner(&array.elem, depth - 1),
        _ => None,
    };
    match arguments {
        Some(PathArguments::AngleBracketed(arguments)) if depth > 0 => {
            match arguments.args.first() {
                Some(GenericArgument::Type(element)) => inner(element, depth - 1),
                _ => ty.clone(),
            }
        }
        _ => ty.clone(),
    }
}
