//! Pools of components whose values may be copied.

use crate::component::data::{CopiedPool, Loose};
use crate::component::{AnyComponent, Ref};
use crate::entity::Entity;
use crate::pool::Pool;
use crate::pool::kind::copying;
use crate::storage::values::Container;
use alloc::boxed::Box;
use core::any::Any;

impl<T: AnyComponent> CopiedPool for Pool<T> {
    fn copy_from(&mut self, from: &dyn Any) {
        if let (Some(copying), Some(from)) = (copying::<T>(), from.downcast_ref::<Self>()) {
            let copy = |values: &mut T::Storage, from: &T::Storage| {
                (copying.all)(values, from);
                keep_targets::<T>(values, |at| from.get(at));
            };
            self.copy_by(copy, from);
        }
    }
    fn copies_of(&self, members: &[Entity], times: usize) -> Box<Loose> {
        let mut values = T::Storage::default();
        if let Some(copying) = copying::<T>() {
            values.reserve(members.len() * times);
            if let &[entity] = members {
                if let Some(value) = self.copy_one(entity, copying.one) {
                    (copying.times)(&mut values, value, times);
                }
            } else {
                for _ in 0..times {
                    for &entity in members {
                        if let Some(value) = self.copy_one(entity, copying.one) {
                            values.push(value);
                        }
                    }
                }
            }
            keep_targets::<T>(&mut values, |at| self.get(members[at % members.len()]));
        }
        Box::new(values)
    }
}

/// Restores the targets of copied relations to the targets of the originals, for any `Clone` of
/// theirs.
fn keep_targets<'a, T: AnyComponent>(
    copies: &mut T::Storage,
    original: impl Fn(usize) -> Option<Ref<'a, T>>,
) {
    let Some(rule) = T::RELATION else { return };
    for at in 0..copies.len() {
        let (Some(original), Some(copy)) = (original(at), copies.get(at)) else { continue };
        let (target, of_copy) = ((rule.target_at)(original), (rule.target_at)(copy));
        if of_copy != target
            && let Some(copy) = copies.get_mut(at)
        {
            (rule.set_target)(copy, target);
        }
    }
}
