//! `#[derive(Query)]`

use crate::aliasing;
use crate::attr::{self, ColumnAttr, QueryAttr};
use crate::columns::module_name;
use crate::errors::Errors;
use crate::field_type::{Leaf, argument_of, bare, leaves};
use crate::fields::{QueryField, QueryFields};
use crate::item::{
    Static, bindings, field_name, in_const, is_generic, located_at, make_static, mentions,
    own_bounds, plain_name, tuple, type_with_lifetime, where_all,
};
use crate::lifetimes;
use crate::spell::spell;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::{
    Data, DeriveInput, Field, Fields, Lifetime, Member, PathArguments, Type, TypePath,
    TypeReference, parse_quote,
};

pub fn expand(input: &DeriveInput, errors: &mut Errors) -> TokenStream {
    let attr = QueryAttr::read(input, errors);
    let private = attr::private(input, errors);
    let fields = fields(input, errors);
    lifetimes::check(input, fields, &lifetimes::OF_QUERY, errors);
    let all = fields.into_iter().flat_map(|fields| fields.members().zip(fields));
    let asked: Vec<_> = all.map(|(member, field)| asked(&member, field, errors)).collect();
    refuse_parameters(input, &asked, errors);
    check_aliasing(input, &asked, errors);
    let Some(private) = private else {
        return in_const(&TokenStream::new());
    };
    let parts = match fields {
        Some(fields) if errors.is_empty() => Parts::of(input, fields, &asked, &attr, &private),
        _ => Parts::stub(input, &private),
    };
    in_const(&impls(input, &parts, &private))
}

fn fields<'a>(input: &'a DeriveInput, errors: &mut Errors) -> Option<&'a Fields> {
    let name = plain_name(&input.ident);
    let keyword = match &input.data {
        Data::Struct(data) if data.fields.is_empty() => {
            let message = format!(
                "query `{name}` has no fields; give it one per component, as in \
                 `position: &'w Position`"
            );
            errors.at(&input.ident, message);
            return None;
        }
        Data::Struct(data) => return Some(&data.fields),
        Data::Enum(data) => data.enum_token.to_token_stream(),
        Data::Union(data) => data.union_token.to_token_stream(),
    };
    let message = format!("a query is a struct with a field per component; make `{name}` a struct");
    errors.at(&keyword, message);
    None
}

/// Returns the term of a field.
fn asked<'a>(member: &Member, field: &'a Field, errors: &mut Errors) -> QueryField<'a> {
    let ColumnAttr { column } = ColumnAttr::read(field, errors);
    let borrowed = column.as_ref().and_then(|column| {
        refuse_type(column, errors);
        borrow_of(&field.ty, column).or_else(|| {
            let message = format!(
                "`column = {}` makes the field a borrow of one column: write its type as `&'w T`, \
                 `&'w mut T` or an `Option` of these",
                spell(column)
            );
            errors.at(&field.ty, message);
            None
        })
    });
    QueryField {
        name: field_name(member),
        own: &field.ty,
        asked: borrowed.unwrap_or_else(|| field.ty.clone()),
        is_column: column.is_some(),
    }
}

/// A type parameter of which nothing is said may be a component, which a field borrows.
fn refuse_parameters(input: &DeriveInput, fields: &[QueryField], errors: &mut Errors) {
    let unbounded = input.generics.type_params().filter(|param| param.bounds.is_empty());
    let clauses = own_bounds(&input.generics);
    let is_free = |param: &Ident| !clauses.iter().any(|clause| mentions(clause.clone(), &[param]));
    let params: Vec<_> = unbounded.map(|param| &param.ident).filter(|it| is_free(it)).collect();
    let lifetime = input.generics.lifetimes().next();
    let lifetime = lifetime.map_or_else(|| "'w".to_owned(), |it| it.lifetime.to_string());
    let name = plain_name(&input.ident);
    for QueryField { name: field, own, .. } in fields {
        for leaf in leaves(own) {
            if let Leaf::Path(path) = leaf
                && let Some(param) = params.iter().find(|param| path.path.is_ident(**param))
            {
                let message = format!(
                    "query `{name}`: field `{field}` holds a `{param}`, which may be anything; to read a \
                     component write `&{lifetime} {param}`"
                );
                errors.at(path, message);
            }
        }
    }
}

