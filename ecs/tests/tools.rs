//! Edits by tools in a world whose types they do not name.
#![allow(missing_docs)]

use ecs::by_name::{Kind, KindError, KindQuery, ResourceKindError, Values};
use ecs::inspect::StepKind;
use ecs::{ChildOf, Commands, Component, Entity, Name, Resource, Schedule, View, World};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::marker::PhantomData;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

#[derive(Component, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[component(save = "health", track, default)]
struct Health(u32);

#[derive(Component, Debug, Default, PartialEq, Serialize, Deserialize)]
#[component(save = "armour", requires(Health), default)]
struct Armour(u32);

#[derive(Component)]
struct Rare;

#[derive(Resource, Serialize, Deserialize, Debug, PartialEq)]
#[resource(save = "score")]
struct Score(u32);

#[derive(Resource)]
struct Plain;

#[derive(Component, Serialize, Deserialize)]
#[component(save = "stock", instance = T::NAME)]
struct Stock<T: Component>(u32, PhantomData<fn() -> T>);

fn entities(query: &KindQuery, world: &World, from: u32) -> Vec<Entity> {
    world.kind_rows_from(query, from).unwrap().map(|row| row.entity()).collect()
}

#[test]
fn rows_from_an_index_are_those_behind_it_in_order() {
    let mut world = World::new();
    let all: Vec<Entity> = (0..5_000_u32)
        .map(|at| {
            let entity = world.spawn(Health(at)).id();
            if at % 7 < 3 {
                world.insert(entity, Armour(at)).unwrap();
            }
            if at % 1_300 == 0 {
                world.insert(entity, Rare).unwrap();
            }
            entity
        })
        .collect();
    for entity in all.iter().filter(|entity| entity.index() % 5 == 0) {
        world.despawn(*entity).unwrap();
    }
    let [health, armour, rare] = [Kind::of::<Health>(), Kind::of::<Armour>(), Kind::of::<Rare>()];
    let queries = [
        KindQuery::new(),
        KindQuery::new().with(health),
        KindQuery::new().read(health).with(armour),
        KindQuery::new().with(health).without(armour),
        KindQuery::new().with(rare),
        KindQuery::new().with(rare).without(health),
    ];
    for query in &queries {
        let mut whole: Vec<Entity> =
            world.kind_rows(query).unwrap().map(|row| row.entity()).collect();
        whole.sort_unstable();
        for from in
            [0, 1, 63, 64, 65, 1_000, 1_023, 1_024, 1_025, 3_333, 4_999, 5_000, 9_000, u32::MAX]
        {
            let behind: Vec<Entity> =
                whole.iter().filter(|it| it.index() >= from).copied().collect();
            assert_eq!(entities(query, &world, from), behind, "{query:?} from {from}");
        }
    }
    assert!(world.kind_rows_from(&KindQuery::new().write(health), 0).is_err());
}

#[test]
fn a_handle_is_read_from_its_text_and_from_its_number() {
    let entity = World::new().spawn_empty().id();
    for written in ["\"0v1\"", "4294967296"] {
        assert_eq!(serde_json::from_str::<Entity>(written).unwrap(), entity, "{written}");
    }
    for (wrong, why) in [
        ("7", "no entity has the bits 7"),
        ("-1", "expected an entity, as `12v3` or as its bits"),
        ("1.5", "expected an entity, as `12v3` or as its bits"),
        ("null", "expected an entity, as `12v3` or as its bits"),
        ("\"Bob\"", "an entity is written as its index and its generation, `12v3`"),
    ] {
        let error = serde_json::from_str::<Entity>(wrong).unwrap_err().to_string();
        assert!(error.contains(why), "{wrong}: {error}");
    }
}

#[test]
fn values_are_inserted_together_and_each_is_notified_once() {
    let mut world = World::new();
    let calls = Arc::new([const { AtomicU32::new(0) }; 2]);
    let counted = Arc::clone(&calls);
    world.on_insert::<Health>(move |world, entity| {
        counted[0].fetch_add(1, Ordering::Relaxed);
        // All are in place: the default that `Armour` requires was never there.
        assert_eq!(world.get::<Health>(entity), Some(&Health(3)));
        assert_eq!(world.get::<Armour>(entity), Some(&Armour(4)));
    });
    let counted = Arc::clone(&calls);
    world.on_update::<Health>(move |_, _| _ = counted[1].fetch_add(1, Ordering::Relaxed));
    let entity = world.spawn_empty().id();
    let mut values = Values::new();
    values.read(&mut world, Kind::of::<Armour>(), json!(4)).unwrap();
    values.read(&mut world, Kind::of::<Health>(), json!(2)).unwrap();
    values.read(&mut world, Kind::of::<Health>(), json!(3)).unwrap(); // in the place of the one before
    assert!(values.kinds().eq([Kind::of::<Armour>(), Kind::of::<Health>()]));
    world.insert_values(entity, values).unwrap();
    assert_eq!([0, 1].map(|at| calls[at].load(Ordering::Relaxed)), [1, 0]);
    world.check_invariants();
}

