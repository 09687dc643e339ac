//! Rules between components, where components come from elsewhere or are not named.

use ecs::by_name::{Kind, KindError, RestoreError, Values};
use ecs::save::{ChangeSet, ChangeSets, Delta, Follower, Limits, LoadError, Received, WorldSeed};
use ecs::{ChildOf, Component, ComponentRule, CopyError, Entity, RelateError, RemoveError, World};
use serde::de::DeserializeSeed;
use serde::{Deserialize, Serialize};

#[derive(Component, Serialize, Deserialize, Clone, Debug, PartialEq, Default)]
#[component(save = "player", track, clone, default, needs(Health))]
struct Player;
#[derive(Component, Serialize, Deserialize, Clone, Debug, PartialEq, Default)]
#[component(save = "health", track, clone, default)]
struct Health(u32);
#[derive(Component, Serialize, Deserialize, Clone, Debug, PartialEq, Default)]
#[component(save = "ally", track, clone, default, excludes(Enemy))]
struct Ally;
#[derive(Component, Serialize, Deserialize, Clone, Debug, PartialEq, Default)]
#[component(save = "enemy", track, clone, default)]
struct Enemy;
#[derive(Component, Serialize, Deserialize, Clone, Debug, PartialEq, Default)]
#[component(save = "swimming", track, clone, default, replaces(Walking))]
struct Swimming;
#[derive(Component, Serialize, Deserialize, Clone, Debug, PartialEq, Default)]
#[component(save = "walking", track, clone, default)]
struct Walking;

/// Equal components without rules, as another program has them.
mod free {
    use super::{Component, Deserialize, Serialize};

    #[derive(Component, Serialize, Deserialize, Clone)]
    #[component(save = "player", track, clone)]
    pub struct Player;
    #[derive(Component, Serialize, Deserialize, Clone)]
    #[component(save = "health", track, clone)]
    pub struct Health(pub u32);
    #[derive(Component, Serialize, Deserialize, Clone)]
    #[component(save = "ally", track, clone)]
    pub struct Ally;
    #[derive(Component, Serialize, Deserialize, Clone)]
    #[component(save = "enemy", track, clone)]
    pub struct Enemy;
    #[derive(Component, Serialize, Deserialize, Clone)]
    #[component(save = "swimming", track, clone)]
    pub struct Swimming;
    #[derive(Component, Serialize, Deserialize, Clone)]
    #[component(save = "walking", track, clone)]
    pub struct Walking;
}

const NEEDED: ComponentRule = ComponentRule::Needs("Player", "Health");
const EXCLUDED: ComponentRule = ComponentRule::Excludes("Ally", "Enemy");

fn ruled() -> World {
    let mut world = World::new();
    world.register::<(Player, Health, Ally, Enemy, Swimming, Walking)>();
    world
}

fn unruled() -> World {
    let mut world = World::new();
    world.register::<(free::Player, free::Health, free::Ally)>();
    world.register::<(free::Enemy, free::Swimming, free::Walking)>();
    world
}

fn bytes_of(world: &World) -> Vec<u8> {
    let mut bytes = Vec::new();
    world.save().to_bytes(&mut bytes).unwrap();
    bytes
}

#[track_caller]
fn assert_refused<T>(result: Result<T, LoadError>, text: &str) {
    let error = result.err().expect("it is refused").to_string();
    assert!(error.contains(text), "{error}");
}

const WITHOUT: &str = "entity 0v1 would have `Player` without `Health`: `Player` needs `Health`";
const BOTH: &str = "would have both `Ally` and `Enemy`: `Ally` excludes `Enemy`";
const EITHER: &str = "would have both `Swimming` and `Walking`: `Swimming` replaces `Walking`";

