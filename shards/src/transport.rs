use crate::ShardError;

/// A way to send bytes between the ranks of a run.
///
/// [`Channels`](crate::Channels) connects threads of one process; the package `ecs_shards_mpi` connects processes by MPI.
pub trait Transport {
    /// Returns the number of this rank, from 0 to [`ranks`](Self::ranks) exclusive.
    fn rank(&self) -> usize;

    /// Returns the number of ranks of the run.
    fn ranks(&self) -> usize;

    /// Sends each of these messages to its rank, then returns the next message of each rank in `from`, in that order.
    ///
    /// Messages from one rank to another arrive in the order in which they were sent. A call that sends does not wait
    /// until the receiver asks for the message: two ranks may send to each other.
    ///
    /// # Errors
    /// When a rank ended, or the library for messages fails. A rank that returned has ended: nothing waits for it for
    /// ever.
    fn exchange(
        &mut self,
        outgoing: Vec<(usize, Vec<u8>)>,
        from: &[usize],
    ) -> Result<Vec<Vec<u8>>, ShardError>;
}

impl<T: Transport + ?Sized> Transport for &mut T {
    fn rank(&self) -> usize {
        (**self).rank()
    }

    fn ranks(&self) -> usize {
        (**self).ranks()
    }

    fn exchange(
        &mut self,
        outgoing: Vec<(usize, Vec<u8>)>,
        from: &[usize],
    ) -> Result<Vec<Vec<u8>>, ShardError> {
        (**self).exchange(outgoing, from)
    }
}
