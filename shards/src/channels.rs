use crate::{ShardError, Transport};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// Ranks that are threads of one process: for tests, and for runs on a machine without MPI.
///
/// ```
/// use ecs_shards::{Channels, Transport};
///
/// let left = Channels::run(3, |channels| {
///     let (rank, ranks) = (channels.rank(), channels.ranks());
///     let (right, left) = ((rank + 1) % ranks, (rank + ranks - 1) % ranks);
///     let received = channels.exchange(vec![(right, vec![rank as u8])], &[left])?;
///     Ok(received[0][0])
/// });
/// assert_eq!(left.unwrap(), [2, 0, 1]);
/// ```
#[derive(Debug)]
pub struct Channels {
    rank: usize,
    /// By receiving rank.
    senders: Vec<Sender<Vec<u8>>>,
    /// By sending rank.
    receivers: Vec<Receiver<Vec<u8>>>,
}

impl Channels {
    /// Runs `body` on this many threads; each is a rank. Returns the results in the order of the ranks.
    ///
    /// # Errors
    /// When the body of a rank panics or returns an error: [`ShardError::Failed`] with the message of the first one. When
    /// it returns while another rank waits for its message: the same error, with the rank that returned. The others end at their
    /// next exchange with a rank that ended.
    ///
    /// # Panics
    /// Panics if the system cannot start a thread.
    pub fn run<T: Send>(
        ranks: usize,
        body: impl Fn(&mut Self) -> Result<T, ShardError> + Sync,
    ) -> Result<Vec<T>, ShardError> {
        let first_failure = Mutex::new(None);
        let returned = Mutex::new(vec![false; ranks]);
        let run_rank = |mut channels: Self| {
            let result = catch_unwind(AssertUnwindSafe(|| body(&mut channels)));
            // The channels close after it is noted how the rank ended, so the consequences come later.
            let rank = channels.rank;
            let mut returned = returned.lock().unwrap_or_else(PoisonError::into_inner);
            let (rank, what) = match result {
                Ok(Ok(value)) => {
                    returned[rank] = true;
                    return Some(value);
                }
                Ok(Err(ShardError::Ended(early))) if returned[early] => {
                    let what = format!("it returned while rank {rank} waits for its message");
                    (early, what)
                }
                Ok(Err(error)) => (rank, error.to_string()),
                Err(panic) => (rank, panic_message(&*panic)),
            };
            let mut first = first_failure.lock().unwrap_or_else(PoisonError::into_inner);
            first.get_or_insert(ShardError::Failed { rank, what });
            None
        };
        let results: Vec<Option<T>> = thread::scope(|scope| {
            let threads: Vec<_> = Self::connect(ranks)
                .into_iter()
                .map(|channels| scope.spawn(|| run_rank(channels)))
                .collect();
            threads.into_iter().map(|thread| thread.join().ok().flatten()).collect()
        });
        match first_failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Some(failure) => Err(failure),
            None => Ok(results.into_iter().flatten().collect()),
        }
    }

    /// Returns this many ranks, each connected to all.
    fn connect(ranks: usize) -> Vec<Self> {
        let new = |rank| Self { rank, senders: Vec::new(), receivers: Vec::new() };
        let mut all: Vec<Self> = (0..ranks).map(new).collect();
        for from in 0..ranks {
            for to in 0..ranks {
                let (sender, receiver) = channel();
                all[from].senders.push(sender);
                all[to].receivers.push(receiver);
            }
        }
        all
    }
}

fn panic_message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("it panicked without a message").to_owned()
}

impl Transport for Channels {
    fn rank(&self) -> usize {
        self.rank
    }

    fn ranks(&self) -> usize {
        self.senders.len()
    }

    fn exchange(
        &mut self,
        outgoing: Vec<(usize, Vec<u8>)>,
        from: &[usize],
    ) -> Result<Vec<Vec<u8>>, ShardError> {
        for (to, message) in outgoing {
            self.senders[to].send(message).map_err(|_| ShardError::Ended(to))?;
        }
        let receive = |from: &usize| {
            let messages = &self.receivers[*from];
            // This rank sends nothing while it waits for itself.
            let message =
                if *from == self.rank { messages.try_recv().ok() } else { messages.recv().ok() };
            message.ok_or(ShardError::Ended(*from))
        };
        from.iter().map(receive).collect()
    }
}
