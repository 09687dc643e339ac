//! Damaged files of Parquet and CSV are read, or refused by an error.
//!
//! `ECS_MUTATIONS` says how many of each are tried, `ECS_SEED` chooses others.

use arrow_buffer::OffsetBuffer;
use ecs::{Component, Entity, World};
use ecs_tables::arrow_array::{
    Array, ArrayRef, DictionaryArray, ListArray, RecordBatch, StringArray, StructArray,
    types::Int8Type, types::Int32Type,
};
use ecs_tables::arrow_schema::{DataType, Field};
use ecs_tables::{Columns, Keys, Table};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, Encoding};
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterVersion};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::env;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::SystemTime;

#[derive(Component, Serialize, Deserialize, Debug, PartialEq, Clone)]
struct Ship {
    name: Option<String>,
    tons: u32,
    at: (f32, f64),
    flag: bool,
    cargo: Cargo,
    launched: SystemTime,
    crew: Vec<Sailor>,
    prices: BTreeMap<String, Option<i64>>,
    #[serde(with = "serde_bytes_of")]
    seal: Vec<u8>,
}
#[derive(Serialize, Deserialize, Debug, PartialEq, Clone)]
enum Cargo {
    Empty,
    Coal(u64),
    Animals { kind: String, count: Option<u8> },
}
#[derive(Serialize, Deserialize, Debug, PartialEq, Clone)]
struct Sailor {
    age: Option<u8>,
    friend: Entity,
}
/// Values that CSV has a place for.
#[derive(Component, Serialize, Deserialize, Debug, PartialEq, Clone)]
struct Line {
    name: Option<String>,
    tons: u32,
    less: i8,
    wide: i128,
    at: (f32, f64),
    flag: bool,
    cargo: Cargo,
    launched: SystemTime,
    friend: Entity,
}
/// The dictionaries and lists of other programs, as they are read.
#[derive(Deserialize, Debug)]
#[expect(dead_code, reason = "values are read, and not looked at")]
struct Foreign {
    text: Option<String>,
    list: Option<Vec<Option<String>>>,
    within: Option<Inner>,
}
#[derive(Deserialize, Debug)]
#[expect(dead_code, reason = "values are read, and not looked at")]
struct Inner {
    text: Option<String>,
}

/// Bytes as a binary column.
mod serde_bytes_of {
    use serde::de::{Deserializer, Error, Visitor};
    use serde::ser::Serializer;

    pub(super) fn serialize<S: Serializer>(bytes: &[u8], to: S) -> Result<S::Ok, S::Error> {
        to.serialize_bytes(bytes)
    }

    struct Bytes;

    impl Visitor<'_> for Bytes {
        type Value = Vec<u8>;

        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("bytes")
        }
        fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Vec<u8>, E> {
            Ok(bytes.to_vec())
        }
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u8>, D::Error> {
        from.deserialize_bytes(Bytes)
    }
}

/// Steele, Lea and Flood's `SplitMix64`.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() % end.max(1) as u64).unwrap()
    }
}

/// Damages bytes: flips bits, overwrites with extremes, cuts out, repeats, cuts off, or takes a part of another file.
fn damage(bytes: &mut Vec<u8>, other: &[u8], random: &mut Random) {
    for _ in 0..=random.below(4) {
        let len = bytes.len();
        if len == 0 {
            return;
        }
        let at = random.below(len);
        let end = (at + 1 + random.below(16)).min(len);
        match random.below(10) {
            0..=3 => bytes[at] ^= 1 << random.below(8),
            4 => bytes[at] = [0, 1, 0x7f, 0x80, 0xff][random.below(5)],
            5 => bytes[at..end].fill([0, 0xff, 0x80][random.below(3)]),
            6 => drop(bytes.drain(at..end)),
            7 => {
                let part = bytes[at..end].to_vec();
                let to = random.below(len);
                bytes.splice(to..to, part);
            }
            8 => {
                let from = random.below(other.len());
                let part = &other[from..(from + end - at).min(other.len())];
                bytes.splice(at..end.min(at + part.len()), part.iter().copied());
            }
            _ if random.below(4) == 0 => bytes.truncate(at),
            // The last bytes are the footer's, which leads to all others.
            _ => bytes[len - 1 - random.below(len.min(400))] ^= 1 << random.below(8),
        }
    }
}

