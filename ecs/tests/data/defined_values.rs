//! Values of components that are defined while the program runs, at the edges: wrong ones, those taken in and out, their
//! memory, and fields that changed.

use ecs::by_name::{DefineError, FieldType, FieldValue, Fields, Kind, KindError, Redefinition};
use ecs::{Component, Entity, World};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

fn order_fields() -> Fields {
    let order = Fields::new().entity("to").i16("urgency");
    let fields = Fields::new().entity("first").list("all", FieldType::Record(order));
    fields.record("at", Fields::new().f32("x").entity("by"))
}

/// Returns the values of fields that name these entities.
fn order(first: Entity, all: &[Entity], by: Entity) -> [FieldValue; 3] {
    let record = |to: &Entity| FieldValue::Record(vec![(*to).into(), 2_i16.into()]);
    let all = all.iter().map(record).collect();
    [first.into(), FieldValue::List(all), FieldValue::Record(vec![1.0_f32.into(), by.into()])]
}

fn spawn<const N: usize>(world: &mut World) -> [Entity; N] {
    [(); N].map(|()| world.spawn_empty().id())
}

fn field(world: &World, kind: Kind, entity: Entity, path: &str) -> FieldValue {
    world.kind_value(kind, entity).unwrap().field(path).unwrap()
}

#[test]
fn values_of_other_types_and_counts_are_refused_at_any_depth() {
    let mut world = World::new();
    let kind = world.define("Order", order_fields()).unwrap();
    let [a, b] = spawn(&mut world);
    let right = order(a, &[b], b);
    let mut error = |values: &[FieldValue]| {
        let error = world.insert_fields(kind, a, values).unwrap_err();
        error.to_string().replace("no `Order` was read: ", "")
    };
    let [first, all, at] = right.clone();
    let many = [first.clone(), all.clone(), at.clone(), 1_u8.into()];
    assert_eq!(error(&many), "it has 3 fields, and 4 values are given");
    let listed = |value: FieldValue| FieldValue::List(vec![value]);
    let wrong = "`all`: expected a value of the type `record`, not `u8`";
    assert_eq!(error(&[first.clone(), listed(1_u8.into()), at.clone()]), wrong);
    let few = listed(FieldValue::Record(vec![a.into()]));
    assert_eq!(
        error(&[first.clone(), few, at.clone()]),
        "`all`: it has 2 fields, and 1 values are given"
    );
    let wrong = "`at`: `by`: expected a value of the type `Option<Entity>`, not `String`";
    let other = FieldValue::Record(vec![1.0_f32.into(), "b".into()]);
    assert_eq!(error(&[first, all, other]), wrong);
    world.insert_fields(kind, a, &right).unwrap();
    assert!(world.set_field(kind, a, "all", listed(1_u8.into())).is_err());
    assert!(world.set_field(kind, a, "at", FieldValue::Record(vec![1.0_f32.into()])).is_err());
    assert!(world.set_field(kind, a, "at.x.y", 1.0_f32).is_err());
    world.check_invariants();
    assert_eq!(field(&world, kind, a, "all"), right[1]);
}

#[test]
fn fields_of_records_count_and_records_are_as_deep_as_lists() {
    let mut world = World::new();
    let many = |count: usize| (0..count).fold(Fields::new(), |all, at| all.u8(&format!("a{at}")));
    let both = Fields::new().record("one", many(600)).record("other", many(600));
    assert_eq!(world.define("Many", both), Err(DefineError::TooMany("other.a398".into())));
    assert!(world.define("Most", many(1_000)).is_ok());
    let in_lists =
        |count: usize| (0..count).fold(FieldType::U8, |inner, _| FieldType::List(Box::new(inner)));
    assert!(world.define("Deep", Fields::new().field("a", in_lists(16))).is_ok());
    let record = Fields::new().field("b", in_lists(9));
    let mixed = (0..8).fold(record, |inner, _| Fields::new().record("a", inner));
    assert!(matches!(world.define("Deeper", mixed), Err(DefineError::TooDeep(_))));
    for wrong in ["a-b", "a b", "ab!"] {
        assert_eq!(
            world.define("Wrong", Fields::new().u8(wrong)),
            Err(DefineError::WrongName(wrong.into()))
        );
    }
}

#[derive(Component, Default)]
struct Typed(u8);

