//! `sum` and `avg` that do not wrap around: whole numbers and decimals are summed as wider decimals, durations as numbers of
//! 128 bits.

use datafusion::arrow::array::types::{
    Decimal128Type, DurationMicrosecondType, DurationMillisecondType, DurationNanosecondType,
    DurationSecondType, IntervalDayTime, IntervalDayTimeType, IntervalMonthDayNano,
    IntervalMonthDayNanoType, IntervalYearMonthType, UInt64Type,
};
use datafusion::arrow::array::{ArrayRef, AsArray};
use datafusion::arrow::datatypes::{DataType, Field, FieldRef, IntervalUnit, TimeUnit};
use datafusion::common::{exec_err, not_impl_err, plan_err};
use datafusion::error::Result;
use datafusion::execution::FunctionRegistry;
use datafusion::logical_expr::function::{AccumulatorArgs, StateFieldsArgs};
use datafusion::logical_expr::type_coercion::functions::fields_with_udf;
use datafusion::logical_expr::utils::{AggregateOrderSensitivity, format_state_name};
use datafusion::logical_expr::{
    Accumulator, AggregateUDF, AggregateUDFImpl, Documentation, GroupsAccumulator, ReversedUDAF,
    Signature, Volatility,
};
use datafusion::prelude::SessionContext;
use datafusion::scalar::ScalarValue;
use std::sync::Arc;

/// The digits of the longest whole number of 64 bits.
const WHOLE: u8 = 20;
/// The digits of values that are summed within 128 bits, which hold 38: so 10¹⁰ rows fit, whatever their values. The sum of
/// sums has the same type, as `DataFusion` divides a sum into several.
const SHORT: u8 = 28;
/// The digits of values that are summed within 256 bits, which hold 76.
const LONG: u8 = 63;

/// Replaces `sum` and `avg` of a session by functions that do not wrap around.
pub(crate) fn register(context: &SessionContext) {
    for name in ["sum", "avg"] {
        // Absent if `DataFusion` was built without aggregates, and then no query has it.
        if let Ok(inner) = context.udaf(name) {
            let signature = Signature::user_defined(Volatility::Immutable);
            context.register_udaf(AggregateUDF::from(Exact { inner, signature }));
        }
    }
}

/// An aggregate of `DataFusion`, of wider types.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Exact {
    inner: Arc<AggregateUDF>,
    signature: Signature,
}

impl Exact {
    fn is_sum(&self) -> bool {
        self.inner.name() == "sum"
    }

    /// Returns the accumulator of durations or intervals, which the inner aggregate would let wrap around.
    fn total(&self, args: &AccumulatorArgs<'_>) -> Result<Option<Box<dyn Accumulator>>> {
        let data = args.return_field.data_type();
        if !is_time(data) {
            return Ok(None);
        }
        if args.is_distinct {
            let name = self.inner.name();
            return not_impl_err!(
                "{name}(distinct ..) of {data}: select the distinct values in a subquery"
            );
        }
        let is_mean = !self.is_sum();
        Ok(Some(Box::new(Total { parts: [0; 3], count: 0, data: data.clone(), is_mean })))
    }
}

fn is_time(data: &DataType) -> bool {
    matches!(data, DataType::Duration(_) | DataType::Interval(_))
}

impl AggregateUDFImpl for Exact {
    fn name(&self) -> &str {
        self.inner.name()
    }
    fn aliases(&self) -> &[String] {
        self.inner.aliases()
    }
    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn coerce_types(&self, types: &[DataType]) -> Result<Vec<DataType>> {
        Ok(match types {
            [data] if data.is_integer() && self.is_sum() => vec![DataType::Decimal128(WHOLE, 0)],
            [DataType::Decimal32(digits, scale) | DataType::Decimal64(digits, scale)] => {
                vec![DataType::Decimal128(*digits, *scale)]
            }
            [DataType::Decimal128(digits, scale)] if *digits > SHORT => {
                vec![DataType::Decimal256(*digits, *scale)]
            }
            [DataType::Decimal256(digits, _)] if *digits > LONG => {
                return plan_err!(
                    "`{}` of decimals of {digits} digits may be out of range: cast them to at most {LONG} digits",
                    self.name()
                );
            }
            _ => {
                let field = |data: &DataType| Arc::new(Field::new("", data.clone(), true));
                let fields: Vec<FieldRef> = types.iter().map(field).collect();
                let fields = fields_with_udf(&fields, &*self.inner)?;
                fields.iter().map(|field| field.data_type().clone()).collect()
            }
        })
    }

    fn return_type(&self, types: &[DataType]) -> Result<DataType> {
        Ok(match types {
            [DataType::Decimal128(_, scale)] if self.is_sum() => {
                DataType::Decimal128(SHORT, *scale)
            }
            [DataType::Decimal256(_, scale)] if self.is_sum() => DataType::Decimal256(LONG, *scale),
            _ => self.inner.return_type(types)?,
        })
    }

