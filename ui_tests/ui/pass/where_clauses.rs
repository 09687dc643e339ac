use ecs::{Bundle, Component, Query, World};
use std::fmt::Debug;

#[derive(Component)]
struct Wrapper<T>(T)
where
    T: Debug + Clone;

#[derive(Component)]
struct Mapped<K, V: ?Sized>(Vec<K>, Box<V>)
where
    K: Ord,
    Vec<K>: Clone,
    for<'a> &'a V: Debug;

#[derive(Query)]
struct Ask<'w, T>
where
    T: Debug + Clone + Send + Sync + 'static,
{
    wrapper: &'w mut Wrapper<T>,
}

#[derive(Bundle)]
struct Kit<T>(Wrapper<T>)
where
    T: Debug + Clone;

pub(super) fn main() {
    let mut world = World::new();
    world.spawn_empty().insert((Kit(Wrapper(3_u32)), Mapped::<u8, str>(vec![1], "two".into())));
    world.view_mut::<Ask<u32>>().for_each(|ask| ask.wrapper.0 += 1);
    assert_eq!(world.view::<Wrapper<u32>>().single().unwrap().1.0, 4);
    assert_eq!(world.view::<&Mapped<u8, str>>().count(), 1);
}
