//! Parents and children.

use crate::library::Library;
use crate::scene::{self, Family};
use ecs::{ChildOf, Entity, World};

/// Adds the workloads with relations.
pub fn relations(ecs: &mut Library) {
    for ([attach_row, detach_row], siblings) in scene::SIBLINGS {
        let family = move || Family::new(World::new(), siblings, spawn, attach);
        ecs.add_checked(attach_row, family, |it| it.move_all(attach), |it| it.check(children));
        ecs.add_checked(
            detach_row,
            family,
            |it| it.part_all(detach, attach),
            |it| it.check(children),
        );
    }
    ecs.add("relations_chain_100k", World::new, |world| {
        let root = world.spawn_empty().id();
        let mut last = root;
        for _ in 1..scene::CHAIN {
            last = world.spawn(ChildOf(last)).id();
        }
        let count = world.len();
        world.despawn(root).expect("it is alive");
        count - world.len()
    });
}

fn spawn(world: &mut World) -> Entity {
    world.spawn_empty().id()
}

fn attach(world: &mut World, child: Entity, parent: Entity) {
    world.attach(child, parent).expect("both are alive");
}

fn detach(world: &mut World, child: Entity) {
    world.detach(child);
}

fn children(world: &World, parent: Entity) -> Vec<Entity> {
    world.children(parent).collect()
}
