//! Every shape of a component or a resource that is saved and copied.

use ecs::{Component, Entity, Res, Resource, World};
use ecs::save::Limits;
use serde::{Deserialize, Serialize};

trait Goods: Serialize + serde::de::DeserializeOwned + Clone + Send + Sync + 'static {
    const NAME: &'static str;
}
impl Goods for u8 {
    const NAME: &'static str = "bytes";
}
impl Goods for String {
    const NAME: &'static str = "texts";
}

#[derive(Component, Serialize, Deserialize, Clone)]
#[component(save = "tag", clone)]
struct Tag;
#[derive(Component, Serialize, Deserialize, Clone)]
#[component(save = "stock", instance = T::NAME, clone)]
#[serde(bound = "")]
struct Stock<T: Goods>(T);
#[derive(Deserialize)]
struct OldPlace(f32);
#[derive(Component, Serialize, Deserialize, Clone)]
#[component(save = "place", version = 2, from(1 = OldPlace), clone, layout = "soa")]
struct Place {
    x: f32,
    label: String,
}
impl From<OldPlace> for Place {
    fn from(old: OldPlace) -> Self {
        Self { x: old.0, label: String::new() }
    }
}
#[derive(Component, Serialize, Deserialize, Clone)]
#[component(save = "order", clone)]
enum Order {
    Follow(#[component(entities)] Entity),
    Guard { #[component(entities)] posts: Vec<Entity>, radius: f32 },
    Wait,
}
#[derive(Component, Serialize, Deserialize, Clone)]
#[component(save = "seen", clone)]
struct Seen(#[component(entities = ignore)] Option<Entity>);
#[derive(Component, Clone, Copy, Serialize, Deserialize, bytemuck::Pod, bytemuck::Zeroable)]
#[component(save = "health", bytes)]
#[repr(C)]
struct Health(u32);
#[derive(Deserialize)]
struct OldClock(u32);
#[derive(Resource, Serialize, Deserialize, Clone)]
#[resource(save = "clock", version = 2, from(1 = OldClock), clone)]
struct Clock(u64);
impl From<OldClock> for Clock {
    fn from(old: OldClock) -> Self {
        Self(old.0.into())
    }
}
#[derive(Resource, Serialize, Deserialize)]
#[resource(save = "shelf", instance = T::NAME)]
#[serde(bound = "")]
struct Shelf<T: Goods>(Vec<T>);

pub(super) fn main() {
    let mut world = World::new();
    world.register::<(Tag, Stock<u8>, Stock<String>, (Place, Order, Seen), Health, Res<Clock>)>();
    world.register::<(Res<Shelf<u8>>, Res<Shelf<String>>)>();
    world.insert_resource(Clock(3));
    world.insert_resource(Shelf(vec![1_u8]));
    let a = world.spawn((Tag, Stock(1_u8), Stock(String::from("a")))).id();
    world.spawn((Place { x: 0.5, label: String::new() }, Order::Follow(a)));
    world.spawn(Order::Guard { posts: vec![a], radius: 1.0 });
    world.spawn((Order::Wait, Seen(Some(a))));
    let mut bytes = Vec::new();
    assert!(world.save().to_bytes(&mut bytes).unwrap().is_empty());
    let (read, _) = world.read(&bytes, &Limits::default()).unwrap();
    assert_eq!(read.len(), 4);
    assert_eq!((read.resource::<Clock>().0, &read.resource::<Shelf<u8>>().0[..]), (3, &[1][..]));
    let made = world.spawn_copies_of(&read, 1).unwrap();
    assert!(matches!(world.get::<Order>(made[1]), Some(Order::Follow(to)) if *to == made[0]));
}
