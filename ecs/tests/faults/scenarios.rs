//! Everything that calls user code.

use crate::values::{
    Armour, Body, Ghost, Guarded, Hooked, Likes, Pair, PartOf, Store, pair, value,
};
use crate::{quietly, tick};
use ecs::by_name::{Kind, KindQuery, OwnedValue, Values};
use ecs::save::{ChangeSets, Delta, Follower, Limits};
use ecs::{ChildOf, Commands, Entity, Group, Name, Schedule, View, World};
use std::cmp::Ordering;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

pub type Act = fn(&mut World, &[Entity]);

/// Returns the items, with a tick at each.
fn ticking<T>(items: impl IntoIterator<Item = T>) -> impl Iterator<Item = T> {
    items.into_iter().inspect(|_| tick())
}

fn compare(a: u64, b: u64) -> Ordering {
    tick();
    b.cmp(&a)
}

/// A world beside the one at hand.
fn other() -> World {
    let mut other = World::new();
    other.register::<(Body, Pair, Armour, Hooked, Guarded, PartOf, Likes, Ghost, ChildOf, Name)>();
    let all = other.spawn_batch((0..4).map(|at| (Body(value()), pair(), Guarded(at, value()))));
    other.insert(all[1], (Hooked(value()), Ghost, PartOf(all[0], value()))).unwrap();
    other.insert(all[2], (Armour(value()), Likes(all[1], value()))).unwrap();
    other
}

fn bytes(world: &World) -> Vec<u8> {
    let mut bytes = Vec::new();
    world.save().to_bytes(&mut bytes).unwrap();
    bytes
}

fn limits() -> Limits {
    Limits::default()
}

/// Returns `world` after some edits.
fn edited(world: &World, e: &[Entity]) -> World {
    let mut new = world.try_clone().unwrap();
    new.insert(e[8], (Body(value()), pair())).unwrap();
    drop(new.remove::<Pair>(e[2]));
    _ = new.despawn(e[5]);
    new.patch::<Body>(e[6], |body| body.0 = value());
    new.spawn((Hooked(value()), Likes(e[0], value())));
    new
}

fn systems() -> Schedule {
    fn read(bodies: View<&Body>) {
        bodies.into_iter().for_each(|_| tick());
    }
    fn write(pairs: View<&mut Pair>, store: &mut Store) {
        for (_, pair) in pairs {
            *pair.left = value();
        }
        store.0 = value();
        tick();
    }
    fn record(all: View<(Entity, &Body)>, commands: &mut Commands) {
        for (at, (entity, _)) in all.into_iter().enumerate() {
            match at % 3 {
                0 => commands.insert(entity, (Armour(value()), Ghost)),
                1 => commands.remove::<Pair>(entity),
                _ => commands.patch::<Body>(entity, |body| body.0 = value()),
            }
        }
        tick();
    }
    fn edit(world: &mut World) {
        world.spawn((pair(), Hooked(value())));
        tick();
    }
    let is_wanted = |_: &World| {
        tick();
        true
    };
    Schedule::new().add(read).add(record).sync().add_if(is_wanted, write).add(edit).add(record)
}

macro_rules! scenarios {
    ($($name:literal: |$world:pat_param, $e:pat_param| $act:expr;)*) => {
        pub const SCENARIOS: &[(&str, Act)] = &[$(($name, |$world, $e| _ = $act)),*];
    };
}

