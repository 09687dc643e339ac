//! Citations of decisions: each cited file exists, and the index names each file.

use crate::words::texts;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Returns the decisions that a text cites: names that begin with four digits and end with `.md`, and numbers in
/// brackets.
fn cited(text: &str) -> BTreeSet<&str> {
    let is_number = |word: &&str| {
        word.len() == 4 && word.starts_with('0') && word.bytes().all(|byte| byte.is_ascii_digit())
    };
    let names = text.split(|it: char| !it.is_alphanumeric() && it != '-' && it != '.');
    let names = names.filter_map(|word| {
        let (number, rest) = word.split_once('-')?;
        let is_file = Path::new(rest).extension().is_some_and(|it| it == "md");
        Some(number).filter(is_number).filter(|_| is_file).map(|_| word)
    });
    let numbers = text.split('[').skip(1).filter_map(|rest| rest.split_once(']').map(|it| it.0));
    names.chain(numbers.filter(is_number)).collect()
}

#[test]
fn cited_decisions_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let folder = root.join("docs/decisions");
    let names = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name());
    let names: BTreeSet<String> = names.map(|name| name.into_string().unwrap()).collect();
    let exists = |cited: &str| {
        names.iter().any(|name| name == cited || name.starts_with(&format!("{cited}-")))
    };
    let mut count = 0;
    texts(&root, &["rs", "md"], &mut |path, text| {
        if path.ends_with("ecs/tests/layers/citations.rs") {
            return;
        }
        for cited in cited(text) {
            assert!(
                exists(cited),
                "{} cites {cited}, which is not in docs/decisions",
                path.display()
            );
            count += 1;
        }
    });
    assert!(count > 20, "only {count} citations were found");
    let index = fs::read_to_string(folder.join("README.md")).unwrap();
    let listed = cited(&index);
    let missing: Vec<_> = names
        .iter()
        .filter(|name| *name != "README.md" && !listed.contains(name.as_str()))
        .collect();
    assert!(missing.is_empty(), "the index lacks {missing:?}");
}

#[test]
fn citations_are_found() {
    let text = "([figures](docs/decisions/0001-one-matcher.md)) `0036-a-layout.md`, as [0042] and [12], [2026-11-27.md], 0051-x.rs";
    assert_eq!(Vec::from_iter(cited(text)), ["0001-one-matcher.md", "0036-a-layout.md", "0042"]);
}