fn ships() -> Vec<Ship> {
    let entity = World::new().spawn_empty().id();
    let ship = |number: u32| Ship {
        name: (!number.is_multiple_of(3)).then(|| format!("ship {}", number % 5)),
        tons: number * 1_000,
        at: (0.5, f64::from(number)),
        flag: number.is_multiple_of(2),
        cargo: match number % 4 {
            0 => Cargo::Empty,
            1 => Cargo::Coal(number.into()),
            _ => Cargo::Animals { kind: "goat".to_owned(), count: (number > 7).then_some(3) },
        },
        launched: SystemTime::UNIX_EPOCH,
        crew: vec![Sailor { age: Some(30), friend: entity }; number as usize % 3],
        prices: [("tea".to_owned(), None), ("rum".to_owned(), Some(-3))].into(),
        seal: vec![7; number as usize % 4],
    };
    (0..12).map(ship).collect()
}

/// Returns a table that another program made: a dictionary, a list of a dictionary, and a struct that may be missing.
fn foreign() -> RecordBatch {
    let texts = ["EWR", "JFK", "EWR", "LGA"];
    let text: DictionaryArray<Int8Type> = texts.iter().map(|it| Some(*it)).collect();
    let items: DictionaryArray<Int32Type> =
        [None, Some("a"), Some("b"), None].into_iter().collect();
    let item = Field::new("item", items.data_type().clone(), true);
    let offsets = OffsetBuffer::from_lengths([1, 0, 2, 1]);
    let list = ListArray::new(Arc::new(item), offsets, Arc::new(items), None);
    let inner = Arc::new(StringArray::from(vec![Some("x"), None, None, Some("y")]));
    let field = Arc::new(Field::new("text", DataType::Utf8, true));
    let is_there = vec![true, false, true, true];
    let within = StructArray::new(vec![field].into(), vec![inner], Some(is_there.into()));
    RecordBatch::try_from_iter_with_nullable([
        ("text", Arc::new(text) as ArrayRef, true),
        ("list", Arc::new(list), true),
        ("within", Arc::new(within), true),
    ])
    .unwrap()
}

/// Returns valid files of several forms: of pages, encodings and statistics.
fn files() -> Vec<Vec<u8>> {
    let columns = Columns::of::<Ship>().unwrap();
    let table = Table::of_records(&columns, ships()).unwrap();
    let mut own = Vec::new();
    table.write_parquet(&mut own).unwrap();
    let small =
        || WriterProperties::builder().set_data_page_row_count_limit(4).set_write_batch_size(2);
    let forms = [
        small().set_compression(Compression::UNCOMPRESSED),
        small().set_writer_version(WriterVersion::PARQUET_2_0).set_compression(Compression::SNAPPY),
        small().set_dictionary_enabled(false).set_statistics_enabled(EnabledStatistics::Page),
        small()
            .set_dictionary_enabled(false)
            .set_writer_version(WriterVersion::PARQUET_2_0)
            .set_column_encoding("tons".into(), Encoding::DELTA_BINARY_PACKED)
            .set_column_encoding("name".into(), Encoding::DELTA_BYTE_ARRAY)
            .set_column_encoding("seal".into(), Encoding::DELTA_LENGTH_BYTE_ARRAY)
            .set_column_encoding("at.0".into(), Encoding::BYTE_STREAM_SPLIT),
        small().set_bloom_filter_enabled(true).set_max_row_group_row_count(Some(5)),
    ];
    let mut files = vec![own];
    for batch in [table.batch(), &foreign()] {
        for form in &forms {
            let mut file = Vec::new();
            let properties = form.clone().build();
            let mut writer =
                ArrowWriter::try_new(&mut file, batch.schema(), Some(properties)).unwrap();
            writer.write(batch).unwrap();
            writer.close().unwrap();
            files.push(file);
        }
    }
    files
}

/// Reads all of a table in each way; errors are well.
fn use_table(table: &Table) {
    drop(table.records::<Ship>());
    drop(table.records::<Line>());
    drop(table.records::<Foreign>());
    drop(table.write_csv(Vec::new()));
    let entities = vec![Entity::PLACEHOLDER; table.num_rows()];
    for name in table.column_names() {
        if let Ok(keys) = Keys::new(table, &[name], &entities) {
            keys.find(table, &[name]).unwrap();
        }
    }
}

fn mutations() -> usize {
    env::var("ECS_MUTATIONS").map_or(1_000, |count| count.parse().unwrap())
}

fn seed() -> u64 {
    env::var("ECS_SEED").map_or(0, |seed| seed.parse().unwrap())
}

/// Runs a function of each damaged file. A panic shows the seed of the file.
fn each_damaged(files: &[Vec<u8>], mut read: impl FnMut(Vec<u8>)) {
    for number in 0..mutations() as u64 {
        let mut random = Random(seed() << 32 ^ number);
        let [one, other] = [(); 2].map(|()| &files[random.below(files.len())]);
        let mut bytes = one.clone();
        damage(&mut bytes, other, &mut random);
        let copy = bytes.clone();
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| read(bytes))) {
            eprintln!("file {number} of seed {}: {copy:?}", seed());
            std::panic::resume_unwind(panic);
        }
    }
}

