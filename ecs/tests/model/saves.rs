//! Copies, saved worlds and deltas: how a world gets the content of another one.

use super::check::check_alike;
use super::components::*;
use super::expected::Content;
use super::op::{How, Op, Script, Who};
use super::place::{Place, observed};
use super::venom;
use ecs::save::{Delta, Limits};
use ecs::{CopyError, Entity, Events, Replaced, World};
use serde::{Deserialize, Deserializer};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::mem;

impl Place {
    /// Loads the world into itself.
    pub fn reload(&mut self, how: How) {
        if how == How::Bytes {
            self.wake();
            let mut bytes = Vec::new();
            self.world.save().to_bytes(&mut bytes).unwrap();
            self.world.load(&bytes, &Limits::default()).unwrap();
        } else {
            let copy = self.saved(how);
            self.world.copy_from(&copy).unwrap();
        }
        let content = self.model.content.clone();
        self.model.replace(&content);
        self.forget_lists(if how == How::Bytes { Replaced::Loaded } else { Replaced::Copied });
    }

    pub fn copies(&mut self, on: Who, count: u16) {
        let Self { world, model, .. } = self;
        let on = model.content.pick(on);
        if count > 0 && model.content.has(on, Comp::Callsign) {
            assert!(matches!(world.spawn_copies(on, count.into()), Err(CopyError::NotUnique(_))));
            return;
        }
        // A single copy goes through a text.
        let is_text = count == 1;
        let made = if is_text {
            let text = serde_json::to_string(&world.save().entity(on).keep_outside());
            let text = text.map_err(|error| error.to_string());
            text.map(|text| {
                world.spawn_from(&mut serde_json::Deserializer::from_str(&text)).unwrap()
            })
        } else {
            world.spawn_copies(on, count.into()).map_err(|error| error.to_string())
        };
        assert_eq!(made.is_ok(), model.content.is_alive(on), "{made:?}");
        for made in made.into_iter().flatten() {
            model.content.born(made);
            for (comp, value) in model.content.rows[&on].clone().iter() {
                // A copy names itself where the original does.
                let value = match comp.named(value).filter(|_| comp.names_entities()) {
                    Some(own) if own == on => comp.renamed(value, made),
                    Some(other) if is_text && !model.content.is_alive(other) => {
                        comp.renamed(value, Entity::PLACEHOLDER)
                    }
                    _ => value,
                };
                model.put(made, comp, value);
                model.content.forget_order(comp);
            }
        }
    }

    /// Takes in the entities of another world, or copies of them.
    pub fn merge(&mut self, mut other: World, from: &Content, is_prefab: bool) {
        if !self.has_room(from.rows.len()) {
            return;
        }
        let Self { world, model, .. } = self;
        let names = from.matching(&[Comp::Callsign], &[]).into_iter();
        let mut names = names.filter_map(|it| from.value(it, Comp::Callsign));
        if names.any(|it| model.content.holder(it).is_some()) {
            assert!(world.spawn_copies_of(&other, 1).is_err() && world.merge(&mut other).is_err());
            return;
        }
        if from.version != model.content.version && !from.matching(&[Comp::Venom], &[]).is_empty() {
            // Values of other fields are refused, before anything changes.
            let refused = if is_prefab {
                world.spawn_copies_of(&other, 1).map_err(|error| error.to_string()).err()
            } else {
                world.merge(&mut other).map_err(|error| error.to_string()).err()
            };
            let reason = "`Venom` is defined with other fields in the other world";
            assert!(refused.unwrap().contains(reason));
        }
        self.change_to(from.version);
        let Self { world, model, .. } = self;
        venom::change_to(&mut other, model.content.version);
        let old: Vec<Entity> = other.entities().collect();
        let pairs: BTreeMap<Entity, Entity> = if is_prefab {
            old.iter().copied().zip(world.spawn_copies_of(&other, 1).unwrap()).collect()
        } else {
            let made = world.merge(&mut other).unwrap();
            other.check_invariants();
            assert!(other.is_empty());
            old.iter().map(|old| (*old, *made.get(*old).unwrap())).collect()
        };
        assert_eq!(pairs.len(), from.rows.len());
        for old in &old {
            model.content.born(pairs[old]);
        }
        model.take_in(from, &pairs);
        self.finish(false);
    }

    /// Returns the world that a save of this one, or a copy of it, is.
    pub fn saved(&mut self, how: How) -> World {
        self.wake();
        let world = &self.world;
        let mut bytes = Vec::new();
        match how {
            How::Clone | How::CopyFrom | How::Delta => world.try_clone().unwrap(),
            How::Bytes => {
                world.save().to_bytes(&mut bytes).unwrap();
                world.read(&bytes, &Limits::default()).unwrap().0
            }
            How::Json => {
                let text = serde_json::to_string(&world.save()).unwrap();
                read(world, &mut serde_json::Deserializer::from_str(&text))
            }
            How::MessagePack => {
                bytes = rmp_serde::to_vec_named(&world.save()).unwrap();
                read(world, &mut rmp_serde::Deserializer::new(&bytes[..]))
            }
            How::Arrays => {
                bytes = rmp_serde::to_vec(&world.save()).unwrap();
                read(world, &mut rmp_serde::Deserializer::new(&bytes[..]))
            }
            How::Cbor => {
                ciborium::into_writer(&world.save(), &mut bytes).unwrap();
                READER.set(mem::take(&mut self.world));
                let saved: FromCbor = ciborium::from_reader(&bytes[..]).unwrap();
                self.world = READER.take();
                saved.0
            }
        }
    }

