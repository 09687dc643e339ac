//! The cost of a layout and possible improvements, as data and as text.

use crate::component::set::ComponentSet;
use crate::group::counts::TermRole;
use crate::group::declare::GroupNames;
use crate::group::groups::Groups;
use crate::group::state::Terms;
use crate::pool::pools::Pools;
use crate::text::Counted;
use crate::tuning::cost::MATCH;
use crate::tuning::search::beside;
use crate::tuning::shape::ViewShape;
use crate::tuning::tuner::{Tuner, edits, has_pools, of};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

/// The costs of a world's views, and the groups that would help: from
/// [`Layout::advice`](crate::layout::Layout::advice).
///
/// An *interval* is the time between two calls of [`tune`](crate::layout::Layout::tune) or `advice` in which anything
/// was counted; figures are averages of an interval, later ones weighing more. The unit of costs is a *match*: the time
/// of a loop to find one match among others and read it. That is some 4 ns in the caches, and 12 ns beyond.
///
/// It is displayed as text, with the code to paste.
///
/// ```
/// # use ecs::{Component, World, layout::Layout};
/// # #[derive(Component)] struct Position(f32);
/// # #[derive(Component)] struct Velocity(f32);
/// let mut world = World::new();
/// world.spawn_batch((0..20_000).map(|at| Position(at as f32)));
/// world.spawn_batch((0..500).map(|at| (Velocity(1.0), Position(at as f32))));
/// world.layout().observe(true);
/// for _ in 0..3 {
///     assert_eq!(world.view::<(&Position, &Velocity)>().iter().count(), 500);
///     world.layout().advice();
/// }
/// let advice = world.layout().advice();
/// let query = &advice.queries[0];
/// assert_eq!((query.query.as_str(), query.matches), ("(&Position, &Velocity)", 500));
/// assert_eq!(query.code.as_deref(), Some("world.declare_group(Group::owning::<(Position, Velocity)>())?;"));
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Advice {
    /// The queries that cost most, the most expensive first; those below a hundredth of its cost are omitted.
    pub queries: Vec<QueryAdvice>,
    /// The declared groups with edits that cost more than the groups save.
    pub unpaid: Vec<UnpaidGroup>,
    /// The number of insertions and removals of the components in these queries since the world observes them, by name.
    pub edits: Vec<(&'static str, u64)>,
    /// The walks of queries that were not counted separately: they have more than twelve terms, are too many, or name
    /// components beyond the first 254 of the process.
    pub uncounted: u64,
}

/// The cost of one query, and a group that would reduce it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct QueryAdvice {
    /// The components of the query, in the order of their names.
    pub query: String,
    /// The loops over it in an interval.
    pub walks: f64,
    /// The members of its smallest pool, and the number of matches.
    pub candidates: usize,
    /// See `candidates`.
    pub matches: usize,
    /// The cost of these loops with the existing groups, in matches for each interval.
    pub cost: f64,
    /// The group that serves it now, as displayed.
    pub served_by: Option<String>,
    /// The group that would pay, as displayed; `None` if none would, or it exists.
    pub group: Option<String>,
    /// The savings of this query with that group, and the cost of its edits, in matches for each interval.
    pub saves: f64,
    /// See `saves`.
    pub edits_cost: f64,
    /// The line of code that declares the group.
    pub code: Option<String>,
    /// The reason why no other group is named, or the query that had to yield.
    pub reason: Option<String>,
}

/// A declared group that does not pay.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct UnpaidGroup {
    /// The group, as displayed.
    pub group: String,
    /// The savings of all queries, and the cost of its edits, in matches for each interval. Both are zero if no query
    /// uses it.
    pub saves: f64,
    /// See `saves`.
    pub edits_cost: f64,
}

/// A query is omitted if it costs less than one part in this many of the most expensive one.
const NOTABLE: u64 = 100;

