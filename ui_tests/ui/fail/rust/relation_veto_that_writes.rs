use ecs::{Component, Entity};

#[derive(Component)]
#[component(relation, veto = Tied::may_go)]
struct Tied(Entity);

impl Tied {
    fn may_go(&mut self) -> bool {
        true
    }
}

fn main() {}
