#![doc = include_str!("../README.md")]

mod cells;
mod coordinate;
mod grid;
mod search;

pub use coordinate::Coordinate;
pub use grid::Grid;
