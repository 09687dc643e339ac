use ecs::World;

struct Config;

fn main() {
    World::new().view_mut::<&mut Config>();
}
