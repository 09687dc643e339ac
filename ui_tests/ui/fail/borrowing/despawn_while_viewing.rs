use ecs::{Component, World};

#[derive(Component)]
struct Health(u32);

fn broken(world: &mut World) {
    let view = world.view::<Health>();
    for (entity, _) in &view {
        world.despawn(entity).unwrap();
    }
}

fn main() {}
