//! JSON-RPC: the body of a request, and its answers.

use crate::error::Error;
use crate::http::connection::Connection;
use crate::http::head::head_of;
use crate::out::Out;
use crate::patch::count_values;
use crate::remote::{Recipient, Reply, Request, SHORT};
use crate::room::Held;
use serde::Deserialize;
use serde_json::Value;
use std::io;
use std::net::Shutdown;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel, sync_channel};
use std::time::{Duration, Instant};

/// The most requests of a batch.
const MOST_BATCH: usize = 256;
/// About the bytes that a value of a request takes while it waits.
const VALUE: usize = 64;
/// A watch looks so often whether its client is there.
const LOOK: Duration = Duration::from_millis(500);
/// The most answers of a watch that wait for its client.
const AHEAD: usize = 8;

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

/// The parts of an answer: its result is not copied.
struct Answer {
    begin: String,
    reply: Option<Reply>,
    end: &'static str,
}

impl Answer {
    fn new(id: &Value, reply: Reply) -> Self {
        let begin = format!("{{\"jsonrpc\":\"2.0\",\"id\":{id}");
        match &reply.answer {
            Ok(_) => Self { begin: begin + ",\"result\":", reply: Some(reply), end: "}" },
            Err(error) => {
                let error = serde_json::to_string(error).unwrap_or_default();
                Self { begin: begin + ",\"error\":" + &error, reply: None, end: "}" }
            }
        }
    }

    fn of_error(code: i32, why: impl std::fmt::Display) -> Self {
        Self::new(&Value::Null, Error::new(code, why).into())
    }

    fn parts(&self) -> impl Iterator<Item = &[u8]> {
        let result = self.reply.iter().filter_map(|reply| reply.answer.as_ref().ok());
        [self.begin.as_bytes()]
            .into_iter()
            .chain(result.flat_map(Out::parts))
            .chain([self.end.as_bytes()])
    }
}

