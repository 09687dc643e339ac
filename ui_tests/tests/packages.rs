//! What each published crate brings along, and the versions that several files name.

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

/// All is built, tested and blessed by the oldest Rust that is promised.
#[test]
fn the_oldest_rust_is_the_one_at_work() {
    let cargo = read("Cargo.toml");
    let oldest = value(&cargo, "rust-version");
    let toolchain = read("rust-toolchain.toml");
    assert_eq!(value(&toolchain, "channel").rsplit_once('.').unwrap().0, oldest);
    for readme in ["README.md", "ecs/README.md"] {
        let text = read(readme).split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains(&format!("Rust {oldest} or newer")), "{readme}");
    }
}

/// What the derives emit fits one version of the library.
#[test]
fn both_packages_have_one_version() {
    let cargo = read("Cargo.toml");
    let version = value(&cargo, "version");
    for (package, wants) in [("ecs", version.to_owned()), ("ecs_derive", format!("={version}"))] {
        let line = format!("{package} = {{ path = \"{package}\", version = \"{wants}\" }}");
        assert!(cargo.contains(&line), "Cargo.toml lacks: {line}");
    }
}
