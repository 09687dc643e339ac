//! Transports over QUIC, by [`quinn`]: encrypted, and with the certificates of your own.
//!
//! Its connections are driven by a runtime of tokio, on threads of its own; servers and clients of this library do not wait
//! for them, and are called from anywhere. [`Stream`] is the one to take at first: QUIC sends lost packets again, and
//! adapts to the network. [`Datagrams`] leaves both to this library, whose packets do not wait for other streams of the
//! connection.

use crate::{Delivery, Transport};
use quinn::{Connection, RecvStream, SendDatagramError, SendStream};
use std::future::Future;
use std::io::{self, ErrorKind};
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, Waker};
use tokio::runtime::Handle;
use tokio::sync::mpsc::{self as queue, error::TryRecvError};

/// The most bytes of a message, until [`Transport::limit_incoming`] sets another number.
const LONGEST: usize = 1 << 13;
/// The most messages that wait to be received. More of them wait at the other side, by the flow control of QUIC.
const MOST_WAITING: usize = 16;

/// Datagrams of a connection, which may get lost.
#[derive(Debug)]
pub struct Datagrams {
    connection: Connection,
    longest: usize,
}

impl Datagrams {
    /// Returns a transport that sends datagrams over a connection.
    ///
    /// # Errors
    /// When the other side does not take datagrams.
    pub fn new(connection: Connection) -> io::Result<Self> {
        let longest = connection.max_datagram_size().ok_or(ErrorKind::Unsupported)?;
        // A network may take less later, but none takes less than this.
        Ok(Self { connection, longest: longest.min(1_100) })
    }
}

impl Transport for Datagrams {
    fn delivery(&self) -> Delivery {
        Delivery::Unordered { longest: self.longest }
    }
    fn send(&mut self, message: &[u8]) -> io::Result<()> {
        match self.connection.send_datagram(message.to_vec().into()) {
            Err(SendDatagramError::TooLarge) | Ok(()) => Ok(()), // it gets lost
            Err(error) => Err(io::Error::other(error)),
        }
    }
    fn receive(&mut self) -> io::Result<Option<Vec<u8>>> {
        let next = pin!(self.connection.read_datagram());
        match next.poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(Ok(datagram)) => Ok(Some(datagram.to_vec())),
            Poll::Ready(Err(error)) => Err(error.into()),
            Poll::Pending => Ok(None),
        }
    }
}

/// A stream of a connection, in both directions: messages with their lengths.
#[derive(Debug)]
pub struct Stream {
    outbox: queue::UnboundedSender<Vec<u8>>,
    inbox: queue::Receiver<io::Result<Vec<u8>>>,
    longest: Arc<AtomicUsize>,
    connection: Connection,
}

impl Stream {
    /// Opens a stream: for either side, but only one.
    ///
    /// # Errors
    /// When the connection has ended.
    ///
    /// # Panics
    /// When it is called outside of a runtime of tokio.
    pub async fn open(connection: Connection) -> io::Result<Self> {
        let (mut to, from) = connection.open_bi().await?;
        // The other side hears of a stream by its first bytes.
        to.write_all(&0_u32.to_le_bytes()).await?;
        Ok(Self::over(connection, to, from))
    }

    /// Accepts the stream that the other side opened.
    ///
    /// # Errors
    /// When the connection has ended.
    ///
    /// # Panics
    /// When it is called outside of a runtime of tokio.
    pub async fn accept(connection: Connection) -> io::Result<Self> {
        let (to, from) = connection.accept_bi().await?;
        Ok(Self::over(connection, to, from))
    }

    fn over(connection: Connection, to: SendStream, from: RecvStream) -> Self {
        let (outbox, messages) = queue::unbounded_channel();
        let (arrived, inbox) = queue::channel(MOST_WAITING);
        let longest = Arc::new(AtomicUsize::new(LONGEST));
        let runtime = Handle::current();
        runtime.spawn(write_all(to, messages));
        runtime.spawn(read_all(from, arrived, Arc::clone(&longest)));
        Self { outbox, inbox, longest, connection }
    }
}