#[test]
fn files_texts_and_deltas_that_break_a_rule_are_refused() {
    type Edit = fn(&mut World, Entity);
    let edits: [(Edit, &str); 3] = [
        (|world, entity| world.insert(entity, free::Player).unwrap(), WITHOUT),
        (|world, entity| world.insert(entity, (free::Ally, free::Enemy)).unwrap(), BOTH),
        (|world, entity| world.insert(entity, (free::Swimming, free::Walking)).unwrap(), EITHER),
    ];
    for (edit, text) in edits {
        let mut other = unruled();
        let entity = other.spawn_empty().id();
        let before = other.try_clone().unwrap();
        edit(&mut other, entity);

        let mut world = ruled();
        let was = world.spawn(Health(7)).id();
        assert_refused(world.load(&bytes_of(&other), &Limits::default()), text);
        assert_eq!(world.get::<Health>(was), Some(&Health(7)));
        let json = serde_json::to_string(&other.save()).unwrap();
        let mut from = serde_json::Deserializer::from_str(&json);
        let limits = Limits::default();
        let loaded = WorldSeed::new(&world, &limits).deserialize(&mut from);
        let Err(error) = loaded else { panic!("it is refused") };
        assert!(error.to_string().contains(text));

        world.load(&bytes_of(&before), &Limits::default()).unwrap();
        let delta = Delta::between(&before, &other).unwrap().into_bytes();
        assert_refused(world.apply_delta(&delta, &Limits::default()), text);
        assert_eq!(world.pool::<Player>().len() + world.pool::<Ally>().len(), 0);
        world.check_invariants();
    }
}

#[test]
fn change_sets_keep_rules() {
    let (mut server, mut client) = (unruled(), ruled());
    let (mut outbox, mut known) = (ChangeSets::default(), Follower::default());
    let apply = |world: &mut World, set: &ChangeSet, known: &mut Follower| {
        world.apply_change_set(set.as_bytes(), known, &Limits::default())
    };
    let a = server.spawn((free::Player, free::Health(3), free::Walking)).id();
    let set = outbox.drain(&mut server).unwrap();
    assert_eq!(apply(&mut client, &set, &mut known).unwrap(), Received::Applied);
    let here = known.get(a).unwrap();
    // Both go, in whatever order they are sent.
    server.remove::<(free::Health, free::Player, free::Walking)>(a);
    server.insert(a, (free::Swimming, free::Ally)).unwrap();
    let set = outbox.drain(&mut server).unwrap();
    assert_eq!(apply(&mut client, &set, &mut known).unwrap(), Received::Applied);
    assert!(client.has::<(Swimming, Ally)>(here));
    assert!(!client.has::<Player>(here) && !client.has::<Health>(here));
    // A component of the client only is replaced.
    client.remove::<Swimming>(here);
    client.insert(here, Walking).unwrap();
    server.insert(a, free::Swimming).unwrap();
    let set = outbox.drain(&mut server).unwrap();
    assert_eq!(apply(&mut client, &set, &mut known).unwrap(), Received::Applied);
    assert!(client.has::<Swimming>(here) && !client.has::<Walking>(here));

    server.insert(a, free::Enemy).unwrap();
    let set = outbox.drain(&mut server).unwrap();
    assert_refused(apply(&mut client, &set, &mut known), BOTH);
    assert!(client.has::<Ally>(here) && !client.has::<Enemy>(here));
    client.check_invariants();
}

#[test]
fn a_copy_has_all_that_its_components_need() {
    #[derive(Component, Clone)]
    #[component(clone, needs(Socket))]
    struct Session;
    #[derive(Component)]
    #[component(clone = skip)]
    struct Socket;

    let mut world = World::new();
    let entity = world.spawn((Session, Socket)).id();
    let rule = ComponentRule::Needs("Session", "Socket");
    let error = world.spawn_copies(entity, 2).unwrap_err();
    assert_eq!(error, CopyError::Rule(rule));
    assert_eq!(
        error.to_string(),
        "a copy would break a rule: `Session` needs `Socket`; leave out both, or copy `Socket` with `Session`"
    );
    assert_eq!(world.try_clone().unwrap_err(), CopyError::Rule(rule));
    assert_eq!(World::new().spawn_copies_of(&world, 1).unwrap_err(), CopyError::Rule(rule));
    assert_eq!(world.len(), 1);
    let mut heroes = ruled();
    let hero = heroes.spawn((Player, Health(3), Ally)).id();
    let copy = heroes.spawn_copies(hero, 1).unwrap()[0];
    assert_eq!(heroes.remove::<Health>(copy), None);
    let mut clone = heroes.try_clone().unwrap();
    assert!(clone.try_insert(copy, Enemy).is_err() && clone.remove::<Health>(hero).is_none());
    let mut merged = World::new();
    let new = merged.merge(&mut clone).unwrap();
    let hero = *new.get(hero).unwrap();
    assert!(merged.try_insert(hero, Enemy).is_err() && merged.remove::<Health>(hero).is_none());
}

