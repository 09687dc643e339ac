//! The stack that edits with large values need. In an unoptimised build, each function that a value is moved through
//! needs its size. `cargo run -p ecs_benches --features hecs --bin stack` compares it with hecs.

#![expect(clippy::large_stack_arrays, reason = "its size is measured")]

use ecs::{Bundle, Commands, Component, Entity, World};
use std::hint::black_box;
use std::process::Command;
use std::thread;

/// The bytes of a large value: all else on the stack is less.
const SIZE: usize = 32 << 10;

#[derive(Component)]
struct Large(#[expect(dead_code, reason = "only moved")] [u8; SIZE]);
#[derive(Component)]
struct Small(#[expect(dead_code, reason = "only moved")] u8);
#[derive(Component)]
#[component(layout = "soa")]
struct Columns {
    large: [u8; SIZE],
    small: u8,
}
#[derive(Bundle)]
struct Both {
    large: Large,
    small: Small,
}

/// Returns a large value. The caller and this need twice its size of stack.
#[inline(never)]
fn large() -> Large {
    Large([black_box(1); SIZE])
}

struct Scene {
    world: World,
    entity: Entity,
    /// An entity that has all components.
    full: Entity,
    commands: Commands,
}

impl Scene {
    fn new(is_observed: bool) -> Self {
        let mut world = World::new();
        let entity = world.spawn_empty().id();
        let columns = Columns { large: [1; SIZE], small: 1 };
        let full = world.spawn((large(), Small(1), columns)).id();
        if is_observed {
            world.on_insert::<Large>(|_, _| {});
            world.on_update::<Large>(|_, _| {});
            world.on_remove::<Large>(|_, _| {});
        }
        let mut commands = Commands::new();
        commands.spawn(&world, large());
        commands.insert(entity, Small(1));
        (0..2).for_each(|_| commands.insert(entity, large()));
        Self { world, entity, full, commands }
    }
}

/// An edit: its name; how many times the size of a value suffices for it, unobserved and observed; and the edit.
type Edit = (&'static str, [usize; 2], fn(&mut Scene));

const EDITS: [Edit; 17] = [
    ("spawn", [9, 9], |it| _ = it.world.spawn(large())),
    ("spawn two", [11, 11], |it| _ = it.world.spawn((large(), Small(1)))),
    ("spawn a bundle", [11, 11], |it| {
        it.world.spawn(Both { large: large(), small: Small(1) });
    }),
    ("spawn in columns", [13, 13], |it| {
        it.world.spawn(Columns { large: [black_box(1); SIZE], small: 1 });
    }),
    ("insert", [12, 14], |it| it.world.insert(it.entity, large()).unwrap()),
    ("insert two", [14, 16], |it| it.world.insert(it.entity, (large(), Small(1))).unwrap()),
    ("insert over", [10, 12], |it| it.world.insert(it.full, large()).unwrap()),
    ("insert by a handle", [14, 16], |it| {
        it.world.get_entity_mut(it.entity).unwrap().insert(large());
    }),
    ("insert if absent", [13, 15], |it| it.world.insert_if_absent(it.entity, large()).unwrap()),
    ("replace", [11, 11], |it| _ = black_box(&it.world.replace(it.full, large()))),
    ("remove", [3, 8], |it| assert!(black_box(&it.world.remove::<Large>(it.full)).is_some())),
    ("spawn a batch", [12, 12], |it| _ = it.world.spawn_batch((0..2).map(|_| large()))),
    ("insert a batch", [16, 16], |it| {
        let all = [it.entity, it.full].into_iter().map(|entity| (entity, large()));
        it.world.insert_batch(all).unwrap();
    }),
    ("record a spawn", [7, 7], |it| _ = it.commands.spawn(&it.world, large())),
    ("record an insertion", [6, 6], |it| it.commands.insert(it.entity, large())),
    ("record two", [7, 7], |it| it.commands.insert(it.entity, (large(), Small(1)))),
    ("apply commands", [10, 10], |it| assert_eq!(it.commands.apply(&mut it.world).missing, 0)),
];

#[test]
fn a_few_times_the_size_of_a_value_is_stack_enough_for_its_edits() {
    const INSIDE: &str = "ECS_STACK";
    if std::env::var_os("RUST_MIN_STACK").is_some() {
        return; // sanitizers enlarge each frame
    }
    if std::env::var_os(INSIDE).is_none() {
        let name = "stack::a_few_times_the_size_of_a_value_is_stack_enough_for_its_edits";
        let mut process = Command::new(std::env::current_exe().unwrap());
        let process = process.args(["--exact", name, "--nocapture"]).env(INSIDE, "");
        let result = process.output().unwrap();
        assert!(result.status.success(), "{}", String::from_utf8_lossy(&result.stderr));
        return;
    }
    for (name, times, edit) in EDITS {
        for (times, is_observed) in times.into_iter().zip([false, true]) {
            let mut scene = Scene::new(is_observed);
            // The message of an overflow names the thread.
            let thread = thread::Builder::new().name(name.into()).stack_size(times * SIZE);
            thread::scope(|scope| {
                thread.spawn_scoped(scope, || edit(&mut scene)).unwrap().join().unwrap();
            });
        }
    }
}
