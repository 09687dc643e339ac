use ecs::{Component, World};

#[derive(Component)]
struct Health(u32);

fn main() {
    for (_, health) in World::new().view_mut::<Health>() {
        health.0 += 1;
    }
}
