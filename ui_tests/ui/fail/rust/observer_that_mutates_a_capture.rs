use ecs::{Component, World};

#[derive(Component)]
struct Health(u32);

fn main() {
    let (mut world, mut born) = (World::new(), Vec::new());
    world.on_insert::<Health>(move |_, entity| born.push(entity));
}
