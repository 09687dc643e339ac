//! Copies of worlds and of entities.

use crate::worlds::{Friends, Number, Tag, Text, assert_alike};
use ecs::{ChildOf, Component, CopyError, Entity, Group, Name, Resource, World};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU32, Ordering};

#[derive(Component)]
struct Connection;

#[test]
fn components_without_copies_are_named_and_nothing_changes() {
    let mut world = World::new();
    world.spawn((Number(1), Connection));
    assert_eq!(world.try_clone().unwrap_err(), CopyError::NotCloned(vec!["Connection"]));
    let mut other = World::new();
    let entity = other.spawn(Number(7)).id();
    assert!(other.copy_from(&world).is_err());
    assert_eq!(other.get::<Number>(entity), Some(&Number(7)));
    assert!(other.spawn_copies_of(&world, 1).is_err() && other.len() == 1);
    // A pool without members keeps nothing from being copied, nor does another entity's component.
    let plain = world.spawn(Number(2)).id();
    assert_eq!(world.spawn_copies(plain, 1).unwrap().len(), 1);
    let all: Vec<Entity> = world.entities().collect();
    world.remove_batch::<Connection>(&all);
    assert!(world.try_clone().is_ok());
}

#[test]
fn a_frame_is_rolled_back_in_the_memory_that_there_is() {
    let mut world = World::new();
    world.spawn_batch((0..5_000).map(|it| (Number(it), Tag)));
    let saved = world.try_clone().unwrap();
    let before = world.memory_usage();
    let slice = world.pool::<Number>().as_slice().as_ptr();
    for (_, number) in world.view_mut::<&mut Number>() {
        number.0 += 1;
    }
    world.copy_from(&saved).unwrap();
    assert_alike(&world, &saved);
    assert_eq!(world.memory_usage(), before);
    assert_eq!(world.pool::<Number>().as_slice().as_ptr(), slice);
}

#[test]
fn components_that_only_the_copy_has_go() {
    let mut world = World::new();
    let saved = world.try_clone().unwrap();
    let parent = world.spawn(Connection).id();
    world.spawn((ChildOf(parent), Text("x".to_owned())));
    world.copy_from(&saved).unwrap();
    assert!(world.is_empty() && world.pool::<Connection>().is_empty());
    world.check_invariants();
    assert!(!world.is_alive(parent) || world.spawn_empty().id() == parent);
}

#[test]
fn groups_are_copied() {
    let mut world = World::new();
    let group = Group::owning::<(Number, Text)>();
    world.declare_group(group).unwrap();
    let entity = world.spawn((Number(1), Text::default())).id();
    let mut copy = world.try_clone().unwrap();
    let late = copy.spawn((Number(2), Text::default())).id();
    let members = copy.group(group).unwrap().members();
    assert_eq!(members, [entity, late]);
    assert_eq!(copy.view::<(Number, Text)>().as_slices().unwrap().0, [entity, late]);
    // A group that the world did not have before is kept up from then on.
    let mut other = World::new();
    other.copy_from(&world).unwrap();
    other.spawn((Number(2), Text::default()));
    other.check_invariants();
    assert_eq!(other.groups().next().unwrap().len(), 2);
}

static CLONES_LEFT: AtomicU32 = AtomicU32::new(u32::MAX);

#[derive(Component)]
#[component(clone)]
struct Fragile(Box<u8>);

impl Clone for Fragile {
    fn clone(&self) -> Self {
        assert!(CLONES_LEFT.fetch_sub(1, Ordering::Relaxed) > 0, "no clone is left");
        Self(self.0.clone())
    }
}

#[test]
fn a_clone_that_panics_leaves_a_world_that_is_whole() {
    let mut world = World::new();
    let entities = world.spawn_batch((0..20).map(|it| (Number(it), Fragile(Box::new(1)))));
    let mut other = World::new();
    let row = |it| (Fragile(Box::new(2)), Number(it), Friends::default());
    let old = other.spawn_batch((0..3).map(row));
    let mut changes = other.changes::<Friends>();
    CLONES_LEFT.store(10, Ordering::Relaxed);
    assert!(catch_unwind(AssertUnwindSafe(|| other.copy_from(&world))).is_err());
    other.check_invariants();
    assert!(other.is_empty());
    other.advance(&mut changes);
    assert_eq!((changes.removed(), changes.changed().len()), (&old[..], 0), "each went once");
    CLONES_LEFT.store(2, Ordering::Relaxed);
    let spawn = || world.spawn_copies(entities[0], 9);
    assert!(catch_unwind(AssertUnwindSafe(spawn)).is_err());
    assert_eq!(world.len(), 20);
    world.check_invariants();
    CLONES_LEFT.store(u32::MAX, Ordering::Relaxed);
}

