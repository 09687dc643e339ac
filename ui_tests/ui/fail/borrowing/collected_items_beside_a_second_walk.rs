use ecs::{Component, World};

#[derive(Component)]
struct Health(u32);

fn broken(world: &mut World) {
    let mut view = world.view_mut::<&mut Health>();
    let items: Vec<_> = view.iter_mut().collect();
    view.iter_mut().for_each(drop);
    drop(items);
}

fn main() {}
