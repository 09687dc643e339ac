//! The shape of a type: its fields in order, with their types, and its variants.

use crate::item::{field_name, plain_name};
use crate::parts::{Part, mark_of};
use crate::serde_words::{SerdeWords, field_in_case, variant_in_case};
use crate::spell::spell;
use quote::ToTokens;
use syn::{Attribute, Data, DeriveInput, Fields, GenericParam};

/// Describes a component for tools, a line a piece. `by_name::Shape` of the library reads it.
///
/// ```text
/// <T          a parameter of the type
/// (           a tuple of fields; `{`: fields with names; neither: no fields
/// x:f32       a field and its type
/// *to:Entity  a field whose handles of entities are replaced
/// ~2 at:Post  a field whose handles are replaced if the third of the fields that may hold some says so
/// [0.0..=1.0  the range of the field before
/// %m          the unit of the field before
/// |Idle       a variant, and after it the lines of its fields
/// ?           a type that serde saves in a form of its own
/// ```
///
/// If it `is_saved`, the names are those under which serde saves it.
pub fn described(input: &DeriveInput, parts: &[Part], is_saved: bool) -> String {
    Description { is_saved, parts }.of(input).unwrap_or_else(|| "?".to_owned())
}

struct Description<'a> {
    is_saved: bool,
    parts: &'a [Part<'a>],
}

impl Description<'_> {
    /// Returns the lines; `None` if serde saves the type in a form of its own.
    fn of(&self, input: &DeriveInput) -> Option<String> {
        let words = self.words(&input.attrs)?;
        let mut text = String::new();
        for param in &input.generics.params {
            match param {
                GenericParam::Type(it) => push(&mut text, &format!("<{}", it.ident)),
                GenericParam::Const(it) => push(&mut text, &format!("<{}", it.ident)),
                GenericParam::Lifetime(_) => {}
            }
        }
        match &input.data {
            Data::Struct(data) => {
                self.fields(&mut text, &data.fields, words.rename_all.as_deref(), &words)?;
            }
            Data::Enum(data) => {
                for variant in &data.variants {
                    let own = self.words(&variant.attrs)?;
                    if own.is_skipped {
                        continue;
                    }
                    let in_case =
                        || variant_in_case(plain_name(&variant.ident), words.rename_all.as_deref());
                    push(&mut text, &format!("|{}", own.rename.clone().unwrap_or_else(in_case)));
                    let case = own.rename_all.as_deref().or(words.rename_all_fields.as_deref());
                    self.fields(&mut text, &variant.fields, case, &own)?;
                }
                if !text.contains('|') {
                    return None; // there is no value
                }
            }
            Data::Union(_) => return None, // was refused
        }
        Some(text)
    }

    /// Returns the words of serde; `None` if the saved form is not made of the fields.
    fn words(&self, attributes: &[Attribute]) -> Option<SerdeWords> {
        let words = if self.is_saved { SerdeWords::of(attributes) } else { SerdeWords::default() };
        (!words.is_opaque).then_some(words)
    }

    /// Adds fields of a type or a variant, which has these words.
    fn fields(
        &self,
        text: &mut String,
        fields: &Fields,
        case: Option<&str>,
        of: &SerdeWords,
    ) -> Option<()> {
        if of.is_converted {
            push(text, "(");
            push(text, "0:_");
            return Some(());
        }
        let has_names = matches!(fields, Fields::Named(_)) && !of.is_transparent;
        match fields {
            Fields::Unit => return Some(()),
            _ => push(text, if has_names { "{" } else { "(" }),
        }
        let mut count = 0;
        for (member, field) in fields.members().zip(fields) {
            let words = self.words(&field.attrs)?;
            if words.is_skipped {
                continue;
            }
            let name = match words.rename {
                _ if !has_names => count.to_string(),
                Some(name) => name,
                None => field_in_case(field_name(&member), case),
            };
            let ty = if words.is_converted { "_".to_owned() } else { spell(&field.ty) };
            let mark = mark_of(field, self.parts);
            push(text, &format!("{mark}{name}:{ty}"));
            let own = self.parts.iter().find(|part| std::ptr::eq(part.field, field));
            if let Some(numbers) = own.map(|part| &part.attr.numbers) {
                let range = numbers.range.as_ref().map(|range| format!("[{}", range.text));
                let unit = numbers.unit.as_ref().map(|unit| format!("%{}", unit.value()));
                range.into_iter().chain(unit).for_each(|line| push(text, &line));
            }
            count += 1;
        }
        Some(())
    }
}

fn push(text: &mut String, line: &str) {
    if !text.is_empty() {
        text.push('\n');
    }
    text.push_str(line);
}

