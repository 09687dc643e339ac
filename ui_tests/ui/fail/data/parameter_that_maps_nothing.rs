use ecs::{Component, MapEntities};

struct Note;

#[derive(MapEntities)]
struct Pair<T>(T, T);

#[derive(Component)]
struct Notes(#[component(entities)] Pair<Note>);

fn main() {}
