//! The rules of the source tree: which file may import which, where unsafe may stand, how long
//! files may get, and how comments read.
//!
//! The rules look at the tokens of a file, without tests and documentation. Unlike a syntax tree,
//! tokens show the content of macros as well.

mod citations;
mod known_mistakes;
mod mentioned;
mod packaged;
mod seeded;
mod sentences;
mod switched;
mod table_of_tests;
mod threats;
mod type_names;
mod words;

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use std::collections::{BTreeSet, HashMap};
use std::ffi::OsStr;
use std::fs;
use std::iter;
use std::path::Path;
use std::sync::LazyLock;
use syn::parse::{ParseStream, Parser};
use syn::{Item, ItemMod, ItemUse, UseTree, Visibility};

/// Folders and the files of `src` in them, lower layers first. A file imports only from files that
/// stand before it. A folder is named once, and so folders depend on each other one way, but for three
/// files that pools use and that belong to `notify`, `relation` and `saved`.
const LAYERS: &[(&str, &str)] = &[
    ("", "entity extent internal signature steps sync text tuples"),
    (
        "format/",
        "mod error budget source tree limited document shape parts reader checked counter handles writer header",
    ),
    (
        "storage/",
        "mod memory place order key values copies columns cells page sparse_array dense keys untyped \
         sparse_set sort",
    ),
    (
        "component/",
        "handles fields set shape id slot same rules defined redefined data mod loose access alias clash requires",
    ),
    ("resource/", "mod non_send"),
    ("saved/", "resource"),
    ("", "events"),
    ("entities/", "holds mod keep parts chunk"),
    ("", "allocator"),
    ("notify/", "change_log"),
    ("relation/", "ends"),
    (
        "pool/",
        "seen rules track watch kind mod copied saved field_columns defined swept tiling pools list",
    ),
    ("group/", "mod declare state groups"),
    ("order/", "survey repair arrange check mod"),
    ("parallel/", "mod sync gate pace"),
    (
        "query/",
        "mod plan error presence projection bits inputs block chunks pages members slices runs matcher parts spare \
         fetch request guard up sources field join numbers claim iters view",
    ),
    ("edit/", "commit bundle mod spawn components remove rules despawn batch merge"),
    ("notify/", "mod collect observe changes calls listeners"),
    ("index/", "mod kind entity_list table hashed ordered filed unique field lookup"),
    ("relation/", "mod relate hierarchy"),
    (
        "saved/",
        "mod order defined loaded error list read write ends several unknown build load load_bytes load_text save save_text save_entity load_entity prefabs digest delta apply \
         newest change_set chosen follower apply_changes apply_values",
    ),
    (
        "by_name/",
        "kind kind_changes declare resource_kind values undo condition rows defined_rules defined inserter kind_index chunks text mod",
    ),
    ("copy/", "mod replaced copies prefab"),
    ("world/", "error mod name handle pool group order query resource inspect"),
    ("commands/", "applied queue kinds mod spawning"),
    (
        "system/",
        "parts param mod split calling_thread stays fixed_step plan run list time_stats timeline share late schedule snapshot app_state steps tuple \
         overlap",
    ),
    ("", "app snapshot_bytes recording"),
    (
        "guide/",
        "mod first_steps edits_during_loops queries groups order columns threads relations_and_events apps \
         lifecycle rules changes indexes resources systems saving by_name testing everyday coming_from",
    ),
    ("", "lib"),
];

/// Every file in the order of layers.
static ORDER: LazyLock<Vec<String>> = LazyLock::new(|| {
    let files = |(folder, names): &(&str, &'static str)| {
        let folder = folder.to_string();
        names.split(' ').map(move |name| format!("{folder}{name}.rs"))
    };
    LAYERS.iter().flat_map(files).collect()
});

/// The files of these folders add methods to one type, `World`, so they see each other.
const ONE_CONCEPT: &[&str] =
    &["edit/", "notify/", "index/", "relation/", "saved/", "by_name/", "copy/", "world/"];

