//! What the file of entities names of components.

#[path = "../../ecs/src/component/set.rs"]
#[allow(dead_code, reason = "only what threads share is called")]
pub(crate) mod set;
