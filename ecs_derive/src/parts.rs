//! The fields of a component, a resource or a type within them, and the handles of entities in them.

use crate::attr::{Entities, FieldAttr};
use crate::component::is_plain;
use crate::errors::Errors;
use crate::item::{field_name, located_at, mentions, plain_name, replace_self};
use crate::saving::is_packed;
use crate::serde_words::SerdeWords;
use crate::spell::spell;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::{Data, DeriveInput, Field, Fields, Member, Type};

/// A field, be it of a variant.
pub struct Part<'a> {
    variant: Option<&'a Ident>,
    pub member: Member,
    pub field: &'a Field,
    pub attr: FieldAttr,
    pub handles: Handles,
}

/// The knowledge of the handles in a field.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Handles {
    /// There are none: it is of numbers and texts.
    None,
    /// They stay as they are.
    Kept,
    /// They are replaced: the field is marked, or the target of a relation.
    Marked,
    /// `rustc` finds out whether there are some.
    Probed,
    /// It depends on a type parameter.
    Open,
}

impl Part<'_> {
    /// All fields of a struct or an enum; of a union, which is refused, none.
    pub fn all<'a>(
        input: &'a DeriveInput,
        read: fn(&Field, &mut Errors) -> FieldAttr,
        errors: &mut Errors,
    ) -> Vec<Part<'a>> {
        let mut all = Vec::new();
        let mut add = |variant, fields: &'a Fields| {
            for (member, field) in fields.members().zip(fields) {
                let attr = read(field, errors);
                let handles = handles(input, field, &attr, errors);
                all.push(Part { variant, member, field, attr, handles });
            }
        };
        match &input.data {
            Data::Struct(data) => add(None, &data.fields),
            Data::Enum(data) => {
                data.variants.iter().for_each(|it| add(Some(&it.ident), &it.fields));
            }
            Data::Union(_) => {}
        }
        all
    }

    /// Notes that the field is the target of a relation.
    pub fn mark_target(&mut self) {
        if !is_without_handles(&self.field.ty) {
            self.handles = Handles::Marked; // `rustc` reports errors in a relation's target
        }
    }

    /// Returns the mark before the field in a [shape](crate::shape), if it is at this place in the list of fields that
    /// may have handles.
    fn mark(&self, place: usize) -> String {
        match self.handles {
            Handles::Marked => "*".to_owned(),
            Handles::Probed if is_plain(&self.field.ty) => "*".to_owned(),
            Handles::Probed => format!("~{place} "),
            Handles::None | Handles::Kept | Handles::Open => String::new(),
        }
    }

    /// Returns the field's name, behind the name of its variant.
    fn path(&self) -> String {
        let name = field_name(&self.member);
        self.variant
            .map_or_else(|| name.clone(), |variant| format!("{}.{name}", plain_name(variant)))
    }
}

/// Returns the known facts about the handles in a field. A mark on a field of numbers and texts is a
/// mistake.
fn handles(input: &DeriveInput, field: &Field, attr: &FieldAttr, errors: &mut Errors) -> Handles {
    let ty = &field.ty;
    match attr.entities {
        Some(Entities::Ignore) => Handles::Kept,
        Some(Entities::Map) if is_without_handles(ty) => {
            let message = format!(
                "`entities` is for handles, and there are none in a `{}`; leave it out",
                spell(ty)
            );
            errors.at(ty, message);
            Handles::None
        }
        Some(Entities::Map) => Handles::Marked,
        None if is_without_handles(ty) || is_phantom(ty) => Handles::None,
        None => {
            let params: Vec<_> = input.generics.type_params().map(|param| &param.ident).collect();
            let is_open = mentions(ty.to_token_stream(), &params);
            if is_open { Handles::Open } else { Handles::Probed }
        }
    }
}

fn is_without_handles(ty: &Type) -> bool {
    is_plain(ty) && !mentions(ty.to_token_stream(), &[&Ident::new("Entity", Span::call_site())])
}

fn is_phantom(ty: &Type) -> bool {
    match crate::field_type::bare(ty) {
        Type::Path(path) => {
            path.path.segments.last().is_some_and(|last| last.ident == "PhantomData")
        }
        _ => false,
    }
}

/// Returns the fields that may hold handles; fields that depend on a type parameter come last.
fn listed<'p>(parts: &'p [Part<'p>]) -> impl Iterator<Item = &'p Part<'p>> {
    let open = parts.iter().filter(|part| part.handles == Handles::Open);
    let others = parts.iter().filter(|it| !matches!(it.handles, Handles::None | Handles::Open));
    others.chain(open)
}

