//! `#[component(save = "name")]` and `#[resource(save = "name")]`

use crate::attr::SaveAttr;
use crate::component::all_fields;
use crate::errors::Errors;
use crate::item::{Static, is_generic, located_at, mentions, plain_name, where_all};
use crate::parts::Part;
use crate::shape::fingerprint;
use crate::spell::spell;
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::{Attribute, Data, DeriveInput, LitInt, Type};

fn number(literal: &LitInt) -> u32 {
    literal.base10_parse().unwrap_or(0) // was checked when it was read
}

fn own_version(attr: &SaveAttr) -> u32 {
    attr.version.as_ref().map_or(1, number)
}

/// Checks the keys of saving in the attribute of a `kind`, a component or a resource.
pub fn check(input: &DeriveInput, kind: &str, attr: &SaveAttr, errors: &mut Errors) {
    let name = plain_name(&input.ident);
    let Some(save) = &attr.name else {
        let mut refuse = |key: &str, place: &dyn ToTokens| {
            let message = format!(
                "`{key}` is for {kind}s that are saved: write `save = \"name\"` beside it, or leave it out"
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
        if attr.bytes {
            refuse("bytes", &input.ident);
        }
        return;
    };
    if is_generic(input) && attr.instance.is_none() {
        let message = format!(
            "all instances of `{name}` would be saved under one name; distinguish them, as in \
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
        if let Some(several) = old.several.as_ref().filter(|_| kind == "resource") {
            let message = format!(
                "a resource is made of one old value, and other resources are not; leave `as {}` out",
                spell(several)
            );
            errors.at(several, message);
        }
    }
    for field in all_fields(input) {
        if let Some(borrowed) = reference(&field.ty) {
            let message = format!(
                "{kind} `{name}` is read from files, so it owns its data; in place of `{}` store a `String`, a \
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

/// Returns `true` if no reference to a field can be made, as the struct is packed.
pub fn is_packed(input: &DeriveInput) -> bool {
    let is_repr = |attribute: &&Attribute| attribute.path().is_ident("repr");
    let is_packed = |repr: &Attribute| {
        mentions(repr.to_token_stream(), &[&Ident::new("packed", Span::call_site())])
    };
    input.attrs.iter().filter(is_repr).any(is_packed)
}

/// Returns a function that compares two values of a saved struct field by field.
pub fn same(
    input: &DeriveInput,
    attr: &SaveAttr,
    parts: &[Part],
    private: &TokenStream,
) -> TokenStream {
    if attr.name.is_none() {
        return TokenStream::new();
    }
    let Static { params, ty, bounds } = Static::of(input);
    let bounds = where_all(&bounds);
    let is_struct =
        matches!(input.data, Data::Struct(_)) && !is_generic(input) && !is_packed(input);
    let fields = parts.iter().map(|Part { member, .. }| {
        quote!(& #private::FieldOfTwo(&self.#member, &__other.#member).__ecs_same())
    });
    let compared = if is_struct {
        quote! {
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

/// The constants that say how a component is saved.
pub fn of_component(input: &DeriveInput, attr: &SaveAttr, private: &TokenStream) -> TokenStream {
    expand(input, attr, ["Saving", "OldSave"], private)
}

/// The constants that say how a resource is saved.
pub fn of_resource(input: &DeriveInput, attr: &SaveAttr, private: &TokenStream) -> TokenStream {
    expand(input, attr, ["ResourceSaving", "ResourceVersion"], private)
}

fn word(text: &str) -> Ident {
    Ident::new(text, Span::call_site())
}

fn expand(
    input: &DeriveInput,
    attr: &SaveAttr,
    types: [&str; 2],
    private: &TokenStream,
) -> TokenStream {
    let Some(name) = &attr.name else {
        let skips = quote!(
            const SKIPS_SAVES: ::core::primitive::bool = true;
        );
        return if attr.is_skipped { skips } else { TokenStream::new() };
    };
    let [saving, old] = types.map(word);
    let instance = attr.instance.as_ref().map_or_else(|| quote!(""), ToTokens::to_token_stream);
    let version = Literal::u32_unsuffixed(own_version(attr));
    let by = word(if attr.bytes { "by_bytes" } else { "by_serde" });
    let shape = Literal::u32_unsuffixed(fingerprint(input));
    let latest = quote!(#private::#saving::#by::<Self>(#name, #instance, #version, #shape));
    let latest = located_at(latest, &input.ident);
    let older = attr.from.iter().map(|it| {
        let (version, ty) = (Literal::u32_unsuffixed(number(&it.version)), &it.ty);
        match &it.several {
            None => located_at(quote!(#private::#old::by_serde::<Self, #ty>(#version)), ty),
            Some(several) => {
                let made = quote!(#private::#old::into_several::<Self, #ty, #several>(#version));
                located_at(made, several)
            }
        }
    });
    let older = (!attr.from.is_empty()).then(|| {
        quote! {
            const SAVED_BEFORE: &'static [#private::#old] = &[#(#older),*];
        }
    });
    let items = quote! {
        const SAVING: ::core::option::Option<#private::#saving> =
            ::core::option::Option::Some(#latest);
        #older
    };
    let saved = word(if attr.bytes { "saving_bytes" } else { "saving" });
    let items = located_at(quote!(#private::#saved!), name).into_iter().chain(quote!({ #items }));
    items.collect()
}
