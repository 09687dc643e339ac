//! Worlds that follow another one by change sets, over a network that loses, repeats and reorders them.
//!
//! A client may see a part of its server only, make edits in advance, and have entities of its own. It is compared with
//! its server each time that nothing is missing: the last set was applied, and a full set since the last guess.

use super::check::{counted, related};
use super::components::*;
use super::expected::entity;
use super::op::{Guess, Sight, Who};
use super::place::fresh;
use super::venom;
use ecs::save::{ChangeSet, ChangeSets, Follower, Limits, Received};
use ecs::{Entity, World};
use std::collections::{BTreeMap, BTreeSet};

/// The components that are tracked and saved, so sent.
const SENT: &[Comp] = &[
    Comp::Text,
    Comp::Columns,
    Comp::Marked,
    Comp::Friend,
    Comp::PartOf,
    Comp::ChildOf,
    Comp::Venom,
];

pub struct Client {
    world: World,
    sets: ChangeSets,
    known: Follower,
    sight: Sight,
    /// Chooses the entities that are visible.
    salt: u32,
    /// Sets on their way, by the frame in which they arrive.
    underway: BTreeMap<u64, Vec<Vec<u8>>>,
    frame: u64,
    /// The number of the last set that was sent.
    sent: u64,
    /// Entities that the server does not have.
    own: Vec<Entity>,
    /// `true` if a guess was made that no full set has undone so far.
    has_guessed: bool,
    /// A client of this one, which no network is between.
    next: Option<Box<Self>>,
}

impl Client {
    pub fn new(group: usize, sight: Sight, server: &mut World) -> Self {
        let mut world = fresh();
        grouped!(group, it => world.declare_group(it)).unwrap();
        // A veto here would keep components that its server removes.
        world.set_kind_veto(venom::kind(0), |_| true).unwrap();
        let mut client = Self {
            world,
            sets: sets_of(ChangeSets::default(), sight),
            known: Follower::default(),
            sight,
            salt: 0,
            underway: BTreeMap::new(),
            frame: 0,
            sent: 0,
            own: Vec::new(),
            has_guessed: false,
            next: None,
        };
        if sight == Sight::Saved {
            client.load(server);
        }
        client
    }

    /// Begins with a saved world, beside other entities, and goes on by sets.
    fn load(&mut self, server: &mut World) {
        self.sets = sets_of(server.change_sets(), self.sight);
        let mut bytes = Vec::new();
        let saved = server.save().leave_out::<(Tag, Left, Right, Aligned, Sticky, On)>();
        let saved = saved.leave_out::<(Armour, Guarded, Ghost, Walking, Swimming, Callsign)>();
        saved.leave_out_resource::<Gold>().to_bytes(&mut bytes).unwrap();
        self.world.spawn_batch((0..7).map(Number));
        venom::change_to(&mut self.world, venom::version_of(server));
        let (mut saved, _) = self.world.read(&bytes, &Limits::default()).unwrap();
        self.known = Follower::from(self.world.merge(&mut saved).unwrap());
    }

    /// Begins a client of this client.
    pub fn pass_on(&mut self, group: usize) {
        let Self { world, next, .. } = self;
        next.get_or_insert_with(|| Box::new(Self::new(group, Sight::All, world)));
    }

    /// Sends the changes since the last time. For each delay a copy of the set arrives this many frames later.
    pub fn follow(&mut self, server: &mut World, salt: u32, delays: &[u64]) {
        self.salt = salt;
        let set = self.drain(server);
        self.sent = set.number();
        for delay in delays {
            let arriving = self.underway.entry(self.frame + delay).or_default();
            arriving.push(set.as_bytes().to_vec());
        }
        let mut arrived = self.underway.remove(&self.frame).unwrap_or_default();
        if self.frame % 2 == 1 {
            arrived.reverse();
        }
        self.frame += 1;
        arrived.iter().for_each(|set| self.apply(set));
        if self.is_equal() {
            self.compare(server);
            assert!(self.drain(server).is_empty(), "changes are sent twice");
        }
        if let Some(next) = &mut self.next {
            next.follow(&mut self.world, 0, &[0]);
            assert!(next.is_equal());
        }
    }

    /// Ends the faults of the network, and compares once more, after a full set.
    pub fn settle(&mut self, server: &mut World) {
        self.underway.clear();
        self.recover();
        self.follow(server, self.salt, &[0]);
        assert!(self.is_equal());
    }

