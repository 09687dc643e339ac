//! Commands: edits that are recorded while the world is borrowed, and applied in order.

use crate::fixtures::{Door, Ledger, Mass, Position, Tag, Tracked, Velocity, panics};
use ecs::{Applied, ChildOf, Commands, Component, Entity, World};
use std::sync::{Arc, Mutex};

/// The log of observers.
type Story = Arc<Mutex<Vec<String>>>;

fn story() -> (Story, impl Fn() -> Vec<String>) {
    let story = Story::default();
    let told = story.clone();
    (story, move || std::mem::take(&mut *told.lock().unwrap()))
}

fn counts(applied: Applied) -> (usize, usize) {
    assert_eq!(applied.foreign, 0);
    (applied.missing, applied.refused)
}

#[test]
fn commands_make_the_edits_of_the_world() {
    let mut world = World::new();
    let [one, two, three] = [1.0, 2.0, 3.0].map(|at| world.spawn(Position(at)).id());
    world.on::<u32>(|world, number| _ = world.spawn_named(format!("told {number}")));
    world.on_entity::<u32>(|world, to, number| world.insert(to, Mass(*number)).unwrap());
    let mut commands = Commands::new();
    for (entity, position) in world.view::<Position>() {
        commands.insert(entity, (Velocity(position.0), Tag));
    }
    let four = commands.spawn(&world, (Position(4.0), Tag));
    commands.remove::<Tag>(one);
    commands.remove::<(Velocity, Position, Mass)>(two);
    commands.patch::<Position>(three, |position| position.0 *= 2.0);
    commands.send(7_u32);
    commands.send_to(four, 8_u32);
    commands.queue(move |world| world.insert(one, Mass(9)).unwrap());
    commands.despawn(three);
    assert_eq!(format!("{commands:?}"), "Commands { len: 11, .. }");
    assert!(world.is_alive(four) && !world.has::<Position>(four), "reserved, and not filled yet");

    assert_eq!(counts(commands.apply(&mut world)), (0, 0));
    assert!(commands.is_empty());
    assert!(world.has::<(Position, Velocity, Mass)>(one) && !world.has::<Tag>(one));
    assert!(world.has::<Tag>(two) && !world.has::<ecs::WithAny<(Velocity, Position)>>(two));
    assert!(!world.is_alive(three) && world.entity_named("told 7").is_some());
    assert_eq!(world.get::<Position>(four), Some(&Position(4.0)));
    assert_eq!(world.get::<Mass>(four), Some(&Mass(8)));
    world.check_invariants();
    assert_eq!(counts(commands.apply(&mut world)), (0, 0), "nothing is run again");
    assert_eq!(world.view::<Mass>().count(), 2);
}

#[test]
fn they_run_in_the_order_in_which_they_were_recorded() {
    let mut world = World::new();
    let entity = world.spawn(Mass(0)).id();
    let mut commands = Commands::new();
    let step = |commands: &mut Commands, times: u32, plus: u32| {
        commands.patch::<Mass>(entity, move |mass| mass.0 = mass.0 * times + plus);
    };
    step(&mut commands, 10, 1);
    step(&mut commands, 10, 2);
    commands.queue(move |world| world.get_mut::<Mass>(entity).unwrap().0 *= 10);
    step(&mut commands, 10, 3);
    commands.insert(entity, (Tag, Mass(7)));
    commands.insert(entity, Mass(8));
    step(&mut commands, 10, 4);
    commands.remove::<Tag>(entity);
    commands.insert(entity, (Tag, Mass(9)));
    commands.insert(entity, (Tag, Mass(6)));
    step(&mut commands, 10, 5);
    commands.queue(move |world| {
        let mass = world.get::<Mass>(entity).unwrap().0;
        world.spawn_named(mass.to_string());
    });
    commands.apply(&mut world);
    assert!(world.entity_named("65").is_some() && world.has::<Tag>(entity));
}

