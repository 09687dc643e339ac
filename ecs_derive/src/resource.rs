//! `#[derive(Resource)]`

use crate::attr::{self, FieldAttr, ResourceAttr};
use crate::component::{checks, doubtful};
use crate::errors::Errors;
use crate::item::{
    Static, id, in_const, is_generic, located_at, plain_name, refuse_lifetimes, where_all,
};
use crate::parts::{HandleParts, Part};
use crate::saving;
use proc_macro2::TokenStream;
use quote::quote;
use syn::{Data, DeriveInput};

/// With a mistake found, the same expansion serves as the stub: wrong parts are left out.
pub fn expand(input: &DeriveInput, errors: &mut Errors) -> TokenStream {
    let mut attr = ResourceAttr::read(input, errors);
    let private = attr::private(input, errors);
    refuse_lifetimes(input, "resources", errors);
    if let Data::Union(data) = &input.data {
        errors
            .at(&data.union_token, "a resource is a struct or an enum; put the union in a struct");
    }
    let parts = Part::all(input, FieldAttr::of_resource, errors);
    saving::check(input, "resource", &attr.saving, errors);
    if !errors.is_empty() {
        attr.saving.name = None; // its mistakes are reported
    }
    let doubtful = if is_generic(input) { Vec::new() } else { doubtful(input) };
    in_const(&private.map_or_else(TokenStream::new, |private| {
        // Handles are replaced where a saved value is sent to another world.
        let is_saved = attr.saving.name.is_some() && errors.is_empty();
        let handles = is_saved.then(|| HandleParts::of(input, &parts, &private).expand(false));
        let mut impls = impls(input, &attr, handles.as_ref(), !doubtful.is_empty(), &private);
        if !doubtful.is_empty() && errors.is_empty() {
            impls.extend(checks(input, &doubtful, "check_shared_resource", &private));
        }
        impls
    }))
}

fn impls(
    input: &DeriveInput,
    attr: &ResourceAttr,
    handles: Option<&TokenStream>,
    is_doubtful: bool,
    private: &TokenStream,
) -> TokenStream {
    let Static { params, ty, mut bounds } = Static::of(input);
    let name = plain_name(&input.ident);
    let id = id(input, private);
    if is_generic(input) {
        bounds.push(quote!(Self: ::core::marker::Send + ::core::marker::Sync + 'static));
    } else if is_doubtful {
        // The impl takes it that these fields are right: a check at each says if it is wrong.
        bounds.push(quote!(for<'__s> Self: #private::Share<'__s>));
    }
    let bounds = where_all(&bounds);
    // The instances of a generic type would share a `static`.
    let slot = (!is_generic(input)).then(|| {
        quote! {
            #[inline]
            fn slot() -> ::core::option::Option<&'static #private::ResourceSlot<Self>> {
                static __SLOT: #private::ResourceSlot<#ty> = #private::ResourceSlot::new();
                ::core::option::Option::Some(&__SLOT)
            }
        }
    });
    let clone = attr.copying.is_copied.then(|| {
        let clone = located_at(quote!(#private::clone_of), &input.ident);
        quote! {
            const CLONE: ::core::option::Option<fn(&Self) -> Self> =
                ::core::option::Option::Some(#clone);
        }
    });
    let skips_copies = attr.copying.is_skipped.then(|| {
        quote!(
            const SKIPS_COPIES: ::core::primitive::bool = true;
        )
    });
    let saving = saving::of_resource(input, &attr.saving, private);
    let unlisted = attr::unlisted(input);
    quote! {
        #id
        #[automatically_derived]
        #unlisted
        impl #params #private::Resource for #ty #bounds {
            const NAME: &'static ::core::primitive::str = #name;
            const ID: #private::ComponentId = __ID;
            #clone #skips_copies
            #saving
            #handles
            #slot
        }
    }
}
