//! `#[derive(Views)]`

use crate::attr;
use crate::errors::Errors;
use crate::field_type::bare;
use crate::item::{
    Static, bindings, field_name, in_const, is_generic, located_at, make_static, named, own_bounds,
    plain_name, projection, standing_at, type_arguments, type_with_lifetime, where_all,
};
use crate::lifetimes;
use core::mem;
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use syn::{
    Data, DeriveInput, Field, Fields, GenericArgument, Ident, Lifetime, PathArguments, Type,
};

/// The longest tuple that the library implements traits for; a tuple does the work for the fields.
const MOST_VIEWS: usize = 12;

pub fn expand(input: &DeriveInput, errors: &mut Errors) -> TokenStream {
    let private = attr::private(input, errors);
    let fields = fields(input, errors);
    if let Some(fields) = fields {
        check_lifetimes(input, fields, errors);
    }
    let fields = fields.filter(|_| errors.is_empty());
    in_const(&private.map(|private| impls(input, fields, &private)).unwrap_or_default())
}

fn fields<'a>(input: &'a DeriveInput, errors: &mut Errors) -> Option<&'a Fields> {
    let name = plain_name(&input.ident);
    let keyword = match &input.data {
        Data::Struct(data) if data.fields.is_empty() => {
            let message = format!(
                "views `{name}` has no fields; give it one per view, as in \
                 `movers: View<'w, (&'w mut Position, &'w Velocity)>`"
            );
            errors.at(&input.ident, message);
            return None;
        }
        Data::Struct(data) if data.fields.len() > MOST_VIEWS => {
            let message = format!(
                "views `{name}` has more than {MOST_VIEWS} fields; put some into a struct of their own, which is \
                 a field"
            );
            errors.at(&input.ident, message);
            return None;
        }
        Data::Struct(data) => return Some(&data.fields),
        Data::Enum(data) => data.enum_token.to_token_stream(),
        Data::Union(data) => data.union_token.to_token_stream(),
    };
    let message =
        format!("a set of views is a struct with a field per view; make `{name}` a struct");
    errors.at(&keyword, message);
    None
}

fn check_lifetimes(input: &DeriveInput, fields: &Fields, errors: &mut Errors) {
    if input.generics.lifetimes().next().is_some() {
        return lifetimes::check(input, named(fields), &lifetimes::OF_VIEWS, errors);
    }
    let name = plain_name(&input.ident);
    let message =
        format!("views `{name}` borrow the world; write `struct {name}<'w>` and `View<'w, ..>`");
    errors.at(&input.ident, message);
}

/// A field, and the type that does its work.
struct ViewField<'a> {
    field: &'a Field,
    /// Its type.
    ty: TokenStream,
    /// The query, if the type is a `View` as far as tokens show. Then `rustc` reports its errors
    /// where the struct is declared, and would repeat them wherever its type is named.
    query: Option<TokenStream>,
    /// The names of the constant that decides whether it is a parameter of a system, and of its
    /// substitute. The fields of a generic struct have none, because constants cannot name its
    /// parameters.
    names: Option<(Ident, Ident)>,
}

impl<'a> ViewField<'a> {
    fn of(at: usize, field: &'a Field, lifetimes: &[&Lifetime], is_generic: bool) -> Self {
        let make_static = |ty: &Type| make_static(ty.to_token_stream(), lifetimes);
        let name = |name: &str| Ident::new(&format!("{name}{at}"), Span::call_site());
        Self {
            field,
            ty: make_static(&field.ty),
            query: query_of(&field.ty).map(make_static),
            names: (!is_generic).then(|| (name("__IS_PARAM_"), name("__Field"))),
        }
    }

