//! Each public function is named by a test, an example in the documentation or an example program.

use super::{code, flat, is, source_tree};
use proc_macro2::TokenTree;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use syn::{Attribute, ImplItem, Item, Meta, Type, Visibility};

/// Folders with programs and tests of users' code.
const CALLERS: [&str; 4] = ["ecs/tests", "ui_tests", "examples", "loom"];

/// Public functions of hidden items: derives call them, and no test names them.
const OF_DERIVES: [&str; 5] =
    ["check_no_entity", "check_param", "into_several", "points_to", "set_entity_of"];

/// Adds the words of a text.
fn add_words(text: &str, words: &mut BTreeSet<String>) {
    let all = text.split(|it: char| !it.is_alphanumeric() && it != '_');
    words.extend(all.filter(|word| !word.is_empty()).map(str::to_owned));
}

/// Adds the words of a source's examples, and of the tests at its end.
fn add_words_of_examples(source: &str, words: &mut BTreeSet<String>) {
    let (mut is_code, mut is_test) = (false, false);
    for line in source.lines() {
        is_test |= line == "mod tests {";
        let comment = line.trim_start().strip_prefix("//").unwrap_or_default();
        let comment = comment.trim_start_matches(['/', '!']).trim_start();
        is_code = !line.trim_start().is_empty() && (is_code ^ comment.starts_with("```"));
        if is_code || is_test {
            add_words(line, words);
        }
    }
}

/// Adds the words of all sources below a folder. Comments do not count, except for examples in them.
fn add_words_below(folder: &Path, words: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            let is_left_out = path.ends_with("layers") || path.ends_with("target");
            (!is_left_out).then(|| add_words_below(&path, words));
        } else if path.extension().is_some_and(|it| it == "rs") {
            let source = fs::read_to_string(&path).unwrap();
            add_words_of_examples(&source, words);
            for line in source.lines() {
                add_words(line.split("//").next().unwrap_or_default(), words);
            }
        }
    }
}

/// Returns the names of a source's functions that are `pub`, without tests.
fn public_functions(source: &str) -> Vec<String> {
    let tokens = flat(code(source));
    let mut found = Vec::new();
    for at in 0..tokens.len() {
        if is(&tokens[at], "pub") {
            let is_mark =
                |token: &&TokenTree| ["const", "unsafe", "async"].iter().any(|it| is(token, it));
            let rest = &tokens[at + 1..];
            let marks = rest.iter().take_while(is_mark).count();
            if let [function, name, ..] = &rest[marks..]
                && is(function, "fn")
            {
                found.push(name.to_string());
            }
        }
    }
    found
}

#[test]
fn each_public_function_is_named_by_a_test_or_an_example() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut words = BTreeSet::new();
    CALLERS.iter().for_each(|folder| add_words_below(&root.join(folder), &mut words));
    add_words_below(&root.join("ecs/src/tests"), &mut words);
    let mut declared = BTreeMap::new();
    for (file, source) in source_tree() {
        add_words_of_examples(&source, &mut words);
        declared.extend(public_functions(&source).into_iter().map(|name| (name, file.clone())));
    }
    assert!(declared.len() > 300, "{} public functions", declared.len());
    let is_listed = |name: &str| OF_DERIVES.contains(&name);
    let is_missing = |name: &str| !words.contains(name);
    let needless: Vec<_> =
        OF_DERIVES.iter().filter(|name| !declared.contains_key(**name)).collect();
    assert!(needless.is_empty(), "the library has no {needless:?}");
    let missing: Vec<_> =
        declared.iter().filter(|(name, _)| is_missing(name) && !is_listed(name)).collect();
    assert!(missing.is_empty(), "no test and no example names {missing:#?}");
}

/// Returns `true` for `#[doc(hidden)]`.
fn is_hidden(attribute: &Attribute) -> bool {
    matches!(&attribute.meta, Meta::List(list) if list.path.is_ident("doc") && list.tokens.to_string() == "hidden")
}

/// Returns the public methods of a type in a source: all that its documentation shows.
fn shown_methods(of: &str, source: &str) -> Vec<String> {
    let mut found = Vec::new();
    let may_have = |line: &str| line.starts_with("impl") && line.contains(of);
    if !source.lines().any(may_have) {
        return found; // a parser takes its time
    }
    for item in syn::parse_file(source).unwrap().items {
        let Item::Impl(block) = item else { continue };
        let is_of = matches!(&*block.self_ty, Type::Path(ty) if ty.path.segments.last().unwrap().ident == of);
        if !is_of || block.trait_.is_some() {
            continue;
        }
        for item in block.items {
            if let ImplItem::Fn(function) = item
                && matches!(function.vis, Visibility::Public(_))
                && !function.attrs.iter().any(is_hidden)
            {
                found.push(function.sig.ident.to_string());
            }
        }
    }
    found
}

#[test]
fn each_method_is_in_the_map_of_its_type() {
    for (of, least) in [("World", 140), ("View", 30)] {
        let sources = source_tree();
        let methods: Vec<_> =
            sources.iter().flat_map(|(_, source)| shown_methods(of, source)).collect();
        assert!(methods.len() > least, "{} methods of {of}", methods.len());
        let start = format!("\npub struct {of}");
        let is_start = |it: char| !it.is_alphanumeric();
        let page = sources.iter().find_map(|(_, source)| {
            let (page, rest) = source.split_once(&start)?;
            rest.starts_with(is_start).then(|| page.rsplit("\n\n").next().unwrap())
        });
        let page = page.unwrap();
        let missing: Vec<_> =
            methods.iter().filter(|it| !page.contains(&format!("(Self::{it})"))).collect();
        assert!(missing.is_empty(), "the map of `{of}` does not list {missing:?}");
    }
}

#[test]
fn functions_and_words_of_examples_are_found() {
    let source = "/// ```\n/// a.b();\n/// ```\npub const fn c() {}\npub(crate) fn d() {}\n\
                  // ```\n\nimpl E { pub fn f(&self) {} fn g() {} }\n#[cfg(test)]\nmod tests {\nfn h() {}\n}\n";
    assert_eq!(public_functions(source), ["c", "f"]);
    let mut words = BTreeSet::new();
    add_words_of_examples(source, &mut words);
    assert!(["a", "b", "h"].iter().all(|it| words.contains(*it)));
    assert!(["c", "f", "g"].iter().all(|it| !words.contains(*it)), "{words:?}");
}
