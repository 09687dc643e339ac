use ecs::{Bundle, Component, Has, Query, World};

#[derive(Component)]
struct Wrapper<T>(T);

#[derive(Query)]
#[query(with(B))]
struct Ask<'w, A, B, C> {
    a: &'w mut A,
    c: (Option<&'w Wrapper<u8>>, Has<C>),
    b: Option<&'w B>,
}

#[derive(Query)]
#[query(without(Wrapper<Option<A>>))]
struct Look<'w, A, B> {
    a: &'w mut Wrapper<A>,
    b: (Option<&'w Wrapper<(B, B)>>, Has<Wrapper<[B; 2]>>),
}

#[derive(Bundle)]
struct Kit<A, B>(A, B);

pub(super) fn main() {
    let mut world = World::new();
    world.spawn_empty().insert(Kit(Wrapper(3_u32), Wrapper(4_u8)));
    for ask in world.view_mut::<Ask<Wrapper<u32>, Wrapper<u8>, Wrapper<i8>>>() {
        let (byte, has) = ask.c;
        ask.a.0 += byte.map_or(0, |byte| u32::from(byte.0)) + u32::from(has.get()) + u32::from(ask.b.is_some());
    }
    assert_eq!(world.view::<Wrapper<u32>>().single().unwrap().1.0, 8);
    for look in world.view_mut::<Look<u32, u8>>() {
        look.a.0 += u32::from(look.b.0.is_none()) + u32::from(!look.b.1.get());
    }
    assert_eq!(world.view::<Wrapper<u32>>().single().unwrap().1.0, 10);
}
