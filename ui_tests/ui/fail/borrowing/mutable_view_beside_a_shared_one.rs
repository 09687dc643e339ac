use ecs::{Component, World};

#[derive(Component)]
struct Health(u32);

fn broken(world: &mut World) {
    let shared = world.view::<Health>();
    let mutable = world.view_mut::<&mut Health>();
    println!("{shared:?} {mutable:?}");
}

fn main() {}
