//! Relations: both ends in step, whatever happens to either.
#![expect(clippy::many_single_char_names, reason = "families whose members have letters")]

use crate::fixtures::{Door, Ledger, Tag, Tracked, panics};
use ecs::{
    ChildOf, Component, DespawnError, Entity, Group, NoSuchEntityError, Query, RelateError,
    Removed, Up, With, World,
};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

/// May form circles; is lost when the target ends.
#[derive(Component, Clone, Copy, Debug, PartialEq)]
#[component(relation)]
struct Likes(Entity);

/// Has another field of its type, and is read by its veto.
#[derive(Component, Clone, Copy, Debug, PartialEq)]
#[component(relation, veto = Tied::may_go)]
struct Tied {
    #[component(target)]
    to: Entity,
    by: Entity,
}

impl Tied {
    fn may_go(&self) -> bool {
        self.to != self.by
    }
}

/// Goes to the parent of its carrier, or is let fall.
#[derive(Component, Clone, Copy, Debug, PartialEq)]
#[component(relation, at_end = CarriedBy::pass_on, acyclic)]
struct CarriedBy {
    hero: Entity,
    weight: u32,
}

#[derive(Component, Debug, PartialEq)]
struct Fallen(u32);

impl CarriedBy {
    fn pass_on(world: &mut World, item: Entity, was: Self) {
        assert!(world.is_alive(was.hero) && !world.has::<Self>(item));
        match world.parent(was.hero) {
            Some(hero) => world.insert(item, Self { hero, ..was }).unwrap(),
            None => world.insert(item, Fallen(was.weight)).unwrap(),
        }
    }
}

fn empty<const N: usize>(world: &mut World) -> [Entity; N] {
    [(); N].map(|()| world.spawn_empty().id())
}

fn children(world: &World, parent: Entity) -> Vec<Entity> {
    world.check_invariants();
    let children = world.children(parent);
    assert_eq!(children.len(), children.clone().count());
    assert!(children.clone().rev().eq(children.clone().collect::<Vec<_>>().into_iter().rev()));
    let mut rest = children.clone();
    for left in (0..children.len()).rev() {
        let next = if left % 3 == 0 { rest.next() } else { rest.next_back() };
        assert!(next.is_some_and(|child| world.parent(child) == Some(parent)));
        assert_eq!((rest.len(), rest.size_hint()), (left, (left, Some(left))));
    }
    assert!(rest.next().is_none() && rest.next_back().is_none() && rest.len() == 0);
    children.collect()
}

#[test]
fn every_insertion_of_a_relation_updates_both_ends() {
    let mut world = World::new();
    let [root, other, a, b, c] = empty(&mut world);
    world.insert(a, ChildOf(root)).unwrap();
    world.insert(b, (Tag, (ChildOf(root), Likes(a)))).unwrap();
    world.insert_if_absent(c, ChildOf(root)).unwrap();
    world.insert_if_absent(c, (ChildOf(other), Tag)).unwrap(); // stays where it is
    let d = world.spawn((Tag, ChildOf(root))).id();
    let [e, f] = world.spawn_batch([(ChildOf(root), Tag), (ChildOf(root), Tag)])[..] else {
        unreachable!()
    };
    let [g] = world.spawn_batch([ChildOf(root)])[..] else { unreachable!() };
    assert_eq!(children(&world, root), [a, b, c, d, e, f, g]);

    // Inserted again, it keeps its place; elsewhere, it moves.
    world.insert(a, ChildOf(root)).unwrap();
    assert_eq!(world.replace(b, ChildOf(other)), Ok(Some(ChildOf(root))));
    assert_eq!(world.replace(other, ChildOf(root)), Ok(None));
    world.entity_mut(c).insert(ChildOf(other));
    assert_eq!(children(&world, root), [a, d, e, f, g, other]);
    assert_eq!(children(&world, other), [b, c]);

    world.insert_batch([(a, ChildOf(other)), (d, ChildOf(other)), (a, ChildOf(root))]).unwrap();
    assert_eq!(children(&world, root), [e, f, g, other, a]);
    assert_eq!(children(&world, other), [b, c, d]);
    assert!(world.related::<Likes>(a).eq([b]));
    assert_eq!((world.parent(b), world.target_of::<Likes>(b)), (Some(other), Some(a)));
}

