//! Unique components: no two entities have equal values.

use ecs::by_name::{Kind, KindError, KindQuery, RestoreError, Values};
use ecs::{Commands, Component, CopyError, Entity, RelateError, World};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

#[derive(Component, Clone, Debug, PartialEq, Eq, Hash, Default)]
#[component(unique, clone, default)]
struct Callsign(String);

#[derive(Component, Debug, PartialEq)]
#[component(unique(by = port))]
struct Socket {
    port: u16,
    name: &'static str,
}

#[derive(Component, Debug, PartialEq, Clone, Copy)]
#[component(clone)]
struct Health(u32);

fn call(text: &str) -> Callsign {
    Callsign(text.into())
}

/// Returns the message of the panic of an edit, after which the world is as it was.
#[track_caller]
fn refusal<R>(world: &mut World, edit: impl FnOnce(&mut World) -> R) -> String {
    let state = |world: &World| {
        let all: Vec<_> = world.entities().collect();
        let calls: Vec<_> =
            world.pool::<Callsign>().iter().map(|(it, call)| (it, call.clone())).collect();
        (
            all,
            calls,
            world.pool::<Health>().iter().map(|(it, health)| (it, *health)).collect::<Vec<_>>(),
        )
    };
    let before = state(world);
    let panic = catch_unwind(AssertUnwindSafe(|| drop(edit(world)))).expect_err("it is refused");
    assert_eq!(state(world), before);
    world.check_invariants();
    check(world);
    panic.downcast_ref::<String>().unwrap().clone()
}

#[track_caller]
fn check(world: &World) {
    let pool = world.pool::<Callsign>();
    for (entity, call) in world.view::<&Callsign>() {
        assert_eq!(world.find(call), Some(entity));
    }
    assert_eq!(world.index::<Callsign>().key_count(), pool.keys().len());
}

#[test]
fn a_second_holder_is_refused_and_nothing_has_changed() {
    let mut world = World::new();
    let a = world.spawn(call("a")).id(); // the first of its pool
    let b = world.spawn((Health(1), call("b"))).id();
    let other = world.spawn(Health(2)).id();
    let text =
        "`Callsign` is unique, and entity 0v1 has an equal one; `World::index` finds it beforehand";
    assert_eq!(refusal(&mut world, |world| _ = world.spawn(call("a"))), text);
    assert_eq!(refusal(&mut world, |world| _ = world.spawn((Health(3), call("a")))), text);
    assert_eq!(refusal(&mut world, |world| world.insert(b, call("a"))), text);
    assert_eq!(refusal(&mut world, |world| world.insert(other, (Health(4), call("a")))), text);
    assert_eq!(refusal(&mut world, |world| world.replace(b, call("a"))), text);
    assert_eq!(refusal(&mut world, |world| world.replace(other, call("a"))), text);
    assert_eq!(refusal(&mut world, |world| world.insert_if_absent(other, call("a"))), text);
    assert_eq!(refusal(&mut world, |world| _ = world.entity_mut(other).insert(call("a"))), text);
    let patched =
        refusal(&mut world, |world| world.insert_batch([(b, call("c")), (other, call("a"))]));
    assert_eq!(patched, text);
    assert_eq!(
        refusal(&mut world, |world| world.spawn_batch([call("x"), call("y"), call("a")])),
        text
    );
    let twice = refusal(&mut world, |world| world.spawn_batch([call("x"), call("y"), call("x")]));
    assert!(
        twice.starts_with("`Callsign` is unique, and two entities would have equal ones"),
        "{twice}"
    );
    let twice =
        refusal(&mut world, |world| world.insert_batch([(b, call("x")), (other, call("x"))]));
    assert!(twice.starts_with("`Callsign` is unique, and entity 1v1 has an equal one"), "{twice}");

    // Each of these is right.
    world.insert(a, call("a")).unwrap();
    world.insert_if_absent(a, call("b")).unwrap();
    assert_eq!(world.get::<Callsign>(a), Some(&call("a")));
    world.insert_batch([(a, call("c")), (b, call("a")), (a, call("b"))]).unwrap();
    assert_eq!((world.find(&call("a")), world.find(&call("b"))), (Some(b), Some(a)));
    world.remove::<Callsign>(a);
    world.insert(other, call("b")).unwrap();
    world.despawn(other).unwrap();
    let [x, y] = world.spawn_batch([call("b"), call("y")])[..] else { panic!("two") };
    assert_eq!((world.find(&call("b")), world.find(&call("y"))), (Some(x), Some(y)));
    check(&world);
}

