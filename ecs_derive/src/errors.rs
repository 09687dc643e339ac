//! Mistakes, collected so that one run of the compiler shows all of them.

use proc_macro2::TokenStream;
use quote::ToTokens;
use std::fmt::Display;

/// The mistakes found so far. Messages are lower case, have no full stop and say how to mend the
/// mistake.
#[derive(Default)]
pub struct Errors(Option<syn::Error>);

impl Errors {
    /// Adds a mistake in `tokens`.
    pub fn at(&mut self, tokens: &impl ToTokens, message: impl Display) {
        self.push(syn::Error::new_spanned(tokens, message));
    }

    pub fn push(&mut self, error: syn::Error) {
        match &mut self.0 {
            Some(errors) => errors.combine(error),
            None => self.0 = Some(error),
        }
    }

    pub fn append(&mut self, other: Self) {
        if let Some(errors) = other.0 {
            self.push(errors);
        }
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// One `compile_error!` a mistake.
    pub fn into_compile_errors(self) -> TokenStream {
        self.0.map(syn::Error::into_compile_error).unwrap_or_default()
    }

    #[cfg(test)]
    pub fn into_vec(self) -> Vec<syn::Error> {
        self.0.into_iter().flatten().collect()
    }
}
