//! Programs that must compile, programs that must not, and the messages.
//!
//! A case is a small file. Programs in `ui/pass` compile and run as modules of one crate, `ui/pass/main.rs`. Programs
//! in `ui/crates` are crates of their own, because lints, names or attributes count for a whole crate there. Programs
//! in `ui/fail` hold one mistake each, in a folder by its kind, and the compiler's answer is kept beside them.
//! Programs in `ui/on_build` hold one mistake each that `cargo check` does not see; they are modules of one crate,
//! `ui/on_build/main.rs`, which has one answer.
//!
//! After a change of words, `TRYBUILD=overwrite cargo test -p ecs_ui_tests` writes the answers anew: read the
//! difference like code. They are blessed on the toolchain of `rust-toolchain.toml` only.
//!
//! `cargo test -p ecs_ui_tests -- mistakes trybuild=aliasing` runs the cases whose path has `aliasing`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{env, fs};
use trybuild::TestCases;

/// The kinds of mistakes for which `rustc` has words of its own.
const IN_THE_COMPILERS_WORDS: [&str; 5] = ["borrowing", "parallel", "privacy", "rust", "threads"];

/// Parts of the first lines of our messages.
const OUR_WORDS: [&str; 113] = [
    "takes no value, or in parentheses",
    "states the component of its targets",
    // Errors of derives, before anything is compiled.
    "error: query `",
    "error: views `",
    "error: bundle `",
    "error: bundles own their data",
    "error: components own their data",
    "error: a query is a struct",
    "error: a set of views is a struct",
    "error: a bundle is a struct",
    "error: a component is a struct or an enum",
    "error: resources own their data",
    "error: a resource is a struct or an enum",
    "error: component `",
    "error: unknown key `",
    "error: duplicate key `",
    "error: expected a key; known keys: `",
    "` belongs ",
    "needs a key; known keys: `",
    "` takes an integer from 0 to 63, as in `",
    "` takes the path of ",
    "` takes component types, as in `",
    "` takes component types, each with or without a value, as in `",
    "` takes the string ",
    "` takes no value, or `ignore`, ",
    "` takes a name in quotes, ",
    "` takes a number from 1 on, ",
    "error: all instances of `",
    "error: version ",
    "error: `entities` is for handles, ",
    "error: layout \"soa\" of `",
    "` names a part of `layout = \"soa\"`",
    "` makes the field a borrow of one column",
    "error: relation `",
    "error: a relation ",
    "` is for relations: ",
    "` is for components that are saved: ",
    "` is for resources that are saved: ",
    "` has no parameters, so ",
    "` is a field of a type; its column is in the module beside the type",
    "error: write the path of a function, as in `steer`",
    "error: a line of a schedule ",
    "error: only systems stand in `together`",
    // Errors of traits.
    "` is not a component",
    "` is not a change of a component",
    "` is neither a component nor a bundle",
    "` is neither a component nor a tuple of up to 12 components",
    "` is neither a saved component nor a tuple of up to 12, ",
    "` is not a query",
    "error[E0277]: a world is asked by `view`, not by `query`",
    "` is not a term of a query",
    "` cannot be a field of a query",
    "this query writes a component, or may write one, and a shared borrow only reads",
    "` is not a set of views",
    "` is not a parameter of a system",
    "error[E0277]: write `&",
    "error[E0277]: the filter of a parameter stands in its query: ",
    "` cannot be kept by a system",
    "` is not a resource",
    "` is not a system",
    "` is not a tuple of systems",
    "` is not a schedule",
    "error[E0277]: a condition returns a `bool`, not `",
    "error[E0277]: a system of a schedule returns nothing or a `Result<(), Error>`, not `",
    "error[E0277]: a resource is `Send + Sync + 'static`, and `",
    "error[E0277]: a group that owns `",
    "` is not a filter of views",
    "` is not a key of sparse sets",
    "` is not a relation",
    "error[E0277]: `Sources` only reads, ",
    "` is to be copied, and is not `Clone`",
    "` is to be shown, and is not `Debug`",
    "` is to be inserted by default, and has no `Default`",
    "` is to be saved as bytes, and ",
    "` is to be saved, and ",
    "error[E0277]: no handles of entities are found in `",
    "` may hold handles of entities, and nothing replaces them",
    "error: handles in a union cannot be found",
    "` names no changes to collect",
    "` is required without a value, and has no `Default`",
    "` is stored in columns, and a `Drop` of its own would never run",
    "error[E0277]: a component is `Send + Sync + 'static`, and `",
    "` is a component, and a field of a query borrows it",
    "error[E0277]: the changes of `",
    "` cannot be the key of an ",
    "` has no index",
    "error: `by` names a function: ",
    "error[E0277]: there is no `Mut<",
    "` takes no value, as in `",
    "error[E0277]: a component that is stored in columns has a reference of its own",
    "error[E0277]: commands may be applied by another thread, so their values are `Send + Sync`, and `",
    "error[E0277]: `Commands::spawn` takes the world first",
    "error[E0277]: the column is of another type than the field",
    "error[E0277]: a queue of events is read with a cursor",
    "error[E0277]: an observer takes the world and an entity: ",
    "error[E0277]: an observer of batches takes the world and entities: ",
    "error[E0277]: `add_systems` takes a function of the set's list: ",
    // Errors of constants.
    "evaluation panicked: query `",
    "evaluation panicked: view `",
    "evaluation panicked: field `",
    "evaluation panicked: resource `",
    "evaluation panicked: parameter `",
    "evaluation panicked: condition `",
    "evaluation panicked: system `",
    "evaluation panicked: the condition ",
    "evaluation panicked: bundle `",
    "evaluation panicked: component `",
    "evaluation panicked: no entity can have `",
    "evaluation panicked: a collector ",
    "evaluation panicked: a field of type `View",
    "evaluation panicked: a view is among two sets ",
    "evaluation panicked: a view has one order: ",
    "evaluation panicked: `",
];

