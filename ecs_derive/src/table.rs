//! Reads an attribute by the table of its keys, and words its mistakes.

use crate::errors::Errors;
use crate::spell::spell;
use proc_macro2::{Span, TokenTree};
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::{Attribute, Data, DeriveInput, Ident, Meta, Token};

/// An attribute that fills an `A`.
pub struct Table<A: 'static> {
    pub attribute: &'static str,
    pub keys: &'static [Key<A>],
    /// Keys of another table of the same attribute, which stands on fields.
    pub on_fields: &'static [&'static str],
}

/// A key of an attribute. Messages are made from its value's description and its usage.
pub struct Key<A> {
    pub name: &'static str,
    pub takes: &'static str,
    pub usage: &'static str,
    /// Reads the text behind the key. Only the place of an error is used.
    pub read: fn(&mut A, ParseStream) -> syn::Result<()>,
}

impl<A: Default> Table<A> {
    /// Reads all attributes of this name on a type; a key is given once among them.
    pub fn read(&self, input: &DeriveInput, errors: &mut Errors) -> A {
        let read = self.read_all(&input.attrs, errors);
        self.refuse_inside(&input.data, errors);
        read
    }

    /// Reads the attributes among these that have this name.
    pub fn read_all(&self, attributes: &[Attribute], errors: &mut Errors) -> A {
        let mut read = A::default();
        let mut seen = Vec::new();
        for attribute in self.of(attributes) {
            match &attribute.meta {
                Meta::List(list) if !list.tokens.is_empty() => {
                    let parsed = list.parse_args_with(|input: ParseStream| {
                        self.read_keys(&mut read, &mut seen, input, errors)
                    });
                    parsed.unwrap_or_else(|error| errors.push(error));
                }
                meta => errors.at(
                    meta,
                    format!("`#[{}(..)]` needs a key; {}", self.attribute, self.known_keys()),
                ),
            }
        }
        read
    }

    fn of<'a>(&self, attributes: &'a [Attribute]) -> impl Iterator<Item = &'a Attribute> {
        attributes.iter().filter(|attribute| attribute.path().is_ident(self.attribute))
    }

    /// Reads `key value, key value`. A wrong key is reported, and the next one read.
    fn read_keys(
        &self,
        read: &mut A,
        seen: &mut Vec<&'static str>,
        input: ParseStream,
        errors: &mut Errors,
    ) -> syn::Result<()> {
        while !input.is_empty() {
            if let Err(error) = self.read_key(read, seen, input) {
                errors.push(error);
                while !is_end(input) {
                    input.parse::<TokenTree>()?;
                }
            }
            input.parse::<Option<Token![,]>>()?;
        }
        Ok(())
    }

    fn read_key(
        &self,
        read: &mut A,
        seen: &mut Vec<&'static str>,
        input: ParseStream,
    ) -> syn::Result<()> {
        let name = input.call(Ident::parse_any).map_err(|error| {
            syn::Error::new(error.span(), format!("expected a key; {}", self.known_keys()))
        })?;
        let Some(key) = self.keys.iter().find(|key| name == key.name) else {
            let message = format!(
                "unknown key `{name}` in `#[{}(..)]`; {}",
                self.attribute,
                self.known_keys()
            );
            return Err(syn::Error::new(name.span(), message));
        };
        if seen.contains(&key.name) {
            let message =
                format!("duplicate key `{name}` in `#[{}(..)]`; give it once", self.attribute);
            return Err(syn::Error::new(name.span(), message));
        }
        seen.push(key.name);
        let misused = |at: Span| {
            let Key { name, takes, usage, .. } = key;
            let message = format!("`{name}` takes {takes}, as in `#[{}({usage})]`", self.attribute);
            syn::Error::new(at, message)
        };
        if is_end(input) && key.usage != key.name {
            return Err(misused(name.span()));
        }
        (key.read)(read, input).map_err(|error| misused(error.span()))?;
        if is_end(input) { Ok(()) } else { Err(misused(input.span())) }
    }

    fn known_keys(&self) -> String {
        let keys: Vec<_> = self.keys.iter().map(|key| format!("`{}`", key.usage)).collect();
        format!("known keys: {}", keys.join(", "))
    }

    /// Returns `true` if the attribute begins with a key of the other table.
    pub fn is_on_fields(&self, attribute: &Attribute) -> bool {
        let Meta::List(list) = &attribute.meta else { return false };
        let first = list.tokens.clone().into_iter().next();
        matches!(first, Some(TokenTree::Ident(key)) if self.on_fields.iter().any(|it| key == it))
    }

    /// `rustc` lets the attribute stand anywhere in the item. It says something on top only.
    fn refuse_inside(&self, data: &Data, errors: &mut Errors) {
        let refuse = |attributes: &[Attribute], place: &str, errors: &mut Errors| {
            for attribute in self.of(attributes).filter(|it| !self.is_on_fields(it)) {
                let message = format!("`{}` belongs on the type, not on {place}", spell(attribute));
                errors.at(attribute, message);
            }
        };
        let fields = match data {
            Data::Struct(data) => data.fields.iter().collect(),
            Data::Union(data) => data.fields.named.iter().collect(),
            Data::Enum(data) => {
                for variant in &data.variants {
                    refuse(&variant.attrs, "a variant", errors);
                }
                data.variants.iter().flat_map(|variant| &variant.fields).collect::<Vec<_>>()
            }
        };
        for field in fields {
            refuse(&field.attrs, "a field", errors);
        }
    }
}

/// Returns `true` if the key has nothing more.
pub fn is_end(input: ParseStream) -> bool {
    input.is_empty() || input.peek(Token![,])
}
