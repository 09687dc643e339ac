//! Components of another crate, whose derive declares nothing, declared at start-up.
//!
//! Declarations are of the process: so each test has components of its own.
#![cfg(feature = "bytes")]
#![allow(dead_code, reason = "of what stands beside columns not all is used")]

use ecs::by_name::{Declaration, Kind, KindChanges, KindError, Shape, Values};
use ecs::copies::Copies;
use ecs::save::{ChangeSets, Delta, Follower, Limits, Received};
use ecs::{AnyComponent, Component, Entity, World};
use serde::{Deserialize, Serialize};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Another crate, whose author foresaw no editor.
mod physics {
    use ecs::{Component, Entity};
    use serde::{Deserialize, Serialize};

    macro_rules! components {
        ($($name:ident)+) => {$(
            #[derive(Component, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
            pub struct $name {
                pub x: f32,
                pub label: String,
            }
        )+};
    }
    components! { Copied Edited Saved Sent Renamed Used Again Different Taken Other Empty Zero Twice Late Skipped Both }

    /// Stored in columns.
    #[derive(Component, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
    #[component(layout = "soa")]
    pub struct Column {
        pub x: f32,
        pub y: u8,
    }

    #[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub enum Surface {
        Ice,
        Sand { depth: f32 },
    }

    #[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[component(track)]
    pub struct Tracked(pub u32);

    #[derive(
        Component,
        Clone,
        Copy,
        Debug,
        PartialEq,
        Serialize,
        Deserialize,
        bytemuck::Pod,
        bytemuck::Zeroable,
    )]
    #[repr(C)]
    pub struct Plain(pub [f32; 2]);

    #[derive(Component, Clone, Debug, Default, Serialize, Deserialize)]
    #[component(clone, debug, default, track, save = "derived")]
    pub struct Derived(pub u32);

    /// A handle that no copy may have, so it is not `Clone`.
    #[derive(Component, Debug, PartialEq)]
    pub struct Body(pub u32);

    #[derive(Component, Clone, Serialize, Deserialize)]
    pub struct Linked(#[component(entities)] pub Entity);

    #[derive(Component, Clone, Serialize, Deserialize)]
    pub struct Forgotten(pub Link);
    #[derive(Clone, Serialize, Deserialize)]
    pub struct Link {
        pub to: Entity,
    }

    #[derive(Component, Debug, PartialEq, Serialize, Deserialize)]
    pub struct Versioned(pub u32);

    /// Neither `Clone` nor `PartialEq`.
    #[derive(Component, Serialize, Deserialize)]
    pub struct Heat {
        pub degrees: f32,
        pub label: String,
    }

    #[derive(Component, Serialize, Deserialize)]
    #[component(track, save = "marked heat")]
    pub struct MarkedHeat {
        pub degrees: f32,
        pub label: String,
    }

    #[derive(Component, Clone, Serialize, Deserialize)]
    #[component(layout = "soa")]
    pub struct Flow {
        pub degrees: f32,
        pub label: String,
    }

    #[derive(Component, Clone, Serialize, Deserialize)]
    #[component(layout = "soa", track, save = "marked flow")]
    pub struct MarkedFlow {
        pub degrees: f32,
        pub label: String,
    }

    #[derive(Component, Serialize, Deserialize)]
    #[component(relation)]
    pub struct Tied(pub Entity);

    #[derive(Component, Serialize, Deserialize)]
    pub struct Unsaved;

    #[derive(Component, Serialize, Deserialize)]
    #[component(save = "by derive")]
    pub struct ByDerive;

    /// Is not saved if it is 13.
    #[derive(Component, Deserialize)]
    pub struct Fussy(pub u32);

    impl Serialize for Fussy {
        fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
            if self.0 == 13 {
                return Err(serde::ser::Error::custom("it is 13"));
            }
            to.serialize_newtype_struct("Fussy", &self.0)
        }
    }
}
use physics::{
    Again, Body, Both, ByDerive, Column, Copied, Derived, Different, Edited, Empty, Flow,
    Forgotten, Fussy, Heat, Late, Link, Linked, MarkedFlow, MarkedHeat, Other, Plain, Renamed,
    Saved, Sent, Skipped, Surface, Taken, Tied, Tracked, Twice, Unsaved, Used, Versioned, Zero,
};

