use ecs::{Entity, Related};

fn broken(children: &[Option<Entity>]) -> Related<'_> {
    Related { entries: children.iter(), len: children.len() }
}

fn main() {}