    /// Makes another world equal to this one, by the way of a copy, a saved world or a delta.
    pub fn make_equal(&mut self, other: &mut Self, how: How) {
        self.wake();
        for group in mem::take(&mut other.model.content.groups) {
            grouped!(group, it => other.world.drop_group(it)).unwrap();
        }
        for group in &self.model.content.groups {
            grouped!(*group, it => other.world.declare_group(it)).unwrap();
        }
        other.world.set_ordering(self.is_ordered);
        if matches!(how, How::Bytes | How::Delta) {
            other.follow_versions(self, how);
        }
        match how {
            How::Clone => {
                *other = Self::new(self.limit);
                other.world = observed(self.saved(how));
            }
            How::CopyFrom => other.world.copy_from(&self.world).unwrap(),
            How::Bytes => {
                let mut bytes = Vec::new();
                self.world.save().to_bytes(&mut bytes).unwrap();
                other.world.load(&bytes, &Limits::default()).unwrap();
                // The file is of an earlier version than the world that reads it.
                self.change_to(other.model.content.version);
            }
            How::Json | How::MessagePack | How::Arrays | How::Cbor => {
                other.world.copy_from(&self.saved(how)).unwrap();
            }
            How::Delta => other.apply_delta_of(self),
        }
        other.is_ordered = self.is_ordered;
        if how.is_text() || how == How::Delta {
            self.begin_order(); // it is not part of these
            other.begin_order();
        }
        for script in [Script::RightWithLeft, Script::RightWithVenom, Script::TextWithNumber] {
            if self.scripts.contains_key(&script) != other.scripts.contains_key(&script) {
                other.script(script);
            }
        }
        match &self.model.content.gold {
            Some((gold, whose)) => _ = other.world.insert_resource(Gold(*gold, *whose)),
            None => _ = other.world.remove_resource::<Gold>(),
        }
        other.world.insert_resource(self.world.resource::<Events<u64>>().clone());
        other.sent = self.sent.copied();
        match how {
            How::Clone | How::Delta => {}
            How::Bytes => other.forget_lists(Replaced::Loaded),
            _ => other.forget_lists(Replaced::Copied),
        }
        if how == How::Delta {
            // It may bring handles to life that were dead when a client was sent their names.
            other.clients.clear();
        } else {
            other.model.replace(&self.model.content);
        }
    }

    /// A world whose component without a type has an earlier version refuses the values of another one, and is not
    /// changed. It changes the fields then.
    fn follow_versions(&mut self, from: &mut Self, how: How) {
        let [own, other] = [&*self, &*from].map(|it| it.model.content.version);
        if how == How::Delta {
            from.change_to(own);
        }
        if own < other && !from.model.content.matching(&[Comp::Venom], &[]).is_empty() {
            let refused = if how == How::Bytes {
                let bytes = from.world.save().to_vec().unwrap();
                self.world.load(&bytes, &Limits::default()).err()
            } else {
                let delta = Delta::between(&self.world, &from.world).unwrap();
                self.world.apply_delta(delta.as_bytes(), &Limits::default()).err()
            };
            let named = format!("version {}, and this program has version {}", other + 1, own + 1);
            assert!(refused.unwrap().to_string().contains(&named));
        }
        self.change_to(other);
    }

    /// Applies the difference to another world, with equal groups.
    fn apply_delta_of(&mut self, later: &Self) {
        let delta = Delta::between(&self.world, &later.world).unwrap();
        self.world.apply_delta(delta.as_bytes(), &Limits::default()).unwrap();
        self.forget_lists(Replaced::Applied);
        self.model.change_into(&later.model.content);
        self.hazy = self.model.time;
    }

    /// Does operations to a copy of this world, and applies their delta to this one, which is equal to the copy then.
    pub fn later(&mut self, ops: &[Op]) {
        self.wake();
        let mut later = Self::new(self.limit);
        later.world = observed(self.world.try_clone().unwrap());
        later.model.content = self.model.content.clone();
        later.is_ordered = self.is_ordered;
        ops.iter().for_each(|op| later.run(op, false));
        later.wake();
        self.follow_versions(&mut later, How::Delta);
        self.apply_delta_of(&later);
        self.begin_order(); // which a delta does not have
        later.begin_order();
        check_alike(self, &later, false);
    }
}

thread_local! {
    /// The world that [`FromCbor`] is read by.
    static READER: RefCell<World> = RefCell::default();
}

/// A saved world, for a function that takes no seed.
struct FromCbor(World);

impl<'de> Deserialize<'de> for FromCbor {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        READER.with_borrow(|reader| Ok(Self(reader.read_from(from)?.0)))
    }
}

/// Reads a world from a text, or something like it.
fn read<'de, D: Deserializer<'de>>(world: &World, from: D) -> World
where
    D::Error: std::fmt::Debug,
{
    world.read_from(from).unwrap().0
}
