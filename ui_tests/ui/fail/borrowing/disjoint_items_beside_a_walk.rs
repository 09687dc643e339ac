use ecs::{Component, Entity, World};

#[derive(Component)]
struct Health(u32);

fn broken(world: &mut World, pair: [Entity; 2]) {
    let mut view = world.view_mut::<&mut Health>();
    let items = view.get_disjoint_mut(pair).unwrap();
    view.iter_mut().for_each(drop);
    drop(items);
}

fn main() {}
