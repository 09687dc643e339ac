//! Components that are defined while the program runs, beside types in Rust of the same shape.
#![expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    reason = "numbers of tests are small"
)]

use crate::worlds::{Random, seeds};
use ecs::by_name::{
    DefineError, FieldType, FieldValue, Fields, Kind, KindError, KindQuery, Redefinition,
    RestoreError, Values,
};
use ecs::{ChildOf, Component, Entity, Group, Name, World};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

fn poison_fields() -> Fields {
    Fields::new().f32("damage").entity("by").text("source")
}

fn poison(damage: f32, by: Option<Entity>, source: &str) -> [FieldValue; 3] {
    [damage.into(), by.into(), source.into()]
}

/// Returns a world with a definition, and two entities.
fn world_with_poison() -> (World, Kind, [Entity; 2]) {
    let mut world = World::new();
    let kind = world.define("Poison", poison_fields()).unwrap();
    let entities = [(); 2].map(|()| world.spawn_empty().id());
    (world, kind, entities)
}

fn shown(world: &World, kind: Kind, entity: Entity) -> Option<String> {
    world.kind_value(kind, entity).map(|value| format!("{value:?}"))
}

#[test]
fn a_bound_kind_inserts_tuples_and_slices_like_insert_fields() {
    let (mut world, kind, [a, b]) = world_with_poison();
    let dead = world.spawn_empty().id();
    world.despawn(dead).unwrap();
    let mut inserter = world.kind_inserter(kind).unwrap();
    inserter.insert(a, (2.5_f32, Some(b), "snake".to_owned())).unwrap();
    inserter.insert(b, &poison(1.0, None, "toad")).unwrap();
    inserter.insert(a, poison(3.5, None, "newt").as_slice()).unwrap();
    assert_eq!(
        inserter.insert(b, (1_i32, Some(a), String::new())).unwrap_err().to_string(),
        "no `Poison` was read: `damage`: expected a value of the type `f32`, not `i32`"
    );
    assert!(inserter.insert(b, (1.0_f32, Some(a))).is_err());
    assert!(inserter.insert(b, &[1.0_f32.into(), 2.0_f32.into(), "".into()]).is_err());
    let refused = Err(KindError::NoSuchEntity(dead));
    assert_eq!(inserter.insert(dead, (1.0_f32, None::<Entity>, String::new())), refused);
    assert_eq!(inserter.insert(dead, &poison(1.0, None, "")), refused);
    let texts = [a, b].map(|entity| shown(&world, kind, entity).unwrap());
    assert_eq!(texts[0], "Poison { damage: 3.5, by: None, source: \"newt\" }");
    assert_eq!(texts[1], "Poison { damage: 1.0, by: None, source: \"toad\" }");
    world.check_invariants();
    assert!(world.kind_inserter(Kind::of::<Name>()).is_err());
}

#[test]
fn a_bound_kind_notifies_observers_and_inserts_values_with_parts() {
    let mut world = World::new();
    let place = Fields::new().f32("x");
    let kind =
        world.define("Placed", Fields::new().record("at", place).list("tags", FieldType::U8));
    let kind = kind.unwrap();
    let a = world.spawn_empty().id();
    let row = |x: f32| [FieldValue::Record(vec![x.into()]), vec![1_u8, 2].into()];
    world.kind_inserter(kind).unwrap().insert(a, &row(1.0)).unwrap();
    let count = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&count);
    world.on_update_kind(kind, move |_: &mut World, _| _ = counted.fetch_add(1, Ordering::Relaxed));
    world.kind_inserter(kind).unwrap().insert(a, &row(2.0)).unwrap();
    assert_eq!(count.load(Ordering::Relaxed), 1);
    let wrong = [FieldValue::Record(vec![1.0_f32.into()]), vec![1_u16].into()];
    assert!(world.kind_inserter(kind).unwrap().insert(a, &wrong).is_err());
    assert_eq!(
        shown(&world, kind, a).as_deref(),
        Some("Placed { at: _ { x: 2.0 }, tags: [1, 2] }")
    );
    world.check_invariants();
}

#[test]
fn values_are_inserted_read_written_and_removed_by_name() {
    let (mut world, kind, [a, b]) = world_with_poison();
    assert_eq!(world.kind("Poison"), Ok(kind));
    assert_eq!((kind.name(), kind.type_name(), kind.size()), ("Poison", "Poison", 4 + 8 + 24));
    world.insert_fields(kind, a, &poison(2.5, Some(b), "snake")).unwrap();
    let text = "Poison { damage: 2.5, by: Some(1v1), source: \"snake\" }";
    assert_eq!(shown(&world, kind, a).as_deref(), Some(text));
    world.insert_fields(kind, a, &poison(3.5, None, "")).unwrap();
    world.insert_kind_default(kind, b).unwrap();
    let text = "Poison { damage: 0.0, by: None, source: \"\" }";
    assert_eq!(shown(&world, kind, b).as_deref(), Some(text));
    world.set_field(kind, b, "source", "toad").unwrap();
    let value = world.kind_value(kind, b).unwrap();
    assert_eq!(value.field("source"), Some("toad".into()));
    assert_eq!((value.field("sauce"), value.field("source.x")), (None, None));
    world.copy_kind(kind, b, a).unwrap();
    assert_eq!(shown(&world, kind, a), shown(&world, kind, b));
    world.remove_kind(kind, a).unwrap();
    assert_eq!((shown(&world, kind, a), world.kind_entities(kind)), (None, &[b][..]));
    world.despawn(b).unwrap();
    assert!(world.kind_entities(kind).is_empty());
    world.check_invariants();
}

#[test]
fn wrong_values_change_nothing_and_are_named() {
    let (mut world, kind, [a, b]) = world_with_poison();
    let error = |result: Result<(), KindError>| result.unwrap_err().to_string();
    let wrong = world.insert_fields(kind, a, &[1_i32.into(), None::<Entity>.into(), "".into()]);
    let text = "no `Poison` was read: `damage`: expected a value of the type `f32`, not `i32`";
    assert_eq!(error(wrong), text);
    let few = world.insert_fields(kind, a, &[1.0_f32.into()]);
    assert_eq!(error(few), "no `Poison` was read: it has 3 fields, and 1 values are given");
    assert!(world.kind_entities(kind).is_empty());
    assert_eq!(world.set_field(kind, a, "damage", 1.0_f32), Err(KindError::Missing(a, "Poison")));
    world.insert_fields(kind, a, &poison(1.0, None, "")).unwrap();
    let text = "no `Poison` was read: it has no field `demage`";
    assert_eq!(error(world.set_field(kind, a, "demage", 1.0_f32)), text);
    let text = "no `Poison` was read: `damage`: expected a value of the type `f32`, not `String`";
    assert_eq!(error(world.set_field(kind, a, "damage", "much")), text);
    world.despawn(b).unwrap();
    assert_eq!(
        world.insert_fields(kind, b, &poison(1.0, None, "")),
        Err(KindError::NoSuchEntity(b))
    );
    assert_eq!(world.set_field(kind, b, "damage", 1.0_f32), Err(KindError::NoSuchEntity(b)));
    let named = world.spawn_named("Bob").id();
    let name = Kind::of::<Name>();
    let refused = [
        world.insert_fields(name, a, &["Bob".into()]),
        world.set_field(name, named, "0", "Alice"),
        world.set_kind_veto(name, |_| true),
    ];
    for refused in refused {
        assert_eq!(refused, Err(KindError::NotDefined("Name")));
    }
    let text = KindError::NotDefined("Name").to_string();
    assert!(text.starts_with("`Name` has a type in Rust, and is not made of the values of fields"));
    assert_eq!(world.kind_value(name, named).unwrap().field("0"), None);
}

