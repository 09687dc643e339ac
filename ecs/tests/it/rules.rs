//! Rules between components: `needs`, `excludes` and `replaces`.

use ecs::{
    ChildOf, Commands, Component, ComponentRule, DespawnError, Entity, EntityOf, Group, Name,
    RelateError, RemoveError, Schedule, View, With, World,
};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};

#[derive(Component, Debug, PartialEq)]
#[component(needs(Health))]
struct Player;
#[derive(Component, Debug, PartialEq, Clone, Copy)]
struct Health(u32);

#[derive(Component, Debug, PartialEq)]
#[component(excludes(Enemy))]
struct Ally;
#[derive(Component, Debug, PartialEq)]
struct Enemy;

#[derive(Component, Debug, PartialEq)]
#[component(replaces(Walking, Falling))]
struct Swimming;
#[derive(Component, Debug, PartialEq)]
#[component(replaces(Swimming, Falling))]
struct Walking(u32);
#[derive(Component, Debug, PartialEq)]
struct Falling;

/// Returns the message of an edit that panics.
fn refusal<T>(edit: impl FnOnce() -> T) -> String {
    let panicked = catch_unwind(AssertUnwindSafe(|| drop(edit()))).expect_err("it is refused");
    panicked.downcast_ref::<String>().expect("words").clone()
}

const NEEDED: ComponentRule = ComponentRule::Needs("Player", "Health");
const EXCLUDED: ComponentRule = ComponentRule::Excludes("Ally", "Enemy");

#[test]
fn a_component_is_not_inserted_without_one_that_it_needs() {
    let mut world = World::new();
    let entity = world.spawn_empty().id();
    assert_eq!(world.try_insert(entity, Player), Err(RelateError::Rule(entity, NEEDED)));
    assert_eq!(
        refusal(|| world.insert(entity, Player)),
        "entity 0v1 would have `Player` without `Health`: `Player` needs `Health`; insert both in one bundle, or remove \
         `Player` first; `World::try_insert` returns this error"
    );
    assert!(refusal(|| world.replace(entity, Player)).contains("without `Health`"));
    assert!(refusal(|| world.insert_if_absent(entity, Player)).contains("without `Health`"));
    assert!(
        refusal(|| world.get_or_insert_with(entity, || Player).is_ok())
            .contains("without `Health`")
    );
    assert!(!world.has::<Player>(entity));
    world.insert(entity, (Player, Health(3))).unwrap();
    world.insert(entity, Player).unwrap();
    world.insert(entity, Health(4)).unwrap();
    let other = world.spawn(Health(1)).id();
    world.insert(other, Player).unwrap();
    assert_eq!(world.view::<(&Player, &Health)>().count(), 2);
}

#[test]
fn a_needed_component_is_not_removed() {
    let mut world = World::new();
    let [a, b, c] = [3, 4, 5].map(|health| world.spawn(Health(health)).id());
    world.insert(b, Player).unwrap();
    let kept = RemoveError::Rule(b, "Health", NEEDED);
    assert_eq!(
        kept.to_string(),
        "entity 1v1 keeps its `Health`: `Player` needs `Health`; remove `Player` first, or take both"
    );
    assert_eq!(world.try_remove::<Health>(b), Err(kept));
    assert_eq!(world.remove::<Health>(b), None);
    assert_eq!(world.remove::<(Health, Name)>(b), (None, None));
    assert_eq!(world.take::<Health>(b), None);
    assert_eq!(world.take::<(Health, Name)>(b), None);
    assert_eq!(world.remove_except::<Player>(b), Err(kept));
    assert_eq!(world.remove_batch::<Health>(&[a, b]), 1);
    assert_eq!(world.remove_batch::<Health>(&[b]), 0);
    world.pool_mut::<Health>().clear();
    assert_eq!(world.pool::<Health>().keys(), [b]);
    world.insert(c, Health(6)).unwrap();
    world.pool_mut::<Health>().retain(|_, _| false);
    assert_eq!(world.pool_mut::<Health>().drain().count(), 0);
    assert_eq!(world.pool::<Health>().keys(), [b]);

    assert_eq!(world.take::<(Health, Player)>(b), Some((Health(4), Player)));
    world.insert(b, (Player, Health(7))).unwrap();
    world.remove_except::<Name>(b).unwrap();
    world.insert(b, (Player, Health(8))).unwrap();
    assert_eq!(world.remove::<(Player, Health)>(b), (Some(Player), Some(Health(8))));
    world.insert(b, (Player, Health(8))).unwrap();
    world.despawn(b).unwrap();
    world.spawn((Player, Health(8)));
    world.clear();
    assert!(world.is_empty());
}

