//! Batches of one kind: relations, copies, saved worlds, changes, events, handles, orders, views.

use super::{Batch, Edit};
use ecs::by_name::{Kind, KindQuery};
use ecs::copies::Copies;
use ecs::save::{ChangeSet, Delta, Follower, Limits};
use ecs::{ChildOf, Commands, Component, Entity, Events, Group, Inserted, Name, SparseSet, World};
use std::hint::black_box;

#[derive(Component, Clone, Default)]
#[component(clone, default)]
struct Number(u32);
#[derive(Component)]
struct Other(u32);
#[derive(Component)]
#[component(relation)]
struct PointsTo(Entity);
#[derive(Component)]
#[component(veto = Guarded::may_go)]
struct Guarded(bool);
struct Hit(u32);

impl Guarded {
    fn may_go(&mut self) -> bool {
        self.0
    }
}

/// Returns a number from a place.
fn number(at: usize) -> u32 {
    u32::try_from(at).expect("some thousands")
}

/// Returns numbers in an order in which no two are neighbours.
fn mixed(at: usize) -> u32 {
    number(at).wrapping_mul(0x9e37_79b9)
}

fn numbers(world: &mut World, count: usize) -> Vec<Entity> {
    world.spawn_batch((0..count).map(|at| Number(mixed(at))))
}

/// Spawns a parent and its children.
fn family(world: &mut World, count: usize) -> (Entity, Vec<Entity>) {
    let parent = world.spawn_empty().id();
    (parent, world.spawn_batch((0..count).map(|_| ChildOf(parent))))
}

/// Spawns a chain, each entity the only child of the one before.
fn chain(world: &mut World, count: usize) -> Vec<Entity> {
    let all = world.spawn_batch((0..count).map(|_| ()));
    for pair in all.windows(2) {
        world.attach(pair[1], pair[0]).expect("no circle");
    }
    all
}

/// Spawns entities, and returns the children and parents of a chain of them in random order.
fn links_in_random_order(world: &mut World, count: usize) -> Vec<(Entity, Entity)> {
    let all = world.spawn_batch((0..count).map(|_| ()));
    let mut pairs: Vec<_> = all.windows(2).map(|pair| (pair[1], pair[0])).collect();
    pairs.sort_by_key(|(child, _)| mixed(child.index() as usize));
    pairs
}

/// Spawns parents, each with one child.
fn couples(world: &mut World, count: usize) -> (Vec<Entity>, Vec<Entity>) {
    let parents = world.spawn_batch((0..count).map(|_| ()));
    let children = world.spawn_batch(parents.iter().map(|parent| ChildOf(*parent)));
    (parents, children)
}

/// Spawns entities with names and a parent.
fn named(world: &mut World, count: usize) -> Vec<Entity> {
    let parent = world.spawn_empty().id();
    world.spawn_batch((0..count).map(|at| (Name::new(at.to_string()), ChildOf(parent))))
}

fn attach_all(world: &mut World, children: &[Entity], parent: Entity) {
    let rows = children.iter().map(|&child| (child, ChildOf(parent)));
    world.insert_batch(rows).expect("all are alive");
}

fn nothing(_: &mut World, _: Entity) {}

fn take_and_restore(world: &mut World, entity: Entity) {
    let taken = world.take_entity(entity).unwrap();
    world.restore(taken).unwrap();
}

macro_rules! batches {
    ($($name:literal, |$world:ident, $count:ident| { $($before:tt)* } $edit:expr;)+) => {
        [$(($name, |$count: usize| -> Edit {
            let mut $world = World::new();
            let _ = &mut $world;
            $($before)*
            let mut edit = Some(move || _ = black_box($edit));
            Box::new(move || edit.take().expect("it is done once")())
        } as fn(usize) -> Edit)),+]
    };
}

