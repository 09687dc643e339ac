//! Trees: windows of the entities that are connected by a relation.

use crate::budget::{Budget, Stop};
use crate::methods::info::{COPIED, MOST_LINES};
use crate::methods::{check_alive, kind};
use crate::out::Out;
use crate::protocol::{Call, Job, Outcome};
use crate::walk::line;
use ecs::by_name::Kind;
use ecs::{Entity, World};
use serde::Deserialize;
use std::collections::BTreeSet;
use std::vec;

/// The deepest level of a tree that is shown: a relation may have circles.
const DEEPEST: usize = 64;

#[derive(Deserialize)]
struct Tree {
    relation: String,
    entity: Option<Entity>,
    #[serde(default)]
    open: BTreeSet<Entity>,
    #[serde(default)]
    offset: usize,
    limit: Option<usize>,
}

pub(super) fn tree(call: &mut Call<'_>) -> Result<Outcome, Stop> {
    let Tree { relation, entity, open, offset, limit } = call.params()?;
    let relation = kind(call, &relation)?;
    let top = match entity {
        None => Vec::new(),
        Some(entity) => {
            check_alive(call, entity)?;
            sources(call.world, relation, entity, call.budget)?
        }
    };
    Ok(Outcome::Later(Box::new(TreeWalk {
        relation,
        open,
        offset,
        limit: limit.unwrap_or(MOST_LINES).min(MOST_LINES),
        targets: entity.is_none().then_some(0),
        roots: BTreeSet::new(),
        levels: vec![top.into_iter()],
        total: 0,
        rows: 0,
        out: "{\"rows\":[".into(),
    })))
}

/// Returns the sources of an entity, in order.
fn sources(
    world: &World,
    relation: Kind,
    entity: Entity,
    budget: &Budget,
) -> Result<Vec<Entity>, Stop> {
    let sources = world.kind_related(relation, entity);
    budget.take_values(1 + sources.len() / COPIED)?;
    Ok(sources.collect())
}

/// A walk through a tree, depth first.
struct TreeWalk {
    relation: Kind,
    open: BTreeSet<Entity>,
    offset: usize,
    limit: usize,
    /// The number of targets that were looked at, until all roots are found.
    targets: Option<usize>,
    roots: BTreeSet<Entity>,
    levels: Vec<vec::IntoIter<Entity>>,
    total: usize,
    rows: usize,
    out: Out,
}

impl TreeWalk {
    /// Looks at a target, or at an entity of the tree. Returns `false` at the end.
    fn go_on(&mut self, world: &World, budget: &Budget) -> Result<bool, Stop> {
        budget.take_values(1)?;
        if let Some(at) = self.targets {
            if let Some(target) = world.kind_targets(self.relation).get(at).copied() {
                if world.kind_target(self.relation, target).is_none() {
                    self.roots.insert(target);
                }
                self.targets = Some(at + 1);
            } else {
                let roots = std::mem::take(&mut self.roots);
                self.levels = vec![Vec::from_iter(roots).into_iter()];
                self.targets = None;
            }
            return Ok(true);
        }
        let depth = self.levels.len().wrapping_sub(1);
        let Some(level) = self.levels.last_mut() else { return Ok(false) };
        let Some(entity) = level.as_slice().first().copied() else {
            self.levels.pop();
            return Ok(true);
        };
        let is_open = depth < DEEPEST && self.open.contains(&entity);
        let below =
            if is_open { Some(sources(world, self.relation, entity, budget)?) } else { None };
        if self.total >= self.offset && self.rows < self.limit && world.is_alive(entity) {
            let mut line = line(world, entity);
            line["sources"] = world.kind_related(self.relation, entity).len().into();
            line["depth"] = depth.into();
            let mark = self.out.mark();
            self.out.push(if self.rows > 0 { "," } else { "" });
            if let Err(stop) = self.out.write_or_fail(&line, budget) {
                self.out.rewind(mark);
                return Err(stop);
            }
            self.rows += 1;
        }
        level.next();
        self.total += 1;
        self.levels.extend(below.map(Vec::into_iter));
        Ok(true)
    }
}

impl Job for TreeWalk {
    fn step(&mut self, call: &mut Call<'_>) -> Result<Option<Out>, Stop> {
        let budget = call.budget;
        while budget.piece(|| self.go_on(call.world, budget))? {
            if budget.is_turn_over() {
                return Ok(None);
            }
        }
        self.out.push(&format!("],\"total\":{}}}", self.total));
        Ok(Some(std::mem::take(&mut self.out)))
    }

    fn len(&self) -> usize {
        let entities: usize = self.levels.iter().map(vec::IntoIter::len).sum();
        self.out.len() + size_of::<Entity>() * (entities + 2 * self.roots.len())
    }
}
