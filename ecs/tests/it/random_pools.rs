//! All that is public on sparse sets and pools, called at random beside a naive model: a list of
//! pairs. After each call the set is compared with the model and checked against itself.

use crate::fixtures::{Random, Tag, panics};
use ecs::{AnyComponent, Component, Entity, Group, Key, SparseSet, Storage, World};
use std::cell::Cell;
use std::fmt::Debug;

/// The number of calls a set of each kind is given.
const CALLS: usize = 6_000;
/// The models' pairs, in the order of the set.
type Pairs<K> = Vec<(K, u64)>;

/// The values of sets in the model: numbers. All values of a set of tags are 0.
struct Values<T, K: Key, S: Storage<T>> {
    make: fn(u64) -> T,
    read: fn(S::Ref<'_>) -> u64,
    write: fn(S::RefMut<'_>, u64),
    take: fn(T) -> u64,
    write_all: fn(S::SliceMut<'_>, u64),
    read_all: fn(S::Slice<'_>) -> Vec<u64>,
    /// The number of values that are alive, if that is counted.
    alive: fn() -> Option<usize>,
    /// Operations that only some kinds support.
    more: More<T, K, S>,
}

type More<T, K, S> = fn(&mut SparseSet<T, K, S>, &mut Pairs<K>, &mut Random, NewKey<K>);

/// A key, which may be a member's.
type NewKey<K> = fn(&mut Random) -> K;

/// The member with the index of `key`, of any generation.
fn at_index<K: Key>(pairs: &Pairs<K>, key: K) -> Option<usize> {
    pairs.iter().position(|(other, _)| other.index() == key.index())
}

fn insert<K: Key>(pairs: &mut Pairs<K>, key: K, value: u64) -> Option<u64> {
    if let Some(at) = at_index(pairs, key) {
        return Some(std::mem::replace(&mut pairs[at], (key, value)).1);
    }
    pairs.push((key, value));
    None
}

fn find<K: Key>(pairs: &Pairs<K>, key: K) -> Option<usize> {
    pairs.iter().position(|(other, _)| *other == key)
}

/// A member in three of four cases, if there are any.
fn some_key<K: Key>(pairs: &Pairs<K>, random: &mut Random, key: NewKey<K>) -> K {
    let is_stranger = pairs.is_empty() || random.below(4) == 0;
    if is_stranger { key(random) } else { pairs[random.below(pairs.len())].0 }
}

impl<T, K: Key, S: Storage<T>> Values<T, K, S> {
    /// One that a value can hold.
    fn number(&self, random: &mut Random) -> u64 {
        (self.take)((self.make)(random.next() % 50))
    }

    /// Makes one call. Returns `true` if the model has the order of the members then.
    #[expect(clippy::too_many_lines, reason = "a line or some for each call")]
    fn call(
        &self,
        set: &mut SparseSet<T, K, S>,
        pairs: &mut Pairs<K>,
        random: &mut Random,
        key: NewKey<K>,
    ) -> bool {
        let Self { make, read, write, take, .. } = *self;
        let number = self.number(random);
        let this = some_key(pairs, random, key);
        match random.below(24) {
            0..6 => {
                let new = key(random);
                let old = set.insert(new, make(number)).map(take);
                assert_eq!(old, insert(pairs, new, number));
            }
            6 => {
                let old = set.insert_with(this, || make(number)).map(take);
                assert_eq!(old, insert(pairs, this, number));
                assert!(panics(|| set.insert_with(key(random), || panic!("not made"))).is_some());
            }
            7..10 => {
                let removed = find(pairs, this).map(|at| pairs.swap_remove(at).1);
                assert_eq!(set.remove(this).map(take), removed);
            }
            10 => {
                let at = find(pairs, this);
                assert_eq!(
                    (set.contains(this), set.get(this).is_some()),
                    (at.is_some(), at.is_some())
                );
                if let (Some(value), Some(at)) = (set.get_mut(this), at) {
                    write(value, number);
                    pairs[at].1 = number;
                }
            }
            11 => {
                let other = some_key(pairs, random, key);
                if let (Some(a), Some(b)) = (find(pairs, this), find(pairs, other)) {
                    set.swap(this, other);
                    pairs.swap(a, b);
                } else {
                    let message = panics(|| set.swap(this, other)).unwrap();
                    assert!(message.contains("not a member"));
                }
            }
            12 => {
                // Some are kept; now and then the question ends in a panic.
                let (part, mut left) = (2 + random.next() % 7, random.below(400));
                let mut asked = Vec::new();
                let panicked = panics(|| {
                    set.retain(|key, value| {
                        assert!(left > 0, "enough");
                        left -= 1;
                        write(value, number);
                        asked.push(key);
                        !u64::from(key.index()).is_multiple_of(part)
                    });
                });
                for key in asked {
                    let at = find(pairs, key).expect("only members are asked for");
                    pairs[at].1 = number;
                    if u64::from(key.index()).is_multiple_of(part) {
                        pairs.swap_remove(at);
                    }
                }
                assert!(panicked.is_none() || left == 0);
            }
            13 if random.below(10) == 0 => {
                set.clear();
                pairs.clear();
            }
            13 if random.below(10) == 0 => {
                let mut drained = set.drain();
                let some = random.below(pairs.len() + 1);
                let first: Pairs<K> =
                    drained.by_ref().take(some).map(|(key, value)| (key, take(value))).collect();
                assert_eq!(first, pairs[..some]);
                assert!(set.is_empty());
                pairs.clear();
                set.insert(this, make(number)); // while the rest is not dropped
                pairs.push((this, number));
            }
            13 if random.below(10) == 0 => {
                let all = std::mem::take(set).into_iter();
                assert_eq!(
                    all.map(|(key, value)| (key, take(value))).collect::<Pairs<K>>(),
                    *pairs
                );
                pairs.clear();
            }
            13 | 14 => {
                set.reserve(random.below(100));
                assert!(panics(|| set.reserve(usize::MAX)).is_some() || size_of::<T>() == 0);
            }
            15 => {
                set.shrink_to_fit();
                assert_eq!(set.memory_usage().values, set.len() * size_of::<T>());
            }
            16 => {
                set.iter_mut().for_each(|(_, value)| write(value, number));
                pairs.iter_mut().for_each(|(_, value)| *value = number);
            }
            17 => {
                for ((_, value), at) in (&mut *set).into_iter().zip(0..) {
                    write(value, at % 50);
                }
                pairs.iter_mut().zip(0..).for_each(|(pair, at)| pair.1 = take(make(at % 50)));
            }
            18 => {
                (self.write_all)(set.as_mut_slice(), number);
                pairs.iter_mut().for_each(|(_, value)| *value = number);
            }
            19 => {
                let mut left = random.below(3_000);
                let panicked = panics(|| {
                    set.sort_by(|a, b| {
                        assert!(left > 0, "enough");
                        left -= 1;
                        read(a).cmp(&read(b))
                    });
                });
                if panicked.is_none() {
                    pairs.sort_by_key(|(_, value)| *value);
                }
            }
            20 => {
                set.sort_by_key(|value| std::cmp::Reverse(read(value)));
                pairs.sort_by_key(|(_, value)| std::cmp::Reverse(*value));
            }
            21 => {
                set.sort_unstable_by(|a, b| read(a).cmp(&read(b)));
                assert!((self.read_all)(set.as_slice()).is_sorted());
                return false;
            }
            22 => {
                let keys: Vec<K> =
                    (0..random.below(40)).map(|_| some_key(pairs, random, key)).collect();
                set.sort_as(&keys);
                let mut sorted = Vec::new();
                for key in keys {
                    sorted.extend(find(pairs, key).map(|at| pairs.remove(at)));
                }
                sorted.append(pairs);
                *pairs = sorted;
            }
            _ => (self.more)(set, pairs, random, key),
        }
        true
    }

    /// Compares all that can be read.
    fn compare(&self, set: &SparseSet<T, K, S>, pairs: &Pairs<K>, random: &mut Random)
    where
        K: Debug,
    {
        set.check_invariants();
        assert_eq!((set.len(), set.is_empty()), (pairs.len(), pairs.is_empty()));
        assert!(set.keys().iter().eq(pairs.iter().map(|(key, _)| key)));
        let numbers = || pairs.iter().map(|(_, value)| *value);
        assert!((self.read_all)(set.as_slice()).into_iter().eq(numbers()));
        let read = |(key, value): (K, S::Ref<'_>)| (key, (self.read)(value));
        assert!(set.iter().map(read).eq(pairs.iter().copied()));
        assert!(set.into_iter().map(read).eq(pairs.iter().copied()));
        if let Some((key, value)) = pairs.get(random.below(pairs.len().max(1))) {
            assert_eq!(set.get(*key).map(self.read), Some(*value));
        }
        assert!(set.memory_usage().values >= pairs.len() * size_of::<T>());
        assert!((self.alive)().is_none_or(|alive| alive == pairs.len()));
    }

    fn run(&self, seed: u64, key: NewKey<K>) {
        let (mut set, mut pairs) = (SparseSet::<T, K, S>::default(), Vec::new());
        let mut random = Random(seed);
        for _ in 0..CALLS {
            if !self.call(&mut set, &mut pairs, &mut random, key) {
                let sorted = |mut pairs: Pairs<K>| {
                    pairs.sort_by_key(|(key, value)| (key.bits(), *value));
                    pairs
                };
                let found: Pairs<K> =
                    set.iter().map(|(key, value)| (key, (self.read)(value))).collect();
                assert_eq!(sorted(found.clone()), sorted(pairs));
                pairs = found;
            }
            self.compare(&set, &pairs, &mut random);
            if pairs.len() > 300 {
                set.retain(|key, _| key.index().is_multiple_of(4));
                pairs = set.iter().map(|(key, value)| (key, (self.read)(value))).collect();
            }
        }
    }
}

/// Indices that crowd one page, with some in others.
fn index(random: &mut Random) -> u32 {
    let at = random.next();
    let crowded = u32::try_from(at % 250).unwrap();
    if (at >> 32).is_multiple_of(8) { crowded % 16 * 1_024 + crowded } else { crowded }
}

fn handle(random: &mut Random) -> Entity {
    let (index, generation) = (index(random), 1 + random.next() % 3);
    Entity::from_bits(generation << 32 | u64::from(index)).unwrap()
}

/// Clones, collects, extends and prints a set of numbers.
fn as_collections(
    set: &mut SparseSet<u64>,
    pairs: &mut Pairs<u32>,
    random: &mut Random,
    key: NewKey<u32>,
) {
    let more: Pairs<u32> = (0..random.below(20)).map(|at| (key(random), at as u64)).collect();
    let (most, mut given) = (random.below(30), 0);
    let counted = more.iter().copied().inspect(|_| {
        assert!(given < most, "enough");
        given += 1;
    });
    let panicked = panics(|| set.extend(counted)).is_some();
    assert_eq!(panicked, most < more.len());
    for (key, value) in more.into_iter().take(given) {
        insert(pairs, key, value);
    }
    let text: Vec<_> = pairs.iter().map(|(key, value)| format!("{key}: {value}")).collect();
    assert_eq!(format!("{set:?}"), format!("{{{}}}", text.join(", ")));
    *set = set.clone();
    let copy: SparseSet<u64> = pairs.iter().copied().collect();
    assert_eq!((copy.keys(), copy.as_slice()), (set.keys(), set.as_slice()));
}

#[test]
fn a_set_of_numbers_equals_its_model() {
    let values = Values::<u64, u32, Vec<u64>> {
        make: |number| number,
        read: |value| *value,
        write: |value, number| *value = number,
        take: |value| value,
        write_all: |values, number| values.fill(number),
        read_all: <[u64]>::to_vec,
        alive: || None,
        more: as_collections,
    };
    values.run(0x9E37_79B9_7F4A_7C15, index);
}

thread_local! {
    /// The number of [`Boxed`] of this test are alive.
    static ALIVE: Cell<usize> = const { Cell::new(0) };
}

#[derive(Component)]
struct Boxed(Box<u64>);

impl Boxed {
    fn new(number: u64) -> Self {
        ALIVE.set(ALIVE.get() + 1);
        Self(Box::new(number))
    }
}

impl Drop for Boxed {
    fn drop(&mut self) {
        ALIVE.set(ALIVE.get() - 1);
    }
}

#[test]
fn a_pool_of_dropped_values_equals_its_model() {
    let values = Values::<Boxed, Entity, Vec<Boxed>> {
        make: Boxed::new,
        read: |value| *value.0,
        write: |value, number| *value.0 = number,
        take: |value| *value.0,
        write_all: |values, number| values.iter_mut().for_each(|value| *value.0 = number),
        read_all: |values| values.iter().map(|value| *value.0).collect(),
        alive: || Some(ALIVE.get()),
        more: |_, _, _, _| {},
    };
    values.run(0xD1B5_4A32_D192_ED03, handle);
    assert_eq!(ALIVE.get(), 0);
}

#[derive(Component, Clone, Debug, PartialEq)]
#[component(layout = "soa")]
struct Split {
    number: u64,
    text: String,
    tag: (),
}

impl Split {
    fn new(number: u64) -> Self {
        Self { number, text: number.to_string(), tag: () }
    }

    fn number(self) -> u64 {
        assert_eq!(self.text, self.number.to_string(), "the columns are in step");
        self.number
    }
}

#[test]
fn a_pool_of_columns_equals_its_model() {
    let values = Values::<Split, Entity, <Split as AnyComponent>::Storage> {
        make: Split::new,
        read: |value| value.to_owned().number(),
        write: |mut value, number| value.set(Split::new(number)),
        take: Split::number,
        write_all: |values, number| {
            values.number.fill(number);
            values.text.fill(number.to_string());
        },
        read_all: |values| {
            assert!(values.number.iter().map(u64::to_string).eq(values.text.iter().cloned()));
            values.number.to_vec()
        },
        alive: || None,
        more: |_, _, _, _| {},
    };
    values.run(0x8CB9_2BA7_2F3D_8DD7, handle);
}

#[test]
fn a_pool_of_tags_equals_its_model() {
    let values = Values::<Tag, Entity, Vec<Tag>> {
        make: |_| Tag,
        read: |_| 0,
        write: |_, _| {},
        take: |_| 0,
        write_all: |_, _| {},
        read_all: |values| vec![0; values.len()],
        alive: || None,
        more: |_, _, _, _| {},
    };
    values.run(0xAAAA_AAAA_5555_5551, handle);
}

/// The pools of a world, beside a model of each.
struct Pools {
    world: World,
    splits: Pairs<Entity>,
    /// Owned by a group every other time.
    boxes: Pairs<Entity>,
}

impl Pools {
    /// One call of a pool of the world, or of the world.
    fn call(&mut self, random: &mut Random) {
        let Self { world, splits, boxes } = self;
        let number = random.next() % 50;
        let this = splits.get(random.below(splits.len().max(1))).map(|(entity, _)| *entity);
        match random.below(12) {
            0 | 1 => {
                let entity = world.spawn((Split::new(number), Boxed::new(number))).id();
                splits.push((entity, number));
                boxes.push((entity, number));
            }
            2 => splits.push((world.spawn(Split::new(number)).id(), number)),
            3 => {
                let Some(this) = this else { return };
                world.despawn(this).unwrap();
                for pairs in [splits, boxes] {
                    find(pairs, this).map(|at| pairs.swap_remove(at));
                }
            }
            4 => {
                let Some(this) = this else { return };
                assert_eq!(world.remove::<Boxed>(this).is_some(), find(boxes, this).is_some());
                find(boxes, this).map(|at| boxes.swap_remove(at));
            }
            5 => {
                let mut pool = world.pool_mut::<Split>();
                assert!(pool.keys().iter().eq(splits.iter().map(|(entity, _)| entity)));
                pool.iter_mut().for_each(|(_, mut value)| value.set(Split::new(number)));
                splits.iter_mut().for_each(|(_, value)| *value = number);
            }
            6 => {
                let Some(this) = this else { return };
                let mut pool = world.pool_mut::<Split>();
                pool.get_mut(this).unwrap().set(Split::new(number));
                splits.iter_mut().find(|(entity, _)| *entity == this).unwrap().1 = number;
            }
            7 => {
                let mut pool = world.pool_mut::<Split>();
                let values = pool.as_mut_slice();
                values.number.fill(number);
                values.text.fill(number.to_string());
                splits.iter_mut().for_each(|(_, value)| *value = number);
            }
            8 => {
                world.pool_mut::<Split>().shrink_to_fit();
                world.pool_mut::<Boxed>().shrink_to_fit();
            }
            9 => {
                let mut left = random.below(2_000);
                let mut pool = world.pool_mut::<Split>();
                let panicked = panics(|| {
                    pool.sort_by(|a, b| {
                        assert!(left > 0, "enough");
                        left -= 1;
                        a.number.cmp(b.number)
                    })
                });
                if panicked.is_none() {
                    splits.sort_by_key(|(_, value)| *value);
                }
            }
            10 => {
                world.pool_mut::<Split>().sort_by_key(|value| *value.number).unwrap();
                splits.sort_by_key(|(_, value)| *value);
                let is_owned = world.groups().next().is_some();
                let mut pool = world.pool_mut::<Boxed>();
                assert_eq!(pool.sort_by_key(|value| *value.0).is_err(), is_owned);
                let unstable = pool.sort_unstable_by(|a, b| a.0.cmp(&b.0));
                assert_eq!(
                    (unstable.is_err(), pool.sort_by(|a, b| a.0.cmp(&b.0)).is_err()),
                    (is_owned, is_owned)
                );
            }
            _ => {
                world.pool_mut::<Split>().sort_like::<Boxed>().unwrap();
                let order: Vec<Entity> = world.pool::<Boxed>().keys().to_vec();
                let mut sorted = Vec::new();
                for entity in order {
                    sorted.extend(find(splits, entity).map(|at| splits.remove(at)));
                }
                sorted.append(splits);
                *splits = sorted;
            }
        }
    }

    fn compare(&self) {
        self.world.check_invariants();
        let pool = self.world.pool::<Split>();
        let read = |(entity, value): (Entity, SplitRef<'_>)| (entity, value.to_owned().number());
        assert!(pool.iter().map(read).eq(self.splits.iter().copied()));
        let pool = self.world.pool::<Boxed>();
        assert_eq!(pool.len(), self.boxes.len());
        assert!(self.boxes.iter().all(|(entity, _)| pool.contains(*entity)));
        let is_right = |(entity, number): &(Entity, u64)| *pool.get(*entity).unwrap().0 == *number;
        assert!(self.boxes.iter().all(is_right));
    }
}

#[test]
fn pools_of_a_world_equal_their_models() {
    let mut random = Random(0x2545_F491_4F6C_DD1D);
    for round in 0..20 {
        let world = World::new();
        let mut pools = Pools { world, splits: Vec::new(), boxes: Vec::new() };
        if round % 2 == 0 {
            pools.world.declare_group(Group::owning::<Boxed>().with::<Split>()).unwrap();
        }
        for _ in 0..CALLS / 20 {
            pools.call(&mut random);
            pools.compare();
        }
    }
}
