use ecs::{Component, World};

#[derive(Component)]
#[component(bit = 63)]
struct A(u32);
#[derive(Component)]
#[component(bit = 63)]
struct B(u32);

pub(super) fn main() {
    let mut world = World::new();
    world.spawn_empty().insert(A(1));
    world.spawn_empty().insert((A(1), B(2)));
    assert_eq!(world.view_mut::<(&mut A, &B)>().count(), 1);
    assert_eq!(world.view::<A>().without::<B>().count(), 1);
}
