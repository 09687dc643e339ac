//! The conditions that a world beside its model must meet, and two worlds that were made equal.
//!
//! * An entity is alive, and has components, values and sources, as the model says: by its type, and by its name.
//! * The entities, the resource, and the members and values of each pool equal the model; so does the order of a pool
//!   where the edits determine it. The invariants of the library hold.
//! * An index equals a scan.
//! * The sources of a target stand in their order. A group has exactly the entities that match, in one order in all pools
//!   that it owns.
//! * A view yields each match once with its values, by each plan, and counts them. It does so in `for`, in `for_each`, in
//!   both in turn, from a list of entities, as slices and in chunks.
//! * A query as a text finds the matches of a scan. A chunk has the columns of its entities.
//! * Worlds that were made equal give out equal handles. Unless they were made by a text, all orders and their saved bytes
//!   are equal, too.

use super::components::*;
use super::place::Place;
use super::venom;
use ecs::by_name::{Kind, KindError, KindQuery};
use ecs::{Entity, Has, PlanKind, Query, World};
use std::collections::{BTreeMap, BTreeSet};

/// The ways to find the matches of a view.
pub const PLANS: [Option<PlanKind>; 5] = [
    None,
    Some(PlanKind::All),
    Some(PlanKind::Words),
    Some(PlanKind::Dense),
    Some(PlanKind::Group),
];

/// Fields of columns, beside whole components.
type Fields<'a> = (Columns, &'a columns::text, Option<&'a columns::number>, Option<&'a Number>);

/// A query as a text, and whether an entity is a match.
type Case<'a> = (String, &'a dyn Fn(&Entity) -> bool);

#[derive(Query)]
struct Looked<'w> {
    entity: Entity,
    number: &'w Number,
    text: Option<&'w Text>,
    tag: Has<Tag>,
}

/// Returns the entities by their handles.
pub fn sorted(entities: impl IntoIterator<Item = Entity>) -> Vec<Entity> {
    let mut entities: Vec<Entity> = entities.into_iter().collect();
    entities.sort_unstable();
    entities
}

/// Returns the sources of a target by a relation.
pub fn related(world: &World, comp: Comp, target: Entity) -> Vec<Entity> {
    match comp {
        Comp::On => world.related::<On>(target).collect(),
        Comp::PartOf => world.related::<PartOf>(target).collect(),
        _ => world.related::<ChildOf>(target).collect(),
    }
}

impl Place {
    /// Compares one entity in every way.
    pub fn check_one(&self, entity: Entity) {
        let (world, content) = (&self.world, &self.model.content);
        let Some(row) = content.rows.get(&entity) else {
            assert!(!world.is_alive(entity) && world.get_entity(entity).is_err());
            assert!(!world.has::<Number>(entity) && world.get::<Number>(entity).is_none());
            assert!(world.view::<Number>().get(entity).is_none());
            assert_eq!(world.components(entity).count(), 0);
            return;
        };
        assert!(world.is_alive(entity));
        for comp in COMPS {
            let found = typed!(*comp, T => {
                let found = world.get::<T>(entity).map(T::read);
                assert_eq!(world.has::<T>(entity), found.is_some());
                let value = world.kind_value(Kind::of::<T>(), entity);
                assert_eq!(value.and_then(ecs::by_name::Value::get::<T>).map(T::read), found);
                found
            });
            assert_eq!(found, row.get(*comp), "{comp:?} of {entity}");
        }
        let found = venom::of(world, content.version, entity);
        assert_eq!(found, row.get(Comp::Venom), "{entity}");
        for relation in RELATIONS {
            assert_eq!(related(world, relation, entity), content.sources(entity, relation));
        }
        let is = |it: &Entity| *it == entity;
        if let Some(key) = row.get(Comp::Left) {
            assert!(world.index::<Left>().get(&key.to_le_bytes()[0]).any(|it| is(&it)));
        }
        if let Some(key) = row.get(Comp::Callsign) {
            assert_eq!(world.index::<Callsign>().find(&key), Some(entity));
        }
        if let Some(key) = row.get(Comp::Aligned) {
            assert!(world.index::<Aligned>().get(&u32::try_from(key).unwrap()).any(|it| is(&it)));
        }
        let names: BTreeSet<_> = world.components(entity).map(Kind::name).collect();
        assert_eq!(names, row.iter().map(|(comp, _)| comp.name()).collect());
        let both = content.has(entity, Comp::Number) && content.has(entity, Comp::Tag);
        assert_eq!(world.has::<(Number, Tag)>(entity), both);
        assert_eq!(world.view::<(Number, Tag)>().matches(entity), both);
    }

