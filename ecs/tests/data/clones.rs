//! Copies of components whose `Clone` changes their targets, or panics.

use ecs::by_name::Kind;
use ecs::{Component, Entity, MapEntities, World};
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

thread_local! {
    /// The target of cloned relations, if it changes; and whether they panic.
    static ELSEWHERE: Cell<Option<Entity>> = const { Cell::new(None) };
    static PANICS_IN: Cell<usize> = const { Cell::new(usize::MAX) };
}

fn count_down() {
    let left = PANICS_IN.get();
    PANICS_IN.set(left.wrapping_sub(1));
    assert!(left != 0, "no more");
}

#[derive(Component, Debug, PartialEq)]
#[component(clone, relation, acyclic, at_end = despawn)]
struct PartOf {
    #[component(target)]
    whole: Entity,
    #[component(entities)]
    maker: Entity,
    number: u32,
}

impl Clone for PartOf {
    fn clone(&self) -> Self {
        count_down();
        let whole = ELSEWHERE.get().unwrap_or(self.whole);
        Self { whole, maker: self.maker, number: self.number }
    }
}

#[derive(Component, Debug, PartialEq)]
#[component(clone, relation)]
struct Likes(Entity);

impl Clone for Likes {
    fn clone(&self) -> Self {
        count_down();
        Self(ELSEWHERE.get().unwrap_or(self.0))
    }
}

/// Handles in it are replaced by a function that may panic.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(clone)]
struct Orders(Order);

#[derive(Clone, Debug, PartialEq)]
struct Order(Entity);

impl MapEntities for Order {
    fn map_entities(&mut self, map: &mut dyn FnMut(Entity) -> Entity) {
        count_down();
        self.0.map_entities(map);
    }
    fn visit_entities(&self, visit: &mut dyn FnMut(Entity)) {
        self.0.visit_entities(visit);
    }
}

/// A whole, parts of it, and an entity that likes one of them; and an entity that is dead.
fn scene() -> (World, [Entity; 4], Entity) {
    let mut world = World::new();
    let dead = world.spawn_empty().id();
    let whole = world.spawn_named("whole").id();
    world.despawn(dead).unwrap();
    let part = |number| PartOf { whole, maker: whole, number };
    let [a, b] = [1, 2].map(|number| world.spawn(part(number)).id());
    let fan = world.spawn((Likes(a), Orders(Order(b)))).id();
    (world, [whole, a, b, fan], dead)
}

/// Panics unless both ends of all relations agree, and there are as many as these.
fn check(world: &World, parts: usize, likes: usize) {
    world.check_invariants();
    assert_eq!(world.view::<&PartOf>().count(), parts);
    for (part, of) in world.view::<&PartOf>() {
        assert!(world.related::<PartOf>(of.whole).any(|it| it == part));
    }
    assert_eq!(world.view::<&Likes>().count(), likes);
    for (fan, likes) in world.view::<&Likes>() {
        assert!(world.related::<Likes>(likes.0).eq([fan]) || likes.0.index() < 4);
    }
}

#[test]
fn copies_of_relations_point_where_the_originals_do() {
    let dead_or =
        |it: usize, entities: &[Entity; 4], dead| if it == 4 { dead } else { entities[it] };
    for elsewhere in 0..5 {
        let (mut world, entities, dead) = scene();
        let [whole, a, b, fan] = entities;
        ELSEWHERE.set(Some(dead_or(elsewhere, &entities, dead)));
        let mut copy = world.try_clone().unwrap();
        check(&copy, 2, 1);
        assert_eq!(copy.get::<PartOf>(b), world.get::<PartOf>(b));
        assert!(copy.related::<PartOf>(whole).eq([a, b]));
        assert_eq!(copy.target_of::<Likes>(fan), Some(a));
        copy.despawn(b).unwrap();
        copy.copy_from(&world).unwrap();
        check(&copy, 2, 1);
        assert!(copy.related::<PartOf>(whole).eq([a, b]));

        let made = world.spawn_copies(a, 3).unwrap();
        check(&world, 5, 1);
        assert!(world.related::<PartOf>(whole).eq([a, b, made[0], made[1], made[2]]));
        let made = world.spawn_copies_with::<PartOf>(whole, 2).unwrap();
        check(&world, 15, 1);
        assert!(made.iter().all(|whole| world.related::<PartOf>(*whole).len() == 5));
        let made = world.spawn_copies_of(&copy, 2).unwrap();
        check(&world, 19, 3);
        assert_eq!(world.target_of::<PartOf>(made[4]), Some(made[5]));
        world.copy_kind(Kind::of::<Likes>(), fan, whole).unwrap();
        assert_eq!(world.target_of::<Likes>(whole), Some(a));
        world.despawn(whole).unwrap();
        world.check_invariants();
    }
    ELSEWHERE.set(None);
}

#[test]
fn a_panic_while_something_is_copied_leaves_a_whole_world() {
    let edits: [fn(&mut World, &World, [Entity; 4]); 6] = [
        |world, other, _| world.copy_from(other).unwrap(),
        |_, other, _| _ = other.try_clone().unwrap(),
        |world, _, entities| _ = world.spawn_copies(entities[3], 3).unwrap(),
        |world, _, entities| _ = world.spawn_copies_with::<PartOf>(entities[0], 2).unwrap(),
        |world, other, _| _ = world.spawn_copies_of(other, 2).unwrap(),
        |world, _, _| _ = world.merge(&mut scene().0).unwrap(),
    ];
    for (number, edit) in edits.into_iter().enumerate() {
        for panics_in in 0.. {
            let (mut world, entities, dead) = scene();
            let (other, ..) = scene();
            let len = world.len();
            ELSEWHERE.set([None, Some(dead), Some(entities[2])][panics_in % 3]);
            PANICS_IN.set(panics_in);
            let result = catch_unwind(AssertUnwindSafe(|| edit(&mut world, &other, entities)));
            PANICS_IN.set(usize::MAX);
            world.check_invariants();
            if result.is_ok() {
                break;
            }
            // The entity for the copy is empty; nothing else was spawned.
            assert_eq!(world.len(), if number == 0 { 0 } else { len }, "{number}, {panics_in}");
            world.spawn_empty();
            world.check_invariants();
        }
    }
    ELSEWHERE.set(None);
}