#[test]
fn a_chain_of_needs_leaves_from_its_end() {
    #[derive(Component, Debug, PartialEq)]
    struct Body;
    #[derive(Component, Debug, PartialEq)]
    #[component(needs(Body))]
    struct Arm;
    #[derive(Component, Debug, PartialEq)]
    #[component(needs(Arm))]
    struct Hand;

    let mut world = World::new();
    let order = Arc::new(Mutex::new(Vec::new()));
    for (name, at) in [("body", 0), ("arm", 1), ("hand", 2)] {
        let order = order.clone();
        let note = move |_: &mut World, _: Entity| order.lock().unwrap().push(name);
        match at {
            0 => world.on_remove::<Body>(note),
            1 => world.on_remove::<Arm>(note),
            _ => world.on_remove::<Hand>(note),
        };
    }
    let entity = world.spawn((Hand, Body, Arm)).id();
    assert_eq!(world.take::<(Body, Hand)>(entity), None);
    assert_eq!(world.take::<(Body, Arm, Hand)>(entity), Some((Body, Arm, Hand)));
    assert_eq!(*order.lock().unwrap(), ["hand", "arm", "body"]);
    world.insert(entity, (Body, Arm, Hand)).unwrap();
    order.lock().unwrap().clear();
    world.remove_except::<Name>(entity).unwrap();
    assert_eq!(*order.lock().unwrap(), ["hand", "arm", "body"]);
}

#[test]
fn the_second_of_two_that_exclude_each_other_is_refused() {
    let mut world = World::new();
    let [ally, enemy] = [world.spawn(Ally).id(), world.spawn(Enemy).id()];
    assert_eq!(world.try_insert(ally, Enemy), Err(RelateError::Rule(ally, EXCLUDED)));
    assert_eq!(world.try_insert(enemy, Ally), Err(RelateError::Rule(enemy, EXCLUDED)));
    assert_eq!(
        refusal(|| world.insert(ally, Enemy)),
        "entity 0v1 would have both `Ally` and `Enemy`: `Ally` excludes `Enemy`; remove one of them first; \
         `World::try_insert` returns this error"
    );
    world.remove::<Ally>(ally);
    world.insert(ally, Enemy).unwrap();
    assert_eq!((world.pool::<Ally>().len(), world.pool::<Enemy>().len()), (0, 2));
}

#[test]
fn a_component_replaces_others() {
    let mut world = World::new();
    let entity = world.spawn((Walking(3), Health(1))).id();
    world.insert(entity, Swimming).unwrap();
    assert!(world.has::<Swimming>(entity) && !world.has::<Walking>(entity));
    world.insert(entity, Walking(4)).unwrap();
    assert_eq!(world.get::<Walking>(entity), Some(&Walking(4)));
    assert!(!world.has::<Swimming>(entity));
    let rule = ComponentRule::Replaces("Walking", "Falling");
    assert_eq!(world.try_insert(entity, Falling), Err(RelateError::Rule(entity, rule)));
    world.remove::<Walking>(entity);
    world.insert(entity, Falling).unwrap();
    assert_eq!(world.replace(entity, Swimming), Ok(None));
    assert!(!world.has::<Falling>(entity));
    world.insert_if_absent(entity, Walking(5)).unwrap();
    world.get_or_insert_with(entity, || Swimming).unwrap();
    assert_eq!(world.pool::<Walking>().len() + world.pool::<Falling>().len(), 0);
    assert_eq!(world.get::<Health>(entity), Some(&Health(1)));
}