#[test]
fn names_with_modules_are_shown_without_them_and_full_names_are_taken() {
    let mut world = World::new();
    let [a] = spawn(&mut world);
    let kind = world.define("game::magic::Spell", Fields::new().u8("power")).unwrap();
    world.insert_kind_default(kind, a).unwrap();
    assert_eq!(format!("{:?}", world.kind_value(kind, a).unwrap()), "Spell { power: 0 }");
    _ = world.pool_mut::<Typed>();
    let full = std::any::type_name::<Typed>();
    assert_eq!(world.define(full, Fields::new()), Err(DefineError::Taken(full.to_owned(), full)));
}

#[test]
fn copies_of_an_entity_have_all_its_values() {
    let mut world = World::new();
    let kind = world.define("Order", order_fields()).unwrap();
    let [a, b] = spawn(&mut world);
    world.insert_fields(kind, a, &order(b, &[a, b], b)).unwrap();
    let copies = world.spawn_copies(a, 5).unwrap();
    world.check_invariants();
    for copy in copies {
        // A copy names itself where the original does.
        assert_eq!(field(&world, kind, copy, "all"), order(b, &[copy, b], b)[1]);
    }
    assert_eq!(world.kind_entities(kind).len(), 6);
}

#[test]
fn a_world_becomes_a_copy_of_one_with_other_fields() {
    let mut world = World::new();
    let kind = world.define("Twice", Fields::new().u8("a").text("b")).unwrap();
    let [a, b] = spawn(&mut world);
    world.insert_fields(kind, a, &[1_u8.into(), "2".into()]).unwrap();
    let old = world.try_clone().unwrap();
    // Equally many columns, of other types.
    let changes = Redefinition::new().convert("a", FieldType::F64).convert("b", FieldType::I8);
    let later = world.redefine(kind, &changes).unwrap();
    world.insert_fields(later, b, &[3.0_f64.into(), 4_i8.into()]).unwrap();
    let shown = |world: &World, entity| format!("{:?}", world.kind_value(kind, entity).unwrap());
    let mut copy = old.try_clone().unwrap();
    copy.copy_from(&world).unwrap();
    copy.check_invariants();
    assert_eq!(
        [a, b].map(|it| shown(&copy, it)),
        ["Twice { a: 1.0, b: 2 }", "Twice { a: 3.0, b: 4 }"]
    );
    // Equal columns, with other values.
    world.set_field(later, a, "a", 9.0_f64).unwrap();
    copy.copy_from(&world).unwrap();
    assert_eq!(shown(&copy, a), "Twice { a: 9.0, b: 2 }");
    copy.copy_from(&old).unwrap();
    copy.check_invariants();
    assert_eq!(
        (shown(&copy, a), copy.kind("Twice")),
        ("Twice { a: 1, b: \"2\" }".into(), Ok(kind))
    );
}

#[test]
fn memory_of_columns_is_counted_and_freed() {
    let mut world = World::new();
    let kind = world.define("Heavy", Fields::new().f64("x").u64("y").text("of")).unwrap();
    let entities: Vec<Entity> = (0..1_000).map(|_| world.spawn_empty().id()).collect();
    for entity in &entities {
        world.insert_kind_default(kind, *entity).unwrap();
    }
    let of = |world: &World| world.kind_memory_usage(kind).values;
    let all = 1_000 * (8 + 8 + size_of::<String>());
    assert!((all..2 * all + 1_000).contains(&of(&world)), "{}", of(&world));
    world.despawn_batch(&entities[10..]);
    world.shrink_to_fit();
    assert!(of(&world) < 2_000, "{}", of(&world));
    world.check_invariants();
}

