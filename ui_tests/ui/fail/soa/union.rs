use ecs::Component;

#[derive(Component)]
#[component(layout = "soa")]
union Bits { float: f32, word: u32 }

fn main() {}