#[test]
fn a_part_of_a_component_is_unique() {
    let mut world = World::new();
    let socket = |port, name| Socket { port, name };
    let a = world.spawn(socket(80, "a")).id();
    world.insert(a, socket(80, "b")).unwrap();
    world.spawn(socket(81, "b"));
    assert_eq!(world.index::<Socket>().find(&80), Some(a));
    let second = catch_unwind(AssertUnwindSafe(|| _ = world.spawn(socket(80, "c"))));
    assert!(second.is_err() && world.index::<Socket>().key_count() == 2);
}

#[test]
fn a_required_one_is_refused_like_another() {
    #[derive(Component)]
    #[component(requires(Callsign = call("required")))]
    struct Flight;

    let mut world = World::new();
    let first = world.spawn(Flight).id();
    assert_eq!(world.find(&call("required")), Some(first));
    let second = catch_unwind(AssertUnwindSafe(|| _ = world.spawn(Flight)));
    assert!(second.is_err());
    check(&world);
    world.spawn((Flight, call("own")));
    check(&world);
}

#[test]
fn commands_are_counted_as_refused() {
    let mut world = World::new();
    let a = world.spawn(call("a")).id();
    let b = world.spawn(Health(1)).id();
    let mut commands = Commands::new();
    commands.insert(b, call("a"));
    let new = commands.spawn(&world, call("a"));
    commands.spawn(&world, call("c"));
    commands.insert(b, call("b"));
    let applied = commands.apply(&mut world);
    assert_eq!((applied.missing, applied.refused), (0, 2));
    assert!(world.find(&call("a")) == Some(a) && world.find(&call("b")) == Some(b));
    assert!(!world.is_alive(new));
    check(&world);
}

#[test]
fn values_by_name_copies_merges_and_undo_are_errors() {
    let mut world = World::new();
    let a = world.spawn((call(""), Health(1))).id();
    let b = world.spawn(Health(2)).id();
    let kind = Kind::of::<Callsign>();
    assert!(kind.is_unique() && kind.is_indexed() && !Kind::of::<Health>().is_unique());
    let held = RelateError::NotUnique("Callsign", a);
    assert_eq!(world.insert_kind_default(kind, b), Err(KindError::Relation(held.clone())));
    assert_eq!(world.copy_kind(kind, a, b), Err(KindError::Relation(held.clone())));
    let mut values = Values::new();
    values.add_default(&mut world, kind).unwrap();
    assert_eq!(world.spawn_values(values), Err(KindError::Relation(held.clone())));
    assert_eq!(world.len(), 2);
    let query = KindQuery::new().write(kind);
    assert_eq!(world.for_each_row(&query, |_| ()), Err(KindError::NotWritten("Callsign")));

    let error = world.spawn_copies(a, 1).unwrap_err();
    assert!(matches!(&error, CopyError::NotUnique(what) if what.contains("entity 0v1")), "{error}");
    assert_eq!((world.len(), world.try_clone().unwrap().find(&call(""))), (2, Some(a)));
    let mut prefab = World::new();
    prefab.spawn(call("prefab"));
    assert!(World::new().spawn_copies_of(&prefab, 2).is_err());
    assert_eq!(World::new().spawn_copies_of(&prefab, 1).unwrap().len(), 1);

    let mut other = World::new();
    other.spawn_batch([call("x"), call("")]);
    let error = world.merge(&mut other).unwrap_err().to_string();
    assert_eq!(error, "`Callsign` is unique, and entity 0v1 has an equal one");
    assert_eq!((world.len(), other.len()), (2, 2));
    other.insert(other.find(&call("")).unwrap(), call("y")).unwrap();
    world.merge(&mut other).unwrap();
    check(&world);

    let taken = world.take_entity(a).unwrap();
    world.insert(b, call("")).unwrap();
    let held = RelateError::NotUnique("Callsign", b);
    assert_eq!(world.check_restore(&taken), Err(RestoreError::Relation(held.clone())));
    world.remove::<Callsign>(b);
    world.restore(taken).unwrap();
    let value = world.take_kind(kind, a).unwrap();
    world.insert(b, call("")).unwrap();
    let (value, error) = world.insert_value(a, value).unwrap_err();
    assert_eq!(error, KindError::Relation(held));
    world.insert(b, call("b")).unwrap();
    world.insert_value(a, value).unwrap();
    check(&world);
}