/// Returns a number that differs, but for one case in four billion, between types of different shape. It is never zero.
///
/// The name of the type does not count, as a type may be renamed. Names of fields and variants count, types as they
/// are written, and attributes of serde.
pub fn fingerprint(input: &DeriveInput) -> u32 {
    // Fowler, Noll and Vo's hash of bytes, FNV-1a.
    let mix = |hash: u32, byte: u8| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
    shape(input).bytes().fold(0x811c_9dc5, mix).max(1)
}

/// Spells the text that a fingerprint hashes.
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

/// Adds the content of `#[serde(..)]`, because it changes the saved form.
fn push_serde(text: &mut String, attributes: &[Attribute]) {
    for attribute in attributes.iter().filter(|it| it.path().is_ident("serde")) {
        text.push_str(&spell(&attribute.meta.to_token_stream()));
        text.push(' ');
    }
}

#[cfg(test)]
mod tests {
    use super::{Part, described, fingerprint, shape};
    use syn::{DeriveInput, parse_str};

    fn lines(text: &str) -> Vec<String> {
        described(&parsed(text), &[], true).lines().map(ToOwned::to_owned).collect()
    }

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

    #[test]
    fn structs_are_described_by_their_fields_in_order() {
        assert_eq!(lines("struct A;"), [""; 0]);
        assert_eq!(lines("struct A {}"), ["{"]);
        assert_eq!(lines("struct A(u8, Vec < f32 >);"), ["(", "0:u8", "1:Vec<f32>"]);
        let fields = "struct A<T, const N: usize> { x: [T; N], r#type: u8 }";
        assert_eq!(lines(fields), ["<T", "<N", "{", "x:[T; N]", "type:u8"]);
    }

    #[test]
    fn enums_are_described_by_their_variants() {
        let text = "enum A { X, Y(u8, u16), Z { a: bool } }";
        assert_eq!(lines(text), ["|X", "|Y", "(", "0:u8", "1:u16", "|Z", "{", "a:bool"]);
    }

    #[test]
    fn ranges_and_units_follow_their_fields() {
        let input = parsed(
            "enum A { X { a: u8, #[component(range = -1_0..=0x10_u8, unit = \"m/s\")] b: i8 },
             Y(#[component(unit = \"%\")] f32, bool) }",
        );
        let mut errors = crate::errors::Errors::default();
        let parts = Part::all(&input, crate::attr::FieldAttr::read, &mut errors);
        let text = described(&input, &parts, false);
        let lines: Vec<&str> = text.lines().collect();
        let all =
            ["|X", "{", "a:u8", "b:i8", "[-10..=16", "%m/s", "|Y", "(", "0:f32", "%%", "1:bool"];
        assert_eq!(lines, all);
        assert!(errors.is_empty());
    }

    #[test]
    fn names_are_those_that_serde_saves() {
        let camel = "#[serde(rename_all = \"camelCase\")] struct A { max_speed: u8, #[serde(rename = \"It\")] it: u8 }";
        assert_eq!(lines(camel), ["{", "maxSpeed:u8", "It:u8"]);
        let split =
            "#[serde(rename_all(serialize = \"SCREAMING-KEBAB-CASE\"))] struct A { max_speed: u8 }";
        assert_eq!(lines(split), ["{", "MAX-SPEED:u8"]);
        let variants = "#[serde(rename_all = \"snake_case\", rename_all_fields = \"PascalCase\")]
            enum A { VeryFar { so_far: u8 }, #[serde(rename_all = \"UPPERCASE\")] Near { by_it: u8 } }";
        assert_eq!(lines(variants), ["|very_far", "{", "SoFar:u8", "|near", "{", "BY_IT:u8"]);
        let skipped = "struct A(#[serde(skip)] u8, u16, #[serde(with = \"hex\")] u32);";
        assert_eq!(lines(skipped), ["(", "0:u16", "1:_"]);
        assert_eq!(lines("#[serde(transparent)] struct A { x: u8 }"), ["(", "0:u8"]);
        let variant = "enum A { #[serde(skip)] X, #[serde(with = \"hex\")] Y(u8, u8) }";
        assert_eq!(lines(variant), ["|Y", "(", "0:_"]);
    }

    #[test]
    fn a_type_that_serde_saves_in_another_form_is_opaque() {
        for text in [
            "struct A { #[serde(flatten)] x: u8 }",
            "#[serde(untagged)] enum A { X(u8) }",
            "#[serde(tag = \"type\")] enum A { X }",
            "#[serde(from = \"B\", into = \"B\")] struct A(u8);",
            "enum A { X, #[serde(untagged)] Y(u8) }",
            "enum A {}",
        ] {
            assert_eq!(lines(text), ["?"], "{text}");
        }
    }

    #[test]
    fn attributes_of_serde_do_not_count_where_nothing_is_saved() {
        let input = parsed("struct A { #[serde(rename = \"y\")] x: u8, #[serde(skip)] z: u8 }");
        assert_eq!(described(&input, &[], false), "{\nx:u8\nz:u8");
    }
}
