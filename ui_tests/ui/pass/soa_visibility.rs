#![deny(private_interfaces, private_bounds)]
#![allow(dead_code)]

mod outer {
    pub mod inner {
        use ecs::{Component, World};

        #[derive(Component)]
        #[component(layout = "soa")]
        pub(in crate::soa_visibility::outer) struct Health {
            pub points: u32,
            pub(super) shield: u32,
            pub(in crate::soa_visibility::outer) armour: u32,
            pub(crate) luck: u32,
            secret: u32,
        }

        #[derive(Component)]
        #[component(layout = "soa")]
        struct Secret { pub it: u32, pub(super) other: u32 }

        pub fn fill(world: &mut World) {
            world.spawn(Health { points: 1, shield: 2, armour: 3, luck: 4, secret: 5 });
            world.spawn(Secret { it: 6, other: 7 });
            assert_eq!(world.view::<(&health::secret, &health::points)>().count(), 1);
            assert_eq!(world.view::<(&secret::it, &secret::other)>().count(), 1);
        }
    }

    pub fn sum(world: &ecs::World) -> u32 {
        use inner::health::{armour, luck, points, shield};
        let (_, a, b, c, d) = world.view::<(points, shield, armour, luck)>().single().unwrap();
        a + b + c + d + world.view::<inner::Health>().single().unwrap().1.shield
    }
}

pub(super) fn main() {
    let mut world = ecs::World::new();
    outer::inner::fill(&mut world);
    assert_eq!(outer::sum(&world), 12);
}
