//! Messages of any length, each once and in order, over whatever transport there is.
//!
//! An ordered transport carries them as they are. Over an unordered one they are cut into numbered pieces, each in a packet
//! of its own, and each packet acknowledges the pieces that arrived at its sender. A piece is sent again if it is not
//! acknowledged after two round trips. Time is counted in updates, so that the same losses give the same packets. A *loose*
//! packet has bytes that are sent once, and arrive in any order or not at all.

use crate::{Delivery, Error, Statistics, Transport};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, VecDeque};
use std::io;

/// The most bytes of a packet beside its piece: three numbers, a length and two flags.
const HEADER: usize = 38;
/// The most pieces that are underway to a client, and the most that it keeps if they came early.
pub(crate) const MOST_TO_CLIENT: usize = 1_024;
/// The most pieces that are underway to a server, and the most that it keeps if they came early.
pub(crate) const MOST_TO_SERVER: usize = 128;
/// The bytes that a packet is counted as, beside its own.
pub(crate) const EACH: usize = 64;
/// The least pieces that may be underway, however many get lost.
const LEAST_UNDERWAY: usize = 8;
/// The most updates until a piece is sent again.
const LONGEST_WAIT: u64 = 120;

#[derive(Serialize, Deserialize)]
struct Packet<'a> {
    /// All pieces before this one arrived at the sender of the packet.
    next: u64,
    /// Which of the 64 pieces behind `next` arrived, too.
    early: u64,
    #[serde(borrow)]
    content: Content<'a>,
}

#[derive(Serialize, Deserialize)]
enum Content<'a> {
    Nothing,
    Piece(#[serde(borrow)] Piece<'a>),
    Loose(&'a [u8]),
}

#[derive(Serialize, Deserialize)]
struct Piece<'a> {
    number: u64,
    is_last: bool,
    bytes: &'a [u8],
}

/// A piece of a message that is to arrive.
struct Pending {
    number: u64,
    is_last: bool,
    bytes: Vec<u8>,
    sent_at: u64,
    is_repeated: bool,
}

/// Bytes that arrived.
pub(crate) enum Arrived {
    /// A message, in its order.
    Message(Vec<u8>),
    /// The bytes of a loose packet.
    Loose(Vec<u8>),
}

/// The limits of one end of a connection.
#[derive(Clone, Copy)]
pub(crate) struct LinkLimits {
    /// The most bytes of a message from the other side, and of its pieces that came early.
    pub(crate) longest: usize,
    /// The most bytes that are read in an update; the rest waits in the transport.
    pub(crate) most_read: usize,
    /// The most pieces that are underway to the other side, and from there.
    pub(crate) most_sent: usize,
    pub(crate) most_early: usize,
}

/// One end of a connection.
pub(crate) struct Link<T> {
    transport: T,
    delivery: Delivery,
    pub(crate) limits: LinkLimits,
    /// Updates so far, when something was heard of the other side, and when it acknowledged something new.
    pub(crate) now: u64,
    heard_at: u64,
    pub(crate) progress_at: u64,
    /// The other side is gone if nothing is heard of it for this many updates.
    pub(crate) patience: u64,
    /// Pieces that were not sent yet, and sent ones that are not acknowledged.
    waiting: VecDeque<Pending>,
    underway: BTreeMap<u64, Pending>,
    /// The bytes of both.
    unacknowledged: usize,
    next_number: u64,
    /// The number of pieces that may be underway.
    window: usize,
    /// A round trip, in sixteenths of an update.
    round_trip: u64,
    /// The next piece to arrive in order, the early ones, and the arrived part of the message.
    next_piece: u64,
    early: BTreeMap<u64, (bool, Vec<u8>)>,
    early_bytes: usize,
    message: Vec<u8>,
    /// The bytes that were read in this update.
    read: usize,
    owes_answer: bool,
    pub(crate) statistics: Statistics,
}

