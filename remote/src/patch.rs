//! Paths into values, and the values there. A value is the text of JSON, so its numbers keep all of their digits.

use crate::budget::{Budget, Stop};
use crate::error::Error;
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use serde_json::value::RawValue;
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// Puts a new value at a path, such as `.position.x`, `points[2]` or `.0`. All other parts stay as they are written.
///
/// Paths of Bevy leave out the variant of an enum, and have a `.0` for the content of an option or a newtype. So a key
/// that is missing is looked for in the only entry of an object, and `0` of a value that is no list is the value
/// itself.
pub(crate) fn patch(value: &str, path: &str, new: &str, budget: &Budget) -> Result<String, Stop> {
    let place = part(value, path, budget)?;
    let start = place.as_ptr().addr() - value.as_ptr().addr(); // the place is within the text
    let end = start + place.len();
    budget.take_bytes(value.len() - place.len() + new.len())?;
    Ok([&value[..start], new, &value[end..]].concat())
}

/// Returns the text of the part at a path.
pub(crate) fn part<'v>(value: &'v str, path: &str, budget: &Budget) -> Result<&'v str, Stop> {
    Ok(at(value, path, budget)?.map_err(|step| {
        Error::new(Error::COMPONENT_ERROR, format_args!("no field `{step}` on the path `{path}`"))
    })?)
}

/// Returns the number of values in a text of JSON, or more if it is none.
pub(crate) fn count_values(text: &[u8]) -> usize {
    let (mut count, mut is_in_text, mut is_escaped) = (1, false, false);
    for byte in text {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = is_in_text,
            b'"' => is_in_text = !is_in_text,
            b',' | b'[' | b'{' => count += usize::from(!is_in_text),
            _ => {}
        }
    }
    count
}

/// A new value in the parameters of a request: `value`, or `json`, which is the text of JSON and may have numbers of
/// more than 64 bits.
#[derive(Deserialize)]
pub(crate) struct NewValue {
    #[serde(default, deserialize_with = "present")]
    value: Option<Value>,
    json: Option<String>,
}

/// Reads a value that is there, which may be `null`.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

impl NewValue {
    /// Returns the value as the text of JSON.
    pub(crate) fn text(self) -> Result<String, Error> {
        match (self.value, self.json) {
            (Some(value), None) => Ok(serde_json::to_string(&value)?),
            (None, Some(text)) => match serde_json::from_str::<&RawValue>(&text) {
                Ok(value) => Ok(value.get().to_owned()),
                Err(error) => Err(Error::invalid_params(format_args!(
                    "`json` is not the text of JSON: {error}"
                ))),
            },
            (None, None) => Err(Error::invalid_params("missing field `value`")),
            (Some(_), Some(_)) => Err(Error::invalid_params("give `value` or `json`, not both")),
        }
    }
}

/// A comparison of a value with the wanted one.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Comparison {
    Equal,
    Unequal,
    Less,
    AtMost,
    Greater,
    AtLeast,
}

