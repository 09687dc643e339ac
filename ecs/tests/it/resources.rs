use crate::fixtures::{Position, Velocity, panics};
use ecs::copies::Copies;
use ecs::{Component, CopyError, NonSend, Res, ResMut, Resource, View, Views, World};
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

#[derive(Resource, Clone, Debug, PartialEq)]
#[resource(clone)]
struct Score(u32);
#[derive(Resource, Debug, Default, PartialEq)]
#[resource(clone = skip)]
struct Limit(u32);
#[derive(Resource, Debug, PartialEq)]
struct Stock<T>(T);
/// Both, and with one name.
#[derive(Component, Resource, Debug, PartialEq)]
struct Both(u32);
/// Counts how often it is dropped.
#[derive(Resource)]
struct Counted(Arc<AtomicUsize>);

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

#[test]
fn there_is_one_value_a_type() {
    let mut world = World::new();
    assert_eq!(world.get_resource::<Score>(), None);
    assert_eq!(world.get_resource_mut::<Score>(), None);
    assert_eq!(world.remove_resource::<Score>(), None);
    assert_eq!(world.insert_resource(Limit(9)), None);
    assert_eq!(world.insert_resource(Score(3)), None);
    assert_eq!(world.insert_resource(Score(4)), Some(Score(3)));
    world.resource_mut::<Score>().0 += 1;
    world.get_resource_mut::<Score>().unwrap().0 += 1;
    assert_eq!((world.resource::<Score>(), world.resource::<Limit>()), (&Score(6), &Limit(9)));
    assert_eq!(world.remove_resource(), Some(Score(6)));
    assert_eq!(world.get_resource::<Score>(), None);
    assert_eq!(world.resource_or_insert_with(|| Score(1)), &Score(1));
    assert_eq!(world.resource_or_insert_with::<Score>(|| unreachable!()), &Score(1));
}

#[test]
fn a_version_grows_when_a_resource_may_have_changed() {
    let mut world = World::new();
    let mut seen = 0;
    let mut counts = |world: &World| {
        let before = std::mem::replace(&mut seen, world.resource_version::<Score>());
        if before == 0 { u64::from(seen > 0) } else { seen - before }
    };
    assert_eq!(counts(&world), 0);
    world.remove_resource::<Score>();
    assert!(world.get_resource_mut::<Score>().is_none());
    assert_eq!(counts(&world), 0, "there was none");
    world.insert_resource(Score(1));
    assert_eq!(counts(&world), 1);
    world.insert_resource(Score(2));
    assert_eq!(counts(&world), 1, "another one");
    world.insert_resource(Limit(2));
    assert_eq!(world.resource::<Score>(), &Score(2));
    let _ = world.split_mut::<(Res<Score>, ResMut<Limit>)>();
    world.run(|score: &Score| assert_eq!(score.0, 2));
    assert_eq!(counts(&world), 0, "read, beside one that is changed");
    world.resource_mut::<Score>().0 += 1;
    assert_eq!(counts(&world), 1);
    let _ = world.split_mut::<(ResMut<Score>, Option<Res<Limit>>)>();
    assert_eq!(counts(&world), 1, "lent beside others");
    world.run(|score: &mut Score| score.0 += 1);
    assert_eq!(counts(&world), 1, "lent to a system");
    world.resource_scope(|world: &mut World, _: &mut Score| assert_eq!(counts(world), 0));
    assert_eq!(counts(&world), 1, "back from a scope");
    let copy = world.try_clone().unwrap();
    assert_eq!(counts(&world), 0, "was copied");
    world.copy_from(&copy).unwrap();
    assert_eq!(counts(&world), 1, "became a copy");
    world.remove_resource::<Score>();
    assert_eq!(counts(&world), 1, "gone");
    world.insert_resource(Score(3));
    assert_eq!(counts(&world), 1, "there again");
}

#[test]
fn instances_of_a_generic_type_and_components_are_apart() {
    let mut world = World::new();
    world.insert_resource(Stock(1_u8));
    world.insert_resource(Stock('a'));
    assert_eq!(world.resource::<Stock<u8>>(), &Stock(1));
    assert_eq!(world.resource::<Stock<char>>(), &Stock('a'));

    let entity = world.spawn(Both(1)).id();
    assert_eq!(world.get_resource::<Both>(), None);
    world.insert_resource(Both(2));
    let (boths, both) = world.split_mut::<(&mut Both, ResMut<Both>)>();
    std::mem::swap(boths.single().unwrap().1, both);
    assert_eq!((world.get::<Both>(entity), world.resource()), (Some(&Both(2)), &Both(1)));
}