const RELATIONS: &[Named] = &batches! {
        "attach n children", |world, n| {
            let parent = world.spawn_empty().id();
            let all = world.spawn_batch((0..n).map(|_| ()));
        } all.iter().for_each(|&it| world.attach(it, parent).unwrap());
        "attach n children by insert_batch", |world, n| {
            let parent = world.spawn_empty().id();
            let all = world.spawn_batch((0..n).map(|_| ()));
        } attach_all(&mut world, &all, parent);
        "move n children to another parent", |world, n| {
            let (_, all) = family(&mut world, n);
            let parent = world.spawn_empty().id();
        } all.iter().for_each(|&it| world.attach(it, parent).unwrap());
        "move n children by insert_batch", |world, n| {
            let (_, all) = family(&mut world, n);
            let parent = world.spawn_empty().id();
        } attach_all(&mut world, &all, parent);
        "move n children by commands", |world, n| {
            let (_, all) = family(&mut world, n);
            let parent = world.spawn_empty().id();
            let mut commands = Commands::new();
        } {
            all.iter().for_each(|&it| commands.insert(it, ChildOf(parent)));
            commands.apply(&mut world)
        };
        "move one child n times in turns", |world, n| {
            let (a, all) = family(&mut world, 2);
            let b = world.spawn_empty().id();
        } for at in 0..n {
            world.attach(all[0], if at % 2 == 0 { b } else { a }).unwrap();
        };
        "move n children of one parent to n parents", |world, n| {
            let (_, all) = family(&mut world, n);
            let parents = world.spawn_batch((0..n).map(|_| ()));
        } for (&child, &parent) in all.iter().zip(&parents) {
            world.attach(child, parent).unwrap();
        };
        "detach n children, the first one first", |world, n| {
            let (_, all) = family(&mut world, n);
        } all.iter().for_each(|&it| _ = world.detach(it));
        "detach n children, the last one first", |world, n| {
            let (_, all) = family(&mut world, n);
        } all.iter().rev().for_each(|&it| _ = world.detach(it));
        "detach n children in random order", |world, n| {
            let (_, mut all) = family(&mut world, n);
            all.sort_by_key(|it| mixed(it.index() as usize));
        } all.iter().for_each(|&it| _ = world.detach(it));
        "remove_batch of ChildOf, observed", |world, n| {
            let (_, all) = family(&mut world, n);
            world.on_remove::<ChildOf>(nothing);
        } world.remove_batch::<ChildOf>(&all);
        "build a chain from its root", |world, n| {
            let all = world.spawn_batch((0..n).map(|_| ()));
        } for pair in all.windows(2) {
            world.attach(pair[1], pair[0]).unwrap();
        };
        "build a chain from its end", |world, n| {
            let all = world.spawn_batch((0..n).map(|_| ()));
        } for pair in all.windows(2).rev() {
            world.attach(pair[1], pair[0]).unwrap();
        };
        "build a chain in random order", |world, n| {
            let pairs = links_in_random_order(&mut world, n);
        } for &(child, parent) in &pairs {
            world.attach(child, parent).unwrap();
        };
        "build a chain in random order by insert_batch", |world, n| {
            let pairs = links_in_random_order(&mut world, n);
        } world.insert_batch(pairs.iter().map(|(it, parent)| (*it, ChildOf(*parent)))).unwrap();
        "build a chain from its root by insert_batch", |world, n| {
            let all = world.spawn_batch((0..n).map(|_| ()));
        } world.insert_batch(all.windows(2).map(|pair| (pair[1], ChildOf(pair[0])))).unwrap();
        "insert_batch of one in the middle of a chain n times, with its parent", |world, n| {
            let all = chain(&mut world, n);
            let (parent, one) = (all[n / 2 - 1], all[n / 2]);
        } world.insert_batch((0..n).map(|_| (one, ChildOf(parent)))).unwrap();
        "despawn a parent of n", |world, n| {
            let (parent, _) = family(&mut world, n);
        } world.despawn(parent).unwrap();
        "despawn a parent of n, observed", |world, n| {
            let (parent, _) = family(&mut world, n);
            world.on_remove::<ChildOf>(nothing);
        } world.despawn(parent).unwrap();
        "despawn a parent of n, observed in a batch", |world, n| {
            let (parent, _) = family(&mut world, n);
            world.on_batch::<ecs::Removed<ChildOf>>(|_, _| {});
        } world.despawn(parent).unwrap();
        "despawn a parent of n; an observer saves all", |world, n| {
            let (parent, _) = family(&mut world, n);
            world.insert(parent, Number(0)).unwrap();
            world.on_remove::<Number>(|world, parent| {
                let children: Vec<_> = world.children(parent).collect();
                world.remove_batch::<ChildOf>(&children);
            });
        } world.despawn(parent).unwrap();
        "despawn a parent of n; an observer saves all, one by one", |world, n| {
            let (parent, _) = family(&mut world, n);
            world.insert(parent, Number(0)).unwrap();
            world.on_remove::<Number>(|world, parent| {
                while let Some(child) = world.children(parent).next() {
                    world.detach(child);
                }
            });
        } world.despawn(parent).unwrap();
        "despawn a parent of n; an observer saves the next", |world, n| {
            let (parent, all) = family(&mut world, n);
            world.insert_batch(all.iter().map(|it| (*it, Number(0)))).unwrap();
            let first = all[0].index();
            world.on_remove::<Number>(move |world, child| {
                let _ = all.get((child.index() - first + 1) as usize).map(|it| world.detach(*it));
            });
        } world.despawn(parent).unwrap();
        "despawn_batch of a parent and its n children", |world, n| {
            let (parent, mut all) = family(&mut world, n);
            all.insert(0, parent);
        } world.despawn_batch(&all);
        "despawn_batch of n children and their parent", |world, n| {
            let (parent, mut all) = family(&mut world, n);
            all.push(parent);
        } world.despawn_batch(&all);
        "despawn a chain of n", |world, n| {
            let all = chain(&mut world, n);
        } world.despawn(all[0]).unwrap();
        "despawn a chain of n, observed", |world, n| {
            let all = chain(&mut world, n);
            world.on_remove::<ChildOf>(nothing);
        } world.despawn(all[0]).unwrap();
        "despawn_batch of a chain of n, the root first", |world, n| {
            let all = chain(&mut world, n);
        } world.despawn_batch(&all);
        "despawn_batch of a chain of n, the root last", |world, n| {
            let mut all = chain(&mut world, n);
            all.reverse();
        } world.despawn_batch(&all);
        "despawn_batch of a chain of n, whose end refuses", |world, n| {
            let all = chain(&mut world, n);
            world.insert(all[n - 1], Guarded(false)).unwrap();
        } world.despawn_batch(&all);
        "despawn_batch of a chain of n, each with a child that refuses", |world, n| {
            let all = chain(&mut world, n);
            let rows = all.iter().map(|it| (ChildOf(*it), Guarded(false))).collect::<Vec<_>>();
            world.spawn_batch(rows);
        } world.despawn_batch(&all);
        "recorded despawns of a chain of n, the root first", |world, n| {
            let all = chain(&mut world, n);
            let mut commands = Commands::new();
        } {
            all.iter().for_each(|&it| commands.despawn(it));
            commands.apply(&mut world)
        };
        "despawn_batch of n parents", |world, n| {
            let (parents, _) = couples(&mut world, n);
        } world.despawn_batch(&parents);
        "despawn_batch of n parents, observed", |world, n| {
            let (parents, _) = couples(&mut world, n);
            world.on_remove::<ChildOf>(nothing);
        } world.despawn_batch(&parents);
        "despawn_batch of n parents; vetoes of all children refuse", |world, n| {
            let (parents, all) = couples(&mut world, n);
            world.insert_batch(all.iter().map(|it| (*it, Guarded(false)))).unwrap();
        } world.despawn_batch(&parents);
        "despawn an entity to which n point", |world, n| {
            let target = world.spawn_empty().id();
            world.spawn_batch((0..n).map(|_| PointsTo(target)));
        } world.despawn(target).unwrap();
        "despawn an entity to which n point, observed", |world, n| {
            let target = world.spawn_empty().id();
            world.spawn_batch((0..n).map(|_| PointsTo(target)));
            world.on_remove::<PointsTo>(nothing);
        } world.despawn(target).unwrap();
        "despawn_batch of n targets", |world, n| {
            let targets = world.spawn_batch((0..n).map(|_| ()));
            world.spawn_batch(targets.iter().map(|it| PointsTo(*it)));
        } world.despawn_batch(&targets);
        "despawn n targets one by one, observed", |world, n| {
            let targets = world.spawn_batch((0..n).map(|_| ()));
            world.spawn_batch(targets.iter().map(|it| PointsTo(*it)));
            world.on_remove::<PointsTo>(nothing);
        } targets.iter().for_each(|&it| world.despawn(it).unwrap());
        "despawn_batch of n targets and their sources in a circle", |world, n| {
            let all = world.spawn_batch((0..n).map(|_| ()));
            for pair in all.windows(2) {
                world.insert(pair[0], PointsTo(pair[1])).unwrap();
            }
            world.insert(all[n - 1], PointsTo(all[0])).unwrap();
        } world.despawn_batch(&all);
        "swap_related n times", |world, n| {
            let (_, all) = family(&mut world, n);
        } for pair in all.windows(2) {
            world.swap_related::<ChildOf>(pair[0], pair[1]);
        };
        "sort_related_by", |world, n| {
            let (parent, _) = family(&mut world, n);
        } world.sort_related_by::<ChildOf>(parent, |_, a, b| {
            mixed(a.index() as usize).cmp(&mixed(b.index() as usize))
        });
        "descendants_of, by_depth, roots_of", |world, n| {
            let _ = couples(&mut world, n);
            let (parent, _) = family(&mut world, n);
        } {
            let descendants = world.descendants_of::<ChildOf>(parent).count();
            descendants + world.by_depth::<ChildOf>().len() + world.roots_of::<ChildOf>().count()
        };
};
const COPIES: &[Named] = &batches! {
        "spawn_copies, n of one", |world, n| {
            let one = world.spawn(Number(1)).id();
        } world.spawn_copies(one, n).unwrap();
        "spawn_copies, n of one, observed", |world, n| {
            let one = world.spawn(Number(1)).id();
            world.on_insert::<Number>(nothing);
        } world.spawn_copies(one, n).unwrap();
        "spawn_copies, one n times", |world, n| {
            let one = world.spawn(Number(1)).id();
        } (0..n).for_each(|_| drop(world.spawn_copies(one, 1).unwrap()));
        "spawn_copies_with, a parent of n", |world, n| {
            let (parent, _) = family(&mut world, n);
        } world.spawn_copies_with::<ChildOf>(parent, 1).unwrap();
        "spawn_copies_of, a prefab of n", |world, n| {
            let mut prefab = World::new();
            named(&mut prefab, n);
        } world.spawn_copies_of(&prefab, 1).unwrap();
        "spawn_copies_of, n of a prefab", |world, n| {
            let mut prefab = World::new();
            named(&mut prefab, 2);
        } world.spawn_copies_of(&prefab, n).unwrap();
        "try_clone", |world, n| {
            named(&mut world, n);
        } world.try_clone().unwrap();
        "copy_from", |world, n| {
            let mut other = World::new();
            named(&mut other, n);
            named(&mut world, n);
        } world.copy_from(&other).unwrap();
        "a copy that leaves components out", |world, n| {
            numbers(&mut world, n);
            named(&mut world, n);
        } world.try_clone_by(&Copies::default().leave_out::<Name>()).unwrap();
        "merge", |world, n| {
            let mut other = World::new();
            named(&mut other, n);
            named(&mut world, n);
        } world.merge(&mut other).unwrap();
        "merge, observed", |world, n| {
            let mut other = World::new();
            named(&mut other, n);
            world.on_insert::<Name>(nothing);
            world.on_insert::<ChildOf>(nothing);
        } world.merge(&mut other).unwrap();
        "Kind::copy n times", |world, n| {
            let all = world.spawn_batch((0..n).map(|_| ()));
            let one = world.spawn(Number(1)).id();
        } for &it in &all {
            world.copy_kind(Kind::of::<Number>(), one, it).unwrap();
        };
        "Kind::insert_default, take and remove n times", |world, n| {
            let all = numbers(&mut world, n);
            let kind = Kind::of::<Number>();
        } for &it in &all {
            let value = world.take_kind(kind, it).unwrap();
            world.insert_value(it, value).unwrap();
            world.remove_kind(kind, it).unwrap();
            world.insert_kind_default(kind, it).unwrap();
        };
        "KindQuery::for_each_mut", |world, n| {
            numbers(&mut world, n);
        } world.for_each_row(&KindQuery::new().write(Kind::of::<Number>()), |_| {}).unwrap();
        "KindQuery::rows_from in pages of 100", |world, n| {
            let all = numbers(&mut world, n);
            let query = KindQuery::new().with(Kind::of::<Number>());
        } for page in all.chunks(100) {
            world.kind_rows_from(&query, page[0].index()).unwrap().take(100).count();
        };
};
const SAVED: &[Named] = &batches! {
        "save to bytes", |world, n| {
            named(&mut world, n);
        } world.save().to_bytes(&mut Vec::new()).unwrap();
        "load bytes", |world, n| {
            let mut bytes = Vec::new();
            named(&mut world, n);
            world.save().to_bytes(&mut bytes).unwrap();
        } world.load(&bytes, &Limits::default()).unwrap();
        "load bytes, components that are unknown and kept", |world, n| {
            let mut bytes = Vec::new();
            named(&mut world, n);
            world.save().to_bytes(&mut bytes).unwrap();
            let mut other = World::new();
        } other.load(&bytes, &Limits::default().keep_unknown()).unwrap();
        "save to text", |world, n| {
            named(&mut world, n);
        } serde_json::to_string(&world.save()).unwrap();
        "load text", |world, n| {
            named(&mut world, n);
            let text = serde_json::to_string(&world.save()).unwrap();
        } world.read_from(&mut serde_json::Deserializer::from_str(&text)).unwrap();
        "Save::named_entities", |world, n| {
            couples(&mut world, n);
        } world.save().named_entities().unwrap();
        "Delta::between, of n changes", |world, n| {
            let all = named(&mut world, n);
            let old = world.try_clone().unwrap();
            all.iter().for_each(|it| world.insert(*it, Name::new("other")).unwrap());
        } Delta::between(&old, &world).unwrap();
        "apply_delta, of n changes", |world, n| {
            let all = named(&mut world, n);
            let mut old = world.try_clone().unwrap();
            all.iter().for_each(|it| world.insert(*it, Name::new("other")).unwrap());
            let delta = Delta::between(&old, &world).unwrap();
        } old.apply_delta(delta.as_bytes(), &Limits::default()).unwrap();
        "apply_delta, of n moved children", |world, n| {
            let all = named(&mut world, n);
            let mut old = world.try_clone().unwrap();
            let parent = world.spawn_empty().id();
            attach_all(&mut world, &all, parent);
            let delta = Delta::between(&old, &world).unwrap();
        } old.apply_delta(delta.as_bytes(), &Limits::default()).unwrap();
        "apply_delta, of n despawns", |world, n| {
            let all = named(&mut world, n);
            let mut old = world.try_clone().unwrap();
            world.despawn_batch(&all[..n - 1]);
            let delta = Delta::between(&old, &world).unwrap();
        } old.apply_delta(delta.as_bytes(), &Limits::default()).unwrap();
        "ChangeSets::drain, of n spawns", |world, n| {
            let mut reader = world.change_sets();
            named(&mut world, n);
        } reader.drain(&mut world).unwrap();
        "ChangeSets::drain, of n edits of one", |world, n| {
            let all = named(&mut world, 2);
            let mut reader = world.change_sets();
            (0..n).for_each(|_| world.insert(all[0], Name::new("other")).unwrap());
        } reader.drain(&mut world).unwrap();
        "ChangeSets::drain, of n moved children", |world, n| {
            let all = named(&mut world, n);
            let mut reader = world.change_sets();
            reader.drain(&mut world).unwrap();
            let parent = world.parent(all[0]).unwrap();
            world.sort_related_by::<ChildOf>(parent, |_, a, b| b.cmp(&a));
        } reader.drain(&mut world).unwrap();
        "ChangeSets::drain, of n despawns", |world, n| {
            let all = named(&mut world, n);
            let mut reader = world.change_sets();
            reader.drain(&mut world).unwrap();
            world.despawn_batch(&all);
        } reader.drain(&mut world).unwrap();
        "ChangeSets::drain_among, n of n", |world, n| {
            let all = named(&mut world, n);
            let mut reader = world.change_sets();
        } reader.drain_among(&mut world, &all).unwrap();
        "ChangeSets::drain_among, one entity n times", |world, n| {
            let one = vec![named(&mut world, n)[0]; n];
            let mut reader = world.change_sets();
        } reader.drain_among(&mut world, &one).unwrap();
        "ChangeSets::drain_visible, n of n", |world, n| {
            named(&mut world, n);
            let mut reader = world.change_sets();
        } reader.drain_visible(&mut world, |_, _| true).unwrap();
        "ChangeSets::drain_visible, n that are hidden then", |world, n| {
            named(&mut world, n);
            let mut reader = world.change_sets();
            reader.drain_visible(&mut world, |_, _| true).unwrap();
        } reader.drain_visible(&mut world, |_, _| false).unwrap();
        "ChangeSet::of, n entities", |world, n| {
            let (parents, children) = couples(&mut world, n);
        } ChangeSet::of(&world, &children, &|_| true).unwrap().1.len() == parents.len();
        "ChangeSet::of, one entity n times", |world, n| {
            let one = vec![named(&mut world, n)[0]; n];
        } ChangeSet::of(&world, &one, &|_| true).unwrap();
        "apply_change_set, of n spawns", |world, n| {
            let mut reader = world.change_sets();
            named(&mut world, n);
            let set = reader.drain(&mut world).unwrap();
            let (mut client, mut follower) = (World::new(), Follower::default());
            client.register::<(Name, ChildOf)>();
        } client.apply_change_set(set.as_bytes(), &mut follower, &Limits::default()).unwrap();
        "apply_change_set, of n moved children", |world, n| {
            let all = named(&mut world, n);
            let mut reader = world.change_sets();
            let set = reader.drain(&mut world).unwrap();
            let (mut client, mut follower) = (World::new(), Follower::default());
            client.register::<(Name, ChildOf)>();
            let _ = client.apply_change_set(set.as_bytes(), &mut follower, &Limits::default());
            let parent = world.parent(all[0]).unwrap();
            world.sort_related_by::<ChildOf>(parent, |_, a, b| b.cmp(&a));
            let set = reader.drain(&mut world).unwrap();
        } client.apply_change_set(set.as_bytes(), &mut follower, &Limits::default()).unwrap();
        "apply_change_set, of n despawns, observed", |world, n| {
            let all = named(&mut world, n);
            let mut reader = world.change_sets();
            let set = reader.drain(&mut world).unwrap();
            let (mut client, mut follower) = (World::new(), Follower::default());
            client.register::<(Name, ChildOf)>();
            let _ = client.apply_change_set(set.as_bytes(), &mut follower, &Limits::default());
            client.on_remove::<Name>(nothing);
            world.despawn_batch(&all);
            let set = reader.drain(&mut world).unwrap();
        } client.apply_change_set(set.as_bytes(), &mut follower, &Limits::default()).unwrap();
        "take_entity of n children, restore", |world, n| {
            let (parent, _) = family(&mut world, n);
        } take_and_restore(&mut world, parent);
        "take_entity of a chain of n, restore", |world, n| {
            let all = chain(&mut world, n);
        } take_and_restore(&mut world, all[0]);
};
const CHANGES: &[Named] = &batches! {
        "Changes: advance after n insertions and removals", |world, n| {
            let mut changes = world.changes::<Name>();
            let all = named(&mut world, n);
            world.advance(&mut changes);
            all.iter().for_each(|&it| _ = world.remove::<Name>(it));
        } world.advance(&mut changes);
        "Changes: n readers that advance", |world, n| {
            named(&mut world, 2);
            let mut all: Vec<_> = (0..n).map(|_| world.changes::<Name>()).collect();
        } all.iter_mut().for_each(|it| world.advance(it));
        "Changes: one reader that advances n times beside one that does not", |world, n| {
            let all = named(&mut world, 2);
            let mut changes = world.changes::<Name>();
            let late = world.changes::<Name>();
        } {
            for _ in 0..n {
                world.insert(all[0], Name::new("other")).unwrap();
                world.advance(&mut changes);
            }
            drop(late);
        };
        "KindChanges: advance after n insertions", |world, n| {
            let mut changes = world.kind_changes(Kind::of::<Name>()).unwrap();
            named(&mut world, n);
        } world.advance_kind(&mut changes);
        "CollectorId::drain, of n", |world, n| {
            let collector = world.collector::<Inserted<Number>>();
            numbers(&mut world, n);
        } world.drain(collector);
        "CollectorId::drain, of one that came n times", |world, n| {
            let collector = world.collector::<Inserted<Number>>();
            let one = world.spawn_empty().id();
        } {
            for _ in 0..n {
                world.insert(one, Number(1)).unwrap();
                world.remove::<Number>(one);
            }
            world.drain(collector)
        };
        "n observers of one insertion", |world, n| {
            (0..n).for_each(|_| _ = world.on_insert::<Number>(nothing));
        } world.spawn(Number(1)).id();
};
const EVENTS: &[Named] = &batches! {
        "Events: send, read and drain n", |world, n| {
            world.insert_resource(Events::<Hit>::new());
        } {
            let mut events = world.remove_resource::<Events<Hit>>().unwrap();
            let mut cursor = events.cursor();
            (0..n).for_each(|at| events.send(Hit(number(at))));
            let sum = events.read(&mut cursor).map(|hit| hit.0).sum::<u32>();
            events.update();
            sum + events.drain().map(|hit| hit.0).sum::<u32>()
        };
        "Events: send n, each read at once", |world, n| {
            world.insert_resource(Events::<Hit>::new());
        } {
            let mut events = world.remove_resource::<Events<Hit>>().unwrap();
            let mut cursor = events.cursor();
            for at in 0..n {
                events.send(Hit(number(at)));
                black_box(events.read(&mut cursor).count());
            }
        };
        "send n events to an observer", |world, n| {
            world.on::<Hit>(|_, _| {});
        } (0..n).for_each(|at| world.send(&Hit(number(at))));
        "send_to, n entities", |world, n| {
            world.on_entity::<Hit>(|_, _, _| {});
            let all = numbers(&mut world, n);
        } all.iter().for_each(|it| world.send_to(*it, &Hit(1)).unwrap());
        "n recorded events", |world, n| {
            world.on::<Hit>(|_, _| {});
            let mut commands = Commands::new();
        } {
            (0..n).for_each(|at| commands.send(Hit(number(at))));
            commands.apply(&mut world)
        };
        "recorded spawn_with, n others", |world, n| {
            let mut commands = Commands::new();
        } {
            commands.spawn_with(&world, Number(1), |parent| (0..n).map(move |_| ChildOf(parent)));
            commands.apply(&mut world)
        };
        "n recorded commands of three kinds in turns", |world, n| {
            let all = numbers(&mut world, n);
            let mut commands = Commands::new();
        } {
            for &it in &all {
                commands.insert(it, Other(1));
                commands.patch::<Number>(it, |number| number.0 += 1);
                commands.queue(|_| {});
                black_box(commands.is_empty());
            }
            commands.apply(&mut world)
        };
};
const HANDLES: &[Named] = &batches! {
        "reserve_entity n times, then spawn", |world, n| {
            numbers(&mut world, 2);
        } {
            (0..n).for_each(|_| _ = world.reserve_entity());
            world.spawn_empty().id()
        };
        "reserve_entity n times of free handles", |world, n| {
            let all = numbers(&mut world, n);
            world.despawn_batch(&all);
        } {
            (0..n).for_each(|_| _ = world.reserve_entity());
            world.spawn_empty().id()
        };
        "despawn and spawn n in turns", |world, n| {
            let mut all = numbers(&mut world, n);
        } for it in &mut all {
            world.despawn(*it).unwrap();
            *it = world.spawn(Number(1)).id();
        };
        "spawn_batch of n recycled handles in random order", |world, n| {
            let mut all = numbers(&mut world, n);
            all.sort_by_key(|it| mixed(it.index() as usize));
            all.iter().for_each(|it| world.despawn(*it).unwrap());
        } numbers(&mut world, n);
        "spawn_at, ascending", |world, n| {
            let mut other = World::new();
            let all = numbers(&mut other, n);
        } all.iter().for_each(|it| _ = world.spawn_at(*it).unwrap().id());
        "spawn_at, descending", |world, n| {
            let mut other = World::new();
            let all = numbers(&mut other, n);
        } all.iter().rev().for_each(|it| _ = world.spawn_at(*it).unwrap().id());
        "spawn_at in random order", |world, n| {
            let mut other = World::new();
            let mut all = numbers(&mut other, n);
            all.sort_by_key(|it| mixed(it.index() as usize));
        } all.iter().for_each(|it| _ = world.spawn_at(*it).unwrap().id());
        "entities, entities_from in pages of 100", |world, n| {
            let all = numbers(&mut world, n);
        } {
            let sum: usize = all.chunks(100)
                .map(|page| world.entities_from(page[0].index()).take(100).count()).sum();
            sum + world.entities().count()
        };
        "spawn_with, n others", |world, n| {
            numbers(&mut world, 2);
        } world.spawn_with(Number(1), |parent| (0..n).map(move |_| ChildOf(parent))).id();
        "shrink_to_fit, memory_usage", |world, n| {
            named(&mut world, n);
        } {
            world.shrink_to_fit();
            world.memory_usage()
        };
};
const ORDERS: &[Named] = &batches! {
        "pool_mut().sort_by", |world, n| {
            numbers(&mut world, n);
        } world.pool_mut::<Number>().sort_by(|a, b| a.0.cmp(&b.0)).unwrap();
        "pool_mut().sort_unstable_by", |world, n| {
            numbers(&mut world, n);
        } world.pool_mut::<Number>().sort_unstable_by(|a, b| a.0.cmp(&b.0)).unwrap();
        "pool_mut().sort_by_entity", |world, n| {
            numbers(&mut world, n);
            world.pool_mut::<Number>().sort_by(|a, b| a.0.cmp(&b.0)).unwrap();
        } world.pool_mut::<Number>().sort_by_entity().unwrap();
        "pool_mut().sort_as", |world, n| {
            let mut all = numbers(&mut world, n);
            all.reverse();
        } world.pool_mut::<Number>().sort_as(&all).unwrap();
        "pool_mut().sort_as, one entity n times", |world, n| {
            let all = numbers(&mut world, n);
            let one = vec![all[n - 1]; n];
        } world.pool_mut::<Number>().sort_as(&one).unwrap();
        "pool_mut().sort_like", |world, n| {
            let mut all = numbers(&mut world, n);
            all.reverse();
            world.insert_batch(all.into_iter().map(|it| (it, Other(1)))).unwrap();
        } world.pool_mut::<Number>().sort_like::<Other>().unwrap();
        "pool_mut().retain", |world, n| {
            numbers(&mut world, n);
        } world.pool_mut::<Number>().retain(|_, number| number.0 % 3 == 0);
        "declare_group, drop_group", |world, n| {
            let all = numbers(&mut world, n);
            world.insert_batch(all.into_iter().rev().map(|it| (it, Other(1)))).unwrap();
        } {
            world.declare_group(Group::owning::<(Number, Other)>()).unwrap();
            world.drop_group(Group::owning::<(Number, Other)>())
        };
        "group_mut().sort_by", |world, n| {
            let all = numbers(&mut world, n);
            world.insert_batch(all.into_iter().map(|it| (it, Other(1)))).unwrap();
            world.declare_group(Group::owning::<(Number, Other)>()).unwrap();
        } world.group_mut(Group::owning::<(Number, Other)>()).unwrap()
            .sort_by(|a, b| a.1.0.cmp(&b.1.0));
        "group_mut().sort_as, one entity n times", |world, n| {
            let all = numbers(&mut world, n);
            let one = vec![all[n - 1]; n];
            world.insert_batch(all.into_iter().map(|it| (it, Other(1)))).unwrap();
            world.declare_group(Group::owning::<(Number, Other)>()).unwrap();
        } world.group_mut(Group::owning::<(Number, Other)>()).unwrap().sort_as(&one);
        "SparseSet: insert, retain, drain", |world, n| {
            numbers(&mut world, 2);
            let mut set = SparseSet::<u32>::new();
        } {
            (0..n).for_each(|at| _ = set.insert(mixed(at) % number(n), 1));
            set.retain(|key, _| key % 3 > 0);
            set.drain().count()
        };
};
const VIEWS: &[Named] = &batches! {
        "View::get_disjoint_vec_mut", |world, n| {
            let all = numbers(&mut world, n);
        } world.view_mut::<&mut Number>().get_disjoint_vec_mut(&all).unwrap().len();
        "View::get_disjoint_vec_mut, one entity n times", |world, n| {
            let one = vec![numbers(&mut world, n)[0]; n];
        } world.view_mut::<&mut Number>().get_disjoint_vec_mut(&one).is_err();
        "View::iter_many, one entity n times", |world, n| {
            let one = vec![numbers(&mut world, n)[0]; n];
        } world.view::<&Number>().iter_many(&one).count();
        "View::for_each_many, one entity n times", |world, n| {
            let all = numbers(&mut world, n);
            let one = vec![all[0]; n];
        } world.view_mut::<&mut Number>().for_each_many(&one, |(_, number)| number.0 += 1);
        "View::sorted_by_key", |world, n| {
            numbers(&mut world, n);
        } world.view::<&Number>().sorted_by_key(|(_, number)| number.0).count();
        "View::into_parts, n parts of one pool", |world, n| {
            numbers(&mut world, n);
        } world.view::<&Number>().into_parts(n).map(Iterator::count).sum::<usize>();
        "View::into_parts, n parts of a few", |world, n| {
            numbers(&mut world, 16);
        } world.view::<&Number>().into_parts(n).map(Iterator::count).sum::<usize>();
        "View::into_parts, n parts of two pools, not searched", |world, n| {
            let all = numbers(&mut world, n);
            let half = all.into_iter().rev().step_by(2);
            world.insert_batch(half.map(|it| (it, Other(1)))).unwrap();
        } world.view::<(&Number, &Other)>().into_parts(n).map(|part| part.size_hint().0).sum::<usize>();
        "View::into_parts, n parts of two pools", |world, n| {
            let all = numbers(&mut world, n);
            let half = all.into_iter().rev().step_by(2);
            world.insert_batch(half.map(|it| (it, Other(1)))).unwrap();
        } world.view::<(&Number, &Other)>().into_parts(n).map(Iterator::count).sum::<usize>();
        "View::into_parts, n parts of two pools, kept", |world, n| {
            let all = numbers(&mut world, n);
            let half = all.into_iter().rev().step_by(2);
            world.insert_batch(half.map(|it| (it, Other(1)))).unwrap();
        } {
            let parts: Vec<_> = world.view::<(&Number, &Other)>().into_parts(n).collect();
            parts.into_iter().map(Iterator::count).sum::<usize>()
        };
};

/// The name of a batch, and the function that prepares it.
type Named = (&'static str, fn(usize) -> Edit);

/// Returns all of these.
pub fn batches() -> Vec<Batch> {
    let all = [RELATIONS, COPIES, SAVED, CHANGES, EVENTS, HANDLES, ORDERS, VIEWS].concat();
    let batch = |(name, prepare)| Batch { name, scene: "", prepare: Box::new(prepare) };
    all.into_iter().map(batch).collect()
}
