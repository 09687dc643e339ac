//! Entities by the values of their components: an index equals a scan whenever it is asked.

use ecs::by_name::{Kind, KindQuery, Values};
use ecs::{
    Changes, Commands, Component, Entity, Hashed, Index, Mut, Ordered, View, World, schedule,
};
use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};

#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[component(index, clone, default)]
struct Team(u8);

#[derive(Component, Clone, Copy, Debug, PartialEq)]
#[component(index(ordered, by = points))]
struct Score {
    points: u32,
    weight: f32,
}

#[derive(Component, Clone, Debug, PartialEq)]
#[component(index(by = Label::first, key = Option<char>))]
struct Label(String);

impl Label {
    fn first(&self) -> Option<char> {
        self.0.chars().next()
    }
}

#[derive(Component)]
#[component(layout = "soa", index(ordered, by = row))]
struct Cellular {
    row: i16,
    column: i16,
}

#[derive(Component)]
struct Other;

fn score(points: u32) -> Score {
    Score { points, weight: 0.5 }
}

/// Compares both indexes with a scan of the world.
#[track_caller]
fn check(world: &World) {
    let mut teams = BTreeMap::<u8, Vec<Entity>>::new();
    for (entity, team) in world.view::<&Team>() {
        teams.entry(team.0).or_default().push(entity);
    }
    let index: &Hashed<Team> = world.index::<Team>();
    assert_eq!(index.key_count(), teams.len());
    for (team, entities) in &mut teams {
        entities.sort_unstable_by_key(|entity| entity.index());
        assert!(index.get(&Team(*team)).eq(entities.iter().copied()), "team {team}");
        assert_eq!(world.find(&Team(*team)), entities.first().copied());
    }
    assert_eq!(
        index.iter().map(|(_, entities)| entities.len()).sum::<usize>(),
        world.view::<Team>().count()
    );
    assert_eq!(index.get(&Team(255)).count(), 0);

    let mut scores: Vec<(u32, u32, Entity)> = world
        .view::<&Score>()
        .into_iter()
        .map(|(it, score)| (score.points, it.index(), it))
        .collect();
    scores.sort_unstable_by_key(|it| (it.0, it.1));
    let index: &Ordered<u32> = world.index::<Score>();
    assert!(index.range(..).eq(scores.iter().map(|it| it.2)));
    assert!(index.range(..).rev().eq(scores.iter().rev().map(|it| it.2)));
    let middle = scores.iter().filter(|it| (10..20).contains(&it.0));
    assert!(index.range(10..20).eq(middle.map(|it| it.2)));
    assert_eq!(index.range(10..20).count(), index.range(10..20).map(|_| 1).sum::<usize>());
}

