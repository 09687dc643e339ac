use ecs::{Bundle, Component, Query, World};

#[derive(Component)]
struct Größe(f32);

#[derive(Query)]
struct Höhe<'w> {
    größe: &'w mut Größe,
}

#[derive(Bundle)]
struct Körper {
    größe: Größe,
}

pub(super) fn main() {
    let mut world = World::new();
    world.spawn_empty().insert(Körper { größe: Größe(1.5) });
    world.view_mut::<Höhe>().for_each(|höhe| höhe.größe.0 += 0.5);
    assert_eq!(world.view::<Größe>().single().unwrap().1.0, 2.0);
}
