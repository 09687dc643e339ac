//! Mistakes of other libraries with lifecycles, and mistakes that must not compile: each has a
//! test, or a case of `ui_tests`.

use std::fs;
use std::path::Path;

/// Mistakes of other libraries, and the tests of `it` that would find them here.
const TRAPS: [(&str, &[&str]); 25] = [
    ("despawn in one's own insertion", &["observers::trap_1_"]),
    ("despawn by an earlier observer", &["observers::trap_2_"]),
    ("an observer of a batch of spawns that spawns", &["observers::trap_3_"]),
    ("an observer of a removal that spawns", &["observers::trap_4_"]),
    ("a handle whose entity is gone", &["observers::trap_5_"]),
    ("another world in the place of this one", &["observers::trap_6_"]),
    ("an observer of an end that despawns again", &["observers::trap_7_"]),
    ("the order of hooks when something goes", &["observers::trap_8_"]),
    ("what can be read of an entity that ends", &["observers::trap_9_"]),
    ("nested operations that are told twice", &["observers::trap_10_"]),
    (
        "observers that are ended while they are told, from a drop, too",
        &[
            "observers::trap_11_",
            "observers::captures_of_an_observer_are_dropped_after_it_returned",
        ],
    ),
    ("an observer that outlives its target, and the reverse", &["observers::trap_12_"]),
    ("who ends observing, and others that hear no more", &["collectors::trap_13_"]),
    (
        "removals that are missed by who asks for them",
        &["collectors::trap_14_", "changes::removals_"],
    ),
    ("an index that is used again twice", &["collectors::trap_15_", "changes::removals_"]),
    ("whether an insertion is a change", &["changes::insertions_count_as_changes_"]),
    (
        "changes that are none",
        &[
            "changes::only_lent_references_are_changes",
            "change_marks::each_way_to_write_marks_lent_values_in_worlds_of_any_shape",
        ],
    ),
    (
        "a marked loop that breaks, panics, or takes few",
        &["changes::a_loop_that_ends_early_", "change_marks::panics_"],
    ),
    (
        "what slices and parallel loops mark",
        &["changes::each_way_to_write_", "changes::marks_are_made_on_several_threads"],
    ),
    ("a reader that idles for ages", &["changes::a_reader_may_idle_"]),
    ("marks after sort, clear and drain", &["changes::sorts_swaps_and_groups_move_no_marks"]),
    ("a command whose target is dead", &["commands::trap_22_"]),
    (
        "a queue that is dropped, or panics half-way",
        &["commands::trap_23_", "commands::after_a_panic_", "commands::a_bomb_"],
    ),
    ("the order of commands that are made inside commands", &["commands::trap_24_"]),
    (
        "a child twice, another's child, a deep chain",
        &["relations::trap_25_", "relations::a_chain_of_a_million_"],
    ),
];

/// Mistakes that must not compile, and their cases in `ui_tests/ui/fail` or `ui_tests/ui`.
const MISTAKES: [(&str, &[&str]); 14] = [
    ("`changes` of what is not tracked", &["changes/read_of_a_component_that_is_not_tracked"]),
    (
        "`Mut<T>` of what is not tracked",
        &[
            "on_build/guard_of_a_component_that_is_not_tracked",
            "changes/guard_in_a_query_of_what_is_not_tracked",
        ],
    ),
    (
        "`Mut<T>` beside `&T`",
        &["on_build/guard_beside_a_reference", "changes/guard_in_a_query_that_also_reads"],
    ),
    ("`Mut<T>` in `view`", &["changes/guard_in_a_view_that_reads"]),
    ("`Mut<T>` in `for_each_chunk`", &["on_build/guards_in_slices"]),
    ("a hook of another signature", &["rust/hook_of_another_signature"]),
    (
        "a key of a hook twice, or misspelt",
        &["attributes/hook_twice", "attributes/hook_misspelt", "attributes/hook_is_no_path"],
    ),
    (
        "an observer that writes to what it captures, or of another signature",
        &[
            "rust/observer_that_mutates_a_capture",
            "rust/observer_of_another_signature",
            "rust/observer_of_a_batch_that_takes_an_entity",
            "rust/observer_without_an_entity",
            "rust/observer_that_is_a_system",
        ],
    ),
    ("an `Rc` captured", &["threads/observer_with_rc", "threads/observer_of_events_with_rc"]),
    ("an item that leaves an observer", &["borrowing/component_smuggled_out_of_an_observer"]),
    ("commands that are applied while a view lives", &["borrowing/commands_applied_while_viewing"]),
    (
        "a command that is not `Send`",
        &["commands/closure_with_rc", "commands/patch_with_cell", "commands/event_with_rc"],
    ),
    (
        // One may be made, and inserted, which looks at both ends. Code that would look at one does not
        // compile.
        "a `ChildOf` whose parent does not know of it",
        &[
            "on_build/relation_written_by_get_mut",
            "on_build/relation_written_by_a_view",
            "on_build/relation_written_by_a_split",
            "on_build/relation_written_by_its_pool",
            "on_build/relation_written_by_a_loop_over_its_pool",
            "on_build/relation_patched",
            "on_build/relation_patched_by_commands",
            "on_build/relation_retained_by_its_pool",
            "on_build/relation_made_to_be_written",
            "relations/written_by_a_field",
            "privacy/children_built_by_hand",
        ],
    ),
    (
        "a relation without an `Entity`, or with two",
        &["relations/without_an_entity", "relations/two_entities"],
    ),
];

#[test]
fn each_trap_has_a_test() {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it");
    for (at, (trap, found_by)) in (1..).zip(TRAPS) {
        for path in found_by {
            let (file, name) = path.split_once("::").unwrap();
            let text = fs::read_to_string(tests.join(file).with_extension("rs")).unwrap();
            let is_there = text.contains(&format!("#[test]\nfn {name}"));
            assert!(is_there, "trap {at}, {trap}: there is no test {path}");
        }
    }
}

#[test]
fn each_mistake_has_a_case() {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("../ui_tests/ui");
    for (mistake, paths) in MISTAKES {
        for path in paths {
            let case = Path::new(path).with_extension("rs");
            let is_there = cases.join("fail").join(&case).exists() || cases.join(&case).exists();
            assert!(is_there, "{mistake}: there is no case {path}");
        }
    }
}
