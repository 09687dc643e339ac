//! The rules of the source tree: which file may import which, where unsafe may stand, how long
//! files may get.

use std::fs;
use std::path::Path;

/// Every file of `src`, lower layers first. A file imports only from files above it in this list.
const ORDER: &[&str] = &[
    // L0: nothing of the crate
    "entity.rs",
    "signature.rs",
    "text.rs",
    "tuples.rs",
    // L1: components and where they are
    "storage/values.rs",
    "storage/columns.rs",
    "storage/key.rs",
    "storage/memory.rs",
    "storage/place.rs",
    "storage/cells.rs",
    "storage/order.rs",
    "storage/page.rs",
    "storage/sparse_array.rs",
    "storage/keys.rs",
    "storage/sparse_set.rs",
    "storage/bulk.rs",
    "storage/sort.rs",
    "entities.rs",
    "component/fields.rs",
    "component/id.rs",
    "component/slot.rs",
    "component/mod.rs",
    "storage/pool.rs",
    "storage/pools.rs",
    "storage/mod.rs",
    // L2: pools and entities, never the world
    "query/access.rs",
    "query/list.rs",
    "query/presence.rs",
    "query/reach.rs",
    "group/declare.rs",
    "group/kept.rs",
    "group/groups.rs",
    "group/mod.rs",
    "bundle.rs",
    "query/row.rs",
    "query/fetch.rs",
    "query/terms.rs",
    "query/request.rs",
    "query/tables.rs",
    "query/walk.rs",
    "query/scratch.rs",
    "query/batch.rs",
    "query/iter.rs",
    "query/join.rs",
    "query/plan.rs",
    "query/view.rs",
    "query/split.rs",
    "query/mod.rs",
    // L3: the world
    "world/error.rs",
    "world/mod.rs",
    "world/name.rs",
    "world/handle.rs",
    "world/pool.rs",
    "world/spawn.rs",
    "world/edit.rs",
    "world/batch.rs",
    "world/group.rs",
    "world/query.rs",
    "world/inspect.rs",
    "lib.rs",
];

/// The files of `world/` add methods to one type, so they see each other.
const ONE_CONCEPT: &str = "world/";

const UNSAFE_FILES: &[&str] =
    &["storage/values.rs", "storage/pools.rs", "query/fetch.rs", "query/terms.rs", "query/join.rs"];

const MAX_LINES: usize = 600;

/// A line of code and its number in the file.
type Line = (usize, String);

/// The source without its tests, with comments and the contents of literals left out.
fn code(source: &str) -> Vec<Line> {
    let numbered = blanked(source).lines().map(str::to_owned).collect::<Vec<_>>();
    let mut kept = Vec::new();
    let mut at = 0;
    while at < numbered.len() {
        let is_test = numbered[at] == "#[cfg(test)]";
        if is_test && numbered.get(at + 1).is_some_and(|line| line.starts_with("mod tests {")) {
            let is_end = |line: &String| line.starts_with('}') || line == "mod tests {}";
            at += 1;
            at += numbered[at..].iter().position(is_end).unwrap_or(numbered.len() - at) + 1;
        } else if is_test && numbered.get(at + 1).is_some_and(|line| line == "mod tests;") {
            at += 2;
        } else {
            kept.push((at + 1, numbered[at].clone()));
            at += 1;
        }
    }
    kept
}

/// The source with its comments, strings and characters cut out; its lines stay where they are.
fn blanked(source: &str) -> String {
    let mut left = source;
    let mut code = String::new();
    while let Some(first) = left.chars().next() {
        let is_in_word = code.ends_with(|c: char| c.is_alphanumeric() || c == '_');
        let len = if left.starts_with("//") {
            left.find('\n').unwrap_or(left.len())
        } else if left.starts_with("/*") {
            block_comment(left)
        } else if first == '"' {
            string(left)
        } else if let Some(len) = raw_string(left).filter(|_| !is_in_word || code.ends_with('b')) {
            len
        } else if let Some(len) = character(left) {
            len
        } else {
            code.push(first);
            left = &left[first.len_utf8()..];
            continue;
        };
        code.extend(left[..len].chars().filter(|c| *c == '\n'));
        left = &left[len..];
    }
    code
}