    /// Compares all entities, pools, groups and relations, and views by these plans.
    pub fn check_all(&mut self, plans: &[Option<PlanKind>]) {
        self.wake();
        self.world.check_invariants();
        if self.is_ordered {
            self.model.content.forget_orders(); // loops of an earlier check may have moved members
        }
        let (world, content) = (&self.world, &mut self.model.content);
        assert!(world.entities().eq(content.rows.keys().copied()));
        assert_eq!(world.get_resource::<Gold>().map(|it| (it.0, it.1)), content.gold);
        assert_eq!(world.kind("Venom"), Ok(venom::kind(content.version)));
        for comp in ALL {
            let members = content.matching(&[*comp], &[]);
            let found = if *comp == Comp::Venom {
                all_venom(world)
            } else {
                typed!(*comp, T => {
                    let pool = world.pool::<T>();
                    assert_eq!(pool.keys(), world.kind_entities(Kind::of::<T>()));
                    pool.iter().map(|(entity, value)| (entity, T::read(value))).collect::<Vec<_>>()
                })
            };
            let keys: Vec<Entity> = found.iter().map(|(entity, _)| *entity).collect();
            assert_eq!(keys.len(), members.len(), "{comp:?}");
            for (entity, value) in found {
                assert_eq!(content.value(entity, *comp), Some(value), "{comp:?} of {entity}");
            }
            assert!(content.is_order(*comp, &keys), "the order of {comp:?}");
        }
        self.check_relations();
        self.check_groups();
        self.check_indexes();
        for plan in plans {
            self.check_views(*plan);
            self.check_venom(*plan);
            self.check_values(*plan);
            self.check_sources(*plan);
        }
        // Each way takes as long as all the plans, and finds the same matches by any of them.
        if plans.contains(&None) {
            self.check_sources_each_way();
        }
    }

    fn check_relations(&self) {
        let content = &self.model.content;
        for relation in RELATIONS {
            let members = content.matching(&[relation], &[]);
            let targets: BTreeSet<_> =
                members.iter().map(|it| content.target(*it, relation).unwrap()).collect();
            for target in targets {
                let listed = related(&self.world, relation, target);
                assert_eq!(listed, content.sources(target, relation), "{relation:?} of {target}");
            }
        }
    }

    /// Compares each index with a scan of the model, and views among its answers.
    fn check_indexes(&self) {
        let content = &self.model.content;
        let scan = |comp| {
            let mut keys = BTreeMap::<u64, Vec<Entity>>::new();
            for entity in content.matching(&[comp], &[]) {
                keys.entry(content.value(entity, comp).unwrap()).or_default().push(entity);
            }
            keys.values_mut().for_each(|entities| entities.sort_by_key(|it| it.index()));
            keys
        };
        let left = scan(Comp::Left);
        let index = self.world.index::<Left>();
        assert_eq!(index.key_count(), left.len());
        for (key, entities) in &left {
            let answer = index.get(&key.to_le_bytes()[0]);
            assert!(answer.clone().eq(entities.iter().copied()), "Left {key}");
            if key % 8 > 0 {
                continue; // a few tell as much
            }
            let view = self.world.view::<(&Number, Option<&Text>)>().without::<Tag>().among(answer);
            let expected = entities
                .iter()
                .copied()
                .filter(|it| content.has(*it, Comp::Number) && !content.has(*it, Comp::Tag));
            assert_eq!(sorted(view.iter().map(|it| it.0)), sorted(expected), "among Left {key}");
        }
        let callsigns = scan(Comp::Callsign);
        let index = self.world.index::<Callsign>();
        assert_eq!(index.key_count(), callsigns.len());
        for (key, entities) in &callsigns {
            assert!(index.get(key).eq(entities.iter().copied()), "Callsign {key}");
            assert_eq!(entities.len(), 1, "no two have {key}");
        }
        let columns = scan(Comp::Columns);
        let index = self.world.index::<Columns>();
        assert_eq!(index.key_count(), columns.len());
        for (key, entities) in &columns {
            assert!(index.get(key).eq(entities.iter().copied()), "Columns {key}");
        }
        let aligned = scan(Comp::Aligned);
        let index = self.world.index::<Aligned>();
        assert!(index.range(..).eq(aligned.values().flatten().copied()), "Aligned");
        assert_eq!(index.key_count(), aligned.len());
    }

