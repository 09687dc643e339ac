//! Functions that all measuring programs share.

use crate::measure::Measured;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{fs, io};

/// Returns the items of `all` that were named, or all of them if no names are given.
///
/// # Errors
/// When a name is none of theirs: which, and theirs.
pub fn named<T>(
    all: impl IntoIterator<Item = T>,
    names: &[String],
    called: &str,
    name: impl Fn(&T) -> &'static str,
    is_named: impl Fn(&'static str, &str) -> bool,
) -> Result<Vec<T>, String> {
    let mut chosen: Vec<_> = all.into_iter().collect();
    let known: Vec<_> = chosen.iter().map(&name).collect();
    if let Some(unknown) = names.iter().find(|named| !known.iter().any(|one| is_named(one, named)))
    {
        return Err(format!("no {called} is called {unknown}: {}", known.join(", ")));
    }
    if !names.is_empty() {
        chosen.retain(|one| names.iter().any(|named| is_named(name(one), named)));
    }
    Ok(chosen)
}

/// Returns `true` if a name begins so.
#[must_use]
pub fn begins(name: &str, beginning: &str) -> bool {
    name.starts_with(beginning)
}

/// Returns the folder for results: the requested one, or for a whole run the default one.
#[must_use]
pub fn out(asked: Option<PathBuf>, is_whole: bool) -> Option<PathBuf> {
    let results = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("results");
    asked.or_else(|| is_whole.then(results))
}

/// Writes results into a folder, which is made, and says so.
///
/// # Errors
/// When the folder or the file cannot be written.
pub fn write(out: &Path, name: &str, text: &str) -> io::Result<()> {
    fs::create_dir_all(out)?;
    fs::write(out.join(name), text)?;
    eprintln!("wrote {name} to {}", out.display());
    Ok(())
}

/// A failure when answers differ.
#[must_use]
pub fn exit_code(results: &[Measured]) -> ExitCode {
    let agreed = results.iter().all(|result| result.disagreeing.is_empty());
    if agreed { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
