#![no_implicit_prelude]
#![allow(dead_code)]

#[derive(::ecs::Component, ::std::clone::Clone)]
#[component(layout = "soa", veto = Health::may_go)]
struct Health { points: u32, name: ::std::string::String }

impl Health {
    fn may_go(it: HealthMut<'_>) -> bool {
        *it.points == 0
    }
}

#[derive(::ecs::Component)]
#[component(layout = "soa")]
struct Pair<T> { left: T, right: ::std::option::Option<T> }

#[derive(::ecs::Query)]
struct Living<'w> {
    health: HealthMut<'w>,
    #[query(column = pair::right<u8>)]
    right: ::std::option::Option<&'w ::std::option::Option<u8>>,
}

pub(super) fn main() {
    let mut world = ::ecs::World::new();
    let name = ::std::string::String::new();
    world.spawn_empty().insert((Health { points: 3, name }, Pair { left: 1_u8, right: ::std::option::Option::None }));
    for living in world.view_mut::<Living>() {
        *living.health.points += 1;
        ::std::assert!(living.right.unwrap().is_none());
    }
    ::std::assert_eq!(*world.view::<Health>().single().unwrap().1.points, 4);
}
