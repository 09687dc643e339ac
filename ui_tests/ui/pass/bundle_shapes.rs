use ecs::{Bundle, Component, World};

#[derive(Component, Default)]
struct A;
#[derive(Component, Default)]
struct B;
#[derive(Component, Default)]
struct C;
#[derive(Component, Default)]
struct D;

#[derive(Bundle)]
struct Unit;
#[derive(Bundle)]
struct Empty {}
#[derive(Bundle)]
struct One(A);
#[derive(Bundle)]
struct Named { b: B, c: C }
#[derive(Bundle)]
struct Nested { one: One, unit: Unit, rest: (Named, (D, ())) }

pub(super) fn main() {
    let mut world = World::new();
    let nested = Nested { one: One(A), unit: Unit, rest: (Named { b: B, c: C }, (D, ())) };
    world.spawn(nested);
    world.spawn_batch([(); 3]);
    world.spawn(Empty {});
    assert_eq!(world.view::<(A, B, C, D)>().count(), 1);
    assert_eq!(world.len(), 5);
}