#[test]
fn every_removal_of_a_relation_updates_both_ends() {
    let mut world = World::new();
    let [root] = empty(&mut world);
    let all = world.spawn_batch((0..40).map(|_| (ChildOf(root), Tag)));
    assert_eq!(world.remove::<ChildOf>(all[0]), Some(ChildOf(root)));
    assert_eq!(world.take::<(ChildOf, Tag)>(all[1]), Some((ChildOf(root), Tag)));
    world.remove_except::<Tag>(all[2]).unwrap();
    assert_eq!(world.remove_batch::<ChildOf>(&all[..5]), 2);
    assert_eq!(children(&world, root), all[5..]);
    world.despawn(all[5]).unwrap();
    world.despawn_batch(&all[6..8]);
    assert_eq!(children(&world, root), all[8..]);
    world.despawn_batch(&all[8..30]); // swept out
    assert_eq!(children(&world, root), all[30..]);
    world.pool_mut::<ChildOf>().swap(all[30], all[31]).unwrap();
    assert_eq!(children(&world, root), all[30..]); // the pool's order is its own
    assert_eq!(world.pool_mut::<ChildOf>().drain().count(), 10);
    assert_eq!(children(&world, root), []);
    world.insert_batch(all[30..].iter().map(|&child| (child, ChildOf(root)))).unwrap();
    world.pool_mut::<ChildOf>().clear();
    assert_eq!(children(&world, root), []);
    world.insert(all[30], ChildOf(root)).unwrap();
    world.clear();
    assert_eq!(children(&world, root), []);
    let [new] = empty(&mut world);
    assert_eq!(children(&world, new), []);
}

#[test]
fn a_required_component_may_be_a_relation() {
    static HOME: AtomicUsize = AtomicUsize::new(0);
    fn home() -> Entity {
        format!("{}v1", HOME.load(Ordering::Relaxed)).parse().unwrap()
    }
    #[derive(Component)]
    #[component(requires(Likes = Likes(home())))]
    struct Guest;
    let mut world = World::new();
    let [home, late] = empty(&mut world);
    let one = world.spawn(Guest).id();
    world.insert(late, Guest).unwrap();
    let both = world.spawn_batch([Guest, Guest]);
    world.check_invariants();
    assert!(world.related::<Likes>(home).eq([one, late, both[0], both[1]]));

    HOME.store(99, Ordering::Relaxed);
    let words = panics(|| world.spawn(Guest).id()).unwrap();
    assert_eq!(words, "`Likes` would point to no entity: 99v1 is not alive");
    world.check_invariants();
}

#[test]
fn a_target_that_is_not_alive_is_refused() {
    let mut world = World::new();
    let [dead, entity] = empty(&mut world);
    world.despawn(dead).unwrap();
    let before = world.len();
    assert_eq!(world.insert(entity, (Tag, ChildOf(dead))), Err(NoSuchEntityError(dead)));
    assert_eq!(world.insert_if_absent(entity, ChildOf(dead)), Err(NoSuchEntityError(dead)));
    assert_eq!(world.replace(entity, ChildOf(dead)), Err(NoSuchEntityError(dead)));
    assert_eq!(world.relate(entity, Likes(dead)), Err(RelateError::NoSuchTarget("Likes", dead)));
    assert_eq!(world.relate(dead, Likes(entity)), Err(RelateError::NoSuchEntity(dead)));
    assert_eq!(world.attach(dead, entity), Err(RelateError::NoSuchEntity(dead)));
    let [other] = empty(&mut world);
    let error = world
        .insert_batch([(entity, Likes(dead)), (entity, Likes(other)), (other, Likes(dead))])
        .unwrap_err();
    assert_eq!((error.first, error.count), (dead, 2));
    assert_eq!(world.target_of::<Likes>(entity), Some(other));
    assert!(!world.has::<Tag>(entity));
    let words = panics(|| world.spawn((Tag, ChildOf(dead))).id()).unwrap();
    assert!(
        words.starts_with("`ChildOf` would point to no entity: 0v1 is not alive; of an"),
        "{words}"
    );
    let words = panics(|| world.entity_mut(entity).insert(ChildOf(dead)).id()).unwrap();
    assert!(words.starts_with("no such entity: 0v1, to which a relation would point"), "{words}");
    world.check_invariants();
    assert_eq!(world.len(), before + 1);

    // A batch leaves those before it.
    let rows = [ChildOf(entity), ChildOf(entity), ChildOf(dead), ChildOf(entity)];
    assert!(panics(|| world.spawn_batch(rows)).is_some());
    assert_eq!((children(&world, entity).len(), world.len()), (2, before + 3));

    // A reserved entity is alive.
    let reserved = world.reserve_entity();
    let child = world.spawn(ChildOf(reserved)).id();
    assert_eq!(children(&world, reserved), [child]);
}

