use ecs::Component;

#[derive(Component)]
#[component(layout = "soa")]
struct Label<'a> { text: &'a str, size: u8 }

fn main() {}
