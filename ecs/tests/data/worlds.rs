//! Random worlds, and whether two worlds are alike by whichever way they are walked.

use ecs::{ChildOf, Component, Entity, Group, PlanKind, World};
use std::env;

#[derive(Component, Clone, Copy, Debug, Default, PartialEq)]
#[component(clone, debug, default)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    component(save = "number")
)]
pub struct Number(pub u64);
#[derive(Component, Clone, Debug, Default, PartialEq)]
#[component(clone, default)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    component(save = "text")
)]
pub struct Text(pub String);
#[derive(Component, Clone, Copy, Debug, Default, PartialEq)]
#[component(clone, default)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    component(save = "tag")
)]
pub struct Tag;
#[derive(Component, Clone, Debug, Default, PartialEq)]
#[component(clone, debug, default, layout = "soa")]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    component(save = "place")
)]
pub struct Place {
    pub x: f32,
    pub label: Option<String>,
    pub y: u8,
}
#[derive(Component, Clone, Debug, Default, PartialEq)]
#[component(clone, default, track)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    component(save = "friends")
)]
pub struct Friends(#[component(entities)] pub Vec<Entity>);
/// The parameter of a generic component.
#[cfg(feature = "serde")]
pub trait Of:
    Copy + Default + Send + Sync + serde::Serialize + serde::de::DeserializeOwned + 'static
{
    const NAME: &'static str;
}
#[cfg(not(feature = "serde"))]
pub trait Of: Copy + Default + Send + Sync + 'static {}

macro_rules! of {
    ($($name:ident),+) => {
        $(impl Of for $name {
            #[cfg(feature = "serde")]
            const NAME: &'static str = stringify!($name);
        })+
    };
}
of!(u8, u64);

#[derive(Component, Clone, Copy, Debug, Default, PartialEq)]
#[component(clone, default)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(bound = ""),
    component(save = "generic", instance = T::NAME)
)]
pub struct Generic<T: Of>(pub T);

/// Steele, Lea and Flood's `SplitMix64` ("Fast splittable pseudorandom number generators", 2014).
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.next() % limit as u64).unwrap()
    }
}

/// The number that an environment variable gives.
pub fn asked(variable: &str, otherwise: u64) -> u64 {
    env::var(variable).map_or(otherwise, |text| text.parse().expect("a number"))
}

/// The seeds of the random worlds to try.
pub fn seeds(otherwise: u64) -> impl Iterator<Item = u64> {
    let first = asked("ECS_SEED", 0);
    first..first + asked("ECS_WORLDS", otherwise)
}

/// A world with a random past.
pub fn random(seed: u64) -> World {
    let mut random = Random(seed);
    let mut world = World::new();
    if random.below(3) == 0 {
        world.declare_group(Group::owning::<(Number, Text)>()).unwrap();
    }
    if random.below(3) == 0 {
        world.declare_group(Group::observing::<(Number, Tag)>().without::<Text>()).unwrap();
    }
    let steps = [4, 40, 400][random.below(3)];
    edit(&mut world, &mut random, steps);
    world
}

/// Edits the world at random.
pub fn edit(world: &mut World, random: &mut Random, steps: usize) {
    for _ in 0..steps {
        step(world, random);
    }
    world.check_invariants();
}