impl Comparison {
    /// All comparisons as they are written. A longer one stands before a shorter one that it begins with.
    pub(crate) const ALL: [(&'static str, Self); 6] = [
        ("!=", Self::Unequal),
        ("<=", Self::AtMost),
        (">=", Self::AtLeast),
        ("=", Self::Equal),
        ("<", Self::Less),
        (">", Self::Greater),
    ];

    /// Returns `true` if two values may have this order; values of different types have none.
    fn holds(self, order: Option<Ordering>) -> bool {
        match self {
            Self::Equal => order == Some(Ordering::Equal),
            Self::Unequal => order != Some(Ordering::Equal),
            Self::Less => order == Some(Ordering::Less),
            Self::AtMost => order.is_some_and(Ordering::is_le),
            Self::Greater => order == Some(Ordering::Greater),
            Self::AtLeast => order.is_some_and(Ordering::is_ge),
        }
    }
}

/// Returns `true` if there is a value at a path that compares so with the wanted one. Numbers are compared by their
/// values, so 3 equals 3.0; only numbers and texts are less than others.
pub(crate) fn has(
    value: &str,
    path: &str,
    (is, wanted): (Comparison, &str),
    budget: &Budget,
) -> Result<bool, Stop> {
    let Ok(found) = at(value, path, budget)? else { return Ok(false) };
    budget.take_bytes(found.len() + wanted.len())?;
    Ok(is.holds(order(found, wanted)))
}

/// Returns the order of two values, if they have one.
fn order(a: &str, b: &str) -> Option<Ordering> {
    if let (Ok(a), Ok(b)) = (a.parse::<i128>(), b.parse::<i128>()) {
        return Some(a.cmp(&b));
    }
    if let (Ok(a), Ok(b)) = (a.parse::<u128>(), b.parse::<u128>()) {
        return Some(a.cmp(&b));
    }
    match (serde_json::from_str(a).ok()?, serde_json::from_str(b).ok()?) {
        (Value::Number(a), Value::Number(b)) => a.as_f64()?.partial_cmp(&b.as_f64()?),
        (Value::String(a), Value::String(b)) => Some(a.cmp(&b)),
        (a, b) => is_equal(&a, &b).then_some(Ordering::Equal),
    }
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
fn at<'v, 'p>(
    value: &'v str,
    path: &'p str,
    budget: &Budget,
) -> Result<Result<&'v str, &'p str>, Stop> {
    let mut at = value;
    for step in path.split(['.', '[', ']', '#']).filter(|step| !step.is_empty()) {
        budget.take_values(1)?;
        match find(at, step, budget)? {
            Some(next) => at = next,
            None => return Ok(Err(step)),
        }
    }
    Ok(Ok(at))
}

fn find<'v>(value: &'v str, step: &str, budget: &Budget) -> Result<Option<&'v str>, Stop> {
    // Each level is read once more.
    let is_list = match value.as_bytes().first() {
        Some(b'{') => false,
        Some(b'[') => true,
        _ => return Ok((step == "0").then_some(value)),
    };
    budget.take_bytes(value.len())?;
    if is_list {
        let list: Option<Vec<&'v RawValue>> = serde_json::from_str(value).ok();
        let place = step.parse::<usize>().ok();
        return Ok(list.zip(place).and_then(|(list, place)| Some(list.get(place)?.get())));
    }
    let fields: Option<BTreeMap<String, &'v RawValue>> = serde_json::from_str(value).ok();
    let Some(fields) = fields else { return Ok(None) };
    match (fields.get(step), fields.values().next()) {
        (Some(field), _) => Ok(Some(field.get())),
        (None, Some(only)) if fields.len() == 1 => find(only.get(), step, budget),
        _ => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::Options;
    use serde_json::json;

    fn budget() -> Budget {
        Budget::new(&Options::new())
    }

    fn has(value: &str, path: &str, is: Comparison, wanted: &str) -> bool {
        super::has(value, path, (is, wanted), &budget()).unwrap()
    }

    #[expect(clippy::needless_pass_by_value, reason = "callers write it in place")]
    fn patched(value: Value, path: &str) -> Result<Value, String> {
        match patch(&value.to_string(), path, "9", &budget()) {
            Ok(new) => Ok(serde_json::from_str(&new).unwrap()),
            Err(Stop::Failed(error)) => Err(error.message),
            Err(Stop::Later) => Err("later".into()),
        }
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
    fn other_parts_stay_as_they_are_written() {
        let value =
            r#"{"z": -0.0, "big":340282366920938463463374607431768211455 ,"a":[1e22,"\u00e9", 1]}"#;
        let new = patch(value, ".a[2]", "18446744073709551617", &budget()).unwrap();
        let all = r#"{"z": -0.0, "big":340282366920938463463374607431768211455 ,"a":[1e22,"\u00e9", 18446744073709551617]}"#;
        assert_eq!(new, all);
        assert_eq!(
            part(&new, ".big", &budget()).unwrap(),
            "340282366920938463463374607431768211455"
        );
    }

    #[test]
    fn values_are_equal_whatever_form_their_numbers_have() {
        let has = |value: &str, path, wanted| has(value, path, Comparison::Equal, wanted);
        assert!(has(r#"{"a": [1.0, 2]}"#, ".a", "[1, 2.0]"));
        assert!(has(r#"{"a": {"b": 3.0}}"#, "", r#"{"a": {"b": 3}}"#));
        assert!(!has(r#"{"a": {"b": 3.0}}"#, "", r#"{"a": {}}"#));
        assert!(!has("3", "", "\"3\"") && !has("3", ".x", "3"));
        assert!(!has("18446744073709551615", "", "18446744073709551614"));
        assert!(!has(
            "340282366920938463463374607431768211455",
            "",
            "340282366920938463463374607431768211454"
        ));
    }

    #[test]
    fn numbers_and_texts_are_less_than_others() {
        let has = |value, is, wanted| has(value, "", is, wanted);
        assert!(has("2.5", Comparison::Less, "3") && !has("3", Comparison::Less, "3.0"));
        assert!(has("3", Comparison::AtMost, "3.0") && has("3", Comparison::AtLeast, "3"));
        assert!(has("\"b\"", Comparison::Greater, "\"a\"") && has("1", Comparison::Unequal, "2"));
        assert!(has("1", Comparison::Unequal, "null") && !has("1", Comparison::Less, "null"));
        assert!(has("-170141183460469231731687303715884105728", Comparison::Less, "0"));
        assert!(has(
            "340282366920938463463374607431768211455",
            Comparison::Greater,
            "340282366920938463463374607431768211454"
        ));
    }

    #[test]
    fn a_path_to_nothing_names_the_step() {
        let error = patched(json!({"a": 1, "b": 2}), ".c").unwrap_err();
        assert_eq!(error, "no field `c` on the path `.c`");
        assert!(patched(json!([1]), "[1]").is_err() && patched(json!(1), ".x").is_err());
    }

    #[test]
    fn values_of_a_text_are_counted() {
        for (text, count) in [("1", 1), ("[1,2]", 3), (r#"{"a,[":"{\",","b":[]}"#, 4), ("[[", 3)] {
            assert_eq!(count_values(text.as_bytes()), count, "{text}");
        }
    }

    #[test]
    fn a_path_through_many_levels_has_its_price() {
        let deep = format!("{}{}{}", "[".repeat(100), "1,".repeat(50) + "2", "]".repeat(100));
        let budget = Budget::new(&Options::new().frame_bytes(2_000));
        let found = part(&deep, &".0".repeat(100), &budget);
        assert!(matches!(found, Err(Stop::Later)), "{found:?}");
        assert_eq!(budget.done().bytes, 2_000);
    }
}