/// The edits of an observer of a removal: to an entity that is about to end, and to another one.
#[test]
fn an_observer_edits_entities_that_end_like_by_a_type() {
    let mut world = World::new();
    let kind = world.define("Order", order_fields()).unwrap();
    let [a, b] = spawn(&mut world);
    world.insert(a, Typed(1)).unwrap();
    let counts: [Arc<AtomicUsize>; 2] = Default::default();
    let [ended, other] = counts.each_ref().map(Arc::clone);
    world.on_remove::<Typed>(move |world, entity| {
        let values = order(b, &[], b);
        let results = [entity, b].map(|it| world.insert_fields(kind, it, &values).is_ok());
        ended.fetch_add(usize::from(results[0]), Ordering::Relaxed);
        other.fetch_add(usize::from(results[1]), Ordering::Relaxed);
        world.check_invariants();
    });
    world.despawn(a).unwrap();
    world.check_invariants();
    assert_eq!(world.kind_entities(kind), [b]);
    assert_eq!(counts[0].load(Ordering::Relaxed), 0, "it is about to end");
    assert_eq!(counts[1].load(Ordering::Relaxed), 1);
    // An entity that only loses the component gets another one.
    let [c] = spawn(&mut world);
    world.insert(c, Typed(1)).unwrap();
    world.remove::<Typed>(c).unwrap();
    world.check_invariants();
    assert_eq!(world.kind_entities(kind), [b, c]);
}

#[test]
fn a_world_without_values_of_a_definition_merges_whatever_its_fields_are() {
    let [mut world, mut other] = [World::new(), World::new()];
    world.define("Merged", Fields::new().u8("a")).unwrap();
    let kind = other.define("Merged", Fields::new().u16("b")).unwrap();
    other.spawn(Typed(3));
    world.merge(&mut other).unwrap();
    world.check_invariants();
    let [there] = spawn(&mut other);
    other.insert_kind_default(kind, there).unwrap();
    assert!(world.merge(&mut other).is_err() && other.is_alive(there));
}

#[test]
fn values_taken_out_before_several_changes_are_converted_by_all_of_them() {
    let mut world = World::new();
    let mut kind = world.define("Changed", Fields::new().u8("a").u8("b").u8("c")).unwrap();
    let entities: [Entity; 3] = spawn(&mut world);
    let mut taken = Vec::new();
    let changes = [
        Redefinition::new().drop("a").convert("b", FieldType::Text),
        Redefinition::new().convert("b", FieldType::I64).add("d", FieldType::Bool, true),
    ];
    for (at, entity) in entities.into_iter().enumerate() {
        let number = FieldValue::from(u8::try_from(at).unwrap());
        let values = match at {
            0 => vec![9_u8.into(), number.clone(), 7_u8.into()],
            1 => vec!["1".into(), 7_u8.into()],
            _ => vec![2_i64.into(), 7_u8.into(), true.into()],
        };
        world.insert_fields(kind, entity, &values).unwrap();
        taken.push(world.take_kind(kind, entity).unwrap());
        if let Some(change) = changes.get(at) {
            kind = world.redefine(kind, change).unwrap();
        }
    }
    for (value, entity) in taken.into_iter().zip(entities) {
        world.insert_value(entity, value).unwrap();
    }
    world.check_invariants();
    let shown: Vec<String> =
        entities.iter().map(|it| format!("{:?}", world.kind_value(kind, *it).unwrap())).collect();
    let expected = [0, 1, 2].map(|b| format!("Changed {{ b: {b}, c: 7, d: true }}"));
    assert_eq!(shown, expected);
}

#[test]
fn a_renamed_field_of_a_record_keeps_its_place() {
    let mut world = World::new();
    let at = Fields::new().u8("x").u8("y");
    let kind = world.define("Placed", Fields::new().u8("a").record("at", at)).unwrap();
    let [a] = spawn(&mut world);
    let values = [1_u8.into(), FieldValue::Record(vec![2_u8.into(), 3_u8.into()])];
    world.insert_fields(kind, a, &values).unwrap();
    let kind = world.redefine(kind, &Redefinition::new().rename("at.y", "z")).unwrap();
    let shown = |kind| format!("{:?}", world.kind_value(kind, a).unwrap());
    assert_eq!(shown(kind), "Placed { a: 1, at: _ { x: 2, z: 3 } }");
    let kind = world.redefine(kind, &Redefinition::new().drop("at.x").rename("at", "to")).unwrap();
    assert_eq!(
        format!("{:?}", world.kind_value(kind, a).unwrap()),
        "Placed { a: 1, to: _ { z: 3 } }"
    );
}

