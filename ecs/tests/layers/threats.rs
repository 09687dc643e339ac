//! The pages of threats: each test that they name exists.

use crate::words::texts;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

const PAGES: [&str; 2] = ["docs/threats.md", "docs/threats_replication.md"];

/// Returns the names of tests on a page: words in code with at least three parts, with or without a module.
fn named(page: &str) -> BTreeSet<&str> {
    let words = page.split('`').skip(1).step_by(2);
    let names = words.map(|word| word.rsplit("::").next().unwrap_or(word));
    let is_name = |word: &&str| {
        word.matches('_').count() >= 3
            && word.bytes().all(|it| it.is_ascii_lowercase() || it.is_ascii_digit() || it == b'_')
    };
    names.filter(is_name).collect()
}

#[test]
fn each_test_of_the_pages_of_threats_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut tests = BTreeSet::new();
    texts(&root, &["rs"], &mut |_, source| {
        for after in source.split("#[test]").skip(1) {
            let name = after.split("fn ").nth(1).and_then(|rest| rest.split('(').next());
            tests.extend(name.map(str::to_owned));
        }
    });
    for page in PAGES {
        let text = fs::read_to_string(root.join(page)).unwrap();
        let names = named(&text);
        assert!(names.len() > 20, "only {} tests are named in {page}", names.len());
        let missing: Vec<_> = names.iter().filter(|name| !tests.contains(**name)).collect();
        assert!(missing.is_empty(), "{page} names tests that do not exist: {missing:?}");
    }
    let first = fs::read_to_string(root.join(PAGES[0])).unwrap();
    assert!(first.contains("(threats_replication.md)"), "{} does not link the other one", PAGES[0]);
}

#[test]
fn names_of_tests_are_found() {
    let page = "| a | `a_test_of_it` | `m::tests::another_test_of_it` in `a/b_c_d_e/f` |\n`Limits`, `frame_bytes`";
    assert_eq!(Vec::from_iter(named(page)), ["a_test_of_it", "another_test_of_it"]);
}
