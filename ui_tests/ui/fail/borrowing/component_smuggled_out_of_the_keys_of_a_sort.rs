use ecs::{Component, World};

#[derive(Component)]
struct Health(u32);

fn main() {
    let mut kept = None;
    let _ = World::new().pool_mut::<Health>().sort_by_key(|health| {
        kept = Some(health);
        health.0
    });
}