impl<T: Transport> Link<T> {
    pub(crate) fn new(mut transport: T, limits: LinkLimits, patience: u64) -> Self {
        transport.limit_incoming(limits.longest);
        Self {
            delivery: transport.delivery(),
            transport,
            limits,
            now: 0,
            heard_at: 0,
            progress_at: 0,
            patience,
            waiting: VecDeque::new(),
            underway: BTreeMap::new(),
            unacknowledged: 0,
            next_number: 0,
            window: 64,
            round_trip: 16,
            next_piece: 0,
            early: BTreeMap::new(),
            early_bytes: 0,
            message: Vec::new(),
            read: 0,
            owes_answer: false,
            statistics: Statistics::default(),
        }
    }

    /// Sets the most bytes of a message from the other side.
    pub(crate) fn accept_messages_of(&mut self, longest: usize) {
        self.limits.longest = longest;
        self.transport.limit_incoming(longest);
    }

    /// Returns the most bytes of a loose packet, or `None` if the transport has no such packets.
    pub(crate) fn longest_loose(&self) -> Option<usize> {
        match self.delivery {
            Delivery::Ordered => None,
            Delivery::Unordered { longest } => Some(longest.saturating_sub(HEADER).max(1)),
        }
    }

    /// Returns how many bytes of messages are not acknowledged.
    pub(crate) const fn backlog(&self) -> usize {
        self.unacknowledged
    }

    /// Sends a message, or keeps it to be sent by the next [`flush`](Self::flush).
    pub(crate) fn send(&mut self, message: &[u8]) -> io::Result<()> {
        let Some(most) = self.longest_loose() else { return self.transmit(message) };
        self.unacknowledged += message.len();
        let count = message.len().div_ceil(most);
        for (at, bytes) in message.chunks(most).enumerate() {
            let (number, is_last, bytes) = (self.next_number, at + 1 == count, bytes.to_vec());
            let piece = Pending { number, is_last, bytes, sent_at: 0, is_repeated: false };
            self.waiting.push_back(piece);
            self.next_number += 1;
        }
        Ok(())
    }

    fn transmit(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.statistics.packets_sent += 1;
        self.statistics.bytes_sent += bytes.len() as u64;
        self.transport.send(bytes)
    }

    /// Sends bytes once, at once. They may get lost. The transport must have loose packets of this length.
    pub(crate) fn send_loose(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.send_packet(Content::Loose(bytes))
    }

    /// Returns the next message that arrived as a whole, or the next loose packet. Returns `None`, too, when an update has
    /// read its limit.
    ///
    /// # Errors
    /// When the connection has ended, or the other side broke a rule.
    pub(crate) fn receive(&mut self) -> Result<Option<Arrived>, Error> {
        loop {
            if let Some(message) = self.next_message()? {
                return Ok(Some(Arrived::Message(message)));
            }
            if self.read >= self.limits.most_read {
                return Ok(None);
            }
            let Some(bytes) = self.transport.receive()? else { return Ok(None) };
            self.read = self.read.saturating_add(bytes.len() + EACH);
            self.heard_at = self.now;
            self.statistics.packets_received += 1;
            self.statistics.bytes_received += bytes.len() as u64;
            if self.delivery == Delivery::Ordered {
                self.check_length(bytes.len())?;
                return Ok(Some(Arrived::Message(bytes)));
            }
            if let Ok(packet) = postcard::from_bytes::<Packet>(&bytes)
                && let Some(loose) = self.take_in(packet)?
            {
                return Ok(Some(Arrived::Loose(loose)));
            } // or a stranger sent it
        }
    }

    fn check_length(&self, length: usize) -> io::Result<()> {
        if length > self.limits.longest {
            let longest = self.limits.longest;
            let what = format!("a message is longer than {longest} bytes, which are the limit");
            return Err(io::Error::new(io::ErrorKind::InvalidData, what));
        }
        Ok(())
    }

    /// Joins the pieces of the next message, as far as they arrived.
    fn next_message(&mut self) -> io::Result<Option<Vec<u8>>> {
        while let Some((is_last, bytes)) = self.early.remove(&self.next_piece) {
            self.next_piece += 1;
            self.early_bytes -= bytes.len();
            self.check_length(self.message.len() + bytes.len())?;
            self.message.extend(bytes);
            if is_last {
                return Ok(Some(std::mem::take(&mut self.message)));
            }
        }
        Ok(None)
    }

