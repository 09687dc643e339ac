//! Handles of entities within components and resources: wherever a value comes into another world, they are replaced, or
//! the value is refused.

use crate::saves::bytes_of;
use ecs::by_name::{Kind, KindError};
use ecs::save::{ChangeSet, ChangeSets, Delta, Follower, Limits, Received};
use ecs::{ChildOf, Component, Entity, EntityOf, MapEntities, MergeError, Res, Resource, World};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use std::fmt::Debug;
use std::sync::Mutex;

/// Types of one's own within components, without a mark.
#[derive(MapEntities, Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Link {
    to: Entity,
    weight: Weight,
    #[entities(ignore)]
    origin: Entity,
}
/// Has no derive, as it has no handles.
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Weight(Vec<f32>);
#[derive(MapEntities, Serialize, Deserialize, Clone, Debug, PartialEq)]
enum Order<T> {
    Wait,
    Follow(Entity),
    Guard { posts: Vec<Link>, with: Box<Option<Order<T>>>, by: T },
}
#[derive(MapEntities, Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Unit;
type Alias = Entity;

#[derive(Component, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[component(clone, save = "handles::squad", track)]
struct Squad {
    leader: Alias,
    orders: Vec<Order<(u8, Entity)>>,
    by_name: BTreeMap<String, [Option<Entity>; 2]>,
    weight: Weight,
    unit: Unit,
    #[component(entities = ignore)]
    abroad: Entity,
}

/// The entities in a squad: a leader, one that it follows, one that guards, one that died; and one of another world.
fn squad([leader, followed, guard, dead]: [Entity; 4], abroad: Entity) -> Squad {
    let link = |to| Link { to, weight: Weight(vec![0.5]), origin: abroad };
    Squad {
        leader,
        orders: vec![
            Order::Wait,
            Order::Follow(followed),
            Order::Guard {
                posts: vec![link(guard), link(dead)],
                with: Box::new(Some(Order::Follow(guard))),
                by: (3, leader),
            },
        ],
        by_name: BTreeMap::from([("a".into(), [Some(followed), None])]),
        weight: Weight(vec![]),
        unit: Unit,
        abroad,
    }
}

fn scene() -> (World, [Entity; 4], Squad) {
    let mut world = World::new();
    let all = [(); 4].map(|()| world.spawn_empty().id());
    world.despawn(all[3]).unwrap();
    let squad = squad(all, all[1]);
    world.insert(all[0], squad.clone()).unwrap();
    (world, all, squad)
}

#[test]
fn handles_in_types_within_components_are_replaced_by_merges_and_prefabs() {
    let (mut level, [leader, followed, guard, _], _) = scene();
    let mut world = World::new();
    world.spawn_batch((0..7).map(|_| crate::worlds::Tag));
    let copies = world.spawn_copies_of(&level, 2).unwrap();
    let expected = squad([copies[3], copies[4], copies[5], Entity::PLACEHOLDER], followed);
    assert_eq!(world.get::<Squad>(copies[3]), Some(&expected));

    let here = level.spawn_copies(leader, 1).unwrap()[0];
    // Others stay as they are, and the copy leads itself.
    let mut own = level.get::<Squad>(leader).unwrap().clone();
    own.leader = here;
    let Order::Guard { by, .. } = &mut own.orders[2] else { panic!("it guards") };
    by.1 = here;
    assert_eq!(level.get::<Squad>(here), Some(&own));
    level.despawn(here).unwrap();

    let new = world.merge(&mut level).unwrap();
    let [leader, followed, guard] = [leader, followed, guard].map(|it| *new.get(it).unwrap());
    let expected = squad([leader, followed, guard, Entity::PLACEHOLDER], expected.abroad);
    assert_eq!(world.get::<Squad>(leader), Some(&expected));
    assert!(level.is_empty() && Kind::of::<Squad>().holds_entities());
}

