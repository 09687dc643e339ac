//! The parts of a program outside of its world: the state that systems keep from run to run. Snapshots copy it.
//!
//! ```text
//! Schedule::snapshot ──> Run::visit ──> Supply::visit ──> VisitParts ──> parts   [ Value 3 | TrackReader {..} | HasChanged true ]
//! Schedule::restore  ──>      the same calls, in the same order     <──
//! ```
//!
//! One visit serves both ways, so a parameter compiles one call. A `Local<T>` compiles two functions for each `T`, and
//! requires `Clone`, because generic code cannot find out whether a type has it. The functions for captured values are
//! compiled only for the wrappers, `CopiedSystem` and `Stays`.

#[cfg(debug_assertions)]
use crate::commands::{Commands, Edited};
use crate::pool::track::{TrackReader, Unread};
use crate::world::World;
use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::any::{Any, type_name};
use core::mem;

/// A value that a system keeps, of any type.
#[doc(hidden)]
pub trait KeptValue: Any + Send + Sync {
    fn copy(&self) -> Box<dyn KeptValue>;
    /// Becomes a copy of a value of this type. Returns `false` if that has another type.
    fn copy_from(&mut self, from: &dyn KeptValue) -> bool;
    fn type_name(&self) -> &'static str;
}

impl<T: Clone + Send + Sync + 'static> KeptValue for T {
    fn copy(&self) -> Box<dyn KeptValue> {
        Box::new(self.clone())
    }
    fn copy_from(&mut self, from: &dyn KeptValue) -> bool {
        let from: &dyn Any = from;
        let from = from.downcast_ref();
        if let Some(from) = from {
            self.clone_from(from);
        }
        from.is_some()
    }
    fn type_name(&self) -> &'static str {
        type_name::<T>()
    }
}

/// A part of a snapshot.
pub(crate) enum SnapshotPart {
    /// The value of a `Local`, or a system with the values that it captures.
    Value(Box<dyn KeptValue>),
    /// The changes that a reader was not given, if it has been made.
    Reader(Option<Arc<Unread>>),
    /// `true` if a resource changed since the system saw it.
    HasChanged(bool),
}

