//! Lints that may not even be allowed: an expansion that allows one does not compile.
#![forbid(
    dead_code,
    irrefutable_let_patterns,
    missing_docs,
    unreachable_patterns,
    unsafe_code,
    unused_imports,
    unused_must_use
)]

use ecs::{Component, Entity, MapEntities, Resource, World, schedule};
use serde::{Deserialize, Serialize};

/// The owner.
#[derive(Component, Clone, Serialize, Deserialize)]
#[component(clone, save = "owner")]
struct Owner(#[component(entities)] Entity, u32);

/// In columns.
#[derive(Component, Clone, Serialize, Deserialize)]
#[component(layout = "soa", clone, save = "debt")]
struct Debt {
    amount: u32,
    #[component(entities)]
    to: Entity,
}

/// Has one variant.
#[derive(Component, Clone, Serialize, Deserialize)]
#[component(clone, save = "aim")]
enum Aim {
    /// Always.
    At(#[component(entities)] Entity),
}

/// Has several.
#[derive(Component, Clone, Serialize, Deserialize)]
#[component(clone, save = "duty", requires(Owner = Owner(Entity::PLACEHOLDER, 1)))]
enum Duty {
    /// With a handle.
    Follow(#[component(entities)] Entity),
    /// Without.
    Rest,
}

/// Within a component.
#[derive(MapEntities, Clone, Serialize, Deserialize)]
enum Link {
    /// Always.
    To {
        /// With a handle.
        whom: Entity,
        /// Without.
        why: Why,
    },
}

/// Has no handles.
#[derive(Clone, Serialize, Deserialize)]
struct Why(u8);

/// Unmarked.
#[derive(Component, Clone, Serialize, Deserialize)]
#[component(clone, save = "links")]
struct Links(Vec<Link>, Why);

/// The only one.
#[derive(Resource, Clone, Serialize, Deserialize)]
#[resource(clone, save = "score")]
struct Score(u32);

fn count(score: &mut Score) {
    score.0 += 1;
}

schedule! {
    /// The systems of each frame. Their plan is unused.
    struct Frame { count }
}

fn main() {
    let mut world = World::new();
    let a = world.spawn(Duty::Rest).id();
    let b = world.spawn((Duty::Follow(a), Aim::At(a), Debt { amount: 3, to: a })).id();
    world.insert_resource(Score(0));
    Frame::new().run(&mut world).unwrap();
    let world = world.try_clone().unwrap();
    assert_eq!((world.resource::<Score>().0, world.get::<Owner>(b).unwrap().1), (1, 1));
    assert!(matches!(world.get::<Duty>(b), Some(Duty::Follow(to)) if *to == a));
    assert!(matches!(world.get::<Aim>(b), Some(Aim::At(to)) if *to == a));
    let debt = world.get::<Debt>(b).unwrap();
    assert_eq!((*debt.amount, *debt.to, world.get::<Owner>(a).unwrap().0), (3, a, Entity::PLACEHOLDER));
}
