//! Enums with variants that are called like words of the derives. `Self::Item` could be a variant or an associated type.
//! The tests of `ecs_derive` compare expansions for all words.

use ecs::{Component, Entity, Query, Resource, World};
use serde::{Deserialize, Serialize};

#[derive(Component)]
pub struct Coin(pub u32);
#[derive(Component)]
pub struct Gem(pub u32);

#[derive(Serialize, Deserialize)]
pub struct Old;

macro_rules! names {
    ([$($emitted:ident)+] [$($plain:ident)+]) => { with_all! { $($emitted)+ $($plain)+ } };
}
macro_rules! with_all {
    ($($name:ident)+) => {
        #[derive(Component, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
        #[component(clone, debug, default, save = "unit", version = 2, from(1 = Old))]
        pub enum Unit { #[default] First, $($name,)+ }

        #[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[component(clone, save = "holder", track, veto = Holder::stays)]
        pub enum Holder { $($name(#[component(entities)] Entity),)+ }

        #[derive(Component, Clone, Debug, PartialEq)]
        #[component(clone, requires(Unit = Unit::First))]
        pub enum Two { $($name { #[component(entities)] $name: Entity, other: u8 },)+ }

        #[derive(Component)]
        pub enum Any<T> { $($name(T),)+ }

        #[derive(Resource, Clone, PartialEq, Serialize, Deserialize)]
        #[resource(clone, save = "units", version = 2, from(1 = Old))]
        pub enum Units { First, $($name(u8),)+ }

        #[derive(Resource)]
        pub enum AnyUnits<T> { $($name(T),)+ }

        /// Modules of the same names.
        pub mod queries {
            queries! { $($name)+ }
        }
    };
}

/// At most twelve variants are allowed.
macro_rules! queries {
    () => {};
    ($a:ident $($b:ident $($c:ident $($d:ident $($e:ident $($f:ident $($rest:ident)*)?)?)?)?)?) => {
        pub mod $a {
            use crate::variants_of_any_name::{Any, Coin, Gem, Unit};
            use ::ecs::{Entity, Query};

            #[derive(Query)]
            pub enum Found<'w> {
                $a(&'w mut Coin),
                $($b(&'w Gem), $($c { $c: &'w Gem, e: Entity }, $($d((&'w Gem, Entity)), $($e(Option<&'w Gem>, &'w Unit), $($f,)?)?)?)?)?
            }
            #[derive(Query)]
            pub enum Generic<'w, T: Send + Sync + 'static> {
                $a(&'w Any<T>),
                $($b(&'w Gem), $($c { $c: &'w Gem, e: Entity }, $($d,)?)?)?
            }
        }
        $($($($($(queries! { $($rest)* })?)?)?)?)?
    };
}

include!("shared/few_names.rs");

impl Holder {
    fn stays(&mut self) -> bool {
        !matches!(self, Self::Storage(_))
    }
}
impl From<Old> for Unit {
    fn from(_: Old) -> Self {
        Self::Storage
    }
}
impl From<Old> for Units {
    fn from(_: Old) -> Self {
        Self::NAME(3)
    }
}

/// Two variants are called like associated types.
#[derive(Query)]
enum Found<'w> {
    Item(&'w Coin),
    Terms(&'w Gem),
    Filter,
}

pub(super) fn main() {
    let mut world = World::new();
    let gem = world.spawn((Gem(1), Unit::Requires)).id();
    let coin = world.spawn((Coin(2), Holder::Storage(gem), Any::self_(3_u8))).id();
    let found = |world: &World, entity| match world.view::<Found>().get(entity).unwrap() {
        Found::Item(coin) => coin.0,
        Found::Terms(gem) => gem.0,
        Found::Filter => 0,
    };
    assert_eq!((found(&world, coin), found(&world, gem)), (2, 1));
    world.remove::<Holder>(coin);
    assert!(world.has::<Holder>(coin), "its veto keeps it");
    let copies = world.try_clone();
    assert!(copies.is_err(), "`Coin` is not copied");
    for found in world.view_mut::<queries::__0::Found>() {
        match found {
            queries::__0::Found::__0(coin) => coin.0 += 7,
            queries::__0::Found::__1(gem) => assert_eq!(gem.0, 1),
            _ => {}
        }
    }
    assert_eq!(world.get::<Coin>(coin).unwrap().0, 9);
    let empty = world.spawn_empty().id();
    world.insert(empty, Two::Item { Item: gem, other: 3 }).unwrap();
    assert_eq!(world.get::<Unit>(empty), Some(&Unit::First));
}
