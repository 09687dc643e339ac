//! Lines and numbers of the tables.

use crate::measure::Measured;
use std::fmt::Write;

/// Returns the beginning of a page: its title and the facts of the run.
#[must_use]
pub fn head(title: &str, facts: &[(&str, String)]) -> String {
    let mut text = format!("# {title}\n\n");
    for (key, value) in facts {
        line(&mut text, format_args!("* {key}: {value}"));
    }
    text
}

/// Writes the libraries whose answers differ, if any.
pub fn disagreement(text: &mut String, result: &Measured) {
    if !result.disagreeing.is_empty() {
        line(text, format_args!("**Answers differ:** {}\n", result.disagreeing.join(", ")));
    }
}

/// Appends a line.
///
/// # Panics
/// Never: a `String` takes all.
pub fn line(text: &mut String, line: std::fmt::Arguments<'_>) {
    writeln!(text, "{line}").expect("a String takes all");
}

/// The digits of the one over the other, where there are both.
#[must_use]
pub fn ratio(ours: Option<f64>, other: Option<f64>) -> String {
    match (ours, other) {
        (Some(ours), Some(other)) => digits(ours / other),
        _ => String::new(),
    }
}

/// Three digits that matter, thousands apart.
#[must_use]
pub fn digits(number: f64) -> String {
    if number < 1.0 {
        format!("{number:.places$}", places = if number < 0.1 { 4 } else { 3 })
    } else if number < 100.0 {
        format!("{number:.places$}", places = if number < 10.0 { 2 } else { 1 })
    } else {
        let digits = format!("{number:.0}");
        let mut text = String::new();
        for (at, digit) in digits.chars().enumerate() {
            if at > 0 && (digits.len() - at) % 3 == 0 {
                text.push(',');
            }
            text.push(digit);
        }
        text
    }
}