impl Connection<'_> {
    /// Answers a request of JSON-RPC, or a batch of them.
    pub(super) fn answer(&mut self, body: &[u8], closes: bool) -> io::Result<()> {
        let until = Instant::now() + self.server.patience;
        // The room is taken before the body is read: its values take more than its bytes.
        let bytes = body.len() + VALUE * count_values(body);
        let Some(bytes) = self.server.waiting[1].wait(bytes.saturating_sub(SHORT), until) else {
            let full = self.full(format_args!("{bytes} bytes more"));
            return self.send_rpc(&[full], false, closes);
        };
        let body: Value = match serde_json::from_slice(body) {
            Ok(body) => body,
            Err(error) => {
                return self.send_rpc(&[Answer::of_error(Error::PARSE, error)], false, closes);
            }
        };
        let (list, is_batch) = match body {
            Value::Array(list) => (list, true),
            one => (vec![one], false),
        };
        let most = MOST_BATCH.min(self.server.waiting[0].most);
        if list.is_empty() || list.len() > most {
            let why = format!("a batch has 1 to {most} requests, not {}", list.len());
            let error = Answer::of_error(Error::INVALID_REQUEST, why);
            return self.send_rpc(&[error], false, closes);
        }
        let Some(count) = self.server.waiting[0].wait(list.len(), until) else {
            let full = self.full("another request");
            return self.send_rpc(&[full], false, closes);
        };
        let held = Arc::new([count, bytes]);
        let mut waiting = Vec::with_capacity(list.len());
        for request in list {
            let is_request = request.is_object();
            match serde_json::from_value::<Rpc>(request) {
                Ok(rpc) if rpc.jsonrpc == "2.0" => {
                    if rpc.method.ends_with("+watch") && !is_batch {
                        return self.watch(rpc, held);
                    }
                    let (reply, answer) = channel();
                    self.ask(
                        rpc.method,
                        rpc.params,
                        Arc::clone(&held),
                        Recipient::Once { until, reply },
                    );
                    waiting.push(Ok((rpc.id, answer)));
                }
                Ok(_) => waiting.push(Err("`jsonrpc` must be \"2.0\"".to_owned())),
                Err(error) if is_request => waiting.push(Err(error.to_string())),
                Err(_) => waiting.push(Err("a request is an object".to_owned())),
            }
        }
        drop(held);
        let mut answers = Vec::with_capacity(waiting.len());
        for one in waiting {
            match one {
                Err(why) => answers.push(Answer::of_error(Error::INVALID_REQUEST, why)),
                Ok((id, answer)) => {
                    let answer = wait(&answer, until);
                    if let Some(id) = id {
                        answers.push(Answer::new(&id, answer)); // a notification has no answer
                    }
                }
            }
        }
        self.send_rpc(&answers, is_batch, closes)
    }

    /// Returns the answer to a request for which there is no room.
    fn full(&self, what: impl std::fmt::Display) -> Answer {
        let [requests, bytes] = &self.server.waiting;
        let why = format!(
            "there is no room for {what}: at most {} requests of {} bytes wait for the world, which is paused or busy \
             (`Options::waiting`)",
            requests.most, bytes.most
        );
        Answer::of_error(Error::SERVER, why)
    }

    /// Puts a request into the queue.
    fn ask(&self, method: String, params: Value, held: Arc<[Held; 2]>, to: Recipient) {
        let request = Request { client: self.number, method, params, held, to };
        drop(self.server.requests.send(request)); // when the server is over, the reply is as well
    }

    fn send_rpc(&mut self, answers: &[Answer], is_batch: bool, closes: bool) -> io::Result<()> {
        let json = "application/json";
        let mut parts: Vec<&[u8]> = Vec::new();
        for answer in answers {
            parts.push(if parts.is_empty() { b"[" } else { b"," });
            parts.extend(answer.parts());
        }
        match answers {
            [] => self.send(204, json, &[], closes),
            [_] if !is_batch => self.send(200, json, &parts[1..], closes),
            _ => {
                parts.push(b"]");
                self.send(200, json, &parts, closes)
            }
        }
    }

    /// Sends the answers of a watch as events, until the client or the server ends.
    fn watch(&mut self, rpc: Rpc, held: Arc<[Held; 2]>) -> io::Result<()> {
        if !self.server.connections.begin_watch() {
            return self.refuse((503, "there are too many watches"));
        }
        let result = self.stream_events(rpc, held);
        self.server.connections.end_watch();
        drop(self.stream.shutdown(Shutdown::Both));
        result.and(Err(io::ErrorKind::ConnectionAborted.into()))
    }

    fn stream_events(&mut self, rpc: Rpc, held: Arc<[Held; 2]>) -> io::Result<()> {
        let id = rpc.id.unwrap_or_default();
        let (reply, answers) = sync_channel(AHEAD);
        let client = Arc::new(());
        let to = Recipient::Watch { reply, client: Arc::clone(&client) };
        self.ask(rpc.method, rpc.params, held, to);
        let begin = head_of(200, "text/event-stream", true) + "\r\n";
        self.write(&[begin.as_bytes()])?;
        loop {
            match answers.recv_timeout(LOOK) {
                Ok(reply) => {
                    let answer = Answer::new(&id, reply);
                    let parts: Vec<&[u8]> = [&b"data: "[..]]
                        .into_iter()
                        .chain(answer.parts())
                        .chain([&b"\n\n"[..]])
                        .collect();
                    self.write(&parts)?;
                }
                Err(RecvTimeoutError::Timeout) => self.write(&[b":\n\n"])?, // fails where the client is gone
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            }
        }
    }
}

/// Waits for the world's answer.
fn wait(answer: &Receiver<Reply>, until: Instant) -> Reply {
    // A request that was begun in time is answered, though it takes a little longer.
    let left = until.saturating_duration_since(Instant::now()) + Duration::from_millis(500);
    answer.recv_timeout(left).unwrap_or_else(|_| {
        let why = "the world did not answer in time: it is paused, or busy";
        Error::new(Error::SERVER, why).into()
    })
}
