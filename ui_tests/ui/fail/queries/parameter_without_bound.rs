use ecs::World;

fn count<T>(world: &World) -> usize {
    world.view::<T>().count()
}

fn main() {}
