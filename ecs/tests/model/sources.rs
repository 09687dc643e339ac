//! Compares the sources of a match that queries read.

use super::check::sorted;
use super::components::*;
use super::place::Place;
use ecs::{
    Chunk, Entity, EntityRef, Has, PlanKind, Query, Sources, Up, View, With, WithAny, Without,
};
use std::collections::BTreeMap;
use std::sync::Mutex;

/// The numbers of the sources of each target.
type Read = BTreeMap<Entity, Vec<(Entity, u64)>>;
type Loads<'w> = (&'w Text, Sources<'w, On, &'w Number>);
type Whole<'w> = (EntityRef<'w>, Option<Up<On, &'w Number>>);

#[derive(Query)]
struct Loaded<'w> {
    entity: Entity,
    text: &'w Text,
    numbers: Sources<'w, On, &'w Number>,
    tagged: Option<Sources<'w, On, With<Tag>>>,
}

#[derive(Query)]
#[query(without(Left))]
struct Nested<'w> {
    loaded: Loaded<'w>,
    handles: (Sources<'w, On>, Has<Number>),
}

fn read(numbers: Sources<'_, On, &Number>) -> Vec<(Entity, u64)> {
    numbers.map(|(entity, number)| (entity, number.0)).collect()
}

impl Place {
    fn has(&self, entity: Entity, comp: Comp) -> bool {
        self.model.content.has(entity, comp)
    }

    fn is_target(&self, entity: Entity) -> bool {
        !self.model.content.sources(entity, Comp::On).is_empty()
    }

    fn numbers(&self, target: Entity) -> Vec<(Entity, u64)> {
        let content = &self.model.content;
        let sources = content.sources(target, Comp::On).iter();
        sources.filter_map(|it| Some((*it, content.value(*it, Comp::Number)?))).collect()
    }

    /// Returns the numbers of the sources of the targets that match.
    fn expected(&self, is_match: impl Fn(Entity) -> bool) -> Read {
        let alive = self.model.content.rows.keys().copied();
        let matches = alive.filter(|it| self.is_target(*it) && is_match(*it));
        matches.map(|it| (it, self.numbers(it))).collect()
    }

    pub fn check_sources(&self, plan: Option<PlanKind>) {
        let (world, content) = (&self.world, &self.model.content);
        let all = world.view::<Sources<On, &Number>>().with_plan(plan).into_iter();
        assert_eq!(all.map(|(it, of)| (it, read(of))).collect::<Read>(), self.expected(|_| true));
        let view = world.view::<(&Number, Sources<On, &Number>)>().without::<Tag>();
        let mut found = Read::new();
        view.with_plan(plan).for_each(|(it, _, of)| drop(found.insert(it, read(of))));
        let is_match = |it| self.has(it, Comp::Number) && !self.has(it, Comp::Tag);
        assert_eq!(found, self.expected(is_match), "{plan:?}");
        for (entity, targets) in world.view::<Option<Up<On, &Number>>>().with_plan(plan) {
            let target = content.target(entity, Comp::On);
            let number = target.and_then(|it| content.value(it, Comp::Number));
            assert_eq!(targets.flatten().map(|it| it.0), number);
        }
        macro_rules! filtered {
            ($($query:ty $(, $filter:ident)?: $is_target:literal;)+) => {$(
                let view = world.view::<$query>()$(.$filter::<Sources<On>>())?.with_plan(plan);
                let found = sorted(view.into_iter().map(|item| item.0));
                let mut expected = content.matching(&[Comp::Number], &[]);
                expected.retain(|it| self.is_target(*it) == $is_target);
                assert_eq!(found, expected, "{plan:?}");
            )+};
        }
        filtered! {
            &Number, with: true;
            &Number, with_any: true;
            &Number, without: false;
            (&Number, WithAny<Sources<On>>): true;
            (&Number, Without<Sources<On>>): false;
        }
    }

