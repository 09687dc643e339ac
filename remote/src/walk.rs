//! Long lists of entities, walked over as many frames as they need.

use crate::budget::{Budget, Stop};
use crate::error::Error;
use crate::names;
use crate::out::Out;
use crate::patch::{self, Comparison};
use crate::protocol::{Call, Job};
use ecs::by_name::{Kind, KindQuery};
use ecs::{ChildOf, Entity, World};
use serde_json::Value;

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
    pub(crate) value: String,
}

impl Wanted {
    fn is_at(&self, world: &World, entity: Entity, budget: &Budget) -> Result<bool, Stop> {
        match names::text(world, entity, self.kind, "", budget)? {
            Some(Ok(found)) => {
                patch::has(&found, &self.path, (self.comparison, &self.value), budget)
            }
            Some(Err(_)) | None => Ok(false),
        }
    }
}

/// A row that is being written: a component at a time.
#[derive(Debug)]
struct Row {
    entity: Entity,
    /// The entity's other components.
    others: Vec<Kind>,
    /// The number of components that were looked at.
    at: usize,
    is_empty: bool,
    errors: Vec<(String, Error)>,
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
    state: State,
}

#[derive(Debug, Default)]
struct State {
    seen: usize,
    rows: usize,
    row: Option<Row>,
    out: Out,
}

impl Walk {
    /// Returns a walk over all that match, from the entity with this index.
    pub(crate) fn new(query: KindQuery, shown: Shown, limit: usize, from: u32) -> Self {
        Self {
            query,
            shown,
            skip: 0,
            limit,
            is_whole: false,
            text: String::new(),
            value: None,
            from,
            total: None,
            state: State::default(),
        }
    }

