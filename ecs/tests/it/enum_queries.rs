//! Enums with `#[derive(Query)]`: an entity matches one of the variants.

use ecs::{Component, Entity, Has, Query, With, Without, World};

#[derive(Component, Clone, Debug, PartialEq)]
struct Circle(f32);
#[derive(Component, Clone, Debug, PartialEq)]
struct Square(f32);
#[derive(Component, Clone, Debug, PartialEq)]
struct Width(f32);
#[derive(Component, Clone, Debug, PartialEq)]
struct Height(f32);
#[derive(Component)]
struct Hidden;

#[derive(Query, Debug, PartialEq)]
enum Shape<'w> {
    Circle(&'w Circle),
    Square { side: &'w Square },
    Box(&'w Width, &'w Height),
}

impl Shape<'_> {
    fn area(&self) -> f32 {
        match self {
            Shape::Circle(circle) => 3.0 * circle.0 * circle.0,
            Shape::Square { side } => side.0 * side.0,
            Shape::Box(width, height) => width.0 * height.0,
        }
    }
}

/// A circle, a square, a box, and three entities that are no shape.
fn drawing() -> (World, [Entity; 3]) {
    let mut world = World::new();
    let circle = world.spawn(Circle(1.0)).id();
    world.spawn(Width(9.0));
    let square = world.spawn(Square(2.0)).id();
    world.spawn(Height(9.0));
    let boxed = world.spawn((Width(5.0), Height(6.0))).id();
    world.spawn_empty();
    (world, [circle, square, boxed])
}

#[test]
fn entities_match_an_enum_by_one_of_its_variants() {
    let (world, [circle, square, boxed]) = drawing();
    let view = world.view::<Shape>();
    let areas: Vec<f32> = view.iter().map(|shape| shape.area()).collect();
    assert_eq!(areas, [3.0, 4.0, 30.0]);
    assert_eq!(view.count(), 3);
    assert_eq!(view.get(circle), Some(Shape::Circle(&Circle(1.0))));
    assert_eq!(view.get(square), Some(Shape::Square { side: &Square(2.0) }));
    assert_eq!(view.get(boxed), Some(Shape::Box(&Width(5.0), &Height(6.0))));
}

#[test]
fn half_of_a_variant_is_no_match() {
    let mut world = World::new();
    let half = world.spawn(Width(5.0)).id();
    assert_eq!(world.view::<Shape>().get(half), None);
    assert!(!world.has::<Shape>(half));
    assert_eq!(world.view::<Shape>().count(), 0);
    world.insert(half, Height(1.0)).unwrap();
    assert!(world.has::<Shape>(half));
}

#[test]
fn the_first_variant_that_matches_is_yielded() {
    let mut world = World::new();
    let both = world.spawn((Square(2.0), Circle(1.0))).id();
    assert_eq!(world.view::<Shape>().get(both), Some(Shape::Circle(&Circle(1.0))));
    assert_eq!(world.view::<Shape>().iter().count(), 1);
}

#[derive(Query)]
enum Growing<'w> {
    Circle(&'w mut Circle),
    Box { width: &'w mut Width, height: Option<&'w mut Height>, is_hidden: Has<Hidden> },
}

#[test]
fn variants_write_their_components() {
    let (mut world, [circle, square, boxed]) = drawing();
    world.insert(boxed, Hidden).unwrap();
    for growing in world.view_mut::<Growing>() {
        match growing {
            Growing::Circle(circle) => circle.0 += 1.0,
            Growing::Box { width, height, is_hidden } => {
                width.0 += 2.0;
                if let Some(height) = height {
                    assert!(is_hidden.get());
                    height.0 += 3.0;
                }
            }
        }
    }
    assert_eq!(world.get::<Circle>(circle), Some(&Circle(2.0)));
    assert_eq!(world.get::<Square>(square), Some(&Square(2.0)));
    assert_eq!(world.get::<Width>(boxed), Some(&Width(7.0)));
    assert_eq!(world.get::<Height>(boxed), Some(&Height(9.0)));
    let mut widths: Vec<f32> = world.view::<Width>().iter().map(|(_, width)| width.0).collect();
    widths.sort_by(f32::total_cmp);
    assert_eq!(widths, [7.0, 11.0]);
}

