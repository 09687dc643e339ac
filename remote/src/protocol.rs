//! Requests without a transport: a method and its parameters, answered by a world.

use crate::budget::{Budget, Stop, Work};
use crate::error::Error;
use crate::frames::Frames;
use crate::methods::snapshots::Snapshot;
use crate::methods::undo::Taken;
use crate::methods::{self, Method};
use crate::options::Options;
use crate::out::Out;
use crate::shape::Shapes;
use crate::watch::Watch;
use ecs::{Schedule, World};
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{SystemTime, UNIX_EPOCH};

/// Schedules and their names.
pub type Schedules<'a> = &'a [(&'a str, &'a Schedule)];

/// The protocol without a transport: it answers requests, as a [`Remote`](crate::Remote) does.
///
/// ```
/// use ecs::World;
/// use ecs_remote::{Options, Protocol};
/// use serde_json::json;
///
/// let mut world = World::new();
/// let bob = world.spawn_named("Bob").id();
/// let mut protocol = Protocol::new(Options::new());
/// let params = json!({ "entity": bob, "components": ["ecs::Name"] });
/// let answer = protocol.answer(&mut world, &[], "world.get_components", params)?;
/// assert_eq!(answer, r#"{"components":{"ecs::Name":"Bob"},"errors":{}}"#);
/// # Ok::<(), ecs_remote::Error>(())
/// ```
#[derive(Debug)]
pub struct Protocol {
    pub(crate) options: Options,
    pub(crate) shapes: Shapes,
    pub(crate) snapshots: BTreeMap<String, Snapshot>,
    pub(crate) prefabs: BTreeMap<String, String>,
    pub(crate) taken: Taken,
    pub(crate) frames: Frames,
    /// The number of definitions that clients made, new fields of a component among them.
    pub(crate) defined: usize,
    /// A number that no server before had, nor the world before the last snapshot was restored.
    pub(crate) world_number: u64,
}

/// The context of a call.
pub(crate) struct Call<'a> {
    pub(crate) protocol: &'a mut Protocol,
    pub(crate) world: &'a mut World,
    pub(crate) schedules: Schedules<'a>,
    pub(crate) params: &'a Value,
    pub(crate) budget: &'a Budget,
}

/// The outcome of a method.
pub(crate) enum Outcome {
    Done(Out),
    /// The answer takes longer.
    Later(Box<dyn Job>),
}

/// A request that was begun, and goes on for as many turns as it needs.
pub(crate) trait Job: Send {
    /// Goes on, by at least one piece of work. Returns the answer when it is complete, and `None` when the turn is over.
    fn step(&mut self, call: &mut Call<'_>) -> Result<Option<Out>, Stop>;

    /// Returns the bytes that the job keeps.
    fn len(&self) -> usize;
}

impl Call<'_> {
    /// Returns the parameters as a struct.
    pub(crate) fn params<P: DeserializeOwned>(&self) -> Result<P, Error> {
        let none = Value::Object(serde_json::Map::new());
        let params = match self.params {
            Value::Null => &none,
            Value::Array(list) if list.is_empty() => &none,
            params => params,
        };
        P::deserialize(params).map_err(Error::invalid_params)
    }
}

/// Returns the work of reading a value.
pub(crate) fn weigh(value: &Value) -> Work {
    let sum = |parts: &mut dyn Iterator<Item = Work>| {
        parts.fold(Work { bytes: 2, values: 1 }, |all, part| Work {
            bytes: all.bytes + part.bytes,
            values: all.values + part.values,
        })
    };
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => Work { bytes: 4, values: 1 },
        Value::String(text) => Work { bytes: text.len() + 2, values: 1 },
        Value::Array(list) => sum(&mut list.iter().map(weigh)),
        Value::Object(fields) => sum(&mut fields.iter().map(|(name, value)| {
            let work = weigh(value);
            Work { bytes: work.bytes + name.len() + 2, ..work }
        })),
    }
}

/// A request of a client: its method is begun, and goes on until it has an answer.
pub(crate) struct Pending {
    method: String,
    params: Value,
    work: Work,
    job: Option<Box<dyn Job>>,
}

impl Pending {
    pub(crate) fn new(method: String, params: Value) -> Self {
        let work = weigh(&params);
        Self { method, params, work, job: None }
    }

