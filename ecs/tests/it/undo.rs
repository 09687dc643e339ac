//! Values and entities that are taken out of a world, and come back.

use ecs::by_name::{Despawned, Kind, KindError, OwnedValue, RestoreError};
use ecs::{ChildOf, Component, DespawnError, Entity, Group, Name, RelateError, RemoveError, World};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;

#[derive(Component, Debug, PartialEq)]
struct Health(u32);
/// Allows nothing by its attribute, and is stored in columns.
#[derive(Component, Debug, PartialEq)]
#[component(layout = "soa")]
struct Size {
    x: u32,
    label: String,
}
#[derive(Component, Debug)]
#[component(relation)]
struct Targets(Entity);
#[derive(Component, Debug)]
#[component(veto = Door::may_go)]
struct Door {
    is_open: bool,
}
impl Door {
    fn may_go(&mut self) -> bool {
        self.is_open
    }
}
#[derive(Component)]
#[component(track)]
struct Speed;

fn size(x: u32) -> Size {
    Size { x, label: x.to_string() }
}

#[test]
fn a_value_that_was_taken_by_kind_comes_back() {
    let mut world = World::new();
    world.declare_group(Group::owning::<(Health, Size)>()).unwrap();
    let all = world.spawn_batch((0..5).map(|at| (Health(at), size(at))));
    let taken = world.take_kind(Kind::of::<Size>(), all[2]).unwrap();
    assert_eq!((taken.kind(), format!("{taken:?}")), (Kind::of::<Size>(), "Size { .. }".into()));
    assert_eq!(world.view::<(&Health, &Size)>().count(), 4);
    world.insert_value(all[2], taken).unwrap();
    assert_eq!(world.view::<(&Health, &Size)>().count(), 5);
    assert_eq!(*world.get::<Size>(all[2]).unwrap().label, "2");
    world.check_invariants();
}

#[test]
fn a_taken_value_goes_to_other_entities_and_worlds() {
    let (mut world, mut other) = (World::new(), World::new());
    let [a, b] = [world.spawn(Health(3)).id(), world.spawn_empty().id()];
    let elsewhere = other.spawn_empty().id();
    let health = world.take_kind(Kind::of::<Health>(), a).unwrap();
    world.insert_value(b, health).unwrap();
    let health = world.take_kind(Kind::of::<Health>(), b).unwrap();
    other.insert_value(elsewhere, health).unwrap();
    let health = other.take_kind(Kind::of::<Health>(), elsewhere).unwrap();
    let health = health.into_inner::<Size>().unwrap_err();
    assert_eq!(health.into_inner::<Health>().unwrap(), Health(3));
}

#[test]
fn a_history_may_be_kept_by_other_threads() {
    fn is_shared<T: Send + Sync + 'static>() {}
    is_shared::<OwnedValue>();
    is_shared::<Despawned>();
}

#[test]
fn a_value_that_is_refused_is_returned() {
    let mut world = World::new();
    let [a, b] = [world.spawn(Health(3)).id(), world.spawn(Health(4)).id()];
    let health = world.take_kind(Kind::of::<Health>(), a).unwrap();
    let (health, error) = world.insert_value(b, health).unwrap_err();
    assert_eq!(error, KindError::Present(b, "Health"));
    assert_eq!(error.to_string(), format!("entity {b} has a `Health` already: remove it first"));
    world.despawn(b).unwrap();
    let (health, error) = world.insert_value(b, health).unwrap_err();
    assert_eq!(error, KindError::NoSuchEntity(b));
    world.insert_value(a, health).unwrap();
    let child = world.spawn(ChildOf(a)).id();
    let parent = world.take_kind(Kind::of::<ChildOf>(), child).unwrap();
    assert_eq!(world.children(a).len(), 0);
    world.despawn(a).unwrap();
    let (_, error) = world.insert_value(child, parent).unwrap_err();
    assert!(matches!(error, KindError::Relation(_)), "{error}");
}