#[test]
fn handles_in_types_within_components_are_replaced_where_sets_are_applied() {
    let (mut server, [leader, scout, guard, dead], squad_there) = scene();
    let (mut client, mut follower) = (World::new(), Follower::default());
    client.register::<Squad>();
    client.spawn_batch((0..7).map(|_| crate::worlds::Tag));
    let set = ChangeSets::default().drain(&mut server).unwrap();
    let applied = client.apply_change_set(set.as_bytes(), &mut follower, &Limits::default());
    assert_eq!(applied.unwrap(), Received::Applied);
    let here = |there| follower.get(there).unwrap();
    let expected =
        squad([here(leader), here(scout), here(guard), Entity::PLACEHOLDER], squad_there.abroad);
    assert_eq!(client.get::<Squad>(here(leader)), Some(&expected));
    assert!(follower.get(dead).is_none());
    let (_, named) = ChangeSet::of(&server, &[leader], &|_| true).unwrap();
    assert_eq!(named, [scout, guard]);
    assert_eq!(server.save().named_entities().unwrap(), [leader, scout, guard]);
}

#[test]
fn exact_copies_and_files_need_no_replacement() {
    let (world, [leader, ..], squad) = scene();
    let mut applied = World::new();
    applied.register::<Squad>();
    let delta = Delta::between(&applied, &world).unwrap();
    applied.apply_delta(delta.as_bytes(), &Limits::default()).unwrap();
    let text = serde_json::to_string(&world.save()).unwrap();
    let (read, _) = world.read(&bytes_of(&world), &Limits::default()).unwrap();
    let (read_from, _) = world.read_from(&mut serde_json::Deserializer::from_str(&text)).unwrap();
    for same in [applied, world.try_clone().unwrap(), read, read_from] {
        assert_eq!(same.get::<Squad>(leader), Some(&squad));
    }
}

/// Its `MapEntities` finds no handles, and it has some.
#[derive(Serialize, Deserialize, Clone, Debug)]
struct Liar {
    members: Vec<Member>,
}
#[derive(Serialize, Deserialize, Clone, Debug)]
struct Member {
    name: String,
    to: Option<Entity>,
}
impl MapEntities for Liar {
    fn map_entities(&mut self, _: &mut dyn FnMut(Entity) -> Entity) {}
    fn visit_entities(&self, _: &mut dyn FnMut(Entity)) {}
}
#[derive(Component, Serialize, Deserialize, Clone, Debug)]
#[component(clone, save = "handles::hidden", track)]
struct Hidden {
    seen: Entity,
    liar: Liar,
    #[serde(skip, default = "nobody")]
    skipped: Entity,
}
/// A lock in a type without a derive hides its content.
#[derive(Serialize, Deserialize)]
struct Lock(Mutex<Option<Entity>>);
#[derive(Component, Serialize, Deserialize)]
#[component(save = "handles::locked", track)]
struct Locked(u8, Lock);

fn nobody() -> Entity {
    Entity::PLACEHOLDER
}

fn refusal<T: Debug>(result: Result<T, impl ToString>) -> String {
    result.unwrap_err().to_string()
}

#[test]
fn a_value_with_a_hidden_handle_is_refused_when_it_is_written() {
    let mut world = World::new();
    let old = world.try_clone().unwrap();
    let mut sent = world.change_sets();
    let entity = world.spawn_empty().id();
    let member = |to| Member { name: "Bob".into(), to };
    let hidden = |to| {
        let liar = Liar { members: vec![member(None), member(None), member(to)] };
        Hidden { seen: entity, liar, skipped: entity }
    };
    let mend = "and nothing replaces it in another world: add `#[derive(MapEntities)]` to the type that holds it, or let it \
                stay as it is by `#[component(entities = ignore)]` on the field of `Hidden`";
    let words = format!(
        "cannot save `handles::hidden` of 0v1: `Hidden.liar.members[2].to` is the handle 0v1, {mend}"
    );
    world.insert(entity, hidden(Some(entity))).unwrap();
    // Also behind many others that are not read back.
    for others in [0, 100] {
        world.spawn_batch((0..others).map(|_| hidden(None)));
        let mut bytes = b"before".to_vec();
        assert_eq!(refusal(world.save().to_bytes(&mut bytes)), words);
        assert_eq!(bytes, b"before");
        assert_eq!(refusal(serde_json::to_string(&world.save())), words);
        assert_eq!(refusal(Delta::between(&old, &world)), words);
        assert_eq!(refusal(sent.drain(&mut world)), words);
        assert_eq!(refusal(ChangeSets::default().drain_among(&mut world, &[entity])), words);
        assert_eq!(refusal(ChangeSet::of(&world, &[entity], &|_| true)), words);
    }
    world.insert(entity, hidden(None)).unwrap();
    let (read, _) = world.read(&bytes_of(&world), &Limits::default()).unwrap();
    assert_eq!(read.get::<Hidden>(entity).unwrap().skipped, nobody());
    serde_json::to_string(&world.save()).unwrap();
    Delta::between(&old, &world).unwrap();
    sent.drain(&mut world).unwrap();
}

