#![no_implicit_prelude]
#![allow(dead_code)]

#[derive(::ecs::Component, ::std::default::Default)]
#[component(bit = 7, veto = Health::may_go)]
struct Health(u32);

impl Health {
    fn may_go(&mut self) -> bool {
        self.0 == 0
    }
}

#[derive(::ecs::Component)]
enum Weather<T> {
    Fair,
    Rain { drops: T },
}

#[derive(::ecs::Component)]
struct Tag;

#[derive(::ecs::Query)]
#[query(with(Tag), without(Weather<u8>))]
struct Living<'w, T: ::std::marker::Send + ::std::marker::Sync + 'static> {
    entity: ::ecs::Entity,
    health: &'w mut Health,
    weather: ::std::option::Option<&'w Weather<T>>,
    tagged: ::ecs::Has<Tag>,
}

#[derive(::ecs::Bundle)]
struct Hero<T> {
    health: Health,
    weather: Weather<T>,
}

/// All derives, with most keys of their attributes.
mod all {
    include!("shared/absolute_derives.rs");
}

pub(super) fn main() {
    all::try_all();
    let mut world = ::ecs::World::new();
    world.spawn_empty().insert((Tag, Hero { health: Health(3), weather: Weather::Rain { drops: 5_u32 } }));
    for living in world.view_mut::<Living<u32>>() {
        living.health.0 += 1;
    }
    ::std::assert_eq!(world.view::<Health>().count(), 1);
}
