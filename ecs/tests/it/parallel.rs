//! Loops that threads share: by each way to walk a view, each match comes once, and folds are equal on any number of
//! threads.

use crate::fixtures::{Position, Random, Velocity, panics};
use crate::in_pool::{in_pool, locked};
#[cfg(feature = "parallel")]
use ecs::__private::eagerly;
use ecs::{
    ChildOf, Component, Entity, Group, Has, Mut, PlanKind, Up, With, WithAny, Without, World,
};
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{LazyLock, Mutex};
use std::thread;

#[derive(Component, Clone, Copy)]
struct A(u64);
#[derive(Component, Clone, Copy)]
#[component(track)]
struct B(u64);
#[derive(Component)]
struct C(u64);
#[derive(Component)]
struct D;
/// Stored in columns.
#[derive(Component)]
#[component(layout = "soa")]
struct E {
    x: u64,
    y: u32,
}

/// Calls `f`; without the feature its loops stay on this thread.
#[cfg(not(feature = "parallel"))]
fn eagerly<R>(f: impl FnOnce() -> R) -> R {
    f()
}

static POOLS: LazyLock<[ThreadPool; 3]> = LazyLock::new(|| {
    [1, 2, 3].map(|threads| ThreadPoolBuilder::new().num_threads(threads).build().unwrap())
});

/// Calls `f` in pools of several sizes, where loops are shared only if that is worth it, and where all are shared.
fn everywhere(mut f: impl FnMut() + Send) {
    f();
    for pool in &*POOLS {
        in_pool(pool, &mut f);
        in_pool(pool, || eagerly(&mut f));
    }
}

fn sorted<T: Ord>(mut list: Vec<T>) -> Vec<T> {
    list.sort_unstable();
    list
}

fn append<T>(mut list: Vec<T>, mut other: Vec<T>) -> Vec<T> {
    list.append(&mut other);
    list
}

/// Compares the shared loops of a view, which is made anew for each, with the one that is not shared. They note
/// something of each item, and of each chunk as a list, if there are any.
macro_rules! check {
    ($view:expr, |$item:pat_param| $noted:expr $(, |$chunk:pat_param| $all:expr)?) => {{
        let mut alone = Vec::new();
        $view.for_each(|$item| alone.push($noted));
        let alone = sorted(alone);
        for count in [1, 2, 7, 5_000] {
            let mut parts = Vec::new();
            for (at, part) in $view.into_parts(count).enumerate() {
                if at % 2 == 0 {
                    for $item in part {
                        parts.push($noted);
                    }
                } else {
                    part.for_each(|$item| parts.push($noted));
                }
            }
            assert_eq!(sorted(parts), alone, "{count} parts");
        }
        let mut folds = Vec::new();
        everywhere(|| {
            let shared = Mutex::new(Vec::new());
            $view.par_for_each(|$item| locked(&shared).push($noted));
            assert_eq!(sorted(shared.into_inner().unwrap()), alone, "for_each");
            $(
                let chunks = Mutex::new(Vec::new());
                $view.par_for_each_chunk(|$chunk| locked(&chunks).extend($all));
                assert_eq!(sorted(chunks.into_inner().unwrap()), alone, "for_each_chunk");
            )?
            folds.push($view.par_fold(
                Vec::new,
                |mut list, $item| {
                    list.push($noted);
                    list
                },
                append,
            ));
        });
        assert!(folds.windows(2).all(|two| two[0] == two[1]), "the same order each time");
        assert_eq!(sorted(folds.pop().unwrap()), alone, "fold");
    }};
}

/// Checks the query of the tests of loops.
pub fn check(world: &World, plan: Option<PlanKind>) {
    let note = |entity: Entity, position: &Position, velocity: &Velocity| {
        (entity, position.0.to_bits(), velocity.0.to_bits())
    };
    check!(
        world.view::<(Position, Velocity)>().with_plan(plan),
        |(entity, position, velocity)| note(entity, position, velocity),
        |(entities, positions, velocities)| {
            let values = positions.iter().zip(velocities);
            entities
                .iter()
                .zip(values)
                .map(|(entity, (position, velocity))| note(*entity, position, velocity))
        }
    );
}

