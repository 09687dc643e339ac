use ecs::{Component, World};

macro_rules! components {
    ($($name:ident)+) => { $(#[derive(Component)] struct $name(u32);)+ };
}
components! { A B C D E F G H I J K L }

pub(super) fn main() {
    let mut world = World::new();
    world.spawn_empty().insert((
        A(1), B(1), C(1), D(1), E(1), F(1), G(1), H(1), I(1), J(1), K(1), L(1),
    ));
    for (_, a, b, c, d, e, f, g, h, i, j, k, l) in
        world.view_mut::<(A, B, C, D, E, F, G, H, I, J, K, &mut L)>()
    {
        l.0 += a.0 + b.0 + c.0 + d.0 + e.0 + f.0 + g.0 + h.0 + i.0 + j.0 + k.0;
    }
    assert_eq!(world.view::<L>().with::<(A, B, C, D, E, F, G, H, I, J, K, L)>().count(), 1);
    assert_eq!(world.view::<L>().single().unwrap().1.0, 12);
    let views = world.split_mut::<(
        &mut A, &mut B, &mut C, &mut D, &mut E, &mut F,
        &mut G, &mut H, &mut I, &mut J, &mut K, &mut L,
    )>();
    assert_eq!(views.11.count(), 1);
}
