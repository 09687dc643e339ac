//! Components that are saved as the bytes that they have in memory.

use crate::saves::{bytes_of, load};
use bytemuck::{Pod, Zeroable};
use ecs::{Component, Entity, World};
use serde::{Deserialize, Serialize};

#[derive(Component, Clone, Copy, Pod, Zeroable, Serialize, Deserialize, Debug, PartialEq)]
#[component(save = "place", bytes)]
#[repr(C)]
struct Place {
    at: [f32; 2],
    floor: u64,
}

mod columns {
    use super::*;

    #[derive(Component, Clone, Copy, Pod, Zeroable, Serialize, Deserialize, Debug, PartialEq)]
    #[component(save = "place", bytes, layout = "soa")]
    #[repr(C)]
    pub struct Place {
        pub at: [f32; 2],
        pub floor: u64,
    }
}

mod by_serde {
    use super::*;

    #[derive(Component, Serialize, Deserialize, Debug, PartialEq)]
    #[component(save = "place")]
    pub struct Place {
        pub at: [f32; 2],
        pub floor: u64,
    }
    #[derive(Component, Clone, Copy, Serialize, Deserialize, Pod, Zeroable)]
    #[component(save = "nothing", bytes)]
    #[repr(C)]
    pub struct Nothing;
}

fn place(number: u8) -> Place {
    Place { at: [f32::from(number), 0.5], floor: u64::from(number) << 40 | 0x89 }
}

fn world_of_places(count: u8) -> World {
    let mut world = World::new();
    world.spawn_batch((0..count).map(|number| (place(number), by_serde::Nothing)));
    world
}

#[test]
fn values_are_bytes_the_lowest_one_first() {
    let world = world_of_places(2);
    let bytes = bytes_of(&world);
    let in_file = [0, 0, 0x80, 0x3f, 0, 0, 0, 0x3f, 0x89, 0, 0, 0, 0, 1, 0, 0]; // of the second one
    assert!(bytes.windows(16).any(|some| some == in_file));
    let mut loaded = World::new();
    loaded.register::<(Place, by_serde::Nothing)>();
    load(&mut loaded, &bytes).unwrap();
    assert_eq!(loaded.pool::<Place>().as_slice(), [place(0), place(1)]);
    assert_eq!((loaded.pool::<by_serde::Nothing>().len(), bytes_of(&loaded)), (2, bytes));
}

#[test]
fn files_do_not_depend_on_the_layout() {
    let mut columns = World::new();
    columns.spawn_batch(
        (0..5).map(|it| (columns::Place { at: place(it).at, floor: place(it).floor },)),
    );
    let mut rows = World::new();
    rows.spawn_batch((0..5).map(|it| (place(it),)));
    assert_eq!(bytes_of(&rows), bytes_of(&columns));
    let mut loaded = World::new();
    loaded.register::<columns::Place>();
    load(&mut loaded, &bytes_of(&rows)).unwrap();
    assert!(
        loaded.pool::<columns::Place>().as_slice().floor
            == columns.pool::<columns::Place>().as_slice().floor
    );
}

#[test]
fn parts_are_saved_as_bytes_too() {
    let mut world = world_of_places(9);
    let all: Vec<Entity> = world.entities().collect();
    world.remove_batch::<by_serde::Nothing>(&[all[0], all[4], all[5]]);
    let mut bytes = Vec::new();
    world.save().matching::<&by_serde::Nothing>().to_bytes(&mut bytes).unwrap();
    let (read, _) = world.read(&bytes, &ecs::save::Limits::default()).unwrap();
    let left: Vec<_> = [1, 2, 3, 6, 7, 8].map(place).into();
    assert_eq!(read.pool::<Place>().as_slice(), left);
}

#[test]
fn values_saved_by_serde_are_read_by_serde_and_bytes_as_bytes() {
    let mut world = World::new();
    let entity = world.spawn(by_serde::Place { at: [1.0, 2.0], floor: 3 }).id();
    let mut loaded = World::new();
    loaded.register::<Place>();
    load(&mut loaded, &bytes_of(&world)).unwrap();
    assert_eq!(loaded.get::<Place>(entity), Some(&Place { at: [1.0, 2.0], floor: 3 }));
    let error = load(&mut world, &bytes_of(&loaded)).unwrap_err().to_string();
    assert!(
        error.ends_with("it was saved as bytes, but values of this version are not read as bytes"),
        "{error}"
    );
}

#[test]
fn too_few_bytes_are_an_error() {
    let bytes = bytes_of(&world_of_places(2));
    for end in 0..bytes.len() {
        let mut loaded = World::new();
        loaded.register::<(Place, by_serde::Nothing)>();
        assert!(load(&mut loaded, &bytes[..end]).is_err(), "{end}");
    }
}

#[test]
fn people_read_numbers() {
    let text = serde_json::to_string(&world_of_places(1).save()).unwrap();
    assert!(text.contains(r#"{"at":[0.0,0.5],"floor":137}"#), "{text}");
}
