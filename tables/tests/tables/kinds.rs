//! Tables of components by name, beside tables of types of the same shapes.

use bytes::Bytes;
use ecs::by_name::{FieldType, FieldValue, Fields, Kind, KindQuery, Redefinition};
use ecs::{ChildOf, Component, Entity, Name, World};
use ecs_tables::arrow_array::record_batch;
use ecs_tables::{Columns, Table};
use serde::{Deserialize, Serialize};

#[derive(Component, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[component(save = "Poison")]
struct Poison {
    damage: f32,
    #[component(entities)]
    by: Option<Entity>,
    at: Place,
    source: String,
    is_slow: bool,
    numbers: Numbers,
}
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Place {
    x: f64,
    inner: Inner,
}
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Inner {
    y: i64,
}
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Numbers {
    a: i8,
    b: i16,
    c: i32,
    d: u8,
    e: u16,
    f: u32,
    g: u64,
}
#[derive(Component, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[component(save = "Path")]
struct Path {
    stops: Vec<Place>,
    #[component(entities)]
    seen: Vec<Option<Entity>>,
    rows: Vec<Vec<u8>>,
}
#[derive(Component, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[component(save = "Slow")]
struct Slow;

fn place() -> Fields {
    Fields::of_type("Place").f64("x").record("inner", Fields::of_type("Inner").i64("y"))
}

/// Defines components of the same shapes as the types. Returns a query that reads all, the last ones where they are.
fn define(world: &mut World) -> KindQuery {
    let numbers = Fields::of_type("Numbers").i8("a").i16("b").i32("c");
    let numbers = numbers.u8("d").u16("e").u32("f").u64("g");
    let poison = Fields::new().f32("damage").entity("by").record("at", place()).text("source");
    let poison = poison.bool("is_slow").record("numbers", numbers);
    let path = Fields::new().list("stops", FieldType::Record(place()));
    let path =
        path.list("seen", FieldType::Entity).list("rows", FieldType::List(Box::new(FieldType::U8)));
    let [poison, path, slow] = [("Poison", poison), ("Path", path), ("Slow", Fields::new())]
        .map(|(name, fields)| world.define(name, fields).unwrap());
    KindQuery::new().read(poison).optional(path).optional(slow)
}

/// The types, and a query of them like the one that [`define`] returns.
type Typed<'a> = (&'a Poison, Option<&'a Path>, Option<&'a Slow>);

fn typed() -> World {
    let mut world = World::new();
    let gone = world.spawn_empty().id();
    let all = world.spawn_batch((0..40_u8).map(|at| {
        let y = -i64::from(at) << 40;
        let at_place = Place { x: f64::from(at) / 3.0, inner: Inner { y } };
        let numbers = Numbers { a: -3, b: -300, c: at.into(), d: at, e: 1, f: 2, g: u64::MAX };
        let source = ["", "a, \"b\"", "bite"][usize::from(at % 3)].to_owned();
        let (damage, is_slow) = (f32::from(at) / 7.0, at % 2 == 0);
        Poison { damage, by: None, at: at_place, source, is_slow, numbers }
    }));
    world.despawn(gone).unwrap();
    for (at, &entity) in all.iter().enumerate() {
        let by = (at % 3 > 0).then(|| all[at * 7 % 40]);
        world.get_mut::<Poison>(entity).unwrap().by = by;
        if at % 4 > 0 {
            let stop = world.get::<Poison>(entity).unwrap().at.clone();
            let path = Path {
                stops: vec![stop; at % 3],
                seen: vec![by; at % 5],
                rows: vec![vec![1, 2]; at % 2],
            };
            world.insert(entity, path).unwrap();
        }
        if at % 5 == 0 {
            world.insert(entity, Slow).unwrap();
        }
    }
    world
}

/// Returns a world with these entities, whose components are defined.
fn defined(from: &World) -> (World, KindQuery) {
    let mut world = World::new();
    let query = define(&mut world);
    let bytes = from.save().to_vec().unwrap();
    world.load(&bytes, &ecs::save::Limits::default()).unwrap();
    (world, query)
}

fn table(world: &World, query: &KindQuery) -> Table {
    Table::of_kinds(world, query).unwrap()
}

fn parquet(table: &Table) -> Bytes {
    let mut file = Vec::new();
    table.write_parquet(&mut file).unwrap();
    file.into()
}

/// Returns the values of an entity as texts.
fn values(world: &World, entity: Entity) -> Vec<String> {
    world.kind_values(entity).map(|value| format!("{value:?}")).collect()
}