#[test]
fn wrong_definitions_are_refused() {
    let mut world = World::new();
    world.spawn_named("Bob");
    let mut error = |name: &str, fields| world.define(name, fields).unwrap_err();
    let wrong = |name: &str| DefineError::WrongName(name.to_owned());
    for name in ["", "a b", "a.b", "1a", "a::", "a,b", "!a"] {
        assert_eq!(error(name, Fields::new()), wrong(name));
    }
    assert_eq!(error("A", Fields::new().u8("a.b")), wrong("a.b"));
    assert_eq!(error("A", Fields::new().record("a", Fields::of_type("x y").u8("a"))), wrong("x y"));
    let twice = Fields::new().record("at", Fields::new().u8("x").u8("x"));
    assert_eq!(error("A", twice), DefineError::Repeated("at.x".into()));
    let none = Fields::new().list("all", FieldType::Record(Fields::new()));
    assert_eq!(error("A", none), DefineError::NoFields("all".into()));
    let deep = (0..17).fold(FieldType::U8, |inner, _| FieldType::List(Box::new(inner)));
    assert_eq!(error("A", Fields::new().field("a", deep)), DefineError::TooDeep("a".into()));
    let deep = (0..17).fold(Fields::new().u8("a"), |inner, _| Fields::new().record("a", inner));
    assert!(matches!(error("A", deep), DefineError::TooDeep(_)));
    let many = (0..1_001).fold(Fields::new(), |fields, at| fields.u8(&format!("a{at}")));
    assert_eq!(error("A", many), DefineError::TooMany("a1000".into()));
    // A record's name counts for each of its fields, as each has a path.
    let long = (0..70).fold(Fields::new(), |fields, at| fields.u8(&format!("a{at}")));
    assert!(matches!(
        error("A", Fields::new().record(&"r".repeat(1_000), long)),
        DefineError::TooLong(_)
    ));
    assert!(matches!(error(&"A".repeat(65_536), Fields::new().u8("a")), DefineError::TooLong(_)));
    assert_eq!(
        error("Name", Fields::new()),
        DefineError::Taken("Name".into(), "ecs::world::name::Name")
    );
    world.define("B", Fields::new().u8("a")).unwrap();
    let mut error = |name: &str, fields| world.define(name, fields).unwrap_err();
    assert_eq!(error("B", Fields::new().u16("a")), DefineError::Differs("B".into()));
    for (error, text) in [
        (wrong("a b"), "`a b` is no name: write letters, digits and `_`"),
        (DefineError::NoFields("a".into()), "the record `a` has no fields: name some"),
        (
            DefineError::TooDeep("a".into()),
            "the lists and records of `a` are nested deeper than 16",
        ),
        (
            DefineError::TooMany("a".into()),
            "`a` is one field too many, as a component has at most 1000",
        ),
        (
            DefineError::TooLong("a".repeat(100)),
            &*format!("the names of fields up to `{}` have more than 65536 bytes", "a".repeat(60)),
        ),
        (
            DefineError::Taken("A".into(), "b::A"),
            "the world has another component `A`, of the type `b::A`",
        ),
        (DefineError::Differs("B".into()), "the world has a `B` with other fields"),
    ] {
        assert!(error.to_string().starts_with(text), "{error}");
    }
    world.check_invariants();
}

#[test]
fn equal_definitions_are_one_kind_in_all_worlds() {
    let [mut a, mut b, mut c] = [World::new(), World::new(), World::new()];
    let fields = || Fields::new().f32("x");
    let kind = a.define("Shared", fields()).unwrap();
    assert_eq!(b.define("Shared", fields()), Ok(kind));
    assert_eq!(a.define("Shared", fields()), Ok(kind));
    assert_ne!(c.define("Shared", Fields::new().f64("x")), Ok(kind));
    // A world that has no pool of the kind makes one.
    let mut other = World::new();
    let entity = other.spawn_empty().id();
    other.insert_fields(kind, entity, &[1.0_f32.into()]).unwrap();
    assert_eq!(other.kind("Shared"), Ok(kind));
}

#[test]
fn a_component_without_fields_is_a_tag() {
    let mut world = World::new();
    let tag = world.define("Frozen", Fields::new()).unwrap();
    let entity = world.spawn_empty().id();
    world.insert_fields(tag, entity, &[]).unwrap();
    assert_eq!(shown(&world, tag, entity).as_deref(), Some("Frozen"));
    assert_eq!((tag.size(), world.kind_memory_usage(tag).values), (0, 0));
    world.insert_kind_default(tag, entity).unwrap();
    let copy = world.try_clone().unwrap();
    assert_eq!(copy.kind_entities(tag), [entity]);
    world.remove_kind(tag, entity).unwrap();
    world.check_invariants();
}

#[test]
fn observers_vetoes_and_changes_find_defined_components() {
    let (mut world, kind, [a, b]) = world_with_poison();
    let counts: [Arc<AtomicUsize>; 3] = Default::default();
    let count = |at: usize| {
        let counted = Arc::clone(&counts[at]);
        move |_: &mut World, _: Entity| _ = counted.fetch_add(1, Ordering::Relaxed)
    };
    let first = world.on_insert_kind(kind, count(0));
    world.on_update_kind(kind, count(1));
    world.on_remove_kind(kind, count(2));
    let seen = || counts.each_ref().map(|it| it.load(Ordering::Relaxed));
    let mut changes = world.kind_changes(kind).unwrap();
    world.insert_fields(kind, a, &poison(1.0, None, "")).unwrap();
    world.insert_fields(kind, a, &poison(2.0, None, "")).unwrap();
    world.insert_kind_default(kind, b).unwrap();
    assert_eq!(seen(), [2, 1, 0]);
    world.advance_kind(&mut changes);
    assert_eq!((changes.inserted().len(), changes.changed().len()), (2, 2));
    world.set_field(kind, b, "damage", 3.0_f32).unwrap();
    world.advance_kind(&mut changes);
    assert!(world.entities_in(changes.changed()).eq([b]) && changes.inserted().is_empty());
    assert!(world.set_field(kind, b, "damage", 3_u8).is_err());
    world.advance_kind(&mut changes);
    assert!(changes.changed().is_empty(), "nothing was written");
    world.set_kind_veto(kind, |value| value.field("damage") != Some(FieldValue::F32(3.0))).unwrap();
    assert!(world.remove_kind(kind, b).is_err() && world.despawn(b).is_err());
    let mut copy = world.try_clone().unwrap();
    assert!(copy.despawn(b).is_err());
    world.despawn(a).unwrap();
    assert_eq!(seen(), [2, 1, 1]);
    world.advance_kind(&mut changes);
    assert_eq!(changes.removed(), [a]);
    assert!(world.unobserve(first));
    world.set_kind_veto(kind, |_| true).unwrap();
    world.despawn(b).unwrap();
    let c = world.spawn_empty().id();
    world.insert_fields(kind, c, &poison(1.0, None, "")).unwrap();
    assert_eq!(seen(), [2, 1, 2]);
    // Within an observer, in the midst of edits.
    world.on_remove_kind(kind, move |world, entity| {
        let values = world.kind_value(kind, entity).unwrap().field("damage").unwrap();
        let heir = world.spawn_empty().id();
        world.insert_fields(kind, heir, &[values, entity.into(), "heir".into()]).unwrap();
    });
    world.despawn(c).unwrap();
    let heir = world.kind_entities(kind)[0];
    assert_eq!(world.kind_value(kind, heir).unwrap().field("by"), Some(c.into()));
    world.check_invariants();
}