#[test]
fn edits_by_name_keep_rules() {
    let mut world = ruled();
    let entity = world.spawn_empty().id();
    let (player, health) = (Kind::of::<Player>(), Kind::of::<Health>());
    let refused = KindError::Relation(RelateError::Rule(entity, NEEDED));
    assert_eq!(world.insert_kind_default(player, entity), Err(refused));
    let mut values = Values::new();
    values.add_default(&mut world, player).unwrap();
    let refused = KindError::Relation(RelateError::Rule(Entity::PLACEHOLDER, NEEDED));
    assert_eq!(world.spawn_values(values).unwrap_err(), refused);
    assert_eq!(world.len(), 1);
    let mut values = Values::new();
    values.add_default(&mut world, player).unwrap();
    values.add_default(&mut world, health).unwrap();
    world.insert_values(entity, values).unwrap();

    let kept = RemoveError::Rule(entity, "Health", NEEDED);
    assert_eq!(world.remove_kind(health, entity), Err(kept));
    assert_eq!(world.take_kind(health, entity).err(), Some(kept));
    let taken = world.take_kind(player, entity).unwrap();
    let health = world.take_kind(health, entity).unwrap();
    let (taken, _) = world.insert_value(entity, taken).unwrap_err();
    world.insert_value(entity, health).unwrap();
    world.insert_value(entity, taken).unwrap();

    world.insert(entity, Walking).unwrap();
    world.insert_kind_default(Kind::of::<Swimming>(), entity).unwrap();
    assert!(world.has::<Swimming>(entity) && !world.has::<Walking>(entity));
    let refused = world.insert_kind_default(Kind::of::<Walking>(), entity).unwrap_err();
    assert!(refused.to_string().contains("`Swimming` replaces `Walking`"), "{refused}");
    let ally = world.spawn(Ally).id();
    let enemy = world.spawn(Enemy).id();
    let refused = KindError::Relation(RelateError::Rule(enemy, EXCLUDED));
    assert_eq!(world.copy_kind(Kind::of::<Ally>(), ally, enemy), Err(refused));
}

#[test]
fn a_restored_relation_breaks_no_rule() {
    #[derive(Component)]
    #[component(excludes(ChildOf))]
    struct Root;
    #[derive(Component, Clone)]
    #[component(relation, clone)]
    struct Likes(Entity);
    #[derive(Component)]
    #[component(excludes(Likes))]
    struct Alone;
    let mut world = World::new();
    let parent = world.spawn_empty().id();
    let fan = world.spawn(Likes(parent)).id();
    let taken = world.take_entity(parent).unwrap();
    world.insert(fan, Alone).unwrap();
    let rule = RelateError::Rule(fan, ComponentRule::Excludes("Alone", "Likes"));
    assert_eq!(world.check_restore(&taken), Err(RestoreError::Relation(rule)));
    let taken = world.restore(taken).unwrap_err();
    world.remove::<Alone>(fan);
    world.restore(taken).unwrap();
    assert_eq!(world.target_of::<Likes>(fan), Some(parent));
    let root = world.spawn(Root).id();
    assert!(world.attach(root, parent).is_err());
}

#[derive(Component, Serialize, Deserialize, Clone, Debug, PartialEq, Default)]
#[component(save = "ship", track, clone, default)]
struct Ship;
#[derive(Component, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[component(save = "aims at", track, clone, relation(target = Ship))]
struct AimsAt(Entity);

/// Equal components without the rule.
mod loose {
    use super::{Component, Deserialize, Entity, Serialize};

    #[derive(Component, Serialize, Deserialize, Clone)]
    #[component(save = "ship", track, clone)]
    pub struct Ship;
    #[derive(Component, Serialize, Deserialize, Clone)]
    #[component(save = "aims at", track, clone, relation)]
    pub struct AimsAt(pub Entity);
}

const TARGETS: ComponentRule = ComponentRule::PointsTo("AimsAt", "Ship");
const WRONG: &str = "without `Ship`: `AimsAt` points to entities with `Ship`";