#[test]
fn circles_are_refused_where_they_may_not_be() {
    let mut world = World::new();
    let [a, b, c, d] = empty(&mut world);
    assert_eq!(world.attach(a, a), Err(RelateError::Circle("ChildOf", vec![a])));
    world.attach(b, a).unwrap();
    world.attach(c, b).unwrap();
    world.attach(d, b).unwrap();
    let error = world.attach(a, c).unwrap_err();
    assert_eq!(error, RelateError::Circle("ChildOf", vec![a, c, b]));
    assert_eq!(error.to_string(), "`ChildOf` would close a circle: 0v1 -> 2v1 -> 1v1 -> 0v1");
    let words = panics(|| world.insert(b, (ChildOf(d), Tag))).unwrap();
    assert!(words.ends_with("1v1 -> 3v1 -> 1v1; `World::relate` returns this error"), "{words}");
    assert!(panics(|| world.insert_batch([(d, ChildOf(a)), (a, ChildOf(d))])).is_some());
    assert!(!world.has::<Tag>(b));
    assert_eq!((children(&world, a), world.parent(a)), (vec![b, d], None));

    // Others may: such a one ends all the same.
    world.relate(a, Likes(a)).unwrap();
    world.relate(b, Likes(c)).unwrap();
    world.relate(c, Likes(b)).unwrap();
    world.check_invariants();
    world.despawn(a).unwrap();
    assert!(world.is_empty());
    world.check_invariants();
}

#[test]
fn a_long_cycle_is_abbreviated_in_the_error() {
    let mut world = World::new();
    let all: Vec<_> = (0..100).map(|_| world.spawn_empty().id()).collect();
    all.windows(2).for_each(|two| world.attach(two[1], two[0]).unwrap());
    let error = world.attach(all[0], all[99]).unwrap_err();
    assert!(matches!(&error, RelateError::Circle(_, circle) if circle.len() == 100));
    assert!(error.to_string().ends_with(" -> 93v1 -> (92 more) -> 0v1"), "{error}");
}

#[test]
fn the_end_of_a_target() {
    let mut world = World::new();
    let [root, hero, friend, item] = empty(&mut world);
    world.attach(hero, root).unwrap();
    world.insert(friend, Likes(hero)).unwrap();
    world.insert(item, CarriedBy { hero, weight: 3 }).unwrap();
    world.despawn(hero).unwrap();
    world.check_invariants();
    assert!(!world.has::<Likes>(friend));
    assert_eq!(world.get::<CarriedBy>(item), Some(&CarriedBy { hero: root, weight: 3 }));
    assert_eq!(children(&world, root), []);
    world.despawn_batch(&[root, friend]);
    assert_eq!(world.get::<Fallen>(item), Some(&Fallen(3)));
    assert_eq!(world.len(), 1);
    world.check_invariants();
}

#[test]
fn entities_passed_on_to_a_dying_target_are_passed_on_again() {
    let mut world = World::new();
    let [root, hero] = empty(&mut world);
    world.attach(hero, root).unwrap();
    let item = world.spawn(CarriedBy { hero, weight: 3 }).id();
    assert_eq!(world.despawn_batch(&[hero, root]), 2);
    world.check_invariants();
    assert_eq!(world.get::<Fallen>(item), Some(&Fallen(3)));
    assert!(world.entities().eq([item]));
}

#[test]
fn a_tree_ends_together() {
    let mut world = World::new();
    let [root] = empty(&mut world);
    let level = world.spawn_batch((0..10).map(|_| ChildOf(root)));
    let leaves: Vec<_> =
        level.iter().map(|&it| world.spawn((ChildOf(it), Likes(it))).id()).collect();
    let watcher = world.spawn(Likes(leaves[3])).id();
    assert_eq!(world.despawn_batch(&[leaves[0], level[0], leaves[0], level[1]]), 4);
    assert_eq!(children(&world, root), level[2..]);
    world.despawn(root).unwrap();
    assert!(world.entities().eq([watcher]) && !world.has::<Likes>(watcher));
    world.check_invariants();
}