#[test]
fn taking_by_kind_says_why_nothing_was_taken() {
    let mut world = World::new();
    let entity = world.spawn(Door { is_open: false }).id();
    let dead = world.spawn_empty().id();
    world.despawn(dead).unwrap();
    let mut take = |kind: Kind, entity| world.take_kind(kind, entity).unwrap_err();
    assert_eq!(take(Kind::of::<Door>(), entity), RemoveError::Refused(entity, "Door"));
    assert_eq!(take(Kind::of::<Health>(), entity), RemoveError::Missing(entity, "Health"));
    assert_eq!(take(Kind::of::<Health>(), dead), RemoveError::NoSuchEntity(dead));
}

#[test]
fn observers_are_notified_of_taken_and_restored_components() {
    let mut world = World::new();
    world.insert_resource(Seen::default());
    world.on_insert::<Health>(|world, _| world.resource_mut::<Seen>().0.push('+'));
    world.on_remove::<Health>(|world, _| world.resource_mut::<Seen>().0.push('-'));
    let entity = world.spawn(Health(1)).id();
    let health = world.take_kind(Kind::of::<Health>(), entity).unwrap();
    world.insert_value(entity, health).unwrap();
    let undo = world.take_entity(entity).unwrap();
    world.restore(undo).unwrap();
    assert_eq!(world.resource::<Seen>().0, "+-+-+");
}
#[derive(ecs::Resource, Default)]
struct Seen(String);

#[test]
fn a_despawned_tree_comes_back_under_its_handles() {
    let mut world = World::new();
    let root = world.spawn((Health(1), size(1))).id();
    let other = world.spawn(Health(9)).id();
    let children: Vec<_> = (0..3).map(|at| world.spawn((Health(at), ChildOf(root))).id()).collect();
    let leaf = world.spawn((Name::new("leaf"), ChildOf(children[1]), Targets(other))).id();
    let aims = world.spawn(Targets(root)).id();
    let undo = world.take_entity(root).unwrap();
    assert!(undo.entities().eq([root, children[0], children[1], children[2], leaf]));
    assert_eq!((world.len(), world.has::<&Targets>(aims)), (2, false));
    // The handles stay dead, and no other entity gets their indices.
    let more = world.spawn_batch((0..20).map(Health));
    assert!(undo.entities().all(|it| more.iter().all(|other| other.index() != it.index())));
    world.restore(undo).unwrap();
    world.check_invariants();
    assert!(world.children(root).eq(children.iter().copied()));
    assert_eq!(*world.get::<Size>(root).unwrap().label, "1");
    assert_eq!((world.name(leaf), world.target_of::<Targets>(leaf)), (Some("leaf"), Some(other)));
    assert_eq!(world.parent(leaf), Some(children[1]));
    // They end like others.
    world.despawn(root).unwrap();
    assert!(!world.is_alive(leaf));
    let again = world.spawn_empty().id();
    assert!(again.generation().get() > 1);
    world.check_invariants();
}

#[test]
fn a_despawn_that_is_refused_takes_nothing() {
    let mut world = World::new();
    let root = world.spawn(Health(1)).id();
    let door = world.spawn((Health(2), Door { is_open: false }, ChildOf(root))).id();
    let error = world.take_entity(root).unwrap_err();
    assert_eq!(error, DespawnError::Refused(door, "Door"));
    assert!(world.has::<&Health>(root) && world.has::<(&Health, &Door, &ChildOf)>(door));
    let dead = world.spawn_empty().id();
    world.despawn(dead).unwrap();
    assert_eq!(world.take_entity(dead).unwrap_err(), DespawnError::NoSuchEntity(dead));
}

#[test]
fn indices_come_back_when_an_undo_is_discarded() {
    let mut world = World::new();
    let entity = world.spawn(Health(1)).id();
    let taken = world.take_entity(entity).unwrap();
    world.discard(taken);
    let next = world.spawn_empty().id();
    assert_eq!((next.index(), next.generation().get()), (entity.index(), 2));
    // One that is dropped gives its index back, too, before new ones are used.
    drop(world.take_entity(next).unwrap());
    let third = world.spawn_empty().id();
    assert_eq!((third.index(), third.generation().get()), (entity.index(), 3));
    let others = world.spawn_batch((0..10).map(Health));
    others.iter().for_each(|it| drop(world.take_entity(*it).unwrap()));
    let again = world.spawn_batch((0..10).map(Health));
    assert!(again.iter().all(|it| it.index() <= 10), "{again:?}");
    world.check_invariants();
}