fn bytes_of(world: &World) -> Vec<u8> {
    let mut bytes = Vec::new();
    world.save().to_bytes(&mut bytes).unwrap();
    bytes
}

/// Returns the message with which a declaration is refused.
#[track_caller]
fn refusal<R>(declare: impl FnOnce() -> R) -> String {
    let refused = catch_unwind(AssertUnwindSafe(|| drop(declare())));
    let refused = refused.expect_err("the declaration was not refused");
    refused.downcast_ref::<String>().expect("a message with values").clone()
}

#[test]
fn copies_have_components_that_are_declared_to_be_copied() {
    let mut world = World::new();
    let ball = world.spawn(Copied { x: 1.0, label: "ball".into() }).id();
    assert!(world.try_clone().unwrap_err().to_string().contains("`Copied`"));
    assert_eq!(
        world.copy_kind(Kind::of::<Copied>(), ball, ball),
        Err(KindError::NotAllowed("Copied", "clone"))
    );

    let mut world = World::new();
    let kind = world.declare(Declaration::<Copied>::new().clone());
    assert!(kind.is_copied() && !kind.is_shown() && !kind.has_default());
    let ball = world.spawn(Copied { x: 1.0, label: "ball".into() }).id();
    let copy = world.try_clone().unwrap();
    assert_eq!(copy.get::<Copied>(ball), world.get::<Copied>(ball));

    let all = world.spawn_copies(ball, 3).unwrap();
    assert!(all.iter().all(|copy| world.get::<Copied>(*copy) == world.get::<Copied>(ball)));
    let mut other = World::new();
    let of_prefab = other.spawn_copies_of(&world, 2).unwrap();
    assert_eq!(of_prefab.len(), 2 * world.pool::<Copied>().len());
    let to = world.spawn_empty().id();
    world.copy_kind(kind, ball, to).unwrap();
    assert_eq!(world.get::<Copied>(to), world.get::<Copied>(ball));
    other.copy_from(&world).unwrap();
    assert_eq!(other.get::<Copied>(ball), world.get::<Copied>(ball));
    other.check_invariants();
}

#[test]
fn copies_are_without_components_that_are_declared_to_be_skipped() {
    let mut world = World::new();
    world.declare(Declaration::<Body>::new().skip_copies().debug());
    let ball = world.spawn(Body(7)).id();
    let (copy, left_out) = world.try_clone_by(&Copies::default()).unwrap();
    assert!(copy.is_alive(ball) && !copy.has::<Body>(ball));
    assert_eq!(left_out, ["Body"]);
    assert!(!world.try_clone().unwrap().has::<Body>(ball));
}

#[test]
fn an_editor_shows_makes_and_changes_components_of_another_crate() {
    let mut world = World::new();
    let declaration = Declaration::<Edited>::new().clone().debug().default();
    let kind = world.declare(declaration.save("physics.edited", 1));
    let entity = world.spawn_empty().id();
    assert_eq!(world.kind("physics.edited"), Ok(kind));
    assert_eq!(kind.saved_as(), Some(("physics.edited", 1)));
    let Shape::Struct(fields) = kind.shape() else { panic!("it has fields with names") };
    assert_eq!((fields[0].name, fields[1].name), ("x", "label"));

    world.insert_kind_default(kind, entity).unwrap();
    let shown = |world: &World| format!("{:?}", world.kind_values(entity).next().unwrap());
    assert_eq!(shown(&world), format!("{:?}", Edited::default()));
    let text = r#"{"x":2.5,"label":"a"}"#;
    let mut from = serde_json::Deserializer::from_str(text);
    world.insert_kind(kind, entity, &mut from).unwrap();
    assert_eq!(world.get::<Edited>(entity), Some(&Edited { x: 2.5, label: "a".into() }));
    let value = world.kind_value(kind, entity).unwrap();
    assert_eq!(serde_json::to_string(value.as_serialize().unwrap()).unwrap(), text);

    // A value over another one, which is undone.
    let old = world.take_kind(kind, entity).unwrap();
    let mut values = Values::new();
    values.add_default(&mut world, kind).unwrap();
    world.insert_values(entity, values).unwrap();
    values_by_default(&mut world, kind, entity);
    world.insert_value(entity, old).unwrap();
    assert_eq!(world.get::<Edited>(entity).unwrap().x.to_bits(), 2.5_f32.to_bits());
    world.check_invariants();
}