/// The values of some entities, and the edits that they allow.
#[derive(Clone, Default)]
struct Model(BTreeMap<Entity, Option<u8>>);

impl Model {
    /// Sets the value of an entity, unless another one has it.
    fn give(&mut self, entity: Entity, value: u8) -> bool {
        let is_free = self.0.iter().all(|(other, own)| *other == entity || *own != Some(value));
        if is_free {
            self.0.insert(entity, Some(value));
        }
        is_free
    }
}

#[test]
fn random_edits_are_refused_as_by_a_map() {
    let (mut world, mut model, mut state) = (World::new(), Model::default(), 9_u64);
    let mut below = |most: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        usize::try_from(state >> 33).unwrap() % most
    };
    let call = |value: u8| call(&value.to_string());
    let (mut done, mut refused) = (0, 0);
    for _ in 0..4_000 {
        let entities: Vec<Entity> = model.0.keys().copied().collect();
        let values = [0; 3].map(|_: u8| below(24).to_le_bytes()[0]);
        let picked: Vec<Entity> =
            (0..3).filter_map(|_| entities.get(below(entities.len().max(1))).copied()).collect();
        let mut next = model.clone();
        let what = below(6);
        let Some(&one) = picked.first().filter(|_| what > 1) else {
            // One or several are spawned: handles are known only afterwards.
            let count = if what == 0 { 1 } else { 3 };
            let mut all: Vec<u8> = model
                .0
                .values()
                .copied()
                .flatten()
                .chain(values[..count].iter().copied())
                .collect();
            all.sort_unstable();
            let is_free = all.windows(2).all(|pair| pair[0] != pair[1]) && entities.len() < 20;
            if entities.len() >= 20 {
                continue;
            }
            let made = catch_unwind(AssertUnwindSafe(|| {
                if count == 1 {
                    vec![world.spawn(call(values[0])).id()]
                } else {
                    world.spawn_batch(values.map(call))
                }
            }));
            assert_eq!(made.is_ok(), is_free);
            for (entity, value) in made.into_iter().flatten().zip(values) {
                model.0.insert(entity, Some(value));
            }
            continue;
        };
        let is_right = match what {
            2 => next.give(one, values[0]),
            3 => picked.iter().zip(values).all(|(entity, value)| next.give(*entity, value)),
            4 => next.0.insert(one, None).is_some(),
            _ => next.0.remove(&one).is_some(),
        };
        let edited = catch_unwind(AssertUnwindSafe(|| match what {
            2 => world.insert(one, call(values[0])).unwrap(),
            3 => world.insert_batch(picked.iter().copied().zip(values.map(call))).unwrap(),
            4 => _ = world.remove::<Callsign>(one),
            _ => world.despawn(one).unwrap(),
        }));
        assert_eq!(edited.is_ok(), is_right);
        if is_right {
            (model, done) = (next, done + 1);
        } else {
            refused += 1;
        }
        for value in 0..24 {
            let holder = model.0.iter().find(|(_, own)| **own == Some(value)).map(|it| *it.0);
            assert_eq!(world.find(&call(value)), holder);
        }
        check(&world);
    }
    assert!(done > 500 && refused > 500, "{done} done, {refused} refused");
}

#[test]
fn a_dead_entity_is_missing_also_for_a_value_that_another_one_has() {
    let mut world = World::new();
    world.spawn(call("AFR69CR"));
    let dead = world.spawn_empty().id();
    world.despawn(dead).unwrap();
    let taken = || call("AFR69CR");
    assert_eq!(world.try_insert(dead, taken()), Err(RelateError::NoSuchEntity(dead)));
    assert!(world.insert(dead, taken()).is_err() && world.replace(dead, taken()).is_err());
    assert!(world.insert_if_absent(dead, taken()).is_err());
    assert_eq!(world.insert_batch([(dead, taken())]).unwrap_err().count, 1);
    let mut commands = Commands::new();
    commands.insert(dead, taken());
    let applied = commands.apply(&mut world);
    assert_eq!((applied.missing, applied.refused), (1, 0));
}
