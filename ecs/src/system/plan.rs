//! Plans: which systems of a list wait for which.
//!
//! Systems that conflict run in the order of the list; all others may overlap. A system that takes the whole world, and
//! a `sync`, conflict with all.

use crate::component::access::{Access, is_exclusive, reads_world};
use crate::component::alias::{self, Owner};
use crate::component::clash::{Clash, Meeting, Touched, find_clash, find_write, meet};
use crate::system::System;
use crate::system::param::SupplySet;
use crate::text::Text;
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt::{self, Write as _};

/// The facts of a system that are known without running it.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Facts {
    pub(crate) name: &'static str,
    /// The accesses of its parameters.
    params: &'static [Access],
    /// The claims of each parameter.
    claims: &'static [Access],
    touched: Touched,
    pub(crate) records: bool,
    /// `true` if it stays on the thread that runs the schedule.
    stays: bool,
}

/// A step of a list.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub enum Step {
    /// A system, and its condition.
    System(Facts, Option<Facts>),
    /// Applies the commands that were recorded before it.
    Sync,
    /// The heading of a list with a name, and the number of its steps, which follow. The condition of the list is
    /// evaluated here, if it has one.
    Set(&'static str, usize, Option<Facts>),
    /// The number of following systems that overlap.
    Together(usize),
}

impl Facts {
    pub(crate) const fn of<M, S: System<M>>(name: &'static str) -> Self {
        let params = S::Supplies::ACCESSES;
        let (touched, claims) = (Touched::by(params), S::Supplies::CLAIMED);
        Self { name, params, claims, touched, records: S::Supplies::RECORDS, stays: S::STAYS }
    }

    const fn is_exclusive(&self) -> bool {
        is_exclusive(self.params)
    }

    /// Returns the accesses of its parameters.
    pub(super) const fn params(&self) -> &'static [Access] {
        self.params
    }

    /// Returns the owner of its parameters, for messages.
    const fn owner(&self, is_condition: bool) -> Owner<'static> {
        if is_condition { Owner::Condition(self.name) } else { Owner::System(self.name) }
    }

    /// Refuses parameters that alias.
    ///
    /// # Panics
    /// When two do, or one does by itself. In a constant, that is a compile error.
    #[track_caller]
    pub(crate) const fn refuse_alias(&self, is_condition: bool) {
        alias::refuse_alias_among(self.owner(is_condition), self.claims);
    }

    /// Checks the parameters at run time.
    ///
    /// # Panics
    /// When parameters alias.
    #[track_caller]
    fn check_alias(&self, is_condition: bool) {
        if alias::split_needs_check(self.claims) {
            alias::check_among(self.owner(is_condition), self.claims, &mut Vec::new()); // claims make sure
        }
    }

    /// Panics if a condition does not only read.
    ///
    /// # Panics
    /// When it does. In a constant, that is a compile error.
    #[track_caller]
    pub(crate) const fn refuse_writing(&self) {
        let text = Text::new();
        let text = if self.name.is_empty() {
            text.push("the condition ")
        } else {
            text.push("condition `").push(self.name).push("` ")
        };
        let text = match find_write(self.params) {
            _ if self.is_exclusive() => text.push("takes the whole world"),
            Some(name) => text.push("writes `").push(name).push("`"),
            None if self.records => text.push("records commands"),
            None => return,
        };
        text.push(", and a condition only reads: let a system do it").panic()
    }
}

/// The relation between two steps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Order {
    /// They may overlap.
    Free,
    /// The later one waits for the earlier one.
    Waits,
    /// The later one waits for another that waits for the earlier one.
    WaitsThrough,
}

