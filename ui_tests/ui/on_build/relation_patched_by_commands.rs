use ecs::{ChildOf, Commands, Entity};

pub(super) fn main() {
    Commands::new().patch::<ChildOf>(Entity::NOBODY, |child| child.0 = Entity::NOBODY);
}
