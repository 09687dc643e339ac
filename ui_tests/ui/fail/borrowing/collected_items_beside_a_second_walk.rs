use ecs::{Component, World};

#[derive(Component)]
struct Health(u32);

fn broken(world: &mut World) {
    let mut view = world.view_mut::<&mut Health>();
    let items: Vec<_> = view.iter_mut().collect();
    for (_, health) in view.iter_mut() {
        health.0 += 1;
    }
    drop(items);
}

fn main() {}
