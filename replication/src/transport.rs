//! Transports of messages between a server and a client.

use std::io;

/// The order and reliability of the messages of a [`Transport`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delivery {
    /// All of them, once each and in the order in which they were sent, however long they are: a stream.
    Ordered,
    /// Perhaps not at all, twice, late or in another order: datagrams. The library numbers, repeats and joins them. The
    /// transport returns only datagrams of the other side: any other one can end the connection.
    Unordered {
        /// The most bytes of a message.
        longest: usize,
    },
}

/// One end of a connection between a server and a client: sends messages and returns arrived ones. It does not wait
/// for either.
///
/// ```
/// use ecs_replication::{Delivery, Transport};
/// use std::io;
/// use std::sync::mpsc::{Receiver, Sender, TryRecvError};
///
/// /// Two threads of one process.
/// struct Channel(Sender<Vec<u8>>, Receiver<Vec<u8>>);
///
/// impl Transport for Channel {
///     fn delivery(&self) -> Delivery {
///         Delivery::Ordered
///     }
///     fn send(&mut self, message: &[u8]) -> io::Result<()> {
///         self.0.send(message.to_vec()).map_err(|_| io::ErrorKind::BrokenPipe.into())
///     }
///     fn receive(&mut self) -> io::Result<Option<Vec<u8>>> {
///         match self.1.try_recv() {
///             Ok(message) => Ok(Some(message)),
///             Err(TryRecvError::Empty) => Ok(None),
///             Err(TryRecvError::Disconnected) => Err(io::ErrorKind::BrokenPipe.into()),
///         }
///     }
/// }
/// ```
pub trait Transport {
    /// Returns the order and reliability of messages. It is called once.
    fn delivery(&self) -> Delivery;

    /// Sends a message, or keeps it to be sent.
    ///
    /// # Errors
    /// When the connection has ended. A message that gets lost is none for [`Delivery::Unordered`].
    fn send(&mut self, message: &[u8]) -> io::Result<()>;

    /// Returns the next message that arrived, if there is one.
    ///
    /// # Errors
    /// When the connection has ended, and all messages were returned.
    fn receive(&mut self) -> io::Result<Option<Vec<u8>>>;

    /// Sets the most bytes of a message that arrives. A transport that joins messages keeps no longer one in memory, and
    /// ends the connection instead. The default does nothing: longer messages are refused after they arrived.
    fn limit_incoming(&mut self, longest: usize) {
        let _ = longest;
    }
}

impl<T: Transport + ?Sized> Transport for Box<T> {
    fn delivery(&self) -> Delivery {
        (**self).delivery()
    }
    fn send(&mut self, message: &[u8]) -> io::Result<()> {
        (**self).send(message)
    }
    fn receive(&mut self) -> io::Result<Option<Vec<u8>>> {
        (**self).receive()
    }
    fn limit_incoming(&mut self, longest: usize) {
        (**self).limit_incoming(longest);
    }
}