#[test]
fn dropped_entries_leave_no_memory_behind() {
    let mut world = World::new();
    let mut most = 0;
    for _ in 0..20_000 {
        let entity = world.spawn(Health(1)).id();
        most = most.max(entity.index());
        drop(world.take_entity(entity).unwrap());
    }
    assert!(most < 10, "{most}");
    // Many at once, on another thread.
    let all = world.spawn_batch((0..1_000).map(Health));
    let entries: Vec<_> = all.iter().map(|it| world.take_entity(*it).unwrap()).collect();
    std::thread::scope(|scope| scope.spawn(|| drop(entries)).join().unwrap());
    let again = world.spawn_batch((0..1_000).map(Health));
    assert!(again.iter().all(|it| it.index() < 1_010));
    // Indices that are kept are free after a clear.
    let kept: Vec<_> = again.iter().map(|it| world.take_entity(*it).unwrap()).collect();
    world.clear();
    assert!(world.spawn_batch((0..1_000).map(Health)).iter().all(|it| it.index() < 1_010));
    assert!(kept.into_iter().all(|it| world.restore(it).is_err()));
    world.check_invariants();
}

#[test]
fn entities_that_cannot_be_restored_are_returned() {
    let (mut world, mut other) = (World::new(), World::new());
    let entity = world.spawn(Health(1)).id();
    let undo = world.take_entity(entity).unwrap();
    other.spawn_empty();
    let undo = other.restore(undo).unwrap_err();
    assert_eq!(other.check_restore(&undo), Err(RestoreError::OtherWorld));
    // Another world that holds an equal handle.
    let mut twin = World::new();
    let equal = twin.spawn(Health(2)).id();
    let of_twin = twin.take_entity(equal).unwrap();
    assert_eq!(equal, entity);
    let undo = twin.restore(undo).unwrap_err();
    assert!(twin.is_empty());
    world.restore(undo).unwrap();
    assert_eq!((world.get::<Health>(entity), world.len()), (Some(&Health(1)), 1));
    twin.restore(of_twin).unwrap();
    assert_eq!(twin.get::<Health>(equal), Some(&Health(2)));
}

/// Also where the same handle would fit by chance.
#[test]
fn an_entry_ends_with_the_content_of_its_world() {
    let replaced: &[fn(&mut World)] = &[
        World::clear,
        |world| world.copy_from(&World::new()).unwrap(),
        #[cfg(feature = "serde")]
        |world| {
            let mut bytes = Vec::new();
            world.save().to_bytes(&mut bytes).unwrap();
            world.load(&bytes, &ecs::save::Limits::default()).unwrap();
        },
        |world| *world = world.try_clone().unwrap(),
    ];
    for replace in replaced {
        let mut world = World::new();
        let [entity, other] = [(); 2].map(|()| world.spawn_named("one").id());
        let undo = world.take_entity(entity).unwrap();
        replace(&mut world);
        let before = world.len();
        let undo = world.restore(undo).unwrap_err();
        assert_eq!(world.check_restore(&undo), Err(RestoreError::OtherWorld));
        assert_eq!((world.len(), world.is_alive(entity)), (before, false));
        world.discard(undo);
        let next = world.spawn_batch((0..4).map(Health));
        assert!(before == 0 || next.iter().all(|it| *it != entity && *it != other));
        world.check_invariants();
    }
    // The content of a world that is moved keeps its entries.
    let (mut world, mut moved) = (World::new(), World::new());
    let entity = world.spawn(Health(1)).id();
    let undo = world.take_entity(entity).unwrap();
    std::mem::swap(&mut world, &mut moved);
    let undo = world.restore(undo).unwrap_err();
    moved.restore(undo).unwrap();
    assert!(moved.has::<&Health>(entity));
}

fn children(world: &World, of: Entity) -> Vec<Entity> {
    world.children(of).collect()
}

