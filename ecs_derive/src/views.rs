//! `#[derive(Views)]`

use crate::attr;
use crate::errors::Errors;
use crate::item::{
    Static, bindings, field_name, in_const, is_generic, located_at, make_static, own_bounds,
    plain_name, projection, type_with_lifetime, where_all,
};
use crate::lifetimes;
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use syn::{Data, DeriveInput, Field, Fields, Lifetime};

/// A split is a tuple, and the tuples that the library knows end here.
const MOST_VIEWS: usize = 12;

pub fn expand(input: &DeriveInput, errors: &mut Errors) -> TokenStream {
    let private = attr::private(input, errors);
    let fields = fields(input, errors);
    if let Some(fields) = fields {
        check_lifetimes(input, fields, errors);
    }
    let fields = fields.filter(|_| errors.is_empty());
    in_const(&private.map(|private| impls(input, fields, &private)).unwrap_or_default())
}

fn fields<'a>(input: &'a DeriveInput, errors: &mut Errors) -> Option<&'a Fields> {
    let name = plain_name(&input.ident);
    let keyword = match &input.data {
        Data::Struct(data) if data.fields.is_empty() => {
            let message = format!(
                "views `{name}` has no fields; give it one per view, as in \
                 `movers: View<'w, (&'w mut Position, &'w Velocity)>`"
            );
            errors.at(&input.ident, message);
            return None;
        }
        Data::Struct(data) if data.fields.len() > MOST_VIEWS => {
            let message = format!("views `{name}`: a split has at most {MOST_VIEWS} views");
            errors.at(&input.ident, message);
            return None;
        }
        Data::Struct(data) => return Some(&data.fields),
        Data::Enum(data) => data.enum_token.to_token_stream(),
        Data::Union(data) => data.union_token.to_token_stream(),
    };
    let message =
        format!("a set of views is a struct with a field per view; make `{name}` a struct");
    errors.at(&keyword, message);
    None
}

fn check_lifetimes(input: &DeriveInput, fields: &Fields, errors: &mut Errors) {
    if input.generics.lifetimes().next().is_some() {
        return lifetimes::check(input, Some(fields), &lifetimes::OF_VIEWS, errors);
    }
    let name = plain_name(&input.ident);
    let message =
        format!("views `{name}` borrow the world; write `struct {name}<'w>` and `View<'w, ..>`");
    errors.at(&input.ident, message);
}

/// Without fields this is the impl of a stub, whatever the item is.
fn impls(input: &DeriveInput, fields: Option<&Fields>, private: &TokenStream) -> TokenStream {
    let name = &input.ident;
    let item_lifetime = Lifetime::new("'__w", Span::call_site());
    let lifetimes: Vec<_> = input.generics.lifetimes().map(|param| &param.lifetime).collect();
    let claim = |field: &Field| {
        let ty = make_static(field.ty.to_token_stream(), &lifetimes);
        projection(&ty, &quote!(#private::ViewField), "Claim", &field.ty)
    };
    let claims = fields.into_iter().flatten().map(claim);
    let members: Vec<_> = fields.into_iter().flat_map(Fields::members).collect();
    let names = members.iter().map(field_name);
    let bindings = fields.map(bindings).unwrap_or_default();

    let (all, views, build) = match fields {
        Some(_) => (
            quote!((#(#claims,)*)),
            type_with_lifetime(input, &item_lifetime),
            quote! {
                let (#(#bindings,)*) = __claimed;
                #name { #(#members: ::core::convert::From::from(#bindings)),* }
            },
        ),
        // Any claim does for a stub.
        None => (quote!((#private::EntityFetch,)), Static::of(input).ty, quote!(loop {})),
    };
    let outlives = input.generics.type_params().map(|param| &param.ident);
    let bounds: Vec<_> = own_bounds(&input.generics)
        .into_iter()
        .chain(outlives.map(|param| quote!(#param: 'static)))
        .collect();
    let bounds = where_all(&bounds);
    let (params, ty_arguments, _) = input.generics.split_for_impl();
    let check = fields.filter(|_| !is_generic(input)).map(|_| {
        let ty = Static::of(input).ty;
        let check = located_at(quote!(#private::check_views::<#ty>()), name);
        quote!(const _: () = #check;)
    });

    quote! {
        #[automatically_derived]
        impl #params #private::ViewSet for #name #ty_arguments #bounds {
            type Claims = #all;
            type Views<#item_lifetime> = #views;
            const NAMES: &'static [&'static ::core::primitive::str] = &[#(#names),*];
            #[inline]
            fn build<#item_lifetime>(
                _: #private::Internal<Self>,
                __claimed: <Self::Claims as #private::ClaimSet>::Claimed<#item_lifetime>,
            ) -> Self::Views<#item_lifetime> {
                #build
            }
        }
        #check
    }
}
