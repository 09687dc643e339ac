//! Attributes of serde, as far as they change the form in which a type is saved.

use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::{Attribute, Expr, ExprLit, Lit, Meta, Token};

/// The words that `#[serde(..)]` has on a type, a variant or a field.
#[derive(Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a word of serde")]
pub struct SerdeWords {
    /// The name under which it is saved.
    pub rename: Option<String>,
    /// The case of the names of fields, or of variants.
    pub rename_all: Option<String>,
    /// The case of the names of fields in all variants.
    pub rename_all_fields: Option<String>,
    /// `true` if it is not saved.
    pub is_skipped: bool,
    /// `true` if it is saved like its only field.
    pub is_transparent: bool,
    /// `true` if functions of its own save it.
    pub is_converted: bool,
    /// `true` if the saved form is not made of the fields one by one.
    pub is_opaque: bool,
}

impl SerdeWords {
    /// Reads the attributes. Words that serde refuses are left to its message.
    pub fn of(attributes: &[Attribute]) -> Self {
        let mut words = Self::default();
        let list = Punctuated::<Meta, Token![,]>::parse_terminated;
        for attribute in attributes.iter().filter(|it| it.path().is_ident("serde")) {
            let Meta::List(all) = &attribute.meta else { continue };
            for meta in list.parse2(all.tokens.clone()).into_iter().flatten() {
                words.read(&meta);
            }
        }
        words
    }

    fn read(&mut self, meta: &Meta) {
        let Some(word) = meta.path().get_ident() else { return };
        match word.to_string().as_str() {
            "rename" => self.rename = text(meta),
            "rename_all" => self.rename_all = text(meta),
            "rename_all_fields" => self.rename_all_fields = text(meta),
            "skip" | "skip_serializing" => self.is_skipped = true,
            "transparent" => self.is_transparent = true,
            "with" | "serialize_with" | "deserialize_with" => self.is_converted = true,
            "flatten" | "untagged" | "tag" | "from" | "try_from" | "into" | "remote" => {
                self.is_opaque = true;
            }
            _ => {}
        }
    }
}

/// Returns the text of `word = "text"`, or of `word(serialize = "text")`.
fn text(meta: &Meta) -> Option<String> {
    match meta {
        Meta::NameValue(pair) => match &pair.value {
            Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(text.value()),
            _ => None,
        },
        Meta::List(list) => {
            let all = Punctuated::<Meta, Token![,]>::parse_terminated.parse2(list.tokens.clone());
            all.ok()?.iter().find(|it| it.path().is_ident("serialize")).and_then(text)
        }
        Meta::Path(_) => None,
    }
}

/// Returns the name of a field in this case of serde, such as `camelCase`.
pub fn field_in_case(name: String, case: Option<&str>) -> String {
    let capitals = |name: &str| name.split('_').map(capital).collect::<String>();
    match case {
        Some("UPPERCASE" | "SCREAMING_SNAKE_CASE") => name.to_ascii_uppercase(),
        Some("PascalCase") => capitals(&name),
        Some("camelCase") => uncapital(&capitals(&name)),
        Some("kebab-case") => name.replace('_', "-"),
        Some("SCREAMING-KEBAB-CASE") => name.to_ascii_uppercase().replace('_', "-"),
        _ => name,
    }
}

/// Returns the name of a variant in this case of serde.
pub fn variant_in_case(name: String, case: Option<&str>) -> String {
    match case {
        None | Some("PascalCase") => name,
        Some("lowercase") => name.to_ascii_lowercase(),
        Some("UPPERCASE") => name.to_ascii_uppercase(),
        Some("camelCase") => uncapital(&name),
        case => {
            let mut words = String::new();
            for (at, letter) in name.char_indices() {
                if at > 0 && letter.is_uppercase() {
                    words.push('_');
                }
                words.push(letter.to_ascii_lowercase());
            }
            field_in_case(words, case)
        }
    }
}

fn capital(word: &str) -> String {
    word.get(..1).map_or_else(String::new, |first| first.to_ascii_uppercase() + &word[1..])
}

fn uncapital(word: &str) -> String {
    word.get(..1).map_or_else(String::new, |first| first.to_ascii_lowercase() + &word[1..])
}
