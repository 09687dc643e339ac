//! Types of one name that one macro writes into constants and functions of one place: no path and no line distinguishes them.

use ecs::{Component, Query, Resource, View, World, schedule};
use std::any::TypeId;

trait Names {
    type Part: Component<Storage = Vec<Self::Part>>;
    type Any: Component<Storage = Vec<Self::Any>>;
    type Rule: Resource;
    fn part(value: u32) -> Self::Part;
    fn any(value: u32) -> Self::Any;
    fn rule(value: u32) -> Self::Rule;
    fn read(part: &Self::Part, any: &Self::Any) -> u32;
}

macro_rules! parts {
    ($($name:ident)+) => {$(
        pub struct $name;
        const _: () = {
            #[derive(Component)]
            pub struct Part(u32);
            #[derive(Component)]
            pub struct Any<T>(T);
            #[derive(Resource)]
            pub struct Rule(u32);

            impl Names for $name {
                type Part = Part;
                type Any = Any<u32>;
                type Rule = Rule;
                fn part(value: u32) -> Part {
                    Part(value)
                }
                fn any(value: u32) -> Any<u32> {
                    Any(value)
                }
                fn rule(value: u32) -> Rule {
                    Rule(value)
                }
                fn read(part: &Part, any: &Any<u32>) -> u32 {
                    part.0 + any.0
                }
            }
        };
    )+};
}
parts! { Sea Air }

type PartOf<T> = <T as Names>::Part;
type AnyOf<T> = <T as Names>::Any;
type RuleOf<T> = <T as Names>::Rule;

#[derive(Query)]
struct Both<'w> {
    sea: &'w mut PartOf<Sea>,
    air: &'w mut PartOf<Air>,
    any: (&'w mut AnyOf<Sea>, &'w mut AnyOf<Air>),
}

macro_rules! functions {
    ($($name:ident)+) => {$(
        fn $name(world: &mut World) -> TypeId {
            #[derive(Component)]
            struct Local(u32);
            #[derive(Query)]
            struct Ask<'w>(&'w mut Local, &'w PartOf<Sea>);

            world.spawn((Local(1), Sea::part(2)));
            assert_eq!(world.view_mut::<Ask>().count(), 1);
            TypeId::of::<Local>()
        }
    )+};
}
functions! { one two }

/// A file that is included twice has its own lines, both times, and the modules have one path.
fn included_once() -> (TypeId, ecs::ComponentId) {
    mod local {
        include!("shared/local.rs");
    }
    (TypeId::of::<local::Local>(), <local::Local as ecs::AnyComponent>::ID)
}
fn included_again() -> (TypeId, ecs::ComponentId) {
    mod local {
        include!("shared/local.rs");
    }
    (TypeId::of::<local::Local>(), <local::Local as ecs::AnyComponent>::ID)
}

fn sail(_: View<&mut PartOf<Sea>>, _: &mut RuleOf<Sea>) {}
fn fly(_: View<&mut PartOf<Air>>, _: &mut RuleOf<Air>) {}
fn both(_: View<(&mut PartOf<Sea>, &mut PartOf<Air>)>, _: &mut RuleOf<Air>, _: &mut RuleOf<Sea>) {}
schedule! {
    struct Frame { together(sail, fly), both }
}

pub(super) fn main() {
    let mut world = World::new();
    world.spawn(((Sea::part(1), Air::part(2)), (Sea::any(3), Air::any(4))));
    for Both { sea, air, any } in world.view_mut::<Both>() {
        assert_eq!((Sea::read(sea, any.0), Air::read(air, any.1)), (4, 6));
    }
    for (_, sea, air) in world.view_mut::<(&mut PartOf<Sea>, &mut PartOf<Air>)>() {
        *sea = Sea::part(5);
        *air = Air::part(6);
    }
    let (seas, airs) = world.split_mut::<(&mut PartOf<Sea>, &mut PartOf<Air>)>();
    assert_eq!((seas.count(), airs.count()), (1, 1));
    assert_ne!(one(&mut world), two(&mut world));
    let (once, again) = (included_once(), included_again());
    assert!(once.0 != again.0 && once.1 != again.1);
    world.insert_resource(Sea::rule(7));
    world.insert_resource(Air::rule(8));
    Frame::new().run(&mut world).unwrap();
}
