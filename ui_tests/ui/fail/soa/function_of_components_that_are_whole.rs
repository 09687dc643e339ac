use ecs::{Component, World};

#[derive(Component)]
#[component(layout = "soa")]
struct Archery {
    level: u32,
}

fn count<T: Component>(world: &World) -> usize {
    world.view::<&T>().count()
}

fn main() {
    count::<Archery>(&World::new());
}