/// The files of these folders that do not know the type.
const BENEATH: &[&str] = &[
    "edit/commit.rs",
    "edit/bundle.rs",
    "notify/change_log.rs",
    "relation/ends.rs",
    "saved/mod.rs",
    "saved/order.rs",
    "saved/loaded.rs",
    "saved/error.rs",
    "saved/list.rs",
    "saved/read.rs",
    "saved/resource.rs",
    "saved/write.rs",
    "saved/ends.rs",
];

fn is_of_world(file: &str) -> bool {
    ONE_CONCEPT.iter().any(|folder| file.starts_with(folder)) && !BENEATH.contains(&file)
}

/// All imports that go up: the file, the target, and the reason. A hook is called with the world, so a component names
/// it. Each component is a bundle, marked by its derive, so that the compiler reports which part of a tuple is none.
const UPWARDS: [(&str, &str); 3] = [
    ("component/mod.rs", "world/mod.rs"),
    ("component/mod.rs", "edit/bundle.rs"),
    ("resource/mod.rs", "saved/resource.rs"),
];

/// At most seven.
const UNSAFE_FILES: [&str; 7] = [
    "storage/values.rs",
    "pool/pools.rs",
    "parallel/gate.rs",
    "query/bits.rs",
    "query/fetch.rs",
    "query/join.rs",
    "query/claim.rs",
];

/// The number of `unsafe { .. }` the library may have, macros included. A lint of the workspace demands
/// that each says why it is sound. The functions that walk blocks of matches, or make iterators of them, are
/// unsafe themselves: each of their dozen calls is such a block.
const MAX_UNSAFE_BLOCKS: usize = 79;

/// The fields in the files named for unsafe code that others may see. No proof relies on them,
/// except in `storage/values.rs`: there, unsafe functions do, and their callers answer for the
/// content.
const OPEN_FIELDS: [&str; 7] = [
    "pool/pools.rs: Pools watch relations rules",
    "query/claim.rs: Compared reads_world",
    "storage/values.rs: Address first",
    "storage/values.rs: Lane first cells",
    "storage/values.rs: Presence 0",
    "storage/values.rs: InRun 0",
    "storage/values.rs: LaneWindow values cells",
];

/// The tokens of a file, without its tests and documentation.
fn code(source: &str) -> TokenStream {
    // To a lexer, comments are most of a file. The other lines keep their numbers.
    let is_comment = |line: &str| line.trim_start().starts_with("//");
    let lines = source.lines().map(|line| if is_comment(line) { "" } else { line });
    let lines: Vec<_> = lines.collect();
    shipped(lines.join("\n").parse().expect("the sources are Rust"))
}

/// Leaves out code that is compiled only for tests, and doc comments, which are attributes to a
/// parser.
fn shipped(tokens: TokenStream) -> TokenStream {
    let mut kept = Vec::new();
    let mut left = tokens.into_iter();
    while let Some(token) = left.next() {
        let TokenTree::Group(group) = &token else {
            kept.push(token);
            continue;
        };
        // Written only where it may be an attribute: a group is as long as all within it.
        let is_attribute = group.delimiter() == Delimiter::Bracket;
        let text = if is_attribute { group.to_string() } else { String::new() };
        let is_test = text == "[cfg (test)]";
        if is_test || text.starts_with("[doc = ") || text.starts_with("[doc (") {
            while kept.pop_if(|sign| is(sign, "#") || is(sign, "!")).is_some() {}
        } else {
            let mut inner = Group::new(group.delimiter(), shipped(group.stream()));
            inner.set_span(group.span());
            kept.push(inner.into());
        }
        if is_test {
            left = after_item(left.collect()).into_iter();
        }
    }
    kept.into_iter().collect()
}

/// Returns the tokens after the item that the tokens start with.
fn after_item(tokens: TokenStream) -> TokenStream {
    let rest = |input: ParseStream| input.parse::<Item>().and_then(|_| input.parse());
    rest.parse2(tokens.clone()).unwrap_or(tokens)
}

/// Returns `true` if a token is this word or this sign.
fn is(token: &TokenTree, text: &str) -> bool {
    match token {
        TokenTree::Ident(word) => word == text,
        TokenTree::Punct(sign) => text.len() == 1 && text.starts_with(sign.as_char()),
        TokenTree::Group(_) | TokenTree::Literal(_) => false,
    }
}