/// The reason why two systems cannot overlap: their accesses. Either may be a condition.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Conflict {
    clash: Clash,
    first: (&'static str, bool),
    second: (&'static str, bool),
}

impl Conflict {
    /// Panics because the systems cannot stand together.
    #[track_caller]
    const fn refuse(&self) -> ! {
        let advice = ": systems in `together` overlap, so list one after the other";
        self.clash.say(self.first, self.second).push(advice).panic()
    }
}

impl Step {
    /// Returns its name.
    pub(crate) const fn name(&self) -> &'static str {
        match self {
            Self::System(facts, _) => facts.name,
            Self::Set(name, ..) => name,
            Self::Sync => "sync",
            Self::Together(_) => "together",
        }
    }

    /// Returns the name of the code that runs in it: a list's condition, or the step itself.
    const fn name_of_run(&self) -> &'static str {
        match self {
            Self::Set(_, _, Some(condition)) => condition.name,
            _ => self.name(),
        }
    }

    /// Returns `true` if it records commands to be applied.
    pub(crate) const fn records(&self) -> bool {
        matches!(self, Self::System(Facts { records: true, .. }, _))
    }

    /// Returns `true` if its system stays on the thread that runs the schedule.
    pub(crate) const fn stays(&self) -> bool {
        matches!(self, Self::System(Facts { stays: true, .. }, _))
    }

    /// Returns the name of the system or condition that stays on that thread, and `true` if it is the condition.
    const fn part_here(&self) -> Option<(&'static str, bool)> {
        match self.parts() {
            [Some(Facts { name, stays: true, .. }), _] => Some((name, false)),
            [_, Some(Facts { name, stays: true, .. })] => Some((name, true)),
            _ => None,
        }
    }

    /// Returns `true` if `later` waits for this step, whatever they touch. The conditions of a wave are evaluated
    /// before its systems run, so one that stays waits for the systems that stay.
    const fn is_fence_for(&self, later: &Self) -> bool {
        self.is_fence()
            || later.is_fence()
            || self.stays() && matches!(later.parts()[1], Some(Facts { stays: true, .. }))
    }

    /// Returns `true` if the step runs something: a heading without a condition does not.
    const fn is_run(&self) -> bool {
        matches!(self, Self::System(..) | Self::Sync | Self::Set(_, _, Some(_)))
    }

    /// Returns `true` if the condition of this step decides about the step at this distance behind it.
    const fn decides(&self, distance: usize) -> bool {
        matches!(self, Self::Set(_, len, Some(_)) if distance <= *len)
    }

    /// Returns `true` if the system or the condition takes the whole world, if only to read.
    pub(super) const fn sees_world(&self) -> bool {
        let (parts, mut at) = (self.parts(), 0);
        while at < parts.len() {
            if let Some(facts) = parts[at]
                && (facts.is_exclusive() || reads_world(facts.params))
            {
                return true;
            }
            at += 1;
        }
        false
    }

    /// Returns `true` if nothing may overlap it.
    pub(super) const fn is_fence(&self) -> bool {
        match self {
            Self::System(facts, _) => facts.is_exclusive(),
            Self::Sync => true,
            Self::Set(..) | Self::Together(_) => false,
        }
    }

    /// The system, and its condition.
    pub(super) const fn parts(&self) -> [Option<&Facts>; 2] {
        match self {
            Self::System(facts, condition) => [Some(facts), condition.as_ref()],
            Self::Set(_, _, condition) => [None, condition.as_ref()],
            Self::Sync | Self::Together(_) => [None; 2],
        }
    }

    /// Compares both at compile time. Returns the conflict if they cannot overlap.
    const fn meet(&self, later: &Self) -> (Meeting, Option<Conflict>) {
        let (mut found, firsts, seconds, mut a) = (Meeting::Free, self.parts(), later.parts(), 0);
        while a < 2 {
            let mut b = 0;
            while b < 2 {
                if let (Some(first), Some(second)) = (firsts[a], seconds[b])
                    && first.touched.may_clash(&second.touched)
                {
                    match meet(first.params, second.params) {
                        Meeting::Free => {}
                        Meeting::Unknown => found = Meeting::Unknown,
                        Meeting::Clash(clash) => {
                            let (first, second) = ((first.name, a == 1), (second.name, b == 1));
                            return (found, Some(Conflict { clash, first, second }));
                        }
                    }
                }
                b += 1;
            }
            a += 1;
        }
        (found, None)
    }

    /// Returns `true` if `later` waits for this step, as far as it is known at compile time; in doubt, it waits.
    const fn is_waited_for_by(&self, later: &Self) -> bool {
        if !self.is_run() || !later.is_run() {
            return false;
        }
        self.is_fence_for(later) || !matches!(self.meet(later), (Meeting::Free, None))
    }

    /// Returns `true` if `later` waits for this step, compared at run time.
    fn is_known_to_be_waited_for_by(&self, later: &Self) -> bool {
        self.is_run()
            && later.is_run()
            && (self.is_fence_for(later) || self.conflict(later).is_some())
    }

    /// Returns its name in pictures.
    #[inline]
    fn label(&self) -> String {
        match self {
            Self::System(facts, Some(condition)) => {
                format!("{} if {}", escaped(facts.name), escaped(condition.name))
            }
            _ => escaped(self.name_of_run()),
        }
    }

    /// Checks at run time that no parameters alias.
    ///
    /// # Panics
    /// When there are such.
    #[track_caller]
    pub(crate) fn check_alias(&self) {
        let [system, condition] = self.parts();
        if let Some(system) = system {
            system.check_alias(false);
        }
        if let Some(condition) = condition {
            condition.check_alias(true);
        }
    }

    /// Returns the conflict of both at run time, if they cannot overlap.
    pub(crate) fn conflict(&self, later: &Self) -> Option<Conflict> {
        for (a, first) in self.parts().into_iter().enumerate() {
            for (b, second) in later.parts().into_iter().enumerate() {
                if let (Some(first), Some(second)) = (first, second)
                    && first.touched.may_clash(&second.touched)
                    && let Some(clash) = find_clash(first.params, second.params, &mut Vec::new())
                {
                    let (first, second) = ((first.name, a == 1), (second.name, b == 1));
                    return Some(Conflict { clash, first, second });
                }
            }
        }
        None
    }
}