#[test]
fn observers_see_a_replacement_as_one_edit() {
    #[derive(Component)]
    struct One;
    #[derive(Component)]
    struct Two;
    #[derive(Component)]
    #[component(replaces(One, Two))]
    struct Three;

    type Seen = Vec<(&'static str, bool, bool, bool)>;
    let mut world = World::new();
    let seen = Arc::new(Mutex::new(Seen::new()));
    let note = |name: &'static str| {
        let seen = seen.clone();
        move |world: &mut World, entity: Entity| {
            let has =
                (world.has::<One>(entity), world.has::<Two>(entity), world.has::<Three>(entity));
            seen.lock().unwrap().push((name, has.0, has.1, has.2));
        }
    };
    world.on_remove::<One>(note("one goes"));
    world.on_remove::<Two>(note("two goes"));
    world.on_insert::<Three>(note("three is there"));
    let entity = world.spawn((One, Two)).id();
    world.insert(entity, Three).unwrap();
    assert_eq!(
        *seen.lock().unwrap(),
        [
            ("one goes", true, true, false),
            ("two goes", true, true, false),
            ("three is there", false, false, true)
        ]
    );
}

#[test]
fn a_replaced_component_may_be_kept_by_its_veto_or_by_a_need() {
    #[derive(Component)]
    #[component(veto = Stuck::may_go)]
    struct Stuck(bool);
    impl Stuck {
        fn may_go(&mut self) -> bool {
            self.0
        }
    }
    #[derive(Component)]
    #[component(replaces(Stuck))]
    struct Free;
    #[derive(Component)]
    #[component(needs(Stuck))]
    struct Glue;

    let mut world = World::new();
    let entity = world.spawn(Stuck(false)).id();
    assert_eq!(world.try_insert(entity, Free), Err(RelateError::Refused(entity, "Stuck")));
    world.get_mut::<Stuck>(entity).unwrap().0 = true;
    world.insert(entity, Glue).unwrap();
    let rule = ComponentRule::Needs("Glue", "Stuck");
    assert_eq!(world.try_insert(entity, Free), Err(RelateError::Rule(entity, rule)));
    world.remove::<Glue>(entity);
    world.try_insert(entity, Free).unwrap();
    assert!(world.has::<Free>(entity) && !world.has::<Stuck>(entity));
}

#[test]
fn required_components_meet_needs_and_rules() {
    #[derive(Component)]
    #[component(needs(Shield), requires(Shield))]
    struct Knight;
    #[derive(Component, Default)]
    #[component(excludes(Cursed))]
    struct Shield;
    #[derive(Component)]
    struct Cursed;
    #[derive(Component)]
    #[component(requires(Knight = Knight))]
    struct King;

    let mut world = World::new();
    let knight = world.spawn(Knight).id();
    assert!(world.has::<Shield>(knight) && world.remove::<Shield>(knight).is_none());
    let cursed = world.spawn(Cursed).id();
    let rule = ComponentRule::Excludes("Shield", "Cursed");
    assert_eq!(world.try_insert(cursed, Knight), Err(RelateError::Rule(cursed, rule)));
    assert_eq!(world.try_insert(cursed, King), Err(RelateError::Rule(cursed, rule)));
    assert!(!world.has::<Knight>(cursed) && !world.has::<King>(cursed));
    let mut fresh = World::new();
    assert!(
        refusal(|| fresh.spawn((King, Cursed)).id()).starts_with("a new entity would have both")
    );
    let cursed = fresh.spawn(Cursed).id();
    assert!(fresh.try_insert(cursed, King).is_err() && fresh.len() == 1);
    assert_eq!(fresh.spawn_batch([(King, Name::new("A")), (King, Name::new("B"))]).len(), 2);
    assert_eq!(fresh.view::<(King, Knight, Shield)>().count(), 2);
}

