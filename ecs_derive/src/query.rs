//! `#[derive(Query)]`

use crate::aliasing;
use crate::attr::{self, ColumnAttr, QueryAttr};
use crate::columns::module_name;
use crate::errors::Errors;
use crate::field_type::{Leaf, argument_of, bare, leaves};
use crate::fields::{QueryField, QueryFields};
use crate::item::{
    Static, bindings, in_const, is_generic, known, located_at, make_static, mentions, named,
    own_bounds, plain_name, tuple, type_with_lifetime, where_all,
};
use crate::lifetimes;
use crate::spell::spell;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use std::borrow::Borrow;
use syn::{
    Data, DataEnum, DeriveInput, Field, Fields, Lifetime, PathArguments, Type, TypePath,
    TypeReference, Variant, parse_quote,
};

pub fn expand(input: &DeriveInput, errors: &mut Errors) -> TokenStream {
    let attr = QueryAttr::read(input, errors);
    let private = attr::private(input, errors);
    let shapes = shapes(input, errors);
    let all = || shapes.iter().flat_map(Shape::named);
    lifetimes::check(input, all(), &lifetimes::OF_QUERY, errors);
    let asked: Vec<_> = all().map(|(name, field)| asked(name, field, errors)).collect();
    refuse_parameters(input, &asked, errors);
    check_aliasing(input, &asked, errors);
    let Some(private) = private else {
        return in_const(&TokenStream::new());
    };
    let parts = if errors.is_empty() {
        Parts::of(input, &shapes, &asked, &attr, &private)
    } else {
        Parts::stub(input, &private)
    };
    in_const(&impls(input, &parts, &private))
}

/// A struct, or a variant of an enum.
struct Shape<'a> {
    variant: Option<&'a Ident>,
    fields: &'a Fields,
}

impl<'a> Shape<'a> {
    /// The fields, with their names in messages.
    fn named(&self) -> impl Iterator<Item = (String, &'a Field)> {
        let variant = self.variant.map(|variant| format!("{}::", plain_name(variant)));
        let variant = variant.unwrap_or_default();
        named(self.fields).map(move |(name, field)| (format!("{variant}{name}"), field))
    }
}

/// The most variants of a query.
const MOST_VARIANTS: usize = 12;

/// The struct, or the variants.
fn shapes<'a>(input: &'a DeriveInput, errors: &mut Errors) -> Vec<Shape<'a>> {
    let name = plain_name(&input.ident);
    let keyword = match &input.data {
        Data::Struct(data) if data.fields.is_empty() => {
            let message = format!(
                "query `{name}` has no fields; give it one per component, as in \
                 `position: &'w Position`"
            );
            errors.at(&input.ident, message);
            return Vec::new();
        }
        Data::Struct(data) => return vec![Shape { variant: None, fields: &data.fields }],
        Data::Enum(data) => {
            check_variants(input, data, errors);
            let shape = |it: &'a Variant| Shape { variant: Some(&it.ident), fields: &it.fields };
            return data.variants.iter().map(shape).collect();
        }
        Data::Union(data) => data.union_token.to_token_stream(),
    };
    let message = format!("a query is a struct with a field per component; make `{name}` a struct");
    errors.at(&keyword, message);
    Vec::new()
}

/// Refuses an enum if none of its variants has a field, and one with variants that are never reached.
fn check_variants(input: &DeriveInput, data: &DataEnum, errors: &mut Errors) {
    let name = plain_name(&input.ident);
    let asks = |variant: &&Variant| !variant.fields.is_empty();
    if !data.variants.iter().any(|variant| asks(&variant)) {
        let message = format!(
            "query `{name}` asks for no component; give it a variant for each alternative, as in \
             `Standing(&'w Position)`"
        );
        errors.at(&input.ident, message);
    }
    if let Some(first) = data.variants.iter().nth(MOST_VARIANTS) {
        let message = format!(
            "query `{name}` has {} variants, and at most {MOST_VARIANTS} are allowed; move some of them into an \
             enum of their own, which one variant holds",
            data.variants.len(),
        );
        errors.at(&first.ident, message);
    }
    let mut variants = data.variants.iter().skip_while(asks);
    if let (Some(all), Some(next)) = (variants.next(), variants.next()) {
        let (all, next_name) = (plain_name(&all.ident), plain_name(&next.ident));
        let message = format!(
            "query `{name}`: variant `{next_name}` is never reached, as `{all}` has no fields and matches every entity; \
             move `{all}` to the end"
        );
        errors.at(&next.ident, message);
    }
}

/// Returns the term of a field.
fn asked<'a>(name: String, field: &'a Field, errors: &mut Errors) -> QueryField<'a> {
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
        name,
        own: &field.ty,
        asked: borrowed.unwrap_or_else(|| field.ty.clone()),
        is_column: column.is_some(),
    }
}