/// Up to 1,500 entities with some of the components; some have moved about.
fn random_world(random: &mut Random) -> World {
    let mut world = World::new();
    let count = 1 + random.below(1_500);
    let root = world.spawn(A(1)).id();
    let rarity = [(); 5].map(|()| 1 + random.below(40));
    let entities: Vec<Entity> = (0..count).map(|_| world.spawn_empty().id()).collect();
    let order: Vec<Entity> = (0..count).map(|_| entities[random.below(count)]).collect();
    for &entity in if random.below(2) == 0 { &entities } else { &order } {
        let value = random.next() % 1_000;
        let mut entity = world.entity_mut(entity);
        for (kind, rarity) in rarity.iter().enumerate() {
            if random.below(*rarity) == 0 {
                match kind {
                    0 => entity.insert(A(value)),
                    1 => entity.insert(B(value)),
                    2 => entity.insert(C(value)),
                    3 => entity.insert(D),
                    _ => entity.insert(E { x: value, y: 1 }),
                };
            }
        }
    }
    for &entity in order.iter().take(random.below(count)) {
        match random.below(3) {
            0 => _ = world.despawn(entity),
            1 => _ = world.remove::<A>(entity),
            _ => _ = world.insert(entity, ChildOf(root)),
        }
    }
    match random.below(6) {
        0 => world.declare_group(Group::owning::<(A, B)>()).unwrap(),
        1 => world.declare_group(Group::observing::<(A, B)>()).unwrap(),
        2 => world.declare_group(Group::owning::<A>().with::<B>().without::<D>()).unwrap(),
        3 => {
            world.declare_group(Group::owning::<(A, B)>()).unwrap();
            world.declare_group(Group::owning::<(A, B, C)>()).unwrap();
        }
        _ => {}
    }
    world
}

const PLANS: [Option<PlanKind>; 4] =
    [None, Some(PlanKind::Words), Some(PlanKind::Dense), Some(PlanKind::Group)];

#[test]
fn each_match_comes_once_in_random_worlds() {
    let mut random = Random(7);
    for _ in 0..2 {
        let world = &mut random_world(&mut random);
        let reader = &mut world.changes::<B>();
        for entity in world.entities().step_by(3).collect::<Vec<_>>() {
            if let Some(b) = world.get_mut::<B>(entity) {
                b.0 += 1;
            }
        }
        world.advance(reader);
        for plan in PLANS {
            check!(world.view::<A>().with_plan(plan), |(e, a)| (e, a.0), |(e, a)| e
                .iter()
                .zip(a)
                .map(|(e, a)| (*e, a.0)));
            check!(
                world.view::<(A, B)>().with_plan(plan),
                |(e, a, b)| (e, a.0, b.0),
                |(e, a, b)| e.iter().zip(a).zip(b).map(|((e, a), b)| (*e, a.0, b.0))
            );
            check!(world.view::<(A, B, C)>().with_plan(plan), |(e, a, b, c)| (e, a.0, b.0, c.0));
            check!(
                world.view::<(A, Option<&B>)>().with_plan(plan),
                |(e, a, b)| (e, a.0, b.map(|b| b.0)),
                |(e, a, b)| (0..e.len()).map(move |at| (e[at], a[at].0, b.map(|b| b[at].0)))
            );
            check!(
                world.view::<(A, Has<D>, Option<&B>, Option<(&C, Option<&E>)>)>().with_plan(plan),
                |(e, a, d, b, c)| (
                    e,
                    a.0,
                    d,
                    b.map(|b| b.0),
                    c.map(|(c, e)| (c.0, e.map(|e| *e.x)))
                )
            );
            check!(
                world.view::<(A, E)>().with_plan(plan),
                |(e, a, soa)| (e, a.0, *soa.x, *soa.y),
                |(e, a, soa)| (0..e.len()).map(move |at| (e[at], a[at].0, soa.x[at], soa.y[at]))
            );
            check!(
                world.view::<(A, With<B>)>().without::<D>().with_any::<(C, E)>().with_plan(plan),
                |(e, a)| (e, a.0),
                |(e, a)| e.iter().zip(a).map(|(e, a)| (*e, a.0))
            );
            check!(world.view::<(Option<&A>, Without<B>)>().with_plan(plan), |(e, a)| (
                e,
                a.map(|a| a.0)
            ));
            check!(world.view::<WithAny<(C, D)>>().with_plan(plan), |entity| entity);
            check!(world.view::<(A, Up<ChildOf, &A>)>().with_plan(plan), |(e, a, up)| (
                e,
                a.0,
                up.map(|up| up.0)
            ));
            check!(world.view::<A>().among(reader.changed()).with_plan(plan), |(e, a)| (e, a.0));
        }
    }
}

