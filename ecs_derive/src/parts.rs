//! The fields of a component, and the handles of entities in them.

use crate::attr::{ComponentAttr, Entities, FieldAttr};
use crate::component::is_plain;
use crate::errors::Errors;
use crate::item::{located_at, mentions, plain_name};
use crate::spell::spell;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::{Data, DeriveInput, Field, Fields, Member};

/// A field of a component, be it of one of its variants.
pub struct Part<'a> {
    variant: Option<&'a Ident>,
    pub member: Member,
    pub field: &'a Field,
    pub attr: FieldAttr,
}

impl Part<'_> {
    /// All fields of a struct or an enum; of a union, which is refused, none.
    pub fn all<'a>(input: &'a DeriveInput, errors: &mut Errors) -> Vec<Part<'a>> {
        let mut all = Vec::new();
        let mut add = |variant, fields: &'a Fields| {
            for (member, field) in fields.members().zip(fields) {
                all.push(Part { variant, member, field, attr: FieldAttr::read(field, errors) });
            }
        };
        match &input.data {
            Data::Struct(data) => add(None, &data.fields),
            Data::Enum(data) => {
                data.variants.iter().for_each(|it| add(Some(&it.ident), &it.fields));
            }
            Data::Union(_) => {}
        }
        all
    }

    /// Returns `true` if its handles stay as they are.
    pub fn keeps_entities(&self) -> bool {
        self.attr.entities == Some(Entities::Ignore)
    }

    fn mentions_entities(&self) -> bool {
        mentions(self.field.ty.to_token_stream(), &[&Ident::new("Entity", Span::call_site())])
    }
}

/// Returns the fields whose handles are replaced: marked ones, and the target of a relation.
///
/// Where values may leave their world, a field of handles without an attribute is a mistake, as they would mean
/// other entities there.
pub fn mapped<'p, 'a>(
    input: &DeriveInput,
    parts: &'p [Part<'a>],
    target: Option<&Member>,
    attr: &ComponentAttr,
    errors: &mut Errors,
) -> Vec<&'p Part<'a>> {
    let name = plain_name(&input.ident);
    let leaves = attr.clone || attr.saving.name.is_some();
    let mut mapped = Vec::new();
    for part in parts {
        let (ty, said) = (&part.field.ty, part.attr.entities);
        let is_target = target == Some(&part.member);
        if is_target || said == Some(Entities::Map) {
            if is_plain(ty) && !part.mentions_entities() {
                // `rustc` reports errors in a relation's target.
                if said == Some(Entities::Map) {
                    let message = format!(
                        "`entities` is for handles, and there are none in a `{}`; leave it out",
                        spell(ty)
                    );
                    errors.at(ty, message);
                }
                continue;
            }
            mapped.push(part);
        } else if said.is_none() && leaves && part.mentions_entities() {
            let message = format!(
                "component `{name}` may come into another world, where its handles mean others; put \
                 `#[component(entities)]` on this field so that they are replaced, or \
                 `#[component(entities = ignore)]` if they are to stay"
            );
            errors.at(ty, message);
        }
    }
    mapped
}

/// The items by which the library replaces the handles in these fields.
pub fn expand(input: &DeriveInput, mapped: &[&Part], private: &TokenStream) -> TokenStream {
    if mapped.is_empty() {
        return TokenStream::new();
    }
    // The pattern of a struct, or of the only variant, always matches.
    let may_differ = matches!(&input.data, Data::Enum(data) if data.variants.len() > 1);
    let calls = mapped.iter().map(|Part { variant, member, field, .. }| {
        // Not `Self::Variant`, which might be an associated type of the trait, too.
        let name = &input.ident;
        let path = variant.map_or_else(|| quote!(Self), |variant| quote!(#name::#variant));
        let pattern = quote!(#path { #member: __handles, .. });
        let map = located_at(quote!(#private::MapEntities::map_entities), &field.ty);
        if may_differ {
            quote!(if let #pattern = __value { #map(__handles, __map); })
        } else {
            quote!({ let #pattern = __value; #map(__handles, __map); })
        }
    });
    quote! {
        const HOLDS_ENTITIES: ::core::primitive::bool = true;
        fn map_entities(
            _: #private::Internal<Self>,
            __value: &mut Self,
            __map: &mut dyn ::core::ops::FnMut(#private::Entity) -> #private::Entity,
        ) {
            #(#calls)*
        }
    }
}
