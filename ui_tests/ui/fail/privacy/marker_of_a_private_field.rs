fn main() {
    ecs::World::new().view_mut::<&mut engine::account::balance>();
}
