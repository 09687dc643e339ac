//! The atomics of threads that reserve entities. A model checker substitutes its own, to try reservations in every
//! order of events.

pub(crate) use core::sync::atomic::AtomicU64;
