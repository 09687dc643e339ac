use ecs::{Bundle, AnyComponent, Component, Query, Signature, Without, World};

#[derive(Component)]
#[component(bit = 1)]
struct A;
#[derive(Component)]
#[component(bit = 2)]
struct B;

#[derive(Bundle)]
struct Both(A, B);

const REQUIRED: Signature = <(&A, Option<&B>) as Query>::REQUIRED;
const EXCLUDED: Signature = <(&A, Without<B>) as Query>::EXCLUDED;
const BOTH: Signature = <Both as Bundle>::SIGNATURE;
static WORLD: World = World::new();

pub(super) fn main() {
    assert_eq!((REQUIRED, EXCLUDED), (A::BIT, B::BIT));
    assert_eq!(BOTH, A::BIT.union(B::BIT));
    assert!(WORLD.is_empty() && A::ID != B::ID && <A as AnyComponent>::NAME == "A");
}
