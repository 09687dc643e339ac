use ecs::Component;

struct Old;

#[derive(Component, serde::Serialize, serde::Deserialize)]
#[component(save = "health", version = 2, from(2 = Old))]
struct Health(u32);

fn main() {}