#[derive(Query, Debug, PartialEq)]
enum Sort<'w> {
    Round(&'w Circle),
    Other,
}

#[test]
fn a_last_variant_without_fields_matches_every_entity() {
    let (world, [circle, ..]) = drawing();
    let view = world.view::<(Entity, Sort)>();
    assert_eq!(view.count(), world.len());
    for (entity, sort) in view {
        assert_eq!(sort == Sort::Other, entity != circle);
    }
}

#[derive(Query)]
struct Drawn<'w> {
    entity: Entity,
    shape: Shape<'w>,
    _visible: Without<Hidden>,
}

#[test]
fn enums_nest_in_structs_and_tuples_and_options() {
    let (mut world, [circle, square, boxed]) = drawing();
    world.insert(square, Hidden).unwrap();
    let drawn: Vec<Entity> = world
        .view::<Drawn>()
        .iter()
        .map(|Drawn { entity, shape, .. }| {
            assert!(shape.area() > 0.0);
            entity
        })
        .collect();
    assert_eq!(drawn, [circle, boxed]);
    let hidden: Vec<_> = world.view::<(Shape, With<Hidden>)>().iter().map(|it| it.0).collect();
    assert_eq!(hidden, [square]);
    let perhaps = world.view::<(Entity, Option<Shape>)>();
    assert_eq!(perhaps.iter().filter(|(_, shape)| shape.is_some()).count(), 3);
    assert_eq!(perhaps.count(), world.len());
}

