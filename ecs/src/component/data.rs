//! Operations on components whose types are not named, as far as a component allows them: copies, saves, `Debug`,
//! `Default`.

use crate::entity::Entity;
use crate::storage::columns::{Columns, InColumns};
use crate::storage::copies::CopyStorage;
use crate::storage::sparse_set::SparseSet;
pub(crate) use crate::storage::untyped::Loose;
use crate::storage::values::{Container, Storage};
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::any::Any;
use core::fmt;
use core::sync::atomic::{AtomicU64, Ordering};
#[cfg(feature = "bytes")]
pub use with_bytes::{BytesStorage, Plain};
#[cfg(feature = "serde")]
pub(crate) use with_serde::Late;
#[cfg(feature = "serde")]
pub use with_serde::{OldSave, SaveStorage, Saved, SavedPool, Saving, SavingName};

/// A pool whose values may be copied.
#[doc(hidden)]
pub trait CopiedPool {
    /// Makes this pool a copy of a pool of its type. If that panics, the pool must be cleared.
    fn copy_from(&mut self, from: &dyn Any);
    /// Returns copies of the values of these members, all of them `times` times one after the other.
    fn copies_of(&self, members: &[Entity], times: usize) -> Box<Loose>;
}

/// The index of a component, without its types.
#[doc(hidden)]
pub trait AnyIndex: Any + Send + Sync {
    /// Files the members that may have changed anew, or all members of the pool if `all` is `true`. `drain` calls a
    /// function with the members that may have changed.
    fn renew(&mut self, pool: &dyn Any, all: bool, drain: Drain<'_>);
    /// Returns the identity of the index.
    fn owner(&self) -> IndexOwner;
    /// Returns the bytes on the heap.
    fn memory(&self) -> usize;
}

/// The identity of an index that a world has.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IndexOwner {
    /// The number and the name of the component.
    number: u32,
    name: &'static str,
    /// Differs from the numbers of all other indexes of the process.
    id: u64,
}

impl IndexOwner {
    /// Returns the identity of a new index of the component with this number and name.
    pub(crate) fn new(number: u32, name: &'static str) -> Self {
        static LAST: AtomicU64 = AtomicU64::new(0);
        Self { number, name, id: LAST.fetch_add(1, Ordering::Relaxed) }
    }

    /// Returns the number of the component.
    pub(crate) const fn number(self) -> u32 {
        self.number
    }

    /// Returns the name of the component.
    pub(crate) const fn name(self) -> &'static str {
        self.name
    }
}

/// Calls a function for each 64 neighbouring indices with values that may have changed, and forgets the changes. The
/// function gets the number of the word, and a bit for each changed index.
#[doc(hidden)]
pub type Drain<'a> = &'a dyn Fn(&mut dyn FnMut(usize, u64));

/// The rule of an indexed component.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct IndexRule {
    /// Makes an index of the component with this number and name.
    pub(crate) make: fn(u32, &'static str) -> Box<dyn AnyIndex>,
    pub(crate) unique: Option<UniqueRule>,
    /// The checks of single values with a type.
    pub(crate) unique_value: Option<UniqueValueRule>,
}

/// An entity, and another one that would have an equal key.
pub(crate) type EqualPair = (Entity, Entity);

/// The rule of a component with unique keys: no two entities have equal ones.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct UniqueRule {
    /// Finds an entity and another one that would have one key, if these values were given together.
    pub(crate) check: fn(Together<'_>, &mut dyn AnyIndex) -> Result<(), EqualPair>,
    /// Finds two such entities in a pool, or an entity of it and one of an index.
    pub(crate) check_pool: fn(WholePool<'_>) -> Result<(), EqualPair>,
}

/// The checks of single values of a component with unique keys, which are whole.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct UniqueValueRule {
    /// Returns the entity with the key of a value.
    pub(crate) holder: fn(&dyn AnyIndex, &dyn Any) -> Option<Entity>,
    /// Inserts a value after others: see [`Giving`].
    pub(crate) give: fn(Giving<'_>, &mut dyn AnyIndex) -> Option<Entity>,
}

/// A value that an entity is about to get. Its key is compared with the keys of a world, and with an index of the values
/// that were given before it. The result is another entity that would have an equal key.
#[doc(hidden)]
#[derive(Clone, Copy)]
pub struct Giving<'a> {
    pub(crate) world: Option<&'a dyn AnyIndex>,
    /// The entity; `None` stands for one that is made with the value.
    pub(crate) entity: Option<Entity>,
    pub(crate) value: &'a dyn Any,
}