#[derive(Component, Clone, Debug, PartialEq)]
#[component(clone)]
struct Place(i32);

#[test]
fn queries_find_defined_components_beside_typed_ones() {
    let mut world = World::new();
    let at =
        world.define("At", Fields::new().record("xy", Fields::new().f32("x").f32("y"))).unwrap();
    let entities = world.spawn_batch((0..10).map(Place));
    for entity in entities.iter().step_by(2) {
        world.insert_kind_default(at, *entity).unwrap();
    }
    world
        .for_each_row(&KindQuery::new().read(Kind::of::<Place>()).write(at), |row| {
            let x = row.get(Kind::of::<Place>()).unwrap().get::<Place>().unwrap().0;
            row.set_field(at, "xy.x", FieldValue::F32(x as f32)).unwrap();
            assert!(matches!(row.set_field(at, "xy.x", 1_u8), Err(KindError::NotRead(..))));
        })
        .unwrap();
    world
        .for_each_row(&KindQuery::new().read(at), |row| {
            assert_eq!(row.set_field(at, "xy.x", 1.0_f32), Err(KindError::NotWritten("At")));
        })
        .unwrap();
    let query = KindQuery::new().read(at);
    let xs: Vec<_> = world
        .kind_rows(&query)
        .unwrap()
        .map(|row| row.get(at).unwrap().field("xy.x").unwrap())
        .collect();
    assert_eq!(xs, [0.0_f32, 2.0, 4.0, 6.0, 8.0].map(FieldValue::F32));
    let record = world.kind_value(at, entities[2]).unwrap().field("xy");
    assert_eq!(record, Some(FieldValue::Record(vec![2.0_f32.into(), 0.0_f32.into()])));
    world.set_field(at, entities[2], "xy", record.unwrap()).unwrap();
}

#[test]
fn handles_are_replaced_in_copies_and_merged_worlds() {
    let mut prefab = World::new();
    let order = Fields::new().entity("to").u8("priority");
    let fields = Fields::new().entity("first").list("all", FieldType::Record(order)).entity("last");
    let kind = prefab.define("Orders", fields).unwrap();
    let [a, b] = [(); 2].map(|()| prefab.spawn_empty().id());
    let all = |to: Entity| FieldValue::List(vec![FieldValue::Record(vec![to.into(), 1_u8.into()])]);
    prefab.insert_fields(kind, b, &[a.into(), all(b), a.into()]).unwrap();
    let check = |world: &World, a: Entity, b: Entity| {
        let value = world.kind_value(kind, b).unwrap();
        assert_eq!(value.field("first"), Some(a.into()));
        assert_eq!((value.field("all"), value.field("last")), (Some(all(b)), Some(a.into())));
        world.check_invariants();
    };
    let mut world = World::new();
    world.spawn_empty();
    let copies = world.spawn_copies_of(&prefab, 1).unwrap();
    check(&world, copies[0], copies[1]);
    let merged = world.merge(&mut prefab).unwrap();
    let at = |entity: Entity| merged.get(entity).copied().unwrap();
    check(&world, at(a), at(b));
    assert!(kind.holds_entities());
}

#[test]
fn groups_order_and_children_go_on_beside_defined_components() {
    let mut world = World::new();
    let kind = world.define("Weight", Fields::new().f64("kg")).unwrap();
    world.declare_group(Group::owning::<(Place, Name)>()).unwrap();
    world.set_ordering(true);
    let mut random = Random(3);
    let mut all: Vec<Entity> = Vec::new();
    for round in 0..200 {
        let entity = world.spawn(Place(round)).id();
        if random.below(2) == 0 {
            world.insert(entity, Name::new("n")).unwrap();
        }
        if random.below(2) == 0 {
            world.insert_fields(kind, entity, &[FieldValue::F64(f64::from(round))]).unwrap();
        }
        if let Some(parent) = all.get(random.below(200)).filter(|it| world.is_alive(**it)) {
            world.insert(entity, ChildOf(*parent)).unwrap();
        }
        all.push(entity);
        if random.below(5) == 0 {
            let _ = world.despawn(all[random.below(all.len())]);
        }
        world.order_pools();
        world.check_invariants();
    }
    for (entity, place) in world.view::<&Place>() {
        if let Some(value) = world.kind_value(kind, entity) {
            assert_eq!(value.field("kg"), Some(FieldValue::F64(f64::from(place.0))));
        }
    }
}

#[test]
fn undo_restores_defined_values_in_their_places() {
    for seed in seeds(20) {
        let (mut world, kind, _) = world_with_poison();
        let mut random = Random(seed);
        let entities: Vec<Entity> = (0..20).map(|_| world.spawn(Place(1)).id()).collect();
        for entity in &entities {
            if random.below(3) > 0 {
                let by = entities[random.below(20)];
                world
                    .insert_fields(kind, *entity, &poison(entity.index() as f32, Some(by), "x"))
                    .unwrap();
            }
        }
        let state = |world: &World| {
            let all = world.kind_entities(kind).iter();
            all.map(|entity| (*entity, shown(world, kind, *entity))).collect::<Vec<_>>()
        };
        let before = state(&world);
        let mut taken = Vec::new();
        for _ in 0..8 {
            let entity = entities[random.below(20)];
            if world.is_alive(entity) {
                taken.push(world.take_entity(entity).unwrap());
            }
        }
        while let Some(undo) = taken.pop() {
            world.restore(undo).unwrap();
        }
        assert_eq!(state(&world), before, "seed {seed}");
        let entity = before[0].0;
        let value = world.take_kind(kind, entity).unwrap();
        assert_eq!(value.kind(), kind);
        world.insert_value(entity, value).unwrap();
        assert_eq!(shown(&world, kind, entity), before[0].1);
        world.check_invariants();
    }
}

/// Returns changes of all kinds, and the text of [`poison`] after them.
fn changes() -> Redefinition {
    Redefinition::new()
        .rename("damage", "harm")
        .convert("harm", FieldType::I16)
        .drop("source")
        .add(
            "at",
            FieldType::Record(Fields::new().f32("x")),
            FieldValue::Record(vec![9.0_f32.into()]),
        )
        .add("at.y", FieldType::Bool, true)
}

const CHANGED: &str = "Poison { harm: 2, by: Some(1v1), at: _ { x: 9.0, y: true } }";

