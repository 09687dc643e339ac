//! Statistics of a connection.

/// Statistics of a connection so far, as seen by one end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Statistics {
    /// Change sets that were sent, or applied, by a client.
    pub sets: u64,
    /// The full sets among them: to join, to connect again, or at the request of the client.
    pub full_sets: u64,
    /// Bytes of these sets.
    pub set_bytes: u64,
    /// Sets of newest values that were sent, or applied, by a client.
    pub value_sets: u64,
    /// Bytes of these sets.
    pub value_bytes: u64,
    /// Packets that were sent; of an ordered transport, messages.
    pub packets_sent: u64,
    /// Packets that were sent, as the same piece of a message was not acknowledged before.
    pub packets_repeated: u64,
    /// Packets that arrived.
    pub packets_received: u64,
    /// Bytes of the packets that were sent.
    pub bytes_sent: u64,
    /// Bytes of the packets that arrived.
    pub bytes_received: u64,
    /// The time of a packet and its answer, in updates; 0 over an ordered transport.
    pub round_trip: u64,
}

impl Statistics {
    pub(crate) const fn add_set(&mut self, bytes: usize, is_full: bool) {
        self.sets += 1;
        self.full_sets += is_full as u64;
        self.set_bytes += bytes as u64;
    }

    pub(crate) const fn add_values(&mut self, bytes: usize) {
        self.value_sets += 1;
        self.value_bytes += bytes as u64;
    }
}