/// Returns `true` if earlier commands are applied before the step with this number. The step takes the whole world, and
/// a system before it may have recorded something since the last `sync`. The first of systems that stand together
/// stands for all.
pub(crate) const fn applies_before(steps: &[Step], at: usize) -> bool {
    let (mut is_recorded, mut next, mut end) = (false, 0, at + 1);
    while next < at {
        match steps[next] {
            // A list applies its commands at its end. It may not run, and then nothing is applied in it.
            Step::Set(_, len, _) if next + len < at => next += len,
            Step::Together(len) if at <= next + len => {
                if at > next + 1 {
                    return false;
                }
                end = at + len;
            }
            Step::Sync => is_recorded = false,
            Step::System(facts, _) => is_recorded |= facts.records,
            Step::Set(..) | Step::Together(_) => {}
        }
        next += 1;
    }
    let mut sees_world = false;
    while next < end {
        sees_world |= steps[next].sees_world();
        next += 1;
    }
    is_recorded && sees_world
}

/// Checks at compile time that these do not conflict.
///
/// # Panics
/// Panics if they do. In a constant, that is a compile error.
#[track_caller]
pub(crate) const fn refuse_together(earlier: &Step, later: &Step) {
    refuse_apart(earlier, later);
    if let (_, Some(conflict)) = earlier.meet(later) {
        conflict.refuse();
    }
}

/// Checks at compile time that no two of these conflict.
///
/// # Panics
/// Panics if they do. In a constant, that is a compile error.
#[track_caller]
pub(crate) const fn refuse_conflicts(steps: &[Step]) {
    let mut at = 0;
    while at < steps.len() {
        let mut before = 0;
        while before < at {
            refuse_together(&steps[before], &steps[at]);
            before += 1;
        }
        at += 1;
    }
}

/// Checks at run time that no two of these conflict.
///
/// # Panics
/// When two of them conflict.
#[track_caller]
pub(crate) fn check_together(steps: &[Step]) {
    for (at, later) in steps.iter().enumerate() {
        for earlier in &steps[..at] {
            refuse_apart(earlier, later);
            if let Some(conflict) = earlier.conflict(later) {
                conflict.refuse();
            }
        }
    }
}

/// Panics if these cannot overlap, whatever they access: one runs alone, or both stay on one thread.
#[track_caller]
const fn refuse_apart(earlier: &Step, later: &Step) {
    if earlier.stays()
        && let Some((name, is_condition)) = later.part_here()
    {
        let text = Text::new().push("system `").push(earlier.name()).push("` and ");
        let text = text.push(if is_condition { "condition `" } else { "system `" }).push(name);
        let text =
            text.push("` both stay on the thread that runs the schedule, so they cannot overlap: ");
        text.push("list one of them outside of `together`").panic()
    }
    let (alone, other) = match (earlier.is_fence(), later.is_fence()) {
        (_, true) => (later, earlier),
        (true, false) => (earlier, later),
        (false, false) => return,
    };
    let text =
        Text::new().push("system `").push(alone.name()).push("` takes the whole world, so it ");
    let text = text.push("cannot overlap system `").push(other.name());
    text.push("`: list it outside of `together`").panic()
}