fn is_block(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace)
}

/// Every token in the order of the text; a group comes before those within it.
fn flat(tokens: TokenStream) -> Vec<TokenTree> {
    let with_inner = |token: TokenTree| {
        let inner =
            if let TokenTree::Group(group) = &token { flat(group.stream()) } else { vec![] };
        iter::once(token).chain(inner)
    };
    tokens.into_iter().flat_map(with_inner).collect()
}

/// Module and item names, from the crate on or as they are written.
type Names = Vec<String>;

/// The module that a file is.
fn module_of(file: &str) -> Names {
    let name = file.trim_end_matches(".rs").trim_end_matches("/mod");
    name.split('/').filter(|name| *name != "lib").map(str::to_owned).collect()
}

/// Every file by its module.
static FILES: LazyLock<HashMap<Names, &'static String>> =
    LazyLock::new(|| ORDER.iter().map(|file| (module_of(file), file)).collect());

/// The file that a path from the crate on leads to: the longest part of it that is a file's module.
fn file_of(path: &[String]) -> Option<&'static String> {
    (1..=path.len()).rev().find_map(|len| FILES.get(&path[..len]).copied())
}

/// The paths that begin with the first token; they are several if the tree of a `use` branches.
fn paths(tokens: &[TokenTree], before: &[String]) -> Vec<Names> {
    match tokens {
        [TokenTree::Ident(name), rest @ ..] => {
            let path = [before, &[name.to_string()]].concat();
            if starts_with_colons(rest) { paths(&rest[2..], &path) } else { vec![path] }
        }
        [TokenTree::Group(group), ..] if is_block(&tokens[0]) => Vec::from_iter(group.stream())
            .split(|token| is(token, ","))
            .filter(|tree| !tree.is_empty())
            .flat_map(|tree| paths(tree, before))
            .collect(),
        _ => vec![before.to_vec()],
    }
}

fn starts_with_colons(tokens: &[TokenTree]) -> bool {
    tokens.len() >= 2 && tokens[..2].iter().all(|token| is(token, ":"))
}

/// The imports of a file that go against the order, or that hide where they lead to.
fn wrong_imports(file: &str, source: &str) -> Vec<String> {
    let mut found = Vec::new();
    find_wrong_imports(file, code(source), 0, &mut found);
    found
}

/// Looks at tokens that stand in as many modules within the file as `depth` says.
fn find_wrong_imports(file: &str, tokens: TokenStream, depth: usize, found: &mut Vec<String>) {
    let tokens = Vec::from_iter(tokens);
    for (at, token) in tokens.iter().enumerate() {
        let is_in_path = at >= 2 && starts_with_colons(&tokens[at - 2..]);
        match token {
            _ if is_in_path && !is(token, "ecs") => {} // was seen with the path's start
            TokenTree::Group(group) => {
                let is_module = at >= 2 && is_block(token) && is(&tokens[at - 2], "mod");
                find_wrong_imports(file, group.stream(), depth + usize::from(is_module), found);
            }
            TokenTree::Ident(word) if starts_path(&tokens[at..]) => {
                let line = word.span().start().line;
                let is_of_macro = at >= 1 && is(&tokens[at - 1], "$");
                let paths = paths(&tokens[at..], &[]);
                let wrong = paths.iter().filter_map(|path| mistake(file, path, depth, is_of_macro));
                found.extend(wrong.map(|what| format!("{file}:{line}: {what}")));
            }
            _ => {}
        }
    }
}