#[test]
fn missing_resources_are_named() {
    let mut world = World::new();
    let none = "there is no resource `Score`: give the world one by `World::insert_resource`";
    assert_eq!(panics(|| world.resource::<Score>().clone()).unwrap(), none);
    assert_eq!(panics(|| world.resource_mut::<Score>().clone()).unwrap(), none);
    assert_eq!(panics(|| world.resource_scope::<Score, _>(|_, _| ())).unwrap(), none);
    let in_split = none.replace("`Score`", "`Score` for member `0` of the split");
    assert_eq!(panics(|| world.split_mut::<(Res<Score>,)>().0.clone()).unwrap(), in_split);
    world.insert_resource(Limit(1));
    assert_eq!(panics(|| world.split_mut::<(ResMut<Score>, Res<Limit>)>().1.0).unwrap(), in_split);
    assert_eq!(world.split_mut::<(Option<ResMut<Score>>, Option<Res<Limit>>)>().1, Some(&Limit(1)));
}

#[test]
fn resources_outlive_entities_and_end_with_their_world() {
    let drops = Arc::new(AtomicUsize::new(0));
    let mut world = World::new();
    world.insert_resource(Counted(drops.clone()));
    world.spawn_empty();
    world.clear();
    assert_eq!(drops.load(Ordering::Relaxed), 0);
    drop(world.insert_resource(Counted(drops.clone())));
    assert_eq!(drops.load(Ordering::Relaxed), 1);
    drop(world);
    assert_eq!(drops.load(Ordering::Relaxed), 2);
}

#[test]
fn they_are_counted_and_shown() {
    let mut world = World::new();
    assert_eq!(world.memory_usage().resources, 0);
    world.insert_resource(Score(3));
    let with_one = world.memory_usage();
    assert!(with_one.resources > 4 && with_one.total() == with_one.resources);
    world.insert_resource(Stock([0_u8; 1000]));
    assert!(world.memory_usage().resources >= with_one.resources + 1000);
    let shown = format!("{world:?}");
    assert!(shown.contains("\"Score\"") && shown.contains("\"Stock\""), "{shown}");
}

#[test]
fn a_split_borrows_resources_beside_views() {
    let mut world = World::new();
    world.spawn((Position(1.0), Velocity(2.0)));
    world.insert_resource(Score(0));
    world.insert_resource(Limit(5));
    let (limit, mut moving, again, score, none) = world.split_mut::<(
        Res<Limit>,
        (&mut Position, &Velocity),
        Option<Res<Limit>>,
        ResMut<Score>,
        Option<ResMut<Stock<u8>>>,
    )>();
    for (_, position, velocity) in &mut moving {
        position.0 += velocity.0;
        score.0 += limit.0;
    }
    assert_eq!((limit, again, none), (&Limit(5), Some(&Limit(5)), None));
    assert_eq!(world.resource::<Score>(), &Score(5));
}

#[derive(Resource, Debug, PartialEq)]
struct Nth<const N: usize>(usize);

/// Whichever numbers the types have, and in whichever order they are asked for.
#[test]
fn any_choice_of_resources_is_lent() {
    fn check<const A: usize, const B: usize>(world: &mut World) {
        let (a, none, b, again) =
            world.split_mut::<(Res<Nth<A>>, Option<Res<Nth<100>>>, Res<Nth<B>>, Res<Nth<A>>)>();
        assert_eq!((a.0, none, b.0, again.0), (A, None, B, A));
        if A != B {
            let (a, b) = world.split_mut::<(ResMut<Nth<A>>, Option<ResMut<Nth<B>>>)>();
            std::mem::swap(&mut a.0, &mut b.unwrap().0);
            let (b, a) = world.split_mut::<(ResMut<Nth<B>>, ResMut<Nth<A>>)>();
            std::mem::swap(&mut a.0, &mut b.0);
        }
    }
    let mut world = World::new();
    macro_rules! pairs {
        ($($at:literal)*) => {
            $(world.insert_resource(Nth::<$at>($at));)*
            $(pairs!(@of $at 0 1 2 3 4 5);)*
        };
        (@of $a:literal $($b:literal)*) => { $(check::<$a, $b>(&mut world);)* };
    }
    pairs!(5 3 0 1 4 2);
}