/// Escapes a name for a language with tags.
#[inline]
pub(crate) fn escaped(name: &str) -> String {
    name.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Records that the step `later` waits for `earlier`, and for all steps that `earlier` waits for. `orders` has a row for
/// each later step.
const fn link(orders: &mut [Order], len: usize, earlier: usize, later: usize) {
    orders[later * len + earlier] = Order::Waits;
    let mut at = 0;
    while at < earlier {
        if !matches!(orders[earlier * len + at], Order::Free)
            && matches!(orders[later * len + at], Order::Free)
        {
            orders[later * len + at] = Order::WaitsThrough;
        }
        at += 1;
    }
}

/// Writes the depth of each step: the most steps that must run before it one after the other. Steps that stay on the
/// thread that runs the schedule run there in the order of the list, so each is at least as deep as earlier ones.
const fn fill_depths(depths: &mut [usize], steps: &[Step], orders: &[Order]) {
    let mut at = 0;
    while at < steps.len() {
        let mut end = at + 1;
        if let Step::Together(len) = steps[at] {
            end += len;
        }
        // The members of a `together` have one depth.
        let (mut depth, mut later) = (0, at);
        while later < end {
            let mut earlier = 0;
            while earlier < at {
                if matches!(orders[later * steps.len() + earlier], Order::Waits)
                    && depth <= depths[earlier]
                {
                    depth = depths[earlier] + 1;
                }
                if depth < depths[earlier]
                    && steps[earlier].part_here().is_some()
                    && steps[later].part_here().is_some()
                {
                    depth = depths[earlier];
                }
                earlier += 1;
            }
            later += 1;
        }
        while at < end {
            depths[at] = depth;
            at += 1;
        }
    }
}

/// The plan of a [`schedule!`](crate::schedule): which systems wait for which, as a constant.
///
/// A system waits for systems before it in the list that access data that it writes, or write data that it accesses.
/// It is made by the compiler, which treats two generic components of one name as one component.
///
/// ```
/// use ecs::{Component, View, schedule};
///
/// #[derive(Component)]
/// struct Health(u32);
/// #[derive(Component)]
/// struct Fuel(u32);
///
/// fn heal(healths: View<&mut Health>) {
///     healths.for_each(|(_, health)| health.0 += 1);
/// }
/// fn burn(fuels: View<&mut Fuel>) {
///     fuels.for_each(|(_, fuel)| fuel.0 -= 1);
/// }
/// fn report(_: View<(&Health, &Fuel)>) {}
///
/// schedule! {
///     struct Frame { heal, burn, report }
/// }
///
/// const _: () = assert!(Frame::PLAN.depth() == 2);
/// assert!(Frame::PLAN.waits().eq([("heal", "report"), ("burn", "report")]));
/// ```
#[derive(Clone, Copy)]
pub struct SchedulePlan<const N: usize> {
    steps: [Step; N],
    orders: [[Order; N]; N],
}

impl<const N: usize> SchedulePlan<N> {
    pub(crate) const fn of(steps: [Step; N]) -> Self {
        let mut orders = [[Order::Free; N]; N];
        let (mut later, mut fence) = (0, 0);
        while later < N {
            if applies_before(&steps, later) {
                fence = later;
            }
            let mut earlier = later;
            while earlier > 0 {
                earlier -= 1;
                if matches!(orders[later][earlier], Order::Free)
                    && (steps[earlier].is_waited_for_by(&steps[later])
                        || steps[later].is_run()
                            && (steps[earlier].decides(later - earlier)
                                || earlier < fence && steps[earlier].is_run()))
                {
                    link(orders.as_flattened_mut(), N, earlier, later);
                }
            }
            later += 1;
        }
        Self { steps, orders }
    }

    const fn graph(&self) -> Graph<'_> {
        Graph { steps: &self.steps, orders: self.orders.as_flattened() }
    }

    /// Returns the number of systems that run one after the other if all systems overlap that may.
    ///
    /// ```
    /// # use ecs::{Resource, schedule};
    /// # #[derive(Resource)] struct Score(u32);
    /// fn count(score: &mut Score) {
    ///     score.0 += 1;
    /// }
    /// fn rest() {}
    /// schedule! { struct Frame { count, rest, count } }
    /// assert_eq!(Frame::PLAN.depth(), 2);
    /// ```
    #[must_use]
    pub const fn depth(&self) -> usize {
        let mut depths = [0; N];
        fill_depths(&mut depths, &self.steps, self.orders.as_flattened());
        let (mut depth, mut at) = (0, 0);
        while at < N {
            if self.steps[at].is_run() && depth <= depths[at] {
                depth = depths[at] + 1;
            }
            at += 1;
        }
        depth
    }

    /// Returns the pairs of systems that wait for each other, by names: the earlier one and the later one. Pairs that
    /// follow from others are left out.
    ///
    /// ```
    /// # use ecs::{World, schedule};
    /// fn look(_: &mut World) {}
    /// fn rest() {}
    /// schedule! { struct Frame { rest, look, rest } }
    /// assert!(Frame::PLAN.waits().eq([("rest", "look"), ("look", "rest")]));
    /// ```
    pub fn waits(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        let graph = self.graph();
        graph.edges().map(move |(a, b)| {
            let [a, b] = [a, b].map(|at| graph.steps[at].name_of_run());
            (a, b)
        })
    }

    /// Returns the names of the steps where recorded commands are applied. These are each `sync`, also at the end of a list
    /// that records, and systems that see the whole world: commands are applied before them.
    ///
    /// ```
    /// # use ecs::{Commands, World, schedule};
    /// fn record(_: &mut Commands) {}
    /// fn look(_: &World) {}
    /// fn rest() {}
    /// schedule! { struct Frame { record, rest, look, record, sync, rest } }
    /// assert!(Frame::PLAN.applies().eq(["look", "sync"])); // and at the end of the run
    /// ```
    pub fn applies(&self) -> impl Iterator<Item = &'static str> {
        let steps = self.steps.iter().enumerate();
        let applies = |(at, step): &(usize, &Step)| {
            matches!(step, Step::Sync) || applies_before(&self.steps, *at)
        };
        steps.filter(applies).map(|(_, step)| step.name())
    }

    /// The plan as a picture in the language of Mermaid, which many viewers of Markdown show. A system before which commands
    /// are applied says so.
    ///
    /// ```
    /// # use ecs::{World, schedule};
    /// fn look(_: &mut World) {}
    /// fn rest() {}
    /// schedule! { struct Frame { rest, look } }
    /// let picture = Frame::PLAN.mermaid();
    /// assert_eq!(picture, "flowchart TD\n  s0[\"rest\"]\n  s1[[\"look\"]]\n  s0 --> s1\n");
    /// ```
    #[must_use]
    pub fn mermaid(&self) -> String {
        self.graph().mermaid()
    }

    /// The plan as a picture in the language of Graphviz: `dot -Tsvg` draws it.
    ///
    /// ```
    /// # use ecs::{World, schedule};
    /// fn look(_: &mut World) {}
    /// schedule! { struct Frame { look } }
    /// assert!(Frame::PLAN.dot().contains("s0 [label=\"look\""));
    /// ```
    #[must_use]
    pub fn dot(&self) -> String {
        self.graph().dot()
    }
}

