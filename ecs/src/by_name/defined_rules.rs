//! The rules of components that are defined together: names become components, and rules that cannot hold are errors.
//!
//! ```text
//! "Player" needs "Health"      New(0) ──needs──> Old(7)        nothing is kept, and nothing has a number yet
//! "Ally" excludes "Enemy"      New(1) ──excludes──> New(2)
//!                                │  no circle, no contradiction
//!                                v
//!                              Kind, DeclaredRule              kept as long as the process
//! ```

use crate::by_name::kind::KindError;
use crate::component::data::IndexRule;
use crate::component::defined::{DefineError, FieldIndexSort, Fields};
use crate::component::rules::{DeclaredRule, RuleKind};
use crate::pool::defined::{Stated, number_of_name};
use crate::pool::kind::Kind;
use crate::world::World;
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

/// A component that a rule names.
#[derive(Clone, Copy, PartialEq, Eq)]
enum RuledPart {
    /// A new one, by its place.
    New(usize),
    /// One of the process, by its number.
    Old(u32),
}

/// A rule or a requirement, with the other component and the name of that.
struct NamedRule<'a> {
    rule: RuleKind,
    other: RuledPart,
    name: &'a str,
}

/// Components that are about to be defined together.
pub(super) struct NewDefinitions<'a> {
    all: Vec<(&'a str, &'a Fields)>,
    rules: Vec<Vec<(RuleKind, RuledPart)>>,
    /// The components of the world, and the ones that these require.
    known: Vec<Kind>,
}

impl<'a> NewDefinitions<'a> {
    /// Finds the components that the rules name, in a world and among the new ones, whose names and fields were checked.
    ///
    /// # Errors
    /// Returns an error if a name stands for no component, or the rules cannot hold.
    #[inline]
    pub(super) fn new(world: &World, all: Vec<(&'a str, &'a Fields)>) -> Result<Self, DefineError> {
        let mut known: Vec<Kind> = world.kinds().collect();
        let mut at = 0;
        while let Some(kind) = known.get(at) {
            at += 1;
            let others = kind.required().into_iter().filter(|kind| !known.contains(kind));
            let others: Vec<Kind> = others.collect();
            known.extend(others);
        }
        let mut new = Self { all, rules: Vec::new(), known };
        for (_, fields) in new.all.clone() {
            let rule = |(rule, name): &(RuleKind, String)| Ok((*rule, new.named(world, name)?));
            let rules = fields.rules().iter().map(rule).collect::<Result<Vec<_>, DefineError>>()?;
            new.rules.push(rules);
        }
        for at in 0..new.all.len() {
            new.check_each(at)?;
            new.refuse_circles(at, RuleKind::Requires)?;
            new.refuse_circles(at, RuleKind::Needs)?;
            new.refuse_contradictions(at)?;
        }
        Ok(new)
    }

    #[inline]
    fn named(&self, world: &World, name: &str) -> Result<RuledPart, DefineError> {
        if let Some(at) = self.all.iter().position(|(own, _)| *own == name) {
            return Ok(RuledPart::New(at));
        }
        world.kind(name).map(|kind| RuledPart::Old(kind.number)).map_err(|error| match error {
            KindError::Ambiguous(name, all) => DefineError::AmbiguousComponent(name, all),
            KindError::Unknown(name, nearest) => DefineError::UnknownComponent(name, nearest),
            _ => DefineError::UnknownComponent(name.to_owned(), None),
        })
    }

    #[inline]
    fn known(&self, number: u32) -> Option<Kind> {
        self.known.iter().find(|kind| kind.number == number).copied()
    }

    #[inline]
    fn name_of(&self, part: RuledPart) -> &str {
        match part {
            RuledPart::New(at) => self.all[at].0,
            RuledPart::Old(number) => self.known(number).map_or("", Kind::name),
        }
    }

