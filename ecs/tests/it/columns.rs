//! Components that are stored in columns.

use crate::fixtures::{Ledger, Position, Tracked, Velocity, panics};
use ecs::{Component, Entity, Query, World};

#[derive(Component, Clone, Debug, Default, PartialEq)]
#[component(layout = "soa")]
struct Proximity {
    distance: f32,
    angle: f32,
    label: String,
}

fn near(at: f32) -> Proximity {
    Proximity { distance: at, angle: at + 0.5, label: at.to_string() }
}

#[test]
fn values_come_and_go() {
    let mut world = World::new();
    let entity = world.spawn((near(1.0), Position(2.0))).id();
    let other = world.spawn(near(3.0)).id();
    let seen = world.get::<Proximity>(entity).unwrap();
    assert_eq!((*seen.distance, *seen.angle, seen.label.as_str()), (1.0, 1.5, "1"));
    assert_eq!(seen.to_owned(), near(1.0));
    *world.get_mut::<Proximity>(entity).unwrap().distance = 9.0;
    world.get_mut::<Proximity>(other).unwrap().set(near(5.0));
    assert_eq!(world.remove::<Proximity>(entity).unwrap().distance, 9.0);
    assert_eq!(world.remove::<Proximity>(other), Some(near(5.0)));
    world.check_invariants();
}

#[derive(Query)]
struct Near<'w> {
    entity: Entity,
    proximity: ProximityRef<'w>,
    position: &'w mut Position,
}

#[derive(Query)]
struct Columns<'w> {
    #[query(column = proximity::distance)]
    distance: &'w mut f32,
    #[query(column = proximity::angle)]
    angle: Option<&'w f32>,
    label: Labels<'w>,
}

#[derive(Query)]
struct Labels<'w>(#[query(column = proximity::label)] &'w mut String);

#[test]
fn queries_borrow_components_and_columns() {
    let mut world = World::new();
    let entities = world.spawn_batch((0..10).map(|at| (near(at as f32), Position(0.0))));
    for near in world.view_mut::<Near>() {
        near.position.0 = *near.proximity.distance + near.entity.index() as f32;
    }
    assert_eq!(world.get::<Position>(entities[7]), Some(&Position(14.0)));
    for (_, distance, angle) in
        world.view_mut::<(&mut proximity::distance, &proximity::angle)>().with::<Position>()
    {
        *distance += *angle;
    }
    for Columns { distance, angle, label } in world.view_mut::<Columns>() {
        *distance *= *angle.unwrap();
        label.0.push('!');
    }
    let seen = world.get::<Proximity>(entities[1]).unwrap();
    assert_eq!((*seen.distance, *seen.angle, seen.label.as_str()), (3.75, 1.5, "1!"));
    let views = world.split_mut::<(&mut proximity::distance, (&mut proximity::label, Position))>();
    assert_eq!((views.0.count(), views.1.count()), (10, 10));
    let mut chunks = 0;
    world.view_mut::<(&mut proximity::distance, Option<&proximity::angle>)>().for_each_chunk(
        |(entities, distance, angle): (&[Entity], &mut [f32], Option<&[f32]>)| {
            assert!(entities.len() == 10 && angle.unwrap().len() == 10);
            distance.fill(1.0);
            chunks += 1;
        },
    );
    assert_eq!(chunks, 1);
    world.view_mut::<&mut Proximity>().for_each_chunk(|(_, slices)| {
        assert_eq!(slices.distance, [1.0; 10]);
        slices.label[3].clear();
    });
    assert_eq!(world.view::<proximity::label>().iter().filter(|(_, it)| it.is_empty()).count(), 1);
    assert_eq!(world.view::<(Proximity, &proximity::label)>().count(), 10);
}

/// The number in each column says which value it is of.
#[derive(Component)]
#[component(layout = "soa")]
struct Row {
    key: u64,
    first: Tracked,
    again: u32,
    second: Tracked,
    nothing: (),
    last: Box<u64>,
}

fn row(key: u64, ledger: &Ledger) -> Row {
    let (first, second) = (ledger.tracked(), ledger.tracked());
    Row { key, first, again: u32::try_from(key).unwrap(), second, nothing: (), last: Box::new(key) }
}

