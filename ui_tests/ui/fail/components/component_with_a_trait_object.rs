use ecs::Component;

trait Behaviour {}

#[derive(Component)]
struct Brain(Box<dyn Behaviour>);

fn main() {}