/// The world may have changed since: an entity is gone, and others have its index.
#[test]
fn trap_22_commands_of_the_dead_are_counted_and_dropped() {
    let (mut world, ledger) = (World::new(), Ledger::default());
    world.on_entity::<Tracked>(|_, _, _| unreachable!("it is sent to the dead"));
    let [dead, alive] = [0.0, 1.0].map(|at| world.spawn(Position(at)).id());
    let mut commands = Commands::new();
    commands.despawn(dead);
    commands.despawn(dead);
    for target in [dead, alive, dead] {
        commands.insert(target, ledger.tracked());
    }
    commands.insert(dead, (ledger.tracked(), Tag));
    commands.remove::<Position>(dead);
    commands.remove::<(Position, Tag)>(dead);
    commands.patch::<Position>(dead, |_| unreachable!("it is dead"));
    commands.patch::<Mass>(alive, |_| unreachable!("it has none"));
    commands.remove::<Mass>(alive);
    commands.send_to(dead, ledger.tracked());
    let filled = commands.spawn(&world, ledger.tracked());
    world.despawn(filled).unwrap();
    let next = world.spawn(Mass(3)).id();
    assert_eq!(next.index(), filled.index());
    assert_eq!(counts(commands.apply(&mut world)), (9, 0));
    assert_eq!(ledger.alive(), 1);
    assert!(world.has::<(Tracked, Position)>(alive) && !world.has::<Tracked>(next));
    world.check_invariants();
    drop(world);
    assert_eq!(ledger.alive(), 0);
}

#[test]
fn a_handle_of_another_world_is_dead() {
    let (mut world, mut other) = (World::new(), World::new());
    let mut commands = Commands::new();
    let entity = commands.spawn(&other, Tag);
    let applied = commands.apply(&mut world);
    assert_eq!((applied.missing, applied.foreign), (0, 1));
    assert!(other.is_alive(entity) && world.is_empty());
    commands.insert(entity, Tag);
    assert_eq!(counts(commands.apply(&mut other)), (0, 0));
    assert!(other.has::<Tag>(entity));
}

#[test]
fn vetoes_are_checked_and_counted() {
    let mut world = World::new();
    let doors = |world: &mut World| {
        [true, false].map(|locked| world.spawn((Door { locked, asked: 0 }, Tag)).id())
    };
    let [locked, open] = doors(&mut world);
    let mut commands = Commands::new();
    for door in [locked, open, locked] {
        commands.remove::<Door>(door);
    }
    commands.remove::<(Door, Tag)>(locked);
    assert_eq!(counts(commands.apply(&mut world)), (0, 3));
    assert!(world.has::<Door>(locked) && !world.has::<Tag>(locked));
    assert!(!world.has::<Door>(open) && world.has::<Tag>(open));
    assert_eq!(world.get::<Door>(locked).unwrap().asked, 3);

    let [shut, ajar] = doors(&mut world);
    for door in [shut, ajar, shut, ajar, open] {
        commands.despawn(door);
    }
    commands.despawn(shut);
    assert_eq!(counts(commands.apply(&mut world)), (1, 3));
    assert!(world.is_alive(shut) && !world.is_alive(ajar) && !world.is_alive(open));
}

/// Ends with the whole that it is part of; circles are possible.
#[derive(Component, Clone, Copy, Debug, PartialEq)]
#[component(relation, at_end = despawn)]
struct PartOf(Entity);

#[test]
fn relations_are_recorded_and_joint_despawns_are_counted_one_by_one() {
    let mut world = World::new();
    let [ship, deck, gun, buoy] = [(); 4].map(|()| world.spawn_empty().id());
    let mut commands = Commands::new();
    commands.insert(deck, (ChildOf(ship), Tag));
    commands.insert(gun, ChildOf(deck));
    let mast = commands.spawn(&world, ChildOf(deck)); // of an entity that will be a child by then
    commands.insert(gun, ChildOf(ship));
    commands.remove::<ChildOf>(mast);
    commands.insert(mast, ChildOf(ship));
    assert_eq!(counts(commands.apply(&mut world)), (0, 0));
    assert!(world.children(ship).eq([deck, gun, mast]));

    // No entity points to a dead one, nor in a circle.
    world.despawn(buoy).unwrap();
    commands.insert(mast, ChildOf(buoy));
    commands.insert(mast, (ChildOf(buoy), Tag));
    assert_eq!(counts(commands.apply(&mut world)), (2, 0));
    assert_eq!(world.parent(mast), Some(ship));
    // The other commands are carried out, also in the same run.
    commands.insert(ship, ChildOf(gun));
    commands.insert(gun, ChildOf(gun));
    commands.insert(buoy, ChildOf(ship));
    commands.insert(mast, ChildOf(gun));
    commands.insert(ship, (ChildOf(mast), Tag));
    commands.insert(gun, Tag);
    assert_eq!(counts(commands.apply(&mut world)), (1, 3));
    assert!(world.has::<Tag>(gun) && !world.has::<Tag>(ship) && world.parent(ship).is_none());
    assert_eq!((world.parent(gun), world.parent(mast)), (Some(ship), Some(gun)));
    // At once, they cause a panic.
    let circle = || world.insert_batch([(mast, ChildOf(ship)), (ship, ChildOf(gun))]);
    assert!(panics(circle).unwrap().contains("circle"));
    assert_eq!(world.parent(mast), Some(ship));

    // The mast ends by its own command, the others with the ship.
    for entity in [mast, ship, gun, ship, buoy] {
        commands.despawn(entity);
    }
    assert_eq!(counts(commands.apply(&mut world)), (3, 0));
    assert!(world.is_empty());

    // One that stays keeps its ship, and others that point to it do not.
    let ship = world.spawn_empty().id();
    let door = world.spawn((ChildOf(ship), Door { locked: true, asked: 0 })).id();
    let gun = world.spawn(ChildOf(ship)).id();
    for entity in [ship, door, gun, gun] {
        commands.despawn(entity);
    }
    assert_eq!(counts(commands.apply(&mut world)), (1, 2));
    assert!(world.is_alive(ship) && world.is_alive(door) && !world.is_alive(gun));
    world.check_invariants();
}

