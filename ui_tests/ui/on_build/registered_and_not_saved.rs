#[derive(ecs::Component)]
struct Socket;

pub(super) fn main() {
    ecs::World::new().register::<Socket>();
}
