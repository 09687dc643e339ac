use ecs::{Component, Entity, World};

#[derive(Component)]
struct Health(u32);

fn broken(world: &mut World, entity: Entity) {
    let mut view = world.view_mut::<&mut Health>();
    let (_, one) = view.get_mut(entity).unwrap();
    let (_, other) = view.get_mut(entity).unwrap();
    std::mem::swap(one, other);
}

fn main() {}
