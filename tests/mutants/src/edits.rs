//! A file with its mutants as switches, and the lines where each stands.

use crate::places::Places;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::ops::Range;

#[derive(Clone, Deserialize)]
struct Position {
    line: usize,
    column: usize,
}

#[derive(Clone, Deserialize)]
struct Span {
    start: Position,
    end: Position,
}

/// A mutant, as cargo-mutants lists it.
#[derive(Clone, Deserialize)]
pub(crate) struct Mutant {
    pub(crate) name: String,
    pub(crate) file: String,
    span: Span,
    function: Option<Function>,
    replacement: String,
    genre: String,
}

#[derive(Clone, Deserialize)]
struct Function {
    return_type: String,
}

/// The place where a mutant is built in.
enum Place {
    /// At the beginning of a function.
    Start(usize),
    /// In the place of an expression, which it makes this text.
    Expression(Range<usize>, String),
    /// Behind the pattern of an arm.
    Pattern(usize),
}

/// A file with switches.
#[derive(Default)]
pub(crate) struct Switched {
    pub(crate) text: String,
    line: usize,
    /// The lines of each mutant's own code, and of all that it replaces.
    pub(crate) own: BTreeMap<u32, Range<usize>>,
    pub(crate) whole: BTreeMap<u32, Range<usize>>,
}

impl Switched {
    fn push(&mut self, text: &str) {
        self.line += text.matches('\n').count();
        self.text.push_str(text);
    }

    /// Adds `code`, the code of a mutant alone.
    fn push_own(&mut self, number: u32, code: &str) {
        let start = self.line;
        self.push(code);
        self.own.insert(number, start..self.line + 1);
    }
}

/// Returns the place of each byte: the text has lines and columns from one on.
fn byte_at(source: &str, position: &Position) -> usize {
    let start = source.split_inclusive('\n').take(position.line - 1).map(str::len).sum::<usize>();
    let line = &source[start..];
    start + line.char_indices().nth(position.column - 1).map_or(line.len(), |(at, _)| at)
}

impl Mutant {
    /// Returns the name without its line and column, which change with each edit.
    pub(crate) fn lasting_name(&self) -> String {
        let (_, what) = self.name.split_once(": ").expect("cargo-mutants names places and changes");
        format!("{}: {what}", self.file)
    }

    /// Returns where this mutant fits, or why it does not.
    fn place(&self, source: &str, places: &Places) -> Result<Place, &'static str> {
        let span = byte_at(source, &self.span.start)..byte_at(source, &self.span.end);
        if places.is_constant(&span) {
            return Err("constant");
        }
        match &*self.genre {
            // The first value that is returned decides which type it is.
            "FnValue"
                if self.function.as_ref().is_some_and(|it| it.return_type.contains("impl ")) =>
            {
                Err("opaque type")
            }
            "FnValue" => Ok(Place::Start(span.start)),
            "MatchArm" => places.pattern_end(&span).map(Place::Pattern).ok_or("no other arm"),
            genre => {
                let is_guard = genre == "MatchArmGuard";
                let around = places.around(&span, is_guard).ok_or("`let` in a chain")?;
                let (before, after) =
                    (&source[around.start..span.start], &source[span.end..around.end]);
                let wrong = format!("{before}{}{after}", self.replacement);
                Ok(Place::Expression(around, wrong))
            }
        }
    }
}

/// Builds these mutants into a file; returns the ones that do not fit with the reason.
pub(crate) fn switch<'a>(
    source: &str,
    mutants: impl Iterator<Item = (u32, &'a Mutant)>,
) -> (Switched, Vec<(u32, &'static str)>) {
    let places = Places::of(source);
    let mut unfit = Vec::new();
    let mut inserted = BTreeMap::<usize, Vec<(u32, Option<&str>)>>::new();
    // Outer expressions come first.
    let mut wrapped = BTreeMap::<(usize, std::cmp::Reverse<usize>), Vec<(u32, String)>>::new();
    for (number, mutant) in mutants {
        match mutant.place(source, &places) {
            Ok(Place::Start(at)) => {
                inserted.entry(at).or_default().push((number, Some(&mutant.replacement)));
            }
            Ok(Place::Pattern(at)) => inserted.entry(at).or_default().push((number, None)),
            Ok(Place::Expression(at, wrong)) => {
                let key = (at.start, std::cmp::Reverse(at.end));
                wrapped.entry(key).or_default().push((number, wrong));
            }
            Err(reason) => unfit.push((number, reason)),
        }
    }
    let mut cuts: Vec<usize> = inserted.keys().copied().collect();
    cuts.extend(wrapped.keys().flat_map(|(start, end)| [*start, end.0]));
    cuts.sort_unstable();
    cuts.dedup();
    let mut file = Switched { line: 1, ..Switched::default() };
    let mut open: Vec<(usize, usize, Vec<u32>)> = Vec::new();
    let mut done = 0;
    for cut in cuts {
        file.push(&source[done..cut]);
        done = cut;
        while let Some((_, start, numbers)) = open.pop_if(|(end, ..)| *end == cut) {
            file.push("\n})");
            let lines = start..file.line + 1;
            file.whole.extend(numbers.into_iter().map(|number| (number, lines.clone())));
        }
        for (number, value) in inserted.remove(&cut).unwrap_or_default() {
            if let Some(value) = value {
                file.push("\n");
                let code = format!(
                    "if crate::seeded({number}) {{ #[allow(unused_imports)] use crate::mutated::*; return {value}; }}"
                );
                file.push_own(number, &code);
                file.push("\n");
            } else {
                file.push_own(number, &format!(" if !crate::seeded({number})"));
            }
        }
        let here: Vec<_> = wrapped
            .range((cut, std::cmp::Reverse(usize::MAX))..(cut + 1, std::cmp::Reverse(usize::MAX)))
            .collect();
        for ((_, end), wrongs) in here {
            let start = file.line;
            file.push("(");
            for (number, wrong) in wrongs {
                file.push(&format!("if crate::seeded({number}) {{\n"));
                file.push_own(*number, wrong);
                file.push("\n} else ");
            }
            file.push("{\n");
            open.push((end.0, start, wrongs.iter().map(|(number, _)| *number).collect()));
        }
    }
    file.push(&source[done..]);
    (file, unfit)
}