#[test]
fn handles_are_had_while_views_live() {
    let mut world = World::new();
    let old = world.spawn_batch((0..4).map(|at| Position(at as f32)));
    world.despawn(old[2]).unwrap();
    let (mut commands, mut made) = (Commands::new(), Vec::new());

    let view = world.view_mut::<&mut Position>();
    let handles = view.allocator();
    for (_, position) in view.without::<Tag>() {
        position.0 += 1.0;
        made.push(commands.spawn(handles, Mass(1)));
    }
    let (positions, velocities) = world.split_mut::<(&mut Position, &mut Velocity)>();
    made.push(commands.spawn(positions.allocator(), Mass(1)));
    made.push(commands.spawn(velocities.allocator(), Mass(1)));
    let shared = &world;
    for _ in shared.view::<Position>() {
        made.push(commands.spawn(shared, Mass(1)));
    }
    let exclusive = &mut world;
    made.push(commands.spawn(&exclusive, Mass(1)));
    assert_eq!(made[0].index(), 2, "indices are recycled");
    assert!(!made.contains(&old[2]));

    assert_eq!(world.view::<Mass>().count(), 0);
    assert_eq!(counts(commands.apply(&mut world)), (0, 0));
    assert_eq!(world.view::<Mass>().count(), 9);
    made.sort();
    made.dedup();
    assert_eq!((made.len(), world.len()), (9, 12));
    assert!(made.iter().all(|&entity| world.has::<Mass>(entity)));
    world.check_invariants();
}

#[test]
fn each_thread_records_its_own() {
    fn is_shared<T: Send + Sync + 'static>() {}
    is_shared::<Commands>();
    is_shared::<ecs::EntityAllocator<'static>>();

    let mut world = World::new();
    let entities = world.spawn_batch((0..1_000_u32).map(Mass));
    let mut buffers: Vec<Commands> = (0..4).map(|_| Commands::new()).collect();
    let view = world.view_mut::<&mut Mass>();
    let handles = view.allocator();
    let record = |part: &[Entity], commands: &mut Commands| {
        for &entity in part {
            commands.insert(entity, Tag);
            let made = commands.spawn(handles, Position(1.0));
            commands.insert(made, Velocity(1.0));
            commands.despawn(entity);
        }
        commands.patch::<Mass>(part[0], |_| unreachable!("it was despawned"));
    };
    std::thread::scope(|scope| {
        let parts = entities.chunks(250).zip(&mut buffers);
        let threads: Vec<_> =
            parts.map(|(part, commands)| scope.spawn(move || record(part, commands))).collect();
        threads.into_iter().for_each(|thread| thread.join().unwrap());
    });
    for commands in &mut buffers {
        assert_eq!(counts(commands.apply(&mut world)), (1, 0));
    }
    assert_eq!((world.len(), world.view::<(Position, Velocity)>().count()), (1_000, 1_000));
    assert_eq!(world.view::<Mass>().count(), 0);
    world.check_invariants();
}

