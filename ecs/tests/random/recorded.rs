//! Random commands in one world, and the same edits one by one in another: both worlds, and the handles that they
//! give out afterwards, are equal.
//!
//! `ECS_HISTORIES=100000 cargo test --release -p ecs --test random recorded` runs so many.

use crate::numbers::Random;
use ecs::{ChildOf, Commands, Component, DespawnError, Entity, Group, Inserted, Relation, World};
use std::collections::BTreeMap;

#[derive(Component, Clone, Debug, PartialEq)]
#[component(clone)]
struct A(u32);

#[derive(Component, Clone, Debug, PartialEq)]
#[component(clone, requires(A = A(7)))]
struct B;

/// Refuses its removal if its number is even.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(clone, veto = Door::may_go)]
struct Door(u32);

impl Door {
    fn may_go(&mut self) -> bool {
        !self.0.is_multiple_of(2)
    }
}

#[derive(Component, Clone, Debug, PartialEq)]
#[component(clone, relation, at_end = remove)]
struct Likes(Entity);

#[derive(Component, Clone, Debug, PartialEq)]
#[component(clone, relation, at_end = despawn)]
struct PartOf(Entity);

#[derive(Clone, Copy, Debug)]
enum Given {
    A(u32),
    AB(u32),
    Door(u32),
    Child(Entity, u32),
    Likes(Entity),
    Part(Entity, u32),
    Both(Entity, Entity),
}

#[derive(Clone, Copy, Debug)]
enum Edit {
    Spawn(Entity, Given),
    Insert(Entity, Given),
    RemoveA(Entity),
    RemoveDoorAndChild(Entity),
    RemoveLikes(Entity),
    Despawn(Entity),
    Patch(Entity),
    Call(Entity),
}

fn history(seed: usize) {
    let mut random = Random(seed as u64);
    let (mut world, mut single) = (World::new(), World::new());
    for world in [&mut world, &mut single] {
        if seed.is_multiple_of(3) {
            world.declare_group(Group::owning::<(A, Door)>()).unwrap();
            world.declare_group(Group::observing::<A>().without::<ChildOf>()).unwrap();
        }
        if seed.is_multiple_of(5) {
            world.on_remove::<A>(|_, _| ());
            world.on_batch::<Inserted<ChildOf>>(|_, _| ());
        }
    }
    let mut known = Vec::from(["1000v1".parse::<Entity>().unwrap()]); // never alive
    let mut commands = Commands::new();
    for _ in 0..12 {
        let mut edits = Vec::new();
        let most = [1, 4, 30][random.below(3)];
        // Runs of one kind, as well as all kinds in turn.
        let kinds = [1, 2, 12][random.below(3)];
        let first = random.below(12);
        for _ in 0..=random.below(most) {
            let kind = (first + random.below(kinds)) % 12;
            let mut any = || {
                let recent = known.len().saturating_sub(12);
                let from = if random.below(4) == 0 { 0 } else { recent };
                known[from + random.below(known.len() - from)]
            };
            let (entity, target, other) = (any(), any(), any());
            let number = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9][random.below(10)];
            let given = match random.below(8) {
                0 => Given::A(number),
                1 => Given::AB(number),
                2 => Given::Door(number),
                3 => Given::Likes(target),
                4 => Given::Part(target, number),
                5 => Given::Both(target, other),
                _ => Given::Child(target, number),
            };
            let edit = match kind {
                0..4 => {
                    let made = world.reserve_entity();
                    assert_eq!(made, single.reserve_entity(), "{seed}");
                    known.push(made);
                    Edit::Spawn(made, given)
                }
                4..6 => Edit::Insert(entity, given),
                6 => Edit::RemoveA(entity),
                7 => Edit::RemoveDoorAndChild(entity),
                8 => Edit::RemoveLikes(entity),
                9 => Edit::Patch(entity),
                10 if number < 2 => Edit::Call(entity),
                _ => Edit::Despawn(entity),
            };
            edits.push(edit);
        }
        for edit in &edits {
            record(&mut commands, *edit);
        }
        let applied = commands.apply(&mut world);
        let (mut missing, mut refused) = (0, 0);
        for edit in &edits {
            let (dead, vetoes) = edit_one(&mut single, *edit);
            missing += usize::from(dead);
            refused += vetoes;
        }
        assert_eq!((applied.missing, applied.refused), (missing, refused), "{seed}: {edits:?}");
        compare(&world, &single, &format!("{seed}: {edits:?}"));
    }
}

