use ecs::{Component, World};

struct Mana(u32);

fn count<T: Component>(world: &World) -> usize {
    world.view::<&T>().count()
}

fn main() {
    count::<Mana>(&World::new());
}
