//! Resources of all shapes, with only the named items imported, and without unsafe code.
#![forbid(unsafe_code)]
#![deny(warnings, missing_docs, clippy::pedantic)]

use engine::ecs::{Component, NonSend, Res, ResMut, Resource, View, Views, World};

#[derive(Resource)]
#[ecs(crate = engine::ecs)]
struct Unit;

#[derive(Resource)]
#[ecs(crate = engine::ecs)]
enum Mode {
    Menu,
    Game { level: u32 },
}

#[derive(Resource)]
#[ecs(crate = engine::ecs)]
struct Queue<T: Clone, const N: usize>([T; N])
where
    T: Default;

#[derive(Component, Resource)]
#[ecs(crate = engine::ecs)]
struct Both(u32);

#[derive(Resource)]
#[ecs(crate = engine::ecs)]
struct Window(NonSend<std::rc::Rc<u32>>);

type Alias<'w> = View<'w, &'w Both>;

#[derive(Views)]
#[ecs(crate = engine::ecs)]
struct Frame<'w> {
    all: Alias<'w>,
    both: &'w mut Both,
    mode: Option<&'w Mode>,
}

#[derive(Views)]
#[ecs(crate = engine::ecs)]
struct Generic<'w, T: Resource, U: Resource>(&'w mut T, Option<&'w U>, View<'w, &'w Both>);

pub(super) fn main() {
    let mut world = World::new();
    world.insert_resource(Unit);
    world.insert_resource(Mode::Menu);
    world.insert_resource(Mode::Game { level: 3 });
    world.insert_resource(Queue([1, 2, 3]));
    world.insert_resource(Both(1));
    world.spawn(Both(2));
    world.insert_resource(Window(NonSend::new(std::rc::Rc::new(4))));
    let Frame { all, both, mode } = world.split_mut::<Frame>();
    both.0 += all.single().unwrap().1.0;
    assert!(matches!(mode, Some(Mode::Game { level: 3 })));
    let Generic(both, window, all) = world.split_mut::<Generic<Both, Window>>();
    both.0 += window.map_or(0, |window| **window.0.get());
    assert_eq!((both.0, all.count()), (7, 1));
    let (_, queue) = world.split_mut::<(Res<Unit>, ResMut<Queue<i32, 3>>)>();
    queue.0[0] = 5;
    assert_eq!(world.resource::<Queue<i32, 3>>().0, [5, 2, 3]);
}
