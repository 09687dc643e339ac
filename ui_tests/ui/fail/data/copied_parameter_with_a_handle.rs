use ecs::{Component, Entity, World};

#[derive(Component, Clone)]
#[component(clone)]
struct Stock<T: Clone>(Vec<T>);

fn main() {
    World::new().spawn(Stock(vec![1_u8]));
    World::new().spawn(Stock(vec![Entity::PLACEHOLDER]));
}