#[test]
fn children_come_back_in_their_order() {
    for taken in [0, 1, 2, 3] {
        let mut world = World::new();
        let root = world.spawn_empty().id();
        let all = world.spawn_batch((0..4).map(|_| ChildOf(root)));
        let undo = world.take_entity(all[taken]).unwrap();
        world.restore(undo).unwrap();
        assert_eq!(children(&world, root), all);
        // Beside others that come and go.
        let undo = world.take_entity(all[taken]).unwrap();
        let last = world.spawn(ChildOf(root)).id();
        world.restore(undo).unwrap();
        assert_eq!(children(&world, root), [&all[..], &[last]].concat());
        let undo = world.take_entity(all[2]).unwrap();
        world.detach(all[1]).unwrap();
        world.restore(undo).unwrap();
        let last_of_all = [all[0], all[3], last, all[2]];
        assert_eq!(children(&world, root), last_of_all, "the one before it is gone");
        // With their parent.
        let undo = world.take_entity(root).unwrap();
        world.restore(undo).unwrap();
        assert_eq!(children(&world, root), last_of_all);
        world.check_invariants();
    }
}

#[test]
fn a_taken_relation_comes_back_in_its_place() {
    let mut world = World::new();
    let root = world.spawn_empty().id();
    let all = world.spawn_batch((0..4).map(|_| ChildOf(root)));
    let take =
        |world: &mut World, at: usize| world.take_kind(Kind::of::<ChildOf>(), all[at]).unwrap();
    for at in [0, 1, 2, 3] {
        let taken = take(&mut world, at);
        world.insert_value(all[at], taken).unwrap();
        assert_eq!(children(&world, root), all);
        // Several, in reverse order.
        let [first, second] = [at, (at + 1) % 4].map(|at| (at, take(&mut world, at)));
        for (at, relation) in [second, first] {
            world.insert_value(all[at], relation).unwrap();
        }
        assert_eq!(children(&world, root), all);
    }
    // Elsewhere, or without the one before it, it comes last.
    let other = world.spawn_empty().id();
    let taken = take(&mut world, 0);
    world.insert_value(other, taken).unwrap();
    assert_eq!(children(&world, root), [all[1], all[2], all[3], other]);
    let relation = take(&mut world, 2);
    world.detach(all[1]).unwrap();
    world.insert_value(all[2], relation).unwrap();
    assert_eq!(children(&world, root), [all[3], other, all[2]]);
    // In another world, handles are equal by chance.
    let mut copy = world.try_clone().unwrap();
    copy.detach(all[2]).unwrap();
    let (relation, error) = copy.insert_value(all[2], take(&mut world, 2)).unwrap_err();
    assert_eq!(error, KindError::OtherWorld);
    assert_eq!(children(&copy, root), [all[3], other]);
    world.insert_value(all[2], relation).unwrap();
    assert_eq!(children(&world, root), [all[3], other, all[2]]);
    world.check_invariants();
    copy.check_invariants();
}

#[test]
fn relations_that_others_lost_come_back() {
    let mut world = World::new();
    let boss = world.spawn(Health(9)).id();
    let guard = world.spawn(ChildOf(boss)).id();
    let all: Vec<_> = (0..4).map(|_| world.spawn(Targets(boss)).id()).collect();
    world.insert(guard, Targets(boss)).unwrap();
    world.move_related::<Targets>(guard, 1);
    let order: Vec<_> = world.related::<Targets>(boss).collect();
    world.on_insert::<Targets>(|world, it| assert!(world.target_of::<Targets>(it).is_some()));
    let undo = world.take_entity(boss).unwrap();
    assert!(all.iter().all(|it| world.is_alive(*it) && !world.has::<&Targets>(*it)));
    // One ends, and one has another aim by now: so it would be without the undo.
    world.despawn(all[0]).unwrap();
    world.insert(all[1], Targets(all[2])).unwrap();
    world.restore(undo).unwrap();
    world.check_invariants();
    assert!(
        world.related::<Targets>(boss).eq(order.into_iter().filter(|it| !all[..2].contains(it)))
    );
    assert_eq!(world.target_of::<Targets>(all[1]), Some(all[2]));
}