#[test]
fn an_index_equals_a_scan_after_each_way_to_write() {
    let mut world = World::new();
    check(&world); // no pool yet
    let entities = world.spawn_batch((0..300_u32).map(|n| (Team((n % 7) as u8), score(n % 40))));
    check(&world);
    world.insert(entities[3], Team(1)).unwrap();
    world.insert(entities[3], (Team(2), score(15))).unwrap();
    check(&world);
    world.get_mut::<Team>(entities[4]).unwrap().0 = 9;
    check(&world);
    world.entity_mut(entities[4]).get_mut::<Score>().unwrap().points = 19;
    check(&world);
    world.pool_mut::<Team>().get_mut(entities[5]).unwrap().0 = 9;
    check(&world);
    world.pool_mut::<Team>().as_mut_slice()[17].0 = 3;
    check(&world);
    world.pool_mut::<Team>().iter_mut().for_each(|(_, team)| team.0 += 1);
    check(&world);
    world.patch::<Team>(entities[6], |team| team.0 = 0);
    check(&world);
    world.replace(entities[6], Team(6)).unwrap();
    check(&world);
    for (_, team) in world.view_mut::<&mut Team>() {
        team.0 ^= 1;
    }
    check(&world);
    for (_, team) in world.view_mut::<&mut Team>().with::<Score>() {
        team.0 ^= 3;
        if team.0 == 1 {
            break;
        }
    }
    check(&world);
    for (_, mut team) in world.view_mut::<Mut<Team>>() {
        if team.0 == 3 {
            team.0 = 4;
        }
    }
    check(&world);
    for (_, mut team) in world.view_mut::<Mut<Team>>() {
        team.bypass().0 += 1;
    }
    check(&world);
    world.view_mut::<(Option<&mut Team>, &mut Score)>().for_each(|(_, team, score)| {
        score.points = score.points * 7 % 41;
        if let Some(team) = team {
            team.0 = (score.points % 5) as u8;
        }
    });
    check(&world);
    world.view_mut::<&mut Score>().for_each_chunk(|(_, scores)| scores[0].points += 1);
    check(&world);
    world.view_mut::<&mut Score>().get_mut(entities[9]).unwrap().1.points = 12;
    check(&world);
    {
        let (mut teams, mut scores) = world.split_mut::<(&mut Team, Mut<Score>)>();
        teams.iter_mut().for_each(|(_, team)| team.0 += 2);
        scores.get_mut(entities[10]).unwrap().1.points = 11;
    }
    check(&world);
    world.remove::<Team>(entities[11]);
    check(&world);
    world.despawn(entities[12]).unwrap();
    check(&world);
    let new = world.spawn(Team(77)).id(); // at the index of that one
    assert_eq!(new.index(), entities[12].index());
    check(&world);
    world.remove_batch::<Team>(&entities[20..40]);
    world.insert_batch(entities[30..50].iter().map(|it| (*it, Team(8)))).unwrap();
    check(&world);
    world.despawn_batch(&entities[100..150]);
    check(&world);
    let mut commands = Commands::new();
    commands.insert(entities[50], Team(5));
    commands.spawn(&world, (Team(5), score(10)));
    commands.despawn(entities[51]);
    commands.remove::<Score>(entities[52]);
    commands.apply(&mut world);
    check(&world);
    world.pool_mut::<Score>().retain(|_, score| score.points % 3 != 0);
    check(&world);
    world.pool_mut::<Score>().sort_by_key(|score| score.points).unwrap();
    check(&world);
    let kind = Kind::of::<Team>();
    assert!(kind.is_indexed() && !kind.is_tracked());
    world.insert_kind_default(kind, entities[60]).unwrap();
    check(&world);
    world.copy_kind(kind, entities[60], entities[61]).unwrap();
    check(&world);
    world.remove_kind(kind, entities[62]).unwrap();
    check(&world);
    world.clear();
    check(&world);
    world.spawn_batch((0..10).map(Team));
    check(&world);
}

#[test]
fn the_first_entity_of_a_pool_is_seen() {
    #[derive(Component)]
    #[component(requires(Team = Team(1)))]
    struct Player;

    let edits: [fn(&mut World) -> Entity; 5] = [
        |world| world.spawn(Team(1)).id(),
        |world| world.spawn(Player).id(),
        |world| world.spawn_empty().insert(Team(1)).id(),
        |world| world.spawn_empty().insert(Player).id(),
        |world| world.spawn_batch([Team(1)])[0],
    ];
    for edit in edits {
        let mut world = World::new();
        let entity = edit(&mut world);
        for (_, team) in world.view_mut::<&mut Team>() {
            team.0 = 2;
        }
        assert_eq!(world.find(&Team(2)), Some(entity));
        for (_, mut team) in world.view_mut::<Mut<Team>>() {
            team.0 = 3;
        }
        assert_eq!((world.find(&Team(3)), world.find(&Team(2))), (Some(entity), None));
    }
}

#[test]
fn a_query_by_names_is_seen() {
    let mut world = World::new();
    world.spawn_batch((0..20).map(Team));
    check(&world);
    let query = KindQuery::new().write(Kind::of::<Team>());
    world
        .for_each_row(&query, |row| {
            let team = row.get_mut::<Team>().unwrap();
            team.0 /= 3;
        })
        .unwrap();
    check(&world);
    let entity = world.find(&Team(1)).unwrap();
    let mut values = Values::new();
    values.add_default(&mut world, Kind::of::<Team>()).unwrap();
    world.insert_values(entity, values).unwrap();
    check(&world);
}

#[test]
fn merged_copied_and_restored_entities_are_seen() {
    let mut world = World::new();
    let entities = world.spawn_batch((0..50).map(|n| Team(n % 5)));
    check(&world);
    let copy = world.try_clone().unwrap();
    check(&copy);
    assert_eq!(copy.index::<Team>().get(&Team(3)).count(), 10);

    let mut other = World::new();
    other.spawn_batch((0..5).map(|n| Team(n + 3)));
    check(&other);
    world.merge(&mut other).unwrap();
    check(&world);
    check(&other);
    assert_eq!(other.index::<Team>().key_count(), 0);

    world.spawn_copies(entities[3], 4).unwrap();
    check(&world);
    world.copy_from(&copy).unwrap();
    check(&world);

    let taken = world.take_entity(entities[7]).unwrap();
    check(&world);
    world.restore(taken).unwrap();
    check(&world);
    assert!(world.index::<Team>().get(&Team(2)).any(|entity| entity == entities[7]));
    let team = world.take_kind(Kind::of::<Team>(), entities[7]).unwrap();
    check(&world);
    world.insert_value(entities[7], team).unwrap();
    check(&world);
}

