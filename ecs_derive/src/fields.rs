//! The fields of a query: what is fetched for them, and what is said of one that is no field.

use crate::field_type::{Leaf, leaves};
use crate::item::{is_generic, located_at, make_static, plain_name, projection, tuple};
use crate::spell::spell;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::{DeriveInput, Type};

/// A field of a query.
pub struct QueryField<'a> {
    pub name: String,
    /// What it is.
    pub own: &'a Type,
    /// The term that it asks for: its type, or where it names a column, a borrow of that.
    pub asked: Type,
    pub is_column: bool,
}

/// The fields of a query, to be expanded.
///
/// Whether all are right, a constant tells. Of a generic query only its instances know: `rustc` says
/// of one that is wrong what it says.
pub struct QueryFields<'a> {
    pub input: &'a DeriveInput,
    pub fields: &'a [QueryField<'a>],
    pub private: &'a TokenStream,
}

impl QueryFields<'_> {
    /// What is fetched for them.
    pub fn fetch(&self) -> TokenStream {
        let private = self.private;
        if is_generic(self.input) {
            let fetch = |field: &QueryField| {
                let asked = self.make_static(&field.asked);
                projection(&asked, &quote!(#private::Field), "Fetch", field.own)
            };
            return tuple(&self.fields.iter().map(fetch).collect::<Vec<_>>());
        }
        let asked = self.all(|field| self.make_static(&field.asked));
        quote!(#private::FetchIf<#asked, __ARE_FIELDS>)
    }

    /// Their values, of a variable that holds what was fetched.
    pub fn values(&self, items: &Ident) -> TokenStream {
        let private = self.private;
        if is_generic(self.input) {
            return items.to_token_stream();
        }
        quote!(#private::ItemIf::<__ARE_FIELDS, _>(#items).__ecs_take())
    }

    /// The constant that tells whether all are fields.
    pub fn answer(&self) -> TokenStream {
        let private = self.private;
        let asked = self.all(|field| self.make_static(&field.asked));
        let own = self.all(|field| self.make_static(field.own));
        quote! {
            use #private::NoField as _;
            const __ARE_FIELDS: ::core::primitive::bool =
                #private::FieldProbe::<#asked, #own>::__ECS_ARE_FIELDS;
        }
    }

    /// Calls that are errors where a field, or a part of it, is none.
    pub fn checks(&self) -> Vec<TokenStream> {
        let private = self.private;
        let mut checks = Vec::new();
        for QueryField { name, own, asked, is_column } in self.fields {
            let parts = leaves(own);
            if *is_column {
                let (asked, of) = (self.make_static(asked), self.make_static(own));
                checks.push(located_at(quote!(#private::check_column::<#asked, #of>()), own));
                continue;
            }
            checks.extend(parts.iter().map(|leaf| self.check(name, leaf)));
            if parts.is_empty() {
                let ty = self.make_static(own);
                checks.push(located_at(quote!(#private::check_value::<#ty>()), own));
            }
        }
        checks
    }

    fn check(&self, field: &str, leaf: &Leaf) -> TokenStream {
        let private = self.private;
        let ty = self.make_static(&leaf.place());
        let check = match leaf {
            Leaf::Borrow(reference) if spell(&reference.elem).ends_with("Entity") => {
                let query = plain_name(&self.input.ident);
                let mistake = format!(
                    "query `{query}`: field `{field}` borrows the entity, which is a value: write \
                     `Entity`"
                );
                let is_entity = quote!(#private::FieldProbe::<#ty, ()>::__ECS_IS_ENTITY);
                quote!(#private::check_no_entity::<#ty, { #is_entity }>(#mistake))
            }
            Leaf::Borrow(_) => quote!(#private::check_reference::<#ty>()),
            Leaf::Has(_) => quote!(#private::check_value::<#private::Has<#ty>>()),
            Leaf::Path(_) => quote!(#private::check_value::<#ty>()),
        };
        located_at(check, &leaf.place())
    }

    /// A tuple of all of them.
    fn all(&self, each: impl Fn(&QueryField) -> TokenStream) -> TokenStream {
        tuple(&self.fields.iter().map(each).collect::<Vec<_>>())
    }

    fn make_static(&self, ty: &impl ToTokens) -> TokenStream {
        let lifetimes: Vec<_> =
            self.input.generics.lifetimes().map(|param| &param.lifetime).collect();
        make_static(ty.to_token_stream(), &lifetimes)
    }
}
