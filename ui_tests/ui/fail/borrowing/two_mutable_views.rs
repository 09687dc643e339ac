use ecs::{Component, World};

#[derive(Component)]
struct Health(u32);

fn broken(world: &mut World) {
    let one = world.view_mut::<&mut Health>();
    let other = world.view_mut::<&mut Health>();
    println!("{one:?} {other:?}");
}

fn main() {}
