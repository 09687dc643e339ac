use ecs::{Component, Query};

#[derive(Component)]
struct A;

#[derive(Query)]
#[rustfmt::skip]
enum Many<'w> {
    A(&'w A), B(&'w A), C(&'w A), D(&'w A), E(&'w A), F(&'w A), G(&'w A),
    H(&'w A), I(&'w A), J(&'w A), K(&'w A), L(&'w A), M(&'w A),
}

fn main() {}
