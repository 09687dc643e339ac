//! Which entities are marked as changed, by every way that there is to lend or to give a value, in worlds of
//! different shapes.

use crate::fixtures::{Random, panics};
use ecs::by_name::{Kind, KindQuery, Row};
use ecs::{
    Commands, Component, Entity, Group, Has, Mut, PlanKind, Query, Schedule, Up, View, Views, With,
    WithAny, Without, World,
};
use std::collections::BTreeSet;
use std::sync::Mutex;
use std::thread;

#[derive(Component, Clone, Debug, Default, PartialEq)]
#[component(track, clone, default)]
struct Health(u32);
#[derive(Component, Clone, Debug, PartialEq)]
#[component(track, clone, layout = "soa")]
struct Near {
    distance: u32,
    angle: u32,
}
#[derive(Component, Clone, Debug, PartialEq)]
#[component(clone)]
struct Armour(u32);
#[derive(Component, Clone)]
#[component(clone)]
struct Rare;
/// Requires the tracked component.
#[derive(Component, Clone)]
#[component(clone, requires(Health = Health(3)))]
struct Living;
/// Points, and is tracked.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(clone, relation, track)]
struct On(Entity);

type Set = BTreeSet<Entity>;

/// Returns the matches without marking them by looking.
macro_rules! those {
    ($world:expr, $query:ty) => {
        $world.view::<$query>().iter().map(|item| item.0).collect::<Set>()
    };
}

#[derive(Query)]
struct Body<'w> {
    health: &'w mut Health,
    armour: Option<&'w Armour>,
}
#[derive(Query)]
#[query(with(Armour), without(Rare))]
struct Nested<'w> {
    entity: Entity,
    body: Body<'w>,
    near: Option<(NearMut<'w>, &'w Armour)>,
}
#[derive(Query)]
struct Guarded<'w> {
    entity: Entity,
    health: Option<Mut<'w, Health>>,
}
#[derive(Views)]
struct Sides<'w> {
    armed: View<'w, (&'w mut Health, With<Armour>)>,
    others: View<'w, (Mut<'w, Health>, Without<Armour>)>,
    near: View<'w, &'w Near>,
}

fn is_third(entity: Entity) -> bool {
    entity.index().is_multiple_of(3)
}