    fn accumulator(&self, args: AccumulatorArgs<'_>) -> Result<Box<dyn Accumulator>> {
        match self.total(&args)? {
            Some(total) => Ok(total),
            None => self.inner.accumulator(args),
        }
    }
    fn create_sliding_accumulator(
        &self,
        args: AccumulatorArgs<'_>,
    ) -> Result<Box<dyn Accumulator>> {
        match self.total(&args)? {
            Some(total) => Ok(total),
            None => self.inner.create_sliding_accumulator(args),
        }
    }
    fn state_fields(&self, args: StateFieldsArgs<'_>) -> Result<Vec<FieldRef>> {
        if !is_time(args.return_type()) {
            return self.inner.state_fields(args);
        }
        let part =
            |part: &str, data| Arc::new(Field::new(format_state_name(args.name, part), data, true));
        let mut fields = ["a", "b", "c"].map(|it| part(it, PART)).to_vec();
        fields.push(part("count", DataType::UInt64));
        Ok(fields)
    }
    fn groups_accumulator_supported(&self, args: AccumulatorArgs<'_>) -> bool {
        !is_time(args.return_field.data_type()) && self.inner.groups_accumulator_supported(args)
    }
    fn create_groups_accumulator(
        &self,
        args: AccumulatorArgs<'_>,
    ) -> Result<Box<dyn GroupsAccumulator>> {
        self.inner.create_groups_accumulator(args)
    }

    fn reverse_expr(&self) -> ReversedUDAF {
        ReversedUDAF::Identical
    }
    fn order_sensitivity(&self) -> AggregateOrderSensitivity {
        AggregateOrderSensitivity::Insensitive
    }
    fn documentation(&self) -> Option<&Documentation> {
        self.inner.documentation()
    }
}

/// The type of a part of a [`Total`] that is not finished.
const PART: DataType = DataType::Decimal128(38, 0);

/// The sum of durations, or of the parts of intervals.
#[derive(Debug)]
struct Total {
    parts: [i128; 3],
    count: u64,
    data: DataType,
    is_mean: bool,
}

impl Total {
    /// Adds all values of an array, or takes them away.
    fn add(&mut self, values: &ArrayRef, sign: i128) -> Result<()> {
        macro_rules! add {
            ($type:ty, $value:ident => $parts:expr) => {
                for $value in values.as_primitive::<$type>().iter().flatten() {
                    self.parts.iter_mut().zip($parts).for_each(|(sum, part)| {
                        *sum += sign * i128::from(part);
                    });
                }
            };
        }
        match &self.data {
            DataType::Duration(TimeUnit::Second) => add!(DurationSecondType, it => [it]),
            DataType::Duration(TimeUnit::Millisecond) => add!(DurationMillisecondType, it => [it]),
            DataType::Duration(TimeUnit::Microsecond) => add!(DurationMicrosecondType, it => [it]),
            DataType::Duration(TimeUnit::Nanosecond) => add!(DurationNanosecondType, it => [it]),
            DataType::Interval(IntervalUnit::YearMonth) => add!(IntervalYearMonthType, it => [it]),
            DataType::Interval(IntervalUnit::DayTime) => {
                add!(IntervalDayTimeType, it => [it.days, it.milliseconds]);
            }
            DataType::Interval(IntervalUnit::MonthDayNano) => {
                add!(IntervalMonthDayNanoType, it => [it.months.into(), it.days.into(), it.nanoseconds]);
            }
            other => return exec_err!("{other} is neither a duration nor an interval"),
        }
        let count = (values.len() - values.null_count()) as u64;
        self.count = if sign > 0 { self.count + count } else { self.count - count };
        Ok(())
    }

    fn part<N: TryFrom<i128>>(&self, at: usize) -> Result<N> {
        let part =
            if self.is_mean { self.parts[at] / i128::from(self.count) } else { self.parts[at] };
        if let Ok(part) = N::try_from(part) {
            return Ok(part);
        }
        exec_err!(
            "the sum of {} values of {} is out of range: cast them to numbers, and sum these",
            self.count,
            self.data
        )
    }
}

impl Accumulator for Total {
    fn update_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        self.add(&values[0], 1)
    }
    fn retract_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        self.add(&values[0], -1)
    }
    fn supports_retract_batch(&self) -> bool {
        true
    }
    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        let mut state = self.parts.map(|it| ScalarValue::Decimal128(Some(it), 38, 0)).to_vec();
        state.push(ScalarValue::UInt64(Some(self.count)));
        Ok(state)
    }
    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        for (part, states) in self.parts.iter_mut().zip(states) {
            *part += states.as_primitive::<Decimal128Type>().iter().flatten().sum::<i128>();
        }
        self.count += states[3].as_primitive::<UInt64Type>().iter().flatten().sum::<u64>();
        Ok(())
    }
    fn evaluate(&mut self) -> Result<ScalarValue> {
        if self.count == 0 {
            return ScalarValue::try_from(&self.data);
        }
        Ok(match &self.data {
            DataType::Duration(unit) => {
                let sum = Some(self.part(0)?);
                match unit {
                    TimeUnit::Second => ScalarValue::DurationSecond(sum),
                    TimeUnit::Millisecond => ScalarValue::DurationMillisecond(sum),
                    TimeUnit::Microsecond => ScalarValue::DurationMicrosecond(sum),
                    TimeUnit::Nanosecond => ScalarValue::DurationNanosecond(sum),
                }
            }
            DataType::Interval(IntervalUnit::YearMonth) => {
                ScalarValue::IntervalYearMonth(Some(self.part(0)?))
            }
            DataType::Interval(IntervalUnit::DayTime) => {
                let sum = IntervalDayTime::new(self.part(0)?, self.part(1)?);
                ScalarValue::IntervalDayTime(Some(sum))
            }
            _ => {
                let sum = IntervalMonthDayNano::new(self.part(0)?, self.part(1)?, self.part(2)?);
                ScalarValue::IntervalMonthDayNano(Some(sum))
            }
        })
    }
    fn size(&self) -> usize {
        size_of_val(self)
    }
}