#[test]
fn lists_are_converted_if_their_values_are() {
    let mut world = World::new();
    let list = |of| FieldType::List(Box::new(of));
    let kind = world.define("Numbers", Fields::new().list("all", FieldType::U16)).unwrap();
    let [a] = spawn(&mut world);
    world.insert_fields(kind, a, &[vec![1_u16, 300].into()]).unwrap();
    let to = |of| Redefinition::new().convert("all", list(of));
    assert!(matches!(
        world.redefine(kind, &to(FieldType::Entity)),
        Err(DefineError::WrongValue(..))
    ));
    assert!(matches!(world.redefine(kind, &to(FieldType::U8)), Err(DefineError::NotConverted(..))));
    let kind = world.redefine(kind, &to(FieldType::Text)).unwrap();
    assert_eq!(field(&world, kind, a, "all"), vec!["1", "300"].into());
}

#[cfg(feature = "serde")]
mod saved {
    use super::*;
    use crate::counting::most_bytes;
    use crate::saves::bytes_of;
    use ecs::save::{Delta, Limits, WorldSeed};
    use serde::de::DeserializeSeed;
    use serde::de::value::{Error, MapDeserializer};

    #[test]
    fn handles_in_all_fields_are_named_by_a_save() {
        let mut world = World::new();
        let kind = world.define("Order", order_fields()).unwrap();
        let [a, b, c, d] = spawn(&mut world);
        world.insert_fields(kind, a, &order(b, &[c], d)).unwrap();
        assert_eq!(world.save().named_entities().unwrap(), [b, c, d]);
        // Values that name entities of one world do not come to another one.
        let value = world.take_kind(kind, a).unwrap();
        let mut other = World::new();
        other.define("Order", order_fields()).unwrap();
        let there = other.spawn_empty().id();
        assert_eq!(other.insert_value(there, value).unwrap_err().1, KindError::OtherWorld);
    }

    #[test]
    fn a_kind_whose_only_handles_are_in_lists_holds_entities() {
        let mut world = World::new();
        let lists = FieldType::List(Box::new(FieldType::List(Box::new(FieldType::Entity))));
        let kind = world.define("Grid", Fields::new().field("rows", lists)).unwrap();
        let [a, b] = spawn(&mut world);
        let rows = |to: Entity| FieldValue::from(vec![vec![to], vec![]]);
        world.insert_fields(kind, a, &[rows(b)]).unwrap();
        assert!(kind.holds_entities());
        assert_eq!(world.save().named_entities().unwrap(), [b]);
        let mut other = World::new();
        spawn::<5>(&mut other);
        let copies = other.spawn_copies_of(&world, 1).unwrap();
        assert_eq!(field(&other, kind, copies[0], "rows"), rows(copies[1]));
    }

    #[test]
    fn a_delta_finds_a_difference_at_any_depth() {
        let mut world = World::new();
        let kind = world.define("Order", order_fields()).unwrap();
        let tag = world.define("Plain", Fields::new()).unwrap();
        let [a, b, c] = spawn(&mut world);
        world.insert_fields(kind, a, &order(b, &[c], b)).unwrap();
        world.insert_fields(tag, a, &[]).unwrap();
        let old = world.try_clone().unwrap();
        assert!(Delta::between(&old, &world).unwrap().is_empty());
        let urgent = FieldValue::List(vec![FieldValue::Record(vec![c.into(), 3_i16.into()])]);
        for (path, value) in [("all", urgent), ("at.by", c.into()), ("at.x", (-1.0_f32).into())] {
            let mut new = world.try_clone().unwrap();
            new.set_field(kind, a, path, value).unwrap();
            let delta = Delta::between(&old, &new).unwrap();
            let mut applied = old.try_clone().unwrap();
            applied.apply_delta(delta.as_bytes(), &Limits::default()).unwrap();
            assert!(!delta.is_empty() && bytes_of(&applied) == bytes_of(&new), "{path}");
        }
    }

    /// The columns of both versions have values that are equal by accident.
    #[test]
    fn a_delta_between_versions_compares_no_columns() {
        let mut old = World::new();
        let kind = old.define("Accident", Fields::new().u8("a").u8("b")).unwrap();
        let [a] = spawn(&mut old);
        old.insert_fields(kind, a, &[1_u8.into(), 2_u8.into()]).unwrap();
        let mut new = old.try_clone().unwrap();
        let changes = Redefinition::new().drop("a");
        let later = new.redefine(kind, &changes).unwrap();
        new.set_field(later, a, "b", 1_u8).unwrap();
        let delta = Delta::between(&old, &new).unwrap();
        old.redefine(kind, &changes).unwrap();
        old.apply_delta(delta.as_bytes(), &Limits::default()).unwrap();
        assert_eq!(field(&old, later, a, "b"), 1_u8.into());
    }

