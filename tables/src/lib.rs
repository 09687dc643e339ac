//! Tables of the content of a world of [`ecs`]: for data frames, databases and spreadsheets.
//!
//! The items of a view or a pool become a [`Table`], a row an entity: a [`RecordBatch`] of Arrow, a Parquet file, or
//! CSV. Components are taken apart by [serde](https://serde.rs), into a column a field. The [columns](Columns) come
//! from the types, so that all tables of one type agree.
//!
//! ```
//! use ecs::{Component, World};
//! use ecs_tables::Table;
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Component, Serialize, Deserialize)]
//! struct Position { x: f32, y: f32 }
//! #[derive(Component, Serialize, Deserialize)]
//! struct Health(u32);
//!
//! let mut world = World::new();
//! world.spawn((Position { x: 1.0, y: 2.0 }, Health(10)));
//! world.spawn((Position { x: 3.0, y: 4.5 }, Health(20)));
//!
//! let table = Table::of(world.view::<(&Position, &Health)>())?;
//! let mut csv = Vec::new();
//! table.write_csv(&mut csv)?;
//! assert_eq!(
//!     String::from_utf8(csv)?,
//!     "entity,Position.x,Position.y,Health\n\
//!      0v1,1.0,2.0,10\n\
//!      1v1,3.0,4.5,20\n",
//! );
//!
//! // And back: rows become entities.
//! let mut other = World::new();
//! let entities = table.spawn::<(&Position, &Health)>(&mut other)?;
//! assert_eq!(other.get::<Position>(entities[1]).unwrap().y, 4.5);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Components without a Rust type, and others that the program does not name, are tables by [`Table::of_kinds`].
//!
//! A table of another program becomes entities by [`Table::records`]; a column that names rows of another table
//! becomes a relation by [`Keys`].

mod columns;
mod csv;
mod error;
mod fill;
mod keys;
mod kinds;
mod pages;
mod parquet;
mod plain;
mod read;
mod row;
mod shape;
mod spawn;
mod table;
mod time;
mod write;

pub use arrow_array;
pub use arrow_array::RecordBatch;
pub use arrow_schema;
pub use columns::{Batches, Columns};
pub use error::TableError;
pub use keys::{Keys, Links};
pub use parquet::ParquetWriter;
pub use row::{Column, Row};
pub use table::Table;
