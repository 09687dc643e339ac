//! Types that can be stored in columns.
#![allow(dead_code)]

use ecs::{Component, World};
use std::marker::PhantomData;

#[derive(Component)]
#[component(layout = "soa")]
struct One { it: u8 }

#[derive(Component)]
#[component(layout = "soa", bit = 3, veto = Mixed::may_go)]
#[repr(C, align(16))]
struct Mixed {
    unit: (),
    pair: (f32, String),
    array: [Box<u8>; 2],
    function: for<'a> fn(&'a u8) -> &'a u8,
    children: Vec<Self>,
}

impl Mixed {
    fn may_go(it: MixedMut<'_>) -> bool {
        it.pair.0 > 0.0
    }
}

#[derive(Component, Clone, PartialEq, Debug)]
#[component(layout = "soa")]
struct Grid<T: Copy = u8, const N: usize = 2>
where
    T: Default,
    Self: Sized,
{
    cells: [T; N],
    of: PhantomData<T>,
}

pub(super) fn main() {
    let mut world = World::new();
    let mixed = Mixed {
        unit: (),
        pair: (1.0, "a".into()),
        array: [Box::new(1), Box::new(2)],
        function: |it| it,
        children: Vec::new(),
    };
    let grid = Grid { cells: [3; 2], of: PhantomData };
    let entity = world.spawn((One { it: 5 }, mixed, grid.clone())).id();
    assert_eq!((world.get::<Mixed>(entity).unwrap().function)(&4), &4);
    assert_eq!(world.get::<Grid>(entity).unwrap().to_owned(), grid);
    assert_eq!(world.remove::<Mixed>(entity).unwrap().pair.1, "a");
}