    /// Compares the members of each group, and their order in the pools that it owns.
    fn check_groups(&self) {
        assert_eq!(self.world.groups().count(), self.model.content.groups.len());
        for group in &self.model.content.groups {
            let [owned, with, without] = GROUPS[*group];
            let all: Vec<Comp> = owned.iter().chain(with).copied().collect();
            let expected = self.model.content.matching(&all, without);
            let members = grouped!(*group, it => self.world.group(it).unwrap().members());
            assert_eq!(members.len(), expected.len());
            assert_eq!(sorted(members.iter().copied()), expected);
            for comp in owned {
                let keys = typed!(*comp, T => self.world.pool::<T>().keys());
                assert_eq!(&keys[..members.len()], members, "{comp:?}");
            }
        }
    }

    fn check_views(&self, plan: Option<PlanKind>) {
        let (world, content) = (&self.world, &self.model.content);
        macro_rules! compare {
            ($($query:ty $(, $filter:ident $list:ty)*; [$($all:ident),*], [$($any:ident),*], [$($none:ident),*];)+) => {$({
                let view = || world.view::<$query>()$(.$filter::<$list>())*.with_plan(plan);
                let by_for: Vec<Entity> = view().into_iter().map(|item| item.0).collect();
                let mut by_fold = Vec::new();
                view().for_each(|item| by_fold.push(item.0));
                assert_eq!(by_for, by_fold, "`for` and `for_each` differ, {plan:?}");
                let mut begun = view().into_iter();
                let mut mixed: Vec<Entity> = begun.by_ref().take(3).map(|item| item.0).collect();
                begun.for_each(|item| mixed.push(item.0));
                assert_eq!(by_for, mixed, "an iterator half taken differs, {plan:?}");
                let mut expected = content.matching(&[$(Comp::$all),*], &[$(Comp::$none),*]);
                let any: &[Comp] = &[$(Comp::$any),*];
                expected.retain(|it| any.is_empty() || any.iter().any(|any| content.has(*it, *any)));
                if plan.is_none() {
                    let members = world.pool::<Number>().keys().iter().copied();
                    let matching = content.matching(&[Comp::Number], &[]);
                    assert_eq!(sorted(members.clone()), matching);
                    let in_order: Vec<Entity> = members.filter(|it| expected.binary_search(it).is_ok()).collect();
                    let ordered = || view().in_order_of::<Number>();
                    assert!(ordered().into_iter().map(|item| item.0).eq(in_order.iter().copied()));
                    let mut by_fold = Vec::new();
                    ordered().for_each(|item| by_fold.push(item.0));
                    assert_eq!(by_fold, in_order, "the order of a pool");
                }
                assert_eq!(by_for.len(), expected.len(), "{plan:?}");
                assert_eq!(sorted(by_for), expected, "{plan:?}");
                let (mut listed, dead) = (Vec::new(), content.dead.iter().rev().take(50));
                let all = dead.chain(content.rows.keys());
                view().for_each_many(all, |item| listed.push(item.0));
                assert_eq!(sorted(listed), expected, "a list of all entities");
                assert_eq!(view().count(), expected.len(), "{plan:?}");
                assert_eq!(view().is_empty(), expected.is_empty(), "{plan:?}");
            })+};
        }
        compare! {
            &Number; [Number], [], [];
            (Number, Tag); [Number, Tag], [], [];
            (&Tag, &Number, Option<&Text>, Has<Left>); [Number, Tag], [], [];
            (Number, Tag, Text), without Aligned; [Number, Tag, Text], [], [Aligned];
            (Number, Tag, Left), with_any (Text, Aligned); [Number, Tag, Left], [Text, Aligned], [];
            (Left, Right); [Left, Right], [], [];
            (Left, Number); [Left, Number], [], [];
            (Right, Aligned); [Right, Aligned], [], [];
            (&Number, &Text); [Number, Text], [], [];
            (Number, Option<&Text>), without Tag; [Number], [], [Tag];
            (Option<&Number>, Has<Tag>); [], [], [];
            (&Marked, &Number); [Marked, Number], [], [];
            (&On, Has<Marked>), without Tag; [On], [], [Tag];
            (&Friend, &Marked), without ChildOf; [Friend, Marked], [], [ChildOf];
            (&PartOf, Option<&ChildOf>); [PartOf], [], [];
            (Has<Tag>,), with_any (Left, Right); [], [Left, Right], [];
            (Number, Aligned), with Text, without (Left, Right);
                [Number, Aligned, Text], [], [Left, Right];
            (&Armour, Has<Guarded>), without Walking; [Armour], [], [Walking];
            (&Guarded, &Armour); [Guarded], [], [];
            (&Callsign, Option<&Swimming>); [Callsign], [], [];
        }
        // A query that is put together at run time.
        let [number, tag, left] = [Kind::of::<Number>(), Kind::of::<Tag>(), Kind::of::<Left>()];
        let query = KindQuery::new().read(number).with(tag).without(left).with_plan(plan);
        let found = sorted(world.kind_rows(&query).unwrap().map(|row| row.entity()));
        assert_eq!(found, content.matching(&[Comp::Number, Comp::Tag], &[Comp::Left]));
    }