/// Values that entities are about to get together. Each is compared with an index of the values before it, too.
#[doc(hidden)]
#[derive(Clone, Copy)]
pub struct Together<'a> {
    pub(crate) world: Option<&'a dyn AnyIndex>,
    pub(crate) entities: &'a [Entity],
    /// Their storage.
    pub(crate) values: &'a Loose,
    /// Returns `true` for entities of the world that lose their value.
    pub(crate) lose: &'a dyn Fn(Entity) -> bool,
}

/// A pool with other members, and other values at some positions.
#[doc(hidden)]
#[derive(Clone, Copy)]
pub struct WholePool<'a> {
    pub(crate) world: Option<&'a dyn AnyIndex>,
    pub(crate) pool: &'a dyn Any,
    pub(crate) members: &'a [Entity],
    /// The positions, ascending, and the storage of their values.
    pub(crate) patch: Option<(&'a [usize], &'a Loose)>,
}

/// A value of a unique component that is to be inserted.
#[doc(hidden)]
pub struct UniqueValue<'a> {
    pub(crate) number: u32,
    pub(crate) name: &'static str,
    pub(crate) rule: IndexRule,
    pub(crate) value: &'a dyn Any,
}

/// All components of one type.
pub(crate) type PoolOf<T, S> = SparseSet<T, Entity, S>;

/// The functions that copy the values of a component in its storage.
#[doc(hidden)]
pub struct Copying<T, S: Storage<T>> {
    pub(crate) pool: fn(&PoolOf<T, S>) -> &(dyn CopiedPool + 'static),
    pub(crate) pool_mut: fn(&mut PoolOf<T, S>) -> &mut (dyn CopiedPool + 'static),
    pub(crate) all: fn(&mut S, &S),
    pub(crate) one: fn(&S, usize) -> T,
    pub(crate) times: fn(&mut S, T, usize),
}

impl<T, S: Storage<T>> Copying<T, S> {
    /// Copies values by `Clone`.
    #[must_use]
    pub const fn by_clone() -> Self
    where
        T: 'static,
        S: CopyStorage<T>,
        PoolOf<T, S>: CopiedPool,
    {
        Self {
            pool: |pool| pool,
            pool_mut: |pool| pool,
            all: S::copy_all,
            one: S::copy_one,
            times: S::push_copies,
        }
    }
}

/// A storage whose values have `Debug`.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{T}` is to be shown, and is not `Debug`",
    label = "needs `Debug`",
    note = "add `#[derive(Debug)]`, or leave out `debug` in the attribute; a component in columns is shown field by \
            field, so each field is to be `Debug`"
)]
pub trait DebugStorage<T>: Storage<T> {
    /// Calls `look` with the value at `at`, if there is one.
    #[doc(hidden)]
    fn look_at(&self, at: usize, look: &mut dyn FnMut(&dyn fmt::Debug));
}

#[diagnostic::do_not_recommend]
impl<T: fmt::Debug + Send + Sync + 'static> DebugStorage<T> for Vec<T> {
    fn look_at(&self, at: usize, look: &mut dyn FnMut(&dyn fmt::Debug)) {
        if let Some(value) = self.get(at) {
            look(value);
        }
    }
}
#[diagnostic::do_not_recommend]
impl<T: InColumns> DebugStorage<T> for Columns<T>
where
    for<'a> <Self as Container<T>>::Ref<'a>: fmt::Debug,
{
    fn look_at(&self, at: usize, look: &mut dyn FnMut(&dyn fmt::Debug)) {
        if let Some(value) = Container::get(self, at) {
            look(&value);
        }
    }
}

