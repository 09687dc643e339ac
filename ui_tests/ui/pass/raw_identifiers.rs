use ecs::{Bundle, AnyComponent, Component, Query, World};

#[allow(non_camel_case_types)]
#[derive(Component)]
#[component(veto = r#fn)]
struct r#type(u32);

fn r#fn(_: &mut r#type) -> bool {
    true
}

#[derive(Component)]
struct Matched {
    r#match: u32,
}

#[derive(Query)]
struct Loop<'w> {
    r#type: &'w mut r#type,
    r#match: &'w Matched,
}

#[derive(Bundle)]
struct Struct {
    r#type: r#type,
    r#impl: Matched,
}

pub(super) fn main() {
    let mut world = World::new();
    world.spawn_empty().insert(Struct { r#type: r#type(3), r#impl: Matched { r#match: 4 } });
    world.view_mut::<Loop>().for_each(|it| it.r#type.0 += it.r#match.r#match);
    assert_eq!(world.view::<r#type>().single().unwrap().1.0, 7);
    assert_eq!(<r#type as AnyComponent>::NAME, "type");
}
