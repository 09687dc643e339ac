use ecs::{Component, EntityOf, World};

#[derive(Component)]
struct Mass(f32);
#[derive(Component)]
struct Light(f32);

fn shine(_: EntityOf<Light>) {}

fn main() {
    let mut world = World::new();
    let stone = world.spawn(Mass(1.0)).id();
    shine(world.handle_of::<Mass>(stone).unwrap());
}
