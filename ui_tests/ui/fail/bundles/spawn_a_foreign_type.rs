use ecs::World;

#[derive(ecs::Component)]
struct Name(u8);

fn main() {
    World::new().spawn((Name(1), String::from("orc")));
}
