//! The files of the inspector.

use crate::options::Page;
use std::borrow::Cow;

macro_rules! pages {
    ($($path:literal $content_type:literal $file:literal;)*) => {
        &[$(Page {
            path: Cow::Borrowed($path),
            content_type: concat!($content_type, "; charset=utf-8"),
            body: include_str!(concat!("page/", $file)),
        }),*]
    };
}

pub(crate) const ALL: &[Page] = pages! {
    "/" "text/html" "index.html";
    "/style.css" "text/css" "style.css";
    "/main.js" "text/javascript" "main.js";
    "/rpc.js" "text/javascript" "rpc.js";
    "/dom.js" "text/javascript" "dom.js";
    "/list.js" "text/javascript" "list.js";
    "/details.js" "text/javascript" "details.js";
    "/controls.js" "text/javascript" "controls.js";
    "/undo.js" "text/javascript" "undo.js";
    "/panels.js" "text/javascript" "panels.js";
    "/query.js" "text/javascript" "query.js";
    "/definitions.js" "text/javascript" "definitions.js";
    "/systems.js" "text/javascript" "systems.js";
};

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines of all files; see the line on the size of the inspector in `docs/measurements.md`.
    const MOST_LINES: usize = 1620;
    const WIDEST: usize = 150;

    #[test]
    fn the_inspector_is_short_and_its_lines_are_too() {
        let lines: Vec<&str> = ALL.iter().flat_map(|page| page.body.lines()).collect();
        assert!(lines.len() <= MOST_LINES, "{} lines, at most {MOST_LINES}", lines.len());
        for line in lines {
            assert!(line.chars().count() <= WIDEST, "a line of more than {WIDEST}: {line}");
        }
    }
}