    /// Requests a full set.
    pub const fn recover(&mut self) {
        self.sets.restart();
    }

    /// Connects again, with the entities that are here.
    pub fn reconnect(&mut self) {
        self.sets = sets_of(ChangeSets::default(), self.sight);
        self.known.restart();
        self.underway.clear();
        self.sent = 0;
    }

    /// Edits this world in advance of its server, or an entity that the server does not have.
    pub fn guess(&mut self, guess: Guess, one: Who, other: Who) {
        let Self { world, known, own, .. } = self;
        let here = known.known().iter().map(|(_, here)| *here);
        let here: Vec<Entity> = here.filter(|it| world.is_alive(*it)).collect();
        if here.is_empty() {
            return;
        }
        let [one, other] = [one, other].map(|who| here[usize::from(who) % here.len()]);
        self.has_guessed |= !matches!(guess, Guess::Own(_) | Guess::EndOwn);
        match guess {
            Guess::Own(to) => {
                own.push(world.spawn((Marked(0), ChildOf(one))).id());
                own.iter().for_each(|it| _ = world.move_related::<ChildOf>(*it, to));
            }
            Guess::EndOwn => own.drain(..).for_each(|it| world.despawn(it).unwrap()),
            Guess::Insert => world.insert(one, Marked(1)).unwrap(),
            Guess::Remove => drop(world.remove::<(Columns, Marked)>(one)),
            Guess::Venom if self.sight == Sight::Part => {} // no set would undo it
            Guess::Venom => {
                let version = venom::version_of(world);
                let fields = venom::fields(version, venom::made(1, other));
                world.insert_fields(venom::kind(version), one, &fields).unwrap();
                _ = world.remove_kind(venom::kind(0), other);
            }
            Guess::Despawn => _ = world.despawn(one),
            Guess::DespawnSome => _ = world.despawn_batch(&here[..here.len() / 3]),
            Guess::Attach => _ = world.attach(one, other),
            Guess::Move(to) => _ = world.move_related::<ChildOf>(one, to),
            Guess::RemoveGold => _ = world.remove_resource::<Gold>(),
        }
        self.retain_own();
    }

    /// Returns the number of columns that this world and its clients' worlds have.
    pub fn columns(&self) -> usize {
        counted(&self.world) + self.next.as_ref().map_or(0, |next| next.columns())
    }

    fn sees(&self, there: Entity) -> bool {
        match self.sight {
            Sight::All | Sight::Saved | Sight::Part => true,
            Sight::Visible | Sight::Listed => (there.index() + self.salt) % 5 < 3,
        }
    }

    fn drain(&mut self, server: &mut World) -> ChangeSet {
        let mut sets = std::mem::take(&mut self.sets);
        let set = match self.sight {
            Sight::All | Sight::Saved | Sight::Part => sets.drain(server),
            Sight::Visible => sets.drain_visible(server, |_, it| self.sees(it)),
            Sight::Listed => {
                let seen: Vec<Entity> = server.entities().filter(|it| self.sees(*it)).collect();
                sets.drain_among(server, &seen)
            }
        };
        self.sets = sets;
        set.unwrap()
    }

    fn apply(&mut self, set: &[u8]) {
        let Self { world, known, .. } = self;
        let before = known.number();
        let mut applied = world.apply_change_set(set, known, &Limits::default());
        while let Err(error) = &applied {
            // Its server has changed fields.
            assert!(error.to_string().contains("this program has version"), "{error}");
            world.check_invariants();
            assert_eq!(known.number(), before);
            venom::change_to(world, venom::version_of(world) + 1);
            applied = world.apply_change_set(set, known, &Limits::default());
        }
        if applied.unwrap() == Received::Applied {
            assert!(known.number() >= before);
            self.has_guessed &= known.full_number() <= before;
        }
        world.check_invariants();
        self.retain_own();
    }

    /// Forgets the entities that ended with others.
    fn retain_own(&mut self) {
        self.own.retain(|own| self.world.is_alive(*own));
    }

    fn is_equal(&self) -> bool {
        self.known.number() == self.sent && !self.known.needs_full() && !self.has_guessed
    }

