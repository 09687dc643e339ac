#![no_implicit_prelude]
#![allow(dead_code)]

mod core {}
mod std {}
mod alloc {}
mod diagnostic {}
struct View;
struct Views;
struct World;
struct Option;

#[derive(::ecs::Component)]
struct Health(u32);
#[derive(::ecs::Component)]
struct Armour(u32);

#[derive(::ecs::Views)]
struct Both<'w> {
    r#type: ::ecs::View<'w, &'w mut Health>,
    joins: ::ecs::View<'w, &'w mut Armour>,
}

pub(super) fn main() {
    let mut world = ::ecs::World::new();
    world.spawn_empty().insert((Health(1), Armour(2)));
    let both = world.split_mut::<Both>();
    both.r#type.for_each(|(_, health)| health.0 += 1);
    both.joins.for_each(|(_, armour)| armour.0 += 1);
}
