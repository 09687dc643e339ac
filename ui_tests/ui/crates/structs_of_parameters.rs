//! A struct holds whatever a system may be given, under any name.
#![deny(missing_docs, unused, unreachable_pub)]
#![forbid(unsafe_code)]

use engine::ecs::{
    self as library, Changes, Commands, Component, Local, EntityAllocator, Resource, Schedule, View, World,
};

/// A visible entity.
#[derive(Component)]
#[component(track)]
#[ecs(crate = engine::ecs)]
pub struct Position(f32);

#[derive(Resource)]
#[ecs(crate = engine::ecs)]
struct State(u32);

struct Supply;

type Moving<'v> = View<'v, &'v mut Position>;

#[derive(library::Views)]
#[ecs(crate = engine::ecs)]
struct Param<'s> {
    r#type: Moving<'s>,
    state: Option<&'s mut State>,
    given: Local<'s, Option<Result<u32, Box<str>>>>,
    world: &'s mut Commands,
    allocator: EntityAllocator<'s>,
}

/// Public.
#[derive(library::Views)]
#[ecs(crate = engine::ecs)]
pub struct Reading<'w, T: Component, const N: usize>(
    /// All.
    pub &'w World,
    &'w Changes<Position>,
    Inner<'w, T>,
    Local<'w, Kept<N>>,
);

/// A kept value.
#[derive(Clone)]
pub struct Kept<const N: usize>([u8; N]);

impl<const N: usize> Default for Kept<N> {
    fn default() -> Self {
        Self([1; N])
    }
}

/// A struct as public as the one that has it as a field.
#[derive(library::Views)]
#[ecs(crate = engine::ecs)]
pub struct Inner<'w, T: Component> {
    all: View<'w, &'w T>,
}

fn write(mut all: Param) {
    for (_, position) in &mut all.r#type {
        position.0 += 1.0;
    }
    let state = all.state.as_mut().map_or(0, |state| state.0);
    *all.given = Some(Ok(state));
    if all.r#type.count() < 2 {
        all.world.spawn(all.allocator, Position(5.0));
    }
}

fn read<'w>(all: Reading<'w, Position, 3>, mut again: Inner<'w, Position>) {
    assert_eq!((all.0.len(), all.2.all.count(), all.3.0), (2, 2, [1; 3]));
    assert_eq!(again.all.by_ref_count(), all.1.changed().len());
    again = all.2;
    let _ = (again, Supply);
}

trait Count {
    fn by_ref_count(&mut self) -> usize;
}

impl Count for View<'_, &Position> {
    fn by_ref_count(&mut self) -> usize {
        self.count()
    }
}

fn main() {
    let mut world = World::new();
    world.insert_resource(State(3));
    world.spawn(Position(1.0));
    Schedule::new().add(write).sync().add(read).add(|_: Param<'_>| {}).run(&mut world).unwrap();
    world.run(write);
    library::schedule! {
        #[ecs(crate = engine::ecs)]
        struct Frame { write, sync, read }
    }
    Frame::new().run(&mut world).unwrap();
    assert_eq!(Frame::PLAN.depth(), 3);
}
