//! The rules between the components of a world, found from both sides.

use crate::component::rules::{ComponentRule, DeclaredRule, RuleKind};
use crate::entity::Entity;
use crate::relation::ends::Ends;
use crate::storage::keys::Keys;
use alloc::vec::Vec;

/// The rules of the components that have a pool, by the numbers of both components, which ascend.
pub(crate) struct Rules {
    sides: Vec<(u32, Vec<RuleSide>)>,
}

/// One side of a rule.
#[derive(Clone, Copy)]
struct RuleSide {
    kind: RuleKind,
    /// `true` if this side declares the rule.
    declares: bool,
    /// The number of the other component.
    other: u32,
    rule: ComponentRule,
}

impl Rules {
    pub(crate) const fn new() -> Self {
        Self { sides: Vec::new() }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.sides.is_empty()
    }

    /// Adds a rule of the component with this number and name.
    pub(crate) fn add(&mut self, (number, name): (u32, &'static str), rule: &DeclaredRule) {
        let (kind, other) = (rule.kind, rule.number());
        let rule = kind.between(name, rule.name);
        let declared = RuleSide { kind, declares: true, other, rule };
        self.add_side(number, declared);
        let side = RuleSide { declares: false, other: number, ..declared };
        self.add_side(other, side);
    }

    fn add_side(&mut self, number: u32, side: RuleSide) {
        let at = self.find(number).unwrap_or_else(|at| {
            self.sides.insert(at, (number, Vec::new()));
            at
        });
        self.sides[at].1.push(side);
    }

    fn find(&self, number: u32) -> Result<usize, usize> {
        self.sides.binary_search_by_key(&number, |sides| sides.0)
    }

    fn of(&self, number: u32) -> &[RuleSide] {
        self.find(number).map_or(&[], |at| &self.sides[at].1)
    }

    /// Returns the component that needs the one with this number by this rule.
    pub(crate) fn needing(&self, number: u32, rule: ComponentRule) -> Option<u32> {
        let side = self.of(number).iter().find(|side| !side.declares && side.rule == rule)?;
        Some(side.other)
    }

    /// Calls `f` with each component that the one with this number needs.
    pub(crate) fn for_each_need(&self, number: u32, f: &mut dyn FnMut(u32)) {
        let needs = self.of(number).iter().filter(|it| it.declares && it.kind == RuleKind::Needs);
        needs.for_each(|side| f(side.other));
    }

    /// Checks that an entity may be given these components by one edit. Returns the components that they replace, if any
    /// may be. `has` returns `true` for components that the entity has, `stays` for the ones among them that it is not
    /// about to lose, `is_target` for relations that point to it.
    ///
    /// # Errors
    /// Returns the rule that forbids it.
    pub(crate) fn check_insertion(
        &self,
        given: &[u32],
        may_replace: bool,
        has: &dyn Fn(u32) -> bool,
        stays: &dyn Fn(u32) -> bool,
        is_target: &dyn Fn(u32) -> bool,
    ) -> Result<Vec<u32>, ComponentRule> {
        let mut gone = Vec::new();
        for side in given.iter().flat_map(|number| self.of(*number)) {
            let replaces = may_replace && side.declares && side.kind == RuleKind::Replaces;
            let is_new = !given.contains(&side.other) && !gone.contains(&side.other);
            if replaces && is_new && has(side.other) {
                gone.push(side.other);
            }
        }
        let is_left = |number| !gone.contains(&number);
        for side in given.iter().flat_map(|number| self.of(*number)) {
            let other = side.other;
            let is_given = given.contains(&other);
            let is_broken = match side.kind {
                RuleKind::Needs => side.declares && !is_given && !(stays(other) && is_left(other)),
                RuleKind::Excludes | RuleKind::Replaces => is_given || has(other) && is_left(other),
                RuleKind::PointsTo | RuleKind::Requires => false,
            };
            if is_broken {
                return Err(side.rule);
            }
        }
        for side in gone.iter().flat_map(|number| self.of(*number)) {
            let is_kept = !side.declares
                && match side.kind {
                    RuleKind::Needs => {
                        given.contains(&side.other) || has(side.other) && is_left(side.other)
                    }
                    RuleKind::PointsTo => is_target(side.other),
                    _ => false,
                };
            if is_kept {
                return Err(side.rule);
            }
        }
        Ok(gone)
    }

    /// Checks that an entity may lose these components by one edit. `has` returns `true` for components that it has,
    /// `is_target` for relations that point to it afterwards.
    ///
    /// # Errors
    /// Returns the number of a component that must stay, and the rule.
    pub(crate) fn check_removal(
        &self,
        gone: &[u32],
        has: &dyn Fn(u32) -> bool,
        is_target: &dyn Fn(u32) -> bool,
    ) -> Result<(), (u32, ComponentRule)> {
        for &number in gone {
            for side in self.of(number).iter().filter(|side| !side.declares) {
                let is_kept = match side.kind {
                    RuleKind::Needs => !gone.contains(&side.other) && has(side.other),
                    RuleKind::PointsTo => is_target(side.other),
                    _ => false,
                };
                if is_kept {
                    return Err((number, side.rule));
                }
            }
        }
        Ok(())
    }

    /// Calls `f` with each relation that points to entities with the component with this number.
    #[cfg(feature = "serde")]
    pub(crate) fn for_each_relation_to(&self, number: u32, f: &mut dyn FnMut(u32)) {
        let sides = self.of(number).iter().filter(|it| it.kind == RuleKind::PointsTo);
        sides.filter(|side| !side.declares).for_each(|side| f(side.other));
    }

    /// Sorts components that are lost such that each is before the ones that it needs or points to.
    pub(crate) fn sort_removal(&self, gone: &mut [u32]) {
        for start in 0..gone.len() {
            let (_, left) = gone.split_at_mut(start);
            let is_left = |number| left.contains(&number);
            let is_free = |number: &u32| self.check_removal(&[*number], &is_left, &is_left).is_ok();
            if let Some(at) = left.iter().position(is_free) {
                left[..=at].rotate_right(1);
            }
        }
    }

    /// Checks all entities that are alive; `keys` returns the entities that have a component, `ends` both ends of a
    /// relation.
    ///
    /// # Errors
    /// Returns an entity that breaks a rule, and the rule.
    pub(crate) fn check_all<'k>(
        &self,
        keys: &dyn Fn(u32) -> &'k Keys<Entity>,
        ends: &dyn Fn(u32) -> Option<&'k Ends>,
        is_alive: &dyn Fn(Entity) -> bool,
    ) -> Result<(), (Entity, ComponentRule)> {
        for (number, sides) in &self.sides {
            for side in sides.iter().filter(|side| side.declares) {
                let (own, other) = (keys(*number), keys(side.other));
                if side.kind == RuleKind::PointsTo {
                    let Some(ends) = ends(*number) else { continue };
                    let lacks = |it: &&Entity| other.find(**it).is_none() && is_alive(**it);
                    let wrong = ends.targets().iter().find(lacks);
                    if let Some(source) = wrong.and_then(|it| ends.sources(*it).next()) {
                        return Err((source, side.rule));
                    }
                    continue;
                }
                let needs = side.kind == RuleKind::Needs;
                let (few, many) =
                    if needs || own.len() < other.len() { (own, other) } else { (other, own) };
                let breaks =
                    |entity: &&Entity| many.find(**entity).is_some() != needs && is_alive(**entity);
                if let Some(entity) = few.dense().iter().find(breaks) {
                    return Err((*entity, side.rule));
                }
            }
        }
        Ok(())
    }
}
