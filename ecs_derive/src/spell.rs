//! Types as text: to compare them, and to name them in messages.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::ToTokens;

/// `tokens` as one would write them. Token for token equal types are spelled the same, however
/// they are spaced and through whichever `macro_rules` they came.
pub fn spell(tokens: &impl ToTokens) -> String {
    let mut text = String::new();
    write(&mut text, tokens.to_token_stream());
    text
}

fn write(text: &mut String, tokens: TokenStream) {
    for token in tokens {
        match token {
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::Brace => ("{", "}"),
                    Delimiter::None => ("", ""),
                };
                if text.ends_with("mut") {
                    text.push(' ');
                }
                text.push_str(open);
                write(text, group.stream());
                text.push_str(close);
            }
            TokenTree::Punct(punct) => match punct.as_char() {
                spaced @ ('=' | '+') => text.extend([' ', spaced, ' ']),
                followed @ (',' | ';') => text.extend([followed, ' ']),
                tight => text.push(tight),
            },
            word @ (TokenTree::Ident(_) | TokenTree::Literal(_)) => {
                if text.ends_with(is_word) {
                    text.push(' ');
                }
                text.push_str(&word.to_string());
            }
        }
    }
}

fn is_word(last: char) -> bool {
    last.is_alphanumeric() || last == '_'
}

#[cfg(test)]
mod tests {
    use super::spell;
    use syn::{Type, parse_str};

    #[test]
    fn spaces_do_not_count() {
        for (one, other) in [
            ("game :: Position", "game::Position"),
            ("Grid < u8 , 4 >", "Grid<u8, 4>"),
            ("& 'static  mut  [ u8 ; 4 ]", "&'static mut [u8; 4]"),
            ("Box<dyn Fn(u8)+Send>", "Box<dyn Fn(u8) + Send>"),
        ] {
            assert_eq!(spell(&parse_str::<Type>(one).unwrap()), other);
        }
    }
}
