//! The shape of a saved type: its fields in order, with their types, and its variants.

use crate::spell::spell;
use quote::ToTokens;
use syn::{Attribute, Data, DeriveInput, Fields};

/// Returns a number that differs, but for one case in four billion, between types of different shape. It is never zero.
///
/// The name of the type does not count, as a type may be renamed. What counts is what the derive sees: names of fields
/// and variants, types as they are written, and what is said to serde.
pub fn fingerprint(input: &DeriveInput) -> u32 {
    // Fowler, Noll and Vo's hash of bytes, FNV-1a.
    let mix = |hash: u32, byte: u8| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
    shape(input).bytes().fold(0x811c_9dc5, mix).max(1)
}

/// Spells what a fingerprint is of.
fn shape(input: &DeriveInput) -> String {
    let mut text = String::new();
    push_serde(&mut text, &input.attrs);
    match &input.data {
        Data::Struct(data) => push_fields(&mut text, &data.fields),
        Data::Enum(data) => {
            for variant in &data.variants {
                push_serde(&mut text, &variant.attrs);
                text.push('|');
                text.push_str(&variant.ident.to_string());
                push_fields(&mut text, &variant.fields);
            }
        }
        Data::Union(_) => {} // was refused
    }
    text
}

fn push_fields(text: &mut String, fields: &Fields) {
    let (open, close) = match fields {
        Fields::Named(_) => ('{', '}'),
        Fields::Unnamed(_) => ('(', ')'),
        Fields::Unit => return,
    };
    text.push(open);
    for field in fields {
        push_serde(text, &field.attrs);
        if let Some(name) = &field.ident {
            text.push_str(&name.to_string());
            text.push(':');
        }
        text.push_str(&spell(&field.ty));
        text.push(';');
    }
    text.push(close);
}

/// Adds what `#[serde(..)]` says, as that changes what is written.
fn push_serde(text: &mut String, attributes: &[Attribute]) {
    for attribute in attributes.iter().filter(|it| it.path().is_ident("serde")) {
        text.push_str(&spell(&attribute.meta.to_token_stream()));
        text.push(' ');
    }
}

#[cfg(test)]
mod tests {
    use super::{fingerprint, shape};
    use syn::{DeriveInput, parse_str};

    fn parsed(text: &str) -> DeriveInput {
        parse_str(text).unwrap()
    }

    #[test]
    fn the_name_of_a_type_and_spaces_do_not_count() {
        let types = [
            "struct Old { now : u32, most: Option < u8 > }",
            "pub struct New{now:u32,most:Option<u8>,}",
        ];
        let [old, new] = types.map(|text| fingerprint(&parsed(text)));
        assert_eq!(old, new);
    }

    #[test]
    fn fields_types_variants_and_words_to_serde_count() {
        let all = [
            "struct A;",
            "struct A();",
            "struct A(u32);",
            "struct A(i32);",
            "struct A(f32, f32);",
            "struct A(f64);",
            "struct A { x: u8, y: u8 }",
            "struct A { y: u8, x: u8 }",
            "struct A { x: u8, #[serde(skip)] y: u8 }",
            "#[serde(transparent)] struct A { x: u8 }",
            "struct A { x: u8 }",
            "enum A { X, Y }",
            "enum A { Y, X }",
            "enum A { X, Z, Y }",
            "enum A { X(u8), Y }",
            "enum A { X { a: u8 }, Y }",
        ];
        let mut seen = std::collections::BTreeSet::new();
        for text in all {
            assert!(seen.insert(fingerprint(&parsed(text))), "{text} is like one before");
        }
    }

    #[test]
    fn a_shape_is_spelled_as_files_rely_on() {
        let input = parsed("#[serde(default)] enum A<T> { X { a: Vec<T>, b: u8 }, Y(u8), Z }");
        assert_eq!(shape(&input), "serde(default) |X{a:Vec<T>;b:u8;}|Y(u8;)|Z");
    }
}
