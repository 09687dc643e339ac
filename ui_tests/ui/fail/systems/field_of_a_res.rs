use ecs::{Res, Resource, World};

#[derive(Resource)]
struct Config {
    volume: u8,
}

fn show(config: Res<Config>) {
    println!("{}", config.volume);
}

fn main() {
    World::new().run(show);
}
