//! The style of comments: the first word of each, and words that name things as if they were people.

use std::fs;
use std::path::Path;

/// First words of comments whose subject is left to be guessed. A comment describes the action of a function or the
/// nature of a thing.
const FIRST: [&str; 17] = [
    "What", "Who", "Whom", "Whose", "Those", "Of", "As", "Whether", "That", "How", "Where", "Lets",
    "Gives", "Tells", "Says", "Asks", "Likewise",
];
/// Words for people. Pools store, rows are read, listeners are notified.
const PEOPLE: [&str; 6] = ["tell", "tells", "told", "nobody", "somebody", "whom"];

/// A comment's text in one line of a source, or `None`.
fn comment(line: &str) -> Option<&str> {
    let text = line.trim_start().strip_prefix("//")?;
    Some(text.strip_prefix(['/', '!']).unwrap_or(text).trim())
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|it: char| !it.is_alphanumeric() && it != '_' && it != '`')
        .filter(|it| !it.is_empty())
}

/// Returns the mistakes in a file's comments. Code within comments is not read.
fn mistakes(file: &str, source: &str) -> Vec<String> {
    let (mut found, mut is_first, mut is_code) = (Vec::new(), true, false);
    for (number, line) in (1..).zip(source.lines()) {
        let Some(text) = comment(line) else {
            (is_first, is_code) = (true, false);
            continue;
        };
        is_code ^= text.starts_with("```");
        if is_code || text.is_empty() {
            continue;
        }
        let mut mistake =
            |word: &str, place| found.push(format!("{file}:{number}: `{word}` {place}"));
        let first = words(text).next().unwrap_or_default();
        if is_first && (FIRST.contains(&first) || text.starts_with("The same")) {
            mistake(first, "begins a comment");
        }
        is_first = false;
        words(text)
            .filter(|word| PEOPLE.contains(word))
            .for_each(|word| mistake(word, "in a comment"));
    }
    found
}

/// Calls `f` with each file below a folder whose name ends like one of `endings`.
pub(crate) fn texts(folder: &Path, endings: &[&str], f: &mut impl FnMut(&Path, &str)) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if path.is_dir() && name != "target" && name != "node_modules" && !name.starts_with('.') {
            texts(&path, endings, f);
        } else if path.extension().is_some_and(|it| endings.iter().any(|ending| it == *ending)) {
            f(&path, &fs::read_to_string(&path).unwrap());
        }
    }
}

#[test]
fn comments_say_what_things_are_and_do() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let (mut found, mut count) = (Vec::new(), 0);
    texts(&root, &["rs"], &mut |path, source| {
        count += 1;
        found.extend(mistakes(&path.strip_prefix(&root).unwrap().display().to_string(), source));
    });
    assert!(count > 500, "only {count} files were read");
    assert!(found.is_empty(), "{} mistakes\n{}", found.len(), found.join("\n"));
}

#[test]
fn words_are_found_where_they_stand() {
    let source = "/// What it is.\n/// Whether\nfn f() {} // told\n    //! The same\n// rows are told, `told`\n\n\
                  /// ```\n/// let told = nobody;\n/// ```\n/// Returns `whom`.\n/// Told here.\n";
    assert_eq!(
        mistakes("a", source),
        ["a:1: `What` begins a comment", "a:4: `The` begins a comment", "a:5: `told` in a comment",]
    );
}