#[test]
fn neighbours_of_one_kind_are_one_operation_to_observers() {
    let (mut world, (story, told)) = (World::new(), story());
    let tell = |text: &'static str| {
        let story = story.clone();
        move |world: &mut World, entity: Entity| {
            let others = world.view::<Position>().count();
            story.lock().unwrap().push(format!("{text} {entity} of {others}"));
        }
    };
    world.on_insert::<Position>(tell("in"));
    world.on_update::<Position>(tell("new"));
    world.on_remove::<Position>(tell("out"));
    let entities: [Entity; 3] = std::array::from_fn(|_| world.spawn_empty().id());
    let mut commands = Commands::new();
    for entity in entities {
        commands.insert(entity, Position(0.0));
    }
    commands.insert(entities[0], Tag);
    commands.insert(entities[0], Position(1.0));
    commands.insert(entities[0], Position(2.0));
    commands.remove::<Position>(entities[0]);
    commands.remove::<Position>(entities[1]);
    commands.despawn(entities[1]);
    commands.despawn(entities[2]);
    commands.insert(entities[0], Position(0.0));
    commands.apply(&mut world);
    let story = [
        "in 0v1 of 3",
        "in 1v1 of 3",
        "in 2v1 of 3",
        "new 0v1 of 3",
        "out 0v1 of 3",
        "out 1v1 of 3",
        "out 2v1 of 1",
        "in 0v1 of 1",
    ];
    assert_eq!(told(), story);
}

#[derive(Component, Default)]
struct Later(Commands);

/// Applies the commands that are kept in a component, until there are no more.
fn apply_later(world: &mut World, keeper: Entity) -> usize {
    let mut rounds = 0;
    let mut commands = Commands::new();
    loop {
        std::mem::swap(&mut commands, &mut world.get_mut::<Later>(keeper).unwrap().0);
        if commands.is_empty() {
            return rounds;
        }
        commands.apply(world);
        rounds += 1;
    }
}

#[test]
fn trap_24_commands_made_inside_commands_run_when_their_own_buffer_is_applied() {
    let (mut world, (story, told)) = (World::new(), story());
    let say = move |text: &'static str| {
        let story = story.clone();
        move |_: &mut World| story.lock().unwrap().push(text.to_owned())
    };
    let keeper = world.spawn(Later::default()).id();
    let mut commands = Commands::new();
    commands.queue(say("first"));
    let (inside, deeper, later, last) = (say("inside"), say("deeper"), say("later"), say("last"));
    commands.queue(move |world| {
        let mut own = Commands::new();
        own.queue(inside);
        own.queue(move |world| {
            let mut own = Commands::new();
            own.queue(deeper);
            own.apply(world);
        });
        let Later(kept) = world.get_mut::<Later>(keeper).unwrap();
        kept.queue(later);
        kept.queue(move |world| {
            let Later(kept) = world.get_mut::<Later>(keeper).unwrap();
            kept.queue(last);
        });
        own.apply(world);
    });
    commands.queue(say("second"));
    commands.apply(&mut world);
    assert_eq!(told(), ["first", "inside", "deeper", "second"]);
    assert_eq!(apply_later(&mut world, keeper), 2);
    assert_eq!(told(), ["later", "last"]);
}

#[test]
fn observers_record_later_edits() {
    let mut world = World::new();
    world.spawn((Later::default(), Mass(0)));
    let keeper = world.view::<Later>().single().unwrap().0;
    // A row of dominoes; each falls in a round of its own: nothing recurses.
    world.on_remove::<Tag>(|world, entity| {
        let next = world.entities().find(|other| *other > entity);
        for (_, Later(kept)) in world.view_mut::<&mut Later>() {
            next.iter().for_each(|&next| kept.remove::<Tag>(next));
        }
    });
    let row = world.spawn_batch((0..1_000).map(|_| Tag));
    world.remove::<Tag>(row[0]);
    assert_eq!(world.view::<Tag>().count(), 999);
    assert_eq!(apply_later(&mut world, keeper), 999);
    assert_eq!(world.view::<Tag>().count(), 0);
}