#[test]
fn values_that_cannot_all_be_inserted_change_nothing() {
    let mut world = World::new();
    let parent = world.spawn_empty().id();
    let child = world.spawn(ChildOf(parent)).id();
    let with_parent = |world: &mut World, target: Entity| {
        let mut values = Values::new();
        values.add_default(world, Kind::of::<Health>()).unwrap();
        values.read(world, Kind::of::<ChildOf>(), json!(target)).unwrap();
        values
    };
    let values = with_parent(&mut world, child);
    let error = world.insert_values(parent, values).unwrap_err();
    assert!(error.to_string().contains("would close a circle"), "{error}");
    assert!(!world.has::<Health>(parent));
    let dead = world.spawn_empty().id();
    world.despawn(dead).unwrap();
    let before = world.len();
    let values = with_parent(&mut world, dead);
    assert!(world.spawn_values(values).is_err());
    let values = with_parent(&mut world, parent);
    let error = world.insert_values(dead, values);
    assert_eq!(error, Err(KindError::NoSuchEntity(dead)));
    assert_eq!(world.len(), before);
    let mut values = Values::new();
    assert!(values.read(&mut world, Kind::of::<Health>(), json!("many")).is_err());
    assert_eq!(values.kinds().count(), 0);
    world.check_invariants();
}

#[test]
fn values_enter_groups_and_relations() {
    let mut world = World::new();
    world.declare_group(ecs::Group::owning::<(Health, Armour)>()).unwrap();
    let parent = world.spawn_empty().id();
    let mut values = Values::new();
    values.add_default(&mut world, Kind::of::<Armour>()).unwrap();
    values.read(&mut world, Kind::of::<ChildOf>(), json!(parent)).unwrap();
    let child = world.spawn_values(values).unwrap(); // with the health that armour requires
    assert_eq!(world.groups().next().unwrap().members(), [child]);
    assert!(world.children(parent).eq([child]));
    world.check_invariants();
}

#[test]
fn changes_by_kind_are_those_by_type() {
    let mut world = World::new();
    let kind = Kind::of::<Health>();
    let mut by_kind = world.kind_changes(kind).unwrap();
    let mut by_type = world.changes::<Health>();
    let mut seed = 7_u64;
    let mut all: Vec<Entity> = Vec::new();
    for round in 0..200 {
        for _ in 0..5 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let at = (seed >> 33) as usize;
            match (at % 4, all.is_empty()) {
                (0, _) | (_, true) => all.push(world.spawn(Health(round)).id()),
                (1, _) => world.get_mut::<Health>(all[at % all.len()]).unwrap().0 += 1,
                (2, _) => world.despawn(all.swap_remove(at % all.len())).unwrap(),
                _ => world.insert(all[at % all.len()], Health(0)).unwrap(),
            }
        }
        world.advance(&mut by_type);
        world.advance_kind(&mut by_kind);
        let inserted: Vec<Entity> =
            world.view::<&Health>().among(by_type.inserted()).into_iter().map(|it| it.0).collect();
        let changed: Vec<Entity> =
            world.view::<&Health>().among(by_type.changed()).into_iter().map(|it| it.0).collect();
        let sorted = |mut list: Vec<Entity>| {
            list.sort_unstable();
            list
        };
        assert_eq!(world.entities_in(by_kind.inserted()).collect::<Vec<_>>(), sorted(inserted));
        assert_eq!(world.entities_in(by_kind.changed()).collect::<Vec<_>>(), sorted(changed));
        assert_eq!(by_kind.removed(), by_type.removed());
    }
    let error = world.kind_changes(Kind::of::<Rare>()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "`Rare` is not tracked: add `#[component(track)]` to it, or declare it by `by_name::Declaration`"
    );
}

#[test]
fn changes_by_kind_begin_anew_in_another_world() {
    let mut world = World::new();
    let mut changes = world.kind_changes(Kind::of::<Health>()).unwrap();
    let mut other = World::new();
    let entity = other.spawn(Health(1)).id();
    other.advance_kind(&mut changes);
    assert!(other.entities_in(changes.inserted()).eq([entity]));
}

#[test]
fn a_saved_name_distinguishes_instances() {
    let mut world = World::new();
    world.spawn((Stock::<Health>(1, PhantomData), Stock::<Armour>(2, PhantomData)));
    let kind = Kind::of::<Stock<Armour>>();
    assert_eq!(kind.saved_name().unwrap(), "stock<Armour>");
    assert_eq!(world.kind("stock<Armour>"), Ok(kind));
    assert_eq!(Kind::of::<Rare>().saved_name(), None);
}