#[test]
fn fields_change_with_all_values_or_not_at_all() {
    let (mut world, kind, [a, b]) = world_with_poison();
    world.insert_fields(kind, a, &poison(2.0, Some(b), "snake")).unwrap();
    world.insert_fields(kind, b, &poison(2.5, None, "")).unwrap();
    let mut seen = world.kind_changes(kind).unwrap();
    let before = shown(&world, kind, b);
    let error = world.redefine(kind, &changes()).unwrap_err();
    let text = "`harm` of 1v1 cannot be converted: 2.5 becomes no `i16`";
    assert_eq!(error, DefineError::NotConverted(b, "harm".into(), "2.5 becomes no `i16`".into()));
    assert_eq!((error.to_string(), shown(&world, kind, b)), (text.to_owned(), before));
    assert_eq!(world.kind("Poison"), Ok(kind));
    world.set_field(kind, b, "damage", 4.0_f32).unwrap();
    let inserted = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&inserted);
    world.on_insert_kind(kind, move |_, _| _ = counted.fetch_add(1, Ordering::Relaxed));
    world.set_kind_veto(kind, |value| value.field("harm") != Some(FieldValue::I16(2))).unwrap();
    world.advance_kind(&mut seen);
    let new = world.redefine(kind, &changes()).unwrap();
    assert!(new != kind && world.kind("Poison") == Ok(new));
    assert_eq!(shown(&world, new, a).as_deref(), Some(CHANGED));
    assert_eq!(world.kind_entities(kind), [a, b], "the old kind stays usable");
    world.advance_kind(&mut seen);
    assert_eq!((seen.changed().len(), seen.inserted().len(), seen.removed().len()), (2, 0, 0));
    assert!(world.despawn(a).is_err());
    let c = world.spawn_empty().id();
    let at = FieldValue::Record(vec![1.0_f32.into(), false.into()]);
    world.insert_fields(kind, c, &[3_i16.into(), a.into(), at]).unwrap();
    assert!(matches!(
        world.insert_fields(kind, c, &poison(1.0, None, "")),
        Err(KindError::NotRead(..))
    ));
    assert_eq!(inserted.load(Ordering::Relaxed), 1);
    let old_query = KindQuery::new().write(kind);
    assert_eq!(world.for_each_row(&old_query, |_| {}), Err(KindError::Redefined("Poison")));
    world
        .for_each_row(&KindQuery::new().write(new), |row| {
            row.set_field(new, "harm", 7_i16).unwrap();
            assert_eq!(row.get(kind).unwrap().field("harm"), Some(7_i16.into()));
        })
        .unwrap();
    world.check_invariants();
    // Again, in a copy and in the world.
    let mut copy = world.try_clone().unwrap();
    let last = copy.redefine(new, &Redefinition::new().drop("at")).unwrap();
    assert_eq!(shown(&copy, last, c).as_deref(), Some("Poison { harm: 7, by: Some(0v1) }"));
    assert!(shown(&world, new, c).unwrap().contains("at: _"));
    copy.copy_from(&world).unwrap();
    assert!(shown(&copy, new, c).unwrap().contains("at: _") && copy.kind("Poison") == Ok(new));
    copy.check_invariants();
}

#[test]
fn wrong_changes_are_refused() {
    let (mut world, kind, _) = world_with_poison();
    let mut error = |changes: Redefinition| world.redefine(kind, &changes).unwrap_err();
    let no_field = |path: &str| DefineError::NoField(path.to_owned());
    let change = Redefinition::new;
    assert_eq!(error(change().drop("x")), no_field("x"));
    assert_eq!(error(change().drop("damage.x")), no_field("damage.x"));
    assert_eq!(error(change().rename("x", "y")), no_field("x"));
    assert_eq!(error(change().convert("x", FieldType::U8)), no_field("x"));
    assert_eq!(error(change().add("at.x", FieldType::U8, 1_u8)), no_field("at.x"));
    assert_eq!(error(change().rename("damage", "by")), DefineError::Repeated("by".into()));
    assert_eq!(error(change().rename("damage", "a b")), DefineError::WrongName("a b".into()));
    let record = FieldType::Record(Fields::new().u8("x"));
    let value = FieldValue::Record(vec![1_u8.into()]);
    let none = change().add("at", record, value).drop("at.x");
    assert_eq!(error(none), DefineError::NoFields("at.x".into()));
    let wrong = |path: &str, what: &str| DefineError::WrongValue(path.into(), what.into());
    let text = "expected a value of the type `u8`, not `i8`";
    assert_eq!(error(change().add("x", FieldType::U8, 1_i8)), wrong("x", text));
    let text = "a `Option<Entity>` becomes no `u8`";
    assert_eq!(error(change().convert("by", FieldType::U8)), wrong("by", text));
    assert_eq!(wrong("by", text).to_string(), format!("`by` cannot be changed: {text}"));
    assert_eq!(
        no_field("x").to_string(),
        "there is no field `x`: name one of the fields before the change"
    );
    let named = world.spawn_named("Bob").id();
    let refused = world.redefine(Kind::of::<Name>(), &changes()).unwrap_err();
    assert!(refused == DefineError::NotDefined("Name") && world.name(named) == Some("Bob"));
    assert!(refused.to_string().starts_with("`Name` has a type in Rust: change that"));
    // A conversion by a function may fail, or return a value of another type.
    let entity = world.spawn_empty().id();
    world.insert_kind_default(kind, entity).unwrap();
    let fails = change().convert_by("damage", FieldType::U8, |_| Err("no".to_owned()));
    let error = world.redefine(kind, &fails).unwrap_err();
    assert_eq!(error, DefineError::NotConverted(entity, "damage".into(), "no".into()));
    let other = change().convert_by("damage", FieldType::U8, |_| Ok(1_i8.into()));
    assert!(matches!(world.redefine(kind, &other), Err(DefineError::NotConverted(..))));
}

#[test]
#[expect(clippy::many_single_char_names, reason = "entities, in their order")]
fn values_that_were_taken_out_follow_the_changes() {
    let (mut world, kind, [a, b]) = world_with_poison();
    world.insert_fields(kind, a, &poison(2.0, Some(b), "snake")).unwrap();
    world.insert_fields(kind, b, &poison(4.0, None, "")).unwrap();
    let taken = world.take_kind(kind, a).unwrap();
    let despawned = world.take_entity(b).unwrap();
    let mut values = Values::new();
    values.add_default(&mut world, kind).unwrap();
    let new = world.redefine(kind, &changes()).unwrap();
    world.insert_value(a, taken).unwrap();
    world.restore(despawned).unwrap();
    let text = "Poison { harm: 4, by: None, at: _ { x: 9.0, y: true } }";
    assert_eq!(
        (shown(&world, new, a).as_deref(), shown(&world, new, b).as_deref()),
        (Some(CHANGED), Some(text))
    );
    let c = world.spawn_values(values).unwrap();
    assert!(shown(&world, new, c).unwrap().starts_with("Poison { harm: 0, "));
    world.check_invariants();
    // Values that cannot be converted, or that come from a world with other fields.
    let (mut other, kind, [d, e]) = world_with_poison();
    other.insert_fields(kind, d, &poison(2.5, None, "")).unwrap();
    other.insert_fields(kind, e, &poison(2.5, None, "")).unwrap();
    let taken = other.take_kind(kind, d).unwrap();
    let despawned = other.take_entity(e).unwrap();
    other.redefine(kind, &changes()).unwrap();
    assert_eq!(other.insert_value(d, taken).unwrap_err().1, KindError::OtherFields("Poison"));
    assert_eq!(other.check_restore(&despawned), Err(RestoreError::OtherFields("Poison")));
    other.discard(despawned);
    let text = "the value was made with other fields or rules than `Poison` has in this world";
    assert!(KindError::OtherFields("Poison").to_string().starts_with(text));
    assert!(RestoreError::OtherFields("Poison").to_string().starts_with(text));
    let mut third = World::new();
    let fields = Fields::new().u8("x");
    let third_kind = third.define("Poison", fields).unwrap();
    let f = third.spawn_empty().id();
    third.insert_kind_default(third_kind, f).unwrap();
    let value = third.take_kind(third_kind, f).unwrap();
    assert_eq!(world.insert_value(c, value).unwrap_err().1, KindError::Present(c, "Poison"));
    third.insert_kind_default(third_kind, f).unwrap();
    let value = third.take_kind(third_kind, f).unwrap();
    let g = world.spawn_empty().id();
    assert_eq!(world.insert_value(g, value).unwrap_err().1, KindError::OtherFields("Poison"));
    third.insert_kind_default(third_kind, f).unwrap();
    let text = "`Poison` is defined with other fields or rules in the other world";
    assert!(world.spawn_copies_of(&third, 1).unwrap_err().to_string().starts_with(text));
    assert!(world.merge(&mut third).unwrap_err().to_string().starts_with(text));
    world.check_invariants();
}

