use ecs::{Component, Index, View, schedule};

#[derive(Component, Clone, PartialEq, Eq, Hash)]
#[component(index)]
struct Team(u8);

fn change(_: Index<Team>, _: View<&mut Team>) {}

schedule! { struct Frame { change } }

fn main() {}
