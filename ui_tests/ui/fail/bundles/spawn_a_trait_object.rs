use ecs::World;

trait Behaviour {}

fn spawn(world: &mut World, brain: Box<dyn Behaviour>) {
    world.spawn((brain,));
}

fn main() {}