#[test]
fn damaged_files_of_parquet_are_read_or_refused() {
    let files = files();
    for file in &files {
        let table = Table::read_parquet(bytes::Bytes::from(file.clone())).unwrap();
        assert!(table.records::<Ship>().is_ok() || table.records::<Foreign>().is_err());
    }
    let (mut were_read, mut panicked) = (0, 0);
    each_damaged(&files, |bytes| match Table::read_parquet(bytes::Bytes::from(bytes)) {
        Ok(table) => {
            were_read += 1;
            use_table(&table);
        }
        Err(error) => panicked += usize::from(error.to_string().contains("its library panicked")),
    });
    println!("{were_read} of {} were read, the library panicked for {panicked}", mutations());
    assert!((1..mutations()).contains(&were_read));
}

#[test]
fn damaged_csv_is_read_or_refused() {
    let columns = Columns::of::<Line>().unwrap();
    let entity = World::new().spawn_empty().id();
    let lines = ships().into_iter().map(|ship| Line {
        name: ship.name,
        tons: ship.tons,
        less: -3,
        wide: i128::MIN,
        at: ship.at,
        flag: ship.flag,
        cargo: ship.cargo,
        launched: ship.launched,
        friend: entity,
    });
    let mut csv = Vec::new();
    Table::of_records(&columns, lines).unwrap().write_csv(&mut csv).unwrap();
    let quoted = String::from_utf8(csv.clone()).unwrap().replace("goat", "\"go,\"\"a\nt\"");
    let files = [csv, quoted.into_bytes()];
    let mut were_read = 0;
    each_damaged(&files, |bytes| {
        let Ok(table) = Table::read_csv(&bytes[..], &columns, &["NA"]) else { return };
        were_read += 1;
        use_table(&table);
        // A table that was read comes back.
        let mut again = Vec::new();
        if table.write_csv(&mut again).is_ok() {
            let read = Table::read_csv(&again[..], &columns, &[]).unwrap();
            let mut third = Vec::new();
            read.write_csv(&mut third).unwrap();
            assert_eq!(again, third);
        }
    });
    assert!((1..mutations()).contains(&were_read), "{were_read}");
}

#[test]
fn a_page_with_more_lengths_than_values_is_refused() {
    for (encoding, version) in [
        (Encoding::DELTA_LENGTH_BYTE_ARRAY, WriterVersion::PARQUET_1_0),
        (Encoding::DELTA_LENGTH_BYTE_ARRAY, WriterVersion::PARQUET_2_0),
        (Encoding::DELTA_BYTE_ARRAY, WriterVersion::PARQUET_1_0),
        (Encoding::DELTA_BYTE_ARRAY, WriterVersion::PARQUET_2_0),
    ] {
        // Enough for several blocks of lengths.
        let texts: Vec<Option<String>> =
            (0..1_000).map(|at| (at % 7 > 0).then(|| format!("text {}", at * at))).collect();
        let count = texts.iter().flatten().count();
        let array = Arc::new(StringArray::from(texts)) as ArrayRef;
        let batch = RecordBatch::try_from_iter([("text", array)]).unwrap();
        let properties = WriterProperties::builder()
            .set_compression(Compression::UNCOMPRESSED)
            .set_dictionary_enabled(false)
            .set_writer_version(version)
            .set_encoding(encoding)
            .build();
        let mut file = Vec::new();
        let mut writer = ArrowWriter::try_new(&mut file, batch.schema(), Some(properties)).unwrap();
        writer.write(&batch).unwrap();
        writer.close().unwrap();
        let read = Table::read_parquet(bytes::Bytes::from(file.clone())).unwrap();
        assert_eq!(read.batch().columns(), batch.columns());
        // Blocks of 128 in four parts, and the count as a number of two bytes.
        let count = [0x80 | u8::try_from(count & 0x7f).unwrap(), u8::try_from(count >> 7).unwrap()];
        let header = [&[0x80, 1, 4], &count[..]].concat();
        let found = file.windows(header.len()).enumerate().filter(|(_, bytes)| *bytes == header);
        let found: Vec<usize> = found.map(|(at, _)| at).collect();
        assert_eq!(found.len(), if encoding == Encoding::DELTA_BYTE_ARRAY { 2 } else { 1 });
        for at in found {
            let mut damaged = file.clone();
            damaged[at + header.len() - 1] = 0x7f;
            let error = Table::read_parquet(bytes::Bytes::from(damaged)).unwrap_err().to_string();
            assert!(error.contains("malformed page: it has 16"), "{error}");
            assert!(error.contains("lengths, for at most 1000 values"), "{error}");
        }
    }
}