#[derive(Views)]
struct Frame<'w> {
    moving: View<'w, (&'w mut Position, &'w Velocity)>,
    limit: &'w Limit,
    score: &'w mut Score,
    stock: Option<&'w Stock<u8>>,
    other: Option<&'w mut Stock<char>>,
}

#[test]
fn a_struct_of_views_has_resources_as_fields() {
    let mut world = World::new();
    world.spawn((Position(1.0), Velocity(2.0)));
    world.insert_resource(Score(0));
    world.insert_resource(Limit(5));
    world.insert_resource(Stock('a'));
    let Frame { moving, limit, score, stock, other } = world.split_mut::<Frame>();
    score.0 += limit.0;
    assert_eq!((moving.count(), stock), (1, None));
    other.unwrap().0 = 'b';
    assert_eq!((world.resource(), world.resource()), (&Score(5), &Stock('b')));
}

#[test]
fn generic_resources_are_compared_when_the_world_is_split() {
    let mut world = World::new();
    world.insert_resource(Stock(1_u8));
    world.insert_resource(Stock(2_u16));
    let (a, b) = world.split_mut::<(ResMut<Stock<u8>>, ResMut<Stock<u16>>)>();
    assert_eq!((a.0, b.0), (1, 2));
    let message = panics(|| world.split_mut::<(ResMut<Stock<u8>>, Res<Stock<u8>>)>().1.0).unwrap();
    assert_eq!(
        message,
        "resource `1` of the split reads `Stock<u8>`, which resource `0` writes: ask for each resource once"
    );
}

#[test]
fn a_scope_has_the_world_and_the_resource() {
    let mut world = World::new();
    world.insert_resource(Score(3));
    world.insert_resource(Limit(1));
    let count = world.resource_scope::<Score, _>(|world, score| {
        world.spawn_batch((0..score.0).map(|_| Velocity(1.0)));
        score.0 = 7;
        assert_eq!(world.get_resource::<Score>(), None);
        world.resource_scope::<Limit, _>(|_, limit| limit.0 += score.0);
        world.len()
    });
    assert_eq!(
        (count, world.resource::<Score>(), world.resource::<Limit>()),
        (3, &Score(7), &Limit(8))
    );
}

#[test]
fn a_lent_resource_is_not_mistaken_for_none() {
    let mut world = World::new();
    world.insert_resource(Score(3));
    let message = "there is no resource `Score`: it is lent by `World::resource_scope`, use the reference there";
    let wrong: [fn(&mut World); 7] = [
        |world| _ = world.insert_resource(Score(9)),
        |world| _ = world.remove_resource::<Score>(),
        |world| _ = world.resource::<Score>(),
        |world| _ = world.resource_mut::<Score>(),
        |world| _ = world.resource_or_insert_with(|| Score(9)),
        |world| world.resource_scope::<Score, _>(|_, _| ()),
        |world| _ = world.split_mut::<(ResMut<Score>,)>(),
    ];
    for wrong in wrong {
        world.resource_scope::<Score, _>(|world, _| {
            let said = panics(|| wrong(world)).unwrap();
            assert_eq!(said.replace(" for member `0` of the split", ""), message);
            assert_eq!(world.split_mut::<(Option<Res<Score>>,)>().0, None);
        });
        assert_eq!(world.resource::<Score>(), &Score(3));
    }
}

#[test]
fn a_panic_in_a_scope_leaves_the_resource() {
    let mut world = World::new();
    world.insert_resource(Score(3));
    let message = panics(|| {
        world.resource_scope::<Score, ()>(|_, score| {
            score.0 = 4;
            panic!("in the scope")
        });
    });
    assert_eq!(message.unwrap(), "in the scope");
    assert_eq!(world.resource::<Score>(), &Score(4));
}

#[test]
fn a_scope_may_replace_the_world() {
    let mut world = World::new();
    world.insert_resource(Score(3));
    world.resource_scope::<Score, _>(|world, score| {
        score.0 = 4;
        *world = World::new();
    });
    assert_eq!(world.resource::<Score>(), &Score(4));
    world.resource_scope::<Score, _>(|world, _| {
        *world = World::new();
        world.insert_resource(Score(9));
    });
    assert_eq!(world.resource::<Score>(), &Score(9));
}

