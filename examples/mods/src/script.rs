//! Scripts: one file is one system.
//!
//! A constant `QUERY` selects entities, by a [text](ecs::World::kinds_query). The function `each` is called with
//! each match: `this` has its components as maps, and `this.entity` is its handle. A component that `each` changed in `this` is
//! inserted anew. These functions do the rest, at once:
//!
//! | | |
//! |---|---|
//! | `rows(query)` | the matches of another query, as maps |
//! | `summon(monster, components)` | spawns a monster with other components, and returns its handle |
//! | `despawn(entity)` | despawns an entity |
//! | `insert(entity, component, value)` | inserts a component |
//! | `remove(entity, component)` | removes a component |
//! | `random(n)` | a number from 0 to n - 1, the same ones in each game of one seed |
//! | `say(text)` | prints a line below the hall |

use ecs::by_name::Kind;
use ecs::save::Prefabs;
use ecs::{Entity, World};
use rhai::serde::{from_dynamic, to_dynamic};
use rhai::{AST, CallFnOptions, Dynamic, Engine, EvalAltResult, Map, Position, Scope};
use serde_json::Value;
use std::cell::{RefCell, RefMut};
use std::error::Error;
use std::mem::take;
use std::rc::Rc;

/// The steps that one call of a script may take: an endless loop ends in some milliseconds.
const STEPS: u64 = 1_000_000;

type Outcome<T> = Result<T, Box<EvalAltResult>>;

/// An entity, and the components of it that a query reads.
type Match = (Entity, Vec<Kind>);

/// The state that the functions of scripts read and write.
#[derive(Default)]
pub(crate) struct State {
    pub(crate) world: World,
    pub(crate) prefabs: Prefabs,
    random: u64,
    said: Vec<String>,
}

/// The world, and the language in which scripts edit it.
pub(crate) struct Host {
    engine: Engine,
    state: Rc<RefCell<State>>,
}

/// A file of the language that was read without a mistake.
pub(crate) struct Script {
    file: String,
    tree: AST,
    query: Option<String>,
    /// The line of the function that is called. An error without a place, as of too many steps, is shown there.
    line: usize,
}

impl Host {
    pub(crate) fn new(world: World, seed: u64) -> Self {
        let state = Rc::new(RefCell::new(State { world, random: seed | 1, ..State::default() }));
        let mut engine = Engine::new();
        engine.set_max_operations(STEPS);
        engine.set_max_call_levels(64).set_max_expr_depths(64, 64);
        engine.set_max_string_size(10_000).set_max_array_size(100_000).set_max_map_size(1_000);
        let host = Rc::clone(&state);
        engine.register_fn("rows", move |query: &str| host.borrow().rows(query).map_err(failed));
        let host = Rc::clone(&state);
        engine.register_fn("summon", move |monster: &str, components: Map| {
            host.borrow_mut().spawn(monster, components).map_err(failed)
        });
        let host = Rc::clone(&state);
        engine.register_fn("despawn", move |entity: &str| {
            host.borrow_mut().despawn(entity).map_err(failed)
        });
        let host = Rc::clone(&state);
        engine.register_fn("insert", move |entity: &str, component: &str, value: Dynamic| {
            host.borrow_mut().insert(entity, component, &value).map_err(failed)
        });
        let host = Rc::clone(&state);
        engine.register_fn("remove", move |entity: &str, component: &str| {
            host.borrow_mut().remove(entity, component).map_err(failed)
        });
        let host = Rc::clone(&state);
        engine.register_fn("random", move |n: i64| host.borrow_mut().random(n).map_err(failed));
        let host = Rc::clone(&state);
        engine.register_fn("say", move |text: &str| host.borrow_mut().said.push(text.to_owned()));
        Self { engine, state }
    }

    pub(crate) fn state(&self) -> RefMut<'_, State> {
        self.state.borrow_mut()
    }

    pub(crate) fn take_said(&self) -> Vec<String> {
        take(&mut self.state().said)
    }

    /// Reads a script. The error has the file and its line.
    pub(crate) fn compile(&self, file: &str, text: &str) -> Result<Script, String> {
        let tree = self
            .engine
            .compile(text)
            .map_err(|it| at(file, it.position(), &it.err_type().to_string()))?;
        let mut scope = Scope::new();
        // Constants are computed; there are no other statements on the top.
        self.engine.run_ast_with_scope(&mut scope, &tree).map_err(|it| in_file(file, 1, &it))?;
        let query = scope.get_value::<String>("QUERY");
        if let Some(query) = &query {
            self.state()
                .world
                .kinds_query(query)
                .map_err(|it| format!("{file}: `QUERY`: {it}"))
                .map(drop)?;
        }
        let line = text
            .lines()
            .position(|line| line.starts_with("fn each") || line.starts_with("fn start"));
        Ok(Script { file: file.to_owned(), tree, query, line: line.map_or(1, |at| at + 1) })
    }

    /// Calls the function `start` of a script. The error has the file and its line.
    pub(crate) fn start(&self, script: &Script) -> Result<(), String> {
        let called = self.engine.call_fn::<Dynamic>(&mut Scope::new(), &script.tree, "start", ());
        called.map(drop).map_err(|it| in_file(&script.file, script.line, &it))
    }

    /// Calls the function `each` of a script with each match of its query. The error has the file and its line.
    pub(crate) fn run(&self, script: &Script) -> Result<(), String> {
        let Some(query) = &script.query else { return Ok(()) };
        let rows =
            self.state().matches(query).map_err(|it| format!("{}: `QUERY`: {it}", script.file))?;
        for (entity, kinds) in rows {
            // An earlier call may have taken a component of the query from this entity.
            let Some(before) = self.state().row(entity, &kinds) else { continue };
            let mut row =
                to_dynamic(&before).map_err(|it| in_file(&script.file, script.line, &it))?;
            let options = CallFnOptions::new().bind_this_ptr(&mut row).eval_ast(false);
            let called = self.engine.call_fn_with_options::<Dynamic>(
                options,
                &mut Scope::new(),
                &script.tree,
                "each",
                (),
            );
            called.map(drop).map_err(|it| in_file(&script.file, script.line, &it))?;
            let written = self.state().write(entity, &kinds, &before, &row);
            written.map_err(|it| format!("{}: {it}", script.file))?;
        }
        Ok(())
    }
}