/// Passes on its parent's parent, or becomes a root.
#[derive(Component, Debug, Clone, PartialEq)]
#[component(relation, at_end = Under::pass_on, clone)]
struct Under {
    #[component(target)]
    parent: Entity,
    label: String,
}
impl Under {
    fn pass_on(world: &mut World, entity: Entity, this: Self) {
        if let Some(parent) = world.target_of::<ChildOf>(this.parent) {
            _ = world.insert(entity, Self { parent, ..this });
        }
    }
}
#[derive(Component, Debug)]
#[component(relation, at_end = Hung::fall)]
struct Hung(Entity);
impl Hung {
    fn fall(_: &mut World, _: Entity, _: Self) {}
}

#[test]
fn relations_with_a_function_for_the_end_come_back_by_a_copy() {
    let mut world = World::new();
    let top = world.spawn_empty().id();
    let middle = world.spawn(ChildOf(top)).id();
    let under = |parent| Under { parent, label: "a".to_owned() };
    let [a, b, c] = [(); 3].map(|()| world.spawn(under(middle)).id());
    let undo = world.take_entity(middle).unwrap();
    assert_eq!([a, b, c].map(|it| world.target_of::<Under>(it)), [Some(top); 3]);
    world.insert(c, under(a)).unwrap();
    world.restore(undo).unwrap();
    assert!(world.related::<Under>(middle).eq([a, b]) && world.related::<Under>(top).len() == 0);
    assert_eq!(
        (world.get::<Under>(a), world.get::<Under>(c)),
        (Some(&under(middle)), Some(&under(a)))
    );
    // It is passed on twice if both end.
    let undo = world.take_entity(top).unwrap();
    assert_eq!((world.has::<&Under>(a), world.len()), (false, 3));
    world.restore(undo).unwrap();
    assert!(world.related::<Under>(middle).eq([a, b]));
    world.check_invariants();

    let hung = world.spawn(Hung(middle)).id();
    let error = world.take_entity(top).unwrap_err();
    assert_eq!(error, DespawnError::Unrestorable(hung, "Hung"));
    assert_eq!(
        error.to_string(),
        format!(
            "the `Hung` of entity {hung} could not be given back, as `Hung` names a function for the end of its target: \
             add `clone` to its attribute, so that a copy is kept"
        )
    );
    assert!(world.is_alive(middle) && world.target_of::<Hung>(hung) == Some(middle));
}

#[test]
fn an_entry_that_others_depend_on_is_restored_first() {
    let mut world = World::new();
    let [boss, ship] = [(); 2].map(|()| world.spawn_empty().id());
    let gun = world.spawn((ChildOf(ship), Targets(boss))).id();
    let of_gun = world.take_entity(gun).unwrap();
    let of_ship = world.take_entity(ship).unwrap();
    let of_gun = world.restore(of_gun).unwrap_err();
    assert_eq!(world.check_restore(&of_gun), Err(RestoreError::Held("ChildOf", ship)));
    assert!(!world.is_alive(gun) && !world.is_alive(ship));
    world.restore(of_ship).unwrap();
    world.restore(of_gun).unwrap();
    assert_eq!(children(&world, ship), [gun]);
    assert_eq!(world.target_of::<Targets>(gun), Some(boss));
    // A source that lost its relation, and was taken out, too.
    let of_boss = world.take_entity(boss).unwrap();
    let of_gun = world.take_entity(gun).unwrap();
    let of_boss = world.restore(of_boss).unwrap_err();
    assert_eq!(world.check_restore(&of_boss), Err(RestoreError::Held("Targets", gun)));
    world.restore(of_gun).unwrap();
    world.restore(of_boss).unwrap();
    assert_eq!(world.target_of::<Targets>(gun), Some(boss));
    world.check_invariants();
}

#[test]
fn relations_to_entities_that_ended_since_are_left_out_or_refuse() {
    let mut world = World::new();
    let [boss, ship] = [(); 2].map(|()| world.spawn_empty().id());
    let gun = world.spawn((Health(1), ChildOf(ship), Targets(boss))).id();
    let undo = world.take_entity(gun).unwrap();
    world.despawn(boss).unwrap();
    world.restore(undo).unwrap();
    assert!(world.has::<(&Health, &ChildOf)>(gun) && !world.has::<&Targets>(gun));
    let undo = world.take_entity(gun).unwrap();
    world.despawn(ship).unwrap();
    let undo = world.restore(undo).unwrap_err();
    let error = world.check_restore(&undo).unwrap_err();
    assert_eq!(error, RestoreError::TargetEnded("ChildOf", ship));
    assert_eq!(
        error.to_string(),
        format!(
            "a `ChildOf` points to entity {ship}, which was despawned since: its source would have ended with it"
        )
    );
    assert!(world.is_empty());
}

