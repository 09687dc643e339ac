#![deny(private_interfaces, private_bounds)]
#![allow(dead_code)]

mod outer {
    pub mod inner {
        use ecs::{Bundle, Component, Query};

        #[derive(Component)]
        pub(in crate::visibility::outer) struct Health(pub(super) u32);

        #[derive(Component)]
        struct Secret(u32);

        #[derive(Query)]
        pub(in crate::visibility::outer) struct Living<'w> {
            pub(super) health: &'w mut Health,
        }

        #[derive(Query)]
        struct Known<'w> {
            secret: &'w Secret,
            health: &'w Health,
        }

        #[derive(Bundle)]
        pub(in crate::visibility::outer) struct Hero(pub(in crate::visibility::outer) Health);

        #[derive(Bundle)]
        struct Spy(Secret, Hero);

        pub fn secrets(world: &mut ecs::World) -> usize {
            world.spawn_empty().insert(Spy(Secret(1), Hero(Health(2))));
            world.view::<Known>().into_iter().map(|it| (it.secret.0 + it.health.0) as usize).sum()
        }
    }

    pub fn heroes(world: &mut ecs::World) -> usize {
        world.spawn_empty().insert(inner::Hero(inner::Health(3)));
        world.view_mut::<inner::Living>().for_each(|living| living.health.0 += 1);
        world.view::<inner::Health>().count()
    }
}

pub(super) fn main() {
    let mut world = ecs::World::new();
    assert_eq!(outer::inner::secrets(&mut world), 3);
    assert_eq!(outer::heroes(&mut world), 2);
}