#[derive(Resource, Clone, Debug, PartialEq)]
#[resource(clone)]
struct Clock(u32);
#[derive(Resource, Debug, PartialEq)]
#[resource(clone = skip)]
struct Window(u32);

#[test]
fn resources_are_copied_or_stay_as_they_say() {
    let mut world = World::new();
    world.insert_resource(Clock(3));
    world.insert_resource(Window(3));
    let copy = world.try_clone().unwrap();
    assert_eq!((copy.get_resource(), copy.get_resource::<Window>()), (Some(&Clock(3)), None));
    world.resource_mut::<Clock>().0 = 9;
    world.resource_mut::<Window>().0 = 9;
    world.copy_from(&copy).unwrap();
    assert_eq!((world.resource(), world.resource()), (&Clock(3), &Window(9)));
    world.copy_from(&World::new()).unwrap();
    assert_eq!((world.get_resource::<Clock>(), world.resource()), (None, &Window(9)));
}

#[derive(Component, Clone)]
#[component(clone, layout = "soa")]
struct Place {
    x: f32,
    name: String,
}

#[test]
fn copies_of_an_entity_have_each_of_its_columns() {
    let mut world = World::new();
    world.spawn(Place { x: 1.0, name: "north".to_owned() });
    let south = world.spawn(Place { x: 2.0, name: "south".to_owned() }).id();
    let made = world.spawn_copies(south, 3).unwrap();
    world.check_invariants();
    for copy in made {
        let place = world.get::<Place>(copy).unwrap();
        assert_eq!((*place.x, place.name.as_str()), (2.0, "south"));
    }
}

#[test]
fn copies_of_an_entity_have_all_that_it_has() {
    let mut world = World::new();
    world.declare_group(Group::owning::<(Number, Text)>()).unwrap();
    let parent = world.spawn_empty().id();
    let orc = world.spawn((Number(7), Text("orc".to_owned()), ChildOf(parent))).id();
    let horde = world.spawn_copies(orc, 3_000).unwrap();
    world.check_invariants();
    assert!(horde.iter().all(|it| world.get::<Text>(*it).is_some_and(|text| text.0 == "orc")));
    assert!(world.children(parent).eq([orc].into_iter().chain(horde)));
    assert_eq!(world.view::<(Number, Text)>().count(), 3_001);
    world.despawn(parent).unwrap();
    assert_eq!(world.spawn_copies(orc, 1), Err(CopyError::NoSuchEntity(orc)));
    let empty = world.spawn_empty().id();
    assert_eq!(world.spawn_copies(empty, 2).map(|made| made.len()), Ok(2));
    assert_eq!(world.spawn_copies(empty, 0), Ok(vec![]));
}

#[test]
fn descendants_are_copied_with_an_entity() {
    let mut world = World::new();
    let outside = world.spawn_empty().id();
    let ship = world.spawn_named("ship").insert(ChildOf(outside)).id();
    let turret = world.spawn((ChildOf(ship), Friends(vec![ship, outside]))).id();
    let gun = world.spawn(ChildOf(turret)).id();
    let hold = world.spawn(ChildOf(ship)).id();
    world.move_related::<ChildOf>(hold, 0);
    world.insert(ship, Friends(vec![gun])).unwrap();
    let copies = world.spawn_copies_with::<ChildOf>(ship, 2).unwrap();
    world.check_invariants();
    assert_eq!((copies.len(), world.len()), (2, 5 + 2 * 4));
    for copy in copies {
        let children: Vec<Entity> = world.children(copy).collect();
        assert_eq!((children.len(), world.parent(copy)), (2, Some(outside)));
        assert!(world.children(children[0]).next().is_none());
        let guns: Vec<Entity> = world.children(children[1]).collect();
        assert_eq!(world.get::<Friends>(copy).unwrap().0, guns);
        assert_eq!(world.get::<Friends>(children[1]).unwrap().0, [copy, outside]);
    }
}

