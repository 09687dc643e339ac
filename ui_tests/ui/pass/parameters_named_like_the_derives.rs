#![allow(non_camel_case_types)]

use ecs::{Bundle, Component, Query, World};

#[derive(Component)]
struct F<T>(T);

#[derive(Component)]
struct T<F, __W = u8>(F, std::marker::PhantomData<__W>);

#[derive(Query)]
struct Q<'__w, Fetch: Send + Sync + 'static, Item: Send + Sync + 'static> {
    fetch: &'__w mut F<Fetch>,
    item: &'__w T<Item>,
}

#[derive(Query)]
struct Borrowed<'__w, Q: 'static>(&'__w Q);

#[derive(Bundle)]
struct B<__T, Inserter>(F<__T>, T<Inserter>);

pub(super) fn main() {
    let mut world = World::new();
    world.spawn_empty().insert(B(F(3_u32), T(4_u32, std::marker::PhantomData)));
    world.view_mut::<Q<u32, u32>>().for_each(|q| q.fetch.0 += q.item.0);
    assert_eq!(world.view::<Borrowed<F<u32>>>().single().unwrap().0.0, 7);
}