#[test]
fn relations_that_would_close_a_circle_refuse() {
    let mut world = World::new();
    let [top, bottom] = [(); 2].map(|()| world.spawn_empty().id());
    let middle = world.spawn(ChildOf(top)).id();
    let undo = world.take_entity(middle).unwrap();
    world.restore(undo).unwrap();
    world.attach(bottom, middle).unwrap();
    // The middle is alone now: an entity that points to it would end with it.
    world.detach(bottom).unwrap();
    let undo = world.take_entity(middle).unwrap();
    world.attach(top, bottom).unwrap();
    world.restore(undo).unwrap();
    let undo = world.take_entity(middle).unwrap();
    world.restore(undo).unwrap();

    let [a, b, c] = [(); 3].map(|()| world.spawn_empty().id());
    world.insert(c, Above(b)).unwrap();
    world.insert(b, Above(a)).unwrap();
    let undo = world.take_entity(b).unwrap();
    world.insert(a, Above(c)).unwrap();
    let undo = world.restore(undo).unwrap_err();
    let Err(RestoreError::Relation(RelateError::Circle("Above", mut circle))) =
        world.check_restore(&undo)
    else {
        panic!("it is a circle")
    };
    circle.sort();
    assert_eq!(circle, [a, b, c]);
    assert!(!world.is_alive(b) && !world.has::<&Above>(c));
    world.remove::<Above>(a);
    world.restore(undo).unwrap();
    assert!(world.target_of::<Above>(c) == Some(b) && world.target_of::<Above>(b) == Some(a));
    world.check_invariants();
}
#[derive(Component, Debug)]
#[component(relation, acyclic)]
struct Above(Entity);

/// Keeps its entity, if it is asked.
#[derive(Component, Debug, PartialEq)]
#[component(veto = Anchor::may_go)]
struct Anchor(u32);
impl Anchor {
    #[expect(clippy::unused_self, reason = "a veto has it")]
    fn may_go(&mut self) -> bool {
        false
    }
}

/// Nothing that observers do meanwhile prevents it, and nothing gets lost.
#[test]
fn observers_do_not_prevent_that_entities_are_taken_out_and_given_back() {
    type Edit = fn(&mut World, Entity, [Entity; 4]);
    let edits: [(&str, Edit); 9] = [
        ("inserts a veto", |world, it, _| _ = world.insert(it, Anchor(1))),
        ("inserts a veto into a child", |world, _, [_, child, ..]| {
            _ = world.insert(child, (Anchor(1), Speed));
        }),
        ("despawns it", |world, it, _| _ = world.despawn(it)),
        ("despawns a child", |world, _, [_, child, ..]| _ = world.despawn(child)),
        ("despawns all", |world, _, all| _ = world.despawn_batch(&all)),
        ("despawns one without components", |world, _, [.., bare]| _ = world.despawn(bare)),
        ("takes a child and gives it back", |world, _, [_, child, ..]| {
            if let Ok(undo) = world.take_entity(child) {
                world.restore(undo).unwrap();
            }
        }),
        ("spawns a child", |world, it, _| _ = world.spawn(Targets(it))),
        ("relates another one", |world, it, [.., bare]| _ = world.insert(bare, Targets(it))),
    ];
    for (name, edit) in edits {
        let mut world = World::new();
        world.declare_group(Group::owning::<(Health, Size)>()).unwrap();
        let root = world.spawn((Health(1), size(1))).id();
        let child = world.spawn((Health(2), size(2), ChildOf(root), Targets(root))).id();
        let aims = world.spawn((Health(3), Targets(child))).id();
        let bare = world.spawn_empty().id();
        let all = [root, child, aims, bare];
        let shown = |world: &World| {
            let of = |it: &Entity| {
                let health = world.get::<Health>(*it).map(|it| it.0);
                let size = world.get::<Size>(*it).map(|it| *it.x);
                (
                    world.is_alive(*it),
                    health,
                    size,
                    world.parent(*it),
                    world.target_of::<Targets>(*it),
                )
            };
            all.iter().map(of).collect::<Vec<_>>()
        };
        let before = shown(&world);
        let called = Arc::new(AtomicUsize::new(0));
        let calls = Arc::clone(&called);
        let observer = world.on_remove::<Health>(move |world, it| {
            calls.fetch_add(1, Relaxed);
            edit(world, it, all);
        });
        let undo = world.take_entity(root).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(
            called.load(Relaxed) > 0 && !world.is_alive(root) && !world.is_alive(child),
            "{name}"
        );
        world.check_invariants();
        world.unobserve(observer);
        assert!(world.restore(undo).is_ok(), "{name}");
        world.check_invariants();
        let mut after = shown(&world);
        if name == "relates another one" {
            after[3].4 = None; // an edit of its own
        }
        assert_eq!(after, before, "{name}");
        assert!(!world.has::<&Anchor>(root) && !world.has::<&Anchor>(child), "{name}");
        if name == "spawns a child" {
            assert!(world.related::<Targets>(root).len() > 1);
        }
        // Nothing is held any more.
        world.despawn_batch(&all);
        assert!(world.spawn_batch((0..4).map(Health)).iter().all(|it| it.index() < 6), "{name}");
    }
}

