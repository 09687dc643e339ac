//! Values and entities that are taken out of a world, and come back.

use ecs::by_name::{Despawned, Kind, KindError, OwnedValue};
use ecs::{ChildOf, Component, DespawnError, Entity, Group, Name, RemoveError, World};

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
    let taken = Kind::of::<Size>().take(&mut world, all[2]).unwrap();
    assert_eq!((taken.kind(), format!("{taken:?}")), (Kind::of::<Size>(), "Size { .. }".into()));
    assert_eq!(world.view::<(&Health, &Size)>().count(), 4);
    taken.insert(&mut world, all[2]).unwrap();
    assert_eq!(world.view::<(&Health, &Size)>().count(), 5);
    assert_eq!(*world.get::<Size>(all[2]).unwrap().label, "2");
    world.check_invariants();
}

#[test]
fn a_taken_value_goes_to_other_entities_and_worlds() {
    let (mut world, mut other) = (World::new(), World::new());
    let [a, b] = [world.spawn(Health(3)).id(), world.spawn_empty().id()];
    let elsewhere = other.spawn_empty().id();
    let health = Kind::of::<Health>().take(&mut world, a).unwrap();
    health.insert(&mut world, b).unwrap();
    let health = Kind::of::<Health>().take(&mut world, b).unwrap();
    health.insert(&mut other, elsewhere).unwrap();
    let health = Kind::of::<Health>().take(&mut other, elsewhere).unwrap();
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
    let health = Kind::of::<Health>().take(&mut world, a).unwrap();
    let (health, error) = health.insert(&mut world, b).unwrap_err();
    assert_eq!(error, KindError::Present(b, "Health"));
    assert_eq!(error.to_string(), format!("entity {b} has a `Health` already: remove it first"));
    world.despawn(b).unwrap();
    let (health, error) = health.insert(&mut world, b).unwrap_err();
    assert_eq!(error, KindError::NoSuchEntity(b));
    health.insert(&mut world, a).unwrap();
    let child = world.spawn(ChildOf(a)).id();
    let parent = Kind::of::<ChildOf>().take(&mut world, child).unwrap();
    assert_eq!(world.children(a).len(), 0);
    world.despawn(a).unwrap();
    let (_, error) = parent.insert(&mut world, child).unwrap_err();
    assert!(matches!(error, KindError::Relation(_)), "{error}");
}

#[test]
fn taking_by_kind_says_why_nothing_was_taken() {
    let mut world = World::new();
    let entity = world.spawn(Door { is_open: false }).id();
    let dead = world.spawn_empty().id();
    world.despawn(dead).unwrap();
    let mut take = |kind: Kind, entity| kind.take(&mut world, entity).unwrap_err();
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
    let health = Kind::of::<Health>().take(&mut world, entity).unwrap();
    health.insert(&mut world, entity).unwrap();
    let undo = Despawned::take(&mut world, entity).unwrap();
    undo.restore(&mut world).unwrap();
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
    let undo = Despawned::take(&mut world, root).unwrap();
    assert!(undo.entities().eq([root, children[0], children[1], children[2], leaf]));
    assert_eq!((world.len(), world.has::<&Targets>(aims)), (2, false));
    // The handles stay dead, and no other entity gets their indices.
    let more = world.spawn_batch((0..20).map(Health));
    assert!(undo.entities().all(|it| more.iter().all(|other| other.index() != it.index())));
    undo.restore(&mut world).unwrap();
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
    let error = Despawned::take(&mut world, root).unwrap_err();
    assert_eq!(error, DespawnError::Refused(door, "Door"));
    assert!(world.has::<&Health>(root) && world.has::<(&Health, &Door, &ChildOf)>(door));
    let dead = world.spawn_empty().id();
    world.despawn(dead).unwrap();
    assert_eq!(Despawned::take(&mut world, dead).unwrap_err(), DespawnError::NoSuchEntity(dead));
}

