//! Values that stay on their thread, behind handles that do not.

use crate::component::id::ComponentId;
use crate::resource::Resource;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::any::{Any, type_name};
use core::cell::RefCell;
use core::error::Error;
use core::fmt;
use core::marker::PhantomData;
use core::mem;
use core::ops::{Deref, DerefMut};
use std::sync::{Mutex, PoisonError};
use std::thread_local;

/// A value of a type that is not `Send` or not `Sync`, for a [`Resource`] or a [component](crate::Component): a window,
/// a handle of another library, an `Rc`.
///
/// The value stays on the thread that made it, in a table of that thread; this is a handle to it, which can be sent and
/// shared. The value is used on its own thread only: elsewhere an access is an error, or a panic. The handle may be
/// dropped on any thread, and the value is dropped on its own. If these differ, it is dropped when its thread next
/// makes or uses a `NonSend`, or ends.
///
/// An access costs some tens of nanoseconds, to search the table. It needs the feature `std`.
///
/// # In systems
/// A `NonSend` is a resource by itself, one of each type of value. A system borrows the value by a parameter
/// [`NonSendRef`] or [`NonSendMut`], and so stays on the thread that runs the [`Schedule`](crate::Schedule), while
/// other systems may overlap with it. A system that accesses a handle in a resource or a component of its own stays
/// there by a parameter [`CallingThread`](crate::CallingThread).
///
/// A `NonSend` of a closure is a system if the closure is one, and stays there as well: so a system may capture values
/// that are not `Send`.
///
/// ```
/// use ecs::{NonSend, NonSendMut, NonSendRef, Schedule, World};
/// use std::cell::Cell;
/// use std::rc::Rc;
///
/// struct Window { title: Rc<str> }
///
/// fn rename(mut window: NonSendMut<Window>) {
///     window.title = "Level 2".into();
/// }
/// let drawn = Rc::new(Cell::new(0));
/// let count = Rc::clone(&drawn);
/// let draw = NonSend::new(move |window: NonSendRef<Window>| {
///     count.set(count.get() + window.title.len());
/// });
///
/// let mut world = World::new();
/// world.insert_resource(NonSend::new(Window { title: "Level 1".into() }));
/// Schedule::new().add(rename).add(draw).run(&mut world)?;
/// assert_eq!(drawn.get(), 7);
///
/// std::thread::scope(|scope| {
///     scope.spawn(|| assert!(world.resource::<NonSend<Window>>().try_get().is_err()));
/// });
/// # Ok::<(), ecs::ScheduleError>(())
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
    /// The values with handles that were dropped elsewhere.
    left: Mutex<Vec<u64>>,
}

/// The values of a thread.
#[derive(Default)]
struct Table {
    home: Arc<Home>,
    /// The number of the next value; never reused.
    next: u64,
    /// Only its handle leads to a value, so the borrow of the handle decides how the value is borrowed. The value is
    /// shared with each [`NonSendRef`], and out of the table while a [`NonSendMut`] has it.
    values: BTreeMap<u64, Rc<dyn Any>>,
}

thread_local! {
    static TABLE: RefCell<Table> = RefCell::default();
}

impl Table {
    /// Removes and returns the values with handles that were dropped elsewhere. The caller drops them, as that is user
    /// code.
    #[inline]
    fn take_left(&mut self) -> Vec<Rc<dyn Any>> {
        let left = mem::take(&mut *self.home.left.lock().unwrap_or_else(PoisonError::into_inner));
        left.iter().filter_map(|id| self.values.remove(id)).collect()
    }
}

