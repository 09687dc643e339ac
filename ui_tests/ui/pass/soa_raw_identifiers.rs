#![allow(non_camel_case_types)]

use ecs::{Component, Query, World};

#[derive(Component, Clone)]
#[component(layout = "soa")]
struct Type { r#match: u32, r#type: u32 }

#[derive(Component)]
#[component(layout = "soa", ref = r#fn, fields = r#struct)]
struct r#enum { r#as: u32 }

#[derive(Query)]
struct r#loop<'w> {
    #[query(column = r#type::r#match)]
    r#match: &'w mut u32,
    r#enum: r#fn<'w>,
}

pub(super) fn main() {
    let mut world = World::new();
    world.spawn_empty().insert((Type { r#match: 1, r#type: 2 }, r#enum { r#as: 3 }));
    world.view_mut::<r#loop>().for_each(|it| *it.r#match += it.r#enum.r#as);
    assert_eq!(world.view::<(Type, r#struct::r#as)>().single().unwrap().1.to_owned().r#match, 4);
}
