use ecs::{Component, Query};

#[derive(Component)]
struct A;
type B = A;
type R<'w> = &'w A;

#[derive(Query)]
struct Long<'w>(
    R<'w>, R<'w>, R<'w>, R<'w>, R<'w>, R<'w>, R<'w>,
    R<'w>, R<'w>, R<'w>, R<'w>, R<'w>, R<'w>, &'w mut B,
);

fn main() {}
