//! The style of sentences in comments, error texts and Markdown files: their length, and turns of phrase whose subject
//! is left to be guessed.

use crate::words::texts;
use crate::{code, flat};
use proc_macro2::TokenTree;
use std::path::Path;

/// The longest sentence, in words. Code in backticks counts as one word.
const MOST_WORDS: usize = 30;
/// First words of sentences that are no questions.
const FIRST: [&str; 11] = [
    "What", "Who", "Whom", "Whose", "Those", "Of", "Whether", "Lets", "Gives", "Tells", "Likewise",
];
/// Turns that stand in the place of a noun, and words for people.
const TURNS: [&str; 19] = [
    "what",
    "of which",
    "of whom",
    "of those",
    "that of",
    "those that",
    "those of",
    "those who",
    "those which",
    "so many",
    "so much",
    "whom",
    "whoever",
    "nobody",
    "somebody",
    "anybody",
    "everybody",
    "told",
    "likewise",
];

/// A piece of prose: a paragraph, an item of a list, a cell of a table, or a text of the code.
struct Passage {
    line: usize,
    text: String,
    is_cell: bool,
}

/// Collects lines to passages.
#[derive(Default)]
struct Reader {
    done: Vec<Passage>,
    line: usize,
    text: String,
    is_code: bool,
}

impl Reader {
    fn end(&mut self) {
        if !self.text.is_empty() {
            let text = std::mem::take(&mut self.text);
            self.done.push(Passage { line: self.line, text, is_cell: false });
        }
    }

    /// Reads a line of Markdown.
    fn read(&mut self, line: usize, text: &str) {
        let text = text.trim();
        if text.starts_with("```") {
            self.is_code ^= true;
            return self.end();
        }
        if self.is_code {
            return;
        }
        if text.is_empty() || text.starts_with('<') || text.starts_with('#') || is_link(text) {
            return self.end();
        }
        if let Some(row) = text.strip_prefix('|') {
            self.end();
            let cells = row.split('|').map(|cell| Passage {
                line,
                text: cell.trim().to_owned(),
                is_cell: true,
            });
            return self.done.extend(cells);
        }
        let digits = text.len() - text.trim_start_matches(|it: char| it.is_ascii_digit()).len();
        let item = text.strip_prefix("* ").or_else(|| text.strip_prefix("- "));
        let item = item.or_else(|| text[digits..].strip_prefix(". ").filter(|_| digits > 0));
        if let Some(item) = item {
            self.end();
            (self.line, self.text) = (line, item.to_owned());
        } else if self.text.is_empty() {
            (self.line, self.text) = (line, text.to_owned());
        } else {
            self.text += " ";
            self.text += text;
        }
    }
}

/// Returns `true` for a line that says where a link leads.
fn is_link(line: &str) -> bool {
    line.starts_with('[') && line.contains("]: ")
}

/// Returns the prose of a Markdown file.
fn of_markdown(source: &str) -> Vec<Passage> {
    let mut reader = Reader::default();
    for (number, line) in (1..).zip(source.lines()) {
        reader.read(number, line);
    }
    reader.end();
    reader.done
}

/// Returns the prose of the comments of a source.
fn of_comments(source: &str) -> Vec<Passage> {
    let mut reader = Reader::default();
    for (number, line) in (1..).zip(source.lines()) {
        if let Some(text) = line.trim_start().strip_prefix("//") {
            reader.read(number, text.strip_prefix(['/', '!']).unwrap_or(text));
            continue;
        }
        reader.end();
        reader.is_code = false;
        if let Some((before, text)) = line.split_once(" // ")
            && before.trim_end().ends_with([';', '{', '}', ',', ')'])
        {
            reader.read(number, text);
            reader.end();
        }
    }
    reader.end();
    reader.done
}

/// Returns a format with each argument as `_`.
fn without_arguments(format: &str) -> String {
    let mut pieces = format.split('{');
    let first = pieces.next().unwrap_or_default().to_owned();
    pieces.fold(first, |text, piece| text + "_" + piece.split_once('}').map_or(piece, |it| it.1))
}

/// Returns the texts of a source's code, without its tests.
fn of_messages(source: &str) -> Vec<Passage> {
    let text = |token: TokenTree| {
        let TokenTree::Literal(literal) = token else { return None };
        let line = literal.span().start().line;
        let text: syn::LitStr = syn::parse_str(&literal.to_string()).ok()?;
        let text = without_arguments(&text.value());
        let is_prose = text.split_whitespace().count() > 3 && !text.contains("//");
        is_prose.then_some(Passage { line, text, is_cell: true })
    };
    flat(code(source)).into_iter().filter_map(text).collect()
}