#[test]
fn a_handle_within_a_lock_is_found_when_it_is_written() {
    let mut world = World::new();
    let entity = world.spawn_empty().id();
    world.insert(entity, Locked(1, Lock(Mutex::new(None)))).unwrap();
    bytes_of(&world);
    *world.get::<Locked>(entity).unwrap().1.0.lock().unwrap() = Some(entity);
    let words = "cannot save `handles::locked` of 0v1: `Locked.1.0` is the handle 0v1, and nothing replaces it";
    let error = refusal(world.save().to_bytes(&mut Vec::new()));
    assert!(error.starts_with(words), "{error}");
    let error = refusal(serde_json::to_string(&world.save()));
    assert!(error.starts_with(words), "{error}");
    let error = refusal(ChangeSets::default().drain(&mut world));
    assert!(error.starts_with(words), "{error}");
}

/// Components that declare nothing, so only merges move them.
mod silent {
    use super::*;

    #[derive(Debug, PartialEq)]
    pub struct Secret(pub Entity);
    #[derive(Component, Debug, PartialEq)]
    pub struct Kept(#[component(entities = ignore)] pub Secret);
    #[derive(Component, Debug, PartialEq)]
    pub struct Forgotten {
        pub of: Entity,
        pub secrets: HashMap<u8, Vec<Secret>>,
    }
    #[derive(Component)]
    pub enum Forgetful {
        _Nothing,
        Some { thought: Box<dyn Fn() -> u32 + Send + Sync> },
    }
    #[derive(Component)]
    pub struct Generic<T>(pub T);
    #[derive(Component)]
    pub struct MarkedGeneric<T: MapEntities>(#[component(entities)] pub T);
    #[derive(Component)]
    pub struct Phantom<T>(pub u8, pub std::marker::PhantomData<T>);
    #[derive(Component)]
    #[repr(C, packed)]
    pub struct Packed(pub u8, pub Entity, pub [Option<Entity>; 2]);
}

#[test]
fn a_merge_refuses_what_it_cannot_map_and_changes_nothing() {
    use silent::{Forgetful, Forgotten, Generic, Kept, MarkedGeneric, Packed, Phantom, Secret};
    let mut world = World::new();
    world.spawn_batch((0..3).map(|_| crate::worlds::Tag));
    let mut refused = |level: &mut World, words: &str| {
        let len = level.len();
        let error: MergeError = world.merge(level).unwrap_err();
        let mend = "may hold handles of entities, and nothing replaces them: add `#[derive(MapEntities)]` to the type that \
                    holds them, or let them stay as they are by `#[component(entities = ignore)]`, or declare it by \
                    `by_name::Declaration`";
        assert_eq!(error.to_string(), format!("{words}, {mend}"));
        assert_eq!((level.len(), world.len()), (len, 3));
        level.check_invariants();
    };
    let mut level = World::new();
    let entity = level.spawn_empty().id();
    let forgotten =
        || Forgotten { of: entity, secrets: HashMap::from([(1, vec![Secret(entity)])]) };
    level.insert(entity, forgotten()).unwrap();
    let words = "`Forgotten.secrets`, of the type `HashMap<u8, Vec<Secret>>`";
    refused(&mut level, words);
    assert_eq!(level.get::<Forgotten>(entity), Some(&forgotten()));
    level.remove::<Forgotten>(entity);
    level.insert(entity, Forgetful::Some { thought: Box::new(|| 1) }).unwrap();
    refused(&mut level, "`Forgetful.Some.thought`, of the type `Box<dyn Fn()->u32 + Send + Sync>`");
    level.remove::<Forgetful>(entity);
    level.insert(entity, Generic(entity)).unwrap();
    refused(&mut level, "`Generic.0`, of the type `T`");
    level.remove::<Generic<Entity>>(entity);

    // Components whose handles are mapped, or kept on purpose, come along.
    let packed = Packed(1, entity, [None, Some(entity)]);
    let generic = MarkedGeneric(Some(entity));
    let phantom = Phantom::<Secret>(1, std::marker::PhantomData);
    level.insert(entity, (Kept(Secret(entity)), generic, packed, phantom)).unwrap();
    let new = *world.merge(&mut level).unwrap().get(entity).unwrap();
    assert_ne!(new, entity);
    assert_eq!(world.get::<Kept>(new), Some(&Kept(Secret(entity))));
    assert_eq!(world.get::<MarkedGeneric<Option<Entity>>>(new).unwrap().0, Some(new));
    let &Packed(one, of, others) = world.get::<Packed>(new).unwrap();
    assert_eq!((one, of, others), (1, new, [None, Some(new)]));
}

#[test]
fn a_merged_world_is_as_if_cleared() {
    #[derive(Resource, Debug, PartialEq)]
    struct Title(&'static str);
    let mut level = World::new();
    level.insert_resource(Title("first"));
    level.declare_group(ecs::Group::owning::<(Squad, ChildOf)>()).unwrap();
    let root = level.spawn_empty().id();
    let child = level.spawn((squad([root; 4], root), ChildOf(root))).id();
    let mut seen = level.changes::<Squad>();
    level.advance(&mut seen);
    level.on::<ecs::Replaced>(|world, replaced| {
        assert!(world.is_empty() && *replaced == ecs::Replaced::Cleared);
        world.resource_mut::<Title>().0 = "second";
    });
    let mut world = World::new();
    world.merge(&mut level).unwrap();
    level.check_invariants();
    assert_eq!(level.resource::<Title>(), &Title("second"));
    level.advance(&mut seen);
    assert_eq!(seen.removed(), [child]);
    let again = level.spawn(squad([root; 4], root)).id();
    assert!(!level.is_alive(child) && again != root);
    level.spawn((squad([again; 4], again), ChildOf(again)));
    level.check_invariants();
}

#[test]
fn a_value_that_was_taken_stays_in_its_world_if_it_has_handles() {
    let (mut world, [leader, ..], _) = scene();
    let (mut other, mut clone) = (World::new(), world.try_clone().unwrap());
    let there = other.spawn_empty().id();
    let value = world.take_kind(Kind::of::<Squad>(), leader).unwrap();
    let (value, error) = other.insert_value(there, value).unwrap_err();
    assert_eq!(error, KindError::OtherWorld);
    let (value, _) = clone.insert_value(leader, value).unwrap_err();
    world.insert_value(leader, value).unwrap();
    assert!(world.has::<&Squad>(leader));

    world.insert(leader, silent::Generic(leader)).unwrap();
    let value = world.take_kind(Kind::of::<silent::Generic<Entity>>(), leader).unwrap();
    let (_, error) = other.insert_value(there, value).unwrap_err();
    assert_eq!(error, KindError::OtherWorld);
    world.insert(leader, ecs::Name::new("Ann")).unwrap();
    let name = world.take_kind(Kind::of::<ecs::Name>(), leader).unwrap();
    other.insert_value(there, name).unwrap();
    assert_eq!(other.name(there), Some("Ann"));
}

/// Resources are sent to other worlds only by change sets.
mod resources {
    use super::*;

    #[derive(Resource, Serialize, Deserialize, Clone, Debug, PartialEq)]
    #[resource(clone, save = "handles::fleet")]
    pub struct Fleet {
        pub flagship: Option<Entity>,
        pub links: Vec<Link>,
        #[resource(entities = ignore)]
        pub abroad: Entity,
    }
    #[derive(Resource, Serialize, Deserialize, Debug)]
    #[resource(save = "handles::ghost")]
    pub struct Ghost {
        pub liar: Liar,
    }
}
use resources::{Fleet, Ghost};

#[test]
fn handles_in_resources_are_replaced_where_sets_are_applied() {
    let mut server = World::new();
    let [ship, port, dead] = [(); 3].map(|()| server.spawn_empty().id());
    server.despawn(dead).unwrap();
    let fleet = |[ship, port, dead]: [Entity; 3], abroad| {
        let link = |to| Link { to, weight: Weight(vec![]), origin: abroad };
        Fleet { flagship: Some(ship), links: vec![link(port), link(dead)], abroad }
    };
    let there = fleet([ship, port, dead], dead);
    server.insert_resource(there.clone());
    let (mut client, mut follower) = (World::new(), Follower::default());
    client.register::<Res<Fleet>>();
    client.spawn_batch((0..7).map(|_| crate::worlds::Tag));
    let mut sent = server.change_sets().resource::<Fleet>();
    let mut tell = |server: &mut World, client: &mut World, follower: &mut Follower| {
        let changes = sent.drain(server).unwrap();
        let applied = client.apply_change_set(changes.as_bytes(), follower, &Limits::default());
        assert_eq!(applied.unwrap(), Received::Applied);
    };
    tell(&mut server, &mut client, &mut follower);
    let here = fleet(
        [follower.get(ship).unwrap(), follower.get(port).unwrap(), Entity::PLACEHOLDER],
        there.abroad,
    );
    assert_eq!(client.resource::<Fleet>(), &here);
    assert!(client.len() == 9 && client.is_alive(here.flagship.unwrap()));
    server.despawn(ship).unwrap();
    tell(&mut server, &mut client, &mut follower);
    assert!(!client.is_alive(here.flagship.unwrap()) && client.len() == 8);

    // Exact copies and files have them as they are.
    let (read, _) = server.read(&bytes_of(&server), &Limits::default()).unwrap();
    let text = serde_json::to_string(&server.save()).unwrap();
    let (read_from, _) = server.read_from(&mut serde_json::Deserializer::from_str(&text)).unwrap();
    for same in [server.try_clone().unwrap(), read, read_from] {
        assert_eq!(same.resource::<Fleet>(), &there);
    }
}

#[test]
fn a_resource_with_a_hidden_handle_is_refused_when_it_is_sent() {
    let mut server = World::new();
    let entity = server.spawn_empty().id();
    let mut sent = server.change_sets().resource::<Ghost>();
    let member = Member { name: "Bob".into(), to: Some(entity) };
    server.insert_resource(Ghost { liar: Liar { members: vec![member] } });
    let words = "cannot save `handles::ghost`: `Ghost.liar.members[0].to` is the handle 0v1, and nothing replaces it in \
                 another world: add `#[derive(MapEntities)]` to the type that holds it, or let it stay as it is by \
                 `#[resource(entities = ignore)]` on the field of `Ghost`";
    assert_eq!(refusal(sent.drain(&mut server)), words);
    bytes_of(&server); // under equal handles
    server.resource_mut::<Ghost>().liar.members.clear();
    assert!(sent.drain(&mut server).unwrap().is_full());
}

#[test]
fn collections_and_wrappers_map_their_handles() {
    fn mapped<T: MapEntities + Clone + PartialEq + Debug>(of: impl Fn(Entity) -> T) {
        let handle = |index: u64| Entity::from_bits(1 << 32 | index).unwrap();
        let (old, new) = (handle(1), handle(2));
        let (mut value, mut visited) = (of(old), Vec::new());
        value.visit_entities(&mut |entity| visited.push(entity));
        assert!(!visited.is_empty() && visited.iter().all(|it| *it == old), "{value:?}");
        let mut count = 0;
        value.map_entities(&mut |entity| {
            count += 1;
            assert_eq!(entity, old);
            new
        });
        assert_eq!((value, count), (of(new), visited.len()));
    }
    use std::cell::{Cell, RefCell};
    use std::collections::{BTreeSet, BinaryHeap, HashSet, LinkedList, VecDeque};
    mapped(|it| it);
    mapped(|it| (1_u8, "a".to_owned(), [Some(it), None], true, 'c', (), 0.5_f32, it));
    mapped(|it| (it, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11));
    mapped(|it| vec![VecDeque::from([it]), VecDeque::new()]);
    mapped(|it| LinkedList::from([Box::new(it)]));
    mapped(|it| BTreeMap::from([(it, vec![it])]));
    mapped(|it| HashMap::<_, _>::from([(it, vec![it])]));
    mapped(|it| (BTreeSet::from([it]), HashSet::<_>::from([it])));
    mapped(|it| BinaryHeap::from([it]).into_vec());
    mapped(|it| [Ok(it), Err((it, std::cmp::Reverse(it)))]);
    mapped(|it| (Cell::new(it), RefCell::new(it)));
    mapped(|it| vec![it].into_boxed_slice());
    let mut heap = BinaryHeap::from([Entity::PLACEHOLDER]);
    heap.map_entities(&mut |_| nobody());
    assert_eq!(heap.len(), 1);
    let (mut lock, mut count) = (Mutex::new(std::sync::RwLock::new(nobody())), 0);
    lock.visit_entities(&mut |_| count += 1);
    lock.map_entities(&mut |it| {
        count += 1;
        it
    });
    assert_eq!(count, 2);
}

/// A type within components that leaves some of its handles as they are, and components that
/// contain it.
#[derive(MapEntities, Serialize, Deserialize, Clone, Debug, PartialEq)]
enum Trace {
    Of {
        at: Entity,
        #[entities(ignore)]
        origins: Vec<Entity>,
    },
    Lost(#[entities(ignore)] Entity),
}
#[derive(MapEntities, Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Path(Vec<Trace>);
#[derive(Component, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[component(clone, save = "handles::paths", track)]
struct Paths(Path);
#[derive(Resource, Serialize, Deserialize, Debug, PartialEq)]
#[resource(save = "handles::history")]
struct History(Path);

#[test]
fn handles_that_a_type_within_a_component_ignores_stay_as_they_are() {
    let mut world = World::new();
    world.spawn_batch((0..3).map(|_| crate::worlds::Tag));
    let at = world.spawn_empty().id();
    let abroad = Entity::from_bits(7 << 32 | 1).unwrap();
    let paths = |at| {
        let of = Trace::Of { at, origins: vec![abroad, abroad] };
        Path(vec![of, Trace::Lost(abroad)])
    };
    world.insert(at, Paths(paths(at))).unwrap();
    world.insert_resource(History(paths(at)));
    let mut client = World::new();
    client.register::<(Paths, Res<History>)>();
    let set = ChangeSets::default().resource::<History>().drain(&mut world).unwrap();
    let mut follower = Follower::default();
    let applied = client.apply_change_set(set.as_bytes(), &mut follower, &Limits::default());
    assert_eq!(applied.unwrap(), Received::Applied);
    let here = follower.get(at).unwrap();
    assert_ne!(here, at);
    assert_eq!((client.get::<Paths>(here), client.len()), (Some(&Paths(paths(here))), 1));
    assert_eq!(client.resource::<History>(), &History(paths(here)));

    let (mut read, _) = world.read(&bytes_of(&world), &Limits::default()).unwrap();
    let text = serde_json::to_string(&world.save()).unwrap();
    let (read_from, _) = world.read_from(&mut serde_json::Deserializer::from_str(&text)).unwrap();
    for same in [&read, &read_from] {
        assert_eq!(same.get::<Paths>(at), Some(&Paths(paths(at))));
    }
    let new = *client.merge(&mut read).unwrap().get(at).unwrap();
    assert_eq!(client.get::<Paths>(new), Some(&Paths(paths(new))));
}

#[test]
fn typed_handles_are_saved_and_mapped_like_entities() {
    #[derive(Component, Serialize, Deserialize)]
    #[component(save = "mass", track)]
    struct Mass(u32);
    #[derive(Component, Serialize, Deserialize)]
    #[component(save = "spring", track)]
    struct Spring(Vec<EntityOf<Mass>>);

    let mut world = World::new();
    let ends = world.spawn_batch([Mass(1), Mass(2)]);
    let ends = ends.iter().filter_map(|end| world.handle_of(*end)).collect();
    world.spawn(Spring(ends));
    let sum = |world: &World| -> u32 {
        let springs = world.view::<&Spring>();
        let ends = springs.iter().flat_map(|(_, spring)| &spring.0);
        ends.map(|end| world.get_of(*end).unwrap().0).sum()
    };
    let knowing = || {
        let mut other = World::new();
        other.register::<(Mass, Spring)>();
        other
    };
    let mut loaded = knowing();
    loaded.load(&bytes_of(&world), &Limits::default()).unwrap();
    assert_eq!(sum(&loaded), 3);
    let text = serde_json::to_string(&world.save()).unwrap();
    let (read, _) = knowing().read_from(&mut serde_json::Deserializer::from_str(&text)).unwrap();
    assert_eq!(sum(&read), 3);

    let mut follower = knowing();
    follower.spawn_batch((0..7).map(|_| ecs::Name::new("other")));
    let (mut news, mut known) = (ChangeSets::default(), Follower::default());
    let set = news.drain(&mut world).unwrap();
    follower.apply_change_set(set.as_bytes(), &mut known, &Limits::default()).map(drop).unwrap();
    assert_eq!(sum(&follower), 3);
}
