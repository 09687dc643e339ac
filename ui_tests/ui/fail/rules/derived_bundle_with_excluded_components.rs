use ecs::{Bundle, Component};

#[derive(Component)]
#[component(excludes(Enemy))]
struct Ally;
#[derive(Component)]
struct Enemy;
#[derive(Bundle)]
struct Spy {
    home: Ally,
    abroad: Enemy,
}

fn main() {}
