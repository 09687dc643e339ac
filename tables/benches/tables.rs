//! A million entities of two components as tables: what each form takes, the least of 5 rounds.
//!
//! ```sh
//! cargo bench -p ecs_tables
//! ```

use ecs::{Component, World};
use ecs_tables::{Columns, Table};
use serde::{Deserialize, Serialize};
use std::hint::black_box;
use std::time::{Duration, Instant};

#[derive(Component, Serialize, Deserialize, Clone, Copy)]
struct Velocity {
    x: f32,
    y: f32,
    z: f32,
}
#[derive(Component, Serialize, Deserialize, Clone, Copy)]
struct Health(u64);

fn least<R>(rounds: u32, mut run: impl FnMut() -> R) -> Duration {
    let times = (0..rounds).map(|_| {
        let start = Instant::now();
        let made = black_box(run());
        let took = start.elapsed();
        drop(made);
        took
    });
    times.min().expect("there is a round")
}

fn main() {
    // Cargo says so when it measures, and not when it tests.
    let is_measured = std::env::args().any(|it| it == "--bench");
    let (rounds, count) = if is_measured { (5, 1_000_000_u32) } else { (1, 1_000) };
    let mut world = World::new();
    world.spawn_batch((0..count).map(|at| {
        let [x, y] = [at / 1_000, at % 1_000].map(|it| f32::from(u16::try_from(it).unwrap()));
        (Velocity { x, y, z: 0.5 }, Health(at.into()))
    }));
    let mut bytes = Vec::new();
    let velocities = world.pool::<Velocity>().as_slice();
    let copied = least(rounds, || velocities.to_vec());
    let columns = Columns::of::<Velocity>().unwrap();
    let plain = least(rounds, || Table::of_records(&columns, velocities).unwrap());
    let one = least(rounds, || Table::of(world.view::<&Health>()).unwrap());
    let both = least(rounds, || Table::of(world.view::<(&Velocity, &Health)>()).unwrap());
    let table = Table::of(world.view::<(&Velocity, &Health)>()).unwrap();
    let mut written = |write: fn(&Table, &mut Vec<u8>)| {
        let took = least(rounds, || {
            bytes.clear();
            write(&table, &mut bytes);
        });
        (took, bytes.len())
    };
    let (parquet, of_parquet) = written(|table, bytes| table.write_parquet(bytes).unwrap());
    let mut parquet_bytes = Vec::new();
    table.write_parquet(&mut parquet_bytes).unwrap();
    let (csv, of_csv) = written(|table, bytes| table.write_csv(bytes).unwrap());
    println!("{count} values of three floats, copied: {copied:.2?}; as a table: {plain:.2?}");
    println!("{count} entities; a column of handles, and one of numbers: {one:.2?}");
    println!("the same, and three columns of coordinates: {both:.2?}");
    println!("this table as Parquet: {parquet:.2?}, {of_parquet} bytes");
    let back = least(rounds, || {
        let read = Table::read_parquet(bytes::Bytes::from(parquet_bytes.clone())).unwrap();
        read.spawn::<(&Velocity, &Health)>(&mut World::new()).unwrap()
    });
    println!("from Parquet to entities: {back:.2?}");
    println!("as CSV: {csv:.2?}, {of_csv} bytes");
}
