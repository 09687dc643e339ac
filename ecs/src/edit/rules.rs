//! Rules between components: the checks before an edit, and the components that an insertion replaces.
//!
//! ```text
//! insert Swimming into 3     given: Swimming, and what it requires and 3 lacks
//!                            gone:  Walking, which Swimming replaces
//!   check                    no rule forbids 3 with all of these      otherwise an error, and nothing has changed
//!   make way                 the veto of Walking; listeners to its removal; then it leaves
//!   check again              as listeners may have edited 3
//! ```

use crate::edit::bundle::Parts;
use crate::edit::commit;
use crate::entity::Entity;
use crate::notify::calls::DEEPEST;
use crate::pool::kind::Kind;
use crate::pool::watch::{Fact, Question};
use crate::relation::ends::RelateError;
use crate::relation::relate::no_such;
use crate::world::World;
use crate::world::error::RemoveError;
use alloc::vec::Vec;

/// A function that calls another one with each of some kinds.
pub(crate) type KindLister = fn(&mut dyn FnMut(Kind));

/// Returns `true` for required components that are inserted.
type Requires<'a> = &'a dyn Fn(Kind) -> bool;

fn listed(list: KindLister) -> Vec<Kind> {
    let mut kinds = Vec::new();
    list(&mut |kind| kinds.push(kind));
    kinds
}

impl World {
    /// Checks that an entity may be given such parts by the rules, or only those `ABSENT` ones that it lacks. Removes
    /// the components that they replace, and returns `true` if there were any: then listeners were called.
    ///
    /// # Errors
    /// Returns the rule that forbids it, or the veto of a replaced component.
    #[inline(always)]
    pub(crate) fn admit<P: Parts>(
        &mut self,
        entity: Entity,
        only_absent: bool,
    ) -> Result<bool, RelateError> {
        if const { P::RULED } || !self.pools.rules.is_empty() {
            self.admit_listed(entity, P::kinds, only_absent)
        } else {
            Ok(false)
        }
    }

    #[cold]
    #[inline(never)]
    fn admit_listed(
        &mut self,
        entity: Entity,
        list: KindLister,
        only_absent: bool,
    ) -> Result<bool, RelateError> {
        if !self.may_be_ruled(list) {
            return Ok(false);
        }
        let mut kinds = listed(list);
        if only_absent {
            kinds.retain(|kind| !self.pools.has(kind.number, entity));
        }
        self.admit_kinds(entity, kinds, &|_| true)
    }

    /// Admits components of these kinds like [`admit`](Self::admit), with the components that they require and for which
    /// `requires` returns `true`.
    pub(crate) fn admit_kinds(
        &mut self,
        entity: Entity,
        kinds: Vec<Kind>,
        requires: Requires<'_>,
    ) -> Result<bool, RelateError> {
        if !self.entities.ensure_alive(entity) {
            return Ok(false); // another check reports it
        }
        let given = self.given_with(Some(entity), kinds, requires);
        for turn in 0..DEEPEST {
            let gone = self.check_given(Some(entity), &given)?;
            if gone.is_empty() || !self.entities.is_alive(entity) {
                return Ok(turn > 0);
            }
            self.make_way(entity, gone)?;
        }
        panic!("listeners to removals give an entity the removed component again, {DEEPEST} times");
    }

    /// Returns `true` unless no component of these kinds has a rule or requires others.
    fn may_be_ruled(&self, list: KindLister) -> bool {
        let mut may_be = false;
        list(&mut |kind| {
            may_be |=
                !kind.declared_rules().is_empty() || self.pools.watch.is(Fact::Ruled, kind.number);
        });
        may_be
    }

    /// Returns `true` if a component of these kinds, or one that they require, has a rule.
    #[cold]
    #[inline(never)]
    pub(crate) fn is_any_ruled(&mut self, list: KindLister) -> bool {
        if !self.may_be_ruled(list) {
            return false;
        }
        let given = self.given_with(None, listed(list), &|_| true);
        given.iter().any(|number| self.pools.watch.is(Fact::Ruled, *number))
    }

