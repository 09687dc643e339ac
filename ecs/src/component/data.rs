//! Operations on components whose types are not named, as far as a component allows them: copies, saves, `Debug`,
//! `Default`.

use crate::entity::Entity;
use crate::storage::columns::{Columns, InColumns};
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
pub(crate) use with_serde::{CheckHandles, Late, SavedValues, Show, Visit, WrittenAs};
#[cfg(feature = "serde")]
pub use with_serde::{OldSave, SaveStorage, Saved, Saving, SavingName};
#[cfg(feature = "bytes")]
pub(crate) use with_serde::{ReadValues, WriteBytes};

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

/// The functions that copy the values of a component, in an untyped storage.
#[doc(hidden)]
#[derive(Clone, Copy)]
pub struct Copying {
    /// Makes a storage a copy of another one.
    pub(crate) all: fn(&mut Loose, &Loose),
    /// Returns copies of the values at these positions, all of them this many times one after the other.
    pub(crate) some: fn(&Loose, &[usize], usize) -> Box<Loose>,
    /// Restores the targets of copied relations to the targets of the originals, for any `Clone` of theirs. The function
    /// returns the position of the original of a copy.
    pub(crate) keep_targets: Option<KeepTargets>,
}

type KeepTargets = fn(&mut Loose, &Loose, &dyn Fn(usize) -> usize);

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

/// Calls a function with the value at a position of an untyped storage.
pub(crate) type LookAt = fn(&Loose, usize, &mut dyn FnMut(&dyn fmt::Debug));