/// Records an edit; a spawn is into an entity that was reserved, as [`Commands::spawn`] does it.
fn record(commands: &mut Commands, edit: Edit) {
    struct Reserved(Entity);
    impl ecs::AllocateEntity for Reserved {
        fn reserve_entity(self) -> Entity {
            self.0
        }
    }
    macro_rules! give {
        ($given:expr, $give:expr) => {
            match $given {
                Given::A(number) => $give(commands, A(number)),
                Given::AB(number) => $give(commands, (B, A(number))),
                Given::Door(number) => $give(commands, (Door(number), B)),
                Given::Child(target, number) => $give(commands, (ChildOf(target), A(number))),
                Given::Likes(target) => $give(commands, Likes(target)),
                Given::Part(target, number) => $give(commands, (PartOf(target), Door(number))),
                Given::Both(target, other) => $give(commands, (Likes(target), PartOf(other))),
            }
        };
    }
    fn spawn<B: ecs::Bundle>(entity: Entity) -> impl FnOnce(&mut Commands, B) {
        move |commands, bundle| _ = commands.spawn(Reserved(entity), bundle)
    }
    fn insert<B: ecs::Bundle>(entity: Entity) -> impl FnOnce(&mut Commands, B) {
        move |commands, bundle| commands.insert(entity, bundle)
    }
    match edit {
        Edit::Spawn(entity, given) => give!(given, spawn(entity)),
        Edit::Insert(entity, given) => give!(given, insert(entity)),
        Edit::RemoveA(entity) => commands.remove::<A>(entity),
        Edit::RemoveDoorAndChild(entity) => commands.remove::<(Door, ChildOf)>(entity),
        Edit::RemoveLikes(entity) => commands.remove::<Likes>(entity),
        Edit::Despawn(entity) => commands.despawn(entity),
        Edit::Patch(entity) => commands.patch::<A>(entity, |a| a.0 += 1),
        Edit::Call(entity) => commands.queue(move |world| call(world, entity)),
    }
}

fn call(world: &mut World, entity: Entity) {
    let made = world.spawn(A(99)).id();
    _ = world.insert(entity, A(made.index()));
}

/// Makes an edit at once. Returns whether the entity or a target was dead, and how many vetoes or circles refused.
fn edit_one(world: &mut World, edit: Edit) -> (bool, usize) {
    match edit {
        Edit::Spawn(entity, given) => {
            let (is_missing, refused) = give(world, entity, given);
            if (is_missing || refused > 0) && is_empty(world, entity) {
                _ = world.despawn(entity);
            }
            (is_missing, refused)
        }
        Edit::Insert(entity, given) => give(world, entity, given),
        Edit::RemoveA(entity) => {
            world.remove::<A>(entity);
            (!world.is_alive(entity), 0)
        }
        Edit::RemoveDoorAndChild(entity) => {
            world.remove::<(Door, ChildOf)>(entity);
            (!world.is_alive(entity), usize::from(world.has::<Door>(entity)))
        }
        Edit::RemoveLikes(entity) => {
            world.remove::<Likes>(entity);
            (!world.is_alive(entity), 0)
        }
        Edit::Despawn(entity) => match world.despawn(entity) {
            Ok(()) => (false, 0),
            Err(DespawnError::NoSuchEntity(_)) => (true, 0),
            Err(_) => (false, 1),
        },
        Edit::Patch(entity) => {
            world.patch::<A>(entity, |a| a.0 += 1);
            (!world.is_alive(entity), 0)
        }
        Edit::Call(entity) => {
            call(world, entity);
            (false, 0)
        }
    }
}

fn is_empty(world: &World, entity: Entity) -> bool {
    world.is_alive(entity)
        && world.components(entity).next().is_none()
        && world.related::<ChildOf>(entity).len() == 0
        && world.related::<Likes>(entity).len() == 0
        && world.related::<PartOf>(entity).len() == 0
}

fn give(world: &mut World, entity: Entity, given: Given) -> (bool, usize) {
    if let Given::Child(target, _) = given {
        let is_circle =
            || target == entity || world.ancestors_of::<ChildOf>(target).any(|it| it == entity);
        if world.is_alive(entity) && world.is_alive(target) && is_circle() {
            return (false, 1);
        }
    }
    let result = match given {
        Given::A(number) => world.insert(entity, A(number)),
        Given::AB(number) => world.insert(entity, (B, A(number))),
        Given::Door(number) => world.insert(entity, (Door(number), B)),
        Given::Child(target, number) => world.insert(entity, (ChildOf(target), A(number))),
        Given::Likes(target) => world.insert(entity, Likes(target)),
        Given::Part(target, number) => world.insert(entity, (PartOf(target), Door(number))),
        Given::Both(target, other) => world.insert(entity, (Likes(target), PartOf(other))),
    };
    (result.is_err(), 0)
}

