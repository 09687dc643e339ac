use crate::fixtures::{Position, Tag, Velocity};
use ecs::{AnyComponent, Component, Entity, Has, Query, Signature, World};

#[derive(Query)]
struct Movable<'w> {
    position: &'w mut Position,
    velocity: &'w Velocity,
}

#[derive(Query)]
#[query(with(Tag), without(Frozen))]
struct Tagged<'w> {
    entity: Entity,
    movable: Movable<'w>,
    frozen: Has<Frozen>,
    pair: (Option<&'w Label>, Entity),
}

#[derive(Query)]
struct Pair<'w>(Entity, &'w Position);

#[derive(Query)]
struct Labelled<'w, T: Component> {
    entity: Entity,
    label: &'w T,
}

#[derive(Component, Debug, PartialEq)]
struct Label(&'static str);
#[derive(Component)]
struct Frozen;
#[derive(Component, Debug, PartialEq)]
enum State {
    Idle,
    Busy(u32),
}
#[derive(Component)]
#[component(bit = 63)]
struct Last;

#[test]
fn derived_queries_nest_and_filter() {
    let mut world = World::new();
    let chosen = world.spawn((Position(1.0), Velocity(2.0), Tag, Label("x"))).id();
    world.spawn((Position(1.0), Velocity(2.0), Tag, Frozen));
    world.spawn((Position(1.0), Velocity(2.0)));
    let mut seen = 0;
    for tagged in world.view_mut::<Tagged>() {
        assert_eq!((tagged.entity, tagged.pair.1), (chosen, chosen));
        assert!(!tagged.frozen.get());
        assert_eq!(tagged.pair.0, Some(&Label("x")));
        tagged.movable.position.0 += tagged.movable.velocity.0;
        seen += 1;
    }
    assert_eq!(seen, 1);
    assert_eq!(world.get::<Position>(chosen), Some(&Position(3.0)));
    assert_eq!(
        world
            .view::<Pair>()
            .iter()
            .filter(|Pair(of, position)| *of == chosen && position.0 > 2.0)
            .count(),
        1
    );
    for (entity, movable, label) in world.view_mut::<(Movable, &Label)>() {
        assert_eq!((entity, movable.position.0, label.0), (chosen, 3.0, "x"));
    }
    assert_eq!(
        world.view_mut::<(Option<Movable>, Frozen)>().into_iter().filter_map(|item| item.1).count(),
        1
    );
}

#[test]
fn generic_queries() {
    fn entities_with<T: Component>(world: &World) -> Vec<Entity> {
        world.view::<Labelled<T>>().iter().map(|labelled| labelled.entity).collect()
    }
    let mut world = World::new();
    let entity = world.spawn(Label("x")).id();
    assert_eq!(entities_with::<Label>(&world), [entity]);
    assert_eq!(entities_with::<Tag>(&world), []);
    assert_eq!(
        world.view::<Labelled<Label>>().single().map(|item| item.label).unwrap(),
        &Label("x")
    );
}

#[test]
fn enums_are_components() {
    let mut world = World::new();
    let entity = world.spawn(State::Idle).id();
    *world.get_mut::<State>(entity).unwrap() = State::Busy(3);
    assert_eq!(world.remove::<State>(entity), Some(State::Busy(3)));
}

#[test]
fn constants_combine() {
    assert_eq!(Last::BIT, Signature::bit(63));
    let both = Tag::BIT.union(Position::BIT);
    assert_eq!(<(Tag, &Position) as Query>::REQUIRED, both);
    assert_eq!(<(Tag, Option<&Position>) as Query>::REQUIRED, Tag::BIT);
    assert_eq!(<Tagged as Query>::EXCLUDED, Frozen::BIT);
    assert_eq!(<(Tag, Position) as ecs::Bundle>::SIGNATURE, both);
    assert_ne!(Tag::ID, Position::ID);
    assert_eq!((Tag::NAME, Label::NAME), ("Tag", "Label"));
}

#[test]
fn same_names_in_two_modules_are_two_components() {
    mod other {
        #[derive(ecs::Component)]
        pub struct Label(pub u8);
    }
    let mut world = World::new();
    let entity = world.spawn((Label("a"), other::Label(7))).id();
    assert_eq!(world.get::<Label>(entity), Some(&Label("a")));
    assert_eq!(world.get::<other::Label>(entity).unwrap().0, 7);
    assert_ne!(Label::ID, other::Label::ID);
}