#[test]
fn indices_come_back_when_an_undo_is_discarded() {
    let mut world = World::new();
    let entity = world.spawn(Health(1)).id();
    Despawned::take(&mut world, entity).unwrap().discard(&mut world);
    let next = world.spawn_empty().id();
    assert_eq!((next.index(), next.generation().get()), (entity.index(), 2));
    // One that is dropped leaves its index unused.
    drop(Despawned::take(&mut world, next).unwrap());
    assert_ne!(world.spawn_empty().id().index(), next.index());
    world.check_invariants();
}

#[test]
fn entities_that_cannot_be_restored_are_returned() {
    let (mut world, mut other) = (World::new(), World::new());
    let entity = world.spawn(Health(1)).id();
    let undo = Despawned::take(&mut world, entity).unwrap();
    other.spawn_empty();
    let undo = undo.restore(&mut other).unwrap_err();
    world.clear();
    undo.restore(&mut world).unwrap();
    assert_eq!(world.get::<Health>(entity), Some(&Health(1)));
    assert_eq!(world.len(), 1);
}

/// Its number is lower than that of what it requires, which the pool decides that is made first.
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
        Despawned::take(&mut world, entity).unwrap().restore(&mut world).unwrap();
        assert!(world.has::<&Engine>(entity));
    }
    assert_eq!(world.get::<Fuel>(driven), Some(&Fuel(5)));
    assert_eq!(world.get::<Fuel>(empty), None);
}

#[test]
fn observers_of_a_restored_entity_find_all_its_components() {
    let mut world = World::new();
    let entity = world.spawn((Health(3), size(4))).id();
    let undo = Despawned::take(&mut world, entity).unwrap();
    world.on_insert::<Health>(|world, entity| assert!(world.has::<&Size>(entity)));
    world.on_insert::<Size>(|world, entity| assert!(world.has::<&Health>(entity)));
    undo.restore(&mut world).unwrap();
    assert!(world.has::<(&Health, &Size)>(entity));
}

#[test]
fn an_index_is_held_for_one_handle_only() {
    let (mut world, mut other) = (World::new(), World::new());
    let first = world.spawn(Health(1)).id();
    let old = Despawned::take(&mut world, first).unwrap();
    let [dead, held] = [(); 2].map(|()| {
        let entity = other.spawn(Health(2)).id();
        other.despawn(entity).unwrap();
        entity
    });
    assert_eq!((dead, held.index()), (first, first.index()));
    let later = other.spawn(Health(3)).id();
    let undo = Despawned::take(&mut other, later).unwrap();
    let old = old.restore(&mut other).unwrap_err();
    assert!(!other.is_alive(dead));
    old.discard(&mut other);
    assert_ne!(other.spawn_empty().id().index(), later.index());
    undo.restore(&mut other).unwrap();
    assert_eq!(other.get::<Health>(later), Some(&Health(3)));
    other.check_invariants();
}

#[test]
fn an_entity_of_the_last_generation_is_restored() {
    let mut world = World::new();
    let last = Entity::from_bits(0x7fff_ffff << 32).unwrap();
    world.spawn_at(last).unwrap().insert(Health(1));
    let undo = Despawned::take(&mut world, last).unwrap();
    assert_ne!(world.spawn_empty().id().index(), last.index());
    undo.restore(&mut world).unwrap();
    assert_eq!(world.get::<Health>(last), Some(&Health(1)));
    Despawned::take(&mut world, last).unwrap().discard(&mut world);
    assert_ne!(world.spawn_empty().id().index(), last.index());
    world.check_invariants();
}

#[test]
fn readers_of_changes_see_restored_entities() {
    let mut world = World::new();
    let entity = world.spawn(Speed).id();
    let mut changes = world.changes::<Speed>();
    let undo = Despawned::take(&mut world, entity).unwrap();
    world.advance(&mut changes);
    assert_eq!(changes.removed(), [entity]);
    undo.restore(&mut world).unwrap();
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
        Despawned::take(&mut world, entity).unwrap().restore(&mut world).unwrap();
    }
    assert_eq!([full, bare].map(|it| world.get::<Fuel>(it)), [Some(&Fuel(3)), None]);
    assert!(world.has::<(Engine, Health)>(bare));
    world.check_invariants();
}
