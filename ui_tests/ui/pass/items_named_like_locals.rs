#![allow(dead_code, non_camel_case_types)]

fn __0() {}
fn __items() {}
fn __target() {}
fn __value() {}
fn __veto() {}
const __ID: u8 = 4;
static __SLOT: u8 = 5;
struct __w;

#[derive(ecs::Component)]
#[component(veto = keep)]
struct Health(u32);

fn keep(_: &mut Health) -> bool {
    false
}

#[derive(ecs::Component)]
struct Armour(u32);

#[derive(ecs::Query)]
struct Living<'w>(&'w mut Health, &'w Armour);

#[derive(ecs::Bundle)]
struct Hero(Health, Armour);

pub(super) fn main() {
    let mut world = ecs::World::new();
    world.spawn_empty().insert(Hero(Health(3), Armour(4)));
    world.view_mut::<Living>().for_each(|living| living.0.0 += living.1.0);
    assert_eq!(world.view::<Health>().single().unwrap().1.0, 7);
}