/// A way to write that returns the entities whose `Health` is to be marked then.
type Way = (&'static str, fn(&mut World) -> Set);

const PLANS: [Option<PlanKind>; 4] =
    [None, Some(PlanKind::Words), Some(PlanKind::Dense), Some(PlanKind::Group)];

const WAYS: &[Way] = &[
    ("for over a view that is borrowed", |world| {
        let mut view = world.view_mut::<(&mut Health, Option<&Armour>)>();
        for (_, health, _) in &mut view {
            health.0 += 1;
        }
        those!(world, (&Health,))
    }),
    ("a loop, with each plan", |world| {
        for plan in PLANS {
            let view = world.view_mut::<(&mut Health, &Near)>().without::<Armour>();
            view.with_plan(plan).for_each(|(_, health, _)| health.0 += 1);
        }
        those!(world, (&Health, &Near, Without<Armour>))
    }),
    ("chunks, with each plan", |world| {
        for plan in PLANS {
            let view = world.view_mut::<(&mut Health, &Near, Option<&Armour>)>();
            view.with_plan(plan).for_each_chunk(|(_, all, _, _)| all[0].0 += 1);
        }
        those!(world, (&Health, &Near))
    }),
    ("any of several", |world| {
        world.view_mut::<(&mut Health, WithAny<(Rare, Living)>)>().for_each(|(_, it)| it.0 += 1);
        those!(world, (&Health, WithAny<(Rare, Living)>))
    }),
    ("a loop that reads what others have", |world| {
        let view = world.view_mut::<(Up<On, &Near>, Option<&mut Health>)>();
        view.for_each(|(_, _, health)| health.into_iter().for_each(|it| it.0 += 1));
        those!(world, (&Health, &On))
    }),
    ("the same, optional", |world| {
        let view = world.view_mut::<(
            &Near,
            Has<Rare>,
            Option<Up<On, &Armour>>,
            Option<(&mut Health, Option<Up<On, &Near>>)>,
        )>();
        view.for_each(|(_, _, _, _, it)| it.into_iter().for_each(|it| it.0.0 += 1));
        those!(world, (&Health, &Near))
    }),
    ("one of these", |world| {
        let Some((entity, ..)) = world.view::<(&Health, &On, &Near)>().iter().next() else {
            return Set::new();
        };
        let mut view = world.view_mut::<(Up<On, &Near>, Option<(&mut Health, &Near)>)>();
        view.get_mut(entity).unwrap().2.unwrap().0.0 += 1;
        Set::from([entity])
    }),
    ("a derived query that nests one", |world| {
        for Nested { entity, body, near } in world.view_mut::<Nested>() {
            body.health.0 += body.armour.map_or(0, |armour| armour.0);
            assert!(near.is_none_or(|(near, _)| *near.angle == 0), "{entity}");
        }
        those!(world, (&Health, With<Armour>, Without<Rare>))
    }),
    ("an optional derived query", |world| {
        let view = world.view_mut::<(&Near, Option<Body>)>();
        view.for_each(|(_, _, body)| body.into_iter().for_each(|body| body.health.0 += 1));
        those!(world, (&Health, &Near))
    }),
    ("items in order", |world| {
        let view = world.view_mut::<(&mut Health, &Near)>();
        view.sorted_by_key(|(_, health, _)| health.0).for_each(|(_, health, _)| health.0 += 1);
        those!(world, (&Health, &Near))
    }),
    ("the only one", |world| {
        let only = those!(world, (&Health, &Living)).len() == 1;
        assert_eq!(world.view_mut::<(&mut Health, &Living)>().single().is_ok(), only);
        those!(world, (&Health, &Living))
    }),
    ("shared loops", |world| {
        world.view_mut::<(&mut Health, &Near)>().par_for_each(|(_, it, _)| it.0 += 1);
        those!(world, (&Health, &Near))
    }),
    ("shared chunks", |world| {
        let view = world.view_mut::<(&mut Health, With<Near>)>();
        view.par_for_each_chunk(|(_, all)| all.iter_mut().for_each(|it| it.0 += 1));
        those!(world, (&Health, &Near))
    }),
    ("shared folds", |world| {
        let view = world.view_mut::<(&mut Health, With<Near>)>();
        view.par_fold(|| (), |(), (_, health)| health.0 += 1, |(), ()| ());
        those!(world, (&Health, &Near))
    }),
    ("parts on threads", |world| {
        let parts = world.view_mut::<(&mut Health, Without<Near>)>().into_parts(3);
        thread::scope(|scope| {
            for part in parts {
                scope.spawn(|| part.for_each(|(_, health)| health.0 += 1));
            }
        });
        those!(world, (&Health, Without<Near>))
    }),
    ("a struct of views, on threads", |world| {
        let Sides { armed, others, near } = world.split_mut::<Sides>();
        thread::scope(|scope| {
            scope.spawn(|| armed.for_each(|(_, health)| health.0 += 1));
            scope.spawn(|| {
                for (entity, mut health) in others {
                    if is_third(entity) {
                        health.0 += 1;
                    }
                }
            });
            scope.spawn(|| near.count());
        });
        let mut all = those!(world, (&Health, With<Armour>));
        all.extend(
            those!(world, (&Health, Without<Armour>)).into_iter().filter(|it| is_third(*it)),
        );
        all
    }),
    ("single entities of a split, on threads", |world| {
        let all: Vec<Entity> = those!(world, (&Health,)).into_iter().collect();
        let (mut armed, mut others) =
            world.split_mut::<((&mut Health, With<Armour>), (&mut Health, Without<Armour>))>();
        thread::scope(|scope| {
            scope.spawn(|| armed.for_each_many(&all, |(_, health)| health.0 += 1));
            scope.spawn(|| all.iter().for_each(|entity| _ = others.get_mut(*entity)));
        });
        all.into_iter().collect()
    }),
    ("systems", |world| {
        fn hurt(all: View<(&mut Health, With<Armour>)>) {
            all.for_each(|(_, health)| health.0 += 1);
        }
        fn heal(all: View<(&mut Health, &Near, Without<Armour>)>) {
            all.for_each(|(_, health, _)| health.0 += 1);
        }
        world.run(hurt);
        Schedule::new().add(hurt).add(heal).run(world).unwrap();
        let mut all = those!(world, (&Health, With<Armour>));
        all.extend(those!(world, (&Health, With<Near>, Without<Armour>)));
        all
    }),
    ("slices", |world| match world.view_mut::<(&mut Health, &Armour)>().as_mut_slices() {
        Some(_) => those!(world, (&Health, &Armour)),
        None => Set::new(),
    }),
    ("a list of some, twice", |world| {
        let some: Vec<Entity> = world.entities().filter(|entity| is_third(*entity)).collect();
        let mut view = world.view_mut::<(Option<&mut Health>, &Near)>();
        for _ in 0..2 {
            view.for_each_many(&some, |(_, it, _)| it.into_iter().for_each(|it| it.0 += 1));
        }
        those!(world, (&Health, &Near)).into_iter().filter(|it| is_third(*it)).collect()
    }),
    ("some that are disjoint, or not", |world| {
        let all: Vec<Entity> = those!(world, (&Health, &Near)).into_iter().take(2).collect();
        let [a, b] = all[..] else { return Set::new() };
        let mut view = world.view_mut::<(&mut Health, &Near)>();
        assert!(view.get_disjoint_mut([a, a]).is_err());
        let nobody = Entity::from_bits(900 << 32 | 3).unwrap();
        assert!(view.get_disjoint_mut([a, b, nobody]).is_err());
        let without = world.view::<(&Health, Without<Near>)>().iter().next().map(|it| it.0);
        let mut view = world.view_mut::<(&mut Health, &Near)>();
        assert!(without.is_none_or(|other| view.get_disjoint_mut([b, other]).is_err()));
        Set::new()
    }),
    ("a guard, by each way", |world| {
        let all = those!(world, (&Health,));
        let mut wrote = Set::new();
        let mut write = |entity: Entity, health: &mut Mut<Health>| {
            assert!(health.0 < u32::MAX);
            _ = health.bypass();
            if is_third(entity) {
                health.0 += 1;
                wrote.insert(entity);
            }
        };
        world.view_mut::<Mut<Health>>().for_each(|(entity, mut it)| write(entity, &mut it));
        for Guarded { entity, health } in world.view_mut::<Guarded>() {
            health.into_iter().for_each(|mut it| write(entity, &mut it));
        }
        let mut view = world.view_mut::<(Mut<Health>, Option<&Near>)>();
        view.for_each_many(&all, |(entity, mut it, _)| write(entity, &mut it));
        for &entity in &all {
            write(entity, &mut view.get_mut(entity).unwrap().1);
        }
        if let &[a, b] = &all.iter().copied().take(2).collect::<Vec<_>>()[..] {
            for (entity, mut it, _) in view.get_disjoint_mut([a, b]).unwrap() {
                write(entity, &mut it);
            }
        }
        wrote
    }),
    ("guards on threads", |world| {
        let write = |entity: Entity, mut health: Mut<Health>| {
            if is_third(entity) {
                health.0 += 1;
            }
        };
        world.view_mut::<Mut<Health>>().par_for_each(|(entity, it)| write(entity, it));
        thread::scope(|scope| {
            for part in world.view_mut::<(Mut<Health>, &Near)>().into_parts(4) {
                scope.spawn(move || part.for_each(|(entity, it, _)| write(entity, it)));
            }
        });
        those!(world, (&Health,)).into_iter().filter(|it| is_third(*it)).collect()
    }),
    ("marks of another reader", |world| {
        let mut seen = world.changes::<Near>();
        for entity in those!(world, (&Near, &Health)).into_iter().filter(|it| is_third(*it)) {
            *world.get_mut::<Near>(entity).unwrap().angle = 0;
        }
        world.advance(&mut seen);
        let view = world.view_mut::<(&mut Health, Option<&mut Near>)>().among(seen.changed());
        view.for_each(|(_, health, _)| health.0 += 1);
        those!(world, (&Health, &Near)).into_iter().filter(|it| is_third(*it)).collect()
    }),
    ("pools", |world| {
        let first = those!(world, (&Health,)).first().copied();
        let mut pool = world.pool_mut::<Health>();
        _ = pool.sort_by_key(|health| health.0);
        _ = pool.sort_by_entity();
        pool.shrink_to_fit();
        if let Some(health) = first.and_then(|entity| pool.get_mut(entity)) {
            health.0 += 1;
        }
        first.into_iter().collect()
    }),
    ("handles", |world| {
        let Some(entity) = those!(world, (&Health,)).first().copied() else { return Set::new() };
        let mut handle = world.entity_mut(entity);
        handle.patch::<Health>(|health| health.0 += 1);
        handle.get_or_insert_with(|| Health(1)).0 += 1;
        assert!(handle.replace(Health(4)).is_some());
        handle.insert_if_absent(Health(1));
        Set::from([entity])
    }),
    ("insert_if_absent, of those that have it", |world| {
        for entity in those!(world, (&Health,)) {
            world.insert_if_absent(entity, Health(9)).unwrap();
            world.insert_if_absent(entity, Living).unwrap();
            world.remove::<Living>(entity);
        }
        Set::new()
    }),
    ("queries of the running program", |world| {
        let health = Kind::of::<Health>();
        let query = KindQuery::new().optional_write(health).with(Kind::of::<Near>());
        let write = |row: &mut Row<'_>| {
            assert_eq!(row.get(health).is_some(), row.get(health).is_some());
            if is_third(row.entity())
                && let Some(value) = row.get_mut::<Health>()
            {
                value.0 += 1;
            }
        };
        world.for_each_row(&query, write).unwrap();
        those!(world, (&Health, &Near)).into_iter().filter(|it| is_third(*it)).collect()
    }),
    ("commands", |world| {
        let mut commands = Commands::new();
        for (at, entity) in those!(world, (&Health,)).into_iter().enumerate() {
            match at % 3 {
                0 => commands.patch::<Health>(entity, |health| health.0 += 1),
                1 => commands.insert(entity, Health(7)),
                _ => commands.patch::<Armour>(entity, |armour| armour.0 += 1),
            }
        }
        commands.apply(world);
        let all = those!(world, (&Health,));
        all.into_iter()
            .enumerate()
            .filter(|(at, _)| at % 3 != 2)
            .map(|(_, entity)| entity)
            .collect()
    }),
    ("copies by name", |world| {
        let all: Vec<Entity> = those!(world, (&Health,)).into_iter().take(2).collect();
        let [a, b] = all[..] else { return Set::new() };
        world.copy_kind(Kind::of::<Health>(), a, b).unwrap();
        Set::from([b])
    }),
    ("what reads only", |world| {
        let mut view = world.view_mut::<(&Health, &mut Armour, Has<Health>)>();
        view.iter_mut().for_each(|(_, _, armour, _)| armour.0 += 1);
        let first = those!(world, (&Health,)).first().copied();
        let rows = KindQuery::new().read(Kind::of::<Health>());
        assert!(first.is_none() || world.kind_rows(&rows).unwrap().next().is_some());
        let is_read = |row: &mut Row<'_>| assert!(row.get(Kind::of::<Health>()).is_some());
        world.for_each_row(&rows, is_read).unwrap();
        _ = world.view_mut::<&mut Health>().explain();
        _ = format!("{:?}", world.view_mut::<(&mut Health, &Near)>());
        assert_eq!(
            world.view_mut::<(&mut Health, &Near)>().is_empty(),
            those!(world, (&Health, &Near)).is_empty()
        );
        Set::new()
    }),
];

