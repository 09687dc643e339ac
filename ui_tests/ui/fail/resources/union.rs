use ecs::Resource;

#[derive(Resource)]
union Config {
    whole: u32,
    parts: [u8; 4],
}

fn main() {}
