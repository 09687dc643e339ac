//! The table of tests in `CONTRIBUTING.md`: behaviour, the guide's chapter, and the files that test it.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Returns the words in code of one column of a table's rows.
fn column(page: &str, at: usize) -> Vec<&str> {
    let rows = page.lines().skip_while(|line| !line.starts_with("| behaviour |")).skip(2);
    let cells = rows.map_while(|row| row.strip_prefix("| ")?.split(" | ").nth(at));
    cells.flat_map(|cell| cell.split('`').skip(1).step_by(2)).collect()
}

/// Returns the names of a folder's files as the table has them.
fn names(folder: &Path, prefix: &str) -> BTreeSet<String> {
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    paths
        .filter(|path| path.extension().is_some_and(|it| it == "rs"))
        .map(|path| format!("{prefix}{}", path.file_stem().unwrap().display()))
        .filter(|name| !name.ends_with("main") && name != "mod")
        .collect()
}

#[test]
fn each_file_of_tests_is_in_the_table_once() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = fs::read_to_string(root.join("../CONTRIBUTING.md")).unwrap();
    let mut files = names(&root.join("tests/it"), "it/");
    files.extend(names(&root.join("tests/data"), "data/"));
    let mut listed = BTreeSet::new();
    for file in column(&page, 2) {
        assert!(listed.insert(file.to_owned()), "{file} is twice in the table of CONTRIBUTING.md");
    }
    let missing: Vec<_> = files.difference(&listed).collect();
    assert!(missing.is_empty(), "not in the table of CONTRIBUTING.md: {missing:?}");
    let gone: Vec<_> = listed.difference(&files).collect();
    assert!(gone.is_empty(), "in the table of CONTRIBUTING.md, but no files: {gone:?}");

    let chapters = names(&root.join("src/guide"), "");
    for chapter in column(&page, 1) {
        assert!(chapters.contains(chapter), "the guide has no chapter {chapter}");
    }
}

#[test]
fn columns_of_a_table_are_read() {
    let page = "`no`\n| behaviour | b | c |\n|---|---|---|\n| `a` | `b` | `c` `d` |\n| a |  | `e` |\n\n| x | y | `z` |\n";
    assert_eq!(column(page, 1), ["b"]);
    assert_eq!(column(page, 2), ["c", "d", "e"]);
}