    /// Returns the rules and requirements of a component, as far as they are known.
    #[inline]
    fn rules_of(&self, part: RuledPart) -> Vec<NamedRule<'_>> {
        let number = match part {
            RuledPart::New(at) => {
                let rule = |&(rule, other): &(RuleKind, RuledPart)| NamedRule {
                    rule,
                    other,
                    name: self.name_of(other),
                };
                return self.rules[at].iter().map(rule).collect();
            }
            RuledPart::Old(number) => number,
        };
        let rules = self.known(number).map_or(&[][..], Kind::declared_rules);
        let rule = |rule: &DeclaredRule| NamedRule {
            rule: rule.kind,
            other: self.with_number(rule.number()),
            name: rule.name,
        };
        rules.iter().map(rule).collect()
    }

    /// Returns the component with this number, which a definition in another world may have named before.
    #[inline]
    fn with_number(&self, number: u32) -> RuledPart {
        let is_its = |(name, _): &(&str, &Fields)| {
            number_of_name(name, false).is_some_and(|(own, _)| own == number)
        };
        self.all.iter().position(is_its).map_or(RuledPart::Old(number), RuledPart::New)
    }

    /// Checks each rule of a component by itself, and that no two are about one component.
    #[inline]
    fn check_each(&self, at: usize) -> Result<(), DefineError> {
        let own = self.all[at].0;
        for (place, &(rule, other)) in self.rules[at].iter().enumerate() {
            let (is_required, name) = (rule == RuleKind::Requires, self.name_of(other));
            let is_unique = |at: usize| self.all[at].1.index_sort() == Some(FieldIndexSort::Unique);
            let is_second = self.rules[at][..place]
                .iter()
                .any(|(before, of)| *of == other && (*before == RuleKind::Requires) == is_required);
            let what = match other {
                RuledPart::New(other) if other == at && is_required => {
                    format!(
                        "component `{own}` requires itself; name the components that come with it"
                    )
                }
                RuledPart::New(other) if other == at => {
                    format!("component `{own}` {} itself; name other components", rule.verb())
                }
                _ if is_second && is_required => {
                    format!("component `{own}` requires `{name}` twice; name it once")
                }
                _ if is_second => {
                    format!("component `{own}` has two rules for `{name}`; leave one of them out")
                }
                RuledPart::New(other) if is_required && is_unique(other) => {
                    format!("component `{own}` cannot require `{name}`: {UNIQUE}")
                }
                RuledPart::Old(number) if is_required => {
                    match self.known(number).and_then(not_by_default) {
                        Some(reason) => {
                            format!("component `{own}` cannot require `{name}`: {reason}")
                        }
                        None => continue,
                    }
                }
                _ => continue,
            };
            return Err(DefineError::WrongRules(what));
        }
        Ok(())
    }

    /// Returns the components to which rules for which `follows` returns `true` lead from a new one, which is the first. Each
    /// has its name, and the place of the component whose rule names it.
    #[inline]
    fn reached(
        &self,
        at: usize,
        follows: impl Fn(RuleKind) -> bool,
    ) -> Vec<(RuledPart, &str, usize)> {
        let mut found = vec![(RuledPart::New(at), self.all[at].0, 0)];
        let mut place = 0;
        while let Some(&(part, ..)) = found.get(place) {
            for NamedRule { rule, other, name } in self.rules_of(part) {
                if follows(rule) && found.iter().all(|(part, ..)| *part != other) {
                    found.push((other, name, place));
                }
            }
            place += 1;
        }
        found
    }

    /// Returns an error if rules of this kind lead from a component back to it.
    #[inline]
    fn refuse_circles(&self, at: usize, rule: RuleKind) -> Result<(), DefineError> {
        let found = self.reached(at, |it| it == rule);
        let leads_back = |it: &NamedRule<'_>| it.rule == rule && it.other == RuledPart::New(at);
        let last = found.iter().position(|(part, ..)| self.rules_of(*part).iter().any(leads_back));
        let Some(mut place) = last else { return Ok(()) };
        let (verb, own) = (rule.verb(), self.all[at].0);
        let mut path = format!("{verb} `{own}`");
        while place > 0 {
            let (_, name, by) = found[place];
            path = format!("{verb} `{name}`, which {path}");
            place = by;
        }
        let end = if rule == RuleKind::Needs {
            "none of them could be inserted first"
        } else {
            "a component cannot come with itself"
        };
        let what = format!("component `{own}` {path}: {end}; leave one of these out");
        Err(DefineError::WrongRules(what))
    }

    /// Returns an error if a rule parts two components among a new one and all that it needs and requires, or a component
    /// excludes one that replaces it.
    #[inline]
    fn refuse_contradictions(&self, at: usize) -> Result<(), DefineError> {
        let own = self.all[at].0;
        let comes = |rule| matches!(rule, RuleKind::Needs | RuleKind::Requires);
        let all = self.reached(at, comes);
        for (part, of, _) in &all {
            for NamedRule { rule, other, name } in self.rules_of(*part) {
                if rule.parts() && all.iter().any(|(part, ..)| *part == other) {
                    return Err(DefineError::WrongRules(format!(
                        "no entity can have `{own}` with all that it needs and requires: `{of}` {} `{name}`; leave one of \
                         these rules out",
                        rule.verb()
                    )));
                }
            }
        }
        for NamedRule { rule, other, name } in self.rules_of(RuledPart::New(at)) {
            let (back, excluding, replacing) = match rule {
                RuleKind::Excludes => (RuleKind::Replaces, own, name),
                RuleKind::Replaces => (RuleKind::Excludes, name, own),
                _ => continue,
            };
            let contradicts =
                |it: &NamedRule<'_>| it.rule == back && it.other == RuledPart::New(at);
            if self.rules_of(other).iter().any(contradicts) {
                return Err(DefineError::WrongRules(format!(
                    "`{excluding}` excludes `{replacing}`, which replaces it: leave one of these rules out"
                )));
            }
        }
        Ok(())
    }

    /// Keeps the definitions, and returns their kinds, in order.
    #[inline]
    pub(super) fn keep(self) -> Vec<Kind> {
        let names: Vec<(u32, &'static str)> =
            self.all.iter().filter_map(|(name, _)| number_of_name(name, true)).collect();
        let mut kinds: Vec<Option<Kind>> = vec![None; self.all.len()];
        // Each after the ones that it requires, as requirements lead in no circle.
        loop {
            let is_ready = |at: &usize| {
                kinds[*at].is_none()
                    && self.rules[*at].iter().all(|rule| match rule {
                        (RuleKind::Requires, RuledPart::New(other)) => kinds[*other].is_some(),
                        _ => true,
                    })
            };
            let Some(at) = (0..kinds.len()).find(is_ready) else { break };
            let (mut rules, mut required) = (Vec::new(), Vec::new());
            for &(rule, other) in &self.rules[at] {
                let kind = match other {
                    RuledPart::New(other) => kinds[other],
                    RuledPart::Old(number) => self.known(number),
                };
                rules.push(match (kind, other) {
                    (None, RuledPart::New(other)) => {
                        DeclaredRule::about_name(rule, names[other].1, names[other].0)
                    }
                    (Some(kind), _) => DeclaredRule::about(rule, kind),
                    (None, RuledPart::Old(_)) => continue,
                });
                required.extend(kind.filter(|_| rule == RuleKind::Requires));
            }
            let (name, fields) = self.all[at];
            let index = fields.index_sort().map(IndexRule::of_field);
            let stated = Stated { rules: &rules, required: &required, index };
            kinds[at] = Some(Kind::defined(name, fields, stated));
        }
        kinds.into_iter().flatten().collect()
    }
}

/// The reason why a unique component is not required.
const UNIQUE: &str = "it is unique, so only one entity could have its default";

/// Returns the reason why a component is not inserted by default with others, if there is one.
#[inline]
fn not_by_default(kind: Kind) -> Option<&'static str> {
    if kind.is_relation() {
        Some("a relation has no target by default")
    } else if kind.is_unique() {
        Some(UNIQUE)
    } else if !kind.has_default() {
        Some("add `#[component(default)]` to that, or declare it by `by_name::Declaration`")
    } else {
        None
    }
}

/// Returns `true` if fields state an index like the one of a component, and name the rules and requirements that it has, in
/// any order.
#[inline]
pub(super) fn state_like(fields: &Fields, kind: Kind, world: &World) -> bool {
    let sort = fields.index_sort();
    if (sort.is_some(), sort == Some(FieldIndexSort::Unique))
        != (kind.is_indexed(), kind.is_unique())
    {
        return false;
    }
    let own = kind.declared_rules();
    let is_its = |(rule, name): &(RuleKind, String)| {
        let other = world.kind(name).map(|kind| kind.number);
        own.iter().any(|own| own.kind == *rule && Ok(own.number()) == other)
    };
    own.len() == fields.rules().len() && fields.rules().iter().all(is_its)
}
