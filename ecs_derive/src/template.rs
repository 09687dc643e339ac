//! Tokens from templates, which are written as for the crate `quote`.
//!
//! The macro of that crate becomes a call for each token. To check and compile these calls took half of the time of
//! building the derives, and each user of the library builds them. Here a template is one text, read when a derive runs.

use proc_macro2::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};
use quote::ToTokens;
use std::iter::Peekable;
use std::str::Chars;

/// Returns the tokens of a template. `#name` stands for the tokens of a variable, and `#(..)*` or `#(..),*` repeats
/// tokens for each item of the lists or iterators that it names.
macro_rules! quote {
    ($($template:tt)*) => {{
        #[allow(unused_mut, reason = "a template may be without variables")]
        let mut template = $crate::template::Template::new(stringify!($($template)*));
        $crate::template::variables! { template $($template)* }
        template.fill()
    }};
}
pub(crate) use quote;

/// Adds the variables after each `#` to a template, in their order. Each token is looked at beside the one before it.
macro_rules! variables {
    ($to:ident $($all:tt)*) => { $crate::template::pairs! { $to (@ $($all)*) ($($all)* @) } };
}
pub(crate) use variables;

macro_rules! pairs {
    ($to:ident ($($before:tt)*) ($($now:tt)*)) => { $($crate::template::pair! { $to $before $now })* };
}
pub(crate) use pairs;

macro_rules! pair {
    ($to:ident $before:tt ($($inner:tt)*)) => { $crate::template::variables! { $to $($inner)* } };
    ($to:ident $before:tt [$($inner:tt)*]) => { $crate::template::variables! { $to $($inner)* } };
    ($to:ident $before:tt {$($inner:tt)*}) => { $crate::template::variables! { $to $($inner)* } };
    ($to:ident # $name:ident) => {
        #[allow(unused_imports, reason = "one of them has the methods")]
        use $crate::template::{Items as _, List as _, One as _};
        let kept = $name.keep();
        kept.add_to(&mut $to);
    };
    ($to:ident $before:tt $now:tt) => {};
}
pub(crate) use pair;

/// A variable of a template.
#[derive(Clone, Copy)]
pub enum Variable<'v> {
    One(&'v dyn ToTokens),
    Many(&'v dyn AnyList),
}

/// A variable with tokens.
pub trait One: ToTokens + Sized {
    fn keep(&self) -> &Self {
        self
    }
    fn add_to<'v>(&'v self, to: &mut Template<'v>) {
        to.add(Variable::One(self));
    }
}
impl<T: ToTokens> One for T {}

/// A list of variables with tokens.
pub trait List: AnyList + Sized {
    fn keep(&self) -> &Self {
        self
    }
    fn add_to<'v>(&'v self, to: &mut Template<'v>) {
        to.add(Variable::Many(self));
    }
}
impl<T: ToTokens> List for Vec<T> {}
impl<T: ToTokens> List for &[T] {}
impl<T: ToTokens, const N: usize> List for [T; N] {}

/// An iterator over variables with tokens. It is used up.
pub trait Items: Iterator<Item: ToTokens> + Sized {
    fn keep(self) -> Vec<TokenStream> {
        let mut all = Vec::new();
        for item in self {
            all.push(item.into_token_stream());
        }
        all
    }
}
impl<I: Iterator<Item: ToTokens>> Items for I {}

/// A list of any type.
pub trait AnyList {
    fn count(&self) -> usize;
    fn emit(&self, at: usize, tokens: &mut TokenStream);
}

macro_rules! lists {
    ($([$($params:tt)*] $list:ty;)*) => {$(
        impl<T: ToTokens, $($params)*> AnyList for $list {
            fn count(&self) -> usize {
                self.len()
            }
            fn emit(&self, at: usize, tokens: &mut TokenStream) {
                self[at].to_tokens(tokens);
            }
        }
    )*};
}
lists! {
    [] Vec<T>;
    [] &[T];
    [const N: usize] [T; N];
}

/// The most variables of a template.
const MOST: usize = 48;

/// A template, and its variables in the order of the text.
///
/// Nothing in it is dropped: otherwise, each call beside it would be compiled with code for a panic.
pub struct Template<'v> {
    text: &'static str,
    variables: [Variable<'v>; MOST],
    count: usize,
}

impl<'v> Template<'v> {
    pub fn new(text: &'static str) -> Self {
        Self { text, variables: [Variable::One(&""); MOST], count: 0 }
    }