#[test]
fn batches_keep_rules() {
    let mut world = World::new();
    let all = world.spawn_batch((0..6).map(Health));
    world.insert_batch(all.iter().map(|&entity| (entity, Player))).unwrap();
    assert_eq!(world.remove_batch::<Health>(&all), 0);
    let empty = world.spawn_empty().id();
    assert!(refusal(|| world.insert_batch([(all[0], Player), (empty, Player)])).contains("6v1"));
    let walking = world.spawn_batch((0..5).map(Walking));
    world.insert_batch(walking.iter().map(|&entity| (entity, (Swimming, Ally)))).unwrap();
    assert_eq!((world.pool::<Walking>().len(), world.pool::<Swimming>().len()), (0, 5));
    let text = refusal(|| world.insert_batch(walking.iter().map(|&entity| (entity, Enemy))));
    assert!(text.contains("`Ally` excludes `Enemy`"), "{text}");
    assert!(world.pool::<Enemy>().is_empty());
    assert_eq!(world.spawn_batch((0..3).map(|it| (Player, Health(it)))).len(), 3);
}

#[test]
fn commands_count_edits_that_rules_refuse() {
    let mut world = World::new();
    let [ally, player] = [world.spawn(Ally).id(), world.spawn((Player, Health(3))).id()];
    let walking = world.spawn_batch((0..3).map(Walking));
    let mut commands = Commands::new();
    commands.insert(ally, Enemy);
    commands.insert(ally, Player);
    commands.remove::<Health>(player);
    for &entity in &walking {
        commands.insert(entity, Swimming);
    }
    let spawned = commands.spawn(&world, (Player, Health(1)));
    let applied = commands.apply(&mut world);
    assert_eq!((applied.missing, applied.refused), (0, 3));
    assert!(world.has::<(Player, Health)>(player) && world.has::<Player>(spawned));
    assert_eq!((world.pool::<Walking>().len(), world.pool::<Swimming>().len()), (0, 3));
    commands.remove::<(Player, Health)>(player);
    assert_eq!(commands.apply(&mut world).refused, 0);
    assert!(!world.has::<Health>(player));
}

#[test]
fn generic_components_are_checked_when_they_are_inserted() {
    #[derive(Component)]
    #[component(excludes(Slot<u8>), needs(Slot<u16>))]
    struct Full;
    #[derive(Component)]
    struct Slot<T>(T);
    #[derive(Component)]
    #[component(needs(T))]
    struct Wrapper<T>(std::marker::PhantomData<T>);

    let mut world = World::new();
    assert!(
        refusal(|| world.spawn((Full, Slot(1_u8), Slot(2_u16))).id()).contains("`Full` excludes")
    );
    assert!(refusal(|| world.spawn((Full, Slot(1_u32))).id()).contains("`Full` needs `Slot`"));
    let wrapped = || (Wrapper::<Slot<u8>>(std::marker::PhantomData), Slot(2_u16));
    assert!(refusal(|| world.spawn_batch([wrapped()])).contains("`Wrapper` needs `Slot`"));
    assert!(world.is_empty());
    let entity = world.spawn((Full, Slot(2_u16))).id();
    assert!(world.try_insert(entity, Slot(1_u8)).is_err());
    assert!(world.try_insert(entity, Slot(1_u32)).is_ok());
    assert!(world.try_insert(entity, Wrapper::<Slot<u32>>(std::marker::PhantomData)).is_ok());
    assert!(world.try_remove::<Slot<u32>>(entity).is_err());
}

#[test]
fn a_needed_relation_keeps_its_target() {
    #[derive(Component)]
    #[component(needs(Follows))]
    struct Dog;
    #[derive(Component, Debug)]
    #[component(relation)]
    struct Follows(Entity);
    #[derive(Component)]
    #[component(excludes(ChildOf))]
    struct Root;

    let mut world = World::new();
    let [master, other] = [(); 2].map(|()| world.spawn_empty().id());
    let dog = world.spawn((Dog, Follows(master))).id();
    let rule = ComponentRule::Needs("Dog", "Follows");
    let error = DespawnError::Rule(dog, "Follows", rule);
    assert_eq!(world.despawn(master), Err(error));
    assert_eq!(
        error.to_string(),
        "entity 2v1 would lose its `Follows` with its target: `Dog` needs `Follows`; remove one of them first"
    );
    assert_eq!(world.despawn_batch(&[other, master]), 1);
    world.insert(dog, Follows(dog)).unwrap();
    world.despawn(master).unwrap();
    world.despawn(dog).unwrap();
    let root = world.spawn(Root).id();
    let child = world.spawn_empty().id();
    assert!(matches!(world.attach(root, child), Err(RelateError::Rule(..))));
    world.attach(child, root).unwrap();
    assert!(world.try_insert(child, Root).is_err());
}

