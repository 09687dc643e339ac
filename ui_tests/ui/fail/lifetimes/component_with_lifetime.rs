use ecs::Component;

#[derive(Component)]
struct Label<'a>(&'a str);

fn main() {}
