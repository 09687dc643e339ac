//! `#[derive(MapEntities)]`

use crate::attr::{self, FieldAttr};
use crate::errors::Errors;
use crate::item::{Static, in_const, refuse_lifetimes, where_all};
use crate::parts::{HandleParts, Part};
use proc_macro2::TokenStream;
use quote::quote;
use syn::{Data, DeriveInput};

/// With a mistake found, the same expansion serves as the stub.
pub fn expand(input: &DeriveInput, errors: &mut Errors) -> TokenStream {
    let private = attr::private(input, errors);
    refuse_lifetimes(input, "types with handles", errors);
    attr::refuse_entities_beside_fields(input, errors);
    if let Data::Union(data) = &input.data {
        let message = "handles in a union cannot be found; make it a struct or an enum";
        errors.at(&data.union_token, message);
    }
    let parts = Part::all(input, FieldAttr::of_nested, errors);
    let Some(private) = private else { return in_const(&TokenStream::new()) };
    let handles = HandleParts::of(input, &parts, &private);
    let checks = errors.is_empty().then(|| handles.checks("`#[entities(ignore)]`"));
    let Static { params, ty, mut bounds } = Static::of(input);
    let types = input.generics.type_params().map(|param| &param.ident);
    bounds.extend(types.map(|param| quote!(#param: #private::MapEntities)));
    let bounds = where_all(&bounds);
    let methods = handles.methods();
    in_const(&quote! {
        #[automatically_derived]
        impl #params #private::MapEntities for #ty #bounds {
            #methods
        }
        #checks
    })
}