#[derive(Component, Clone)]
#[component(clone, relation)]
struct Likes(Entity);

#[test]
fn circles_are_copied_once() {
    let mut world = World::new();
    let a = world.spawn_empty().id();
    let b = world.spawn(Likes(a)).id();
    world.insert(a, Likes(b)).unwrap();
    let copies = world.spawn_copies_with::<Likes>(a, 1).unwrap();
    world.check_invariants();
    let other = world.target_of::<Likes>(copies[0]).unwrap();
    assert_eq!((world.len(), world.target_of::<Likes>(other)), (4, Some(copies[0])));
}

#[test]
fn prefabs_are_spawned_with_handles_of_their_own() {
    let mut prefab = World::new();
    let dead = prefab.spawn_empty().id();
    let ship = prefab.spawn_named("ship").id();
    let [a, b] = [(); 2].map(|()| prefab.spawn(ChildOf(ship)).id());
    prefab.swap_related::<ChildOf>(a, b);
    prefab.insert(a, Friends(vec![b, dead])).unwrap();
    prefab.despawn(dead).unwrap();
    let mut world = World::new();
    world.spawn_batch((0..7).map(Number));
    let made = world.spawn_copies_of(&prefab, 3).unwrap();
    world.check_invariants();
    assert_eq!(made.len(), 9);
    for [ship, a, b] in made.as_chunks().0 {
        assert_eq!(world.name(*ship), Some("ship"));
        assert!(world.children(*ship).eq([*b, *a]));
        assert_eq!(world.get::<Friends>(*a).unwrap().0, [*b, Entity::PLACEHOLDER]);
    }
}

#[test]
fn observers_are_notified_of_complete_copies() {
    let mut prefab = World::new();
    let parent = prefab.spawn(Number(1)).id();
    prefab.spawn((Number(2), ChildOf(parent), Name::new("child")));
    let mut world = World::new();
    world.insert_resource(Clock(0));
    world.on_insert::<Number>(|world, entity| {
        let number = world.get::<Number>(entity).unwrap().0;
        assert_eq!(world.parent(entity).is_some(), number == 2);
        assert_eq!(world.name(entity).is_some(), number == 2);
        assert_eq!(world.pool::<Number>().len(), 6);
        world.resource_mut::<Clock>().0 += 1;
    });
    world.spawn_copies_of(&prefab, 3).unwrap();
    assert_eq!(world.resource::<Clock>().0, 6);
}

#[test]
fn readers_of_changes_learn_of_copies() {
    let mut world = World::new();
    let entity = world.spawn(Friends::default()).id();
    let saved = world.try_clone().unwrap();
    let mut changes = world.changes::<Friends>();
    world.advance(&mut changes);
    let copies = world.spawn_copies(entity, 2).unwrap();
    world.advance(&mut changes);
    assert_eq!(world.view::<Friends>().among(changes.inserted()).count(), 2);
    world.copy_from(&saved).unwrap();
    world.advance(&mut changes);
    assert_eq!(
        (changes.removed(), changes.inserted().len()),
        (&[entity, copies[0], copies[1]][..], 1)
    );
}

#[test]
#[should_panic(expected = "a world cannot be copied into by a hook or an observer")]
fn observers_copy_nothing_into_their_world() {
    let mut world = World::new();
    world.on_insert::<Number>(|world, _| world.copy_from(&World::new()).unwrap());
    world.spawn(Number(1));
}

#[test]
fn reserved_entities_are_reserved_in_the_copy() {
    let mut world = World::new();
    let freed = world.spawn_empty().id();
    world.despawn(freed).unwrap();
    let reserved = [world.reserve_entity(), world.reserve_entity()];
    let mut copy = world.try_clone().unwrap();
    assert!(reserved.iter().all(|entity| copy.is_alive(*entity)));
    assert_eq!(copy.spawn_empty().id(), world.spawn_empty().id());
    copy.check_invariants();
}

mod without_some {
    use crate::worlds::{Number, Random, Tag, edit, random, seeds};
    use ecs::copies::Copies;
    use ecs::{ChildOf, Component, CopyError, Entity, Group, World};

