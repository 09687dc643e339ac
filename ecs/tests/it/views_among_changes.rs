//! Views among changed entities: by every way to walk or to ask them, in worlds of different
//! shapes.

use ecs::{Component, Entity, Group, Has, Without, World};
use std::collections::BTreeSet;

#[derive(Component, Clone)]
#[component(track, clone)]
struct Health(u32);
#[derive(Component)]
struct Armour(u32);
#[derive(Component)]
struct Rare;

type Set = BTreeSet<Entity>;

fn set(entities: impl IntoIterator<Item = Entity>) -> Set {
    let list: Vec<Entity> = entities.into_iter().collect();
    let set: Set = list.iter().copied().collect();
    assert_eq!(set.len(), list.len(), "each once");
    set
}

/// All have `Health` and `Armour`, a third of them is `Rare`.
fn filled(count: u32, group: u32) -> (World, Vec<Entity>) {
    let mut world = World::new();
    let all = world.spawn_batch((0..count).map(|at| (Health(at), Armour(at))));
    for &entity in all.iter().step_by(3) {
        world.insert(entity, Rare).unwrap();
    }
    match group {
        1 => world.declare_group(Group::owning::<(Health, Armour)>()).unwrap(),
        2 => world.declare_group(Group::observing::<(Health, Armour)>()).unwrap(),
        3 => world.declare_group(Group::owning::<(Health, Armour, Rare)>()).unwrap(),
        _ => {}
    }
    (world, all)
}

#[test]
fn each_method_finds_changed_entities_and_no_others() {
    for (count, group) in [1, 5, 70, 3_000].into_iter().flat_map(|it| (0..4).map(move |g| (it, g)))
    {
        for every in [1, 2, 7, 1_000_000] {
            let (mut world, all) = filled(count, group);
            let mut seen = world.changes::<Health>();
            let changed = set(all.iter().copied().step_by(every));
            changed.iter().for_each(|&entity| world.get_mut::<Health>(entity).unwrap().0 += 1);
            world.advance(&mut seen);
            let marked = seen.changed();
            assert_eq!(marked.len(), changed.len());
            let rare = |is_rare| {
                let is_it = |entity: &Entity| world.has::<Rare>(*entity) == is_rare;
                changed.iter().copied().filter(is_it).collect::<Set>()
            };
            macro_rules! check {
                ($query:ty, $expected:expr) => {{
                    let (expected, view) = ($expected, || world.view::<$query>().among(marked));
                    assert_eq!(set(view().iter().map(|item| item.0)), expected);
                    assert_eq!(view().count(), expected.len());
                    assert_eq!(view().is_empty(), expected.is_empty());
                    assert_eq!(view().single().is_ok(), expected.len() == 1);
                    let (mut folded, mut listed, mut rows) = (vec![], vec![], vec![]);
                    view().for_each(|item| folded.push(item.0));
                    assert_eq!(set(folded), expected);
                    view().for_each_many(&all, |item| listed.push(item.0));
                    assert_eq!(set(listed), expected);
                    view().for_each_chunk(|chunk| rows.extend_from_slice(chunk.0));
                    assert_eq!(set(rows), expected);
                    assert_eq!(set(view().iter_many(&all).map(|item| item.0)), expected);
                    assert_eq!(set(view().sorted_by_key(|it| it.0).map(|it| it.0)), expected);
                    assert_eq!(set(view().into_parts(3).flatten().map(|item| item.0)), expected);
                    let add = |mut list: Vec<Entity>, entity| {
                        list.push(entity);
                        list
                    };
                    let parts = |left: Vec<_>, right: Vec<_>| [left, right].concat();
                    let shared = view().par_fold(Vec::new, |list, it| add(list, it.0), parts);
                    assert_eq!(set(shared), expected);
                    for &entity in &all {
                        assert_eq!(view().matches(entity), expected.contains(&entity));
                        assert_eq!(view().get(entity).is_some(), expected.contains(&entity));
                    }
                    if let Some(slices) = view().as_slices() {
                        assert_eq!(set(slices.0.iter().copied()), expected);
                    }
                }};
            }
            check!((&Health,), changed.clone());
            check!((&Armour,), changed.clone());
            check!((&Health, &Armour), changed.clone());
            check!((&Health, &Rare), rare(true));
            check!((&Health, &Armour, &Rare), rare(true));
            check!((&Health, Without<Rare>), rare(false));
            let view = || world.view::<(&Armour, Option<&Health>, Has<Rare>)>().among(marked);
            assert_eq!(set(view().iter().map(|item| item.0)), changed);
            assert!(view().iter().all(|(e, _, health, is_rare)| {
                health.is_some() && is_rare == world.has::<Rare>(e)
            }));
            assert_eq!(set(world.view::<Entity>().among(marked).iter()), changed);

            // Writes among them are the next changes.
            let mut next = world.changes::<Health>();
            let view = world.view_mut::<(&mut Health, &Armour)>().among(marked);
            view.for_each(|(_, health, armour)| health.0 += armour.0);
            world.advance(&mut next);
            assert_eq!(set(world.view::<Entity>().among(next.changed()).iter()), changed);
            let begun = world.view_mut::<&mut Health>().among(marked).into_iter().take(1).count();
            assert_eq!(begun, 1);
            world.advance(&mut next);
            assert_eq!(set(world.view::<Entity>().among(next.changed()).iter()), changed);
        }
    }
}

/// Marks are by index, in as many pages as there ever were.
#[test]
fn a_world_that_becomes_a_copy_goes_on_to_be_marked_in_all_its_pages() {
    let mut world = World::new();
    let all = world.spawn_batch((0..5_000).map(Health));
    let saved = world.try_clone().unwrap();
    let mut seen = world.changes::<Health>();
    world.despawn_batch(&all[..2_000]);
    world.get_mut::<Health>(all[3_000]).unwrap().0 = 9;
    world.spawn_batch((0..10_000).map(Health));
    world.copy_from(&saved).unwrap();
    world.advance(&mut seen);
    assert_eq!((seen.inserted().len(), seen.removed().len()), (5_000, 2_000 + 13_000));
    world.view_mut::<&mut Health>().for_each(|(_, health)| health.0 += 1);
    world.advance(&mut seen);
    assert_eq!((seen.inserted().len(), seen.changed().len()), (0, 5_000));
    // In a world that it has not read it begins anew, and so both go on.
    let mut copy = world.try_clone().unwrap();
    copy.advance(&mut seen);
    assert_eq!((seen.inserted().len(), seen.changed().len()), (5_000, 5_000));
    std::mem::swap(&mut world, &mut copy);
    world.get_mut::<Health>(all[1]).unwrap().0 = 9;
    world.advance(&mut seen);
    assert_eq!((seen.inserted().len(), seen.changed().len()), (0, 1));
    copy.advance(&mut seen);
    assert_eq!(seen.changed().len(), 0);
}
