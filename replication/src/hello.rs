//! The first message of a client.

use crate::ClientId;
use ecs::{Entity, World};
use std::fmt;

/// Returns `true` if a client may see an entity.
pub(crate) type IsVisible = Box<dyn FnMut(&World, Entity) -> bool + Send>;

/// The first message of a client, by [`Client::identify`](crate::Client::identify): for the function of
/// [`Server::accepts`](crate::Server::accepts). Anyone may have sent it: check the token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Hello<'a> {
    /// The client, as it is named from now on.
    pub client: ClientId,
    /// The proof that the client may join: a ticket, a password, or nothing.
    pub token: &'a [u8],
    /// Data of your program, such as the name of a player.
    pub data: &'a [u8],
}

/// The answer to a [`Hello`]: the client may join, and sees all entities or some of them.
///
/// ```
/// use ecs_replication::Admission;
///
/// let all = Admission::default();
/// let some = Admission::seeing(|_, entity| entity.index() % 2 == 0);
/// ```
#[derive(Default)]
pub struct Admission {
    pub(crate) is_visible: Option<IsVisible>,
}

impl Admission {
    /// Returns an admission of a client that sees the entities for which `is_visible` returns `true`, from its first set on.
    /// [`Server::set_visibility`](crate::Server::set_visibility) replaces the function later.
    #[must_use]
    pub fn seeing(is_visible: impl FnMut(&World, Entity) -> bool + Send + 'static) -> Self {
        Self { is_visible: Some(Box::new(is_visible)) }
    }
}

impl fmt::Debug for Admission {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Admission")
            .field("sees_all", &self.is_visible.is_none())
            .finish_non_exhaustive()
    }
}
