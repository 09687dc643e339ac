//! Operations on whole pools: their members and orders, relations, groups.

use super::components::*;
use super::op::{Op, Ordering};
use super::place::Place;
use ecs::{Entity, GroupError};
use std::panic::{AssertUnwindSafe, catch_unwind};

impl Place {
    pub fn empty_pool(&mut self, op: &Op) {
        let Self { world, model, .. } = self;
        let (comp, stays): (_, &dyn Fn(&Entity) -> bool) = match *op {
            Op::ClearPool(comp) => {
                typed!(comp, T => world.pool_mut::<T>().clear());
                (comp, &|_| false)
            }
            Op::Retain(comp, each) => {
                let stays = move |entity: &Entity| u64::from(entity.index()) % each == 0;
                macro_rules! retain {
                    ($($name:ident)+) => {
                        match comp {
                            $(Comp::$name => {
                                world.pool_mut::<$name>().retain(|entity, _| stays(&entity));
                            })+
                            _ => return, // relations and unique components may not be written
                        }
                    };
                }
                retain!(Number Text Tag Left Right Aligned Sticky Columns Marked Friend
                    Armour Guarded Ghost Walking Swimming);
                (comp, &move |entity| u64::from(entity.index()) % each == 0)
            }
            Op::Drain(comp) => {
                let is_refused = |entity: &Entity| model.content.refuses(*entity, comp);
                let (keys, drained): (Vec<_>, Vec<_>) = typed!(comp, T => {
                    let keys = world.pool::<T>().keys().to_vec();
                    (keys, world.pool_mut::<T>().drain().map(|(entity, _)| entity).collect())
                });
                assert!(keys.iter().filter(|it| !is_refused(it)).eq(&drained));
                (comp, &|_| false)
            }
            _ => unreachable!(),
        };
        for entity in model.content.matching(&[comp], &[]).iter().filter(|it| !stays(it)) {
            model.take(*entity, comp);
        }
        if let Op::Retain(..) = op {
            // The closure might have written to values that stay.
            let stay = model.content.matching(&[comp], &[]);
            for entity in &stay {
                model.mark(*entity, comp);
            }
        }
        model.content.forget_orders();
    }

    pub fn sort(&mut self, op: &Op) {
        let Self { world, model, .. } = self;
        let (Op::Sort(comp, _) | Op::SortLike(comp) | Op::SwapInPool(comp, ..)) = *op else {
            return self.sort_by_lies(op);
        };
        let is_owned = model.content.is_owned(comp);
        match *op {
            Op::Sort(comp, way) => {
                let (is_sorted, old, new) = typed!(comp, T => {
                    let old = world.pool::<T>().keys().to_vec();
                    let mut pool = world.pool_mut::<T>();
                    let sorted = match way {
                        0 => pool.sort_by_key(|value| T::read(value)),
                        1 => pool.sort_by(|a, b| T::read(b).cmp(&T::read(a))),
                        2 => pool.sort_unstable_by(|a, b| T::read(a).cmp(&T::read(b))),
                        _ => pool.sort_by_entity(),
                    };
                    (sorted.is_ok(), old, pool.keys().to_vec())
                });
                assert_eq!(is_sorted, !is_owned);
                let value = |entity: &Entity| model.content.value(*entity, comp).unwrap();
                let mut expected = old;
                match way {
                    _ if !is_sorted => {}
                    0 => expected.sort_by_key(value),
                    1 => expected.sort_by_key(|it| std::cmp::Reverse(value(it))),
                    2 => {
                        assert!(new.is_sorted_by_key(value));
                        expected.clone_from(&new);
                    }
                    _ => expected.sort(),
                }
                if is_sorted {
                    assert_eq!(new, expected);
                    if let Some(order) = model.content.order(comp) {
                        *order = new;
                    }
                }
            }
            Op::SortLike(comp) if comp != Comp::Number => {
                let sorted = typed!(comp, T => {
                    let mut pool = world.pool_mut::<T>();
                    (pool.sort_like::<Number>().is_ok(), pool.keys().to_vec())
                });
                assert_eq!(sorted.0, !is_owned);
                if sorted.0 {
                    let numbers = world.pool::<Number>().keys().iter();
                    let shared: Vec<_> =
                        numbers.filter(|it| model.content.has(**it, comp)).copied().collect();
                    assert_eq!(shared, sorted.1[..shared.len()]);
                    model.content.forget_order(comp);
                }
            }
            Op::SwapInPool(comp, a, b) => {
                let (a, b) = (model.content.pick(a), model.content.pick(b));
                if !model.content.has(a, comp) || !model.content.has(b, comp) {
                    return;
                }
                let swapped = typed!(comp, T => world.pool_mut::<T>().swap(a, b));
                assert_eq!(swapped.is_ok(), !is_owned);
                if swapped.is_ok()
                    && let Some(order) = model.content.order(comp)
                {
                    let at = |entity| order.iter().position(|it| *it == entity).unwrap();
                    let (a, b) = (at(a), at(b));
                    order.swap(a, b);
                }
            }
            _ => {}
        }
    }

