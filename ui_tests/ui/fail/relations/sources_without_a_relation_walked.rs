use ecs::{Component, Sources, View, World};

#[derive(Component)]
struct Position(f32);

fn count(all: View<Sources<Position>>) {
    for (_, sources) in all {
        println!("{}", sources.count());
    }
}

fn main() {
    World::new().run(count);
}
