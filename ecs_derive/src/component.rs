//! `#[derive(Component)]`

use crate::attr::{self, ComponentAttr};
use crate::columns::{self, Columns};
use crate::errors::Errors;
use crate::item::{Static, in_const, is_generic, plain_name, refuse_lifetimes, where_all};
use proc_macro2::{Literal, TokenStream};
use quote::quote;
use syn::{Data, DeriveInput};

/// With a mistake found, the same expansion serves as the stub: what is wrong is left out.
pub fn expand(input: &DeriveInput, errors: &mut Errors) -> TokenStream {
    let attr = ComponentAttr::read(input, errors);
    let private = attr::private(input, errors);
    refuse_lifetimes(input, "components", errors);
    if let Data::Union(data) = &input.data {
        errors
            .at(&data.union_token, "a component is a struct or an enum; put the union in a struct");
    }
    let fields = columns::check(input, &attr, errors).filter(|_| errors.is_empty());
    let Some(private) = private else {
        return in_const(&TokenStream::new());
    };
    let columns = fields.map(|fields| Columns::of(input, fields, &attr, &private));
    let items = columns.as_ref().map(Columns::items);
    let impls = in_const(&impls(input, &attr, columns.as_ref(), &private));
    quote!(#items #impls)
}

fn impls(
    input: &DeriveInput,
    attr: &ComponentAttr,
    columns: Option<&Columns>,
    private: &TokenStream,
) -> TokenStream {
    let Static { params, ty, bounds } = Static::of(input);
    let name = plain_name(&input.ident);
    let is_generic = is_generic(input);
    // What the item promises, and where it is generic, what its instances must.
    let with = |bounds_of_use: &[TokenStream]| {
        where_all(bounds.iter().chain(bounds_of_use.iter().filter(|_| is_generic)))
    };
    let owned = with(&columns.map_or_else(
        || vec![quote!(Self: ::core::marker::Send + ::core::marker::Sync + 'static)],
        Columns::bounds,
    ));
    let component = with(&[quote!(Self: #private::Component)]);
    let storage = if columns.is_some() {
        quote!(#private::Columns<Self>)
    } else {
        quote!(#private::VecStorage<Self>)
    };
    let value = columns.map_or_else(|| quote!(&mut Self), Columns::exclusive_reference);

    let inexact = is_generic.then(|| quote!(.inexact()));
    let pinned = attr.bit.map(Literal::u8_unsuffixed);
    let bit =
        pinned.map_or_else(|| quote!(__ID.bit()), |bit| quote!(#private::Signature::bit(#bit)));
    // The instances of a generic type would share a `static`.
    let slot = (!is_generic).then(|| {
        quote! {
            #[inline]
            fn slot() -> ::core::option::Option<&'static #private::ComponentSlot<Self>> {
                static __SLOT: #private::ComponentSlot<#ty> = #private::ComponentSlot::new();
                ::core::option::Option::Some(&__SLOT)
            }
        }
    });
    let veto = attr.veto.as_ref().map(|veto| {
        quote! {
            const GUARDED: ::core::primitive::bool = true;
            fn permits_removal(
                _: #private::Internal<Self>,
                __value: #value,
            ) -> ::core::primitive::bool {
                let __veto: fn(#value) -> ::core::primitive::bool = #veto;
                __veto(__value)
            }
        }
    });

    let columns = columns.map(Columns::impls);
    quote! {
        const __ID: #private::ComponentId = #private::ComponentId::of(
            ::core::option_env!("CARGO_PKG_NAME"),
            ::core::option_env!("CARGO_PKG_VERSION"),
            ::core::module_path!(),
            #name,
            ::core::line!(),
            ::core::column!(),
        )#inexact;
        #[automatically_derived]
        impl #params #private::Component for #ty #owned {
            type Storage = #storage;
            const NAME: &'static ::core::primitive::str = #name;
            const ID: #private::ComponentId = __ID;
            const BIT: #private::Signature = #bit;
            #slot
            #veto
        }
        #[automatically_derived]
        impl #params #private::Term for #ty #component {
            type Fetch = #private::Read<Self>;
            type WithEntity = (#private::EntityFetch, #private::Read<Self>);
        }
        #columns
    }
}
