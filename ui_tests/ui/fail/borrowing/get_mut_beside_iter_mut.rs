use ecs::{Component, Entity, World};

#[derive(Component)]
struct Health(u32);

fn broken(world: &mut World, entity: Entity) {
    let mut view = world.view_mut::<&mut Health>();
    for (_, health) in &mut view {
        view.get_mut(entity).unwrap().1.0 += health.0;
    }
}

fn main() {}
