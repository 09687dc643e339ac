//! Values that stay on their thread, behind handles that do not.

use alloc::collections::BTreeMap;
use alloc::rc::Rc;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::any::Any;
use core::cell::RefCell;
use core::error::Error;
use core::fmt;
use core::marker::PhantomData;
use core::mem;
use std::sync::{Mutex, PoisonError};
use std::thread_local;

/// A value of a type that is not `Send` or not `Sync`, for a [resource](crate::Resource) or a
/// [component](crate::Component): a window, a handle of another library, an `Rc`.
///
/// The value stays on the thread that made it, in a table of that thread; this is a handle to it, so whatever has one can
/// be sent and shared. It is used on its own thread only: elsewhere an access is an error, or a panic. Where the handle
/// is dropped does not matter, as the value is dropped on its own thread: at once; or, if the handle is dropped on
/// another one, when its thread next makes or uses a `NonSend`, or ends.
///
/// Systems of a [`Schedule`](crate::Schedule) may run on any thread; those that take `&mut World` run on the schedule's
/// own.
///
/// An access costs some tens of nanoseconds, to look into the table. It needs the feature `std`.
///
/// ```
/// use ecs::{NonSend, Resource, World};
/// use std::rc::Rc;
///
/// #[derive(Resource)]
/// struct Window(NonSend<Rc<str>>);
///
/// let mut world = World::new();
/// world.insert_resource(Window(NonSend::new("main".into())));
/// assert_eq!(world.resource::<Window>().0.with(|title| title.len()), 4);
///
/// std::thread::scope(|scope| {
///     scope.spawn(|| assert!(world.resource::<Window>().0.try_with(|_| ()).is_err()));
/// });
/// ```
#[doc(alias = "Fragile")]
#[doc(alias = "SendWrapper")]
pub struct NonSend<T: 'static> {
    home: Arc<Home>,
    id: u64,
    of: PhantomData<fn(T) -> T>,
}

/// A thread that has values.
#[derive(Default)]
struct Home {
    /// The values whose handles were dropped elsewhere.
    left: Mutex<Vec<u64>>,
}

/// The values of a thread.
#[derive(Default)]
struct Table {
    home: Arc<Home>,
    /// The number of the next value: none is used twice.
    next: u64,
    /// Each is a `RefCell`. Only its handle leads to it, so what borrows the handle decides who borrows the value.
    values: BTreeMap<u64, Rc<dyn Any>>,
}

thread_local! {
    static TABLE: RefCell<Table> = RefCell::default();
}

impl Table {
    /// Takes out the values whose handles were dropped elsewhere. They are the caller's to drop, as that is user
    /// code.
    fn take_left(&mut self) -> Vec<Rc<dyn Any>> {
        let left = mem::take(&mut *self.home.left.lock().unwrap_or_else(PoisonError::into_inner));
        left.iter().filter_map(|id| self.values.remove(id)).collect()
    }
}