    /// A handle of something outside of the world.
    #[derive(Component)]
    #[component(clone = skip)]
    struct Body(#[expect(dead_code, reason = "it is not cloned")] Box<u8>);
    #[derive(Component)]
    struct Socket;
    #[derive(Component)]
    #[component(relation)]
    struct Watches(Entity);

    #[test]
    fn copies_lack_and_name_excluded_components() {
        for seed in seeds(15) {
            let mut world = random(seed);
            let all: Vec<Entity> = world.entities().collect();
            if all.len() < 9 {
                continue;
            }
            for (at, entity) in all.iter().enumerate() {
                if at % 2 == 0 {
                    world.insert(*entity, Body(Box::new(1))).unwrap();
                }
                if at % 3 == 0 {
                    world.insert(*entity, (Socket, Watches(all[at / 2]))).unwrap();
                }
            }
            world.declare_group(Group::observing::<(Number, Socket)>()).unwrap();
            world.declare_group(Group::observing::<(Number, Tag)>().without::<Body>()).unwrap();
            let refused = world.try_clone().unwrap_err();
            let CopyError::NotCloned(names) = refused else { panic!("{refused}") };
            assert_eq!(names.len(), 2, "{names:?}");

            let copies = Copies::default().leave_out::<(Socket, Watches)>();
            let (mut copy, left_out) = world.try_clone_by(&copies).unwrap();
            assert_eq!(left_out, ["Body", "Socket", "Watches"]);
            copy.check_invariants();
            assert!(copy.entities().eq(world.entities()));
            assert!(copy.pool::<Number>().keys() == world.pool::<Number>().keys());
            assert!(copy.pool::<Body>().is_empty() && copy.pool::<Socket>().is_empty());
            assert!(all.iter().all(|entity| copy.related::<Watches>(*entity).next().is_none()));
            let tagged = |world: &World| world.view::<(&Number, &Tag)>().iter().count();
            assert_eq!(tagged(&copy), tagged(&world));
            let (rest, also) = world.try_clone_by(&Copies::default().leave_out_rest()).unwrap();
            assert_eq!((rest.len(), also), (world.len(), left_out));
            // The copy's earlier content is gone, and it can be edited.
            copy.insert(all[0], (Body(Box::new(2)), Socket)).unwrap();
            copy.copy_from_by(&copies, &world).unwrap();
            copy.check_invariants();
            assert!(copy.pool::<Body>().is_empty() && copy.pool::<Socket>().is_empty());
            edit(&mut copy, &mut Random(seed), 30);
            let any = copy.spawn(Number(1)).id();
            copy.insert(any, Socket).unwrap();
            copy.check_invariants();
        }
    }

    #[test]
    fn spawned_copies_lack_excluded_components() {
        let mut world = World::new();
        let ship = world.spawn((Number(7), Body(Box::new(1)), Socket)).id();
        let gun = world.spawn((ChildOf(ship), Socket)).id();
        assert_eq!(world.spawn_copies(ship, 2).unwrap_err(), CopyError::NotCloned(vec!["Socket"]));
        assert!(world.spawn_copies_of(&World::new(), 2).unwrap().is_empty());
        let copies = Copies::default().leave_out::<Socket>();
        let (made, left_out) = world.spawn_copies_by(&copies, ship, 2).unwrap();
        assert_eq!((made.len(), &left_out[..]), (2, &["Body", "Socket"][..]));
        let (made, left_out) = world.spawn_copies_with_by::<ChildOf>(&copies, ship, 2).unwrap();
        assert_eq!((made.len(), &left_out[..]), (2, &["Body", "Socket"][..]));
        let child = world.children(made[1]).next().unwrap();
        assert!(world.has::<Number>(made[1]) && !world.has::<Body>(made[1]));
        assert!(!world.has::<Socket>(child) && world.has::<Socket>(gun));
        let (made, left_out) = world.spawn_copies_by(&copies, gun, 1).unwrap();
        assert_eq!((world.parent(made[0]), &left_out[..]), (Some(ship), &["Socket"][..]));
        let mut other = World::new();
        let (made, left_out) = other.spawn_copies_of_by(&copies, &world, 1).unwrap();
        assert_eq!((made.len(), &left_out[..]), (world.len(), &["Body", "Socket"][..]));
        assert!(other.pool::<Body>().is_empty() && other.pool::<Number>().len() == 5);
        world.check_invariants();
        other.check_invariants();
        world.despawn(gun).unwrap();
        let dead = world.spawn_copies_by(&copies, gun, 1).unwrap_err();
        assert_eq!(dead, CopyError::NoSuchEntity(gun));
    }
}
