use crate::Identity;
use ecs::Entity;
use ecs::save::SaveError;
use std::path::PathBuf;

/// A failure of a rank. All of them are final: the collective calls of the other ranks fail as well, and the run goes on
/// from its last [checkpoint](crate::Shards::save).
#[derive(Clone, Debug, thiserror::Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum ShardError {
    /// Another rank returned or died before it sent the message that this rank waits for.
    #[error("rank {0} ended before it sent its message")]
    Ended(usize),
    /// A rank panicked, its body returned an error, or it returned while others wait for it.
    #[error("rank {rank} failed: {what}")]
    Failed {
        /// The rank that failed first.
        rank: usize,
        /// The message of its panic or of its error.
        what: String,
    },
    /// The library for messages reported an error.
    #[error("cannot send or receive: {0}")]
    Transport(String),
    /// The bytes of a message are not right.
    #[error("refused a message from rank {from}: {what}")]
    Malformed {
        /// The rank that sent it.
        from: usize,
        /// The reason.
        what: String,
    },
    /// Ranks register different components, or their lists of neighbours do not match.
    #[error("rank {rank} does not fit: {what}")]
    Mismatch {
        /// The rank that differs from this one.
        rank: usize,
        /// The difference.
        what: String,
    },
    /// An entity belongs to a rank that is no neighbour of this one.
    #[error(
        "{entity} belongs to rank {owner}, which is no neighbour: name it when the shards are made"
    )]
    NotNeighbour {
        /// The entity.
        entity: Entity,
        /// The rank that its component names.
        owner: usize,
    },
    /// An entity that moves, or is named by one that does, has no identity.
    #[error("{0} moves, or is named by an entity that moves, and has no `Identity`: insert one")]
    NoIdentity(Entity),
    /// Two entities have one identity.
    #[error("{0} and another entity have the same identity: make it from values that differ")]
    SameIdentity(Identity),
    /// A veto refused that a component leaves with its entity.
    #[error("{0} belongs to another rank, and a veto refused its removal")]
    Vetoed(Entity),
    /// An entity of another rank ended, and a veto refused that this one ends with it.
    #[error(
        "{0} ends with an entity of another rank, and a veto refused it: let no veto keep an entity that crosses borders"
    )]
    Survives(Entity),
    /// A component that names entities was not registered when the shards were made, so the ranks do not learn
    /// which entities end.
    #[error("entities move, and `{0}` names entities: register it before the shards are made")]
    Late(&'static str),
    /// A value could not be written.
    #[error(transparent)]
    Save(#[from] SaveError),
    /// A checkpoint could not be written or read.
    #[error("checkpoint {}: {what}", .path.display())]
    Checkpoint {
        /// The file or folder.
        path: PathBuf,
        /// The reason.
        what: String,
    },
}