/// A world of this many entities; each component has some, filled in order or not.
fn filled(random: &mut Random, count: usize, in_order: bool) -> World {
    let mut world = World::new();
    let all: Vec<Entity> = (0..count).map(|_| world.spawn_empty().id()).collect();
    let order: Vec<Entity> =
        (0..count).map(|at| if in_order { all[at] } else { all[random.below(count)] }).collect();
    let rarity = [(); 6].map(|()| 1 + random.below(5));
    for &entity in &order {
        let value = u32::try_from(random.below(1_000)).unwrap();
        if random.below(rarity[0]) == 0 {
            world.insert(entity, Health(value)).unwrap();
        }
        if random.below(rarity[1]) == 0 {
            world.insert(entity, Near { distance: value, angle: 0 }).unwrap();
        }
        if random.below(rarity[2]) == 0 {
            world.insert(entity, Armour(value)).unwrap();
        }
        if random.below(40) == 0 {
            world.insert(entity, Rare).unwrap();
        }
        if random.below(rarity[4] * 9) == 0 {
            world.insert(entity, Living).unwrap();
        }
        if random.below(rarity[5]) == 0 {
            world.insert(entity, On(all[random.below(count)])).unwrap();
        }
    }
    for &entity in order.iter().take(count / 7) {
        _ = world.despawn(entity);
    }
    match random.below(5) {
        0 => world.declare_group(Group::owning::<(Health, Armour)>()).unwrap(),
        1 => {
            world.declare_group(Group::owning::<(Health, Armour)>()).unwrap();
            world.declare_group(Group::owning::<(Near, Health, Armour)>()).unwrap();
        }
        2 => {
            let group = Group::owning::<Health>().with::<Near>().without::<Armour>();
            world.declare_group(group).unwrap();
        }
        3 => world.declare_group(Group::observing::<(Health, Near)>()).unwrap(),
        _ => {}
    }
    world
}

