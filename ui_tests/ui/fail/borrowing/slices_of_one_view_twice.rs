use ecs::{Component, World};

#[derive(Component)]
struct Health(u32);

fn main() {
    let mut world = World::new();
    let mut view = world.view_mut::<&mut Health>();
    let (one, other) = (view.as_mut_slices(), view.as_mut_slices());
    one.unwrap().1.swap_with_slice(other.unwrap().1);
}