/// Returns the mistake in a path. A path that names no module of the crate leads to its own file.
fn mistake(file: &str, path: &[String], depth: usize, is_of_macro: bool) -> Option<String> {
    let is_root = file == "lib.rs";
    if path[0] == "ecs" && !is_root {
        return Some("name the crate as `crate::`".to_owned());
    }
    if path.iter().filter(|name| *name == "super").count() > depth {
        return Some("leaves the file; name the module from `crate::` on".to_owned());
    }
    let mut full = if path[0] == "crate" { vec![] } else { module_of(file) };
    let is_name = |name: &&String| !["crate", "self", "super"].contains(&name.as_str());
    full.extend(path.iter().filter(is_name).cloned());
    let Some(target) = file_of(&full) else {
        let advice = "name the module that defines it: `crate::<module>::<item>`";
        return (!is_root && !is_of_macro).then(|| advice.to_owned()); // a macro may be for users
    };
    let place = |file: &str| ORDER.iter().position(|other| other == file);
    let together = is_of_world(file) && is_of_world(target);
    let is_known = UPWARDS.contains(&(file, target.as_str()));
    let is_above = place(target) > place(file) && !together && !is_known;
    is_above.then(|| format!("imports from {target}, above it"))
}

/// Returns the bounds that components in columns do not meet. `component/mod.rs` declares both traits.
fn bounds_without_columns(file: &str, source: &str) -> Vec<String> {
    let tokens = flat(code(source));
    let is_bound = |three: &&[TokenTree]| {
        let is_colon = is(&three[1], ":") && !is(&three[0], ":");
        is(&three[2], "Component") && (is_colon || is(&three[1], "+") || is(&three[1], "as"))
    };
    let found = tokens.windows(3).filter(is_bound).filter(|_| file != "component/mod.rs");
    let place = |three: &[TokenTree]| three[2].span().start().line;
    found.map(|three| format!("{file}:{}: write `AnyComponent`", place(three))).collect()
}

/// Returns `true` if a word is followed by more of a path, or is the crate under another name.
fn starts_path(tokens: &[TokenTree]) -> bool {
    let is_renamed = tokens.len() >= 2 && is(&tokens[0], "crate") && is(&tokens[1], "as");
    is_renamed || starts_with_colons(&tokens[1..])
}

/// The folders that are named more than once.
fn scattered_folders<'f>(layers: &[(&'f str, &str)]) -> Vec<&'f str> {
    let mut met = BTreeSet::new();
    let folders = layers.iter().map(|(folder, _)| *folder);
    folders.filter(|folder| !folder.is_empty() && !met.insert(*folder)).collect()
}

fn unsafe_blocks(source: &str) -> usize {
    flat(code(source)).windows(2).filter(|two| is(&two[0], "unsafe") && is_block(&two[1])).count()
}

/// Returns the mistakes in the places of a file's unsafe code.
fn unsafe_mistakes(file: &str, source: &str) -> Vec<String> {
    let tokens = code(source);
    let says_why = tokens.to_string().contains("#! [expect (unsafe_code , reason = ");
    let tokens = flat(tokens);
    let has = |word| tokens.iter().any(|token| is(token, word));
    let (any, may) = (has("unsafe"), UNSAFE_FILES.contains(&file));
    let wrong = [
        ((any || has("unsafe_code")) && !may, "unsafe outside the files named for it"),
        (any && !says_why, "unsafe without saying at the top why"),
        (!any && may, "named for unsafe and has none"),
    ];
    let found = wrong.into_iter().filter(|(is_wrong, _)| *is_wrong);
    found.map(|(_, what)| format!("{file}: {what}")).collect()
}

/// The fields of a file's structs that are seen outside of it: by each struct, its name and theirs.
fn open_fields(source: &str) -> Vec<String> {
    fn add(items: Vec<Item>, found: &mut Vec<String>) {
        for item in items {
            match item {
                Item::Mod(module) => add(module.content.unwrap_or_default().1, found),
                Item::Struct(item) => {
                    let mut names = vec![item.ident.to_string()];
                    for (at, field) in item.fields.iter().enumerate() {
                        if !matches!(field.vis, Visibility::Inherited) {
                            names.push(
                                field.ident.as_ref().map_or(at.to_string(), ToString::to_string),
                            );
                        }
                    }
                    found.extend((names.len() > 1).then(|| names.join(" ")));
                }
                _ => {}
            }
        }
    }
    let mut found = Vec::new();
    add(syn::parse_file(source).expect("the sources are Rust").items, &mut found);
    found
}