impl<const N: usize> fmt::Debug for SchedulePlan<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.waits()).finish()
    }
}

/// The plan of systems that were chosen at run time.
pub(crate) struct KnownPlan<'p> {
    steps: &'p [Step],
    orders: Vec<Order>,
}

impl<'p> KnownPlan<'p> {
    #[inline]
    pub(crate) fn of(steps: &'p [Step]) -> Self {
        let len = steps.len();
        let mut orders = vec![Order::Free; len * len];
        let mut fence = 0;
        for (at, later) in steps.iter().enumerate() {
            if applies_before(steps, at) {
                fence = at;
            }
            for (before, earlier) in steps[..at].iter().enumerate().rev() {
                let is_free = orders[at * len + before] == Order::Free;
                let is_apart = before < fence && earlier.is_run() || earlier.decides(at - before);
                if is_free
                    && (is_apart && later.is_run() || earlier.is_known_to_be_waited_for_by(later))
                {
                    link(&mut orders, len, before, at);
                }
            }
        }
        Self { steps, orders }
    }

    pub(crate) fn graph(&self) -> Graph<'_> {
        Graph { steps: self.steps, orders: &self.orders }
    }

    /// The numbers of systems that may overlap, in the order of the list; behind them the systems that wait for
    /// them.
    #[cfg(feature = "parallel")]
    pub(crate) fn waves(&self) -> Vec<Vec<usize>> {
        let mut depths = vec![0; self.steps.len()];
        fill_depths(&mut depths, self.steps, &self.orders);
        let count = depths.iter().max().map_or(0, |deepest| deepest + 1);
        let mut waves = vec![Vec::new(); count];
        for (at, depth) in depths.into_iter().enumerate() {
            if self.steps[at].is_run() {
                waves[depth].push(at);
            }
        }
        waves
    }
}

