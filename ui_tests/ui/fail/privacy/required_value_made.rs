use ecs::AnyComponent;
use ecs::__private::Requirer;
use engine::Debt;

fn give(target: &mut impl Requirer) {
    Debt::require(target);
}

fn main() {}
