use ecs::Commands;
use std::rc::Rc;

struct Said(Rc<str>);

fn broken(commands: &mut Commands, what: Rc<str>) {
    commands.send(Said(what));
}

fn main() {}
