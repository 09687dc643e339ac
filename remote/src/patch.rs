//! Paths into values, and the values there.

use crate::error::Error;
use serde_json::Value;

/// Puts a new value at a path, such as `.position.x`, `points[2]` or `.0`.
///
/// Paths of Bevy leave out the variant of an enum, and have a `.0` for the content of an option or a newtype. So a key
/// that is missing is looked for in the only entry of an object, and `0` of a value that is no list is the value
/// itself.
pub(crate) fn patch(value: &mut Value, path: &str, new: Value) -> Result<(), Error> {
    let place = at(value, path).map_err(|step| {
        Error::new(Error::COMPONENT_ERROR, format_args!("no field `{step}` on the path `{path}`"))
    })?;
    *place = new;
    Ok(())
}

/// Returns `true` if there is such a value at a path. Numbers are compared by their values, so 3 equals 3.0.
pub(crate) fn has(value: &mut Value, path: &str, wanted: &Value) -> bool {
    at(value, path).is_ok_and(|found| is_equal(found, wanted))
}

fn is_equal(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => {
            a == b || a.is_f64() != b.is_f64() && a.as_f64() == b.as_f64()
        }
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_equal(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len()
                && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| is_equal(a, b)))
        }
        _ => a == b,
    }
}

/// Returns the value at a path, or the first step that leads nowhere.
fn at<'v, 'p>(value: &'v mut Value, path: &'p str) -> Result<&'v mut Value, &'p str> {
    let mut steps = path.split(['.', '[', ']', '#']).filter(|step| !step.is_empty());
    steps.try_fold(value, |at, step| find(at, step).ok_or(step))
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
    fn values_are_equal_whatever_form_their_numbers_have() {
        let has = |value: Value, path, wanted| has(&mut value.clone(), path, &wanted);
        assert!(has(json!({"a": [1.0, 2]}), ".a", json!([1, 2.0])));
        assert!(has(json!({"a": {"b": 3.0}}), "", json!({"a": {"b": 3}})));
        assert!(!has(json!({"a": {"b": 3.0}}), "", json!({"a": {}})));
        assert!(!has(json!(3), "", json!("3")) && !has(json!(3), ".x", json!(3)));
        assert!(!has(json!(u64::MAX), "", json!(u64::MAX - 1)));
    }

    #[test]
    fn a_path_to_nothing_names_the_step() {
        let error = patched(json!({"a": 1, "b": 2}), ".c").unwrap_err();
        assert_eq!(error, "no field `c` on the path `.c`");
        assert!(patched(json!([1]), "[1]").is_err() && patched(json!(1), ".x").is_err());
    }
}