/// Columns are in a module. `Type::field` names nothing.
fn refuse_type(column: &TypePath, errors: &mut Errors) {
    let segments: Vec<_> = column.path.segments.iter().collect();
    if let [.., parent, name] = &segments[..]
        && parent.ident.to_string().starts_with(char::is_uppercase)
    {
        let (module, name) = (module_name(&parent.ident), &name.ident);
        let message = format!(
            "`{}` is a field of a type; its column is in the module beside the type: write \
             `column = {module}::{name}`",
            spell(column)
        );
        errors.at(column, message);
    }
}

/// The reference that `ty` is or may be, to `column` instead.
fn borrow_of(ty: &Type, column: &TypePath) -> Option<Type> {
    match bare(ty) {
        Type::Reference(reference) => {
            let elem = Box::new(Type::Path(column.clone()));
            Some(Type::Reference(TypeReference { elem, ..reference.clone() }))
        }
        Type::Path(path) => {
            let inner = borrow_of(argument_of(path, "Option")?, column)?;
            let mut path = path.clone();
            path.path.segments.last_mut()?.arguments =
                PathArguments::AngleBracketed(parse_quote!(<#inner>));
            Some(Type::Path(path))
        }
        _ => None,
    }
}

fn check_aliasing(input: &DeriveInput, fields: &[QueryField], errors: &mut Errors) {
    let fields = fields.iter().map(|field| (&*field.name, (&field.asked, field.own)));
    aliasing::check(&plain_name(&input.ident), fields, errors);
}

/// The parts in which a query differs from the stub of a failed one.
struct Parts {
    /// The bounds of the fields on type parameters.
    bounds: Vec<TokenStream>,
    terms: TokenStream,
    filter: TokenStream,
    item: TokenStream,
    names: Vec<String>,
    /// Makes an item of `__items`.
    build: TokenStream,
    /// Constants that look into each field's type, and compare it with those before it, by the
    /// components' ids.
    checks: TokenStream,
}

impl Parts {
    fn of(
        input: &DeriveInput,
        fields: &Fields,
        asked: &[QueryField],
        attr: &QueryAttr,
        private: &TokenStream,
    ) -> Self {
        let QueryAttr { with, without } = attr;
        let with = with.iter().map(|ty| quote!(#private::With<#ty>));
        let without = without.iter().map(|ty| quote!(#private::Without<#ty>));
        let filters: Vec<_> = with.chain(without).collect();
        let name = &input.ident;
        let members: Vec<_> = fields.members().collect();
        let bindings = bindings(fields);
        let pattern: Vec<_> = bindings.iter().map(ToTokens::to_token_stream).collect();
        let pattern = tuple(&pattern);
        let types: Vec<_> = asked.iter().map(|field| &field.asked).collect();
        let asked = QueryFields { input, fields: asked, private };
        let items = asked.values(&items_name());
        let values = bindings.iter().enumerate().map(|(at, binding)| asked.value(at, binding));
        Self {
            bounds: bounds(input, &types, attr, private),
            terms: asked.fetch(),
            filter: tuple(&filters),
            item: type_with_lifetime(input, &item_lifetime()),
            names: members.iter().map(field_name).collect(),
            build: quote! {
                let #pattern = #items;
                #name { #(#members: #values),* }
            },
            checks: checks(&asked, fields),
        }
    }

    fn stub(input: &DeriveInput, private: &TokenStream) -> Self {
        Self {
            bounds: Vec::new(),
            terms: quote!((#private::EntityFetch,)),
            filter: quote!(()),
            // `'static` meets any bound that the item may have on its lifetimes.
            item: Static::of(input).ty,
            names: Vec::new(),
            build: quote!(loop {}),
            checks: TokenStream::new(),
        }
    }
}

/// Returns calls at the fields' types, which turn a wrong type and an alias into compile errors.
/// Aliases in a generic query show only in its instances.
fn checks(asked: &QueryFields, fields: &Fields) -> TokenStream {
    let QueryFields { input, private, .. } = asked;
    let ty = Static::of(input).ty;
    let check = |(at, field): (usize, &Field)| {
        located_at(quote!(#private::check_field::<#ty>(#at)), &field.ty)
    };
    let of_aliasing = fields.iter().enumerate().filter(|_| !is_generic(input)).map(check);
    let (answers, of_types) = (asked.answers(), asked.checks());
    if is_generic(input) && of_types.is_empty() {
        return TokenStream::new();
    }
    quote! {
        #answers
        const _: () = {
            #(#of_types;)*
            #(#of_aliasing;)*
        };
    }
}

/// The variable that holds what was fetched.
fn items_name() -> Ident {
    Ident::new("__items", Span::call_site())
}

fn item_lifetime() -> Lifetime {
    Lifetime::new("'__w", Span::call_site())
}

/// Returns the bounds of type parameters for the fields that name them.
///
/// A bound on the field's type would say it in one word, but then `rustc` would no longer look
/// into the type's `Fetch`, and `build` could not name the fetch's items.
fn bounds(
    input: &DeriveInput,
    asked: &[&Type],
    attr: &QueryAttr,
    private: &TokenStream,
) -> Vec<TokenStream> {
    let filters = attr.with.iter().chain(&attr.without);
    let leaves: Vec<_> = asked.iter().flat_map(|ty| leaves(ty)).collect();
    let components = leaves.iter().filter_map(|leaf| match leaf {
        Leaf::Borrow(reference) => Some(&*reference.elem),
        Leaf::Has(ty) => Some(ty),
        Leaf::Path(_) => None,
    });
    let components: Vec<_> = components.chain(filters).collect();
    let params: Vec<_> = input.generics.type_params().map(|param| &param.ident).collect();
    let lifetimes: Vec<_> = input.generics.lifetimes().map(|param| &param.lifetime).collect();
    let is = |ty: &Type, param: &Ident| match bare(ty) {
        Type::Path(path) => path.path.is_ident(param),
        _ => false,
    };
    let mut bounds = Vec::new();
    for param in &params {
        let is_borrowed =
            |leaf: &Leaf| matches!(leaf, Leaf::Borrow(reference) if is(&reference.elem, param));
        if leaves.iter().any(is_borrowed) {
            let storage = quote!(#private::VecStorage<#param>);
            bounds.push(quote!(#param: #private::Component<Storage = #storage>));
        } else if components.iter().any(|ty| is(ty, param)) {
            bounds.push(quote!(#param: #private::Component));
        }
    }
    // The bounds of generic components.
    for ty in components {
        let is_any = params.iter().any(|param| is(ty, param));
        if !is_any && mentions(ty.to_token_stream(), &params) {
            let ty = make_static(ty.to_token_stream(), &lifetimes);
            bounds.push(quote!(#ty: ::core::marker::Send + ::core::marker::Sync + 'static));
        }
    }
    bounds
}

fn impls(input: &DeriveInput, parts: &Parts, private: &TokenStream) -> TokenStream {
    let Parts { bounds, terms, filter, item, names, build, checks } = parts;
    let Static { params: static_params, ty: static_ty, bounds: static_bounds } = Static::of(input);
    let (params, ty_arguments, _) = input.generics.split_for_impl();
    let name = &input.ident;
    let text = plain_name(name);
    let item_lifetime = item_lifetime();

    let outlives = input.generics.type_params().map(|param| &param.ident);
    let outlives: Vec<_> = outlives.map(|param| quote!(#param: 'static)).collect();
    let asked = || outlives.iter().chain(bounds);
    let own = own_bounds(&input.generics);
    let of_query = where_all(static_bounds.iter().chain(asked()));
    let of_term = where_all(own.iter().chain(asked()));
    // A bound that names the query's lifetime is refused; the stub has it of `'static` only.
    let text_of = |bounds: &[TokenStream]| quote!(#(#bounds)*).to_string();
    let term = if text_of(&own) == text_of(&static_bounds) {
        quote!(impl #params #private::Term for #name #ty_arguments #of_term)
    } else {
        quote!(impl #static_params #private::Term for #static_ty #of_query)
    };

    quote! {
        #[automatically_derived]
        impl #static_params #private::StructQuery for #static_ty #of_query {
            type Terms = #terms;
            type Filter = #filter;
            type Item<#item_lifetime> = #item;
            const NAME: &'static ::core::primitive::str = #text;
            const FIELDS: &'static [&'static ::core::primitive::str] = &[#(#names),*];
            #[inline]
            fn build<#item_lifetime>(
                _: #private::Internal<Self>,
                __items: <Self::Terms as #private::Fetch>::Item<#item_lifetime>,
            ) -> Self::Item<#item_lifetime> {
                #build
            }
        }
        #[automatically_derived]
        #term {
            type Fetch = #private::Derived<#static_ty>;
            type WithEntity = #private::Derived<#static_ty>;
        }
        #checks
    }
}
