//! Fields that are called like words of the derives. The tests of `ecs_derive` compare expansions for all words.

use ecs::{Bundle, Component, Entity, Query, Resource, View, Views, World};
use serde::{Deserialize, Serialize};

#[derive(Component)]
pub struct Coin(pub u32);
#[derive(Component)]
pub struct Stock<M: 'static>(pub u32, pub std::marker::PhantomData<fn() -> M>);

fn stock<M>(count: u32) -> Stock<M> {
    Stock(count, std::marker::PhantomData)
}

/// In columns, where each field is a type, too. These take the compiler longest.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(layout = "soa", clone, debug)]
pub struct Row {
    pub __0: u8,
    pub __whole: u8,
    pub __value: u8,
    pub __f: u8,
    pub __list: u8,
    pub __old: u8,
    pub __Column: u8,
    pub a: u8,
    pub b: u8,
    pub f: u8,
    pub core: u8,
    pub ecs: u8,
    pub row: u8,
    pub str: u8,
    pub self_: u8,
    pub Self_: u8,
    pub Row: u8,
    pub RowRef: u8,
    pub Values: u8,
    pub Columns: u8,
    pub Option: u8,
    pub Clone: u8,
    pub replace: u8,
    pub r#fn: u8,
}

macro_rules! names {
    ([$($emitted:ident)+] [$($plain:ident)+]) => { with_all! { $($emitted)+ $($plain)+ } };
}
macro_rules! with_all {
    ($($name:ident)+) => {
        #[derive(Component, Clone, Default, Serialize, Deserialize)]
        #[component(clone, default, track, save = "numbers")]
        pub struct Numbers { $(pub $name: u8,)+ }

        #[derive(Component, Clone)]
        #[component(clone)]
        pub struct Handles { $(#[component(entities)] pub $name: Entity,)+ }

        #[derive(Component)]
        #[component(relation)]
        pub struct Held { #[component(target)] pub by: Entity, $(pub $name: u8,)+ }

        #[derive(Component)]
        pub struct AnyFields<T> { $(pub $name: T,)+ }

        #[derive(Resource, Clone)]
        #[resource(clone)]
        pub struct Counts { $(pub $name: u16,)+ }

        pub mod kinds { $(pub enum $name {})+ }

        /// Modules of the same names.
        pub mod rows {
            structs! { $($name)+ }
        }
    };
}

macro_rules! structs {
    () => {};
    ($a:ident $($b:ident $($c:ident $($d:ident $($e:ident $($f:ident $($rest:ident)*)?)?)?)?)?) => {
        pub mod $a {
            use crate::fields_of_any_name::{AnyFields, Coin, Counts, Handles, Held, Stock, kinds};
            use ::ecs::{Bundle, Entity, Has, Query, View, Views, Without};

            #[derive(Bundle)]
            pub struct All {
                pub $a: Stock<kinds::$a>,
                $(pub $b: Stock<kinds::$b>, $(pub $c: Coin, $(pub $d: (Stock<kinds::$d>,), $(pub $e: Held, $(pub $f: Handles,)?)?)?)?)?
            }
            #[derive(Bundle)]
            pub struct AnyBundle<T> { pub $a: AnyFields<T>, $(pub $b: Stock<kinds::$b>,)? }

            #[derive(Query)]
            pub struct Found<'w> {
                pub $a: &'w mut Coin,
                $(pub $b: Entity, $(pub $c: Has<Coin>, $(pub $d: (&'w AnyFields<u8>,), $(pub $e: Option<Entity>, $(pub $f: Without<Held>,)?)?)?)?)?
            }
            #[derive(Query)]
            pub struct AnyFound<'w, T: Send + Sync + 'static> {
                pub $a: &'w AnyFields<T>,
                $(pub $b: Entity, $(pub $c: Has<Coin>, $(pub $d: Option<&'w Coin>,)?)?)?
            }

            #[derive(Views)]
            pub struct Several<'w> {
                pub $a: View<'w, &'w Coin>,
                $(pub $b: &'w Counts, $(pub $c: View<'w, &'w Coin>, $(pub $d: &'w Counts, $(pub $e: &'w Counts, $(pub $f: Option<&'w Counts>,)?)?)?)?)?
            }
            #[derive(Views)]
            pub struct AnyViews<'w, T: Send + Sync + 'static> {
                pub $a: View<'w, &'w AnyFields<T>>,
                $(pub $b: &'w Counts,)?
            }
        }
        $($($($($(structs! { $($rest)* })?)?)?)?)?
    };
}

include!("shared/few_names.rs");

pub(super) fn main() {
    let mut world = World::new();
    let coin = world.spawn((Coin(2), stock::<kinds::Item>(1))).id();
    assert_eq!(world.get::<Stock<kinds::Item>>(coin).unwrap().0, 1);
    assert_eq!(world.view_mut::<rows::__0::Found>().count(), 0);
    world.insert(coin, Numbers { Storage: 3, r#type: 4, ..Numbers::default() }).unwrap();
    assert_eq!(world.get::<Numbers>(coin).unwrap().r#type, 4);
    for (_, one, other) in world.view_mut::<(&mut row::core, &row::Row)>() {
        *one += *other;
    }
}
