//! HTTP: connections, each with a thread of its own, and refusals before a request is read.
//!
//! A browser lets any page send requests to this machine. So a request must name this server as its `Host`, which a page
//! that changed the address of its own name does not. It must come from a page of this server, if it comes from a page.
//! It must have a type that pages of others may not send unasked.

use crate::error::Error;
use crate::options::{Options, Page};
use crate::page;
use crate::remote::{Answer, Request};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;
use std::io::{self, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

/// The most connections that are served at once; others wait until the system accepts them.
const MOST_CONNECTIONS: usize = 128;
/// The most watches among them.
const MOST_WATCHES: usize = 32;
/// The most bytes of a request: of its head, and of its body.
const MOST_HEAD: usize = 16 << 10;
const MOST_BODY: usize = 1 << 20;
/// The most requests of a batch.
const MOST_BATCH: usize = 256;
/// A request that began comes within this time, and an answer is taken within this time.
const PATIENCE: Duration = Duration::from_secs(5);
/// A connection without requests is closed after this time.
const IDLE: Duration = Duration::from_secs(15);
/// A watch looks so often whether its client is there.
const LOOK: Duration = Duration::from_millis(500);
/// The most answers of a watch that wait for its client.
const AHEAD: usize = 8;

/// The state that the threads of connections share.
struct Server {
    requests: Sender<Request>,
    hosts: Vec<String>,
    token: Option<String>,
    pages: Vec<Page>,
    patience: Duration,
    connections: AtomicUsize,
    watches: AtomicUsize,
    is_over: Arc<AtomicBool>,
}

/// Begins to listen. Returns the address.
pub(crate) fn listen(
    options: &mut Options,
    requests: Sender<Request>,
    is_over: Arc<AtomicBool>,
) -> io::Result<SocketAddr> {
    let listener = TcpListener::bind((&*options.host, options.port))?;
    let address = listener.local_addr()?;
    options.port = address.port();
    let names = ["localhost", "127.0.0.1", "[::1]", &options.host];
    let server = Server {
        requests,
        hosts: names.iter().map(|name| format!("{name}:{}", options.port)).collect(),
        token: options.token.clone(),
        pages: page::ALL.iter().cloned().chain(std::mem::take(&mut options.pages)).collect(),
        patience: options.patience,
        connections: AtomicUsize::new(0),
        watches: AtomicUsize::new(0),
        is_over,
    };
    let server = Arc::new(server);
    thread::Builder::new().name("ecs_remote".into()).spawn(move || accept(&listener, &server))?;
    Ok(address)
}

/// Makes the thread that listens end.
pub(crate) fn stop(is_over: &AtomicBool, address: SocketAddr) {
    is_over.store(true, Ordering::Relaxed);
    drop(TcpStream::connect_timeout(&address, PATIENCE));
}

fn accept(listener: &TcpListener, server: &Arc<Server>) {
    while !server.is_over.load(Ordering::Relaxed) {
        if server.connections.load(Ordering::Acquire) >= MOST_CONNECTIONS {
            thread::sleep(Duration::from_millis(1));
            continue;
        }
        let Ok((stream, _)) = listener.accept() else { continue };
        server.connections.fetch_add(1, Ordering::AcqRel);
        let of_thread = Arc::clone(server);
        let spawned = thread::Builder::new().spawn(move || {
            drop(Connection { stream, server: &of_thread, read: Vec::new() }.serve());
            of_thread.connections.fetch_sub(1, Ordering::AcqRel);
        });
        if spawned.is_err() {
            server.connections.fetch_sub(1, Ordering::AcqRel);
        }
    }
}

struct Connection<'s> {
    stream: TcpStream,
    server: &'s Server,
    /// Bytes that were read and belong to the next request.
    read: Vec<u8>,
}

/// The head of a request, as far as it is looked at.
#[derive(Default)]
struct Head {
    len: usize,
    method: String,
    path: String,
    host: Option<String>,
    origin: Option<String>,
    content_type: String,
    authorization: String,
    body: usize,
    is_chunked: bool,
    closes: bool,
}

/// A status and a reason: the refusal of a request.
type Refused = (u16, &'static str);

/// A request of JSON-RPC.
#[derive(Deserialize)]
struct Rpc {
    #[serde(default)]
    jsonrpc: String,
    id: Option<Value>,
    method: String,
    #[serde(default)]
    params: Value,
}

#[derive(Serialize)]
struct RpcAnswer<'a> {
    jsonrpc: &'static str,
    id: &'a Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<&'a RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a Error>,
}

