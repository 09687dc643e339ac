use ecs::{Component, World};

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);

fn main() {
    let world = World::new();
    for (_, (position, velocity)) in world.query::<(&Position, &Velocity)>().iter() {
        println!("{} {}", position.0, velocity.0);
    }
}