/// The length of a comment that may hold others.
fn block_comment(text: &str) -> usize {
    let mut depth = 0;
    let mut at = 0;
    while at < text.len() {
        if text[at..].starts_with("/*") {
            depth += 1;
            at += 2;
        } else if text[at..].starts_with("*/") {
            depth -= 1;
            at += 2;
        } else {
            at += text[at..].chars().next().map_or(1, char::len_utf8);
        }
        if depth == 0 {
            return at;
        }
    }
    text.len()
}

fn string(text: &str) -> usize {
    let mut is_escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        if c == '"' && !is_escaped {
            return at + 1;
        }
        is_escaped = c == '\\' && !is_escaped;
    }
    text.len()
}

fn raw_string(text: &str) -> Option<usize> {
    let hashes = text.strip_prefix('r')?.chars().take_while(|c| *c == '#').count();
    let start = hashes + 2;
    if !text[1 + hashes..].starts_with('"') {
        return None;
    }
    let end = format!("\"{}", "#".repeat(hashes));
    Some(text[start..].find(&end).map_or(text.len(), |at| start + at + end.len()))
}

/// The length of a character, and nothing for a lifetime.
fn character(text: &str) -> Option<usize> {
    let inner = text.strip_prefix('\'')?;
    let first = inner.chars().next()?;
    if first == '\\' {
        let escaped = 1 + inner[1..].chars().next()?.len_utf8();
        return inner[escaped..].find('\'').map(|at| 1 + escaped + at + 1);
    }
    inner[first.len_utf8()..].starts_with('\'').then(|| first.len_utf8() + 2)
}

fn is_word_part(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Where a word stands in a line.
fn words<'a>(line: &'a str, word: &'a str) -> impl Iterator<Item = usize> + 'a {
    line.match_indices(word).map(|(at, _)| at).filter(move |at| {
        !line[..*at].ends_with(is_word_part) && !line[at + word.len()..].starts_with(is_word_part)
    })
}

/// The file that a `crate::` path leads to: the longest part of it that is a module.
fn file_of(path: &str) -> Option<&'static str> {
    let words: Vec<&str> = path.split("::").collect();
    (1..=words.len()).rev().find_map(|len| {
        let module = words[..len].join("/");
        let names = [format!("{module}.rs"), format!("{module}/mod.rs")];
        ORDER.iter().copied().find(|file| names.iter().any(|name| name == file))
    })
}

/// The imports of a file that go against the order, or that hide where they lead to.
fn upward_imports(file: &str, source: &str) -> Vec<String> {
    let place = |file: &str| ORDER.iter().position(|other| *other == file);
    let mut found = Vec::new();
    // The modules within the file that are open, as the depth of braces around each.
    let (mut depth, mut inline) = (0, Vec::new());
    for (number, line) in &code(source) {
        let mut report = |what: &str| found.push(format!("{file}:{number}: {what}"));
        for at in words(line, "crate") {
            let Some(path) = line[at..].strip_prefix("crate::") else { continue };
            let end = path.find(|c: char| !is_word_part(c) && c != ':').unwrap_or(path.len());
            match file_of(&path[..end]) {
                Some(target) => {
                    let together = file.starts_with(ONE_CONCEPT) && target.starts_with(ONE_CONCEPT);
                    if place(target) > place(file) && !together {
                        report(&format!("imports from {target}, above it"));
                    }
                }
                None if file == "lib.rs" || line[..at].ends_with('$') => {} // from a macro for users
                None => report("name the module that defines it: `crate::<module>::<item>`"),
            }
        }
        if words(line, "ecs").any(|at| line[at..].starts_with("ecs::")) && file != "lib.rs" {
            report("name the crate as `crate::`");
        }
        for at in words(line, "mod") {
            if line[at..].trim_end().ends_with('{') {
                inline.push(depth);
            }
        }
        if line.matches("super::").count() > 0 {
            let ups = line.split("super::").skip(1).take_while(|rest| rest.is_empty()).count() + 1;
            if ups > inline.len() {
                report("leaves the file by `super::`; name the module from `crate::` on");
            }
        }
        for c in line.chars() {
            depth += i32::from(c == '{') - i32::from(c == '}');
            if c == '}' && inline.last() == Some(&depth) {
                inline.pop();
            }
        }
    }
    found
}