/// Inserts the default over the value that the entity has.
fn values_by_default(world: &mut World, kind: Kind, entity: Entity) {
    let mut values = Values::new();
    values.add_default(world, kind).unwrap();
    world.insert_values(entity, values).unwrap();
    assert_eq!(world.get::<Edited>(entity), Some(&Edited::default()));
    assert_eq!(world.pool::<Edited>().len(), 1);
    world.remove_kind(kind, entity).unwrap();
}

/// A world with a component of each form that the other crate has.
fn saved_world() -> (World, Vec<Entity>) {
    let mut world = World::new();
    declare_saved(&mut world);
    let all = (0..100_u8).map(|at| {
        let place = Saved { x: at.into(), label: format!("{at}") };
        let entity = world.spawn((place, Column { x: 0.5, y: at })).id();
        match at % 3 {
            0 => world.insert(entity, Surface::Ice),
            1 => world.insert(entity, Surface::Sand { depth: at.into() }),
            _ => world.insert(entity, Plain([at.into(), -0.0])),
        }
        .unwrap();
        entity
    });
    let all = all.collect();
    (world, all)
}

fn declare_saved(world: &mut World) {
    world.declare(Declaration::<Saved>::new().save("saved", 1));
    world.declare(Declaration::<Column>::new().clone().debug().save("column", 1));
    world.declare(Declaration::<Surface>::new().save("surface", 2));
    world.declare(Declaration::<Plain>::new().save_bytes("plain", 1));
}

fn assert_equal(a: &World, b: &World, all: &[Entity]) {
    for entity in all {
        assert_eq!(a.get::<Saved>(*entity), b.get::<Saved>(*entity));
        assert_eq!(a.get::<Surface>(*entity), b.get::<Surface>(*entity));
        assert_eq!(a.get::<Plain>(*entity), b.get::<Plain>(*entity));
        let [a, b] = [a, b].map(|world| world.get::<Column>(*entity).map(|it| (*it.x, *it.y)));
        assert_eq!(a, b);
    }
    b.check_invariants();
}

#[test]
fn files_in_bytes_and_texts_have_components_that_are_declared_to_be_saved() {
    let (world, all) = saved_world();
    let bytes = bytes_of(&world);
    let mut empty = World::new();
    declare_saved(&mut empty);
    let (read, _) = empty.read(&bytes, &Limits::default()).unwrap();
    assert_equal(&world, &read, &all);
    assert_eq!(bytes_of(&read), bytes);

    let text = serde_json::to_string(&world.save()).unwrap();
    let (read, _) = empty.read_from(&mut serde_json::Deserializer::from_str(&text)).unwrap();
    assert_equal(&world, &read, &all);
    let wrong = text.replace("\"depth\":1.0", "\"depth\":\"deep\"");
    assert_ne!(wrong, text);
    let error = empty.read_from(&mut serde_json::Deserializer::from_str(&wrong)).unwrap_err();
    assert!(error.to_string().starts_with("`surface` of 1v1: "), "{error}");
}

#[test]
fn deltas_have_values_of_declared_components_that_changed() {
    let (mut world, all) = saved_world();
    let (mut old, _) = world.read(&bytes_of(&world), &Limits::default()).unwrap();
    assert!(Delta::between(&old, &world).unwrap().is_empty());
    world.get_mut::<Saved>(all[3]).unwrap().x = 77.0;
    *world.get_mut::<Column>(all[4]).unwrap().y = 77;
    world.insert(all[5], Surface::Ice).unwrap();
    let delta = Delta::between(&old, &world).unwrap();
    assert!(!delta.is_empty() && delta.as_bytes().len() < 400, "{}", delta.as_bytes().len());
    old.apply_delta(delta.as_bytes(), &Limits::default()).unwrap();
    assert_equal(&world, &old, &all);
}