    /// Goes on for a turn. Returns the answer when it is complete.
    pub(crate) fn step(
        &mut self,
        protocol: &mut Protocol,
        world: &mut World,
        schedules: Schedules<'_>,
        budget: &Budget,
    ) -> Result<Option<Out>, Stop> {
        let Self { method, params, work, job } = self;
        guarded(|| {
            let mut call = Call { protocol, world, schedules, params, budget };
            if job.is_none() {
                let begun = budget.piece(|| {
                    budget.take(*work)?;
                    Protocol::begin(&mut call, method)
                });
                match begun? {
                    Outcome::Done(out) => return Ok(Some(out)),
                    Outcome::Later(begun) => *job = Some(begun),
                }
            }
            job.as_mut().map_or(Ok(None), |job| job.step(&mut call))
        })
    }

    /// Returns the bytes that the request keeps for its answer.
    pub(crate) fn len(&self) -> usize {
        self.job.as_ref().map_or(0, |job| job.len())
    }
}

impl Protocol {
    /// Returns a protocol with these options; its address is not used.
    #[must_use]
    pub fn new(options: Options) -> Self {
        Self {
            options,
            shapes: Shapes::default(),
            snapshots: BTreeMap::new(),
            prefabs: BTreeMap::new(),
            taken: Taken::default(),
            frames: Frames::default(),
            defined: 0,
            world_number: SystemTime::now()
                .duration_since(UNIX_EPOCH)
                .map_or(0, |since| u64::try_from(since.as_micros()).unwrap_or(0)),
        }
    }

    /// Carries out a method and returns its result as the text of JSON, however long that takes. It works in pieces of the
    /// budget of a frame, as a [`Remote`](crate::Remote) does.
    ///
    /// # Errors
    /// Returns the error of the protocol; nothing has changed then. A piece that exceeds
    /// [`Options::frame_bytes`] or [`Options::frame_values`] is an error, too.
    pub fn answer(
        &mut self,
        world: &mut World,
        schedules: Schedules<'_>,
        method: &str,
        params: Value,
    ) -> Result<String, Error> {
        let mut pending = Pending::new(method.to_owned(), params);
        loop {
            let budget = Budget::new(&self.options);
            budget.begin_turn(1);
            match pending.step(self, world, schedules, &budget) {
                Ok(Some(out)) => return out.into_text(),
                Ok(None) | Err(Stop::Later) => {}
                Err(Stop::Failed(error)) => return Err(error),
            }
        }
    }

    /// Begins to carry out a method.
    fn begin(call: &mut Call<'_>, method: &str) -> Result<Outcome, Stop> {
        if let Some(found) = call.protocol.find(method)? {
            return (found.run)(call);
        }
        let own = call.protocol.options.methods.iter_mut().find(|(name, _)| name == method);
        let Some((_, own)) = own else {
            return Err(Stop::Failed(Error::new(
                Error::METHOD_NOT_FOUND,
                format_args!("Method `{method}` not found"),
            )));
        };
        let out = Out::from(own(call.world, call.params.clone())?);
        call.budget.spend_bytes(out.len());
        Ok(Outcome::Done(out))
    }

    /// Begins a watch.
    pub(crate) fn watch(
        &mut self,
        world: &mut World,
        method: &str,
        params: &Value,
        budget: &Budget,
    ) -> Result<Watch, Stop> {
        self.find(method)?;
        guarded(|| {
            budget.piece(|| {
                budget.take(weigh(params))?;
                Watch::new(self, world, method, params)
            })
        })
    }

    /// Returns the method of this name, if it is not one of the program's own.
    fn find(&self, name: &str) -> Result<Option<&'static Method>, Error> {
        let refused =
            |why: &str| Error::new(Error::METHOD_NOT_FOUND, format_args!("Method `{name}` {why}"));
        if self.options.allowed.as_ref().is_some_and(|allowed| !allowed.contains(name)) {
            return Err(refused("is not allowed here"));
        }
        let found = methods::ALL.iter().find(|method| method.name == name);
        if self.options.is_read_only && found.is_none_or(|method| method.writes) {
            return Err(refused("is refused: this server is read-only"));
        }
        Ok(found)
    }
}

/// Calls a function that may call code of the program, such as observers, and may panic. A panic is an error then, and
/// the world goes on.
pub(crate) fn guarded<R>(run: impl FnOnce() -> Result<R, Stop>) -> Result<R, Stop> {
    catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message");
        let error = Error::new(Error::INTERNAL, format_args!("the request panicked: {text}"));
        Err(Stop::Failed(error))
    })
}