#[test]
fn each_way_to_write_marks_lent_values_in_worlds_of_any_shape() {
    let mut random = Random(5);
    for round in 0..16 {
        let count = [1, 7, 90, 3_000][round % 4];
        let in_order = random.below(2) == 0;
        let mut world = filled(&mut random, count, in_order);
        let [mut seen, mut other] = [(); 2].map(|()| world.changes::<Health>());
        for (name, write) in WAYS {
            let before: Vec<_> = world.pool::<Health>().iter().map(|(e, h)| (e, h.0)).collect();
            let expected = write(&mut world);
            world.advance(&mut seen);
            assert_eq!(those!(world, (&Health,)).len(), before.len(), "{name}");
            let marked: Set = world.view::<Entity>().among(seen.changed()).iter().collect();
            assert_eq!(marked, expected, "{name}, of {count}");
            assert!(seen.inserted().is_empty() && seen.removed().is_empty(), "{name}");
            for (entity, value) in before {
                let is_other = world.get::<Health>(entity).unwrap().0 != value;
                assert!(!is_other || marked.contains(&entity), "{name}, {entity}");
            }
        }
        world.advance(&mut other);
        assert!(other.changed().len() >= seen.changed().len());
        world.check_invariants();
    }
}

/// Returns the changes of an edit, by two readers: of components in a pool, and of relations.
fn story(world: &mut World, edit: impl FnOnce(&mut World)) -> [(Set, Set, Vec<Entity>); 2] {
    let (mut healths, mut ons) = (world.changes::<Health>(), world.changes::<On>());
    edit(world);
    world.advance(&mut healths);
    world.advance(&mut ons);
    let set = |marked| world.view::<Entity>().among(marked).iter().collect::<Set>();
    [
        (set(healths.inserted()), set(healths.changed()), healths.removed().to_vec()),
        (set(ons.inserted()), set(ons.changed()), ons.removed().to_vec()),
    ]
}

