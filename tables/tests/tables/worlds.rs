//! Tables of worlds, and the results of other readers.

use bytes::Bytes;
use ecs::{Component, Entity, Name, Query, World};
use ecs_tables::arrow_array::cast::AsArray;
use ecs_tables::arrow_array::types::{Float32Type, UInt32Type};
use ecs_tables::arrow_array::{Array, RecordBatch};
use ecs_tables::arrow_schema::DataType;
use ecs_tables::{Columns, ParquetWriter, Table};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{self, Write};
use std::process::Command;

#[derive(Component, Serialize, Deserialize, Clone, Copy)]
struct Position {
    x: f32,
    y: f32,
}
#[derive(Component, Serialize, Deserialize, Clone, Copy)]
struct Health(u32);
#[derive(Component, Serialize, Deserialize)]
struct Player;
#[derive(Component, Serialize, Deserialize)]
enum Mood {
    Calm,
    Angry,
}
#[derive(Component, Serialize, Deserialize)]
struct Ship {
    at: Position,
    cargo: Option<Cargo>,
}
#[derive(Serialize, Deserialize)]
struct Cargo {
    tons: u32,
}
#[derive(Component, Serialize, Deserialize)]
struct Route(Vec<u32>);
/// Entities: every third lacks `Health`, and every second is dead.
fn world() -> (World, Vec<Entity>) {
    let mut world = World::new();
    let all: Vec<_> = (0..1_000_u16)
        .map(|number| {
            let x = f32::from(number) / 8.0;
            let mut entity = world.spawn(Position { x, y: -x });
            if number % 3 != 0 {
                entity.insert(Health(number.into()));
            }
            entity.id()
        })
        .collect();
    all.iter().step_by(2).for_each(|&entity| world.despawn(entity).unwrap());
    (world, all.into_iter().skip(1).step_by(2).collect())
}