    /// Checks that an entity that is about to be made may have components of these kinds, with all that they require.
    ///
    /// # Panics
    /// Panics if a rule forbids it.
    #[cold]
    #[inline(never)]
    pub(crate) fn admit_new(&mut self, list: KindLister) {
        if let Err(error) = self.check_new(listed(list), &|_| true) {
            no_such(&error);
        }
    }

    /// Checks like [`admit_new`](Self::admit_new), but returns the error.
    pub(crate) fn check_new(
        &mut self,
        kinds: Vec<Kind>,
        requires: Requires<'_>,
    ) -> Result<(), RelateError> {
        let given = self.given_with(None, kinds, requires);
        self.check_given(None, &given).map(|_| ())
    }

    /// Adds the components that these require and that the entity will lack. Creates the pools of components with
    /// rules, so that the rules are known.
    pub(crate) fn given_with(
        &mut self,
        entity: Option<Entity>,
        mut kinds: Vec<Kind>,
        requires: Requires<'_>,
    ) -> Vec<u32> {
        kinds.iter_mut().for_each(|kind| *kind = self.here(*kind));
        let mut at = 0;
        while let Some(&kind) = kinds.get(at) {
            at += 1;
            if !kind.declared_rules().is_empty() {
                self.know(kind);
            }
            let all = kind.required().into_iter().filter(|kind| requires(*kind));
            for required in all.map(|kind| self.here(kind)) {
                let stays = entity.is_some_and(|entity| self.pools.has(required.number, entity))
                    && !kinds.iter().any(|kind| kind.replaces(required));
                if !stays && !kinds.contains(&required) {
                    kinds.push(required);
                }
            }
        }
        kinds.into_iter().map(|kind| kind.number).collect()
    }

    /// Checks that an entity, or one that is about to be made, may be given these components. Returns the ones that it
    /// loses.
    fn check_given(
        &mut self,
        entity: Option<Entity>,
        given: &[u32],
    ) -> Result<Vec<u32>, RelateError> {
        if !given.iter().any(|number| self.pools.watch.is(Fact::Ruled, *number)) {
            return Ok(Vec::new());
        }
        let mut leaving = Vec::new();
        if let (Some(entity), true) = (entity, self.is_nested()) {
            for number in given {
                self.pools.rules.for_each_need(*number, &mut |number| leaving.push(number));
            }
            leaving.retain(|number| self.is_leaving(entity, *number));
        }
        let has = |number| entity.is_some_and(|entity| self.pools.has(number, entity));
        let stays = |number| has(number) && !leaving.contains(&number);
        let is_target =
            |number| entity.is_some_and(|entity| self.pools.is_target(number, entity, &[]));
        let checked = self.pools.rules.check_insertion(given, true, &has, &stays, &is_target);
        checked.map_err(|rule| RelateError::Rule(entity.unwrap_or(Entity::PLACEHOLDER), rule))
    }

    /// Removes components that an insertion replaces, in one edit; or none, where a veto refuses.
    fn make_way(&mut self, entity: Entity, mut gone: Vec<u32>) -> Result<(), RelateError> {
        for &number in &gone {
            let pool = self.pools.at_mut(number);
            if !pool.permits_removal(entity) {
                return Err(RelateError::Refused(entity, pool.name()));
            }
        }
        let is_notified =
            |number: &u32| self.pools.watch.answer(Question::NotifiedRemoval, *number);
        if gone.iter().any(is_notified) {
            self.announce_together(entity, &mut gone);
        }
        let Self { pools, entities, groups, .. } = self;
        for &number in &gone {
            commit::removal(pools, entities, groups, entity, number);
        }
        pools.finish(&gone.into_iter().collect());
        Ok(())
    }

    /// Checks that an entity may lose these components by one edit.
    ///
    /// # Errors
    /// Returns the rule that forbids it.
    #[inline]
    pub(crate) fn check_removal(&self, entity: Entity, gone: &[u32]) -> Result<(), RemoveError> {
        self.pools
            .check_removal(entity, gone)
            .map_err(|(number, rule)| RemoveError::Rule(entity, self.pools.at(number).name(), rule))
    }
}