#[cfg(feature = "serde")]
mod twins {
    use super::*;
    use crate::saves::bytes_of;
    use ecs::MapEntities;
    use ecs::save::{ChangeSet, Delta, Follower, Limits, Loaded, Received, SaveEntity, WorldSeed};
    use serde::de::DeserializeSeed;
    use serde::{Deserialize, Serialize};

    #[derive(MapEntities, Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
    struct Where {
        x: f64,
        on: bool,
    }

    #[derive(MapEntities, Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
    struct Order {
        to: Option<Entity>,
        urgency: i16,
    }

    /// A type in Rust of the shape of a definition.
    #[derive(Component, Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
    #[component(save = "Twin", clone, debug, default, track)]
    struct Twin {
        damage: f32,
        by: Option<Entity>,
        source: String,
        hits: Vec<u16>,
        at: Where,
        orders: Vec<Order>,
        big: u64,
    }

    #[derive(Component, Serialize, Deserialize, Clone, Copy, Debug, Default, PartialEq)]
    #[component(save = "TwinTag", clone, debug, default, track)]
    struct TwinTag;

    fn twin_fields() -> Fields {
        let order = Fields::of_type("Order").entity("to").i16("urgency");
        Fields::new()
            .f32("damage")
            .entity("by")
            .text("source")
            .list("hits", FieldType::U16)
            .record("at", Fields::of_type("Where").f64("x").bool("on"))
            .list("orders", FieldType::Record(order))
            .u64("big")
    }

    fn typed() -> World {
        let mut world = World::new();
        world.register::<(Twin, TwinTag)>();
        world
    }

    fn defined() -> World {
        let mut world = World::new();
        world.define("Twin", twin_fields()).unwrap();
        world.define("TwinTag", Fields::new()).unwrap();
        world
    }

    fn kinds(world: &World) -> [Kind; 2] {
        ["Twin", "TwinTag"].map(|name| world.kind(name).unwrap())
    }

    fn json_of(world: &World) -> String {
        serde_json::to_string(&world.save()).unwrap()
    }

    fn random_twin(random: &mut Random, all: &[Entity]) -> Twin {
        let mut entity = || all.get(random.below(all.len() + 3)).copied();
        let (by, to, other) = (entity(), entity(), entity());
        let hits = (0_u16..).step_by(300).take(random.below(4)).collect();
        let mut orders = vec![Order { to, urgency: -3 }, Order { to: other, urgency: 700 }];
        orders.truncate(random.below(3));
        Twin {
            damage: random.below(9) as f32 / 3.0,
            by,
            source: "snäke".repeat(random.below(3)),
            hits,
            at: Where { x: random.below(5) as f64 / 7.0, on: random.below(2) == 0 },
            orders,
            big: u64::MAX / (1 + random.below(900) as u64),
        }
    }

    /// Makes a random edit of a world, by names: the same one for the same numbers.
    fn edit(world: &mut World, random: &mut Random, undone: &mut Vec<ecs::by_name::Despawned>) {
        let [twin, tag] = kinds(world);
        let all: Vec<Entity> = world.entities().collect();
        let one = random.below(all.len().max(1));
        let Some(&entity) = all.get(one) else {
            world.spawn_empty();
            return;
        };
        match random.below(12) {
            0 | 1 => _ = world.spawn_empty().id(),
            2..6 => {
                let value = serde_json::to_value(random_twin(random, &all)).unwrap();
                world.insert_kind(twin, entity, value).unwrap();
            }
            6 => world.insert_kind_default(tag, entity).unwrap(),
            7 => _ = world.remove_kind(if random.below(2) == 0 { twin } else { tag }, entity),
            8 => {
                let to = all[random.below(all.len())];
                _ = world.copy_kind(twin, entity, to);
            }
            9 => _ = world.despawn(entity),
            10 => undone.push(world.take_entity(entity).unwrap()),
            _ => {
                if let Some(entry) = undone.pop() {
                    _ = world.restore(entry);
                }
            }
        }
    }

    #[test]
    fn a_definition_is_like_a_type_of_the_same_shape_in_all_that_is_written() {
        for seed in seeds(12) {
            let (mut a, mut b) = (typed(), defined());
            let (mut of_a, mut of_b) = (Random(seed), Random(seed));
            let (mut undone_a, mut undone_b) = (Vec::new(), Vec::new());
            let (mut reader_a, mut reader_b) = (a.change_sets(), b.change_sets());
            let mut follower = defined();
            let mut known = Follower::default();
            let (mut of_types, mut known_by_types) = (typed(), Follower::default());
            let mut old = [a.try_clone().unwrap(), b.try_clone().unwrap()];
            for _ in 0..30 {
                for _ in 0..6 {
                    edit(&mut a, &mut of_a, &mut undone_a);
                    edit(&mut b, &mut of_b, &mut undone_b);
                }
                b.check_invariants();
                assert!(bytes_of(&a) == bytes_of(&b), "seed {seed}");
                assert_eq!(json_of(&a), json_of(&b), "seed {seed}");
                let shown = |world: &World| {
                    let values = world.entities().flat_map(|entity| world.kind_values(entity));
                    values.map(|value| format!("{value:?}")).collect::<Vec<_>>()
                };
                assert_eq!(shown(&a), shown(&b));
                let [set_a, set_b] =
                    [reader_a.drain(&mut a).unwrap(), reader_b.drain(&mut b).unwrap()];
                assert!(set_a.as_bytes() == set_b.as_bytes(), "seed {seed}");
                let limits = Limits::default();
                let applied = follower.apply_change_set(set_a.as_bytes(), &mut known, &limits);
                assert_eq!(applied.unwrap(), Received::Applied);
                let applied =
                    of_types.apply_change_set(set_a.as_bytes(), &mut known_by_types, &limits);
                assert_eq!(applied.unwrap(), Received::Applied);
                assert!(bytes_of(&of_types) == bytes_of(&follower), "seed {seed}");
                let deltas =
                    [Delta::between(&old[0], &a).unwrap(), Delta::between(&old[1], &b).unwrap()];
                let [of_a, of_b] = deltas.map(Delta::into_bytes);
                assert!(of_a == of_b, "seed {seed}");
                old[1].apply_delta(&of_a, &Limits::default()).unwrap();
                assert!(bytes_of(&old[1]) == bytes_of(&b), "seed {seed}");
                assert!(Delta::between(&old[1], &b).unwrap().is_empty());
                old = [a.try_clone().unwrap(), b.try_clone().unwrap()];
                old[1].check_invariants();
            }
            follower.check_invariants();
            for (kind, there) in kinds(&a).into_iter().zip(kinds(&follower)) {
                let here = a.kind_entities(kind).iter().map(|entity| known.get(*entity).unwrap());
                let (mut here, mut all) =
                    (here.collect::<Vec<_>>(), follower.kind_entities(there).to_vec());
                here.sort();
                all.sort();
                assert_eq!(here, all);
            }
        }
    }

