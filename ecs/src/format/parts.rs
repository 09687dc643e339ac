//! Lists, maps, structs and tuples, for serializers that write their parts one after the other.

/// Implements serde's traits for values with parts on a serializer with a field `depth`. `skipped` makes the error
/// for a field that is skipped; without it, such fields are ignored.
macro_rules! parts {
    ($serializer:ty $(, $skipped:expr)?) => {
        parts!($serializer, SerializeSeq (0, 1), serialize_element());
        parts!($serializer, SerializeTuple (1, 0), serialize_element());
        parts!($serializer, SerializeTupleStruct (1, 0), serialize_field());
        parts!($serializer, SerializeTupleVariant (1, 1), serialize_field());
        parts!($serializer, SerializeMap (0, 1), serialize_key(), serialize_value());
        parts!($serializer, SerializeStruct (1, 0), serialize_field(&'static str) $(=> $skipped)?);
        parts!($serializer, SerializeStructVariant (1, 1), serialize_field(&'static str) $(=> $skipped)?);

        impl $serializer {
            /// Writes a value that is this many levels deeper.
            #[inline]
            fn inside<T: serde::Serialize + ?Sized>(
                &mut self,
                fixed: usize,
                open: usize,
                value: &T,
            ) -> Result {
                self.depth.enter(fixed, open)?;
                value.serialize(&mut *self)?;
                self.depth.leave(fixed, open);
                Ok(())
            }
        }
    };
    ($serializer:ty, $whole:ident ($fixed:literal, $open:literal), $($part:ident($($name:ty)?)),+ $(=> $skipped:expr)?) => {
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
            #[inline]
            fn end(self) -> Result<(), Self::Error> {
                self.depth.leave($fixed, $open);
                Ok(())
            }
        }
    };
}
pub(crate) use parts;