#[test]
fn a_world_that_is_taken_out_of_a_scope_may_have_the_resource_again() {
    let mut world = World::new();
    world.insert_resource(Score(3));
    let edits: [fn(&mut World); 5] = [
        |world| assert_eq!(world.insert_resource(Score(1)), None),
        |world| assert_eq!(world.remove_resource::<Score>(), None),
        |world| assert_eq!(world.resource_or_insert_with(|| Score(1)), &Score(1)),
        |world| {
            let message = panics(|| world.resource::<Score>().clone()).unwrap();
            assert!(message.ends_with("give the world one by `World::insert_resource`"));
        },
        |world| {
            let mut other = World::new();
            other.insert_resource(Score(7));
            world.copy_from(&other).unwrap();
            assert_eq!(world.resource::<Score>(), &Score(7));
        },
    ];
    for edit in edits {
        let mut out = world.resource_scope::<Score, _>(|world, _| {
            let mut out = std::mem::take(world);
            let lent = panics(|| _ = out.insert_resource(Score(9))).unwrap();
            assert!(lent.contains("it is lent"), "{lent}");
            out
        });
        assert_eq!(world.resource::<Score>(), &Score(3), "it went on");
        edit(&mut out);
        out.insert_resource(Score(8));
        out.resource_scope::<Score, _>(|_, score| score.0 += 1);
        assert_eq!(out.resource::<Score>(), &Score(9));
    }
}

#[test]
fn constructors_of_resources_may_panic() {
    let mut world = World::new();
    let message = panics(|| _ = world.resource_or_insert_with(|| -> Score { panic!("no score") }));
    assert_eq!(message.unwrap(), "no score");
    assert_eq!(world.get_resource::<Score>(), None);
}

/// A window that lives on one thread.
#[derive(Resource, Component)]
struct Window(NonSend<Rc<Cell<u32>>>);

#[test]
fn values_that_are_not_send_stay_on_their_thread() {
    let frames = Rc::new(Cell::new(0));
    let mut world = World::new();
    world.insert_resource(Window(NonSend::new(frames.clone())));
    let entity = world.spawn(Window(NonSend::new(frames.clone()))).id();
    world.resource::<Window>().0.get().set(1);
    world.get::<Window>(entity).unwrap().0.get().set(2);
    assert_eq!(frames.get(), 2);
    thread::scope(|scope| {
        let elsewhere = scope.spawn(|| {
            let window = world.resource::<Window>();
            assert!(window.0.try_get().is_err());
            panics(|| drop(window.0.get())).unwrap()
        });
        assert_eq!(
            elsewhere.join().unwrap(),
            "the value of a `NonSend<alloc::rc::Rc<core::cell::Cell<u32>>>` was asked for on another thread than the \
             one that made it: use it there, and run there the schedule whose systems use it"
        );
    });
    let Window(window) = world.remove_resource().unwrap();
    let elsewhere = || window.into_inner().unwrap_err();
    let window = thread::scope(|scope| scope.spawn(elsewhere).join().unwrap());
    assert_eq!(window.into_inner().unwrap(), frames);
    drop(world);
    assert_eq!(Rc::strong_count(&frames), 1);
}

#[test]
fn values_dropped_elsewhere_end_on_their_own_thread() {
    let value = Rc::new(Cell::new(0));
    let mut world = World::new();
    world.insert_resource(Window(NonSend::new(value.clone())));
    thread::scope(|scope| scope.spawn(|| drop(world)).join().unwrap());
    assert_eq!(Rc::strong_count(&value), 2);
    let next = NonSend::new(());
    assert_eq!(Rc::strong_count(&value), 1);
    thread::scope(|scope| scope.spawn(|| drop(next)).join().unwrap());

    // A value that outlives its thread is gone with it.
    let orphan = thread::spawn(|| NonSend::new(Counted(Arc::default()))).join().unwrap();
    assert!(orphan.try_get().is_err());
}

#[test]
fn values_that_are_not_send_nest_and_panic() {
    let mut outer = NonSend::new(vec![NonSend::new(1), NonSend::new(2)]);
    let sum = outer.get().iter().map(|one| *one.get()).sum::<i32>();
    assert_eq!(sum, 3);
    outer.get_mut().push(NonSend::new(sum));
    let caught = catch_unwind(AssertUnwindSafe(|| {
        let mut inner = outer.get_mut();
        inner.pop();
        panic!("while it is changed")
    }));
    assert!(caught.is_err());
    assert_eq!(outer.get().len(), 2);
    thread::spawn(|| {
        let outer = NonSend::new(vec![NonSend::new(1)]);
        assert_eq!(outer.get().len(), 1); // both end with the thread
        let _ = std::mem::ManuallyDrop::new(outer);
    })
    .join()
    .unwrap();
}