#[test]
fn each_edit_marks_insertions_changes_and_removals() {
    let nothing = || (Set::new(), Set::new(), vec![]);
    let came = |all: &[Entity]| {
        let all: Set = all.iter().copied().collect();
        (all.clone(), all, vec![])
    };
    let is_new = |entity: Entity| came(&[entity]);
    let replaced = |entity: Entity| (Set::new(), Set::from([entity]), vec![]);
    let lost = |all: &[Entity]| (Set::new(), Set::new(), all.to_vec());
    let mut world = World::new();
    let [a, b, c] = [(); 3].map(|()| world.spawn_empty().id());

    let [health, on] = story(&mut world, |world| world.insert(a, Living).unwrap());
    assert_eq!((health, on), (is_new(a), nothing()), "what is required comes");
    let [health, _] = story(&mut world, |world| {
        world.insert(a, Living).unwrap();
        world.insert(a, Health(3)).unwrap();
    });
    assert_eq!(health, replaced(a));
    let [health, _] = story(&mut world, |world| _ = world.replace(b, Health(3)).unwrap());
    assert_eq!(health, is_new(b));
    let [health, _] = story(&mut world, |world| {
        world.insert_kind_default(Kind::of::<Health>(), c).unwrap();
        world.remove_kind(Kind::of::<Health>(), b).unwrap();
    });
    assert_eq!(health, (Set::from([c]), Set::from([c]), vec![b]));
    let [health, _] = story(&mut world, |world| {
        _ = world.get_or_insert_with(b, || Health(1)).unwrap();
        world.insert_if_absent(c, (Health(1), Armour(1))).unwrap();
    });
    assert_eq!(health, is_new(b));
    let batch = [(a, (Health(1), On(b))), (c, (Health(2), On(b))), (a, (Health(3), On(c)))];
    let [health, on] = story(&mut world, |world| world.insert_batch(batch).unwrap());
    assert_eq!(health, (Set::new(), Set::from([a, c]), vec![]));
    assert_eq!(on, came(&[a, c]));
    let [_, on] = story(&mut world, |world| world.relate(a, On(b)).unwrap());
    assert_eq!(on, replaced(a));
    let [_, on] = story(&mut world, |world| assert!(world.move_related::<On>(a, 0)));
    assert_eq!(on, nothing(), "an order of those that point is not one of values");

    // Sources lose their relations.
    let [health, on] = story(&mut world, |world| world.despawn(b).unwrap());
    assert_eq!(health, lost(&[b]));
    assert!(on == lost(&[a, c]) || on == lost(&[c, a]));

    let reserved = world.reserve_entity();
    let [health, _] = story(&mut world, |world| world.insert(reserved, Health(1)).unwrap());
    assert_eq!(health, is_new(reserved));
    let mut made = Vec::new();
    let [health, on] = story(&mut world, |world| {
        made.push(world.spawn((Health(1), On(a))).id());
        made.push(world.spawn(Living).id());
        made.extend(world.spawn_batch([(Living, On(a)), (Living, On(c))]));
        let empty = world.spawn_empty().id();
        made.push(world.spawn_at("40v7".parse().unwrap()).unwrap().insert(Health(1)).id());
        world.despawn(empty).unwrap();
        world.despawn_batch(&[empty, empty]);
    });
    assert_eq!((health, on), (came(&made), came(&[made[0], made[2], made[3]])));

    let mut copies = Vec::new();
    let [health, on] = story(&mut world, |world| {
        copies.extend(world.spawn_copies(made[2], 2).unwrap());
    });
    assert_eq!((health, on), (came(&copies), came(&copies)));
    let prefab = || {
        let mut prefab = World::new();
        let root = prefab.spawn(Health(1)).id();
        prefab.spawn((Health(2), On(root)));
        prefab
    };
    let mut all = Vec::new();
    let [health, on] = story(&mut world, |world| {
        all.extend(world.spawn_copies_of(&prefab(), 2).unwrap());
        all.extend(world.merge(&mut prefab()).unwrap().as_slice());
    });
    assert_eq!((health, on), (came(&all), came(&[all[1], all[3], all[5]])));

    let [health, on] = story(&mut world, |world| {
        assert_eq!(world.take::<(Health, On)>(all[1]), Some((Health(2), On(all[0]))));
        assert_eq!(world.take::<(Health, On)>(all[0]), None);
        world.remove_except::<On>(all[3]).unwrap();
    });
    assert_eq!((health, on), (lost(&[all[1], all[3]]), lost(&[all[1]])));
    let [health, _] = story(&mut world, |world| {
        world.remove_batch::<Health>(&[all[0], all[1], all[5], all[0]]);
        world.insert(all[5], Health(1)).unwrap();
    });
    assert_eq!(health, (Set::from([all[5]]), Set::from([all[5]]), vec![all[0], all[5]]));

    let keys = world.pool::<Health>().keys().to_vec();
    let [health, _] = story(&mut world, |world| {
        world.pool_mut::<Health>().retain(|entity, _| !is_third(entity));
    });
    let (gone, stay): (Vec<_>, Vec<_>) = keys.into_iter().partition(|it| is_third(*it));
    assert_eq!((health.0, health.1), (Set::new(), stay.iter().copied().collect()));
    assert_eq!(health.2.into_iter().collect::<Set>(), gone.into_iter().collect());
    let [health, on] = story(&mut world, |world| {
        assert_eq!(world.pool_mut::<Health>().drain().len(), stay.len());
        world.pool_mut::<On>().clear();
    });
    assert_eq!(health.2.into_iter().collect::<Set>(), stay.into_iter().collect());
    assert!(world.pool::<On>().is_empty() && on.0.is_empty() && on.1.is_empty());
    world.check_invariants();
}