type ShowAt<S> = fn(&S, usize, &mut dyn FnMut(&dyn fmt::Debug));

/// The function that shows the values of a component in its storage by `Debug`.
#[doc(hidden)]
pub struct Debugging<S>(pub(crate) ShowAt<S>);

impl<S> Debugging<S> {
    /// Shows values by `Debug`.
    #[must_use]
    pub const fn by_debug<T>() -> Self
    where
        S: DebugStorage<T>,
    {
        Self(S::look_at)
    }
}

/// A component that can be inserted by name, without a value.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` is to be inserted by default, and has no `Default`",
    label = "needs `Default`",
    note = "add `#[derive(Default)]`, or leave out `default` in the attribute"
)]
pub trait Defaulted: Default {}
#[diagnostic::do_not_recommend]
impl<T: Default> Defaulted for T {}

/// Returns the default of a component.
#[doc(hidden)]
#[must_use]
pub fn default_of<T: Defaulted>() -> T {
    T::default()
}

#[cfg(feature = "bytes")]
mod with_bytes {
    use super::with_serde::SaveStorage;
    use crate::format::reader::{ReadError, Reader};
    use crate::storage::columns::{Columns, InColumns};
    use crate::storage::copies::CopyStorage;
    use crate::storage::values::Container;
    use alloc::vec::Vec;
    use bytemuck::{Pod, bytes_of, cast_slice, pod_read_unaligned};

    /// Plain data: any bytes are a value, and a value determines all its bytes.
    #[doc(hidden)]
    #[diagnostic::on_unimplemented(
        message = "`{Self}` is to be saved as bytes, and is not plain data",
        label = "needs `bytemuck::Pod`",
        note = "add `#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]` and `#[repr(C)]`, which accept only \
                numbers and arrays, without padding; or leave out `bytes` in the attribute"
    )]
    pub trait Plain: Pod {}
    #[diagnostic::do_not_recommend]
    impl<T: Pod> Plain for T {}

    /// A storage whose values are saved as bytes, with the lowest byte of a number first.
    #[doc(hidden)]
    pub trait BytesStorage<T: Pod>: SaveStorage<T> {
        /// Appends the bytes of the values at these positions, or of all.
        fn write_bytes(&self, positions: Option<&[usize]>, bytes: &mut Vec<u8>);
        /// Appends this many values.
        fn read_bytes(
            reader: &mut Reader,
            count: usize,
            values: &mut Self,
        ) -> Result<(), ReadError>;
    }

    impl<T: Pod + Send + Sync> BytesStorage<T> for Vec<T> {
        fn write_bytes(&self, positions: Option<&[usize]>, bytes: &mut Vec<u8>) {
            match positions {
                None => bytes.extend_from_slice(cast_slice(self)),
                Some(positions) => {
                    for at in positions {
                        bytes.extend_from_slice(bytes_of(&self[*at]));
                    }
                }
            }
        }
        fn read_bytes(
            reader: &mut Reader,
            count: usize,
            values: &mut Self,
        ) -> Result<(), ReadError> {
            let bytes = reader.values(count, size_of::<T>())?;
            if size_of::<T>() == 0 {
                values.resize(values.len() + count, T::zeroed());
            } else {
                values.extend(bytes.chunks_exact(size_of::<T>()).map(pod_read_unaligned::<T>));
            }
            Ok(())
        }
    }

    impl<T: Pod + InColumns<Columns: CopyStorage<T::Values>>> BytesStorage<T> for Columns<T> {
        fn write_bytes(&self, positions: Option<&[usize]>, bytes: &mut Vec<u8>) {
            let mut write =
                |at| self.with_whole(at, |value| bytes.extend_from_slice(bytes_of(value)));
            match positions {
                None => (0..self.len()).for_each(write),
                Some(positions) => positions.iter().for_each(|at| write(*at)),
            }
        }
        fn read_bytes(
            reader: &mut Reader,
            count: usize,
            values: &mut Self,
        ) -> Result<(), ReadError> {
            let size = size_of::<T>();
            let bytes = reader.values(count, size)?;
            for at in 0..count {
                values.push(pod_read_unaligned(&bytes[at * size..][..size]));
            }
            Ok(())
        }
    }
}