    #[test]
    fn a_veto_is_there_after_a_load() {
        let mut world = World::new();
        let kind = world.define("Curse", Fields::new().u8("days")).unwrap();
        let [a] = spawn(&mut world);
        world.insert_fields(kind, a, &[1_u8.into()]).unwrap();
        let bytes = bytes_of(&world);
        let is_over = |value: ecs::by_name::Value<'_>| value.field("days") == Some(0_u8.into());
        world.set_kind_veto(kind, is_over).unwrap();
        let mut read = world.read(&bytes, &Limits::default()).unwrap().0;
        world.load(&bytes, &Limits::default()).unwrap();
        for world in [&mut world, &mut read] {
            assert!(world.remove_kind(kind, a).is_err() && world.despawn(a).is_err());
            assert_eq!(world.despawn_batch(&[a]), 0);
            world.set_field(kind, a, "days", 0_u8).unwrap();
            world.despawn(a).unwrap();
        }
    }

    #[test]
    fn formats_may_write_the_numbers_or_bytes_of_field_names() {
        let mut world = World::new();
        let kind = world.define("Numbered", Fields::new().u8("a").u8("b")).unwrap();
        let [a] = spawn(&mut world);
        let numbered =
            MapDeserializer::<_, Error>::new([(1_u64, 7_u8), (0, 6), (2, 5)].into_iter());
        world.insert_kind(kind, a, numbered).unwrap();
        let shown = |world: &World| format!("{:?}", world.kind_value(kind, a).unwrap());
        assert_eq!(shown(&world), "Numbered { a: 6, b: 7 }");
        let named: [(&[u8], u8); 3] = [(b"b", 1), (b"c", 3), (b"a", 2)];
        let named = MapDeserializer::<_, Error>::new(named.into_iter());
        world.insert_kind(kind, a, named).unwrap();
        assert_eq!(shown(&world), "Numbered { a: 2, b: 1 }");
    }

    #[test]
    fn values_of_an_earlier_version_are_paid_for_in_the_fields_that_they_get() {
        let count = 2_000;
        let mut world = World::new();
        let kind = world.define("Grown", Fields::new().u8("a")).unwrap();
        for _ in 0..count {
            let [entity] = spawn(&mut world);
            world.insert_kind_default(kind, entity).unwrap();
        }
        let bytes = bytes_of(&world);
        let mut later = World::new();
        let kind = later.define("Grown", Fields::new().u8("a")).unwrap();
        let grown = (0..100).fold(Redefinition::new(), |changes, at| {
            changes.add(&format!("b{at}"), FieldType::F64, 0.0_f64)
        });
        later.redefine(kind, &grown).unwrap();
        let limit = count * 100 * size_of::<f64>();
        let mut error = String::new();
        let limits = Limits::default().memory(limit);
        let most = most_bytes(|| error = later.read(&bytes, &limits).unwrap_err().to_string());
        assert!(error.ends_with("it takes more memory than the limit"), "{error}");
        assert!(most < limit, "{most} bytes of {limit}");
        assert!(later.read(&bytes, &Limits::default()).is_ok());
    }

    /// The hash of fields in files.
    fn fnv(text: &str) -> String {
        let mix = |hash: u32, byte: u8| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
        text.bytes().fold(0x811c_9dc5, mix).to_string()
    }

    #[test]
    fn fields_of_files_have_the_names_of_fields() {
        let mut world = World::new();
        let kind = world.define("Odd", Fields::new().u8("a_b")).unwrap();
        let [a] = spawn(&mut world);
        world.insert_kind_default(kind, a).unwrap();
        let text = serde_json::to_string(&world.save().with_definitions()).unwrap();
        let read = |text: &str| {
            let (empty, limits) = (World::new(), Limits::default().keep_unknown());
            let mut from = serde_json::Deserializer::from_str(text);
            WorldSeed::new(&empty, &limits).deserialize(&mut from).map(drop)
        };
        assert!(text.contains(&fnv("{a_b:u8;}")));
        read(&text).unwrap();
        for (name, is_read) in [("a_c", true), ("a b", false), ("1a", false)] {
            let other = text.replace("a_b", name);
            assert!(read(&other).is_err(), "the hash is another one");
            let hashed = other.replace(&fnv("{a_b:u8;}"), &fnv(&format!("{{{name}:u8;}}")));
            assert_eq!(read(&hashed).is_ok(), is_read, "{name}");
        }
    }

