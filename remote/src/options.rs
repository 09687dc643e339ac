//! The permissions and limits of a server.

use crate::budget::Work;
use crate::error::Error;
use crate::remote::Remote;
use crate::watch::EventQueue;
use ecs::{Entity, Events, ObserverId, World};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::io;
use std::time::Duration;

/// The port of the Bevy Remote Protocol.
pub const PORT: u16 = 15702;

/// A method of the program's own, from parameters to a result.
pub(crate) type OwnMethod = Box<dyn FnMut(&mut World, Value) -> Result<String, Error> + Send>;

/// Begins to observe an event, or those about an entity, and puts each into a queue as JSON.
type Observe = fn(&mut World, Option<Entity>, EventQueue) -> ObserverId;

/// An event that clients may send by name, and hear of.
pub(crate) struct EventType {
    pub(crate) name: String,
    pub(crate) send: fn(&mut World, Option<Entity>, Value) -> Result<(), Error>,
    pub(crate) observe: Option<Observe>,
}

/// A page that is served beside the inspector.
#[derive(Clone, Debug)]
pub(crate) struct Page {
    pub(crate) path: Cow<'static, str>,
    pub(crate) content_type: &'static str,
    pub(crate) body: &'static str,
}

/// The options of a server: its address, its clients, and the permitted requests.
///
/// Nothing is served before [`start`](Self::start). Then every program that reaches the port may read and edit the
/// world, as far as the options allow. At first that is every program on this machine, and no page of another site.
///
/// ```
/// use ecs_remote::Options;
///
/// let options = Options::new().port(0).read_only().token("7f3a").allow(["world.query", "ecs.pools"]);
/// let remote = options.start()?;
/// assert!(remote.address().ip().is_loopback());
/// # Ok::<(), std::io::Error>(())
/// ```
#[must_use = "nothing is served before `start`"]
pub struct Options {
    pub(crate) host: String,
    pub(crate) port: u16,
    pub(crate) is_read_only: bool,
    pub(crate) allowed: Option<BTreeSet<String>>,
    pub(crate) token: Option<String>,
    pub(crate) budget: Duration,
    pub(crate) frame: Work,
    pub(crate) most_rows: usize,
    pub(crate) most_bytes: usize,
    pub(crate) patience: Duration,
    pub(crate) waiting: (usize, usize),
    pub(crate) connections: usize,
    pub(crate) definitions: usize,
    pub(crate) events: Vec<EventType>,
    pub(crate) queues: Vec<EventType>,
    pub(crate) methods: Vec<(String, OwnMethod)>,
    pub(crate) pages: Vec<Page>,
}

impl Options {
    /// Returns options for a server on `127.0.0.1`, port 15702, that allows everything.
    pub fn new() -> Self {
        Self {
            host: "127.0.0.1".into(),
            port: PORT,
            is_read_only: false,
            allowed: None,
            token: None,
            budget: Duration::from_millis(2),
            frame: Work { bytes: 1 << 20, values: 100_000 },
            most_rows: 100_000,
            most_bytes: 32 << 20,
            patience: Duration::from_secs(10),
            waiting: (1_024, 16 << 20),
            connections: 128,
            definitions: 1_000,
            events: Vec::new(),
            queues: Vec::new(),
            methods: Vec::new(),
            pages: Vec::new(),
        }
    }

    /// Sets the port; 0 lets the system choose one, which [`Remote::address`] returns.
    pub fn port(mut self, port: u16) -> Self {
        self.port = port;
        self
    }

    /// Sets the address to listen on, and the name by which clients call it. At first it is `127.0.0.1`.
    ///
    /// Behind an address that is not loopback, all of the network may send requests: set a
    /// [`token`](Self::token) too. The traffic is not encrypted.
    pub fn host(mut self, host: impl Into<String>) -> Self {
        self.host = host.into();
        self
    }

    /// Refuses all requests that edit the world.
    pub fn read_only(mut self) -> Self {
        self.is_read_only = true;
        self
    }

    /// Refuses all methods but these.
    pub fn allow<S: Into<String>>(mut self, methods: impl IntoIterator<Item = S>) -> Self {
        self.allowed = Some(methods.into_iter().map(Into::into).collect());
        self
    }

    /// Refuses requests that do not have the header `Authorization: Bearer ..` with this token. The inspector reads it from
    /// its address: `http://127.0.0.1:15702/#token=..`.
    pub fn token(mut self, token: impl Into<String>) -> Self {
        self.token = Some(token.into());
        self
    }

    /// Sets how long [`Remote::serve`] may take each time: 2 ms at first. A request that takes longer goes on in later
    /// calls.
    ///
    /// The time is looked at between pieces of work, such as one value. [`frame_bytes`](Self::frame_bytes) and
    /// [`frame_values`](Self::frame_values) limit a piece.
    pub fn budget(mut self, budget: Duration) -> Self {
        self.budget = budget;
        self
    }

    /// Sets the most bytes of JSON that one call of [`Remote::serve`] reads and writes for all clients together: 1 MiB at
    /// first.
    ///
    /// Long answers go on in later calls. One value, an edit, an undo, a prefab and a snapshot are not divided: one with
    /// more bytes is refused, and the error names this option.
    ///
    /// ```
    /// use ecs::World;
    /// use ecs_remote::{Options, Protocol};
    /// use serde_json::json;
    ///
    /// let mut world = World::new();
    /// world.spawn_named("a name with more than twenty bytes");
    /// let mut protocol = Protocol::new(Options::new().frame_bytes(20));
    /// let error = protocol.answer(&mut world, &[], "ecs.snapshot", json!({ "name": "a" })).unwrap_err();
    /// assert!(error.message.contains("raise `Options::frame_bytes`"));
    /// ```
    pub fn frame_bytes(mut self, bytes: usize) -> Self {
        self.frame.bytes = bytes.max(1);
        self
    }

