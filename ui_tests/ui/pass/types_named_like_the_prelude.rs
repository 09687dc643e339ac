#![allow(dead_code, non_camel_case_types)]

struct Option;
struct Result;
struct Vec;
struct String;
struct Box;
struct Some;
struct None;
struct Ok;
struct Err;
struct Default;
struct Iterator;
struct Send;
struct Sync;
struct Sized;
struct Copy;
struct Clone;
struct Drop;
struct Fn;
struct From;
struct Into;

#[derive(ecs::Component)]
#[component(veto = keep)]
struct Health(u32);

fn keep(_: &mut Health) -> bool {
    false
}

#[derive(ecs::Component)]
struct Wrapper<T>(T);

#[derive(ecs::Query)]
#[query(with(Health))]
struct Living<'w>(&'w mut Health, ::core::option::Option<&'w Wrapper<u8>>);

#[derive(ecs::Bundle)]
struct Hero(Health, Wrapper<u8>);

pub(super) fn main() {
    let mut world = ecs::World::new();
    world.spawn_empty().insert(Hero(Health(3), Wrapper(4)));
    assert_eq!(world.view_mut::<Living>().count(), 1);
}
