//! The derives of `ecs`. Use them through that crate, which re-exports them.
//!
//! A derive is a small compiler: `attr` reads the attributes, `component`, `query`, `bundle`, `views`, `resource` and
//! `map_entities` each build a model of the item, judge it and expand it. Mistakes are collected in `errors`, each at its
//! token; a failed derive still emits an impl, so that one mistake is one error. The emitted code is safe, names everything
//! by absolute paths, and uses `ecs::__private`.

mod aliasing;
mod attr;
mod bundle;
mod columns;
mod component;
mod errors;
mod field_type;
mod fields;
mod index;
mod item;
mod library;
mod lifetimes;
mod map_entities;
mod parts;
mod query;
mod relation;
mod resource;
mod rules;
mod saving;
mod schedule;
mod serde_words;
mod shape;
mod spell;
mod table;
mod views;

#[cfg(test)]
mod tests;

use crate::errors::Errors;
use proc_macro2::TokenStream;
use quote::quote;
use syn::DeriveInput;

/// Makes a struct or enum a component: data that an entity can have.
///
/// * `#[component(bit = 5)]` pins the bit, 0 to 63, that the type has in signatures. Without it a
///   hash of the type's name and place chooses.
/// * `#[component(veto = path)]` names a `fn(&mut Self) -> bool` that is asked before a removal and
///   before the entity's end; `false` keeps the component, or the entity. For a component in
///   columns it is a `fn(NameMut) -> bool`.
/// * `#[component(needs(Health), excludes(Enemy), replaces(Walking))]`, any of them, are rules about other components;
/// * `#[component(requires(Velocity, Health = Health(3)))]` names components that an entity is given with
///   this one, where it lacks them: by their `Default`, or by the value of an expression, which may say
///   `Self`. Components that require each other in a circle are a compile error.
/// * `#[component(relation)]` makes a struct with an `Entity` in it a relation, which points to that entity;
///   `#[component(target)]` says which field it is, where there are several. `at_end = despawn`, `remove` or the
///   path of a `fn(&mut World, Entity, Self)` decides about entities whose target ends; `acyclic` refuses
///   circles. `relation(target = Ship)` is a rule: each entity that it points to has a `Ship`.
/// * `#[component(clone)]` lets values be copied, by `Clone`, with their world or entity; `clone = skip` leaves them out of
///   copies.
/// * `#[component(entities = ignore)]` on a field leaves the handles of entities in it as they are, where a value comes into
///   another world. Handles in other fields are replaced. A field that hides handles is a compile error if the component is
///   copied or saved. `entities` marks a field whose type depends on a type parameter.
/// * `#[component(range = 0.0..=1.0, unit = "m")]`, either of them, on a field, or on a struct with one field, are the
///   numbers that a tool offers, and their unit. Nothing else refuses other numbers.
/// * `#[component(debug, default)]`, either of them, lets tools show values, by `Debug`, and insert one, by `Default`,
///   where the type is known by its name only.
/// * `#[component(save = "target", version = 2, from(1 = TargetV1))]`, with the feature `serde` of the library, saves the
///   component under this name. A value of an earlier version is read as that type, and `From` makes the component from
///   it. `instance = T::NAME` distinguishes the instances of a generic type. `bytes`, with the feature of this name, saves
///   values of plain data as the bytes that they have in memory. `save = skip` leaves them out of files.
/// * `#[component(layout = "soa")]` stores a struct with named fields in columns, a `Vec` a field, and
///   emits `NameRef`, `NameMut`, `NameSlices`, `NameSlicesMut` and `mod name`. The keys `ref`, `mut`,
///   `slices`, `slices_mut` and `fields` give these other names. The trait's documentation says when
///   to choose it.
/// * `#[ecs(crate = path)]` sets the path of the library, if it is no dependency and not `crate::ecs`.
///
/// A component owns its data, so the type has no lifetime parameters. Type and const parameters
/// are fine; such a type is a component where it is `Send + Sync + 'static`.
///
#[doc = include_str!("examples/component.md")]
#[proc_macro_derive(Component, attributes(component, query, ecs))]
pub fn derive_component(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    derive(input.into(), "Component", component::expand).into()
}