    /// Checks that this world has all that is sent of the server, and nothing else.
    fn compare(&self, server: &World) {
        let Self { world, known, own, .. } = self;
        assert_eq!(known.skipped().next(), None);
        let gold = [world, server].map(|world| world.get_resource::<Gold>());
        assert_eq!(gold[0].map(|it| it.0), gold[1].map(|it| it.0));
        if let [Some(here), Some(there)] = gold {
            if server.is_alive(there.1) {
                assert_eq!(here.1, self.here(there.1), "whose gold it is");
            } else {
                let is_known = self.sight == Sight::Saved && known.get(there.1) == Some(here.1);
                assert!(is_known || !world.is_alive(here.1), "whose gold it was");
            }
        }
        // A saved world has entities that no set names.
        if self.sight != Sight::Saved {
            for (there, here) in known.known().iter() {
                assert!(server.is_alive(there) && world.is_alive(*here), "{there}");
            }
            assert_eq!(world.len(), known.known().len() + own.len());
        }
        for &comp in SENT {
            let is_sent =
                self.sight != Sight::Part || [Comp::Marked, Comp::ChildOf].contains(&comp);
            if comp == Comp::Venom {
                self.compare_venom(server, is_sent);
                continue;
            }
            typed!(comp, T => {
                let seen = |it: &(Entity, _)| is_sent && self.sees(it.0);
                let mut count = own.iter().filter(|it| world.has::<T>(**it)).count();
                for (there, value) in server.pool::<T>().iter().filter(seen) {
                    let found = world.get::<T>(self.here(there)).map(T::read);
                    self.compare_value(server, comp, T::read(value), found.unwrap());
                    count += 1;
                }
                assert_eq!(world.pool::<T>().len(), count, "{comp:?}");
            });
            if is_sent && RELATIONS.contains(&comp) {
                self.compare_sources(server, comp);
            }
        }
    }

    fn compare_venom(&self, server: &World, is_sent: bool) {
        let [here, there] = [&self.world, server].map(venom::version_of);
        let all = server.kind_entities(venom::kind(0)).iter();
        let seen: Vec<Entity> = all.copied().filter(|it| is_sent && self.sees(*it)).collect();
        for entity in &seen {
            let expected = venom::of(server, there, *entity).unwrap();
            let found = venom::of(&self.world, here, self.here(*entity)).unwrap();
            self.compare_value(server, Comp::Venom, expected, found);
        }
        assert_eq!(self.world.kind_entities(venom::kind(0)).len(), seen.len());
    }

    /// Returns the entity that stands for one of the server.
    fn here(&self, there: Entity) -> Entity {
        let here = self.known.get(there).unwrap_or_else(|| panic!("{there} is not known"));
        assert!(self.world.is_alive(here), "{there} is not alive here");
        here
    }

    /// Compares numbers, and the entities that handles stand for.
    fn compare_value(&self, server: &World, comp: Comp, there: u64, here: u64) {
        let named = [here, there].map(|it| comp.named(it).filter(|_| comp.names_entities()));
        let [Some(own), Some(theirs)] = named else {
            assert_eq!(here, there, "{comp:?}");
            return;
        };
        assert_eq!(here, comp.renamed(there, own), "{comp:?}");
        if server.is_alive(theirs) {
            assert_eq!(own, self.here(theirs), "{comp:?}");
        } else {
            let is_known = self.known.get(theirs) == Some(own);
            assert!(self.sight == Sight::Saved && is_known || !self.world.is_alive(own));
        }
    }

    fn compare_sources(&self, server: &World, relation: Comp) {
        let targets: BTreeSet<u64> =
            typed!(relation, T => server.pool::<T>().iter().map(|it| T::read(it.1)).collect());
        for target in targets.into_iter().map(entity) {
            let there = related(server, relation, target).into_iter().filter(|it| self.sees(*it));
            let there: Vec<Entity> = there.map(|it| self.here(it)).collect();
            let Some(target) = self.known.get(target) else {
                assert!(there.is_empty());
                continue;
            };
            let mut here = related(&self.world, relation, target);
            here.retain(|it| !self.own.contains(it));
            assert_eq!(here, there, "{relation:?} of {target}");
        }
    }
}

fn sets_of(sets: ChangeSets, sight: Sight) -> ChangeSets {
    let sets = sets.resource::<Gold>();
    if sight == Sight::Part { sets.only::<(Marked, ChildOf)>() } else { sets }
}
