//! Names of components that the file of entities imports.

#[path = "../../ecs/src/component/set.rs"]
#[allow(dead_code, reason = "only the shared parts are called")]
pub(crate) mod set;