#[test]
fn a_veto_keeps_the_whole_tree() {
    let mut world = World::new();
    let [root, other] = empty(&mut world);
    let child = world.spawn(ChildOf(root)).id();
    let door = world.spawn((Door { locked: true, asked: 0 }, ChildOf(child))).id();
    assert_eq!(world.despawn(root), Err(DespawnError::Refused(door, "Door")));
    assert_eq!(world.despawn_batch(&[root, other, child]), 1);
    assert_eq!((children(&world, root), children(&world, child)), (vec![child], vec![door]));
    world.get_mut::<Door>(door).unwrap().locked = false;

    // The veto of a relation that would be lost, too; it only reads.
    let [by] = empty(&mut world);
    world.insert(by, Tied { to: child, by: child }).unwrap();
    assert_eq!(world.despawn(root), Err(DespawnError::Refused(by, "Tied")));
    assert_eq!(world.remove::<Tied>(by), None);
    world.insert(by, Tied { to: child, by }).unwrap();
    assert_eq!(world.despawn(root), Ok(()));
    assert!(world.entities().eq([by]) && !world.has::<Tied>(by));
    world.check_invariants();
}

#[test]
fn siblings_have_an_order() {
    let mut world = World::new();
    let [root] = empty(&mut world);
    let all = world.spawn_batch((0..6).map(|_| ChildOf(root)));
    let [a, b, c, d, e, f] = all[..] else { unreachable!() };
    world.detach(b).unwrap();
    world.attach(b, root).unwrap();
    world.move_related::<ChildOf>(b, 0);
    assert_eq!(children(&world, root), [b, a, c, d, e, f]);
    world.attach(b, root).unwrap();
    world.move_related::<ChildOf>(b, 99);
    assert!(world.move_related::<ChildOf>(f, 2) && !world.move_related::<ChildOf>(root, 0));
    assert_eq!(children(&world, root), [a, c, f, d, e, b]);
    world.detach(d).unwrap();
    assert!(
        world.swap_related::<ChildOf>(a, b)
            && !world.swap_related::<ChildOf>(a, d)
            && !world.swap_related::<ChildOf>(a, root)
    );
    assert_eq!(children(&world, root), [b, c, f, e, a]);
    world.sort_related_by::<ChildOf>(root, |_, a, b| b.index().cmp(&a.index()));
    assert_eq!(children(&world, root), [f, e, c, b, a]);
    assert!(panics(|| world.sort_related_by::<ChildOf>(root, |_, _, _| panic!("no"))).is_some());
    assert_eq!(children(&world, root), [f, e, c, b, a]);
    world.shrink_to_fit();
    world.detach(f).unwrap();
    assert_eq!(children(&world, root), [e, c, b, a]);
}

#[test]
fn trap_25_a_child_twice_and_the_child_of_another() {
    let mut world = World::new();
    let [root, other, a, b] = empty(&mut world);
    for _ in 0..2 {
        world.attach(a, root).unwrap();
        world.insert(a, ChildOf(root)).unwrap();
        world.insert_batch([(a, ChildOf(root)), (b, ChildOf(root)), (a, ChildOf(root))]).unwrap();
    }
    assert_eq!(children(&world, root), [a, b]);
    world.attach(a, other).unwrap();
    assert_eq!((children(&world, root), children(&world, other)), (vec![b], vec![a]));
    // An entity that is no child of it cannot be taken from it, nor put or sorted among its children.
    assert!(!world.swap_related::<ChildOf>(a, b) && !world.move_related::<ChildOf>(root, 0));
    assert_eq!((world.detach(root), world.detach(a)), (None, Some(other)));
    assert_eq!((children(&world, root), children(&world, other)), (vec![b], vec![]));
    world.despawn(other).unwrap();
    assert!(world.is_alive(a), "it is no child any more");
}

