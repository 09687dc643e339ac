//! Queries and sets of views have one lifetime, the world's borrow, and their fields borrow for
//! nothing else.

use crate::errors::Errors;
use crate::field_type::{Leaf, leaves};
use crate::item::{is_generic, make_static, plain_name};
use crate::spell::spell;
use quote::ToTokens;
use syn::{
    Data, DeriveInput, Field, GenericArgument, GenericParam, Lifetime, PathArguments, Type,
    TypePath,
};

/// The words of messages for the struct.
pub struct Words {
    noun: &'static str,
    one: &'static str,
    whose: &'static str,
}

pub const OF_QUERY: Words = Words { noun: "query", one: "a query", whose: "the query's" };
pub const OF_VIEWS: Words = Words { noun: "views", one: "a set of views", whose: "the views'" };

pub fn check<'a>(
    input: &'a DeriveInput,
    fields: impl IntoIterator<Item = (String, &'a Field)>,
    words: &'static Words,
    errors: &mut Errors,
) {
    let borrower = Borrower::of(input, words);
    borrower.check_parameters(errors);
    for (name, field) in fields {
        borrower.check_field(&name, &field.ty, errors);
    }
}

struct Borrower<'a> {
    words: &'static Words,
    name: String,
    input: &'a DeriveInput,
    /// The declared lifetimes; more than one are an error.
    lifetimes: Vec<&'a Lifetime>,
}

impl<'a> Borrower<'a> {
    fn of(input: &'a DeriveInput, words: &'static Words) -> Self {
        let lifetimes = input.generics.lifetimes().map(|param| &param.lifetime).collect();
        Self { words, name: plain_name(&input.ident), input, lifetimes }
    }

    fn check_parameters(&self, errors: &mut Errors) {
        let [own, more @ ..] = &self.lifetimes[..] else {
            return;
        };
        if more.is_empty() {
            return self.check_bounds(errors);
        }
        let Words { noun, one, .. } = self.words;
        for second in more {
            let message = format!(
                "{noun} `{}`: {one} has one lifetime; remove `{second}` and use `{own}` throughout",
                self.name
            );
            errors.at(second, message);
        }
    }

    /// The struct is named with `'static` and with the world's borrow: both must do.
    fn check_bounds(&self, errors: &mut Errors) {
        for param in &self.input.generics.params {
            match param {
                GenericParam::Lifetime(param) if !param.bounds.is_empty() => {
                    self.refuse_bound(&param.bounds, errors);
                }
                GenericParam::Type(param) => {
                    param.bounds.iter().for_each(|bound| self.check_bound(bound, errors));
                }
                GenericParam::Lifetime(_) | GenericParam::Const(_) => {}
            }
        }
        for predicate in self.input.generics.where_clause.iter().flat_map(|it| &it.predicates) {
            self.check_bound(predicate, errors);
        }
    }

    fn check_bound(&self, bound: &impl ToTokens, errors: &mut Errors) {
        let as_static = make_static(bound.to_token_stream(), &self.lifetimes);
        if spell(bound) != spell(&as_static) {
            self.refuse_bound(bound, errors);
        }
    }

    fn refuse_bound(&self, bound: &impl ToTokens, errors: &mut Errors) {
        let Words { noun, whose, .. } = self.words;
        let message = format!(
            "{noun} `{}`: a bound cannot name {whose} lifetime; remove it, type parameters are \
             `'static` already",
            self.name,
        );
        errors.at(bound, message);
    }

    fn check_field(&self, field: &str, ty: &Type, errors: &mut Errors) {
        for leaf in leaves(ty) {
            match leaf {
                Leaf::Borrow(reference) => {
                    let advise = |own: &str| {
                        let mut with_own = reference.clone();
                        with_own.lifetime = Some(Lifetime::new(own, reference.and_token.span));
                        spell(&with_own)
                    };
                    match &reference.lifetime {
                        Some(lifetime) => self.check_lifetime(field, lifetime, advise, errors),
                        None => self.refuse_elided(field, reference, advise, errors),
                    }
                }
                Leaf::Path(path) => {
                    for lifetime in lifetime_arguments(path) {
                        let advise = |own: &str| spell(path).replace(&lifetime.to_string(), own);
                        self.check_lifetime(field, lifetime, advise, errors);
                    }
                }
                Leaf::Has(_) => {}
            }
        }
    }

    fn check_lifetime(
        &self,
        field: &str,
        lifetime: &Lifetime,
        advise: impl FnOnce(&str) -> String,
        errors: &mut Errors,
    ) {
        match self.lifetimes.first() {
            _ if self.lifetimes.contains(&lifetime) => {}
            Some(own) if lifetime.ident != "_" => {
                let Words { noun, whose, .. } = self.words;
                let message = format!(
                    "{noun} `{}`: field `{field}` borrows for `{lifetime}`; use {whose} own \
                     lifetime `{own}`",
                    self.name,
                );
                errors.at(lifetime, message);
            }
            _ => self.refuse_elided(field, lifetime, advise, errors),
        }
    }

    /// `advise` spells the type with a lifetime.
    fn refuse_elided(
        &self,
        field: &str,
        at: &impl ToTokens,
        advise: impl FnOnce(&str) -> String,
        errors: &mut Errors,
    ) {
        let (noun, name) = (self.words.noun, &self.name);
        let wanted = if let Some(own) = self.lifetimes.first() {
            format!("`{}`", advise(&own.to_string()))
        } else {
            let more = if is_generic(self.input) { ", .." } else { "" };
            let keyword = if matches!(self.input.data, Data::Enum(_)) { "enum" } else { "struct" };
            format!("`{}` and `{keyword} {name}<'w{more}>`", advise("'w"))
        };
        let message = format!("{noun} `{name}`: field `{field}` needs a lifetime; write {wanted}");
        errors.at(at, message);
    }
}

/// The `'a` of `path::Name<'a, T>`.
fn lifetime_arguments(ty: &TypePath) -> impl Iterator<Item = &Lifetime> {
    let arguments = match ty.path.segments.last().map(|last| &last.arguments) {
        Some(PathArguments::AngleBracketed(arguments)) => Some(&arguments.args),
        _ => None,
    };
    arguments.into_iter().flatten().filter_map(|argument| match argument {
        GenericArgument::Lifetime(lifetime) => Some(lifetime),
        _ => None,
    })
}
