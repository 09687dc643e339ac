//! Ranks that are processes, connected by MPI: a [`Transport`] for [`ecs_shards`].
//!
//! ```no_run
//! use ecs_shards::{Shards, Transport};
//! use ecs_shards_mpi::Mpi;
//!
//! fn main() -> std::process::ExitCode {
//!     Mpi::run(|mpi| {
//!         let mut world = ecs::World::new();
//!         let mut shards = Shards::new(mpi, &mut world)?;
//!         let ranks = shards.reduce(1, |a, b| a + b)?;
//!         println!("rank {} of {ranks}", shards.rank());
//!         Ok(())
//!     })
//! }
//! ```
//!
//! Start it by `mpirun -n 4 program`.

use ecs_shards::{ShardError, Transport};
use mpi::topology::{Process, SimpleCommunicator};
use mpi::traits::{Communicator, Destination, Source};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

/// The tag of the note that a rank returned; messages have the tag 0.
const RETURNED: i32 = 1;

/// The exit codes of a run that an error or a panic ended.
const ERROR: i32 = 1;
const PANIC: i32 = 101;

/// A rank that is a process of an MPI run.
pub struct Mpi {
    communicator: SimpleCommunicator,
    rank: usize,
    ranks: usize,
}

impl Mpi {
    /// Runs `body` as a rank, between the initialisation of MPI and its end.
    ///
    /// If the body panics or returns an error, all ranks of the run end with its message on the standard error. If a
    /// rank is killed, `mpirun` ends the others. If a body returns while another rank waits for its message, that one
    /// has an error that names it; else the rank waits until all others return.
    ///
    /// # Panics
    /// Panics if MPI was initialised before.
    pub fn run(body: impl FnOnce(&mut Self) -> Result<(), ShardError>) -> ExitCode {
        let universe = mpi::initialize().expect("MPI is initialised once in a process");
        let communicator = universe.world();
        let (rank, ranks) = (number(communicator.rank()), number(communicator.size()));
        let mut mpi = Self { communicator, rank, ranks };
        let (code, what) = match catch_unwind(AssertUnwindSafe(|| body(&mut mpi))) {
            Ok(Ok(())) => {
                mpi.finish();
                return ExitCode::SUCCESS;
            }
            Ok(Err(error)) => (ERROR, error.to_string()),
            Err(panic) => (PANIC, panic_message(&*panic).to_owned()),
        };
        eprintln!("rank {rank} failed: {what}");
        mpi.communicator.abort(code)
    }

    fn process(&self, rank: usize) -> Process<'_> {
        self.communicator.process_at_rank(i32::try_from(rank).expect("MPI has fewer ranks"))
    }

    /// Notes on all ranks that this one returned, and waits until each has returned. MPI would wait as well when it
    /// ends, and the others for messages that do not come.
    fn finish(&self) {
        let others = || (0..self.ranks).filter(|rank| *rank != self.rank);
        let nothing: [u8; 0] = [];
        mpi::request::scope(|scope| {
            let note =
                |rank| self.process(rank).immediate_send_with_tag(scope, &nothing[..], RETURNED);
            let notes: Vec<_> = others().map(note).collect();
            for rank in others() {
                // A rank that sends something else waits for an answer, and fails when it has the note.
                while self.process(rank).receive_vec::<u8>().1.tag() != RETURNED {}
            }
            for note in notes {
                note.wait();
            }
        });
    }
}

/// Returns a number that MPI counts from 0.
fn number(count: i32) -> usize {
    usize::try_from(count).expect("MPI counts from 0")
}

fn panic_message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("it panicked without a message")
}

impl Transport for Mpi {
    fn rank(&self) -> usize {
        self.rank
    }

    fn ranks(&self) -> usize {
        self.ranks
    }

    fn exchange(
        &mut self,
        outgoing: Vec<(usize, Vec<u8>)>,
        from: &[usize],
    ) -> Result<Vec<Vec<u8>>, ShardError> {
        if let Some((to, message)) = outgoing.iter().find(|it| i32::try_from(it.1.len()).is_err()) {
            let what = format!(
                "a message of {} bytes to rank {to} is longer than the 2 GiB of MPI: use more ranks",
                message.len()
            );
            return Err(ShardError::Transport(what));
        }
        mpi::request::scope(|scope| {
            let requests: Vec<_> = outgoing
                .iter()
                .map(|(to, message)| self.process(*to).immediate_send(scope, &message[..]))
                .collect();
            let receive = |from: &usize| {
                let (message, status) = self.process(*from).receive_vec::<u8>();
                if status.tag() == RETURNED { Err(ShardError::Ended(*from)) } else { Ok(message) }
            };
            let received = from.iter().map(receive).collect();
            for request in requests {
                request.wait();
            }
            received
        })
    }
}
