use ecs::World;

fn main() {
    World::new().view::<&String>();
}
