use ecs::{Component, Has, Query, With, Without};

#[derive(Component)]
struct A;
#[derive(Component)]
struct B;
#[derive(Component)]
struct Wrapper<T>(T);

#[derive(Query)]
struct Nested<'w>(&'w mut A);

ecs::check_query!(A);
ecs::check_query!(&mut A);
ecs::check_query!(Option<&mut A>);
ecs::check_query!((&mut A, &B));
ecs::check_query!((&mut A, Option<&mut B>, Has<A>, With<A>, Without<Wrapper<u8>>));
ecs::check_query!((Nested, &mut B));
ecs::check_query!(Nested);
ecs::check_query!((&mut Wrapper<u8>, &mut Wrapper<u16>));

pub(super) fn main() {
    ecs::check_query!((&A, &A));
    let _ = Wrapper(0).0;
}
