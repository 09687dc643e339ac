//! A binary with the name of the library of its package, and with one of its modules. The library may not mistake a type
//! of one for a type of the other.

use ecs::{Query, World};

mod parts;

/// Writes both.
#[derive(Query)]
struct Both<'w>(&'w mut parts::Part, &'w mut ecs_ui_tests::parts::Part);

fn main() {
    let mut world = World::new();
    world.spawn((parts::Part(3), ecs_ui_tests::parts::Part(4)));
    for Both(ours, theirs) in world.view_mut::<Both>() {
        assert_eq!((ours.0, theirs.0), (3, 4));
    }
}
