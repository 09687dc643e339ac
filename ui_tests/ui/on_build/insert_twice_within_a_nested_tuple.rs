use ecs::{Component, World};

#[derive(Component)]
struct Health(u32);
#[derive(Component)]
struct Armour(u32);

pub(super) fn main() {
    World::new().spawn_empty().insert((Armour(3), (Health(4), Health(5))));
}