#[test]
fn an_observer_cannot_insert_a_component_that_needs_a_leaving_one() {
    let mut world = World::new();
    world.on_remove::<Health>(|world: &mut World, entity| {
        let error = world.try_insert(entity, Player).unwrap_err();
        assert_eq!(error, RelateError::Rule(entity, NEEDED));
    });
    world.on_remove::<Walking>(|world: &mut World, entity| {
        assert!(world.try_insert(entity, Falling).is_err());
        world.try_insert(entity, Swimming).unwrap();
    });
    let entity = world.spawn((Health(3), Walking(1))).id();
    assert_eq!(world.remove::<Health>(entity), Some(Health(3)));
    world.insert(entity, Swimming).unwrap();
    assert!(world.has::<Swimming>(entity) && !world.has::<(Walking, Falling)>(entity));
    assert!(!world.has::<Player>(entity));
    world.check_invariants();
}

#[test]
fn groups_and_readers_follow_a_replacement() {
    #[derive(Component)]
    #[component(track)]
    struct Old;
    #[derive(Component)]
    #[component(track, replaces(Old))]
    struct New;
    let mut world = World::new();
    world.declare_group(Group::owning::<(Old, Health)>()).unwrap();
    world.declare_group(Group::observing::<(New, Health)>().without::<Old>()).unwrap();
    let (mut old, mut new) = (world.changes::<Old>(), world.changes::<New>());
    let entities = world.spawn_batch((0..4).map(|it| (Old, Health(it))));
    world.advance(&mut old);
    world.insert(entities[1], New).unwrap();
    world.insert_batch(entities[2..].iter().map(|entity| (*entity, New))).unwrap();
    world.advance(&mut old);
    world.advance(&mut new);
    assert_eq!((old.removed().len(), new.inserted().len()), (3, 3));
    world.check_invariants();
}

#[derive(Component)]
struct Place(u32);

#[test]
fn views_that_a_rule_parts_are_borrowed_together() {
    let mut world = World::new();
    world.spawn_batch((0..5).map(|it| (Place(it), Ally)));
    world.spawn_batch((0..7).map(|it| (Place(it), Enemy)));
    let (allies, enemies) =
        world.split_mut::<((&mut Place, With<Ally>), (&mut Place, With<Enemy>))>();
    for ((_, ally), (_, enemy)) in allies.into_iter().zip(enemies) {
        std::mem::swap(ally, enemy);
        ally.0 += 1;
    }
    let (walking, swimming) =
        world.split_mut::<((&mut Place, &Walking), (&mut Place, &Swimming))>();
    assert_eq!((walking.into_iter().count(), swimming.into_iter().count()), (0, 0));
    world.run(
        |allies: View<(&mut Place, With<Ally>)>, enemies: View<(&mut Place, With<Enemy>)>| {
            assert_eq!((allies.into_iter().count(), enemies.into_iter().count()), (5, 7));
        },
    );
}

#[test]
fn systems_that_a_rule_parts_may_overlap() {
    fn age_allies(places: View<(&mut Place, With<Ally>)>) {
        places.into_iter().for_each(|(_, place)| place.0 += 10);
    }
    fn age_enemies(places: View<(&mut Place, With<Enemy>)>) {
        places.into_iter().for_each(|(_, place)| place.0 += 1);
    }
    let mut world = World::new();
    world.spawn_batch((0..500).map(|_| (Place(0), Ally)));
    world.spawn_batch((0..500).map(|_| (Place(0), Enemy)));
    let mut schedule = Schedule::new().add(age_allies).add(age_enemies);
    for _ in 0..5 {
        schedule.run(&mut world).unwrap();
    }
    assert!(world.view::<(&Place, With<Ally>)>().iter().all(|(_, place)| place.0 == 50));
    assert!(world.view::<(&Place, With<Enemy>)>().iter().all(|(_, place)| place.0 == 5));
}

