//! A million entities of two components as tables: medians of rounds that take each form in turn. Times are those on a
//! processor, so other programs that run meanwhile are left out.
//!
//! ```sh
//! tables/figures
//! ```
//!
//! With `ECS_PYTHON`, a Python that has pyarrow, the same table is written by pyarrow in each round.

use ecs::by_name::{Fields, KindQuery};
use ecs::save::Limits;
use ecs::{Component, World};
use ecs_tables::{Columns, Table};
use serde::{Deserialize, Serialize};
use std::hint::black_box;
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use std::{env, fs};

#[derive(Component, Serialize, Deserialize, Clone, Copy)]
#[component(save = "Velocity")]
struct Velocity {
    x: f32,
    y: f32,
    z: f32,
}
#[derive(Component, Serialize, Deserialize, Clone, Copy)]
struct Health(u64);

/// The rounds of one form.
#[derive(Default)]
struct Times(Vec<Duration>);

impl Times {
    /// Adds a round: the average of this many times.
    fn time<R>(&mut self, repeats: u32, mut run: impl FnMut() -> R) {
        let before = on_processor();
        for _ in 0..repeats {
            black_box(run());
        }
        self.0.push(on_processor().saturating_sub(before) / repeats);
    }

    fn median(&self) -> Duration {
        let mut times = self.0.clone();
        times.sort();
        times[times.len() / 2]
    }

    /// Returns the median of the ratios within a round.
    fn over(&self, other: &Self) -> f64 {
        let ratio = |(a, b): (&Duration, &Duration)| a.as_secs_f64() / b.as_secs_f64();
        let mut ratios: Vec<f64> = self.0.iter().zip(&other.0).map(ratio).collect();
        ratios.sort_by(f64::total_cmp);
        ratios[ratios.len() / 2]
    }
}

/// Returns the time that this thread was on a processor, as Linux counts it.
fn on_processor() -> Duration {
    let counts = fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let first = counts.split(' ').next().and_then(|nanos| nanos.parse().ok());
    Duration::from_nanos(first.expect("measured on Linux"))
}

/// Returns the time in which pyarrow writes the table in this file.
fn pyarrow(python: &Path, file: &Path) -> Duration {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/parquet.py");
    let output = Command::new(python).arg(script).arg(file).output().expect("Python starts");
    let printed = String::from_utf8_lossy(&output.stdout);
    let nanos = printed.trim().parse();
    let nanos = nanos.unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)));
    Duration::from_nanos(nanos)
}

fn main() {
    // Cargo passes this when it measures, and not when it tests.
    let is_measured = env::args().any(|it| it == "--bench");
    let (rounds, count) = if is_measured { (7, 1_000_000_u32) } else { (1, 1_000) };
    // A tick of the processor's clock may be four milliseconds.
    let many = if is_measured { 50 } else { 1 };
    let mut world = World::new();
    world.spawn_batch((0..count).map(|at| {
        let [x, y] = [at / 1_000, at % 1_000].map(|it| f32::from(u16::try_from(it).unwrap()));
        (Velocity { x, y, z: 0.5 }, Health(at.into()))
    }));
    let mut defined = World::new();
    let fields = Fields::new().f32("x").f32("y").f32("z");
    let query = KindQuery::new().read(defined.define("Velocity", fields).unwrap());
    let saved = world.save().leave_out_rest().to_vec().unwrap();
    defined.load(&saved, &Limits::default()).unwrap();
    let velocities = world.pool::<Velocity>().as_slice();
    let columns = Columns::of::<Velocity>().unwrap();
    let file = env::temp_dir().join(format!("ecs_tables_{}.parquet", std::process::id()));
    let python = env::var_os("ECS_PYTHON").filter(|_| is_measured);

    let [mut copy, mut plain, mut numbers, mut both] = [const { Times(Vec::new()) }; 4];
    let [mut parquet, mut by_pyarrow, mut csv, mut back] = [const { Times(Vec::new()) }; 4];
    let [mut by_type, mut by_name, mut spawned, mut spawned_by_name] =
        [const { Times(Vec::new()) }; 4];
    let floats = Table::of_kinds(&defined, &query).unwrap();
    assert_eq!(floats, Table::of(world.view::<&Velocity>()).unwrap());
    let table = Table::of(world.view::<(&Velocity, &Health)>()).unwrap();
    let (mut parquet_bytes, mut csv_bytes) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        copy.time(many, || velocities.to_vec());
        plain.time(many, || Table::of_records(&columns, velocities).unwrap());
        numbers.time(1, || Table::of(world.view::<&Health>()).unwrap());
        both.time(1, || Table::of(world.view::<(&Velocity, &Health)>()).unwrap());
        by_type.time(1, || Table::of(world.view::<&Velocity>()).unwrap());
        by_name.time(1, || Table::of_kinds(&defined, &query).unwrap());
        spawned.time(1, || floats.spawn::<(&Velocity,)>(&mut World::new()).unwrap());
        spawned_by_name.time(1, || floats.spawn_kinds(&mut World::new(), &query).unwrap());
        parquet.time(1, || {
            parquet_bytes.clear();
            table.write_parquet(&mut parquet_bytes).unwrap();
        });
        if let Some(python) = &python {
            fs::write(&file, &parquet_bytes).unwrap();
            by_pyarrow.0.push(pyarrow(Path::new(python), &file));
        }
        csv.time(1, || {
            csv_bytes.clear();
            table.write_csv(&mut csv_bytes).unwrap();
        });
        let from = bytes::Bytes::from(parquet_bytes.clone());
        back.time(1, || {
            let read = Table::read_parquet(from.clone()).unwrap();
            read.spawn::<(&Velocity, &Health)>(&mut World::new()).unwrap()
        });
    }
    drop(fs::remove_file(file));

    let print = |what: &str, times: &Times| println!("{what:<54} {:>8.2?}", times.median());
    println!("{count} entities, medians of {rounds} rounds");
    print("values of three floats, copied", &copy);
    print("the same, as a table", &plain);
    println!("    {:.2} × the copy", plain.over(&copy));
    print("a column of handles, one of numbers", &numbers);
    print("the same, and three columns of coordinates", &both);
    print("handles and three floats of a type", &by_type);
    print("the same of a component without a type", &by_name);
    print("entities of that table, with a component of a type", &spawned);
    print("the same with a component without a type", &spawned_by_name);
    print("this table as Parquet", &parquet);
    println!("    {} bytes", parquet_bytes.len());
    if python.is_some() {
        let sums = both.0.iter().zip(&parquet.0).map(|(table, file)| *table + *file);
        let whole = Times(sums.collect());
        print("this table as Parquet, by pyarrow", &by_pyarrow);
        println!("    making the table: {:.2} × pyarrow's time", both.over(&by_pyarrow));
        println!("    from the world to Parquet: {:.2} ×", whole.over(&by_pyarrow));
    }
    print("from Parquet to entities", &back);
    print("this table as CSV", &csv);
    println!("    {} bytes", csv_bytes.len());
}
