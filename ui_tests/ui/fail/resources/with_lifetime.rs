use ecs::Resource;

#[derive(Resource)]
struct Config<'a> {
    name: &'a str,
}

fn main() {}