fn csv(table: &Table) -> String {
    let mut bytes = Vec::new();
    table.write_csv(&mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

/// Returns the batch that a reader finds in the file of Parquet.
fn through_parquet(table: &Table) -> RecordBatch {
    let mut file = Vec::new();
    table.write_parquet(&mut file).unwrap();
    let reader = ParquetRecordBatchReaderBuilder::try_new(Bytes::from(file));
    let mut batches = reader.unwrap().with_batch_size(1 << 20).build().unwrap();
    let batch = batches.next().unwrap().unwrap();
    assert!(batches.next().is_none());
    batch
}

#[test]
fn a_row_is_an_entity_and_a_column_a_field() {
    let (world, alive) = world();
    let table = Table::of(world.view::<(&Position, Option<&Health>)>()).unwrap();
    assert_eq!(table.column_names(), ["entity", "Position.x", "Position.y", "Health"]);
    for batch in [table.batch().clone(), through_parquet(&table)] {
        let entities: Vec<Entity> = match batch.column(0).as_string_opt::<i64>() {
            Some(texts) => texts.iter().map(|text| text.unwrap().parse().unwrap()).collect(),
            None => panic!("{:?}", batch.schema()),
        };
        assert_eq!(entities.len(), alive.len());
        let xs = batch.column(1).as_primitive::<Float32Type>();
        let ys = batch.column(2).as_primitive::<Float32Type>();
        let healths = batch.column(3).as_primitive::<UInt32Type>();
        for (row, &entity) in entities.iter().enumerate() {
            let position = world.get::<Position>(entity).expect("of this world");
            assert_eq!((xs.value(row), ys.value(row)), (position.x, position.y));
            let health = healths.is_valid(row).then(|| healths.value(row));
            assert_eq!(health, world.get::<Health>(entity).map(|health| health.0));
        }
    }
}

#[test]
fn pools_and_entities_are_tables_too() {
    let (world, alive) = world();
    let pool = Table::of(world.pool::<Position>().iter()).unwrap();
    assert_eq!(pool, Table::of(world.view::<&Position>()).unwrap());
    let entities = Table::of(world.view::<Entity>()).unwrap();
    assert_eq!((entities.num_rows(), entities.column_names()), (alive.len(), vec!["entity"]));
}

#[test]
fn nested_values_are_spread_and_missing_ones_are_null() {
    let mut world = World::new();
    let at = Position { x: 1.0, y: 2.5 };
    world.spawn((Ship { at, cargo: Some(Cargo { tons: 7 }) }, Player, Mood::Angry));
    world.spawn((Ship { at, cargo: None }, Mood::Calm, Name::new("Argo, \"fast\"")));
    let table = Table::of(
        world.view::<(&Ship, Option<&Player>, &Mood, Option<&Name>, Option<&Position>)>(),
    );
    assert_eq!(
        csv(&table.unwrap()),
        "entity,Ship.at.x,Ship.at.y,Ship.cargo.tons,Player,Mood,Name,Position.x,Position.y\n\
         0v1,1.0,2.5,7,true,Angry,,,\n\
         1v1,1.0,2.5,,,Calm,\"Argo, \"\"fast\"\"\",,\n"
    );
}

#[test]
fn records_are_what_derived_queries_yield() {
    #[derive(Query, Serialize)]
    struct Hurt<'w> {
        who: Entity,
        health: &'w Health,
        at: Option<&'w Position>,
    }
    let mut world = World::new();
    world.spawn((Health(3), Position { x: 0.5, y: 0.25 }));
    world.spawn(Health(4));
    let mut hurt: Vec<_> = world.view::<Hurt>().into_iter().collect();
    hurt.sort_by_key(|hurt| hurt.who);
    let columns = Columns::new().with::<Entity>("who").unwrap();
    let columns = columns.with::<Health>("health").unwrap();
    let columns = columns.with::<Option<Position>>("at").unwrap();
    let table = Table::of_records(&columns, hurt).unwrap();
    assert_eq!(csv(&table), "who,health,at.x,at.y\n0v1,3,0.5,0.25\n1v1,4,,\n");
}

#[test]
fn lists_fit_into_parquet_and_not_into_csv() {
    let mut world = World::new();
    world.spawn(Route(vec![1, 2, 3]));
    world.spawn(Route(vec![]));
    let table = Table::of(world.view::<&Route>()).unwrap();
    let lists = through_parquet(&table);
    let lists = lists.column(1).as_list::<i64>();
    assert_eq!(lists.value(0).as_primitive::<UInt32Type>().values(), &[1, 2, 3]);
    assert_eq!(lists.value(1).len(), 0);
    let error = table.write_csv(Vec::new()).unwrap_err();
    assert_eq!(error.to_string(), "row 0: column `Route`: CSV has no place for lists");
}

#[test]
fn a_table_of_no_rows_has_its_columns() {
    let table = Table::of(World::new().view::<(&Position, &Health)>()).unwrap();
    assert_eq!((table.num_rows(), table.num_columns()), (0, 4));
    assert_eq!(csv(&table), "entity,Position.x,Position.y,Health\n");
    let mut file = Vec::new();
    table.write_parquet(&mut file).unwrap();
    assert_eq!(Table::read_parquet(Bytes::from(file)).unwrap(), table);
}

#[test]
fn batches_are_the_table_in_parts() {
    let (world, alive) = world();
    let view = || world.view::<(&Position, Option<&Health>)>();
    let columns = Columns::of_rows::<(Entity, &Position, Option<&Health>)>().unwrap();
    let mut file = ParquetWriter::new(Vec::new(), &columns).unwrap();
    let (mut lines, mut sizes) = (b"entity,Position.x,Position.y,Health\n".to_vec(), Vec::new());
    for batch in columns.row_batches(view(), 200) {
        let batch = batch.unwrap();
        assert_eq!(batch.batch().schema(), columns.schema());
        sizes.push(batch.num_rows());
        file.write(&batch).unwrap();
        batch.append_csv(&mut lines).unwrap();
    }
    assert_eq!((alive.len(), sizes), (500, vec![200, 200, 100]));
    let whole = Table::of(view()).unwrap();
    assert_eq!(Table::read_parquet(Bytes::from(file.finish().unwrap())).unwrap(), whole);
    assert_eq!(String::from_utf8(lines).unwrap(), csv(&whole));

    let other = Table::of(world.view::<&Health>()).unwrap();
    assert!(ParquetWriter::new(Vec::new(), &columns).unwrap().write(&other).is_err());
}

#[test]
fn batches_end_with_an_error_that_names_the_row() {
    #[derive(Serialize, Deserialize)]
    struct Line {
        number: u32,
    }
    assert!(Columns::of::<Health>().is_err()); // it is no struct of fields
    let columns = Columns::of::<Line>().unwrap().with_type("number", DataType::UInt8).unwrap();
    let mut batches = columns.batches((0..1000).map(|number| Line { number }), 100);
    assert!(batches.by_ref().take(2).all(|batch| batch.is_ok()));
    let error = batches.next().unwrap().unwrap_err();
    assert_eq!(error.to_string(), "row 256: 256 does not fit column `number` of UInt8");
    assert!(batches.next().is_none());
}

#[test]
fn a_full_disk_is_an_error() {
    struct Full;
    impl Write for Full {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::StorageFull.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let (world, _) = world();
    let table = Table::of(world.view::<&Position>()).unwrap();
    assert!(table.write_csv(Full).is_err() && table.write_parquet(Full).is_err());
}

/// Compares with Python's `pyarrow`, where it is installed.
#[test]
fn another_program_reads_the_file() {
    let python = |script: &str, arguments: &[&str]| {
        let run = Command::new("python3").args(["-c", script]).args(arguments).output();
        run.ok().filter(|run| run.status.success()).map(|run| run.stdout)
    };
    if python("import pyarrow.parquet", &[]).is_none() {
        println!("not tested: there is no python3 with pyarrow here");
        return;
    }
    let (world, _) = world();
    let table = Table::of(world.view::<(&Position, Option<&Health>)>()).unwrap();
    let path = std::env::temp_dir().join(format!("ecs_tables_{}.parquet", std::process::id()));
    table.write_parquet(File::create(&path).unwrap()).unwrap();
    let script = "import sys, pyarrow.parquet as parquet\n\
        for row in parquet.read_table(sys.argv[1]).to_pylist():\n    \
            print(*('' if value is None else value for value in row.values()), sep=',')\n";
    let read = python(script, &[path.to_str().unwrap()]);
    std::fs::remove_file(&path).unwrap();
    let written = csv(&table);
    let (_, written) = written.split_once('\n').unwrap();
    assert_eq!(String::from_utf8(read.expect("pyarrow reads it")).unwrap(), written);
}