    #[test]
    fn files_of_each_version_go_on_from_their_own() {
        let fields = || Fields::new().u8("a").u8("b").u8("c");
        let changes = [
            Redefinition::new().drop("a").add("d", FieldType::U16, 4_u16),
            Redefinition::new().drop("b").rename("d", "e"),
        ];
        let mut reader = World::new();
        let mut last = reader.define("Aged", fields()).unwrap();
        for changes in &changes {
            last = reader.redefine(last, changes).unwrap();
        }
        let mut writer = World::new();
        let mut kind = writer.define("Aged", fields()).unwrap();
        let [a] = spawn(&mut writer);
        writer.insert_fields(kind, a, &[1_u8.into(), 2_u8.into(), 3_u8.into()]).unwrap();
        for (at, c) in [3_u8, 33, 133].into_iter().enumerate() {
            writer.set_field(kind, a, "c", c).unwrap();
            let e = if at == 0 { 4 } else { 70 + u16::from(c) };
            if let Some(path) = ["d", "e"].get(at.wrapping_sub(1)) {
                writer.set_field(kind, a, path, e).unwrap();
            }
            let json = serde_json::to_string(&writer.save()).unwrap();
            let mut from = serde_json::Deserializer::from_str(&json);
            let of_text = reader.read_from(&mut from).unwrap().0;
            let of_bytes = reader.read(&bytes_of(&writer), &Limits::default()).unwrap().0;
            for read in [of_text, of_bytes] {
                let found = format!("{:?}", read.kind_value(last, a).unwrap());
                assert_eq!(found, format!("Aged {{ c: {c}, e: {e} }}"));
            }
            if let Some(changes) = changes.get(at) {
                kind = writer.redefine(kind, changes).unwrap();
            }
        }
    }

    #[test]
    fn lists_of_many_values_are_paid_for_together() {
        let mut world = World::new();
        let record = Fields::new().u8("a").u8("b");
        let kind = world.define("Lists", Fields::new().list("all", FieldType::Record(record)));
        let kind = kind.unwrap();
        let one = FieldValue::Record(vec![0_u8.into(), 0_u8.into()]);
        let (count, len) = (100, 100);
        for _ in 0..count {
            let [entity] = spawn(&mut world);
            let all = FieldValue::List(vec![one.clone(); len]);
            world.insert_fields(kind, entity, &[all]).unwrap();
        }
        // A list, and a record in it, which has two values.
        let memory = count * len * 3 * size_of::<FieldValue>();
        let (bytes, json) = (bytes_of(&world), serde_json::to_string(&world.save()).unwrap());
        let read = |memory: usize| {
            let limits = Limits::default().memory(memory);
            let mut from = serde_json::Deserializer::from_str(&json);
            let of_text = WorldSeed::new(&world, &limits).deserialize(&mut from);
            [of_text.is_ok(), world.read(&bytes, &limits).is_ok()]
        };
        assert_eq!(read(memory * 4 / 5), [false; 2]);
        assert_eq!(read(3 * memory), [true; 2]);
    }

    /// A part that says that its values are plain bytes, and whose component has other fields, too.
    #[test]
    fn values_that_are_no_numbers_are_not_read_as_bytes() {
        let mut world = World::new();
        let kind = world.define("Unplain", Fields::new().u8("a").bool("b")).unwrap();
        for _ in 0..3 {
            let [entity] = spawn(&mut world);
            world.insert_kind_default(kind, entity).unwrap();
        }
        let bytes = bytes_of(&world);
        for at in 0..bytes.len() {
            for bit in 0..8 {
                let mut changed = bytes.clone();
                changed[at] ^= 1 << bit;
                if let Ok((read, _)) = world.read(&changed, &Limits::default()) {
                    read.check_invariants();
                }
                // One byte is left for each value.
                changed.drain(changed.len() - 3..);
                changed.extend([0, 0]);
                if let Ok((read, _)) = world.read(&changed, &Limits::default()) {
                    read.check_invariants();
                }
            }
        }
    }
}