#[test]
fn a_definition_and_a_type_of_one_shape_have_equal_tables() {
    let typed = typed();
    let (defined, query) = defined(&typed);
    let by_type = Table::of(typed.view::<Typed>()).unwrap();
    let by_name = table(&defined, &query);
    assert_eq!(
        Columns::of_kinds(&query).unwrap(),
        Columns::of_rows::<(Entity, &Poison, Option<&Path>, Option<&Slow>)>().unwrap()
    );
    assert_eq!(by_type, by_name);
    assert_eq!(parquet(&by_type), parquet(&by_name));
    // Types are found by name, too.
    let of_types = typed.kinds_query("Poison, ?Path, ?Slow").unwrap();
    assert_eq!(table(&typed, &of_types), by_type);
}

#[test]
fn files_of_a_type_and_of_a_definition_are_read_by_the_other() {
    let typed = typed();
    let (defined, query) = defined(&typed);
    let [by_type, by_name] = [Table::of(typed.view::<Typed>()).unwrap(), table(&defined, &query)]
        .map(|table| Table::read_parquet(parquet(&table)).unwrap());
    // Other entities have the first indices there.
    let worlds = || {
        [(); 2].map(|()| {
            let mut world = World::new();
            world.spawn_batch((0..9).map(|_| (Name::new("other"),)));
            world
        })
    };
    let [mut a, mut b] = worlds();
    let as_types = by_name.spawn::<Typed>(&mut a).unwrap();
    let by_kinds = by_name.spawn_kinds(&mut b, &query).unwrap();
    assert_eq!(as_types, by_kinds);
    let again = table(&b, &query);
    assert_eq!(Table::of(a.view::<Typed>()).unwrap(), again);
    let [mut c, _] = worlds();
    by_type.spawn_kinds(&mut c, &query).unwrap();
    assert_eq!(table(&c, &query), again);
    for world in [&a, &b, &c] {
        world.check_invariants();
    }
    // The handles name the new entities, and entities lack the components that they lacked before.
    for (at, &entity) in as_types.iter().enumerate() {
        let by = a.get::<Poison>(entity).unwrap().by;
        assert_eq!(by, (at % 3 > 0).then(|| as_types[at * 7 % 40]));
        let value = b.kind_value(query.kinds().next().unwrap(), entity).unwrap();
        assert_eq!(value.field("by"), Some(FieldValue::Entity(by)));
        assert_eq!(
            b.kind_values(entity).count(),
            1 + usize::from(at % 4 > 0) + usize::from(at % 5 == 0)
        );
    }
}

#[test]
fn csv_of_a_definition_is_read_back() {
    let mut world = World::new();
    let poison =
        world.define("Poison", Fields::new().f32("damage").entity("by").text("source")).unwrap();
    for at in 0..5_u8 {
        let entity = world.spawn_empty().id();
        let by = if at > 2 { Some(entity) } else { None };
        let source = ["", "a, \"b\"\n"][usize::from(at % 2)];
        world
            .insert_fields(poison, entity, &[f32::from(at).into(), by.into(), source.into()])
            .unwrap();
    }
    let query = KindQuery::new().read(poison);
    let written = table(&world, &query);
    let mut csv = Vec::new();
    written.write_csv(&mut csv).unwrap();
    let read = Table::read_csv(&*csv, &Columns::of_kinds(&query).unwrap(), &[]).unwrap();
    assert_eq!(read, written);
    let mut other = World::new();
    let entities = read.spawn_kinds(&mut other, &query).unwrap();
    let all = world.entities().zip(entities);
    all.for_each(|(old, new)| assert_eq!(values(&world, old), values(&other, new)));
}

#[test]
fn records_without_names_of_types_are_spread() {
    // Each is within one with a field of the same name.
    let fields = (0..6).fold(Fields::new().u8("a"), |inner, _| Fields::new().record("a", inner));
    let mut world = World::new();
    let deep = world.define("Deep", fields).unwrap();
    let entity = world.spawn_empty().id();
    world.insert_kind_default(deep, entity).unwrap();
    world.set_field(deep, entity, "a.a.a.a.a.a.a", 7_u8).unwrap();
    let query = KindQuery::new().read(deep);
    let written = table(&world, &query);
    assert_eq!(written.column_names(), ["entity", "Deep.a.a.a.a.a.a.a"]);
    let entity = written.spawn_kinds(&mut world, &query).unwrap()[0];
    assert_eq!(world.kind_value(deep, entity).unwrap().field("a.a.a.a.a.a.a"), Some(7_u8.into()));
}