#[test]
fn observers_record_while_a_view_of_theirs_lives() {
    // Each that goes takes with it the ones worth less, which its view finds.
    fn topple(world: &mut World, entity: Entity) {
        let own = world.get::<Mass>(entity).unwrap().0;
        let mut commands = Commands::new();
        for (other, mass) in world.view::<&Mass>() {
            if mass.0 < own {
                commands.despawn(other);
            }
        }
        let lighter = commands.len();
        let applied = commands.apply(world);
        assert!(applied.missing <= lighter && applied.refused == 0);
        assert!(world.is_alive(entity), "it is told of before it goes");
    }
    for in_commands in [false, true] {
        let mut world = World::new();
        let all = world.spawn_batch((0..12).map(Mass));
        world.on_remove::<Mass>(topple);
        if in_commands {
            let mut commands = Commands::new();
            all[3..8].iter().for_each(|&entity| commands.despawn(entity));
            commands.patch::<Mass>(all[9], |mass| mass.0 += 1);
            assert_eq!(counts(commands.apply(&mut world)).1, 0);
            assert_eq!(world.get::<Mass>(all[9]), Some(&Mass(10)));
        } else {
            world.despawn(all[7]).unwrap();
        }
        assert_eq!(world.entities().collect::<Vec<_>>(), all[8..]);
        world.check_invariants();
    }
}

#[test]
fn a_command_may_put_another_world_in_place() {
    let mut world = World::new();
    let entity = world.spawn(Mass(1)).id();
    let mut commands = Commands::new();
    commands.insert(entity, Tag);
    commands.queue(|world| *world = World::new());
    commands.insert(entity, Tag);
    commands.queue(|world| _ = world.spawn(Tag));
    assert_eq!(commands.apply(&mut world).foreign, 2, "they were for the world before");
    assert!(world.is_empty() && commands.is_empty());
    commands.queue(|world| _ = world.spawn(Tag));
    assert_eq!(counts(commands.apply(&mut world)), (0, 0));
    assert_eq!(world.len(), 1);
}

#[test]
fn trap_23_unapplied_commands_are_dropped() {
    let (mut world, ledger) = (World::new(), Ledger::default());
    let entity = world.spawn_empty().id();
    let mut commands = Commands::new();
    let filled = commands.spawn(&world, (ledger.tracked(), Tag));
    commands.insert(entity, ledger.tracked());
    let captured = ledger.tracked();
    commands.queue(move |_| drop(captured));
    let captured = ledger.tracked();
    commands.patch::<Mass>(entity, move |_| drop(captured));
    commands.send(ledger.tracked());
    commands.send_to(entity, ledger.tracked());
    commands.despawn(entity);
    assert_eq!((ledger.alive(), commands.len()), (6, 7));
    drop(commands);
    assert_eq!(ledger.alive(), 0);
    assert!(world.is_alive(entity) && world.is_alive(filled));
    assert_eq!(world.components(filled).count(), 0);
    world.despawn(filled).unwrap();
    assert_eq!(world.len(), 1);
}

/// Records something that panics when it is applied, of a kind of its own.
type Mine = fn(&mut Commands, &mut World, &Ledger);

const MINES: [(&str, Mine); 9] = [
    ("an insertion", |commands, world, ledger| {
        let entity = world.spawn(ledger.bomb()).id();
        commands.insert(entity, ledger.tracked());
    }),
    ("an insertion among others", |commands, world, ledger| {
        for at in 0..300 {
            let value = if at == 200 { ledger.bomb() } else { ledger.tracked() };
            let entity = world.spawn(value).id();
            commands.insert(entity, ledger.tracked());
        }
    }),
    ("a removal", |commands, world, ledger| {
        let entity = world.spawn(ledger.bomb()).id();
        commands.remove::<Tracked>(entity);
    }),
    ("a despawn among others", |commands, world, ledger| {
        for value in [ledger.tracked(), ledger.bomb(), ledger.tracked()] {
            let entity = world.spawn(value).id();
            commands.despawn(entity);
        }
    }),
    ("a patch", |commands, world, ledger| {
        let (entity, captured) = (world.spawn(Velocity(0.0)).id(), ledger.tracked());
        commands.patch::<Velocity>(entity, move |_| panic!("{}", captured.value));
    }),
    ("a closure", |commands, _, ledger| {
        let captured = ledger.tracked();
        commands.queue(move |_| panic!("{}", captured.value));
    }),
    ("an observer of an event", |commands, world, ledger| {
        let observer = world.on::<Tracked>(|_, event| panic!("{}", event.value));
        commands.send(ledger.tracked());
        commands.queue(move |world| assert!(world.unobserve(observer)));
    }),
    ("an observer", |commands, world, ledger| {
        let observer = world.on_insert::<Velocity>(|_, _| panic!("no more of these"));
        let entity = world.spawn_empty().id();
        commands.insert(entity, (ledger.tracked(), Velocity(0.0)));
        commands.queue(move |world| assert!(world.unobserve(observer)));
    }),
    ("a veto", |commands, world, _| {
        let door = world.spawn(Door { locked: false, asked: 100 }).id();
        commands.despawn(door);
    }),
];