#[derive(Component, Debug, PartialEq, Clone, Copy)]
struct Ship(u32);
#[derive(Component, Debug, PartialEq)]
#[component(replaces(Ship))]
struct Wreck;
#[derive(Component, Debug, PartialEq, Clone, Copy)]
#[component(relation(target = Ship))]
struct AimsAt(Entity);
#[derive(Component, Debug, PartialEq, Clone, Copy)]
#[component(relation, at_end = despawn)]
struct CrewOf(EntityOf<Ship>);

const TARGETS: ComponentRule = ComponentRule::PointsTo("AimsAt", "Ship");

#[test]
fn a_relation_points_to_entities_with_a_component_alone() {
    let mut world = World::new();
    let [rock, gun, other] = [(); 3].map(|()| world.spawn_empty().id());
    let ship = world.spawn(Ship(1)).id();
    let wrong = RelateError::WrongTarget("AimsAt", rock, "Ship");
    let text = "`AimsAt` would point to 0v1, which has no `Ship`: `AimsAt` points to entities with `Ship`; insert a `Ship` \
                there first";
    assert_eq!(wrong.to_string(), text);
    let aims = AimsAt(rock);
    assert_eq!(world.try_insert(gun, aims), Err(wrong.clone()));
    assert_eq!(world.try_insert(gun, (Name::from("gun"), aims)), Err(wrong.clone()));
    assert_eq!(world.relate(gun, aims), Err(wrong));
    assert_eq!(
        refusal(|| world.insert(gun, aims)),
        format!("{text}; `World::try_insert` returns this error")
    );
    assert!(refusal(|| world.replace(gun, aims)).starts_with(text));
    assert!(refusal(|| world.insert_if_absent(gun, aims)).starts_with(text));
    assert!(refusal(|| world.spawn((Health(1), aims)).id()).starts_with(text));
    assert!(refusal(|| world.spawn_batch([AimsAt(ship), aims])).starts_with(text));
    assert!(refusal(|| world.insert_batch([(gun, AimsAt(ship)), (other, aims)])).starts_with(text));
    let mut commands = Commands::new();
    commands.insert(gun, aims);
    commands.spawn(&world, aims);
    assert_eq!(commands.apply(&mut world).refused, 2);
    assert!(world.view::<(&AimsAt, &Name)>().is_empty() && !world.has::<AimsAt>(other));

    world.insert(rock, Ship(2)).unwrap();
    world.insert(gun, aims).unwrap();
    let handle = world.handle_of::<Ship>(ship).unwrap();
    world.insert(other, CrewOf(handle)).unwrap();
    world.insert(ship, Ship(3)).unwrap(); // a value in place of another one
    world.check_invariants();
    // A typed handle may be outdated.
    world.despawn(other).unwrap();
    world.pool_mut::<AimsAt>().clear(); // also of the first entity of the batch
    assert_eq!(world.remove::<Ship>(ship), Some(Ship(3)));
    let late = world.spawn_empty().id();
    let wrong = RelateError::WrongTarget("CrewOf", ship, "Ship");
    assert_eq!(world.try_insert(late, CrewOf(handle)), Err(wrong));
}