#[test]
fn an_observer_that_takes_the_entity_itself_leaves_nothing_to_the_outer_call() {
    let mut world = World::new();
    let root = world.spawn(Health(1)).id();
    let child = world.spawn((Health(2), ChildOf(root))).id();
    world.insert_resource(Inner(None));
    let observer = world.on_remove::<Health>(move |world, it| {
        if it == root
            && let Ok(undo) = world.take_entity(it)
        {
            world.resource_mut::<Inner>().0 = Some(undo);
        }
    });
    let error = world.take_entity(root).unwrap_err();
    assert_eq!(error, DespawnError::NoSuchEntity(root));
    world.unobserve(observer);
    let inner = world.resource_mut::<Inner>().0.take().unwrap();
    world.restore(inner).unwrap();
    assert_eq!(world.get::<Health>(root), Some(&Health(1)));
    assert_eq!((world.get::<Health>(child), world.parent(child)), (Some(&Health(2)), Some(root)));
    world.check_invariants();
}
#[derive(ecs::Resource)]
struct Inner(Option<Despawned>);

#[test]
fn a_panic_of_an_observer_leaves_no_index_behind() {
    let mut world = World::new();
    let root = world.spawn(Health(1)).id();
    let children = world.spawn_batch((0..3).map(|at| (Health(at), ChildOf(root))));
    let first = children[0];
    let observer = world.on_remove::<Health>(move |world, it| {
        assert!(it != first, "boom");
        _ = world.despawn(first);
    });
    let take = || world.take_entity(root).map(drop);
    assert!(catch_unwind(AssertUnwindSafe(take)).is_err());
    world.unobserve(observer);
    world.check_invariants();
    let all: Vec<Entity> = world.entities().collect();
    world.despawn_batch(&all);
    assert!(world.spawn_batch((0..4).map(Health)).iter().all(|it| it.index() < 4));
}

#[test]
fn observers_of_restored_entities_find_everything_in_place() {
    let mut world = World::new();
    let root = world.spawn(Health(1)).id();
    let child = world.spawn((Health(2), ChildOf(root))).id();
    let aims = world.spawn(Targets(root)).id();
    let undo = world.take_entity(root).unwrap();
    let look = move |world: &mut World, _: Entity| {
        assert!(children(world, root) == [child] && world.target_of::<Targets>(aims) == Some(root));
        assert!(world.has::<&Health>(root) && world.has::<&Health>(child));
        world.resource_mut::<Seen>().0.push('+');
    };
    world.insert_resource(Seen::default());
    world.on_insert::<Health>(look);
    world.on_insert::<ChildOf>(look);
    world.on_insert::<Targets>(look);
    world.restore(undo).unwrap();
    assert_eq!(world.resource::<Seen>().0, "++++");
}

/// Its number is lower than the number of its required component: the pool that is made first
/// decides.
#[derive(Component)]
#[component(requires(Fuel = Fuel(100)))]
struct Engine;
#[derive(Component, Debug, PartialEq)]
struct Fuel(u32);

