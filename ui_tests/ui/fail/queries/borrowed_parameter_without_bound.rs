use ecs::World;

fn look<T>(world: &World) {
    world.view::<&T>();
}

fn main() {}