    /// Reads a packet, and returns its bytes if it is a loose one.
    fn take_in(&mut self, packet: Packet<'_>) -> Result<Option<Vec<u8>>, Error> {
        let Packet { next, early, content } = packet;
        let first_unsent = self.waiting.front().map_or(self.next_number, |piece| piece.number);
        let last_early = early.checked_ilog2().map_or(0, |bit| u64::from(bit) + 2);
        if next.checked_add(last_early).is_none_or(|end| end > first_unsent) {
            return Err(Error::FalseAcknowledgement);
        }
        let has_arrived = |number: u64| {
            let behind = number.checked_sub(next);
            behind.is_none_or(|it| (1..=64).contains(&it) && early >> (it - 1) & 1 != 0)
        };
        let arrived: Vec<u64> =
            self.underway.keys().copied().filter(|number| has_arrived(*number)).collect();
        for number in arrived {
            let Some(piece) = self.underway.remove(&number) else { continue };
            self.unacknowledged -= piece.bytes.len();
            self.progress_at = self.now;
            if !piece.is_repeated {
                self.note_round_trip(piece.sent_at);
                self.window = (self.window + 1).min(self.limits.most_sent);
            }
        }
        match content {
            Content::Nothing => {}
            Content::Loose(bytes) => return Ok(Some(bytes.to_vec())),
            Content::Piece(Piece { number, is_last, bytes }) => {
                self.owes_answer = true; // to a repeated one, too: the first answer may be lost
                let is_new = number >= self.next_piece && !self.early.contains_key(&number);
                let has_room = self.early_bytes + bytes.len() <= self.limits.longest;
                let is_near = is_new && number - self.next_piece < self.limits.most_early as u64;
                if is_near && (has_room || number == self.next_piece) {
                    self.early_bytes += bytes.len();
                    self.early.insert(number, (is_last, bytes.to_vec()));
                }
            }
        }
        Ok(None)
    }

    /// Notes that bytes of this update were acknowledged now.
    pub(crate) fn note_round_trip(&mut self, sent_at: u64) {
        let trip = 16 * (self.now - sent_at).max(1);
        self.round_trip = (7 * self.round_trip + trip) / 8;
    }

    /// Returns the number of updates after which bytes that are not acknowledged are sent again.
    fn repeats_after(&self) -> u64 {
        (self.round_trip.div_ceil(8) + 2).min(LONGEST_WAIT)
    }

    /// Returns the number of updates after which values that are not acknowledged are sent again: a round trip and a
    /// quarter. A value that is sent too early does no harm.
    pub(crate) fn repeats_values_after(&self) -> u64 {
        ((5 * self.round_trip).div_ceil(64) + 1).min(LONGEST_WAIT)
    }

    /// Sends the waiting messages, and begins the next update.
    ///
    /// # Errors
    /// When the connection has ended, or nothing was heard of the other side for too long.
    pub(crate) fn flush(&mut self) -> Result<(), Error> {
        self.now += 1;
        self.read = 0;
        let silent = self.now - self.heard_at;
        if silent > self.patience {
            return Err(Error::Silent(silent));
        }
        Ok(self.send_pieces()?)
    }

    fn send_pieces(&mut self) -> io::Result<()> {
        self.statistics.round_trip = self.round_trip.div_ceil(16);
        if self.delivery == Delivery::Ordered {
            return Ok(());
        }
        let wait = self.repeats_after();
        let is_late = |piece: &&Pending| self.now - piece.sent_at >= wait;
        let late: Vec<u64> =
            self.underway.values().filter(is_late).map(|it| it.number).take(self.window).collect();
        if !late.is_empty() {
            self.window = (self.window / 2).max(LEAST_UNDERWAY);
        }
        self.statistics.packets_repeated += late.len() as u64;
        for number in late {
            let Some(mut piece) = self.underway.remove(&number) else { continue };
            piece.is_repeated = true;
            self.send_piece(piece)?;
        }
        let most = self.limits.most_sent as u64;
        while let Some(first) = self.waiting.front()
            && self.underway.len() < self.window
            && self.underway.keys().next().is_none_or(|it| first.number - it < most)
            && let Some(piece) = self.waiting.pop_front()
        {
            self.send_piece(piece)?;
        }
        if self.owes_answer {
            self.send_packet(Content::Nothing)?;
        }
        Ok(())
    }