#[test]
fn files_texts_and_deltas_with_a_relation_to_a_wrong_target_are_refused() {
    type Edit = fn(&mut World, Entity, Entity);
    let edits: [Edit; 2] = [
        |world, gun, ship| world.insert(gun, loose::AimsAt(ship)).unwrap(),
        |world, gun, ship| {
            world.insert(ship, loose::Ship).unwrap();
            world.insert(gun, loose::AimsAt(ship)).unwrap();
            world.remove::<loose::Ship>(ship).unwrap();
        },
    ];
    for edit in edits {
        let mut other = World::new();
        other.register::<(loose::Ship, loose::AimsAt)>();
        let [ship, gun] = [(); 2].map(|()| other.spawn_empty().id());
        let mut world = World::new();
        world.register::<(Ship, AimsAt)>();
        let empty = other.try_clone().unwrap();
        edit(&mut other, gun, ship);
        assert_refused(world.load(&bytes_of(&other), &Limits::default()), WRONG);
        let json = serde_json::to_string(&other.save()).unwrap();
        let mut from = serde_json::Deserializer::from_str(&json);
        let limits = Limits::default();
        let loaded = WorldSeed::new(&world, &limits).deserialize(&mut from);
        let Err(error) = loaded else { panic!("it is refused") };
        assert!(error.to_string().contains(WRONG), "{error}");
        world.load(&bytes_of(&empty), &Limits::default()).unwrap();
        let delta = Delta::between(&empty, &other).unwrap().into_bytes();
        assert_refused(world.apply_delta(&delta, &Limits::default()), WRONG);

        // The target's component leaves alone, and the relation stays unchanged.
        let mut before = World::new();
        before.register::<(loose::Ship, loose::AimsAt)>();
        let ship = before.spawn(loose::Ship).id();
        before.spawn(loose::AimsAt(ship));
        let mut after = before.try_clone().unwrap();
        world.load(&bytes_of(&before), &Limits::default()).unwrap();
        after.remove::<loose::Ship>(ship);
        let delta = Delta::between(&before, &after).unwrap().into_bytes();
        assert_refused(world.apply_delta(&delta, &Limits::default()), WRONG);
        assert!(world.has::<Ship>(ship));
        world.check_invariants();
    }
}

#[test]
fn change_sets_keep_the_component_of_targets() {
    let (mut server, mut client) = (World::new(), World::new());
    server.register::<(loose::Ship, loose::AimsAt)>();
    client.register::<(Ship, AimsAt)>();
    let (mut outbox, mut known) = (ChangeSets::default(), Follower::default());
    let mut send = |server: &mut World, client: &mut World, known: &mut Follower| {
        let set = outbox.drain(server).unwrap();
        let applied = client.apply_change_set(set.as_bytes(), known, &Limits::default());
        client.check_invariants();
        applied
    };
    let [a, b] = [(); 2].map(|()| server.spawn(loose::Ship).id());
    let gun = server.spawn(loose::AimsAt(a)).id();
    assert_eq!(send(&mut server, &mut client, &mut known).unwrap(), Received::Applied);
    let here = |known: &Follower, entity| known.get(entity).unwrap();
    // It points elsewhere, and its old target loses the component.
    server.insert(gun, loose::AimsAt(b)).unwrap();
    server.remove::<loose::Ship>(a);
    assert_eq!(send(&mut server, &mut client, &mut known).unwrap(), Received::Applied);
    assert!(!client.has::<Ship>(here(&known, a)));
    assert_eq!(client.target_of::<AimsAt>(here(&known, gun)), Some(here(&known, b)));
    // Both go.
    server.remove::<(loose::Ship, loose::AimsAt)>(b);
    server.remove::<loose::AimsAt>(gun);
    assert_eq!(send(&mut server, &mut client, &mut known).unwrap(), Received::Applied);
    assert_eq!((client.pool::<Ship>().len(), client.pool::<AimsAt>().len()), (0, 0));
    // Both come.
    server.insert(a, loose::Ship).unwrap();
    server.insert(gun, loose::AimsAt(a)).unwrap();
    assert_eq!(send(&mut server, &mut client, &mut known).unwrap(), Received::Applied);
    assert!(client.has::<AimsAt>(here(&known, gun)));

    server.insert(gun, loose::AimsAt(b)).unwrap();
    let text = "which has no `Ship`: `AimsAt` points to entities with `Ship`";
    assert_refused(send(&mut server, &mut client, &mut known), text);
}

