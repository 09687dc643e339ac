use ecs::{Commands, Component, World};

#[derive(Component)]
struct Health(u32);

fn broken(world: &mut World, commands: &mut Commands) {
    for (entity, _) in world.view::<Health>() {
        commands.despawn(entity);
        commands.apply(world);
    }
}

fn main() {}