impl Tuner {
    /// Returns advice from the counts.
    pub(crate) fn advice(&mut self, groups: &Groups, pools: &Pools) -> Advice {
        self.count_every_edit();
        let target = self.weigh(groups, pools).to_vec();
        let (declared, tuned) = (of(groups, false), of(groups, true));
        let grown = self.grown();
        let average = |sum: u64| {
            #[expect(clippy::cast_precision_loss, reason = "a figure to be read")]
            let [sum, intervals] = [sum, self.intervals.max(1)].map(|number| number as f64);
            sum / intervals
        };
        let costs = |sum: u64| {
            #[expect(clippy::cast_precision_loss, reason = "a small number")]
            let unit = MATCH as f64;
            average(sum) / unit
        };
        let mut queries: Vec<(u64, QueryAdvice)> = Vec::new();
        for shape in &grown {
            let serving = declared.iter().chain(&tuned).copied();
            let served = least(shape, serving).filter(|(cost, _)| *cost < shape.sums.none);
            let cost = served.map_or(shape.sums.none, |(cost, _)| cost);
            let better = least(shape, &target).filter(|(better, _)| *better < cost);
            let name = |terms: &Terms| terms.names(pools).to_string();
            let helpful = better.map(|(_, terms)| terms);
            let Some((measured, _)) = shape.measured else { continue };
            let advice = QueryAdvice {
                query: query_of(shape, pools),
                walks: average(shape.sums.walks),
                candidates: measured.members,
                matches: measured.matches,
                cost: costs(cost),
                served_by: served.map(|(_, terms)| name(terms)),
                group: helpful.map(name),
                saves: better.map_or(0.0, |(better, _)| costs(cost - better)),
                edits_cost: helpful.map_or(0.0, |terms| costs(edits(&grown, terms))),
                code: helpful.map(|terms| code(&terms.names(pools))),
                reason: self.reason(shape, cost, measured.is_in_step, groups, &target, pools),
            };
            if cost > 0 {
                queries.push((cost, advice));
            }
        }
        // Names order equal costs, as numbers differ from process to process.
        queries.sort_by(|(a, one), (b, other)| b.cmp(a).then_with(|| one.query.cmp(&other.query)));
        let dearest = queries.first().map_or(0, |(cost, _)| *cost);
        queries.retain(|(cost, _)| cost * NOTABLE >= dearest);
        let unpaid = declared.iter().filter_map(|&group| {
            let saves: u64 = grown.iter().map(|shape| saved(shape, group)).sum();
            let edits = edits(&grown, group);
            let group = group.names(pools).to_string();
            let unpaid = UnpaidGroup { group, saves: costs(saves), edits_cost: costs(edits) };
            (!grown.is_empty() && saves <= edits).then_some(unpaid)
        });
        let unpaid = unpaid.collect();
        let mut edited: Vec<(&'static str, u64)> = pools
            .numbered()
            .filter_map(|(number, pool)| Some((pool.name(), *self.edited.get(number as usize)?)))
            .filter(|(_, count)| *count > 0)
            .collect();
        edited.sort_unstable();
        Advice {
            queries: queries.into_iter().map(|(_, query)| query).collect(),
            unpaid,
            edits: edited,
            uncounted: self.uncounted,
        }
    }

    /// Returns the reason why an expensive query does not get the group that would serve it best.
    fn reason(
        &self,
        shape: &ViewShape,
        cost: u64,
        is_in_step: bool,
        groups: &Groups,
        target: &[Terms],
        pools: &Pools,
    ) -> Option<String> {
        if is_in_step {
            return Some("its pools have the same members in one order".into());
        }
        let all = shape.groups();
        let best = all.iter().find(|terms| has_pools(pools, terms))?;
        if shape.with(best).is_none_or(|with| with >= cost) {
            return None;
        }
        if target.contains(best) {
            return None;
        }
        let named: ComponentSet = best.required().chain(&best.excluded).copied().collect();
        let is_left_out = |number: &u32| named.contains(*number);
        if let Some(number) = self.excluded.iter().find(|number| is_left_out(number)) {
            return Some(format!("`{}` is excluded from tuning", pools.at(*number).name()));
        }
        if let Some(number) = self.sorted.iter().find(|number| best.owned.contains(number)) {
            return Some(format!("`{}` is sorted by the program", pools.at(*number).name()));
        }
        let gain = cost - shape.with(best).unwrap_or(cost);
        let edits = shape.edits(best);
        if edits >= gain {
            return Some("the edits of a group would cost more than it saves".into());
        }
        let declared = of(groups, false);
        let (other, is_declared) = beside(best, &declared, target)?;
        let verb = if is_declared { "was declared" } else { "saves more" };
        Some(format!(
            "{} cannot stand beside {}, which {verb}",
            best.names(pools),
            other.names(pools)
        ))
    }
}

/// Returns the group with which a shape costs least, and its cost then.
fn least<'a>(
    shape: &ViewShape,
    groups: impl IntoIterator<Item = &'a Terms>,
) -> Option<(u64, &'a Terms)> {
    let served = groups.into_iter().filter_map(|group| Some((shape.with(group)?, group)));
    served.min_by_key(|(cost, _)| *cost)
}