#[test]
fn walks_along_a_tree() {
    let mut world = World::new();
    let [root, lone] = empty(&mut world);
    let [a, b, c] = [(); 3].map(|()| world.spawn(ChildOf(root)).id());
    let [d, e] = [(); 2].map(|()| world.spawn(ChildOf(b)).id());
    let f = world.spawn(ChildOf(e)).id();
    assert!(world.descendants_of::<ChildOf>(root).eq([a, b, d, e, f, c]));
    assert!(world.descendants_of::<ChildOf>(b).eq([d, e, f]));
    assert_eq!(
        (world.descendants_of::<ChildOf>(c).count(), world.descendants_of::<ChildOf>(lone).count()),
        (0, 0)
    );
    assert!(world.ancestors_of::<ChildOf>(f).eq([e, b, root]));
    assert!(world.roots_of::<ChildOf>().eq([root]));
    assert_eq!(world.by_depth::<ChildOf>(), [root, a, b, c, d, e, f]);
    assert_eq!(World::new().by_depth::<ChildOf>(), []);
}

#[test]
fn a_chain_of_a_million_does_not_overflow() {
    static GONE: AtomicUsize = AtomicUsize::new(0);
    let links = if cfg!(debug_assertions) { 100_000 } else { 1_000_000 };
    let mut world = World::new();
    let mut last = world.spawn_empty().id();
    let root = last;
    for _ in 0..links {
        last = world.spawn(ChildOf(last)).id();
    }
    assert_eq!(world.descendants_of::<ChildOf>(root).last(), Some(last));
    assert_eq!(world.ancestors_of::<ChildOf>(last).last(), Some(root));
    assert_eq!(world.by_depth::<ChildOf>().last(), Some(&last));
    assert!(world.attach(root, last).is_err());
    world.check_invariants();
    world.despawn(root).unwrap();
    assert!(world.is_empty());
    world.check_invariants();

    // From below, with notifications.
    world.on_remove::<ChildOf>(|world, child| {
        assert!(world.parent(child).is_some());
        GONE.fetch_add(1, Ordering::Relaxed);
    });
    let mut top = world.spawn_empty().id();
    for _ in 0..10_000 {
        let parent = world.spawn_empty().id();
        world.attach(top, parent).unwrap();
        top = parent;
    }
    world.despawn(top).unwrap();
    assert_eq!((world.len(), GONE.load(Ordering::Relaxed)), (0, 10_000));
}

#[test]
fn children_leave_from_either_end_in_time() {
    let mut world = World::new();
    let [root] = empty(&mut world);
    for from_behind in [false, true] {
        let all = world.spawn_batch((0..20_000).map(|_| ChildOf(root)));
        let mut left = all.len();
        let next = |world: &World| {
            let mut children = world.children(root);
            if from_behind { children.next_back() } else { children.next() }
        };
        while let Some(child) = next(&world) {
            world.detach(child).unwrap();
            left -= 1;
        }
        assert_eq!(left, 0);
        world.check_invariants();
    }
}

#[test]
fn observers_are_notified_of_entities_that_end_with_a_target() {
    #[derive(Component, Default)]
    struct Told(Vec<String>);
    fn tell(world: &mut World, what: &str, entity: Entity) {
        let log = world.view::<With<Told>>().single().unwrap();
        world.get_mut::<Told>(log).unwrap().0.push(format!("{what} {entity}"));
    }
    let mut world = World::new();
    world.spawn(Told::default());
    world.on_remove::<ChildOf>(|world, entity| tell(world, "child", entity));
    world.on_remove::<Likes>(|world, entity| tell(world, "likes", entity));
    world.on_remove::<Tag>(|world, entity| tell(world, "tag", entity));
    let root = world.spawn(Tag).id();
    let a = world.spawn((ChildOf(root), Tag)).id();
    let b = world.spawn(ChildOf(a)).id();
    world.spawn(Likes(b));
    world.despawn(root).unwrap();
    let mut log = world.view::<&Told>().single().unwrap().1.0.clone();
    log[1..3].sort(); // of one entity, in the order of the components' numbers
    assert_eq!(
        log,
        ["tag 1v1", "child 2v1", "tag 2v1", "child 3v1", "likes 4v1"].map(String::from)
    );
    world.check_invariants();
}