fn files(dir: &Path, prefix: &str, found: &mut Vec<(String, String)>) {
    let mut entries: Vec<_> = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap()).collect();
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.path().file_stem() == Some(OsStr::new("tests")) {
            continue;
        }
        if entry.path().is_dir() {
            files(&entry.path(), &format!("{name}/"), found);
        } else {
            found.push((name, fs::read_to_string(entry.path()).unwrap()));
        }
    }
}

fn source_tree() -> Vec<(String, String)> {
    let mut found = Vec::new();
    files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), "", &mut found);
    found
}

/// Fails with all that `mistakes` finds in the files.
fn assert_none<F: IntoIterator<Item = String>>(mistakes: impl Fn(&str, &str) -> F) {
    let tree = source_tree();
    let found: Vec<_> = tree.iter().flat_map(|(file, source)| mistakes(file, source)).collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn every_file_has_its_place() {
    let tree = source_tree();
    for (file, _) in &tree {
        assert!(ORDER.contains(file), "{file} is not in the order of layers");
    }
    assert_eq!(tree.len(), ORDER.len(), "a file in the order of layers does not exist");
}

#[test]
fn folders_stand_together() {
    assert_eq!(scattered_folders(LAYERS), ["notify/", "relation/", "saved/"]);
    assert_eq!(scattered_folders(&[("", "a"), ("b/", "c"), ("", "d"), ("b/", "e")]), ["b/"]);
}

#[test]
fn imports_go_down() {
    assert_none(wrong_imports);
}

#[test]
fn components_are_taken_in_any_layout() {
    assert_none(bounds_without_columns);
}

#[test]
fn unsafe_is_where_it_may_be_and_says_why() {
    assert_none(unsafe_mistakes);
}

#[test]
fn unsafe_blocks_are_few() {
    let blocks: usize = source_tree().iter().map(|(_, source)| unsafe_blocks(source)).sum();
    assert!(blocks <= MAX_UNSAFE_BLOCKS, "{blocks} blocks, at most {MAX_UNSAFE_BLOCKS}");
}

#[test]
fn proofs_rely_on_private_fields() {
    let mut open = Vec::new();
    for (file, source) in source_tree() {
        if UNSAFE_FILES.contains(&&*file) {
            open.extend(open_fields(&source).iter().map(|fields| format!("{file}: {fields}")));
        }
    }
    assert_eq!(open, OPEN_FIELDS);
}

/// The names that `pub use` gives at the root of a crate, but for hidden modules.
/// Returns the public names of the crate's root, and its public modules with their names.
fn exports(root: &str) -> [Vec<String>; 2] {
    fn add(tree: UseTree, found: &mut Vec<String>) {
        match tree {
            UseTree::Path(path) => add(*path.tree, found),
            UseTree::Group(group) => group.items.into_iter().for_each(|tree| add(tree, found)),
            UseTree::Name(name) => found.push(name.ident.to_string()),
            UseTree::Rename(name) => found.push(name.rename.to_string()),
            UseTree::Glob(_) => panic!("exports are named"),
        }
    }
    fn add_all(items: Vec<Item>, found: &mut Vec<String>, within: &mut Vec<String>) {
        for item in items {
            match item {
                Item::Use(ItemUse { vis: Visibility::Public(_), tree, .. }) => add(tree, found),
                Item::Mod(ItemMod { vis: Visibility::Public(_), ident, content, .. })
                    if ident != "__private" =>
                {
                    within.push(ident.to_string());
                    let items = match content {
                        Some((_, items)) => items,
                        None => uses_of(&ident.to_string()),
                    };
                    add_all(items, within, &mut Vec::new());
                }
                _ => {}
            }
        }
    }
    /// Returns the exports of a module that has a file of its own.
    fn uses_of(module: &str) -> Vec<Item> {
        let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(module).join("mod.rs");
        let Ok(page) = fs::read_to_string(page) else { return Vec::new() };
        let items = syn::parse_file(&page).expect("the sources are Rust").items;
        items.into_iter().filter(|item| matches!(item, Item::Use(_))).collect()
    }
    let (mut found, mut within) = (Vec::new(), Vec::new());
    add_all(syn::parse_file(root).unwrap().items, &mut found, &mut within);
    // A derive has the name of its trait.
    found.sort_unstable();
    found.dedup();
    [found, within]
}

#[test]
fn the_front_page_names_every_item() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lib.rs");
    let root = fs::read_to_string(root).unwrap();
    let page: String = root.lines().filter_map(|line| line.strip_prefix("//!")).collect();
    let names: BTreeSet<&str> = page.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
    let [exports, within] = exports(&root);
    assert!(exports.len() > 70, "{} names at the crate root", exports.len());
    assert!(within.len() > 20);
    let missing: Vec<_> =
        exports.iter().chain(&within).filter(|name| !names.contains(&***name)).collect();
    assert!(missing.is_empty(), "the front page does not say what these are for: {missing:?}");
}