fn step(world: &mut World, random: &mut Random) {
    let all: Vec<Entity> = world.entities().collect();
    let some = |random: &mut Random| -> Vec<Entity> {
        let step = random.below(7) + 1;
        all.iter().copied().skip(random.below(all.len() + 1)).step_by(step).take(1_500).collect()
    };
    let any = |random: &mut Random| (!all.is_empty()).then(|| all[random.below(all.len())]);
    let number = random.next() % 1_000;
    match random.below(20) {
        0 => drop(world.spawn_batch((0..number).map(Number))),
        1 => drop(world.spawn_batch((0..number % 90).map(|it| (Text(it.to_string()), Number(it))))),
        2 => drop(world.spawn((Place { x: 0.5, label: None, y: 7 }, Tag)).id()),
        3 => {
            let values = some(random).into_iter().map(|it| (it, (Number(number), Tag)));
            world.insert_batch(values).unwrap();
        }
        4 => drop(world.remove_batch::<Number>(&some(random))),
        5 => drop(world.despawn_batch(&some(random))),
        6 => {
            let few = random.below(12);
            for entity in some(random).into_iter().take(few) {
                let _ = world.despawn(entity);
            }
        }
        7 => world.sort_by_key::<Number>(),
        8 => {
            let mut shuffled = some(random);
            for at in (1..shuffled.len()).rev() {
                shuffled.swap(at, random.below(at + 1));
            }
            world.insert_batch(shuffled.into_iter().map(|it| (it, Text(it.to_string())))).unwrap();
        }
        9 => drop(world.reserve_entity()),
        10 => {
            if let (Some(child), Some(parent)) = (any(random), any(random)) {
                let _ = world.attach(child, parent);
            }
        }
        11 => {
            if let (Some(one), Some(other)) = (any(random), any(random)) {
                world.insert(one, Friends(vec![other, one])).unwrap();
            }
        }
        12 => {
            let label = Some(number.to_string());
            for entity in some(random) {
                world.insert(entity, Place { x: 1.5, label: label.clone(), y: 1 }).unwrap();
            }
        }
        13 if random.below(8) == 0 => world.clear(),
        14 if random.below(4) == 0 => world.shrink_to_fit(),
        15 => drop(world.remove_batch::<Place>(&some(random))),
        16 => {
            if let Some(entity) = any(random) {
                world.insert(entity, (Generic(number), Generic(7_u8))).unwrap();
                let child = world.spawn(ChildOf(entity)).id();
                world.move_related::<ChildOf>(child, 0);
            }
        }
        _ => {
            if let Some(entity) = any(random) {
                world.insert(entity, (Number(number), Text(String::new()))).unwrap();
            }
        }
    }
}

trait SortByKey {
    fn sort_by_key<T: Component>(&mut self);
}

impl SortByKey for World {
    /// Sorts a pool, unless a group keeps its order.
    fn sort_by_key<T: Component>(&mut self) {
        let _ = self.pool_mut::<T>().sort_by_entity();
    }
}

/// Checks that both are walked alike, in each way.
#[track_caller]
pub fn assert_alike(a: &World, b: &World) {
    a.check_invariants();
    b.check_invariants();
    assert!(a.entities().eq(b.entities()), "other entities");
    for kind in a.kinds() {
        assert_eq!(b.kind_entities(kind), a.kind_entities(kind), "{kind}");
    }
    assert!(a.pool::<Number>().as_slice() == b.pool::<Number>().as_slice());
    assert!(a.pool::<Text>().as_slice() == b.pool::<Text>().as_slice());
    assert!(a.pool::<Friends>().as_slice() == b.pool::<Friends>().as_slice());
    assert!(a.pool::<Place>().as_slice().x == b.pool::<Place>().as_slice().x);
    assert!(a.pool::<Place>().as_slice().label == b.pool::<Place>().as_slice().label);
    assert!(a.pool::<Generic<u8>>().as_slice() == b.pool::<Generic<u8>>().as_slice());
    assert!(a.pool::<Generic<u64>>().as_slice() == b.pool::<Generic<u64>>().as_slice());
    for entity in a.entities() {
        assert!(a.children(entity).eq(b.children(entity)), "other children of {entity}");
    }
    macro_rules! walked_alike {
        ($($query:ty $(, without $list:ty)?;)+) => {
            $({
                let walk = |world: &World, plan| -> Vec<Entity> {
                    let view = world.view::<$query>()$(.without::<$list>())?;
                    let mut seen = Vec::new();
                    match plan {
                        None => view.for_each(|(entity, ..)| seen.push(entity)),
                        Some(plan) => view.with_plan(plan).for_each(|(entity, ..)| seen.push(entity)),
                    }
                    seen
                };
                // One world may have an empty pool under this name.
                let explain = |world: &World| {
                    let plan = world.view::<$query>()$(.without::<$list>())?.explain();
                    (plan.kind, plan.candidates)
                };
                assert_eq!(explain(a), explain(b));
                let ways = [None, Some(PlanKind::All), Some(PlanKind::Words), Some(PlanKind::Dense)];
                for plan in ways.into_iter().chain([Some(PlanKind::Group)]) {
                    assert_eq!(walk(a, plan), walk(b, plan), "{} {plan:?}", stringify!($query));
                }
            })+
        };
    }
    walked_alike! {
        (&Number,);
        (&Number, &Text);
        (&Number, &Tag), without Text;
        (&Text, Option<&Number>);
        (&Place, &Number);
        (&Friends,), without Tag;
    }
}
