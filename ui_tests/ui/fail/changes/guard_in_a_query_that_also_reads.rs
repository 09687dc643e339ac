use ecs::{Component, Mut, Query};

#[derive(Component)]
#[component(track)]
struct Health(u32);

#[derive(Query)]
struct Hurt<'w> {
    before: &'w Health,
    after: Mut<'w, Health>,
}

fn main() {}
