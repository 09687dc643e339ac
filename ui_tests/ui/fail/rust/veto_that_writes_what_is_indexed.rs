use ecs::Component;

#[derive(Component, Clone, PartialEq, Eq, Hash)]
#[component(index, veto = Team::may_go)]
struct Team(u8);

impl Team {
    fn may_go(&mut self) -> bool {
        self.0 == 0
    }
}

fn main() {}
