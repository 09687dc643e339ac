use ecs::{EntityMut, World};

fn longer<'long>(handle: EntityMut<'_>) -> &'long mut World {
    handle.into_world()
}

fn main() {}