/// The parts of a schedule, each with the name of its system, in the order of the visit.
pub(crate) type PartList = Vec<(&'static str, SnapshotPart)>;

/// The way of a visit.
pub(crate) enum Way<'a> {
    /// Parts are written into the list, over the parts of an earlier snapshot.
    Copy(&'a mut PartList),
    /// Parts are compared with the program.
    Check(&'a PartList),
    Restore(&'a PartList),
    /// The components that waiting commands edit are listed.
    #[cfg(debug_assertions)]
    Edited(&'a mut Vec<Edited>),
}

/// A visit of all that the systems of a schedule keep from run to run.
#[doc(hidden)]
#[expect(missing_debug_implementations, reason = "it is lent only")]
pub struct VisitParts<'a> {
    pub(crate) world: &'a mut World,
    way: Way<'a>,
    /// The number of the next part.
    at: usize,
    /// The name of the visited system, or of the system that has the visited condition.
    pub(crate) name: &'static str,
    pub(crate) is_condition: bool,
    /// A message for each part that cannot be copied, or differs.
    pub(crate) errors: &'a mut Vec<String>,
}

impl<'a> VisitParts<'a> {
    pub(crate) const fn new(
        world: &'a mut World,
        way: Way<'a>,
        errors: &'a mut Vec<String>,
    ) -> Self {
        Self { world, way, at: 0, name: "", is_condition: false, errors }
    }

    /// Ends the visit. A check finds parts that were not visited, and a copy drops them.
    #[inline]
    pub(crate) fn end(self) {
        match self.way {
            Way::Copy(parts) => parts.truncate(self.at),
            Way::Check(parts) if parts.len() != self.at => self.errors.push(format!(
                "the snapshot has {} values of systems, and the program {}: it is of another program",
                parts.len(),
                self.at
            )),
            Way::Check(_) | Way::Restore(_) => {}
            #[cfg(debug_assertions)]
            Way::Edited(_) => {}
        }
    }

    /// Returns the number of the next part, and passes it.
    const fn next(&mut self) -> usize {
        self.at += 1;
        self.at - 1
    }

    /// Visits a value that is cloned.
    #[inline]
    pub fn value(&mut self, value: &mut dyn KeptValue) {
        let at = self.next();
        match &mut self.way {
            Way::Copy(parts) => {
                let is_copied = match parts.get_mut(at) {
                    Some((_, SnapshotPart::Value(old))) => old.copy_from(value),
                    _ => false,
                };
                if !is_copied {
                    set(parts, at, self.name, SnapshotPart::Value(value.copy()));
                }
            }
            Way::Check(parts) => {
                let same = |old: &dyn KeptValue| old.type_id() == (*value).type_id();
                if !matches!(parts.get(at), Some((_, SnapshotPart::Value(old))) if same(&**old)) {
                    self.refuse_other(value.type_name());
                }
            }
            Way::Restore(parts) => {
                if let Some((_, SnapshotPart::Value(old))) = parts.get(at) {
                    value.copy_from(&**old);
                }
            }
            #[cfg(debug_assertions)]
            Way::Edited(_) => {}
        }
    }

    /// Visits the last version of a resource that a system saw; the resource has this one.
    #[inline]
    pub(crate) fn has_changed(&mut self, version: u64, seen: &mut u64) {
        let at = self.next();
        match &mut self.way {
            Way::Copy(parts) => {
                set(parts, at, self.name, SnapshotPart::HasChanged(*seen != version));
            }
            Way::Check(parts)
                if !matches!(parts.get(at), Some((_, SnapshotPart::HasChanged(_)))) =>
            {
                self.refuse_other("HasChanged");
            }
            Way::Check(_) => {}
            Way::Restore(parts) => {
                if let Some((_, SnapshotPart::HasChanged(has_changed))) = parts.get(at) {
                    *seen = if *has_changed { !version } else { version };
                }
            }
            #[cfg(debug_assertions)]
            Way::Edited(_) => {}
        }
    }

    /// Visits a reader of changes, if there is one already, and whether the system has seen its present changes.
    /// `number` returns the number of the component.
    #[inline]
    pub(crate) fn reader(
        &mut self,
        number: fn(&mut World) -> u32,
        reader: &mut Option<(Arc<Unread>, TrackReader)>,
        were_seen: &mut bool,
    ) {
        let at = self.next();
        match &mut self.way {
            Way::Copy(parts) => {
                let unread = reader.as_mut().map(|(unread, reader)| {
                    let number = number(self.world);
                    let seen = mem::replace(were_seen, false);
                    self.world.advance_reader(number, reader, unread, seen);
                    Arc::clone(unread)
                });
                set(parts, at, self.name, SnapshotPart::Reader(unread));
            }
            Way::Check(parts) if !matches!(parts.get(at), Some((_, SnapshotPart::Reader(_)))) => {
                self.refuse_other("Changes");
            }
            Way::Check(_) => {}
            Way::Restore(parts) => {
                let Some((_, SnapshotPart::Reader(unread))) = parts.get(at) else { return };
                *were_seen = unread.is_none();
                *reader = unread.as_ref().map(|unread| {
                    let number = number(self.world);
                    let mut reader = TrackReader::default();
                    self.world.add_reader(number, &mut reader, true);
                    (unread.of_world(self.world.entities.world()), reader)
                });
            }
            #[cfg(debug_assertions)]
            Way::Edited(_) => {}
        }
    }

    /// Visits commands that are recorded and not applied yet. A snapshot has none.
    #[cfg(debug_assertions)]
    pub(crate) fn commands(&mut self, commands: &Commands) {
        if let Way::Edited(edited) = &mut self.way {
            commands.add_edited(edited);
        }
    }

    /// Names a system whose captured values nothing copies.
    pub(crate) fn refuse_captured(&mut self) {
        if let Way::Copy(_) = self.way {
            self.errors.push(format!(
                "{}`{}` captures values: keep them in a `Local` or a resource, copy them by `CopiedSystem(..)`, or let \
                 them stay by `Stays(..)`",
                if self.is_condition { "the condition of " } else { "" },
                self.name
            ));
        }
    }

    #[cold]
    fn refuse_other(&mut self, found: &str) {
        self.errors.push(format!(
            "the snapshot has no `{found}` in the place where `{}` has one: it is of another program",
            self.name
        ));
    }
}

/// Writes a part at its place, which is in the list or at its end.
fn set(parts: &mut PartList, at: usize, name: &'static str, part: SnapshotPart) {
    match parts.get_mut(at) {
        Some(old) => *old = (name, part),
        None => parts.push((name, part)),
    }
}