#[test]
fn a_table_of_the_fields_before_is_read_by_the_kind_before() {
    let mut world = World::new();
    let first =
        world.define("Potion", Fields::new().f32("damage").text("strength").u8("age")).unwrap();
    let entity = world.spawn_empty().id();
    world.insert_fields(first, entity, &[2.5_f32.into(), "12".into(), 3_u8.into()]).unwrap();
    let old = table(&world, &KindQuery::new().read(first));

    let changes = Redefinition::new().rename("damage", "harm").convert("strength", FieldType::I32);
    let second = world.redefine(first, &changes).unwrap();
    let changes = Redefinition::new().drop("age").add("colour", FieldType::Text, "green");
    let third = world.redefine(second, &changes).unwrap();
    let refused = |query: &KindQuery| Table::of_kinds(&world, query).unwrap_err().to_string();
    assert_eq!(
        refused(&KindQuery::new().read(first)),
        "`Potion` has other fields here than the query was made for: make the query anew by this world"
    );
    let entities = old.spawn_kinds(&mut world, &KindQuery::new().read(first)).unwrap();
    let shown = format!("{:?}", world.kind_value(third, entities[0]).unwrap());
    assert_eq!(shown, "Potion { harm: 2.5, strength: 12, colour: \"green\" }");
    assert_eq!(shown, format!("{:?}", world.kind_value(third, entity).unwrap()));

    // By the present kind it lacks columns.
    let error = old.spawn_kinds(&mut world, &KindQuery::new().read(third)).unwrap_err().to_string();
    assert_eq!(
        error,
        "there is no column `Potion.harm` among entity, Potion.damage, Potion.strength, Potion.age"
    );
    let wrong = record_batch!(
        ("Potion.damage", Float32, [1.0]),
        ("Potion.strength", Utf8, ["strong"]),
        ("Potion.age", UInt8, [1])
    );
    let wrong = Table::from_batch(&wrong.unwrap()).unwrap();
    let before = world.len();
    let error =
        wrong.spawn_kinds(&mut world, &KindQuery::new().read(first)).unwrap_err().to_string();
    assert_eq!(
        error,
        "row 0: column `Potion`: its field `strength` of an earlier version cannot be converted: \"strong\" becomes no \
         `i32`"
    );
    assert_eq!(world.len(), before);
}

#[derive(Component)]
struct Socket;

#[derive(Component, Serialize, Deserialize)]
#[component(save = "crew", needs(Captain))]
struct Crew(u8);
#[derive(Component, Serialize, Deserialize)]
#[component(save = "captain")]
struct Captain(u8);

#[test]
fn mistakes_are_named_and_leave_the_world_unchanged() {
    let mut world = World::new();
    let poison = world.define("Poison", Fields::new().f32("damage").text("source")).unwrap();
    let query = KindQuery::new().read(poison);
    let columns = |query: &KindQuery| Columns::of_kinds(query).unwrap_err().to_string();
    assert!(
        columns(&KindQuery::new().read(Kind::of::<Socket>())).starts_with("`Socket` is not saved")
    );
    let twice = columns(&query.clone().optional(poison));
    assert_eq!(twice, "the columns of `Poison`: two columns are named `Poison.damage`: rename one");
    let writes = Table::of_kinds(&world, &KindQuery::new().write(poison)).unwrap_err().to_string();
    assert!(writes.starts_with("`Poison` cannot be written here"), "{writes}");

    let mut why = |table: Result<_, _>, query: &KindQuery| {
        let table = Table::from_batch(&table.unwrap()).unwrap();
        let error = table.spawn_kinds(&mut world, query).unwrap_err();
        assert!(world.is_empty());
        error.to_string()
    };
    assert_eq!(
        why(record_batch!(("Poison.damage", Float32, [1.0])), &query),
        "there is no column `Poison.source` among Poison.damage"
    );
    let null = record_batch!(
        ("Poison.damage", Float32, [Some(1.0), None]),
        ("Poison.source", Utf8, ["a", "b"])
    );
    assert_eq!(
        why(null, &query),
        "row 1: column `Poison.damage` is null, and the type holds no null"
    );
    let wrong = record_batch!(("Poison.damage", Utf8, ["much"]), ("Poison.source", Utf8, ["a"]));
    assert_eq!(
        why(wrong, &query),
        "row 0: column `Poison.damage`: invalid type: string \"much\", expected f32"
    );
    let children = KindQuery::new().read(Kind::of::<ChildOf>());
    let rows = |child: [&str; 2]| {
        record_batch!(("entity", Utf8, ["0v1", "1v1"]), ("ChildOf", Utf8, child.to_vec()))
    };
    assert_eq!(
        why(rows(["1v1", "9v1"]), &children),
        "`ChildOf` points to entities that are no rows of the table"
    );
    assert!(
        why(rows(["1v1", "0v1"]), &children).starts_with("row 1: `ChildOf` would close a circle")
    );
    let handles = record_batch!(("ChildOf", Utf8, ["0v1"]));
    assert!(why(handles, &children).starts_with("column `ChildOf` has handles of entities"));
    let crew = KindQuery::new().read(Kind::of::<Crew>());
    assert!(why(record_batch!(("Crew", UInt8, [1])), &crew).contains("needs `Captain`"));
}

