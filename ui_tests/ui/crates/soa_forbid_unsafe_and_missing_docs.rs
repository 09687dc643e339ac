//! Columns of a documented, public type.
#![forbid(unsafe_code)]
#![deny(missing_docs, unreachable_pub, private_interfaces, private_bounds)]

pub mod parts {
    //! Parts.

    use ecs::{Component, Query};

    /// The place.
    #[derive(Component)]
    #[component(layout = "soa")]
    pub struct Proximity<T> {
        /// The distance.
        pub distance: T,
        pub(crate) angle: T,
        near: bool,
    }

    impl<T> Proximity<T> {
        /// One.
        pub fn new(distance: T, angle: T) -> Self {
            Self { distance, angle, near: true }
        }
    }

    /// A turn.
    #[derive(Query)]
    pub struct Turn<'w> {
        /// The distance.
        #[query(column = proximity::distance<f32>)]
        pub distance: &'w mut f32,
        proximity: ProximityRef<'w, u8>,
    }

    #[derive(Query)]
    struct Near<'w>(#[query(column = proximity::near<f32>)] &'w bool);

    /// Returns the number of near entities that turn.
    pub fn count(world: &mut ecs::World) -> usize {
        let near = world.view::<Near>().into_iter().filter(|it| *it.0).count();
        near + world.view_mut::<Turn>().into_iter().filter(|it| *it.proximity.near).count()
    }
}

fn main() {
    let mut world = ecs::World::new();
    world.spawn(parts::Proximity::new(1.0_f32, 2.0));
    for (_, distance, angle) in world.view::<(parts::proximity::distance<f32>, &parts::proximity::angle<f32>)>() {
        assert!(distance < angle);
    }
    assert_eq!(parts::count(&mut world), 1);
}
