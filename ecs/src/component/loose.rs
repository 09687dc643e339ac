//! The functions that copy, show, save and read the values of one type, in an untyped storage. Only they are compiled for
//! each component, and only for the ones that say so.

use crate::component::AnyComponent;
use crate::component::data::{Copying, DebugStorage, Debugging, Loose};
use crate::storage::copies::CopyStorage;
use crate::storage::values::Container;
use alloc::boxed::Box;

/// The reason why an untyped storage has the type of a component.
const OWN: &str = "a storage of the component";

/// Returns the storage with its type. Panics if that is another one.
pub(crate) fn values_of<T: AnyComponent>(values: &Loose) -> &T::Storage {
    values.downcast_ref().expect(OWN)
}

/// Returns the storage with its type, to be changed. Panics if that is another one.
pub(crate) fn values_mut_of<T: AnyComponent>(values: &mut Loose) -> &mut T::Storage {
    values.downcast_mut().expect(OWN)
}

impl Copying {
    /// Copies values by `Clone`.
    #[must_use]
    pub const fn by_clone<T: AnyComponent>() -> Self
    where
        T::Storage: CopyStorage<T>,
    {
        Self {
            all: |copies, from| values_mut_of::<T>(copies).copy_all(values_of::<T>(from)),
            some: |from, positions, times| {
                let (from, mut copies) = (values_of::<T>(from), T::Storage::default());
                copies.reserve(positions.len() * times);
                if let &[at] = positions {
                    copies.push_copies(from.copy_one(at), times);
                } else {
                    for _ in 0..times {
                        positions.iter().for_each(|at| copies.push(from.copy_one(*at)));
                    }
                }
                Box::new(copies)
            },
            keep_targets: if T::RELATION.is_some() { Some(keep_targets::<T>) } else { None },
        }
    }
}

fn keep_targets<T: AnyComponent>(
    copies: &mut Loose,
    from: &Loose,
    original: &dyn Fn(usize) -> usize,
) {
    let (copies, from) = (values_mut_of::<T>(copies), values_of::<T>(from));
    let Some(rule) = T::RELATION else { return };
    for at in 0..copies.len() {
        let (Some(original), Some(copy)) = (from.get(original(at)), copies.get(at)) else {
            continue;
        };
        let (target, of_copy) = ((rule.target_at)(original), (rule.target_at)(copy));
        if of_copy != target
            && let Some(copy) = copies.get_mut(at)
        {
            (rule.set_target)(copy, target);
        }
    }
}

impl Debugging {
    /// Shows values by `Debug`.
    #[must_use]
    pub const fn by_debug<T: AnyComponent>() -> Self
    where
        T::Storage: DebugStorage<T>,
    {
        Self(|values, at, look| values_of::<T>(values).look_at(at, look))
    }
}

#[cfg(feature = "serde")]
mod with_serde {
    use super::{values_mut_of, values_of};
    use crate::component::AnyComponent;
    #[cfg(feature = "bytes")]
    use crate::component::data::{BytesStorage, Plain, ReadValues, WriteBytes};
    use crate::component::data::{
        CheckHandles, Loose, OldSave, SaveStorage, Saved, Saving, SavingName, Visit,
    };
    use crate::component::same::Same;
    use crate::format::budget::Budget;
    use crate::format::checked::Next;
    use crate::format::header::Schema;
    use crate::format::limited::read_within;
    use crate::format::reader::{ReadError, Reader};
    use crate::format::source::Source;
    use crate::format::writer::write_value;
    use crate::internal::Internal;
    use crate::storage::values::Container;
    use alloc::boxed::Box;
    use alloc::vec::Vec;
    use serde::Serialize;
    use serde::de::DeserializeOwned;

    impl Saving {
        /// Saves values by serde, under this name.
        #[must_use]
        pub const fn by_serde<T>(
            base: &'static str,
            instance: &'static str,
            version: u32,
            fingerprint: u32,
        ) -> Self
        where
            T: AnyComponent + Saved + Same,
            T::Storage: SaveStorage<T>,
        {
            let (name, schema) = (SavingName { base, instance }, Schema { version, fingerprint });
            Self { compare: Some(add_unlike::<T>), ..Self::written::<T>(name, schema) }
        }