#[test]
fn components_of_a_row_are_inserted_together() {
    let batch = record_batch!(("Crew", UInt8, [1]), ("Captain", UInt8, [2])).unwrap();
    let mut world = World::new();
    let query = KindQuery::new().read(Kind::of::<Crew>()).read(Kind::of::<Captain>());
    let entities = Table::from_batch(&batch).unwrap().spawn_kinds(&mut world, &query).unwrap();
    assert_eq!(world.get::<Crew>(entities[0]).unwrap().0, 1);
}

/// A sequence of numbers that is equal for equal seeds.
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % end
    }

    fn fields(&mut self, depth: u64) -> Fields {
        let count = 1 + self.below(4);
        (0..count).fold(Fields::new(), |fields, at| fields.field(&format!("f{at}"), self.ty(depth)))
    }

    fn ty(&mut self, depth: u64) -> FieldType {
        let plain = [
            FieldType::I8,
            FieldType::I64,
            FieldType::U16,
            FieldType::U64,
            FieldType::F32,
            FieldType::F64,
            FieldType::Bool,
            FieldType::Entity,
            FieldType::Text,
        ];
        match self.below(if depth > 0 { 13 } else { 9 }) {
            9 | 10 => FieldType::List(Box::new(self.ty(depth - 1))),
            11 | 12 => FieldType::Record(self.fields(depth - 1)),
            at => plain[usize::try_from(at).unwrap()].clone(),
        }
    }

    #[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "any numbers")]
    fn value(&mut self, ty: &FieldType, entities: &[Entity]) -> FieldValue {
        let number = self.below(1 << 53).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        match ty {
            FieldType::I8 => FieldValue::I8(number as i8),
            FieldType::I64 => FieldValue::I64(number.cast_signed()),
            FieldType::U16 => FieldValue::U16(number as u16),
            FieldType::U64 => FieldValue::U64(number),
            FieldType::F32 => FieldValue::F32(number as f32 / 7.0),
            FieldType::F64 => FieldValue::F64(number as f64 / 7.0),
            FieldType::Bool => (number % 2 == 1).into(),
            FieldType::Text => "ab, \"\n".repeat(number as usize % 3).into(),
            FieldType::Entity => {
                let at = usize::try_from(self.below(entities.len() as u64 + 1)).unwrap();
                FieldValue::Entity(entities.get(at).copied())
            }
            FieldType::List(of) => {
                FieldValue::List((0..self.below(3)).map(|_| self.value(of, entities)).collect())
            }
            FieldType::Record(fields) => {
                let all = fields.iter().map(|(_, ty)| self.value(ty, entities));
                FieldValue::Record(all.collect())
            }
            other => panic!("{other}"),
        }
    }
}

#[test]
fn values_of_any_definition_come_back() {
    let count = std::env::var("ECS_DEFINITIONS").map_or(80, |it| it.parse().expect("a number"));
    for seed in 1..=count {
        let mut random = Random(0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(seed));
        let mut world = World::new();
        let (fields, others) = (random.fields(3), random.fields(2));
        let some = world.define("Some", fields.clone()).unwrap();
        let other = world.define("Other", others.clone()).unwrap();
        let entities: Vec<Entity> = (0..12).map(|_| world.spawn_empty().id()).collect();
        for &entity in &entities {
            let values: Vec<_> = fields.iter().map(|(_, ty)| random.value(ty, &entities)).collect();
            world.insert_fields(some, entity, &values).unwrap();
            if random.below(2) == 0 {
                let values: Vec<_> =
                    others.iter().map(|(_, ty)| random.value(ty, &entities)).collect();
                world.insert_fields(other, entity, &values).unwrap();
            }
        }
        let query = KindQuery::new().read(some).optional(other);
        let written = table(&world, &query);
        let read = Table::read_parquet(parquet(&written)).unwrap();
        // In a new world the entities have the same handles.
        let mut new = World::new();
        let came = read.spawn_kinds(&mut new, &query).unwrap();
        assert_eq!(came, entities);
        for &entity in &entities {
            assert_eq!(values(&new, entity), values(&world, entity), "{seed}: {fields}, {others}");
        }
        let mut csv = Vec::new();
        if written.write_csv(&mut csv).is_ok() {
            let columns = Columns::of_kinds(&query).unwrap();
            assert_eq!(Table::read_csv(&*csv, &columns, &[]).unwrap(), written);
        }
    }
}