#[test]
fn children_that_an_observer_saves_stay_and_the_others_end_in_order() {
    #[derive(Component)]
    struct Number(usize);
    let ended = Arc::new(Mutex::new(Vec::new()));
    let mut world = World::new();
    let parent = world.spawn(Number(0)).id();
    let rows = (1..100).map(|at| (Number(at), ChildOf(parent)));
    let children = world.spawn_batch(rows);
    let (log, saved) = (ended.clone(), children.clone());
    world.on_remove::<Number>(move |world, entity| {
        let number = world.get::<Number>(entity).unwrap().0;
        log.lock().unwrap().push(number);
        // Each third one saves the second one after it.
        if number.is_multiple_of(3)
            && let Some(child) = saved.get(number + 1)
        {
            world.detach(*child);
        }
    });
    world.despawn(parent).unwrap();
    let stay = |number: usize| number % 3 == 2;
    assert!(ended.lock().unwrap().iter().copied().eq((0..100).filter(|number| !stay(*number))));
    for (at, child) in children.iter().enumerate() {
        assert_eq!(world.is_alive(*child), stay(at + 1), "{at}");
    }
    world.check_invariants();
}

#[test]
fn an_observer_may_save_entities_that_were_not_notified() {
    let mut world = World::new();
    world.on_remove::<Tag>(|world, ship| {
        for crew in world.children(ship).collect::<Vec<_>>() {
            world.detach(crew);
        }
    });
    let ship = world.spawn(Tag).id();
    let crew = world.spawn_batch([ChildOf(ship), ChildOf(ship)]);
    let dog = world.spawn(ChildOf(crew[0])).id();
    world.despawn(ship).unwrap();
    assert!(!world.is_alive(ship) && crew.iter().chain([&dog]).all(|&it| world.is_alive(it)));
    assert_eq!(children(&world, crew[0]), [dog]);
}

#[test]
fn a_source_retargeted_during_a_despawn_keeps_its_relation() {
    #[derive(Component)]
    struct Other(Entity);
    let ends: [fn(&mut World, Entity); 3] = [
        |world, target| world.despawn(target).unwrap(),
        |world, target| assert_eq!(world.despawn_batch(&[target, target]), 1),
        |world, target| {
            let beside = world.spawn_empty().id();
            assert_eq!(world.despawn_batch(&[beside, target]), 2);
        },
    ];
    for end in ends {
        let mut world = World::new();
        let [target, other] = empty(&mut world);
        let sources = world.spawn_batch((0..4).map(|_| (Likes(target), Other(other))));
        let last = sources[3];
        world.on_remove::<Likes>(move |world, entity| {
            let &Other(other) = world.get::<Other>(entity).unwrap();
            if entity != last && world.target_of::<Likes>(last) != Some(other) {
                world.insert(last, Likes(other)).unwrap();
            }
        });
        end(&mut world, target);
        world.check_invariants();
        assert_eq!(world.target_of::<Likes>(last), Some(other));
        assert!(sources[..3].iter().all(|it| world.is_alive(*it) && !world.has::<Likes>(*it)));
        assert!(world.related::<Likes>(other).eq([last]));
    }
}

#[test]
fn vetoes_of_children_attached_during_a_despawn_are_respected() {
    for locked in [false, true] {
        let mut world = World::new();
        world.on_remove::<Tag>(move |world, ship| {
            let door = world.spawn((Door { locked, asked: 0 }, ChildOf(ship))).id();
            world.spawn(ChildOf(door));
        });
        let ship = world.spawn(Tag).id();
        world.despawn(ship).unwrap();
        world.check_invariants();
        assert_eq!(world.view::<&Door>().count(), usize::from(locked));
        // The child of a locked door stays with it.
        assert_eq!(world.len(), if locked { 2 } else { 0 });
        for (door, _) in world.view::<&Door>() {
            assert_eq!((world.parent(door), world.children(door).len()), (None, 1));
        }
    }
}

#[test]
fn despawn_batch_counts_entities_despawned_by_observers() {
    let mut world = World::new();
    let targets: [Entity; 3] = empty(&mut world);
    let source = world.spawn(Likes(targets[0])).id();
    let last = targets[2];
    world.on_remove::<Likes>(move |world, _| world.despawn(last).unwrap());
    assert_eq!(world.despawn_batch(&targets), 3);
    assert!(world.entities().eq([source]));
    world.check_invariants();
}

