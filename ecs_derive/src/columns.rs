//! `#[component(layout = "soa")]`: a struct stored in columns, one a field.
//!
//! Emitted beside the struct are the references that stand for `&Struct` and `&mut Struct`, and the
//! slices that stand for `&[Struct]` and `&mut [Struct]`. A module has a marker for each field, to
//! ask for a single column. The columns themselves are the library's: it sees the fields as a
//! balanced tree of pairs, and emitted functions turn trees into structs and back.

use crate::attr::ComponentAttr;
use crate::component::doubtful;
use crate::errors::Errors;
use crate::item::{is_generic, known, mentions, own_bounds, plain_name, replace_self, where_all};
use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::punctuated::Punctuated;
use syn::{
    Data, DeriveInput, Field, Fields, Generics, Lifetime, Meta, Path, Token, Visibility,
    parse_quote,
};

/// Words that cannot be names, not even raw ones.
const NEVER_NAMES: [&str; 4] = ["crate", "self", "super", "Self"];

/// A struct stored in columns.
pub struct Columns<'a> {
    input: &'a DeriveInput,
    /// The fields by name and type, without `Self` in the type.
    fields: Vec<(&'a Field, Ident, TokenStream)>,
    private: &'a TokenStream,
    /// The names of the emitted types.
    reference: Ident,
    reference_mut: Ident,
    slices: Ident,
    slices_mut: Ident,
    module: Ident,
    /// The lifetime of references.
    lifetime: Lifetime,
}

/// Judges an item that is to be stored in columns.
pub fn check<'a>(
    input: &'a DeriveInput,
    attr: &ComponentAttr,
    errors: &mut Errors,
) -> Option<&'a Fields> {
    let name = plain_name(&input.ident);
    if !attr.soa {
        for (key, named) in attr.column_names() {
            if let Some(named) = named {
                let message =
                    format!("`{key}` names a part of `layout = \"soa\"`; add that, or remove this");
                errors.at(named, message);
            }
        }
        return None;
    }
    let advice = match &input.data {
        Data::Struct(data) => match &data.fields {
            Fields::Named(named) if !named.named.is_empty() => {
                return refuse_packed(input, errors).then_some(&data.fields);
            }
            Fields::Named(_) | Fields::Unit => "it has none; remove the layout",
            Fields::Unnamed(_) => "give its fields names",
        },
        Data::Enum(_) => "an enum has none; put it in a field of a struct",
        Data::Union(_) => return None, // refused as a component
    };
    let message = format!("layout \"soa\" of `{name}` is a column for each named field: {advice}");
    errors.at(&input.ident, message);
    None
}

/// Returns `true` if the struct has no `repr(packed)`.
fn refuse_packed(input: &DeriveInput, errors: &mut Errors) -> bool {
    let is_packed = |meta: &Meta| meta.path().is_ident("packed");
    for attribute in input.attrs.iter().filter(|attribute| attribute.path().is_ident("repr")) {
        let parse = Punctuated::<Meta, Token![,]>::parse_terminated;
        let hints = attribute.parse_args_with(parse).unwrap_or_default();
        if let Some(packed) = hints.iter().find(|meta| is_packed(meta)) {
            let name = plain_name(&input.ident);
            let message = format!(
                "layout \"soa\" of `{name}` stores its fields apart: `repr(packed)` says nothing \
                 then; remove one of them"
            );
            errors.at(packed, message);
            return false;
        }
    }
    true
}

