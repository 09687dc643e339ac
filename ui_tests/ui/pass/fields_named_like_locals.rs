use ecs::{Bundle, Component, Entity, Query, World};

macro_rules! components {
    ($($name:ident)+) => { $(#[derive(Component, Default)] struct $name(u32);)+ };
}
components! { A B C D E F G H I J }

#[derive(Query)]
struct All<'w> {
    fetch: &'w mut A,
    meta: &'w B,
    n: &'w C,
    item: &'w D,
    items: &'w E,
    world: &'w F,
    index: &'w G,
    self_: &'w H,
    entity: Entity,
    __0: &'w I,
    __items: &'w J,
}

#[derive(Bundle, Default)]
struct Everything {
    target: A,
    pools: B,
    signature: C,
    value: D,
    __0: E,
    __1: F,
    __target: G,
    self_: H,
    __9: I,
    __8: J,
}

pub(super) fn main() {
    let mut world = World::new();
    world.spawn_empty().insert(Everything { __9: I(4), ..Everything::default() });
    for all in world.view_mut::<All>() {
        all.fetch.0 = all.__0.0 + all.entity.index();
        let _ = (all.meta.0, all.n.0, all.item.0, all.items.0, all.world.0);
        let _ = (all.index.0, all.self_.0, all.__items.0);
    }
    assert_eq!(world.view::<A>().single().unwrap().1.0, 4);
}