/// Makes a struct or an enum a query: for each entity that matches, one value of it.
///
/// A field is `Entity`, `&'w T`, `&'w mut T`, another derived query, an `Option` of one of the last
/// three, `Has<T>`, a filter (`With<T>`, `Without<T>`, `WithAny<(T, ..)>`), or a tuple of fields. `'w`,
/// under any name, is the struct's only lifetime.
///
/// The variants of an enum are alternatives with such fields: an entity yields the first variant that it matches. A last
/// variant without fields matches every entity.
///
/// * `#[query(column = proximity::distance)]` on a field, which is a `&'w T`, a `&'w mut T` or an
///   `Option` of these, borrows that column of a component with `layout = "soa"`. Such a component as
///   a whole is a `ProximityRef<'w>` or a `ProximityMut<'w>`.
/// * `#[query(with(A, B), without(C))]` asks for entities that also have `A` and `B`, and lack `C`.
/// * `#[ecs(crate = path)]` sets the path of the library, if it is no dependency and not `crate::ecs`.
///
/// Two fields that touch one component, one of them writing, are a compile error at the second.
/// A query is no more visible than the components it names: `rustc` refuses a `pub` query of
/// private components.
///
#[doc = include_str!("examples/query.md")]
#[proc_macro_derive(Query, attributes(component, query, ecs))]
pub fn derive_query(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    derive(input.into(), "Query", query::expand).into()
}

/// Makes a struct a bundle: components that are inserted together.
///
/// Every field is a component or another bundle; no component may occur twice.
///
/// * `#[ecs(crate = path)]` sets the path of the library, if it is no dependency and not `crate::ecs`.
///
#[doc = include_str!("examples/bundle.md")]
#[proc_macro_derive(Bundle, attributes(component, query, ecs))]
pub fn derive_bundle(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    derive(input.into(), "Bundle", bundle::expand).into()
}

/// Makes a struct of views an argument of `World::split_mut`, for views that live together, and a parameter of
/// systems.
///
/// Each field is a `View<'w, Query>`, or the `&'w T` or `&'w mut T` of a resource, which may be in an
/// `Option`. No view may access a component that another writes, unless one requires a component that the
/// other excludes; the compiler checks it, and names the fields.
///
/// A field may also be whatever else a system is given: `Local<'w, T>`, `&'w mut Commands`, `SpawnCommands<'w>`,
/// `EntityAllocator<'w>`, `&'w Changes<T>`, `HasChanged<T>`, `&'w World`, or another such struct. Where something is
/// kept from run to run, as in a `Local` or in commands, the struct is a parameter only: a split has no place for it.
/// The struct has the accesses of its fields.
///
/// * `#[ecs(crate = path)]` sets the path of the library, if it is no dependency and not `crate::ecs`.
///
#[doc = include_str!("examples/views.md")]
#[proc_macro_derive(Views, attributes(component, query, ecs))]
pub fn derive_views(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    derive(input.into(), "Views", views::expand).into()
}

/// Makes a struct or enum a resource: data that belongs to no entity. A world has one value of it.
///
/// * `#[resource(clone)]` lets the value be copied, by `Clone`, with its world. `#[resource(clone = skip)]` lets it stay
///   where it is when its world is copied.
/// * `#[resource(save = "score", version = 2, from(1 = ScoreV1))]`, with the feature `serde` of the library, saves the
///   value with its world, as a component is saved; of a generic type `instance = T::NAME` distinguishes the instances.
///   `#[resource(save = skip)]` lets it stay where it is when its world is saved.
/// * `#[resource(entities = ignore)]` on a field leaves the handles of entities in it as they are, like the attribute of a
///   component.
/// * `#[ecs(crate = path)]` sets the path of the library, if it is no dependency and not `crate::ecs`.
///
/// A resource owns its data, so the type has no lifetime parameters. Type and const parameters are fine; such a
/// type is a resource where it is `Send + Sync + 'static`.
///
#[doc = include_str!("examples/resource.md")]
#[proc_macro_derive(Resource, attributes(component, query, resource, ecs))]
pub fn derive_resource(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    derive(input.into(), "Resource", resource::expand).into()
}

