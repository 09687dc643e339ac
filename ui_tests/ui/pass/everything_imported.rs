//! Names that a glob brings into scope leave the methods of other types alone.

use ecs::*;

#[derive(Component)]
struct Health(u32);

pub(super) fn main() {
    let mut world = World::new();
    let entities = world.spawn_batch([Health(3), Health(4)]);
    let mut names = vec![String::from("a"), String::from("b")];
    names.swap(0, 1);
    let borrowed: Vec<&str> = names.iter().map(String::as_str).collect();
    assert_eq!(borrowed.get(..1), Some(&["b"][..]));
    assert_eq!(borrowed.iter().rev().copied().collect::<String>(), "ab");
    for (entity, name) in entities.into_iter().zip(names.into_iter()) {
        world.insert(entity, Name::new(name)).unwrap();
    }
    assert_eq!(world.view::<(Health, Name)>().count(), 2);
}