fn saved(shape: &ViewShape, group: &Terms) -> u64 {
    shape.with(group).map_or(0, |with| shape.sums.none.saturating_sub(with))
}

/// Returns the query in source form, in the order of names.
fn query_of(shape: &ViewShape, pools: &Pools) -> String {
    let names = |numbers: &mut dyn Iterator<Item = u32>| {
        let name = |number| {
            let mut pools = pools.numbered();
            pools.find(|(other, _)| *other == number).map_or("unknown", |(_, pool)| pool.name())
        };
        let mut names: Vec<&'static str> = numbers.map(name).collect();
        names.sort_unstable();
        names
    };
    let of = |wanted: TermRole| {
        let terms = shape.terms.iter().filter(move |term| term.role == wanted);
        names(&mut terms.map(|term| term.number))
    };
    let read = of(TermRole::Read).into_iter().map(|name| format!("&{name}"));
    let optional = of(TermRole::Optional).into_iter().map(|name| format!("Option<&{name}>"));
    let with = of(TermRole::Required).into_iter().map(|name| format!("With<{name}>"));
    let without = of(TermRole::Excluded).into_iter().map(|name| format!("Without<{name}>"));
    let all: Vec<String> = read.chain(optional).chain(with).chain(without).collect();
    format!("({})", all.join(", "))
}

/// Returns the line of code that declares a group.
fn code(names: &GroupNames) -> String {
    let list = |names: &[&str]| {
        let mut names = names.to_vec();
        names.sort_unstable();
        match &names[..] {
            [one] => one.to_string(),
            all => format!("({})", all.join(", ")),
        }
    };
    let GroupNames { owned, observed, excluded } = names;
    let part = |method: &str, names: &[&str]| match names {
        [] => String::new(),
        names => format!("{method}::<{}>()", list(names)),
    };
    let first = match &owned[..] {
        [] => part("observing", observed),
        owned => part("owning", owned) + &part(".with", observed),
    };
    format!("world.declare_group(Group::{first}{})?;", part(".without", excluded))
}

impl fmt::Display for Advice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.queries.is_empty() && self.unpaid.is_empty() {
            return f.write_str("no query costs anything that a group could save");
        }
        for (at, query) in self.queries.iter().enumerate() {
            if at > 0 {
                f.write_str("\n")?;
            }
            write!(f, "{query}")?;
        }
        for UnpaidGroup { group, saves, edits_cost } in &self.unpaid {
            write!(
                f,
                "\n{group} does not pay: it saves {saves:.0} and its edits cost {edits_cost:.0}"
            )?;
        }
        if self.uncounted > 0 {
            let walks =
                Counted(usize::try_from(self.uncounted).unwrap_or(usize::MAX), "walk", "walks");
            write!(f, "\n{walks} of other queries were not counted apart")?;
        }
        Ok(())
    }
}

impl fmt::Display for QueryAdvice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { query, walks, candidates, matches, cost, .. } = self;
        let found = Counted(*matches, "match", "matches");
        write!(f, "{query}: {walks:.1} walks, {found} of {candidates}, cost {cost:.0}")?;
        if let Some(served) = &self.served_by {
            write!(f, "; served by the {served}")?;
        }
        if let Some(code) = &self.code {
            let Self { saves, edits_cost, .. } = self;
            write!(f, "\n    saves {saves:.0} for {edits_cost:.0} of edits: {code}")?;
        }
        if let Some(reason) = &self.reason {
            write!(f, "\n    {reason}")?;
        }
        Ok(())
    }
}
