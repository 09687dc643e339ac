//! `#[derive(Bundle)]`

use crate::attr;
use crate::errors::Errors;
use crate::item::{
    Static, bindings, field_name, in_const, is_generic, known, located_at, mentions, plain_name,
    refuse_lifetimes, tuple, where_all,
};
use crate::spell::spell;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Data, DeriveInput, Fields};

pub fn expand(input: &DeriveInput, errors: &mut Errors) -> TokenStream {
    let private = attr::private(input, errors);
    refuse_lifetimes(input, "bundles", errors);
    let fields = fields(input, errors);
    if let Some(fields) = fields {
        check_fields_differ(input, fields, errors);
    }
    let fields = fields.filter(|_| errors.is_empty());
    in_const(&private.map(|private| impls(input, fields, &private)).unwrap_or_default())
}

fn fields<'a>(input: &'a DeriveInput, errors: &mut Errors) -> Option<&'a Fields> {
    let keyword = match &input.data {
        Data::Struct(data) => return Some(&data.fields),
        Data::Enum(data) => data.enum_token.to_token_stream(),
        Data::Union(data) => data.union_token.to_token_stream(),
    };
    let name = plain_name(&input.ident);
    let message =
        format!("a bundle is a struct with a field per component; make `{name}` a struct");
    errors.at(&keyword, message);
    None
}

/// Compares types as tokens. Constants of the library find equal types with different names.
fn check_fields_differ(input: &DeriveInput, fields: &Fields, errors: &mut Errors) {
    let name = plain_name(&input.ident);
    let mut seen: Vec<(String, String)> = Vec::new();
    for (member, field) in fields.members().zip(fields) {
        let (second, ty) = (field_name(&member), spell(&field.ty));
        match seen.iter().find(|(_, earlier)| *earlier == ty) {
            Some((first, _)) => errors.at(
                &field.ty,
                format!(
                    "bundle `{name}`: fields `{first}` and `{second}` both hold `{ty}`; an entity \
                     holds a component once"
                ),
            ),
            None => seen.push((second, ty)),
        }
    }
}

/// Without fields these are the impls of a stub, whatever the item is.
fn impls(input: &DeriveInput, fields: Option<&Fields>, private: &TokenStream) -> TokenStream {
    let Static { params, ty, mut bounds } = Static::of(input);
    let own = bounds.clone();
    let name = plain_name(&input.ident);
    let types: Vec<_> = fields.into_iter().flatten().map(|field| &field.ty).collect();
    let members: Vec<_> = fields.into_iter().flat_map(Fields::members).collect();
    let names = members.iter().map(field_name);
    let bindings = fields.map(bindings).unwrap_or_default();
    let take = fields.map(|_| quote!(let Self { #(#members: #bindings),* } = __bundle;));
    let parts = bindings.iter().map(|binding| quote!(#private::PartOf(#binding).into_parts()));
    let parts = tuple(&parts.collect::<Vec<_>>());

    let type_params: Vec<_> = input.generics.type_params().map(|param| &param.ident).collect();
    for ty in types.iter().filter(|ty| mentions(ty.to_token_stream(), &type_params)) {
        bounds.push(quote!(#ty: #private::Bundle));
    }
    let parts_of_fields = quote!(&[#(#private::Part::of_bundle::<#types>()),*]);
    let names = quote!(&[#(#names),*]);
    if is_generic(input) {
        bounds.push(quote!(#private::Threads: #private::MayShare<Self>, Self: 'static));
    } else if !types.is_empty() {
        // For a field that threads cannot share, the only error is that it is no bundle.
        bounds.push(quote!(for<'__s> Self: #private::Share<'__s>));
    }
    let known = known("InBundles", &params, &ty, &where_all(&own), private);
    let bounds = where_all(&bounds);
    // Constants cannot name the parameters of a generic bundle.
    let (names, all_parts, checks) = if is_generic(input) || types.is_empty() {
        (names, parts_of_fields, TokenStream::new())
    } else {
        let checks = types.iter().enumerate().map(|(at, field)| {
            let check = quote!(#private::check_bundle_field(#name, __FIELDS, __PARTS, #at));
            located_at(check, field)
        });
        let items = quote! {
            const __FIELDS: &'static [&'static ::core::primitive::str] = #names;
            const __PARTS: &'static [#private::Part] = #parts_of_fields;
            const _: () = { #(#checks;)* };
        };
        (quote!(__FIELDS), quote!(__PARTS), items)
    };

    quote! {
        #known
        #[automatically_derived]
        impl #params #private::Contents<Self> for #ty #bounds {
            const LABEL: &'static ::core::primitive::str = #name;
            const FIELDS: &'static [&'static ::core::primitive::str] = #names;
            const PARTS: &'static [#private::Part] = #all_parts;
            #[inline]
            fn into_parts(__bundle: Self) -> impl #private::Parts {
                use #private::NoBundle as _;
                #take
                #parts
            }
        }
        #checks
    }
}
