//! `#[derive(Component)]`

use crate::attr::{self, ComponentAttr, FieldAttr, NumbersAttr, Requirement};
use crate::columns::{self, Columns};
use crate::errors::Errors;
use crate::field_type::{argument_of, bare};
use crate::index::Index;
use crate::item::{
    Static, id, in_const, is_generic, known_everywhere, located_at, mentions, plain_name,
    refuse_lifetimes, tuple, where_all,
};
use crate::parts::{HandleParts, Part};
use crate::relation::Relation;
use crate::rules;
use crate::saving;
use crate::shape::described;
use crate::spell::spell;
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use std::mem;
use syn::spanned::Spanned;
use syn::{Data, DeriveInput, Field, Type};

/// With a mistake found, the same expansion serves as the stub: wrong parts are left out.
pub fn expand(input: &DeriveInput, errors: &mut Errors) -> TokenStream {
    let mut attr = ComponentAttr::read(input, errors);
    if !check_requirements(input, &attr.requires, errors) {
        attr.requires.clear();
    }
    rules::check(input, &mut attr.rules, errors);
    let private = attr::private(input, errors);
    refuse_lifetimes(input, "components", errors);
    if let Data::Union(data) = &input.data {
        errors
            .at(&data.union_token, "a component is a struct or an enum; put the union in a struct");
    }
    let mut parts = Part::all(input, FieldAttr::read, errors);
    move_numbers(input, &mut attr, &mut parts, errors);
    let relation = Relation::of(input, &attr, &parts, errors);
    attr.relation = relation.is_some();
    attr.rules.points_to = relation.as_ref().and_then(|it| it.of_targets.clone());
    if let Some(relation) = &relation {
        let target = parts.iter_mut().find(|part| part.member == *relation.target());
        target.into_iter().for_each(Part::mark_target);
    }
    let index = Index::of(input, &attr, errors);
    if index.is_none() {
        (attr.index, attr.unique) = (None, None);
    }
    saving::check(input, "component", &attr.saving, errors);
    if !errors.is_empty() {
        attr.saving.name = None; // its mistakes are reported
        (attr.copying.is_copied, attr.debug, attr.default) = (false, false, false);
        attr.relation = false;
    }
    let fields = columns::check(input, &attr, errors).filter(|_| errors.is_empty());
    let Some(private) = private else {
        return in_const(&TokenStream::new());
    };
    let handles = HandleParts::of(input, &parts, &private);
    let leaves = attr.copying.is_copied || attr.saving.name.is_some();
    let mut data = data(input, &attr, &parts, &private);
    if errors.is_empty() {
        data.extend(handles.expand(leaves));
    }
    let columns = fields.map(|fields| Columns::of(input, fields, &attr, &private));
    let items = columns.as_ref().map(Columns::items);
    let doubtful = if is_generic(input) { Vec::new() } else { doubtful(input) };
    let mut bounds = if leaves && errors.is_empty() { handles.bounds() } else { Vec::new() };
    if !doubtful.is_empty() && columns.is_none() {
        bounds.push(quote!(for<'__s> Self: #private::Share<'__s>));
    }
    let mut impls = impls(input, &attr, &data, columns.as_ref(), bounds, &private);
    if let Some(relation) = relation.filter(|_| errors.is_empty()) {
        impls.extend(relation.expand(input, &private));
    }
    if let Some(index) = index {
        impls.extend(index.expand(input, &private));
    }
    impls.extend(saving::same(input, &attr.saving, &parts, &private));
    if leaves && errors.is_empty() {
        impls.extend(handles.checks("`#[component(entities = ignore)]`"));
    }
    if !doubtful.is_empty() && errors.is_empty() {
        let checks = if columns.is_some() {
            checks_of_columns(&doubtful, &private)
        } else {
            checks(input, &doubtful, "check_shared", &private)
        };
        impls.extend(checks);
    }
    let impls = in_const(&impls);
    quote!(#items #impls)
}

/// Moves `range` and `unit` from the type to its only field.
fn move_numbers(
    input: &DeriveInput,
    attr: &mut ComponentAttr,
    parts: &mut [Part],
    errors: &mut Errors,
) {
    let NumbersAttr { range, unit } = mem::take(&mut attr.numbers);
    let range_at = range.as_ref().map(ToTokens::to_token_stream);
    let unit_at = unit.as_ref().map(ToTokens::to_token_stream);
    let tokens = [("range", range_at), ("unit", unit_at)];
    let name = plain_name(&input.ident);
    let mut refuse = |message: String| {
        let (_, at) = tokens.iter().find(|(_, at)| at.is_some()).cloned().unwrap_or_default();
        errors.at(&at, message);
    };
    if range.is_none() && unit.is_none() {
        return;
    }
    match (&input.data, parts) {
        (Data::Struct(_), [only]) => {
            let own = &mut only.attr.numbers;
            if range.is_some() && own.range.is_some() || unit.is_some() && own.unit.is_some() {
                return refuse(format!("the field of `{name}` has the same key; give it once"));
            }
            own.range = range.or(own.range.take());
            own.unit = unit.or(own.unit.take());
        }
        (Data::Struct(_), parts) => refuse(format!(
            "`range` and `unit` on a type are for its only field, and `{name}` has {}; put them on a field",
            parts.len()
        )),
        _ => refuse(format!(
            "`range` and `unit` on a type are for the only field of a struct, and `{name}` is none; put them on a field"
        )),
    }
}

/// Compares types as tokens. Constants of the library find equal types with different names.
fn check_requirements(input: &DeriveInput, requires: &[Requirement], errors: &mut Errors) -> bool {
    let name = plain_name(&input.ident);
    let is_own = |ty: &Type| match ty {
        Type::Path(path) => path.path.is_ident("Self") || path.path.is_ident(&input.ident),
        _ => false,
    };
    let mut is_right = true;
    for (at, Requirement { ty, .. }) in requires.iter().enumerate() {
        let message = if is_own(ty) {
            format!("component `{name}` requires itself; name the components that come with it")
        } else if requires[..at].iter().any(|before| spell(&before.ty) == spell(ty)) {
            format!("component `{name}` requires `{}` twice; name it once", spell(ty))
        } else {
            continue;
        };
        errors.at(ty, message);
        is_right = false;
    }
    is_right
}

/// The constructors of required components, and the check that the component does not require itself.
struct Requirements {
    /// The type that names them for the check.
    ty: TokenStream,
    methods: TokenStream,
    check: TokenStream,
    /// The bounds of required components that name type parameters.
    bounds: Vec<TokenStream>,
}

impl Requirements {
    fn of(input: &DeriveInput, attr: &ComponentAttr, private: &TokenStream) -> Self {
        let all = &attr.requires;
        let params: Vec<_> = input.generics.type_params().map(|param| &param.ident).collect();
        let of_params = all.iter().filter(|it| mentions(it.ty.to_token_stream(), &params));
        let bounds = of_params.map(|Requirement { ty, value }| {
            let by_default = value.is_none().then(|| quote!(+ #private::ByDefault));
            quote!(#ty: #private::AnyComponent #by_default)
        });
        let is_ruled = !all.is_empty() || !attr.rules.is_empty();
        let is_seen = is_ruled && !is_generic(input);
        let methods = if all.is_empty() { TokenStream::new() } else { methods(all, private) };
        let rules = rules::constants(input, attr, private);
        Self {
            ty: if is_seen { quote!(__Requires) } else { quote!(()) },
            methods: quote!(#methods #rules),
            check: if is_seen { check(input, attr, private) } else { TokenStream::new() },
            bounds: bounds.chain(rules::bounds(&attr.rules, &params, private)).collect(),
        }
    }
}

fn methods(requires: &[Requirement], private: &TokenStream) -> TokenStream {
    let target = Ident::new("__target", Span::mixed_site());
    let calls = requires.iter().map(|Requirement { ty, value }| {
        let value = match value {
            // At the begin of a block, some values would be read as a statement: `a! {} + b`.
            Some(value) => quote!((#value)),
            None => located_at(quote!(#private::by_default()), ty),
        };
        quote!(#private::Requirer::require::<#ty>(#target, || -> #ty { #value });)
    });
    quote! {
        const REQUIRES: ::core::primitive::bool = true;
        fn require(_: #private::Internal<Self>, #target: &mut impl #private::Requirer) {
            #(#calls)*
        }
    }
}

/// The tree of the requirements of a component, under a name as visible as any: the components may be
/// less so.
fn check(input: &DeriveInput, attr: &ComponentAttr, private: &TokenStream) -> TokenStream {
    let name = &input.ident;
    let required = attr.requires.iter().map(|it| it.ty.to_token_stream());
    let needed = attr.rules.needs.iter().map(|ty| quote!(#private::Needed<#ty>));
    let all = tuple(&required.chain(needed).collect::<Vec<_>>());
    let types: Vec<_> = attr.requires.iter().map(|it| &it.ty).chain(attr.rules.all()).collect();
    let pairs = rules::pairs(name, &attr.rules, private);
    let call =
        quote!(#private::check_requirements::<#name>(&#private::SeenRequirements::<#name>::TREE));
    let call = located_at(call, &quote!(#(#types)*));
    quote! {
        pub enum __Requires {}
        #[automatically_derived]
        impl<__Steps> #private::RequiredWithin<__Steps> for __Requires
        where
            #all: #private::RequiredWithin<__Steps>,
        {
            const TREE: #private::Required = <#all as #private::RequiredWithin<__Steps>>::TREE;
        }
        const _: () = {
            use #private::Unseen as _;
            #pairs
            #call
        };
    }
}

fn impls(
    input: &DeriveInput,
    attr: &ComponentAttr,
    data: &TokenStream,
    columns: Option<&Columns>,
    of_fields: Vec<TokenStream>,
    private: &TokenStream,
) -> TokenStream {
    let Static { params, ty, bounds } = Static::of(input);
    let name = plain_name(&input.ident);
    let is_generic = is_generic(input);
    // The bounds of the item, and for a generic item the bounds of its instances. The impls assume
    // doubtful fields to be valid; a check of each reports an invalid one.
    let with = |more: Vec<TokenStream>| where_all(&[&bounds[..], &more].concat());
    let mut owned = match columns {
        Some(columns) => columns.bounds(),
        None if is_generic => {
            vec![quote!(#private::Threads: #private::MayShare<Self>, Self: 'static)]
        }
        None => Vec::new(),
    };
    owned.extend(of_fields);
    let component =
        if is_generic { vec![quote!(Self: #private::AnyComponent)] } else { owned.clone() };
    let requirements = Requirements::of(input, attr, private);
    let Requirements { ty: requires, methods, check, bounds: asked } = requirements;
    let owned = with(owned.into_iter().chain(asked).collect());
    let component = with(component);
    let storage = if columns.is_some() {
        quote!(#private::Columns<Self>)
    } else {
        quote!(#private::VecStorage<Self>)
    };
    let value = columns.map_or_else(|| quote!(&mut Self), Columns::exclusive_reference);

    let id = id(input, private);
    let pinned = attr.bit.map(Literal::u8_unsuffixed);
    let bit =
        pinned.map_or_else(|| quote!(__ID.bit()), |bit| quote!(#private::Signature::bit(#bit)));
    // The instances of a generic type would share a `static`.
    let slot = (!is_generic).then(|| {
        quote! {
            #[inline]
            fn slot() -> ::core::option::Option<&'static #private::ComponentSlot<Self>> {
                static __SLOT: #private::ComponentSlot<#ty> = #private::ComponentSlot::new();
                ::core::option::Option::Some(&__SLOT)
            }
        }
    });
    // A relation may be read by its veto, not written; nor may the key of an index.
    let asked = if attr.relation || attr.index.is_some() || attr.unique.is_some() {
        quote!(&Self)
    } else {
        value.clone()
    };
    let veto = attr.veto.as_ref().map(|veto| {
        quote! {
            const GUARDED: ::core::primitive::bool = true;
            fn permits_removal(
                _: #private::Internal<Self>,
                __value: #value,
            ) -> ::core::primitive::bool {
                let __veto: fn(#asked) -> ::core::primitive::bool = #veto;
                __veto(__value)
            }
        }
    });

    let hooks = hooks(attr, private);
    let own = where_all(&bounds);
    let tracked = attr
        .track
        .then(|| quote!(impl #params #private::Tracks<#ty> for #private::Registry #own {}));
    let rules = rules(attr, private);
    let unlisted = attr::unlisted(input);
    // In columns it has no `&Self`, so it is no `Component`.
    let whole = quote!(impl #params #private::Component for #ty #owned {});
    let whole = columns.is_none().then(|| quote!(#[automatically_derived] #unlisted #whole));
    let columns = columns.map(Columns::impls);
    let contents = contents(&quote!(#params #private::Contents<Self> for #ty #owned), private);
    let known = known_everywhere(&params, &ty, &own, private);
    quote! {
        #id
        #known
        #[automatically_derived]
        #unlisted
        impl #params #private::AnyComponent for #ty #owned {
            type Storage = #storage;
            type Requires = #requires;
            const NAME: &'static ::core::primitive::str = #name;
            const ID: #private::ComponentId = __ID;
            const BIT: #private::Signature = #bit;
            #slot #veto #hooks
            #rules
            #data
            #methods
        }
        #whole
        #check
        #tracked
        #contents
        #[automatically_derived]
        impl #params #private::Term for #ty #component {
            type Fetch = #private::Read<Self>;
            type WithEntity = (#private::EntityFetch, #private::Read<Self>);
        }
        #columns
    }
}

/// Returns the constants for changes, an index and a relation, as far as the attribute asks for them.
fn rules(attr: &ComponentAttr, private: &TokenStream) -> TokenStream {
    let is_tracked = attr.track.then(|| {
        quote!(
            const TRACKED: ::core::primitive::bool = true;
        )
    });
    let index = Index::constant(attr, private);
    let relation = attr.relation.then(|| {
        quote! {
            const RELATION: ::core::option::Option<#private::Rule<Self>> =
                ::core::option::Option::Some(#private::Rule::of_relation());
        }
    });
    quote!(#is_tracked #index #relation)
}

/// Returns the impl that makes a component a bundle of one. The derive emits it, because a blanket
/// impl for all components would overlap with the impls of other bundles.
fn contents(head: &TokenStream, private: &TokenStream) -> TokenStream {
    quote! {
        #[automatically_derived]
        impl #head {
            const PARTS: &'static [#private::Part] = &[#private::Part::of::<Self>()];
            #[inline(always)]
            fn into_parts(__this: Self) -> impl #private::Parts {
                #private::One::new(__this)
            }
        }
    }
}

/// Returns the functions on values whose type is not named.
fn data(
    input: &DeriveInput,
    attr: &ComponentAttr,
    parts: &[Part],
    private: &TokenStream,
) -> TokenStream {
    let copying = attr.copying.is_copied.then(|| {
        let by_clone = located_at(quote!(#private::Copying::by_clone::<Self>()), &input.ident);
        quote! {
            const COPYING: ::core::option::Option<#private::Copying> =
                ::core::option::Option::Some(#by_clone);
        }
    });
    let skips_copies = attr.copying.is_skipped.then(|| {
        quote!(
            const SKIPS_COPIES: ::core::primitive::bool = true;
        )
    });
    let debugging = attr.debug.then(|| {
        let by_debug = located_at(quote!(#private::Debugging::by_debug::<Self>()), &input.ident);
        quote! {
            const DEBUGGING: ::core::option::Option<#private::Debugging> =
                ::core::option::Option::Some(#by_debug);
        }
    });
    let default = attr.default.then(|| {
        let default = located_at(quote!(#private::default_of::<Self>), &input.ident);
        quote! {
            const DEFAULT: ::core::option::Option<fn() -> Self> =
                ::core::option::Option::Some(#default);
        }
    });
    let is_saved = attr.saving.name.is_some();
    let described = described(input, parts, is_saved);
    let shape = quote! {
        const SHAPE: &'static ::core::primitive::str = #described;
    };
    let saving = saving::of_component(input, &attr.saving, private);
    quote!(#copying #skips_copies #debugging #default #shape #saving)
}

/// The constant that names the hooks, if there are any.
fn hooks(attr: &ComponentAttr, private: &TokenStream) -> TokenStream {
    let hooks = attr.hooks();
    let hooks = hooks.iter().filter_map(|(key, path)| {
        let key = Ident::new(key, Span::call_site());
        path.as_ref().map(|path| {
            let hook = quote_spanned!(path.span()=> &#path);
            quote!(.#key(#hook))
        })
    });
    let hooks: TokenStream = hooks.collect();
    if hooks.is_empty() {
        return hooks;
    }
    quote!(const HOOKS: #private::Hooks<Self> = #private::Hooks::NONE #hooks;)
}

/// Returns the types of fields for which only `rustc` can decide whether threads can share them.
///
/// A bound for these takes `rustc` a while, so plain types have none. A field of the item's own type is
/// wrong only if another field is.
pub fn doubtful(input: &DeriveInput) -> Vec<&Type> {
    let itself = Ident::new("Self", Span::call_site());
    let is_own = |ty: &Type| mentions(ty.to_token_stream(), &[&input.ident, &itself]);
    let types = all_fields(input).map(|field| &field.ty);
    types.filter(|ty| !is_plain(ty) && !is_own(ty)).collect()
}

/// The fields of a struct, or of all variants of an enum; of a union, which is refused, none.
pub fn all_fields(input: &DeriveInput) -> impl Iterator<Item = &Field> {
    let fields: Vec<&Field> = match &input.data {
        Data::Struct(data) => data.fields.iter().collect(),
        Data::Enum(data) => data.variants.iter().flat_map(|variant| &variant.fields).collect(),
        Data::Union(_) => Vec::new(),
    };
    fields.into_iter()
}

/// Returns `true` if it is made of numbers, text and entities.
pub fn is_plain(ty: &Type) -> bool {
    const PLAIN: [&str; 18] = [
        "bool", "char", "f32", "f64", "i8", "i16", "i32", "i64", "i128", "isize", "u8", "u16",
        "u32", "u64", "u128", "usize", "String", "Entity",
    ];
    match bare(ty) {
        Type::Array(array) => is_plain(&array.elem),
        Type::Tuple(tuple) => tuple.elems.iter().all(is_plain),
        Type::Path(path) => {
            let inner = ["Option", "Vec", "Box"].iter().find_map(|name| argument_of(path, name));
            inner.map_or_else(|| PLAIN.iter().any(|name| path.path.is_ident(name)), is_plain)
        }
        _ => false,
    }
}

/// Calls of the library's `check` that are errors at fields of these types, if threads cannot share the item: at the types
/// that they cannot share.
pub fn checks(
    input: &DeriveInput,
    types: &[&Type],
    check: &str,
    private: &TokenStream,
) -> TokenStream {
    let (name, check) = (&input.ident, Ident::new(check, Span::call_site()));
    let checks =
        types.iter().map(|ty| located_at(quote!(#private::#check::<#ty, { __IS_SHARED }>()), ty));
    quote! {
        const _: () = {
            use #private::NotShared as _;
            const __IS_SHARED: ::core::primitive::bool =
                #private::ShareProbe::<#name>::__ECS_IS_SHARED;
            #(#checks;)*
        };
    }
}

/// Calls that are errors at columns of these types, if threads cannot share them.
fn checks_of_columns(types: &[&Type], private: &TokenStream) -> TokenStream {
    let check = |ty: &&Type| located_at(quote!(#private::check_shared_column::<#ty>()), ty);
    let checks = types.iter().map(check);
    quote!(const _: () = { #(#checks;)* };)
}
