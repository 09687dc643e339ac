//! Errors of the protocol.

use ecs::by_name::{DefineError, KindError, ResourceKindError};
use ecs::{DespawnError, Entity, NoSuchEntityError, RelateError, RemoveError};
use serde::Serialize;
use std::fmt;

/// Why a request has no result: the error of a JSON-RPC answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Error {
    /// The number of the error, for programs: of JSON-RPC, or of the Bevy Remote Protocol.
    pub code: i32,
    /// The text of the error, for people.
    pub message: String,
}

impl Error {
    pub(crate) const PARSE: i32 = -32700;
    pub(crate) const INVALID_REQUEST: i32 = -32600;
    pub(crate) const METHOD_NOT_FOUND: i32 = -32601;
    pub(crate) const INVALID_PARAMS: i32 = -32602;
    pub(crate) const INTERNAL: i32 = -32603;
    /// The number for servers of JSON-RPC: the world did not answer in time, or the answer is too large.
    pub(crate) const SERVER: i32 = -32000;
    pub(crate) const ENTITY_NOT_FOUND: i32 = -23401;
    pub(crate) const COMPONENT_ERROR: i32 = -23402;
    pub(crate) const COMPONENT_NOT_PRESENT: i32 = -23403;
    pub(crate) const SELF_REPARENT: i32 = -23404;
    pub(crate) const RESOURCE_ERROR: i32 = -23501;
    pub(crate) const RESOURCE_NOT_PRESENT: i32 = -23502;

    pub(crate) fn new(code: i32, message: impl fmt::Display) -> Self {
        Self { code, message: message.to_string() }
    }

    /// Returns an error about the parameters of a request.
    pub fn invalid_params(message: impl fmt::Display) -> Self {
        Self::new(Self::INVALID_PARAMS, message)
    }

    pub(crate) fn no_entity(entity: Entity) -> Self {
        Self::new(Self::ENTITY_NOT_FOUND, format_args!("Entity {entity} not found"))
    }

    pub(crate) fn unknown_component(name: &str) -> Self {
        Self::new(Self::COMPONENT_ERROR, format_args!("Unknown component type: `{name}`"))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.message, self.code)
    }
}

impl std::error::Error for Error {}

impl From<KindError> for Error {
    fn from(error: KindError) -> Self {
        match error {
            KindError::Unknown(name, _) => Self::unknown_component(&name),
            KindError::NoSuchEntity(entity) => Self::no_entity(entity),
            KindError::Missing(..) => Self::new(Self::COMPONENT_NOT_PRESENT, error),
            _ => Self::new(Self::COMPONENT_ERROR, error),
        }
    }
}

impl From<DefineError> for Error {
    fn from(error: DefineError) -> Self {
        Self::new(Self::COMPONENT_ERROR, error)
    }
}

impl From<ResourceKindError> for Error {
    fn from(error: ResourceKindError) -> Self {
        match error {
            ResourceKindError::Unknown(name) => {
                Self::new(Self::RESOURCE_ERROR, format_args!("Unknown resource type: `{name}`"))
            }
            _ => Self::new(Self::RESOURCE_ERROR, error),
        }
    }
}

impl From<RemoveError> for Error {
    fn from(error: RemoveError) -> Self {
        match error {
            RemoveError::NoSuchEntity(entity) => Self::no_entity(entity),
            RemoveError::Missing(..) => Self::new(Self::COMPONENT_NOT_PRESENT, error),
            _ => Self::new(Self::COMPONENT_ERROR, error),
        }
    }
}

impl From<RelateError> for Error {
    fn from(error: RelateError) -> Self {
        match error {
            RelateError::NoSuchEntity(entity) | RelateError::NoSuchTarget(_, entity) => {
                Self::no_entity(entity)
            }
            _ => Self::new(Self::SELF_REPARENT, error),
        }
    }
}

impl From<DespawnError> for Error {
    fn from(error: DespawnError) -> Self {
        match error {
            DespawnError::NoSuchEntity(entity) => Self::no_entity(entity),
            _ => Self::new(Self::INTERNAL, error),
        }
    }
}

impl From<NoSuchEntityError> for Error {
    fn from(error: NoSuchEntityError) -> Self {
        Self::no_entity(error.0)
    }
}

impl From<serde_json::Error> for Error {
    fn from(error: serde_json::Error) -> Self {
        Self::new(Self::INTERNAL, error)
    }
}