#[test]
fn all_that_match_are_written_once() {
    let mut random = Random(11);
    for _ in 0..6 {
        let mut world = random_world(&mut random);
        for plan in PLANS {
            let read = |world: &World| -> Vec<_> {
                let all = world.view::<(Option<&A>, Option<&B>, Option<&E>)>().into_iter();
                all.map(|(_, a, b, e)| (a.map(|a| a.0), b.map(|b| b.0), e.map(|e| *e.x))).collect()
            };
            everywhere(|| {
                let mut expected = read(&world);
                for (a, b, e) in &mut expected {
                    match (a, b, e) {
                        (Some(a), Some(b), e) => {
                            *a += *b + 1;
                            *b += 1;
                            *e = e.map(|e| e + 2);
                        }
                        (_, _, e) => *e = e.map(|e| e + 2),
                    }
                }
                let view = world.view_mut::<(&mut A, &B)>().with_plan(plan);
                view.par_for_each(|(_, a, b)| a.0 += b.0 + 1);
                let view = world.view_mut::<(&mut B, With<A>)>().with_plan(plan);
                view.par_for_each_chunk(|(_, all)| all.iter_mut().for_each(|b| b.0 += 1));
                let view = world.view_mut::<&mut E>().with_plan(plan);
                let add = |count: u32, (_, e): (_, ecs::RefMut<'_, E>)| {
                    *e.x += 2;
                    count + *e.y
                };
                let count = view.par_fold(|| 0, add, |a, b| a + b);
                assert_eq!(count as usize, world.view::<E>().count());
                assert_eq!(read(&world), expected);
            });
        }
    }
}

#[test]
fn parts_go_to_threads_of_the_user() {
    let mut world = World::new();
    world.spawn_batch((0..5_000).map(|at| (A(at), C(0))));
    for count in [0, 1, 2, 3] {
        let parts = world.view_mut::<(&mut C, &A)>().into_parts(count);
        assert_eq!(parts.len(), count.max(1), "no part would lose all matches");
        thread::scope(|scope| {
            let add = |(_, c, a): (_, &mut C, &A)| c.0 += a.0;
            let threads: Vec<_> =
                parts.map(|part| scope.spawn(move || part.for_each(add))).collect();
            threads.into_iter().for_each(|thread| thread.join().unwrap());
        });
        let parts = world.view::<C>().into_parts(count).map(|part| part.len()).sum::<usize>();
        assert_eq!(parts, 5_000);
    }
    assert!(world.view::<(A, C)>().iter().all(|(_, a, c)| c.0 == 4 * a.0));
}

#[test]
#[cfg_attr(ecs_thread_sanitizer, ignore = "there is no pool")]
fn parts_are_an_iterator_of_rayon() {
    let mut world = World::new();
    world.spawn_batch((0..5_000).map(|at| (A(at), C(0))));
    let parts: Vec<_> = world.view_mut::<(&mut C, &A)>().into_parts(8).collect();
    let items = parts.into_par_iter().flatten_iter();
    let sum: u64 = items
        .filter(|(_, _, a)| a.0 % 2 == 0)
        .map(|(_, c, a)| {
            c.0 = a.0;
            a.0
        })
        .sum();
    assert_eq!(sum, 2_500 * 2_499);
    assert!(world.view::<(A, C)>().iter().all(|(_, a, c)| c.0 == (a.0 + 1) % 2 * a.0));
}

#[test]
fn changes_are_marked_by_shared_loops() {
    let mut world = World::new();
    world.spawn_batch((0..3_000).map(|at| (A(at), B(at))));
    everywhere(|| {
        let mut reader = world.changes::<B>();
        world.view_mut::<(&mut B, &A)>().par_for_each(|(_, b, a)| b.0 = a.0);
        world.advance(&mut reader);
        assert_eq!(reader.changed().len(), 3_000);
        world.view_mut::<Mut<B>>().par_for_each(|(_, mut b)| {
            if b.0.is_multiple_of(3) {
                b.0 += 3;
            }
        });
        world.advance(&mut reader);
        assert_eq!(reader.changed().len(), 1_000);
    });
}