#[cfg(feature = "serde")]
mod with_serde {
    use super::PoolOf;
    use crate::component::data::Loose;
    use crate::component::same::Same;
    use crate::entity::Entity;
    use crate::format::budget::Budget;
    use crate::format::checked::Next;
    use crate::format::handles::handles_in;
    use crate::format::header::Schema;
    use crate::format::limited::read_within;
    use crate::format::reader::{ReadError, Reader};
    use crate::format::source::Source;
    use crate::format::writer::write_value;
    use crate::storage::columns::{Columns, InColumns};
    use crate::storage::copies::CopyStorage;
    use crate::storage::keys::Keys;
    use crate::storage::values::Storage;
    use alloc::boxed::Box;
    use alloc::string::String;
    use alloc::vec::Vec;
    use core::any::Any;
    use core::cmp::Ordering;
    use core::fmt;
    use serde::Serialize;
    use serde::de::DeserializeOwned;

    /// A value that serde can write, and read back without borrowing from the bytes.
    #[doc(hidden)]
    #[diagnostic::on_unimplemented(
        message = "`{Self}` is to be saved, and serde cannot both write and read it",
        label = "needs `Serialize` and `Deserialize`",
        note = "add `#[derive(serde::Serialize, serde::Deserialize)]`; a value that is read owns its data: a \
                `String`, not a `&str`; and so does a parameter of the type: `T: serde::Serialize + serde::de::DeserializeOwned`"
    )]
    pub trait Saved: Serialize + DeserializeOwned {}
    #[diagnostic::do_not_recommend]
    impl<T: Serialize + DeserializeOwned> Saved for T {}

    /// A storage whose values are saved one by one and whole, so that a file does not depend on the layout.
    #[doc(hidden)]
    #[diagnostic::on_unimplemented(
        message = "`{T}` is to be saved, and a component in columns is put together for that: it is not `Clone`",
        label = "needs `Clone`",
        note = "add `#[derive(Clone)]`, so that each field is cloned, or leave out `save` in the attribute"
    )]
    pub trait SaveStorage<T>: Storage<T> {
        #[doc(hidden)]
        fn with_whole<R>(&self, at: usize, look: impl FnOnce(&T) -> R) -> R;
    }

    #[diagnostic::do_not_recommend]
    impl<T: Send + Sync + 'static> SaveStorage<T> for Vec<T> {
        #[inline]
        fn with_whole<R>(&self, at: usize, look: impl FnOnce(&T) -> R) -> R {
            look(&self[at])
        }
    }
    #[diagnostic::do_not_recommend]
    impl<T: InColumns<Columns: CopyStorage<T::Values>> + Clone> SaveStorage<T> for Columns<T> {
        #[inline]
        fn with_whole<R>(&self, at: usize, look: impl FnOnce(&T) -> R) -> R {
            look(&self.copy_one(at))
        }
    }

    /// The name of a component in files. The name of a generic component includes its instance.
    #[doc(hidden)]
    #[derive(Clone, Copy, Debug)]
    pub struct SavingName {
        pub(crate) base: &'static str,
        pub(crate) instance: &'static str,
    }

    impl SavingName {
        fn parts(self) -> [&'static str; 4] {
            let Self { base, instance } = self;
            if instance.is_empty() { [base, "", "", ""] } else { [base, "<", instance, ">"] }
        }

        fn bytes(self) -> impl Iterator<Item = u8> {
            self.parts().into_iter().flat_map(str::bytes)
        }

        /// Returns `true` if `text` is this name.
        #[inline]
        pub(crate) fn is(self, text: &str) -> bool {
            self.bytes().eq(text.bytes())
        }
    }

    impl fmt::Display for SavingName {
        #[inline]
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            self.parts().iter().try_for_each(|part| f.write_str(part))
        }
    }

    impl PartialEq for SavingName {
        #[inline]
        fn eq(&self, other: &Self) -> bool {
            self.cmp(other) == Ordering::Equal
        }
    }
    impl Eq for SavingName {}

    impl PartialOrd for SavingName {
        #[inline]
        fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
            Some(self.cmp(other))
        }
    }

    impl Ord for SavingName {
        /// Compares names like the texts in files, so that parts are in the order in which they are read.
        #[inline]
        fn cmp(&self, other: &Self) -> Ordering {
            self.bytes().cmp(other.bytes())
        }
    }

    /// Writes the values at these positions, and checks each that has handles.
    type Write<T, S> =
        fn(&S, Next<'_>, &mut Vec<u8>, CheckHandles<T>) -> Result<(), (usize, ReadError)>;
    /// Checks the handles in a value: how many there are, and a function that lists them with their paths.
    type CheckHandles<T> =
        fn(&T, usize, &dyn Fn() -> Vec<(String, Entity)>) -> Result<(), ReadError>;
    /// Adds the positions, below the last, where the saved bytes of two storages' values differ.
    type Compare<S> = fn(&S, &S, usize, &mut Vec<usize>);
    type Read<S> = fn(&mut Reader, usize, &mut S) -> Result<(), ReadError>;
    /// Reads values of an earlier version, like [`Read`]. If other components result from a value, adds one `Late`
    /// for each value.
    pub(crate) type OldRead<S> =
        fn(&mut Reader, usize, &mut S, &mut Vec<Late>) -> Result<(), ReadError>;
    type WriteBytes<S> = fn(&S, Option<&[usize]>, &mut Vec<u8>);
    type Show<S> = fn(&S, usize, &mut dyn FnMut(&dyn erased_serde::Serialize));
    /// Calls a function with the value at a position.
    type ShowAt<T, S> = fn(&S, usize, &mut dyn FnMut(&T));
    type Parse<S> = fn(&mut dyn Source<'_>, &mut Budget, &mut S) -> Result<(), ReadError>;

    /// Parses a value of an earlier version, like [`Parse`].
    pub(crate) type OldParse<S> =
        fn(&mut dyn Source<'_>, &mut Budget, &mut S, &mut Vec<Late>) -> Result<(), ReadError>;

    /// The other components that result from an old value, before they are inserted into its entity.
    pub(crate) type Late = Box<dyn Any>;

    /// A pool whose values are saved.
    #[doc(hidden)]
    pub trait SavedPool: 'static {
        /// Appends the values at these positions. Returns the number of a value that cannot be written, with the error.
        fn write(&self, next: Next<'_>, bytes: &mut Vec<u8>) -> Result<(), (usize, ReadError)>;
        /// Returns `true` if values are saved as bytes.
        fn is_saved_as_bytes(&self) -> bool;
        /// Appends the values at these positions, or all, of a type that is saved as bytes.
        fn write_bytes(&self, positions: Option<&[usize]>, bytes: &mut Vec<u8>);
        /// Calls `show` with the value at this position.
        fn show(&self, at: usize, show: &mut dyn FnMut(&dyn erased_serde::Serialize));
        /// Calls `visit` with the handles in the value at this position that are replaced in another world.
        fn visit_entities(&self, at: usize, visit: &mut dyn FnMut(Entity));
        /// Returns an error if the value at this position would be written with handles that nothing replaces.
        fn check_handles(&self, at: usize) -> Result<(), ReadError>;
        /// Returns an empty storage of this type.
        fn no_values(&self) -> Box<Loose>;
        /// Reads a value of this version, for which the budget is charged, and adds it to untyped values of this type.
        fn parse(
            &self,
            version: u32,
            from: &mut dyn Source<'_>,
            budget: &mut Budget,
            values: &mut Loose,
            late: &mut Vec<Late>,
        ) -> Result<(), ReadError>;
        /// Replaces the pool by these keys and untyped values of this type, one for each. If the values were
        /// [parsed](Self::parse), they are refused unless all handles within them are visited.
        fn fill(
            &mut self,
            keys: Keys<Entity>,
            values: Box<Loose>,
            parsed: bool,
        ) -> Result<(), ReadError>;
        /// Returns the positions at which the saved bytes of this pool and of another one of its type differ.
        fn changed_since(&self, old: &dyn Any) -> Vec<usize>;
        /// Reads `count` values of this version, written as bytes or not. Returns the number of the wrong value if that
        /// fails. Adds other components that result from the values to `late`.
        fn read_loose(
            &self,
            version: u32,
            as_bytes: bool,
            count: usize,
            reader: &mut Reader,
            late: &mut Vec<Late>,
        ) -> Result<Box<Loose>, (usize, ReadError)>;
        /// Replaces the keys by these, or keeps them for `None`, and writes untyped values of this type at these positions,
        /// which ascend. Returns the values that no entity has any more.
        fn patch(
            &mut self,
            keys: Option<Keys<Entity>>,
            positions: &[usize],
            values: Box<Loose>,
        ) -> Box<Loose>;
    }

    /// The functions that save and read the values of a component in its storage.
    #[doc(hidden)]
    pub struct Saving<T, S: Storage<T>> {
        pub(crate) pool: fn(&PoolOf<T, S>) -> &(dyn SavedPool + 'static),
        pub(crate) pool_mut: fn(&mut PoolOf<T, S>) -> &mut (dyn SavedPool + 'static),
        pub(crate) name: SavingName,
        pub(crate) schema: Schema,
        /// Writes the values at these positions. Returns the position of a value that cannot be written, with the
        /// error.
        pub(crate) write: Write<T, S>,
        /// Appends this many values.
        pub(crate) read: Read<S>,
        pub(crate) show: Show<S>,
        pub(crate) look: ShowAt<T, S>,
        pub(crate) parse: Parse<S>,
        pub(crate) compare: Compare<S>,
        /// The functions that write and read values as their bytes in memory, if these are saved.
        pub(crate) bytes: Option<(WriteBytes<S>, Read<S>)>,
    }

    /// The functions that read values of an earlier version.
    #[doc(hidden)]
    pub struct OldSave<S> {
        pub(crate) version: u32,
        pub(crate) read: OldRead<S>,
        pub(crate) parse: OldParse<S>,
    }

    impl<T, S: Storage<T>> Saving<T, S> {
        /// Saves values by serde, under this name.
        #[must_use]
        pub const fn by_serde(
            base: &'static str,
            instance: &'static str,
            version: u32,
            fingerprint: u32,
        ) -> Self
        where
            T: Saved + Same,
            S: SaveStorage<T>,
            PoolOf<T, S>: SavedPool,
        {
            Self {
                compare: |one, other, len, changed| compare_all(one, other, len, T::same, changed),
                ..Self::written(base, instance, version, fingerprint)
            }
        }

        /// Saves values by serde, for a type whose derive does not compare values.
        pub(crate) const fn written(
            base: &'static str,
            instance: &'static str,
            version: u32,
            fingerprint: u32,
        ) -> Self
        where
            T: Saved,
            S: SaveStorage<T>,
            PoolOf<T, S>: SavedPool,
        {
            Self {
                pool: |pool| pool,
                pool_mut: |pool| pool,
                name: SavingName { base, instance },
                schema: Schema { version, fingerprint },
                write: write_all,
                read: read_all::<T, T, S>,
                show: |values, at, show| values.with_whole(at, |value| show(value)),
                look: |values, at, look| values.with_whole(at, look),
                parse: parse_one::<T, T, S>,
                compare: |one, other, len, changed| {
                    compare_all(one, other, len, |_, _| false, changed);
                },
                bytes: None,
            }
        }

        /// Saves values as bytes on little-endian machines. On others, and in formats for people, saves them by
        /// serde.
        #[cfg(feature = "bytes")]
        #[must_use]
        pub const fn by_bytes(
            base: &'static str,
            instance: &'static str,
            version: u32,
            fingerprint: u32,
        ) -> Self
        where
            T: Saved + Same + super::Plain,
            S: super::with_bytes::BytesStorage<T>,
            PoolOf<T, S>: SavedPool,
        {
            Self::by_serde(base, instance, version, fingerprint).with_bytes()
        }

        /// Saves values as bytes, too, on little-endian machines.
        #[cfg(feature = "bytes")]
        pub(crate) const fn with_bytes(self) -> Self
        where
            T: super::Plain,
            S: super::with_bytes::BytesStorage<T>,
        {
            let bytes: Option<(WriteBytes<S>, Read<S>)> = if cfg!(target_endian = "little") {
                Some((S::write_bytes, S::read_bytes))
            } else {
                None
            };
            Self { bytes, ..self }
        }
    }

    impl<S> OldSave<S> {
        /// Reads values by serde as `Old`, from which the component is made.
        #[must_use]
        pub const fn by_serde<T, Old>(version: u32) -> Self
        where
            T: From<Old>,
            Old: DeserializeOwned,
            S: Storage<T>,
        {
            Self {
                version,
                read: |reader, count, values, _| read_all::<T, Old, S>(reader, count, values),
                parse: |from, budget, values, _| parse_one::<T, Old, S>(from, budget, values),
            }
        }
    }

    fn write_all<T: Serialize, S: SaveStorage<T>>(
        values: &S,
        next: Next<'_>,
        bytes: &mut Vec<u8>,
        check: CheckHandles<T>,
    ) -> Result<(), (usize, ReadError)> {
        while let Some(at) = next(bytes.len()) {
            let written = values.with_whole(at, |value| match write_value(value, bytes)? {
                0 => Ok(()),
                handles => check(value, handles, &|| handles_in(value)),
            });
            written.map_err(|error| (at, error))?;
        }
        Ok(())
    }

    fn compare_all<T: Serialize, S: SaveStorage<T>>(
        one: &S,
        other: &S,
        len: usize,
        are_same: impl Fn(&T, &T) -> bool,
        changed: &mut Vec<usize>,
    ) {
        let mut bytes = [Vec::new(), Vec::new()];
        let mut are_alike = |one: &T, other: &T| {
            are_same(one, other) || {
                let mut written = bytes.iter_mut().zip([one, other]).map(|(bytes, value)| {
                    bytes.clear();
                    write_value(value, bytes).is_ok()
                });
                written.all(|is_written| is_written) && bytes[0] == bytes[1]
            }
        };
        for at in 0..len {
            if !one.with_whole(at, |one| other.with_whole(at, |other| are_alike(one, other))) {
                changed.push(at);
            }
        }
    }

    fn read_all<T: From<Old>, Old: DeserializeOwned, S: Storage<T>>(
        reader: &mut Reader,
        count: usize,
        values: &mut S,
    ) -> Result<(), ReadError> {
        reader.locally(|reader| {
            for _ in 0..count {
                values.push(T::from(reader.whole::<Old>()?));
            }
            Ok(())
        })
    }

    fn parse_one<T: From<Old>, Old: DeserializeOwned, S: Storage<T>>(
        from: &mut dyn Source<'_>,
        budget: &mut Budget,
        values: &mut S,
    ) -> Result<(), ReadError> {
        values.push(T::from(read_within::<Old>(from, budget)?));
        Ok(())
    }
}