#[test]
fn change_sets_replicate_declared_components_that_their_derive_tracks() {
    let (mut server, mut client) = (World::new(), World::new());
    let mut follower = Follower::default();
    for world in [&mut server, &mut client] {
        world.declare(Declaration::<Tracked>::new().save("tracked", 1));
    }
    let mut sent = server.change_sets();
    let entity = server.spawn(Tracked(1)).id();
    for value in [1, 2] {
        server.get_mut::<Tracked>(entity).unwrap().0 = value;
        let changes = sent.drain(&mut server).unwrap();
        let applied =
            client.apply_change_set(changes.as_bytes(), &mut follower, &Limits::default());
        assert_eq!(applied.unwrap(), Received::Applied);
        let there = follower.get(entity).unwrap();
        assert_eq!(client.get::<Tracked>(there), Some(&Tracked(value)));
    }
}

/// A world that follows another one, and a reader of the changes of one component there.
struct Pair {
    server: World,
    client: World,
    sent: ChangeSets,
    follower: Follower,
    changes: KindChanges,
}

impl Pair {
    fn new<T: AnyComponent>(prepare: impl Fn(&mut World)) -> Self {
        let (mut server, mut client) = (World::new(), World::new());
        prepare(&mut server);
        prepare(&mut client);
        let sent = server.change_sets();
        let changes = server.kind_changes(Kind::of::<T>()).unwrap();
        Self { server, client, sent, follower: Follower::default(), changes }
    }

    /// Sends the changes, and returns `true` if there are any.
    #[track_caller]
    fn follow(&mut self) -> bool {
        let set = self.sent.drain(&mut self.server).unwrap();
        let Self { client, follower, .. } = self;
        let applied = client.apply_change_set(set.as_bytes(), follower, &Limits::default());
        assert_eq!(applied.unwrap(), Received::Applied);
        client.check_invariants();
        !set.is_empty()
    }

    /// Brings the reader up to date, and returns the inserted, changed and removed members, by
    /// index.
    fn changes(&mut self) -> [Vec<u32>; 3] {
        self.server.advance_kind(&mut self.changes);
        let index = |entity: Entity| entity.index();
        [
            self.server.entities_in(self.changes.inserted()).map(index).collect(),
            self.server.entities_in(self.changes.changed()).map(index).collect(),
            self.changes.removed().iter().map(|it| it.index()).collect(),
        ]
    }
}

