use ecs::{Bundle, Component, Query, World};

#[derive(Component)]
struct Wrapper<T = u32, const N: usize = 1>([T; N]);

#[derive(Query)]
struct Ask<'w, T: Send + Sync + 'static = u32> {
    wrapper: &'w mut Wrapper<T>,
}

#[derive(Bundle)]
struct Kit<T = u32>(Wrapper<T>);

pub(super) fn main() {
    let mut world = World::new();
    let kit: Kit = Kit(Wrapper([3]));
    world.spawn_empty().insert(kit);
    world.view_mut::<Ask>().for_each(|ask| ask.wrapper.0[0] += 1);
    assert_eq!(world.view::<Wrapper>().single().unwrap().1.0, [4]);
}