        /// Saves values by serde, for a type whose derive does not compare values.
        pub(crate) const fn written<T>(name: SavingName, schema: Schema) -> Self
        where
            T: AnyComponent + Saved,
            T::Storage: SaveStorage<T>,
        {
            Self {
                name,
                schema,
                before: T::SAVED_BEFORE,
                size: size_of::<T>(),
                with_capacity: |count| {
                    let mut values = T::Storage::default();
                    values.reserve(count);
                    Box::new(values)
                },
                len: |values| values_of::<T>(values).len(),
                write: write_all::<T>,
                read: read_all::<T, T>,
                parse: parse_one::<T, T>,
                show: |values, at, show| values_of::<T>(values).with_whole(at, |value| show(value)),
                visit: if T::HOLDS_ENTITIES { Some(visit_one::<T>) } else { None },
                compare: None,
                bytes: None,
            }
        }

        /// Saves values as bytes on little-endian machines. On others, and in formats for people, saves them by
        /// serde.
        #[cfg(feature = "bytes")]
        #[must_use]
        pub const fn by_bytes<T>(
            base: &'static str,
            instance: &'static str,
            version: u32,
            fingerprint: u32,
        ) -> Self
        where
            T: AnyComponent + Saved + Same + Plain,
            T::Storage: BytesStorage<T>,
        {
            Self::by_serde::<T>(base, instance, version, fingerprint).with_bytes::<T>()
        }

        /// Saves values as bytes, too, on little-endian machines.
        #[cfg(feature = "bytes")]
        pub(crate) const fn with_bytes<T>(self) -> Self
        where
            T: AnyComponent + Plain,
            T::Storage: BytesStorage<T>,
        {
            let bytes: Option<(WriteBytes, ReadValues)> = if cfg!(target_endian = "little") {
                Some((
                    |values, positions, bytes| values_of::<T>(values).write_bytes(positions, bytes),
                    |reader, count, values| {
                        T::Storage::read_bytes(reader, count, values_mut_of::<T>(values))
                    },
                ))
            } else {
                None
            };
            Self { bytes, ..self }
        }
    }

    impl OldSave {
        /// Reads values by serde as `Old`, from which the component is made.
        #[must_use]
        pub const fn by_serde<T, Old>(version: u32) -> Self
        where
            T: AnyComponent + From<Old>,
            Old: DeserializeOwned,
        {
            Self {
                version,
                read: |reader, count, values, _| read_all::<T, Old>(reader, count, values),
                parse: |from, budget, values, _| parse_one::<T, Old>(from, budget, values),
            }
        }
    }

    fn write_all<T>(
        values: &Loose,
        next: Next<'_>,
        bytes: &mut Vec<u8>,
        check: CheckHandles<'_>,
    ) -> Result<(), (usize, ReadError)>
    where
        T: AnyComponent + Serialize,
        T::Storage: SaveStorage<T>,
    {
        let values = values_of::<T>(values);
        while let Some(at) = next(bytes.len()) {
            match values.with_whole(at, |value| write_value(value, bytes)) {
                Ok(0) => {}
                Ok(handles) => check(at, handles).map_err(|error| (at, error))?,
                Err(error) => return Err((at, error)),
            }
        }
        Ok(())
    }

    fn visit_one<T: AnyComponent>(values: &Loose, at: usize, visit: Visit<'_>)
    where
        T::Storage: SaveStorage<T>,
    {
        values_of::<T>(values)
            .with_whole(at, |value| T::visit_entities(Internal::CALL, value, visit));
    }

    fn add_unlike<T>(one: &Loose, other: &Loose, len: usize, unlike: &mut Vec<usize>)
    where
        T: AnyComponent + Same,
        T::Storage: SaveStorage<T>,
    {
        let (one, other) = (values_of::<T>(one), values_of::<T>(other));
        for at in 0..len {
            if !one.with_whole(at, |one| other.with_whole(at, |other| T::same(one, other))) {
                unlike.push(at);
            }
        }
    }

    fn read_all<T: AnyComponent + From<Old>, Old: DeserializeOwned>(
        reader: &mut Reader,
        count: usize,
        values: &mut Loose,
    ) -> Result<(), ReadError> {
        let values = values_mut_of::<T>(values);
        reader.locally(|reader| {
            for _ in 0..count {
                values.push(T::from(reader.whole::<Old>()?));
            }
            Ok(())
        })
    }

    fn parse_one<T: AnyComponent + From<Old>, Old: DeserializeOwned>(
        from: &mut dyn Source<'_>,
        budget: &mut Budget,
        values: &mut Loose,
    ) -> Result<(), ReadError> {
        values_mut_of::<T>(values).push(T::from(read_within::<Old>(from, budget)?));
        Ok(())
    }
}
