#[derive(ecs::Component)]
struct Socket;

fn main() {
    ecs::World::new().register::<Socket>();
}