    fn send_piece(&mut self, mut piece: Pending) -> io::Result<()> {
        piece.sent_at = self.now;
        let Pending { number, is_last, ref bytes, .. } = piece;
        self.send_packet(Content::Piece(Piece { number, is_last, bytes }))?;
        self.underway.insert(number, piece);
        Ok(())
    }

    fn send_packet(&mut self, content: Content<'_>) -> io::Result<()> {
        self.owes_answer = false;
        let next = self.next_piece;
        let early = self.early.range(next + 1..=next + 64).map(|(number, _)| number - next - 1);
        let early = early.fold(0, |bits, at| bits | 1 << at);
        let packet = Packet { next, early, content };
        let bytes = postcard::to_allocvec(&packet).map_err(io::Error::other)?;
        self.transmit(&bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;
    use std::rc::Rc;

    /// Steele, Lea and Flood's `SplitMix64` ("Fast splittable pseudorandom number generators", 2014).
    struct Random(u64);

    impl Random {
        fn below(&mut self, limit: u64) -> u64 {
            self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            (z ^ (z >> 31)) % limit
        }
    }

    /// The messages underway to one end.
    type Wire = Rc<RefCell<Vec<Vec<u8>>>>;

    /// An end of a wire that loses, repeats and reorders packets.
    struct Lossy {
        to: Wire,
        from: Wire,
        random: Random,
        delivery: Delivery,
    }

    impl Transport for Lossy {
        fn delivery(&self) -> Delivery {
            self.delivery
        }
        fn send(&mut self, message: &[u8]) -> io::Result<()> {
            if let Delivery::Unordered { longest } = self.delivery {
                assert!(message.len() <= longest);
            }
            let times = [0, 0, 1, 1, 1, 1, 2][usize::try_from(self.random.below(7)).unwrap()];
            (0..times).for_each(|_| self.to.borrow_mut().push(message.to_vec()));
            Ok(())
        }
        fn receive(&mut self) -> io::Result<Option<Vec<u8>>> {
            let mut from = self.from.borrow_mut();
            if from.is_empty() || self.random.below(4) == 0 {
                return Ok(None);
            }
            let at = usize::try_from(self.random.below(from.len() as u64)).unwrap();
            Ok(Some(from.swap_remove(at)))
        }
    }

    fn pair(seed: u64, longest: usize) -> [Link<Lossy>; 2] {
        let wires = [Wire::default(), Wire::default()];
        [0, 1].map(|end| {
            let [to, from] = [end, 1 - end].map(|it: usize| Rc::clone(&wires[it]));
            let random = Random(seed + end as u64);
            let delivery = Delivery::Unordered { longest };
            let (most_sent, most_early) = (MOST_TO_SERVER, MOST_TO_SERVER);
            let limits =
                LinkLimits { longest: 10_000, most_read: usize::MAX, most_sent, most_early };
            Link::new(Lossy { to, from, random, delivery }, limits, 600)
        })
    }

    #[test]
    fn messages_arrive_once_and_in_order_over_a_wire_that_loses_repeats_and_reorders() {
        for seed in 0..8 {
            let mut ends = pair(seed, if seed % 2 == 0 { 300 } else { 80 });
            let mut random = Random(seed);
            let messages: Vec<Vec<u8>> = (0..60_u8)
                .map(|it| vec![it; usize::try_from(1 + random.below(900)).unwrap()])
                .collect();
            let (mut sent, mut arrived) = ([0, 0], [vec![], vec![]]);
            for _ in 0..20_000 {
                for (at, end) in ends.iter_mut().enumerate() {
                    while let Some(message) = end.receive().unwrap() {
                        let Arrived::Message(message) = message else { panic!("it is loose") };
                        arrived[at].push(message);
                    }
                    if sent[at] < messages.len() && random.below(2) == 0 {
                        end.send(&messages[sent[at]]).unwrap();
                        sent[at] += 1;
                    }
                    end.flush().unwrap();
                }
                if ends.iter().all(|end| end.backlog() == 0) && sent == [messages.len(); 2] {
                    break;
                }
            }
            assert!(arrived[0] == messages && arrived[1] == messages, "seed {seed}");
            assert!(ends.iter().all(|end| end.statistics.packets_repeated > 0));
        }
    }

    #[test]
    fn a_packet_that_anybody_made_is_passed_over() {
        let mut random = Random(1);
        let mut ends = pair(1, 100);
        for _ in 0..10_000 {
            let bytes: Vec<u8> =
                (0..random.below(20)).map(|_| u8::try_from(random.below(256)).unwrap()).collect();
            ends[0].transport.from.borrow_mut().push(bytes);
            let _ = ends[0].receive();
        }
        assert!(ends[0].early.len() <= MOST_TO_SERVER);
        assert!(ends[0].early.values().all(|(_, bytes)| bytes.len() < 20));
    }

    #[test]
    fn a_message_longer_than_the_limit_is_an_error() {
        let mut ends = pair(2, 1_000);
        ends[0].send(&[7; 10_001]).unwrap();
        let mut error = None;
        for _ in 0..400 {
            ends[0].flush().unwrap();
            while let Ok(Some(_)) = ends[0].receive() {}
            error = error.or_else(|| ends[1].receive().err());
            ends[1].flush().unwrap();
        }
        let words = "a message is longer than 10000 bytes, which are the limit";
        let error = error.expect("it is longer").to_string();
        assert!(error.ends_with(words), "{error}");
    }

    /// Returns the result of a packet that arrives at an end which has sent two pieces and keeps a third one.
    fn acknowledged(next: u64, early: u64) -> Result<usize, Error> {
        let mut ends = pair(3, 100);
        ends[0].window = 2;
        ends[0].send(&[1; 150]).unwrap();
        ends[0].flush().unwrap();
        let packet = Packet { next, early, content: Content::Nothing };
        ends[0].take_in(packet).map(|_| ends[0].backlog())
    }

    #[test]
    fn a_piece_that_was_not_sent_cannot_be_acknowledged() {
        assert_eq!(acknowledged(0, 0).unwrap(), 150);
        assert_eq!(acknowledged(0, 1).unwrap(), 150 - 62);
        assert_eq!(acknowledged(2, 0).unwrap(), 26);
        for (next, early) in [(3, 0), (0, 2), (1, 1), (u64::MAX, 0), (u64::MAX, u64::MAX)] {
            let error = acknowledged(next, early).unwrap_err();
            assert!(matches!(error, Error::FalseAcknowledgement), "{next} {early}: {error}");
        }
    }

    #[test]
    fn pieces_that_come_early_take_no_more_room_than_a_message() {
        let mut ends = pair(4, 1_200);
        for number in (1..1_000).rev() {
            let piece = Piece { number, is_last: false, bytes: &[0; 1_000] };
            let packet = Packet { next: 0, early: 0, content: Content::Piece(piece) };
            assert!(ends[0].take_in(packet).unwrap().is_none());
        }
        assert_eq!((ends[0].early.len(), ends[0].early_bytes), (10, 10_000));
        let piece = Piece { number: 0, is_last: false, bytes: &[0; 1_000] };
        ends[0].take_in(Packet { next: 0, early: 0, content: Content::Piece(piece) }).unwrap();
        assert!(ends[0].early.contains_key(&0), "the next piece is always kept");
    }

    #[test]
    fn an_update_reads_a_limited_number_of_bytes() {
        let mut ends = pair(5, 100);
        ends[0].limits.most_read = 10 * (EACH + 1);
        for _ in 0..1_000 {
            ends[0].transport.from.borrow_mut().push(vec![7]);
        }
        for update in 1..=5 {
            (0..1_000).for_each(|_| assert!(ends[0].receive().unwrap().is_none()));
            assert_eq!(ends[0].statistics.packets_received, 10 * update);
            ends[0].flush().unwrap();
        }
    }
}