scenarios! {
    "spawn": |w, _| { w.spawn((Body(value()), pair(), Hooked(value()), Ghost)); };
    "spawn with requirements": |w, _| { w.spawn((Armour(value()), pair())); };
    "spawn with others": |w, _| {
        w.spawn_with((Body(value()), pair()), |whole| ticking([1, 2, 3]).map(move |_| (PartOf(whole, value()), Ghost)));
    };
    "spawn a batch": |w, _| w.spawn_batch(ticking(0..5).map(|_| (Body(value()), pair())));
    "spawn a batch with requirements": |w, _| w.spawn_batch(ticking(0..4).map(|_| Armour(value())));
    "spawn a batch with hooks": |w, _| w.spawn_batch(ticking(0..4).map(|_| (Ghost, Hooked(value()))));
    "spawn a batch of relations": |w, e| w.spawn_batch(ticking(e[..4].to_vec()).map(|it| PartOf(it, value())));
    "spawn at": |w, e| {
        w.despawn(e[8]).unwrap();
        w.spawn_at(e[8]).map(|mut it| { it.insert(Body(value())); }).ok()
    };
    "add": |w, e| { w.entity_mut(e[8]).add::<Armour>().add::<Body>(); };
    "insert": |w, e| w.insert(e[8], (Body(value()), pair(), Hooked(value())));
    "insert over": |w, e| w.insert(e[0], (Body(value()), pair(), Armour(value())));
    "insert with requirements": |w, e| w.insert(e[8], Armour(value()));
    "insert hooked": |w, e| { w.insert(e[1], Hooked(value())).unwrap(); w.insert(e[2], Hooked(value())) };
    "insert guarded over": |w, e| w.insert(e[3], Guarded(1, value()));
    "insert into the dead": |w, e| { w.despawn(e[8]).unwrap(); w.insert(e[8], (Body(value()), pair())) };
    "insert if absent": |w, e| { w.insert_if_absent(e[0], (Body(value()), Hooked(value()))).unwrap(); w.insert_if_absent(e[8], Armour(value())) };
    "replace": |w, e| { w.replace(e[0], Body(value())).unwrap(); w.replace(e[8], Hooked(value())) };
    "get or insert": |w, e| {
        w.get_or_insert_with(e[8], || { tick(); Armour(value()) }).unwrap();
        w.get_or_insert_with(e[0], || Body(value())).map(|body| body.0 = value())
    };
    "patch": |w, e| { w.patch::<Body>(e[0], |body| { tick(); body.0 = value(); }); w.patch::<Hooked>(e[1], |it| it.0 = value()) };
    "insert a batch": |w, e| w.insert_batch(ticking(e[3..9].to_vec()).map(|it| (it, (pair(), Ghost))));
    "insert a batch over": |w, e| w.insert_batch(ticking(e[..4].to_vec()).map(|it| (it, Body(value()))));
    "insert a batch with requirements": |w, e| { w.remove_batch::<Body>(e); w.insert_batch(ticking(e[..5].to_vec()).map(|it| (it, Armour(value())))) };
    "insert a batch twice the same": |w, e| w.insert_batch(ticking([e[8], e[8], e[7], e[8]]).map(|it| (it, (Body(value()), pair()))));
    "insert a batch of relations": |w, e| w.insert_batch(ticking(e[4..8].to_vec()).map(|it| (it, Likes(e[1], value()))));
    "remove": |w, e| (w.remove::<Body>(e[0]), w.remove::<Pair>(e[2]), w.remove::<Hooked>(e[1]));
    "remove several": |w, e| w.remove::<(Body, Pair, Armour)>(e[0]);
    "remove guarded": |w, e| for _ in 0..3 { drop(w.remove::<Guarded>(e[3])); };
    "take": |w, e| {
        if let Some((_body, Pair { left, right })) = w.take::<(Body, Pair)>(e[0]) {
            drop((left, right));
        }
        w.take::<(Body, Hooked)>(e[2])
    };
    "try to remove": |w, e| (w.try_remove::<Guarded>(e[3]), w.try_remove::<Ghost>(e[1]));
    "remove all but": |w, e| (w.remove_except::<Pair>(e[0]), w.remove_except::<Ghost>(e[1]), w.remove_except::<Body>(e[3]));
    "remove a batch": |w, e| w.remove_batch::<Body>(e);
    "remove a batch of pairs": |w, e| w.remove_batch::<Pair>(&e[2..]);
    "remove a batch hooked": |w, e| w.remove_batch::<Hooked>(e);
    "remove a batch guarded": |w, e| for _ in 0..3 { w.remove_batch::<Guarded>(e); };
    "remove a batch of ghosts": |w, e| w.remove_batch::<Ghost>(e);
    "despawn": |w, e| (w.despawn(e[1]), w.despawn(e[2]));
    "despawn guarded": |w, e| for _ in 0..3 { _ = w.despawn(e[3]); };
    "despawn a target": |w, e| w.despawn(e[0]);
    "despawn a batch": |w, e| w.despawn_batch(&e[..6]);
    "despawn all": |w, e| for _ in 0..3 { w.despawn_batch(e); };
    "clear": |w, _| w.clear();
    "merge": |w, _| { let mut other = quietly(other); let result = w.merge(&mut other); quietly(|| drop(other)); result };
    "clone a world": |w, _| w.try_clone();
    "copy from": |w, _| { let other = quietly(other); let result = w.copy_from(&other); quietly(|| drop(other)); result };
    "spawn copies": |w, e| (w.spawn_copies(e[0], 3), w.spawn_copies(e[1], 1));
    "spawn copies with parts": |w, e| w.spawn_copies_with::<PartOf>(e[0], 2);
    "spawn copies with children": |w, e| w.spawn_copies_with::<ChildOf>(e[0], 2);
    "spawn copies of a world": |w, _| { let other = quietly(other); let result = w.spawn_copies_of(&other, 2); quietly(|| drop(other)); result };
    "relate": |w, e| (w.relate(e[7], PartOf(e[6], value())), w.relate(e[6], Likes(e[7], value())));
    "relate to another": |w, e| { w.insert(e[5], PartOf(e[6], value())).unwrap(); w.relate(e[5], PartOf(e[7], value())) };
    "attach and detach": |w, e| { w.attach(e[7], e[6]).unwrap(); w.attach(e[7], e[5]).unwrap(); w.detach(e[7]) };
    "end a relation": |w, e| (w.remove::<PartOf>(e[1]), w.remove::<Likes>(e[6]));
    "sort related": |w, e| w.sort_related_by::<PartOf>(e[0], |_, a, b| compare(a.to_bits(), b.to_bits()));
    "sort a pool": |w, _| { let mut at = 0; w.pool_mut::<Hooked>().sort_by(|_, _| { at += 1; compare(at, 7) }) };
    "sort a pool of columns": |w, _| { let mut at = 0; w.pool_mut::<Pair>().sort_unstable_by(|_, _| { at += 1; compare(at % 3, 1) }) };
    "sort by a key": |w, _| { let mut at = 0; w.pool_mut::<Guarded>().sort_by_key(|it| { tick(); at += 1; it.0 ^ at }) };
    "sort like another": |w, _| w.pool_mut::<Ghost>().sort_like::<Body>();
    "sort a group": |w, _| if let Ok(mut group) = w.group_mut(Group::owning::<(Body, Pair)>()) {
        let mut at = 0;
        group.sort_by(|_, _| { at += 1; compare(at, 3) });
    };
    "declare a group": |w, _| w.declare_group(Group::owning::<(Hooked, Ghost)>());
    "drop groups": |w, _| (w.drop_group(Group::owning::<(Body, Pair, Armour)>()), w.drop_group(Group::owning::<(Body, Pair)>()));
    "clear a pool": |w, _| w.pool_mut::<Body>().clear();
    "retain": |w, _| w.pool_mut::<Body>().retain(|entity, body| { tick(); body.0 = value(); entity.index() % 2 == 0 });
    "retain of columns": |w, _| w.pool_mut::<Pair>().retain(|entity, _| { tick(); entity.index() % 4 == 0 });
    "drain": |w, _| w.pool_mut::<Body>().drain().for_each(drop);
    "drain some": |w, _| w.pool_mut::<Pair>().drain().take(2).for_each(drop);
    "walk and write": |w, _| w.view_mut::<(&mut Body, &mut Pair)>().for_each(|(_, body, pair)| { body.0 = value(); *pair.right = value(); tick(); });
    "walk by next": |w, _| for (_, body, ghost) in w.view_mut::<(&mut Body, Option<&mut Ghost>)>() {
        body.0 = value();
        if let Some(ghost) = ghost { *ghost = Ghost; }
        tick();
    };
    "walk in chunks": |w, _| w.view_mut::<(&mut Body, Option<&mut Pair>)>().for_each_chunk(|(_, bodies, _)| { tick(); bodies[0].0 = value(); });
    "walk a list": |w, e| w.view_mut::<&mut Body>().for_each_many(ticking(e.to_vec()), |(_, body)| body.0 = value());
    "walk by threads": |w, _| w.view_mut::<&mut Armour>().par_for_each(|(_, _)| tick());
    "write several": |w, e| w.view_mut::<&mut Body>().get_disjoint_mut([e[0], e[1], e[2]]).map(|all| all.into_iter().for_each(|(_, body)| body.0 = value())).is_ok();
    "commands": |w, e| {
        let mut commands = Commands::new();
        let new = commands.spawn(&*w, (Body(value()), pair(), Ghost));
        commands.insert(new, Hooked(value()));
        commands.insert(e[0], (Body(value()), Armour(value())));
        commands.insert(e[1], Body(value()));
        commands.remove::<Pair>(e[2]);
        commands.remove::<Body>(e[4]);
        commands.patch::<Body>(e[6], |body| { tick(); body.0 = value(); });
        commands.despawn(e[5]);
        commands.despawn(e[7]);
        let held = value();
        commands.queue(move |world| { tick(); world.spawn(Body(held)); });
        commands.apply(w)
    };
    "commands that are not applied": |w, e| {
        let mut commands = Commands::new();
        commands.insert(e[0], (Body(value()), pair()));
        commands.insert(e[1], (Body(value()), pair()));
        let held = value();
        commands.queue(move |_| drop(held));
        commands.spawn(&*w, Armour(value()));
    };
    "commands for the dead": |w, e| {
        let mut commands = Commands::new();
        commands.despawn(e[8]);
        commands.insert(e[8], (Body(value()), pair()));
        commands.spawn(&*w, (Likes(e[8], value()), Ghost));
        commands.apply(w)
    };
    "send": |w, e| {
        w.on::<u8>(|world, _| { tick(); world.spawn(Body(value())); });
        w.on_entity::<u8>(|world, entity, _| { _ = world.despawn(entity); tick(); });
        w.send(&1_u8);
        w.send_to(e[1], &2_u8)
    };
    "observe with a captured value": |w, _| {
        let held = value();
        let id = w.on_insert::<Ghost>(move |_, _| { let _ = &held; tick(); });
        let result = catch_unwind(AssertUnwindSafe(|| { w.spawn(Ghost); }));
        quietly(|| w.unobserve(id));
        result.unwrap_or_else(|panic| resume_unwind(panic));
    };
    "run a schedule": |w, _| systems().run(w).unwrap();
    "run a schedule twice": |w, _| { let mut systems = systems(); systems.run(w).unwrap(); systems.run(w).unwrap(); };
    "insert a resource": |w, _| w.insert_resource(Store(value()));
    "remove a resource": |w, _| w.remove_resource::<Store>();
    "make a resource": |w, _| { drop(w.remove_resource::<Store>()); w.resource_or_insert_with(|| { tick(); Store(value()) }); };
    "lend a resource": |w, _| w.resource_scope(|world, store: &mut Store| { tick(); store.0 = value(); world.spawn(Body(value())); });
    "save": |w, _| w.save().to_bytes(&mut Vec::new());
    "save as text": |w, _| serde_json::to_string(&w.save()).map_err(drop);
    "load": |w, _| { let bytes = quietly(|| { let other = other(); bytes(&other) }); w.load(&bytes, &limits()).unwrap() };
    "read": |w, _| { let bytes = quietly(|| bytes(w)); w.read(&bytes, &limits()).unwrap().0 };
    "read from text": |w, _| {
        let text = quietly(|| serde_json::to_string(&w.save()).unwrap());
        w.read_from(&mut serde_json::Deserializer::from_str(&text)).unwrap().0
    };
    "find a delta": |w, e| { let new = quietly(|| edited(w, e)); let result = Delta::between(w, &new).map_err(drop); quietly(|| drop(new)); result };
    "apply a delta": |w, e| {
        let delta = quietly(|| { let new = edited(w, e); Delta::between(w, &new).unwrap() });
        w.apply_delta(delta.as_bytes(), &limits()).map_err(drop)
    };
    "drain a change set": |w, e| {
        let mut sets = quietly(|| { let mut sets = w.change_sets(); w.patch::<Body>(e[0], |it| it.0 = value()); drop(w.remove::<Pair>(e[2])); sets.drain(w).unwrap(); w.patch::<Body>(e[1], |it| it.0 = value()); sets });
        sets.drain(w).map_err(drop)
    };
    "apply change sets": |w, _| {
        let sets = quietly(|| {
            let mut server = other();
            let mut sets = ChangeSets::default();
            let first = sets.drain(&mut server).unwrap();
            let all: Vec<Entity> = server.entities().collect();
            server.patch::<Body>(all[0], |it| it.0 = value());
            drop(server.remove::<Pair>(all[1]));
            server.despawn(all[2]).ok();
            server.spawn((Body(value()), pair()));
            [first, sets.drain(&mut server).unwrap()]
        });
        let mut follower = Follower::default();
        for set in sets {
            _ = w.apply_change_set(set.as_bytes(), &mut follower, &limits()).unwrap();
        }
    };
    "insert by name": |w, e| { w.insert_kind_default(Kind::of::<Armour>(), e[8]).unwrap(); w.insert_kind_default(Kind::of::<Body>(), e[0]) };
    "copy by name": |w, e| (w.copy_kind(Kind::of::<Pair>(), e[0], e[1]), w.copy_kind(Kind::of::<Body>(), e[0], e[1]));
    "insert text by name": |w, e| {
        let insert = |w: &mut World, entity| w.insert_kind(Kind::of::<Body>(), entity, &mut serde_json::Deserializer::from_str("7"));
        (insert(w, e[8]), insert(w, e[0]))
    };
    "insert several by name": |w, e| {
        let mut values = Values::new();
        values.read(w, Kind::of::<Body>(), &mut serde_json::Deserializer::from_str("7")).unwrap();
        values.add_default(w, Kind::of::<Armour>()).unwrap();
        values.add_default(w, Kind::of::<Ghost>()).unwrap();
        w.insert_values(e[0], values).unwrap();
        let mut values = Values::new();
        values.add_default(w, Kind::of::<Body>()).unwrap();
        w.spawn_values(values)
    };
    "remove by name": |w, e| (w.remove_kind(Kind::of::<Body>(), e[0]), w.remove_kind(Kind::of::<Guarded>(), e[3]));
    "take and restore a value": |w, e| {
        let taken = w.take_kind(Kind::of::<Body>(), e[0]).ok();
        taken.map(|taken: OwnedValue| w.insert_value(e[8], taken).ok())
    };
    "undo a despawn": |w, e| w.take_entity(e[0]).map(|ended| { tick(); w.restore(ended).ok() }).ok();
    "discard a despawn": |w, e| w.take_entity(e[0]).map(|ended| w.discard(ended)).ok();
    "drop a despawn": |w, e| w.take_entity(e[0]).map(drop).ok();
    "write rows": |w, _| {
        let query = KindQuery::new().write(Kind::of::<Body>());
        w.for_each_row(&query, |row| {
            if let Some(body) = row.get_mut::<Body>() { body.0 = value(); }
            tick();
        }).is_ok()
    };
    "show values": |w, e| w.kind_values(e[0]).filter_map(|it| it.as_debug().map(|it| format!("{it:?}"))).for_each(|_| tick());
    "shrink": |w, _| { w.remove_batch::<Body>(&[]); w.shrink_to_fit() };
    "read changes": |w, e| {
        let mut changes = w.changes::<Body>();
        w.advance(&mut changes);
        w.patch::<Body>(e[0], |it| it.0 = value());
        w.advance(&mut changes);
        w.view::<Body>().among(changes.changed()).into_iter().for_each(|_| tick());
    };
    "move to another world": |w, _| { let mut other = quietly(other); std::mem::swap(w, &mut other); w.spawn(Body(value())); w.clear() };
    "drop a world": |w, _| drop(std::mem::take(w));
}