/// Every column speaks of the same values, and of `alive` of them.
fn check(world: &World, ledger: &Ledger, alive: usize) {
    world.check_invariants();
    let pool = world.pool::<Row>();
    let slices = pool.as_slice();
    assert_eq!((pool.len(), slices.key.len(), slices.first.len()), (alive, alive, alive));
    assert_eq!((slices.again.len(), slices.second.len()), (alive, alive));
    assert_eq!((slices.nothing.len(), slices.last.len()), (alive, alive));
    assert_eq!(ledger.alive(), 2 * isize::try_from(alive).unwrap());
    for (entity, row) in pool {
        assert_eq!((u64::from(*row.again), **row.last), (*row.key, *row.key), "{entity}");
        assert_eq!((*row.first.value, *row.second.value), (7, 7));
        assert_eq!(world.get::<Row>(entity).map(|it| *it.key), Some(*row.key));
    }
}

#[test]
fn columns_stay_in_step() {
    let (mut world, ledger) = (World::new(), Ledger::default());
    let entities = world.spawn_batch((0..100).map(|key| (row(key, &ledger), Velocity(0.0))));
    check(&world, &ledger, 100);
    for at in [0, 99, 50, 98, 1] {
        assert_eq!(world.remove::<Row>(entities[at]).unwrap().key, at as u64);
    }
    assert!(world.remove::<Row>(entities[0]).is_none());
    check(&world, &ledger, 95);
    world.insert(entities[2], row(1000, &ledger)).unwrap();
    world.insert(entities[0], row(1001, &ledger)).unwrap();
    check(&world, &ledger, 96);
    world.despawn(entities[3]).unwrap();
    world.entity_mut(entities[4]).remove::<Row>();
    assert!(world.patch::<Row>(entities[5], |mut it| it.set(row(1002, &ledger))));
    check(&world, &ledger, 94);
    let [a, b] = [6, 7].map(|at| entities[at]);
    let mut view = world.view_mut::<&mut Row>();
    let [(_, mut x), (_, y)] = view.get_disjoint_mut([a, b]).unwrap();
    core::mem::swap(x.reborrow().key, y.key);
    core::mem::swap(x.again, y.again);
    core::mem::swap(x.last, y.last);
    assert_eq!(*x.key, 7);
    check(&world, &ledger, 94);
    let mut pool = world.pool_mut::<Row>();
    pool.iter_mut().for_each(|(_, it)| *it.first.value = 7);
    pool.as_mut_slice().second.iter_mut().for_each(|it| *it.value = 7);
    pool.shrink_to_fit();
    check(&world, &ledger, 94);
    world.clear();
    check(&world, &ledger, 0);
    assert!(world.pool::<Row>().as_slice().last.is_empty());
}

/// All that the sparse set alone can do.
#[test]
fn sets_of_columns() {
    let ledger = Ledger::default();
    let mut world = World::new();
    let entities: Vec<_> = (0..50).map(|_| world.spawn_empty().id()).collect();
    let mut set = ecs::EntityMap::<Row>::default();
    for (key, entity) in (0..).zip(&entities) {
        assert!(set.insert_with(*entity, || row(key * 7919 % 50, &ledger)).is_none());
    }
    let in_step = |set: &ecs::EntityMap<Row>| {
        set.iter().all(|(_, it)| (u64::from(*it.again), **it.last) == (*it.key, *it.key))
    };
    set.sort_by(|a, b| a.key.cmp(b.key));
    assert!(in_step(&set) && set.as_slice().key.is_sorted());
    let expected: Vec<_> =
        (0..50).zip(&entities).map(|(key, entity)| (*entity, key * 7919 % 50)).collect();
    assert!(expected.iter().all(|(entity, key)| set.get(*entity).unwrap().key == key));
    let mut left = 20;
    let message = panics(|| {
        set.sort_by(|a, b| {
            left -= 1;
            assert!(left > 0, "enough");
            b.key.cmp(a.key)
        });
    });
    assert_eq!(message.as_deref(), Some("enough"));
    assert!(in_step(&set) && set.as_slice().key.is_sorted(), "as it was");
    set.swap(entities[0], entities[1]);
    assert!(in_step(&set));
    set.retain(|_, it| *it.key % 3 == 0);
    assert!(in_step(&set) && set.len() == 17 && ledger.alive() == 34);
    assert_eq!(set.insert(entities[0], row(99, &ledger)).map(|it| it.key), Some(0));
    let mut drained = set.drain();
    let (entity, first) = drained.next().unwrap();
    assert_eq!(u64::from(first.again), first.key);
    assert!(entities.contains(&entity) && drained.size_hint() == (16, Some(16)));
    drop((drained, first));
    assert!(set.is_empty() && ledger.alive() == 0);
}

