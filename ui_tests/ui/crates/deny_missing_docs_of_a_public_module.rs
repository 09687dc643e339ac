//! Nothing that a derive emits needs docs.
#![deny(missing_docs, unreachable_pub, private_interfaces, private_bounds)]

pub mod parts {
    //! Parts of a hero.

    use ecs::{Bundle, Component, Query};

    /// Life.
    #[derive(Component)]
    pub struct Health(
        /// Points.
        pub u32,
    );

    /// A living entity.
    #[derive(Query)]
    pub struct Living<'w> {
        /// Its life.
        pub health: &'w mut Health,
    }

    /// The components of a hero.
    #[derive(Bundle)]
    pub struct Hero {
        /// Its life.
        pub health: Health,
    }
}

fn main() {
    let mut world = ecs::World::new();
    world.spawn_empty().insert(parts::Hero { health: parts::Health(3) });
    assert_eq!(world.view_mut::<parts::Living>().count(), 1);
}
