//! Dates and times: numbers in a table, and text for serde.

use crate::error::Fault;
use arrow_schema::{DataType, TimeUnit};
use chrono::{DateTime, NaiveDate, NaiveDateTime, SecondsFormat};

/// The name and the fields of `std::time::SystemTime`, for serde.
pub(crate) const SYSTEM_TIME: (&str, &[&str]) =
    ("SystemTime", &["secs_since_epoch", "nanos_since_epoch"]);

const NANOS: i128 = 1_000_000_000;

/// Returns how many units a second has.
pub(crate) const fn units(unit: TimeUnit) -> i128 {
    match unit {
        TimeUnit::Second => 1,
        TimeUnit::Millisecond => 1_000,
        TimeUnit::Microsecond => 1_000_000,
        TimeUnit::Nanosecond => NANOS,
    }
}

/// Returns nanoseconds since 1970 in a unit, or `None` if they are finer or out of range.
pub(crate) fn from_nanos(nanos: i128, unit: TimeUnit) -> Option<i64> {
    let a_unit = NANOS / units(unit);
    (nanos % a_unit == 0).then(|| i64::try_from(nanos / a_unit).ok())?
}

/// Returns a number of units since 1970 in nanoseconds.
pub(crate) const fn to_nanos(value: i64, unit: TimeUnit) -> i128 {
    value as i128 * (NANOS / units(unit))
}

/// Returns the value of a text in a column of times or dates.
///
/// # Errors
/// If the text is no such time, is finer than the column's unit, or is out of its range.
pub(crate) fn parse(text: &str, data: &DataType) -> Result<i64, Fault> {
    let nanos = |time: DateTime<chrono::Utc>| {
        i128::from(time.timestamp()) * NANOS + i128::from(time.timestamp_subsec_nanos())
    };
    let read = match data {
        DataType::Date32 => {
            let days = |date: NaiveDate| i64::from(date.to_epoch_days());
            text.parse().ok().map(days).ok_or("no date such as `2013-01-31`")
        }
        DataType::Timestamp(unit, Some(_)) => match DateTime::parse_from_rfc3339(text) {
            Ok(time) => from_nanos(nanos(time.to_utc()), *unit).ok_or("too fine or out of range"),
            Err(_) => Err("no time such as `2013-01-31T12:00:00Z`"),
        },
        DataType::Timestamp(unit, None) => match parse_local(text) {
            Some(time) => {
                from_nanos(nanos(time.and_utc()), *unit).ok_or("too fine or out of range")
            }
            None => Err("no time such as `2013-01-31T12:00:00`"),
        },
        _ => Err("no time"),
    };
    read.map_err(|why| Fault::new(format!("`{text}` is {why}, for {data}")))
}

fn parse_local(text: &str) -> Option<NaiveDateTime> {
    text.parse().ok().or_else(|| text.replacen(' ', "T", 1).parse().ok())
}

/// Returns the text of a time in nanoseconds since 1970, in UTC or a place that is not named.
pub(crate) fn write(nanos: i128, is_utc: bool) -> Result<String, Fault> {
    let seconds = i64::try_from(nanos.div_euclid(NANOS)).ok();
    let rest = u32::try_from(nanos.rem_euclid(NANOS)).unwrap_or_default();
    let time = seconds.and_then(|seconds| DateTime::from_timestamp(seconds, rest));
    let time = time.ok_or_else(|| Fault::new(format!("{nanos} ns since 1970 is out of range")))?;
    let text = time.to_rfc3339_opts(SecondsFormat::AutoSi, true);
    Ok(if is_utc { text } else { text.trim_end_matches('Z').to_owned() })
}

/// Returns the text of a date.
pub(crate) fn write_date(days: i32) -> Result<String, Fault> {
    let date = NaiveDate::from_epoch_days(days);
    let date = date.ok_or_else(|| Fault::new(format!("day {days} since 1970 is out of range")))?;
    Ok(date.to_string())
}
