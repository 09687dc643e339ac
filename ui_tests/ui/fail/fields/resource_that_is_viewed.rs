use ecs::{Query, World};

struct Config;

#[derive(Query)]
struct Setup<'w> {
    config: &'w mut Config,
}

fn main() {
    let mut world = World::new();
    world.view_mut::<Setup>().for_each(|setup| drop(setup.config));
}