    /// Sorts by a comparator that lies: nothing is lost, though a panic may come of it.
    fn sort_by_lies(&mut self, op: &Op) {
        let Op::SortByLies(mut lies) = *op else { return };
        let mut pool = self.world.pool_mut::<Text>();
        let mut lie = || {
            lies = lies.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (lies >> 32).cmp(&(1 << 31))
        };
        _ = catch_unwind(AssertUnwindSafe(|| pool.sort_unstable_by(|_, _| lie())));
        self.model.content.forget_order(Comp::Text);
    }

    pub fn relation(&mut self, op: &Op) {
        macro_rules! related {
            ($comp:expr, $r:ident => $body:expr) => {
                match $comp {
                    Comp::On => {
                        type $r = On;
                        $body
                    }
                    Comp::PartOf => {
                        type $r = PartOf;
                        $body
                    }
                    _ => {
                        type $r = ChildOf;
                        $body
                    }
                }
            };
        }
        let Self { world, model, .. } = self;
        let content = &mut model.content;
        match *op {
            Op::MoveRelated(comp, on, to) => {
                let on = content.pick(on);
                let target = content.target(on, comp);
                let moved = related!(comp, R => world.move_related::<R>(on, to));
                assert_eq!(moved, target.is_some());
                if let Some(target) = target {
                    let sources = content.sources.get_mut(&(comp, target)).unwrap();
                    sources.retain(|it| *it != on);
                    sources.insert(to.min(sources.len()), on);
                }
            }
            Op::SwapRelated(comp, a, b) => {
                let (a, mut b) = (content.pick(a), content.pick(b));
                let target = content.target(a, comp);
                if let Some(target) = target.filter(|_| b.index().is_multiple_of(2)) {
                    b = content.sources(target, comp)[0];
                }
                let are_siblings = target.is_some() && content.target(b, comp) == target;
                let swapped = related!(comp, R => world.swap_related::<R>(a, b));
                assert_eq!(swapped, are_siblings);
                if let Some(target) = target.filter(|_| are_siblings) {
                    let sources = content.sources.get_mut(&(comp, target)).unwrap();
                    let at = |entity| sources.iter().position(|it| *it == entity).unwrap();
                    let (a, b) = (at(a), at(b));
                    sources.swap(a, b);
                }
            }
            Op::SortRelated(comp, on) => {
                let on = content.pick(on);
                related!(comp, R => {
                    world.sort_related_by::<R>(on, |_, a, b| b.index().cmp(&a.index()));
                });
                if let Some(sources) = content.sources.get_mut(&(comp, on)) {
                    sources.sort_by_key(|it| std::cmp::Reverse(it.index()));
                }
            }
            _ => unreachable!(),
        }
    }

    pub fn group(&mut self, op: &Op) {
        let Self { world, model, .. } = self;
        let groups = &mut model.content.groups;
        match *op {
            Op::Declare(group) => match grouped!(group, it => world.declare_group(it)) {
                Ok(()) => _ = groups.insert(group),
                Err(GroupError::Conflict { component, .. }) => {
                    let owns = |it: &usize| GROUPS[*it][0].iter().any(|it| it.name() == component);
                    assert!(groups.iter().any(owns) && !groups.contains(&group));
                }
                Err(error) => panic!("{error}"),
            },
            Op::DropGroup(group) => {
                let dropped = grouped!(group, it => world.drop_group(it));
                assert_eq!(dropped.is_ok(), groups.remove(&group));
            }
            Op::SortGroup(true) => {
                if let Ok(mut group) = world.group_mut(Group::owning::<(Number, Tag)>()) {
                    group.sort_by(|(a, _), (b, _)| a.0.cmp(&b.0));
                    assert!(groups.contains(&0));
                }
            }
            Op::SortGroup(false) => {
                let terms = Group::owning::<(Aligned, Right)>().without::<Left>();
                if let Ok(mut group) = world.group_mut(terms) {
                    group.sort_by_key(|(aligned, right)| (aligned.0, right.0));
                    let members = group.members().to_vec();
                    let key = |entity: &Entity| model.content.value(*entity, Comp::Aligned);
                    assert!(members.is_sorted_by_key(key));
                }
            }
            _ => unreachable!(),
        }
    }

    pub fn order(&mut self, how: Ordering) {
        let world = &mut self.world;
        if how != Ordering::Off {
            world.set_ordering(true);
        }
        match how {
            Ordering::Now => world.order_pools(),
            Ordering::ByLoops => {
                for _ in 0..300 {
                    for (_, left, _) in world.view_mut::<(&mut Left, &Right)>() {
                        std::hint::black_box(left);
                    }
                    _ = world.view::<(&Number, &Text)>().iter().count();
                    _ = world
                        .view::<(&Number, Option<&Left>)>()
                        .without::<Tag>()
                        .into_iter()
                        .count();
                }
            }
            Ordering::Off => world.set_ordering(false),
            Ordering::On => {}
        }
        world.check_invariants();
        self.is_ordered = how != Ordering::Off;
        self.model.content.forget_orders();
    }

    /// Begins to order anew, without sorted pools.
    pub fn begin_order(&mut self) {
        self.world.set_ordering(false);
        self.world.set_ordering(self.is_ordered);
        for comp in COMPS {
            typed!(*comp, T => self.world.pool_mut::<T>().set_ordering(true));
        }
    }
}
