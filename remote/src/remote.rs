//! A server, as the thread of the world has it.

use crate::budget::{Budget, Stop, Work};
use crate::error::Error;
use crate::http::{self, Listening};
use crate::options::Options;
use crate::out::Out;
use crate::protocol::{Pending, Protocol, Schedules, guarded};
use crate::room::{Held, Room};
use crate::watch::{MESSAGE, Watch};
use ecs::World;
use ecs::app::{App, Plugin};
use serde_json::Value;
use std::collections::{BTreeMap, VecDeque};
use std::io;
use std::net::SocketAddr;
use std::ops::Bound;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, SyncSender, TrySendError, channel};
use std::time::Instant;

/// The part of a request and of an answer that never waits for room, or is refused, for the sake of others, in bytes.
pub(crate) const SHORT: usize = 64 << 10;

/// The answer to a request, and the room that it takes until it is sent.
pub(crate) struct Reply {
    pub(crate) answer: Result<Out, Error>,
    _held: Option<Held>,
}

impl From<Error> for Reply {
    fn from(error: Error) -> Self {
        Self { answer: Err(error), _held: None }
    }
}

/// A request that waits for the world. The room that it takes is held until it is answered.
pub(crate) struct Request {
    /// The number of the connection.
    pub(crate) client: u64,
    pub(crate) method: String,
    pub(crate) params: Value,
    pub(crate) held: Arc<[Held; 2]>,
    pub(crate) to: Recipient,
}

pub(crate) enum Recipient {
    Once {
        until: Instant,
        reply: Sender<Reply>,
    },
    /// Answers are sent as long as there is room; a client that is slow misses some in between. The client is there as long
    /// as another `Arc` is.
    Watch {
        reply: SyncSender<Reply>,
        client: Arc<()>,
    },
}

/// A request of a client, as far as it was carried out.
struct Waiting {
    pending: Pending,
    until: Instant,
    reply: Sender<Reply>,
    /// The room for its answer.
    answer: Held,
    _held: Arc<[Held; 2]>,
}

/// A watch and where its answers go, with one that found no room.
struct Watching {
    watch: Begun,
    reply: SyncSender<Reply>,
    client: Arc<()>,
    unsent: Option<Reply>,
    /// The number of the last frame in which it was looked at.
    frame: u64,
}

enum Begun {
    NotYet { method: String, params: Value, _held: Arc<[Held; 2]> },
    Watch(Watch),
}

/// The work for a connection.
enum Client {
    Requests(VecDeque<Waiting>),
    Watch(Box<Watching>),
}

/// The end of a client's turn.
#[derive(PartialEq, Eq)]
enum Turn {
    /// There is more to do in this frame.
    More,
    /// There is more to do in the next frame.
    NextFrame,
    /// A piece of work did not fit into the rest of the frame: it is the first one of the next frame.
    Cut,
    /// There is nothing more to do.
    Done,
}

/// A server of a world: it listens from [`Options::start`] until it is dropped.
///
/// Connections are served by other threads, which never see the world. Requests wait until the world is served, once a
/// frame. Then clients take turns, so that a long request does not hold up others.
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
    listening: Listening,
    requests: Receiver<Request>,
    clients: BTreeMap<u64, Client>,
    /// The client that had the last turn.
    last: u64,
    frame: u64,
    work: Work,
    /// The room for all answers that are not sent yet.
    answers: Arc<Room>,
}

impl Remote {
    pub(crate) fn start(mut options: Options) -> io::Result<Self> {
        let (sender, requests) = channel();
        let listening = http::listen(&mut options, sender)?;
        let answers = Room::new(options.most_bytes.saturating_mul(2));
        Ok(Self {
            protocol: Protocol::new(options),
            listening,
            requests,
            clients: BTreeMap::new(),
            last: 0,
            frame: 0,
            work: Work::default(),
            answers,
        })
    }

