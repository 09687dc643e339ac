use ecs::save::ChangeSets;
use ecs::{Entity, Resource};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
struct Link {
    to: Entity,
}

#[derive(Resource, Serialize, Deserialize)]
#[resource(save = "fleet")]
struct Fleet {
    ships: Vec<Link>,
}

pub(super) fn main() {
    let _ = ChangeSets::default().resource::<Fleet>();
}
