use ecs::__private::Copying;
use engine::Account;

ecs_ui_tests::component_around!(Own, Account);
impl Clone for Own {
    fn clone(&self) -> Self { unreachable!() }
}

fn main() {
    let _ = Copying::by_clone::<Own>();
}