    /// Returns a random world with types, and one with definitions that has equal content.
    fn random_pair(seed: u64) -> [World; 2] {
        let mut pair = [typed(), defined()];
        for world in &mut pair {
            let (mut random, mut undone) = (Random(seed), Vec::new());
            (0..60).for_each(|_| edit(world, &mut random, &mut undone));
        }
        pair
    }

    #[test]
    fn files_of_types_are_read_by_definitions_and_the_other_way_round() {
        for seed in seeds(12) {
            let [a, b] = random_pair(seed);
            assert_eq!(a.save().schema_hash(), b.save().schema_hash());
            let limits = Limits::default();
            let (bytes, json) = (bytes_of(&a), json_of(&a));
            for empty in [typed(), defined()] {
                let (read, loaded): (World, Loaded) = empty.read(&bytes, &limits).unwrap();
                assert!(loaded.unknown().is_empty() && bytes_of(&read) == bytes, "seed {seed}");
                let mut from = serde_json::Deserializer::from_str(&json);
                let (read, _) = empty.read_from(&mut from).unwrap();
                assert_eq!(json_of(&read), json, "seed {seed}");
                read.check_invariants();
            }
            // An entity alone, with its values.
            let has_twin = |entity: &Entity| a.has::<Twin>(*entity);
            let Some(entity) = a.entities().find(has_twin) else { continue };
            let texts = [&a, &b].map(|world| {
                let save = world.save();
                let one: SaveEntity<'_> = save.entity(entity);
                serde_json::to_string(&one).ok()
            });
            assert_eq!(texts[0], texts[1]);
            if let Some(text) = &texts[0] {
                let spawned = [typed(), defined()].map(|mut world| {
                    let spawned = world.spawn_from(&mut serde_json::Deserializer::from_str(text));
                    (spawned.map_err(|error| error.to_string()), json_of(&world))
                });
                assert_eq!(spawned[0], spawned[1]);
            }
        }
    }

    #[test]
    fn a_definition_of_a_registered_type_is_the_type() {
        let mut world = typed();
        assert_eq!(world.define("Twin", twin_fields()), Ok(Kind::of::<Twin>()));
        assert_eq!(world.define("TwinTag", Fields::new()), Ok(Kind::of::<TwinTag>()));
        let error = world.define("Twin", Fields::new().u8("x")).unwrap_err();
        assert!(matches!(error, DefineError::Taken(_, name) if name.ends_with("::Twin")));
        assert_eq!(world.kinds().count(), 2);
    }

