//! The tuples that the library knows end at twelve.

use ecs::{Local, World};

type L<'w> = Local<'w, u8>;

fn all(_: L, _: L, _: L, _: L, _: L, _: L, _: L, _: L, _: L, _: L, _: L, _: L, _: L) {}

fn main() {
    World::new().run(all);
}
