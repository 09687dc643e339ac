use ecs::{Bundle, Component, Query, World};

trait Kind {
    type Part: Component;
}

struct Human;
impl Kind for Human {
    type Part = Health;
}

#[derive(Component)]
struct Health(u32);

#[derive(Query)]
struct Living<'w>(&'w mut <Human as Kind>::Part);

#[derive(Bundle)]
struct Hero(<Human as Kind>::Part);

#[derive(Bundle)]
struct Any<K: Kind + Send + Sync + 'static>(K::Part);

pub(super) fn main() {
    let mut world = World::new();
    world.spawn_empty().insert(Hero(Health(3)));
    world.spawn_empty().insert(Any::<Human>(Health(3)));
    world.view_mut::<Living>().for_each(|living| living.0.0 += 1);
    assert_eq!(world.view::<Health>().count(), 2);
}