#[test]
fn worlds_with_such_values_are_send_and_sync() {
    fn is_send_sync<T: Send + Sync>() {}
    is_send_sync::<NonSend<Rc<Cell<u32>>>>();
    is_send_sync::<World>();
}

#[test]
fn copy_from_within_a_resource_scope_keeps_a_borrowed_resource_that_stays() {
    #[derive(Resource, Clone, Debug, PartialEq)]
    #[resource(clone)]
    struct Kept(u32);
    let (mut world, mut other) = (World::new(), World::new());
    world.insert_resource(Kept(1));
    other.insert_resource(Kept(2));
    world.resource_scope::<Kept, _>(|world, kept| {
        assert_eq!(world.copy_from(&other), Err(CopyError::ResourcesLent(vec!["Kept"])));
        world.copy_from_by(&Copies::default().leave_out_resource::<Kept>(), &other).unwrap();
        assert_eq!(world.get_resource::<Kept>(), None);
        kept.0 += 10;
    });
    assert_eq!(world.get_resource::<Kept>(), Some(&Kept(11)));
    // After a scope that replaced the world, the resource is copied as usual.
    world.resource_scope::<Kept, _>(|world, _| *world = World::new());
    assert_eq!(world.get_resource::<Kept>(), Some(&Kept(11)));
    world.copy_from(&other).unwrap();
    assert_eq!(world.get_resource::<Kept>(), Some(&Kept(2)));
}

/// Writes its name when it is dropped.
#[derive(Resource, Clone)]
#[resource(clone)]
struct Ends<const NUMBER: usize>(Arc<Mutex<Vec<usize>>>);

impl<const NUMBER: usize> Drop for Ends<NUMBER> {
    fn drop(&mut self) {
        self.0.lock().unwrap().push(NUMBER);
    }
}

/// Another order of first use in the process, here and in a world that is copied, has no effect.
#[test]
fn resources_are_dropped_in_the_reverse_order_of_their_insertion() {
    let log = Arc::new(Mutex::new(Vec::new()));
    let ended = || std::mem::take(&mut *log.lock().unwrap());
    for order in [[3, 1, 2], [1, 2, 3], [2, 3, 1]] {
        let mut world = World::new();
        for number in order {
            match number {
                1 => drop(world.insert_resource(Ends::<1>(log.clone()))),
                2 => drop(world.insert_resource(Ends::<2>(log.clone()))),
                _ => drop(world.insert_resource(Ends::<3>(log.clone()))),
            }
        }
        let mut copy = world.try_clone().unwrap();
        drop(world.remove_resource::<Ends<3>>());
        assert_eq!(ended(), [3]);
        let [a, b] = if order[0] == 2 { [1, 2] } else { [2, 1] };
        world.resource_scope::<Ends<1>, _>(|_, _| ()); // keeps its turn
        drop(world);
        assert_eq!(ended(), [a, b]);

        let reverse = [order[2], order[1], order[0]];
        let mut other = World::new();
        other.insert_resource(Ends::<2>(log.clone()));
        other.copy_from(&copy).unwrap();
        assert_eq!(ended(), [2]);
        drop(other);
        assert_eq!(ended(), reverse);
        // One that replaces another one is the last.
        drop(copy.insert_resource(Ends::<2>(log.clone())));
        assert_eq!(ended(), [2]);
        drop(copy);
        assert_eq!(ended()[0], 2);
    }
}

/// Each copy adds the turns of both worlds: without an end to that, they overflow after 45 rounds.
#[test]
fn worlds_that_are_copied_to_and_fro_keep_the_order_of_their_resources() {
    let log = Arc::new(Mutex::new(Vec::new()));
    let mut world = World::new();
    world.insert_resource(Ends::<2>(log.clone()));
    world.insert_resource(Ends::<1>(log.clone()));
    let mut saved = World::new();
    for _ in 0..100 {
        saved.copy_from(&world).unwrap();
        world.copy_from(&saved).unwrap();
    }
    drop(saved);
    log.lock().unwrap().clear();
    drop(world);
    assert_eq!(*log.lock().unwrap(), [1, 2]);
}