/// The edits of a component whose changes are marked by its derive, or compared. Each step leaves a value that differs
/// from the one before it in each entity that the derive marks.
macro_rules! history {
    ($name:ident, $type:ident, $prepare:expr, |$it:ident| $degrees:expr) => {
        /// Returns, for each step, the content of the client, and the changes that a reader has
        /// seen.
        fn $name() -> Vec<(Vec<(u32, u32, String)>, [Vec<u32>; 3])> {
            let value = |degrees: f32| $type { degrees, label: format!("{degrees}") };
            let mut pair = Pair::new::<$type>($prepare);
            let all = pair.server.spawn_batch((0..70_u8).map(|at| value(at.into())));
            let mut file = Vec::new();
            let steps: Vec<Box<dyn Fn(&mut World)>> = vec![
                Box::new(|_| {}),
                Box::new(|world| {
                    let $it = world.get_mut::<$type>(all[3]).unwrap();
                    $degrees = 77.0;
                }),
                Box::new(|world| {
                    world.patch::<$type>(all[4], |$it| $degrees = -0.0);
                    world.insert(all[5], value(-5.0)).unwrap();
                }),
                Box::new(|world| {
                    world.view_mut::<&mut $type>().for_each(|(_, $it)| $degrees += 0.5);
                }),
                Box::new(|world| {
                    world.pool_mut::<$type>().iter_mut().for_each(|(_, $it)| $degrees -= 0.25);
                }),
                Box::new(|world| {
                    let mut pool = world.pool_mut::<$type>();
                    for entity in &all[60..] {
                        let $it = pool.get_mut(*entity).unwrap();
                        $degrees *= 2.0;
                    }
                }),
                Box::new(|world| {
                    world.remove::<$type>(all[6]);
                    world.remove::<$type>(all[7]);
                    world.insert(all[7], value(-7.0)).unwrap();
                    world.despawn(all[8]).unwrap();
                    let $it = world.get_mut::<$type>(all[69]).unwrap(); // moved into a gap
                    $degrees = 1.5;
                }),
                Box::new(|world| _ = world.spawn((value(9.0),)).id()), // at the index of `all[8]`
                Box::new(|world| world.pool_mut::<$type>().sort_by_entity().unwrap()),
                Box::new(|world| {
                    world
                        .pool_mut::<$type>()
                        .sort_by(|a, b| b.degrees.total_cmp(&a.degrees))
                        .unwrap();
                    let $it = world.get_mut::<$type>(all[9]).unwrap();
                    $degrees = 0.125;
                }),
                Box::new(|world| _ = world.remove_batch::<$type>(&all[10..40])),
                Box::new(|world| world.clear()),
                Box::new(|_| {}),
            ];
            let mut seen = Vec::new();
            for (at, step) in steps.iter().enumerate() {
                step(&mut pair.server);
                if at == 5 {
                    pair.server.save().to_bytes(&mut file).unwrap();
                }
                if at == 10 {
                    pair.server.load(&file, &Limits::default()).unwrap();
                }
                pair.follow();
                let mut has: Vec<(u32, u32, String)> = Vec::new();
                for (there, here) in pair.follower.known().iter() {
                    if let Some(it) = pair.client.get::<$type>(*here) {
                        has.push((there.index(), it.degrees.to_bits(), it.label.to_string()));
                    }
                }
                has.sort();
                assert_eq!(has.len(), pair.server.pool::<$type>().len(), "step {at}");
                seen.push((has, pair.changes()));
                assert!(!pair.follow(), "step {at}");
                assert_eq!(pair.changes(), [const { Vec::<u32>::new() }; 3]);
            }
            seen
        }
    };
}
history!(of_heat, Heat, declare_tracked, |it| it.degrees);
history!(of_marked_heat, MarkedHeat, World::register::<MarkedHeat>, |it| it.degrees);
history!(of_flow, Flow, declare_tracked, |it| *it.degrees);
history!(of_marked_flow, MarkedFlow, World::register::<MarkedFlow>, |it| *it.degrees);

fn declare_tracked(world: &mut World) {
    world.declare(Declaration::<Heat>::new().save("heat", 1).track());
    world.declare(Declaration::<Flow>::new().save("flow", 1).track());
}

#[test]
fn worlds_follow_declared_components_like_those_whose_derive_tracks_them() {
    for (declared, derived) in [(of_heat(), of_marked_heat()), (of_flow(), of_marked_flow())] {
        for (at, (declared, derived)) in declared.into_iter().zip(derived).enumerate() {
            assert_eq!(declared, derived, "step {at}");
        }
    }
}

#[test]
fn a_value_is_compared_by_all_that_is_saved_of_it() {
    let mut pair = Pair::new::<Heat>(declare_tracked);
    let entity = pair.server.spawn(Heat { degrees: 0.0, label: String::new() }).id();
    assert!(pair.follow());
    let mut set = |degrees: f32, label: &str| {
        let heat = pair.server.get_mut::<Heat>(entity).unwrap();
        (heat.degrees, heat.label) = (degrees, label.into());
        pair.follow()
    };
    assert!(set(-0.0, "") && !set(-0.0, ""), "a zero of another sign is another value");
    assert!(set(f32::NAN, "") && !set(f32::NAN, ""), "the same NaN is not");
    assert!(set(f32::NAN, "a") && set(f32::NAN, "") && !set(f32::NAN, ""));
    let changes = pair.changes();
    assert_eq!(changes, [vec![0], vec![0], vec![]]);
}