    #[test]
    fn wrong_texts_and_bytes_are_refused_with_the_field() {
        let mut world = World::new();
        let fields = Fields::new().u8("a").text("b").entity("c").list("d", FieldType::I8);
        let kind = world.define("Refused", fields).unwrap();
        let entity = world.spawn_empty().id();
        let mut read = |text: &str| {
            let mut from = serde_json::Deserializer::from_str(text);
            let read = world.insert_kind(kind, entity, &mut from);
            read.map_err(|error| error.to_string().replace("no `Refused` was read: ", ""))
        };
        assert_eq!(read(r#"{"d": [1], "b": "x", "z": [{}], "a": 7}"#), Ok(()));
        assert_eq!(read(r#"[7, "x", null, []]"#), Ok(()));
        for (text, error) in [
            (r#"{"a": 7, "c": null, "d": []}"#, "missing field `b`"),
            (r#"{"a": 7, "a": 8}"#, "duplicate field `a`"),
            (r#"{"a": 256}"#, "invalid value: integer `256`, expected u8"),
            (r#"{"b": 1}"#, "invalid type: integer `1`, expected a string"),
            (r#"{"d": ["x"]}"#, "invalid type: string \"x\", expected i8"),
            ("[7]", "invalid length 1, expected struct Refused"),
            ("7", "invalid type: integer `7`, expected struct Refused"),
        ] {
            let found = read(text).unwrap_err();
            assert!(found.starts_with(error), "{text}: {found}");
        }
        let value = world.kind_value(kind, entity).unwrap();
        assert_eq!(
            serde_json::to_string(value.as_serialize().unwrap()).unwrap(),
            r#"{"a":7,"b":"x","c":null,"d":[]}"#
        );
        // Each byte of a file is changed and cut.
        let bytes = bytes_of(&world);
        for at in 0..bytes.len() {
            let mut changed = bytes.clone();
            for byte in [0, 1, 0x7f, 0xff] {
                changed[at] = byte;
                if let Ok((read, _)) = world.read(&changed, &Limits::default()) {
                    read.check_invariants();
                }
            }
            assert!(world.read(&bytes[..at], &Limits::default()).is_err());
        }
        let error = world.read(&bytes, &Limits::default().memory(100)).unwrap_err();
        assert!(error.to_string().ends_with("it takes more memory than the limit"));
    }

    #[test]
    fn records_in_lists_are_paid_for() {
        let mut world = World::new();
        let record = (0..100).fold(Fields::new(), |fields, at| fields.u8(&format!("a{at}")));
        let kind =
            world.define("Listed", Fields::new().list("all", FieldType::Record(record))).unwrap();
        let entity = world.spawn_empty().id();
        let one = FieldValue::Record((0..100).map(|_| 0_u8.into()).collect());
        world.insert_fields(kind, entity, &[FieldValue::List(vec![one; 100])]).unwrap();
        let bytes = bytes_of(&world);
        let memory = 100 * 100 * size_of::<FieldValue>();
        assert!(world.read(&bytes, &Limits::default().memory(2 * memory)).is_ok());
        let error = world.read(&bytes, &Limits::default().memory(memory)).unwrap_err();
        assert!(error.to_string().ends_with("it takes more memory than the limit"), "{error}");
    }

    /// A component that an editor does not know.
    #[derive(Component, Serialize, Deserialize, Clone, Debug, PartialEq)]
    #[component(save = "mood", clone, track)]
    struct Mood {
        joy: u8,
        of: Option<Entity>,
        words: Vec<String>,
    }
    /// Serde writes other fields than the struct has.
    #[derive(Component, Serialize, Deserialize, Clone, Debug, PartialEq)]
    #[component(save = "hidden", clone)]
    struct Hidden {
        seen: u8,
        #[serde(skip)]
        unseen: u8,
    }
    #[derive(Component, Serialize, Deserialize, Clone, Debug, PartialEq)]
    #[component(save = "pair", clone)]
    struct Pair(u8, u8);

    fn keeping() -> Limits {
        Limits::default().keep_unknown()
    }

    #[test]
    fn unknown_components_with_definitions_are_defined_where_they_are_kept() {
        let mut world = World::new();
        world.register::<(Mood, Hidden, Pair, TwinTag)>();
        let [a, b] = [1, 2].map(|joy| {
            let words = vec!["hm".to_owned()];
            world
                .spawn((Mood { joy, of: None, words }, Hidden { seen: 1, unseen: 2 }, Pair(3, 4)))
                .id()
        });
        world.get_mut::<Mood>(a).unwrap().of = Some(b);
        world.insert(b, TwinTag).unwrap();
        let plain = bytes_of(&world);
        let save = world.save().with_definitions();
        let bytes = save.to_vec().unwrap();
        let text = serde_json::to_string(&save).unwrap();
        assert!(
            text.contains(r#""fields":"{joy:u8;of:Option<Entity>;words:Vec<String>;}""#),
            "{text}"
        );
        assert!(!text.contains("unseen"), "fields are written if they are the ones of the values");

        let mut editor = World::new();
        let refused = editor.read(&bytes, &Limits::default()).unwrap_err();
        assert_eq!(refused.component(), Some("TwinTag"));
        let loaded = editor.load(&bytes, &keeping()).unwrap();
        let unknown: Vec<&str> = loaded.unknown().iter().map(ecs::save::Unknown::name).collect();
        assert_eq!(unknown, ["hidden", "pair"], "kept as bytes");
        editor.check_invariants();
        let mood = editor.kind("mood").unwrap();
        let value = editor.kind_value(mood, a).unwrap();
        assert_eq!((value.field("joy"), value.field("of")), (Some(1_u8.into()), Some(b.into())));
        assert_eq!(editor.kind_entities(editor.kind("TwinTag").unwrap()), [b]);
        editor.set_field(mood, a, "joy", 7_u8).unwrap();
        editor.set_field(mood, a, "words", vec!["ha", "ha"]).unwrap();
        // Definitions are written again, and not for programs that do not ask for them.
        let mut again = World::new();
        again.load(&editor.save().with_definitions().to_vec().unwrap(), &keeping()).unwrap();
        assert_eq!(again.kind("mood"), Ok(mood));
        world.load(&bytes_of(&again), &Limits::default()).unwrap();
        let words = vec!["ha".to_owned(), "ha".to_owned()];
        assert_eq!(world.get::<Mood>(a), Some(&Mood { joy: 7, of: Some(b), words }));
        assert_eq!(world.get::<Pair>(a), Some(&Pair(3, 4)));
        // A program that knows the components passes over their fields.
        world.load(&bytes, &Limits::default()).unwrap();
        assert_eq!(bytes_of(&world), plain);

        // In a text.
        let limits = keeping();
        let read = |text: &str| {
            let empty = World::new();
            let mut from = serde_json::Deserializer::from_str(text);
            let read = WorldSeed::new(&empty, &limits).deserialize(&mut from);
            read.map_err(|error| error.to_string())
        };
        let error = read(&text).unwrap_err();
        assert!(error.contains("cannot keep it from a format for people"), "{error}");
        let text = world.save().leave_out::<(Hidden, Pair)>().with_definitions();
        let text = serde_json::to_string(&text).unwrap();
        let (editor, _) = read(&text).unwrap();
        editor.check_invariants();
        let value = editor.kind_value(mood, b).unwrap();
        assert_eq!(value.field("joy"), Some(FieldValue::U8(2)));
        for (from, to) in
            [("joy:u8", "joy:u9"), ("joy:u8", "joy:i8"), ("{joy", "{{joy"), ("joy:u8;", "")]
        {
            let error = read(&text.replace(from, to)).unwrap_err();
            assert!(error.contains("cannot keep it from a format for people"), "{error}");
        }
    }

    #[test]
    fn definitions_from_hostile_files_are_refused_or_kept_as_bytes() {
        let mut world = World::new();
        world.register::<Mood>();
        world.spawn(Mood { joy: 1, of: None, words: vec!["a".to_owned()] });
        let bytes = world.save().with_definitions().to_vec().unwrap();
        let place = bytes.windows(5).position(|five| five == b"{joy:").unwrap();
        for at in place - 3..bytes.len() {
            for byte in [0, b'0', b'{', b';', b'}', 0xff] {
                let mut changed = bytes.clone();
                changed[at] = byte;
                if let Ok((read, _)) = World::new().read(&changed, &keeping()) {
                    read.check_invariants();
                }
            }
            assert!(World::new().read(&bytes[..at], &keeping()).is_err());
        }
        // The name is one of another component, which is saved by another name.
        let mut other = World::new();
        other.define("mood", Fields::new().u8("joy")).unwrap();
        let error = other.read(&bytes, &keeping()).unwrap_err().to_string();
        assert!(error.contains("differ from the ones saved as version 1"), "{error}");
        // The memory of the definition is paid for, too.
        let needed = |bytes: &[u8]| {
            (0..20_000).find(|memory| World::new().read(bytes, &keeping().memory(*memory)).is_ok())
        };
        assert!(needed(&bytes).unwrap() > needed(&bytes_of(&world)).unwrap() + 1_000);
    }

    #[cfg(feature = "bytes")]
    #[test]
    fn values_that_were_saved_as_bytes_are_read_field_by_field() {
        #[derive(
            Component, Serialize, Deserialize, Clone, Copy, bytemuck::Pod, bytemuck::Zeroable,
        )]
        #[component(save = "speed", bytes)]
        #[repr(C)]
        struct Speed {
            x: f32,
            y: f32,
            steps: u64,
            sign: i8,
            filler: u8,
            turn: i16,
            part: u32,
        }
        let speed = Speed {
            x: 1.5,
            y: -2.0,
            steps: u64::MAX - 1,
            sign: -3,
            filler: 0,
            turn: -300,
            part: 7,
        };
        let mut world = World::new();
        let entities = world.spawn_batch([speed, Speed { x: 9.0, ..speed }]);
        let bytes = world.save().with_definitions().to_vec().unwrap();
        let mut editor = World::new();
        editor.load(&bytes, &keeping()).unwrap();
        let kind = editor.kind("speed").unwrap();
        let value = editor.kind_value(kind, entities[1]).unwrap();
        let text = "speed { x: 9.0, y: -2.0, steps: 18446744073709551614, sign: -3, filler: 0, turn: -300, part: 7 }";
        assert_eq!(format!("{value:?}"), text);
        world.load(&bytes_of(&editor), &Limits::default()).unwrap();
        assert_eq!(world.get::<Speed>(entities[0]).unwrap().turn, -300);
        for cut in 1..bytes.len() {
            assert!(World::new().read(&bytes[..bytes.len() - cut], &keeping()).is_err());
        }
        // Texts have no bytes.
        let mut other = World::new();
        other.define("speed", Fields::new().text("x")).unwrap();
        assert!(other.read(&bytes, &keeping()).is_err());
    }

    /// Returns an empty world that has made the changes since the first fields.
    fn changed_world() -> World {
        let (mut world, kind, _) = world_with_poison();
        let kind = world.redefine(kind, &changes()).unwrap();
        world.redefine(kind, &Redefinition::new().rename("by", "from").drop("at.x")).unwrap();
        world
    }

    #[test]
    fn files_of_earlier_versions_are_read_by_the_same_changes() {
        let (mut old, kind, [a, b]) = world_with_poison();
        old.insert_fields(kind, a, &poison(2.0, Some(b), "snake")).unwrap();
        let limits = Limits::default();
        let text = "Poison { harm: 2, from: Some(1v1), at: _ { y: true } }";
        let mut worlds = vec![old];
        for changes in [changes(), Redefinition::new().rename("by", "from").drop("at.x")] {
            let mut next = worlds.last().unwrap().try_clone().unwrap();
            let kind = next.kind("Poison").unwrap();
            next.redefine(kind, &changes).unwrap();
            worlds.push(next);
        }
        let versions: Vec<u32> =
            worlds.iter().map(|it| it.kind("Poison").unwrap().saved_as().unwrap().1).collect();
        assert_eq!(versions, [1, 2, 3]);
        for world in &worlds {
            let empty = changed_world();
            let (read, _) = empty.read(&bytes_of(world), &limits).unwrap();
            read.check_invariants();
            let kind = read.kind("Poison").unwrap();
            assert_eq!(shown(&read, kind, a).as_deref(), Some(text));
            assert_eq!(read.kind_value(kind, a).unwrap().field("from"), Some(b.into()));
            let json = json_of(world);
            let (read, _) =
                empty.read_from(&mut serde_json::Deserializer::from_str(&json)).unwrap();
            assert_eq!(shown(&read, kind, a).as_deref(), Some(text));
            // It knows the history, too.
            let (again, _) = read.read(&bytes_of(&worlds[0]), &limits).unwrap();
            assert_eq!(shown(&again, kind, a).as_deref(), Some(text));
        }
        // A program of the first version, and one that has only the last fields.
        let error = worlds[0].read(&bytes_of(&worlds[1]), &limits).unwrap_err().to_string();
        assert!(error.contains("it is of version 2, and this program has version 1"), "{error}");
        let mut late = World::new();
        let last = Fields::new().i16("harm").entity("from").record("at", Fields::new().bool("y"));
        late.define("Poison", last.version(3)).unwrap();
        assert!(late.read(&bytes_of(&worlds[2]), &limits).is_ok());
        let error = late.read(&bytes_of(&worlds[0]), &limits).unwrap_err().to_string();
        assert!(
            error.contains("version 1 is not readable: define the fields that it had"),
            "{error}"
        );
        // A value that cannot be converted.
        worlds[0].set_field(kind, a, "damage", 2.5_f32).unwrap();
        let error = changed_world().read(&bytes_of(&worlds[0]), &limits).unwrap_err();
        let text =
            "its field `harm` of an earlier version cannot be converted: 2.5 becomes no `i16`";
        assert!(error.to_string().ends_with(text) && error.entity() == Some(a), "{error}");
        let json = json_of(&worlds[0]);
        let error = changed_world().read_from(&mut serde_json::Deserializer::from_str(&json));
        assert!(error.unwrap_err().to_string().contains(text));
    }

    #[test]
    fn followers_that_make_the_same_changes_go_on() {
        let (mut server, kind, [a, b]) = world_with_poison();
        let (mut client, there, _) = world_with_poison();
        let (mut sender, mut known) = (server.change_sets(), Follower::default());
        let mut apply = |set: &ChangeSet, client: &mut World| {
            let applied = client.apply_change_set(set.as_bytes(), &mut known, &Limits::default());
            applied.map(drop).map_err(|error| error.to_string())
        };
        server.insert_fields(kind, a, &poison(2.0, Some(b), "snake")).unwrap();
        apply(&sender.drain(&mut server).unwrap(), &mut client).unwrap();
        server.redefine(kind, &changes()).unwrap();
        server.set_field(kind, a, "at.x", 3.0_f32).unwrap();
        let set = sender.drain(&mut server).unwrap();
        let error = apply(&set, &mut client).unwrap_err();
        assert!(error.contains("it is of version 2, and this program has version 1"), "{error}");
        client.redefine(there, &changes()).unwrap();
        apply(&set, &mut client).unwrap();
        server.set_field(kind, a, "harm", 5_i16).unwrap();
        apply(&sender.drain(&mut server).unwrap(), &mut client).unwrap();
        let at = client.kind_entities(there)[0];
        let text = shown(&client, there, at).unwrap();
        assert!(
            text.starts_with("Poison { harm: 5, ") && text.contains("at: _ { x: 3.0, y: true }")
        );
        // A delta between versions has all values.
        let (mut old, ..) = world_with_poison();
        old.insert_fields(kind, a, &poison(2.0, Some(b), "snake")).unwrap();
        let mut new = old.try_clone().unwrap();
        new.redefine(kind, &changes()).unwrap();
        let delta = Delta::between(&old, &new).unwrap().into_bytes();
        old.redefine(kind, &changes()).unwrap();
        old.apply_delta(&delta, &Limits::default()).unwrap();
        assert!(bytes_of(&old) == bytes_of(&new));
    }

    #[test]
    fn values_that_a_delta_or_a_set_brought_stay_beside_new_ones() {
        for by_set in [false, true] {
            let (mut server, kind, [a, b]) = world_with_poison();
            // The world never had a value.
            let (mut client, ..) = world_with_poison();
            let mut sender = server.change_sets();
            server.insert_fields(kind, a, &poison(1.0, Some(b), "snake")).unwrap();
            if by_set {
                let set = sender.drain(&mut server).unwrap();
                let mut known = Follower::default();
                let done = client.apply_change_set(set.as_bytes(), &mut known, &Limits::default());
                assert_eq!(done.unwrap(), Received::Applied);
            } else {
                let delta = Delta::between(&client, &server).unwrap();
                client.apply_delta(delta.as_bytes(), &Limits::default()).unwrap();
            }
            client.check_invariants();
            let [c, d] = [client.spawn_empty().id(), client.spawn_empty().id()];
            let row = poison(2.0, None, "toad");
            client.kind_inserter(kind).unwrap().insert(c, &row[..]).unwrap();
            client.insert_fields(kind, d, &poison(3.0, None, "newt")).unwrap();
            client.check_invariants();
            let all = client.kind_entities(kind).iter();
            let sources = all.map(|it| client.kind_value(kind, *it).unwrap().field("source"));
            assert!(
                sources.eq(["snake", "toad", "newt"].map(|it| Some(it.into()))),
                "by a set: {by_set}"
            );
        }
    }

    #[test]
    fn types_and_definitions_take_each_other_over_in_any_version() {
        #[derive(Component, Serialize, Deserialize, Debug, PartialEq)]
        #[component(save = "Poison", version = 2, from(1 = OldPoison))]
        struct Poison {
            harm: i16,
            by: Option<Entity>,
        }
        #[derive(Deserialize)]
        struct OldPoison {
            damage: f32,
            by: Option<Entity>,
            #[expect(dead_code, reason = "it is only read")]
            source: String,
        }
        impl From<OldPoison> for Poison {
            fn from(old: OldPoison) -> Self {
                Self { harm: old.damage as i16, by: old.by }
            }
        }
        let (mut world, kind, [a, b]) = world_with_poison();
        world.insert_fields(kind, a, &poison(2.0, Some(b), "snake")).unwrap();
        let first = bytes_of(&world);
        let changes = Redefinition::new()
            .rename("damage", "harm")
            .convert("harm", FieldType::I16)
            .drop("source");
        world.redefine(kind, &changes).unwrap();
        let second = bytes_of(&world);
        let mut typed = World::new();
        typed.register::<Poison>();
        for bytes in [&first, &second] {
            typed.load(bytes, &Limits::default()).unwrap();
            assert_eq!(typed.get::<Poison>(a), Some(&Poison { harm: 2, by: Some(b) }));
        }
        let of_type = bytes_of(&typed);
        world.load(&of_type, &Limits::default()).unwrap();
        assert_eq!(bytes_of(&world), of_type);
        let mut defined = World::new();
        let fields = Fields::new().i16("harm").entity("by").version(2);
        defined.define("Poison", fields.clone()).unwrap();
        defined.load(&of_type, &Limits::default()).unwrap();
        assert_eq!(typed.define("Poison", fields), Ok(Kind::of::<Poison>()));
    }
}