/// What is wrong with the unsafe code of a file.
fn unsafe_mistakes(file: &str, source: &str) -> Vec<String> {
    let lines: Vec<&str> = source.lines().collect();
    let code = code(source);
    let mut found = Vec::new();
    let mut any = false;
    for (number, line) in &code {
        for at in words(line, "unsafe") {
            any = true;
            let rest = line[at + "unsafe".len()..].trim_start();
            let above = &lines[number.saturating_sub(6)..*number];
            let is_use = rest.starts_with('{') || rest.starts_with("impl");
            if is_use && !above.iter().any(|line| line.contains("SAFETY:")) {
                found.push(format!("{file}:{number}: unsafe without a SAFETY comment"));
            }
        }
    }
    let may = UNSAFE_FILES.contains(&file);
    if any && !may {
        found.push(format!("{file}: unsafe outside the files named for it"));
    }
    if any && !opens_unsafe(&code) {
        found.push(format!("{file}: unsafe without saying at the top why"));
    }
    if may && !any {
        found.push(format!("{file}: named for unsafe and has none"));
    }
    found
}

/// Whether the file says at its top that it holds unsafe code; the attribute may be folded.
fn opens_unsafe(code: &[Line]) -> bool {
    let joined: String = code.iter().map(|(_, line)| line.trim()).collect();
    joined.contains("#![expect(unsafe_code")
}

fn too_long(file: &str, source: &str) -> Option<String> {
    let lines = code(source).len();
    (lines > MAX_LINES).then(|| format!("{file}: {lines} lines, at most {MAX_LINES} are allowed"))
}

fn files(dir: &Path, prefix: &str, found: &mut Vec<(String, String)>) {
    let mut entries: Vec<_> = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap()).collect();
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            files(&entry.path(), &format!("{name}/"), found);
        } else if entry.file_name() != "tests.rs" {
            found.push((name, fs::read_to_string(entry.path()).unwrap()));
        }
    }
}

fn source_tree() -> Vec<(String, String)> {
    let mut found = Vec::new();
    files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), "", &mut found);
    found
}

#[test]
fn every_file_has_its_place() {
    let tree = source_tree();
    for (file, _) in &tree {
        assert!(ORDER.contains(&file.as_str()), "{file} is not in the order of layers");
    }
    assert_eq!(tree.len(), ORDER.len(), "a file in the order of layers does not exist");
}