/// Programs for which `rustc` prints more than one error. A missing lifetime is an error at each place. A system's
/// view of no query is one where the system is declared and where it is used, and two where a loop walks it. A wrong type
/// is one where a struct is declared, and where a derive has to name it. A missing argument is one beside the type of the
/// other argument. Or they hold several mistakes of a kind.
const OF_SEVERAL_ERRORS: [&str; 16] = [
    "borrowing/mutable_columns_cloned",
    "bundles/forgotten_derive_used_twice",
    "bundles/same_component_thrice",
    "commands/spawn_in_a_system",
    "lifetimes/elided",
    "lifetimes/elided_in_a_nested_query",
    "lifetimes/missing",
    "lifetimes/missing_in_an_enum",
    "queries/forgotten_derive_walked",
    "relations/sources_without_a_relation_walked",
    "rust/a_pool_of_a_subtype",
    "systems/resource_without_derive_added_twice",
    "systems/view_with_a_forgotten_derive",
    "systems/view_with_a_forgotten_derive_walked",
    "views/elided_lifetime",
    "views/missing_lifetime",
];

/// All of them are checked by one call of cargo.
#[test]
fn mistakes_are_answered() {
    TestCases::new().compile_fail("ui/fail/*/*.rs");
}

/// With a case that must run among them, trybuild builds all of them, as `cargo build` does, one after the other.
#[test]
fn crates_run_and_mistakes_show_when_built() {
    let cases = TestCases::new();
    cases.pass("ui/crates/*.rs");
    cases.compile_fail("ui/on_build/main.rs");
}