#[test]
fn values_are_kept_for_comparisons_while_there_are_readers() {
    let mut world = World::new();
    declare_tracked(&mut world);
    let heat = |at: u16| Heat { degrees: at.into(), label: String::new() };
    let all = world.spawn_batch((0..1_000).map(heat));
    let before = world.memory_usage().total();
    let first = world.kind_changes(Kind::of::<Heat>()).unwrap();
    assert!(world.memory_usage().total() > before + 5_000);
    let mut late = world.kind_changes(Kind::of::<Heat>()).unwrap();
    world.advance_kind(&mut late);
    assert_eq!(
        world.entities_in(late.changed()).count(),
        0,
        "changes before it began are not its own"
    );
    drop((first, late));
    world.remove::<Heat>(all[0]); // the next edit ends them
    assert!(world.memory_usage().total() < before + 5_000);
}

#[test]
fn no_change_is_lost_when_a_value_cannot_be_saved() {
    let prepare = |world: &mut World| {
        world.declare(Declaration::<Fussy>::new().save("fussy", 1).track());
    };
    let mut pair = Pair::new::<Fussy>(prepare);
    let all = pair.server.spawn_batch((0..50).map(Fussy));
    pair.server.get_mut::<Fussy>(all[13]).unwrap().0 = 0;
    assert!(pair.follow());
    pair.changes();
    pair.server.get_mut::<Fussy>(all[20]).unwrap().0 = 13;
    pair.server.get_mut::<Fussy>(all[30]).unwrap().0 = 99;
    let error = pair.sent.drain(&mut pair.server).unwrap_err().to_string();
    assert!(error.contains("`fussy` of 20v1") && error.contains("it is 13"), "{error}");
    assert_eq!(pair.changes()[1].len(), 50, "each may have changed");
    pair.server.get_mut::<Fussy>(all[20]).unwrap().0 = 14;
    pair.server.get_mut::<Fussy>(all[40]).unwrap().0 = 98;
    assert!(pair.follow());
    assert!(pair.changes()[1].contains(&40));
    for entity in all {
        let there = pair.client.get::<Fussy>(pair.follower.get(entity).unwrap()).unwrap().0;
        assert_eq!(there, pair.server.get::<Fussy>(entity).unwrap().0);
    }
    assert!(!pair.follow());
    assert_eq!(pair.changes(), [const { Vec::<u32>::new() }; 3]);
}

#[test]
fn moves_among_the_sources_of_a_declared_relation_are_sent() {
    let prepare = |world: &mut World| {
        world.declare(Declaration::<Tied>::new().save("tied", 1).track());
    };
    let mut pair = Pair::new::<Tied>(prepare);
    let post = pair.server.spawn_empty().id();
    let all = pair.server.spawn_batch((0..4).map(|_| Tied(post)));
    let moves: [fn(&mut World, &[Entity], Entity); 4] = [
        |_, _, _| {},
        |world, all, _| _ = world.move_related::<Tied>(all[3], 0),
        |world, all, _| _ = world.swap_related::<Tied>(all[0], all[2]),
        |world, _, post| {
            world.sort_related_by::<Tied>(post, |_, a, b| a.index().cmp(&b.index()));
        },
    ];
    for step in moves {
        step(&mut pair.server, &all, post);
        assert!(pair.follow());
        let here = |entity| pair.follower.get(entity).unwrap();
        let order = pair.server.related::<Tied>(post).map(here);
        assert!(pair.client.related::<Tied>(here(post)).eq(order));
    }
}

#[test]
fn changes_of_components_that_are_not_saved_cannot_be_compared() {
    assert_eq!(
        refusal(|| World::new().declare(Declaration::<Unsaved>::new().track())),
        "`Unsaved` is declared to be tracked, which compares its saved bytes, and it is not saved: declare `save`"
    );
    let mut world = World::new();
    let changes = world.kind_changes(Kind::of::<Unsaved>());
    assert_eq!(changes.unwrap_err(), KindError::NotAllowed("Unsaved", "track"));
    world.declare(Declaration::<ByDerive>::new().track());
    assert!(Kind::of::<ByDerive>().is_tracked() && world.change_sets().drain(&mut world).is_ok());
}