    pub fn add(&mut self, variable: Variable<'v>) {
        self.variables[self.count] = variable;
        self.count += 1;
    }

    pub fn fill(&self) -> TokenStream {
        let mut tokens = TokenStream::new();
        let pieces = pieces(&mut self.text.chars().peekable(), &mut 0);
        self.emit(&pieces, None, &mut tokens);
        tokens
    }

    /// Adds the tokens of pieces; within a repetition, for the items at this place.
    fn emit(&self, pieces: &[Piece], at: Option<usize>, tokens: &mut TokenStream) {
        for piece in pieces {
            match piece {
                Piece::Token(token) => tokens.extend([token.clone()]),
                Piece::Variable(number) => match (self.variables[*number], at) {
                    (Variable::One(one), _) => one.to_tokens(tokens),
                    (Variable::Many(all), Some(at)) => all.emit(at, tokens),
                    (Variable::Many(_), None) => panic!("a list stands outside of `#(..)*`"),
                },
                Piece::Group(delimiter, inner) => {
                    let mut within = TokenStream::new();
                    self.emit(inner, at, &mut within);
                    tokens.extend([TokenTree::from(Group::new(*delimiter, within))]);
                }
                Piece::Repeated(inner, separator) => {
                    for at in 0..self.repeats(inner).unwrap_or_default() {
                        if let Some(separator) = separator.clone().filter(|_| at > 0) {
                            tokens.extend([TokenTree::from(separator)]);
                        }
                        self.emit(inner, Some(at), tokens);
                    }
                }
            }
        }
    }

    /// Returns the number of items of the shortest list.
    fn repeats(&self, pieces: &[Piece]) -> Option<usize> {
        let mut least = None;
        for piece in pieces {
            let count = match piece {
                Piece::Variable(number) => match self.variables[*number] {
                    Variable::Many(all) => Some(all.count()),
                    Variable::One(_) => None,
                },
                Piece::Group(_, inner) => self.repeats(inner),
                Piece::Token(_) | Piece::Repeated(..) => None,
            };
            least = match (least, count) {
                (Some(least), Some(count)) => Some(usize::min(least, count)),
                (least, count) => least.or(count),
            };
        }
        least
    }
}

/// A piece of a template.
enum Piece {
    Token(TokenTree),
    /// The variable with this number.
    Variable(usize),
    Group(Delimiter, Vec<Self>),
    Repeated(Vec<Self>, Option<Punct>),
}

type Text<'t> = Peekable<Chars<'t>>;

/// Reads the pieces of a text, to the end of a group. `variables` counts the variables before it.
fn pieces(text: &mut Text<'_>, variables: &mut usize) -> Vec<Piece> {
    let mut found = Vec::new();
    while let Some(next) = text.next() {
        let piece = match next {
            ')' | ']' | '}' => break,
            '(' => Piece::Group(Delimiter::Parenthesis, pieces(text, variables)),
            '[' => Piece::Group(Delimiter::Bracket, pieces(text, variables)),
            '{' => Piece::Group(Delimiter::Brace, pieces(text, variables)),
            '#' => after_pound(text, variables),
            '\'' => {
                // Templates have lifetimes, and no characters.
                found.push(Piece::Token(Punct::new('\'', Spacing::Joint).into()));
                continue;
            }
            '"' => Piece::Token(literal(&string(text))),
            '0'..='9' => Piece::Token(literal(&word(next, text))),
            '_' | 'a'..='z' | 'A'..='Z' => Piece::Token(named(&word(next, text), text)),
            _ if next.is_whitespace() => continue,
            _ => {
                operator(next, text, &mut found);
                continue;
            }
        };
        found.push(piece);
    }
    found
}

/// Reads a variable, a repetition, or the sign of an attribute.
fn after_pound(text: &mut Text<'_>, variables: &mut usize) -> Piece {
    skip_spaces(text);
    match text.peek().copied() {
        Some('(') => {
            text.next();
            let inner = pieces(text, variables);
            skip_spaces(text);
            let next = text.next().expect("`*` ends a repetition");
            if next == '*' {
                return Piece::Repeated(inner, None);
            }
            let separator = Punct::new(next, Spacing::Alone);
            skip_spaces(text);
            assert_eq!(text.next(), Some('*'), "a separator is one sign");
            Piece::Repeated(inner, Some(separator))
        }
        Some(first) if first == '_' || first.is_ascii_alphabetic() => {
            text.next();
            word(first, text);
            *variables += 1;
            Piece::Variable(*variables - 1)
        }
        _ => Piece::Token(Punct::new('#', Spacing::Alone).into()),
    }
}

