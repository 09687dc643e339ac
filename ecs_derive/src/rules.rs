//! The rules between components: `needs`, `excludes` and `replaces`.

use crate::attr::{ComponentAttr, RulesAttr};
use crate::errors::Errors;
use crate::item::{is_generic, located_at, mentions, plain_name};
use crate::spell::spell;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::{DeriveInput, Type};

impl RulesAttr {
    pub fn is_empty(&self) -> bool {
        self.all().next().is_none()
    }

    /// Returns the components that the rules name.
    pub fn all(&self) -> impl Iterator<Item = &Type> {
        self.needs.iter().chain(&self.excludes).chain(&self.replaces)
    }
}

/// Refuses rules between a component and itself, and several rules between two components. Types are compared as tokens.
/// The wrong rules are left out.
pub fn check(input: &DeriveInput, rules: &mut RulesAttr, errors: &mut Errors) {
    let name = plain_name(&input.ident);
    let mut named = Vec::new();
    let mut check = |types: &mut Vec<Type>, verb: &str| {
        types.retain(|ty| {
            let spelled = spell(ty);
            let message = if spelled == "Self" || spelled == name {
                format!("component `{name}` {verb} itself; name other components")
            } else if named.contains(&spelled) {
                format!("component `{name}` has two rules for `{spelled}`; leave one of them out")
            } else {
                named.push(spelled);
                return true;
            };
            errors.at(ty, message);
            false
        });
    };
    check(&mut rules.needs, "needs");
    check(&mut rules.excludes, "excludes");
    check(&mut rules.replaces, "replaces");
}

/// Returns the constants that list the rules.
pub fn constants(input: &DeriveInput, attr: &ComponentAttr, private: &TokenStream) -> TokenStream {
    let ComponentAttr { requires, rules, .. } = attr;
    if requires.is_empty() && rules.is_empty() && rules.points_to.is_none() {
        return TokenStream::new();
    }
    let of = |kind: &str, ty: &Type| {
        let kind = Ident::new(kind, proc_macro2::Span::call_site());
        located_at(quote!(#private::DeclaredRule::#kind::<#ty>()), ty)
    };
    // A type that is no component is an error where it is inserted, and none here.
    let required = |ty: &Type| {
        located_at(
            quote!({ use #private::UnseenRule as _; #private::SeenRule::<#ty>::REQUIRES }),
            ty,
        )
    };
    let all = (rules.needs.iter().map(|ty| of("needs", ty)))
        .chain(rules.excludes.iter().map(|ty| of("excludes", ty)))
        .chain(rules.replaces.iter().map(|ty| of("replaces", ty)))
        .chain(rules.points_to.iter().map(|ty| of("points_to", ty)))
        .chain(requires.iter().map(|it| required(&it.ty)));
    let is_ruled = if is_generic(input) || !rules.is_empty() {
        quote!(true)
    } else {
        quote!({
            use #private::Unseen as _;
            #private::is_any_ruled(&#private::SeenRequirements::<Self>::TREE)
        })
    };
    quote! {
        const RULES: &'static [#private::DeclaredRule] = &[#(#all),*];
        const RULED: ::core::primitive::bool = #is_ruled;
    }
}

/// Returns the bounds of components in rules that name type parameters.
pub fn bounds(rules: &RulesAttr, params: &[&Ident], private: &TokenStream) -> Vec<TokenStream> {
    let of_params = rules.all().filter(|ty| mentions(ty.to_token_stream(), params));
    of_params.map(|ty| quote!(#ty: #private::AnyComponent)).collect()
}

/// Returns the checks of the component against the excluded ones.
pub fn pairs(name: &Ident, rules: &RulesAttr, private: &TokenStream) -> TokenStream {
    let check = |ty: &Type| located_at(quote!(#private::check_excluded::<#name, #ty>();), ty);
    rules.excludes.iter().map(check).collect()
}