    /// Compares the sources of matches by each way to iterate, and in each kind of query.
    pub fn check_sources_each_way(&mut self) {
        let expected = self.expected(|it| self.has(it, Comp::Text));
        let (world, content) = (&self.world, &self.model.content);
        let view = || -> View<Loads<'_>> { world.view() };
        let is = |found: Read, way: &str| assert_eq!(found, expected, "{way}");
        let item = |(it, _, of): (Entity, &Text, Sources<On, &Number>)| (it, read(of));
        let found = Mutex::new(Read::new());
        let take = || std::mem::take(&mut *found.lock().unwrap());
        let add = |it, of: Sources<'_, On, &Number>| {
            assert_eq!(found.lock().unwrap().insert(it, read(of)), None);
        };
        view().for_each(|(it, _, of)| add(it, of));
        is(take(), "for_each");
        view().par_for_each(|(it, _, of)| add(it, of));
        is(take(), "par_for_each");
        let chunk = |(entities, texts, all): Chunk<'_, Loads<'_>>| {
            assert_eq!((entities.len(), texts.len()), (all.len(), all.len()));
            entities.iter().zip(all).for_each(|(it, of)| add(*it, of));
        };
        view().for_each_chunk(chunk);
        is(take(), "for_each_chunk");
        view().par_for_each_chunk(chunk);
        is(take(), "par_for_each_chunk");
        is(view().into_parts(3).flatten().map(item).collect(), "into_parts");
        let total = view().par_fold(|| 0, |all, (.., of)| all + of.count(), |a, b| a + b);
        assert_eq!(total, expected.values().map(Vec::len).sum::<usize>());
        is(view().sorted_by_key(|(it, ..)| *it).map(item).collect(), "sorted_by_key");
        let all = || content.rows.keys().chain(&content.dead);
        is(view().iter_many(all()).map(item).collect(), "iter_many");
        is(all().filter_map(|it| view().get(*it)).map(item).collect(), "get");
        assert!(all().all(|it| view().matches(*it) == expected.contains_key(it)));
        let pairs = expected.len() * expected.len().saturating_sub(1) / 2;
        assert_eq!(view().iter_combinations::<2>().take(9).count(), pairs.min(9));
        assert_eq!(view().single().ok().map(item), {
            expected.first_key_value().filter(|_| expected.len() == 1).map(|(a, b)| (*a, b.clone()))
        });
        self.check_kinds_of_sources();
        if let [a, b, ..] = expected.keys().copied().collect::<Vec<_>>()[..] {
            let mut view = self.world.view_mut::<(&mut Text, Sources<On, &Number>)>();
            let pair = view.get_disjoint_mut([a, b]).unwrap();
            assert_eq!(pair.map(|(it, _, of)| read(of) == expected[&it]), [true; 2]);
            assert!(view.get_disjoint_mut([a, a]).is_err());
            assert_eq!(read(view.get_mut(a).unwrap().2), expected[&a]);
        }
    }

    fn check_kinds_of_sources(&self) {
        let (world, content) = (&self.world, &self.model.content);
        let of = |target| content.sources(target, Comp::On).iter().copied();
        for (entity, _, numbers) in world.view::<(&Text, Option<Sources<On, &Number>>)>() {
            assert_eq!(numbers.is_some(), self.is_target(entity));
            assert_eq!(numbers.map_or(vec![], read), self.numbers(entity));
        }
        for (target, handles) in world.view::<Sources<On>>() {
            assert!(handles.clone().eq(of(target)) && handles.rev().eq(of(target).rev()));
        }
        for (target, all) in world.view::<Sources<On, (&Number, Has<Tag>, Without<Left>)>>() {
            let all = all.map(|(it, number, tag)| (it, number.0, tag));
            let mut wanted = self.numbers(target);
            wanted.retain(|(it, _)| !self.has(*it, Comp::Left));
            assert!(all.eq(wanted.into_iter().map(|(it, of)| (it, of, self.has(it, Comp::Tag)))));
        }
        for (target, columns) in world.view::<Sources<On, &Columns>>() {
            let wanted = of(target).filter_map(|it| content.value(it, Comp::Columns));
            assert!(columns.map(|(_, it)| Columns::read(it)).eq(wanted));
        }
        for (target, below) in world.view::<Sources<On, Sources<On, &Number>>>() {
            let wanted = of(target).filter(|it| self.is_target(*it));
            assert!(below.map(|(_, it)| read(it)).eq(wanted.map(|it| self.numbers(it))));
        }
        for (target, wholes) in world.view::<Sources<On, Whole<'_>>>() {
            for (source, whole, above) in wholes {
                assert_eq!(whole.id(), source);
                assert_eq!(above.flatten().map(|it| it.0), content.value(target, Comp::Number));
            }
        }
        let mut count = 0;
        for Nested { loaded, handles: (handles, has_number) } in world.view::<Nested>() {
            let entity = loaded.entity;
            assert_eq!(Some(Text::read(loaded.text)), content.value(entity, Comp::Text));
            assert_eq!(has_number.get(), self.has(entity, Comp::Number));
            assert!(handles.eq(of(entity)));
            assert_eq!(read(loaded.numbers), self.numbers(entity));
            let tagged = of(entity).filter(|it| self.has(*it, Comp::Tag));
            assert!(loaded.tagged.into_iter().flatten().eq(tagged));
            count += 1;
        }
        let is_match = |it| self.has(it, Comp::Text) && !self.has(it, Comp::Left);
        assert_eq!(count, self.expected(is_match).len());
    }
}