#[test]
fn resources_are_found_by_each_of_their_names() {
    let mut world = World::new();
    world.insert_resource(Score(3));
    world.insert_resource(Plain);
    let score = world.resource_kind("score").unwrap();
    for name in ["Score", "tools::Score"] {
        assert_eq!(world.resource_kind(name), Ok(score));
    }
    let plain = world.resource_kind("Plain").unwrap();
    assert!(
        plain.saved_name().is_none()
            && world.resource_kind_value(plain).is_none()
            && world.has_resource_kind(plain)
    );
    assert_eq!(
        world.insert_resource_kind(plain, json!(1)),
        Err(ResourceKindError::NotSaved("tools::Plain"))
    );
    let error = world.resource_kind("scores").unwrap_err();
    assert!(error.to_string().starts_with("the world lists no resource `scores`"));
    let error = world.insert_resource_kind(score, json!("x")).unwrap_err();
    assert!(error.to_string().starts_with("no `tools::Score` was read: invalid type"), "{error}");
    assert_eq!(world.resource::<Score>(), &Score(3));
    assert_eq!(
        (world.remove_resource_kind(plain), world.remove_resource_kind(plain)),
        (Ok(true), Ok(false))
    );
    assert_eq!(world.resource_kinds(), [score]);
}

#[test]
fn a_resource_that_is_lent_is_not_edited_by_name() {
    let mut world = World::new();
    world.insert_resource(Score(3));
    let score = world.resource_kind("score").unwrap();
    world.resource_scope(|world, _: &mut Score| {
        assert_eq!(
            world.insert_resource_kind(score, json!(4)),
            Err(ResourceKindError::Lent("tools::Score"))
        );
        assert_eq!(world.remove_resource_kind(score), Err(ResourceKindError::Lent("tools::Score")));
        assert!(world.resource_kind_value(score).is_none());
    });
    assert_eq!(world.resource::<Score>(), &Score(3));
}

#[test]
fn a_resource_inserted_by_name_is_seen_as_changed() {
    let mut world = World::new();
    world.insert_resource(Score(3));
    let before = world.resource_version::<Score>();
    world.insert_resource_kind(world.resource_kind("score").unwrap(), json!(4)).unwrap();
    assert!(world.resource_version::<Score>() > before);
}

#[test]
fn steps_list_the_accesses_of_each_system() {
    fn hurt(mut sick: View<(&mut Health, Option<&Armour>)>, score: &mut Score) {
        sick.iter_mut().for_each(|(_, health, _)| health.0 -= 1);
        score.0 += 1;
    }
    fn is_on(score: &Score) -> bool {
        score.0 > 0
    }
    fn bury(all: View<&Health>, commands: &mut Commands) {
        all.into_iter().for_each(|(entity, _)| commands.despawn(entity));
    }
    fn whole(_: &mut World) {}
    let inner = Schedule::new().add_if(is_on, hurt).add(bury);
    let mut schedule = Schedule::new().add_all("inner", inner).add(whole).add(|| {});
    let steps = schedule.steps();
    let kinds: Vec<_> = steps.iter().map(|step| (step.kind, step.depth, step.name)).collect();
    assert_eq!(kinds[0], (StepKind::List, 0, "inner"));
    assert_eq!(kinds[1], (StepKind::System, 1, "hurt"));
    assert_eq!((kinds[2].2, kinds[3].0, kinds[3].1), ("bury", StepKind::Sync, 1));
    assert_eq!((kinds[4], steps.len()), ((StepKind::System, 0, "whole"), 6));
    assert_eq!(
        (&steps[1].writes[..], &steps[1].reads[..]),
        (&["Health", "Score"][..], &["Armour"][..])
    );
    assert!(steps[2].records && !steps[1].records && steps[4].is_exclusive && steps[4].sees_world);
    assert_eq!((&steps[2].waits_for[..], &steps[4].waits_for[..]), (&[1][..], &[3][..]));
    assert!(steps.iter().all(|step| step.is_on && step.took.is_none()));
    schedule.switch("inner", false);
    schedule.set_timed(true);
    let on: Vec<bool> = schedule.steps().iter().map(|step| step.is_on).collect();
    assert_eq!(on, [false, false, false, false, true, true]);
    assert!(schedule.steps()[4].took.is_some());
}

#[test]
fn a_named_entity_is_read_by_kinds() {
    let mut world = World::new();
    let bob = world.spawn_named("Bob").id();
    assert_eq!(world.kind_entities(Kind::of::<Name>()), [bob]);
}