/// Panics of user code leave marks of finished edits, and no others.
#[test]
fn panics_leave_marks_of_finished_edits() {
    #[derive(Component)]
    #[component(track, veto = Guest::may_go)]
    struct Guest(bool);
    impl Guest {
        fn may_go(&mut self) -> bool {
            assert!(self.0, "asked");
            true
        }
    }
    #[derive(Component)]
    #[component(track)]
    struct Loud(bool);
    impl Drop for Loud {
        fn drop(&mut self) {
            assert!(!self.0 || thread::panicking(), "dropped");
        }
    }
    let mut world = World::new();
    let [a, b] = [(); 2].map(|()| world.spawn((Guest(false), Loud(true))).id());
    let (mut guests, mut louds) = (world.changes::<Guest>(), world.changes::<Loud>());
    let mut told = |world: &mut World| {
        world.advance(&mut guests);
        world.advance(&mut louds);
        let counts = |new: usize, all: usize, gone: usize| (new, all, gone);
        [
            counts(guests.inserted().len(), guests.changed().len(), guests.removed().len()),
            counts(louds.inserted().len(), louds.changed().len(), louds.removed().len()),
        ]
    };
    assert_eq!(panics(|| world.despawn(a)).unwrap(), "asked");
    assert_eq!(panics(|| world.remove::<Guest>(a)).unwrap(), "asked");
    assert_eq!(told(&mut world), [(0, 0, 0); 2], "nothing went");
    assert_eq!(panics(|| world.insert(a, (Loud(false), Guest(true)))).unwrap(), "dropped");
    assert_eq!(told(&mut world), [(0, 0, 0), (0, 1, 0)], "the rest was not inserted");
    let observer = world.on_remove::<Loud>(|_, _| panic!("told"));
    assert_eq!(panics(|| world.remove::<Loud>(b)).unwrap(), "told");
    assert_eq!(told(&mut world), [(0, 0, 0); 2], "it did not go");
    world.unobserve(observer);
    assert_eq!(panics(|| drop(world.remove::<Loud>(b))).unwrap(), "dropped");
    assert_eq!(told(&mut world), [(0, 0, 0), (0, 0, 1)]);
    let observer = world.on_insert::<Loud>(|_, _| panic!("told"));
    assert_eq!(panics(|| world.spawn(Loud(false)).id()).unwrap(), "told");
    world.unobserve(observer);
    assert_eq!(told(&mut world), [(0, 0, 0), (1, 1, 0)], "it came");
    let bundles = (0..4).map(|at| {
        assert!(at < 3, "given");
        (b, Loud(false))
    });
    assert_eq!(panics(|| world.insert_batch(bundles)).unwrap(), "given");
    assert_eq!(told(&mut world), [(0, 0, 0), (1, 1, 0)], "the first three were inserted");
    let made = panics(|| {
        world.spawn_batch((0..4).map(|at| {
            assert!(at < 3, "given");
            Loud(false)
        }))
    });
    assert_eq!(made.unwrap(), "given");
    assert_eq!(told(&mut world), [(0, 0, 0), (3, 3, 0)]);
    let patched = panics(|| world.patch::<Loud>(b, |_| panic!("patched")));
    assert_eq!(patched.unwrap(), "patched");
    assert_eq!(told(&mut world), [(0, 0, 0), (0, 1, 0)], "it may have been written");
    world.check_invariants();
}

