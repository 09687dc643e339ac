use ecs::{Component, Entity, World};

#[derive(Component)]
struct Health(u32);

fn hurt(_: &World, _: Entity) {}

fn main() {
    World::new().on_update::<Health>(hurt);
}
