//! The fields of a query: their fetches, and the messages about one that is no field.

use crate::field_type::{Leaf, leaves};
use crate::item::{is_generic, located_at, make_static, mentions, plain_name, projection, tuple};
use crate::spell::spell;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::{DeriveInput, GenericParam, Type};

/// A field of a query.
pub struct QueryField<'a> {
    pub name: String,
    /// The type of the field.
    pub own: &'a Type,
    /// The term of the field: its type, or a borrow of the column that it names.
    pub asked: Type,
    pub is_column: bool,
}

/// The fields of a query, to be expanded.
///
/// A constant checks all of them. In a generic query, each field that names none of its parameters has a constant of
/// its own. Errors about the others are in the words of `rustc`.
pub struct QueryFields<'a> {
    pub input: &'a DeriveInput,
    pub fields: &'a [QueryField<'a>],
    pub private: &'a TokenStream,
    /// Distinguishes the constants of one variant of an enum from the constants of another.
    pub tag: String,
}

impl QueryFields<'_> {
    /// Returns the fetches of the fields. The constants stand in braces: a path there could be a module's.
    pub fn fetch(&self) -> TokenStream {
        let private = self.private;
        if !is_generic(self.input) {
            let asked = self.all(|field| self.make_static(&field.asked));
            let are_fields = self.answer_of_all();
            return quote!(#private::FetchIf<#asked, { #are_fields }>);
        }
        let fetch = |(at, field): (usize, &QueryField)| {
            let asked = self.make_static(&field.asked);
            match self.answer_of(at) {
                Some(is_field) => quote!(#private::FetchIf<#asked, { #is_field }>),
                None => projection(&asked, &quote!(#private::Field), "Fetch", field.own),
            }
        };
        tuple(&self.fields.iter().enumerate().map(fetch).collect::<Vec<_>>())
    }

    /// Their values, from a variable that holds the fetched items of all.
    pub fn values(&self, items: &Ident) -> TokenStream {
        let private = self.private;
        if is_generic(self.input) {
            return items.to_token_stream();
        }
        let are_fields = self.answer_of_all();
        quote!(#private::ItemIf::<{ #are_fields }, _>(#items).__ecs_take())
    }

    /// The value of one of them, of a variable that holds it unless it is none.
    pub fn value(&self, at: usize, item: &Ident) -> TokenStream {
        let private = self.private;
        match self.answer_of(at) {
            Some(is_field) => quote!(#private::ItemIf::<{ #is_field }, _>(#item).__ecs_take()),
            None => item.to_token_stream(),
        }
    }

    /// Returns the constants that decide whether they are fields.
    pub fn answers(&self) -> TokenStream {
        let private = self.private;
        let answer = |name: &Ident, asked: &TokenStream, own: &TokenStream| {
            quote! {
                const #name: ::core::primitive::bool =
                    #private::FieldProbe::<#asked, #own>::__ECS_ARE_FIELDS;
            }
        };
        let mut answers = TokenStream::new();
        if !is_generic(self.input) {
            let asked = self.all(|field| self.make_static(&field.asked));
            let own = self.all(|field| self.make_static(field.own));
            answers.extend(answer(&self.answer_of_all(), &asked, &own));
        }
        for (at, QueryField { own, asked, .. }) in self.fields.iter().enumerate() {
            if let Some(name) = self.answer_of(at) {
                answers.extend(answer(&name, &self.make_static(asked), &self.make_static(own)));
            }
        }
        answers
    }

    /// Returns the name of the constant that checks all fields.
    fn answer_of_all(&self) -> Ident {
        Ident::new(&format!("__ARE_FIELDS{}", self.tag), Span::call_site())
    }

    /// Returns the name of the constant that checks this field of a generic query, if one can.
    fn answer_of(&self, at: usize) -> Option<Ident> {
        let is_known = is_generic(self.input) && self.is_known(&self.fields[at]);
        is_known.then(|| Ident::new(&format!("__IS_FIELD{}_{at}", self.tag), Span::call_site()))
    }

    /// Returns `true` if it names no parameter of the query.
    fn is_known(&self, QueryField { own, asked, .. }: &QueryField) -> bool {
        let itself = Ident::new("Self", Span::call_site());
        let params = self.input.generics.params.iter().filter_map(|param| match param {
            GenericParam::Type(param) => Some(&param.ident),
            GenericParam::Const(param) => Some(&param.ident),
            GenericParam::Lifetime(_) => None,
        });
        let params: Vec<_> = params.chain([&itself]).collect();
        ![own.to_token_stream(), asked.to_token_stream()]
            .into_iter()
            .any(|tokens| mentions(tokens, &params))
    }

    /// Calls that are errors where a field, or a part of it, is none.
    pub fn checks(&self) -> Vec<TokenStream> {
        let private = self.private;
        let mut checks = Vec::new();
        for field in self.fields.iter().filter(|field| self.is_known(field)) {
            let QueryField { name, own, asked, is_column } = field;
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
