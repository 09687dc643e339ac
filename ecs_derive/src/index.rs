//! `#[component(index)]`

use crate::attr::{ComponentAttr, IndexAttr};
use crate::errors::Errors;
use crate::item::{is_generic, located_at, plain_name};
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Data, DeriveInput, Expr, Lit, Member, Type};

/// The index of a component.
pub struct Index {
    /// The type of the index; `None` stands for one of the library.
    kind: Option<Type>,
    is_ordered: bool,
    by: By,
    is_in_columns: bool,
}

/// The origin of the key.
enum By {
    Itself,
    Field(Member, Type),
    /// A function, and the type that it returns, unless the kind of the index says that.
    Call(Expr, Option<Type>),
}

impl Index {
    /// Returns the index, if the attribute asks for a valid one.
    pub fn of(input: &DeriveInput, attr: &ComponentAttr, errors: &mut Errors) -> Option<Self> {
        let is_unique = attr.unique.is_some();
        let IndexAttr { is_ordered, kind, by, key } =
            attr.unique.as_ref().or(attr.index.as_ref())?;
        let name = plain_name(&input.ident);
        let mut refuse = |place: &dyn ToTokens, message: String| {
            errors.at(&place.to_token_stream(), message);
            None
        };
        if is_unique && attr.index.is_some() {
            let message = format!("`unique` is an index; remove `index` from `{name}`");
            return refuse(&input.ident, message);
        }
        if is_unique && attr.soa {
            let message =
                format!("unique component `{name}` is stored whole; remove `layout = \"soa\"`");
            return refuse(&input.ident, message);
        }
        if attr.relation {
            let message = format!(
                "relation `{name}` needs no `index`: `World::related` returns the entities that point to one"
            );
            return refuse(&input.ident, message);
        }
        if is_generic(input) {
            let message = format!(
                "an indexed component has no parameters, as each type has an index of its own; write a struct \
                 for each `{name}`"
            );
            return refuse(&input.generics.params, message);
        }
        if let (true, Some(kind)) = (*is_ordered, kind) {
            let message = "`ordered` and `kind = ..` are two kinds of index; keep one".to_owned();
            return refuse(kind, message);
        }
        if let (true, Some(veto)) = (attr.soa, &attr.veto) {
            let message = format!(
                "the veto of `{name}` could change it unseen by its index; store it whole, or leave out `veto`"
            );
            return refuse(veto, message);
        }
        let by = match by {
            None if attr.soa => {
                let message = format!(
                    "`{name}` is stored in columns, so its index needs a part of it: `index(by = field)`"
                );
                return refuse(&input.ident, message);
            }
            None => By::Itself,
            Some(by) => {
                if let Some((member, ty)) = field(input, by) {
                    By::Field(member, ty)
                } else {
                    if key.is_none() && kind.is_none() {
                        let message =
                            "`by` names a function: name the type that it returns, too, as in \
                                       `by = path, key = u32`; or name a field"
                                .to_owned();
                        return refuse(by, message);
                    }
                    By::Call(by.clone(), key.clone())
                }
            }
        };
        if let (Some(key), By::Itself | By::Field(..)) = (key, &by) {
            let message = "`key` is the type that a function returns, as in `by = path, key = u32`; \
                           leave it out";
            return refuse(key, message.to_owned());
        }
        Some(Self { kind: kind.clone(), is_ordered: *is_ordered, by, is_in_columns: attr.soa })
    }

    /// Returns the constant of the component, if it has an index.
    pub fn constant(attr: &ComponentAttr, private: &TokenStream) -> Option<TokenStream> {
        attr.index.as_ref().or(attr.unique.as_ref())?;
        let rule =
            if attr.unique.is_some() { quote!(unique::<Self, _>) } else { quote!(of::<Self>) };
        Some(quote! {
            const INDEX: ::core::option::Option<#private::IndexRule> =
                ::core::option::Option::Some(#private::IndexRule::#rule());
        })
    }

    pub fn expand(&self, input: &DeriveInput, private: &TokenStream) -> TokenStream {
        let name = &input.ident;
        let key = match &self.by {
            By::Itself => located_at(quote!(Self), name),
            By::Field(_, ty) | By::Call(_, Some(ty)) => ty.to_token_stream(),
            By::Call(_, None) => {
                let kind = &self.kind;
                quote!(<#kind as #private::IndexKind>::Key)
            }
        };
        let index = match &self.kind {
            Some(kind) => kind.to_token_stream(),
            None if self.is_ordered => located_at(quote!(#private::Ordered<#key>), &key),
            None => located_at(quote!(#private::Hashed<#key>), &key),
        };
        let of_value = match &self.by {
            By::Itself => quote!(__value),
            By::Field(member, _) if self.is_in_columns => quote!(__value.#member),
            By::Field(member, _) => quote!(&__value.#member),
            By::Call(by, Some(key)) => quote!(&{
                let __key: #key = (#by)(__value);
                __key
            }),
            By::Call(by, None) => quote!(&(#by)(__value)),
        };
        quote! {
            #[automatically_derived]
            impl #private::Indexed for #name {
                type Key = #key;
                type Index = #index;
                #[inline]
                fn with_key<__R>(
                    _: #private::Internal<Self>,
                    __value: #private::Ref<'_, Self>,
                    __read: impl ::core::ops::FnOnce(&#key) -> __R,
                ) -> __R {
                    __read(#of_value)
                }
            }
        }
    }
}

/// Returns the field of a struct that this expression names, and its type.
fn field(input: &DeriveInput, by: &Expr) -> Option<(Member, Type)> {
    let Data::Struct(data) = &input.data else { return None };
    let named = match by {
        Expr::Path(path) => Member::Named(path.path.get_ident()?.clone()),
        Expr::Lit(literal) => match &literal.lit {
            Lit::Int(number) => Member::Unnamed(number.base10_parse::<usize>().ok()?.into()),
            _ => return None,
        },
        _ => return None,
    };
    let fields = data.fields.members().zip(&data.fields);
    let is_it = |member: &Member| match (member, &named) {
        (Member::Named(a), Member::Named(b)) => a == b,
        (Member::Unnamed(a), Member::Unnamed(b)) => a.index == b.index,
        _ => false,
    };
    let (member, field) = fields.into_iter().find(|(member, _)| is_it(member))?;
    Some((member, field.ty.clone()))
}
