//! Paths into values, and the values there.

use crate::error::Error;
use serde_json::Value;

/// Puts a new value at a path, such as `.position.x`, `points[2]` or `.0`.
///
/// Paths of Bevy leave out the variant of an enum, and have a `.0` for the content of an option or a newtype. So a key
/// that is missing is looked for in the only entry of an object, and `0` of a value that is no list is the value
/// itself.
pub(crate) fn patch(value: &mut Value, path: &str, new: Value) -> Result<(), Error> {
    let mut at = value;
    for step in path.split(['.', '[', ']', '#']).filter(|step| !step.is_empty()) {
        at = find(at, step).ok_or_else(|| {
            Error::new(
                Error::COMPONENT_ERROR,
                format_args!("no field `{step}` on the path `{path}`"),
            )
        })?;
    }
    *at = new;
    Ok(())
}

fn find<'v>(value: &'v mut Value, step: &str) -> Option<&'v mut Value> {
    match value {
        Value::Object(fields) => {
            if fields.contains_key(step) || fields.len() != 1 {
                return fields.get_mut(step);
            }
            find(fields.values_mut().next()?, step)
        }
        Value::Array(list) => list.get_mut(step.parse::<usize>().ok()?),
        other => (step == "0").then_some(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn patched(mut value: Value, path: &str) -> Result<Value, String> {
        patch(&mut value, path, json!(9)).map_err(|error| error.message)?;
        Ok(value)
    }

    #[test]
    fn paths_lead_into_objects_and_lists() {
        assert_eq!(
            patched(json!({"a": {"b": [1, 2]}}), ".a.b[1]"),
            Ok(json!({"a": {"b": [1, 9]}}))
        );
        assert_eq!(patched(json!([1, 2]), ".0"), Ok(json!([9, 2])));
        assert_eq!(patched(json!(1), ""), Ok(json!(9)));
    }

    #[test]
    fn paths_leave_out_variants_and_enter_newtypes() {
        assert_eq!(patched(json!({"Go": {"to": 1}}), ".to"), Ok(json!({"Go": {"to": 9}})));
        assert_eq!(patched(json!(1), ".0"), Ok(json!(9)));
    }

    #[test]
    fn a_path_to_nothing_names_the_step() {
        let error = patched(json!({"a": 1, "b": 2}), ".c").unwrap_err();
        assert_eq!(error, "no field `c` on the path `.c`");
        assert!(patched(json!([1]), "[1]").is_err() && patched(json!(1), ".x").is_err());
    }
}
