//! The dependencies of each published crate, and the versions that several files name.

use std::fs;
use std::path::{Path, PathBuf};

/// The crates that are published.
const PACKAGES: [&str; 2] = ["ecs", "ecs_derive"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The value of the first line `key = "value"`.
fn value<'t>(toml: &'t str, key: &str) -> &'t str {
    let line = toml.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(" = "));
    line.unwrap_or_else(|| panic!("no `{key}`")).trim_matches('"')
}

#[test]
fn packages_have_the_licences() {
    for package in PACKAGES {
        for licence in ["LICENSE-MIT", "LICENSE-APACHE"] {
            assert_eq!(read(&format!("{package}/{licence}")), read(licence), "{package}");
        }
    }
}

/// The page of a registry shows a README without the repository around it.
#[test]
fn readmes_of_packages_link_to_their_own_files() {
    for package in PACKAGES {
        let readme = read(&format!("{package}/README.md"));
        for link in readme.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let is_own = !link.contains("..") && root().join(package).join(link).is_file();
            assert!(is_own || link.starts_with("https://"), "{package}/README.md: {link}");
        }
    }
}

/// The tests need a newer Rust than the libraries.
#[test]
fn the_oldest_rust_is_older_than_the_one_at_work() {
    let cargo = read("Cargo.toml");
    let oldest = value(&cargo, "rust-version");
    let toolchain = read("rust-toolchain.toml");
    let at_work = value(&toolchain, "channel");
    let minor = |version: &str| -> u32 { version.split('.').nth(1).unwrap().parse().unwrap() };
    assert!(minor(oldest) < minor(at_work), "{oldest}, {at_work}");
    for readme in ["README.md", "ecs/README.md"] {
        let text = read(readme).split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains(&format!("Rust {oldest} or newer")), "{readme}");
    }
}

/// The expansion of the derives fits one version of the library.
#[test]
fn both_packages_have_one_version() {
    let cargo = read("Cargo.toml");
    let version = value(&cargo, "version");
    for (package, wants) in [("ecs", version.to_owned()), ("ecs_derive", format!("={version}"))] {
        let line = format!("{package} = {{ path = \"{package}\", version = \"{wants}\" }}");
        assert!(cargo.contains(&line), "Cargo.toml lacks: {line}");
    }
}

/// All Markdown files of the repository below `folder`.
fn pages(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let is_built = name == "target" || name == "node_modules" || name.starts_with('.');
        if path.is_dir() && !is_built {
            pages(&path, into);
        } else if path.extension().is_some_and(|extension| extension == "md") {
            into.push(path);
        }
    }
}

/// The targets of the links and pictures of a page that are outside of code.
fn links(page: &str) -> Vec<&str> {
    let prose: Vec<&str> = page.split("```").step_by(2).collect();
    let targets = |(start, end): (&'static str, char)| {
        prose
            .iter()
            .flat_map(move |text| text.split(start).skip(1))
            .filter_map(move |rest| rest.split(end).next())
    };
    [("](", ')'), ("src=\"", '"'), ("srcset=\"", '"')].into_iter().flat_map(targets).collect()
}

#[test]
fn links_of_all_pages_lead_somewhere() {
    let mut all = Vec::new();
    pages(&root(), &mut all);
    assert!(all.len() > 40, "{} pages", all.len());
    let mut broken = Vec::new();
    for page in all {
        let text = fs::read_to_string(&page).unwrap();
        for link in links(&text).into_iter().filter(|link| !link.contains("://")) {
            let file = link.split('#').next().unwrap();
            if !page.parent().unwrap().join(file).exists() {
                broken.push(format!("{}: {link}", page.display()));
            }
        }
    }
    assert!(broken.is_empty(), "{broken:#?}");
}
