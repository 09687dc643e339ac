use ecs::{Component, World};

#[derive(Component)]
struct Health(u32);

fn main() {
    let item = {
        let world = World::new();
        world.view::<Health>().into_iter().next()
    };
    drop(item);
}
