use ecs::Entity;
use ecs::iter::Related;

fn broken(children: &[Option<Entity>]) -> Related<'_> {
    Related { entries: children.iter(), len: children.len() }
}

fn main() {}
