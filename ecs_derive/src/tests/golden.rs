//! Expansions beside their inputs in `tests/golden`. `BLESS=1 cargo test -p ecs_derive` writes them.

use super::named;
use crate::{derive, schedule_of};
use quote::ToTokens;
use std::path::Path;
use std::{env, fs};
use syn::{DeriveInput, Ident, Macro};

pub fn source_of(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/golden/{name}.rs"));
    fs::read_to_string(path).unwrap()
}

/// Returns the formatted expansion of the file `{name}.rs`: an item with a derive, or the input of `schedule!`.
fn expand(name: &str) -> String {
    let source = source_of(name);
    if name.starts_with("schedule") {
        let call: Macro = syn::parse_str(&source).unwrap();
        return prettyplease::unparse(&syn::parse2(schedule_of(call.tokens)).unwrap());
    }
    let mut input: DeriveInput = syn::parse_str(&source).unwrap();
    let attribute = input.attrs.remove(0);
    let derived = attribute.parse_args::<Ident>().unwrap().to_string();
    let file = syn::parse2(derive(input.into_token_stream(), &derived, named(&derived))).unwrap();
    prettyplease::unparse(&file)
}

fn check(name: &str) {
    let expanded = expand(name);
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/golden/{name}.expanded.rs"));
    if env::var_os("BLESS").is_some() {
        fs::write(path, expanded).unwrap();
        return;
    }
    let golden = fs::read_to_string(path).unwrap_or_default();
    assert!(expanded == golden, "`{name}` now expands to\n{expanded}\ninstead of\n{golden}");
}

macro_rules! golden {
    ($($name:ident)*) => {
        $(#[test] fn $name() { check(stringify!($name)); })*

        /// The names of all inputs.
        pub fn inputs() -> impl Iterator<Item = &'static str> {
            [$(stringify!($name)),*].into_iter()
        }
    };
}

golden! {
    component component_attributes component_copied component_dependent component_generic component_hooks component_raw
    component_relation component_relation_target component_plain component_indexed component_unique component_requires component_requires_generic component_rules component_saved component_stub
    component_shared component_track component_columns component_columns_generic component_columns_shared
    component_columns_stub map_entities map_entities_plain
    query query_enum query_generic query_long query_own_data query_tuple query_columns query_stub
    bundle bundle_generic bundle_unit bundle_stub
    views views_generic views_stub
    resource resource_generic resource_saved resource_shared resource_stub
    schedule schedule_stub
}

#[test]
fn derives_emit_little() {
    let lines = |name| expand(name).lines().count();
    assert!(lines("component") <= 50, "{}", expand("component"));
    assert!(lines("component_columns") <= 370, "{}", expand("component_columns"));
    assert!(lines("map_entities_plain") <= 60, "{}", expand("map_entities_plain"));
    assert!(lines("query") <= 60, "{}", expand("query"));
    assert!(lines("bundle") <= 35, "{}", expand("bundle"));
    assert!(lines("views") <= 50, "{}", expand("views"));
    assert!(lines("resource") <= 30, "{}", expand("resource"));
    assert!(lines("schedule") <= 200, "{}", expand("schedule"));
}
