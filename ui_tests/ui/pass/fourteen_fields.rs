use ecs::{Bundle, Component, Query, World};

macro_rules! components {
    ($($name:ident)+) => { $(#[derive(Component, Default)] struct $name(u32);)+ };
}
components! { A B C D E F G H I J K L M N }

#[derive(Query)]
struct Long<'w> {
    a: &'w mut A, b: &'w B, c: &'w C, d: &'w D, e: &'w E, f: &'w F, g: &'w G,
    h: &'w H, i: &'w I, j: &'w J, k: &'w K, l: &'w L, m: &'w M, n: &'w mut N,
}

#[derive(Bundle, Default)]
struct Wide(A, B, C, D, E, F, G, H, I, J, K, L, M, N);

pub(super) fn main() {
    let mut world = World::new();
    world.spawn_empty().insert(Wide { 12: M(5), ..Wide::default() });
    for long in world.view_mut::<Long>() {
        long.a.0 = long.b.0 + long.c.0 + long.d.0 + long.e.0 + long.f.0 + long.g.0 + long.h.0;
        long.n.0 = long.i.0 + long.j.0 + long.k.0 + long.l.0 + long.m.0;
    }
    assert_eq!(world.view::<N>().single().unwrap().1.0, 5);
}
