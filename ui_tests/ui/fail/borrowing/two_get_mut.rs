use ecs::{Component, Entity, World};

#[derive(Component)]
struct Health(u32);

fn broken(world: &mut World, entity: Entity) {
    let one = world.get_mut::<Health>(entity).unwrap();
    let other = world.get_mut::<Health>(entity).unwrap();
    std::mem::swap(one, other);
}

fn main() {}