/// The tasks that the guide solves, and users search for by these words.
const EVERYDAY_TASKS: [&str; 15] = [
    "Delete all with X",
    "The parent's transform",
    "Run every 100 ms",
    "Sort by y",
    "The nearest",
    "React when health reaches 0",
    "Save the player with belongings",
    "Spawn children in one go",
    "Two inventories",
    "Pairs",
    "Despawn in a loop",
    "Pause some systems",
    "Menu and game states",
    "Test a system alone",
    "Log what a schedule did",
];

#[test]
fn everyday_tasks_take_five_lines() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("guide/everyday.md");
    let page = fs::read_to_string(page).unwrap();
    let (mut tasks, mut is_code) = (Vec::<(&str, usize)>::new(), false);
    for line in page.lines() {
        if line.starts_with("```") {
            is_code = !is_code;
        } else if let Some(task) = line.strip_prefix("# ").filter(|_| !is_code) {
            tasks.push((task, 0));
        } else if is_code && (!line.starts_with('#') || line.starts_with("#[")) {
            tasks.last_mut().expect("code follows a heading").1 += 1;
        }
    }
    assert!(tasks.iter().map(|task| task.0).eq(EVERYDAY_TASKS), "{tasks:?}");
    assert!(tasks.iter().all(|(_, lines)| (1..=5).contains(lines)), "{tasks:?}");
}

/// Words in the code of the tables of names that the library does not declare.
const OTHER_WORDS: [&str; 2] = ["None", "derive"];

/// Returns the names that a chapter's tables give to users: the words of the code in the last column.
fn names_in_tables(page: &str) -> BTreeSet<&str> {
    let cell = |row: &'_ str| row.trim_end_matches(" |").rfind(" | ").map(|at| at + 3);
    let rows = page.lines().filter(|line| line.starts_with("| ") && !line.ends_with("| here |"));
    rows.filter_map(|row| cell(row).map(|at| &row[at..]))
        .flat_map(|cell| cell.split('`').skip(1).step_by(2))
        .flat_map(|code| code.split(|c: char| !c.is_alphanumeric() && c != '_'))
        .filter(|word| word.len() > 2 && !word.chars().all(char::is_numeric))
        .collect()
}

/// Returns the names that the library declares, exports or reads in attributes.
fn declared_names() -> BTreeSet<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut derive = Vec::new();
    files(&root.join("../ecs_derive/src"), "", &mut derive);
    let [exports, within] = exports(&fs::read_to_string(root.join("src/lib.rs")).unwrap());
    let mut names: BTreeSet<String> = exports.into_iter().chain(within).collect();
    for (_, source) in source_tree() {
        for pair in flat(code(&source)).windows(2) {
            let declares = |word| is(&pair[0], word);
            if ["fn", "struct", "enum", "trait", "type", "const", "mod"].into_iter().any(declares) {
                names.insert(pair[1].to_string());
            }
        }
    }
    let derive =
        derive.iter().filter(|(file, _)| Path::new(file).extension().is_some_and(|it| it == "rs"));
    for token in derive.flat_map(|(_, source)| flat(code(source))) {
        if let TokenTree::Literal(key) = token {
            names.insert(key.to_string().trim_matches('"').to_owned());
        }
    }
    names
}

