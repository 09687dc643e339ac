//! The open connections. Their number is limited, and silent ones give way to new ones.

use std::collections::BTreeMap;
use std::net::{Shutdown, TcpStream};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// A connection gives way to a new one when it was silent for so long.
const SILENT: Duration = Duration::from_millis(500);
/// A new connection is refused when no other one ended for so long.
const STUCK: Duration = Duration::from_secs(1);

/// All open connections.
#[derive(Debug)]
pub(super) struct Connections {
    most: usize,
    all: Mutex<All>,
    ended: Condvar,
}

#[derive(Debug)]
struct All {
    open: BTreeMap<u64, Open>,
    last: u64,
    watches: usize,
    /// The time when the last one ended.
    ended: Instant,
    is_over: bool,
}

#[derive(Debug)]
struct Open {
    stream: TcpStream,
    /// The time since when the server waits for a whole request; `None` while it answers one.
    silent_since: Option<Instant>,
}

impl Connections {
    pub(super) fn new(most: usize) -> Self {
        let all = All {
            open: BTreeMap::new(),
            last: 0,
            watches: 0,
            ended: Instant::now(),
            is_over: false,
        };
        Self { most, all: Mutex::new(all), ended: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, All> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Finds a place for a connection, and returns its number. A connection that has sent no whole request gives way.
    /// Returns `None` if all others wait for answers, or the server ends.
    pub(super) fn add(&self, stream: &TcpStream) -> Option<u64> {
        let stream = stream.try_clone().ok()?;
        let mut all = self.lock();
        while !all.is_over && all.open.len() >= self.most {
            let silent =
                all.open.iter().filter_map(|(number, it)| Some((it.silent_since?, *number)));
            let wait = match silent.min() {
                Some((since, number)) if since.elapsed() >= SILENT => {
                    all.end(number);
                    break;
                }
                Some((since, _)) => SILENT.saturating_sub(since.elapsed()),
                None if all.ended.elapsed() >= STUCK => return None,
                None => STUCK.saturating_sub(all.ended.elapsed()),
            };
            let wait = wait.max(Duration::from_millis(1));
            all = self.ended.wait_timeout(all, wait).unwrap_or_else(PoisonError::into_inner).0;
        }
        if all.is_over {
            return None;
        }
        all.last += 1;
        let number = all.last;
        // It is silent from the time when it is listened to.
        all.open.insert(number, Open { stream, silent_since: None });
        Some(number)
    }

    /// Notes that a connection waits for a request.
    pub(super) fn wait_for_request(&self, number: u64) {
        if let Some(open) = self.lock().open.get_mut(&number) {
            open.silent_since = Some(Instant::now());
        }
    }

    /// Notes that a connection has sent a request. Returns `false` if its place was given to another one.
    pub(super) fn begin_answer(&self, number: u64) -> bool {
        self.lock().open.get_mut(&number).map(|open| open.silent_since = None).is_some()
    }

    /// Notes that a connection has ended.
    pub(super) fn remove(&self, number: u64) {
        self.lock().end(number);
        self.ended.notify_all();
    }

    /// Returns `true` if more than half of the places are taken.
    pub(super) fn is_crowded(&self) -> bool {
        self.lock().open.len() > self.most / 2
    }

    /// Returns `false` if there are as many watches as there may be.
    pub(super) fn begin_watch(&self) -> bool {
        let mut all = self.lock();
        let has_room = all.watches < self.most / 4;
        all.watches += usize::from(has_room);
        has_room
    }

    pub(super) fn end_watch(&self) {
        self.lock().watches -= 1;
    }

    /// Ends all connections, and lets no more in.
    pub(super) fn end_all(&self) {
        let mut all = self.lock();
        all.is_over = true;
        for open in all.open.values() {
            drop(open.stream.shutdown(Shutdown::Both));
        }
        drop(all);
        self.ended.notify_all();
    }

    pub(super) fn is_over(&self) -> bool {
        self.lock().is_over
    }
}

impl All {
    fn end(&mut self, number: u64) {
        if let Some(open) = self.open.remove(&number) {
            drop(open.stream.shutdown(Shutdown::Both));
            self.ended = Instant::now();
        }
    }
}
