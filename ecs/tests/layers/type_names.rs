//! One name, one thing: each type of the library has a name that no other type has.

use crate::{code, flat, source_tree};
use proc_macro2::TokenTree;
use std::collections::BTreeMap;

/// Usual names for a trait that users cannot implement, in a module of its own, and for the results of a file's functions.
const CONVENTIONS: [&str; 2] = ["Sealed", "Result"];

/// The types and traits that a file defines outside its tests, and its aliases: each name and its line. Aliases within
/// braces are associated types, or belong to a function.
fn definitions(source: &str) -> Vec<(String, usize)> {
    let after = |tokens: &[TokenTree], words: &[&str]| {
        let names = tokens.windows(2).filter_map(|two| match two {
            [TokenTree::Ident(word), TokenTree::Ident(name)]
                if words.iter().any(|it| word == it) =>
            {
                Some((name.to_string(), name.span().start().line))
            }
            _ => None,
        });
        names.collect::<Vec<_>>()
    };
    let code = code(source);
    let mut found = after(&Vec::from_iter(code.clone()), &["type"]);
    found.extend(after(&flat(code), &["struct", "enum", "trait", "union"]));
    found
}

/// Returns the names that have several definitions, with the places of these.
fn repeated<'f>(files: impl IntoIterator<Item = (&'f str, &'f str)>) -> Vec<String> {
    let mut places = BTreeMap::<String, Vec<String>>::new();
    for (file, source) in files {
        for (name, line) in definitions(source) {
            places.entry(name).or_default().push(format!("{file}:{line}"));
        }
    }
    places.retain(|name, places| places.len() > 1 && !CONVENTIONS.contains(&name.as_str()));
    let line =
        |(name, places): (_, Vec<_>)| format!("`{name}` is defined in {}", places.join(", "));
    places.into_iter().map(line).collect()
}

#[test]
fn each_type_has_its_own_name() {
    let files = source_tree();
    let found = repeated(files.iter().map(|(file, source)| (file.as_str(), source.as_str())));
    assert!(found.is_empty(), "give each type its own name:\n{}", found.join("\n"));
}

#[test]
fn second_definitions_are_found() {
    let found = repeated([
        ("a.rs", "pub struct Place(u32); impl Iterator for Place { type Item = u32; }"),
        ("b.rs", "mod inner { enum Place {} } #[cfg(test)] mod tests { struct Row; }"),
        ("c.rs", "struct Cell; mod sealed { trait Sealed {} } impl X for Cell { type Item = u8; }"),
        ("d.rs", "mod sealed { trait Sealed {} }\ntype Cell = u8; struct Row;"),
    ]);
    assert_eq!(
        found,
        ["`Cell` is defined in c.rs:1, d.rs:2", "`Place` is defined in a.rs:1, b.rs:1"]
    );
}
