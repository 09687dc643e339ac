//! Edits of many entities at once, in worlds with listeners, groups, relations and the like.

use super::{Batch, Edit};
use ecs::{
    AnyComponent, Changes, Commands, Component, Entity, Group, Inserted, Removed, Resource,
    Updated, World,
};

#[derive(Component)]
struct Plain(#[expect(dead_code, reason = "only moved")] u32);
#[derive(Component)]
struct Other(#[expect(dead_code, reason = "only moved")] u32);
#[derive(Component)]
#[component(on_insert = look, on_update = look, on_remove = look)]
struct Hooked(#[expect(dead_code, reason = "only moved")] u32);
#[derive(Component)]
#[component(veto = Guarded::may_go)]
struct Guarded(u32);
#[derive(Component)]
#[component(veto = never)]
struct Kept(#[expect(dead_code, reason = "only moved")] u32);
#[derive(Component)]
#[component(track)]
struct Marked(#[expect(dead_code, reason = "only moved")] u32);
#[derive(Component)]
#[component(requires(Other = Other(1)))]
struct Needing(#[expect(dead_code, reason = "only moved")] u32);
#[derive(Component)]
#[component(relation)]
struct PointsTo(Entity);
#[derive(Component)]
#[component(layout = "soa")]
struct Columns {
    number: u32,
    text: String,
}

fn look(_: &mut World, _: Entity) {}

impl Guarded {
    fn may_go(&mut self) -> bool {
        self.0 < u32::MAX
    }
}

fn never(_: &mut Kept) -> bool {
    false
}

/// A component that a batch inserts.
trait Made: AnyComponent {
    fn make(number: u32, target: Entity) -> Self;
}

macro_rules! made {
    ($($name:ident)+) => {
        $(impl Made for $name {
            fn make(number: u32, _: Entity) -> Self {
                Self(number)
            }
        })+
    };
}
made!(Plain Hooked Guarded Kept Marked Needing);
impl Made for PointsTo {
    fn make(_: u32, target: Entity) -> Self {
        Self(target)
    }
}
impl Made for Columns {
    fn make(number: u32, _: Entity) -> Self {
        Self { number, text: String::new() }
    }
}

/// Worlds of one kind, and the edits there.
struct Scene {
    name: &'static str,
    /// Adds listeners, groups and the like.
    listen: fn(&mut World, &[Entity]),
    operations: &'static [Operation],
    new: New,
}

/// Makes a world of this many entities, which have the component or not, with these listeners.
type New = fn(usize, bool, fn(&mut World, &[Entity])) -> Scenery;

/// The name of an edit; whether the entities have the component before; and the edit.
type Operation = (&'static str, bool, fn(&mut Scenery));

/// The world of an edit.
struct Scenery {
    world: World,
    /// The target of relations.
    target: Entity,
    entities: Vec<Entity>,
    commands: Commands,
}

impl Scenery {
    fn new<T: Made>(count: usize, are_present: bool, listen: fn(&mut World, &[Entity])) -> Self {
        let mut world = World::new();
        let target = world.spawn_empty().id();
        let entities = world.spawn_batch((0..count).map(|_| ()));
        let mut scenery = Self { world, target, entities, commands: Commands::new() };
        if are_present {
            scenery.insert::<T>(&scenery.entities.clone());
        }
        listen(&mut scenery.world, &scenery.entities);
        scenery
    }

    fn insert<T: Made>(&mut self, list: &[Entity]) {
        let target = self.target;
        let rows = list.iter().map(|&entity| (entity, T::make(entity.index(), target)));
        self.world.insert_batch(rows).ok();
    }

    /// Returns one entity as often as there are entities.
    fn one(&self) -> Vec<Entity> {
        vec![self.entities[0]; self.entities.len()]
    }

    /// Returns each entity twice, first all of them.
    fn twice(&self) -> Vec<Entity> {
        self.entities.iter().chain(&self.entities).copied().collect()
    }

    /// Returns the entities in an order in which no two are neighbours.
    fn mixed(&self) -> Vec<Entity> {
        let mut all = self.entities.clone();
        all.sort_by_key(|entity| entity.index().wrapping_mul(0x9e37_79b9));
        all
    }

    fn record(&mut self, list: &[Entity], record: impl Fn(&mut Commands, Entity)) {
        list.iter().for_each(|&entity| record(&mut self.commands, entity));
        self.commands.apply(&mut self.world);
    }
}

/// The edits of a component.
struct Operations<T>(T);

impl<T: Made> Operations<T> {
    const ALL: &[Operation] = &[
        ("spawn", false, |it| {
            for at in 0..it.entities.len() {
                it.world.spawn(T::make(number(at), it.target));
            }
        }),
        ("spawn_batch", false, |it| {
            let (count, target) = (it.entities.len(), it.target);
            it.world.spawn_batch((0..count).map(|at| T::make(number(at), target)));
        }),
        ("insert", false, |it| {
            for &entity in &it.entities {
                it.world.insert(entity, T::make(1, it.target)).ok();
            }
        }),
        ("insert, always into one", false, |it| {
            for entity in it.one() {
                it.world.insert(entity, T::make(1, it.target)).ok();
            }
        }),
        ("insert_batch", false, |it| it.insert::<T>(&it.entities.clone())),
        ("insert_batch in random order", false, |it| it.insert::<T>(&it.mixed())),
        ("insert_batch into each twice", false, |it| it.insert::<T>(&it.twice())),
        ("insert_batch into one", false, |it| it.insert::<T>(&it.one())),
        ("insert_batch over others", true, |it| it.insert::<T>(&it.entities.clone())),
        ("remove", true, |it| {
            for &entity in &it.entities {
                it.world.remove::<T>(entity);
            }
        }),
        ("remove_batch", true, |it| _ = it.world.remove_batch::<T>(&it.entities)),
        ("remove_batch in random order", true, |it| _ = it.world.remove_batch::<T>(&it.mixed())),
        ("remove_batch from each twice", true, |it| _ = it.world.remove_batch::<T>(&it.twice())),
        ("remove_batch from one", true, |it| _ = it.world.remove_batch::<T>(&it.one())),
        ("pool_mut().clear", true, |it| it.world.pool_mut::<T>().clear()),
        ("pool_mut().drain", true, |it| drop(it.world.pool_mut::<T>().drain())),
        ("despawn", true, |it| {
            for &entity in &it.entities {
                it.world.despawn(entity).ok();
            }
        }),
        ("despawn_batch", true, |it| _ = it.world.despawn_batch(&it.entities)),
        ("despawn_batch in random order", true, |it| _ = it.world.despawn_batch(&it.mixed())),
        ("despawn_batch of each twice", true, |it| _ = it.world.despawn_batch(&it.twice())),
        ("despawn_batch of one", true, |it| _ = it.world.despawn_batch(&it.one())),
        ("World::clear", true, |it| it.world.clear()),
        ("insert_batch, of two at a time", false, |it| {
            it.mixed().chunks(2).for_each(|some| it.insert::<T>(some));
        }),
        ("remove_batch, of two at a time", true, |it| {
            it.mixed().chunks(2).for_each(|some| _ = it.world.remove_batch::<T>(some));
        }),
        ("despawn_batch, of two at a time", true, |it| {
            it.mixed().chunks(2).for_each(|some| _ = it.world.despawn_batch(some));
        }),
        ("recorded spawns", false, |it| {
            for at in 0..it.entities.len() {
                it.commands.spawn(&it.world, T::make(number(at), it.target));
            }
            it.commands.apply(&mut it.world);
        }),
        ("recorded insertions", false, |it| {
            let target = it.target;
            it.record(&it.entities.clone(), |commands, entity| {
                commands.insert(entity, T::make(1, target));
            });
        }),
        ("recorded insertions into one", false, |it| {
            let target = it.target;
            it.record(&it.one(), |commands, entity| commands.insert(entity, T::make(1, target)));
        }),
        ("recorded removals", true, |it| {
            it.record(&it.entities.clone(), Commands::remove::<T>);
        }),
        ("recorded removals from one", true, |it| {
            it.record(&it.one(), Commands::remove::<T>);
        }),
        ("recorded insertions and removals, in turns", true, |it| {
            let target = it.target;
            it.record(&it.one(), |commands, entity| {
                commands.insert(entity, T::make(1, target));
                commands.remove::<T>(entity);
            });
        }),
        ("recorded despawns", true, |it| {
            it.record(&it.entities.clone(), Commands::despawn);
        }),
        ("recorded despawns of one", true, |it| it.record(&it.one(), Commands::despawn)),
    ];
}

fn number(at: usize) -> u32 {
    u32::try_from(at).expect("some thousands")
}

const fn scene<T: Made>(name: &'static str, listen: fn(&mut World, &[Entity])) -> Scene {
    Scene { name, listen, operations: Operations::<T>::ALL, new: Scenery::new::<T> }
}

const SCENES: [Scene; 24] = [
    scene::<Plain>("alone", |_, _| {}),
    scene::<Columns>("in columns", |_, _| {}),
    scene::<Needing>("requiring another", |_, _| {}),
    scene::<Hooked>("hooks", |_, _| {}),
    scene::<Guarded>("veto", |_, _| {}),
    scene::<Kept>("veto that refuses", |_, _| {}),
    scene::<PointsTo>("relations to one entity", |_, _| {}),
    scene::<PointsTo>("relations, observed", |world, _| observe::<PointsTo>(world, |_, _| {})),
    scene::<Marked>("tracked", |world, _| drop(world.changes::<Marked>())),
    scene::<Marked>("tracked and read", |world, _| {
        let changes = world.changes::<Marked>();
        world.insert_resource(Reader(changes));
    }),
    scene::<Plain>("owned by a group", |world, entities| {
        world.insert_batch(entities.iter().map(|&it| (it, Other(1)))).expect("all are alive");
        world.declare_group(Group::owning::<(Plain, Other)>()).expect("the only group");
    }),
    scene::<Plain>("owned by two groups", |world, entities| {
        world.insert_batch(entities.iter().map(|&it| (it, Other(1)))).expect("all are alive");
        let half = entities.iter().step_by(2).map(|&it| (it, Guarded(1)));
        world.insert_batch(half).expect("all are alive");
        world.declare_group(Group::owning::<(Plain, Other)>()).expect("the first group");
        let inner = Group::owning::<(Plain, Other, Guarded)>();
        world.declare_group(inner).expect("it is inside of the other");
    }),
    scene::<Plain>("observed by a group", |world, entities| {
        world.insert_batch(entities.iter().map(|&it| (it, Other(1)))).expect("all are alive");
        world.declare_group(Group::observing::<(Plain, Other)>()).expect("the only group");
    }),
    scene::<Plain>("excluded from a group", |world, entities| {
        world.insert_batch(entities.iter().map(|&it| (it, Other(1)))).expect("all are alive");
        world.declare_group(Group::owning::<Other>().without::<Plain>()).expect("the only group");
    }),
    scene::<Plain>("collector", |world, _| {
        let _ = world.collector::<(Inserted<Plain>, Updated<Plain>, Removed<Plain>)>();
    }),
    scene::<Plain>("observer", |world, _| observe::<Plain>(world, |_, _| {})),
    scene::<Plain>("observer and collector", |world, _| {
        observe::<Plain>(world, |_, _| {});
        let _ = world.collector::<(Inserted<Plain>, Updated<Plain>, Removed<Plain>)>();
    }),
    scene::<Plain>("observer of batches", |world, _| {
        world.on_batch::<Inserted<Plain>>(|_, _| {});
        world.on_batch::<Updated<Plain>>(|_, _| {});
        world.on_batch::<Removed<Plain>>(|_, _| {});
    }),
    scene::<Plain>("observer of batches edits each", |world, _| {
        observe::<Other>(world, |_, _| {});
        world.on_batch::<Inserted<Plain>>(|world, all| {
            all.iter().for_each(|&it| _ = world.insert(it, (Plain(1), Other(1))));
        });
        world.on_batch::<Removed<Plain>>(|world, all| {
            all.iter().for_each(|&it| _ = world.remove::<(Plain, Other)>(it));
        });
    }),
    scene::<Plain>("observer edits another component", |world, _| {
        world.on_insert::<Other>(|_, _| {});
        world.on_remove::<Other>(|_, _| {});
        observe::<Plain>(world, |world, entity| {
            world.insert(entity, Other(1)).ok();
            world.remove::<Other>(entity);
        });
    }),
    scene::<Plain>("observer edits one entity", |world, entities| {
        let one = entities[0];
        world.on_insert::<Other>(|_, _| {});
        observe::<Plain>(world, move |world, _| _ = world.insert(one, Other(1)));
    }),
    scene::<Plain>("observer inserts it into the last", |world, entities| {
        let last = entities[entities.len() - 1];
        observe::<Plain>(world, move |world, entity| {
            if entity != last {
                world.insert(last, Plain(1)).ok();
            }
        });
    }),
    scene::<Plain>("observer removes it", |world, _| {
        world.on_insert::<Plain>(|world, entity| _ = world.remove::<Plain>(entity));
        world.on_remove::<Plain>(|_, _| {});
    }),
    scene::<Plain>("observer despawns", |world, _| {
        world.on_insert::<Plain>(|world, entity| _ = world.despawn(entity));
        world.on_remove::<Plain>(|world, entity| _ = world.despawn(entity));
    }),
];

/// Calls an observer for each change of the component.
fn observe<T: AnyComponent>(
    world: &mut World,
    call: impl Fn(&mut World, Entity) + Copy + Send + Sync + 'static,
) {
    world.on_insert::<T>(call);
    world.on_update::<T>(call);
    world.on_remove::<T>(call);
}

#[derive(Resource)]
struct Reader(#[expect(dead_code, reason = "a reader that is not dropped")] Changes<Marked>);

/// Returns all edits of all scenes.
pub fn batches() -> Vec<Batch> {
    let of = |(at, scene): (usize, &'static Scene)| {
        scene.operations.iter().enumerate().map(move |(place, operation)| {
            let (name, are_present, edit) = *operation;
            let prepare = move |count| -> Edit {
                let mut scenery = (scene.new)(count, are_present, scene.listen);
                Box::new(move || edit(&mut scenery))
            };
            (place, at, Batch { name, scene: scene.name, prepare: Box::new(prepare) })
        })
    };
    let mut all: Vec<_> = SCENES.iter().enumerate().flat_map(of).collect();
    all.sort_by_key(|(place, at, _)| (*place, *at));
    all.into_iter().map(|(_, _, batch)| batch).collect()
}