fn skip_spaces(text: &mut Text<'_>) {
    while text.next_if(|it| it.is_whitespace()).is_some() {}
}

/// Reads the rest of a word or a number.
fn word(first: char, text: &mut Text<'_>) -> String {
    let mut word = String::from(first);
    while let Some(next) = text.next_if(|it| *it == '_' || it.is_ascii_alphanumeric()) {
        word.push(next);
    }
    word
}

/// Reads the rest of a string.
fn string(text: &mut Text<'_>) -> String {
    let mut string = String::from('"');
    while let Some(next) = text.next() {
        string.push(next);
        match next {
            '\\' => string.extend(text.next()),
            '"' => break,
            _ => {}
        }
    }
    string
}

/// Returns an identifier; or a raw string, if the word is the `r` before one.
fn named(word: &str, text: &mut Text<'_>) -> TokenTree {
    if word == "r" && text.next_if_eq(&'"').is_some() {
        let mut raw = String::from("r\"");
        for next in text.by_ref() {
            raw.push(next);
            if next == '"' {
                break;
            }
        }
        return literal(&raw);
    }
    Ident::new(word, Span::call_site()).into()
}

fn literal(text: &str) -> TokenTree {
    let mut literal: Literal = text.parse().expect("templates are Rust");
    literal.set_span(Span::call_site());
    literal.into()
}

/// The operators of several signs. Each begins with another one, or is of two signs.
const OPERATORS: [&str; 24] = [
    "::", "->", "=>", "..", "...", "..=", "<<", "<<=", ">>", ">>=", "&&", "||", "==", "!=", "<=",
    ">=", "+=", "-=", "*=", "/=", "%=", "^=", "&=", "|=",
];

/// Reads the rest of an operator. All its signs but the last one belong to the next.
fn operator(first: char, text: &mut Text<'_>, found: &mut Vec<Piece>) {
    let mut operator = String::from(first);
    let mut last = first;
    while let Some(next) = text.peek().copied() {
        operator.push(next);
        if !OPERATORS.contains(&&*operator) {
            break;
        }
        found.push(Piece::Token(Punct::new(last, Spacing::Joint).into()));
        text.next();
        last = next;
    }
    found.push(Piece::Token(Punct::new(last, Spacing::Alone).into()));
}

#[cfg(test)]
mod tests {
    use super::quote;
    use proc_macro2::{Ident, Span, TokenStream};

    /// Shows tokens with their spacing, without places in the source.
    fn bare(tokens: &TokenStream) -> String {
        let text = format!("{tokens:?}");
        let mut pieces = text.split(", span: ");
        let first = pieces.next().unwrap_or_default().to_owned();
        pieces.fold(first, |text, piece| text + piece.split_once(')').map_or(piece, |it| it.1))
    }

    /// Checks that this macro and the one of the crate `quote` return equal tokens, spacing included.
    macro_rules! check {
        ($($template:tt)*) => {
            let (ours, theirs): (TokenStream, TokenStream) = (quote!($($template)*), quote::quote!($($template)*));
            assert_eq!(bare(&ours), bare(&theirs));
        };
    }

    #[test]
    fn templates_are_filled_like_those_of_the_crate_quote() {
        let name = Ident::new("name", Span::call_site());
        let (none, some) = (None::<Ident>, Some(&name));
        let (text, number) = ("te\"xt", 3_usize);
        let list = [quote!(a::<u8>), quote!(&'static mut b)];
        check!();
        check!(#name);
        check!(#[inline(always)] pub fn #name<'a, T: ?Sized + 'a>(&'a self, _: #none) -> <<T as X>::Y as Z>::W { #some });
        check!(a <<= 1_u8 >> 2; b..=c; d => e; !f && g || h; &&i; *&j; x.0 .1; "str\\ing\"" 0x1f);
        check!(const #name: &'static str = #text; #number);
        check!((#(#list),*) [#(#name: #list;)*] { #(, #list)* });
        check!(if let ::core::option::Option::Some(__0) = #name {} else { loop {} });
        check!(
            #[doc = r" raw"]
            struct A;
        );
        let names = list.iter().map(ToString::to_string);
        let all = quote!(#(#names)+*);
        assert_eq!(all.to_string(), "\"a :: < u8 >\" + \"& 'static mut b\"");
    }
}