/// Returns the sentences of a passage, with each piece of code as `_`.
fn sentences(text: &str) -> Vec<String> {
    let pieces = text.split('`').enumerate();
    let text: String = pieces.map(|(at, piece)| if at % 2 == 0 { piece } else { "_" }).collect();
    let (mut found, mut begin) = (Vec::new(), 0);
    for (at, _) in text.match_indices(['.', '?', '!']) {
        let rest = text[at + 1..].trim_start_matches(['"', ')', '*', '_']);
        let is_end = rest.starts_with(' ')
            && rest.trim_start().starts_with(|it: char| !it.is_lowercase() && !it.is_numeric());
        if is_end {
            found.push(text[begin..=at].trim().to_owned());
            begin = at + 1;
        }
    }
    found.push(text[begin..].trim().to_owned());
    found
}

/// Returns the words of a sentence without targets of links.
fn words(sentence: &str) -> Vec<&str> {
    let mut words = Vec::new();
    for (at, piece) in sentence.split("](").enumerate() {
        let piece = if at == 0 { piece } else { piece.split_once(')').map_or("", |it| it.1) };
        let is_part = |it: char| it.is_alphanumeric() || "_'-".contains(it);
        words.extend(piece.split(|it: char| !is_part(it)).filter(|word| !word.is_empty()));
    }
    words
}

/// Returns the mistakes in a sentence.
fn mistakes(sentence: &str, is_cell: bool) -> Vec<String> {
    let words = words(sentence);
    let is_question =
        sentence.ends_with('?') || sentence.ends_with("?*") || sentence.ends_with("?\"");
    let mut found = Vec::new();
    if words.len() > MOST_WORDS && !is_cell {
        found.push(format!("{} words", words.len()));
    }
    if is_question {
        return found;
    }
    found.extend(
        words.first().filter(|first| FIRST.contains(first)).map(|it| format!("begins with {it}")),
    );
    let text = format!(" {} ", words.join(" ").to_lowercase());
    found.extend(
        TURNS.iter().filter(|turn| text.contains(&format!(" {turn} "))).map(|it| (*it).to_owned()),
    );
    found
}

#[test]
fn sentences_are_short_and_name_their_subject() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut found: Vec<String> = Vec::new();
    texts(&root, &["rs", "md"], &mut |path, source| {
        let is_page = path.extension().is_some_and(|it| it == "md");
        let path = path.strip_prefix(&root).unwrap().display().to_string();
        if path.ends_with("expanded.rs")
            || path.starts_with("benches/results")
            || path.starts_with("ecs/tests/layers/words")
            || path.starts_with("ecs/tests/layers/sentences")
        {
            return;
        }
        let mut passages = Vec::new();
        if is_page {
            passages = of_markdown(source);
        } else {
            passages.extend(of_comments(source));
            let is_product = path.contains("src/") && !path.contains("tests");
            passages.extend(is_product.then(|| of_messages(source)).into_iter().flatten());
        }
        for passage in passages {
            for sentence in sentences(&passage.text) {
                let mistakes = mistakes(&sentence, passage.is_cell);
                if !mistakes.is_empty() {
                    found.push(format!(
                        "{path}:{}: {} | {sentence}",
                        passage.line,
                        mistakes.join(", ")
                    ));
                }
            }
        }
    });
    assert!(found.is_empty(), "{} mistakes\n{}", found.len(), found.join("\n"));
}

#[test]
fn sentences_are_read_from_comments_pages_and_messages() {
    let texts = |passages: Vec<Passage>| -> Vec<(usize, String)> {
        passages.into_iter().map(|it| (it.line, it.text)).collect()
    };
    let owned = |list: &[(usize, &str)]| -> Vec<_> {
        list.iter().map(|(line, text)| (*line, (*text).to_owned())).collect()
    };
    let source = "/// One\n/// two.\n///\n/// * three\n/// ```\n/// code\n/// ```\n/// [a]: b\nfn f(); // four\n";
    assert_eq!(texts(of_comments(source)), owned(&[(1, "One two."), (4, "three"), (9, "four")]));
    let page = "# Title\n\nOne\ntwo.\n| a | b |\n1. three\n";
    let cells = &[(3, "One two."), (5, "a"), (5, "b"), (5, ""), (6, "three")];
    assert_eq!(texts(of_markdown(page)), owned(cells));
    let code = "fn f() { g(\"a b\", \"one {two} three \\\n four\") } #[cfg(test)] mod t { const A: &str = \"a b c d\"; }";
    assert_eq!(texts(of_messages(code)), owned(&[(1, "one _ three four")]));
    assert_eq!(
        sentences("One `a. B`, e.g. two. (Three? Four 0.5."),
        ["One _, e.g. two.", "(Three?", "Four 0.5."]
    );
    assert_eq!(words("[a link](docs/x.md) and `b`"), ["a", "link", "and", "b"]);
}

#[test]
fn mistakes_of_sentences_are_found() {
    let long = "word ".repeat(31);
    assert_eq!(mistakes(&long, false), ["31 words"]);
    assert!(mistakes(&long, true).is_empty() && mistakes("What is it?", false).is_empty());
    assert_eq!(
        mistakes("Of these, one of which is told.", false),
        ["begins with Of", "of which", "told"]
    );
    assert!(mistakes("Returns `true` if somewhat likely.", false).is_empty());
}
