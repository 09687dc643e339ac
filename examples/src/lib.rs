//! Games that are played headless here, and in windows elsewhere.

pub mod towers;
