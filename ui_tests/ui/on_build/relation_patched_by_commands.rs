use ecs::{ChildOf, Commands, Entity};

pub(super) fn main() {
    Commands::new().patch::<ChildOf>(Entity::PLACEHOLDER, |child| child.0 = Entity::PLACEHOLDER);
}
