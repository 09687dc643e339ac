//! The target of the fuzzer in `fuzz` for derives, which may be called with any bytes.

use super::named::named;
#[cfg(test)]
use super::replay::replay;
use crate::errors::Errors;
use crate::{attr, schedule};
use quote::quote;
use syn::visit::{Visit, visit_type_impl_trait, visit_type_trait_object};
use syn::{DeriveInput, TypeImplTrait, TypeTraitObject, parse_str};

const DERIVES: [&str; 5] = ["Component", "Query", "Bundle", "Views", "Resource"];

/// Expands the text behind the first byte by the derive that this byte selects, or as the input of `schedule!`.
pub fn derives(bytes: &[u8]) {
    let [derive, text @ ..] = bytes else { return };
    let Ok(text) = str::from_utf8(text) else { return };
    // With its feature `full`, syn takes `try` for the name of a macro.
    if text.split(|it: char| !it.is_alphanumeric()).any(|word| word == "try") {
        return;
    }
    let mut errors = Errors::default();
    let expanded = if let Some(derive) = DERIVES.get(usize::from(derive % 8)) {
        let Ok(input) = parse_str::<DeriveInput>(text) else { return };
        let mut open = OpenBounds(false);
        open.visit_derive_input(&input);
        // Only syn takes `_` for the name of a parameter.
        if open.0 || input.generics.type_params().any(|param| param.ident == "_") {
            return;
        }
        attr::refuse_foreign(&input, derive, &mut errors);
        named(derive)(&input, &mut errors)
    } else {
        let Ok(input) = parse_str(text) else { return };
        schedule::expand(input, &mut errors)
    };
    let errors = errors.into_compile_errors();
    let items = syn::parse2::<syn::File>(quote!(#errors #expanded));
    items.expect("the expansion or stub is well formed");
}

/// `true` if bounds end with `+`: syn takes `as` behind it for one more bound, which the compiler does not.
struct OpenBounds(bool);

impl<'ast> Visit<'ast> for OpenBounds {
    fn visit_type_trait_object(&mut self, ty: &'ast TypeTraitObject) {
        self.0 |= ty.bounds.trailing_punct();
        visit_type_trait_object(self, ty);
    }

    fn visit_type_impl_trait(&mut self, ty: &'ast TypeImplTrait) {
        self.0 |= ty.bounds.trailing_punct();
        visit_type_impl_trait(self, ty);
    }
}

/// Returns the inputs of the golden tests, before which a byte selects the derive.
pub fn derive_seeds() -> Vec<Vec<u8>> {
    // The fuzzers stand beside this package, and its tests in it.
    let folder = if cfg!(test) { "tests/golden" } else { "../ecs_derive/tests/golden" };
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    let mut seeds = Vec::new();
    for path in files.filter(|path| !path.to_string_lossy().ends_with(".expanded.rs")) {
        let source = std::fs::read_to_string(path).unwrap();
        for (at, derive) in (0..).zip(DERIVES) {
            if let Some(input) = source.strip_prefix(&format!("#[derive({derive})]")) {
                seeds.push([&[at], input.as_bytes()].concat());
            }
        }
        if let Some(input) = source.trim_end().strip_prefix("schedule!").and_then(unwrapped) {
            seeds.push([&[5], input.as_bytes()].concat());
        }
    }
    seeds
}

/// Returns a text without its braces.
fn unwrapped(text: &str) -> Option<&str> {
    text.trim().strip_prefix('{')?.strip_suffix('}')
}

#[test]
fn the_corpus_of_derives_does_no_harm() {
    // The package on a registry has no corpora.
    if std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz").exists() {
        replay("derives", derives);
    }
    assert!(derive_seeds().len() > 20);
    for bytes in derive_seeds() {
        derives(&bytes);
    }
}
