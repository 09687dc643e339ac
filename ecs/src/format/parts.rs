//! Lists, maps, structs and the like, of serializers that write their parts one after the other.

/// Lets a serializer write parts, with names or without, by itself. What is `skipped`, the error of a field that is
/// left out; without it nothing is said of that.
macro_rules! parts {
    ($serializer:ty $(, $skipped:expr)?) => {
        parts!($serializer, SerializeSeq, serialize_element());
        parts!($serializer, SerializeTuple, serialize_element());
        parts!($serializer, SerializeTupleStruct, serialize_field());
        parts!($serializer, SerializeTupleVariant, serialize_field());
        parts!($serializer, SerializeMap, serialize_key(), serialize_value());
        parts!($serializer, SerializeStruct, serialize_field(&'static str) $(=> $skipped)?);
        parts!($serializer, SerializeStructVariant, serialize_field(&'static str) $(=> $skipped)?);
    };
    ($serializer:ty, $whole:ident, $($part:ident($($name:ty)?)),+ $(=> $skipped:expr)?) => {
        impl serde::ser::$whole for &mut $serializer {
            type Ok = ();
            type Error = crate::format::error::ReadError;

            $(
                #[inline]
                fn $part<T: serde::Serialize + ?Sized>(
                    &mut self,
                    $(_: $name,)?
                    value: &T,
                ) -> Result<(), Self::Error> {
                    value.serialize(&mut **self)
                }
            )+
            $(fn skip_field(&mut self, field: &'static str) -> Result<(), Self::Error> {
                Err($skipped(field))
            })?
            fn end(self) -> Result<(), Self::Error> {
                Ok(())
            }
        }
    };
}
pub(crate) use parts;
