use ecs::{Component, World};

#[derive(Component)]
struct Health(u32);

fn broken(world: &mut World) {
    for (entity, _) in world.view_mut::<&mut Health>() {
        world.remove::<Health>(entity);
    }
}

fn main() {}
