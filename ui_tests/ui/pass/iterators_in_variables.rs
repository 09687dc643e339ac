//! An iterator in a variable does not borrow the world after its last use.

use ecs::{ChildOf, Component, EventCursor, Events, Group, Mut, Name, Query, Up, View, World};
use ecs::by_name::{KindQuery, Kind};

#[derive(Component, Clone, Copy)]
#[component(track)]
struct Health(u32);
#[derive(Component)]
#[component(layout = "soa")]
struct Position { x: f32, y: f32 }
#[derive(Query)]
struct Both<'w> { health: &'w Health, position: Option<PositionRef<'w>> }

fn first<Q: Query>(world: &mut World) {
    let mut items = world.view_mut::<Q>().into_iter();
    items.next();
    let mut rest = world.view_mut::<Q>();
    let mut items = rest.iter_mut();
    items.next();
    let _ = rest.count();
}

pub(super) fn main() {
    let mut world = World::new();
    let entity = world.spawn((Health(3), Position { x: 1.0, y: 2.0 })).id();
    let mut seen = world.changes::<Health>();
    world.spawn(ChildOf(entity));

    let mut items = world.view::<(&Health, Option<&Position>)>().into_iter();
    items.next();
    world.spawn(Health(1));
    let mut items = world.view_mut::<(&mut Health, Option<&ChildOf>)>().without::<Name>().into_iter();
    items.next();
    world.spawn(Health(2));
    let mut items = world.view_mut::<(Mut<Health>, Option<&mut Position>)>().into_iter();
    items.next();
    world.spawn(Health(2));
    let mut items = world.view::<Both>().into_iter();
    items.next();
    world.spawn(Health(2));
    let mut items = world.view::<(&ChildOf, Up<ChildOf, &Health>)>().into_iter();
    items.next();
    world.advance(&mut seen);
    let mut items = world.view::<Health>().among(seen.changed()).into_iter();
    items.next();
    world.advance(&mut seen);
    first::<(&mut Health, Option<&Position>)>(&mut world);

    // One in a view that is kept.
    let mut view: View<'_, (&mut Health, Option<&Position>)> = world.view_mut();
    let mut items = view.iter_mut();
    items.next();
    view.for_each(|(_, health, _)| health.0 += 1);

    let mut many = world.view::<Health>().iter_many([entity]);
    many.next();
    world.spawn(Health(2));
    let mut pairs = world.view::<Health>().iter_combinations::<2>();
    pairs.next();
    world.spawn(Health(2));
    let mut sorted = world.view::<Health>().sorted_by_key(|(_, health)| health.0);
    sorted.next();
    world.spawn(Health(2));
    let mut parts = world.view::<(&Health, Option<&Position>)>().into_parts(2);
    let mut part = parts.next().unwrap();
    part.next();
    world.spawn(Health(2));

    let query = KindQuery::new().read(Kind::of::<Health>());
    let mut rows = world.kind_rows(&query).unwrap();
    rows.next();
    world.spawn(Health(2));

    let group = Group::owning::<Health>().without::<Name>();
    world.declare_group(group).unwrap();
    let mut members = world.group(group).unwrap().iter();
    members.next();
    world.spawn(Health(2));
    let mut pool = world.pool::<Health>().iter();
    pool.next();
    world.spawn(Health(2));
    let mut handle = world.pool_mut::<Health>();
    let mut pool = handle.iter_mut();
    pool.next();
    world.spawn(Health(2));
    let mut children = world.children(entity);
    children.next();
    world.spawn(Health(2));
    let mut items = world.view::<(&Health, Option<&Position>)>().into_iter();
    items.next();
    drop(world);

    let mut events = Events::<u32>::default();
    let mut cursor = EventCursor::default();
    events.send(3);
    let mut new = events.read(&mut cursor);
    new.next();
    events.send(4);
    let mut all = events.iter_kept();
    all.next();
    events.send(4);
}