#[test]
fn imports_go_down() {
    let found: Vec<_> =
        source_tree().iter().flat_map(|(file, source)| upward_imports(file, source)).collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn unsafe_is_where_it_may_be_and_says_why() {
    assert!(UNSAFE_FILES.len() <= 5);
    let found: Vec<_> =
        source_tree().iter().flat_map(|(file, source)| unsafe_mistakes(file, source)).collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn files_are_short() {
    let found: Vec<_> =
        source_tree().iter().filter_map(|(file, source)| too_long(file, source)).collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn code_is_told_from_comments_literals_and_tests() {
    let text = |source: &str| blanked(source).trim().to_owned();
    assert_eq!(text("a // unsafe"), "a");
    assert_eq!(text("a /* unsafe /* b */ unsafe */ c"), "a  c");
    assert_eq!(text("f(\"// \\\" unsafe\") b"), "f() b");
    assert_eq!(text("f(r#\"unsafe \" \"#, br\"unsafe\")"), "f(, b)");
    assert_eq!(text("for r in &'a ['\"', '\\'', b'{'] {"), "for r in &'a [, , b] {");
    assert_eq!(blanked("\"a\nb\"\nc"), "\n\nc");

    let lines = |source| code(source).into_iter().map(|(number, _)| number).collect::<Vec<_>>();
    assert_eq!(lines("a\n#[cfg(test)]\nmod tests {\n    {\n    }\n}\nb\n"), [1, 7]);
    assert_eq!(lines("a\n#[cfg(test)]\nmod tests {}\nb\n"), [1, 4]);
    assert_eq!(lines("a\n#[cfg(test)]\nmod tests;\nb\n"), [1, 4]);
}

#[test]
fn imports_are_found() {
    let in_view = |source: &str| upward_imports("query/view.rs", source);
    let import = "use crate::world::World;\n";
    assert_eq!(in_view(import), ["query/view.rs:1: imports from world/mod.rs, above it"]);
    assert!(upward_imports("lib.rs", import).is_empty());
    assert!(upward_imports("world/edit.rs", "use crate::world::query::X;").is_empty());
    assert!(in_view("// use crate::world::World;\n").is_empty());
    assert!(in_view("use crate::entity::Entity; pub(crate) struct A;").is_empty());
    assert!(upward_imports("storage/keys.rs", "use crate::storage::values::Storage;").is_empty());

    for hidden in ["crate::{entity::Entity, world::World}", "crate::World", "ecs::World"] {
        assert_eq!(in_view(&format!("fn f() {{}}\nuse {hidden};")).len(), 1, "{hidden}");
    }
    assert_eq!(in_view("use super::split::Split;").len(), 1);
    assert!(in_view("mod sealed {\n    use super::View;\n}").is_empty());
    assert_eq!(in_view("mod sealed {\n    use super::super::split::Split;\n}").len(), 1);
    assert_eq!(in_view("mod sealed {\n}\nuse super::split::Split;").len(), 1);
}

#[test]
fn mistakes_of_unsafe_code_are_found() {
    assert_eq!(unsafe_mistakes("entity.rs", "unsafe { x }").len(), 3);
    assert_eq!(unsafe_mistakes("entity.rs", "unsafe extern \"C\" {}").len(), 2);
    assert!(unsafe_mistakes("entity.rs", "let x = \"unsafe { }\"; // unsafe impl").is_empty());
    assert!(unsafe_mistakes("entity.rs", "#![deny(unsafe_code)]").is_empty());

    let folded = "#![expect(\n    unsafe_code,\n)]\n// SAFETY: so.\nunsafe { x }";
    assert!(unsafe_mistakes("query/join.rs", folded).is_empty());

    let right = "#![expect(unsafe_code)]\n// SAFETY: so.\nunsafe { x }";
    assert!(unsafe_mistakes("query/join.rs", right).is_empty());
    assert_eq!(unsafe_mistakes("query/join.rs", &right.replace("SAFETY", "so")).len(), 1);
    assert_eq!(unsafe_mistakes("query/join.rs", &right.replace("unsafe_", "dead_")).len(), 1);
    assert_eq!(unsafe_mistakes("query/join.rs", "safe").len(), 1);
}

#[test]
fn long_files_are_found() {
    let tests = "#[cfg(test)]\nmod tests {\n    x\n}\n";
    let at_most = "x\n".repeat(MAX_LINES);
    assert!(too_long("entity.rs", &at_most).is_none());
    assert!(too_long("entity.rs", &(at_most.clone() + tests)).is_none());
    assert!(too_long("entity.rs", &(at_most.clone() + "x\n")).is_some());
    assert!(too_long("entity.rs", &(tests.to_owned() + &at_most + "x\n")).is_some());
}