fn rpc_answer(id: &Value, answer: &Answer) -> String {
    let (result, error) = match answer {
        Ok(result) => (Some(&**result), None),
        Err(error) => (None, Some(error)),
    };
    serde_json::to_string(&RpcAnswer { jsonrpc: "2.0", id, result, error }).unwrap_or_default()
}

impl Connection<'_> {
    fn serve(&mut self) -> io::Result<()> {
        self.stream.set_nodelay(true)?;
        self.stream.set_write_timeout(Some(PATIENCE))?;
        loop {
            let head = match self.head()? {
                None => return Ok(()),
                Some(Err(refused)) => return self.refuse(refused),
                Some(Ok(head)) => head,
            };
            if let Err(refused) = self.check(&head) {
                return self.refuse(refused);
            }
            // Others wait for a connection: this one makes room for them.
            let is_crowded = self.server.connections.load(Ordering::Relaxed) > MOST_CONNECTIONS / 2;
            let closes = head.closes || is_crowded;
            if head.method == "GET" {
                self.send_page(&head, closes)?;
            } else {
                let Some(body) = self.body(&head)? else {
                    return self.refuse((400, "the body is incomplete"));
                };
                self.answer(&body, closes)?;
            }
            if closes {
                return Ok(());
            }
        }
    }

    /// Reads more, by the deadline. Returns `false` at the end of the stream.
    fn fill(&mut self, deadline: Instant) -> io::Result<bool> {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        self.stream.set_read_timeout(Some(left))?;
        let mut buffer = [0; 8 << 10];
        let len = self.stream.read(&mut buffer)?;
        self.read.extend_from_slice(&buffer[..len]);
        Ok(len > 0)
    }

    /// Reads the head of the next request; `None` if there is none.
    fn head(&mut self) -> io::Result<Option<Result<Head, Refused>>> {
        let mut deadline = Instant::now() + IDLE;
        let mut has_begun = false;
        loop {
            if !self.read.is_empty() {
                if !has_begun {
                    (has_begun, deadline) = (true, Instant::now() + PATIENCE);
                }
                match parse(&self.read) {
                    Ok(Some(head)) => {
                        self.read.drain(..head.len);
                        return Ok(Some(Ok(head)));
                    }
                    Ok(None) if self.read.len() > MOST_HEAD => {
                        return Ok(Some(Err((431, "the head is too large"))));
                    }
                    Ok(None) => {}
                    Err(refused) => return Ok(Some(Err(refused))),
                }
            }
            if !self.fill(deadline)? {
                return Ok(None);
            }
        }
    }

    /// Refuses requests of others than this server's pages and local programs.
    fn check(&self, head: &Head) -> Result<(), Refused> {
        let Server { hosts, token, .. } = self.server;
        let is_own = |name: &str| hosts.iter().any(|host| host.eq_ignore_ascii_case(name));
        if !head.host.as_deref().is_some_and(is_own) {
            return Err((421, "the host is not this server"));
        }
        if let Some(origin) = &head.origin
            && !origin.strip_prefix("http://").is_some_and(is_own)
        {
            return Err((403, "pages of others are refused"));
        }
        match &*head.method {
            // Bytes behind its head would be read as another request.
            "GET" if head.body > 0 || head.is_chunked => {
                return Err((400, "a request for a page has no body"));
            }
            "GET" => return Ok(()), // pages have no data of the world
            "POST" => {}
            _ => return Err((405, "requests are sent by POST")),
        }
        let mime = head.content_type.split(';').next().unwrap_or_default().trim();
        if !mime.eq_ignore_ascii_case("application/json") {
            return Err((415, "the content type is not application/json"));
        }
        if let Some(token) = token
            && !head
                .authorization
                .strip_prefix("Bearer ")
                .is_some_and(|it| is_same(it.trim(), token))
        {
            return Err((401, "the token is missing or wrong"));
        }
        if head.is_chunked {
            return Err((411, "the length of the body is missing"));
        }
        if head.body > MOST_BODY {
            return Err((413, "the body is too large"));
        }
        Ok(())
    }

    fn body(&mut self, head: &Head) -> io::Result<Option<Vec<u8>>> {
        let deadline = Instant::now() + PATIENCE;
        while self.read.len() < head.body {
            if !self.fill(deadline)? {
                return Ok(None);
            }
        }
        let rest = self.read.split_off(head.body);
        Ok(Some(std::mem::replace(&mut self.read, rest)))
    }

    fn send(
        &mut self,
        status: u16,
        content_type: &str,
        body: &[u8],
        closes: bool,
    ) -> io::Result<()> {
        let mut out = head_of(status, content_type, closes);
        let length = format!("Content-Length: {}\r\n\r\n", body.len());
        out += &length;
        let mut out = out.into_bytes();
        out.extend_from_slice(body);
        self.write(&out)
    }

    /// Writes all, in as much time as a client that reads takes: each megabyte has a share.
    fn write(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        let most = u32::try_from(bytes.len() >> 20).unwrap_or(u32::MAX).saturating_add(1);
        let deadline = Instant::now() + PATIENCE * most.min(12);
        while !bytes.is_empty() {
            if Instant::now() >= deadline {
                return Err(io::ErrorKind::TimedOut.into());
            }
            match self.stream.write(bytes)? {
                0 => return Err(io::ErrorKind::WriteZero.into()),
                len => bytes = &bytes[len..],
            }
        }
        Ok(())
    }

    fn refuse(&mut self, (status, why): Refused) -> io::Result<()> {
        self.send(status, "text/plain; charset=utf-8", why.as_bytes(), true)?;
        // Unread bytes would make the system discard the answer.
        self.stream.shutdown(Shutdown::Write)?;
        let deadline = Instant::now() + Duration::from_millis(500);
        let mut left = 2 * MOST_BODY;
        while left > 0 {
            self.read.clear();
            match self.fill(deadline) {
                Ok(true) => left = left.saturating_sub(self.read.len()),
                Ok(false) | Err(_) => break,
            }
        }
        Ok(())
    }

    fn send_page(&mut self, head: &Head, closes: bool) -> io::Result<()> {
        let path = head.path.split('?').next().unwrap_or_default();
        match self.server.pages.iter().find(|page| page.path == path) {
            Some(page) => self.send(200, page.content_type, page.body.as_bytes(), closes),
            None => self.send(404, "text/plain; charset=utf-8", b"no such page", closes),
        }
    }

    /// Answers a request of JSON-RPC, or a batch of them.
    fn answer(&mut self, body: &[u8], closes: bool) -> io::Result<()> {
        let body: Value = match serde_json::from_slice(body) {
            Ok(body) => body,
            Err(error) => {
                return self.send_rpc(&[error_answer(Error::PARSE, error)], false, closes);
            }
        };
        let (list, is_batch) = match body {
            Value::Array(list) => (list, true),
            one => (vec![one], false),
        };
        if list.is_empty() || list.len() > MOST_BATCH {
            let why = format!("a batch has 1 to {MOST_BATCH} requests, not {}", list.len());
            return self.send_rpc(&[error_answer(Error::INVALID_REQUEST, why)], false, closes);
        }
        let mut waiting = Vec::with_capacity(list.len());
        for request in list {
            let is_request = request.is_object();
            match serde_json::from_value::<Rpc>(request) {
                Ok(rpc) if rpc.jsonrpc == "2.0" => {
                    if rpc.method.ends_with("+watch") && !is_batch {
                        return self.watch(rpc);
                    }
                    let until = Instant::now() + self.server.patience;
                    let (reply, answer) = channel();
                    let request =
                        Request::Once { method: rpc.method, params: rpc.params, until, reply };
                    drop(self.server.requests.send(request)); // when the server is over, the reply is as well
                    waiting.push(Ok((rpc.id, answer, until)));
                }
                Ok(_) => waiting.push(Err("`jsonrpc` must be \"2.0\"".to_owned())),
                Err(error) if is_request => waiting.push(Err(error.to_string())),
                Err(_) => waiting.push(Err("a request is an object".to_owned())),
            }
        }
        let mut answers = Vec::with_capacity(waiting.len());
        for one in waiting {
            match one {
                Err(why) => answers.push(error_answer(Error::INVALID_REQUEST, why)),
                Ok((id, answer, until)) => {
                    let answer = wait(&answer, until);
                    if let Some(id) = id {
                        answers.push(rpc_answer(&id, &answer)); // a notification has no answer
                    }
                }
            }
        }
        self.send_rpc(&answers, is_batch, closes)
    }

    fn send_rpc(&mut self, answers: &[String], is_batch: bool, closes: bool) -> io::Result<()> {
        let json = "application/json";
        match answers {
            [] => self.send(204, json, b"", closes),
            [one] if !is_batch => self.send(200, json, one.as_bytes(), closes),
            all => self.send(200, json, format!("[{}]", all.join(",")).as_bytes(), closes),
        }
    }

    /// Sends the answers of a watch as events, until the client or the server ends.
    fn watch(&mut self, rpc: Rpc) -> io::Result<()> {
        let id = rpc.id.unwrap_or_default();
        if self.server.watches.fetch_add(1, Ordering::AcqRel) >= MOST_WATCHES {
            self.server.watches.fetch_sub(1, Ordering::AcqRel);
            return self.refuse((503, "there are too many watches"));
        }
        let result = self.stream_events(&id, rpc.method, rpc.params);
        self.server.watches.fetch_sub(1, Ordering::AcqRel);
        drop(self.stream.shutdown(Shutdown::Both));
        result.and(Err(io::ErrorKind::ConnectionAborted.into()))
    }

    fn stream_events(&mut self, id: &Value, method: String, params: Value) -> io::Result<()> {
        let (reply, answers) = sync_channel(AHEAD);
        let client = Arc::new(());
        let request = Request::Watch { method, params, reply, client: Arc::clone(&client) };
        drop(self.server.requests.send(request));
        let mut head = head_of(200, "text/event-stream", true);
        head += "\r\n";
        self.write(head.as_bytes())?;
        loop {
            match answers.recv_timeout(LOOK) {
                Ok(answer) => {
                    self.write(format!("data: {}\n\n", rpc_answer(id, &answer)).as_bytes())?;
                }
                Err(RecvTimeoutError::Timeout) => self.write(b":\n\n")?, // fails where the client is gone
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            }
        }
    }
}