#[test]
fn folds_are_equal_to_the_last_bit() {
    for count in [0, 1, 2, 15, 16, 17, 100, 1_000, 33_333] {
        let mut world = World::new();
        let mut random = Random(3);
        // The sum depends on the order in which it is formed.
        let value = |random: &mut Random| (random.next() % 1_000_000) as f32 * 1e-3;
        world.spawn_batch((0..count).map(|_| Position(value(&mut random))));
        let mut sums = Vec::new();
        everywhere(|| {
            let view = world.view::<Position>();
            let sum =
                view.par_fold(|| 0.0_f32, |sum, (_, position)| sum + position.0, |a, b| a + b);
            sums.push(sum.to_bits());
        });
        assert!(sums.iter().all(|sum| *sum == sums[0]), "{count}: {sums:?}");
        let exact: f64 = world.view::<Position>().iter().map(|(_, at)| f64::from(at.0)).sum();
        assert!((f64::from(f32::from_bits(sums[0])) - exact).abs() <= exact * 1e-5);
    }
}

#[test]
fn a_fold_combines_the_matches_from_first_to_last() {
    for count in [1, 3, 100, 1_000, 3_001] {
        let mut world = World::new();
        let entities = world.spawn_batch((0..count).map(|_| A(0)));
        let push = |mut list: Vec<Entity>, (entity, _)| {
            list.push(entity);
            list
        };
        assert_eq!(world.view::<A>().par_fold(Vec::new, push, append), entities);
    }
}

/// The test of the library without `std` has the same sum, so one thread without the feature has it, too.
#[test]
fn a_fold_is_the_same_without_the_feature() {
    let mut world = World::new();
    world.spawn_batch((0..10_000).map(|at| Position((at % 97) as f32 * 0.1)));
    everywhere(|| {
        let view = world.view::<Position>();
        let sum = view.par_fold(|| 0.0_f32, |sum, (_, position)| sum + position.0, |a, b| a + b);
        assert_eq!(sum.to_bits(), 0x473b_5866);
    });
}

#[test]
fn nothing_is_folded_to_the_identity() {
    let world = World::new();
    everywhere(|| {
        assert_eq!(world.view::<A>().par_fold(|| 5, |_, _| 6, |_, _| 7), 5);
        assert_eq!(world.view::<Entity>().par_fold(|| 5, |_, _| 6, |_, _| 7), 5);
    });
}

#[test]
fn loops_share_loops_inside() {
    let mut world = World::new();
    world.spawn_batch((0..60).map(|at| (A(at), Position(0.0))));
    everywhere(|| {
        let sum = || world.view::<A>().par_fold(|| 0, |sum, (_, a)| sum + a.0, |a, b| a + b);
        let met = AtomicU32::new(0);
        world.view::<Position>().par_for_each(|_| {
            assert_eq!((sum(), eagerly(sum)), (59 * 30, 59 * 30));
            met.fetch_add(1, Ordering::Relaxed);
        });
        assert_eq!(met.into_inner(), 60);
    });
}

#[test]
fn a_panic_reaches_the_caller_and_the_world_goes_on() {
    let mut world = World::new();
    world.spawn_batch((0..2_000).map(|at| (A(at), C(0))));
    everywhere(|| {
        let met = AtomicU32::new(0);
        let text = panics(|| {
            world.view_mut::<(&A, &mut C)>().par_for_each(|(_, a, c)| {
                met.fetch_add(1, Ordering::Relaxed);
                c.0 += 1;
                assert!(a.0 != 1_000, "a thousand");
            });
        });
        assert_eq!(text.as_deref(), Some("a thousand"));
        let written: u64 = world.view::<C>().iter().map(|(_, c)| c.0).sum();
        assert_eq!(written, u64::from(met.into_inner()), "all that was begun has ended");
        let view = world.view::<A>();
        let text =
            panics(|| view.par_fold(|| 0, |sum, (_, a)| sum + a.0, |_, _| panic!("combined")));
        assert_eq!(text.as_deref(), Some("combined"));
        world.view_mut::<&mut C>().par_for_each(|(_, c)| c.0 = 0);
        assert!(world.view::<C>().iter().all(|(_, c)| c.0 == 0));
        let last = world.spawn(A(0)).id();
        world.despawn(last).unwrap();
    });
}
