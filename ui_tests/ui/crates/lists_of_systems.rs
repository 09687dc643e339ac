//! Schedules are declared in modules and functions, with names that the library uses, too.
#![deny(missing_docs, unused, unreachable_pub)]
#![forbid(unsafe_code)]

use engine::ecs::{self as library, Component, Resource, Schedule, View, World};

/// Declared elsewhere.
pub mod physics {
    use super::{Position, View};

    fn integrate(positions: View<&mut Position>) {
        positions.for_each(|(_, position)| position.0 += 1.0);
    }

    super::library::schedule! {
        /// The systems that move entities.
        #[ecs(crate = engine::ecs)]
        pub struct Physics { self::integrate }
    }
}

/// The place of an entity.
#[derive(Component)]
#[ecs(crate = engine::ecs)]
pub struct Position(f32);

#[derive(Resource)]
#[ecs(crate = engine::ecs)]
struct Option<T: Send + Sync + 'static>(T);

struct Line;

fn together(line: &mut Option<u32>) {
    line.0 += 1;
}
fn sync() {}
fn add<const N: u32, T: Tells>(count: &mut Option<u32>) {
    count.0 += N * T::NUMBER;
}
fn is<T: Tells>(_: View<&Position>) -> bool {
    T::NUMBER == 1
}

trait Tells {
    const NUMBER: u32;
    fn tell() {}
}
impl Tells for Line {
    const NUMBER: u32 = 1;
}

library::schedule! {
    #[ecs(crate = engine::ecs)]
    #[derive()]
    struct Frame {
        /// The physics.
        physics: physics::Physics,
        together(self::sync, add::<2, Line> if is::<Line>,),
        self::together,
        <Line as Tells>::tell,
        sync
    }
}

fn main() {
    library::schedule! {
        #[ecs(crate = engine::ecs)]
        struct Empty {}
    }
    let mut world = World::new();
    world.insert_resource(Option(1_u32));
    world.spawn(Position(1.0));
    let mut frame = Frame::default();
    frame.run(&mut world).unwrap();
    Empty::new().run(&mut world).unwrap();
    assert_eq!(world.resource::<Option<u32>>().0, 4);
    assert_eq!(world.view::<&Position>().single().unwrap().1.0, 2.0);
    assert_eq!(
        format!("{frame:?}"),
        "[physics [integrate], together [sync, add<2, Line>], together, tell, sync]"
    );
    assert_eq!(Frame::PLAN.depth(), 4);
    let _: Schedule = frame.into();
}