/// The function that shows the values of a component by `Debug`.
#[doc(hidden)]
#[derive(Clone, Copy)]
pub struct Debugging(pub(crate) LookAt);

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
    use crate::component::data::Loose;
    use crate::entity::Entity;
    use crate::format::budget::Budget;
    use crate::format::checked::Next;
    use crate::format::header::Schema;
    use crate::format::reader::{ReadError, Reader};
    use crate::format::source::Source;
    use crate::storage::columns::{Columns, InColumns};
    use crate::storage::copies::CopyStorage;
    use crate::storage::values::Storage;
    use alloc::boxed::Box;
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

    /// Writes the values at these positions, and checks each that has handles. If a value cannot be written, returns its
    /// position with the error.
    type Write =
        fn(&Loose, Next<'_>, &mut Vec<u8>, CheckHandles<'_>) -> Result<(), (usize, ReadError)>;
    /// Checks the handles in the value at a position: how many were written.
    pub(crate) type CheckHandles<'a> = &'a dyn Fn(usize, usize) -> Result<(), ReadError>;
    /// Adds the positions, below the last, where the values of two storages may differ.
    type Compare = fn(&Loose, &Loose, usize, &mut Vec<usize>);
    /// Appends this many values.
    pub(crate) type ReadValues = fn(&mut Reader, usize, &mut Loose) -> Result<(), ReadError>;
    /// Reads values of an earlier version, like [`ReadValues`]. If other components result from a value, adds one `Late`
    /// for each value.
    type OldRead = fn(&mut Reader, usize, &mut Loose, &mut Vec<Late>) -> Result<(), ReadError>;
    pub(crate) type WriteBytes = fn(&Loose, Option<&[usize]>, &mut Vec<u8>);
    type Parse = fn(&mut dyn Source<'_>, &mut Budget, &mut Loose) -> Result<(), ReadError>;
    /// Parses a value of an earlier version, like [`Parse`].
    type OldParse =
        fn(&mut dyn Source<'_>, &mut Budget, &mut Loose, &mut Vec<Late>) -> Result<(), ReadError>;
    /// Is called with a value.
    pub(crate) type Show<'a> = &'a mut dyn FnMut(&dyn erased_serde::Serialize);
    /// Is called with the handles in a value.
    pub(crate) type Visit<'a> = &'a mut dyn FnMut(Entity);

    /// The other components that result from an old value, before they are inserted into its entity.
    pub(crate) type Late = Box<dyn Any>;

    /// Saves and reads the values of one kind, in an untyped storage. `pool` is a pool of the kind.
    pub(crate) trait SavedValues: Sync {
        /// Returns an empty storage.
        fn no_values(&self, pool: &dyn Any) -> Box<Loose>;
        fn len(&self, values: &Loose) -> usize;
        /// Writes values as its [type](Write) says.
        fn write(
            &self,
            values: &Loose,
            next: Next<'_>,
            bytes: &mut Vec<u8>,
            check: CheckHandles<'_>,
        ) -> Result<(), (usize, ReadError)>;
        /// Reads a value that was just written, and drops it.
        fn read_back(&self, pool: &dyn Any, reader: &mut Reader) -> Result<(), ReadError>;
        /// Returns `true` if values are saved as bytes.
        fn is_saved_as_bytes(&self) -> bool;
        /// Appends the values at these positions, or all, of a type that is saved as bytes.
        fn write_bytes(&self, values: &Loose, positions: Option<&[usize]>, bytes: &mut Vec<u8>);
        /// Calls `show` with the value at this position.
        fn show(&self, values: &Loose, at: usize, show: Show<'_>);
        /// Calls `visit` with the handles in the value at this position that are replaced in another world.
        fn visit(&self, values: &Loose, at: usize, visit: Visit<'_>);
        /// Returns the positions, below `len`, at which the saved bytes differ.
        fn changed(&self, old: &Loose, new: &Loose, len: usize) -> Vec<usize>;
        /// Reads a value of this version, for which the budget is charged, and adds it to others.
        fn parse(
            &self,
            pool: &dyn Any,
            version: u32,
            from: &mut dyn Source<'_>,
            budget: &mut Budget,
            values: &mut Loose,
            late: &mut Vec<Late>,
        ) -> Result<(), ReadError>;
        /// Reads `count` values of this version, written as bytes or not. If that fails, returns the number of the wrong
        /// value, or `count` if no single value is wrong. Adds other components that result from the values to `late`.
        fn read(
            &self,
            pool: &dyn Any,
            written: WrittenAs,
            count: usize,
            reader: &mut Reader,
            late: &mut Vec<Late>,
        ) -> Result<Box<Loose>, (usize, ReadError)>;
    }

    /// The version of values that were written, and whether they were written as bytes.
    #[derive(Clone, Copy)]
    pub(crate) struct WrittenAs {
        pub(crate) version: u32,
        pub(crate) as_bytes: bool,
    }

    /// The functions that save and read the values of a component, in an untyped storage.
    #[doc(hidden)]
    #[derive(Clone, Copy)]
    pub struct Saving {
        pub(crate) name: SavingName,
        pub(crate) schema: Schema,
        /// The functions that read earlier versions.
        pub(crate) before: &'static [OldSave],
        /// The number of bytes of a value.
        pub(crate) size: usize,
        /// Returns a storage with room for this many values.
        pub(crate) with_capacity: fn(usize) -> Box<Loose>,
        pub(crate) len: fn(&Loose) -> usize,
        pub(crate) write: Write,
        pub(crate) read: ReadValues,
        pub(crate) parse: Parse,
        pub(crate) show: fn(&Loose, usize, Show<'_>),
        /// Visits the handles in a value, if values have any that are replaced.
        pub(crate) visit: Option<fn(&Loose, usize, Visit<'_>)>,
        /// Compares values of a type whose derive says how.
        pub(crate) compare: Option<Compare>,
        /// The functions that write and read values as their bytes in memory, if these are saved.
        pub(crate) bytes: Option<(WriteBytes, ReadValues)>,
    }

    /// The functions that read values of an earlier version.
    #[doc(hidden)]
    #[derive(Clone, Copy)]
    pub struct OldSave {
        pub(crate) version: u32,
        pub(crate) read: OldRead,
        pub(crate) parse: OldParse,
    }
}