#[test]
fn names_for_users_of_other_libraries_exist() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("guide/coming_from.md");
    let page = fs::read_to_string(page).unwrap();
    let headings: Vec<_> = page.lines().filter_map(|line| line.strip_prefix("# From ")).collect();
    assert_eq!(headings, ["bevy_ecs", "EnTT", "hecs", "shipyard", "flecs", "specs"]);
    let (names, declared) = (names_in_tables(&page), declared_names());
    assert!(names.len() > 100, "{} names", names.len());
    let made_up: Vec<_> = names
        .iter()
        .filter(|name| !declared.contains(**name) && !OTHER_WORDS.contains(name))
        .collect();
    assert!(made_up.is_empty(), "the library has no {made_up:?}");
    let is_needed = |word: &&&str| names.contains(**word) && !declared.contains(**word);
    assert!(OTHER_WORDS.iter().filter(is_needed).eq(&OTHER_WORDS));
}

/// Returns the number of words of a document's prose: without tables and code.
fn words_of_prose(page: &str) -> usize {
    let mut is_code = false;
    let is_prose = |line: &&str| {
        let line = line.trim_start();
        let is_fence = line.starts_with("```");
        is_code ^= is_fence;
        !is_code && !is_fence && !line.starts_with('|')
    };
    page.lines().filter(is_prose).map(|line| line.split_whitespace().count()).sum()
}

#[test]
fn documents_name_the_oldest_rust() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let read = |file: &str| fs::read_to_string(root.join(file)).unwrap();
    let manifest = read("Cargo.toml");
    let (_, rest) = manifest.split_once("\nrust-version = \"").unwrap();
    let oldest = rest.split('"').next().unwrap();
    assert!(read("VERSIONS.md").contains(&format!("builds the libraries, now {oldest}.")));
    assert!(read("ecs/README.md").contains(&format!("Rust {oldest} or newer.")));
}

#[test]
fn documents_are_short() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut documents = vec![(root.join("ARCHITECTURE.md"), 1_800), (root.join("README.md"), 700)];
    for entry in fs::read_dir(root.join("docs/decisions")).unwrap() {
        let path = entry.unwrap().path();
        let is_index = path.ends_with("README.md");
        documents.extend((!is_index).then_some((path, 800)));
    }
    assert!(documents.len() > 10);
    for (path, most) in documents {
        let words = words_of_prose(&fs::read_to_string(&path).unwrap());
        assert!(words <= most, "{} has {words} words of prose, at most {most}", path.display());
    }
}

#[test]
fn words_of_tables_and_code_are_not_counted() {
    assert_eq!(
        words_of_prose(
            "# One two\n\nthree `four`\n| a | b |\n```rust\nlet a = 1;\n```\n`five` six\n"
        ),
        7
    );
}

#[test]
fn tests_comments_and_literals_are_no_code() {
    let text = |source: &str| code(source).to_string();
    let quiet = "//! unsafe\n/// unsafe\nstatic A: &str = /* unsafe */ \"unsafe\"; // unsafe";
    assert_eq!(text(quiet), "static A : & str = \"unsafe\" ;");
    assert!(wrong_imports("entity.rs", &quiet.replace("unsafe", "crate::world::World")).is_empty());
    assert!(unsafe_mistakes("entity.rs", quiet).is_empty());
    assert_eq!(text("m! { #[doc = \"a\"] #[b] /** c */ d }"), "m ! { # [b] d }");
    assert_eq!(text("#[cfg(test)] mod tests { fn f() {} } mod a;"), "mod a ;");
    assert_eq!(text("#[cfg(test)] use a::{b}; #[cfg(test)] mod tests; m![doc];"), "m ! [doc] ;");
    assert_eq!(text("mod a { #[cfg(test)] #[inline] fn f(&self) {} }"), "mod a { }");
    assert_eq!(text("impl A { /// b\n#[cfg(test)] fn f() {} }"), "impl A { }");
    assert_eq!(text("#[cfg(unix)] mod a;"), "# [cfg (unix)] mod a ;");
}