impl State {
    /// Returns the matches of a query, each with the components that the query reads and the entity has.
    fn matches(&self, query: &str) -> Result<Vec<Match>, Box<dyn Error>> {
        let query = self.world.kinds_query(query)?;
        let rows = self.world.kind_rows(&query)?;
        Ok(rows
            .map(|row| (row.entity(), row.values().map(ecs::by_name::Value::kind).collect()))
            .collect())
    }

    /// Returns the components of an entity by their names, and its handle as `entity`. Returns `None` if it lacks one.
    fn row(&self, entity: Entity, kinds: &[Kind]) -> Option<Value> {
        let mut row = serde_json::Map::new();
        row.insert("entity".to_owned(), Value::String(entity.to_string()));
        for kind in kinds {
            let value = self.world.kind_value(*kind, entity)?;
            let value = value.as_serialize().map_or(Ok(Value::Null), serde_json::to_value);
            row.insert(kind.name().to_owned(), value.unwrap_or(Value::Null));
        }
        Some(Value::Object(row))
    }

    fn rows(&self, query: &str) -> Result<rhai::Array, Box<dyn Error>> {
        let rows = self.matches(query)?;
        let rows = rows.into_iter().filter_map(|(entity, kinds)| self.row(entity, &kinds));
        Ok(rows.map(to_dynamic).collect::<Outcome<_>>()?)
    }

    /// Inserts the components of a row that a script changed, if the entity still has them.
    fn write(
        &mut self,
        entity: Entity,
        kinds: &[Kind],
        before: &Value,
        after: &Dynamic,
    ) -> Result<(), Box<dyn Error>> {
        let after: Value = from_dynamic(after)?;
        for kind in kinds {
            let value = &after[kind.name()];
            if *value != before[kind.name()] && self.world.kind_value(*kind, entity).is_some() {
                self.world
                    .insert_kind(*kind, entity, value)
                    .map_err(|it| format!("`{}`: {it}", kind.name()))?;
            }
        }
        Ok(())
    }

    fn spawn(&mut self, monster: &str, components: Map) -> Result<String, Box<dyn Error>> {
        let entity = self.world.spawn_prefab(self.prefabs.get(monster)?)?.id();
        for (component, value) in components {
            self.insert(&entity.to_string(), &component, &value)?;
        }
        Ok(entity.to_string())
    }

    fn despawn(&mut self, entity: &str) -> Result<(), Box<dyn Error>> {
        Ok(self.world.despawn(entity.parse()?)?)
    }

    fn insert(
        &mut self,
        entity: &str,
        component: &str,
        value: &Dynamic,
    ) -> Result<(), Box<dyn Error>> {
        let kind = self.world.kind(component)?;
        let value: Value = from_dynamic(value)?;
        self.world
            .insert_kind(kind, entity.parse()?, value)
            .map_err(|it| format!("`{component}`: {it}").into())
    }

    fn remove(&mut self, entity: &str, component: &str) -> Result<(), Box<dyn Error>> {
        let kind = self.world.kind(component)?;
        Ok(self.world.remove_kind(kind, entity.parse()?)?)
    }

    /// Returns the next number of a sequence that depends on the seed alone (xorshift, Marsaglia 2003).
    fn random(&mut self, n: i64) -> Result<i64, Box<dyn Error>> {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        let below =
            u64::try_from(n).ok().filter(|n| *n > 0).ok_or("`random` takes a number above 0")?;
        Ok((self.random % below).cast_signed())
    }
}

/// An error of a function of the host, as the language has it: it adds the line of the call.
#[expect(
    clippy::needless_pass_by_value,
    clippy::unnecessary_box_returns,
    reason = "as `map_err` and the language have it"
)]
fn failed(error: Box<dyn Error>) -> Box<EvalAltResult> {
    error.to_string().into()
}

/// Returns the innermost error of a script, with its file and line.
fn in_file(file: &str, line: usize, error: &EvalAltResult) -> String {
    let inner = error.unwrap_inner();
    let mut bare = inner.to_string();
    if let Some(line) = bare.rfind(" (line ") {
        bare.truncate(line);
    }
    let position = inner.position();
    let position =
        if position.is_none() { Position::new(line.try_into().unwrap_or(1), 0) } else { position };
    at(file, position, bare.trim_start_matches("Runtime error: "))
}

fn at(file: &str, position: Position, text: &str) -> String {
    match (position.line(), position.position()) {
        (Some(line), Some(column)) => format!("{file}:{line}:{column}: {text}"),
        (Some(line), None) => format!("{file}:{line}: {text}"),
        _ => format!("{file}: {text}"),
    }
}