#[test]
fn parts_of_a_component_and_columns_are_keys() {
    let mut world = World::new();
    let labels = ["ant", "bee", "", "boar"].map(|name| Label(name.into()));
    let entities = world.spawn_batch(labels);
    let index = world.index::<Label>();
    assert!(index.get(&Some('b')).eq([entities[1], entities[3]]));
    assert_eq!(index.find(&None), Some(entities[2]));
    assert_eq!(index.find(&Some('c')), None);

    let rows = world.spawn_batch((0..9).map(|n| Cellular { row: n % 3 - 1, column: n }));
    assert!(world.index::<Cellular>().range(..0).eq([rows[0], rows[3], rows[6]]));
    for (_, cell) in world.view_mut::<&mut Cellular>() {
        *cell.row = *cell.column - 4;
    }
    assert!(world.index::<Cellular>().range(..0).eq(rows[..4].iter().copied()));
}

#[test]
fn ranges_have_each_kind_of_bound() {
    use std::ops::Bound::{Excluded, Included, Unbounded};
    let mut world = World::new();
    let entities = world.spawn_batch((0..5).map(score));
    let scores = world.index::<Score>();
    assert!(scores.range((Excluded(1), Included(3))).eq([entities[2], entities[3]]));
    assert!(scores.range((Unbounded, Excluded(1))).eq([entities[0]]));
    for empty in
        [(Excluded(2), Excluded(2)), (Included(3), Excluded(2)), (Excluded(3), Included(2))]
    {
        assert_eq!(scores.range(empty).next(), None);
    }
    assert_eq!(scores.range((Included(2), Included(2))).count(), 1);
    let mut both = scores.range(1..);
    assert_eq!((both.next(), both.next_back()), (Some(entities[1]), Some(entities[4])));
    assert_eq!(both.clone().count(), 2);
    assert!(both.eq([entities[2], entities[3]]));
    assert_eq!(scores.get(&2).len(), 1);
    let keys = scores.iter().rev().map(|(points, entities)| (*points, entities.len()));
    assert!(keys.eq([(4, 1), (3, 1), (2, 1), (1, 1), (0, 1)]));
    assert_eq!(format!("{scores:?}"), "{0: 1, 1: 1, 2: 1, 3: 1, 4: 1}");
}

#[test]
fn a_key_without_entities_is_dropped() {
    static ALIVE: AtomicUsize = AtomicUsize::new(0);
    #[derive(PartialEq, Eq, Hash, PartialOrd, Ord)]
    struct Counted(u8);
    impl Counted {
        fn new(number: u8) -> Self {
            ALIVE.fetch_add(1, Ordering::Relaxed);
            Self(number)
        }
    }
    impl Clone for Counted {
        fn clone(&self) -> Self {
            Self::new(self.0)
        }
    }
    impl Drop for Counted {
        fn drop(&mut self) {
            ALIVE.fetch_sub(1, Ordering::Relaxed);
        }
    }
    #[derive(Component)]
    #[component(index(by = 0))]
    struct Hashing(Counted);
    #[derive(Component)]
    #[component(index(ordered, by = 0))]
    struct Sorting(Counted);

    let mut world = World::new();
    for n in 0..100 {
        world.spawn((Hashing(Counted::new(n)), Sorting(Counted::new(n))));
    }
    let entities: Vec<_> = world.view::<&Hashing>().into_iter().map(|it| it.0).collect();
    assert_eq!(world.index::<Hashing>().key_count(), 100);
    assert_eq!(world.index::<Sorting>().key_count(), 100);
    for entity in &entities[1..] {
        world.despawn(*entity).unwrap();
    }
    assert_eq!(world.index::<Hashing>().key_count(), 1);
    assert_eq!(world.index::<Sorting>().key_count(), 1);
    // Two values; the key of the hash index; the key of the tree, and where the entity is filed.
    assert_eq!(ALIVE.load(Ordering::Relaxed), 5);
    drop(world);
    assert_eq!(ALIVE.load(Ordering::Relaxed), 0);
}

