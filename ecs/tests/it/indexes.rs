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

#[derive(Component)]
#[component(track)]
struct Health(u32);

/// A world of 3,000 entities: a team has 1 to 1,000 members, and three of four entities have a `Health`.
fn teams_of_all_lengths() -> World {
    let mut world = World::new();
    for n in 0..3_000_u32 {
        let team = match n {
            5 | 2_900 => 2,
            77 => 3,
            _ if n % 3 == 0 => 4,
            _ if n % 100 == 1 => 5,
            _ => 6 + (n % 200) as u8,
        };
        let mut entity = world.spawn((Team(team), score(n * 7 % 3_000)));
        if n % 4 > 0 {
            entity.insert(Health(n));
        }
        if n % 11 == 0 {
            entity.insert(Other);
        }
    }
    world
}

fn set(items: impl Iterator<Item = Entity>) -> Vec<Entity> {
    // A sort is compiled once, not for each iterator.
    fn sorted(mut items: Vec<Entity>) -> Vec<Entity> {
        items.sort_unstable_by_key(|entity| entity.index());
        items
    }
    sorted(items.collect())
}

#[test]
fn a_view_among_the_answer_of_an_index_has_the_matches_of_the_answer() {
    let world = teams_of_all_lengths();
    let (teams, scores) = (world.index::<Team>(), world.index::<Score>());
    let some: Vec<Entity> = world.entities().step_by(41).collect();
    let asked = world.entity_set(some.iter().copied());
    // Each walk of a view among an answer, and of the same view among a set of its entities.
    macro_rules! check {
        ($answer:expr, $query:ty $(, $filter:ident::<$list:ty>)*) => {
            let among = world.entity_set($answer);
            let expected = set(world.view::<$query>()$(.$filter::<$list>())*.among(&among).iter().map(|it| it.0));
            let view = || world.view::<$query>()$(.$filter::<$list>())*.among($answer);
            assert_eq!(set(view().iter().map(|it| it.0)), expected);
            let mut items = view().into_iter();
            let first = items.next();
            assert_eq!(set(first.into_iter().chain(items).map(|it| it.0)), expected);
            let mut each = Vec::new();
            view().for_each(|it| each.push(it.0));
            assert_eq!(set(each.into_iter()), expected);
            assert_eq!(set(view().into_parts(3).flatten().map(|it| it.0)), expected);
            let asked: Vec<Entity> = set(expected.iter().copied().filter(|it| asked.contains(*it)));
            assert_eq!(set(view().iter_many(&some).map(|it| it.0)), asked);
            assert_eq!(set(some.iter().copied().filter(|it| view().matches(*it))), asked);
            assert_eq!(set(some.iter().filter_map(|it| view().get(*it)).map(|it| it.0)), asked);
            assert_eq!(set(view().sorted_by_key(|it| it.0).map(|it| it.0)), expected);
            assert_eq!(set(view().in_order_of::<Score>().iter().map(|it| it.0)), expected);
            assert_eq!(view().count(), expected.len());
            assert_eq!(view().is_empty(), expected.is_empty());
            assert_eq!(view().single().is_ok(), expected.len() == 1);
        };
    }
    macro_rules! check_queries {
        ($answer:expr) => {
            check!($answer, (&Health,));
            check!($answer, (&Health, &Score));
            check!($answer, (&Health, Option<&Other>));
            check!($answer, (&Score, Option<&Health>), without::<Other>);
            check!($answer, (Option<&Health>, Option<&Other>));
            check!($answer, (Entity, ecs::Has<Health>), with::<Other>);
        };
    }
    for team in [1, 2, 3, 4, 5, 10, 205] {
        check_queries!(teams.get(&Team(team)));
        let begun = || {
            let mut begun = teams.get(&Team(team));
            begun.nth(2);
            begun.next_back();
            begun
        };
        check_queries!(begun());
    }
    for range in [0..0, 0..1, 10..400, 2_999..5_000, 0..3_000] {
        check_queries!(scores.range(range.clone()));
        let begun = || {
            let mut begun = scores.range(range.clone());
            begun.nth(2);
            begun.next_back();
            begun
        };
        check_queries!(begun());
    }
    check_queries!(scores.get(&7));
}

#[test]
fn a_view_is_among_several_answers_and_sets() {
    let world = teams_of_all_lengths();
    let (teams, scores) = (world.index::<Team>(), world.index::<Score>());
    let some = world.entity_set(world.entities().step_by(2));
    let view = world.view::<&Health>().among(teams.get(&Team(4))).among(&some);
    let view = view.among(scores.range(100..900)).without::<Other>();
    let is_there = |it: &(Entity, &Health, &Team, &Score)| {
        it.2.0 == 4 && (100..900).contains(&it.3.points) && some.contains(it.0)
    };
    let expected = world.view::<(&Health, &Team, &Score)>().without::<Other>();
    let expected = set(expected.iter().filter(is_there).map(|it| it.0));
    assert!(expected.len() > 50);
    assert_eq!(set(view.iter().map(|it| it.0)), expected);
    assert_eq!(view.count(), expected.len());
    assert!(expected.iter().all(|it| view.matches(*it)));
}

