//! The type of a query's field, as far as tokens show it.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{GenericArgument, PathArguments, Type, TypePath, TypeReference};

/// A part of a field's type, out of its tuples and `Option`s.
pub enum Leaf<'a> {
    /// `&'w T` or `&'w mut T`
    Borrow(&'a TypeReference),
    /// The `T` of `Has<T>`
    Has(&'a Type),
    /// `Entity`, another query, or a type that only `rustc` can resolve
    Path(&'a TypePath),
}

impl Leaf<'_> {
    /// Returns the tokens to underline.
    pub fn place(&self) -> TokenStream {
        match self {
            Leaf::Borrow(reference) => reference.to_token_stream(),
            Leaf::Has(component) => component.to_token_stream(),
            Leaf::Path(path) => path.to_token_stream(),
        }
    }
}

/// The parts of `ty`, from left to right.
pub fn leaves(ty: &Type) -> Vec<Leaf<'_>> {
    let mut found = Vec::new();
    find(ty, &mut found);
    found
}

fn find<'a>(ty: &'a Type, found: &mut Vec<Leaf<'a>>) {
    match bare(ty) {
        Type::Reference(reference) => found.push(Leaf::Borrow(reference)),
        Type::Tuple(tuple) => tuple.elems.iter().for_each(|element| find(element, found)),
        Type::Path(path) => match (argument_of(path, "Option"), argument_of(path, "Has")) {
            (Some(inner), _) => find(inner, found),
            (_, Some(component)) => found.push(Leaf::Has(component)),
            _ => found.push(Leaf::Path(path)),
        },
        _ => {}
    }
}

/// `ty` without parentheses and the invisible ones of `macro_rules`.
pub fn bare(ty: &Type) -> &Type {
    match ty {
        Type::Group(group) => bare(&group.elem),
        Type::Paren(paren) => bare(&paren.elem),
        _ => ty,
    }
}

/// The `T` of `name<T>`, under whatever path.
pub fn argument_of<'a>(ty: &'a TypePath, name: &str) -> Option<&'a Type> {
    let last = ty.path.segments.last().filter(|last| last.ident == name)?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else {
        return None;
    };
    match arguments.args.first() {
        Some(GenericArgument::Type(ty)) if arguments.args.len() == 1 => Some(ty),
        _ => None,
    }
}
