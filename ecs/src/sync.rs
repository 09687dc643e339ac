//! What threads meet by who reserve entities. A model checker puts its own in its place, to try reservations in every order
//! of events.

pub(crate) use core::sync::atomic::AtomicU64;