    /// Returns the address that is listened on.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.listening.address()
    }

    /// Returns how many watches there are.
    #[must_use]
    pub fn watches(&self) -> usize {
        let is_watch = |client: &&Client| matches!(client, Client::Watch(it) if matches!(it.watch, Begun::Watch(_)));
        self.clients.values().filter(is_watch).count()
    }

    /// Returns the work for clients in the last call of [`serve`](Self::serve): at most
    /// [`Options::frame_bytes`] and [`Options::frame_values`].
    #[must_use]
    pub const fn work(&self) -> Work {
        self.work
    }

    /// Answers the requests that wait, within the [budget](Options::budget).
    pub fn serve(&mut self, world: &mut World) {
        self.serve_with(world, &[]);
    }

    /// Answers the requests that wait, within the [budget](Options::budget), and shows these schedules and their names.
    pub fn serve_with(&mut self, world: &mut World, schedules: Schedules<'_>) {
        self.protocol.frames.note(schedules);
        while let Ok(request) = self.requests.try_recv() {
            self.admit(request);
        }
        self.frame += 1;
        let budget = Budget::new(&self.protocol.options);
        let mut idle = 0;
        while idle < self.clients.len() {
            let next = self.clients.range((Bound::Excluded(self.last), Bound::Unbounded)).next();
            let Some(number) = next.or_else(|| self.clients.iter().next()).map(|it| *it.0) else {
                break;
            };
            let Some(mut client) = self.clients.remove(&number) else { break };
            budget.begin_turn(1 + self.clients.len()); // with this one, which was removed
            let turn = match &mut client {
                Client::Requests(list) => self.answer(world, schedules, list, &budget),
                Client::Watch(watching) => self.look(world, watching, &budget),
            };
            idle = if turn == Turn::NextFrame { idle + 1 } else { 0 };
            if turn != Turn::Done {
                self.clients.insert(number, client);
            }
            if turn == Turn::Cut {
                break;
            }
            self.last = number;
            if budget.is_over() {
                break;
            }
        }
        self.work = budget.done();
    }

    fn admit(&mut self, request: Request) {
        let Request { client, method, params, held, to } = request;
        match to {
            Recipient::Once { until, reply } => {
                let waiting = Waiting {
                    pending: Pending::new(method, params),
                    until,
                    reply,
                    answer: Held::none(&self.answers),
                    _held: held,
                };
                let new = || Client::Requests(VecDeque::new());
                if let Client::Requests(list) = self.clients.entry(client).or_insert_with(new) {
                    list.push_back(waiting);
                }
            }
            Recipient::Watch { reply, client: alive } => {
                let watch = Begun::NotYet { method, params, _held: held };
                let watching = Watching { watch, reply, client: alive, unsent: None, frame: 0 };
                self.clients.insert(client, Client::Watch(Box::new(watching)));
            }
        }
    }

    /// Goes on with the first request of a client.
    fn answer(
        &mut self,
        world: &mut World,
        schedules: Schedules<'_>,
        list: &mut VecDeque<Waiting>,
        budget: &Budget,
    ) -> Turn {
        let Some(first) = list.front_mut() else { return Turn::Done };
        let mut reply = None;
        if Instant::now() < first.until {
            let step = first.pending.step(&mut self.protocol, world, schedules, budget);
            let len = match &step {
                Ok(Some(out)) => out.len(),
                _ => first.pending.len(),
            };
            let has_room = first.answer.set(len.saturating_sub(SHORT));
            reply = match step {
                Err(Stop::Failed(error)) => Some(Err(error)),
                _ if !has_room => Some(Err(Error::new(
                    Error::SERVER,
                    format_args!(
                        "the answers that are not sent yet have {} bytes: ask for a `limit` of rows, or raise `Options::limits`",
                        self.answers.most
                    ),
                ))),
                Err(Stop::Later) => return Turn::Cut,
                Ok(None) => return Turn::More,
                Ok(Some(out)) => Some(Ok(out)),
            };
        } // else its client has given up
        if let Some(Waiting { reply: to, answer: held, .. }) = list.pop_front()
            && let Some(answer) = reply
        {
            // An error needs no room, which others get at once.
            let held = answer.is_ok().then_some(held);
            drop(to.send(Reply { answer, _held: held }));
        }
        if list.is_empty() { Turn::Done } else { Turn::More }
    }

    /// Sends news to a watch, if there are any.
    fn look(&mut self, world: &mut World, watching: &mut Watching, budget: &Budget) -> Turn {
        if watching.frame == self.frame {
            return Turn::NextFrame;
        }
        if Arc::strong_count(&watching.client) == 1 {
            watching.end(world);
            return Turn::Done;
        }
        let mut news = watching.unsent.take();
        if news.is_none() {
            // Without room for a message, none is made: changes are collected.
            let mut held = Held::none(&self.answers);
            if !held.set(MESSAGE) {
                return Turn::NextFrame;
            }
            news = match watching.news(&mut self.protocol, world, budget) {
                Ok(news) => news.map(|out| {
                    held.set(out.len());
                    Reply { answer: Ok(out), _held: Some(held) }
                }),
                Err(Stop::Failed(error)) => Some(error.into()),
                Err(Stop::Later) => return Turn::Cut,
            };
        }
        watching.frame = self.frame;
        if let Some(news) = news {
            let is_last = news.answer.is_err();
            match watching.reply.try_send(news) {
                Err(TrySendError::Full(news)) => watching.unsent = Some(news),
                Ok(()) if !is_last => {}
                Ok(()) | Err(TrySendError::Disconnected(_)) => {
                    watching.end(world);
                    return Turn::Done;
                }
            }
        }
        Turn::NextFrame
    }
}

impl Watching {
    fn news(
        &mut self,
        protocol: &mut Protocol,
        world: &mut World,
        budget: &Budget,
    ) -> Result<Option<Out>, Stop> {
        if let Begun::NotYet { method, params, .. } = &self.watch {
            self.watch = Begun::Watch(protocol.watch(world, method, params, budget)?);
        }
        match &mut self.watch {
            Begun::Watch(watch) => guarded(|| watch.news(world, budget)),
            Begun::NotYet { .. } => Ok(None),
        }
    }

    fn end(&mut self, world: &mut World) {
        if let Begun::Watch(watch) = &mut self.watch {
            watch.end(world);
        }
    }
}

impl std::fmt::Debug for Remote {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Remote").field("address", &self.address()).finish_non_exhaustive()
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
