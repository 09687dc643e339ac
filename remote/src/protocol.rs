//! Requests without a transport: a method and its parameters, answered by a world.

use crate::error::Error;
use crate::frames::Frames;
use crate::methods::undo::Taken;
use crate::methods::{self, Method};
use crate::options::Options;
use crate::shape::Shapes;
use crate::walk::Walk;
use crate::watch::Watch;
use ecs::{Schedule, World};
use serde::de::DeserializeOwned;
use serde_json::Value;
use serde_json::value::RawValue;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

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
    pub(crate) snapshots: BTreeMap<String, Vec<u8>>,
    pub(crate) prefabs: BTreeMap<String, String>,
    pub(crate) taken: Taken,
    pub(crate) frames: Frames,
    /// A number that no server before had, nor the world before the last snapshot was restored.
    pub(crate) world_number: u64,
}

/// The context of a call.
pub(crate) struct Call<'a> {
    pub(crate) protocol: &'a mut Protocol,
    pub(crate) world: &'a mut World,
    pub(crate) schedules: Schedules<'a>,
    pub(crate) params: Value,
}

/// The outcome of a method.
pub(crate) enum Outcome {
    Done(Box<RawValue>),
    /// The answer takes longer.
    Later(Box<Walk>),
}

impl Call<'_> {
    /// Returns the parameters as a struct.
    pub(crate) fn params<P: DeserializeOwned>(&mut self) -> Result<P, Error> {
        let params = match self.params.take() {
            Value::Null => Value::Object(serde_json::Map::new()),
            Value::Array(list) if list.is_empty() => Value::Object(serde_json::Map::new()),
            params => params,
        };
        serde_json::from_value(params).map_err(Error::invalid_params)
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
            world_number: SystemTime::now()
                .duration_since(UNIX_EPOCH)
                .map_or(0, |since| u64::try_from(since.as_micros()).unwrap_or(0)),
        }
    }

    /// Carries out a method and returns its result as the text of JSON, however long that takes.
    ///
    /// # Errors
    /// Returns the error of the protocol; nothing has changed then.
    pub fn answer(
        &mut self,
        world: &mut World,
        schedules: Schedules<'_>,
        method: &str,
        params: Value,
    ) -> Result<String, Error> {
        let result = match self.begin(world, schedules, method, params)? {
            Outcome::Done(result) => result,
            Outcome::Later(mut walk) => loop {
                let deadline = Instant::now() + Duration::from_millis(10);
                if let Some(result) = walk.go(world, deadline) {
                    break result?;
                }
            },
        };
        Ok(String::from(Box::<str>::from(result)))
    }

    /// Begins to carry out a method.
    pub(crate) fn begin(
        &mut self,
        world: &mut World,
        schedules: Schedules<'_>,
        method: &str,
        params: Value,
    ) -> Result<Outcome, Error> {
        if let Some(found) = self.find(method)? {
            let mut call = Call { protocol: self, world, schedules, params };
            return guarded(|| (found.run)(&mut call));
        }
        let own = self.options.methods.iter_mut().find(|(name, _)| name == method);
        let Some((_, own)) = own else {
            return Err(Error::new(
                Error::METHOD_NOT_FOUND,
                format_args!("Method `{method}` not found"),
            ));
        };
        guarded(|| own(world, params).map(Outcome::Done))
    }

    /// Begins a watch.
    pub(crate) fn watch(
        &mut self,
        world: &mut World,
        method: &str,
        params: Value,
    ) -> Result<Watch, Error> {
        self.find(method)?;
        guarded(|| Watch::new(self, world, method, params))
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
pub(crate) fn guarded<R>(run: impl FnOnce() -> Result<R, Error>) -> Result<R, Error> {
    catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message");
        Err(Error::new(Error::INTERNAL, format_args!("the request panicked: {text}")))
    })
}
