use ecs::Component;

#[derive(Component)]
struct Raw(*mut u8);

fn main() {}