#[test]
fn drops_that_panic_leave_columns_in_step() {
    for (bomb, in_second) in [(0, false), (3, false), (4, true), (9, true)] {
        let bombed = |key, ledger: &Ledger| {
            let mut row = row(key, ledger);
            if key == bomb {
                let place = if in_second { &mut row.second } else { &mut row.first };
                *place = ledger.bomb();
            }
            row
        };
        let (mut world, ledger) = (World::new(), Ledger::default());
        world.spawn_batch((0..10).map(|key| bombed(key, &ledger)));
        check(&world, &ledger, 10);
        assert_eq!(panics(|| world.clear()).unwrap(), "a bomb went off");
        check(&world, &ledger, 0);

        let entities = world.spawn_batch((0..10).map(|key| bombed(key, &ledger)));
        let at = usize::try_from(bomb).unwrap();
        let bomb_of = |world: &World| *world.get::<Row>(entities[at]).unwrap().key;
        assert_eq!(bomb_of(&world), bomb);
        assert!(panics(|| world.insert(entities[at], row(77, &ledger))).is_some());
        assert_eq!(bomb_of(&world), 77);
        check(&world, &ledger, 10);
        world.insert(entities[at], bombed(bomb, &ledger)).unwrap();
        let set = |it: RowMut<'_>| { it }.set(row(78, &ledger));
        assert!(panics(|| world.patch::<Row>(entities[at], set)).is_some());
        check(&world, &ledger, 10);
        world.insert(entities[at], bombed(bomb, &ledger)).unwrap();
        assert!(panics(|| world.despawn(entities[at])).is_some());
        check(&world, &ledger, 9);
        assert!(panics(|| drop(world.remove::<Row>(entities[at]))).is_none());

        world.spawn(bombed(bomb, &ledger));
        assert!(panics(move || drop(world)).is_some());
        assert_eq!(ledger.alive(), 0);
    }
}

#[test]
fn a_batch_that_panics_leaves_columns_in_step() {
    let (mut world, ledger) = (World::new(), Ledger::default());
    let liar = (0..40).filter(|_| true).map(|key| {
        assert!(key < 30, "enough");
        row(key, &ledger)
    });
    assert_eq!(panics(|| world.spawn_batch(liar)).as_deref(), Some("enough"));
    let alive = world.pool::<Row>().len();
    check(&world, &ledger, alive);
}

#[test]
fn no_memory_for_one_of_the_columns() {
    #[derive(Component)]
    #[component(layout = "soa")]
    struct Huge {
        small: u8,
        huge: [u8; 1 << 44],
    }
    let mut world = World::new();
    let batch = (0..1 << 20).map(|_| -> Huge { unreachable!("there was no room") });
    assert!(panics(|| world.spawn_batch(batch)).unwrap().contains("capacity overflow"));
    assert_eq!(world.pool::<Huge>().as_slice().small.len(), 0);
    world.check_invariants();
}

#[derive(Component)]
#[component(layout = "soa", veto = Guarded::may_go, bit = 3)]
struct Guarded {
    locks: u32,
    value: Box<u8>,
}

impl Guarded {
    #[expect(clippy::needless_pass_by_value, reason = "as a veto is")]
    fn may_go(it: GuardedMut<'_>) -> bool {
        *it.locks -= 1;
        *it.locks == 0
    }
}

#[test]
fn vetoes_see_references() {
    let mut world = World::new();
    let entity = world.spawn(Guarded { locks: 3, value: Box::new(5) }).id();
    assert!(world.remove::<Guarded>(entity).is_none());
    assert!(world.despawn(entity).is_err());
    assert_eq!(world.remove::<Guarded>(entity).map(|it| *it.value), Some(5));
}

#[derive(Component, Clone, Debug, PartialEq)]
#[component(
    layout = "soa",
    ref = GridSeen,
    mut = GridChanged,
    slices = GridParts,
    slices_mut = GridPartsMut,
    fields = grid_columns
)]
struct Grid<T: Clone = u8, const N: usize = 2>
where
    T: PartialEq,
{
    cells: [T; N],
    r#type: Option<T>,
    plain: u8,
}

