//! `#[component(relation)]`

use crate::attr::{ComponentAttr, unlisted};
use crate::errors::Errors;
use crate::field_type::{argument_of, bare};
use crate::item::{is_generic, located_at, plain_name};
use crate::parts::Part;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Data, DeriveInput, ExprPath, Field, Member, Type};

/// A component that points to an entity.
pub struct Relation<'a> {
    target: Member,
    field: &'a Field,
    at_end: Option<ExprPath>,
    acyclic: bool,
    /// The component that the targets have.
    pub of_targets: Option<Type>,
}

impl<'a> Relation<'a> {
    /// Returns the relation's attribute, if there is a valid one.
    pub fn of(
        input: &'a DeriveInput,
        attr: &ComponentAttr,
        fields: &[Part<'a>],
        errors: &mut Errors,
    ) -> Option<Self> {
        let marked: Vec<_> = fields.iter().filter(|part| part.attr.target).collect();
        if !attr.relation {
            if let Some(at_end) = &attr.at_end {
                refuse_without_relation(at_end, "at_end = ..", errors);
            } else if attr.acyclic {
                refuse_without_relation(&input.ident, "acyclic", errors);
            } else if let Some(part) = marked.first() {
                errors.at(
                    part.field,
                    "`target` is for relations: add `#[component(relation)]` on top",
                );
            }
            return None;
        }
        let name = plain_name(&input.ident);
        if !matches!(input.data, Data::Struct(_)) {
            let message = format!(
                "a relation is a struct that holds the `Entity` it points to; make `{name}` a struct"
            );
            errors.at(&input.ident, message);
            return None;
        }
        if is_generic(input) {
            let message = format!(
                "a relation has no parameters, as each is one relation of its own; write a struct for \
                 each `{name}`"
            );
            errors.at(&input.generics.params, message);
            return None;
        }
        if attr.soa {
            let message = format!("relation `{name}` is stored whole; remove `layout = \"soa\"`");
            errors.at(&input.ident, message);
            return None;
        }
        let of_type = |name| fields.iter().filter(move |part| is_named(&part.field.ty, name));
        let mut entities: Vec<_> = of_type("Entity").collect();
        if entities.is_empty() {
            entities = of_type("EntityOf").collect();
        }
        let candidates = if marked.is_empty() { &entities } else { &marked };
        let [Part { member: target, field, .. }] = candidates[..] else {
            let message = match candidates.len() {
                0 => format!(
                    "relation `{name}` has no `Entity` to point to; give it one, as in \
                     `struct {name}(Entity);`"
                ),
                _ if marked.is_empty() => format!(
                    "relation `{name}` has several `Entity` fields; put `#[component(target)]` on the \
                     one that it points to"
                ),
                _ => {
                    format!("relation `{name}` points to one entity; mark one field as its target")
                }
            };
            errors.at(&input.ident, message);
            return None;
        };
        let (at_end, acyclic) = (attr.at_end.clone(), attr.acyclic);
        let of_field = match bare(&field.ty) {
            Type::Path(path) => argument_of(path, "EntityOf"),
            _ => None,
        };
        if let (Some(ty), Some(_)) = (&attr.of_targets, of_field) {
            let message = format!(
                "the `EntityOf` in relation `{name}` states the component of its targets; leave this out"
            );
            errors.at(ty, message);
        }
        let of_targets = attr.of_targets.clone().or_else(|| of_field.cloned());
        Some(Self { target: target.clone(), field, at_end, acyclic, of_targets })
    }

    /// The field that it points by.
    pub fn target(&self) -> &Member {
        &self.target
    }

    pub fn expand(&self, input: &DeriveInput, private: &TokenStream) -> TokenStream {
        let (name, Self { target, field, acyclic, .. }) = (&input.ident, self);
        let at_end = match &self.at_end {
            None => quote!(REMOVE),
            Some(path) if path.path.is_ident("remove") => quote!(REMOVE),
            Some(path) if path.path.is_ident("despawn") => quote!(DESPAWN),
            Some(path) => quote!(call(#path)),
        };
        let unlisted = unlisted(input);
        let set_target = located_at(quote!(__value.#target), &field.ty);
        let target = located_at(quote!(self.#target), &field.ty);
        let (target, set_target) = if is_named(&field.ty, "EntityOf") {
            (
                quote!(#private::EntityOf::entity(#target)),
                quote!(#private::set_entity_of(&mut #set_target, __target)),
            )
        } else {
            (target, quote!(#private::set_entity(&mut #set_target, __target)))
        };
        quote! {
            #[automatically_derived]
            #unlisted
            impl #private::Relation for #name {
                const ACYCLIC: ::core::primitive::bool = #acyclic;
                const AT_END: #private::AtEnd<Self> = #private::AtEnd::#at_end;
                #[inline]
                fn target(&self) -> #private::Entity {
                    #target
                }
                fn set_target(
                    _: #private::Internal<Self>,
                    __value: &mut Self,
                    __target: #private::Entity,
                ) {
                    #set_target;
                }
            }
        }
    }
}

fn refuse_without_relation(place: &impl ToTokens, key: &str, errors: &mut Errors) {
    let message =
        format!("`{key}` is for relations: write `#[component(relation, {key})]`, or leave it out");
    errors.at(place, message);
}

/// Returns `true` if it is a type of this name, under any path.
fn is_named(ty: &Type, name: &str) -> bool {
    match bare(ty) {
        Type::Path(path) => path.path.segments.last().is_some_and(|last| last.ident == name),
        _ => false,
    }
}
