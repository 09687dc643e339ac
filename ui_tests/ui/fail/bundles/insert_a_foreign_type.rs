use ecs::World;

fn main() {
    let mut world = World::new();
    let entity = world.spawn(()).id();
    world.insert(entity, String::from("orc"));
}
