//! The names that manifests give to the library.

use crate::library::{Named, named_in};

#[track_caller]
fn check(manifest: &str, name: &str) {
    let workspace = || {
        Some("[workspace]\nmembers = []\n[workspace.dependencies]\nshared-ecs = { path = \"ecs\", package = \"ecs\" }".into())
    };
    let named = match name {
        "" => Named::InRoot,
        name => Named::Dependency(name.to_owned()),
    };
    assert_eq!(named_in(manifest, workspace), named, "{manifest}");
}

#[test]
fn a_dependency_gives_the_library_its_name() {
    check("[dependencies]\necs = \"0.1\"", "ecs");
    check("[dependencies]\necs.workspace = true", "ecs");
    check("[dependencies]\necs = { version = \"0.1\", features = [\"serde\"] }", "ecs");
    check("[package]\nname = \"ecs\"\n[dependencies]\nserde = \"1\"", "ecs");
    check("[dev-dependencies]\nother = { path = \"x\", package = \"ecs\" }", "other");
    check("[dependencies]\nmy-ecs = { package=\"ecs\", version = \"1\" }", "my_ecs");
    check("[dependencies.other]\nversion = \"1\"\npackage = \"ecs\"", "other");
    check("[target.'cfg(unix)'.dependencies]\nother.package = \"ecs\"", "other");
    check("[target.'cfg(unix)'.dependencies.other]\npackage = \"ecs\"", "other");
    check("[dependencies]\nshared-ecs = { workspace = true }", "shared_ecs");
    check("[dependencies]\nshared-ecs.workspace = true", "shared_ecs");
}

#[test]
fn another_package_is_not_the_library() {
    check("", "");
    check("[dependencies]\nengine = \"1\"\nother = { package = \"bevy_ecs\" }", "");
    check("[dependencies]\nserde.workspace = true", "");
    check(
        "[package]\nname = \"game\"\ndescription = \"ecs\"\n# ecs = \"1\"\n[features]\necs = []",
        "",
    );
    check(
        "[package.metadata.dependencies-of]\npackage = \"ecs\"\n[dependencies]\nengine = \"1\"",
        "",
    );
}