#[test]
fn writes_among_an_answer_are_seen() {
    fn heal(teams: Index<Team>, healths: View<&mut Health>) {
        for (_, health) in healths.among(teams.get(&Team(4))) {
            health.0 += 10_000;
        }
    }
    fn heal_each(scores: Index<Score>, healths: View<&mut Health>) {
        healths.among(scores.range(..50)).for_each(|(_, health)| health.0 += 20_000);
    }
    let mut world = teams_of_all_lengths();
    let mut seen = world.changes::<Health>();
    world.advance(&mut seen);
    world.run(heal);
    let expected = world.view::<(&Team, &Health)>();
    let expected = set(expected.iter().filter(|it| it.1.0 == 4).map(|it| it.0));
    let healed = world.view::<&Health>();
    assert_eq!(set(healed.iter().filter(|it| it.1.0 >= 10_000).map(|it| it.0)), expected);
    world.advance(&mut seen);
    assert_eq!(set(world.entities_in(seen.changed())), expected);

    world.run(heal_each);
    let healed = world.view::<(&Health, &Score)>();
    assert!(healed.iter().all(|it| (it.1.0 >= 20_000) == (it.2.points < 50)));
    let count = healed.iter().filter(|it| it.2.points < 50).count();
    world.advance(&mut seen);
    assert_eq!(seen.changed().len(), count);

    // A copy of an index borrows no world; a set of its answer neither.
    let teams = world.index::<Team>().clone();
    world.view_mut::<&mut Health>().among(teams.get(&Team(3))).for_each(|(_, health)| health.0 = 1);
    let three = world.entity_set(world.index::<Team>().get(&Team(3)));
    for (_, health) in world.view_mut::<&mut Health>().among(&three) {
        health.0 += 1;
    }
    let (entity, health, _) =
        world.view::<(&Health, &Team)>().iter().find(|it| it.2.0 == 3).unwrap();
    assert_eq!((entity, health.0), (world.find(&Team(3)).unwrap(), 2));
}

#[test]
fn a_plan_names_the_index_that_it_reads() {
    let mut world = teams_of_all_lengths();
    world.spawn((Other, Team(9)));
    let (teams, scores) = (world.index::<Team>(), world.index::<Score>());
    let view = world.view::<(&Health, &Score)>().among(teams.get(&Team(3)));
    let plan = view.explain();
    assert_eq!((plan.among, plan.index, plan.candidates), (Some(1), Some("Team"), 1));
    assert_eq!(plan.to_string(), "looks up the 1 entity of the index of `Team`");
    let plan = view.among(scores.range(..)).explain();
    assert_eq!(plan.to_string(), "looks up the 1 entity of the index of `Team`");
    let few = world.view::<&Other>().with::<Health>().among(scores.range(..)).explain();
    assert!(few.to_string().contains("; only the 3000 entities of the index of `Score` may match"));
    // An index of no world has no name.
    let mut own = Ordered::<u32>::default();
    ecs::IndexKind::insert(&mut own, world.find(&Team(3)).unwrap(), &7);
    let plan = world.view::<&Score>().among(own.range(..)).explain();
    assert_eq!((plan.candidates, plan.index, plan.among), (1, None, Some(1)));
}

#[test]
fn an_answer_of_another_world_is_refused() {
    let (world, mut other) = (teams_of_all_lengths(), teams_of_all_lengths());
    let refusal = |world: &World, team: ecs::iter::IndexIter<'_>| {
        let refused =
            catch_unwind(AssertUnwindSafe(|| world.view::<&Health>().among(team).count()));
        *refused.unwrap_err().downcast::<String>().unwrap()
    };
    let words = "the entities are the answer of an index of `Team` of another world, or of this one before it was loaded: \
                 ask the index of this world";
    assert_eq!(refusal(&other, world.index::<Team>().get(&Team(3))), words);
    assert_eq!(refusal(&World::new(), world.index::<Team>().get(&Team(3))), words);
    let team = other.index::<Team>().clone();
    assert_eq!(other.view::<&Team>().among(team.get(&Team(3))).count(), 1);
    other = teams_of_all_lengths();
    assert_eq!(refusal(&other, team.get(&Team(3))), words);
    // The answers of an index without entities are of no world.
    assert_eq!(
        other.view::<&Health>().among(World::new().index::<Team>().get(&Team(3))).count(),
        0
    );
}

#[test]
fn an_index_of_a_wrong_implementation_yields_no_entity_twice() {
    use ecs::IndexKind;
    let mut world = World::new();
    let entity = world.spawn(Health(1)).id();
    let dead = world.spawn(Health(2)).id();
    world.despawn(dead).unwrap();
    world.spawn(Health(3));
    world.spawn_batch((0..100).map(|_| Health(0))); // so that loops follow the answer
    let (mut hashed, mut ordered) = (Hashed::<u8>::default(), Ordered::<u8>::default());
    for key in [1, 1, 2, 3] {
        hashed.insert(entity, &key);
        ordered.insert(entity, &key);
    }
    hashed.insert(dead, &1);
    assert_eq!(world.view_mut::<&mut Health>().among(ordered.range(..)).into_iter().count(), 1);
    let found = world.view_mut::<&mut Health>().among(hashed.get(&1)).into_iter();
    let found: Vec<(Entity, &mut Health)> = found.collect();
    assert!(found.iter().all(|(it, health)| health.0 == 1 + 2 * u32::from(*it != entity)));
    assert!(found.len() == 2 && found.iter().all(|(it, _)| *it != dead));
}
