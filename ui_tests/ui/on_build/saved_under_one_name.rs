use ecs::Component;
use serde::{Deserialize, Serialize};

#[derive(Component, Serialize, Deserialize)]
#[component(save = "health")]
struct Health(u32);
#[derive(Component, Serialize, Deserialize)]
#[component(save = "health")]
struct Armour(u32);

pub(super) fn main() {
    ecs::World::new().register::<(Health, (Armour,))>();
}
