use ecs::{Component, World};

#[derive(Component)]
struct Health(u32);

fn broken(world: &mut World) {
    for (entity, _) in world.view::<Health>() {
        world.insert(entity, Health(3)).unwrap();
    }
}

fn main() {}