/// A type parameter without a bound may be a component, which a field borrows.
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
        shapes: &[Shape],
        asked: &[QueryField],
        attr: &QueryAttr,
        private: &TokenStream,
    ) -> Self {
        let QueryAttr { with, without } = attr;
        let with = with.iter().map(|ty| quote!(#private::With<#ty>));
        let without = without.iter().map(|ty| quote!(#private::Without<#ty>));
        let mut filters: Vec<_> = with.chain(without).collect();
        let types: Vec<_> = asked.iter().map(|field| &field.asked).collect();
        let bounds = bounds(input, &types, attr, private);
        let item = type_with_lifetime(input, &item_lifetime());
        if let [Shape { variant: None, fields }] = shapes {
            let asked = QueryFields { input, fields: asked, private, tag: String::new() };
            let at_types: Vec<_> = fields.iter().map(|field| &field.ty).collect();
            return Self {
                bounds,
                terms: asked.fetch(),
                filter: tuple(&filters),
                item,
                names: named(fields).map(|(name, _)| name).collect(),
                build: build(&input.ident.to_token_stream(), fields, &asked),
                checks: checks(input, &[asked], &at_types, private),
            };
        }
        let (mut rest, mut variants) = (asked, Vec::new());
        for shape in shapes.iter().filter(|shape| !shape.fields.is_empty()) {
            let (fields, others) = rest.split_at(shape.fields.len());
            let tag = format!("_{}", variants.len());
            variants.push((shape, QueryFields { input, fields, private, tag }));
            rest = others;
        }
        let fetches: Vec<_> = variants.iter().map(|(_, asked)| asked.fetch()).collect();
        let terms: Vec<_> =
            fetches.iter().map(|fetch| quote!(#private::Optional<#fetch>)).collect();
        let items: Vec<_> = (0..variants.len()).map(variant_name).collect();
        let name = &input.ident;
        let builds = variants.iter().zip(&items).map(|((shape, asked), item)| {
            let (variant, bound) = (shape.variant, items_name());
            let build = build(&quote!(#name::#variant), shape.fields, asked);
            quote! {
                if let ::core::option::Option::Some(#bound) = #item {
                    #build
                } else
            }
        });
        // The variant that matches every entity, if there is one.
        let last = shapes.iter().find(|shape| shape.fields.is_empty()).map(|shape| {
            let variant = shape.variant;
            quote!(#name::#variant)
        });
        if last.is_none() {
            filters.push(quote!(#private::WithAny<#private::Variants<(#(#fetches,)*)>>));
        }
        let last = last.unwrap_or_else(|| quote!(::core::unreachable!()));
        let all = items_name();
        let build = quote! {
            let (#(#items,)*) = #all;
            #(#builds)* { #last }
        };
        let named_variants = || variants.iter().filter_map(|(shape, _)| shape.variant);
        let names = named_variants().map(plain_name).collect();
        let at: Vec<_> = named_variants().collect();
        let asked: Vec<_> = variants.iter().map(|(_, asked)| asked).collect();
        let checks = checks(input, &asked, &at, private);
        Self { bounds, terms: tuple(&terms), filter: tuple(&filters), item, names, build, checks }
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

/// Makes a struct or a variant from the variable that holds the fetched items of its fields.
fn build(name: &TokenStream, fields: &Fields, asked: &QueryFields) -> TokenStream {
    let members: Vec<_> = fields.members().collect();
    let bindings = bindings(fields);
    let pattern = tuple(&bindings.iter().map(ToTokens::to_token_stream).collect::<Vec<_>>());
    let items = asked.values(&items_name());
    let values = bindings.iter().enumerate().map(|(at, binding)| asked.value(at, binding));
    quote! {
        let #pattern = #items;
        #name { #(#members: #values),* }
    }
}

/// Returns calls at the fields' types, which turn a wrong type into a compile error, and at the places `at`, of fields or
/// variants, which turn an alias into one. Aliases in a generic query show only in its instances.
fn checks<'a, A: Borrow<QueryFields<'a>>>(
    input: &DeriveInput,
    asked: &[A],
    at: &[impl ToTokens],
    private: &TokenStream,
) -> TokenStream {
    let ty = Static::of(input).ty;
    let check = |(at, place)| located_at(quote!(#private::check_field::<#ty>(#at)), place);
    let of_aliasing = at.iter().enumerate().filter(|_| !is_generic(input)).map(check);
    let answers = asked.iter().map(|asked| asked.borrow().answers());
    let of_types: Vec<_> = asked.iter().flat_map(|asked| asked.borrow().checks()).collect();
    if is_generic(input) && of_types.is_empty() {
        return TokenStream::new();
    }
    quote! {
        use #private::NoField as _;
        #(#answers)*
        const _: () = {
            #(#of_types;)*
            #(#of_aliasing;)*
        };
    }
}

/// The variable that holds the fetched items of a variant, if it matches.
fn variant_name(at: usize) -> Ident {
    Ident::new(&format!("__variant_{at}"), Span::call_site())
}

/// The variable that holds the fetched items.
fn items_name() -> Ident {
    Ident::new("__items", Span::call_site())
}

fn item_lifetime() -> Lifetime {
    Lifetime::new("'__w", Span::call_site())
}

/// Returns the bounds of type parameters for the fields that name them.
///
/// A bound on the field's type would be shorter, but then `rustc` would no longer look into the
/// type's `Fetch`, and `build` could not name the fetch's items.
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
            bounds.push(quote!(#param: #private::Component));
        } else if components.iter().any(|ty| is(ty, param)) {
            bounds.push(quote!(#param: #private::AnyComponent));
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
    let (params, ty, bounds) = if text_of(&own) == text_of(&static_bounds) {
        (params.to_token_stream(), quote!(#name #ty_arguments), of_term)
    } else {
        (static_params.clone(), static_ty.clone(), of_query.clone())
    };
    let known = known("InQueries", &params, &ty, &bounds, private);

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
                __items: <<Self as #private::StructQuery>::Terms as #private::Fetch>::Item<#item_lifetime>,
            ) -> <Self as #private::StructQuery>::Item<#item_lifetime> {
                #build
            }
        }
        #known
        #[automatically_derived]
        impl #params #private::Term for #ty #bounds {
            type Fetch = #private::Derived<#static_ty>;
            type WithEntity = #private::Derived<#static_ty>;
        }
        #checks
    }
}
