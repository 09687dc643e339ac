//! The parts of an item that its impls are made of.

use crate::errors::Errors;
use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use std::collections::BTreeMap;
use std::fmt::Display;
use std::sync::{Mutex, PoisonError};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{DeriveInput, Field, Fields, GenericParam, Generics, Lifetime, Member};

/// An item with its lifetimes, if it has any, set to `'static`.
pub struct Static {
    /// `<T: Clone, const N: usize>`
    pub params: TokenStream,
    /// `Name<'static, T, N>`
    pub ty: TokenStream,
    /// The predicates of the item's own where clause.
    pub bounds: Vec<TokenStream>,
}

impl Static {
    pub fn of(input: &DeriveInput) -> Self {
        let lifetimes: Vec<_> = input.generics.lifetimes().map(|param| &param.lifetime).collect();
        let mut generics = input.generics.clone();
        generics.params = generics
            .params
            .into_iter()
            .filter(|param| !matches!(param, GenericParam::Lifetime(_)))
            .collect();
        let (params, ..) = generics.split_for_impl();
        Self {
            params: make_static(params.to_token_stream(), &lifetimes),
            ty: type_with_lifetime(input, &Lifetime::new("'static", Span::call_site())),
            bounds: own_bounds(&input.generics)
                .into_iter()
                .map(|bound| make_static(bound, &lifetimes))
                .collect(),
        }
    }
}

