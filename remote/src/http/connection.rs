//! A connection: requests, one after another.

use crate::http::head::{Head, Refused, check, head_of, parse};
use crate::http::{MOST_BODY, MOST_HEAD, Server};
use std::io::{self, IoSlice, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::{Duration, Instant};

/// A request that began comes within this time, and an answer is taken within this time.
const PATIENCE: Duration = Duration::from_secs(5);
/// A connection without requests is closed after this time.
const IDLE: Duration = Duration::from_secs(15);

pub(super) struct Connection<'s> {
    pub(super) stream: TcpStream,
    pub(super) server: &'s Server,
    /// The number of the connection.
    pub(super) number: u64,
    /// Bytes that were read and belong to the next request.
    pub(super) read: Vec<u8>,
}

impl Connection<'_> {
    /// Answers requests until one of the sides closes the connection.
    pub(super) fn serve(&mut self) -> io::Result<()> {
        self.stream.set_nodelay(true)?;
        self.stream.set_write_timeout(Some(PATIENCE))?;
        loop {
            self.server.connections.wait_for_request(self.number);
            let head = match self.head()? {
                None => return Ok(()),
                Some(Err(refused)) => return self.refuse(refused),
                Some(Ok(head)) => head,
            };
            if let Err(refused) = check(&head, self.server) {
                return self.refuse(refused);
            }
            let body = if head.method == "GET" { Some(Vec::new()) } else { self.body(&head)? };
            if !self.server.connections.begin_answer(self.number) {
                return Ok(()); // its place was given to another one
            }
            // Others wait for a connection: this one makes room for them.
            let closes = head.closes || self.server.connections.is_crowded();
            match body {
                None => return self.refuse((400, "the body is incomplete")),
                Some(_) if head.method == "GET" => self.send_page(&head, closes)?,
                Some(body) => self.answer(&body, closes)?,
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

    pub(super) fn send(
        &mut self,
        status: u16,
        content_type: &str,
        body: &[&[u8]],
        closes: bool,
    ) -> io::Result<()> {
        let len: usize = body.iter().map(|part| part.len()).sum();
        let head = head_of(status, content_type, closes);
        let head = format!("{head}Content-Length: {len}\r\n\r\n");
        let parts: Vec<&[u8]> = [head.as_bytes()].into_iter().chain(body.iter().copied()).collect();
        self.write(&parts)
    }

    /// Writes all, in as much time as a client that reads takes: each megabyte has a share.
    pub(super) fn write(&mut self, parts: &[&[u8]]) -> io::Result<()> {
        let len: usize = parts.iter().map(|part| part.len()).sum();
        let most = u32::try_from(len >> 20).unwrap_or(u32::MAX).saturating_add(1);
        let deadline = Instant::now() + PATIENCE * most.min(12);
        let mut slices: Vec<IoSlice<'_>> = parts.iter().map(|part| IoSlice::new(part)).collect();
        let mut left = &mut *slices;
        IoSlice::advance_slices(&mut left, 0); // without empty ones
        while !left.is_empty() {
            if Instant::now() >= deadline {
                return Err(io::ErrorKind::TimedOut.into());
            }
            match self.stream.write_vectored(left)? {
                0 => return Err(io::ErrorKind::WriteZero.into()),
                len => IoSlice::advance_slices(&mut left, len),
            }
        }
        Ok(())
    }

    pub(super) fn refuse(&mut self, (status, why): Refused) -> io::Result<()> {
        self.send(status, "text/plain; charset=utf-8", &[why.as_bytes()], true)?;
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
            Some(page) => self.send(200, page.content_type, &[page.body.as_bytes()], closes),
            None => self.send(404, "text/plain; charset=utf-8", &[b"no such page"], closes),
        }
    }
}