/// A user reads the first line of an answer: it names the user's own items and is ours, unless the
/// mistake is one of plain Rust.
#[test]
fn answers_begin_with_our_words() {
    let ours = kinds().filter(|kind| !IN_THE_COMPILERS_WORDS.contains(&kind.as_str()));
    let foreign: Vec<_> = ours
        .flat_map(|kind| files(format!("ui/fail/{kind}"), "stderr"))
        .map(|path| (errors(&read(&path)).into_iter().take(1).collect(), path))
        .chain(built().map(|path| (errors(&read(&path)), path)))
        .flat_map(|(errors, path): (Vec<_>, _)| {
            let is_foreign = |error: &String| !OUR_WORDS.iter().any(|words| error.contains(words));
            let said = move |error| format!("{}: {error}", path.display());
            errors.into_iter().filter(is_foreign).map(said)
        })
        .collect();
    assert!(foreign.is_empty(), "these answers are not in our words:\n{}", foreign.join("\n"));
}

/// Common mistakes: their answers are as short as a screen allows.
const EVERYDAY: [&str; 49] = [
    "bundles/derived_with_a_forgotten_derive",
    "bundles/insert_a_foreign_type",
    "bundles/spawn_a_foreign_type",
    "bundles/spawn_a_trait_object",
    "bundles/spawn_an_rc",
    "bundles/spawn_without_derive",
    "bundles/tuple_with_a_forgotten_derive",
    "commands/closure_with_rc",
    "commands/spawn_without_derive",
    "components/component_with_a_trait_object",
    "components/component_with_rc",
    "components/filter_without_derive",
    "components/get_of_a_foreign_type",
    "components/get_of_two",
    "components/get_without_derive",
    "data/register_of_thirteen",
    "events/loop_over_a_queue",
    "events/observer_of_a_component",
    "queries/component_without_derive",
    "queries/derived_with_a_forgotten_derive",
    "queries/foreign_type",
    "queries/number",
    "queries/rc",
    "queries/reference_without_derive",
    "queries/struct_without_derive",
    "queries/trait_object",
    "queries/tuple_with_a_forgotten_derive",
    "resources/without_derive",
    "rust/observer_that_counts_in_a_capture",
    "rust/observer_that_mutates_a_capture",
    "rust/query_by_value",
    "systems/closure_with_a_number",
    "systems/commands_by_value",
    "systems/component_as_a_parameter",
    "systems/component_by_reference",
    "systems/field_of_a_res",
    "systems/field_that_is_no_parameter",
    "systems/line_with_a_number_as_a_parameter",
    "systems/line_with_commands_by_value",
    "systems/local_of_what_threads_do_not_share",
    "systems/number_as_a_parameter",
    "systems/number_as_the_second_parameter",
    "systems/res_by_value",
    "systems/res_mut_by_value",
    "systems/resource_without_derive",
    "systems/system_in_place_of_a_list",
    "systems/view_with_a_filter_of_its_own",
    "threads/bundle_with_rc",
    "threads/spawn_of_what_is_not_send",
];

#[test]
fn answers_to_everyday_mistakes_take_25_lines() {
    for case in EVERYDAY {
        let lines = read(Path::new("ui/fail").join(case).with_extension("stderr").as_path());
        let lines = lines.lines().count();
        assert!(lines <= 25, "the answer to {case} takes {lines} lines");
    }
}

/// One mistake gives one error.
#[test]
fn an_answer_is_one_error() {
    let mut several: Vec<_> = kinds()
        .flat_map(|kind| files(format!("ui/fail/{kind}"), "stderr"))
        .filter(|path| errors(&read(path)).len() != 1)
        .map(|path| {
            let kind = path.parent().unwrap().file_name().unwrap().to_str().unwrap();
            format!("{kind}/{}", path.file_stem().unwrap().to_str().unwrap())
        })
        .collect();
    several.sort();
    assert_eq!(several, OF_SEVERAL_ERRORS);
    for answer in built() {
        assert_eq!(errors(&read(&answer)).len(), modules("ui/on_build").len());
    }
}

