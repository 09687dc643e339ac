//! Components that come with others, which may be less visible, by a library of another name.
#![no_implicit_prelude]
#![deny(warnings, missing_docs, unsafe_code, clippy::all, clippy::pedantic)]

mod parts {
    extern crate engine;
    extern crate std;

    use self::engine::ecs;
    use std::default::Default;

    /// Requires a private component.
    #[derive(ecs::Component)]
    #[component(requires(Hidden, Target = Target { target: Self::target(1) }))]
    #[ecs(crate = ecs)]
    pub struct Ship;

    impl Ship {
        const fn target(value: u32) -> u32 {
            value
        }
    }

    #[derive(ecs::Component, Default)]
    #[ecs(crate = ecs)]
    struct Hidden;

    /// Has a name from the expansion.
    #[derive(ecs::Component)]
    #[component(layout = "soa")]
    #[ecs(crate = ecs)]
    pub struct Target {
        /// In a column.
        pub target: u32,
    }

    /// Comes with the requirements of `T`.
    #[derive(ecs::Component)]
    #[component(requires(T, Target = Target { target: 2 }))]
    #[ecs(crate = ecs)]
    pub struct Fleet<T: Default + ecs::Component>(pub T);

    /// Returns `true` if it is there.
    #[must_use]
    pub fn has_hidden(ship: ecs::EntityRef<'_>) -> bool {
        ship.has::<Hidden>()
    }
}

#[derive(::ecs::Component, ::std::default::Default)]
struct Own;

fn main() {
    use parts::{Fleet, Ship, Target, has_hidden};
    let mut world = ::ecs::World::new();
    let ship = world.spawn(Ship).id();
    ::std::assert_eq!(*world.get::<Target>(ship).unwrap().target, 1);
    ::std::assert!(has_hidden(world.entity(ship)));
    let fleet = world.spawn((Fleet(Own), Ship)).id();
    ::std::assert_eq!(*world.get::<Target>(fleet).unwrap().target, 2);
    ::std::assert!(world.has::<(Own, Ship)>(fleet));
}
