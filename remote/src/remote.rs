//! A server, as the thread of the world has it.

use crate::error::Error;
use crate::http;
use crate::options::Options;
use crate::protocol::{Outcome, Protocol, Schedules, guarded};
use crate::walk::Walk;
use crate::watch::Watch;
use ecs::World;
use ecs::app::{App, Plugin};
use serde_json::Value;
use serde_json::value::RawValue;
use std::collections::VecDeque;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{Receiver, Sender, SyncSender, TrySendError, channel};
use std::time::Instant;

/// The result of a request.
pub(crate) type Answer = Result<Box<RawValue>, Error>;

/// A request that waits for the world.
pub(crate) enum Request {
    Once {
        method: String,
        params: Value,
        until: Instant,
        reply: Sender<Answer>,
    },
    /// Answers are sent as long as there is room; a client that is slow misses some in between. The client is there as long
    /// as another `Arc` is.
    Watch {
        method: String,
        params: Value,
        reply: SyncSender<Answer>,
        client: Arc<()>,
    },
}

/// A watch and where its answers go, with one that found no room.
struct Watching {
    watch: Watch,
    reply: SyncSender<Answer>,
    client: Arc<()>,
    unsent: Option<Answer>,
}

/// A server of a world: it listens from [`Options::start`] until it is dropped.
///
/// Connections are served by other threads, which never see the world. Requests wait until the world is served, once a
/// frame.
///
/// ```no_run
/// use ecs::World;
/// use ecs_remote::Options;
///
/// let mut world = World::new();
/// let mut remote = Options::new().start()?; // http://127.0.0.1:15702
/// loop {
///     // .. a frame ..
///     remote.serve(&mut world);
/// }
/// # #[allow(unreachable_code)]
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct Remote {
    protocol: Protocol,
    address: SocketAddr,
    requests: Receiver<Request>,
    /// Requests that take longer than a frame.
    long: VecDeque<(Walk, Sender<Answer>, Instant)>,
    watches: VecDeque<Watching>,
    is_over: Arc<AtomicBool>,
}

impl Remote {
    pub(crate) fn start(mut options: Options) -> io::Result<Self> {
        let (sender, requests) = channel();
        let is_over = Arc::new(AtomicBool::new(false));
        let address = http::listen(&mut options, sender, Arc::clone(&is_over))?;
        let protocol = Protocol::new(options);
        Ok(Self {
            protocol,
            address,
            requests,
            long: VecDeque::new(),
            watches: VecDeque::new(),
            is_over,
        })
    }

    /// Returns the address that is listened on.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns how many watches there are.
    #[must_use]
    pub fn watches(&self) -> usize {
        self.watches.len()
    }

    /// Answers the requests that wait, within the [budget](Options::budget).
    pub fn serve(&mut self, world: &mut World) {
        self.serve_with(world, &[]);
    }

    /// Answers the requests that wait, within the [budget](Options::budget), and shows these schedules and their names.
    pub fn serve_with(&mut self, world: &mut World, schedules: Schedules<'_>) {
        self.protocol.frames.note(schedules);
        let start = Instant::now();
        let budget = self.protocol.options.budget;
        // Each sort of work has a share, so none waits for ever.
        while let Ok(request) = self.requests.try_recv() {
            self.take(world, schedules, request);
            if start.elapsed() >= budget / 2 {
                break;
            }
        }
        for _ in 0..self.long.len() {
            let Some((mut walk, reply, until)) = self.long.pop_front() else { break };
            match guarded(|| walk.go(world, start + budget * 3 / 4).transpose()) {
                Ok(None) if Instant::now() < until => self.long.push_back((walk, reply, until)),
                Ok(None) => {}
                Ok(Some(rows)) => drop(reply.send(Ok(rows))),
                Err(error) => drop(reply.send(Err(error))),
            }
            if start.elapsed() >= budget * 3 / 4 {
                break;
            }
        }
        for _ in 0..self.watches.len() {
            let Some(watching) = self.watches.pop_front() else { break };
            self.look(world, watching);
            if start.elapsed() >= budget {
                break;
            }
        }
    }

    fn take(&mut self, world: &mut World, schedules: Schedules<'_>, request: Request) {
        match request {
            Request::Once { until, .. } if Instant::now() >= until => {}
            Request::Once { method, params, until, reply } => {
                match self.protocol.begin(world, schedules, &method, params) {
                    Ok(Outcome::Later(walk)) => self.long.push_back((*walk, reply, until)),
                    Ok(Outcome::Done(result)) => drop(reply.send(Ok(result))),
                    Err(error) => drop(reply.send(Err(error))),
                }
            }
            Request::Watch { method, params, reply, client } => {
                match self.protocol.watch(world, &method, params) {
                    Ok(watch) => self.look(world, Watching { watch, reply, client, unsent: None }),
                    Err(error) => drop(reply.try_send(Err(error))),
                }
            }
        }
    }

    /// Sends news to a watch, and keeps it if its client is there.
    fn look(&mut self, world: &mut World, mut watching: Watching) {
        let news =
            watching.unsent.take().or_else(|| match guarded(|| watching.watch.news(world)) {
                Ok(None) => None,
                Ok(Some(news)) => Some(crate::names::raw(&news)),
                Err(error) => Some(Err(error)),
            });
        if Arc::strong_count(&watching.client) == 1 {
            return watching.watch.end(world);
        }
        if let Some(news) = news {
            let is_last = news.is_err();
            match watching.reply.try_send(news) {
                Err(TrySendError::Disconnected(_)) => return watching.watch.end(world),
                Ok(()) if is_last => return watching.watch.end(world),
                Err(TrySendError::Full(news)) => watching.unsent = Some(news),
                Ok(()) => {}
            }
        }
        self.watches.push_back(watching);
    }
}

impl Drop for Remote {
    fn drop(&mut self) {
        http::stop(&self.is_over, self.address);
    }
}

impl std::fmt::Debug for Remote {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Remote").field("address", &self.address).finish_non_exhaustive()
    }
}

/// Serves the world of an [`App`] at the end of each frame, with all its schedules, whose systems are timed.
///
/// ```no_run
/// use ecs::app::App;
/// use ecs_remote::{Options, RemotePlugin};
///
/// let mut app = App::new();
/// app.install(RemotePlugin(Options::new().start()?));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct RemotePlugin(pub Remote);

impl Plugin for RemotePlugin {
    fn install(self, app: &mut App) {
        let mut remote = self.0;
        let mut timed = 0;
        app.after_frame(move |app| {
            let (world, schedules) = app.parts_mut();
            let mut list = Vec::new();
            for (label, set, schedule) in schedules {
                if list.len() >= timed {
                    schedule.set_timed(true);
                }
                list.push((format!("{label}/{set}"), &*schedule));
            }
            timed = list.len();
            let list: Vec<_> = list.iter().map(|(name, schedule)| (&**name, *schedule)).collect();
            remote.serve_with(world, &list);
        });
    }
}