/// An answer holds nothing of the machine it was blessed on, and no line number of the library.
#[test]
fn answers_are_the_same_everywhere() {
    let checked = kinds().flat_map(|kind| files(format!("ui/fail/{kind}"), "stderr"));
    for path in checked.chain(built()) {
        let answer = read(&path);
        for line in answer.lines() {
            let place = line.trim_start();
            let place = place.strip_prefix("--> ").or_else(|| place.strip_prefix("::: "));
            let is_own = place.is_some_and(|place| place.starts_with("ui/"));
            let is_numbered = place.is_some_and(|place| place.ends_with(|c: char| c.is_numeric()));
            assert!(is_own || !is_numbered, "{}: {line}", path.display());
        }
        for root in [env!("CARGO_MANIFEST_DIR"), "/rustc/", "/root/", "/home/"] {
            assert!(!answer.contains(root), "{} names {root}", path.display());
        }
    }
}

#[test]
fn there_are_enough_cases_and_each_is_small() {
    let programs = modules("ui/pass").len() + files("ui/crates", "rs").len();
    assert!(programs >= 70, "only {programs} programs that must run");
    let checked: Vec<_> = kinds().flat_map(|kind| files(format!("ui/fail/{kind}"), "rs")).collect();
    let built = modules("ui/on_build");
    let mistakes = checked.len() + built.len();
    assert!(mistakes >= 250, "only {mistakes} mistakes");
    for path in checked.iter().chain(&built) {
        let lines = read(path).lines().count();
        assert!(lines < 20, "{} has {lines} lines, and one mistake needs fewer", path.display());
    }
    for path in &checked {
        assert!(path.with_extension("stderr").exists(), "{} has no answer", path.display());
    }
    for answer in kinds().flat_map(|kind| files(format!("ui/fail/{kind}"), "stderr")) {
        assert!(answer.with_extension("rs").exists(), "{} has no case", answer.display());
    }
}

/// A file that is not listed would never be compiled.
#[test]
fn every_module_is_listed() {
    for folder in ["ui/pass", "ui/on_build"] {
        let root = read(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder).join("main.rs"));
        let list: Vec<_> = root.lines().map(str::trim).collect();
        for path in modules(folder) {
            let name = path.file_stem().unwrap().to_str().unwrap();
            assert!(list.contains(&name), "list `{name}` in {folder}/main.rs");
        }
    }
}

/// The words of the prelude and of common traits. With the words that derives emit they are names of types, modules,
/// traits, functions and macros in `ui/pass`. Names of fields and variants are compared as tokens in `ecs_derive`.
const EVERYDAY_WORDS: &str = "\
    AsMut AsRef Box Bundle Clone Component Copy Debug Default Drop Entity Eq Err Error ExactSizeIterator Extend Fn \
    FnMut FnOnce From Has Hash Index Into IntoIter IntoIterator Item Iterator NAME None Ok Option Ord Output PartialEq \
    PartialOrd PhantomData Position Query Ref RefMut Relation Resource Result Schedule Send Sized Some Storage String \
    Sync T Target Terms ToOwned ToString TryFrom TryInto Unpin Vec View Views With Without World a alloc assert b bool \
    build char clone column component concat core default drop ecs entity env f format i32 index into item items main \
    name new panic query read self_ std str stringify system target test u32 u8 value vec view world write";

/// The keywords that may be names behind `r#`.
const RAW_WORDS: &str = "as async await break const continue dyn else enum extern false fn for gen if impl in let \
 loop match mod \
    move mut pub ref return static struct trait true type unsafe use where while abstract become box do final macro override priv \
    try typeof unsized virtual yield";