    /// Compares the component without a type: by queries as texts, and in columns.
    fn check_venom(&self, plan: Option<PlanKind>) {
        let (world, content) = (&self.world, &self.model.content);
        let than = content.rows.len() as u64 * 7 % 1_000;
        let (compared, passes) = venom::comparison(content.version, than as usize, than);
        let passes = |it: &Entity| content.value(*it, Comp::Venom).is_some_and(&passes);
        let has = |it: &Entity, comp| content.has(*it, comp);
        let target = content.alive_at(than as usize);
        let to = venom::target_path(content.version);
        let is_target =
            |it: &Entity| content.value(*it, Comp::Venom).and_then(venom::target) == Some(target);
        let cases: [Case<'_>; 6] = [
            ("Venom, !Tag".to_owned(), &|it| has(it, Comp::Venom) && !has(it, Comp::Tag)),
            ("Number, ?Venom".to_owned(), &|it| has(it, Comp::Number)),
            (format!("Venom, {compared}"), &passes),
            (format!("Number, !({compared})"), &|it| has(it, Comp::Number) && !passes(it)),
            (format!("Number | {compared}, Venom"), &|it| {
                (has(it, Comp::Number) || passes(it)) && has(it, Comp::Venom)
            }),
            (format!("Venom.{to} == {target} | ChildOf({target})"), &|it| {
                is_target(it) || content.target(*it, Comp::ChildOf) == Some(target)
            }),
        ];
        for (text, is_match) in cases {
            let query = world.kinds_query(&text).unwrap().with_plan(plan);
            let found = sorted(world.kind_rows(&query).unwrap().map(|row| row.entity()));
            let expected = sorted(content.rows.keys().copied().filter(is_match));
            assert_eq!(found, expected, "{text}, {plan:?}");
            for row in world.kind_rows(&query).unwrap() {
                let read = row.get(venom::kind(content.version)).map(venom::read);
                let is_read = query.kinds().any(|kind| kind.name() == "Venom");
                let value = content.value(row.entity(), Comp::Venom);
                assert_eq!(read, value.filter(|_| is_read), "{text}");
            }
        }
        let query = world.kinds_query("Venom, !Left").unwrap().with_plan(plan);
        let mut seen = 0;
        for chunk in query.chunks(world).unwrap() {
            let targets = chunk.column::<Option<Entity>>(&format!("Venom.{to}")).unwrap();
            assert_eq!(targets.len(), chunk.entities().len());
            for (entity, target) in chunk.entities().iter().zip(targets) {
                let value = content.value(*entity, Comp::Venom).unwrap();
                assert_eq!(*target, venom::target(value), "{entity}");
            }
            seen += targets.len();
        }
        assert_eq!(seen, content.matching(&[Comp::Venom], &[Comp::Left]).len());
        if content.version > 0 && seen > 0 {
            let old = KindQuery::new().read(venom::kind(content.version - 1));
            assert_eq!(world.kind_rows(&old).err(), Some(KindError::Redefined("Venom")));
        }
    }

