#![allow(dead_code)]

use ecs::{Component, World};
use std::sync::atomic::AtomicU32;
use std::sync::{Arc, Mutex};

#[derive(Component)]
struct Unit;
#[derive(Component)]
struct Empty {}
#[derive(Component)]
struct Nothing();
#[derive(Component)]
struct Tuple(u8, String);
#[derive(Component)]
struct Named { x: f32, y: f32 }
#[derive(Component)]
enum Either { One, Two(u8), Three { x: f32 } }
#[derive(Component)]
enum Never {}
#[derive(Component)]
struct Shared(Arc<Mutex<u32>>, AtomicU32);
#[derive(Component)]
struct Boxed(Box<dyn Fn(u32) -> u32 + Send + Sync>);
#[derive(Component)]
struct Borrowing(&'static str, std::borrow::Cow<'static, [u8]>);
#[derive(Component)]
#[repr(C, align(64))]
struct Aligned(u8);
#[derive(Component)]
#[repr(transparent)]
struct Transparent(u64);

pub(super) fn main() {
    let mut world = World::new();
    let mut entity = world.spawn_empty();
    entity.insert((Unit, Empty {}, Nothing(), Tuple(1, "two".into()), Named { x: 1.0, y: 2.0 }));
    entity.insert((Either::Three { x: 1.0 }, Boxed(Box::new(|x| x + 1)), Aligned(1)));
    entity.insert((Shared(Arc::default(), AtomicU32::new(3)), Borrowing("a", vec![1].into())));
    entity.insert(Transparent(4));
    assert_eq!(world.components(world.entities().next().unwrap()).count(), 11);
    assert_eq!(world.view::<Never>().count(), 0);
}
