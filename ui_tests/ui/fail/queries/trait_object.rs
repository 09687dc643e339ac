use ecs::World;

trait Behaviour {}

fn main() {
    World::new().view::<&Box<dyn Behaviour>>();
}
