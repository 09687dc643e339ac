//! Long lists of entities, walked over as many frames as they need.

use crate::error::Error;
use crate::names;
use crate::patch::{self, Comparison};
use ecs::by_name::{Kind, KindQuery};
use ecs::{ChildOf, Entity, World};
use serde_json::Value;
use serde_json::value::RawValue;
use std::time::Instant;

/// The number of entities for each look at the clock.
const CHECKED: usize = 64;

/// The parts of each entity that are written.
#[derive(Debug)]
pub(crate) enum Shown {
    /// A row of `world.query`: these components where they are, and whether others are there.
    Row { components: Vec<(String, Kind)>, all: bool, has: Vec<(String, Option<Kind>)> },
    /// A line of the inspector's list: the name, the parent, and the names of components.
    Line,
}

/// A value of a component, or of a part of it.
#[derive(Debug)]
pub(crate) struct Wanted {
    pub(crate) kind: Kind,
    pub(crate) path: String,
    pub(crate) comparison: Comparison,
    pub(crate) value: Box<RawValue>,
}

impl Wanted {
    fn is_at(&self, world: &World, entity: Entity) -> bool {
        let found = names::value(world, entity, self.kind, "").and_then(Result::ok);
        found.is_some_and(|found| patch::has(&found, &self.path, self.comparison, &self.value))
    }
}

/// A walk over the entities that match, and the output so far.
#[derive(Debug)]
pub(crate) struct Walk {
    pub(crate) query: KindQuery,
    pub(crate) shown: Shown,
    /// The entities to be left out first.
    pub(crate) skip: usize,
    /// The most rows.
    pub(crate) limit: usize,
    /// The most bytes.
    pub(crate) bytes: usize,
    /// `true` if more rows than the limit are an error.
    pub(crate) is_whole: bool,
    /// Only entities whose name or handle contains this text.
    pub(crate) text: String,
    /// Only entities with this value.
    pub(crate) value: Option<Wanted>,
    /// The index where the walk goes on.
    pub(crate) from: u32,
    /// The number of matches, if it is available before all are seen.
    pub(crate) total: Option<usize>,
    pub(crate) seen: usize,
    pub(crate) rows: usize,
    pub(crate) out: Vec<u8>,
}

impl Walk {
    /// Walks on until the deadline, but at least over a few entities. Returns the answer when all is written.
    pub(crate) fn go(
        &mut self,
        world: &World,
        deadline: Instant,
    ) -> Option<Result<Box<RawValue>, Error>> {
        self.walk(world, deadline).map(|result| {
            result?;
            self.out.push(b']');
            let rows = String::from_utf8(std::mem::take(&mut self.out))
                .map_err(|error| Error::new(Error::INTERNAL, error))?;
            let text = match self.shown {
                Shown::Row { .. } => rows,
                Shown::Line => {
                    let total = self.total.unwrap_or(self.seen);
                    format!("{{\"total\":{total},\"rows\":{rows}}}")
                }
            };
            Ok(RawValue::from_string(text)?)
        })
    }

    fn walk(&mut self, world: &World, deadline: Instant) -> Option<Result<(), Error>> {
        if self.out.is_empty() {
            self.out.push(b'[');
        }
        let query = std::mem::take(&mut self.query);
        let rows = match world.kind_rows_from(&query, self.from) {
            Ok(rows) => rows,
            Err(error) => return Some(Err(error.into())),
        };
        let mut result = Some(Ok(()));
        for (at, (entity, is_match)) in rows.candidates().enumerate() {
            if at > 0 && at % CHECKED == 0 && Instant::now() >= deadline {
                result = None;
                break;
            }
            self.from = entity.index() + 1;
            if !is_match || !self.is_found(world, entity) {
                continue;
            }
            self.seen += 1;
            if self.seen <= self.skip {
                continue;
            }
            if self.rows == self.limit {
                if self.is_whole {
                    result = Some(Err(Error::new(
                        Error::SERVER,
                        format_args!(
                            "more than {} rows match: ask for a `limit` of rows, and go on by `cursor`",
                            self.limit
                        ),
                    )));
                    break;
                }
                if self.total.is_some() || matches!(self.shown, Shown::Row { .. }) {
                    break;
                }
                continue; // to count the others
            }
            if let Err(error) = self.write(world, entity) {
                result = Some(Err(error));
                break;
            }
            if self.out.len() > self.bytes {
                result = Some(Err(Error::new(
                    Error::SERVER,
                    format_args!(
                        "the answer has more than {} bytes: ask for a `limit` of rows",
                        self.bytes
                    ),
                )));
                break;
            }
        }
        self.query = query;
        result
    }

    fn is_found(&self, world: &World, entity: Entity) -> bool {
        let has_it = |text: &str| text.to_lowercase().contains(&self.text);
        let has_text = self.text.is_empty()
            || world.name(entity).is_some_and(has_it)
            || has_it(&entity.to_string());
        has_text && self.value.as_ref().is_none_or(|wanted| wanted.is_at(world, entity))
    }

    fn write(&mut self, world: &World, entity: Entity) -> Result<(), Error> {
        if self.rows > 0 {
            self.out.push(b',');
        }
        self.rows += 1;
        let out = &mut self.out;
        match &self.shown {
            Shown::Row { components, all, has } => {
                out.extend(format!("{{\"entity\":{},\"components\":{{", entity.to_bits()).bytes());
                let mut is_first = true;
                let mut add = |name: &str, value: Box<RawValue>| -> Result<(), Error> {
                    if !std::mem::take(&mut is_first) {
                        out.push(b',');
                    }
                    serde_json::to_writer(&mut *out, name)?;
                    out.push(b':');
                    out.extend(value.get().bytes());
                    Ok(())
                };
                for (name, kind) in components {
                    if let Some(value) = names::value(world, entity, *kind, name) {
                        add(name, value?)?;
                    }
                }
                if *all {
                    for kind in world.components(entity) {
                        if components.iter().all(|(_, named)| *named != kind)
                            && let Some(value) = names::value(world, entity, kind, "")
                        {
                            add(kind.type_name(), value?)?;
                        }
                    }
                }
                out.push(b'}');
                if !has.is_empty() {
                    out.extend(b",\"has\":{");
                    for (at, (name, kind)) in has.iter().enumerate() {
                        if at > 0 {
                            out.push(b',');
                        }
                        let is_there =
                            kind.is_some_and(|kind| world.kind_value(kind, entity).is_some());
                        serde_json::to_writer(&mut *out, name)?;
                        out.extend(format!(":{is_there}").bytes());
                    }
                    out.push(b'}');
                }
                out.push(b'}');
            }
            Shown::Line => serde_json::to_writer(out, &line(world, entity))?,
        }
        Ok(())
    }
}

/// An entity as the inspector lists it.
pub(crate) fn line(world: &World, entity: Entity) -> Value {
    let relation = Kind::of::<ChildOf>();
    serde_json::json!({
        "entity": entity,
        "name": world.name(entity),
        "parent": world.parent(entity),
        "children": world.kind_related(relation, entity).len(),
        "components": world.components(entity).map(Kind::name).collect::<Vec<_>>(),
    })
}
