use ecs::{Component, Query};

#[derive(Component)]
#[component(excludes(Enemy))]
struct Ally;
#[derive(Component)]
struct Enemy;
#[derive(Query)]
struct Spy<'w> {
    home: &'w Ally,
    abroad: &'w Enemy,
}

fn main() {}
