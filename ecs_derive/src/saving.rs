//! `#[component(save = "name")]`

use crate::attr::ComponentAttr;
use crate::errors::Errors;
use crate::item::{Static, is_generic, located_at, mentions, plain_name, where_all};
use crate::parts::Part;
use crate::spell::spell;
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::{Attribute, Data, DeriveInput, LitInt, Type};

fn number(literal: &LitInt) -> u32 {
    literal.base10_parse().unwrap_or(0) // was checked when it was read
}

fn own_version(attr: &ComponentAttr) -> u32 {
    attr.version.as_ref().map_or(1, number)
}

/// Judges what the attribute says of saving.
pub fn check(input: &DeriveInput, attr: &ComponentAttr, parts: &[Part], errors: &mut Errors) {
    let name = plain_name(&input.ident);
    let Some(save) = &attr.save else {
        let mut refuse = |key: &str, place: &dyn ToTokens| {
            let message = format!(
                "`{key}` is for components that are saved: write `save = \"name\"` beside it, or leave it out"
            );
            errors.at(&place.to_token_stream(), message);
        };
        if let Some(version) = &attr.version {
            refuse("version", version);
        }
        if let Some(old) = attr.from.first() {
            refuse("from", &old.version);
        }
        if let Some(instance) = &attr.instance {
            refuse("instance", instance);
        }
        return;
    };
    if is_generic(input) && attr.instance.is_none() {
        let message = format!(
            "all instances of `{name}` would be saved under one name; say what tells them apart, as in \
             `instance = T::NAME`"
        );
        errors.at(save, message);
    }
    if let Some(instance) = attr.instance.as_ref().filter(|_| !is_generic(input)) {
        let message =
            format!("`{name}` has no parameters, so there is one of it; leave `instance` out");
        errors.at(instance, message);
    }
    let own = own_version(attr);
    for (at, old) in attr.from.iter().enumerate() {
        let version = number(&old.version);
        if version >= own {
            let message = format!(
                "version {version} of `{name}` is not before its own, which is {own}; `from` names earlier ones"
            );
            errors.at(&old.version, message);
        } else if attr.from[..at].iter().any(|before| number(&before.version) == version) {
            let message = format!("version {version} of `{name}` is named twice; name it once");
            errors.at(&old.version, message);
        }
    }
    for Part { field, .. } in parts {
        if let Some(borrowed) = reference(&field.ty) {
            let message = format!(
                "component `{name}` is read from files, so it owns its data; in place of `{}` store a `String`, a \
                 `Vec` or the like",
                spell(&borrowed)
            );
            errors.at(borrowed, message);
        }
    }
}

/// The type, if it is a reference.
fn reference(ty: &Type) -> Option<&Type> {
    matches!(crate::field_type::bare(ty), Type::Reference(_)).then_some(ty)
}

fn packed() -> Ident {
    Ident::new("packed", Span::call_site())
}

/// What tells whether two values of a saved struct are the same, as far as its fields do.
pub fn same(
    input: &DeriveInput,
    attr: &ComponentAttr,
    parts: &[Part],
    private: &TokenStream,
) -> TokenStream {
    if attr.save.is_none() {
        return TokenStream::new();
    }
    let Static { params, ty, bounds } = Static::of(input);
    let bounds = where_all(&bounds);
    // No reference to a field is made of what is packed.
    let is_repr = |attribute: &&Attribute| attribute.path().is_ident("repr");
    let is_packed = |repr: &Attribute| mentions(repr.to_token_stream(), &[&packed()]);
    let is_struct = matches!(input.data, Data::Struct(_))
        && !is_generic(input)
        && !input.attrs.iter().filter(is_repr).any(is_packed);
    let fields = parts.iter().map(|Part { member, .. }| {
        quote!(& #private::FieldOfTwo(&self.#member, &__other.#member).__ecs_same())
    });
    let compared = if is_struct {
        quote! {
            #[allow(unused_imports)] // if all fields are known
            use #private::UnknownField as _;
            true #(#fields)*
        }
    } else {
        quote! {
            let _ = __other;
            false
        }
    };
    quote! {
        #[automatically_derived]
        impl #params #private::Same for #ty #bounds {
            #[inline]
            fn same(&self, __other: &Self) -> ::core::primitive::bool {
                #compared
            }
        }
    }
}

/// The constants that say how it is saved.
pub fn expand(input: &DeriveInput, attr: &ComponentAttr, private: &TokenStream) -> TokenStream {
    let Some(name) = &attr.save else { return TokenStream::new() };
    let instance = attr.instance.as_ref().map_or_else(|| quote!(""), ToTokens::to_token_stream);
    let version = Literal::u32_unsuffixed(own_version(attr));
    let by_serde = quote!(#private::Saving::by_serde::<Self>(#name, #instance, #version));
    let by_serde = located_at(by_serde, &input.ident);
    let older = attr.from.iter().map(|old| {
        let (version, ty) = (Literal::u32_unsuffixed(number(&old.version)), &old.ty);
        located_at(quote!(#private::OldSave::by_serde::<Self, #ty>(#version)), ty)
    });
    let older = (!attr.from.is_empty()).then(|| {
        quote! {
            const SAVED_BEFORE: &'static [#private::OldSave<Self::Storage>] = &[#(#older),*];
        }
    });
    let items = quote! {
        const SAVING: ::core::option::Option<#private::Saving<Self::Storage>> =
            ::core::option::Option::Some(#by_serde);
        #older
    };
    let items = located_at(quote!(#private::saving!), name).into_iter().chain(quote!({ #items }));
    items.collect()
}
