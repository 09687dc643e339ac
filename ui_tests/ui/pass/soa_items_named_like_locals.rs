#![allow(dead_code, non_camel_case_types, non_upper_case_globals)]

fn value() {}
fn __0() {}
fn __1() {}
fn __f() {}
fn __whole() {}
struct __b;
struct __of;
mod core {}
mod alloc {}

#[derive(ecs::Component, Clone, Debug)]
#[component(layout = "soa")]
struct Health { __0: u32, value: u32, self_: u32, __f: u32, __value: u32, world: u32 }

#[derive(ecs::Component)]
#[component(layout = "soa")]
struct T<F, Here, P> { f: F, here: Here, p: P, a: u8, u8: bool }

pub(super) fn main() {
    let mut world = ecs::World::new();
    let of = |it| Health { __0: it, value: it, self_: it, __f: it, __value: it, world: it };
    let entity = world.spawn((of(1), T { f: 1_u8, here: 2_u8, p: 3_u8, a: 4, u8: true })).id();
    world.get_mut::<Health>(entity).unwrap().set(of(2));
    assert_eq!(world.view::<&health::__0>().single().unwrap().1, &2);
    assert!(format!("{:?}", world.get::<Health>(entity).unwrap().to_owned()).contains("world: 2"));
    assert!(*world.view::<&t::u8<u8, u8, u8>>().single().unwrap().1);
}