#[test]
fn observers_read_changes_so_far() {
    static SEEN: Mutex<Vec<(usize, usize)>> = Mutex::new(Vec::new());
    fn look(world: &mut World, _: Entity) {
        world.resource_scope(|world: &mut World, reader: &mut Reader| {
            world.advance(&mut reader.0);
            let Reader(reader) = reader;
            SEEN.lock().unwrap().push((reader.changed().len(), reader.removed().len()));
        });
    }
    #[derive(ecs::Resource)]
    struct Reader(ecs::Changes<Health>);

    let mut world = World::new();
    let reader = Reader(world.changes());
    world.insert_resource(reader);
    world.on_insert::<Health>(look);
    world.on_update::<Health>(look);
    world.on_remove::<Health>(look);
    let entity = world.spawn(Health(1)).id();
    world.patch::<Health>(entity, |health| health.0 += 1);
    world.remove::<Health>(entity);
    world.spawn_batch([Health(1), Health(2)]);
    // Notified before it goes; and of a batch when all of it is there.
    assert_eq!(*SEEN.lock().unwrap(), [(1, 0), (1, 0), (0, 0), (2, 1), (0, 0)]);
}

/// Few entities on many pages are marked one by one.
#[test]
fn few_entities_that_a_filter_rejects_are_not_marked() {
    let mut world = World::new();
    let all: Vec<Entity> = (0..5_000).map(|_| world.spawn_empty().id()).collect();
    for &entity in all.iter().step_by(1_024) {
        world.insert(entity, Health(1)).unwrap();
    }
    let [armed, bare] = [all[1_024], all[2_048]];
    world.insert(armed, Armour(1)).unwrap();
    let mut reader = world.changes::<Health>();
    world.advance(&mut reader);
    let view = world.view_mut::<&mut Health>().without::<Armour>();
    view.for_each(|(_, health)| health.0 += 1);
    world.advance(&mut reader);
    let view = world.view::<&Health>().among(reader.changed());
    let changed: Set = view.iter().map(|item| item.0).collect();
    assert!(changed.len() == 4 && changed.contains(&bare) && !changed.contains(&armed));
}