#[test]
fn entities_in_declared_components_are_replaced_and_forgotten_ones_refused() {
    let mut world = World::new();
    world.declare(Declaration::<Linked>::new().clone().save("linked", 1));
    let a = world.spawn_empty().id();
    let b = world.spawn(Linked(a)).id();
    let (mut read, _) = world.read(&bytes_of(&world), &Limits::default()).unwrap();
    let mut other = World::new();
    other.spawn_empty();
    let map = other.merge(&mut read).unwrap();
    let (a, b) = (*map.get(a).unwrap(), *map.get(b).unwrap());
    assert_eq!(other.get::<Linked>(b).unwrap().0, a);

    let saved = Declaration::<Forgotten>::new().save("forgotten", 1);
    let error = refusal(|| world.declare(saved));
    let forgotten = "`Forgotten.0`, of the type `Link`, may hold handles of entities, and nothing replaces them: add \
                     `#[derive(MapEntities)]` to the type that holds them, or let them stay as they are by \
                     `ignore_entities`";
    assert_eq!(error, forgotten);
    assert_eq!(refusal(|| world.declare(Declaration::<Forgotten>::new().clone())), forgotten);
    let all = Declaration::<Forgotten>::new().save("forgotten", 1).clone().ignore_entities();
    world.declare(all);
    let entity = world.spawn(Forgotten(Link { to: b })).id();
    let (mut read, _) = world.read(&bytes_of(&world), &Limits::default()).unwrap();
    let map = other.merge(&mut read).unwrap();
    assert_eq!(other.get::<Forgotten>(*map.get(entity).unwrap()).unwrap().0.to, b);
}

#[test]
fn values_of_earlier_versions_are_read() {
    #[derive(Serialize, Deserialize)]
    struct First(String);
    impl From<First> for Versioned {
        fn from(First(text): First) -> Self {
            Self(u32::try_from(text.len()).unwrap())
        }
    }
    #[derive(Component, Serialize, Deserialize)]
    #[component(save = "versioned")]
    struct Before(String);

    let mut old = World::new();
    let entity = old.spawn(Before("four".into())).id();
    let text = serde_json::to_string(&old.save()).unwrap();
    let mut world = World::new();
    let declaration = Declaration::<Versioned>::new().save("versioned", 2);
    world.declare(declaration.from_version::<First>(1));
    let (read, _) = world.read(&bytes_of(&old), &Limits::default()).unwrap();
    assert_eq!(read.get::<Versioned>(entity), Some(&Versioned(4)));
    let (read, _) = world.read_from(&mut serde_json::Deserializer::from_str(&text)).unwrap();
    assert_eq!(read.get::<Versioned>(entity), Some(&Versioned(4)));
}

#[test]
fn other_fields_under_one_version_are_refused() {
    /// The type when the file was saved: its fields had another order.
    #[derive(Component, Serialize, Deserialize)]
    struct Before {
        label: String,
        x: f32,
    }
    let mut old = World::new();
    old.declare(Declaration::<Before>::new().save("renamed", 1));
    old.spawn(Before { label: String::new(), x: 1.0 });
    let mut world = World::new();
    world.declare(Declaration::<Renamed>::new().save("renamed", 1));
    let error = world.read(&bytes_of(&old), &Limits::default()).unwrap_err().to_string();
    assert!(error.contains("`renamed`") && error.contains("raise the version"), "{error}");
}

