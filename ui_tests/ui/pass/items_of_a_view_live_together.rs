use ecs::{Component, World};

#[derive(Component)]
struct Health(u32);

pub(super) fn main() {
    let mut world = World::new();
    let entities = world.spawn_batch((0..4).map(Health));
    let mut view = world.view_mut::<&mut Health>();
    let mut items: Vec<&mut Health> = view.iter_mut().map(|(_, health)| health).collect();
    let (first, rest) = items.split_first_mut().unwrap();
    first.0 += rest.iter().map(|health| health.0).sum::<u32>();
    let [(_, a), (_, b)] = view.get_disjoint_mut([entities[0], entities[1]]).unwrap();
    std::mem::swap(a, b);
    let mut kept = Vec::new();
    view.for_each(|(_, health)| kept.push(health));
    kept[0].0 += 1;
    assert_eq!(kept[1].0, 6);
}