type Row = (Option<A>, Option<B>, Option<Door>, [Option<Entity>; 3], [Vec<Entity>; 3]);

fn rows(world: &World) -> BTreeMap<Entity, Row> {
    fn related<R: Relation>(world: &World, entity: Entity) -> Vec<Entity> {
        world.related::<R>(entity).collect()
    }
    let row = |entity| {
        let (a, b) = (world.get::<A>(entity).cloned(), world.get::<B>(entity).cloned());
        let targets = [
            world.target_of::<ChildOf>(entity),
            world.target_of::<Likes>(entity),
            world.target_of::<PartOf>(entity),
        ];
        let sources = [
            related::<ChildOf>(world, entity),
            related::<Likes>(world, entity),
            related::<PartOf>(world, entity),
        ];
        (a, b, world.get::<Door>(entity).cloned(), targets, sources)
    };
    world.entities().map(|entity| (entity, row(entity))).collect()
}

/// Compares two worlds, and the handles that they give out next.
fn compare(world: &World, single: &World, of: &str) {
    world.check_invariants();
    single.check_invariants();
    assert_eq!(rows(world), rows(single), "{of}");
    let next = |world: &World| {
        let mut copy = world.try_clone().unwrap();
        (0..40).map(|_| copy.spawn_empty().id()).collect::<Vec<_>>()
    };
    assert_eq!(next(world), next(single), "{of}");
}

#[test]
fn commands_leave_the_world_as_single_edits_do() {
    let count = std::env::var("ECS_HISTORIES").ok().and_then(|count| count.parse().ok());
    (0..count.unwrap_or(400)).for_each(history);
}

#[test]
fn recorded_despawns_free_handles_in_the_order_of_single_despawns() {
    let worlds = [true, false].map(|is_recorded| {
        let mut world = World::new();
        let entities = world.spawn_batch((0..10).map(A));
        let children = world.spawn_batch([ChildOf(entities[1]), ChildOf(entities[1])]);
        let ended = [2, 3, 4, 7, 8, 1].map(|at| entities[at]);
        if is_recorded {
            let mut commands = Commands::new();
            for entity in ended {
                commands.despawn(entity);
            }
            commands.apply(&mut world);
        } else {
            for entity in ended {
                world.despawn(entity).unwrap();
            }
        }
        assert!(!world.is_alive(children[1]));
        world
    });
    let [recorded, single] = worlds;
    compare(&recorded, &single, "");
}

#[test]
fn spawns_that_fail_leave_no_entities() {
    let mut world = World::new();
    let mut commands = Commands::new();
    for _ in 0..100 {
        let tank = world.spawn(A(1)).id();
        commands.despawn(tank);
        let bullet = commands.spawn(&world, (A(2), Likes(tank)));
        commands.insert(bullet, A(3));
        let smoke = commands.spawn(&world, ChildOf(bullet));
        let applied = commands.apply(&mut world);
        assert_eq!((applied.missing, applied.refused), (3, 0));
        assert!([bullet, smoke].iter().all(|entity| !world.is_alive(*entity)));
        assert!(world.is_empty());
        world.check_invariants();
    }
    // One alone, while observers are called, and after others of its kind.
    world.on_insert::<A>(|world, entity| {
        if world.get::<A>(entity) == Some(&A(5)) {
            let (mut commands, dead) = (Commands::new(), world.spawn_empty().id());
            world.despawn(dead).unwrap();
            for count in [1, 3] {
                (0..count).for_each(|_| _ = commands.spawn(&*world, (A(1), PartOf(dead))));
                commands.spawn(&*world, A(6));
                assert_eq!(commands.apply(world).missing, count);
            }
        }
    });
    world.spawn(A(5));
    assert_eq!((world.len(), world.view::<A>().count()), (3, 3));
    world.check_invariants();
}

#[test]
fn a_failed_spawn_keeps_an_entity_that_other_edits_use() {
    let mut world = World::new();
    let dead = world.spawn_empty().id();
    let mut commands = Commands::new();
    let filled = commands.spawn(&world, Likes(dead));
    let target = commands.spawn(&world, Likes(dead));
    world.despawn(dead).unwrap();
    world.insert(filled, A(1)).unwrap();
    let child = world.spawn(ChildOf(target)).id();
    assert_eq!(commands.apply(&mut world).missing, 2);
    assert_eq!(world.get::<A>(filled), Some(&A(1)));
    assert_eq!(world.parent(child), Some(target));
    // An insertion that fails leaves the entity alone.
    let entity = world.spawn_empty().id();
    commands.insert(entity, Likes(dead));
    assert_eq!(commands.apply(&mut world).missing, 1);
    assert!(world.is_alive(entity));
    world.check_invariants();
}
