use ecs::Commands;
use std::rc::Rc;

fn broken(commands: &mut Commands, name: Rc<str>) {
    commands.queue(move |world| _ = world.spawn_named(&*name));
}

fn main() {}