    /// Sets the most values that one call of [`Remote::serve`] reads, writes and compares for all clients together: 100,000
    /// at first. An entity that is looked at counts as a value. The rules of [`frame_bytes`](Self::frame_bytes) hold.
    pub fn frame_values(mut self, values: usize) -> Self {
        self.frame.values = values.max(1);
        self
    }

    /// Sets the most rows and bytes of one answer: 100,000 rows and 32 MiB at first. All answers together that are not yet
    /// sent have at most twice as many bytes, and 64 KiB for each client.
    pub fn limits(mut self, rows: usize, bytes: usize) -> Self {
        (self.most_rows, self.most_bytes) = (rows, bytes);
        self
    }

    /// Sets how long a request waits for the world: 10 s at first. It is not carried out later.
    pub fn patience(mut self, patience: Duration) -> Self {
        self.patience = patience;
        self
    }

    /// Sets the most requests that wait for the world, and the memory that they take: 1,024 requests and 16 MiB at first.
    /// The first 64 KiB of a client do not count, so short requests never wait behind long ones.
    ///
    /// A further request waits for room as long as the [`patience`](Self::patience) lasts, for example while the program
    /// stands at a breakpoint. Then it is refused.
    pub fn waiting(mut self, requests: usize, bytes: usize) -> Self {
        self.waiting = (requests, bytes);
        self
    }

    /// Sets the most connections at a time: 128 at first. A quarter of them may be watches.
    ///
    /// A further client takes the place of the one that has sent no whole request for the longest time. If all others
    /// wait for answers, it is refused with the status 503.
    pub fn connections(mut self, connections: usize) -> Self {
        self.connections = connections.max(4);
        self
    }

    /// Sets how often clients may define a component, or change its fields (`ecs.define`, `ecs.redefine`): 1,000 times at
    /// first. Each of these takes memory as long as the process runs.
    ///
    /// ```
    /// use ecs::World;
    /// use ecs_remote::{Options, Protocol};
    /// use serde_json::json;
    ///
    /// let mut protocol = Protocol::new(Options::new().definitions(0));
    /// let error = protocol.answer(&mut World::new(), &[], "ecs.define", json!({ "component": "Poison" })).unwrap_err();
    /// assert!(error.message.ends_with("raise `Options::definitions`"));
    /// ```
    pub fn definitions(mut self, definitions: usize) -> Self {
        self.definitions = definitions;
        self
    }

    /// Permits clients to send an event by this name, to an entity or to none (`world.trigger_event`), and to observe it
    /// (`world.observe+watch`).
    pub fn event<E: Serialize + DeserializeOwned + 'static>(
        mut self,
        name: impl Into<String>,
    ) -> Self {
        self.events.push(EventType {
            name: name.into(),
            send: |world, entity, value| {
                let event: E = serde_json::from_value(value).map_err(Error::invalid_params)?;
                match entity {
                    None => world.send(&event),
                    Some(entity) => world.send_to(entity, &event)?,
                }
                Ok(())
            },
            observe: Some(|world, of, out| match of {
                None => world.on::<E>(move |_, event| out.put(event)),
                Some(of) => world.on_entity::<E>(move |_, entity, event| {
                    if entity == of {
                        out.put(event);
                    }
                }),
            }),
        });
        self
    }

    /// Permits clients to send to the resource [`Events<E>`](Events) by this name (`world.write_message`).
    pub fn queue<E: DeserializeOwned + Send + Sync + 'static>(
        mut self,
        name: impl Into<String>,
    ) -> Self {
        self.queues.push(EventType {
            name: name.into(),
            send: |world, _, value| {
                let event: E = serde_json::from_value(value).map_err(Error::invalid_params)?;
                let queue = world.get_resource_mut::<Events<E>>().ok_or_else(|| {
                    Error::new(Error::RESOURCE_NOT_PRESENT, "the world has no such queue of events")
                })?;
                queue.send(event);
                Ok(())
            },
            observe: None,
        });
        self
    }

    /// Adds a method of the program's own. It is called with the world and the parameters of the request.
    pub fn method<R: Serialize>(
        mut self,
        name: impl Into<String>,
        mut method: impl FnMut(&mut World, Value) -> Result<R, Error> + Send + 'static,
    ) -> Self {
        self.methods.push((
            name.into(),
            Box::new(move |world, params| Ok(serde_json::to_string(&method(world, params)?)?)),
        ));
        self
    }

    /// Serves a page of the program's own at a path such as `/map`. The inspector is at `/`.
    pub fn page(
        mut self,
        path: impl Into<String>,
        content_type: &'static str,
        body: &'static str,
    ) -> Self {
        self.pages.push(Page { path: Cow::Owned(path.into()), content_type, body });
        self
    }

    /// Starts to listen. Requests wait until the world is served.
    ///
    /// # Errors
    /// Returns an error that names the address and the port if another server listens there, or the address is not one of
    /// this machine.
    pub fn start(self) -> io::Result<Remote> {
        Remote::start(self)
    }
}

impl Default for Options {
    fn default() -> Self {
        Self::new()
    }
}

impl std::fmt::Debug for Options {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Options")
            .field("host", &self.host)
            .field("port", &self.port)
            .finish_non_exhaustive()
    }
}