#[test]
fn copies_and_merged_worlds_keep_the_component_of_targets() {
    #[derive(Component)]
    #[component(clone = skip)]
    struct Window;
    #[derive(Component, Clone)]
    #[component(clone, relation(target = Window))]
    struct ShownIn(Entity);

    let mut world = World::new();
    let window = world.spawn(Window).id();
    let page = world.spawn(ShownIn(window)).id();
    let rule = CopyError::Rule(ComponentRule::PointsTo("ShownIn", "Window"));
    assert_eq!(
        rule.to_string(),
        "a copy would break a rule: `ShownIn` points to entities with `Window`; leave out both, or copy the `Window` of the \
         targets of `ShownIn`"
    );
    assert_eq!(world.try_clone().unwrap_err(), rule);
    assert_eq!(World::new().spawn_copies_of(&world, 1).unwrap_err(), rule);
    // A copy of the source alone points to the same target.
    let copies = world.spawn_copies(page, 2).unwrap();
    assert_eq!(world.target_of::<ShownIn>(copies[1]), Some(window));
    assert_eq!(world.spawn_copies_with::<ShownIn>(window, 1).unwrap_err(), rule);
    world.check_invariants();

    let mut world = World::new();
    let ship = world.spawn(Ship).id();
    world.spawn(AimsAt(ship));
    let copies = world.spawn_copies_with::<AimsAt>(ship, 2).unwrap();
    assert_eq!(world.remove::<Ship>(copies[0]), None);
    let mut clone = world.try_clone().unwrap();
    assert_eq!(clone.remove::<Ship>(ship), None);
    let mut merged = World::new();
    let new = merged.merge(&mut clone).unwrap();
    assert_eq!(merged.remove::<Ship>(*new.get(ship).unwrap()), None);
    merged.check_invariants();
}

#[test]
fn edits_by_name_and_undo_keep_the_component_of_targets() {
    let mut world = World::new();
    world.register::<(Ship, AimsAt)>();
    let [rock, gun] = [(); 2].map(|()| world.spawn_empty().id());
    let ship = world.spawn(Ship).id();
    let source = world.spawn(AimsAt(ship)).id();
    let (kind, of_ship) = (Kind::of::<AimsAt>(), Kind::of::<Ship>());
    let kept = RemoveError::Rule(ship, "Ship", TARGETS);
    assert_eq!(world.remove_kind(of_ship, ship), Err(kept));
    assert_eq!(world.take_kind(of_ship, ship).err(), Some(kept));
    let wrong = RelateError::WrongTarget("AimsAt", rock, "Ship");
    let refused = KindError::Relation(wrong.clone());
    world.insert(rock, Ship).unwrap();
    let other = world.spawn(AimsAt(rock)).id();
    let value = world.take_kind(kind, other).unwrap();
    world.remove::<Ship>(rock);
    let (value, error) = world.insert_value(gun, value).unwrap_err();
    assert_eq!(error, refused);
    world.insert(rock, Ship).unwrap();
    world.insert_value(gun, value).unwrap();
    assert_eq!(world.target_of::<AimsAt>(gun), Some(rock));
    assert_eq!(kind.rules().collect::<Vec<_>>(), [TARGETS]);

    // An entity comes back with its relation only if the target still has the component.
    let taken = world.take_entity(source).unwrap();
    world.remove::<Ship>(ship).unwrap();
    let wrong = RelateError::WrongTarget("AimsAt", ship, "Ship");
    assert_eq!(world.check_restore(&taken), Err(RestoreError::Relation(wrong)));
    let taken = world.restore(taken).unwrap_err();
    world.insert(ship, Ship).unwrap();
    world.restore(taken).unwrap();
    // The target comes back with its component, and with the relations to it.
    let taken = world.take_entity(ship).unwrap();
    assert!(!world.has::<AimsAt>(source));
    world.restore(taken).unwrap();
    assert_eq!(world.target_of::<AimsAt>(source), Some(ship));
    assert_eq!(world.remove::<Ship>(ship), None);
    world.check_invariants();
}