#[test]
fn the_component_of_a_target_stays_while_something_points_to_it() {
    let mut world = World::new();
    let [a, b] = [1, 2].map(|n| world.spawn(Ship(n)).id());
    let gun = world.spawn(AimsAt(a)).id();
    let kept = RemoveError::Rule(a, "Ship", TARGETS);
    assert_eq!(
        kept.to_string(),
        "entity 0v1 keeps its `Ship`: `AimsAt` points to entities with `Ship`; remove each `AimsAt` to it first, or let it \
         point elsewhere"
    );
    assert_eq!(world.try_remove::<Ship>(a), Err(kept));
    assert_eq!((world.remove::<Ship>(a), world.take::<Ship>(a)), (None, None));
    assert_eq!(world.take::<(Ship, Name)>(a), None);
    assert_eq!(world.remove_except::<Name>(a), Err(kept));
    assert_eq!(world.remove_batch::<Ship>(&[a, b]), 1);
    world.insert(b, Ship(2)).unwrap();
    world.pool_mut::<Ship>().clear();
    world.pool_mut::<Ship>().retain(|_, _| false);
    assert_eq!(world.pool_mut::<Ship>().drain().count(), 0);
    assert_eq!(world.pool::<Ship>().keys(), [a]);
    assert_eq!(world.try_insert(a, Wreck), Err(RelateError::Rule(a, TARGETS)));
    assert_eq!(
        RelateError::Rule(a, TARGETS).to_string(),
        "entity 0v1 would keep its `AimsAt`, or be its target, without `Ship`: `AimsAt` points to entities with `Ship`; \
         remove the `AimsAt` first"
    );
    let mut commands = Commands::new();
    commands.remove::<Ship>(a);
    assert_eq!(commands.apply(&mut world).refused, 1);

    world.insert(b, Ship(3)).unwrap();
    world.insert(gun, AimsAt(b)).unwrap();
    world.insert(a, Wreck).unwrap();
    assert!(!world.has::<Ship>(a));
    world.remove::<AimsAt>(gun);
    assert_eq!(world.remove::<Ship>(b), Some(Ship(3)));

    // An entity that points to itself loses both, the relation first.
    world.insert(b, Ship(4)).unwrap();
    world.insert(b, AimsAt(b)).unwrap();
    assert_eq!(world.remove::<Ship>(b), None);
    assert_eq!(world.take::<(Ship, AimsAt)>(b), Some((Ship(4), AimsAt(b))));
    world.insert(b, Ship(5)).unwrap();
    world.insert(b, AimsAt(b)).unwrap();
    world.remove_except::<Name>(b).unwrap();
    assert!(!world.has::<Ship>(b) && !world.has::<AimsAt>(b));

    // A target may be despawned: the relation ends with it.
    world.insert(b, Ship(6)).unwrap();
    world.insert(gun, AimsAt(b)).unwrap();
    let crew = world.spawn(CrewOf(world.handle_of(b).unwrap())).id();
    world.despawn(b).unwrap();
    assert!(!world.has::<AimsAt>(gun) && !world.is_alive(crew));
    world.check_invariants();
}

#[test]
fn listeners_cannot_point_to_an_entity_that_loses_the_component_of_targets() {
    let mut world = World::new();
    let refused = Arc::new(Mutex::new(Vec::new()));
    let ship = world.spawn(Ship(1)).id();
    let gun = world.spawn_empty().id();
    let errors = refused.clone();
    world.on_remove::<Ship>(move |world: &mut World, ship: Entity| {
        errors.lock().unwrap().push(world.try_insert(gun, AimsAt(ship)));
    });
    world.remove::<Ship>(ship);
    let wrong = RelateError::WrongTarget("AimsAt", ship, "Ship");
    assert_eq!(*refused.lock().unwrap(), [Err(wrong)]);
    world.check_invariants();

    // A replacement calls listeners: afterwards, targets are checked once more.
    let mut world = World::new();
    let [target, gun] = [world.spawn(Ship(1)).id(), world.spawn(Ship(2)).id()];
    world.on_remove::<Ship>(move |world: &mut World, _: Entity| {
        if world.is_alive(target) {
            world.despawn(target).unwrap();
        }
    });
    let dead = RelateError::NoSuchTarget("AimsAt", target);
    assert_eq!(world.try_insert(gun, (Wreck, AimsAt(target))), Err(dead));
    assert!(!world.has::<Wreck>(gun) && !world.has::<AimsAt>(gun));
    world.check_invariants();
    let gun = world.spawn(Ship(2)).id();
    assert_eq!(
        world.try_insert(gun, (Wreck, AimsAt(gun))),
        Err(RelateError::WrongTarget("AimsAt", gun, "Ship"))
    );
    world.check_invariants();
}
