use ecs::{Query, World};

fn count<Q: Query>(world: &World) -> usize {
    world.view::<Q>().count()
}

fn main() {}