/// A derive that emits another word gets programs in which users call their own so: `BLESS=1 cargo test -p ecs_ui_tests`
/// writes the list.
#[test]
fn every_word_of_the_derives_is_tried_as_a_name() {
    let (mut words, mut of_inputs) = (BTreeSet::new(), BTreeSet::new());
    for path in files("../ecs_derive/tests/golden", "rs") {
        let is_expansion = path.to_str().unwrap().ends_with(".expanded.rs");
        let found = if is_expansion { &mut words } else { &mut of_inputs };
        found.extend(identifiers(&read(&path)));
    }
    words.retain(|word| !of_inputs.contains(word));
    words.extend(EVERYDAY_WORDS.split_whitespace().map(str::to_owned));
    let raw: Vec<_> = RAW_WORDS.split_whitespace().collect();
    words.retain(|word| !raw.contains(&word.as_str()));
    words.retain(|word| !["Self", "self", "crate", "super", "_"].contains(&word.as_str()));
    assert!(words.len() > 300, "{} words", words.len());
    let (emitted, plain): (Vec<_>, Vec<_>) =
        words.into_iter().partition(|word| word.starts_with("__"));
    let plain = plain.into_iter().chain(raw.iter().map(|word| format!("r#{word}"))).collect();
    let list = format!(
        "// Words that derives emit, and other common ones: `BLESS=1 cargo test -p ecs_ui_tests` writes them.\n\
         names! {{\n    [\n{}    ]\n    [\n{}    ]\n}}\n",
        lines(emitted),
        lines(plain),
    );
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("ui/pass/shared/names.rs");
    if env::var_os("BLESS").is_some() {
        fs::write(path, list).unwrap();
        return;
    }
    assert_eq!(fs::read_to_string(path).unwrap_or_default(), list, "bless the list of names");
}

/// Lines of these words.
fn lines(words: Vec<String>) -> String {
    let (mut list, mut line) = (String::new(), String::new());
    for word in words {
        if line.len() + word.len() > 110 {
            list.extend(["       ", &line, "\n"]);
            line.clear();
        }
        line.extend([" ", &word]);
    }
    list.extend(["       ", &line, "\n"]);
    list
}

/// The identifiers of a file, without those in texts and comments, and without lifetimes.
fn identifiers(source: &str) -> Vec<String> {
    let mut found = Vec::new();
    for line in source.lines().filter(|line| !line.trim_start().starts_with("//")) {
        for code in line.split('"').step_by(2) {
            let is_in_a_word =
                |it: char| it.is_alphanumeric() || it == '_' || it == '\'' || it == '#';
            for word in code.split(|it| !is_in_a_word(it)) {
                if word.starts_with(|it: char| it.is_alphabetic() || it == '_')
                    && !word.contains(['\'', '#'])
                {
                    found.push(word.to_owned());
                }
            }
        }
    }
    found
}

/// The first lines of the errors of an answer, without the one that counts them.
fn errors(answer: &str) -> Vec<String> {
    let first_lines = answer.lines().filter(|line| line.starts_with("error"));
    first_lines.filter(|line| !line.starts_with("error: aborting")).map(str::to_owned).collect()
}

/// The answers to the mistakes that show when they are built.
fn built() -> impl Iterator<Item = PathBuf> {
    files("ui/on_build", "stderr").into_iter()
}

/// The files of a folder that are modules of its `main.rs`.
fn modules(folder: &str) -> Vec<PathBuf> {
    let mut modules = files(folder, "rs");
    modules.retain(|path| path.file_name().is_some_and(|name| name != "main.rs"));
    modules
}

/// The folders of mistakes.
fn kinds() -> impl Iterator<Item = String> {
    let mut kinds: Vec<_> = entries("ui/fail")
        .map(|path| path.file_name().unwrap().to_str().unwrap().to_owned())
        .collect();
    kinds.sort();
    kinds.into_iter()
}

/// The files of a folder that end so.
fn files(folder: impl AsRef<Path>, extension: &str) -> Vec<PathBuf> {
    entries(folder).filter(|path| path.extension().is_some_and(|it| it == extension)).collect()
}

fn entries(folder: impl AsRef<Path>) -> impl Iterator<Item = PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path())
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap()
}
