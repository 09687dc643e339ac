//! The derives by their names.

use crate::errors::Errors;
use crate::{bundle, component, map_entities, query, resource, views};
use proc_macro2::TokenStream;
use syn::DeriveInput;

/// A derive, without its entry point.
type Expand = fn(&DeriveInput, &mut Errors) -> TokenStream;

pub fn named(name: &str) -> Expand {
    match name {
        "Component" => component::expand,
        "MapEntities" => map_entities::expand,
        "Query" => query::expand,
        "Bundle" => bundle::expand,
        "Views" => views::expand,
        "Resource" => resource::expand,
        _ => panic!("no derive `{name}`"),
    }
}