#[test]
fn after_a_panic_commands_that_did_not_begin_stay_recorded() {
    for (name, mine) in MINES {
        for drop_the_rest in [false, true] {
            let (mut world, ledger) = (World::new(), Ledger::default());
            let entity = world.spawn(Mass(0)).id();
            let mut commands = Commands::new();
            let count = |commands: &mut Commands| {
                let captured = ledger.tracked();
                commands
                    .patch::<Mass>(entity, move |mass| mass.0 += u32::from(*captured.value == 7));
                commands.insert(entity, (Position(0.0), ledger.tracked()));
            };
            count(&mut commands);
            mine(&mut commands, &mut world, &ledger);
            count(&mut commands);
            assert!(panics(|| commands.apply(&mut world)).is_some(), "{name}");
            assert_eq!(world.get::<Mass>(entity), Some(&Mass(1)), "{name}: others did not begin");
            world.check_invariants();
            assert!(commands.len() >= 2, "{name}");
            if drop_the_rest {
                drop(commands);
            } else {
                count(&mut commands);
                commands.apply(&mut world);
                assert!(commands.is_empty());
                assert_eq!(world.get::<Mass>(entity), Some(&Mass(3)), "{name}: each ran once");
            }
            world.check_invariants();
            let kept = world.view::<Tracked>().count();
            assert_eq!(ledger.alive(), kept.cast_signed(), "{name}: nothing leaks");
            drop(world);
            assert_eq!(ledger.alive(), 0, "{name}");
        }
    }
}

/// Chunks of a run, and several bombs in it: none is passed over, and none is run twice.
#[test]
fn each_insertion_of_a_run_is_done_once_however_often_it_panics() {
    for count in [1_usize, 2, 3, 127, 128, 129, 300] {
        for bombs in [vec![0], vec![count - 1], vec![count / 2], vec![0, count / 3, count - 1]] {
            let (mut world, ledger) = (World::new(), Ledger::default());
            let (mut commands, mut turns) = (Commands::new(), 0);
            for at in 0..count {
                let old = if bombs.contains(&at) { ledger.bomb() } else { ledger.tracked() };
                let entity = world.spawn(old).id();
                commands.insert(entity, (Mass(1), ledger.tracked()));
            }
            while panics(|| commands.apply(&mut world)).is_some() {
                turns += 1;
                world.check_invariants();
            }
            assert!((1..=bombs.len()).contains(&turns), "{count} {bombs:?}: {turns}");
            assert!(commands.is_empty());
            let held = world.view::<(&Tracked, &Mass)>().count();
            assert_eq!((held, ledger.alive()), (count, count.cast_signed()), "{bombs:?}");
            drop(world); // no bomb is left
            assert_eq!(ledger.alive(), 0);
        }
    }
}

#[test]
fn closures_of_one_place_that_follow_a_panic_run_later() {
    let mut world = World::new();
    let mut commands = Commands::new();
    for at in 0..10_u32 {
        commands.queue(move |world| {
            assert!(at % 4 != 2, "{at} panics");
            world.spawn(Mass(at));
        });
    }
    assert_eq!(panics(|| commands.apply(&mut world)).unwrap(), "2 panics");
    assert_eq!(commands.len(), 7);
    assert_eq!(panics(|| commands.apply(&mut world)).unwrap(), "6 panics");
    commands.apply(&mut world);
    let ran: Vec<u32> = world.view::<Mass>().iter().map(|(_, mass)| mass.0).collect();
    assert_eq!(ran, [0, 1, 3, 4, 5, 7, 8, 9]);
}

#[test]
fn a_bomb_among_unapplied_commands() {
    let (world, ledger) = (World::new(), Ledger::default());
    let mut commands = Commands::new();
    for at in 0..5 {
        commands.spawn(&world, if at == 2 { ledger.bomb() } else { ledger.tracked() });
        commands.send(ledger.tracked());
    }
    assert!(panics(move || drop(commands)).is_some());
    assert_eq!(ledger.alive(), 0, "all others are dropped");
}