    fn items(&self, private: &TokenStream) -> Option<TokenStream> {
        let (is_param, stand_in) = self.names.as_ref()?;
        let query = self.query.as_ref().map(|query| quote!(#private::Viewed<#query>));
        let ty = query.as_ref().unwrap_or(&self.ty);
        Some(quote! {
            type #stand_in = #ty;
            const #is_param: ::core::primitive::bool =
                #private::ParamProbe::<#stand_in>::__ECS_IS_PARAM;
        })
    }

    fn supply(&self, private: &TokenStream) -> TokenStream {
        let of = quote!(#private::Param);
        let Some((is_param, stand_in)) = &self.names else {
            return projection(&self.ty, &of, "Supply", &self.field.ty);
        };
        quote!(<#private::ParamIf<#stand_in, { #is_param }> as #of>::Supply)
    }

    /// The field, from the value that was given for it.
    fn value(&self, given: &Ident, private: &TokenStream) -> TokenStream {
        let Some((is_param, _)) = &self.names else {
            return quote!(::core::convert::From::from(#given));
        };
        let into = quote!(#private::GivenIf::<{ #is_param }, _>::__ecs_into);
        let into = standing_at(into, &self.field.ty);
        standing_at(quote!(#into(#given)), &self.field.ty)
    }

    /// An error at the field if it is wrong, unless there is one already.
    fn check(&self, private: &TokenStream) -> Option<TokenStream> {
        let ty = &self.ty;
        let check = || located_at(quote!(#private::check_param::<#ty>()), &self.field.ty);
        self.query.is_none().then(check)
    }
}

/// The `Q` of `View<'w, Q>`, under whatever path.
fn query_of(ty: &Type) -> Option<&Type> {
    let Type::Path(path) = bare(ty) else { return None };
    let last = path.path.segments.last().filter(|last| last.ident == "View")?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    let mut arguments = arguments.args.iter();
    match (arguments.next()?, arguments.next()?, arguments.next()) {
        (GenericArgument::Lifetime(_), GenericArgument::Type(query), None) => Some(query),
        _ => None,
    }
}

/// Without fields this is the impl of a stub, whatever the item is.
fn impls(input: &DeriveInput, fields: Option<&Fields>, private: &TokenStream) -> TokenStream {
    let name = &input.ident;
    let lifetimes: Vec<_> = input.generics.lifetimes().map(|param| &param.lifetime).collect();
    let is_generic = is_generic(input);
    let (mut impl_generics, mut item_lifetime) =
        (input.generics.clone(), Lifetime::new("'__w", Span::call_site()));
    // `rustc` reports a wrong type of a field where the struct is declared and again where it is
    // built, and merges two errors with equal text. So the code that builds the field has the span
    // of its type, and names its lifetime.
    let is_plain = !is_generic && input.generics.where_clause.is_none();
    if let Some(own) = impl_generics.lifetimes_mut().next().filter(|_| is_plain) {
        mem::swap(&mut own.lifetime, &mut item_lifetime);
    }
    let all = fields.into_iter().flatten().enumerate();
    let all: Vec<_> =
        all.map(|(at, field)| ViewField::of(at, field, &lifetimes, is_generic)).collect();
    let supplies = all.iter().map(|field| field.supply(private));
    let items = all.iter().filter_map(|field| field.items(private));
    let members: Vec<_> = fields.into_iter().flat_map(Fields::members).collect();
    let names = members.iter().map(field_name);
    let bindings = fields.map(bindings).unwrap_or_default();

    let (supplies, views, build) = if fields.is_some() {
        let arguments = type_arguments(input, &item_lifetime);
        let path = quote!(#name::#arguments);
        let values = all.iter().zip(&bindings).map(|(field, it)| field.value(it, private));
        (
            quote!((#(#supplies,)*)),
            type_with_lifetime(input, &item_lifetime),
            quote! {
                let (#(#bindings,)*) = __given;
                #path { #(#members: #values),* }
            },
        )
    } else {
        // Anything does for a stub.
        let any = quote!((<#private::Viewed<#private::Entity> as #private::Param>::Supply,));
        (any, Static::of(input).ty, quote!(loop {}))
    };
    let outlives = input.generics.type_params().map(|param| &param.ident);
    let bounds: Vec<_> = own_bounds(&input.generics)
        .into_iter()
        .chain(outlives.map(|param| quote!(#param: 'static)))
        .collect();
    let bounds = where_all(&bounds);
    let (params, ty_arguments, _) = impl_generics.split_for_impl();
    let as_static = Static::of(input).ty;
    let check = fields.filter(|_| !is_generic).map(|_| {
        let check = located_at(quote!(#private::check_views::<#as_static>()), name);
        let of_fields = all.iter().filter_map(|field| field.check(private));
        quote! {
            use #private::NoParam as _;
            #(#items)*
            const _: () = { #(#of_fields;)* #check };
        }
    });

    quote! {
        #[automatically_derived]
        impl #params #private::ViewSet for #name #ty_arguments #bounds {
            type Supplies = #supplies;
            type Views<#item_lifetime> = #views;
            const NAMES: &'static [&'static ::core::primitive::str] = &[#(#names),*];
            #[inline]
            fn build<#item_lifetime>(
                _: #private::Internal<Self>,
                __given: <Self::Supplies as #private::SupplySet>::Given<#item_lifetime>,
            ) -> Self::Views<#item_lifetime> {
                #build
            }
        }

        #[automatically_derived]
        impl #params #private::ListsParam<#name #ty_arguments> for #private::Registry #bounds {
            type This = #name #ty_arguments;
        }

        #[automatically_derived]
        impl #params #private::ParamParts for #name #ty_arguments #bounds {
            type Supply = #private::OfStruct<#as_static>;
            type Item<#item_lifetime> = #views;
        }
        #check
    }
}