#[test]
fn imports_are_found() {
    let in_iters = |source: &str| wrong_imports("query/iters.rs", source);
    let import = "\nuse crate::world::World;";
    assert_eq!(in_iters(import), ["query/iters.rs:2: imports from world/mod.rs, above it"]);
    assert!(wrong_imports("lib.rs", import).is_empty());
    assert!(wrong_imports("edit/spawn.rs", "use crate::world::query::X;").is_empty());
    assert_eq!(wrong_imports("edit/bundle.rs", "use crate::edit::spawn::X;").len(), 1);
    assert!(wrong_imports("storage/keys.rs", "use crate::storage::values::Storage;").is_empty());

    for wrong in [
        "use crate::{entity::Entity, world::{World, handle}};",
        "use {crate::world as w, crate::query::view::*};",
        "fn f() { crate::query::view::f::<crate::world::World>() }",
        "macro_rules! m { ($a:ty) => { $crate::world::f::<$a>(crate::query::view::A) }; }",
        "m!(crate::World, ecs::World);",
        "use ::ecs::World; impl ::ecs::Component for A {}",
        "use crate as e; use crate::*;",
        "use super::view::View; mod a { use super::super::view::View; }",
        "mod a { } use super::{self, view::View};",
    ] {
        assert_eq!(in_iters(wrong).len(), 2, "{wrong}: {:?}", in_iters(wrong));
    }
    for right in [
        "use crate::entity::{Entity as E,}; pub(crate) struct A; pub(super) struct B;",
        "mod a { use super::Join; use self::b::c; mod b { use super::super::Join; } }",
        "macro_rules! m { ($A:ty) => { $crate::__private::f::<$A::B>(u8::MAX, ::core::f) }; }",
        "const A: char = '\"'; const B: &str = \"ecs::World\"; use super_::split as crate_;",
    ] {
        assert!(in_iters(right).is_empty(), "{right}: {:?}", in_iters(right));
    }
    for child in ["use list::A;", "use self::{list::A};", "mod a { use super::list::A; }"] {
        assert_eq!(wrong_imports("pool/mod.rs", child).len(), 1, "{child}");
    }
}

#[test]
fn bounds_that_exclude_columns_are_found() {
    let of = |source: &str| bounds_without_columns("edit/spawn.rs", source).len();
    assert_eq!(of("fn f<T: Component, U: Clone + Component>() { <T as Component>::f() }"), 3);
    assert_eq!(of("fn f<T: AnyComponent>(a: b::Component) { Part::Component { a } }"), 0);
}

#[test]
fn mistakes_of_unsafe_code_are_found() {
    let block = "fn f() { unsafe { f() } }";
    for one in [block, "unsafe fn f() {}", "unsafe impl A for B {}", "unsafe trait A {}"] {
        assert_eq!(unsafe_mistakes("entity.rs", one).len(), 2, "{one}");
    }
    for one in ["unsafe extern \"C\" {}", "#[unsafe(no_mangle)] fn f() {}", "m! { unsafe {} }"] {
        assert_eq!(unsafe_mistakes("entity.rs", one).len(), 2, "{one}");
    }
    assert_eq!(unsafe_mistakes("entity.rs", "#[allow(dead_code, unsafe_code)] mod a;").len(), 1);
    assert_eq!(unsafe_mistakes("entity.rs", "#![cfg_attr(a, expect(unsafe_code))]").len(), 1);

    let right = format!("#![expect(\n    unsafe_code,\n    reason = \"so\"\n)]\n{block}");
    assert!(unsafe_mistakes("query/join.rs", &right).is_empty());
    assert_eq!(unsafe_mistakes("query/join.rs", &right.replace("unsafe_", "dead_")).len(), 1);
    assert_eq!(unsafe_mistakes("query/join.rs", &right.replace("reason", "because")).len(), 1);
    assert_eq!(unsafe_mistakes("query/join.rs", "fn f() {}").len(), 1);

    let blocks = "unsafe fn f() { unsafe {}; 'a: { unsafe { m!(unsafe { \"unsafe { }\" }) } } }";
    assert_eq!(unsafe_blocks(blocks), 3);
}

#[test]
fn open_fields_are_found() {
    let source =
        "struct A { a: u8, pub(crate) b: u8 } struct B(u8); mod c { pub struct C(pub u8, u8); }";
    assert_eq!(open_fields(source), ["A b", "C 0"]);
}