/// Which steps wait for which.
#[derive(Clone, Copy)]
pub(crate) struct Graph<'p> {
    steps: &'p [Step],
    orders: &'p [Order],
}

impl<'p> Graph<'p> {
    /// The numbers of a step and of one that waits for it.
    #[inline]
    pub(super) fn edges(self) -> impl Iterator<Item = (usize, usize)> + 'p {
        let len = self.steps.len();
        let pairs = (0..len).flat_map(|later| (0..later).map(move |earlier| (earlier, later)));
        pairs.filter(move |(earlier, later)| self.orders[later * len + earlier] == Order::Waits)
    }

    /// Returns the reason for which one waits for the other.
    #[inline]
    fn reason(self, (earlier, later): (usize, usize)) -> Option<&'static str> {
        self.steps[earlier].conflict(&self.steps[later]).map(|conflict| conflict.clash.component())
    }

    /// Returns the name of a step, and whether commands are applied before it.
    #[inline]
    fn label(self, at: usize) -> String {
        let after = if applies_before(self.steps, at) { " (after commands)" } else { "" };
        format!("{}{after}", self.steps[at].label())
    }

    #[inline]
    pub(crate) fn mermaid(self) -> String {
        let mut picture = "flowchart TD\n".to_owned();
        self.draw(
            &mut picture,
            |at, step| {
                let name = self.label(at);
                match step {
                    Step::System(..) if step.is_fence() => format!("s{at}[[\"{name}\"]]"),
                    Step::Set(..) => format!("s{at}{{\"{name}\"}}"),
                    Step::Sync => format!("s{at}([\"{name}\"])"),
                    _ => format!("s{at}[\"{name}\"]"),
                }
            },
            |at, name| format!("subgraph g{at}[\"{name}\"]"),
            "end",
        );
        for edge in self.edges() {
            let reason = self.reason(edge).map(|name| format!("|{name}|")).unwrap_or_default();
            let _ = writeln!(picture, "  s{} -->{reason} s{}", edge.0, edge.1);
        }
        picture
    }

    #[inline]
    pub(crate) fn dot(self) -> String {
        let mut picture = "digraph schedule {\n  node [shape=box]\n".to_owned();
        self.draw(
            &mut picture,
            |at, step| {
                let shape = match step {
                    Step::System(..) if step.is_fence() => ", peripheries=2",
                    Step::Set(..) => ", shape=diamond",
                    Step::Sync => ", shape=oval",
                    _ => "",
                };
                format!("s{at} [label=\"{}\"{shape}]", self.label(at))
            },
            |at, name| format!("subgraph cluster_{at} {{ label=\"{name}\""),
            "}",
        );
        for edge in self.edges() {
            let reason = self.reason(edge).map(|name| format!(" [label=\"{name}\"]"));
            let _ = writeln!(picture, "  s{} -> s{}{}", edge.0, edge.1, reason.unwrap_or_default());
        }
        picture.push_str("}\n");
        picture
    }

    /// Writes a line a step, and two around the content of a heading.
    fn draw(
        self,
        picture: &mut String,
        node: impl Fn(usize, &Step) -> String,
        open: impl Fn(usize, &str) -> String,
        close: &str,
    ) {
        let mut ends = Vec::new();
        for (at, step) in self.steps.iter().enumerate() {
            while ends.pop_if(|end| *end == at).is_some() {
                let _ = writeln!(picture, "{:1$}{close}", "", 2 * ends.len() + 2);
            }
            let indent = 2 * ends.len() + 2;
            if step.is_run() {
                let _ = writeln!(picture, "{:indent$}{}", "", node(at, step));
            }
            if let Step::Set(_, len, _) | Step::Together(len) = step {
                let _ = writeln!(picture, "{:indent$}{}", "", open(at, &escaped(step.name())));
                ends.push(at + 1 + len);
            }
        }
        while ends.pop().is_some() {
            let _ = writeln!(picture, "{:1$}{close}", "", 2 * ends.len() + 2);
        }
    }
}