impl<'a> Columns<'a> {
    pub fn of(
        input: &'a DeriveInput,
        fields: &'a Fields,
        attr: &ComponentAttr,
        private: &'a TokenStream,
    ) -> Self {
        let ident = &input.ident;
        let fields = fields.iter().filter_map(|field| {
            let name = emitted(field.ident.as_ref()?);
            Some((field, name, replace_self(field.ty.to_token_stream(), input)))
        });
        let named = |given: &Option<Ident>, suffix: &str| {
            given.clone().unwrap_or_else(|| {
                let name = format!("{}{suffix}", plain_name(ident));
                Ident::new(&name, Span::call_site().located_at(ident.span()))
            })
        };
        let letter = Ident::new("a", Span::call_site());
        let is_taken = mentions(input.to_token_stream(), &[&letter]);
        let lifetime = if is_taken { "'__a" } else { "'a" };
        Self {
            input,
            fields: fields.collect(),
            private,
            reference: named(&attr.reference, "Ref"),
            reference_mut: named(&attr.reference_mut, "Mut"),
            slices: named(&attr.slices, "Slices"),
            slices_mut: named(&attr.slices_mut, "SlicesMut"),
            module: attr.fields.clone().unwrap_or_else(|| module_name(ident)),
            lifetime: Lifetime::new(lifetime, Span::call_site()),
        }
    }

