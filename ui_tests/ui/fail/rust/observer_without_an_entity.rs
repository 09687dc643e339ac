use ecs::{Component, World};

#[derive(Component)]
struct Health(u32);

fn main() {
    let mut world = World::new();
    world.on_insert::<Health>(|world| _ = world.spawn(Health(1)));
}
