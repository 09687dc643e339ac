use ecs::{Component, Entity, World};

#[derive(Component)]
struct Position(f32);

fn swap(world: &mut World, pair: [Entity; 2]) {
    let mut view = world.view_mut::<(&mut Position, &Position)>();
    let _ = view.get_disjoint_mut(pair);
}

pub(super) fn main() {
    let _ = swap as fn(&mut World, [Entity; 2]);
}
