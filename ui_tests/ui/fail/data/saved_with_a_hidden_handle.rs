use ecs::{Component, Entity};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
struct Link {
    to: Entity,
}

#[derive(Component, Serialize, Deserialize)]
#[component(save = "order")]
enum Order {
    Wait,
    Follow { link: Option<Link> },
}

fn main() {}
