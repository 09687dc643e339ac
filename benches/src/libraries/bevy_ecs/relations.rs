//! Parents and children. A long chain is left out: its end overflows the stack.

use crate::library::Library;
use crate::scene::{self, Family};
use bevy_ecs::prelude::{ChildOf, Children, Entity, World};

/// Adds the workloads with relations.
pub fn relations(bevy: &mut Library) {
    for ([attach_row, detach_row], siblings) in scene::SIBLINGS {
        let family = move || Family::new(World::new(), siblings, spawn, attach);
        bevy.add_checked(attach_row, family, |it| it.move_all(attach), |it| it.check(children));
        bevy.add_checked(
            detach_row,
            family,
            |it| it.part_all(detach, attach),
            |it| it.check(children),
        );
    }
}

fn spawn(world: &mut World) -> Entity {
    world.spawn_empty().id()
}

fn attach(world: &mut World, child: Entity, parent: Entity) {
    world.entity_mut(child).insert(ChildOf(parent));
}

fn detach(world: &mut World, child: Entity) {
    world.entity_mut(child).remove::<ChildOf>();
}

fn children(world: &World, parent: Entity) -> Vec<Entity> {
    world.get::<Children>(parent).map_or_else(Vec::new, |children| children.to_vec())
}