    fn check_values(&self, plan: Option<PlanKind>) {
        let (world, content) = (&self.world, &self.model.content);
        let is = |entity, comp, value: Option<u64>| {
            assert_eq!(value, content.value(entity, comp), "{comp:?} of {entity}, {plan:?}");
        };
        for Looked { entity, number, text, tag } in world.view::<Looked>().with_plan(plan) {
            is(entity, Comp::Number, Some(number.0));
            is(entity, Comp::Text, text.map(Text::read));
            is(entity, Comp::Tag, tag.get().then_some(0));
        }
        let view = world.view::<(&Text, &Number, &Tag)>().without::<Aligned>();
        view.with_plan(plan).for_each(|(entity, text, number, _)| {
            is(entity, Comp::Text, Some(Text::read(text)));
            is(entity, Comp::Number, Some(number.0));
        });
        for (entity, left, right) in world.view::<(Left, Right)>().without::<Text>().with_plan(plan)
        {
            is(entity, Comp::Left, Some(left.0.into()));
            is(entity, Comp::Right, Some(right.0.into()));
        }
        for (entity, marked, friend) in world.view::<(&Marked, Option<&Friend>)>().with_plan(plan) {
            is(entity, Comp::Marked, Some(marked.0));
            is(entity, Comp::Friend, friend.map(Friend::read));
        }
        world.view::<Fields>().with_plan(plan).for_each(|(entity, whole, text, number, other)| {
            assert_eq!((whole.text, Some(whole.number)), (text, number));
            is(entity, Comp::Columns, Some(Columns::read(whole)));
            is(entity, Comp::Number, other.map(|it| it.0));
        });
        let mut shared = 0;
        let view = world.view::<(Number, &Tag, &Text)>().with_plan(plan);
        let slices = view.as_slices();
        for (at, (entity, number, _, text)) in view.iter().enumerate() {
            is(entity, Comp::Number, Some(number.0));
            is(entity, Comp::Text, Some(Text::read(text)));
            if let Some((entities, numbers, _, texts)) = slices {
                assert_eq!((entity, number.0), (entities[at], numbers[at].0));
                assert_eq!(text.0, texts[at].0);
            }
            shared += 1;
        }
        assert_eq!(slices.map_or(shared, |slices| slices.0.len()), shared);
        let mut seen = 0;
        let view = world.view::<(Number, Aligned)>().with_plan(plan);
        view.for_each_chunk(|(entities, numbers, aligned)| {
            assert!(entities.len() == numbers.len() && numbers.len() == aligned.len());
            for (at, entity) in entities.iter().enumerate() {
                is(*entity, Comp::Number, Some(numbers[at].0));
                is(*entity, Comp::Aligned, Some(aligned[at].0.into()));
            }
            seen += entities.len();
        });
        assert_eq!(seen, content.matching(&[Comp::Number, Comp::Aligned], &[]).len());
    }
}

/// Returns the members and values of the component without a type.
fn all_venom(world: &World) -> Vec<(Entity, u64)> {
    let kind = venom::kind(0);
    let all = world.kind_entities(kind).iter();
    all.map(|it| (*it, venom::read(world.kind_value(kind, *it).unwrap()))).collect()
}

/// Checks that a world and one that was made equal have equal contents, and give out equal handles. Orders and bytes are
/// equal, too, unless it `was_text`, because its pages were rebuilt then.
pub fn check_alike(a: &Place, b: &Place, was_text: bool) {
    assert_eq!(a.model.content.rows, b.model.content.rows);
    check_next_handles(a, b);
    if !was_text {
        check_orders(a, b);
        check_walks(a, b);
        assert!(bytes_of(&a.world) == bytes_of(&b.world), "bytes differ");
    }
}

/// Returns the bytes of a saved world.
pub fn bytes_of(world: &World) -> Vec<u8> {
    let mut bytes = Vec::new();
    assert!(world.save().to_bytes(&mut bytes).unwrap().is_empty());
    bytes
}

/// Checks that the pools of two worlds have equal orders.
pub fn check_orders(a: &Place, b: &Place) {
    for comp in COMPS {
        let keys = |world: &World| typed!(*comp, T => world.pool::<T>().keys().to_vec());
        assert_eq!(keys(&a.world), keys(&b.world), "the order of {comp:?}");
    }
    let keys = |world: &World| world.kind_entities(venom::kind(0)).to_vec();
    assert_eq!(keys(&a.world), keys(&b.world), "the order of Venom");
}

/// Checks that views of two worlds find their matches in equal orders.
fn check_walks(a: &Place, b: &Place) {
    macro_rules! walked_alike {
        ($($query:ty $(, without $list:ty)?;)+) => {$(
            for plan in PLANS {
                let walk = |world: &World| -> Vec<Entity> {
                    let view = world.view::<$query>()$(.without::<$list>())?.with_plan(plan);
                    view.iter().map(|item| item.0).collect()
                };
                assert_eq!(walk(&a.world), walk(&b.world), "{plan:?}");
            }
        )+};
    }
    walked_alike! {
        (&Number, &Text);
        (&Number, &Tag), without Text;
        (&Text, Option<&Number>);
        (&Friend,), without Tag;
    }
}

/// Checks that two worlds give out equal handles.
pub fn check_next_handles(a: &Place, b: &Place) {
    let next = |world: &World| {
        let mut copy = world.try_clone().unwrap();
        (0..40).map(|_| copy.spawn_empty().id()).collect::<Vec<_>>()
    };
    assert_eq!(next(&a.world), next(&b.world), "handles");
}

/// Returns the number of columns that a world has.
pub fn counted(world: &World) -> usize {
    world.pool::<Columns>().len()
}
