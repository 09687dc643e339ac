use ecs::{Component, World};

fn one(world: &mut World) -> usize {
    #[derive(Component)]
    struct Local;
    world.spawn_empty().insert(Local);
    world.view::<Local>().count()
}

fn other(world: &mut World) -> usize {
    #[derive(Component)]
    struct Local;
    world.spawn_empty().insert((Local, Local2));
    world.view_mut::<(&mut Local, &mut Local2)>().count()
}

#[derive(Component)]
struct Local2;

pub(super) fn main() {
    let mut world = World::new();
    assert_eq!((one(&mut world), other(&mut world)), (1, 1));
    assert_eq!((one(&mut world), other(&mut world)), (2, 2));
}