/// Waits for the world's answer.
fn wait(answer: &Receiver<Answer>, until: Instant) -> Answer {
    // A request that was begun in time is answered, though it takes a little longer.
    let left = until.saturating_duration_since(Instant::now()) + Duration::from_millis(500);
    answer.recv_timeout(left).unwrap_or_else(|_| {
        Err(Error::new(Error::SERVER, "the world did not answer in time: it is paused, or busy"))
    })
}

fn error_answer(code: i32, why: impl std::fmt::Display) -> String {
    rpc_answer(&Value::Null, &Err(Error::new(code, why)))
}

/// Returns `true` for equal texts, in a time that does not reveal where they differ.
fn is_same(a: &str, b: &str) -> bool {
    a.len() == b.len() && a.bytes().zip(b.bytes()).fold(0, |differ, (a, b)| differ | (a ^ b)) == 0
}

fn head_of(status: u16, content_type: &str, closes: bool) -> String {
    let name = match status {
        200 => "OK",
        204 => "No Content",
        503 => "Service Unavailable",
        _ => "Refused",
    };
    let connection = if closes { "close" } else { "keep-alive" };
    format!(
        "HTTP/1.1 {status} {name}\r\nContent-Type: {content_type}\r\nConnection: {connection}\r\n\
         Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nX-Frame-Options: DENY\r\n\
         Cross-Origin-Resource-Policy: same-origin\r\nReferrer-Policy: no-referrer\r\n\
         Content-Security-Policy: default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; frame-ancestors 'none'\r\n"
    )
}

