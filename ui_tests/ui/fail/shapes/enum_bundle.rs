use ecs::{Bundle, Component};

#[derive(Component)]
struct Health(u32);

#[derive(Bundle)]
enum Hero {
    Alive(Health),
}

fn main() {}
