use ecs::Component;

#[derive(Component)]
union Bits {
    float: f32,
    word: u32,
}

fn main() {}