#[test]
fn an_index_is_whole_after_a_panic_in_a_key() {
    static CALLS_LEFT: AtomicUsize = AtomicUsize::new(usize::MAX);
    fn call() {
        let left = CALLS_LEFT.fetch_sub(1, Ordering::Relaxed);
        assert!(left != 1, "a call of a key's code");
    }
    #[derive(Component, Clone, Debug)]
    #[component(index)]
    struct Fragile(u8);
    impl Hash for Fragile {
        fn hash<H: Hasher>(&self, state: &mut H) {
            call();
            self.0.hash(state);
        }
    }
    impl PartialEq for Fragile {
        fn eq(&self, other: &Self) -> bool {
            call();
            self.0 == other.0
        }
    }
    impl Eq for Fragile {}

    let mut world = World::new();
    let entities = world.spawn_batch((0..60).map(|n| Fragile(n % 6)));
    for step in 1..200 {
        let changed = if step % 2 == 0 { 3 } else { 40 };
        for (at, entity) in entities.iter().enumerate().take(changed) {
            world.get_mut::<Fragile>(*entity).unwrap().0 = ((at * 7 + step) % 9).to_le_bytes()[0];
        }
        CALLS_LEFT.store(step, Ordering::Relaxed);
        let asked = catch_unwind(AssertUnwindSafe(|| world.index::<Fragile>().key_count()));
        CALLS_LEFT.store(usize::MAX, Ordering::Relaxed);
        let index = world.index::<Fragile>();
        for n in 0..9 {
            let scan = world.view::<&Fragile>().into_iter().filter(|(_, it)| it.0 == n);
            assert!(index.get(&Fragile(n)).eq(scan.map(|it| it.0)), "{step}: {asked:?}");
        }
    }
}

#[test]
fn readers_of_changes_and_an_index_do_not_disturb_each_other() {
    #[derive(Component, Clone, PartialEq, Eq, Hash)]
    #[component(index, track)]
    struct Both(u8);

    let mut world = World::new();
    let entities = world.spawn_batch((0..10).map(Both));
    let mut seen: Changes<Both> = world.changes();
    assert_eq!(world.find(&Both(3)), Some(entities[3]));
    world.get_mut::<Both>(entities[3]).unwrap().0 = 33;
    assert_eq!(world.find(&Both(33)), Some(entities[3]));
    world.despawn(entities[4]).unwrap();
    assert_eq!(world.find(&Both(4)), None);
    world.advance(&mut seen);
    assert_eq!((seen.changed().len(), seen.removed()), (1, &[entities[4]][..]));
    drop(seen);
    world.get_mut::<Both>(entities[3]).unwrap().0 = 34;
    assert_eq!(world.find(&Both(34)), Some(entities[3]));
    assert_eq!(world.find(&Both(33)), None);
}

#[test]
fn an_index_is_asked_by_several_threads() {
    let mut world = World::new();
    let entities = world.spawn_batch((0..1_000_u16).map(|n| Team((n % 10).to_le_bytes()[0])));
    for (step, entity) in entities.iter().enumerate().take(20) {
        world.get_mut::<Team>(*entity).unwrap().0 = 99;
        let world = &world;
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(move || {
                    assert_eq!(world.index::<Team>().get(&Team(99)).count(), step + 1);
                });
            }
        });
    }
}

#[test]
fn a_system_looks_up_what_earlier_ones_wrote() {
    #[derive(Component)]
    struct Health(u32);
    fn move_up(mut teams: View<Mut<Team>>) {
        for (_, mut team) in &mut teams {
            team.0 += 1;
        }
    }
    fn heal(teams: Index<Team>, mut healths: View<&mut Health>) {
        healths.for_each_many(teams.get(&Team(3)), |(_, health)| health.0 += 1);
    }
    schedule! { struct Frame { move_up, heal } }

    let mut world = World::new();
    let entities = world.spawn_batch((0..10_u8).map(|n| (Team(n % 5), Health(0))));
    let mut frame = Frame::new();
    for _ in 0..3 {
        frame.run(&mut world).unwrap();
        check(&world);
    }
    // Teams 2, 1 and 0 passed 3.
    let healths = entities.iter().map(|it| world.get::<Health>(*it).unwrap().0);
    assert!(healths.eq([1, 1, 1, 0, 0].repeat(2)));
    assert_eq!(
        world.run(|teams: Index<Team>, scores: Index<Score>| (
            teams.key_count(),
            scores.key_count()
        )),
        (5, 0)
    );
}

#[test]
fn the_memory_of_an_index_is_counted() {
    let mut world = World::new();
    world.spawn_batch((0..1_000).map(score));
    let with_one_key = |world: &mut World| {
        world.view_mut::<&mut Score>().for_each(|(_, score)| score.points = 1);
        world.memory_usage().total()
    };
    let before = with_one_key(&mut world);
    world.view_mut::<&mut Score>().for_each(|(entity, score)| score.points = entity.index());
    assert!(world.memory_usage().total() > before + 1_000 * 16);
}
