//! The head of a request, and the refusals before its body is read.

use crate::http::{MOST_BODY, Server};

/// The head of a request, as far as it is looked at.
#[derive(Default)]
pub(super) struct Head {
    pub(super) len: usize,
    pub(super) method: String,
    pub(super) path: String,
    host: Option<String>,
    origin: Option<String>,
    content_type: String,
    authorization: String,
    pub(super) body: usize,
    is_chunked: bool,
    pub(super) closes: bool,
}

/// A status and a reason: the refusal of a request.
pub(super) type Refused = (u16, &'static str);

/// Refuses requests of others than this server's pages and local programs.
pub(super) fn check(head: &Head, server: &Server) -> Result<(), Refused> {
    let Server { hosts, token, .. } = server;
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
        && !head.authorization.strip_prefix("Bearer ").is_some_and(|it| is_same(it.trim(), token))
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

/// Returns `true` for equal texts, in a time that does not reveal where they differ.
fn is_same(a: &str, b: &str) -> bool {
    a.len() == b.len() && a.bytes().zip(b.bytes()).fold(0, |differ, (a, b)| differ | (a ^ b)) == 0
}

/// Returns the head of an answer, but for the length of its body.
pub(super) fn head_of(status: u16, content_type: &str, closes: bool) -> String {
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
pub(super) fn parse(bytes: &[u8]) -> Result<Option<Head>, Refused> {
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
