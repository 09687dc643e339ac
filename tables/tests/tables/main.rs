//! Tables: columns of types, rows of worlds, CSV and Parquet.

mod columns;
mod csv;
mod flights;
mod fuzzed;
mod import;
mod kinds;
mod tracks;
mod worlds;
