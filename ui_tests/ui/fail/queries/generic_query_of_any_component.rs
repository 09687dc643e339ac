use ecs::{AnyComponent, Query, World};

#[derive(Query)]
struct Trained<'w, T: 'static>(&'w mut T);

fn train<T: AnyComponent>(world: &mut World) {
    world.view_mut::<Trained<T>>();
}

fn main() {}