/// Impls where the names that they need meet no others.
pub fn in_const(impls: &TokenStream) -> TokenStream {
    quote!(const _: () = { #impls };)
}

/// Returns the impl that makes a type known in queries or in bundles, as `place` says.
pub fn known(
    place: &str,
    params: &impl ToTokens,
    ty: &TokenStream,
    bounds: &impl ToTokens,
    private: &TokenStream,
) -> TokenStream {
    let place = Ident::new(place, Span::call_site());
    listed(params, ty, &quote!(#private::#place), bounds, private)
}

/// Returns the impl that makes a type known everywhere. `params` has no lifetimes.
pub fn known_everywhere(
    params: &TokenStream,
    ty: &TokenStream,
    bounds: &impl ToTokens,
    private: &TokenStream,
) -> TokenStream {
    let more = params.clone().into_iter().skip(1); // after the `<`
    let params = if params.is_empty() { quote!(<__Place>) } else { quote!(<__Place, #(#more)*) };
    listed(&params, ty, &quote!(__Place), bounds, private)
}

fn listed(
    params: &impl ToTokens,
    ty: &TokenStream,
    place: &TokenStream,
    bounds: &impl ToTokens,
    private: &TokenStream,
) -> TokenStream {
    quote! {
        impl #params #private::Lists<#ty, #place> for #private::Registry #bounds {
            type This = #ty;
        }
    }
}

/// The constant `__ID` of a type that has one: a hash of where it is declared.
pub fn id(input: &DeriveInput, private: &TokenStream) -> TokenStream {
    let name = plain_name(&input.ident);
    let namesake = Some(namesakes(&name)).filter(|&count| count > 0);
    let namesake = namesake.map(|count| quote!(.namesake(#count)));
    let inexact = is_generic(input).then(|| quote!(.inexact()));
    quote! {
        const __ID: #private::ComponentId = #private::ComponentId::of(
            ::core::option_env!("CARGO_PKG_NAME"),
            ::core::option_env!("CARGO_PKG_VERSION"),
            ::core::module_path!(),
            #name,
            ::core::line!(),
            ::core::column!(),
        ).in_binary(::core::option_env!("CARGO_BIN_NAME"))#namesake #inexact;
    }
}

/// Returns the number of earlier types of this crate that have this name and an id.
///
/// In the bodies of functions or constants that one macro writes, several types may have one name and one place, and
/// nothing else distinguishes them in a constant.
fn namesakes(name: &str) -> u32 {
    static COUNTS: Mutex<BTreeMap<String, u32>> = Mutex::new(BTreeMap::new());
    if !proc_macro::is_available() {
        return 0; // in a test
    }
    let mut counts = COUNTS.lock().unwrap_or_else(PoisonError::into_inner);
    let next = counts.entry(name.to_owned()).or_default();
    *next += 1;
    *next - 1
}

/// Puts the name of a type in the place of `Self`, for places where that is another type. In the length of an array, which is
/// an expression, arguments follow `::`.
pub fn replace_self(tokens: TokenStream, input: &DeriveInput) -> TokenStream {
    let (name, (_, arguments, _)) = (&input.ident, input.generics.split_for_impl());
    let arguments = arguments.as_turbofish();
    replace_self_by(tokens, &quote!(#name #arguments))
}

fn replace_self_by(tokens: TokenStream, ty: &TokenStream) -> TokenStream {
    let replace = |token| match token {
        TokenTree::Ident(name) if name == "Self" => ty.clone(),
        TokenTree::Group(group) => {
            let mut replaced = Group::new(group.delimiter(), replace_self_by(group.stream(), ty));
            replaced.set_span(group.span());
            TokenTree::from(replaced).into()
        }
        other => other.into(),
    };
    tokens.into_iter().flat_map(replace).collect()
}

/// `Name<'lifetime, T, N>`
pub fn type_with_lifetime(input: &DeriveInput, lifetime: &Lifetime) -> TokenStream {
    let name = &input.ident;
    let arguments = type_arguments(input, lifetime);
    quote!(#name #arguments)
}

/// `<'w, T>`, with this lifetime; nothing where the item has no parameters.
pub fn type_arguments(input: &DeriveInput, lifetime: &Lifetime) -> TokenStream {
    let arguments = input.generics.params.iter().map(|param| match param {
        GenericParam::Lifetime(_) => lifetime.to_token_stream(),
        GenericParam::Type(param) => param.ident.to_token_stream(),
        GenericParam::Const(param) => param.ident.to_token_stream(),
    });
    if input.generics.params.is_empty() { quote!() } else { quote!(<#(#arguments),*>) }
}

/// Puts `'static` in the place of each of these lifetimes.
pub fn make_static(tokens: TokenStream, lifetimes: &[&Lifetime]) -> TokenStream {
    let mut after_apostrophe = false;
    let replace = |token| {
        let is_lifetime = after_apostrophe;
        after_apostrophe = matches!(&token, TokenTree::Punct(punct) if punct.as_char() == '\'');
        match token {
            TokenTree::Ident(name)
                if is_lifetime && lifetimes.iter().any(|it| it.ident == name) =>
            {
                Ident::new("static", name.span()).into()
            }
            TokenTree::Group(group) => {
                let inside = make_static(group.stream(), lifetimes);
                let mut replaced = Group::new(group.delimiter(), inside);
                replaced.set_span(group.span());
                replaced.into()
            }
            other => other,
        }
    };
    tokens.into_iter().map(replace).collect()
}

/// Returns the expression with the span of `place`, which `rustc` underlines if it is invalid.
pub fn located_at(expression: TokenStream, place: &impl ToTokens) -> TokenStream {
    let (first, last) = ends(place);
    let mut tokens: Vec<_> = expression.into_iter().collect();
    for token in &mut tokens {
        token.set_span(token.span().located_at(first));
    }
    if let Some(token) = tokens.last_mut() {
        token.set_span(token.span().located_at(last));
    }
    tokens.into_iter().collect()
}

/// Returns the expression with the span of the item at `place`.
pub fn standing_at(expression: TokenStream, place: &impl ToTokens) -> TokenStream {
    let (first, last) = ends(place);
    let mut tokens: Vec<_> = expression.into_iter().collect();
    // Two, as `::` is.
    tokens.iter_mut().take(2).for_each(|token| token.set_span(first));
    if let Some(token) = tokens.last_mut() {
        token.set_span(last);
    }
    tokens.into_iter().collect()
}

/// `<ty as of>::name`, for `rustc` to underline `place` if the type is not `of` that kind.
pub fn projection(
    ty: &TokenStream,
    of: &TokenStream,
    name: &str,
    place: &impl ToTokens,
) -> TokenStream {
    let (first, last) = ends(place);
    let open = quote_spanned!(Span::call_site().located_at(first)=> <);
    let name = Ident::new(name, Span::call_site().located_at(last));
    let close = quote_spanned!(Span::call_site().located_at(last)=> >::#name);
    quote!(#open #ty as #of #close)
}

/// Returns the spans of the first and the last token, between which `rustc` underlines.
fn ends(tokens: &impl ToTokens) -> (Span, Span) {
    let mut spans = tokens.to_token_stream().into_iter().map(|token| token.span());
    let first = spans.next().unwrap_or_else(Span::call_site);
    (first, spans.last().unwrap_or(first))
}

/// The predicates of the item's where clause.
pub fn own_bounds(generics: &Generics) -> Vec<TokenStream> {
    let predicates = generics.where_clause.iter().flat_map(|clause| &clause.predicates);
    predicates.map(ToTokens::to_token_stream).collect()
}

/// `where` these, or nothing.
pub fn where_all<'a>(bounds: impl IntoIterator<Item = &'a TokenStream>) -> TokenStream {
    let mut bounds = bounds.into_iter().peekable();
    if bounds.peek().is_some() { quote!(where #(#bounds),*) } else { TokenStream::new() }
}

/// Returns `true` if the item has type or const parameters.
pub fn is_generic(input: &DeriveInput) -> bool {
    input.generics.params.iter().any(|param| !matches!(param, GenericParam::Lifetime(_)))
}

/// The name as the user says it: `type`, not `r#type`.
pub fn plain_name(ident: &Ident) -> String {
    ident.unraw().to_string()
}

/// The field's name, or its number.
pub fn field_name(member: &Member) -> String {
    match member {
        Member::Named(ident) => plain_name(ident),
        Member::Unnamed(index) => index.index.to_string(),
    }
}

/// The fields with their names.
pub fn named(fields: &Fields) -> impl Iterator<Item = (String, &Field)> {
    fields.members().zip(fields).map(|(member, field)| (field_name(&member), field))
}

/// A local variable for each field, standing at the field's type: there `rustc` will point.
pub fn bindings(fields: &Fields) -> Vec<Ident> {
    let name = |(index, field): (usize, &Field)| {
        Ident::new(&format!("__{index}"), Span::mixed_site().located_at(field.ty.span()))
    };
    fields.iter().enumerate().map(name).collect()
}

/// Returns `true` if one of these words occurs.
pub fn mentions(tokens: TokenStream, words: &[&Ident]) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => words.contains(&&ident),
        TokenTree::Group(group) => mentions(group.stream(), words),
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}

/// Refuses the lifetime parameters of a type that owns its data.
pub fn refuse_lifetimes(input: &DeriveInput, noun: impl Display, errors: &mut Errors) {
    for param in input.generics.lifetimes() {
        let lifetime = &param.lifetime;
        let message = format!(
            "{noun} own their data: remove the lifetime `{lifetime}`, and store owned values or an \
             `Entity`"
        );
        errors.at(param, message);
    }
}

/// The longest tuple that the library implements traits for; longer lists nest.
const LONGEST_TUPLE: usize = 12;

/// `(A, B, ..)`; over [`LONGEST_TUPLE`] of them, a tuple of tuples.
pub fn tuple(parts: &[TokenStream]) -> TokenStream {
    if parts.len() <= LONGEST_TUPLE {
        return quote!((#(#parts,)*));
    }
    tuple(&parts.chunks(LONGEST_TUPLE).map(tuple).collect::<Vec<_>>())
}
