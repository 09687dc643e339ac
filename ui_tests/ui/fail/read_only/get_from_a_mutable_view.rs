use ecs::{Component, Entity, World};

#[derive(Component)]
struct Position(f32);

fn place(world: &mut World, entity: Entity) {
    world.view_mut::<&mut Position>().get(entity);
}

fn main() {}