    /// `ProximityMut<'_>`
    pub fn exclusive_reference(&self) -> TokenStream {
        self.applied(&self.reference_mut, &quote!('_))
    }

    /// Returns the bounds of the storage on type parameters and on the fields that name them.
    pub fn bounds(&self) -> Vec<TokenStream> {
        let params: Vec<_> = self.input.generics.type_params().map(|param| &param.ident).collect();
        let of_params = params.iter().map(|param| quote!(#param: 'static));
        let types = self.fields.iter().map(|(_, _, ty)| ty);
        let of_fields = types
            .filter(|ty| mentions(ty.to_token_stream(), &params))
            .map(|ty| quote!(#ty: ::core::marker::Send + ::core::marker::Sync + 'static));
        let whole = is_generic(self.input)
            .then(|| quote!(Self: ::core::marker::Send + ::core::marker::Sync + 'static));
        of_params.chain(of_fields).chain(whole).chain(self.doubts()).collect()
    }

    /// Returns bounds that assume doubtful fields, and their struct, to be valid. A check of each
    /// reports an invalid one.
    fn doubts(&self) -> Vec<TokenStream> {
        let private = self.private;
        let doubtful = if is_generic(self.input) { Vec::new() } else { doubtful(self.input) };
        let whole = (!doubtful.is_empty()).then(|| quote!(Self));
        let all = doubtful.iter().map(ToTokens::to_token_stream).chain(whole);
        all.map(|ty| quote!(for<'__s> #ty: #private::Share<'__s>)).collect()
    }

    /// The bounds above, for impls on other types than the struct.
    fn bounds_elsewhere(&self) -> Vec<TokenStream> {
        self.bounds().into_iter().map(|bound| replace_self(bound, self.input)).collect()
    }

    /// Returns the items beside the struct that have names of their own.
    pub fn items(&self) -> TokenStream {
        let name = plain_name(&self.input.ident);
        let lifetime = &self.lifetime;
        let reference = self.reference_struct(
            &self.reference,
            &format!("Shared references to the fields of a `{name}` that is stored in columns."),
            |ty| quote!(&#lifetime #ty),
        );
        let reference_mut = self.reference_struct(
            &self.reference_mut,
            &format!("Exclusive references to the fields of a `{name}` that is stored in columns."),
            |ty| quote!(&#lifetime mut #ty),
        );
        let slices = self.reference_struct(
            &self.slices,
            &format!("The fields of neighbouring `{name}`s, a slice a column."),
            |ty| quote!(&#lifetime [#ty]),
        );
        let slices_mut = self.reference_struct(
            &self.slices_mut,
            &format!("The fields of neighbouring `{name}`s, to be changed, a slice a column."),
            |ty| quote!(&#lifetime mut [#ty]),
        );
        let module = self.module();
        quote!(#reference #reference_mut #slices #slices_mut #module)
    }

    /// The impls of the types beside the struct, and of its storage.
    pub fn impls(&self) -> TokenStream {
        let in_columns = self.in_columns();
        let methods = self.methods();
        let copies = [&self.reference, &self.slices].map(|name| self.copy(name));
        let terms = [(&self.reference, "Read"), (&self.reference_mut, "Write")]
            .map(|(name, fetch)| self.term(name, fetch));
        let columns = self.columns();
        quote!(#in_columns #methods #(#copies)* #(#terms)* #columns)
    }

    fn ty(&self) -> TokenStream {
        let name = &self.input.ident;
        let (_, arguments, _) = self.input.generics.split_for_impl();
        quote!(#name #arguments)
    }

    /// `name<'lifetime, T, N>`
    fn applied(&self, name: &Ident, lifetime: &TokenStream) -> TokenStream {
        let arguments = self.input.generics.params.iter().map(|param| match param {
            syn::GenericParam::Lifetime(param) => param.lifetime.to_token_stream(),
            syn::GenericParam::Type(param) => param.ident.to_token_stream(),
            syn::GenericParam::Const(param) => param.ident.to_token_stream(),
        });
        quote!(#name<#lifetime #(, #arguments)*>)
    }

    /// The struct's parameters with the lifetime of references in front.
    fn generics(&self) -> Generics {
        let mut generics = self.input.generics.clone();
        let lifetime = &self.lifetime;
        generics.params.insert(0, parse_quote!(#lifetime));
        generics
    }

    /// The struct's own where clause, as others say it.
    fn own_bounds(&self) -> Vec<TokenStream> {
        own_bounds(&self.input.generics)
            .into_iter()
            .map(|it| replace_self(it, self.input))
            .collect()
    }

    fn reference_struct(
        &self,
        name: &Ident,
        doc: &str,
        reference: impl Fn(&TokenStream) -> TokenStream,
    ) -> TokenStream {
        let vis = unlinted(&self.input.vis);
        let generics = self.generics();
        let bounds = where_all(&self.own_bounds());
        let fields = self.fields.iter().map(|(field, name, ty)| {
            let vis = unlinted(&field.vis);
            let doc = format!("The field `{}`.", plain_name(name));
            let ty = reference(ty);
            quote!(#[doc = #doc] #vis #name: #ty)
        });
        quote! {
            #[doc = #doc]
            #vis struct #name #generics #bounds { #(#fields),* }
        }
    }

    fn copy(&self, name: &Ident) -> TokenStream {
        let generics = self.generics();
        let (params, ..) = generics.split_for_impl();
        let ty = self.applied(name, &self.lifetime.to_token_stream());
        let bounds = where_all(&self.own_bounds());
        quote! {
            #[automatically_derived]
            impl #params ::core::clone::Clone for #ty #bounds {
                #[inline]
                fn clone(&self) -> Self { *self }
            }
            #[automatically_derived]
            impl #params ::core::marker::Copy for #ty #bounds {}
        }
    }

    /// A reference as the field of a query.
    fn term(&self, name: &Ident, fetch: &str) -> TokenStream {
        let private = self.private;
        let fetch = Ident::new(fetch, Span::call_site());
        let generics = self.generics();
        let (params, ..) = generics.split_for_impl();
        let ty = self.applied(name, &self.lifetime.to_token_stream());
        let component = self.ty();
        let own = self.own_bounds();
        let bounds = where_all(own.iter().chain(&self.bounds_elsewhere()));
        let known = known("InQueries", &params, &ty, &bounds, private);
        quote! {
            #known
            #[automatically_derived]
            impl #params #private::Term for #ty #bounds {
                type Fetch = #private::#fetch<#component>;
                type WithEntity = (#private::EntityFetch, #private::#fetch<#component>);
            }
        }
    }

    fn in_columns(&self) -> TokenStream {
        let private = self.private;
        let (params, ..) = self.input.generics.split_for_impl();
        let ty = self.ty();
        let own = self.own_bounds();
        let bounds = where_all(own.iter().chain(&self.bounds()));
        let names: Vec<_> = self.fields.iter().map(|(_, name, _)| name).collect();
        let texts: Vec<_> = names.iter().map(|name| plain_name(name)).collect();
        let are_open =
            self.fields.iter().map(|(field, ..)| matches!(field.vis, Visibility::Public(_)));
        let locals: Vec<_> =
            (0..names.len()).map(|at| Ident::new(&format!("__{at}"), Span::mixed_site())).collect();
        let types: Vec<_> = self.fields.iter().map(|(_, _, ty)| ty.clone()).collect();
        let vecs: Vec<_> = types.iter().map(|ty| quote!(#private::VecStorage<#ty>)).collect();
        let values = tree(&types);
        let columns = tree(&vecs);
        let pattern = tree(&locals.iter().map(ToTokens::to_token_stream).collect::<Vec<_>>());
        let lifetime = &self.lifetime;
        let of = |name| self.applied(name, &lifetime.to_token_stream());
        let (kinds, functions) = [
            ("Ref", &self.reference, "shown", "RefTree"),
            ("RefMut", &self.reference_mut, "shown_mut", "RefMutTree"),
            ("Slices", &self.slices, "shown_slices", "SliceTree"),
            ("SlicesMut", &self.slices_mut, "shown_mut_slices", "SliceMutTree"),
        ]
        .map(|(kind, name, function, tree)| {
            let [kind, function, tree] =
                [kind, function, tree].map(|it| Ident::new(it, Span::call_site()));
            let ty = of(name);
            let function = quote! {
                #[inline]
                fn #function<#lifetime>(
                    _: #private::Internal<Self>,
                    #pattern: #private::#tree<#lifetime, Self>,
                ) -> Self::#kind<#lifetime> {
                    #name { #(#names: #locals),* }
                }
            };
            (quote!(type #kind<#lifetime> = #ty;), function)
        })
        .into_iter()
        .unzip::<_, _, Vec<_>, Vec<_>>();
        quote! {
            #[automatically_derived]
            impl #params #private::InColumns for #ty #bounds {
                type Values = #values;
                type Columns = #columns;
                #(#kinds)*
                type Column<__M> = __Column<__M>;
                const FIELDS: &'static [(&'static ::core::primitive::str, ::core::primitive::bool)] =
                    &[#((#texts, #are_open)),*];
                #[inline]
                fn take_apart(self, _: #private::Internal<Self>) -> Self::Values {
                    use #private::ProbeOfWholes as _;
                    let Self { #(#names: #locals),* } = #private::without_drop::<Self, _>(
                        self,
                        #private::DropProbe::<Self>::NEW.__ecs_own_drop(),
                    );
                    #pattern
                }
                #[inline]
                fn put_together(_: #private::Internal<Self>, #pattern: Self::Values) -> Self {
                    Self { #(#names: #locals),* }
                }
                #[inline]
                fn exchange(
                    &mut self,
                    _: #private::Internal<Self>,
                    #pattern: #private::RefMutTree<'_, Self>,
                ) {
                    #(::core::mem::swap(&mut self.#names, #locals);)*
                }
                #(#functions)*
            }
        }
    }

    /// Returns the methods of a reference.
    fn methods(&self) -> TokenStream {
        let private = self.private;
        let vis = &self.input.vis;
        let generics = self.generics();
        let (params, ..) = generics.split_for_impl();
        let own = self.own_bounds();
        let bounds = where_all(&own);
        let component = self.ty();
        let ident = &self.input.ident;
        let lifetime = self.lifetime.to_token_stream();
        let [reference, reference_mut] = [&self.reference, &self.reference_mut];
        let [of, of_mut] = [reference, reference_mut].map(|name| self.applied(name, &lifetime));
        let [shorter, shorter_mut] =
            [reference, reference_mut].map(|name| self.applied(name, &quote!('_)));
        let names: Vec<_> = self.fields.iter().map(|(_, name, _)| name).collect();
        let types: Vec<_> = self.fields.iter().map(|(_, _, ty)| ty).collect();
        // With a lifetime of its own, a bound that does not hold is no error. It has the bounds of the
        // component, too: others can neither copy nor see its private fields unless it says so.
        let whole_and_fields = || core::iter::once(&component).chain(types.iter().copied());
        let cloned: Vec<_> = whole_and_fields()
            .map(|ty| quote!(for<'__b> #ty: #private::CloneField<'__b>))
            .collect();
        let cloned = where_all(&cloned);
        let debug: Vec<_> =
            whole_and_fields().map(|ty| quote!(for<'__b> &'__b #ty: ::core::fmt::Debug)).collect();
        let debug = where_all(own.iter().chain(&debug));
        let text: Vec<_> = names.iter().map(|name| plain_name(name)).collect();
        let [value, f] = ["__value", "__f"].map(|name| Ident::new(name, Span::mixed_site()));
        let stored = where_all(&self.bounds_elsewhere());
        let list = Ident::new("__list", Span::mixed_site());
        // By paths: a user's trait may give everything a method `field`.
        let debugs = [(&of, reference), (&of_mut, reference_mut)].map(|(of, name)| {
            let title = plain_name(name);
            quote! {
                #[automatically_derived]
                impl #params ::core::fmt::Debug for #of #debug {
                    fn fmt(&self, #f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                        let mut #list = ::core::fmt::Formatter::debug_struct(#f, #title);
                        #(::core::fmt::DebugStruct::field(&mut #list, #text, &&*self.#names);)*
                        ::core::fmt::DebugStruct::finish(&mut #list)
                    }
                }
            }
        });
        quote! {
            impl #params #of #bounds {
                #[doc = "The component, put together from clones of its fields."]
                #[must_use]
                #vis fn to_owned(self) -> #component #cloned {
                    #ident { #(#names: #private::CloneField::clone_field(self.#names)),* }
                }
            }
            impl #params #of_mut #bounds {
                #[doc = "Returns these references, to be read."]
                #[must_use]
                #[inline]
                #vis fn as_ref(&self) -> #shorter {
                    #reference { #(#names: &*self.#names),* }
                }
                #[doc = "Returns these references, for a shorter time."]
                #[must_use]
                #[inline]
                #vis fn reborrow(&mut self) -> #shorter_mut {
                    #reference_mut { #(#names: &mut *self.#names),* }
                }
                #[doc = "Puts this value in the place of the present one, which is dropped last."]
                #[inline]
                #vis fn set(&mut self, #value: #component) #stored {
                    let __old = self.replace(#value);
                }
                #[doc = "Puts this value in the place of the present one, which is returned."]
                #[inline]
                #vis fn replace(&mut self, mut #value: #component) -> #component #stored {
                    #(::core::mem::swap(self.#names, &mut #value.#names);)*
                    #value
                }
            }
            #(#debugs)*
        }
    }

    /// The module of markers, one a column.
    fn module(&self) -> TokenStream {
        let vis = &self.input.vis;
        let module = &self.module;
        let doc = format!(
            "The columns of `{}`: a query names one to borrow a single field.",
            plain_name(&self.input.ident)
        );
        let mut generics = self.input.generics.clone();
        generics.where_clause = None;
        for param in generics.type_params_mut() {
            param.bounds = parse_quote!(?::core::marker::Sized);
            param.default = None;
        }
        for param in generics.const_params_mut() {
            param.default = None;
        }
        let params = self.input.generics.type_params().map(|param| &param.ident);
        let body = if is_generic(self.input) {
            // `*const` for parameters of any size, `fn` to be `Send` and `Sync`.
            quote!({ __of: ::core::marker::PhantomData<fn() -> (#(*const #params,)*)> })
        } else {
            quote!({})
        };
        let keyword = if is_generic(self.input) { quote!(struct) } else { quote!(enum) };
        let markers = self.fields.iter().map(|(field, name, _)| {
            let vis = visibility_inside(narrower(vis, &field.vis));
            let doc = format!("The column of `{}`.", plain_name(name));
            quote! {
                #[doc = #doc]
                #vis #keyword #name #generics #body
            }
        });
        quote! {
            #[doc = #doc]
            #vis mod #module { #(#markers)* }
        }
    }

    /// Returns the impls of the markers, and the impls of a type for which no other crate can write
    /// any.
    fn columns(&self) -> TokenStream {
        let private = self.private;
        let (params, arguments, _) = self.input.generics.split_for_impl();
        let own = self.own_bounds();
        let bounds = where_all(own.iter().chain(&self.bounds_elsewhere()));
        let component = self.ty();
        let module = &self.module;
        let column = |((_, name, _), path): (&(&Field, Ident, TokenStream), TokenStream)| {
            let text = format!("{}::{}", plain_name(module), plain_name(name));
            let ty = quote!(#module::#name #arguments);
            let known = known("InQueries", &params, &ty, &bounds, private);
            quote! {
                #known
                #[automatically_derived]
                impl #params #private::Target for #module::#name #arguments #bounds {
                    type Projection = #private::Column<#component, Self>;
                    const NAME: &'static ::core::primitive::str = #text;
                }
                #[automatically_derived]
                impl #params #private::ColumnAt for __Column<#module::#name #arguments> #bounds {
                    type Path = #path;
                }
                #[automatically_derived]
                impl #params #private::Term for #module::#name #arguments #bounds {
                    type Fetch = #private::Read<Self>;
                    type WithEntity = (#private::EntityFetch, #private::Read<Self>);
                }
            }
        };
        let columns = self.fields.iter().zip(paths(self.fields.len(), private)).map(column);
        quote! {
            #[doc(hidden)]
            pub struct __Column<__M>(::core::marker::PhantomData<fn() -> __M>);
            #(#columns)*
        }
    }
}

/// A balanced tree of pairs.
fn tree(parts: &[TokenStream]) -> TokenStream {
    match parts {
        [] => quote!(()),
        [one] => one.clone(),
        _ => {
            let (left, right) = parts.split_at(parts.len() / 2);
            let (left, right) = (tree(left), tree(right));
            quote!((#left, #right))
        }
    }
}

/// The ways to the leaves of such a tree.
fn paths(len: usize, private: &TokenStream) -> Vec<TokenStream> {
    if len <= 1 {
        return vec![quote!(#private::Here)];
    }
    let left = paths(len / 2, private).into_iter().map(|path| quote!(#private::Left<#path>));
    let right =
        paths(len - len / 2, private).into_iter().map(|path| quote!(#private::Right<#path>));
    left.chain(right).collect()
}

/// Returns this name for an emitted item, which lints ignore.
fn emitted(name: &Ident) -> Ident {
    let mut name = name.clone();
    name.set_span(Span::call_site().located_at(name.span()));
    name
}

/// Returns these tokens for an emitted item. With a span of the user's in front of it, lints such as `dead_code` see an
/// item of the user's.
fn unlinted(tokens: &impl ToTokens) -> TokenStream {
    let call_site = |mut token: TokenTree| {
        if let TokenTree::Group(group) = &mut token {
            *group = Group::new(group.delimiter(), unlinted(&group.stream()));
        }
        token.set_span(Span::call_site().located_at(token.span()));
        token
    };
    tokens.to_token_stream().into_iter().map(call_site).collect()
}

/// `HttpServer2` as `http_server2`.
pub fn module_name(ident: &Ident) -> Ident {
    let name = plain_name(ident);
    let mut module = String::new();
    let mut letters = name.chars().peekable();
    let mut before: Option<char> = None;
    while let Some(letter) = letters.next() {
        let starts = letter.is_uppercase()
            && before.is_some_and(|before| {
                before != '_'
                    && (!before.is_uppercase()
                        || letters.peek().is_some_and(|it| it.is_lowercase()))
            });
        if starts {
            module.push('_');
        }
        module.extend(letter.to_lowercase());
        before = Some(letter);
    }
    if module == name || NEVER_NAMES.contains(&module.as_str()) {
        module.push_str("_fields");
    }
    let span = Span::call_site().located_at(ident.span());
    // `syn` takes `gen`, a keyword since the edition of 2024, for a name.
    if module == "gen" || syn::parse_str::<Ident>(&module).is_err() {
        Ident::new_raw(&module, span)
    } else {
        Ident::new(&module, span)
    }
}

/// The one of two visibilities that is seen from less far.
fn narrower<'a>(a: &'a Visibility, b: &'a Visibility) -> &'a Visibility {
    let reach = |vis: &Visibility| match vis {
        Visibility::Inherited => 0,
        Visibility::Restricted(vis) if vis.path.is_ident("self") => 0,
        Visibility::Restricted(vis) if vis.path.is_ident("super") => 1,
        Visibility::Restricted(vis) if vis.path.is_ident("crate") => 3,
        Visibility::Restricted(_) => 2,
        Visibility::Public(_) => 4,
    };
    if reach(a) <= reach(b) { a } else { b }
}

/// A visibility as said one module further in.
fn visibility_inside(vis: &Visibility) -> TokenStream {
    match vis {
        Visibility::Public(_) => quote!(pub),
        Visibility::Inherited => quote!(pub(super)),
        Visibility::Restricted(restricted) => {
            let path: &Path = &restricted.path;
            if path.is_ident("self") {
                quote!(pub(super))
            } else if path.segments.first().is_some_and(|first| first.ident == "super") {
                quote!(pub(in super::#path))
            } else if let Some(rest) = after_self(path) {
                quote!(pub(in super::#rest))
            } else {
                vis.to_token_stream()
            }
        }
    }
}

/// `a::b` of `self::a::b`.
fn after_self(path: &Path) -> Option<TokenStream> {
    let first = path.segments.first().filter(|first| first.ident == "self")?;
    let _ = first;
    let rest = path.segments.iter().skip(1);
    Some(quote!(#(#rest)::*))
}

#[cfg(test)]
mod tests {
    use super::{module_name, narrower, paths, tree, visibility_inside};
    use quote::{ToTokens, format_ident, quote};
    use syn::{Visibility, parse_str};

    #[test]
    fn modules_are_named_after_their_structs() {
        for (name, module) in [
            ("Proximity", "proximity"),
            ("HttpServer2", "http_server2"),
            ("HTTPServer", "http_server"),
            ("Type", "r#type"),
            ("Gen", "r#gen"),
            ("Super", "super_fields"),
            ("already_snake", "already_snake_fields"),
            ("A", "a"),
        ] {
            assert_eq!(module_name(&format_ident!("{name}")).to_string(), module);
        }
    }

    #[test]
    fn trees_are_balanced_and_paths_lead_through_them() {
        let parts: Vec<_> = (0..5).map(|at| format_ident!("x{at}").to_token_stream()).collect();
        assert_eq!(tree(&parts).to_string(), "((x0 , x1) , (x2 , (x3 , x4)))");
        let paths = paths(3, &quote!(p)).into_iter().map(|path| path.to_string());
        assert_eq!(
            paths.collect::<Vec<_>>(),
            [
                "p :: Left < p :: Here >",
                "p :: Right < p :: Left < p :: Here > >",
                "p :: Right < p :: Right < p :: Here > >",
            ]
        );
    }

    #[test]
    fn visibilities_are_kept_one_module_further_in() {
        for (outside, inside) in [
            ("pub", "pub"),
            ("", "pub (super)"),
            ("pub(self)", "pub (super)"),
            ("pub(crate)", "pub (crate)"),
            ("pub(super)", "pub (in super :: super)"),
            ("pub(in crate::a)", "pub (in crate :: a)"),
            ("pub(in super::super)", "pub (in super :: super :: super)"),
        ] {
            let vis: Visibility = parse_str(outside).unwrap();
            assert_eq!(visibility_inside(&vis).to_string(), inside);
        }
        let [public, own]: [Visibility; 2] = ["pub", ""].map(|vis| parse_str(vis).unwrap());
        assert!(matches!(narrower(&public, &own), Visibility::Inherited));
    }
}
