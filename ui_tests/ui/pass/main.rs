//! Programs that compile and run, one file each. They are the modules of one crate, which compiles in a fraction of the
//! time of a crate each.
//!
//! To add one, write a file with a `pub(super) fn main` beside this one, and list it here.
#![allow(
    warnings,
    reason = "users may write all of it; some programs deny what derives must not cause"
)]

macro_rules! programs {
    ($($name:ident)+) => {
        $(mod $name;)+

        mod tests {
            $(#[test]
            fn $name() {
                super::$name::main();
            })+
        }
    };
}

programs! {
    associated_types
    attributes_around_fields
    bundle_shapes
    checked_queries
    collectors
    component_shapes
    components_named_like_the_library
    components_of_another_crate
    const_generics
    constants
    constants_of_any_name
    crate_behind_a_module
    defaulted_parameters
    derived_views
    derived_views_without_a_prelude
    everything_imported
    fields_named_like_locals
    fields_of_any_name
    forbid_unsafe_code
    fourteen_fields
    functions_of_any_view
    generic_components_side_by_side
    generic_functions
    handles_chain
    handles_in_components
    identifiers_beyond_ascii
    imported_under_other_names
    inside_functions
    inside_macro_rules
    items_named_like_locals
    items_of_a_view_live_together
    iterators_in_variables
    lifetimes_of_any_name
    namesakes_in_constants
    namesakes_in_crates
    namesakes_in_functions
    namesakes_in_modules
    namesakes_in_one_macro
    nested_queries
    no_implicit_prelude
    nothing_imported
    own_send_and_sync
    parameters_named_like_the_derives
    parameters_without_bounds
    private_fields_of_another_crate
    query_shapes
    raw_identifiers
    re_exported_crate
    reading_twice
    resources
    saved_components
    shared_bits
    shared_handles_are_copies
    shared_items_outlive_their_view
    soa_disjoint_columns
    soa_inside_functions_and_macros
    soa_items_named_like_locals
    soa_keywords
    soa_methods_that_everything_has
    soa_no_implicit_prelude
    soa_raw_identifiers
    soa_shapes
    soa_sixty_fields
    soa_visibility
    split_of_different_components
    split_of_one_component
    statics_of_any_name
    traits_of_components
    twelve_terms
    types_named_like_primitives
    types_of_any_name
    variants_of_any_name
    vetoes
    views_in_signatures
    views_on_threads
    visibility
    where_clauses
}
