//! Names that users choose. Derives treat all of them alike, and emit them only where no other name can be meant.

use super::golden::{inputs, source_of};
use super::named;
use crate::derive;
use proc_macro2::{Group, Ident, Literal, Span, TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::{BTreeMap, BTreeSet};
use syn::visit::{self, Visit};
use syn::{Data, DeriveInput, Fields, PatIdent, Path};

/// The keywords that may be names behind `r#`.
const KEYWORDS: &str = "as async await break const continue dyn else enum extern false fn for gen if impl in let loop \
    match mod move mut pub ref return static struct trait true type unsafe use where while abstract become box do final \
    macro override priv try typeof unsized virtual yield";

/// Names that have a meaning in every program.
const EVERYDAY: &str = "Box Clone Copy Debug Default Drop Entity Err Error Fn From Iterator None Ok Option PhantomData \
    Query Ref Result Self_ Send Some String Sync T Vec View World a b bool char core drop ecs entity f32 i32 main self_ \
    std str u8 value world";

/// The parsed item of an input, and the name of its derive.
fn parsed(name: &str) -> (DeriveInput, String) {
    let mut input: DeriveInput = syn::parse_str(&source_of(name)).unwrap();
    let attribute = input.attrs.remove(0);
    (input, attribute.parse_args::<Ident>().unwrap().to_string())
}

fn expanded(input: &DeriveInput, derived: &str) -> TokenStream {
    derive(input.to_token_stream(), derived, named(derived))
}

/// The names of the fields and of the variants.
fn members(input: &DeriveInput) -> (Vec<Ident>, Vec<Ident>) {
    let of = |fields: &Fields| fields.iter().filter_map(|it| it.ident.clone()).collect::<Vec<_>>();
    match &input.data {
        Data::Struct(data) => (of(&data.fields), Vec::new()),
        Data::Enum(data) => (
            data.variants.iter().flat_map(|it| of(&it.fields)).collect(),
            data.variants.iter().map(|it| it.ident.clone()).collect(),
        ),
        Data::Union(_) => Default::default(),
    }
}

/// The identifiers in tokens.
fn words(tokens: TokenStream, into: &mut BTreeSet<String>) {
    for token in tokens {
        match token {
            TokenTree::Ident(word) => drop(into.insert(word.to_string())),
            TokenTree::Group(group) => words(group.stream(), into),
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}

/// Replaces identifiers, and their texts in literals.
fn renamed(tokens: TokenStream, names: &BTreeMap<String, Ident>) -> TokenStream {
    let rename = |token| match token {
        TokenTree::Ident(word) => names.get(&word.to_string()).cloned().unwrap_or(word).into(),
        TokenTree::Group(group) => {
            Group::new(group.delimiter(), renamed(group.stream(), names)).into()
        }
        TokenTree::Literal(literal) => {
            let text = names.iter().fold(literal.to_string(), |text, (old, new)| {
                text.replace(old, new.to_string().trim_start_matches("r#"))
            });
            text.parse::<Literal>().unwrap().into()
        }
        TokenTree::Punct(_) => token,
    };
    tokens.into_iter().map(rename).collect()
}

/// The expansion for a name is the one for any other name, with this name in its place.
#[test]
fn derives_expand_all_names_alike() {
    let raw = KEYWORDS.split_whitespace().map(|word| Ident::new_raw(word, Span::call_site()));
    let plain = EVERYDAY.split_whitespace().map(str::to_owned);
    let mut emitted = BTreeSet::new();
    for name in inputs().filter(|name| !name.starts_with("schedule")) {
        let (input, derived) = parsed(name);
        words(expanded(&input, &derived), &mut emitted);
    }
    emitted.extend(plain);
    let is_name = |word: &String| syn::parse_str::<Ident>(word).is_ok() && !word.starts_with("r#");
    let emitted = emitted.into_iter().filter(is_name);
    let all: Vec<Ident> =
        emitted.map(|word| Ident::new(&word, Span::call_site())).chain(raw).collect();
    assert!(all.len() > 300, "{} names", all.len());
    for name in [
        "bundle",
        "component_copied",
        "component_relation",
        "map_entities",
        "query",
        "query_enum",
        "views",
    ] {
        let (input, derived) = parsed(name);
        let (fields, variants) = members(&input);
        let own: Vec<Ident> = fields.into_iter().chain(variants).collect();
        let neutral =
            |at| Ident::new(&format!("neutral{}", char::from(b'a' + at)), Span::call_site());
        let to_neutral =
            own.iter().zip(0..).map(|(old, at)| (old.to_string(), neutral(at))).collect();
        let input = renamed(input.to_token_stream(), &to_neutral);
        let expansion = expanded(&syn::parse2(input.clone()).unwrap(), &derived);
        for names in all.chunks(own.len()) {
            let names =
                names.iter().zip(0..).map(|(new, at)| (neutral(at).to_string(), new.clone()));
            let names = names.collect();
            let input = syn::parse2(renamed(input.clone(), &names)).unwrap();
            let wanted = renamed(expansion.clone(), &names).to_string();
            assert_eq!(expanded(&input, &derived).to_string(), wanted, "{name}: {names:?}");
        }
    }
}

/// The paths and bindings of an expansion.
#[derive(Default)]
struct Uses {
    bindings: Vec<Ident>,
    /// The first segments of paths that are looked up in the user's scope.
    looked_up: Vec<Ident>,
}

impl<'ast> Visit<'ast> for Uses {
    fn visit_pat_ident(&mut self, pattern: &'ast PatIdent) {
        self.bindings.push(pattern.ident.clone());
        visit::visit_pat_ident(self, pattern);
    }

    fn visit_path(&mut self, path: &'ast Path) {
        if path.leading_colon.is_none() {
            self.looked_up.push(path.segments[0].ident.clone());
        }
        visit::visit_path(self, path);
    }

    // Attributes are looked up among macros: `ui_tests` has macros of their names.
    fn visit_attribute(&mut self, _: &'ast syn::Attribute) {}
}

fn uses(tokens: TokenStream) -> Uses {
    let mut uses = Uses::default();
    uses.visit_file(&syn::parse2(tokens).unwrap());
    uses
}

/// A field is named behind a dot or before a colon, a variant behind its type. So no binding, constant or type of this
/// name can be meant. A column is a type as well: `ui_tests` compiles columns of many names.
#[test]
fn fields_and_variants_are_named_as_members_only() {
    let mut tried = 0;
    for name in inputs().filter(|it| !it.starts_with("schedule") && !it.contains("columns")) {
        let (input, derived) = parsed(name);
        let (fields, variants) = members(&input);
        let to_member = |(at, old): (usize, &Ident)| {
            (old.to_string(), Ident::new(&format!("member{at}"), Span::call_site()))
        };
        let names = fields.iter().chain(&variants).enumerate().map(to_member).collect();
        let input = renamed(input.to_token_stream(), &names);
        let uses = uses(expanded(&syn::parse2(input).unwrap(), &derived));
        let is_member = |name: &&Ident| name.to_string().starts_with("member");
        tried += names.len();
        let wrong: Vec<_> = uses.bindings.iter().chain(&uses.looked_up).filter(is_member).collect();
        assert!(wrong.is_empty(), "`{name}`: {wrong:?} are not members");
    }
    assert!(tried > 60, "{tried} members");
}

/// A name is one of the input, begins with two underscores, or is emitted for users.
#[test]
fn paths_of_expansions_are_absolute() {
    let mut absolute = 0;
    for name in inputs().filter(|name| !name.starts_with("schedule")) {
        let (input, derived) = parsed(name);
        let mut known: BTreeSet<String> =
            ["Self", "self", "super"].into_iter().map(str::to_owned).collect();
        words(input.to_token_stream(), &mut known);
        let own = input.ident.to_string();
        let expansion = expanded(&input, &derived);
        absolute += expansion.to_string().matches(":: core ::").count();
        let is_foreign = |word: &&Ident| {
            let word = word.to_string();
            let is_emitted = word.starts_with(&own) || word == own.to_lowercase();
            !known.contains(&word) && !word.starts_with("__") && !is_emitted
        };
        let uses = uses(expansion);
        let foreign: Vec<_> = uses.looked_up.iter().filter(is_foreign).collect();
        assert!(foreign.is_empty(), "`{name}` looks up {foreign:?} where the user is");
    }
    assert!(absolute > 300, "{absolute} paths");
}
