//! Whichever call of user code panics, in whichever edit: the world is whole, no value is lost or
//! dropped twice.

use crate::fixtures::{Position, Random, panics};
use ecs::by_name::Kind;
use ecs::{Component, Entity, Group, World};
use std::cell::Cell;
use std::cmp::Ordering;

thread_local! {
    /// The number of calls of user code that succeed before one panics.
    static FUSE: Cell<usize> = const { Cell::new(usize::MAX) };
    /// The number of values there are.
    static ALIVE: Cell<isize> = const { Cell::new(0) };
}

/// A function that all user code calls.
fn tick() {
    if !std::thread::panicking() {
        let left = FUSE.get();
        FUSE.set(if left == 0 { usize::MAX } else { left - 1 });
        assert!(left > 0, "a mishap");
    }
}

#[derive(Debug)]
struct Value(Box<u64>);

impl Value {
    fn new() -> Self {
        ALIVE.set(ALIVE.get() + 1);
        Self(Box::new(7))
    }
}

impl Drop for Value {
    fn drop(&mut self) {
        assert_eq!(*self.0, 7, "dropped twice, or something else");
        ALIVE.set(ALIVE.get() - 1);
        tick();
    }
}

#[derive(Component)]
#[component(bit = 33)]
struct Plain(Value);

/// Has the bit of another.
#[derive(Component)]
#[component(bit = 33)]
struct Twin(Value);

#[derive(Component)]
#[component(layout = "soa")]
struct Pair {
    left: Value,
    right: Value,
}

#[derive(Component)]
#[repr(align(128))]
struct Aligned(Value);

#[derive(Component)]
struct Ghost;

impl Ghost {
    fn new() -> Self {
        ALIVE.set(ALIVE.get() + 1);
        Self
    }
}

impl Drop for Ghost {
    fn drop(&mut self) {
        ALIVE.set(ALIVE.get() - 1);
        tick();
    }
}

#[derive(Component)]
#[component(veto = Guarded::may_go)]
struct Guarded(u32, Value);

impl Guarded {
    fn may_go(&mut self) -> bool {
        tick();
        self.0 += 1;
        !self.0.is_multiple_of(3)
    }
}

fn pair() -> Pair {
    Pair { left: Value::new(), right: Value::new() }
}

struct Scene {
    world: World,
    /// Some are dead.
    entities: Vec<Entity>,
    random: Random,
}

impl Scene {
    fn any(&mut self) -> Entity {
        let at = self.random.below(self.entities.len());
        self.entities[at]
    }

    /// Some of them, neighbours or not, maybe some twice.
    fn some(&mut self) -> Vec<Entity> {
        let count = self.random.below(300);
        if self.random.below(2) == 0 {
            return (0..count).map(|_| self.any()).collect();
        }
        let from = self.random.below(self.entities.len());
        self.entities[from..].iter().copied().take(count).collect()
    }

    fn spawn(&mut self) {
        let (count, world) = (self.random.below(200), &mut self.world);
        let ticking = (0..count).map(|_| tick());
        match self.random.below(6) {
            0 => _ = world.spawn((Plain(Value::new()), pair(), Position(1.0))),
            1 => _ = world.spawn((Guarded(0, Value::new()), Ghost::new(), pair())),
            2 => _ = world.spawn_batch(ticking.map(|()| (Plain(Value::new()), pair()))),
            3 => {
                let aligned = |()| (pair(), Aligned(Value::new()), Plain(Value::new()));
                _ = world.spawn_batch(ticking.map(aligned));
            }
            4 => {
                let guarded = |()| (Ghost::new(), Guarded(1, Value::new()), Twin(Value::new()));
                _ = world.spawn_batch(ticking.map(guarded));
            }
            _ => _ = world.spawn_batch(ticking.map(|()| (Twin(Value::new()), Plain(Value::new())))),
        }
    }

    fn insert(&mut self) {
        let (one, some) = (self.any(), self.some());
        let ticking = some.into_iter().inspect(|_| tick());
        let world = &mut self.world;
        // The dead get nothing.
        match self.random.below(9) {
            0 => _ = world.insert(one, (Plain(Value::new()), Ghost::new())),
            1 => _ = world.insert(one, (pair(), Twin(Value::new()))),
            2 => _ = world.insert(one, (Aligned(Value::new()), Guarded(0, Value::new()))),
            3 => _ = world.insert_batch(ticking.map(|it| (it, Plain(Value::new())))),
            4 => _ = world.insert_batch(ticking.map(|it| (it, (pair(), Ghost::new())))),
            5 => _ = world.insert_batch(ticking.map(|it| (it, (Plain(Value::new()), pair())))),
            6 => _ = world.insert_batch(ticking.map(|it| (it, Twin(Value::new())))),
            7 => _ = world.insert_batch(ticking.map(|it| (it, Guarded(0, Value::new())))),
            _ => _ = world.insert_batch(ticking.map(|it| (it, (Aligned(Value::new()), pair())))),
        }
    }

    fn remove(&mut self) {
        let (one, some) = (self.any(), self.some());
        let world = &mut self.world;
        match self.random.below(10) {
            0 => drop(world.remove::<Plain>(one)),
            1 => drop(world.remove::<Pair>(one)),
            2 => drop(world.remove::<Guarded>(one)),
            3 => drop(world.remove::<Ghost>(one)),
            4 => _ = world.remove_batch::<Plain>(&some),
            5 => _ = world.remove_batch::<Pair>(&some),
            6 => _ = world.remove_batch::<Guarded>(&some),
            7 => _ = world.remove_batch::<Ghost>(&some),
            8 => _ = world.remove_batch::<Twin>(&some),
            _ => _ = world.remove_batch::<Aligned>(&some),
        }
    }

