//! The components of `components.json`: a map from their names to their fields.
//!
//! A field has a type: `bool`, `text`, `entity`, a number such as `i32` or `f32`, a list such as `["f32"]`, or an object with
//! fields. In the place of a type, `{"type": "i32", "default": 3, "was": "harm"}` gives entities that exist a value, and says the
//! field's earlier name.

use ecs::World;
use ecs::by_name::{FieldType, FieldValue, Fields, Redefinition};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::error::Error;