    /// Walks on. Returns `false` if the turn ends before the walk.
    fn walk(
        &mut self,
        world: &World,
        query: &KindQuery,
        most_bytes: usize,
        budget: &Budget,
    ) -> Result<bool, Stop> {
        if !self.go_on(world, most_bytes, budget)? {
            return Ok(false);
        }
        for (entity, is_match) in world.kind_rows_from(query, self.from)?.candidates() {
            let is_found = budget.piece(|| {
                budget.take_values(1)?;
                if is_match { self.is_found(world, entity, budget) } else { Ok(false) }
            })?;
            self.from = entity.index() + 1;
            if is_found {
                self.state.seen += 1;
                if self.state.seen > self.skip {
                    if self.state.rows < self.limit {
                        self.begin_row(world, entity, budget)?;
                    } else if self.is_whole {
                        let text = format!(
                            "more than {} rows match: ask for a `limit` of rows, and go on by `cursor`",
                            self.limit
                        );
                        return Err(Stop::Failed(Error::new(Error::SERVER, text)));
                    } else if self.total.is_some() || matches!(self.shown, Shown::Row { .. }) {
                        return Ok(true);
                    } // else the others are counted
                }
            }
            if !self.go_on(world, most_bytes, budget)? || budget.is_turn_over() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn is_found(&self, world: &World, entity: Entity, budget: &Budget) -> Result<bool, Stop> {
        let has_it = |text: &str| -> Result<bool, Stop> {
            budget.take_bytes(text.len())?;
            Ok(text.to_lowercase().contains(&self.text))
        };
        let mut has_text = self.text.is_empty();
        if !has_text {
            has_text = world.name(entity).map_or(Ok(false), has_it)?;
        }
        let is_handle = |text: &str| text.bytes().all(|it| it.is_ascii_digit() || it == b'v');
        if !has_text && is_handle(&self.text) {
            has_text = has_it(&entity.to_string())?;
        }
        match &self.value {
            Some(wanted) if has_text => wanted.is_at(world, entity, budget),
            _ => Ok(has_text),
        }
    }

    /// Begins a row, and writes all of a line.
    fn begin_row(&mut self, world: &World, entity: Entity, budget: &Budget) -> Result<(), Stop> {
        let State { rows, row, out, .. } = &mut self.state;
        let comma = if *rows > 0 { "," } else { "" };
        *rows += 1;
        match &self.shown {
            Shown::Row { components, all, .. } => {
                out.push(&format!("{comma}{{\"entity\":{},\"components\":{{", entity.to_bits()));
                let is_other = |kind: &Kind| components.iter().all(|(_, named)| named != kind);
                let others = world.components(entity).filter(is_other);
                let others = if *all { others.collect() } else { Vec::new() };
                *row = Some(Row { entity, others, at: 0, is_empty: true, errors: Vec::new() });
                Ok(())
            }
            Shown::Line => {
                // Counted as if it were not written: it goes on from here.
                let mark = out.mark();
                out.push(comma);
                let written = budget.piece(|| out.write_or_fail(&line(world, entity), budget));
                if written.is_err() {
                    out.rewind(mark);
                    *rows -= 1;
                    self.state.seen -= 1;
                    self.from = entity.index();
                }
                written
            }
        }
    }

    /// Goes on with the row that was begun. Returns `false` if the turn ends before it.
    fn go_on(&mut self, world: &World, most_bytes: usize, budget: &Budget) -> Result<bool, Stop> {
        let State { row: begun, out, .. } = &mut self.state;
        if let Shown::Row { components, has, .. } = &self.shown
            && let Some(row) = begun
        {
            let count = components.len() + row.others.len();
            while row.at < count {
                let (name, kind) = match components.get(row.at) {
                    Some((name, kind)) => (&**name, *kind),
                    None => (
                        row.others[row.at - components.len()].type_name(),
                        row.others[row.at - components.len()],
                    ),
                };
                row.write(world, (name, kind), out, budget)?;
                row.at += 1;
                check_len(out.len(), most_bytes)?;
                if row.at < count && budget.is_turn_over() {
                    return Ok(false);
                }
            }
            out.mark();
            row.end(world, has, out, budget)?;
            *begun = None;
        }
        check_len(out.len(), most_bytes)?;
        Ok(true)
    }
}

impl Row {
    /// Writes a component, if it is there. One that cannot be written is an error of the row.
    fn write(
        &mut self,
        world: &World,
        (name, kind): (&str, Kind),
        out: &mut Out,
        budget: &Budget,
    ) -> Result<(), Stop> {
        let mark = out.mark();
        let written = budget.piece(|| {
            if !self.is_empty {
                out.push(",");
            }
            out.write_or_fail(name, budget)?;
            out.push(":");
            names::write(world, self.entity, kind, name, (out, budget))
        });
        match written {
            Ok(Some(Ok(()))) => {
                self.is_empty = false;
                return Ok(());
            }
            Ok(None) => {}
            Ok(Some(Err(error))) | Err(Stop::Failed(error)) => {
                self.errors.push((name.to_owned(), error));
            }
            Err(Stop::Later) => {
                out.rewind(mark);
                return Err(Stop::Later);
            }
        }
        out.rewind(mark);
        Ok(())
    }

    fn end(
        &self,
        world: &World,
        has: &[(String, Option<Kind>)],
        out: &mut Out,
        budget: &Budget,
    ) -> Result<(), Stop> {
        let mark = out.mark();
        let ended = budget.piece(|| {
            out.push("}");
            for (at, (name, kind)) in has.iter().enumerate() {
                budget.take_values(1)?;
                let is_there =
                    kind.is_some_and(|kind| world.kind_value(kind, self.entity).is_some());
                out.push(if at > 0 { "," } else { ",\"has\":{" });
                out.write_or_fail(name, budget)?;
                out.push(if is_there { ":true" } else { ":false" });
            }
            out.push(if has.is_empty() { "" } else { "}" });
            for (at, (name, error)) in self.errors.iter().enumerate() {
                out.push(if at > 0 { "," } else { ",\"errors\":{" });
                out.put(name, budget);
                out.push(":");
                out.put(error, budget);
            }
            out.push(if self.errors.is_empty() { "}" } else { "}}" });
            Ok(())
        });
        if ended.is_err() {
            out.rewind(mark);
        }
        ended
    }
}

/// Returns an error for an answer that is too long.
pub(crate) fn check_len(len: usize, most: usize) -> Result<(), Error> {
    if len <= most {
        return Ok(());
    }
    let text = format!("the answer has more than {most} bytes: ask for a `limit` of rows");
    Err(Error::new(Error::SERVER, text))
}

impl Job for Walk {
    fn step(&mut self, call: &mut Call<'_>) -> Result<Option<Out>, Stop> {
        let is_list = matches!(self.shown, Shown::Row { .. });
        if self.state.out.len() == 0 {
            self.state.out.push(if is_list { "[" } else { "{\"rows\":[" });
        }
        let query = std::mem::take(&mut self.query);
        let most_bytes = call.protocol.options.most_bytes;
        let walked = self.walk(call.world, &query, most_bytes, call.budget);
        self.query = query;
        if !walked? {
            return Ok(None);
        }
        let mut out = std::mem::take(&mut self.state.out);
        if is_list {
            out.push("]");
        } else {
            let total = self.total.unwrap_or(self.state.seen);
            out.push(&format!("],\"total\":{total}}}"));
        }
        Ok(Some(out))
    }

    fn len(&self) -> usize {
        self.state.out.len()
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
