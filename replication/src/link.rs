//! Messages of any length, each once and in order, over whatever transport there is.
//!
//! An ordered transport carries them as they are. Over an unordered one they are cut into numbered pieces, each in a packet
//! of its own, and each packet acknowledges the pieces that arrived at its sender. A piece is sent again if it is not
//! acknowledged after two round trips. Time is counted in updates, so that the same losses give the same packets.

use crate::{Delivery, Error, Statistics, Transport};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, VecDeque};
use std::io;

/// The most bytes of a packet beside its piece: three numbers, a length and two flags.
const HEADER: usize = 38;
/// The most pieces that are underway, and the most that are kept if they came early.
const MOST_UNDERWAY: usize = 1_024;
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
    piece: Option<Piece<'a>>,
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

/// One end of a connection.
pub(crate) struct Link<T> {
    transport: T,
    delivery: Delivery,
    /// The most bytes of a message from the other side.
    longest: usize,
    /// Updates so far, and when something was heard of the other side.
    pub(crate) now: u64,
    heard_at: u64,
    /// The other side is gone if nothing is heard of it for this many updates.
    pub(crate) patience: u64,
    /// Pieces that were not sent yet, and sent ones that are not acknowledged.
    waiting: VecDeque<Pending>,
    underway: BTreeMap<u64, Pending>,
    next_number: u64,
    /// The number of pieces that may be underway.
    window: usize,
    /// A round trip, in sixteenths of an update.
    round_trip: u64,
    /// The next piece to arrive in order, the early ones, and the arrived part of the message.
    next_piece: u64,
    early: BTreeMap<u64, (bool, Vec<u8>)>,
    message: Vec<u8>,
    owes_answer: bool,
    pub(crate) statistics: Statistics,
}

impl<T: Transport> Link<T> {
    pub(crate) fn new(transport: T, longest: usize, patience: u64) -> Self {
        Self {
            delivery: transport.delivery(),
            transport,
            longest,
            now: 0,
            heard_at: 0,
            patience,
            waiting: VecDeque::new(),
            underway: BTreeMap::new(),
            next_number: 0,
            window: 64,
            round_trip: 16,
            next_piece: 0,
            early: BTreeMap::new(),
            message: Vec::new(),
            owes_answer: false,
            statistics: Statistics::default(),
        }
    }

    /// Returns how many bytes of messages are not acknowledged.
    pub(crate) fn backlog(&self) -> usize {
        let all = self.waiting.iter().chain(self.underway.values());
        all.map(|piece| piece.bytes.len()).sum()
    }

    /// Sends a message, or keeps it to be sent by the next [`flush`](Self::flush).
    pub(crate) fn send(&mut self, message: &[u8]) -> io::Result<()> {
        let Delivery::Unordered { longest } = self.delivery else {
            return self.transmit(message);
        };
        let most = longest.saturating_sub(HEADER).max(1);
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

    /// Returns the next message that arrived as a whole.
    pub(crate) fn receive(&mut self) -> io::Result<Option<Vec<u8>>> {
        loop {
            if let Some(message) = self.next_message()? {
                return Ok(Some(message));
            }
            let Some(bytes) = self.transport.receive()? else { return Ok(None) };
            self.heard_at = self.now;
            self.statistics.packets_received += 1;
            self.statistics.bytes_received += bytes.len() as u64;
            if self.delivery == Delivery::Ordered {
                self.check_length(bytes.len())?;
                return Ok(Some(bytes));
            }
            if let Ok(packet) = postcard::from_bytes::<Packet>(&bytes) {
                self.take_in(packet);
            } // or a stranger sent it
        }
    }

    fn check_length(&self, length: usize) -> io::Result<()> {
        if length > self.longest {
            let what =
                format!("a message is longer than {} bytes, which are the limit", self.longest);
            return Err(io::Error::new(io::ErrorKind::InvalidData, what));
        }
        Ok(())
    }

    /// Joins the pieces of the next message, as far as they arrived.
    fn next_message(&mut self) -> io::Result<Option<Vec<u8>>> {
        while let Some((is_last, bytes)) = self.early.remove(&self.next_piece) {
            self.next_piece += 1;
            self.check_length(self.message.len() + bytes.len())?;
            self.message.extend(bytes);
            if is_last {
                return Ok(Some(std::mem::take(&mut self.message)));
            }
        }
        Ok(None)
    }

    fn take_in(&mut self, Packet { next, early, piece }: Packet<'_>) {
        if next > self.next_number {
            return; // no such piece was sent
        }
        let has_arrived = |number: u64| {
            let behind = number.checked_sub(next);
            behind.is_none_or(|it| (1..=64).contains(&it) && early >> (it - 1) & 1 != 0)
        };
        let arrived: Vec<u64> =
            self.underway.keys().copied().filter(|number| has_arrived(*number)).collect();
        for number in arrived {
            if let Some(piece) = self.underway.remove(&number)
                && !piece.is_repeated
            {
                let trip = 16 * (self.now - piece.sent_at).max(1);
                self.round_trip = (7 * self.round_trip + trip) / 8;
                self.window = (self.window + 1).min(MOST_UNDERWAY);
            }
        }
        let Some(Piece { number, is_last, bytes }) = piece else { return };
        self.owes_answer = true; // to a repeated one, too: the first answer may be lost
        let is_new = number >= self.next_piece && !self.early.contains_key(&number);
        if is_new && number - self.next_piece < MOST_UNDERWAY as u64 {
            self.early.insert(number, (is_last, bytes.to_vec()));
        }
    }

    /// Sends the waiting messages, and begins the next update.
    ///
    /// # Errors
    /// When the connection has ended, or nothing was heard of the other side for too long.
    pub(crate) fn flush(&mut self) -> Result<(), Error> {
        self.now += 1;
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
        let wait = (self.round_trip.div_ceil(8) + 2).min(LONGEST_WAIT);
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
        while let Some(first) = self.waiting.front()
            && self.underway.len() < self.window
            && self.underway.keys().next().is_none_or(|it| first.number - it < MOST_UNDERWAY as u64)
            && let Some(piece) = self.waiting.pop_front()
        {
            self.send_piece(piece)?;
        }
        if self.owes_answer {
            self.send_packet(None)?;
        }
        Ok(())
    }

    fn send_piece(&mut self, mut piece: Pending) -> io::Result<()> {
        piece.sent_at = self.now;
        let Pending { number, is_last, ref bytes, .. } = piece;
        self.send_packet(Some(Piece { number, is_last, bytes }))?;
        self.underway.insert(number, piece);
        Ok(())
    }

    fn send_packet(&mut self, piece: Option<Piece<'_>>) -> io::Result<()> {
        self.owes_answer = false;
        let next = self.next_piece;
        let early = self.early.range(next + 1..=next + 64).map(|(number, _)| number - next - 1);
        let early = early.fold(0, |bits, at| bits | 1 << at);
        let packet = Packet { next, early, piece };
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
            Link::new(Lossy { to, from, random, delivery }, 10_000, 600)
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
        assert!(ends[0].early.len() <= MOST_UNDERWAY);
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
        assert_eq!(error.expect("it is longer").to_string(), words);
    }
}