/// A present relation is not inserted again, so the target of the new value is not checked.
#[test]
fn insert_if_absent_does_not_check_relations_that_are_present() {
    let mut world = World::new();
    let [root, child, dead] = empty(&mut world);
    world.despawn(dead).unwrap();
    world.attach(child, root).unwrap();
    world.insert(root, Likes(child)).unwrap();
    world.insert_if_absent(child, (ChildOf(dead), Tag)).unwrap();
    world.insert_if_absent(root, Likes(dead)).unwrap();
    assert!(world.has::<Tag>(child) && world.parent(child) == Some(root));
    // Nor is it checked for cycles.
    world.insert_if_absent(child, ChildOf(child)).unwrap();
    assert_eq!((world.parent(child), world.target_of::<Likes>(root)), (Some(root), Some(child)));
    assert_eq!(world.insert_if_absent(root, ChildOf(dead)), Err(NoSuchEntityError(dead)));
    assert!(panics(|| world.insert_if_absent(root, ChildOf(child))).is_some());
    assert_eq!(children(&world, root), [child]);
}

/// Each detached child leaves a gap in the list of its parent.
#[test]
fn lists_of_children_do_not_grow_when_children_leave_and_return() {
    let mut world = World::new();
    let [root] = empty(&mut world);
    let all = world.spawn_batch((0..20).map(|_| ChildOf(root)));
    let mut after_some = 0;
    for round in 0..2_000 {
        let child = all[round * 7 % all.len()];
        world.detach(child).unwrap();
        world.attach(child, root).unwrap();
        if round == 200 {
            after_some = world.memory_usage().total();
        }
    }
    assert_eq!(world.memory_usage().total(), after_some);
    assert_eq!(children(&world, root).len(), 20);
}

#[test]
fn sorting_children_is_stable() {
    let mut world = World::new();
    let [root] = empty(&mut world);
    let all = world.spawn_batch((0..200).map(|_| ChildOf(root)));
    world.sort_related_by::<ChildOf>(root, |_, a, b| (a.index() % 3).cmp(&(b.index() % 3)));
    let mut expected = all;
    expected.sort_by_key(|it| it.index() % 3);
    assert_eq!(children(&world, root), expected);
}

#[test]
fn an_observer_may_do_anything_while_a_tree_ends() {
    type Deed = fn(&mut World, Entity);
    let deeds: [Deed; 8] = [
        |world, entity| _ = world.despawn(entity),
        |world, entity| _ = world.spawn(ChildOf(entity)),
        |world, entity| {
            let up = world.parent(entity).unwrap_or(entity);
            _ = world.despawn(up);
        },
        |world, entity| {
            for child in world.children(entity).collect::<Vec<_>>() {
                _ = world.despawn(child);
            }
        },
        |world, _| world.clear(),
        |world, _| *world = World::new(),
        |world, entity| {
            let all: Vec<_> = world.entities().collect();
            all.iter().for_each(|&it| _ = world.relate(it, Likes(entity)));
        },
        |world, entity| {
            _ = world.remove::<ChildOf>(entity);
            panic!("in the midst of it");
        },
    ];
    for deed in deeds {
        for batch in [false, true] {
            let mut world = World::new();
            let root = world.spawn(Tag).id();
            let level = world.spawn_batch((0..4).map(|_| (ChildOf(root), Tag)));
            let leaves: Vec<_> =
                level.iter().map(|&it| world.spawn((ChildOf(it), Tag)).id()).collect();
            world.spawn_batch(leaves.iter().map(|&it| Likes(it)));
            world.on_remove::<Tag>(deed);
            if batch {
                world.on_batch::<Removed<Tag>>(|_, _| {});
                _ = panics(|| world.despawn_batch(&[level[2], root, leaves[1]]));
            } else {
                _ = panics(|| world.despawn(root));
            }
            world.check_invariants();
            _ = panics(|| world.clear());
            world.check_invariants();
        }
    }
}

#[test]
fn endless_observers_panic_with_advice() {
    let mut world = World::new();
    world.on_remove::<ChildOf>(|world, child| {
        let parent = world.parent(child).unwrap();
        world.spawn(ChildOf(parent));
    });
    let [root] = empty(&mut world);
    world.spawn(ChildOf(root));
    assert!(panics(|| world.despawn(root)).is_some());
    world.check_invariants();
}