#[test]
fn parameters_and_names() {
    let mut world = World::new();
    let of = |it: u16| Grid::<u16, 3> { cells: [it; 3], r#type: Some(it), plain: 1 };
    let entity = world.spawn((of(4), Grid::<u8> { cells: [1; 2], r#type: None, plain: 2 })).id();
    let seen: GridSeen<'_, u16, 3> = world.get::<Grid<u16, 3>>(entity).unwrap();
    assert_eq!((seen.to_owned(), seen.cells), (of(4), &[4; 3]));
    assert_eq!(format!("{seen:?}"), "GridSeen { cells: [4, 4, 4], type: Some(4), plain: 1 }");
    let changed: GridChanged<'_, u16, 3> = world.get_mut::<Grid<u16, 3>>(entity).unwrap();
    changed.cells[1] = 9;
    assert_eq!(changed.as_ref().cells, &[4, 9, 4]);
    world
        .view_mut::<(&mut grid_columns::cells<u16, 3>, &grid_columns::r#type<u16, 3>)>()
        .for_each(|(_, cells, ty)| cells[0] = ty.unwrap() + 1);
    let parts: GridParts<'_, u16, 3> = world.pool::<Grid<u16, 3>>().as_slice();
    assert_eq!(parts.cells, [[5, 9, 4]]);
    let mut pool = world.pool_mut::<Grid>();
    let parts: GridPartsMut<'_> = pool.as_mut_slice();
    parts.plain.fill(7);
    assert_eq!(world.view::<grid_columns::plain<u8, 2>>().single().unwrap().1, &7);
}

/// Constants cannot compare generic columns; numbers in the process can.
#[test]
fn generic_columns_are_compared_when_a_view_is_made() {
    fn both<
        T: Clone + PartialEq + Send + Sync + 'static,
        U: Clone + PartialEq + Send + Sync + 'static,
    >(
        world: &mut World,
    ) -> usize {
        type Cells<T> = grid_columns::cells<T, 2>;
        world.view_mut::<(&mut Cells<T>, Option<&Cells<U>>)>().count()
    }
    let mut world = World::new();
    world.spawn(Grid::<u8> { cells: [1; 2], r#type: None, plain: 2 });
    assert_eq!(both::<u8, u16>(&mut world), 1);
    let message = panics(|| both::<u8, u8>(&mut world)).expect("one column twice");
    assert!(message.contains("reads `grid_columns::cells`"), "{message}");
    // Different columns of one type never alias, and the whole overlaps with each.
    let parts =
        world.view_mut::<(&mut grid_columns::cells<u8, 2>, &mut grid_columns::plain<u8, 2>)>();
    assert_eq!(parts.count(), 1);
    let message = panics(|| world.view_mut::<(&mut Grid, &grid_columns::plain<u8, 2>)>().count());
    assert!(message.expect("a column of the whole").contains("`grid_columns::plain`"));
    let message = panics(|| {
        let (a, b) = world.split_mut::<(&mut grid_columns::plain<u8, 2>, &Grid)>();
        a.count() + b.count()
    });
    assert!(message.expect("a column of the whole").contains("::Grid`"));
}

#[test]
fn one_column_and_many() {
    #[derive(Component, Clone, Debug, PartialEq)]
    #[component(layout = "soa")]
    struct One {
        it: u8,
    }
    #[derive(Component, Clone, Debug, Default, PartialEq)]
    #[component(layout = "soa")]
    #[rustfmt::skip]
    struct Many {
        a: u8, b: u16, c: u32, d: u64, e: u8, f: u16, g: u32, h: u64, i: u8, j: u16, k: u32, l: u64,
        m: u8, n: u16, o: u32, p: u64, q: String,
    }
    let mut world = World::new();
    let many = Many { a: 1, h: 2, p: 3, q: "4".into(), ..Many::default() };
    let entity = world.spawn((One { it: 5 }, many.clone())).id();
    assert_eq!(*world.view::<One>().single().unwrap().1.it, 5);
    world.view_mut::<(&mut one::it, &mut many::q, &mut many::a)>().for_each(|(_, it, q, a)| {
        *it += 1;
        q.push('!');
        *a += 1;
    });
    assert_eq!(world.remove::<One>(entity), Some(One { it: 6 }));
    assert_eq!(world.remove::<Many>(entity), Some(Many { a: 2, q: "4!".into(), ..many }));
}

#[test]
fn joins_of_every_kind_agree() {
    use ecs::PlanKind::{All, Dense, Everyone, Words};
    let mut world = World::new();
    let mut expected = 0.0;
    for at in 0..3_000_u16 {
        let mut entity = world.spawn_empty();
        if at % 3 != 0 {
            entity.insert(near(f32::from(at)));
        }
        if at % 7 < 3 || at > 1_500 {
            entity.insert(Position(1.0));
            expected += if at % 3 == 0 { 0.0 } else { f32::from(at) };
        }
    }
    for plan in [All, Words, Dense, Everyone] {
        let whole = world.view::<(Position, Proximity)>().with_plan(plan);
        let mut sum = 0.0;
        whole.for_each(|(_, _, it)| {
            assert_eq!(it.label.parse(), Ok(*it.distance));
            sum += *it.distance;
        });
        let column = world.view::<(Position, &proximity::distance)>().with_plan(plan);
        assert_eq!(column.into_iter().map(|(_, _, it)| *it).sum::<f32>(), expected);
        let column = world.view::<(Position, Option<&proximity::angle>)>().with_plan(plan);
        let sum_of_angles: f32 =
            column.into_iter().filter_map(|(_, _, it)| it).map(|it| it - 0.5).sum();
        assert_eq!((sum, sum_of_angles), (expected, expected));
    }
}

#[test]
fn groups_keep_columns_in_order() {
    let (mut world, ledger) = (World::new(), Ledger::default());
    let entities = world.spawn_batch((0..50).map(|key| row(key, &ledger)));
    world.declare_group(ecs::Group::owning::<(Row, Position)>()).unwrap();
    for at in [40, 3, 17, 8, 49] {
        world.insert(entities[at], Position(at as f32)).unwrap();
    }
    world.remove::<Position>(entities[17]);
    world.despawn(entities[3]).unwrap();
    check(&world, &ledger, 49);
    let view = world.view::<(&row::key, Position)>();
    let (_, keys, positions) = view.as_slices().expect("a group owns both");
    assert_eq!(keys.iter().map(|key| *key as f32).collect::<Vec<_>>(), [40.0, 8.0, 49.0]);
    assert!(positions.iter().zip(keys).all(|(position, key)| position.0 == *key as f32));
    world.view_mut::<(&mut Row, &Position)>().for_each(|(_, it, position)| {
        assert_eq!(*it.key as f32, position.0);
        *it.first.value = 7;
    });
    check(&world, &ledger, 49);
}

#[test]
fn pools_of_columns_are_sorted() {
    let (mut world, ledger) = (World::new(), Ledger::default());
    world.spawn_batch((0..50).map(|key| row(key * 7919 % 50, &ledger)));
    let mut pool = world.pool_mut::<Row>();
    pool.sort_by(|a, b| b.key.cmp(a.key)).unwrap();
    assert!(pool.as_ref().as_slice().key.is_sorted_by(|a, b| a > b));
    pool.sort_by_key(|it| **it.last).unwrap();
    assert!(pool.as_ref().as_slice().key.is_sorted());
    check(&world, &ledger, 50);
}

#[test]
fn columns_are_aligned_as_their_fields_are() {
    #[derive(Debug)]
    #[repr(align(4096))]
    struct Page(u16);
    #[derive(Debug)]
    #[repr(align(64))]
    struct Nothing;
    #[derive(Component)]
    #[component(layout = "soa")]
    struct Mixed {
        byte: u8,
        page: Page,
        wide: u128,
        nothing: Nothing,
    }

    fn check(world: &World) {
        let address = |address: usize, align: usize| assert_eq!(address % align, 0);
        let (_, slices) = world.view::<Mixed>().as_slices().unwrap();
        address(slices.page.as_ptr().addr(), 4096);
        address(slices.wide.as_ptr().addr(), align_of::<u128>());
        address(slices.nothing.as_ptr().addr(), 64);
        for (_, it) in world.view::<Mixed>() {
            address(core::ptr::from_ref(it.page).addr(), 4096);
            address(core::ptr::from_ref(it.nothing).addr(), 64);
            assert_eq!((u16::from(*it.byte), *it.wide), (it.page.0, it.page.0.into()));
        }
    }
    let mut world = World::new();
    check(&world);
    let mixed = |byte: u8| {
        let nothing = Nothing;
        Mixed { byte, page: Page(byte.into()), wide: byte.into(), nothing }
    };
    let entities = world.spawn_batch((0..100).map(mixed));
    check(&world);
    world.pool_mut::<Mixed>().sort_by(|a, b| b.byte.cmp(a.byte)).unwrap();
    world.remove_batch::<Mixed>(&entities[10..70]);
    world.shrink_to_fit();
    check(&world);
    world.despawn_batch(&entities);
    check(&world);
}