impl<T: 'static> NonSend<T> {
    /// Keeps `value` on this thread.
    ///
    /// # Panics
    /// While the thread ends, when its table is gone.
    ///
    /// ```
    /// # use ecs::NonSend;
    /// # use std::cell::Cell;
    /// let counter = NonSend::new(Cell::new(3));
    /// assert_eq!(counter.with(Cell::get), 3);
    /// ```
    #[must_use]
    pub fn new(value: T) -> Self {
        let value = Rc::new(RefCell::new(value));
        let (this, left) = TABLE.with_borrow_mut(|table| {
            let id = table.next;
            table.next += 1;
            table.values.insert(id, value);
            let this = Self { home: Arc::clone(&table.home), id, of: PhantomData };
            (this, table.take_left())
        });
        drop(left);
        this
    }

    /// What `f` says of the value.
    ///
    /// # Panics
    /// On another thread than the value's; [`try_with`](Self::try_with) tells without a panic.
    ///
    /// ```
    /// # use ecs::NonSend;
    /// # use std::rc::Rc;
    /// let name = NonSend::new(Rc::new("Alice"));
    /// assert_eq!(name.with(|name| name.len()), 5);
    /// ```
    #[track_caller]
    pub fn with<R>(&self, f: impl FnOnce(&T) -> R) -> R {
        match self.try_with(f) {
            Ok(result) => result,
            Err(error) => panic!("{error}"),
        }
    }

    /// As [`with`](Self::with), to change the value.
    ///
    /// # Panics
    /// On another thread than the value's; [`try_with_mut`](Self::try_with_mut) tells without a panic.
    ///
    /// ```
    /// # use ecs::NonSend;
    /// let mut list = NonSend::new(vec![1]);
    /// list.with_mut(|list| list.push(2));
    /// assert_eq!(list.with(Vec::len), 2);
    /// ```
    #[track_caller]
    pub fn with_mut<R>(&mut self, f: impl FnOnce(&mut T) -> R) -> R {
        match self.try_with_mut(f) {
            Ok(result) => result,
            Err(error) => panic!("{error}"),
        }
    }

    /// What `f` says of the value.
    ///
    /// # Errors
    /// On another thread than the value's; `f` is not called then.
    ///
    /// ```
    /// # use ecs::NonSend;
    /// let list = NonSend::new(vec![1]);
    /// assert_eq!(list.try_with(Vec::len), Ok(1));
    /// std::thread::scope(|scope| {
    ///     scope.spawn(|| assert!(list.try_with(Vec::len).is_err()));
    /// });
    /// ```
    pub fn try_with<R>(&self, f: impl FnOnce(&T) -> R) -> Result<R, WrongThreadError> {
        let value = self.find().ok_or(WrongThreadError)?;
        Ok(f(&value.borrow()))
    }

    /// As [`try_with`](Self::try_with), to change the value.
    ///
    /// # Errors
    /// On another thread than the value's; `f` is not called then.
    ///
    /// ```
    /// # use ecs::NonSend;
    /// let mut list = NonSend::new(vec![1]);
    /// list.try_with_mut(|list| list.push(2))?;
    /// assert_eq!(list.with(Vec::len), 2);
    /// # Ok::<_, ecs::WrongThreadError>(())
    /// ```
    pub fn try_with_mut<R>(&mut self, f: impl FnOnce(&mut T) -> R) -> Result<R, WrongThreadError> {
        let value = self.find().ok_or(WrongThreadError)?;
        Ok(f(&mut value.borrow_mut()))
    }

    /// The value, out of the table.
    ///
    /// # Errors
    /// On another thread than the value's: the handle itself, which still is one.
    ///
    /// ```
    /// # use ecs::NonSend;
    /// assert_eq!(NonSend::new(vec![1]).into_inner().unwrap(), [1]);
    /// ```
    pub fn into_inner(self) -> Result<T, Self> {
        let taken = self.on_table(|table| table.values.remove(&self.id)).flatten();
        let value = taken.and_then(|value| value.downcast::<RefCell<T>>().ok());
        // Nobody else has the `Rc`: borrowing it borrows the handle.
        value.and_then(Rc::into_inner).map(RefCell::into_inner).ok_or(self)
    }

    /// The value, if it is of this thread.
    fn find(&self) -> Option<Rc<RefCell<T>>> {
        let (value, left) =
            self.on_table(|table| (table.values.get(&self.id).cloned(), table.take_left()))?;
        drop(left);
        value?.downcast().ok()
    }

    /// Calls `f` with the table that the value is in, if it is this thread's.
    fn on_table<R>(&self, f: impl FnOnce(&mut Table) -> R) -> Option<R> {
        let call = |table: &RefCell<Table>| {
            let table = &mut *table.borrow_mut();
            Arc::ptr_eq(&table.home, &self.home).then(|| f(table))
        };
        TABLE.try_with(call).ok().flatten()
    }
}

impl<T: 'static> Drop for NonSend<T> {
    fn drop(&mut self) {
        match self.on_table(|table| table.values.remove(&self.id)) {
            Some(value) => drop(value), // outside, as it is user code
            None => self.home.left.lock().unwrap_or_else(PoisonError::into_inner).push(self.id),
        }
    }
}

impl<T: 'static> fmt::Debug for NonSend<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("NonSend").field(&core::any::type_name::<T>()).finish()
    }
}

/// A [`NonSend`] was asked for its value on another thread than the value's.
///
/// ```
/// use ecs::{NonSend, WrongThreadError};
///
/// let list = NonSend::new(vec![1]);
/// let elsewhere = std::thread::scope(|scope| scope.spawn(|| list.try_with(Vec::len)).join());
/// assert_eq!(elsewhere.unwrap(), Err(WrongThreadError));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WrongThreadError;

impl fmt::Display for WrongThreadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a `NonSend` value was asked for on another thread than the one that made it")
    }
}

impl Error for WrongThreadError {}
