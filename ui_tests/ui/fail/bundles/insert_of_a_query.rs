use ecs::{Component, Query, World};

#[derive(Component)]
struct Health(u32);

#[derive(Query)]
struct Living<'w>(&'w Health);

fn main() {
    World::new().spawn_empty().insert(Living(&Health(3)));
}