    fn end(&mut self) {
        let (one, some) = (self.any(), self.some());
        match self.random.below(20) {
            0 => self.world.clear(),
            1..12 => _ = self.world.despawn(one),
            _ => _ = self.world.despawn_batch(&some),
        }
    }

    fn group(&mut self) {
        let world = &mut self.world;
        // Some contradict existing ones.
        match self.random.below(7) {
            0 => _ = world.declare_group(Group::owning::<(Plain, Pair)>()),
            1 => _ = world.declare_group(Group::owning::<(Plain, Pair, Aligned)>()),
            2 => _ = world.declare_group(Group::owning::<(Ghost, Twin)>().with::<Guarded>()),
            3 => _ = world.declare_group(Group::owning::<Guarded>().without::<Plain>()),
            4 => _ = world.declare_group(Group::observing::<(Ghost, Pair)>()),
            _ => match self.random.below(5) {
                0 => _ = world.drop_group(Group::owning::<(Plain, Pair)>()),
                1 => _ = world.drop_group(Group::owning::<(Plain, Pair, Aligned)>()),
                2 => _ = world.drop_group(Group::owning::<(Ghost, Twin)>().with::<Guarded>()),
                3 => _ = world.drop_group(Group::owning::<Guarded>().without::<Plain>()),
                _ => _ = world.drop_group(Group::observing::<(Ghost, Pair)>()),
            },
        }
    }

    fn sort(&mut self) {
        let (world, mut lie) = (&mut self.world, Random(self.random.0));
        let mut compare = || {
            tick();
            [Ordering::Less, Ordering::Equal, Ordering::Greater][lie.below(3)]
        };
        match self.random.below(5) {
            0 => _ = world.pool_mut::<Pair>().sort_by(|_, _| compare()),
            1 => _ = world.pool_mut::<Aligned>().sort_unstable_by(|_, _| compare()),
            2 => _ = world.pool_mut::<Twin>().sort_like::<Ghost>(),
            3 => {
                if let Ok(mut group) = world.group_mut(Group::owning::<(Plain, Pair)>()) {
                    group.sort_by(|_, _| compare());
                }
            }
            _ => {
                if let Ok(mut group) = world.group_mut(Group::owning::<(Plain, Pair, Aligned)>()) {
                    group.sort_by(|_, _| compare());
                }
            }
        }
    }

    fn write(&mut self) {
        let (some, few) = (self.some(), [self.any(), self.any(), self.any()]);
        let ticking = some.iter().inspect(|_| tick());
        let world = &mut self.world;
        match self.random.below(6) {
            0 => world.view_mut::<(&mut Plain, &mut Pair)>().for_each(|(_, plain, pair)| {
                core::mem::swap(&mut plain.0, pair.left);
                *pair.right = Value::new();
            }),
            1 => {
                for (_, pair, ghost) in world.view_mut::<(&mut Pair, Option<&mut Ghost>)>() {
                    *pair.left = Value::new();
                    if let Some(ghost) = ghost {
                        *ghost = Ghost::new();
                    }
                }
            }
            2 => {
                let mut view = world.view_mut::<(&mut Pair, Option<&mut Plain>)>();
                view.for_each_many(ticking, |(_, pair, _)| *pair.left = Value::new());
            }
            3 => world.view_mut::<(&mut pair::left, &mut pair::right)>().for_each_chunk(
                |(_, left, right)| {
                    tick();
                    left.swap_with_slice(right);
                    left[0] = Value::new();
                },
            ),
            4 => {
                if let Ok(items) = world.view_mut::<&mut Plain>().get_disjoint_mut(few) {
                    items.into_iter().for_each(|(_, plain)| plain.0 = Value::new());
                }
            }
            _ => _ = world.patch::<Plain>(few[0], |plain| plain.0 = Value::new()),
        }
    }

    fn step(&mut self) {
        match self.random.below(13) {
            0 | 1 => self.spawn(),
            2..5 => self.insert(),
            5..7 => self.remove(),
            7 | 8 => self.end(),
            9 => self.group(),
            10 => self.sort(),
            _ => self.write(),
        }
    }

    fn check(&self) {
        self.world.check_invariants();
        let count = |kind: Kind| match (kind.name(), self.world.kind_entities(kind).len()) {
            ("Position", _) => 0,
            ("Pair", len) => 2 * len,
            (_, len) => len,
        };
        let held: usize = self.world.kinds().map(count).sum();
        assert_eq!(ALIVE.get(), held.cast_signed(), "values are lost, or dropped twice");
    }
}

#[test]
fn at_any_call_of_user_code() {
    let mut mishaps = 0;
    for seed in 1..=6 {
        let random = Random(0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(seed));
        let mut scene = Scene { world: World::new(), entities: Vec::new(), random };
        for _ in 0..300 {
            scene
                .entities
                .extend((scene.entities.len() < 400).then(|| scene.world.spawn_empty().id()));
            if scene.random.below(8) == 0 {
                scene.entities = scene.world.entities().chain(scene.entities.pop()).collect();
            }
            let fuse = [2, 20, 200, usize::MAX][scene.random.below(4)];
            FUSE.set(scene.random.below(fuse));
            let mishap = panics(|| scene.step());
            FUSE.set(usize::MAX);
            let words = mishap.as_deref().unwrap_or("a mishap");
            assert!(words == "a mishap" || words.contains("a total order"), "{words}");
            mishaps += usize::from(mishap.is_some());
            scene.check();
        }
        FUSE.set(scene.random.below(100));
        let _ = panics(|| drop(scene.world));
        FUSE.set(usize::MAX);
        assert_eq!(ALIVE.get(), 0);
    }
    assert!(mishaps > 420, "{mishaps}");
}
