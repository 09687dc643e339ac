use ecs::{Component, Entity, World};

#[derive(Component)]
struct Health(u32);

fn broken(world: &mut World, entity: Entity) {
    let mut smuggled = None;
    world.patch::<Health>(entity, |health| smuggled = Some(health));
}

fn main() {}
