use ecs::{Component, Query, World};

#[derive(Component)]
struct Health(u32);

#[derive(Query)]
struct Short<'a>(&'a mut Health);
#[derive(Query)]
struct Long<'the_world>(&'the_world Health);
#[derive(Query)]
struct Own<'__w>(&'__w Health);
#[derive(Query)]
struct Hidden<'w>((&'w Health,), (((&'w Health,),),));
#[derive(Query)]
struct Static<'w>(&'w Labelled<&'static str>);

#[derive(Component)]
struct Labelled<T>(T);

pub(super) fn main() {
    let mut world = World::new();
    world.spawn_empty().insert((Health(3), Labelled("three")));
    world.view_mut::<Short<'static>>().for_each(|short| short.0.0 += 1);
    world.view_mut::<Short<'_>>().for_each(|short| short.0.0 += 1);
    assert_eq!(world.view::<Long>().single().unwrap().0.0, 5);
    assert_eq!(world.view::<Own>().single().unwrap().0.0, 5);
    assert_eq!(world.view::<Hidden>().single().unwrap().1.0.0.0.0, 5);
    assert_eq!(world.view::<Hidden>().single().unwrap().0.0.0, 5);
    assert_eq!(world.view::<Static>().single().unwrap().0.0, "three");
}