impl<T: 'static> NonSend<T> {
    /// Keeps `value` on this thread.
    ///
    /// # Panics
    /// Panics while the thread ends, when its table is gone.
    ///
    /// ```
    /// # use ecs::NonSend;
    /// # use std::cell::Cell;
    /// let counter = NonSend::new(Cell::new(3));
    /// assert_eq!(counter.get().get(), 3);
    /// ```
    #[must_use]
    pub fn new(value: T) -> Self {
        let value = Rc::new(value);
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

    /// Returns a borrow of the value.
    ///
    /// # Panics
    /// Panics on another thread than the value's; [`try_get`](Self::try_get) returns an error there. Panics if a
    /// [`NonSendMut`] of the value was leaked.
    ///
    /// ```
    /// # use ecs::NonSend;
    /// # use std::rc::Rc;
    /// let name = NonSend::new(Rc::new("Alice"));
    /// assert_eq!(name.get().len(), 5);
    /// ```
    #[must_use]
    #[track_caller]
    pub fn get(&self) -> NonSendRef<'_, T> {
        match self.try_get() {
            Ok(value) => value,
            Err(error) => panic!("{error}"),
        }
    }

    /// Returns an exclusive borrow of the value.
    ///
    /// # Panics
    /// Panics on another thread than the value's; [`try_get_mut`](Self::try_get_mut) returns an error there. Panics if
    /// a [`NonSendRef`] or [`NonSendMut`] of the value was leaked.
    ///
    /// ```
    /// # use ecs::NonSend;
    /// let mut list = NonSend::new(vec![1]);
    /// list.get_mut().push(2);
    /// assert_eq!(*list.get(), [1, 2]);
    /// ```
    #[must_use]
    #[track_caller]
    pub fn get_mut(&mut self) -> NonSendMut<'_, T> {
        match self.try_get_mut() {
            Ok(value) => value,
            Err(error) => panic!("{error}"),
        }
    }

    /// Returns a borrow of the value.
    ///
    /// # Errors
    /// Returns an error on another thread than the value's.
    ///
    /// # Panics
    /// Panics if a [`NonSendMut`] of the value was leaked.
    ///
    /// ```
    /// # use ecs::NonSend;
    /// let list = NonSend::new(vec![1]);
    /// assert_eq!(list.try_get()?.len(), 1);
    /// std::thread::scope(|scope| {
    ///     scope.spawn(|| assert!(list.try_get().is_err()));
    /// });
    /// # Ok::<_, ecs::WrongThreadError>(())
    /// ```
    #[track_caller]
    pub fn try_get(&self) -> Result<NonSendRef<'_, T>, WrongThreadError> {
        let find = |table: &mut Table| (table.values.get(&self.id).cloned(), table.take_left());
        Ok(NonSendRef { value: self.find(find)?, handle: PhantomData })
    }

    /// Returns an exclusive borrow of the value.
    ///
    /// # Errors
    /// Returns an error on another thread than the value's.
    ///
    /// # Panics
    /// Panics if a [`NonSendRef`] or [`NonSendMut`] of the value was leaked.
    ///
    /// ```
    /// # use ecs::NonSend;
    /// let mut list = NonSend::new(vec![1]);
    /// list.try_get_mut()?.push(2);
    /// assert_eq!(*list.get(), [1, 2]);
    /// # Ok::<_, ecs::WrongThreadError>(())
    /// ```
    #[track_caller]
    pub fn try_get_mut(&mut self) -> Result<NonSendMut<'_, T>, WrongThreadError> {
        let value = self.find(|table| (table.values.remove(&self.id), table.take_left()))?;
        let mut borrow = NonSendMut { value, handle: self };
        assert!(Rc::get_mut(&mut borrow.value).is_some(), "{}", leaked::<T>());
        Ok(borrow)
    }

    /// Takes the value out of the table and returns it.
    ///
    /// # Errors
    /// Returns the handle itself, which works like before, on another thread than the value's, and if a [`NonSendRef`]
    /// of the value was leaked. A leaked [`NonSendMut`] keeps the value for ever: then each access panics.
    ///
    /// ```
    /// # use ecs::NonSend;
    /// assert_eq!(NonSend::new(vec![1]).into_inner().unwrap(), [1]);
    /// ```
    pub fn into_inner(self) -> Result<T, Self> {
        let taken = self.on_table(|table| table.values.remove(&self.id)).flatten();
        let Some(Ok(value)) = taken.map(Rc::downcast::<T>) else { return Err(self) };
        Rc::try_unwrap(value).map_err(|shared| {
            self.on_table(|table| table.values.insert(self.id, shared));
            self
        })
    }

    /// Finds the value, with `find`, in the table of this thread, and drops the values that were left there.
    #[track_caller]
    fn find(
        &self,
        find: impl FnOnce(&mut Table) -> (Option<Rc<dyn Any>>, Vec<Rc<dyn Any>>),
    ) -> Result<Rc<T>, WrongThreadError> {
        let wrong_thread = WrongThreadError { of: type_name::<T>() };
        let (value, left) = self.on_table(find).ok_or(wrong_thread)?;
        drop(left);
        match value.and_then(|value| value.downcast().ok()) {
            Some(value) => Ok(value),
            None => panic!("{}", leaked::<T>()),
        }
    }

    /// Calls `f` with the table of the value, if it is this thread's.
    fn on_table<R>(&self, f: impl FnOnce(&mut Table) -> R) -> Option<R> {
        let call = |table: &RefCell<Table>| {
            let table = &mut *table.borrow_mut();
            Arc::ptr_eq(&table.home, &self.home).then(|| f(table))
        };
        TABLE.try_with(call).ok().flatten()
    }
}