/// Returns the mark before this field in a [shape](crate::shape).
pub fn mark_of(field: &Field, parts: &[Part]) -> String {
    let found = listed(parts).enumerate().find(|(_, part)| std::ptr::eq(part.field, field));
    found.map_or_else(String::new, |(place, part)| part.mark(place))
}

/// The fields that may hold handles, and the code that names, replaces and visits these.
pub struct HandleParts<'p> {
    input: &'p DeriveInput,
    parts: Vec<&'p Part<'p>>,
    private: &'p TokenStream,
    /// `true` if a packed struct's fields cannot be borrowed.
    is_packed: bool,
}

impl<'p> HandleParts<'p> {
    pub fn of(input: &'p DeriveInput, parts: &'p [Part<'p>], private: &'p TokenStream) -> Self {
        Self { input, parts: listed(parts).collect(), private, is_packed: is_packed(input) }
    }

    /// Returns the bounds of a generic type whose values may leave their world: unmarked fields that depend on a type
    /// parameter hold no handles.
    pub fn bounds(&self) -> Vec<TokenStream> {
        let private = self.private;
        let open = self.parts.iter().filter(|part| part.handles == Handles::Open);
        let bound = |part: &&Part| {
            let ty = &part.field.ty;
            quote!(#private::Handles: #private::NoneIn<#ty>)
        };
        open.map(bound).collect()
    }

    /// Returns the constant that lists the fields, and the functions that replace and visit their handles. Open fields
    /// are left out if [bounds](Self::bounds) say that they hold none.
    pub fn expand(&self, are_bounded: bool) -> TokenStream {
        let private = self.private;
        let is_listed = |part: &&&Part| !(are_bounded && part.handles == Handles::Open);
        let listed: Vec<_> = self.parts.iter().filter(is_listed).collect();
        if listed.is_empty() {
            return TokenStream::new();
        }
        let fields = listed.iter().map(|part| self.field(part, false));
        let probe = self.probe("Unmapped");
        let value = quote!(__value);
        let [maps, visits] = [true, false].map(|maps| self.calls(&value, maps, false));
        let internal = quote!(_: #private::Internal<Self>);
        let map =
            (!maps.is_empty()).then(|| self.map(&quote!(#internal, __value: &mut Self), &maps));
        let visit =
            (!visits.is_empty()).then(|| self.visit(&quote!(#internal, __value: &Self), &visits));
        quote! {
            const HANDLE_FIELDS: &'static [#private::HandleField] = {
                #probe
                &[#(#fields),*]
            };
            #map #visit
        }
    }

    /// Returns the functions of an impl of `MapEntities`.
    pub fn methods(&self) -> TokenStream {
        let this = quote!(self);
        let [maps, visits] = [true, false].map(|maps| self.calls(&this, maps, true));
        let (map, visit) =
            (self.map(&quote!(&mut self), &maps), self.visit(&quote!(&self), &visits));
        quote!(#map #visit)
    }

    /// Returns the function that makes these calls to replace handles.
    fn map(&self, value: &TokenStream, calls: &[TokenStream]) -> TokenStream {
        let (private, probe) = (self.private, self.probe("UnmappedField"));
        quote! {
            fn map_entities(
                #value,
                __map: &mut dyn ::core::ops::FnMut(#private::Entity) -> #private::Entity,
            ) {
                #probe
                #(#calls)*
            }
        }
    }

    /// Returns the function that makes these calls to visit handles.
    fn visit(&self, value: &TokenStream, calls: &[TokenStream]) -> TokenStream {
        let (private, probe) = (self.private, self.probe("UnmappedField"));
        quote! {
            fn visit_entities(#value, __visit: &mut dyn ::core::ops::FnMut(#private::Entity)) {
                #probe
                #(#calls)*
            }
        }
    }

    /// Imports the trait of a probe, if a field is probed.
    fn probe(&self, name: &str) -> Option<TokenStream> {
        let (private, name) = (self.private, Ident::new(name, Span::call_site()));
        let is_probed = self.parts.iter().any(|part| part.handles == Handles::Probed);
        is_probed.then(|| quote!(use #private::#name as _;))
    }

    /// Returns the calls that map or visit the handles in the fields of `value`, which is of a component or a resource, or
    /// nested in one. In a nested value, a placeholder stands for the handles of a field that keeps them.
    fn calls(&self, value: &TokenStream, maps: bool, is_nested: bool) -> Vec<TokenStream> {
        let private = self.private;
        // The pattern of a struct, or of the only variant, always matches.
        let may_differ = matches!(&self.input.data, Data::Enum(data) if data.variants.len() > 1);
        let (named, with) = if maps {
            (quote!(map_entities), quote!(__map))
        } else {
            (quote!(visit_entities), quote!(__visit))
        };
        let call = |part: &&&Part| {
            let Part { variant, member, field, handles, .. } = part;
            if !maps && SerdeWords::of(&field.attrs).is_skipped {
                return None; // unsaved fields are not compared
            }
            // Not `Self::Variant`, which might be an associated type of the trait, too.
            let name = &self.input.ident;
            let path = variant.map_or_else(|| quote!(Self), |variant| quote!(#name::#variant));
            let call = match handles {
                Handles::Kept if is_nested && !maps => {
                    let pattern = quote!(#path { .. });
                    let call = quote!(#with(#private::Entity::PLACEHOLDER););
                    return Some(if may_differ {
                        quote!(if let #pattern = #value { #call })
                    } else {
                        call
                    });
                }
                Handles::None | Handles::Kept => return None,
                Handles::Open if !is_nested => return None,
                Handles::Open | Handles::Marked => {
                    let call = located_at(quote!(#private::MapEntities::#named), &field.ty);
                    quote!(#call(__handles, #with);)
                }
                Handles::Probed if maps => {
                    quote!(#private::MappedField(__handles).__ecs_map(#with);)
                }
                Handles::Probed => quote!(#private::VisitedField(__handles).__ecs_visit(#with);),
            };
            if self.is_packed {
                // A field is copied out, as it cannot be borrowed.
                let back = maps.then(|| quote!(#value.#member = __copy;));
                let lent = if maps { quote!(&mut __copy) } else { quote!(&__copy) };
                let mutable = maps.then(|| quote!(mut));
                return is_copied(&field.ty).then(|| {
                    quote!({ let #mutable __copy = #value.#member; let __handles = #lent; #call #back })
                });
            }
            let pattern = quote!(#path { #member: __handles, .. });
            Some(if may_differ {
                quote!(if let #pattern = #value { #call })
            } else {
                quote!({ let #pattern = #value; #call })
            })
        };
        self.parts.iter().filter_map(|part| call(&part)).collect()
    }

    /// Returns checks of the unmarked fields, each a constant that fails if the field has handles that nothing replaces.
    /// They stay as they are by `stay`.
    pub fn checks(&self, stay: &str) -> TokenStream {
        let (private, name) = (self.private, plain_name(&self.input.ident));
        let probed = self.parts.iter().filter(|part| part.handles == Handles::Probed);
        // A constant outside of the impl cannot name a parameter: such fields are checked when values are copied or written.
        let params: Vec<_> = self.input.generics.const_params().map(|param| &param.ident).collect();
        let is_named = |part: &Part| mentions(part.field.ty.to_token_stream(), &params);
        let checks =
            probed.filter(|part| !is_named(part) && (!is_plain(&part.field.ty) || self.is_packed));
        let checks = checks.map(|part| {
            let field = self.field(part, true);
            let check = quote!(#private::HandleField::check(&#field, #name, #stay));
            let check = located_at(check, &part.field.ty);
            quote!(#check;)
        });
        let checks: Vec<_> = checks.collect();
        if checks.is_empty() {
            return TokenStream::new();
        }
        quote!(const _: () = { use #private::Unmapped as _; #(#checks)* };)
    }

    /// Returns a field in the list, or in a constant outside of the impl.
    fn field(&self, part: &Part, is_outside: bool) -> TokenStream {
        let (private, path, ty) = (self.private, part.path(), &part.field.ty);
        let text = spell(ty);
        match part.handles {
            Handles::Kept => quote!(#private::HandleField::kept(#path, #text)),
            Handles::Marked => quote!(#private::HandleField::mapped(#path, #text)),
            Handles::None | Handles::Open => {
                let none = quote!(::core::option::Option::None);
                quote!(#private::HandleField::probed(#path, #text, #none, false))
            }
            Handles::Probed => {
                let ty = ty.to_token_stream();
                let ty = if is_outside { replace_self(ty, self.input) } else { ty };
                let probe = quote!(#private::HandleProbe::<#ty>);
                let maps = if self.is_packed && !is_copied(&part.field.ty) {
                    quote!(::core::option::Option::None)
                } else {
                    quote!(#probe::__ECS_MAPS)
                };
                quote!(#private::HandleField::probed(#path, #text, #maps, #probe::__ECS_IS_FREE))
            }
        }
    }
}

/// Returns `true` if tokens show that values are copied.
fn is_copied(ty: &Type) -> bool {
    let owning = ["Vec", "Box", "String"].map(|name| Ident::new(name, Span::call_site()));
    is_plain(ty) && !mentions(ty.to_token_stream(), &owning.each_ref())
}