#[test]
fn a_restored_entity_has_its_values_and_nothing_that_it_lacked() {
    let mut world = World::new();
    assert!(world.pool_mut::<Engine>().keys().is_empty());
    let [driven, empty] = [(); 2].map(|()| world.spawn((Engine, Fuel(5))).id());
    world.remove::<Fuel>(empty);
    for entity in [driven, empty] {
        let taken = world.take_entity(entity).unwrap();
        world.restore(taken).unwrap();
        assert!(world.has::<&Engine>(entity));
    }
    assert_eq!(world.get::<Fuel>(driven), Some(&Fuel(5)));
    assert_eq!(world.get::<Fuel>(empty), None);
}

#[test]
fn observers_of_a_restored_entity_find_all_its_components() {
    let mut world = World::new();
    let entity = world.spawn((Health(3), size(4))).id();
    let undo = world.take_entity(entity).unwrap();
    world.on_insert::<Health>(|world, entity| assert!(world.has::<&Size>(entity)));
    world.on_insert::<Size>(|world, entity| assert!(world.has::<&Health>(entity)));
    world.restore(undo).unwrap();
    assert!(world.has::<(&Health, &Size)>(entity));
}

#[test]
fn an_index_is_held_for_one_handle_only() {
    let (mut world, mut other) = (World::new(), World::new());
    let first = world.spawn(Health(1)).id();
    let old = world.take_entity(first).unwrap();
    let [dead, held] = [(); 2].map(|()| {
        let entity = other.spawn(Health(2)).id();
        other.despawn(entity).unwrap();
        entity
    });
    assert_eq!((dead, held.index()), (first, first.index()));
    let later = other.spawn(Health(3)).id();
    let undo = other.take_entity(later).unwrap();
    let old = other.restore(old).unwrap_err();
    assert!(!other.is_alive(dead));
    other.discard(old);
    assert_ne!(other.spawn_empty().id().index(), later.index());
    other.restore(undo).unwrap();
    assert_eq!(other.get::<Health>(later), Some(&Health(3)));
    other.check_invariants();
}

#[test]
fn an_entity_of_the_last_generation_is_restored() {
    let mut world = World::new();
    let last = Entity::from_bits(0x7fff_ffff << 32).unwrap();
    world.spawn_at(last).unwrap().insert(Health(1));
    let undo = world.take_entity(last).unwrap();
    assert_ne!(world.spawn_empty().id().index(), last.index());
    world.restore(undo).unwrap();
    assert_eq!(world.get::<Health>(last), Some(&Health(1)));
    let taken = world.take_entity(last).unwrap();
    world.discard(taken);
    assert_ne!(world.spawn_empty().id().index(), last.index());
    world.check_invariants();
}

#[test]
fn readers_of_changes_see_restored_entities() {
    let mut world = World::new();
    let entity = world.spawn(Speed).id();
    let mut changes = world.changes::<Speed>();
    let undo = world.take_entity(entity).unwrap();
    world.advance(&mut changes);
    assert_eq!(changes.removed(), [entity]);
    world.restore(undo).unwrap();
    world.advance(&mut changes);
    assert_eq!((changes.inserted().len(), changes.removed().len()), (1, 0));
}

#[test]
fn restored_components_do_not_bring_those_that_they_require() {
    #[derive(Component)]
    #[component(requires(Fuel = Fuel(9)))]
    struct Engine;
    #[derive(Component, Debug, PartialEq)]
    struct Fuel(u32);
    let mut world = World::new();
    _ = [Kind::of::<Engine>(), Kind::of::<Fuel>()]; // so the engine has the lower number
    let [full, bare] = [(); 2].map(|()| world.spawn((Engine, Fuel(3), Health(1))).id());
    world.remove::<Fuel>(bare);
    for entity in [full, bare] {
        let taken = world.take_entity(entity).unwrap();
        world.restore(taken).unwrap();
    }
    assert_eq!([full, bare].map(|it| world.get::<Fuel>(it)), [Some(&Fuel(3)), None]);
    assert!(world.has::<(Engine, Health)>(bare));
    world.check_invariants();
}
