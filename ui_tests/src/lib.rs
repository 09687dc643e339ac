//! What must compile with `ecs`, what must not, and with which words: see `tests/ui.rs`.
