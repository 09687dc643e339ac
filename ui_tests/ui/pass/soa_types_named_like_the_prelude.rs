#![allow(dead_code, non_camel_case_types)]

struct Option;
struct Result;
struct Vec;
struct Clone;
struct Copy;
struct Debug;
struct Drop;
struct Send;
struct Sync;
struct Sized;
struct Here;
struct Left;
struct Columns;
trait Component {}
trait Term {}

#[derive(ecs::Component)]
#[component(layout = "soa")]
struct Health { points: u32, option: Option, none: ::core::option::Option<u8> }

pub(super) fn main() {
    let mut world = ecs::World::new();
    world.spawn_empty().insert(Health { points: 3, option: Option, none: None });
    assert_eq!(*world.view::<(Health, &health::points)>().single().unwrap().2, 3);
}
