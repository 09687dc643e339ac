//! The path of the library in the crate that a derive is used in, as its manifest says.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use std::path::Path;
use std::sync::Mutex;
use std::{env, fs};

/// The package of the library.
const PACKAGE: &str = "ecs";

/// The folder of the manifest that was read last, and the name it gives to the library.
static LAST: Mutex<Option<(String, Named)>> = Mutex::new(None);

/// The place of the library in a crate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Named {
    /// A dependency of this name.
    Dependency(String),
    /// No dependency: the crate's root imports it from another crate.
    InRoot,
}

/// Returns the path of the library: `::ecs`, another name that the manifest gives to the package, or `crate::ecs`.
///
/// A process may expand derives of several crates, each with a folder in `CARGO_MANIFEST_DIR`. Without a manifest it is `::ecs`.
pub fn path() -> TokenStream {
    match named() {
        Named::Dependency(name) => {
            let name = format_ident!("{name}");
            quote!(::#name)
        }
        Named::InRoot => quote!(crate::ecs),
    }
}

fn named() -> Named {
    let by_default = || Named::Dependency(PACKAGE.to_owned());
    // The tests of derives expand them as for a user of the library.
    if cfg!(test) {
        return by_default();
    }
    let Ok(folder) = env::var("CARGO_MANIFEST_DIR") else { return by_default() };
    let Ok(mut last) = LAST.lock() else { return by_default() };
    if let Some((of, named)) = &*last
        && *of == folder
    {
        return named.clone();
    }
    let named = match fs::read_to_string(Path::new(&folder).join("Cargo.toml")) {
        Ok(manifest) => named_in(&manifest, || workspace_of(&folder)),
        Err(_) => by_default(),
    };
    *last = Some((folder, named.clone()));
    named
}

/// Returns the manifest of the workspace around a folder.
fn workspace_of(folder: &str) -> Option<String> {
    let manifests = Path::new(folder).ancestors().map(|it| it.join("Cargo.toml"));
    manifests
        .filter_map(|path| fs::read_to_string(path).ok())
        .find(|manifest| Entries::of(manifest).any(|entry| entry.section.starts_with("workspace")))
}

/// Returns the name of the library in a crate with this manifest.
pub fn named_in(manifest: &str, workspace: impl FnOnce() -> Option<String>) -> Named {
    let is_own = |entry: &Entry<'_>| {
        entry.section == "package" && entry.key == "name" && entry.text("name") == Some(PACKAGE)
    };
    if Entries::of(manifest).any(|entry| is_own(&entry)) {
        return Named::Dependency(PACKAGE.to_owned());
    }
    let dependencies: Vec<_> = Entries::of(manifest).filter_map(Entry::dependency).collect();
    let by_package = |list: &[Entry<'_>]| {
        list.iter().find(|it| it.text("package") == Some(PACKAGE)).map(|it| it.key.to_owned())
    };
    let found = by_package(&dependencies)
        .or_else(|| dependencies.iter().any(|it| it.key == PACKAGE).then(|| PACKAGE.to_owned()))
        .or_else(|| {
            let shared: Vec<_> = dependencies.iter().filter(|it| it.has("workspace")).collect();
            let workspace = (!shared.is_empty()).then(workspace)??;
            let renamed = |it: &Entry<'_>| it.text("package") == Some(PACKAGE);
            Entries::of(&workspace)
                .filter(|it| it.section.starts_with("workspace"))
                .filter_map(Entry::dependency)
                .find(|it| renamed(it) && shared.iter().any(|own| own.key == it.key))
                .map(|it| it.key.to_owned())
        });
    found.map_or(Named::InRoot, |name| Named::Dependency(name.replace('-', "_")))
}

/// A line `key = value` of a manifest, or a line of a section `[dependencies.key]`.
#[derive(Clone, Copy, Debug)]
struct Entry<'m> {
    section: &'m str,
    key: &'m str,
    /// The line, without the key of a dependency.
    value: &'m str,
}

impl<'m> Entry<'m> {
    /// Returns the entry with a dependency's name as its key, if it is about one.
    fn dependency(self) -> Option<Self> {
        const LISTS: [&str; 3] = ["dependencies", "dev-dependencies", "build-dependencies"];
        let is_list = |section: &str| LISTS.iter().any(|list| section.ends_with(list));
        if is_list(self.section) {
            return Some(self);
        }
        let (section, key) = self.section.rsplit_once('.')?;
        is_list(section).then_some(Self { section, key: unquoted(key), value: self.value })
    }

    /// Returns the text of a key: of `package = "ecs"` in a table, or of `name.package = "ecs"`.
    fn text(&self, key: &str) -> Option<&'m str> {
        self.after(key)?.strip_prefix('"')?.split('"').next()
    }

    /// Returns `true` if a key is set to `true`.
    fn has(&self, key: &str) -> bool {
        self.after(key).is_some_and(|value| value.starts_with("true"))
    }

    /// Returns the rest of the line after `key =`.
    fn after(&self, key: &str) -> Option<&'m str> {
        self.value.match_indices(key).find_map(|(at, _)| {
            let before = self.value[..at].chars().next_back();
            let is_word = before.is_none_or(|it| matches!(it, ' ' | '{' | ',' | '.' | '"'));
            let rest = self.value[at + key.len()..].trim_start_matches('"').trim_start();
            is_word.then(|| rest.strip_prefix('=')).flatten().map(str::trim_start)
        })
    }
}

/// The entries of a manifest.
struct Entries;

impl Entries {
    fn of(manifest: &str) -> impl Iterator<Item = Entry<'_>> {
        let mut section = "";
        manifest.lines().map(str::trim).filter_map(move |line| {
            if let Some(header) = line.strip_prefix('[') {
                section = header.split(']').next().unwrap_or_default().trim();
                return None;
            }
            let (key, _) = line.split_once('=').filter(|_| !line.starts_with('#'))?;
            let key = unquoted(key.trim().split('.').next().unwrap_or_default());
            Some(Entry { section, key, value: line })
        })
    }
}

fn unquoted(key: &str) -> &str {
    key.trim().trim_matches('"')
}
