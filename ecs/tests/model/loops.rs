//! Loops that write. Each marks its matches as changed, whether their values change or not.

use super::components::*;
use super::expected::Row;
use super::op::Loop;
use super::place::Place;
use super::venom;
use ecs::by_name::{Kind, KindQuery};
use ecs::{Mut, With};

impl Place {
    /// Writes a component of each entity that has all of some, and none of others.
    pub fn write_each(
        &mut self,
        all: &[Comp],
        none: &[Comp],
        comp: Comp,
        value: impl Fn(&Row) -> u64,
    ) {
        for entity in self.model.content.matching(all, none) {
            let value = value(&self.model.content.rows[&entity]);
            self.model.write(entity, comp, value);
        }
    }

    pub fn write(&mut self, by: Loop) {
        let world = &mut self.world;
        let number = |row: &Row| row[Comp::Number];
        let marked = |row: &Row| row[Comp::Marked];
        let same = |row: &Row| row[Comp::Columns];
        match by {
            Loop::Numbers => {
                for (_, number, aligned) in world.view_mut::<(&mut Number, Option<&Aligned>)>() {
                    number.0 += aligned.map_or(1, |aligned| aligned.0.into());
                }
                let more = |row: &Row| row.get(Comp::Aligned).unwrap_or(1);
                self.write_each(&[Comp::Number], &[], Comp::Number, |row| number(row) + more(row));
            }
            Loop::AddToColumns | Loop::OneColumn | Loop::SplitColumns | Loop::SliceOfColumns => {
                self.write_columns(by);
            }
            Loop::EachMarked => {
                for (_, marked) in world.view_mut::<&mut Marked>() {
                    marked.0 += 1;
                }
                self.write_each(&[Comp::Marked], &[], Comp::Marked, |row| marked(row) + 1);
            }
            Loop::TaggedMarked => {
                let view = world.view_mut::<(&mut Marked, Option<&On>)>().with::<Tag>();
                view.for_each(|(_, marked, on)| marked.0 += 1 + u64::from(on.is_some()));
                let more = |row: &Row| 1 + u64::from(row.has(Comp::On));
                let all = [Comp::Marked, Comp::Tag];
                self.write_each(&all, &[], Comp::Marked, |row| marked(row) + more(row));
            }
            Loop::SomeMarked => {
                for (_, mut marked, number) in world.view_mut::<(Mut<Marked>, &Number)>() {
                    if marked.0.is_multiple_of(3) {
                        marked.0 = number.0;
                    }
                }
                for entity in self.model.content.matching(&[Comp::Marked, Comp::Number], &[]) {
                    let row = &self.model.content.rows[&entity];
                    if marked(row).is_multiple_of(3) {
                        let value = number(row);
                        self.model.write(entity, Comp::Marked, value);
                    }
                }
            }
            Loop::ListedMarked(list) => {
                let mut list = self.model.content.list(list);
                let view = world.view_mut::<(&mut Marked, With<Tag>)>();
                { view }.for_each_many(&list, |(_, marked)| marked.0 += 1);
                list.retain(|it| self.model.content.has(*it, Comp::Tag));
                for entity in list {
                    if let Some(value) = self.model.content.value(entity, Comp::Marked) {
                        self.model.write(entity, Comp::Marked, value + 1);
                    }
                }
            }
            Loop::ChunksOfMarked => {
                let view = world.view_mut::<(&mut Marked, &On)>();
                view.for_each_chunk(|(_, all, _)| all.iter_mut().for_each(|it| it.0 ^= 1));
                let all = [Comp::Marked, Comp::On];
                self.write_each(&all, &[], Comp::Marked, |row| marked(row) ^ 1);
            }
            Loop::Both => {
                let view = world.view_mut::<(&mut Marked, &mut Columns)>().without::<Tag>();
                view.for_each(|(_, marked, columns)| marked.0 += *columns.number);
                let all = [Comp::Marked, Comp::Columns];
                self.write_each(&all, &[Comp::Tag], Comp::Marked, |row| marked(row) + same(row));
                self.write_each(&all, &[Comp::Tag], Comp::Columns, same);
            }
            Loop::Optional => {
                type Parts =
                    (Option<&'static mut Marked>, Option<(&'static mut Columns, &'static Tag)>);
                world.view_mut::<Parts>().for_each(drop);
                self.write_each(&[Comp::Marked], &[], Comp::Marked, marked);
                self.write_each(&[Comp::Columns, Comp::Tag], &[], Comp::Columns, same);
            }
            Loop::WriteByName => {
                let (of_marked, tag) = (Kind::of::<Marked>(), Kind::of::<Tag>());
                let query = KindQuery::new().write(of_marked).without(tag);
                world.for_each_row(&query, |row| row.get_mut::<Marked>().unwrap().0 += 2).unwrap();
                self.write_each(&[Comp::Marked], &[Comp::Tag], Comp::Marked, |row| marked(row) + 2);
            }
            Loop::LendVenom(_) | Loop::RowsOfVenom => self.write_venom(by),
            Loop::InParallel => {
                let view = world.view_mut::<(&mut Number, &Tag)>();
                view.par_for_each(|(entity, number, _)| number.0 ^= u64::from(entity.index()));
                for entity in self.model.content.matching(&[Comp::Number, Comp::Tag], &[]) {
                    let value = number(&self.model.content.rows[&entity]);
                    self.model.write(entity, Comp::Number, value ^ u64::from(entity.index()));
                }
            }
        }
    }

    /// Writes the component without a type: a column of the chunks of a query, or a field of its rows.
    fn write_venom(&mut self, by: Loop) {
        let Self { world, model, .. } = self;
        let version = model.content.version;
        let (kind, path) = (venom::kind(version), venom::number_path(version));
        let is_written: Box<dyn Fn(u64) -> bool> = if let Loop::LendVenom(below) = by {
            let (compared, passes) = venom::comparison(version, 0, below);
            let query = world.kinds_query(&format!("Venom, !Tag, {compared}")).unwrap();
            let mut chunks = query.chunks_mut(world).unwrap();
            let path = format!("Venom.{path}");
            while let Some(chunk) = chunks.next_chunk() {
                match version {
                    0 => flip(chunk.column_mut::<u16>(&path).unwrap(), |it| it ^ 1),
                    1 | 2 => flip(chunk.column_mut::<f32>(&path).unwrap(), |it| {
                        if it % 2.0 < 1.0 { it + 1.0 } else { it - 1.0 }
                    }),
                    3 => flip(chunk.column_mut::<String>(&path).unwrap(), |it| {
                        (it.parse::<u16>().unwrap() ^ 1).to_string()
                    }),
                    _ => flip(chunk.column_mut::<i64>(&path).unwrap(), |it| it ^ 1),
                }
            }
            Box::new(passes)
        } else {
            let query = KindQuery::new().write(kind).without(Kind::of::<Tag>());
            let is_even = |value| venom::number(value).is_multiple_of(2);
            let done = world.for_each_row(&query, |row| {
                let value = venom::read(row.get(kind).unwrap());
                if is_even(value) {
                    let field = venom::fields(version, venom::flipped(value)).swap_remove(0);
                    row.set_field(kind, path, field).unwrap();
                }
            });
            done.unwrap();
            Box::new(is_even)
        };
        for entity in model.content.matching(&[Comp::Venom], &[Comp::Tag]) {
            let value = model.content.value(entity, Comp::Venom).unwrap();
            if is_written(value) {
                model.write(entity, Comp::Venom, venom::flipped(value));
            }
        }
    }

    fn write_columns(&mut self, by: Loop) {
        let world = &mut self.world;
        let same = |row: &Row| row[Comp::Columns];
        match by {
            Loop::AddToColumns => {
                for (_, text, number) in
                    world.view_mut::<(&mut columns::text, &mut columns::number)>()
                {
                    *number += 1;
                    *text = number.to_string();
                }
                for (_, counted, number) in
                    world.view_mut::<(&mut columns::counted, &columns::number)>()
                {
                    *counted = (*number).into();
                }
                self.write_each(&[Comp::Columns], &[], Comp::Columns, |row| row[Comp::Columns] + 1);
            }
            Loop::OneColumn => {
                world.view_mut::<(&mut columns::counted, &Number)>().for_each_chunk(drop);
                self.write_each(&[Comp::Columns, Comp::Number], &[], Comp::Columns, same);
            }
            Loop::SplitColumns => {
                let (one, other) = world.split_mut::<(&mut columns::number, &mut columns::text)>();
                one.into_iter().for_each(drop);
                other.into_iter().for_each(drop);
                self.write_each(&[Comp::Columns], &[], Comp::Columns, same);
            }
            Loop::SliceOfColumns => {
                _ = world.pool_mut::<Columns>().as_mut_slice();
                self.write_each(&[Comp::Columns], &[], Comp::Columns, same);
            }
            _ => unreachable!("it writes no columns"),
        }
    }
}

fn flip<T: Clone>(values: &mut [T], flipped: impl Fn(T) -> T) {
    values.iter_mut().for_each(|it| *it = flipped(it.clone()));
}
