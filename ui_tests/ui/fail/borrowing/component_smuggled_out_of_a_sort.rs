use ecs::{Component, World};

#[derive(Component)]
struct Depth(u32);

fn broken(world: &mut World) {
    let mut smuggled = None;
    let _ = world.pool_mut::<Depth>().sort_by(|a, b| {
        smuggled = Some(a);
        a.0.cmp(&b.0)
    });
}

fn main() {}
