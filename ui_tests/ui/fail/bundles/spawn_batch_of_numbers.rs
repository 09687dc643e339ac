use ecs::World;

fn main() {
    World::new().spawn_batch([1, 2, 3]);
}