async fn write_all(mut to: SendStream, mut messages: queue::UnboundedReceiver<Vec<u8>>) {
    while let Some(message) = messages.recv().await {
        let Ok(length) = u32::try_from(message.len()) else { break };
        let is_sent = to.write_all(&length.to_le_bytes()).await.is_ok()
            && to.write_all(&message).await.is_ok();
        if !is_sent {
            return; // `read_all` says why
        }
    }
    let _ = to.finish(); // it is dropped anyway
}

async fn read_all(
    mut from: RecvStream,
    arrived: queue::Sender<io::Result<Vec<u8>>>,
    longest: Arc<AtomicUsize>,
) {
    loop {
        let message = read_one(&mut from, &longest).await;
        let is_over = message.is_err();
        if arrived.send(message).await.is_err() || is_over {
            return;
        }
    }
}

async fn read_one(from: &mut RecvStream, longest: &AtomicUsize) -> io::Result<Vec<u8>> {
    loop {
        let mut length = [0; 4];
        from.read_exact(&mut length).await.map_err(io::Error::other)?;
        let length = u32::from_le_bytes(length);
        if length as usize > longest.load(Ordering::Relaxed) {
            return Err(ErrorKind::InvalidData.into());
        }
        // Room for arrived bytes, and not for promised ones.
        let mut message = Vec::new();
        while message.len() < length as usize {
            let most = (length as usize - message.len()).min(1 << 16);
            let chunk = from.read_chunk(most, true).await?.ok_or(ErrorKind::UnexpectedEof)?;
            message.extend_from_slice(&chunk.bytes);
        }
        if length > 0 {
            return Ok(message);
        }
    }
}

impl Transport for Stream {
    fn delivery(&self) -> Delivery {
        Delivery::Ordered
    }
    fn send(&mut self, message: &[u8]) -> io::Result<()> {
        match self.connection.close_reason() {
            Some(error) => Err(error.into()),
            None => self.outbox.send(message.to_vec()).map_err(|_| ErrorKind::BrokenPipe.into()),
        }
    }
    fn receive(&mut self) -> io::Result<Option<Vec<u8>>> {
        match self.inbox.try_recv() {
            Ok(message) => message.map(Some),
            Err(TryRecvError::Empty) => Ok(None),
            Err(TryRecvError::Disconnected) => Err(ErrorKind::BrokenPipe.into()),
        }
    }
    fn limit_incoming(&mut self, longest: usize) {
        self.longest.store(longest, Ordering::Relaxed);
    }
}

/// Returns the configuration of a server and its certificate, which is made on the spot for `name`: for tests and local
/// networks.
///
/// # Errors
/// When `name` is not one that a certificate can have.
#[cfg(feature = "self-signed")]
pub fn self_signed(name: &str) -> io::Result<(quinn::ServerConfig, Vec<u8>)> {
    use quinn::rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
    let made = rcgen::generate_simple_self_signed([name.to_owned()]).map_err(io::Error::other)?;
    let certificate = made.cert.der().clone();
    let key = PrivateKeyDer::from(PrivatePkcs8KeyDer::from(made.signing_key.serialize_der()));
    let config = quinn::ServerConfig::with_single_cert(vec![certificate.clone()], key);
    Ok((config.map_err(io::Error::other)?, certificate.to_vec()))
}

/// Returns the configuration of a client that trusts this certificate, and no other.
///
/// # Errors
/// When that is not a certificate.
pub fn trusting(certificate: Vec<u8>) -> io::Result<quinn::ClientConfig> {
    let mut roots = quinn::rustls::RootCertStore::empty();
    roots.add(certificate.into()).map_err(io::Error::other)?;
    quinn::ClientConfig::with_root_certificates(Arc::new(roots)).map_err(io::Error::other)
}
