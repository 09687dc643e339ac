//! Mistakes that `cargo check` does not see, one file each. The compiler reports all of them, in this order.
//!
//! To add one, write a file with a `pub(super) fn main` beside this one, and list it here.
#![allow(dead_code)]

macro_rules! mistakes {
    ($($name:ident)+) => {
        $(mod $name;)+

        fn main() {
            $($name::main();)+
        }
    };
}

mistakes! {
    among_three_sets
    bundle_that_gives_less_than_it_names
    collector_of_filters_only
    column_beside_the_whole
    column_twice
    component_owned_and_observed
    component_that_names_no_part
    condition_of_a_list_that_writes
    condition_that_aliases
    get_disjoint_mut
    guard_beside_a_reference
    guard_of_a_component_that_is_not_tracked
    guards_in_slices
    handle_of_one_that_is_not_needed
    insert_batch_twice
    insert_into_the_world_twice
    insert_twice
    insert_twice_nested
    insert_twice_within_a_nested_tuple
    list_with_a_condition_that_writes
    registered_and_not_saved
    registered_resource_is_not_saved
    relation_made_to_be_written
    relation_patched
    relation_patched_by_commands
    relation_retained_by_its_pool
    relation_sources_of_what_a_separate_view_writes
    relation_sources_of_what_is_written
    relation_up_of_what_a_separate_view_writes
    relation_up_of_what_is_written
    relation_walk_of_what_may_be_a_circle
    relation_written_by_a_loop_over_its_pool
    relation_written_by_a_loop_that_takes_its_pool
    relation_written_by_a_split
    relation_written_by_a_view
    relation_written_by_get_mut
    relation_written_by_its_pool
    rule_broken_by_a_spawn
    rule_broken_by_an_insertion
    rule_that_a_filter_never_meets
    rule_that_a_view_never_meets
    rule_that_parts_too_little
    same_component_twice_in_a_command
    saved_under_one_name
    schedule_of_a_conditional_system_that_aliases
    schedule_of_a_system_that_aliases
    sent_resource_with_a_hidden_handle
    spawn_batch_twice
    spawn_twice
    spawn_twice_by_a_derived_bundle
    split_both_exclude
    split_both_require
    split_of_a_column_and_the_whole
    split_of_derived_queries
    split_of_what_is_kept
    split_reads_and_writes
    split_resource_twice
    split_with_an_optional_term
    split_within_one_view
    split_writes_twice
    system_of_whole_entities
    system_that_aliases
    system_with_a_resource_twice
    system_with_generic_fields_that_alias
    taken_twice
    together_of_a_system_that_aliases
    tuple_of_a_system_that_aliases
    tuple_that_conflicts
    unique_made_to_be_written
    unique_patched
    unique_written
    unique_written_in_a_view
    view_in_two_orders
    view_mut_by_an_alias
    view_mut_in_a_nested_query
    view_mut_in_an_option
    view_mut_of_a_parameter
    view_mut_reads_and_writes
    view_mut_with_a_bare_name
    view_mut_writes_twice
    views_of_a_type_named_view
    whole_entities_while_writing
}