/// Returns the message about a borrow that never ended.
#[cold]
fn leaked<T>() -> String {
    format!(
        "a borrow of the value of a `NonSend<{}>` was leaked: let each `NonSendRef` and `NonSendMut` be dropped",
        type_name::<T>()
    )
}

/// All instances share an id, so two of them in one system or in two are distinguished at run time.
#[diagnostic::do_not_recommend]
impl<T: 'static> Resource for NonSend<T> {
    const NAME: &'static str = "NonSend";
    const ID: ComponentId =
        ComponentId::of(Some("ecs"), None, "resource", "NonSend", 0, 0).inexact();
    const SKIPS_COPIES: bool = true;
    const SKIPS_SAVES: bool = true;
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
        f.debug_tuple("NonSend").field(&type_name::<T>()).finish()
    }
}

/// A borrow of the value of a [`NonSend`], on its thread. As a [`Param`](crate::Param), it borrows the value of a
/// resource, and keeps the system on the thread that runs the schedule.
///
/// An `Option` of one is `None` if the world has no such resource.
///
/// # Panics
/// As a parameter, panics on another thread than the value's, and if there is no such resource.
///
/// ```
/// use ecs::{NonSend, NonSendRef, World};
/// use std::rc::Rc;
///
/// fn is_shared(text: NonSendRef<Rc<str>>) -> bool {
///     Rc::strong_count(&text) > 1
/// }
/// let mut world = World::new();
/// world.insert_resource(NonSend::<Rc<str>>::new("text".into()));
/// assert!(!world.run(is_shared));
/// assert!(world.run(|number: Option<NonSendRef<Rc<u8>>>| number.is_none()));
/// ```
pub struct NonSendRef<'a, T: 'static> {
    value: Rc<T>,
    handle: PhantomData<&'a NonSend<T>>,
}

impl<T> Deref for NonSendRef<'_, T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T: fmt::Debug> fmt::Debug for NonSendRef<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

/// An exclusive borrow of the value of a [`NonSend`], on its thread. As a [`Param`](crate::Param), it borrows the value
/// of a resource, and keeps the system on the thread that runs the schedule.
///
/// An `Option` of one is `None` if the world has no such resource.
///
/// # Panics
/// As a parameter, panics on another thread than the value's, and if there is no such resource.
///
/// ```
/// use ecs::{NonSend, NonSendMut, World};
/// use std::rc::Rc;
///
/// fn grow(mut list: NonSendMut<Vec<Rc<str>>>) {
///     list.push("text".into());
/// }
/// let mut world = World::new();
/// world.insert_resource(NonSend::new(Vec::<Rc<str>>::new()));
/// world.run(grow);
/// assert_eq!(world.resource::<NonSend<Vec<Rc<str>>>>().get().len(), 1);
/// ```
pub struct NonSendMut<'a, T: 'static> {
    /// The value, which is not shared.
    value: Rc<T>,
    handle: &'a NonSend<T>,
}

impl<T> Deref for NonSendMut<'_, T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T> DerefMut for NonSendMut<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        Rc::get_mut(&mut self.value).expect("it is not shared")
    }
}

/// Puts the value back.
impl<T> Drop for NonSendMut<'_, T> {
    fn drop(&mut self) {
        let value = Rc::clone(&self.value);
        self.handle.on_table(|table| table.values.insert(self.handle.id, value));
    }
}

impl<T: fmt::Debug> fmt::Debug for NonSendMut<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

/// The error of an access to a [`NonSend`] on another thread than the value's.
///
/// ```
/// use ecs::NonSend;
///
/// let list = NonSend::new(vec![1]);
/// let elsewhere = std::thread::scope(|scope| {
///     scope.spawn(|| list.try_get().unwrap_err().to_string()).join().unwrap()
/// });
/// assert!(elsewhere.starts_with("the value of a `NonSend<"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WrongThreadError {
    /// The type of the value.
    of: &'static str,
}

impl fmt::Display for WrongThreadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the value of a `NonSend<{}>` was asked for on another thread than the one that made it: use it there, \
             and run there the schedule whose systems use it",
            self.of
        )
    }
}

impl Error for WrongThreadError {}