#[test]
fn a_kind_from_before_a_declaration_has_the_operations_of_the_declaration() {
    #[derive(Component, Default)]
    struct Late(#[expect(dead_code, reason = "inserted")] u32);
    let early = Kind::of::<Late>();
    assert!(!early.has_default());
    let mut world = World::new();
    let kind = world.declare(Declaration::<Late>::new().default());
    assert!(kind == early && kind.has_default());
    let mut values = Values::new();
    values.add_default(&mut world, early).unwrap();
    let entity = world.spawn_empty().id();
    world.insert_values(entity, values).unwrap();
    assert!(world.has::<Late>(entity));
}

#[test]
fn declarations_hold_in_worlds_of_other_threads() {
    let mut world = World::new();
    let declare = |world: &mut World| world.declare(Declaration::<Sent>::new().save("sent", 1));
    let kinds: Vec<Kind> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(|| declare(&mut World::new()))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    world.spawn(Sent::default());
    assert!(kinds.iter().all(|kind| kind.saved_as() == Some(("sent", 1))));
    assert!(!bytes_of(&world).is_empty(), "a world that declared nothing saves it, too");
}

#[test]
fn what_the_derive_declares_is_not_declared_again() {
    let declarations: [(&str, fn()); 6] = [
        ("track", || drop(Declaration::<Derived>::new().track())),
        ("clone", || drop(Declaration::<Derived>::new().clone())),
        ("clone", || drop(Declaration::<Derived>::new().skip_copies())),
        ("debug", || drop(Declaration::<Derived>::new().debug())),
        ("default", || drop(Declaration::<Derived>::new().default())),
        ("save", || drop(Declaration::<Derived>::new().save("other", 1))),
    ];
    for (key, declare) in declarations {
        let expected = format!("`Derived` declares `{key}` by its derive: leave it out here");
        assert_eq!(refusal(declare), expected);
    }
}

#[test]
fn a_component_is_declared_before_it_is_used_in_a_world() {
    let mut world = World::new();
    world.spawn(Used::default());
    assert_eq!(
        refusal(|| world.declare(Declaration::<Used>::new().clone())),
        "`Used` is in use in this world: declare it before its first use there"
    );
    assert!(!Kind::of::<Used>().is_copied());
    World::new().declare(Declaration::<Used>::new().clone());
    assert!(world.try_clone().is_ok(), "declarations are of the process");
}

#[test]
fn one_declaration_may_be_made_again_and_a_different_one_is_refused() {
    let again = || Declaration::<Again>::new().clone().save("again", 2).from_version::<Again>(1);
    let (mut one, mut other) = (World::new(), World::new());
    let kind = one.declare(again());
    one.spawn(Again::default());
    assert_eq!((one.declare(again()), other.declare(again())), (kind, kind));

    one.declare(Declaration::<Different>::new().clone());
    let others: [(&str, Declaration<Different>); 3] = [
        ("clone, debug", Declaration::new().clone().debug()),
        ("", Declaration::new()),
        ("save = \"different\", version = 3", Declaration::new().save("different", 3)),
    ];
    for (keys, declaration) in others {
        let expected = format!(
            "`Different` was declared as `clone` before, and is as `{keys}` here: make one declaration of it"
        );
        assert_eq!(refusal(|| World::new().declare(declaration)), expected);
    }
    assert!(Kind::of::<Different>().saved_as().is_none());
}

#[test]
fn two_components_of_a_world_are_not_declared_under_one_name() {
    let mut world = World::new();
    world.declare(Declaration::<Taken>::new().save("taken", 1));
    assert_eq!(
        refusal(|| world.declare(Declaration::<Other>::new().save("taken", 1))),
        "`Taken` and `Other` are both saved as \"taken\": give each a name of its own"
    );
}

#[test]
fn names_and_versions_are_checked() {
    assert_eq!(
        refusal(|| Declaration::<Empty>::new().save("", 1)),
        "`Empty` needs a name to be saved under, and it is empty"
    );
    assert_eq!(
        refusal(|| Declaration::<Zero>::new().save("zero", 0)),
        "version 0 of `Zero` does not exist: versions begin with 1"
    );
    assert_eq!(
        refusal(|| Declaration::<Late>::new().save("late", 2).from_version::<Late>(2)),
        "version 2 of `Late` is not before its own, which is 2: name earlier ones, after `save`"
    );
    assert_eq!(
        refusal(|| Declaration::<Late>::new().from_version::<Late>(1)),
        "version 1 of `Late` is not before its own, which is 0: name earlier ones, after `save`"
    );
    let twice = || Declaration::<Twice>::new().save("twice", 2).from_version::<Twice>(1);
    assert_eq!(
        refusal(|| twice().from_version::<Twice>(1)),
        "version 1 of `Twice` is named twice: name it once"
    );
}

#[test]
fn a_component_is_not_both_copied_and_skipped() {
    assert_eq!(
        refusal(|| Declaration::<Both>::new().clone().skip_copies()),
        "`Both` is declared to be copied and to be left out of copies: declare one of both"
    );
    assert_eq!(
        refusal(|| Declaration::<Skipped>::new().skip_copies().clone()),
        "`Skipped` is declared to be copied and to be left out of copies: declare one of both"
    );
}