#[derive(Query)]
enum Figure<'w> {
    Hidden(With<Hidden>, Shape<'w>),
    Wide(&'w Width, Without<Height>),
}

#[test]
fn enums_nest_in_enums_and_variants_exclude_components() {
    let (mut world, [circle, _, boxed]) = drawing();
    world.insert(circle, Hidden).unwrap();
    world.insert(boxed, Hidden).unwrap();
    let alone = world.spawn(Hidden).id();
    assert!(!world.has::<Figure>(alone));
    let mut areas = Vec::new();
    let mut wide = 0;
    for figure in world.view::<Figure>() {
        match figure {
            Figure::Hidden(_, shape) => areas.push(shape.area()),
            Figure::Wide(width, _) => {
                assert_eq!(width.0, 9.0);
                wide += 1;
            }
        }
    }
    assert_eq!((areas, wide), (vec![3.0, 30.0], 1));
}

#[derive(Query, Debug, PartialEq)]
enum Found<'w> {
    Round(&'w Circle),
    Other { entity: Entity, hidden: Option<&'w Width> },
}

#[test]
fn a_variant_that_requires_nothing_matches_every_entity() {
    let (world, [circle, square, boxed]) = drawing();
    let view = world.view::<Found>();
    assert_eq!(view.count(), world.len());
    assert_eq!(view.get(circle), Some(Found::Round(&Circle(1.0))));
    assert_eq!(view.get(square), Some(Found::Other { entity: square, hidden: None }));
    let hidden = Some(&Width(5.0));
    assert_eq!(view.get(boxed), Some(Found::Other { entity: boxed, hidden }));
}

#[derive(Query)]
enum Side<'w> {
    Wide(&'w Width),
    High(&'w Height),
}

#[derive(Query)]
enum Content<'w> {
    Round(&'w Circle),
    Square(&'w Square),
}

#[derive(Query)]
enum Framed<'w> {
    Both(Content<'w>, Side<'w>),
}

#[test]
fn a_variant_of_two_enums_matches_each_pair_of_their_variants() {
    let mut world = World::new();
    world.spawn((Circle(1.0), Width(1.0)));
    world.spawn((Circle(1.0), Height(2.0)));
    world.spawn((Square(2.0), Width(1.0)));
    world.spawn((Square(2.0), Height(2.0)));
    world.spawn((Square(2.0), Circle(1.0)));
    world.spawn((Width(2.0), Height(2.0)));
    let pairs: Vec<(f32, f32)> = world
        .view::<Framed>()
        .iter()
        .map(|Framed::Both(content, side)| {
            let content = match content {
                Content::Round(circle) => circle.0,
                Content::Square(square) => square.0,
            };
            let side = match side {
                Side::Wide(width) => width.0,
                Side::High(height) => height.0,
            };
            (content, side)
        })
        .collect();
    assert_eq!(pairs, [(1.0, 1.0), (1.0, 2.0), (2.0, 1.0), (2.0, 2.0)]);
}

#[derive(Query)]
enum Either<'w, A: Component<Storage = Vec<A>>, B> {
    Left(&'w A),
    Right(&'w B),
}

#[test]
fn generic_enums_are_queries() {
    let (world, _) = drawing();
    let (mut left, mut right) = (0.0, 0.0);
    for either in world.view::<Either<Circle, Square>>() {
        match either {
            Either::Left(circle) => left += circle.0,
            Either::Right(square) => right += square.0,
        }
    }
    assert!(left == 1.0 && right == 2.0, "{left}, {right}");
}

/// Numbers that look random, always the same.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }
}

/// The variant of [`Shape`] that an entity should match, by its components.
fn expected(world: &World, entity: Entity) -> Option<u8> {
    if world.has::<Circle>(entity) {
        Some(0)
    } else if world.has::<Square>(entity) {
        Some(1)
    } else if world.has::<(Width, Height)>(entity) {
        Some(2)
    } else {
        None
    }
}

fn number(shape: &Shape) -> u8 {
    match shape {
        Shape::Circle(_) => 0,
        Shape::Square { .. } => 1,
        Shape::Box(..) => 2,
    }
}

#[test]
fn random_worlds_match_enums_in_every_way_of_iterating() {
    let rounds = std::env::var("ECS_ENUM_ROUNDS").map_or(30, |rounds| rounds.parse().unwrap());
    let mut numbers = Numbers(38);
    for round in 0..rounds {
        let mut world = World::new();
        // Few that match, or many; on one page, or several.
        let (len, one_in) = ([50, 700, 5000][round % 3], [2, 3, 40][round / 3 % 3]);
        for _ in 0..len {
            let entity = world.spawn_empty().id();
            let mut has = || numbers.below(one_in) == 0;
            if has() {
                world.insert(entity, Circle(1.0)).unwrap();
            }
            if has() {
                world.insert(entity, Square(1.0)).unwrap();
            }
            if has() {
                world.insert(entity, Width(1.0)).unwrap();
            }
            if has() {
                world.insert(entity, Height(1.0)).unwrap();
            }
            if has() {
                world.insert(entity, Hidden).unwrap();
            }
        }
        let mut all: Vec<Entity> = world.entities().collect();
        all.sort();
        for is_hidden in [false, true] {
            let wanted: Vec<(Entity, u8)> = all
                .iter()
                .filter(|&&entity| !is_hidden || world.has::<Hidden>(entity))
                .filter_map(|&entity| Some((entity, expected(&world, entity)?)))
                .collect();
            let sorted = |mut seen: Vec<(Entity, u8)>| {
                seen.sort();
                seen
            };
            let see = |(entity, shape): (Entity, Shape)| (entity, number(&shape));
            if is_hidden {
                let view = world.view::<(Entity, Shape, With<Hidden>)>();
                assert_eq!(sorted(view.iter().map(see).collect()), wanted);
                assert_eq!(view.count(), wanted.len());
                continue;
            }
            let view = world.view::<(Entity, Shape)>();
            assert_eq!(view.count(), wanted.len());
            assert_eq!(view.is_empty(), wanted.is_empty());
            assert_eq!(sorted(view.iter().map(see).collect()), wanted);
            assert_eq!(sorted(view.iter_many(&all).map(see).collect()), wanted);
            let mut seen = Vec::new();
            view.for_each(|item| seen.push(see(item)));
            assert_eq!(sorted(seen), wanted);
            for &entity in &all {
                let shape = world.view::<Shape>().get(entity).map(|shape| number(&shape));
                assert_eq!(shape, expected(&world, entity));
            }
        }
    }
}
