//! The measured calls, written once for each library.

use ecs::{Bundle, Commands, Component, Entity, Resource, World};
use std::error::Error;
use std::hint::black_box;

/// The bytes of a large value.
pub const SIZE: usize = 32 << 10;

/// A large component, of both libraries.
#[derive(Component)]
struct Large(#[expect(dead_code, reason = "only moved")] [u8; SIZE]);
/// A small one.
#[derive(Component)]
struct Small(#[expect(dead_code, reason = "only moved")] u8);

/// A large component of ours in columns.
#[derive(Component)]
#[component(layout = "soa")]
struct Columns {
    large: [u8; SIZE],
    small: u8,
}

/// Requires a large component.
#[derive(Component)]
#[component(requires(Large = large()))]
struct Needing;

#[derive(Resource)]
struct Setting(#[expect(dead_code, reason = "only moved")] Large);

#[derive(Bundle)]
struct Both {
    large: Large,
    small: Small,
}

/// Returns a large value.
#[inline(never)]
#[expect(clippy::large_stack_arrays, reason = "its size is measured")]
fn large() -> Large {
    Large([black_box(1); SIZE])
}

/// A world of ours, with an entity and commands.
struct Ours {
    world: World,
    entity: Entity,
    commands: Commands,
}

/// A world of hecs, with an entity and commands.
struct Hecs {
    world: hecs::World,
    entity: hecs::Entity,
    commands: hecs::CommandBuffer,
}

/// A call of ours, and one of hecs that does the same, if there is one.
pub struct Call {
    pub name: &'static str,
    /// The state of the entity and the commands before the call.
    before: Before,
    ours: fn(&mut Ours),
    hecs: Option<fn(&mut Hecs)>,
}

#[derive(Clone, Copy, PartialEq)]
enum Before {
    /// The pool of the component exists, with no members.
    Empty,
    /// The entity has the component.
    Present,
    /// An observer is called for each insertion.
    Observed,
    /// The entity has the component, and an observer is called for each change of it.
    ObservedPresent,
    /// The commands hold this many insertions.
    Inserts(u32),
}
use Before::{Empty, Inserts, Observed, ObservedPresent, Present};

macro_rules! calls {
    ($($name:literal, $before:expr, |$ours:ident| $body:expr, $(|$hecs:ident| $theirs:expr)?;)+) => {
        /// All measured calls.
        pub const CALLS: &[Call] = &[$(Call {
            name: $name,
            before: $before,
            ours: |$ours| {
                let _ = $body;
            },
            hecs: calls!(@ $(|$hecs| $theirs)?),
        }),+];
    };
    (@) => { None };
    (@ |$hecs:ident| $theirs:expr) => { Some(|$hecs| {
        let _ = $theirs;
    }) };
}

calls! {
    "make the value, and nothing else", Empty, |_w| black_box(&large()), |_w| black_box(&large());
    "spawn", Empty, |w| w.world.spawn(large()).id(), |w| w.world.spawn((large(),));
    "spawn of two", Empty,
        |w| w.world.spawn((large(), Small(1))).id(), |w| w.world.spawn((large(), Small(1)));
    "spawn of a derived bundle", Empty,
        |w| w.world.spawn(Both { large: large(), small: Small(1) }).id(),
        |w| w.world.spawn((large(), Small(1)));
    "spawn in columns", Empty,
        |w| w.world.spawn(Columns { large: [black_box(1); SIZE], small: 1 }).id(),
        |w| w.world.spawn((large(), Small(1)));
    "insert", Empty, |w| w.world.insert(w.entity, large()), |w| w.world.insert(w.entity, (large(),));
    "insert over", Present,
        |w| w.world.insert(w.entity, large()), |w| w.world.insert(w.entity, (large(),));
    "insert of two", Empty,
        |w| w.world.insert(w.entity, (large(), Small(1))),
        |w| w.world.insert(w.entity, (large(), Small(1)));
    "insert by a handle", Empty,
        |w| { w.world.get_entity_mut(w.entity).expect("it is alive").insert(large()); },
        |w| w.world.insert(w.entity, (large(),));
    "insert if absent", Empty,
        |w| w.world.insert_if_absent(w.entity, large()), |w| w.world.insert(w.entity, (large(),));
    "replace", Present,
        |w| black_box(&w.world.replace(w.entity, large())),
        |w| black_box(&w.world.exchange_one::<Large, _>(w.entity, large()));
    "get or insert", Empty,
        |w| w.world.get_or_insert_with(w.entity, large).is_ok(), |w| w.world.insert(w.entity, (large(),));
    "remove", Present,
        |w| assert!(black_box(&w.world.remove::<Large>(w.entity)).is_some()),
        |w| assert!(black_box(&w.world.remove_one::<Large>(w.entity)).is_ok());
    "take", Present,
        |w| assert!(black_box(&w.world.take::<Large>(w.entity)).is_some()),
        |w| assert!(black_box(&w.world.remove_one::<Large>(w.entity)).is_ok());
    "spawn, observed", Observed, |w| w.world.spawn(large()).id(), |w| w.world.spawn((large(),));
    "spawn with a required component", Empty,
        |w| w.world.spawn(Needing).id(), |w| w.world.spawn((large(),));
    "insert, observed", Observed,
        |w| w.world.insert(w.entity, large()), |w| w.world.insert(w.entity, (large(),));
    "insert of two, observed", Observed,
        |w| w.world.insert(w.entity, (large(), Small(1))),
        |w| w.world.insert(w.entity, (large(), Small(1)));
    "insert over, observed", ObservedPresent,
        |w| w.world.insert(w.entity, large()), |w| w.world.insert(w.entity, (large(),));
    "remove, observed", ObservedPresent,
        |w| assert!(black_box(&w.world.remove::<Large>(w.entity)).is_some()),
        |w| assert!(black_box(&w.world.remove_one::<Large>(w.entity)).is_ok());
    "spawn a batch", Empty,
        |w| w.world.spawn_batch((0..2).map(|_| large())),
        |w| w.world.spawn_batch((0..2).map(|_| (large(),))).count();
    "insert a batch", Empty,
        |w| w.world.insert_batch((0..2).map(|_| (w.entity, large()))),;
    "record a spawn", Empty,
        |w| w.commands.spawn(&w.world, large()), |w| w.commands.spawn((large(),));
    "record an insertion", Empty,
        |w| w.commands.insert(w.entity, large()), |w| w.commands.insert(w.entity, (large(),));
    "record an insertion of two", Empty,
        |w| w.commands.insert(w.entity, (large(), Small(1))),
        |w| w.commands.insert(w.entity, (large(), Small(1)));
    "record a spawn, apply it", Empty,
        |w| { w.commands.spawn(&w.world, large()); w.commands.apply(&mut w.world) },
        |w| { w.commands.spawn((large(),)); w.commands.run_on(&mut w.world) };
    "record an insertion, apply it", Empty,
        |w| { w.commands.insert(w.entity, large()); w.commands.apply(&mut w.world) },
        |w| { w.commands.insert(w.entity, (large(),)); w.commands.run_on(&mut w.world) };
    "apply an insertion", Inserts(1),
        |w| w.commands.apply(&mut w.world),;
    "apply two insertions", Inserts(2),
        |w| w.commands.apply(&mut w.world),;
    "insert a resource", Empty, |w| w.world.insert_resource(Setting(large())),;
    "send an event", Empty, |w| w.world.send(&large()),;
    "record an event", Empty, |w| w.commands.send(large()),;
}

/// The libraries.
pub const LIBRARIES: [&str; 2] = ["ecs", "hecs"];

impl Call {
    /// Returns `true` if the library has such a call.
    pub fn is_of(&self, library: &str) -> bool {
        library == LIBRARIES[0] || self.hecs.is_some()
    }

    /// Makes the call on a thread with a stack of this many bytes. Aborts the process if they do not
    /// suffice.
    pub fn run(&self, library: &str, bytes: usize) -> Result<(), Box<dyn Error>> {
        match (library, self.hecs) {
            ("ecs", _) => on_stack(bytes, &mut self.ours_before(), self.ours),
            ("hecs", Some(hecs)) => on_stack(bytes, &mut self.hecs_before(), hecs),
            _ => Err("no such library, or no such call of it".into()),
        }
    }

    fn ours_before(&self) -> Ours {
        let mut world = World::new();
        let entity = world.spawn_empty().id();
        let mut commands = Commands::new();
        match self.before {
            Empty => {}
            Present => world.insert(entity, large()).expect("it is alive"),
            Observed | ObservedPresent => {
                if self.before == ObservedPresent {
                    world.insert(entity, large()).expect("it is alive");
                }
                world.on_insert::<Large>(|_, _| {});
                world.on_update::<Large>(|_, _| {});
                world.on_remove::<Large>(|_, _| {});
            }
            Inserts(count) => (0..count).for_each(|_| commands.insert(entity, large())),
        }
        Ours { world, entity, commands }
    }

    fn hecs_before(&self) -> Hecs {
        let mut world = hecs::World::new();
        let entity = world.spawn(());
        let mut commands = hecs::CommandBuffer::new();
        match self.before {
            Empty | Observed => {}
            Present | ObservedPresent => world.insert_one(entity, large()).expect("it is alive"),
            Inserts(count) => (0..count).for_each(|_| commands.insert_one(entity, large())),
        }
        Hecs { world, entity, commands }
    }
}

/// Calls `call` on a thread with a stack of this many bytes.
fn on_stack<W: Send>(bytes: usize, world: &mut W, call: fn(&mut W)) -> Result<(), Box<dyn Error>> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(bytes);
        let thread = thread.spawn_scoped(scope, || call(world))?;
        thread.join().map_err(|_| "the call panicked".into())
    })
}
