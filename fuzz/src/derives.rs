//! Fuzzes the input of derives and of `schedule!`.
#![no_main]
#![allow(dead_code, unused_imports, reason = "the tests beside the targets are left out")]

extern crate proc_macro;

mod mutate;
mod target;

#[path = "../../ecs_derive/src/aliasing.rs"]
mod aliasing;
#[path = "../../ecs_derive/src/attr.rs"]
mod attr;
#[path = "../../ecs_derive/src/bundle.rs"]
mod bundle;
#[path = "../../ecs_derive/src/columns.rs"]
mod columns;
#[path = "../../ecs_derive/src/component.rs"]
mod component;
#[path = "../../ecs_derive/src/tests/fuzzed.rs"]
mod derives;
#[path = "../../ecs_derive/src/errors.rs"]
mod errors;
#[path = "../../ecs_derive/src/field_type.rs"]
mod field_type;
#[path = "../../ecs_derive/src/fields.rs"]
mod fields;
#[path = "../../ecs_derive/src/index.rs"]
mod index;
#[path = "../../ecs_derive/src/item.rs"]
mod item;
#[path = "../../ecs_derive/src/library.rs"]
mod library;
#[path = "../../ecs_derive/src/lifetimes.rs"]
mod lifetimes;
#[path = "../../ecs_derive/src/map_entities.rs"]
mod map_entities;
#[path = "../../ecs_derive/src/tests/named.rs"]
mod named;
#[path = "../../ecs_derive/src/parts.rs"]
mod parts;
#[path = "../../ecs_derive/src/query.rs"]
mod query;
#[path = "../../ecs_derive/src/relation.rs"]
mod relation;
#[path = "../../ecs_derive/src/resource.rs"]
mod resource;
#[path = "../../ecs_derive/src/rules.rs"]
mod rules;
#[path = "../../ecs_derive/src/saving.rs"]
mod saving;
#[path = "../../ecs_derive/src/schedule.rs"]
mod schedule;
#[path = "../../ecs_derive/src/serde_words.rs"]
mod serde_words;
#[path = "../../ecs_derive/src/shape.rs"]
mod shape;
#[path = "../../ecs_derive/src/spell.rs"]
mod spell;
#[path = "../../ecs_derive/src/table.rs"]
mod table;
#[path = "../../ecs_derive/src/views.rs"]
mod views;
#[path = "../../ecs/tests/random/numbers.rs"]
mod numbers;

target::fuzz! {
    "derives": derives::derives, derives::derive_seeds, mutate::words;
}
