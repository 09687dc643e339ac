//! The library implements traits for tuples of up to twelve.

use ecs::{Local, World};

type L<'w> = Local<'w, u8>;

fn all(_: L, _: L, _: L, _: L, _: L, _: L, _: L, _: L, _: L, _: L, _: L, _: L, _: L) {}

fn main() {
    World::new().run(all);
}