#[test]
fn a_panic_while_a_tree_ends_leaves_both_ends() {
    let ledger = Ledger::default();
    let mut world = World::new();
    let [root] = empty(&mut world);
    let a = world.spawn((ChildOf(root), ledger.bomb())).id();
    world.spawn((ChildOf(a), ledger.tracked()));
    assert!(panics(|| world.despawn(root)).is_some());
    world.check_invariants();
    assert_eq!((world.len(), ledger.alive()), (0, 0));

    // A bundle whose later part replaces one that panics when it is dropped.
    let [root, other] = empty(&mut world);
    let child = world.spawn((ChildOf(root), ledger.bomb())).id();
    assert!(panics(|| world.insert(child, (ledger.tracked(), ChildOf(other)))).is_some());
    world.check_invariants();
    assert!(panics(|| world.insert(child, (ChildOf(other), ledger.tracked()))).is_none());
    assert_eq!(children(&world, other), [child]);

    // An iterator.
    let rows = (0..10).map(|at| {
        assert!(at < 4, "no more");
        (ChildOf(child), Tag)
    });
    assert!(panics(|| world.spawn_batch(rows)).is_some());
    assert_eq!(children(&world, child).len(), 4);
    drop(world);
    assert_eq!(ledger.alive(), 0);
    let _: Option<Tracked> = None;
}

#[test]
fn relations_in_groups_and_columns_beside() {
    let mut world = World::new();
    world.declare_group(Group::owning::<(ChildOf, Tag)>()).unwrap();
    let [root] = empty(&mut world);
    let all = world.spawn_batch((0..200).map(|_| (ChildOf(root), Tag)));
    world.remove_batch::<Tag>(&all[..50]);
    world.remove_batch::<ChildOf>(&all[25..75]);
    assert_eq!(children(&world, root).len(), 150);
    world.despawn_batch(&all[100..]);
    assert_eq!(children(&world, root), [&all[..25], &all[75..100]].concat());
    world.despawn(root).unwrap();
    world.check_invariants();
}

#[derive(Component, Debug, PartialEq)]
struct Local(i32);
#[derive(Component, Debug, PartialEq)]
#[component(layout = "soa")]
struct Pair {
    a: i32,
    b: i32,
}

#[test]
fn queries_look_up() {
    #[derive(Component)]
    struct Absent;
    #[derive(Query)]
    struct Step<'w> {
        absent: Option<&'w mut Absent>,
        up: Up<ChildOf, &'w Local>,
    }
    let mut world = World::new();
    let root = world.spawn((Local(100), Pair { a: 1, b: 2 })).id();
    let mid = world.spawn((Local(10), ChildOf(root))).id();
    let bare = world.spawn(ChildOf(mid)).id();
    let leaf = world.spawn((Local(1), ChildOf(bare))).id();
    let mut seen: BTreeMap<Entity, Option<i32>> = world
        .view::<(&Local, Up<ChildOf, &Local>)>()
        .iter()
        .map(|(entity, _, up)| (entity, up.map(|local| local.0)))
        .collect();
    assert_eq!(seen, BTreeMap::from([(mid, Some(100)), (leaf, None)]));
    let view = world.view::<(Option<Up<ChildOf, &Local>>, &Local)>();
    seen = view.iter().map(|(entity, up, _)| (entity, up.flatten().map(|it| it.0))).collect();
    assert_eq!(seen, BTreeMap::from([(root, None), (mid, Some(100)), (leaf, None)]));
    let (_, pair) = world.view::<Up<ChildOf, &Pair>>().get(mid).unwrap();
    assert_eq!(pair.map(|pair| (*pair.a, *pair.b)), Some((1, 2)));
    assert_eq!(world.view::<Up<ChildOf, &Local>>().count(), 3);
    assert!(world.view::<Up<ChildOf, &Local>>().get(root).is_none());

    for step in world.view_mut::<Step>() {
        assert!(step.absent.is_none());
        _ = step.up.get();
    }
    let mut members = 0;
    world.view::<Up<ChildOf, &Local>>().for_each_chunk(|(entities, _)| members += entities.len());
    assert_eq!(members, 3);

    // Writes and reads are of different entities.
    for (_, local, up) in world.view_mut::<(&mut Local, Up<ChildOf, &Pair>)>() {
        local.0 += up.map_or(0, |pair| *pair.a);
    }
    assert_eq!(world.get::<Local>(mid), Some(&Local(11)));
}

#[test]
fn despawn_batch_counts_those_that_end_with_one_entity() {
    let mut world = World::new();
    let root = world.spawn_empty().id();
    world.spawn_batch([ChildOf(root), ChildOf(root)]);
    assert_eq!(world.despawn_batch(&[root]), 3);
    assert_eq!(world.despawn_batch(&[root]), 0);
}