/// Reads the head of a request; `None` if it is incomplete.
fn parse(bytes: &[u8]) -> Result<Option<Head>, Refused> {
    let mut headers = [httparse::EMPTY_HEADER; 64];
    let mut request = httparse::Request::new(&mut headers);
    let len = match request.parse(bytes) {
        Ok(httparse::Status::Complete(len)) => len,
        Ok(httparse::Status::Partial) => return Ok(None),
        Err(_) => return Err((400, "this is no HTTP")),
    };
    let mut head = Head {
        len,
        method: request.method.unwrap_or_default().to_owned(),
        path: request.path.unwrap_or_default().to_owned(),
        closes: request.version == Some(0),
        ..Head::default()
    };
    let mut lengths = 0;
    for header in request.headers.iter() {
        let value =
            std::str::from_utf8(header.value).map_err(|_| (400, "a header is no text"))?.trim();
        match &*header.name.to_ascii_lowercase() {
            "host" if head.host.is_some() => return Err((400, "there are two hosts")),
            "host" => head.host = Some(value.to_owned()),
            "origin" => head.origin = Some(value.to_owned()),
            "content-type" => value.clone_into(&mut head.content_type),
            "authorization" => value.clone_into(&mut head.authorization),
            "content-length" => {
                lengths += 1;
                head.body =
                    value.parse().map_err(|_| (400, "the length of the body is no number"))?;
            }
            "transfer-encoding" => head.is_chunked = true,
            "connection" => head.closes |= value.eq_ignore_ascii_case("close"),
            _ => {}
        }
    }
    if lengths > 1 {
        return Err((400, "there are two lengths of the body"));
    }
    Ok(Some(head))
}