/// Implements `MapEntities` for a struct or enum that stands within components: its handles of entities are replaced where a
/// component comes into another world.
///
/// Each field whose type implements `MapEntities` is visited. A field that may hold handles and implements it not is a
/// compile error.
///
/// * `#[entities(ignore)]` on a field leaves its handles as they are.
/// * `#[ecs(crate = path)]` sets the path of the library, if it is no dependency and not `crate::ecs`.
///
/// Each type parameter must implement `MapEntities`.
///
#[doc = include_str!("examples/map_entities.md")]
#[proc_macro_derive(MapEntities, attributes(entities, ecs))]
pub fn derive_map_entities(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    derive(input.into(), "MapEntities", map_entities::expand).into()
}

/// Declares a schedule: systems in a list, which are run in its order.
///
/// A line is one of these:
///
/// | line | means |
/// |---|---|
/// | `steer`, `heal::<Player>` | the system, by the path of its function |
/// | `steer if is_running` | the system, in those runs in which the condition is `true`: a system that only reads, asked just before |
/// | `together(heal, hurt)` | systems that are meant to overlap: a compile error if two of them conflict |
/// | `physics: Physics` | another `schedule!`, and a name by which it is switched off |
/// | `physics: Physics if is_running` | the same, in those runs in which the condition is `true`: it is asked once, before the first system |
/// | `sync` | recorded commands are applied here |
///
/// One rule: systems that conflict run in the order listed; all others may overlap. The result is the same as running
/// the list from top to bottom. Two systems conflict if one accesses data that the other writes: a component, a column
/// of one, a resource. Two views have nothing in common if one requires a component that the other excludes. A system
/// that takes `&World` conflicts with all that write, and one that takes `&mut World` with all, as does `sync`.
/// Recorded commands are also applied before a system that takes either of them.
///
/// The macro emits a struct around a `Schedule`, to which it dereferences: `new`, `run`, `switch` and so on. Its
/// constant `PLAN` states which systems wait for which.
///
/// * `#[ecs(crate = path)]` sets the path of the library, if it is no dependency and not `crate::ecs`. Other attributes go to the struct.
///
#[doc = include_str!("examples/schedule.md")]
#[proc_macro]
pub fn schedule(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    schedule_of(input.into()).into()
}

/// Returns the expansion of `schedule!`.
fn schedule_of(input: TokenStream) -> TokenStream {
    let schedule = match syn::parse2::<schedule::Schedule>(input) {
        Ok(schedule) => schedule,
        Err(error) => return error.into_compile_error(),
    };
    let mut errors = Errors::default();
    let emitted = schedule::expand(schedule, &mut errors);
    let errors = errors.into_compile_errors();
    quote!(#errors #emitted)
}

/// Runs a derive. `expand` reports mistakes beside its result.
fn derive(
    input: TokenStream,
    name: &str,
    expand: fn(&DeriveInput, &mut Errors) -> TokenStream,
) -> TokenStream {
    let input = match syn::parse2::<DeriveInput>(input) {
        Ok(input) => input,
        Err(error) => return error.into_compile_error(),
    };
    let mut errors = Errors::default();
    if name != "MapEntities" {
        attr::refuse_foreign(&input, name, &mut errors);
    }
    let impls = expand(&input, &mut errors);
    let errors = errors.into_compile_errors();
    quote!(#errors #impls)
}
